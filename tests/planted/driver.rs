//! A mock Vulkan driver on the CPU device, with the functions that embedded graphs need. The commands that a graph
//! records for an engine run with all checks of that device, including those for launches without a barrier between
//! them.
//!
//! Copies and fills are compute shaders here ([`COPIES`]), so that they are ordered like other launches. A barrier only
//! counts if its stages and accesses cover the commands of a graph. Data that the host reads needs a barrier for the
//! host after it.

use std::cell::RefCell;
use std::ffi::{CStr, c_char, c_void};

use vulkanalia::prelude::v1_2::*;
use vulkanalia::vk::{AccessFlags as Access, PipelineStageFlags as Stage};
use wgc_compiler::Session;
use wgc_runtime::cpu::{CpuDevice, CpuSettings};
use wgc_runtime::device::{BindingsId, BufferId, Command, Device, Finding, PipelineId, ResourceBinding, Resources};
use wgc_runtime::vulkan::embed::{Block, Host, Mapped};
use wgc_sema::db::Options;

/// Replaces vkCmdCopyBuffer, vkCmdUpdateBuffer and vkCmdFillBuffer. It writes `words` words to an address, from another
/// one or, without one, from a value.
const COPIES: &str = r#"
struct Copy { uint64_t from; uint64_t to; uint words; uint value; };
[[vk::push_constant]] Copy copy;
[shader("compute")] [numthreads(64, 1, 1)]
void transfer(uint i : SV_DispatchThreadID)
{
    if (i < copy.words)
        vk::RawBufferStore<uint>(copy.to + 4 * i, copy.from == 0 ? copy.value : vk::RawBufferLoad<uint>(copy.from + 4 * i));
}
"#;

/// The code of findings about the host: it reads data that no barrier makes visible to it.
pub const HOST: &str = "host";

/// One command of the command buffer.
#[derive(Clone, Debug)]
pub enum Recorded {
    /// A launch with its label or its name.
    Run(Command, String),
    /// A draw, in a render pass of the engine.
    Draw(Command, String),
    /// The accesses that it covers: those among commands of a graph, mesh shaders included, and the host's reads.
    Barrier { commands: bool, meshes: bool, host: bool },
}

