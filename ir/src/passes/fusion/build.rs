//! The fused function of a carrier, and its node.
//!
//! The carrier and its guests become functions that get the records by reference. The fused function calls the carrier,
//! then each guest once for each record. Inlining makes one function of all. So a return of the carrier still reaches
//! the guests.

use super::elements::Body;
use super::facts::Fusable;
use super::groups::{Groups, GroupsOf, Shape, count as count_of};
use super::mailbox::{self, Home, Mailbox, Side};
use super::rewriter::{GuestInput, Rewriter};
use super::statics;
use crate::Symbol;
use crate::builder::FunctionBuilder;
use crate::function::*;
use crate::graph::{Node, Output, OutputArray, RecordEnd};
use crate::module::Module;
use crate::passes::inline::{InlineError, for_each_call};
use crate::passes::{Inline, inline};
use crate::position::Position;
use crate::types::{Space, Type};
use rustc_hash::FxHashMap;

/// A guest that takes the records of an output.
pub(super) struct GuestCall {
    pub output: usize,
    pub fusable: Fusable,
}

/// Replaces the function of a carrier by one that runs its guests, and updates its node.
///
/// # Errors
/// The fused function is too large or too deep. The module is unchanged.
pub(super) fn fuse(
    module: &mut Module,
    carrier: usize,
    body: Option<Function>,
    guests: &[GuestCall],
) -> Result<(), InlineError> {
    let Some(body) = body else { return Ok(()) };
    let node = module.graph.nodes[carrier].clone();
    let positions = requests(&body);
    let joined = Joined::new(module, &node, guests);
    let name = |part: &str| Symbol::from(format!("{}{part}", node.function));
    let mut parts = Module { globals: module.globals.clone(), ..Module::default() };
    for call in guests {
        let shared = mailbox::globals(&node, call.output, call.fusable.home, call.fusable.room);
        let tables = call.fusable.bodies.iter().flat_map(|body| body.tables.iter().cloned());
        for global in tables.chain(shared) {
            parts.globals.insert(global.name.clone(), global);
        }
    }
    let mut fused = FunctionBuilder::new(name("+"), Type::Void);
    if let Some(scope) = body.scopes.values().next() {
        fused.function_mut().scopes.alloc(scope.clone());
    }
    let mut mailboxes = Vec::new();
    for (call, end) in guests.iter().zip(&joined.fused) {
        let (place, Fusable { home, room, .. }) = ((&node, call.output), &call.fusable);
        mailboxes.push(Mailbox::new(&mut fused, Side::Whole, place, *home, *room, *end));
    }
    clear(&mut fused, &mailboxes);
    fused.call_void(name("."), mailboxes.iter().flat_map(|mailbox| mailbox.locals()).collect());
    for (n, ((call, mailbox), numbers)) in guests.iter().zip(&mailboxes).zip(&joined.guests).enumerate() {
        let names: Vec<Symbol> = (0..call.fusable.bodies.len()).map(|kind| name(&format!(".{n}.{kind}"))).collect();
        fused.set_position(positions.get(&(call.output as OutputId)).copied());
        run(&mut fused, (module, &node), &call.fusable, *mailbox, &names);
        for ((body, name), numbers) in call.fusable.bodies.iter().zip(names).zip(numbers) {
            add_with_callees(&mut parts, module, guest_function(call, body, &node, name, numbers));
        }
    }
    add_with_callees(&mut parts, module, carrier_function(body, &node, name("."), guests, &joined));
    parts.add_function(fused.finish());
    let root = Node { function: name("+"), outputs: joined.outputs, ends: joined.ends, ..node };
    parts.graph.nodes.push(root.clone());
    inline(&mut parts, Inline::Meeting)?;
    module.globals = parts.globals;
    for (name, function) in parts.functions {
        module.functions.entry(name).or_insert(function);
    }
    module.graph.nodes[carrier] = root;
    Ok(())
}

/// The new numbers in one of the functions.
#[derive(Default)]
pub(super) struct Numbers {
    /// By old output. Fused outputs have none.
    pub outputs: Vec<Option<OutputId>>,
    /// By old end.
    pub ends: Vec<u32>,
    /// The end of the function's own input, for a guest.
    pub input: u32,
}

