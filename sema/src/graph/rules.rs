//! Rules of the whole graph: targets, records at both ends of an edge, recursion, node arrays, entries.
//!
//! The table [`RULES`] has one function for each rule; each reads the [`Model`] and adds diagnostics that name both
//! ends. Missing targets are in [`crate::graph::missing_targets`], shared inputs in [`crate::graph::sharing`], cycles and depth in [`crate::graph::limits`], output limits in
//! [`crate::graph::budget`]. With `--library` only the budgets apply, as warnings. Each rule takes linear time in nodes
//! and outputs, unless it finds mistakes. [`crate::graph::lints`] has more functions of the same form.

use crate::contracts::node::reaches;
use crate::contracts::node::{NodeDecl, OutputDecl, node as declared};
use crate::contracts::record_difference::{Side, difference, is_same_type};
use crate::db::diagnostic::Diagnostic;
use crate::db::ty::Ty;
use crate::db::{Db, Program};
use crate::graph::budget;
use crate::graph::budget::Budget;
use crate::graph::host::overrides;
use crate::graph::limits;
use crate::graph::lints::LINTS;
use crate::graph::local_roots;
use crate::graph::missing_targets::missing_targets;
use crate::graph::model::{Array, Model};
use crate::graph::shader_model;
use crate::graph::sharing;
use crate::graph::show_id;
use crate::tables::builtin::InputKind;
use crate::tables::codes::{Code, Severity};
use crate::tables::figures::grouped;
use crate::tables::similar_names::NearNames;
use crate::types::node_record::RecordInfo;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::OnceCell;
use wgc_ir::{Grid, NodeId, OutputArray, Record};

pub(crate) struct Check<'a, 'db> {
    pub db: &'db dyn Db,
    pub program: Program,
    pub model: &'a Model<'db>,
    /// The budget of each node.
    pub budgets: &'a [Budget],
    /// Names of nodes, built on the first search.
    pub near: OnceCell<NearNames<'a>>,
    /// Untargeted nodes by input record; the first three for each record.
    fitting: OnceCell<FxHashMap<&'a Record, Vec<usize>>>,
    /// Arrays of nodes, by index, that get records from an output that some member does not accept.
    mismatched: FxHashSet<usize>,
    pub out: Vec<Diagnostic<'db>>,
}

impl<'a> Check<'a, '_> {
    /// Finds a node name that is similar to this one; `without` is excluded.
    pub fn near_name(&self, name: &str, without: &str) -> Option<&'a str> {
        self.near.get_or_init(|| NearNames::new(self.model.names())).closest(name, without)
    }

    pub(super) fn fitting(&self, record: &Record) -> &[usize] {
        let index = self.fitting.get_or_init(|| {
            let mut index: FxHashMap<&Record, Vec<usize>> = FxHashMap::default();
            for (n, node) in self.model.nodes.iter().enumerate().filter(|(n, _)| !self.model.is_fed(*n)) {
                if let Some(record) = node.input.as_ref().and_then(|input| input.record.as_ref()) {
                    let nodes = index.entry(&record.ir).or_default();
                    if nodes.len() < 3 {
                        nodes.push(n);
                    }
                }
            }
            index
        });
        index.get(record).map_or(&[], Vec::as_slice)
    }
}

/// A rule and the knowledge that it needs.
pub(crate) type Rule = (for<'a, 'db> fn(&mut Check<'a, 'db>), Needs);

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Needs {
    /// One node alone: the rule holds for a library, too.
    Node,
    /// The present nodes, regardless of later ones: a library is not checked, but no module that contains it may break
    /// the rule.
    Nodes,
    /// All nodes.
    Graph,
}

const RULES: &[Rule] = &[
    (shader_model::of_nodes, Needs::Node),
    (array_ends, Needs::Node),
    (duplicates, Needs::Node),
    (missing_targets, Needs::Graph),
    (records, Needs::Nodes),
    (recursion, Needs::Nodes),
    (array_members, Needs::Nodes),
    (siblings, Needs::Nodes),
    (records_per_entry, Needs::Graph),
    (sharing::shared_inputs, Needs::Nodes),
    (sharing::missing_owners, Needs::Graph),
    (entries, Needs::Graph),
    (local_roots::check, Needs::Graph),
    (limits::cycles_and_depth, Needs::Nodes),
    (limits::node_count, Needs::Graph),
    (budget::budgets, Needs::Node),
    (budget::record_sizes, Needs::Nodes),
];

