//! Removes stores to locals that nothing reads before another store, or the end of the function, replaces their value.
//!
//! One walk from the end of each block tracks the elements of locals that every path from there stores before it reads
//! them. Loops are not repeated: an element that a loop reads is not tracked inside it.
//!
//! Locals whose place has other uses than loads and stores keep their stores. A variable that loses a store is no longer shown,
//! because its memory has an older value.

use super::dead::retain_by;
use crate::function::*;
use crate::types::Type;
use crate::value_map::ValueMap;
use crate::walk;
use rustc_hash::FxHashMap;

/// The most locals that are tracked. Few functions have more that are not values.
const MAX_TRACKED: usize = 64;

/// The most elements that are tracked separately. Larger locals count as a whole.
const MAX_ELEMENTS: u32 = 64;

/// Removes such stores from a function.
pub fn overwritten(function: &mut Function) {
    let Some(tracked) = Tracked::of(function) else { return };
    let mut body = std::mem::take(&mut function.body);
    let end = tracked.all.clone();
    let targets = Targets { returned: &end, broken: &end, continued: &end };
    let mut changed = vec![false; end.len()];
    tracked.block(&mut body, end.clone(), targets, &mut changed);
    function.body = body;
    for (&id, _) in tracked.locals.iter().zip(changed).filter(|(_, changed)| *changed) {
        function.locals[id].variable = None;
    }
}

/// For each tracked local, a bit for each element. The bit is set if the element is stored before it is read.
type Elements = Vec<u64>;

/// A part of a tracked local.
#[derive(Clone, Copy)]
struct Part {
    local: usize,
    /// The elements that it is, or is part of.
    bits: u64,
    /// A store replaces all of these elements.
    is_whole: bool,
}

struct Tracked {
    locals: Vec<LocalId>,
    /// All elements of each local.
    all: Elements,
    /// The parts that places are.
    parts: ValueMap<Part>,
    /// The places of loads.
    loads: ValueMap<Part>,
}

/// The elements that are overwritten after each kind of jump.
#[derive(Clone, Copy)]
struct Targets<'a> {
    returned: &'a Elements,
    broken: &'a Elements,
    continued: &'a Elements,
}

impl Tracked {
    /// Returns the locals to track, or `None` if nothing stores to any.
    fn of(function: &Function) -> Option<Tracked> {
        let mut numbers = FxHashMap::default();
        let (mut all, mut locals) = (Elements::new(), Vec::new());
        for (id, local) in function.locals.iter() {
            let is_data = !local.ty.is_resource() && !local.ty.holds_objects() && !local.ty.holds_query();
            if is_data && all.len() < MAX_TRACKED {
                numbers.insert(id, all.len());
                all.push(mask(elements(&local.ty)));
                locals.push(id);
            }
        }
        let mut found = Tracked { locals, all, parts: ValueMap::default(), loads: ValueMap::default() };
        let (mut escaped, mut is_stored) = (vec![false; found.all.len()], false);
        walk::statements(&function.body, &mut |stmt| {
            let mut other_use = |parts: &ValueMap<Part>, id: ValueId| {
                if let Some(part) = parts.get(id) {
                    escaped[part.local] = true;
                }
            };
            match stmt {
                Stmt::Let(id) => match function.value(*id).map(|value| &value.op) {
                    Some(Op::Local(local)) => {
                        if let Some(&local) = numbers.get(local) {
                            found.parts.insert(*id, Part { local, bits: found.all[local], is_whole: true });
                        }
                    }
                    Some(Op::Field { base, index }) => found.enter(function, *id, *base, Some(*index)),
                    Some(Op::Index { base, index }) => {
                        let constant = function.constant(*index).and_then(|index| u32::try_from(index.bits).ok());
                        found.enter(function, *id, *base, constant);
                    }
                    Some(Op::Load(place)) => {
                        if let Some(part) = found.parts.get(*place) {
                            found.loads.insert(*id, *part);
                        }
                    }
                    Some(op) => op.for_each_operand(|operand| other_use(&found.parts, operand)),
                    None => {}
                },
                Stmt::Store { place, value } => {
                    is_stored |= found.parts.contains(*place);
                    other_use(&found.parts, *value);
                }
                other => other.operands().into_iter().for_each(|operand| other_use(&found.parts, operand)),
            }
            stmt.for_each_end_operand(|operand| other_use(&found.parts, operand));
        });
        let clear = |parts: &mut ValueMap<Part>| parts.retain(|part| !escaped[part.local]);
        clear(&mut found.parts);
        clear(&mut found.loads);
        is_stored.then_some(found)
    }

