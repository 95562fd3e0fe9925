//! Members with explicit offsets: `: packoffset(c1.y)` in a constant buffer, `[[vk::offset(20)]]` in any memory.
//!
//! Either all members of a cbuffer have a `packoffset` or none; otherwise there is a warning. A register has 16
//! bytes. A member that does not fit into the rest of a register starts the next one, as in automatic packing.
//! `vk::offset` counts bytes, overrides `packoffset`, and may be on some members only. A member with neither follows
//! the previous one. Members may have any order, but they may not overlap.

use crate::db::diagnostic::Diagnostic;
use crate::tables::codes::Code;
use crate::types::attributes;
use crate::types::cx::Cx;
use crate::types::globals::Member;
use wgc_frontend::ast::{Annotation, Attribute, ExprId, ExprKind};
use wgc_ir::layout::occupied;
use wgc_ir::{StructType, Type};

/// The size of a register in bytes.
const REGISTER: u32 = 16;

/// An explicit offset, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ExplicitOffset {
    /// `: packoffset(c1.y)`
    Register(u32),
    /// `[[vk::offset(20)]]`
    Byte(u32),
}

impl ExplicitOffset {
    pub fn bytes(self) -> u32 {
        let (ExplicitOffset::Register(bytes) | ExplicitOffset::Byte(bytes)) = self;
        bytes
    }
}

/// Reads the explicit offset of a cbuffer's member. Reports an invalid one.
pub(crate) fn declared<'db>(
    cx: &mut Cx<'_, 'db>,
    attributes: &[&Attribute],
    annotations: &[Annotation],
) -> Option<ExplicitOffset> {
    let register = annotations.iter().find_map(|a| match a {
        Annotation::PackOffset(args, span) => Some((args, *span)),
        _ => None,
    });
    let register = register.and_then(|(args, span)| {
        let offset = match args.as_slice() {
            [only] => in_registers(cx, *only),
            _ => None,
        };
        if offset.is_none() {
            let message = "expected a register of the buffer such as `c0`, or one of its components: `c0.y` or `c0.g`";
            cx.error(Code::BadOffset, span, message);
        }
        offset.map(ExplicitOffset::Register)
    });
    in_bytes(cx, attributes).map(ExplicitOffset::Byte).or(register)
}

/// Reads the number of `[[vk::offset(n)]]`.
pub(crate) fn in_bytes(cx: &mut Cx<'_, '_>, attributes: &[&Attribute]) -> Option<u32> {
    let attribute = attributes.iter().find(|a| attributes::is_vulkan(a, "offset"))?;
    let offset = match attribute.args.as_deref() {
        Some([only]) => cx.int(*only).and_then(|n| u32::try_from(n).ok()),
        _ => None,
    };
    if offset.is_none() {
        cx.error(Code::BadOffset, attribute.span, "`vk::offset` expects a number of bytes");
    }
    offset
}

/// Reads `c3`, `c3.y` or `c3.g`.
fn in_registers(cx: &Cx, expr: ExprId) -> Option<u32> {
    let register = |id: ExprId| match &cx.ast.exprs[id].kind {
        ExprKind::Path(path) => match path.segments.as_slice() {
            [only] => {
                let number = only.name.text.strip_prefix(['c', 'C'])?;
                // DXC reads a bare `c` as the first register.
                let number: u32 = if number.is_empty() { 0 } else { number.parse().ok()? };
                number.checked_mul(REGISTER)
            }
            _ => None,
        },
        _ => None,
    };
    match &cx.ast.exprs[expr].kind {
        ExprKind::Member { base, name, .. } => {
            let named = |letters: &&[&str; 4]| letters.contains(&name.text.as_str());
            let letters = [["x", "y", "z", "w"], ["r", "g", "b", "a"]];
            let component = letters.iter().find(named)?.iter().position(|c| *c == name.text)?;
            register(*base)?.checked_add(4 * component as u32)
        }
        _ => register(expr),
    }
}

/// An error in the offset of a structure's field; the fields are indexes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wrong {
    /// The field starts before the other one ends.
    Overlap { field: usize, over: usize },
    /// The offset is not a multiple of the field's alignment.
    Alignment { field: usize },
}

