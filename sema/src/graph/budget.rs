//! Limits on the records that one thread group, or one thread of a thread node, may send (WorkGraphs.md, "Node output
//! limits").
//!
//! An output with `MaxRecords` owns a budget; outputs that share it form one set with it. A set takes `MaxRecords`
//! times its largest record, rounded up to 4 bytes. It counts once for each node that shares the target's input. Each
//! record that tracks sharing takes 4 more bytes of a group's limit. The rule [`budgets`] checks the sums. The query
//! [`group_memory`] adds groupshared memory, which only bodies determine.

use crate::contracts::node::NodeDecl;
use crate::db::diagnostic::Diagnostic;
use crate::graph::model::Model;
use crate::graph::rules::Check;
use crate::tables::codes::{Code, Severity};
use crate::tables::figures::grouped;
use wgc_ir::Launch;

pub const MAX_OUTPUTS: usize = 1024;
/// Bytes of outputs, groupshared memory and [`BYTES_PER_RECORD`] together.
pub const MAX_GROUP_MEMORY: u64 = 49_152;
pub const BYTES_PER_RECORD: u64 = 8;
/// The largest record that a node can send.
const MAX_RECORD: u32 = 32_768;
/// Extra bytes of a group's limit for a record that tracks sharing.
const TRACKING: u64 = 4;

/// The output limits of a group, or of a thread of a thread node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutputLimits {
    pub records: u64,
    pub bytes: u64,
}

pub fn limits(launch: Launch) -> OutputLimits {
    match launch {
        Launch::Thread => OutputLimits { records: 8, bytes: 128 },
        // A mesh node is a leaf.
        Launch::Mesh => OutputLimits { records: 0, bytes: 0 },
        Launch::Broadcasting | Launch::Coalescing => OutputLimits { records: 256, bytes: 32_768 },
    }
}

/// The records that a node may send; outputs without data take nothing and are not listed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Budget {
    pub parts: Vec<BudgetPart>,
}

/// An output with a budget, together with the outputs that share it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BudgetPart {
    /// The output that owns the budget.
    pub output: usize,
    pub name: String,
    pub max_records: u64,
    /// Bytes of the largest record, rounded up.
    pub size: u64,
    /// The output with the largest record.
    pub largest: usize,
    pub tracks: bool,
    /// Nodes that each record goes to.
    pub copies: u64,
}

impl BudgetPart {
    pub fn records(&self) -> u64 {
        self.max_records * self.copies
    }

    /// Returns the bytes of the records alone.
    pub fn bytes(&self) -> u64 {
        self.records() * self.size
    }

    /// Formats `128 x 192 B`.
    pub(crate) fn sum(&self) -> String {
        format!("{} x {} B", self.count(), grouped(self.size))
    }

    /// Formats like [`BudgetPart::sum`], with the bytes for tracking.
    fn tracked_sum(&self) -> String {
        match self.tracks {
            true => format!("{} x ({} + {TRACKING}) B", self.count(), grouped(self.size)),
            false => self.sum(),
        }
    }

    /// Formats `128` or `128 x 3 nodes`.
    fn count(&self) -> String {
        match self.copies {
            1 => grouped(self.max_records),
            copies => format!("{} x {copies} nodes", grouped(self.max_records)),
        }
    }
}

impl Budget {
    /// Sums up a node's budget; `copies` returns the number of nodes that a record of an output goes to.
    fn of(node: &NodeDecl, copies: impl Fn(usize) -> u32) -> Budget {
        // Indexed by the output that owns the budget.
        let mut parts: Vec<Option<BudgetPart>> = Vec::new();
        parts.resize_with(node.outputs.len(), || None);
        for (o, output) in node.outputs.iter().enumerate() {
            let Some(record) = &output.record else { continue };
            let owner = output.shared_with.map_or(o, |owner| owner as usize);
            let max_records = node.outputs.get(owner).map_or(0, |owner| u64::from(owner.max_records));
            let Some(part) = parts.get_mut(owner) else { continue };
            let part = part.get_or_insert_with(|| BudgetPart {
                output: owner,
                name: node.outputs[owner].name.clone(),
                max_records,
                size: 0,
                largest: owner,
                tracks: false,
                copies: 1,
            });
            let size = u64::from(record.size()).next_multiple_of(4);
            // On a tie the owner wins, as the sum names it anyway.
            if size > part.size || size == part.size && o == owner {
                (part.size, part.largest) = (size, o);
            }
            part.tracks |= record.ir.track_sharing;
            part.copies = part.copies.max(u64::from(copies(o)));
        }
        Budget { parts: parts.into_iter().flatten().collect() }
    }

