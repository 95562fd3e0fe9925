//! Finds values and control flow that are the same for all threads of a group or grid.
//!
//! Threads differ by their ids, by their lanes and by the results of atomics. A value computed from such a value
//! differs too. So does a value chosen by it, stored where only some threads go, or taken at an unknown index from an
//! array or matrix with a varying element. Memory that other threads may write is assumed to be equal if its address
//! is. Hence a value called varying here varies for certain, as far as the program's text shows.
//!
//! At a varying condition, threads diverge until the end of the statement. Threads that leave by `break` or `continue`
//! are missing up to its target; after a `return` they never come back. A value stored meanwhile is the same for the
//! threads that store it. It differs once they reconverge with others. A condition on such a value makes the threads
//! diverge again, and the first divergence is named as the cause.

use super::departed_threads::DepartedThreads;
use super::forward::{Forward, Target, run};
use super::parts::{PartRange, Parts, element, is_summary};
pub use super::scalar_facts::Control;
use super::scalar_facts::{Fact, Part, Thread, UniformityLevel, binary, convert, unary};
use super::shared::Shared;
use super::tree::{StepId, Tree};
use super::{Finding, Label, LaunchParameters, VariesBetween, Waves};
use crate::function::*;
use crate::passes::scalar;
use crate::ray::RayCommand;
use crate::types::Type;

/// The divergence of the threads of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Divergence {
    pub between: VariesBetween,
    /// The threads diverge only if the group has several waves.
    pub may: bool,
    pub cause: StepId,
    /// The second divergence, as in [`Control`].
    pub again: Option<StepId>,
}

impl Divergence {
    /// Adds labels for the statements at which threads diverge from those that reach a step.
    pub fn labels(&self, tree: &Tree<'_>, step: StepId, finding: Finding) -> Finding {
        let at = |step: StepId| tree.steps[step].at;
        let finding = finding.also(tree.parting(step, self.cause, self.between), at(self.cause));
        match self.again {
            Some(again) => finding.also(Label::Again, at(again)),
            None => finding,
        }
    }
}

/// The facts about a function's values and statements.
pub struct Uniformity {
    values: Vec<Part>,
    parts: Parts,
    /// The threads that reach each statement; `None` if it is unreachable.
    control: Vec<Option<Control>>,
    waves: Waves,
}

impl Uniformity {
    /// Runs the analysis. Returns `None` if the function is too large.
    pub fn of(tree: &Tree<'_>, launched: &LaunchParameters) -> Option<Uniformity> {
        let parts = Parts::new(tree.function);
        let start = State { memory: Shared::filled(parts.in_memory, Part::default()), control: Control::default() };
        let analysis = Analysis {
            tree,
            launched,
            values: vec![Part::default(); parts.in_values],
            is_set: vec![false; parts.in_values],
            causes: vec![None; tree.function.values.len()],
            parts,
            version: 0,
            departed: DepartedThreads::default(),
            control: vec![None; tree.steps.len()],
        };
        let done = run(tree, analysis, start)?;
        Some(Uniformity { values: done.values, parts: done.parts, control: done.control, waves: launched.waves() })
    }

    /// Returns the divergence if not all threads of the group reach a statement, or `None` if they do.
    pub fn parted(&self, step: StepId) -> Option<Divergence> {
        let Control { level, cause, again } = self.control(step).filter(|control| control.level.parts_groups())?;
        let between = if level == UniformityLevel::Wave { VariesBetween::Waves } else { VariesBetween::Threads };
        Some(Divergence { between, may: self.may_be_one(level), cause: cause?, again })
    }

    /// Returns whether a value at this level may still be uniform in the group, because only some devices have several
    /// waves.
    pub fn may_be_one(&self, level: UniformityLevel) -> bool {
        level == UniformityLevel::Wave && self.waves == Waves::Unknown
    }

    /// Returns the threads that reach a statement, or `None` if it is unreachable.
    pub fn control(&self, step: StepId) -> Option<Control> {
        self.control.get(step).copied().flatten()
    }

    /// Returns the set of threads that agree on a value.
    pub fn level(&self, id: ValueId) -> UniformityLevel {
        self.values[self.parts.of(id)].iter().map(|part| part.seen()).max().unwrap_or_default()
    }

