//! Images for storage and sampled use, in the general layout for their whole life, and the copies from and to the host.

use std::rc::Rc;

use vulkanalia::prelude::v1_2::*;

use super::gpu::Gpu;
use super::instance::failed;
use super::memory::{Buffer, Memory, MemoryUse};
use crate::device::{DeviceError, ImageDesc, ImageFormat, Result};

/// Returns Vulkan's format for each of ours.
pub(super) fn vulkan_format(format: ImageFormat) -> vk::Format {
    use ImageFormat as F;
    match format {
        F::R8Unorm => vk::Format::R8_UNORM,
        F::Rg8Unorm => vk::Format::R8G8_UNORM,
        F::Rgba8Unorm => vk::Format::R8G8B8A8_UNORM,
        F::R8Snorm => vk::Format::R8_SNORM,
        F::Rg8Snorm => vk::Format::R8G8_SNORM,
        F::Rgba8Snorm => vk::Format::R8G8B8A8_SNORM,
        F::R8Uint => vk::Format::R8_UINT,
        F::Rg8Uint => vk::Format::R8G8_UINT,
        F::Rgba8Uint => vk::Format::R8G8B8A8_UINT,
        F::R8Sint => vk::Format::R8_SINT,
        F::Rg8Sint => vk::Format::R8G8_SINT,
        F::Rgba8Sint => vk::Format::R8G8B8A8_SINT,
        F::R16Unorm => vk::Format::R16_UNORM,
        F::Rg16Unorm => vk::Format::R16G16_UNORM,
        F::Rgba16Unorm => vk::Format::R16G16B16A16_UNORM,
        F::R16Snorm => vk::Format::R16_SNORM,
        F::Rg16Snorm => vk::Format::R16G16_SNORM,
        F::Rgba16Snorm => vk::Format::R16G16B16A16_SNORM,
        F::R16Uint => vk::Format::R16_UINT,
        F::Rg16Uint => vk::Format::R16G16_UINT,
        F::Rgba16Uint => vk::Format::R16G16B16A16_UINT,
        F::R16Sint => vk::Format::R16_SINT,
        F::Rg16Sint => vk::Format::R16G16_SINT,
        F::Rgba16Sint => vk::Format::R16G16B16A16_SINT,
        F::R16Float => vk::Format::R16_SFLOAT,
        F::Rg16Float => vk::Format::R16G16_SFLOAT,
        F::Rgba16Float => vk::Format::R16G16B16A16_SFLOAT,
        F::R32Uint => vk::Format::R32_UINT,
        F::Rg32Uint => vk::Format::R32G32_UINT,
        F::Rgba32Uint => vk::Format::R32G32B32A32_UINT,
        F::R32Sint => vk::Format::R32_SINT,
        F::Rg32Sint => vk::Format::R32G32_SINT,
        F::Rgba32Sint => vk::Format::R32G32B32A32_SINT,
        F::R32Float => vk::Format::R32_SFLOAT,
        F::Rg32Float => vk::Format::R32G32_SFLOAT,
        F::Rgba32Float => vk::Format::R32G32B32A32_SFLOAT,
        F::R64Uint => vk::Format::R64_UINT,
        F::R64Sint => vk::Format::R64_SINT,
        F::D32Float => vk::Format::D32_SFLOAT,
    }
}

/// An image with its memory and its view.
pub(super) struct Image {
    view: View,
    image: Bare,
    _memory: Memory,
    desc: ImageDesc,
    bytes: usize,
}

struct Bare {
    gpu: Rc<Gpu>,
    handle: vk::Image,
}

impl Drop for Bare {
    fn drop(&mut self) {
        // SAFETY: submissions are waited for, and the view is dropped before.
        unsafe { self.gpu.device.destroy_image(self.handle, None) };
    }
}

struct View {
    gpu: Rc<Gpu>,
    handle: vk::ImageView,
}

impl Drop for View {
    fn drop(&mut self) {
        // SAFETY: submissions are waited for.
        unsafe { self.gpu.device.destroy_image_view(self.handle, None) };
    }
}

