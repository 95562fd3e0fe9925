//! Emulated graphs inside an engine: on its device, in its memory, recorded into its command buffers.
//!
//! Nothing here submits, waits or allocates device memory. First, [`Graph::load`] creates pipelines. Then
//! [`Graph::requirements`] returns the required memory and [`Graph::bind`] accepts it. Each [`Graph::record`] records
//! one dispatch of the graph. When the submission has finished, [`Graph::status`] reports its result. Memory can be
//! added by [`Graph::grow`]. One dispatch of a graph is in flight at a time. For more, such as one for each frame,
//! [`Graph::share`] creates further graphs of the package. A graph of the package's next state comes from
//! [`Graph::reload`]. The recorded commands are those of `docs/emulation-abi.md`, as in the plain host loop of
//! [`crate::emulated`].
//!
//! The engine draws mesh nodes: [`Graph::mesh_nodes`] returns the first stage of its graphics pipelines, and
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

/// A package on the caller's device, with memory for one dispatch. Its pipelines are destroyed with the last graph that
/// has them ([`Graph::share`], [`Graph::reload`]). When a graph is dropped, no dispatch of it may be in flight or being
/// recorded.
pub struct Graph {
    loaded: Arc<Loaded>,
    memory: Option<Placed>,
    /// The last recorded dispatch.
    last: Option<Last>,
    dispatches: u32,
    poison: bool,
    /// The marks of the last recording.
    marks: Vec<Mark>,
}

/// The common parts of all graphs of one package.
struct Loaded {
    host: Host,
    program: Program,
    tables: Vec<u8>,
    pipelines: Pipelines,
    group_limit: u32,
}

/// The state of a dispatch, once its submission has finished.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GraphStatus {
    /// Records are pending: record a [`Resume`] and submit it.
    pub pending: bool,
    /// The first stage of the next sweep.
    pub deepest: u32,
    /// Sweeps of a scheduled run so far; 0: it ran in one pass.
    pub sweeps: u32,
    /// A dispatch grid in a record was above NodeMaxDispatchGrid and was cut.
    pub grid_clamped: bool,
    /// The fewest free pages, in a scheduled run: 0 or few mean that more memory saves sweeps.
    pub pages_least: u32,
    /// The most pages that were in use at a time, in a scheduled run.
    pub pages_peak: u32,
    /// The first of the limits that shaders broke ([`RunError::Graph`]), or of the inputs, counted on the device, that
    /// were left out ([`RunError::CountedInput`]). Records beyond the limits are lost; the rest was done. With
    /// [`Graph::poison`] it is the first finding ([`RunError::Guard`]).
    pub error: Option<RunError>,
    /// All errors, each once, and the nodes that received records whose dispatch grids were cut.
    pub reports: Reports,
    /// Records that each instance consumed, in the manifest's order.
    pub instances: Vec<InstanceReport>,
}

impl Graph {
    /// Loads a package. Creates a pipeline of each compute shader and a module of each mesh shader. Their layout has
    /// the caller's descriptor sets, as the manifest's `bindings` require, and the package's push constants.
    ///
    /// # Errors
    /// A damaged package, fewer layouts than the sets that modules use, workgroups above the device's limits, or a
    /// driver error.
    ///
    /// # Safety
    /// The modules of the package are valid. The device has the features that `docs/emulation-abi.md` requires, those of the
    /// manifest, and those of the modules' capabilities.
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

    /// Loads another state of the package like [`Graph::load`], reusing the pipelines and mesh shaders of modules with
    /// unchanged code. After an edit of one node only that node's pipeline is created ([`Graph::pipelines_made`]). If
    /// bindings, the bytes of push constants or the kinds of shaders differ, all are created. Otherwise the result of
    /// [`Graph::layout`] is compatible with the one before. The graph has no memory yet.
    ///
    /// # Errors
    /// The errors of [`Graph::load`]; this graph stays unchanged.
    ///
    /// # Safety
    /// The conditions of [`Graph::load`]. If the package has the same bindings, the set layouts are defined like those
    /// that this graph was loaded with.
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

