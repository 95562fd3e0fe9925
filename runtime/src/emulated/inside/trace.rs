//! A trace of dispatches: the times of each kernel and node and the sizes of their launches. It is written as JSON for
//! chrome://tracing and Perfetto, and as a table.
//!
//! Times come from the device ([`Clock`]). Dispatches between two barriers run in parallel. The time of each dispatch
//! starts when all earlier ones have finished and ends when it has finished too, so the times of a stage add up. The
//! trace omits the time between submissions, in which the host reads the graph.

use super::super::program::{Program, Run};
use super::super::steps::{Step, Work};
use super::pages::States;
use super::print::quoted;
use crate::device::Clock;
use indexmap::IndexMap;
use std::fmt::Write as _;
use std::io::{self, Write};
use wgc_abi::device::{Arguments, QueueState, Status};

/// The measurements of a graph's dispatches.
#[derive(Clone, Debug, Default)]
pub struct Trace {
    /// The device's name.
    pub device: String,
    clock: Option<Clock>,
    spans: Vec<Span>,
    pages: Vec<PagesAt>,
    /// By label.
    totals: IndexMap<String, Total>,
    /// The start of the next submission.
    now: u64,
    /// The previous sweep, with the number of records that each queue had received.
    sweep: u32,
    dispatch: u32,
    before: Vec<u64>,
    seen: Vec<u64>,
    peak: u64,
    sweeps: u64,
}

/// A launch, or a stage with several launches.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Span {
    dispatch: u32,
    sweep: u32,
    name: String,
    /// Set for a whole stage, clear for one of its launches.
    whole: bool,
    begin: u64,
    end: u64,
    counts: Option<Counts>,
}

/// The work of a node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Counts {
    /// Records that its queue received in this sweep.
    records: u64,
    groups: u64,
    /// The most pages that the records of its queue occupied at a time.
    pages: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct PagesAt {
    dispatch: u32,
    at: u64,
    pages: u64,
}

/// The launches and time of one node or kernel, with its work.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Total {
    launches: u64,
    ticks: u64,
    counts: Counts,
    is_node: bool,
}

/// A measured submission, with the observed state.
pub(in super::super) struct Measured<'m> {
    pub program: &'m Program,
    pub dispatch: u32,
    pub clock: Clock,
    /// Ticks at the beginning, then at the end of each step.
    pub ticks: &'m [u64],
    pub steps: &'m [Step<'m>],
    pub states: &'m States,
    /// By slot.
    pub arguments: &'m [Arguments],
    pub status: Status,
    pub run: &'m Run,
}

impl Trace {
    pub(in super::super) fn add(&mut self, measured: &Measured) {
        let Some(&zero) = measured.ticks.first() else { return };
        self.clock = Some(measured.clock);
        let totals: Vec<u64> = measured.states.queues.iter().map(appended).collect();
        if self.dispatch != measured.dispatch {
            (self.dispatch, self.sweep, self.before) = (measured.dispatch, 0, vec![0; totals.len()]);
            self.seen = vec![0; totals.len()];
        }
        if self.sweep != measured.status.sweeps {
            self.sweeps += 1;
            self.before = std::mem::take(&mut self.seen);
            self.sweep = measured.status.sweeps;
        }
        self.seen.clone_from(&totals);
        let now = self.now;
        let at = |tick: u64| now + tick.saturating_sub(zero);
        let (dispatch, sweep) = (measured.dispatch, self.sweep);
        let mut made = Vec::new();
        let mut stage: Option<Span> = None;
        for (step, ticks) in measured.steps.iter().zip(measured.ticks.windows(2)) {
            let (begin, end) = (at(ticks[0]), at(ticks[1]));
            let Step::Run(launch) = step else {
                made.extend(stage.take().map(|span| Span { end, ..span }));
                continue;
            };
            let counts = match launch.work {
                Work::Node { instance, .. } => Some(self.counts(measured, &totals, instance)),
                Work::Run { instance, instances, .. } => {
                    Some(self.counts_of_run(measured, &totals, instance, instances))
                }
                _ => None,
            };
            let span = Span { dispatch, sweep, name: launch.label.to_owned(), whole: false, begin, end, counts };
            if let Work::Node { stage: number, .. } | Work::Run { stage: number, .. } = launch.work
                && stage.is_none()
            {
                stage = Some(Span { name: format!("stage {number}"), whole: true, counts: None, ..span.clone() });
            }
            made.push(span);
        }
        for span in &made {
            self.count(span);
        }
        // Whole stages come before their launches.
        made.sort_by_key(|span| (span.begin, !span.whole));
        self.spans.extend(made);
        self.now = measured.ticks.last().map_or(self.now, |last| at(*last));
        // Pages that prep has given out in one pass are never returned.
        let (all, status) = (measured.run.pages, &measured.status);
        let [free, least] = if measured.run.scheduled { [status.pages_free, status.pages_least] } else { [0; 2] };
        let pages = u64::from(all.saturating_sub(free));
        self.peak = self.peak.max(u64::from(all.saturating_sub(least)));
        self.pages.push(PagesAt { dispatch, at: self.now, pages });
    }

    fn counts(&self, measured: &Measured, totals: &[u64], instance: u32) -> Counts {
        let queue = measured.program.manifest.instances.get(instance as usize).map_or(0, |i| i.queue as usize);
        let groups = measured.arguments.get(instance as usize).map_or(0, |a| u64::from(a.x) * u64::from(a.y));
        let records = totals.get(queue).copied().unwrap_or(0) - self.before.get(queue).copied().unwrap_or(0);
        let row = measured.program.tables.queues.get(queue).zip(measured.states.queues.get(queue));
        let pages = row.map_or(0, |(row, state)| row.pages(u64::from(peak(state)), measured.program.tables.page_bytes));
        Counts { records, groups, pages }
    }

