//! Runs the checks that `sanitize` puts into programs, just before the instructions that they concern.

use super::ops::Active;
use super::{Result, Run};
use crate::cpu::findings::{At, FindingCode};
use crate::cpu::memory::{self, INPUT, RegionKind, read_number};
use crate::cpu::program::{AtomicOp, Check, Fence, Footprint, Row, Space};
use crate::cpu::sanitize::Access;

impl Run<'_, '_> {
    pub(super) fn run_check(&mut self, active: &Active, word: u32, check: &Check) -> Result<()> {
        match *check {
            Check::Defined { shadow, n } => self.defined(active, word, shadow, n),
            Check::Stored { shadow, footprint } => self.stored(active, word, shadow, footprint),
            Check::Mix { and, shadow, a, b, n } => {
                self.mix(active, and, shadow, a, b, n);
                Ok(())
            }
            Check::Load { address, footprint, space, shadow } => {
                self.before_load(active, word, address, footprint, space, shadow)
            }
            Check::Store { src, address, footprint, space, shadow } => {
                self.before_store(active, word, [src, address], footprint, space, shadow)
            }
            Check::Atomic { op, address, bytes, space, orders } => {
                self.before_atomic(active, word, op, address, bytes, space, orders)
            }
        }
    }

    pub(super) fn fence(&mut self, active: &Active, word: u32, fence: Fence, control: bool) {
        if let Some(races) = &mut self.world.races {
            let event = races.event(word);
            races.fence(event, active.mask.lanes(), fence, control);
        }
    }

    fn defined(&mut self, active: &Active, word: u32, shadow: Row, n: u32) -> Result<()> {
        let rows = self.rows;
        for row in shadow..shadow + n {
            for lane in active.mask.lanes() {
                if rows.get(row, lane) != 0 {
                    // Reported once, here.
                    rows.set(row, lane, 0);
                    self.report(FindingCode::Uninitialised, word, Some(lane), || "no write precedes it".into())?;
                }
            }
        }
        Ok(())
    }

    /// Checks a stored number. A number without a defined bit is an error; one with some is part of a structure, or has
    /// unused bits.
    fn stored(&mut self, active: &Active, word: u32, shadow: Row, footprint: u32) -> Result<()> {
        let program = self.program;
        let footprint = program.footprints.get(footprint as usize).ok_or("a store without a layout")?;
        active.mask.lanes().try_for_each(|lane| self.stored_by(word, lane, shadow, footprint))
    }

    fn stored_by(&mut self, word: u32, lane: usize, shadow: Row, footprint: &Footprint) -> Result<()> {
        for (row, cell) in (shadow..).zip(&footprint.cells) {
            let all = u64::MAX >> (64 - 8 * u32::from(cell.bytes).clamp(1, 8));
            if self.rows.get(row, lane) & all == all {
                self.rows.set(row, lane, 0);
                self.report(FindingCode::Uninitialised, word, Some(lane), || "no write precedes it".into())?;
            }
        }
        Ok(())
    }

    fn mix(&self, active: &Active, and: bool, shadow: Row, [a, sa]: [Row; 2], [b, sb]: [Row; 2], n: u32) {
        let rows = self.rows;
        // A zero makes the other side's bit irrelevant to `and`, a one to `or`.
        let matters = |x: u64, s: u64| if and { x | s } else { !x | s };
        for i in 0..n {
            for lane in active.mask.lanes() {
                let [a, sa, b, sb] = [a, sa, b, sb].map(|row| rows.get(row + i, lane));
                rows.set(shadow + i, lane, (sa | sb) & matters(a, sa) & matters(b, sb));
            }
        }
    }

    fn before_load(
        &mut self,
        active: &Active,
        word: u32,
        address: Row,
        footprint: u32,
        space: Space,
        shadow: Option<Row>,
    ) -> Result<()> {
        let program = self.program;
        let footprint = program.footprints.get(footprint as usize).ok_or("a load without a layout")?;
        let event = self.event(word, space);
        for lane in active.mask.lanes() {
            let at = self.rows.get(address, lane);
            if let Some(shadow) = shadow {
                let marks = self.world.memory.marks(at, footprint.size as usize);
                for (row, cell) in (shadow..).zip(&footprint.cells) {
                    let bits = marks.bits(cell.offset, cell.bytes);
                    self.rows.set(row, lane, if cell.boolean && bits != 0 { u64::MAX } else { bits });
                }
            }
            self.access(word, event, lane, [at, u64::from(footprint.size)], Access::Read, space, |_, _| false)?;
        }
        Ok(())
    }

    fn before_store(
        &mut self,
        active: &Active,
        word: u32,
        [src, address]: [Row; 2],
        footprint: u32,
        space: Space,
        shadow: Option<Row>,
    ) -> Result<()> {
        let program = self.program;
        let footprint = program.footprints.get(footprint as usize).ok_or("a store without a layout")?;
        let (event, rows) = (self.event(word, space), self.rows);
        for lane in active.mask.lanes() {
            let at = rows.get(address, lane);
            if space == Space::Mesh {
                self.before_mesh_store(word, lane, at)?;
            }
            self.access(word, event, lane, [at, u64::from(footprint.size)], Access::Write, space, |run, peer| {
                if let Some(peer) = peer {
                    return rows.get(address, peer) == at
                        && (src..).zip(&footprint.cells).all(|(row, _)| rows.get(row, peer) == rows.get(row, lane));
                }
                // Writes of the value that is already there do no harm to each other.
                run.world.memory.slice(at, footprint.size as usize).is_some_and(|bytes| {
                    (src..).zip(&footprint.cells).all(|(row, cell)| {
                        let there = read_number(bytes.get(cell.offset as usize..).unwrap_or(&[]), cell.bytes);
                        let mask = u64::MAX >> (64 - 8 * u32::from(cell.bytes).clamp(1, 8));
                        there == rows.get(row, lane) & mask
                    })
                })
            })?;
            if !space.starts_undefined() || !self.world.memory.has(at, footprint.size as usize) {
                continue;
            }
            let is_published = matches!(space, Space::Address { .. }) && !self.world.memory.is_marked(at);
            if let Some(shadow) = shadow.filter(|_| is_published) {
                self.stored_by(word, lane, shadow, footprint)?;
                continue;
            }
            for (i, cell) in (0..).zip(&footprint.cells).filter(|_| !is_published) {
                let bits = shadow.map_or(0, |shadow| rows.get(shadow + i, lane));
                self.world.memory.mark(at + u64::from(cell.offset), cell.bytes, bits);
            }
        }
        Ok(())
    }

