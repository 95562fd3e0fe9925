//! The CPU device: executes SPIR-V, both plain compute modules and AMDX execution graphs.
//!
//! A whole workgroup runs in step, with lanes masked by control flow. Barriers therefore cost nothing, and subgroup
//! operations are simple. It runs on one thread and is deterministic, or on as many threads as requested. Behaviour
//! that hardware leaves undefined becomes a [`Finding`].
//!
//! `translate` turns an entry point into a compact program once; `exec` runs it; `memory` is its address space; `graph`
//! is the execution graph. The device is independent of the compiler: it runs any valid module.

mod common;
mod exec;
mod findings;
pub mod graph;
mod image;
mod launch;
mod marks;
mod mask;
mod memory;
mod message;
mod program;
mod random;
mod sample;
mod sanitize;
mod settings;
mod threads;
mod trace;
mod translate;

pub use findings::{
    COMMAND as EXAMPLE_COMMAND, Finding, FindingRow, RUN_FILE as EXAMPLE_RUN_FILE, Sanitize, Subject, TABLE as FINDINGS,
};
pub(crate) use translate::layout as layouts;

pub use graph::{GraphInput, GraphModule, GraphRun, NodeName};
pub use settings::{Batching, CpuSettings, Order};
pub use wgc_spirv_module::Specialisation;

use crate::device::{
    self, AccelerationStructureId, BindingsId, BufferId, Command, Descriptor, Device, DeviceError, ImageDesc,
    ImageFormat, ImageId, Limits, PipelineId, RequestableSizes, ResourceBinding, Resources, Result, SamplerDesc,
    SamplerId, SubgroupSizes,
};
use crate::mesh::{MeshShape, Meshes};
use crate::scene::SceneDesc;
use exec::Bound;
use findings::{At, FindingCode, Findings};
use graph::Graph;
use image::Image;
use memory::{Memory, RegionKind, address_of, read_number};
use message::Messages;
use program::{Program, Slot, SlotKind};
use sanitize::Races;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use threads::{Dispatch, Own};
use trace::Scene;
use wgc_spirv_module::Module;

/// A graph created by [`CpuDevice::create_graph`] or [`CpuDevice::create_graph_of`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct GraphId(pub u32);

/// Most workgroups of a dispatch, by axis.
const MAX_GROUPS: u32 = 65535;
/// Subgroups of any size, for shaders that request one.
const ANY: RequestableSizes = RequestableSizes { least: 1, most: 128, most_subgroups: u32::MAX };
/// No image is larger than this on any axis.
const MAX_IMAGE: u32 = 16384;

#[derive(Clone)]
struct Pipeline {
    program: Arc<Program>,
    push_bytes: u32,
}

pub struct CpuDevice {
    settings: CpuSettings,
    limits: Limits,
    memory: Memory,
    findings: Findings,
    messages: Messages,
    races: Option<Races>,
    /// Regions; None once destroyed.
    buffers: Vec<Option<u32>>,
    images: Vec<Image>,
    samplers: Vec<SamplerDesc>,
    scenes: Vec<Scene>,
    bindings: Vec<Vec<ResourceBinding>>,
    pipelines: Vec<Pipeline>,
    graphs: Vec<Graph>,
    /// Instructions of all dispatches.
    executed: u64,
    /// The output of mesh shader dispatches.
    meshes: Vec<Meshes>,
}

fn error(message: impl Into<String>) -> DeviceError {
    DeviceError::new(message)
}

impl CpuDevice {
    /// Creates a device without resources. A subgroup size that is not a power of two up to 128 becomes the next one
    /// that is.
    pub fn new(mut settings: CpuSettings) -> CpuDevice {
        settings.subgroup_size = settings.subgroup_size.clamp(1, 128).next_power_of_two();
        CpuDevice {
            limits: Limits {
                max_groups: [MAX_GROUPS; 3],
                max_group_threads: mask::MAX_LANES as u32,
                max_mesh_threads: mask::MAX_LANES as u32,
                max_group_shared_bytes: 64 << 10,
                subgroups: SubgroupSizes { default: settings.subgroup_size, compute: Some(ANY), meshes: Some(ANY) },
                int64_atomics: true,
            },
            memory: Memory::new(settings.sanitize != Sanitize::Off, settings.threads > 1),
            races: (settings.sanitize != Sanitize::Off && settings.threads <= 1).then(Races::new),
            findings: Findings::new(settings.sanitize),
            messages: Messages::default(),
            settings,
            buffers: Vec::new(),
            images: Vec::new(),
            samplers: Vec::new(),
            scenes: Vec::new(),
            bindings: Vec::new(),
            pipelines: Vec::new(),
            graphs: Vec::new(),
            executed: 0,
            meshes: Vec::new(),
        }
    }

