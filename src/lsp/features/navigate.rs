//! Navigation from a name: definitions, types, references and the enclosing call.
//!
//! An output, the node that it targets and the strings that name the node are one symbol. Nodes have priority: a
//! parameter that is an output leads to the node, not to itself.

use super::{nodes_at, references_of_nodes};
use crate::lsp::world::Snapshot;
use std::ops::Range;
use wgc_ide::{GraphSites, MacroAt, MacroUse, Named, NodeSite, Signatures, SymbolId, Use};
use wgc_sema::db::Program;
use wgc_sema::db::diagnostic::FileRange;

/// The kind of access to a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum How {
    Text,
    Read,
    Write,
}

/// Returns a range without its `#line` position: editors open files as they are.
pub fn bare(range: &FileRange) -> FileRange {
    FileRange { named: None, ..range.clone() }
}

pub fn each_once<T: PartialEq>(all: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut out: Vec<T> = Vec::new();
    all.into_iter().for_each(|one| {
        if !out.contains(&one) {
            out.push(one);
        }
    });
    out
}

/// Returns the translation units that contain a file.
pub fn parts(world: &Snapshot, path: &str) -> Vec<Program> {
    let programs = world.programs_of(path).into_iter();
    each_once(programs.flat_map(|program| wgc_ide::parts(&world.db, program)))
}

/// Returns the symbols that are named at a location, in each translation unit.
pub fn named<'w>(world: &'w Snapshot, path: &str, at: u32) -> Vec<(Program, Named<'w>)> {
    let parts = parts(world, path).into_iter();
    parts
        .flat_map(|part| wgc_ide::named_at(&world.db, part, path, at).into_iter().map(move |one| (part, one)))
        .collect()
}

/// Returns the global identities of the symbols at a location.
pub fn symbols_at(world: &Snapshot, path: &str, at: u32) -> Vec<SymbolId> {
    each_once(named(world, path, at).iter().filter_map(|(_, one)| wgc_ide::symbol_id(&world.db, &one.symbol)))
}

/// Returns whether a location names a node other than by the use of a parameter or function.
fn is_declared_or_text(sites: &GraphSites, path: &str, at: u32) -> bool {
    let covers = |range: &FileRange| &*range.file == path && (range.lo..=range.hi).contains(&at);
    let of_node = |node: &NodeSite| {
        let shared = node.shares.as_ref().is_some_and(|(_, range)| covers(range));
        covers(&node.id_range)
            || covers(&node.name_range)
            || shared
            || node.outputs.iter().any(|output| covers(&output.target_range) || covers(&output.name_range))
    };
    sites.nodes.iter().any(of_node)
}

/// Returns the macro that is named at a location, with a translation unit that has it. A macro takes priority over its
/// expansion, whose range is the macro's use.
fn macro_at(world: &Snapshot, path: &str, at: u32) -> Option<(Program, MacroAt)> {
    parts(world, path).into_iter().find_map(|part| Some((part, wgc_ide::macro_at(&world.db, part, path, at)?)))
}

/// Returns all uses of a macro.
fn macro_uses(world: &Snapshot, path: &str, name: &str) -> Vec<MacroUse> {
    let parts = parts(world, path).into_iter();
    let mut out: Vec<MacroUse> = parts.flat_map(|part| wgc_ide::macro_uses(&world.db, part, name)).collect();
    out.sort();
    out.dedup();
    out
}

/// Returns the definitions of the symbol at a location.
pub fn definitions(world: &Snapshot, path: &str, at: u32) -> Vec<FileRange> {
    if let Some((_, found)) = macro_at(world, path, at) {
        let parts = parts(world, path).into_iter();
        return each_once(parts.flat_map(|part| wgc_ide::definitions(&world.db, part, &found.name)));
    }
    let mut nodes = nodes_at(world, path, at);
    nodes.retain(|named| is_declared_or_text(&named.sites, path, at));
    let nodes =
        nodes.iter().flat_map(|named| named.nodes.iter().map(|node| bare(&named.sites.nodes[*node].name_range)));
    let nodes = each_once(nodes);
    if !nodes.is_empty() {
        return nodes;
    }
    let found = named(world, path, at).into_iter().flat_map(|(part, one)| {
        let all = wgc_ide::declared_everywhere(&world.db, part, &one.symbol);
        // From a definition, go to its forward declarations.
        let elsewhere = all.iter().filter(|range| **range != one.range).cloned().collect::<Vec<_>>();
        match (one.declares, all.first()) {
            (true, Some(first)) if *first == one.range && !elsewhere.is_empty() => elsewhere,
            (_, first) => first.into_iter().cloned().collect(),
        }
    });
    let found = each_once(found);
    if !found.is_empty() {
        return found;
    }
    included_at(world, path, at).into_iter().map(|(_, to)| FileRange::new(to.into(), 0, 0)).collect()
}

/// Returns the name of the `#include` at a location, with the files that it resolves to.
fn included_at(world: &Snapshot, path: &str, at: u32) -> Vec<(Range<u32>, String)> {
    let all = world.programs_of(path).into_iter().flat_map(|program| wgc_ide::includes(&world.db, program, path));
    each_once(all.filter(|(range, _)| (range.start..=range.end).contains(&at)))
}

