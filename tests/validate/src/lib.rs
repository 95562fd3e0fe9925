//! Validation of emitted modules with SPIRV-Tools, in addition to this project's own verifier, for tests.
//!
//! SPIRV-Tools 2025.3 refuses two things that this compiler emits on purpose. One is the type operand of
//! OpIsNodePayloadValidAMDX, which the extension demands. The other is atomics on node payloads, which HLSL programs
//! use and the compiler warns about. The validator stops at its first message, so allowing those messages would leave
//! the rest of a module unchecked. After such a message, [`validate`] instead blanks exactly those instructions out
//! (OpUndef of the same type and result), and validates again.

#![forbid(unsafe_code)]

mod mask;

pub use spirv_tools::TargetEnv;
use spirv_tools::assembler::{Assembler, AssemblerOptions};
use spirv_tools::val::{Validator, ValidatorOptions};
use std::path::Path;

/// The two refusals that are known faults of the tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Allowed {
    ValidTakesType,
    PayloadAtomic,
}

/// Rules for the offsets and strides of memory that a host shares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlockLayout {
    /// Supported by every Vulkan 1.1 device: std140 and std430, where vectors start at multiples of their scalars.
    Relaxed,
    /// Supported by a device with `scalarBlockLayout`, if its host enables that.
    Scalar,
}

impl BlockLayout {
    /// Returns the layout that a module's host enables. Hosts of graphs enable `scalarBlockLayout`, because records
    /// need it; a capability marks their modules. Other modules have `.scalar` before the extension of their file.
    pub fn of(words: &[u32], file: &Path) -> BlockLayout {
        let named = file.file_stem().is_some_and(|stem| Path::new(stem).extension().is_some_and(|e| e == "scalar"));
        if named || mask::has_capability(words, mask::SHADER_ENQUEUE) {
            BlockLayout::Scalar
        } else {
            BlockLayout::Relaxed
        }
    }
}

/// Validates a module.
///
/// # Errors
/// The validator's message.
pub fn validate(words: &[u32], env: TargetEnv, layout: BlockLayout) -> Result<(), String> {
    let mut masked = words.to_vec();
    let mut used: Vec<Allowed> = Vec::new();
    loop {
        let message = match run(&masked, env, layout) {
            Ok(()) => return Ok(()),
            Err(message) => message,
        };
        let allowed = if message.contains("cannot be a type") {
            Allowed::ValidTakesType
        } else if message.contains("storage class forbidden by universal validation rules") {
            Allowed::PayloadAtomic
        } else {
            return Err(message);
        };
        let changed = match allowed {
            Allowed::ValidTakesType => mask::payload_valid(&mut masked),
            Allowed::PayloadAtomic => mask::payload_atomics(&mut masked),
        };
        if used.contains(&allowed) || changed == 0 {
            return Err(message);
        }
        used.push(allowed);
    }
}

/// Validates for the environment of the module's version and capabilities: Vulkan 1.3 for SPIR-V 1.6, else Vulkan 1.2.
///
/// # Errors
/// The validator's message.
pub fn validate_for_its_target(words: &[u32], layout: BlockLayout) -> Result<(), String> {
    let env = match words.get(1) {
        Some(&version) if version >= 0x0001_0600 => TargetEnv::Vulkan_1_3,
        _ => TargetEnv::Vulkan_1_2,
    };
    validate(words, env, layout)
}

/// Reads a file and validates it, for its target and with its [`BlockLayout::of`].
///
/// # Errors
/// The file cannot be read, or the validator's message.
pub fn validate_file(file: &Path) -> Result<(), String> {
    let words = words_at(file)?;
    validate_for_its_target(&words, BlockLayout::of(&words, file))
}

/// Returns the words of a file.
///
/// # Errors
/// The file cannot be read, or its length is not a multiple of four.
pub fn words_at(file: &Path) -> Result<Vec<u32>, String> {
    words_of(&std::fs::read(file).map_err(|e| e.to_string())?)
}

