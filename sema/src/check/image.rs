//! Rules of image operations beyond their declarations: offsets are constants in range, comparisons need floats.

use super::hir::{Arg, Body, ExprId};
use super::ops::BuiltinOp;
use super::{Checker, env, fold};
use crate::db::Db;
use crate::db::ty::{Repr as Scalar, Ty, TyKind};
use crate::tables::codes::Code;
use wgc_frontend::ast::Span;
use wgc_ir::SAMPLE_OFFSETS;

/// The offset range for gathers that every device supports.
const GATHER_OFFSETS: std::ops::RangeInclusive<i32> = -32..=31;

impl<'db> Checker<'_, 'db> {
    /// Returns whether the call is well-formed; reports errors.
    pub(super) fn check_image(&mut self, op: BuiltinOp, object: Option<ExprId>, args: &[Arg], span: Span) -> bool {
        let texel = object.and_then(|o| self.texel_type(o));
        let complaint = match (op, texel) {
            // DXC accepts gathers that compare integers, but formats with depth are floats.
            (
                BuiltinOp::ImageSample { compare: true, .. } | BuiltinOp::ImageGather { compare: true, .. },
                Some((s, _)),
            ) if !s.is_float() => {
                Some("comparison sampling needs a float texture, such as `Texture2D<float>`".to_string())
            }
            (BuiltinOp::ImageGatherRaw, Some((s, n))) if n > 1 || !s.is_integer() || s.is_signed() => {
                Some("a raw gather needs unsigned texels of one component".to_string())
            }
            _ => None,
        };
        if let Some(message) = complaint {
            self.error(Code::TexelAccess, span, message);
            return false;
        }
        // After sampler and coordinate, integers are offsets.
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
                // A gather accepts variable offsets: as one gather, or as one for each offset. The offset of a sample
                // may become constant through inlining or unrolling, which is known when a module is written.
                None => true,
                Some(parts) => match parts.into_iter().find(|part| !range.contains(part)) {
                    Some(part) => {
                        let message =
                            format!("the offset {part} is outside of the range {} to {}", range.start(), range.end());
                        self.error(Code::TexelOffset, at, message);
                        false
                    }
                    None => true,
                },
            }
        })
    }

    /// Returns the component type and count of a texture's texels.
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

/// Returns whether an argument's type is that of an offset, the only integers among the arguments of a sampling method.
pub(crate) fn is_offset<'db>(db: &'db dyn Db, ty: Ty<'db>) -> bool {
    matches!(ty.kind(db), TyKind::Scalar(s) | TyKind::Vector(s, _) if s.repr() == Scalar::I32)
}

/// Returns the components of a constant offset, which is a scalar or vector of integers.
pub(crate) fn constant_offset<'db>(db: &'db dyn Db, body: &Body<'db>, id: ExprId) -> Option<Vec<i32>> {
    // An offset written as unsigned was converted: it wraps.
    fold::components(db, body, id).map(|parts| parts.into_iter().map(|c| c.bits as u32 as i32).collect())
}
