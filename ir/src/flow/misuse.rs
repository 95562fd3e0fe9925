//! Finds handles that are wrong on some paths only: null, or with records that are already completed, perhaps in an
//! earlier iteration. It also finds records that some path leaves incomplete.
//!
//! Handles in arrays are distinguished where their indexes are known on a path.
//!
//! [`handles`](super::handles) selects the variables and calls in question. Here they are followed along each
//! [`path`](super::paths), so that mutually exclusive conditions cause no false reports. Paths that depend on counters
//! produce no possible findings. The analysis cannot see, for example, that `c == 4` follows `c == 0` after four
//! iterations.

use super::completion::{BranchTaken, is_parted};
use super::handles::{HandleFlow, SiteId, is_handle};
use super::paths::{Follow, Path, follow_within};
use super::symbols::{Sym, Symbols};
use super::tree::{StepId, Tree};
use super::uniformity::Uniformity;
use super::{Finding, FindingKind, Label};
use crate::function::*;
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// The number of statements on all paths of all groups. Later groups are not followed.
const MAX_VISITS: usize = 1 << 18;

/// The state of a handle on one path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Status {
    Null,
    /// The variable's records were completed by a statement.
    Taken(SiteId, StepId),
    /// The latest records of the call.
    Latest(SiteId),
    /// Records of an earlier iteration that were completed through another copy.
    Stale(SiteId, StepId),
    /// Records of an earlier iteration that were not completed.
    Older(SiteId),
    /// Any handle that is followed here.
    Unknown,
    /// A handle that is not followed.
    Other,
}

/// The state of a call's latest records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fate {
    None,
    Live,
    Done(StepId),
}

/// The states on one path, by index in [`Group`].
#[derive(Clone)]
struct HandleState {
    variables: Vec<Status>,
    fates: Vec<Fate>,
    /// The loaded handles.
    values: FxHashMap<ValueId, Status>,
    /// A condition on a counter led here.
    is_counted: bool,
}

/// Variables and calls that may affect each other.
struct Group {
    /// The parts of memory, in order.
    variables: Vec<usize>,
    sites: Vec<SiteId>,
    /// For each statement: variables that are not used after it.
    ends: FxHashMap<StepId, Vec<usize>>,
}

/// A finding at a statement.
struct WrongUse {
    kind: FindingKind,
    site: Option<SiteId>,
    by: Option<StepId>,
    is_sure: bool,
    /// Only paths with conditions on counters lead to it.
    is_counted: bool,
}

struct Misuse<'a, 'f> {
    tree: &'a Tree<'f>,
    uniformity: &'a Uniformity,
    group: &'a Group,
    site_of: &'a FxHashMap<StepId, SiteId>,
    wrong: BTreeMap<StepId, WrongUse>,
    /// Statements that are correct on some path.
    right: BTreeSet<StepId>,
    /// Calls whose records are not completed on some path, with the last condition of that path.
    open: BTreeMap<SiteId, Option<(StepId, usize)>>,
    /// Calls whose records some path completes.
    completed: BTreeSet<SiteId>,
}