impl Wrong {
    pub fn message(self, laid: &StructType) -> String {
        match self {
            Wrong::Overlap { field, over } => {
                let [field, over] = [field, over].map(|i| &laid.fields[i]);
                let end = u64::from(over.offset) + occupied(&over.ty);
                format!("`{}` at byte {} overlaps `{}`, which ends at {end}", field.name, field.offset, over.name)
            }
            Wrong::Alignment { field } => {
                let field = &laid.fields[field];
                let align = field.ty.align();
                format!("`{}` at byte {} must be at a multiple of {align}", field.name, field.offset)
            }
        }
    }
}

/// Returns the errors in a structure's offsets, in the order of memory.
pub(crate) fn wrong(laid: &StructType) -> Vec<Wrong> {
    let unaligned = |i: &usize| !laid.fields[*i].offset.is_multiple_of(laid.fields[*i].ty.align().max(1));
    let mut out: Vec<Wrong> =
        (0..laid.fields.len()).filter(unaligned).map(|field| Wrong::Alignment { field }).collect();
    let mut order: Vec<usize> = (0..laid.fields.len()).filter(|i| occupied(&laid.fields[*i].ty) > 0).collect();
    order.sort_by_key(|i| laid.fields[*i].offset);
    // The earlier field with the largest end.
    let mut last: Option<(u64, usize)> = None;
    for field in order {
        let start = u64::from(laid.fields[field].offset);
        let end = start + occupied(&laid.fields[field].ty);
        if let Some((before, over)) = last
            && start < before
        {
            out.push(Wrong::Overlap { field, over });
        }
        if last.is_none_or(|(before, _)| end > before) {
            last = Some((end, field));
        }
    }
    out
}

/// Checks the offsets of a buffer's members in the resulting layout.
pub(crate) fn check<'db>(members: &[Member<'db>], laid: &StructType, out: &mut Vec<Diagnostic<'db>>) {
    let register = |m: &&Member<'db>| matches!(m.offset, Some(ExplicitOffset::Register(_)));
    if let (Some(first), Some(other)) = (members.iter().find(register), members.iter().find(|m| m.offset.is_none())) {
        let message =
            format!("`{}` has no packoffset, but other members have: it follows the previous member", other.name);
        let diagnostic = Diagnostic::new(Code::MixedOffsets, other.place, message);
        out.push(diagnostic.also(first.place, "this one has a packoffset"));
    }
    for (member, field) in members.iter().zip(&laid.fields).filter(|(member, _)| register(member)) {
        let Some(size) = field.ty.size() else { continue };
        let start = field.offset % REGISTER;
        let whole = match &field.ty {
            Type::Scalar(_) | Type::Vector(..) => start + size > REGISTER && start > 0,
            Type::Matrix(m) if m.stored().0 == 1 => start + size > REGISTER && start > 0,
            _ => start > 0,
        };
        if whole {
            let message = format!(
                "`{}` ({} bytes) cannot start at this component of a register",
                member.name,
                occupied(&field.ty)
            );
            let note = "a vector cannot cross a register boundary; arrays, structures and matrices of several vectors must start a register";
            out.push(Diagnostic::new(Code::BadOffset, member.place, message).note(note));
        }
    }
    if members.iter().any(|m| m.offset.is_some()) {
        report(laid, |i| members[i].place, out);
    }
}

/// Reports the errors in the offsets of a structure; `place` returns the location of a field.
pub(crate) fn report<'db>(
    laid: &StructType,
    place: impl Fn(usize) -> crate::db::def::SourcePlace<'db>,
    out: &mut Vec<Diagnostic<'db>>,
) {
    for wrong in wrong(laid) {
        let message = wrong.message(laid);
        out.push(match wrong {
            Wrong::Overlap { field, over } => {
                Diagnostic::new(Code::BadOffset, place(field), message).also(place(over), "the other member")
            }
            Wrong::Alignment { field } => Diagnostic::new(Code::BadOffset, place(field), message),
        });
    }
}
