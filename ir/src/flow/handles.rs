//! What handles to records refer to, and what has become of those records.
//!
//! A variable holds no handle, or one to the records that some call of the function gave: the latest that it gave, or
//! older ones of earlier turns of a loop. `Complete` takes the handle away from the variable that it is called on, as
//! the language has it; copies keep theirs. What is reported holds on all ways that lead to the statement.

use super::forward::{Forward, run};
use super::known::Level;
use super::parts::Parts;
use super::tree::{StepId, Tree};
use super::uniformity::Uniformity;
use super::{Finding, Kind, Label};
use crate::function::*;
use crate::types::Type;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// The n-th call that allocates records.
pub type SiteId = usize;

/// What a handle may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Handle {
    /// No handle: nothing was assigned.
    Null,
    /// No handle any more: this variable's was completed.
    Taken(SiteId),
    /// To what the call gave when it was last made.
    Latest(SiteId),
    /// To what the call gave at some time before that.
    Older(SiteId),
    /// Any.
    Unknown,
}

/// One of them, most often.
pub type Handles = BTreeSet<Handle>;

/// What may have become of the latest records of a call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Fate {
    /// There are none yet.
    none: bool,
    live: bool,
    done: bool,
    /// A statement that completed them.
    by: Option<StepId>,
}

impl Fate {
    const LIVE: Fate = Fate { none: false, live: true, done: false, by: None };

    fn is_live(self) -> bool {
        self.live && !self.done && !self.none
    }

    fn is_done(self) -> bool {
        self.done && !self.live && !self.none
    }
}

#[derive(Clone)]
pub struct State {
    /// By part of memory; nothing for those that hold no handles.
    memory: Vec<Handles>,
    /// The statement at which the threads parted of which only some have what is in memory.
    parted: Vec<Option<StepId>>,
    fates: Vec<Fate>,
}

/// A call that allocates records.
pub struct Site {
    pub step: StepId,
}

/// What was found out, for [`super::completion`].
pub struct HandleFlow {
    pub sites: Vec<Site>,
    pub findings: Vec<Finding>,
    /// What each `Complete` may be called on.
    pub completed: FxHashMap<StepId, Handles>,
    /// For blocks of a statement: the calls whose latest records are not completed for certain when control enters them.
    pub live_in: FxHashMap<(StepId, usize), Vec<SiteId>>,
    /// For loops that may begin anew: the calls whose records were surely not completed then, and are lost.
    pub lost: FxHashMap<StepId, Vec<SiteId>>,
    values: FxHashMap<ValueId, Handles>,
}

impl HandleFlow {
    /// `None` where there is nothing to follow, or too much.
    pub fn of(tree: &Tree<'_>, uniformity: &Uniformity) -> Option<HandleFlow> {
        let function = tree.function;
        let mut sites = Vec::new();
        let mut site_of = FxHashMap::default();
        let mut completes = false;
        for (step, at) in tree.steps.iter().enumerate() {
            match at.stmt {
                Stmt::Let(id) if matches!(function.value(*id), Some(Value { op: Op::Allocate { .. }, .. })) => {
                    site_of.insert(*id, sites.len());
                    sites.push(Site { step });
                }
                Stmt::Let(id) => {
                    completes |= matches!(function.value(*id), Some(Value { op: Op::OutputRecord { .. }, .. }))
                }
                Stmt::Complete(_) => completes = true,
                _ => {}
            }
        }
        if sites.is_empty() && !completes {
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
        let nothing = |holds: &bool| if *holds { Handles::from([Handle::Null]) } else { Handles::new() };
        let start = State {
            memory: holders.iter().map(nothing).collect(),
            parted: vec![None; parts.in_memory],
            fates: vec![none; sites.len()],
        };
        let flow = HandleFlow {
            sites,
            findings: Vec::new(),
            completed: FxHashMap::default(),
            live_in: FxHashMap::default(),
            lost: FxHashMap::default(),
            values: FxHashMap::default(),
        };
        let analysis = Analysis {
            tree,
            uniformity,
            parts,
            site_of,
            flow,
            parted: FxHashMap::default(),
            version: 0,
            reporting: false,
            reported: FxHashSet::default(),
            reported_merges: FxHashSet::default(),
        };
        Some(run(tree, analysis, start)?.flow)
    }

    /// What a handle may be.
    pub fn handles(&self, id: ValueId) -> Handles {
        self.values.get(&id).cloned().unwrap_or_default()
    }
}

/// Handles lie in variables of their own: what an aggregate of them holds is not followed.
fn is_handle(ty: &Type) -> bool {
    matches!(ty, Type::Records(_))
}

struct Analysis<'t, 'f> {
    tree: &'t Tree<'f>,
    uniformity: &'t Uniformity,
    parts: &'t Parts,
    site_of: FxHashMap<ValueId, SiteId>,
    flow: HandleFlow,
    version: usize,
    reporting: bool,
    /// Handles that only some threads were given, and where these parted from the others.
    parted: FxHashMap<ValueId, StepId>,
    /// Calls of which a wrong use was reported.
    reported: FxHashSet<SiteId>,
    reported_merges: FxHashSet<StepId>,
}

impl Forward for Analysis<'_, '_> {
    type State = State;

