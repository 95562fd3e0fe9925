//! Instructions that the program spells out: their words are the program's, the ids are the emitter's.
//!
//! SPIR-V's grammar says which instructions exist and what result they have. What else is wrong with one, the verifier
//! of the finished module finds.

use super::{FunctionEmitter, Result, Slot};
use crate::EmitError;
use crate::builder::{HasType, id, lit};
use rspirv::dr::Operand;
use rspirv::grammar::{OperandKind, reflect};
use rspirv::spirv::{Capability, Op as Spv, Scope, Word};
use wgc_ir::Type;
use wgc_ir::spirv::{self, Instruction, Needs};

/// Instructions that make up modules, functions and blocks: the emitter's own business. So are those with a result and
/// no type of it (types, labels, imports).
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

/// Instructions that stand in front of all functions.
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
    /// Declares what a function asks for.
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

    /// The Vulkan memory model asks for a capability where memory is seen by the whole device. Which model a module has
    /// is the emitter's choice, so that is not the program's to say.
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

    /// Writes an instruction. `ty` is the type of its result, `Void` for none.
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
                        Slot::Descriptors { .. } | Slot::Records { .. } => {
                            return Err(EmitError::new("inline SPIR-V takes neither handles nor arrays of resources"));
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
            return Err(EmitError::new(format!("Op{op:?} cannot be inline: it is no computation")));
        }
        self.e.b.capability_for(op);
        self.scopes(op, instruction);
        match (result.is_some(), ty) {
            (false, Type::Void) => {
                self.e.b.effect(op, operands);
                // Nobody reads it.
                Ok(0)
            }
            (true, Type::Void) => {
                Err(EmitError::new(format!("Op{op:?} has a result: its function returns what the result is")))
            }
            (false, _) => Err(EmitError::new(format!("Op{op:?} has no result: its function returns void"))),
            (true, ty) => {
                let ty = self.e.value_type(ty)?;
                // Constants stand in front of all functions.
                if CONSTANTS.contains(&op) {
                    return Ok(self.e.b.intern(op, Some(ty), operands));
                }
                Ok(self.e.b.op(op, ty, operands))
            }
        }
    }
}
