//! Ray queries against a search of every primitive, in double precision. Checks every candidate and the committed hit,
//! under every flag and mask. A device may find candidates in any order. So a candidate must be reported if no nearer
//! hit is committed in the end; otherwise it may be.

use crate::harness::{DEVICES, compile};
use crate::inputs::Numbers;
use std::fmt::Write as _;
use std::sync::PoisonError;
use wgc_runtime::cpu::{CpuDevice, CpuSettings};
use wgc_runtime::device::{Command, Device, ResourceBinding, Resources};
use wgc_runtime::scene::{Boxes, Instance, Object, SceneDesc, Triangles};
use wgc_runtime::vulkan::testing;

const SHADER: &str = include_str!("rays.hlsl");

type Vec3 = [f64; 3];

// ---- scene

fn scene() -> SceneDesc {
    let triangles = |z: f32, indices: Vec<[u32; 3]>, opaque| Triangles {
        vertices: vec![[-1.0, -1.0, z], [1.0, -1.0, z], [1.0, 1.0, z + 0.5], [-1.0, 1.0, z]],
        indices,
        opaque,
    };
    let cube = |c: [f32; 3]| [c[0] - 0.5, c[1] - 0.5, c[2] - 0.5, c[0] + 0.5, c[1] + 0.5, c[2] + 0.5];
    let squares = Object::Triangles(vec![
        triangles(0.0, vec![[0, 1, 2], [0, 2, 3]], false),
        // Viewed from the other side.
        triangles(2.0, vec![[0, 2, 1]], true),
    ]);
    let cubes = Object::Boxes(vec![
        Boxes { boxes: vec![cube([0.0; 3]), cube([3.0, 0.0, 0.0])], opaque: false },
        Boxes { boxes: vec![cube([0.0, 3.0, 0.0])], opaque: true },
    ]);
    let instance = |object, transform, id, mask, hit_group| Instance {
        object,
        transform,
        id,
        mask,
        hit_group,
        ..Instance::default()
    };
    SceneDesc {
        objects: vec![squares, cubes],
        instances: vec![
            instance(0, [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0], 7, 0x01, 3),
            // Rotated, stretched and moved.
            instance(0, [0.0, -2.0, 0.0, 4.0, 1.5, 0.0, 0.5, 1.0, 0.0, 0.0, 1.0, -3.0], 0xab_cdef, 0x02, 0x01_0203),
            instance(1, [1.0, 0.0, 0.0, -4.0, 0.0, 1.0, 0.0, 1.0, 0.0, 0.0, 1.0, 1.0], 1, 0x04, 0),
            Instance {
                force_opaque: Some(false),
                ..instance(1, [2.0, 0.5, 0.0, 1.0, 0.0, 1.0, 0.0, -6.0, 0.0, 0.0, 3.0, 2.0], 2, 0xff, 9)
            },
            // A mirror image with flipped sides, which is never culled.
            Instance {
                flip_facing: true,
                cull_disable: true,
                force_opaque: Some(true),
                ..instance(0, [-1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 5.0, 0.0, 0.0, 1.0, 1.0], 0xff_ffff, 0x08, 0xff_ffff)
            },
        ],
    }
}

/// Numbers of candidates: by instance, geometry and primitive.
const PLACES: usize = 20;
const CASE_BYTES: usize = 48;
const RAY_WORDS: usize = 8;
const HIT_WORDS: usize = 66;

// ---- cases

const OPAQUE: u32 = 0x1;
const NON_OPAQUE: u32 = 0x2;
const FIRST: u32 = 0x4;
const CULL_BACK: u32 = 0x10;
const CULL_FRONT: u32 = 0x20;
const CULL_OPAQUE: u32 = 0x40;
const CULL_NON_OPAQUE: u32 = 0x80;
const SKIP_TRIANGLES: u32 = 0x100;
const SKIP_BOXES: u32 = 0x200;

