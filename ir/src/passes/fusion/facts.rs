//! Facts about a carrier (see [`super`]) and its edges, and the decision by them.

use super::FusionMode;
use super::elements::{Body, bodies, uses_lanes};
use super::groups::{self, Groups, GroupsOf};
use super::mailbox::{Home, Room};
use super::memory::Touched;
use super::rules::{self, Limits, Reason, Rule};
use super::statics;
use super::targets;
use crate::Symbol;
use crate::flow::demand::{Demand, Requesters, demands};
use crate::function::*;
use crate::graph::{Launch, Node, Output, OutputArray, Record};
use crate::module::Module;
use crate::passes::promote;
use crate::types::AllocScope;
use crate::walk;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::{OnceCell, RefCell};
use std::collections::BTreeSet;
use std::rc::Rc;

/// The code of a consumer, with handles as values, and its accesses.
struct Guest {
    body: Function,
    touched: Touched,
}

/// The consumers seen so far, by node. Their code stays, because consumers are fused before producers.
#[derive(Default)]
pub(super) struct Guests(RefCell<FxHashMap<usize, Rc<Result<Guest, Reason>>>>);

impl Guests {
    /// Returns a consumer, or the reason why it never fuses as a thread node.
    fn of_threads(&self, module: &Module, guest: usize) -> Rc<Result<Guest, Reason>> {
        let mut known = self.0.borrow_mut();
        known.entry(guest).or_insert_with(|| Rc::new(Guest::of_threads(module, &module.graph.nodes[guest]))).clone()
    }

    /// Forgets a node whose code has changed.
    pub fn forget(&self, node: usize) {
        self.0.borrow_mut().remove(&node);
    }
}

impl Guest {
    /// Checks the code of a consumer alone.
    fn of(module: &Module, consumer: &Node) -> Result<Guest, Reason> {
        let body = promoted(module, consumer).ok_or(Reason::Handles)?;
        uses_of_record(&body, |op| matches!(op, Op::InputRecord { .. }))?;
        inline_spirv(module, &body)?;
        if body.values.values().any(|value| value.op == Op::RemainingLevels) {
            return Err(Reason::Recursion);
        }
        let touched = Touched::of(module, &body);
        Ok(Guest { body, touched })
    }

    fn of_threads(module: &Module, consumer: &Node) -> Result<Guest, Reason> {
        let guest = Guest::of(module, consumer)?;
        barriers(&guest.body)?;
        within_budgets(consumer, &demands_of_thread(module, consumer, &guest.body), None)?;
        Ok(guest)
    }
}

pub(super) struct Facts<'a> {
    carrier: usize,
    limits: &'a Limits,
    guests: &'a Guests,
    /// The static variables that some function of the module changes.
    written: &'a FxHashSet<Symbol>,
    /// The function of the carrier, with handles as values. `None` if handles have several origins.
    pub body: Option<Function>,
    touched: Touched,
    /// The bounds of the requests of a thread, by output.
    demands: Vec<Demand>,
    /// The bounds of the requests of a group, by output. They take long, so they are computed on demand.
    group_demands: OnceCell<Vec<Demand>>,
    /// Operations of the carrier, with the guests so far.
    operations: std::cell::Cell<usize>,
}

/// The numbers that the decision for an edge used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Figures {
    /// The most records of a thread, or of a group for a consumer that shares its group.
    pub records: u32,
    /// Operations of the consumer.
    pub operations: usize,
}

impl Figures {
    pub(super) fn of(module: &Module, fusable: &Fusable) -> Figures {
        Figures { records: fusable.room.most, operations: fusable.operations(module) }
    }
}

