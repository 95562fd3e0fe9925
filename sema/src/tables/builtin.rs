//! The built-in objects, by the tag of their declaration in `stdlib/`: `[[wgc::builtin("node_output")]]`.
//!
//! Their methods and template parameters are text in `stdlib/`. This table has the facts that the compiler needs
//! itself: which objects are node inputs and outputs, and the kind of each resource.

use wgc_ir::{AllocScope, Heap, ImageDim};

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
    /// `AppendStructuredBuffer`, `ConsumeStructuredBuffer`: a writable structured buffer, used through its counter.
    CountedBuffer,
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
    /// `FeedbackTexture2D` and its array: declared in files shared with pixel shaders, never compiled.
    FeedbackTexture,
    /// `SubpassInput`: declared in shared files, never compiled.
    SubpassInput,
    /// `RasterizerOrderedTexture2D` and related types: declared in shared files, never compiled.
    RasterizerOrdered,
    /// A type that inline SPIR-V spells out: declared by headers, not compiled.
    SpirvType,
    /// An object of one thread; only locals and parameters have this type.
    RayQuery,
    Subobject(Subobject),
    /// `ResourceDescriptorHeap`, `SamplerDescriptorHeap`
    Heap(Heap),
    /// The element at an index of a heap, before its type is known.
    HeapElement(Heap),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Input {
    pub kind: InputKind,
    pub read_write: bool,
}

/// The owner of an input's record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum InputKind {
    Dispatch,
    Group,
    Thread,
    Empty,
}

