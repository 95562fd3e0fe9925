//! Rules about the lifetime of payloads: they are allocated, written, sent, and not accessed afterwards.
//!
//! The texts mostly call a violation undefined behaviour, which depends on the path that a node takes. The rules report
//! violations on every path: an access that is dominated by the end of the payload's life.

use super::super::atomics::is_integer_atomic;
use super::Findings;
use super::facts::{Facts, GraphInstruction};
use crate::module::Id;
use crate::structure::Structure;
use rustc_hash::{FxHashMap, FxHashSet};
use spirv::Op;

/// Checks that every allocation is enqueued.
pub(super) fn all_enqueued(f: &Facts, out: &mut Findings) {
    let mut sent: FxHashSet<Id> = FxHashSet::default();
    for place in f.each(Op::EnqueueNodePayloadsAMDX) {
        match f.origins(f.operand(place.inst, 0)) {
            Some(origins) => sent.extend(origins),
            // An unknown origin may be any allocation.
            None => return,
        }
    }
    for place in f.each(Op::AllocateNodePayloadsAMDX).filter(|p| !sent.contains(&p.inst.result)) {
        let target = f.array_behind(place.inst.ty).and_then(|ty| f.target(ty));
        let message = format!(
            "{}: the payloads {}{} are allocated but never enqueued",
            f.in_nodes(place.function),
            f.m.describe(place.inst.result),
            target.map_or_else(String::new, |t| format!(" for `{t}`"))
        );
        let help = "send them with OpEnqueueNodePayloadsAMDX and this pointer, even if they have no data";
        out.push(f.broken(place.inst, message, help));
    }
}

/// Checks that sent payloads are not read, written or sent again.
pub(super) fn after_enqueue(f: &Facts, out: &mut Findings) {
    after(f, Op::EnqueueNodePayloadsAMDX, false, out, |access, end| {
        (
            format!("{access} payloads after {end} sent them"),
            "write everything before the only enqueue: afterwards the payloads belong to the consumer".to_string(),
        )
    });
}

/// Checks that a finished input is not written.
pub(super) fn after_finish(f: &Facts, out: &mut Findings) {
    after(f, Op::FinishWritingNodePayloadAMDX, true, out, |access, end| {
        (
            format!("{access} the input after {end}"),
            "write the payload before this instruction, which declares it written".to_string(),
        )
    });
}

/// Reports accesses to a payload after an instruction that ends its life, if that instruction precedes them on every
/// path.
fn after(f: &Facts, end: Op, writes_only: bool, out: &mut Findings, text: impl Fn(&str, &str) -> (String, String)) {
    let mut functions: Vec<usize> = f.each(end).map(|p| p.function).collect();
    functions.dedup();
    for index in functions {
        let Some(function) = f.m.functions.get(index) else { continue };
        // The core rules report branches to missing labels.
        let Ok(structure) = Structure::of(function) else { continue };
        // Returns the array that a copy of its pointer refers to.
        let root = |id: Id| match f.origins(id).as_deref() {
            Some(&[one]) => one,
            _ => id,
        };
        let mut ends: FxHashMap<Id, Vec<&GraphInstruction>> = FxHashMap::default();
        for place in f.each(end).filter(|p| p.function == index) {
            ends.entry(root(f.operand(place.inst, 0))).or_default().push(place);
        }
        // The array that each pointer points into. Definitions precede their uses.
        let mut homes: FxHashMap<Id, Id> = FxHashMap::default();
        for (block, b) in function.blocks.iter().enumerate() {
            for (at, inst) in b.insts.iter().enumerate() {
                let Some(op) = inst.op() else { continue };
                let home = |id: Id| homes.get(&id).copied().unwrap_or_else(|| root(id));
                if matches!(op, Op::AccessChain | Op::InBoundsAccessChain | Op::CopyObject) {
                    let base = home(f.operand(inst, 0));
                    homes.insert(inst.result, base);
                    continue;
                }
                let again = op == end && op == Op::EnqueueNodePayloadsAMDX;
                let accesses = if again { &[(0, Access::Sends)] } else { accesses(op) };
                for (n, access) in accesses {
                    if writes_only && *access == Access::Reads {
                        continue;
                    }
                    // Sending a pointer into the array breaks another rule.
                    let pointer = f.operand(inst, *n);
                    let array = if again { root(pointer) } else { home(pointer) };
                    let Some(places) = ends.get(&array) else { continue };
                    let before = |p: &&&GraphInstruction| {
                        if p.block == block { p.at < at } else { structure.dominators.dominates(p.block, block) }
                    };
                    let Some(first) = places.iter().find(before) else { continue };
                    let verb = match access {
                        Access::Reads => "reads",
                        Access::Writes => "writes",
                        Access::Sends => "sends again",
                    };
                    let access = format!("{}: {} {verb}", f.in_nodes(index), inst.name());
                    let (message, help) = text(&access, &first.inst.name());
                    out.push(f.broken(inst, message, help));
                }
            }
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Access {
    Reads,
    Writes,
    Sends,
}

/// Returns the pointer operands through which an instruction accesses memory, and the kind of access.
pub(super) fn accesses(op: Op) -> &'static [(usize, Access)] {
    match op {
        Op::Load | Op::AtomicLoad => &[(0, Access::Reads)],
        Op::Store | Op::AtomicStore => &[(0, Access::Writes)],
        Op::CopyMemory => &[(0, Access::Writes), (1, Access::Reads)],
        Op::AtomicExchange | Op::AtomicCompareExchange | Op::AtomicFAddEXT | Op::AtomicFMinEXT | Op::AtomicFMaxEXT => {
            &[(0, Access::Writes)]
        }
        _ if is_integer_atomic(op) => &[(0, Access::Writes)],
        _ => &[],
    }
}
