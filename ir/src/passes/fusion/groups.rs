//! Consumers in the group of their producer: a grid of few groups, groups of coalesced records, or threads that share
//! the records of the group.

use super::mailbox::{self, Home, Room};
use super::rules::{self, Reason};
use crate::Symbol;
use crate::function::*;
use crate::graph::{Grid, Launch, Node};
use crate::module::{GlobalKind, Module};
use crate::passes::inline::for_each_call;
use crate::types::{AllocScope, Type};
use crate::walk;
use rustc_hash::FxHashSet;

/// The groups of a guest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Groups {
    pub num_threads: [u32; 3],
    pub of: GroupsOf,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum GroupsOf {
    /// Each record has a grid of groups.
    Grid([u32; 3]),
    /// Each group has up to this many records.
    Records(u32),
}

impl Groups {
    /// Returns the groups of a consumer; `None` for a thread node.
    ///
    /// # Errors
    /// The groups are too many for one group of the carrier.
    pub fn of(consumer: &Node) -> Result<Option<Groups>, Reason> {
        let of = match (consumer.launch, consumer.grid) {
            (Launch::Thread, _) => return Ok(None),
            (Launch::Mesh, _) => return Err(Reason::Mesh),
            (Launch::Coalescing, _) => {
                GroupsOf::Records(consumer.input.as_ref().map_or(1, |input| input.max_records).max(1))
            }
            (Launch::Broadcasting, Grid::Fixed(grid)) if count(grid) <= rules::MAX_GUEST_GROUPS => GroupsOf::Grid(grid),
            (Launch::Broadcasting, _) => return Err(Reason::Grid),
        };
        Ok(Some(Groups { num_threads: consumer.num_threads, of }))
    }

    /// Returns the number of groups for so many records.
    pub fn count(self, records: u64) -> u64 {
        match self.of {
            GroupsOf::Grid(grid) => records.saturating_mul(count(grid)),
            GroupsOf::Records(most) => records.div_ceil(most.into()),
        }
    }
}

/// Returns the product of three numbers.
pub(super) fn count(of: [u32; 3]) -> u64 {
    of.iter().map(|&n| u64::from(n)).product()
}

/// Calls `f` with a function and all functions that it may call, each once.
pub(super) fn each_callee<'a>(module: &'a Module, function: &'a Function, f: &mut impl FnMut(&'a Function)) {
    let (mut seen, mut work) = (FxHashSet::default(), vec![function]);
    while let Some(function) = work.pop() {
        f(function);
        for_each_call(function, &mut |callee| {
            if let Some(callee) = module.functions.get(callee).filter(|_| seen.insert(callee.clone())) {
                work.push(callee);
            }
        });
    }
}

/// Checks that the groups of a consumer can be the first threads of the carrier's group.
pub(super) fn fits(module: &Module, carrier: &Node, groups: Groups, body: &Function) -> Result<(), Reason> {
    if !matches!(carrier.launch, Launch::Broadcasting | Launch::Coalescing) {
        return Err(Reason::NeedsGroup);
    }
    let (own, of_guest) = (count(carrier.num_threads), count(groups.num_threads));
    let (mut meets, mut has_lanes, mut callee_reads_builtin) = (false, false, false);
    each_callee(module, body, &mut |function| {
        let is_callee = !std::ptr::eq(function, body);
        for value in function.values.values() {
            match &value.op {
                op if op.is_across_lanes() => has_lanes = true,
                Op::Allocate { scope: AllocScope::Group, .. } => meets = true,
                Op::Builtin(Builtin::SubgroupLane | Builtin::SubgroupId | Builtin::NumSubgroups) => has_lanes = true,
                Op::Builtin(Builtin::SubgroupSize) => {}
                Op::Builtin(_) => callee_reads_builtin |= is_callee,
                _ => {}
            }
        }
        walk::statements(&function.body, &mut |stmt| match stmt {
            Stmt::Barrier(barrier) => meets |= barrier.group_sync,
            Stmt::IncrementCount { scope: AllocScope::Group, .. } => meets = true,
            _ => {}
        });
    });
    // Threads that the guest does not have would not meet the others.
    let is_right = of_guest == own || of_guest < own && !meets;
    if !is_right || (has_lanes && groups.num_threads != carrier.num_threads) || callee_reads_builtin {
        return Err(Reason::GroupSize);
    }
    let asks_sharing = body.values.values().any(|value| value.op == Op::FinishedSharing);
    match groups.of {
        GroupsOf::Grid(grid) if asks_sharing && count(grid) != 1 => Err(Reason::RecordUse),
        _ => Ok(()),
    }
}

