//! Mesh shaders, as nodes or not: entry points of the model MeshEXT, and their output arrays for the rasteriser.
//!
//! `passes::mesh` has already created one array for each value. Here each array becomes a variable that is decorated
//! with the value's destination. The IR already has the locations.

use crate::EmitError;
use crate::emitter::Emitter;
use crate::function::FunctionEmitter;
use crate::globals::EmittedGlobal;
use rspirv::spirv::{BuiltIn, Capability, Decoration, ExecutionMode, Op, Word};
use wgc_ir::{Mesh, MeshArray, MeshSlot, MeshValue, Op as IrOp, Scalar, Space, Symbol, Topology, Type, ValueId};

/// Emits the modes that only mesh shaders have.
pub(crate) fn modes(e: &mut Emitter<'_>, function: Word, mesh: Mesh) {
    e.b.capability(Capability::MeshShadingEXT);
    e.b.extension("SPV_EXT_mesh_shader");
    let topology = match mesh.topology {
        Topology::Line => ExecutionMode::OutputLinesEXT,
        Topology::Triangle => ExecutionMode::OutputTrianglesEXT,
    };
    e.b.execution_mode(function, topology, &[]);
    e.b.execution_mode(function, ExecutionMode::OutputVertices, &[mesh.max_vertices]);
    e.b.execution_mode(function, ExecutionMode::OutputPrimitivesEXT, &[mesh.max_primitives]);
}

/// Returns all output variables of a mesh shader, since pixel shaders read them even if they are unwritten.
pub(crate) fn outputs(e: &mut Emitter<'_>, function: &Symbol) -> Result<Vec<Word>, EmitError> {
    let module = e.module;
    let Some(function) = module.functions.get(function) else { return Ok(Vec::new()) };
    let mut variables = Vec::new();
    for value in function.values.values() {
        // Values without a statement may still name globals that were split.
        if let (IrOp::Global(name), Type::Ref(Space::MeshOutput, _)) = (&value.op, &value.ty)
            && module.globals.contains_key(name)
        {
            variables.push(e.global(name)?.variable());
        }
    }
    Ok(variables)
}

impl Emitter<'_> {
    /// Adds the variable of an array of the mesh.
    pub fn mesh_output(
        &mut self,
        ty: &Type,
        array: MeshArray,
        values: &[MeshValue],
    ) -> Result<EmittedGlobal, EmitError> {
        let emitted = self.plain_variable(Space::MeshOutput, ty, None)?;
        let variable = emitted.variable();
        let element = match ty {
            Type::Array { element, .. } => &**element,
            other => other,
        };
        let value = match (array, values) {
            (MeshArray::Indices, _) => {
                let builtin = match element.components() {
                    Some(2) => BuiltIn::PrimitiveLineIndicesEXT,
                    Some(3) => BuiltIn::PrimitiveTriangleIndicesEXT,
                    _ => return Err(EmitError::new("the indices of a primitive are two or three")),
                };
                self.b.decorate_builtin(variable, builtin);
                return Ok(emitted);
            }
            (_, [value]) if value.path.is_empty() => value,
            _ => return Err(EmitError::new("an array of a mesh that holds more than one value")),
        };
        if array == MeshArray::Primitives {
            self.b.decorate(variable, Decoration::PerPrimitiveEXT, &[]);
        }
        let (builtin, capability) = match value.slot {
            MeshSlot::Location(location) => {
                self.b.decorate(variable, Decoration::Location, &[location]);
                if holds_16_bits(element) {
                    self.b.capability(Capability::StorageInputOutput16);
                }
                // Values of primitives are not interpolated.
                if array == MeshArray::Vertices {
                    self.interpolation(variable, value);
                }
                return Ok(emitted);
            }
            MeshSlot::Position => (BuiltIn::Position, None),
            MeshSlot::ClipDistance(_) => (BuiltIn::ClipDistance, Some(Capability::ClipDistance)),
            MeshSlot::CullDistance(_) => (BuiltIn::CullDistance, Some(Capability::CullDistance)),
            MeshSlot::Layer => (BuiltIn::Layer, None),
            MeshSlot::Viewport => (BuiltIn::ViewportIndex, None),
            MeshSlot::ShadingRate => {
                self.b.extension("SPV_KHR_fragment_shading_rate");
                (BuiltIn::PrimitiveShadingRateKHR, Some(Capability::FragmentShadingRateKHR))
            }
            MeshSlot::PrimitiveId => (BuiltIn::PrimitiveId, None),
            MeshSlot::Cull => (BuiltIn::CullPrimitiveEXT, None),
        };
        if let Some(capability) = capability {
            self.b.capability(capability);
        }
        self.b.decorate_builtin(variable, builtin);
        Ok(emitted)
    }

    fn interpolation(&mut self, variable: Word, value: &MeshValue) {
        let of = value.interpolation;
        let words = [
            (of.flat, Decoration::Flat),
            (of.no_perspective, Decoration::NoPerspective),
            (of.centroid, Decoration::Centroid),
            (of.sample, Decoration::Sample),
        ];
        for (_, decoration) in words.into_iter().filter(|(is, _)| *is) {
            self.b.decorate(variable, decoration, &[]);
        }
        if of.sample {
            self.b.capability(Capability::SampleRateShading);
        }
    }
}

fn holds_16_bits(ty: &Type) -> bool {
    match ty {
        Type::Array { element, .. } => holds_16_bits(element),
        Type::Struct(s) => s.fields.iter().any(|f| holds_16_bits(&f.ty)),
        Type::Matrix(m) => m.scalar.size() == 2,
        other => other.scalar().is_some_and(|s: Scalar| s.size() == 2),
    }
}

impl FunctionEmitter<'_, '_> {
    /// Emits the numbers of vertices and primitives that the group outputs, also in callees of mesh shaders.
    pub fn mesh_counts(&mut self, vertices: ValueId, primitives: ValueId) -> Result<(), EmitError> {
        if !self.e.target.graph && self.e.module.entries.iter().all(|entry| entry.mesh.is_none()) {
            return Err(EmitError::new("the size of a mesh in a module without meshes"));
        }
        let meshes = || {
            let of_nodes = self.e.module.graph.nodes.iter().filter_map(|node| node.mesh.as_ref());
            self.e.module.entries.iter().filter_map(|entry| entry.mesh.as_ref()).chain(of_nodes)
        };
        let most_vertices = meshes().map(|mesh| mesh.max_vertices).max();
        let most_primitives = meshes().map(|mesh| mesh.max_primitives).max();
        let vertices = self.mesh_count(vertices, most_vertices)?;
        let primitives = self.mesh_count(primitives, most_primitives)?;
        self.e.b.effect(Op::SetMeshOutputsEXT, crate::builder::ids(&[vertices, primitives]));
        Ok(())
    }

    /// Returns a count of vertices or primitives. A constant above the limit is undefined, and valid modules do not
    /// contain one. Errors visible in the source are already reported; passes may find others.
    fn mesh_count(&mut self, count: ValueId, most: Option<u32>) -> Result<Word, EmitError> {
        match (self.constant(count), most) {
            (Some(constant), Some(most)) if constant.bits > u64::from(most) => Ok(self.e.u32_constant(most)),
            _ => self.as_u32(count),
        }
    }
}