#[rustfmt::skip]
const FLAGS: &[u32] = &[
    0, OPAQUE, NON_OPAQUE, FIRST, CULL_BACK, CULL_FRONT, CULL_OPAQUE, CULL_NON_OPAQUE, SKIP_TRIANGLES, SKIP_BOXES,
    NON_OPAQUE | CULL_BACK, OPAQUE | FIRST, OPAQUE | CULL_FRONT, 0x8,
];
const MASKS: &[u32] = &[0xff, 0x01, 0x0a, 0x04, 0xfff, 0xf0];

struct Case {
    origin: [f32; 3],
    direction: [f32; 3],
    least: f32,
    greatest: f32,
    flags: u32,
    mask: u32,
    accept: bool,
    abort: bool,
}

fn cases(scene: &SceneDesc) -> Vec<Case> {
    let mut numbers = Numbers::new(41);
    let mut rays = Vec::new();
    while rays.len() < 20 {
        let mut point = |scale: f64| [(); 3].map(|()| numbers.between(-scale, scale) as f32);
        let (origin, target) = (point(9.0), point(2.0));
        // Through an instance; the length of a direction scales its distances.
        let to = &scene.instances[rays.len() % scene.instances.len()].transform;
        let direction = [0, 1, 2].map(|a| (to[4 * a + 3] + target[a] / 2.0 - origin[a]) / 8.0);
        let (least, greatest) = if rays.len() % 4 == 3 { (6.0, 9.0) } else { (0.25, 1000.0) };
        let ray = Case { origin, direction, least, greatest, flags: 0, mask: 0xff, accept: false, abort: false };
        // Rays with results that depend on rounding prove nothing.
        if hits(scene, &ray).is_some_and(|hits| !hits.is_empty()) {
            rays.push(ray);
        }
    }
    let mut cases = Vec::new();
    for (n, &flags) in FLAGS.iter().enumerate() {
        for (i, ray) in rays.iter().enumerate() {
            for (accept, abort) in [(false, false), (true, false), (false, true)] {
                let mask = MASKS[(n + i / 3) % MASKS.len()];
                cases.push(Case { flags, mask, accept, abort, ..*ray });
            }
        }
    }
    cases
}

impl Case {
    fn bytes(&self) -> Vec<u8> {
        let floats = self.origin.into_iter().chain([self.least]).chain(self.direction).chain([self.greatest]);
        let words = [self.flags, self.mask, u32::from(self.accept), u32::from(self.abort)];
        floats.map(f32::to_bits).chain(words).flat_map(u32::to_le_bytes).collect()
    }
}

// ---- hits

#[derive(Clone, Debug)]
struct Hit {
    instance: usize,
    geometry: usize,
    primitive: usize,
    /// The distance of the hit: for a box, of the point at which the ray enters it.
    t: f64,
    opaque: bool,
    what: What,
    origin: Vec3,
    direction: Vec3,
}

#[derive(Clone, Debug)]
enum What {
    Triangle {
        front: bool,
        barycentrics: [f64; 2],
    },
    /// The distance at which the ray enters the sphere in it.
    Box {
        sphere: Option<f64>,
    },
}

fn dot(a: Vec3, b: Vec3) -> f64 {
    (0..3).map(|i| a[i] * b[i]).sum()
}

fn sub(a: Vec3, b: Vec3) -> Vec3 {
    [0, 1, 2].map(|i| a[i] - b[i])
}

fn cross(a: Vec3, b: Vec3) -> Vec3 {
    [0, 1, 2].map(|i| a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3])
}

/// Returns the transform from world to object, three rows of four: by Cramer's rule.
fn inverse(t: &[f32; 12]) -> [f64; 12] {
    let column = |c: usize| [0, 1, 2].map(|r| f64::from(t[4 * r + c]));
    let (x, y, z) = (column(0), column(1), column(2));
    let determinant = dot(x, cross(y, z));
    let mut out = [0.0; 12];
    for (r, row) in [cross(y, z), cross(z, x), cross(x, y)].into_iter().enumerate() {
        let row = row.map(|v| v / determinant);
        out[4 * r..4 * r + 3].copy_from_slice(&row);
        out[4 * r + 3] = -dot(row, column(3));
    }
    out
}

