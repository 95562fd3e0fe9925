//! Decorations of payload array types, of payloads and of their members.

use super::facts::{Facts, Payload};
use super::{Finding, Findings};
use crate::module::{Decoration, Def, Id};
use crate::types::Type;
use spirv::{Decoration as D, Op};

/// Decorations that are allowed only on payload array types.
const OF_ARRAYS: &[D] = &[
    D::NodeMaxPayloadsAMDX,
    D::NodeSharesPayloadLimitsWithAMDX,
    D::PayloadNodeNameAMDX,
    D::PayloadNodeBaseIndexAMDX,
    D::PayloadNodeSparseArrayAMDX,
    D::PayloadNodeArraySizeAMDX,
];

/// Creates a finding about a decoration, with the source line of the first allocation of the type.
fn at(f: &Facts, target: Id, decoration: &Decoration, message: String, help: impl Into<String>) -> Finding {
    let word = decoration.inst.word;
    let line = f.allocation(target).map_or(word, |i| i.word);
    Finding { word, id: target, line, message, help: help.into() }
}

/// Creates a finding about a payload array type.
fn about(f: &Facts, payload: &Payload, message: String, help: impl Into<String>) -> Finding {
    let line = f.allocation(payload.id).map_or(payload.inst.word, |i| i.word);
    Finding { word: payload.inst.word, id: payload.id, line, message, help: help.into() }
}

/// Iterates over decorations of these kinds on any target; those of groups count at the group's targets.
fn each<'m>(f: &Facts<'m>, kinds: &'static [D]) -> impl Iterator<Item = (Id, D, &'m Decoration)> {
    let all = f.m.decorations.iter().filter(|(id, _)| f.m.def(**id) != Def::Other || f.m.strings.contains_key(*id));
    let m = f.m;
    let all: Vec<_> = all.map(|(id, _)| *id).collect();
    all.into_iter().flat_map(move |id| {
        let decorations = m.decorations.get(&id).map_or(&[][..], Vec::as_slice);
        decorations.iter().filter_map(move |d| kinds.iter().find(|k| **k as u32 == d.kind).map(|k| (id, *k, d)))
    })
}

/// Iterates over decorations of these kinds, with their id operands. The core rules reject literals instead of ids.
fn each_id<'m>(f: &Facts<'m>, kinds: &'static [D]) -> impl Iterator<Item = (Id, D, &'m Decoration, Id)> {
    let m = f.m;
    let given = move |d: &Decoration| match d.inst.op() {
        Some(Op::DecorateId) => m.decoration_operands(d).first().copied(),
        _ => None,
    };
    each(f, kinds).filter_map(move |(target, kind, d)| Some((target, kind, d, given(d)?)))
}

/// Returns a description of a decoration's target.
fn target_name(f: &Facts, target: Id, decoration: &Decoration) -> String {
    match decoration.member {
        Some(member) => format!("member {member} of {}", f.m.describe(target)),
        None => f.value_name(target),
    }
}

pub(super) fn on_arrays(f: &Facts, out: &mut Findings) {
    for (target, kind, decoration) in each(f, OF_ARRAYS) {
        if decoration.member.is_none() && f.is_array(target) {
            continue;
        }
        let message = format!("{kind:?} cannot decorate {}", target_name(f, target, decoration));
        out.push(at(f, target, decoration, message, "decorate an OpTypeNodePayloadArrayAMDX"));
    }
}

pub(super) fn max_payloads(f: &Facts, out: &mut Findings) {
    for payload in f.payloads.iter().filter(|p| f.decoration(p.id, D::NodeMaxPayloadsAMDX).is_none()) {
        let message = format!("{} has no NodeMaxPayloadsAMDX", f.array_name(payload.id));
        let help = "add it with OpDecorateId: the most payloads that the array can hold";
        out.push(about(f, payload, message, help));
    }
}

pub(super) fn numbers(f: &Facts, out: &mut Findings) {
    const NUMBERS: &[D] = &[D::NodeMaxPayloadsAMDX, D::PayloadNodeBaseIndexAMDX, D::PayloadNodeArraySizeAMDX];
    for (target, kind, decoration, operand) in each_id(f, NUMBERS) {
        // The texts require 32 bits only of execution modes.
        if !f.is_integer(operand) {
            let message =
                format!("{kind:?} of {}: {} is not an integer constant", f.array_name(target), f.value_name(operand));
            let help = "use an OpConstant or OpSpecConstant of an integer type";
            out.push(at(f, target, decoration, message, help));
        }
    }
}

pub(super) fn limits_of_another(f: &Facts, out: &mut Findings) {
    for (target, kind, decoration, with) in each_id(f, &[D::NodeSharesPayloadLimitsWithAMDX]) {
        let wrong = match with {
            _ if !f.is_array(with) => format!("{}, which is not a payload array type", f.value_name(with)),
            _ if with == target => "itself".to_string(),
            _ => continue,
        };
        let message = format!("{kind:?} of {} names {wrong}", f.array_name(target));
        out.push(at(f, target, decoration, message, "name the payload array type whose limits apply"));
    }
}

