//! Checks the records of a node along all control-flow paths.
//!
//! The analyses look at one node function at a time. All its calls are inlined, but `passes::promote` has not run:
//! handles are in locals, and [`Stmt::At`](crate::Stmt::At) has the source position of each statement. [`check`] runs
//!
//! - [`uniformity`]: values and control flow that differ between threads of a group; [`scalar_facts`]: the facts about
//!   a scalar;
//! - [`handles`]: the records that each handle refers to; [`completion`]: records that are never completed; [`misuse`]:
//!   handles and records that are wrong on some paths only;
//! - [`convergence`]: calls for the whole group that only some of its threads reach;
//! - [`budgets`]: requests above the declared limits; [`demand`]: bounds of requests, for back ends; [`counts`]: records that do not exist;
//! - [`mesh`]: the outputs of a mesh node;
//! - [`sharing`]: the end of sharing an input record among groups; [`dependence`]: values that depend on its result;
//!   [`sharing_visibility`]: writes that other groups cannot see;
//! - [`advice`]: unnecessary costs; [`recursion`]: recursion that never ends; [`grids`] and [`copies`]: constants in
//!   records, for advice to their consumers;
//! - [`reached`]: findings in unreachable code, which are removed.
//!
//! [`accesses`] collects the memory accesses of a node, and [`unpublished_writes`] the writes that are not yet visible
//! to other nodes. Checks across nodes need both. [`buffers`] names the memory that they touch.
//!
//! [`drop_idle_completions`] uses the same analyses to change code.
//!
//! All of them walk the statements of [`tree`]. [`forward`] is the walk, [`shared`] stores the states, and [`parts`]
//! divides values and the memory of a thread into parts. A finding is certain: it holds on every path to the statement,
//! if conditions are independent of each other. [`paths`] separates paths by their conditions, for mistakes on only
//! some of them ([`Finding::may`]). It uses [`symbols`] and [`facts`]. The work graphs specification has the rules for
//! programs; the IR requires none of them. The front end decides the severity and the text of each finding.

mod accesses;
mod advice;
mod budgets;
mod buffers;
mod completion;
mod convergence;
mod copies;
mod counts;
pub mod demand;
mod departed_threads;
mod dependence;
mod facts;
mod forward;
mod grids;
mod group_requests;
mod handles;
mod idle;
mod mesh;
mod misuse;
mod parts;
mod path_sums;
mod paths;
mod places;
mod reached;
mod recursion;
mod reexecuted;
mod scalar_facts;
mod shared;
mod sharing;
mod sharing_visibility;
mod successors;
mod symbols;
mod tree;
mod uniformity;
mod unpublished_writes;

pub use accesses::{Accesses, Fields, accesses};
pub use buffers::Buffer;
pub use completion::BranchTaken;
pub use copies::Stored;
pub use counts::{Argument, RequestCertainty, SumTerm};
pub use grids::Axis;
pub use group_requests::GroupRequests;
pub use idle::drop_idle_completions;

use crate::Symbol;
use crate::function::{Function, OutputId};
use crate::graph::{Launch, MeshArray};
use crate::position::Position;
use crate::types::{AllocScope, Type};
use handles::HandleFlow;
use reached::Reached;
use scalar_facts::UniformityLevel;
use std::cell::LazyCell;
use tree::Tree;
use uniformity::Uniformity;

/// The launch parameters of a node. A number that the host may still change is `None`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LaunchParameters {
    pub launch: Launch,
    /// The input is `globallycoherent`.
    pub is_coherent: bool,
    pub num_threads: Option<[u32; 3]>,
    /// The largest grid. It is also `None` for nodes without one.
    pub grid: Option<[u32; 3]>,
    /// The least and the largest number of lanes, if the node specifies them.
    pub wave_size: Option<[u32; 2]>,
    /// The record limit of an input that has one.
    pub max_input_records: Option<u32>,
    /// In the order of the node's outputs.
    pub outputs: Vec<Budget>,
    /// The types of records for other nodes, each with the path to its dispatch grid.
    pub grids: Vec<(Type, Vec<u32>)>,
    /// The outputs of a mesh node: the globals and their numbers of elements.
    pub mesh: Vec<(MeshArray, Symbol, u32)>,
}

/// The budget that the records of an output count against.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// The output that owns the budget.
    pub budget: usize,
    pub max_records: Option<u32>,
    /// The number of elements of an array of outputs.
    pub elements: Option<u32>,
    /// The output may reach the node itself.
    pub is_recursive: bool,
}

/// The division of a group into waves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Waves {
    /// The whole group fits into one wave on every device.
    One,
    Several,
    /// It depends on the device.
    Unknown,
}

/// The instances that a value differs between.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VariesBetween {
    Groups,
    /// The waves of one group.
    Waves,
    /// The threads of one group.
    Threads,
}

