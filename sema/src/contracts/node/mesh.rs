//! Mesh nodes: the topology, the output arrays, and the parameters that they cannot have (hlsl-specs 0019;
//! MeshShader.md).

use super::build::Builder;
use crate::db::def::SourcePlace;
use crate::db::diagnostic::Diagnostic;
use crate::db::ty::{Repr, TyKind};
use crate::tables::codes::Code;
use crate::tables::figures::grouped;
use crate::tables::similar_names::closest;
use crate::types::attribute_table::{Attr, AttributeUse};
use crate::types::mesh_outputs::{self, MAX_BYTES, MAX_ELEMENTS, MAX_ROWS, OutputSize, word};
use crate::types::mesh_values;
use crate::types::signature::{Direction, Param};
use wgc_ir::{Launch, Mesh, MeshArray, Topology};

/// The outputs of a mesh node, as declared.
#[derive(Clone, Debug, Default, PartialEq, Eq, salsa::SalsaValue)]
pub struct MeshDecl<'db> {
    /// The topology from `OutputTopology`; `None` when it is missing or wrong.
    pub topology: Option<Topology>,
    pub topology_place: Option<SourcePlace<'db>>,
    /// Each kind at most once, in the order of the parameters.
    pub arrays: Vec<ArrayDecl<'db>>,
}

#[derive(Clone, Debug, PartialEq, Eq, salsa::SalsaValue)]
pub struct ArrayDecl<'db> {
    pub array: MeshArray,
    /// The parameter's name.
    pub name: String,
    /// The number of elements; `None` when the parameter is not a valid array.
    pub len: Option<u32>,
    /// The size of one element; `None` for indices and for invalid elements.
    pub taken: Option<OutputSize>,
    /// The whole parameter.
    pub place: SourcePlace<'db>,
}

impl<'db> MeshDecl<'db> {
    pub fn array(&self, array: MeshArray) -> Option<&ArrayDecl<'db>> {
        self.arrays.iter().find(|decl| decl.array == array)
    }

    fn len(&self, array: MeshArray) -> u32 {
        self.array(array).and_then(|decl| decl.len).unwrap_or(1)
    }

    /// Returns the size of a group's outputs in bytes.
    pub fn bytes(&self) -> u64 {
        let of = |array: &ArrayDecl| array.taken.zip(array.len).map_or(0, |(taken, len)| taken.bytes(len));
        self.arrays.iter().map(of).sum()
    }

    pub fn ir(&self) -> Mesh {
        Mesh {
            topology: self.topology.unwrap_or(Topology::Triangle),
            max_vertices: self.len(MeshArray::Vertices),
            max_primitives: self.len(MeshArray::Indices),
        }
    }
}

pub const TOPOLOGIES: &[(&str, Topology)] = &[("line", Topology::Line), ("triangle", Topology::Triangle)];

impl<'db> Builder<'_, '_, 'db> {
    /// Reads `OutputTopology`.
    pub(super) fn topology(&mut self, w: &AttributeUse<'db>) {
        let text = w.text();
        let place = w.arg_places.first().copied().unwrap_or(w.place);
        if let Some((_, topology)) = TOPOLOGIES.iter().find(|(name, _)| *name == text) {
            self.mesh.topology = Some(*topology);
            self.mesh.topology_place = Some(w.place);
            return;
        }
        let mut wrong =
            Diagnostic::new(Code::MeshTopology, place, format!("a mesh node cannot output the topology `{text}`"))
                .note("topologies: line, triangle");
        let lower = text.to_ascii_lowercase();
        if let Some((meant, _)) = TOPOLOGIES.iter().find(|(name, _)| *name == lower) {
            wrong = wrong.label("write topologies in lower case").fix(
                place,
                format!("\"{meant}\""),
                "write it in lower case",
            );
        } else if let Some(meant) = closest(&lower, TOPOLOGIES.iter().map(|(name, _)| *name)) {
            wrong = wrong.meant(place, &format!("\"{meant}\""));
        }
        self.push(wrong);
    }

