//! Renames of symbols: the required edits, or the reason why there can be none.
//!
//! A new name may collide with another, hide it or be hidden. To find out, a separate database reads the edited
//! programs, and every use must resolve as before. A node is renamed together with the strings that name it. A function
//! whose name differs from its node's keeps its name.

use super::navigate::{all_parts, bare, each_once, named, symbols_at, uses_of, with_family};
use super::nodes_at;
use crate::loader::Forgetful;
use crate::lsp::world::Snapshot;
use rustc_hash::{FxHashMap, FxHashSet};
use wgc_frontend::token::Sym;
use wgc_ide::{GraphSites, SymbolId, Use};
use wgc_sema::Compiler;
use wgc_sema::db::diagnostic::{FileRange, Rendered};
use wgc_sema::db::{FileLoader, Program, Standing, is_built_in};
use wgc_sema::report::diagnostics::diagnostics;
use wgc_sema::tables::codes::Code;

/// The symbol to rename.
#[derive(Debug)]
pub struct Target {
    /// The range of the name in the request.
    pub range: FileRange,
    pub name: String,
    ids: Vec<SymbolId>,
    /// The symbol includes a node.
    is_node: bool,
}

/// Returns the renamable symbol at a location.
///
/// # Errors
/// The reason why it cannot be renamed, for the user.
pub fn target(world: &Snapshot, path: &str, at: u32) -> Result<Target, String> {
    let is_macro =
        super::navigate::parts(world, path).into_iter().find_map(|part| wgc_ide::macro_at(&world.db, part, path, at));
    if let Some(found) = is_macro {
        return Err(format!("cannot rename the macro `{}`: uses in inactive text are unknown", found.name));
    }
    let covers = |range: &FileRange| &*range.file == path && (range.lo..=range.hi).contains(&at);
    let found = named(world, path, at);
    let here = found.first().map(|(_, one)| one.range.clone());
    let mut ids = symbols_at(world, path, at);
    let mut node: Option<(String, FileRange)> = None;
    for nodes in nodes_at(world, path, at) {
        for (name, range) in node_names(&nodes.sites) {
            if covers(range) {
                node = Some((name.to_owned(), bare(range)));
            }
        }
        // The name of a function that its node shares.
        if let Some(number) = nodes.nodes.first()
            && let site = &nodes.sites.nodes[*number]
            && covers(&site.name_range)
            && text_of(world, &site.name_range) == *site.id.name
        {
            node.get_or_insert_with(|| (site.id.name.to_string(), bare(&site.name_range)));
        }
    }
    // A use of an output may be a use of the node's name.
    if let Some(id) = ids.first() {
        for nodes in nodes_at(world, &id.declared.file, id.declared.lo) {
            for (name, range) in node_names(&nodes.sites).filter(|(_, range)| bare(range) == id.declared) {
                node.get_or_insert_with(|| (name.to_owned(), bare(range)));
            }
        }
    }
    if let Some((name, range)) = &node {
        for program in world.all_programs() {
            let sites = wgc_ide::graph_sites(&world.db, program);
            for range in named_by_words(world, &sites, name) {
                ids.extend(symbols_at(world, &range.file, range.lo));
            }
        }
        let ids = each_once(ids);
        let range = here.unwrap_or_else(|| inside_quotes(world, range));
        return checked(Target { range, name: name.clone(), ids, is_node: true });
    }
    let Some(range) = here else { return Err("nothing here can be renamed".to_owned()) };
    let Some(id) = ids.first() else { return Err("this is built in".to_owned()) };
    let name = id.name.clone();
    let written = text_of(world, &range);
    if written != name {
        return Err(format!("`{written}` is another name of `{name}`, and cannot be renamed"));
    }
    checked(Target { range, name, ids: with_family(world, ids), is_node: false })
}

fn checked(target: Target) -> Result<Target, String> {
    if target.ids.iter().any(|id| is_built_in(&id.declared.file)) {
        return Err(format!("`{}` is built in", target.name));
    }
    if target.ids.iter().any(|id| id.name.starts_with("operator")) {
        return Err("an operator cannot be renamed".to_owned());
    }
    Ok(target)
}

/// Returns the mentions of nodes in a graph, with the names.
fn node_names(sites: &GraphSites) -> impl Iterator<Item = (&str, &FileRange)> {
    sites.nodes.iter().flat_map(|node| {
        let own = std::iter::once((node.id.name.as_str(), &node.id_range));
        let outputs = node.outputs.iter().map(|output| (output.target.name.as_str(), &output.target_range));
        let shared = node.shares.iter().map(|(owner, range)| (sites.nodes[*owner].id.name.as_str(), range));
        own.chain(outputs).chain(shared)
    })
}

