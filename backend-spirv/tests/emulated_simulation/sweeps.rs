//! Simulations of scheduled runs: the kernel sched as a plain program over the tables, with and without segments.
//!
//! The tests check these properties. A queue that was consumed in part is never appended to. Records wait only at
//! heads. No queue receives more records than its admissions reserved space for. The deepest segment with records
//! always launches a workgroup, even in the smallest memory. All appended records are consumed in the end.

use super::{Random, SCHEDULES, draw, emitted};
use wgc_abi::device::MAX_GROUPS;
use wgc_abi::tables::{LAUNCH_COALESCING, LAUNCH_DYNAMIC, LAUNCH_FIXED, LAUNCH_THREAD, StageRow, Tables};
use wgc_backend_spirv::emulated::plan::{Plan, Schedule, Settings, plan};
use wgc_ir::Graph;

#[derive(Clone, Copy, Default)]
struct Queue {
    tail: u64,
    capacity: u64,
    appended: u64,
    consumed: u64,
}

struct Sweeps<'a> {
    tables: &'a Tables,
    graph: &'a Graph,
    plan: &'a Plan,
    greedy: bool,
    pages: u64,
    queues: Vec<Queue>,
    /// Slots in use and admitted, by spill.
    spills: Vec<(u64, u64)>,
    /// Launched workgroups of a queue's records by instance, and the number in its grids.
    cursors: Vec<u64>,
    grids: Vec<u64>,
    launched: u64,
}