/// Checks the groupshared memory of a carrier, its guests and the records between them. `bodies` are their functions.
pub(super) fn memory(
    module: &Module,
    (carrier, output): (&Node, usize),
    bodies: &[&Function],
    home: Home,
    room: Room,
) -> Result<(), Reason> {
    let mut names: FxHashSet<&Symbol> = FxHashSet::default();
    for body in bodies {
        each_callee(module, body, &mut |function| {
            names.extend(function.values.values().filter_map(|value| match &value.op {
                Op::Global(name) => Some(name),
                _ => None,
            }));
        });
    }
    let bytes = |kind: &GlobalKind| match kind {
        GlobalKind::Workgroup { ty } => u64::from(ty.size().unwrap_or(u32::MAX)),
        _ => 0,
    };
    let of_code: u64 = names.into_iter().filter_map(|name| module.globals.get(name)).map(|g| bytes(&g.kind)).sum();
    let globals = mailbox::globals(carrier, output, home, room);
    let of_records: u64 = globals.iter().map(|global| bytes(&global.kind)).sum();
    let is_small = of_records <= rules::MAX_MAILBOX_BYTES && of_code + of_records <= rules::MAX_GROUP_BYTES;
    if is_small { Ok(()) } else { Err(Reason::GroupMemory) }
}

/// The position of a thread in the groups of a guest, for system values.
#[derive(Clone, Copy)]
pub(super) struct Shape {
    pub groups: Groups,
    /// The number of threads of the carrier's group in each dimension.
    pub carrier: [u32; 3],
    /// The number of the group in the grid of its record.
    pub group: Option<ValueId>,
}

impl Shape {
    /// Returns a system value of the guest, or `None` if it is that of the carrier.
    pub fn builtin(self, b: &mut crate::builder::FunctionBuilder, builtin: Builtin) -> Option<ValueId> {
        let has_same_shape = self.groups.num_threads == self.carrier;
        match builtin {
            Builtin::GroupThreadId if has_same_shape => None,
            Builtin::GroupThreadId => {
                let index = b.builtin(Builtin::GroupIndex);
                Some(self.coordinates(b, index, self.groups.num_threads))
            }
            Builtin::GroupId => Some(self.group_id(b)),
            Builtin::DispatchThreadId => {
                let group = self.group_id(b);
                let thread = match self.builtin(b, Builtin::GroupThreadId) {
                    Some(thread) => thread,
                    None => b.builtin(Builtin::GroupThreadId),
                };
                let sizes = self.groups.num_threads.map(|n| b.const_u32(n));
                let size = b.compose(Type::Vector(crate::types::Scalar::U32, 3), sizes.to_vec());
                let first = b.mul(group, size);
                Some(b.add(first, thread))
            }
            _ => None,
        }
    }

    fn group_id(self, b: &mut crate::builder::FunctionBuilder) -> ValueId {
        match (self.groups.of, self.group) {
            (GroupsOf::Grid(grid), Some(group)) => self.coordinates(b, group, grid),
            _ => {
                let zero = b.const_u32(0);
                b.compose(Type::Vector(crate::types::Scalar::U32, 3), vec![zero; 3])
            }
        }
    }

    /// Returns the position of a number in a box of this size, x fastest.
    fn coordinates(self, b: &mut crate::builder::FunctionBuilder, number: ValueId, [x, y, _]: [u32; 3]) -> ValueId {
        let (x, xy) = (b.const_u32(x), b.const_u32(x.saturating_mul(y)));
        let y = b.const_u32(y);
        let first = b.binary(BinaryOp::Rem, number, x);
        let rest = b.binary(BinaryOp::Div, number, x);
        let second = b.binary(BinaryOp::Rem, rest, y);
        let third = b.binary(BinaryOp::Div, number, xy);
        b.compose(Type::Vector(crate::types::Scalar::U32, 3), vec![first, second, third])
    }
}
