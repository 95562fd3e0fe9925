//! Members of one record that share a name. Only methods may, as overloads (C++ \[class.mem\]).

use crate::db::def::SourcePlace;
use crate::db::diagnostic::Diagnostic;
use crate::tables::codes::Code;
use crate::types::cx::Cx;
use rustc_hash::FxHashMap;
use wgc_frontend::ast::{Ast, ItemId, ItemKind};

#[derive(Clone, Copy, PartialEq, Eq)]
enum MemberKind {
    Field,
    Static,
    Method,
    Alias,
}

impl MemberKind {
    fn words(self) -> &'static str {
        match self {
            MemberKind::Field => "a field",
            MemberKind::Static => "a static member",
            MemberKind::Method => "a method",
            MemberKind::Alias => "a type",
        }
    }
}

/// Reports each member with the name of an earlier one.
pub(super) fn check<'db>(cx: &mut Cx<'_, 'db>, record: &str, tree: &Ast, members: &[ItemId]) {
    let mut seen: FxHashMap<&str, (MemberKind, u32)> = FxHashMap::default();
    for (name, kind, at) in members.iter().flat_map(|member| declared(tree, *member)) {
        let Some((old, first)) = seen.get(name).copied() else {
            seen.insert(name, (kind, at));
            continue;
        };
        if name.is_empty() || kind == MemberKind::Method && old == kind {
            continue;
        }
        let message = match kind == old {
            true if kind == MemberKind::Field => format!("`{record}` has two fields named `{name}`"),
            true => format!("`{record}` declares `{name}` twice"),
            false => format!("`{record}` has {} and {} named `{name}`", old.words(), kind.words()),
        };
        let (place, first) = (SourcePlace::token(cx.item, at), SourcePlace::token(cx.item, first));
        cx.errors.push(Diagnostic::new(Code::Redefinition, place, message).also(first, "first declared here"));
    }
}

/// Returns the names that a member declares, with their tokens. Records and enums have none here: other members may
/// hide them.
fn declared(tree: &Ast, member: ItemId) -> Vec<(&str, MemberKind, u32)> {
    match &tree.items[member].kind {
        ItemKind::Var(var) => {
            let is_static = tree.types[var.ty].modifiers.iter().any(|m| m.text == "static");
            let kind = if is_static { MemberKind::Static } else { MemberKind::Field };
            var.vars.iter().map(|v| (v.name.text.as_str(), kind, v.name.at)).collect()
        }
        ItemKind::Function(f) if f.owner.is_none() => vec![(f.name.text.as_str(), MemberKind::Method, f.name.at)],
        ItemKind::Typedef { declarators, .. } => {
            declarators.iter().map(|d| (d.name.text.as_str(), MemberKind::Alias, d.name.at)).collect()
        }
        ItemKind::Using { name, .. } => vec![(name.text.as_str(), MemberKind::Alias, name.at)],
        _ => Vec::new(),
    }
}
