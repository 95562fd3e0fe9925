//! Data about a module's graph, collected once for all rules.

use super::super::{Checker, NodeName, functions, layout};
use crate::constant::{Constant, Value};
use crate::module::{Decoration, Def, EntryPoint, ExecutionMode, Global, Id, Inst, Module};
use crate::types::Type;
use rustc_hash::{FxHashMap, FxHashSet};
use spirv::{Decoration as D, ExecutionMode as M, ExecutionModel, Op, StorageClass};

pub(super) const EXTENSION: &str = "SPV_AMDX_shader_enqueue";

/// The most steps of a search through phis, selections and parameters before it gives up without a finding.
const MAX_STEPS: usize = 4096;

/// An entry point.
pub(super) struct Node<'m> {
    pub entry: &'m EntryPoint,
    /// The host's name for the node, or the module's.
    pub name: &'m str,
    pub model: Option<ExecutionModel>,
    /// The host's index, or ShaderIndexAMDX; 0 without one, `None` if it is not a number.
    pub index: Option<u32>,
    /// The listed variables of the storage class NodePayloadAMDX.
    pub listed: Vec<&'m Global>,
    /// Indexes of the functions that it reaches.
    pub functions: Vec<usize>,
    /// Its input: the only payload variable that it lists, or the one of several that its functions use.
    pub input: Option<&'m Global>,
    /// Name and index of the node with the shared input, if both are known.
    pub owner: Option<(&'m str, u32)>,
}

/// A payload array type.
pub(super) struct Payload<'m> {
    pub id: Id,
    /// Type of one payload.
    pub record: Id,
    pub inst: &'m Inst,
}

/// An instruction of the extension in a function.
#[derive(Clone, Copy)]
pub(super) struct GraphInstruction<'m> {
    pub op: Op,
    pub function: usize,
    pub block: usize,
    /// Its index in the block.
    pub at: usize,
    pub inst: &'m Inst,
}

pub(super) struct Facts<'m> {
    pub m: &'m Module,
    pub nodes: Vec<Node<'m>>,
    pub payloads: Vec<Payload<'m>>,
    pub places: Vec<GraphInstruction<'m>>,
    /// The nodes that reach each function.
    nodes_of: Vec<Vec<usize>>,
    /// Calls of each function.
    calls: FxHashMap<Id, Vec<&'m Inst>>,
    /// Bytes of types with explicit layouts.
    pub sizes: FxHashMap<Id, layout::Extent>,
    /// The first allocation of each payload array type.
    allocated: FxHashMap<Id, &'m Inst>,
}

