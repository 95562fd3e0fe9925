//! Mesh shaders: the limits of their meshes, and the output variables (SPV_EXT_mesh_shader).
//!
//! An output variable is an array with an element for each vertex or primitive, or such an array of blocks, whose
//! members are a value each. All lie in one region of the workgroup.

use super::{Result, Stride, Translator, Value};
use crate::cpu::program::{Ins, MeshMemory};
use crate::mesh::{MeshArray, MeshPlace, MeshShape, MeshValue};
use spirv::{BuiltIn, Decoration, ExecutionMode, Op};
use std::sync::Arc;
use wgc_abi::{FieldLayout, LayoutScalar, LayoutType, StructLayout};
use wgc_spirv_module::module::Global;
use wgc_spirv_module::{Id, Type};

/// The limit of a workgroup's mesh in bytes: many times the limits of drivers.
const MAX_BYTES: u32 = 1 << 22;
/// Vertices, or primitives, of a mesh.
const MAX_ELEMENTS: u32 = 1 << 16;
const MAX_DEPTH: u32 = 16;

const TOPOLOGIES: [(ExecutionMode, u32); 3] =
    [(ExecutionMode::OutputPoints, 1), (ExecutionMode::OutputLinesEXT, 2), (ExecutionMode::OutputTrianglesEXT, 3)];

