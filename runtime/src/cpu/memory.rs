//! The device's memory: regions of bytes in one 64-bit address space.
//!
//! An address is a region number (high 24 bits) and an offset (low 40). Buffers, images, payloads, shared and per-lane
//! memory are all regions, so every load and store is checked against the region it points into. Region 0 is reserved:
//! null pointers and pointers whose index was out of range point there.

use super::common::Common;
use super::marks::Marks;
use std::sync::Arc;

const OFFSET_BITS: u32 = 40;
const OFFSET_MASK: u64 = (1 << OFFSET_BITS) - 1;
const MAX_REGIONS: usize = 1 << (64 - OFFSET_BITS);

/// Regions up to this size keep their bytes for reuse.
const SMALL: usize = 4096;

/// The target of pointers whose index was out of range.
pub const POISON: u64 = 1 << 32;
/// The target of pointers to resources that are not bound.
pub const UNBOUND: u64 = 2 << 32;
/// The allocation number of input records.
pub const INPUT: u32 = u32::MAX;

/// The tag of descriptor pointers, which do not address memory. The offset is `slot << 20 | element`.
pub const DESCRIPTORS: u64 = 1 << OFFSET_BITS;

pub fn region_of(address: u64) -> u64 {
    address >> OFFSET_BITS
}

pub fn offset_of(address: u64) -> u64 {
    address & OFFSET_MASK
}

pub fn offset_mask() -> u64 {
    OFFSET_MASK
}

/// Returns the pointer to an element of a descriptor slot.
pub fn descriptor(slot: usize, element: usize) -> u64 {
    DESCRIPTORS | (slot as u64 & 0xfffff) << 20 | (element as u64 & 0xfffff)
}

/// Returns the slot and element of a descriptor pointer.
pub fn descriptor_parts(pointer: u64) -> (usize, usize) {
    ((pointer >> 20 & 0xfffff) as usize, (pointer & 0xfffff) as usize)
}

pub fn address_of(region: u32) -> u64 {
    u64::from(region) << OFFSET_BITS
}