    /// Returns the findings since the device was created, in order of first occurrence.
    pub fn findings(&self) -> &[Finding] {
        self.findings.list()
    }

    /// Returns the lanes of the subgroups of a program with `WaveSize`.
    fn lanes(&self, wave_size: Option<[u32; 3]>, program: &Program, entry: &str) -> Result<Option<u32>> {
        let Some(wanted) = wave_size else { return Ok(None) };
        let chosen = self.limits.subgroups.choose(wanted, program.threads(), program.mesh.is_some());
        chosen.map_err(|other| other.of(entry))
    }

    /// Creates the execution graph of all compute and mesh entry points of an AMDX module, with the module's names.
    pub fn create_graph(&mut self, words: &[u32]) -> Result<GraphId> {
        self.create_graph_of(&[GraphModule { words, names: &[], wave_sizes: &[] }], &Specialisation::default())
    }

    /// Creates the graph of several modules, with a host's node names. The values of specialisation constants, by
    /// SpecId, apply to all of them.
    pub fn create_graph_of(&mut self, modules: &[GraphModule], values: &Specialisation) -> Result<GraphId> {
        let graph = Graph::new(modules, values, self.settings.sanitize != Sanitize::Off, &self.limits.subgroups)
            .map_err(error)?;
        self.graphs.push(graph);
        Ok(GraphId(self.graphs.len() as u32 - 1))
    }

    /// Returns the mesh layouts of a graph's mesh nodes, by name and index.
    pub fn mesh_shapes(&self, graph: GraphId) -> Vec<((String, u32), Arc<MeshShape>)> {
        let shapes = self.graphs.get(graph.0 as usize).into_iter().flat_map(Graph::mesh_shapes);
        shapes.map(|((name, index), shape)| ((name.to_owned(), index), shape.clone())).collect()
    }

    /// Runs a graph until no record is left.
    pub fn dispatch_graph(
        &mut self,
        graph: GraphId,
        bindings: Option<BindingsId>,
        push: &[u8],
        inputs: &[GraphInput],
    ) -> Result<GraphRun> {
        let index = graph.0 as usize;
        let slot = self.graphs.get_mut(index).ok_or_else(|| error("no such graph"))?;
        let graph = std::mem::take(slot);
        let result = self.run_graph(&graph, bindings, push, inputs);
        if let Some(slot) = self.graphs.get_mut(index) {
            *slot = graph;
        }
        result
    }

    fn run_graph(
        &mut self,
        graph: &Graph,
        bindings: Option<BindingsId>,
        push: &[u8],
        inputs: &[GraphInput],
    ) -> Result<GraphRun> {
        let mut slots = Vec::with_capacity(graph.nodes.len());
        for node in &graph.nodes {
            slots.push(self.resolve(&node.program, bindings)?);
        }
        let bytes = graph.nodes.iter().map(|n| n.program.push_bytes).max().unwrap_or(0);
        let region = self.push_region(push, bytes)?;
        self.ordered();
        let context = graph::Context {
            settings: &self.settings,
            memory: &mut self.memory,
            findings: &mut self.findings,
            messages: &mut self.messages,
            images: &self.images,
            samplers: &self.samplers,
            scenes: &self.scenes,
            slots: &slots,
            push: address_of(region),
            races: self.races.as_mut(),
        };
        let result = graph::dispatch(graph, inputs, context).map_err(error);
        self.memory.destroy(region);
        result
    }

    /// Creates a region of push constants, padded with zeros to the size that shaders read.
    fn push_region(&mut self, push: &[u8], bytes: u32) -> Result<u32> {
        let length = push.len().max(bytes as usize);
        let region = self.memory.create(length, RegionKind::Push).ok_or_else(|| error("not enough memory"))?;
        if let Some(to) = self.memory.bytes_mut(region).get_mut(..push.len()) {
            to.copy_from_slice(push);
        }
        Ok(region)
    }

    fn region(&self, buffer: BufferId) -> Result<u32> {
        self.buffers.get(buffer.0 as usize).copied().flatten().ok_or_else(|| error("no such buffer"))
    }

