//! Damage to the words of a SPIR-V module.

use crate::random::Random;
use wgc_spirv_module::MAGIC;

const HEADER: usize = 5;

/// Returns whether an input is the bytes of a module, not text.
pub fn is_module(input: &[u8]) -> bool {
    input.len() >= 4 * HEADER && input.len().is_multiple_of(4) && input.starts_with(&MAGIC.to_le_bytes())
}

fn words(bytes: &[u8]) -> Vec<u32> {
    bytes.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word)).collect()
}

/// Returns the ranges of the instructions, up to a broken one.
fn instructions(words: &[u32]) -> Vec<(usize, usize)> {
    let mut out = Vec::new();
    let mut at = HEADER;
    while let Some(first) = words.get(at) {
        let length = (first >> 16) as usize;
        if length == 0 || at + length > words.len() {
            break;
        }
        out.push((at, at + length));
        at += length;
    }
    out
}

/// Makes one change. It removes, doubles, moves or replaces an instruction, or changes a word.
pub fn mutate(input: &[u8], donor: &[u8], random: &mut Random) -> Vec<u8> {
    let mut own = words(input);
    let all = instructions(&own);
    if all.is_empty() {
        return input.to_vec();
    }
    let (lo, hi) = all[random.below(all.len())];
    let operand = lo + 1 + random.below((hi - lo).saturating_sub(1));
    match random.below(12) {
        0 => drop(own.drain(lo..hi)),
        1 => {
            let copy = own[lo..hi].to_vec();
            own.splice(hi..hi, copy);
        }
        2 => {
            let copy: Vec<u32> = own.drain(lo..hi).collect();
            let rest = instructions(&own);
            let at = rest.get(random.below(rest.len())).map_or(own.len(), |found| found.0);
            own.splice(at..at, copy);
        }
        3 if is_module(donor) => {
            let theirs = words(donor);
            let found = instructions(&theirs);
            if let Some((from, to)) = found.get(random.below(found.len())) {
                own.splice(lo..lo, theirs[*from..*to].iter().copied());
            }
        }
        // Another operation on the same operands.
        4 => {
            let (other, _) = all[random.below(all.len())];
            own[lo] = own[lo] & 0xffff_0000 | own[other] & 0xffff;
        }
        5 => own[lo] = own[lo].wrapping_add_signed([1, -1, 1 << 16, -1 << 16][random.below(4)]),
        6 if operand < hi => own[operand] ^= 1 << random.below(32),
        7 if operand < hi => own[operand] = own[operand].wrapping_add_signed([1, -1][random.below(2)]),
        8 if operand < hi => own[operand] = [0, 1, 2, 3, 4, 16, 32, 64, 65535, 1 << 31, u32::MAX][random.below(11)],
        9 => {
            let at = random.below(HEADER);
            own[at] ^= 1 << random.below(32);
        }
        // Mostly an id of this module.
        _ if operand < hi => {
            let (from, to) = all[random.below(all.len())];
            own[operand] = own[from + random.below(to - from)];
        }
        _ => drop(own.drain(lo..hi)),
    }
    own.iter().flat_map(|word| word.to_le_bytes()).collect()
}