pub(super) fn limits_of_an_owner(f: &Facts, out: &mut Findings) {
    for (target, kind, decoration, with) in each_id(f, &[D::NodeSharesPayloadLimitsWithAMDX]) {
        if with != target && f.decoration(with, kind).is_some() {
            let message = format!(
                "{kind:?} of {} names {}, which itself shares limits",
                f.array_name(target),
                f.array_name(with)
            );
            out.push(at(
                f,
                target,
                decoration,
                message,
                "name the type that has the limits in all types that share them",
            ));
        }
    }
}

pub(super) fn node_name(f: &Facts, out: &mut Findings) {
    for (target, kind, decoration, name) in each_id(f, &[D::PayloadNodeNameAMDX]) {
        if f.text(name).is_none() {
            let message =
                format!("{kind:?} of {}: {} is not a string constant", f.array_name(target), f.value_name(name));
            let help = "name the node with OpConstantStringAMDX or OpSpecConstantStringAMDX";
            out.push(at(f, target, decoration, message, help));
        }
    }
}

/// Iterates over the types of allocated payloads and, with `asked`, of queries. Each type appears once.
fn targets<'f, 'm>(f: &'f Facts<'m>, asked: bool) -> impl Iterator<Item = &'f Payload<'m>> {
    let mut ids = rustc_hash::FxHashSet::default();
    for place in f.each(Op::IsNodePayloadValidAMDX).filter(|_| asked) {
        ids.insert(super::instructions::asked_type(f, place.inst));
    }
    f.payloads.iter().filter(move |p| f.allocation(p.id).is_some() || ids.contains(&Some(p.id)))
}

pub(super) fn target_named(f: &Facts, out: &mut Findings) {
    for payload in targets(f, true).filter(|p| f.decoration(p.id, D::PayloadNodeNameAMDX).is_none()) {
        let message =
            format!("payloads of {} are allocated, but it has no PayloadNodeNameAMDX", f.array_name(payload.id));
        out.push(about(f, payload, message, "name their node with OpDecorateId"));
    }
}

pub(super) fn array_size(f: &Facts, out: &mut Findings) {
    for payload in targets(f, false) {
        let has = |kind| f.decoration(payload.id, kind).is_some();
        if has(D::PayloadNodeSparseArrayAMDX) || has(D::PayloadNodeArraySizeAMDX) {
            continue;
        }
        let message =
            format!("{} has neither PayloadNodeArraySizeAMDX nor PayloadNodeSparseArrayAMDX", f.array_name(payload.id));
        let help = match f.number(payload.id, D::PayloadNodeBaseIndexAMDX) {
            Some(base) if base > 0 => {
                format!("add PayloadNodeArraySizeAMDX of at least {}: it includes the base index", u64::from(base) + 1)
            }
            _ => "add PayloadNodeArraySizeAMDX, 1 for a single node".to_string(),
        };
        out.push(about(f, payload, message, help));
    }
}

pub(super) fn track_on_structures(f: &Facts, out: &mut Findings) {
    for (target, kind, decoration) in each(f, &[D::TrackFinishWritingAMDX]) {
        if decoration.member.is_none() && matches!(f.m.ty(target), Some(Type::Struct { .. })) {
            continue;
        }
        let message = format!("{kind:?} cannot decorate {}", target_name(f, target, decoration));
        out.push(at(f, target, decoration, message, "decorate the structure that is the payload"));
    }
}

pub(super) fn grid_on_members(f: &Facts, out: &mut Findings) {
    for (target, kind, decoration) in each(f, &[D::PayloadDispatchIndirectAMDX]) {
        if decoration.member.is_none() || !matches!(f.m.ty(target), Some(Type::Struct { .. })) {
            let message = format!("{kind:?} cannot decorate {}", target_name(f, target, decoration));
            out.push(at(f, target, decoration, message, "decorate a structure's member with OpMemberDecorate"));
        }
    }
}

pub(super) fn grid_type(f: &Facts, out: &mut Findings) {
    for (target, kind, decoration) in each(f, &[D::PayloadDispatchIndirectAMDX]) {
        let (Some(member), Some(Type::Struct { members })) = (decoration.member, f.m.ty(target)) else { continue };
        let Some(&ty) = members.get(member as usize) else { continue };
        let scalar = match f.m.ty(ty) {
            Some(Type::Vector { component, count: 2 | 3 }) => *component,
            _ => ty,
        };
        if !matches!(f.m.ty(scalar), Some(Type::Int { width: ..=32, signed: false })) {
            let message = format!(
                "{kind:?} cannot decorate member {member} of {}, which is {}",
                f.m.describe(target),
                type_name(f, ty)
            );
            let help = "use an unsigned integer of at most 32 bits, or a vector of two or three of them";
            out.push(at(f, target, decoration, message, help));
        }
    }
}

/// Returns a description of a type.
fn type_name(f: &Facts, ty: Id) -> String {
    match f.m.ty(ty) {
        Some(Type::Int { width, signed }) => format!("{}int{width}", if *signed { "" } else { "u" }),
        Some(Type::Float { width }) => format!("float{width}"),
        Some(Type::Vector { component, count }) if *component != ty => {
            format!("a vector of {count} {}", type_name(f, *component))
        }
        Some(Type::Array { element, .. }) if *element != ty => format!("an array of {}", type_name(f, *element)),
        _ => f.m.describe(ty),
    }
}
