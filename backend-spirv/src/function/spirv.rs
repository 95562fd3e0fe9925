//! Inline SPIR-V: the program writes the words of an instruction, the emitter its ids.
//!
//! SPIR-V's grammar defines the existing instructions and their results. The verifier of the finished module finds all
//! other errors.

use super::{FunctionEmitter, Result, Slot};
use crate::EmitError;
use crate::builder::{HasType, id, lit};
use rspirv::dr::Operand;
use rspirv::grammar::{OperandKind, reflect};
use rspirv::spirv::{Capability, Op as Spv, Scope, Word};
use wgc_ir::Type;
use wgc_ir::spirv::{self, Instruction, Needs};

/// Instructions that make up modules, functions and blocks. Only the emitter writes them, and instructions with an
/// untyped result (types, labels, imports).
const STRUCTURE: &[Spv] = &[
    Spv::Capability,
    Spv::Extension,
    Spv::MemoryModel,
    Spv::EntryPoint,
    Spv::ExecutionMode,
    Spv::ExecutionModeId,
    Spv::Source,
    Spv::SourceContinued,
    Spv::SourceExtension,
    Spv::Name,
    Spv::MemberName,
    Spv::ModuleProcessed,
    Spv::Decorate,
    Spv::DecorateId,
    Spv::DecorateString,
    Spv::MemberDecorate,
    Spv::MemberDecorateString,
    Spv::GroupDecorate,
    Spv::GroupMemberDecorate,
    Spv::Variable,
    Spv::UntypedVariableKHR,
    Spv::TypeForwardPointer,
    Spv::Function,
    Spv::FunctionParameter,
    Spv::FunctionEnd,
    Spv::FunctionCall,
    Spv::Phi,
    Spv::LoopMerge,
    Spv::SelectionMerge,
    Spv::ExtInst,
];

/// Instructions that precede all functions.
const CONSTANTS: &[Spv] = &[
    Spv::ConstantTrue,
    Spv::ConstantFalse,
    Spv::Constant,
    Spv::ConstantComposite,
    Spv::ConstantNull,
    Spv::SpecConstantTrue,
    Spv::SpecConstantFalse,
    Spv::SpecConstant,
    Spv::SpecConstantComposite,
    Spv::SpecConstantOp,
];

impl FunctionEmitter<'_, '_> {
    /// Declares the capabilities and extensions that a function requires.
    pub(super) fn needs(&mut self, needs: &Needs) -> Result {
        for &number in &needs.capabilities {
            let capability = Capability::from_u32(number);
            self.e.b.capability(
                capability
                    .ok_or_else(|| EmitError::new(format!("SPIR-V has no capability with the number {number}")))?,
            );
        }
        for extension in &needs.extensions {
            self.e.b.extension(extension.to_string());
        }
        Ok(())
    }

    /// Declares a capability that the Vulkan memory model requires for device scope. The emitter chooses the memory
    /// model, so the program cannot declare it.
    fn scopes(&mut self, op: Spv, instruction: &Instruction) {
        let kinds = self.e.b.operand_kinds(op);
        let is_device = kinds.iter().zip(&instruction.operands).any(|(kind, operand)| match operand {
            spirv::Operand::Value(value) if *kind == OperandKind::IdScope => {
                self.constant(*value).is_some_and(|c| c.bits == Scope::Device as u64)
            }
            _ => false,
        });
        if is_device && self.e.target.vulkan_memory_model {
            self.e.b.capability(Capability::VulkanMemoryModelDeviceScope);
        }
    }

    /// Emits an instruction. `ty` is the type of its result, `Void` if there is none.
    pub(super) fn spirv(&mut self, instruction: &Instruction, ty: &Type) -> Result<Word> {
        let mut operands = Vec::new();
        for operand in &instruction.operands {
            operands.push(match operand {
                spirv::Operand::Literal(word) => lit(*word),
                spirv::Operand::Text(text) => id(self.e.b.debug_string(text)),
                &spirv::Operand::Value(value) => {
                    let word = match *self.slot(value)? {
                        Slot::Value(word) | Slot::Sampler(word) | Slot::AccelerationStructure(word) => word,
                        Slot::Image(image) => image.value,
                        Slot::Place(_) => self.pointer_of(value)?,
                        Slot::Stored { .. } => self.word(value)?,
                        Slot::Descriptors { .. } | Slot::Records { .. } => {
                            return Err(EmitError::new(
                                "inline SPIR-V accepts neither handles nor arrays of resources",
                            ));
                        }
                    };
                    id(word)
                }
            });
        }
        let opcode = instruction.opcode;
        if let Some(set) = &instruction.set {
            let mut all = vec![id(self.e.b.import(set)), Operand::LiteralExtInstInteger(opcode)];
            all.append(&mut operands);
            let ty = self.e.value_type(ty)?;
            return Ok(self.e.b.op(Spv::ExtInst, ty, all));
        }
        let op = Spv::from_u32(opcode)
            .ok_or_else(|| EmitError::new(format!("SPIR-V has no instruction with the number {opcode}")))?;
        let result = self.e.b.result(op);
        let is_structure =
            STRUCTURE.contains(&op) || reflect::is_block_terminator(op) || result == Some(HasType(false));
        if is_structure || reflect::is_location_debug(op) {
            return Err(EmitError::new(format!("Op{op:?} cannot be inline SPIR-V: it is not a computation")));
        }
        self.e.b.capability_for(op);
        self.scopes(op, instruction);
        match (result.is_some(), ty) {
            (false, Type::Void) => {
                self.e.b.effect(op, operands);
                // The result is never read.
                Ok(0)
            }
            (true, Type::Void) => Err(EmitError::new(format!("Op{op:?} has a result: its function must return it"))),
            (false, _) => Err(EmitError::new(format!("Op{op:?} has no result: its function must return void"))),
            (true, ty) => {
                let ty = self.e.value_type(ty)?;
                // Constants precede all functions.
                if CONSTANTS.contains(&op) {
                    return Ok(self.e.b.intern(op, Some(ty), operands));
                }
                Ok(self.e.b.op(op, ty, operands))
            }
        }
    }
}
