//! Inputs that several nodes share: `NodeShareInputOf` (WorkGraphs.md, "Sharing input records across nodes").
//!
//! Mistakes in the node that owns the input are reported once, regardless of the number of sharers.

use crate::contracts::node::{NodeDecl, ShareInput};
use crate::contracts::record_difference::{Side, difference};
use crate::db::def::At;
use crate::db::diagnostic::Diagnostic;
use crate::graph::limits::recursion;
use crate::graph::rules::{Check, Takes, indexes, takes};
use crate::graph::show_id;
use crate::tables::codes::Code;
use crate::tables::figures::grouped;
use wgc_ir::NodeId;

/// Maximum number of nodes that share one input.
const MAX_SHARERS: usize = 256;

/// Checks `Code::ShareTarget` and `Code::ShareRules`.
pub(crate) fn shared_inputs(check: &mut Check) {
    let model = check.model;
    let mut good: Vec<Vec<usize>> = vec![Vec::new(); model.nodes.len()];
    for (n, node) in model.nodes.iter().enumerate() {
        let Some(share) = &node.share_input_of else { continue };
        match model.find(&share.owner) {
            None => {}
            Some(owner) if owner == n => {
                let message = format!("node `{}` shares its input with itself", node.name);
                check.out.push(Diagnostic::new(Code::ShareTarget, share.place, message));
            }
            Some(owner) => match &model.nodes[owner].share_input_of {
                Some(next) => in_turn(check, node, share, model.nodes[owner], next),
                None => good[owner].push(n),
            },
        }
    }
    for (owner, sharers) in good.iter().enumerate().filter(|(_, sharers)| !sharers.is_empty()) {
        owner_rules(check, owner, sharers);
        for sharer in sharers {
            sharer_rules(check, *sharer, owner);
        }
    }
}

/// Checks for owners that do not exist (`Code::ShareTarget`).
pub(crate) fn missing_owners(check: &mut Check) {
    for node in &check.model.nodes {
        if let Some(share) = &node.share_input_of
            && check.model.find(&share.owner).is_none()
        {
            missing(check, node, share);
        }
    }
}

fn missing<'db>(check: &mut Check<'_, 'db>, node: &NodeDecl<'db>, share: &ShareInput<'db>) {
    let model = check.model;
    let wanted = show_id(&share.owner);
    let message = format!("node `{}` shares the input of `{wanted}`, which does not exist", node.name);
    let mut missing = Diagnostic::new(Code::ShareTarget, share.place, message);
    if let Some(same) = model.array(&share.owner.name).and_then(|array| model.members(array).first()) {
        missing = missing.also(model.nodes[*same].id_place, indexes(model, &share.owner.name));
    } else if let Some(meant) = check.near_name(&share.owner.name, &node.id.name)
        && let Some(other) = model.find(&NodeId { name: meant.into(), index: share.owner.index })
    {
        missing = missing.also(model.nodes[other].id_place, "did you mean this node?");
        if let Some(place) = share.named {
            missing = missing.fix(place, format!("\"{meant}\""), format!("share the input of `{meant}`"));
        }
    }
    check.out.push(missing);
}

fn in_turn<'db>(
    check: &mut Check<'_, 'db>,
    node: &NodeDecl<'db>,
    share: &ShareInput<'db>,
    owner: &NodeDecl<'db>,
    next: &ShareInput<'db>,
) {
    let message = format!("node `{}` shares the input of `{}`, which itself shares an input", node.name, owner.name);
    let turn =
        Diagnostic::new(Code::ShareTarget, share.place, message).also(next.place, "this node shares an input too");
    let rule = "all nodes that share an input must name its owner";
    // A chain of sharers may be a cycle without an owner.
    let (mut last, mut seen) = (&next.owner, vec![&node.id]);
    while let Some(share) = check.model.find(last).and_then(|n| check.model.nodes[n].share_input_of.as_ref()) {
        if seen.contains(&last) {
            break;
        }
        seen.push(last);
        last = &share.owner;
    }
    let is_round = seen.contains(&last);
    check.out.push(match (is_round, check.model.find(last)) {
        (true, _) => turn.note(format!("{rule}, but none of these is an owner")),
        (false, Some(_)) => turn.note(format!("{rule}, here `{}`", show_id(last))),
        (false, None) => turn.note(rule),
    });
}

