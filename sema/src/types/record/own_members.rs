//! The members that a record's own text declares, by name.

use crate::db::Db;
use crate::db::def::{Item, RecordId};
use crate::db::items::record_node;
use rustc_hash::FxHashMap;
use wgc_frontend::ast::{self, ItemKind, TypeKind};

/// A member with its index among those of its kind in the item. `at` is the token of its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OwnMember {
    EnumValue { of: u32, n: u32, at: u32 },
    Var { index: u32, at: u32 },
    Method(u32),
    Field { at: u32 },
    Record(u32),
    Enum(u32),
    Alias(u32),
}

/// Returns the members of a name. Values come before types, which they hide.
pub(super) fn own_members<'db>(db: &'db dyn Db, record: RecordId<'db>, name: &str) -> &'db [OwnMember] {
    members_by_name(db, record.item, record.index).get(name).map_or(&[], Vec::as_slice)
}

#[salsa::tracked(returns(ref))]
fn members_by_name<'db>(db: &'db dyn Db, item: Item<'db>, index: u32) -> FxHashMap<String, Vec<OwnMember>> {
    let mut out: FxHashMap<String, Vec<OwnMember>> = FxHashMap::default();
    let Some(node) = record_node(db, RecordId { item, index }) else { return out };
    let (decls, tree) = (&node.tree.decls, &node.tree.ast);
    let is_mine = |owner: Option<u32>| owner == Some(index);
    let mut add = |name: &str, member: OwnMember| out.entry(name.to_string()).or_default().push(member);
    let enums = || (0..).zip(&decls.enums).filter(|(_, e)| is_mine(e.around.owner));
    for (of, e) in enums() {
        let TypeKind::Enum(def) = &tree.types[e.ty].kind else { continue };
        if !def.scoped {
            (0..).zip(&def.values).for_each(|(n, (value, _))| {
                add(&value.text, OwnMember::EnumValue { of, n, at: value.at });
            });
        }
    }
    for (index, v) in (0..).zip(&decls.vars).filter(|(_, v)| is_mine(v.around.owner)) {
        let ItemKind::Var(var) = &tree.items[v.item].kind else { continue };
        if let Some(d) = var.vars.get(v.declarator as usize) {
            add(&d.name.text, OwnMember::Var { index, at: d.name.at });
        }
    }
    for (index, f) in (0..).zip(&decls.functions).filter(|(_, f)| is_mine(f.around.owner)) {
        if let ItemKind::Function(function) = &tree.items[f.item].kind {
            add(&function.name.text, OwnMember::Method(index));
        }
    }
    fields(tree, node.record, &mut add);
    for (index, r) in (0..).zip(&decls.records).filter(|(_, r)| is_mine(r.around.owner)) {
        if let TypeKind::Record(inner) = &tree.types[r.ty].kind
            && let Some(name) = &inner.name
        {
            add(&name.text, OwnMember::Record(index));
        }
    }
    for (index, e) in enums() {
        if let TypeKind::Enum(def) = &tree.types[e.ty].kind
            && let Some(name) = &def.name
        {
            add(&name.text, OwnMember::Enum(index));
        }
    }
    for (index, a) in (0..).zip(&decls.aliases).filter(|(_, a)| is_mine(a.around.owner)) {
        if let Some((name, ..)) = a.parts(tree) {
            add(&name.text, OwnMember::Alias(index));
        }
    }
    out
}

/// Adds the fields. It does not query [`super::record`], which may be under construction: an array size may name a
/// constant of the same record.
fn fields(tree: &ast::Ast, record: &ast::Record, add: &mut impl FnMut(&str, OwnMember)) {
    for member in record.members.iter().flatten() {
        match &tree.items[*member].kind {
            ItemKind::Var(var) => {
                var.vars.iter().for_each(|d| add(&d.name.text, OwnMember::Field { at: d.name.at }));
            }
            ItemKind::Type(ty) => match &tree.types[*ty].kind {
                TypeKind::Record(inner) if inner.name.is_none() => fields(tree, inner, add),
                _ => {}
            },
            _ => {}
        }
    }
}