struct Driver {
    device: CpuDevice,
    transfer: PipelineId,
    bindings: Option<BindingsId>,
    push_bytes: u32,
    modules: Vec<Vec<u32>>,
    pipelines: Vec<PipelineId>,
    /// Buffers by handle - 1, with the memory that the host sees.
    buffers: Vec<(BufferId, Option<&'static mut [u8]>)>,
    recorded: Vec<Recorded>,
    bound: Option<PipelineId>,
    push: Vec<u8>,
    labels: Vec<String>,
    /// True if there are mesh shaders.
    draws: bool,
    /// Subgroup sizes that pipelines have requested, and whether they requested full subgroups.
    asked: Vec<(u32, bool)>,
}

const EXTENSIONS: [&vk::Extension; 2] = [&vk::EXT_MESH_SHADER_EXTENSION, &vk::EXT_SUBGROUP_SIZE_CONTROL_EXTENSION];

/// The minimum and maximum subgroup size that a compute shader may request.
pub const SUBGROUPS: [u32; 2] = [8, 64];

thread_local! {
    static DRIVER: RefCell<Option<Driver>> = const { RefCell::new(None) };
}

fn with<T>(use_it: impl FnOnce(&mut Driver) -> T) -> T {
    DRIVER.with_borrow_mut(|driver| use_it(driver.as_mut().expect("the test has started it")))
}

/// Starts the driver on this thread, and replaces the previous one. `result` is the size in bytes of the shaders' only
/// buffer.
pub fn start(result: u64) -> (Host, BufferId) {
    let dir = tempfile::tempdir().expect("a temporary directory");
    let shader = dir.path().join("transfer.hlsl");
    std::fs::write(&shader, COPIES).expect("the shader can be written");
    let words = Session::new(&[&shader.to_string_lossy()], Options::default()).compute().expect("it compiles").words;
    let mut device = CpuDevice::new(CpuSettings::default());
    let transfer = device.create_pipeline(&words, "transfer", None, 24, None).expect("the device takes it");
    let result = device.create_buffer(result).expect("there is memory");
    let resources = Resources::StorageBuffers(vec![result]);
    let bindings = device.create_bindings(&[ResourceBinding { set: 0, binding: 0, resources }]).expect("it is there");
    let driver = Driver {
        device,
        transfer,
        bindings: Some(bindings),
        push_bytes: 0,
        modules: Vec::new(),
        pipelines: Vec::new(),
        buffers: Vec::new(),
        recorded: Vec::new(),
        bound: None,
        push: Vec::new(),
        labels: Vec::new(),
        draws: false,
        asked: Vec::new(),
    };
    DRIVER.set(Some(driver));
    let (instance, physical) = (vk::Instance::from_raw(1), vk::PhysicalDevice::from_raw(1));
    // SAFETY: the handles are those that the functions here take.
    let host = unsafe { Host::new(get_instance, instance, physical, vk::Device::from_raw(1)) };
    (host.expect("the functions are there").with_labels(), result)
}

/// Creates a buffer for a block of a graph.
pub fn block(bytes: u64) -> Block {
    with(|driver| {
        let id = driver.device.create_buffer(bytes).expect("there is memory");
        driver.buffers.push((id, None));
        let buffer = vk::Buffer::from_raw(driver.buffers.len() as u64);
        Block { buffer, offset: 0, bytes, address: driver.device.buffer_address(id) }
    })
}

/// Creates a buffer that the host sees.
pub fn mapped(bytes: u64) -> Mapped {
    let block = block(bytes);
    // Lives while the graph may write to it: to the end of the test.
    let seen: &'static mut [u8] = Box::leak(vec![0; bytes as usize].into_boxed_slice());
    let pointer = std::ptr::NonNull::new(seen.as_mut_ptr()).expect("it is somewhere");
    with(|driver| driver.buffers[block.buffer.as_raw() as usize - 1].1 = Some(seen));
    Mapped { block, pointer }
}

/// Copies bytes to memory of the device; returns its address.
pub fn filled(data: &[u8]) -> u64 {
    let block = block(data.len() as u64);
    with(|driver| {
        let id = driver.buffers[block.buffer.as_raw() as usize - 1].0;
        driver.device.write_buffer(id, 0, data).expect("there is room");
    });
    block.address
}

/// Replaces a graphics pipeline with this mesh shader.
pub fn drawn(module: vk::ShaderModule, entry: &CStr) -> vk::Pipeline {
    with(|driver| {
        driver.draws = true;
        driver.pipeline(module, &entry.to_string_lossy(), None)
    })
}

/// Returns the requests of pipelines since the last call: subgroup sizes, and whether subgroups are full.
pub fn asked() -> Vec<(u32, bool)> {
    with(|driver| std::mem::take(&mut driver.asked))
}

/// Returns the commands recorded since the last call.
pub fn take() -> Vec<Recorded> {
    with(|driver| std::mem::take(&mut driver.recorded))
}

/// Runs commands; returns the findings of the device.
pub fn submit(recorded: &[Recorded]) -> Vec<Finding> {
    with(|driver| {
        for (id, seen) in &driver.buffers {
            if let Some(seen) = seen {
                driver.device.write_buffer(*id, 0, seen).expect("it has this size");
            }
        }
        let commands: Vec<Command> = recorded
            .iter()
            .filter_map(|recorded| match recorded {
                Recorded::Run(command, _) | Recorded::Draw(command, _) => Some(command.clone()),
                Recorded::Barrier { commands, meshes, .. } => {
                    (*commands && (*meshes || !driver.draws)).then_some(Command::Barrier)
                }
            })
            .collect();
        let ran = driver.device.submit(&commands);
        let mut found = driver.device.take_findings().unwrap_or_default();
        let finding = |code: &str, message: String| Finding { code: code.to_owned(), message };
        found.extend(ran.err().map(|error| finding("failed", error.to_string())));
        // Everything written before is visible to the host, and only draws follow.
        let last = recorded.iter().rfind(|recorded| !matches!(recorded, Recorded::Draw(..)));
        if !matches!(last, Some(Recorded::Barrier { host: true, .. }) | None) {
            found.push(finding(HOST, "the last command is no barrier for the host".to_owned()));
        }
        for (id, seen) in &mut driver.buffers {
            if let Some(seen) = seen {
                driver.device.read_buffer(*id, 0, seen).expect("it has this size");
            }
        }
        found
    })
}

/// Returns the numbers of output vertices and primitives since the last call.
pub fn meshes() -> (u64, u64) {
    let all = with(|driver| driver.device.take_meshes()).unwrap_or_default();
    (all.iter().map(|meshes| meshes.vertices).sum(), all.iter().map(|meshes| meshes.primitives).sum())
}

/// Returns words of the shaders' buffer.
pub fn words(buffer: BufferId, count: usize) -> Vec<u32> {
    with(|driver| {
        let mut bytes = vec![0; 4 * count];
        driver.device.read_buffer(buffer, 0, &mut bytes).expect("it is as large");
        bytes.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word)).collect()
    })
}

