//! The message and labels of each finding.

use super::RecordReporter;
use super::sums::{asked, records, sum, total};
use crate::check::ops::BuiltinOp;
use crate::db::def::At;
use crate::tables::codes::{Code, Severity};
use crate::types::mesh_outputs::word;
use rustc_hash::FxHashSet;
use wgc_ir::flow::{Argument, BranchTaken, Call, Finding, FindingKind, Label, RequestCertainty, VariesBetween};
use wgc_ir::{AllocScope, MeshArray};

/// The parts of a finding's diagnostic.
pub(super) struct FindingText<'db> {
    pub code: Code,
    /// Replaces the code's severity.
    pub severity: Option<Severity>,
    pub message: String,
    pub notes: Vec<&'static str>,
    /// The declaration that the finding contradicts.
    pub also: Option<(At<'db>, String)>,
    /// Selects the operation to underline.
    pub is_meant: Box<dyn Fn(BuiltinOp) -> bool>,
    /// The finding is about a mesh output.
    pub is_output: bool,
}

fn method(call: Call) -> &'static str {
    match call {
        Call::Allocate(AllocScope::Thread) => "GetThreadNodeOutputRecords",
        Call::Allocate(AllocScope::Group) => "GetGroupNodeOutputRecords",
        Call::Increment(AllocScope::Thread) => "ThreadIncrementOutputCount",
        Call::Increment(AllocScope::Group) => "GroupIncrementOutputCount",
        Call::Complete => "OutputComplete",
    }
}

fn op_of(call: Call) -> BuiltinOp {
    match call {
        Call::Allocate(scope) => BuiltinOp::Allocate(scope),
        Call::Increment(scope) => BuiltinOp::IncrementCount(scope),
        Call::Complete => BuiltinOp::RecordsComplete,
    }
}

/// Returns a predicate for the operation that a label marks.
pub(super) fn meant_by(label: Label) -> impl Fn(BuiltinOp) -> bool {
    move |op| match label {
        Label::Allocated | Label::Asked(_) => matches!(op, BuiltinOp::Allocate(_)),
        Label::Records(_) => matches!(op, BuiltinOp::Allocate(_) | BuiltinOp::IncrementCount(_)),
        Label::Completed | Label::CompletedBefore => op == BuiltinOp::RecordsComplete,
        Label::Finished => op == BuiltinOp::InputFinished,
        Label::Too(call) => op == op_of(call),
        Label::Written | Label::Read => op == BuiltinOp::InputRecord,
        Label::Counted => op == BuiltinOp::MeshCounts,
        Label::Branch | Label::Parts(_) | Label::Leaves(_) | Label::Decides(_) | Label::Again | Label::RepeatedLoop => {
            false
        }
    }
}

fn branch_text(taken: BranchTaken) -> String {
    let plain = match taken {
        BranchTaken::If(true) => "if this is true, they are never completed",
        BranchTaken::If(false) => "if this is false, they are never completed",
        BranchTaken::Case(label) => return format!("in `case {label}` they are never completed"),
        BranchTaken::Default => "if no case matches, they are never completed",
        BranchTaken::Loop(true) => "if the loop ends here, they are never completed",
        BranchTaken::Loop(false) => "if the loop continues, they are never completed",
    };
    plain.to_string()
}

/// Formats a number of elements of a mesh array.
fn elements(array: MeshArray, count: u64) -> String {
    match (array, count) {
        (MeshArray::Vertices, 1) => "1 vertex".to_string(),
        (MeshArray::Vertices, _) => format!("{count} vertices"),
        (MeshArray::Indices | MeshArray::Primitives, 1) => "1 primitive".to_string(),
        (MeshArray::Indices | MeshArray::Primitives, _) => format!("{count} primitives"),
    }
}

fn are(array: MeshArray, count: u64) -> String {
    format!("{} {}", elements(array, count), if count == 1 { "is" } else { "are" })
}

