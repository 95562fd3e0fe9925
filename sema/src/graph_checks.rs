//! Rules of the whole graph: targets, records at both ends of an edge, recursion, node arrays, shared inputs, entries.
//!
//! One function a rule, in the table [`RULES`]; each reads the [`Model`] and adds diagnostics that name both ends.
//! Cycles, depth and budgets are in [`crate::graph_limits`]. With `--library` only the budgets apply, as
//! warnings.

use crate::builtin::InputKind;
use crate::codes::{Code, Severity};
use crate::db::{Db, Program};
use crate::diagnostic::Diagnostic;
use crate::graph::{Model, parse_id, reaches, show_id};
use crate::graph_limits;
use crate::layout::widest;
use crate::names::closest;
use crate::node::{NodeDecl, OutputDecl};
use crate::node_record::RecordInfo;
use wgc_ir::{Grid, NodeId, OutputArray, Type};

pub(crate) struct Check<'a, 'db> {
    pub db: &'db dyn Db,
    pub program: Program,
    pub model: &'a Model<'db>,
    pub out: Vec<Diagnostic<'db>>,
}

/// A rule, and whether it holds for a library, whose other nodes are unknown.
type Rule = (for<'a, 'db> fn(&mut Check<'a, 'db>), bool);

const RULES: &[Rule] = &[
    (duplicates, true),
    (missing_targets, false),
    (records, false),
    (recursion, false),
    (array_members, false),
    (siblings, false),
    (shared_inputs, false),
    (entries, false),
    (local_roots, false),
    (graph_limits::cycles_and_depth, false),
    (graph_limits::node_count, false),
    (graph_limits::budgets, true),
    (graph_limits::record_sizes, false),
];

pub(crate) fn check<'db>(db: &'db dyn Db, program: Program, model: &Model<'db>) -> Vec<Diagnostic<'db>> {
    let library = program.options(db).library;
    let mut check = Check { db, program, model, out: Vec::new() };
    for (rule, in_library) in RULES {
        if *in_library || !library {
            rule(&mut check);
        }
    }
    check.out
}

/// Of a library the runtime takes one of several, so it is a warning there.
fn duplicates(check: &mut Check) {
    let model = check.model;
    let severity = if check.program.options(check.db).library { Severity::Warning } else { Severity::Error };
    for node in model.nodes.iter().chain(&model.repeated) {
        if let Some(first) = model.find(&node.id).map(|first| model.nodes[first])
            && first.function != node.function
        {
            let message = format!("two nodes are `{}`", show_id(&node.id));
            let diagnostic = Diagnostic::new(Code::DuplicateNode, node.id_place, message).severity(severity);
            check.out.push(diagnostic.also(first.id_place, "the first one"));
        }
    }
}

/// Row 17: without `AllowSparseNodes` the whole declared range exists.
fn missing_targets(check: &mut Check) {
    let model = check.model;
    for (i, node) in model.nodes.iter().enumerate() {
        for (o, output) in node.outputs.iter().enumerate() {
            if output.sparse {
                continue;
            }
            let wanted = match output.array {
                OutputArray::Single => 1,
                OutputArray::Sized(n) => n,
                OutputArray::Unbounded => continue,
            };
            let present = model.targets(i, o);
            if (present.len() as u64) < u64::from(wanted) {
                let diagnostic = missing_target(check, i, output, wanted, &present);
                check.out.push(diagnostic);
            }
        }
    }
}