/// Returns functions and parameters that have the name of a node.
fn named_by_words(world: &Snapshot, sites: &GraphSites, name: &str) -> Vec<FileRange> {
    let functions = sites.nodes.iter().filter(|node| node.id.name == name).map(|node| &node.name_range);
    let named = node_names(sites).filter(|(of, _)| *of == name).map(|(_, range)| range);
    functions.chain(named).filter(|range| text_of(world, range) == name).map(bare).collect()
}

fn text_of(world: &Snapshot, range: &FileRange) -> String {
    let text = world.text(&range.file);
    String::from_utf8_lossy(text.get(range.lo as usize..range.hi as usize).unwrap_or_default()).into_owned()
}

fn inside_quotes(world: &Snapshot, range: &FileRange) -> FileRange {
    let text = text_of(world, range);
    let is_string = text.len() >= 2 && text.starts_with('"') && text.ends_with('"');
    if is_string { FileRange { lo: range.lo + 1, hi: range.hi - 1, ..range.clone() } } else { range.clone() }
}

/// Returns the ranges to replace by the new name, in the order of files.
///
/// # Errors
/// The reason why the symbol cannot be renamed, for the user.
pub fn rename(world: &Snapshot, path: &str, at: u32, new: &str) -> Result<Vec<FileRange>, String> {
    let target = target(world, path, at)?;
    let old = target.name.as_str();
    is_identifier(new)?;
    if new == old {
        return Ok(Vec::new());
    }
    let uses = uses_of(world, &target.ids);
    let mut edits: Vec<FileRange> = Vec::new();
    for found in &uses {
        if !found.exact {
            return Err(format!("{}: a macro builds this `{old}` with `##`", place(world, &found.range)));
        }
        if is_built_in(&found.range.file) {
            return Err(format!("built-in text refers to `{old}`"));
        }
        // The text of a macro may name other symbols in its other uses.
        if symbols_at(world, &found.range.file, found.range.lo).iter().any(|id| !target.ids.contains(id)) {
            let at = place(world, &found.range);
            return Err(format!("{at}: in other uses of this macro, `{old}` has another meaning"));
        }
        edits.push(found.range.clone());
    }
    if target.is_node {
        for program in world.all_programs() {
            let sites = wgc_ide::graph_sites(&world.db, program);
            for (_, range) in node_names(&sites).filter(|(name, _)| *name == old) {
                edits.push(inside_quotes(world, &bare(range)));
            }
        }
    }
    edits.sort();
    edits.dedup();
    for edit in &edits {
        if text_of(world, edit) != old {
            return Err(format!("{}: this refers to `{old}` without its name", place(world, edit)));
        }
    }
    if let Some(found) = wgc_ide::ambiguous(&world.db, &all_parts(world), &target.ids) {
        let at = place(world, &found);
        return Err(format!("{at}: in other instances of this template, `{old}` has another meaning"));
    }
    means_the_same(world, &target, &uses, &edits, new)?;
    Ok(edits)
}

fn is_identifier(name: &str) -> Result<(), String> {
    let mut bytes = name.bytes();
    let is_first = bytes.next().is_some_and(|byte| byte == b'_' || byte.is_ascii_alphabetic());
    if !is_first || !bytes.all(|byte| byte == b'_' || byte.is_ascii_alphanumeric()) {
        return Err(format!(
            "`{name}` is not a valid name: use letters, digits and `_`, and do not begin with a digit"
        ));
    }
    let is_keyword = Sym::ALL.iter().any(|sym| sym.text() == name);
    if is_keyword || wgc_frontend::is_builtin_type(name) || name == "this" {
        return Err(format!("`{name}` is a keyword or a built-in type"));
    }
    Ok(())
}

/// Formats a location as `file:line`, like diagnostics do.
fn place(world: &Snapshot, range: &FileRange) -> String {
    let file = range.file.rsplit('/').next().unwrap_or(&range.file);
    format!("{file}:{}", world.lines(&range.file).position(range.lo).line + 1)
}

// ---- comparison of the new program with the old one

/// A loader that prefers edited texts to the disk.
struct Edited(FxHashMap<String, Vec<u8>>);

impl FileLoader for Edited {
    fn load(&self, path: &str) -> Option<Vec<u8>> {
        self.0.get(path).cloned().or_else(|| Forgetful.load(path))
    }

    fn standing(&self, path: &str) -> Standing {
        Forgetful.standing(path)
    }
}

/// A map from offsets in the old texts to the new ones.
struct Moved<'a> {
    edits: &'a [FileRange],
    /// The number of bytes that each edit adds.
    longer: i64,
}

impl Moved<'_> {
    fn offset(&self, file: &str, at: u32) -> u32 {
        let before = self.edits.iter().filter(|edit| &*edit.file == file && edit.hi <= at).count() as i64;
        (i64::from(at) + before * self.longer).max(0) as u32
    }

    fn range(&self, range: &FileRange) -> FileRange {
        let (lo, hi) = (self.offset(&range.file, range.lo), self.offset(&range.file, range.hi));
        FileRange::new(range.file.clone(), lo, hi)
    }
}

