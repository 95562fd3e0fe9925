//! The work of a scheduled run between its launches, as a plain program over the tables. It follows the rules of
//! docs/emulation-abi.md, section 9, with complete sums instead of the kernel's counters.
//!
//! Its input is the appended records, its output the admissions: windows, pages, arguments.

use std::rc::Rc;
use wgc_abi::device::{self as abi, Arguments, InstanceState, QueueState, SpillState, Status};
use wgc_abi::tables::{LAUNCH_DYNAMIC, LAUNCH_FIXED, LAUNCH_THREAD, QueueRow, StageRow, Tables};

/// Pending records, and room for more.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Queue {
    pub records: u64,
    pub room: u64,
    /// The part of the room that is in its own pages.
    pub own: u64,
    /// The previous maximum of records.
    pub peak: u64,
    /// The maximum of the previous dispatch.
    pub predicted: u64,
    /// Pages of its records, without those at its start that were released.
    pub pages: u64,
    pub returned: u64,
    pub prefix_pages: u64,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spill {
    pub records: u64,
    pub room: u64,
    pub scattered: bool,
    pub pages: u64,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Instance {
    /// Launched workgroups of the queue's records, and those that its grids ask for.
    pub launched: u64,
    pub grids: u64,
    /// Start of a head's last window, and its workgroups.
    pub window: (u64, u64),
}

/// The state of a dispatch between two launches.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct State {
    pub queues: Vec<Queue>,
    pub spills: Vec<Spill>,
    pub instances: Vec<Instance>,
    /// X and Y: of the instances, of inject, of scatter by spill.
    pub arguments: Vec<[u32; 2]>,
    pub ended: bool,
    /// Threads of inject: the first of this sweep, and their number.
    pub entries: (u64, u64),
    pub free: u64,
    pub least_free: u64,
    pub deepest: u32,
    pub sweeps: u32,
}

/// The host's parameters of a whole dispatch.
#[derive(Clone, Debug, Default)]
pub struct Host {
    pub pages: u64,
    pub group_limit: u64,
    pub admit_one: bool,
    pub spill_all: bool,
    /// Queue, records and threads of each.
    pub spans: Vec<(u32, u64, u64)>,
}

impl Host {
    pub fn new(context: &abi::Context, spans: &[abi::Span]) -> Self {
        Self {
            pages: u64::from(context.page_count),
            group_limit: u64::from(context.group_limit),
            admit_one: context.admit == abi::ADMIT_ONE,
            spill_all: context.direct == abi::DIRECT_NONE,
            spans: spans.iter().map(|span| (span.queue, span.count.into(), span.threads.into())).collect(),
        }
    }
}

impl State {
    /// Decodes a state from a device's memory.
    pub fn decode(tables: &Tables, queues: &[u8], instances: &[u8], arguments: &[u8], status: &Status) -> Self {
        let (own, spills) = queues.split_at(tables.queues.len() * QueueState::SIZE);
        let queue = |row: &QueueRow, state: QueueState| Queue {
            records: state.tail.into(),
            room: state.capacity.into(),
            own: state.direct.into(),
            peak: state.peak.into(),
            predicted: state.predicted.into(),
            pages: u64::from(state.page_count - state.returned),
            returned: state.returned.into(),
            prefix_pages: u64::from(state.prefix_pages) * u64::from(row.dynamic_count),
        };
        let spill = |state: SpillState| Spill {
            records: state.tail.into(),
            room: state.capacity.into(),
            scattered: state.scattered != 0,
            pages: u64::from(state.page_count) + u64::from(state.index_pages),
        };
        let instance = |launch: u32, state: InstanceState| Instance {
            launched: state.cursor,
            grids: if launch == LAUNCH_DYNAMIC { state.counter & ((1 << abi::PREFIX_GROUP_BITS) - 1) } else { 0 },
            window: (state.window_first, state.window_groups.into()),
        };
        let own = own.chunks_exact(QueueState::SIZE).filter_map(QueueState::decode);
        let states = instances.chunks_exact(InstanceState::SIZE).filter_map(InstanceState::decode);
        Self {
            queues: tables.queues.iter().zip(own).map(|(row, state)| queue(row, state)).collect(),
            spills: spills.chunks_exact(SpillState::SIZE).filter_map(SpillState::decode).map(spill).collect(),
            instances: tables.instances.iter().zip(states).map(|(row, state)| instance(row.launch, state)).collect(),
            arguments: (arguments.chunks_exact(Arguments::SIZE).filter_map(Arguments::decode))
                .map(|arguments| [arguments.x, arguments.y])
                .collect(),
            ended: status.state != abi::STATE_PENDING,
            entries: (status.entry_first.into(), status.entry_count.into()),
            free: status.pages_free.into(),
            least_free: status.pages_least.into(),
            deepest: status.deepest,
            sweeps: status.sweeps,
        }
    }

