//! Finds records that are never completed.
//!
//! The analysis runs backwards from the ends of the function. For each statement it computes the calls whose records
//! are still completed on some path from there. A path loses the records of a call for certain if they are not
//! completed on entry to a block, on any path, and never afterwards. Correlated conditions cause no false reports:
//! after a condition that may also be false, nothing is certain.

use super::handles::{Handle, HandleFlow, SiteId};
use super::reached::Reached;
use super::reexecuted::reexecuted;
use super::shared::Shared;
use super::tree::{StepId, Tree};
use super::uniformity::Uniformity;
use super::{Finding, FindingKind, Label};
use crate::function::{Op, ScalarConst, Stmt, Value};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// The records of a call that are completed later.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Completed {
    latest: bool,
    older: bool,
}

/// For each call, the records that are completed later.
type LaterCompletions = Shared<Completed>;

/// Adds the records that another path completes. Returns whether any are new.
fn add(to: &mut LaterCompletions, other: &LaterCompletions) -> bool {
    to.join(other, &mut |own: &Completed, other: &Completed| {
        let both = Completed { latest: own.latest || other.latest, older: own.older || other.older };
        (both != *own).then_some(both)
    })
}

fn is_same(a: &LaterCompletions, b: &LaterCompletions) -> bool {
    let mut same = true;
    a.differences(b, &mut |_, a, b| same &= a == b);
    same
}

/// Reports records that are never completed. Returns the calls whose records were reported.
pub fn check<'r>(
    tree: &Tree<'_>,
    flow: &HandleFlow,
    uniformity: &Uniformity,
    reached: &dyn Fn() -> Option<&'r Reached>,
    out: &mut Vec<Finding>,
) -> BTreeSet<SiteId> {
    let mut backward = Backward {
        tree,
        flow,
        site_of: flow.sites.iter().enumerate().map(|(n, site)| (site.step, n)).collect(),
        later_in: FxHashMap::default(),
        nothing: LaterCompletions::filled(flow.sites.len(), Completed::default()),
        never: BTreeSet::new(),
        frames: Vec::new(),
        loops: FxHashMap::default(),
    };
    backward.block(&tree.body, backward.nothing.clone());
    let Backward { later_in, never, .. } = backward;
    let mut reported_sites = BTreeSet::new();
    for site in never {
        let step = flow.sites[site].step;
        // Unreachable code allocates nothing.
        if uniformity.control(step).is_some() && reported_sites.insert(site) {
            out.push(Finding::new(FindingKind::NeverCompleted, tree.steps[step].at));
        }
    }
    let completing = completing(flow);
    reported_sites.extend(last_turns(tree, flow, uniformity, &completing, &reported_sites, out));
    let mut entered: Vec<(StepId, usize)> = flow.entered.keys().copied().collect();
    entered.sort_unstable();
    for arms in entered.chunk_by(|(a, _), (b, _)| a == b) {
        let later = |arm: &(StepId, usize)| later_in.get(arm);
        // The records that any of these paths completes. Records that one path leaves open are completed on another.
        let mut any: Option<LaterCompletions> = None;
        for later in arms.iter().filter_map(later) {
            match &mut any {
                Some(any) => drop(add(any, later)),
                None => any = Some(later.clone()),
            }
        }
        let Some(any) = any else { continue };
        let is_there = |arm: &(StepId, usize)| reached().is_none_or(|reached| reached.has_arm(tree, arm.0, arm.1));
        for arm in arms {
            let mut lost = Vec::new();
            let (Some(here), Some(fates)) = (later_in.get(arm), flow.entered.get(arm)) else { continue };
            here.differences(&any, &mut |site, here, any| {
                if any.latest && !here.latest && fates.get(site).is_live() {
                    lost.push(site);
                }
            });
            lost.retain(|site| !is_parted(tree, flow, uniformity, *site, arm.0));
            if lost.is_empty() || !is_there(arm) {
                continue;
            }
            for site in lost.into_iter().filter(|site| reported_sites.insert(*site)) {
                let kind = FindingKind::NotCompleted(BranchTaken::of(tree, arm.0, arm.1));
                let at = tree.steps[flow.sites[site].step].at;
                out.push(Finding::new(kind, at).also(Label::Branch, tree.steps[arm.0].at));
            }
        }
    }
    let mut loops: Vec<_> = flow.lost.iter().collect();
    loops.sort_unstable();
    let calls = loops.iter().flat_map(|(_, sites)| sites.iter().map(|site| flow.sites[*site].step)).collect();
    let repeated = reexecuted(tree, uniformity, &calls);
    for (number, sites) in loops {
        let (step, _) = tree.loops[*number];
        for &site in sites.iter().filter(|site| repeated.contains(&flow.sites[**site].step)) {
            let own_or_any = [Some(site), None].into_iter();
            let mut completes = own_or_any.filter_map(|site| completing.get(&site)).flatten();
            let is_completed = completes.any(|c| step < *c && *c <= tree.steps[step].last);
            if !is_completed && reported_sites.insert(site) {
                let at = tree.steps[flow.sites[site].step].at;
                out.push(Finding::new(FindingKind::LostInLoop, at).also(Label::Branch, tree.steps[step].at));
            }
        }
    }
    reported_sites
}

