//! Records that nobody completes.
//!
//! Backwards from the ends of the function: whose records are still completed on some way from a statement on. Where the
//! records of a call are not completed when control enters a block, whatever way it came, and from there on never are,
//! that way loses them for certain. Conditions that happen to hold together do no harm: behind a condition that may
//! have been otherwise nothing is certain.

use super::handles::{Handle, HandleFlow, SiteId};
use super::tree::{StepId, Tree};
use super::uniformity::Uniformity;
use super::{Finding, Kind, Label};
use crate::function::{Op, Stmt, Value};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// Calls whose records are completed later: the latest ones (`true`), or older ones.
type Later = BTreeSet<(SiteId, bool)>;

pub fn check(tree: &Tree<'_>, flow: &HandleFlow, uniformity: &Uniformity, out: &mut Vec<Finding>) {
    let mut backward = Backward {
        tree,
        flow,
        site_of: flow.sites.iter().enumerate().map(|(n, site)| (site.step, n)).collect(),
        later_in: FxHashMap::default(),
        never: BTreeSet::new(),
        frames: Vec::new(),
        loops: FxHashMap::default(),
    };
    backward.block(&tree.body, Later::new());
    let Backward { later_in, never, .. } = backward;
    let mut told = BTreeSet::new();
    for site in never {
        let step = flow.sites[site].step;
        // What control never comes to allocates nothing.
        if uniformity.control(step).is_some() && told.insert(site) {
            out.push(Finding::new(Kind::NeverCompleted, tree.steps[step].at));
        }
    }
    let mut ways: Vec<(StepId, usize)> = flow.live_in.keys().copied().collect();
    ways.sort_unstable();
    for (step, arm) in ways {
        let later = |arm: usize, site: SiteId| later_in.get(&(step, arm)).is_some_and(|l| l.contains(&(site, true)));
        for &site in &flow.live_in[&(step, arm)] {
            let others = flow.live_in.keys().filter(|(s, other)| *s == step && *other != arm);
            if !later(arm, site) && others.into_iter().any(|(_, other)| later(*other, site)) && told.insert(site) {
                let kind = Kind::NotCompleted(Way::of(tree.steps[step].stmt, arm));
                let at = tree.steps[flow.sites[site].step].at;
                out.push(Finding::new(kind, at).also(Label::Way, tree.steps[step].at));
            }
        }
    }
    let mut loops: Vec<_> = flow.lost.iter().collect();
    loops.sort_unstable();
    for (step, sites) in loops {
        let Some(number) = tree.loops.iter().position(|(s, _)| s == step) else { continue };
        for &site in sites {
            let is_own = tree.steps[flow.sites[site].step].innermost_loop == Some(number);
            let completes = flow.completed.iter().any(|(step, handles)| {
                tree.is_in_loop(*step, number)
                    && handles.iter().any(|h| {
                        matches!(h, Handle::Latest(s) | Handle::Older(s) if *s == site) || *h == Handle::Unknown
                    })
            });
            if is_own && !completes && told.insert(site) {
                let at = tree.steps[flow.sites[site].step].at;
                out.push(Finding::new(Kind::LostInLoop, at).also(Label::Way, tree.steps[*step].at));
            }
        }
    }
}

/// Which way control goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// A condition holds, or not.
    If(bool),
    /// Into a case of a switch.
    Case,
    /// Into none of the labelled cases.
    Default,
    /// Out of a loop at its end (`true`), or round again.
    Loop(bool),
}

impl Way {
    fn of(stmt: &Stmt, arm: usize) -> Way {
        match stmt {
            Stmt::Switch { cases, .. } if arm == cases.len() => Way::Default,
            Stmt::Switch { .. } => Way::Case,
            Stmt::Loop { .. } => Way::Loop(arm == 0),
            _ => Way::If(arm == 0),
        }
    }
}

struct Backward<'t, 'f> {
    tree: &'t Tree<'f>,
    flow: &'t HandleFlow,
    site_of: FxHashMap<StepId, SiteId>,
    /// At the begin of blocks, as of [`HandleFlow::live_in`].
    later_in: FxHashMap<(StepId, usize), Later>,
    /// Calls whose records are completed on no way.
    never: BTreeSet<SiteId>,
    frames: Vec<Frame>,
    loops: FxHashMap<StepId, Settled>,
}

