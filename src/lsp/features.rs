//! Editor features as plain values, independent of the protocol.

pub mod calls;
pub mod completion;
pub mod hints;
pub mod navigate;
pub mod rename;
pub mod tokens;

use super::world::Snapshot;
use indexmap::IndexSet;
use std::cmp::Reverse;
use std::ops::Range;
use wgc_ide::{GraphSites, GraphView, NodeSite, Symbol};
use wgc_sema::db::diagnostic::{FileRange, Rendered};
use wgc_sema::db::{Db, Program, is_built_in};
use wgc_sema::flow::budgets::{NodeBudget, node_budgets};
use wgc_sema::report::diagnostics::diagnostics;
use wgc_sema::tables::codes::Severity;
use wgc_sema::types::system_values::launch_name;

/// Returns the diagnostics of a file.
pub fn messages(world: &Snapshot, path: &str) -> Vec<Rendered> {
    in_file(world, &world.programs_of(path), path)
}

/// The limit of diagnostics for one file. More would help nobody, and a binary file would produce megabytes.
const MAX_MESSAGES: usize = 1000;

/// Returns the diagnostics that programs have about a file, without duplicates. Keeps the [`MAX_MESSAGES`] most severe
/// ones.
pub fn in_file(world: &Snapshot, programs: &[Program], path: &str) -> Vec<Rendered> {
    let mut out: IndexSet<Rendered, rustc_hash::FxBuildHasher> = IndexSet::default();
    for program in programs {
        let of_file =
            |diagnostic: &&Rendered| diagnostic.labels.first().is_some_and(|label| &*label.range.file == path);
        let mut own: Vec<Rendered> = diagnostics(&world.db, *program).iter().filter(of_file).cloned().collect();
        // The chain of `#include`s is not shown, and translation units of a header differ in nothing else.
        own.iter_mut().flat_map(|diagnostic| &mut diagnostic.labels).for_each(|label| label.included.clear());
        world.levels(*program).apply(&mut own);
        out.extend(own);
    }
    let mut out: Vec<Rendered> = out.into_iter().collect();
    let rest = out.len().saturating_sub(MAX_MESSAGES);
    if rest > 0 {
        let mut most: Vec<usize> = (0..out.len()).collect();
        most.sort_by_key(|n| Reverse(out[*n].severity));
        most.truncate(MAX_MESSAGES);
        most.sort_unstable();
        out = most.into_iter().map(|n| out[n].clone()).collect();
        let last = out.last_mut().map(|diagnostic| &mut diagnostic.notes);
        last.into_iter().for_each(|notes| notes.push(format!("{rest} other messages about this file are not shown")));
    }
    out
}

/// Returns the ranges of a file that the preprocessor skips in all of its programs.
pub fn inactive(world: &Snapshot, path: &str) -> Vec<Range<u32>> {
    wgc_ide::inactive(&world.db, &world.programs_of(path), path)
}

/// Returns the diagnostics with fixes that touch a range of a file.
pub fn fixes(world: &Snapshot, path: &str, range: Range<u32>) -> Vec<Rendered> {
    let touches = |at: &FileRange| &*at.file == path && at.lo <= range.end && range.start <= at.hi;
    let mut all = messages(world, path);
    all.retain(|diagnostic| {
        diagnostic.fix.is_some() && diagnostic.labels.first().is_some_and(|label| touches(&label.range))
    });
    all
}

/// Returns whether a fix is safe to apply without review. A missing `;` at the end of a line is safe, and so is the
/// removal of text that a warning reports as useless. All other fixes are guesses: of names, of brackets, of the
/// mistaken one of two constructs.
pub fn is_certain(world: &Snapshot, diagnostic: &Rendered) -> bool {
    let Some(fix) = &diagnostic.fix else { return false };
    let text = world.text(&fix.range.file);
    let old = text.get(fix.range.lo as usize..fix.range.hi as usize).unwrap_or_default();
    let ends = old.is_empty() && fix.replacement == ";";
    ends || diagnostic.severity == Severity::Warning && fix.replacement.trim().is_empty()
}

