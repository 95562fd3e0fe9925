//! The interface between run files and the executors of programs. Native modules run on a device that executes graphs;
//! emulated packages and modules of compute shaders run on any device.
//!
//! An executor owns its device, because a native graph needs more of the CPU device than the `Device` trait offers. The
//! loader of the modules creates it; run files only feed it.

use std::cell::RefCell;
use std::sync::Arc;

use wgc_abi::NodeName;

pub use crate::device::Finding;
use crate::device::{Device, DeviceError, ResourceBinding, Result};
use crate::emulated::LocalRootTable;
use crate::emulated::inside::Trace;
use crate::mesh::{MeshShape, Meshes};

/// Records for one entry node of one DispatchGraph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntryInput {
    pub node: String,
    /// Array index of the node.
    pub index: u32,
    /// `count` records, `stride` bytes apart; one record if `stride` is 0 and `count` is not. Empty for a node with
    /// empty records. The last record may end before its stride does.
    pub data: Vec<u8>,
    /// Bytes from record to record; 0 repeats one record. At least the node's record size otherwise.
    pub stride: u32,
    /// Records; may be 0.
    pub count: u32,
}

/// The reader of a DispatchGraph's records, and the source of their number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DispatchMode {
    /// The host, when it records the dispatch.
    #[default]
    Cpu,
    /// The device, when it executes the dispatch; the host sets the number of nodes with records.
    Gpu,
    /// The device, which reads how many nodes there are too.
    GpuCount,
}

/// The result of one DispatchGraph.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Dispatched {
    /// Records that each node consumed; nodes without any may be absent. `None` when the device does not count them.
    pub records: Option<Vec<(NodeName, u64)>>,
    /// Nodes whose records are not counted, since they run inside their producers.
    pub uncounted: Vec<NodeName>,
    /// Findings in the order of detection. `None` if the device does not check.
    pub findings: Option<Vec<Finding>>,
    /// The messages that shaders printed, in order. `None` if the device does not collect them.
    pub messages: Option<Vec<String>>,
    /// The output of mesh nodes. `None` if the device does not run any.
    pub meshes: Option<Vec<(NodeName, Meshes)>>,
}

pub trait Executor {
    /// Returns the device, on which resources are created, written before the first dispatch and read after the last.
    fn device(&mut self) -> &mut dyn Device;

    /// Sets the resources that every later dispatch binds, and the user's push constants, which may be empty. Called
    /// once before the first dispatch.
    fn bind(&mut self, resources: &[ResourceBinding], push_constants: &[u8]) -> Result<()>;

    /// Sets the table of local root arguments for every later dispatch. Called once, after [`Executor::bind`], for
    /// programs whose interface has one.
    ///
    /// # Errors
    /// The program has no such table, or the device fails.
    fn set_local_roots(&mut self, _table: LocalRootTable) -> Result<()> {
        Err(DeviceError::new("this program has no table of local root arguments"))
    }

    /// Returns the mesh layout of each mesh node; empty if none can run.
    fn mesh_shapes(&self) -> Vec<(NodeName, Arc<MeshShape>)> {
        Vec::new()
    }

    /// Returns the measurements of the dispatches so far; `None` if none were requested.
    fn trace(&self) -> Option<&RefCell<Trace>> {
        None
    }

    /// Returns whether the executor can read the records of a DispatchGraph in this mode. Every graph accepts the
    /// host's own records.
    fn takes(&self, mode: DispatchMode) -> bool {
        mode == DispatchMode::Cpu
    }

    /// Runs one DispatchGraph with all its inputs to its end, in a mode that it accepts.
    ///
    /// # Errors
    /// Also when the program is none.
    fn dispatch(&mut self, _mode: DispatchMode, _inputs: &[EntryInput]) -> Result<Dispatched> {
        Err(DeviceError::new("this program is not a graph"))
    }

    /// Runs workgroups of a compute shader of the program to their end.
    ///
    /// # Errors
    /// The program has no such shader, or the run fails.
    fn dispatch_groups(&mut self, entry: &str, _groups: [u32; 3]) -> Result<Dispatched> {
        Err(DeviceError::new(format!("this program has no compute shader `{entry}`")))
    }
}
