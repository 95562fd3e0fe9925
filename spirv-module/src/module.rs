//! The module as data: the contents of the words by kind, each with its position. No rules are checked here.

use crate::constant::Constant;
use crate::error::LoadError;
use crate::grammar::{self, Operand};
use crate::types::Type;
use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;
use spirv::Op;
use std::ops::Range;

/// A result id; 0 means none.
pub type Id = u32;

pub type IdMap<T> = IndexMap<Id, T, FxBuildHasher>;

/// An instruction. Its operand words are in [`Module::words`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inst {
    pub opcode: u16,
    /// The word of the module at which it starts.
    pub word: u32,
    /// Result type, or 0.
    pub ty: Id,
    /// Result, or 0.
    pub result: Id,
    /// Its other operands, as a range of the module's words.
    pub operands: Range<u32>,
}

impl Inst {
    /// Returns the opcode; `None` if SPIR-V does not have it.
    pub fn op(&self) -> Option<Op> {
        grammar::op(self.opcode)
    }

    /// Returns a name such as `OpIAdd`, or `opcode 9999`.
    pub fn name(&self) -> String {
        grammar::name(self.opcode)
    }
}

/// A decoration of an id, with groups and forms resolved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decoration {
    pub member: Option<u32>,
    /// Value of [`spirv::Decoration`]; any number is kept.
    pub kind: u32,
    /// Literals, ids (OpDecorateId) or string words.
    pub operands: Range<u32>,
    /// The decorating instruction.
    pub inst: Inst,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntryPoint {
    pub model: u32,
    pub function: Id,
    pub name: String,
    pub interface: Vec<Id>,
    pub inst: Inst,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExecutionMode {
    pub function: Id,
    /// Value of [`spirv::ExecutionMode`].
    pub mode: u32,
    /// Literals, or ids if the instruction is OpExecutionModeId.
    pub operands: Vec<u32>,
    pub inst: Inst,
}

impl ExecutionMode {
    /// Returns whether the operands are ids.
    pub fn has_ids(&self) -> bool {
        self.inst.op() == Some(Op::ExecutionModeId)
    }
}

/// A variable outside functions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Global {
    pub id: Id,
    /// The pointer type.
    pub ty: Id,
    pub class: u32,
    /// A constant or another variable, or 0.
    pub initializer: Id,
    pub inst: Inst,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    pub id: Id,
    pub result_type: Id,
    pub function_type: Id,
    pub control: u32,
    /// OpFunctionParameter, in order.
    pub parameters: Vec<Inst>,
    pub blocks: Vec<Block>,
    pub inst: Inst,
}

/// A basic block: OpLabel, instructions, at most one merge instruction, a terminator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    pub label: Id,
    /// The instructions except merge and terminator, in the module's order. Phis come first; variables, lines and
    /// unknown instructions are included.
    pub insts: Vec<Inst>,
    pub merge: Option<Merge>,
    pub terminator: Terminator,
    pub merge_inst: Option<Inst>,
    pub terminator_inst: Inst,
    /// The OpLabel.
    pub inst: Inst,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Merge {
    Selection { merge: Id, control: u32 },
    Loop { merge: Id, continue_target: Id, control: u32 },
}

