//! Tracks the records that handles refer to, and the state of those records.
//!
//! A variable holds no handle, or a handle to records of some call in the function. Those are the latest records of the
//! call or, in loops, older ones. As the language requires, `Complete` clears the variable that it is called on, while
//! copies keep their handles. Findings hold on all paths to the statement.

use super::forward::{Forward, Target, run};
use super::parts::Parts;
use super::scalar_facts::UniformityLevel;
use super::shared::Shared;
use super::tree::{StepId, Tree};
use super::uniformity::Uniformity;
use super::{Finding, FindingKind, Label, VariesBetween};
use crate::function::*;
use crate::types::Type;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// The index of a call that allocates records.
pub type SiteId = usize;

/// A possible value of a handle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Handle {
    /// No handle, because none was assigned.
    Null,
    /// No handle any more: the handle of this variable was completed.
    Taken(SiteId),
    /// The records of the last execution of the call.
    Latest(SiteId),
    /// The records of an earlier execution of the call.
    Older(SiteId),
    /// Any handle.
    Unknown,
}

/// The possible values, mostly one. `Unknown` is always alone.
pub type Handles = BTreeSet<Handle>;

/// The maximum number of handles that a variable may hold. Beyond it, the handle is unknown.
const MAX_HANDLES: usize = 16;

/// Adds possible values of a handle. Returns whether any are new.
fn add(to: &mut Handles, other: &Handles) -> bool {
    if to.contains(&Handle::Unknown) || other.is_subset(to) {
        return false;
    }
    to.extend(other);
    if to.len() > MAX_HANDLES || to.contains(&Handle::Unknown) {
        *to = Handles::from([Handle::Unknown]);
    }
    true
}

/// The possible states of the latest records of a call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Fate {
    /// There may be none yet.
    none: bool,
    live: bool,
    done: bool,
    /// A statement that completed them.
    by: Option<StepId>,
}

impl Fate {
    const LIVE: Fate = Fate { none: false, live: true, done: false, by: None };

    /// Returns whether they are incomplete on every path.
    pub fn is_live(self) -> bool {
        self.live && !self.done && !self.none
    }

    fn is_done(self) -> bool {
        self.done && !self.live && !self.none
    }
}

#[derive(Clone)]
pub struct State {
    /// The handles in each part of memory; empty for parts without handles.
    memory: Shared<Handles>,
    /// For parts that only some threads set: the statement at which the threads diverged.
    parted: Shared<Option<StepId>>,
    fates: Shared<Fate>,
}

/// A call that allocates records.
pub struct Site {
    pub step: StepId,
}

/// The results, for [`super::completion`].
pub struct HandleFlow {
    pub sites: Vec<Site>,
    pub findings: Vec<Finding>,
    /// The possible handles of each `Complete`.
    pub completed: FxHashMap<StepId, Handles>,
    /// For each block of a statement: the states of the latest records of each call on entry.
    pub entered: FxHashMap<(StepId, usize), Shared<Fate>>,
    /// For loops that may repeat, by their index in [`Tree::loops`]: the calls directly in them whose records were
    /// certainly incomplete then, and are lost.
    pub lost: FxHashMap<usize, Vec<SiteId>>,
    values: FxHashMap<ValueId, Handles>,
    /// Calls with a reported misuse.
    pub reported: FxHashSet<SiteId>,
    /// Handles that may be invalid on some paths where they are used, by variable and calls.
    pub suspects: Vec<(Option<usize>, Vec<SiteId>)>,
    /// Calls whose records may or may not be completed at the end.
    pub open: BTreeSet<SiteId>,
    /// The other calls whose records may exist at the end.
    pub left: BTreeSet<SiteId>,
    /// For each end of the function: variables that certainly hold a handle there, and the calls that it may come from.
    pub kept: BTreeSet<(usize, Vec<SiteId>)>,
    /// For each call: the parts of memory that ever hold its records.
    pub held_by: Vec<BTreeSet<usize>>,
}