impl Driver {
    fn address(&self, buffer: vk::Buffer) -> u64 {
        self.device.buffer_address(self.buffers[buffer.as_raw() as usize - 1].0)
    }

    fn transfer(&mut self, from: u64, to: u64, bytes: u64, value: u32, name: &str) {
        assert!(bytes.is_multiple_of(4), "{name} of {bytes} bytes");
        let words = (bytes / 4) as u32;
        let mut push = [from.to_le_bytes(), to.to_le_bytes()].concat();
        push.extend_from_slice(&words.to_le_bytes());
        push.extend_from_slice(&value.to_le_bytes());
        let (label, groups) = (name.to_owned(), [words.div_ceil(64), 1, 1]);
        let command = Command::Dispatch { pipeline: self.transfer, bindings: None, push, groups, label };
        self.recorded.push(Recorded::Run(command, name.to_owned()));
    }

    fn pipeline(&mut self, module: vk::ShaderModule, entry: &str, lanes: Option<u32>) -> vk::Pipeline {
        let words = self.modules[module.as_raw() as usize - 1].clone();
        let pipeline =
            self.device.create_pipeline(&words, entry, self.bindings, self.push_bytes, lanes.map(|n| [n, 0, 0]));
        self.pipelines.push(pipeline.expect("the device takes it"));
        vk::Pipeline::from_raw(self.pipelines.len() as u64)
    }

    fn indirect(&self, buffer: vk::Buffer, offset: u64) -> Command {
        let (pipeline, bindings) = (self.bound.expect("a pipeline is bound"), self.bindings);
        let (push, label) = (self.push.clone(), self.label());
        let args = self.buffers[buffer.as_raw() as usize - 1].0;
        Command::DispatchIndirect { pipeline, bindings, push, args, offset, label }
    }

    fn label(&self) -> String {
        self.labels.last().cloned().unwrap_or_default()
    }
}

fn text(name: *const c_char) -> String {
    // SAFETY: names of the interface end with NUL.
    unsafe { CStr::from_ptr(name) }.to_string_lossy().into_owned()
}

/// Finds functions by their names.
macro_rules! functions {
    ($find:ident: $($name:literal $type:ident $function:expr;)*) => {
        fn $find(name: &str) -> vk::PFN_vkVoidFunction {
            match name {
                // SAFETY: the bindings convert it back to its type, which its name determines.
                $($name => Some(unsafe {
                    std::mem::transmute::<vk::$type, unsafe extern "system" fn()>($function as vk::$type)
                }),)*
                _ => None,
            }
        }
    };
}

functions! { of_instance:
    "vkGetDeviceProcAddr" PFN_vkGetDeviceProcAddr get_device;
    "vkEnumerateDeviceExtensionProperties" PFN_vkEnumerateDeviceExtensionProperties extensions;
    "vkGetPhysicalDeviceProperties2" PFN_vkGetPhysicalDeviceProperties2 properties;
    "vkCmdBeginDebugUtilsLabelEXT" PFN_vkCmdBeginDebugUtilsLabelEXT begin_label;
    "vkCmdEndDebugUtilsLabelEXT" PFN_vkCmdEndDebugUtilsLabelEXT end_label;
}

