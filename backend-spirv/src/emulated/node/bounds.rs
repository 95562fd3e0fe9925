//! Upper bounds of indexes: an index that is certainly in range needs no check.
//!
//! The analysis uses a copy of the function with promoted locals and folded constants. Values keep their numbers there.
//! The bound of a number follows from its computation. The bound of a loop counter follows from the condition at the
//! start of the loop.

use rustc_hash::{FxHashMap, FxHashSet};
use wgc_ir::{
    BinaryOp, Block, Builtin, Function, Launch, LocalId, MathOp, Node, Op, Scalar, ScalarConst, Stmt, Type, ValueId,
    passes, walk,
};

/// The most operands that are followed in sequence.
const MAX_DEPTH: usize = 8;

pub(super) struct Bounds {
    function: Function,
    num_threads: [u32; 3],
    /// MaxRecords of the input.
    max_records: u32,
    /// Bounds of loads of loop counters.
    counters: FxHashMap<ValueId, u64>,
    /// Vectors in locals that are stored once, before all other statements.
    vectors: FxHashMap<LocalId, ValueId>,
}

impl Bounds {
    pub(super) fn new(node: &Node, function: &Function) -> Self {
        let mut function = function.clone();
        // Handles that no value can replace stay in locals, and their records have no known bounds.
        let _ = passes::promote(&mut function);
        passes::fold(&mut function);
        let num_threads = if node.launch == Launch::Thread { [1; 3] } else { node.num_threads };
        let max_records = node.input.as_ref().map_or(1, |input| input.max_records).max(1);
        let mut counters = FxHashMap::default();
        Loops { shared: shared_locals(&function), function: &function, ends: &mut counters }.block(&function.body);
        let vectors = vectors(&function);
        Self { function, num_threads, max_records, counters, vectors }
    }

    /// Returns whether the index of this access to an element or a record is below `end`.
    pub(super) fn within(&self, access: ValueId, end: u32) -> bool {
        let index = match self.op(access) {
            Some(Op::Index { index, .. } | Op::InputRecord { index } | Op::OutputRecord { index, .. }) => *index,
            _ => return false,
        };
        self.end(index, MAX_DEPTH).is_some_and(|known| known <= u64::from(end))
    }

    /// Returns the output and the requested count of the accessed record's allocation, if both are known.
    pub(super) fn asked(&self, access: ValueId) -> Option<(u32, u32)> {
        let Op::OutputRecord { records, .. } = self.op(access)? else { return None };
        let Op::Allocate { output, count, .. } = self.op(*records)? else { return None };
        let count = number(self.function.constant(*count)?)?;
        Some((*output, u32::try_from(count).ok()?))
    }

    fn op(&self, value: ValueId) -> Option<&Op> {
        self.function.value(value).map(|v| &v.op)
    }

    /// Returns an exclusive upper bound of an integer that is not negative, if one is known.
    fn end(&self, value: ValueId, depth: usize) -> Option<u64> {
        let depth = depth.checked_sub(1)?;
        if let Some(constant) = self.function.constant(value) {
            return number(constant)?.checked_add(1);
        }
        if let Some(end) = self.counters.get(&value) {
            return Some(*end);
        }
        let Some(Type::Scalar(ty)) = self.function.type_of(value) else { return None };
        let of = |operand: ValueId| self.end(operand, depth);
        let end = match self.op(value)? {
            Op::Builtin(Builtin::GroupIndex) => Some(self.num_threads.iter().map(|n| u64::from(*n)).product()),
            Op::InputCount => Some(u64::from(self.max_records) + 1),
            Op::Load(place) => {
                let Op::Index { base, index } = self.op(*place)? else { return None };
                let vector = self.vectors.get(&local_of(&self.function, *base)?)?;
                let component = number(self.function.constant(*index)?)?;
                self.component(*vector, usize::try_from(component).ok()?, depth)
            }
            Op::Extract { base, index } => self.component(*base, *index as usize, depth),
            Op::Swizzle { base, components } => self.component(*base, usize::from(*components.first()?), depth),
            Op::Select { then, otherwise, .. } => Some(of(*then)?.max(of(*otherwise)?)),
            Op::Convert(from) => match self.function.type_of(*from)? {
                Type::Scalar(Scalar::Bool) => Some(2),
                Type::Scalar(from_ty) if from_ty.is_integer() => of(*from),
                _ => None,
            },
            Op::Binary { op, lhs, rhs } => self.binary(*op, *ty, [*lhs, *rhs], depth),
            Op::Math { op: MathOp::Min, args } => match (args.first().map(|a| of(*a))?, args.get(1).map(|b| of(*b))?) {
                (Some(a), Some(b)) => Some(a.min(b)),
                (a, b) if !ty.is_signed() => a.or(b),
                _ => None,
            },
            Op::Math { op: MathOp::Max, args } => Some(of(*args.first()?)?.max(of(*args.get(1)?)?)),
            Op::Math { op: MathOp::Clamp, args } => {
                let bound = |n: usize| number(self.function.constant(*args.get(n)?)?);
                let (least, most) = (bound(1)?, bound(2)?);
                (least <= most).then_some(most + 1)
            }
            _ => None,
        };
        // Numbers that do not fit wrap around.
        end.filter(|end| *end <= limit(*ty))
    }