fn missing_target<'db>(
    check: &Check<'_, 'db>,
    node: usize,
    output: &OutputDecl<'db>,
    wanted: u32,
    present: &[usize],
) -> Diagnostic<'db> {
    let model = check.model;
    let name = &output.target.name;
    if wanted > 1 && !present.is_empty() {
        let have: Vec<u32> = present.iter().map(|n| model.nodes[*n].id.index).collect();
        let first = output.target.index;
        let missing: Vec<u32> =
            (first..=first.saturating_add(wanted - 1)).filter(|i| have.binary_search(i).is_err()).take(4).collect();
        let count = u64::from(wanted) - have.len() as u64;
        let list: Vec<_> = missing.iter().map(|i| format!("`{name}[{i}]`")).collect();
        let verb = if count == 1 { "does" } else { "do" };
        let more = if count > missing.len() as u64 { ", .." } else { "" };
        let message =
            format!("output `{}` reaches {wanted} nodes, but {}{more} {verb} not exist", output.name, list.join(", "));
        return Diagnostic::new(Code::MissingTarget, output.target_place, message)
            .also(model.nodes[present[0]].id_place, format!("`{}` is here", show_id(&model.nodes[present[0]].id)))
            .note("`[AllowSparseNodes]` permits missing nodes");
    }
    let shown = show_id(&output.target);
    let message = format!(
        "output `{}` of node `{}` targets `{shown}`, which does not exist",
        output.name, model.nodes[node].name
    );
    let mut missing = Diagnostic::new(Code::MissingTarget, output.target_place, message);
    if output.target_is_default {
        missing = missing.label("without `NodeID` the target has the name of the parameter");
    }
    if let Some(members) = model.by_name.get(name)
        && let Some((index, other)) = members.iter().next()
    {
        let text = format!("the nodes named `{name}` start at index {index}");
        return missing.also(model.nodes[*other].id_place, text);
    }
    let Some(meant) = meant_target(check, node, output) else {
        return missing.note("`[AllowSparseNodes]` permits a missing node");
    };
    let consumer = model.nodes[meant];
    let text = match &output.record {
        Some(record) if same_record(output, consumer) => {
            format!("this node takes `{}`: is it the one that was meant?", record.ty.display(check.db))
        }
        _ => "is this the node that was meant?".to_string(),
    };
    let quoted = format!("\"{}\"", consumer.id.name);
    let (place, replacement) = if output.target_is_default {
        let span = wgc_frontend::ast::Span { lo: output.place.span.lo, hi: output.place.span.lo };
        let index = if consumer.id.index == 0 { String::new() } else { format!(", {}", consumer.id.index) };
        (crate::def::Place { span, ..output.place }, format!("[NodeID({quoted}{index})] "))
    } else {
        (output.target_place, quoted)
    };
    missing.also(consumer.id_place, text).fix(place, replacement, format!("target `{}`", show_id(&consumer.id)))
}

/// A node with a similar name, or the only one that takes this record and that nothing targets.
fn meant_target(check: &Check, node: usize, output: &OutputDecl) -> Option<usize> {
    let model = check.model;
    let names = model.by_name.keys().map(|n| n.as_str());
    if let Some(name) = closest(&output.target.name, names) {
        return model.by_name.get(name)?.values().next().copied();
    }
    let mut fitting = (0..model.nodes.len())
        .filter(|i| *i != node && model.producers[*i].is_empty() && same_record(output, model.nodes[*i]));
    let first = fitting.next()?;
    fitting.next().is_none().then_some(first)
}

fn same_record(output: &OutputDecl, consumer: &NodeDecl) -> bool {
    let input = consumer.input.as_ref().and_then(|i| i.record.as_ref());
    match (&output.record, input) {
        (Some(a), Some(b)) => is_same_type(a, b),
        _ => false,
    }
}

/// One type; files that know nothing of each other declare it each for itself.
fn is_same_type(a: &RecordInfo, b: &RecordInfo) -> bool {
    a.ty == b.ty || a.ir == b.ir
}

/// What a node takes, as far as its declaration is right.
enum Takes<'a, 'db> {
    Nothing,
    Record(&'a RecordInfo<'db>),
    /// The record type is wrong and was reported.
    Unknown,
}

fn takes<'a, 'db>(node: &'a NodeDecl<'db>) -> Takes<'a, 'db> {
    match &node.input {
        None => Takes::Nothing,
        Some(input) if input.kind == InputKind::Empty => Takes::Nothing,
        Some(input) => input.record.as_ref().map_or(Takes::Unknown, Takes::Record),
    }
}

