//! [`Executor`]s for programs. They run emulated packages and compute shaders on any device. Native modules run on the
//! CPU device or on a Vulkan device, which execute graphs themselves.
//!
//! This module only connects the parts. `emulated` has the host loop, `cpu::graph` and `vulkan::enqueue` run execution
//! graphs, and run files define the dispatches.

use crate::cpu::{self, CpuDevice, GraphId, GraphInput};
use crate::device::{BindingsId, BufferId, Command, Device, DeviceError, PipelineId, ResourceBinding, Result};
use crate::emulated::inside::{Observer, Trace};
use crate::emulated::{Counted, Data, EmulatedGraph, EmulatedOptions, Input, LocalRootTable, RunError, RunReport};
use crate::mesh::MeshShape;
use crate::run_file::{DispatchMode, Dispatched, EntryInput, Executor, Finding};
use crate::vulkan::{DispatchForm, ExecutionGraphId, GraphModule, GraphRecords, StageNode, VulkanDevice};
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;
use wgc_abi::manifest::{EntryPoint, Instance, Manifest};
use wgc_abi::{NodeName, Package, device as abi};

/// Record errors that shaders report, by the codes of the CPU device's findings: an error has the same code on every
/// device.
const CODES: [(u32, &str); 5] = [
    (abi::ERROR_MAX_RECORDS, "WG4003"),
    (abi::ERROR_FULL, "WG4003"),
    (abi::ERROR_ABSENT, "WG4008"),
    (abi::ERROR_RECORD, "WG4001"),
    (abi::ERROR_ELEMENT, "WG4001"),
];

/// A package on a device.
pub struct EmulatedExecutor<D: Device> {
    device: D,
    package: Package,
    options: EmulatedOptions,
    observer: Option<Box<dyn Observer>>,
    trace: Option<Rc<RefCell<Trace>>>,
    strict: bool,
    bound: Option<Bound>,
}

struct Bound {
    graph: EmulatedGraph,
    push: Vec<u8>,
}

impl<D: Device> EmulatedExecutor<D> {
    pub fn new(device: D, package: Package, options: EmulatedOptions) -> Self {
        Self { device, package, options, observer: None, trace: None, strict: false, bound: None }
    }

    /// Sets an observer of appended records.
    pub fn observed(mut self, observer: Box<dyn Observer>) -> Self {
        self.observer = Some(observer);
        self
    }

    /// Starts measuring dispatches: [`Executor::trace`].
    pub fn traced(mut self) -> Self {
        self.trace = Some(Rc::default());
        self
    }

    /// Makes the first report of a dispatch an error that ends the run, as the first finding does on the CPU device.
    pub fn strict(mut self, strict: bool) -> Self {
        self.strict = strict;
        self
    }

    pub fn manifest(&self) -> &Manifest {
        &self.package.manifest
    }

    /// Releases the graph's memory and returns the device: loading another graph is faster on an open device.
    pub fn into_device(mut self) -> D {
        if let Some(bound) = self.bound.take() {
            bound.graph.destroy(&mut self.device);
        }
        self.device
    }
}

impl<D: Device> Executor for EmulatedExecutor<D> {
    fn device(&mut self) -> &mut dyn Device {
        &mut self.device
    }

    fn bind(&mut self, resources: &[ResourceBinding], push_constants: &[u8]) -> Result<()> {
        let bindings = if resources.is_empty() { None } else { Some(self.device.create_bindings(resources)?) };
        let mut graph = EmulatedGraph::load(&mut self.device, &self.package, bindings, self.options).map_err(plain)?;
        if let Some(observer) = self.observer.take() {
            graph.observe(observer);
        }
        if let Some(trace) = &self.trace {
            graph.trace(trace.clone());
        }
        self.bound = Some(Bound { graph, push: push_constants.to_vec() });
        Ok(())
    }

    fn set_local_roots(&mut self, table: LocalRootTable) -> Result<()> {
        if let Some(bound) = &mut self.bound {
            bound.graph.set_local_roots(table);
        }
        Ok(())
    }

    fn trace(&self) -> Option<&RefCell<Trace>> {
        self.trace.as_deref()
    }

    /// On the device there is one mode: it reads the number of inputs too.
    fn takes(&self, _: DispatchMode) -> bool {
        true
    }

