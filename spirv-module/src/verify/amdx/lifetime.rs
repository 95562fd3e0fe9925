//! What happens to payloads in time: allocated, written, sent, and then left alone.
//!
//! The texts call most of this undefined behaviour, which depends on the way that a node takes. Reported is what happens
//! on every way: an access that the end of the payload's life dominates.

use super::super::atomics::is_integer_atomic;
use super::Findings;
use super::facts::{Facts, Place};
use crate::module::Id;
use crate::structure::Structure;
use rustc_hash::{FxHashMap, FxHashSet};
use spirv::Op;

/// Every allocation is sent somewhere.
pub(super) fn all_enqueued(f: &Facts, out: &mut Findings) {
    let mut sent: FxHashSet<Id> = FxHashSet::default();
    for place in f.each(Op::EnqueueNodePayloadsAMDX) {
        match f.origins(f.operand(place.inst, 0)) {
            Some(origins) => sent.extend(origins),
            // Unknown: it may be any.
            None => return,
        }
    }
    for place in f.each(Op::AllocateNodePayloadsAMDX).filter(|p| !sent.contains(&p.inst.result)) {
        let target = f.array_behind(place.inst.ty).and_then(|ty| f.target(ty));
        let message = format!(
            "{}: the payloads {}{} are allocated and never enqueued",
            f.in_nodes(place.function),
            f.m.describe(place.inst.result),
            target.map_or_else(String::new, |t| format!(" for `{t}`"))
        );
        let help = "send them by OpEnqueueNodePayloadsAMDX with this pointer, also those without data";
        out.push(f.broken(place.inst, message, help));
    }
}

/// Nothing reads or writes what was sent.
pub(super) fn after_enqueue(f: &Facts, out: &mut Findings) {
    after(f, Op::EnqueueNodePayloadsAMDX, false, out, |access, end| {
        (
            format!("{access} what {end} sent before"),
            "write everything first, and enqueue last: the payloads are their receiver's then".to_string(),
        )
    });
}

/// Nothing writes an input that is said to be finished.
pub(super) fn after_finish(f: &Facts, out: &mut Findings) {
    after(f, Op::FinishWritingNodePayloadAMDX, true, out, |access, end| {
        (
            format!("{access} the input after {end}"),
            "write the payload first, and say last that it is written".to_string(),
        )
    });
}

/// Reports accesses to the payload of an instruction that ends its life, where that instruction comes first on every way.
fn after(f: &Facts, end: Op, writes_only: bool, out: &mut Findings, text: impl Fn(&str, &str) -> (String, String)) {
    let mut functions: Vec<usize> = f.each(end).map(|p| p.function).collect();
    functions.dedup();
    for index in functions {
        let Some(function) = f.m.functions.get(index) else { continue };
        // Branches to nowhere are the core rules' business.
        let Ok(structure) = Structure::of(function) else { continue };
        let mut ends: FxHashMap<Id, Vec<&Place>> = FxHashMap::default();
        for place in f.each(end).filter(|p| p.function == index) {
            ends.entry(f.operand(place.inst, 0)).or_default().push(place);
        }
        // The array that each pointer points into. Definitions stand before their uses.
        let mut homes: FxHashMap<Id, Id> = FxHashMap::default();
        for (block, b) in function.blocks.iter().enumerate() {
            for (at, inst) in b.insts.iter().enumerate() {
                let Some(op) = inst.op() else { continue };
                let home = |id: Id| homes.get(&id).copied().unwrap_or(id);
                if matches!(op, Op::AccessChain | Op::InBoundsAccessChain | Op::CopyObject) {
                    let base = home(f.operand(inst, 0));
                    homes.insert(inst.result, base);
                    continue;
                }
                for (n, writes) in accesses(op) {
                    if writes_only && !writes {
                        continue;
                    }
                    let Some(places) = ends.get(&home(f.operand(inst, *n))) else { continue };
                    let before = |p: &&&Place| {
                        if p.block == block { p.at < at } else { structure.dominators.dominates(p.block, block) }
                    };
                    let Some(first) = places.iter().find(before) else { continue };
                    let access =
                        format!("{}: {} {}", f.in_nodes(index), inst.name(), if *writes { "writes" } else { "reads" });
                    let (message, help) = text(&access, &first.inst.name());
                    out.push(f.broken(inst, message, help));
                }
            }
        }
    }
}

/// The pointers that an instruction accesses memory through, and whether it writes.
fn accesses(op: Op) -> &'static [(usize, bool)] {
    match op {
        Op::Load | Op::AtomicLoad => &[(0, false)],
        Op::Store | Op::AtomicStore => &[(0, true)],
        Op::CopyMemory => &[(0, true), (1, false)],
        Op::AtomicExchange | Op::AtomicCompareExchange | Op::AtomicFAddEXT | Op::AtomicFMinEXT | Op::AtomicFMaxEXT => {
            &[(0, true)]
        }
        _ if is_integer_atomic(op) => &[(0, true)],
        _ => &[],
    }
}
