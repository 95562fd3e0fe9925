//! Using-declarations of records. `using Base::f;` adds the methods of a base to the record's own overloads of that
//! name, which would otherwise hide them. Other members of bases are visible anyway.

use crate::db::Db;
use crate::db::def::FnId;
use crate::db::diagnostic::Diagnostic;
use crate::db::items::{RecordNode, record_node};
use crate::db::ty::Env;
use crate::db::ty::{RecordInst, TyKind};
use crate::tables::codes::Code;
use crate::types::cx::{Cx, PathTarget};
use crate::types::definition;
use crate::types::record::{env_of, member, methods, record_name};
use wgc_frontend::ast::{self, ItemKind};

/// Splits a path into the part before the last name, and that name.
fn parts(path: &ast::Path) -> Option<(ast::Path, &ast::Segment)> {
    let (last, around) = path.segments.split_last()?;
    (!around.is_empty()).then(|| (ast::Path { segments: around.to_vec(), ..path.clone() }, last))
}

fn paths<'a>(node: &'a RecordNode<'_>) -> impl Iterator<Item = &'a ast::Path> {
    node.record.members.iter().flatten().filter_map(|member| match &node.tree.ast.items[*member].kind {
        ItemKind::UsingName(path) => Some(path),
        _ => None,
    })
}

/// Returns the methods of bases that a record's own text adds under a name.
pub(crate) fn imported_methods<'db>(
    db: &'db dyn Db,
    inst: RecordInst<'db>,
    name: &str,
) -> Vec<(RecordInst<'db>, FnId<'db>)> {
    let id = definition::record(db, inst).record;
    let Some(node) = record_node(db, id) else { return Vec::new() };
    let meant: Vec<_> =
        paths(&node).filter_map(parts).filter(|(_, last)| last.name.text == name).map(|(around, _)| around).collect();
    if meant.is_empty() {
        return Vec::new();
    }
    let env: Env<'db> = env_of(db, Some(inst));
    let mut cx = Cx::head(db, id.item, &node.tree.ast, &env);
    let bases = meant.iter().filter_map(|around| cx.path_type(around).as_record(db)).filter(|base| *base != inst);
    bases.flat_map(|base| methods(db, base, name)).collect()
}

/// Checks that the record's using-declarations name members of bases.
pub(crate) fn check<'db>(
    cx: &mut Cx<'_, 'db>,
    inst: RecordInst<'db>,
    node: &RecordNode<'db>,
    bases: &[RecordInst<'db>],
) {
    let db = cx.db;
    for path in paths(node) {
        let Some((around, last)) = parts(path) else { continue };
        let owner = cx.owner.take();
        let ty = cx.path_type(&around);
        cx.owner = owner;
        let own = record_name(db, definition::record(db, inst).record);
        let base = match ty.kind(db) {
            TyKind::Error => continue,
            TyKind::Record(base) => *base,
            _ => {
                cx.error(Code::BadBase, around.span, format!("`{}` is not a structure", ty.display(db)));
                continue;
            }
        };
        let is_base =
            bases.iter().any(|direct| *direct == base || crate::types::record::base_depth(db, *direct, base).is_some());
        if !is_base {
            let message = format!("`{}` is not a base of `{own}`", ty.display(db));
            cx.errors.push(
                Diagnostic::new(Code::BadBase, cx.place(around.span), message)
                    .label("a using-declaration in a structure must name a member of one of its bases"),
            );
        } else if matches!(member(cx, base, last, crate::types::cx::Sought::Any), None | Some(PathTarget::Nothing(_))) {
            let message = format!("`{}` has no member `{}`", ty.display(db), last.name.text);
            cx.errors.push(Diagnostic::new(Code::UnknownMember, cx.token(last.name.at), message));
        }
    }
}