/// Row 19: the bytes that one end writes are those that the other reads.
fn records(check: &mut Check) {
    let model = check.model;
    for (i, node) in model.nodes.iter().enumerate() {
        for (o, output) in node.outputs.iter().enumerate() {
            // One message an output is enough.
            let wrong = model.targets(i, o).into_iter().find_map(|to| edge_records(check, output, model.nodes[to]));
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
            let message = format!("output `{}` sends no data, but node `{target}` takes `{wanted}`", output.name);
            Some(
                Diagnostic::new(Code::RecordMismatch, output.place, message)
                    .also(input_place, format!("takes `{wanted}`")),
            )
        }
        (false, Some(sent), Takes::Nothing) => {
            let sent = sent.ty.display(db);
            let message = format!("output `{}` sends `{sent}`, but node `{target}` takes no data", output.name);
            let text = if to.input.is_some() { "takes no data" } else { "has no input" };
            Some(Diagnostic::new(Code::RecordMismatch, output.place, message).also(input_place, text))
        }
        (false, Some(sent), Takes::Record(wanted)) => {
            let (code, why) = difference(sent, wanted, to.grid)?;
            let (sent, wanted) = (sent.ty.display(db), wanted.ty.display(db));
            let message = format!("output `{}` sends `{sent}`, but node `{target}` takes `{wanted}`", output.name);
            Some(
                Diagnostic::new(code, output.place, message)
                    .label(format!("sends `{sent}`"))
                    .also(input_place, format!("takes `{wanted}`"))
                    .note(why),
            )
        }
    }
}

/// How two records differ, when it matters: a runtime sees size, alignment, the grid and tracking; anything else only
/// mixes up fields.
fn difference(sent: &RecordInfo, wanted: &RecordInfo, grid: Grid) -> Option<(Code, String)> {
    if is_same_type(sent, wanted) {
        return None;
    }
    let wrong = |why: String| Some((Code::RecordMismatch, why));
    if sent.size() != wanted.size() {
        return wrong(format!("one has {} bytes, the other {}", sent.size(), wanted.size()));
    }
    let (a, b) = (widest(&sent.ir.ty), widest(&wanted.ir.ty));
    if a != b {
        return wrong(format!("one is aligned to {a} bytes, the other to {b}"));
    }
    if sent.ir.track_sharing != wanted.ir.track_sharing {
        return wrong("only one of them has `[NodeTrackRWInputSharing]`".to_string());
    }
    if let (Grid::Max(_), Some(to)) = (grid, &wanted.ir.grid) {
        let same =
            sent.ir.grid.as_ref().is_some_and(|from| {
                (from.offset, from.scalar, from.components) == (to.offset, to.scalar, to.components)
            });
        if !same {
            return wrong("the size of the grid (`SV_DispatchGrid`) is not at the same bytes".to_string());
        }
    }
    if !same_layout(&sent.ir.ty, &wanted.ir.ty) {
        return Some((
            Code::RecordLayout,
            "both have the same size, but not the same fields at the same bytes".to_string(),
        ));
    }
    None
}

/// Equal but for names.
fn same_layout(a: &Type, b: &Type) -> bool {
    match (a, b) {
        (Type::Struct(a), Type::Struct(b)) => {
            a.size == b.size
                && a.fields.len() == b.fields.len()
                && a.fields.iter().zip(&b.fields).all(|(x, y)| x.offset == y.offset && same_layout(&x.ty, &y.ty))
        }
        (Type::Array { element: a, len: n, stride: s }, Type::Array { element: b, len: m, stride: t }) => {
            n == m && s == t && same_layout(a, b)
        }
        _ => a == b,
    }
}

/// Row 15.
fn recursion(check: &mut Check) {
    for node in &check.model.nodes {
        let recursive = node.outputs.iter().find(|o| reaches(o, &node.id));
        match (recursive, node.recursion_place) {
            (Some(output), None) => {
                let message = format!("node `{}` targets itself without `NodeMaxRecursionDepth`", node.name);
                check.out.push(
                    Diagnostic::new(Code::MissingRecursion, output.target_place, message)
                        .also(node.id_place, "the same node")
                        .note("add `[NodeMaxRecursionDepth(n)]`: the levels below the first one"),
                );
            }
            (None, Some(place)) => {
                let message = format!("node `{}` does not target itself, so it does not recurse", node.name);
                check.out.push(Diagnostic::new(Code::UselessRecursion, place, message));
            }
            _ => {}
        }
    }
}

