//! Elements of composed values: extractions, insertions, swizzles and compositions.

use super::{Folder, Simpler};
use crate::function::*;
use crate::types::{Scalar, Type};

/// The most elements of a value whose elements are kept in a table. Vectors and matrices have at most four.
const MAX_PARTS: u32 = 4;

/// The number of insertions to look through for an element of a larger value. Chains of insertions would otherwise
/// take quadratic time.
const LOOK_BACK: usize = 4;

/// An element of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// A value that was composed or inserted.
    Whole(ValueId),
    /// An element of an earlier value whose elements are not known.
    Element(ValueId, u32),
}

impl Folder<'_> {
    /// Returns the equal of a composition, of a part of a value, or of a select by a constant vector.
    pub(super) fn recomposed(&mut self, op: &Op, ty: &Type) -> Option<Simpler> {
        match op {
            Op::Extract { base, index } => return self.element(*base, *index),
            Op::ExtractDynamic { base, index } => {
                let index = u32::try_from(self.function.constant(*index)?.bits).ok()?;
                // An index out of bounds has an undefined result, but an extraction has none.
                let inside = index < elements(self.function.type_of(*base)?)?;
                return inside.then_some(Simpler::Op(Op::Extract { base: *base, index }));
            }
            Op::Swizzle { base, components } if components.len() == 1 => {
                return match self.function.type_of(*base)? {
                    Type::Scalar(_) => Some(Simpler::Same(*base)),
                    _ => Some(Simpler::Op(Op::Extract { base: *base, index: u32::from(components[0]) })),
                };
            }
            Op::Compose(parts) if !matches!(ty, Type::Vector(..)) => return self.taken_apart(parts).map(Simpler::Same),
            _ => {}
        }
        self.rebuilt(op, ty).or_else(|| self.overwritten(op))
    }

    fn element(&self, base: ValueId, index: u32) -> Option<Simpler> {
        match self.part(base, index) {
            Part::Whole(value) => Some(Simpler::Same(value)),
            Part::Element(from, _) if matches!(self.op(from), Some(Op::Zero)) => Some(Simpler::Op(Op::Zero)),
            Part::Element(from, at) => (from != base).then_some(Simpler::Op(Op::Extract { base: from, index: at })),
        }
    }

    /// Returns an element of a value.
    fn part(&self, mut base: ValueId, index: u32) -> Part {
        for _ in 0..LOOK_BACK {
            if let Some(part) = self.parts.get(base).and_then(|parts| parts.get(index as usize)) {
                return *part;
            }
            match self.function.value(base) {
                Some(Value { op: Op::Insert { index: at, value, .. }, .. }) if *at == index => {
                    return Part::Whole(*value);
                }
                Some(Value { op: Op::Insert { base: inner, .. }, .. }) => base = *inner,
                Some(Value { op: Op::Compose(parts), ty, .. }) if !matches!(ty, Type::Vector(..)) => {
                    return parts.get(index as usize).map_or(Part::Element(base, index), |part| Part::Whole(*part));
                }
                _ => break,
            }
        }
        Part::Element(base, index)
    }

    /// Returns the elements of the result, if the operation only arranges elements.
    fn arranged(&self, op: &Op, ty: &Type) -> Option<Vec<Part>> {
        let count = elements(ty).filter(|n| *n <= MAX_PARTS)?;
        let mut parts = Vec::with_capacity(count as usize);
        match op {
            Op::Compose(values) => {
                for value in values {
                    match (ty, self.function.type_of(*value)?) {
                        (Type::Vector(..), Type::Vector(_, n)) => {
                            parts.extend((0..u32::from(*n)).map(|at| self.part(*value, at)));
                        }
                        _ => parts.push(Part::Whole(*value)),
                    }
                }
            }
            Op::Insert { base, index, value } => {
                let part = |at| if at == *index { Part::Whole(*value) } else { self.part(*base, at) };
                parts.extend((0..count).map(part));
            }
            Op::Swizzle { base, components } => {
                let scalar = matches!(self.function.type_of(*base)?, Type::Scalar(_));
                let part = |at: &u8| if scalar { Part::Whole(*base) } else { self.part(*base, u32::from(*at)) };
                parts.extend(components.iter().map(part));
            }
            Op::Shuffle { components, .. } => {
                for number in components {
                    let (from, at) = op.shuffled(self.function, *number)?;
                    parts.push(self.part(from, at as u32));
                }
            }
            Op::Select { cond, then, otherwise } if matches!(ty, Type::Vector(..)) => {
                let chosen = self.scalars(*cond)?;
                let side = |c: &ScalarConst| if c.bits != 0 { *then } else { *otherwise };
                parts.extend(chosen.iter().zip(0..).map(|(c, at)| self.part(side(c), at)));
            }
            _ => return None,
        }
        (parts.len() == count as usize).then_some(parts)
    }

    /// Returns the value, swizzle, shuffle or composition that has the same elements as the operation's result.
    fn rebuilt(&mut self, op: &Op, ty: &Type) -> Option<Simpler> {
        let parts = self.arranged(op, ty)?;
        if let Some((whole, order)) = self.parts_of_one(&parts) {
            if matches!(self.op(whole), Some(Op::Zero)) {
                return Some(Simpler::Op(Op::Zero));
            }
            let in_order = order.iter().copied().eq(0..order.len() as u32);
            if in_order && self.function.type_of(whole) == Some(ty) {
                return Some(Simpler::Same(whole));
            }
            if matches!(self.function.type_of(whole)?, Type::Vector(..)) && matches!(ty, Type::Vector(..)) {
                let swizzle = Op::Swizzle { base: whole, components: order.iter().map(|at| *at as u8).collect() };
                return (swizzle != *op).then_some(Simpler::Op(swizzle));
            }
        }
        if let Some(shuffle) = self.shuffled(op, &parts, ty) {
            return Some(shuffle);
        }
        // Repeating one scalar is simple already.
        if let Op::Swizzle { base, .. } = op
            && matches!(self.function.type_of(*base)?, Type::Scalar(_))
            && self.function.constant(*base).is_none()
        {
            return None;
        }
        let is_known = |part: &Part| matches!(part, Part::Whole(_)) || self.zero_part(part).is_some();
        if !parts.iter().all(is_known) {
            return None;
        }
        let mut values = Vec::with_capacity(parts.len());
        for part in parts {
            values.push(match part {
                Part::Whole(value) => value,
                Part::Element(..) => {
                    let zero = ScalarConst { ty: self.zero_part(&part)?, bits: 0 };
                    self.constant(&Type::Scalar(zero.ty), vec![zero])
                }
            });
        }
        let compose = Op::Compose(values);
        (compose != *op).then_some(Simpler::Op(compose))
    }

    /// Returns a shuffle of the two vectors that all components are from, in place of at least two insertions or of a
    /// composition of at least three components.
    fn shuffled(&self, op: &Op, parts: &[Part], ty: &Type) -> Option<Simpler> {
        let Type::Vector(scalar, n) = ty else { return None };
        let sources: Vec<(ValueId, u32)> = parts.iter().map(|part| self.source(part)).collect::<Option<_>>()?;
        let (lhs, _) = *sources.first()?;
        let (rhs, _) = *sources.iter().find(|(from, _)| *from != lhs)?;
        let width = |from| match self.function.type_of(from)? {
            Type::Vector(of, n) if of == scalar => Some(u32::from(*n)),
            _ => None,
        };
        let (before, after) = (width(lhs)?, width(rhs)?);
        let number = |&(from, at): &(ValueId, u32)| match from {
            from if from == lhs => Some(at as u8),
            from if from == rhs => Some((before + at) as u8),
            _ => None,
        };
        let components: Vec<u8> = sources.iter().map(number).collect::<Option<_>>()?;
        let is_shorter = match op {
            // One insertion is as short.
            Op::Insert { .. } => {
                let moved = |whole| sources.iter().zip(0..).filter(|((from, at), n)| *from != whole || at != n).count();
                let in_place = |whole| self.function.type_of(whole) == Some(ty) && moved(whole) == 1;
                !in_place(lhs) && !in_place(rhs)
            }
            // Two whole vectors, one after the other, are a composition.
            Op::Compose(_) => *n > 2 && !(before + after == u32::from(*n) && components.iter().copied().eq(0..*n)),
            Op::Swizzle { .. } | Op::Shuffle { .. } | Op::Select { .. } => true,
            _ => false,
        };
        let shuffle = Op::Shuffle { lhs, rhs, components };
        (is_shorter && shuffle != *op).then_some(Simpler::Op(shuffle))
    }

    /// Returns the type of a component of a zero vector.
    fn zero_part(&self, part: &Part) -> Option<Scalar> {
        let Part::Element(from, _) = part else { return None };
        match self.function.value(*from)? {
            Value { op: Op::Zero, ty: Type::Vector(scalar, _), .. } => Some(*scalar),
            _ => None,
        }
    }

    /// Returns the value that all parts are elements of, and their indexes.
    fn parts_of_one(&self, parts: &[Part]) -> Option<(ValueId, Vec<u32>)> {
        let (whole, _) = self.source(parts.first()?)?;
        let index = |part: &Part| self.source(part).filter(|(from, _)| *from == whole).map(|(_, at)| at);
        Some((whole, parts.iter().map(index).collect::<Option<_>>()?))
    }

    /// Returns the value that a part is an element of, and its index.
    fn source(&self, part: &Part) -> Option<(ValueId, u32)> {
        match part {
            Part::Element(from, at) => Some((*from, *at)),
            Part::Whole(value) => self.extracted(*value),
        }
    }

    /// Returns the value and index of an extraction.
    fn extracted(&self, id: ValueId) -> Option<(ValueId, u32)> {
        match self.op(id)? {
            Op::Extract { base, index } => Some((*base, *index)),
            _ => None,
        }
    }

    /// Returns the value whose elements are composed in order. Its type says whether they are all.
    fn taken_apart(&self, parts: &[ValueId]) -> Option<ValueId> {
        let (whole, _) = self.extracted(*parts.first()?)?;
        parts.iter().zip(0..).all(|(part, at)| self.extracted(*part) == Some((whole, at))).then_some(whole)
    }

    /// Returns an insertion without the one before it at the same place.
    fn overwritten(&self, op: &Op) -> Option<Simpler> {
        let Op::Insert { base, index, value } = op else { return None };
        match self.op(*base)? {
            Op::Insert { base: inner, index: at, .. } if at == index => {
                Some(Simpler::Op(Op::Insert { base: *inner, index: *index, value: *value }))
            }
            _ => None,
        }
    }

    /// Notes the elements of a value.
    pub(super) fn note_parts(&mut self, id: ValueId, op: &Op, ty: &Type) {
        // Other compositions are their own table.
        if (matches!(op, Op::Insert { .. }) || matches!(ty, Type::Vector(..)))
            && let Some(parts) = self.arranged(op, ty)
        {
            self.parts.insert(id, parts);
        }
    }
}

/// Returns the number of elements of a composed value.
fn elements(ty: &Type) -> Option<u32> {
    match ty {
        Type::Vector(_, n) => Some(u32::from(*n)),
        Type::Matrix(m) => Some(u32::from(m.rows)),
        Type::Array { len, .. } => Some(*len),
        Type::Struct(s) => u32::try_from(s.fields.len()).ok(),
        _ => None,
    }
}
