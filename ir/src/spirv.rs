//! Inline SPIR-V instructions of a program.
//!
//! The IR only knows the operands of an instruction ([`Instruction::operands`]) and the type of its value. It may read
//! and write any memory, so it keeps its position and is never removed. A value is passed by its id, a place as a
//! pointer. Only SPIR-V's grammar and rules decide if the instruction exists and accepts these operands: a back end may
//! still reject it.
//!
//! [`Needs`] are the capabilities and extensions that functions require beyond those of their operations.

use crate::Symbol;
use crate::function::{Op, Stmt, ValueId};
use crate::module::Module;
use crate::walk;
use std::collections::BTreeSet;

/// An instruction, or one of an extended set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instruction {
    /// The name of the extended instruction set; `None` for SPIR-V's own.
    pub set: Option<Symbol>,
    /// The number within the set.
    pub opcode: u32,
    /// The operands after the result, in order.
    pub operands: Vec<Operand>,
}

/// An operand as in the module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Operand {
    /// An id of a value, of an image, sampler or acceleration structure, or of a pointer to a place.
    Value(ValueId),
    /// A literal word.
    Literal(u32),
    /// An id of a string.
    Text(Symbol),
}

/// Capabilities and extensions to declare, by the numbers and names of SPIR-V.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Needs {
    pub capabilities: BTreeSet<u32>,
    pub extensions: BTreeSet<Symbol>,
}

impl Instruction {
    /// Calls `f` with every operand that is a value, in order.
    pub(crate) fn for_each_operand(&self, mut f: impl FnMut(&ValueId)) {
        self.values().for_each(|id| f(&id));
    }

    pub fn for_each_operand_mut(&mut self, mut f: impl FnMut(&mut ValueId)) {
        for operand in &mut self.operands {
            if let Operand::Value(value) = operand {
                f(value);
            }
        }
    }

    /// Returns the operands that are values, in order.
    pub fn values(&self) -> impl Iterator<Item = ValueId> + '_ {
        self.operands.iter().filter_map(|operand| match operand {
            Operand::Value(value) => Some(*value),
            Operand::Literal(_) | Operand::Text(_) => None,
        })
    }
}

impl Needs {
    pub fn is_empty(&self) -> bool {
        self.capabilities.is_empty() && self.extensions.is_empty()
    }

    /// Adds the needs of another function.
    pub fn merge(&mut self, other: &Needs) {
        self.capabilities.extend(&other.capabilities);
        self.extensions.extend(other.extensions.iter().cloned());
    }
}

impl Instruction {
    /// Returns whether the instruction is non-semantic. Such an instruction does not affect the module's behaviour, so
    /// it breaks no rule.
    fn is_non_semantic(&self) -> bool {
        self.set.as_ref().is_some_and(|set| set.starts_with("NonSemantic."))
    }
}

/// Returns whether a function of the module has inline SPIR-V, or other needs.
pub fn is_used(module: &Module) -> bool {
    user(module).is_some()
}

/// Returns the first function that makes [`is_used`] true.
pub fn user(module: &Module) -> Option<&Symbol> {
    let mut functions = module.functions.values();
    let user = functions.find(|function| {
        let mut found = !function.needs.is_empty();
        walk::statements(&function.body, &mut |stmt| {
            found |= match stmt {
                Stmt::Spirv(instruction) => !instruction.is_non_semantic(),
                Stmt::Let(id) => function.value(*id).is_some_and(|v| matches!(v.op, Op::Spirv(_))),
                _ => false,
            }
        });
        found
    });
    user.map(|function| &function.name)
}