/// The outputs and ends of the fused node: those that the carrier keeps, then those of the guests.
struct Joined {
    outputs: Vec<Output>,
    ends: Vec<RecordEnd>,
    carrier: Numbers,
    /// By edge and body.
    guests: Vec<Vec<Numbers>>,
    /// By edge, the number of the carrier's end of the edge.
    fused: Vec<u32>,
}

impl Joined {
    fn new(module: &Module, node: &Node, guests: &[GuestCall]) -> Joined {
        let mut outputs: Vec<Output> = Vec::new();
        let mut carrier = Numbers::default();
        let is_fused = |n: usize| guests.iter().any(|call| call.output == n);
        for (n, output) in node.outputs.iter().enumerate() {
            let number = (!is_fused(n)).then_some(outputs.len() as OutputId);
            carrier.outputs.push(number);
            outputs.extend(number.map(|_| output.clone()));
        }
        // An output may share the budget of a fused one.
        for (n, number) in carrier.outputs.iter().enumerate() {
            if let Some(number) = number {
                let (owner, max_records) = node.budget(n);
                let owner = carrier.outputs[owner].filter(|owner| owner != number);
                let output = &mut outputs[*number as usize];
                (output.shared_with, output.max_records) = (owner, max_records);
            }
        }
        let mut all = Vec::new();
        let mut add = |guest: &Node, times: u64| {
            let first = outputs.len() as OutputId;
            for (n, output) in guest.outputs.iter().enumerate() {
                let (owner, _) = guest.budget(n);
                let most = u64::from(output.max_records).saturating_mul(times);
                outputs.push(Output {
                    max_records: u32::try_from(most).unwrap_or(u32::MAX),
                    shared_with: (owner != n).then_some(first + owner as OutputId),
                    ..output.clone()
                });
            }
            let numbers = (0..guest.outputs.len() as OutputId).map(|n| Some(first + n)).collect();
            Numbers { outputs: numbers, ..Numbers::default() }
        };
        for Fusable { bodies, times, .. } in guests.iter().map(|call| &call.fusable) {
            all.push(bodies.iter().map(|body| add(&module.graph.nodes[body.guest], *times)).collect());
        }
        let mut joined = Joined { outputs, ends: Vec::new(), carrier, guests: all, fused: Vec::new() };
        joined.number_ends(module, node, guests);
        joined
    }

    fn number_ends(&mut self, module: &Module, node: &Node, guests: &[GuestCall]) {
        let of_guests = guests.iter().flat_map(|call| &call.fusable.bodies).map(|body| &module.graph.nodes[body.guest]);
        let nodes = std::iter::once(node).chain(of_guests);
        // The ends of outputs have the numbers of these.
        let mut of_edges = Vec::new();
        let first = self.outputs.len() as u32;
        let all = std::iter::once(&mut self.carrier).chain(self.guests.iter_mut().flatten());
        for (node, numbers) in nodes.zip(all) {
            for (n, end) in node.ends_or_outputs().into_iter().enumerate() {
                match numbers.outputs.get(n) {
                    Some(Some(number)) => {
                        self.ends.push(end);
                        numbers.ends.push(*number);
                    }
                    _ => {
                        numbers.ends.push(first + of_edges.len() as u32);
                        of_edges.push(end);
                    }
                }
            }
        }
        for (call, numbers) in guests.iter().zip(&mut self.guests) {
            let sender = self.carrier.ends.get(call.output).copied().unwrap_or(first);
            self.fused.push(sender);
            for (body, numbers) in call.fusable.bodies.iter().zip(numbers) {
                // One function for several nodes has no name of its own.
                numbers.input = match body.elements.len() {
                    0 | 1 => {
                        let node = module.graph.nodes[body.guest].id.clone();
                        of_edges.push(RecordEnd { node, output: None, target: None });
                        first + of_edges.len() as u32 - 1
                    }
                    _ => sender,
                };
            }
        }
        self.ends.append(&mut of_edges);
    }
}