    /// Returns the bound of a vector's component.
    fn component(&self, vector: ValueId, component: usize, depth: usize) -> Option<u64> {
        match self.op(vector)? {
            Op::Builtin(Builtin::GroupThreadId) => self.num_threads.get(component).map(|n| u64::from(*n)),
            Op::Compose(parts) => {
                let scalars = || parts.iter().all(|part| matches!(self.function.type_of(*part), Some(Type::Scalar(_))));
                self.end(*parts.get(component).filter(|_| scalars())?, depth)
            }
            _ => None,
        }
    }

    fn binary(&self, op: BinaryOp, ty: Scalar, [lhs, rhs]: [ValueId; 2], depth: usize) -> Option<u64> {
        let (a, b) = (self.end(lhs, depth), self.end(rhs, depth));
        let constant = || number(self.function.constant(rhs)?);
        // The bound of any number that is not negative.
        let all = || a.or(if ty.is_signed() { None } else { Some(limit(ty)) });
        match op {
            // The result does not exceed either operand that is not negative.
            BinaryOp::And => a.into_iter().chain(b).min(),
            // With a divisor of zero or too large a shift, the result is undefined.
            BinaryOp::Rem => {
                let by = constant().filter(|by| *by != 0)?;
                Some(by.min(all()?))
            }
            BinaryOp::Div => Some((all()? - 1) / constant().filter(|by| *by != 0)? + 1),
            BinaryOp::Shr => Some(((all()? - 1) >> constant().filter(|by| *by < u64::from(ty.bits()))?) + 1),
            BinaryOp::Add => a?.checked_add(b?)?.checked_sub(1),
            BinaryOp::Mul => (a? - 1).checked_mul(b? - 1)?.checked_add(1),
            _ => None,
        }
    }
}

/// Returns an integer that is not negative.
fn number(constant: ScalarConst) -> Option<u64> {
    (constant.ty.is_integer() && constant.bits < limit(constant.ty)).then_some(constant.bits)
}

/// Returns the exclusive upper bound of a type's values that are not negative. For the largest type it is one less,
/// since the bound is not representable.
fn limit(ty: Scalar) -> u64 {
    let bits = ty.bits() - u32::from(ty.is_signed());
    1u64.checked_shl(bits).unwrap_or(u64::MAX)
}

/// Returns the locals with a place that is used for more than loads and stores of the whole value.
fn shared_locals(function: &Function) -> FxHashSet<LocalId> {
    let mut shared = FxHashSet::default();
    walk::statements(&function.body, &mut |stmt| match stmt {
        Stmt::Let(id) => match function.value(*id).map(|v| &v.op) {
            Some(Op::Load(_)) | None => {}
            Some(op) => op.for_each_operand(|operand| shared.extend(local_of(function, operand))),
        },
        Stmt::Store { value, .. } => shared.extend(local_of(function, *value)),
        other => shared.extend(other.operands().into_iter().filter_map(|operand| local_of(function, operand))),
    });
    shared
}

/// Returns the values of locals that are stored at the start of the function, as parameters are, and whose components
/// are only loaded afterwards.
fn vectors(function: &Function) -> FxHashMap<LocalId, ValueId> {
    let mut vectors = FxHashMap::default();
    let mut spoilt = FxHashSet::default();
    let mut starts = true;
    let places = |id: ValueId| match function.value(id).map(|v| &v.op) {
        Some(Op::Index { base, .. }) => local_of(function, *base),
        _ => local_of(function, id),
    };
    walk::statements(&function.body, &mut |stmt| match stmt {
        Stmt::Store { place, value }
            if starts && local_of(function, *place).is_some_and(|l| !vectors.contains_key(&l)) =>
        {
            vectors.extend(local_of(function, *place).map(|local| (local, *value)));
            spoilt.extend(places(*value));
        }
        Stmt::Let(id) => match function.value(*id).map(|v| &v.op) {
            // A load before the store is undefined.
            Some(Op::Load(place)) => spoilt.extend(places(*place).filter(|local| !vectors.contains_key(local))),
            Some(Op::Index { index, .. }) => spoilt.extend(places(*index)),
            Some(op) => op.for_each_operand(|operand| spoilt.extend(places(operand))),
            None => {}
        },
        other => {
            starts &= other.is_marker();
            spoilt.extend(other.operands().into_iter().filter_map(places));
        }
    });
    vectors.retain(|local, _| !spoilt.contains(local));
    vectors
}