    /// Describes the first difference from the expected state.
    pub fn difference(&self, expected: &State) -> Option<String> {
        fn list<T: PartialEq + std::fmt::Debug>(what: &str, found: &[T], expected: &[T]) -> Option<String> {
            let at = (0..found.len().max(expected.len())).find(|at| found.get(*at) != expected.get(*at))?;
            Some(format!("{what} {at} is {:?}, and should be {:?}", found.get(at), expected.get(at)))
        }
        let rest = |state: &State| {
            let State { ended, entries, free, least_free, deepest, sweeps, .. } = state;
            format!(
                "ended {ended}, entries {entries:?}, free {free}, at least {least_free}, deepest {deepest}, sweep {sweeps}"
            )
        };
        list("queue", &self.queues, &expected.queues)
            .or_else(|| list("spill", &self.spills, &expected.spills))
            .or_else(|| list("instance", &self.instances, &expected.instances))
            .or_else(|| list("argument", &self.arguments, &expected.arguments))
            .or_else(|| (self != expected).then(|| format!("{}; and should be {}", rest(self), rest(expected))))
    }
}

/// A scheduled run.
pub struct Scheduler {
    pub tables: Rc<Tables>,
    pub host: Host,
    pub state: State,
}

impl Scheduler {
    pub fn new(tables: Tables) -> Self {
        Self { tables: Rc::new(tables), host: Host::default(), state: State::default() }
    }

    /// Performs a launch of the kernel on the given state.
    ///
    /// # Errors
    /// The shaders have appended impossible records.
    pub fn launch(&mut self, asked: u32, seen: &State) -> Result<(), String> {
        match asked {
            abi::SCHED_OPEN | abi::SCHED_OPEN_COUNTED => self.open(seen),
            _ => self.appended(seen)?,
        }
        match asked {
            abi::SCHED_OPEN_COUNTED => {}
            abi::SCHED_OPEN | abi::SCHED_BEGIN => self.between(false),
            abi::SCHED_END => self.between(true),
            head => self.segment(head),
        }
        Ok(())
    }

    /// Opens a dispatch; `before` is the state after the previous one.
    fn open(&mut self, before: &State) {
        let (tables, host) = (&self.tables, &self.host);
        let queue =
            |queue: &Queue| Queue { predicted: queue.peak.max(queue.records.min(queue.room)), ..Queue::default() };
        self.state = State {
            queues: before.queues.iter().map(queue).collect(),
            spills: vec![Spill::default(); tables.spills.len()],
            instances: vec![Instance::default(); tables.instances.len()],
            arguments: vec![[0; 2]; tables.instances.len() + 1 + tables.spills.len()],
            free: host.pages,
            least_free: host.pages,
            ..State::default()
        };
    }