/// Moves a pointer. One that would leave its region's addresses is poisoned; poison stays poison.
pub fn advance(address: u64, bytes: i64) -> u64 {
    let moved = address.wrapping_add(bytes as u64);
    match region_of(address) {
        0 => address,
        region if region == region_of(moved) => moved,
        _ => POISON,
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RegionKind {
    /// Freed, or never used.
    #[default]
    Vacant,
    Buffer,
    Image,
    Shared,
    Private,
    /// The mesh of a mesh shader's workgroup.
    Mesh,
    Push,
    /// Records: how many, and which allocation of the running workgroup they are ([`INPUT`] for its input).
    Payload {
        count: u32,
        allocation: u32,
    },
    /// Records that were enqueued: they are no longer the shader's.
    Enqueued {
        count: u32,
    },
}

impl RegionKind {
    pub fn name(self) -> &'static str {
        match self {
            RegionKind::Vacant => "freed memory",
            RegionKind::Buffer => "a buffer",
            RegionKind::Image => "an image",
            RegionKind::Shared => "workgroup memory",
            RegionKind::Private => "local memory",
            RegionKind::Mesh => "the mesh",
            RegionKind::Push => "push constants",
            RegionKind::Payload { .. } => "a record",
            RegionKind::Enqueued { .. } => "an enqueued record",
        }
    }
}

#[derive(Debug, Default)]
struct Region {
    bytes: Vec<u8>,
    /// Memory that threads share, in place of `bytes`.
    common: Option<Arc<Common>>,
    kind: RegionKind,
    /// The undefined bits of each byte; empty if they are not tracked or all bytes are defined.
    undefined: Vec<u8>,
    /// The undefined bytes of buffers whose contents were discarded.
    marks: Option<Marks>,
    /// The host's name of the region.
    name: String,
    /// Nothing relies on the contents.
    disregarded: bool,
}

#[derive(Debug)]
pub struct Memory {
    regions: Vec<Region>,
    free: Vec<u32>,
    /// Emptied byte vectors of small regions, for reuse.
    spare: Vec<Vec<u8>>,
    /// Tracks undefined values.
    tracks: bool,
    /// Buffers and images are shared by several threads.
    shares: bool,
}

impl Default for Memory {
    fn default() -> Self {
        // Region 0 is null, region 1 descriptors.
        let regions = vec![Region::default(), Region::default()];
        Memory { regions, free: Vec::new(), spare: Vec::new(), tracks: false, shares: false }
    }
}

/// Bytes of a region.
pub enum View<'m> {
    Own(&'m [u8]),
    /// Shared memory from an offset on.
    Common(&'m Common, usize),
}

/// The undefined bits of some bytes.
pub enum Undefined<'m> {
    /// No bits are undefined, or they are not tracked.
    Nothing,
    Own(&'m [u8]),
    /// Marks from an offset on.
    Marks(&'m Marks, usize),
}

impl Undefined<'_> {
    /// Returns the undefined bits of a number.
    pub fn bits(&self, offset: u32, width: u8) -> u64 {
        match self {
            Undefined::Nothing => 0,
            Undefined::Own(bits) => read_number(bits.get(offset as usize..).unwrap_or(&[]), width),
            Undefined::Marks(marks, start) => marks.get(start + offset as usize, width),
        }
    }
}

impl Region {
    fn len(&self) -> usize {
        self.common.as_ref().map_or(self.bytes.len(), |common| common.len())
    }
}

impl Memory {
    /// Creates memory. With `tracks` it tracks undefined values that come from [`Memory::undefine`]. With `shares`,
    /// [`Memory::worker`] has to see the buffers and images.
    pub fn new(tracks: bool, shares: bool) -> Memory {
        Memory { tracks, shares, ..Memory::default() }
    }

    /// Returns memory for another thread: the same buffers, images and push constants at the same addresses, with new
    /// regions of its own.
    pub fn worker(&self) -> Memory {
        let regions = self.regions.iter().map(|region| match region.kind {
            RegionKind::Buffer | RegionKind::Image => {
                Region { common: region.common.clone(), kind: region.kind, ..Region::default() }
            }
            RegionKind::Push => Region { bytes: region.bytes.clone(), kind: region.kind, ..Region::default() },
            _ => Region::default(),
        });
        Memory { regions: regions.collect(), tracks: self.tracks, ..Memory::default() }
    }

    /// Returns `length` readable bytes, or None if not all of them exist.
    pub fn view(&self, address: u64, length: usize) -> Option<View<'_>> {
        let region = self.regions.get(region_of(address) as usize)?;
        match &region.common {
            Some(common) => {
                let start = offset_of(address) as usize;
                common.has(start, length).then_some(View::Common(common, start))
            }
            None => self.slice(address, length).map(View::Own),
        }
    }

    /// Returns whether all of these bytes exist and may be accessed.
    pub fn has(&self, address: u64, length: usize) -> bool {
        self.view(address, length).is_some()
    }

    /// Reads bytes; reads none and returns false if not all of them exist.
    pub fn copy_out(&self, address: u64, to: &mut [u8]) -> bool {
        match self.view(address, to.len()) {
            Some(View::Own(bytes)) => to.copy_from_slice(bytes),
            Some(View::Common(common, start)) => common.copy_out(start, to),
            None => return false,
        }
        true
    }

    /// Writes bytes; writes none and returns false if not all of them exist.
    pub fn copy_in(&mut self, address: u64, from: &[u8]) -> bool {
        if let Some(View::Common(common, start)) = self.view(address, from.len()) {
            common.copy_in(start, from);
            return true;
        }
        match self.slice_mut(address, from.len()) {
            Some(bytes) => bytes.copy_from_slice(from),
            None => return false,
        }
        let region = self.regions.get_mut(region_of(address) as usize);
        if let Some(marks) = region.and_then(|region| region.marks.as_mut()) {
            let start = offset_of(address) as usize;
            marks.fill(start..start + from.len(), false);
        }
        true
    }

    /// Performs an atomic operation; returns the old value, or None if the bytes do not exist.
    pub fn update(&mut self, address: u64, width: u8, new: impl Fn(u64) -> u64) -> Option<u64> {
        if let Some(View::Common(common, start)) = self.view(address, usize::from(width)) {
            return Some(common.update(start, width, new));
        }
        let bytes = self.slice_mut(address, usize::from(width))?;
        let old = read_number(bytes, width);
        write_number(bytes, width, new(old));
        Some(old)
    }

    /// Returns the bytes of a region.
    pub fn len(&self, region: u32) -> usize {
        self.regions.get(region as usize).map_or(0, Region::len)
    }

    /// Makes all bytes of a region undefined. Their values stay.
    pub fn undefine(&mut self, region: u32) {
        if let Some(slot) = self.regions.get_mut(region as usize).filter(|_| self.tracks) {
            slot.undefined.clear();
            slot.undefined.resize(slot.bytes.len(), 0xff);
        }
    }

    /// Returns the undefined bits of a region, in the form of [`Memory::set_undefined`]; empty if there are none.
    pub fn undefined(&self, region: u32) -> &[u8] {
        let bytes = self.regions.get(region as usize).map_or(&[][..], |r| &r.undefined);
        if bytes.iter().all(|&b| b == 0) { &[] } else { bytes }
    }

    /// Sets the undefined bits of each byte to `marks`, from the first on.
    pub fn set_undefined(&mut self, region: u32, marks: &[u8]) {
        if let Some(slot) = self.regions.get_mut(region as usize).filter(|_| self.tracks && !marks.is_empty()) {
            slot.undefined.clear();
            slot.undefined.extend_from_slice(marks);
            slot.undefined.resize(slot.bytes.len(), 0);
        }
    }

    /// Makes bytes of a buffer undefined, if that is tracked. Their values stay. Missing bytes are skipped.
    pub fn forget(&mut self, region: u32, range: std::ops::Range<usize>) {
        if let Some(slot) = self.regions.get_mut(region as usize).filter(|slot| self.tracks && slot.common.is_none()) {
            let end = range.end.min(slot.bytes.len());
            let marks = slot.marks.get_or_insert_with(|| Marks::new(slot.bytes.len()));
            marks.fill(range.start.min(end)..end, true);
        }
    }

    /// Returns the undefined bits of `length` bytes at an address.
    pub fn marks(&self, address: u64, length: usize) -> Undefined<'_> {
        let start = offset_of(address) as usize;
        let Some(region) = self.regions.get(region_of(address) as usize) else { return Undefined::Nothing };
        if start.checked_add(length).is_none_or(|end| end > region.bytes.len()) {
            return Undefined::Nothing;
        }
        match &region.marks {
            Some(marks) => Undefined::Marks(marks, start),
            None => region.undefined.get(start..start + length).map_or(Undefined::Nothing, Undefined::Own),
        }
    }

    /// Returns whether some bytes of a buffer may be undefined.
    pub fn is_marked(&self, address: u64) -> bool {
        self.regions.get(region_of(address) as usize).is_some_and(|region| region.marks.is_some())
    }

    /// Marks `bits` of a number of 1, 2, 4 or 8 bytes as undefined, if all of it exists and undefined values are
    /// tracked.
    pub fn mark(&mut self, address: u64, width: u8, bits: u64) {
        let start = offset_of(address) as usize;
        let Some(region) = self.regions.get_mut(region_of(address) as usize) else { return };
        match &mut region.marks {
            Some(marks) => marks.set(start, width, bits),
            None => write_number(region.undefined.get_mut(start..).unwrap_or(&mut []), width, bits),
        }
    }

    /// Returns the name of a region, or its kind with an article.
    pub fn name_of(&self, address: u64) -> String {
        match self.regions.get(region_of(address) as usize) {
            Some(region) if !region.name.is_empty() => format!("`{}`", region.name),
            _ => self.kind(address).name().into(),
        }
    }

    pub fn set_name(&mut self, region: u32, name: &str) {
        if let Some(slot) = self.regions.get_mut(region as usize) {
            name.clone_into(&mut slot.name);
        }
    }

    pub fn disregard(&mut self, region: u32) {
        if let Some(slot) = self.regions.get_mut(region as usize) {
            slot.disregarded = true;
        }
    }

    /// Returns whether nothing relies on the contents at an address.
    pub fn is_disregarded(&self, address: u64) -> bool {
        self.regions.get(region_of(address) as usize).is_some_and(|region| region.disregarded)
    }

    /// Creates a zeroed region. Returns None if the address space is full.
    pub fn create(&mut self, bytes: usize, kind: RegionKind) -> Option<u32> {
        if bytes as u64 > OFFSET_MASK {
            return None;
        }
        let region = match kind {
            RegionKind::Buffer | RegionKind::Image if self.shares => {
                Region { common: Some(Arc::new(Common::new(bytes)?)), kind, ..Region::default() }
            }
            _ => Region { bytes: self.zeroed(bytes)?, kind, ..Region::default() },
        };
        if let Some(index) = self.free.pop() {
            *self.regions.get_mut(index as usize)? = region;
            return Some(index);
        }
        if self.regions.len() >= MAX_REGIONS {
            return None;
        }
        self.regions.push(region);
        Some(self.regions.len() as u32 - 1)
    }

    /// Returns zeroed bytes; large ones directly from the system, which has them zeroed already. Returns None without
    /// enough memory.
    fn zeroed(&mut self, bytes: usize) -> Option<Vec<u8>> {
        if bytes > SMALL {
            return wgc_abi::memory::reserve(&mut Vec::<u8>::new(), bytes).then(|| vec![0; bytes]);
        }
        let mut data = self.spare.pop().unwrap_or_default();
        data.clear();
        data.resize(bytes, 0);
        Some(data)
    }

    pub fn destroy(&mut self, region: u32) {
        if let Some(slot) = self.regions.get_mut(region as usize)
            && slot.kind != RegionKind::Vacant
        {
            let bytes = std::mem::take(&mut slot.bytes);
            slot.kind = RegionKind::Vacant;
            slot.undefined = Vec::new();
            slot.marks = None;
            slot.name = String::new();
            slot.disregarded = false;
            slot.common = None;
            if bytes.capacity() <= SMALL && self.spare.len() < 256 {
                self.spare.push(bytes);
            }
            self.free.push(region);
        }
    }

    /// Returns the kind of the region that an address points into.
    pub fn kind(&self, address: u64) -> RegionKind {
        self.regions.get(region_of(address) as usize).map_or(RegionKind::Vacant, |r| r.kind)
    }

    pub fn set_kind(&mut self, region: u32, kind: RegionKind) {
        if let Some(slot) = self.regions.get_mut(region as usize) {
            slot.kind = kind;
        }
    }

    /// Returns the bytes of a region other than buffers and images.
    pub fn bytes(&self, region: u32) -> &[u8] {
        self.regions.get(region as usize).map_or(&[], |r| &r.bytes)
    }

    pub fn bytes_mut(&mut self, region: u32) -> &mut [u8] {
        self.regions.get_mut(region as usize).map_or(&mut [], |r| &mut r.bytes)
    }

    /// Returns the bytes from an address to the end of its region.
    pub fn remaining(&self, address: u64) -> u64 {
        let length = self.regions.get(region_of(address) as usize).map_or(0, |r| r.len() as u64);
        length.saturating_sub(offset_of(address))
    }

    /// Returns memory of one thread like [`Memory::view`].
    pub fn slice(&self, address: u64, length: usize) -> Option<&[u8]> {
        let region = self.regions.get(region_of(address) as usize)?;
        if matches!(region.kind, RegionKind::Enqueued { .. }) {
            return None;
        }
        let start = offset_of(address) as usize;
        region.bytes.get(start..start.checked_add(length)?)
    }

    pub fn slice_mut(&mut self, address: u64, length: usize) -> Option<&mut [u8]> {
        let region = self.regions.get_mut(region_of(address) as usize)?;
        if matches!(region.kind, RegionKind::Enqueued { .. }) {
            return None;
        }
        let start = offset_of(address) as usize;
        region.bytes.get_mut(start..start.checked_add(length)?)
    }
}

