//! Values known at compile time beyond scalars: vectors, and elements of constant tables.
//!
//! [`fold_conditions`] makes conditions and sample offsets constant if they consist of such values.

use super::associated_globals::make;
use super::offsets::variable_offset;
use super::vector;
use crate::Symbol;
use crate::function::*;
use crate::module::{Constant, Global, GlobalKind};
use crate::types::Type;
use crate::walk;
use indexmap::IndexMap;
use rustc_hash::FxHashMap;

/// Makes known conditions and sample offsets constant. `globals` are the module's globals. Returns whether there were
/// any.
pub fn fold_conditions(function: &mut Function, globals: &IndexMap<Symbol, Global>) -> bool {
    let mut wanted = Vec::new();
    walk::statements(&function.body, &mut |stmt| match stmt {
        Stmt::If { cond: id, .. } | Stmt::Switch { selector: id, .. } if !function.is_constant(*id) => wanted.push(*id),
        stmt => wanted.extend(variable_offset(function, stmt)),
    });
    let mut known = Evaluator { function, globals, stored: stored_once(function), found: FxHashMap::default() };
    let found: Vec<_> = wanted.into_iter().filter_map(|id| Some((id, known.components(id)?))).collect();
    let settled = !found.is_empty();
    make_constant(function, found);
    settled
}

/// The most scalars of a constant that replaces a load: those of a matrix.
const MAX_SCALARS: usize = 16;

/// Returns whether a loaded constant is worth more than the load. An array may be indexed at run time, in memory.
fn is_small(ty: &Type) -> bool {
    let is_plain = match ty {
        Type::Struct(s) => s.fields.iter().all(|field| is_small(&field.ty)),
        Type::Scalar(_) | Type::Vector(..) | Type::Matrix(_) => true,
        _ => false,
    };
    is_plain && count(ty).is_some_and(|n| (1..=MAX_SCALARS).contains(&n))
}

/// Makes scalars, vectors, matrices and small structures constant that are loaded from constants of the module at
/// constant indexes.
pub fn fold_table_loads(function: &mut Function, globals: &IndexMap<Symbol, Global>) {
    let is_of_table = |place: ValueId| {
        let mut at = place;
        loop {
            at = match function.value(at).map(|value| &value.op) {
                Some(Op::Index { base, .. } | Op::Field { base, .. }) => *base,
                Some(Op::Global(name)) => {
                    return globals.get(name).is_some_and(|g| matches!(g.kind, GlobalKind::Constant { .. }));
                }
                _ => return false,
            };
        }
    };
    let is_wanted = |(id, value): (ValueId, &Value)| match (&value.op, &value.ty) {
        (Op::Load(place), ty) if is_small(ty) => is_of_table(*place).then_some(id),
        _ => None,
    };
    let wanted: Vec<ValueId> = function.values.iter().filter_map(is_wanted).collect();
    let mut known = Evaluator { function, globals, stored: FxHashMap::default(), found: FxHashMap::default() };
    let found: Vec<_> = wanted.into_iter().filter_map(|id| Some((id, known.components(id)?))).collect();
    make_constant(function, found);
}

/// Makes values constant. `found` has their scalars.
fn make_constant(function: &mut Function, found: Vec<(ValueId, Vec<ScalarConst>)>) {
    let mut parts = Block::new();
    for (id, scalars) in found {
        let ty = function.values[id].ty.clone();
        if let Some(op) = composed(function, &ty, &mut scalars.into_iter(), &mut parts) {
            function.values[id].op = op;
        }
    }
    // At the start they are visible everywhere.
    function.body.splice(0..0, parts);
}

/// Returns the operation of a constant of a type. Its parts are new values in `parts`.
fn composed(
    function: &mut Function,
    ty: &Type,
    scalars: &mut impl Iterator<Item = ScalarConst>,
    parts: &mut Block,
) -> Option<Op> {
    let elements: Vec<Type> = match ty {
        Type::Scalar(_) => return scalars.next().map(Op::Const),
        Type::Vector(scalar, n) => vec![Type::Scalar(*scalar); usize::from(*n)],
        Type::Matrix(m) => vec![m.row(); usize::from(m.rows)],
        Type::Struct(s) => s.fields.iter().map(|field| field.ty.clone()).collect(),
        _ => return None,
    };
    let mut ids = Vec::with_capacity(elements.len());
    for element in elements {
        let op = composed(function, &element, scalars, parts)?;
        ids.push(make(function, element, op, parts));
    }
    Some(Op::Compose(ids))
}

