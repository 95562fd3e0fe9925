//! The commands of the extension, and the execution of recorded commands.

use vulkanalia::prelude::v1_2::*;

use super::{Driver, Nodes, Recorded, bytes_at, functions, object, text, with};

functions! {
    "vkCreateShaderModule" PFN_vkCreateShaderModule create_module;
    "vkDestroyShaderModule" PFN_vkDestroyShaderModule destroy_module;
    "vkDestroyPipeline" PFN_vkDestroyPipeline destroy_pipeline;
    "vkCreateExecutionGraphPipelinesAMDX" PFN_vkCreateExecutionGraphPipelinesAMDX create_pipelines;
    "vkGetExecutionGraphPipelineScratchSizeAMDX" PFN_vkGetExecutionGraphPipelineScratchSizeAMDX scratch_size;
    "vkGetExecutionGraphPipelineNodeIndexAMDX" PFN_vkGetExecutionGraphPipelineNodeIndexAMDX node_index;
    "vkCmdInitializeGraphScratchMemoryAMDX" PFN_vkCmdInitializeGraphScratchMemoryAMDX initialize;
    "vkCmdDispatchGraphAMDX" PFN_vkCmdDispatchGraphAMDX dispatch;
    "vkCmdDispatchGraphIndirectAMDX" PFN_vkCmdDispatchGraphIndirectAMDX dispatch_indirect;
    "vkCmdDispatchGraphIndirectCountAMDX" PFN_vkCmdDispatchGraphIndirectCountAMDX dispatch_indirect_count;
}

object! { ShaderModule destroy_module }
object! { Pipeline destroy_pipeline }

unsafe extern "system" fn create_module(
    _: vk::Device,
    info: *const vk::ShaderModuleCreateInfo,
    _: *const vk::AllocationCallbacks,
    made: *mut vk::ShaderModule,
) -> vk::Result {
    let handle = with(|driver| driver.handle("ShaderModule"));
    // SAFETY: here and below, the caller's output pointers are valid.
    unsafe {
        with(|driver| driver.log.push(format!("vkCreateShaderModule {} bytes", (*info).code_size)));
        *made = vk::ShaderModule::from_raw(handle);
    }
    vk::Result::SUCCESS
}

/// Returns the name and index in a `VkPipelineShaderStageNodeCreateInfoAMDX`.
unsafe fn named(info: *const vk::PipelineShaderStageNodeCreateInfoAMDX) -> (String, u32) {
    // SAFETY: as above.
    let info = unsafe { &*info };
    let kind = vk::StructureType::PIPELINE_SHADER_STAGE_NODE_CREATE_INFO_AMDX;
    with(|driver| {
        driver.demand(info.s_type == kind && info.next.is_null(), "VkPipelineShaderStageNodeCreateInfoAMDX-sType");
        driver.demand(!info.name.is_null(), "vkGetExecutionGraphPipelineNodeIndexAMDX-09140");
        driver.demand(info.index != u32::MAX, "vkGetExecutionGraphPipelineNodeIndexAMDX-09141");
    });
    (text(info.name), info.index)
}

