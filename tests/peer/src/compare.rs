//! Comparison of two runs.

use crate::generate::Slot;

/// Returns the distance of two floats in units of the last place; infinite if only one is NaN.
pub fn ulps(a: f32, b: f32) -> f64 {
    if a == b || (a.is_nan() && b.is_nan()) {
        return 0.0;
    }
    if !a.is_finite() || !b.is_finite() {
        return f64::INFINITY;
    }
    // The bits of floats in order of their values.
    let ordered = |x: f32| {
        let bits = i64::from(x.to_bits() & 0x7fff_ffff);
        if x.is_sign_negative() { -bits } else { bits }
    };
    (ordered(a) - ordered(b)).unsigned_abs() as f64
}

/// Returns whether two runs agree in a slot, according to its kind.
pub fn agree(slot: Slot, a: &[u8], b: &[u8]) -> bool {
    let word = |bytes: &[u8]| f32::from_bits(u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]));
    match slot {
        Slot::Bits => a == b,
        Slot::Float32(allowed) => ulps(word(a), word(b)) <= allowed,
        Slot::Absolute(by, allowed) => {
            let (x, y) = (word(a), word(b));
            (f64::from(x) - f64::from(y)).abs() <= by || ulps(x, y) <= allowed
        }
        Slot::Float64 => {
            let double = |bytes: &[u8]| f64::from_le_bytes(std::array::from_fn(|n| bytes[n]));
            double(a) == double(b) || a == b
        }
    }
}

/// Describes the first slot of `Out` in which two runs differ: thread, slot, and both contents.
pub fn first_difference(slots: &[Slot], a: &[u8], b: &[u8]) -> Option<String> {
    let chunks = a.chunks_exact(8).zip(b.chunks_exact(8)).enumerate();
    for (n, (x, y)) in chunks {
        let slot = slots.get(n % slots.len().max(1)).copied().unwrap_or(Slot::Bits);
        if !agree(slot, x, y) {
            let (thread, at) = (n / slots.len().max(1), n % slots.len().max(1));
            let hex = |bytes: &[u8]| u64::from_le_bytes(std::array::from_fn(|n| bytes[n]));
            return Some(format!("thread {thread}, slot {at}: {:#x} and {:#x}", hex(x), hex(y)));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_are_compared_with_the_tolerance_of_their_slot() {
        assert_eq!(ulps(1.0, 1.0 + f32::EPSILON), 1.0);
        assert_eq!(ulps(0.0, -0.0), 0.0);
        assert_eq!(ulps(f32::from_bits(1), -f32::from_bits(1)), 2.0);
        assert_eq!(ulps(1.0, f32::NAN), f64::INFINITY);
        let bytes = |x: f32| [x.to_le_bytes(), [0; 4]].concat();
        let (one, next) = (bytes(1.0), bytes(1.0 + f32::EPSILON));
        assert!(!agree(Slot::Bits, &one, &next) && !agree(Slot::Float32(0.0), &one, &next));
        assert!(agree(Slot::Float32(1.0), &one, &next) && agree(Slot::Absolute(1e-6, 0.0), &one, &next));
        assert!(agree(Slot::Float32(0.0), &bytes(0.0), &bytes(-0.0)) && !agree(Slot::Bits, &bytes(0.0), &bytes(-0.0)));
    }

    #[test]
    fn the_first_difference_names_thread_and_slot() {
        let slots = [Slot::Bits, Slot::Float32(0.0)];
        let (mut a, b) = (vec![0; 64], vec![0; 64]);
        assert_eq!(first_difference(&slots, &a, &b), None);
        a[8 * 5] = 1;
        assert_eq!(first_difference(&slots, &a, &b), Some("thread 2, slot 1: 0x1 and 0x0".to_owned()));
    }
}