/// Reports misuse on some paths. `reported_sites` has the calls whose records were already reported as never completed.
pub fn check(
    tree: &Tree<'_>,
    flow: &HandleFlow,
    uniformity: &Uniformity,
    mut reported_sites: BTreeSet<SiteId>,
    out: &mut Vec<Finding>,
) {
    let at_end = flow.open.union(&flow.left);
    let open: Vec<SiteId> = at_end.filter(|site| !reported_sites.contains(site)).copied().collect();
    if flow.suspects.is_empty() && open.is_empty() {
        return;
    }
    let site_of = flow.sites.iter().enumerate().map(|(n, site)| (site.step, n)).collect();
    let mut visits = MAX_VISITS;
    let reported = |sites: &[SiteId]| !sites.is_empty() && sites.iter().all(|site| flow.reported.contains(site));
    for group in groups(tree, flow, uniformity, &open).iter().filter(|group| !reported(&group.sites)) {
        let make = || Misuse {
            tree,
            uniformity,
            group,
            site_of: &site_of,
            wrong: BTreeMap::new(),
            right: BTreeSet::new(),
            open: BTreeMap::new(),
            completed: BTreeSet::new(),
        };
        let start = HandleState {
            variables: vec![Status::Null; group.variables.len()],
            fates: vec![Fate::None; group.sites.len()],
            values: FxHashMap::default(),
            is_counted: false,
        };
        let Some(found) = follow_within(&mut visits, tree, uniformity, make, &start) else { continue };
        let mut used = BTreeSet::new();
        let known: BTreeSet<_> =
            flow.findings.iter().filter_map(|finding| finding.at).map(|at| (at.scope, at.token)).collect();
        let is_news = |(step, seen): &(&StepId, &WrongUse)| {
            let is_known = tree.steps[**step].at.is_some_and(|at| known.contains(&(at.scope, at.token)));
            !is_known && seen.site.is_none_or(|site| !flow.reported.contains(&site))
        };
        let is_certain = |step: &StepId, seen: &WrongUse| seen.is_sure || !found.right.contains(step);
        // If the same records have several mistakes, a certain one is reported, otherwise the first.
        let is_reported = |(step, seen): &(&StepId, &WrongUse)| !seen.is_counted || is_certain(step, seen);
        let mut wrong: Vec<(&StepId, &WrongUse)> = found.wrong.iter().filter(is_news).filter(is_reported).collect();
        wrong.sort_by_key(|(step, seen)| (!is_certain(step, seen), **step));
        for (step, seen) in wrong {
            if !used.insert(seen.site) {
                continue;
            }
            let finding = Finding::new(seen.kind.clone(), tree.steps[*step].at);
            let mut finding = finding.maybe(!is_certain(step, seen));
            if let Some(by) = seen.by {
                let label = if by < *step { Label::Completed } else { Label::CompletedBefore };
                finding = finding.also(label, tree.steps[by].at);
            }
            if let (FindingKind::CompletedTwice, Some(site)) = (&seen.kind, seen.site) {
                finding = finding.also(Label::Allocated, tree.steps[flow.sites[site].step].at);
            }
            out.push(finding);
        }
        for (site, by) in found.open {
            let step = flow.sites[site].step;
            let is_parting = |by: &(StepId, usize)| is_parted(tree, flow, uniformity, site, by.0);
            let finding = |kind: FindingKind| Finding::new(kind, tree.steps[step].at);
            let around = tree.steps[step].innermost_loop.map(|n| tree.steps[tree.loops[n].0].at);
            let new = match (by, around) {
                // If the records are also misused, only the misuse is reported.
                _ if used.contains(&Some(site)) || reported_sites.contains(&site) => None,
                (Some(by), _) => Some(by).filter(|by| flow.open.contains(&site) && !is_parting(by)).map(|by| {
                    let kind = FindingKind::NotCompleted(BranchTaken::of(tree, by.0, by.1));
                    finding(kind).also(Label::Branch, tree.steps[by.0].at)
                }),
                // No condition leads there, so it is certain.
                (None, _) if !found.completed.contains(&site) => Some(finding(FindingKind::NeverCompleted)),
                (None, Some(repeated)) => {
                    Some(finding(FindingKind::LastIterationNotCompleted).also(Label::RepeatedLoop, repeated))
                }
                (None, None) => None,
            };
            if let Some(new) = new {
                reported_sites.insert(site);
                out.push(new);
            }
        }
    }
}

/// Returns the groups with possible mistakes.
fn groups(tree: &Tree<'_>, flow: &HandleFlow, uniformity: &Uniformity, open: &[SiteId]) -> Vec<Group> {
    // Calls come first, then parts of memory.
    let first = flow.sites.len();
    let mut parents: Vec<usize> = (0..first + uniformity.parts().in_memory).collect();
    fn root(parents: &mut [usize], mut at: usize) -> usize {
        while parents[at] != at {
            parents[at] = parents[parents[at]];
            at = parents[at];
        }
        at
    }
    let unite = |parents: &mut Vec<usize>, a: usize, b: usize| {
        let (a, b) = (root(parents, a), root(parents, b));
        parents[a.max(b)] = a.min(b);
    };
    for (site, parts) in flow.held_by.iter().enumerate() {
        parts.iter().for_each(|part| unite(&mut parents, site, first + part));
    }
    let mut meant = BTreeSet::new();
    for (variable, sites) in &flow.suspects {
        let all: Vec<usize> = sites.iter().copied().chain(variable.map(|part| first + part)).collect();
        all.windows(2).for_each(|pair| unite(&mut parents, pair[0], pair[1]));
        meant.extend(all.first());
    }
    meant.extend(open);
    // A place with a variable index may be each element of the array.
    for value in tree.function.values.iter().map(|(id, _)| id) {
        let parts = elements(tree, uniformity, value);
        parts.windows(2).for_each(|pair| unite(&mut parents, first + pair[0], first + pair[1]));
    }
    let meant: BTreeSet<usize> = meant.into_iter().map(|at| root(&mut parents, at)).collect();
    let mentions = mentions(tree, uniformity);
    let mut groups: BTreeMap<usize, Group> = BTreeMap::new();
    for at in meant {
        let ends = FxHashMap::default();
        groups.insert(at, Group { variables: Vec::new(), sites: Vec::new(), ends });
    }
    for site in 0..first {
        if let Some(group) = groups.get_mut(&root(&mut parents, site)) {
            group.sites.push(site);
        }
    }
    for (part, mentions) in &mentions {
        let Some(group) = groups.get_mut(&root(&mut parents, first + part)) else { continue };
        if let Some(end) = end(tree, mentions) {
            group.ends.entry(end).or_default().push(group.variables.len());
        }
        group.variables.push(*part);
    }
    groups.into_values().collect()
}

