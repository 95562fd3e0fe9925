//! Names in a function template that do not depend on its arguments. An unknown name is reported at its location once,
//! even if the template is never called, and not at each call.
//!
//! Only first names of paths are looked up, as names after `::` may depend on arguments. Plain names of called
//! functions may depend on them too, through the types of the call's arguments. All names that the body declares
//! anywhere are considered known. A body with its own types, functions or using-directives is only checked in its
//! instances.

use crate::db::Db;
use crate::db::def::{FnId, Item};
use crate::db::diagnostic::Diagnostic;
use crate::db::items::{body_tree, fn_node};
use crate::db::ty::Env;
use crate::db::ty::{GenericArg, RecordInst, Ty};
use crate::types::cx::{Cx, PathTarget};
use crate::types::signature::template_params;
use crate::types::suggestions::NameKind;
use wgc_frontend::ast::visit::Node;
use wgc_frontend::ast::{Ast, Body, ExprKind, Function, Path, StmtKind, TypeKind};

/// Returns the unknown names in a template, for any arguments. Empty if the function is not a template, or is part of
/// one.
pub(crate) fn unknown<'db>(db: &'db dyn Db, f: FnId<'db>) -> &'db [Diagnostic<'db>] {
    if template_params(db, f).is_empty() { &[] } else { unknown_in(db, f.item, f.index) }
}

#[salsa::tracked(returns(ref))]
fn unknown_in<'db>(db: &'db dyn Db, item: Item<'db>, index: u32) -> Vec<Diagnostic<'db>> {
    let f = FnId { item, index };
    let Some(node) = fn_node(db, f).filter(crate::types::name_table::declares) else { return Vec::new() };
    let owner = match node.decl.around.owner {
        None => None,
        Some(index) => match crate::types::instantiation::plain_owner(db, item, index) {
            Some(owner) => Some(owner),
            None => return Vec::new(),
        },
    };
    let any = || GenericArg::Ty(Ty::error(db));
    let env: Env<'db> = template_params(db, f).iter().map(|param| (param.name.clone(), any())).collect();
    let params = node.function.params.iter().filter_map(|param| param.declarator.as_ref());
    let params = params.map(|declarator| declarator.name.text.as_str());
    let mut own: Vec<&str> = params.collect();
    let head = Text { ast: &node.tree.ast, body: None, roots: head(node.function) };
    let mut out = head.unknown(db, item, owner, &env, &own);
    if let Body::Sliced(n) = node.function.body
        && let Some(body) = body_tree(db, item, n).filter(|body| body.errors.is_empty())
    {
        let roots = body.root.iter().map(|stmt| Node::Stmt(*stmt)).collect();
        let text = Text { ast: &body.ast, body: Some(n), roots };
        if let Some(declared) = text.declared() {
            own.extend(declared);
            out.extend(text.unknown(db, item, owner, &env, &own));
        }
    }
    out
}

/// Returns the types of the result and the parameters.
fn head(function: &Function) -> Vec<Node> {
    let mut roots = vec![Node::Type(function.ret)];
    for param in &function.params {
        roots.push(Node::Type(param.ty));
        let declarator = param.declarator.as_ref();
        roots.extend(declarator.into_iter().flat_map(|d| d.dims.iter().flatten()).map(|dim| Node::Expr(*dim)));
    }
    roots
}

/// A part of a template's source.
struct Text<'a> {
    ast: &'a Ast,
    body: Option<u32>,
    roots: Vec<Node>,
}

impl<'a> Text<'a> {
    /// Returns all nodes except those of attributes, whose words are not names.
    fn nodes(&self) -> Vec<Node> {
        let mut nodes = self.roots.clone();
        let mut next = 0;
        // The list grows during the walk.
        while let Some(node) = nodes.get(next).copied() {
            next += 1;
            match node {
                Node::Stmt(id) => match &self.ast.stmts[id].kind {
                    StmtKind::Attributed { stmt, .. } => nodes.push(Node::Stmt(*stmt)),
                    _ => nodes.extend(self.ast.children(node)),
                },
                _ => nodes.extend(self.ast.children(node)),
            }
        }
        nodes
    }

    /// Returns the variables of a body; `None` if it also declares types or functions.
    fn declared(&self) -> Option<Vec<&'a str>> {
        let mut out = Vec::new();
        for node in self.nodes() {
            match node {
                Node::Item(_) => return None,
                Node::Type(id) if matches!(self.ast.types[id].kind, TypeKind::Record(_) | TypeKind::Enum(_)) => {
                    return None;
                }
                Node::Stmt(id) => match &self.ast.stmts[id].kind {
                    StmtKind::Var(var) => out.extend(var.vars.iter().map(|d| d.name.text.as_str())),
                    StmtKind::Item(_) | StmtKind::Error => return None,
                    _ => {}
                },
                _ => {}
            }
        }
        Some(out)
    }

    /// Returns the paths of types and values, unordered, without the plain names of callees.
    fn paths(&self) -> Vec<(&'a Path, NameKind)> {
        let nodes = self.nodes();
        let called: Vec<_> = nodes
            .iter()
            .filter_map(|node| match node {
                Node::Expr(id) => Some(&self.ast.exprs[*id].kind),
                _ => None,
            })
            .filter_map(|kind| if let ExprKind::Call { callee, .. } = kind { Some(*callee) } else { None })
            .collect();
        let path = |node: &Node| match *node {
            Node::Type(id) => match &self.ast.types[id].kind {
                TypeKind::Path(path) => Some((path, NameKind::Type)),
                _ => None,
            },
            Node::Expr(id) => match &self.ast.exprs[id].kind {
                ExprKind::Path(path) if path.segments.len() > 1 || !called.contains(&id) => {
                    Some((path, NameKind::Value))
                }
                _ => None,
            },
            _ => None,
        };
        nodes.iter().filter_map(path).collect()
    }

    fn unknown<'db>(
        &self,
        db: &'db dyn Db,
        item: Item<'db>,
        owner: Option<RecordInst<'db>>,
        env: &Env<'db>,
        own: &[&str],
    ) -> Vec<Diagnostic<'db>> {
        let mut cx = Cx::head(db, item, self.ast, env).with_owner(owner);
        cx.body = self.body;
        let mut out = Vec::new();
        for (path, wanted) in self.paths() {
            let Some(first) = path.segments.first() else { continue };
            let name = first.name.text.as_str();
            if name == "this" || !path.global && own.contains(&name) {
                continue;
            }
            let mut alone = Path { segments: vec![first.clone()], ..path.clone() };
            alone.segments[0].args = None;
            let found = cx.resolve(&alone);
            cx.errors.clear();
            if found == PathTarget::Nothing(0) {
                let is_alone = path.segments.len() == 1;
                cx.unknown(&alone, 0, if is_alone { wanted } else { NameKind::Scope });
                out.append(&mut cx.errors);
            }
        }
        out
    }
}