pub(crate) fn check<'db>(
    db: &'db dyn Db,
    program: Program,
    model: &Model<'db>,
    budgets: &[Budget],
    known: Needs,
) -> Vec<(Needs, Diagnostic<'db>)> {
    let (near, fitting) = (OnceCell::new(), OnceCell::new());
    let mismatched = FxHashSet::default();
    let mut check = Check { db, program, model, budgets, near, fitting, mismatched, out: Vec::new() };
    let mut found = Vec::new();
    for (rule, needs) in RULES.iter().chain(LINTS).filter(|(_, needs)| *needs <= known) {
        rule(&mut check);
        found.extend(check.out.drain(..).map(|diagnostic| (*needs, diagnostic)));
    }
    found
}

/// Checks that an array of outputs ends within the range of node indexes.
fn array_ends(check: &mut Check) {
    for output in check.model.nodes.iter().flat_map(|node| &node.outputs) {
        let OutputArray::Sized(len) = output.array else { continue };
        let first = output.target.index;
        let last = u64::from(first) + u64::from(len.max(1)) - 1;
        if output.target_is_unknown || last <= u64::from(u32::MAX) {
            continue;
        }
        let message = format!(
            "output `{}` ends at index {} of node array `{}`; the last possible index is {}",
            output.name,
            grouped(last),
            output.target.name,
            grouped(u32::MAX.into())
        );
        let mut wrong = Diagnostic::new(Code::NodeArrayEnd, output.target_place, message);
        if let Some(size) = output.size_place {
            wrong =
                wrong.also(size, format!("{} nodes, starting at index {}", grouped(len.into()), grouped(first.into())));
        }
        check.out.push(wrong.note("use `[UnboundedSparseNodes]` to target every node from the first index"));
    }
}

/// Checks for duplicate nodes; a warning in a library, as the runtime chooses one of several.
fn duplicates(check: &mut Check) {
    let model = check.model;
    let is_library = check.program.options(check.db).library;
    let severity = if is_library { Severity::Warning } else { Severity::Error };
    let repeats = repeats(model);
    for node in model.nodes.iter().chain(&model.repeated) {
        if let Some(first) = model.find(&node.id).map(|first| &model.nodes[first])
            && first.function != node.function
        {
            let message = format!("duplicate node ID `{}`", show_id(&node.id));
            let diagnostic = Diagnostic::new(Code::DuplicateNode, node.id_place, message).severity(severity);
            let mut twice = diagnostic.also(first.id_place, "the first one");
            // One of the two may be the node that is missing elsewhere.
            let repeats = repeats.get(&*node.id.name).copied().unwrap_or(0);
            let absent = model.outputs().filter(|_| !is_library).find_map(|(n, o)| {
                let output = &model.nodes[n].outputs[o];
                let absent = (output.target.name == node.id.name).then(|| misnamed(model, repeats, n, o))??;
                Some((output, show_id(&absent)))
            });
            if let Some((output, absent)) = absent {
                let text = format!("output `{}` targets `{absent}`, which does not exist", output.name);
                twice =
                    twice.also(output.target_place, text).note(format!("did you mean `{absent}` for one of the two?"));
            }
            check.out.push(twice);
        }
    }
}

/// Counts by name the nodes whose identity another node has. One of them may be the node that is missing elsewhere.
pub(super) fn repeats<'a>(model: &'a Model<'_>) -> FxHashMap<&'a str, usize> {
    let mut repeats: FxHashMap<&str, usize> = FxHashMap::default();
    for node in &model.nodes {
        if model.find(&node.id).is_some_and(|first| model.nodes[first].function != node.function) {
            *repeats.entry(&*node.id.name).or_default() += 1;
        }
    }
    repeats
}

/// Returns the first node that an output lacks, if there are enough duplicates of its name to account for all missing
/// nodes.
pub(super) fn misnamed(model: &Model, repeats: usize, node: usize, output: usize) -> Option<NodeId> {
    let (present, output) = (model.targets(node, output), &model.nodes[node].outputs[output]);
    let missing = (wanted(output)? as usize).checked_sub(present.len()).filter(|n| (1..=repeats).contains(n))?;
    let indexes = present.iter().map(|n| model.nodes[*n].id.index);
    let run = indexes.zip(output.target.index..).take_while(|(is, expected)| is == expected).count();
    let index = output.target.index.saturating_add(run as u32);
    // Consecutive numbers from 0 for all nodes of the name would include it.
    let nodes = model.members(model.array(&output.target.name)?).len() + repeats;
    (index as usize + missing <= nodes).then(|| NodeId { index, ..output.target.clone() })
}