    /// Returns a buffer as whole texels.
    fn texel_buffer(&self, buffer: BufferId, format: ImageFormat) -> Result<Bound> {
        let region = self.region(buffer)?;
        let texels = self.memory.len(region) as u64 / u64::from(format.texel_bytes());
        Ok(Bound::TexelBuffer { region, format, texels: u32::try_from(texels).unwrap_or(u32::MAX) })
    }

    fn image_of(&self, image: ImageId) -> Result<&Image> {
        self.images.get(image.0 as usize).ok_or_else(|| error("no such image"))
    }

    /// Returns a descriptor as seen by a shader's variable of a kind; `None` if it is of another kind.
    fn bound(&self, descriptor: Descriptor, kind: SlotKind) -> Result<Option<Bound>> {
        Ok(Some(match (descriptor, kind) {
            (
                Descriptor::StorageBuffer(buffer) | Descriptor::UniformBuffer(buffer),
                SlotKind::StorageBuffer | SlotKind::UniformBuffer,
            ) => Bound::Buffer(address_of(self.region(buffer)?)),
            (Descriptor::StorageImage(image), SlotKind::StorageImage)
            | (Descriptor::SampledImage(image), SlotKind::SampledImage | SlotKind::CombinedImage) => {
                Bound::Image(image.0)
            }
            (Descriptor::Sampler(sampler), SlotKind::Sampler) => Bound::Sampler(sampler.0),
            (Descriptor::StorageTexels(buffer, format), SlotKind::StorageTexels)
            | (Descriptor::SampledTexels(buffer, format), SlotKind::SampledTexels) => {
                self.texel_buffer(buffer, format)?
            }
            (Descriptor::AccelerationStructure(scene), SlotKind::AccelerationStructure) => Bound::Scene(scene.0),
            _ => return Ok(None),
        }))
    }

    /// Resolves the binding of each slot of a program. Slots without a binding stay empty: their use is a finding.
    fn resolve(&self, program: &Program, bindings: Option<BindingsId>) -> Result<Vec<Vec<Bound>>> {
        let empty = Vec::new();
        let list = match bindings {
            Some(id) => self.bindings.get(id.0 as usize).ok_or_else(|| error("no such bindings"))?,
            None => &empty,
        };
        let mut slots = Vec::with_capacity(program.slots.len());
        for slot in &program.slots {
            let found = list.iter().filter(|b| (b.set, b.binding) == (slot.set, slot.binding));
            let mut bound = Vec::new();
            let mut wrong = false;
            for binding in found {
                let is_heap = matches!(binding.resources, Resources::Heap(_));
                for descriptor in binding.resources.descriptors() {
                    match self.bound(descriptor, slot.kind)? {
                        Some(resource) => bound.push(resource),
                        // An element for other views of the heap.
                        None if is_heap => bound.push(Bound::Nothing),
                        // A combined image and sampler may have both at one binding.
                        None if (slot.kind, matches!(descriptor, Descriptor::Sampler(_)))
                            == (SlotKind::CombinedImage, true) => {}
                        None => wrong = true,
                    }
                }
            }
            if wrong {
                let Slot { set, binding, kind, name, .. } = slot;
                return Err(error(format!(
                    "set {set}, binding {binding} ({name}) is bound to something other than {kind:?}"
                )));
            }
            slots.push(bound);
        }
        Ok(slots)
    }

