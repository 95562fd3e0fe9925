//! The message and labels of each finding.

use super::Told;
use super::sums::{asked, records, sum, total};
use crate::check::ops::BuiltinOp;
use crate::db::def::At;
use crate::tables::codes::{Code, Severity};
use crate::types::mesh_outputs::word;
use rustc_hash::FxHashSet;
use wgc_ir::flow::{Argument, Asked, Between, Call, Finding, Kind, Label, Way};
use wgc_ir::{AllocScope, MeshArray};

/// The parts of a finding's diagnostic.
pub(super) struct Words<'db> {
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
        Label::Way | Label::Parts(_) | Label::Leaves(_) | Label::Decides(_) | Label::Again | Label::Turns => false,
    }
}

fn way(way: Way) -> String {
    let plain = match way {
        Way::If(true) => "where this holds, they never are",
        Way::If(false) => "where this does not hold, they never are",
        Way::Case(label) => return format!("in `case {label}` they never are"),
        Way::Default => "where no case matches, they never are",
        Way::Loop(true) => "when the loop ends here, they never are",
        Way::Loop(false) => "when the loop goes on, they never are",
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
const WAVES: &str = "without a `WaveSize` of at least as many lanes as the group has threads, it may be several waves";

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
fn is_of_waves(kind: &Kind) -> bool {
    matches!(
        kind,
        Kind::VaryingFlow { .. }
            | Kind::VaryingBarrier
            | Kind::BarrierAfterReturn
            | Kind::VaryingArgument { .. }
            | Kind::VaryingHandle
            | Kind::VaryingMeshCounts
            | Kind::FinishedFlow { .. }
    )
}

/// Describes the threads that miss a collective call.
fn come(finding: &Finding) -> &'static str {
    if finding.may { "some threads of the group may not come" } else { "not all threads of the group come" }
}

/// Describes the divergence of a condition.
fn differs(between: Between, finding: &Finding) -> String {
    match between {
        Between::Groups => "this differs between groups".to_string(),
        Between::Waves if finding.may => "this differs between waves, and the group may be several".to_string(),
        Between::Waves => "this differs between the waves of a group".to_string(),
        Between::Threads => "this differs between the threads of a group".to_string(),
    }
}

/// The rule for calls that all threads of a group make together.
const TOGETHER: &str = "all threads of a group make this call, or none: a thread that needs no records asks for 0";

impl<'db> Told<'_, 'db> {
    pub(super) fn words(&self, finding: &Finding) -> Words<'db> {
        let mut words = self.words_of(finding);
        // The device chooses how waves form a group.
        words.notes.extend(Some(WAVES).filter(|_| finding.may && is_of_waves(&finding.kind)));
        words
    }

    fn words_of(&self, finding: &Finding) -> Words<'db> {
        let plain = |code: Code, message: &str, notes: &[&'static str], is_meant: fn(BuiltinOp) -> bool| Words {
            code,
            severity: None,
            message: message.to_string(),
            notes: notes.to_vec(),
            also: None,
            is_meant: Box::new(is_meant),
            is_output: false,
        };
        let at_call = |code: Code, message: String, call: Call| Words {
            is_meant: Box::new(move |op| op == op_of(call)),
            ..plain(code, &message, &[], |_| false)
        };
        let allocates = |op: BuiltinOp| matches!(op, BuiltinOp::Allocate(_));
        let uses =
            |op: BuiltinOp| matches!(op, BuiltinOp::RecordsGet | BuiltinOp::RecordsComplete | BuiltinOp::BarrierObject);
        let finishes = |op: BuiltinOp| op == BuiltinOp::InputFinished;
        let counts = |op: BuiltinOp| op == BuiltinOp::MeshCounts;
        match &finding.kind {
            Kind::NeverCompleted => plain(
                Code::NeverCompleted,
                "these records are never completed",
                &["call `OutputComplete()` when they are written: until then they are not sent"],
                allocates,
            ),
            Kind::NotCompleted(_) => plain(
                Code::NotCompleted,
                "these records are not completed on every way",
                &["every way to the end of the node calls `OutputComplete()`, also for 0 records"],
                allocates,
            ),
            Kind::LostInLoop => plain(
                Code::NotCompleted,
                "these records are asked for in every turn of a loop, and only those of the last turn are completed",
                &["call `OutputComplete()` before the loop goes on"],
                allocates,
            ),
            Kind::LastTurnNotCompleted => plain(
                Code::NotCompleted,
                "the records that the last turn of a loop asks for are not completed",
                &["call `OutputComplete()` once more behind the loop, or in the turn that asks for them"],
                allocates,
            ),
            Kind::UsedAfterCompletion => plain(
                Code::UseAfterCompletion,
                match finding.may {
                    true => "these records may be completed already",
                    false => "these records were completed",
                },
                &[
                    "after `OutputComplete()` records belong to their receiver, whichever copy of the handle it was called on",
                ],
                uses,
            ),
            Kind::CompletedTwice => plain(
                Code::CompletedTwice,
                match finding.may {
                    true => "these records may be completed already, through another copy of the handle",
                    false => "these records were completed through another copy of the handle",
                },
                &[
                    "`OutputComplete()` takes the handle from the variable that it is called on; copies keep one that is stale",
                ],
                uses,
            ),
            Kind::NullHandle => plain(
                Code::NullRecords,
                match finding.may {
                    true => "there is a way on which nothing was assigned to this handle",
                    false => "nothing was assigned to this handle",
                },
                &["a handle without records has only `OutputComplete()`, which does nothing"],
                uses,
            ),
            Kind::VaryingHandle => plain(
                Code::VaryingHandle,
                match finding.may {
                    true => "the threads of a group may hold different handles here",
                    false => "the threads of a group hold different handles here",
                },
                &["assign handles where all threads of the group come"],
                uses,
            ),
            Kind::VaryingFlow { call } => {
                let message = format!("{} to this `{}`", come(finding), method(*call));
                let mut words = at_call(Code::VaryingFlow, message, *call);
                words.notes.push(match call {
                    Call::Complete => "all threads of a group make this call, or none",
                    Call::Allocate(_) | Call::Increment(_) => TOGETHER,
                });
                words
            }
            Kind::VaryingBarrier => plain(
                Code::VaryingBarrier,
                &format!("{} to this barrier", come(finding)),
                &["threads that wait here for the others of their group wait for ever"],
                |op| matches!(op, BuiltinOp::Barrier { .. } | BuiltinOp::BarrierMemory | BuiltinOp::BarrierObject),
            ),
            Kind::BarrierAfterReturn => plain(
                Code::VaryingBarrier,
                match finding.may {
                    true => "some threads of the group may have returned in front of this barrier",
                    false => "some threads of the group have returned in front of this barrier",
                },
                &[
                    "devices do not wait for threads that have returned, though no specification says so: let them come here, \
                     and leave out what they do not do",
                ],
                |op| matches!(op, BuiltinOp::Barrier { .. } | BuiltinOp::BarrierMemory | BuiltinOp::BarrierObject),
            ),
            Kind::VaryingArgument { call, argument } => {
                let what = match argument {
                    Argument::Count => "count",
                    Argument::Index => "output",
                };
                let differs = if finding.may { "may differ" } else { "differs" };
                let message =
                    format!("the {what} of this `{}` {differs} between the threads of a group", method(*call));
                let mut words = at_call(Code::VaryingArgument, message, *call);
                words
                    .notes
                    .push("the group makes the call once; the methods named Thread.. take one argument of each thread");
                words
            }
            Kind::RequestTooLarge { call, output, count, threads, most, asked: how } => {
                let asked = match threads {
                    1 => records(*count),
                    _ => format!("{threads} threads x {} = {}", records(*count), records(count * threads)),
                };
                let (asks, more) = match how {
                    Asked::Exactly => ("asks", ""),
                    Asked::AtLeast => ("asks", " or more"),
                    Asked::Unless0 => ("asks", " where it asks for any"),
                    Asked::Perhaps => ("may ask", ""),
                };
                let (node, output_name) = (&self.decl.name, self.output(*output));
                let message = format!("node `{node}` {asks} `{output_name}` for {asked}{more}, of at most {most}");
                Words { also: self.budget(*output), ..at_call(Code::RequestTooLarge, message, *call) }
            }
            Kind::RequestsTooLarge { output, parts, most, or_more } => {
                let mut names: Vec<&str> = parts.iter().map(|part| self.output(part.output)).collect();
                let mut known = FxHashSet::default();
                names.retain(|name| known.insert(*name));
                let asks = if finding.may { "may ask" } else { "asks" };
                let more = if *or_more { " or more" } else { "" };
                let message = format!(
                    "node `{}` {asks} {} for {} = {}{more}, of at most {most}{}",
                    self.decl.name,
                    list(&names),
                    sum(parts),
                    records(total(parts)),
                    if names.len() > 1 { " together" } else { "" },
                );
                let asks = |op: BuiltinOp| matches!(op, BuiltinOp::Allocate(_) | BuiltinOp::IncrementCount(_));
                Words { also: self.budget(*output), ..plain(Code::RequestTooLarge, &message, &[], asks) }
            }
            Kind::InputIndex { index, most } => {
                let message = format!("record {index} of an input of at most {}", records(*most));
                let is_meant = |op: BuiltinOp| op == BuiltinOp::InputRecord;
                let also =
                    self.decl.input.as_ref().map(|input| (input.place.into(), format!("at most {}", records(*most))));
                Words { also, ..plain(Code::RecordIndex, &message, &["the first record is 0"], is_meant) }
            }
            Kind::OutputIndex { index, most, is_known } => {
                let of = if *is_known { "were asked for" } else { "can be asked for" };
                let verb = if *is_known && *most == 1 { "was asked for" } else { of };
                let message = format!("record {index} where {} {verb}", records(*most));
                plain(Code::RecordIndex, &message, &["the first record is 0"], uses)
            }
            Kind::OutputElement { output, index, elements } => {
                let array = self.output(*output);
                let message = format!("element {index} of `{array}`, an array of {elements}");
                // The element is written at the request, or at a use of a handle to it.
                let is_meant = |op: BuiltinOp| {
                    let is_call = matches!(op, BuiltinOp::Allocate(_) | BuiltinOp::IncrementCount(_));
                    is_call || matches!(op, BuiltinOp::OutputElement | BuiltinOp::OutputValid)
                };
                let also = self.decl.outputs.get(*output as usize).map(|declared| {
                    let place = declared.size_place.unwrap_or(declared.place);
                    let all = match elements.saturating_sub(1) {
                        0 => "element 0 alone".to_string(),
                        last => format!("elements 0 to {last}"),
                    };
                    (place.into(), all)
                });
                let notes = &["the first element is 0; records for one behind the last go nowhere"];
                Words { also, ..plain(Code::RecordIndex, &message, notes, is_meant) }
            }
            Kind::FinishedTwice => plain(
                Code::FinishedTwice,
                match finding.may {
                    true => "`FinishedCrossGroupSharing` may have been called before",
                    false => "`FinishedCrossGroupSharing` was called before",
                },
                &["each thread calls it once at most"],
                finishes,
            ),
            Kind::FinishedInLoop => Words {
                severity: Some(Severity::Warning),
                ..plain(
                    Code::FinishedTwice,
                    "`FinishedCrossGroupSharing` is called again in the next turn of the loop",
                    &["each thread calls it once at most"],
                    finishes,
                )
            },
            Kind::FinishedFlow { in_group } => {
                let come = if *in_group { come(finding) } else { "not all groups of the grid come" };
                plain(
                    Code::FinishedFlow,
                    &format!("{come} to this `FinishedCrossGroupSharing`"),
                    &["all threads of all groups of the grid make this call, or none"],
                    finishes,
                )
            }
            Kind::TouchedAfterFinished { tested } => {
                let message = if finding.may {
                    "the record may be no longer this group's: control comes here also where \
                     `FinishedCrossGroupSharing` gave false"
                } else if *tested {
                    "the record is no longer this group's where `FinishedCrossGroupSharing` gave false"
                } else {
                    "the record is only the last group's after `FinishedCrossGroupSharing`, whose result has no say here"
                };
                let is_input = |op: BuiltinOp| op == BuiltinOp::InputRecord;
                let notes = &["the one group that it gives true may read and write the record"];
                let severity = if *tested && !finding.may { None } else { Some(Severity::Warning) };
                Words { severity, ..plain(Code::TouchedAfterFinished, message, notes, is_input) }
            }
            Kind::RequestInLoop => plain(
                Code::RequestInLoop,
                "each turn of the loop asks for records by itself",
                &["one request for all of them before the loop costs less, where their number is known there"],
                allocates,
            ),
            Kind::EmptyGrid => plain(
                Code::EmptyGrid,
                match finding.may {
                    true => "this record may launch a grid of no groups",
                    false => "this record launches a grid of no groups",
                },
                &["a thread that needs no record asks for 0: a record takes memory and scheduling whatever its grid"],
                uses,
            ),
            Kind::FinishedUnordered => plain(
                Code::FinishedUnordered,
                "other groups may not see what this one wrote to the record",
                &["before the call: `Barrier(input, DEVICE_SCOPE | GROUP_SYNC)`"],
                finishes,
            ),
            Kind::FinishedIncoherent => plain(
                Code::FinishedIncoherent,
                "the group that gets true may not see what others wrote to the record, which is not `globallycoherent`",
                &[
                    "`globallycoherent RWDispatchNodeInputRecord` as the input is seen behind the barrier; so are atomics",
                ],
                finishes,
            ),
            Kind::NoMesh => {
                let message =
                    format!("mesh node `{}` puts nothing out: it never calls `SetMeshOutputCounts`", self.decl.name);
                plain(
                    Code::NoMesh,
                    &message,
                    &["without the call a thread group has 0 vertices and 0 primitives"],
                    counts,
                )
            }
            Kind::MeshWithoutCounts { is_said } => {
                let message = match is_said {
                    true => "control can come to this write without `SetMeshOutputCounts`",
                    false => "this is written, and `SetMeshOutputCounts` is never called",
                };
                let notes = &["the call comes before every write, on every way: it says how much is put out"];
                Words { is_output: true, ..plain(Code::MeshCountsMissing, message, notes, counts) }
            }
            Kind::MeshCountsTwice => plain(
                Code::MeshCountsRepeated,
                "`SetMeshOutputCounts` is called in two places",
                &["one call says it for the whole group, even where two of them would exclude each other"],
                counts,
            ),
            Kind::MeshCountsInLoop => Words {
                severity: Some(Severity::Warning),
                ..plain(
                    Code::MeshCountsRepeated,
                    "`SetMeshOutputCounts` is called again in the next turn of the loop",
                    &["each group calls it once at most"],
                    counts,
                )
            },
            Kind::VaryingMeshCounts => plain(
                Code::VaryingMeshCounts,
                &format!("{} to this `SetMeshOutputCounts`", come(finding)),
                &["all threads of a group make this call, or none; the first one's numbers count"],
                counts,
            ),
            Kind::MeshCountTooLarge { array, count, most } => {
                let message = format!("asks for {}, of at most {most}", elements(*array, *count));
                Words { also: self.mesh_array(*array), ..plain(Code::MeshCountTooLarge, &message, &[], counts) }
            }
            Kind::MeshIndex { array, index, count } => {
                let message = format!("element {index} of `{}` where {} put out", word(*array), are(*array, *count));
                let words = plain(Code::MeshIndex, &message, &["the first one is 0"], counts);
                Words { is_output: true, ..words }
            }
            Kind::MeshRead => Words {
                is_output: true,
                ..plain(
                    Code::MeshRead,
                    "what a mesh node puts out cannot be read",
                    &["keep the value in a variable, or in groupshared memory where other threads need it"],
                    counts,
                )
            },
            Kind::MeshIndexPart => Words {
                is_output: true,
                ..plain(
                    Code::MeshRead,
                    "the indices of a primitive are written together",
                    &["assign a whole `uint2` or `uint3`"],
                    counts,
                )
            },
            Kind::EndlessRecursion { call, output } => {
                let message = format!("every level asks for records of `{}`, the last one too", self.output(*output));
                let mut words = at_call(Code::EndlessRecursion, message, *call);
                words.notes.push("ask where `IsValid()` says so, or while `GetRemainingRecursionLevels()` is above 0");
                Words { also: self.recursion(), ..words }
            }
        }
    }

    /// Returns the label that explains another location's part in the finding.
    pub(super) fn label(&self, label: Label, finding: &Finding) -> String {
        match (label, &finding.kind) {
            (Label::Allocated, _) => "the records".to_string(),
            (Label::Asked(count), _) => format!("asks for {}", records(count)),
            (Label::Records(part), _) => format!("asks for {}", asked(&part)),
            (Label::Completed, _) if finding.may => "completed here on one way".to_string(),
            (Label::Completed, _) => "completed here".to_string(),
            (Label::CompletedBefore, _) => "completed here in the turn before".to_string(),
            (Label::Way, Kind::NotCompleted(taken)) => way(*taken),
            (Label::Way, _) => "the loop goes on here".to_string(),
            (Label::Parts(between), _) => differs(between, finding),
            (Label::Leaves(between), _) => format!("{}, and some leave because of it", differs(between, finding)),
            (Label::Decides(between), _) => differs(between, finding),
            (Label::Again, _) => "so this does, too".to_string(),
            (Label::Too(call), _) => format!("nor to this `{}`", method(call)),
            (Label::Finished, Kind::FinishedTwice) => "the first call".to_string(),
            (Label::Finished, _) => "called here".to_string(),
            (Label::Turns, Kind::LastTurnNotCompleted) => "no turn of the loop comes after the last one".to_string(),
            (Label::Turns, _) => "in every turn of this loop".to_string(),
            (Label::Written, _) => "written here".to_string(),
            (Label::Read, _) => "read here".to_string(),
            (Label::Counted, Kind::MeshCountsTwice) => "the first call".to_string(),
            (Label::Counted, Kind::MeshIndex { array, count, .. }) => format!("asks for {}", elements(*array, *count)),
            (Label::Counted, _) => "called here".to_string(),
        }
    }

    /// Returns the attribute that limits the node's recursion.
    fn recursion(&self) -> Option<(At<'db>, String)> {
        let levels = self.decl.max_recursion;
        Some((self.decl.recursion_place?.into(), format!("the node ends {levels} levels below the first")))
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
