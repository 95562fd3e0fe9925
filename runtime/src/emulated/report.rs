//! The result of a dispatch: counts if it succeeded, else a code with its node.

use super::roots::RootTableProblem;
use crate::device::DeviceError;
use crate::mesh::Meshes;
use std::fmt;
use wgc_abi::NodeName;
use wgc_abi::device;
use wgc_abi::tables::{ABSENT, TablesError};

/// Vulkan's name of the feature that grids in records need, except in packages for devices without it.
pub(super) const INT64_ATOMICS: &str = "shaderBufferInt64Atomics";

/// A dispatch that ran to its end.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RunReport {
    /// Records that each instance consumed, in the manifest's order.
    pub instances: Vec<InstanceReport>,
    /// Pages of the arena: those of the closure of the entry records, or those of a scheduled run.
    pub pages: u64,
    /// One pass: records that had no place of their own and went through a spill.
    pub spilled: u64,
    /// Sweeps of a scheduled run; 0: it ran in one pass.
    pub sweeps: u32,
    /// A dispatch grid in a record was above NodeMaxDispatchGrid and was cut.
    pub grid_clamped: bool,
    /// The output of the mesh nodes, in the manifest's order; `None` if the device does not record it.
    pub meshes: Option<Vec<(NodeName, Meshes)>>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InstanceReport {
    pub node: NodeName,
    pub level: u32,
    pub records: u64,
}

/// All that was reported of a dispatch, each thing once, in the order of the instances.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reports {
    /// Limits that shaders broke, inputs that were left out, overwritten guards; the reasons why nothing was launched.
    /// Each has a count of one: only their total number is known.
    pub errors: Vec<RunError>,
    /// The total number of errors.
    pub count: u32,
    /// Nodes that received records with a dispatch grid above their NodeMaxDispatchGrid, which was cut. That is not an
    /// error.
    pub cut_grids: Vec<CutGrid>,
    /// There were more reports than a status has room for.
    pub unlisted: bool,
}

/// A node that received a record whose dispatch grid was too large.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CutGrid {
    pub node: NodeName,
    pub level: u32,
}

impl fmt::Display for CutGrid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { node, level } = self;
        write!(
            f,
            "node {node} (level {level}): a record for it requested a dispatch grid above its NodeMaxDispatchGrid, so the grid was limited"
        )
    }
}

/// Describes further errors: "1 more error".
fn more_errors(count: u64) -> String {
    format!("{count} more {}", if count == 1 { "error" } else { "errors" })
}

impl Reports {
    /// Describes errors beyond the listed ones; empty if there are none.
    pub fn rest(&self) -> String {
        match ((self.count as usize).saturating_sub(self.errors.len()), self.unlisted) {
            (0, false) => String::new(),
            (0, true) => "some reports are not listed".to_owned(),
            // All kinds are listed.
            (rest, false) => format!("{} of these kinds", more_errors(rest as u64)),
            (rest, true) => format!("{}, and some kinds are not listed", more_errors(rest as u64)),
        }
    }
}

/// The errors, a line each.
impl fmt::Display for Reports {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines: Vec<String> = self.errors.iter().map(RunError::to_string).collect();
        f.write_str(&lines.join("\n"))?;
        match self.rest() {
            rest if rest.is_empty() => Ok(()),
            rest => write!(f, "; {rest}"),
        }
    }
}

impl RunReport {
    /// Records that each node consumed, all recursion levels together, in the manifest's order.
    pub fn records(&self) -> Vec<(NodeName, u64)> {
        let mut sums: indexmap::IndexMap<&NodeName, u64> = indexmap::IndexMap::new();
        for instance in &self.instances {
            *sums.entry(&instance.node).or_default() += instance.records;
        }
        sums.into_iter().map(|(node, records)| (node.clone(), records)).collect()
    }
}

