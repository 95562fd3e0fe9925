//! Facts about a carrier and its edges, and the decision by them.

use super::memory::Touched;
use super::rules::{self, Reason, Rule};
use super::targets;
use crate::flow::demand::{Demand, demands};
use crate::function::*;
use crate::graph::{Launch, Node, OutputArray};
use crate::module::Module;
use crate::passes::promote;
use crate::types::{AllocScope, Type};
use crate::walk;

/// Requests of one thread: the node's threads have budgets of their own here.
const ONE_THREAD: u32 = 1;

pub(super) struct Facts {
    carrier: usize,
    /// The function of the carrier, with handles as values. `None` if handles have several origins.
    pub body: Option<Function>,
    touched: Touched,
    /// The bounds of the requests of a thread, by output.
    demands: Vec<Demand>,
    /// Operations of the carrier, with the guests so far.
    operations: std::cell::Cell<usize>,
}

impl Facts {
    pub fn of(module: &Module, carrier: usize) -> Facts {
        let node = &module.graph.nodes[carrier];
        let body = promoted(module, node);
        let (touched, demands, operations) = match &body {
            Some(body) => {
                let demands = demands(module, node, body, ONE_THREAD, |_| false);
                (Touched::of(module, body), demands, operations(body))
            }
            None => Default::default(),
        };
        Facts { carrier, body, touched, demands, operations: operations.into() }
    }

    /// Decides whether the edge from an output to `guest` is fused: returns the rule, and the most records of a thread.
    pub fn decide(&self, module: &Module, output: usize, guest: Option<usize>) -> Result<(Rule, u32), Reason> {
        let node = &module.graph.nodes[self.carrier];
        let sent = &node.outputs[output];
        if sent.array != OutputArray::Single {
            return Err(Reason::Array);
        }
        let guest = guest.ok_or(Reason::Missing)?;
        let consumer = &module.graph.nodes[guest];
        launches(node, consumer)?;
        if guest == self.carrier || targets(&module.graph, consumer).contains(&guest) {
            return Err(Reason::Recursion);
        }
        let shares = |other: &Node| other.share_input_of.as_ref() == Some(&consumer.id);
        if consumer.share_input_of.is_some() || module.graph.nodes.iter().any(shares) {
            return Err(Reason::SharedInput);
        }
        if consumer.wave_size.is_some() && consumer.wave_size != node.wave_size {
            return Err(Reason::WaveSize);
        }
        if node.local_root_index.is_some() || consumer.local_root_index.is_some() {
            return Err(Reason::LocalRoots);
        }
        let record = sent.record.as_ref().ok_or(Reason::Empty)?;
        let received = consumer.input.as_ref().and_then(|input| input.record.as_ref()).ok_or(Reason::Empty)?;
        if record.ty != received.ty {
            return Err(Reason::RecordType);
        }
        let body = self.body.as_ref().ok_or(Reason::Handles)?;
        let guest_body = promoted(module, consumer).ok_or(Reason::Handles)?;
        requests(body, output as OutputId)?;
        uses_of_record(body, |op| matches!(op, Op::OutputRecord { .. }))?;
        uses_of_record(&guest_body, |op| matches!(op, Op::InputRecord { .. }))?;
        code(&guest_body)?;
        let slots = self.slots(node, output, &record.ty)?;
        let guest_demands = demands(module, consumer, &guest_body, ONE_THREAD, |_| false);
        let is_within = |n: usize| match consumer.budget(n) {
            (owner, most) if owner == n => guest_demands[n].is_within(most),
            _ => true,
        };
        if !(0..consumer.outputs.len()).all(is_within) {
            return Err(Reason::Budget);
        }
        growth(node, consumer, slots)?;
        let touched = Touched::of(module, &guest_body);
        if touched.needs_fresh_statics(&self.touched) {
            return Err(Reason::Statics);
        }
        if touched.conflicts(&self.touched) {
            return Err(Reason::MemoryOrder);
        }
        let (of_guest, so_far) = (operations(&guest_body), self.operations.get());
        let fused = so_far.saturating_add(of_guest);
        if of_guest * slots as usize > rules::MOST_GUEST_OPERATIONS || fused > rules::MOST_FUSED_OPERATIONS {
            return Err(Reason::CodeSize);
        }
        self.operations.set(fused);
        Ok((if slots == 1 { Rule::OneRecord } else { Rule::FewRecords }, slots))
    }

    /// Returns the most records that a thread sends to an output.
    fn slots(&self, node: &Node, output: usize, record: &Type) -> Result<u32, Reason> {
        let (owner, most) = node.budget(output);
        let demand = self.demands.get(owner).map_or(u64::MAX, |demand| demand.of_threads);
        // Above the budget, a request is cut.
        if demand > u64::from(most) || demand > rules::MOST_SLOTS {
            return Err(Reason::Unbounded);
        }
        let bytes = demand.saturating_mul(u64::from(record.size().unwrap_or(u32::MAX)));
        if bytes > rules::MOST_SLOT_BYTES {
            return Err(Reason::RecordSize);
        }
        Ok(demand.max(1) as u32)
    }
}