/// A call that the whole group makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Call {
    Allocate(AllocScope),
    Increment(AllocScope),
    Complete,
}

/// A mistake, or advice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    pub kind: FindingKind,
    /// It is wrong on some paths only.
    pub may: bool,
    /// The position in the checked function, like all positions here.
    pub at: Option<Position>,
    pub labels: Vec<(Label, Option<Position>)>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FindingKind {
    /// Records that no path completes.
    NeverCompleted,
    /// Records that this path does not complete.
    NotCompleted(BranchTaken),
    /// Each iteration of a loop loses the records of the previous one.
    LostInLoop,
    /// The last iteration of a loop requests records that only another one would complete.
    LastIterationNotCompleted,
    UsedAfterCompletion,
    /// Records completed twice, through a copy of the handle.
    CompletedTwice,
    /// A handle that was never assigned.
    NullHandle,
    /// A handle that only some threads of a group have.
    VaryingHandle,
    VaryingFlow {
        call: Call,
    },
    /// A barrier that only some threads of a group reach.
    VaryingBarrier,
    /// A barrier that some threads of a group miss because they returned before it.
    BarrierAfterReturn,
    /// A call for the group with an argument that differs between its threads.
    VaryingArgument {
        call: Call,
        argument: Argument,
    },
    /// A request for `count` records by each of `threads`.
    RequestTooLarge {
        call: Call,
        output: OutputId,
        count: u64,
        threads: u64,
        most: u64,
        asked: RequestCertainty,
    },
    /// Calls that each request one of `parts`, and exceed the budget together.
    RequestsTooLarge {
        output: OutputId,
        parts: Vec<SumTerm>,
        most: u64,
        /// The sum is a lower bound.
        or_more: bool,
    },
    InputIndex {
        index: u64,
        most: u64,
    },
    /// The index of a record. `most` records were requested (`is_known`), or may be.
    OutputIndex {
        index: u64,
        most: u64,
        is_known: bool,
    },
    /// Element `index` of an array of `elements` outputs.
    OutputElement {
        output: OutputId,
        index: u64,
        elements: u32,
    },
    FinishedTwice,
    FinishedInLoop,
    /// A call that not all groups reach, or not all threads of each group.
    FinishedFlow {
        in_group: bool,
    },
    /// An access to the input record after `FinishedSharing` returned false, or may have (it was not `tested`).
    TouchedAfterFinished {
        tested: bool,
    },
    /// Records that each iteration of a loop requests separately.
    RequestInLoop,
    /// A record with an empty dispatch grid.
    EmptyGrid,
    /// The end of sharing a record that was written without a barrier for other groups.
    FinishedUnordered,
    /// The end of sharing an incoherent record that was written before and is read afterwards.
    FinishedIncoherent,
    /// A mesh node without output.
    NoMesh,
    /// A write to a mesh whose size is never set, or not on every path (`is_set_somewhere`).
    MeshWithoutCounts {
        is_set_somewhere: bool,
    },
    MeshCountsTwice,
    MeshCountsInLoop,
    /// A call that sets the size of a mesh and that only some threads of a group reach.
    VaryingMeshCounts,
    MeshCountTooLarge {
        array: MeshArray,
        count: u64,
        most: u64,
    },
    /// An element beyond the size that was set.
    MeshIndex {
        array: MeshArray,
        index: u64,
        count: u64,
    },
    /// A read of a write-only output.
    MeshRead,
    /// A primitive with only some of its indices written.
    MeshIndexPart,
    /// A request for the node itself on every recursion level.
    EndlessRecursion {
        call: Call,
        output: OutputId,
    },
}

/// The role of another position in a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Label {
    Allocated,
    /// It requests that many records.
    Asked(u64),
    /// Adds records.
    Records(SumTerm),
    Completed,
    /// In an earlier iteration of a loop.
    CompletedBefore,
    /// The condition or loop that leads there.
    Branch,
    /// The condition differs between them.
    Parts(VariesBetween),
    /// The condition differs between them, and some leave because of it.
    Leaves(VariesBetween),
    /// The condition differs between them, and so does a later condition that depends on values stored under it.
    Decides(VariesBetween),
    /// The later condition.
    Again,
    /// This call has the same mistake.
    Too(Call),
    Finished,
    /// The loop that repeats.
    RepeatedLoop,
    /// A write of memory.
    Written,
    /// A read of memory.
    Read,
    /// A call that sets the size of a mesh.
    Counted,
}

impl Finding {
    fn new(kind: FindingKind, at: Option<Position>) -> Finding {
        Finding { kind, may: false, at, labels: Vec::new() }
    }

    /// Marks a finding as possible on some paths only, if `may`.
    fn maybe(self, may: bool) -> Finding {
        Finding { may, ..self }
    }

