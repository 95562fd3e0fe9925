//! The fused function of a carrier, and its node.
//!
//! The carrier and its guests become functions that get the records by reference. The fused function calls the carrier,
//! then each guest once for each record. Inlining makes one function of all. So a return of the carrier still reaches
//! the guests.

use super::facts::invocations;
use crate::Symbol;
use crate::builder::FunctionBuilder;
use crate::function::*;
use crate::graph::{Node, Output};
use crate::module::Module;
use crate::passes::inline::{InlineError, for_each_call};
use crate::passes::{Inline, inline};
use crate::position::Position;
use crate::types::{Space, Type};
use rustc_hash::FxHashMap;

/// A guest that takes the records of an output.
pub(super) struct GuestCall {
    pub output: usize,
    pub guest: usize,
    /// The most records of a thread.
    pub slots: u32,
}

/// The records of one output, in a function.
struct Mailbox {
    /// An array of records.
    slots: ValueId,
    /// The number of records so far.
    count: ValueId,
    most: u32,
    /// The MaxRecords of the output.
    max_records: u32,
}

/// Replaces the function of a carrier by one that runs its guests, and updates its node.
pub(super) fn fuse(
    module: &mut Module,
    carrier: usize,
    body: Option<Function>,
    guests: &[GuestCall],
) -> Result<(), InlineError> {
    let Some(body) = body else { return Ok(()) };
    let node = module.graph.nodes[carrier].clone();
    let positions = requests(&body);
    let (outputs, numbers) = merged_outputs(module, &node, guests);
    let name = |part: &str| Symbol::from(format!("{}{part}", node.function));
    let mut parts = Module { globals: module.globals.clone(), ..Module::default() };
    let mut fused = FunctionBuilder::new(name("+"), Type::Void);
    if let Some(scope) = body.scopes.values().next() {
        fused.function_mut().scopes.alloc(scope.clone());
    }
    let mut arguments = Vec::new();
    let mut mailboxes = Vec::new();
    let zero = fused.const_u32(0);
    for call in guests {
        let slots = fused.new_local("records", slots_type(&node.outputs[call.output], call.slots));
        let count = fused.new_local("count", Type::U32);
        fused.store(count, zero);
        arguments.extend([slots, count]);
        let max_records = node.budget(call.output).1;
        mailboxes.push(Mailbox { slots, count, most: call.slots, max_records });
    }
    fused.call_void(name("."), arguments);
    for (n, (call, mailbox)) in guests.iter().zip(&mailboxes).enumerate() {
        let guest = name(&format!(".{n}"));
        fused.set_position(positions.get(&(call.output as OutputId)).copied());
        let count = fused.load(mailbox.count);
        let run = |b: &mut FunctionBuilder, index: ValueId| {
            let record = b.index(mailbox.slots, index);
            b.call_void(guest.clone(), vec![record]);
        };
        if mailbox.most == 1 {
            let any = fused.ne(count, zero);
            fused.if_then(any, |b| run(b, zero));
        } else {
            fused.for_range(zero, count, run);
        }
        let function = guest_function(module, call, &node, guest.clone(), &numbers.guests[n]);
        add_with_callees(&mut parts, module, function);
    }
    add_with_callees(&mut parts, module, carrier_function(body, &node, name("."), guests, &numbers.carrier));
    parts.add_function(fused.finish());
    let root = Node { function: name("+"), outputs, ..node };
    parts.graph.nodes.push(root.clone());
    inline(&mut parts, Inline::Meeting)?;
    for (name, function) in parts.functions {
        module.functions.entry(name).or_insert(function);
    }
    module.graph.nodes[carrier] = root;
    Ok(())
}

/// The new numbers of outputs, by their old ones. Fused outputs have none.
struct Numbers {
    carrier: Vec<Option<OutputId>>,
    guests: Vec<Vec<Option<OutputId>>>,
}

