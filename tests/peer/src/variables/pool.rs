//! Types and constants of a module that gets more code: those it has, and new ones.

use super::reader::Reader;
use rspirv::dr::{Instruction, Operand};
use rspirv::spirv::{Op, StorageClass, Word};
use std::collections::HashMap;

/// A type of values that can be observed.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    Bool,
    /// An integer or a float, with its bits.
    Number(u32),
    /// Equal parts, with the number of them: a vector, matrix or array.
    Parts(Word, u32, Indexed),
    /// Members with their names.
    Members(Vec<(Word, String)>),
}

/// The spelling of parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Indexed {
    Component,
    Element,
}

pub struct Pool {
    /// New instructions outside of functions, for the end of those seen.
    pub added: Vec<Instruction>,
    pub annotations: Vec<Instruction>,
    next: Word,
    shapes: HashMap<Word, Shape>,
    names: HashMap<(Word, u32), String>,
    known: Vec<(Instruction, Word)>,
    /// Replaces values that a module leaves open, so that two patterns reveal them.
    pattern: u64,
}

/// Returns an instruction.
pub fn instruction(op: Op, ty: Option<Word>, result: Option<Word>, operands: Vec<Operand>) -> Instruction {
    Instruction::new(op, ty, result, operands)
}

pub fn ids(all: &[Word]) -> Vec<Operand> {
    all.iter().copied().map(Operand::IdRef).collect()
}

impl Pool {
    pub fn new(bound: Word, pattern: u64) -> Pool {
        let (shapes, names) = (HashMap::new(), HashMap::new());
        Pool { added: Vec::new(), annotations: Vec::new(), next: bound, shapes, names, known: Vec::new(), pattern }
    }

    /// Learns an instruction outside of functions. They come in order, so nothing is used before its definition.
    pub fn see(&mut self, reader: &Reader, i: &Instruction) {
        if let (Op::MemberName, [Operand::IdRef(of), Operand::LiteralBit32(n), Operand::LiteralString(name)]) =
            (i.class.opcode, i.operands.as_slice())
        {
            self.names.insert((*of, *n), name.clone());
        }
        let Some(id) = i.result_id else { return };
        const SHARED: [Op; 7] = [
            Op::TypeInt,
            Op::TypeBool,
            Op::TypeVector,
            Op::TypePointer,
            Op::Constant,
            Op::ConstantTrue,
            Op::ConstantFalse,
        ];
        if SHARED.contains(&i.class.opcode) {
            self.known.push((Instruction { result_id: None, ..i.clone() }, id));
        }
        if let Some(shape) = self.shape_of(reader, i) {
            self.shapes.insert(id, shape);
        }
    }

    fn shape_of(&self, reader: &Reader, i: &Instruction) -> Option<Shape> {
        let known = |id: &Word| self.shapes.contains_key(id);
        Some(match (i.class.opcode, i.operands.as_slice()) {
            (Op::TypeBool, _) => Shape::Bool,
            (Op::TypeInt | Op::TypeFloat, [Operand::LiteralBit32(bits), ..]) => Shape::Number(*bits),
            (Op::TypeVector | Op::TypeMatrix, [Operand::IdRef(of), Operand::LiteralBit32(n)]) if known(of) => {
                Shape::Parts(*of, *n, Indexed::Component)
            }
            (Op::TypeArray, [Operand::IdRef(of), Operand::IdRef(n)]) if known(of) => {
                Shape::Parts(*of, reader.number(*n), Indexed::Element)
            }
            (Op::TypeStruct, members) => {
                let member = |(n, member): (usize, &Operand)| {
                    let of = member.unwrap_id_ref();
                    let name = self.names.get(&(i.result_id?, n as u32))?;
                    known(&of).then(|| (of, name.clone()))
                };
                Shape::Members(members.iter().enumerate().map(member).collect::<Option<_>>()?)
            }
            _ => return None,
        })
    }

    pub fn fresh(&mut self) -> Word {
        self.next += 1;
        self.next - 1
    }

    pub fn bound(&self) -> Word {
        self.next
    }

    pub fn shape(&self, ty: Word) -> Option<&Shape> {
        self.shapes.get(&ty)
    }