    fn dispatch(
        &mut self,
        pipeline: PipelineId,
        bindings: Option<BindingsId>,
        push: &[u8],
        groups: [u32; 3],
        arguments: Option<[u64; 2]>,
        label: &str,
    ) -> Result<()> {
        let pipeline = self.pipelines.get(pipeline.0 as usize).ok_or_else(|| error("no such pipeline"))?;
        let Pipeline { program, push_bytes } = pipeline.clone();
        let name = if label.is_empty() { program.name.as_str() } else { label };
        // Arguments are read before the launch; if that fails, nothing is launched.
        let number = self.races.as_mut().map_or(0, |races| races.launch(name, &program));
        if let Some([address, bytes]) = arguments {
            self.read_arguments(name, number, address, bytes)?;
        }
        if groups.iter().any(|&g| g > MAX_GROUPS) {
            return Err(error(format!("{name}: {groups:?} workgroups; the limit is {MAX_GROUPS} on an axis")));
        }
        let total: u64 = groups.iter().map(|&g| u64::from(g)).product();
        if total > self.settings.max_workgroups {
            let most = self.settings.max_workgroups;
            return Err(error(format!(
                "{name}: {total} workgroups; the limit of the CPU device is {most} in a dispatch"
            )));
        }
        if push.len() > push_bytes as usize {
            let length = push.len();
            return Err(error(format!("{name}: {length} bytes of push constants, but the pipeline has {push_bytes}")));
        }
        let mut meshes = program.mesh.as_ref().map(|mesh| Meshes::of(mesh.shape.clone()));
        if groups.contains(&0) {
            self.meshes.extend(meshes);
            return Ok(());
        }
        let slots = self.resolve(&program, bindings)?;
        let region = self.push_region(push, program.push_bytes)?;
        let executed = AtomicU64::new(0);
        let dispatch = Dispatch {
            program: &program,
            name,
            number,
            slots: &slots,
            images: &self.images,
            samplers: &self.samplers,
            scenes: &self.scenes,
            settings: &self.settings,
            push: address_of(region),
            groups,
            executed: &executed,
        };
        let mut put_out = Vec::new();
        let result = dispatch.run(Own {
            memory: &mut self.memory,
            findings: &mut self.findings,
            messages: &mut self.messages,
            races: self.races.as_mut(),
            meshes: &mut put_out,
        });
        self.memory.destroy(region);
        self.executed += executed.into_inner();
        if let Some(meshes) = &mut meshes {
            put_out.into_iter().for_each(|(_, mesh)| meshes.add(mesh));
        }
        self.meshes.extend(meshes);
        result.map_err(error)
    }

    /// Checks that a launch's arguments were written, and that no pending write may still change them.
    fn read_arguments(&mut self, name: &str, number: u32, address: u64, bytes: u64) -> Result<()> {
        let nowhere = At { word: 0, lines: &wgc_spirv_module::Lines::default() };
        let marks = self.memory.marks(address, bytes as usize);
        if (0..bytes as u32).any(|byte| marks.bits(byte, 1) != 0) {
            let what = || {
                let (offset, memory) = (memory::offset_of(address), self.memory.name_of(address));
                format!("the launch reads its arguments, {bytes} bytes at offset {offset} of {memory}")
            };
            self.findings.report(FindingCode::Uninitialised, name, nowhere, what, String::new).map_err(error)?;
        }
        let Some(races) = &mut self.races else { return Ok(()) };
        let Some(other) = races.arguments(number, address, bytes) else { return Ok(()) };
        let then = races.launched(other.node).map_or_else(String::new, |launched| {
            let place = At { word: other.word, lines: &launched.program.lines };
            format!("`{}` {} ({place})", launched.name, other.access.past())
        });
        let (offset, memory) = (memory::offset_of(address), self.memory.name_of(address));
        let what = || {
            format!(
                "the launch reads its arguments, {bytes} bytes at offset {offset} of {memory}, which {then}, without a barrier in between"
            )
        };
        self.findings.report(FindingCode::DataRace, name, nowhere, what, String::new).map_err(error)
    }

    fn command(&mut self, command: &Command) -> Result<()> {
        match command {
            Command::Dispatch { pipeline, bindings, push, groups, label } => {
                self.dispatch(*pipeline, *bindings, push, *groups, None, label)
            }
            Command::DispatchIndirect { pipeline, bindings, push, args, offset, label } => {
                let (region, range) = self.span(*args, *offset, 12)?;
                let address = address_of(region) + range.start as u64;
                let mut bytes = [0; 12];
                self.memory.copy_out(address, &mut bytes);
                let mut groups = [0; 3];
                for (group, raw) in groups.iter_mut().zip(bytes.chunks_exact(4)) {
                    *group = read_number(raw, 4) as u32;
                }
                self.dispatch(*pipeline, *bindings, push, groups, Some([address, bytes.len() as u64]), label)
            }
            // Commands run one after the other; barriers matter only to race detection.
            Command::Barrier => {
                self.ordered();
                Ok(())
            }
        }
    }

    /// Orders all later work after all earlier work.
    fn ordered(&mut self) {
        if let Some(races) = &mut self.races {
            races.clear();
        }
    }