    /// Reads a parameter that is an output array or the payload of a mesh shader. Returns false when it is neither.
    pub(super) fn mesh_param(&mut self, param: &Param<'db>, written: &[AttributeUse<'db>]) -> bool {
        let is_payload = param.has("payload");
        let Some(array) = mesh_outputs::array_of(param) else {
            if is_payload {
                self.payload(param);
            }
            return is_payload;
        };
        if self.launch_unknown {
            return true;
        }
        for w in written {
            let message = format!("`{}` belongs on node inputs and outputs", w.row.name);
            let code = if w.row.attr == Attr::MaxRecords { Code::MaxRecordsPlace } else { Code::AttributePlace };
            self.push(Diagnostic::new(code, w.place, message));
        }
        let shown = word(array);
        if self.out.launch != Launch::Mesh {
            let message = format!("`{}`: only mesh nodes output `{shown}`", param.name);
            let wrong = self.with_launch(Diagnostic::new(Code::NodeParameter, param.place, message));
            self.push(wrong);
            return true;
        }
        let wrong = |message: String| Diagnostic::new(Code::MeshArrays, param.place, message);
        if let Some(other) = mesh_outputs::ARRAYS.into_iter().find(|other| *other != array && param.has(word(*other))) {
            self.push(wrong(format!("`{}` is both `{shown}` and `{}`", param.name, word(other))));
            return true;
        }
        if let Some(first) = self.mesh.array(array) {
            let (first, name) = (first.place, self.out.name.clone());
            self.push(wrong(format!("node `{name}` has two arrays of `{shown}`")).also(first, "the first one"));
            return true;
        }
        if param.direction != Direction::Out {
            let message = format!("`{}` is an output, so it needs the modifiers `out {shown}`", param.name);
            self.push(wrong(message));
        }
        let (len, taken) = self.array(array, param);
        self.mesh.arrays.push(super::mesh::ArrayDecl {
            array,
            name: param.name.clone(),
            len,
            taken,
            place: param.place,
        });
        true
    }

    /// Returns the number of elements of an array, and the size of each.
    fn array(&mut self, array: MeshArray, param: &Param<'db>) -> (Option<u32>, Option<OutputSize>) {
        let db = self.cx.db;
        let wrong = |message: String| Diagnostic::new(Code::MeshArrays, param.place, message);
        let (element, len) = match param.ty.kind(db) {
            TyKind::Error => return (None, None),
            TyKind::Array(element, Some(len)) => (*element, *len),
            _ => {
                let message =
                    format!("`{}` must be an array of constant length, not `{}`", word(array), param.ty.display(db));
                self.push(wrong(message).note("the length is the maximum output of a thread group, even if it is 1"));
                return (None, None);
            }
        };
        if len > MAX_ELEMENTS {
            let what = if array == MeshArray::Vertices { "vertices" } else { "primitives" };
            self.push(wrong(format!(
                "a thread group outputs at most {MAX_ELEMENTS} {what}, not {}",
                grouped(len.into())
            )));
        }
        if array != MeshArray::Indices {
            return (Some(len), mesh_outputs::check(self.cx, array, element, param));
        }
        let of = match element.kind(db) {
            TyKind::Vector(s, n) if s.repr() == Repr::U32 => Some(u32::from(*n)),
            _ => None,
        };
        let wanted = self.mesh.topology.map(Topology::vertices);
        if of.is_none_or(|of| wanted.map_or(!(2..=3).contains(&of), |wanted| of != wanted)) && !element.is_error(db) {
            let shown = element.display(db);
            let message = match self.mesh.topology {
                Some(topology) => {
                    format!("the indices of a {} must be `uint{}`, not `{shown}`", name(topology), topology.vertices())
                }
                None => format!("indices must be `uint2` for lines or `uint3` for triangles, not `{shown}`"),
            };
            let mut diagnostic = wrong(message);
            if let (Some(topology), Some(place)) = (self.mesh.topology, self.mesh.topology_place) {
                diagnostic = diagnostic.also(place, format!("the primitives are {}s", name(topology)));
            }
            self.push(diagnostic);
        }
        (Some(len), None)
    }

    fn payload(&mut self, param: &Param<'db>) {
        let message = format!("`{}`: a node has no payload", param.name);
        let ty = param.ty.display(self.cx.db);
        self.input_is_wrong = true;
        let mut wrong = Diagnostic::new(Code::NodeParameter, param.place, message);
        if self.out.launch == Launch::Mesh && !self.launch_unknown {
            wrong =
                wrong.note(format!("a mesh node has a record instead of a payload: `DispatchNodeInputRecord<{ty}>`"));
        }
        self.push(wrong);
    }

    /// Checks attributes and parameters against each other.
    pub(super) fn mesh(&mut self) {
        let name = self.out.name.clone();
        let at = self.out.name_place;
        if !self.mentions(Attr::OutputTopology) {
            let message = format!("mesh node `{name}` lacks `OutputTopology`");
            let missing = Diagnostic::new(Code::MeshTopology, at, message)
                .note("add `[OutputTopology(\"triangle\")]` or `[OutputTopology(\"line\")]`");
            let missing = self.with_launch(missing);
            self.push(missing);
        }
        for (array, help) in [
            (MeshArray::Vertices, "add a parameter such as `out vertices Vertex verts[64]`"),
            (MeshArray::Indices, "add a parameter such as `out indices uint3 triangles[124]`"),
        ] {
            // A rejected parameter may have been meant as this array.
            if self.mesh.array(array).is_none() && !self.input_is_wrong {
                let message = format!("mesh node `{name}` has no output of {}", word(array));
                let missing = self.with_launch(Diagnostic::new(Code::MeshArrays, at, message).note(help));
                self.push(missing);
            }
        }
        let mesh = self.mesh.clone();
        if let (Some(indices), Some(primitives)) = (mesh.array(MeshArray::Indices), mesh.array(MeshArray::Primitives))
            && let (Some(n), Some(m)) = (indices.len, primitives.len)
            && n != m
        {
            let message = format!("the mesh has {m} primitives but indices of {n}");
            let wrong = Diagnostic::new(Code::MeshArrays, primitives.place, message)
                .also(indices.place, format!("{n} primitives"))
                .note("give both arrays one element for each primitive");
            self.push(wrong);
        }
        self.mesh_size();
        self.mesh_values();
        self.out.mesh = Some(mesh);
    }

    /// Assigns locations to the values, if each array is valid.
    fn mesh_values(&mut self) {
        let is_right = |decl: &ArrayDecl| decl.array == MeshArray::Indices || decl.taken.is_some();
        if !self.mesh.arrays.iter().all(is_right) {
            return;
        }
        let params = self.params;
        let arrays: Vec<_> = (params.iter())
            .filter_map(|param| {
                let TyKind::Array(element, _) = param.ty.kind(self.cx.db) else { return None };
                Some(mesh_values::Array::of(param, mesh_outputs::array_of(param)?, *element))
            })
            .collect();
        for wrong in mesh_values::values(self.cx.db, &arrays).1 {
            if !self.cx.errors.contains(&wrong) {
                self.cx.errors.push(wrong);
            }
        }
    }

    /// Checks the total size of a group's values.
    fn mesh_size(&mut self) {
        let name = self.out.name.clone();
        let parts: Vec<(MeshArray, OutputSize, u32, SourcePlace<'db>)> = self
            .mesh
            .arrays
            .iter()
            .filter_map(|decl| Some((decl.array, decl.taken?, decl.len?.min(MAX_ELEMENTS), decl.place)))
            .collect();
        let labelled = |mut diagnostic: Diagnostic<'db>, text: &dyn Fn(OutputSize, u32) -> String| {
            for (_, taken, len, place) in &parts {
                diagnostic = diagnostic.also(*place, text(*taken, *len));
            }
            diagnostic
        };
        let rows: u64 = parts.iter().map(|(_, taken, ..)| taken.rows).sum();
        if rows > MAX_ROWS {
            let message = format!(
                "one vertex and one primitive of node `{name}` together use {rows} rows; the limit is {MAX_ROWS}"
            );
            let wrong = Diagnostic::new(Code::MeshOutputSize, self.out.name_place, message)
                .note("a row has four components; vertices and primitives do not share rows");
            self.push(labelled(wrong, &|taken, _| format!("rows: {} (components: {})", taken.rows, taken.scalars)));
            return;
        }
        let bytes: u64 = parts.iter().map(|(_, taken, len, _)| taken.bytes(*len)).sum();
        if bytes > MAX_BYTES {
            let (shown, most) = (grouped(bytes), grouped(MAX_BYTES));
            let message = format!("a thread group of mesh node `{name}` outputs {shown} B; the limit is {most} B");
            let sum: Vec<String> =
                parts.iter().map(|(array, taken, len, _)| format!("{}: {}", word(*array), sum(*taken, *len))).collect();
            let wrong = Diagnostic::new(Code::MeshOutputSize, self.out.name_place, message)
                .note(format!("{} = {shown} of {most} B", sum.join(" + ")))
                .note("components x 4 B x elements, rounded up to a multiple of 32 elements");
            self.push(labelled(wrong, &|taken, len| format!("{} B", grouped(taken.bytes(len)))));
        }
    }
}

fn name(topology: Topology) -> &'static str {
    TOPOLOGIES.iter().find(|(_, t)| *t == topology).map_or("", |(name, _)| name)
}

/// Formats `9 x 4 B x 64`.
fn sum(taken: OutputSize, len: u32) -> String {
    let counted = taken.bytes(len) / (taken.scalars * 4).max(1);
    format!("{} x 4 B x {counted}", taken.scalars)
}
