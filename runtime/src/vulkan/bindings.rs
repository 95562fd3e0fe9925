//! Samplers, and descriptor sets made from a list of resources.

use std::collections::BTreeMap;
use std::rc::Rc;

use vulkanalia::prelude::v1_2::*;

use super::gpu::Gpu;
use super::image::{Image, vulkan_format};
use super::instance::failed;
use super::memory::Buffer;
use super::scene::Scene;
use crate::device::{
    AccelerationStructureId, AddressMode, BufferId, CompareOp, DeviceError, Filter, ImageFormat, ImageId,
    ResourceBinding, Resources, Result, SamplerDesc, SamplerId,
};

pub(super) struct Sampler {
    gpu: Rc<Gpu>,
    handle: vk::Sampler,
}

impl Sampler {
    pub fn new(gpu: &Rc<Gpu>, desc: SamplerDesc) -> Result<Self> {
        let filter = |filter| match filter {
            Filter::Nearest => vk::Filter::NEAREST,
            Filter::Linear => vk::Filter::LINEAR,
        };
        let address = |address| match address {
            AddressMode::Wrap => Ok(vk::SamplerAddressMode::REPEAT),
            AddressMode::Mirror => Ok(vk::SamplerAddressMode::MIRRORED_REPEAT),
            AddressMode::Clamp => Ok(vk::SamplerAddressMode::CLAMP_TO_EDGE),
            AddressMode::Border => Ok(vk::SamplerAddressMode::CLAMP_TO_BORDER),
            AddressMode::MirrorOnce if gpu.mirrors_once => Ok(vk::SamplerAddressMode::MIRROR_CLAMP_TO_EDGE),
            AddressMode::MirrorOnce => {
                Err(DeviceError::new("the device does not mirror once (samplerMirrorClampToEdge)"))
            }
        };
        let border = match desc.border {
            [false, false, false, false] => vk::BorderColor::FLOAT_TRANSPARENT_BLACK,
            [false, false, false, true] => vk::BorderColor::FLOAT_OPAQUE_BLACK,
            [true, true, true, true] => vk::BorderColor::FLOAT_OPAQUE_WHITE,
            other => return Err(DeviceError::new(format!("no device has the border {other:?}"))),
        };
        let compare = match desc.compare.unwrap_or(CompareOp::Never) {
            CompareOp::Never => vk::CompareOp::NEVER,
            CompareOp::Less => vk::CompareOp::LESS,
            CompareOp::Equal => vk::CompareOp::EQUAL,
            CompareOp::LessEqual => vk::CompareOp::LESS_OR_EQUAL,
            CompareOp::Greater => vk::CompareOp::GREATER,
            CompareOp::NotEqual => vk::CompareOp::NOT_EQUAL,
            CompareOp::GreaterEqual => vk::CompareOp::GREATER_OR_EQUAL,
            CompareOp::Always => vk::CompareOp::ALWAYS,
        };
        let info = vk::SamplerCreateInfo::builder()
            .mag_filter(filter(desc.magnify))
            .min_filter(filter(desc.minify))
            .mipmap_mode(match desc.mips {
                Filter::Nearest => vk::SamplerMipmapMode::NEAREST,
                Filter::Linear => vk::SamplerMipmapMode::LINEAR,
            })
            .address_mode_u(address(desc.address[0])?)
            .address_mode_v(address(desc.address[1])?)
            .address_mode_w(address(desc.address[2])?)
            .border_color(border)
            .compare_enable(desc.compare.is_some())
            .compare_op(compare)
            .mip_lod_bias(desc.bias)
            .min_lod(desc.min_lod)
            .max_lod(desc.max_lod);
        // SAFETY: the structure asks for core features only.
        let handle = unsafe { gpu.device.create_sampler(&info, None) }.map_err(failed("make a sampler"))?;
        Ok(Self { gpu: gpu.clone(), handle })
    }
}

