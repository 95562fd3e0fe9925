//! Partial ordering of templates: finds the more specialised one of two patterns (C++ [temp.func.order],
//! [temp.class.order]).
//!
//! A pattern is a template's list of types or arguments with its own parameters left open. It comes from a function's
//! parameters or from a specialisation's arguments. A pattern is at least as specialised as another one that fits
//! everything it fits. It is more specialised if the converse does not hold.

use crate::db::Db;
use crate::db::def::{AliasId, Def, Item, RecordId};
use crate::db::items::item_tree;
use crate::db::ty::Env;
use crate::db::ty::{GenericArg, RecordInst, Ty, TyKind};
use crate::types::cx::{Cx, PathTarget};
use crate::types::definition::def_at;
use crate::types::signature::{TemplateParam, params_of, record_template_params};
use wgc_frontend::ast::{Ast, ExprId, ExprKind, Path, Span, TemplateArg, TypeId, TypeKind};
use wgc_frontend::token::TokenKind;

/// The limit of nested aliases.
const MAX_ALIASES: u32 = 16;

/// A part of a pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Term<'db> {
    /// A parameter of the template, by its position.
    Open(usize),
    /// A type without parts.
    Ty(Ty<'db>),
    Int(i128),
    /// A type with parts: component and width, element and length, template arguments.
    Of(Head<'db>, Vec<Term<'db>>),
    /// It depends on the parameters, but nothing can be deduced from it: `N + 1`, `X<T>::type`.
    Dependent,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Head<'db> {
    Vector,
    Matrix,
    Array,
    Record(RecordId<'db>),
}

/// Returns whether pattern `a` is more specialised than pattern `b`, part by part.
pub(crate) fn is_more_special(a: &[Term], b: &[Term]) -> bool {
    fits_all_of(b, a) && !fits_all_of(a, b)
}

/// Returns whether the general pattern fits everything that the special one fits.
fn fits_all_of(general: &[Term], special: &[Term]) -> bool {
    let mut bound = Vec::new();
    general.len() == special.len() && general.iter().zip(special).all(|(g, s)| fits(g, s, &mut bound))
}

fn fits<'a, 'db>(general: &Term<'db>, special: &'a Term<'db>, bound: &mut Vec<(usize, &'a Term<'db>)>) -> bool {
    match (general, special) {
        (Term::Open(n), _) => match bound.iter().find(|(known, _)| known == n) {
            Some((_, Term::Dependent)) => false,
            Some((_, known)) => *known == special,
            None => {
                bound.push((*n, special));
                true
            }
        },
        // Nothing is deduced from it, so it does not affect the order.
        (Term::Dependent, _) => true,
        (Term::Of(a, general), Term::Of(b, special)) => {
            a == b && general.len() == special.len() && general.iter().zip(special).all(|(g, s)| fits(g, s, bound))
        }
        _ => general == special,
    }
}

/// Returns the parts of a type without open parameters.
fn of_ty<'db>(db: &'db dyn Db, ty: Ty<'db>) -> Term<'db> {
    let scalar = |s| Term::Ty(Ty::scalar_ty(db, s));
    let size = |n: u8| Term::Int(i128::from(n));
    match ty.kind(db) {
        TyKind::Vector(s, n) => Term::Of(Head::Vector, vec![scalar(*s), size(*n)]),
        TyKind::Matrix { scalar: s, rows, columns, .. } => {
            Term::Of(Head::Matrix, vec![scalar(*s), size(*rows), size(*columns)])
        }
        TyKind::Array(element, n) => Term::Of(Head::Array, vec![of_ty(db, *element), length(*n)]),
        TyKind::Record(inst) if !inst.args(db).is_empty() => {
            let args = inst.args(db).iter().map(|arg| match arg {
                GenericArg::Ty(ty) => of_ty(db, *ty),
                GenericArg::Value(value) => Term::Int(value.number()),
            });
            Term::Of(Head::Record(inst.record(db)), args.collect())
        }
        _ => Term::Ty(ty),
    }
}

/// Returns the length of an array. An unsized array has a length that no other has.
fn length(n: Option<u32>) -> Term<'static> {
    Term::Int(n.map_or(-1, i128::from))
}

