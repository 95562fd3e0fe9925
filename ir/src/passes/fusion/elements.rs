//! The code of the nodes of an array: a function for each kind of code.
//!
//! [`bodies`] compares the functions statement by statement. Nodes that differ in constants alone share a function: an
//! operand that is a different constant in some of them is computed from the element, or read from a table of constants.

use super::groups::each_callee;
use super::rules::Reason;
use crate::Symbol;
use crate::function::*;
use crate::graph::{Node, Output, RecordEnd};
use crate::layout;
use crate::module::{Constant, Global, GlobalKind, Module};
use crate::passes::offsets::has_variable_offsets;
use crate::types::{Scalar, Type};
use crate::typing::{self, Typing};
use crate::value_map::ValueMap;
use crate::walk;
use rustc_hash::{FxHashSet, FxHasher};
use std::hash::{Hash as _, Hasher as _};

/// The most different constants of one element.
const MAX_CONSTANTS: usize = 16;

/// The code of a consumer, or of some elements of an array of consumers.
pub(super) struct Body {
    /// The consumer, for an array the first one.
    pub guest: usize,
    /// The elements with this code, in order. Empty if the output is no array.
    pub elements: Vec<u32>,
    /// For an array, parameter 0 is the element, in values only: the list of parameters is empty.
    pub function: Function,
    /// Tables that the code reads.
    pub tables: Vec<Global>,
}

/// Returns the code of the nodes of an array. `consumers` are the elements, each with its function.
///
/// # Errors
/// There are more than `most` functions.
pub(super) fn bodies(
    module: &Module,
    consumers: impl Iterator<Item = (usize, Function)>,
    most: usize,
) -> Result<Vec<Body>, Reason> {
    let mut kinds: Vec<Kind> = Vec::new();
    for (element, (guest, function)) in (0..).zip(consumers) {
        let node = &module.graph.nodes[guest];
        // Lanes of several elements would take part.
        let joins = !uses_lanes(module, &function);
        let found = kinds.iter_mut().enumerate().filter(|(_, kind)| kind.joins && joins).find_map(|(number, kind)| {
            let differences = kind.differences(module, node, &function)?;
            Some((number, differences))
        });
        let member = Member { element, guest, function };
        match found {
            Some((number, differences)) => {
                kinds[number].members.push(member);
                kinds[number].differences.push(differences);
            }
            None if kinds.len() == most => return Err(Reason::ElementCode),
            None => kinds.push(Kind { members: vec![member], joins, spread: None, differences: Vec::new() }),
        }
    }
    let mut bodies = Vec::new();
    for kind in kinds {
        match kind.body(module) {
            Some(body) => bodies.push(body),
            None => bodies.extend(kind.members.into_iter().map(Member::body)),
        }
    }
    if bodies.len() > most { Err(Reason::ElementCode) } else { Ok(bodies) }
}

/// An element of the array.
struct Member {
    element: u32,
    guest: usize,
    function: Function,
}

impl Member {
    /// Returns the code for this element alone.
    fn body(self) -> Body {
        let Member { element, guest, function } = self;
        Body { guest, elements: vec![element], function, tables: Vec::new() }
    }
}

/// Elements whose functions differ in constants alone.
struct Kind {
    members: Vec<Member>,
    /// Other elements may have the same function.
    joins: bool,
    /// The function of the first with a value for each constant operand, and these values.
    spread: Option<(Function, Vec<ValueId>)>,
    /// By further member, the operands with other constants.
    differences: Vec<Vec<(ValueId, ScalarConst)>>,
}

impl Kind {
    /// Returns the operands that are other constants in this function. `None` if the outputs or the functions differ in
    /// something else.
    fn differences(&mut self, module: &Module, node: &Node, other: &Function) -> Option<Vec<(ValueId, ScalarConst)>> {
        // Reports name the ends, so those of other nodes must be equal.
        let unnamed = |node: &Node| {
            let of_output = |output: &Output| Output { name: Symbol::default(), ..output.clone() };
            let of_end = |end: &RecordEnd| {
                (Some(&end.node).filter(|of| **of != node.id).cloned(), end.output, end.target.clone())
            };
            (node.outputs.iter().map(of_output).collect::<Vec<_>>(), node.ends.iter().map(of_end).collect::<Vec<_>>())
        };
        let first = self.members.first()?;
        if unnamed(&module.graph.nodes[first.guest]) != unnamed(node) {
            return None;
        }
        let (spread, _) = self.spread.get_or_insert_with(|| {
            let mut function = first.function.clone();
            let constants = spread_constants(&mut function);
            (function, constants)
        });
        differences(spread, other)
    }