functions! { of_device:
    "vkCreatePipelineLayout" PFN_vkCreatePipelineLayout create_layout;
    "vkDestroyPipelineLayout" PFN_vkDestroyPipelineLayout destroy_layout;
    "vkCreateShaderModule" PFN_vkCreateShaderModule create_module;
    "vkDestroyShaderModule" PFN_vkDestroyShaderModule destroy_module;
    "vkCreateComputePipelines" PFN_vkCreateComputePipelines create_pipelines;
    "vkDestroyPipeline" PFN_vkDestroyPipeline destroy_pipeline;
    "vkCmdBindPipeline" PFN_vkCmdBindPipeline bind_pipeline;
    "vkCmdBindDescriptorSets" PFN_vkCmdBindDescriptorSets bind_sets;
    "vkCmdPushConstants" PFN_vkCmdPushConstants push_constants;
    "vkCmdPipelineBarrier" PFN_vkCmdPipelineBarrier barrier;
    "vkCmdDispatch" PFN_vkCmdDispatch dispatch;
    "vkCmdDispatchIndirect" PFN_vkCmdDispatchIndirect dispatch_indirect;
    "vkCmdDrawMeshTasksIndirectEXT" PFN_vkCmdDrawMeshTasksIndirectEXT draw;
    "vkCmdCopyBuffer" PFN_vkCmdCopyBuffer copy;
    "vkCmdUpdateBuffer" PFN_vkCmdUpdateBuffer update;
    "vkCmdFillBuffer" PFN_vkCmdFillBuffer fill;
}

/// The one function that an engine hands over.
///
/// # Safety
/// The name ends with NUL.
pub unsafe extern "system" fn get_instance(_: vk::Instance, name: *const c_char) -> vk::PFN_vkVoidFunction {
    of_instance(&text(name))
}

unsafe extern "system" fn get_device(_: vk::Device, name: *const c_char) -> vk::PFN_vkVoidFunction {
    of_device(&text(name))
}

unsafe extern "system" fn extensions(
    _: vk::PhysicalDevice,
    _: *const c_char,
    count: *mut u32,
    out: *mut vk::ExtensionProperties,
) -> vk::Result {
    // SAFETY: here and below, the memory that the caller passes exists.
    unsafe {
        *count = EXTENSIONS.len() as u32;
        for (place, extension) in EXTENSIONS.iter().enumerate().filter(|_| !out.is_null()) {
            *out.add(place) = vk::ExtensionProperties { extension_name: extension.name, spec_version: 1 };
        }
    }
    vk::Result::SUCCESS
}

unsafe extern "system" fn properties(_: vk::PhysicalDevice, out: *mut vk::PhysicalDeviceProperties2) {
    let limits = vk::PhysicalDeviceLimits {
        max_push_constants_size: 128,
        max_compute_work_group_invocations: 1024,
        max_compute_work_group_count: [65535; 3],
        ..Default::default()
    };
    // SAFETY: as above; the type field of a structure determines its type.
    unsafe {
        (*out).properties = vk::PhysicalDeviceProperties { limits, ..Default::default() };
        let mut next = (*out).next.cast::<vk::BaseOutStructure>();
        while !next.is_null() {
            let limits = with(|driver| driver.device.limits().clone());
            match (*next).s_type {
                vk::StructureType::PHYSICAL_DEVICE_SUBGROUP_PROPERTIES => {
                    (*next.cast::<vk::PhysicalDeviceSubgroupProperties>()).subgroup_size = limits.subgroups.default;
                }
                vk::StructureType::PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_PROPERTIES => {
                    let control = next.cast::<vk::PhysicalDeviceSubgroupSizeControlProperties>();
                    (*control).min_subgroup_size = SUBGROUPS[0];
                    (*control).max_subgroup_size = SUBGROUPS[1];
                    (*control).max_compute_workgroup_subgroups = 16;
                    (*control).required_subgroup_size_stages = vk::ShaderStageFlags::COMPUTE;
                }
                vk::StructureType::PHYSICAL_DEVICE_MESH_SHADER_PROPERTIES_EXT => {
                    let meshes = next.cast::<vk::PhysicalDeviceMeshShaderPropertiesEXT>();
                    (*meshes).max_mesh_work_group_invocations = limits.max_mesh_threads;
                }
                _ => {}
            }
            next = (*next).next;
        }
    }
}

unsafe extern "system" fn begin_label(_: vk::CommandBuffer, info: *const vk::DebugUtilsLabelEXT) {
    // SAFETY: as above.
    let name = text(unsafe { (*info).label_name });
    with(|driver| driver.labels.push(name));
}

unsafe extern "system" fn end_label(_: vk::CommandBuffer) {
    with(|driver| driver.labels.pop());
}

unsafe extern "system" fn create_layout(
    _: vk::Device,
    info: *const vk::PipelineLayoutCreateInfo,
    _: *const vk::AllocationCallbacks,
    made: *mut vk::PipelineLayout,
) -> vk::Result {
    // SAFETY: as above; a graph has one range.
    unsafe {
        let range = *(*info).push_constant_ranges;
        with(|driver| driver.push_bytes = range.size);
        *made = vk::PipelineLayout::from_raw(1);
    }
    vk::Result::SUCCESS
}

