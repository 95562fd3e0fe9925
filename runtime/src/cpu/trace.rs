//! Ray queries on the CPU device: the intersections of a ray, and the state of a query.
//!
//! Primitives are tried one after the other; an instance is skipped if the ray misses its box. Triangles are
//! intersected with the watertight test of Woop, Benthin and Wald (2013). Neighbours compute the same edge from the
//! same numbers, so a ray through a shared edge hits one of them at least.

use crate::scene::{Instance, Object, SceneDesc, inverse};

/// Bits of a query's flags (SPV_KHR_ray_tracing, ray flags).
mod flags {
    pub const OPAQUE: u32 = 0x1;
    pub const NO_OPAQUE: u32 = 0x2;
    pub const TERMINATE_ON_FIRST_HIT: u32 = 0x4;
    pub const CULL_BACK: u32 = 0x10;
    pub const CULL_FRONT: u32 = 0x20;
    pub const CULL_OPAQUE: u32 = 0x40;
    pub const CULL_NO_OPAQUE: u32 = 0x80;
    pub const SKIP_TRIANGLES: u32 = 0x100;
    pub const SKIP_BOXES: u32 = 0x200;
}

type Vec3 = [f64; 3];

/// A scene, ready for rays.
#[derive(Clone, Debug, Default)]
pub struct Scene {
    desc: SceneDesc,
    /// World to object, by instance.
    inverses: Vec<[f64; 12]>,
    /// Around each object.
    bounds: Vec<[f64; 6]>,
}

/// A ray: in the world or, with the same distances, in an object.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Ray {
    pub origin: [f32; 3],
    pub direction: [f32; 3],
    pub least: f32,
    pub greatest: f32,
}

/// A candidate or committed hit.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Hit {
    pub procedural: bool,
    pub t: f32,
    pub instance: u32,
    pub geometry: u32,
    pub primitive: u32,
    pub barycentrics: [f32; 2],
    pub front: bool,
    pub opaque: bool,
}

/// The next primitive to try.
#[derive(Clone, Copy, Debug, Default)]
struct Cursor {
    instance: usize,
    geometry: usize,
    primitive: usize,
}

/// One query of one lane.
#[derive(Clone, Copy, Debug, Default)]
pub struct Query {
    /// Index of the scene; `None` before the first ray.
    pub scene: Option<u32>,
    pub flags: u32,
    mask: u32,
    pub ray: Ray,
    next: Cursor,
    done: bool,
    pub candidate: Hit,
    pub committed: Option<Hit>,
}

impl Scene {
    pub fn new(desc: SceneDesc) -> Scene {
        let inverses = desc.instances.iter().map(|i| inverse(&i.transform)).collect();
        let bounds = desc.objects.iter().map(bounds).collect();
        Scene { desc, inverses, bounds }
    }

    pub fn instance(&self, index: u32) -> Option<&Instance> {
        self.desc.instances.get(index as usize)
    }

    /// Returns the transform from world to object, three rows of four.
    pub fn world_to_object(&self, index: u32) -> [f64; 12] {
        self.inverses.get(index as usize).copied().unwrap_or_default()
    }
}

impl Query {
    pub fn new(scene: u32, flags: u32, mask: u32, ray: Ray) -> Query {
        Query { scene: Some(scene), flags, mask, ray, ..Query::default() }
    }

    fn has(&self, bits: u32) -> bool {
        self.flags & bits != 0
    }

    pub fn abort(&mut self) {
        self.done = true;
    }

    /// Returns the distance beyond which hits are ignored.
    fn limit(&self) -> f32 {
        self.committed.map_or(self.ray.greatest, |hit| hit.t)
    }

    fn commit(&mut self, hit: Hit) {
        self.committed = Some(hit);
        self.done |= self.has(flags::TERMINATE_ON_FIRST_HIT);
    }

    /// Makes the candidate triangle the closest hit.
    pub fn commit_triangle(&mut self) {
        self.commit(self.candidate);
    }

    /// Makes the candidate box a hit at `t`, unless that is outside the ray.
    pub fn commit_procedural(&mut self, t: f32) {
        if t >= self.ray.least && t <= self.limit() {
            self.commit(Hit { t, ..self.candidate });
        }
    }

