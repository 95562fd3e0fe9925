//! Enumerates the paths through a function, each with the facts from its conditions.
//!
//! [`forward`](super::forward) joins all merging paths, so its results hold regardless of correlated
//! conditions. Here each path carries the facts from its conditions and the symbols in memory, and contradictory paths
//! are dropped. Merging paths with equal tracked state become one. Loops are walked iteration by iteration while
//! constants alone decide about the next one. After that they are walked until nothing new is found.
//!
//! Everything on a path can happen. It happens for certain if no undecided condition precedes it ([`Path::is_sure`]).

mod loops;
mod values;

use super::facts::Facts;
use super::places::Root;
use super::shared::Shared;
use super::symbols::{Node, Sym, Symbols};
use super::tree::{StepId, Tree};
use super::uniformity::Uniformity;
use crate::function::*;
use crate::types::Scalar;
use std::collections::{BTreeMap, BTreeSet};

/// The maximum number of distinct paths at one statement. With more, the analysis gives up.
const MAX_PATHS: usize = 32;
/// The maximum number of loop iterations that are walked one by one.
const MAX_ITERATIONS: usize = 64;
/// The maximum number of iterations until nothing new is found.
const MAX_ROUNDS: usize = 64;
/// The number of statements on all paths after which the analysis gives up.
const MAX_VISITS: usize = 1 << 16;

/// An analysis along the paths.
pub trait Follow {
    type Own: Clone;

    /// Merges the states of two paths if they agree in everything that matters. Returns `Some(true)` if that changes
    /// the first one.
    fn meet(&mut self, own: &mut Self::Own, other: &Self::Own) -> Option<bool>;

    /// Visits a statement without blocks that is not a jump. Its value is already known.
    fn at(&mut self, step: StepId, path: &mut Path<Self::Own>, symbols: &Symbols);

    /// Reaches the end of the function.
    fn end(&mut self, path: &Path<Self::Own>);

    /// Continues after a statement. Returns whether paths may have become equal there.
    fn after(&mut self, _step: StepId, _own: &mut Self::Own) -> bool {
        false
    }

    /// Returns a number to assume for the result of an operation.
    fn assumed(&self, _op: &Op, _part: usize) -> Option<ScalarConst> {
        None
    }

    /// Returns whether a bool splits the path into one where it is true and one where it is false.
    fn splits(&self, _op: &Op) -> bool {
        false
    }

    /// Starts another iteration of a loop that may have ended before. The loop was entered with `_entry`.
    fn unsure_iteration(&mut self, _own: &mut Self::Own, _entry: &Self::Own) {}

    /// Enters a block of a statement by an undecided condition.
    fn chosen(&mut self, _at: (StepId, usize), _cond: Option<Sym>, _own: &mut Self::Own, _symbols: &Symbols) {}

    /// Returns a number that separates paths after a statement, if it is one of several constants.
    fn divides(&self, _step: StepId) -> Option<ValueId> {
        None
    }

    /// Visits each of those paths with its constant, or with `None` if there are not several.
    fn divided(&mut self, _step: StepId, _by: Option<ScalarConst>, _path: &mut Path<Self::Own>, _symbols: &Symbols) {}
}

#[derive(Clone)]
pub struct Path<T> {
    pub own: T,
    /// The path certainly comes here from the point where this was last set.
    pub is_sure: bool,
    /// It is in a later iteration of a loop that may have ended before. Constants of such an iteration decide nothing
    /// about the others.
    is_open_iteration: bool,
    /// The path was uncertain when `is_sure` was set.
    pub was_unsure: bool,
    /// The last undecided condition, and the block that it led to.
    pub by: Option<(StepId, usize)>,
    memory: Shared<Sym>,
    values: Shared<Sym>,
    facts: Facts,
    /// The last write to each memory outside of the thread.
    written: BTreeMap<usize, StepId>,
    /// The last statement that let other threads write.
    barrier: Option<StepId>,
}

