//! The scenes that rays are traced in, as hosts describe them: objects of triangles or boxes, and instances of them.

/// A two-level acceleration structure.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SceneDesc {
    pub objects: Vec<Object>,
    pub instances: Vec<Instance>,
}

/// Geometries of one kind. An instance places all of them.
#[derive(Clone, Debug, PartialEq)]
pub enum Object {
    Triangles(Vec<Triangles>),
    Boxes(Vec<Boxes>),
}

#[derive(Clone, Debug, PartialEq)]
pub struct Triangles {
    pub vertices: Vec<[f32; 3]>,
    /// Corners of each triangle, by index of the vertex.
    pub indices: Vec<[u32; 3]>,
    /// Hits are committed without a decision by a shader.
    pub opaque: bool,
}

/// Axis-aligned boxes around procedural primitives: least corner, greatest corner.
#[derive(Clone, Debug, PartialEq)]
pub struct Boxes {
    pub boxes: Vec<[f32; 6]>,
    pub opaque: bool,
}

/// An object in the world.
#[derive(Clone, Debug, PartialEq)]
pub struct Instance {
    /// Index of the object.
    pub object: u32,
    /// Three rows of four: object space to world space.
    pub transform: [f32; 12],
    /// The instance ID that shaders see, of 24 bits.
    pub id: u32,
    /// Rays miss the instance if their mask shares no bit with this one.
    pub mask: u8,
    /// Contribution to the index of the hit group: 24 bits.
    pub hit_group: u32,
    /// Rays hit triangles from both sides, regardless of their flags.
    pub cull_disable: bool,
    /// Front and back are exchanged.
    pub flip_facing: bool,
    /// Overrides the opacity of all geometries, if set.
    pub force_opaque: Option<bool>,
}

impl Default for Instance {
    fn default() -> Self {
        Instance {
            object: 0,
            transform: [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0],
            id: 0,
            mask: 0xff,
            hit_group: 0,
            cull_disable: false,
            flip_facing: false,
            force_opaque: None,
        }
    }
}

impl SceneDesc {
    /// # Errors
    /// Checks for scenes that no device builds, and describes the error.
    pub fn check(&self) -> Result<(), String> {
        for (n, object) in self.objects.iter().enumerate() {
            let empty = match object {
                Object::Triangles(list) => {
                    for t in list {
                        if let Some(index) = t.indices.iter().flatten().find(|i| **i as usize >= t.vertices.len()) {
                            return Err(format!("object {n} has no vertex {index}"));
                        }
                    }
                    list.iter().all(|t| t.indices.is_empty())
                }
                Object::Boxes(list) => {
                    let inverted = |b: &[f32; 6]| (0..3).any(|axis| b[axis] > b[axis + 3]);
                    if list.iter().flat_map(|b| &b.boxes).any(inverted) {
                        return Err(format!("object {n} has a box whose minimum corner is above its maximum"));
                    }
                    list.iter().all(|b| b.boxes.is_empty())
                }
            };
            if empty {
                return Err(format!("object {n} has no primitives"));
            }
        }
        for (n, instance) in self.instances.iter().enumerate() {
            if instance.object as usize >= self.objects.len() {
                return Err(format!("instance {n} uses object {}, which does not exist", instance.object));
            }
            if instance.id >= 1 << 24 || instance.hit_group >= 1 << 24 {
                return Err(format!("instance {n} has a number of more than 24 bits"));
            }
            if determinant(&instance.transform) == 0.0 {
                return Err(format!("the transform of instance {n} has no inverse"));
            }
        }
        Ok(())
    }
}

fn determinant(t: &[f32; 12]) -> f64 {
    let [a, b, c, _, d, e, f, _, g, h, i, _] = t.map(f64::from);
    a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)
}

/// Returns the transform from world space to object space: the inverse of a transform that [`SceneDesc::check`] has
/// accepted.
pub(crate) fn inverse(t: &[f32; 12]) -> [f64; 12] {
    let [a, b, c, x, d, e, f, y, g, h, i, z] = t.map(f64::from);
    let scale = 1.0 / determinant(t);
    let rows = [
        [e * i - f * h, c * h - b * i, b * f - c * e],
        [f * g - d * i, a * i - c * g, c * d - a * f],
        [d * h - e * g, b * g - a * h, a * e - b * d],
    ];
    let mut out = [0.0; 12];
    for (n, row) in rows.iter().enumerate() {
        let row = row.map(|x| x * scale);
        out[4 * n..4 * n + 3].copy_from_slice(&row);
        out[4 * n + 3] = -(row[0] * x + row[1] * y + row[2] * z);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_inverse_undoes_its_transform() {
        let t = [2.0, 1.0, 0.0, 5.0, 0.0, 3.0, 0.0, -1.0, 1.0, 0.0, -4.0, 2.0];
        let inv = inverse(&t);
        let apply = |m: &[f64; 12], p: [f64; 3]| {
            [0, 1, 2].map(|r| m[4 * r] * p[0] + m[4 * r + 1] * p[1] + m[4 * r + 2] * p[2] + m[4 * r + 3])
        };
        let there = apply(&t.map(f64::from), [1.0, 2.0, 3.0]);
        // Worked out on paper: 2 + 2 + 5, 6 - 1, 1 - 12 + 2.
        assert_eq!(there, [9.0, 5.0, -9.0]);
        let back = apply(&inv, there);
        assert!((0..3).all(|i| (back[i] - [1.0, 2.0, 3.0][i]).abs() < 1e-12), "{back:?}");
    }

    #[test]
    fn invalid_ray_tracing_scenes_are_rejected() {
        let triangle = |index| {
            let t = Triangles { vertices: vec![[0.0; 3]; 3], indices: vec![[0, 1, index]], opaque: true };
            SceneDesc { objects: vec![Object::Triangles(vec![t])], instances: vec![Instance::default()] }
        };
        assert_eq!(triangle(2).check(), Ok(()));
        assert_eq!(triangle(3).check().unwrap_err(), "object 0 has no vertex 3");
        let mut scene = triangle(2);
        scene.instances[0].object = 1;
        assert_eq!(scene.check().unwrap_err(), "instance 0 uses object 1, which does not exist");
        let mut scene = triangle(2);
        scene.instances[0].transform[0] = 0.0;
        assert_eq!(scene.check().unwrap_err(), "the transform of instance 0 has no inverse");
    }
}
