//! Checks merged values: the edges of control flow carry the values that their targets expect.

use super::Rule;
use super::function::{Checker, Context, Flow};
use crate::MAX_NESTING;
use crate::function::*;
use crate::types::Type;

impl<'a> Checker<'a> {
    /// Checks that the values of an edge fit its target.
    pub(super) fn edge(&mut self, values: &[ValueId], target: &[ValueId]) {
        if values.len() != target.len() {
            let message = format!("an edge carries {} values to a target of {}", values.len(), target.len());
            return self.complain(Rule::Operands, message);
        }
        for (value, merged) in values.iter().zip(target) {
            let (ty, wanted) = (self.function.type_of(*value), self.function.type_of(*merged));
            if let (Some(ty), Some(wanted)) = (ty, wanted)
                && ty != wanted
            {
                self.complain(
                    Rule::Operands,
                    format!("an edge carries {ty} to %{} of {wanted}", merged.into_raw().into_u32()),
                );
            }
        }
    }

    /// Checks the values of a jump, which may not be allowed here.
    pub(super) fn carried(&mut self, values: &[ValueId], target: Option<&[ValueId]>, missing: &str) {
        match target {
            None => self.complain(Rule::ControlFlow, missing),
            Some(target) => self.edge(values, target),
        }
    }

    /// Makes merged values visible: results after their statement, parameters in their blocks.
    pub(super) fn merged(&mut self, values: &[ValueId], made: &mut Vec<ValueId>) {
        for &id in values {
            match self.function.value(id) {
                Some(value) if value.op != Op::Merge => {
                    self.complain(
                        Rule::Operands,
                        format!("%{} is listed as merged, but has an operation", id.into_raw().into_u32()),
                    );
                }
                _ if self.let_value(id) => made.push(id),
                _ => {}
            }
        }
    }

    pub(super) fn loop_(
        &mut self,
        (body, continuing): (&'a Block, &'a Block),
        break_if: Option<ValueId>,
        details: &'a LoopDetails,
        (context, made): (Context<'a>, &mut Vec<ValueId>),
    ) -> Flow {
        self.edge(&details.first, &details.params);
        let mut params = Vec::new();
        self.merged(&details.params, &mut params);
        let again = Some(&details.again[..]);
        let leaves = Some(&details.results[..]);
        let inside = Context { leaves, repeats: again, yields: again, returns: context.returns };
        let body = self.named_block(body, "body", inside);
        self.merged(&details.again, &mut params);
        let again = self.continuing(continuing, break_if, details);
        self.forget(&params);
        self.merged(&details.results, made);
        let reached = (body.falls || body.continues) && again.falls;
        Flow { falls: body.breaks || reached && break_if.is_some(), ..Flow::default() }
    }

    fn continuing(&mut self, block: &'a Block, break_if: Option<ValueId>, details: &LoopDetails) -> Flow {
        if let Some(step) = self.path.last_mut() {
            step.1 = "continuing";
        }
        // The condition sees the values of the block, so `block` cannot check it.
        let mut made = Vec::new();
        let mut flow = Flow { falls: true, ..Flow::default() };
        if self.path.len() > MAX_NESTING {
            self.complain(Rule::ControlFlow, format!("blocks nested deeper than {MAX_NESTING} levels"));
        } else {
            let none = Context { leaves: None, repeats: None, yields: None, returns: false };
            flow = self.statements(block, none, &mut made);
        }
        if let Some(id) = break_if
            && self.visible(id)
            && self.function.type_of(id) != Some(&Type::BOOL)
        {
            self.complain(Rule::Operands, "the loop's condition is not a bool");
        }
        let ends = details.next.iter().chain(&details.last).fold(true, |all, id| all & self.visible(*id));
        if ends {
            self.edge(&details.next, &details.params);
            let leaves = if break_if.is_some() { &details.results[..] } else { &[] };
            self.edge(&details.last, leaves);
        }
        self.forget(&made);
        if let Some(step) = self.path.last_mut() {
            step.1 = "";
        }
        flow
    }
}