/// Row 20: the nodes of an array are interchangeable for those who target it.
fn array_members(check: &mut Check) {
    for members in check.model.by_name.values() {
        let mut members = members.values().map(|i| check.model.nodes[*i]);
        let Some(first) = members.next() else { continue };
        for node in members {
            if let Some((code, why)) = member_difference(check, first, node) {
                let message =
                    format!("`{}` and `{}` are nodes of one array, but {why}", show_id(&first.id), show_id(&node.id));
                check
                    .out
                    .push(Diagnostic::new(code, node.id_place, message).also(first.id_place, "differs from this one"));
            }
        }
    }
}

fn member_difference(check: &Check, a: &NodeDecl, b: &NodeDecl) -> Option<(Code, String)> {
    use crate::system_values::launch_name;
    if a.launch != b.launch {
        let why = format!("one is a {} node and one a {} node", launch_name(a.launch), launch_name(b.launch));
        return Some((Code::ArrayMembers, why));
    }
    match (takes(a), takes(b)) {
        (Takes::Unknown, _) | (_, Takes::Unknown) | (Takes::Nothing, Takes::Nothing) => {}
        (Takes::Record(x), Takes::Record(y)) => {
            if let Some((Code::RecordMismatch, why)) = difference(x, y, b.grid) {
                let why = format!("one takes `{}` and one `{}`: {why}", x.ty.display(check.db), y.ty.display(check.db));
                return Some((Code::ArrayMembers, why));
            }
        }
        _ => return Some((Code::ArrayMembers, "only one of them takes data".to_string())),
    }
    let writes = |n: &NodeDecl| n.input.as_ref().is_some_and(|i| i.read_write);
    if writes(a) != writes(b) {
        return Some((Code::ArrayMembers, "only one of them writes its input".to_string()));
    }
    match (a.grid, b.grid) {
        (Grid::Fixed(_), Grid::Max(_)) | (Grid::Max(_), Grid::Fixed(_)) => {
            Some((Code::ArrayGrids, "only one of them has a fixed dispatch grid".to_string()))
        }
        _ => None,
    }
}

/// Row 21.
fn siblings(check: &mut Check) {
    for edge in &check.model.edges {
        let (from, to) = (check.model.nodes[edge.from], check.model.nodes[edge.to]);
        if edge.from != edge.to && from.id.name == to.id.name {
            let output = &from.outputs[edge.output];
            let message =
                format!("`{}` targets `{}`, another node of its own array", show_id(&from.id), show_id(&to.id));
            check.out.push(
                Diagnostic::new(Code::ArraySibling, output.target_place, message)
                    .also(to.id_place, "this node")
                    .note("within an array a node may target only itself"),
            );
        }
    }
}

/// Rows 28 and 29.
fn shared_inputs(check: &mut Check) {
    let model = check.model;
    for (i, node) in model.nodes.iter().enumerate() {
        let Some(share) = &node.share_input_of else { continue };
        let (owner, place) = (&share.owner, share.place);
        let Some(target) = model.find(owner) else {
            let message =
                format!("node `{}` shares the input of `{}`, which does not exist", node.name, show_id(owner));
            let mut missing = Diagnostic::new(Code::ShareTarget, place, message);
            if let Some(meant) = closest(&owner.name, model.by_name.keys().map(|n| n.as_str()))
                && let Some(other) = model.find(&NodeId { name: meant.into(), index: owner.index })
            {
                missing = missing.also(model.nodes[other].id_place, "is this the node that was meant?");
            }
            check.out.push(missing);
            continue;
        };
        let owner = model.nodes[target];
        if target == i {
            let message = format!("node `{}` shares its input with itself", node.name);
            check.out.push(Diagnostic::new(Code::ShareTarget, place, message));
            continue;
        }
        if let Some(next) = &owner.share_input_of {
            let message =
                format!("node `{}` shares the input of `{}`, which shares another's in turn", node.name, owner.name);
            check.out.push(
                Diagnostic::new(Code::ShareTarget, place, message)
                    .also(next.place, "this node shares too")
                    .note("all nodes that share an input name the one node that owns it"),
            );
            continue;
        }
        sharer_rules(check, i, target);
    }
    for (i, sharers) in model.sharers.iter().enumerate() {
        let node = model.nodes[i];
        if sharers.len() + 1 > 256 {
            let message = format!("{} nodes share the input of `{}`, of at most 256", sharers.len() + 1, node.name);
            check.out.push(Diagnostic::new(Code::ShareRules, node.id_place, message));
        }
    }
}