impl HandleFlow {
    /// Runs the analysis. Returns `None` if there is nothing to track, or too much.
    pub fn of(tree: &Tree<'_>, uniformity: &Uniformity) -> Option<HandleFlow> {
        let function = tree.function;
        let mut sites = Vec::new();
        let mut site_of = FxHashMap::default();
        let mut uses = false;
        for (step, at) in tree.steps.iter().enumerate() {
            match at.stmt {
                Stmt::Let(id) if matches!(function.value(*id), Some(Value { op: Op::Allocate { .. }, .. })) => {
                    site_of.insert(*id, sites.len());
                    sites.push(Site { step });
                }
                Stmt::Let(id) => uses |= matches!(function.value(*id), Some(Value { op: Op::OutputRecord { .. }, .. })),
                Stmt::Complete(_) | Stmt::Barrier(Barrier { records: Some(_), .. }) => uses = true,
                _ => {}
            }
        }
        if sites.is_empty() && !uses {
            return None;
        }
        let parts = uniformity.parts();
        let none = Fate { none: true, ..Fate::default() };
        let mut holders = vec![false; parts.in_memory];
        for (id, value) in function.values.iter() {
            if let (Op::Local(_) | Op::Global(_), Some(place)) = (&value.op, parts.place(id))
                && value.ty.pointee().is_some_and(is_handle)
            {
                holders[place.parts.clone()].fill(true);
            }
        }
        let mut memory = Shared::filled(parts.in_memory, Handles::new());
        for (part, _) in holders.iter().enumerate().filter(|(_, holds)| **holds) {
            *memory.get_mut(part) = Handles::from([Handle::Null]);
        }
        let start =
            State { memory, parted: Shared::filled(parts.in_memory, None), fates: Shared::filled(sites.len(), none) };
        let numbers: FxHashMap<StepId, usize> =
            tree.loops.iter().enumerate().map(|(n, (step, _))| (*step, n)).collect();
        let mut sites_in: FxHashMap<usize, Vec<SiteId>> = FxHashMap::default();
        for (site, at) in sites.iter().enumerate() {
            if let Some(around) = tree.steps[at.step].innermost_loop {
                sites_in.entry(around).or_default().push(site);
            }
        }
        let held_by = vec![BTreeSet::new(); sites.len()];
        let flow = HandleFlow {
            sites,
            findings: Vec::new(),
            completed: FxHashMap::default(),
            entered: FxHashMap::default(),
            lost: FxHashMap::default(),
            values: FxHashMap::default(),
            reported: FxHashSet::default(),
            suspects: Vec::new(),
            open: BTreeSet::new(),
            left: BTreeSet::new(),
            kept: BTreeSet::new(),
            held_by: Vec::new(),
        };
        let analysis = Analysis {
            tree,
            uniformity,
            parts,
            site_of,
            numbers,
            sites_in,
            held_by,
            flow,
            parted: FxHashMap::default(),
            version: 0,
            reporting: false,
            reported: FxHashSet::default(),
            reported_merges: FxHashSet::default(),
        };
        let done = run(tree, analysis, start)?;
        Some(HandleFlow { reported: done.reported, held_by: done.held_by, ..done.flow })
    }

    /// Returns the possible values of a handle.
    pub fn handles(&self, id: ValueId) -> Handles {
        self.values.get(&id).cloned().unwrap_or_default()
    }
}

/// Returns whether a type is a handle. Only variables with this type are tracked; handles in aggregates are not.
pub fn is_handle(ty: &Type) -> bool {
    matches!(ty, Type::Records(_))
}

struct Analysis<'t, 'f> {
    tree: &'t Tree<'f>,
    uniformity: &'t Uniformity,
    parts: &'t Parts,
    site_of: FxHashMap<ValueId, SiteId>,
    /// The indexes of loops by their statements.
    numbers: FxHashMap<StepId, usize>,
    /// The calls in each innermost loop.
    sites_in: FxHashMap<usize, Vec<SiteId>>,
    held_by: Vec<BTreeSet<usize>>,
    flow: HandleFlow,
    version: usize,
    reporting: bool,
    /// Handles that only some threads have, and the statement at which they diverged.
    parted: FxHashMap<ValueId, StepId>,
    /// Calls with a reported misuse.
    reported: FxHashSet<SiteId>,
    reported_merges: FxHashSet<StepId>,
}

impl Forward for Analysis<'_, '_> {
    type State = State;

