//! Template arguments as patterns: `S<T, 4>` before a member, or after the name of a specialisation.
//!
//! A pattern is first walked together with the actual arguments, which yields the arguments of its parameters. Then
//! it is evaluated with them and compared. So the walk may be generous; the comparison is exact.

use crate::db::Db;
use crate::db::def::Item;
use crate::db::ty::Env;
use crate::db::ty::Value;
use crate::db::ty::{GenericArg, RecordInst, Ty, TyKind};
use crate::types::cx::Cx;
use crate::types::signature::{TemplateParam, value_arg};
use wgc_frontend::ast::{Ast, ExprId, ExprKind, Path, TemplateArg, TypeId, TypeKind};

pub(crate) struct Pattern<'a, 'db> {
    db: &'db dyn Db,
    item: Item<'db>,
    ast: &'a Ast,
    /// Parameters of the declaration that contains the pattern.
    params: &'a [TemplateParam],
    learned: Vec<Option<GenericArg<'db>>>,
}

impl<'a, 'db> Pattern<'a, 'db> {
    pub fn new(db: &'db dyn Db, item: Item<'db>, ast: &'a Ast, params: &'a [TemplateParam]) -> Self {
        Pattern { db, item, ast, params, learned: vec![None; params.len()] }
    }

    /// Walks a pattern together with the actual arguments.
    pub fn learn(&mut self, patterns: &[TemplateArg], actual: &[GenericArg<'db>]) {
        for (pattern, actual) in patterns.iter().zip(actual) {
            match (*pattern, actual) {
                (TemplateArg::Type(pattern), GenericArg::Ty(ty)) => self.learn_ty(pattern, *ty),
                (TemplateArg::Expr(pattern), actual) => self.learn_expr(pattern, actual),
                (TemplateArg::Type(_), GenericArg::Value(_)) => {}
            }
        }
    }

    /// Assigns the remaining arguments, in order, to parameters that no pattern names. Returns false when the counts
    /// differ.
    pub fn learn_rest(&mut self, actual: &[GenericArg<'db>]) -> bool {
        let open: Vec<usize> = (0..self.learned.len()).filter(|i| self.learned[*i].is_none()).collect();
        for (i, arg) in open.iter().zip(actual) {
            self.learned[*i] = Some(arg.clone());
        }
        open.len() == actual.len()
    }

    /// Returns the arguments of the parameters if all are known. Values are converted to the parameters' types.
    pub fn env(&self) -> Option<Env<'db>> {
        let mut env = Env::new();
        for (param, arg) in self.params.iter().zip(&self.learned) {
            let arg = value_arg(self.db, self.item, param, &env, arg.clone()?).ok()?;
            env.push((param.name.clone(), arg));
        }
        Some(env)
    }

    /// Returns whether the evaluated patterns equal the actual arguments.
    pub fn is(&self, patterns: &[TemplateArg], env: &Env<'db>, actual: &[GenericArg<'db>]) -> bool {
        let mut cx = Cx::head(self.db, self.item, self.ast, env);
        let same = |(pattern, actual): (&TemplateArg, &GenericArg<'db>)| match (
            cx.generic_arg(matches!(actual, GenericArg::Ty(_)), "", *pattern),
            actual,
        ) {
            (Some(GenericArg::Value(value)), GenericArg::Value(actual)) => {
                value.converted(self.db, actual.ty).as_ref() == Ok(actual)
            }
            (found, actual) => found.as_ref() == Some(actual),
        };
        patterns.len() <= actual.len() && patterns.iter().zip(actual).all(same)
    }

    fn learn_expr(&mut self, pattern: ExprId, actual: &GenericArg<'db>) {
        match (&self.ast.exprs[pattern].kind, actual) {
            (ExprKind::Path(path), actual) => self.learn_path(path, actual),
            (ExprKind::Type(ty), GenericArg::Ty(actual)) => self.learn_ty(*ty, *actual),
            // The parser reads `T[N]` as a subscript; the last one written is the innermost dimension.
            (ExprKind::Index { .. }, GenericArg::Ty(ty)) => {
                let (mut base, mut dims) = (pattern, Vec::new());
                while let ExprKind::Index { base: inner, index } = &self.ast.exprs[base].kind {
                    dims.insert(0, Some(*index));
                    base = *inner;
                }
                if let Some(element) = self.learn_dims(&dims, *ty) {
                    self.learn_expr(base, &GenericArg::Ty(element));
                }
            }
            _ => {}
        }
    }

    fn learn_ty(&mut self, pattern: TypeId, ty: Ty<'db>) {
        let node = &self.ast.types[pattern];
        if let TypeKind::Path(path) = &node.kind
            && let Some(element) = self.learn_dims(&node.dims, ty)
        {
            self.learn_path(path, &GenericArg::Ty(element));
        }
    }

    /// Returns the element after the dimensions, outermost first; `None` if the type has fewer.
    fn learn_dims(&mut self, dims: &[Option<ExprId>], mut ty: Ty<'db>) -> Option<Ty<'db>> {
        for dim in dims {
            let TyKind::Array(element, len) = ty.kind(self.db) else { return None };
            if let (Some(dim), Some(len)) = (dim, len) {
                self.learn_expr(*dim, &GenericArg::Value(Value::literal(self.db, i64::from(*len))));
            }
            ty = *element;
        }
        Some(ty)
    }

    fn learn_path(&mut self, path: &Path, actual: &GenericArg<'db>) {
        let Some(last) = path.segments.last() else { return };
        let name = last.name.text.as_str();
        if let ([_], false, None) = (path.segments.as_slice(), path.global, &last.args)
            && let Some(i) = self.params.iter().position(|p| p.name == name)
        {
            if self.params[i].is_type == matches!(actual, GenericArg::Ty(_)) && self.learned[i].is_none() {
                self.learned[i] = Some(actual.clone());
            }
            return;
        }
        let (Some(args), GenericArg::Ty(ty)) = (&last.args, actual) else { return };
        let scalar = |s| GenericArg::Ty(Ty::scalar_ty(self.db, s));
        let size = |n: u8| GenericArg::Value(Value::literal(self.db, i64::from(n)));
        let parts = match ty.kind(self.db) {
            TyKind::Vector(s, n) => vec![scalar(*s), size(*n)],
            TyKind::Matrix { scalar: s, rows, columns, .. } => vec![scalar(*s), size(*rows), size(*columns)],
            TyKind::Record(inst) => own_args(self.db, *inst, args.len()),
            _ => return,
        };
        self.learn(&args.clone(), &parts);
    }
}

/// Returns the arguments of the record itself, which follow those of enclosing records.
fn own_args<'db>(db: &'db dyn Db, inst: RecordInst<'db>, written: usize) -> Vec<GenericArg<'db>> {
    let all = inst.args(db);
    all[all.len().saturating_sub(written)..].to_vec()
}

/// Returns the arguments written along a path, outermost first.
pub(crate) fn path_args(path: &Path) -> Vec<TemplateArg> {
    path.segments.iter().flat_map(|s| s.args.iter().flatten().copied()).collect()
}