/// Returns the number of nodes that must exist for an output.
pub(super) fn wanted(output: &OutputDecl) -> Option<u32> {
    match output.array {
        _ if output.sparse || output.target_is_unknown => None,
        OutputArray::Single => Some(1),
        OutputArray::Sized(n) => Some(n),
        OutputArray::Unbounded => None,
    }
}

/// Describes the indexes of the nodes of a name.
pub(crate) fn indexes(model: &Model, name: &str) -> String {
    let members = model.array(name).map_or(&[][..], |array| model.members(array));
    let index = |n: Option<&usize>| n.map_or(0, |n| model.nodes[*n].id.index);
    match (index(members.first()), index(members.last())) {
        (first, last) if first == last => format!("the only node named `{name}` has the index {first}"),
        (first, last) => format!("the nodes named `{name}` have indexes from {first} to {last}"),
    }
}

/// The input of a node, as far as its declaration is valid.
pub(crate) enum Takes<'a, 'db> {
    Nothing,
    Record(&'a RecordInfo<'db>),
    /// The record type is wrong and was reported.
    Unknown,
}

pub(crate) fn takes<'a, 'db>(node: &'a NodeDecl<'db>) -> Takes<'a, 'db> {
    match &node.input {
        None => Takes::Nothing,
        Some(input) if input.kind == InputKind::Empty => Takes::Nothing,
        Some(input) => input.record.as_ref().map_or(Takes::Unknown, Takes::Record),
    }
}

/// Nodes of an array with equal inputs: a fact about an edge to one of them holds for all.
struct EqualInputs {
    is_dynamic: bool,
    /// Positions among the members of the array, ascending.
    members: Vec<usize>,
}

fn kinds(model: &Model, array: &Array) -> Vec<EqualInputs> {
    let mut kinds: Vec<EqualInputs> = Vec::new();
    let mut known: FxHashMap<(Option<Ty>, bool), usize> = FxHashMap::default();
    let members = model.members(array);
    for (at, n) in members.iter().enumerate() {
        let node = &model.nodes[*n];
        let record = node.input.as_ref().and_then(|input| input.record.as_ref());
        let (ty, is_dynamic) = (record.map(|r| r.ty), matches!(node.grid, Grid::Max(_)));
        let kind = *known.entry((ty, is_dynamic)).or_insert_with(|| {
            // Separately compiled files each have their own type for the same record.
            let same = |kind: &EqualInputs| {
                let first = &model.nodes[members[kind.members[0]]];
                let other = first.input.as_ref().and_then(|input| input.record.as_ref());
                kind.is_dynamic == is_dynamic && record.zip(other).is_some_and(|(a, b)| is_same_type(a, b))
            };
            kinds.iter().position(same).unwrap_or_else(|| {
                kinds.push(EqualInputs { is_dynamic, members: Vec::new() });
                kinds.len() - 1
            })
        });
        kinds[kind].members.push(at);
    }
    kinds
}

/// Checks `Code::RecordMismatch`: both ends of an edge use the same bytes.
fn records(check: &mut Check) {
    let model = check.model;
    let kinds: Vec<Vec<EqualInputs>> = model.arrays.iter().map(|array| kinds(model, array)).collect();
    for (i, node) in model.nodes.iter().enumerate() {
        for (o, output) in node.outputs.iter().enumerate() {
            let targets = model.targets(i, o);
            let Some(first) = targets.first() else { continue };
            let array = model.array_of[*first];
            let members = model.members(&model.arrays[array]);
            let lo = members.partition_point(|n| model.nodes[*n].id.index < model.nodes[*first].id.index);
            let ends = lo..lo + targets.len();
            let mut one_of_each: Vec<usize> = kinds[array]
                .iter()
                .filter_map(|kind| {
                    let at = kind.members.partition_point(|at| *at < ends.start);
                    kind.members.get(at).copied().filter(|at| ends.contains(at))
                })
                .collect();
            one_of_each.sort_unstable();
            // One diagnostic for each output is enough.
            let mut wrong = one_of_each.into_iter().map(|at| edge_records(check, output, model.nodes[members[at]]));
            let wrong = wrong.find_map(|found| found);
            if wrong.is_some() {
                check.mismatched.insert(array);
            }
            check.out.extend(wrong);
        }
    }
}

