//! Sets of lanes: which threads of a workgroup execute an instruction.

/// The most lanes that run together, and the largest workgroup.
pub const MAX_LANES: usize = 1024;
const WORDS: usize = MAX_LANES / 64;

/// A set of lanes, lane `i` in bit `i % 64` of word `i / 64`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mask {
    words: [u64; WORDS],
    /// The words that may be nonzero, which loops must visit.
    used: u32,
}

impl Mask {
    /// Returns the first `lanes` lanes.
    pub fn first(lanes: usize) -> Mask {
        let lanes = lanes.min(MAX_LANES);
        let mut words = [0; WORDS];
        for (i, word) in words.iter_mut().enumerate() {
            let here = lanes.saturating_sub(i * 64);
            *word = if here >= 64 { u64::MAX } else { (1 << here) - 1 };
        }
        Mask { words, used: lanes.div_ceil(64) as u32 }
    }

    /// Returns an empty mask with room for as many lanes as `self` has.
    pub fn cleared(&self) -> Mask {
        Mask { words: [0; WORDS], used: self.used }
    }

    fn used(&self) -> &[u64] {
        self.words.get(..self.used as usize).unwrap_or(&self.words)
    }

    pub fn is_empty(&self) -> bool {
        self.used().iter().all(|&w| w == 0)
    }

    pub fn count(&self) -> usize {
        self.used().iter().map(|w| w.count_ones() as usize).sum()
    }

    pub fn contains(&self, lane: usize) -> bool {
        self.words.get(lane / 64).is_some_and(|w| w >> (lane % 64) & 1 != 0)
    }

    pub fn or(&mut self, other: &Mask) {
        for (a, b) in self.words.iter_mut().zip(other.words).take(self.used as usize) {
            *a |= b;
        }
    }

    /// Returns the lanes of `self` that are not in `other`.
    pub fn without(mut self, other: &Mask) -> Mask {
        for (a, b) in self.words.iter_mut().zip(other.words).take(self.used as usize) {
            *a &= !b;
        }
        self
    }

    /// Returns the lanes for which `keep` is true.
    pub fn filtered(&self, mut keep: impl FnMut(usize) -> bool) -> Mask {
        let mut out = self.cleared();
        for (w, &word) in self.used().iter().enumerate() {
            let (mut rest, mut bits) = (word, 0u64);
            while rest != 0 {
                let bit = rest.trailing_zeros();
                rest &= rest - 1;
                bits |= u64::from(keep(w * 64 + bit as usize)) << bit;
            }
            if let Some(slot) = out.words.get_mut(w) {
                *slot = bits;
            }
        }
        out
    }

    pub fn lowest(&self) -> Option<usize> {
        self.lanes().next()
    }

    /// Returns the lanes in ascending order.
    pub fn lanes(&self) -> impl Iterator<Item = usize> + '_ {
        self.used().iter().enumerate().flat_map(|(w, &word)| Bits(word).map(move |bit| w * 64 + bit))
    }
}

struct Bits(u64);

impl Iterator for Bits {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        if self.0 == 0 {
            return None;
        }
        let bit = self.0.trailing_zeros() as usize;
        self.0 &= self.0 - 1;
        Some(bit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_beyond_one_word() {
        let mask = Mask::first(130);
        assert_eq!(mask.count(), 130);
        let odd = mask.filtered(|l| l % 2 == 1);
        assert_eq!(odd.lanes().take(2).collect::<Vec<_>>(), [1, 3]);
        assert_eq!(odd.lanes().last(), Some(129));
        assert_eq!(mask.without(&odd).count(), 65);
        assert!(!odd.contains(128) && odd.contains(129));
    }
}
