//! Static variables of guests. Each invocation begins with their initial values, so the fused function stores these
//! before each call of a guest.

use super::memory::Touched;
use super::rules::{MAX_STATIC_SCALARS, Reason};
use crate::Symbol;
use crate::builder::FunctionBuilder;
use crate::function::Block;
use crate::module::{Constant, Global, GlobalKind, Module};
use crate::passes::localise;
use crate::types::{Space, Type};
use indexmap::IndexMap;
use rustc_hash::FxHashSet;

/// Returns the static variables of a module that some function changes.
pub(super) fn written(module: &Module) -> FxHashSet<Symbol> {
    let mut all = FxHashSet::default();
    for function in module.functions.values() {
        all.extend(Touched::of_body(module, function).written_statics().cloned());
    }
    all
}

/// Returns the static variables that a guest uses and some function changes, in a fixed order.
///
/// # Errors
/// One of them is large.
pub(super) fn to_reset(module: &Module, guest: &Touched, written: &FxHashSet<Symbol>) -> Result<Vec<Symbol>, Reason> {
    let mut found: Vec<Symbol> = guest.statics().filter(|name| written.contains(*name)).cloned().collect();
    found.sort_unstable();
    let is_small = |name: &Symbol| match module.globals.get(name).map(|global| &global.kind) {
        Some(GlobalKind::Private { ty, .. }) => localise::scalars(ty) <= MAX_STATIC_SCALARS,
        _ => false,
    };
    if found.iter().all(is_small) { Ok(found) } else { Err(Reason::Statics) }
}

/// Stores the initial values of static variables.
pub(super) fn reset(b: &mut FunctionBuilder, globals: &IndexMap<Symbol, Global>, names: &[Symbol]) {
    for name in names {
        let Some(GlobalKind::Private { ty, init }) = globals.get(name).map(|global| &global.kind) else { continue };
        let mut statements = Block::new();
        let value = init.as_ref().unwrap_or(&Constant::Zero);
        let value = localise::constant(b.function_mut(), ty, value, &mut statements);
        statements.into_iter().for_each(|stmt| b.push(stmt));
        let place = b.global_as(name.clone(), Type::reference(Space::Private, ty.clone()));
        b.store(place, value);
    }
}