fn apply(m: &[f64; 12], v: Vec3, w: f64) -> Vec3 {
    [0, 1, 2].map(|r| dot([m[4 * r], m[4 * r + 1], m[4 * r + 2]], v) + m[4 * r + 3] * w)
}

/// A hit nearer to a border than this could be rounded across it.
const MARGIN: f64 = 4e-3;

/// Returns all hits of a ray between its ends, ignoring the case's flags; `None` when rounding could decide.
fn hits(scene: &SceneDesc, ray: &Case) -> Option<Vec<Hit>> {
    let mut out = Vec::new();
    for (n, instance) in scene.instances.iter().enumerate() {
        let to = inverse(&instance.transform);
        let origin = apply(&to, ray.origin.map(f64::from), 1.0);
        let direction = apply(&to, ray.direction.map(f64::from), 0.0);
        let mut add = |geometry, primitive, t, opaque, what| {
            let opaque = instance.force_opaque.unwrap_or(opaque);
            out.push(Hit { instance: n, geometry, primitive, t, opaque, what, origin, direction });
        };
        let ends = [ray.least, ray.greatest].map(f64::from);
        match &scene.objects[instance.object as usize] {
            Object::Triangles(list) => {
                for (g, t) in list.iter().enumerate() {
                    for (p, corners) in t.indices.iter().enumerate() {
                        let [a, b, c] = corners.map(|i| t.vertices[i as usize].map(f64::from));
                        let normal = cross(sub(b, a), sub(c, a));
                        let along = dot(direction, normal);
                        let distance = dot(sub(a, origin), normal) / along;
                        let at = sub([0, 1, 2].map(|i| origin[i] + direction[i] * distance), a);
                        // Areas of the parts of the triangle, relative to the whole.
                        let u = dot(cross(at, sub(c, a)), normal) / dot(normal, normal);
                        let v = dot(cross(sub(b, a), at), normal) / dot(normal, normal);
                        let inside = u.min(v).min(1.0 - u - v);
                        if inside < -MARGIN {
                            continue;
                        }
                        let to_end = ends.map(|end| distance - end);
                        if inside < MARGIN || to_end.iter().any(|d| d.abs() < MARGIN) {
                            return None;
                        }
                        if to_end[0] > 0.0 && to_end[1] < 0.0 {
                            // Clockwise corners are the front, in the left-handed coordinates of Direct3D: there the
                            // cross product of the edges points towards a viewer who sees them clockwise.
                            let front = (along < 0.0) != instance.flip_facing;
                            add(g, p, distance, t.opaque, What::Triangle { front, barycentrics: [u, v] });
                        }
                    }
                }
            }
            Object::Boxes(list) => {
                for (g, t) in list.iter().enumerate() {
                    for (p, b) in t.boxes.iter().enumerate() {
                        let b = b.map(f64::from);
                        let (mut enter, mut leave) = (f64::NEG_INFINITY, f64::INFINITY);
                        for axis in 0..3 {
                            let ends = [axis, axis + 3].map(|i| (b[i] - origin[axis]) / direction[axis]);
                            enter = enter.max(ends[0].min(ends[1]));
                            leave = leave.min(ends[0].max(ends[1]));
                        }
                        if leave - enter < -MARGIN {
                            continue;
                        }
                        let close = [leave - enter, enter - ends[0], leave - ends[0], enter - ends[1], leave - ends[1]];
                        if close.iter().any(|d| d.abs() < MARGIN) {
                            return None;
                        }
                        if leave < ends[0] || enter > ends[1] {
                            continue;
                        }
                        let centre = [0, 1, 2].map(|i| (b[i] + b[i + 3]) / 2.0);
                        let from = sub(origin, centre);
                        let (a, h, c) = (dot(direction, direction), dot(from, direction), dot(from, from) - 0.25);
                        let root = (h * h - a * c) / (a * a);
                        let sphere = -h / a - root.max(0.0).sqrt();
                        if root.abs() < MARGIN || ends.iter().any(|end| (sphere - end).abs() < MARGIN) {
                            return None;
                        }
                        let sphere = Some(sphere).filter(|s| root > 0.0 && *s > ends[0] && *s < ends[1]);
                        add(g, p, enter.max(ends[0]), t.opaque, What::Box { sphere });
                    }
                }
            }
        }
    }
    // Nor may two hits be swapped.
    let mut distances: Vec<f64> = out.iter().flat_map(|h| [Some(h.t), h.commits_at()]).flatten().collect();
    distances.sort_by(f64::total_cmp);
    distances.dedup();
    let apart = distances.windows(2).all(|w| w[1] - w[0] > MARGIN);
    apart.then_some(out)
}