    /// Returns another graph of the same package, with the same pipelines and without memory. Each dispatch that is
    /// recorded or in flight at the same time needs one, such as each frame in flight. The graphs are independent, and
    /// each may be on a thread of its own.
    pub fn share(&self) -> Self {
        Self { poison: self.poison, ..Self::of(self.loaded.clone()) }
    }

    fn of(loaded: Arc<Loaded>) -> Self {
        Self { loaded, memory: None, last: None, dispatches: 0, poison: false, marks: Vec::new() }
    }

    /// Returns the number of pipelines and mesh shader modules that [`Graph::load`] or [`Graph::reload`] created,
    /// without those of the previous graph.
    pub fn pipelines_made(&self) -> usize {
        self.loaded.pipelines.new
    }

    /// Makes later recordings check for shaders that write after the end of their records, and for records in pages of
    /// other queues: [`GraphStatus::error`]. Every launch is followed by a kernel and two barriers. The arena is filled
    /// before each dispatch, so its buffers must have usage transfer destination.
    ///
    /// # Errors
    /// The package was not built for it.
    pub fn poison(&mut self) -> Result<(), RunError> {
        self.poison = self.loaded.program.manifest.kernels.guard.is_some();
        if self.poison { Ok(()) } else { Err(RunError::NoGuards) }
    }

    /// Returns the most timestamps of a recording of this many sweeps; 0: in one pass.
    pub fn most_timestamps(&self, sweeps: u32) -> u32 {
        let steps = Steps::new(&self.loaded.program, 0, 0, self.loaded.group_limit, &[]);
        let steps = if sweeps == 0 { steps.single(1) } else { steps.begin(Some(1), sweeps.min(record::MAX_SWEEPS)) };
        let launches = steps.iter().filter(|step| **step != Step::Barrier).count() as u32;
        1 + launches * if self.poison { 2 } else { 1 }
    }

    /// Returns the launches that ended at each timestamp of the last recording but the first, in order.
    pub fn marks(&self) -> &[Mark] {
        &self.marks
    }

    pub fn manifest(&self) -> &Manifest {
        &self.loaded.program.manifest
    }

    /// Returns the layout of all pipelines of the graph, including those with which the caller draws its mesh nodes.
    pub fn layout(&self) -> vk::PipelineLayout {
        self.loaded.pipelines.layout
    }

    /// Returns the stages that may read the push constants: compute shaders, and with mesh nodes also these and their
    /// pixel shaders. All code that pushes constants with this layout must name the same stages.
    pub fn stages(&self) -> vk::ShaderStageFlags {
        self.loaded.pipelines.stages
    }

    /// Returns whether records are pending in the dispatch whose submission has finished last.
    pub fn is_pending(&self) -> bool {
        self.memory.as_ref().is_some_and(Placed::is_pending)
    }

    /// Returns the state of the last recorded dispatch. Its submission must have finished.
    ///
    /// # Errors
    /// The graph did not run.
    pub fn status(&self) -> Result<GraphStatus, RunError> {
        let (Some(memory), Some(last)) = (&self.memory, &self.last) else {
            return Err(RunError::Early("no dispatch was recorded"));
        };
        let (status, queues) = memory.read_back();
        let status = abi::Status::decode(status).ok_or(RunError::Manifest("the status is incomplete"))?;
        let refused = status.flags & abi::FLAG_BUSY != 0;
        if !refused && (status.magic != abi::STATUS_MAGIC || status.dispatch_id != self.dispatches) {
            return Err(RunError::Early("the last dispatch is not complete yet"));
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
    /// The conditions of [`Graph::load`]. `before` has the pipelines of a graph whose set layouts are defined like
    /// these, if its bindings are the same.
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

/// Returns the number of descriptor sets, up to the last used one.
fn sets(manifest: &Manifest) -> u32 {
    manifest.bindings.iter().map(|binding| binding.set.saturating_add(1)).max().unwrap_or(0)
}
