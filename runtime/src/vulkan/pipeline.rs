//! Pipelines of compute and mesh shaders, after checking that the device can run the module at all.

use std::borrow::Cow;
use std::ffi::CString;
use std::rc::Rc;

use vulkanalia::prelude::v1_2::*;
use vulkanalia::vk::ExtMeshShaderExtensionDeviceCommands;

use super::features::MAXIMAL_RECONVERGENCE;
use super::gpu::Gpu;
use super::instance::failed;
use super::nowhere::Nowhere;
use super::reconvergence::maximally_reconverging;
use super::subgroups::Asking;
use crate::device::{DeviceError, Result};

pub(super) struct Pipeline {
    gpu: Rc<Gpu>,
    pub handle: vk::Pipeline,
    pub layout: vk::PipelineLayout,
    /// Bytes of push constants, a multiple of 4.
    pub push_bytes: u32,
    /// The stage that reads them: the one stage of the pipeline.
    pub stage: vk::ShaderStageFlags,
    /// The render target of draws, for mesh shaders.
    nowhere: Option<Nowhere>,
}

impl Pipeline {
    /// # Errors
    /// Words that are not a module, an entry point that it lacks, capabilities or workgroups beyond the device, or a
    /// driver error.
    pub fn new(
        gpu: &Rc<Gpu>,
        words: &[u32],
        entry: &str,
        set_layouts: &[vk::DescriptorSetLayout],
        push_bytes: u32,
        wave_size: Option<[u32; 3]>,
    ) -> Result<Self> {
        let (stage, size) = check_module(gpu, words, entry, None)?;
        let asking = match wave_size {
            Some(wanted) => {
                let (threads, is_mesh) = (size.iter().product(), stage == vk::ShaderStageFlags::MESH_EXT);
                let chosen = gpu.limits.subgroups.choose(wanted, threads, is_mesh);
                chosen.map_err(|other| other.of(entry))?.map(|lanes| Asking::new(lanes, size))
            }
            None => None,
        };
        // SAFETY: the caller's set layouts live as long as its bindings.
        let (layout, push_bytes) =
            unsafe { make_layout(&gpu.device, &gpu.raw_limits, set_layouts, push_bytes, stage) }?;
        let handle = vk::Pipeline::null();
        let mut made = Self { gpu: gpu.clone(), handle, layout, push_bytes, stage, nowhere: None };
        let reconverges = gpu.support.offers(MAXIMAL_RECONVERGENCE);
        let words = if reconverges { Cow::Owned(maximally_reconverging(words)) } else { Cow::Borrowed(words) };
        if stage == vk::ShaderStageFlags::MESH_EXT {
            let nowhere = Nowhere::new(gpu)?;
            // SAFETY: as below.
            made.handle = unsafe { nowhere.pipeline(&words, entry, layout, asking) }?;
            made.nowhere = Some(nowhere);
            return Ok(made);
        }
        // SAFETY: `check_module` ensures that the module has this entry point and no capability beyond the device. As
        // with every SPIR-V consumer, the caller guarantees that the module is otherwise valid.
        made.handle = unsafe { compute_pipeline(&gpu.device, &words, entry, layout, asking, gpu.pipelines) }?;
        Ok(made)
    }

    /// Prepares for a dispatch; returns the bind point of the pipeline.
    ///
    /// # Safety
    /// The command buffer is being recorded, outside a render pass; [`Pipeline::end`] follows.
    pub unsafe fn begin(&self, target: vk::CommandBuffer) -> vk::PipelineBindPoint {
        let Some(nowhere) = &self.nowhere else { return vk::PipelineBindPoint::COMPUTE };
        // SAFETY: as the caller promises.
        unsafe { nowhere.begin(target) };
        vk::PipelineBindPoint::GRAPHICS
    }

    /// # Safety
    /// The pipeline is bound between [`Pipeline::begin`] and [`Pipeline::end`]; the number of workgroups is within the
    /// device's limits.
    pub unsafe fn dispatch(&self, target: vk::CommandBuffer, [x, y, z]: [u32; 3]) {
        let device = &self.gpu.device;
        // SAFETY: as the caller promises.
        unsafe {
            match &self.nowhere {
                None => device.cmd_dispatch(target, x, y, z),
                Some(_) => device.cmd_draw_mesh_tasks_ext(target, x, y, z),
            }
        }
    }

    /// # Safety
    /// Dispatches like [`Pipeline::dispatch`], with the three group counts at the offset.
    pub unsafe fn dispatch_indirect(&self, target: vk::CommandBuffer, arguments: vk::Buffer, offset: u64) {
        let device = &self.gpu.device;
        // SAFETY: as the caller promises.
        unsafe {
            match &self.nowhere {
                None => device.cmd_dispatch_indirect(target, arguments, offset),
                Some(_) => device.cmd_draw_mesh_tasks_indirect_ext(target, arguments, offset, 1, 12),
            }
        }
    }