    fn dispatch(&mut self, mode: DispatchMode, inputs: &[EntryInput]) -> Result<Dispatched> {
        let Some(bound) = &mut self.bound else {
            return Err(DeviceError::new("a graph was dispatched before its resources were bound"));
        };
        let ran = match mode {
            DispatchMode::Cpu => {
                let inputs: Vec<Input> = inputs
                    .iter()
                    .map(|input| Input {
                        node: NodeName { name: input.node.clone(), index: input.index },
                        data: Data::Bytes(&input.data),
                        stride: input.stride,
                        count: input.count,
                    })
                    .collect();
                bound.graph.dispatch(&mut self.device, &inputs, &bound.push)
            }
            DispatchMode::Gpu | DispatchMode::GpuCount => {
                let (counted, buffers) = on_device(&mut self.device, bound.graph.manifest(), inputs)?;
                let ran = bound.graph.dispatch_counted(&mut self.device, counted, &bound.push);
                buffers.into_iter().for_each(|buffer| self.device.destroy_buffer(buffer));
                ran
            }
        };
        let (records, meshes) = match ran {
            Ok(report) => (Some(report.records()), report.meshes),
            // The rest of the graph ran: the results are worth comparing.
            Err(error) if broken_rule(&error).is_some() => {
                let report = bound.graph.report();
                (report.map(RunReport::records), report.and_then(|report| report.meshes.clone()))
            }
            Err(error) => return Err(plain(error)),
        };
        let reported = findings(&bound.graph)?;
        if let Some(first) = reported.first().filter(|_| self.strict) {
            return Err(DeviceError::new(format!("{}: {}", first.code, first.message)));
        }
        let mut findings = self.device.take_findings();
        if !reported.is_empty() {
            findings.get_or_insert_default().extend(reported);
        }
        let carriers = &bound.graph.manifest().carriers;
        let uncounted = carriers.iter().flat_map(|carrier| carrier.guests.clone()).collect();
        Ok(Dispatched { records, uncounted, findings, messages: self.device.take_messages(), meshes })
    }

    fn mesh_shapes(&self) -> Vec<(NodeName, Arc<MeshShape>)> {
        let Manifest { modules, instances, .. } = &self.package.manifest;
        let shape = |instance: &Instance| {
            let module = modules.get(instance.module as usize).filter(|module| module.mesh.is_some())?;
            let words = self.package.modules.get(&module.file)?;
            Some((instance.node.clone(), self.device.mesh_shape(words, &module.entry)?))
        };
        instances.iter().filter_map(shape).collect()
    }
}

/// Stores inputs for a device that counts them itself. Returns their buffers too.
fn on_device(device: &mut dyn Device, manifest: &Manifest, inputs: &[EntryInput]) -> Result<(Counted, Vec<BufferId>)> {
    let mut buffers = Vec::new();
    let mut put = |bytes: &[u8]| -> Result<u64> {
        let buffer = device.create_buffer(bytes.len().next_multiple_of(4).max(4) as u64)?;
        buffers.push(buffer);
        device.write_buffer(buffer, 0, bytes)?;
        Ok(device.buffer_address(buffer))
    };
    let mut list = Vec::new();
    for input in inputs {
        let named = |e: &EntryPoint| e.node.name == input.node && e.node.index == input.index;
        let entry = manifest.entrypoints.iter().position(named);
        let entry = entry.ok_or_else(|| DeviceError::new(format!("the graph has no entry node {}", input.node)))?;
        let address = if input.data.is_empty() { 0 } else { put(&input.data)? };
        let stride = u64::from(input.stride);
        abi::NodeInput { entry: entry as u32, count: input.count, address, stride }.encode(&mut list);
    }
    let address = put(&list)?;
    let count = inputs.len() as u32;
    let list = abi::InputList { count, pad: 0, address, stride: abi::NodeInput::SIZE as u64 };
    let list = put(&list.to_bytes())?;
    Ok((Counted { list, most: count }, buffers))
}

/// Returns the code of the rule that a shader broke; `None` for other errors.
fn broken_rule(error: &RunError) -> Option<&'static str> {
    match error {
        RunError::Graph(error) if error.past_recursion => Some("WG4007"),
        RunError::Graph(error) => CODES.iter().find(|c| c.0 == error.code).map(|c| c.1),
        RunError::Guard(error) if error.overrun => Some("WG4001"),
        _ => None,
    }
}

