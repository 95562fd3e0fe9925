//! Records and payload arrays: the types that declare a node's input and outputs.
//!
//! A record's structure is one type for all nodes that produce or consume it. Every parameter of every node has a
//! payload array type of its own. Its decorations name the target node, the number of records and the output with the
//! shared budget.

use super::targets;
use crate::EmitError;
use crate::builder::id;
use crate::emitter::Emitter;
use crate::node_context::{InputPayload, NodeContext, OutputPayload};
use crate::read_grids::ReadGrids;
use crate::types::{LayoutId, Role};
use rspirv::spirv::{Decoration, Op, StorageClass, Word};
use wgc_ir::{
    Graph, GraphConstant, Input, Launch, Node, Output, OutputArray, Record, StructType, Type, specialised_by,
};

impl Emitter<'_> {
    /// Declares the payload arrays of a node.
    pub fn node_context<'m>(&mut self, node: &'m Node) -> Result<NodeContext<'m>, EmitError> {
        let input = node.input.as_ref().map(|input| self.declare_input(node, input)).transpose()?;
        let mut outputs: Vec<Option<OutputPayload>> = node.outputs.iter().map(|_| None).collect();
        for n in 0..node.outputs.len() {
            self.declare_output(node, n, &mut outputs)?;
        }
        Ok(NodeContext { node, input, outputs: outputs.into_iter().flatten().collect() })
    }

    fn declare_input(&mut self, node: &Node, input: &Input) -> Result<InputPayload, EmitError> {
        // Nodes that share an input may not write to it.
        let grid = self.read_grids.of(node);
        let as_read = |record: Record| Record { grid: grid.and_then(|grid| grid.in_record(&record.ty)), ..record };
        let record = input.record.clone().map(as_read);
        let record = self.record(record.as_ref(), node.share_input_of.is_some())?;
        let max = if node.launch == Launch::Coalescing { input.max_records } else { 1 };
        let max = self.number(&node.specialised, GraphConstant::InputRecords, max)?;
        let array = self.payload_array(record, &[(Decoration::NodeMaxPayloadsAMDX, max)]);
        self.b.name(array, &format!("{}.{}", node.function, input.name));
        let variable = self.b.variable(StorageClass::NodePayloadAMDX, array, None);
        self.b.name(variable, &input.name);
        if input.coherent {
            self.b.decorate(variable, Decoration::Coherent, &[]);
        }
        Ok(InputPayload { variable, record })
    }

    /// Declares the n-th output, after the outputs that it shares a budget with. The decoration requires that order.
    fn declare_output(
        &mut self,
        node: &Node,
        n: usize,
        outputs: &mut [Option<OutputPayload>],
    ) -> Result<(), EmitError> {
        let mut chain = Vec::new();
        let mut next = Some(n);
        while let Some(n) = next {
            let (Some(output), Some(slot)) = (node.outputs.get(n), outputs.get(n)) else {
                return Err(EmitError::new(format!("output {n}, whose budget is shared, does not exist")));
            };
            if chain.contains(&n) {
                return Err(EmitError::new(format!("output `{}` shares its budget with itself", output.name)));
            }
            if slot.is_some() {
                break;
            }
            chain.push(n);
            next = output.shared_with.map(|o| o as usize);
        }
        while let Some(n) = chain.pop() {
            let (owner, budget) = node.budget(n);
            let shared = if owner == n { None } else { outputs.get(owner).and_then(Option::as_ref) };
            let declared = self.output(node, n, shared.map(|o| o.array), (owner, budget))?;
            outputs[n] = Some(declared);
        }
        Ok(())
    }

    fn output(
        &mut self,
        node: &Node,
        n: usize,
        shared: Option<Word>,
        (owner, budget): (usize, u32),
    ) -> Result<OutputPayload, EmitError> {
        let output: &Output = &node.outputs[n];
        let n = n as u32;
        let record = as_consumed(&self.module.graph, &self.read_grids, output);
        let record = self.record(record.as_ref(), false)?;
        let mut decorations = vec![(Decoration::PayloadNodeNameAMDX, self.b.string(&output.target.name))];
        decorations.extend(shared.map(|shared| (Decoration::NodeSharesPayloadLimitsWithAMDX, shared)));
        let budget = self.number(&node.specialised, GraphConstant::Budget(owner as u32), budget)?;
        decorations.push((Decoration::NodeMaxPayloadsAMDX, budget));
        let moves = specialised_by(&node.specialised, GraphConstant::Target(n)).is_some();
        if output.target.index != 0 || moves {
            let base = self.number(&node.specialised, GraphConstant::Target(n), output.target.index)?;
            decorations.push((Decoration::PayloadNodeBaseIndexAMDX, base));
        }
        let (len, sparse) = match output.array {
            OutputArray::Single => (Some(1), output.sparse),
            OutputArray::Sized(n) => (Some(n), output.sparse),
            OutputArray::Unbounded => (None, true),
        };
        if let Some(len) = len {
            // The sum may saturate: the checks of the graph limit arrays to the largest index, and no graph has a node
            // there.
            let size = output.target.index.saturating_add(len);
            let grows = specialised_by(&node.specialised, GraphConstant::Size(n)).is_some();
            let size = if moves || grows {
                let base = self.number(&node.specialised, GraphConstant::Target(n), output.target.index)?;
                let len = self.number(&node.specialised, GraphConstant::Size(n), len)?;
                self.spec_sum(base, len)
            } else {
                self.u32_constant(size)
            };
            decorations.push((Decoration::PayloadNodeArraySizeAMDX, size));
        }
        let array = self.payload_array(record, &decorations);
        self.b.name(array, &format!("{}.{}", node.function, output.name));
        if sparse {
            self.b.decorate(array, Decoration::PayloadNodeSparseArrayAMDX, &[]);
        }
        Ok(OutputPayload { array, record })
    }

    /// Declares a payload array after the operands of its decorations, as SPIRV-Tools require since 2025.5.
    fn payload_array(&mut self, record: LayoutId, decorations: &[(Decoration, Word)]) -> Word {
        let record = self.layout(record).word;
        let array = self.b.unique(Op::TypeNodePayloadArrayAMDX, None, vec![id(record)]);
        for &(decoration, operand) in decorations {
            self.b.decorate_id(array, decoration, operand);
        }
        array
    }

    /// Returns the structure of a record; an empty record has no members.
    fn record(&mut self, record: Option<&Record>, read_only: bool) -> Result<LayoutId, EmitError> {
        match record {
            Some(record) => {
                let grid = record.grid.as_ref().map(|g| g.path.clone());
                self.layout_of(&record.ty, Role::Record { grid, track: record.track_sharing, read_only })
            }
            None => {
                let empty = StructType { name: "EmptyRecord".into(), fields: Vec::new(), size: 0, align: 1 };
                self.layout_of(&Type::Struct(empty.into()), Role::Plain)
            }
        }
    }
}

/// Returns the record of an output, with the grid that the consumers read. The extension requires the same decorations
/// on both sides. If the consumers are unknown, as in a library, the producer's grid stays.
fn as_consumed(graph: &Graph, read: &ReadGrids, output: &Output) -> Option<Record> {
    let record = output.record.as_ref()?;
    // All consumers have one name, and so one grid.
    let grid = match graph.nodes.iter().find(|node| targets(output, node)) {
        None => record.grid.clone(),
        Some(consumer) => read.of(consumer).and_then(|grid| grid.in_record(&record.ty)),
    };
    Some(Record { grid, ..record.clone() })
}