    /// Returns the number that a scalar is known to be.
    pub fn constant(&self, id: ValueId) -> Option<ScalarConst> {
        self.scalar(id)?.known()
    }

    /// Returns the known numbers of the parts of a value.
    pub fn constants(&self, id: ValueId) -> Vec<Option<ScalarConst>> {
        self.values[self.parts.of(id)].iter().map(|part| part.known()).collect()
    }

    /// Returns whether a bool is the result of `FinishedSharing`: `Some(false)`, or `Some(true)` for its negation.
    pub fn finished(&self, id: ValueId) -> Option<bool> {
        if let Fact::Finished { negated } = self.scalar(id)?.fact { Some(negated) } else { None }
    }

    fn scalar(&self, id: ValueId) -> Option<Part> {
        match self.values[self.parts.of(id)] {
            [only] => Some(only),
            _ => None,
        }
    }

    /// Returns whether control can enter a block of a statement; see [`Forward::arm`].
    pub fn takes(&self, tree: &Tree<'_>, step: StepId, arm: usize) -> bool {
        takes(tree.steps[step].stmt, arm, |id| self.scalar(id))
    }

    /// Returns the parts of values and memory.
    pub fn parts(&self) -> &Parts {
        &self.parts
    }
}

fn takes(stmt: &Stmt, arm: usize, scalar: impl Fn(ValueId) -> Option<Part>) -> bool {
    let constant = |id: ValueId| scalar(id)?.known();
    match stmt {
        Stmt::If { cond, .. } => constant(*cond).is_none_or(|c| (c.bits != 0) == (arm == 0)),
        Stmt::Loop { break_if: Some(cond), .. } => constant(*cond).is_none_or(|c| (c.bits != 0) == (arm == 0)),
        Stmt::Switch { selector, cases, .. } => match constant(*selector) {
            Some(c) => {
                let is_label = |case: &Case| case.labels.iter().any(|&l| l as u64 & c.ty.mask() == c.bits);
                arm == cases.iter().position(is_label).unwrap_or(cases.len())
            }
            // The default: it is unreachable if the selector is below a number, and cases have all labels below that.
            None if arm == cases.len() => {
                let below = scalar(*selector).and_then(|part| part.below());
                let mut labels: Vec<i64> = cases.iter().flat_map(|case| &case.labels).copied().collect();
                labels.sort_unstable();
                let labelled = labels.iter().skip_while(|label| **label < 0).zip(0..).take_while(|(a, b)| *a == b);
                below.is_none_or(|below| (labelled.count() as u64) < below)
            }
            None => true,
        },
        _ => true,
    }
}

#[derive(Clone)]
struct State {
    memory: Shared<Part>,
    control: Control,
}

impl State {
    fn set(&mut self, part: usize, new: Part) {
        // Unchanged parts stay shared.
        if *self.memory.get(part) != new {
            *self.memory.get_mut(part) = new;
        }
    }
}

struct Analysis<'t, 'f> {
    tree: &'t Tree<'f>,
    launched: &'t LaunchParameters,
    parts: Parts,
    /// The joined facts of all paths so far, for each part of a value; meaningless until [`is_set`](Self::is_set).
    values: Vec<Part>,
    is_set: Vec<bool>,
    /// For each value: the statement of the earlier divergence, if only that makes it differ.
    causes: Vec<Option<StepId>>,
    /// Rises with each changed fact, so that `run` repeats a loop until none changes.
    version: usize,
    /// The threads that left each open statement by a jump.
    departed: DepartedThreads,
    /// See [`Uniformity`].
    control: Vec<Option<Control>>,
}

impl Forward for Analysis<'_, '_> {
    type State = State;

    fn join(&mut self, state: &mut State, other: &State) -> bool {
        let joined = |a: &Part, b: &Part| {
            let mut joined = *a;
            joined.join(*b).then_some(joined)
        };
        let grew = state.memory.join(&other.memory, &mut { joined });
        state.control.raise(other.control) || grew
    }

    fn version(&self) -> usize {
        self.version
    }

