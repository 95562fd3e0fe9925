//! Nodes of an array whose functions differ in constants alone: one function for all of them.
//!
//! [`one_code`] compares the functions statement by statement. An operand that is a different constant in some of them
//! is computed from the element, or read from a table of constants.

use super::groups::each_callee;
use crate::Symbol;
use crate::function::*;
use crate::layout;
use crate::module::{Constant, Global, GlobalKind, Module};
use crate::passes::offsets::has_variable_offsets;
use crate::types::{Scalar, Type};
use crate::typing::{self, Typing};
use crate::value_map::ValueMap;
use crate::walk;
use rustc_hash::FxHashSet;

/// The most different constants of one element.
const MOST_CONSTANTS: usize = 16;

/// The code of all elements.
pub(super) struct OneCode {
    /// Parameter 0 is the element, in values only: the list of parameters is empty.
    pub function: Function,
    pub tables: Vec<Global>,
}

/// Returns whether a function or its callees communicate between lanes. Lanes of several elements would take part.
pub(super) fn uses_lanes(module: &Module, function: &Function) -> bool {
    any_callee(module, function, &mut |function| {
        let uses =
            |op: &Op| matches!(op, Op::Subgroup { .. } | Op::Builtin(Builtin::SubgroupLane | Builtin::SubgroupId));
        function.values.values().any(|value| uses(&value.op))
    })
}

/// Returns one function for these, which get an element's number. `None` if they differ in more than some constants.
pub(super) fn one_code(module: &Module, functions: &[Function]) -> Option<OneCode> {
    let (first, others) = functions.split_first()?;
    let mut first = first.clone();
    let constants = spread_constants(&mut first);
    let mut columns: Vec<Column> = Vec::new();
    let mut place = ValueMap::default();
    for (element, other) in (1..).zip(others) {
        for (operand, constant) in differences(&first, other)? {
            let column = match place.get(operand) {
                Some(column) => *column,
                None => {
                    place.insert(operand, columns.len());
                    columns.push(Column { operand, constants: vec![first.constant(operand)?; functions.len()] });
                    columns.len() - 1
                }
            };
            *columns.get_mut(column)?.constants.get_mut(element)? = constant;
        }
    }
    let different: FxHashSet<&[ScalarConst]> = columns.iter().map(|column| &*column.constants).collect();
    let is_dynamic = !columns.is_empty() && any_callee(module, &first, &mut needs_uniform_or_constant);
    if different.len() > MOST_CONSTANTS || is_dynamic {
        return None;
    }
    computed(first, &constants, &columns)
}

/// An operand that is not the same constant in all elements.
struct Column {
    operand: ValueId,
    /// Its constant in each element.
    constants: Vec<ScalarConst>,
}

fn any_callee(module: &Module, function: &Function, found: &mut impl FnMut(&Function) -> bool) -> bool {
    let mut any = false;
    each_callee(module, function, &mut |function| any |= found(function));
    any
}

/// Returns whether a number that varies between elements may reach an operand that must be constant, or equal in a
/// subgroup.
fn needs_uniform_or_constant(function: &Function) -> bool {
    let op = |id: ValueId| function.value(id).map(|value| &value.op);
    let is_marked = |id: ValueId| matches!(op(id), Some(Op::NonUniform(_)));
    let is_uniform = |op: &Op| match op {
        Op::Descriptor { index, .. } => function.constant(*index).is_none() && !is_marked(*index),
        Op::Spirv(_) => true,
        _ => false,
    };
    let mut found = has_variable_offsets(function);
    walk::statements(&function.body, &mut |stmt| match stmt {
        Stmt::Spirv(_) => found = true,
        Stmt::Let(id) => found |= op(*id).is_some_and(is_uniform),
        _ => {}
    });
    found
}

fn index(id: ValueId) -> usize {
    id.into_raw().into_u32() as usize
}

/// Gives each constant operand a value of its own, which the body does not compute yet. Returns them.
fn spread_constants(function: &mut Function) -> Vec<ValueId> {
    let known: Vec<Option<ScalarConst>> = function.values.iter().map(|(id, _)| function.constant(id)).collect();
    let mut spread = Vec::new();
    let Function { values, body, .. } = function;
    walk::statements_mut(body, &mut |stmt| {
        if stmt.is_marker() {
            return;
        }
        let mut give = |id: &mut ValueId, values: &mut la_arena::Arena<Value>| {
            if let Some(constant) = known.get(index(*id)).copied().flatten() {
                *id = values.alloc(Value::new(Type::Scalar(constant.ty), Op::Const(constant)));
                spread.push(*id);
            }
        };
        if let Stmt::Let(id) = stmt {
            let mut op = std::mem::replace(&mut values[*id].op, Op::Undef);
            op.for_each_operand_mut(|operand| give(operand, values));
            values[*id].op = op;
        }
        stmt.for_each_operand_mut(|operand| give(operand, values));
        stmt.for_each_end_operand_mut(|operand| give(operand, values));
    });
    spread
}

