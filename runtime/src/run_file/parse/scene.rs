//! Acceleration structures: objects and instances of them.

use super::super::error::{Checked, Fault};
use super::values::{Object as Members, list, unsigned, word};
use crate::numbers::Scalar;
use crate::scene::{Boxes, Instance, Object, SceneDesc, Triangles};
use wgc_json::{Value, ValueKind};

/// The parts of an instance that flags change.
#[derive(Clone, Copy, PartialEq)]
enum Flag {
    CullDisable,
    FlipFacing,
    ForceOpaque(bool),
}

const FLAGS: &[(&str, Flag)] = &[
    ("cull_disable", Flag::CullDisable),
    ("flip_facing", Flag::FlipFacing),
    ("force_opaque", Flag::ForceOpaque(true)),
    ("force_non_opaque", Flag::ForceOpaque(false)),
];

/// Reads `{ "objects": [[geometry, ..], ..], "instances": [..] }`
pub(super) fn scene(value: &Value) -> Checked<SceneDesc> {
    let members = Members::new(value, "an acceleration structure", &["objects", "instances"])?;
    let (Some(objects), Some(instances)) = (members.get("objects"), members.get("instances")) else {
        return Err(Fault::new(value.at, "an acceleration structure needs \"objects\" and \"instances\""));
    };
    let scene = SceneDesc {
        objects: list(objects)?.iter().map(object).collect::<Checked<_>>()?,
        instances: list(instances)?.iter().map(instance).collect::<Checked<_>>()?,
    };
    scene.check().map_err(|message| Fault::new(value.at, message))?;
    Ok(scene)
}

/// Geometries that are all of triangles, or all of boxes.
fn object(value: &Value) -> Checked<Object> {
    let (mut triangles, mut boxes) = (Vec::new(), Vec::new());
    for geometry in list(value)? {
        let members = Members::new(geometry, "a geometry", &["vertices", "indices", "boxes", "opaque"])?;
        let opaque = members.get("opaque").map_or(Ok(true), boolean)?;
        match (members.get("vertices"), members.get("indices"), members.get("boxes")) {
            (Some(vertices), indices, None) => {
                let vertices: Vec<[f32; 3]> = floats(vertices, "a vertex needs three numbers")?;
                let indices = match indices {
                    Some(indices) => triples(indices)?,
                    None => (0..vertices.len() as u32 / 3).map(|n| [3 * n, 3 * n + 1, 3 * n + 2]).collect(),
                };
                triangles.push(Triangles { vertices, indices, opaque });
            }
            (None, None, Some(content)) => {
                let what = "a box needs six numbers: its minimum and its maximum corner";
                boxes.push(Boxes { boxes: floats(content, what)?, opaque });
            }
            _ => {
                let message = "a geometry needs \"vertices\", optionally with \"indices\", or \"boxes\"";
                return Err(Fault::new(geometry.at, message));
            }
        }
    }
    match (triangles.is_empty(), boxes.is_empty()) {
        (false, true) => Ok(Object::Triangles(triangles)),
        (true, false) => Ok(Object::Boxes(boxes)),
        _ => Err(Fault::new(value.at, "an object needs geometries, either all of triangles or all of boxes")),
    }
}

fn instance(value: &Value) -> Checked<Instance> {
    let keys = ["object", "transform", "id", "mask", "hit_group", "flags"];
    let members = Members::new(value, "an instance", &keys)?;
    let mut out = Instance::default();
    match members.get("object") {
        Some(object) => out.object = unsigned(object)?,
        None => return Err(Fault::new(value.at, "an instance needs the index of an \"object\"")),
    }
    if let Some(transform) = members.get("transform") {
        let what = "a transform needs 12 numbers: three rows of four";
        let rows: Vec<[f32; 12]> = floats(transform, what)?;
        let [rows] = rows.as_slice() else { return Err(Fault::new(transform.at, what)) };
        out.transform = *rows;
    }
    let number = |key: &str| members.get(key).map_or(Ok(0), unsigned::<u32>);
    (out.id, out.hit_group) = (number("id")?, number("hit_group")?);
    if let Some(mask) = members.get("mask") {
        out.mask = unsigned(mask)?;
    }
    for flag in members.get("flags").map_or(Ok(&[][..]), list)? {
        match word(flag, FLAGS)? {
            Flag::CullDisable => out.cull_disable = true,
            Flag::FlipFacing => out.flip_facing = true,
            Flag::ForceOpaque(opaque) => out.force_opaque = Some(opaque),
        }
    }
    Ok(out)
}

fn boolean(value: &Value) -> Checked<bool> {
    match value.kind {
        ValueKind::Bool(b) => Ok(b),
        _ => Err(Fault::new(value.at, "expected true or false")),
    }
}

/// Reads a flat list of numbers, `N` for each element.
fn floats<const N: usize>(value: &Value, what: &str) -> Checked<Vec<[f32; N]>> {
    let items = list(value)?;
    if items.is_empty() || items.len() % N != 0 {
        return Err(Fault::new(value.at, what));
    }
    let mut out = Vec::with_capacity(items.len() / N);
    for chunk in items.chunks_exact(N) {
        let mut numbers = [0.0; N];
        for (number, item) in numbers.iter_mut().zip(chunk) {
            *number = f32::from_bits(Scalar::F32.read(item)?.bits as u32);
        }
        out.push(numbers);
    }
    Ok(out)
}

fn triples(value: &Value) -> Checked<Vec<[u32; 3]>> {
    let items = list(value)?;
    if items.len() % 3 != 0 {
        return Err(Fault::new(value.at, "a triangle needs three indices"));
    }
    items.chunks_exact(3).map(|c| Ok([unsigned(&c[0])?, unsigned(&c[1])?, unsigned(&c[2])?])).collect()
}