    /// Continues to the next candidate that a shader has to decide on.
    pub fn proceed(&mut self, scene: &Scene) -> bool {
        while !self.done {
            let Some(instance) = scene.desc.instances.get(self.next.instance) else {
                self.done = true;
                break;
            };
            let object = scene.desc.objects.get(instance.object as usize);
            let (Some(object), Some(inverse)) = (object, scene.inverses.get(self.next.instance)) else {
                self.done = true;
                break;
            };
            let (origin, direction) = to_object(&self.ray, inverse);
            if self.next.geometry == 0 && self.next.primitive == 0 {
                let bounds = scene.bounds.get(instance.object as usize).copied().unwrap_or_default();
                let range = (f64::from(self.ray.least), f64::from(self.limit()));
                if u32::from(instance.mask) & self.mask == 0 || !meets(&bounds, origin, direction, range) {
                    self.next = Cursor { instance: self.next.instance + 1, ..Cursor::default() };
                    continue;
                }
            }
            if self.step(instance, object, origin, direction) {
                return true;
            }
        }
        false
    }

    /// Tries one primitive, or continues with the next geometry or instance. Returns true at a candidate.
    fn step(&mut self, instance: &Instance, object: &Object, origin: Vec3, direction: Vec3) -> bool {
        let at = self.next;
        let (count, declared) = match object {
            Object::Triangles(list) => list.get(at.geometry).map(|g| (g.indices.len(), g.opaque)),
            Object::Boxes(list) => list.get(at.geometry).map(|g| (g.boxes.len(), g.opaque)),
        }
        .unwrap_or((usize::MAX, false));
        if count == usize::MAX {
            self.next = Cursor { instance: at.instance + 1, ..Cursor::default() };
            return false;
        }
        let opaque = self.opacity(instance, declared);
        if at.primitive >= count || self.passes_over(object, opaque) {
            self.next = Cursor { geometry: at.geometry + 1, primitive: 0, ..at };
            return false;
        }
        self.next.primitive += 1;
        let found = match object {
            Object::Triangles(list) => list.get(at.geometry).and_then(|g| {
                let corner = |i: u32| g.vertices.get(i as usize).map(|v| v.map(f64::from));
                let [a, b, c] = *g.indices.get(at.primitive)?;
                self.triangle(instance, [corner(a)?, corner(b)?, corner(c)?], origin, direction)
            }),
            Object::Boxes(list) => list.get(at.geometry).and_then(|g| {
                let bounds = g.boxes.get(at.primitive)?.map(f64::from);
                let range = (f64::from(self.ray.least), f64::from(self.limit()));
                meets(&bounds, origin, direction, range).then(|| Hit { procedural: true, ..Hit::default() })
            }),
        };
        let Some(hit) = found else { return false };
        let (geometry, primitive) = (at.geometry as u32, at.primitive as u32);
        let hit = Hit { instance: at.instance as u32, geometry, primitive, opaque, ..hit };
        if opaque && !hit.procedural {
            self.commit(hit);
            return false;
        }
        self.candidate = hit;
        true
    }

    /// Returns the opacity. The ray's flags take precedence over the instance's, and those over the geometry's.
    fn opacity(&self, instance: &Instance, declared: bool) -> bool {
        match (self.has(flags::OPAQUE), self.has(flags::NO_OPAQUE)) {
            (true, _) => true,
            (_, true) => false,
            _ => instance.force_opaque.unwrap_or(declared),
        }
    }

    /// Returns whether the flags exclude all of a geometry.
    fn passes_over(&self, object: &Object, opaque: bool) -> bool {
        let kind = match object {
            Object::Triangles(_) => flags::SKIP_TRIANGLES,
            Object::Boxes(_) => flags::SKIP_BOXES,
        };
        self.has(kind) || self.has(if opaque { flags::CULL_OPAQUE } else { flags::CULL_NO_OPAQUE })
    }

