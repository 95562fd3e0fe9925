//! Settings of the CPU device: choices that real devices leave open, and the reaction to errors.

use super::findings::Sanitize;
use super::program::Program;

/// The number of records that a coalescing node receives at a time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Batching {
    /// The most that it accepts; waits for more to come.
    #[default]
    Full,
    Single,
    /// Any number up to its maximum, by seed.
    Random(u64),
}

/// The choice of the next node and of its records.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// The oldest record's.
    #[default]
    Fifo,
    /// The newest record's.
    Lifo,
    /// Any, by seed; workgroups of a grid too.
    Random(u64),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CpuSettings {
    /// Threads that run the workgroups of a dispatch, or the pending records of a graph's node. With more than one,
    /// buffers and images that depend on the order of workgroups may differ each time, and data races are not checked.
    pub threads: u32,
    /// Lanes of a subgroup, for shaders without `WaveSize`: 1 to 128, a power of two.
    pub subgroup_size: u32,
    pub batching: Batching,
    pub order: Order,
    pub sanitize: Sanitize,
    /// Instructions that a workgroup may execute before it counts as endless. An instruction of all lanes counts once.
    pub fuel: u64,
    /// Workgroups of a compute dispatch, and those that a dispatch of a graph may run before it counts as endless.
    pub max_workgroups: u64,
    /// Bytes of the records of a graph that wait for their nodes at one time.
    pub max_pending_bytes: u64,
}

/// The default limit for instructions of a workgroup: seconds.
const MAX_INSTRUCTIONS: u64 = 1 << 28;

/// The default limit for workgroups of a dispatch.
const MAX_WORKGROUPS: u64 = 1 << 26;

/// The default limit for the memory of pending records: 8 million small ones.
const MAX_PENDING_BYTES: u64 = 1 << 28;

impl Default for CpuSettings {
    fn default() -> Self {
        CpuSettings {
            threads: 1,
            subgroup_size: 32,
            batching: Batching::Full,
            order: Order::Fifo,
            sanitize: Sanitize::Warn,
            fuel: MAX_INSTRUCTIONS,
            max_workgroups: MAX_WORKGROUPS,
            max_pending_bytes: MAX_PENDING_BYTES,
        }
    }
}

impl CpuSettings {
    /// Returns the lanes of the subgroups that run a program.
    pub(super) fn lanes(&self, program: &Program) -> u32 {
        program.subgroup_size.unwrap_or(self.subgroup_size)
    }
}

/// Parses `NAME` or `random:SEED`.
fn seed(text: &str) -> Option<u64> {
    text.strip_prefix("random:")?.parse().ok()
}

impl Batching {
    /// Parses `full`, `single` or `random:SEED`.
    pub fn parse(text: &str) -> Option<Batching> {
        match text {
            "full" => Some(Batching::Full),
            "single" => Some(Batching::Single),
            _ => seed(text).map(Batching::Random),
        }
    }
}

impl Order {
    /// Parses `fifo`, `lifo` or `random:SEED`.
    pub fn parse(text: &str) -> Option<Order> {
        match text {
            "fifo" => Some(Order::Fifo),
            "lifo" => Some(Order::Lifo),
            _ => seed(text).map(Order::Random),
        }
    }
}

impl Sanitize {
    /// Parses `warn`, `error` or `off`.
    pub fn parse(text: &str) -> Option<Sanitize> {
        match text {
            "warn" => Some(Sanitize::Warn),
            "error" => Some(Sanitize::Error),
            "off" => Some(Sanitize::Off),
            _ => None,
        }
    }
}
