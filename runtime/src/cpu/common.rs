//! Bytes that several threads read and write at the same time: buffers and images of a device with more than one.
//!
//! Shared buffers consist of atomic words. A shader's atomic operations are thus atomic among all its workgroups, and a
//! shader with a race reads some value and harms nothing else. Atomics of 64 bits, which no word can hold, have a lock.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

#[derive(Debug)]
pub struct Common {
    words: Vec<AtomicU32>,
    bytes: usize,
    /// The lock of 64-bit atomics.
    wide: Mutex<()>,
}

impl Common {
    /// Creates zeroed bytes; returns None without enough memory.
    pub fn new(bytes: usize) -> Option<Common> {
        let count = bytes.div_ceil(4);
        let mut words = Vec::new();
        if !wgc_abi::memory::reserve(&mut words, count) {
            return None;
        }
        words.resize_with(count, AtomicU32::default);
        Some(Common { words, bytes, wide: Mutex::new(()) })
    }

    pub fn len(&self) -> usize {
        self.bytes
    }

    pub fn has(&self, start: usize, length: usize) -> bool {
        start.checked_add(length).is_some_and(|end| end <= self.bytes)
    }

    fn word(&self, at: usize) -> u32 {
        self.words.get(at).map_or(0, |w| w.load(Relaxed))
    }

    /// Reads a number of 1, 2, 4 or 8 bytes at any offset.
    pub fn read(&self, at: usize, width: u8) -> u64 {
        let (word, shift) = (at / 4, at % 4 * 8);
        let mut bits = u128::from(self.word(word));
        if shift + usize::from(width) * 8 > 32 {
            bits |= u128::from(self.word(word + 1)) << 32 | u128::from(self.word(word + 2)) << 64;
        }
        (bits >> shift) as u64 & (u64::MAX >> (64 - 8 * u32::from(width).clamp(1, 8)))
    }

    /// Writes the low bytes of a number.
    pub fn write(&self, at: usize, width: u8, value: u64) {
        if width == 4 && at.is_multiple_of(4) {
            if let Some(word) = self.words.get(at / 4) {
                word.store(value as u32, Relaxed);
            }
            return;
        }
        let mask = u128::from(u64::MAX >> (64 - 8 * u32::from(width).clamp(1, 8)));
        let shift = at % 4 * 8;
        let (value, mask) = ((u128::from(value) & mask) << shift, mask << shift);
        for (i, word) in self.words.iter().skip(at / 4).take(3).enumerate() {
            let (value, mask) = ((value >> (32 * i)) as u32, (mask >> (32 * i)) as u32);
            match mask {
                0 => {}
                u32::MAX => word.store(value, Relaxed),
                // Its other bytes may belong to other threads.
                _ => _ = word.fetch_update(Relaxed, Relaxed, |old| Some(old & !mask | value)),
            }
        }
    }

    /// Performs an atomic operation on 4 or 8 bytes; returns the old value.
    pub fn update(&self, at: usize, width: u8, new: impl Fn(u64) -> u64) -> u64 {
        if width == 4 && at.is_multiple_of(4) {
            let Some(word) = self.words.get(at / 4) else { return 0 };
            let step = |old: u32| Some(new(u64::from(old)) as u32);
            return u64::from(word.fetch_update(Relaxed, Relaxed, step).unwrap_or(0));
        }
        let _guard = self.wide.lock().unwrap_or_else(PoisonError::into_inner);
        let old = self.read(at, width);
        self.write(at, width, new(old));
        old
    }

    pub fn copy_out(&self, start: usize, to: &mut [u8]) {
        let (chunks, rest) = to.as_chunks_mut::<4>();
        let whole = chunks.len() * 4;
        for (at, chunk) in (start..).step_by(4).zip(chunks) {
            *chunk = (self.read(at, 4) as u32).to_le_bytes();
        }
        for (at, byte) in (start + whole..).zip(rest) {
            *byte = self.read(at, 1) as u8;
        }
    }

    pub fn copy_in(&self, start: usize, from: &[u8]) {
        let (chunks, rest) = from.as_chunks::<4>();
        for (at, chunk) in (start..).step_by(4).zip(chunks) {
            self.write(at, 4, u64::from(u32::from_le_bytes(*chunk)));
        }
        for (at, byte) in (start + chunks.len() * 4..).zip(rest) {
            self.write(at, 1, u64::from(*byte));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn common_memory_stores_little_endian_values() {
        for at in 0..9 {
            for width in [1u8, 2, 4, 8] {
                let common = Common::new(20).unwrap();
                let mut bytes: Vec<u8> = (1..=20).collect();
                common.copy_in(0, &bytes);
                let value = 0xf1e2_d3c4_b5a6_9788u64;
                common.write(at, width, value);
                bytes[at..at + usize::from(width)].copy_from_slice(&value.to_le_bytes()[..usize::from(width)]);
                let mut out = vec![0; 20];
                common.copy_out(0, &mut out);
                assert_eq!(out, bytes, "{width} at {at}");
                assert_eq!(common.read(at, width), value & (u64::MAX >> (64 - 8 * u32::from(width))));
            }
        }
        assert!(Common::new(5).unwrap().has(1, 4) && !Common::new(5).unwrap().has(2, 4));
    }

    #[test]
    fn concurrent_updates_lose_no_additions() {
        let common = Common::new(16).unwrap();
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..1000 {
                        common.update(4, 4, |old| old + 1);
                        common.update(8, 8, |old| old + (1 << 31));
                    }
                });
            }
        });
        assert_eq!((common.read(4, 4), common.read(8, 8)), (4000, 4000 << 31));
    }
}
