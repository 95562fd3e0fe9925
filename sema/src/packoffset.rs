//! `: packoffset(c1.y)`: where the members of a constant buffer lie when the source says so.
//!
//! All members say so, or none. A register has 16 bytes; what does not fit into the rest of one starts a register, as
//! in automatic packing. The order of the offsets is the order of memory, whatever that of the text.

use crate::codes::Code;
use crate::cx::Cx;
use crate::diagnostic::Diagnostic;
use crate::globals::Member;
use wgc_frontend::ast::{Annotation, ExprId, ExprKind};
use wgc_ir::Type;

/// Bytes of a register.
const REGISTER: u32 = 16;

/// The byte offset that an annotation asks for. Reports one that cannot be read.
pub(crate) fn declared<'db>(cx: &mut Cx<'_, 'db>, annotations: &[Annotation]) -> Option<u32> {
    let (args, span) = annotations.iter().find_map(|a| match a {
        Annotation::PackOffset(args, span) => Some((args, *span)),
        _ => None,
    })?;
    let offset = match args.as_slice() {
        [only] => offset(cx, *only),
        _ => None,
    };
    if offset.is_none() {
        cx.error(Code::BadRegister, span, "expected a register of the buffer such as `c0`, or a part of one: `c0.y`");
    }
    offset
}

/// `c3` or `c3.y`
fn offset(cx: &Cx, expr: ExprId) -> Option<u32> {
    let register = |id: ExprId| match &cx.ast.exprs[id].kind {
        ExprKind::Path(path) => match path.segments.as_slice() {
            [only] => {
                let number: u32 = only.name.text.strip_prefix(['c', 'C'])?.parse().ok()?;
                number.checked_mul(REGISTER)
            }
            _ => None,
        },
        _ => None,
    };
    match &cx.ast.exprs[expr].kind {
        ExprKind::Member { base, name, .. } => {
            let component = ["x", "y", "z", "w"].iter().position(|c| *c == name.text)?;
            register(*base)?.checked_add(4 * component as u32)
        }
        _ => register(expr),
    }
}

/// What is wrong with the offsets of a buffer's members, given their packed types; `None` for those that are wrong
/// themselves.
pub(crate) fn check<'db>(members: &[Member<'db>], types: &[Option<Type>], out: &mut Vec<Diagnostic<'db>>) {
    let Some(first) = members.iter().find(|m| m.offset.is_some()) else { return };
    let mut ranges: Vec<(u32, u32, &Member<'db>)> = Vec::new();
    for (member, ty) in members.iter().zip(types) {
        let Some((ty, size)) = ty.as_ref().and_then(|ty| Some((ty, ty.size()?))) else { continue };
        let Some(offset) = member.offset else {
            let message = format!("`{}` has no packoffset, and other members have", member.name);
            let diagnostic = Diagnostic::new(Code::BadRegister, member.place, message);
            out.push(diagnostic.also(first.place, "such as this one"));
            continue;
        };
        let start = offset % REGISTER;
        let whole = match ty {
            Type::Scalar(_) | Type::Vector(..) => start + size > REGISTER && start > 0,
            Type::Matrix(m) if m.stored().0 == 1 => start + size > REGISTER,
            _ => start > 0,
        };
        if whole || !offset.is_multiple_of(ty.align()) {
            let message = format!("`{}` takes {size} bytes and does not fit there", member.name);
            let note = "vectors do not cross registers; matrices of several vectors, arrays and structures start one";
            out.push(Diagnostic::new(Code::BadRegister, member.place, message).note(note));
        }
        // What follows may use the rest of the register that an array ends in.
        let used = match ty {
            Type::Array { element, len, stride } => stride * (len - 1) + element.size().unwrap_or(0),
            _ => size,
        };
        ranges.push((offset, offset.saturating_add(used), member));
    }
    ranges.sort_by_key(|r| r.0);
    for pair in ranges.windows(2) {
        let &[(_, end, first), (start, _, second)] = pair else { continue };
        if start < end {
            let message = format!("`{}` lies over the end of `{}`", second.name, first.name);
            out.push(Diagnostic::new(Code::BadRegister, second.place, message).also(first.place, "which is here"));
        }
    }
}

/// Indexes of the members in the order of memory.
pub(crate) fn order(members: &[Member<'_>]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..members.len()).collect();
    order.sort_by_key(|i| members[*i].offset);
    order
}