unsafe extern "system" fn destroy_layout(_: vk::Device, _: vk::PipelineLayout, _: *const vk::AllocationCallbacks) {}

unsafe extern "system" fn create_module(
    _: vk::Device,
    info: *const vk::ShaderModuleCreateInfo,
    _: *const vk::AllocationCallbacks,
    made: *mut vk::ShaderModule,
) -> vk::Result {
    // SAFETY: as above.
    unsafe {
        let words = std::slice::from_raw_parts((*info).code, (*info).code_size / 4).to_vec();
        *made = with(|driver| {
            driver.modules.push(words);
            vk::ShaderModule::from_raw(driver.modules.len() as u64)
        });
    }
    vk::Result::SUCCESS
}

unsafe extern "system" fn destroy_module(_: vk::Device, _: vk::ShaderModule, _: *const vk::AllocationCallbacks) {}

unsafe extern "system" fn create_pipelines(
    _: vk::Device,
    _: vk::PipelineCache,
    count: u32,
    infos: *const vk::ComputePipelineCreateInfo,
    _: *const vk::AllocationCallbacks,
    made: *mut vk::Pipeline,
) -> vk::Result {
    for index in 0..count as usize {
        // SAFETY: as above.
        let (stage, place) = unsafe { ((*infos.add(index)).stage, made.add(index)) };
        let mut lanes = None;
        if let Some(next) = std::ptr::NonNull::new(stage.next.cast_mut()) {
            let required = next.cast::<vk::PipelineShaderStageRequiredSubgroupSizeCreateInfo>();
            // SAFETY: as above; nothing else extends a stage here.
            lanes = Some(unsafe { required.as_ref() }.required_subgroup_size);
        }
        let full = stage.flags.contains(vk::PipelineShaderStageCreateFlags::REQUIRE_FULL_SUBGROUPS);
        let pipeline = with(|driver| {
            driver.asked.extend(lanes.map(|lanes| (lanes, full)));
            driver.pipeline(stage.module, &text(stage.name), lanes)
        });
        // SAFETY: as above.
        unsafe { *place = pipeline };
    }
    vk::Result::SUCCESS
}

unsafe extern "system" fn destroy_pipeline(_: vk::Device, _: vk::Pipeline, _: *const vk::AllocationCallbacks) {}

unsafe extern "system" fn bind_pipeline(_: vk::CommandBuffer, _: vk::PipelineBindPoint, pipeline: vk::Pipeline) {
    with(|driver| driver.bound = Some(driver.pipelines[pipeline.as_raw() as usize - 1]));
}

unsafe extern "system" fn bind_sets(
    _: vk::CommandBuffer,
    _: vk::PipelineBindPoint,
    _: vk::PipelineLayout,
    _: u32,
    _: u32,
    _: *const vk::DescriptorSet,
    _: u32,
    _: *const u32,
) {
}

unsafe extern "system" fn push_constants(
    _: vk::CommandBuffer,
    _: vk::PipelineLayout,
    _: vk::ShaderStageFlags,
    _: u32,
    size: u32,
    values: *const c_void,
) {
    // SAFETY: as above.
    let bytes = unsafe { std::slice::from_raw_parts(values.cast::<u8>(), size as usize) }.to_vec();
    with(|driver| driver.push = bytes);
}

