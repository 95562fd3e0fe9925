//! Structured control flow: branches, loops and switches, and OpPhi for merged values.
//!
//! Each edge is recorded with its label and values. A merge block gets its OpPhi when it opens, after all edges to it.
//! A loop's header comes before the edge that repeats it: its OpPhi is completed at the end of `continuing`.

use super::{FunctionEmitter, Result, Slot};
use crate::EmitError;
use crate::builder::{PhiPlace, id, lit};
use rspirv::dr::Operand;
use rspirv::spirv::{LoopControl, Op, SelectionControl, Word};
use wgc_ir::{Block, BranchHint, LoopDetails, LoopHint, Stmt, Type, ValueId};

/// An edge into a block: the label that it comes from, and the values that it carries.
pub(super) struct Edge {
    label: Word,
    words: Vec<Word>,
}

/// A construct that `Break` or `Continue` leaves.
pub(super) struct Construct {
    merge: Word,
    /// The values that the merge block gets.
    results: Vec<ValueId>,
    breaks: Vec<Edge>,
    /// The continue target of a loop, and the edges to it.
    continuing: Option<(Word, Vec<Edge>)>,
}

/// The first test of a loop's body, which may leave the loop.
struct Exit<'m> {
    cond: ValueId,
    /// The condition that leaves.
    leaves_if: bool,
    values: &'m [ValueId],
    /// Results of the `if`, and their values if the loop goes on.
    results: &'m [ValueId],
    stays: &'m [ValueId],
}