fn edge_records<'db>(check: &Check<'_, 'db>, output: &OutputDecl<'db>, to: &NodeDecl<'db>) -> Option<Diagnostic<'db>> {
    let db = check.db;
    let input_place = to.input.as_ref().map_or(to.name_place, |i| i.place);
    let target = show_id(&to.id);
    match (output.empty, &output.record, takes(to)) {
        (_, _, Takes::Unknown) | (true, _, Takes::Nothing) | (false, None, _) => None,
        (true, _, Takes::Record(wanted)) => {
            let wanted = wanted.ty.display(db);
            let message = format!("output `{}` sends no data, but node `{target}` consumes `{wanted}`", output.name);
            Some(
                Diagnostic::new(Code::RecordMismatch, output.place, message)
                    .label("sends no data")
                    .also(input_place, format!("consumes `{wanted}`")),
            )
        }
        (false, Some(sent), Takes::Nothing) => {
            let sent = sent.ty.display(db);
            let message = format!("output `{}` sends `{sent}`, but node `{target}` consumes no data", output.name);
            let text = if to.input.is_some() { "consumes no data" } else { "has no input" };
            let sends = format!("sends `{sent}`");
            Some(Diagnostic::new(Code::RecordMismatch, output.place, message).label(sends).also(input_place, text))
        }
        (false, Some(sent), Takes::Record(wanted)) => {
            // A structure that is also the input of another kind of node cannot track sharing.
            let is_elsewhere = |n: &&NodeDecl| {
                let record = n.input.as_ref().and_then(|input| input.record.as_ref());
                !may_track(n) && record.is_some_and(|r| r.ty == sent.ty || r.ty == wanted.ty)
            };
            let differs = sent.ir.track_sharing != wanted.ir.track_sharing;
            let may_track = differs && may_track(to) && !check.model.nodes.iter().any(is_elsewhere);
            let sides =
                [(sent, "as sent"), (wanted, "as consumed")].map(|(record, role)| Side { record, role, may_track });
            let difference = difference(db, sides[0], sides[1], to.grid)?;
            let (sent, wanted) = (sent.ty.display(db), wanted.ty.display(db));
            let (message, note) = match difference.code {
                Code::GridSemantic => (
                    format!("`{sent}` of output `{}` does not mark the grid that node `{target}` reads", output.name),
                    format!("mark the field with `SV_DispatchGrid` in `{sent}` too, or send `{wanted}`"),
                ),
                _ => (
                    format!("output `{}` sends `{sent}`, but node `{target}` consumes `{wanted}`", output.name),
                    difference.why.clone(),
                ),
            };
            let wrong = Diagnostic::new(difference.code, output.place, message)
                .label(format!("sends `{sent}`"))
                .also(input_place, format!("consumes `{wanted}`"));
            Some(difference.show(wrong).note(note))
        }
    }
}

fn has_wrong_depth(node: &NodeDecl) -> bool {
    node.diagnostics.iter().any(|d| d.code == Code::RecursionDepth)
}

/// Checks `Code::MissingRecursion`, `Code::RecursionDepth` and `Code::UselessRecursion`.
fn recursion(check: &mut Check) {
    for node in &check.model.nodes {
        let recursive = node.outputs.iter().find(|o| reaches(o, &node.id));
        match (recursive, node.recursion_place) {
            (Some(output), None) => {
                let message = format!("node `{}` targets itself without `NodeMaxRecursionDepth`", node.name);
                check.out.push(
                    Diagnostic::new(Code::MissingRecursion, output.target_place, message)
                        .also(node.id_place, "the same node")
                        .note("add `[NodeMaxRecursionDepth(n)]` with the number of levels below the first"),
                );
            }
            // Only the host's targets make the node recursive.
            (Some(output), Some(place)) if node.max_recursion == 0 && !has_wrong_depth(node) => {
                let message = "a recursion depth must be 1 to 32, not 0";
                check.out.push(
                    Diagnostic::new(Code::RecursionDepth, place, message)
                        .also(output.target_place, "the node targets itself here"),
                );
            }
            // A wrong depth is reported once.
            (None, Some(_)) if has_wrong_depth(node) => {}
            (None, Some(place)) if !node.lacks_outputs && !node.outputs.iter().any(|o| o.target_is_unknown) => {
                let message = format!("node `{}` does not target itself, so it does not recurse", node.name);
                let useless = Diagnostic::new(Code::UselessRecursion, place, message);
                check.out.push(useless.remove_attribute(place, "NodeMaxRecursionDepth"));
            }
            _ => {}
        }
    }
}