/// What comes later at the targets of jumps.
struct Frame {
    behind: Later,
    /// Of a loop.
    next: Option<Later>,
}

struct Settled {
    exit: Later,
    head: Later,
}

impl Backward<'_, '_> {
    /// What comes later at the begin of the statements.
    fn block(&mut self, steps: &[StepId], mut later: Later) -> Later {
        for &step in steps.iter().rev() {
            later = self.step(step, later);
        }
        later
    }

    fn enter(&mut self, step: StepId, arm: usize, later: &Later) {
        self.later_in.insert((step, arm), later.clone());
    }

    fn step(&mut self, step: StepId, mut later: Later) -> Later {
        let tree = self.tree;
        let at = &tree.steps[step];
        match at.stmt {
            Stmt::If { .. } => self.arms(step, &later),
            Stmt::Switch { .. } => {
                self.frames.push(Frame { behind: later.clone(), next: None });
                let before = self.arms(step, &later);
                self.frames.pop();
                before
            }
            Stmt::Loop { .. } => self.repeated(step, later),
            Stmt::Break => self.frames.last().map(|frame| frame.behind.clone()).unwrap_or_default(),
            Stmt::Continue => self.frames.iter().rev().find_map(|frame| frame.next.clone()).unwrap_or_default(),
            Stmt::Return(_) => Later::new(),
            Stmt::Complete(_) => {
                for handle in self.flow.completed.get(&step).into_iter().flatten() {
                    match handle {
                        Handle::Latest(site) => drop(later.insert((*site, true))),
                        Handle::Older(site) => drop(later.insert((*site, false))),
                        Handle::Unknown => {
                            later.extend((0..self.flow.sites.len()).flat_map(|site| [(site, true), (site, false)]));
                        }
                        Handle::Null | Handle::Taken(_) => {}
                    }
                }
                later
            }
            Stmt::Let(id) => {
                let is_allocation = matches!(tree.function.value(*id), Some(Value { op: Op::Allocate { .. }, .. }));
                if let Some(&site) = self.site_of.get(&step).filter(|_| is_allocation) {
                    if later.contains(&(site, true)) || later.contains(&(site, false)) {
                        self.never.remove(&site);
                    } else {
                        self.never.insert(site);
                    }
                    // What is older behind the call was the latest before it.
                    later.remove(&(site, true));
                    if later.contains(&(site, false)) {
                        later.insert((site, true));
                    }
                }
                later
            }
            _ => later,
        }
    }

    fn arms(&mut self, step: StepId, later: &Later) -> Later {
        let tree = self.tree;
        let mut before = Later::new();
        for (arm, block) in tree.steps[step].blocks.iter().enumerate() {
            let inside = self.block(block, later.clone());
            self.enter(step, arm, &inside);
            before.extend(inside);
        }
        before
    }

    fn repeated(&mut self, step: StepId, exit: Later) -> Later {
        let tree = self.tree;
        let [body, continuing] = &tree.steps[step].blocks[..] else { return exit };
        let decides = matches!(tree.steps[step].stmt, Stmt::Loop { break_if: Some(_), .. });
        let mut head = Later::new();
        if let Some(settled) = self.loops.get(&step) {
            if settled.exit == exit {
                return settled.head.clone();
            }
            head = settled.head.clone();
        }
        loop {
            let mut end = head.clone();
            if decides {
                self.enter(step, 0, &exit);
                self.enter(step, 1, &head);
                end.extend(exit.iter().copied());
            }
            let next = self.block(continuing, end);
            self.frames.push(Frame { behind: exit.clone(), next: Some(next.clone()) });
            let begin = self.block(body, next);
            self.frames.pop();
            let grew = !begin.is_subset(&head);
            head.extend(begin);
            if !grew {
                self.loops.insert(step, Settled { exit, head: head.clone() });
                return head;
            }
        }
    }
}
