//! The state of one thread for running workgroups of nodes. It decides nothing about their order.

use super::queue::{Batch, Origin};
use super::{Graph, GraphSide};
use crate::cpu::exec::mesh::{Counts, put_out};
use crate::cpu::exec::{self, Bound, Where, World};
use crate::cpu::findings::{At, FindingCode, Findings};
use crate::cpu::image::Image;
use crate::cpu::launch::{Instance, WorkgroupPosition};
use crate::cpu::memory::{INPUT, Memory, RegionKind, address_of};
use crate::cpu::message::Messages;
use crate::cpu::sanitize::{Parent, Races};
use crate::cpu::settings::CpuSettings;
use crate::cpu::trace::Scene;
use crate::device::SamplerDesc;
use crate::mesh::Mesh;
use std::ops::Range;
use std::sync::Arc;

type Result<T> = std::result::Result<T, String>;

/// Single-thread workgroups that run as lanes of one.
pub const BATCH: usize = 64;

/// The data that a dispatch shares with all threads, read-only.
#[derive(Clone, Copy)]
pub struct Shared<'s> {
    pub graph: &'s Graph,
    pub settings: &'s CpuSettings,
    pub images: &'s [Image],
    pub samplers: &'s [SamplerDesc],
    pub scenes: &'s [Scene],
    /// Bound resources by node, slot and element.
    pub slots: &'s [Vec<Vec<Bound>>],
    pub push: u64,
}

/// Workgroups of one node, run one after the other.
#[derive(Clone, Debug)]
pub struct Job {
    pub node: usize,
    /// Recursion levels left.
    pub level: u32,
    /// The number of its first record, among those that the node receives.
    pub first: u64,
    pub batch: Arc<Batch>,
    pub groups: Groups,
}

#[derive(Clone, Debug)]
pub enum Groups {
    /// One workgroup for all records.
    One,
    /// One of a single thread for each record, together as the lanes of one.
    Lanes,
    /// Those of a grid with these numbers, x fastest.
    Grid([u32; 3], Numbers),
}

#[derive(Clone, Debug)]
pub enum Numbers {
    Range(Range<u64>),
    List(Vec<u64>),
}

impl Numbers {
    pub fn len(&self) -> u64 {
        match self {
            Numbers::Range(range) => range.end.saturating_sub(range.start),
            Numbers::List(list) => list.len() as u64,
        }
    }

    fn get(&self, i: u64) -> u64 {
        match self {
            Numbers::Range(range) => range.start + i,
            Numbers::List(list) => list.get(i as usize).copied().unwrap_or(0),
        }
    }

    /// Splits the numbers into parts of about this size.
    fn parts(&self, size: u64) -> Vec<Numbers> {
        let size = size.max(1);
        match self {
            Numbers::Range(range) => (range.clone().step_by(usize::try_from(size).unwrap_or(usize::MAX)))
                .map(|start| Numbers::Range(start..range.end.min(start.saturating_add(size))))
                .collect(),
            Numbers::List(list) => list.chunks(size as usize).map(|part| Numbers::List(part.to_vec())).collect(),
        }
    }
}

impl Job {
    /// Returns the number of its workgroups.
    pub fn workgroups(&self) -> u64 {
        match &self.groups {
            Groups::One => 1,
            Groups::Lanes => self.batch.count as u64,
            Groups::Grid(_, numbers) => numbers.len(),
        }
    }

    /// Splits it into jobs of at most this many workgroups, which may run at the same time.
    pub fn split(self, graph: &Graph, most: u64) -> Vec<Job> {
        match &self.groups {
            Groups::Grid(grid, numbers)
                if numbers.len() > most && graph.nodes.get(self.node).is_some_and(|node| !node.writes_input) =>
            {
                let part = |numbers| Job { groups: Groups::Grid(*grid, numbers), ..self.clone() };
                numbers.parts(most).into_iter().map(part).collect()
            }
            _ => vec![self],
        }
    }
}

