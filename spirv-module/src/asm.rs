//! The project's assembler: SPIR-V text to words, for tests and hand-written modules.
//!
//! The syntax is spirv-as's: `%result = OpName operands`, `;` comments, named or numbered ids, `A|B` masks, strings in
//! quotes. The assembler uses the same grammar table as the loader (rspirv has no text reader), and rejects
//! instructions that the table lacks. Every id is numbered by first use; the version is 1.6. The assembler checks no
//! rules, since tests need invalid modules.

use crate::grammar::{self, EnumKind, OperandKind};
use rustc_hash::FxHashMap;
use spirv::Op;
use std::fmt;
use std::str::FromStr;

/// A line number, counted from 1, and the error in the line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AsmError {
    pub line: usize,
    pub message: String,
}

impl fmt::Display for AsmError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl std::error::Error for AsmError {}

/// Assembles a whole module.
pub fn assemble(text: &str) -> Result<Vec<u32>, AsmError> {
    let mut assembler = Assembler {
        ids: FxHashMap::default(),
        numbers: FxHashMap::default(),
        value_types: FxHashMap::default(),
        words: vec![spirv::MAGIC_NUMBER, 0x0001_0600, 0, 0, 0],
    };
    for (index, line) in text.lines().enumerate() {
        assembler.line(line).map_err(|message| AsmError { line: index + 1, message })?;
    }
    let bound = assembler.ids.len() as u32 + 1;
    if let Some(slot) = assembler.words.get_mut(3) {
        *slot = bound;
    }
    Ok(assembler.words)
}

#[derive(Clone, Copy)]
enum Number {
    Int(u32),
    Float(u32),
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Token {
    Id(String),
    Text(String),
    Word(String),
    Equals,
}

struct Assembler {
    ids: FxHashMap<String, u32>,
    /// Number types by id, which give the width of literals.
    numbers: FxHashMap<u32, Number>,
    value_types: FxHashMap<u32, u32>,
    words: Vec<u32>,
}

struct Line {
    tokens: std::iter::Peekable<std::vec::IntoIter<Token>>,
    words: Vec<u32>,
    op: Op,
    ty: u32,
}

fn tokens(line: &str) -> Result<Vec<Token>, String> {
    let mut out = Vec::new();
    let mut chars = line.chars().peekable();
    while let Some(&c) = chars.peek() {
        match c {
            ';' => break,
            '"' => {
                chars.next();
                let mut text = String::new();
                loop {
                    match chars.next() {
                        Some('"') => break,
                        Some('\\') => text.extend(chars.next()),
                        Some(c) => text.push(c),
                        None => return Err("unterminated string".into()),
                    }
                }
                out.push(Token::Text(text));
            }
            _ if c.is_whitespace() => {
                chars.next();
            }
            '=' => {
                chars.next();
                out.push(Token::Equals);
            }
            _ => {
                let mut word = String::new();
                while let Some(&c) = chars.peek() {
                    if c.is_whitespace() || matches!(c, ';' | '"' | '=') {
                        break;
                    }
                    word.push(c);
                    chars.next();
                }
                out.push(match word.strip_prefix('%') {
                    Some(id) => Token::Id(id.to_string()),
                    None => Token::Word(word),
                });
            }
        }
    }
    Ok(out)
}

impl Assembler {
    fn id(&mut self, name: &str) -> u32 {
        let next = self.ids.len() as u32 + 1;
        *self.ids.entry(name.to_string()).or_insert(next)
    }

