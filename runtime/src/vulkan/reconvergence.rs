//! Makes entry points reconverge as in HLSL: diverged lanes reconverge after the construct that separated them.
//!
//! Vulkan guarantees that only for entry points that request it, and only devices with
//! VK_KHR_shader_maximal_reconvergence accept those. A module for any device cannot request it, so this host adds the
//! words if the device has the extension.

/// `MaximallyReconvergesKHR`, of SPV_KHR_maximal_reconvergence.
const MAXIMALLY_RECONVERGES: u32 = 6023;
const EXTENSION: &[u8] = b"SPV_KHR_maximal_reconvergence\0";

const HEADER: usize = 5;
const OP_EXTENSION: u32 = 10;
const OP_ENTRY_POINT: u32 = 15;
const OP_EXECUTION_MODE: u32 = 16;
const OP_CAPABILITY: u32 = 17;

/// Returns the module with the mode on each of its entry points; unchanged if it has it, or is not a module.
pub(super) fn maximally_reconverging(words: &[u32]) -> Vec<u32> {
    let mut made = words.get(..HEADER).unwrap_or(words).to_vec();
    let mut entry_points = Vec::new();
    let (mut has_extension, mut has_modes) = (false, false);
    let mut rest = words.get(HEADER..).unwrap_or(&[]);
    while let [first, ..] = rest {
        let Some((instruction, after)) = rest.split_at_checked((first >> 16) as usize).filter(|(i, _)| !i.is_empty())
        else {
            return words.to_vec();
        };
        let op = first & 0xffff;
        // The order is capabilities, extensions, .. entry points, execution modes (SPIR-V 2.4).
        if !has_extension && op != OP_CAPABILITY {
            made.extend(extension());
            has_extension = true;
        }
        if !has_modes && op != OP_ENTRY_POINT && !entry_points.is_empty() {
            made.extend(
                entry_points.iter().flat_map(|entry| [3 << 16 | OP_EXECUTION_MODE, *entry, MAXIMALLY_RECONVERGES]),
            );
            has_modes = true;
        }
        match (op, instruction) {
            (OP_ENTRY_POINT, [_, _, entry, ..]) => entry_points.push(*entry),
            (OP_EXECUTION_MODE, [_, _, MAXIMALLY_RECONVERGES]) => return words.to_vec(),
            _ => {}
        }
        made.extend(instruction);
        rest = after;
    }
    made
}

/// Returns the words of the OpExtension.
fn extension() -> Vec<u32> {
    let mut name = EXTENSION.to_vec();
    name.resize(name.len().next_multiple_of(4), 0);
    let text = name.as_chunks::<4>().0.iter().map(|bytes| u32::from_le_bytes(*bytes));
    let words = 1 + name.len() as u32 / 4;
    [words << 16 | OP_EXTENSION].into_iter().chain(text).collect()
}

#[cfg(test)]
mod unit {
    use super::*;
    use wgc_spirv_module::asm;

    const TEXT: &str = "OpCapability Shader\nOpCapability GroupNonUniform\nOpExtension \"SPV_KHR_one\"\n\
        OpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %a \"a\"\nOpEntryPoint GLCompute %b \"b\"\n\
        OpExecutionMode %a LocalSize 1 1 1\nOpExecutionMode %b LocalSize 2 1 1\n%void = OpTypeVoid\n";

    #[test]
    fn every_entry_point_gets_the_reconvergence_mode() {
        let words = asm::assemble(TEXT).expect("it is an assembly");
        let made = maximally_reconverging(&words);
        let expected = TEXT
            .replace("OpExtension", "OpExtension \"SPV_KHR_maximal_reconvergence\"\nOpExtension")
            .replace(
                "OpExecutionMode %a L",
                "OpExecutionMode %a MaximallyReconvergesKHR\nOpExecutionMode %b MaximallyReconvergesKHR\nOpExecutionMode %a L",
            );
        assert_eq!(made, asm::assemble(&expected).expect("it is an assembly"));
        assert_eq!(maximally_reconverging(&made), made);
    }

    #[test]
    fn reconvergence_rewrite_keeps_invalid_modules() {
        for words in [&[][..], &[1, 2, 3], &[1, 2, 3, 4, 5, 0], &[1, 2, 3, 4, 5, 9 << 16]] {
            assert_eq!(maximally_reconverging(words), words);
        }
    }
}