    pub fn records(&self) -> u64 {
        self.parts.iter().map(BudgetPart::records).sum()
    }

    /// Returns the bytes of the records alone.
    pub fn bytes(&self) -> u64 {
        self.parts.iter().map(BudgetPart::bytes).sum()
    }

    /// Returns the bytes that count against [`OutputLimits`]; for a group, tracking counts too.
    pub fn limited_bytes(&self, launch: Launch) -> u64 {
        let tracked: u64 = self.parts.iter().filter(|part| part.tracks).map(BudgetPart::records).sum();
        self.bytes() + if launch == Launch::Thread { 0 } else { TRACKING * tracked }
    }

    /// Formats `a + b`, with the name of each part if there are several.
    fn sum(&self, text: impl Fn(&BudgetPart) -> String) -> String {
        let part = |part: &BudgetPart| match self.parts.len() {
            1 => text(part),
            _ => format!("`{}` {}", part.name, text(part)),
        };
        self.parts.iter().map(part).collect::<Vec<_>>().join(" + ")
    }
}

/// Returns the budget of each node.
pub(crate) fn of_nodes(model: &Model) -> Vec<Budget> {
    let budget = |(n, node): (usize, &&NodeDecl)| Budget::of(node, |o| model.copies(n, o));
    model.nodes.iter().enumerate().map(budget).collect()
}

/// Checks `Code::TooManyOutputs`, `Code::ThreadLimits` and `Code::GroupLimits`.
pub(crate) fn budgets(check: &mut Check) {
    let model = check.model;
    // Users of a library may have other limits.
    let severity = if check.program.options(check.db).library { Severity::Warning } else { Severity::Error };
    for (n, budget) in check.budgets.iter().enumerate() {
        let node = &model.nodes[n];
        if node.outputs.len() > MAX_OUTPUTS {
            let (count, most) = (grouped(node.outputs.len() as u64), grouped(MAX_OUTPUTS as u64));
            let message = format!("node `{}` has {count} outputs; the limit is {most}", node.name);
            check.out.push(
                Diagnostic::new(Code::TooManyOutputs, node.name_place, message)
                    .also(node.outputs[MAX_OUTPUTS].place, "the first output over the limit")
                    .note("use a `NodeOutputArray`, which counts once, to target several nodes"),
            );
        }
        let (code, who) = match node.launch {
            Launch::Thread => (Code::ThreadLimits, "a thread"),
            Launch::Broadcasting | Launch::Coalescing | Launch::Mesh => (Code::GroupLimits, "a thread group"),
        };
        // A sum with missing parts is meaningless.
        if node.outputs.iter().any(|output| output.budget_is_unknown) {
            continue;
        }
        let limits = limits(node.launch);
        let found = |what: String| Diagnostic::new(code, node.name_place, what).severity(severity);
        let (records, bytes) = (budget.records(), budget.limited_bytes(node.launch));
        if records > limits.records {
            let (shown, most) = (grouped(records), grouped(limits.records));
            let message = format!("{who} of node `{}` may send {shown} records; the limit is {most}", node.name);
            let mut diagnostic = labelled(model, n, budget, found(message), &BudgetPart::count);
            let sum = budget.sum(BudgetPart::count);
            if sum != shown {
                diagnostic = diagnostic.note(format!("records: {sum} = {shown}"));
            }
            check.out.push(diagnostic);
        }
        // A record that no node can send is a separate mistake.
        if bytes > limits.bytes && !budget.parts.iter().any(|part| too_large(model, n, part)) {
            let (shown, most) = (grouped(bytes), grouped(limits.bytes));
            let message = format!("{who} of node `{}` may send {shown} B; the limit is {most} B", node.name);
            let is_group = node.launch != Launch::Thread;
            let text = if is_group { BudgetPart::tracked_sum } else { BudgetPart::sum };
            let sum = format!("records: {} = {shown} B", budget.sum(text));
            let mut diagnostic = labelled(model, n, budget, found(message), &text).note(sum);
            if is_group && budget.parts.iter().any(|part| part.tracks) {
                diagnostic = diagnostic.note("a record with `[NodeTrackRWInputSharing]` needs 4 more bytes");
            }
            check.out.push(diagnostic);
        }
    }
}

