//! Upper bounds of the records that a node's calls request, by budget. A budget that they cannot exceed needs no
//! counting at run time.
//!
//! The function is interpreted with ranges instead of numbers. At a join of paths, the larger request counts. A loop is
//! followed iteration by iteration up to a limit. After that, its stores may have any value and its requests have no
//! bound. If the bound for all threads together is too large, the threads are interpreted one by one, since often one
//! thread makes the requests for the group. The bounds always hold, and a loop with a constant trip count within the
//! limit adds no cost at run time.

mod range;

use crate::{
    AllocScope, BinaryOp, Block, Builtin, Case, Function, Launch, LocalId, Module, Node, Op, OutputId, Scalar, Stmt,
    Symbol, Type, ValueId, walk,
};
use range::Range;
use rustc_hash::FxHashMap;

/// Upper bound of the records that calls request from one budget.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Demand {
    /// Requests of single threads, summed over all threads that share the budget.
    pub of_threads: u64,
    /// Requests of the group.
    pub of_group: u64,
}

impl Demand {
    const ENDLESS: u64 = u64::MAX;

    fn join(self, other: Demand) -> Demand {
        Demand { of_threads: self.of_threads.max(other.of_threads), of_group: self.of_group.max(other.of_group) }
    }

    /// Combines two valid bounds: the smaller one holds.
    fn least(self, other: Demand) -> Demand {
        Demand { of_threads: self.of_threads.min(other.of_threads), of_group: self.of_group.min(other.of_group) }
    }

    pub fn is_within(self, budget: u32) -> bool {
        self.of_threads.saturating_add(self.of_group) <= u64::from(budget)
    }
}

/// The threads that make requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Requesters {
    /// So many threads share a budget.
    Group(u32),
    /// Each of so many threads has a budget of its own. The bounds hold for each.
    EachOf(u32),
}

/// Limits of the interpretation: iterations of a loop, statements for any thread, and statements for all threads one by
/// one.
const TURNS: u32 = 64;
const STATEMENTS: u32 = 50_000;
const STATEMENTS_BY_THREAD: u32 = 400_000;
/// Known locations whose copy takes as long as a statement.
const NUMBERS_OF_A_STATEMENT: u32 = 16;

/// Returns the demands of a node on its budgets, by the output that owns each. `function` implements the node, with all calls that contain graph operations inlined. `suffices` returns whether the
/// demands are low enough that no closer analysis is needed.
pub fn demands(
    module: &Module,
    node: &Node,
    function: &Function,
    requesters: Requesters,
    suffices: impl Fn(&[Demand]) -> bool,
) -> Vec<Demand> {
    let any = |turns| {
        let mut all = demand(module, node, function, turns, None, &mut { STATEMENTS })?;
        let times = match requesters {
            Requesters::Group(threads) => u64::from(threads),
            Requesters::EachOf(_) => 1,
        };
        all.iter_mut().for_each(|demand| demand.of_threads = demand.of_threads.saturating_mul(times));
        Some(all)
    };
    // This helps if only one of many threads makes requests, or all but one.
    let each = || {
        let mut left = STATEMENTS_BY_THREAD;
        let mut all = vec![Demand::default(); node.outputs.len()];
        let (Requesters::Group(threads) | Requesters::EachOf(threads)) = requesters;
        for thread in 0..threads {
            let one = demand(module, node, function, TURNS, Some(thread), &mut left)?;
            for (all, one) in all.iter_mut().zip(one) {
                let together = all.of_threads.saturating_add(one.of_threads);
                *all = all.join(one);
                if let Requesters::Group(_) = requesters {
                    all.of_threads = together;
                }
            }
        }
        Some(all)
    };
    if node.outputs.is_empty() {
        return Vec::new();
    }
    let endless = Demand { of_threads: Demand::ENDLESS, of_group: Demand::ENDLESS };
    let mut known = vec![endless; node.outputs.len()];
    let looks: [&dyn Fn() -> Option<Vec<Demand>>; 3] = [&|| any(0), &|| any(TURNS), &each];
    for look in looks {
        if let Some(found) = look() {
            known.iter_mut().zip(found).for_each(|(known, found)| *known = known.least(found));
        }
        if suffices(&known) {
            break;
        }
    }
    known
}

