//! Rules about execution modes of nodes: launch, grid, entry, index, sharing.

use super::super::Extent;
use super::facts::{Facts, Node};
use super::{Finding, Findings, Graph};
use crate::constant::Value;
use crate::module::{ExecutionMode, Id};
use crate::types::Type;
use rustc_hash::FxHashMap;
use spirv::{Decoration as D, ExecutionMode as M, ExecutionModel};

/// The most nodes that share an input, including its owner.
const MAX_SHARERS: usize = 256;

fn at(f: &Facts, node: &Node, mode: &ExecutionMode, message: String, help: impl Into<String>) -> Finding {
    Finding { word: mode.inst.word, id: node.entry.function, line: f.node_line(node), message, help: help.into() }
}

/// Checks that only compute shaders coalesce.
pub(super) fn coalescing_model(f: &Facts, out: &mut Findings) {
    for node in f.nodes.iter().filter(|n| n.model != Some(ExecutionModel::GLCompute)) {
        if let Some(mode) = f.mode(node, M::CoalescingAMDX) {
            let message = format!("{} is of {} but has CoalescingAMDX", f.node_name(node), model(node));
            out.push(at(f, node, mode, message, "only GLCompute nodes can coalesce: give this one a grid"));
        }
    }
}

pub(super) fn model(node: &Node) -> String {
    node.model.map_or_else(|| format!("execution model {}", node.entry.model), |m| format!("{m:?}"))
}

/// Checks that a coalescing node has no grid.
pub(super) fn coalescing_alone(f: &Facts, out: &mut Findings) {
    for node in f.nodes.iter().filter(|n| f.mode(n, M::CoalescingAMDX).is_some()) {
        for other in [M::StaticNumWorkgroupsAMDX, M::MaxNumWorkgroupsAMDX] {
            if let Some(mode) = f.mode(node, other) {
                let message = format!("{} has both CoalescingAMDX and {other:?}", f.node_name(node));
                let help = format!("a coalescing node runs one workgroup: remove {other:?} or CoalescingAMDX");
                out.push(at(f, node, mode, message, help));
            }
        }
    }
}

/// Checks that a grid is either static or a maximum.
pub(super) fn one_grid(f: &Facts, out: &mut Findings) {
    for node in f.nodes.iter().filter(|n| f.mode(n, M::StaticNumWorkgroupsAMDX).is_some()) {
        if let Some(mode) = f.mode(node, M::MaxNumWorkgroupsAMDX) {
            let message = format!("{} has both StaticNumWorkgroupsAMDX and MaxNumWorkgroupsAMDX", f.node_name(node));
            let help = "keep one: the static grid, or the maximum of a grid in the payload";
            out.push(at(f, node, mode, message, help));
        }
    }
}

/// Checks that only compute and mesh nodes have the modes of nodes.
pub(super) fn node_models(f: &Facts, out: &mut Findings) {
    const MODES: [M; 4] = [M::IsApiEntryAMDX, M::StaticNumWorkgroupsAMDX, M::MaxNumWorkgroupsAMDX, M::ShaderIndexAMDX];
    for node in &f.nodes {
        if matches!(node.model, Some(ExecutionModel::GLCompute | ExecutionModel::MeshEXT)) {
            continue;
        }
        for mode in MODES.into_iter().filter_map(|mode| f.mode(node, mode)) {
            let name = M::from_u32(mode.mode).map_or_else(String::new, |m| format!("{m:?}"));
            let message = format!("`{}` is of {} but has {name}", node.name, model(node));
            out.push(at(f, node, mode, message, "only GLCompute and MeshEXT entry points can be nodes"));
        }
    }
}

fn is_bool(f: &Facts, id: Id) -> bool {
    let constant = f.m.constants.get(&id).filter(|k| k.value != Value::Undef);
    constant.is_some_and(|k| matches!(f.m.ty(k.ty), Some(Type::Bool)))
}

/// Checks that the operand of IsApiEntryAMDX is a boolean.
pub(super) fn entry_is_bool(f: &Facts, out: &mut Findings) {
    for node in &f.nodes {
        let Some(mode) = f.mode(node, M::IsApiEntryAMDX) else { continue };
        let operand = mode.operands.first().copied().unwrap_or(0);
        if !is_bool(f, operand) {
            let message =
                format!("IsApiEntryAMDX of {}: {} is not a boolean constant", f.node_name(node), f.value_name(operand));
            out.push(at(f, node, mode, message, "use OpConstantTrue or OpConstantFalse"));
        }
    }
}

/// Checks that the numbers of modes are 32-bit integer constants.
pub(super) fn numbers(f: &Facts, out: &mut Findings) {
    const NUMBERS: &[(M, usize)] = &[
        (M::MaxNodeRecursionAMDX, 0),
        (M::StaticNumWorkgroupsAMDX, 0),
        (M::MaxNumWorkgroupsAMDX, 0),
        (M::ShaderIndexAMDX, 0),
        (M::SharesInputWithAMDX, 1),
    ];
    for node in &f.nodes {
        for &(kind, first) in NUMBERS {
            let Some(mode) = f.mode(node, kind) else { continue };
            for operand in mode.operands.iter().skip(first).filter(|id| !f.is_number(**id)) {
                let message = format!(
                    "{kind:?} of {}: {} is not a 32-bit integer constant",
                    f.node_name(node),
                    f.value_name(*operand)
                );
                out.push(at(f, node, mode, message, "use an OpConstant or OpSpecConstant of a 32-bit integer type"));
            }
        }
    }
}

