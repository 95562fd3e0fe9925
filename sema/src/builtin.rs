//! The built-in objects by the tag of their declaration in `stdlib/`: `[[wgc::builtin("NodeOutput")]]`.
//!
//! Their methods and template parameters are text in `stdlib/`; this table says what the compiler must know of them:
//! which are node inputs and outputs, what kind of resource they are.

use wgc_ir::{AllocScope, ImageDim};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Builtin {
    Input(Input),
    Output {
        array: bool,
        empty: bool,
    },
    /// `{Thread,Group}NodeOutputRecords`
    OutputRecords(AllocScope),
    /// A buffer with elements of the template argument's type.
    StructuredBuffer {
        writable: bool,
    },
    ByteAddressBuffer {
        writable: bool,
    },
    /// `Buffer`, `RWBuffer`
    TypedBuffer {
        writable: bool,
    },
    /// `ConstantBuffer`
    ConstantBuffer,
    TextureBuffer,
    Texture {
        dim: ImageDim,
        arrayed: bool,
        multisampled: bool,
        writable: bool,
    },
    Sampler {
        comparison: bool,
    },
    AccelerationStructure,
    Subobject(Subobject),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Input {
    pub kind: InputKind,
    pub read_write: bool,
}

/// What an input's record belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum InputKind {
    Dispatch,
    Group,
    Thread,
    Empty,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Subobject {
    GlobalRootSignature,
    LocalRootSignature,
    SubobjectToExportsAssociation,
    /// Accepted without effect: ray-tracing configuration and the like.
    Other,
}

const fn input(kind: InputKind, read_write: bool) -> Builtin {
    Builtin::Input(Input { kind, read_write })
}

const fn output(array: bool, empty: bool) -> Builtin {
    Builtin::Output { array, empty }
}

const fn texture(dim: ImageDim, arrayed: bool, multisampled: bool, writable: bool) -> Builtin {
    Builtin::Texture { dim, arrayed, multisampled, writable }
}

use Builtin as B;
use ImageDim as D;

/// Tags. The tag is the name in HLSL.
pub const TABLE: &[(&str, Builtin)] = &[
    ("DispatchNodeInputRecord", input(InputKind::Dispatch, false)),
    ("RWDispatchNodeInputRecord", input(InputKind::Dispatch, true)),
    ("GroupNodeInputRecords", input(InputKind::Group, false)),
    ("RWGroupNodeInputRecords", input(InputKind::Group, true)),
    ("ThreadNodeInputRecord", input(InputKind::Thread, false)),
    ("RWThreadNodeInputRecord", input(InputKind::Thread, true)),
    ("EmptyNodeInput", input(InputKind::Empty, false)),
    ("NodeOutput", output(false, false)),
    ("NodeOutputArray", output(true, false)),
    ("EmptyNodeOutput", output(false, true)),
    ("EmptyNodeOutputArray", output(true, true)),
    ("ThreadNodeOutputRecords", B::OutputRecords(AllocScope::Thread)),
    ("GroupNodeOutputRecords", B::OutputRecords(AllocScope::Group)),
    ("StructuredBuffer", B::StructuredBuffer { writable: false }),
    ("RWStructuredBuffer", B::StructuredBuffer { writable: true }),
    ("AppendStructuredBuffer", B::StructuredBuffer { writable: true }),
    ("ConsumeStructuredBuffer", B::StructuredBuffer { writable: true }),
    ("ByteAddressBuffer", B::ByteAddressBuffer { writable: false }),
    ("RWByteAddressBuffer", B::ByteAddressBuffer { writable: true }),
    ("Buffer", B::TypedBuffer { writable: false }),
    ("RWBuffer", B::TypedBuffer { writable: true }),
    ("ConstantBuffer", B::ConstantBuffer),
    ("TextureBuffer", B::TextureBuffer),
    ("Texture1D", texture(D::D1, false, false, false)),
    ("Texture1DArray", texture(D::D1, true, false, false)),
    ("Texture2D", texture(D::D2, false, false, false)),
    ("Texture2DArray", texture(D::D2, true, false, false)),
    ("Texture2DMS", texture(D::D2, false, true, false)),
    ("Texture2DMSArray", texture(D::D2, true, true, false)),
    ("Texture3D", texture(D::D3, false, false, false)),
    ("TextureCube", texture(D::Cube, false, false, false)),
    ("TextureCubeArray", texture(D::Cube, true, false, false)),
    ("RWTexture1D", texture(D::D1, false, false, true)),
    ("RWTexture1DArray", texture(D::D1, true, false, true)),
    ("RWTexture2D", texture(D::D2, false, false, true)),
    ("RWTexture2DArray", texture(D::D2, true, false, true)),
    ("RWTexture3D", texture(D::D3, false, false, true)),
    ("SamplerState", B::Sampler { comparison: false }),
    ("SamplerComparisonState", B::Sampler { comparison: true }),
    ("RaytracingAccelerationStructure", B::AccelerationStructure),
    ("GlobalRootSignature", B::Subobject(Subobject::GlobalRootSignature)),
    ("LocalRootSignature", B::Subobject(Subobject::LocalRootSignature)),
    ("SubobjectToExportsAssociation", B::Subobject(Subobject::SubobjectToExportsAssociation)),
    ("StateObjectConfig", B::Subobject(Subobject::Other)),
];

impl Builtin {
    pub fn find(tag: &str) -> Option<Builtin> {
        TABLE.iter().find(|(name, _)| *name == tag).map(|(_, builtin)| *builtin)
    }

    /// Node inputs, outputs and records: what [`crate::node`] deals with.
    pub fn is_node_object(self) -> bool {
        matches!(self, Builtin::Input(_) | Builtin::Output { .. } | Builtin::OutputRecords(_))
    }

    /// The letter of its registers; `None` for what has no register.
    pub fn register_class(self) -> Option<char> {
        Some(match self {
            Builtin::StructuredBuffer { writable }
            | Builtin::ByteAddressBuffer { writable }
            | Builtin::TypedBuffer { writable }
            | Builtin::Texture { writable, .. } => {
                if writable {
                    'u'
                } else {
                    't'
                }
            }
            Builtin::TextureBuffer | Builtin::AccelerationStructure => 't',
            Builtin::ConstantBuffer => 'b',
            Builtin::Sampler { .. } => 's',
            Builtin::Input(_) | Builtin::Output { .. } | Builtin::OutputRecords(_) | Builtin::Subobject(_) => {
                return None;
            }
        })
    }
}