    /// Returns whether two types match logically: they differ at most in decorations (SPIR-V 2.16, "logically match").
    pub fn matches(&self, one: Word, other: Word) -> bool {
        one == other
            || match (self.shape(one), self.shape(other)) {
                (Some(Shape::Parts(a, n, Indexed::Element)), Some(Shape::Parts(b, m, Indexed::Element))) => {
                    n == m && self.matches(*a, *b)
                }
                (Some(Shape::Members(a)), Some(Shape::Members(b))) => {
                    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.1 == b.1 && self.matches(a.0, b.0))
                }
                _ => false,
            }
    }

    /// Returns the result of an instruction outside of functions, which the module has once.
    fn shared(&mut self, op: Op, ty: Option<Word>, operands: Vec<Operand>) -> Word {
        let wanted = instruction(op, ty, None, operands);
        if let Some((_, id)) = self.known.iter().find(|(known, _)| *known == wanted) {
            return *id;
        }
        let id = self.fresh();
        self.known.push((wanted.clone(), id));
        self.added.push(Instruction { result_id: Some(id), ..wanted });
        id
    }

    pub fn uint(&mut self) -> Word {
        self.unsigned(32)
    }

    /// Returns an unsigned type.
    pub fn unsigned(&mut self, bits: u32) -> Word {
        self.shared(Op::TypeInt, None, vec![Operand::LiteralBit32(bits), Operand::LiteralBit32(0)])
    }

    pub fn bool(&mut self) -> Word {
        self.shared(Op::TypeBool, None, Vec::new())
    }

    pub fn uint2(&mut self) -> Word {
        let uint = self.uint();
        self.shared(Op::TypeVector, None, vec![Operand::IdRef(uint), Operand::LiteralBit32(2)])
    }

    pub fn pointer(&mut self, class: StorageClass, to: Word) -> Word {
        self.shared(Op::TypePointer, None, vec![Operand::StorageClass(class), Operand::IdRef(to)])
    }

    pub fn number(&mut self, value: u32) -> Word {
        let uint = self.uint();
        self.shared(Op::Constant, Some(uint), vec![Operand::LiteralBit32(value)])
    }

    /// Returns the constant of a type whose scalars all have the pattern; `None` for a type without a shape.
    pub fn filler(&mut self, ty: Word) -> Option<Word> {
        let (op, operands) = self.filler_parts(ty)?;
        Some(self.shared(op, Some(ty), operands))
    }

    /// Returns the same constant as an instruction with this result.
    pub fn filler_as(&mut self, ty: Word, result: Word) -> Option<Instruction> {
        let (op, operands) = self.filler_parts(ty)?;
        Some(instruction(op, Some(ty), Some(result), operands))
    }

    fn filler_parts(&mut self, ty: Word) -> Option<(Op, Vec<Operand>)> {
        let parts = match self.shapes.get(&ty)?.clone() {
            Shape::Bool if self.pattern & 1 == 1 => return Some((Op::ConstantTrue, Vec::new())),
            Shape::Bool => return Some((Op::ConstantFalse, Vec::new())),
            Shape::Number(64) => return Some((Op::Constant, vec![Operand::LiteralBit64(self.pattern)])),
            Shape::Number(bits) => {
                let value = self.pattern & ((1 << bits) - 1);
                return Some((Op::Constant, vec![Operand::LiteralBit32(value as u32)]));
            }
            Shape::Parts(of, n, _) => vec![self.filler(of)?; n as usize],
            Shape::Members(members) => members.iter().map(|(of, _)| self.filler(*of)).collect::<Option<_>>()?,
        };
        Some((Op::ConstantComposite, ids(&parts)))
    }

    /// Adds a buffer of words. Returns the variable.
    pub fn buffer(&mut self, set: u32, binding: u32) -> Word {
        use rspirv::spirv::Decoration as D;
        let uint = self.uint();
        let (array, block, variable) = (self.fresh(), self.fresh(), self.fresh());
        self.added.push(instruction(Op::TypeRuntimeArray, None, Some(array), ids(&[uint])));
        self.added.push(instruction(Op::TypeStruct, None, Some(block), ids(&[array])));
        let pointer = self.pointer(StorageClass::StorageBuffer, block);
        let class = vec![Operand::StorageClass(StorageClass::StorageBuffer)];
        self.added.push(instruction(Op::Variable, Some(pointer), Some(variable), class));
        let mut decorate = |id: Word, decoration: D, value: Option<u32>| {
            let operands = [Operand::IdRef(id), Operand::Decoration(decoration)];
            let operands = operands.into_iter().chain(value.map(Operand::LiteralBit32)).collect();
            self.annotations.push(instruction(Op::Decorate, None, None, operands));
        };
        decorate(array, D::ArrayStride, Some(4));
        decorate(block, D::Block, None);
        decorate(variable, D::DescriptorSet, Some(set));
        decorate(variable, D::Binding, Some(binding));
        let offset = [Operand::IdRef(block), Operand::LiteralBit32(0), Operand::Decoration(D::Offset)];
        let offset = offset.into_iter().chain([Operand::LiteralBit32(0)]).collect();
        self.annotations.push(instruction(Op::MemberDecorate, None, None, offset));
        variable
    }
}
