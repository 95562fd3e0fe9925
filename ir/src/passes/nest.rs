//! Turns a switch that has only a default into nested branches. Inlining and unrolling make such a switch, so that an
//! early return or break has a statement to leave.
//!
//! The statements after an `if` with a break move into its other arm:
//! `if a { break x } rest` becomes `if a { yield x } else { rest }`.

use super::fold::may_break;
use super::inline::contains_return;
use crate::function::*;
use crate::hint::BranchHint;
use crate::types::Type;
use rustc_hash::FxHashMap;

/// The maximum number of breaks that become nested branches: each nests the rest deeper.
const MAX_BREAKS: usize = 8;

/// Replaces switches that have only a default by nested branches, inner ones first.
pub fn nest(function: &mut Function) {
    let mut body = std::mem::take(&mut function.body);
    let mut nester = Nester { function, replaced: FxHashMap::default() };
    nester.block(&mut body);
    function.body = body;
}

struct Nester<'a> {
    function: &'a mut Function,
    /// Results of branches whose rest moved into an arm, with their values there.
    replaced: FxHashMap<ValueId, ValueId>,
}

impl Nester<'_> {
    fn replace(&self, id: &mut ValueId) {
        // A result may be yielded by another branch that moved.
        while let Some(new) = self.replaced.get(id) {
            *id = *new;
        }
    }

    fn block(&mut self, block: &mut Block) {
        let mut out = Block::with_capacity(block.len());
        for mut stmt in block.drain(..) {
            self.stmt(&mut stmt);
            match stmt {
                Stmt::Switch { cases, default, results, .. } if cases.is_empty() && breaks(&default).is_some() => {
                    let results = results.into_vec();
                    self.nested(default, results, &mut out);
                }
                other => out.push(other),
            }
        }
        *block = out;
    }

    /// Rewrites the operands and the blocks of a statement.
    fn stmt(&mut self, stmt: &mut Stmt) {
        stmt.for_each_operand_mut(|id| self.replace(id));
        if let Stmt::Let(id) = stmt
            && !self.replaced.is_empty()
            && self.function.value(*id).is_some()
        {
            let mut op = std::mem::replace(&mut self.function.values[*id].op, Op::Undef);
            op.for_each_operand_mut(|id| self.replace(id));
            self.function.values[*id].op = op;
        }
        stmt.blocks_mut().for_each(|inner| self.block(inner));
        stmt.for_each_end_operand_mut(|id| self.replace(id));
    }

    /// Adds the statements of a default. Their end and their breaks set the results.
    fn nested(&mut self, block: Block, results: Vec<ValueId>, out: &mut Block) {
        let mut rest = block.into_iter();
        while let Some(mut stmt) = rest.next() {
            // The replacements of a branch that moved apply to the rest.
            self.stmt(&mut stmt);
            if !may_break(std::slice::from_ref(&stmt)) {
                match stmt {
                    Stmt::Yield(values) => self.set(&results, &values),
                    other => out.push(other),
                }
                continue;
            }
            let (cond, mut arms, own, hint) = match stmt {
                Stmt::Break(values) => return self.set(&results, &values),
                Stmt::If { cond, then, otherwise, results, hint } => (cond, [then, otherwise], results, hint),
                other => return out.push(other),
            };
            let leaving = usize::from(!matches!(arms[0].last(), Some(Stmt::Break(_))));
            if let Some(Stmt::Break(values)) = arms[leaving].pop() {
                arms[leaving].extend((!values.is_empty()).then_some(Stmt::Yield(values)));
            }
            // The rest goes on in the other arm. It may end with a jump, and then there is no rest.
            let staying = &mut arms[1 - leaving];
            if let Some(Stmt::Yield(values)) = staying.last() {
                self.replaced.extend(own.iter().copied().zip(values.iter().copied()));
                staying.pop();
            }
            let ends = staying.last().is_some_and(Stmt::is_jump);
            let inner: Vec<ValueId> = if ends { Vec::new() } else { results.iter().map(|id| self.copy(*id)).collect() };
            let mut after = Block::new();
            if !ends {
                self.nested(rest.by_ref().collect(), inner.clone(), &mut after);
                let falls = !after.last().is_some_and(Stmt::is_jump);
                let yielded: Values = inner.iter().map(|id| self.replaced_by(*id)).collect();
                after.extend((falls && !yielded.is_empty()).then_some(Stmt::Yield(yielded)));
            }
            arms[1 - leaving].append(&mut after);
            let [then, otherwise] = arms;
            out.push(Stmt::If { cond, then, otherwise, results: results.into(), hint });
            return;
        }
    }

    /// Makes results the values that an end yields.
    fn set(&mut self, results: &[ValueId], values: &[ValueId]) {
        self.replaced.extend(results.iter().copied().zip(values.iter().copied()));
    }

    fn replaced_by(&self, mut id: ValueId) -> ValueId {
        self.replace(&mut id);
        id
    }

    /// Returns a new merged value like another.
    fn copy(&mut self, id: ValueId) -> ValueId {
        let value = self.function.value(id).cloned();
        self.function.values.alloc(value.unwrap_or_else(|| Value::new(Type::Void, Op::Merge)))
    }
}

/// Returns the number of breaks in a default, if they can become branches.
fn breaks(block: &Block) -> Option<usize> {
    jumps(block, |stmt| matches!(stmt, Stmt::Break(_)), may_break)
}

/// Returns whether the returns of a function become branches once it is inlined.
pub(super) fn returns_nest(body: &Block) -> bool {
    jumps(body, |stmt| matches!(stmt, Stmt::Return(_)), contains_return).is_some()
}

/// Returns the number of these jumps in a block, if they can become branches. `contains` finds them in blocks.
fn jumps(block: &Block, is_jump: fn(&Stmt) -> bool, contains: fn(&[Stmt]) -> bool) -> Option<usize> {
    let mut count = 0;
    for (n, stmt) in block.iter().enumerate() {
        if !contains(std::slice::from_ref(stmt)) {
            continue;
        }
        count += 1;
        let (then, otherwise) = match stmt {
            Stmt::If { then, otherwise, hint: BranchHint::Any, .. } => (then, otherwise),
            jump if is_jump(jump) => return (n + 1 == block.len()).then_some(count),
            _ => return None,
        };
        let leaves = |arm: &Block| arm.split_last().is_some_and(|(last, inner)| is_jump(last) && !contains(inner));
        let can = leaves(then) && !contains(otherwise) || leaves(otherwise) && !contains(then);
        if !can || count > MAX_BREAKS {
            return None;
        }
    }
    (count > 0).then_some(count)
}