impl<'m> FunctionEmitter<'_, 'm> {
    fn jump(&mut self, target: Word) {
        self.e.b.branch(target);
        self.reachable = false;
    }

    fn edge(&self, values: &[ValueId]) -> Result<Edge> {
        Ok(Edge { label: self.label, words: self.words(values)? })
    }

    /// Opens the target of these edges and gives it the merged values. A block without edges is closed immediately.
    ///
    /// In the `continuing` of a loop such a block leaves the construct around it. All blocks there must lead to the back
    /// edge, unreachable ones too.
    fn open_target(&mut self, label: Word, edges: &[Edge], merged: &[ValueId]) -> Result {
        self.open(label);
        let Some((first, others)) = edges.split_first() else {
            match self.constructs.last().filter(|_| self.constructs.len() > self.constructs_around_continuing) {
                Some(construct) => {
                    let results = construct.results.clone();
                    let words = results.into_iter().map(|value| self.e.undef(self.ty(value)?));
                    let words = words.collect::<Result<_>>()?;
                    self.leave(Edge { label: self.label, words })?;
                }
                None => {
                    self.e.b.terminate(Op::Unreachable, Vec::new());
                    self.reachable = false;
                }
            }
            return Ok(());
        };
        for (n, &value) in merged.iter().enumerate() {
            let word_of =
                |edge: &Edge| edge.words.get(n).copied().ok_or_else(|| EmitError::new("an edge lacks a value"));
            let word = word_of(first)?;
            let mut same = true;
            let mut pairs = vec![(word, first.label)];
            for edge in others {
                let other = word_of(edge)?;
                same &= other == word;
                pairs.push((other, edge.label));
            }
            let word = if same { word } else { self.phi(value, &pairs)? };
            self.set(value, Slot::Value(word));
        }
        Ok(())
    }

    fn phi(&mut self, value: ValueId, pairs: &[(Word, Word)]) -> Result<Word> {
        let ty = self.e.value_type(self.ty(value)?)?;
        let phi = self.e.b.phi(ty, pairs);
        if let Some(value) = self.f.value(value) {
            self.e.b.name(phi, &value.name);
        }
        Ok(phi)
    }

    /// Emits a block of statements under its own label, then a branch to the target. Adds the edge, if the end of the
    /// block is reachable.
    fn arm(&mut self, label: Word, block: &'m [Stmt], target: Word, edges: &mut Vec<Edge>) -> Result {
        self.open(label);
        self.rest_of_arm(block, target, edges)
    }

    fn rest_of_arm(&mut self, block: &'m [Stmt], target: Word, edges: &mut Vec<Edge>) -> Result {
        self.statements(block)?;
        let words = std::mem::take(&mut self.yielded);
        if self.reachable {
            edges.push(Edge { label: self.label, words });
            self.jump(target);
        }
        Ok(())
    }

    pub(super) fn break_(&mut self, values: &[ValueId]) -> Result {
        let edge = self.edge(values)?;
        self.leave(edge)
    }

    /// Branches to the end of the innermost construct.
    fn leave(&mut self, edge: Edge) -> Result {
        let Some(construct) = self.constructs.last_mut() else {
            return Err(EmitError::new("a break outside of loops and switches"));
        };
        construct.breaks.push(edge);
        let merge = construct.merge;
        self.jump(merge);
        Ok(())
    }

    pub(super) fn continue_(&mut self, values: &[ValueId]) -> Result {
        let edge = self.edge(values)?;
        let target = self.constructs.iter_mut().rev().find_map(|c| c.continuing.as_mut());
        let Some((label, edges)) = target else {
            return Err(EmitError::new("a continue outside of loops"));
        };
        edges.push(edge);
        let label = *label;
        self.jump(label);
        Ok(())
    }

    pub(super) fn if_(
        &mut self,
        cond: ValueId,
        (then, otherwise): (&'m Block, &'m Block),
        results: &[ValueId],
        hint: BranchHint,
    ) -> Result {
        let cond = self.word(cond)?;
        // One arm without statements needs no block. Two would be two edges from one block.
        let (direct_else, direct_then) = (yielded(otherwise), yielded(then));
        let (then_direct, else_direct) = match (direct_then, direct_else) {
            (_, Some(values)) => (None, Some(values)),
            (values, None) => (values, None),
        };
        let mut edges = Vec::new();
        if let Some(values) = then_direct.or(else_direct) {
            edges.push(self.edge(values)?);
        }
        let own_then = if then_direct.is_none() { Some(self.e.b.id()) } else { None };
        let merge = self.e.b.id();
        let then_label = own_then.unwrap_or(merge);
        let else_label = if else_direct.is_some() { merge } else { self.e.b.id() };
        self.e.b.effect(Op::SelectionMerge, vec![id(merge), selection_control(hint)]);
        self.e.b.terminate(Op::BranchConditional, vec![id(cond), id(then_label), id(else_label)]);
        for (label, arm) in [(then_label, then), (else_label, otherwise)] {
            if label != merge {
                self.arm(label, arm, merge, &mut edges)?;
            }
        }
        self.open_target(merge, &edges, results)
    }

    pub(super) fn loop_(
        &mut self,
        (body, continuing): (&'m Block, &'m Block),
        break_if: Option<ValueId>,
        details: &'m LoopDetails,
    ) -> Result {
        let [header, body_label, continue_label, merge] = [(); 4].map(|()| self.e.b.id());
        let first = self.edge(&details.first)?;
        self.jump(header);
        self.open(header);
        let params = self.open_params(&details.params, &first)?;
        let results = details.results.clone();
        let continuing_edges = Some((continue_label, Vec::new()));
        self.constructs.push(Construct { merge, results, breaks: Vec::new(), continuing: continuing_edges });

        let control = vec![id(merge), id(continue_label), loop_control(details.hint)];
        let around = self.position;
        let mut ends = Vec::new();
        match exit(body) {
            Some((head, exit, rest)) => {
                self.statements_in_place(head)?;
                let edge = self.edge(exit.values)?;
                let cond = self.word(exit.cond)?;
                if let Some(construct) = self.constructs.last_mut() {
                    construct.breaks.push(edge);
                }
                for (result, value) in exit.results.iter().zip(exit.stays) {
                    let word = self.word(*value)?;
                    self.set(*result, Slot::Value(word));
                }
                self.e.b.effect(Op::LoopMerge, control);
                let (yes, no) = if exit.leaves_if { (merge, body_label) } else { (body_label, merge) };
                self.e.b.terminate(Op::BranchConditional, vec![id(cond), id(yes), id(no)]);
                self.arm(body_label, rest, continue_label, &mut ends)?;
            }
            None => {
                self.e.b.effect(Op::LoopMerge, control);
                self.jump(body_label);
                self.arm(body_label, body, continue_label, &mut ends)?;
            }
        }
        let Some(Construct { mut breaks, continuing: Some((_, mut again)), .. }) = self.constructs.pop() else {
            return Err(EmitError::new("a loop lost its constructs"));
        };
        self.at(around);
        again.append(&mut ends);
        let continues = !again.is_empty();
        if continues {
            self.open_target(continue_label, &again, &details.again)?;
            let around = std::mem::replace(&mut self.constructs_around_continuing, self.constructs.len());
            self.statements(continuing)?;
            self.constructs_around_continuing = around;
            if !self.reachable {
                return Err(EmitError::new("the continuing part of a loop does not end"));
            }
        } else {
            // An unreachable continue target must contain only the back edge.
            self.open(continue_label);
        }
        for ((place, param), next) in params.into_iter().zip(&details.params).zip(&details.next) {
            let word = if continues { self.word(*next)? } else { self.e.undef(self.ty(*param)?)? };
            self.e.b.complete_phi(place, (word, self.label));
        }
        match break_if.filter(|_| continues) {
            Some(cond) => {
                let cond = self.word(cond)?;
                breaks.push(self.edge(&details.last)?);
                self.e.b.terminate(Op::BranchConditional, vec![id(cond), id(merge), id(header)]);
                self.reachable = false;
            }
            None => self.jump(header),
        }
        self.open_target(merge, &breaks, &details.results)
    }

    /// Starts the OpPhi of a loop's parameters.
    fn open_params(&mut self, params: &[ValueId], first: &Edge) -> Result<Vec<PhiPlace>> {
        let mut places = Vec::with_capacity(params.len());
        for (&param, &word) in params.iter().zip(&first.words) {
            places.push(self.e.b.next_place());
            let phi = self.phi(param, &[(word, first.label)])?;
            self.set(param, Slot::Value(phi));
        }
        Ok(places)
    }

    pub(super) fn switch(
        &mut self,
        selector: ValueId,
        (cases, default): (&'m [wgc_ir::Case], &'m Block),
        results: &[ValueId],
        hint: BranchHint,
    ) -> Result {
        let scalar = match self.ty(selector)? {
            Type::Scalar(s) if s.is_integer() => *s,
            ty => return Err(EmitError::new(format!("a switch over {ty}"))),
        };
        let selector = self.word(selector)?;
        let merge = self.e.b.id();
        let mut edges = Vec::new();
        let direct = yielded(default);
        if let Some(values) = direct {
            edges.push(self.edge(values)?);
        }
        let default_label = if direct.is_some() { merge } else { self.e.b.id() };
        let mut operands = vec![id(selector), id(default_label)];
        let mut labels = Vec::with_capacity(cases.len());
        let cases: Vec<_> = cases.iter().filter(|c| !c.labels.is_empty()).collect();
        for case in &cases {
            let label = self.e.b.id();
            labels.push(label);
            for &bits in &case.labels {
                operands.push(case_literal(scalar, bits));
                operands.push(id(label));
            }
        }
        self.e.b.effect(Op::SelectionMerge, vec![id(merge), selection_control(hint)]);
        self.e.b.terminate(Op::Switch, operands);
        self.constructs.push(Construct { merge, results: results.to_vec(), breaks: Vec::new(), continuing: None });
        for (case, label) in cases.into_iter().zip(labels) {
            self.arm(label, &case.body, merge, &mut edges)?;
        }
        if direct.is_none() {
            self.arm(default_label, default, merge, &mut edges)?;
        }
        edges.extend(self.constructs.pop().into_iter().flat_map(|c| c.breaks));
        self.open_target(merge, &edges, results)
    }
}

