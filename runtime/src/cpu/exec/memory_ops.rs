//! Loads, stores, atomics and descriptors, lane by lane, each access checked against its region.

use super::ops::Active;
use super::{Bound, Result, Run};
use crate::cpu::findings::FindingCode;
use crate::cpu::memory::{self, POISON, RegionKind, UNBOUND, View, read_number, write_number};
use crate::cpu::program::{AtomicOp, Row};

impl Run<'_, '_> {
    /// Returns the name, or the kind with its article, of the memory that an address points into.
    pub(super) fn name_of(&self, address: u64) -> String {
        let (region, memory) = (memory::region_of(address), &self.world.memory);
        let bound = |bound: &Bound| match *bound {
            Bound::Buffer(start) => memory::region_of(start) == region,
            Bound::TexelBuffer { region: bound, .. } => u64::from(bound) == region,
            Bound::Image(index) => {
                self.world.images.get(index as usize).is_some_and(|image| u64::from(image.region) == region)
            }
            _ => false,
        };
        let slots = self.program.slots.iter().zip(self.world.slots);
        let slot = slots.filter(|(slot, _)| !slot.name.is_empty()).find(|(_, list)| list.iter().any(bound));
        if let (RegionKind::Mesh, Some(mesh)) = (memory.kind(address), &self.program.mesh)
            && let Some((value, element)) = mesh.shape.at(memory::offset_of(address))
        {
            return format!("the mesh (`{}` of {} {element})", value.name, value.array.element());
        }
        match slot {
            Some((slot, _)) => format!("`{}`", slot.name),
            None => memory.name_of(address),
        }
    }

    /// Reports an access to bytes that do not exist; `what` is it with its article.
    pub(super) fn bad_access(&mut self, word: u32, lane: usize, address: u64, bytes: u32, what: &str) -> Result<()> {
        let kind = self.world.memory.kind(address);
        let region = memory::region_of(address);
        match (region, kind) {
            (0, _) if address & !0xffff_ffff == UNBOUND => {
                self.report(FindingCode::UnboundResource, word, Some(lane), || format!("{what} of {bytes} bytes"))
            }
            (0, _) if address & !0xffff_ffff == POISON => {
                self.report(FindingCode::OutOfRange, word, Some(lane), || {
                    format!("{what} through an index that is out of range")
                })
            }
            (0, _) => {
                self.report(FindingCode::OutOfRange, word, Some(lane), || format!("{what} through a null pointer"))
            }
            (_, RegionKind::Enqueued { .. }) => {
                self.report(FindingCode::UseAfterEnqueue, word, Some(lane), || format!("{what} of {bytes} bytes"))
            }
            _ => {
                let length = self.world.memory.len(region as u32);
                let offset = memory::offset_of(address);
                let name = self.name_of(address);
                self.report(FindingCode::OutOfRange, word, Some(lane), || {
                    format!("{what} of {bytes} bytes at offset {offset} of {name} of {length} bytes")
                })
            }
        }
    }

    pub(super) fn load(&mut self, active: &Active, word: u32, dst: Row, address: Row, footprint: u32) -> Result<()> {
        let program = self.program;
        let footprint = program.footprints.get(footprint as usize).ok_or("a load without a layout")?;
        let rows = self.rows;
        for lane in active.mask.lanes() {
            let at = rows.get(address, lane);
            match self.world.memory.view(at, footprint.size as usize) {
                Some(View::Own(bytes)) => {
                    for (row, cell) in (dst..).zip(&footprint.cells) {
                        let value = read_number(bytes.get(cell.offset as usize..).unwrap_or(&[]), cell.bytes);
                        rows.set(row, lane, if cell.boolean { u64::from(value != 0) } else { value });
                    }
                }
                Some(View::Common(common, start)) => {
                    for (row, cell) in (dst..).zip(&footprint.cells) {
                        let value = common.read(start + cell.offset as usize, cell.bytes);
                        rows.set(row, lane, if cell.boolean { u64::from(value != 0) } else { value });
                    }
                }
                None => {
                    for row in (dst..).take(footprint.cells.len()) {
                        rows.set(row, lane, 0);
                    }
                    self.bad_access(word, lane, at, footprint.size, "a load")?;
                }
            }
        }
        Ok(())
    }

    pub(super) fn store(&mut self, active: &Active, word: u32, src: Row, address: Row, footprint: u32) -> Result<()> {
        let program = self.program;
        let footprint = program.footprints.get(footprint as usize).ok_or("a store without a layout")?;
        let rows = self.rows;
        for lane in active.mask.lanes() {
            let at = rows.get(address, lane);
            let size = footprint.size as usize;
            if let Some(View::Common(common, start)) = self.world.memory.view(at, size) {
                for (row, cell) in (src..).zip(&footprint.cells) {
                    common.write(start + cell.offset as usize, cell.bytes, rows.get(row, lane));
                }
                continue;
            }
            match self.world.memory.slice_mut(at, size) {
                Some(bytes) => {
                    for (row, cell) in (src..).zip(&footprint.cells) {
                        let to = bytes.get_mut(cell.offset as usize..).unwrap_or(&mut []);
                        write_number(to, cell.bytes, rows.get(row, lane));
                    }
                }
                None => self.bad_access(word, lane, at, footprint.size, "a store")?,
            }
        }
        Ok(())
    }

