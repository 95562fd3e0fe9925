//! Runs a graph until no record is pending: picks a queue, creates jobs from its records, and queues the records that
//! these send.
//!
//! One thread runs one launch at a time. Several threads get all pending records of a node together, and run them in
//! parallel.

use super::crew::Crew;
use super::queue::{Batch, Origin};
use super::queues::Queues;
use super::worker::{BATCH, Groups, Job, Numbers, Shared, Sink, Worker};
use super::{Graph, GraphInput, GraphRun, Launch};
use crate::cpu::exec::Bound;
use crate::cpu::findings::{At, FindingCode, Findings};
use crate::cpu::image::Image;
use crate::cpu::memory::{Memory, read_number};
use crate::cpu::message::Messages;
use crate::cpu::random::Random;
use crate::cpu::sanitize::Races;
use crate::cpu::settings::{Batching, CpuSettings, Order};
use crate::cpu::trace::Scene;
use crate::device::SamplerDesc;
use crate::mesh::{Mesh, Meshes};
use std::sync::Arc;

type Result<T> = std::result::Result<T, String>;

/// Grids up to this many workgroups are shuffled under the random order.
const SHUFFLED: u64 = 1 << 16;
/// The least number of workgroup threads for which starting threads of the host is worth the cost.
const WORTH: u64 = 64;

/// The parts of the device that a dispatch uses.
pub struct Context<'c> {
    pub settings: &'c CpuSettings,
    pub memory: &'c mut Memory,
    pub findings: &'c mut Findings,
    pub messages: &'c mut Messages,
    pub images: &'c [Image],
    pub samplers: &'c [SamplerDesc],
    pub scenes: &'c [Scene],
    /// Bound resources by node, slot and element.
    pub slots: &'c [Vec<Vec<Bound>>],
    pub push: u64,
    pub races: Option<&'c mut Races>,
}

struct Run<'g> {
    shared: Shared<'g>,
    queues: Queues,
    random: Random,
    batches: Random,
    records: Vec<u64>,
    workgroups: Vec<u64>,
    /// The output of mesh nodes.
    meshes: Vec<Option<Meshes>>,
    left: u64,
}

/// Dispatches a graph and returns when no record is left.
pub fn dispatch(graph: &Graph, inputs: &[GraphInput], context: Context<'_>) -> Result<GraphRun> {
    let Context { settings, memory, findings, messages, images, samplers, scenes, slots, push, races } = context;
    let seed = |order| if let Order::Random(seed) = order { seed } else { 0 };
    let batch_seed = if let Batching::Random(seed) = settings.batching { seed } else { 0 };
    let of_meshes = |node: &super::Node| node.program.mesh.as_ref().map(|mesh| Meshes::of(mesh.shape.clone()));
    let mut run = Run {
        shared: Shared { graph, settings, images, samplers, scenes, slots, push },
        queues: Queues::new(settings.max_pending_bytes),
        random: Random::new(seed(settings.order)),
        batches: Random::new(batch_seed),
        records: vec![0; graph.nodes.len()],
        workgroups: vec![0; graph.nodes.len()],
        meshes: graph.nodes.iter().map(of_meshes).collect(),
        left: settings.max_workgroups,
    };
    for input in inputs {
        run.input(input)?;
    }
    let mut crew = Crew::new(settings.threads, memory);
    let mut instances = Vec::new();
    let mut main = Worker { memory, findings, messages, races, instances: &mut instances };
    let result = run.drain(&mut main, &mut crew);
    main.release();
    result?;
    let mut out = GraphRun::default();
    for (number, node) in graph.nodes.iter().enumerate() {
        let key = (node.name.clone(), node.index);
        out.records.insert(key.clone(), run.records.get(number).copied().unwrap_or(0));
        out.workgroups.insert(key.clone(), run.workgroups.get(number).copied().unwrap_or(0));
        if let Some(meshes) = run.meshes.get_mut(number).and_then(Option::take) {
            out.meshes.insert(key, meshes);
        }
    }
    Ok(out)
}

/// A sink that queues the records of workgroups immediately.
struct Queued<'q> {
    graph: &'q Graph,
    queues: &'q mut Queues,
    meshes: &'q mut [Option<Meshes>],
}