unsafe extern "system" fn create_pipelines(
    _: vk::Device,
    _: vk::PipelineCache,
    count: u32,
    infos: *const vk::ExecutionGraphPipelineCreateInfoAMDX,
    _: *const vk::AllocationCallbacks,
    made: *mut vk::Pipeline,
) -> vk::Result {
    // SAFETY: as above.
    let info = unsafe { *infos };
    let (mut nodes, mut lines) = (Vec::new(), Vec::new());
    for number in 0..info.stage_count as usize {
        // SAFETY: as above.
        let (stage, (name, index)) = unsafe {
            let stage = *info.stages.add(number);
            (stage, named(stage.next.cast()))
        };
        lines.push(format!("{} as {name}[{index}]", text(stage.name)));
        with(|driver| {
            let alive = driver.living.contains(&("ShaderModule", stage.module.as_raw()));
            driver.demand(alive, "VkPipelineShaderStageCreateInfo: its module is not alive");
            driver.demand(
                stage.stage == vk::ShaderStageFlags::COMPUTE,
                "VkExecutionGraphPipelineCreateInfoAMDX-stage-09128",
            );
            let unique = !nodes.contains(&(name.clone(), index));
            driver.demand(unique, "VkExecutionGraphPipelineCreateInfoAMDX-None-09134");
        });
        nodes.push((name, index));
    }
    let handle = with(|driver| {
        driver.demand(count == 1, "the host makes one at a time");
        driver.demand(
            info.s_type == vk::StructureType::EXECUTION_GRAPH_PIPELINE_CREATE_INFO_AMDX && info.next.is_null(),
            "VkExecutionGraphPipelineCreateInfoAMDX-sType",
        );
        driver.demand(!info.layout.is_null(), "VkExecutionGraphPipelineCreateInfoAMDX-None-11363");
        driver.log.push(format!("vkCreateExecutionGraphPipelinesAMDX {}", lines.join(", ")));
        let handle = driver.handle("Pipeline");
        driver.pipelines.insert(handle, nodes);
        handle
    });
    // SAFETY: as above.
    unsafe { *made = vk::Pipeline::from_raw(handle) };
    vk::Result::SUCCESS
}

unsafe extern "system" fn scratch_size(
    _: vk::Device,
    _: vk::Pipeline,
    out: *mut vk::ExecutionGraphPipelineScratchSizeAMDX,
) -> vk::Result {
    with(|driver| {
        driver.log.push("vkGetExecutionGraphPipelineScratchSizeAMDX".to_owned());
        let (min, max, step) = driver.setup.scratch;
        // SAFETY: as above; written by the offsets of the C header.
        unsafe {
            let words = out.cast::<u32>();
            driver.demand(*words == 1_000_134_002, "VkExecutionGraphPipelineScratchSizeAMDX-sType-sType");
            let words = out.cast::<u64>();
            driver.demand(*words.add(1) == 0, "VkExecutionGraphPipelineScratchSizeAMDX-pNext-pNext");
            *words.add(2) = min;
            *words.add(3) = max;
            *words.add(4) = step;
        }
    });
    vk::Result::SUCCESS
}

unsafe extern "system" fn node_index(
    _: vk::Device,
    pipeline: vk::Pipeline,
    info: *const vk::PipelineShaderStageNodeCreateInfoAMDX,
    out: *mut u32,
) -> vk::Result {
    // SAFETY: as above.
    let node = unsafe { named(info) };
    with(|driver| {
        driver.log.push(format!("vkGetExecutionGraphPipelineNodeIndexAMDX {}[{}]", node.0, node.1));
        let nodes = driver.pipelines.get(&pipeline.as_raw()).cloned().unwrap_or_default();
        let found = nodes.iter().position(|known| *known == node);
        driver.demand(found.is_some(), "vkGetExecutionGraphPipelineNodeIndexAMDX-executionGraph-09142");
        // SAFETY: as above.
        unsafe { *out = found.map_or(0, |number| 10 * number as u32 + 7) };
    });
    vk::Result::SUCCESS
}

unsafe extern "system" fn initialize(_: vk::CommandBuffer, pipeline: vk::Pipeline, scratch: u64, bytes: u64) {
    with(|driver| {
        driver.log.push(format!("vkCmdInitializeGraphScratchMemoryAMDX {bytes} bytes"));
        driver.recorded.push(Recorded::Initialize { pipeline: pipeline.as_raw(), scratch, bytes });
    });
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    bytes[at..].first_chunk().map_or(0, |word| u32::from_ne_bytes(*word))
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    bytes[at..].first_chunk().map_or(0, |word| u64::from_ne_bytes(*word))
}

/// Reads count, address and stride of `VkDispatchGraphCountInfoAMDX`, by the offsets of the C header.
fn counts(info: &[u8]) -> (u32, u64, u64) {
    (u32_at(info, 0), u64_at(info, 8), u64_at(info, 16))
}

