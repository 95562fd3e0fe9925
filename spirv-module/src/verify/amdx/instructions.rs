//! Operands and results of the extension's instructions.

use super::Findings;
use super::facts::{Facts, GraphInstruction};
use crate::module::{Def, Id, Inst};
use crate::types::Type;
use spirv::{Decoration as D, ExecutionMode as M, Op, Scope, StorageClass};

/// Returns a description such as `OpX in node `a``.
fn describe_instruction(f: &Facts, place: &GraphInstruction) -> String {
    format!("{} in {}", place.inst.name(), f.in_nodes(place.function))
}

/// Returns a description such as `OpX in node `a``, with the target node of the payloads.
fn describe_with_target(f: &Facts, place: &GraphInstruction, array: Option<Id>) -> String {
    match array.and_then(|ty| f.target(ty)) {
        Some(target) => format!("{} for `{target}` in {}", place.inst.name(), f.in_nodes(place.function)),
        None => describe_instruction(f, place),
    }
}

pub(super) fn allocated_type(f: &Facts, out: &mut Findings) {
    for place in f.each(Op::AllocateNodePayloadsAMDX) {
        let fits = match f.m.ty(place.inst.ty) {
            Some(Type::Pointer { class, pointee }) => *class == StorageClass::NodePayloadAMDX && f.is_array(*pointee),
            _ => false,
        };
        if !fits {
            let message = match f.m.ty(place.inst.ty) {
                Some(Type::Pointer { class, .. }) if f.array_behind(place.inst.ty).is_some() => {
                    format!("{} returns a pointer to {class:?} memory", describe_instruction(f, place))
                }
                Some(Type::Pointer { pointee, .. }) => {
                    format!(
                        "{} returns a pointer to {}, which is not a payload array",
                        describe_instruction(f, place),
                        f.m.describe(*pointee)
                    )
                }
                _ => format!(
                    "{} returns {}, which is not a pointer",
                    describe_instruction(f, place),
                    f.value_name(place.inst.ty)
                ),
            };
            let help = "use a pointer to an OpTypeNodePayloadArrayAMDX in NodePayloadAMDX";
            out.push(f.broken(place.inst, message, help));
        }
    }
}

pub(super) fn visibility(f: &Facts, out: &mut Findings) {
    for place in f.each(Op::AllocateNodePayloadsAMDX) {
        let scope = f.operand(place.inst, 0);
        let value = f.value(scope).and_then(Scope::from_u32);
        if matches!(value, Some(Scope::Invocation | Scope::Workgroup)) {
            continue;
        }
        let is = value.map_or_else(|| f.value_name(scope), |v| format!("{v:?}"));
        let message = format!("{} is visible to {is}", describe_with_target(f, place, f.array_behind(place.inst.ty)));
        let help = "use the constant 4 (Invocation) for records of a thread, or 2 (Workgroup) for those of a group";
        out.push(f.broken(place.inst, message, help));
    }
}

pub(super) fn counts(f: &Facts, out: &mut Findings) {
    const OPERANDS: &[(Op, usize, &str)] = &[
        (Op::AllocateNodePayloadsAMDX, 1, "Payload Count"),
        (Op::AllocateNodePayloadsAMDX, 2, "Node Index"),
        (Op::IsNodePayloadValidAMDX, 1, "Node Index"),
    ];
    for place in &f.places {
        for (_, n, name) in OPERANDS.iter().filter(|row| row.0 == place.op) {
            let id = f.operand(place.inst, *n);
            // The texts require 32 bits only of execution modes.
            if !matches!(f.m.ty(f.m.type_of(id)), Some(Type::Int { .. })) {
                let message =
                    format!("{name} of {} is {}, not an integer", describe_instruction(f, place), f.value_name(id));
                out.push(f.broken(place.inst, message, "use a scalar of an integer type"));
            }
        }
    }
}

pub(super) fn count_in_limits(f: &Facts, out: &mut Findings) {
    for place in f.each(Op::AllocateNodePayloadsAMDX) {
        let Some(array) = f.array_behind(place.inst.ty) else { continue };
        let count = f.value(f.operand(place.inst, 1));
        let Some((count, most)) = count.zip(f.number(array, D::NodeMaxPayloadsAMDX)) else { continue };
        if count > most {
            let message = format!(
                "{} requests {count} payloads; the limit is {most}",
                describe_with_target(f, place, Some(array))
            );
            let help = "request fewer, or raise NodeMaxPayloadsAMDX of the type";
            out.push(f.broken(place.inst, message, help));
        }
    }
}

pub(super) fn index_in_array(f: &Facts, out: &mut Findings) {
    for place in f.each(Op::AllocateNodePayloadsAMDX) {
        let Some(array) = f.array_behind(place.inst.ty) else { continue };
        let base = u64::from(f.number(array, D::PayloadNodeBaseIndexAMDX).unwrap_or(0));
        let index = f.value(f.operand(place.inst, 2)).map(u64::from);
        let Some(size) = f.number(array, D::PayloadNodeArraySizeAMDX) else { continue };
        // The index is added to the base, regardless of its value.
        if base + index.unwrap_or(0) >= u64::from(size) {
            let message = format!(
                "{} uses the node index {}{}, but PayloadNodeArraySizeAMDX is {size}",
                describe_with_target(f, place, Some(array)),
                base + index.unwrap_or(0),
                if index.is_none() { " or higher" } else { "" }
            );
            let help = "set the size to the base index plus the number of nodes: it also counts the nodes below the base index";
            out.push(f.broken(place.inst, message, help));
        }
    }
}

