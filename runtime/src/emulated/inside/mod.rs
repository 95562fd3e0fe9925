//! Observation of a dispatch: the contents of a graph's queues between two stages.
//!
//! An observed dispatch is submitted stage by stage (`phases`). After each stage the host reads the states of the
//! queues and finds the appended records (`QueueTracker`). An [`Observer`] receives them, sorted in the deterministic mode
//! (`order`). Kernels and shaders have no code for this, so dispatches without an observer cost nothing extra. `pages`
//! finds addresses and pages, `print` writes text and JSON, `trace` measures times.

mod order;
mod pages;
mod print;
mod trace;

pub use print::{Form, Only, RecordPrinter};
pub use trace::Trace;

use super::program::Program;
use super::report::RunError;
use super::steps::{Launch, Step, Work};
use crate::device::{BufferId, Device, DeviceError};
use order::{Launched, order};
use pages::{Pages, Slots};
use wgc_abi::device as abi;
use wgc_abi::manifest::Manifest;

pub(super) use pages::Pages as GraphPages;
pub(super) use trace::Measured;

/// An observer that receives the records appended by each stage, between two submissions.
pub trait Observer: std::fmt::Debug {
    /// # Errors
    /// Fails if the observer cannot keep the records; the dispatch ends then.
    fn appended(&mut self, manifest: &Manifest, appended: &Appended) -> Result<(), DeviceError>;
}

/// The records that one stage appended to one queue, at least one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Appended {
    /// Dispatches of the graph, this one included.
    pub dispatch: u32,
    /// The sweep of a scheduled run, from 1 on; 0 if the run has one pass.
    pub sweep: u32,
    pub after: After,
    /// Instances of that stage that may have appended them, by number; none for the host's.
    pub from: Vec<u32>,
    pub queue: u32,
    /// Instances that receive them: several if nodes share an input.
    pub nodes: Vec<u32>,
    /// Place of the first in the queue, and how many there are.
    pub first: u32,
    pub count: u32,
    /// By place; none of empty records.
    pub records: Vec<Record>,
}

/// The point of an observation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum After {
    /// After the host's records were injected.
    Inject,
    /// This stage has run.
    Stage(u32),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// In its queue.
    pub index: u32,
    /// It had no slot in its queue and is in a spill.
    pub spilled: bool,
    /// The grid with which the first node that reads its grid from the record launches it: cut to NodeMaxDispatchGrid.
    pub grid: Option<[u32; 3]>,
    /// The record in the node's layout; `None` if no memory was left because shaders broke their limits.
    pub bytes: Option<Vec<u8>>,
}

/// Parts of a list of steps, each with the barrier that ends it.
pub(super) fn phases<'g>(steps: Vec<Step<'g>>) -> Vec<Vec<Step<'g>>> {
    let mut phases = vec![Vec::new()];
    for step in steps {
        let ends = step == Step::Barrier;
        if let Some(phase) = phases.last_mut() {
            phase.push(step);
        }
        if ends {
            phases.push(Vec::new());
        }
    }
    phases.retain(|phase| !phase.is_empty());
    phases
}

/// Splits a list of steps; each part but the last ends after the barrier of a launch of the kernel sched.
pub(super) fn split_after_sched<'s, 'g>(steps: &'s [Step<'g>]) -> Vec<&'s [Step<'g>]> {
    let is_sched = |step: &Step| matches!(step, Step::Run(Launch { work: Work::Sched, .. }));
    let (mut parts, mut begin) = (Vec::new(), 0);
    for at in 1..steps.len() {
        if steps[at] == Step::Barrier && is_sched(&steps[at - 1]) {
            parts.push(&steps[begin..=at]);
            begin = at + 1;
        }
    }
    parts.push(&steps[begin..]);
    parts
}

/// Splits off the last phase from all others.
pub(super) fn before_last<'g>(steps: Vec<Step<'g>>) -> Vec<Vec<Step<'g>>> {
    let mut phases = phases(steps);
    let last = phases.pop();
    [phases.concat()].into_iter().chain(last).collect()
}

/// Returns the step of a phase that may append records.
pub(super) fn appends(phase: &[Step]) -> Option<After> {
    phase.iter().find_map(|step| match step {
        Step::Run(Launch { work: Work::Inject, .. }) => Some(After::Inject),
        Step::Run(Launch { work: Work::Node { stage, .. } | Work::Run { stage, .. }, .. }) => {
            Some(After::Stage(*stage))
        }
        _ => None,
    })
}