    fn line(&mut self, text: &str) -> Result<(), String> {
        let mut tokens = tokens(text)?;
        if tokens.is_empty() {
            return Ok(());
        }
        let mut result = None;
        if let [Token::Id(name), Token::Equals, ..] = tokens.as_slice() {
            result = Some(name.clone());
            tokens.drain(..2);
        }
        let mut tokens = tokens.into_iter().peekable();
        let Some(Token::Word(name)) = tokens.next() else { return Err("expected an instruction".into()) };
        let op = name.strip_prefix("Op").and_then(grammar::by_name);
        let Some(op) = op else { return Err(format!("unknown instruction {name}")) };
        let pattern = grammar::pattern(op as u16).unwrap_or("");
        let mut line = Line { tokens, words: Vec::new(), op, ty: 0 };
        for (kind, repeat) in grammar::parts(pattern) {
            match kind {
                OperandKind::Result => {
                    let Some(name) = &result else { return Err(format!("Op{op:?} needs a result")) };
                    let id = self.id(name);
                    line.words.push(id);
                    if line.ty != 0 {
                        self.value_types.insert(id, line.ty);
                    }
                }
                _ => match repeat {
                    b'*' => {
                        while line.tokens.peek().is_some() {
                            self.operand(kind, &mut line)?;
                        }
                    }
                    b'?' if line.tokens.peek().is_none() => {}
                    _ => self.operand(kind, &mut line)?,
                },
            }
        }
        if let Some(rest) = line.tokens.next() {
            return Err(format!("unexpected operands {rest:?} of Op{op:?}"));
        }
        match (op, line.words.as_slice()) {
            (Op::TypeInt, [id, width, ..]) => drop(self.numbers.insert(*id, Number::Int(*width))),
            (Op::TypeFloat, [id, width, ..]) => drop(self.numbers.insert(*id, Number::Float(*width))),
            _ => {}
        }
        self.words.push(((line.words.len() as u32 + 1) << 16) | op as u32);
        self.words.append(&mut line.words);
        Ok(())
    }

    fn operand(&mut self, kind: OperandKind, line: &mut Line) -> Result<(), String> {
        match kind {
            OperandKind::Result => {}
            OperandKind::ResultType => {
                let id = self.expect_id(line)?;
                line.ty = id;
            }
            OperandKind::Id | OperandKind::SemanticsId | OperandKind::ScopeId => {
                self.expect_id(line)?;
            }
            OperandKind::Integer => {
                let word = expect_word(line)?;
                line.words.push(integer(&word)? as u32);
            }
            OperandKind::ExtInst => {
                let word = expect_word(line)?;
                line.words.push(match glsl_instruction(&word) {
                    Some(number) => number,
                    None => integer(&word)? as u32,
                });
            }
            OperandKind::String => match line.tokens.next() {
                Some(Token::Text(text)) => push_text(&text, &mut line.words),
                other => return Err(format!("expected a string, found {other:?}")),
            },
            OperandKind::Number => self.number(line.ty, line)?,
            OperandKind::SpecOp => {
                let word = expect_word(line)?;
                let Some(op) = grammar::by_name(word.strip_prefix("Op").unwrap_or(&word)) else {
                    return Err(format!("unknown instruction {word}"));
                };
                line.words.push(op as u32);
                while line.tokens.peek().is_some() {
                    self.free(line)?;
                }
            }
            OperandKind::NumberAndId => {
                let selector = line.words.first().copied().unwrap_or(0);
                let ty = self.value_types.get(&selector).copied().unwrap_or(0);
                self.number(ty, line)?;
                self.expect_id(line)?;
            }
            OperandKind::IdAndInteger => {
                self.expect_id(line)?;
                self.operand(OperandKind::Integer, line)?;
            }
            OperandKind::IdAndId => {
                self.expect_id(line)?;
                self.expect_id(line)?;
            }
            OperandKind::Enum(kind) => {
                let word = expect_word(line)?;
                let Some(value) = enumerant(kind, &word) else { return Err(format!("{word} is not a {kind:?}")) };
                line.words.push(value);
                if kind == EnumKind::Decoration && value == spirv::Decoration::BuiltIn as u32 {
                    self.operand(OperandKind::Enum(EnumKind::BuiltIn), line)?;
                }
                let takes_rest = match kind {
                    EnumKind::Decoration | EnumKind::ExecutionMode | EnumKind::LoopControl => true,
                    EnumKind::ImageOperands => true,
                    // OpCopyMemory may have two masks.
                    EnumKind::MemoryAccess => line.op != Op::CopyMemory,
                    _ => false,
                };
                while takes_rest && line.tokens.peek().is_some() {
                    self.free(line)?;
                }
            }
        }
        Ok(())
    }