/// Returns the locals that a single statement sets as a whole, with the stored value.
pub(crate) fn stored_once(function: &Function) -> FxHashMap<LocalId, ValueId> {
    let local = |place: ValueId| match function.value(place).map(|v| &v.op) {
        Some(Op::Local(local)) => Some(*local),
        _ => None,
    };
    let mut root_of = FxHashMap::default();
    for (id, value) in function.values.iter() {
        let base = match value.op {
            Op::Local(local) => Some(local),
            Op::Index { base, .. } | Op::Field { base, .. } => root_of.get(&base).copied(),
            _ => None,
        };
        root_of.extend(base.map(|local| (id, local)));
    }
    let mut stored: FxHashMap<LocalId, Option<ValueId>> = FxHashMap::default();
    walk::statements(&function.body, &mut |stmt| match stmt {
        Stmt::Store { place, value } => {
            if let Some(local) = local(*place) {
                stored.entry(local).and_modify(|v| *v = None).or_insert(Some(*value));
            } else if let Some(&part_of) = root_of.get(place) {
                stored.insert(part_of, None);
            }
        }
        Stmt::Let(id) => {
            let Some(value) = function.value(*id) else { return };
            if !matches!(value.op, Op::Load(_) | Op::Index { .. } | Op::Field { .. }) {
                value.op.for_each_operand(|operand| {
                    stored.extend(root_of.get(&operand).map(|local| (*local, None)));
                });
            }
        }
        other => {
            for operand in other.operands() {
                stored.extend(root_of.get(&operand).map(|local| (*local, None)));
            }
        }
    });
    stored.into_iter().filter_map(|(local, value)| Some((local, value?))).collect()
}

/// Returns the number of scalars in a value of the type.
fn count(ty: &Type) -> Option<usize> {
    match ty {
        Type::Scalar(_) => Some(1),
        Type::Vector(_, n) => Some(usize::from(*n)),
        Type::Matrix(m) => Some(usize::from(m.rows) * usize::from(m.columns)),
        Type::Array { element, len, .. } => Some(count(element)? * *len as usize),
        Type::Struct(s) => s.fields.iter().map(|field| count(&field.ty)).sum(),
        _ => None,
    }
}

/// Returns the index of an element's first scalar among those of the value.
fn first(whole: &Type, index: usize) -> Option<usize> {
    match whole {
        Type::Vector(_, n) => (index < usize::from(*n)).then_some(index),
        Type::Matrix(m) => (index < usize::from(m.rows)).then_some(usize::from(m.columns) * index),
        Type::Array { element, len, .. } => (index < *len as usize).then_some(count(element)? * index),
        Type::Struct(s) => s.fields.get(..index)?.iter().map(|field| count(&field.ty)).sum(),
        _ => None,
    }
}

/// Adds the scalars of a constant.
fn scalars(constant: &Constant, ty: &Type, out: &mut Vec<ScalarConst>) -> Option<()> {
    match (constant, ty) {
        (Constant::Scalar(c), _) => out.push(*c),
        (Constant::Zero, Type::Array { element, len, .. }) => {
            (0..*len).try_for_each(|_| scalars(constant, element, out))?;
        }
        (Constant::Zero, Type::Struct(s)) => s.fields.iter().try_for_each(|f| scalars(constant, &f.ty, out))?,
        (Constant::Zero, ty) => out.extend(vec![ScalarConst { ty: ty.scalar()?, bits: 0 }; count(ty)?]),
        (Constant::Composite(parts), Type::Array { element, .. }) => {
            parts.iter().try_for_each(|part| scalars(part, element, out))?;
        }
        (Constant::Composite(parts), Type::Struct(s)) => {
            parts.iter().zip(&s.fields).try_for_each(|(part, field)| scalars(part, &field.ty, out))?;
        }
        // Rows, in any memory order.
        (Constant::Composite(rows), Type::Matrix(m)) => {
            let row = m.row();
            rows.iter().try_for_each(|part| scalars(part, &row, out))?;
        }
        (Constant::Composite(parts), Type::Vector(scalar, _)) => {
            parts.iter().try_for_each(|part| scalars(part, &Type::Scalar(*scalar), out))?;
        }
        (Constant::Composite(_), _) => return None,
    }
    Some(())
}

