//! Runs a graph until no record waits: picks a queue, makes workgroups of its records, queues what they emit.

use super::queue::{Batch, Origin, Queue};
use super::{Graph, GraphInput, GraphRun, GraphSide, Launch};
use crate::cpu::exec::{self, Bound, Where, World};
use crate::cpu::findings::{At, Code, Findings};
use crate::cpu::image::Image;
use crate::cpu::launch::{Instance, Place};
use crate::cpu::memory::{INPUT, Memory, RegionKind, address_of, read_number};
use crate::cpu::message::Messages;
use crate::cpu::random::Random;
use crate::cpu::sanitize::Races;
use crate::cpu::settings::{Batching, CpuSettings, Order};
use crate::cpu::trace::Scene;
use crate::device::SamplerDesc;
use rustc_hash::FxHashMap;

type Result<T> = std::result::Result<T, String>;

/// Single-thread workgroups that run as lanes of one.
const BATCH: usize = 64;
/// Grids up to this many workgroups are shuffled under the random order.
const SHUFFLED: u64 = 1 << 16;

/// What a dispatch uses of the device.
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

struct Run<'g, 'c> {
    graph: &'g mut Graph,
    context: Context<'c>,
    queues: Vec<Queue>,
    by_level: FxHashMap<(usize, u32), usize>,
    arrivals: u64,
    random: Random,
    batches: Random,
    records: Vec<u64>,
    workgroups: Vec<u64>,
    left: u64,
    /// Workgroups that sent the running records.
    parents: Vec<u32>,
}

/// Dispatches a graph and returns when no record is left.
pub fn dispatch(graph: &mut Graph, inputs: &[GraphInput], context: Context<'_>) -> Result<GraphRun> {
    let nodes = graph.nodes.len();
    let seed = |order| if let Order::Random(seed) = order { seed } else { 0 };
    let batch_seed = if let Batching::Random(seed) = context.settings.batching { seed } else { 0 };
    let mut run = Run {
        random: Random::new(seed(context.settings.order)),
        batches: Random::new(batch_seed),
        left: context.settings.max_workgroups,
        graph,
        context,
        queues: Vec::new(),
        by_level: FxHashMap::default(),
        arrivals: 0,
        records: vec![0; nodes],
        workgroups: vec![0; nodes],
        parents: Vec::new(),
    };
    for input in inputs {
        run.input(input)?;
    }
    let result = run.drain();
    for node in &mut run.graph.nodes {
        if let Some(mut instance) = node.instance.take() {
            instance.release(run.context.memory);
        }
    }
    result?;
    let mut out = GraphRun::default();
    for (number, node) in run.graph.nodes.iter().enumerate() {
        let key = (node.name.clone(), node.index);
        out.records.insert(key.clone(), run.records.get(number).copied().unwrap_or(0));
        out.workgroups.insert(key, run.workgroups.get(number).copied().unwrap_or(0));
    }
    Ok(out)
}

impl Run<'_, '_> {
    fn input(&mut self, input: &GraphInput) -> Result<()> {
        let label = format!("{}[{}]", input.node, input.index);
        let number = self.graph.find(&input.node, input.index).ok_or_else(|| format!("{label} is no node"))?;
        let node = self.graph.nodes.get(number).ok_or("no such node")?;
        if !node.api_entry {
            return Err(format!("{label} is no entry of the graph (IsApiEntryAMDX is false)"));
        }
        let (size, level) = (node.stride(), node.recursion);
        let stride = input.stride as usize;
        let last = (input.count as usize).saturating_sub(1).saturating_mul(stride);
        if input.count > 0 && input.records.len() < last.saturating_add(size) {
            let have = input.records.len();
            return Err(format!(
                "{label}: {} records of {size} bytes, {stride} apart, need more than {have} bytes",
                input.count
            ));
        }
        if input.count > 1 && stride != 0 && stride < size {
            return Err(format!("{label}: records of {size} bytes cannot be {stride} bytes apart"));
        }
        for i in 0..input.count as usize {
            let record = input.records.get(i * stride..i * stride + size).unwrap_or(&[]).to_vec();
            self.push(number, level, &record, &[], Origin::default());
        }
        Ok(())
    }

