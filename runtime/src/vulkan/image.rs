//! Images for storage and sampled use, in the general layout for their whole life, and the copies from and to the host.

use std::rc::Rc;

use vulkanalia::prelude::v1_2::*;

use super::gpu::Gpu;
use super::instance::failed;
use super::memory::{Buffer, Memory, Place};
use crate::device::{DeviceError, ImageDesc, ImageFormat, Result};

/// Vulkan's format of each of ours.
fn vulkan_format(format: ImageFormat) -> vk::Format {
    match format {
        ImageFormat::R8Unorm => vk::Format::R8_UNORM,
        ImageFormat::Rgba8Unorm => vk::Format::R8G8B8A8_UNORM,
        ImageFormat::R32Uint => vk::Format::R32_UINT,
        ImageFormat::R32Sint => vk::Format::R32_SINT,
        ImageFormat::R32Float => vk::Format::R32_SFLOAT,
        ImageFormat::Rg32Float => vk::Format::R32G32_SFLOAT,
        ImageFormat::Rgba16Float => vk::Format::R16G16B16A16_SFLOAT,
        ImageFormat::Rgba32Float => vk::Format::R32G32B32A32_SFLOAT,
        ImageFormat::Rgba32Uint => vk::Format::R32G32B32A32_UINT,
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
    /// An image whose contents are undefined until [`Image::record_clear`] has run.
    ///
    /// # Errors
    /// A size that is zero or exceeds the device's limits, a format that the device cannot store to.
    pub fn new(gpu: &Rc<Gpu>, desc: ImageDesc) -> Result<Self> {
        let (image_type, view_type, most) = match desc.dimensions {
            1 => (vk::ImageType::_1D, vk::ImageViewType::_1D, gpu.raw_limits.max_image_dimension_1d),
            2 => (vk::ImageType::_2D, vk::ImageViewType::_2D, gpu.raw_limits.max_image_dimension_2d),
            3 => (vk::ImageType::_3D, vk::ImageViewType::_3D, gpu.raw_limits.max_image_dimension_3d),
            other => return Err(DeviceError::new(format!("an image has 1, 2 or 3 dimensions, not {other}"))),
        };
        let bytes = checked_bytes(desc, most)?;
        let format = vulkan_format(desc.format);
        // SAFETY: the physical device is of this instance.
        let supported = unsafe { gpu.instance.raw.get_physical_device_format_properties(gpu.physical, format) }
            .optimal_tiling_features;
        let needed = vk::FormatFeatureFlags::STORAGE_IMAGE | vk::FormatFeatureFlags::SAMPLED_IMAGE;
        if !supported.contains(needed) {
            return Err(DeviceError::new(format!(
                "the device {} has no storage images of format {}",
                gpu.info.name,
                desc.format.name()
            )));
        }
        let [width, height, depth] = desc.size;
        let info = vk::ImageCreateInfo::builder()
            .image_type(image_type)
            .format(format)
            .extent(vk::Extent3D { width, height, depth })
            .mip_levels(1)
            .array_layers(1)
            .samples(vk::SampleCountFlags::_1)
            .tiling(vk::ImageTiling::OPTIMAL)
            .usage(
                vk::ImageUsageFlags::STORAGE
                    | vk::ImageUsageFlags::SAMPLED
                    | vk::ImageUsageFlags::TRANSFER_SRC
                    | vk::ImageUsageFlags::TRANSFER_DST,
            )
            .sharing_mode(vk::SharingMode::EXCLUSIVE)
            .initial_layout(vk::ImageLayout::UNDEFINED);
        // SAFETY: size and format were checked against the device.
        let handle = unsafe { gpu.device.create_image(&info, None) }.map_err(failed("make an image"))?;
        let image = Bare { gpu: gpu.clone(), handle };
        // SAFETY: the image is alive.
        let need = unsafe { gpu.device.get_image_memory_requirements(handle) };
        let memory = Memory::new(gpu, need, Place::Device, false)?;
        // SAFETY: the memory fits the image's needs; nothing else is bound.
        unsafe { gpu.device.bind_image_memory(handle, memory.handle, 0) }.map_err(failed("bind an image's memory"))?;
        let view_info = vk::ImageViewCreateInfo::builder()
            .image(handle)
            .view_type(view_type)
            .format(format)
            .subresource_range(all());
        // SAFETY: the image has memory; the view has its format.
        let view = unsafe { gpu.device.create_image_view(&view_info, None) }.map_err(failed("make an image view"))?;
        Ok(Self { view: View { gpu: gpu.clone(), handle: view }, image, _memory: memory, desc, bytes })
    }

    pub fn view(&self) -> vk::ImageView {
        self.view.handle
    }

    /// Size of the packed texels.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// A buffer with `texels`, to be copied by [`Image::record_upload`].
    pub fn upload_staging(&self, texels: &[u8]) -> Result<Buffer> {
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
        Buffer::staging(&self.image.gpu, self.bytes as u64)
    }

    /// Brings a new image into the general layout, all zero.
    pub fn record_clear(&self, commands: vk::CommandBuffer) {
        let to_general = vk::ImageMemoryBarrier::builder()
            .dst_access_mask(vk::AccessFlags::TRANSFER_WRITE)
            .old_layout(vk::ImageLayout::UNDEFINED)
            .new_layout(vk::ImageLayout::GENERAL)
            .src_queue_family_index(vk::QUEUE_FAMILY_IGNORED)
            .dst_queue_family_index(vk::QUEUE_FAMILY_IGNORED)
            .image(self.image.handle)
            .subresource_range(all());
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
            device.cmd_clear_color_image(
                commands,
                self.image.handle,
                vk::ImageLayout::GENERAL,
                &vk::ClearColorValue { uint32: [0; 4] },
                &[all()],
            );
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
                &[self.whole()],
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
                &[self.whole()],
            );
        }
    }

    fn whole(&self) -> vk::BufferImageCopyBuilder {
        let [width, height, depth] = self.desc.size;
        let layers = vk::ImageSubresourceLayers::builder().aspect_mask(vk::ImageAspectFlags::COLOR).layer_count(1);
        vk::BufferImageCopy::builder().image_subresource(layers).image_extent(vk::Extent3D { width, height, depth })
    }
}

fn all() -> vk::ImageSubresourceRangeBuilder {
    vk::ImageSubresourceRange::builder().aspect_mask(vk::ImageAspectFlags::COLOR).level_count(1).layer_count(1)
}

fn checked_bytes(desc: ImageDesc, most: u32) -> Result<usize> {
    let [width, height, depth] = desc.size;
    let used = desc.dimensions as usize;
    for (axis, extent) in desc.size.into_iter().enumerate() {
        if extent == 0 || (axis < used && extent > most) || (axis >= used && extent != 1) {
            return Err(DeviceError::new(format!(
                "an image of {width} x {height} x {depth} texels in {used} dimensions: the device allows 1 to {most} per \
                 dimension"
            )));
        }
    }
    [height, depth, desc.format.texel_bytes()]
        .into_iter()
        .try_fold(width as usize, |bytes, n| bytes.checked_mul(n as usize))
        .ok_or_else(|| DeviceError::new(format!("an image of {width} x {height} x {depth} texels is too large")))
}