    fn join(&mut self, state: &mut State, other: &State) -> bool {
        let mut grew = false;
        for (handles, other) in state.memory.iter_mut().zip(&other.memory) {
            for handle in other {
                grew |= handles.insert(*handle);
            }
        }
        for (parted, other) in state.parted.iter_mut().zip(&other.parted) {
            grew |= parted.is_none() && other.is_some();
            *parted = parted.or(*other);
        }
        for (fate, other) in state.fates.iter_mut().zip(&other.fates) {
            let joined = Fate {
                none: fate.none || other.none,
                live: fate.live || other.live,
                done: fate.done || other.done,
                by: fate.by.into_iter().chain(other.by).min(),
            };
            grew |= *fate != joined;
            *fate = joined;
        }
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
                state.parted[part] = None;
                if to.is_one_of_many {
                    state.memory[part].extend(stored);
                } else {
                    state.memory[part].clone_from(stored);
                }
            }
            Stmt::Complete(records) => self.complete(step, *records, state),
            _ => {}
        }
    }

    fn arm(&mut self, step: StepId, arm: usize, state: &mut State) -> bool {
        let taken = self.uniformity.takes(self.tree, step, arm);
        if taken && self.reporting {
            self.flow.live_in.insert((step, arm), live(state));
        }
        taken
    }

    fn behind(&mut self, step: StepId, before: &State, after: &mut State) {
        let decides = match self.tree.steps[step].stmt {
            Stmt::If { cond, .. } => *cond,
            Stmt::Switch { selector, .. } => *selector,
            _ => return,
        };
        if self.uniformity.level(decides) < Level::Varying {
            return;
        }
        for (n, handles) in after.memory.iter().enumerate().filter(|(_, handles)| handles.len() > 1) {
            // Of records that only some threads asked for, that is the mistake.
            let is_other =
                |handle: &Handle| matches!(handle, Handle::Latest(s) | Handle::Older(s) if self.is_uniform(*s));
            if handles.difference(&before.memory[n]).any(is_other) {
                after.parted[n] = Some(step);
            }
        }
    }

    fn repeat(&mut self, step: StepId, state: &State) {
        if !self.reporting {
            return;
        }
        let is_kept = |site: SiteId| state.memory.iter().any(|handles| handles.contains(&Handle::Older(site)));
        let lost = live(state).into_iter().filter(|site| !is_kept(*site)).collect();
        self.flow.lost.insert(step, lost);
    }
}