    fn join(&mut self, state: &mut State, other: &State) -> bool {
        let mut grew = state.memory.join(&other.memory, &mut |own: &Handles, other: &Handles| {
            let mut all = own.clone();
            add(&mut all, other).then_some(all)
        });
        grew |= state.parted.join(&other.parted, &mut |own: &Option<StepId>, other: &Option<StepId>| {
            (own.is_none() && other.is_some()).then_some(*other)
        });
        grew |= state.fates.join(&other.fates, &mut |own: &Fate, other: &Fate| {
            let joined = Fate {
                none: own.none || other.none,
                live: own.live || other.live,
                done: own.done || other.done,
                by: own.by.into_iter().chain(other.by).min(),
            };
            (joined != *own).then_some(joined)
        });
        grew
    }

    fn version(&self) -> usize {
        self.version
    }

    fn report(&mut self) {
        self.reporting = true;
    }

    fn simple(&mut self, step: StepId, state: &mut State) {
        match self.tree.steps[step].stmt {
            Stmt::Let(id) => self.let_value(step, *id, state),
            Stmt::Store { place, value } => {
                let (Some(to), Some(stored)) = (self.parts.place(*place), self.flow.values.get(value)) else { return };
                let part = to.parts.start;
                for handle in stored {
                    if let Handle::Latest(site) | Handle::Older(site) = handle {
                        self.held_by[*site].insert(part);
                    }
                }
                if state.parted.get(part).is_some() {
                    *state.parted.get_mut(part) = None;
                }
                let contents = state.memory.get_mut(part);
                if to.is_one_of_many {
                    add(contents, stored);
                } else {
                    contents.clone_from(stored);
                }
            }
            Stmt::Complete(records) => self.complete(step, *records, state),
            Stmt::Barrier(Barrier { records: Some(records), .. }) => self.used(step, *records, state),
            _ => {}
        }
    }

    fn arm(&mut self, step: StepId, arm: usize, state: &mut State) -> bool {
        let taken = self.uniformity.takes(self.tree, step, arm);
        if taken && self.reporting {
            self.flow.entered.insert((step, arm), state.fates.clone());
        }
        taken
    }

    fn after(&mut self, step: StepId, before: &State, after: &mut State) {
        let Some(decides) = self.decides(step) else { return };
        if !self.uniformity.level(decides).parts_groups() {
            return;
        }
        // If only some threads requested the records, that is the mistake.
        let is_other = |handle: &Handle| matches!(handle, Handle::Latest(s) | Handle::Older(s) if self.is_uniform(*s));
        let mut parted = Vec::new();
        after.memory.differences(&before.memory, &mut |n, handles, before| {
            if handles.len() > 1 && handles.difference(before).any(is_other) {
                parted.push(n);
            }
        });
        for n in parted {
            *after.parted.get_mut(n) = Some(step);
        }
    }

    fn jump(&mut self, _: StepId, target: Target, state: &State) {
        if target == Target::Function && self.reporting {
            self.end(state);
        }
    }

    fn end(&mut self, state: &State) {
        for site in 0..self.flow.sites.len() {
            let fate = state.fates.get(site);
            if fate.live {
                (if fate.done { &mut self.flow.open } else { &mut self.flow.left }).insert(site);
            }
        }
        let variables: BTreeSet<usize> = self.held_by.iter().flatten().copied().collect();
        for part in variables {
            let of = |handle: &Handle| match handle {
                Handle::Latest(site) | Handle::Older(site) => Some(*site),
                Handle::Null | Handle::Taken(_) | Handle::Unknown => None,
            };
            let sites: Option<Vec<SiteId>> = state.memory.get(part).iter().map(of).collect();
            self.flow.kept.extend(sites.filter(|sites| !sites.is_empty()).map(|sites| (part, sites)));
        }
    }

    fn repeat(&mut self, step: StepId, state: &State) {
        let Some(number) = self.numbers.get(&step).filter(|_| self.reporting) else { return };
        let is_kept =
            |site: SiteId| self.held_by[site].iter().any(|n| state.memory.get(*n).contains(&Handle::Older(site)));
        let own = self.sites_in.get(number).into_iter().flatten().copied();
        let lost = own.filter(|site| state.fates.get(*site).is_live() && !is_kept(*site)).collect();
        self.flow.lost.insert(*number, lost);
    }
}

impl Analysis<'_, '_> {
    fn handles(&self, id: ValueId) -> Handles {
        self.flow.handles(id)
    }

