//! The execution graph pipeline with its scratch memory, and its dispatches.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::CString;
use std::rc::Rc;

use vulkanalia::prelude::v1_2::*;

use super::super::gpu::Gpu;
use super::super::instance::failed;
use super::super::memory::Buffer;
use super::super::pipeline::{Module, check_module, make_layout};
use super::super::submit::{Label, Submitter, full_barrier};
use super::commands::Commands;
use super::records::{Block, Bounds, GraphRecords};
use crate::device::{DeviceError, Result};

/// An execution graph of one device.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ExecutionGraphId(pub u32);

/// The form of a dispatch: who reads its input, and from where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DispatchForm {
    /// `vkCmdDispatchGraphAMDX`: the driver reads the host's memory while the command is recorded.
    Host,
    /// `vkCmdDispatchGraphIndirectAMDX`: the device reads the nodes and their records; the host passes the number of
    /// nodes.
    Indirect,
    /// `vkCmdDispatchGraphIndirectCountAMDX`: the device reads that too.
    IndirectCount,
}

/// A node of a module: `VkPipelineShaderStageNodeCreateInfoAMDX` with its entry point.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StageNode {
    pub entry_point: String,
    pub name: String,
    /// The shader index: that of the node in its array.
    pub index: u32,
}

/// A module with the nodes to use from it. A graph may be one module, or one for each node.
#[derive(Clone, Debug)]
pub struct GraphModule<'m> {
    pub words: &'m [u32],
    pub nodes: Vec<StageNode>,
}

/// Alignment of scratch memory (VUID-vkCmdInitializeGraphScratchMemoryAMDX-scratch-09144).
const SCRATCH_ALIGNMENT: u64 = 64;

/// The most scratch memory that is allocated for speed alone.
const MAX_SCRATCH: u64 = 256 << 20;

pub(in super::super) struct ExecutionGraph {
    gpu: Rc<Gpu>,
    commands: Commands,
    handle: vk::Pipeline,
    layout: vk::PipelineLayout,
    /// A multiple of 4.
    push_bytes: u32,
    scratch: Option<Scratch>,
    /// The pipeline's node indexes by name and shader index.
    nodes: BTreeMap<(String, u32), u32>,
}

/// Memory that the driver keeps its queues in, for this pipeline alone.
struct Scratch {
    buffer: Buffer,
    /// The size given to the driver, possibly less than the buffer's.
    bytes: u64,
    /// A dispatch that has ended leaves it usable for the next; one that failed may not.
    initialized: bool,
}

impl ExecutionGraph {
    /// # Errors
    /// The device does not execute graphs, two nodes share an ID, a module needs features that the device lacks, or the
    /// driver fails.
    pub fn new(
        gpu: &Rc<Gpu>,
        modules: &[GraphModule],
        set_layouts: &[vk::DescriptorSetLayout],
        push_bytes: u32,
    ) -> Result<Self> {
        let Some(commands) = gpu.graph_commands else {
            let message = format!("the Vulkan device {} was not opened for execution graphs", gpu.info.name);
            return Err(DeviceError::new(message));
        };
        let mut seen = BTreeSet::new();
        for module in modules {
            for node in &module.nodes {
                if !seen.insert((&node.name, node.index)) {
                    return Err(DeviceError::new(format!("duplicate node {}[{}] in the graph", node.name, node.index)));
                }
                let also = Some(spirv::Capability::ShaderEnqueueAMDX);
                if check_module(gpu, module.words, &node.entry_point, also)?.0 != vk::ShaderStageFlags::COMPUTE {
                    let (name, index) = (&node.name, node.index);
                    return Err(DeviceError::new(format!(
                        "{name}[{index}] is a mesh node, which this host does not support"
                    )));
                }
            }
        }
        if seen.is_empty() {
            return Err(DeviceError::new("the graph has no nodes"));
        }
        let stage = vk::ShaderStageFlags::COMPUTE;
        // SAFETY: the caller's set layouts live as long as its bindings.
        let (layout, push_bytes) =
            unsafe { make_layout(&gpu.device, &gpu.raw_limits, set_layouts, push_bytes, stage) }?;
        let handle = vk::Pipeline::null();
        let nodes = BTreeMap::new();
        let mut made = Self { gpu: gpu.clone(), commands, handle, layout, push_bytes, scratch: None, nodes };
        made.create(modules)?;
        made.find_nodes(modules)?;
        made.scratch = Some(made.make_scratch()?);
        Ok(made)
    }

