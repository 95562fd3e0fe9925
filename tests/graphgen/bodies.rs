//! Generates the computations of nodes. Expressions are defined for all numbers. The effects of statements do not
//! depend on the order of records, groups and threads.

use crate::evaluate::GATHERING;
use crate::hlsl::{BARRIERS, THREAD_BARRIERS, VARIABLES};
use crate::model::{Expr, Grid, Input, Launch, Node, OPS, Op, Quad, RESULTS, Resource, SLOTS, Stmt, Unary};
use crate::random::Random;
use crate::records::{GATHERED, Structs};
use crate::shape::Scalar;

/// Generates statements and expressions of one node.
pub struct Maker<'a> {
    pub random: &'a mut Random,
    pub structs: &'a Structs,
    pub node: &'a Node,
    /// Resources that the graph may read.
    pub resources: &'a [Resource],
    /// All atomics are sums, which commute: safe fusion keeps edges between nodes with different ones.
    pub only_sums: bool,
}

/// The names that an expression may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// Values of a single thread.
    Thread,
    /// Values inside this many loops.
    Loops(usize),
    /// Values of one of several records that a statement creates.
    Record,
    /// Values that are equal for the whole group, however records are grouped.
    Group,
    /// Values that remain when all groups have finished.
    Last,
}

impl Maker<'_> {
    /// Returns the field that the node's groups accumulate in; nothing else reads it.
    pub fn gathered(&self) -> Option<usize> {
        let shape = self.node.shape().filter(|shape| self.structs.all[*shape].tracked)?;
        self.structs.layouts[shape].leaves.iter().position(|leaf| leaf.path == format!(".{GATHERED}"))
    }

    fn field(&mut self) -> Option<Expr> {
        let layout = &self.structs.layouts[self.node.shape()?];
        let gathered = self.gathered();
        if !layout.rows.is_empty() && self.random.one_in(3) {
            let row = self.random.below(layout.rows.len() as u32) as usize;
            let index = self.random.below(4);
            return Some(Expr::Element(row, Box::new(Expr::Const(index))));
        }
        let leaf = self.random.below(layout.leaves.len() as u32) as usize;
        (Some(leaf) != gathered).then_some(Expr::Field(leaf))
    }

    fn constant(&mut self) -> Expr {
        let small = self.random.below(20);
        Expr::Const(if self.random.one_in(4) { self.random.number() as u32 } else { small })
    }

    fn atom(&mut self, scope: Scope) -> Expr {
        let launch = self.node.launch;
        // In a coalescing group only these are equal for all threads.
        if scope == Scope::Group && launch == Launch::Coalescing {
            return if self.random.one_in(2) { Expr::Remaining } else { self.constant() };
        }
        loop {
            let made = match self.random.below(12) {
                0 | 1 => Some(self.constant()),
                2..=5 => self.field(),
                6 if launch == Launch::Broadcasting && scope != Scope::Last => {
                    Some(Expr::Group(self.random.below(3) as usize))
                }
                7 | 8 if scope != Scope::Group && scope != Scope::Last => {
                    Some(Expr::Variable(self.random.below(VARIABLES as u32) as usize))
                }
                9 if launch == Launch::Broadcasting && !matches!(scope, Scope::Group | Scope::Last) => {
                    let axis = self.random.below(3) as usize;
                    Some(self.random.pick(&[0, 1, 2])).map(|kind| match kind {
                        0 => Expr::Thread,
                        1 => Expr::GroupThread(axis),
                        _ => Expr::Dispatch(axis),
                    })
                }
                10 if self.node.recursion > 0 => Some(Expr::Remaining),
                10 => match scope {
                    Scope::Loops(n) if n > 0 => Some(Expr::Counter(self.random.below(n as u32) as usize)),
                    _ => None,
                },
                11 => match scope {
                    Scope::Record => Some(Expr::Made),
                    Scope::Last => Some(Expr::Gathered),
                    _ => None,
                },
                _ => None,
            };
            if let Some(made) = made {
                return made;
            }
        }
    }

    pub fn expr(&mut self, scope: Scope, depth: u32) -> Expr {
        if depth == 0 || self.random.one_in(3) {
            return self.atom(scope);
        }
        let part = |this: &mut Self| Box::new(this.expr(scope, depth - 1));
        match self.random.below(14) {
            0 => {
                let op = self.random.pick(&[Op::Div, Op::Rem]);
                let by = 1 + self.random.below(9);
                Expr::Binary(op, part(self), Box::new(Expr::Const(by)))
            }
            1 => {
                let op = self.random.pick(&[Unary::Not, Unary::CountBits, Unary::ReverseBits, Unary::Mixed]);
                Expr::Unary(op, part(self))
            }
            2 => Expr::Choose(Box::new([*part(self), *part(self), *part(self), *part(self)])),
            3 | 4 if !self.resources.is_empty() && scope != Scope::Group => {
                Expr::Resource(self.random.pick(self.resources), part(self))
            }
            5 => match (self.node.shape(), scope) {
                // An index that the compiler does not know.
                (Some(shape), Scope::Thread | Scope::Record | Scope::Loops(_))
                    if !self.structs.layouts[shape].rows.is_empty() =>
                {
                    let row = self.random.below(self.structs.layouts[shape].rows.len() as u32) as usize;
                    Expr::Element(row, part(self))
                }
                _ => self.atom(scope),
            },
            // Known at compile time.
            6 => {
                let (op, a, b) = (self.random.pick(&OPS), self.constant(), self.constant());
                Expr::Binary(op, Box::new(a), Box::new(b))
            }
            _ => {
                let op = self.random.pick(&OPS);
                Expr::Binary(op, part(self), part(self))
            }
        }
    }

    fn slot(&mut self) -> usize {
        let slot = self.random.below(RESULTS as u32) as usize;
        // The first eight words of each buffer add.
        if self.only_sums { slot - slot % SLOTS.len() + slot % 8 } else { slot }
    }

    pub fn atomic(&mut self, scope: Scope) -> Stmt {
        let slot = self.slot();
        // The first four words add, and so do the next four.
        let near = (slot % SLOTS.len() < 4 && self.random.one_in(2)).then(|| self.expr(scope, 1));
        Stmt::Atomic { slot, near, value: self.expr(scope, 2) }
    }

    fn variable(&mut self) -> usize {
        self.random.below(VARIABLES as u32) as usize
    }

    /// Generates a statement of one thread.
    fn alone(&mut self, loops: usize, depth: u32) -> Stmt {
        let scope = Scope::Loops(loops);
        match self.random.below(if depth == 0 { 4 } else { 6 }) {
            0 | 1 => Stmt::Set(self.variable(), self.expr(scope, 2)),
            2 | 3 => self.atomic(scope),
            4 => {
                let otherwise = if self.random.one_in(2) { vec![self.alone(loops, 0)] } else { Vec::new() };
                Stmt::If(self.expr(scope, 1), vec![self.alone(loops, depth - 1)], otherwise)
            }
            _ => {
                let block = (0..1 + self.random.below(2)).map(|_| self.alone(loops + 1, depth - 1)).collect();
                Stmt::For(loops, 1 + self.random.below(3), block)
            }
        }
    }

    /// Generates a statement that all threads of the node reach.
    pub fn statement(&mut self) -> Stmt {
        let (launch, group) = (self.node.launch, self.node.group());
        let broadcasts = launch == Launch::Broadcasting;
        loop {
            return match self.random.below(16) {
                0..=5 => self.alone(0, 2),
                6 => Stmt::Wave { slot: self.slot(), value: self.expr(Scope::Thread, 2) },
                7..=9 if launch != Launch::Thread && self.node.threads[1..] == [1, 1] && group.is_multiple_of(4) => {
                    let kinds = [Quad::AcrossX, Quad::AcrossY, Quad::Diagonal, Quad::Derivative];
                    let kind = kinds[self.random.below(if broadcasts { 4 } else { 3 }) as usize];
                    Stmt::Quad { slot: self.random.below(8) as usize, value: self.expr(Scope::Thread, 1), kind }
                }
                10 if launch != Launch::Thread => {
                    let (slot, value) = (self.slot(), self.expr(Scope::Thread, 2));
                    Stmt::Shared { slot, value, bent: broadcasts && self.random.one_in(2) }
                }
                11 if broadcasts => {
                    let from = 1 + self.random.below(group);
                    Stmt::Exchange { variable: self.variable(), value: self.expr(Scope::Thread, 2), from }
                }
                11 | 12 => {
                    let barriers = match launch {
                        Launch::Thread => THREAD_BARRIERS,
                        _ => BARRIERS.len(),
                    };
                    Stmt::Barrier(self.random.below(barriers as u32) as usize)
                }
                13..=15 => match self.modify() {
                    Some(stmt) => stmt,
                    None => continue,
                },
                _ => continue,
            };
        }
    }

    fn modify(&mut self) -> Option<Stmt> {
        let Input::Records { shape, rw: true, .. } = self.node.input else { return None };
        // Several groups would have to agree.
        if self.node.launch == Launch::Broadcasting && self.node.grid != Some(Grid::Fixed([1; 3])) {
            return None;
        }
        let leaves = &self.structs.layouts[shape].leaves;
        let leaf = self.random.below(leaves.len() as u32) as usize;
        let may = leaves[leaf].grid.is_none() && Some(leaf) != self.gathered();
        may.then(|| Stmt::Modify { leaf, value: self.expr(Scope::Thread, 2) })
    }

    /// Generates the end of a node whose groups accumulate.
    pub fn finish(&mut self) -> Option<Stmt> {
        let leaf = self.gathered()?;
        let how = self.random.pick(&GATHERING);
        Some(Stmt::Finish { leaf, how, value: self.expr(Scope::Thread, 2), slot: self.slot(), emit: None })
    }

    /// Generates the values of a record's fields.
    pub fn fields(&mut self, shape: usize, scope: Scope) -> Vec<Expr> {
        let structs = self.structs;
        let most = structs.all[shape].most;
        let leaves = structs.layouts[shape].leaves.iter();
        leaves
            .map(|leaf| {
                let depth = u32::from(self.random.one_in(6));
                let value = self.expr(scope, depth);
                match leaf.grid {
                    Some(axis) => Expr::Binary(Op::Rem, Box::new(value), Box::new(Expr::Const(most[axis] + 1))),
                    // Uses all bits.
                    None if self.random.one_in(5) => Expr::Unary(Unary::Mixed, Box::new(value)),
                    None => value,
                }
            })
            .collect()
    }

    /// Generates a record of the host.
    pub fn given(&mut self, shape: usize) -> Vec<u64> {
        let most = self.structs.all[shape].most;
        let of = |random: &mut Random, grid: Option<usize>, scalar: Scalar| {
            let value = if random.one_in(2) { random.below(30) } else { random.number() as u32 };
            scalar.store(grid.map_or(value, |axis| value % (most[axis] + 1)))
        };
        self.structs.layouts[shape].leaves.iter().map(|leaf| of(self.random, leaf.grid, leaf.scalar)).collect()
    }
}