    fn let_value(&mut self, step: StepId, id: ValueId, state: &mut State) {
        let function = self.tree.function;
        let Some(value) = function.value(id) else { return };
        if let Op::OutputRecord { records, .. } = value.op {
            self.used(step, records, state);
            return;
        }
        let of = |id: &ValueId| self.flow.values.get(id).into_iter().flatten().copied();
        let new: Handles = match &value.op {
            Op::Allocate { .. } => {
                let Some(&site) = self.site_of.get(&id) else { return };
                self.begin(site, state);
                Handles::from([Handle::Latest(site)])
            }
            _ if !is_handle(&value.ty) => return,
            Op::Load(place) => match self.parts.place(*place) {
                Some(from) if !from.is_one_of_many => state.memory.get(from.parts.start).clone(),
                _ => Handles::from([Handle::Unknown]),
            },
            Op::Zero | Op::Undef => Handles::from([Handle::Null]),
            Op::Select { then, otherwise, .. } => of(then).chain(of(otherwise)).collect(),
            _ => Handles::from([Handle::Unknown]),
        };
        if let Op::Load(place) = &value.op
            && let Some(from) = self.parts.place(*place)
            && let Some(step) = *state.parted.get(from.parts.start)
        {
            self.parted.insert(id, step);
        }
        // The values of earlier visits stay: the result covers all iterations of a loop.
        let known = self.flow.values.entry(id).or_default();
        self.version += usize::from(add(known, &new));
    }

    /// Starts new records of a call, which makes the last ones older.
    fn begin(&self, site: SiteId, state: &mut State) {
        for &part in &self.held_by[site] {
            if state.memory.get(part).contains(&Handle::Latest(site)) {
                let handles = state.memory.get_mut(part);
                handles.remove(&Handle::Latest(site));
                handles.insert(Handle::Older(site));
            }
        }
        *state.fates.get_mut(site) = Fate::LIVE;
    }

    fn complete(&mut self, step: StepId, records: ValueId, state: &mut State) {
        let handles = self.handles(records);
        self.check_merged(step, records);
        if self.reporting {
            self.flow.completed.insert(step, handles.clone());
            if let Some((site, by)) = self.surely_done(&handles, state)
                && self.reported.insert(site)
            {
                let finding = self.finding(FindingKind::CompletedTwice, step);
                self.flow.findings.push(
                    finding
                        .also(Label::Completed, self.at(by))
                        .also(Label::Allocated, self.at(self.flow.sites[site].step)),
                );
            } else {
                self.suspect(records, &handles, state, false);
            }
        }
        let is_certain = handles.len() == 1;
        for handle in &handles {
            match handle {
                Handle::Latest(site) => {
                    let fate = state.fates.get_mut(*site);
                    fate.done = true;
                    fate.by = fate.by.into_iter().chain([step]).min();
                    fate.live &= !is_certain;
                    fate.none &= !is_certain;
                }
                Handle::Unknown => {
                    for site in 0..self.flow.sites.len() {
                        let fate = *state.fates.get(site);
                        if fate.live && !fate.done {
                            state.fates.get_mut(site).done = true;
                        }
                    }
                }
                Handle::Null | Handle::Taken(_) | Handle::Older(_) => {}
            }
        }
        // `Complete` clears the variable.
        let variable = match self.tree.function.value(records).map(|v| &v.op) {
            Some(Op::Load(place)) => self.parts.place(*place),
            _ => None,
        };
        if let Some(variable) = variable.filter(|place| !place.is_one_of_many) {
            let taken = |handle: &Handle| match handle {
                Handle::Latest(site) | Handle::Older(site) | Handle::Taken(site) => Handle::Taken(*site),
                Handle::Null | Handle::Unknown => Handle::Null,
            };
            *state.memory.get_mut(variable.parts.start) = handles.iter().map(taken).collect();
        }
    }