/// Returns the parts of memory that a place with a handle may be.
fn elements(tree: &Tree<'_>, uniformity: &Uniformity, place: ValueId) -> Vec<usize> {
    let is_held = tree.function.type_of(place).and_then(|ty| ty.pointee()).is_some_and(is_handle);
    let place = uniformity.parts().place(place).filter(|_| is_held);
    place.map(|place| place.each().map(|parts| parts.start).collect()).unwrap_or_default()
}

/// Finds the statements that fill (true) or read each part of memory with a handle, and those that use the read
/// handles.
fn mentions(tree: &Tree<'_>, uniformity: &Uniformity) -> BTreeMap<usize, Vec<(StepId, bool)>> {
    let held_at = |place: ValueId| elements(tree, uniformity, place);
    let mut mentions: BTreeMap<usize, Vec<(StepId, bool)>> = BTreeMap::new();
    let mut read: FxHashMap<ValueId, Vec<usize>> = FxHashMap::default();
    for step in 0..tree.steps.len() {
        let mut used = Vec::new();
        match (tree.steps[step].stmt, tree.op(step)) {
            (Stmt::Store { place, value }, _) => {
                used.push(*value);
                let parts = held_at(*place);
                for part in &parts {
                    mentions.entry(*part).or_default().push((step, parts.len() == 1));
                }
            }
            (Stmt::Let(id), Some(Op::Load(place))) => {
                let parts = held_at(*place);
                for part in &parts {
                    mentions.entry(*part).or_default().push((step, false));
                }
                read.insert(*id, parts);
            }
            (_, Some(Op::OutputRecord { records, .. })) => used.push(*records),
            (_, Some(Op::Select { then, otherwise, .. })) => used.extend([*then, *otherwise]),
            (Stmt::Complete(records), _) => used.push(*records),
            (Stmt::Barrier(Barrier { records: Some(records), .. }), _) => used.push(*records),
            _ => {}
        }
        for part in used.iter().filter_map(|id| read.get(id)).flatten() {
            mentions.entry(*part).or_default().push((step, false));
        }
    }
    mentions
}

/// Returns the statement after which a variable is not used, if the next iteration of a loop starts by filling it.
fn end(tree: &Tree<'_>, mentions: &[(StepId, bool)]) -> Option<StepId> {
    let (&(first, is_store), &(last, _)) = (mentions.first()?, mentions.last()?);
    let mut block = &tree.body;
    loop {
        // The enclosing statement is the last one that starts before it.
        let around = |step: StepId| block[..block.partition_point(|at| *at <= step)].last().copied();
        let (begin, end) = (around(first)?, around(last)?);
        let inner = tree.steps[begin].blocks.iter().find(|inner| {
            inner.first().is_some_and(|at| *at <= first) && inner.last().is_some_and(|at| last <= tree.steps[*at].last)
        });
        match inner {
            Some(inner) if begin == end => block = inner,
            _ => {
                let is_filled = begin == first && is_store;
                return (is_filled || tree.steps[begin].innermost_loop.is_none()).then_some(end);
            }
        }
    }
}

impl Follow for Misuse<'_, '_> {
    type Own = HandleState;

    fn meet(&mut self, own: &mut HandleState, other: &HandleState) -> Option<bool> {
        let alike = |pair: (&Status, &Status)| match pair {
            (Status::Taken(..), Status::Taken(..)) => true,
            (Status::Stale(a, _), Status::Stale(b, _)) => a == b,
            (a, b) => a == b,
        };
        let fate = |pair: (&Fate, &Fate)| matches!(pair, (Fate::Done(_), Fate::Done(_))) || pair.0 == pair.1;
        let is_alike =
            own.variables.iter().zip(&other.variables).all(alike) && own.fates.iter().zip(&other.fates).all(fate);
        if !is_alike {
            return None;
        }
        own.values.retain(|id, status| other.values.get(id).is_some_and(|other| alike((status, other))));
        let is_news = other.is_counted && !own.is_counted;
        own.is_counted |= other.is_counted;
        Some(is_news)
    }