/// Returns the reports of a dispatch, one by one.
///
/// # Errors
/// One of the reports is not a finding: then the others are not returned.
fn findings(graph: &EmulatedGraph) -> Result<Vec<Finding>> {
    let reports = graph.reports();
    let mut findings = Vec::new();
    for error in &reports.errors {
        let code = broken_rule(error).ok_or_else(|| plain(error.clone()))?;
        findings.push(Finding { code: code.into(), message: graph.in_words(error) });
    }
    let cut = reports.cut_grids.iter();
    findings.extend(cut.map(|cut| Finding { code: "WG4006".into(), message: cut.to_string() }));
    let rest = reports.rest();
    if let Some(last) = findings.get_mut(reports.errors.len().saturating_sub(1)).filter(|_| !rest.is_empty()) {
        last.message += &format!("; {rest}");
    }
    Ok(findings)
}

fn plain(error: RunError) -> DeviceError {
    match error {
        RunError::Device(error) => error,
        other => DeviceError::new(other.to_string()),
    }
}

/// A module for VK_AMDX_shader_enqueue on the CPU device, which executes graphs itself.
pub struct NativeExecutor {
    device: CpuDevice,
    graph: GraphId,
    bindings: Option<BindingsId>,
    push: Vec<u8>,
}

impl NativeExecutor {
    /// Creates the graph of one module or of several. `values` are those of specialisation constants by SpecId, as a
    /// host passes them at pipeline creation.
    pub fn new(mut device: CpuDevice, modules: &[cpu::GraphModule], values: &cpu::Specialisation) -> Result<Self> {
        let graph = device.create_graph_of(modules, values)?;
        Ok(Self { device, graph, bindings: None, push: Vec::new() })
    }
}

impl Executor for NativeExecutor {
    fn device(&mut self) -> &mut dyn Device {
        &mut self.device
    }

    fn bind(&mut self, resources: &[ResourceBinding], push_constants: &[u8]) -> Result<()> {
        self.bindings = if resources.is_empty() { None } else { Some(self.device.create_bindings(resources)?) };
        self.push = push_constants.to_vec();
        Ok(())
    }

    /// Accepts every mode: there is one memory, so all modes are the same.
    fn takes(&self, _: DispatchMode) -> bool {
        true
    }

    fn dispatch(&mut self, _: DispatchMode, inputs: &[EntryInput]) -> Result<Dispatched> {
        let inputs: Vec<GraphInput> = inputs
            .iter()
            .map(|input| GraphInput {
                node: input.node.clone(),
                index: input.index,
                records: input.data.clone(),
                stride: input.stride,
                count: input.count,
            })
            .collect();
        let run = self.device.dispatch_graph(self.graph, self.bindings, &self.push, &inputs)?;
        let records = run.records.into_iter().map(|((name, index), n)| (NodeName { name, index }, n)).collect();
        let meshes = run.meshes.into_iter().map(|((name, index), meshes)| (NodeName { name, index }, meshes)).collect();
        Ok(Dispatched {
            records: Some(records),
            uncounted: Vec::new(),
            findings: self.device.take_findings(),
            messages: self.device.take_messages(),
            meshes: Some(meshes),
        })
    }

    fn mesh_shapes(&self) -> Vec<(NodeName, Arc<MeshShape>)> {
        let shapes = self.device.mesh_shapes(self.graph).into_iter();
        shapes.map(|((name, index), shape)| (NodeName { name, index }, shape)).collect()
    }
}

/// A module for VK_AMDX_shader_enqueue on a Vulkan device whose driver executes it.
pub struct EnqueueExecutor {
    device: VulkanDevice,
    modules: Vec<(Vec<u32>, Vec<StageNode>)>,
    push_bytes: u32,
    bound: Option<(ExecutionGraphId, Option<BindingsId>)>,
    push: Vec<u8>,
}

impl EnqueueExecutor {
    /// Creates an executor on a device that was opened for graphs. Each module comes with its nodes; `push_bytes` is
    /// the size of the block of push constants.
    pub fn new(device: VulkanDevice, modules: Vec<(Vec<u32>, Vec<StageNode>)>, push_bytes: u32) -> Self {
        Self { device, modules, push_bytes, bound: None, push: Vec::new() }
    }
}

impl Executor for EnqueueExecutor {
    fn device(&mut self) -> &mut dyn Device {
        &mut self.device
    }

