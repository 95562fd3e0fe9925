//! Operations on a buffer that refer to another global, such as its counter.

use crate::Symbol;
use crate::function::*;
use crate::module::Global;
use crate::types::Type;

/// Calls `f` before every `Let`, with the block that it may add statements to.
pub(super) fn visit_lets(body: &mut Block, f: &mut impl FnMut(ValueId, &mut Block) -> Option<()>) -> Option<()> {
    let mut out = Block::with_capacity(body.len());
    for mut stmt in std::mem::take(body) {
        for inner in stmt.blocks_mut() {
            visit_lets(inner, f)?;
        }
        if let Stmt::Let(id) = stmt {
            f(id, &mut out)?;
        }
        out.push(stmt);
    }
    *body = out;
    Some(())
}

/// Adds a new value at the end of a block.
pub(super) fn make(function: &mut Function, ty: Type, op: Op, out: &mut Block) -> ValueId {
    let id = function.values.alloc(Value::new(ty, op));
    out.push(Stmt::Let(id));
    id
}

/// Returns the counterpart of a buffer, a global or an element of one, in the global that `other` returns for its
/// global.
pub(super) fn counterpart(
    buffer: ValueId,
    function: &mut Function,
    other: &mut impl FnMut(&Symbol) -> Option<Global>,
    out: &mut Block,
) -> Option<ValueId> {
    match function.value(buffer)?.op.clone() {
        Op::Global(name) => {
            let global = other(&name)?;
            Some(make(function, global.value_type(), Op::Global(global.name), out))
        }
        Op::Descriptor { array, index } => {
            let array = counterpart(array, function, other, out)?;
            let Some(Type::Descriptors { element, .. }) = function.type_of(array) else { return None };
            let element = (**element).clone();
            Some(make(function, element, Op::Descriptor { array, index }, out))
        }
        _ => None,
    }
}