fn sharer_rules(check: &mut Check, sharer: usize, owner: usize) {
    let model = check.model;
    let (node, shared) = (model.nodes[sharer], model.nodes[owner]);
    let Some(place) = node.share_input_of.as_ref().map(|s| s.place) else { return };
    let mut rule = |message: String, other, text: &str| {
        check.out.push(Diagnostic::new(Code::ShareRules, place, message).also(other, text));
    };
    if let Some(entry) = node.is_entry {
        rule(format!("node `{}` shares an input, so it cannot be an entry", node.name), entry, "marked as an entry");
    }
    for producer in &model.producers[sharer] {
        for output in model.nodes[*producer].outputs.iter().filter(|o| reaches(o, &node.id)) {
            let message = format!("node `{}` shares an input, so nothing may target it", node.name);
            rule(message, output.target_place, "targeted here");
        }
    }
    for recursive in [node, shared] {
        if let Some(depth) = recursive.recursion_place {
            let message = format!("node `{}` recurses, so it takes no part in sharing", recursive.name);
            rule(message, depth, "recursion is declared here");
        }
    }
    for writer in [node, shared] {
        if let Some(input) = writer.input.as_ref().filter(|i| i.read_write) {
            rule(
                format!("node `{}` writes its input, which cannot be shared", writer.name),
                input.place,
                "written through this",
            );
        }
    }
    if let Some(entry) = shared.is_entry
        && !model.producers[owner].is_empty()
    {
        let message = format!("the shared input of `{}` is fed by nodes and by the host", shared.name);
        rule(message, entry, "the host feeds it because of this");
    }
    let differs = match (takes(shared), takes(node)) {
        (Takes::Record(a), Takes::Record(b)) => {
            difference(a, b, node.grid).filter(|(c, _)| *c == Code::RecordMismatch).map(|d| d.1)
        }
        (Takes::Record(_), Takes::Nothing) | (Takes::Nothing, Takes::Record(_)) => {
            Some("only one of them takes data".to_string())
        }
        _ => None,
    };
    if let Some(why) = differs {
        let other = shared.input.as_ref().map_or(shared.id_place, |i| i.place);
        rule(
            format!("`{}` and `{}` share an input, but {why}", node.name, shared.name),
            other,
            "the input that is shared",
        );
    }
}

/// Rows 27 and the empty set.
fn entries(check: &mut Check) {
    let model = check.model;
    let Some(first) = model.nodes.first() else { return };
    let Some(list) = &check.program.options(check.db).entries else {
        return; // without a list, a graph without cycles has an untargeted node, and cycles are reported
    };
    for name in list {
        if model.find(&parse_id(name)).is_none() {
            let mut unknown = Diagnostic::new(
                Code::HostEntries,
                first.id_place,
                format!("the host's entry list names `{name}`, which is no node"),
            );
            if let Some(meant) = closest(name, model.by_name.keys().map(|n| n.as_str())) {
                unknown = unknown.note(format!("did you mean `{meant}`?"));
            }
            check.out.push(unknown);
        }
    }
    for (i, node) in model.nodes.iter().enumerate() {
        if !model.entries[i] && model.producers[i].is_empty() && node.share_input_of.is_none() {
            let message = format!(
                "nothing starts node `{}`: no node targets it, and the host's entry list leaves it out",
                node.name
            );
            check.out.push(Diagnostic::new(Code::HostEntries, node.id_place, message));
        }
    }
    if !model.entries.contains(&true) {
        let message = "nothing starts this graph: the host's entry list names none of its nodes";
        check.out.push(Diagnostic::new(Code::NoEntry, first.id_place, message));
    }
}

/// Row 36. A local root signature may reach nodes by association, so any in the program counts.
fn local_roots(check: &mut Check) {
    if crate::link::has_local_root_signature(check.db, check.program) {
        return;
    }
    for node in &check.model.nodes {
        if let Some((index, place)) = node.local_root_index {
            let message = format!(
                "node `{}` asks for the local root arguments {index}, and no local root signature exists",
                node.name
            );
            check.out.push(Diagnostic::new(Code::LocalRootIndex, place, message).severity(Severity::Warning));
        }
    }
}
