//! The parts of values and of variables that analyses tell apart, and which of them a place is.
//!
//! A structure is its fields, a vector its components; of an array all elements are one part, and a type with more than
//! [`MAX_PARTS`] parts is one. The parts of all values, and those of all memory of one thread, are numbered through.

use crate::Symbol;
use crate::function::{Function, Op, ValueId};
use crate::types::{Space, Type};
use la_arena::Idx;
use rustc_hash::FxHashMap;
use std::ops::Range;

const MAX_PARTS: usize = 64;

/// How many parts a value has: one at least.
fn count(ty: &Type) -> usize {
    fn add(ty: &Type, sum: &mut usize) {
        if *sum > MAX_PARTS {
            return;
        }
        match ty {
            Type::Vector(_, n) => *sum += usize::from(*n),
            Type::Array { element, .. } => add(element, sum),
            Type::Struct(s) if !s.fields.is_empty() => s.fields.iter().for_each(|field| add(&field.ty, sum)),
            _ => *sum += 1,
        }
    }
    let mut sum = 0;
    add(ty, &mut sum);
    if sum > MAX_PARTS { 1 } else { sum }
}

/// Which parts of a value an element of it is.
pub fn element(whole: &Type, index: usize) -> Range<usize> {
    let is_one = count(whole) == 1;
    match whole {
        _ if is_one => 0..1,
        Type::Vector(..) => index..index + 1,
        Type::Struct(s) => {
            let before = s.fields.iter().take(index).map(|field| count(&field.ty)).sum();
            before..before + s.fields.get(index).map_or(1, |field| count(&field.ty))
        }
        _ => 0..count(whole),
    }
}

/// Whether a part of a value stands for several elements of it.
pub fn is_summary(whole: &Type) -> bool {
    matches!(whole, Type::Array { .. }) || count(whole) == 1 && has_several(whole)
}

/// A place in memory of one thread.
#[derive(Clone, Debug)]
pub struct Place {
    /// Parts of that memory.
    pub parts: Range<usize>,
    /// It is one of several that the parts stand for: a store leaves them what they may have been.
    pub is_one_of_many: bool,
}

/// The numbers of parts.
pub struct Parts {
    values: Vec<usize>,
    places: FxHashMap<ValueId, Place>,
    /// Parts of memory.
    pub in_memory: usize,
    /// Parts of values.
    pub in_values: usize,
}

impl Parts {
    pub fn new(function: &Function) -> Parts {
        let mut values = Vec::with_capacity(function.values.len() + 1);
        let mut next = 0;
        for value in function.values.values() {
            values.push(next);
            next += count(&value.ty);
        }
        values.push(next);
        let (mut locals, mut in_memory) = (Vec::new(), 0);
        for local in function.locals.values() {
            locals.push(in_memory);
            in_memory += count(&local.ty);
        }
        let mut parts = Parts { values, places: FxHashMap::default(), in_memory, in_values: next };
        let mut globals: FxHashMap<&Symbol, usize> = FxHashMap::default();
        for (id, value) in function.values.iter() {
            // Operands have lower numbers than what is made of them.
            let place = match (&value.op, &value.ty) {
                (Op::Local(local), _) => parts.root(locals.get(number(*local)).copied(), &value.ty),
                (Op::Global(name), Type::Ref(Space::Private, pointee)) => {
                    let first = *globals.entry(name).or_insert_with(|| {
                        let first = parts.in_memory;
                        parts.in_memory += count(pointee);
                        first
                    });
                    parts.root(Some(first), &value.ty)
                }
                (Op::Field { base, index }, Type::Ref(..)) => parts.inside(function, *base, Some(*index as usize)),
                (Op::Index { base, index }, Type::Ref(..)) => {
                    parts.inside(function, *base, function.constant(*index).map(|c| c.bits as usize))
                }
                _ => None,
            };
            parts.places.extend(place.map(|place| (id, place)));
        }
        parts
    }

    fn root(&self, first: Option<usize>, ty: &Type) -> Option<Place> {
        let first = first?;
        let pointee = ty.pointee()?;
        Some(Place { parts: first..first + count(pointee), is_one_of_many: false })
    }

    fn inside(&self, function: &Function, base: ValueId, index: Option<usize>) -> Option<Place> {
        let whole = function.type_of(base)?.pointee()?;
        let around = self.places.get(&base)?;
        let is_summary = count(whole) != around.parts.len();
        let known = index.filter(|_| matches!(whole, Type::Struct(_) | Type::Vector(..)) && !is_summary);
        let Some(index) = known else {
            return Some(Place { is_one_of_many: true, ..around.clone() });
        };
        let part = element(whole, index);
        let first = around.parts.start;
        // A type that is one part has others that are the same.
        let is_whole = part.len() == around.parts.len() && count(whole) == 1;
        let parts = first + part.start..(first + part.end).min(around.parts.end);
        Some(Place { parts, is_one_of_many: around.is_one_of_many || is_whole && has_several(whole) })
    }

    /// The parts of a value.
    pub fn of(&self, id: ValueId) -> Range<usize> {
        let n = number(id);
        match (self.values.get(n), self.values.get(n + 1)) {
            (Some(&first), Some(&end)) => first..end,
            _ => 0..0,
        }
    }

    /// The place that a value is, in memory of one thread; `None` for places elsewhere.
    pub fn place(&self, id: ValueId) -> Option<&Place> {
        self.places.get(&id)
    }
}

fn number<T>(id: Idx<T>) -> usize {
    id.into_raw().into_u32() as usize
}

/// Whether a type that is one part has more than one element.
fn has_several(ty: &Type) -> bool {
    match ty {
        Type::Struct(s) => s.fields.len() > 1,
        Type::Array { .. } | Type::Matrix(_) => true,
        _ => false,
    }
}
