//! Checks that the targets of outputs exist, and finds the nodes that were meant.

use crate::contracts::node::reaches;
use crate::contracts::node::{NodeDecl, OutputDecl};
use crate::contracts::record_difference::is_same_type;
use crate::db::def::{At, SourcePlace};
use crate::db::diagnostic::Diagnostic;
use crate::graph::host::overrides;
use crate::graph::rules::{Check, indexes, misnamed, repeats, wanted};
use crate::graph::show_id;
use crate::tables::codes::Code;
use crate::tables::figures::grouped;
use wgc_frontend::ast::Body;
use wgc_ir::NodeId;

/// Checks `Code::MissingTarget`: without `AllowSparseNodes` the whole declared range exists.
pub(super) fn missing_targets(check: &mut Check) {
    let model = check.model;
    let repeats = repeats(model);
    for (i, node) in model.nodes.iter().enumerate() {
        for (o, output) in node.outputs.iter().enumerate() {
            let Some(wanted) = wanted(output) else { continue };
            let present = model.targets(i, o);
            let repeats = repeats.get(&*output.target.name).copied().unwrap_or(0);
            // A node that may be a misnamed duplicate was reported there.
            if (present.len() as u64) < u64::from(wanted) && misnamed(model, repeats, i, o).is_none() {
                let diagnostic = missing_target(check, i, output, wanted, present);
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
        let message = format!(
            "output `{}` targets {} nodes, but {}{more} {verb} not exist",
            output.name,
            grouped(wanted.into()),
            list.join(", ")
        );
        let missing = sized(Diagnostic::new(Code::MissingTarget, output.target_place, message), output, wanted)
            .also(model.nodes[present[0]].id_place, format!("`{}` exists", show_id(&model.nodes[present[0]].id)));
        return match overrides::renamed(check, |id| reaches(output, id)) {
            Some((place, text)) => missing.also(place, text),
            None => missing.note("add `[AllowSparseNodes]` to allow missing nodes"),
        };
    }
    let shown = show_id(&output.target);
    let last = NodeId { index: output.target.index.saturating_add(wanted - wanted.min(1)), ..output.target.clone() };
    let shown = match wanted {
        0 | 1 => format!("`{shown}`, which does not exist"),
        _ => format!("`{shown}` to `{}`, but none of these exists", show_id(&last)),
    };
    let message = format!("output `{}` of node `{}` targets {shown}", output.name, model.nodes[node].name);
    let mut missing = sized(Diagnostic::new(Code::MissingTarget, output.target_place, message), output, wanted);
    if output.target_is_default {
        missing = missing.label("without `NodeID` the target is the name of the parameter");
    }
    if let Some(other) = model.array(name).and_then(|array| model.members(array).first()) {
        let other = &model.nodes[*other];
        missing = missing.also(other.id_place, indexes(model, name));
        return match overrides::renamed(check, |id| reaches(output, id)) {
            Some((place, text)) => missing.also(place, text),
            None => missing,
        };
    }
    let consumer = if let Some(named) = model.nodes.iter().find(|node| node.name == **name) {
        missing = missing.also(named.name_place, format!("`{name}` is the node `{}`", show_id(&named.id)));
        if let At::Host(place) = named.id_place {
            missing = missing.also(place, format!("the host renames it to `{}`", show_id(&named.id)));
        }
        named
    } else if let Some(place) = function_named(check, name) {
        return missing.also(place, "this function is not a node: it lacks `[Shader(\"node\")]`");
    } else {
        let Some(meant) = meant_target(check, node, output) else {
            return missing.note("add `[AllowSparseNodes]` to allow a missing node");
        };
        let consumer = &model.nodes[meant];
        let text = match &output.record {
            Some(record) if same_record(output, consumer) => {
                format!("did you mean this node? It consumes `{}`", record.ty.display(check.db))
            }
            _ => "did you mean this node?".to_string(),
        };
        missing = missing.also(consumer.id_place, text);
        consumer
    };
    let quoted = format!("\"{}\"", consumer.id.name);
    let what = format!("target `{}`", show_id(&consumer.id));
    if output.target_is_default {
        let span = wgc_frontend::ast::Span { lo: output.place.span.lo, hi: output.place.span.lo };
        let index = if consumer.id.index == 0 { String::new() } else { format!(", {}", consumer.id.index) };
        let place = crate::db::def::SourcePlace { span, ..output.place };
        return missing.fix(place, format!("[NodeID({quoted}{index})] "), what);
    }
    match output.target_place.text().filter(|_| consumer.id.index == output.target.index) {
        Some(place) => missing.fix(place, quoted, what),
        None => missing,
    }
}

/// Finds a function with the name of a missing node, if it is not a node.
fn function_named<'db>(check: &Check<'_, 'db>, name: &str) -> Option<SourcePlace<'db>> {
    let db = check.db;
    let mut all =
        crate::db::units(db, check.program).into_iter().flat_map(|unit| crate::db::items::functions(db, unit));
    all.find_map(|f| {
        let node = crate::db::items::fn_node(db, f)
            .filter(|n| n.function.name.text == name && n.function.body != Body::None)?;
        Some(SourcePlace::token(f.item, node.function.name.at))
    })
}

/// Shows the origin of the number of nodes in an array.
fn sized<'db>(missing: Diagnostic<'db>, output: &OutputDecl<'db>, wanted: u32) -> Diagnostic<'db> {
    match output.size_place.filter(|_| wanted > 1) {
        Some(place) => {
            missing.also(place, format!("{} nodes, starting at index {}", grouped(wanted.into()), output.target.index))
        }
        None => missing,
    }
}

/// Finds a node with a similar name, or the only untargeted node that accepts this record.
fn meant_target(check: &Check, node: usize, output: &OutputDecl) -> Option<usize> {
    let model = check.model;
    if let Some(name) = check.near_name(&output.target.name, &model.nodes[node].id.name) {
        return model.members(model.array(name)?).first().copied();
    }
    let mut fitting = check.fitting(&output.record.as_ref()?.ir).iter().filter(|i| **i != node);
    let first = fitting.next()?;
    fitting.next().is_none().then_some(*first)
}

fn same_record(output: &OutputDecl, consumer: &NodeDecl) -> bool {
    let input = consumer.input.as_ref().and_then(|i| i.record.as_ref());
    match (&output.record, input) {
        (Some(a), Some(b)) => is_same_type(a, b),
        _ => false,
    }
}
