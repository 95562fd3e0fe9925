//! Descriptor sets created from a list of resources.
//!
//! A heap is an array of mutable descriptors (`VK_EXT_mutable_descriptor_type`), unless all its resources have one
//! type. Indexes without a resource stay unwritten; shaders that never use them are unaffected
//! (`descriptorBindingPartiallyBound`).

use std::collections::BTreeMap;
use std::rc::Rc;

use vulkanalia::prelude::v1_2::*;

use super::features::{MUTABLE_DESCRIPTORS, PARTIALLY_BOUND};
use super::gpu::Gpu;
use super::image::{Image, vulkan_format};
use super::instance::failed;
use super::memory::Buffer;
use super::sampler::Sampler;
use super::scene::Scene;
use crate::device::{
    AccelerationStructureId, BufferId, Descriptor, DeviceError, ImageFormat, ImageId, ResourceBinding, Resources,
    Result, SamplerId,
};

/// Descriptor sets 0 to the highest that is used, with their layouts; sets in between may be empty.
pub(super) struct Bindings {
    gpu: Rc<Gpu>,
    layouts: Vec<vk::DescriptorSetLayout>,
    pool: vk::DescriptorPool,
    sets: Vec<vk::DescriptorSet>,
    texel_views: Vec<vk::BufferView>,
}