/// Why a package cannot be loaded, or a dispatch failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RunError {
    Device(DeviceError),
    Tables(TablesError),
    /// The manifest contradicts itself or the tables.
    Manifest(&'static str),
    /// Another function has to be called before.
    Early(&'static str),
    /// A host's argument does not fit the graph, or its bound memory.
    Given(String),
    /// The modules use this many descriptor sets, and there are fewer layouts.
    SetLayouts {
        needed: u32,
        given: u32,
    },
    /// More sweeps begin at a stage of the graph, and there is at least one.
    Sweeps {
        deepest: u32,
        sweeps: u32,
    },
    /// The device lacks a feature or limit that the package needs.
    Unsupported {
        what: String,
    },
    /// The package has no entry of this name.
    NoEntry(NodeName),
    /// An input's records do not fit the node.
    Input {
        node: NodeName,
        problem: InputProblem,
    },
    /// The table of local root arguments does not fit the graph.
    LocalRoots(RootTableProblem),
    /// The closure of the entry records needs more than the arena may have.
    Arena {
        needed: u64,
        limit: u64,
    },
    /// The arena's limit is below the least of a scheduled run, for any records.
    LeastArena {
        needed: u64,
        limit: u64,
    },
    /// The device has no room for the least memory of the graph.
    Memory {
        needed: u64,
        error: DeviceError,
    },
    /// `DEVICE_*` codes with the node that they concern.
    Graph(GraphError),
    /// Records of the previous dispatch are pending: it must be completed or abandoned.
    Busy,
    /// Poison was requested, and the package was not built for it.
    NoGuards,
    /// A finding of the kernel guard.
    Guard(GuardError),
    /// The device has counted inputs that no entry node accepts, or more than there was room for. This many were left
    /// out; the first is number `input`. The rest was done.
    CountedInput {
        input: u32,
        count: u32,
    },
    /// A scheduled run launches nothing although records are pending: an internal error.
    Stuck {
        deepest: u32,
    },
    /// The kernels and the host computed different closures, or the kernels did not run: an internal error.
    Disagreement {
        host: u64,
        device: u64,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InputProblem {
    /// The data ends before the last record does.
    Short { needed: u64, given: u64 },
    /// Bytes from record to record are fewer than a record has.
    Stride { record: u32, given: u32 },
    /// Records on the device begin at a multiple of 4 bytes, and are one apart.
    Alignment { address: u64, stride: u32 },
    /// All inputs of a node together have more records than a queue can.
    TooMany,
}

/// An error that prep or a shader reported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GraphError {
    /// `wgc_abi::device::ERROR_*`
    pub code: u32,
    pub node: NodeName,
    pub level: u32,
    /// The output of the node that is concerned; [`ABSENT`] means its input.
    pub output: u32,
    /// The output leads to the node itself, and no recursion level is left.
    pub past_recursion: bool,
    /// The number of errors, of which this is the first; 1 in [`Reports`].
    pub count: u32,
}

/// A record whose guard was overwritten.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GuardError {
    /// The node wrote after the end of the record. Otherwise it was to get the record, which lies in a free page or in
    /// another queue's page: an internal error.
    pub overrun: bool,
    pub node: NodeName,
    pub level: u32,
    /// The queue of the record, and the node that consumes it.
    pub queue: u32,
    pub target: NodeName,
    /// The number of such guards.
    pub count: u32,
}

impl fmt::Display for GuardError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { overrun, node, level, queue, target, count } = self;
        match overrun {
            true => write!(
                f,
                "node {node} (level {level}): it wrote past the end of a record of queue {queue}, which is for {target}"
            )?,
            false => write!(
                f,
                "internal error: node {node} (level {level}): a record of its queue {queue} is in a page that is free or belongs to another queue"
            )?,
        }
        if *count > 1 { write!(f, "; {} more records", count - 1) } else { Ok(()) }
    }
}

impl From<DeviceError> for RunError {
    fn from(error: DeviceError) -> Self {
        Self::Device(error)
    }
}

/// The message of each code; the node's name and level precede it.
const MESSAGES: [(u32, &str); 8] = [
    (device::ERROR_ARENA, "the arena is too small for the entry records"),
    (device::ERROR_GROUPS, "it may need more workgroups than one dispatch can have"),
    (device::ERROR_RECORDS, "it may receive more records than a queue can hold"),
    (device::ERROR_MAX_RECORDS, "it requested more records than MaxRecords of its output"),
    (device::ERROR_ABSENT, "it requested records of a node that does not exist"),
    (device::ERROR_FULL, "the queue of its output's target is full"),
    (device::ERROR_RECORD, "it used a record beyond its last one"),
    (device::ERROR_ELEMENT, "it used an index out of range of an array, vector or matrix in a record"),
];

