//! A binary as instructions, parsed without the crate under test and without rspirv.

use std::collections::HashMap;

pub const ENTRY_POINT: u32 = 15;
pub const TYPE_ARRAY: u32 = 28;
pub const TYPE_RUNTIME_ARRAY: u32 = 29;
pub const TYPE_STRUCT: u32 = 30;
pub const TYPE_POINTER: u32 = 32;
pub const FUNCTION: u32 = 54;
pub const FUNCTION_PARAMETER: u32 = 55;
pub const FUNCTION_CALL: u32 = 57;
pub const VARIABLE: u32 = 59;
pub const LOAD: u32 = 61;
pub const STORE: u32 = 62;
pub const DECORATE: u32 = 71;
pub const MEMBER_DECORATE: u32 = 72;
pub const DECORATE_ID: u32 = 332;
pub const TYPE_PAYLOAD_ARRAY: u32 = 5076;
pub const ALLOCATE: u32 = 5074;

pub const NODE_PAYLOAD: u32 = 5068;

#[derive(Clone, Debug)]
pub struct Instruction {
    pub op: u32,
    /// All words after the first.
    pub words: Vec<u32>,
}

pub fn instructions(words: &[u32]) -> Vec<Instruction> {
    let mut found = Vec::new();
    let mut at = 5;
    while at < words.len() {
        let len = (words[at] >> 16) as usize;
        found.push(Instruction { op: words[at] & 0xffff, words: words[at + 1..at + len].to_vec() });
        at += len;
    }
    assert_eq!(at, words.len(), "the last instruction ends with the module");
    found
}

/// `(decoration, operands)` of every id; members are `(decoration, member, operands)`.
pub struct Decorations {
    pub of: HashMap<u32, Vec<(u32, Vec<u32>)>>,
    pub members: HashMap<u32, Vec<(u32, u32, Vec<u32>)>>,
}

pub fn decorations(instructions: &[Instruction]) -> Decorations {
    let mut found = Decorations { of: HashMap::new(), members: HashMap::new() };
    for i in instructions {
        match i.op {
            DECORATE | DECORATE_ID => {
                found.of.entry(i.words[0]).or_default().push((i.words[1], i.words[2..].to_vec()));
            }
            MEMBER_DECORATE => {
                let member = (i.words[2], i.words[1], i.words[3..].to_vec());
                found.members.entry(i.words[0]).or_default().push(member);
            }
            _ => {}
        }
    }
    found
}

/// Returns the string at the start of `words`, and the number of its words.
pub fn string(words: &[u32]) -> (String, usize) {
    let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
    let end = bytes.iter().position(|&b| b == 0).expect("a string ends");
    (String::from_utf8(bytes[..end].to_vec()).expect("a string is UTF-8"), end / 4 + 1)
}