/// Returns the operands of `first` that are other constants in `other`, with these. `None` if something else differs.
fn differences(first: &Function, other: &Function) -> Option<Vec<(ValueId, ScalarConst)>> {
    let locals = || first.locals.values().zip(other.locals.values());
    let is_alike = first.locals.len() == other.locals.len()
        && locals().all(|(a, b)| a.ty == b.ty)
        && (&first.params, &first.ret, &first.needs) == (&other.params, &other.ret, &other.needs);
    let mut comparison = Comparison { first, other, pairs: ValueMap::default(), found: Vec::new() };
    if is_alike {
        comparison.block(&first.body, &other.body)?;
        return Some(comparison.found);
    }
    None
}

struct Comparison<'a> {
    first: &'a Function,
    other: &'a Function,
    /// The value of `other` for a value of `first`.
    pairs: ValueMap<ValueId>,
    found: Vec<(ValueId, ScalarConst)>,
}

/// Returns whether an operand of this operation may be another constant in each element.
fn may_vary(op: &Op) -> bool {
    matches!(
        op,
        Op::Compose(_)
            | Op::ExtractDynamic { .. }
            | Op::Insert { .. }
            | Op::Unary { .. }
            | Op::Binary { .. }
            | Op::Select { .. }
            | Op::Convert(_)
            | Op::Bitcast(_)
            | Op::Math { .. }
            | Op::Index { .. }
            | Op::Atomic { .. }
            | Op::Call { .. }
    )
}

impl Comparison<'_> {
    fn block(&mut self, a: &Block, b: &Block) -> Option<()> {
        fn parts<'a>(function: &'a Function, block: &'a Block) -> impl Iterator<Item = &'a Stmt> {
            block.iter().filter(|stmt| match stmt {
                Stmt::Let(id) => function.constant(*id).is_none(),
                stmt => !stmt.is_marker(),
            })
        }
        let (mut a, mut b) = (parts(self.first, a), parts(self.other, b));
        loop {
            match (a.next(), b.next()) {
                (Some(a), Some(b)) => self.stmt(a, b)?,
                (None, None) => return Some(()),
                _ => return None,
            }
        }
    }

    fn stmt(&mut self, a: &Stmt, b: &Stmt) -> Option<()> {
        if let (Stmt::Let(a), Stmt::Let(b)) = (a, b) {
            return self.value(*a, *b);
        }
        let is_alike = match (a, b) {
            (Stmt::If { hint: a, .. }, Stmt::If { hint: b, .. }) => a == b,
            (Stmt::Switch { hint: x, cases: a, .. }, Stmt::Switch { hint: y, cases: b, .. }) => {
                x == y && a.iter().map(|case| &case.labels).eq(b.iter().map(|case| &case.labels))
            }
            (Stmt::Loop { details: a, break_if: x, .. }, Stmt::Loop { details: b, break_if: y, .. }) => {
                a.hint == b.hint && x.is_some() == y.is_some()
            }
            (a, b) => !a.is_nested() && blank(a) == blank(b),
        };
        if !is_alike {
            return None;
        }
        let may_vary = !matches!(a, Stmt::Spirv(_) | Stmt::IncrementCount { .. } | Stmt::RayQuery { .. });
        self.operands(&a.operands(), &b.operands(), may_vary)?;
        // The blocks see parameters of a loop, and the statements after it see results.
        let defined = |stmt: &Stmt| {
            let mut all = Vec::new();
            stmt.for_each_definition(|id| all.push(id));
            all
        };
        let (of_a, of_b) = (defined(a), defined(b));
        if of_a.len() != of_b.len() {
            return None;
        }
        of_a.into_iter().zip(of_b).try_for_each(|(a, b)| self.pair(a, b))?;
        let (inner, others): (Vec<_>, Vec<_>) = (a.blocks().collect(), b.blocks().collect());
        if inner.len() != others.len() {
            return None;
        }
        inner.into_iter().zip(others).try_for_each(|(a, b)| self.block(a, b))?;
        let ends = |stmt: &Stmt| {
            let mut all = Vec::new();
            stmt.for_each_end_operand(|id| all.push(id));
            all
        };
        self.operands(&ends(a), &ends(b), true)
    }

    fn value(&mut self, a: ValueId, b: ValueId) -> Option<()> {
        let (x, y) = (&self.first.value(a)?.op, &self.other.value(b)?.op);
        let operands = |op: &Op| {
            let mut all = Vec::new();
            op.for_each_operand(|id| all.push(id));
            all
        };
        self.operands(&operands(x), &operands(y), may_vary(x))?;
        let mut is_alike = x == y;
        if !is_alike {
            let blank = |op: &Op| {
                let mut op = op.clone();
                op.for_each_operand_mut(|id| *id = b);
                op
            };
            is_alike = blank(x) == blank(y);
        }
        if is_alike { self.pair(a, b) } else { None }
    }

    fn pair(&mut self, a: ValueId, b: ValueId) -> Option<()> {
        let (x, y) = (self.first.value(a)?, self.other.value(b)?);
        if (&x.ty, x.precise) != (&y.ty, y.precise) {
            return None;
        }
        self.pairs.insert(a, b);
        Some(())
    }

    fn operands(&mut self, a: &[ValueId], b: &[ValueId], may_vary: bool) -> Option<()> {
        if a.len() != b.len() {
            return None;
        }
        for (a, b) in a.iter().zip(b) {
            match (self.first.constant(*a), self.other.constant(*b)) {
                (Some(x), Some(y)) if x == y => {}
                (Some(x), Some(y)) if x.ty == y.ty && may_vary => self.found.push((*a, y)),
                (None, None) if self.pairs.get(*a) == Some(b) => {}
                _ => return None,
            }
        }
        Some(())
    }
}