impl<'m> Facts<'m> {
    pub fn of(c: &Checker<'m>, names: &'m [NodeName]) -> Facts<'m> {
        let m = c.m;
        let callees = functions::callees(c);
        let mut facts = Facts {
            m,
            nodes: Vec::new(),
            payloads: Vec::new(),
            places: Vec::new(),
            nodes_of: vec![Vec::new(); m.functions.len()],
            calls: FxHashMap::default(),
            sizes: layout::sizes(m),
            allocated: FxHashMap::default(),
        };
        for inst in &m.declarations {
            if let Some(Type::NodePayloadArray { payload }) = m.ty(inst.result) {
                facts.payloads.push(Payload { id: inst.result, record: *payload, inst });
            }
        }
        let mut used: Vec<FxHashSet<Id>> = Vec::new();
        for (function, f) in m.functions.iter().enumerate() {
            let mut payload_variables = FxHashSet::default();
            for (block, b) in f.blocks.iter().enumerate() {
                for (at, inst) in b.insts.iter().enumerate() {
                    facts.instruction(function, block, at, inst);
                    for operand in c.decoded(inst) {
                        let id = operand.id().unwrap_or(0);
                        if m.globals.get(&id).is_some_and(|g| g.class == StorageClass::NodePayloadAMDX as u32) {
                            payload_variables.insert(id);
                        }
                    }
                }
            }
            used.push(payload_variables);
        }
        for entry in &m.entry_points {
            let node = facts.node(entry, names, &callees, &used);
            for &function in &node.functions {
                facts.nodes_of[function].push(facts.nodes.len());
            }
            facts.nodes.push(node);
        }
        facts
    }

    fn instruction(&mut self, function: usize, block: usize, at: usize, inst: &'m Inst) {
        let Some(op) = inst.op() else { return };
        match op {
            Op::FunctionCall => self.calls.entry(self.operand(inst, 0)).or_default().push(inst),
            Op::AllocateNodePayloadsAMDX => {
                if let Some(ty) = self.array_behind(inst.ty) {
                    self.allocated.entry(ty).or_insert(inst);
                }
            }
            Op::EnqueueNodePayloadsAMDX
            | Op::NodePayloadArrayLengthAMDX
            | Op::IsNodePayloadValidAMDX
            | Op::FinishWritingNodePayloadAMDX => {}
            _ => return,
        }
        if op != Op::FunctionCall {
            self.places.push(GraphInstruction { op, function, block, at, inst });
        }
    }

    fn node(
        &self,
        entry: &'m EntryPoint,
        names: &'m [NodeName],
        callees: &[Vec<usize>],
        used: &[FxHashSet<Id>],
    ) -> Node<'m> {
        let mut functions = Vec::new();
        let mut seen = FxHashSet::default();
        let mut work = match self.m.def(entry.function) {
            Def::Function(index) => vec![index as usize],
            _ => Vec::new(),
        };
        while let Some(f) = work.pop() {
            if f < callees.len() && seen.insert(f) {
                functions.push(f);
                work.extend(&callees[f]);
            }
        }
        functions.sort_unstable();
        let is_payload = |g: &&Global| g.class == StorageClass::NodePayloadAMDX as u32;
        let listed: Vec<&Global> =
            entry.interface.iter().filter_map(|id| self.m.globals.get(id)).filter(is_payload).collect();
        let reached = |g: &&&Global| functions.iter().any(|f| used[*f].contains(&g.id));
        let mut own = listed.iter().filter(reached);
        let input = match (listed.as_slice(), own.next(), own.next()) {
            ([only], ..) => Some(*only),
            (_, Some(used), None) => Some(*used),
            _ => None,
        };
        let given = names.iter().find(|given| given.entry_point == entry.name);
        let index = given.and_then(|given| given.index).or_else(|| self.m.node_index(entry));
        let name = given.map_or(&entry.name, |given| &given.name);
        let shares = self.m.execution_mode(entry.function, M::SharesInputWithAMDX).map(|mode| &mode.operands);
        let shared = |n: usize| shares.and_then(|operands| operands.get(n).copied());
        let owner = shared(0).and_then(|id| self.text(id)).zip(shared(1).and_then(|id| self.value(id)));
        Node { entry, name, model: ExecutionModel::from_u32(entry.model), index, listed, functions, input, owner }
    }

    /// Returns the n-th operand of an instruction, or 0.
    pub fn operand(&self, inst: &Inst, n: usize) -> u32 {
        self.m.operands(inst).get(n).copied().unwrap_or(0)
    }

    pub fn mode(&self, node: &Node, mode: M) -> Option<&'m ExecutionMode> {
        self.m.execution_mode(node.entry.function, mode)
    }

    /// Iterates over all instructions with one opcode.
    pub fn each(&self, op: Op) -> impl Iterator<Item = &GraphInstruction<'m>> {
        self.places.iter().filter(move |p| p.op == op)
    }

    /// Iterates over every instruction in a function body, with the function's index.
    pub fn bodies(&self) -> impl Iterator<Item = (usize, &'m Inst)> {
        let functions = self.m.functions.iter().enumerate();
        functions.flat_map(|(n, f)| f.blocks.iter().flat_map(|b| &b.insts).map(move |inst| (n, inst)))
    }

    /// Returns the payload array type that a pointer type points to, in any storage class.
    pub fn array_behind(&self, pointer: Id) -> Option<Id> {
        match self.m.ty(pointer) {
            Some(Type::Pointer { pointee, .. }) if self.is_array(*pointee) => Some(*pointee),
            _ => None,
        }
    }

    pub fn is_array(&self, ty: Id) -> bool {
        matches!(self.m.ty(ty), Some(Type::NodePayloadArray { .. }))
    }

    /// Returns the payload type of a payload array type.
    pub fn record(&self, array: Id) -> Option<Id> {
        match self.m.ty(array) {
            Some(Type::NodePayloadArray { payload }) => Some(*payload),
            _ => None,
        }
    }

    /// Returns the payload type of a variable or pointer.
    pub fn record_behind(&self, pointer: Id) -> Option<Id> {
        self.record(self.array_behind(self.m.type_of(pointer))?)
    }

    pub fn decoration(&self, ty: Id, kind: D) -> Option<&'m Decoration> {
        self.m.decoration(ty, None, kind)
    }

    /// Returns the value of a constant of an integer type, if it fits 32 bits.
    pub fn value(&self, id: Id) -> Option<u32> {
        self.m.constant_u32(id).filter(|_| self.is_integer(id))
    }

    /// Returns the number in a decoration; `None` without the decoration, or if its operand is not a number.
    pub fn number(&self, ty: Id, kind: D) -> Option<u32> {
        self.value(self.m.decoration_word(ty, None, kind)?)
    }

    /// Returns the name of the node that payloads of a type go to.
    pub fn target(&self, array: Id) -> Option<&'m str> {
        self.text(self.m.decoration_word(array, None, D::PayloadNodeNameAMDX)?)
    }

    /// Returns the text of OpConstantStringAMDX or OpSpecConstantStringAMDX.
    pub fn text(&self, id: Id) -> Option<&'m str> {
        match self.m.constants.get(&id) {
            Some(Constant { value: Value::String(text), .. }) => Some(text),
            _ => None,
        }
    }

    /// Returns whether it is a constant of a 32-bit integer type. OpUndef is not.
    pub fn is_number(&self, id: Id) -> bool {
        self.is_integer(id) && matches!(self.m.ty(self.m.type_of(id)), Some(Type::Int { width: 32, .. }))
    }

    /// Returns whether it is a constant of an integer type. OpUndef is not.
    pub fn is_integer(&self, id: Id) -> bool {
        let constant = self.m.constants.get(&id).filter(|k| k.value != Value::Undef);
        constant.is_some_and(|k| matches!(self.m.ty(k.ty), Some(Type::Int { .. })))
    }

    /// Returns the first allocation of a payload array type.
    pub fn allocation(&self, array: Id) -> Option<&'m Inst> {
        self.allocated.get(&array).copied()
    }

    /// Follows a pointer back through copies, phis, selections and parameters, and returns the ids that it starts from.
    /// `None`: the search takes too many steps.
    pub fn origins(&self, id: Id) -> Option<Vec<Id>> {
        let (mut out, mut seen, mut work) = (Vec::new(), FxHashSet::default(), vec![id]);
        while let Some(id) = work.pop() {
            if !seen.insert(id) {
                continue;
            }
            if seen.len() > MAX_STEPS {
                return None;
            }
            if let Def::Parameter(function, n) = self.m.def(id) {
                let function = self.m.functions.get(function as usize)?;
                let calls = self.calls.get(&function.id).map_or(&[][..], Vec::as_slice);
                work.extend(calls.iter().map(|call| self.operand(call, n as usize + 1)));
                continue;
            }
            match self.m.inst(id).map(|inst| (inst, inst.op())) {
                Some((inst, Some(Op::CopyObject))) => work.push(self.operand(inst, 0)),
                Some((inst, Some(Op::Select))) => work.extend([1, 2].map(|n| self.operand(inst, n))),
                Some((inst, Some(Op::Phi))) => work.extend(self.m.operands(inst).iter().step_by(2)),
                _ => out.push(id),
            }
        }
        Some(out)
    }

    /// Returns whether all origins of a pointer satisfy a condition. Pointers of unknown origin do.
    pub fn every_origin(&self, id: Id, fits: impl Fn(Id) -> bool) -> bool {
        self.origins(id).is_none_or(|origins| origins.into_iter().all(fits))
    }

    pub fn is_allocation(&self, id: Id) -> bool {
        self.m.inst(id).is_some_and(|i| i.op() == Some(Op::AllocateNodePayloadsAMDX))
    }

    /// Returns whether it is a payload variable: a node's input.
    pub fn is_input(&self, id: Id) -> bool {
        self.m.globals.get(&id).is_some_and(|g| g.class == StorageClass::NodePayloadAMDX as u32)
    }

    // ---- descriptions for messages

    /// Returns the first instruction of a node with a source line.
    pub fn node_line(&self, node: &Node) -> u32 {
        let function = self.m.function(node.entry.function);
        let mut insts = function.into_iter().flat_map(|f| f.blocks.iter().flat_map(|b| &b.insts));
        let debug = |inst: &Inst| self.m.imports.get(&self.operand(inst, 0)).is_some_and(|s| s == crate::lines::SET);
        let says = |inst: &&Inst| match inst.op() {
            Some(Op::Line) => true,
            Some(Op::ExtInst) => debug(inst) && self.operand(inst, 1) == crate::lines::DEBUG_LINE,
            _ => false,
        };
        insts.find(says).map_or(node.entry.inst.word, |inst| inst.word)
    }

    /// Returns the name as `node `a``, or `node `a`[2]`.
    pub fn node_name(&self, node: &Node) -> String {
        match node.index {
            Some(index) if index > 0 => format!("node `{}`[{index}]", node.name),
            _ => format!("node `{}`", node.name),
        }
    }

    /// Returns the names of the nodes that reach a function, as `node `a`` or `nodes `a`, `b``.
    pub fn in_nodes(&self, function: usize) -> String {
        let nodes = self.nodes_of.get(function).map_or(&[][..], Vec::as_slice);
        let mut names: Vec<String> = nodes.iter().take(3).map(|n| format!("`{}`", self.nodes[*n].name)).collect();
        if nodes.len() > 3 {
            names.push(format!("{} more", nodes.len() - 3));
        }
        match names.len() {
            0 => "a function that no node calls".into(),
            1 => format!("node {}", names.concat()),
            _ => format!("nodes {}", names.join(", ")),
        }
    }

    /// Iterates over the nodes that reach a function.
    pub fn nodes_of(&self, function: usize) -> impl Iterator<Item = &Node<'m>> {
        self.nodes_of.get(function).into_iter().flatten().filter_map(|n| self.nodes.get(*n))
    }

    /// Returns a description of a payload array type by its purpose.
    pub fn array_name(&self, array: Id) -> String {
        let id = self.m.describe(array);
        if let Some(target) = self.target(array) {
            return format!("the payload array type {id} for `{target}`");
        }
        let input = |n: &&Node| n.input.is_some_and(|g| self.array_behind(g.ty) == Some(array));
        match self.nodes.iter().find(input) {
            Some(node) => format!("the payload array type {id} of the input of {}", self.node_name(node)),
            None => format!("the payload array type {id}"),
        }
    }

    /// Returns a description of an operand: its kind and its id.
    pub fn value_name(&self, id: Id) -> String {
        let what = match (self.m.def(id), self.m.inst(id).and_then(Inst::op)) {
            (Def::Type, _) => "the type",
            (Def::Constant, _) => match self.m.constants.get(&id) {
                Some(Constant { value: Value::Undef, .. }) => "the undefined value",
                _ => "the constant",
            },
            (Def::Global, _) => match self.m.globals.get(&id).and_then(|g| StorageClass::from_u32(g.class)) {
                Some(StorageClass::NodePayloadAMDX) => "the input variable",
                Some(class) => return format!("the {class:?} variable {}", self.m.describe(id)),
                None => "the variable",
            },
            (_, Some(Op::Variable)) => "the Function variable",
            (_, Some(Op::AccessChain | Op::InBoundsAccessChain)) => "the pointer into an array",
            (_, Some(Op::AllocateNodePayloadsAMDX)) => "the allocation",
            (_, Some(op)) => return format!("{}, a result of Op{op:?}", self.m.describe(id)),
            (Def::Parameter(..), _) => "the parameter",
            _ => return self.m.describe(id),
        };
        format!("{what} {}", self.m.describe(id))
    }
}
