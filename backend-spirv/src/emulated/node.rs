//! Lowering of the function of one node: every graph operation becomes memory operations and calls of the device
//! library.
//!
//! The result is the function of a compute or mesh entry point. Its prologue finds the records of the workgroup and
//! returns if there are none. System values are computed from the position in the grid. Record places become places at
//! device addresses, and handles become small structures of ranks. Some values must be uniform in a group (a group's
//! allocation, the end of sharing). The first thread computes them and passes them on in a groupshared word, if the
//! group has several threads. A shader that needs no such word has no barrier. Only budgets that the calls might exceed
//! have a counter of requested records.

use super::error::EmuError;
use super::layout::RecordLayout;
use super::library::{self, Helper, Library};
use super::plan::group_size;
use crate::EmitError;
use rustc_hash::FxHashMap;
use std::sync::Arc;
use wgc_abi::device;
use wgc_abi::tables::{ABSENT, InstanceRow, QueueRow};
use wgc_ir::flow::GroupRequests;
use wgc_ir::{
    Barrier, BinaryOp, Block, Builtin, Function, FunctionBuilder, Global, GlobalKind, Grid, Launch, MemoryFlags,
    Misuse, Module, Node, Op, Record, RecordsType, Scalar, Scope, Space, Stmt, Symbol, Type, ValueId,
};

mod bounds;
mod budgets;
mod grouped;
mod outputs;

use bounds::Bounds;
use budgets::Counter;
pub use grouped::packing;

/// Names of the groupshared words: one of 32 bits, one of 64.
const SHARED: &str = "wgc.shared";
const SHARED_LONG: &str = "wgc.shared.long";

/// The inputs of a node's lowering in addition to the node.
#[derive(Clone, Copy, Debug)]
pub struct Context<'a> {
    pub library: Library<'a>,
    /// The program, for the node's callees.
    pub module: &'a Module,
    pub page_bytes: u32,
    /// Record types of outputs with targets that read their grid from the record.
    pub dynamic: &'a [&'a Type],
    /// Record types of outputs with targets that have a spill.
    pub spilling: &'a [&'a Type],
    /// Input records may be in a spill.
    pub spilled_input: bool,
    /// Each record is followed by a guard word.
    pub guarded: bool,
    /// The instance, if only one runs the code.
    pub fixed: Option<&'a FixedInstance>,
    /// The code may run in a joint dispatch.
    pub joint: bool,
    /// Threads of a workgroup of a thread node.
    pub packing: u32,
    /// The code runs in a resident workgroup, beside other workgroups of the node.
    pub resident: bool,
}

/// The numbers of an instance, for code that runs in no other instance.
#[derive(Clone, Debug)]
pub struct FixedInstance {
    pub instance: u32,
    /// The queue that it reads.
    pub queue: u32,
    /// Bytes from the context to the states of the instances.
    pub instances: u32,
    /// The target of each output that has exactly one.
    pub targets: Vec<Option<Target>>,
}

/// A queue and its first consumer, from the tables.
#[derive(Clone, Debug)]
pub struct Target {
    pub queue: u32,
    pub row: QueueRow,
    pub consumer: InstanceRow,
}

/// A node without graph operations.
#[derive(Debug)]
pub struct Lowered {
    pub function: Function,
    /// The groupshared words that the function uses.
    pub shared: Vec<Global>,
}

/// Lowers `function`, which implements `node`.
pub fn lower(node: &Node, function: &Function, context: Context) -> Result<Lowered, EmuError> {
    let (builder, body) = FunctionBuilder::rewrite(function.clone());
    let bounds = Bounds::new(node, function);
    let mut lowering = Lowering::new(node, context, builder, bounds)?;
    lowering.locals();
    lowering.find_group_requests(function);
    lowering.early_targets(&body)?;
    lowering.prologue()?;
    lowering.counters(function);
    lowering.block(body)?;
    let words = [(SHARED, Type::U32), (SHARED_LONG, Type::U64)].into_iter().zip(lowering.shared);
    let words = words.filter(|(_, used)| *used).map(|((name, ty), _)| (Symbol::const_new(name), ty));
    let counters = lowering.counters.iter().flatten().filter_map(|counter| counter.shared.clone());
    let shared = words
        .chain(counters.map(|name| (name, Type::U32)))
        .map(|(name, ty)| Global { name, kind: GlobalKind::Workgroup { ty } });
    Ok(Lowered { shared: shared.collect(), function: lowering.b.finish() })
}

