//! Specialisation in the words of a module, for devices that accept only words. Only the defaults of the constants
//! change.

use crate::error::Result;
use crate::load::Specialisation;
use crate::module::Module;
use spirv::Op;

/// Returns the module with `values` as the defaults of its specialisation constants. Ignores SpecIds that the module
/// lacks.
///
/// # Errors
/// The words are not a module.
pub fn specialise(words: &[u32], values: &Specialisation) -> Result<Vec<u32>> {
    let Module { mut words, declarations, constants, .. } = Module::load(words)?;
    for inst in &declarations {
        let given = constants.get(&inst.result).and_then(|constant| values.get(&constant.spec_id?));
        let (Some(value), Some(op)) = (given, inst.op()) else { continue };
        let at = inst.word as usize;
        match op {
            Op::SpecConstant => {
                let literals = [*value as u32, (*value >> 32) as u32];
                let places = inst.operands.start as usize..inst.operands.end as usize;
                words[places].iter_mut().zip(literals).for_each(|(word, literal)| *word = literal);
            }
            Op::SpecConstantTrue | Op::SpecConstantFalse => {
                let truth = if *value == 0 { Op::SpecConstantFalse } else { Op::SpecConstantTrue };
                words[at] = (words[at] & 0xffff_0000) | truth as u32;
            }
            _ => {}
        }
    }
    Ok(words)
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
    fn specialisation_replaces_constant_defaults() {
        let words = assemble(TEXT).expect("it assembles");
        assert_eq!(values(&words), [(3, 1), (4, 0), (5, 7), (6, 9)]);
        let given = Specialisation::from_iter([(3, 0), (4, 1), (5, 0x1_2345_6789), (77, 1)]);
        let changed = specialise(&words, &given).expect("a module");
        assert_eq!(values(&changed), [(3, 0), (4, 1), (5, 0x1_2345_6789), (6, 9)]);
        assert_eq!(changed.len(), words.len());
    }

    #[test]
    fn specialising_invalid_modules_fails() {
        assert!(specialise(&[1, 2, 3], &Specialisation::default()).is_err());
        let words = assemble(TEXT).expect("it assembles");
        assert!(specialise(&words[..words.len() - 1], &Specialisation::default()).is_err());
    }
}
