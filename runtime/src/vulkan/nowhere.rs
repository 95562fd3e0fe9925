//! Draws of mesh shaders whose only effects are their writes to memory. They use a render pass without attachments, and
//! pipelines without a rasteriser. Hosts without a picture of their own run mesh nodes this way.

use std::ffi::CString;
use std::rc::Rc;

use vulkanalia::prelude::v1_2::*;

use super::gpu::Gpu;
use super::instance::failed;
use super::pipeline::Module;
use super::subgroups::Asking;
use crate::device::{DeviceError, Result};

pub(super) struct Nowhere {
    gpu: Rc<Gpu>,
    pass: vk::RenderPass,
    frame: vk::Framebuffer,
}

impl Nowhere {
    pub fn new(gpu: &Rc<Gpu>) -> Result<Self> {
        let mut made = Self { gpu: gpu.clone(), pass: vk::RenderPass::null(), frame: vk::Framebuffer::null() };
        let subpasses = [vk::SubpassDescription::builder().pipeline_bind_point(vk::PipelineBindPoint::GRAPHICS)];
        let pass = vk::RenderPassCreateInfo::builder().subpasses(&subpasses);
        // SAFETY: the structures live until after the calls; the drop releases objects created before a failure.
        unsafe {
            made.pass = gpu.device.create_render_pass(&pass, None).map_err(failed("create a render pass"))?;
            let frame = vk::FramebufferCreateInfo::builder().render_pass(made.pass).width(1).height(1).layers(1);
            made.frame = gpu.device.create_framebuffer(&frame, None).map_err(failed("create a framebuffer"))?;
        }
        Ok(made)
    }

    /// Creates a pipeline of a mesh shader.
    ///
    /// # Safety
    /// The device can run the module, which is valid and has the entry point, and subgroups of the requested size. The
    /// layout belongs to the device.
    pub unsafe fn pipeline(
        &self,
        words: &[u32],
        entry: &str,
        layout: vk::PipelineLayout,
        asking: Option<Asking>,
    ) -> Result<vk::Pipeline> {
        let device = &self.gpu.device;
        let name = CString::new(entry).map_err(|_| DeviceError::new("the name of an entry point contains a NUL"))?;
        let module = Module::new(device, words)?;
        let mut required = asking.map(Asking::required);
        let mut stage = vk::PipelineShaderStageCreateInfo::builder()
            .stage(vk::ShaderStageFlags::MESH_EXT)
            .flags(asking.map(Asking::flags).unwrap_or_default())
            .module(module.handle)
            .name(name.as_bytes_with_nul());
        if let Some(required) = &mut required {
            stage = stage.push_next(required);
        }
        let stages = [stage];
        let raster =
            vk::PipelineRasterizationStateCreateInfo::builder().rasterizer_discard_enable(true).line_width(1.0);
        let info = vk::GraphicsPipelineCreateInfo::builder()
            .stages(&stages)
            .rasterization_state(&raster)
            .layout(layout)
            .render_pass(self.pass);
        // SAFETY: the structures live until after the call. Omitted states belong to a rasteriser or to vertex shaders;
        // the caller guarantees the rest.
        let (pipelines, _) = unsafe { device.create_graphics_pipelines(self.gpu.pipelines, &[info], None) }
            .map_err(failed(&format!("create a pipeline of entry point {entry}")))?;
        let made = pipelines.first().copied().filter(|p| !p.is_null());
        made.ok_or_else(|| DeviceError::new(format!("the driver created no pipeline of entry point {entry}")))
    }

    /// Begins the render pass.
    ///
    /// # Safety
    /// The command buffer is being recorded, outside a render pass.
    pub unsafe fn begin(&self, target: vk::CommandBuffer) {
        let area = vk::Rect2D { extent: vk::Extent2D { width: 1, height: 1 }, ..vk::Rect2D::default() };
        let begin = vk::RenderPassBeginInfo::builder().render_pass(self.pass).framebuffer(self.frame).render_area(area);
        // SAFETY: as the caller promises.
        unsafe { self.gpu.device.cmd_begin_render_pass(target, &begin, vk::SubpassContents::INLINE) };
    }
}

impl Drop for Nowhere {
    fn drop(&mut self) {
        // SAFETY: submissions are waited for; null handles are ignored.
        unsafe {
            self.gpu.device.destroy_framebuffer(self.frame, None);
            self.gpu.device.destroy_render_pass(self.pass, None);
        }
    }
}