/// The possible values of a number.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Numbers {
    pub known: BTreeSet<u64>,
    /// No other values are possible.
    pub are_all: bool,
}

/// The placeholder in a symbol table before anything is known.
const UNSET: Sym = Sym::MAX;

/// Follows all paths. If there are many, restarts with fewer iterations of loops. Returns `None` if there are too many.
pub fn follow<F: Follow>(tree: &Tree<'_>, uniformity: &Uniformity, make: impl Fn() -> F, start: &F::Own) -> Option<F> {
    let mut visits = usize::MAX;
    follow_within(&mut visits, tree, uniformity, make, start)
}

/// Follows all paths like [`follow`], with a limit of statements that several runs share.
pub fn follow_within<F: Follow>(
    visits: &mut usize,
    tree: &Tree<'_>,
    uniformity: &Uniformity,
    make: impl Fn() -> F,
    start: &F::Own,
) -> Option<F> {
    let mut one = |iterations: usize| walk(tree, uniformity, make(), start.clone(), iterations, visits);
    one(MAX_ITERATIONS).or_else(|| one(2))
}

fn walk<F: Follow>(
    tree: &Tree<'_>,
    uniformity: &Uniformity,
    follow: F,
    start: F::Own,
    max_iterations: usize,
    left: &mut usize,
) -> Option<F> {
    let mut stores: Vec<(StepId, std::ops::Range<usize>)> = Vec::new();
    for (step, at) in tree.steps.iter().enumerate() {
        let place = match at.stmt {
            Stmt::Store { place, .. } => Some(*place),
            Stmt::RayQuery { query, .. } => Some(*query),
            Stmt::Let(id) => match tree.function.value(*id).map(|v| &v.op) {
                Some(Op::Atomic { place, .. }) => Some(*place),
                _ => None,
            },
            _ => None,
        };
        stores.extend(place.and_then(|place| uniformity.parts().place(place)).map(|place| (step, place.parts.clone())));
    }
    let path = Path {
        own: start,
        is_sure: true,
        is_open_iteration: false,
        was_unsure: false,
        by: None,
        memory: Shared::filled(uniformity.parts().in_memory, UNSET),
        values: Shared::filled(uniformity.parts().in_values, UNSET),
        facts: Facts::default(),
        written: BTreeMap::new(),
        barrier: None,
    };
    let mut walk = Walk {
        tree,
        uniformity,
        symbols: Symbols::new(),
        follow,
        max_iterations,
        stores,
        roots: Vec::new(),
        frames: Vec::new(),
        returns: 0,
        continues: 0,
        visits: 0,
        max_visits: MAX_VISITS.min(*left),
        is_lost: *left == 0,
    };
    for path in walk.block(&tree.body, vec![path]) {
        walk.follow.end(&path);
    }
    *left -= walk.visits.min(*left);
    (!walk.is_lost).then_some(walk.follow)
}

struct Frame<T> {
    is_loop: bool,
    left: Vec<Path<T>>,
    continued: Vec<Path<T>>,
}

struct Walk<'t, 'f, F: Follow> {
    tree: &'t Tree<'f>,
    uniformity: &'t Uniformity,
    symbols: Symbols,
    follow: F,
    max_iterations: usize,
    /// The statements that write memory of the thread, in order.
    stores: Vec<(StepId, std::ops::Range<usize>)>,
    /// The memory outside of the thread.
    roots: Vec<Root>,
    frames: Vec<Frame<F::Own>>,
    /// The number of jumps so far.
    returns: usize,
    continues: usize,
    visits: usize,
    max_visits: usize,
    is_lost: bool,
}

type Paths<T> = Vec<Path<T>>;

/// The reason for merging paths.
#[derive(Clone, Copy, PartialEq, Eq)]
enum How {
    /// The condition chose between them.
    Choice(Sym),
    Meet,
    /// They start an iteration of a loop.
    Iterations,
}

/// [`Path::by`] and [`Path::is_sure`] before a statement.
type Before = (Option<(StepId, usize)>, bool);