    /// # Safety
    /// [`Pipeline::begin`] was called on this command buffer.
    pub unsafe fn end(&self, target: vk::CommandBuffer) {
        if self.nowhere.is_some() {
            // SAFETY: the render pass was begun.
            unsafe { self.gpu.device.cmd_end_render_pass(target) };
        }
    }
}

impl Drop for Pipeline {
    fn drop(&mut self) {
        // SAFETY: submissions are waited for; null handles are ignored.
        unsafe {
            self.gpu.device.destroy_pipeline(self.handle, None);
            self.gpu.device.destroy_pipeline_layout(self.layout, None);
        }
    }
}

/// Creates the pipeline alone, without checking the module.
///
/// # Safety
/// The device can run the module, which is valid and has the entry point, and subgroups of the requested size. The
/// layout and the cache belong to the device.
pub(super) unsafe fn compute_pipeline(
    device: &vulkanalia::Device,
    words: &[u32],
    entry: &str,
    layout: vk::PipelineLayout,
    asking: Option<Asking>,
    cache: vk::PipelineCache,
) -> Result<vk::Pipeline> {
    let name = CString::new(entry).map_err(|_| DeviceError::new("the name of an entry point contains a NUL"))?;
    let module = Module::new(device, words)?;
    let mut required = asking.map(Asking::required);
    let mut stage = vk::PipelineShaderStageCreateInfo::builder()
        .stage(vk::ShaderStageFlags::COMPUTE)
        .flags(asking.map(Asking::flags).unwrap_or_default())
        .module(module.handle)
        .name(name.as_bytes_with_nul());
    if let Some(required) = &mut required {
        stage = stage.push_next(required);
    }
    let info = vk::ComputePipelineCreateInfo::builder().stage(stage).layout(layout);
    // SAFETY: the structures live until after the call; the rest is the caller's promise.
    let (pipelines, _) = unsafe { device.create_compute_pipelines(cache, &[info], None) }
        .map_err(failed(&format!("create a pipeline of entry point {entry}")))?;
    let made = pipelines.first().copied().filter(|p| !p.is_null());
    made.ok_or_else(|| DeviceError::new(format!("the driver created no pipeline of entry point {entry}")))
}

/// Creates a layout of these sets and push constants for these stages. The second value is the size of the push
/// constants, rounded up to a multiple of 4.
///
/// # Safety
/// The set layouts are the device's and alive.
pub(super) unsafe fn make_layout(
    device: &vulkanalia::Device,
    limits: &vk::PhysicalDeviceLimits,
    set_layouts: &[vk::DescriptorSetLayout],
    push_bytes: u32,
    stages: vk::ShaderStageFlags,
) -> Result<(vk::PipelineLayout, u32)> {
    let push_bytes = push_bytes.checked_next_multiple_of(4).unwrap_or(u32::MAX);
    if push_bytes > limits.max_push_constants_size {
        return Err(DeviceError::new(format!(
            "{push_bytes} bytes of push constants; the limit of the device is {}",
            limits.max_push_constants_size
        )));
    }
    let range = vk::PushConstantRange::builder().stage_flags(stages).size(push_bytes);
    let ranges = if push_bytes > 0 { vec![range] } else { Vec::new() };
    let info = vk::PipelineLayoutCreateInfo::builder().set_layouts(set_layouts).push_constant_ranges(&ranges);
    // SAFETY: the structures live until after the call, and the set layouts do as the caller promises.
    let layout = unsafe { device.create_pipeline_layout(&info, None) }.map_err(failed("create a pipeline layout"))?;
    Ok((layout, push_bytes))
}

pub(super) struct Module<'d> {
    device: &'d vulkanalia::Device,
    pub handle: vk::ShaderModule,
}

impl<'d> Module<'d> {
    pub fn new(device: &'d vulkanalia::Device, words: &[u32]) -> Result<Self> {
        Ok(Self { device, handle: shader_module(device, words)? })
    }
}

/// Creates a module that the caller has to destroy.
pub(super) fn shader_module(device: &vulkanalia::Device, words: &[u32]) -> Result<vk::ShaderModule> {
    let info = vk::ShaderModuleCreateInfo::builder().code_size(words.len() * 4).code(words);
    // SAFETY: the words live until after the call.
    unsafe { device.create_shader_module(&info, None) }.map_err(failed("load a SPIR-V module"))
}

impl Drop for Module<'_> {
    fn drop(&mut self) {
        // SAFETY: a pipeline does not need its module after its creation.
        unsafe { self.device.destroy_shader_module(self.handle, None) };
    }
}

