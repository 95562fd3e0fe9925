//! SPIR-V types as an enumeration. The layout (Offset, ArrayStride) is in the module's decorations.

use crate::module::Id;
use spirv::StorageClass;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Type {
    Void,
    Bool,
    Int {
        width: u32,
        signed: bool,
    },
    Float {
        width: u32,
    },
    Vector {
        component: Id,
        count: u32,
    },
    Matrix {
        column: Id,
        columns: u32,
    },
    /// `length` is the id of a constant.
    Array {
        element: Id,
        length: Id,
    },
    RuntimeArray {
        element: Id,
    },
    Struct {
        members: Vec<Id>,
    },
    Pointer {
        class: StorageClass,
        pointee: Id,
    },
    Function {
        result: Id,
        parameters: Vec<Id>,
    },
    Image(ImageType),
    Sampler,
    SampledImage {
        image: Id,
    },
    /// SPV_AMDX_shader_enqueue: an array of payloads with a length known at run time.
    NodePayloadArray {
        payload: Id,
    },
    /// Any other type, by opcode.
    Other {
        opcode: u16,
    },
}

/// The operands of OpTypeImage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ImageType {
    /// Type of a texel's component.
    pub sampled_type: Id,
    pub dim: spirv::Dim,
    pub arrayed: bool,
    pub multisampled: bool,
    /// 1: sampled, 2: storage, 0: known at run time.
    pub sampled: u32,
    pub format: spirv::ImageFormat,
}

impl Type {
    /// Returns whether the type is a number or a boolean.
    pub fn is_scalar(&self) -> bool {
        matches!(self, Type::Bool | Type::Int { .. } | Type::Float { .. })
    }
}