pub(super) fn asked_index(f: &Facts, out: &mut Findings) {
    for place in f.each(Op::IsNodePayloadValidAMDX) {
        let Some(array) = asked_type(f, place.inst) else { continue };
        let index = f.value(f.operand(place.inst, 1));
        let Some((index, size)) = index.zip(f.number(array, D::PayloadNodeArraySizeAMDX)) else { continue };
        if index >= size {
            let message = format!(
                "{} tests the index {index}, but PayloadNodeArraySizeAMDX is {size}",
                describe_with_target(f, place, Some(array))
            );
            out.push(f.broken(place.inst, message, "test an index below the array's size"));
        }
    }
}

pub(super) fn enqueued(f: &Facts, out: &mut Findings) {
    for place in f.each(Op::EnqueueNodePayloadsAMDX) {
        let id = f.operand(place.inst, 0);
        if f.every_origin(id, |id| f.is_allocation(id)) {
            continue;
        }
        let message = format!("{} sends {}, which was not allocated", describe_instruction(f, place), f.value_name(id));
        let help = "send the pointer that OpAllocateNodePayloadsAMDX returned";
        out.push(f.broken(place.inst, message, help));
    }
}

pub(super) fn length_of(f: &Facts, out: &mut Findings) {
    for place in f.each(Op::NodePayloadArrayLengthAMDX) {
        let id = f.operand(place.inst, 0);
        if f.every_origin(id, |id| f.is_allocation(id) || f.is_input(id)) {
            continue;
        }
        let message = format!(
            "{} is applied to {}, which is not a payload array of the node",
            describe_instruction(f, place),
            f.value_name(id)
        );
        let help = "apply it to the input variable, or to a result of OpAllocateNodePayloadsAMDX";
        out.push(f.broken(place.inst, message, help));
    }
}

pub(super) fn length_type(f: &Facts, out: &mut Findings) {
    for place in f.each(Op::NodePayloadArrayLengthAMDX) {
        if !matches!(f.m.ty(place.inst.ty), Some(Type::Int { width: 32, signed: false })) {
            let message = format!(
                "{} returns {}, not an unsigned 32-bit integer",
                describe_instruction(f, place),
                f.m.describe(place.inst.ty)
            );
            out.push(f.broken(place.inst, message, "use OpTypeInt 32 0 as the result type"));
        }
    }
}

pub(super) fn answers(f: &Facts, out: &mut Findings) {
    for place in &f.places {
        let asks = matches!(place.op, Op::IsNodePayloadValidAMDX | Op::FinishWritingNodePayloadAMDX);
        if asks && !matches!(f.m.ty(place.inst.ty), Some(Type::Bool)) {
            let message =
                format!("{} returns {}, not a boolean", describe_instruction(f, place), f.m.describe(place.inst.ty));
            out.push(f.broken(place.inst, message, "use OpTypeBool as the result type"));
        }
    }
}

/// Returns the payload array type that OpIsNodePayloadValidAMDX queries. Some front ends pass a value or pointer of it.
pub(super) fn asked_type(f: &Facts, inst: &Inst) -> Option<Id> {
    let id = f.operand(inst, 0);
    [id, f.m.type_of(id)].into_iter().find(|id| f.is_array(*id)).or_else(|| f.array_behind(f.m.type_of(id)))
}

pub(super) fn asked_by_type(f: &Facts, out: &mut Findings) {
    for place in f.each(Op::IsNodePayloadValidAMDX) {
        let id = f.operand(place.inst, 0);
        if f.is_array(id) {
            continue;
        }
        let message =
            format!("{} tests {}, which is not a payload array type", describe_instruction(f, place), f.value_name(id));
        let help = match asked_type(f, place.inst) {
            Some(ty) => format!("use the type {} itself", f.m.describe(ty)),
            None => "use an OpTypeNodePayloadArrayAMDX".into(),
        };
        out.push(f.broken(place.inst, message, help));
    }
}

pub(super) fn finished_variable(f: &Facts, out: &mut Findings) {
    for place in f.each(Op::FinishWritingNodePayloadAMDX) {
        let id = f.operand(place.inst, 0);
        if !f.is_input(id) || f.m.def(id) != Def::Global {
            let message = format!(
                "{} is applied to {}, which is not a payload variable",
                describe_instruction(f, place),
                f.value_name(id)
            );
            out.push(f.broken(
                place.inst,
                message,
                "apply it to the OpVariable in NodePayloadAMDX that is the node's input",
            ));
        }
    }
}

pub(super) fn finished_tracked(f: &Facts, out: &mut Findings) {
    for place in f.each(Op::FinishWritingNodePayloadAMDX) {
        let Some(record) = f.record_behind(f.operand(place.inst, 0)) else { continue };
        if f.decoration(record, D::TrackFinishWritingAMDX).is_none() {
            let message = format!(
                "{}: its payload {} lacks TrackFinishWritingAMDX",
                describe_instruction(f, place),
                f.m.describe(record)
            );
            let help = "decorate the payload's structure, also in the nodes that send it";
            out.push(f.broken(place.inst, message, help));
        }
    }
}

pub(super) fn finished_broadcast(f: &Facts, out: &mut Findings) {
    for place in f.each(Op::FinishWritingNodePayloadAMDX) {
        let coalesces = |n: &&super::facts::Node| f.mode(n, M::CoalescingAMDX).is_some();
        if let Some(node) = f.nodes_of(place.function).find(coalesces) {
            let message = format!("{} runs in {}, which has CoalescingAMDX", place.inst.name(), f.node_name(node));
            let help = "use it only in nodes with a grid, which write their input together";
            out.push(f.broken(place.inst, message, help));
        }
    }
}
