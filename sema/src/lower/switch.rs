//! `switch`: cases that fall through to the next become one case of the IR, which contains their statements once.
//!
//! ```text
//! switch (s) { case 0: a; case 1: b; break; default: c; }
//! ```
//! becomes a case for 0 and 1 with `if (s == 0) { a } b`, and `c`. The threads that fall through and those that jump to the
//! label run `b` together, which wave operations and barriers in it see. A `break` in `a` leaves the switch.

use super::{Lower, Lowerer};
use crate::check::hir::{Case, ExprId};
use wgc_ir::{BinaryOp, BranchHint, Scalar, ScalarConst, Stmt, Type, ValueId};

impl<'db> Lowerer<'db> {
    pub(super) fn switch(&mut self, selector: ExprId, cases: &'db [Case], hint: BranchHint) -> Lower<()> {
        let selector = self.value(selector)?;
        // The IR supports selectors of 32 and 64 bits.
        let selector = match self.b.ty(selector).scalar() {
            Some(Scalar::I16) => self.b.convert(selector, Type::I32),
            Some(Scalar::U16 | Scalar::Bool) => self.b.convert(selector, Type::U32),
            _ => selector,
        };
        let at = self.b.position();
        let (mut lowered, mut default) = (Vec::new(), Vec::new());
        for chain in cases.chunk_by(|case, _| case.falls) {
            let body = self.nested(|this| this.chain(selector, chain))?;
            let labels: Vec<i64> = chain.iter().flat_map(|case| &case.labels).copied().collect();
            if chain.iter().any(|case| case.is_default) {
                // A label that shares the default's statements needs no separate case.
                default = body;
            } else if !labels.is_empty() {
                lowered.push(wgc_ir::Case { labels, body });
            }
        }
        self.b.set_position(at);
        // With one path there is no decision; the switch remains as the target of its breaks.
        let selector = if lowered.is_empty() { self.b.const_u32(0) } else { selector };
        self.b.push(Stmt::Switch { selector, cases: lowered, default, results: [].into(), hint });
        Some(())
    }

    /// Lowers the statements of cases that each fall through to the next.
    fn chain(&mut self, selector: ValueId, chain: &'db [Case]) -> Lower<()> {
        let Some((last, falling)) = chain.split_last() else { return Some(()) };
        let entered = self.entered(selector, chain);
        for (case, cond) in falling.iter().zip(entered) {
            let at = self.b.position();
            let then = self.nested(|this| this.block(&case.body))?;
            self.b.set_position(at);
            self.b.push(Stmt::if_(cond, then, Vec::new()));
        }
        self.block(&last.body)
    }

    /// Returns, for each case of a chain but the last, the condition that the selector jumps to it or to an earlier one.
    fn entered(&mut self, selector: ValueId, chain: &[Case]) -> Vec<ValueId> {
        // `default` matches all values without a label. From there on the condition is that no later label matches.
        let default = chain.iter().position(|case| case.is_default).unwrap_or(chain.len());
        let mut entered = Vec::with_capacity(chain.len());
        let mut met = None;
        for case in chain.iter().take(default.min(chain.len() - 1)) {
            let here = self.any_label(selector, &case.labels, met);
            entered.push(here);
            met = Some(here);
        }
        let (mut from_end, mut met) = (Vec::new(), None);
        for case in chain.iter().skip(default + 1).rev() {
            let here = self.any_label(selector, &case.labels, met);
            from_end.push(self.b.not(here));
            met = Some(here);
        }
        entered.extend(from_end.into_iter().rev());
        entered
    }

    /// Tests that the selector is one of the labels, or that `met` holds.
    fn any_label(&mut self, selector: ValueId, labels: &[i64], met: Option<ValueId>) -> ValueId {
        let ty = self.b.ty(selector).scalar().unwrap_or(Scalar::U32);
        let mut any = met;
        for label in labels {
            let label = self.b.constant(ScalarConst::new(ty, *label as u64));
            let equal = self.b.binary(BinaryOp::Eq, selector, label);
            any = Some(any.map_or(equal, |any| self.b.binary(BinaryOp::Or, any, equal)));
        }
        any.unwrap_or_else(|| self.b.const_bool(false))
    }
}