impl Sweeps<'_> {
    /// Returns the pages in use, if all records that may be in a spill are there.
    fn used(&self) -> u64 {
        let tables = self.tables;
        let of_queue = |(row, queue): (&wgc_abi::tables::QueueRow, &Queue)| {
            let own = if row.spills() { 0 } else { row.record_pages(queue.capacity) };
            own + wgc_abi::tables::prefix_pages(queue.capacity, tables.page_bytes) * u64::from(row.dynamic_count)
        };
        let of_spill = |(row, spill): (&wgc_abi::tables::SpillRow, &(u64, u64))| row.pages(spill.1, tables.page_bytes);
        tables.queues.iter().zip(&self.queues).map(of_queue).sum::<u64>()
            + tables.spills.iter().zip(&self.spills).map(of_spill).sum::<u64>()
    }

    fn groups(&self, instance: usize) -> u64 {
        let row = self.tables.instances[instance];
        let records = self.queues[row.queue as usize].tail;
        match row.launch {
            LAUNCH_THREAD | LAUNCH_COALESCING => records.div_ceil(u64::from(row.unit)),
            LAUNCH_FIXED => records * u64::from(row.grid_groups),
            _ => self.grids[instance],
        }
    }

    /// Frees unneeded memory. Returns the deepest stage with records.
    fn settle(&mut self) -> Option<u32> {
        let mut deepest = None;
        for (number, row) in self.tables.queues.iter().enumerate() {
            let instances = row.first_instance as usize..(row.first_instance + row.instance_count) as usize;
            if instances.clone().all(|instance| self.cursors[instance] == self.groups(instance)) {
                let queue = &mut self.queues[number];
                queue.consumed += queue.tail;
                (queue.tail, queue.capacity) = (0, 0);
                self.cursors[instances.clone()].fill(0);
                self.grids[instances].fill(0);
            } else {
                assert_ne!(self.tables.stages[row.stage as usize].segment, 0, "queue {number} waits behind a head");
                self.queues[number].capacity = self.queues[number].tail;
                deepest = deepest.max(Some(row.stage));
            }
        }
        for (number, row) in self.tables.spills.iter().enumerate() {
            let members = &self.tables.members[row.first_member as usize..][..row.member_count as usize];
            let waits = members.iter().any(|&queue| self.queues[queue as usize].tail != 0);
            self.spills[number].0 *= u64::from(waits);
            self.spills[number].1 = self.spills[number].0;
        }
        deepest
    }

    fn append(&mut self, r: &mut Random, queue: u32) {
        let row = self.tables.queues[queue as usize];
        let state = &mut self.queues[queue as usize];
        state.tail += 1;
        state.appended += 1;
        assert!(state.tail <= state.capacity, "queue {queue} overflows");
        for instance in row.first_instance as usize..(row.first_instance + row.instance_count) as usize {
            assert_eq!(self.cursors[instance], 0, "queue {queue} was consumed in part");
            let consumer = self.tables.instances[instance];
            if consumer.launch == LAUNCH_DYNAMIC {
                let most = consumer.grid_groups;
                self.grids[instance] += u64::from(if self.greedy { most } else { r.below(most + 1) });
            }
        }
    }

    /// Reserves space for the records that may follow from `groups` workgroups of a head's instance. Returns whether
    /// there was enough.
    fn admit(&mut self, instance: usize, groups: u64, available: u64) -> bool {
        let row = self.tables.instances[instance];
        let emitters = if row.launch == LAUNCH_THREAD { groups * u64::from(row.unit) } else { groups };
        let (queues, spills, used) = (self.queues.clone(), self.spills.clone(), self.used());
        let mut fits = true;
        for target in &self.tables.targets[row.first_target as usize..][..row.target_count as usize] {
            let queue = &mut self.queues[target.queue as usize];
            queue.capacity += emitters * u64::from(target.max_records);
            fits &= queue.capacity <= u64::from(self.tables.queues[target.queue as usize].max_records);
        }
        for charge in &self.tables.charges[row.first_charge as usize..][..row.charge_count as usize] {
            self.spills[charge.spill as usize].1 += emitters * u64::from(charge.max_records);
        }
        fits &= self.used() - used <= available;
        if !fits {
            (self.queues, self.spills) = (queues, spills);
        }
        fits
    }

    /// Runs the emitters in the workgroups from `cursor` on.
    fn run(&mut self, r: &mut Random, instance: usize, cursor: u64, groups: u64) {
        let row = self.tables.instances[instance];
        let records = self.queues[row.queue as usize].tail;
        let emitters = match row.launch {
            LAUNCH_THREAD => (groups * u64::from(row.unit)).min(records.saturating_sub(cursor * u64::from(row.unit))),
            _ => groups,
        };
        self.launched += groups;
        for _ in 0..emitters {
            let node = &self.graph.nodes[self.plan.instances[instance].node];
            for queue in emitted(self.tables, node, instance, self.greedy, r) {
                let row = self.tables.queues[queue as usize];
                if row.spills() {
                    let spill = &mut self.spills[row.spill as usize];
                    spill.0 += 1;
                    assert!(spill.0 <= spill.1, "spill {} overflows", row.spill);
                }
                self.append(r, queue);
            }
        }
    }

    fn segment(&mut self, r: &mut Random, head: u32, deepest: u32) {
        self.settle();
        if head < deepest {
            return;
        }
        let stages: &[StageRow] = &self.tables.stages[head as usize..];
        let segment = &stages[..stages[0].segment as usize];
        let instances =
            |row: &StageRow| row.first_instance as usize..(row.first_instance + row.instance_count) as usize;
        let before = self.launched;
        let mut launches = Vec::new();
        let waiting = instances(&segment[0]).any(|instance| self.groups(instance) != self.cursors[instance]);
        for instance in instances(&segment[0]) {
            let cursor = self.cursors[instance];
            let available = (self.pages - self.used()).saturating_sub(u64::from(segment[0].reserve));
            let mut groups = self.groups(instance) - cursor;
            while groups != 0 && !self.admit(instance, groups, available) {
                groups = if groups > 4 { groups / 2 } else { groups - 1 };
            }
            self.cursors[instance] += groups;
            launches.push((instance, cursor, groups));
        }
        assert!(self.used() <= self.pages, "more pages than there are");
        for (instance, cursor, groups) in launches {
            self.run(r, instance, cursor, groups);
        }
        assert!(head != deepest || !waiting || self.launched != before, "the deepest segment cannot launch");
        for instance in segment[1..].iter().flat_map(instances) {
            let groups = self.groups(instance);
            assert!(groups <= MAX_GROUPS, "too many workgroups at once");
            self.run(r, instance, 0, groups);
        }
        // All have run before the next kernel checks.
        for instance in segment[1..].iter().flat_map(instances) {
            self.cursors[instance] = self.groups(instance);
        }
    }

    /// Accepts as many entry records as there is space for.
    fn enter(&mut self, r: &mut Random, entries: &mut [u64]) {
        let available = self.pages - u64::from(self.tables.min_pages - self.tables.entry_pages);
        for (queue, left) in entries.iter_mut().enumerate() {
            while *left != 0 {
                self.queues[queue].capacity += 1;
                if self.used() > available {
                    self.queues[queue].capacity -= 1;
                    return;
                }
                *left -= 1;
                self.append(r, queue as u32);
            }
        }
    }

    fn run_out(&mut self, r: &mut Random, mut entries: Vec<u64>) {
        while let Some(deepest) = self.settle().or_else(|| entries.iter().any(|&left| left != 0).then_some(0)) {
            let before = (self.launched, entries.clone());
            if self.queues.iter().all(|queue| queue.tail == 0) {
                self.enter(r, &mut entries);
            }
            for head in (0..self.tables.stages.len() as u32).filter(|&s| self.tables.stages[s as usize].segment != 0) {
                self.segment(r, head, deepest);
            }
            assert_ne!(before, (self.launched, entries.clone()), "a sweep does nothing");
        }
        assert!(self.queues.iter().all(|queue| queue.consumed == queue.appended), "records are lost");
    }
}