/// Sets the counts to zero before the carrier.
fn clear(b: &mut FunctionBuilder, mailboxes: &[Mailbox]) {
    let zero = b.const_u32(0);
    let (shared, own): (Vec<&Mailbox>, Vec<&Mailbox>) = mailboxes.iter().partition(|m| m.home == Home::Threads);
    own.iter().for_each(|mailbox| b.store(mailbox.count, zero));
    if !shared.is_empty() {
        let thread = b.builtin(Builtin::GroupIndex);
        let is_first = b.eq(thread, zero);
        b.if_then(is_first, |b| shared.iter().for_each(|mailbox| b.store(mailbox.count, zero)));
        meet(b);
    }
}

/// Lets the threads of a group wait for each other and see the memory of the others.
fn meet(b: &mut FunctionBuilder) {
    let memory = MemoryFlags { uav: true, group_shared: true, ..MemoryFlags::default() };
    b.barrier(Barrier { memory, group_sync: true, scope: Some(Scope::Workgroup), records: None });
}

/// Calls a guest for each record of its mailbox. `guests` are the names of its bodies.
fn run(
    b: &mut FunctionBuilder,
    (module, node): (&Module, &Node),
    fusable: &Fusable,
    mailbox: Mailbox,
    guests: &[Symbol],
) {
    let zero = b.const_u32(0);
    let reset = |b: &mut FunctionBuilder| statics::reset(b, &module.globals, &fusable.statics);
    if mailbox.home == Home::Thread {
        let count = b.load(mailbox.count);
        let call = |b: &mut FunctionBuilder, index: ValueId| {
            let element = element(b, mailbox, index);
            let record = mailbox.slots.map(|slots| b.index(slots, index));
            reset(b);
            call_body(b, &fusable.bodies, guests, element, record);
        };
        if mailbox.room.most == 1 {
            let any = b.ne(count, zero);
            return b.if_then(any, |b| call(b, zero));
        }
        return b.for_range(zero, count, call);
    }
    // Other threads wrote the records, and memory that the guest reads.
    meet(b);
    let count = b.load(mailbox.count);
    let most = b.const_u32(mailbox.room.most);
    let count = b.min(count, most);
    let thread = b.builtin(Builtin::GroupIndex);
    let Some(Groups { num_threads, of }) = fusable.groups else {
        let threads = b.const_u32(u32::try_from(count_of(node.num_threads)).unwrap_or(u32::MAX));
        return b.for_steps(thread, count, threads, |b, index| {
            let element = element(b, mailbox, index);
            reset(b);
            call_body(b, &fusable.bodies, guests, element, Some(index));
        });
    };
    let Some(guest) = guests.first() else { return };
    let call = |b: &mut FunctionBuilder, arguments: Vec<ValueId>| {
        reset(b);
        let (threads, own) = (count_of(num_threads), count_of(node.num_threads));
        if threads < own {
            let threads = b.const_u32(u32::try_from(threads).unwrap_or(u32::MAX));
            let takes_part = b.lt(thread, threads);
            b.if_then(takes_part, |b| b.call_void(guest.clone(), arguments));
        } else {
            b.call_void(guest.clone(), arguments);
        }
        // The next group has groupshared memory of its own.
        meet(b);
    };
    match of {
        GroupsOf::Records(size) => {
            let size = b.const_u32(size);
            b.for_steps(zero, count, size, |b, first| {
                let left = b.sub(count, first);
                let records = b.min(left, size);
                call(b, vec![first, records]);
            });
        }
        GroupsOf::Grid(grid) => {
            let groups = b.const_u32(u32::try_from(count_of(grid)).unwrap_or(u32::MAX));
            b.for_range(zero, count, |b, index| b.for_range(zero, groups, |b, group| call(b, vec![index, group])));
        }
    }
}

/// Loads the element of a record of an array.
fn element(b: &mut FunctionBuilder, mailbox: Mailbox, index: ValueId) -> Option<ValueId> {
    mailbox.elements.map(|elements| {
        let place = b.index(elements, index);
        b.load(place)
    })
}

/// Calls the body of an element with a record. An element is in the array: the carrier checks it.
fn call_body(
    b: &mut FunctionBuilder,
    bodies: &[Body],
    guests: &[Symbol],
    element: Option<ValueId>,
    record: Option<ValueId>,
) {
    let arguments: Vec<ValueId> = element.into_iter().chain(record).collect();
    if let (Some(element), [_, _, ..]) = (element, guests) {
        let mut cases = Vec::new();
        for (body, guest) in bodies.iter().zip(guests) {
            let labels = body.elements.iter().map(|element| i64::from(*element)).collect();
            let body = b.block(|b| b.call_void(guest.clone(), arguments.clone()));
            cases.push(Case { labels, body });
        }
        let default = b.block(|_| {});
        return b.switch(element, cases, default);
    }
    if let Some(guest) = guests.first() {
        b.call_void(guest.clone(), arguments);
    }
}