impl Input {
    /// Returns the launch modes of the nodes that may have such an input, the commonest first.
    pub fn launches(self) -> &'static [wgc_ir::Launch] {
        match self.kind {
            InputKind::Dispatch => &[wgc_ir::Launch::Broadcasting, wgc_ir::Launch::Mesh],
            InputKind::Group | InputKind::Empty => &[wgc_ir::Launch::Coalescing],
            InputKind::Thread => &[wgc_ir::Launch::Thread],
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Subobject {
    GlobalRootSignature,
    LocalRootSignature,
    SubobjectToExportsAssociation,
    /// Accepted without effect: ray-tracing configuration and the like.
    Other,
    /// An object of the effect framework, left out with a warning.
    Effect,
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

/// Tags of declarations.
pub const TABLE: &[(&str, Builtin)] = &[
    ("dispatch_node_input", input(InputKind::Dispatch, false)),
    ("rw_dispatch_node_input", input(InputKind::Dispatch, true)),
    ("group_node_input", input(InputKind::Group, false)),
    ("rw_group_node_input", input(InputKind::Group, true)),
    ("thread_node_input", input(InputKind::Thread, false)),
    ("rw_thread_node_input", input(InputKind::Thread, true)),
    ("empty_node_input", input(InputKind::Empty, false)),
    ("node_output", output(false, false)),
    ("node_output_array", output(true, false)),
    ("empty_node_output", output(false, true)),
    ("empty_node_output_array", output(true, true)),
    ("thread_node_output_records", B::OutputRecords(AllocScope::Thread)),
    ("group_node_output_records", B::OutputRecords(AllocScope::Group)),
    ("structured_buffer", B::StructuredBuffer { writable: false }),
    ("rw_structured_buffer", B::StructuredBuffer { writable: true }),
    ("append_structured_buffer", B::CountedBuffer),
    ("consume_structured_buffer", B::CountedBuffer),
    ("byte_address_buffer", B::ByteAddressBuffer { writable: false }),
    ("rw_byte_address_buffer", B::ByteAddressBuffer { writable: true }),
    ("buffer", B::TypedBuffer { writable: false }),
    ("rw_buffer", B::TypedBuffer { writable: true }),
    ("constant_buffer", B::ConstantBuffer),
    ("texture_buffer", B::TextureBuffer),
    ("texture_1d", texture(D::D1, false, false, false)),
    ("texture_1d_array", texture(D::D1, true, false, false)),
    ("texture_2d", texture(D::D2, false, false, false)),
    ("texture_2d_array", texture(D::D2, true, false, false)),
    ("texture_2d_ms", texture(D::D2, false, true, false)),
    ("texture_2d_ms_array", texture(D::D2, true, true, false)),
    ("texture_3d", texture(D::D3, false, false, false)),
    ("texture_cube", texture(D::Cube, false, false, false)),
    ("texture_cube_array", texture(D::Cube, true, false, false)),
    ("rw_texture_1d", texture(D::D1, false, false, true)),
    ("rw_texture_1d_array", texture(D::D1, true, false, true)),
    ("rw_texture_2d", texture(D::D2, false, false, true)),
    ("rw_texture_2d_array", texture(D::D2, true, false, true)),
    ("rw_texture_3d", texture(D::D3, false, false, true)),
    ("rw_texture_2d_ms", texture(D::D2, false, true, true)),
    ("rw_texture_2d_ms_array", texture(D::D2, true, true, true)),
    ("sampler", B::Sampler { comparison: false }),
    ("sampler_comparison", B::Sampler { comparison: true }),
    ("acceleration_structure", B::AccelerationStructure),
    ("feedback_texture", B::FeedbackTexture),
    ("subpass_input", B::SubpassInput),
    ("rasterizer_ordered", B::RasterizerOrdered),
    ("spirv_type", B::SpirvType),
    ("ray_query", B::RayQuery),
    ("global_root_signature", B::Subobject(Subobject::GlobalRootSignature)),
    ("local_root_signature", B::Subobject(Subobject::LocalRootSignature)),
    ("subobject_association", B::Subobject(Subobject::SubobjectToExportsAssociation)),
    ("subobject", B::Subobject(Subobject::Other)),
    ("effect", B::Subobject(Subobject::Effect)),
    ("resource_heap", B::Heap(Heap::Resource)),
    ("sampler_heap", B::Heap(Heap::Sampler)),
    ("resource_heap_element", B::HeapElement(Heap::Resource)),
    ("sampler_heap_element", B::HeapElement(Heap::Sampler)),
];

impl Builtin {
    /// Returns the tag as the table spells it, and its object.
    pub fn find(tag: &str) -> Option<(&'static str, Builtin)> {
        TABLE.iter().find(|(name, _)| *name == tag).copied()
    }

    /// Returns whether this is a node input, an output or a set of output records. [`crate::contracts::node`] checks
    /// those.
    pub fn is_node_object(self) -> bool {
        matches!(self, Builtin::Input(_) | Builtin::Output { .. } | Builtin::OutputRecords(_))
    }

    /// Returns whether this is the record of a whole grid that all its groups read and write.
    pub fn is_shared_input(self) -> bool {
        matches!(self, Builtin::Input(Input { kind: InputKind::Dispatch, read_write: true }))
    }

    /// Returns whether a host binds such an object.
    pub fn is_resource(self) -> bool {
        self.register_class().is_some()
    }

    /// Returns the heap that holds resources of this kind.
    pub fn heap(self) -> Option<Heap> {
        match self {
            Builtin::Sampler { .. } => Some(Heap::Sampler),
            _ => self.is_resource().then_some(Heap::Resource),
        }
    }

    /// Returns the letter of its registers; `None` for objects without registers.
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
            Builtin::TextureBuffer | Builtin::AccelerationStructure | Builtin::SubpassInput => 't',
            // A global of this type is defined by its storage class; hosts bind most of them.
            Builtin::SpirvType => 't',
            Builtin::CountedBuffer | Builtin::FeedbackTexture | Builtin::RasterizerOrdered => 'u',
            Builtin::ConstantBuffer => 'b',
            Builtin::Sampler { .. } => 's',
            Builtin::Input(_)
            | Builtin::Output { .. }
            | Builtin::OutputRecords(_)
            | Builtin::RayQuery
            | Builtin::Heap(_)
            | Builtin::HeapElement(_)
            | Builtin::Subobject(_) => return None,
        })
    }
}
