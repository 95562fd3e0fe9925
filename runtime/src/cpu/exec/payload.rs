//! Payload instructions: allocation, enqueueing and queries of the running workgroup (or batch of them).

use super::ops::Active;
use super::{Result, Run};
use crate::cpu::findings::FindingCode;
use crate::cpu::graph::Allocation;
use crate::cpu::memory::{POISON, RegionKind, address_of, advance, region_of};
use crate::cpu::program::Row;
use crate::cpu::sanitize::Parent;

/// Allocations of more records than this are cut to the declared maximum: the count is garbage.
const ABSURD: u32 = 1 << 16;
/// Bytes of one allocation.
const MAX_BYTES: usize = 256 << 20;

impl Run<'_, '_> {
    pub(super) fn element(&mut self, active: &Active, dst: Row, base: Row, index: Row, stride: u32, input: bool) {
        let (count, memory) = (u64::from(self.input_count), &*self.world.memory);
        self.rows.map2(active, dst, base, index, 1, |base, index| {
            let count = match memory.kind(base) {
                _ if input => count,
                RegionKind::Payload { count, .. } | RegionKind::Enqueued { count } => u64::from(count),
                _ => 0,
            };
            if index < count { advance(base, index as i64 * i64::from(stride)) } else { POISON }
        });
    }

    pub(super) fn payload_length(&mut self, active: &Active, dst: Row, payloads: Row, input: bool) {
        let (count, memory) = (u64::from(self.input_count), &*self.world.memory);
        self.rows.map1(active, dst, payloads, 1, |base| match memory.kind(base) {
            _ if input => count,
            RegionKind::Payload { count, .. } | RegionKind::Enqueued { count } => u64::from(count),
            _ => 0,
        });
    }

    fn outside() -> String {
        "a shader of an execution graph cannot be dispatched alone".into()
    }

    /// Prepares an operation of the whole workgroup: all of its threads have to come, with the same values. Returns the
    /// first lane present.
    pub(super) fn together(
        &mut self,
        active: &Active,
        word: u32,
        what: &str,
        rows: &[(&str, Row)],
    ) -> Result<Option<usize>> {
        if !active.full {
            self.report(FindingCode::VaryingGroupCall, word, active.mask.lowest(), || what.into())?;
        }
        let Some(first) = active.mask.lowest() else { return Ok(None) };
        for &(name, row) in rows {
            let value = self.rows.get(row, first);
            let other = active.mask.lanes().map(|lane| (lane, self.rows.get(row, lane))).find(|o| o.1 != value);
            if let Some((lane, other)) = other {
                self.report(FindingCode::VaryingGroupCall, word, Some(lane), || {
                    format!("the {name} is {other}, but {value} in thread {first}")
                })?;
            }
        }
        Ok(Some(first))
    }

    #[allow(clippy::too_many_arguments, reason = "the operands of one instruction")]
    pub(super) fn allocate(
        &mut self,
        active: &Active,
        word: u32,
        dst: Row,
        output: u32,
        group: bool,
        count: Row,
        index: Row,
    ) -> Result<()> {
        let batch = self.world.graph.as_ref().ok_or_else(Self::outside)?.lanes_are_groups;
        if group && !batch {
            let same = [("number of records", count), ("index of the node", index)];
            if let Some(first) = self.together(active, word, "records are allocated for the group", &same)? {
                let (count, index) = (self.rows.get(count, first) as u32, self.rows.get(index, first) as u32);
                let address = self.allocate_one(word, output, first, count, index, true)?;
                for lane in active.mask.lanes() {
                    self.rows.set(dst, lane, address);
                }
            }
            return Ok(());
        }
        if !batch {
            // The number and the node may be each thread's own; the call is the group's.
            self.together(active, word, "threads allocate records of their own", &[])?;
        }
        for lane in active.mask.lanes() {
            let (count, index) = (self.rows.get(count, lane) as u32, self.rows.get(index, lane) as u32);
            let address = self.allocate_one(word, output, lane, count, index, false)?;
            self.rows.set(dst, lane, address);
        }
        Ok(())
    }