    fn report(&mut self) {
        self.departed = DepartedThreads::default();
    }

    fn round(&mut self) {
        // The initial state of the next iteration already excludes threads that returned in this one.
        self.departed.forget();
    }

    fn open(&mut self) {
        self.departed.open();
    }

    fn close(&mut self) {
        self.departed.close();
    }

    fn enter(&mut self) {
        self.departed.enter();
    }

    fn arm_end(&mut self, comes_out: bool) {
        self.departed.arm_end(comes_out);
    }

    fn leave(&mut self) {
        self.departed.leave();
    }

    fn simple(&mut self, step: StepId, state: &mut State) {
        self.control[step] = Some(state.control);
        match self.tree.steps[step].stmt {
            Stmt::Let(id) => self.let_value(*id, state),
            Stmt::Store { place, value } => {
                let Some(to) = self.parts.place(*place).cloned() else { return };
                let level = self.level(*place);
                for parts in to.each() {
                    let stored: Vec<Part> = spread(&self.values[self.parts.of(*value)], parts.len()).collect();
                    for (part, stored) in parts.zip(stored) {
                        let mut new = stored.at_least(level).stored(state.control);
                        if to.is_one_of_many {
                            let other = std::mem::replace(&mut new, *state.memory.get(part));
                            new.join(other);
                        }
                        state.set(part, new);
                    }
                }
            }
            Stmt::RayQuery { command, query, args } => {
                let level = args.iter().map(|arg| self.level(*arg)).max().unwrap_or_default();
                let level = level.max(state.control.level);
                let level = level.max(self.level(*query));
                let Some(to) = self.parts.place(*query) else { return };
                // A new search discards earlier results.
                let begins = *command == RayCommand::Trace && !to.is_one_of_many;
                for part in to.each().flatten() {
                    let current = || state.memory.get(part).seen_by(state.control).at_least(level);
                    let new = if begins { Part::level(level) } else { current() };
                    state.set(part, new);
                }
            }
            _ => {}
        }
    }

    fn arm(&mut self, step: StepId, arm: usize, state: &mut State) -> bool {
        let stmt = self.tree.steps[step].stmt;
        self.control[step].get_or_insert(state.control).raise(state.control);
        if !takes(stmt, arm, |id| match self.values[self.parts.of(id)] {
            [only] => Some(only),
            _ => None,
        }) {
            return false;
        }
        let decides = match stmt {
            Stmt::If { cond, .. } | Stmt::Loop { break_if: Some(cond), .. } => *cond,
            Stmt::Switch { selector, .. } => *selector,
            _ => return true,
        };
        let cause = self.causes[number(decides)];
        let again = cause.filter(|cause| *cause != step && !self.tree.steps[step].is_made).map(|_| step);
        let parted = Control { level: self.level(decides), cause: cause.or(Some(step)), again };
        state.control.raise(parted);
        if let Stmt::Loop { .. } = stmt {
            if arm == 0 {
                self.departed.left(parted);
            }
        } else {
            self.departed.arm(state.control);
        }
        true
    }

    fn jump(&mut self, step: StepId, target: Target, state: &State) {
        self.control[step] = Some(state.control);
        self.departed.jump(target, state.control);
    }

    fn after(&mut self, _: StepId, before: &State, after: &mut State) {
        let mut control = before.control;
        self.departed.raise(&mut control);
        // Threads that left on paths that do not lead here are not missing.
        if control.level < after.control.level {
            after.control = control;
        }
    }

    fn continuing(&mut self, step: StepId, head: &State, state: &mut State) {
        self.departed.continuing();
        self.after(step, head, state);
    }
}

fn number(id: ValueId) -> usize {
    id.into_raw().into_u32() as usize
}

/// Returns the joined contents of all places that it may be.
fn contents(place: &PartRange, state: &State) -> Vec<Part> {
    let seen = |part| state.memory.get(part).seen_by(state.control);
    let each = place.each().map(|parts| parts.map(seen).collect::<Vec<Part>>());
    let joined = each.reduce(|mut all, other| {
        for (own, other) in all.iter_mut().zip(other) {
            own.join(other);
        }
        all
    });
    joined.unwrap_or_default()
}