impl Sink for Queued<'_> {
    fn record(&mut self, to: (usize, u32), record: &[u8], marks: &[u8], origin: Origin) -> Result<()> {
        self.queues.push(self.graph, to, record, marks, origin)
    }

    fn mesh(&mut self, node: usize, mesh: Mesh) {
        if let Some(Some(meshes)) = self.meshes.get_mut(node) {
            meshes.add(mesh);
        }
    }
}

impl Run<'_> {
    fn input(&mut self, input: &GraphInput) -> Result<()> {
        let graph = self.shared.graph;
        let label = format!("{}[{}]", input.node, input.index);
        let number = graph.find(&input.node, input.index).ok_or_else(|| format!("{label} is not a node"))?;
        let node = graph.nodes.get(number).ok_or("no such node")?;
        if !node.api_entry {
            return Err(format!("{label} is not an entry of the graph (IsApiEntryAMDX is false)"));
        }
        let (size, level) = (node.stride(), node.recursion);
        let stride = input.stride as usize;
        let last = (input.count as usize).saturating_sub(1).saturating_mul(stride);
        if input.count > 0 && input.records.len() < last.saturating_add(size) {
            let have = input.records.len();
            return Err(format!(
                "{label}: {} records of {size} bytes with a stride of {stride} need more than {have} bytes",
                input.count
            ));
        }
        if input.count > 1 && stride != 0 && stride < size {
            return Err(format!("{label}: records of {size} bytes cannot have a stride of {stride} bytes"));
        }
        self.queues.check_room(graph, number, input.count as usize)?;
        for i in 0..input.count as usize {
            // Nodes that share the input may have larger records than the node, and get as much as there is.
            let rest = input.records.get(i * stride..).unwrap_or(&[]);
            let end = if stride == 0 || input.count == 1 { rest.len() } else { stride.min(rest.len()) };
            let record = rest.get(..end).unwrap_or(&[]);
            self.queues.push(graph, (number, level), record, &[], Origin::default())?;
        }
        Ok(())
    }

    fn drain(&mut self, main: &mut Worker<'_>, crew: &mut Crew) -> Result<()> {
        let Shared { graph, settings, .. } = self.shared;
        while let Some(at) = self.queues.pick(graph, settings, &mut self.random) {
            let job = self.take(at, main.findings)?;
            if crew.len() == 0 {
                main.run(self.shared, &job, &mut self.sink())?;
                continue;
            }
            let mut jobs = vec![job];
            while self.queues.is_ready(graph, at, settings) {
                jobs.push(self.take(at, main.findings)?);
            }
            self.together(jobs, main, crew)?;
        }
        Ok(())
    }

    fn sink(&mut self) -> Queued<'_> {
        Queued { graph: self.shared.graph, queues: &mut self.queues, meshes: &mut self.meshes }
    }

    /// Runs jobs on several threads if that is worth it.
    fn together(&mut self, jobs: Vec<Job>, main: &mut Worker<'_>, crew: &mut Crew) -> Result<()> {
        let graph = self.shared.graph;
        let groups: u64 = jobs.iter().map(Job::workgroups).sum();
        // Some more parts than threads, so that none waits long for the last one.
        let most = groups.div_ceil(4 * crew.len() as u64).max(1);
        let jobs: Vec<Job> = jobs.into_iter().flat_map(|job| job.split(graph, most)).collect();
        let threads = |job: &Job| graph.nodes.get(job.node).map_or(1, |node| u64::from(node.program.threads()));
        let lanes: u64 = jobs.iter().map(|job| job.workgroups().saturating_mul(threads(job))).sum();
        if jobs.len() < 2 || lanes < WORTH {
            return jobs.iter().try_for_each(|job| main.run(self.shared, job, &mut self.sink()));
        }
        for done in crew.run(self.shared, &jobs)? {
            main.findings.append(done.findings);
            main.messages.append(done.messages);
            done.result?;
            done.sent.give(&mut self.sink())?;
        }
        Ok(())
    }

    /// Takes a job from the records in a queue.
    fn take(&mut self, at: usize, findings: &mut Findings) -> Result<Job> {
        let Shared { graph, settings, .. } = self.shared;
        let queue = self.queues.get(at).ok_or("no such queue")?;
        let (number, level, waiting, stride) = (queue.node, queue.level, queue.len(), queue.stride);
        let node = graph.nodes.get(number).ok_or("no such node")?;
        let is_batch = node.runs_in_batches();
        let most = node.max_records() as usize;
        let count = match settings.batching {
            _ if is_batch => BATCH,
            Batching::Full => most,
            Batching::Single => 1,
            Batching::Random(_) => 1 + self.batches.below(most as u64) as usize,
        };
        // A record that is too short has memory of its own, so that accesses after its end are noticed.
        let count = if stride < node.stride() { 1 } else { count };
        let batch = self.queues.take(at, count.min(waiting), settings.order, &mut self.random);
        let mut first = 0;
        if let Some(records) = self.records.get_mut(number) {
            first = *records;
            *records += batch.count as u64;
        }
        let groups = match node.launch {
            Launch::Coalescing if is_batch => Groups::Lanes,
            Launch::Coalescing => Groups::One,
            Launch::Static(grid) => {
                if let Some(empty) = &node.empty_grid {
                    let at = At { word: 0, lines: &node.program.lines };
                    let who = || format!("record {first}");
                    findings.report(FindingCode::EmptyGrid, &node.label, at, || empty.clone(), who)?;
                }
                self.grid(grid)?
            }
            Launch::Dynamic(most) => {
                let grid = self.dispatch_grid(number, &batch, first, most, findings)?;
                self.grid(grid)?
            }
        };
        let job = Job { node: number, level, first, batch: Arc::new(batch), groups };
        let workgroups = job.workgroups();
        if let Some(count) = self.workgroups.get_mut(number) {
            *count += workgroups;
        }
        self.left = self
            .left
            .checked_sub(workgroups)
            .ok_or_else(|| format!("the graph does not end: node {} reaches the limit of workgroups", node.label))?;
        Ok(job)
    }

    /// Returns the grid that a record requests, cut to the node's maximum.
    fn dispatch_grid(
        &self,
        number: usize,
        batch: &Batch,
        first: u64,
        most: [u32; 3],
        findings: &mut Findings,
    ) -> Result<[u32; 3]> {
        let node = self.shared.graph.nodes.get(number).ok_or("no such node")?;
        let Some((offset, components, bytes)) = node.program.input.as_ref().and_then(|i| i.grid) else {
            return Err(format!("node {} has no dispatch grid", node.label));
        };
        let mut grid = [1u32; 3];
        for (i, slot) in grid.iter_mut().enumerate().take(components as usize) {
            let at = (offset + i as u32 * bytes) as usize;
            *slot = read_number(batch.bytes.get(at..).unwrap_or(&[]), bytes as u8) as u32;
        }
        // An error in the record is attributed to the instruction that created it.
        let word = batch.origins.first().map_or(0, |o| o.word);
        let at = At { word, lines: &node.program.lines };
        let who = || format!("record {first}");
        if batch.bytes.len() < (offset + components * bytes) as usize {
            let what = || format!("the dispatch grid at offset {offset} of a record of {} bytes", batch.bytes.len());
            findings.report(FindingCode::OutOfRange, &node.label, at, what, who)?;
        }
        let marks = batch.marks.iter().skip(offset as usize).take((components * bytes) as usize);
        if marks.into_iter().any(|&m| m != 0) {
            let what = || "the dispatch grid of a record".into();
            findings.report(FindingCode::Uninitialised, &node.label, at, what, who)?;
        }
        let cut = [grid[0].min(most[0]), grid[1].min(most[1]), grid[2].min(most[2])];
        if cut != grid {
            let what = || format!("{grid:?}, at most {most:?}");
            findings.report(FindingCode::GridAboveMaximum, &node.label, at, what, who)?;
        }
        Ok(cut)
    }

    /// Returns all workgroups of a record.
    fn grid(&mut self, grid: [u32; 3]) -> Result<Groups> {
        let total = grid.iter().try_fold(1u64, |p, &s| p.checked_mul(u64::from(s))).ok_or("a grid is too large")?;
        let numbers = match self.shared.settings.order {
            Order::Random(_) if total <= SHUFFLED => {
                let mut list: Vec<u64> = (0..total).collect();
                for i in (1..list.len()).rev() {
                    list.swap(i, self.random.below(i as u64 + 1) as usize);
                }
                Numbers::List(list)
            }
            _ => Numbers::Range(0..total),
        };
        Ok(Groups::Grid(grid, numbers))
    }
}