/// The calls whose latest records are not completed, whatever way led here.
fn live(state: &State) -> Vec<SiteId> {
    state.fates.iter().enumerate().filter(|(_, fate)| fate.is_live()).map(|(site, _)| site).collect()
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
                Some(from) if !from.is_one_of_many => state.memory[from.parts.start].clone(),
                _ => Handles::from([Handle::Unknown]),
            },
            Op::Zero | Op::Undef => Handles::from([Handle::Null]),
            Op::Select { then, otherwise, .. } => of(then).chain(of(otherwise)).collect(),
            _ => Handles::from([Handle::Unknown]),
        };
        if let Op::Load(place) = &value.op
            && let Some(from) = self.parts.place(*place)
            && let Some(step) = state.parted[from.parts.start]
        {
            self.parted.insert(id, step);
        }
        // What an earlier visit found stays: the value is that of all turns of a loop.
        let known = self.flow.values.entry(id).or_default();
        for handle in new {
            self.version += usize::from(known.insert(handle));
        }
    }

    /// The call gives new records; the last ones become older.
    fn begin(&self, site: SiteId, state: &mut State) {
        for handles in &mut state.memory {
            if handles.remove(&Handle::Latest(site)) {
                handles.insert(Handle::Older(site));
            }
        }
        state.fates[site] = Fate::LIVE;
    }

    fn complete(&mut self, step: StepId, records: ValueId, state: &mut State) {
        let handles = self.handles(records);
        self.check_merged(step, records);
        if self.reporting {
            self.flow.completed.insert(step, handles.clone());
            if let Some((site, by)) = self.surely_done(&handles, state)
                && self.reported.insert(site)
            {
                let finding = self.finding(Kind::CompletedTwice, step);
                self.flow.findings.push(
                    finding
                        .also(Label::Completed, self.at(by))
                        .also(Label::Allocated, self.at(self.flow.sites[site].step)),
                );
            }
        }
        let is_certain = handles.len() == 1;
        for handle in &handles {
            match handle {
                Handle::Latest(site) => {
                    let fate = &mut state.fates[*site];
                    fate.done = true;
                    fate.by = fate.by.into_iter().chain([step]).min();
                    fate.live &= !is_certain;
                    fate.none &= !is_certain;
                }
                Handle::Unknown => state.fates.iter_mut().for_each(|fate| fate.done |= fate.live),
                Handle::Null | Handle::Taken(_) | Handle::Older(_) => {}
            }
        }
        // The variable has no handle any more.
        let variable = match self.tree.function.value(records).map(|v| &v.op) {
            Some(Op::Load(place)) => self.parts.place(*place),
            _ => None,
        };
        if let Some(variable) = variable.filter(|place| !place.is_one_of_many) {
            let taken = |handle: &Handle| match handle {
                Handle::Latest(site) | Handle::Older(site) | Handle::Taken(site) => Handle::Taken(*site),
                Handle::Null | Handle::Unknown => Handle::Null,
            };
            state.memory[variable.parts.start] = handles.iter().map(taken).collect();
        }
    }

    /// The records behind a handle are read or written.
    fn used(&mut self, step: StepId, records: ValueId, state: &State) {
        if !self.reporting {
            return;
        }
        let handles = self.handles(records);
        self.check_merged(step, records);
        let finding = self.finding(Kind::UsedAfterCompletion, step);
        if let Some((site, by)) = self.surely_done(&handles, state) {
            if self.reported.insert(site) {
                self.flow.findings.push(finding.also(Label::Completed, self.at(by)));
            }
        } else if let Some(Handle::Taken(site)) = handles.first().filter(|_| is_taken(&handles)) {
            if self.reported.insert(*site) {
                let by = state.fates[*site].by.or_else(|| self.completes(*site));
                self.flow.findings.push(match by {
                    Some(by) => finding.also(Label::Completed, self.at(by)),
                    None => finding,
                });
            }
        } else if handles.len() == 1 && handles.contains(&Handle::Null) {
            let finding = Finding { kind: Kind::NullHandle, ..finding };
            self.flow.findings.push(finding);
        }
    }

    /// A statement that completes the records of a call.
    fn completes(&self, site: SiteId) -> Option<StepId> {
        let touches =
            |handles: &Handles| handles.iter().any(|h| matches!(h, Handle::Latest(s) | Handle::Older(s) if *s == site));
        self.flow.completed.iter().filter(|(_, handles)| touches(handles)).map(|(step, _)| *step).min()
    }

    /// The call whose latest records the handle is, when they were completed on all ways, and a statement that did it.
    fn surely_done(&self, handles: &Handles, state: &State) -> Option<(SiteId, StepId)> {
        let [Handle::Latest(site)] = handles.iter().copied().collect::<Vec<_>>()[..] else { return None };
        let fate = state.fates[site];
        Some((site, fate.by.filter(|_| fate.is_done())?))
    }

    /// Threads of a group hold one handle: one that only some of them were given is not the same for all.
    fn check_merged(&mut self, step: StepId, records: ValueId) {
        let Some(&cause) = self.parted.get(&records) else { return };
        if self.reporting && self.reported_merges.insert(cause) {
            let finding = self.finding(Kind::VaryingHandle, step).also(Label::Parts, self.at(cause));
            self.flow.findings.push(finding);
        }
    }

    /// Whether a call is made by all threads of a group, or by none.
    fn is_uniform(&self, site: SiteId) -> bool {
        let control = self.uniformity.control(self.flow.sites[site].step);
        control.is_some_and(|control| control.level < Level::Varying)
    }

    fn at(&self, step: StepId) -> Option<crate::Position> {
        self.tree.steps[step].at
    }

    fn finding(&self, kind: Kind, step: StepId) -> Finding {
        Finding::new(kind, self.at(step))
    }
}

fn is_taken(handles: &Handles) -> bool {
    !handles.is_empty() && handles.iter().all(|handle| matches!(handle, Handle::Taken(_)))
}
