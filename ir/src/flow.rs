//! What a node does with its records along the ways that control can take.
//!
//! One node function at a time, all its calls inlined, before `passes::promote`: handles lie in locals, and
//! [`Stmt::At`](crate::Stmt::At) says where everything was written. [`check`] runs
//!
//! - [`uniformity`]: what differs between the threads of a group, and where they part; [`known`]: what that is of a scalar;
//! - [`handles`]: what each handle refers to; [`completion`]: records that nobody completes; [`misuse`]: what either is
//!   on some ways;
//! - [`convergence`]: calls for the whole group where only some of its threads come;
//! - [`budgets`]: requests above what is declared; [`counts`]: records that do not exist;
//! - [`mesh`]: what a mesh node puts out;
//! - [`sharing`]: the end of sharing an input record among groups, [`dependence`]: what its result decides; [`shown`]:
//!   whether others see what was written;
//! - [`advice`]: what costs more than it must; [`recursion`]: what has no end;
//! - [`reached`]: whether control ever comes to what was found.
//!
//! [`accesses`] gathers what checks of several nodes need to know of each, [`passed`] what one has not shown to others;
//! [`buffers`] names what they touch.
//!
//! [`drop_idle_completions`] uses the same for code.
//!
//! All of them walk the statements of [`tree`]; [`forward`] is the walk, [`shared`] what states are kept in, and [`parts`] says what values and memory of one
//! thread consist of. A finding is certain: it holds for every way that control can take to the statement, as far as
//! conditions are independent of each other. [`ways`] tells ways apart instead, each with what its conditions say, for
//! what is wrong on some of them ([`Finding::may`]); [`symbols`] and [`facts`] are what it knows. What the language demands of programs (the IR demands nothing of this) is
//! in the work graphs specification; how serious each finding is, and the words for it, are the front end's.

mod accesses;
mod advice;
mod again;
mod budgets;
mod buffers;
mod completion;
mod convergence;
mod copies;
mod counts;
mod dependence;
mod ends;
mod facts;
mod forward;
mod grids;
mod handles;
mod idle;
mod known;
mod mesh;
mod missing;
mod misuse;
mod parts;
mod passed;
mod places;
mod reached;
mod recursion;
mod shared;
mod sharing;
mod shown;
mod symbols;
mod tree;
mod turns;
mod uniformity;
mod ways;

pub use accesses::{Accesses, Fields, accesses};
pub use buffers::Buffer;
pub use completion::Way;
pub use copies::Stored;
pub use counts::{Argument, Asked, Part};
pub use grids::Axis;
pub use idle::drop_idle_completions;

use crate::Symbol;
use crate::function::{Function, OutputId};
use crate::graph::{Launch, MeshArray};
use crate::position::Position;
use crate::types::{AllocScope, Type};
use handles::HandleFlow;
use known::Level;
use reached::Reached;
use std::cell::LazyCell;
use tree::Tree;
use uniformity::Uniformity;

/// How a node runs, as far as it is certain: numbers that a host may still change are `None`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Launched {
    pub launch: Launch,
    /// The input is `globallycoherent`.
    pub is_coherent: bool,
    pub num_threads: Option<[u32; 3]>,
    /// The largest grid; `None` for nodes without one, too.
    pub grid: Option<[u32; 3]>,
    /// Least and largest number of lanes, where the node says.
    pub wave_size: Option<[u32; 2]>,
    /// Of an input with a number of records.
    pub max_input_records: Option<u32>,
    /// In the order of the node's outputs.
    pub outputs: Vec<Budget>,
    /// Types of records that go to other nodes, each with the path to its dispatch grid.
    pub grids: Vec<(Type, Vec<u32>)>,
    /// Of a mesh node what it puts out: the globals, and how many elements each has.
    pub mesh: Vec<(MeshArray, Symbol, u32)>,
}