    fn bind(&mut self, resources: &[ResourceBinding], push_constants: &[u8]) -> Result<()> {
        let bindings = if resources.is_empty() { None } else { Some(self.device.create_bindings(resources)?) };
        let modules: Vec<_> =
            self.modules.iter().map(|(words, nodes)| GraphModule { words, nodes: nodes.clone() }).collect();
        let graph = self.device.create_graph(&modules, bindings, self.push_bytes)?;
        self.bound = Some((graph, bindings));
        self.push = push_constants.to_vec();
        self.push.resize(self.push_bytes as usize, 0);
        Ok(())
    }

    fn takes(&self, _: DispatchMode) -> bool {
        true
    }

    fn dispatch(&mut self, mode: DispatchMode, inputs: &[EntryInput]) -> Result<Dispatched> {
        let Some((graph, bindings)) = self.bound else {
            return Err(DeviceError::new("a graph was dispatched before its resources were bound"));
        };
        let form = match mode {
            DispatchMode::Cpu => DispatchForm::Host,
            DispatchMode::Gpu => DispatchForm::Indirect,
            DispatchMode::GpuCount => DispatchForm::IndirectCount,
        };
        let records: Vec<GraphRecords> = inputs
            .iter()
            .map(|input| GraphRecords {
                node: &input.node,
                index: input.index,
                data: &input.data,
                stride: input.stride,
                count: input.count,
            })
            .collect();
        self.device.dispatch_graph(graph, bindings, &self.push, form, &records)?;
        Ok(Dispatched {
            records: None,
            uncounted: Vec::new(),
            findings: self.device.take_findings(),
            messages: self.device.take_messages(),
            meshes: None,
        })
    }
}

/// A shader of a module that may be dispatched.
#[derive(Clone, Debug)]
pub struct ComputeShader {
    pub name: String,
    pub entry_point: String,
    /// `WaveSize`: the least and the largest number of lanes in a subgroup, and the preferred one.
    pub wave_size: Option<[u32; 3]>,
}

/// A module of compute shaders on a device.
pub struct ComputeExecutor<D: Device> {
    device: D,
    words: Vec<u32>,
    entries: Vec<ComputeShader>,
    push_bytes: u32,
    bindings: Option<BindingsId>,
    pipelines: Vec<PipelineId>,
    push: Vec<u8>,
}

impl<D: Device> ComputeExecutor<D> {
    /// Creates an executor; `push_bytes` is the size of the block of push constants.
    pub fn new(device: D, words: Vec<u32>, entries: Vec<ComputeShader>, push_bytes: u32) -> Self {
        Self { device, words, entries, push_bytes, bindings: None, pipelines: Vec::new(), push: Vec::new() }
    }
}

impl<D: Device> Executor for ComputeExecutor<D> {
    fn device(&mut self) -> &mut dyn Device {
        &mut self.device
    }

    fn bind(&mut self, resources: &[ResourceBinding], push_constants: &[u8]) -> Result<()> {
        self.bindings = if resources.is_empty() { None } else { Some(self.device.create_bindings(resources)?) };
        self.push = push_constants.to_vec();
        self.push.resize(self.push_bytes as usize, 0);
        for shader in &self.entries {
            let ComputeShader { entry_point, wave_size, .. } = shader;
            let (words, push_bytes) = (&self.words, self.push_bytes);
            let pipeline = self.device.create_pipeline(words, entry_point, self.bindings, push_bytes, *wave_size)?;
            self.pipelines.push(pipeline);
        }
        Ok(())
    }

    fn dispatch_groups(&mut self, entry: &str, groups: [u32; 3]) -> Result<Dispatched> {
        let named = self.entries.iter().zip(&self.pipelines).find(|(shader, _)| shader.name == entry);
        let Some((_, &pipeline)) = named else {
            return Err(DeviceError::new(format!("this program has no compute shader `{entry}`")));
        };
        let most = self.device.limits().max_groups;
        if groups.iter().zip(most).any(|(count, most)| *count > most) {
            return Err(DeviceError::new(format!("{groups:?} workgroups; the limit of the device is {most:?}")));
        }
        let dispatch = Command::Dispatch {
            pipeline,
            bindings: self.bindings,
            push: self.push.clone(),
            groups,
            label: entry.to_owned(),
        };
        self.device.submit(&[dispatch, Command::Barrier])?;
        Ok(Dispatched {
            records: None,
            uncounted: Vec::new(),
            findings: self.device.take_findings(),
            messages: self.device.take_messages(),
            meshes: None,
        })
    }
}