/// The reason why a value that is uniform in a wave may vary in the group.
const WAVES: &str =
    "without a `WaveSize` of at least the number of threads in the group, the group may be several waves";

/// Lists names in a sentence.
fn list(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [only] => format!("`{only}`"),
        [all @ .., last] => {
            let all: Vec<String> = all.iter().map(|name| format!("`{name}`")).collect();
            format!("{} and `{last}`", all.join(", "))
        }
    }
}

/// Returns whether a finding may not apply if the group is one wave.
fn is_of_waves(kind: &FindingKind) -> bool {
    matches!(
        kind,
        FindingKind::VaryingFlow { .. }
            | FindingKind::VaryingBarrier
            | FindingKind::BarrierAfterReturn
            | FindingKind::VaryingArgument { .. }
            | FindingKind::VaryingHandle
            | FindingKind::VaryingMeshCounts
            | FindingKind::FinishedFlow { .. }
    )
}

/// Describes the threads that miss a collective call.
fn come(finding: &Finding) -> &'static str {
    if finding.may { "some threads of the group may not reach" } else { "not all threads of the group reach" }
}

/// Describes the divergence of a condition.
fn differs(between: VariesBetween, finding: &Finding) -> String {
    match between {
        VariesBetween::Groups => "this differs between groups".to_string(),
        VariesBetween::Waves if finding.may => "this differs between waves, and the group may have several".to_string(),
        VariesBetween::Waves => "this differs between the waves of a group".to_string(),
        VariesBetween::Threads => "this differs between the threads of a group".to_string(),
    }
}

/// The rule for calls that all threads of a group make together.
const TOGETHER: &str = "call it in all threads of the group, or in none";
/// The rule if each thread has its own count.
const TOGETHER_WITH_COUNTS: &str =
    "call it in all threads of the group, or in none; a thread that needs no records requests 0";