struct Lowering<'a> {
    b: FunctionBuilder,
    node: &'a Node,
    context: Context<'a>,
    /// Threads of a workgroup.
    threads: u32,
    /// `WgNode` and `WgInput`, set by the prologue.
    enter: ValueId,
    input: ValueId,
    /// Address of the input record, if one serves the whole invocation.
    record: Option<ValueId>,
    /// Targets that are loaded before anything else, by output.
    targets: Vec<Option<ValueId>>,
    /// Index of this thread in its group, if the node's groups have several threads.
    thread: Option<ValueId>,
    /// The requests that all threads of a workgroup make together.
    grouped: GroupRequests,
    /// The groupshared words in use.
    shared: [bool; 2],
    /// Counters of the budgets' records, by the output that owns the budget; `None` if the calls cannot exceed it.
    counters: Vec<Option<Counter>>,
    /// Original types of the values that were handles.
    handles: FxHashMap<ValueId, RecordsType>,
    /// Owners of the records that contain the places among the values.
    places: FxHashMap<ValueId, Owner>,
    bounds: Bounds,
}

/// The origin of a record.
#[derive(Clone, Copy, Debug)]
enum Owner {
    Input,
    /// The handle.
    Output(ValueId),
}

/// Barrier over the groupshared word.
const SHARED_BARRIER: Barrier = Barrier {
    memory: MemoryFlags { uav: false, group_shared: true, node_input: false, node_output: false },
    group_sync: true,
    scope: Some(Scope::Workgroup),
    records: None,
};

impl<'a> Lowering<'a> {
    fn new(node: &'a Node, context: Context<'a>, mut b: FunctionBuilder, bounds: Bounds) -> Result<Self, EmuError> {
        let threads = group_size(node, context.packing).iter().product();
        let (helper, numbers) = match context.fixed {
            Some(instance) => (
                library::ENTER_AT,
                [instance.instance, instance.queue, instance.instances].map(|n| b.const_u32(n)).to_vec(),
            ),
            None if context.joint => (library::ENTER_JOINT, Vec::new()),
            None => (library::ENTER, Vec::new()),
        };
        let enter = b.call(helper.name, context.library.function(helper)?.ret.clone(), numbers);
        // Thread launch packs several groups of one thread each.
        let several = threads > 1 && node.launch != Launch::Thread;
        let thread = several.then(|| b.builtin(Builtin::GroupIndex));
        Ok(Self {
            b,
            node,
            context,
            threads,
            enter,
            input: enter,
            record: None,
            targets: vec![None; node.outputs.len()],
            thread,
            grouped: GroupRequests::default(),
            shared: [false; 2],
            counters: vec![None; node.outputs.len()],
            handles: FxHashMap::default(),
            places: FxHashMap::default(),
            bounds,
        })
    }

    fn misplaced(&self, operation: &'static str) -> EmuError {
        EmuError::Operation { node: self.node.id.clone(), operation }
    }

    // ---- types