impl Bindings {
    /// # Errors
    /// Two resources at one binding, an unknown resource, or more sets than the device binds. A buffer above the size
    /// of a descriptor, or a heap of more types than the device combines.
    pub fn new<'a>(
        gpu: &Rc<Gpu>,
        bindings: &[ResourceBinding],
        buffer: impl Fn(BufferId) -> Result<&'a Buffer>,
        image: impl Fn(ImageId) -> Result<&'a Image>,
        sampler: impl Fn(SamplerId) -> Result<&'a Sampler>,
        scene: impl Fn(AccelerationStructureId) -> Result<&'a Scene>,
    ) -> Result<Self> {
        let mut by_place: BTreeMap<(u32, u32), &Resources> = BTreeMap::new();
        for binding in bindings {
            if binding.resources.is_empty() {
                return Err(at(binding.set, binding.binding, "an array of resources has no elements"));
            }
            if by_place.insert((binding.set, binding.binding), &binding.resources).is_some() {
                return Err(at(binding.set, binding.binding, "two resources have the same binding"));
            }
        }
        let set_count = by_place.keys().map(|&(set, _)| u64::from(set) + 1).max().unwrap_or(0);
        if set_count > u64::from(gpu.raw_limits.max_bound_descriptor_sets) {
            return Err(DeviceError::new(format!(
                "{set_count} descriptor sets are used; the limit of the device is {}",
                gpu.raw_limits.max_bound_descriptor_sets
            )));
        }
        let mut made = Self {
            gpu: gpu.clone(),
            layouts: Vec::new(),
            pool: vk::DescriptorPool::null(),
            sets: Vec::new(),
            texel_views: Vec::new(),
        };
        for set in 0..set_count {
            made.add_layout(by_place.iter().filter(|((s, _), _)| u64::from(*s) == set).map(|((_, b), r)| (*b, *r)))?;
        }
        made.allocate(by_place.values().copied())?;
        for (&place, resources) in &by_place {
            let Some(&target) = made.sets.get(place.0 as usize) else { continue };
            let mut write = |first: u32, resources: &Resources| match resources {
                Resources::AccelerationStructures(ids) => {
                    let handles = ids.iter().map(|&id| scene(id).map(Scene::handle)).collect::<Result<Vec<_>>>()?;
                    made.write_scenes(target, place.1, first, &handles);
                    Ok(())
                }
                _ => made.write(target, place, first, resources, &buffer, &image, &sampler),
            };
            let Resources::Heap(elements) = resources else {
                write(0, resources)?;
                continue;
            };
            for (index, element) in (0..).zip(elements).filter(|(_, element)| **element != Descriptor::Nothing) {
                write(index, &Resources::from(*element))?;
            }
        }
        Ok(made)
    }

    pub fn set_layouts(&self) -> &[vk::DescriptorSetLayout] {
        &self.layouts
    }

    pub fn sets(&self) -> &[vk::DescriptorSet] {
        &self.sets
    }

    fn add_layout<'r>(&mut self, bindings: impl Iterator<Item = (u32, &'r Resources)>) -> Result<()> {
        let (mut slots, mut flags, mut types) = (Vec::new(), Vec::new(), Vec::new());
        for (binding, resources) in bindings {
            let (ty, kinds) = (descriptor_type(resources), heap_types(resources));
            let mutable = ty == vk::DescriptorType::MUTABLE_EXT;
            if mutable && !self.gpu.support.offers(MUTABLE_DESCRIPTORS) {
                let names: Vec<String> = kinds.iter().map(|kind| format!("{kind:?}")).collect();
                return Err(DeviceError::new(format!(
                    "a heap contains {}, but the device cannot mix descriptor types at one binding ({MUTABLE_DESCRIPTORS})",
                    names.join(", ")
                )));
            }
            let is_heap = matches!(resources, Resources::Heap(_));
            let partial = is_heap && self.gpu.support.offers(PARTIALLY_BOUND);
            flags.push(if partial { vk::DescriptorBindingFlags::PARTIALLY_BOUND } else { Default::default() });
            types.push(if mutable { kinds } else { Vec::new() });
            slots.push(
                vk::DescriptorSetLayoutBinding::builder()
                    .binding(binding)
                    .descriptor_type(ty)
                    .descriptor_count(count(resources))
                    .stage_flags(self.gpu.stages()),
            );
        }
        let lists: Vec<_> =
            types.iter().map(|list| vk::MutableDescriptorTypeListEXT::builder().descriptor_types(list)).collect();
        let mut flags = vk::DescriptorSetLayoutBindingFlagsCreateInfo::builder().binding_flags(&flags);
        let mut mutable = vk::MutableDescriptorTypeCreateInfoEXT::builder().mutable_descriptor_type_lists(&lists);
        let mut info = vk::DescriptorSetLayoutCreateInfo::builder().bindings(&slots).push_next(&mut flags);
        if types.iter().any(|list| !list.is_empty()) {
            info = info.push_next(&mut mutable);
        }
        // SAFETY: the structures live until after the call.
        let layout = unsafe { self.gpu.device.create_descriptor_set_layout(&info, None) }
            .map_err(failed("create a descriptor set layout"))?;
        self.layouts.push(layout);
        Ok(())
    }

    fn allocate<'r>(&mut self, resources: impl Iterator<Item = &'r Resources>) -> Result<()> {
        let sizes: Vec<_> = resources
            .map(|r| vk::DescriptorPoolSize::builder().type_(descriptor_type(r)).descriptor_count(count(r)))
            .collect();
        if self.layouts.is_empty() || sizes.is_empty() {
            return Ok(());
        }
        let info = vk::DescriptorPoolCreateInfo::builder().max_sets(self.layouts.len() as u32).pool_sizes(&sizes);
        // SAFETY: the structures live until after the calls; the pool has room for exactly these sets.
        unsafe {
            self.pool =
                self.gpu.device.create_descriptor_pool(&info, None).map_err(failed("create a descriptor pool"))?;
            let info = vk::DescriptorSetAllocateInfo::builder().descriptor_pool(self.pool).set_layouts(&self.layouts);
            self.sets = self.gpu.device.allocate_descriptor_sets(&info).map_err(failed("create descriptor sets"))?;
        }
        Ok(())
    }

    fn write_scenes(
        &mut self,
        set: vk::DescriptorSet,
        binding: u32,
        first: u32,
        handles: &[vk::AccelerationStructureKHR],
    ) {
        let mut structures = vk::WriteDescriptorSetAccelerationStructureKHR::builder().acceleration_structures(handles);
        let mut write = vk::WriteDescriptorSet::builder()
            .dst_set(set)
            .dst_binding(binding)
            .dst_array_element(first)
            .descriptor_type(vk::DescriptorType::ACCELERATION_STRUCTURE_KHR)
            .push_next(&mut structures);
        write.descriptor_count = handles.len() as u32;
        // SAFETY: as in `write`.
        unsafe { self.gpu.device.update_descriptor_sets(&[write], &[] as &[vk::CopyDescriptorSet]) };
    }

    /// Writes the elements of a binding from `first` on; heaps and acceleration structures are written elsewhere.
    #[allow(clippy::too_many_arguments, reason = "the parts of one call of Vulkan")]
    fn write<'a>(
        &mut self,
        set: vk::DescriptorSet,
        place: (u32, u32),
        first: u32,
        resources: &Resources,
        buffer: impl Fn(BufferId) -> Result<&'a Buffer>,
        image: impl Fn(ImageId) -> Result<&'a Image>,
        sampler: impl Fn(SamplerId) -> Result<&'a Sampler>,
    ) -> Result<()> {
        let gpu = self.gpu.clone();
        let limits = &gpu.raw_limits;
        let buffer_infos = |ids: &[BufferId], most: u32| -> Result<Vec<_>> {
            ids.iter()
                .map(|&id| {
                    let buffer = buffer(id)?;
                    if buffer.range() > u64::from(most) {
                        let reason = format!("a buffer of {} bytes; the limit of the device is {most}", buffer.bytes);
                        return Err(at(place.0, place.1, &reason));
                    }
                    Ok(vk::DescriptorBufferInfo::builder()
                        .buffer(buffer.handle)
                        .offset(buffer.start)
                        .range(buffer.range()))
                })
                .collect()
        };
        let image_infos = |ids: &[ImageId]| -> Result<Vec<_>> {
            ids.iter()
                .map(|&id| {
                    Ok(vk::DescriptorImageInfo::builder()
                        .image_view(image(id)?.view())
                        .image_layout(vk::ImageLayout::GENERAL))
                })
                .collect()
        };
        let (mut buffers, mut images) = (Vec::new(), Vec::new());
        let first_view = self.texel_views.len();
        match resources {
            Resources::StorageTexels(list) | Resources::SampledTexels(list) => {
                for &(id, format) in list {
                    let view = texel_view(&gpu, buffer(id)?, format)?;
                    self.texel_views.push(view);
                }
            }
            Resources::StorageBuffers(ids) => buffers = buffer_infos(ids, limits.max_storage_buffer_range)?,
            Resources::UniformBuffers(ids) => buffers = buffer_infos(ids, limits.max_uniform_buffer_range)?,
            Resources::StorageImages(ids) | Resources::SampledImages(ids) => images = image_infos(ids)?,
            // They are written by `write_scenes`, and one by one.
            Resources::AccelerationStructures(_) | Resources::Heap(_) => return Ok(()),
            Resources::Samplers(ids) => {
                for &id in ids {
                    images.push(vk::DescriptorImageInfo::builder().sampler(sampler(id)?.handle));
                }
            }
        }
        let write = vk::WriteDescriptorSet::builder()
            .dst_set(set)
            .dst_binding(place.1)
            .dst_array_element(first)
            .descriptor_type(descriptor_type(resources));
        let views = self.texel_views.get(first_view..).unwrap_or(&[]);
        let write = match (views, images.as_slice()) {
            ([], []) => write.buffer_info(&buffers),
            ([], images) => write.image_info(images),
            (views, _) => write.texel_buffer_view(views),
        };
        // SAFETY: the infos live until after the call; the set has this binding, of this type and count, by
        // `add_layout`, and no submission uses it.
        unsafe { self.gpu.device.update_descriptor_sets(&[write], &[] as &[vk::CopyDescriptorSet]) };
        Ok(())
    }
}