/// Returns the requests of one thread: `thread`, or any. `None`: the limits are exceeded.
fn demand(
    module: &Module,
    node: &Node,
    function: &Function,
    turns: u32,
    thread: Option<u32>,
    left: &mut u32,
) -> Option<Vec<Demand>> {
    let none = vec![Demand::default(); node.outputs.len()];
    let mut run = Run { left: *left, ..Run::new(module, node, function, turns, thread) };
    let flow = run.block(&function.body, State { numbers: FxHashMap::default(), spent: none.clone() })?;
    *left = run.left;
    let all = flow.next.iter().map(|state| &state.spent).chain(&run.ends);
    Some(all.fold(none, |mut most, spent| {
        most.iter_mut().zip(spent).for_each(|(most, spent)| *most = most.join(*spent));
        most
    }))
}

/// A location in a local, given by the path of fields.
type LocalPath = (LocalId, Vec<u32>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct State {
    /// Values of locals; a missing location is unknown.
    numbers: FxHashMap<LocalPath, Range>,
    spent: Vec<Demand>,
}

impl State {
    fn join(mut self, other: State) -> State {
        self.numbers.retain(|place, range| match other.numbers.get(place) {
            Some(other) => {
                *range = range.join(*other);
                true
            }
            None => false,
        });
        self.spent.iter_mut().zip(other.spent).for_each(|(own, other)| *own = own.join(other));
        self
    }

    /// Makes a location and its contents unknown.
    fn forget(&mut self, (local, path): &LocalPath) {
        self.numbers.retain(|(other, inside), _| {
            let shared = path.len().min(inside.len());
            other != local || path[..shared] != inside[..shared]
        });
    }
}

fn component((local, path): &LocalPath, index: u32) -> LocalPath {
    (*local, path.iter().copied().chain([index]).collect())
}

fn joined(a: Option<State>, b: Option<State>) -> Option<State> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.join(b)),
        (a, b) => a.or(b),
    }
}

/// The states in which control leaves a block.
#[derive(Default)]
struct Flow {
    next: Option<State>,
    breaks: Option<State>,
    continues: Option<State>,
}

struct Run<'a> {
    module: &'a Module,
    node: &'a Node,
    function: &'a Function,
    turns: u32,
    /// The interpreted thread; `None`: any.
    thread: Option<u32>,
    /// Remaining statements before the limit.
    left: u32,
    numbers: FxHashMap<ValueId, Range>,
    /// Ranges of the components of vectors.
    vectors: FxHashMap<ValueId, Vec<Range>>,
    /// The demands at each return.
    ends: Vec<Vec<Demand>>,
    /// The range of the function's result.
    returned: Option<Range>,
    /// Results of called functions.
    of_calls: FxHashMap<Symbol, Option<Range>>,
}

impl<'a> Run<'a> {
    fn new(module: &'a Module, node: &'a Node, function: &'a Function, turns: u32, thread: Option<u32>) -> Self {
        Self {
            module,
            node,
            function,
            turns,
            thread,
            left: STATEMENTS,
            numbers: FxHashMap::default(),
            vectors: FxHashMap::default(),
            ends: Vec::new(),
            returned: None,
            of_calls: FxHashMap::default(),
        }
    }

    // ---- statements