/// An edge that can be fused.
pub(super) struct Fusable {
    pub rule: Rule,
    pub home: Home,
    /// For the records of a thread, or of a group if they are shared.
    pub room: Room,
    /// The most invocations of the guest for the records that share a budget of the carrier.
    pub times: u64,
    /// The groups of the guest; `None` for a thread node.
    pub groups: Option<Groups>,
    /// The code of the consumer, or of the elements of an array of consumers.
    pub bodies: Vec<Body>,
    /// The static variables that have their initial values before each guest.
    pub statics: Vec<Symbol>,
}

impl Fusable {
    fn operations(&self, module: &Module) -> usize {
        self.bodies.iter().map(|body| operations(module, &body.function)).sum()
    }
}

impl Facts<'_> {
    pub fn of<'a>(
        module: &Module,
        carrier: usize,
        limits: &'a Limits,
        guests: &'a Guests,
        written: &'a FxHashSet<Symbol>,
    ) -> Facts<'a> {
        let node = &module.graph.nodes[carrier];
        let body = promoted(module, node);
        let (touched, demands, operations) = match &body {
            Some(body) => (Touched::of(module, body), demands_of_thread(module, node, body), operations(module, body)),
            None => Default::default(),
        };
        Facts {
            carrier,
            limits,
            guests,
            written,
            body,
            touched,
            demands,
            group_demands: OnceCell::new(),
            operations: operations.into(),
        }
    }

    /// Decides whether an edge is fused. `consumers` are the nodes that the output targets, `None` for missing ones.
    pub fn decide(&self, module: &Module, output: usize, consumers: &[Option<usize>]) -> Result<Fusable, Reason> {
        let node = &module.graph.nodes[self.carrier];
        let sent = &node.outputs[output];
        if sent.array == OutputArray::Unbounded {
            return Err(Reason::Array);
        }
        let consumers: Option<Vec<usize>> = consumers.iter().copied().collect();
        let consumers = consumers.ok_or(Reason::Missing)?;
        let first = *consumers.first().ok_or(Reason::Missing)?;
        // Mesh nodes run last. A node with the same input can only wait for them if it sends nothing.
        let is_beside = |other: &Node| other.launch == Launch::Mesh && other.input_owner() == node.input_owner();
        if module.graph.nodes.iter().any(is_beside) {
            return Err(Reason::Mesh);
        }
        // The cheap questions come first.
        consumers.iter().try_for_each(|guest| self.interface(module, sent, *guest))?;
        let body = self.body.as_ref().ok_or(Reason::Handles)?;
        let scope = requests(body, output as OutputId, sent.record.is_none())?;
        uses_of_record(body, |op| matches!(op, Op::OutputRecord { .. }))?;
        let is_array = sent.array != OutputArray::Single;
        let groups = Groups::of(&module.graph.nodes[first])?;
        if is_array && groups.is_some() {
            return Err(Reason::GroupArray);
        }
        // A program may notice the number of records of its groups.
        let fills = matches!(groups, Some(Groups { of: GroupsOf::Records(most), .. }) if most > 1);
        if fills && self.limits.mode == FusionMode::Safe {
            return Err(Reason::CoalescingFill);
        }
        let home = match (scope, groups) {
            (AllocScope::Group, _) => Home::Group,
            (AllocScope::Thread, Some(_)) => Home::Threads,
            (AllocScope::Thread, None) => Home::Thread,
        };
        let slots = match home {
            Home::Thread => {
                let empty = if is_array { rules::MAX_SLOTS } else { rules::MAX_EMPTY };
                let most = if sent.record.is_none() { empty } else { rules::MAX_SLOTS };
                let slots = slots(node, output, &self.demands, most)?;
                if self.limits.mode == FusionMode::Safe {
                    self.within_group_budget(module, output)?;
                }
                slots
            }
            Home::Group | Home::Threads => self.slots_of_group(module, output, groups)?,
        };
        let (mut functions, mut statics) = (Vec::new(), BTreeSet::new());
        for guest in &consumers {
            let (function, own) = self.guest(module, *guest, groups)?;
            // A program may notice which threads run together.
            if groups.is_none() && self.limits.mode == FusionMode::Safe && uses_lanes(module, &function) {
                return Err(Reason::Lanes);
            }
            functions.push(function);
            statics.extend(own);
        }
        let (times, each) = match (home, groups) {
            (Home::Thread, _) => (invocations(node, slots), u64::from(slots)),
            (_, Some(groups)) => (groups.count(slots.into()), groups.count(slots.into())),
            (_, None) => (slots.into(), u64::from(slots).div_ceil(groups::count(node.num_threads))),
        };
        let of_output = |op: &Op| match op {
            Op::OutputRecord { records, index } => {
                request(body, *records, output as OutputId).map(|most| (*index, most))
            }
            _ => None,
        };
        // The size of a group of records varies.
        let of_input = |op: &Op| match op {
            Op::InputRecord { index } => Some((*index, 1)),
            _ => None,
        };
        let spare = may_miss(body, of_output) || functions.iter().any(|function| may_miss(function, of_input));
        let room = Room { most: slots, spare };
        let bodies = match (is_array, functions.pop()) {
            (false, Some(function)) => vec![Body { guest: first, elements: Vec::new(), function, tables: Vec::new() }],
            (true, Some(last)) => {
                functions.push(last);
                bodies(module, consumers.into_iter().zip(functions), self.limits.bodies)?
            }
            (_, None) => return Err(Reason::Missing),
        };
        growth(node, bodies.iter().map(|body| &module.graph.nodes[body.guest]), times)?;
        if home != Home::Thread {
            let functions: Vec<&Function> = std::iter::once(body).chain(bodies.iter().map(|b| &b.function)).collect();
            groups::memory(module, (node, output), &functions, home, Room { most: slots, spare: true })?;
        }
        let rule = match (groups.map(|groups| groups.of), home) {
            (Some(GroupsOf::Grid(_)), _) => Rule::GroupGrids,
            (Some(GroupsOf::Records(_)), _) => Rule::GroupBatches,
            _ if bodies.len() > 1 => Rule::Switch,
            _ if is_array => Rule::OneCode,
            (None, Home::Group | Home::Threads) => Rule::GroupRecords,
            _ if sent.record.is_none() => Rule::EmptyRecords,
            _ if slots == 1 => Rule::OneRecord,
            _ => Rule::FewRecords,
        };
        let statics = statics.into_iter().collect();
        let fusable = Fusable { rule, home, room, times, groups, bodies, statics };
        let (of_guest, so_far) = (fusable.operations(module), self.operations.get());
        let fused = so_far.saturating_add(of_guest);
        // Lanes may run all codes one after the other.
        let is_once = each == 1 && rule != Rule::Switch;
        let most = if is_once { self.limits.one_record } else { self.limits.several_records };
        if of_guest.saturating_mul(each as usize) > most || fused > rules::MAX_FUSED_OPERATIONS {
            return Err(Reason::CodeSize);
        }
        self.operations.set(fused);
        Ok(fusable)
    }

    /// Checks the declarations of both nodes.
    fn interface(&self, module: &Module, sent: &Output, guest: usize) -> Result<(), Reason> {
        let (node, consumer) = (&module.graph.nodes[self.carrier], &module.graph.nodes[guest]);
        if consumer.launch == Launch::Mesh {
            return Err(Reason::Mesh);
        }
        if node.launch == Launch::Thread && consumer.launch != Launch::Thread {
            return Err(Reason::NeedsGroup);
        }
        if guest == self.carrier || targets(&module.graph, consumer).contains(&guest) {
            return Err(Reason::Recursion);
        }
        has_own_input(module, consumer)?;
        if consumer.wave_size.is_some() && consumer.wave_size != node.wave_size {
            return Err(Reason::WaveSize);
        }
        if node.local_root_index.is_some() || consumer.local_root_index.is_some() {
            return Err(Reason::LocalRoots);
        }
        let received = consumer.input.as_ref().and_then(|input| input.record.as_ref());
        if sent.record.as_ref().map(|record| &record.ty) != received.map(|record: &Record| &record.ty) {
            return Err(Reason::RecordType);
        }
        Ok(())
    }

    /// Checks that the threads of a group cannot exceed the budget of an output together. A fused edge would not cut
    /// their requests.
    fn within_group_budget(&self, module: &Module, output: usize) -> Result<(), Reason> {
        let node = &module.graph.nodes[self.carrier];
        if node.launch == Launch::Thread {
            return Ok(());
        }
        let (owner, max_records) = node.budget(output);
        let is_within = self.of_group(module)?.get(owner).is_some_and(|demand| demand.is_within(max_records));
        if is_within { Ok(()) } else { Err(Reason::GroupBudget) }
    }

    /// Returns the bounds of the requests of a group, by output.
    fn of_group(&self, module: &Module) -> Result<&[Demand], Reason> {
        let node = &module.graph.nodes[self.carrier];
        let threads = u32::try_from(groups::count(node.num_threads)).unwrap_or(u32::MAX);
        let body = self.body.as_ref().ok_or(Reason::Handles)?;
        let demands = || demands(module, node, body, Requesters::Group(threads), |_| false);
        Ok(self.group_demands.get_or_init(demands))
    }

    /// Returns the most records that a group sends to an output.
    fn slots_of_group(&self, module: &Module, output: usize, groups: Option<Groups>) -> Result<u32, Reason> {
        let node = &module.graph.nodes[self.carrier];
        let threads = u32::try_from(groups::count(node.num_threads)).unwrap_or(u32::MAX);
        let (owner, max_records) = node.budget(output);
        let demand = self
            .of_group(module)?
            .get(owner)
            .map_or(u64::MAX, |demand| demand.of_threads.saturating_add(demand.of_group));
        // Above the budget, a request is cut.
        if demand > u64::from(max_records) {
            return Err(Reason::Unbounded);
        }
        let demand = demand.max(1);
        let is_small = match groups {
            Some(groups) => groups.count(demand) <= rules::MAX_GUEST_GROUPS,
            None => demand <= rules::MAX_RECORDS_FOR_THREAD * u64::from(threads),
        };
        if is_small { u32::try_from(demand).map_err(|_| Reason::Unbounded) } else { Err(Reason::Unbounded) }
    }

    /// Checks the code of a consumer. Returns it, and the static variables to reset.
    fn guest(&self, module: &Module, guest: usize, groups: Option<Groups>) -> Result<(Function, Vec<Symbol>), Reason> {
        let Some(groups) = groups else {
            return match &*self.guests.of_threads(module, guest) {
                Ok(guest) => self.check_accesses(module, &guest.touched).map(|statics| (guest.body.clone(), statics)),
                Err(reason) => Err(*reason),
            };
        };
        let consumer = &module.graph.nodes[guest];
        let guest = Guest::of(module, consumer)?;
        groups::fits(module, &module.graph.nodes[self.carrier], groups, &guest.body)?;
        let threads = u32::try_from(groups::count(groups.num_threads)).unwrap_or(u32::MAX);
        within_budgets(consumer, &demands(module, consumer, &guest.body, Requesters::Group(threads), |_| false), None)?;
        let statics = self.check_accesses(module, &guest.touched)?;
        Ok((guest.body, statics))
    }

    /// Checks that the accesses of a consumer may follow those of the carrier. Returns the static variables to reset.
    fn check_accesses(&self, module: &Module, touched: &Touched) -> Result<Vec<Symbol>, Reason> {
        if touched.conflicts(&self.touched, module, self.limits.mode) {
            return Err(Reason::MemoryOrder);
        }
        statics::to_reset(module, touched, self.written)
    }
}

