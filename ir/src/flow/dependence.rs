//! Finds values that depend on the result of `FinishedSharing`.
//!
//! These are values computed from it, memory that holds them, and memory written under a condition that depends on it.
//! Memory that other threads see is treated as one object. If a jump is under such a condition, all written memory
//! depends on it.

use super::tree::{StepId, Tree};
use super::uniformity::Uniformity;
use crate::function::*;
use crate::types::Type;

pub struct Dependence {
    /// For each value, true if it depends.
    values: Vec<bool>,
}

/// The dependent values and memory found so far.
struct Gathered {
    values: Vec<bool>,
    memory: Vec<bool>,
    /// Memory outside of the thread depends.
    outside: bool,
    /// A jump is under a dependent condition.
    jumps: bool,
    grew: bool,
}

impl Dependence {
    pub fn of(tree: &Tree<'_>, uniformity: &Uniformity) -> Dependence {
        let mut all = Gathered {
            values: vec![false; tree.function.values.len()],
            memory: vec![false; uniformity.parts().in_memory],
            outside: false,
            jumps: false,
            grew: true,
        };
        while std::mem::take(&mut all.grew) {
            all.block(tree, uniformity, &tree.body, false);
        }
        Dependence { values: all.values }
    }

    pub fn has(&self, id: ValueId) -> bool {
        self.values.get(number(id)).is_some_and(|depends| *depends)
    }
}

fn number(id: ValueId) -> usize {
    id.into_raw().into_u32() as usize
}

impl Gathered {
    fn block(&mut self, tree: &Tree<'_>, uniformity: &Uniformity, steps: &[StepId], under: bool) {
        for &step in steps {
            let decides = match tree.steps[step].stmt {
                Stmt::If { cond: value, .. } | Stmt::Switch { selector: value, .. } => self.has(*value),
                Stmt::Loop { break_if: Some(value), .. } => self.has(*value),
                _ => false,
            };
            self.step(tree, uniformity, step, under || self.jumps);
            for block in &tree.steps[step].blocks {
                self.block(tree, uniformity, block, under || decides);
            }
        }
    }

    fn step(&mut self, tree: &Tree<'_>, uniformity: &Uniformity, step: StepId, under: bool) {
        let function = tree.function;
        match tree.steps[step].stmt {
            Stmt::Let(id) => {
                let Some(value) = function.value(*id) else { return };
                let mut depends = matches!(value.op, Op::FinishedSharing);
                value.op.for_each_operand(|operand| depends |= self.has(operand));
                match &value.op {
                    Op::Load(place) => depends |= self.holds(tree, uniformity, *place),
                    // Another thread may read the written value.
                    Op::Atomic { .. } => {
                        self.grew |= (depends || under) && !self.outside;
                        self.outside |= depends || under;
                        depends |= self.outside;
                    }
                    Op::ImageLoad(_) => depends |= self.outside,
                    _ => {}
                }
                let known = &mut self.values[number(*id)];
                self.grew |= depends && !*known;
                *known |= depends;
            }
            Stmt::Store { place, value } if (under || self.has(*value) || self.has(*place)) => {
                self.put(uniformity, *place);
            }
            Stmt::ImageStore { value, .. } => {
                let depends = under || self.has(*value);
                self.grew |= depends && !self.outside;
                self.outside |= depends;
            }
            Stmt::Break(_) | Stmt::Continue(_) | Stmt::Return(_) => {
                self.grew |= under && !self.jumps;
                self.jumps |= under;
            }
            _ => {}
        }
    }

    fn has(&self, id: ValueId) -> bool {
        self.values.get(number(id)).is_some_and(|depends| *depends)
    }

    fn holds(&self, tree: &Tree<'_>, uniformity: &Uniformity, place: ValueId) -> bool {
        match uniformity.parts().place(place) {
            Some(place) => self.memory[place.parts.clone()].contains(&true),
            // Host constants never change.
            None => {
                self.outside && matches!(tree.function.type_of(place), Some(Type::Ref(space, _)) if space.is_shared())
            }
        }
    }

    fn put(&mut self, uniformity: &Uniformity, place: ValueId) {
        match uniformity.parts().place(place) {
            Some(place) => {
                let parts = &mut self.memory[place.parts.clone()];
                self.grew |= parts.contains(&false);
                parts.fill(true);
            }
            None => {
                self.grew |= !self.outside;
                self.outside = true;
            }
        }
    }
}
