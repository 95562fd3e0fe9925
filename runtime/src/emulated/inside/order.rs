//! The deterministic mode. Records that a stage has appended to a queue are sorted by their contents. The consumers
//! then find the same records at the same positions, regardless of the order in which a device ran their producers.
//!
//! The host sorts between two stages. That suffices, because the set of records that a stage appends does not depend on
//! the order of its workgroups. The exception is shaders that make it depend on that order through memory of their own.
//! Equal records are interchangeable. Grids in records are launched by a prefix that contains their positions, so the
//! prefix is rewritten.

use super::super::program::Program;
use super::super::report::RunError;
use super::pages::{FoundRecord, Pages, grid};
use crate::device::Device;
use std::ops::Range;
use wgc_abi::device::{InstanceState, PREFIX_GROUP_BITS, PREFIX_RECORD_BITS, QueueState};
use wgc_abi::layout::{LayoutScalar, LayoutType, StructLayout};
use wgc_abi::tables::{LAUNCH_DYNAMIC, QueueRow};

/// The launches so far of a node whose grids are in its records.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Launched {
    /// Records with workgroups, and those.
    entries: u64,
    groups: u64,
}

impl Launched {
    fn of(state: &InstanceState) -> Self {
        let groups = state.counter & ((1 << PREFIX_GROUP_BITS) - 1);
        Self { entries: state.counter >> PREFIX_GROUP_BITS, groups }
    }
}

/// Sorts newly found records, in the memory of the graph too. `launched` is by instance, from the previous observation.
pub(super) fn order(
    device: &mut dyn Device,
    pages: &Pages,
    program: &Program,
    row: &QueueRow,
    state: &QueueState,
    found: &mut [FoundRecord],
    launched: &mut [Launched],
) -> Result<(), RunError> {
    // If records were lost, the order is unknown.
    if found.iter().any(|found| found.memory.is_none()) {
        return Ok(());
    }
    let consumer = program.manifest.instances.get(row.first_instance as usize);
    let layout = consumer.and_then(|consumer| program.manifest.record(consumer));
    let mut contents: Vec<Vec<u8>> = found.iter().flat_map(|found| Some(found.memory.as_ref()?.1.clone())).collect();
    contents.sort_by_cached_key(|bytes| key(layout, bytes));
    for (found, bytes) in found.iter_mut().zip(contents) {
        if let Some((place, old)) = found.memory.as_mut().filter(|(_, old)| *old != bytes) {
            device.write_buffer(place.buffer, place.offset, &bytes)?;
            *old = bytes;
        }
    }
    let lists = program.manifest.kernels.scan.is_some();
    for number in consumers(row) {
        let rows = program.tables.instances.get(number).zip(launched.get_mut(number));
        let Some((instance, launched)) = rows.filter(|(instance, _)| instance.launch == LAUNCH_DYNAMIC) else {
            continue;
        };
        let now = pages.instance(device, number)?;
        let before = if found.first().is_some_and(|first| first.index == 0) { Launched::default() } else { *launched };
        let mut after = before;
        let mut entries = Vec::new();
        for (index, bytes) in found.iter().filter_map(|found| Some((found.index, &found.memory.as_ref()?.1))) {
            let groups: u64 = grid(instance, bytes).iter().map(|&axis| u64::from(axis)).product();
            if groups != 0 {
                // The kernel scan will sum up the listed groups.
                let entry = if lists { groups } else { after.groups };
                entries.push(entry << PREFIX_RECORD_BITS | u64::from(index));
                after = Launched { entries: after.entries + 1, groups: after.groups + groups };
            }
        }
        let now_launched = match lists {
            true => Launched { entries: now.listed.into(), groups: after.groups },
            false => Launched::of(&now),
        };
        // Otherwise a record was not completed, or a grid not launched: the run reports it.
        if after == now_launched && state.prefix_pages != 0 {
            pages.write_prefix(device, &now, before.entries as u32, &entries)?;
        }
        *launched = now_launched;
    }
    Ok(())
}

fn consumers(row: &QueueRow) -> Range<usize> {
    row.first_instance as usize..(row.first_instance + row.instance_count) as usize
}

/// Returns a record's numbers in sequence, without the padding, which nobody writes. Keys compare like their records,
/// number by number. Records without a layout are compared as words.
pub(super) fn key(layout: Option<&StructLayout>, bytes: &[u8]) -> Vec<u8> {
    let mut key = Vec::with_capacity(bytes.len());
    let mut take = |range: Range<usize>, run: Run| {
        for number in bytes.get(range).unwrap_or_default().chunks(run.scalar.size() as usize) {
            put(&mut key, number, run);
        }
    };
    match layout {
        Some(layout) => fields(layout, 0, &mut take),
        None => take(0..bytes.len(), Run { scalar: LayoutScalar::U32, bits: None }),
    }
    key
}

/// The type of a run's numbers.
#[derive(Clone, Copy)]
struct Run {
    scalar: LayoutScalar,
    /// The first bit and the width, for a bit-field.
    bits: Option<(u32, u32)>,
}