/// Checks that no other node receives the same records.
pub(super) fn has_own_input(module: &Module, node: &Node) -> Result<(), Reason> {
    let shares = |other: &Node| other.share_input_of.as_ref() == Some(&node.id);
    let is_shared = node.share_input_of.is_some() || module.graph.nodes.iter().any(shares);
    if is_shared { Err(Reason::SharedInput) } else { Ok(()) }
}

/// Returns the bounds of the requests of any thread, by output.
pub(super) fn demands_of_thread(module: &Module, node: &Node, body: &Function) -> Vec<Demand> {
    let threads = match node.launch {
        Launch::Thread => 1,
        _ => u32::try_from(groups::count(node.num_threads)).unwrap_or(u32::MAX),
    };
    // No thread sends less than one record.
    let is_least = |all: &[Demand]| all.iter().all(|demand| demand.of_threads.max(demand.of_group) <= 1);
    demands(module, node, body, Requesters::EachOf(threads), is_least)
}

/// Checks that no invocation exceeds a budget, except for that of one output.
pub(super) fn within_budgets(node: &Node, demands: &[Demand], except: Option<usize>) -> Result<(), Reason> {
    let is_within = |n: usize| match node.budget(n) {
        (owner, most) if owner == n && Some(n) != except => demands.get(n).is_some_and(|demand| demand.is_within(most)),
        _ => true,
    };
    if (0..node.outputs.len()).all(is_within) { Ok(()) } else { Err(Reason::Budget) }
}

