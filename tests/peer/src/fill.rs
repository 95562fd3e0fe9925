//! Contents of buffers by layout: numbers of any kind, but floats in the generator's domain.

use half::f16;
use wgc_abi::{LayoutScalar, LayoutType};

/// Returns elements of a type, with pseudo-random contents.
pub fn filled(ty: &LayoutType, stride: u32, count: u32, seed: u64) -> Vec<u8> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut random = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    let mut bytes = vec![0; (stride.max(1) * count) as usize];
    // Padding is not zero either.
    for word in bytes.chunks_exact_mut(4) {
        word.copy_from_slice(&(random() as u32).to_le_bytes());
    }
    for n in 0..count {
        scalars(ty, (n * stride) as usize, &mut |at, scalar| {
            let value = scalar_bytes(scalar, random());
            if let Some(to) = bytes.get_mut(at..at + value.len()) {
                to.copy_from_slice(&value);
            }
        });
    }
    bytes
}

fn scalar_bytes(scalar: LayoutScalar, random: u64) -> Vec<u8> {
    let small = (random % 63) as i32 - 31;
    match scalar {
        LayoutScalar::Bool => ((random & 1) as u32).to_le_bytes().to_vec(),
        LayoutScalar::I16 | LayoutScalar::U16 => (random as u16).to_le_bytes().to_vec(),
        LayoutScalar::I32 | LayoutScalar::U32 if random & 0x100 == 0 => small.unsigned_abs().to_le_bytes().to_vec(),
        LayoutScalar::I32 | LayoutScalar::U32 => (random as u32).to_le_bytes().to_vec(),
        LayoutScalar::I64 | LayoutScalar::U64 => random.to_le_bytes().to_vec(),
        LayoutScalar::F16 => f16::from_f32(small as f32 / 4.0).to_le_bytes().to_vec(),
        LayoutScalar::F32 => (small as f32 / 4.0).to_le_bytes().to_vec(),
        LayoutScalar::F64 => (f64::from(small) / 4.0).to_le_bytes().to_vec(),
    }
}

/// Returns whether two elements are equal, ignoring padding and signs of zeros.
pub fn same(ty: &LayoutType, a: &[u8], b: &[u8]) -> bool {
    let mut equal = true;
    scalars(ty, 0, &mut |at, scalar| {
        let size = scalar.size() as usize;
        let (Some(x), Some(y)) = (a.get(at..at + size), b.get(at..at + size)) else { return };
        let zero = |bytes: &[u8]| {
            bytes.iter().enumerate().all(|(n, byte)| if n + 1 == size { byte & 0x7f == 0 } else { *byte == 0 })
        };
        let is_float = matches!(scalar, LayoutScalar::F16 | LayoutScalar::F32 | LayoutScalar::F64);
        equal &= x == y || (is_float && zero(x) && zero(y));
    });
    equal
}

/// Calls `visit` with the offset of each scalar of a type.
pub fn scalars(ty: &LayoutType, at: usize, visit: &mut dyn FnMut(usize, LayoutScalar)) {
    let each = |scalar: LayoutScalar| scalar.size() as usize;
    match ty {
        LayoutType::Scalar(scalar) | LayoutType::Bits { scalar, .. } => visit(at, *scalar),
        LayoutType::Vector { scalar, components } => {
            (0..*components as usize).for_each(|n| visit(at + n * each(*scalar), *scalar));
        }
        LayoutType::Matrix { scalar, rows, columns, row_major, stride } => {
            let (lines, length) = if *row_major { (*rows, *columns) } else { (*columns, *rows) };
            for line in 0..lines as usize {
                (0..length as usize).for_each(|n| visit(at + line * *stride as usize + n * each(*scalar), *scalar));
            }
        }
        LayoutType::Array { element, count, stride } => {
            (0..*count as usize).for_each(|n| scalars(element, at + n * *stride as usize, visit));
        }
        LayoutType::Struct(layout) => {
            layout.fields.iter().for_each(|field| scalars(&field.ty, at + field.offset as usize, visit));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_floats_are_filled_with_quarters() {
        // A random number is mapped to one that is 31 less.
        let half = |quarters: i64| {
            let bytes = scalar_bytes(LayoutScalar::F16, (quarters + 31) as u64);
            u16::from_le_bytes([bytes[0], bytes[1]])
        };
        assert_eq!([half(4), half(-4), half(1), half(6), half(31)], [0x3c00, 0xbc00, 0x3400, 0x3e00, 0x47c0]);
    }
}