    /// Queues a record for a node and those that share its input.
    fn push(&mut self, node: usize, level: u32, record: &[u8], marks: &[u8], origin: Origin) {
        let sharers = self.graph.nodes.get(node).map(|n| n.sharers.clone()).unwrap_or_default();
        self.push_one(node, level, record, marks, origin);
        for sharer in sharers {
            let level = self.graph.nodes.get(sharer).map_or(0, |n| n.recursion);
            self.push_one(sharer, level, record, marks, origin);
        }
    }

    fn push_one(&mut self, node: usize, level: u32, record: &[u8], marks: &[u8], origin: Origin) {
        let next = self.queues.len();
        let at = *self.by_level.entry((node, level)).or_insert(next);
        if at == next {
            let stride = self.graph.nodes.get(node).map_or(0, |n| n.stride());
            self.queues.push(Queue::new(node, level, stride));
        }
        self.arrivals += 1;
        if let Some(queue) = self.queues.get_mut(at) {
            queue.push(record, marks, origin, self.arrivals);
        }
    }

    fn drain(&mut self) -> Result<()> {
        while let Some(at) = self.pick() {
            self.launch(at)?;
        }
        Ok(())
    }

    /// The queue to serve next.
    fn pick(&mut self) -> Option<usize> {
        let full = self.context.settings.batching == Batching::Full;
        let ready = |run: &Self, at: usize, whole: bool| {
            let Some(queue) = run.queues.get(at).filter(|q| !q.is_empty()) else { return false };
            let most = run.graph.nodes.get(queue.node).map_or(1, |n| n.max_records());
            // A batch that is not full waits for what others may still add.
            !whole || queue.len() >= most as usize
        };
        let mut candidates: Vec<usize> = (0..self.queues.len()).filter(|&q| ready(self, q, full)).collect();
        if candidates.is_empty() {
            candidates = (0..self.queues.len()).filter(|&q| ready(self, q, false)).collect();
        }
        match self.context.settings.order {
            Order::Fifo => candidates.into_iter().min_by_key(|&q| self.queues.get(q).map(Queue::oldest)),
            Order::Lifo => candidates.into_iter().max_by_key(|&q| self.queues.get(q).map(Queue::newest)),
            Order::Random(_) => {
                let at = self.random.below(candidates.len() as u64) as usize;
                candidates.get(at).copied()
            }
        }
    }

    fn launch(&mut self, at: usize) -> Result<()> {
        let queue = self.queues.get(at).ok_or("no such queue")?;
        let (number, level, waiting) = (queue.node, queue.level, queue.len());
        let node = self.graph.nodes.get(number).ok_or("no such node")?;
        let batches = node.runs_in_batches();
        let most = node.max_records() as usize;
        let count = match self.context.settings.batching {
            _ if batches => BATCH,
            Batching::Full => most,
            Batching::Single => 1,
            Batching::Random(_) => 1 + self.batches.below(most as u64) as usize,
        };
        let count = count.min(waiting);
        let (launch, index) = (node.launch, node.index);
        let width = if batches { BATCH } else { node.program.threads() as usize };
        self.prepare(number, width)?;
        let order = self.context.settings.order;
        let queue = self.queues.get_mut(at).ok_or("no such queue")?;
        let batch = queue.take(count, order, &mut self.random);
        let bytes = &batch.bytes;
        let mut first = 0;
        if let Some(records) = self.records.get_mut(number) {
            first = *records;
            *records += count as u64;
        }
        self.parents.clear();
        self.parents.extend(batch.origins.iter().map(|o| o.group));
        let kind = RegionKind::Payload { count: count as u32, allocation: INPUT };
        let region = self.context.memory.create(bytes.len(), kind).ok_or("no memory is left for records")?;
        self.context.memory.bytes_mut(region).copy_from_slice(bytes);
        self.context.memory.set_undefined(region, &batch.marks);
        let mut side = self.graph.side(number, level);
        let place = Place {
            group: [0; 3],
            groups: [1; 3],
            remaining_recursion: level,
            shader_index: index,
            first_record: first,
        };
        let result = match launch {
            Launch::Coalescing => {
                side.lanes_are_groups = batches;
                let (lanes, records) = if batches { (count, 1) } else { (width, count as u32) };
                self.workgroup(number, &mut side, &place, region, lanes, records, if batches { count } else { 1 })
            }
            Launch::Static(grid) => self.grid(number, &mut side, place, region, grid),
            Launch::Dynamic(most) => {
                let grid = self.dispatch_grid(number, &batch, first, most)?;
                self.grid(number, &mut side, place, region, grid)
            }
        };
        self.destroy(region);
        result
    }