/// Returns the function of a node with handles as values, or `None` if a handle has several origins.
fn promoted(module: &Module, node: &Node) -> Option<Function> {
    let mut body = (**module.functions.get(&node.function)?).clone();
    promote(&mut body).ok().map(|()| body)
}

fn launches(carrier: &Node, guest: &Node) -> Result<(), Reason> {
    match (carrier.launch, guest.launch) {
        (Launch::Mesh, _) | (_, Launch::Mesh) => Err(Reason::Mesh),
        (_, Launch::Broadcasting | Launch::Coalescing) => Err(Reason::GroupConsumer),
        (_, Launch::Thread) => Ok(()),
    }
}

/// Checks that each thread requests the records of an output alone, and that each handle names its request.
fn requests(body: &Function, output: OutputId) -> Result<(), Reason> {
    let op = |id: ValueId| body.value(id).map(|value| &value.op);
    let mut result = Ok(());
    let mut check = |is_right: bool, reason| {
        if !is_right {
            result = Err(reason);
        }
    };
    walk::statements(&body.body, &mut |stmt| {
        let handles: Vec<ValueId> = match stmt {
            Stmt::Complete(records) => vec![*records],
            Stmt::Barrier(barrier) => barrier.records.into_iter().collect(),
            Stmt::IncrementCount { output: of, .. } => {
                check(*of != output, Reason::RecordUse);
                return;
            }
            Stmt::Let(id) => match op(*id) {
                Some(Op::OutputRecord { records, .. }) => vec![*records],
                Some(Op::Allocate { scope, output: of, .. }) => {
                    check(*of != output || *scope == AllocScope::Thread, Reason::GroupRequest);
                    return;
                }
                _ => return,
            },
            _ => return,
        };
        let is_request = |handle: &ValueId| matches!(op(*handle), Some(Op::Allocate { .. }));
        check(handles.iter().all(is_request), Reason::Handles);
    });
    result
}

/// Checks that the places of records are only read, written and divided, so that a local can replace the record.
fn uses_of_record(body: &Function, is_record: impl Fn(&Op) -> bool) -> Result<(), Reason> {
    let mut in_record = vec![false; body.values.len()];
    let index = |id: ValueId| id.into_raw().into_u32() as usize;
    let mut result = Ok(());
    walk::statements(&body.body, &mut |stmt| match stmt {
        Stmt::Let(id) => {
            let Some(value) = body.value(*id) else { return };
            match &value.op {
                op if is_record(op) => in_record[index(*id)] = true,
                Op::Field { base, .. } | Op::Index { base, .. } => in_record[index(*id)] = in_record[index(*base)],
                Op::Load(_) => {}
                op => op.for_each_operand(|operand| {
                    if in_record[index(operand)] {
                        result = Err(Reason::RecordUse);
                    }
                }),
            }
        }
        Stmt::Store { value, .. } if !in_record[index(*value)] => {}
        Stmt::At(_) | Stmt::Holds { .. } => {}
        // Operands of nested statements are conditions.
        stmt => {
            if stmt.operands().into_iter().any(|operand| in_record[index(operand)]) {
                result = Err(Reason::RecordUse);
            }
        }
    });
    result
}

/// Checks the code of a guest.
fn code(guest: &Function) -> Result<(), Reason> {
    let has_spirv = guest.values.values().any(|value| matches!(value.op, Op::Spirv(_)));
    let mut result = if has_spirv { Err(Reason::InlineSpirv) } else { Ok(()) };
    walk::statements(&guest.body, &mut |stmt| match stmt {
        Stmt::Spirv(_) => result = Err(Reason::InlineSpirv),
        Stmt::Barrier(barrier) if barrier.group_sync => result = Err(Reason::Barrier),
        _ => {}
    });
    let has_levels = guest.values.values().any(|value| value.op == Op::RemainingLevels);
    if has_levels { Err(Reason::Recursion) } else { result }
}

/// Checks the bytes that a workgroup of the fused node may send.
fn growth(carrier: &Node, guest: &Node, slots: u32) -> Result<(), Reason> {
    // Those of a thread, for nodes that are launched by thread.
    let bytes = |node: &Node| {
        let of_output = |output: &crate::graph::Output| {
            let size = output.record.as_ref().and_then(|record| record.ty.size()).unwrap_or(0);
            u64::from(output.max_records) * u64::from(size)
        };
        node.outputs.iter().map(of_output).sum::<u64>()
    };
    let (own, of_guest) = (bytes(carrier), bytes(guest));
    let fused = own.saturating_add(of_guest.saturating_mul(invocations(carrier, slots)));
    let allowed = rules::FREE_OUTPUT_BYTES.max(own.max(of_guest).saturating_mul(rules::MOST_OUTPUT_GROWTH));
    if fused > allowed { Err(Reason::OutputGrowth) } else { Ok(()) }
}

/// Returns the most invocations of a guest for the records that share a budget of the carrier.
pub(super) fn invocations(carrier: &Node, slots: u32) -> u64 {
    let threads = match carrier.launch {
        Launch::Thread => 1,
        _ => carrier.num_threads.iter().map(|&n| u64::from(n)).product(),
    };
    threads.saturating_mul(u64::from(slots))
}

fn operations(function: &Function) -> usize {
    function.values.len()
}
