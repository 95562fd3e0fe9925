//! The initial state of a run in one pass, computed by a host that knows all entry records.
//!
//! The result equals that of the kernels prep and inject (`stdlib/emulated/prep.hlsl`, `inject.hlsl`), record by record
//! in the order of the inputs. For small graphs, one workgroup takes longer for it than the rest of the dispatch. If
//! the records lie on the device, the kernels compute it.

use super::closure::{Closure, closure_of_grids};
use super::input::Packed;
use super::program::{Program, Run};
use wgc_abi::NodeLaunch;
use wgc_abi::device::{
    Arguments, Context, DIRECT_NONE, FIRST_NOTE, FLAG_GRID_CLAMPED, FLAG_UNLISTED, InstanceState, MAX_RECORDS,
    NOTE_GRID_CLAMPED, PREFIX_GROUP_BITS, PREFIX_RECORD_BITS, QueueState, Report, STATE_READY, STATUS_MAGIC,
    SpillState, Status,
};
use wgc_abi::tables::{
    ABSENT, InstanceRow, LAUNCH_DYNAMIC, LAUNCH_FIXED, QueueRow, SpillRow, index_pages, prefix_pages,
};

/// Contents of the buffers of a graph.
#[derive(Clone, Debug, Default)]
pub struct Prepared {
    /// [`QueueState`]s, followed by [`SpillState`]s.
    pub queues: Vec<u8>,
    pub instances: Vec<u8>,
    pub arguments: Vec<u8>,
    pub status: Status,
    /// Entries of the page table.
    pub pages: Vec<u64>,
    /// Beginnings of pages, by number.
    pub contents: Vec<(u32, Vec<u8>)>,
    /// The package has a resident workgroup, and the stages are small enough for it.
    pub is_resident: bool,
}

/// The state under construction, before it becomes bytes.
struct State<'p> {
    program: &'p Program,
    context: &'p Context,
    queues: Vec<QueueState>,
    spills: Vec<SpillState>,
    instances: Vec<InstanceState>,
    arguments: Vec<Arguments>,
    /// Instances that cut grids in their records.
    cut: Vec<u32>,
    contents: Vec<(u32, Vec<u8>)>,
}

impl Program {
    /// Notes the workgroups that the entry records request, for a run that the host will prepare. So memory is planned for
    /// these, and not for the largest grids. Nothing is noted if some records are on the device, or have no grids: the
    /// plan is the same then.
    pub fn read_grids(&self, packed: &mut Packed) {
        if !packed.has_all_records() {
            return;
        }
        let of_instance = |row: &InstanceRow| {
            let queue = self.tables.queues.get(row.queue as usize).filter(|_| row.launch == LAUNCH_DYNAMIC)?;
            let bytes = queue.record_bytes as usize;
            let mut groups = 0u64;
            for (span, records) in packed.records(row.queue)? {
                let count =
                    |record: usize| Some(grid(row, records.get(record * span.stride as usize..)?.get(..bytes)?)?.0);
                groups += match span.stride {
                    0 => count(0)?.saturating_mul(span.count.into()),
                    _ => (0..span.count as usize).map(count).sum::<Option<u64>>()?,
                };
            }
            Some(groups)
        };
        let grids: Vec<Option<u64>> = self.tables.instances.iter().map(of_instance).collect();
        if grids.iter().any(|groups| groups.is_some_and(|groups| groups != 0)) {
            packed.grids = grids;
        }
    }

