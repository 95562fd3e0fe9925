//! Emulated graphs inside an engine: on its device, in its memory, recorded into its command buffers.
//!
//! Nothing here submits, waits or allocates device memory. [`Graph::load`] makes pipelines; [`Graph::requirements`]
//! says what memory to bring and [`Graph::bind`] takes it; [`Graph::record`] records one dispatch of the graph, and
//! [`Graph::status`] says, when the submission has finished, how it ended. [`Graph::grow`] adds memory. One dispatch of
//! a graph is in flight at a time. What is recorded is `docs/emulation-abi.md`, as in the plain host loop of
//! [`crate::emulated`].

mod host;
mod memory;
mod record;

pub use host::Host;
pub use memory::{Block, GraphMemory, Mapped, Requirements, Sizes};
pub use record::{Completion, Dispatch, Inputs, Recorded, Resume};

use vulkanalia::prelude::v1_2::*;

use super::pipeline::{compute_pipeline, make_layout};
use crate::emulated::{InstanceReport, Program, Run, RunError};
use memory::Placed;
use wgc_abi::manifest::Manifest;
use wgc_abi::{Package, device as abi};

/// A package on the caller's device. Dropping it destroys its pipelines: no dispatch of it may be in flight then.
pub struct Graph {
    host: Host,
    program: Program,
    tables: Vec<u8>,
    pipelines: Pipelines,
    group_limit: u32,
    memory: Option<Placed>,
    /// Of the last dispatch that was recorded.
    last: Option<Run>,
    dispatches: u32,
}

/// How a dispatch stands, once its submission has finished.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GraphStatus {
    /// Records wait: record a [`Resume`] and submit it.
    pub pending: bool,
    /// Sweeps of a scheduled run so far; 0: it ran in one pass.
    pub sweeps: u32,
    /// A dispatch grid in a record was above NodeMaxDispatchGrid and was cut.
    pub grid_clamped: bool,
    /// The fewest pages that nobody had, in a scheduled run: 0 or little of it means that more memory saves sweeps.
    pub pages_least: u32,
    /// The first of the limits that shaders broke ([`RunError::Graph`]), or of the inputs, counted on the device, that were
    /// left out ([`RunError::CountedInput`]). What exceeded them is lost, the rest was done.
    pub error: Option<RunError>,
    /// Records that each instance consumed, in the manifest's order.
    pub instances: Vec<InstanceReport>,
}

impl Graph {
    /// Loads a package: makes a pipeline of each module, with a layout of the caller's descriptor sets (those that the
    /// manifest's `bindings` ask for) and the package's push constants.
    ///
    /// # Errors
    /// A damaged package, workgroups above the device's limits, or whatever the driver says.
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
        let program = Program::new(package)?;
        host.supports(&program.manifest)?;
        // SAFETY: as the caller promises.
        let pipelines = unsafe { Pipelines::new(&host, &program, package, set_layouts, cache)? };
        let [x, y, _] = host.limits.max_compute_work_group_count;
        Ok(Self {
            tables: package.tables.clone(),
            group_limit: x.min(y).min(1 << 31),
            host,
            program,
            pipelines,
            memory: None,
            last: None,
            dispatches: 0,
        })
    }

    pub fn manifest(&self) -> &Manifest {
        &self.program.manifest
    }

    /// Layout of all pipelines of the graph.
    pub fn layout(&self) -> vk::PipelineLayout {
        self.pipelines.layout
    }

    /// How the last recorded dispatch stands. Its submission must have finished.
    ///
    /// # Errors
    /// The graph did not run.
    pub fn status(&self) -> Result<GraphStatus, RunError> {
        let (Some(memory), Some(run)) = (&self.memory, &self.last) else {
            return Err(RunError::Manifest("no dispatch was recorded"));
        };
        let (status, queues) = memory.read_back();
        let status = abi::Status::decode(status).ok_or(RunError::Manifest("the status is cut off"))?;
        let error = match self.program.judge(&status, self.dispatches, run.needed) {
            Ok(()) => None,
            Err(error @ RunError::CountedInput { .. }) => Some(error),
            Err(RunError::Graph(error)) if error.code >= abi::ERROR_MAX_RECORDS => Some(RunError::Graph(error)),
            Err(error) => return Err(error),
        };
        Ok(GraphStatus {
            pending: status.state == abi::STATE_PENDING,
            sweeps: status.sweeps,
            grid_clamped: status.flags & abi::FLAG_GRID_CLAMPED != 0,
            pages_least: status.pages_least,
            error,
            instances: self.program.consumed(&self.program.queues(queues)),
        })
    }
}

/// By module of the manifest.
struct Pipelines {
    device: vulkanalia::Device,
    layout: vk::PipelineLayout,
    all: Vec<vk::Pipeline>,
}

impl Pipelines {
    /// # Safety
    /// As [`Graph::load`].
    unsafe fn new(
        host: &Host,
        program: &Program,
        package: &Package,
        set_layouts: &[vk::DescriptorSetLayout],
        cache: vk::PipelineCache,
    ) -> Result<Self, RunError> {
        let device = &host.device;
        // SAFETY: as the caller promises.
        let (layout, _) = unsafe { make_layout(device, &host.limits, set_layouts, program.manifest.push_bytes) }?;
        let mut made = Self { device: device.clone(), layout, all: Vec::new() };
        for module in 0..program.manifest.modules.len() {
            let (words, entry) = program.module(package, module)?;
            // SAFETY: the module is valid, as the caller promises.
            made.all.push(unsafe { compute_pipeline(device, words, entry, layout, cache) }?);
        }
        Ok(made)
    }
}

impl Drop for Pipelines {
    fn drop(&mut self) {
        // SAFETY: none is in use, as the documentation of `Graph` asks for.
        unsafe {
            for pipeline in self.all.drain(..) {
                self.device.destroy_pipeline(pipeline, None);
            }
            self.device.destroy_pipeline_layout(self.layout, None);
        }
    }
}