/// The state of a queue at the previous observation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct QueueState {
    passed: u64,
    records: u32,
}

/// Follows the queues through one dispatch.
#[derive(Debug, Default)]
pub(super) struct QueueTracker {
    /// Sorts the records that are found.
    ordered: bool,
    queues: Vec<QueueState>,
    /// Slots, by spill.
    spills: Vec<u32>,
    /// By instance.
    launched: Vec<Launched>,
}

/// The observed graph, and the point of the dispatch.
pub(super) struct Moment<'m> {
    pub program: &'m Program,
    pub pages: &'m Pages<'m>,
    pub status: BufferId,
    pub dispatch: u32,
    pub after: After,
}

impl QueueTracker {
    pub fn new(ordered: bool) -> Self {
        Self { ordered, ..Self::default() }
    }

    pub fn observe(
        &mut self,
        device: &mut dyn Device,
        at: &Moment,
        mut observer: Option<&mut Box<dyn Observer>>,
    ) -> Result<(), RunError> {
        let states = at.pages.states(device)?;
        let slots = self.slots(device, at, &states)?;
        let sweep = at.sweep(device)?;
        let tables = &at.program.tables;
        self.queues.resize(tables.queues.len(), QueueState::default());
        self.launched.resize(tables.instances.len(), Launched::default());
        for (queue, (row, state)) in tables.queues.iter().zip(&states.queues).enumerate() {
            let filled = state.tail.min(state.capacity);
            let before = self.queues[queue];
            // If the queue was emptied since, or never filled, all its earlier records were seen.
            let first = if before.passed == state.passed { before.records.min(filled) } else { 0 };
            self.queues[queue] = QueueState { passed: state.passed, records: filled };
            if first == filled {
                continue;
            }
            let mut records = match row.slots {
                0 => Vec::new(),
                _ => at.pages.records(device, row, state, &slots, first..filled)?,
            };
            if self.ordered {
                order(device, at.pages, at.program, row, state, &mut records, &mut self.launched)?;
            }
            let Some(observer) = &mut observer else { continue };
            let appended = Appended {
                dispatch: at.dispatch,
                sweep,
                after: at.after,
                from: at.producers(queue),
                queue: queue as u32,
                nodes: (row.first_instance..row.first_instance + row.instance_count).collect(),
                first,
                count: filled - first,
                records: records.into_iter().map(|found| found.shown(at.program, row)).collect(),
            };
            observer.appended(&at.program.manifest, &appended)?;
        }
        Ok(())
    }

    /// Returns the slots of spills that were filled since the last observation.
    fn slots(&mut self, device: &mut dyn Device, at: &Moment, states: &pages::States) -> Result<Slots, RunError> {
        self.spills.resize(at.program.tables.spills.len(), 0);
        let mut slots = Slots::default();
        for (spill, state) in states.spills.iter().enumerate() {
            let filled = state.tail.min(state.capacity);
            let first = self.spills[spill].min(filled);
            self.spills[spill] = filled;
            at.pages.slots(device, at.program, spill, state, first..filled, &mut slots)?;
        }
        Ok(slots)
    }
}

impl Moment<'_> {
    fn sweep(&self, device: &mut dyn Device) -> Result<u32, RunError> {
        let mut bytes = [0; abi::Status::SIZE];
        device.read_buffer(self.status, 0, &mut bytes)?;
        Ok(abi::Status::decode(&bytes).map_or(0, |status| status.sweeps))
    }

    /// Returns the instances of the finished stage whose records may go to the queue.
    fn producers(&self, queue: usize) -> Vec<u32> {
        let tables = &self.program.tables;
        let (Some(row), After::Stage(stage)) = (tables.queues.get(queue), self.after) else { return Vec::new() };
        let edges = tables.edges.iter().skip(row.first_edge as usize).take(row.edge_count as usize);
        let of_stage = |instance: &u32| {
            let named = self.program.manifest.instances.get(*instance as usize);
            named.is_some_and(|named| named.stage == stage)
        };
        let mut producers: Vec<u32> = edges.map(|edge| edge.instance).filter(of_stage).collect();
        producers.sort_unstable();
        producers.dedup();
        producers
    }
}