    fn input_record_type(&self) -> Option<&'a Record> {
        self.node.input.as_ref().and_then(|i| i.record.as_ref())
    }

    /// Returns the space of the input record, which is coherent if several invocations of a dispatch may access it.
    fn input_space(&self) -> Space {
        let shared = self.node.input.as_ref().is_some_and(|i| i.read_write) && self.node.launch != Launch::Thread;
        Space::Physical { coherent: shared }
    }

    /// Returns a type with handles replaced. Places of records get their space when they are created.
    fn map_type(&self, ty: &Type) -> Type {
        match ty {
            Type::Records(_) => self.context.library.records.clone(),
            Type::Ref(space, pointee) => Type::Ref(*space, Arc::new(self.map_type(pointee))),
            other => other.clone(),
        }
    }

    fn locals(&mut self) {
        let mapped: Vec<_> =
            self.b.function().locals.iter().map(|(id, local)| (id, self.map_type(&local.ty))).collect();
        for (id, ty) in mapped {
            let local = &mut self.b.function_mut().locals[id];
            if local.ty != ty {
                // Debuggers show the record of a handle, and not the handle itself.
                local.variable = None;
            }
            local.ty = ty;
        }
    }

    // ---- calls

    fn call(&mut self, helper: Helper, args: Vec<ValueId>) -> Result<ValueId, EmuError> {
        let ret = self.context.library.function(helper)?.ret.clone();
        Ok(self.b.call(helper.name, ret, args))
    }

    /// Converts an index or count of any integer type to u32.
    fn word(&mut self, value: ValueId) -> ValueId {
        if self.b.ty(value) == Type::U32 { value } else { self.b.convert(value, Type::U32) }
    }

    fn constants(&mut self, values: &[u32]) -> Vec<ValueId> {
        values.iter().map(|&v| self.b.const_u32(v)).collect()
    }

    /// Returns the node, followed by constants.
    fn with_constants(&mut self, values: &[u32]) -> Vec<ValueId> {
        let mut args = vec![self.enter];
        args.extend(self.constants(values));
        args
    }

    fn input_field(&mut self, field: &str) -> Result<ValueId, EmuError> {
        // All prologues return the same structure.
        let index = self.context.library.field(library::INPUT_THREAD, field)?;
        Ok(self.b.extract(self.input, index))
    }

    fn stride_and_slots(&self, record: Option<&Record>) -> Result<[u32; 2], EmuError> {
        let layout =
            RecordLayout::of(record, self.context.guarded).ok_or_else(|| self.misplaced("record without a size"))?;
        Ok([layout.stride, layout.slots(self.context.page_bytes)])
    }

    /// Returns the address of the input record with this rank.
    fn input_address(&mut self, rank: ValueId) -> Result<ValueId, EmuError> {
        let layout = self.stride_and_slots(self.input_record_type())?;
        let mut args = vec![self.enter];
        if self.context.spilled_input {
            let queue = self.context.library.field(library::ENTER, "queue")?;
            args.push(self.b.extract(self.enter, queue));
        }
        args.push(rank);
        args.extend(self.constants(&layout));
        self.call(if self.context.spilled_input { library::RECORD_SPILL } else { library::INPUT_RECORD }, args)
    }

    // ---- prologue

    fn prologue(&mut self) -> Result<(), EmuError> {
        let node = self.node;
        self.input = match (node.launch, node.grid) {
            (Launch::Thread, _) => {
                let thread = self.b.builtin(Builtin::GroupIndex);
                let unit = self.b.const_u32(self.threads);
                self.call(library::INPUT_THREAD, vec![self.enter, thread, unit])?
            }
            (Launch::Coalescing, _) => {
                let args = self.with_constants(&[node.input.as_ref().map_or(1, |i| i.max_records).max(1)]);
                self.call(library::INPUT_COALESCING, args)?
            }
            (Launch::Broadcasting | Launch::Mesh, Grid::Fixed(grid)) => {
                let args = self.with_constants(&grid);
                self.call(library::INPUT_FIXED, args)?
            }
            (Launch::Broadcasting | Launch::Mesh, Grid::Max([x, y, z])) => {
                let record = self.input_record_type();
                let field = record.and_then(|r| r.grid.as_ref()).ok_or_else(|| self.misplaced("dispatch grid"))?;
                let [stride, slots] = self.stride_and_slots(record)?;
                let (offset, scalar, components) = (field.offset, field.scalar.size(), field.components);
                let args = self.with_constants(&[offset, scalar, components, x, y, z, stride, slots]);
                // A resident workgroup has no spills.
                let input = match (self.context.spilled_input, self.context.resident) {
                    (true, _) => library::INPUT_DYNAMIC_SPILL,
                    (false, true) => library::INPUT_DYNAMIC_RESIDENT,
                    (false, false) => library::INPUT_DYNAMIC,
                };
                self.call(input, args)?
            }
            (Launch::Broadcasting | Launch::Mesh, Grid::None) => return Err(self.misplaced("dispatch grid")),
        };
        let active = self.input_field("active")?;
        let idle = self.b.not(active);
        let draws = node.mesh.is_some();
        self.b.if_then(idle, |b| {
            if draws {
                // The specification does not define the output of a group that never sets its counts.
                let (vertices, primitives) = (b.const_u32(0), b.const_u32(0));
                b.push(Stmt::MeshCounts { vertices, primitives });
            }
            b.ret(None);
        });
        let reads = |op: &Op| matches!(op, Op::InputRecord { .. } | Op::FinishedSharing);
        let used = self.b.function().values.values().any(|v| reads(&v.op));
        if used && self.node.launch != Launch::Coalescing {
            let rank = self.input_field("first")?;
            self.record = Some(self.input_address(rank)?);
        }
        Ok(())
    }

    // ---- statements

    fn block(&mut self, block: Block) -> Result<(), EmuError> {
        for mut stmt in block {
            for inner in stmt.blocks_mut() {
                let old = std::mem::take(inner);
                self.b.begin_block();
                let result = self.block(old);
                *inner = self.b.end_block();
                result?;
            }
            match stmt {
                Stmt::Let(id) => self.value(id)?,
                Stmt::Complete(records) => self.complete(records)?,
                Stmt::IncrementCount { scope, output, index, count } => self.increment(scope, output, index, count)?,
                Stmt::Report { misuse, end } => {
                    let error = match misuse {
                        Misuse::Absent => device::ERROR_ABSENT,
                        Misuse::Budget => device::ERROR_MAX_RECORDS,
                        Misuse::Element => device::ERROR_ELEMENT,
                        Misuse::Record => device::ERROR_RECORD,
                    };
                    let args = self.with_constants(&[error, end]);
                    self.b.call_void(library::REPORT.name, args);
                }
                Stmt::Barrier(barrier) => {
                    let memory = barrier.memory;
                    // Records are ordinary memory now; those of fused edges may be groupshared.
                    let of_records = memory.node_input || memory.node_output;
                    let group_shared = memory.group_shared || of_records && !self.node.ends.is_empty();
                    let memory = MemoryFlags { uav: memory.uav || of_records, group_shared, ..MemoryFlags::default() };
                    self.b.barrier(Barrier { memory, records: None, ..barrier });
                }
                other => self.b.push(other),
            }
        }
        Ok(())
    }

    /// Gives a value a new operation and type, and emits it.
    fn replace(&mut self, id: ValueId, ty: Type, op: Op) {
        let value = &mut self.b.function_mut().values[id];
        (value.ty, value.op) = (ty, op);
        self.b.push(Stmt::Let(id));
    }

    /// Makes a value a copy of another one of the same type. Vectors and structures have no copy operation, so the
    /// value repeats the other's operation. Use it only for operations that are free to repeat.
    fn alias(&mut self, id: ValueId, of: ValueId) {
        let op = self.b.function().value(of).map_or(Op::Undef, |v| v.op.clone());
        let ty = self.b.ty(of);
        self.replace(id, ty, op);
    }

    fn value(&mut self, id: ValueId) -> Result<(), EmuError> {
        let Some(value) = self.b.function().value(id).cloned() else { return Ok(()) };
        if let Type::Records(records) = &value.ty {
            self.handles.insert(id, records.clone());
        }
        match value.op {
            // A thread node is a group of one thread, even though several are packed together.
            Op::Builtin(builtin) if builtin.is_place_of_thread() && self.node.launch == Launch::Thread => {
                self.replace(id, value.ty, Op::Zero);
            }
            Op::Builtin(Builtin::GroupId) => {
                let group = self.input_field("group")?;
                self.alias(id, group);
            }
            Op::Builtin(Builtin::DispatchThreadId) => {
                let group = self.input_field("group")?;
                let [x, y, z] = self.node.num_threads;
                let size = self.constants(&[x, y, z]);
                let size = self.b.compose(Type::Vector(Scalar::U32, 3), size);
                let first = self.b.mul(group, size);
                let thread = self.b.builtin(Builtin::GroupThreadId);
                self.replace(id, value.ty, Op::Binary { op: BinaryOp::Add, lhs: first, rhs: thread });
            }
            Op::Builtin(Builtin::NumWorkgroups) => {
                let (module, error) = (self.node.id.name.to_string(), EmitError::number_of_groups());
                return Err(EmuError::Emit { module, error });
            }
            Op::InputRecord { index } => {
                let address = match self.record {
                    Some(address) => address,
                    None => {
                        let first = self.input_field("first")?;
                        let index = self.word(index);
                        // Every running group has at least one record.
                        let rank = match self.bounds.within(id, 1) {
                            true => self.b.add(first, index),
                            false => {
                                let count = self.input_field("count")?;
                                self.call(library::INPUT_RANK, vec![self.enter, first, count, index])?
                            }
                        };
                        self.input_address(rank)?
                    }
                };
                let pointee = value.ty.pointee().cloned().unwrap_or(Type::Void);
                self.places.insert(id, Owner::Input);
                self.replace(id, Type::reference(self.input_space(), pointee), Op::Address(address));
            }
            Op::InputCount => {
                let count = self.input_field("count")?;
                self.alias(id, count);
            }
            Op::RemainingLevels => {
                let index = self.context.library.field(library::ENTER, "remaining_levels")?;
                self.replace(id, value.ty, Op::Extract { base: self.enter, index });
            }
            Op::OutputValid { output, index } => {
                let output = self.b.const_u32(output);
                let index = self.word(index);
                let args = vec![self.enter, output, index];
                self.call_as(id, library::OUTPUT_VALID, args)?;
            }
            Op::Allocate { scope, output, index, count } => self.allocate(id, scope, output, index, count)?,
            Op::OutputRecord { records, index } => {
                let (address, coherent) = self.output_address(id, records, index)?;
                self.places.insert(id, Owner::Output(records));
                let pointee = value.ty.pointee().cloned().unwrap_or(Type::Void);
                self.replace(id, Type::reference(Space::Physical { coherent }, pointee), Op::Address(address));
            }
            Op::FinishedSharing => self.finished_sharing(id)?,
            Op::Field { base, .. } | Op::Index { base, .. } => {
                let ty = match (&value.ty, self.b.ty(base)) {
                    (Type::Ref(Space::NodeInput | Space::NodeOutput, pointee), Type::Ref(space, _)) => {
                        Type::Ref(space, pointee.clone())
                    }
                    (ty, _) => self.map_type(ty),
                };
                let op = self.in_record(id, base, value.op)?;
                self.replace(id, ty, op);
            }
            op => {
                let ty = self.map_type(&value.ty);
                self.replace(id, ty, op);
            }
        }
        Ok(())
    }

    /// Returns the operation that accesses a part of `base`. Inside a record, an index past the end is clamped to the
    /// last element.
    fn in_record(&mut self, id: ValueId, base: ValueId, op: Op) -> Result<Op, EmuError> {
        let Some(owner) = self.places.get(&base).copied() else { return Ok(op) };
        self.places.insert(id, owner);
        let Op::Index { index, .. } = op else { return Ok(op) };
        let Some(length) = self.b.ty(base).pointee().and_then(length) else { return Ok(op) };
        if self.bounds.within(id, length) {
            return Ok(op);
        }
        let output = match owner {
            Owner::Input => self.b.const_u32(ABSENT),
            Owner::Output(records) => {
                let output = self.context.library.field(library::OPEN, "output")?;
                self.b.extract(records, output)
            }
        };
        let (index, length) = (self.word(index), self.b.const_u32(length));
        let index = self.call(library::ELEMENT, vec![self.enter, index, length, output])?;
        Ok(Op::Index { base, index })
    }

    /// Turns a value into a call of a helper.
    fn call_as(&mut self, id: ValueId, helper: Helper, args: Vec<ValueId>) -> Result<(), EmuError> {
        let ty = self.context.library.function(helper)?.ret.clone();
        self.replace(id, ty, Op::Call { callee: Symbol::const_new(helper.name), args });
        Ok(())
    }
}

/// Returns the number of elements, components or rows of a place; `None`: it has no such parts.
fn length(ty: &Type) -> Option<u32> {
    match ty {
        Type::Array { len, .. } => Some(*len),
        Type::Vector(_, n) => Some(u32::from(*n)),
        Type::Matrix(matrix) => Some(u32::from(matrix.rows)),
        _ => None,
    }
}