impl<'db> RecordReporter<'_, 'db> {
    pub(super) fn finding_text(&self, finding: &Finding) -> FindingText<'db> {
        let mut text = self.base_text(finding);
        // The device chooses how waves form a group.
        text.notes.extend(Some(WAVES).filter(|_| finding.may && is_of_waves(&finding.kind)));
        text
    }

    fn base_text(&self, finding: &Finding) -> FindingText<'db> {
        let plain = |code: Code, message: &str, notes: &[&'static str], is_meant: fn(BuiltinOp) -> bool| FindingText {
            code,
            severity: None,
            message: message.to_string(),
            notes: notes.to_vec(),
            also: None,
            is_meant: Box::new(is_meant),
            is_output: false,
        };
        let at_call = |code: Code, message: String, call: Call| FindingText {
            is_meant: Box::new(move |op| op == op_of(call)),
            ..plain(code, &message, &[], |_| false)
        };
        let allocates = |op: BuiltinOp| matches!(op, BuiltinOp::Allocate(_));
        let uses =
            |op: BuiltinOp| matches!(op, BuiltinOp::RecordsGet | BuiltinOp::RecordsComplete | BuiltinOp::BarrierObject);
        let finishes = |op: BuiltinOp| op == BuiltinOp::InputFinished;
        let counts = |op: BuiltinOp| op == BuiltinOp::MeshCounts;
        match &finding.kind {
            FindingKind::NeverCompleted => plain(
                Code::NeverCompleted,
                "these records are never completed",
                &["call `OutputComplete()` after writing them: until then they are not sent"],
                allocates,
            ),
            FindingKind::NotCompleted(_) => plain(
                Code::NotCompleted,
                "these records are not completed on every path",
                &["call `OutputComplete()` on every path to the end of the node, also for 0 records"],
                allocates,
            ),
            FindingKind::LostInLoop => plain(
                Code::NotCompleted,
                "every iteration of the loop requests these records, but only those of the last iteration are completed",
                &["call `OutputComplete()` before the next iteration"],
                allocates,
            ),
            FindingKind::LastIterationNotCompleted => plain(
                Code::NotCompleted,
                "the records of the last iteration of a loop are not completed",
                &["call `OutputComplete()` once more after the loop, or in the iteration that requests them"],
                allocates,
            ),
            FindingKind::UsedAfterCompletion => plain(
                Code::UseAfterCompletion,
                match finding.may {
                    true => "these records may already be completed",
                    false => "these records are already completed",
                },
                &["after `OutputComplete()` on any copy of the handle, the records belong to the consumer"],
                uses,
            ),
            FindingKind::CompletedTwice => plain(
                Code::CompletedTwice,
                match finding.may {
                    true => "these records may already be completed through another copy of the handle",
                    false => "these records are already completed through another copy of the handle",
                },
                &["`OutputComplete()` clears only the handle that it is called on; copies become stale"],
                uses,
            ),
            FindingKind::NullHandle => plain(
                Code::NullRecords,
                match finding.may {
                    true => "this handle may be unassigned",
                    false => "this handle is unassigned",
                },
                &["only `OutputComplete()` may be called on a handle without records; it does nothing"],
                uses,
            ),
            FindingKind::VaryingHandle => plain(
                Code::VaryingHandle,
                match finding.may {
                    true => "the threads of a group may hold different handles here",
                    false => "the threads of a group hold different handles here",
                },
                &["assign handles where all threads of the group run"],
                uses,
            ),
            FindingKind::VaryingFlow { call } => {
                let message = format!("{} this `{}`", come(finding), method(*call));
                let mut text = at_call(Code::VaryingFlow, message, *call);
                text.notes.push(match call {
                    Call::Allocate(AllocScope::Thread) | Call::Increment(AllocScope::Thread) => TOGETHER_WITH_COUNTS,
                    Call::Complete | Call::Allocate(_) | Call::Increment(_) => TOGETHER,
                });
                text
            }
            FindingKind::VaryingBarrier => plain(
                Code::VaryingBarrier,
                &format!("{} this barrier", come(finding)),
                &["threads that wait here for the rest of their group wait forever"],
                |op| matches!(op, BuiltinOp::Barrier { .. } | BuiltinOp::BarrierMemory | BuiltinOp::BarrierObject),
            ),
            FindingKind::BarrierAfterReturn => plain(
                Code::VaryingBarrier,
                match finding.may {
                    true => "some threads of the group may have returned before this barrier",
                    false => "some threads of the group have returned before this barrier",
                },
                &[
                    "devices do not wait for returned threads, but no specification guarantees that: let all threads reach the barrier, and skip only the work",
                ],
                |op| matches!(op, BuiltinOp::Barrier { .. } | BuiltinOp::BarrierMemory | BuiltinOp::BarrierObject),
            ),
            FindingKind::VaryingArgument { call, argument } => {
                let what = match argument {
                    Argument::Count => "count",
                    Argument::Index => "output",
                };
                let differs = if finding.may { "may differ" } else { "differs" };
                let message =
                    format!("the {what} of this `{}` {differs} between the threads of a group", method(*call));
                let mut text = at_call(Code::VaryingArgument, message, *call);
                text.notes.push("the group makes one call with one argument; with a method named `Thread..`, each thread makes its own call");
                text
            }
            FindingKind::RequestTooLarge { call, output, count, threads, most, asked: how } => {
                let asked = match threads {
                    1 => records(*count),
                    _ => format!("{threads} threads x {} = {}", records(*count), records(count * threads)),
                };
                let (asks, more) = match how {
                    RequestCertainty::Exactly => ("requests", ""),
                    RequestCertainty::AtLeast => ("requests", " or more"),
                    RequestCertainty::Unless0 => ("requests no record, or", ""),
                    RequestCertainty::Perhaps => ("may request", ""),
                };
                let (node, output_name) = (&self.decl.name, self.output(*output));
                let message = format!("node `{node}` {asks} {asked}{more} of `{output_name}`; the limit is {most}");
                FindingText { also: self.budget(*output), ..at_call(Code::RequestTooLarge, message, *call) }
            }
            FindingKind::RequestsTooLarge { output, parts, most, or_more } => {
                let mut names: Vec<&str> = parts.iter().map(|part| self.output(part.output)).collect();
                let mut known = FxHashSet::default();
                names.retain(|name| known.insert(*name));
                let asks = if finding.may { "may request" } else { "requests" };
                let more = if *or_more { " or more" } else { "" };
                let message = format!(
                    "node `{0}` {asks} {2} = {3}{more} of {1}; {4}the limit is {most}",
                    self.decl.name,
                    list(&names),
                    sum(parts),
                    records(total(parts)),
                    if names.len() > 1 { "together " } else { "" },
                );
                let asks = |op: BuiltinOp| matches!(op, BuiltinOp::Allocate(_) | BuiltinOp::IncrementCount(_));
                FindingText { also: self.budget(*output), ..plain(Code::RequestTooLarge, &message, &[], asks) }
            }
            FindingKind::InputIndex { index, most } => {
                let message = format!("record {index} is out of range: the input has at most {}", records(*most));
                let is_meant = |op: BuiltinOp| op == BuiltinOp::InputRecord;
                let also =
                    self.decl.input.as_ref().map(|input| (input.place.into(), format!("at most {}", records(*most))));
                FindingText { also, ..plain(Code::RecordIndex, &message, &["records are numbered from 0"], is_meant) }
            }
            FindingKind::OutputIndex { index, most, is_known } => {
                let of = if *is_known { "are requested" } else { "can be requested" };
                let verb = if *is_known && *most == 1 { "is requested" } else { of };
                let message = format!("record {index} is out of range: only {} {verb}", records(*most));
                plain(Code::RecordIndex, &message, &["records are numbered from 0"], uses)
            }
            FindingKind::OutputElement { output, index, elements } => {
                let array = self.output(*output);
                let message = format!("element {index} of `{array}`, which has {elements} elements");
                // The element is written at the request, or at a use of a handle to it.
                let is_meant = |op: BuiltinOp| {
                    let is_call = matches!(op, BuiltinOp::Allocate(_) | BuiltinOp::IncrementCount(_));
                    is_call || matches!(op, BuiltinOp::OutputElement | BuiltinOp::OutputValid)
                };
                let also = self.decl.outputs.get(*output as usize).map(|declared| {
                    let place = declared.size_place.unwrap_or(declared.place);
                    let all = match elements.saturating_sub(1) {
                        0 => "only element 0".to_string(),
                        last => format!("elements 0 to {last}"),
                    };
                    (place.into(), all)
                });
                let notes = &["the first element is 0; records for an element after the last are lost"];
                FindingText { also, ..plain(Code::RecordIndex, &message, notes, is_meant) }
            }
            FindingKind::FinishedTwice => plain(
                Code::FinishedTwice,
                match finding.may {
                    true => "`FinishedCrossGroupSharing` may already have been called",
                    false => "`FinishedCrossGroupSharing` was already called",
                },
                &["call it at most once in each thread"],
                finishes,
            ),
            FindingKind::FinishedInLoop => FindingText {
                severity: Some(Severity::Warning),
                ..plain(
                    Code::FinishedTwice,
                    "`FinishedCrossGroupSharing` is called again in the next iteration of the loop",
                    &["call it at most once in each thread"],
                    finishes,
                )
            },
            FindingKind::FinishedFlow { in_group } => {
                let come = if *in_group { come(finding) } else { "not all groups of the grid reach" };
                plain(
                    Code::FinishedFlow,
                    &format!("{come} this `FinishedCrossGroupSharing`"),
                    &["make this call in all threads of all groups of the grid, or in none"],
                    finishes,
                )
            }
            FindingKind::TouchedAfterFinished { tested } => {
                let message = if finding.may {
                    "the record may no longer belong to this group: control also gets here if `FinishedCrossGroupSharing` returns false"
                } else if *tested {
                    "the record no longer belongs to this group if `FinishedCrossGroupSharing` returns false"
                } else {
                    "only the last group owns the record after `FinishedCrossGroupSharing`, but its result is not tested"
                };
                let is_input = |op: BuiltinOp| op == BuiltinOp::InputRecord;
                let notes = &["access the record only in the group for which it returns true"];
                let severity = if *tested && !finding.may { None } else { Some(Severity::Warning) };
                FindingText { severity, ..plain(Code::TouchedAfterFinished, message, notes, is_input) }
            }
            FindingKind::RequestInLoop => plain(
                Code::RequestInLoop,
                "each iteration of the loop requests its own records",
                &["one request before the loop costs less, if the total is known there"],
                allocates,
            ),
            FindingKind::EmptyGrid => plain(
                Code::EmptyGrid,
                match finding.may {
                    true => "this record may launch a grid of no groups",
                    false => "this record launches a grid of no groups",
                },
                &["request 0 records instead: even with an empty grid, a record costs memory and scheduling"],
                uses,
            ),
            FindingKind::FinishedUnordered => plain(
                Code::FinishedUnordered,
                "other groups may not see this group's writes to the record",
                &["call `Barrier(input, DEVICE_SCOPE | GROUP_SYNC)` before `FinishedCrossGroupSharing`"],
                finishes,
            ),
            FindingKind::FinishedIncoherent => plain(
                Code::FinishedIncoherent,
                "the group that gets true may not see the writes of others: the record is not `globallycoherent`",
                &["declare the input `globallycoherent RWDispatchNodeInputRecord`, or use atomics"],
                finishes,
            ),
            FindingKind::NoMesh => {
                let message =
                    format!("mesh node `{}` outputs nothing: it never calls `SetMeshOutputCounts`", self.decl.name);
                plain(
                    Code::NoMesh,
                    &message,
                    &["without this call a thread group has 0 vertices and 0 primitives"],
                    counts,
                )
            }
            FindingKind::MeshWithoutCounts { is_set_somewhere } => {
                let message = match is_set_somewhere {
                    true => "control can reach this write without `SetMeshOutputCounts`",
                    false => "this is a mesh output, but `SetMeshOutputCounts` is never called",
                };
                let notes =
                    &["call it before every write, on every path: it sets the number of vertices and primitives"];
                FindingText { is_output: true, ..plain(Code::MeshCountsMissing, message, notes, counts) }
            }
            FindingKind::MeshCountsTwice => plain(
                Code::MeshCountsRepeated,
                "`SetMeshOutputCounts` is called in two places",
                &["call it once for the whole group, even if two calls exclude each other"],
                counts,
            ),
            FindingKind::MeshCountsInLoop => FindingText {
                severity: Some(Severity::Warning),
                ..plain(
                    Code::MeshCountsRepeated,
                    "`SetMeshOutputCounts` is called again in the next iteration of the loop",
                    &["call it at most once in each group"],
                    counts,
                )
            },
            FindingKind::VaryingMeshCounts => plain(
                Code::VaryingMeshCounts,
                &format!("{} this `SetMeshOutputCounts`", come(finding)),
                &["make this call in all threads of a group, or in none; the counts of the first thread apply"],
                counts,
            ),
            FindingKind::MeshCountTooLarge { array, count, most } => {
                let message = format!("requests {}; the limit is {most}", elements(*array, *count));
                FindingText { also: self.mesh_array(*array), ..plain(Code::MeshCountTooLarge, &message, &[], counts) }
            }
            FindingKind::MeshIndex { array, index, count } => {
                let message = format!("element {index} of `{}`, but only {} output", word(*array), are(*array, *count));
                let text = plain(Code::MeshIndex, &message, &["the first one is 0"], counts);
                FindingText { is_output: true, ..text }
            }
            FindingKind::MeshRead => FindingText {
                is_output: true,
                ..plain(
                    Code::MeshRead,
                    "a mesh output cannot be read",
                    &["use a variable, or groupshared memory if other threads need the value"],
                    counts,
                )
            },
            FindingKind::MeshIndexPart => FindingText {
                is_output: true,
                ..plain(
                    Code::MeshRead,
                    "the indices of a primitive must be written together",
                    &["assign a whole `uint2` or `uint3`"],
                    counts,
                )
            },
            FindingKind::EndlessRecursion { call, output } => {
                let message = format!(
                    "every level of the recursion requests records of `{}`, including the last",
                    self.output(*output)
                );
                let mut text = at_call(Code::EndlessRecursion, message, *call);
                text.notes.push("test `IsValid()`, or `GetRemainingRecursionLevels()` above 0, before the request");
                FindingText { also: self.recursion(), ..text }
            }
        }
    }

    /// Returns the label that explains another location's part in the finding.
    pub(super) fn label(&self, label: Label, finding: &Finding) -> String {
        match (label, &finding.kind) {
            (Label::Allocated, _) => "the records".to_string(),
            (Label::Asked(count), _) => format!("requests {}", records(count)),
            (Label::Records(part), _) => format!("requests {}", asked(&part)),
            (Label::Completed, _) if finding.may => "completed here on one path".to_string(),
            (Label::Completed, _) => "completed here".to_string(),
            (Label::CompletedBefore, _) => "completed here in the previous iteration".to_string(),
            (Label::Branch, FindingKind::NotCompleted(taken)) => branch_text(*taken),
            (Label::Branch, _) => "the loop continues here".to_string(),
            (Label::Parts(between), _) => differs(between, finding),
            (Label::Leaves(between), _) => {
                format!("{}, and some threads leave because of it", differs(between, finding))
            }
            (Label::Decides(between), _) => differs(between, finding),
            (Label::Again, _) => "this one, too".to_string(),
            (Label::Too(call), _) => format!("nor this `{}`", method(call)),
            (Label::Finished, FindingKind::FinishedTwice) => "the first call".to_string(),
            (Label::Finished, _) => "called here".to_string(),
            (Label::RepeatedLoop, FindingKind::LastIterationNotCompleted) => {
                "there is no iteration after the last".to_string()
            }
            (Label::RepeatedLoop, _) => "in every iteration of this loop".to_string(),
            (Label::Written, _) => "written here".to_string(),
            (Label::Read, _) => "read here".to_string(),
            (Label::Counted, FindingKind::MeshCountsTwice) => "the first call".to_string(),
            (Label::Counted, FindingKind::MeshIndex { array, count, .. }) => {
                format!("requests {}", elements(*array, *count))
            }
            (Label::Counted, _) => "called here".to_string(),
        }
    }

    /// Returns the attribute that limits the node's recursion.
    fn recursion(&self) -> Option<(At<'db>, String)> {
        let levels = self.decl.max_recursion;
        Some((self.decl.recursion_place?.into(), format!("the recursion ends {levels} levels below the first")))
    }

    /// Returns the parameter that declares a mesh array.
    fn mesh_array(&self, array: MeshArray) -> Option<(At<'db>, String)> {
        let decl = self.decl.mesh.as_ref()?.array(array)?;
        Some((decl.place.into(), format!("{} at most", elements(array, u64::from(decl.len?)))))
    }

    fn output(&self, output: u32) -> &str {
        self.decl.outputs.get(output as usize).map_or("", |output| &output.name)
    }

    /// Returns the declaration of an output's budget, which may be shared.
    fn budget(&self, output: u32) -> Option<(At<'db>, String)> {
        let declared = self.decl.outputs.get(output as usize)?;
        let owner = declared.shared_with.map_or(output, |owner| owner);
        let budget = self.decl.outputs.get(owner as usize)?;
        let of = if owner == output { String::new() } else { format!(", which `{}` shares", declared.name) };
        // A host may override the number in the source.
        let place = budget.budget_place.filter(|at| matches!(at, At::Host(_))).unwrap_or(budget.place.into());
        Some((place, format!("at most {}{of}", records(u64::from(budget.max_records)))))
    }
}
