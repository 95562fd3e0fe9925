//! Types of values, and layouts of memory that other code accesses.
//!
//! A *value type* has no decoration; it is for values and memory of one thread or workgroup. One SPIR-V type represents
//! all IR types of one shape, so that equal shapes need no conversion.
//!
//! A [`Layout`] is a type with offsets and strides, for buffers, physical memory and node payloads. It differs from the
//! value type of the same shape in its decorations. It also differs if memory has no bool or a record's dispatch grid
//! must be a vector. [`crate::function::convert`] converts between the two.

use crate::EmitError;
use crate::builder::{id, lit};
use crate::emitter::Emitter;
use crate::matrix::decorated;
use rspirv::dr::Operand;
use rspirv::spirv::{Capability, Decoration, Dim, ImageFormat, Op, StorageClass, Word};
use rustc_hash::FxHashMap;
use wgc_ir::{ImageDim, ImageType, MatrixType, Scalar, Space, TexelFormat, Type};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct LayoutId(u32);

/// The use of a memory type, beyond its content.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Role {
    /// Anything inside a buffer.
    Plain,
    /// The structure that a buffer variable holds.
    Block,
    /// The structure of a buffer variable that is only read. It is a decorated type of its own. One driver applied a
    /// variable's decoration to its type, and so to writable variables too.
    ReadOnlyBlock,
    /// A node's record: the path to the dispatch grid, whether FinishedCrossGroupSharing is tracked, and whether it is
    /// a read-only input, which has a type of its own.
    Record { grid: Option<Vec<u32>>, track: bool, read_only: bool },
}

#[derive(Clone, Debug)]
pub(crate) struct Layout {
    pub word: Word,
    pub kind: LayoutKind,
    pub shape: Relation,
    /// It contains a 16-bit member.
    pub half: bool,
}

#[derive(Clone, Debug)]
pub(crate) enum LayoutKind {
    Scalar,
    Vector(Scalar, u8),
    Matrix(MatrixType),
    /// `uint g[n]` as a dispatch grid: an array as a value, but a scalar or vector of the same bytes in memory.
    GridArray {
        scalar: Scalar,
        len: u32,
    },
    Array {
        element: LayoutId,
        len: u32,
        stride: u32,
    },
    Runtime {
        element: LayoutId,
        stride: u32,
    },
    /// Layout and offset of each field.
    Struct(Vec<(LayoutId, u32)>),
}

/// The relation of a layout to the value type of its shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Relation {
    /// They are the same type.
    Same,
    /// They match logically: OpCopyLogical converts.
    Copy,
    /// Conversion is possible only member by member.
    Members,
}

#[derive(Default)]
pub(crate) struct TypeCache {
    values: FxHashMap<Type, Word>,
    layouts: Vec<Layout>,
    by_type: FxHashMap<(Type, Role), LayoutId>,
}

/// Returns the storage class of a space.
pub(crate) fn storage_class(space: Space) -> StorageClass {
    match space {
        Space::Function => StorageClass::Function,
        Space::Private => StorageClass::Private,
        Space::Workgroup => StorageClass::Workgroup,
        Space::Storage { .. } => StorageClass::StorageBuffer,
        Space::Uniform => StorageClass::Uniform,
        Space::PushConstant => StorageClass::PushConstant,
        Space::NodeInput | Space::NodeOutput => StorageClass::NodePayloadAMDX,
        Space::MeshOutput => StorageClass::Output,
        Space::Image => StorageClass::Image,
        Space::Physical { .. } => StorageClass::PhysicalStorageBuffer,
    }
}

/// Returns whether memory of this class has an explicit layout.
pub(crate) fn is_laid_out(class: StorageClass) -> bool {
    use StorageClass as C;
    !matches!(class, C::Function | C::Private | C::Workgroup | C::Output | C::Image)
}