#[allow(clippy::too_many_arguments, reason = "it is the interface's")]
unsafe extern "system" fn barrier(
    _: vk::CommandBuffer,
    before: Stage,
    after: Stage,
    _: vk::DependencyFlags,
    count: u32,
    barriers: *const vk::MemoryBarrier,
    _: u32,
    _: *const vk::BufferMemoryBarrier,
    _: u32,
    _: *const vk::ImageMemoryBarrier,
) {
    let (mut source, mut target) = (Access::empty(), Access::empty());
    for index in 0..count as usize {
        // SAFETY: as above.
        let barrier = unsafe { *barriers.add(index) };
        source |= barrier.src_access_mask;
        target |= barrier.dst_access_mask;
    }
    let (before, after) = (each_stage(before), each_stage(after));
    let (source, target) = (each_access(source), each_access(target));
    // Covers the commands of a graph: compute shaders, which read their workgroups from memory, copies and fills.
    let writes = before.contains(Stage::COMPUTE_SHADER | Stage::TRANSFER)
        && source.contains(Access::SHADER_WRITE | Access::TRANSFER_WRITE);
    // Data that is read before is not written meanwhile.
    let reads = before.contains(Stage::DRAW_INDIRECT);
    let others = after.contains(Stage::COMPUTE_SHADER | Stage::TRANSFER | Stage::DRAW_INDIRECT)
        && target.contains(Access::SHADER_READ | Access::SHADER_WRITE | Access::INDIRECT_COMMAND_READ)
        && target.contains(Access::TRANSFER_READ | Access::TRANSFER_WRITE);
    let host = after.contains(Stage::HOST) && target.contains(Access::HOST_READ);
    let meshes = (before & after).contains(Stage::MESH_SHADER_EXT);
    let barrier = Recorded::Barrier { commands: writes && reads && others, meshes, host: writes && host };
    with(|driver| driver.recorded.push(barrier));
}

/// Expands the flags for all stages to the stages that matter here. The host is not among them.
fn each_stage(stages: Stage) -> Stage {
    let all = Stage::COMPUTE_SHADER | Stage::TRANSFER | Stage::DRAW_INDIRECT | Stage::MESH_SHADER_EXT;
    if stages.contains(Stage::ALL_COMMANDS) { stages | all } else { stages }
}

/// Expands the flags for all accesses to the accesses that matter here.
fn each_access(accesses: Access) -> Access {
    let mut each = accesses;
    if accesses.contains(Access::MEMORY_READ) {
        each |= Access::SHADER_READ | Access::TRANSFER_READ | Access::INDIRECT_COMMAND_READ | Access::HOST_READ;
    }
    if accesses.contains(Access::MEMORY_WRITE) {
        each |= Access::SHADER_WRITE | Access::TRANSFER_WRITE | Access::HOST_WRITE;
    }
    each
}

unsafe extern "system" fn dispatch(_: vk::CommandBuffer, x: u32, y: u32, z: u32) {
    with(|driver| {
        let (pipeline, bindings) = (driver.bound.expect("a pipeline is bound"), driver.bindings);
        let (push, label) = (driver.push.clone(), driver.label());
        let command = Command::Dispatch { pipeline, bindings, push, groups: [x, y, z], label };
        driver.recorded.push(Recorded::Run(command, driver.label()));
    });
}

unsafe extern "system" fn dispatch_indirect(_: vk::CommandBuffer, buffer: vk::Buffer, offset: u64) {
    with(|driver| {
        let run = Recorded::Run(driver.indirect(buffer, offset), driver.label());
        driver.recorded.push(run);
    });
}

/// Records a draw that reads its workgroups from the place of a dispatch's.
unsafe extern "system" fn draw(_: vk::CommandBuffer, buffer: vk::Buffer, offset: u64, count: u32, _: u32) {
    assert_eq!(count, 1);
    with(|driver| {
        let draw = Recorded::Draw(driver.indirect(buffer, offset), driver.label());
        driver.recorded.push(draw);
    });
}

unsafe extern "system" fn copy(
    _: vk::CommandBuffer,
    from: vk::Buffer,
    to: vk::Buffer,
    count: u32,
    regions: *const vk::BufferCopy,
) {
    for index in 0..count as usize {
        // SAFETY: as above.
        let region = unsafe { *regions.add(index) };
        with(|driver| {
            let (from, to) = (driver.address(from) + region.src_offset, driver.address(to) + region.dst_offset);
            driver.transfer(from, to, region.size, 0, "copy");
        });
    }
}

unsafe extern "system" fn update(_: vk::CommandBuffer, to: vk::Buffer, offset: u64, bytes: u64, data: *const c_void) {
    // SAFETY: as above.
    let from = filled(unsafe { std::slice::from_raw_parts(data.cast::<u8>(), bytes as usize) });
    with(|driver| {
        let to = driver.address(to) + offset;
        driver.transfer(from, to, bytes, 0, "update");
    });
}

unsafe extern "system" fn fill(_: vk::CommandBuffer, to: vk::Buffer, offset: u64, bytes: u64, value: u32) {
    with(|driver| {
        let to = driver.address(to) + offset;
        driver.transfer(0, to, bytes, value, "fill");
    });
}