/// Returns diagnostics of a file whose safe fixes can be applied together. If fixes touch each other, only the first
/// one is kept.
pub fn all_fixes(world: &Snapshot, path: &str) -> Vec<Rendered> {
    let mut out: Vec<Rendered> = Vec::new();
    for diagnostic in messages(world, path) {
        let Some(fix) = diagnostic.fix.as_ref().filter(|fix| &*fix.range.file == path) else { continue };
        let is_met = |other: &Rendered| other.fix.as_ref().is_some_and(|other| meet(&other.range, &fix.range));
        if is_certain(world, &diagnostic) && !out.iter().any(is_met) {
            out.push(diagnostic);
        }
    }
    out
}

/// Returns whether two edits conflict: they overlap, or their order would matter.
fn meet(a: &FileRange, b: &FileRange) -> bool {
    let is_insertion = a.lo == a.hi || b.lo == b.hi;
    if is_insertion { a.lo <= b.hi && b.lo <= a.hi } else { a.lo < b.hi && b.lo < a.hi }
}

/// Returns the declarations of a file from all of its programs, nested in their namespaces or flat.
pub fn outline(world: &Snapshot, path: &str, nests: bool) -> Vec<Symbol> {
    let of = |found: fn(&dyn Db, Program, &str) -> Vec<Symbol>| {
        let programs = world.programs_of(path).into_iter();
        navigate::each_once(programs.flat_map(|program| found(&world.db, program, path)))
    };
    let mut out = of(wgc_ide::outline);
    out.sort_by_key(|symbol| (symbol.range.lo, symbol.name_range.lo));
    if nests { wgc_ide::nested(out, of(wgc_ide::namespaces)) } else { out }
}

/// Returns the names in `#include`s with the paths that they resolve to.
pub fn links(world: &Snapshot, path: &str) -> Vec<(Range<u32>, String)> {
    let programs = world.programs_of(path).into_iter();
    let mut out = navigate::each_once(programs.flat_map(|program| wgc_ide::includes(&world.db, program, path)));
    out.retain(|(_, to)| !is_built_in(to));
    out.sort_by_key(|(range, _)| range.start);
    out
}

/// Returns the first program of a file that does not skip the given byte, or else the first one.
pub fn program_at(world: &Snapshot, path: &str, at: u32) -> Option<Program> {
    let programs = world.programs_of(path);
    let has = |program: &&Program| {
        programs.len() == 1
            || !wgc_ide::inactive(&world.db, &[**program], path)
                .iter()
                .any(|range| (range.start..=range.end).contains(&at))
    };
    programs.iter().find(has).or(programs.first()).copied()
}

/// Returns the programs of a file with their names.
pub fn graphs(world: &Snapshot, path: &str) -> Vec<(String, Program)> {
    world.programs_of(path).into_iter().map(|program| (world.name(program), program)).collect()
}

/// Returns a graph to draw.
pub fn graph(world: &Snapshot, program: Program) -> GraphView {
    let mut all = diagnostics(&world.db, program).clone();
    world.levels(program).apply(&mut all);
    wgc_ide::graph_view(&world.db, program, &all)
}

/// The nodes of one program that something at a location names.
pub struct Named {
    pub program: Program,
    pub sites: GraphSites,
    pub nodes: Vec<usize>,
}

/// Returns the nodes that are named at a byte of a file, by program.
pub fn nodes_at(world: &Snapshot, path: &str, at: u32) -> Vec<Named> {
    let may_name = |program: &Program| {
        wgc_ide::parts(&world.db, *program).into_iter().any(|part| wgc_ide::may_name_a_node(&world.db, part, path, at))
    };
    let programs = world.programs_of(path).into_iter().filter(may_name);
    let named = programs.map(|program| {
        let sites = wgc_ide::graph_sites(&world.db, program);
        let nodes = sites.named_at(path, at);
        Named { program, sites, nodes }
    });
    named.filter(|named| !named.nodes.is_empty()).collect()
}

