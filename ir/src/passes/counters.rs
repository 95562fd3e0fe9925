//! Counters of buffers become plain memory: the word of the global that the buffer names as its counter.
//!
//! This stands behind `promote`, when the operand of every [`Op::Counter`] is the buffer's global or an element of it.

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
        write!(f, "which buffer's counter {} works on is not known", self.function)
    }
}

impl std::error::Error for CounterError {}

/// Replaces every [`Op::Counter`] of a module.
pub fn counters(module: &mut Module) -> Result<(), CounterError> {
    let Module { functions, globals, .. } = module;
    let counter = |name: &Symbol| match &globals.get(name)?.kind {
        GlobalKind::Buffer { counter, .. } => globals.get(counter.as_ref()?),
        _ => None,
    };
    for function in functions.values_mut() {
        if function.values.values().any(|v| matches!(v.op, Op::Counter(_))) {
            let mut body = std::mem::take(&mut function.body);
            let done = block(&mut body, function, &counter);
            function.body = body;
            done.ok_or_else(|| CounterError { function: function.name.clone() })?;
        }
    }
    Ok(())
}

fn block<'a>(
    body: &mut Block,
    function: &mut Function,
    counter: &impl Fn(&Symbol) -> Option<&'a Global>,
) -> Option<()> {
    let mut out = Block::with_capacity(body.len());
    for mut stmt in std::mem::take(body) {
        for inner in stmt.blocks_mut() {
            block(inner, function, counter)?;
        }
        if let Stmt::Let(id) = stmt
            && let Some(Value { op: Op::Counter(buffer), .. }) = function.value(id)
        {
            let buffer = *buffer;
            let place = of_buffer(buffer, function, counter, &mut out)?;
            let zero = make(function, Type::U32, Op::Const(ScalarConst::u32(0)), &mut out);
            function.values[id].op = Op::Index { base: place, index: zero };
        }
        out.push(stmt);
    }
    *body = out;
    Some(())
}

fn make(function: &mut Function, ty: Type, op: Op, out: &mut Block) -> ValueId {
    let id = function.values.alloc(Value::new(ty, op));
    out.push(Stmt::Let(id));
    id
}

/// The place of the counter buffer that goes with a buffer.
fn of_buffer<'a>(
    buffer: ValueId,
    function: &mut Function,
    counter: &impl Fn(&Symbol) -> Option<&'a Global>,
    out: &mut Block,
) -> Option<ValueId> {
    match function.value(buffer)?.op.clone() {
        Op::Global(name) => {
            let global = counter(&name)?;
            Some(make(function, global.value_type(), Op::Global(global.name.clone()), out))
        }
        Op::Descriptor { array, index } => {
            let array = of_buffer(array, function, counter, out)?;
            let Some(Type::Descriptors { element, .. }) = function.type_of(array) else { return None };
            let element = (**element).clone();
            Some(make(function, element, Op::Descriptor { array, index }, out))
        }
        _ => None,
    }
}