/// Returns the carrier as a function of the locals of each mailbox.
fn carrier_function(body: Function, node: &Node, name: Symbol, guests: &[GuestCall], joined: &Joined) -> Function {
    let (mut b, body) = FunctionBuilder::rewrite(Function { name, ..body });
    let mut mailboxes = FxHashMap::default();
    for (call, end) in guests.iter().zip(&joined.fused) {
        let (place, Fusable { home, room, .. }) = ((node, call.output), &call.fusable);
        let mailbox = Mailbox::new(&mut b, Side::Carrier, place, *home, *room, *end);
        mailboxes.insert(call.output as OutputId, mailbox);
    }
    Rewriter::carrier(&mut b, &joined.carrier, mailboxes).block(body);
    b.finish()
}

/// Returns a guest as a function. Its parameters are the element, if it is for an array, then the record by reference,
/// or the number of the record in the group's memory. Groups also get their number, or the number of records.
fn guest_function(call: &GuestCall, body: &Body, carrier: &Node, name: Symbol, numbers: &Numbers) -> Function {
    let fusable = &call.fusable;
    let mut function = Function { name, ..body.function.clone() };
    if carrier.outputs[call.output].array != OutputArray::Single {
        function.params.push(Param { name: Symbol::const_new("element"), ty: Type::U32, variable: None });
    }
    let parameter = function.params.len() as u32;
    let (mut b, body) = FunctionBuilder::rewrite(function);
    let ty = carrier.outputs[call.output].record.as_ref().map(|record| record.ty.as_value());
    if fusable.home == Home::Thread {
        let record = ty.map(|ty| b.param("record", Type::reference(Space::Function, ty)));
        let record = record.map(|_| parameter);
        Rewriter::guest(&mut b, numbers, GuestInput::Parameter(record)).block(body);
        return b.finish();
    }
    let place = (carrier, call.output);
    // Only the records are used, which are in groupshared memory.
    let room = fusable.room;
    let slots = mailbox::records(&mut b, place, room);
    let first = b.param("first", Type::U32);
    let second = fusable.groups.map(|_| b.param("second", Type::U32));
    let input = match (fusable.groups.map(|groups| groups.of), second) {
        (Some(GroupsOf::Records(_)), Some(count)) => GuestInput::Shared { slots, first, count, room },
        _ => GuestInput::Shared { slots, first, count: b.const_u32(1), room },
    };
    let shape = fusable.groups.map(|groups| Shape { groups, carrier: carrier.num_threads, group: second });
    Rewriter::group(&mut b, numbers, input, shape).block(body);
    b.finish()
}

/// Returns the position of the first request of each output in the scope of the function itself.
pub(super) fn requests(body: &Function) -> FxHashMap<OutputId, Position> {
    let mut found = FxHashMap::default();
    let mut at = None;
    crate::walk::statements(&body.body, &mut |stmt| match stmt {
        Stmt::At(position) => at = Some(*position),
        Stmt::Let(id) => {
            if let (Some(Op::Allocate { output, .. }), Some(at)) = (body.value(*id).map(|value| &value.op), at)
                && let Some(at) = in_first_scope(body, at)
            {
                found.entry(*output).or_insert(at);
            }
        }
        _ => {}
    });
    found
}

/// Returns the position of the call in the function itself, for a position in inlined code. The parts of a fused node
/// have several outermost scopes; the first is the node's own, and the only one that the next fused node takes over.
fn in_first_scope(body: &Function, mut at: Position) -> Option<Position> {
    // Outer scopes precede inner ones, so this ends.
    while let Some(call) = body.scope(at.scope).and_then(|scope| scope.inlined_at) {
        at = call;
    }
    let (first, scope) = body.scopes.iter().next()?;
    (body.scope(at.scope)?.text == scope.text).then_some(Position { scope: first, ..at })
}

pub(super) fn add_with_callees(parts: &mut Module, module: &Module, function: Function) {
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
