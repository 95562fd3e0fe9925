//! Records in the pages of a graph, read and written by the host between two submissions.

use super::super::arena::Arena;
use super::super::program::Program;
use super::super::report::RunError;
use super::Record;
use crate::device::{BufferId, Device, DeviceError};
use std::collections::HashMap;
use std::ops::Range;
use wgc_abi::device::{InstanceState, PREFIX_GROUP_BITS, QUEUE_STATES, QueueState, SpillState, instance_states};
use wgc_abi::tables::{self, InstanceRow, QueueRow, Tables};

/// The locations of a graph's queues and of their pages.
pub(in super::super) struct Pages<'g> {
    pub arena: &'g Arena,
    /// The context, followed by the states of the queues, the spills and the instances.
    pub context: BufferId,
    pub queue_count: usize,
    pub spill_count: usize,
}

/// The states of all queues and spills.
pub(in super::super) struct States {
    pub queues: Vec<QueueState>,
    pub spills: Vec<SpillState>,
}

/// A found record with its location.
#[derive(Clone, Debug)]
pub(super) struct FoundRecord {
    pub index: u32,
    pub spilled: bool,
    /// The record's bytes, with everything up to the next record; `None` if it has no memory.
    pub memory: Option<(BufferPosition, Vec<u8>)>,
}

/// A position in a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct BufferPosition {
    pub buffer: BufferId,
    pub offset: u64,
}

/// Spilled records by spill, member and their number among the spilled records of that member.
pub(super) type Slots = HashMap<[u32; 3], (BufferPosition, Vec<u8>)>;

/// Entries of one run of pages: each `slots` items of `stride` bytes.
struct Run {
    first_page: u32,
    slots: u32,
    stride: u32,
}

impl Pages<'_> {
    pub fn states(&self, device: &mut dyn Device) -> Result<States, RunError> {
        let mut bytes = vec![0; (self.queue_count + self.spill_count) * QueueState::SIZE];
        if !bytes.is_empty() {
            device.read_buffer(self.context, u64::from(QUEUE_STATES), &mut bytes)?;
        }
        let (queues, spills) = bytes.split_at(self.queue_count * QueueState::SIZE);
        Ok(States {
            queues: queues.chunks_exact(QueueState::SIZE).filter_map(QueueState::decode).collect(),
            spills: spills.chunks_exact(SpillState::SIZE).filter_map(SpillState::decode).collect(),
        })
    }

    pub(super) fn instance(&self, device: &mut dyn Device, number: usize) -> Result<InstanceState, RunError> {
        let mut bytes = [0; InstanceState::SIZE];
        let first = instance_states(self.queue_count, self.spill_count);
        device.read_buffer(self.context, first + number as u64 * InstanceState::SIZE as u64, &mut bytes)?;
        Ok(InstanceState::decode(&bytes).unwrap_or_default())
    }

    /// Returns the addresses of pages that queues and spills own but have not filled yet, after the kernel sched.
    pub(in super::super) fn unused(&self, device: &mut dyn Device, tables: &Tables) -> Result<Vec<u64>, RunError> {
        let states = self.states(device)?;
        // First entry in the page table, the number of pages, and the number of pages in use.
        let mut runs = Vec::new();
        let used_pages = |items: u32, slots: u32| if slots == 0 { 0 } else { items.div_ceil(slots) };
        for (row, state) in tables.queues.iter().zip(&states.queues) {
            runs.push((state.first_page, state.page_count, used_pages(state.tail.min(state.direct), row.slots)));
            for number in row.first_instance..row.first_instance + row.instance_count {
                let instance = self.instance(device, number as usize)?;
                if instance.launch == tables::LAUNCH_DYNAMIC {
                    let entries = ((instance.counter >> PREFIX_GROUP_BITS) as u32).max(instance.listed);
                    runs.push((instance.prefix_page, state.prefix_pages, used_pages(entries, instance.prefix_slots)));
                }
            }
        }
        for state in &states.spills {
            let filled = state.tail.min(state.capacity);
            runs.push((state.first_page, state.page_count, used_pages(filled, state.slots)));
            runs.push((state.index_page, state.index_pages, used_pages(filled, state.index_slots)));
        }
        let mut addresses = Vec::new();
        for (first, count, used_pages) in runs.into_iter().filter(|(_, count, used_pages)| used_pages < count) {
            addresses.extend(self.arena.addresses(device, first + used_pages, count - used_pages)?);
        }
        Ok(addresses)
    }

    /// Writes entries of an instance's prefix, from number `first` on.
    pub(super) fn write_prefix(
        &self,
        device: &mut dyn Device,
        instance: &InstanceState,
        first: u32,
        entries: &[u64],
    ) -> Result<(), RunError> {
        let run = Run { first_page: instance.prefix_page, slots: instance.prefix_slots, stride: 8 };
        let range = first..first + entries.len() as u32;
        for ((place, _), entry) in self.read(device, &run, range)?.into_iter().zip(entries) {
            device.write_buffer(place.buffer, place.offset, &entry.to_le_bytes())?;
        }
        Ok(())
    }

    /// Records of a queue whose records are not empty, by index.
    pub(super) fn records(
        &self,
        device: &mut dyn Device,
        row: &QueueRow,
        state: &QueueState,
        slots: &Slots,
        range: Range<u32>,
    ) -> Result<Vec<FoundRecord>, RunError> {
        let direct = state.direct.clamp(range.start, range.end);
        let run = Run { first_page: state.first_page, slots: row.slots, stride: row.stride };
        let mut found = Vec::with_capacity(range.len());
        for (index, (place, bytes)) in (range.start..direct).zip(self.read(device, &run, range.start..direct)?) {
            found.push(FoundRecord { index, spilled: false, memory: Some((place, bytes)) });
        }
        for index in direct..range.end {
            let slot = slots.get(&[row.spill, row.member, index - state.direct]);
            // A slot is as large as the largest record that may be in it.
            let memory = slot.map(|(place, bytes)| (*place, bytes[..bytes.len().min(row.stride as usize)].to_vec()));
            found.push(FoundRecord { index, spilled: true, memory });
        }
        Ok(found)
    }

    /// Adds the records in these slots of a spill.
    pub(super) fn slots(
        &self,
        device: &mut dyn Device,
        program: &Program,
        spill: usize,
        state: &SpillState,
        range: Range<u32>,
        slots: &mut Slots,
    ) -> Result<(), RunError> {
        let Some(row) = program.tables.spills.get(spill) else { return Ok(()) };
        let run = Run { first_page: state.first_page, slots: row.slots, stride: row.stride };
        for (place, bytes) in self.read(device, &run, range)? {
            let Some((header, record)) = bytes.split_at_checked(tables::SPILL_HEADER as usize) else { continue };
            let word = |at: usize| header.get(at..at + 4).and_then(|b| b.try_into().ok()).map_or(0, u32::from_le_bytes);
            let place = BufferPosition { offset: place.offset + u64::from(tables::SPILL_HEADER), ..place };
            slots.insert([spill as u32, word(0), word(4)], (place, record.to_vec()));
        }
        Ok(())
    }

    /// Returns items of a run: the location of each, and its bytes.
    fn read(
        &self,
        device: &mut dyn Device,
        run: &Run,
        range: Range<u32>,
    ) -> Result<Vec<(BufferPosition, Vec<u8>)>, RunError> {
        let mut items = Vec::with_capacity(range.len());
        if range.is_empty() || run.slots == 0 {
            return Ok(items);
        }
        let (first, last) = (range.start / run.slots, (range.end - 1) / run.slots);
        let addresses = self.arena.addresses(device, run.first_page + first, last - first + 1)?;
        for (page, address) in (first..=last).zip(addresses) {
            let begin = range.start.max(page * run.slots);
            let end = range.end.min(page.saturating_add(1).saturating_mul(run.slots));
            let start = u64::from(begin - page * run.slots) * u64::from(run.stride);
            let (buffer, base) = self.arena.locate(device, address).ok_or_else(|| {
                DeviceError::new(format!(
                    "entry {} of the page table is not a page: {address:#x}",
                    run.first_page + page
                ))
            })?;
            let mut bytes = vec![0; (end - begin) as usize * run.stride as usize];
            device.read_buffer(buffer, base + start, &mut bytes)?;
            for (item, bytes) in bytes.chunks_exact(run.stride as usize).enumerate() {
                let offset = base + start + item as u64 * u64::from(run.stride);
                items.push((BufferPosition { buffer, offset }, bytes.to_vec()));
            }
        }
        Ok(items)
    }
}