    fn destroy(&mut self, region: u32) {
        if let Some(races) = &mut self.context.races {
            races.forget(region, self.context.memory.bytes(region).len() as u64);
        }
        self.context.memory.destroy(region);
    }

    /// Registers for a node, made at its first launch.
    fn prepare(&mut self, number: usize, width: usize) -> Result<()> {
        let node = self.graph.nodes.get_mut(number).ok_or("no such node")?;
        if node.instance.is_none() {
            let subgroup = self.context.settings.subgroup_size as usize;
            let mut instance = Instance::new(&node.program, width, subgroup, self.context.memory)?;
            let slots = self.context.slots.get(number).map_or(&[][..], Vec::as_slice);
            instance.bind(&node.program, slots, self.context.push);
            node.instance = Some(instance);
        }
        Ok(())
    }

    /// The grid that a record asks for, cut to the node's maximum.
    fn dispatch_grid(&mut self, number: usize, batch: &Batch, first: u64, most: [u32; 3]) -> Result<[u32; 3]> {
        let node = self.graph.nodes.get(number).ok_or("no such node")?;
        let Some((offset, components, bytes)) = node.program.input.as_ref().and_then(|i| i.grid) else {
            return Err(format!("node {} has no dispatch grid", node.label));
        };
        let mut grid = [1u32; 3];
        for (i, slot) in grid.iter_mut().enumerate().take(components as usize) {
            let at = (offset + i as u32 * bytes) as usize;
            *slot = read_number(batch.bytes.get(at..).unwrap_or(&[]), bytes as u8) as u32;
        }
        // What is wrong with the record is so where it was made.
        let word = batch.origins.first().map_or(0, |o| o.word);
        let at = At { word, lines: &node.program.lines };
        let who = || format!("record {first}");
        let marks = batch.marks.iter().skip(offset as usize).take((components * bytes) as usize);
        if marks.into_iter().any(|&m| m != 0) {
            let what = || "the dispatch grid of a record".into();
            self.context.findings.report(Code::Uninitialised, &node.label, at, what, who)?;
        }
        let cut = [grid[0].min(most[0]), grid[1].min(most[1]), grid[2].min(most[2])];
        if cut != grid {
            self.context.findings.report(
                Code::GridAboveMaximum,
                &node.label,
                at,
                || format!("{grid:?}, at most {most:?}"),
                who,
            )?;
        }
        Ok(cut)
    }

    /// All workgroups of a record.
    fn grid(&mut self, number: usize, side: &mut GraphSide, place: Place, region: u32, grid: [u32; 3]) -> Result<()> {
        let total = grid.iter().try_fold(1u64, |p, &s| p.checked_mul(u64::from(s))).ok_or("a grid is too large")?;
        side.unfinished_groups = total;
        let lanes = self.graph.nodes.get(number).map_or(1, |n| n.program.threads()) as usize;
        let shuffled: Option<Vec<u64>> = match self.context.settings.order {
            Order::Random(_) if total <= SHUFFLED => {
                let mut list: Vec<u64> = (0..total).collect();
                for i in (1..list.len()).rev() {
                    list.swap(i, self.random.below(i as u64 + 1) as usize);
                }
                Some(list)
            }
            _ => None,
        };
        for i in 0..total {
            let i = shuffled.as_ref().and_then(|s| s.get(i as usize).copied()).unwrap_or(i);
            let (x, y) = (u64::from(grid[0]), u64::from(grid[1]));
            let group = [(i % x) as u32, (i / x % y) as u32, (i / (x * y)) as u32];
            let place = Place { group, groups: grid, ..place };
            self.workgroup(number, side, &place, region, lanes, 1, 1)?;
        }
        Ok(())
    }