impl Image {
    /// Creates an image whose contents are undefined until [`Image::record_clear`] has run.
    ///
    /// # Errors
    /// A size that is zero or exceeds the device's limits, a format that the device cannot store to.
    pub fn new(gpu: &Rc<Gpu>, desc: ImageDesc) -> Result<Self> {
        let (image_type, most) = match desc.dimensions {
            1 => (vk::ImageType::_1D, gpu.raw_limits.max_image_dimension_1d),
            2 if desc.cube => (vk::ImageType::_2D, gpu.raw_limits.max_image_dimension_cube),
            2 => (vk::ImageType::_2D, gpu.raw_limits.max_image_dimension_2d),
            3 => (vk::ImageType::_3D, gpu.raw_limits.max_image_dimension_3d),
            other => return Err(DeviceError::new(format!("an image must have 1, 2 or 3 dimensions, not {other}"))),
        };
        let view_type = match (desc.dimensions, desc.cube, desc.arrayed) {
            (1, _, false) => vk::ImageViewType::_1D,
            (1, _, true) => vk::ImageViewType::_1D_ARRAY,
            (2, true, false) => vk::ImageViewType::CUBE,
            (2, true, true) => vk::ImageViewType::CUBE_ARRAY,
            (2, false, false) => vk::ImageViewType::_2D,
            (2, false, true) => vk::ImageViewType::_2D_ARRAY,
            _ => vk::ImageViewType::_3D,
        };
        let bytes = checked_bytes(desc, most, gpu.raw_limits.max_image_array_layers)?;
        let format = vulkan_format(desc.format);
        // SAFETY: the physical device is of this instance.
        let supported = unsafe { gpu.instance.raw.get_physical_device_format_properties(gpu.physical, format) }
            .optimal_tiling_features;
        if !supported.contains(vk::FormatFeatureFlags::SAMPLED_IMAGE) {
            return Err(DeviceError::new(format!(
                "the device {} does not support images of format {}",
                gpu.info.name,
                desc.format.name()
            )));
        }
        let mut usage =
            vk::ImageUsageFlags::SAMPLED | vk::ImageUsageFlags::TRANSFER_SRC | vk::ImageUsageFlags::TRANSFER_DST;
        // A format that cannot be stored to can still be sampled; binding it as a storage image is the device's error.
        let stores = supported.contains(vk::FormatFeatureFlags::STORAGE_IMAGE);
        if stores && (desc.samples == 1 || gpu.raw_limits.storage_image_sample_counts.bits() & desc.samples != 0) {
            usage |= vk::ImageUsageFlags::STORAGE;
        }
        if gpu.raw_limits.sampled_image_color_sample_counts.bits() & desc.samples == 0 {
            return Err(DeviceError::new(format!("the device does not support images with {} samples", desc.samples)));
        }
        let flags = if desc.cube { vk::ImageCreateFlags::CUBE_COMPATIBLE } else { vk::ImageCreateFlags::empty() };
        let [width, height, depth] = desc.size;
        let info = vk::ImageCreateInfo::builder()
            .flags(flags)
            .image_type(image_type)
            .format(format)
            .extent(vk::Extent3D { width, height, depth })
            .mip_levels(desc.levels)
            .array_layers(desc.layers)
            .samples(vk::SampleCountFlags::from_bits_truncate(desc.samples))
            .tiling(vk::ImageTiling::OPTIMAL)
            .usage(usage)
            .sharing_mode(vk::SharingMode::EXCLUSIVE)
            .initial_layout(vk::ImageLayout::UNDEFINED);
        // SAFETY: size and format were checked against the device.
        let handle = unsafe { gpu.device.create_image(&info, None) }.map_err(failed("create an image"))?;
        let image = Bare { gpu: gpu.clone(), handle };
        // SAFETY: the image is alive.
        let need = unsafe { gpu.device.get_image_memory_requirements(handle) };
        let memory = Memory::new(gpu, need, MemoryUse::Device, false)?;
        // SAFETY: the memory fits the image's needs, and no other memory is bound.
        unsafe { gpu.device.bind_image_memory(handle, memory.handle, 0) }
            .map_err(failed("bind the memory of an image"))?;
        let view_info = vk::ImageViewCreateInfo::builder()
            .image(handle)
            .view_type(view_type)
            .format(format)
            .subresource_range(all(desc));
        // SAFETY: the image has memory; the view has its format.
        let view = unsafe { gpu.device.create_image_view(&view_info, None) }.map_err(failed("create an image view"))?;
        Ok(Self { view: View { gpu: gpu.clone(), handle: view }, image, _memory: memory, desc, bytes })
    }

    pub fn view(&self) -> vk::ImageView {
        self.view.handle
    }

    /// Returns the size of the packed texels.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// Creates a buffer with `texels`, to be copied by [`Image::record_upload`].
    pub fn upload_staging(&self, texels: &[u8]) -> Result<Buffer> {
        self.copies()?;
        if texels.len() != self.bytes {
            return Err(DeviceError::new(format!(
                "{} bytes of texels for an image of {} bytes",
                texels.len(),
                self.bytes
            )));
        }
        let mut staging = Buffer::staging(&self.image.gpu, self.bytes as u64)?;
        staging.write(0, texels)?;
        Ok(staging)
    }

    pub fn download_staging(&self) -> Result<Buffer> {
        self.copies()?;
        Buffer::staging(&self.image.gpu, self.bytes as u64)
    }