    /// Assembles an operand of the kind that its spelling implies.
    fn free(&mut self, line: &mut Line) -> Result<(), String> {
        match line.tokens.peek() {
            Some(Token::Id(_)) => self.expect_id(line).map(drop),
            Some(Token::Text(_)) => self.operand(OperandKind::String, line),
            _ => self.operand(OperandKind::Integer, line),
        }
    }

    fn expect_id(&mut self, line: &mut Line) -> Result<u32, String> {
        match line.tokens.next() {
            Some(Token::Id(name)) => {
                let id = self.id(&name);
                line.words.push(id);
                Ok(id)
            }
            other => Err(format!("expected an ID, found {other:?}")),
        }
    }

    fn number(&mut self, ty: u32, line: &mut Line) -> Result<(), String> {
        let word = expect_word(line)?;
        let (bits, width) = match self.numbers.get(&ty) {
            Some(Number::Float(width)) => (float(&word, *width)?, *width),
            Some(Number::Int(width)) => (integer(&word)?, *width),
            None => (integer(&word)?, 32),
        };
        line.words.push(bits as u32);
        if width > 32 {
            line.words.push((bits >> 32) as u32);
        }
        Ok(())
    }
}

fn expect_word(line: &mut Line) -> Result<String, String> {
    match line.tokens.next() {
        Some(Token::Word(word)) => Ok(word),
        other => Err(format!("expected a number or a name, found {other:?}")),
    }
}

fn push_text(text: &str, words: &mut Vec<u32>) {
    let mut bytes = text.as_bytes().to_vec();
    bytes.push(0);
    words.extend(bytes.chunks(4).map(|c| c.iter().rev().fold(0u32, |w, &b| (w << 8) | u32::from(b))));
}

/// Parses a decimal or hexadecimal number; a negative one becomes its two's complement.
fn integer(word: &str) -> Result<u64, String> {
    let (negative, digits) = match word.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, word),
    };
    let value = match digits.strip_prefix("0x") {
        Some(hex) => u64::from_str_radix(hex, 16),
        None => digits.parse::<u64>(),
    };
    let value = value.map_err(|_| format!("{word} is not an integer"))?;
    Ok(if negative { value.wrapping_neg() } else { value })
}

/// Parses a decimal number, or `0x` and its bits.
fn float(word: &str, width: u32) -> Result<u64, String> {
    if word.starts_with("0x") {
        return integer(word);
    }
    let value: f64 = word.parse().map_err(|_| format!("{word} is not a number"))?;
    match width {
        64 => Ok(value.to_bits()),
        32 => Ok(u64::from((value as f32).to_bits())),
        _ => Err(format!("write a {width}-bit float as 0x and its bits")),
    }
}

fn glsl_instruction(word: &str) -> Option<u32> {
    (0..=81).find(|&n| spirv::GlslStd450Op::from_u32(n).is_some_and(|op| format!("{op:?}") == word))
}

fn value<T: FromStr>(word: &str, number: impl Fn(T) -> u32) -> Option<u32> {
    T::from_str(word).ok().map(number)
}

/// Returns the bits of a mask from the specification's names, `DontInline|Const`.
fn bits(word: &str, table: &[(&str, u32)]) -> Option<u32> {
    word.split('|').try_fold(0, |mask, part| {
        if part == "None" {
            return Some(mask);
        }
        table.iter().find(|row| row.0 == part).map(|row| mask | row.1)
    })
}