impl Emitter<'_> {
    pub fn void(&mut self) -> Word {
        self.b.intern(Op::TypeVoid, None, Vec::new())
    }

    pub fn scalar_type(&mut self, scalar: Scalar) -> Word {
        let capability = match scalar {
            Scalar::I16 | Scalar::U16 => Some(Capability::Int16),
            Scalar::I64 | Scalar::U64 => Some(Capability::Int64),
            Scalar::F16 => Some(Capability::Float16),
            Scalar::F64 => Some(Capability::Float64),
            Scalar::Bool | Scalar::I32 | Scalar::U32 | Scalar::F32 => None,
        };
        if let Some(capability) = capability {
            self.b.capability(capability);
        }
        let width = lit(scalar.size() * 8);
        match scalar {
            Scalar::Bool => self.b.intern(Op::TypeBool, None, Vec::new()),
            s if s.is_float() => self.b.intern(Op::TypeFloat, None, vec![width]),
            s => self.b.intern(Op::TypeInt, None, vec![width, lit(u32::from(s.is_signed()))]),
        }
    }

    /// Returns a scalar, or a vector of two to four components.
    pub fn vector_type(&mut self, scalar: Scalar, n: u32) -> Word {
        let component = self.scalar_type(scalar);
        if n == 1 { component } else { self.b.intern(Op::TypeVector, None, vec![id(component), lit(n)]) }
    }

    /// Returns the undecorated type of a value.
    pub fn value_type(&mut self, ty: &Type) -> Result<Word, EmitError> {
        match ty {
            Type::Void => return Ok(self.void()),
            Type::Scalar(s) => return Ok(self.scalar_type(*s)),
            Type::Vector(s, n) => return Ok(self.vector_type(*s, u32::from(*n))),
            Type::Matrix(m) => return Ok(self.matrix_type(*m)),
            _ => {}
        }
        if let Some(&known) = self.types.values.get(ty) {
            return Ok(known);
        }
        let word = match ty {
            Type::Array { element, len, .. } => {
                let element = self.value_type(element)?;
                let len = self.array_length(*len)?;
                self.b.intern(Op::TypeArray, None, vec![id(element), id(len)])
            }
            Type::Struct(s) => {
                let fields = s.fields.iter().map(|f| self.value_type(&f.ty).map(id)).collect::<Result<Vec<_>, _>>()?;
                let first = self.b.bound();
                // lavapipe 25 creates no pipeline if values of one type are copied to and from memory of types with different
                // names, and an array of that type is indexed.
                let word = self.b.intern_named(Op::TypeStruct, fields, &s.name);
                if word >= first {
                    self.struct_names(word, s);
                }
                word
            }
            Type::Image(image) => self.image_type(*image, ImageFormat::Unknown)?,
            Type::Sampler => self.b.intern(Op::TypeSampler, None, Vec::new()),
            Type::AccelerationStructure => {
                self.b.capability(Capability::RayQueryKHR);
                self.b.intern(Op::TypeAccelerationStructureKHR, None, Vec::new())
            }
            Type::RayQuery => {
                self.b.capability(Capability::RayQueryKHR);
                self.b.intern(Op::TypeRayQueryKHR, None, Vec::new())
            }
            Type::RuntimeArray { .. } => return Err(EmitError::new("a runtime array is not a value")),
            Type::Ref(..) => return Err(EmitError::new("a place is not a value")),
            Type::Descriptors { .. } => return Err(EmitError::new("an array of resources is not a value")),
            Type::Records(_) => return Err(EmitError::new("SPIR-V cannot copy a record handle")),
            Type::Void | Type::Scalar(_) | Type::Vector(..) | Type::Matrix(_) => {
                return Err(EmitError::new("unexpected type"));
            }
        };
        self.types.values.insert(ty.clone(), word);
        Ok(word)
    }

    fn struct_names(&mut self, word: Word, s: &wgc_ir::StructType) {
        self.b.name(word, &s.name);
        for (n, field) in (0u32..).zip(&s.fields) {
            self.b.member_name(word, n, &field.name);
        }
    }

    fn array_length(&mut self, len: u32) -> Result<Word, EmitError> {
        if len == 0 { Err(EmitError::new("an array of no elements")) } else { Ok(self.u32_constant(len)) }
    }

    /// Returns the type of an image.
    pub fn image_type(&mut self, image: ImageType, format: ImageFormat) -> Result<Word, EmitError> {
        let sampled = self.scalar_type(sampled_scalar(image.texel)?);
        if sampled_scalar(image.texel)?.size() == 8 {
            self.b.capability(Capability::Int64ImageEXT);
            self.b.extension("SPV_EXT_shader_image_int64");
        }
        let (dim, storage, plain) = match image.dim {
            ImageDim::D1 => (Dim::Dim1D, Some(Capability::Image1D), Some(Capability::Sampled1D)),
            ImageDim::D2 => (Dim::Dim2D, None, None),
            ImageDim::D3 => (Dim::Dim3D, None, None),
            ImageDim::Cube if image.arrayed => {
                (Dim::DimCube, Some(Capability::ImageCubeArray), Some(Capability::SampledCubeArray))
            }
            ImageDim::Cube => (Dim::DimCube, None, None),
            ImageDim::Buffer => (Dim::DimBuffer, Some(Capability::ImageBuffer), Some(Capability::SampledBuffer)),
        };
        if let Some(capability) = if image.storage { storage } else { plain } {
            self.b.capability(capability);
        }
        if image.multisampled && image.storage {
            self.b.capability(Capability::StorageImageMultisample);
            if image.arrayed {
                self.b.capability(Capability::ImageMSArray);
            }
        }
        if needs_extended_formats(format) {
            self.b.capability(Capability::StorageImageExtendedFormats);
        }
        let operands = vec![
            id(sampled),
            Operand::Dim(dim),
            // The host decides whether it contains depths.
            lit(2),
            lit(u32::from(image.arrayed)),
            lit(u32::from(image.multisampled)),
            lit(if image.storage { 2 } else { 1 }),
            Operand::ImageFormat(format),
        ];
        Ok(self.b.intern(Op::TypeImage, None, operands))
    }

    pub fn layout(&self, layout: LayoutId) -> &Layout {
        &self.types.layouts[layout.0 as usize]
    }

    /// Returns the memory type of an IR type.
    pub fn layout_of(&mut self, ty: &Type, role: Role) -> Result<LayoutId, EmitError> {
        let key = (ty.clone(), role);
        if let Some(&known) = self.types.by_type.get(&key) {
            return Ok(known);
        }
        let layout = self.new_layout(ty, &key.1)?;
        let fresh = LayoutId(self.types.layouts.len() as u32);
        self.types.layouts.push(layout);
        self.types.by_type.insert(key, fresh);
        Ok(fresh)
    }

    fn new_layout(&mut self, ty: &Type, role: &Role) -> Result<Layout, EmitError> {
        match (ty, role) {
            (Type::Scalar(s), _) => Ok(self.numeric_layout(*s, 1)),
            (Type::Vector(s, n), _) => Ok(self.numeric_layout(*s, *n)),
            (Type::Matrix(m), _) => Ok(self.matrix_layout(*m)),
            // The field itself: the rest of the path is empty.
            (Type::Array { element, len, .. }, Role::Record { grid: Some(path), .. }) if path.is_empty() => {
                self.grid_layout(element, *len)
            }
            (Type::Array { element, len, stride }, _) => {
                let element = self.layout_of(element, Role::Plain)?;
                let (Layout { word: inner, shape, half, .. }, length) =
                    (self.layout(element).clone(), self.array_length(*len)?);
                let word = self.b.unique(Op::TypeArray, None, vec![id(inner), id(length)]);
                self.b.decorate(word, Decoration::ArrayStride, &[*stride]);
                let kind = LayoutKind::Array { element, len: *len, stride: *stride };
                Ok(Layout { word, kind, shape: shape.max(Relation::Copy), half })
            }
            (Type::RuntimeArray { element, stride }, _) => {
                let element = self.layout_of(element, Role::Plain)?;
                let Layout { word: inner, half, .. } = *self.layout(element);
                let word = self.b.unique(Op::TypeRuntimeArray, None, vec![id(inner)]);
                self.b.decorate(word, Decoration::ArrayStride, &[*stride]);
                let kind = LayoutKind::Runtime { element, stride: *stride };
                Ok(Layout { word, kind, shape: Relation::Members, half })
            }
            (Type::Struct(s), _) => self.struct_layout(s, role),
            _ => Err(EmitError::new("a type without a size cannot be stored in memory")),
        }
    }

    fn numeric_layout(&mut self, scalar: Scalar, n: u8) -> Layout {
        let (stored, shape) = match scalar {
            Scalar::Bool => (Scalar::U32, Relation::Members),
            other => (other, Relation::Same),
        };
        let word = self.vector_type(stored, u32::from(n));
        let kind = if n == 1 { LayoutKind::Scalar } else { LayoutKind::Vector(scalar, n) };
        Layout { word, kind, shape, half: scalar.size() == 2 }
    }

    fn grid_layout(&mut self, element: &Type, len: u32) -> Result<Layout, EmitError> {
        match element {
            Type::Scalar(scalar) if scalar.is_integer() && (1..=3).contains(&len) => {
                let word = self.vector_type(*scalar, len);
                let kind = LayoutKind::GridArray { scalar: *scalar, len };
                Ok(Layout { word, kind, shape: Relation::Members, half: scalar.size() == 2 })
            }
            _ => Err(EmitError::new("a dispatch grid is one to three integers")),
        }
    }

    fn struct_layout(&mut self, s: &wgc_ir::StructType, role: &Role) -> Result<Layout, EmitError> {
        let grid = match role {
            Role::Record { grid: Some(path), .. } => path.split_first(),
            _ => None,
        };
        let mut fields = Vec::with_capacity(s.fields.len());
        for (n, field) in (0u32..).zip(&s.fields) {
            let role = match grid {
                Some((&first, rest)) if first == n => {
                    Role::Record { grid: Some(rest.to_vec()), track: false, read_only: false }
                }
                _ => Role::Plain,
            };
            fields.push((self.layout_of(&field.ty, role)?, field.offset));
        }
        let inner: Vec<&Layout> = fields.iter().map(|&(l, _)| self.layout(l)).collect();
        let shape = inner.iter().map(|l| l.shape).fold(Relation::Copy, Relation::max);
        let half = inner.iter().any(|l| l.half);
        let members = inner.iter().map(|l| id(l.word)).collect();
        let word = self.b.unique(Op::TypeStruct, None, members);
        self.struct_names(word, s);
        for (n, &(_, offset)) in (0u32..).zip(&fields) {
            self.b.member_decorate(word, n, Decoration::Offset, &[offset]);
        }
        for (n, field) in (0u32..).zip(&s.fields) {
            if let Some(matrix) = decorated(&field.ty) {
                self.decorate_matrix(word, n, matrix);
            }
        }
        if matches!(role, Role::ReadOnlyBlock | Role::Record { read_only: true, .. }) {
            for n in 0..s.fields.len() as u32 {
                self.b.member_decorate(word, n, Decoration::NonWritable, &[]);
            }
        }
        match role {
            Role::Block | Role::ReadOnlyBlock => self.b.decorate(word, Decoration::Block, &[]),
            Role::Record { track: true, .. } => self.b.decorate(word, Decoration::TrackFinishWritingAMDX, &[]),
            _ => {}
        }
        if let Some((&n, [])) = grid {
            self.b.member_decorate(word, n, Decoration::PayloadDispatchIndirectAMDX, &[]);
        }
        Ok(Layout { word, kind: LayoutKind::Struct(fields), shape, half })
    }

    /// Returns a pointer to memory of a layout. Declares the capability that 16-bit members need in that storage class.
    pub fn layout_pointer(&mut self, class: StorageClass, layout: LayoutId) -> Word {
        let Layout { word, half, .. } = *self.layout(layout);
        if half {
            let capability = match class {
                StorageClass::StorageBuffer | StorageClass::PhysicalStorageBuffer => {
                    Some(Capability::StorageBuffer16BitAccess)
                }
                StorageClass::Uniform => Some(Capability::UniformAndStorageBuffer16BitAccess),
                StorageClass::PushConstant => Some(Capability::StoragePushConstant16),
                _ => None,
            };
            if let Some(capability) = capability {
                self.b.capability(capability);
            }
        }
        self.b.pointer_type(class, word)
    }
}