impl<F: Follow> Walk<'_, '_, F> {
    fn block(&mut self, steps: &[StepId], mut paths: Paths<F::Own>) -> Paths<F::Own> {
        for &step in steps {
            self.visits += paths.len();
            self.is_lost |= self.visits > self.max_visits || paths.len() > MAX_PATHS;
            if paths.is_empty() || self.is_lost {
                return Vec::new();
            }
            paths = self.step(step, paths);
            let mut is_alike = false;
            for path in &mut paths {
                is_alike |= self.follow.after(step, &mut path.own);
            }
            if is_alike && paths.len() > 1 {
                let mut all = Vec::new();
                for path in paths {
                    self.meet(step, &mut all, path);
                }
                paths = all;
            }
        }
        paths
    }

    fn step(&mut self, step: StepId, mut paths: Paths<F::Own>) -> Paths<F::Own> {
        let tree = self.tree;
        match tree.steps[step].stmt {
            Stmt::If { .. } | Stmt::Switch { .. } | Stmt::Loop { .. } => self.each(step, paths),
            Stmt::Break(_) | Stmt::Continue(_) => {
                let is_break = matches!(tree.steps[step].stmt, Stmt::Break(_));
                let Some(n) = self.frames.iter().rposition(|frame| is_break || frame.is_loop) else {
                    return Vec::new();
                };
                self.continues += usize::from(!is_break);
                for path in paths {
                    let frame = &mut self.frames[n];
                    let mut all = std::mem::take(if is_break { &mut frame.left } else { &mut frame.continued });
                    self.meet(step, &mut all, path);
                    let frame = &mut self.frames[n];
                    *(if is_break { &mut frame.left } else { &mut frame.continued }) = all;
                }
                Vec::new()
            }
            Stmt::Return(_) => {
                self.returns += 1;
                paths.iter().for_each(|path| self.follow.end(path));
                Vec::new()
            }
            Stmt::Let(id) => {
                let op = tree.function.value(*id).map(|value| &value.op);
                if op.is_some_and(|op| self.follow.splits(op)) {
                    let mut other = paths.clone();
                    for (paths, is) in [(&mut paths, true), (&mut other, false)] {
                        let sym = self.symbols.literal(ScalarConst::bool(is));
                        for path in paths {
                            self.set_value(path, *id, &[sym]);
                        }
                    }
                    paths.extend(other);
                } else {
                    paths.iter_mut().for_each(|path| self.let_value(step, *id, path));
                }
                self.followed(step, paths)
            }
            stmt => {
                paths.iter_mut().for_each(|path| self.effect(step, stmt, path));
                self.followed(step, paths)
            }
        }
    }

    fn followed(&mut self, step: StepId, mut paths: Paths<F::Own>) -> Paths<F::Own> {
        for path in &mut paths {
            self.follow.at(step, path, &self.symbols);
        }
        match self.follow.divides(step) {
            Some(by) => self.divide(step, by, paths),
            None => paths,
        }
    }

    /// Splits paths by the constants that a number may be.
    fn divide(&mut self, step: StepId, by: ValueId, paths: Paths<F::Own>) -> Paths<F::Own> {
        let mut out = Vec::new();
        for path in paths {
            let chosen = self.condition(&path, by).filter(|sym| self.symbols.choices(*sym).is_some());
            let mut each = Vec::new();
            if let Some(sym) = chosen {
                self.constants(sym, &path, &mut each);
            }
            if each.len() < 2 {
                each = vec![(None, path)];
            }
            let is_one = each.len() == 1;
            for (number, mut path) in each {
                path.is_sure &= is_one;
                self.follow.divided(step, number, &mut path, &self.symbols);
                self.meet(step, &mut out, path);
            }
        }
        out
    }

