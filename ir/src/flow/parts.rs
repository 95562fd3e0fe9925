//! Divides values and variables into the parts that analyses distinguish, and maps places to parts.
//!
//! A structure is divided into its fields, a vector into components, a matrix into rows, an array into elements. All
//! elements of an array with more than [`MAX_PARTS`] parts are one. Any other type with more parts is one part. The
//! parts of all values, and of all memory of one thread, are numbered consecutively.

use crate::Symbol;
use crate::function::{Function, Op, ValueId};
use crate::types::{Space, Type};
use la_arena::Idx;
use rustc_hash::FxHashMap;
use std::ops::Range;

const MAX_PARTS: usize = 64;

/// Returns the number of parts of a value, at least one.
fn count(ty: &Type) -> usize {
    fn add(ty: &Type, sum: &mut usize) {
        if *sum > MAX_PARTS {
            return;
        }
        match ty {
            Type::Vector(_, n) => *sum += usize::from(*n),
            Type::Matrix(m) => *sum += usize::from(m.rows) * usize::from(m.columns),
            Type::Array { element, .. } => match elements(ty) {
                Some((n, of_each)) => *sum += n * of_each,
                None => add(element, sum),
            },
            Type::Struct(s) if !s.fields.is_empty() => s.fields.iter().for_each(|field| add(&field.ty, sum)),
            _ => *sum += 1,
        }
    }
    let mut sum = 0;
    add(ty, &mut sum);
    if sum > MAX_PARTS { 1 } else { sum }
}

/// Returns the number of equal elements of a type, and the number of parts of each.
fn elements(ty: &Type) -> Option<(usize, usize)> {
    let (n, of_each) = match ty {
        Type::Vector(_, n) => (usize::from(*n), 1),
        Type::Matrix(m) => (usize::from(m.rows), usize::from(m.columns)),
        Type::Array { element, len, .. } => (usize::try_from(*len).ok()?, count(element)),
        _ => return None,
    };
    (n > 0 && n.saturating_mul(of_each) <= MAX_PARTS).then_some((n, of_each))
}

/// Returns the parts of a value that form one of its elements.
pub fn element(whole: &Type, index: usize) -> Range<usize> {
    let is_one = count(whole) == 1;
    match (whole, elements(whole)) {
        _ if is_one => 0..1,
        (_, Some((n, of_each))) if index < n => index * of_each..(index + 1) * of_each,
        (Type::Struct(s), _) => {
            let before = s.fields.iter().take(index).map(|field| count(&field.ty)).sum();
            before..before + s.fields.get(index).map_or(1, |field| count(&field.ty))
        }
        _ => 0..count(whole),
    }
}

/// Returns whether one part of a value represents several of its elements.
pub fn is_summary(whole: &Type) -> bool {
    matches!(whole, Type::Array { .. }) && elements(whole).is_none() || count(whole) == 1 && has_several(whole)
}

/// A place in the memory of one thread.
#[derive(Clone, Debug)]
pub struct PartRange {
    /// The parts of memory from the first possible one to the last.
    pub parts: Range<usize>,
    /// The parts represent several places. After a store they may still have their old contents.
    pub is_one_of_many: bool,
    /// The parts belong to an object with too many of them, and the place may be any.
    pub is_hidden: bool,
    /// The possible positions: `times` places of `len` parts each, at a distance of `stride`.
    len: usize,
    times: usize,
    stride: usize,
}

impl PartRange {
    fn one(parts: Range<usize>) -> PartRange {
        let len = parts.len();
        PartRange { parts, is_one_of_many: false, is_hidden: false, len, times: 1, stride: 0 }
    }

    /// Returns the parts of each place that it may be.
    pub fn each(&self) -> impl Iterator<Item = Range<usize>> + use<> {
        let (first, len, stride) = (self.parts.start, self.len, self.stride);
        (0..self.times).map(move |n| first + n * stride..first + n * stride + len)
    }
}

/// The numbering of parts.
pub struct Parts {
    values: Vec<usize>,
    places: FxHashMap<ValueId, PartRange>,
    /// The number of parts of memory.
    pub in_memory: usize,
    /// The number of parts of values.
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
            // Operands have lower numbers than the values that use them.
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

    fn root(&self, first: Option<usize>, ty: &Type) -> Option<PartRange> {
        let first = first?;
        let pointee = ty.pointee()?;
        Some(PartRange::one(first..first + count(pointee)))
    }

    fn inside(&self, function: &Function, base: ValueId, index: Option<usize>) -> Option<PartRange> {
        let whole = function.type_of(base)?.pointee()?;
        let around = self.places.get(&base)?;
        let is_known = match (whole, elements(whole), index) {
            _ if count(whole) != around.len => false,
            (Type::Struct(_), _, Some(_)) => true,
            (_, Some((n, _)), Some(index)) => index < n,
            _ => false,
        };
        if let Some(index) = index.filter(|_| is_known) {
            let part = element(whole, index);
            // A type with one part may have several elements that share it.
            let is_hidden = part.len() == around.len && count(whole) == 1 && has_several(whole);
            let first = around.parts.start + part.start;
            return Some(PartRange {
                parts: first..first + (around.times - 1) * around.stride + part.len(),
                is_one_of_many: around.is_one_of_many || is_hidden,
                is_hidden: around.is_hidden || is_hidden,
                len: part.len(),
                ..around.clone()
            });
        }
        let (times, stride, len) = match elements(whole) {
            Some((n, of_each)) if around.times == 1 && n * of_each == around.len => (n, of_each, of_each),
            _ => (1, 0, around.parts.len()),
        };
        // The elements of an object with a single part cannot be located.
        let is_hidden = around.is_hidden || count(whole) == 1 && matches!(whole, Type::Struct(_)) && has_several(whole);
        Some(PartRange { is_one_of_many: true, is_hidden, len, times, stride, ..around.clone() })
    }

    /// Returns the parts of a value.
    pub fn of(&self, id: ValueId) -> Range<usize> {
        let n = number(id);
        match (self.values.get(n), self.values.get(n + 1)) {
            (Some(&first), Some(&end)) => first..end,
            _ => 0..0,
        }
    }

    /// Returns the place that a value is in the memory of one thread, or `None` for other places.
    pub fn place(&self, id: ValueId) -> Option<&PartRange> {
        self.places.get(&id)
    }
}

fn number<T>(id: Idx<T>) -> usize {
    id.into_raw().into_u32() as usize
}

/// Returns whether a type with a single part has more than one element.
fn has_several(ty: &Type) -> bool {
    match ty {
        Type::Struct(s) => s.fields.len() > 1,
        Type::Array { .. } | Type::Matrix(_) => true,
        _ => false,
    }
}
