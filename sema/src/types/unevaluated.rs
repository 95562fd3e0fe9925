//! Operands that are not evaluated: the operand of `sizeof` in a constant.

use crate::db::ty::{Repr, Ty, TyKind};
use crate::types::const_eval::{Const, NotConst};
use crate::types::cx::{Cx, PathTarget};
use crate::types::globals::global_ty;
use crate::types::suggestions::NameKind;
use wgc_frontend::ast::{ExprId, ExprKind, Span};

impl<'db> Cx<'_, 'db> {
    /// Evaluates `sizeof(operand)` for a type, or for an expression whose type follows from declarations.
    pub(crate) fn sizeof(&mut self, operand: ExprId, span: Span) -> Result<Const, NotConst<'db>> {
        let Some(ty) = self.operand_ty(operand) else {
            return Err(NotConst::Because(span, "cannot determine the type of this expression here".to_string()));
        };
        match crate::types::layout::size_of(self.db, ty) {
            Some(size) => Ok(Const::int(i64::from(size), Repr::U32)),
            None if ty.is_error(self.db) => Err(NotConst::Reported),
            None => Err(NotConst::Because(span, "this type has no size".to_string())),
        }
    }

    /// Returns the type of an operand, or the type that it names. `None` if only a check of the body finds it.
    fn operand_ty(&mut self, operand: ExprId) -> Option<Ty<'db>> {
        let (ast, db) = (self.ast, self.db);
        match &ast.exprs[operand].kind {
            ExprKind::Type(ty) => Some(self.ty(*ty)),
            ExprKind::Paren(inner) => self.operand_ty(*inner),
            ExprKind::Path(path) => match self.resolve(path) {
                PathTarget::Type(ty) => Some(ty),
                PathTarget::Var(owner, var) => Some(global_ty(db, var, owner)),
                PathTarget::Error => Some(Ty::error(db)),
                PathTarget::Nothing(at) => {
                    self.unknown(path, at, NameKind::Value);
                    Some(Ty::error(db))
                }
                _ => None,
            },
            // The parser reads `T[2]` as a subscript too.
            ExprKind::Index { .. } if self.is_array_of_type(operand) => {
                Some(self.expr_as_type(operand).unwrap_or(Ty::error(db)))
            }
            ExprKind::Index { base, .. } => Some(match *self.operand_ty(*base)?.kind(db) {
                TyKind::Array(element, _) => element,
                TyKind::Vector(s, _) | TyKind::Matrix { scalar: s, columns: 1, .. } => Ty::scalar_ty(db, s),
                TyKind::Matrix { scalar, columns, .. } => Ty::new(db, TyKind::Vector(scalar, columns)),
                _ => return None,
            }),
            ExprKind::Member { base, name, args: None } => {
                let mut ty = self.operand_ty(*base)?;
                for index in crate::types::record::path_to_field(db, ty.as_record(db)?, &name.text)? {
                    ty = crate::types::record::record(db, ty.as_record(db)?).fields.get(index as usize)?.ty;
                }
                Some(ty)
            }
            _ => None,
        }
    }
}
