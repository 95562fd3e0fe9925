//! Values as template arguments.
//!
//! An argument has the type of its parameter, which instances and everything in them see: `N - 2 < 0` is unsigned for
//! `template<uint N>`. An expression is evaluated with its own type, then converted. As in DXC, integers and `bool`s
//! convert to each other, and integers are truncated to the width of the parameter. A value of an enum converts to
//! numbers as it does elsewhere. Only a value of the enum converts to the enum.

use crate::db::Db;
use crate::db::ty::Local;
use crate::db::ty::{Scalar, Ty, TyKind, Value};
use crate::tables::codes::Code;
use crate::tables::constant::Const;
use crate::types::cx::{Cx, PathTarget};
use crate::types::enum_values::enum_is_scoped;
use wgc_frontend::ast::{ExprId, ExprKind};

impl<'db> Value<'db> {
    /// Creates a number without a known type: the length of an array, the width of a vector.
    pub fn literal(db: &'db dyn Db, number: i64) -> Value<'db> {
        let constant = Const::Int { value: i128::from(number), scalar: None };
        Value { ty: Ty::new(db, TyKind::LiteralInt), constant }
    }

    pub fn number(self) -> i128 {
        self.constant.to_int().unwrap_or_default()
    }

    /// Converts the value to another type.
    ///
    /// # Errors
    /// Returns a message for the user if there is no conversion.
    pub fn converted(self, db: &'db dyn Db, to: Ty<'db>) -> Result<Value<'db>, String> {
        if self.ty == to || self.ty.is_error(db) || to.is_error(db) {
            return Ok(self);
        }
        let differs = || Err(format!("cannot convert `{}` to `{}`", self.ty.display(db), to.display(db)));
        match (self.ty.kind(db), to.kind(db)) {
            (_, TyKind::Enum(_)) => differs(),
            (TyKind::Enum(e), _) if enum_is_scoped(db, *e) => differs(),
            (_, TyKind::Scalar(s)) if s.is_integer() || *s == Scalar::Bool => {
                Ok(Value { ty: to, constant: self.constant.cast(s.repr()) })
            }
            _ => Err(format!(
                "a template argument cannot have the type `{}`: use an integer, `bool` or an enum",
                to.display(db)
            )),
        }
    }

    /// Returns the value as the user would write it.
    pub fn display(self, db: &'db dyn Db) -> String {
        match (self.ty.kind(db), self.constant) {
            (TyKind::Enum(e), _) => {
                let values = &crate::types::enum_values::enum_values(db, *e).values;
                let nth = values.iter().position(|value| *value == Some(self.constant));
                let node = crate::db::items::enum_node(db, *e);
                let name = nth.zip(node).and_then(|(n, node)| node.def.values.get(n));
                name.map_or_else(|| self.number().to_string(), |(name, _)| name.text.to_string())
            }
            (_, Const::Bool(value)) => value.to_string(),
            _ => self.number().to_string(),
        }
    }
}

impl<'db> Cx<'_, 'db> {
    /// Returns the value of an expression with its own type. Reports an error and returns `None` when it is not an
    /// integer constant.
    pub(crate) fn template_value(&mut self, expr: ExprId) -> Option<Value<'db>> {
        let constant = self.constant(expr)?;
        let ty = match constant {
            Const::Int { scalar: None, .. } => Ty::new(self.db, TyKind::LiteralInt),
            Const::Int { scalar: Some(s), .. } => {
                self.enum_of(expr).unwrap_or_else(|| Ty::scalar_ty(self.db, Scalar::of(s)))
            }
            Const::Bool(_) => self.enum_of(expr).unwrap_or_else(|| Ty::scalar_ty(self.db, Scalar::Bool)),
            Const::Float { .. } => {
                let span = self.ast.exprs[expr].span;
                self.error(Code::TemplateArguments, span, "a template argument must be an integer, not a float");
                return None;
            }
        };
        Some(Value { ty, constant })
    }

    /// Returns the enum type of a constant expression.
    fn enum_of(&mut self, expr: ExprId) -> Option<Ty<'db>> {
        let (db, ast) = (self.db, self.ast);
        let ty = match &ast.exprs[expr].kind {
            ExprKind::Paren(inner) => return self.enum_of(*inner),
            ExprKind::Cond { then, otherwise, .. } => {
                let ty = self.enum_of(*then)?;
                return (self.enum_of(*otherwise) == Some(ty)).then_some(ty);
            }
            ExprKind::Cast { ty, .. } => self.ty(*ty),
            ExprKind::Call { callee, .. } => match &ast.exprs[*callee].kind {
                ExprKind::Path(path) => match self.resolve(path) {
                    PathTarget::Type(ty) => ty,
                    _ => return None,
                },
                _ => return None,
            },
            ExprKind::Path(path) => match self.resolve(path) {
                PathTarget::EnumValue(e, _) => Ty::new(db, TyKind::Enum(e)),
                PathTarget::Value(value) => value.ty,
                PathTarget::Local(Local::Constant(ty, _)) => ty,
                PathTarget::Var(owner, var) => crate::types::globals::global_ty(db, var, owner),
                _ => return None,
            },
            _ => return None,
        };
        matches!(ty.kind(db), TyKind::Enum(_)).then_some(ty)
    }
}