/// Whose records an output's count against.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// The output that owns the budget.
    pub budget: usize,
    pub max_records: Option<u32>,
    /// How many elements an array has.
    pub elements: Option<u32>,
    /// It may reach the node itself.
    pub is_recursive: bool,
}

/// How the threads of a group make up waves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Waves {
    /// A wave has room for all of them on every device.
    One,
    Several,
    /// It depends on the device.
    Unknown,
}

/// Who differs in something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Between {
    Groups,
    /// The waves of one group.
    Waves,
    /// The threads of one group.
    Threads,
}

/// A call by a group as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Call {
    Allocate(AllocScope),
    Increment(AllocScope),
    Complete,
}

/// Something wrong, or certain to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    pub kind: Kind,
    /// It is not wrong on every way that leads there.
    pub may: bool,
    /// In the function that was checked, as all positions here.
    pub at: Option<Position>,
    pub labels: Vec<(Label, Option<Position>)>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Records that no way completes.
    NeverCompleted,
    /// Records that this way does not complete.
    NotCompleted(Way),
    /// Each turn of a loop forgets those of the turn before.
    LostInLoop,
    /// The last turn of a loop asks for records that only another one would complete.
    LastTurnNotCompleted,
    UsedAfterCompletion,
    /// Through a copy of the handle.
    CompletedTwice,
    /// A handle that nothing was assigned to.
    NullHandle,
    /// A handle that only some threads of a group were given.
    VaryingHandle,
    VaryingFlow {
        call: Call,
    },
    /// A barrier that only some threads of a group come to.
    VaryingBarrier,
    /// A barrier that some threads of a group have returned in front of.
    BarrierAfterReturn,
    /// A call for the group whose argument differs between its threads.
    VaryingArgument {
        call: Call,
        argument: Argument,
    },
    /// `count` records by each of `threads`.
    RequestTooLarge {
        call: Call,
        output: OutputId,
        count: u64,
        threads: u64,
        most: u64,
        asked: Asked,
    },
    /// Calls that each ask for one of `parts`, and for too much together.
    RequestsTooLarge {
        output: OutputId,
        parts: Vec<Part>,
        most: u64,
        /// They ask for that many at least.
        or_more: bool,
    },
    InputIndex {
        index: u64,
        most: u64,
    },
    /// `most` were asked for (`is_known`), or can be.
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
    /// Where not all groups come, or not all threads of each.
    FinishedFlow {
        in_group: bool,
    },
    /// The input record where `FinishedSharing` gave false, or may have (it was not `tested`).
    TouchedAfterFinished {
        tested: bool,
    },
    /// Records that each turn of a loop asks for by itself.
    RequestInLoop,
    /// A record whose grid has no groups.
    EmptyGrid,
    /// The end of sharing a record that was written without a barrier for other groups.
    FinishedUnordered,
    /// The end of sharing a record that was written, is read then, and is not coherent.
    FinishedIncoherent,
    /// A mesh node that puts nothing out.
    NoMesh,
    /// Something is written to a mesh whose size was not said, or not on every way (`is_said`).
    MeshWithoutCounts {
        is_said: bool,
    },
    MeshCountsTwice,
    MeshCountsInLoop,
    /// The size of a mesh, where only some threads of a group come.
    VaryingMeshCounts,
    MeshCountTooLarge {
        array: MeshArray,
        count: u64,
        most: u64,
    },
    /// An element that is not there, by the size that was said.
    MeshIndex {
        array: MeshArray,
        index: u64,
        count: u64,
    },
    /// Of what is only written.
    MeshRead,
    /// A primitive of which only some indices are written.
    MeshIndexPart,
    /// A request for the node itself that no level leaves out.
    EndlessRecursion {
        call: Call,
        output: OutputId,
    },
}

