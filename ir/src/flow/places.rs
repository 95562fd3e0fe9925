//! Locates places in memory outside of the function.

use crate::Symbol;
use crate::function::{Function, Op, ValueId};
use crate::types::Type;

#[derive(Clone, Debug, PartialEq)]
pub enum Root {
    /// The record of a node's input.
    Input,
    /// A record of this type for other nodes.
    Output(Type),
    Global(Symbol),
}

/// Returns the memory that a place is in, and the constant indexes to it, up to the first variable one. Returns `None`
/// for memory of the thread.
pub fn root_of(function: &Function, place: ValueId) -> Option<(Root, Vec<u32>)> {
    let mut path = Vec::new();
    let mut at = place;
    let root = loop {
        let value = function.value(at)?;
        at = match &value.op {
            Op::Field { base, index } => {
                path.push(Some(*index));
                *base
            }
            Op::Index { base, index } => {
                path.push(function.constant(*index).map(|c| c.bits as u32));
                *base
            }
            Op::InputRecord { .. } => break Root::Input,
            Op::OutputRecord { .. } => break Root::Output(value.ty.pointee()?.clone()),
            Op::Global(name) => break Root::Global(name.clone()),
            _ => return None,
        };
    };
    Some((root, path.into_iter().rev().map_while(|index| index).collect()))
}