/// Returns the outputs of the fused node: those that the carrier keeps, then those of the guests.
fn merged_outputs(module: &Module, node: &Node, guests: &[GuestCall]) -> (Vec<Output>, Numbers) {
    let mut outputs: Vec<Output> = Vec::new();
    let mut numbers = Numbers { carrier: Vec::new(), guests: Vec::new() };
    let is_fused = |n: usize| guests.iter().any(|call| call.output == n);
    for (n, output) in node.outputs.iter().enumerate() {
        let number = (!is_fused(n)).then_some(outputs.len() as OutputId);
        numbers.carrier.push(number);
        outputs.extend(number.map(|_| output.clone()));
    }
    // An output may share the budget of a fused one.
    for (n, number) in numbers.carrier.iter().enumerate() {
        if let Some(number) = number {
            let (owner, max_records) = node.budget(n);
            let owner = numbers.carrier[owner].filter(|owner| owner != number);
            let output = &mut outputs[*number as usize];
            (output.shared_with, output.max_records) = (owner, max_records);
        }
    }
    for call in guests {
        let (guest, first) = (&module.graph.nodes[call.guest], outputs.len() as OutputId);
        let times = invocations(node, call.slots);
        for (n, output) in guest.outputs.iter().enumerate() {
            let (owner, _) = guest.budget(n);
            let most = u64::from(output.max_records).saturating_mul(times);
            outputs.push(Output {
                max_records: u32::try_from(most).unwrap_or(u32::MAX),
                shared_with: (owner != n).then_some(first + owner as OutputId),
                ..output.clone()
            });
        }
        numbers.guests.push((0..guest.outputs.len() as OutputId).map(|n| Some(first + n)).collect());
    }
    (outputs, numbers)
}

/// Returns the type of a local with the records of an output.
fn slots_type(output: &Output, slots: u32) -> Type {
    let record = output.record.as_ref().map_or(Type::Void, |record| record.ty.as_value());
    let stride = record.size().unwrap_or(0);
    Type::Array { element: record.into(), len: slots, stride }
}

/// Returns the carrier as a function of the slots and the count of each fused output.
fn carrier_function(
    body: Function,
    node: &Node,
    name: Symbol,
    guests: &[GuestCall],
    numbers: &[Option<OutputId>],
) -> Function {
    let (mut b, body) = FunctionBuilder::rewrite(Function { name, ..body });
    let mut mailboxes = FxHashMap::default();
    for call in guests {
        let slots = Type::reference(Space::Function, slots_type(&node.outputs[call.output], call.slots));
        let slots = b.param("records", slots);
        let count = b.param("count", Type::reference(Space::Function, Type::U32));
        let max_records = node.budget(call.output).1;
        mailboxes.insert(call.output as OutputId, Mailbox { slots, count, most: call.slots, max_records });
    }
    Rewriter { b: &mut b, numbers, mailboxes, handles: FxHashMap::default(), input: None }.block(body);
    b.finish()
}

/// Returns a guest as a function of its record.
fn guest_function(
    module: &Module,
    call: &GuestCall,
    carrier: &Node,
    name: Symbol,
    numbers: &[Option<OutputId>],
) -> Function {
    let node = &module.graph.nodes[call.guest];
    let function = module.functions.get(&node.function).map(|function| (**function).clone());
    let function = function.unwrap_or_else(|| Function::new(name.clone(), Type::Void));
    let (mut b, body) = FunctionBuilder::rewrite(Function { name, ..function });
    let Type::Array { element, .. } = slots_type(&carrier.outputs[call.output], call.slots) else { return b.finish() };
    let input = b.param("record", Type::Ref(Space::Function, element));
    let (mailboxes, handles) = (FxHashMap::default(), FxHashMap::default());
    Rewriter { b: &mut b, numbers, mailboxes, handles, input: Some(input) }.block(body);
    b.finish()
}

/// Returns the position of the first request of each output in the scope of the function itself.
fn requests(body: &Function) -> FxHashMap<OutputId, Position> {
    let mut found = FxHashMap::default();
    let mut at = None;
    crate::walk::statements(&body.body, &mut |stmt| match stmt {
        Stmt::At(position) => at = Some(*position),
        Stmt::Let(id) => {
            if let (Some(Op::Allocate { output, .. }), Some(at)) = (body.value(*id).map(|value| &value.op), at) {
                found.entry(*output).or_insert_with(|| outermost(body, at));
            }
        }
        _ => {}
    });
    found
}

/// Returns the position of the call in the function itself, for a position in inlined code.
fn outermost(body: &Function, mut at: Position) -> Position {
    // Outer scopes precede inner ones, so this ends.
    while let Some(call) = body.scope(at.scope).and_then(|scope| scope.inlined_at) {
        at = call;
    }
    at
}

fn add_with_callees(parts: &mut Module, module: &Module, function: Function) {
    let mut work = Vec::new();
    for_each_call(&function, &mut |callee| work.push(callee.clone()));
    parts.add_function(function);
    while let Some(name) = work.pop() {
        if let Some(function) = module.functions.get(&name).filter(|_| !parts.functions.contains_key(&name)) {
            for_each_call(function, &mut |callee| work.push(callee.clone()));
            parts.functions.insert(name, function.clone());
        }
    }
}

