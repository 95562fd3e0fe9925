//! The descriptors bound to each slot: single descriptors, arrays of one kind, and heaps.

use crate::device::{AccelerationStructureId, BufferId, ImageId, SamplerId};
use crate::format::ImageFormat;

/// One resource of a [`BindingsId`](crate::device::BindingsId). Arrays of resources have one element per array index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResourceBinding {
    pub set: u32,
    pub binding: u32,
    pub resources: Resources,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Resources {
    StorageBuffers(Vec<BufferId>),
    UniformBuffers(Vec<BufferId>),
    StorageImages(Vec<ImageId>),
    SampledImages(Vec<ImageId>),
    /// Buffers whose elements are texels of a format.
    StorageTexels(Vec<(BufferId, ImageFormat)>),
    SampledTexels(Vec<(BufferId, ImageFormat)>),
    Samplers(Vec<SamplerId>),
    AccelerationStructures(Vec<AccelerationStructureId>),
    /// Descriptors of any kinds, possibly with holes; shaders see the heap as several arrays.
    Heap(Vec<Descriptor>),
}

/// A resource as shaders see it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Descriptor {
    /// An index of a heap that no shader may use.
    Nothing,
    StorageBuffer(BufferId),
    UniformBuffer(BufferId),
    StorageImage(ImageId),
    SampledImage(ImageId),
    StorageTexels(BufferId, ImageFormat),
    SampledTexels(BufferId, ImageFormat),
    Sampler(SamplerId),
    AccelerationStructure(AccelerationStructureId),
}

impl Resources {
    /// Returns the descriptors by array index.
    pub fn descriptors(&self) -> Vec<Descriptor> {
        use Descriptor as D;
        match self {
            Resources::StorageBuffers(ids) => ids.iter().copied().map(D::StorageBuffer).collect(),
            Resources::UniformBuffers(ids) => ids.iter().copied().map(D::UniformBuffer).collect(),
            Resources::StorageImages(ids) => ids.iter().copied().map(D::StorageImage).collect(),
            Resources::SampledImages(ids) => ids.iter().copied().map(D::SampledImage).collect(),
            Resources::StorageTexels(list) => list.iter().map(|&(b, format)| D::StorageTexels(b, format)).collect(),
            Resources::SampledTexels(list) => list.iter().map(|&(b, format)| D::SampledTexels(b, format)).collect(),
            Resources::Samplers(ids) => ids.iter().copied().map(D::Sampler).collect(),
            Resources::AccelerationStructures(ids) => ids.iter().copied().map(D::AccelerationStructure).collect(),
            Resources::Heap(list) => list.clone(),
        }
    }

    pub fn len(&self) -> usize {
        match self {
            Resources::StorageBuffers(ids) | Resources::UniformBuffers(ids) => ids.len(),
            Resources::StorageImages(ids) | Resources::SampledImages(ids) => ids.len(),
            Resources::StorageTexels(list) | Resources::SampledTexels(list) => list.len(),
            Resources::Samplers(ids) => ids.len(),
            Resources::AccelerationStructures(ids) => ids.len(),
            Resources::Heap(list) => list.len(),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl From<Descriptor> for Resources {
    /// Makes an array of one; no descriptor becomes a heap with a hole.
    fn from(descriptor: Descriptor) -> Resources {
        use Descriptor as D;
        match descriptor {
            D::Nothing => Resources::Heap(vec![D::Nothing]),
            D::StorageBuffer(id) => Resources::StorageBuffers(vec![id]),
            D::UniformBuffer(id) => Resources::UniformBuffers(vec![id]),
            D::StorageImage(id) => Resources::StorageImages(vec![id]),
            D::SampledImage(id) => Resources::SampledImages(vec![id]),
            D::StorageTexels(id, format) => Resources::StorageTexels(vec![(id, format)]),
            D::SampledTexels(id, format) => Resources::SampledTexels(vec![(id, format)]),
            D::Sampler(id) => Resources::Samplers(vec![id]),
            D::AccelerationStructure(id) => Resources::AccelerationStructures(vec![id]),
        }
    }
}