    /// Applies the changes of shaders: records, grids and, after heads, workgroups.
    fn appended(&mut self, seen: &State) -> Result<(), String> {
        for (number, (queue, seen)) in self.state.queues.iter_mut().zip(&seen.queues).enumerate() {
            if seen.records > queue.room {
                return Err(format!("queue {number} has room for {} records and gets {}", queue.room, seen.records));
            }
            queue.records = seen.records;
        }
        for (number, (spill, seen)) in self.state.spills.iter_mut().zip(&seen.spills).enumerate() {
            if seen.records > spill.room {
                return Err(format!("spill {number} has room for {} records and gets {}", spill.room, seen.records));
            }
            spill.records = seen.records;
        }
        for (instance, seen) in self.state.instances.iter_mut().zip(&seen.instances) {
            instance.grids = seen.grids;
        }
        self.state.arguments.clone_from(&seen.arguments);
        Ok(())
    }

    /// Returns the number of pages in use, and updates their owners.
    fn count(&mut self) -> u64 {
        let page_bytes = self.tables.page_bytes;
        let mut all = 0;
        for (row, queue) in self.tables.queues.iter().zip(&mut self.state.queues) {
            queue.pages = row.record_pages(queue.own) - queue.returned;
            queue.prefix_pages = row.pages(queue.room, page_bytes) - row.record_pages(queue.room);
            all += queue.pages + queue.prefix_pages;
        }
        for (row, spill) in self.tables.spills.iter().zip(&mut self.state.spills) {
            spill.pages = row.pages(spill.room, page_bytes);
            all += spill.pages;
        }
        all
    }

    /// Returns the number of free pages.
    fn free(&mut self) -> u64 {
        let used = self.count();
        assert!(used <= self.host.pages, "{used} pages of {}", self.host.pages);
        self.state.free = self.host.pages - used;
        self.state.free
    }

    /// Returns the workgroups that the records of an instance's queue ask for.
    fn groups(&self, instance: usize) -> u64 {
        let row = &self.tables.instances[instance];
        let records = self.state.queues[row.queue as usize].records;
        match row.launch {
            LAUNCH_DYNAMIC => self.state.instances[instance].grids,
            LAUNCH_FIXED => records * u64::from(row.grid_groups),
            _ => records.div_ceil(u64::from(row.unit)),
        }
    }

    fn is_head(&self, stage: u32) -> bool {
        self.tables.stages[stage as usize].segment != 0
    }

    /// Returns whether everything in a queue is done: after heads, appending shaders have launched it.
    fn is_done(&self, number: usize) -> bool {
        let (row, queue) = (&self.tables.queues[number], &self.state.queues[number]);
        let mut consumers = row.first_instance as usize..(row.first_instance + row.instance_count) as usize;
        let launched =
            !self.is_head(row.stage) || consumers.all(|i| self.state.instances[i].launched == self.groups(i));
        let unordered = row.spills() && queue.records > queue.own && !self.state.spills[row.spill as usize].scattered;
        launched && !unordered
    }

    /// Returns the pages at the start of a queue whose records no future workgroup reads.
    fn consumed_pages(&self, number: usize) -> u64 {
        let (row, queue) = (&self.tables.queues[number], &self.state.queues[number]);
        let consumers = row.first_instance as usize..(row.first_instance + row.instance_count) as usize;
        let first_wanted = |i: usize| {
            let (instance, launched) = (&self.tables.instances[i], self.state.instances[i].launched);
            match instance.launch {
                // In no order.
                LAUNCH_DYNAMIC => 0,
                LAUNCH_FIXED => launched.checked_div(instance.grid_groups.into()).unwrap_or(0),
                _ => (launched * u64::from(instance.unit)).min(queue.records),
            }
        };
        let wanted = consumers.map(first_wanted).min().unwrap_or(queue.records);
        wanted.min(queue.own).checked_div(row.slots.into()).unwrap_or(0)
    }