/// Returns whether the node's kind of input can track sharing.
pub(crate) fn may_track(node: &NodeDecl) -> bool {
    node.input.as_ref().is_some_and(|input| input.kind == InputKind::Dispatch && input.read_write)
}

/// Checks that the nodes of an array are interchangeable for their producers (`Code::ArrayMembers`).
fn array_members(check: &mut Check) {
    for (n, array) in check.model.arrays.iter().enumerate() {
        let mut members = check.model.members(array).iter().map(|i| &check.model.nodes[*i]);
        let Some(first) = members.next() else { continue };
        // Differing records are reported once, at an edge to a node that does not accept them.
        let is_reported = check.mismatched.contains(&n);
        let differ = |(code, wrong)| if code == Code::RecordMismatch && is_reported { None } else { Some(wrong) };
        let found = members.filter_map(|node| member_difference(check.db, first, node).and_then(differ));
        check.out.extend(found);
    }
}

/// Returns the difference of two nodes as a diagnostic, and the code for the same difference between output and node.
fn member_difference<'db>(db: &'db dyn Db, a: &NodeDecl<'db>, b: &NodeDecl<'db>) -> Option<(Code, Diagnostic<'db>)> {
    use crate::types::system_values::launch_name;
    let (x, y) = (show_id(&a.id), show_id(&b.id));
    let wrong = |code, why: &str| {
        let message = format!("`{x}` and `{y}` are nodes of one array, but {why}");
        (code, Diagnostic::new(code, b.id_place, message).also(a.id_place, "differs from this one"))
    };
    if a.launch != b.launch {
        let why = format!("one is a {} node and one a {} node", launch_name(a.launch), launch_name(b.launch));
        return Some(wrong(Code::ArrayMembers, &why));
    }
    match (takes(a), takes(b)) {
        (Takes::Unknown, _) | (_, Takes::Unknown) | (Takes::Nothing, Takes::Nothing) => {}
        (Takes::Record(r), Takes::Record(s)) => {
            let may_track = may_track(a) && may_track(b);
            let (of_a, of_b) = (format!("of `{x}`"), format!("of `{y}`"));
            let sides = [(r, &of_a), (s, &of_b)].map(|(record, role)| Side { record, role, may_track });
            let found = difference(db, sides[0], sides[1], b.grid);
            if let Some(found) = found.filter(|found| found.code == Code::RecordMismatch) {
                let (_, diagnostic) = wrong(Code::ArrayMembers, &found.why);
                return Some((found.code, found.show(diagnostic)));
            }
        }
        _ => {
            let (_, diagnostic) = wrong(Code::ArrayMembers, "only one of them consumes data");
            return Some((Code::RecordMismatch, diagnostic));
        }
    }
    let writes = |n: &NodeDecl| n.input.as_ref().is_some_and(|i| i.read_write);
    if writes(a) != writes(b) {
        return Some(wrong(Code::ArrayMembers, "only one of them writes its input"));
    }
    match (a.grid, b.grid) {
        (Grid::Fixed(_), Grid::Max(_)) | (Grid::Max(_), Grid::Fixed(_)) => {
            Some(wrong(Code::ArrayGrids, "only one of them has a fixed dispatch grid"))
        }
        _ => None,
    }
}

/// Checks that the mesh nodes of an array agree on a record count declared for all of them (`Code::RecordsPerEntry`).
fn records_per_entry(check: &mut Check) {
    for array in &check.model.arrays {
        let members = check.model.members(array).iter().map(|i| &check.model.nodes[*i]);
        let declared: Vec<_> = members.filter_map(|node| Some((node, node.records_per_entry?))).collect();
        let Some((first, (count, _, place))) = declared.iter().find(|(_, (_, shared, _))| *shared) else { continue };
        for (node, (other, shared, at)) in &declared {
            if (other, shared) == (count, &true) {
                continue;
            }
            let (one, two) = (show_id(&first.id), show_id(&node.id));
            let (message, says) = if *shared {
                let message =
                    format!("`{one}` and `{two}` are nodes of one array, but declare different numbers for it");
                (message, format!("{other} for the array"))
            } else {
                let message = format!("`{one}` sets a number for the whole array, and `{two}` one for itself only");
                (message, format!("{other} for this node only"))
            };
            let wrong = Diagnostic::new(Code::RecordsPerEntry, *at, message).label(says);
            check.out.push(wrong.also(*place, format!("{count} for the array")));
        }
    }
}