/// Returns the declarations of the type of the symbol at a location.
pub fn type_definitions(world: &Snapshot, path: &str, at: u32) -> Vec<FileRange> {
    let all = named(world, path, at).into_iter();
    each_once(all.flat_map(|(part, one)| wgc_ide::type_declarations(&world.db, part, &one.symbol)))
}

/// Returns the first declarations of the symbol at a location.
pub fn declarations(world: &Snapshot, path: &str, at: u32) -> Vec<FileRange> {
    let found = named(world, path, at).into_iter();
    let found = each_once(found.filter_map(|(_, one)| Some(wgc_ide::symbol_id(&world.db, &one.symbol)?.declared)));
    if found.iter().all(|range| range.file.is_empty()) { definitions(world, path, at) } else { found }
}

/// Returns the implementations of an interface or its method, or else the definition of a function or type.
pub fn implementations(world: &Snapshot, path: &str, at: u32) -> Vec<FileRange> {
    let found = named(world, path, at).into_iter().flat_map(|(part, one)| {
        let implemented = wgc_ide::implementations(&world.db, part, &one.symbol);
        if implemented.is_empty() {
            wgc_ide::declared_everywhere(&world.db, part, &one.symbol).into_iter().take(1).collect()
        } else {
            implemented
        }
    });
    each_once(found)
}

/// Returns the translation units of all programs.
pub fn all_parts(world: &Snapshot) -> Vec<Program> {
    each_once(world.all_programs().into_iter().flat_map(|program| wgc_ide::parts(&world.db, program)))
}

/// Adds the symbols that must share a name with these: methods on both sides of an interface, and declarations that the
/// files of a program share.
pub fn with_family(world: &Snapshot, ids: Vec<SymbolId>) -> Vec<SymbolId> {
    wgc_ide::with_family(&world.db, &world.all_programs(), ids)
}

/// Returns all uses of symbols in all programs.
pub fn uses_of(world: &Snapshot, ids: &[SymbolId]) -> Vec<Use> {
    let parts = all_parts(world);
    let mut out: Vec<Use> = parts.into_iter().flat_map(|part| wgc_ide::uses(&world.db, part, ids)).collect();
    out.sort();
    out.dedup();
    out
}

/// Returns all references to the symbol at a location, with or without its declarations.
pub fn references(world: &Snapshot, path: &str, at: u32, declared: bool) -> Vec<FileRange> {
    if let Some((_, found)) = macro_at(world, path, at) {
        let uses = macro_uses(world, path, &found.name).into_iter();
        return uses.filter(|found| declared || !found.defines).map(|found| found.range).collect();
    }
    let mut out = mentions_of_nodes(world, path, at, declared);
    let ids = with_family(world, with_outputs(world, path, at));
    out.extend(uses_of(world, &ids).into_iter().filter(|found| declared || !found.declares).map(|found| found.range));
    let mut out = each_once(out.iter().map(bare));
    out.sort();
    out
}

/// Returns the locations that identify the nodes at one location: itself and, for the use of an output, the parameter.
/// Both give the same answers.
fn places_of_nodes(world: &Snapshot, path: &str, at: u32) -> Vec<(String, u32)> {
    let named = named(world, path, at).into_iter();
    let declared = named.flat_map(|(part, one)| wgc_ide::declared_for_nodes(&world.db, part, &one.symbol));
    let here = std::iter::once((path.to_owned(), at));
    each_once(here.chain(declared.map(|range| (range.file.to_string(), range.lo))))
}

/// Returns all mentions of the nodes at a location.
fn mentions_of_nodes(world: &Snapshot, path: &str, at: u32, declared: bool) -> Vec<FileRange> {
    let places = places_of_nodes(world, path, at).into_iter();
    each_once(places.flat_map(|(path, at)| references_of_nodes(world, &path, at, declared)))
}

/// Returns the symbols at a location. If it names a node, also its functions and the outputs that target it.
pub fn with_outputs(world: &Snapshot, path: &str, at: u32) -> Vec<SymbolId> {
    let mut ids = symbols_at(world, path, at);
    let places = places_of_nodes(world, path, at).into_iter();
    // One location in a macro may name many outputs.
    let mut names: Vec<FileRange> = Vec::new();
    for named in places.flat_map(|(path, at)| nodes_at(world, &path, at)) {
        for node in &named.nodes {
            names.push(named.sites.nodes[*node].name_range.clone());
            names.extend(named.sites.producers(*node).map(|(_, output)| output.name_range.clone()));
        }
    }
    for name in each_once(names) {
        ids.extend(symbols_at(world, &name.file, name.lo));
    }
    each_once(ids)
}