fn means_the_same(
    world: &Snapshot,
    target: &Target,
    uses: &[Use],
    edits: &[FileRange],
    new: &str,
) -> Result<(), String> {
    let changed: FxHashSet<&str> = edits.iter().map(|edit| &*edit.file).collect();
    let programs: Vec<Program> = world
        .all_programs()
        .into_iter()
        .filter(|program| world.files_of(*program).iter().any(|file| changed.contains(file.as_str())))
        .collect();
    let mut texts: FxHashMap<String, Vec<u8>> = FxHashMap::default();
    for file in programs.iter().flat_map(|program| world.files_of(*program)) {
        texts.entry(file).or_insert_with_key(|file| world.text(file).to_vec());
    }
    for edit in edits.iter().rev() {
        if let Some(text) = texts.get_mut(&*edit.file) {
            text.splice(edit.lo as usize..edit.hi as usize, new.bytes());
        }
    }
    let mut scratch = Compiler::new(Box::new(Edited(texts)));
    let copies: Vec<Program> = programs.iter().map(|program| copy(world, &mut scratch, *program)).collect();
    let moved = Moved { edits, longer: new.len() as i64 - target.name.len() as i64 };
    let taken = || format!("`{new}` already has another meaning where `{}` is used", target.name);
    for (program, copy) in programs.iter().zip(&copies) {
        let (before, after) = (diagnostics(&world.db, *program), diagnostics(&scratch, *copy));
        if let Some(diagnostic) = first_new(before, after) {
            return Err(format!("`{new}` changes the program: {}", diagnostic.message));
        }
        if before.len() != after.len() {
            return Err(taken());
        }
        let (old_sites, new_sites) = (wgc_ide::graph_sites(&world.db, *program), wgc_ide::graph_sites(&scratch, *copy));
        if old_sites.edges != new_sites.edges || old_sites.nodes.len() != new_sites.nodes.len() {
            return Err(format!("`{new}` changes the edges of the graph"));
        }
        if wgc_ide::joint_resources(&world.db, *program) != wgc_ide::joint_resources(&scratch, *copy) {
            return Err(format!("`{new}` changes the resources that the files of the program share"));
        }
    }
    let renamed = |id: &SymbolId| {
        let declared = if id.namespace.is_some() { id.declared.clone() } else { moved.range(&id.declared) };
        let namespace = id.namespace.as_ref().map(|full| match full.rsplit_once("::") {
            Some((around, _)) => format!("{around}::{new}"),
            None => new.to_owned(),
        });
        SymbolId { name: new.to_owned(), declared, namespace, is_local: id.is_local }
    };
    let ids: Vec<SymbolId> = target.ids.iter().map(renamed).collect();
    // The new name must not make methods implement or be implemented by others, nor make files share members.
    if wgc_ide::with_family(&scratch, &copies, ids.clone()).len() != ids.len() {
        return Err(taken());
    }
    let parts = each_once(copies.iter().flat_map(|copy| wgc_ide::parts(&scratch, *copy)));
    if wgc_ide::ambiguous(&scratch, &parts, &ids).is_some() {
        return Err(taken());
    }
    let of_part = |part: &Program| wgc_ide::uses(&scratch, *part, &ids);
    let found = parts.iter().flat_map(of_part);
    let as_set = |uses: &mut dyn Iterator<Item = FileRange>| {
        let mut all: Vec<FileRange> = uses.collect();
        all.sort();
        all.dedup();
        all
    };
    let wanted = as_set(&mut uses.iter().map(|found| moved.range(&found.range)));
    let found = as_set(&mut found.map(|found| found.range));
    if wanted == found { Ok(()) } else { Err(taken()) }
}

/// Copies a program with the same files and options into another database.
fn copy(world: &Snapshot, scratch: &mut Compiler, program: Program) -> Program {
    let db = &world.db;
    let units = program.units(db);
    if units.is_empty() {
        let roots: Vec<&str> = program.roots(db).iter().map(|root| root.path(db)).collect();
        return scratch.add_program(&roots, program.options(db).clone());
    }
    let units = units.iter().filter_map(|unit| Some((unit.roots(db).first()?.path(db), unit.options(db).clone())));
    scratch.add_whole(units.collect(), program.options(db).clone())
}

/// Returns the first diagnostic that only the renamed program has.
fn first_new<'d>(before: &[Rendered], after: &'d [Rendered]) -> Option<&'d Rendered> {
    let mut left: FxHashMap<Code, i64> = FxHashMap::default();
    before.iter().for_each(|diagnostic| *left.entry(diagnostic.code).or_default() += 1);
    after.iter().find(|diagnostic| {
        let count = left.entry(diagnostic.code).or_default();
        *count -= 1;
        *count < 0
    })
}