    /// One workgroup, or a batch of `groups` single-thread ones.
    #[allow(clippy::too_many_arguments)]
    fn workgroup(
        &mut self,
        number: usize,
        side: &mut GraphSide,
        place: &Place,
        region: u32,
        lanes: usize,
        records: u32,
        groups: usize,
    ) -> Result<()> {
        if let Some(count) = self.workgroups.get_mut(number) {
            *count += groups as u64;
        }
        let node = self.graph.nodes.get_mut(number).ok_or("no such node")?;
        self.left = self.left.checked_sub(groups as u64).ok_or_else(|| {
            format!("the graph does not come to an end: the limit of workgroups is reached in node {}", node.label)
        })?;
        let program = &node.program;
        let instance = node.instance.as_mut().ok_or("a node is not prepared")?;
        instance.start(program, place, self.context.memory);
        if let Some(input) = &program.input {
            // In a batch, each lane's input is its own record.
            let step = if side.lanes_are_groups { u64::from(input.stride) } else { 0 };
            instance.fill(input.row, |lane| address_of(region) + step * lane as u64);
        }
        side.used.clear();
        side.finished = false;
        if let Some(races) = &mut self.context.races {
            races.start(number as u32, lanes, side.lanes_are_groups, &self.parents);
        }
        let here = Where {
            group: place.group,
            records: Some((place.first_record, records)),
            lanes_are_groups: side.lanes_are_groups,
        };
        let mut world = World {
            memory: self.context.memory,
            findings: self.context.findings,
            messages: self.context.messages,
            images: self.context.images,
            samplers: self.context.samplers,
            scenes: self.context.scenes,
            slots: self.context.slots.get(number).map_or(&[][..], Vec::as_slice),
            subgroup_size: self.context.settings.subgroup_size as usize,
            fuel: self.context.settings.fuel,
            graph: Some(side),
            node: &node.label,
            place: here,
            races: self.context.races.as_deref_mut(),
        };
        exec::run(program, &mut instance.registers, instance.width, lanes, records, &mut world)?;
        self.collect(number, side, here)
    }

    /// Queues what a workgroup enqueued and frees what it allocated.
    fn collect(&mut self, number: usize, side: &mut GraphSide, place: Where) -> Result<()> {
        for allocation in side.emitted.drain(..) {
            let Some(allocation) = side.allocations.get(allocation as usize) else { continue };
            let Some((target, level)) = allocation.target else { continue };
            let bytes = self.context.memory.bytes(allocation.region).to_vec();
            let marks = self.context.memory.undefined(allocation.region).to_vec();
            let group = self.context.races.as_ref().map_or(0, |races| races.group_of(allocation.lane as usize));
            let origin = Origin { group, word: allocation.word };
            for i in 0..allocation.count as usize {
                let start = i * allocation.stride as usize;
                let range = start..start + allocation.stride as usize;
                let record = bytes.get(range.clone()).unwrap_or(&[]);
                self.push(target, level, record, marks.get(range).unwrap_or(&[]), origin);
            }
        }
        for allocation in side.allocations.drain(..) {
            self.destroy(allocation.region);
            if !allocation.enqueued && allocation.count > 0 {
                let Some(node) = self.graph.nodes.get(number) else { continue };
                let target = node.program.outputs.get(allocation.output as usize).map_or("", |o| o.node.as_str());
                let count = allocation.count;
                let at = At { word: allocation.word, lines: &node.program.lines };
                let lane = (!allocation.of_group).then_some(allocation.lane as usize);
                self.context.findings.report(
                    Code::MissingEnqueue,
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
