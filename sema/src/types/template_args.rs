//! Template arguments: evaluation against the parameters of a template, with defaults, and expressions that name types.

use crate::db::def::Item;
use crate::db::diagnostic::Diagnostic;
use crate::db::ty::{Env, GenericArg, Ty};
use crate::tables::codes::Code;
use crate::types::cx::{Cx, PathTarget};
use crate::types::extent::argument_excess;
use wgc_frontend::ast::{self, Span, TemplateArg};

impl<'db> Cx<'_, 'db> {
    /// Evaluates template arguments against parameters; missing ones take their defaults. `outer` is visible to the
    /// defaults. Reports an error and returns `None` when they do not fit.
    pub fn template_args(
        &mut self,
        params: &[crate::types::signature::TemplateParam],
        args: Option<&[TemplateArg]>,
        declared_in: Item<'db>,
        outer: &Env<'db>,
        name: &str,
        at: u32,
    ) -> Option<Vec<GenericArg<'db>>> {
        let given = args.unwrap_or_default();
        if given.len() > params.len() {
            let message = match params.len() {
                0 => format!("`{name}` is not a template"),
                n => format!("`{name}` has {n} template parameters, but {} arguments given", given.len()),
            };
            self.errors.push(Diagnostic::new(Code::TemplateArguments, self.token(at), message));
            return None;
        }
        let mut out: Vec<GenericArg<'db>> = Vec::new();
        let mut env = outer.clone();
        for (i, param) in params.iter().enumerate() {
            let arg = match given.get(i) {
                Some(arg) => match self.template_arg(param, *arg) {
                    Some(arg) => arg,
                    None => {
                        // Arguments after a wrong one are checked too.
                        for (param, arg) in params.iter().zip(given).skip(i + 1) {
                            self.template_arg(param, *arg);
                        }
                        return None;
                    }
                },
                None => match crate::types::signature::default_arg(self, declared_in, param, &env)
                    .or_else(|| crate::types::signature::default_elsewhere(self, declared_in, name, params, i, &env))
                {
                    Some(Ok(arg)) => arg,
                    Some(Err(_)) => return None,
                    None => {
                        let message = format!("`{name}` needs a template argument for `{}`", param.name);
                        self.errors.push(Diagnostic::new(Code::TemplateArguments, self.token(at), message));
                        return None;
                    }
                },
            };
            let arg = match crate::types::signature::value_arg(self.db, declared_in, param, &env, arg) {
                Ok(arg) => arg,
                Err(wrong) => {
                    let at = given.get(i).map_or(self.token(at), |arg| self.place(self.argument_span(*arg)));
                    self.errors.push(wrong.diagnostic(name, at));
                    return None;
                }
            };
            if let Some(excess) = argument_excess(self.db, &arg) {
                // A template that names itself with a larger argument would never end.
                let message = format!("template arguments of `{name}` {excess}");
                self.errors.push(Diagnostic::new(Code::NestingTooDeep, self.token(at), message));
                return None;
            }
            env.push((param.name.clone(), arg.clone()));
            out.push(arg);
        }
        Some(out)
    }

    /// Evaluates one argument for one parameter; a bare path is a type if the parameter is a type.
    pub fn template_arg(
        &mut self,
        param: &crate::types::signature::TemplateParam,
        arg: TemplateArg,
    ) -> Option<GenericArg<'db>> {
        self.generic_arg(param.is_type, &param.name, arg)
    }

    /// Evaluates a type or a value for the parameter `name`. A value keeps its own type.
    pub fn generic_arg(&mut self, is_type: bool, name: &str, arg: TemplateArg) -> Option<GenericArg<'db>> {
        if is_type {
            let ty = match arg {
                TemplateArg::Type(ty) => self.ty(ty),
                TemplateArg::Expr(expr) => self.expr_as_type(expr)?,
            };
            return Some(GenericArg::Ty(ty));
        }
        match arg {
            TemplateArg::Expr(expr) => Some(GenericArg::Value(self.template_value(expr)?)),
            TemplateArg::Type(ty) => {
                let span = self.ast.types[ty].span;
                self.error(Code::TemplateArguments, span, format!("`{name}` is a value, not a type"));
                None
            }
        }
    }

    fn argument_span(&self, arg: TemplateArg) -> Span {
        match arg {
            TemplateArg::Type(ty) => self.ast.types[ty].span,
            TemplateArg::Expr(expr) => self.ast.exprs[expr].span,
        }
    }

    /// Reads an expression that names a type: `A`, `A<B>`, `(T)`. Reports an error and returns `None` otherwise.
    pub fn expr_as_type(&mut self, expr: ast::ExprId) -> Option<Ty<'db>> {
        let ast = self.ast;
        let node = &ast.exprs[expr];
        match &node.kind {
            ast::ExprKind::Path(path) => Some(self.path_type(path)),
            ast::ExprKind::Type(ty) => Some(self.ty(*ty)),
            // The parser reads `T[2][3]` as two subscripts.
            ast::ExprKind::Index { .. } => {
                let (mut base, mut dims) = (expr, Vec::new());
                while let ast::ExprKind::Index { base: inner, index } = &ast.exprs[base].kind {
                    dims.insert(0, Some(*index));
                    base = *inner;
                }
                let element = self.expr_as_type(base)?;
                Some(self.with_dims(element, &dims))
            }
            ast::ExprKind::Error => None,
            _ => {
                self.error(Code::NotAType, node.span, "expected a type");
                None
            }
        }
    }

    /// Returns whether an expression is an array type: subscripts after the name of a type.
    pub(crate) fn is_array_of_type(&mut self, expr: ast::ExprId) -> bool {
        let ast = self.ast;
        match &ast.exprs[expr].kind {
            ast::ExprKind::Index { base, .. } => self.is_array_of_type(*base),
            ast::ExprKind::Path(path) => matches!(self.resolve(path), PathTarget::Type(_)),
            ast::ExprKind::Type(_) => true,
            _ => false,
        }
    }
}
