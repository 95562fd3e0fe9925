//! The layout of records in the pages of a queue.

use wgc_abi::StructLayout;
use wgc_ir::Record;

/// Limits of the page size that can be requested. The page grows if the largest record does not fit.
pub const MIN_PAGE_BYTES: u32 = 1 << 10;
pub const MAX_PAGE_BYTES: u32 = 1 << 20;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RecordLayout {
    /// Bytes from one record to the next, including the tracking word. A multiple of four and of the alignment; 0 for
    /// empty records.
    pub stride: u32,
    /// Bytes as declared by the node.
    pub bytes: u32,
    /// Offset of the word that counts finished workgroups.
    pub trailer: Option<u32>,
    /// Offset of the guard word, which follows all data that shaders write.
    pub guard: Option<u32>,
}

impl RecordLayout {
    /// Returns the layout of a record; `None` if the type has no size, or 1 GiB or more.
    pub fn of(record: Option<&Record>, guarded: bool) -> Option<RecordLayout> {
        let Some(record) = record else { return Some(RecordLayout::default()) };
        let bytes = record.ty.size().filter(|&n| n != 0)?;
        // Shaders copy and read records by words.
        let mut end = bytes.checked_next_multiple_of(4)?;
        let trailer = record.track_sharing.then_some(end);
        if trailer.is_some() {
            end = end.checked_add(4)?;
        }
        let guard = guarded.then_some(end);
        if guarded {
            end = end.checked_add(4)?;
        }
        let stride = end.checked_next_multiple_of(record.ty.align().max(4))?;
        (stride <= StructLayout::MAX_BYTES).then_some(RecordLayout { stride, bytes, trailer, guard })
    }

    /// Returns the records of a page; 0 for empty records.
    pub fn slots(self, page_bytes: u32) -> u32 {
        page_bytes.checked_div(self.stride).unwrap_or(0)
    }
}

/// Returns the page size of a package: the requested size, as a power of two that holds the largest record.
pub fn page_bytes(requested: u32, largest_stride: u32) -> u32 {
    let wanted = requested.clamp(MIN_PAGE_BYTES, MAX_PAGE_BYTES).next_power_of_two();
    wanted.max(largest_stride.next_power_of_two())
}

#[cfg(test)]
mod tests {
    use super::*;
    use wgc_ir::{Scalar, Type};

    fn record(ty: Type, track_sharing: bool) -> Record {
        Record { ty, grid: None, track_sharing }
    }

    #[test]
    fn record_strides_include_trailer_and_alignment() {
        let of = |ty, track| RecordLayout::of(Some(&record(ty, track)), false).unwrap();
        let plain = RecordLayout::default();
        assert_eq!(of(Type::Vector(Scalar::F32, 3), false), RecordLayout { stride: 12, bytes: 12, ..plain });
        let tracked = RecordLayout { stride: 16, bytes: 12, trailer: Some(12), ..plain };
        assert_eq!(of(Type::Vector(Scalar::F32, 3), true), tracked);
        // Six bytes: the next word starts at eight.
        let halves = Type::Vector(Scalar::U16, 3);
        assert_eq!(of(halves.clone(), false).stride, 8);
        assert_eq!(of(halves, true), RecordLayout { stride: 12, bytes: 6, trailer: Some(8), ..plain });
        // A tracked 64-bit value: the next record must stay aligned.
        assert_eq!(of(Type::U64, true), RecordLayout { stride: 16, bytes: 8, trailer: Some(8), ..plain });
        assert_eq!(RecordLayout::of(None, true), Some(RecordLayout::default()));
    }

    #[test]
    fn guards_follow_all_writable_record_bytes() {
        let of = |ty, track| RecordLayout::of(Some(&record(ty, track)), true).unwrap();
        let bytes = 6;
        let halves = Type::Vector(Scalar::U16, 3);
        assert_eq!(of(halves.clone(), false), RecordLayout { stride: 12, bytes, trailer: None, guard: Some(8) });
        assert_eq!(of(halves, true), RecordLayout { stride: 16, bytes, trailer: Some(8), guard: Some(12) });
        assert_eq!(of(Type::U64, false).stride, 16);
    }

    #[test]
    fn pages_hold_the_largest_record() {
        assert_eq!(page_bytes(1 << 16, 12), 1 << 16);
        assert_eq!(page_bytes(1 << 14, 32 * 1024), 1 << 15);
        assert_eq!(page_bytes(1 << 14, 32 * 1024 + 4), 1 << 16);
        assert_eq!(page_bytes(0, 0), MIN_PAGE_BYTES);
        let layout = RecordLayout { stride: 12, bytes: 12, ..RecordLayout::default() };
        assert_eq!(layout.slots(1 << 16), 5461);
        assert_eq!(RecordLayout::default().slots(1 << 16), 0);
    }
}
