//! Simplification: constants, parts of composed values, operations that equal simpler ones, and known branches.
//!
//! It is one forward walk. Each value is compared with the operations behind its operands, a constant number of steps
//! back. So the time is linear.
//!
//! A simplified value keeps its id, so its name and its position in the text stay. An operation may also be equal to an
//! earlier value, such as an element of a composition or a select on a constant. Such a value replaces it in all uses.
//! It is an operand, or an operand of one. Each operand was computed in an enclosing block before, where its own
//! operands were visible, so all of them are visible.

mod algebra;
mod composites;
mod constants;
mod conversions;
mod floats;

use crate::function::*;
use crate::hint::BranchHint;
use crate::types::Type;
use crate::value_map::ValueMap;
use composites::Part;
use rustc_hash::FxHashMap;

/// The number of times that one value is simplified further. A sum of constants may become zero, which vanishes.
const STEPS: usize = 4;

/// The need for every operation on floats to flush denormal numbers to zero (`-denorm ftz`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DenormalFlush {
    /// `x * 1` is not `x`.
    Required,
    /// The device may flush them or not.
    Optional,
}

/// Simplifies a function for any treatment of denormal floats. [`dead`](super::dead) removes the unused code that
/// remains.
pub fn fold(function: &mut Function) {
    fold_floats(function, DenormalFlush::Required);
}

/// Simplifies a function like [`fold`]. If devices need not flush denormals, it also removes operations on floats
/// that keep every bit, and folds denormal constants.
pub fn fold_floats(function: &mut Function, flush: DenormalFlush) {
    let body = std::mem::take(&mut function.body);
    let mut folder = Folder {
        function,
        flush,
        replaced: ValueMap::default(),
        parts: ValueMap::default(),
        facts: ValueMap::default(),
        constants: FxHashMap::default(),
        start: Block::new(),
        before: Block::new(),
    };
    let body = folder.block(body);
    let mut all = folder.start;
    all.extend(body);
    function.body = all;
}

struct Folder<'a> {
    function: &'a mut Function,
    flush: DenormalFlush,
    replaced: ValueMap<ValueId>,
    /// The elements of values with few elements that were composed.
    parts: ValueMap<Vec<Part>>,
    /// Conditions that are known in the current block.
    facts: ValueMap<bool>,
    /// The constants in `start`.
    constants: FxHashMap<Vec<ScalarConst>, ValueId>,
    /// New constants, for the start of the function: there they are visible everywhere.
    start: Block,
    /// New values that the current one uses.
    before: Block,
}

/// A replacement for an operation.
enum Simpler {
    /// An earlier value.
    Same(ValueId),
    /// An operation, which may be simplified further.
    Op(Op),
    /// A constant scalar or vector.
    Constant(Vec<ScalarConst>),
}

