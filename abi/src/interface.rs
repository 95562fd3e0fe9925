//! What a host sees of a compiled program, on either target: nodes with their records, and resources with their names.

use crate::NodeName;
use crate::layout::{LayoutType, StructLayout};
use crate::local_root::LocalRoots;
use serde::{Deserialize, Serialize};

/// Reflection of one program. Order is declaration order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Interface {
    pub nodes: Vec<NodeInterface>,
    pub bindings: Vec<BindingInterface>,
    /// What nodes find in a table and not in bindings; only where the target has such tables.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub local_roots: Option<LocalRoots>,
    /// The user's push constants; offsets count from the block's own start, whatever the target puts before it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub push_constants: Option<PushConstants>,
    /// Those that the program reads, or its graph.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub spec_constants: Vec<SpecConstant>,
    /// Entry points of a program of compute shaders; a graph has none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub compute: Vec<String>,
}

/// A specialisation constant. In an emulated package it has its value; a host of another module may give its SpecId
/// another one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SpecConstant {
    /// SpecId
    pub id: u32,
    /// Name of the variable.
    pub name: String,
    #[serde(rename = "type")]
    pub ty: crate::LayoutScalar,
    /// Of the default: the bits, zero-extended.
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
    /// In the resolved entry set: the host may send it records.
    pub entry: bool,
    /// The input record; `None` when the node takes empty records.
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
    /// Elements of an array of resources: 1 for a single one, 0 for as many as the host binds.
    pub count: u32,
    pub kind: BindingKind,
    /// As the source has it: `('u', 0)` in `space`, or nothing when it was assigned.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub register: Option<Register>,
    /// It is a view of this heap: the array of its elements as resources of the type that the name says in `<>`. All views
    /// of a heap have one set and binding.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub heap: Option<Heap>,
    /// It holds the counter (one u32) of the buffer of this name, one for each element of an array.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub counter_of: Option<String>,
}

/// What the host keeps descriptors of several types in, for shaders to choose from by index.
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
    /// `Buffer`, `RWBuffer`: a texel buffer. `components` of `texel` as the source declares them.
    TexelBuffer {
        writable: bool,
        texel: crate::LayoutScalar,
        components: u32,
    },
    Sampler,
    AccelerationStructure,
}

/// The shape of a texture, and its texels as the source declares them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Texture {
    /// 1, 2 or 3; the faces of a cube have 2.
    pub dimensions: u32,
    pub arrayed: bool,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub cube: bool,
    /// Of several samples.
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