    /// Returns the constants that a symbol may be on a path, each with the facts of that case.
    fn constants(&self, sym: Sym, path: &Path<F::Own>, out: &mut Vec<(Option<ScalarConst>, Path<F::Own>)>) {
        let Node::Select(cond, then, otherwise) = *self.symbols.node(sym) else {
            out.push((self.symbols.constant(sym), path.clone()));
            return;
        };
        for (of, holds) in [(then, true), (otherwise, false)] {
            let mut path = path.clone();
            if path.facts.assume(&self.symbols, cond, holds) {
                self.constants(of, &path, out);
            }
        }
    }

    /// Returns the paths out of a statement with blocks, for each path that reaches it.
    fn each(&mut self, step: StepId, paths: Paths<F::Own>) -> Paths<F::Own> {
        let mut out = Vec::new();
        for path in paths {
            let come = match self.tree.steps[step].stmt {
                Stmt::If { .. } => self.branch(step, path),
                Stmt::Switch { .. } => self.switch(step, path),
                _ => self.repeat(step, path),
            };
            for path in come {
                self.meet(step, &mut out, path);
            }
        }
        out
    }

    /// Adds a path to those that merge at one statement. Returns whether it adds anything new.
    fn meet(&mut self, step: StepId, all: &mut Paths<F::Own>, path: Path<F::Own>) -> bool {
        self.meet_as(How::Meet, step, all, path)
    }

    fn meet_as(&mut self, how: How, step: StepId, all: &mut Paths<F::Own>, path: Path<F::Own>) -> bool {
        for own in all.iter_mut() {
            if let Some(grew) = self.follow.meet(&mut own.own, &path.own) {
                return self.join(step, own, &path, how) || grew;
            }
        }
        all.push(path);
        true
    }

    /// Merges two paths.
    fn join(&mut self, step: StepId, own: &mut Path<F::Own>, other: &Path<F::Own>, how: How) -> bool {
        let mut differ = Vec::new();
        own.memory.differences(&other.memory, &mut |part, a: &Sym, b: &Sym| {
            if a != b {
                differ.push((part, *a, *b));
            }
        });
        let mut grew = false;
        for (part, a, b) in differ {
            let is_choice = a != UNSET && b != UNSET && how != How::Iterations;
            let met = match how {
                How::Choice(cond) if is_choice => self.symbols.select(cond, a, b, (step, part)),
                _ if is_choice && self.are_choices(a, b) => self.symbols.either(step, a, b),
                _ => self.symbols.met(step, part),
            };
            if met != a {
                *own.memory.get_mut(part) = met;
                grew = true;
            }
        }
        grew |= own.facts.meet(&other.facts, &self.symbols);
        for (root, write) in &other.written {
            if own.written.get(root) != Some(write) {
                grew |= own.written.insert(*root, step) != Some(step);
            }
        }
        if own.barrier != other.barrier {
            grew |= own.barrier.replace(step) != Some(step);
        }
        grew |= own.is_sure && !other.is_sure;
        own.is_sure &= other.is_sure;
        own.is_open_iteration |= other.is_open_iteration;
        grew |= !own.was_unsure && other.was_unsure;
        own.was_unsure |= other.was_unsure;
        if own.by != other.by {
            own.by = own.by.or(other.by);
        }
        grew
    }

    /// Returns whether each of two values is one of a few constants.
    fn are_choices(&self, a: Sym, b: Sym) -> bool {
        let count = |sym: Sym| self.symbols.choices(sym).map(|all| all.len());
        matches!((count(a), count(b)), (Some(a), Some(b)) if a + b <= 4)
    }

    fn condition(&self, path: &Path<F::Own>, id: ValueId) -> Option<Sym> {
        let part = self.uniformity.parts().of(id);
        (part.len() == 1).then(|| *path.values.get(part.start)).filter(|sym| *sym != UNSET)
    }