    fn also(mut self, label: Label, at: Option<Position>) -> Finding {
        self.labels.push((label, at));
        self
    }
}

/// The results for a node.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NodeFindings {
    /// Errors and possible errors.
    pub mistakes: Vec<Finding>,
    /// Code that is rarely intended, or costs more than necessary.
    pub advice: Vec<Finding>,
    /// The dispatch grids that records of each type request.
    pub grids: Vec<(Type, [Axis; 3])>,
    /// Values stored in records with fields that repeat constants.
    pub stored: Vec<Stored>,
}

/// The range of wave sizes on existing devices.
const MIN_WAVE: u64 = 4;
const MAX_WAVE: u64 = 128;

impl LaunchParameters {
    /// Returns the number of threads of a group.
    fn threads(&self) -> Option<u64> {
        Some(self.num_threads?.iter().map(|n| u64::from(*n)).product())
    }

    /// Returns the level of values that differ between the threads of a group. It is uniform where each thread is
    /// alone.
    fn varying(&self) -> UniformityLevel {
        if self.launch == Launch::Thread || self.threads() == Some(1) {
            UniformityLevel::Group
        } else {
            UniformityLevel::Varying
        }
    }

    /// Returns the level of values that differ between the waves of a group.
    fn in_wave(&self) -> UniformityLevel {
        let level = if self.waves() == Waves::One { UniformityLevel::Group } else { UniformityLevel::Wave };
        level.min(self.varying())
    }

    fn waves(&self) -> Waves {
        let (least, most) = match self.wave_size {
            Some([least, most]) => (u64::from(least), u64::from(most.max(least))),
            None => (MIN_WAVE, MAX_WAVE),
        };
        match self.threads() {
            Some(threads) if threads <= least => Waves::One,
            Some(threads) if threads > most => Waves::Several,
            _ => Waves::Unknown,
        }
    }
}

/// Checks a function without calls. A function that is too large to analyze has no findings.
pub fn check(function: &Function, launched: &LaunchParameters) -> NodeFindings {
    let tree = Tree::new(function);
    let Some(uniformity) = Uniformity::of(&tree, launched) else { return NodeFindings::default() };
    let flow = HandleFlow::of(&tree, &uniformity);
    let mut out = Vec::new();
    let has_blocks = tree.steps.iter().any(|step| !step.blocks.is_empty());
    // Computed lazily: only mistakes need it, and most nodes have none.
    let reached = LazyCell::new(|| has_blocks.then(|| Reached::of(&tree, &uniformity)).flatten());
    if let Some(flow) = &flow {
        out.extend(flow.findings.iter().cloned());
        let reported_sites = completion::check(&tree, flow, &uniformity, &|| reached.as_ref(), &mut out);
        misuse::check(&tree, flow, &uniformity, reported_sites, &mut out);
    }
    // Threads of a thread node make every call alone.
    if launched.launch != Launch::Thread {
        convergence::check(&tree, &uniformity, flow.as_ref(), &mut out);
        convergence::barriers(&tree, &uniformity, &mut out);
    }
    if launched.launch == Launch::Mesh {
        mesh::check(&tree, launched, &uniformity, &mut out);
    }
    budgets::check(&tree, launched, &uniformity, flow.as_ref(), &mut out);
    counts::indexes(&tree, launched, &uniformity, flow.as_ref(), &mut out);
    sharing::check(&tree, &uniformity, &mut out);
    once_for_each_condition(&mut out);
    if !out.is_empty()
        && let Some(reached) = &*reached
    {
        reached.keep(&tree, &mut out);
    }
    let written = grids::written(&tree, launched, &uniformity);
    let grids = grids::asked(&tree, launched, &written);
    let mut found = NodeFindings { mistakes: out, advice: Vec::new(), grids, stored: copies::stored(&tree) };
    sharing_visibility::check(&tree, launched, &uniformity, &mut found.advice);
    advice::check(&tree, launched, &uniformity, &written, &mut found.advice);
    found
}

/// Keeps one finding for each condition that makes threads diverge before the end of sharing, even if it also affects
/// other calls.
fn once_for_each_condition(out: &mut Vec<Finding>) {
    let parting = |finding: &Finding| {
        let mut labels = finding.labels.iter();
        labels.find_map(|(label, at)| at.filter(|_| matches!(label, Label::Parts(_) | Label::Leaves(_))))
    };
    let is_of_sharing = |finding: &&Finding| matches!(finding.kind, FindingKind::FinishedFlow { .. });
    let reported: Vec<Position> = out.iter().filter(is_of_sharing).filter_map(parting).collect();
    let is_reported = |finding: &Finding| parting(finding).is_some_and(|at| reported.contains(&at));
    out.retain(|finding| !matches!(finding.kind, FindingKind::VaryingFlow { .. }) || !is_reported(finding));
}