/// Returns the length of the longest segment, if the graph was small enough to run.
fn check(seed: u64, schedule: Schedule) -> Option<u32> {
    let r = &mut Random::new(seed);
    let graph = draw(r, false);
    let settings = Settings {
        page_bytes: 1 << 10,
        direct_targets: [4, 1, 100, 2][seed as usize % 4],
        segment_bytes: [64 << 10, 1 << 20, 0][seed as usize / 4 % 3],
        joint_dispatch: [0, 2][seed as usize / 12 % 2],
        schedule,
        ..Settings::default()
    };
    let plan = plan(&graph, &settings).unwrap_or_else(|e| panic!("seed {seed}: {e}"));
    let tables = &plan.tables;
    assert!(Tables::decode(&tables.encode()).is_ok(), "seed {seed}: the tables contradict themselves");
    let entry = |node: usize| graph.nodes[node].entry && graph.nodes[node].share_input_of.is_none();
    let mut entries = vec![0; tables.queues.len()];
    for node in (0..graph.nodes.len()).filter(|&node| entry(node)) {
        entries[plan.queue_of_node[node] as usize] =
            u64::from(r.below::<u32>(if seed.is_multiple_of(5) { 200 } else { 30 }));
    }
    let closure = wgc_runtime::emulated::closure(tables, &entries).ok()?;
    if closure.records.iter().chain(&closure.groups).sum::<u64>() > 6000 {
        return None;
    }
    for (times, greedy) in [(1, true), (1, false), (2, false), (50, true)] {
        let mut sweeps = Sweeps {
            tables,
            graph: &graph,
            plan: &plan,
            greedy,
            pages: u64::from(tables.min_pages) * times,
            queues: vec![Queue::default(); tables.queues.len()],
            spills: vec![(0, 0); tables.spills.len()],
            cursors: vec![0; tables.instances.len()],
            grids: vec![0; tables.instances.len()],
            launched: 0,
        };
        sweeps.run_out(r, entries.clone());
    }
    let longest = tables.stages.iter().map(|stage| stage.segment).max();
    assert!(settings.segment_bytes != 0 || longest <= Some(1), "seed {seed} has segments");
    longest
}

#[test]
fn sweeps_lose_no_records_and_always_progress() {
    for schedule in SCHEDULES {
        let segments: Vec<u32> = (0..600).filter_map(|seed| check(seed, schedule)).collect();
        let long = |least: u32| segments.iter().filter(|&&stages| stages >= least).count();
        assert!(segments.len() > 200 && long(2) > 80 && long(4) > 10, "{schedule:?}: {segments:?}");
    }
}
