//! The external interface of an entry point: bound resources, input and output records, the emitted mesh.

use super::Row;
use crate::mesh::MeshShape;
use std::sync::Arc;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SlotKind {
    StorageBuffer,
    UniformBuffer,
    StorageImage,
    SampledImage,
    StorageTexels,
    SampledTexels,
    Sampler,
    CombinedImage,
    AccelerationStructure,
}

/// A variable that the host binds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slot {
    pub set: u32,
    pub binding: u32,
    pub kind: SlotKind,
    /// For messages.
    pub name: String,
    /// Its pointer's row: a buffer's address, or a descriptor pointer for arrays, images and samplers.
    pub row: Row,
    pub direct: bool,
}

/// A payload array type that the entry point allocates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Output {
    pub node: String,
    pub base_index: u32,
    /// Base index included; None: unbounded.
    pub array_size: Option<u32>,
    pub sparse: bool,
    pub max_payloads: u32,
    /// The output whose limit it counts against: itself if it has its own.
    pub limit_of: u32,
    /// Bytes from record to record.
    pub stride: u32,
}

/// The entry point's input payload.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    pub row: Row,
    pub stride: u32,
    pub max_payloads: u32,
    /// TrackFinishWritingAMDX.
    pub tracks_finish: bool,
    /// Offset, components and bytes of each, of the dispatch grid inside a record.
    pub grid: Option<(u32, u32, u32)>,
}

/// The memory in which a mesh shader's workgroup collects its mesh.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MeshMemory {
    pub shape: Arc<MeshShape>,
    pub bytes: u32,
    /// Row of a variable's pointer, and the offset of the variable.
    pub pointers: Vec<(Row, u32)>,
}