/// Returns the locations in a file that name the symbol at one of them.
pub fn highlights(world: &Snapshot, path: &str, at: u32) -> Vec<(FileRange, How)> {
    if let Some((_, found)) = macro_at(world, path, at) {
        let uses = macro_uses(world, path, &found.name).into_iter().filter(|found| &*found.range.file == path);
        return uses.map(|found| (found.range, if found.defines { How::Write } else { How::Text })).collect();
    }
    let parts = parts(world, path);
    let ids = wgc_ide::with_family(&world.db, &world.programs_of(path), with_outputs(world, path, at));
    let mut out: Vec<(FileRange, How)> = Vec::new();
    for part in parts {
        for found in wgc_ide::uses(&world.db, part, &ids) {
            out.push((found.range, if found.writes { How::Write } else { How::Read }));
        }
    }
    let nodes = mentions_of_nodes(world, path, at, true);
    let is_new = |range: &FileRange, out: &[(FileRange, How)]| out.iter().all(|(known, _)| known != range);
    for range in nodes.iter().map(bare) {
        if is_new(&range, &out) {
            out.push((range, How::Text));
        }
    }
    out.retain(|(range, _)| &*range.file == path);
    out.sort();
    out.dedup();
    out
}

/// Describes the symbol at a location as Markdown, with the range of the name.
pub fn described(world: &Snapshot, path: &str, at: u32) -> Option<(Option<FileRange>, Vec<String>)> {
    if let Some((_, found)) = macro_at(world, path, at) {
        return Some((Some(found.range.clone()), vec![of_macro(&found)]));
    }
    let mut texts = super::node_texts(world, path, at);
    let mut range = None;
    let is_node = !texts.is_empty();
    for (part, one) in named(world, path, at) {
        // The contract describes a node better than its parameters do.
        let text = match is_node {
            true => wgc_ide::doc(&world.db, part, &one.symbol),
            false => wgc_ide::describe(&world.db, part, &one.symbol),
        };
        range.get_or_insert(one.range);
        texts.extend(text.filter(|text| !texts.contains(text)));
    }
    if texts.is_empty() {
        let included = included_at(world, path, at);
        texts.extend(included.iter().map(|(_, to)| format!("`{to}`")));
        range = included.into_iter().next().map(|(range, _)| FileRange::new(path.into(), range.start, range.end));
    }
    (!texts.is_empty()).then_some((range, texts))
}

/// Describes a macro as Markdown: its definition, and its expansion at this use.
fn of_macro(found: &MacroAt) -> String {
    let mut out = format!("```hlsl\n#define {}\n```\n", found.text.as_deref().unwrap_or(&found.name));
    if let Some(expansion) = &found.expansion {
        out += &format!("\nbecomes\n\n```hlsl\n{expansion}\n```\n");
    }
    out
}

/// Returns the signatures of the call around a location.
pub fn signatures(world: &Snapshot, path: &str, at: u32) -> Option<Signatures> {
    parts(world, path).into_iter().find_map(|part| wgc_ide::signatures(&world.db, part, path, at))
}

/// Returns symbols of all programs whose names contain the letters of a query in order, best match first.
pub fn workspace_symbols(world: &Snapshot, query: &str) -> Vec<wgc_ide::Symbol> {
    let mut found: Vec<(u32, wgc_ide::Symbol)> = Vec::new();
    let mut seen: Vec<String> = Vec::new();
    for program in world.all_programs() {
        for file in world.files_of(program) {
            if seen.contains(&file) {
                continue;
            }
            for symbol in wgc_ide::outline(&world.db, program, &file) {
                gather(symbol, query, &mut found);
            }
            seen.push(file);
        }
    }
    found.sort_by(|a, b| (a.0, &a.1.name, &a.1.name_range).cmp(&(b.0, &b.1.name, &b.1.name_range)));
    found.truncate(MAX_SYMBOLS);
    found.into_iter().map(|(_, symbol)| symbol).collect()
}

/// The limit of workspace symbols: nobody reads more.
const MAX_SYMBOLS: usize = 512;

fn gather(mut symbol: wgc_ide::Symbol, query: &str, out: &mut Vec<(u32, wgc_ide::Symbol)>) {
    let children = std::mem::take(&mut symbol.children);
    let around = symbol.full_name();
    for mut child in children {
        child.scope = around.clone();
        gather(child, query, out);
    }
    if let Some(rank) = fits(&symbol.name, query) {
        out.push((rank, symbol));
    }
}

/// Ranks a name against a query: less is better, `None` if letters are missing.
fn fits(name: &str, query: &str) -> Option<u32> {
    let (name, query) = (name.to_lowercase(), query.to_lowercase());
    if name == query {
        return Some(0);
    }
    if name.starts_with(&query) {
        return Some(1);
    }
    if name.contains(&query) {
        return Some(2);
    }
    let mut letters = name.chars();
    query.chars().all(|wanted| letters.any(|letter| letter == wanted)).then_some(3)
}

#[cfg(test)]
mod tests {
    use super::fits;

    #[test]
    fn symbol_queries_match_letters_in_order() {
        let ranks = ["", "shade", "Sha", "hade", "sde", "eds"].map(|query| fits("Shade", query));
        assert_eq!(ranks, [Some(1), Some(0), Some(1), Some(2), Some(3), None]);
    }
}
