//! The operands of each instruction, and a walk over them.
//!
//! Only this file defines operand kinds. The loader checks every known instruction against it, the verifier walks ids
//! with it, and the assembler writes words by it. Instructions that the table lacks are legal input with raw words as
//! operands.

use crate::error::{LoadError, Result};
use crate::grammar_table::ROWS;
use spirv::Op;
use std::sync::LazyLock;

/// The kind of an operand, with its letter in the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OperandKind {
    /// `T`
    ResultType,
    /// `R`
    Result,
    /// `i`
    Id,
    /// `m`: an id whose value is a memory-semantics mask
    SemanticsId,
    /// `p`: an id whose value is a scope
    ScopeId,
    /// `n`: an integer, or the number of a float's encoding
    Integer,
    /// `s`
    String,
    /// `c`: a number as wide as the result type
    Number,
    /// `x`: an instruction of an extended set
    ExtInst,
    /// `o`: an opcode, followed by that opcode's operands
    SpecOp,
    /// `w`: a number as wide as the selector, then a label
    NumberAndId,
    /// `y`
    IdAndInteger,
    /// `z`
    IdAndId,
    /// Upper-case letters: a value or mask of this enumeration, followed by the operands that the value requires.
    Enum(EnumKind),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EnumKind {
    SourceLanguage,
    ExecutionModel,
    AddressingModel,
    MemoryModel,
    ExecutionMode,
    StorageClass,
    Dim,
    ImageFormat,
    AccessQualifier,
    Decoration,
    BuiltIn,
    Capability,
    GroupOperation,
    FunctionControl,
    SelectionControl,
    LoopControl,
    MemoryAccess,
    ImageOperands,
    PackedVectorFormat,
    FpEncoding,
}

/// A decoded operand of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operand<'a> {
    Id(u32),
    SemanticsId(u32),
    ScopeId(u32),
    Integer(u32),
    /// The words of the string, including the terminator.
    String(&'a [u32]),
    /// A literal with a width that depends on a type: one or two words.
    Number(&'a [u32]),
    ExtInst(u32),
    SpecOp(u32),
    Enum(EnumKind, u32),
}

impl Operand<'_> {
    /// Returns the id that it is, regardless of its meaning.
    pub fn id(&self) -> Option<u32> {
        match self {
            Operand::Id(id) | Operand::SemanticsId(id) | Operand::ScopeId(id) => Some(*id),
            _ => None,
        }
    }
}

/// Returns the row of the table.
fn row(opcode: u16) -> Option<(Op, &'static str)> {
    static INDEX: LazyLock<Vec<Option<(Op, &'static str)>>> = LazyLock::new(|| {
        let mut index = vec![None; ROWS.iter().map(|r| r.0 as usize + 1).max().unwrap_or(0)];
        for row in ROWS {
            if let Some(slot) = index.get_mut(row.0 as usize) {
                *slot = Some(*row);
            }
        }
        index
    });
    INDEX.get(usize::from(opcode)).copied().flatten()
}

/// Returns the pattern of `opcode`; `None` if the table lacks the instruction.
pub fn pattern(opcode: u16) -> Option<&'static str> {
    row(opcode).map(|row| row.1)
}

/// Returns the instruction with this number, even if the table lacks it.
pub fn op(opcode: u16) -> Option<Op> {
    row(opcode).map(|row| row.0).or_else(|| Op::from_u32(u32::from(opcode)))
}

/// Returns a name such as `OpIAdd`, or `opcode 9999` if SPIR-V has no such instruction.
pub fn name(opcode: u16) -> String {
    match Op::from_u32(u32::from(opcode)) {
        Some(op) => format!("Op{op:?}"),
        None => format!("opcode {opcode}"),
    }
}

/// Returns the instruction of the table named `name` (without `Op`).
pub fn by_name(name: &str) -> Option<Op> {
    static NAMES: LazyLock<rustc_hash::FxHashMap<String, Op>> =
        LazyLock::new(|| ROWS.iter().map(|(op, _)| (format!("{op:?}"), *op)).collect());
    NAMES.get(name).copied()
}

