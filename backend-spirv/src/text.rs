//! Disassembly of a module in the syntax of SPIRV-Tools, with names for ids.
//!
//! Names come from OpName, and from the content of types and constants (`%uint_4`, `%ptr_StorageBuffer_uint`). An id
//! that shares its name with an earlier one gets `_1`, `_2`, and so on. The text assembles to the same module with
//! other ids. rspirv's own disassembly does not: it writes half-precision constants and signed case labels wrong.

use crate::debug_info;
use rspirv::binary::Disassemble;
use rspirv::dr::{Instruction, Module, Operand};
use rspirv::spirv::{GlslStd450Op, Op, Word};
use std::collections::{HashMap, HashSet};
use std::fmt::Write;

pub(crate) fn disassemble(module: &Module) -> String {
    let sets = module.ext_inst_imports.iter().filter_map(|import| Some((import.result_id?, set(import)?))).collect();
    let text = Text { names: names(module), numbers: numbers(module), sets };
    let mut out = String::new();
    if let Some(header) = &module.header {
        let (major, minor) = header.version();
        // Writing to a string does not fail.
        let _ = writeln!(out, "; SPIR-V\n; Version: {major}.{minor}\n; Bound: {}", header.bound);
    }
    for instruction in module.all_inst_iter() {
        let _ = text.instruction(&mut out, instruction);
    }
    out
}

/// The format of a type's literals.
#[derive(Clone, Copy)]
struct Number {
    width: u32,
    float: bool,
    signed: bool,
}

struct Text {
    names: HashMap<Word, String>,
    /// Formats of types, and of all values of scalar type.
    numbers: HashMap<Word, Number>,
    /// Imports of sets with instruction names known here.
    sets: HashMap<Word, Set>,
}

