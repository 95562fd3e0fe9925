//! Instructions of SPIR-V that a program spells out itself.
//!
//! The IR knows what flows in and out of one ([`Instruction::operands`], the type of the value) and nothing about what it
//! does: it may read and write any memory, so it stays where it stands, in the order of the others, and is never left
//! out. A value travels by its id, a place as a pointer. Whether the instruction exists, and takes these operands, only
//! SPIR-V's grammar and rules can say: a back end may still refuse it.
//!
//! [`Needs`] are capabilities and extensions that functions ask for beyond those that follow from their operations.

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
    /// Within the set.
    pub opcode: u32,
    /// What follows the result, in order.
    pub operands: Vec<Operand>,
}

/// An operand as the module has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Operand {
    /// An id: of a value, of an image, sampler or acceleration structure, or of a pointer to a place.
    Value(ValueId),
    /// A word of the instruction itself.
    Literal(u32),
    /// An id: of a string.
    Text(Symbol),
}

/// What a module has to declare, by the numbers and names of SPIR-V.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Needs {
    pub capabilities: BTreeSet<u32>,
    pub extensions: BTreeSet<Symbol>,
}

impl Instruction {
    /// Calls `f` with every value that the instruction takes, in order.
    pub fn for_each_operand_mut(&mut self, mut f: impl FnMut(&mut ValueId)) {
        for operand in &mut self.operands {
            if let Operand::Value(value) = operand {
                f(value);
            }
        }
    }

    /// The values that the instruction takes, in order.
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

    /// Adds what another has.
    pub fn merge(&mut self, other: &Needs) {
        self.capabilities.extend(&other.capabilities);
        self.extensions.extend(other.extensions.iter().cloned());
    }
}

impl Instruction {
    /// It says nothing about what the module does: no rule is broken by it.
    fn is_non_semantic(&self) -> bool {
        self.set.as_ref().is_some_and(|set| set.starts_with("NonSemantic."))
    }
}

/// Whether a function of the module has an instruction of the program's own, or asks for something.
pub fn is_used(module: &Module) -> bool {
    user(module).is_some()
}

/// The first function that [`is_used`] is about.
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
