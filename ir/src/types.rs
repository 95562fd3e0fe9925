//! Types, with their memory layout if they have one.
//!
//! A type is a value that compares by content. Structures and arrays carry offsets and strides, because one HLSL
//! structure has different layouts in a record, a structured buffer and a constant buffer. Two types that differ only
//! in layout have the same *shape*; `Load` and `Store` convert between layouts of one shape.

use crate::Symbol;
use crate::matrix::MatrixType;
use std::sync::Arc;

/// The maximum number of scalars in a structure or array that control flow merges as one value.
pub const MAX_MERGED: u64 = 16;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Scalar {
    /// One bit as a value, four bytes in memory (0 or 1).
    Bool,
    I16,
    U16,
    I32,
    U32,
    I64,
    U64,
    F16,
    F32,
    F64,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// The result of a call without a value; no value has this type.
    Void,
    Scalar(Scalar),
    /// 2 to 4 components.
    Vector(Scalar, u8),
    /// Rows as a value; in memory, see [`MatrixType`].
    Matrix(MatrixType),
    /// An array. `stride` is the distance of its elements in bytes.
    Array {
        element: Arc<Type>,
        len: u32,
        stride: u32,
    },
    /// A runtime array, only as the pointee of a `Ref` to a buffer.
    RuntimeArray {
        element: Arc<Type>,
        stride: u32,
    },
    Struct(Arc<StructType>),
    /// A place.
    Ref(Space, Arc<Type>),
    /// A handle to records allocated for an output of the current node.
    Records(RecordsType),
    /// An image or sampler. Only image operations accept this value.
    Image(ImageType),
    Sampler,
    /// A structure to trace rays in. Only ray queries accept this value.
    AccelerationStructure,
    /// A search for the hits of a ray, only as the contents of a local or of a part of one.
    RayQuery,
    /// An array of resources. Only `Op::Descriptor` accepts this value. `len` is `None` if the host decides.
    Descriptors {
        element: Arc<Type>,
        len: Option<u32>,
    },
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct StructType {
    pub name: Symbol,
    pub fields: Vec<Field>,
    /// Size in bytes. It is a multiple of `align`, except in scalar layout, where a structure ends with its last
    /// member.
    pub size: u32,
    pub align: u32,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Field {
    pub name: Symbol,
    pub ty: Type,
    /// Byte offset in the structure.
    pub offset: u32,
    /// The bit-fields of an integer, from the lowest bit; remaining bits have no name. Code sees only the integer,
    /// hosts see the bit-fields instead.
    pub bits: Vec<BitField>,
}

/// A named range of bits of an integer.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct BitField {
    pub name: Symbol,
    /// The integer's type, or `Bool`.
    pub scalar: Scalar,
    /// The lowest bit.
    pub first: u8,
    /// The number of bits, at least 1.
    pub width: u8,
}

impl Field {
    pub fn new(name: impl Into<Symbol>, ty: Type, offset: u32) -> Field {
        Field { name: name.into(), ty, offset, bits: Vec::new() }
    }
}

impl StructType {
    /// Adds the bit-fields of another structure, which has the same fields in another layout.
    #[must_use]
    pub fn with_bits_of(mut self, other: &StructType) -> StructType {
        for (field, theirs) in self.fields.iter_mut().zip(&other.fields) {
            field.bits.clone_from(&theirs.bits);
        }
        self
    }
}

/// A handle type: the records and their scope.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct RecordsType {
    pub scope: AllocScope,
    /// The record type.
    pub record: Arc<Type>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum AllocScope {
    /// Each thread requests its own records.
    Thread,
    /// The workgroup requests records once.
    Group,
}

/// The memory of a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Space {
    /// A local of the current function, one per thread.
    Function,
    /// A mutable global, one per thread.
    Private,
    /// `groupshared`
    Workgroup,
    /// A structured or byte-address buffer. `coherent` is `globallycoherent`.
    Storage {
        coherent: bool,
    },
    Uniform,
    PushConstant,
    /// The input record of a node.
    NodeInput,
    /// A record that was allocated for an output.
    NodeOutput,
    /// An output of a mesh node, written and never read.
    MeshOutput,
    /// A texel of a storage image, for atomics.
    Image,
    /// Memory at a 64-bit device address. `coherent`: other invocations of the same dispatch may touch it.
    Physical {
        coherent: bool,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ImageType {
    pub dim: ImageDim,
    pub arrayed: bool,
    /// Several samples per texel. Such images are two-dimensional and have one mip level.
    pub multisampled: bool,
    /// Component type of a texel.
    pub texel: Scalar,
    /// The declared number of components of a texel in HLSL, 1 to 4.
    pub components: u8,
    /// `RWTexture*`: loads and stores without a sampler.
    pub storage: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ImageDim {
    D1,
    D2,
    D3,
    Cube,
    Buffer,
}

impl Space {
    /// Returns whether other threads see writes there, so that atomics have a meaning.
    pub fn is_shared(self) -> bool {
        !matches!(self, Space::Function | Space::Private | Space::Uniform | Space::PushConstant | Space::MeshOutput)
    }
}

impl Scalar {
    /// Returns the size in bytes in memory.
    pub fn size(self) -> u32 {
        match self {
            Scalar::I16 | Scalar::U16 | Scalar::F16 => 2,
            Scalar::Bool | Scalar::I32 | Scalar::U32 | Scalar::F32 => 4,
            Scalar::I64 | Scalar::U64 | Scalar::F64 => 8,
        }
    }

    pub fn is_float(self) -> bool {
        matches!(self, Scalar::F16 | Scalar::F32 | Scalar::F64)
    }

    /// Returns whether it is an integer type; bool is not.
    pub fn is_integer(self) -> bool {
        !self.is_float() && self != Scalar::Bool
    }

    pub fn is_signed(self) -> bool {
        matches!(self, Scalar::I16 | Scalar::I32 | Scalar::I64)
    }
}

impl Scalar {
    /// Returns the number of bits of a constant of this type; 1 for bool.
    pub fn bits(self) -> u32 {
        if self == Scalar::Bool { 1 } else { self.size() * 8 }
    }

    /// Returns the bits that a constant of this type may have set.
    pub fn mask(self) -> u64 {
        u64::MAX >> (64 - self.bits())
    }
}

impl std::fmt::Display for Type {
    /// Writes the text form, with structures by name only.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        crate::print::write_type(f, self, &|s| s.name.clone())
    }
}

impl Type {
    pub const BOOL: Type = Type::Scalar(Scalar::Bool);
    pub const U32: Type = Type::Scalar(Scalar::U32);
    pub const I32: Type = Type::Scalar(Scalar::I32);
    pub const U64: Type = Type::Scalar(Scalar::U64);
    pub const F32: Type = Type::Scalar(Scalar::F32);

    pub fn reference(space: Space, pointee: Type) -> Type {
        Type::Ref(space, Arc::new(pointee))
    }

    /// Returns the size in bytes in memory, or `None` for types without a size.
    pub fn size(&self) -> Option<u32> {
        match self {
            Type::Scalar(s) => Some(s.size()),
            Type::Vector(s, n) => Some(s.size() * u32::from(*n)),
            Type::Matrix(m) => Some(m.size()),
            Type::Array { len, stride, .. } => len.checked_mul(*stride),
            Type::Struct(s) => Some(s.size),
            _ => None,
        }
    }

    /// Returns the natural alignment in bytes (scalar layout), 1 for types without a size.
    pub fn align(&self) -> u32 {
        match self {
            Type::Scalar(s) | Type::Vector(s, _) => s.size(),
            Type::Matrix(m) => m.scalar.size(),
            Type::Array { element, .. } | Type::RuntimeArray { element, .. } => element.align(),
            Type::Struct(s) => s.align,
            _ => 1,
        }
    }

    /// Returns the size of the widest scalar in bytes, 1 if there is none. Memory of the type is aligned at least to
    /// that. [`Type::align`] may follow std140 and std430, whose further rules only affect the offsets of members.
    pub fn widest(&self) -> u32 {
        match self {
            Type::Scalar(scalar) | Type::Vector(scalar, _) => scalar.size(),
            Type::Matrix(m) => m.scalar.size(),
            Type::Array { element, .. } | Type::RuntimeArray { element, .. } => element.widest(),
            Type::Struct(s) => s.fields.iter().map(|f| f.ty.widest()).max().unwrap_or(1),
            _ => 1,
        }
    }

    /// Returns the component type of a scalar or vector.
    pub fn scalar(&self) -> Option<Scalar> {
        match self {
            Type::Scalar(s) | Type::Vector(s, _) => Some(*s),
            _ => None,
        }
    }

    /// Returns the number of components of a scalar (1) or vector, or `None` for other types.
    pub fn components(&self) -> Option<u32> {
        match self {
            Type::Scalar(_) => Some(1),
            Type::Vector(_, n) => Some(u32::from(*n)),
            _ => None,
        }
    }

    /// Creates a scalar or a vector of `n` components.
    pub fn vector_of(scalar: Scalar, n: u32) -> Type {
        if n == 1 { Type::Scalar(scalar) } else { Type::Vector(scalar, n as u8) }
    }

    /// Returns whether it is a resource: a buffer, constant buffer, image, sampler, or an array of them. Globals with a
    /// binding have such a type. Locals may hold resources until `passes::promote`.
    pub fn is_resource(&self) -> bool {
        match self {
            Type::Image(_) | Type::Sampler | Type::AccelerationStructure | Type::Descriptors { .. } => true,
            Type::Ref(Space::Storage { .. }, pointee) => matches!(**pointee, Type::RuntimeArray { .. }),
            Type::Ref(Space::Uniform | Space::PushConstant, pointee) => matches!(**pointee, Type::Struct(_)),
            _ => false,
        }
    }

    /// Returns whether control flow may merge values of the type ([`Op::Merge`](crate::Op::Merge)): numbers, and
    /// structures and arrays of at most [`MAX_MERGED`] scalars. Places and objects are not.
    pub fn is_mergeable(&self) -> bool {
        /// Returns the number of scalars, if all parts are numbers.
        fn scalars(ty: &Type) -> Option<u64> {
            match ty {
                Type::Scalar(_) => Some(1),
                Type::Vector(_, n) => Some(u64::from(*n)),
                Type::Array { element, len, .. } => scalars(element)?.checked_mul(u64::from(*len)),
                Type::Struct(s) => s.fields.iter().try_fold(0, |sum: u64, f| sum.checked_add(scalars(&f.ty)?)),
                _ => None,
            }
        }
        match self {
            Type::Scalar(_) | Type::Vector(..) | Type::Matrix(_) => true,
            ty => scalars(ty).is_some_and(|n| (1..=MAX_MERGED).contains(&n)),
        }
    }

    /// Returns whether it is a structure or array that contains a resource.
    pub fn holds_resources(&self) -> bool {
        self.has_part(Type::is_resource)
    }

    /// Returns whether it is a structure or array that contains a handle to records.
    pub fn holds_handles(&self) -> bool {
        self.has_part(|ty| matches!(ty, Type::Records(_)))
    }

    /// Returns whether it is a structure or array that is not memory, because it contains resources or handles.
    pub fn holds_objects(&self) -> bool {
        self.has_part(|ty| ty.is_resource() || matches!(ty, Type::Records(_)))
    }

    /// Returns whether it is a ray query, or a structure or array that contains one. Such a type can be neither loaded
    /// nor stored.
    pub fn holds_query(&self) -> bool {
        let is_query = |ty: &Type| *ty == Type::RayQuery;
        is_query(self) || self.has_part(is_query)
    }

    /// Returns whether an element or field at any depth satisfies `wanted`.
    fn has_part(&self, wanted: impl Fn(&Type) -> bool + Copy) -> bool {
        // Each structure is visited once. A chain of structures that each contain the next one twice would take
        // exponential time.
        fn walk(
            ty: &Type,
            wanted: impl Fn(&Type) -> bool + Copy,
            seen: &mut rustc_hash::FxHashSet<*const StructType>,
        ) -> bool {
            match ty {
                Type::Array { element, .. } => wanted(element) || walk(element, wanted, seen),
                Type::Struct(s) => {
                    seen.insert(Arc::as_ptr(s)) && s.fields.iter().any(|f| wanted(&f.ty) || walk(&f.ty, wanted, seen))
                }
                _ => false,
            }
        }
        walk(self, wanted, &mut rustc_hash::FxHashSet::default())
    }

    /// Returns the type of a place's contents.
    pub fn pointee(&self) -> Option<&Type> {
        match self {
            Type::Ref(_, t) => Some(t),
            _ => None,
        }
    }

    /// Returns whether types are equal except for offsets, strides, matrix orders and structure names. Coherence of
    /// buffers and the push-constant property are also ignored.
    pub fn same_shape(&self, other: &Type) -> bool {
        match (self, other) {
            (Type::Array { element: a, len: n, .. }, Type::Array { element: b, len: m, .. }) => {
                n == m && a.same_shape(b)
            }
            (Type::RuntimeArray { element: a, .. }, Type::RuntimeArray { element: b, .. }) => a.same_shape(b),
            (Type::Struct(a), Type::Struct(b)) => {
                a.fields.len() == b.fields.len() && a.fields.iter().zip(&b.fields).all(|(x, y)| x.ty.same_shape(&y.ty))
            }
            (Type::Ref(Space::Storage { .. }, a), Type::Ref(Space::Storage { .. }, b)) => a == b,
            (
                Type::Ref(Space::Uniform | Space::PushConstant, a),
                Type::Ref(Space::Uniform | Space::PushConstant, b),
            ) => a.same_shape(b),
            (Type::Descriptors { element: a, len: n }, Type::Descriptors { element: b, len: m }) => {
                n == m && a.same_shape(b)
            }
            (Type::Matrix(a), Type::Matrix(b)) => a.same_shape(*b),
            _ => self == other,
        }
    }

    /// Returns whether a value of this type may replace one of another. It has that type, or is a resource of the same
    /// shape. The other type may lack the coherence or push-constant property.
    pub fn stands_for(&self, wanted: &Type) -> bool {
        self == wanted || self.is_resource() && self.same_shape(wanted)
    }

    /// Returns the type of a value read from memory of this type. Matrices are row by row without gaps.
    pub fn as_value(&self) -> Type {
        match self {
            Type::Matrix(m) => Type::Matrix(m.as_value()),
            Type::Array { element, len, stride } if element.holds_matrix() => {
                Type::Array { element: Arc::new(element.as_value()), len: *len, stride: *stride }
            }
            Type::Struct(s) if self.holds_matrix() => {
                let fields = s.fields.iter().map(|f| Field { ty: f.ty.as_value(), ..f.clone() }).collect();
                Type::Struct(Arc::new(StructType { fields, ..(**s).clone() }))
            }
            other => other.clone(),
        }
    }

    fn holds_matrix(&self) -> bool {
        match self {
            Type::Matrix(_) => true,
            Type::Array { element, .. } => element.holds_matrix(),
            Type::Struct(s) => s.fields.iter().any(|f| f.ty.holds_matrix()),
            _ => false,
        }
    }
}
