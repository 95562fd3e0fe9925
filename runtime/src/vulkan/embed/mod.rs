//! Emulated graphs inside an engine: on its device, in its memory, recorded into its command buffers.
//!
//! Nothing here submits, waits or allocates device memory. [`Graph::load`] makes pipelines; [`Graph::requirements`]
//! says what memory to bring and [`Graph::bind`] takes it; [`Graph::record`] records one dispatch of the graph, and
//! [`Graph::status`] says, when the submission has finished, how it ended. [`Graph::grow`] adds memory. One dispatch of
//! a graph is in flight at a time: [`Graph::share`] makes as many graphs of a package as there are frames, and
//! [`Graph::reload`] makes one of the package's next state. What is recorded is `docs/emulation-abi.md`, as in the plain host loop of
//! [`crate::emulated`].
//!
//! Mesh nodes are drawn by the engine: [`Graph::mesh_nodes`] gives the first stage of its graphics pipelines, and
//! [`Graph::record_draws`] records their draws into its render pass.

mod draws;
mod host;
mod memory;
mod pipelines;
mod record;

pub use draws::{Draws, MeshNode};
pub use host::{Host, descriptor_type, stages};
pub use memory::{Block, GraphMemory, Mapped, Requirements, Sizes};
pub use record::{Completion, Dispatch, Inputs, Mark, Recorded, Resume, Timestamps};

use std::sync::Arc;
use vulkanalia::prelude::v1_2::*;

use crate::emulated::{InstanceReport, Program, Reports, RunError, Step, Steps};
use memory::Placed;
use pipelines::Pipelines;
use record::Last;
use wgc_abi::manifest::Manifest;
use wgc_abi::{Package, device as abi};

/// A package on the caller's device, with memory for one dispatch. Its pipelines are destroyed with the last graph that has
/// them ([`Graph::share`], [`Graph::reload`]): no dispatch of it is in flight, and nothing being recorded, when it is dropped.
pub struct Graph {
    loaded: Arc<Loaded>,
    memory: Option<Placed>,
    /// Of the last dispatch that was recorded.
    last: Option<Last>,
    dispatches: u32,
    poison: bool,
    /// Of the last recording.
    marks: Vec<Mark>,
}

/// What graphs of one package have in common.
struct Loaded {
    host: Host,
    program: Program,
    tables: Vec<u8>,
    pipelines: Pipelines,
    group_limit: u32,
}

/// How a dispatch stands, once its submission has finished.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GraphStatus {
    /// Records wait: record a [`Resume`] and submit it.
    pub pending: bool,
    /// The stage that the next sweep begins at.
    pub deepest: u32,
    /// Sweeps of a scheduled run so far; 0: it ran in one pass.
    pub sweeps: u32,
    /// A dispatch grid in a record was above NodeMaxDispatchGrid and was cut.
    pub grid_clamped: bool,
    /// The fewest pages that nobody had, in a scheduled run: 0 or little of it means that more memory saves sweeps.
    pub pages_least: u32,
    /// The most pages that were in use at a time, in a scheduled run.
    pub pages_peak: u32,
    /// The first of the limits that shaders broke ([`RunError::Graph`]), or of the inputs, counted on the device, that were
    /// left out ([`RunError::CountedInput`]). What exceeded them is lost, the rest was done. With [`Graph::poison`] what
    /// was found first ([`RunError::Guard`]).
    pub error: Option<RunError>,
    /// All of them, each once, and who got records whose dispatch grids were cut.
    pub reports: Reports,
    /// Records that each instance consumed, in the manifest's order.
    pub instances: Vec<InstanceReport>,
}

impl Graph {
    /// Loads a package: makes a pipeline of each compute shader and a module of each mesh shader, with a layout of the
    /// caller's descriptor sets (those that the manifest's `bindings` ask for) and the package's push constants.
    ///
    /// # Errors
    /// A damaged package, fewer layouts than the modules use sets, workgroups above the device's limits, or whatever the driver says.
    ///
    /// # Safety
    /// The modules of the package are valid, and the device has the features that the package needs: the floor of
    /// `docs/emulation-abi.md`, the manifest's `features`, and those of the modules' capabilities.
    pub unsafe fn load(
        host: Host,
        package: &Package,
        set_layouts: &[vk::DescriptorSetLayout],
        cache: vk::PipelineCache,
    ) -> Result<Self, RunError> {
        // SAFETY: as the caller promises.
        let loaded = unsafe { Loaded::new(host, package, set_layouts, cache, None)? };
        Ok(Self::of(Arc::new(loaded)))
    }

    /// As [`Graph::load`] for another state of the package, taking over the pipelines, and the mesh shaders, of modules whose code is as it
    /// was: after an edit of one node that node's alone is made ([`Graph::pipelines_made`]). Where bindings, the bytes of push constants or
    /// the kinds of shaders are others, all are made; else the layout that [`Graph::layout`] gives is compatible with the
    /// one before. The graph has no memory yet.
    ///
    /// # Errors
    /// As [`Graph::load`]; this graph is as it was.
    ///
    /// # Safety
    /// As [`Graph::load`]; where the package has the same bindings, the set layouts are defined as those that this graph was loaded
    /// with.
    pub unsafe fn reload(
        &self,
        package: &Package,
        set_layouts: &[vk::DescriptorSetLayout],
        cache: vk::PipelineCache,
    ) -> Result<Self, RunError> {
        let (host, before) = (self.loaded.host.clone(), &self.loaded.pipelines);
        // SAFETY: as the caller promises.
        let loaded = unsafe { Loaded::new(host, package, set_layouts, cache, Some(before))? };
        Ok(Self {
            poison: self.poison && loaded.program.manifest.kernels.guard.is_some(),
            ..Self::of(Arc::new(loaded))
        })
    }