    fn create(&mut self, modules: &[GraphModule]) -> Result<()> {
        let named = |text: &str| CString::new(text).map_err(|_| DeviceError::new("the name of a node contains a NUL"));
        // Every structure is complete before the first pointer to it is taken.
        let (mut shaders, mut names) = (Vec::new(), Vec::new());
        for module in modules {
            let shader = Module::new(&self.gpu.device, module.words)?;
            for node in &module.nodes {
                names.push((shader.handle, named(&node.entry_point)?, named(&node.name)?, node.index));
            }
            shaders.push(shader);
        }
        let infos: Vec<_> = names
            .iter()
            .map(|(_, _, name, index)| vk::PipelineShaderStageNodeCreateInfoAMDX {
                name: name.as_ptr(),
                index: *index,
                ..Default::default()
            })
            .collect();
        let stages: Vec<_> = names
            .iter()
            .zip(&infos)
            .map(|((module, entry_point, ..), info)| vk::PipelineShaderStageCreateInfo {
                next: std::ptr::from_ref(info).cast(),
                stage: vk::ShaderStageFlags::COMPUTE,
                module: *module,
                name: entry_point.as_ptr(),
                ..Default::default()
            })
            .collect();
        let info = vk::ExecutionGraphPipelineCreateInfoAMDX {
            stage_count: u32::try_from(stages.len()).map_err(|_| DeviceError::new("too many nodes"))?,
            stages: stages.as_ptr(),
            layout: self.layout,
            base_pipeline_index: -1,
            ..Default::default()
        };
        let (device, cache) = (self.gpu.device.handle(), self.gpu.pipelines);
        // SAFETY: every structure, name and module lives until after the call. `check_module` has found the entry
        // points; the caller guarantees that the modules are otherwise valid.
        let result =
            unsafe { (self.commands.create_pipelines)(device, cache, 1, &info, std::ptr::null(), &mut self.handle) };
        succeeded(result, "create an execution graph pipeline")?;
        if self.handle.is_null() {
            return Err(DeviceError::new("the driver created no execution graph pipeline"));
        }
        Ok(())
    }

    /// Asks the pipeline for its index of each node, which differs from the shader index.
    fn find_nodes(&mut self, modules: &[GraphModule]) -> Result<()> {
        for node in modules.iter().flat_map(|module| &module.nodes) {
            let name = CString::new(node.name.as_str()).unwrap_or_default();
            let info = vk::PipelineShaderStageNodeCreateInfoAMDX {
                name: name.as_ptr(),
                index: node.index,
                ..Default::default()
            };
            let mut found = u32::MAX;
            // SAFETY: the pipeline was created with a node of this name and index, and the structures live until after
            // the call.
            let result =
                unsafe { (self.commands.node_index)(self.gpu.device.handle(), self.handle, &info, &mut found) };
            succeeded(result, &format!("find the node {}[{}] in its pipeline", node.name, node.index))?;
            self.nodes.insert((node.name.clone(), node.index), found);
        }
        Ok(())
    }