/// Returns the values that an arm without other statements yields.
fn yielded(block: &Block) -> Option<&[ValueId]> {
    let mut rest = block.iter().filter(|stmt| !matches!(stmt, Stmt::At(_)));
    match (rest.next(), rest.next()) {
        (None, _) => Some(&[]),
        (Some(Stmt::Yield(values)), None) => Some(values),
        _ => None,
    }
}

/// Splits the body of a loop at its first test, if that may only leave the loop. The statements before it can be in the
/// header, which then ends with the test.
fn exit(body: &Block) -> Option<(&[Stmt], Exit<'_>, &[Stmt])> {
    let is_nested = |stmt: &Stmt| stmt.is_nested() || stmt.ends_block();
    let at = body.iter().position(is_nested)?;
    let Stmt::If { cond, then, otherwise, results, .. } = &body[at] else { return None };
    let (leaves_if, values, stays) = match (broken(then), yielded(otherwise), broken(otherwise), yielded(then)) {
        (Some(values), Some(stays), ..) => (true, values, stays),
        (_, _, Some(values), Some(stays)) => (false, values, stays),
        _ => return None,
    };
    Some((&body[..at], Exit { cond: *cond, leaves_if, values, results, stays }, &body[at + 1..]))
}

/// Returns the values with which an arm without other statements leaves the loop.
fn broken(block: &Block) -> Option<&[ValueId]> {
    let mut rest = block.iter().filter(|stmt| !matches!(stmt, Stmt::At(_)));
    match (rest.next(), rest.next()) {
        (Some(Stmt::Break(values)), None) => Some(values),
        _ => None,
    }
}

/// Returns the loop control that DXC emits for the attributes of a loop: `[fastopt]` asks for short compilation. A
/// number of iterations has no separate operand.
fn loop_control(hint: LoopHint) -> Operand {
    Operand::LoopControl(match hint.control {
        wgc_ir::LoopControl::Any => LoopControl::NONE,
        wgc_ir::LoopControl::Unroll(_) => LoopControl::UNROLL,
        wgc_ir::LoopControl::Loop | wgc_ir::LoopControl::FastOpt => LoopControl::DONT_UNROLL,
    })
}

fn selection_control(hint: BranchHint) -> Operand {
    Operand::SelectionControl(match hint {
        BranchHint::Any | BranchHint::Call | BranchHint::ForceCase => SelectionControl::NONE,
        BranchHint::Branch => SelectionControl::DONT_FLATTEN,
        BranchHint::Flatten => SelectionControl::FLATTEN,
    })
}

/// Returns a label of OpSwitch, with the width of the selector: 32 or 64 bits in verified IR.
fn case_literal(scalar: wgc_ir::Scalar, bits: i64) -> Operand {
    if scalar.size() == 8 { Operand::LiteralBit64(bits as u64) } else { lit(bits as u32) }
}