    /// Returns the initial state of a run in one pass. `context` is that of the dispatch; `peaks` are the most records
    /// that each queue had in the previous one.
    ///
    /// Returns `None` if the kernels have to prepare: they can see records on the device, and report errors.
    pub fn prepare(&self, packed: &Packed, run: &Run, context: &Context, peaks: &[u32]) -> Option<Prepared> {
        if run.scheduled || !packed.has_all_records() {
            return None;
        }
        let closure = closure_of_grids(&self.tables, &packed.entries, &packed.grids).ok()?;
        let mut state = State {
            program: self,
            context,
            queues: Vec::new(),
            spills: Vec::new(),
            instances: Vec::new(),
            arguments: vec![Arguments::of(0); self.tables.instances.len() + 1],
            cut: Vec::new(),
            contents: Vec::new(),
        };
        state.size(&closure, packed, peaks);
        let needed = state.share(run)?;
        let used = state.place()?;
        state.fill(packed)?;
        let page = |page: u32| state.page(page);
        let mut made = Prepared {
            status: Status {
                magic: STATUS_MAGIC,
                state: STATE_READY,
                dispatch_id: context.dispatch_id,
                pages_needed: needed,
                ..state.cut_grids()
            },
            pages: (0..used).map(page).collect::<Option<_>>()?,
            ..Prepared::default()
        };
        state.queues.iter().for_each(|row| row.encode(&mut made.queues));
        state.spills.iter().for_each(|row| row.encode(&mut made.queues));
        state.instances.iter().for_each(|row| row.encode(&mut made.instances));
        state.arguments.iter().for_each(|row| row.encode(&mut made.arguments));
        made.contents = state.contents;
        made.is_resident = self.is_resident(&closure);
        Some(made)
    }

    /// Returns whether a resident workgroup is the better choice for this many records.
    fn is_resident(&self, closure: &Closure) -> bool {
        let Some(resident) = self.manifest.resident else { return false };
        let threads = |number: usize| {
            let instance = &self.manifest.instances[number];
            let size = self.manifest.modules[instance.module as usize].group_size;
            match instance.launch {
                NodeLaunch::Thread => closure.emitters[number],
                _ => closure.emitters[number].saturating_mul(size.iter().map(|n| u64::from(*n)).product()),
            }
        };
        self.manifest.stages.iter().all(|stage| {
            let instances = stage.first_instance as usize..(stage.first_instance + stage.instances) as usize;
            instances.map(threads).fold(0, u64::saturating_add) <= u64::from(resident.most_threads)
        })
    }
}

