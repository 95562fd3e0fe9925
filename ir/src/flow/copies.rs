//! Fields of records that repeat what a constant buffer holds, and what else is stored there: advice to the producers of a
//! node is made of it, when all of them agree.

use super::places::{Root, root_of};
use super::tree::Tree;
use crate::Symbol;
use crate::function::*;
use crate::passes::stored_once;
use crate::position::Position;
use crate::types::{Space, Type};
use rustc_hash::FxHashMap;

/// What is stored in a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stored {
    pub record: Type,
    /// Constant indexes that lead to what is written, up to the first that is none.
    pub path: Vec<u32>,
    /// The constant buffer, and the indexes there; `None` for any other value.
    pub from: Option<(Symbol, Vec<u32>)>,
    pub at: Option<Position>,
}

/// All that is stored in records of those types of which some field repeats a constant.
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
        // A whole record that lies there is something that the host has prepared.
        let is_known = !path.is_empty() && is_constant(tree.function, place);
        let from = value.filter(|_| is_known).and_then(|value| constant(tree.function, &once, value));
        out.push(Stored { record, path, from, at: step.at });
    }
    let copied: Vec<Type> = out.iter().filter(|s| s.from.is_some()).map(|s| s.record.clone()).collect();
    out.retain(|stored| copied.contains(&stored.record));
    out
}

/// The part of a constant buffer that a value is, also by way of variables that are set once.
fn constant(function: &Function, once: &FxHashMap<LocalId, ValueId>, mut value: ValueId) -> Option<(Symbol, Vec<u32>)> {
    let mut from = loaded(function, value)?;
    while let Some(Op::Local(local)) = function.value(from).map(|place| &place.op) {
        // What is stored has a lower number than what is loaded from there.
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

/// Whether only constant indexes lead to a place.
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
