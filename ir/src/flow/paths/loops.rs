//! Walks the iterations of a loop: one by one while constants alone decide about the next one, then until nothing new
//! is found.

use super::{Follow, Frame, How, MAX_ROUNDS, Path, Paths, UNSET, Walk};
use crate::flow::tree::StepId;
use crate::function::*;

impl<F: Follow> Walk<'_, '_, F> {
    pub(super) fn repeat(&mut self, step: StepId, path: Path<F::Own>) -> Paths<F::Own> {
        let (before, returns, is_open) = ((path.by, path.is_sure), self.returns, path.is_open_iteration);
        let mut out = Vec::new();
        let entry = path.own.clone();
        let mut heads = vec![path];
        let mut is_choice = false;
        for iteration in 0..self.max_iterations {
            let (left, back) = self.round(step, heads);
            let leaves = !left.is_empty();
            for path in left {
                self.meet(step, &mut out, path);
            }
            heads = back;
            is_choice |= leaves && !heads.is_empty();
            if is_choice {
                heads.iter_mut().for_each(|path| self.open_iteration(path, &entry));
            }
            // In a loop without constant bounds, the second iteration already shows everything.
            if heads.is_empty() || is_choice && iteration > 0 || self.is_lost {
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
            for path in left {
                self.meet(step, &mut out, path);
            }
            let mut grew = false;
            for mut path in back {
                self.open_iteration(&mut path, &entry);
                grew |= self.meet_as(How::Iterations, step, &mut heads, path);
            }
            if !grew {
                break;
            }
        }
        out.iter_mut().for_each(|path| path.is_open_iteration = is_open);
        if !is_choice {
            return out;
        }
        let all_come = returns == self.returns;
        self.come_out(out, all_come, before)
    }

    fn open_iteration(&mut self, path: &mut Path<F::Own>, entry: &F::Own) {
        path.is_open_iteration = true;
        self.follow.unsure_iteration(&mut path.own, entry);
    }

    /// Walks one iteration of a loop. Returns the paths that leave it and those to the next iteration.
    fn round(&mut self, step: StepId, heads: Paths<F::Own>) -> (Paths<F::Own>, Paths<F::Own>) {
        let tree = self.tree;
        let [body, continuing] = &tree.steps[step].blocks[..] else { return (heads, Vec::new()) };
        self.frames.push(Frame { is_loop: true, left: Vec::new(), continued: Vec::new() });
        let mut end = self.block(body, heads);
        let continued = self.frames.last_mut().map(|frame| std::mem::take(&mut frame.continued));
        for path in continued.unwrap_or_default() {
            self.meet(step, &mut end, path);
        }
        let end = self.block(continuing, end);
        let (mut left, mut back) = (Vec::new(), Vec::new());
        for path in end {
            let decides = match tree.steps[step].stmt {
                Stmt::Loop { break_if: Some(cond), .. } => Some(*cond),
                _ => None,
            };
            let cond = decides.and_then(|cond| self.condition(&path, cond));
            let mut open = Vec::new();
            for arm in 0..2 {
                let mut path = path.clone();
                let is_open = if decides.is_some() { self.uniformity.takes(tree, step, arm) } else { arm == 1 };
                if is_open && cond.is_none_or(|cond| path.facts.assume(&self.symbols, cond, arm == 0)) {
                    open.push((arm, path));
                }
            }
            let is_choice = open.len() > 1;
            for (arm, mut path) in open {
                if is_choice {
                    (path.by, path.is_sure) = (Some((step, arm)), false);
                    self.follow.chosen((step, arm), cond, &mut path.own, &self.symbols);
                }
                if arm == 0 {
                    self.meet(step, &mut left, path);
                } else {
                    self.forget(step, &mut path);
                    self.meet_as(How::Iterations, step, &mut back, path);
                }
            }
        }
        for path in self.frames.pop().map(|frame| frame.left).unwrap_or_default() {
            self.meet(step, &mut left, path);
        }
        (left, back)
    }

    /// Forgets the symbols that have other values in the next iteration.
    fn forget(&mut self, step: StepId, path: &mut Path<F::Own>) {
        let last = self.tree.steps[step].last;
        let first = self.stores.partition_point(|(store, _)| *store < step);
        let end = self.stores.partition_point(|(store, _)| *store <= last);
        for (_, parts) in &self.stores[first..end] {
            for part in parts.clone() {
                let current = *path.memory.get(part);
                if current != UNSET && self.symbols.is_of(current, step, last) {
                    let met = self.symbols.met(step, part);
                    if met != current {
                        *path.memory.get_mut(part) = met;
                    }
                }
            }
        }
        path.facts.forget(&self.symbols, step, last);
    }
}