    /// Releases unneeded memory, except from the stage `kept`. Returns one more than the deepest stage with records, or 0.
    fn settle(&mut self, kept: Option<u32>) -> u32 {
        let mut deepest = 0;
        let all = 0..self.tables.queues.len();
        let done: Vec<_> = all.map(|queue| (self.is_done(queue), self.consumed_pages(queue))).collect();
        for ((row, queue), (done, consumed)) in self.tables.queues.iter().zip(&mut self.state.queues).zip(done) {
            if !done {
                deepest = deepest.max(row.stage + 1);
            }
            match done {
                _ if kept == Some(row.stage) => {}
                true => {
                    queue.peak = queue.peak.max(queue.records);
                    if queue.records != 0 {
                        let consumers = row.first_instance as usize..(row.first_instance + row.instance_count) as usize;
                        for instance in &mut self.state.instances[consumers] {
                            (instance.launched, instance.grids) = (0, 0);
                        }
                    }
                    (queue.records, queue.room, queue.own, queue.returned) = (0, 0, 0, 0);
                }
                false => {
                    (queue.room, queue.own) = (queue.records, queue.own.min(queue.records));
                    queue.returned = consumed;
                }
            }
        }
        for (row, spill) in self.tables.spills.iter().zip(&mut self.state.spills).filter(|(_, spill)| spill.room != 0) {
            let members = &self.tables.members[row.first_member as usize..][..row.member_count as usize];
            if members.iter().all(|queue| self.state.queues[*queue as usize].records == 0) {
                (spill.records, spill.scattered) = (0, false);
            }
            spill.room = spill.records;
        }
        self.free();
        deepest
    }

    /// Sets arguments for `groups` workgroups, in rows of at most `width`.
    fn dispatch(&mut self, slot: usize, groups: u64, width: u64) {
        let rows = groups.div_ceil(width).max(1);
        self.state.arguments[slot] = [groups.div_ceil(rows) as u32, rows as u32];
    }

    fn stop(&mut self, kept: Option<u32>) {
        let kept = kept.map_or(0..0, |stage| instances(&self.tables.stages[stage as usize]));
        for (slot, [x, _]) in self.state.arguments.iter_mut().enumerate() {
            *x = if kept.contains(&slot) { *x } else { 0 };
        }
    }

    /// Begins or ends a sweep.
    fn between(&mut self, is_end: bool) {
        if self.state.ended {
            if !is_end {
                self.stop(None);
            }
            return;
        }
        let kept = self.tables.mesh_stage.filter(|_| is_end);
        let deepest = self.settle(kept);
        let entered = self.state.entries.0 + self.state.entries.1;
        let threads: u64 = self.host.spans.iter().map(|(.., threads)| threads).sum();
        if deepest == 0 && entered == threads {
            self.stop(kept);
            self.state.ended = true;
        } else if !is_end {
            match deepest {
                0 => self.enter(entered, threads - entered),
                _ => self.state.arguments[self.tables.instances.len()][0] = 0,
            }
            self.state.deepest = deepest.saturating_sub(1);
            self.state.sweeps += 1;
        } else {
            self.state.deepest = deepest.saturating_sub(1);
        }
    }

    /// Returns the records for each queue from the threads of inject, from `first` on.
    fn entering(&self, first: u64, count: u64) -> Vec<(u32, u64)> {
        let mut at = 0;
        let mut out = Vec::new();
        for (queue, records, threads) in &self.host.spans {
            let (begin, end) = (first.max(at), (first + count).min(at + threads));
            at += threads;
            if begin < end {
                // A single thread handles all empty records.
                out.push((*queue, if *threads == 1 { *records } else { end - begin }));
            }
        }
        out
    }