/// The statements that complete the records of a call, or of any call for `None`.
type Completing = FxHashMap<Option<SiteId>, Vec<StepId>>;

fn completing(flow: &HandleFlow) -> Completing {
    let mut completing = Completing::default();
    for (step, handles) in &flow.completed {
        for handle in handles {
            match handle {
                Handle::Latest(site) | Handle::Older(site) => completing.entry(Some(*site)).or_default().push(*step),
                Handle::Unknown => completing.entry(None).or_default().push(*step),
                Handle::Null | Handle::Taken(_) => {}
            }
        }
    }
    completing
}

/// Finds records that each iteration of a loop leaves to the next one, and that the last iteration leaves open. The
/// only variable that ever holds them has a handle for certain when the node ends.
fn last_turns(
    tree: &Tree<'_>,
    flow: &HandleFlow,
    uniformity: &Uniformity,
    completing: &Completing,
    reported_sites: &BTreeSet<SiteId>,
    out: &mut Vec<Finding>,
) -> BTreeSet<SiteId> {
    let mut found = BTreeSet::new();
    if completing.contains_key(&None) {
        return found;
    }
    for (part, sites) in &flow.kept {
        let is_own = |site: &SiteId| flow.held_by[*site].iter().eq([part]);
        let is_known = |site: &SiteId| reported_sites.contains(site) || found.contains(site);
        if !sites.iter().all(is_own) || sites.iter().any(is_known) {
            continue;
        }
        // The completion precedes the call, so only another iteration reaches it.
        let is_of_turns = |site: &&SiteId| {
            let step = flow.sites[**site].step;
            let by = completing.get(&Some(**site)).map_or(&[][..], Vec::as_slice);
            !by.is_empty() && by.iter().all(|by| *by < step && uniformity.parted(*by).is_none())
        };
        let Some(site) = sites.iter().rev().find(is_of_turns) else { continue };
        let step = flow.sites[*site].step;
        let Some((around, _)) = tree.steps[step].innermost_loop.map(|n| tree.loops[n]) else { continue };
        let finding = Finding::new(FindingKind::LastIterationNotCompleted, tree.steps[step].at);
        out.push(finding.also(Label::RepeatedLoop, tree.steps[around].at));
        found.extend(sites);
    }
    found
}

/// Returns whether threads diverge at a statement and only some of them complete the records of a call. The divergence
/// is the mistake then.
pub fn is_parted(tree: &Tree<'_>, flow: &HandleFlow, uniformity: &Uniformity, site: SiteId, step: StepId) -> bool {
    let decides = match tree.steps[step].stmt {
        Stmt::If { cond, .. } | Stmt::Loop { break_if: Some(cond), .. } => *cond,
        Stmt::Switch { selector, .. } => *selector,
        _ => return false,
    };
    let is_own = |handle: &Handle| matches!(handle, Handle::Latest(s) | Handle::Older(s) if *s == site);
    let mut completing = flow.completed.iter().filter(|(_, handles)| handles.iter().any(is_own));
    uniformity.level(decides).parts_groups() && completing.any(|(step, _)| uniformity.parted(*step).is_some())
}

/// The direction that control takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BranchTaken {
    /// The condition is true or false.
    If(bool),
    /// Into the switch case with this first label.
    Case(i64),
    /// Into none of the labelled cases.
    Default,
    /// Out of a loop at its end (`true`), or into the next iteration.
    Loop(bool),
}

impl BranchTaken {
    pub(super) fn of(tree: &Tree<'_>, step: StepId, arm: usize) -> BranchTaken {
        match tree.steps[step].stmt {
            Stmt::Switch { selector, cases, .. } => {
                let scalar = tree.function.type_of(*selector).and_then(|ty| ty.scalar());
                let number = |label: &i64| match scalar {
                    Some(ty) if ty.is_signed() => ScalarConst::new(ty, *label as u64).as_i64(),
                    _ => *label,
                };
                cases
                    .get(arm)
                    .and_then(|case| case.labels.first())
                    .map_or(BranchTaken::Default, |l| BranchTaken::Case(number(l)))
            }
            Stmt::Loop { .. } => BranchTaken::Loop(arm == 0),
            _ => BranchTaken::If(arm == 0),
        }
    }
}