/// Reads node index, count, address and stride of `VkDispatchGraphInfoAMDX`, likewise.
fn node(info: &[u8]) -> (u32, u32, u64, u64) {
    (u32_at(info, 0), u32_at(info, 4), u64_at(info, 8), u64_at(info, 16))
}

unsafe extern "system" fn dispatch(
    _: vk::CommandBuffer,
    scratch: u64,
    bytes: u64,
    info: *const vk::DispatchGraphCountInfoAMDX,
) {
    // SAFETY: as above; addresses are those of the host, which are read while the command is recorded.
    let all: Vec<_> = unsafe {
        let (count, infos, stride) = counts(&bytes_at(info.expose_provenance() as u64, 24));
        let read = |number| {
            let (index, count, records, stride) = node(&bytes_at(infos + number * stride, 24));
            (index, (0..u64::from(count)).map(|n| bytes_at(records + n * stride, stride)).collect())
        };
        (0..u64::from(count)).map(read).collect()
    };
    with(|driver| {
        driver.log.push(format!("vkCmdDispatchGraphAMDX {} nodes", all.len()));
        driver.recorded.push(Recorded::Dispatch { scratch, bytes, nodes: Nodes::Host(all) });
    });
}

unsafe extern "system" fn dispatch_indirect(
    _: vk::CommandBuffer,
    scratch: u64,
    bytes: u64,
    info: *const vk::DispatchGraphCountInfoAMDX,
) {
    // SAFETY: as above.
    let (count, infos, stride) = counts(&unsafe { bytes_at(info.expose_provenance() as u64, 24) });
    with(|driver| {
        driver.log.push(format!("vkCmdDispatchGraphIndirectAMDX {count} nodes"));
        driver.recorded.push(Recorded::Dispatch { scratch, bytes, nodes: Nodes::Indirect(count, infos, stride) });
    });
}

unsafe extern "system" fn dispatch_indirect_count(_: vk::CommandBuffer, scratch: u64, bytes: u64, info: u64) {
    with(|driver| {
        driver.log.push("vkCmdDispatchGraphIndirectCountAMDX".to_owned());
        driver.recorded.push(Recorded::Dispatch { scratch, bytes, nodes: Nodes::IndirectCount(info) });
    });
}

impl Driver {
    /// Executes the recorded commands.
    pub(super) fn execute(&mut self) {
        let point = vk::PipelineBindPoint::EXECUTION_GRAPH_AMDX;
        let (mut bound, mut sets, mut push) = (0, Vec::new(), Vec::new());
        // Writes to scratch memory that no barrier has made visible yet.
        let mut pending = false;
        for command in self.recorded.clone() {
            match command {
                Recorded::Pipeline(at, pipeline) if at == point => bound = pipeline,
                Recorded::Sets(at, bound) if at == point => sets = bound,
                Recorded::Pipeline(..) | Recorded::Sets(..) => {}
                Recorded::Push(bytes) => push = bytes,
                Recorded::Barrier { source, target, stages } => {
                    let writes = vk::AccessFlags::SHADER_WRITE;
                    let all = target.contains(vk::AccessFlags::SHADER_READ | writes) && source.contains(writes);
                    pending &= !(all && stages.contains(vk::PipelineStageFlags::COMPUTE_SHADER));
                }
                Recorded::Initialize { pipeline, scratch, bytes } => {
                    self.check_scratch(scratch, bytes, "vkCmdInitializeGraphScratchMemoryAMDX");
                    self.scratch.insert(scratch, (pipeline, bytes));
                    pending = true;
                }
                Recorded::Dispatch { scratch, bytes, nodes } => {
                    self.check_scratch(scratch, bytes, "vkCmdDispatchGraph");
                    let initialized = self.scratch.get(&scratch) == Some(&(bound, bytes));
                    self.demand(initialized && !pending, "vkCmdDispatchGraph-scratch-10194");
                    pending = true;
                    let output = sets.first().and_then(|set| self.sets.get(set)).copied();
                    for (index, records) in self.read(nodes) {
                        self.run_node(bound, index, &records, output);
                    }
                    if let (Some(output), Some(first)) = (output, push.first_chunk::<4>()) {
                        add(output, 9, u32::from_le_bytes(*first));
                    }
                }
            }
        }
        self.demand(!pending, "what a dispatch wrote is not made visible to the host and to the next");
    }