impl State<'_> {
    /// Returns a status that names the nodes whose grids were cut.
    fn cut_grids(&self) -> Status {
        let mut status = Status::default();
        for (entry, &instance) in status.reports[FIRST_NOTE..].iter_mut().zip(&self.cut) {
            *entry = Report { instance, code: NOTE_GRID_CLAMPED, output: ABSENT }.to_entry();
        }
        status.flags |= if self.cut.is_empty() { 0 } else { FLAG_GRID_CLAMPED };
        status.flags |= if self.cut.len() > status.reports.len() - FIRST_NOTE { FLAG_UNLISTED } else { 0 };
        status
    }

    /// Sizes queues, spills and instances for the largest possible number of records.
    fn size(&mut self, closure: &Closure, packed: &Packed, peaks: &[u32]) {
        let tables = &self.program.tables;
        for (number, row) in tables.queues.iter().enumerate() {
            let records = closure.records[number];
            self.queues.push(QueueState {
                capacity: records as u32,
                page_count: row.record_pages(records) as u32,
                prefix_pages: if row.dynamic_count == 0 { 0 } else { prefix_pages(records, tables.page_bytes) as u32 },
                first_instance: row.first_instance,
                instance_count: row.instance_count,
                dynamic_count: row.dynamic_count,
                trailer: row.trailer,
                entries: packed.entries.get(number).copied().unwrap_or(0),
                direct: records as u32,
                spill: if row.spill == ABSENT { ABSENT } else { tables.queues.len() as u32 + row.spill },
                member: row.member,
                predicted: peaks.get(number).copied().unwrap_or(0),
                ..QueueState::default()
            });
        }
        for (number, row) in tables.instances.iter().enumerate() {
            self.instances.push(InstanceState {
                queue: row.queue,
                launch: row.launch,
                unit: row.unit,
                grid_groups: row.grid_groups,
                // The kernel joint launches it, if it is in a joint dispatch.
                follows: u32::from(row.joint == 0),
                prefix_slots: tables.page_bytes / 8,
                first_output: row.first_output,
                remaining_levels: row.remaining_levels,
                emitters: closure.emitters[number],
                // At most 2^32 - 1.
                window_groups: tables.most_groups(tables.queues[row.queue as usize].stage) as u32,
                ..InstanceState::default()
            });
        }
        for (row, &records) in tables.spills.iter().zip(&closure.spilled) {
            let capacity = records.min(MAX_RECORDS);
            let number = self.arguments.len() as u32;
            self.arguments.push(Arguments::of(0));
            let slots = capacity.div_ceil(u64::from(row.slots.max(1)));
            self.spills.push(SpillState {
                capacity: capacity as u32,
                // No arena has that many pages: every record must have a slot.
                page_count: if records > MAX_RECORDS { u32::MAX } else { slots as u32 },
                index_pages: index_pages(capacity, tables.page_bytes) as u32,
                stride: row.stride,
                slots: row.slots,
                index_slots: tables.page_bytes / 4,
                arguments: number,
                ..SpillState::default()
            });
        }
    }

    /// Distributes the arena's pages to the queues. Returns the minimum number of pages, or `None` if the arena has fewer
    /// or the kernels would report another number.
    fn share(&mut self, run: &Run) -> Option<u64> {
        let rows = &self.program.tables.queues;
        let entry = |row: &QueueRow, state: &QueueState| row.record_pages(state.entries.min(state.capacity.into()));
        let wished = |row: &QueueRow, state: &QueueState| {
            let wanted = u64::from(state.predicted) + u64::from(state.predicted / 4);
            row.record_pages(wanted.max(state.entries).min(state.capacity.into()))
        };
        let (mut all, mut tight, mut wish) = (0, 0, 0);
        for (row, state) in rows.iter().zip(&self.queues) {
            let prefixes = u64::from(state.prefix_pages) * u64::from(state.dynamic_count);
            all += prefixes + u64::from(state.page_count);
            let least = if row.spills() { entry(row, state) } else { state.page_count.into() };
            tight += prefixes + least;
            wish += if row.spills() { wished(row, state) - least } else { 0 };
        }
        tight += self.spills.iter().map(|s| u64::from(s.page_count) + u64::from(s.index_pages)).sum::<u64>();
        let direct = self.context.direct != DIRECT_NONE;
        let (needed, have) = (if direct { all.min(tight) } else { tight }, u64::from(self.context.page_count));
        if needed > have || needed != run.needed {
            return None;
        }
        if direct && all <= have {
            for spill in &mut self.spills {
                (spill.capacity, spill.page_count, spill.index_pages) = (0, 0, 0);
            }
            return Some(needed);
        }
        if !direct {
            wish = 0;
        }
        let left = if direct { have - tight } else { 0 };
        let members: u32 = self.program.tables.spills.iter().map(|row: &SpillRow| row.member_count).sum();
        let extra = left.saturating_sub(wish) / u64::from(members.max(1));
        for (row, state) in rows.iter().zip(&mut self.queues).filter(|(row, _)| row.spills()) {
            let least = entry(row, state);
            let own = match wished(row, state) - least {
                _ if wish == 0 => 0,
                own if wish > left => own * left / wish,
                own => own,
            };
            let pages = (least + own + extra).min(state.page_count.into());
            state.page_count = pages as u32;
            state.direct = (pages * u64::from(row.slots)).min(state.capacity.into()) as u32;
        }
        Some(needed)
    }

    /// Assigns each queue, prefix and spill its range in the page table. Returns the total number of entries.
    fn place(&mut self) -> Option<u32> {
        let mut page = 0;
        for queue in 0..self.queues.len() {
            let (pages, prefix_pages) = (self.queues[queue].page_count, self.queues[queue].prefix_pages);
            self.queues[queue].first_page = page;
            self.queues[queue].linear = self.linear(page, pages)?;
            page += pages;
            let QueueState { first_instance, instance_count, .. } = self.queues[queue];
            for instance in first_instance..first_instance + instance_count {
                let instance = instance as usize;
                if self.instances[instance].launch == LAUNCH_DYNAMIC {
                    self.instances[instance].prefix_page = page;
                    self.instances[instance].linear = self.linear(page, prefix_pages)?;
                    page += prefix_pages;
                }
            }
        }
        for spill in &mut self.spills {
            spill.first_page = page;
            spill.index_page = page + spill.page_count;
            page = spill.index_page + spill.index_pages;
        }
        Some(page)
    }

    /// Returns the address of a page of the arena.
    fn page(&self, page: u32) -> Option<u64> {
        let chunk_pages = self.context.chunk_pages.max(1);
        let chunk = self.context.chunks.get((page / chunk_pages) as usize)?;
        Some(chunk + u64::from(page % chunk_pages) * u64::from(self.program.tables.page_bytes))
    }

    /// Returns the address of the first of some pages, if all are in one chunk, else 0.
    fn linear(&self, page: u32, count: u32) -> Option<u64> {
        let chunk_pages = self.context.chunk_pages.max(1);
        let whole = count != 0 && page / chunk_pages == (page + count - 1) / chunk_pages;
        if whole { self.page(page) } else { Some(0) }
    }

    /// Appends the entry records and launches their consumers. `None`: a dynamic grid has more workgroups than may be
    /// launched, which the kernels report.
    fn fill(&mut self, packed: &Packed) -> Option<()> {
        let tables = &self.program.tables;
        let mut records: Vec<Vec<u8>> = vec![Vec::new(); tables.queues.len()];
        for span in &packed.spans {
            let row = tables.queues.get(span.queue as usize)?;
            self.queues[span.queue as usize].tail += span.count;
            let (bytes, stride) = (row.record_bytes.next_multiple_of(4) as usize, row.stride as usize);
            let own = &mut records[span.queue as usize];
            for record in (0..span.count as usize).take_while(|_| row.slots != 0) {
                let at = span.address as usize + record * span.stride as usize;
                let end = own.len() + stride;
                own.extend_from_slice(packed.bytes.get(at..at + bytes)?);
                // The word that counts finished workgroups is zero.
                own.resize(end, 0);
            }
        }
        for (queue, records) in records.iter().enumerate() {
            let row = &tables.queues[queue];
            if self.queues[queue].tail != 0 {
                for instance in row.first_instance..row.first_instance + row.instance_count {
                    self.launch(instance as usize, records, row)?;
                }
            }
            let page = (row.slots * row.stride).max(1) as usize;
            let pages = (self.queues[queue].first_page..).zip(records.chunks(page));
            self.contents.extend(pages.map(|(page, bytes)| (page, bytes.to_vec())));
        }
        Some(())
    }

    fn launch(&mut self, instance: usize, records: &[u8], queue: &QueueRow) -> Option<()> {
        let row = &self.program.tables.instances[instance];
        let state = &mut self.instances[instance];
        let tail = u64::from(self.queues[row.queue as usize].tail);
        let groups = match row.launch {
            LAUNCH_FIXED => tail * u64::from(row.grid_groups),
            LAUNCH_DYNAMIC => {
                let (mut groups, mut prefix, mut cut) = (0, Vec::new(), false);
                for (rank, record) in records.chunks_exact(queue.stride as usize).enumerate() {
                    let (own, clamped) = grid(row, record)?;
                    cut |= clamped;
                    if own != 0 {
                        prefix.extend_from_slice(&(groups << PREFIX_RECORD_BITS | rank as u64).to_le_bytes());
                        groups += own;
                    }
                }
                self.cut.extend(cut.then_some(instance as u32));
                if groups > self.program.tables.most_groups(queue.stage) {
                    return None;
                }
                state.listed = (prefix.len() / 8) as u32;
                state.counter = (prefix.len() as u64 / 8) << PREFIX_GROUP_BITS | groups;
                let pages = (state.prefix_page..).zip(prefix.chunks(self.program.tables.page_bytes as usize));
                self.contents.extend(pages.map(|(page, bytes)| (page, bytes.to_vec())));
                groups
            }
            _ => tail.div_ceil(u64::from(row.unit.max(1))),
        };
        if state.follows != 0 {
            self.arguments[instance] = Arguments::of(groups);
        }
        Some(())
    }
}

/// Returns the workgroups that a record requests, and whether they were cut to the node's declared maximum.
fn grid(row: &InstanceRow, record: &[u8]) -> Option<(u64, bool)> {
    let component = |number: u32| -> Option<u32> {
        let at = (row.grid_offset + number * row.grid_scalar) as usize;
        let bytes = record.get(at..at + row.grid_scalar as usize)?;
        Some(bytes.iter().rev().fold(0, |value, byte| value << 8 | u32::from(*byte)))
    };
    let (mut groups, mut clamped) = (1, false);
    for (number, most) in [row.grid_x, row.grid_y, row.grid_z].into_iter().enumerate() {
        let asked = if number < row.grid_components as usize { component(number as u32)? } else { 1 };
        clamped |= asked > most;
        groups *= u64::from(asked.min(most));
    }
    Some((groups, clamped))
}