/// Describes the nodes that are named at a location, as Markdown.
pub fn node_texts(world: &Snapshot, path: &str, at: u32) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    for named in nodes_at(world, path, at) {
        let texts =
            named.nodes.iter().filter_map(|node| wgc_ide::node_text(&world.db, named.program, &named.sites, *node));
        for text in texts.take(MAX_HOVERED) {
            if !out.contains(&text) {
                out.push(text);
            }
        }
    }
    out
}

/// The limit of array elements that one hover shows.
const MAX_HOVERED: usize = 4;

/// Returns all mentions of the nodes that are named at a location, with or without their declarations.
pub fn references_of_nodes(world: &Snapshot, path: &str, at: u32, declared: bool) -> Vec<FileRange> {
    let all = nodes_at(world, path, at).into_iter().flat_map(|named| {
        let Named { sites, nodes, .. } = named;
        let of = |node: &usize| {
            let mut mentions = sites.mentions(*node);
            mentions.retain(|range| declared || *range != sites.nodes[*node].name_range);
            mentions
        };
        nodes.iter().flat_map(of).collect::<Vec<_>>()
    });
    navigate::each_once(all)
}

/// Returns a code lens for each node of a file: its producers, its consumers and its budgets.
pub fn lenses(world: &Snapshot, path: &str) -> Vec<(FileRange, String)> {
    let mut out: Vec<(FileRange, String)> = Vec::new();
    for program in world.programs_of(path) {
        let sites = wgc_ide::graph_sites(&world.db, program);
        let budgets = node_budgets(&world.db, program).unwrap_or_default();
        for (number, node) in sites.nodes.iter().enumerate().filter(|(_, node)| &*node.name_range.file == path) {
            let lens = (node.name_range.clone(), summary(&sites, number, node, budgets.get(number)));
            if !out.contains(&lens) {
                out.push(lens);
            }
        }
    }
    out
}

fn summary(sites: &GraphSites, number: usize, node: &NodeSite, budget: Option<&NodeBudget>) -> String {
    let different = |nodes: &mut dyn Iterator<Item = usize>| {
        let mut all: Vec<usize> = nodes.collect();
        all.sort_unstable();
        all.dedup();
        all.len()
    };
    let producers = different(&mut sites.edges.iter().filter(|edge| edge.target == number).map(|edge| edge.node));
    let targets = different(&mut sites.edges.iter().filter(|edge| edge.node == number).map(|edge| edge.target));
    let mut parts = vec![format!("{} node", launch_name(node.launch))];
    if node.is_entry {
        parts.push("entry".to_owned());
    }
    let counted = |count: usize, what: &str| format!("{count} {what}{}", if count == 1 { "" } else { "s" });
    parts.push(counted(producers, "producer"));
    parts.push(counted(targets, "consumer"));
    if let Some(budget) = budget.filter(|_| !node.outputs.is_empty()) {
        parts.push(format!("{} of {} records", budget.records.used, budget.records.limit));
        parts.push(format!("{} of {} bytes", budget.bytes.used, budget.bytes.limit));
    }
    parts.join(" \u{b7} ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adjacent_edits_do_not_overlap() {
        let of = |lo, hi| FileRange::new("a".into(), lo, hi);
        for (a, b, expected) in [
            (of(2, 5), of(5, 8), false),
            (of(2, 5), of(4, 8), true),
            (of(2, 8), of(4, 5), true),
            (of(2, 5), of(2, 5), true),
            (of(5, 5), of(5, 5), true),
            (of(2, 5), of(5, 5), true),
            (of(5, 5), of(6, 6), false),
        ] {
            assert_eq!((meet(&a, &b), meet(&b, &a)), (expected, expected), "{a:?} {b:?}");
        }
    }
}