impl Translator<'_> {
    pub(super) fn mesh_modes(&mut self, function: Id) -> Result<()> {
        let number = |mode| {
            let found = self.m.execution_mode(function, mode).and_then(|mode| mode.operands.first().copied());
            match found {
                Some(most @ 0..=MAX_ELEMENTS) => Ok(most),
                Some(more) => Err(format!("a mesh with {more} as {mode:?} is too large")),
                None => Err(format!("a mesh shader without {mode:?}")),
            }
        };
        let is_declared = |row: &&(ExecutionMode, u32)| self.m.execution_mode(function, row.0).is_some();
        let shape = MeshShape {
            corners: TOPOLOGIES.iter().find(is_declared).ok_or("a mesh shader without primitives")?.1,
            max_vertices: number(ExecutionMode::OutputVertices)?,
            max_primitives: number(ExecutionMode::OutputPrimitivesEXT)?,
            values: Vec::new(),
        };
        self.program.cooperates = true;
        self.program.mesh = Some(MeshMemory { shape: Arc::new(shape), ..MeshMemory::default() });
        Ok(())
    }

    /// Assigns an output variable its offset in the workgroup's mesh.
    pub(super) fn mesh_output(&mut self, global: &Global, ty: Id) -> Result<()> {
        let m = self.m;
        let Type::Array { element, length } = *self.ty(ty)? else {
            return Err(format!("output {} of a mesh shader is not an array", m.describe(global.id)));
        };
        let length = m.constant_u32(length).ok_or("the length of an array is not a constant")?;
        let (bytes, _) = self.layouts.size(ty, Stride::Natural)?;
        let stride = self.layouts.array_stride(ty, Stride::Natural)?;
        let offset = self.program.mesh.as_ref().map_or(0, |mesh| mesh.bytes).next_multiple_of(16);
        let end = offset.checked_add(bytes).filter(|&end| end <= MAX_BYTES).ok_or("its mesh is too large")?;
        let per_primitive = |id, member| m.decoration(id, member, Decoration::PerPrimitiveEXT).is_some();
        let own = per_primitive(global.id, None);
        let mut values = Vec::new();
        let name = m.names.get(&global.id).map_or("", String::as_str);
        let word = |member, kind| match member {
            None => m.decoration_word(global.id, None, kind),
            Some(_) => m.decoration_word(element, member, kind),
        };
        let place = |member| match word(member, Decoration::BuiltIn) {
            Some(number) => BuiltIn::from_u32(number).map(MeshPlace::BuiltIn),
            None => {
                let component = word(member, Decoration::Component).unwrap_or(0);
                word(member, Decoration::Location).map(|location| MeshPlace::Location(location, component))
            }
        };
        if m.decoration(element, None, Decoration::Block).is_some()
            && let Type::Struct { members } = self.ty(element)?.clone()
        {
            // Members without a location are numbered consecutively.
            let mut next = word(None, Decoration::Location);
            for (index, member) in (0..).zip(members) {
                let place = match (place(Some(index)), next) {
                    (Some(place), _) => place,
                    (None, Some(location)) => MeshPlace::Location(location, 0),
                    (None, None) => return Err(format!("a part of output {name} has no destination")),
                };
                if let MeshPlace::Location(location, _) = place {
                    next = Some(location.saturating_add(self.locations(member, 0)?));
                }
                let own = own || per_primitive(element, Some(index));
                let inside = self.layouts.member_offset(element, index)?;
                let name = m.member_names.get(&(element, index)).map_or("", String::as_str);
                values.push((name, place, own, member, offset + inside));
            }
        } else {
            let place = place(None).ok_or_else(|| format!("output {name} has no destination"))?;
            values.push((name, place, own, element, offset));
        }
        let mut made = Vec::new();
        for (name, place, own, ty, offset) in values {
            let ty = self.layout_type(ty, 0)?;
            // The name starts with the names of nodes and of their parameters.
            let name = name.rsplit('.').next().filter(|name| !name.is_empty());
            let name = name.map_or_else(|| place.to_string(), str::to_owned);
            made.push(MeshValue { name, place, array: array_of(place, own), ty, offset, stride, length });
        }
        let row = self.rows(1)?;
        self.values.insert(global.id, Value { row, n: 1 });
        let mesh = self.program.mesh.as_mut().ok_or("only a mesh shader can output a mesh")?;
        mesh.bytes = end;
        mesh.pointers.push((row, offset));
        Arc::make_mut(&mut mesh.shape).values.extend(made);
        Ok(())
    }

    /// Returns the number of locations of a value.
    fn locations(&self, ty: Id, depth: u32) -> Result<u32> {
        let sum = |list: &[Id]| {
            list.iter().try_fold(0u32, |sum, ty| Ok::<_, String>(sum.saturating_add(self.locations(*ty, depth + 1)?)))
        };
        Ok(match self.ty(ty)? {
            _ if depth > MAX_DEPTH => return Err("the type nests too deeply".into()),
            Type::Vector { component, count } if self.width(*component)?.0 == 64 && *count > 2 => 2,
            Type::Matrix { column, columns } => self.locations(*column, depth + 1)?.saturating_mul(*columns),
            Type::Array { element, length } => {
                let length = self.m.constant_u32(*length).ok_or("the length of an array is not a constant")?;
                self.locations(*element, depth + 1)?.saturating_mul(length)
            }
            Type::Struct { members } => sum(members)?,
            _ => 1,
        })
    }

    /// Returns a type with its layout in the workgroup's mesh.
    fn layout_type(&mut self, id: Id, depth: u32) -> Result<LayoutType> {
        if depth > MAX_DEPTH {
            return Err("the type nests too deeply".into());
        }
        Ok(match self.ty(id)?.clone() {
            Type::Vector { component, count } => {
                LayoutType::Vector { scalar: self.layout_scalar(component)?, components: count }
            }
            // HLSL's rows.
            Type::Matrix { column, columns } => match self.layout_type(column, depth + 1)? {
                LayoutType::Vector { scalar, components } => LayoutType::Matrix {
                    scalar,
                    rows: columns,
                    columns: components,
                    row_major: true,
                    stride: scalar.size() * components,
                },
                _ => return Err("a matrix of no vectors".into()),
            },
            Type::Array { element, length } => LayoutType::Array {
                count: self.m.constant_u32(length).ok_or("the length of an array is not a constant")?,
                stride: self.layouts.array_stride(id, Stride::Natural)?,
                element: Box::new(self.layout_type(element, depth + 1)?),
            },
            Type::Struct { members } => {
                let (size, align) = self.layouts.size(id, Stride::Natural)?;
                let mut fields = Vec::with_capacity(members.len());
                for (index, member) in (0..).zip(members) {
                    let name = self.m.member_names.get(&(id, index)).cloned();
                    fields.push(FieldLayout {
                        name: name.unwrap_or_else(|| index.to_string()),
                        offset: self.layouts.member_offset(id, index)?,
                        ty: self.layout_type(member, depth + 1)?,
                    });
                }
                let name = self.m.names.get(&id).cloned().unwrap_or_default();
                LayoutType::Struct(StructLayout { name, fields, size, align })
            }
            _ => LayoutType::Scalar(self.layout_scalar(id)?),
        })
    }

    fn layout_scalar(&self, id: Id) -> Result<LayoutScalar> {
        use LayoutScalar as S;
        Ok(match self.ty(id)? {
            Type::Bool => S::Bool,
            Type::Int { width: 16, signed } => [S::U16, S::I16][usize::from(*signed)],
            Type::Int { width: 32, signed } => [S::U32, S::I32][usize::from(*signed)],
            Type::Int { width: 64, signed } => [S::U64, S::I64][usize::from(*signed)],
            Type::Float { width: 16 } => S::F16,
            Type::Float { width: 32 } => S::F32,
            Type::Float { width: 64 } => S::F64,
            other => return Err(format!("{other:?} cannot be a part of a mesh")),
        })
    }

    pub(super) fn mesh_counts(&mut self, op: Op, w: &[u32]) -> Result<bool> {
        let (Op::SetMeshOutputsEXT, &[vertices, primitives, ..]) = (op, w) else { return Ok(false) };
        let (vertices, primitives) = (self.scalar(vertices)?, self.scalar(primitives)?);
        self.emit(Ins::SetMeshOutputs { vertices, primitives });
        Ok(true)
    }
}

fn array_of(place: MeshPlace, per_primitive: bool) -> MeshArray {
    use BuiltIn as B;
    match place {
        MeshPlace::BuiltIn(
            B::PrimitivePointIndicesEXT | B::PrimitiveLineIndicesEXT | B::PrimitiveTriangleIndicesEXT,
        ) => MeshArray::Indices,
        _ if per_primitive => MeshArray::Primitives,
        _ => MeshArray::Vertices,
    }
}
