//! The options of a host for an emulated package.

use super::arena::ArenaLimits;
use super::program::Memory;

/// The options of a host.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EmulatedOptions {
    pub arena: ArenaLimits,
    pub memory: Memory,
    /// Scheduled runs launch one workgroup of an instance at a time, to test that the rest runs later.
    pub admit_one: bool,
    /// Scheduled runs send all records for queues that share a spill there, but for the host's.
    pub spill_all: bool,
    pub allocator: Allocator,
    pub preparation: Preparation,
    /// Records that a stage appends to a queue are sorted by their contents: the same on every device.
    pub deterministic: bool,
    /// Fills free pages, and detects writes after the end of records. For packages with the kernel guard.
    pub poison: bool,
}

/// The allocation of record slots to threads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Allocator {
    /// In subgroups if the device has maximal reconvergence (`shaderMaximalReconvergence`). On GPUs, requests of a
    /// whole workgroup are made together.
    #[default]
    Auto,
    /// One atomic for each thread.
    Lane,
    /// The threads of a subgroup together, in varying control flow too: only for devices whose lanes reconverge.
    Subgroup,
    /// The threads of a workgroup together, for requests that all of them make. Others are as in `Auto`.
    Group,
}

/// The producer of the initial state of a run in one pass.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Preparation {
    /// The host, if it has the records; a dispatch then consists of its stages alone.
    #[default]
    Host,
    /// The kernels prep and inject.
    Device,
}