    /// Moves a new image into the general layout, all zero.
    pub fn record_clear(&self, commands: vk::CommandBuffer) {
        let to_general = vk::ImageMemoryBarrier::builder()
            .dst_access_mask(vk::AccessFlags::TRANSFER_WRITE)
            .old_layout(vk::ImageLayout::UNDEFINED)
            .new_layout(vk::ImageLayout::GENERAL)
            .src_queue_family_index(vk::QUEUE_FAMILY_IGNORED)
            .dst_queue_family_index(vk::QUEUE_FAMILY_IGNORED)
            .image(self.image.handle)
            .subresource_range(all(self.desc));
        // SAFETY: the command buffer is being recorded; the image lives as long as `self`, which the caller keeps until
        // the submission has finished. All-zero bits are zero in every format, so one member of the union serves all.
        unsafe {
            let device = &self.image.gpu.device;
            device.cmd_pipeline_barrier(
                commands,
                vk::PipelineStageFlags::TOP_OF_PIPE,
                vk::PipelineStageFlags::TRANSFER,
                vk::DependencyFlags::empty(),
                &[] as &[vk::MemoryBarrier],
                &[] as &[vk::BufferMemoryBarrier],
                &[to_general],
            );
            if self.desc.format.is_depth() {
                let value = vk::ClearDepthStencilValue::default();
                let ranges = &[all(self.desc)];
                device.cmd_clear_depth_stencil_image(
                    commands,
                    self.image.handle,
                    vk::ImageLayout::GENERAL,
                    &value,
                    ranges,
                );
            } else {
                device.cmd_clear_color_image(
                    commands,
                    self.image.handle,
                    vk::ImageLayout::GENERAL,
                    &vk::ClearColorValue { uint32: [0; 4] },
                    &[all(self.desc)],
                );
            }
        }
    }

    pub fn record_upload(&self, commands: vk::CommandBuffer, staging: &Buffer) {
        // SAFETY: as in `record_clear`; the buffer holds the whole image by `upload_staging`.
        unsafe {
            self.image.gpu.device.cmd_copy_buffer_to_image(
                commands,
                staging.handle,
                self.image.handle,
                vk::ImageLayout::GENERAL,
                &self.whole(),
            );
        }
    }

    pub fn record_download(&self, commands: vk::CommandBuffer, staging: &Buffer) {
        // SAFETY: as in `record_clear`; the buffer has room for the whole image by `download_staging`.
        unsafe {
            self.image.gpu.device.cmd_copy_image_to_buffer(
                commands,
                self.image.handle,
                vk::ImageLayout::GENERAL,
                staging.handle,
                &self.whole(),
            );
        }
    }

    /// Returns copies of all levels, packed in sequence.
    fn whole(&self) -> Vec<vk::BufferImageCopyBuilder> {
        let mut offset = 0;
        let mut regions = Vec::new();
        for level in 0..self.desc.levels {
            let [width, height, depth] = self.desc.level_size(level);
            let layers = vk::ImageSubresourceLayers::builder()
                .aspect_mask(aspect(self.desc))
                .mip_level(level)
                .layer_count(self.desc.layers);
            regions.push(
                vk::BufferImageCopy::builder()
                    .buffer_offset(offset)
                    .image_subresource(layers)
                    .image_extent(vk::Extent3D { width, height, depth }),
            );
            let texel = u64::from(self.desc.format.texel_bytes());
            offset += self.desc.level_texels(level) * u64::from(self.desc.layers) * texel;
        }
        regions
    }

    /// Checks that the image can be copied: Vulkan copies no multisampled images.
    fn copies(&self) -> Result<()> {
        match self.desc.samples {
            1 => Ok(()),
            n => Err(DeviceError::new(format!(
                "Vulkan cannot copy texels of an image with {n} samples: only shaders can access them"
            ))),
        }
    }
}

fn aspect(desc: ImageDesc) -> vk::ImageAspectFlags {
    if desc.format.is_depth() { vk::ImageAspectFlags::DEPTH } else { vk::ImageAspectFlags::COLOR }
}

fn all(desc: ImageDesc) -> vk::ImageSubresourceRangeBuilder {
    vk::ImageSubresourceRange::builder().aspect_mask(aspect(desc)).level_count(desc.levels).layer_count(desc.layers)
}

fn checked_bytes(desc: ImageDesc, most: u32, most_layers: u32) -> Result<usize> {
    desc.check().map_err(DeviceError::new)?;
    let [width, height, depth] = desc.size;
    if desc.size.iter().any(|&extent| extent > most) || desc.layers > most_layers {
        return Err(DeviceError::new(format!(
            "an image of {width} x {height} x {depth} texels and {} layers; the limit of the device is {most} per dimension and {most_layers} layers",
            desc.layers
        )));
    }
    desc.bytes()
        .and_then(|bytes| usize::try_from(bytes).ok())
        .ok_or_else(|| DeviceError::new(format!("an image of {width} x {height} x {depth} texels is too large")))
}