    /// Admits as many entry records as fit in addition to the stages' minimum. All of them may use three quarters of
    /// the rest; otherwise as many as fit in half of it, and at least one.
    fn enter(&mut self, first: u64, left: u64) {
        let available = self.host.pages - u64::from(self.tables.min_pages - self.tables.entry_pages);
        let fits = |count: u64, available: u64| {
            let spans = self.entering(first, count);
            let row = |queue: &u32| &self.tables.queues[*queue as usize];
            let pages: u64 = spans.iter().map(|(queue, n)| row(queue).pages(*n, self.tables.page_bytes)).sum();
            let too_many = |(queue, _): &(u32, u64)| row(queue).slots != 0 && count > u64::from(row(queue).max_records);
            pages <= available && !spans.iter().any(too_many)
        };
        let one = left.min(1);
        let half = (available / 2).max(self.tables.entry_pages.into());
        let count = match self.host.admit_one {
            true => one,
            false if fits(left, (available - available / 4).max(self.tables.entry_pages.into())) => left,
            false => most(one, left, |count| fits(count, half)),
        };
        for (queue, records) in self.entering(first, count) {
            let queue = &mut self.state.queues[queue as usize];
            queue.room += records;
            queue.own = queue.room;
        }
        self.state.entries = (first, count);
        self.dispatch(self.tables.instances.len(), count.div_ceil(64), self.host.group_limit);
        self.free();
    }

    /// Prepares the segment that begins at a stage.
    fn segment(&mut self, head: u32) {
        if self.state.ended {
            return;
        }
        self.settle(None);
        let stage = self.tables.stages[head as usize];
        for instance in instances(&stage) {
            if head < self.state.deepest {
                self.state.arguments[instance][0] = 0;
            } else {
                self.admit(instance, &stage, head);
            }
        }
        for behind in head + 1..head + stage.segment {
            for instance in instances(&self.tables.stages[behind as usize]) {
                self.follow(instance, behind);
            }
        }
        for number in stage.first_spill as usize..(stage.first_spill + stage.spill_count) as usize {
            let Spill { records, scattered, .. } = self.state.spills[number];
            let records = if scattered { 0 } else { records };
            let slot = self.tables.instances.len() + 1 + number;
            self.dispatch(slot, records.div_ceil(u64::from(abi::SCATTER_RECORDS)), self.host.group_limit);
            self.state.spills[number].scattered |= records != 0;
        }
        self.state.least_free = self.state.least_free.min(self.free());
    }

    fn width(&self, stage: u32) -> u64 {
        match self.tables.mesh_stage == Some(stage) {
            true => self.host.group_limit.min(u64::from(abi::MESH_WIDTH)),
            false => self.host.group_limit,
        }
    }

    /// Resets an instance after a head.
    fn follow(&mut self, instance: usize, stage: u32) {
        self.state.arguments[instance] = [0, 1];
        let mesh = self.tables.mesh_stage == Some(stage);
        self.state.instances[instance].window.1 = if mesh { abi::MESH_GROUPS } else { abi::MAX_GROUPS };
    }

    /// Launches as many of the remaining workgroups as there is room for.
    fn admit(&mut self, instance: usize, stage: &StageRow, head: u32) {
        let row = self.tables.instances[instance];
        let launched = self.state.instances[instance].launched;
        let available = self.free().saturating_sub(u64::from(stage.reserve));
        let width = self.width(head);
        let window = if self.tables.mesh_stage == Some(head) { abi::MESH_GROUPS } else { abi::MAX_WINDOW };
        let limit = if self.host.admit_one { 1 } else { (width * self.host.group_limit).min(window) };
        let wanted = (self.groups(instance) - launched).min(limit);
        let may_be_direct = row.charge_count != 0 && !self.host.spill_all;
        let records = self.state.queues[row.queue as usize].records;
        let emitters = |groups: u64| match row.launch {
            // In a segment of several stages every workgroup counts in full.
            LAUNCH_THREAD if stage.segment > 1 => groups * u64::from(row.unit),
            LAUNCH_THREAD => (groups * u64::from(row.unit)).min(records.saturating_sub(launched * u64::from(row.unit))),
            _ => groups,
        };
        // Its share: three quarters if that is enough for all, else half, and at least enough for one workgroup. The
        // last head may use everything.
        let most_of_it = if stage.reserve == 0 { available } else { available - available / 4 };
        let all = self.room(instance, emitters(wanted), false, most_of_it).is_some();
        let one = self.room(instance, emitters(wanted.min(1)), false, available);
        let part = match one {
            _ if all || stage.reserve == 0 => most_of_it,
            Some(one) => (available / 2).max(one),
            None => 0,
        };
        let groups =
            if may_be_direct && wanted != 0 && self.room(instance, emitters(wanted), true, most_of_it).is_some() {
                self.give(instance, emitters(wanted), true, 0);
                wanted
            } else {
                let groups = most(0, wanted, |n| self.room(instance, emitters(n), false, part).is_some());
                let mut share = 0;
                if may_be_direct && groups != 0 {
                    // Half of the rest becomes direct parts.
                    let used = self.room(instance, emitters(groups), false, available).expect("it was admitted");
                    share = (part - used) / 2 / u64::from(row.target_count);
                }
                self.give(instance, emitters(groups), false, share);
                groups
            };
        self.dispatch(instance, groups, width);
        let state = &mut self.state.instances[instance];
        state.window = (launched, groups);
        state.launched += groups;
    }