fn enumerant(kind: EnumKind, word: &str) -> Option<u32> {
    if let Ok(number) = integer(word) {
        return u32::try_from(number).ok();
    }
    match kind {
        EnumKind::SourceLanguage => value(word, |v: spirv::SourceLanguage| v as u32),
        EnumKind::ExecutionModel => value(word, |v: spirv::ExecutionModel| v as u32),
        EnumKind::AddressingModel => value(word, |v: spirv::AddressingModel| v as u32),
        EnumKind::MemoryModel => value(word, |v: spirv::MemoryModel| v as u32),
        EnumKind::ExecutionMode => value(word, |v: spirv::ExecutionMode| v as u32),
        EnumKind::StorageClass => value(word, |v: spirv::StorageClass| v as u32),
        EnumKind::Dim => {
            let name = if word.starts_with("Dim") { word.to_string() } else { format!("Dim{word}") };
            value(&name, |v: spirv::Dim| v as u32)
        }
        EnumKind::ImageFormat => value(word, |v: spirv::ImageFormat| v as u32),
        EnumKind::AccessQualifier => value(word, |v: spirv::AccessQualifier| v as u32),
        EnumKind::Decoration => value(word, |v: spirv::Decoration| v as u32),
        EnumKind::BuiltIn => value(word, |v: spirv::BuiltIn| v as u32),
        EnumKind::Capability => value(word, |v: spirv::Capability| v as u32),
        EnumKind::GroupOperation => value(word, |v: spirv::GroupOperation| v as u32),
        EnumKind::PackedVectorFormat => value(word, |v: spirv::PackedVectorFormat| v as u32),
        EnumKind::FpEncoding => value(word, |v: spirv::FPEncoding| v as u32),
        EnumKind::FunctionControl => bits(word, &[("Inline", 1), ("DontInline", 2), ("Pure", 4), ("Const", 8)]),
        EnumKind::SelectionControl => bits(word, &[("Flatten", 1), ("DontFlatten", 2)]),
        EnumKind::LoopControl => bits(
            word,
            &[
                ("Unroll", 1),
                ("DontUnroll", 2),
                ("DependencyInfinite", 4),
                ("DependencyLength", 8),
                ("MinIterations", 0x10),
                ("MaxIterations", 0x20),
            ],
        ),
        EnumKind::MemoryAccess => bits(
            word,
            &[
                ("Volatile", 1),
                ("Aligned", 2),
                ("Nontemporal", 4),
                ("MakePointerAvailable", 8),
                ("MakePointerVisible", 0x10),
                ("NonPrivatePointer", 0x20),
            ],
        ),
        EnumKind::ImageOperands => bits(
            word,
            &[
                ("Bias", 1),
                ("Lod", 2),
                ("Grad", 4),
                ("ConstOffset", 8),
                ("Offset", 0x10),
                ("ConstOffsets", 0x20),
                ("Sample", 0x40),
                ("MinLod", 0x80),
                ("MakeTexelAvailable", 0x100),
                ("MakeTexelVisible", 0x200),
                ("NonPrivateTexel", 0x400),
                ("VolatileTexel", 0x800),
                ("SignExtend", 0x1000),
                ("ZeroExtend", 0x2000),
            ],
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn assembled_words_match_the_specification() {
        // OpTypeInt is 21, OpConstant 43; word counts are in the high half.
        let words = assemble("%u = OpTypeInt 32 0 ; a comment\n%c = OpConstant %u 7").unwrap();
        assert_eq!(words[5..], [(4 << 16) | 21, 1, 32, 0, (4 << 16) | 43, 1, 2, 7]);
        assert_eq!(words[3], 3);
    }

    #[test]
    fn wide_and_float_literals_have_their_types_width() {
        let words = assemble("%l = OpTypeInt 64 1\n%f = OpTypeFloat 32\n%a = OpConstant %l -2\n%b = OpConstant %f 1.5");
        let words = words.unwrap();
        assert_eq!(words[12..17], [(5 << 16) | 43, 1, 3, 0xffff_fffe, 0xffff_ffff]);
        assert_eq!(words[17..], [(4 << 16) | 43, 2, 4, 0x3fc0_0000]);
    }

    #[test]
    fn errors_name_the_line() {
        assert_eq!(assemble("OpNop\nOpFrobnicate").unwrap_err().line, 2);
        assert_eq!(assemble("%a = OpTypeInt 32").unwrap_err().line, 1);
        assert_eq!(assemble("OpNop 3").unwrap_err().line, 1);
    }
}