struct Backward<'t, 'f> {
    tree: &'t Tree<'f>,
    flow: &'t HandleFlow,
    site_of: FxHashMap<StepId, SiteId>,
    /// The state at the start of blocks, as in [`HandleFlow::entered`].
    later_in: FxHashMap<(StepId, usize), LaterCompletions>,
    /// The state in which nothing is completed later.
    nothing: LaterCompletions,
    /// Calls whose records no path completes.
    never: BTreeSet<SiteId>,
    frames: Vec<Frame>,
    loops: FxHashMap<StepId, Settled>,
}

/// The states at the targets of jumps.
struct Frame {
    after: LaterCompletions,
    /// The state at the next iteration of a loop.
    next: Option<LaterCompletions>,
}

struct Settled {
    exit: LaterCompletions,
    head: LaterCompletions,
}

impl Backward<'_, '_> {
    /// Returns the state at the start of the statements.
    fn block(&mut self, steps: &[StepId], mut later: LaterCompletions) -> LaterCompletions {
        for &step in steps.iter().rev() {
            later = self.step(step, later);
        }
        later
    }

    fn enter(&mut self, step: StepId, arm: usize, later: &LaterCompletions) {
        self.later_in.insert((step, arm), later.clone());
    }

    fn step(&mut self, step: StepId, mut later: LaterCompletions) -> LaterCompletions {
        let tree = self.tree;
        let at = &tree.steps[step];
        match at.stmt {
            Stmt::If { .. } => self.arms(step, &later),
            Stmt::Switch { .. } => {
                self.frames.push(Frame { after: later.clone(), next: None });
                let before = self.arms(step, &later);
                self.frames.pop();
                before
            }
            Stmt::Loop { .. } => self.repeated(step, later),
            Stmt::Break(_) => self.frames.last().map_or(&self.nothing, |frame| &frame.after).clone(),
            Stmt::Continue(_) => {
                let next = self.frames.iter().rev().find_map(|frame| frame.next.as_ref());
                next.unwrap_or(&self.nothing).clone()
            }
            Stmt::Return(_) => self.nothing.clone(),
            Stmt::Complete(_) => {
                for handle in self.flow.completed.get(&step).into_iter().flatten() {
                    match handle {
                        Handle::Latest(site) => later.get_mut(*site).latest = true,
                        Handle::Older(site) => later.get_mut(*site).older = true,
                        Handle::Unknown => {
                            later = LaterCompletions::filled(
                                self.flow.sites.len(),
                                Completed { latest: true, older: true },
                            );
                        }
                        Handle::Null | Handle::Taken(_) => {}
                    }
                }
                later
            }
            Stmt::Let(id) => {
                let is_allocation = matches!(tree.function.value(*id), Some(Value { op: Op::Allocate { .. }, .. }));
                if let Some(&site) = self.site_of.get(&step).filter(|_| is_allocation) {
                    let completed = later.get_mut(site);
                    if completed.latest || completed.older {
                        self.never.remove(&site);
                    } else {
                        self.never.insert(site);
                    }
                    // A record that is older after the call was the latest before it.
                    completed.latest = completed.older;
                }
                later
            }
            _ => later,
        }
    }

    fn arms(&mut self, step: StepId, later: &LaterCompletions) -> LaterCompletions {
        let tree = self.tree;
        let mut before = self.nothing.clone();
        for (arm, block) in tree.steps[step].blocks.iter().enumerate() {
            let inside = self.block(block, later.clone());
            self.enter(step, arm, &inside);
            if arm == 0 {
                before = inside;
            } else {
                add(&mut before, &inside);
            }
        }
        before
    }

    fn repeated(&mut self, step: StepId, exit: LaterCompletions) -> LaterCompletions {
        let tree = self.tree;
        let [body, continuing] = &tree.steps[step].blocks[..] else { return exit };
        let decides = matches!(tree.steps[step].stmt, Stmt::Loop { break_if: Some(_), .. });
        let mut head = self.nothing.clone();
        if let Some(settled) = self.loops.get(&step) {
            if is_same(&settled.exit, &exit) {
                return settled.head.clone();
            }
            head = settled.head.clone();
        }
        loop {
            let mut end = head.clone();
            if decides {
                self.enter(step, 0, &exit);
                self.enter(step, 1, &head);
                add(&mut end, &exit);
            }
            let next = self.block(continuing, end);
            self.frames.push(Frame { after: exit.clone(), next: Some(next.clone()) });
            let begin = self.block(body, next);
            self.frames.pop();
            if !add(&mut head, &begin) {
                self.loops.insert(step, Settled { exit, head: head.clone() });
                return head;
            }
        }
    }
}