/// Returns a statement without its operands.
fn blank(stmt: &Stmt) -> Stmt {
    let mut stmt = stmt.clone();
    let any = ValueId::from_raw(la_arena::RawIdx::from_u32(0));
    stmt.for_each_operand_mut(|id| *id = any);
    stmt
}

/// The statements that compute the varying constants, from the element.
struct Start {
    function: Function,
    body: Block,
    tables: Vec<Global>,
}

/// Computes the varying constants of `function` at its start.
fn computed(function: Function, constants: &[ValueId], columns: &[Column]) -> Option<OneCode> {
    let varying: FxHashSet<ValueId> = columns.iter().map(|column| column.operand).collect();
    let same = constants.iter().filter(|id| !varying.contains(id)).map(|id| Stmt::Let(*id));
    let mut start = Start { function, body: same.collect(), tables: Vec::new() };
    let element = start.add(Type::U32, Op::Param(0));
    let mut known: Vec<(&[ScalarConst], Op)> = Vec::new();
    for column in columns {
        let op = match known.iter().find(|(constants, _)| *constants == column.constants) {
            Some((_, op)) => op.clone(),
            None => start.constant(element, &column.constants)?,
        };
        known.push((&column.constants, op.clone()));
        start.function.values[column.operand].op = op;
        start.body.push(Stmt::Let(column.operand));
    }
    start.function.body.splice(0..0, start.body);
    Some(OneCode { function: start.function, tables: start.tables })
}

impl Start {
    fn add(&mut self, ty: Type, op: Op) -> ValueId {
        let id = self.function.values.alloc(Value::new(ty, op));
        self.body.push(Stmt::Let(id));
        id
    }

    /// Returns the operation that computes the constant of an element, after its operands.
    fn constant(&mut self, element: ValueId, constants: &[ScalarConst]) -> Option<Op> {
        let first = *constants.first()?;
        let ty = Type::Scalar(first.ty);
        if let Some(step) = step(constants) {
            let number = if first.ty == Scalar::U32 { element } else { self.add(ty.clone(), Op::Convert(element)) };
            let step = self.add(ty.clone(), Op::Const(step));
            let product = self.add(ty.clone(), Op::Binary { op: BinaryOp::Mul, lhs: number, rhs: step });
            let first = self.add(ty, Op::Const(first));
            return Some(Op::Binary { op: BinaryOp::Add, lhs: product, rhs: first });
        }
        let name = Symbol::from(format!("{}.constants.{}", self.function.name, self.tables.len()));
        let table = table(name, constants)?;
        let all = self.add(table.value_type(), Op::Global(table.name.clone()));
        let place = Op::Index { base: all, index: element };
        let Ok(Typing::Is(ty)) = typing::type_of(&self.function, &place, &Type::Void) else { return None };
        self.tables.push(table);
        let place = self.add(ty, place);
        if first.ty != Scalar::Bool {
            return Some(Op::Load(place));
        }
        let word = self.add(Type::U32, Op::Load(place));
        let zero = self.add(Type::U32, Op::Const(ScalarConst::u32(0)));
        Some(Op::Binary { op: BinaryOp::Ne, lhs: word, rhs: zero })
    }
}

/// Returns the difference of neighbours, if it is the same for all.
fn step(constants: &[ScalarConst]) -> Option<ScalarConst> {
    let [first, second, ..] = constants else { return None };
    if !first.ty.is_integer() {
        return None;
    }
    let step = ScalarConst::new(first.ty, second.bits.wrapping_sub(first.bits));
    let next = |a: &ScalarConst| ScalarConst::new(first.ty, a.bits.wrapping_add(step.bits));
    constants.windows(2).all(|pair| next(&pair[0]) == pair[1]).then_some(step)
}

/// Returns a table with a constant for each element, as words if these are truth values.
fn table(name: Symbol, constants: &[ScalarConst]) -> Option<Global> {
    let scalar = constants.first()?.ty;
    let element = Type::Scalar(if scalar == Scalar::Bool { Scalar::U32 } else { scalar });
    let stride = layout::scalar_stride(&element).ok()?;
    let value = |constant: &ScalarConst| {
        Constant::Scalar(if scalar == Scalar::Bool { ScalarConst::u32(constant.bits as u32) } else { *constant })
    };
    let value = Constant::Composite(constants.iter().map(value).collect());
    let ty = Type::Array { element: element.into(), len: constants.len() as u32, stride };
    Some(Global { name, kind: GlobalKind::Constant { ty, value } })
}