/// Returns the local that a value is the place of.
fn local_of(function: &Function, place: ValueId) -> Option<LocalId> {
    match function.value(place)?.op {
        Op::Local(local) => Some(local),
        _ => None,
    }
}

/// A search for loops that count to a constant.
struct Loops<'a> {
    function: &'a Function,
    shared: FxHashSet<LocalId>,
    ends: &'a mut FxHashMap<ValueId, u64>,
}

impl Loops<'_> {
    fn block(&mut self, block: &Block) {
        for (at, stmt) in block.iter().enumerate() {
            if let Stmt::Loop { body, continuing, .. } = stmt {
                self.counter(&block[..at], body, continuing);
            }
            stmt.blocks().for_each(|inner| self.block(inner));
        }
    }

    /// Finds a loop such as `for (i = 0; i < 4; i++)`. Every load of `i` after the condition gives less than 4, if the
    /// body does not store to it.
    fn counter(&mut self, before: &[Stmt], body: &Block, continuing: &Block) -> Option<()> {
        let function = self.function;
        let at = body.iter().position(|stmt| !stmt.is_marker() && !matches!(stmt, Stmt::Let(_)))?;
        let Stmt::If { cond, then, otherwise, .. } = &body[at] else { return None };
        let leaves = |block: &Block| matches!(block.last(), Some(Stmt::Break(_)));
        if !then.iter().all(Stmt::is_marker) || !leaves(otherwise) {
            return None;
        }
        let Op::Binary { op, lhs, rhs } = function.value(*cond)?.op else { return None };
        let end = match op {
            BinaryOp::Lt => number(function.constant(rhs)?)?,
            BinaryOp::Le => number(function.constant(rhs)?)?.checked_add(1)?,
            _ => return None,
        };
        let Op::Load(place) = function.value(lhs)?.op else { return None };
        let counter = local_of(function, place).filter(|local| !self.shared.contains(local))?;
        let Type::Scalar(ty) = function.local(counter)?.ty else { return None };
        if end == 0 || !self.stores(body, counter).is_empty() {
            return None;
        }
        let (loads, later) = (self.loads(&body[at + 1..], counter), self.loads(continuing, counter));
        // A signed counter must begin at 0 or above, and its step must not overflow.
        if ty.is_signed() {
            let last = before.iter().rfind(|stmt| !self.stores(std::slice::from_ref(stmt), counter).is_empty())?;
            let Stmt::Store { value: first, .. } = last else { return None };
            number(function.constant(*first)?)?;
            let stores = self.stores(continuing, counter);
            let step = continuing.iter().find_map(|stmt| match stmt {
                Stmt::Store { value, .. } if stores == [*value] => Some(*value),
                _ => None,
            });
            let Op::Binary { op: BinaryOp::Add, lhs, rhs } = function.value(step?)?.op else { return None };
            let own = loads.contains(&lhs) || later.contains(&lhs);
            let fits = end.checked_add(number(function.constant(rhs)?)?)? <= limit(ty);
            if !own || !fits {
                return None;
            }
        }
        self.ends.extend(loads.into_iter().map(|load| (load, end)));
        Some(())
    }

    /// Returns the values that these and nested statements store in a local.
    fn stores(&self, block: &[Stmt], local: LocalId) -> Vec<ValueId> {
        let mut stored = Vec::new();
        each(block, &mut |stmt| {
            if let Stmt::Store { place, value } = stmt
                && local_of(self.function, *place) == Some(local)
            {
                stored.push(*value);
            }
        });
        stored
    }

    /// Returns the loads of a local in these and nested statements.
    fn loads(&self, block: &[Stmt], local: LocalId) -> Vec<ValueId> {
        let mut loads = Vec::new();
        each(block, &mut |stmt| {
            if let Stmt::Let(id) = stmt
                && let Some(Op::Load(place)) = self.function.value(*id).map(|v| &v.op)
                && local_of(self.function, *place) == Some(local)
            {
                loads.push(*id);
            }
        });
        loads
    }
}

/// Visits these and nested statements.
fn each(block: &[Stmt], f: &mut impl FnMut(&Stmt)) {
    for stmt in block {
        f(stmt);
        stmt.blocks().for_each(|inner| each(inner, f));
    }
}