/// Converts the parts of a value to those of memory with another division, or back.
fn spread(parts: &[Part], wanted: usize) -> impl Iterator<Item = Part> {
    let alike = parts.len() == wanted;
    let all = parts.iter().copied().reduce(|mut a, b| {
        a.join(b);
        a
    });
    let all = if parts.len() == 1 && wanted == 1 { all } else { all.map(|part| Part::level(part.seen())) };
    (0..wanted).map(move |n| if alike { parts[n] } else { all.unwrap_or_default() })
}

impl Analysis<'_, '_> {
    fn level(&self, id: ValueId) -> UniformityLevel {
        self.values[self.parts.of(id)].iter().map(|part| part.seen()).max().unwrap_or_default()
    }

    /// Returns a component of a scalar or vector; all components of a scalar are equal.
    fn component(&self, id: ValueId, n: usize) -> Part {
        match &self.values[self.parts.of(id)] {
            [only] => *only,
            parts => parts.get(n).copied().unwrap_or_default(),
        }
    }

    fn let_value(&mut self, id: ValueId, state: &State) {
        let function = self.tree.function;
        let Some(value) = function.value(id) else { return };
        let to = self.parts.of(id);
        let new = self.evaluate(&value.op, &value.ty, to.len(), state);
        for (n, new) in to.zip(new) {
            let grew = if self.is_set[n] { self.values[n].join(new) } else { self.values[n] != new };
            if !self.is_set[n] {
                (self.values[n], self.is_set[n]) = (new, true);
            }
            self.version += usize::from(grew);
        }
        self.causes[number(id)] = self.cause(&value.op, state);
    }

    /// Returns the statement of an earlier divergence if every varying part of a value differs because of it.
    fn cause(&self, op: &Op, state: &State) -> Option<StepId> {
        let mut causes = Vec::new();
        match op {
            Op::Load(place) if !self.level(*place).parts_groups() => {
                for part in self.parts.place(*place)?.each().flatten() {
                    let current = state.memory.get(part);
                    if current.seen_by(state.control).seen().parts_groups() {
                        causes.push(current.stored_by.cause.filter(|_| !current.level.parts_groups()));
                    }
                }
            }
            Op::Load(_) | Op::Atomic { .. } | Op::RayQuery { .. } => {}
            op => op.for_each_operand(|id| {
                if self.level(id).parts_groups() {
                    causes.push(self.causes[number(id)]);
                }
            }),
        }
        let first = *causes.first()?;
        first.filter(|_| causes.iter().all(Option::is_some))
    }

