//! Rules about two nodes: recursion, and payloads as the sender and the receiver declare them.

use super::super::Extent;
use super::facts::{Facts, Node};
use super::members::{self, Difference};
use super::modes::model;
use super::{Finding, Findings, Graph};
use crate::module::{Id, Inst};
use rustc_hash::{FxHashMap, FxHashSet};
use spirv::{Decoration as D, ExecutionMode as M, ExecutionModel, Op};

/// The payload size in bytes of a node without a declared input or a fixed grid: three 32-bit integers.
const IMPLICIT_GRID: u64 = 12;

/// Returns the allocations of a node for nodes of its own name: the instruction, and the index if it is constant.
fn for_itself<'m>(f: &Facts<'m>, node: &Node) -> Vec<(&'m Inst, Option<u64>)> {
    let mine = |p: &&super::facts::GraphInstruction| node.functions.binary_search(&p.function).is_ok();
    let allocations = f.each(Op::AllocateNodePayloadsAMDX).filter(mine).filter_map(|place| {
        let array = f.array_behind(place.inst.ty)?;
        if f.target(array)? != node.name {
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

/// Checks that a node that sends to itself declares its recursion depth.
pub(super) fn recursion_depth(f: &Facts, out: &mut Findings) {
    for node in &f.nodes {
        let depth = f.mode(node, M::MaxNodeRecursionAMDX).map(|m| m.operands.first().and_then(|id| f.value(*id)));
        let why = match depth {
            None => "has no MaxNodeRecursionAMDX",
            Some(Some(0)) => "has a MaxNodeRecursionAMDX of 0",
            Some(_) => continue,
        };
        for (inst, index) in for_itself(f, node) {
            // An allocation for another index of the same name breaks another rule.
            if index.zip(node.index).is_none_or(|(index, own)| index == u64::from(own)) {
                let message = format!("{} allocates payloads for itself, but {why}", f.node_name(node));
                out.push(f.broken(inst, message, "add MaxNodeRecursionAMDX with the number of levels below the first"));
            }
        }
    }
}

/// Checks that nodes of one name do not send to each other.
pub(super) fn recursion_index(f: &Facts, out: &mut Findings) {
    for node in &f.nodes {
        for (inst, index) in for_itself(f, node) {
            let Some((index, own)) = index.zip(node.index).filter(|(index, own)| *index != u64::from(*own)) else {
                continue;
            };
            let message = format!(
                "{} allocates payloads for `{}`[{index}], another node of its own name; its own index is {own}",
                f.node_name(node),
                node.name
            );
            out.push(f.broken(
                inst,
                message,
                "a node cannot send to other nodes of its own name: rename the other node",
            ));
        }
    }
}

/// A type of allocated payloads, with a receiving node: one of the target's name, or one that shares the input of such
/// a node.
struct Edge<'g, 'm> {
    array: Id,
    record: Id,
    inst: &'m Inst,
    /// The module of the node.
    to: &'g Facts<'m>,
    node: &'g Node<'m>,
}

impl Edge<'_, '_> {
    /// Returns the structure that the node receives, in its module.
    fn input(&self) -> Option<Id> {
        self.node.input.and_then(|input| self.to.record_behind(input.id))
    }
}

/// Iterates over the edges of a module.
fn edges<'g, 'm>(f: &'g Facts<'m>, graph: &'g Graph<'g, 'm>) -> impl Iterator<Item = Edge<'g, 'm>> {
    f.payloads.iter().flat_map(move |p| {
        let edge = f.allocation(p.id).zip(f.target(p.id));
        edge.into_iter().flat_map(move |(inst, target)| {
            let takes = move |n: &Node| n.name == target || n.owner.is_some_and(|(name, _)| name == target);
            let nodes = graph.nodes().filter(move |(_, n)| takes(n));
            nodes.map(move |(to, node)| Edge { array: p.id, record: p.record, inst, to, node })
        })
    })
}

/// The payload that a node receives.
#[derive(Clone, Copy)]
enum Taken {
    Declared(Id),
    /// An undeclared payload of this many bytes: none, or those of a grid.
    Implicit(u64),
}

impl Taken {
    /// Returns the payload of a node; `None` if it lists several and the right one is unknown.
    fn of(f: &Facts, node: &Node) -> Option<Taken> {
        if let Some(input) = node.input {
            return Some(Taken::Declared(f.record_behind(input.id)?));
        }
        let fixed = [M::CoalescingAMDX, M::StaticNumWorkgroupsAMDX].into_iter().any(|m| f.mode(node, m).is_some());
        node.listed.is_empty().then_some(Taken::Implicit(if fixed { 0 } else { IMPLICIT_GRID }))
    }

    fn bytes(self, f: &Facts) -> Option<u64> {
        match self {
            Taken::Declared(record) => f.sizes.get(&record).map(|e| e.size),
            Taken::Implicit(bytes) => Some(bytes),
        }
    }
}

/// Checks that a node's payload is no larger than the payloads sent to it.
pub(super) fn sizes(f: &Facts, graph: &Graph, out: &mut Findings) {
    for edge in edges(f, graph) {
        let Edge { array, record, inst, to, node } = edge;
        let wanted = Taken::of(to, node).and_then(|taken| taken.bytes(to));
        let sent = f.sizes.get(&record).map(|e| e.size);
        let Some((wanted, sent)) = wanted.zip(sent).filter(|(wanted, sent)| wanted > sent) else { continue };
        let message = format!(
            "{} consumes payloads of {wanted} bytes, but those of {} have {sent}",
            to.node_name(node),
            f.array_name(array)
        );
        let help = "send the structure that the node consumes, or a larger one that begins with it";
        out.push(Finding { id: array, ..f.broken(inst, message, help) });
    }
}

/// Checks that members are at the receiver's offsets and have the same meaning.
pub(super) fn same_members(f: &Facts, graph: &Graph, out: &mut Findings) {
    for edge in edges(f, graph) {
        let Edge { array, record, inst, to, node } = edge;
        let Some(input) = edge.input() else { continue };
        if input == record && std::ptr::eq(f, to) {
            continue;
        }
        let (array, node) = (f.array_name(array), to.node_name(node));
        let (message, help) = match members::difference(f, record, to, input) {
            None => continue,
            Some(Difference::Decoration { kind, offset }) => (
                format!("{array} and the payload of {node} differ in {kind} of the member at byte {offset}"),
                "give members at the same offset the same decorations in both payloads",
            ),
            Some(Difference::NotSent { member, offset }) => (
                format!("{node} consumes {member} at byte {offset} of its payload, but {array} has no member there"),
                "put the member at the offset of a sent member, or inside of one",
            ),
        };
        out.push(Finding { id: edge.array, ..f.broken(inst, message, help) });
    }
}

/// Checks that the receiver of a tracked payload tracks it.
pub(super) fn tracked(f: &Facts, graph: &Graph, out: &mut Findings) {
    for edge in edges(f, graph) {
        let Edge { array, record, inst, to, node } = edge;
        let Some(input) = edge.input() else { continue };
        let has = |f: &Facts, record| f.decoration(record, D::TrackFinishWritingAMDX).is_some();
        if has(f, record) && !has(to, input) {
            let message = format!(
                "payloads of {} have TrackFinishWritingAMDX, but the payload {} of {} does not",
                f.array_name(array),
                to.m.describe(input),
                to.node_name(node)
            );
            let help = "decorate both structures, or neither";
            out.push(Finding { id: array, ..f.broken(inst, message, help) });
        }
    }
}

/// Checks that nodes of one name have one execution model.
pub(super) fn same_model(f: &Facts, graph: &Graph, out: &mut Findings) {
    let mut first: FxHashMap<&str, &Node> = FxHashMap::default();
    for (of, node) in graph.nodes().filter(|(_, node)| is_node(node)) {
        let other = *first.entry(node.name).or_insert(node);
        if other.model != node.model && std::ptr::eq(of, f) {
            let message = format!(
                "two nodes have the name `{}`, but one is of {} and one of {}",
                node.name,
                model(other),
                model(node)
            );
            let (word, line) = (node.entry.inst.word, f.node_line(node));
            let help = "nodes with the same name must have the same execution model: rename one of them".into();
            out.push(Finding { word, id: node.entry.function, line, message, help });
        }
    }
}

/// Checks that nodes of one name receive the same payload.
pub(super) fn same_payload(f: &Facts, graph: &Graph, out: &mut Findings) {
    let mut first: FxHashMap<&str, (&Facts, &Node, Taken)> = FxHashMap::default();
    for (of, node) in graph.nodes().filter(|(_, node)| is_node(node)) {
        let Some(taken) = Taken::of(of, node) else { continue };
        let (other_of, other, others) = *first.entry(node.name).or_insert((of, node, taken));
        // Two models or equal indexes under one name break other rules.
        let is_sibling = other.model == node.model && (node.index.is_none() || other.index != node.index);
        if !is_sibling || !std::ptr::eq(of, f) {
            continue;
        }
        let Some(how) = payloads_differ((of, taken), (other_of, others)) else { continue };
        let message =
            format!("{} and {} consume different payloads: {how}", other_of.node_name(other), of.node_name(node));
        let (word, line) = (node.entry.inst.word, f.node_line(node));
        let help = "nodes of one name must consume the same payload at all indexes: rename one of them".into();
        out.push(Finding { word, id: node.entry.function, line, message, help });
    }
}

/// Describes the difference between the payloads of two nodes.
fn payloads_differ((f, taken): (&Facts, Taken), (other_of, other): (&Facts, Taken)) -> Option<String> {
    let (bytes, others) = (taken.bytes(f)?, other.bytes(other_of)?);
    if bytes != others {
        return Some(format!("one has {others} bytes and one {bytes}"));
    }
    let (a, b) = match (taken, other) {
        (Taken::Declared(a), Taken::Declared(b)) => (a, b),
        (Taken::Declared(a), _) | (_, Taken::Declared(a)) if bytes > 0 => {
            let f = if matches!(taken, Taken::Declared(_)) { f } else { other_of };
            let is_same = members::grids(f, a) == [0];
            return (!is_same).then(|| "one is a grid of three integers".into());
        }
        _ => return None,
    };
    if a == b && std::ptr::eq(f, other_of) {
        return None;
    }
    let differs = members::difference(other_of, b, f, a).or_else(|| members::difference(f, a, other_of, b));
    match differs {
        Some(Difference::Decoration { kind, offset }) => Some(format!("in {kind} of the member at byte {offset}")),
        Some(Difference::NotSent { member, offset }) => Some(format!("one has {member} at byte {offset}")),
        None => None,
    }
}

fn is_node(node: &Node) -> bool {
    matches!(node.model, Some(ExecutionModel::GLCompute | ExecutionModel::MeshEXT))
}

/// Checks that nodes of one name have different indexes.
pub(super) fn same_identity(f: &Facts, graph: &Graph, out: &mut Findings) {
    let mut seen: FxHashMap<(&str, u32), &Node> = FxHashMap::default();
    for (of, node) in graph.nodes().filter(|(_, node)| is_node(node)) {
        let Some(index) = node.index else { continue };
        let other = *seen.entry((node.name, index)).or_insert(node);
        // Two models under one name break another rule.
        if !std::ptr::eq(other, node) && other.model == node.model && std::ptr::eq(of, f) {
            let message = format!("duplicate node `{}`[{index}] in the graph", node.name);
            let (word, line) = (node.entry.inst.word, f.node_line(node));
            let help = "give one of them another name or index".into();
            out.push(Finding { word, id: node.entry.function, line, message, help });
        }
    }
}

/// Checks that all nodes of an array exist unless it is sparse. Applies only to whole graphs, since other modules may
/// have the nodes.
pub(super) fn missing_targets(f: &Facts, graph: &Graph, out: &mut Findings) {
    if graph.extent != Extent::All {
        return;
    }
    let known: FxHashSet<(&str, u32)> = graph.nodes().filter_map(|(_, n)| Some((n.name, n.index?))).collect();
    // A node without a known index may be the missing one.
    let open: FxHashSet<&str> = graph.nodes().filter(|(_, n)| n.index.is_none()).map(|(_, n)| n.name).collect();
    for p in &f.payloads {
        let Some((inst, target)) = f.allocation(p.id).zip(f.target(p.id)) else { continue };
        if f.decoration(p.id, D::PayloadNodeSparseArrayAMDX).is_some() || open.contains(target) {
            continue;
        }
        let Some(size) = f.number(p.id, D::PayloadNodeArraySizeAMDX) else { continue };
        // Indexes below the base are never reached.
        let first = f.number(p.id, D::PayloadNodeBaseIndexAMDX).unwrap_or(0);
        if let Some(index) = (first..size).find(|index| !known.contains(&(target, *index))) {
            let message = format!("{} targets `{target}`[{index}], but the graph has no such node", f.array_name(p.id));
            let help = "add the node, or decorate the type with PayloadNodeSparseArrayAMDX";
            out.push(Finding { id: p.id, ..f.broken(inst, message, help) });
        }
    }
}