/// Returns the most records that a thread sends to an output: at most `most`.
pub(super) fn slots(node: &Node, output: usize, demands: &[Demand], most: u64) -> Result<u32, Reason> {
    let (owner, max_records) = node.budget(output);
    let demand = demands.get(owner).map_or(u64::MAX, |demand| demand.of_threads);
    // Above the budget, a request is cut.
    if demand > u64::from(max_records) || demand > most {
        return Err(Reason::Unbounded);
    }
    let size = node.outputs[output].record.as_ref().map_or(0, |record| record.ty.size().unwrap_or(u32::MAX));
    if demand.saturating_mul(u64::from(size)) > rules::MAX_SLOT_BYTES {
        return Err(Reason::RecordSize);
    }
    Ok(demand.max(1) as u32)
}

/// Returns the function of a node with handles as values, or `None` if a handle has several origins.
pub(super) fn promoted(module: &Module, node: &Node) -> Option<Function> {
    let mut body = (**module.functions.get(&node.function)?).clone();
    promote(&mut body).ok().map(|()| body)
}

/// Returns the number of records that a handle has for certain; `None` for a handle of another output.
fn request(body: &Function, records: ValueId, output: OutputId) -> Option<u64> {
    match body.value(records)?.op {
        Op::Allocate { output: of, count, .. } if of == output => {
            Some(body.constant(count).map_or(0, |count| count.bits))
        }
        _ => None,
    }
}