/// What another place has to do with a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Label {
    Allocated,
    /// Asked for that many records.
    Asked(u64),
    /// Adds records.
    Records(Part),
    Completed,
    /// In a turn of a loop before.
    CompletedBefore,
    /// The condition or loop that is meant.
    Way,
    /// The condition differs.
    Parts(Between),
    /// The condition differs, and some leave because of it.
    Leaves(Between),
    /// The condition differs, and so does a later one, by what was stored because of it.
    Decides(Between),
    /// That later one.
    Again,
    /// The same is wrong with this call.
    Too(Call),
    Finished,
    /// The loop.
    Turns,
    /// Memory is written.
    Written,
    /// It is read.
    Read,
    /// The size of a mesh is said.
    Counted,
}

impl Finding {
    fn new(kind: Kind, at: Option<Position>) -> Finding {
        Finding { kind, may: false, at, labels: Vec::new() }
    }

    /// On some way only.
    fn maybe(self, may: bool) -> Finding {
        Finding { may, ..self }
    }

    fn also(mut self, label: Label, at: Option<Position>) -> Finding {
        self.labels.push((label, at));
        self
    }
}

/// What was found in a node.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// What is wrong, or certain to be.
    pub mistakes: Vec<Finding>,
    /// What is rarely meant, or costs more than it must.
    pub advice: Vec<Finding>,
    /// The grids that records of each type ask for.
    pub grids: Vec<(Type, [Axis; 3])>,
    /// What is stored in records that repeat constants.
    pub stored: Vec<Stored>,
}

/// The lanes of a wave, by what devices have.
const MIN_WAVE: u64 = 4;
const MAX_WAVE: u64 = 128;

impl Launched {
    /// Threads of a group.
    fn threads(&self) -> Option<u64> {
        Some(self.num_threads?.iter().map(|n| u64::from(*n)).product())
    }

    /// What differs between the threads of a group; nothing where each thread is on its own.
    fn varying(&self) -> Level {
        if self.launch == Launch::Thread || self.threads() == Some(1) { Level::Group } else { Level::Varying }
    }

    /// What differs between the waves of a group.
    fn in_wave(&self) -> Level {
        let level = if self.waves() == Waves::One { Level::Group } else { Level::Wave };
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

/// Checks a function without calls. Nothing is found in one that is too large to follow.
pub fn check(function: &Function, launched: &Launched) -> Found {
    let tree = Tree::new(function);
    let Some(uniformity) = Uniformity::of(&tree, launched) else { return Found::default() };
    let flow = HandleFlow::of(&tree, &uniformity);
    let mut out = Vec::new();
    let has_blocks = tree.steps.iter().any(|step| !step.blocks.is_empty());
    // Only mistakes ask for it, and most nodes have none.
    let reached = LazyCell::new(|| has_blocks.then(|| Reached::of(&tree, &uniformity)).flatten());
    if let Some(flow) = &flow {
        out.extend(flow.findings.iter().cloned());
        let told = completion::check(&tree, flow, &uniformity, &|| reached.as_ref(), &mut out);
        misuse::check(&tree, flow, &uniformity, told, &mut out);
    }
    // Threads of a thread node come alone to what they call.
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
    let mut found = Found { mistakes: out, advice: Vec::new(), grids, stored: copies::stored(&tree) };
    shown::check(&tree, launched, &uniformity, &mut found.advice);
    advice::check(&tree, launched, &uniformity, &written, &mut found.advice);
    found
}

/// A condition that parts threads in front of the end of sharing is one mistake, whatever other calls it does harm to.
fn once_for_each_condition(out: &mut Vec<Finding>) {
    let parting = |finding: &Finding| {
        let mut labels = finding.labels.iter();
        labels.find_map(|(label, at)| at.filter(|_| matches!(label, Label::Parts(_) | Label::Leaves(_))))
    };
    let is_of_sharing = |finding: &&Finding| matches!(finding.kind, Kind::FinishedFlow { .. });
    let told: Vec<Position> = out.iter().filter(is_of_sharing).filter_map(parting).collect();
    let is_told = |finding: &Finding| parting(finding).is_some_and(|at| told.contains(&at));
    out.retain(|finding| !matches!(finding.kind, Kind::VaryingFlow { .. }) || !is_told(finding));
}
