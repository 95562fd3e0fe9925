//! The host's view of a compiled program, for both targets: nodes with their records, and resources with their names.

use crate::NodeName;
use crate::layout::{LayoutType, StructLayout};
use crate::local_root::LocalRoots;
use serde::{Deserialize, Serialize};

/// Reflection of one program, in declaration order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Interface {
    pub nodes: Vec<NodeInterface>,
    pub bindings: Vec<BindingInterface>,
    /// The resources that nodes read from a table instead of bindings; only for targets with such tables.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub local_roots: Option<LocalRoots>,
    /// The user's push constants. Offsets count from the start of the block, not of the target's push constants.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub push_constants: Option<PushConstants>,
    /// The constants that the program or its graph reads.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub spec_constants: Vec<SpecConstant>,
    /// Entry points of a program of compute shaders; empty for a graph.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub compute: Vec<String>,
}

/// A specialisation constant. An emulated package has its value built in. A host of any other module may give its
/// SpecId another value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SpecConstant {
    /// SpecId
    pub id: u32,
    /// Name of the variable.
    pub name: String,
    #[serde(rename = "type")]
    pub ty: crate::LayoutScalar,
    /// The default value's bits, zero-extended.
    pub bits: u64,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PushConstants {
    /// Name of the variable.
    pub name: String,
    pub block: StructLayout,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NodeInterface {
    #[serde(flatten)]
    pub id: NodeName,
    pub launch: NodeLaunch,
    /// The node is in the resolved entry set: the host may send it records.
    pub entry: bool,
    /// The input record; `None` if the node accepts empty records.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub record: Option<StructLayout>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NodeLaunch {
    Broadcasting,
    Coalescing,
    Thread,
    Mesh,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BindingInterface {
    /// Name of the variable in the source.
    pub name: String,
    pub set: u32,
    pub binding: u32,
    /// Elements of an array of resources: 1 for a single resource, 0 if the host decides.
    pub count: u32,
    pub kind: BindingKind,
    /// The register in the source: `('u', 0)` in `space`; `None` if it was assigned.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub register: Option<Register>,
    /// The heap that this is a view of: an array of its elements as resources of the type in the name's `<>`. All views
    /// of a heap have one set and binding.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub heap: Option<Heap>,
    /// The buffer with this counter (one u32). An array has one counter for each element.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub counter_of: Option<String>,
}

/// A store of descriptors of several types, from which shaders choose by index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Heap {
    /// `ResourceDescriptorHeap`
    Resource,
    /// `SamplerDescriptorHeap`
    Sampler,
    /// One u32 for each index of the resource heap: the counter of the buffer there.
    Counter,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Register {
    /// `b`, `t`, `u` or `s`.
    pub class: char,
    pub number: u32,
    pub space: u32,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BindingKind {
    /// Structured and byte-address buffers; elements are `stride` bytes apart.
    StorageBuffer {
        element: LayoutType,
        stride: u32,
        writable: bool,
    },
    UniformBuffer {
        block: StructLayout,
    },
    /// `RWTexture*`
    StorageImage {
        #[serde(flatten)]
        texture: Texture,
    },
    SampledImage {
        #[serde(flatten)]
        texture: Texture,
    },
    /// `Buffer`, `RWBuffer`: a texel buffer. `texel` and its `components` are as declared in the source.
    TexelBuffer {
        writable: bool,
        texel: crate::LayoutScalar,
        components: u32,
    },
    Sampler,
    AccelerationStructure,
}

/// The shape of a texture, and its texels as declared in the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Texture {
    /// 1, 2 or 3; 2 for the faces of a cube.
    pub dimensions: u32,
    pub arrayed: bool,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub cube: bool,
    /// The texture has several samples.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub multisampled: bool,
    pub texel: crate::LayoutScalar,
    pub components: u32,
}

impl Interface {
    pub fn node(&self, name: &str, index: u32) -> Option<&NodeInterface> {
        self.nodes.iter().find(|n| n.id.name == name && n.id.index == index)
    }

    pub fn binding(&self, name: &str) -> Option<&BindingInterface> {
        self.bindings.iter().find(|b| b.name == name)
    }
}