impl Merge {
    pub fn merge_block(self) -> Id {
        match self {
            Merge::Selection { merge, .. } | Merge::Loop { merge, .. } => merge,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Terminator {
    Branch(Id),
    BranchConditional {
        condition: Id,
        then: Id,
        otherwise: Id,
    },
    /// Case values are zero-extended from the selector's width.
    Switch {
        selector: Id,
        default: Id,
        cases: Vec<(u64, Id)>,
    },
    Return,
    ReturnValue(Id),
    Unreachable,
    /// The opcode of OpKill, OpTerminateInvocation or another instruction that ends the invocation.
    Other(u16),
}

impl Terminator {
    /// Iterates over the labels of possible targets, in operand order, with repetitions.
    pub fn targets(&self) -> impl Iterator<Item = Id> + '_ {
        let (first, second, cases): (Option<Id>, Option<Id>, &[(u64, Id)]) = match self {
            Terminator::Branch(target) => (Some(*target), None, &[]),
            Terminator::BranchConditional { then, otherwise, .. } => (Some(*then), Some(*otherwise), &[]),
            Terminator::Switch { default, cases, .. } => (Some(*default), None, cases),
            _ => (None, None, &[]),
        };
        first.into_iter().chain(second).chain(cases.iter().map(|c| c.1))
    }
}

/// The kind of an id's definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Def {
    None,
    Type,
    Constant,
    Global,
    /// Index into [`Module::functions`].
    Function(u32),
    /// Function, parameter number.
    Parameter(u32, u32),
    /// Function, block.
    Label(u32, u32),
    /// Function, block, instruction.
    Inst(u32, u32, u32),
    ExtImport,
    /// OpString, OpDecorationGroup and any other instruction outside functions.
    Other,
}

#[derive(Clone, Debug)]
pub struct Module {
    pub words: Vec<u32>,
    /// Major, minor.
    pub version: (u8, u8),
    pub generator: u32,
    pub bound: u32,
    /// Values of [`spirv::Capability`]; any number is kept.
    pub capabilities: Vec<(u32, Inst)>,
    pub extensions: Vec<(String, Inst)>,
    /// Extended instruction sets by id.
    pub imports: IdMap<String>,
    /// Addressing model, memory model.
    pub memory_model: Option<(u32, u32, Inst)>,
    pub entry_points: Vec<EntryPoint>,
    pub execution_modes: Vec<ExecutionMode>,
    /// OpString.
    pub strings: IdMap<String>,
    pub names: IdMap<String>,
    pub member_names: IndexMap<(Id, u32), String, FxBuildHasher>,
    pub decorations: IdMap<Vec<Decoration>>,
    pub types: IdMap<Type>,
    /// Types, constants and globals in the module's order, without lines.
    pub declarations: Vec<Inst>,
    pub constants: IdMap<Constant>,
    pub globals: IdMap<Global>,
    pub functions: Vec<Function>,
    pub(crate) defs: Vec<Def>,
    pub(crate) value_types: Vec<Id>,
    pub(crate) scalar_counts: rustc_hash::FxHashMap<Id, usize>,
}

impl Module {
    pub fn operands(&self, inst: &Inst) -> &[u32] {
        self.words.get(inst.operands.start as usize..inst.operands.end as usize).unwrap_or(&[])
    }

    /// Calls `visit` with each decoded operand of an instruction. Skips instructions that the grammar lacks.
    pub fn for_each_operand<'a>(&'a self, inst: &Inst, mut visit: impl FnMut(Operand<'a>)) {
        let (operands, width) = (self.operands(inst), self.number_words(inst));
        // The loader has already walked it, so no error remains.
        let _ = grammar::walk(inst.opcode, operands, width, inst.word as usize, &mut visit);
    }