    fn triangle(&self, instance: &Instance, corners: [Vec3; 3], origin: Vec3, direction: Vec3) -> Option<Hit> {
        let (t, barycentrics, counter_clockwise) = intersect(corners, origin, direction)?;
        // Both interfaces define the front in left-handed space, as clockwise.
        let front = counter_clockwise != instance.flip_facing;
        let culled = self.has(if front { flags::CULL_FRONT } else { flags::CULL_BACK });
        if culled && !instance.cull_disable {
            return None;
        }
        let t = t as f32;
        let inside = t > self.ray.least && t < self.limit();
        inside.then(|| Hit { t, barycentrics: barycentrics.map(|b| b as f32), front, ..Hit::default() })
    }
}

/// Transforms the ray to an object's space; distances along it stay the same.
pub fn to_object(ray: &Ray, m: &[f64; 12]) -> (Vec3, Vec3) {
    let (o, d) = (ray.origin.map(f64::from), ray.direction.map(f64::from));
    let turned = |v: Vec3, row: usize| m[4 * row] * v[0] + m[4 * row + 1] * v[1] + m[4 * row + 2] * v[2];
    ([0, 1, 2].map(|row| turned(o, row) + m[4 * row + 3]), [0, 1, 2].map(|row| turned(d, row)))
}

fn bounds(object: &Object) -> [f64; 6] {
    let mut out =
        [f64::INFINITY, f64::INFINITY, f64::INFINITY, f64::NEG_INFINITY, f64::NEG_INFINITY, f64::NEG_INFINITY];
    let mut add = |point: &[f32]| {
        for (axis, x) in point.iter().take(3).enumerate() {
            out[axis] = out[axis].min(f64::from(*x));
            out[axis + 3] = out[axis + 3].max(f64::from(*x));
        }
    };
    match object {
        Object::Triangles(list) => list.iter().flat_map(|g| &g.vertices).for_each(|v| add(v)),
        Object::Boxes(list) => list.iter().flat_map(|g| &g.boxes).for_each(|b| {
            add(&b[..3]);
            add(&b[3..]);
        }),
    }
    out
}

/// Returns whether a part of the ray between the two distances is in the box, its surface included.
fn meets(bounds: &[f64; 6], origin: Vec3, direction: Vec3, (least, greatest): (f64, f64)) -> bool {
    let (mut near, mut far) = (least, greatest);
    for axis in 0..3 {
        let (low, high) = (bounds[axis] - origin[axis], bounds[axis + 3] - origin[axis]);
        if direction[axis] == 0.0 {
            if low > 0.0 || high < 0.0 {
                return false;
            }
            continue;
        }
        let (a, b) = (low / direction[axis], high / direction[axis]);
        near = near.max(a.min(b));
        far = far.min(a.max(b));
    }
    near <= far
}

