//! Chains of comparisons with constants become switches.
//!
//! `if (c == 1) return a; if (c == 2) return b; ..` and `if (c == 1) {..} else if (c == 2) {..} ..` compare one value
//! again and again. Some drivers nest a block for each comparison, and fail at about eighty of them.

use super::case_labels::{functions_across_lanes, is_across_lanes};
use super::fold::may_break;
use super::inline::nesting;
use crate::function::*;
use crate::hint::BranchHint;
use crate::module::Module;
use crate::position::Position;
use crate::types::Type;
use crate::{MAX_NESTING, Symbol};
use rustc_hash::FxHashSet;

/// The fewest comparisons that make a chain.
const FEWEST: usize = 3;

/// Replaces chains of at least three comparisons of one integer by switches. The tests do not overlap. Arms with
/// operations on several lanes stay: a driver may separate the lanes of a switch ([`super::case_labels`]).
pub fn chains(module: &mut Module) {
    super::demote_all(module);
    let across = functions_across_lanes(module);
    for function in module.functions.values_mut() {
        let comparisons = function.values.values().filter(|v| matches!(v.op, Op::Binary { op: BinaryOp::Eq, .. }));
        if comparisons.count() < FEWEST {
            continue;
        }
        let mut body = std::mem::take(&mut function.body);
        Chains { function, across: &across }.block(&mut body, false, 0);
        function.body = body;
    }
}

struct Chains<'a> {
    function: &'a Function,
    across: &'a FxHashSet<Symbol>,
}

/// One comparison of a chain.
struct Link {
    selector: ValueId,
    label: i64,
}