/// Reads patterns from the head of an item.
pub(crate) struct Reader<'a, 'db> {
    db: &'db dyn Db,
    item: Item<'db>,
    ast: &'a Ast,
    /// The known arguments: those of the enclosing records.
    env: &'a Env<'db>,
    owner: Option<RecordInst<'db>>,
    /// The meanings of template parameters.
    names: Vec<(String, Term<'db>)>,
    aliases: u32,
}

impl<'a, 'db> Reader<'a, 'db> {
    /// Creates a reader for which the parameters are open.
    pub fn new(
        db: &'db dyn Db,
        item: Item<'db>,
        ast: &'a Ast,
        env: &'a Env<'db>,
        owner: Option<RecordInst<'db>>,
        open: &[TemplateParam],
    ) -> Self {
        let names = open.iter().enumerate().map(|(n, p)| (p.name.clone(), Term::Open(n))).collect();
        Reader { db, item, ast, env, owner, names, aliases: 0 }
    }

    /// Returns a type with the dimensions of its declarator, outermost first.
    pub fn declared(&self, ty: TypeId, dims: &[Option<ExprId>]) -> Term<'db> {
        self.with_dims(self.ty(ty), dims)
    }

    pub fn arg(&self, arg: TemplateArg) -> Term<'db> {
        match arg {
            TemplateArg::Type(ty) => self.ty(ty),
            TemplateArg::Expr(expr) => self.expr(expr),
        }
    }

    fn with_dims(&self, element: Term<'db>, dims: &[Option<ExprId>]) -> Term<'db> {
        dims.iter().rev().fold(element, |element, dim| {
            let len = dim.map_or(length(None), |dim| self.expr(dim));
            Term::Of(Head::Array, vec![element, len])
        })
    }

    fn cx(&self) -> Cx<'a, 'db> {
        Cx::head(self.db, self.item, self.ast, self.env).with_owner(self.owner)
    }

    fn ty(&self, id: TypeId) -> Term<'db> {
        let node = &self.ast.types[id];
        match &node.kind {
            TypeKind::Path(path) => self.with_dims(self.path(path), &node.dims),
            _ if self.is_open(node.span) => Term::Dependent,
            _ => of_ty(self.db, self.cx().ty(id)),
        }
    }

    fn expr(&self, id: ExprId) -> Term<'db> {
        let node = &self.ast.exprs[id];
        match &node.kind {
            ExprKind::Paren(inner) => self.expr(*inner),
            ExprKind::Type(ty) => self.ty(*ty),
            ExprKind::Path(path) if self.is_open(node.span) => self.path(path),
            // The parser reads `T[N]` as a subscript; the last one written is the innermost dimension.
            ExprKind::Index { base, index } if self.is_open(node.span) => {
                let (mut base, mut dims) = (*base, vec![Some(*index)]);
                while let ExprKind::Index { base: inner, index } = &self.ast.exprs[base].kind {
                    dims.insert(0, Some(*index));
                    base = *inner;
                }
                self.with_dims(self.expr(base), &dims)
            }
            _ if self.is_open(node.span) => Term::Dependent,
            ExprKind::Path(path) => match self.cx().resolve(path) {
                PathTarget::Type(ty) => of_ty(self.db, ty),
                _ => self.value(id),
            },
            _ if self.cx().is_array_of_type(id) => {
                self.cx().expr_as_type(id).map_or(Term::Dependent, |ty| of_ty(self.db, ty))
            }
            _ => self.value(id),
        }
    }

    fn value(&self, id: ExprId) -> Term<'db> {
        self.cx().template_value(id).map_or(Term::Dependent, |value| Term::Int(value.number()))
    }

    /// Returns whether the text mentions an open parameter.
    fn is_open(&self, text: Span) -> bool {
        let head = self.item.head(self.db);
        let tokens = head.get(text.lo as usize..(text.hi as usize).min(head.len())).unwrap_or_default();
        let is_named = |name: &str| self.names.iter().any(|(open, _)| open == name);
        tokens.iter().any(|token| token.kind == TokenKind::Ident && is_named(&token.text))
    }

    pub fn path(&self, path: &Path) -> Term<'db> {
        if !self.is_open(path.span) {
            return of_ty(self.db, self.cx().path_type(path));
        }
        let Some((last, around)) = path.segments.split_last() else { return Term::Dependent };
        let name = last.name.text.as_str();
        if around.is_empty()
            && last.args.is_none()
            && let Some((_, term)) = self.names.iter().rev().find(|(open, _)| open == name)
        {
            return term.clone();
        }
        let Some(args) = &last.args else { return Term::Dependent };
        if around
            .iter()
            .any(|segment| segment.args.is_some() || self.names.iter().any(|(n, _)| *segment.name.text == **n))
        {
            return Term::Dependent;
        }
        let mut args: Vec<Term<'db>> = args.iter().map(|arg| self.arg(*arg)).collect();
        let shape = match name {
            "vector" => Some((Head::Vector, 2)),
            "matrix" => Some((Head::Matrix, 3)),
            _ => None,
        };
        if let Some((head, parts)) = shape.filter(|_| around.is_empty()) {
            args.resize(parts, Term::Int(4));
            return Term::Of(head, args);
        }
        match def_at(self.db, self.item, path) {
            Some(Def::Record(record)) if record_template_params(self.db, record).len() == args.len() => {
                Term::Of(Head::Record(record), args)
            }
            Some(Def::Alias(alias)) => self.alias(alias, args),
            _ => Term::Dependent,
        }
    }

    /// Returns the target of an alias template.
    fn alias(&self, alias: AliasId<'db>, args: Vec<Term<'db>>) -> Term<'db> {
        let tree = item_tree(self.db, alias.item);
        let Some(decl) = tree.decls.aliases.get(alias.index as usize) else { return Term::Dependent };
        let params = params_of(&tree.ast, &decl.around.templates);
        if params.len() != args.len() || self.aliases == MAX_ALIASES {
            return Term::Dependent;
        }
        let env = Env::new();
        let inner = Reader {
            db: self.db,
            item: alias.item,
            ast: &tree.ast,
            env: &env,
            owner: None,
            names: params.into_iter().map(|p| p.name).zip(args).collect(),
            aliases: self.aliases + 1,
        };
        decl.parts(&tree.ast).map_or(Term::Dependent, |(_, ty, dims)| inner.declared(ty, dims))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Term::{Dependent, Int, Open};

    fn vector<'db>(component: Term<'db>, width: Term<'db>) -> Term<'db> {
        Term::Of(Head::Vector, vec![component, width])
    }

    /// Compares two patterns in both directions.
    fn order(a: &[Term], b: &[Term]) -> (bool, bool) {
        (is_more_special(a, b), is_more_special(b, a))
    }

    #[test]
    fn repeated_parameters_are_more_specialized() {
        assert_eq!(order(&[Open(0), Open(0)], &[Open(0), Open(1)]), (true, false));
        assert_eq!(order(&[Open(0), Open(1)], &[Open(1), Open(0)]), (false, false));
    }

    #[test]
    fn composite_patterns_are_more_specialized_than_parameters() {
        let any = [Open(0)];
        let vectors = [vector(Open(0), Open(1))];
        let of_three = [vector(Open(0), Int(3))];
        assert_eq!(order(&vectors, &any), (true, false));
        assert_eq!(order(&of_three, &vectors), (true, false));
        assert_eq!(order(&of_three, &[vector(Open(0), Int(2))]), (false, false));
        // Each pattern is more specialised in one part.
        assert_eq!(order(&[Int(1), Open(0)], &[Open(0), Int(1)]), (false, false));
    }

    #[test]
    fn nothing_is_deduced_from_dependent_types() {
        assert_eq!(order(&[Open(0), Dependent], &[Open(0), Open(1)]), (false, false));
        assert_eq!(order(&[vector(Open(0), Int(2)), Dependent], &[Open(0), Dependent]), (true, false));
    }
}
