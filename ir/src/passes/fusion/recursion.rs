//! A thread node that sends at most one record to itself becomes a loop over its levels.

use super::build::{self, Numbers};
use super::facts::{self, Figures};
use super::mailbox::{Home, Mailbox, Room, Side};
use super::memory::Touched;
use super::rewriter::{Levels, Rewriter};
use super::rules::{self, Limits, Reason};
use super::statics;
use crate::Symbol;
use crate::builder::FunctionBuilder;
use crate::function::*;
use crate::graph::{Launch, Node, OutputArray, RecordEnd};
use crate::module::Module;
use crate::passes::inline::{Inline, InlineError, inline};
use crate::types::{AllocScope, Space, Type};
use rustc_hash::{FxHashMap, FxHashSet};

/// The room for the record of the next level.
const ROOM: Room = Room { most: 1, spare: true };

/// Makes a loop of a node that targets itself. Returns its figures, or why it stays as it is.
///
/// # Errors
/// The new function is too large.
pub(super) fn fuse(
    module: &mut Module,
    number: usize,
    limits: &Limits,
    written: &FxHashSet<Symbol>,
) -> Result<Figures, Reason> {
    let node = module.graph.nodes[number].clone();
    let output = node.outputs.iter().position(|output| output.target == node.id).ok_or(Reason::Recursion)?;
    let (body, statics) = decide(module, &node, output, limits, written)?;
    let figures = Figures { records: 1, operations: facts::operations(module, &body) };
    module.graph.nodes[number] = build(module, node, output, body, &statics).map_err(|_| Reason::CodeSize)?;
    Ok(figures)
}

/// Checks the rules. Returns the function of the node with handles as values, and the static variables to reset.
fn decide(
    module: &Module,
    node: &Node,
    output: usize,
    limits: &Limits,
    written: &FxHashSet<Symbol>,
) -> Result<(Function, Vec<Symbol>), Reason> {
    let sent = &node.outputs[output];
    if node.launch != Launch::Thread || sent.array != OutputArray::Single {
        return Err(Reason::Recursion);
    }
    facts::has_own_input(module, node)?;
    let received = node.input.as_ref().and_then(|input| input.record.as_ref());
    let (Some(record), Some(received)) = (&sent.record, received) else { return Err(Reason::Recursion) };
    if record.ty != received.ty {
        return Err(Reason::RecordType);
    }
    let body = facts::promoted(module, node).ok_or(Reason::Handles)?;
    if facts::requests(&body, output as OutputId, false)? != AllocScope::Thread {
        return Err(Reason::Recursion);
    }
    facts::uses_of_record(&body, |op| matches!(op, Op::OutputRecord { .. }))?;
    facts::uses_of_record(&body, |op| matches!(op, Op::InputRecord { .. }))?;
    facts::inline_spirv(module, &body)?;
    facts::barriers(&body)?;
    let demands = facts::demands_of_thread(module, node, &body);
    if facts::slots(node, output, &demands, 1)? != 1 {
        return Err(Reason::Unbounded);
    }
    facts::within_budgets(node, &demands, Some(output))?;
    facts::growth(node, std::iter::once(node), u64::from(node.max_recursion))?;
    let touched = Touched::of(module, &body);
    let statics = statics::to_reset(module, &touched, written)?;
    if touched.conflicts(&touched, module, limits.mode) {
        return Err(Reason::MemoryOrder);
    }
    let operations = facts::operations(module, &body);
    if operations > limits.one_record || operations > rules::MAX_FUSED_OPERATIONS {
        return Err(Reason::CodeSize);
    }
    Ok((body, statics))
}