    fn allocate_one(
        &mut self,
        word: u32,
        number: u32,
        lane: usize,
        mut count: u32,
        index: u32,
        of_group: bool,
    ) -> Result<u64> {
        let program = self.program;
        let output = program.outputs.get(number as usize).ok_or("payloads of no type")?;
        let limits = program.outputs.get(output.limit_of as usize).ok_or("payloads of no type")?;
        if count > ABSURD {
            self.report(FindingCode::TooManyRecords, word, Some(lane), || format!("{count} for {}", output.node))?;
            count = limits.max_payloads.min(ABSURD);
        }
        let (target, remaining, used) = {
            let graph = self.world.graph.as_mut().ok_or_else(Self::outside)?;
            let group = if graph.lanes_are_groups { lane as u32 } else { 0 };
            let target = graph.targets.target(number, index);
            let remaining = graph.remaining_of(target);
            let used = graph.used.entry((output.limit_of, group)).or_insert(0);
            *used = used.saturating_add(count);
            (target, remaining, *used)
        };
        if used > limits.max_payloads && used - count <= limits.max_payloads {
            let most = limits.max_payloads;
            self.report(FindingCode::TooManyRecords, word, Some(lane), || {
                format!("{used} for {}, at most {most}", output.node)
            })?;
        }
        let target = match (target, remaining) {
            _ if count == 0 => None,
            (None, _) => {
                let at = output.base_index.wrapping_add(index);
                self.report(FindingCode::MissingTarget, word, Some(lane), || match output.array_size {
                    // The node may be there all the same: the output does not reach it.
                    Some(size) if at >= size => {
                        let elements = size.saturating_sub(output.base_index);
                        format!("element {index} of an output with {elements} elements, of the array `{}`", output.node)
                    }
                    _ => format!("{}[{at}]", output.node),
                })?;
                None
            }
            (Some(_), None) => {
                self.report(FindingCode::RecursionPastLimit, word, Some(lane), || {
                    format!("{} exceeds its recursion limit by one level", output.node)
                })?;
                None
            }
            (Some(target), Some(level)) => Some((target, level)),
        };
        let bytes = count as usize * output.stride as usize;
        if bytes > MAX_BYTES {
            return Err(format!("{count} records of {} bytes exceed the size limit of an allocation", output.stride));
        }
        let graph = self.world.graph.as_mut().ok_or_else(Self::outside)?;
        let allocation = graph.allocations.len() as u32;
        let kind = RegionKind::Payload { count, allocation };
        let region = self.world.memory.create(bytes, kind).ok_or("not enough memory for records")?;
        self.world.memory.undefine(region);
        graph.allocations.push(Allocation {
            region,
            output: number,
            target,
            count,
            stride: output.stride,
            enqueued: false,
            sent: Parent::default(),
            of_group,
            word,
            lane: lane as u32,
        });
        Ok(address_of(region))
    }

    pub(super) fn enqueue(&mut self, active: &Active, word: u32, payloads: Row) -> Result<()> {
        let batch = self.world.graph.as_ref().ok_or_else(Self::outside)?.lanes_are_groups;
        let (mut last, mut is_reported) = (None, batch || active.full);
        let event = self.world.races.as_mut().map_or(0, |races| races.event(word));
        for lane in active.mask.lanes() {
            let address = self.rows.get(payloads, lane);
            // Records of a group are enqueued once for all its lanes.
            if last == Some(address) {
                continue;
            }
            last = Some(address);
            match self.world.memory.kind(address) {
                RegionKind::Payload { count, allocation } => {
                    let graph = self.world.graph.as_mut().ok_or_else(Self::outside)?;
                    let Some(slot) = graph.allocations.get_mut(allocation as usize) else {
                        self.report(FindingCode::UseAfterEnqueue, word, Some(lane), || {
                            "input records are completed".into()
                        })?;
                        continue;
                    };
                    let of_group = slot.of_group;
                    slot.enqueued = true;
                    if let Some(races) = &mut self.world.races {
                        slot.sent = races.complete(event, lane, !of_group);
                    }
                    graph.emitted.push(allocation);
                    self.world.memory.set_kind(region_of(address) as u32, RegionKind::Enqueued { count });
                    if !std::mem::replace(&mut is_reported, true) {
                        let whose = if of_group { "the group" } else { "threads" };
                        self.report(FindingCode::VaryingGroupCall, word, Some(lane), || {
                            format!("records of {whose} are completed")
                        })?;
                    }
                }
                RegionKind::Enqueued { .. } => {
                    self.report(FindingCode::UseAfterEnqueue, word, Some(lane), || "it is completed again".into())?;
                }
                _ => self.report(FindingCode::UseAfterEnqueue, word, Some(lane), || {
                    "a pointer without records is completed".into()
                })?,
            }
        }
        Ok(())
    }

    pub(super) fn payload_valid(&mut self, active: &Active, dst: Row, output: u32, index: Row) -> Result<()> {
        let graph = self.world.graph.as_ref().ok_or_else(Self::outside)?;
        self.rows.map1(active, dst, index, 1, |index| {
            u64::from(graph.remaining_of(graph.targets.target(output, index as u32)).is_some())
        });
        Ok(())
    }

    pub(super) fn finish_writing(&mut self, active: &Active, word: u32, dst: Row) -> Result<()> {
        if !active.full {
            self.report(FindingCode::VaryingGroupCall, word, active.mask.lowest(), || {
                "FinishedCrossGroupSharing".into()
            })?;
        }
        if self.world.graph.as_ref().is_some_and(|graph| graph.finished) {
            self.report(FindingCode::FinishedTwice, word, active.mask.lowest(), || "by the same workgroup".into())?;
        }
        if self.world.graph.as_ref().is_some_and(|graph| graph.from_host) {
            self.report(FindingCode::FinishedByHost, word, active.mask.lowest(), || {
                "the extension allows it only for records that other nodes send".into()
            })?;
        }
        // The last workgroup sees everything that the others published; publishing is up to the shader.
        if let Some(races) = &mut self.world.races {
            let event = races.event(word);
            for lane in active.mask.lanes() {
                races.finish(event, lane);
            }
        }
        let graph = self.world.graph.as_mut().ok_or_else(Self::outside)?;
        if !graph.finished {
            graph.finished = true;
            graph.unfinished_groups = graph.unfinished_groups.saturating_sub(1);
        }
        let last = u64::from(graph.unfinished_groups == 0);
        self.rows.map1(active, dst, dst, 1, |_| last);
        Ok(())
    }
}