    fn evaluate(&self, op: &Op, ty: &Type, wanted: usize, state: &State) -> Vec<Part> {
        let function = self.tree.function;
        let same = |part: Part| vec![part; wanted];
        let of = |id: &ValueId| &self.values[self.parts.of(*id)];
        let operands = || {
            let mut level = UniformityLevel::Grid;
            op.for_each_operand(|id| level = level.max(self.level(id)));
            level
        };
        match op {
            Op::Const(c) => same(Part::constant(*c)),
            Op::Zero => match ty {
                Type::Scalar(ty) => same(Part::constant(ScalarConst { ty: *ty, bits: 0 })),
                Type::Vector(ty, _) => same(Part::constant(ScalarConst { ty: *ty, bits: 0 })),
                _ => same(Part::default()),
            },
            Op::Builtin(builtin) => (0..wanted).map(|n| self.builtin(*builtin, n)).collect(),
            Op::Load(place) => match self.parts.place(*place) {
                // Facts about many fields do not apply to a single one.
                Some(from) if from.is_hidden => same(Part::level(self.level(*place))),
                Some(from) => {
                    let level = self.level(*place);
                    spread(&contents(from, state), wanted).map(|part| part.at_least(level)).collect()
                }
                None => same(Part::level(operands())),
            },
            Op::Compose(elements) => {
                let all: Vec<Part> = elements.iter().flat_map(|id| of(id).iter().copied()).collect();
                spread(&all, wanted).collect()
            }
            Op::Extract { base, index } => {
                let Some(whole) = function.type_of(*base) else { return same(Part::default()) };
                let from = of(base);
                if is_summary(whole) {
                    let is_array = matches!(whole, Type::Array { .. });
                    return same(if is_array { Part::level(self.level(*base)) } else { Part::default() });
                }
                let part = element(whole, *index as usize);
                spread(from.get(part).unwrap_or(from), wanted).collect()
            }
            Op::ExtractDynamic { base, index } => {
                let is_hidden = function.type_of(*base).is_none_or(|ty| matches!(ty, Type::Struct(_)));
                let base_level = if is_hidden { UniformityLevel::Grid } else { self.level(*base) };
                same(Part::level(self.level(*index).max(base_level)))
            }
            Op::Insert { base, index, value } => {
                let mut all: Vec<Part> = spread(of(base), wanted).collect();
                let part = function.type_of(*base).map_or(0..0, |whole| element(whole, *index as usize));
                let value: Vec<Part> = spread(of(value), part.len()).collect();
                for (n, value) in part.zip(value) {
                    if wanted == 1 {
                        all[0].join(value);
                    } else if let Some(part) = all.get_mut(n) {
                        *part = value;
                    }
                }
                all
            }
            Op::Swizzle { base, components } => {
                components.iter().map(|c| self.component(*base, usize::from(*c))).collect()
            }
            Op::Shuffle { components, .. } => {
                let source = |c: &u8| op.shuffled(function, *c).map(|(base, at)| self.component(base, at));
                components.iter().map(|c| source(c).unwrap_or_default()).collect()
            }
            Op::Unary { op, value } => (0..wanted).map(|n| unary(*op, self.component(*value, n))).collect(),
            Op::Binary { op, lhs, rhs } => {
                (0..wanted).map(|n| binary(*op, self.component(*lhs, n), self.component(*rhs, n))).collect()
            }
            Op::Select { cond, then, otherwise } => {
                let conds = of(cond);
                let (then, otherwise) = (of(then), of(otherwise));
                let choose = |n: usize| {
                    let cond = *conds.get(n).or(conds.first())?;
                    let (a, b) = (*then.get(n)?, *otherwise.get(n)?);
                    Some(match cond.known() {
                        Some(c) => {
                            if c.bits != 0 {
                                a
                            } else {
                                b
                            }
                        }
                        None => {
                            let mut either = a;
                            either.join(b);
                            either.at_least(cond.level)
                        }
                    })
                };
                (0..wanted).map(|n| choose(n).unwrap_or_default()).collect()
            }
            Op::Convert(value) => (0..wanted).map(|n| convert(self.component(*value, n), ty)).collect(),
            Op::Bitcast(value) => {
                let to = ty.scalar();
                let cast = |part: Part| match (part.fact, to) {
                    (Fact::Is(c), Some(to)) if c.ty.bits() == to.bits() => Part::constant(ScalarConst { ty: to, ..c }),
                    (Fact::Below(limit) | Fact::Thread(Thread { below: Some(limit), .. }), Some(to))
                        if to.is_integer() && limit <= i32::MAX as u64 =>
                    {
                        part
                    }
                    _ => Part::level(part.seen()),
                };
                spread(of(value), wanted).map(cast).collect()
            }
            Op::Math { op, args } => (0..wanted).map(|n| self.math(*op, args, n)).collect(),
            Op::Atomic { op, .. } if *op != AtomicOp::Load => same(Part::level(self.launched.varying())),
            Op::Subgroup { op, args } => {
                let level = self.lanes(*op, args, operands());
                same(Part::level(level))
            }
            Op::InputCount => match self.launched.max_input_records {
                Some(most) => same(Part::new(UniformityLevel::Group, Fact::Below(u64::from(most) + 1))),
                None => same(Part::level(UniformityLevel::Group)),
            },
            Op::RayQuery { query, .. } => {
                let results = self.parts.place(*query).map(|from| contents(from, state));
                let level = results.into_iter().flatten().map(|part| part.seen()).max().unwrap_or_default();
                same(Part::level(level.max(self.level(*query))))
            }
            Op::FinishedSharing => same(Part::new(UniformityLevel::Group, Fact::Finished { negated: false })),
            // Places, other memory and images are as uniform as the addresses.
            _ => same(Part::level(operands())),
        }
    }

