//! Joins the modules of several translation units.
//!
//! Units that include the same header have the same functions and globals, which are shared. A symbol with the same
//! name and another definition gets the name of its unit as a prefix: `unit::name`. The same applies to a symbol that
//! uses such a symbol.

use crate::Symbol;
use crate::function::{Function, Op, Stmt};
use crate::module::{Global, GlobalKind, Module};
use crate::walk;
use compact_str::format_compact;
use rustc_hash::{FxHashMap, FxHashSet};

/// Adds the functions, globals and entries of `from`, which is called `unit`. Returns the new names of changed symbols,
/// with which the caller merges the graph.
pub fn merge(into: &mut Module, from: Module, unit: &str) -> FxHashMap<Symbol, Symbol> {
    let shared = shared(into, &from);
    let mut renamed: FxHashMap<Symbol, Symbol> = FxHashMap::default();
    for name in from.functions.keys().chain(from.globals.keys()).filter(|name| !shared.contains(*name)) {
        let taken = |name: &Symbol| into.functions.contains_key(name) || into.globals.contains_key(name);
        if !taken(name) {
            continue;
        }
        let mut new = format_compact!("{unit}::{name}");
        while taken(&new) || from.functions.contains_key(&new) || from.globals.contains_key(&new) {
            new.push('\'');
        }
        renamed.insert(name.clone(), new);
    }
    for (name, mut function) in from.functions {
        if !shared.contains(&name) {
            rename_function(&mut function, &renamed);
            into.add_function(function);
        }
    }
    for (name, mut global) in from.globals {
        if !shared.contains(&name) {
            rename_global(&mut global, &renamed);
            into.add_global(global);
        }
    }
    for mut entry in from.entries {
        replace(&mut entry.function, &renamed);
        entry.specialised.iter_mut().flat_map(|(_, by)| by.constants_mut()).for_each(|by| replace(by, &renamed));
        into.entries.push(entry);
    }
    renamed
}

/// Returns the symbols that are equal in both modules: equal definitions that mention only shared symbols.
fn shared(a: &Module, b: &Module) -> FxHashSet<Symbol> {
    let functions = b.functions.iter().filter(|(name, f)| a.functions.get(*name) == Some(*f)).map(|(name, _)| name);
    let globals = b.globals.iter().filter(|(name, g)| a.globals.get(*name) == Some(*g)).map(|(name, _)| name);
    let mut shared: FxHashSet<Symbol> = functions.chain(globals).cloned().collect();
    let mentions: Vec<(&Symbol, Vec<&Symbol>)> = b
        .functions
        .iter()
        .map(|(name, function)| (name, mentioned(function)))
        .chain(b.globals.iter().map(|(name, global)| (name, global.counter().into_iter().collect())))
        .collect();
    // Each iteration removes the symbols that mention those removed by the previous one.
    loop {
        let before = shared.len();
        for (name, mentioned) in &mentions {
            if mentioned.iter().any(|m| !shared.contains(*m)) {
                shared.remove(*name);
            }
        }
        if shared.len() == before {
            return shared;
        }
    }
}

/// Returns the functions and globals that a function names.
pub fn mentioned(function: &Function) -> Vec<&Symbol> {
    let mut out = Vec::new();
    walk::statements(&function.body, &mut |stmt| {
        if let Stmt::Call { callee, .. } = stmt {
            out.push(callee);
        }
    });
    out.extend(function.values.values().filter_map(|value| match &value.op {
        Op::Call { callee, .. } => Some(callee),
        Op::Global(name) => Some(name),
        _ => None,
    }));
    out
}

fn replace(name: &mut Symbol, renamed: &FxHashMap<Symbol, Symbol>) {
    if let Some(new) = renamed.get(name) {
        *name = new.clone();
    }
}

/// Returns the module with some of its functions renamed everywhere.
#[must_use]
pub fn rename_functions(mut module: Module, renamed: &FxHashMap<Symbol, Symbol>) -> Module {
    for (_, mut function) in std::mem::take(&mut module.functions) {
        rename_function(&mut function, renamed);
        module.add_function(function);
    }
    module.entries.iter_mut().for_each(|entry| replace(&mut entry.function, renamed));
    module
}

fn rename_function(function: &mut Function, renamed: &FxHashMap<Symbol, Symbol>) {
    if renamed.is_empty() {
        return;
    }
    replace(&mut function.name, renamed);
    walk::statements_mut(&mut function.body, &mut |stmt| {
        if let Stmt::Call { callee, .. } = stmt {
            replace(callee, renamed);
        }
    });
    for value in function.values.values_mut() {
        match &mut value.op {
            Op::Call { callee, .. } | Op::Global(callee) => replace(callee, renamed),
            _ => {}
        }
    }
}

fn rename_global(global: &mut Global, renamed: &FxHashMap<Symbol, Symbol>) {
    replace(&mut global.name, renamed);
    if let GlobalKind::Buffer { counter: Some(counter), .. } = &mut global.kind {
        replace(counter, renamed);
    }
}