/// Checks that the name of a shared node is a string constant.
pub(super) fn sharing_name(f: &Facts, out: &mut Findings) {
    for (node, mode) in sharers(f) {
        let name = mode.operands.first().copied().unwrap_or(0);
        if f.text(name).is_none() {
            let message = format!(
                "SharesInputWithAMDX of {}: {} is not a string constant",
                f.node_name(node),
                f.value_name(name)
            );
            out.push(at(f, node, mode, message, "name the node with OpConstantStringAMDX or OpSpecConstantStringAMDX"));
        }
    }
}

/// Iterates over the nodes that share another's input, with the mode.
fn sharers<'f, 'm>(f: &'f Facts<'m>) -> impl Iterator<Item = (&'f Node<'m>, &'m ExecutionMode)> {
    f.nodes.iter().filter_map(|node| Some((node, f.mode(node, M::SharesInputWithAMDX)?)))
}

/// Checks that a node that shares an input is not an entry.
pub(super) fn sharing_no_entry(f: &Facts, out: &mut Findings) {
    for (node, mode) in sharers(f) {
        let entry = f.mode(node, M::IsApiEntryAMDX);
        let value = entry.and_then(|mode| mode.operands.first()).and_then(|id| f.m.constant_u64(*id));
        // Another rule reports an operand that is not a boolean.
        if entry.is_some() && value != Some(1) {
            continue;
        }
        let reason =
            if entry.is_some() { "sets IsApiEntryAMDX to true" } else { "has no IsApiEntryAMDX, so it is an entry" };
        let message = format!("{} has SharesInputWithAMDX but {reason}", f.node_name(node));
        out.push(at(f, node, mode, message, "give it IsApiEntryAMDX with OpConstantFalse"));
    }
}

/// Checks that the owner of a shared input exists and shares no input itself. Only a whole graph can lack it, since
/// other modules may have it.
pub(super) fn sharing_owner(f: &Facts, graph: &Graph, out: &mut Findings) {
    for (node, mode) in sharers(f) {
        let Some((name, index)) = node.owner else { continue };
        let owner = graph.nodes().find(|(_, n)| n.name == name && n.index == Some(index));
        let what = match owner {
            Some((of, owner)) if of.mode(owner, M::SharesInputWithAMDX).is_some() => {
                format!("{}, which itself shares an input", of.node_name(owner))
            }
            // A node without a known index may be the missing one.
            None if graph.extent == Extent::All && !graph.nodes().any(|(_, n)| n.name == name && n.index.is_none()) => {
                format!("`{name}`[{index}], but the graph has no such node")
            }
            _ => continue,
        };
        let message = format!("{} shares the input of {what}", f.node_name(node));
        out.push(at(f, node, mode, message, "name the owner of the input in all nodes that share it"));
    }
}

/// Checks that at most 256 nodes share an input.
pub(super) fn sharing_count(f: &Facts, graph: &Graph, out: &mut Findings) {
    let mut count: FxHashMap<(&str, u32), usize> = FxHashMap::default();
    let all = graph.modules.iter().flat_map(|of| sharers(of).map(move |sharer| (of, sharer)));
    for (of, (node, mode)) in all {
        let Some(owner) = node.owner else { continue };
        let sharing = count.entry(owner).or_insert(1);
        *sharing += 1;
        if *sharing == MAX_SHARERS + 1 && std::ptr::eq(of, f) {
            let message = format!(
                "{} is the {sharing}th node that consumes the input of `{}`[{}]",
                f.node_name(node),
                owner.0,
                owner.1
            );
            out.push(at(f, node, mode, message, "let at most 256 nodes share an input, including its owner"));
        }
    }
}

/// Checks that a node that shares an input does not write it.
pub(super) fn sharing_read_only(f: &Facts, out: &mut Findings) {
    for (node, mode) in sharers(f) {
        let Some(input) = node.input else { continue };
        let whole = f.m.decoration(input.id, None, D::NonWritable).is_some();
        let record = f.record_behind(input.id).unwrap_or(0);
        let members = match f.m.ty(record) {
            Some(Type::Struct { members }) => members.len() as u32,
            _ => 0,
        };
        let open = (0..members).find(|n| f.m.decoration(record, Some(*n), D::NonWritable).is_none());
        if let Some(member) = open.filter(|_| !whole) {
            let message = format!(
                "{} has SharesInputWithAMDX, but member {member} of its payload {} is not NonWritable",
                f.node_name(node),
                f.m.describe(record)
            );
            let help = "decorate every member of the payload's structure with NonWritable; use a separate structure for this input";
            out.push(at(f, node, mode, message, help));
        }
    }
}

/// Checks that the payload contains the grid of a node that is neither static nor coalescing.
pub(super) fn grid_in_payload(f: &Facts, out: &mut Findings) {
    for node in &f.nodes {
        let fixed = [M::CoalescingAMDX, M::StaticNumWorkgroupsAMDX].into_iter().any(|m| f.mode(node, m).is_some());
        if fixed || !matches!(node.model, Some(ExecutionModel::GLCompute | ExecutionModel::MeshEXT)) {
            continue;
        }
        let Some(record) = node.input.and_then(|input| f.record_behind(input.id)) else { continue };
        if super::members::grids(f, record).is_empty() {
            let message = format!(
                "{} has neither StaticNumWorkgroupsAMDX nor CoalescingAMDX, but no member of its payload {} has PayloadDispatchIndirectAMDX",
                f.node_name(node),
                f.m.describe(record)
            );
            let help = "decorate the member that holds the grid, or give the node a static grid";
            let (word, line) = (node.entry.inst.word, f.node_line(node));
            out.push(Finding { word, id: record, line, message, help: help.into() });
        }
    }
}