/// Returns SPIR-V's format for a declared one.
pub(crate) fn image_format(format: TexelFormat) -> ImageFormat {
    use {ImageFormat as F, TexelFormat as T};
    match format {
        T::Unknown => F::Unknown,
        T::Rgba32f => F::Rgba32f,
        T::Rgba16f => F::Rgba16f,
        T::R32f => F::R32f,
        T::Rgba8 => F::Rgba8,
        T::Rgba8Snorm => F::Rgba8Snorm,
        T::Rg32f => F::Rg32f,
        T::Rg16f => F::Rg16f,
        T::R11fG11fB10f => F::R11fG11fB10f,
        T::R16f => F::R16f,
        T::Rgba16 => F::Rgba16,
        T::Rgb10A2 => F::Rgb10A2,
        T::Rg16 => F::Rg16,
        T::Rg8 => F::Rg8,
        T::R16 => F::R16,
        T::R8 => F::R8,
        T::Rgba16Snorm => F::Rgba16Snorm,
        T::Rg16Snorm => F::Rg16Snorm,
        T::Rg8Snorm => F::Rg8Snorm,
        T::R16Snorm => F::R16Snorm,
        T::R8Snorm => F::R8Snorm,
        T::Rgba32i => F::Rgba32i,
        T::Rgba16i => F::Rgba16i,
        T::Rgba8i => F::Rgba8i,
        T::R32i => F::R32i,
        T::Rg32i => F::Rg32i,
        T::Rg16i => F::Rg16i,
        T::Rg8i => F::Rg8i,
        T::R16i => F::R16i,
        T::R8i => F::R8i,
        T::Rgba32ui => F::Rgba32ui,
        T::Rgba16ui => F::Rgba16ui,
        T::Rgba8ui => F::Rgba8ui,
        T::R32ui => F::R32ui,
        T::Rgb10A2ui => F::Rgb10a2ui,
        T::Rg32ui => F::Rg32ui,
        T::Rg16ui => F::Rg16ui,
        T::Rg8ui => F::Rg8ui,
        T::R16ui => F::R16ui,
        T::R8ui => F::R8ui,
        T::R64ui => F::R64ui,
        T::R64i => F::R64i,
    }
}