/// Returns whether the index of a record may be wrong. `of` returns the index and the number of records.
fn may_miss(body: &Function, of: impl Fn(&Op) -> Option<(ValueId, u64)>) -> bool {
    let mut found = false;
    walk::statements(&body.body, &mut |stmt| {
        if let Stmt::Let(id) = stmt
            && let Some((index, records)) = body.value(*id).and_then(|value| of(&value.op))
        {
            found |= body.constant(index).is_none_or(|index| index.bits >= records);
        }
    });
    found
}

/// Returns who requests the records of an output, and checks that each handle names its request.
pub(super) fn requests(body: &Function, output: OutputId, is_empty: bool) -> Result<AllocScope, Reason> {
    let op = |id: ValueId| body.value(id).map(|value| &value.op);
    let (mut scopes, mut result) = ([false; 2], Ok(()));
    let mut check = |is_right: bool, reason| {
        if !is_right {
            result = Err(reason);
        }
    };
    walk::statements(&body.body, &mut |stmt| {
        let handles: Vec<ValueId> = match stmt {
            Stmt::Complete(records) => vec![*records],
            Stmt::Barrier(barrier) => barrier.records.into_iter().collect(),
            Stmt::IncrementCount { output: of, scope, .. } => {
                check(*of != output || is_empty, Reason::RecordUse);
                scopes[*scope as usize] |= *of == output;
                return;
            }
            Stmt::Let(id) => match op(*id) {
                Some(Op::OutputRecord { records, .. }) => vec![*records],
                Some(Op::Allocate { scope, output: of, .. }) => {
                    scopes[*scope as usize] |= *of == output;
                    return;
                }
                _ => return,
            },
            _ => return,
        };
        let is_request = |handle: &ValueId| matches!(op(*handle), Some(Op::Allocate { .. }));
        check(handles.iter().all(is_request), Reason::Handles);
    });
    result?;
    match scopes {
        [true, true] => Err(Reason::MixedRequests),
        [false, true] => Ok(AllocScope::Group),
        _ => Ok(AllocScope::Thread),
    }
}