impl Drop for Bindings {
    fn drop(&mut self) {
        // SAFETY: submissions are waited for; destroying a pool frees its sets, and null handles are ignored.
        unsafe {
            self.gpu.device.destroy_descriptor_pool(self.pool, None);
            for &view in &self.texel_views {
                self.gpu.device.destroy_buffer_view(view, None);
            }
            for &layout in &self.layouts {
                self.gpu.device.destroy_descriptor_set_layout(layout, None);
            }
        }
    }
}

/// Creates a view of a buffer as texels of a format.
fn texel_view(gpu: &Gpu, buffer: &Buffer, format: ImageFormat) -> Result<vk::BufferView> {
    let whole = buffer.bytes / u64::from(format.texel_bytes());
    let most = u64::from(gpu.raw_limits.max_texel_buffer_elements);
    if whole == 0 || whole > most {
        return Err(DeviceError::new(format!("a buffer of {whole} texels; the device supports 1 to {most}")));
    }
    let info = vk::BufferViewCreateInfo::builder()
        .buffer(buffer.handle)
        .format(vulkan_format(format))
        .offset(buffer.start)
        .range(whole * u64::from(format.texel_bytes()));
    // SAFETY: the buffer is alive, has both texel usages, and holds the range.
    unsafe { gpu.device.create_buffer_view(&info, None) }.map_err(failed("create a view of a buffer"))
}

fn at(set: u32, binding: u32, what: &str) -> DeviceError {
    DeviceError::new(format!("set {set}, binding {binding}: {what}"))
}

fn count(resources: &Resources) -> u32 {
    u32::try_from(resources.len()).unwrap_or(u32::MAX)
}

/// Returns the descriptor types in a heap, each once; none if the resources are not a heap.
fn heap_types(resources: &Resources) -> Vec<vk::DescriptorType> {
    let mut types = Vec::new();
    if let Resources::Heap(elements) = resources {
        for element in elements.iter().filter(|element| **element != Descriptor::Nothing) {
            let ty = descriptor_type(&Resources::from(*element));
            if !types.contains(&ty) {
                types.push(ty);
            }
        }
    }
    types
}

fn descriptor_type(resources: &Resources) -> vk::DescriptorType {
    match resources {
        Resources::StorageBuffers(_) => vk::DescriptorType::STORAGE_BUFFER,
        Resources::UniformBuffers(_) => vk::DescriptorType::UNIFORM_BUFFER,
        Resources::StorageImages(_) => vk::DescriptorType::STORAGE_IMAGE,
        Resources::SampledImages(_) => vk::DescriptorType::SAMPLED_IMAGE,
        Resources::StorageTexels(_) => vk::DescriptorType::STORAGE_TEXEL_BUFFER,
        Resources::SampledTexels(_) => vk::DescriptorType::UNIFORM_TEXEL_BUFFER,
        Resources::Samplers(_) => vk::DescriptorType::SAMPLER,
        Resources::AccelerationStructures(_) => vk::DescriptorType::ACCELERATION_STRUCTURE_KHR,
        Resources::Heap(_) => match heap_types(resources).as_slice() {
            [only] => *only,
            // An empty heap is an ordinary buffer.
            [] => vk::DescriptorType::STORAGE_BUFFER,
            _ => vk::DescriptorType::MUTABLE_EXT,
        },
    }
}