    /// Interprets a block. `None`: the limits are exceeded.
    fn block(&mut self, block: &'a Block, state: State) -> Option<Flow> {
        let mut flow = Flow::default();
        let mut state = state;
        for stmt in block.iter().filter(|stmt| !stmt.is_marker()) {
            self.left = self.left.checked_sub(1)?;
            let next = match stmt {
                Stmt::Let(id) => {
                    self.value(*id, &mut state);
                    Some(state)
                }
                Stmt::Store { place, value } => {
                    if let Some((place, is_whole)) = self.place(*place) {
                        state.forget(&place);
                        if let Some(range) = self.range(*value).filter(|_| is_whole) {
                            state.numbers.insert(place, range);
                        } else if let Some(parts) = self.vectors.get(value).filter(|_| is_whole) {
                            state.numbers.extend((0..).map(|n| component(&place, n)).zip(parts.iter().copied()));
                        }
                    }
                    Some(state)
                }
                Stmt::If { cond, then, otherwise, .. } => {
                    let known = self.range(*cond).and_then(Range::known);
                    let arms = [(then, known != Some(0)), (otherwise, known.is_none_or(|known| known == 0))];
                    self.arms(&mut flow, arms.into_iter().filter(|arm| arm.1).map(|arm| arm.0), &state, false)?
                }
                Stmt::Switch { selector, cases, default, .. } => {
                    let blocks = self.chosen(*selector, cases, default);
                    self.arms(&mut flow, blocks.into_iter(), &state, true)?
                }
                Stmt::Loop { body, continuing, break_if, .. } => self.turns(body, continuing, *break_if, state)?,
                Stmt::Break(_) => {
                    flow.breaks = joined(flow.breaks.take(), Some(state));
                    None
                }
                Stmt::Continue(_) => {
                    flow.continues = joined(flow.continues.take(), Some(state));
                    None
                }
                Stmt::Return(value) => {
                    let range = value.and_then(|value| self.range(value));
                    self.returned = match (self.returned, range) {
                        (Some(a), Some(b)) => Some(a.join(b)),
                        (a, b) => a.or(b),
                    };
                    self.ends.push(state.spent);
                    None
                }
                Stmt::IncrementCount { scope, output, count, .. } => {
                    self.spend(&mut state, *scope, *output, *count);
                    Some(state)
                }
                Stmt::Call { args, .. } => {
                    self.forget_all(&mut state, args);
                    Some(state)
                }
                Stmt::Spirv(_) => {
                    state.numbers.clear();
                    Some(state)
                }
                _ => Some(state),
            };
            match next {
                Some(next) => state = next,
                None => return Some(flow),
            }
        }
        flow.next = Some(state);
        Some(flow)
    }

    /// Returns the state after one of several blocks. With `is_left`, a break leads there too.
    fn arms(
        &mut self,
        flow: &mut Flow,
        blocks: impl Iterator<Item = &'a Block>,
        state: &State,
        is_left: bool,
    ) -> Option<Option<State>> {
        let mut next = None;
        for block in blocks {
            // The arm gets a copy of the state, which is compared with the others afterwards.
            self.left = self.left.checked_sub(state.numbers.len() as u32 / NUMBERS_OF_A_STATEMENT)?;
            let arm = self.block(block, state.clone())?;
            next = joined(next, arm.next);
            flow.continues = joined(flow.continues.take(), arm.continues);
            match is_left {
                true => next = joined(next, arm.breaks),
                false => flow.breaks = joined(flow.breaks.take(), arm.breaks),
            }
        }
        Some(next)
    }