impl Drop for Sampler {
    fn drop(&mut self) {
        // SAFETY: submissions are waited for.
        unsafe { self.gpu.device.destroy_sampler(self.handle, None) };
    }
}

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
    /// Two resources at one place, an unknown resource, more sets than the device binds, a buffer that is larger than a
    /// descriptor can show.
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
            if count(&binding.resources) == 0 {
                return Err(at(binding.set, binding.binding, "an array of resources has no element"));
            }
            if by_place.insert((binding.set, binding.binding), &binding.resources).is_some() {
                return Err(at(binding.set, binding.binding, "two resources are bound to one place"));
            }
        }
        let set_count = by_place.keys().map(|&(set, _)| u64::from(set) + 1).max().unwrap_or(0);
        if set_count > u64::from(gpu.raw_limits.max_bound_descriptor_sets) {
            return Err(DeviceError::new(format!(
                "{set_count} descriptor sets are used, but the device binds {} at most",
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
        for (&(set, binding), resources) in &by_place {
            if let Some(&target) = made.sets.get(set as usize) {
                if let Resources::AccelerationStructures(ids) = resources {
                    let handles = ids.iter().map(|&id| scene(id).map(Scene::handle)).collect::<Result<Vec<_>>>()?;
                    made.write_scenes(target, binding, &handles);
                    continue;
                }
                made.write(target, (set, binding), resources, &buffer, &image, &sampler)?;
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
        let slots: Vec<_> = bindings
            .map(|(binding, resources)| {
                vk::DescriptorSetLayoutBinding::builder()
                    .binding(binding)
                    .descriptor_type(descriptor_type(resources))
                    .descriptor_count(count(resources))
                    .stage_flags(vk::ShaderStageFlags::COMPUTE)
            })
            .collect();
        let info = vk::DescriptorSetLayoutCreateInfo::builder().bindings(&slots);
        // SAFETY: the structures live until after the call.
        let layout = unsafe { self.gpu.device.create_descriptor_set_layout(&info, None) }
            .map_err(failed("make a descriptor set layout"))?;
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
                self.gpu.device.create_descriptor_pool(&info, None).map_err(failed("make a descriptor pool"))?;
            let info = vk::DescriptorSetAllocateInfo::builder().descriptor_pool(self.pool).set_layouts(&self.layouts);
            self.sets = self.gpu.device.allocate_descriptor_sets(&info).map_err(failed("make descriptor sets"))?;
        }
        Ok(())
    }

    fn write_scenes(&mut self, set: vk::DescriptorSet, binding: u32, handles: &[vk::AccelerationStructureKHR]) {
        let mut structures = vk::WriteDescriptorSetAccelerationStructureKHR::builder().acceleration_structures(handles);
        let mut write = vk::WriteDescriptorSet::builder()
            .dst_set(set)
            .dst_binding(binding)
            .descriptor_type(vk::DescriptorType::ACCELERATION_STRUCTURE_KHR)
            .push_next(&mut structures);
        write.descriptor_count = handles.len() as u32;
        // SAFETY: as in `write`.
        unsafe { self.gpu.device.update_descriptor_sets(&[write], &[] as &[vk::CopyDescriptorSet]) };
    }

    fn write<'a>(
        &mut self,
        set: vk::DescriptorSet,
        place: (u32, u32),
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
                        let reason = format!("a buffer of {} bytes; the device shows {most} at most", buffer.bytes);
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
            // They are written by `write_scenes`.
            Resources::AccelerationStructures(_) => return Ok(()),
            Resources::Samplers(ids) => {
                for &id in ids {
                    images.push(vk::DescriptorImageInfo::builder().sampler(sampler(id)?.handle));
                }
            }
        }
        let write = vk::WriteDescriptorSet::builder()
            .dst_set(set)
            .dst_binding(place.1)
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

/// A buffer as texels of a format.
fn texel_view(gpu: &Gpu, buffer: &Buffer, format: ImageFormat) -> Result<vk::BufferView> {
    let whole = buffer.bytes / u64::from(format.texel_bytes());
    let most = u64::from(gpu.raw_limits.max_texel_buffer_elements);
    if whole == 0 || whole > most {
        return Err(DeviceError::new(format!("a buffer of {whole} texels: the device shows 1 to {most}")));
    }
    let info = vk::BufferViewCreateInfo::builder()
        .buffer(buffer.handle)
        .format(vulkan_format(format))
        .offset(buffer.start)
        .range(whole * u64::from(format.texel_bytes()));
    // SAFETY: the buffer is alive, has both texel usages, and holds the range.
    unsafe { gpu.device.create_buffer_view(&info, None) }.map_err(failed("make a view of a buffer"))
}

fn at(set: u32, binding: u32, what: &str) -> DeviceError {
    DeviceError::new(format!("set {set}, binding {binding}: {what}"))
}

fn count(resources: &Resources) -> u32 {
    let length = match resources {
        Resources::StorageBuffers(ids) | Resources::UniformBuffers(ids) => ids.len(),
        Resources::StorageImages(ids) | Resources::SampledImages(ids) => ids.len(),
        Resources::StorageTexels(list) | Resources::SampledTexels(list) => list.len(),
        Resources::Samplers(ids) => ids.len(),
        Resources::AccelerationStructures(ids) => ids.len(),
    };
    u32::try_from(length).unwrap_or(u32::MAX)
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
    }
}