/// Replaces the records of fused edges in a function by locals, and gives other outputs their new numbers.
struct Rewriter<'a> {
    b: &'a mut FunctionBuilder,
    numbers: &'a [Option<OutputId>],
    mailboxes: FxHashMap<OutputId, Mailbox>,
    /// The output of each handle to records in locals. The value of the handle is now the number of its first record.
    handles: FxHashMap<ValueId, OutputId>,
    /// The record of a guest.
    input: Option<ValueId>,
}

impl Rewriter<'_> {
    fn block(&mut self, block: Block) {
        for stmt in block {
            self.stmt(stmt);
        }
    }

    fn nested(&mut self, block: &mut Block) {
        let inner = std::mem::take(block);
        self.b.begin_block();
        self.block(inner);
        *block = self.b.end_block();
    }

    fn stmt(&mut self, mut stmt: Stmt) {
        match &mut stmt {
            Stmt::Let(id) => return self.value(*id),
            Stmt::Complete(records) if self.handles.contains_key(records) => return,
            Stmt::Barrier(barrier) => {
                barrier.records.take_if(|records| self.handles.contains_key(records));
            }
            Stmt::IncrementCount { output, .. } => *output = self.number(*output),
            _ => {
                for block in stmt.blocks_mut() {
                    self.nested(block);
                }
            }
        }
        self.b.push(stmt);
    }

    fn value(&mut self, id: ValueId) {
        let Some(value) = self.b.function().value(id) else { return };
        let (op, ty) = match value.op.clone() {
            Op::Allocate { output, count, .. } if self.mailboxes.contains_key(&output) => {
                return self.request(id, output, count);
            }
            Op::OutputRecord { records, index } if self.handles.contains_key(&records) => {
                let Some(mailbox) = self.handles.get(&records).and_then(|output| self.mailboxes.get(output)) else {
                    return;
                };
                let (slots, most) = (mailbox.slots, mailbox.most);
                let slot = match most {
                    1 => self.b.const_u32(0),
                    _ => {
                        let index = self.b.convert(index, Type::U32);
                        let last = self.b.const_u32(most - 1);
                        let slot = self.b.add(records, index);
                        self.b.min(slot, last)
                    }
                };
                (Op::Index { base: slots, index: slot }, None)
            }
            Op::InputRecord { .. } if self.input.is_some() => (Op::Param(0), None),
            // A thread node has one record.
            Op::InputCount if self.input.is_some() => (Op::Const(ScalarConst::u32(1)), None),
            // The target of a fused output exists.
            Op::OutputValid { output, .. } if self.mailboxes.contains_key(&output) => {
                (Op::Const(ScalarConst::bool(true)), None)
            }
            Op::Allocate { scope, output, index, count } => {
                let output = self.number(output);
                (Op::Allocate { scope, output, index, count }, Some(value.ty.clone()))
            }
            Op::OutputValid { output, index } => (Op::OutputValid { output: self.number(output), index }, None),
            op @ (Op::Field { .. } | Op::Index { .. }) => (op, None),
            _ => return self.b.push(Stmt::Let(id)),
        };
        self.define(id, op, ty);
    }

    /// Gives a value another operation. Its type follows from the operands, unless it is given.
    fn define(&mut self, id: ValueId, op: Op, ty: Option<Type>) {
        let old = self.b.ty(id);
        let ty = ty.unwrap_or_else(|| match crate::typing::type_of(self.b.function(), &op, &old) {
            Ok(crate::typing::Typing::Is(ty)) => ty,
            _ => old,
        });
        let value = &mut self.b.function_mut().values[id];
        (value.op, value.ty) = (op, ty);
        self.b.push(Stmt::Let(id));
    }

    /// Turns a request into an increment of the count. The value of the handle is the count before it.
    fn request(&mut self, id: ValueId, output: OutputId, count: ValueId) {
        let Some(mailbox) = self.mailboxes.get(&output) else { return };
        let (place, max_records) = (mailbox.count, mailbox.max_records);
        self.handles.insert(id, output);
        self.define(id, Op::Load(place), Some(Type::U32));
        let count = self.b.convert(count, Type::U32);
        // A request above the limit is cut, as in a queue.
        let most = self.b.const_u32(max_records);
        let count = self.b.min(count, most);
        let sum = self.b.add(id, count);
        self.b.store(place, sum);
    }

    fn number(&self, output: OutputId) -> OutputId {
        self.numbers.get(output as usize).copied().flatten().unwrap_or(output)
    }
}