    /// Returns the blocks of a switch that control may reach.
    fn chosen(&self, selector: ValueId, cases: &'a [Case], default: &'a Block) -> Vec<&'a Block> {
        let all = || cases.iter().map(|case| &case.body).chain([default]).collect();
        let Some(known) = self.range(selector).and_then(Range::known) else { return all() };
        let mask = self.scalar(selector).map_or(u64::MAX, Scalar::mask);
        let is_meant = |case: &&Case| case.labels.iter().any(|label| *label as u64 & mask == known);
        vec![cases.iter().find(is_meant).map_or(default, |case| &case.body)]
    }

    fn turns(
        &mut self,
        body: &'a Block,
        continuing: &'a Block,
        break_if: Option<ValueId>,
        mut state: State,
    ) -> Option<Option<State>> {
        let mut after = None;
        for turn in 0..=self.turns {
            let is_any = turn == self.turns;
            if is_any {
                self.any_turn(&mut state, [body, continuing]);
            }
            let flow = self.block(body, state.clone())?;
            after = joined(after, flow.breaks);
            let Some(end) = joined(flow.next, flow.continues) else { break };
            let Some(next) = self.block(continuing, end)?.next else { break };
            let ends = break_if.map_or(Some(0), |cond| self.range(cond).and_then(Range::known));
            if ends != Some(0) {
                after = joined(after, Some(next.clone()));
            }
            if is_any || ends.is_some_and(|ends| ends != 0) || next == state {
                break;
            }
            state = next;
        }
        Some(after)
    }

    /// Widens the state before an iteration so that it holds before any later iteration.
    fn any_turn(&self, state: &mut State, blocks: [&Block; 2]) {
        let mut stored: Vec<LocalPath> = Vec::new();
        let mut asked: Vec<(AllocScope, OutputId)> = Vec::new();
        let mut all = false;
        for block in blocks {
            walk::statements(block, &mut |stmt| {
                let op = match stmt {
                    Stmt::Let(id) => self.function.value(*id).map(|value| &value.op),
                    _ => None,
                };
                match (stmt, op) {
                    (Stmt::Store { place, .. }, _) | (_, Some(Op::Atomic { place, .. })) => {
                        stored.extend(self.place(*place).map(|place| place.0));
                    }
                    (Stmt::Call { args, .. }, _) | (_, Some(Op::Call { args, .. })) => {
                        stored.extend(args.iter().filter_map(|arg| self.place(*arg)).map(|place| place.0));
                    }
                    (Stmt::IncrementCount { scope, output, .. }, _) | (_, Some(Op::Allocate { scope, output, .. })) => {
                        asked.push((*scope, *output));
                    }
                    (Stmt::Spirv(_), _) | (_, Some(Op::Spirv(_))) => all = true,
                    _ => {}
                }
            });
        }
        if all {
            state.numbers.clear();
        }
        stored.iter().for_each(|place| state.forget(place));
        asked.iter().for_each(|(scope, output)| self.add(state, *scope, *output, Demand::ENDLESS));
    }

    fn forget_all(&self, state: &mut State, places: &[ValueId]) {
        places.iter().filter_map(|place| self.place(*place)).for_each(|(place, _)| state.forget(&place));
    }

    // ---- requests

    fn spend(&self, state: &mut State, scope: AllocScope, output: OutputId, count: ValueId) {
        let (_, max_records) = self.node.budget(output as usize);
        // One call gets no more than this, regardless of its count.
        let most = self.range(count).map_or(Demand::ENDLESS, |range| range.most).min(u64::from(max_records));
        self.add(state, scope, output, most);
    }

    fn add(&self, state: &mut State, scope: AllocScope, output: OutputId, records: u64) {
        let (owner, _) = self.node.budget(output as usize);
        let Some(spent) = state.spent.get_mut(owner) else { return };
        let spent = match scope {
            AllocScope::Thread => &mut spent.of_threads,
            AllocScope::Group => &mut spent.of_group,
        };
        *spent = spent.saturating_add(records);
    }

    // ---- values

    fn scalar(&self, id: ValueId) -> Option<Scalar> {
        match self.function.type_of(id)? {
            Type::Scalar(scalar) if !scalar.is_float() => Some(*scalar),
            _ => None,
        }
    }

    /// Returns the range of a value. `None`: it is neither an integer nor a bool.
    fn range(&self, id: ValueId) -> Option<Range> {
        let scalar = self.scalar(id)?;
        let constant = || self.function.constant(id).map(|constant| Range::exact(constant.bits));
        Some(self.numbers.get(&id).copied().or_else(constant).unwrap_or_else(|| Range::any(scalar)))
    }

    /// Returns a location that contains a place, and whether it is exactly that place.
    fn place(&self, id: ValueId) -> Option<(LocalPath, bool)> {
        match &self.function.value(id)?.op {
            Op::Local(local) => Some(((*local, Vec::new()), true)),
            Op::Field { base, index } => {
                let ((local, mut path), is_whole) = self.place(*base)?;
                if is_whole {
                    path.push(*index);
                }
                Some(((local, path), is_whole))
            }
            Op::Index { base, index } => {
                let (place, is_whole) = self.place(*base)?;
                match self.function.constant(*index).and_then(|index| u32::try_from(index.bits).ok()) {
                    Some(index) if is_whole => Some((component(&place, index), true)),
                    _ => Some((place, false)),
                }
            }
            Op::Bits(base) | Op::Wide(base) => self.place(*base).map(|(place, _)| (place, false)),
            _ => None,
        }
    }

    fn value(&mut self, id: ValueId, state: &mut State) {
        let Some(value) = self.function.value(id) else { return };
        match &value.op {
            Op::Allocate { scope, output, count, .. } => self.spend(state, *scope, *output, *count),
            Op::Atomic { place, .. } => self.forget_all(state, &[*place]),
            Op::Call { args, .. } => self.forget_all(state, args),
            Op::Spirv(_) => state.numbers.clear(),
            _ => {}
        }
        if let Some(scalar) = self.scalar(id) {
            let range = self.number(&value.op, scalar, state).unwrap_or_else(|| Range::any(scalar));
            self.numbers.insert(id, range);
        } else if let Type::Vector(scalar, components) = value.ty {
            let any = || vec![Range::any(scalar); usize::from(components)];
            let parts = self.components(&value.op, scalar, components, state).unwrap_or_else(any);
            self.vectors.insert(id, parts);
        }
    }

    /// Returns the ranges of a vector's components. `None`: they are unknown.
    fn components(&self, op: &Op, scalar: Scalar, count: u8, state: &State) -> Option<Vec<Range>> {
        let parts = |id: &ValueId| match self.range(*id) {
            Some(range) => Some(vec![range]),
            None => self.vectors.get(id).cloned(),
        };
        let found = match op {
            Op::Builtin(Builtin::GroupThreadId) => {
                let threads = self.threads();
                let before = |axis: usize| threads[..axis].iter().product();
                (0..3).map(|axis| self.of_thread(threads[axis], before(axis))).collect()
            }
            Op::Swizzle { base, components } => {
                let base = parts(base)?;
                components.iter().map(|n| base.get(usize::from(*n)).copied()).collect::<Option<Vec<_>>>()?
            }
            Op::Shuffle { lhs, rhs, components } => {
                let all = [parts(lhs)?, parts(rhs)?].concat();
                components.iter().map(|n| all.get(usize::from(*n)).copied()).collect::<Option<Vec<_>>>()?
            }
            Op::Compose(from) => from.iter().map(parts).collect::<Option<Vec<_>>>()?.concat(),
            Op::Convert(from) => {
                let from_scalar = self.function.type_of(*from)?.scalar()?;
                parts(from)?.into_iter().map(|range| range.convert(from_scalar, scalar)).collect()
            }
            Op::Load(place) => {
                let (place, _) = self.place(*place).filter(|(_, is_whole)| *is_whole)?;
                let part = |n| state.numbers.get(&component(&place, n)).copied().unwrap_or(Range::any(scalar));
                (0..u32::from(count)).map(part).collect()
            }
            _ => return None,
        };
        Some(found).filter(|found| found.len() == usize::from(count) && !scalar.is_float())
    }

    /// Returns the threads of the group along each axis; a thread node is a group of one thread.
    fn threads(&self) -> [u32; 3] {
        match self.node.launch {
            Launch::Thread => [1; 3],
            _ => self.node.num_threads.map(|threads| threads.max(1)),
        }
    }

    /// Returns the number of a thread along an axis with `threads` threads, which are `step` apart in the group's
    /// order.
    fn of_thread(&self, threads: u32, step: u32) -> Range {
        match self.thread {
            Some(thread) => Range::exact(u64::from(thread / step % threads)),
            None => Range::up_to(u64::from(threads - 1)),
        }
    }

    fn number(&mut self, op: &Op, scalar: Scalar, state: &State) -> Option<Range> {
        Some(match op {
            Op::Const(constant) => Range::exact(constant.bits),
            Op::Zero => Range::exact(0),
            Op::Load(place) => match self.place(*place)? {
                (place, true) => *state.numbers.get(&place)?,
                _ => return None,
            },
            Op::Convert(from) => self.range(*from)?.convert(self.scalar(*from)?, scalar),
            Op::Bitcast(from) if self.scalar(*from)?.bits() == scalar.bits() => self.range(*from)?,
            Op::Select { cond, then, otherwise } => match self.range(*cond)?.known() {
                Some(0) => self.range(*otherwise)?,
                Some(_) => self.range(*then)?,
                None => self.range(*then)?.join(self.range(*otherwise)?),
            },
            Op::Unary { op, value } => Range::unary(*op, self.range(*value)?, scalar),
            Op::Binary { op, lhs, rhs } => self.binary(*op, *lhs, *rhs)?,
            Op::Math { op, args } => {
                let of = args.first().and_then(|arg| self.scalar(*arg))?;
                let ranges: Vec<Range> = args.iter().map(|arg| self.range(*arg)).collect::<Option<_>>()?;
                Range::math(*op, &ranges, of)
            }
            Op::Extract { base, index } => *self.vectors.get(base)?.get(*index as usize)?,
            Op::Builtin(Builtin::GroupIndex) => self.of_thread(self.threads().iter().product(), 1),
            Op::InputCount => Range::up_to(self.node.input.as_ref().map_or(1, |input| input.max_records).into()),
            Op::RemainingLevels => Range::up_to(self.node.max_recursion.into()),
            Op::Call { callee, .. } => self.call(callee)?,
            _ => return None,
        })
    }

    fn binary(&self, op: BinaryOp, lhs: ValueId, rhs: ValueId) -> Option<Range> {
        let scalar = self.scalar(lhs)?;
        let of = |a: ValueId, b: ValueId| Some(Range::binary(op, self.range(a)?, self.range(b)?, scalar));
        // Apply each of two masks separately: the results have fewer possible bits than with the join of both.
        let choice = |id: ValueId| match self.function.value(id)?.op {
            Op::Select { cond, then, otherwise } if self.range(cond)?.known().is_none() => Some((then, otherwise)),
            _ => None,
        };
        match (op, choice(lhs), choice(rhs)) {
            (BinaryOp::And, _, Some((then, otherwise))) => Some(of(lhs, then)?.join(of(lhs, otherwise)?)),
            (BinaryOp::And, Some((then, otherwise)), _) => Some(of(then, rhs)?.join(of(otherwise, rhs)?)),
            _ => of(lhs, rhs),
        }
    }

    /// Returns the range of a function's result, for any arguments.
    fn call(&mut self, callee: &Symbol) -> Option<Range> {
        if let Some(known) = self.of_calls.get(callee) {
            return *known;
        }
        self.of_calls.insert(callee.clone(), None);
        let function = self.module.functions.get(callee)?;
        let mut run = Run { left: self.left, ..Run::new(self.module, self.node, function, self.turns, self.thread) };
        std::mem::swap(&mut run.of_calls, &mut self.of_calls);
        let state = State { numbers: FxHashMap::default(), spent: Vec::new() };
        let is_followed = run.block(&function.body, state).is_some();
        std::mem::swap(&mut run.of_calls, &mut self.of_calls);
        self.left = run.left;
        let returned = run.returned.filter(|_| is_followed);
        self.of_calls.insert(callee.clone(), returned);
        returned
    }
}
