//! Walks the iterations of a loop: one by one while constants alone decide about the next one, then until nothing new
//! is found.

use super::{Follow, Frame, How, MAX_ROUNDS, UNSET, Walk, Way, Ways};
use crate::flow::tree::StepId;
use crate::function::*;

impl<F: Follow> Walk<'_, '_, F> {
    pub(super) fn repeat(&mut self, step: StepId, way: Way<F::Own>) -> Ways<F::Own> {
        let (before, returns) = ((way.by, way.is_sure), self.returns);
        let mut out = Vec::new();
        let entry = way.own.clone();
        let mut heads = vec![way];
        let mut is_choice = false;
        for turn in 0..self.max_turns {
            let (left, back) = self.round(step, heads);
            let leaves = !left.is_empty();
            for way in left {
                self.meet(step, &mut out, way);
            }
            heads = back;
            is_choice |= leaves && !heads.is_empty();
            if is_choice {
                heads.iter_mut().for_each(|way| self.follow.unsure_turn(&mut way.own, &entry));
            }
            // In a loop without constant bounds, the second iteration already shows everything.
            if heads.is_empty() || is_choice && turn > 0 || self.is_lost {
                break;
            }
        }
        // Iterations that certainly happened stay certain.
        let entry = match heads.as_slice() {
            [only] if !is_choice => only.own.clone(),
            _ => entry,
        };
        // Iterates until nothing new is found.
        let mut rounds = 0;
        while !heads.is_empty() && !self.is_lost {
            is_choice = true;
            rounds += 1;
            self.is_lost |= rounds > MAX_ROUNDS;
            let (left, back) = self.round(step, heads.clone());
            for way in left {
                self.meet(step, &mut out, way);
            }
            let mut grew = false;
            for mut way in back {
                self.follow.unsure_turn(&mut way.own, &entry);
                grew |= self.meet_as(How::Turns, step, &mut heads, way);
            }
            if !grew {
                break;
            }
        }
        if !is_choice {
            return out;
        }
        let all_come = returns == self.returns;
        self.come_out(out, all_come, before)
    }

    /// Walks one iteration of a loop. Returns the paths that leave it and those to the next iteration.
    fn round(&mut self, step: StepId, heads: Ways<F::Own>) -> (Ways<F::Own>, Ways<F::Own>) {
        let tree = self.tree;
        let [body, continuing] = &tree.steps[step].blocks[..] else { return (heads, Vec::new()) };
        self.frames.push(Frame { is_loop: true, left: Vec::new(), continued: Vec::new() });
        let mut end = self.block(body, heads);
        let continued = self.frames.last_mut().map(|frame| std::mem::take(&mut frame.continued));
        for way in continued.unwrap_or_default() {
            self.meet(step, &mut end, way);
        }
        let end = self.block(continuing, end);
        let (mut left, mut back) = (Vec::new(), Vec::new());
        for way in end {
            let decides = match tree.steps[step].stmt {
                Stmt::Loop { break_if: Some(cond), .. } => Some(*cond),
                _ => None,
            };
            let cond = decides.and_then(|cond| self.condition(&way, cond));
            let mut open = Vec::new();
            for arm in 0..2 {
                let mut way = way.clone();
                let is_open = if decides.is_some() { self.uniformity.takes(tree, step, arm) } else { arm == 1 };
                if is_open && cond.is_none_or(|cond| way.facts.assume(&self.symbols, cond, arm == 0)) {
                    open.push((arm, way));
                }
            }
            let is_choice = open.len() > 1;
            for (arm, mut way) in open {
                if is_choice {
                    (way.by, way.is_sure) = (Some((step, arm)), false);
                    self.follow.chosen((step, arm), cond, &mut way.own, &self.symbols);
                }
                if arm == 0 {
                    self.meet(step, &mut left, way);
                } else {
                    self.forget(step, &mut way);
                    self.meet_as(How::Turns, step, &mut back, way);
                }
            }
        }
        for way in self.frames.pop().map(|frame| frame.left).unwrap_or_default() {
            self.meet(step, &mut left, way);
        }
        (left, back)
    }

    /// Forgets the symbols that have other values in the next iteration.
    fn forget(&mut self, step: StepId, way: &mut Way<F::Own>) {
        let last = self.tree.steps[step].last;
        let first = self.stores.partition_point(|(store, _)| *store < step);
        let end = self.stores.partition_point(|(store, _)| *store <= last);
        for (_, parts) in &self.stores[first..end] {
            for part in parts.clone() {
                let held = *way.memory.get(part);
                if held != UNSET && self.symbols.is_of(held, step, last) {
                    let met = self.symbols.met(step, part);
                    if met != held {
                        *way.memory.get_mut(part) = met;
                    }
                }
            }
        }
        way.facts.forget(&self.symbols, step, last);
    }
}