    /// Notes the place of a field or element. `index`: `None` if it is not known.
    fn enter(&mut self, function: &Function, place: ValueId, base: ValueId, index: Option<u32>) {
        let Some(&Part { local, bits, .. }) = self.parts.get(base) else { return };
        let pointee = function.type_of(base).and_then(Type::pointee);
        let is_local = matches!(function.value(base).map(|value| &value.op), Some(Op::Local(_)));
        let count = pointee.map_or(1, elements);
        let part = match index {
            Some(index) if is_local && count > 1 && index < count => Part { local, bits: 1 << index, is_whole: true },
            // A part of an element, or an unknown one.
            _ => Part { local, bits, is_whole: false },
        };
        self.parts.insert(place, part);
    }

    /// Removes overwritten stores from a block. `after`: the elements that are overwritten after it. Returns those that are
    /// overwritten from its start. `changed` gets the locals that lose a store.
    fn block(&self, block: &mut Block, after: Elements, targets: Targets, changed: &mut [bool]) -> Elements {
        let mut next = after;
        let mut kept = vec![true; block.len()];
        for (at, stmt) in block.iter_mut().enumerate().rev() {
            match stmt {
                Stmt::Let(id) => {
                    if let Some(part) = self.loads.get(*id) {
                        next[part.local] &= !part.bits;
                    }
                }
                Stmt::Store { place, .. } => {
                    if let Some(part) = self.parts.get(*place) {
                        if next[part.local] & part.bits == part.bits {
                            kept[at] = false;
                            changed[part.local] = true;
                        } else if part.is_whole {
                            next[part.local] |= part.bits;
                        }
                    }
                }
                Stmt::Return(_) => next.clone_from(targets.returned),
                Stmt::Break(_) => next.clone_from(targets.broken),
                Stmt::Continue(_) => next.clone_from(targets.continued),
                Stmt::If { then, otherwise, .. } => {
                    let first = self.block(then, next.clone(), targets, changed);
                    next = self.block(otherwise, next, targets, changed);
                    both(&mut next, &first);
                }
                Stmt::Switch { cases, default, .. } => {
                    let after = next.clone();
                    let inside = Targets { broken: &after, ..targets };
                    next = self.block(default, after.clone(), inside, changed);
                    for case in cases {
                        both(&mut next, &self.block(&mut case.body, after.clone(), inside, changed));
                    }
                }
                Stmt::Loop { body, continuing, .. } => {
                    let mut again = next.clone();
                    for block in [&*body, &*continuing] {
                        self.drop_loads(block, &mut again);
                    }
                    let inside = Targets { broken: &next, continued: &next, ..targets };
                    let continued = self.block(continuing, again, inside, changed);
                    let inside = Targets { continued: &continued, ..inside };
                    next = self.block(body, continued.clone(), inside, changed);
                }
                _ => {}
            }
        }
        retain_by(block, &kept);
        next
    }

    /// Drops the elements that a block loads.
    fn drop_loads(&self, block: &Block, elements: &mut Elements) {
        walk::statements(block, &mut |stmt| {
            if let Stmt::Let(id) = stmt
                && let Some(part) = self.loads.get(*id)
            {
                elements[part.local] &= !part.bits;
            }
        });
    }
}

/// Keeps the elements that both paths overwrite.
fn both(elements: &mut Elements, other: &Elements) {
    elements.iter_mut().zip(other).for_each(|(bits, other)| *bits &= other);
}

/// Returns the number of elements that are tracked separately.
fn elements(ty: &Type) -> u32 {
    let count = match ty {
        Type::Vector(_, n) => u32::from(*n),
        Type::Array { len, .. } => *len,
        Type::Struct(structure) => structure.fields.len() as u32,
        _ => 1,
    };
    if (1..=MAX_ELEMENTS).contains(&count) { count } else { 1 }
}

/// Returns the bits of that many elements.
fn mask(count: u32) -> u64 {
    u64::MAX >> (64 - count)
}
