//! Branches and switches, with the shapes that passes look for.

use super::{Context, Maker};
use std::rc::Rc;
use wgc_ir::{BinaryOp as B, BranchHint, Case, Scalar, ScalarConst, Stmt, Type, ValueId};

impl Maker<'_> {
    fn hint(&mut self) -> BranchHint {
        self.random.pick(&[BranchHint::Any, BranchHint::Any, BranchHint::Flatten, BranchHint::Branch])
    }

    pub(super) fn if_(&mut self, context: &Context) {
        let together = self.together(context) && self.random.one_in(2);
        let cond = self.expr(&Type::BOOL, 2, together);
        let inner = self.inner(context, together);
        let types = self.merges(2);
        let then = self.nested(&inner, 3, &types);
        let most = if self.random.one_in(2) { 3 } else { 0 };
        let otherwise = self.nested(&inner, most, &types);
        let (then, otherwise) = if self.random.one_in(4) { (otherwise, then) } else { (then, otherwise) };
        let results = self.merged(&types);
        let hint = self.hint();
        self.b.push(Stmt::If { cond, then, otherwise, results: results.clone().into(), hint });
        self.see_all(&results);
    }

    pub(super) fn switch(&mut self, context: &Context) {
        let together = self.together(context) && self.random.one_in(2);
        let signed = self.random.one_in(3);
        let ty = if signed { Type::I32 } else { Type::U32 };
        let any = self.expr(&ty, 2, together);
        let five = self.b.constant(ScalarConst::new(if signed { Scalar::I32 } else { Scalar::U32 }, 5));
        let selector = self.b.binary(B::Rem, any, five);
        let types: Rc<[Type]> = self.merges(2).into();
        let inner = Context { breaks: Some(types.clone()), ..self.inner(context, together) };
        let count = self.random.below(4_u32);
        let mut label = if signed { -2 } else { 0 };
        let mut cases = Vec::new();
        for _ in 0..count {
            let labels = (0..1 + self.random.below(2_i64)).map(|n| label + n).collect::<Vec<i64>>();
            label += labels.len() as i64;
            self.b.begin_block();
            let (scope, roots) = (self.scope.len(), self.roots.len());
            if together && self.random.one_in(2) {
                self.subgroup();
            }
            self.block(&inner, 2, &types);
            self.scope.truncate(scope);
            self.roots.truncate(roots);
            cases.push(Case { labels, body: self.b.end_block() });
        }
        let default = if count == 0 { self.escapes(&inner, &types) } else { self.nested(&inner, 2, &types) };
        let results = self.merged(&types);
        let hint = self.hint();
        self.b.push(Stmt::Switch { selector, cases, default, results: results.clone().into(), hint });
        self.see_all(&results);
    }

    /// Returns the only block of a switch, with branches that leave it early.
    fn escapes(&mut self, inner: &Context, types: &[Type]) -> Vec<Stmt> {
        let (scope, roots) = (self.scope.len(), self.roots.len());
        self.b.begin_block();
        for _ in 0..1 + self.random.below(2) {
            let together = self.together(inner);
            let cond = self.expr(&Type::BOOL, 2, together);
            let arm = Context { may_jump: false, ..self.inner(inner, together) };
            let (scope, roots) = (self.scope.len(), self.roots.len());
            self.b.begin_block();
            self.statements(&arm, 1);
            let values = self.values(types);
            self.b.push(Stmt::Break(values));
            let leaves = self.b.end_block();
            self.scope.truncate(scope);
            self.roots.truncate(roots);
            let own = self.merges(1);
            let stays = self.nested(&arm, 1, &own);
            let results = self.merged(&own);
            let (then, otherwise) = if self.random.one_in(2) { (leaves, stays) } else { (stays, leaves) };
            let (hint, shown) = (BranchHint::Any, results.clone());
            self.b.push(Stmt::If { cond, then, otherwise, results: results.into(), hint });
            self.see_all(&shown);
            self.statements(&arm, 1);
        }
        self.block(inner, 1, types);
        self.scope.truncate(scope);
        self.roots.truncate(roots);
        self.b.end_block()
    }

    /// Adds a short chain of comparisons of one value.
    pub(super) fn chain(&mut self, context: &Context) {
        let together = self.together(context) && self.random.one_in(2);
        let any = self.expr(&Type::U32, 2, together);
        let seven = self.b.const_u32(7);
        let selector = self.b.and(any, seven);
        let types = self.merges(1);
        let inner = Context { may_jump: false, ..self.inner(context, together) };
        let links = 3 + self.random.below(3);
        self.link(&inner, selector, (0, links), &types);
    }

    /// Adds a sequence of comparisons of one value, whose arms jump.
    pub(super) fn jumps(&mut self, context: &Context) {
        let together = self.together(context) && self.random.one_in(2);
        let any = self.expr(&Type::U32, 2, together);
        let seven = self.b.const_u32(7);
        let selector = self.b.and(any, seven);
        let inner = Context { may_jump: false, ..self.inner(context, together) };
        let jumps = self.possible_jumps(&inner);
        if jumps.is_empty() {
            return;
        }
        for n in 0..3 + self.random.below(2) {
            let jump = self.random.pick(&jumps);
            let label = self.b.const_u32(n);
            let cond = self.b.eq(selector, label);
            let (scope, roots) = (self.scope.len(), self.roots.len());
            self.b.begin_block();
            self.statements(&inner, 1);
            self.jump(&inner, jump);
            let then = self.b.end_block();
            self.scope.truncate(scope);
            self.roots.truncate(roots);
            self.b.push(Stmt::if_(cond, then, Vec::new()));
        }
    }

    fn link(&mut self, inner: &Context, selector: ValueId, (n, links): (u32, u32), types: &[Type]) {
        let label = self.b.const_u32(n * 3 % 8);
        let cond = self.b.eq(selector, label);
        let then = self.nested(inner, 1, types);
        self.b.begin_block();
        if n + 1 < links {
            let (scope, roots) = (self.scope.len(), self.roots.len());
            self.link(inner, selector, (n + 1, links), types);
            if !types.is_empty() {
                // The last values are the results of the next link.
                let results = self.scope[self.scope.len() - types.len()..].iter().map(|seen| seen.id).collect();
                self.b.push(Stmt::Yield(results));
            }
            self.scope.truncate(scope);
            self.roots.truncate(roots);
        } else {
            self.block(inner, 1, types);
        }
        let otherwise = self.b.end_block();
        let results = self.merged(types);
        self.b.push(Stmt::If { cond, then, otherwise, results: results.clone().into(), hint: BranchHint::Any });
        self.see_all(&results);
    }
}