    #[allow(clippy::too_many_arguments, reason = "the operands of one instruction")]
    fn before_atomic(
        &mut self,
        active: &Active,
        word: u32,
        op: AtomicOp,
        address: Row,
        bytes: u8,
        space: Space,
        orders: bool,
    ) -> Result<()> {
        let access = match op {
            AtomicOp::Load => Access::AtomicRead,
            AtomicOp::CompareExchange => Access::CompareExchange,
            _ => Access::Atomic,
        };
        let event = self.event(word, space);
        for lane in active.mask.lanes() {
            let at = self.rows.get(address, lane);
            let undefined = self.world.memory.marks(at, usize::from(bytes)).bits(0, bytes) != 0;
            if undefined {
                self.world.memory.mark(at, bytes, 0);
            }
            if undefined && !matches!(op, AtomicOp::Store | AtomicOp::Exchange) {
                self.report(FindingCode::Uninitialised, word, Some(lane), || "no write precedes it".into())?;
            }
            self.access(word, event, lane, [at, u64::from(bytes)], access, space, |_, _| false)?;
            if let (Some(races), Some(event)) = (&mut self.world.races, event) {
                races.atomic(event, lane, space, orders);
            }
        }
        Ok(())
    }

    fn event(&mut self, word: u32, space: Space) -> Option<u32> {
        self.world.races.as_mut().filter(|_| space.is_common()).map(|races| races.event(word))
    }

    /// Checks one access of bytes that other threads can access.
    #[allow(clippy::too_many_arguments, reason = "the operands of one instruction")]
    fn access(
        &mut self,
        word: u32,
        event: Option<u32>,
        lane: usize,
        place: [u64; 2],
        access: Access,
        space: Space,
        same: impl FnOnce(&Self, Option<usize>) -> bool,
    ) -> Result<()> {
        if !space.is_common() {
            return Ok(());
        }
        if matches!(space, Space::Record { .. })
            && let RegionKind::Payload { allocation: INPUT, .. } = self.world.memory.kind(place[0])
            && let Some(graph) = &self.world.graph
            && graph.finished
            && graph.unfinished_groups > 0
        {
            let verb = access.verb();
            self.report(FindingCode::UseAfterFinish, word, Some(lane), || {
                format!("the thread {verb} {} bytes of it while other workgroups still use it", place[1])
            })?;
        }
        self.touch(word, event, lane, place, access, space, same)
    }

    /// Checks for a race. `same` returns whether a write changes nothing, or nothing that another lane writes too.
    #[allow(clippy::too_many_arguments, reason = "the operands of one instruction")]
    pub(super) fn touch(
        &mut self,
        word: u32,
        event: Option<u32>,
        lane: usize,
        [address, bytes]: [u64; 2],
        access: Access,
        space: Space,
        same: impl FnOnce(&Self, Option<usize>) -> bool,
    ) -> Result<()> {
        // Other checks report accesses out of range and to records that were given away.
        if !self.world.memory.has(address, bytes as usize) || memory::region_of(address) == 0 {
            return Ok(());
        }
        let Some(races) = &mut self.world.races else { return Ok(()) };
        if self.world.memory.is_disregarded(address) {
            return Ok(());
        }
        let event = event.unwrap_or_else(|| races.event(word));
        let Some(other) = races.touch(event, lane, address, bytes, access, space) else { return Ok(()) };
        if access == Access::Write && other.access == Access::Write && same(self, other.peer) {
            return Ok(());
        }
        let races = self.world.races.as_deref();
        let elsewhere = races.filter(|races| races.node() != other.node).and_then(|races| races.launched(other.node));
        let place = At { word: other.word, lines: elsewhere.map_or(&self.program.lines, |e| &e.program.lines) };
        let then = other.access.past();
        let name = self.name_of(address);
        let offset = memory::offset_of(address);
        let before = match (other.lane, other.near, elsewhere) {
            (_, _, Some(launched)) if other.word == 0 => {
                format!("the launch of `{}` has read as its arguments", launched.name)
            }
            (_, _, Some(launched)) => format!("a workgroup of `{}` {then} ({place})", launched.name),
            (Some(lane), true, _) => format!("thread {lane} {then} ({place})"),
            (None, true, _) => format!("another thread {then} ({place})"),
            (_, false, _) => format!("another workgroup {then} ({place})"),
        };
        let missing = match (other.unseen, elsewhere) {
            (true, _) => {
                "one of the two is not a coherent access: a barrier does not make it visible to other workgroups"
            }
            (false, Some(_)) => "the two launches have no barrier in between",
            (false, None) => "nothing orders the two",
        };
        let verb = access.verb();
        let what =
            format!("the thread {verb} {bytes} bytes at offset {offset} of {name}, which {before}, and {missing}");
        self.report(FindingCode::DataRace, word, Some(lane), || what)
    }
}