impl Chains<'_> {
    /// Converts the chains in a block and in the blocks inside it. `leaves_end`: a `Break` has the effect of reaching
    /// the end of the block.
    fn block(&self, block: &mut Block, leaves_end: bool, depth: usize) {
        let last = block.iter().rposition(|stmt| !stmt.is_marker());
        for (n, stmt) in block.iter_mut().enumerate() {
            let inside = match stmt {
                Stmt::If { .. } => leaves_end && Some(n) == last,
                Stmt::Switch { .. } => true,
                _ => false,
            };
            stmt.blocks_mut().for_each(|inner| self.block(inner, inside, depth + 1));
        }
        self.nested_ifs(block, leaves_end);
        self.sequences(block, leaves_end, depth);
    }

    /// Returns the comparison that a condition is.
    fn link(&self, cond: ValueId) -> Option<Link> {
        let Op::Binary { op: BinaryOp::Eq, lhs, rhs } = self.function.value(cond)?.op else { return None };
        let (selector, constant) = match (self.function.constant(lhs), self.function.constant(rhs)) {
            (None, Some(constant)) => (lhs, constant),
            (Some(constant), None) => (rhs, constant),
            _ => return None,
        };
        let is_selector =
            |ty: &Type| matches!(ty, Type::Scalar(s) if s.is_integer() && s.size() >= 4 && *s == constant.ty);
        self.function.type_of(selector).is_some_and(is_selector).then_some(Link { selector, label: constant.as_i64() })
    }

    /// Returns whether a statement between two comparisons may be computed before the first of them.
    fn may_precede(&self, stmt: &Stmt) -> bool {
        match stmt {
            Stmt::At(_) => true,
            Stmt::Let(id) => self
                .function
                .value(*id)
                .is_some_and(|value| matches!(value.op, Op::Const(_) | Op::Zero | Op::Binary { op: BinaryOp::Eq, .. })),
            _ => false,
        }
    }

    fn is_across(&self, block: &[Stmt]) -> bool {
        block.iter().any(|stmt| {
            is_across_lanes(stmt, self.function, self.across) || stmt.blocks().any(|inner| self.is_across(inner))
        })
    }

    /// Converts each `if (c == 1) {..} else if (c == 2) {..} ..` of a block into a switch.
    fn nested_ifs(&self, block: &mut Block, leaves_end: bool) {
        let last = block.iter().rposition(|stmt| !stmt.is_marker());
        let mut position = None;
        let mut out = Block::with_capacity(block.len());
        for (n, stmt) in std::mem::take(block).into_iter().enumerate() {
            if let Stmt::At(new) = &stmt {
                position = Some(*new);
            }
            let links = self.nested_links(&stmt);
            let whole = std::slice::from_ref(&stmt);
            if links >= FEWEST && (leaves_end && Some(n) == last || !may_break(whole)) && !self.is_across(whole) {
                self.nested_switch(stmt, links, position, &mut out);
            } else {
                out.push(stmt);
            }
        }
        *block = out;
    }

    /// Returns the number of comparisons in the chain that an `if` begins.
    fn nested_links(&self, mut stmt: &Stmt) -> usize {
        let mut labels = FxHashSet::default();
        let mut selector = None;
        while let Stmt::If { cond, otherwise, hint: BranchHint::Any, .. } = stmt
            && let Some(link) = self.link(*cond)
            && *selector.get_or_insert(link.selector) == link.selector
            && labels.insert(link.label)
        {
            match otherwise.split_last() {
                Some((next, before)) if before.iter().all(|stmt| self.may_precede(stmt)) => stmt = next,
                _ => break,
            }
        }
        labels.len()
    }

    /// Adds the switch of a chain with this many comparisons, after the comparisons.
    fn nested_switch(&self, first: Stmt, links: usize, mut position: Option<Position>, out: &mut Block) {
        let (mut cases, mut chosen, mut default) = (Vec::with_capacity(links), None, vec![first]);
        for _ in 0..links {
            let Some(Stmt::If { cond, then, otherwise, .. }) = default.pop() else { break };
            for stmt in default.drain(..) {
                match stmt {
                    Stmt::At(new) => position = Some(new),
                    other => out.push(other),
                }
            }
            let Some(Link { selector, label }) = self.link(cond) else { break };
            chosen = Some(selector);
            cases.push(Case { labels: vec![label], body: placed(position, then) });
            default = otherwise;
        }
        let Some(selector) = chosen else { return };
        out.push(Stmt::Switch {
            selector,
            cases,
            default: placed(position, default),
            hint: BranchHint::Any,
            results: Values::default(),
        });
    }

    /// Converts each `if (c == 1) return a; if (c == 2) return b; ..` of a block into a switch, whose default is the
    /// rest of the block.
    fn sequences(&self, block: &mut Block, leaves_end: bool, depth: usize) {
        let mut at = 0;
        let mut position = None;
        while at < block.len() {
            if let Stmt::At(new) = &block[at] {
                position = Some(*new);
            }
            let (links, end) = self.jumping_links(&block[at..]);
            if links < FEWEST {
                at += 1;
                continue;
            }
            let (whole, rest) = (&block[at..], &block[at + end..]);
            let fits = depth + 1 + nesting(rest) <= MAX_NESTING;
            if !fits || !leaves_end && may_break(whole) || self.is_across(whole) {
                at += end;
                continue;
            }
            let mut default: Block = block.drain(at + end..).collect();
            let (mut cases, mut chosen) = (Vec::with_capacity(links), None);
            for stmt in block.split_off(at) {
                match stmt {
                    Stmt::At(new) => position = Some(new),
                    Stmt::If { cond, then, .. } => {
                        let Some(Link { selector, label }) = self.link(cond) else { continue };
                        chosen = Some(selector);
                        cases.push(Case { labels: vec![label], body: placed(position, then) });
                    }
                    other => block.push(other),
                }
            }
            let Some(selector) = chosen else { return };
            self.sequences(&mut default, true, depth + 1);
            block.push(Stmt::Switch {
                selector,
                cases,
                default: placed(position, default),
                hint: BranchHint::Any,
                results: Values::default(),
            });
            return;
        }
    }

    /// Returns the number of comparisons in the sequence that the statements begin, and of its statements.
    fn jumping_links(&self, block: &[Stmt]) -> (usize, usize) {
        let mut labels = FxHashSet::default();
        let (mut selector, mut end) = (None, 0);
        for (n, stmt) in block.iter().enumerate() {
            match stmt {
                Stmt::If { cond, then, otherwise, hint: BranchHint::Any, .. }
                    if otherwise.is_empty()
                        && then.last().is_some_and(Stmt::is_jump)
                        && self.link(*cond).is_some_and(|link| {
                            *selector.get_or_insert(link.selector) == link.selector && labels.insert(link.label)
                        }) =>
                {
                    end = n + 1;
                }
                stmt if !labels.is_empty() && self.may_precede(stmt) => {}
                _ => break,
            }
        }
        (labels.len(), end)
    }
}

/// Returns a block with its position. The position of a switch is that of its first comparison.
fn placed(position: Option<Position>, mut block: Block) -> Block {
    if let Some(position) = position
        && !block.is_empty()
        && !matches!(block[0], Stmt::At(_))
    {
        block.insert(0, Stmt::At(position));
    }
    block
}