struct Evaluator<'a> {
    function: &'a Function,
    globals: &'a IndexMap<Symbol, Global>,
    stored: FxHashMap<LocalId, ValueId>,
    /// The scalars of values that were requested; `None` if unknown.
    found: FxHashMap<ValueId, Option<Vec<ScalarConst>>>,
}

impl Evaluator<'_> {
    /// Returns the scalars of a value, if all are known.
    fn components(&mut self, id: ValueId) -> Option<Vec<ScalarConst>> {
        if let Some(found) = self.found.get(&id) {
            return found.clone();
        }
        // A value that depends on itself, through a local, is unknown.
        self.found.insert(id, None);
        let found = self.evaluate(id);
        self.found.insert(id, found.clone());
        found
    }

    fn index(&mut self, id: ValueId) -> Option<usize> {
        usize::try_from(self.components(id)?.first()?.bits).ok()
    }

    fn part(&mut self, base: ValueId, index: usize, ty: &Type) -> Option<Vec<ScalarConst>> {
        let at = first(self.function.type_of(base)?, index)?;
        Some(self.components(base)?.get(at..at + count(ty)?)?.to_vec())
    }

    fn evaluate(&mut self, id: ValueId) -> Option<Vec<ScalarConst>> {
        let Value { ty, op, .. } = self.function.value(id)?;
        match op {
            Op::Const(c) => Some(vec![*c]),
            Op::Zero => {
                let mut out = Vec::new();
                scalars(&Constant::Zero, ty, &mut out)?;
                Some(out)
            }
            Op::Compose(parts) => {
                let parts = parts.iter().map(|part| self.components(*part)).collect::<Option<Vec<_>>>()?;
                Some(parts.concat())
            }
            Op::Load(place) => {
                let (whole, at) = self.place(*place)?;
                Some(whole.get(at..at + count(ty)?)?.to_vec())
            }
            Op::Extract { base, index } => self.part(*base, *index as usize, ty),
            Op::ExtractDynamic { base, index } => {
                let index = self.index(*index)?;
                self.part(*base, index, ty)
            }
            Op::Insert { base, index, value } => {
                let (mut parts, value) = (self.components(*base)?, self.components(*value)?);
                let at = first(ty, *index as usize)?;
                parts.get_mut(at..at + value.len())?.copy_from_slice(&value);
                Some(parts)
            }
            Op::Swizzle { base, components } => {
                let base = self.components(*base)?;
                components.iter().map(|&c| base.get(usize::from(c)).copied()).collect()
            }
            Op::Shuffle { lhs, rhs, components } => {
                let all = [self.components(*lhs)?, self.components(*rhs)?].concat();
                components.iter().map(|&c| all.get(usize::from(c)).copied()).collect()
            }
            Op::Unary { .. }
            | Op::Binary { .. }
            | Op::Select { .. }
            | Op::Convert(_)
            | Op::Bitcast(_)
            | Op::Math { .. } => {
                let mut operands = Vec::new();
                op.for_each_operand(|operand| operands.push(operand));
                let operands: Vec<_> = operands.into_iter().map(|id| self.components(id)).collect::<Option<_>>()?;
                vector::evaluate(op, ty, &operands)
            }
            _ => None,
        }
    }

    /// Returns all scalars of the variable that a place is in, and the index of the place's first one.
    fn place(&mut self, id: ValueId) -> Option<(Vec<ScalarConst>, usize)> {
        match &self.function.value(id)?.op {
            Op::Local(local) => Some((self.components(*self.stored.get(local)?)?, 0)),
            Op::Global(name) => match &self.globals.get(name)?.kind {
                GlobalKind::Constant { ty, value } => {
                    let mut all = Vec::new();
                    scalars(value, ty, &mut all)?;
                    Some((all, 0))
                }
                _ => None,
            },
            Op::Index { base, index } => {
                let index = self.index(*index)?;
                self.inside(*base, index)
            }
            Op::Field { base, index } => self.inside(*base, *index as usize),
            _ => None,
        }
    }

    fn inside(&mut self, base: ValueId, index: usize) -> Option<(Vec<ScalarConst>, usize)> {
        let at = first(self.function.type_of(base)?.pointee()?, index)?;
        let (all, before) = self.place(base)?;
        Some((all, before + at))
    }
}