/// Checks that the places of records are only read, written and divided, so that a local can replace the record.
pub(super) fn uses_of_record(body: &Function, is_record: impl Fn(&Op) -> bool) -> Result<(), Reason> {
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

/// Checks that a guest and the functions that it calls have no inline SPIR-V.
pub(super) fn inline_spirv(module: &Module, guest: &Function) -> Result<(), Reason> {
    let mut found = false;
    groups::each_callee(module, guest, &mut |function| {
        found |= function.values.values().any(|value| matches!(value.op, Op::Spirv(_)));
        walk::statements(&function.body, &mut |stmt| found |= matches!(stmt, Stmt::Spirv(_)));
    });
    if found { Err(Reason::InlineSpirv) } else { Ok(()) }
}

/// Checks that the threads of a guest do not wait for each other.
pub(super) fn barriers(guest: &Function) -> Result<(), Reason> {
    let mut found = false;
    walk::statements(&guest.body, &mut |stmt| found |= matches!(stmt, Stmt::Barrier(barrier) if barrier.group_sync));
    if found { Err(Reason::Barrier) } else { Ok(()) }
}

/// Checks the bytes that a workgroup of the fused node may send, if each guest runs at most `times` in it.
pub(super) fn growth<'a>(carrier: &Node, guests: impl Iterator<Item = &'a Node>, times: u64) -> Result<(), Reason> {
    // Those of a thread, for nodes that are launched by thread.
    let bytes = |node: &Node| {
        let of_output = |output: &crate::graph::Output| {
            let size = output.record.as_ref().and_then(|record| record.ty.size()).unwrap_or(0);
            u64::from(output.max_records) * u64::from(size)
        };
        node.outputs.iter().map(of_output).sum::<u64>()
    };
    let (mut fused, mut largest) = (bytes(carrier), bytes(carrier));
    for of_guest in guests.map(bytes) {
        fused = fused.saturating_add(of_guest.saturating_mul(times));
        largest = largest.max(of_guest);
    }
    let allowed = rules::FREE_OUTPUT_BYTES.max(largest.saturating_mul(rules::MAX_OUTPUT_GROWTH));
    if fused > allowed { Err(Reason::OutputGrowth) } else { Ok(()) }
}

/// Returns the most invocations of a guest for the records that share a budget of the carrier.
fn invocations(carrier: &Node, slots: u32) -> u64 {
    let threads = match carrier.launch {
        Launch::Thread => 1,
        _ => groups::count(carrier.num_threads),
    };
    threads.saturating_mul(u64::from(slots))
}

/// Returns the number of operations of a function and of those that it may call, each once, for limits.
pub(super) fn operations(module: &Module, function: &Function) -> usize {
    let mut count = 0_usize;
    groups::each_callee(module, function, &mut |function| count = count.saturating_add(function.values.len()));
    count
}
