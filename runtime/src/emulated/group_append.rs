//! Requests of a whole workgroup that share one atomic: a specialisation constant of nodes turns them on.

use std::borrow::Cow;
use wgc_abi::device::CONSTANT_GROUP_APPEND;

const HEADER: usize = 5;
const OP_SPEC_CONSTANT_TRUE: u32 = 48;
const OP_SPEC_CONSTANT_FALSE: u32 = 49;
const OP_DECORATE: u32 = 71;
const DECORATION_SPEC_ID: u32 = 1;

/// Returns the words of a module, with the constant set if `on` is true. A module without the constant is unchanged.
pub fn with_group_append(words: &[u32], on: bool) -> Cow<'_, [u32]> {
    match constant(words).filter(|_| on) {
        Some(at) => {
            let mut words = words.to_vec();
            words[at] = words[at] & !0xffff | OP_SPEC_CONSTANT_TRUE;
            Cow::Owned(words)
        }
        None => Cow::Borrowed(words),
    }
}

/// Returns the index of the instruction that declares the constant.
fn constant(words: &[u32]) -> Option<usize> {
    let mut id = None;
    let mut at = HEADER;
    while let Some([first, operands @ ..]) = words.get(at..) {
        // Decorations are before constants (SPIR-V 2.4).
        match (first & 0xffff, operands) {
            (OP_DECORATE, [target, DECORATION_SPEC_ID, CONSTANT_GROUP_APPEND, ..]) => id = Some(*target),
            (OP_SPEC_CONSTANT_FALSE, [_, result, ..]) if Some(*result) == id => return Some(at),
            _ => {}
        }
        at += (first >> 16).max(1) as usize;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a module of these instructions.
    fn module(instructions: &[&[u32]]) -> Vec<u32> {
        let start = [0x0723_0203, 0x0001_0600, 0, 9, 0].into_iter();
        let words = |i: &&[u32]| [&[(i.len() as u32) << 16 | i[0]], &i[1..]].concat();
        start.chain(instructions.iter().flat_map(words)).collect()
    }

    #[test]
    fn only_the_constant_of_group_appends_is_set() {
        let with = |first: u32| {
            module(&[
                &[OP_DECORATE, 3, DECORATION_SPEC_ID, 7],
                &[OP_DECORATE, 4, DECORATION_SPEC_ID, CONSTANT_GROUP_APPEND],
                &[OP_SPEC_CONSTANT_FALSE, 2, 3],
                &[first, 2, 4],
            ])
        };
        let module = with(OP_SPEC_CONSTANT_FALSE);
        assert_eq!(*with_group_append(&module, true), with(OP_SPEC_CONSTANT_TRUE));
        assert_eq!(*with_group_append(&module, false), module);
    }

    #[test]
    fn modules_without_the_constant_are_unchanged() {
        let plain = module(&[&[OP_DECORATE, 3, DECORATION_SPEC_ID, 7], &[OP_SPEC_CONSTANT_FALSE, 2, 3]]);
        for words in [&plain[..], &plain[..7], &[], &[0, 0, 0, 0, 0, 0]] {
            assert_eq!(*with_group_append(words, true), *words);
        }
    }
}