impl Hit {
    /// Returns the distance at which it would be committed.
    fn commits_at(&self) -> Option<f64> {
        match self.what {
            What::Triangle { .. } => Some(self.t),
            What::Box { sphere } => sphere,
        }
    }

    fn is_triangle(&self) -> bool {
        matches!(self.what, What::Triangle { .. })
    }

    fn is_opaque(&self, case: &Case) -> bool {
        match case.flags & (OPAQUE | NON_OPAQUE) {
            0 => self.opaque,
            forced => forced == OPAQUE,
        }
    }

    /// Returns whether masks and flags make it visible to the ray.
    fn is_visible(&self, scene: &SceneDesc, case: &Case) -> bool {
        let instance = &scene.instances[self.instance];
        let has = |flag: u32| case.flags & flag != 0;
        let opaque = self.is_opaque(case);
        let culled = match self.what {
            What::Triangle { front, .. } => {
                has(SKIP_TRIANGLES) || !instance.cull_disable && has(if front { CULL_FRONT } else { CULL_BACK })
            }
            What::Box { .. } => has(SKIP_BOXES),
        };
        let unseen = culled || has(if opaque { CULL_OPAQUE } else { CULL_NON_OPAQUE });
        // Only eight bits of the ray's mask count.
        !unseen && case.mask & 0xff & u32::from(instance.mask) != 0
    }

    /// Returns whether the shader receives it as a candidate, which never happens for opaque triangles.
    fn is_candidate(&self, case: &Case) -> bool {
        !self.is_triangle() || !self.is_opaque(case)
    }

    fn place(&self) -> usize {
        self.instance * 4 + self.geometry * 2 + self.primitive
    }

    /// Returns the expected words of a hit after its first word, as a candidate or as the committed hit.
    fn words(&self, scene: &SceneDesc, case: &Case, committed: bool) -> Vec<Word> {
        let instance = &scene.instances[self.instance];
        let kind = if self.is_triangle() { 0 } else { 1 } + u32::from(committed);
        let numbers =
            [kind, self.instance as u32, instance.id, instance.hit_group, self.geometry as u32, self.primitive as u32];
        let mut out: Vec<Word> = numbers.map(Word::Exact).to_vec();
        let mut near = |values: &[f64]| out.extend(values.iter().map(|v| Word::Near(*v)));
        near(&self.origin);
        near(&self.direction);
        let transposed = |m: &[f64; 12]| (0..12).map(|i| m[i % 3 * 4 + i / 3]).collect::<Vec<f64>>();
        for m in [instance.transform.map(f64::from), inverse(&instance.transform)] {
            near(&m);
            near(&transposed(&m));
        }
        match (&self.what, committed) {
            (What::Triangle { front, barycentrics }, _) => {
                near(&[self.t]);
                out.push(Word::Exact(u32::from(*front)));
                out.extend(barycentrics.map(Word::Near));
            }
            (What::Box { sphere }, true) => near(&[sphere.unwrap_or(f64::NAN)]),
            (What::Box { .. }, false) => out.push(Word::Exact(u32::from(!self.is_opaque(case)))),
        }
        out
    }
}

#[derive(Clone, Copy, Debug)]
enum Word {
    Exact(u32),
    Near(f64),
}

impl Word {
    fn fits(self, word: u32) -> bool {
        match self {
            Word::Exact(wanted) => word == wanted,
            Word::Near(wanted) => (f64::from(f32::from_bits(word)) - wanted).abs() <= 2e-4 * (1.0 + wanted.abs()),
        }
    }
}

