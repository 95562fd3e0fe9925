//! Programs of several translation units: one graph whose nodes come from files that know nothing of each other.
//!
//! Each unit is a program of its own, with its own macros, names and IR. A whole has units in place of roots; what
//! concerns the graph alone (targets, entries, budgets) reads the nodes of all units, and everything else is asked of
//! each unit, so that an edit in one file runs nothing again of another. Here the units become one module: bindings are
//! given out over all of them, and modules are joined (`wgc_ir::merge`).

use crate::check::symbol;
use crate::db::diagnostic::Diagnostic;
use crate::db::ty::FnInst;
use crate::db::units;
use crate::db::{Db, Program};
use crate::graph::graph;
use crate::link::bindings::{Bindings, bind};
use crate::link::compute::compute_entries;
use crate::link::joint_bindings::{JointBindings, bindings};
use crate::link::source_map::of_unit;
use crate::link::usage::Usage;
use crate::link::{Linked, link};
use crate::tables::codes::Code;
use crate::tables::collections::IndexSet;
use crate::types::resource_types::is_counter;
use crate::types::signature::fn_signature;
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use wgc_ir::{Module, Symbol};

/// What the units are called where their symbols clash: by their files, numbered when a file is there twice.
pub(crate) fn names(db: &dyn Db, units: &[Program]) -> Vec<String> {
    let stem = |unit: &Program| {
        let path = unit.roots(db).first().map_or("", |file| file.path(db));
        let file = path.rsplit_once('/').map_or(path, |(_, file)| file);
        file.split_once('.').map_or(file, |(stem, _)| stem).to_owned()
    };
    let stems: Vec<String> = units.iter().map(stem).collect();
    let nth = |n: usize| stems[..n].iter().filter(|s| **s == stems[n]).count() + 1;
    (0..stems.len()).map(|n| if nth(n) == 1 { stems[n].clone() } else { format!("{}#{}", stems[n], nth(n)) }).collect()
}

/// What a unit behind the first is called in the module of a whole.
pub(crate) fn unit_name(db: &dyn Db, whole: Program, unit: Program) -> Option<String> {
    let units = units(db, whole);
    let nth = units.iter().position(|u| *u == unit).filter(|nth| *nth > 0)?;
    names(db, &units).into_iter().nth(nth)
}

/// The modules of the units as one, with the graph of the whole.
pub(crate) fn linked<'db>(db: &'db dyn Db, program: Program) -> Linked<'db> {
    let units = units(db, program);
    let names = names(db, &units);
    let JointBindings { of: bindings, diagnostics: of_bindings } = bindings(db, program);
    let whole = graph(db, program);
    let mut module = Module { graph: whole.graph.clone(), ..Module::default() };
    let (reached, parts) = (IndexSet::default(), IndexSet::default());
    let renamed = FxHashMap::default();
    let mut out = Linked {
        module: None,
        reached,
        units: parts,
        renamed,
        usage: Usage::default(),
        bindings: Bindings { diagnostics: of_bindings.clone(), ..Bindings::default() },
        diagnostics: duplicate_entries(db, program),
    };
    let mut complete = true;
    // For each function of the module the unit that it came from.
    let mut origin: Vec<Option<&str>> = Vec::new();
    for (n, ((unit, name), bindings)) in units.iter().zip(&names).zip(bindings).enumerate() {
        let linked = link(db, *unit);
        out.reached.extend(linked.reached.iter().copied());
        out.units.extend(linked.units.iter().cloned());
        let Some(part) = &linked.module else {
            complete = false;
            continue;
        };
        // Beside nodes, compute shaders belong to another stage.
        if part.graph.nodes.is_empty() && !module.graph.nodes.is_empty() {
            continue;
        }
        let mut part = part.clone();
        bind(bindings, &mut part);
        for global in part.globals.values_mut() {
            if let Some(binding) = global.binding_mut().filter(|binding| binding.heap.is_some()) {
                // Equal in all units, until all are known.
                (binding.set, binding.binding) = (0, 0);
            }
        }
        out.renamed.insert(*unit, wgc_ir::merge::merge(&mut module, part, name));
        origin.resize(module.functions.len(), (n > 0).then_some(name.as_str()));
    }
    // Once all are compared: what units share has the positions of the first that has it.
    for (function, unit) in module.functions.values_mut().zip(origin) {
        let Some(unit) = unit else { continue };
        function.scopes.values_mut().for_each(|scope| scope.text = of_unit(scope.text.clone(), unit));
    }
    let others = module.globals.values().filter_map(|g| g.binding()).filter(|b| b.heap.is_none());
    let mut taken: BTreeSet<(u32, u32)> = others.map(|b| (b.set, b.binding)).collect();
    taken.extend(bindings.iter().flat_map(|of| of.iter()).filter(|(name, _)| !is_counter(name)).map(|(_, slot)| *slot));
    crate::link::heaps::place(&mut module, &program.options(db).bindings, taken.into_iter());
    for (node, function) in module.graph.nodes.iter_mut().zip(&whole.functions) {
        for symbol in node.specialised.iter_mut().flat_map(|(_, by)| by.constants_mut()).chain([&mut node.function]) {
            *symbol = out.symbol(function.item.program(db), symbol).clone();
        }
    }
    out.module = (complete && out.diagnostics.is_empty()).then_some(module);
    out
}

/// Hosts find compute shaders by name.
fn duplicate_entries<'db>(db: &'db dyn Db, program: Program) -> Vec<Diagnostic<'db>> {
    let mut first: BTreeMap<Symbol, FnInst<'db>> = BTreeMap::new();
    let mut out = Vec::new();
    for f in compute_entries(db, program) {
        let inst = FnInst::new(db, *f, None, Vec::new());
        let name = symbol::entry(db, inst);
        let place = fn_signature(db, inst).name_place;
        match first.get(&name) {
            Some(other) => {
                let message = format!("two compute shaders are `{name}`");
                let other = fn_signature(db, *other).name_place;
                out.push(Diagnostic::new(Code::Redefinition, place, message).also(other, "the first one"));
            }
            None => _ = first.insert(name, inst),
        }
    }
    out
}