    /// Returns one function for all members. `None` if they differ in too many constants, or in one that must be
    /// constant.
    fn body(&self, module: &Module) -> Option<Body> {
        let guest = self.members.first()?.guest;
        let elements: Vec<u32> = self.members.iter().map(|member| member.element).collect();
        let (spread, constants) = self.spread.as_ref().filter(|_| !self.differences.is_empty())?;
        let mut columns: Vec<Column> = Vec::new();
        let mut place = ValueMap::default();
        for (number, found) in (1..).zip(&self.differences) {
            for (operand, constant) in found {
                let column = match place.get(*operand) {
                    Some(column) => *column,
                    None => {
                        place.insert(*operand, columns.len());
                        let constants = vec![spread.constant(*operand)?; elements.len()];
                        columns.push(Column { operand: *operand, constants });
                        columns.len() - 1
                    }
                };
                *columns.get_mut(column)?.constants.get_mut(number)? = *constant;
            }
        }
        let different: FxHashSet<&[ScalarConst]> = columns.iter().map(|column| &*column.constants).collect();
        let is_dynamic = !columns.is_empty() && any_callee(module, spread, &mut needs_uniform_or_constant);
        if different.len() > MAX_CONSTANTS || is_dynamic {
            return None;
        }
        let (function, tables) = computed(spread.clone(), constants, &columns, &elements)?;
        Some(Body { guest, elements, function, tables })
    }
}

/// Returns whether a function or its callees communicate between lanes.
pub(super) fn uses_lanes(module: &Module, function: &Function) -> bool {
    any_callee(module, function, &mut |function| {
        let is_lane = |op: &Op| matches!(op, Op::Builtin(Builtin::SubgroupLane | Builtin::SubgroupId));
        function.values.values().any(|value| value.op.is_across_lanes() || is_lane(&value.op))
    })
}

/// An operand that is not the same constant in all elements.
struct Column {
    operand: ValueId,
    /// Its constant, for each element of the kind.
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

/// Computes the varying constants of `function` at its start, for these elements. Returns the tables too.
fn computed(
    function: Function,
    constants: &[ValueId],
    columns: &[Column],
    elements: &[u32],
) -> Option<(Function, Vec<Global>)> {
    let varying: FxHashSet<ValueId> = columns.iter().map(|column| column.operand).collect();
    let same = constants.iter().filter(|id| !varying.contains(id)).map(|id| Stmt::Let(*id));
    let mut start = Start { function, body: same.collect(), tables: Vec::new() };
    let element = start.add(Type::U32, Op::Param(0));
    let mut known: Vec<(&[ScalarConst], Op)> = Vec::new();
    for column in columns {
        let op = match known.iter().find(|(constants, _)| *constants == column.constants) {
            Some((_, op)) => op.clone(),
            None => start.constant(element, &column.constants, elements)?,
        };
        known.push((&column.constants, op.clone()));
        start.function.values[column.operand].op = op;
        start.body.push(Stmt::Let(column.operand));
    }
    start.function.body.splice(0..0, start.body);
    Some((start.function, start.tables))
}

impl Start {
    fn add(&mut self, ty: Type, op: Op) -> ValueId {
        let id = self.function.values.alloc(Value::new(ty, op));
        self.body.push(Stmt::Let(id));
        id
    }

    /// Returns the operation that computes the constant of an element, after its operands. `constants` are those of
    /// `elements`.
    fn constant(&mut self, element: ValueId, constants: &[ScalarConst], elements: &[u32]) -> Option<Op> {
        let first = *constants.first()?;
        let ty = Type::Scalar(first.ty);
        if let Some((first, step)) = line(constants, elements) {
            let number = if first.ty == Scalar::U32 { element } else { self.add(ty.clone(), Op::Convert(element)) };
            let step = self.add(ty.clone(), Op::Const(step));
            let product = self.add(ty.clone(), Op::Binary { op: BinaryOp::Mul, lhs: number, rhs: step });
            let first = self.add(ty, Op::Const(first));
            return Some(Op::Binary { op: BinaryOp::Add, lhs: product, rhs: first });
        }
        let table = table(&self.function.name, constants, elements)?;
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

/// Returns the constant that element 0 would have, and the difference of neighbours, if it is the same for all of these
/// consecutive elements.
fn line(constants: &[ScalarConst], elements: &[u32]) -> Option<(ScalarConst, ScalarConst)> {
    let [first, second, ..] = constants else { return None };
    let are_consecutive = elements.windows(2).all(|pair| pair[0].checked_add(1) == Some(pair[1]));
    if !first.ty.is_integer() || !are_consecutive {
        return None;
    }
    let step = ScalarConst::new(first.ty, second.bits.wrapping_sub(first.bits));
    let next = |a: &ScalarConst| ScalarConst::new(first.ty, a.bits.wrapping_add(step.bits));
    let before = step.bits.wrapping_mul(u64::from(*elements.first()?));
    let origin = ScalarConst::new(first.ty, first.bits.wrapping_sub(before));
    constants.windows(2).all(|pair| next(&pair[0]) == pair[1]).then_some((origin, step))
}

/// Returns a table with the constants at their elements, as words if these are truth values. No other element is read.
/// Another carrier, or another output, may have another part of the array, so the name depends on the contents.
fn table(function: &Symbol, constants: &[ScalarConst], elements: &[u32]) -> Option<Global> {
    let mut all = vec![*constants.first()?; *elements.last()? as usize + 1];
    for (element, constant) in elements.iter().zip(constants) {
        *all.get_mut(*element as usize)? = *constant;
    }
    let constants = all;
    let mut hasher = FxHasher::default();
    constants.hash(&mut hasher);
    let name = Symbol::from(format!("{function}.constants.{:016x}", hasher.finish()));
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
