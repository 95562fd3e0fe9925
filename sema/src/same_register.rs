//! Two resources of one register. A host puts one thing there, which either of them names: nodes that never run together,
//! or with other local root arguments, have it so. A shader that uses both is a mistake.

use crate::bindings::bindings;
use crate::db::{Db, Program};
use crate::diagnostic::Diagnostic;
use crate::link::link;
use rustc_hash::FxHashSet;
use wgc_ir::{Function, Module, Op, Stmt, Symbol, walk};

/// A pair of symbols, and what to say where one shader uses both.
#[derive(Clone, Debug, PartialEq, Eq, salsa::SalsaValue)]
pub struct Pair<'db> {
    pub first: String,
    pub second: String,
    pub diagnostic: Diagnostic<'db>,
}

/// The pairs that one shader of a translation unit uses together.
pub(crate) fn diagnostics<'db>(db: &'db dyn Db, unit: Program) -> Vec<Diagnostic<'db>> {
    let pairs = &bindings(db, unit).pairs;
    let Some(module) = link(db, unit).module.as_ref().filter(|_| !pairs.is_empty()) else { return Vec::new() };
    let nodes = module.graph.nodes.iter().map(|node| &node.function);
    let shaders = nodes.chain(module.entries.iter().map(|entry| &entry.function));
    let used: Vec<FxHashSet<&str>> = shaders.map(|shader| globals_of(module, shader)).collect();
    let together = |pair: &&Pair<'db>| {
        used.iter().any(|used| used.contains(pair.first.as_str()) && used.contains(pair.second.as_str()))
    };
    pairs.iter().filter(together).map(|pair| pair.diagnostic.clone()).collect()
}

/// The globals that a function names, itself or in what it calls.
fn globals_of<'m>(module: &'m Module, root: &'m Symbol) -> FxHashSet<&'m str> {
    let (mut globals, mut seen, mut todo) = (FxHashSet::default(), FxHashSet::default(), vec![root]);
    while let Some(name) = todo.pop() {
        let Some(function) = module.functions.get(name).filter(|_| seen.insert(name)) else { continue };
        names_of(function, &mut globals, &mut todo);
    }
    globals
}

fn names_of<'m>(function: &'m Function, globals: &mut FxHashSet<&'m str>, todo: &mut Vec<&'m Symbol>) {
    for value in function.values.values() {
        match &value.op {
            Op::Global(name) => {
                globals.insert(name.as_str());
            }
            Op::Call { callee, .. } => todo.push(callee),
            _ => {}
        }
    }
    walk::statements(&function.body, &mut |stmt| {
        if let Stmt::Call { callee, .. } = stmt {
            todo.push(callee);
        }
    });
}