/// Finds errors on which a driver would misbehave rather than report: capabilities that are not enabled, a missing
/// entry point, a workgroup above the limits. `also` is a capability that this kind of pipeline adds to those of the
/// device. Returns the shader's stage and workgroup size (1, 1, 1 unless literals give it).
pub(super) fn check_module(
    gpu: &Gpu,
    words: &[u32],
    entry: &str,
    also: Option<spirv::Capability>,
) -> Result<(vk::ShaderStageFlags, [u32; 3])> {
    let module = Header::read(words, entry)?;
    let also = also.map(|capability| capability as u32);
    for &capability in module.capabilities.iter().filter(|c| Some(**c) != also) {
        match module.draws {
            true => gpu.support.permits_in_meshes(capability)?,
            false => gpu.support.permits(capability)?,
        }
    }
    let stage = if module.draws { vk::ShaderStageFlags::MESH_EXT } else { vk::ShaderStageFlags::COMPUTE };
    let Some(size) = module.local_size else { return Ok((stage, [1; 3])) };
    let threads = size.iter().map(|&n| u64::from(n)).product::<u64>();
    if module.draws {
        let most = gpu.limits.max_mesh_threads;
        return match threads > u64::from(most) {
            true => Err(DeviceError::new(format!(
                "{entry} has workgroups of {threads} threads; the limit of the device is {most} in mesh shaders"
            ))),
            false => Ok((stage, size)),
        };
    }
    let most = gpu.raw_limits.max_compute_work_group_size;
    if threads > u64::from(gpu.limits.max_group_threads) || size.iter().zip(most).any(|(&n, most)| n > most) {
        return Err(DeviceError::new(format!(
            "{entry} has workgroups of {} x {} x {} threads; the limit of the device is {} per workgroup, {} x {} x {} by axis",
            size[0], size[1], size[2], gpu.limits.max_group_threads, most[0], most[1], most[2]
        )));
    }
    Ok((stage, size))
}

/// The few properties of a module that the check needs, read from its words.
#[derive(Debug, PartialEq, Eq)]
struct Header {
    capabilities: Vec<u32>,
    /// Workgroup size of the entry point, if literals give it.
    local_size: Option<[u32; 3]>,
    /// It is a mesh shader.
    draws: bool,
}

impl Header {
    fn read(words: &[u32], entry: &str) -> Result<Self> {
        let broken = || DeviceError::new("these words are not a SPIR-V module");
        if words.first() != Some(&spirv::MAGIC_NUMBER) {
            return Err(broken());
        }
        let mut rest = words.get(5..).ok_or_else(broken)?;
        let mut capabilities = Vec::new();
        let mut function = None;
        let mut local_size = None;
        let mut draws = false;
        while let Some(&first) = rest.first() {
            let length = (first >> 16) as usize;
            let instruction = rest.get(..length).filter(|i| !i.is_empty()).ok_or_else(broken)?;
            rest = rest.get(length..).ok_or_else(broken)?;
            const CAPABILITY: u32 = spirv::Op::Capability as u32;
            const ENTRY_POINT: u32 = spirv::Op::EntryPoint as u32;
            const EXECUTION_MODE: u32 = spirv::Op::ExecutionMode as u32;
            const FUNCTION: u32 = spirv::Op::Function as u32;
            const COMPUTE: u32 = spirv::ExecutionModel::GLCompute as u32;
            const MESH: u32 = spirv::ExecutionModel::MeshEXT as u32;
            const LOCAL_SIZE: u32 = spirv::ExecutionMode::LocalSize as u32;
            match (first & 0xffff, instruction.get(1..).unwrap_or_default()) {
                (CAPABILITY, [capability]) => capabilities.push(*capability),
                (ENTRY_POINT, [model @ (COMPUTE | MESH), id, name @ ..]) if starts_with_string(name, entry) => {
                    function = Some(*id);
                    draws = *model == MESH;
                }
                (EXECUTION_MODE, [id, LOCAL_SIZE, x, y, z]) if Some(*id) == function => local_size = Some([*x, *y, *z]),
                (FUNCTION, _) => break,
                _ => {}
            }
        }
        if function.is_none() {
            return Err(DeviceError::new(format!("the module has no compute entry point {entry}")));
        }
        Ok(Self { capabilities, local_size, draws })
    }
}

/// Returns whether the literal string at the start of `words` is `text`.
fn starts_with_string(words: &[u32], text: &str) -> bool {
    let bytes = words.iter().flat_map(|w| w.to_le_bytes()).take_while(|&b| b != 0);
    bytes.eq(text.bytes())
}

#[cfg(test)]
mod unit {
    use super::*;

    #[test]
    fn header_of_a_module() {
        let words = super::super::tests::fill_module();
        let header = Header::read(&words, "main").unwrap();
        assert_eq!((header.local_size, header.draws), (Some([4, 1, 1]), false));
        assert_eq!(header.capabilities, [spirv::Capability::Shader as u32]);
        assert_eq!(Header::read(&words, "mai").unwrap_err().message, "the module has no compute entry point mai");
        assert!(Header::read(&words[1..], "main").is_err());
        assert!(Header::read(&words[..6], "main").is_err(), "an instruction that is cut off");
        assert!(Header::read(&[spirv::MAGIC_NUMBER, 0, 0, 0, 0, 0], "main").is_err(), "an instruction of no words");
    }
}
