//! Rules about two nodes: recursion, and what one sends against what the other takes.

use super::super::layout;
use super::facts::{Facts, Node};
use super::modes::model;
use super::{Finding, Findings};
use crate::module::{Id, Inst};
use crate::types::Type;
use spirv::{Decoration as D, ExecutionMode as M, ExecutionModel, Op};
use std::collections::BTreeMap;

/// Structures that a search through a record's members visits at most.
const MAX_STRUCTURES: usize = 4096;

/// Bytes of the payload of a node that declares no input and has no grid: three 32-bit integers.
const IMPLICIT_GRID: u64 = 12;

/// Decorations that say what a member means, at their offsets.
type Members = BTreeMap<(u64, u32), Vec<u32>>;

fn members(f: &Facts, record: Id, wanted: &[D]) -> Members {
    let mut out = Members::new();
    let mut work = vec![(record, 0u64)];
    for _ in 0..MAX_STRUCTURES {
        let Some((ty, at)) = work.pop() else { break };
        let Some(Type::Struct { members }) = f.m.ty(ty) else { continue };
        for (n, member) in (0u32..).zip(members) {
            let offset = f.m.decoration_word(ty, Some(n), D::Offset).unwrap_or(0);
            let offset = at.saturating_add(u64::from(offset));
            for d in f.m.decorations_of(ty, Some(n)).filter(|d| wanted.iter().any(|w| *w as u32 == d.kind)) {
                out.insert((offset, d.kind), f.m.decoration_operands(d).to_vec());
            }
            work.push((*member, offset));
        }
    }
    out
}

/// Offsets of the grids in a record.
pub(super) fn grids(f: &Facts, record: Id) -> Vec<u64> {
    members(f, record, &[D::PayloadDispatchIndirectAMDX]).into_keys().map(|k| k.0).collect()
}

/// Allocations of a node for nodes of its own name: the instruction, and the index where it is constant.
fn for_itself<'m>(f: &Facts<'m>, node: &Node) -> Vec<(&'m Inst, Option<u64>)> {
    let mine = |p: &&super::facts::Place| node.functions.binary_search(&p.function).is_ok();
    let allocations = f.each(Op::AllocateNodePayloadsAMDX).filter(mine).filter_map(|place| {
        let array = f.array_behind(place.inst.ty)?;
        if f.target(array)? != node.entry.name {
            return None;
        }
        let base = match f.decoration(array, D::PayloadNodeBaseIndexAMDX) {
            Some(_) => f.number(array, D::PayloadNodeBaseIndexAMDX),
            None => Some(0),
        };
        let index = f.value(f.operand(place.inst, 2));
        Some((place.inst, base.zip(index).map(|(base, index)| u64::from(base) + u64::from(index))))
    });
    allocations.collect()
}

/// A node that sends to itself says how often.
pub(super) fn recursion_depth(f: &Facts, out: &mut Findings) {
    for node in &f.nodes {
        let depth = f.mode(node, M::MaxNodeRecursionAMDX).map(|m| m.operands.first().and_then(|id| f.value(*id)));
        let why = match depth {
            None => "has no MaxNodeRecursionAMDX",
            Some(Some(0)) => "has a MaxNodeRecursionAMDX of 0",
            Some(_) => continue,
        };
        for (inst, index) in for_itself(f, node) {
            // One for another index of the same name breaks another rule.
            if index.zip(node.index).is_none_or(|(index, own)| index == u64::from(own)) {
                let message = format!("{} allocates payloads for itself and {why}", f.node_name(node));
                out.push(f.broken(inst, message, "say by MaxNodeRecursionAMDX how often it may follow itself"));
            }
        }
    }
}

/// Nodes of one name do not send to each other.
pub(super) fn recursion_index(f: &Facts, out: &mut Findings) {
    for node in &f.nodes {
        for (inst, index) in for_itself(f, node) {
            let Some((index, own)) = index.zip(node.index).filter(|(index, own)| *index != u64::from(*own)) else {
                continue;
            };
            let message = format!(
                "{} allocates payloads for `{}`[{index}], a node of its own name, and its own index is {own}",
                f.node_name(node),
                node.entry.name
            );
            out.push(f.broken(
                inst,
                message,
                "of the nodes of its name a node may send to itself alone; name the other otherwise",
            ));
        }
    }
}