/// Appends a number such that bytes compare like it, the highest first.
fn put(key: &mut Vec<u8>, number: &[u8], run: Run) {
    use LayoutScalar::{F16, F32, F64, I16, I32, I64};
    let value = number.iter().rev().fold(0, |value, byte| value << 8 | u64::from(*byte));
    // The values of a manifest are unchecked, so they are clamped.
    let (first, width) = run.bits.unwrap_or((0, 8 * number.len() as u32));
    let (first, width) = (first.min(63), width.clamp(1, 64));
    let value = value >> first & u64::MAX >> (64 - width);
    let sign = 1u64 << (width - 1);
    let value = match run.scalar {
        // For two negative floats, the one with the larger bits is smaller.
        F16 | F32 | F64 if value & sign != 0 => !value,
        I16 | I32 | I64 | F16 | F32 | F64 => value ^ sign,
        _ => value,
    };
    key.extend(&value.to_be_bytes()[8 - number.len()..]);
}

/// Finds the numbers of a structure at `base`, as runs of one type.
fn fields(layout: &StructLayout, base: usize, take: &mut dyn FnMut(Range<usize>, Run)) {
    for field in &layout.fields {
        parts(&field.ty, base + field.offset as usize, take);
    }
}

fn parts(ty: &LayoutType, base: usize, take: &mut dyn FnMut(Range<usize>, Run)) {
    match ty {
        LayoutType::Struct(layout) => fields(layout, base, take),
        LayoutType::Array { element, count, stride } => {
            (0..*count).for_each(|item| parts(element, base + (item * stride) as usize, take));
        }
        LayoutType::Matrix { scalar, rows, columns, row_major, stride } => {
            let (vectors, length) = if *row_major { (rows, columns) } else { (columns, rows) };
            for vector in 0..*vectors {
                let start = base + (vector * stride) as usize;
                take(start..start + (length * scalar.size()) as usize, Run { scalar: *scalar, bits: None });
            }
        }
        LayoutType::Scalar(scalar) | LayoutType::Vector { scalar, .. } => {
            take(base..base + ty.size() as usize, Run { scalar: *scalar, bits: None });
        }
        LayoutType::Bits { scalar, first, width } => {
            take(base..base + ty.size() as usize, Run { scalar: *scalar, bits: Some((*first, *width)) });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wgc_abi::layout::FieldLayout;

    #[test]
    fn sort_key_uses_values_and_ignores_padding() {
        let field = |name: &str, offset, ty| FieldLayout { name: name.to_owned(), offset, ty };
        let inner = StructLayout {
            name: "Inner".to_owned(),
            fields: vec![field("a", 0, LayoutType::Scalar(LayoutScalar::U16))],
            size: 4,
            align: 4,
        };
        let array = LayoutType::Array { element: Box::new(LayoutType::Struct(inner)), count: 2, stride: 4 };
        let scalar = LayoutScalar::F32;
        let matrix = LayoutType::Matrix { scalar, rows: 1, columns: 2, row_major: false, stride: 8 };
        let fields = vec![field("i", 0, array), field("m", 8, matrix)];
        let layout = StructLayout { name: String::new(), fields, size: 24, align: 8 };
        let bytes: Vec<u8> = (0..24).collect();
        assert_eq!(key(Some(&layout), &bytes), [1, 0, 5, 4, 0x8b, 10, 9, 8, 0x93, 18, 17, 16]);
        assert_eq!(key(None, &bytes[..8]), [3, 2, 1, 0, 7, 6, 5, 4]);
    }

    #[test]
    fn sort_keys_preserve_numeric_order() {
        let of = |ty: LayoutType, bytes: &[u8]| {
            let size = ty.size();
            let fields = vec![FieldLayout { name: String::new(), offset: 0, ty }];
            key(Some(&StructLayout { name: String::new(), fields, size, align: size }), bytes)
        };
        let sorted = |keys: &[Vec<u8>]| keys.windows(2).all(|pair| pair[0] < pair[1]);
        let floats = [f32::NEG_INFINITY, -2.5, -2.0, -0.0, 0.0, 1e-40, 1.0, 10.0, f32::INFINITY];
        assert!(sorted(&floats.map(|n| of(LayoutType::Scalar(LayoutScalar::F32), &n.to_le_bytes()))));
        let signed = [i16::MIN, -256, -1, 0, 1, 2, 10, 256, i16::MAX];
        assert!(sorted(&signed.map(|n| of(LayoutType::Scalar(LayoutScalar::I16), &n.to_le_bytes()))));
        let unsigned = [0, 2, 10, 256, u64::MAX];
        assert!(sorted(&unsigned.map(|n| of(LayoutType::Scalar(LayoutScalar::U64), &n.to_le_bytes()))));
        // Three bits from the second on, between other bits: -4, -1, 0, 3.
        let bits = |scalar| LayoutType::Bits { scalar, first: 2, width: 3 };
        assert!(sorted(&[0x13u32, 0x1f, 0xe0, 0x0c].map(|n| of(bits(LayoutScalar::I32), &n.to_le_bytes()))));
        assert!(sorted(&[0xe0u32, 0x0c, 0x13, 0x1f].map(|n| of(bits(LayoutScalar::U32), &n.to_le_bytes()))));
    }
}
