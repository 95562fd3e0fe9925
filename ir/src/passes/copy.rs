//! Copies statements, with new values for those that they define.

use crate::function::*;
use crate::value_map::ValueMap;

pub(super) struct Copier<'a> {
    pub function: &'a mut Function,
    /// The copies of values. Others stay themselves.
    pub values: ValueMap<ValueId>,
}

impl<'a> Copier<'a> {
    pub fn new(function: &'a mut Function) -> Copier<'a> {
        Copier { function, values: ValueMap::default() }
    }

    pub fn map(&self, id: ValueId) -> ValueId {
        self.values.get(id).copied().unwrap_or(id)
    }

    pub fn map_all(&self, ids: &[ValueId]) -> Vec<ValueId> {
        ids.iter().map(|&id| self.map(id)).collect()
    }

    /// Copies a value whose operands have their copies.
    pub fn define(&mut self, id: ValueId) -> ValueId {
        let Some(mut value) = self.function.value(id).cloned() else { return id };
        value.op.for_each_operand_mut(|operand| *operand = self.map(*operand));
        let new = self.function.values.alloc(value);
        self.values.insert(id, new);
        new
    }

    fn define_all(&mut self, ids: &[ValueId]) -> Vec<ValueId> {
        ids.iter().map(|&id| self.define(id)).collect()
    }

    pub fn block(&mut self, block: &[Stmt]) -> Block {
        block.iter().map(|stmt| self.stmt(stmt)).collect()
    }

    fn stmt(&mut self, stmt: &Stmt) -> Stmt {
        match stmt {
            Stmt::If { cond, then, otherwise, results, hint } => {
                let cond = self.map(*cond);
                let (then, otherwise) = (self.block(then), self.block(otherwise));
                Stmt::If { cond, then, otherwise, results: self.define_all(results).into(), hint: *hint }
            }
            Stmt::Switch { selector, cases, default, results, hint } => {
                let selector = self.map(*selector);
                let copy =
                    |this: &mut Self, case: &Case| Case { labels: case.labels.clone(), body: this.block(&case.body) };
                let cases = cases.iter().map(|case| copy(self, case)).collect();
                let default = self.block(default);
                Stmt::Switch { selector, cases, default, results: self.define_all(results).into(), hint: *hint }
            }
            Stmt::Loop { body, continuing, break_if, details } => {
                let first = self.map_all(&details.first);
                let params = self.define_all(&details.params);
                let body = self.block(body);
                let again = self.define_all(&details.again);
                let continuing = self.block(continuing);
                let next = self.map_all(&details.next);
                let last = self.map_all(&details.last);
                let break_if = break_if.map(|id| self.map(id));
                let results = self.define_all(&details.results);
                let details = LoopDetails { hint: details.hint, params, first, again, next, last, results };
                Stmt::Loop { body, continuing, break_if, details: Box::new(details) }
            }
            Stmt::Let(id) => Stmt::Let(self.define(*id)),
            simple => {
                let mut copy = simple.clone();
                copy.for_each_operand_mut(|id| *id = self.map(*id));
                copy
            }
        }
    }
}

/// Makes each `Continue` of the surrounding loop a `Break`, with the same values.
pub(super) fn break_instead_of_continue(block: &mut Block) {
    for stmt in block {
        match stmt {
            Stmt::Continue(values) => *stmt = Stmt::Break(std::mem::take(values)),
            Stmt::Loop { .. } => {}
            other => other.blocks_mut().for_each(break_instead_of_continue),
        }
    }
}