/// Iterates over the operands of a pattern: kind and repetition (`b' '`, `b'?'` or `b'*'`).
pub fn parts(pattern: &str) -> impl Iterator<Item = (OperandKind, u8)> + '_ {
    let bytes = pattern.as_bytes();
    bytes.iter().enumerate().filter_map(move |(i, &letter)| {
        let repeat = match bytes.get(i + 1) {
            Some(&r @ (b'?' | b'*')) => r,
            _ => b' ',
        };
        Some((kind(letter)?, repeat))
    })
}

fn kind(letter: u8) -> Option<OperandKind> {
    Some(match letter {
        b'T' => OperandKind::ResultType,
        b'R' => OperandKind::Result,
        b'i' => OperandKind::Id,
        b'm' => OperandKind::SemanticsId,
        b'p' => OperandKind::ScopeId,
        b'n' => OperandKind::Integer,
        b's' => OperandKind::String,
        b'c' => OperandKind::Number,
        b'x' => OperandKind::ExtInst,
        b'o' => OperandKind::SpecOp,
        b'w' => OperandKind::NumberAndId,
        b'y' => OperandKind::IdAndInteger,
        b'z' => OperandKind::IdAndId,
        b'L' => OperandKind::Enum(EnumKind::SourceLanguage),
        b'E' => OperandKind::Enum(EnumKind::ExecutionModel),
        b'A' => OperandKind::Enum(EnumKind::AddressingModel),
        b'M' => OperandKind::Enum(EnumKind::MemoryModel),
        b'X' => OperandKind::Enum(EnumKind::ExecutionMode),
        b'S' => OperandKind::Enum(EnumKind::StorageClass),
        b'D' => OperandKind::Enum(EnumKind::Dim),
        b'F' => OperandKind::Enum(EnumKind::ImageFormat),
        b'Q' => OperandKind::Enum(EnumKind::AccessQualifier),
        b'K' => OperandKind::Enum(EnumKind::Decoration),
        b'B' => OperandKind::Enum(EnumKind::BuiltIn),
        b'C' => OperandKind::Enum(EnumKind::Capability),
        b'G' => OperandKind::Enum(EnumKind::GroupOperation),
        b'U' => OperandKind::Enum(EnumKind::FunctionControl),
        b'H' => OperandKind::Enum(EnumKind::SelectionControl),
        b'O' => OperandKind::Enum(EnumKind::LoopControl),
        b'Y' => OperandKind::Enum(EnumKind::MemoryAccess),
        b'I' => OperandKind::Enum(EnumKind::ImageOperands),
        b'P' => OperandKind::Enum(EnumKind::PackedVectorFormat),
        b'N' => OperandKind::Enum(EnumKind::FpEncoding),
        _ => return None,
    })
}

/// Returns the number of 32-bit words of a string with its terminator; `None` if it has none.
pub fn string_words(words: &[u32]) -> Option<usize> {
    words.iter().position(|w| w.to_le_bytes().contains(&0)).map(|i| i + 1)
}

/// Returns the text of a string operand. Bytes that are not UTF-8 become U+FFFD.
pub fn string_text(words: &[u32]) -> String {
    let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).take_while(|&b| b != 0).collect();
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Walks the operands after result type and result. `number_words` is the width of `Kind::Number` literals (1 or 2).
///
/// Operands of instructions that the table lacks are not visited. Errors name missing or extra operands; `at` is the
/// word of the instruction, for messages.
pub fn walk<'a>(
    opcode: u16,
    operands: &'a [u32],
    number_words: usize,
    at: usize,
    visit: &mut dyn FnMut(Operand<'a>),
) -> Result<()> {
    let Some(pattern) = pattern(opcode) else { return Ok(()) };
    let mut walker = Walker { opcode, at, words: operands, number_words, visit };
    walker.pattern(pattern)?;
    if !walker.words.is_empty() {
        return Err(LoadError::new(at, format!("{} has {} excess words", name(opcode), walker.words.len())));
    }
    Ok(())
}

struct Walker<'a, 'v> {
    opcode: u16,
    at: usize,
    words: &'a [u32],
    number_words: usize,
    visit: &'v mut dyn FnMut(Operand<'a>),
}