    /// Another graph of the same package, with the same pipelines and without memory: one for each dispatch that is recorded
    /// or in flight at the same time, such as one for each frame in flight. They do not know of each other, and threads may
    /// have one each.
    pub fn share(&self) -> Self {
        Self { poison: self.poison, ..Self::of(self.loaded.clone()) }
    }

    fn of(loaded: Arc<Loaded>) -> Self {
        Self { loaded, memory: None, last: None, dispatches: 0, poison: false, marks: Vec::new() }
    }

    /// Pipelines and modules of mesh shaders that [`Graph::load`] or [`Graph::reload`] made, those left out that the graph
    /// before had.
    pub fn pipelines_made(&self) -> usize {
        self.loaded.pipelines.new
    }

    /// Has what is recorded from now on look for shaders that write behind their records, and for records in pages that
    /// are another's: [`GraphStatus::error`]. Every launch is followed by a kernel and two barriers, and the arena, whose buffers
    /// must have usage transfer destination, is filled before each dispatch.
    ///
    /// # Errors
    /// The package was not made for it.
    pub fn poison(&mut self) -> Result<(), RunError> {
        self.poison = self.loaded.program.manifest.kernels.guard.is_some();
        if self.poison { Ok(()) } else { Err(RunError::NoGuards) }
    }

    /// Timestamps that a recording of so many sweeps takes at most; 0: in one pass.
    pub fn most_timestamps(&self, sweeps: u32) -> u32 {
        let steps = Steps::new(&self.loaded.program, 0, 0, self.loaded.group_limit, &[]);
        let steps = if sweeps == 0 { steps.single(1) } else { steps.begin(Some(1), sweeps.min(record::MOST_SWEEPS)) };
        let launches = steps.iter().filter(|step| **step != Step::Barrier).count() as u32;
        1 + launches * if self.poison { 2 } else { 1 }
    }

    /// What ended at each timestamp of the last recording but the first, in order.
    pub fn marks(&self) -> &[Mark] {
        &self.marks
    }

    pub fn manifest(&self) -> &Manifest {
        &self.loaded.program.manifest
    }

    /// Layout of all pipelines of the graph, those of the caller included that draw its mesh nodes.
    pub fn layout(&self) -> vk::PipelineLayout {
        self.loaded.pipelines.layout
    }

    /// Who may read the push constants: compute shaders; where there are mesh nodes, these and the pixel shaders behind them
    /// too. With this layout, whoever else pushes constants names the same stages.
    pub fn stages(&self) -> vk::ShaderStageFlags {
        self.loaded.pipelines.stages
    }

    /// Whether records of the dispatch wait whose submission has finished last.
    pub fn is_pending(&self) -> bool {
        self.memory.as_ref().is_some_and(Placed::is_pending)
    }

    /// How the last recorded dispatch stands. Its submission must have finished.
    ///
    /// # Errors
    /// The graph did not run.
    pub fn status(&self) -> Result<GraphStatus, RunError> {
        let (Some(memory), Some(last)) = (&self.memory, &self.last) else {
            return Err(RunError::Early("no dispatch was recorded"));
        };
        let (status, queues) = memory.read_back();
        let status = abi::Status::decode(status).ok_or(RunError::Manifest("the status is cut off"))?;
        let refused = status.flags & abi::FLAG_BUSY != 0;
        if !refused && (status.magic != abi::STATUS_MAGIC || status.dispatch_id != self.dispatches) {
            return Err(RunError::Early("the last dispatch has not run to its end yet"));
        }
        let error = match self.loaded.program.judge(&status, self.dispatches, last.run.needed) {
            Ok(()) => None,
            Err(error @ (RunError::CountedInput { .. } | RunError::Guard(_))) => Some(error),
            Err(RunError::Graph(error)) if error.code >= abi::ERROR_MAX_RECORDS => Some(RunError::Graph(error)),
            Err(error) => return Err(error),
        };
        Ok(GraphStatus {
            pending: status.state == abi::STATE_PENDING,
            deepest: status.deepest,
            sweeps: status.sweeps,
            grid_clamped: status.flags & abi::FLAG_GRID_CLAMPED != 0,
            pages_least: status.pages_least,
            pages_peak: status.pages.saturating_sub(status.pages_least),
            error,
            reports: self.loaded.program.reports(&status),
            instances: self.loaded.program.consumed(&self.loaded.program.queues(queues)),
        })
    }
}

impl Loaded {
    /// # Safety
    /// As [`Graph::load`]; `before` are those of a graph with set layouts that are defined like these, if its bindings are the same.
    unsafe fn new(
        host: Host,
        package: &Package,
        set_layouts: &[vk::DescriptorSetLayout],
        cache: vk::PipelineCache,
        before: Option<&Pipelines>,
    ) -> Result<Self, RunError> {
        let program = Program::new(package)?;
        host.supports(&program.manifest)?;
        let (needed, given) = (sets(&program.manifest), set_layouts.len() as u32);
        if needed > given {
            return Err(RunError::SetLayouts { needed, given });
        }
        // SAFETY: as the caller promises.
        let pipelines = unsafe { Pipelines::new(&host, &program, package, set_layouts, cache, before)? };
        let [x, y, _] = host.limits.max_compute_work_group_count;
        let (tables, group_limit) = (package.tables.clone(), x.min(y).min(1 << 31));
        Ok(Self { host, program, tables, pipelines, group_limit })
    }
}

/// How many descriptor sets there are up to the last that is used.
fn sets(manifest: &Manifest) -> u32 {
    manifest.bindings.iter().map(|binding| binding.set.saturating_add(1)).max().unwrap_or(0)
}