/// Returns the node whose function runs all levels, and adds that function to the module.
///
/// # Errors
/// The function is too large or too deep. The module is unchanged.
fn build(
    module: &mut Module,
    node: Node,
    output: usize,
    body: Function,
    statics: &[Symbol],
) -> Result<Node, InlineError> {
    let name = |part: &str| Symbol::from(format!("{}{part}", node.function));
    let (sent, levels) = (node.outputs[output].clone(), node.max_recursion);
    let Some(record) = sent.record.as_ref().map(|record| record.ty.as_value()) else { return Ok(node) };
    let kept = (0..node.outputs.len()).filter(|n| *n != output);
    let mut numbers = Numbers { outputs: vec![None; node.outputs.len()], ..Numbers::default() };
    let old_ends = node.ends_or_outputs();
    numbers.ends = vec![0; old_ends.len()];
    let (mut outputs, mut ends) = (Vec::new(), Vec::new());
    for n in kept {
        numbers.outputs[n] = Some(outputs.len() as OutputId);
        numbers.ends[n] = outputs.len() as u32;
        outputs.push(node.outputs[n].clone());
        ends.extend(old_ends.get(n).cloned());
    }
    // Each level has a budget of its own.
    for (n, number) in numbers.outputs.iter().enumerate() {
        let Some(number) = number else { continue };
        let (owner, most) = node.budget(n);
        let new = &mut outputs[*number as usize];
        new.shared_with = numbers.outputs[owner].filter(|owner| owner != number);
        new.max_records = most.saturating_mul(levels.saturating_add(1));
    }
    for (n, end) in old_ends.into_iter().enumerate().filter(|(n, _)| *n == output || *n >= node.outputs.len()) {
        numbers.ends[n] = ends.len() as u32;
        ends.push(end);
    }
    numbers.input = ends.len() as u32;
    ends.push(RecordEnd { node: node.id.clone(), output: None, target: None });

    let mut fused = FunctionBuilder::new(name("*"), Type::Void);
    if let Some(scope) = body.scopes.values().next() {
        fused.function_mut().scopes.alloc(scope.clone());
    }
    fused.set_position(build::requests(&body).get(&(output as OutputId)).copied());
    let zero = fused.const_u32(0);
    let current = fused.new_local("record", record.clone());
    let level = fused.new_local("level", Type::U32);
    let end = numbers.ends[output];
    let mailbox = Mailbox::new(&mut fused, Side::Whole, (&node, output), Home::Thread, ROOM, end);
    let Some(next) = mailbox.slots else { return Ok(node) };
    let Some(received) = node.input.as_ref().and_then(|input| input.record.clone()) else { return Ok(node) };
    let input = fused.value_as(Type::Ref(Space::NodeInput, received.ty.into()), Op::InputRecord { index: zero });
    let first = fused.load(input);
    fused.store(current, first);
    fused.store(level, zero);
    fused.loop_with(
        |b| {
            b.store(mailbox.count, zero);
            statics::reset(b, &module.globals, statics);
            let now = b.load(level);
            b.call_void(name("."), [current].into_iter().chain(mailbox.locals()).chain([now]).collect());
            let count = b.load(mailbox.count);
            let is_last = b.eq(count, zero);
            b.if_then(is_last, FunctionBuilder::break_);
            let sent = b.index(next, zero);
            let sent = b.load(sent);
            b.store(current, sent);
        },
        |b| {
            let (now, one) = (b.load(level), b.const_u32(1));
            let next = b.add(now, one);
            b.store(level, next);
            None
        },
    );
    let mut parts = Module { globals: module.globals.clone(), ..Module::default() };
    build::add_with_callees(&mut parts, module, of_level(body, &node, output, &numbers, record));
    parts.add_function(fused.finish());
    let root = Node { function: name("*"), outputs, ends, max_recursion: 0, ..node };
    parts.graph.nodes.push(root.clone());
    inline(&mut parts, Inline::Meeting)?;
    for (name, function) in parts.functions {
        module.functions.entry(name).or_insert(function);
    }
    Ok(root)
}

/// Returns one level as a function of its record, the places of the next one, and the level's number.
fn of_level(body: Function, node: &Node, output: usize, numbers: &Numbers, record: Type) -> Function {
    let name = Symbol::from(format!("{}.", node.function));
    let (mut b, body) = FunctionBuilder::rewrite(Function { name, ..body });
    b.param("record", Type::Ref(Space::Function, record.into()));
    let end = numbers.ends[output];
    let mailbox = Mailbox::new(&mut b, Side::Carrier, (node, output), Home::Thread, ROOM, end);
    let level = b.param("level", Type::U32);
    let last = b.const_u32(node.max_recursion);
    let mailboxes = FxHashMap::from_iter([(output as OutputId, mailbox)]);
    let levels = Levels { level, last, output: output as OutputId };
    Rewriter::level(&mut b, numbers, mailboxes, levels).block(body);
    b.finish()
}
