//! Programs of several translation units: one graph with nodes from separately compiled files.
//!
//! Each unit is a program with its own macros, names and IR. A whole program has units instead of roots. Queries about
//! the graph alone (targets, entries, budgets) read the nodes of all units. Everything else is computed for each unit,
//! so that an edit in one file recomputes nothing for another. This module links the units: it assigns bindings over
//! all of them and joins the modules (`wgc_ir::merge`).

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

/// Returns prefixes for clashing symbols: the units' file names, numbered if a file occurs twice.
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

/// Returns the prefix of a unit in the module of a whole program; `None` for the first.
pub(crate) fn unit_name(db: &dyn Db, whole: Program, unit: Program) -> Option<String> {
    let units = units(db, whole);
    let nth = units.iter().position(|u| *u == unit).filter(|nth| *nth > 0)?;
    names(db, &units).into_iter().nth(nth)
}

/// Joins the modules of the units, with the graph of the whole program.
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
    // The unit that each function of the module came from.
    let mut origin: Vec<Option<&str>> = Vec::new();
    for (n, ((unit, name), bindings)) in units.iter().zip(&names).zip(bindings).enumerate() {
        let linked = link(db, *unit);
        out.reached.extend(linked.reached.iter().copied());
        out.units.extend(linked.units.iter().cloned());
        let Some(part) = &linked.module else {
            complete = false;
            continue;
        };
        // In a program with nodes, compute shaders belong to another stage.
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
    // After all comparisons, as units that share code use the positions of the first.
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

/// Reports compute shaders of the same name, as hosts find them by name.
fn duplicate_entries<'db>(db: &'db dyn Db, program: Program) -> Vec<Diagnostic<'db>> {
    let mut first: BTreeMap<Symbol, FnInst<'db>> = BTreeMap::new();
    let mut out = Vec::new();
    for f in compute_entries(db, program) {
        let inst = FnInst::new(db, *f, None, Vec::new());
        let name = symbol::entry(db, inst);
        let place = fn_signature(db, inst).name_place;
        match first.get(&name) {
            Some(other) => {
                let message = format!("duplicate compute shader `{name}`");
                let other = fn_signature(db, *other).name_place;
                out.push(Diagnostic::new(Code::Redefinition, place, message).also(other, "the first one"));
            }
            None => _ = first.insert(name, inst),
        }
    }
    out
}
