//! The rule about writes to NonWritable inputs. AMDX-16 requires that decoration on a shared input, and this rule that
//! it is respected.

use super::Findings;
use super::facts::Facts;
use super::lifetime::{Access, accesses};
use crate::module::{Id, Inst};
use crate::types::Type;
use rustc_hash::FxHashSet;
use spirv::{Decoration as D, Op};

/// The most nested access chains that are followed.
const MAX_CHAINS: usize = 64;

/// Checks that an input, or a member of its payload, is not written if it is NonWritable.
pub(super) fn writes(f: &Facts, out: &mut Findings) {
    for (function, inst) in f.bodies() {
        let writes = accesses(inst.op().unwrap_or(Op::Nop)).iter().filter(|access| access.1 == Access::Writes);
        for (operand, _) in writes {
            let Some((input, member)) = read_only(f, f.operand(inst, *operand)) else { continue };
            let what = match member {
                Some((record, member)) => format!("member {member} of {} in the input", f.m.describe(record)),
                None => "the input".into(),
            };
            let message = format!(
                "{}: {} writes {what} {}, which is NonWritable",
                f.in_nodes(function),
                inst.name(),
                f.m.describe(input)
            );
            let help = "write to a copy, or to another record: nodes that share an input may only read it";
            out.push(f.broken(inst, message, help));
        }
    }
}

/// Returns the NonWritable input that a pointer points into, and the member if only that is NonWritable.
fn read_only(f: &Facts, pointer: Id) -> Option<(Id, Option<(Id, u32)>)> {
    let (mut at, mut chains): (Id, Vec<&Inst>) = (pointer, Vec::new());
    let mut seen = FxHashSet::default();
    while !f.is_input(at) {
        if !seen.insert(at) || seen.len() > MAX_CHAINS {
            return None;
        }
        let inst = f.m.inst(at)?;
        match inst.op()? {
            Op::CopyObject => {}
            Op::AccessChain | Op::InBoundsAccessChain => chains.push(inst),
            _ => return None,
        }
        at = f.operand(inst, 0);
    }
    if f.decoration(at, D::NonWritable).is_some() {
        return Some((at, None));
    }
    let mut ty = f.array_behind(f.m.type_of(at))?;
    for index in chains.iter().rev().flat_map(|inst| f.m.operands(inst).iter().skip(1)) {
        ty = match f.m.ty(ty)? {
            Type::NodePayloadArray { payload } => *payload,
            Type::Struct { members } => {
                let member = f.m.constant_u32(*index)?;
                if f.m.decoration(ty, Some(member), D::NonWritable).is_some() {
                    return Some((at, Some((ty, member))));
                }
                *members.get(member as usize)?
            }
            Type::Array { element, .. } | Type::RuntimeArray { element } => *element,
            // Vectors and matrices have no members.
            _ => return None,
        };
    }
    // A write to a whole structure writes each of its members.
    match f.m.ty(ty)? {
        Type::Struct { members } => {
            let mut all = 0..members.len() as u32;
            let member = all.find(|n| f.m.decoration(ty, Some(*n), D::NonWritable).is_some())?;
            Some((at, Some((ty, member))))
        }
        _ => None,
    }
}
