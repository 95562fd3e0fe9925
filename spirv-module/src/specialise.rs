//! Giving specialisation constants other values in the words of a module, for devices that are handed words alone. The
//! constants stay what they are: only their defaults change.

use crate::error::Result;
use crate::load::Specialisation;
use crate::module::Module;
use crate::words::normalise;
use spirv::{Decoration, Op};

/// The module with `values` as the defaults of its specialisation constants. SpecIds the module lacks are ignored.
///
/// # Errors
/// When the words are no module.
pub fn specialise(words: &[u32], values: &Specialisation) -> Result<Vec<u32>> {
    // What is walked below has been read: every instruction has its words.
    Module::load(words)?;
    let mut words = words.to_vec();
    normalise(&mut words);
    if values.is_empty() {
        return Ok(words);
    }
    let given: Vec<(u32, u64)> = instructions(&words)
        .filter_map(|at| match words[at..] {
            [first, target, decoration, id, ..]
                if op(first) == Op::Decorate as u16 && decoration == Decoration::SpecId as u32 =>
            {
                values.get(&id).map(|value| (target, *value))
            }
            _ => None,
        })
        .collect();
    let places: Vec<usize> = instructions(&words).collect();
    for at in places {
        let (opcode, length) = (op(words[at]), (words[at] >> 16) as usize);
        let scalar = [Op::SpecConstant, Op::SpecConstantTrue, Op::SpecConstantFalse].map(|op| op as u16);
        if !scalar.contains(&opcode) {
            continue;
        }
        let Some((_, value)) = given.iter().find(|(target, _)| words.get(at + 2) == Some(target)) else { continue };
        if opcode == Op::SpecConstant as u16 {
            let literals = [*value as u32, (*value >> 32) as u32];
            words[at + 3..at + length].iter_mut().zip(literals).for_each(|(word, literal)| *word = literal);
        } else {
            let truth = if *value == 0 { Op::SpecConstantFalse } else { Op::SpecConstantTrue };
            words[at] = (words[at] & 0xffff_0000) | truth as u32;
        }
    }
    Ok(words)
}

fn op(first: u32) -> u16 {
    first as u16
}

/// Where each instruction begins.
fn instructions(words: &[u32]) -> impl Iterator<Item = usize> {
    let mut next = 5;
    std::iter::from_fn(move || {
        let at = next;
        next += words.get(at).map_or(0, |first| (first >> 16) as usize);
        (next > at).then_some(at)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::asm::assemble;
    use crate::constant::Value;

    const TEXT: &str = "OpCapability Shader\nOpCapability Int64\nOpMemoryModel Logical GLSL450\n\
        OpDecorate %flag SpecId 3\nOpDecorate %off SpecId 4\nOpDecorate %wide SpecId 5\nOpDecorate %kept SpecId 6\n\
        %bool = OpTypeBool\n%u64 = OpTypeInt 64 0\n%u32 = OpTypeInt 32 0\n\
        %flag = OpSpecConstantTrue %bool\n%off = OpSpecConstantFalse %bool\n%wide = OpSpecConstant %u64 7\n\
        %kept = OpSpecConstant %u32 9\n%twice = OpSpecConstantOp %u32 IAdd %kept %kept\n";

    fn values(words: &[u32]) -> Vec<(u32, u64)> {
        let module = Module::load(words).expect("a module");
        let spec = module.constants.values().filter_map(|c| match c.value {
            Value::Scalar(bits) => Some((c.spec_id?, bits)),
            _ => None,
        });
        let mut spec: Vec<_> = spec.collect();
        spec.sort_unstable();
        spec
    }

    #[test]
    fn defaults_become_the_values_given() {
        let words = assemble(TEXT).expect("it assembles");
        assert_eq!(values(&words), [(3, 1), (4, 0), (5, 7), (6, 9)]);
        let given = Specialisation::from_iter([(3, 0), (4, 1), (5, 0x1_2345_6789), (77, 1)]);
        let changed = specialise(&words, &given).expect("a module");
        assert_eq!(values(&changed), [(3, 0), (4, 1), (5, 0x1_2345_6789), (6, 9)]);
        assert_eq!(changed.len(), words.len());
    }

    #[test]
    fn what_is_no_module_is_an_error() {
        assert!(specialise(&[1, 2, 3], &Specialisation::default()).is_err());
        let words = assemble(TEXT).expect("it assembles");
        assert!(specialise(&words[..words.len() - 1], &Specialisation::default()).is_err());
    }
}