impl fmt::Display for GraphError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f, None)
    }
}

/// An error with the name of the node that its output leads to, if known: [`super::EmulatedGraph::in_words`].
pub(super) struct NamedError<'e>(pub &'e GraphError, pub Option<&'e str>);

impl fmt::Display for NamedError<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.write(f, self.1)
    }
}

impl GraphError {
    fn write(&self, f: &mut fmt::Formatter<'_>, target: Option<&str>) -> fmt::Result {
        let message = match self.past_recursion {
            true => "it exceeds its recursion limit by one level",
            false => MESSAGES.iter().find(|m| m.0 == self.code).map_or("unknown error", |m| m.1),
        };
        write!(f, "node {} (level {}): {message}", self.node, self.level)?;
        match self.output {
            _ if self.code < device::ERROR_MAX_RECORDS => {}
            ABSENT => f.write_str(" (input)")?,
            output => match target {
                Some(target) => write!(f, " (output {output}, to {target})")?,
                None => write!(f, " (output {output})")?,
            },
        }
        if self.count > 1 {
            write!(f, "; {}", more_errors(u64::from(self.count) - 1))?;
        }
        Ok(())
    }
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Device(error) => error.fmt(f),
            Self::Tables(error) => error.fmt(f),
            Self::Manifest(what) => write!(f, "the manifest is wrong: {what}"),
            Self::Early(what) => f.write_str(what),
            Self::Given(problem) => f.write_str(problem),
            Self::SetLayouts { needed, given } => {
                write!(f, "the shaders use {needed} descriptor sets, but {given} set layouts were given")
            }
            Self::Sweeps { deepest, sweeps } => {
                write!(f, "{sweeps} sweeps from stage {deepest}: the stage does not exist, or there are no sweeps")
            }
            Self::Unsupported { what } if what == INT64_ATOMICS => {
                write!(f, "the device does not support {what}: compile the graph with --no-int64-atomics")
            }
            Self::Unsupported { what } => write!(f, "the device does not support {what}"),
            Self::NoEntry(node) => write!(f, "the graph has no entry node {node}"),
            Self::Input { node, problem } => match problem {
                InputProblem::Short { needed, given } => {
                    write!(f, "records for {node} need {needed} bytes, but {given} were given")
                }
                InputProblem::Stride { record, given } => {
                    write!(f, "records of {node} have {record} bytes, but the stride is {given}")
                }
                InputProblem::Alignment { address, stride } => {
                    write!(
                        f,
                        "records of {node} at address {address:#x} with a stride of {stride} bytes: both must be multiples of 4"
                    )
                }
                InputProblem::TooMany => write!(f, "too many records for {node}"),
            },
            Self::LocalRoots(problem) => problem.fmt(f),
            Self::Arena { needed, limit } => {
                write!(f, "these records may need {needed} bytes of graph memory; the limit of the arena is {limit}")
            }
            Self::LeastArena { needed, limit } => {
                write!(
                    f,
                    "this graph needs at least {needed} bytes of graph memory in a scheduled run; the limit is {limit}"
                )
            }
            Self::Memory { needed, error } => {
                write!(f, "this graph needs at least {needed} bytes of graph memory, but the device has less: {error}")
            }
            Self::Graph(error) => error.fmt(f),
            Self::Busy => f.write_str(
                "records of the previous dispatch are waiting: resume it, or upload the tables again to discard it",
            ),
            Self::NoGuards => f.write_str("the package has no guards after its records: compile it with --poison"),
            Self::Guard(error) => error.fmt(f),
            Self::CountedInput { input, count } => {
                write!(
                    f,
                    "input {input}, counted on the device, was skipped: no entry node has its number, its records overlap or are not aligned to 4 bytes, or there are too many"
                )?;
                if *count > 1 { write!(f, "; {}", more_errors(u64::from(*count) - 1)) } else { Ok(()) }
            }
            Self::Stuck { deepest } => {
                write!(
                    f,
                    "records are waiting, the deepest at stage {deepest}, but nothing is launched: the package is damaged, or wgc has a bug"
                )
            }
            Self::Disagreement { host, device } => {
                write!(
                    f,
                    "the host computed {host} pages, but the device {device}: the package is damaged, or wgc has a bug"
                )
            }
        }
    }
}

impl std::error::Error for RunError {}