    pub(super) fn gather(&mut self, active: &Active, word: u32, dst: Row, row: Row, offset: Row, n: u32) -> Result<()> {
        let rows = self.rows;
        for lane in active.mask.lanes() {
            let at = rows.get(offset, lane);
            for i in 0..n {
                let value = if at == u64::MAX { 0 } else { rows.get(row + at as u32 + i, lane) };
                rows.set(dst + i, lane, value);
            }
            if at == u64::MAX {
                self.bad_access(word, lane, POISON, 0, "a load")?;
            }
        }
        Ok(())
    }

    pub(super) fn scatter(
        &mut self,
        active: &Active,
        word: u32,
        src: Row,
        row: Row,
        offset: Row,
        n: u32,
    ) -> Result<()> {
        let rows = self.rows;
        for lane in active.mask.lanes() {
            let at = rows.get(offset, lane);
            if at == u64::MAX {
                self.bad_access(word, lane, POISON, 0, "a store")?;
                continue;
            }
            for i in 0..n {
                rows.set(row + at as u32 + i, lane, rows.get(src + i, lane));
            }
        }
        Ok(())
    }

    pub(super) fn atomic(
        &mut self,
        active: &Active,
        word: u32,
        op: AtomicOp,
        [dst, address, value, compare]: [Row; 4],
        width: u8,
    ) -> Result<()> {
        let rows = self.rows;
        for lane in active.mask.lanes() {
            let at = rows.get(address, lane);
            let (value, compare) = (rows.get(value, lane), rows.get(compare, lane));
            let new = |old: u64| combine(op, old, value, compare, width == 8);
            let Some(old) = self.world.memory.update(at, width, new) else {
                rows.set(dst, lane, 0);
                self.bad_access(word, lane, at, u32::from(width), "an atomic operation")?;
                continue;
            };
            rows.set(dst, lane, old);
        }
        Ok(())
    }

    fn bound(&self, descriptor: u64) -> Bound {
        if descriptor & !memory::offset_mask() != memory::DESCRIPTORS {
            return Bound::Nothing;
        }
        let (slot, element) = memory::descriptor_parts(descriptor);
        self.world.slots.get(slot).and_then(|s| s.get(element)).copied().unwrap_or(Bound::Nothing)
    }

    /// Returns the resource in a handle's row for a lane.
    pub(super) fn resource(&self, row: Row, lane: usize) -> Bound {
        self.bound(self.row_address(row, lane))
    }

    pub(super) fn descriptor_index(&mut self, active: &Active, dst: Row, base: Row, index: Row) {
        let slots = self.world.slots;
        self.rows.map2(active, dst, base, index, 1, |base, index| {
            let (slot, element) = memory::descriptor_parts(base);
            let count = slots.get(slot).map_or(0, Vec::len) as u64;
            match (element as u64).checked_add(index) {
                Some(element) if element < count => memory::descriptor(slot, element as usize),
                _ => POISON,
            }
        });
    }

    pub(super) fn buffer_of(&mut self, active: &Active, dst: Row, descriptor: Row) {
        for lane in active.mask.lanes() {
            let descriptor = self.rows.get(descriptor, lane);
            let address = match self.bound(descriptor) {
                Bound::Buffer(address) => address,
                _ if memory::region_of(descriptor) == 0 => descriptor,
                _ => UNBOUND,
            };
            self.rows.set(dst, lane, address);
        }
    }
}

/// Returns the new value of an atomic operation.
fn combine(op: AtomicOp, old: u64, value: u64, compare: u64, wide: bool) -> u64 {
    let sign = |x: u64| if wide { x as i64 } else { i64::from(x as u32 as i32) };
    let float = |x: u64| if wide { f64::from_bits(x) } else { f64::from(f32::from_bits(x as u32)) };
    let bits = |x: f64| if wide { x.to_bits() } else { u64::from((x as f32).to_bits()) };
    match op {
        AtomicOp::Load => old,
        AtomicOp::Store | AtomicOp::Exchange => value,
        AtomicOp::CompareExchange => {
            if old == compare {
                value
            } else {
                old
            }
        }
        AtomicOp::Add => old.wrapping_add(value),
        AtomicOp::Sub => old.wrapping_sub(value),
        AtomicOp::SMin if sign(value) < sign(old) => value,
        AtomicOp::SMax if sign(value) > sign(old) => value,
        AtomicOp::SMin | AtomicOp::SMax => old,
        AtomicOp::UMin => old.min(value),
        AtomicOp::UMax => old.max(value),
        AtomicOp::And => old & value,
        AtomicOp::Or => old | value,
        AtomicOp::Xor => old ^ value,
        // A sum of two single floats is exact enough in double that rounding it once is the single sum.
        AtomicOp::FAdd => bits(float(old) + float(value)),
        AtomicOp::FMin => bits(float(old).min(float(value))),
        AtomicOp::FMax => bits(float(old).max(float(value))),
    }
}