/// Returns the distance, the weights of the second and third corner, and whether the corners are counter-clockwise as
/// seen from the origin, in right-handed space.
fn intersect(corners: [Vec3; 3], origin: Vec3, direction: Vec3) -> Option<(f64, [f64; 2], bool)> {
    // The dominant axis of the direction becomes z; the winding stays.
    let z = (0..3).max_by(|a, b| direction[*a].abs().total_cmp(&direction[*b].abs()))?;
    let (mut x, mut y) = ((z + 1) % 3, (z + 2) % 3);
    if direction[z] < 0.0 {
        std::mem::swap(&mut x, &mut y);
    }
    let [sx, sy, sz] = [direction[x] / direction[z], direction[y] / direction[z], 1.0 / direction[z]];
    let [a, b, c] = corners.map(|p| {
        let p = [p[0] - origin[0], p[1] - origin[1], p[2] - origin[2]];
        [p[x] - sx * p[z], p[y] - sy * p[z], sz * p[z]]
    });
    let u = c[0] * b[1] - c[1] * b[0];
    let v = a[0] * c[1] - a[1] * c[0];
    let w = b[0] * a[1] - b[1] * a[0];
    if (u < 0.0 || v < 0.0 || w < 0.0) && (u > 0.0 || v > 0.0 || w > 0.0) {
        return None;
    }
    let sum = u + v + w;
    if sum == 0.0 {
        return None;
    }
    let t = (u * a[2] + v * b[2] + w * c[2]) / sum;
    Some((t, [v / sum, w / sum], sum > 0.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{Boxes, Triangles};

    /// A unit square of two triangles at z = 0, and a box further along z.
    fn scene(opaque: bool) -> Scene {
        let square = Triangles {
            vertices: vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]],
            indices: vec![[0, 1, 2], [0, 2, 3]],
            opaque,
        };
        let boxes = Boxes { boxes: vec![[0.0, 0.0, 2.0, 1.0, 1.0, 3.0]], opaque: false };
        Scene::new(SceneDesc {
            objects: vec![Object::Triangles(vec![square]), Object::Boxes(vec![boxes])],
            instances: vec![Instance::default(), Instance { object: 1, mask: 2, ..Instance::default() }],
        })
    }

    fn ray(x: f32, y: f32, z: f32, dz: f32) -> Ray {
        Ray { origin: [x, y, z], direction: [0.0, 0.0, dz], least: 0.0, greatest: 10.0 }
    }

    #[test]
    fn opaque_triangles_commit_and_hide_farther_hits() {
        let scene = scene(true);
        let mut query = Query::new(0, 0, 0xff, ray(0.75, 0.25, -1.0, 1.0));
        assert!(!query.proceed(&scene));
        let hit = query.committed.unwrap();
        // In the first triangle (0,0) (1,0) (1,1): the point is 0.25 a + 0.5 b + 0.25 c.
        assert_eq!((hit.t, hit.barycentrics, hit.primitive), (1.0, [0.5, 0.25], 0));
        // Along +z the corners run counter-clockwise around +z, so the ray hits the back.
        assert!(!hit.front);
    }

    #[test]
    fn ray_queries_visit_each_candidate_in_turn() {
        let scene = scene(false);
        let mut query = Query::new(0, 0, 0xff, ray(0.25, 0.75, -1.0, 1.0));
        assert!(query.proceed(&scene));
        assert_eq!((query.candidate.procedural, query.candidate.primitive), (false, 1));
        assert!(query.proceed(&scene));
        assert!(query.candidate.procedural);
        query.commit_procedural(3.5);
        assert!(!query.proceed(&scene));
        assert_eq!(query.committed.map(|h| (h.t, h.instance)), Some((3.5, 1)));
    }

    #[test]
    fn ray_flags_and_masks_cull_candidates() {
        let scene = scene(false);
        let candidates = |flags: u32, mask: u32, dz: f32| {
            let z = if dz > 0.0 { -1.0 } else { 5.0 };
            let mut query = Query::new(0, flags, mask, ray(0.25, 0.75, z, dz));
            let mut kinds = Vec::new();
            while query.proceed(&scene) {
                kinds.push(query.candidate.procedural);
            }
            kinds
        };
        assert_eq!(candidates(0, 0xff, 1.0), [false, true]);
        assert_eq!(candidates(flags::SKIP_TRIANGLES, 0xff, 1.0), [true]);
        assert_eq!(candidates(flags::SKIP_BOXES, 0xff, 1.0), [false]);
        assert_eq!(candidates(0, 1, 1.0), [false]);
        assert_eq!(candidates(flags::CULL_BACK, 0xff, 1.0), [true]);
        assert_eq!(candidates(flags::CULL_BACK, 0xff, -1.0), [false, true]);
        assert_eq!(candidates(flags::CULL_FRONT, 0xff, -1.0), [true]);
        assert_eq!(candidates(flags::CULL_NO_OPAQUE, 0xff, 1.0), [false; 0]);
    }

    #[test]
    fn no_ray_slips_through_a_shared_edge() {
        let scene = scene(true);
        for i in 1..1000 {
            // Points of the diagonal, which no float pair hits exactly after the slant of the ray.
            let p = i as f32 / 1000.0;
            let slanted =
                Ray { origin: [p - 0.3, p + 0.7, -1.0], direction: [0.3, -0.7, 1.0], least: 0.0, greatest: 10.0 };
            let mut query = Query::new(0, 0, 1, slanted);
            query.proceed(&scene);
            assert!(query.committed.is_some(), "at {p}");
        }
    }
}