/// Reports a property of a node that prevents sharing its input.
fn broken<'db>(check: &mut Check<'_, 'db>, place: At<'db>, message: String, other: At<'db>, text: &str) {
    check.out.push(Diagnostic::new(Code::ShareRules, place, message).also(other, text));
}

/// Checks the rules for every node of a shared input: it does not recurse and does not write.
fn takes_no_part<'db>(check: &mut Check<'_, 'db>, node: &NodeDecl<'db>, place: At<'db>) {
    if let Some(depth) = node.recursion_place.filter(|_| recursion(node) > 0) {
        let message = format!("node `{}` recurses, so it cannot share an input", node.name);
        broken(check, place, message, depth.into(), "declared recursive here");
    }
    if let Some(input) = node.input.as_ref().filter(|i| i.read_write) {
        let message = format!("node `{}` writes its input, which cannot be shared", node.name);
        broken(check, place, message, input.place.into(), "written through this input");
    }
}

fn owner_rules(check: &mut Check, owner: usize, sharers: &[usize]) {
    let model = check.model;
    let node = &model.nodes[owner];
    let share = |n: usize| model.nodes[n].share_input_of.as_ref().map(|share| share.place);
    let Some(first) = share(sharers[0]) else { return };
    takes_no_part(check, node, first);
    if model.entries[owner]
        && let Some(from) = model.feeders(owner).next()
    {
        let message = format!("both nodes and the host send records to the shared input of `{}`", node.name);
        let mut both = Diagnostic::new(Code::ShareRules, first, message)
            .label("shared because of this")
            .also(model.output(from).target_place, format!("`{}` sends records", model.nodes[from.node].name));
        let entry = model.entry_places[owner].unwrap_or(node.id_place);
        both = both.also(entry, "the host sends records, because this is an entry");
        check.out.push(both);
    }
    if sharers.len() + 1 > MAX_SHARERS {
        let count = grouped(sharers.len() as u64 + 1);
        let message = format!("{count} nodes share the input of `{}`; the limit is {MAX_SHARERS}", node.name);
        let mut many = Diagnostic::new(Code::ShareRules, node.id_place, message).label("this node counts, too");
        if let Some(place) = share(sharers[MAX_SHARERS - 1]) {
            many = many.also(place, "the first node over the limit");
        }
        check.out.push(many);
    }
}

fn sharer_rules(check: &mut Check, sharer: usize, owner: usize) {
    let model = check.model;
    let (node, shared) = (&model.nodes[sharer], &model.nodes[owner]);
    let Some(place) = node.share_input_of.as_ref().map(|s| s.place) else { return };
    if model.entries[sharer] {
        let message = format!("node `{}` shares an input, so it cannot be an entry", node.name);
        let entry = model.entry_places[sharer].unwrap_or(node.id_place);
        broken(check, place, message, entry, "marked as an entry");
    }
    // One label is enough: a node that may not be targeted is one mistake.
    if let Some(from) = model.feeders(sharer).next() {
        let message = format!("node `{}` shares an input, so nothing may target it", node.name);
        broken(check, place, message, model.output(from).target_place, "targeted here");
    }
    takes_no_part(check, node, place);
    let (owner, sharer) = (format!("of `{}`", shared.name), format!("of `{}`", node.name));
    let other = shared.input.as_ref().map_or(shared.id_place, |i| i.place.into());
    let wrong = |why: &str| {
        let message = format!("`{}` and `{}` share an input, but {why}", node.name, shared.name);
        Diagnostic::new(Code::ShareRules, place, message).also(other, "the shared input")
    };
    match (takes(shared), takes(node)) {
        (Takes::Record(a), Takes::Record(b)) => {
            // Only writable inputs track sharing, and those cannot be shared.
            let sides = [(a, &owner), (b, &sharer)].map(|(record, role)| Side { record, role, may_track: false });
            let found = difference(check.db, sides[0], sides[1], node.grid);
            if let Some(found) = found.filter(|found| found.code == Code::RecordMismatch) {
                let diagnostic = wrong(&found.why);
                check.out.push(found.show(diagnostic));
            }
        }
        (Takes::Record(_), Takes::Nothing) | (Takes::Nothing, Takes::Record(_)) => {
            check.out.push(wrong("only one of them consumes data"));
        }
        _ => {}
    }
}