/// Labels the numbers of a sum at their source, and the nodes that multiply one.
fn labelled<'db>(
    model: &Model<'db>,
    n: usize,
    budget: &Budget,
    mut diagnostic: Diagnostic<'db>,
    text: &dyn Fn(&BudgetPart) -> String,
) -> Diagnostic<'db> {
    for part in &budget.parts {
        if let Some(place) = model.nodes[n].outputs[part.output].budget_place {
            diagnostic = diagnostic.also(place, text(part));
        }
        diagnostic = sharing(model.nodes[n], part, diagnostic);
        if part.copies > 1 {
            let shares = |to: &&usize| model.sharers[**to].len() as u64 + 1 == part.copies;
            let shared = model.targets(n, part.output).iter().find(shares);
            for sharer in shared.iter().flat_map(|to| &model.sharers[**to]).take(3) {
                if let Some(share) = &model.nodes[*sharer].share_input_of {
                    diagnostic = diagnostic.also(share.place, "consumes each record too, so it counts again");
                }
            }
        }
    }
    diagnostic
}

/// Shows the output whose records determine a budget's size, if it is not the owner.
pub(crate) fn sharing<'db>(node: &NodeDecl<'db>, part: &BudgetPart, diagnostic: Diagnostic<'db>) -> Diagnostic<'db> {
    match node.outputs.get(part.largest).filter(|_| part.largest != part.output) {
        Some(output) => {
            let text = format!("`{}` shares this budget, with records of {} B", output.name, grouped(part.size));
            diagnostic.also(output.budget_place.unwrap_or(output.place.into()), text)
        }
        None => diagnostic,
    }
}

/// Returns whether [`record_sizes`] reports the part.
fn too_large(model: &Model, n: usize, part: &BudgetPart) -> bool {
    let outputs = model.nodes[n].outputs.iter().enumerate();
    let mut set = outputs.filter(|(o, output)| *o == part.output || output.shared_with == Some(part.output as u32));
    set.any(|(o, output)| {
        output.record.as_ref().is_some_and(|record| record.size() > MAX_RECORD)
            && model.targets(n, o).iter().any(|to| input_size(model, *to) > MAX_RECORD)
    })
}

fn input_size(model: &Model, n: usize) -> u32 {
    let record = model.nodes[n].input.as_ref().and_then(|input| input.record.as_ref());
    record.map_or(0, |record| record.size())
}

/// Checks `Code::RecordTooLarge`.
pub(crate) fn record_sizes(check: &mut Check) {
    let model = check.model;
    for (n, node) in model.nodes.iter().enumerate() {
        let Some(input) = &node.input else { continue };
        let size = input_size(model, n);
        let Some(from) = (size > MAX_RECORD).then(|| model.feeders(n).next()).flatten() else { continue };
        let (size, most) = (grouped(size.into()), grouped(MAX_RECORD.into()));
        let message = format!("node `{}` consumes records of {size} B, but nodes can send at most {most} B", node.name);
        check.out.push(
            Diagnostic::new(Code::RecordTooLarge, input.place, message)
                .label(format!("{size} of {most} B"))
                .also(model.output(from).place, format!("`{}` sends it", model.nodes[from.node].name))
                .note("only the host can send such a record, to an entry"),
        );
    }
}