/// Returns whether a format needs StorageImageExtendedFormats (SPIR-V 3.11).
fn needs_extended_formats(format: ImageFormat) -> bool {
    use ImageFormat as F;
    !matches!(
        format,
        F::Unknown
            | F::Rgba32f
            | F::Rgba16f
            | F::R32f
            | F::Rgba8
            | F::Rgba8Snorm
            | F::Rgba32i
            | F::Rgba16i
            | F::Rgba8i
            | F::R32i
            | F::Rgba32ui
            | F::Rgba16ui
            | F::Rgba8ui
            | F::R32ui
            | F::R64ui
            | F::R64i
    )
}

/// Returns the format that atomics on texels require; `None` if there are no such atomics.
pub(crate) fn atomic_format(texel: Scalar) -> Option<ImageFormat> {
    match texel {
        Scalar::I32 => Some(ImageFormat::R32i),
        Scalar::U32 => Some(ImageFormat::R32ui),
        Scalar::I64 => Some(ImageFormat::R64i),
        Scalar::U64 => Some(ImageFormat::R64ui),
        Scalar::F32 => Some(ImageFormat::R32f),
        _ => None,
    }
}

/// Returns the component type of an image for a texel's: images have no 16-bit and no bool components.
pub(crate) fn sampled_scalar(texel: Scalar) -> Result<Scalar, EmitError> {
    match texel {
        Scalar::F16 | Scalar::F32 => Ok(Scalar::F32),
        Scalar::I16 | Scalar::I32 => Ok(Scalar::I32),
        Scalar::U16 | Scalar::U32 => Ok(Scalar::U32),
        Scalar::I64 | Scalar::U64 => Ok(texel),
        Scalar::Bool | Scalar::F64 => Err(EmitError::new("an image of bool or double texels")),
    }
}