    /// Returns the bytes of a buffer from `offset` on, checked.
    fn span(&self, buffer: BufferId, offset: u64, length: usize) -> Result<(u32, std::ops::Range<usize>)> {
        let region = self.region(buffer)?;
        let size = self.memory.len(region);
        let start = usize::try_from(offset).ok();
        match start.and_then(|start| Some(start..start.checked_add(length)?)).filter(|range| range.end <= size) {
            Some(range) => Ok((region, range)),
            None => Err(error(format!("{length} bytes at {offset} of a buffer of {size} bytes"))),
        }
    }
}

/// Translates the program of a compute or mesh shader.
fn translated(words: &[u32], entry: &str) -> Result<Program> {
    let module = Module::load(words).map_err(|e| error(e.to_string()))?;
    let models = [spirv::ExecutionModel::GLCompute, spirv::ExecutionModel::MeshEXT].map(|model| model as u32);
    let point = module.entry_points.iter().find(|e| e.name == entry && models.contains(&e.model));
    let point = point.ok_or_else(|| error(format!("the module has no compute entry point {entry}")))?;
    translate::translate(&module, point).map_err(error)
}

impl Device for CpuDevice {
    fn take_messages(&mut self) -> Option<Vec<String>> {
        Some(self.messages.take())
    }

    fn take_findings(&mut self) -> Option<Vec<device::Finding>> {
        let found = self.findings.list().iter().map(|f| device::Finding { code: f.code.into(), message: f.describe() });
        let found = found.collect();
        self.findings.clear();
        Some(found)
    }

    fn name(&self) -> String {
        "cpu".into()
    }

    fn limits(&self) -> &Limits {
        &self.limits
    }

    /// The device executes everything that it can translate. It declines only allocation by several lanes together:
    /// that saves atomics, which cost nothing here.
    fn offers(&self, feature: &str) -> bool {
        feature != crate::emulated::MAXIMAL_RECONVERGENCE
    }

    fn create_buffer(&mut self, bytes: u64) -> Result<BufferId> {
        let length = usize::try_from(bytes).ok();
        let region = length.and_then(|length| self.memory.create(length, RegionKind::Buffer));
        let region = region.ok_or_else(|| DeviceError::memory(format!("cannot create a buffer of {bytes} bytes")))?;
        self.buffers.push(Some(region));
        Ok(BufferId(self.buffers.len() as u32 - 1))
    }

    /// Returns 0 for a buffer that does not exist.
    fn buffer_address(&self, buffer: BufferId) -> u64 {
        self.region(buffer).map_or(0, address_of)
    }

    fn write_buffer(&mut self, buffer: BufferId, offset: u64, data: &[u8]) -> Result<()> {
        let (region, range) = self.span(buffer, offset, data.len())?;
        self.memory.copy_in(address_of(region) + range.start as u64, data);
        Ok(())
    }

    fn read_buffer(&mut self, buffer: BufferId, offset: u64, data: &mut [u8]) -> Result<()> {
        let (region, range) = self.span(buffer, offset, data.len())?;
        self.memory.copy_out(address_of(region) + range.start as u64, data);
        Ok(())
    }

    fn name_buffer(&mut self, buffer: BufferId, name: &str) {
        if let Ok(region) = self.region(buffer) {
            self.memory.set_name(region, name);
        }
    }

    fn disregard(&mut self, buffer: BufferId) {
        if let Ok(region) = self.region(buffer) {
            self.memory.disregard(region);
        }
    }

    /// Returns whether the device tracks undefined bytes: threads that share buffers have no marks of them.
    fn knows_the_undefined(&self) -> bool {
        self.settings.sanitize != Sanitize::Off && self.settings.threads <= 1
    }

    fn forget(&mut self, buffer: BufferId, offset: u64, bytes: u64) -> Result<()> {
        let (region, range) = self.span(buffer, offset, usize::try_from(bytes).unwrap_or(usize::MAX))?;
        self.memory.forget(region, range);
        Ok(())
    }

    fn destroy_buffer(&mut self, buffer: BufferId) {
        if let Some(region) = self.buffers.get_mut(buffer.0 as usize).and_then(Option::take) {
            self.memory.destroy(region);
        }
    }