    fn check_scratch(&mut self, scratch: u64, bytes: u64, command: &str) {
        let usage = self.buffer_at(scratch, bytes);
        let right = usage.is_some_and(|usage| usage.contains(vk::BufferUsageFlags::EXECUTION_GRAPH_SCRATCH_AMDX));
        self.demand(right, &format!("{command}-scratch-09184 and 10192"));
        self.demand(bytes >= self.setup.scratch.0, &format!("{command}-scratchSize-10193"));
        self.demand(scratch.is_multiple_of(64), &format!("{command}-scratch-09144"));
    }

    /// Reads the records by node index, in the form of the dispatch.
    fn read(&mut self, nodes: Nodes) -> Vec<(u32, Vec<Vec<u8>>)> {
        let (count, infos, stride) = match nodes {
            Nodes::Host(all) => return all,
            Nodes::Indirect(count, infos, stride) => (count, infos, stride),
            Nodes::IndirectCount(address) => counts(&self.device_bytes(address, 24, "countInfo-09159 to 09161")),
        };
        let mut all = Vec::new();
        for number in 0..u64::from(count) {
            let info = self.device_bytes(infos + number * stride, 24, "pCountInfo-09150 to 09152");
            let (index, count, records, stride) = node(&info);
            let records: Vec<_> = (0..u64::from(count))
                .map(|n| self.device_bytes(records + n * stride, stride, "pCountInfo-09154 to 09156"))
                .collect();
            all.push((index, records));
        }
        all
    }

    /// Returns memory of the device that a dispatch reads.
    fn device_bytes(&mut self, address: u64, bytes: u64, rule: &str) -> Vec<u8> {
        let wanted = vk::BufferUsageFlags::INDIRECT_BUFFER | vk::BufferUsageFlags::SHADER_DEVICE_ADDRESS;
        let right = self.buffer_at(address, bytes).is_some_and(|usage| usage.contains(wanted));
        self.demand(right && address.is_multiple_of(4), rule);
        // SAFETY: a buffer that is alive has the bytes.
        if right { unsafe { bytes_at(address, bytes) } } else { vec![0; bytes as usize] }
    }

    fn run_node(&mut self, pipeline: u64, index: u32, records: &[Vec<u8>], output: Option<u64>) {
        let nodes = self.pipelines.get(&pipeline).map_or(0, Vec::len) as u32;
        let number = index.wrapping_sub(7) / 10;
        let known = index % 10 == 7 && number < nodes;
        self.demand(known, "vkCmdDispatchGraph: no node index of the pipeline (09148)");
        let most = self.setup.max_payloads as usize;
        self.demand(records.len() <= most, "VkDispatchGraphInfoAMDX-payloadCount-09171");
        let shown: Vec<Vec<u32>> =
            records.iter().map(|record| (0..record.len() / 4).map(|word| u32_at(record, word * 4)).collect()).collect();
        self.log.push(match shown.len() {
            0..8 => format!("  node {index}: {shown:?}"),
            many => format!("  node {index}: {many} records, {:?} to {:?}", shown[0], shown[many - 1]),
        });
        let Some(output) = output.filter(|_| known) else { return };
        for record in shown {
            add(output, u64::from(number), record.first().copied().unwrap_or(0));
            add(output, 8, 1);
        }
    }
}

/// Adds to a word of the storage buffer.
fn add(output: u64, word: u64, value: u32) {
    let place = std::ptr::with_exposed_provenance_mut::<u32>((output + word * 4) as usize);
    // SAFETY: the tests bind a buffer of 16 words.
    unsafe { *place = (*place).wrapping_add(value) };
}
