//! Rules of image operations that the declarations cannot say: offsets are constants in range, comparisons need floats.

use super::hir::{Arg, Body, ExprId};
use super::ops::BuiltinOp;
use super::{Checker, env, fold};
use crate::db::Db;
use crate::db::ty::{Repr as Scalar, Ty, TyKind};
use crate::tables::codes::Code;
use wgc_frontend::ast::Span;
use wgc_ir::SAMPLE_OFFSETS;

/// What every device takes for offsets of gathers.
const GATHER_OFFSETS: std::ops::RangeInclusive<i32> = -32..=31;

impl<'db> Checker<'_, 'db> {
    /// Whether the call is well-formed; reports when not.
    pub(super) fn check_image(&mut self, op: BuiltinOp, object: Option<ExprId>, args: &[Arg], span: Span) -> bool {
        let texel = object.and_then(|o| self.texel_type(o));
        let complaint = match (op, texel) {
            (
                BuiltinOp::ImageSample { compare: true, .. },
                // A gather of comparisons is one of any numbers, as for DXC.
                Some((s, _)),
            ) if !s.is_float() => Some("a comparison needs float texels".to_string()),
            (BuiltinOp::ImageGatherRaw, Some((s, n))) if n > 1 || !s.is_integer() || s.is_signed() => {
                Some("a raw gather needs unsigned texels of one component".to_string())
            }
            _ => None,
        };
        if let Some(message) = complaint {
            self.error(Code::TexelAccess, span, message);
            return false;
        }
        // Behind sampler and coordinate, what is an integer is an offset.
        let offsets: Vec<ExprId> = match op {
            BuiltinOp::ImageSample { .. } | BuiltinOp::ImageGather { .. } | BuiltinOp::ImageGatherRaw => {
                args.iter().skip(2).filter_map(|a| self.offset_argument(*a)).collect()
            }
            _ => return true,
        };
        let gathers = !matches!(op, BuiltinOp::ImageSample { .. });
        let range = if gathers { GATHER_OFFSETS } else { SAMPLE_OFFSETS };
        offsets.into_iter().all(|offset| {
            let at = self.span(offset);
            match constant_offset(self.db, &self.body, offset) {
                // A gather takes variables: alone, or one gather for each. What a call or an iteration of a loop makes
                // of the offset of a sample is known when a module is written.
                None => true,
                Some(parts) => match parts.into_iter().find(|part| !range.contains(part)) {
                    Some(part) => {
                        let message = format!("the offset {part} is not from {} to {}", range.start(), range.end());
                        self.error(Code::TexelOffset, at, message);
                        false
                    }
                    None => true,
                },
            }
        })
    }

    /// Component type and count of a texture's texels.
    fn texel_type(&self, object: ExprId) -> Option<(Scalar, u8)> {
        let TyKind::Record(r) = self.ty(object).kind(self.db) else { return None };
        match env::argument_ty(self.db, *r)?.kind(self.db) {
            TyKind::Scalar(s) => Some((s.repr(), 1)),
            TyKind::Vector(s, n) => Some((s.repr(), *n)),
            _ => None,
        }
    }

    fn offset_argument(&self, arg: Arg) -> Option<ExprId> {
        match arg {
            Arg::In(e) if is_offset(self.db, self.ty(e)) => Some(e),
            _ => None,
        }
    }
}

/// Offsets are the only integers among the arguments of a sampling method.
pub(crate) fn is_offset<'db>(db: &'db dyn Db, ty: Ty<'db>) -> bool {
    matches!(ty.kind(db), TyKind::Scalar(s) | TyKind::Vector(s, _) if s.repr() == Scalar::I32)
}

/// The components of an offset, a scalar or vector of integers, if it is constant.
pub(crate) fn constant_offset<'db>(db: &'db dyn Db, body: &Body<'db>, id: ExprId) -> Option<Vec<i32>> {
    // An offset that was written as unsigned has been converted: it wraps.
    fold::components(db, body, id).map(|parts| parts.into_iter().map(|c| c.bits as u32 as i32).collect())
}
