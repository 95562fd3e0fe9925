//! Replaces single instructions of a binary by harmless ones of the same length, which keeps every word offset.

use std::collections::{HashMap, HashSet};

const HEADER: usize = 5;
const OP_NOP: u32 = 0;
const OP_UNDEF: u32 = 1;
const OP_CAPABILITY: u32 = 17;
const OP_TYPE_POINTER: u32 = 32;
const OP_ATOMIC_LOAD: u32 = 227;
const OP_ATOMIC_STORE: u32 = 228;
const OP_ATOMIC_XOR: u32 = 242;
const OP_IS_NODE_PAYLOAD_VALID: u32 = 5101;
const STORAGE_NODE_PAYLOAD: u32 = 5068;
/// The capability ShaderEnqueueAMDX.
pub const SHADER_ENQUEUE: u32 = 5067;

/// Returns whether a module declares a capability.
pub fn has_capability(words: &[u32], capability: u32) -> bool {
    instructions(words).into_iter().any(|at| matches!(instruction(words, at), (OP_CAPABILITY, [c]) if *c == capability))
}

/// Blanks every OpIsNodePayloadValidAMDX; returns their number.
pub fn payload_valid(words: &mut [u32]) -> usize {
    blank(words, |op, _| op == OP_IS_NODE_PAYLOAD_VALID)
}

/// Blanks every atomic on a pointer to a node payload; returns their number.
pub fn payload_atomics(words: &mut [u32]) -> usize {
    let mut pointer_types = HashSet::new();
    // The result type of every id, assuming the two-word prefix `type result`. A wrong entry would need the id of a
    // payload pointer type as its first operand. Only instructions with that result type have one.
    let mut typed: HashMap<u32, u32> = HashMap::new();
    for at in instructions(words) {
        let (op, operands) = instruction(words, at);
        if op == OP_TYPE_POINTER && operands.get(1) == Some(&STORAGE_NODE_PAYLOAD) {
            pointer_types.insert(operands[0]);
        } else if let [ty, result, ..] = operands
            && pointer_types.contains(ty)
        {
            typed.insert(*result, *ty);
        }
    }
    blank(words, |op, operands| {
        let pointer = match op {
            OP_ATOMIC_STORE => operands.first(),
            OP_ATOMIC_LOAD..=OP_ATOMIC_XOR => operands.get(2),
            _ => None,
        };
        pointer.is_some_and(|p| typed.contains_key(p))
    })
}

/// Replaces the instructions that `refused` selects: OpUndef when the instruction has a result, then OpNop.
fn blank(words: &mut [u32], refused: impl Fn(u32, &[u32]) -> bool) -> usize {
    let mut changed = 0;
    for at in instructions(words) {
        let (op, operands) = instruction(words, at);
        if !refused(op, operands) {
            continue;
        }
        let len = operands.len() + 1;
        let kept = if op == OP_ATOMIC_STORE || len < 3 { 0 } else { 3 };
        if kept == 3 {
            words[at] = 3 << 16 | OP_UNDEF;
        }
        words[at + kept..at + len].fill(1 << 16 | OP_NOP);
        changed += 1;
    }
    changed
}

/// Returns the offsets of the instructions; stops at a broken length.
pub fn instructions(words: &[u32]) -> Vec<usize> {
    let mut found = Vec::new();
    let mut at = HEADER;
    while let Some(&first) = words.get(at) {
        let len = (first >> 16) as usize;
        if len == 0 || at + len > words.len() {
            break;
        }
        found.push(at);
        at += len;
    }
    found
}

pub fn instruction(words: &[u32], at: usize) -> (u32, &[u32]) {
    let len = (words[at] >> 16) as usize;
    (words[at] & 0xffff, &words[at + 1..at + len])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header() -> Vec<u32> {
        vec![0x0723_0203, 0x0001_0600, 0, 100, 0]
    }

    #[test]
    fn valid_becomes_undef_of_the_same_length() {
        let mut words = header();
        words.extend([5 << 16 | OP_IS_NODE_PAYLOAD_VALID, 7, 8, 9, 10, 2 << 16 | 254, 8]);
        assert_eq!(payload_valid(&mut words), 1);
        assert_eq!(words[5..], [3 << 16 | 1, 7, 8, 1 << 16, 1 << 16, 2 << 16 | 254, 8]);
    }

    #[test]
    fn capabilities_are_found_only_in_op_capability() {
        let mut words = header();
        words.extend([2 << 16 | OP_CAPABILITY, 1, 3 << 16 | 5, SHADER_ENQUEUE, 17]);
        assert!(has_capability(&words, 1) && !has_capability(&words, SHADER_ENQUEUE));
        words.extend([2 << 16 | OP_CAPABILITY, SHADER_ENQUEUE]);
        assert!(has_capability(&words, SHADER_ENQUEUE));
    }

    #[test]
    fn only_payload_atomics_are_blanked() {
        let mut words = header();
        words.extend([4 << 16 | OP_TYPE_POINTER, 20, STORAGE_NODE_PAYLOAD, 2]);
        words.extend([4 << 16 | OP_TYPE_POINTER, 21, 12, 2]);
        words.extend([5 << 16 | 65, 20, 30, 40, 41]); // access chain to a payload
        words.extend([5 << 16 | 65, 21, 31, 42, 41]); // access chain to a buffer
        let atomics = words.len();
        words.extend([7 << 16 | 234, 2, 50, 30, 5, 6, 7]);
        let other = words.len();
        words.extend([7 << 16 | 234, 2, 51, 31, 5, 6, 7]);
        words.extend([5 << 16 | OP_ATOMIC_STORE, 30, 5, 6, 7]);
        let before = words.clone();
        assert_eq!(payload_atomics(&mut words), 2);
        assert_eq!(words[atomics..atomics + 3], [3 << 16 | 1, 2, 50]);
        assert_eq!(words[other..other + 7], before[other..other + 7]);
        assert_eq!(words[other + 7..], [1 << 16; 5]);
    }
}