    fn at(&mut self, step: StepId, path: &mut Path<HandleState>, symbols: &Symbols) {
        let function = self.tree.function;
        match self.tree.steps[step].stmt {
            Stmt::Let(id) => {
                let Some(value) = function.value(*id) else { return };
                let new = match &value.op {
                    Op::OutputRecord { records, .. } => return self.used(step, *records, path),
                    Op::Allocate { .. } => match self.site_of.get(&step).and_then(|site| self.site(*site)) {
                        Some(n) => {
                            renew(self.group.sites[n], n, &mut path.own);
                            Status::Latest(self.group.sites[n])
                        }
                        None => return,
                    },
                    _ if !is_handle(&value.ty) => return,
                    Op::Load(place) => match self.variables(*place, path, symbols)[..] {
                        [] => return,
                        [n] => path.own.variables[n],
                        _ => Status::Unknown,
                    },
                    Op::Zero | Op::Undef => Status::Null,
                    Op::Select { then, otherwise, .. } => {
                        let (a, b) = (self.status(*then, path), self.status(*otherwise, path));
                        if a == b { a } else { Status::Unknown }
                    }
                    _ => Status::Unknown,
                };
                path.own.values.insert(*id, new);
            }
            Stmt::Store { place, value } => match self.variables(*place, path, symbols)[..] {
                [n] => path.own.variables[n] = self.status(*value, path),
                ref all => {
                    all.iter().for_each(|n| path.own.variables[*n] = Status::Unknown);
                    if let (Status::Latest(site), false) = (self.status(*value, path), all.is_empty()) {
                        self.forget(site, path);
                    }
                }
            },
            Stmt::Complete(records) => self.complete(step, *records, path, symbols),
            Stmt::Barrier(Barrier { records: Some(records), .. }) => self.used(step, *records, path),
            _ => {}
        }
    }

    fn chosen(&mut self, (step, _): (StepId, usize), cond: Option<Sym>, own: &mut HandleState, symbols: &Symbols) {
        // A loop may or may not have another iteration, so both answers occur.
        let stmt = self.tree.steps[step].stmt;
        let breaks = |block: &Block| matches!(block.as_slice(), [Stmt::Break(_)]);
        let ends_turns = matches!(stmt, Stmt::Loop { .. })
            || matches!(stmt, Stmt::If { then, otherwise, .. } if breaks(then) || breaks(otherwise));
        own.is_counted |= !ends_turns && cond.is_none_or(|cond| symbols.is_counted(cond));
    }

    fn end(&mut self, path: &Path<HandleState>) {
        if path.own.is_counted {
            return;
        }
        for (n, fate) in path.own.fates.iter().enumerate() {
            if *fate == Fate::Live {
                let by = self.open.entry(self.group.sites[n]).or_insert(path.by);
                *by = by.or(path.by);
            }
        }
    }

    fn after(&mut self, step: StepId, own: &mut HandleState) -> bool {
        let Some(ended) = self.group.ends.get(&step) else { return false };
        for &n in ended {
            own.variables[n] = Status::Null;
        }
        for (n, site) in self.group.sites.iter().enumerate() {
            // Completed records without a variable need not be followed.
            if matches!(own.fates[n], Fate::Done(_)) && !own.variables.contains(&Status::Latest(*site)) {
                own.fates[n] = Fate::None;
                own.values.retain(|_, status| status != &Status::Latest(*site));
            }
        }
        true
    }
}

/// Starts new records of a call, which makes the last ones older.
fn renew(site: SiteId, n: usize, own: &mut HandleState) {
    let older = match own.fates[n] {
        Fate::Done(by) => Status::Stale(site, by),
        Fate::Live => Status::Older(site),
        Fate::None => Status::Unknown,
    };
    for status in own.variables.iter_mut().chain(own.values.values_mut()) {
        if *status == Status::Latest(site) {
            *status = older;
        }
    }
    own.fates[n] = Fate::Live;
}

impl Misuse<'_, '_> {
    fn site(&self, site: SiteId) -> Option<usize> {
        self.group.sites.binary_search(&site).ok()
    }