/// Describes the first wrong word.
fn difference(wanted: &[Word], got: &[u32]) -> Option<String> {
    let at = wanted.iter().zip(got).position(|(w, g)| !w.fits(*g))?;
    Some(format!("word {at} is {:#x} ({}), not {:?}", got[at], f32::from_bits(got[at]), wanted[at]))
}

// ---- comparison

/// Returns the errors in the words of a case.
fn judge(scene: &SceneDesc, case: &Case, got: &[u32]) -> Vec<String> {
    let mut wrong = Vec::new();
    let (ray, got) = got.split_at(RAY_WORDS);
    let floats = [case.least].into_iter().chain(case.origin).chain(case.direction);
    let wanted: Vec<Word> =
        [Word::Exact(case.flags)].into_iter().chain(floats.map(|f| Word::Exact(f.to_bits()))).collect();
    wrong.extend(difference(&wanted, ray).map(|d| format!("of the ray, {d}")));
    let seen: Vec<Hit> = hits(scene, case).unwrap_or_default();
    let seen: Vec<Hit> = seen.into_iter().filter(|h| h.is_visible(scene, case)).collect();
    let slots: Vec<&[u32]> = got.chunks(HIT_WORDS).collect();
    let reported: Vec<usize> = (0..PLACES).filter(|place| slots[1 + place][0] != 0).collect();

    // The hits that can be committed, and the nearest of them.
    let commits = |h: &&Hit| h.commits_at().is_some() && (!h.is_candidate(case) || case.accept);
    let possible: Vec<&Hit> = seen.iter().filter(commits).collect();
    let nearest = possible.iter().min_by(|a, b| a.commits_at().unwrap().total_cmp(&b.commits_at().unwrap()));
    let status = slots[0][0];
    let stops_early = case.flags & FIRST != 0 || case.abort && !reported.is_empty();
    let hit = if stops_early && status != 0 {
        // Several hits may be first; any is allowed.
        let same = |h: &&&Hit| {
            let [_, _, instance, _, _, geometry, primitive] = slots[0][..7] else { return false };
            [h.instance, h.geometry, h.primitive] == [instance, geometry, primitive].map(|w| w as usize)
        };
        possible.iter().find(same)
    } else {
        nearest
    };
    match hit {
        Some(hit) if status != 0 => {
            let words = hit.words(scene, case, true);
            wrong.extend(difference(&words, &slots[0][1..]).map(|d| format!("of the committed hit, {d}")));
        }
        Some(_) if case.abort && stops_early => {}
        Some(hit) => wrong.push(format!("nothing is committed, not {hit:?}")),
        None if status == 0 => {}
        None => wrong.push(format!("committed {:?}", &slots[0][..7])),
    }

    let end = hit.and_then(|h| h.commits_at()).unwrap_or(f64::INFINITY);
    for place in 0..PLACES {
        let slot = slots[1 + place];
        match (seen.iter().find(|h| h.place() == place && h.is_candidate(case)), slot[0]) {
            (None, 0) => {}
            // A device may enlarge a box.
            (None, 1) if missed_box(scene, case, place).is_some_and(|b| b.is_visible(scene, case)) => {}
            (None, _) => wrong.push(format!("reported the candidate {:?}", &slot[..7])),
            (Some(hit), 0) if !stops_early && hit.t < end => wrong.push(format!("did not report {hit:?}")),
            (Some(_), 0) => {}
            (Some(hit), 1) => {
                let words = hit.words(scene, case, false);
                wrong.extend(difference(&words, &slot[1..]).map(|d| format!("of candidate {place}, {d}")));
            }
            (Some(hit), times) => wrong.push(format!("reported {hit:?} {times} times")),
        }
    }
    let candidates = seen.iter().any(|h| h.is_candidate(case) && nearest.is_none());
    if case.abort && (candidates && reported.len() != 1 || reported.len() > 1) {
        wrong.push(format!("reported {} candidates before it was told to stop", reported.len()));
    }
    wrong
}