impl Text {
    fn instruction(&self, out: &mut String, i: &Instruction) -> std::fmt::Result {
        if let Some(result) = i.result_id {
            self.id(out, result)?;
            out.push_str(" = ");
        }
        write!(out, "Op{}", i.class.opname)?;
        if let Some(ty) = i.result_type {
            out.push(' ');
            self.id(out, ty)?;
        }
        let number = match (i.class.opcode, i.operands.first()) {
            (Op::Constant, _) => i.result_type.and_then(|ty| self.numbers.get(&ty)),
            (Op::Switch, Some(Operand::IdRef(selector))) => self.numbers.get(selector),
            _ => None,
        };
        for operand in &i.operands {
            out.push(' ');
            match (operand, number) {
                (Operand::IdRef(id) | Operand::IdScope(id) | Operand::IdMemorySemantics(id), _) => self.id(out, *id)?,
                (Operand::LiteralBit32(bits), Some(number)) => literal(out, *number, u64::from(*bits))?,
                (Operand::LiteralBit64(bits), Some(number)) => literal(out, *number, *bits)?,
                (Operand::LiteralString(text), _) => {
                    write!(out, "\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))?;
                }
                (Operand::LiteralExtInstInteger(n), _) => self.instruction_name(out, i, *n)?,
                (operand, _) => out.push_str(&operand.disassemble()),
            }
        }
        out.push('\n');
        Ok(())
    }

    /// Writes the name of an instruction from an extended set.
    fn instruction_name(&self, out: &mut String, i: &Instruction, number: u32) -> std::fmt::Result {
        let set = match i.operands.first() {
            Some(Operand::IdRef(set)) => self.sets.get(set),
            _ => None,
        };
        let name = match set {
            Some(Set::Glsl) => GlslStd450Op::from_u32(number).map(|op| format!("{op:?}")),
            Some(Set::Debug) => debug_info::Instruction::name_of(number).map(str::to_owned),
            None => None,
        };
        write!(out, "{}", name.unwrap_or_else(|| number.to_string()))
    }

    fn id(&self, out: &mut String, id: Word) -> std::fmt::Result {
        match self.names.get(&id) {
            Some(name) => write!(out, "%{name}"),
            None => write!(out, "%{id}"),
        }
    }
}

/// A set of extended instructions with known names.
#[derive(Clone, Copy)]
enum Set {
    Glsl,
    Debug,
}

fn set(import: &Instruction) -> Option<Set> {
    match import.operands.first() {
        Some(Operand::LiteralString(set)) if set == "GLSL.std.450" => Some(Set::Glsl),
        Some(Operand::LiteralString(set)) if set == debug_info::SET => Some(Set::Debug),
        _ => None,
    }
}

/// Writes a number that the assembler reads back: a float in decimal if that is exact, otherwise in hexadecimal.
fn literal(out: &mut String, number: Number, bits: u64) -> std::fmt::Result {
    match (number.float, number.width) {
        (false, _) if !number.signed => write!(out, "{bits}"),
        (false, 64) => write!(out, "{}", bits as i64),
        (false, _) => write!(out, "{}", bits as u32 as i32),
        (true, 32) if f32::from_bits(bits as u32).is_finite() => write!(out, "{}", f32::from_bits(bits as u32)),
        (true, 64) if f64::from_bits(bits).is_finite() => write!(out, "{}", f64::from_bits(bits)),
        (true, 16) => hexadecimal(out, bits, 10, 15),
        (true, 32) => hexadecimal(out, bits, 23, 127),
        (true, _) => hexadecimal(out, bits, 52, 1023),
    }
}

/// Writes an IEEE number such as `0x1.8p+3` with `fraction_bits` bits of fraction. Infinities and NaNs have the
/// exponent after the last.
fn hexadecimal(out: &mut String, bits: u64, fraction_bits: u32, bias: i64) -> std::fmt::Result {
    let fraction = bits & ((1 << fraction_bits) - 1);
    let exponent = (bits >> fraction_bits) as i64 & (2 * bias + 1);
    let sign = if bits >> fraction_bits > 2 * bias as u64 + 1 { "-" } else { "" };
    let digits = fraction_bits.div_ceil(4);
    let fraction = fraction << (digits * 4 - fraction_bits);
    let (whole, exponent) = match (exponent, fraction) {
        (0, 0) => (0, 0),
        (0, _) => (0, 1 - bias),
        _ => (1, exponent - bias),
    };
    write!(out, "{sign}0x{whole}.{fraction:0width$x}p{exponent:+}", width = digits as usize)
}

/// Returns the formats of the numeric types, and of the values of those types.
fn numbers(module: &Module) -> HashMap<Word, Number> {
    let mut numbers = HashMap::new();
    for i in module.all_inst_iter() {
        let number = match (i.class.opcode, i.operands.as_slice()) {
            (Op::TypeInt, [Operand::LiteralBit32(width), Operand::LiteralBit32(signed)]) => {
                Some(Number { width: *width, float: false, signed: *signed != 0 })
            }
            (Op::TypeFloat, [Operand::LiteralBit32(width)]) => {
                Some(Number { width: *width, float: true, signed: true })
            }
            _ => i.result_type.and_then(|ty| numbers.get(&ty)).copied(),
        };
        if let (Some(id), Some(number)) = (i.result_id, number) {
            numbers.insert(id, number);
        }
    }
    numbers
}

fn names(module: &Module) -> HashMap<Word, String> {
    let mut names: HashMap<Word, String> = HashMap::new();
    let mut taken: HashSet<String> = HashSet::new();
    let mut give = |id: Word, name: String, names: &mut HashMap<Word, String>| {
        if names.contains_key(&id) || name.is_empty() {
            return;
        }
        let mut unique = name.clone();
        let mut n = 0;
        while !taken.insert(unique.clone()) {
            n += 1;
            unique = format!("{name}_{n}");
        }
        names.insert(id, unique);
    };
    for instruction in &module.debug_names {
        if let (Op::Name, [Operand::IdRef(id), Operand::LiteralString(name)]) =
            (instruction.class.opcode, instruction.operands.as_slice())
        {
            give(*id, identifier(name), &mut names);
        }
    }
    for import in &module.ext_inst_imports {
        match (import.result_id, set(import)) {
            (Some(id), Some(Set::Glsl)) => give(id, "glsl".into(), &mut names),
            (Some(id), Some(Set::Debug)) => give(id, "debug".into(), &mut names),
            _ => {}
        }
    }
    for instruction in &module.types_global_values {
        if let (Some(id), Some(name)) = (instruction.result_id, content_name(instruction, &names)) {
            give(id, name, &mut names);
        }
    }
    names
}

/// Converts a name to characters that SPIRV-Tools accept in an id, and that do not look like a number.
fn identifier(name: &str) -> String {
    let mut name: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    if name.starts_with(|c: char| c.is_ascii_digit()) {
        name.insert(0, '_');
    }
    name
}

/// Returns a name that describes the content of a type or constant.
fn content_name(instruction: &Instruction, names: &HashMap<Word, String>) -> Option<String> {
    let of = |operand: Option<&Operand>| match operand {
        Some(Operand::IdRef(id)) => names.get(id).cloned().unwrap_or_else(|| format!("_{id}")),
        _ => String::new(),
    };
    let ty = || instruction.result_type.map(|ty| of(Some(&Operand::IdRef(ty)))).unwrap_or_default();
    let [first, second] = [0, 1].map(|n| instruction.operands.get(n));
    Some(match instruction.class.opcode {
        Op::TypeVoid => "void".into(),
        Op::TypeBool => "bool".into(),
        Op::TypeInt => match (first, second) {
            (Some(Operand::LiteralBit32(32)), Some(Operand::LiteralBit32(0))) => "uint".into(),
            (Some(Operand::LiteralBit32(32)), _) => "int".into(),
            (Some(Operand::LiteralBit32(width)), Some(Operand::LiteralBit32(0))) => format!("uint{width}"),
            (Some(Operand::LiteralBit32(width)), _) => format!("int{width}"),
            _ => return None,
        },
        Op::TypeFloat => match first {
            Some(Operand::LiteralBit32(32)) => "float".into(),
            Some(Operand::LiteralBit32(width)) => format!("float{width}"),
            _ => return None,
        },
        Op::TypeVector => format!("v{}{}", second?.unwrap_literal_bit32(), of(first)),
        Op::TypePointer => match first {
            Some(Operand::StorageClass(class)) => format!("ptr_{class:?}_{}", of(second)),
            _ => return None,
        },
        Op::TypeArray => format!("arr_{}_{}", of(first), of(second)),
        Op::TypeRuntimeArray => format!("rta_{}", of(first)),
        Op::ConstantTrue => "true".into(),
        Op::ConstantFalse => "false".into(),
        Op::ConstantNull => format!("null_{}", ty()),
        Op::Undef => format!("undef_{}", ty()),
        Op::Constant => match (first, ty().as_str()) {
            (Some(Operand::LiteralBit32(bits)), "uint") => format!("uint_{bits}"),
            (Some(Operand::LiteralBit32(bits)), "int") => {
                let value = *bits as i32;
                format!("int_{}{}", if value < 0 { "n" } else { "" }, value.unsigned_abs())
            }
            (Some(Operand::LiteralBit32(bits)), "float") => identifier(&format!("float_{}", f32::from_bits(*bits))),
            (Some(Operand::LiteralBit32(bits)), ty) => format!("{ty}_0x{bits:x}"),
            (Some(Operand::LiteralBit64(bits)), ty) => format!("{ty}_0x{bits:x}"),
            _ => return None,
        },
        Op::ConstantStringAMDX => match first {
            Some(Operand::LiteralString(text)) => format!("str_{}", identifier(text)),
            _ => return None,
        },
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::{Number, identifier, literal};

    #[test]
    fn literals_are_exact() {
        let text = |width, float, bits| {
            let mut out = String::new();
            literal(&mut out, Number { width, float, signed: true }, bits).map(|()| out)
        };
        let cases = [
            ((32, false, 0xffff_fffe), "-2"),
            ((64, false, u64::MAX), "-1"),
            ((32, true, 0x3f80_0000), "1"),
            ((32, true, 0x8000_0000), "-0"),
            ((32, true, 0xff80_0000), "-0x1.000000p+128"),
            ((32, true, 0x7fc0_0000), "0x1.800000p+128"),
            ((64, true, 0x7ff0_0000_0000_0000), "0x1.0000000000000p+1024"),
            ((16, true, 0x3c00), "0x1.000p+0"),
            ((16, true, 0xc100), "-0x1.400p+1"),
            ((16, true, 0x0001), "0x0.004p-14"),
            ((16, true, 0x0000), "0x0.000p+0"),
        ];
        for ((width, float, bits), expected) in cases {
            assert_eq!(text(width, float, bits).as_deref(), Ok(expected));
        }
    }

    #[test]
    fn identifiers_are_escaped_for_the_assembler() {
        assert_eq!(identifier("a.b c"), "a_b_c");
        assert_eq!(identifier("9lives"), "_9lives");
    }
}