    /// Returns the pages for the records of `emitters` emitters, if they are available and no queue exceeds its limit.
    fn room(&self, instance: usize, emitters: u64, direct: bool, available: u64) -> Option<u64> {
        let mut tried = Self { tables: Rc::clone(&self.tables), host: self.host.clone(), state: self.state.clone() };
        let before = tried.count();
        tried.give(instance, emitters, direct, 0);
        let used = tried.count() - before;
        let row = &self.tables.instances[instance];
        let targets = &self.tables.targets[row.first_target as usize..][..row.target_count as usize];
        let has_room = targets.iter().all(|target| {
            let (row, queue) = (&self.tables.queues[target.queue as usize], &tried.state.queues[target.queue as usize]);
            // Spilled records stay after the direct part, which then does not grow.
            let whole = !direct || queue.records <= self.state.queues[target.queue as usize].own;
            queue.room <= u64::from(row.max_records) && whole
        });
        let spills = tried.state.spills.iter().all(|spill| spill.room <= abi::MAX_RECORDS);
        (used <= available && has_room && spills).then_some(used)
    }

    /// Assigns that room. `share`: pages for each direct part, if records may spill.
    fn give(&mut self, instance: usize, emitters: u64, direct: bool, share: u64) {
        let row = &self.tables.instances[instance];
        for target in &self.tables.targets[row.first_target as usize..][..row.target_count as usize] {
            let (row, queue) =
                (&self.tables.queues[target.queue as usize], &mut self.state.queues[target.queue as usize]);
            let more = emitters * u64::from(target.max_records);
            queue.room += more;
            if direct || !row.spills() {
                queue.own += more;
            } else if share != 0 && queue.records <= queue.own {
                let most = queue.peak.max(queue.predicted);
                let wish = if most == 0 { queue.room } else { (most + most / 4).min(queue.room) };
                queue.own = queue.own.max(wish.min((row.record_pages(queue.own) + share) * u64::from(row.slots)));
            }
        }
        if !direct {
            for charge in &self.tables.charges[row.first_charge as usize..][..row.charge_count as usize] {
                self.state.spills[charge.spill as usize].room += emitters * u64::from(charge.max_records);
            }
        }
    }
}

fn instances(stage: &StageRow) -> std::ops::Range<usize> {
    stage.first_instance as usize..(stage.first_instance + stage.instance_count) as usize
}

/// Returns the largest number from `least` to `all` that fits. `fits` must be monotonic, and is not called for `least`.
fn most(least: u64, all: u64, fits: impl Fn(u64) -> bool) -> u64 {
    let (mut low, mut high) = (least, all + 1);
    while low + 1 < high {
        let middle = low + (high - low) / 2;
        if fits(middle) { low = middle } else { high = middle }
    }
    low
}