/// Reads a number of 1, 2, 4 or 8 bytes, zero-extended; returns 0 if `bytes` is shorter.
#[inline]
pub fn read_number(bytes: &[u8], width: u8) -> u64 {
    match width {
        1 => bytes.first().map_or(0, |b| u64::from(*b)),
        2 => bytes.first_chunk().map_or(0, |b| u64::from(u16::from_le_bytes(*b))),
        4 => bytes.first_chunk().map_or(0, |b| u64::from(u32::from_le_bytes(*b))),
        _ => bytes.first_chunk().map_or(0, |b| u64::from_le_bytes(*b)),
    }
}

/// Writes the low `width` bytes of a number; does nothing if `bytes` is shorter.
#[inline]
pub fn write_number(bytes: &mut [u8], width: u8, value: u64) {
    match width {
        1 => {
            if let Some(b) = bytes.first_mut() {
                *b = value as u8;
            }
        }
        2 => {
            if let Some(b) = bytes.first_chunk_mut() {
                *b = (value as u16).to_le_bytes();
            }
        }
        4 => {
            if let Some(b) = bytes.first_chunk_mut() {
                *b = (value as u32).to_le_bytes();
            }
        }
        _ => {
            if let Some(b) = bytes.first_chunk_mut() {
                *b = value.to_le_bytes();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_outside_a_region_have_no_bytes() {
        let mut memory = Memory::default();
        let region = memory.create(16, RegionKind::Buffer).unwrap();
        let base = address_of(region);
        assert!(memory.slice(base + 12, 4).is_some());
        assert!(memory.slice(base + 13, 4).is_none());
        assert!(memory.slice(0, 0).is_some_and(<[u8]>::is_empty), "null has no bytes but exists");
        assert!(memory.slice(0, 4).is_none());
        assert!(memory.slice(u64::MAX, 1).is_none());
        assert_eq!(advance(base, -1), POISON);
        assert_eq!(advance(POISON, 8), POISON);
        assert_eq!(advance(base, 8), base + 8);
        memory.destroy(region);
        assert!(memory.slice(base, 4).is_none());
        assert_eq!(memory.create(4, RegionKind::Buffer), Some(region));
        assert_eq!(memory.bytes(region), [0; 4]);
    }
}
