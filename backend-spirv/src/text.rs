//! A module as readable text: rspirv's disassembly with ids replaced by names.
//!
//! Names come from OpName, and from the content of types and constants (`%uint_4`, `%ptr_StorageBuffer_uint`); an id
//! that shares its name with an earlier one gets `_1`, `_2`, and so on. The text assembles to the same module under
//! other ids.

use rspirv::binary::Disassemble;
use rspirv::dr::{Instruction, Module, Operand};
use rspirv::spirv::{Op, Word};
use std::collections::{HashMap, HashSet};

pub(crate) fn disassemble(module: &Module) -> String {
    let names = names(module);
    let text = module.disassemble();
    let mut out = String::with_capacity(text.len() * 2);
    let mut chars = text.chars().peekable();
    // Percent signs and spaces inside string literals are the literal's.
    let mut in_string = false;
    while let Some(c) = chars.next() {
        match c {
            '"' => in_string = !in_string,
            '\\' if in_string => {
                out.push(c);
                out.extend(chars.next());
                continue;
            }
            // rspirv writes two where a result type follows.
            ' ' if !in_string && out.ends_with(' ') => continue,
            _ => {}
        }
        out.push(c);
        if c == '%' && !in_string {
            let mut number = String::new();
            while let Some(digit) = chars.next_if(char::is_ascii_digit) {
                number.push(digit);
            }
            match number.parse().ok().and_then(|n: Word| names.get(&n)) {
                Some(name) => out.push_str(name),
                None => out.push_str(&number),
            }
        }
    }
    out
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
    if let Some(glsl) = module.ext_inst_imports.first().and_then(|i| i.result_id) {
        give(glsl, "glsl".into(), &mut names);
    }
    for instruction in &module.types_global_values {
        if let (Some(id), Some(name)) = (instruction.result_id, content_name(instruction, &names)) {
            give(id, name, &mut names);
        }
    }
    names
}

/// What SPIRV-Tools accept in the name of an id, and does not look like a number.
fn identifier(name: &str) -> String {
    let mut name: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    if name.starts_with(|c: char| c.is_ascii_digit()) {
        name.insert(0, '_');
    }
    name
}

/// A name that says what a type or constant is.
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
    use super::identifier;

    #[test]
    fn identifiers_are_what_the_assembler_reads() {
        assert_eq!(identifier("a.b c"), "a_b_c");
        assert_eq!(identifier("9lives"), "_9lives");
    }
}