    fn make_scratch(&self) -> Result<Scratch> {
        let mut range = vk::ExecutionGraphPipelineScratchSizeAMDX::default();
        // SAFETY: the pipeline is alive; the structure is initialised and lives until after the call.
        let result = unsafe { (self.commands.scratch_size)(self.gpu.device.handle(), self.handle, &mut range) };
        succeeded(result, "query the scratch memory of an execution graph")?;
        let most = MAX_SCRATCH.min(self.gpu.max_allocation.saturating_sub(SCRATCH_ALIGNMENT));
        let best = scratch_bytes(range.min_size, range.max_size, range.size_granularity, most);
        let usage = vk::BufferUsageFlags::EXECUTION_GRAPH_SCRATCH_AMDX;
        let buffer = |bytes| Buffer::of_device(&self.gpu, bytes, usage, SCRATCH_ALIGNMENT);
        // Memory beyond the least improves speed.
        let (buffer, bytes) = match buffer(best) {
            Err(_) if best > range.min_size => (buffer(range.min_size)?, range.min_size),
            made => (made?, best),
        };
        Ok(Scratch { buffer, bytes, initialized: false })
    }

    /// Runs one dispatch to its end.
    ///
    /// # Errors
    /// Nodes that the graph lacks, push constants of another size, more records than the device allocates, or a driver
    /// error.
    pub fn dispatch(
        &mut self,
        submitter: &mut Submitter,
        form: DispatchForm,
        inputs: &[GraphRecords],
        sets: &[vk::DescriptorSet],
        push: &[u8],
    ) -> Result<()> {
        let given = push.len().next_multiple_of(4);
        if given != self.push_bytes as usize {
            return Err(DeviceError::new(format!(
                "{given} bytes of push constants, but the graph has {}",
                self.push_bytes
            )));
        }
        let bounds = Bounds {
            max_payloads: self.gpu.graphs.max_payloads,
            alignment: self.gpu.graphs.address_alignment,
            max_bytes: self.gpu.max_allocation,
        };
        let known = inputs.iter().map(|input| {
            let index = self.nodes.get(&(input.node.to_owned(), input.index)).copied();
            let missing = || DeviceError::new(format!("the graph has no node {}[{}]", input.node, input.index));
            index.map(|index| (index, *input)).ok_or_else(missing)
        });
        let block = Block::new(known.collect::<Result<Vec<_>>>()?, bounds)?;
        if block.count() == 0 {
            return Ok(());
        }
        let memory = Placed::new(&self.gpu, &block, form)?;
        let Some(scratch) = &mut self.scratch else { return Err(DeviceError::new("the graph has no scratch memory")) };
        let first = !std::mem::replace(&mut scratch.initialized, false);
        let recording = Recording {
            gpu: &self.gpu,
            commands: &self.commands,
            pipeline: self.handle,
            layout: self.layout,
            scratch: (scratch.buffer.address(), scratch.bytes),
            sets,
            push,
        };
        submitter.run(|target| recording.record(target, first, form, &memory))?;
        scratch.initialized = true;
        Ok(())
    }
}

impl Drop for ExecutionGraph {
    fn drop(&mut self) {
        // SAFETY: submissions are waited for; null handles are ignored.
        unsafe {
            self.gpu.device.destroy_pipeline(self.handle, None);
            self.gpu.device.destroy_pipeline_layout(self.layout, None);
        }
    }
}

/// The input of a dispatch, in the memory that its form requires. It lives until the dispatch has ended.
struct Placed {
    /// Counts the node structures, for the forms that the host counts them in.
    count: vk::DispatchGraphCountInfoAMDX,
    /// The address of the block on the device, at its counting structure.
    address: u64,
    _host: Vec<u64>,
    _device: Option<Buffer>,
}

impl Placed {
    fn new(gpu: &Rc<Gpu>, block: &Block, form: DispatchForm) -> Result<Self> {
        let stride = super::records::INFO_BYTES as u64;
        if form == DispatchForm::Host {
            let mut host = vec![0u64; block.len().div_ceil(8)];
            let base = host.as_mut_ptr().expose_provenance() as u64;
            for (word, bytes) in host.iter_mut().zip(block.at(base).as_chunks().0) {
                *word = u64::from_ne_bytes(*bytes);
            }
            let host_address = std::ptr::with_exposed_provenance(Block::infos(base) as usize);
            let infos = vk::DeviceOrHostAddressConstAMDX { host_address };
            let count = vk::DispatchGraphCountInfoAMDX { count: block.count(), infos, stride };
            return Ok(Self { count, address: 0, _host: host, _device: None });
        }
        let mut buffer = Buffer::new(gpu, block.len() as u64)?;
        let address = buffer.address();
        buffer.write(0, &block.at(address))?;
        let infos = vk::DeviceOrHostAddressConstAMDX { device_address: Block::infos(address) };
        let count = vk::DispatchGraphCountInfoAMDX { count: block.count(), infos, stride };
        Ok(Self { count, address, _host: Vec::new(), _device: Some(buffer) })
    }
}

