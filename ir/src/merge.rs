//! Joins the modules of several translation units.
//!
//! Units that include one header have the same functions and globals: those are shared. What has the same name and is
//! something else, or uses something that is, gets the name of its unit in front: `unit::name`.

use crate::Symbol;
use crate::function::{Function, Op, Stmt};
use crate::module::{Global, GlobalKind, Module};
use crate::walk;
use compact_str::format_compact;
use rustc_hash::{FxHashMap, FxHashSet};

/// Adds the functions, globals and entries of `from`, which is called `unit`. The graph is left to the caller: gives the
/// new names of symbols that have changed.
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

/// Symbols that mean the same in both modules: equal definitions of which all that they mention is shared too.
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
    // Each turn takes away those that mention what the turn before took away.
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

/// Functions and globals that a function names.
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

/// The module with other names for some of its functions, wherever they stand.
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