    fn builtin(&self, builtin: Builtin, n: usize) -> Part {
        let launched = self.launched;
        let zero = Part::constant(ScalarConst::u32(0));
        let below = |level: UniformityLevel, limit: u64| {
            if limit <= 1 { zero } else { Part::new(level, Fact::Below(limit)) }
        };
        let group = |n: usize| match launched.grid {
            Some(grid) => below(UniformityLevel::Group, u64::from(grid[n.min(2)])),
            None => Part::level(UniformityLevel::Group),
        };
        let thread = |in_grid: Option<u64>, below: Option<u64>| match below {
            Some(0 | 1) => zero,
            _ => Part::new(launched.varying(), Fact::Thread(Thread { axis: n.min(2) as u8, in_grid, below })),
        };
        match (builtin, launched.num_threads) {
            (Builtin::GroupThreadId, Some(threads)) => thread(None, Some(u64::from(threads[n.min(2)]))),
            (Builtin::GroupThreadId, None) => thread(None, None),
            (Builtin::GroupIndex, Some(_)) => below(launched.varying(), launched.threads().unwrap_or(u64::MAX)),
            (Builtin::GroupIndex, None) => Part::level(launched.varying()),
            (Builtin::GroupId, _) => group(n),
            (Builtin::DispatchThreadId, threads) => match threads.map(|t| u64::from(t[n.min(2)])) {
                Some(1) => group(n),
                Some(threads) => thread(Some(threads), launched.grid.map(|grid| threads * u64::from(grid[n.min(2)]))),
                // The number of threads is unknown, but the rest of the index is the same for the group.
                None => thread(Some(0), None),
            },
            (Builtin::SubgroupLane, _) => Part::level(launched.varying()),
            (Builtin::SubgroupId, _) => Part::level(launched.in_wave()),
            (Builtin::NumWorkgroups | Builtin::SubgroupSize | Builtin::NumSubgroups, _) => Part::default(),
        }
    }

    /// Returns the level of a wave operation: uniform in a wave, it may still differ between waves of a group.
    fn lanes(&self, op: SubgroupOp, args: &[ValueId], operands: UniformityLevel) -> UniformityLevel {
        use SubgroupOp as S;
        let in_wave = operands.min(self.launched.in_wave());
        match op {
            S::Elect | S::ExclusiveAdd | S::ExclusiveMul => self.launched.varying(),
            S::Ballot | S::BroadcastFirst | S::Add | S::Min | S::Max | S::Mul => in_wave,
            S::BitAnd | S::BitOr | S::BitXor | S::Any | S::All | S::AllEqual => in_wave,
            S::Shuffle => match args {
                [_, lane] if self.level(*lane) < UniformityLevel::Varying => in_wave,
                _ => operands,
            },
            S::QuadBroadcast | S::QuadSwapX | S::QuadSwapY | S::QuadSwapDiagonal => operands,
            S::Ddx | S::Ddy | S::DdxCoarse | S::DdyCoarse | S::DdxFine | S::DdyFine | S::Fwidth => operands,
        }
    }

    fn math(&self, op: MathOp, args: &[ValueId], n: usize) -> Part {
        use MathOp as M;
        // Each result component depends on all components.
        if op.mixes_components() || matches!(op, M::PackHalf | M::UnpackHalf) {
            return Part::level(args.iter().map(|arg| self.level(*arg)).max().unwrap_or_default());
        }
        let args: Vec<Part> = args.iter().map(|arg| self.component(*arg, n)).collect();
        let known: Option<Vec<ScalarConst>> = args.iter().map(|arg| arg.known()).collect();
        if let Some(constant) = known.and_then(|known| scalar::math(op, &known)) {
            return Part::constant(constant);
        }
        let level = args.iter().map(|arg| arg.seen()).max().unwrap_or_default();
        // The minimum of several numbers is below all their limits.
        let limit = args.iter().filter_map(|arg| arg.below()).min().filter(|_| op == M::Min);
        Part::new(level, limit.map_or(Fact::Nothing, Fact::Below))
    }
}