/// The data for recording a dispatch.
struct Recording<'g> {
    gpu: &'g Gpu,
    commands: &'g Commands,
    pipeline: vk::Pipeline,
    layout: vk::PipelineLayout,
    /// Address and bytes.
    scratch: (u64, u64),
    sets: &'g [vk::DescriptorSet],
    push: &'g [u8],
}

impl Recording<'_> {
    fn record(&self, target: vk::CommandBuffer, first: bool, form: DispatchForm, memory: &Placed) {
        let device = &self.gpu.device;
        let (scratch, bytes) = self.scratch;
        let point = vk::PipelineBindPoint::EXECUTION_GRAPH_AMDX;
        let _label = Label::begin(self.gpu.labels(), target, "execution graph");
        // SAFETY: the pipeline, its layout, the sets and `memory` are alive until the submission has been waited for.
        // The scratch memory belongs to this pipeline and has the stated size. It is initialised before its first use,
        // with a barrier between. The node structures name nodes of the pipeline.
        unsafe {
            device.cmd_bind_pipeline(target, point, self.pipeline);
            if first {
                (self.commands.initialize_scratch)(target, self.pipeline, scratch, bytes);
                full_barrier(device, target, vk::ShaderStageFlags::COMPUTE);
            }
            if !self.sets.is_empty() {
                device.cmd_bind_descriptor_sets(target, point, self.layout, 0, self.sets, &[]);
            }
            if !self.push.is_empty() {
                let mut push = self.push.to_vec();
                push.resize(push.len().next_multiple_of(4), 0);
                device.cmd_push_constants(target, self.layout, vk::ShaderStageFlags::COMPUTE, 0, &push);
            }
            match form {
                DispatchForm::Host => (self.commands.dispatch)(target, scratch, bytes, &memory.count),
                DispatchForm::Indirect => (self.commands.dispatch_indirect)(target, scratch, bytes, &memory.count),
                DispatchForm::IndirectCount => {
                    (self.commands.dispatch_indirect_count)(target, scratch, bytes, memory.address);
                }
            }
        }
    }
}

/// Returns the most useful scratch memory for the driver, of at most `most` bytes: `min` and a whole number of steps.
fn scratch_bytes(min: u64, max: u64, step: u64, most: u64) -> u64 {
    let beyond = max.min(most).saturating_sub(min);
    min + beyond.checked_div(step).unwrap_or(0) * step
}

fn succeeded(result: vk::Result, what: &str) -> Result<()> {
    if result == vk::Result::SUCCESS { Ok(()) } else { Err(failed(what)(result.into())) }
}

#[cfg(test)]
mod unit {
    use super::scratch_bytes;

    #[test]
    fn scratch_size_is_the_minimum_plus_whole_steps() {
        assert_eq!(scratch_bytes(1000, 5000, 300, u64::MAX), 1000 + 13 * 300);
        assert_eq!(scratch_bytes(1000, 5000, 300, 2000), 1900);
        assert_eq!(scratch_bytes(1000, 1000, 64, u64::MAX), 1000);
        assert_eq!(scratch_bytes(1000, 5000, 300, 10), 1000, "the least is needed whatever is wanted");
        assert_eq!(scratch_bytes(1000, 5000, 0, u64::MAX), 1000, "no step, no more");
        assert_eq!(scratch_bytes(1000, 0, 64, u64::MAX), 1000);
    }
}
