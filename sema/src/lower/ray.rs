//! Ray queries. A query is not a value: methods name its place. Functions take it by reference, regardless of the
//! parameter's declaration, as with DXC's handle to a query.

use super::place::Lvalue;
use super::{Lower, Lowerer};
use crate::check::hir::{Arg, Category, ExprId, ExprKind};
use crate::check::ops::BuiltinOp;
use crate::db::ty::{FnInst, GenericArg, Ty};
use crate::types::extent::extent;
use wgc_frontend::ast::Span;
use wgc_ir::{Op, RayCommand, Stmt, Type, ValueId};

impl<'db> Lowerer<'db> {
    /// Returns whether a type is a query, or a structure or array that contains one.
    pub(super) fn holds_query(&self, ty: Ty<'db>) -> bool {
        extent(self.db, ty).has_query
    }

    /// Returns the place of the query that an expression names. `RayQuery<..>()` is a new one.
    pub(super) fn query_place(&mut self, id: ExprId) -> Lower<ValueId> {
        let expr = self.body.expr(id);
        match &expr.kind {
            ExprKind::Convert(inner) => self.query_place(*inner),
            ExprKind::Zero => {
                let ty = self.expr_type(id)?;
                Some(self.b.new_local("", ty))
            }
            _ if expr.category != Category::Value => match self.place(id)? {
                Lvalue::Memory { place, .. } => Some(place),
                _ => self.copied_query(expr.span),
            },
            _ => self.copied_query(expr.span),
        }
    }

    pub(super) fn copied_query<T>(&mut self, span: Span) -> Lower<T> {
        self.unsupported(span, "a copy of a ray query")
    }

    /// Lowers `TraceRayInline(scene, flags, mask, ray)`, which adds the flags of the query's type.
    pub(super) fn ray_trace(&mut self, callee: FnInst<'db>, object: ExprId, args: &[Arg]) -> Lower<()> {
        let query = self.query_place(object)?;
        let scene = args.first()?.expr();
        let scene = self.object_value(scene, self.body.expr(scene).span)?;
        let (mut flags, mask, ray) = (self.arg(args, 1)?, self.arg(args, 2)?, self.arg(args, 3)?);
        if let Some(GenericArg::Value(own)) = callee.owner(self.db).and_then(|o| o.args(self.db).first())
            && own.number() > 0
        {
            let own = self.b.const_u32(own.number() as u32);
            flags = self.b.or(flags, own);
        }
        let [origin, least, direction, greatest] = [0, 1, 2, 3].map(|field| self.b.extract(ray, field));
        let args = vec![scene, flags, mask, origin, least, direction, greatest];
        self.b.push(Stmt::RayQuery { command: RayCommand::Trace, query, args });
        Some(())
    }

    pub(super) fn ray_command(&mut self, command: RayCommand, object: ExprId, args: &[Arg]) -> Lower<()> {
        let query = self.query_place(object)?;
        let args = args.iter().map(|a| self.value(a.expr())).collect::<Lower<Vec<_>>>()?;
        self.b.push(Stmt::RayQuery { command, query, args });
        Some(())
    }

    /// Returns the answer in the method's type: `..3x4` requires the transpose of the four rows.
    pub(super) fn ray_question(&mut self, id: ExprId, op: BuiltinOp, object: ExprId) -> Lower<ValueId> {
        let query = self.query_place(object)?;
        match op {
            BuiltinOp::RayQuestion(ask) => {
                let answer = self.b.value(Op::RayQuery { ask, query });
                match (self.b.ty(answer), self.expr_type(id)?) {
                    (Type::Matrix(given), Type::Matrix(wanted)) if given.rows != wanted.rows => self.transpose(answer),
                    _ => Some(answer),
                }
            }
            _ => {
                let opaque = self.b.value(Op::RayQuery { ask: wgc_ir::RayQuestion::ProceduralOpaque, query });
                Some(self.b.not(opaque))
            }
        }
    }
}