    /// Returns the variables that a place may be.
    fn variables(&self, place: ValueId, path: &Path<HandleState>, symbols: &Symbols) -> Vec<usize> {
        let parts = elements(self.tree, self.uniformity, place);
        let all = parts.iter().filter_map(|part| self.group.variables.binary_search(part).ok()).collect();
        if parts.len() < 2 {
            return all;
        }
        let Some(Op::Index { base, index }) = self.tree.function.value(place).map(|value| &value.op) else {
            return all;
        };
        let is_one = self.uniformity.parts().place(*base).is_some_and(|base| !base.is_one_of_many);
        let index = path.number(symbols, self.uniformity, *index).filter(|_| is_one);
        match index.and_then(|index| all.get(usize::try_from(index.bits).ok()?)) {
            Some(only) if all.len() == parts.len() => vec![*only],
            _ => all,
        }
    }

    fn status(&self, id: ValueId, path: &Path<HandleState>) -> Status {
        path.own.values.get(&id).copied().unwrap_or(Status::Other)
    }

    fn fate(&self, site: SiteId, path: &Path<HandleState>) -> Option<Fate> {
        Some(path.own.fates[self.site(site)?])
    }

    /// Returns completed records and the statement that completed them.
    fn done(&self, status: Status, path: &Path<HandleState>) -> Option<(SiteId, StepId)> {
        match status {
            Status::Stale(site, by) => Some((site, by)),
            Status::Latest(site) => match self.fate(site, path)? {
                Fate::Done(by) => Some((site, by)),
                Fate::None | Fate::Live => None,
            },
            Status::Null | Status::Taken(..) | Status::Older(_) | Status::Unknown | Status::Other => None,
        }
    }

    /// Stops following the records of a call.
    fn forget(&mut self, site: SiteId, path: &mut Path<HandleState>) {
        self.completed.insert(site);
        if let Some(n) = self.site(site).filter(|n| path.own.fates[*n] == Fate::Live) {
            path.own.fates[n] = Fate::None;
        }
    }

    fn see(&mut self, step: StepId, kind: FindingKind, from: Option<(SiteId, StepId)>, path: &Path<HandleState>) {
        let (site, by) = (from.map(|(site, _)| site), from.map(|(_, by)| by));
        let new = WrongUse { kind, site, by, is_sure: path.is_sure, is_counted: path.own.is_counted };
        match self.wrong.get_mut(&step) {
            Some(seen) => {
                seen.is_sure |= new.is_sure;
                seen.is_counted &= new.is_counted;
                // A completion is more specific than a missing handle.
                if seen.site.is_none() && new.site.is_some() {
                    *seen = WrongUse { is_sure: seen.is_sure, is_counted: seen.is_counted, ..new };
                }
            }
            None => drop(self.wrong.insert(step, new)),
        }
    }

    fn used(&mut self, step: StepId, records: ValueId, path: &Path<HandleState>) {
        let status = self.status(records, path);
        match (status, self.done(status, path)) {
            (Status::Null, _) => self.see(step, FindingKind::NullHandle, None, path),
            (Status::Taken(site, by), _) | (_, Some((site, by))) => {
                self.see(step, FindingKind::UsedAfterCompletion, Some((site, by)), path);
            }
            _ => drop(self.right.insert(step)),
        }
    }

    fn complete(&mut self, step: StepId, records: ValueId, path: &mut Path<HandleState>, symbols: &Symbols) {
        let status = self.status(records, path);
        match status {
            Status::Latest(site) | Status::Older(site) => drop(self.completed.insert(site)),
            // The handle may belong to any call, so the set of open records becomes unknown.
            Status::Unknown => {
                self.group.sites.iter().for_each(|site| self.forget(*site, path));
                for status in &mut path.own.variables {
                    if matches!(status, Status::Latest(_) | Status::Older(_)) {
                        *status = Status::Unknown;
                    }
                }
            }
            _ => {}
        }
        match (status, self.done(status, path)) {
            (_, Some(done)) => self.see(step, FindingKind::CompletedTwice, Some(done), path),
            (Status::Latest(site), None) => {
                self.right.insert(step);
                if let Some(n) = self.site(site) {
                    path.own.fates[n] = Fate::Done(step);
                    // The following statements run for certain after it.
                    path.is_sure = true;
                }
            }
            _ => drop(self.right.insert(step)),
        }
        let taken = match status {
            Status::Latest(site) | Status::Stale(site, _) => Status::Taken(site, step),
            Status::Taken(..) => status,
            Status::Older(site) => Status::Taken(site, step),
            Status::Null | Status::Unknown | Status::Other => Status::Null,
        };
        if let Some(Op::Load(place)) = self.tree.function.value(records).map(|value| &value.op)
            && let [n] = self.variables(*place, path, symbols)[..]
        {
            path.own.variables[n] = taken;
        }
    }
}
