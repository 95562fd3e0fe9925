//! Adds a second global at the same binding for buffers of words that are also used as word pairs.
//!
//! This runs after `promote`, when the operand of every [`Op::Wide`] is the buffer's global or an element of it.

use super::associated_globals::{counterpart, visit_lets};
use crate::Symbol;
use crate::function::*;
use crate::module::{Global, GlobalKind, Module};
use crate::types::{Scalar, Type};
use indexmap::IndexMap;

/// A buffer that cannot be traced to a global.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WideAtomicError {
    pub function: Symbol,
}

impl std::fmt::Display for WideAtomicError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("control flow chooses the buffer of a 64-bit atomic")
    }
}

impl std::error::Error for WideAtomicError {}

/// Replaces every [`Op::Wide`] of a module.
pub fn wide_atomics(module: &mut Module) -> Result<(), WideAtomicError> {
    let Module { functions, globals, .. } = module;
    let mut views = IndexMap::new();
    let mut view = |name: &Symbol| -> Option<Global> {
        let global = view_of(globals.get(name)?)?;
        views.insert(global.name.clone(), global.clone());
        Some(global)
    };
    for function in functions.values_mut() {
        let mut body = std::mem::take(&mut function.body);
        let done = visit_lets(&mut body, &mut |id, out| {
            let Op::Wide(buffer) = function.value(id)?.op else { return Some(()) };
            let made = counterpart(buffer, function, &mut view, out)?;
            // The value keeps the id that other values use.
            out.pop();
            function.values[id].op = function.value(made)?.op.clone();
            Some(())
        });
        function.body = body;
        done.ok_or_else(|| WideAtomicError { function: function.name.clone() })?;
    }
    globals.extend(views);
    Ok(())
}

/// Returns the global that views a buffer of words as word pairs.
fn view_of(global: &Global) -> Option<Global> {
    let GlobalKind::Buffer { writable, coherent, binding, .. } = &global.kind else { return None };
    let kind = GlobalKind::Buffer {
        element: Type::U64,
        stride: Scalar::U64.size(),
        writable: *writable,
        coherent: *coherent,
        counter: None,
        binding: binding.clone(),
    };
    Some(Global { name: format!("{}.wide", global.name).into(), kind })
}
