//! Graph operations in the functions of nodes.
//!
//! Payload arrays stay behind pointers. An input is its variable. An allocation is the result of
//! OpAllocateNodePayloadsAMDX, and the same id is enqueued.

use crate::builder::{id, ids};
use crate::function::{FunctionEmitter, Slot};
use crate::globals::InputVariable;
use crate::node_context::{InputPayload, NodeContext, OutputPayload};
use crate::place::{Content, Place};
use crate::{EmitError, ValidOperand};
use rspirv::dr::Operand;
use rspirv::spirv::{Op, Scope, StorageClass, Word};
use wgc_ir::{AllocScope, GraphConstant, Launch, OutputArray, OutputId, Scalar, Space, ValueId, specialised_by};

type Result<T = ()> = std::result::Result<T, EmitError>;

impl<'e, 'm> FunctionEmitter<'e, 'm> {
    fn node(&self) -> Result<&'e NodeContext<'m>> {
        self.node.ok_or_else(|| {
            let message = if self.e.target.graph {
                "a graph operation in a called function: it should have been inlined into its node"
            } else {
                "a graph operation in plain compute"
            };
            EmitError::new(message)
        })
    }

    fn output(&self, output: OutputId) -> Result<(usize, &'e OutputPayload)> {
        let n = output as usize;
        let payload = self.node()?.outputs.get(n);
        payload.map(|p| (n, p)).ok_or_else(|| EmitError::new(format!("the node has no output {output}")))
    }

    fn input_payload(&self) -> Result<&'e InputPayload> {
        self.node()?.input.as_ref().ok_or_else(|| EmitError::new("the node has no input"))
    }

    pub fn input_record(&mut self, index: ValueId) -> Result<Place> {
        let input = self.input_payload()?;
        let mut place = Place::new(input.variable, Space::NodeInput, Content::Memory(input.record));
        place.indexes.push(self.word(index)?);
        Ok(place)
    }

    /// Returns the number of input records. Only a coalescing node receives more than one.
    pub fn input_count(&mut self) -> Result<Word> {
        if self.node()?.node.launch != Launch::Coalescing {
            return Ok(self.e.u32_constant(1));
        }
        let variable = self.input_payload()?.variable;
        self.uses_global(variable);
        let ty = self.e.scalar_type(Scalar::U32);
        Ok(self.e.b.op(Op::NodePayloadArrayLengthAMDX, ty, vec![id(variable)]))
    }

    /// Returns the pointer to newly allocated records, and their output.
    pub fn allocate(
        &mut self,
        scope: AllocScope,
        output: OutputId,
        index: ValueId,
        count: ValueId,
    ) -> Result<(Word, usize)> {
        let (n, payload) = self.output(output)?;
        self.not_a_sibling(n, index)?;
        let ty = self.e.b.pointer_type(StorageClass::NodePayloadAMDX, payload.array);
        // A thread node has a group of one thread, so the thread allocates alone.
        let scope = match scope {
            AllocScope::Group if self.node()?.node.launch != Launch::Thread => Scope::Workgroup,
            AllocScope::Group | AllocScope::Thread => Scope::Invocation,
        };
        let scope = self.e.u32_constant(scope as u32);
        let (count, index) = (self.as_u32(count)?, self.as_u32(index)?);
        let operands = vec![Operand::IdScope(scope), id(count), id(index)];
        Ok((self.e.b.op(Op::AllocateNodePayloadsAMDX, ty, operands), n))
    }

    /// Checks that a node sends to no other node of its name, if the index is known. Earlier checks reject such outputs
    /// if the other node exists, but a library does not know all nodes.
    fn not_a_sibling(&self, n: usize, index: ValueId) -> Result {
        let node = self.node()?.node;
        let Some(output) = node.outputs.get(n).filter(|output| output.target.name == node.id.name) else {
            return Ok(());
        };
        let moves = [GraphConstant::Index, GraphConstant::Target(n as u32)];
        let moves = moves.into_iter().any(|what| specialised_by(&node.specialised, what).is_some());
        let Some(index) = self.constant(index).filter(|_| !moves) else { return Ok(()) };
        let target = u64::from(output.target.index) + index.bits;
        if target == u64::from(node.id.index) {
            return Ok(());
        }
        let name = &node.id.name;
        Err(EmitError::new(format!(
            "node `{name}` sends to `{name}`[{target}]: a node can send to no other node of its name than itself"
        )))
    }

    fn records(&self, handle: ValueId) -> Result<(Word, usize)> {
        match self.slot(handle)? {
            Slot::Records { pointer, output } => Ok((*pointer, *output)),
            _ => Err(EmitError::new("a value is used as a record handle")),
        }
    }

    pub fn output_record(&mut self, records: ValueId, index: ValueId) -> Result<Place> {
        let (pointer, output) = self.records(records)?;
        let (_, payload) = self.output(output as OutputId)?;
        let mut place = Place::new(pointer, Space::NodeOutput, Content::Memory(payload.record));
        place.indexes.push(self.word(index)?);
        Ok(place)
    }

    pub fn complete(&mut self, records: ValueId) -> Result {
        self.node()?;
        let (pointer, _) = self.records(records)?;
        self.e.b.effect(Op::EnqueueNodePayloadsAMDX, vec![id(pointer)]);
        Ok(())
    }

    /// Emits a check of an output's target. An index past the end of the array gives false without asking the device.
    /// See [`ValidOperand`].
    pub fn output_valid(&mut self, output: OutputId, index: ValueId) -> Result<Word> {
        let (n, payload) = self.output(output)?;
        let node = self.node()?.node;
        let ty = self.e.scalar_type(Scalar::Bool);
        let what = GraphConstant::Size(n as u32);
        let known = self.constant(index).filter(|_| specialised_by(&node.specialised, what).is_none());
        let (index, within) = match node.outputs.get(n).map(|output| output.array) {
            Some(OutputArray::Sized(size)) => match known {
                Some(known) if known.bits < u64::from(size) => (self.as_u32(index)?, None),
                Some(_) => return Ok(self.e.bool_constant(false)),
                None => {
                    let index = self.as_u32(index)?;
                    let (size, first) = (self.e.number(&node.specialised, what, size)?, self.e.u32_constant(0));
                    let within = self.e.b.op(Op::ULessThan, ty, ids(&[index, size]));
                    let u32 = self.e.scalar_type(Scalar::U32);
                    (self.e.b.op(Op::Select, u32, ids(&[within, index, first])), Some(within))
                }
            },
            _ => (self.as_u32(index)?, None),
        };
        let operand = match self.e.options.valid_operand {
            ValidOperand::Type => payload.array,
            ValidOperand::Value => self.e.b.intern(Op::Undef, Some(payload.array), Vec::new()),
        };
        let valid = self.e.b.op(Op::IsNodePayloadValidAMDX, ty, ids(&[operand, index]));
        Ok(match within {
            Some(within) => self.e.b.op(Op::LogicalAnd, ty, ids(&[within, valid])),
            None => valid,
        })
    }

    pub fn remaining_levels(&mut self) -> Result<Word> {
        if !self.e.target.graph {
            return Err(EmitError::new("a graph operation in plain compute"));
        }
        self.input(InputVariable::RemainingRecursionLevels)
    }

    pub fn finished_sharing(&mut self) -> Result<Word> {
        let variable = self.input_payload()?.variable;
        self.uses_global(variable);
        let ty = self.e.scalar_type(Scalar::Bool);
        Ok(self.e.b.op(Op::FinishWritingNodePayloadAMDX, ty, vec![id(variable)]))
    }
}