    /// Checks a read or write of the records of a handle.
    fn used(&mut self, step: StepId, records: ValueId, state: &State) {
        if !self.reporting {
            return;
        }
        let handles = self.handles(records);
        self.check_merged(step, records);
        let finding = self.finding(FindingKind::UsedAfterCompletion, step);
        if let Some((site, by)) = self.surely_done(&handles, state) {
            if self.reported.insert(site) {
                self.flow.findings.push(finding.also(Label::Completed, self.at(by)));
            }
        } else if let Some(Handle::Taken(site)) = handles.first().filter(|_| is_taken(&handles)) {
            if self.reported.insert(*site) {
                let by = state.fates.get(*site).by.or_else(|| self.completes(*site));
                self.flow.findings.push(match by {
                    Some(by) => finding.also(Label::Completed, self.at(by)),
                    None => finding,
                });
            }
        } else if handles.len() == 1 && handles.contains(&Handle::Null) {
            let finding = Finding { kind: FindingKind::NullHandle, ..finding };
            self.flow.findings.push(finding);
        } else {
            self.suspect(records, &handles, state, true);
        }
    }

    /// Remembers handles that may be invalid, including null ones if `matters`.
    fn suspect(&mut self, records: ValueId, handles: &Handles, state: &State, matters: bool) {
        let may_fail = |handle: &Handle| match handle {
            Handle::Null | Handle::Taken(_) => matters,
            Handle::Latest(site) => state.fates.get(*site).done,
            Handle::Older(_) => true,
            Handle::Unknown => false,
        };
        if handles.iter().any(may_fail) {
            let variable = match self.tree.function.value(records).map(|v| &v.op) {
                Some(Op::Load(place)) => self.parts.place(*place).map(|place| place.parts.start),
                _ => None,
            };
            let site = |handle: &Handle| match handle {
                Handle::Latest(site) | Handle::Older(site) | Handle::Taken(site) => Some(*site),
                Handle::Null | Handle::Unknown => None,
            };
            self.flow.suspects.push((variable, handles.iter().filter_map(site).collect()));
        }
    }

    /// Returns a statement that completes the records of a call.
    fn completes(&self, site: SiteId) -> Option<StepId> {
        let touches =
            |handles: &Handles| handles.iter().any(|h| matches!(h, Handle::Latest(s) | Handle::Older(s) if *s == site));
        self.flow.completed.iter().filter(|(_, handles)| touches(handles)).map(|(step, _)| *step).min()
    }

    /// Returns the call if the handle refers to its latest records and all paths completed them, with a statement that
    /// did so.
    fn surely_done(&self, handles: &Handles, state: &State) -> Option<(SiteId, StepId)> {
        let [Handle::Latest(site)] = handles.iter().copied().collect::<Vec<_>>()[..] else { return None };
        let fate = *state.fates.get(site);
        Some((site, fate.by.filter(|_| fate.is_done())?))
    }

    /// Reports a handle that only some threads of a group have. The threads of a group must share one handle.
    fn check_merged(&mut self, step: StepId, records: ValueId) {
        let Some(&cause) = self.parted.get(&records) else { return };
        if self.reporting && self.reported_merges.insert(cause) {
            let level = self.decides(cause).map_or(UniformityLevel::Varying, |id| self.uniformity.level(id));
            let between = if level == UniformityLevel::Wave { VariesBetween::Waves } else { VariesBetween::Threads };
            let finding = self.finding(FindingKind::VaryingHandle, step).maybe(self.uniformity.may_be_one(level));
            let finding = finding.also(Label::Parts(between), self.at(cause));
            self.flow.findings.push(finding);
        }
    }

    /// Returns the value that an `If` or `Switch` decides by.
    fn decides(&self, step: StepId) -> Option<ValueId> {
        match self.tree.steps[step].stmt {
            Stmt::If { cond, .. } => Some(*cond),
            Stmt::Switch { selector, .. } => Some(*selector),
            _ => None,
        }
    }

    /// Returns whether all threads of a group make a call, or none.
    fn is_uniform(&self, site: SiteId) -> bool {
        let control = self.uniformity.control(self.flow.sites[site].step);
        control.is_some_and(|control| !control.level.parts_groups())
    }

    fn at(&self, step: StepId) -> Option<crate::Position> {
        self.tree.steps[step].at
    }

    fn finding(&self, kind: FindingKind, step: StepId) -> Finding {
        Finding::new(kind, self.at(step))
    }
}

fn is_taken(handles: &Handles) -> bool {
    !handles.is_empty() && handles.iter().all(|handle| matches!(handle, Handle::Taken(_)))
}