    fn branch(&mut self, step: StepId, path: Path<F::Own>) -> Paths<F::Own> {
        let tree = self.tree;
        let Stmt::If { cond, .. } = tree.steps[step].stmt else { return vec![path] };
        let cond = self.condition(&path, *cond);
        let mut inside = Vec::new();
        for (arm, block) in tree.steps[step].blocks.iter().enumerate() {
            let mut path = path.clone();
            let is_open = self.uniformity.takes(tree, step, arm);
            if is_open && cond.is_none_or(|cond| path.facts.assume(&self.symbols, cond, arm == 0)) {
                inside.push((arm, block, path));
            }
        }
        if let [_] = inside.as_slice() {
            let is_given = !(0..2).all(|arm| self.uniformity.takes(tree, step, arm));
            let is_constant = cond.is_none_or(|cond| self.symbols.constant(cond).is_some());
            let is_sure = path.is_sure || is_given || is_constant && !path.is_open_iteration;
            let come = inside.into_iter().flat_map(|(_, block, path)| self.block(block, vec![path])).collect();
            return as_sure(come, is_sure);
        }
        let (before, mut all_come) = ((path.by, path.is_sure), true);
        let (returns, continues) = (self.returns, self.continues);
        let mut out: Paths<F::Own> = Vec::new();
        for (arm, block, mut path) in inside {
            (path.by, path.is_sure) = (Some((step, arm)), false);
            self.follow.chosen((step, arm), cond, &mut path.own, &self.symbols);
            let come = self.block(block, vec![path]);
            all_come &= !come.is_empty();
            let of_first = if arm == 0 { 0 } else { out.len() };
            'paths: for path in come {
                for own in &mut out[..of_first] {
                    if self.follow.meet(&mut own.own, &path.own).is_some() {
                        self.join(step, own, &path, cond.map_or(How::Meet, How::Choice));
                        continue 'paths;
                    }
                }
                out.push(path);
            }
        }
        all_come &= (returns, continues) == (self.returns, self.continues);
        self.come_out(out, all_come, before)
    }

    /// Returns the paths after a condition. If they merged completely, the condition had no effect.
    fn come_out(&self, mut out: Paths<F::Own>, all_come: bool, before: Before) -> Paths<F::Own> {
        match out.as_mut_slice() {
            [one] if all_come => {
                one.by = before.0;
                one.is_sure |= before.1;
            }
            all => all.iter_mut().for_each(|path| path.is_sure = false),
        }
        out
    }

    fn switch(&mut self, step: StepId, path: Path<F::Own>) -> Paths<F::Own> {
        let tree = self.tree;
        let Stmt::Switch { selector, cases, .. } = tree.steps[step].stmt else { return vec![path] };
        let ty = tree.function.type_of(*selector).and_then(|ty| ty.scalar()).unwrap_or(Scalar::U32);
        let by_value = self.condition(&path, *selector);
        let equal = |sym: Sym, label: i64, symbols: &mut Symbols| {
            let label = symbols.literal(ScalarConst::new(ty, label as u64));
            symbols.binary(BinaryOp::Eq, sym, label, ty, (step, 0))
        };
        let mut inside = Vec::new();
        for (arm, block) in tree.steps[step].blocks.iter().enumerate() {
            if !self.uniformity.takes(tree, step, arm) {
                continue;
            }
            let mut path = path.clone();
            let mut is_open = true;
            if let Some(sym) = by_value {
                match cases.get(arm) {
                    Some(case) => {
                        let meant: Vec<Sym> = case.labels.iter().map(|l| equal(sym, *l, &mut self.symbols)).collect();
                        let either = meant
                            .into_iter()
                            .reduce(|a, b| self.symbols.binary(BinaryOp::Or, a, b, Scalar::Bool, (step, 0)));
                        is_open = either.is_some_and(|any| path.facts.assume(&self.symbols, any, true));
                    }
                    None => {
                        for label in cases.iter().flat_map(|case| &case.labels) {
                            let cond = equal(sym, *label, &mut self.symbols);
                            is_open &= path.facts.assume(&self.symbols, cond, false);
                        }
                    }
                }
            }
            if is_open {
                inside.push((arm, block, path));
            }
        }
        let (before, is_open) = ((path.by, path.is_sure), path.is_open_iteration);
        let (is_choice, returns, continues) = (inside.len() > 1, self.returns, self.continues);
        self.frames.push(Frame { is_loop: false, left: Vec::new(), continued: Vec::new() });
        let mut out = Vec::new();
        for (arm, block, mut path) in inside {
            if is_choice {
                (path.by, path.is_sure) = (Some((step, arm)), false);
                self.follow.chosen((step, arm), by_value, &mut path.own, &self.symbols);
            }
            for path in self.block(block, vec![path]) {
                self.meet(step, &mut out, path);
            }
        }
        for path in self.frames.pop().map(|frame| frame.left).unwrap_or_default() {
            self.meet(step, &mut out, path);
        }
        if !is_choice {
            let is_constant = by_value.is_none_or(|value| self.symbols.constant(value).is_some());
            let is_sure = before.1 || is_constant && !is_open;
            return as_sure(out, is_sure);
        }
        let all_come = (returns, continues) == (self.returns, self.continues);
        self.come_out(out, all_come, before)
    }
}

