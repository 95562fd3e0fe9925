//! The callers of a function, and the functions that it calls.

use super::navigate::{all_parts, bare, each_once, named, parts, symbols_at, uses_of, with_family};
use crate::lsp::world::Snapshot;
use rustc_hash::FxHashMap;
use wgc_ide::{OutlineKind, Symbol};
use wgc_sema::db::diagnostic::FileRange;

/// The function at one end of calls, and the locations of the calls.
#[derive(Debug)]
pub struct Call {
    pub other: Symbol,
    pub at: Vec<FileRange>,
}

/// A cache of the functions of each file.
#[derive(Default)]
struct Functions(FxHashMap<String, Vec<Symbol>>);

impl Functions {
    fn of(&mut self, world: &Snapshot, path: &str) -> &[Symbol] {
        fn gather(symbol: Symbol, out: &mut Vec<Symbol>) {
            if matches!(symbol.kind, OutlineKind::Function | OutlineKind::Method | OutlineKind::Node) {
                return out.push(symbol);
            }
            let around = symbol.full_name();
            let children = symbol.children.into_iter();
            children.for_each(|child| gather(Symbol { scope: around.clone(), ..child }, out));
        }
        self.0.entry(path.to_owned()).or_insert_with(|| {
            let mut out = Vec::new();
            super::outline(world, path, false).into_iter().for_each(|symbol| gather(symbol, &mut out));
            out
        })
    }

    /// Returns the function that contains a location after its name.
    fn around(&mut self, world: &Snapshot, at: &FileRange) -> Option<Symbol> {
        let is_in = |symbol: &&Symbol| symbol.name_range.hi <= at.lo && at.hi <= symbol.range.hi;
        self.of(world, &at.file).iter().filter(is_in).max_by_key(|symbol| symbol.range.lo).cloned()
    }

    fn named(&mut self, world: &Snapshot, name: &FileRange) -> Option<Symbol> {
        let is_it = |symbol: &&Symbol| (symbol.name_range.lo, symbol.name_range.hi) == (name.lo, name.hi);
        self.of(world, &name.file).iter().find(is_it).cloned()
    }
}

/// Returns the functions that are named at a location, by their definitions.
pub fn functions_at(world: &Snapshot, path: &str, at: u32) -> Vec<Symbol> {
    let mut functions = Functions::default();
    let all = named(world, path, at).into_iter();
    let defined = all.filter_map(|(part, one)| defined(world, part, &one.symbol));
    each_once(each_once(defined).iter().filter_map(|name| functions.named(world, name)))
}

/// Returns the location of the definition of a symbol.
fn defined(
    world: &Snapshot,
    part: wgc_sema::db::Program,
    symbol: &wgc_sema::types::name_uses::Symbol<'_>,
) -> Option<FileRange> {
    let first = wgc_ide::declared_everywhere(&world.db, part, symbol).into_iter().next()?;
    (!wgc_sema::db::is_built_in(&first.file)).then_some(first)
}

/// Returns the callers of the function that is named at a location, and of its family of methods.
pub fn callers(world: &Snapshot, path: &str, at: u32) -> Vec<Call> {
    let mut functions = Functions::default();
    let ids = with_family(world, symbols_at(world, path, at));
    let mut out: Vec<Call> = Vec::new();
    for part in all_parts(world) {
        for (name, at) in wgc_ide::callers(&world.db, part, &ids) {
            if let Some(other) = functions.named(world, &name) {
                add(&mut out, other, bare(&at));
            }
        }
    }
    // Calls in default arguments, which belong to no body.
    for found in uses_of(world, &ids).into_iter().filter(|found| !found.declares) {
        if let Some(other) = functions.around(world, &found.range) {
            add(&mut out, other, found.range);
        }
    }
    out
}

/// Returns the functions that the function named at a location calls.
pub fn called(world: &Snapshot, path: &str, at: u32) -> Vec<Call> {
    let mut functions = Functions::default();
    let mut out: Vec<Call> = Vec::new();
    let own: Vec<Symbol> = functions_at(world, path, at);
    for own in own {
        for part in parts(world, &own.range.file) {
            for (at, symbol) in wgc_ide::calls_in(&world.db, part, &own.range) {
                let name = defined(world, part, &symbol);
                if let Some(other) = name.and_then(|name| functions.named(world, &name)) {
                    add(&mut out, other, bare(&at));
                }
            }
        }
    }
    out
}

fn add(out: &mut Vec<Call>, other: Symbol, at: FileRange) {
    let nth = out.iter().position(|call| call.other == other).unwrap_or_else(|| {
        out.push(Call { other, at: Vec::new() });
        out.len() - 1
    });
    if !out[nth].at.contains(&at) {
        out[nth].at.push(at);
    }
}