/// A receiver of the records and meshes of workgroups, in order.
pub trait Sink {
    /// Receives a record for a node and its level, with its undefined bits.
    ///
    /// # Errors
    /// The pending records take more memory than allowed.
    fn record(&mut self, to: (usize, u32), record: &[u8], marks: &[u8], origin: Origin) -> Result<()>;
    fn mesh(&mut self, node: usize, mesh: Mesh);
}

/// One thread.
pub struct Worker<'w> {
    pub memory: &'w mut Memory,
    pub findings: &'w mut Findings,
    pub messages: &'w mut Messages,
    pub races: Option<&'w mut Races>,
    /// Registers by node, created at its first launch.
    pub instances: &'w mut Vec<Option<Instance>>,
}

impl Worker<'_> {
    pub fn run(&mut self, shared: Shared<'_>, job: &Job, sink: &mut impl Sink) -> Result<()> {
        self.prepare(shared, job)?;
        let index = shared.graph.nodes.get(job.node).map_or(0, |node| node.index);
        let batch = &*job.batch;
        let kind = RegionKind::Payload { count: batch.count as u32, allocation: INPUT };
        let region = self.memory.create(batch.bytes.len(), kind).ok_or("not enough memory for records")?;
        self.memory.bytes_mut(region).copy_from_slice(&batch.bytes);
        self.memory.set_undefined(region, &batch.marks);
        let parents: Vec<Parent> = match self.races {
            Some(_) => batch.origins.iter().map(|o| o.parent).collect(),
            None => Vec::new(),
        };
        let mut running = Running { shared, job, region, parents, side: shared.graph.side(job.node, job.level) };
        // An instruction allocated every record that a node sends.
        running.side.from_host = batch.origins.iter().all(|origin| origin.word == 0);
        let place = WorkgroupPosition {
            group: [0; 3],
            groups: [1; 3],
            remaining_recursion: job.level,
            shader_index: index,
            first_record: job.first,
        };
        let result = match &job.groups {
            Groups::One => self.workgroup(&mut running, &place, sink),
            Groups::Lanes => {
                running.side.lanes_are_groups = true;
                self.workgroup(&mut running, &place, sink)
            }
            Groups::Grid(grid, numbers) => {
                running.side.unfinished_groups = numbers.len();
                let [x, y, _] = grid.map(|size| u64::from(size).max(1));
                (0..numbers.len()).map(|i| numbers.get(i)).try_for_each(|i| {
                    let group = [(i % x) as u32, (i / x % y) as u32, (i / (x * y)) as u32];
                    self.workgroup(&mut running, &WorkgroupPosition { group, groups: *grid, ..place }, sink)
                })
            }
        };
        self.destroy(region);
        result
    }

    /// Releases the memory of all nodes.
    pub fn release(&mut self) {
        for mut instance in self.instances.drain(..).flatten() {
            instance.release(self.memory);
        }
    }

    fn destroy(&mut self, region: u32) {
        if let Some(races) = &mut self.races {
            races.forget(region, self.memory.bytes(region).len() as u64);
        }
        self.memory.destroy(region);
    }

    /// Prepares registers for a node, created at its first launch.
    fn prepare(&mut self, shared: Shared<'_>, job: &Job) -> Result<()> {
        let node = shared.graph.nodes.get(job.node).ok_or("no such node")?;
        self.instances.resize_with(shared.graph.nodes.len(), || None);
        if let Some(slot @ None) = self.instances.get_mut(job.node) {
            let width = if node.runs_in_batches() { BATCH } else { node.program.threads() as usize };
            let subgroup = shared.settings.lanes(&node.program) as usize;
            let mut instance = Instance::new(&node.program, width, subgroup, self.memory)?;
            let slots = shared.slots.get(job.node).map_or(&[][..], Vec::as_slice);
            instance.bind(&node.program, slots, shared.push);
            *slot = Some(instance);
        }
        Ok(())
    }

    /// Runs one workgroup, or several single-thread ones as its lanes.
    fn workgroup(&mut self, running: &mut Running<'_>, place: &WorkgroupPosition, sink: &mut impl Sink) -> Result<()> {
        let Running { shared, job, region, parents, side } = running;
        let node = shared.graph.nodes.get(job.node).ok_or("no such node")?;
        let program = &node.program;
        let instance = self.instances.get_mut(job.node).and_then(Option::as_mut).ok_or("a node is not prepared")?;
        instance.start(program, place, self.memory);
        if let Some(input) = &program.input {
            // In a batch, each lane's input is its own record.
            let step = if side.lanes_are_groups { u64::from(input.stride) } else { 0 };
            instance.fill(input.row, |lane| address_of(*region) + step * lane as u64);
        }
        let (lanes, records) = match side.lanes_are_groups {
            true => (job.batch.count, 1),
            false => (program.threads() as usize, job.batch.count as u32),
        };
        side.used.clear();
        side.finished = false;
        if let Some(races) = &mut self.races {
            races.start(job.node as u32, lanes, side.lanes_are_groups, parents);
        }
        let here = Where {
            group: place.group,
            records: Some((place.first_record, records)),
            lanes_are_groups: side.lanes_are_groups,
        };
        let mut world = World {
            memory: self.memory,
            findings: self.findings,
            messages: self.messages,
            images: shared.images,
            samplers: shared.samplers,
            scenes: shared.scenes,
            slots: shared.slots.get(job.node).map_or(&[][..], Vec::as_slice),
            subgroup_size: shared.settings.lanes(program) as usize,
            fuel: shared.settings.fuel,
            graph: Some(side),
            mesh: instance.mesh().map(|_| Counts::default()),
            node: &node.label,
            place: here,
            races: self.races.as_deref_mut(),
        };
        exec::run(program, &mut instance.registers, instance.width, lanes, records, &mut world)?;
        if let Some(region) = instance.mesh() {
            sink.mesh(job.node, put_out(program, region, &mut world)?);
        }
        self.collect(running, here, sink)
    }

    /// Passes on the records that a workgroup enqueued, and frees those that it allocated.
    fn collect(&mut self, running: &mut Running<'_>, place: Where, sink: &mut impl Sink) -> Result<()> {
        let Running { shared, job, side, .. } = running;
        for allocation in side.emitted.drain(..) {
            let Some(allocation) = side.allocations.get(allocation as usize) else { continue };
            let Some(target) = allocation.target else { continue };
            let (bytes, marks) = (self.memory.bytes(allocation.region), self.memory.undefined(allocation.region));
            let origin = Origin { parent: allocation.sent, word: allocation.word };
            for i in 0..allocation.count as usize {
                let start = i * allocation.stride as usize;
                let range = start..start + allocation.stride as usize;
                let record = bytes.get(range.clone()).unwrap_or(&[]);
                sink.record(target, record, marks.get(range).unwrap_or(&[]), origin)?;
            }
        }
        for allocation in std::mem::take(&mut side.allocations) {
            self.destroy(allocation.region);
            if !allocation.enqueued && allocation.count > 0 {
                let Some(node) = shared.graph.nodes.get(job.node) else { continue };
                let target = node.program.outputs.get(allocation.output as usize).map_or("", |o| o.node.as_str());
                let count = allocation.count;
                let at = At { word: allocation.word, lines: &node.program.lines };
                let lane = (!allocation.of_group).then_some(allocation.lane as usize);
                self.findings.report(
                    FindingCode::MissingEnqueue,
                    &node.label,
                    at,
                    || format!("{count} for {target}"),
                    || place.describe(lane),
                )?;
            }
        }
        Ok(())
    }
}

/// A job that is being run.
struct Running<'r> {
    shared: Shared<'r>,
    job: &'r Job,
    /// The region of its records.
    region: u32,
    /// The origins of the records.
    parents: Vec<Parent>,
    side: GraphSide,
}