/// Checks `Code::ArraySibling`.
fn siblings(check: &mut Check) {
    let (model, is_library) = (check.model, check.program.options(check.db).library);
    for (i, node) in model.nodes.iter().enumerate() {
        for (o, output) in node.outputs.iter().enumerate().filter(|(_, output)| output.target.name == node.id.name) {
            let note = "within an array a node may target only itself";
            // A second node of the same name and index is reported as a duplicate only.
            let is_other = |to: &&usize| **to != i && model.nodes[**to].id != node.id;
            let Some(sibling) = model.targets(i, o).iter().find(is_other) else {
                // In a library the other node may be elsewhere, but none is valid.
                if output.array == OutputArray::Single && output.target.index != node.id.index && is_library {
                    let message = format!(
                        "`{}` targets `{}`, an element of its own array",
                        show_id(&node.id),
                        show_id(&output.target)
                    );
                    check.out.push(Diagnostic::new(Code::ArraySibling, output.target_place, message).note(note));
                }
                continue;
            };
            let sibling = &model.nodes[*sibling];
            let message =
                format!("`{}` targets `{}`, another node of its own array", show_id(&node.id), show_id(&sibling.id));
            check.out.push(
                Diagnostic::new(Code::ArraySibling, output.target_place, message)
                    .also(sibling.id_place, "this node")
                    .note(note),
            );
        }
    }
}

/// Checks `Code::HostEntries` and `Code::NoEntry`.
fn entries(check: &mut Check) {
    let model = check.model;
    let Some(first) = model.nodes.first() else { return };
    let mut unknown: FxHashSet<&NodeId> = FxHashSet::default();
    for (id, place) in model.list.iter().flatten() {
        if model.find(id).is_none() {
            let place = place.unwrap_or(first.id_place);
            check.out.push(overrides::unknown_entry(check, id, place));
            unknown.insert(id);
        }
    }
    let db = check.db;
    // Nodes with a misspelt or replaced name in the list were already reported.
    let slips: FxHashSet<&str> = unknown.iter().filter_map(|id| check.near_name(&id.name, "")).collect();
    let is_listed = |i: &usize| {
        let is_replaced = || declared(db, model.nodes[*i].function).is_some_and(|was| unknown.contains(&was.id));
        slips.contains(&*model.nodes[*i].id.name) || !unknown.is_empty() && is_replaced()
    };
    let left_out = |i: &usize| {
        !model.entries[*i] && !model.is_fed(*i) && model.nodes[*i].share_input_of.is_none() && !is_listed(i)
    };
    let left_out = (0..model.nodes.len()).filter(left_out);
    // Without a list, a graph without cycles has an untargeted node, and cycles are reported.
    if model.list.is_some() && !model.entries.contains(&true) {
        // One diagnostic for the list, which may have the right number of wrong names.
        if unknown.is_empty() {
            let message = "nothing starts this graph: the host's entry list has none of its nodes";
            let mut none = Diagnostic::new(Code::NoEntry, first.id_place, message);
            let mut names = left_out.map(|i| format!("`{}`", show_id(&model.nodes[i].id)));
            let shown: Vec<String> = names.by_ref().take(5).collect();
            if !shown.is_empty() {
                let more = if names.next().is_some() { " and others" } else { "" };
                none = none.note(format!("untargeted nodes to add to the host's entries: {}{more}", shown.join(", ")));
            }
            check.out.push(none);
        }
        return;
    }
    for i in left_out {
        let node = &model.nodes[i];
        let nothing = format!("nothing starts node `{}`: no node targets it", node.name);
        check.out.push(match model.denied.get(&node.function) {
            Some(place) => {
                let message = format!("{nothing}, and the host excludes it from the entries");
                Diagnostic::new(Code::HostEntries, *place, message).also(node.id_place, "this node")
            }
            None => {
                let message = format!("{nothing}, and the host's entry list lacks it");
                let mut left_out = Diagnostic::new(Code::HostEntries, node.id_place, message);
                if let Some((place, text)) = overrides::redirected(check.db, check.program, &node.id) {
                    left_out = left_out.also(place, text);
                }
                left_out.note(format!("add `{}` to the host's `entries`, or set `include_all`", show_id(&node.id)))
            }
        });
    }
}
