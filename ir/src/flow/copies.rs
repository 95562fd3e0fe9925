//! Finds record fields that repeat a value of a constant buffer, and all other values stored there. If all producers of
//! a node agree, they get advice.

use super::places::{Root, root_of};
use super::tree::Tree;
use crate::Symbol;
use crate::function::*;
use crate::passes::stored_once;
use crate::position::Position;
use crate::types::{Space, Type};
use rustc_hash::FxHashMap;

/// A value stored in a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stored {
    pub record: Type,
    /// The constant indexes of the written part, up to the first variable index.
    pub path: Vec<u32>,
    /// The constant buffer and the indexes there; `None` for any other value.
    pub from: Option<(Symbol, Vec<u32>)>,
    pub at: Option<Position>,
}

/// Returns all stores into record types that have a field with a repeated constant.
pub fn stored(tree: &Tree<'_>) -> Vec<Stored> {
    let mut out = Vec::new();
    let once = stored_once(tree.function);
    for step in &tree.steps {
        let (place, value) = match step.stmt {
            Stmt::Store { place, value } => (*place, Some(*value)),
            Stmt::Let(id) => match tree.function.value(*id).map(|value| &value.op) {
                Some(Op::Atomic { place, .. }) => (*place, None),
                _ => continue,
            },
            _ => continue,
        };
        let Some((Root::Output(record), path)) = root_of(tree.function, place) else { continue };
        // A whole record in a constant buffer was prepared by the host.
        let is_known = !path.is_empty() && is_constant(tree.function, place);
        let from = value.filter(|_| is_known).and_then(|value| constant(tree.function, &once, value));
        out.push(Stored { record, path, from, at: step.at });
    }
    let copied: Vec<Type> = out.iter().filter(|s| s.from.is_some()).map(|s| s.record.clone()).collect();
    out.retain(|stored| copied.contains(&stored.record));
    out
}

/// Returns the part of a constant buffer that a value comes from, possibly through variables with a single store.
fn constant(function: &Function, once: &FxHashMap<LocalId, ValueId>, mut value: ValueId) -> Option<(Symbol, Vec<u32>)> {
    let mut from = loaded(function, value)?;
    while let Some(Op::Local(local)) = function.value(from).map(|place| &place.op) {
        // A stored value has a lower number than the load of it.
        value = once.get(local).copied().filter(|stored| stored.into_raw() < value.into_raw())?;
        from = loaded(function, value)?;
    }
    let Some(Type::Ref(Space::Uniform | Space::PushConstant, _)) = function.type_of(from) else { return None };
    match root_of(function, from)? {
        (Root::Global(name), path) if is_constant(function, from) => Some((name, path)),
        _ => None,
    }
}

fn loaded(function: &Function, value: ValueId) -> Option<ValueId> {
    if let Op::Load(from) = function.value(value)?.op { Some(from) } else { None }
}

/// Returns whether a place has only constant indexes.
fn is_constant(function: &Function, mut place: ValueId) -> bool {
    while let Some(value) = function.value(place) {
        place = match &value.op {
            Op::Field { base, .. } => *base,
            Op::Index { base, index } if function.constant(*index).is_some() => *base,
            Op::Index { .. } => return false,
            _ => return true,
        };
    }
    false
}