impl<'a> Walker<'a, '_> {
    fn pattern(&mut self, pattern: &str) -> Result<()> {
        for (kind, repeat) in parts(pattern) {
            match repeat {
                b'*' => {
                    while !self.words.is_empty() {
                        self.operand(kind)?;
                    }
                }
                b'?' if self.words.is_empty() => {}
                _ => self.operand(kind)?,
            }
        }
        Ok(())
    }

    fn take(&mut self, count: usize) -> Result<&'a [u32]> {
        match self.words.split_at_checked(count) {
            Some((taken, rest)) => {
                self.words = rest;
                Ok(taken)
            }
            None => Err(LoadError::new(self.at, format!("{} ends before its last operand", name(self.opcode)))),
        }
    }

    fn word(&mut self) -> Result<u32> {
        Ok(self.take(1)?.first().copied().unwrap_or(0))
    }

    fn operand(&mut self, kind: OperandKind) -> Result<()> {
        match kind {
            // The caller has removed these.
            OperandKind::ResultType | OperandKind::Result => {}
            OperandKind::Id => self.id()?,
            OperandKind::SemanticsId => {
                let word = self.word()?;
                (self.visit)(Operand::SemanticsId(word));
            }
            OperandKind::ScopeId => {
                let word = self.word()?;
                (self.visit)(Operand::ScopeId(word));
            }
            OperandKind::Integer => self.integer()?,
            OperandKind::String => self.string()?,
            OperandKind::Number => {
                let number = self.take(self.number_words)?;
                (self.visit)(Operand::Number(number));
            }
            OperandKind::ExtInst => {
                let word = self.word()?;
                (self.visit)(Operand::ExtInst(word));
            }
            OperandKind::SpecOp => {
                let word = self.word()?;
                (self.visit)(Operand::SpecOp(word));
                match u16::try_from(word).ok().and_then(pattern) {
                    Some(inner) if inner.starts_with("TR") => self.pattern(&inner[2..])?,
                    _ => {
                        return Err(LoadError::new(
                            self.at,
                            format!("OpSpecConstantOp with the unknown opcode {word}"),
                        ));
                    }
                }
            }
            OperandKind::NumberAndId => {
                let number = self.take(self.number_words)?;
                (self.visit)(Operand::Number(number));
                self.id()?;
            }
            OperandKind::IdAndInteger => {
                self.id()?;
                self.integer()?;
            }
            OperandKind::IdAndId => {
                self.id()?;
                self.id()?;
            }
            OperandKind::Enum(kind) => {
                let value = self.word()?;
                (self.visit)(Operand::Enum(kind, value));
                self.parameters(kind, value)?;
            }
        }
        Ok(())
    }

    fn id(&mut self) -> Result<()> {
        let word = self.word()?;
        (self.visit)(Operand::Id(word));
        Ok(())
    }

    fn integer(&mut self) -> Result<()> {
        let word = self.word()?;
        (self.visit)(Operand::Integer(word));
        Ok(())
    }

    fn string(&mut self) -> Result<()> {
        let Some(count) = string_words(self.words) else {
            return Err(LoadError::new(self.at, format!("{} has an unterminated string", name(self.opcode))));
        };
        let words = self.take(count)?;
        (self.visit)(Operand::String(words));
        Ok(())
    }

    /// Walks the operands that follow a value of an enumeration: ids, integers or strings, depending on the value.
    fn parameters(&mut self, kind: EnumKind, value: u32) -> Result<()> {
        let op = Op::from_u32(u32::from(self.opcode));
        match kind {
            EnumKind::Decoration | EnumKind::ExecutionMode => match op {
                Some(Op::ExecutionModeId | Op::DecorateId | Op::MemberDecorateIdEXT) => {
                    while !self.words.is_empty() {
                        self.id()?;
                    }
                }
                Some(Op::DecorateString | Op::MemberDecorateString) => {
                    while !self.words.is_empty() {
                        self.string()?;
                    }
                }
                // LinkageAttributes: a string and a linkage type.
                _ if value == spirv::Decoration::LinkageAttributes as u32 && kind == EnumKind::Decoration => {
                    self.string()?;
                    self.integer()?;
                }
                _ if value == spirv::Decoration::BuiltIn as u32 && kind == EnumKind::Decoration => {
                    let builtin = self.word()?;
                    (self.visit)(Operand::Enum(EnumKind::BuiltIn, builtin));
                }
                _ => {
                    while !self.words.is_empty() {
                        self.integer()?;
                    }
                }
            },
            EnumKind::MemoryAccess => self.masked(value, MEMORY_ACCESS)?,
            EnumKind::ImageOperands => self.masked(value, IMAGE_OPERANDS)?,
            EnumKind::LoopControl => self.masked(value, LOOP_CONTROL)?,
            _ => {}
        }
        Ok(())
    }

    fn masked(&mut self, value: u32, table: &[(u32, &str)]) -> Result<()> {
        for (bit, pattern) in table {
            if value & bit != 0 {
                self.pattern(pattern)?;
            }
        }
        Ok(())
    }
}