/// Assembles text in the syntax of SPIRV-Tools, for SPIR-V 1.6.
///
/// # Errors
/// The assembler's message.
pub fn assemble(text: &str) -> Result<Vec<u32>, String> {
    let assembler = spirv_tools::assembler::create(Some(TargetEnv::Universal_1_6));
    let binary = assembler.assemble(text, AssemblerOptions::default()).map_err(|e| e.to_string())?;
    Ok(binary.as_words().to_vec())
}

/// Returns opcode and length of every instruction, and the values of constants. It is equal for modules that only
/// differ in ids.
pub fn outline(words: &[u32]) -> Vec<Vec<u32>> {
    const OP_CONSTANT: u32 = 43;
    mask::instructions(words)
        .into_iter()
        .map(|at| match mask::instruction(words, at) {
            (OP_CONSTANT, [_, _, value @ ..]) => [&[words[at]], value].concat(),
            _ => vec![words[at]],
        })
        .collect()
}

/// Returns the words of a binary's bytes.
///
/// # Errors
/// The length is not a multiple of four.
pub fn words_of(bytes: &[u8]) -> Result<Vec<u32>, String> {
    let (words, rest) = bytes.as_chunks::<4>();
    if rest.is_empty() {
        Ok(words.iter().map(|w| u32::from_le_bytes(*w)).collect())
    } else {
        Err(format!("{} bytes are no words", bytes.len()))
    }
}

fn run(words: &[u32], env: TargetEnv, layout: BlockLayout) -> Result<(), String> {
    let scalar_block_layout = layout == BlockLayout::Scalar;
    let options = ValidatorOptions { scalar_block_layout, ..ValidatorOptions::default() };
    spirv_tools::val::create(Some(env)).validate(words, Some(options)).map_err(|e| e.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scalar_layout_is_chosen_by_file_name_or_capability() {
        let compute = [0x0723_0203, 0x0001_0500, 0, 1, 0, 2 << 16 | 17, 1];
        let graph = [0x0723_0203, 0x0001_0600, 0, 1, 0, 2 << 16 | 17, mask::SHADER_ENQUEUE];
        for (words, file, expected) in [
            (&compute, "dir.scalar/fill.spv", BlockLayout::Relaxed),
            (&compute, "scalar.spv", BlockLayout::Relaxed),
            (&compute, "fill.scalar.spv", BlockLayout::Scalar),
            (&graph, "fill.spv", BlockLayout::Scalar),
        ] {
            assert_eq!(BlockLayout::of(words, Path::new(file)), expected, "{file}");
        }
    }

    /// A module whose array of floats in a uniform block is only valid for one kind of host.
    #[test]
    fn a_tight_array_in_a_uniform_block_needs_scalar_layout() {
        let text = "OpCapability Shader
            OpMemoryModel Logical GLSL450
            OpEntryPoint GLCompute %main \"main\" %block
            OpExecutionMode %main LocalSize 1 1 1
            OpDecorate %array ArrayStride 4
            OpMemberDecorate %struct 0 Offset 0
            OpDecorate %struct Block
            OpDecorate %block DescriptorSet 0
            OpDecorate %block Binding 0
            %void = OpTypeVoid
            %type = OpTypeFunction %void
            %float = OpTypeFloat 32
            %uint = OpTypeInt 32 0
            %two = OpConstant %uint 2
            %array = OpTypeArray %float %two
            %struct = OpTypeStruct %array
            %pointer = OpTypePointer Uniform %struct
            %block = OpVariable %pointer Uniform
            %main = OpFunction %void None %type
            %entry = OpLabel
            OpReturn
            OpFunctionEnd";
        let words = assemble(text).expect("the text is right");
        assert_eq!(validate_for_its_target(&words, BlockLayout::Scalar), Ok(()));
        let refused = validate_for_its_target(&words, BlockLayout::Relaxed).expect_err("the stride is 4");
        assert!(refused.contains("stride 4 not satisfying alignment to 16"), "{refused}");
    }
}