    /// Returns the decoded operands of an instruction; empty for instructions that the grammar lacks.
    pub fn decoded<'a>(&'a self, inst: &Inst) -> Vec<Operand<'a>> {
        let mut out = Vec::with_capacity(inst.operands.len());
        self.for_each_operand(inst, |operand| out.push(operand));
        out
    }

    /// Calls `visit` with every id that the instruction uses, including its result type but not its result.
    pub fn for_each_used_id(&self, inst: &Inst, mut visit: impl FnMut(Id)) {
        if inst.ty != 0 {
            visit(inst.ty);
        }
        self.for_each_operand(inst, |operand| operand.id().into_iter().for_each(&mut visit));
    }

    /// Returns the number of words of type-dependent literals in an instruction.
    pub(crate) fn number_words(&self, inst: &Inst) -> usize {
        let ty = match inst.op() {
            Some(Op::Switch) => self.type_of(self.operands(inst).first().copied().unwrap_or(0)),
            _ => inst.ty,
        };
        match self.types.get(&ty) {
            Some(Type::Int { width, .. } | Type::Float { width }) if *width > 32 => 2,
            _ => 1,
        }
    }

    pub fn def(&self, id: Id) -> Def {
        self.defs.get(id as usize).copied().unwrap_or(Def::None)
    }

    /// Returns the type of a value, or 0 if `id` is not a value.
    pub fn type_of(&self, id: Id) -> Id {
        self.value_types.get(id as usize).copied().unwrap_or(0)
    }

    pub fn ty(&self, id: Id) -> Option<&Type> {
        self.types.get(&id)
    }

    pub fn function(&self, id: Id) -> Option<&Function> {
        match self.def(id) {
            Def::Function(index) => self.functions.get(index as usize),
            _ => None,
        }
    }

    /// Returns the instruction inside a function that defines `id`.
    pub fn inst(&self, id: Id) -> Option<&Inst> {
        match self.def(id) {
            Def::Inst(function, block, inst) => {
                self.functions.get(function as usize)?.blocks.get(block as usize)?.insts.get(inst as usize)
            }
            _ => None,
        }
    }

    pub fn has_capability(&self, capability: spirv::Capability) -> bool {
        self.capabilities.iter().any(|c| c.0 == capability as u32)
    }

    /// Iterates over the decorations of the id (`member` is `None`) or of one member.
    pub fn decorations_of(&self, id: Id, member: Option<u32>) -> impl Iterator<Item = &Decoration> {
        self.decorations.get(&id).into_iter().flatten().filter(move |d| d.member == member)
    }

    /// Returns the first decoration of this kind.
    pub fn decoration(&self, id: Id, member: Option<u32>, kind: spirv::Decoration) -> Option<&Decoration> {
        self.decorations_of(id, member).find(|d| d.kind == kind as u32)
    }

    pub fn decoration_operands(&self, decoration: &Decoration) -> &[u32] {
        self.words.get(decoration.operands.start as usize..decoration.operands.end as usize).unwrap_or(&[])
    }

    /// Returns the first operand of a decoration: `Offset`, `ArrayStride`, `Binding`, or the id of OpDecorateId.
    pub fn decoration_word(&self, id: Id, member: Option<u32>, kind: spirv::Decoration) -> Option<u32> {
        self.decoration_operands(self.decoration(id, member, kind)?).first().copied()
    }

    /// Returns the value of an integer constant, zero-extended; `None` if `id` is not such a constant.
    pub fn constant_u64(&self, id: Id) -> Option<u64> {
        match self.constants.get(&id)? {
            Constant { value: crate::constant::Value::Scalar(bits), .. } => Some(*bits),
            Constant { value: crate::constant::Value::Null, ty, .. } if self.types.get(ty)?.is_scalar() => Some(0),
            _ => None,
        }
    }

    /// Returns a value like [`Module::constant_u64`], if it fits 32 bits.
    pub fn constant_u32(&self, id: Id) -> Option<u32> {
        self.constant_u64(id).and_then(|v| u32::try_from(v).ok())
    }

    /// Returns the text of OpConstantStringAMDX, OpSpecConstantStringAMDX or OpString.
    pub fn string(&self, id: Id) -> Option<&str> {
        match self.constants.get(&id) {
            Some(Constant { value: crate::constant::Value::String(text), .. }) => Some(text),
            _ => self.strings.get(&id).map(String::as_str),
        }
    }

    /// Returns a description such as `%12`, or `%12 "name"`.
    pub fn describe(&self, id: Id) -> String {
        match self.names.get(&id) {
            Some(name) if !name.is_empty() => format!("%{id} \"{name}\""),
            _ => format!("%{id}"),
        }
    }

    /// Returns the index of a node in its array: ShaderIndexAMDX, or 0 without one; `None` if that is not a number.
    pub fn node_index(&self, entry: &EntryPoint) -> Option<u32> {
        match self.execution_mode(entry.function, spirv::ExecutionMode::ShaderIndexAMDX) {
            Some(mode) => self.constant_u32(*mode.operands.first()?),
            None => Some(0),
        }
    }

    pub fn execution_mode(&self, function: Id, mode: spirv::ExecutionMode) -> Option<&ExecutionMode> {
        self.execution_modes.iter().find(|m| m.function == function && m.mode == mode as u32)
    }

    pub(crate) fn define(&mut self, id: Id, def: Def, ty: Id, word: u32) -> Result<(), LoadError> {
        let at = word as usize;
        match self.defs.get_mut(id as usize) {
            Some(slot @ Def::None) if id != 0 => *slot = def,
            Some(Def::None) | None => {
                return Err(LoadError::new(at, format!("ID {id} is not below the bound {}", self.bound)));
            }
            Some(_) => return Err(LoadError::new(at, format!("ID {id} is defined twice"))),
        }
        if let Some(slot) = self.value_types.get_mut(id as usize) {
            *slot = ty;
        }
        Ok(())
    }
}