/// Mask bits with operands, in the order in which the operands follow.
const MEMORY_ACCESS: &[(u32, &str)] = &[(0x2, "n"), (0x8, "p"), (0x10, "p"), (0x1_0000, "i"), (0x2_0000, "i")];
const IMAGE_OPERANDS: &[(u32, &str)] = &[
    (0x1, "i"),
    (0x2, "i"),
    (0x4, "ii"),
    (0x8, "i"),
    (0x10, "i"),
    (0x20, "i"),
    (0x40, "i"),
    (0x80, "i"),
    (0x100, "p"),
    (0x200, "p"),
    (0x1_0000, "i"),
];
// The last nine belong to SPV_INTEL_fpga_loop_controls; its NoFusionINTEL (0x80_0000) has no operand.
const LOOP_CONTROL: &[(u32, &str)] = &[
    (0x8, "n"),
    (0x10, "n"),
    (0x20, "n"),
    (0x40, "n"),
    (0x80, "n"),
    (0x100, "n"),
    (0x1_0000, "n"),
    (0x2_0000, "n"),
    (0x4_0000, "n"),
    (0x8_0000, "n"),
    (0x10_0000, "n"),
    (0x20_0000, "n"),
    (0x40_0000, "n"),
    (0x100_0000, "n"),
    (0x200_0000, "n"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_grammar_letter_is_an_operand_kind() {
        for (op, pattern) in ROWS {
            let letters = pattern.bytes().filter(|b| !matches!(b, b'?' | b'*')).count();
            assert_eq!(parts(pattern).count(), letters, "{op:?} {pattern}");
        }
    }

    #[test]
    fn strings_end_at_the_first_zero_byte() {
        let words = [u32::from_le_bytes(*b"main"), 0, 7];
        assert_eq!(string_words(&words), Some(2));
        assert_eq!(string_text(&words[..2]), "main");
        assert_eq!(string_words(&words[..1]), None);
    }

    #[test]
    fn an_aligned_load_has_its_alignment() {
        let mut seen = Vec::new();
        walk(Op::Load as u16, &[7, 2, 16], 1, 0, &mut |o| seen.push(o)).unwrap();
        assert_eq!(seen, [Operand::Id(7), Operand::Enum(EnumKind::MemoryAccess, 2), Operand::Integer(16)]);
        assert!(walk(Op::Load as u16, &[7, 2], 1, 0, &mut |_| ()).is_err());
        assert!(walk(Op::Load as u16, &[7, 0, 16], 1, 0, &mut |_| ()).is_err());
    }

    #[test]
    fn loop_controls_of_an_extension_have_operands() {
        let is_whole = |words: &[u32]| walk(Op::LoopMerge as u16, words, 1, 0, &mut |_| ()).is_ok();
        for control in (16..=25).filter(|bit| *bit != 23).map(|bit| 1 << bit) {
            assert!(is_whole(&[7, 8, control, 1]) && !is_whole(&[7, 8, control]), "{control:#x}");
        }
        assert!(is_whole(&[7, 8, 1 << 23]) && !is_whole(&[7, 8, 1 << 23, 1]));
    }
}