    fn create_image(&mut self, desc: ImageDesc) -> Result<ImageId> {
        desc.check().map_err(error)?;
        if desc.size.iter().any(|&s| s > MAX_IMAGE) || desc.layers > MAX_IMAGE {
            let [x, y, z] = desc.size;
            let size = format!("{x} x {y} x {z} texels in {} layers", desc.layers);
            return Err(error(format!("an image of {size}: the limit of each is {MAX_IMAGE}")));
        }
        let bytes = desc.bytes().unwrap_or(u64::MAX);
        let region = usize::try_from(bytes).ok().filter(|_| bytes <= 1 << 32);
        let region = region.and_then(|length| self.memory.create(length, RegionKind::Image));
        let region = region.ok_or_else(|| error(format!("cannot create an image of {bytes} bytes")))?;
        self.images.push(Image { desc, region });
        Ok(ImageId(self.images.len() as u32 - 1))
    }

    fn write_image(&mut self, image: ImageId, texels: &[u8]) -> Result<()> {
        let region = self.image_of(image)?.region;
        let size = self.memory.len(region);
        if size != texels.len() {
            return Err(error(format!("{} bytes for an image of {size} bytes", texels.len())));
        }
        self.memory.copy_in(address_of(region), texels);
        Ok(())
    }

    fn read_image(&mut self, image: ImageId) -> Result<Vec<u8>> {
        let region = self.image_of(image)?.region;
        let mut texels = vec![0; self.memory.len(region)];
        self.memory.copy_out(address_of(region), &mut texels);
        Ok(texels)
    }

    fn create_sampler(&mut self, desc: SamplerDesc) -> Result<SamplerId> {
        self.samplers.push(desc);
        Ok(SamplerId(self.samplers.len() as u32 - 1))
    }

    fn create_acceleration_structure(&mut self, desc: &SceneDesc) -> Result<AccelerationStructureId> {
        desc.check().map_err(error)?;
        self.scenes.push(Scene::new(desc.clone()));
        Ok(AccelerationStructureId(self.scenes.len() as u32 - 1))
    }

    fn create_bindings(&mut self, bindings: &[ResourceBinding]) -> Result<BindingsId> {
        for binding in bindings {
            for descriptor in binding.resources.descriptors() {
                use Descriptor as D;
                match descriptor {
                    D::Nothing => {}
                    D::StorageBuffer(buffer)
                    | D::UniformBuffer(buffer)
                    | D::StorageTexels(buffer, _)
                    | D::SampledTexels(buffer, _) => _ = self.region(buffer)?,
                    D::StorageImage(image) | D::SampledImage(image) => _ = self.image_of(image)?,
                    D::Sampler(sampler) if sampler.0 as usize >= self.samplers.len() => {
                        return Err(error("no such sampler"));
                    }
                    D::AccelerationStructure(scene) if scene.0 as usize >= self.scenes.len() => {
                        return Err(error("no such acceleration structure"));
                    }
                    D::Sampler(_) | D::AccelerationStructure(_) => {}
                }
            }
        }
        self.bindings.push(bindings.to_vec());
        Ok(BindingsId(self.bindings.len() as u32 - 1))
    }

    fn create_pipeline(
        &mut self,
        words: &[u32],
        entry: &str,
        _layout: Option<BindingsId>,
        push_bytes: u32,
        wave_size: Option<[u32; 3]>,
    ) -> Result<PipelineId> {
        let mut program = translated(words, entry)?;
        program.subgroup_size = self.lanes(wave_size, &program, entry)?;
        if self.settings.sanitize != Sanitize::Off {
            sanitize::instrument(&mut program);
        }
        let program = Arc::new(program);
        self.pipelines.push(Pipeline { program, push_bytes });
        Ok(PipelineId(self.pipelines.len() as u32 - 1))
    }

    fn clock(&self) -> Option<device::Clock> {
        Some(device::Clock::Instructions)
    }

    fn submit_measured(&mut self, commands: &[Command]) -> Result<Vec<u64>> {
        let mut ticks = vec![self.executed];
        self.ordered();
        for command in commands {
            self.command(command)?;
            ticks.push(self.executed);
        }
        Ok(ticks)
    }

    fn take_meshes(&mut self) -> Option<Vec<Meshes>> {
        Some(std::mem::take(&mut self.meshes))
    }

    fn mesh_shape(&self, words: &[u32], entry: &str) -> Option<Arc<MeshShape>> {
        Some(translated(words, entry).ok()?.mesh?.shape)
    }

    fn submit(&mut self, commands: &[Command]) -> Result<()> {
        // The host has waited for earlier submissions.
        self.ordered();
        commands.iter().try_for_each(|command| self.command(command))
    }
}
