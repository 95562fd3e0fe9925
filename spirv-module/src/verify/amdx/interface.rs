//! Rules about the places of payload arrays: variables that nodes list, and a storage class of their own, but never
//! values.

use super::facts::{EXTENSION, Facts};
use super::{Finding, Findings};
use crate::types::Type;
use spirv::{BuiltIn, Decoration as D, ExecutionModel, Op, StorageClass};

/// Checks that the module has SPIR-V 1.4, which the extension requires.
pub(super) fn version(f: &Facts, out: &mut Findings) {
    let (major, minor) = f.m.version;
    if (major, minor) < (1, 4) {
        let line = f.m.extensions.iter().find(|e| e.0 == EXTENSION).map_or(1, |e| e.1.word);
        let message = format!("the module is SPIR-V {major}.{minor} and uses {EXTENSION}");
        let help = "write SPIR-V 1.4 or later".into();
        out.push(Finding { word: 1, id: 0, line, message, help });
    }
}

/// Checks that payload variables are payload arrays.
pub(super) fn variable_type(f: &Facts, out: &mut Findings) {
    for global in f.m.globals.values().filter(|g| g.class == StorageClass::NodePayloadAMDX as u32) {
        let Some(Type::Pointer { pointee, .. }) = f.m.ty(global.ty) else { continue };
        if f.is_array(*pointee) {
            continue;
        }
        let of = f.nodes.iter().find(|n| n.listed.iter().any(|g| g.id == global.id));
        let of = of.map_or(String::new(), |n| format!(" of {}", f.node_name(n)));
        let message = format!(
            "the input variable {}{of} holds {}, which is not a payload array",
            f.m.describe(global.id),
            f.m.describe(*pointee)
        );
        out.push(f.broken(
            &global.inst,
            message,
            "declare an input as an OpTypeNodePayloadArrayAMDX of its payload's type",
        ));
    }
}

/// Checks that an entry point has at most one input.
pub(super) fn one_input(f: &Facts, out: &mut Findings) {
    for node in f.nodes.iter().filter(|n| n.listed.len() > 1) {
        let names: Vec<String> = node.listed.iter().map(|g| f.m.describe(g.id)).collect();
        let message = format!(
            "{} lists {} payload variables ({}); at most one is allowed, its input",
            f.node_name(node),
            names.len(),
            names.join(", ")
        );
        let help = match node.input {
            Some(input) => format!("list only {}, the one that it uses", f.m.describe(input.id)),
            None => "list only the input of this node, or none if it has none".into(),
        };
        let (word, line) = (node.entry.inst.word, f.node_line(node));
        out.push(Finding { word, id: node.entry.function, line, message, help });
    }
}

/// Checks that payload arrays are only in their own storage class, and not in other types.
pub(super) fn memory(f: &Facts, out: &mut Findings) {
    const HELP: &str = "use payload arrays only in NodePayloadAMDX: the pointer that OpAllocateNodePayloadsAMDX returns, or the input variable";
    for inst in &f.m.declarations {
        let parts: &[u32] = match f.m.ty(inst.result) {
            Some(Type::Struct { members }) => members,
            Some(Type::Array { element, .. } | Type::RuntimeArray { element }) => std::slice::from_ref(element),
            Some(Type::NodePayloadArray { payload }) => std::slice::from_ref(payload),
            _ => continue,
        };
        if let Some(array) = parts.iter().find(|id| f.is_array(**id)) {
            let message = format!("the type {} contains {}", f.m.describe(inst.result), f.array_name(*array));
            out.push(f.broken(inst, message, HELP));
        }
    }
    let locals = f.bodies().filter(|(_, i)| i.op() == Some(Op::Variable)).map(|(n, i)| (Some(n), i));
    for (function, inst) in f.m.globals.values().map(|g| (None, &g.inst)).chain(locals) {
        let Some(Type::Pointer { class, pointee }) = f.m.ty(inst.ty) else { continue };
        if !f.is_array(*pointee) || *class == StorageClass::NodePayloadAMDX {
            continue;
        }
        let place = function.map_or(String::new(), |n| format!("{}: ", f.in_nodes(n)));
        let message = format!(
            "{place}the {class:?} variable {} contains {}: writes to it reach no node",
            f.m.describe(inst.result),
            f.array_name(*pointee)
        );
        out.push(f.broken(inst, message, HELP));
    }
}

/// Checks that payload arrays are never values.
pub(super) fn values(f: &Facts, out: &mut Findings) {
    const HELP: &str = "access members with OpAccessChain from the pointer; never load, store or copy the array itself";
    // A tool may require a value as the operand that represents the type; another rule checks that operand.
    let asked: rustc_hash::FxHashSet<u32> =
        f.each(Op::IsNodePayloadValidAMDX).map(|place| f.operand(place.inst, 0)).collect();
    let stands_for_type = |i: &&crate::Inst| i.op() == Some(Op::Undef) && asked.contains(&i.result);
    let parameters = f.m.functions.iter().flat_map(|function| &function.parameters);
    for inst in f.m.declarations.iter().chain(parameters).filter(|i| f.is_array(i.ty) && !stands_for_type(i)) {
        let message = format!("{} {} is a payload array by value", inst.name(), f.m.describe(inst.result));
        out.push(f.broken(inst, message, HELP));
    }
    for (function, inst) in f.bodies() {
        let array = match inst.op() {
            Some(Op::CopyMemory) => f.array_behind(f.m.type_of(f.operand(inst, 0))),
            _ => Some(inst.ty).filter(|ty| f.is_array(*ty)),
        };
        if let Some(array) = array {
            let message = format!(
                "{}: {} uses {} by value: no node receives the copy",
                f.in_nodes(function),
                inst.name(),
                f.array_name(array)
            );
            out.push(f.broken(inst, message, HELP));
        }
    }
}

/// Checks that nodes do not use the number of workgroups, which no host supplies.
pub(super) fn num_workgroups(f: &Facts, out: &mut Findings) {
    if !f.m.has_capability(spirv::Capability::ShaderEnqueueAMDX) {
        return;
    }
    let is_count = |id: u32| {
        let mut decorations = f.m.decorations_of(id, None);
        decorations.any(|d| {
            d.kind == D::BuiltIn as u32 && f.m.decoration_operands(d).first() == Some(&(BuiltIn::NumWorkgroups as u32))
        })
    };
    for node in &f.nodes {
        if !matches!(node.model, Some(ExecutionModel::GLCompute | ExecutionModel::MeshEXT)) {
            continue;
        }
        for id in node.entry.interface.iter().filter(|id| is_count(**id)) {
            let message = format!("{} uses NumWorkgroups ({})", f.node_name(node), f.m.describe(*id));
            let help = "read the grid from the payload (PayloadDispatchIndirectAMDX), or use the constants of StaticNumWorkgroupsAMDX";
            let (word, line) = (node.entry.inst.word, f.node_line(node));
            out.push(Finding { word, id: *id, line, message, help: help.into() });
        }
    }
}