impl Folder<'_> {
    fn block(&mut self, block: Block) -> Block {
        let mut out = Block::with_capacity(block.len());
        for stmt in block {
            self.stmt(stmt, &mut out);
            // A branch that is certainly taken may have ended the block.
            if out.last().is_some_and(Stmt::ends_block) {
                break;
            }
        }
        out
    }

    fn replace(&self, id: &mut ValueId) {
        self.replaced.replace(id);
    }

    fn stmt(&mut self, mut stmt: Stmt, out: &mut Block) {
        stmt.for_each_operand_mut(|id| self.replace(id));
        match stmt {
            Stmt::Let(id) => {
                self.value(id);
                out.append(&mut self.before);
                out.push(Stmt::Let(id));
            }
            Stmt::If { cond, then, otherwise, results, hint } => match self.condition(cond) {
                Some(taken) => {
                    let taken = self.block(if taken { then } else { otherwise });
                    self.taken(taken, &results, out);
                }
                None => {
                    let then = self.arm(cond, true, then);
                    let otherwise = self.arm(cond, false, otherwise);
                    if let (Some(Stmt::Yield(then)), Some(Stmt::Yield(otherwise))) = (then.last(), otherwise.last()) {
                        // A value that both arms see is also visible after them.
                        let same = results.iter().zip(then.iter().zip(otherwise)).filter(|(_, (a, b))| a == b);
                        self.replaced.extend(same.map(|(result, (value, _))| (*result, *value)));
                    }
                    out.push(Stmt::If { cond, then, otherwise, results, hint });
                }
            },
            Stmt::Switch { selector, cases, default, results, hint } => {
                self.switch(selector, cases, (default, results, hint), out);
            }
            mut other => {
                if let Stmt::Loop { details, .. } = &other {
                    // Each iteration passes on the value that it got.
                    let same = details.params.iter().zip(&details.next).zip(&details.first);
                    let same = same.filter(|((param, next), _)| param == next);
                    self.replaced.extend(same.map(|((param, _), first)| (*param, *first)));
                }
                for inner in other.blocks_mut() {
                    *inner = self.block(std::mem::take(inner));
                }
                other.for_each_end_operand_mut(|id| self.replace(id));
                out.push(other);
            }
        }
    }

    /// Adds the arm that is certainly taken. Its values replace the results.
    fn taken(&mut self, mut arm: Block, results: &[ValueId], out: &mut Block) {
        if let Some(Stmt::Yield(values)) = arm.last() {
            self.replaced.extend(results.iter().copied().zip(values.iter().copied()));
            arm.pop();
        }
        out.append(&mut arm);
    }

    fn switch(
        &mut self,
        selector: ValueId,
        cases: Vec<Case>,
        (default, results, hint): (Block, Values, BranchHint),
        out: &mut Block,
    ) {
        if let Some(c) = self.function.constant(selector) {
            let is_taken = |case: &Case| case.labels.iter().any(|&label| label as u64 & c.ty.mask() == c.bits);
            let chosen = cases.into_iter().find(is_taken).map_or(default, |case| case.body);
            let mut arm = self.block(chosen);
            let end = match arm.last() {
                Some(Stmt::Break(values)) => Some(values.clone()),
                _ => None,
            };
            let inner = &arm[..arm.len() - usize::from(end.is_some())];
            // A break in the middle needs an enclosing statement to leave.
            if may_break(inner) {
                out.push(Stmt::Switch { selector, cases: Vec::new(), default: arm, results, hint });
                return;
            }
            if let Some(values) = end {
                arm.pop();
                arm.extend((!values.is_empty()).then_some(Stmt::Yield(values)));
            }
            self.taken(arm, &results, out);
            return;
        }
        let cases = cases.into_iter().map(|c| Case { labels: c.labels, body: self.block(c.body) }).collect();
        let default = self.block(default);
        out.push(Stmt::Switch { selector, cases, default, results, hint });
    }

    /// Folds an arm of a branch. The condition is known inside.
    fn arm(&mut self, cond: ValueId, taken: bool, block: Block) -> Block {
        let (cond, negated) = self.without_not(cond);
        self.facts.insert(cond, taken != negated);
        let block = self.block(block);
        self.facts.take(cond);
        block
    }

    /// Returns the value of a condition of a branch or select, if it is known here.
    fn condition(&self, cond: ValueId) -> Option<bool> {
        let (inner, negated) = self.without_not(cond);
        match self.facts.get(inner) {
            Some(known) => Some(*known != negated),
            None => self.function.constant(cond).map(|c| c.bits != 0),
        }
    }

    /// Returns the operand of a negation and true, or the value itself. Negations of negations have been removed.
    fn without_not(&self, cond: ValueId) -> (ValueId, bool) {
        match self.op(cond) {
            Some(Op::Unary { op: UnaryOp::Not, value }) => (*value, true),
            _ => (cond, false),
        }
    }

    fn value(&mut self, id: ValueId) {
        if self.function.value(id).is_none() {
            return;
        }
        let mut op = std::mem::replace(&mut self.function.values[id].op, Op::Undef);
        op.for_each_operand_mut(|operand| self.replace(operand));
        let ty = self.function.values[id].ty.clone();
        for _ in 0..STEPS {
            match self.simpler(&op, &ty) {
                Some(Simpler::Op(new)) => op = new,
                Some(Simpler::Constant(scalars)) => {
                    op = self.constant_op(&ty, scalars);
                    break;
                }
                Some(Simpler::Same(same)) => {
                    // Resources of different types may have one shape.
                    if self.function.type_of(same) == Some(&ty) {
                        self.function.values[same].precise |= self.function.values[id].precise;
                        self.replaced.insert(id, same);
                    }
                    break;
                }
                None => break,
            }
        }
        self.note_parts(id, &op, &ty);
        self.function.values[id].op = op;
    }

    fn simpler(&mut self, op: &Op, ty: &Type) -> Option<Simpler> {
        if let Some(constant) = self.evaluate(op, ty) {
            return Some(Simpler::Constant(constant));
        }
        match op {
            Op::Compose(_)
            | Op::Extract { .. }
            | Op::ExtractDynamic { .. }
            | Op::Insert { .. }
            | Op::Swizzle { .. }
            | Op::Shuffle { .. } => self.recomposed(op, ty),
            Op::Unary { op, value } => self.unary(*op, *value),
            Op::Binary { op: operator, lhs, rhs } => {
                self.chosen(op, ty).or_else(|| self.binary(*operator, *lhs, *rhs, ty))
            }
            Op::Select { cond, then, otherwise } => {
                self.select(*cond, *then, *otherwise, ty).or_else(|| self.recomposed(op, ty))
            }
            Op::Convert(value) => self.chosen(op, ty).or_else(|| self.convert(*value, ty)),
            Op::Bitcast(value) => self.bitcast(*value, ty),
            Op::Math { op: MathOp::Min | MathOp::Max, args } if args[..].windows(2).all(|pair| pair[0] == pair[1]) => {
                let is_float = ty.scalar().is_none_or(|s| s.is_float());
                args.first().filter(|_| !is_float).map(|same| Simpler::Same(*same))
            }
            _ => None,
        }
    }

    fn op(&self, id: ValueId) -> Option<&Op> {
        self.function.value(id).map(|v| &v.op)
    }
}

/// Returns whether a `Break` in the block leaves the statement around it.
pub(super) fn may_break(block: &[Stmt]) -> bool {
    block.iter().any(|stmt| match stmt {
        Stmt::Break(_) => true,
        Stmt::If { then, otherwise, .. } => may_break(then) || may_break(otherwise),
        _ => false,
    })
}