/// Returns the box with a number that the ray misses.
fn missed_box(scene: &SceneDesc, case: &Case, place: usize) -> Option<Hit> {
    let (instance, geometry, primitive) = (place / 4, place / 2 % 2, place % 2);
    let of = &scene.instances[instance];
    let Object::Boxes(list) = &scene.objects[of.object as usize] else { return None };
    list.get(geometry)?.boxes.get(primitive)?;
    let opaque = of.force_opaque.unwrap_or(list[geometry].opaque);
    let (origin, direction) = (case.origin.map(f64::from), case.direction.map(f64::from));
    Some(Hit {
        instance,
        geometry,
        primitive,
        t: f64::NAN,
        opaque,
        what: What::Box { sphere: None },
        origin,
        direction,
    })
}

fn run(device: &mut dyn Device, words: &[u32], scene: &SceneDesc, cases: &[Case]) -> Vec<u8> {
    let structure = device.create_acceleration_structure(scene).expect("a scene");
    let data: Vec<u8> = cases.iter().flat_map(Case::bytes).collect();
    assert_eq!(data.len(), cases.len() * CASE_BYTES);
    let from = device.create_buffer(data.len() as u64).expect("a buffer");
    device.write_buffer(from, 0, &data).expect("the cases");
    let mut out = vec![0; cases.len() * 4 * (RAY_WORDS + (1 + PLACES) * HIT_WORDS)];
    let to = device.create_buffer(out.len() as u64).expect("a buffer");
    let binding = |binding, resources| ResourceBinding { set: 0, binding, resources };
    let bindings = [
        binding(0, Resources::AccelerationStructures(vec![structure])),
        binding(1, Resources::StorageBuffers(vec![from])),
        binding(2, Resources::StorageBuffers(vec![to])),
    ];
    let bindings = device.create_bindings(&bindings).expect("bindings");
    let pipeline = device.create_pipeline(words, "main", Some(bindings), 0, None).expect("a pipeline");
    let (push, label, groups) = (Vec::new(), String::new(), [cases.len().div_ceil(64) as u32, 1, 1]);
    device
        .submit(&[Command::Dispatch { pipeline, bindings: Some(bindings), push, groups, label }])
        .expect("a dispatch");
    device.read_buffer(to, 0, &mut out).expect("the results");
    out
}

#[test]
fn ray_queries_match_an_exhaustive_search() {
    let scene = scene();
    scene.check().expect("the scene can be built");
    let cases = cases(&scene);
    // The cases cover everything that they should distinguish.
    let all: Vec<Hit> = cases.iter().step_by(3 * FLAGS.len()).filter_map(|c| hits(&scene, c)).flatten().collect();
    for instance in 0..scene.instances.len() {
        assert!(all.iter().any(|h| h.instance == instance), "no ray meets instance {instance}");
    }
    let words = compile(SHADER);
    let _one = DEVICES.lock().unwrap_or_else(PoisonError::into_inner);
    let mut failures = String::new();
    let mut compare = |place: &str, device: &mut dyn Device| {
        let out = run(device, &words, &scene, &cases);
        let out: Vec<u32> = out.chunks_exact(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect();
        for (n, (case, got)) in cases.iter().zip(out.chunks(RAY_WORDS + (1 + PLACES) * HIT_WORDS)).enumerate() {
            let (flags, mask, accept, abort) = (case.flags, case.mask, case.accept, case.abort);
            for wrong in judge(&scene, case, got) {
                let _ = writeln!(
                    failures,
                    "{place}, case {n}, flags {flags:#x}, mask {mask:#x}, accept {accept}, abort {abort}: {wrong}"
                );
            }
        }
    };
    compare("the CPU device", &mut CpuDevice::new(CpuSettings::default()));
    if let Some(mut device) = testing::device() {
        compare("Vulkan", &mut device);
    }
    let shown: Vec<&str> = failures.lines().take(12).collect();
    assert!(failures.is_empty(), "{} wrong\n{}", failures.lines().count(), shown.join("\n"));
}