/// Types that payloads are allocated of, with each node of the module that has their target's name.
fn edges<'f, 'm>(f: &'f Facts<'m>) -> impl Iterator<Item = (Id, Id, &'m Inst, &'f Node<'m>)> {
    f.payloads.iter().flat_map(move |p| {
        let edge = f.allocation(p.id).zip(f.target(p.id));
        edge.into_iter().flat_map(move |(inst, target)| {
            f.nodes.iter().filter(move |n| n.entry.name == target).map(move |n| (p.id, p.record, inst, n))
        })
    })
}

/// A node's payload is no larger than what is sent to it.
pub(super) fn sizes(f: &Facts, out: &mut Findings) {
    let sizes = layout::sizes(f.m);
    let size = |record: Id| sizes.get(&record).map(|e| e.size);
    for (array, record, inst, node) in edges(f) {
        let input = node.input.and_then(|input| f.record_behind(input.id));
        let fixed = [M::CoalescingAMDX, M::StaticNumWorkgroupsAMDX].into_iter().any(|m| f.mode(node, m).is_some());
        let wanted = match (input, node.listed.len()) {
            (Some(input), _) => size(input),
            (None, 0) if !fixed => Some(IMPLICIT_GRID),
            _ => None,
        };
        let Some((wanted, sent)) = wanted.zip(size(record)).filter(|(wanted, sent)| wanted > sent) else { continue };
        let message = format!(
            "{} takes payloads of {wanted} bytes, and those of {} have {sent}",
            f.node_name(node),
            f.array_name(array)
        );
        let help = "send the structure that the node takes, or a larger one that begins with it";
        out.push(Finding { id: array, ..f.broken(inst, message, help) });
    }
}

/// Members that mean something are where the receiver has them.
pub(super) fn same_members(f: &Facts, out: &mut Findings) {
    const MEANING: &[D] = &[D::PayloadDispatchIndirectAMDX, D::RowMajor, D::ColMajor, D::MatrixStride];
    let extents = layout::sizes(f.m);
    for (array, record, inst, node) in edges(f) {
        let Some(input) = node.input.and_then(|input| f.record_behind(input.id)) else { continue };
        if input == record {
            continue;
        }
        let end = extents.get(&input).map_or(u64::MAX, |e| e.size);
        let (sent, taken) = (members(f, record, MEANING), members(f, input, MEANING));
        let differs = sent.iter().filter(|(k, _)| k.0 < end).find(|(k, v)| taken.get(k) != Some(v));
        let differs = differs.or_else(|| taken.iter().find(|(k, v)| sent.get(k) != Some(v)));
        let Some((&(offset, kind), _)) = differs else { continue };
        let kind = D::from_u32(kind).map_or_else(String::new, |d| format!("{d:?}"));
        let message = format!(
            "{} and the payload that {} takes differ in {kind} of the member at byte {offset}",
            f.array_name(array),
            f.node_name(node)
        );
        let help = "members at the same offset have the same decorations in what is sent and in what is taken";
        out.push(Finding { id: array, ..f.broken(inst, message, help) });
    }
}

/// Who takes a tracked payload tracks it.
pub(super) fn tracked(f: &Facts, out: &mut Findings) {
    for (array, record, inst, node) in edges(f) {
        let Some(input) = node.input.and_then(|input| f.record_behind(input.id)) else { continue };
        let has = |record| f.decoration(record, D::TrackFinishWritingAMDX).is_some();
        if has(record) && !has(input) {
            let message = format!(
                "payloads of {} have TrackFinishWritingAMDX, and the payload {} that {} takes has none",
                f.array_name(array),
                f.m.describe(input),
                f.node_name(node)
            );
            let help = "decorate both structures, or neither";
            out.push(Finding { id: array, ..f.broken(inst, message, help) });
        }
    }
}

/// Nodes of one name are of one execution model.
pub(super) fn same_model(f: &Facts, out: &mut Findings) {
    let is_node = |n: &&Node| matches!(n.model, Some(ExecutionModel::GLCompute | ExecutionModel::MeshEXT));
    let mut first: rustc_hash::FxHashMap<&str, &Node> = rustc_hash::FxHashMap::default();
    for node in f.nodes.iter().filter(is_node) {
        let other = *first.entry(&node.entry.name).or_insert(node);
        if other.model != node.model {
            let message = format!(
                "two nodes are called `{}`, one of {} and one of {}",
                node.entry.name,
                model(other),
                model(node)
            );
            let (word, line) = (node.entry.inst.word, f.node_line(node));
            let help = "nodes that share a name share the execution model: name one of them otherwise".into();
            out.push(Finding { word, id: node.entry.function, line, message, help });
        }
    }
}