/// Limits the certainty of paths after an implied condition to the certainty before it.
fn as_sure<T>(mut paths: Paths<T>, is_sure: bool) -> Paths<T> {
    paths.iter_mut().for_each(|path| path.is_sure &= is_sure);
    paths
}

impl<T> Path<T> {
    /// Returns the symbol of the first part of a value.
    pub fn first_symbol(&self, uniformity: &Uniformity, id: ValueId) -> Option<Sym> {
        let part = uniformity.parts().of(id);
        (!part.is_empty()).then(|| *self.values.get(part.start)).filter(|sym| *sym != UNSET)
    }

    /// Returns the constants that a scalar may be on this path.
    pub fn choices(&self, symbols: &Symbols, uniformity: &Uniformity, id: ValueId) -> Option<Vec<ScalarConst>> {
        if let Some(only) = self.number(symbols, uniformity, id) {
            return Some(vec![only]);
        }
        let part = uniformity.parts().of(id);
        let sym = (part.len() == 1).then(|| *self.values.get(part.start)).filter(|sym| *sym != UNSET)?;
        self.facts.choices(symbols, sym)
    }

    /// Returns the known possible numbers of each part of a value on this path.
    pub fn each_numbers(&self, symbols: &Symbols, uniformity: &Uniformity, id: ValueId) -> Vec<Numbers> {
        let parts = uniformity.parts().of(id).zip(uniformity.constants(id));
        let one = |(part, constant): (usize, Option<ScalarConst>)| {
            let (sym, mut known) = (*self.values.get(part), Vec::from_iter(constant));
            let are_all = match constant {
                Some(_) => true,
                None => sym != UNSET && self.facts.reaches(symbols, sym, &mut known),
            };
            Numbers { known: known.into_iter().map(|c| c.bits).collect(), are_all }
        };
        parts.map(one).collect()
    }

    /// Returns the least value of a count on this path, and the limit if a `min` sets one.
    pub fn bounds(&self, symbols: &Symbols, uniformity: &Uniformity, id: ValueId) -> (u64, Option<u64>) {
        let sym = self.first_symbol(uniformity, id);
        let least = sym.and_then(|sym| self.facts.least(symbols, sym)).unwrap_or(0);
        (least, sym.and_then(|sym| symbols.cut_off(sym)).map(|c| c.bits))
    }

    /// Returns the number that a scalar is on this path.
    pub fn number(&self, symbols: &Symbols, uniformity: &Uniformity, id: ValueId) -> Option<ScalarConst> {
        if let Some(c) = uniformity.constant(id) {
            return Some(c);
        }
        let part = uniformity.parts().of(id);
        let sym = (part.len() == 1).then(|| *self.values.get(part.start)).filter(|sym| *sym != UNSET)?;
        self.facts.number(symbols, sym)
    }
}