    /// Sums all instances of a joint dispatch; the workgroups are those of its dispatch.
    fn counts_of_run(&self, measured: &Measured, totals: &[u64], first: u32, count: u32) -> Counts {
        let mut sum = Counts::default();
        for instance in first..first.saturating_add(count) {
            let own = self.counts(measured, totals, instance);
            sum.records += own.records;
            sum.pages += own.pages;
        }
        let groups = |a: &Arguments| u64::from(a.x) * u64::from(a.y) * u64::from(a.z);
        Counts { groups: measured.arguments.get(first as usize).map_or(0, groups), ..sum }
    }

    fn count(&mut self, span: &Span) {
        if span.whole {
            return;
        }
        let total = self.totals.entry(span.name.clone()).or_default();
        total.ticks += span.end - span.begin;
        let Some(counts) = span.counts else {
            total.launches += 1;
            return;
        };
        total.is_node = true;
        total.launches += u64::from(counts.groups != 0);
        total.counts.records += counts.records;
        total.counts.groups += counts.groups;
        total.counts.pages = total.counts.pages.max(counts.pages);
    }

    /// Writes the trace event format: an object of `traceEvents`, times in microseconds. An instruction counts as a
    /// nanosecond.
    ///
    /// # Errors
    /// Those of `out`.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(
            out,
            "{{\"displayTimeUnit\":\"ns\",\"otherData\":{{\"device\":{},\"clock\":{}}},",
            quoted(&self.device),
            quoted(self.unit())
        )?;
        writeln!(out, "\"traceEvents\":[")?;
        let mut events: Vec<String> = Vec::new();
        let mut dispatches: Vec<u32> = self.spans.iter().map(|span| span.dispatch).collect();
        dispatches.dedup();
        for dispatch in dispatches {
            let named = |what: &str, thread: u32, name: &str| {
                format!(
                    "{{\"ph\":\"M\",\"name\":\"{what}\",\"pid\":{dispatch},\"tid\":{thread},\"args\":{{\"name\":\"{name}\"}}}}"
                )
            };
            events.push(named("process_name", 0, &format!("dispatch {dispatch}")));
            events.push(named("thread_name", 0, "stages"));
            events.push(named("thread_name", 1, "kernels and nodes"));
        }
        events.extend(self.spans.iter().map(event));
        events.extend(self.pages.iter().map(|PagesAt { dispatch, at, pages }| {
            format!(
                "{{\"ph\":\"C\",\"name\":\"arena\",\"pid\":{dispatch},\"ts\":{},\"args\":{{\"pages\":{pages}}}}}",
                micros(*at)
            )
        }));
        writeln!(out, "{}", events.join(",\n"))?;
        writeln!(out, "]}}")
    }

    fn unit(&self) -> &'static str {
        match self.clock {
            Some(Clock::Nanoseconds) => "nanoseconds",
            Some(Clock::Instructions) => "instructions",
            None => "nothing ran",
        }
    }

    /// Returns a table of each kernel and node over all dispatches, a line each.
    pub fn table(&self) -> String {
        let all: u64 = self.totals.values().map(|total| total.ticks).sum();
        let width = self.totals.keys().map(|name| name.chars().count()).max().unwrap_or(0).max("launched".len());
        let mut out = format!(
            "{:width$} {:>8} {:>12} {:>12} {:>7} {:>14}     %\n",
            "launched",
            "times",
            "records",
            "workgroups",
            "pages",
            self.unit()
        );
        for (name, total) in &self.totals {
            let Total { launches, ticks, counts, is_node } = total;
            let shown = |number: u64| if *is_node { number.to_string() } else { String::new() };
            let (records, groups, pages) = (shown(counts.records), shown(counts.groups), shown(counts.pages));
            let share = if all == 0 { 0.0 } else { *ticks as f64 * 100.0 / all as f64 };
            let _ = writeln!(
                out,
                "{name:width$} {launches:>8} {records:>12} {groups:>12} {pages:>7} {ticks:>14} {share:>5.1}"
            );
        }
        let sweeps = match self.sweeps {
            0 => String::new(),
            1 => ", 1 sweep".to_owned(),
            n => format!(", {n} sweeps"),
        };
        let _ = writeln!(out, "{all} {} in total{sweeps}; at most {} pages of the arena", self.unit(), self.peak);
        out
    }
}

/// Returns the number of records that a queue has received in a dispatch.
fn appended(state: &QueueState) -> u64 {
    state.passed + u64::from(state.tail.min(state.capacity))
}

/// Returns the most records that a queue held at a time.
fn peak(state: &QueueState) -> u32 {
    state.peak.max(state.tail.min(state.capacity))
}

fn micros(ticks: u64) -> String {
    format!("{}.{:03}", ticks / 1000, ticks % 1000)
}

fn event(span: &Span) -> String {
    let mut args = Vec::new();
    if span.sweep != 0 {
        args.push(format!("\"sweep\":{}", span.sweep));
    }
    if let Some(Counts { records, groups, pages }) = span.counts {
        args.push(format!("\"records\":{records},\"workgroups\":{groups},\"pages\":{pages}"));
    }
    format!(
        "{{\"ph\":\"X\",\"name\":{},\"pid\":{},\"tid\":{},\"ts\":{},\"dur\":{},\"args\":{{{}}}}}",
        quoted(&span.name),
        span.dispatch,
        u32::from(!span.whole),
        micros(span.begin),
        micros(span.end - span.begin),
        args.join(",")
    )
}
