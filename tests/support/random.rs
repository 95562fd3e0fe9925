//! Pseudorandom numbers that depend on the seed only (SplitMix64).

#![allow(dead_code, reason = "each test binary uses a part")]

/// A generator; every seed has its own sequence.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// Starts the sequence of a seed.
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// Returns any number.
    pub fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Returns a number below `end`, or 0 if there is none.
    pub fn below<N: TryInto<u64> + TryFrom<u64> + Default>(&mut self, end: N) -> N {
        let end = end.try_into().unwrap_or(0);
        N::try_from(self.number().checked_rem(end).unwrap_or(0)).unwrap_or_default()
    }

    /// Returns true once in `n` calls on average.
    pub fn one_in(&mut self, n: u32) -> bool {
        self.below(n) == 0
    }

    /// Returns an element of a list, which must not be empty.
    pub fn pick<T: Clone>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())].clone()
    }
}
