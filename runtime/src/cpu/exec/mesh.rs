//! The mesh of a mesh shader's workgroup: its state while the workgroup runs, and its output at the end.

use super::ops::Active;
use super::{Result, Run, World};
use crate::cpu::findings::{At, FindingCode};
use crate::cpu::memory::{RegionKind, offset_of, read_number};
use crate::cpu::program::{Program, Row};
use crate::mesh::{Mesh, MeshArray, MeshPlace, MeshShape};
use spirv::BuiltIn;

/// The numbers of elements that a running workgroup emits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Vertices and primitives, and the instruction that set them.
    set: Option<([u32; 2], u32)>,
}

impl Counts {
    fn of(&self, array: MeshArray) -> Option<u32> {
        let ([vertices, primitives], _) = self.set?;
        Some(if array == MeshArray::Vertices { vertices } else { primitives })
    }
}

impl Run<'_, '_> {
    pub(super) fn set_mesh_outputs(
        &mut self,
        active: &Active,
        word: u32,
        vertices: Row,
        primitives: Row,
    ) -> Result<()> {
        let program = self.program;
        let shape = &program.mesh.as_ref().ok_or("only a mesh shader can set the size of a mesh")?.shape;
        let same = [("number of vertices", vertices), ("number of primitives", primitives)];
        let Some(first) = self.together(active, word, "the size of the mesh is set", &same)? else { return Ok(()) };
        if self.world.mesh.is_some_and(|counts| counts.set.is_some()) {
            return self
                .report(FindingCode::MeshCountsTwice, word, active.mask.lowest(), || "by the same workgroup".into());
        }
        let mut set = [0; 2];
        let asked = [(vertices, shape.max_vertices, "vertices"), (primitives, shape.max_primitives, "primitives")];
        for (slot, (row, most, name)) in set.iter_mut().zip(asked) {
            let count = self.rows.get(row, first) as u32;
            if count > most {
                self.report(FindingCode::MeshTooLarge, word, Some(first), || {
                    format!("{count} {name}, at most {most}")
                })?;
            }
            *slot = count.min(most);
        }
        self.world.mesh = Some(Counts { set: Some((set, word)) });
        Ok(())
    }

    /// Checks a write to the mesh for errors other than its range.
    pub(super) fn before_mesh_store(&mut self, word: u32, lane: usize, address: u64) -> Result<()> {
        let program = self.program;
        let (Some(mesh), Some(counts)) = (&program.mesh, self.world.mesh) else { return Ok(()) };
        if self.world.memory.kind(address) != RegionKind::Mesh {
            return Ok(());
        }
        let Some((value, element)) = mesh.shape.at(offset_of(address)) else { return Ok(()) };
        let what = || format!("`{}` of {} {element}", value.name, value.array.element());
        match counts.of(value.array) {
            None => self.report(FindingCode::MeshBeforeCounts, word, Some(lane), what),
            Some(count) if element >= count => self.report(FindingCode::MeshElement, word, Some(lane), || {
                format!("{}, but there are only {count}", what())
            }),
            Some(_) => Ok(()),
        }
    }
}

/// Returns the mesh in the memory of a workgroup that has ended.
pub fn put_out(program: &Program, region: u32, world: &mut World<'_>) -> Result<Mesh> {
    let (Some(memory), Some(counts)) = (&program.mesh, world.mesh) else { return Ok(Mesh::default()) };
    let ([vertices, primitives], word) = counts.set.unwrap_or_default();
    let (group, record) = (world.place.group, world.place.records.map(|records| records.0));
    let mut mesh = Mesh { group, record, vertices, primitives, values: Vec::new() };
    for value in &memory.shape.values {
        let bytes = world.memory.bytes(region);
        let elements = (0..mesh.count(value.array).min(value.length)).map(|n| value.offset + n * value.stride);
        let mut all = Vec::with_capacity(elements.len() * value.size());
        for start in elements {
            let start = start as usize;
            all.extend_from_slice(bytes.get(start..start + value.size()).unwrap_or(&[]));
        }
        mesh.values.push(all);
    }
    if !world.findings.is_off() {
        let at = At { word, lines: &program.lines };
        undefined(&memory.shape, region, &mesh, at, world)?;
        indices(&memory.shape, &mesh, at, world)?;
    }
    Ok(mesh)
}

fn report(world: &mut World<'_>, code: FindingCode, at: At<'_>, what: impl FnOnce() -> String) -> Result<()> {
    let place = world.place;
    world.findings.report(code, world.node, at, what, || place.describe(None))
}

/// Returns whether a primitive is culled, by its value of CullPrimitiveEXT.
fn culled(shape: &MeshShape, mesh: &Mesh, primitive: u32) -> bool {
    let says = |place| place == MeshPlace::BuiltIn(BuiltIn::CullPrimitiveEXT);
    let says = shape.values.iter().position(|value| says(value.place));
    let bytes = says.and_then(|at| mesh.values.get(at));
    bytes.is_some_and(|bytes| read_number(bytes.get(primitive as usize * 4..).unwrap_or(&[]), 4) != 0)
}

/// Reports emitted values that were not written. A pixel shader may not need all of its values, so a value for it is
/// reported only if nothing of it was written.
fn undefined(shape: &MeshShape, region: u32, mesh: &Mesh, at: At<'_>, world: &mut World<'_>) -> Result<()> {
    let marks = world.memory.undefined(region).to_vec();
    if marks.is_empty() {
        return Ok(());
    }
    for value in &shape.values {
        for element in 0..mesh.count(value.array).min(value.length) {
            let start = (value.offset + element * value.stride) as usize;
            let marks = marks.get(start..start + value.size()).unwrap_or(&[]);
            let is_missing = match value.place {
                MeshPlace::BuiltIn(_) => marks.iter().any(|&mark| mark != 0),
                MeshPlace::Location(..) => !marks.is_empty() && marks.iter().all(|&mark| mark == 0xff),
            };
            let is_culled = value.array == MeshArray::Primitives
                && value.place != MeshPlace::BuiltIn(BuiltIn::CullPrimitiveEXT)
                && culled(shape, mesh, element);
            if is_missing && !is_culled {
                report(world, FindingCode::Uninitialised, at, || {
                    format!(
                        "`{}` of {} {element} is output, but no write precedes it",
                        value.name,
                        value.array.element()
                    )
                })?;
            }
        }
    }
    Ok(())
}

/// Primitives are of vertices that there are.
fn indices(shape: &MeshShape, mesh: &Mesh, at: At<'_>, world: &mut World<'_>) -> Result<()> {
    let all = shape.values.iter().zip(&mesh.values).filter(|(value, _)| value.array == MeshArray::Indices);
    for (value, bytes) in all {
        for (number, index) in bytes.chunks_exact(4).enumerate() {
            let index = read_number(index, 4);
            if index >= u64::from(mesh.vertices) {
                let primitive = number / (value.size() / 4).max(1);
                let vertices = mesh.vertices;
                report(world, FindingCode::MeshIndex, at, || {
                    format!("primitive {primitive} has vertex {index}, but there are only {vertices}")
                })?;
            }
        }
    }
    Ok(())
}
