//! Replaces counters of buffers by plain memory: the word in the global that the buffer names as its counter.
//!
//! This runs after `promote`, when the operand of every [`Op::Counter`] is the buffer's global or an element of it.

use super::associated_globals::{counterpart, make, visit_lets};
use crate::Symbol;
use crate::function::*;
use crate::module::{Global, GlobalKind, Module};
use crate::types::Type;

/// A buffer that cannot be traced to a global, or that has no counter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CounterError {
    pub function: Symbol,
}

impl std::fmt::Display for CounterError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("control flow chooses the buffer of the counter")
    }
}

impl std::error::Error for CounterError {}

/// Replaces every [`Op::Counter`] of a module.
pub fn counters(module: &mut Module) -> Result<(), CounterError> {
    let Module { functions, globals, .. } = module;
    let mut counter = |name: &Symbol| -> Option<Global> {
        match &globals.get(name)?.kind {
            GlobalKind::Buffer { counter, .. } => globals.get(counter.as_ref()?).cloned(),
            _ => None,
        }
    };
    for function in functions.values_mut() {
        let mut body = std::mem::take(&mut function.body);
        let done = visit_lets(&mut body, &mut |id, out| {
            let Op::Counter(buffer) = function.value(id)?.op else { return Some(()) };
            let base = counterpart(buffer, function, &mut counter, out)?;
            let index = make(function, Type::U32, Op::Const(ScalarConst::u32(0)), out);
            function.values[id].op = Op::Index { base, index };
            Some(())
        });
        function.body = body;
        done.ok_or_else(|| CounterError { function: function.name.clone() })?;
    }
    Ok(())
}
