//! `expect_meshes`: the expected output of mesh nodes. The values are read once the mesh layout is known.

use super::super::error::{Checked, Fault};
use super::super::model::{ExpectedMesh, ExpectedMeshes, MESH_ARRAYS, Named};
use super::values::{Object, list, named, unsigned};
use wgc_json::Value;

pub(super) fn expected(value: &Value) -> Checked<Vec<Named<ExpectedMeshes>>> {
    let node = |member: Named<&Value>| Ok(Named { value: meshes(member.value)?, name: member.name, at: member.at });
    named(value)?.into_iter().map(node).collect()
}

fn meshes(value: &Value) -> Checked<ExpectedMeshes> {
    let keys = ["groups", "vertices", "primitives", "meshes"];
    let object = Object::new(value, "an expectation of a mesh node", &keys)?;
    if object.members().is_empty() {
        return Err(Fault::new(value.at, format!("an expectation of a mesh node needs one of: {}", keys.join(", "))));
    }
    let number = |key| object.get(key).map(unsigned).transpose();
    let meshes = object.get("meshes").map(|meshes| list(meshes)?.iter().map(mesh).collect::<Checked<Vec<_>>>());
    let meshes = meshes.transpose()?;
    if let Some([first, others @ ..]) = meshes.as_deref() {
        let same = |mesh: &&ExpectedMesh| mesh.arrays.iter().map(|a| a.0).eq(first.arrays.iter().map(|a| a.0));
        if let Some(other) = others.iter().find(|mesh| !same(mesh)) {
            return Err(Fault::new(other.at, "all meshes of a list must have the same members"));
        }
    }
    Ok(ExpectedMeshes {
        groups: number("groups")?,
        vertices: number("vertices")?,
        primitives: number("primitives")?,
        meshes,
    })
}

fn mesh(value: &Value) -> Checked<ExpectedMesh> {
    let object = Object::new(value, "a mesh", &MESH_ARRAYS.map(|array| array.name()))?;
    let mut arrays = Vec::new();
    for array in MESH_ARRAYS {
        if let Some(elements) = object.get(array.name()) {
            arrays.push((array, list(elements)?.to_vec()));
        }
    }
    Ok(ExpectedMesh { at: value.at, arrays })
}