impl FoundRecord {
    /// Returns the record in the form that observers receive.
    pub fn shown(self, program: &Program, row: &QueueRow) -> Record {
        let bytes = self.memory.map(|(_, bytes)| bytes);
        let consumers = program.tables.instances.iter().skip(row.first_instance as usize);
        let dynamic = consumers.take(row.instance_count as usize).find(|i| i.launch == tables::LAUNCH_DYNAMIC);
        Record {
            index: self.index,
            spilled: self.spilled,
            grid: dynamic.zip(bytes.as_deref()).map(|(instance, bytes)| grid(instance, bytes)),
            bytes: bytes.map(|mut bytes| {
                bytes.truncate(row.record_bytes as usize);
                bytes
            }),
        }
    }
}

/// Returns the grid in a record, cut to the node's declared maximum; missing components are 1.
pub(super) fn grid(instance: &InstanceRow, record: &[u8]) -> [u32; 3] {
    let component = |number: u32| -> u32 {
        let at = (instance.grid_offset + number * instance.grid_scalar) as usize;
        let bytes = record.get(at..at + instance.grid_scalar as usize).unwrap_or_default();
        bytes.iter().rev().fold(0, |value, byte| value << 8 | u32::from(*byte))
    };
    let most = [instance.grid_x, instance.grid_y, instance.grid_z];
    let mut grid = [1; 3];
    for (number, (axis, most)) in (0..instance.grid_components).zip(grid.iter_mut().zip(most)) {
        *axis = component(number).min(most);
    }
    grid
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grids_are_read_and_clamped_like_in_the_kernels() {
        let row = InstanceRow {
            grid_offset: 2,
            grid_scalar: 2,
            grid_components: 3,
            grid_x: 9,
            grid_y: 300,
            grid_z: 1,
            ..InstanceRow::default()
        };
        let record = [7, 7, 8, 0, 44, 1, 2, 0];
        assert_eq!(grid(&row, &record), [8, 300, 1]);
        assert_eq!(grid(&InstanceRow { grid_x: 7, grid_components: 1, ..row }, &record), [7, 1, 1]);
        let wide = InstanceRow { grid_offset: 4, grid_scalar: 4, grid_components: 1, grid_x: u32::MAX, ..row };
        assert_eq!(grid(&wide, &record), [44 + 256 + 0x2_0000, 1, 1]);
    }
}
