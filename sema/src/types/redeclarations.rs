//! Conflicting declarations of one name: repeated definitions, repeated defaults, different results.

use crate::db::def::{AliasId, Def, FnId, Item, RecordId, SourcePlace};
use crate::db::diagnostic::Diagnostic;
use crate::db::items::item_tree;
use crate::db::ty::FnInst;
use crate::db::{Db, Program};
use crate::tables::codes::Code;
use crate::types::name_table::name_table;
use crate::types::names::{Shape, def_place, shape};
use crate::types::signature::{TemplateParam, fn_signature, record_template_params, template_params};
use crate::types::written::alias_ty;

/// Returns errors about names declared twice in one scope.
#[salsa::tracked(returns(ref))]
pub fn redeclarations<'db>(db: &'db dyn Db, program: Program) -> Vec<Diagnostic<'db>> {
    let mut out = Vec::new();
    for names in name_table(db, program).scopes.values() {
        for (name, defs) in names {
            if defs.len() > 1 {
                redeclared(db, name, defs, &mut out);
            }
        }
    }
    out
}

fn redeclared<'db>(db: &'db dyn Db, name: &str, defs: &[Def<'db>], out: &mut Vec<Diagnostic<'db>>) {
    let mut first: Option<Def<'db>> = None;
    // A record or enum, which values and functions hide (C++ [basic.scope.hiding]).
    let mut tag: Option<Def<'db>> = None;
    let mut records: Vec<RecordId<'db>> = Vec::new();
    let mut functions: Vec<(FnId<'db>, Shape<'db>)> = Vec::new();
    let is_namespace = |def: &Def<'db>| matches!(def, Def::Namespace(_));
    if defs.iter().any(is_namespace)
        && let Some(place) = defs.iter().find(|def| !is_namespace(def)).and_then(|def| def_place(db, *def))
    {
        out.push(Diagnostic::new(Code::Redefinition, place, format!("`{name}` is also a namespace of this scope")));
    }
    for def in defs {
        if let Def::Record(record) = *def {
            let own = (record.item, record_template_params(db, record));
            let of = |old: &RecordId<'db>| (old.item, record_template_params(db, *old));
            let twice = records.iter().find_map(|old| template_default_again(db, name, own, of(old)));
            out.extend(twice);
            records.push(record);
        }
        let clash = match def {
            // A forward declaration of a record may be repeated.
            Def::Record(r) if crate::db::items::record_node(db, *r).is_none_or(|n| n.record.members.is_none()) => None,
            Def::Namespace(_) => None,
            Def::Alias(again) if is_same_alias(db, first, *again) => None,
            Def::Record(_) | Def::Enum(_) if is_tag(db, *def) => {
                let alias = first.filter(|old| matches!(old, Def::Alias(_)));
                let clash = tag.or(alias);
                tag = tag.or(Some(*def));
                clash
            }
            Def::Function(f) => {
                let shape = shape(db, *f);
                let same = functions.iter().find(|(_, s)| s.defined && shape.defined && s.same_parameters(&shape));
                if same.is_none() {
                    let earlier = functions.iter().filter(|(_, s)| s.same_parameters(&shape)).map(|(f, _)| *f);
                    let earlier: Vec<_> = earlier.collect();
                    out.extend(default_given_again(db, *f, &earlier));
                    let own = (f.item, template_params(db, *f));
                    let of = |old: FnId<'db>| (old.item, template_params(db, old));
                    out.extend(earlier.iter().find_map(|old| template_default_again(db, name, own, of(*old))));
                    let plain = |f: FnId<'db>| FnInst::new(db, f, None, Vec::new());
                    if let (Some(old), true) = (earlier.first(), template_params(db, *f).is_empty()) {
                        out.extend(other_result(db, plain(*f), plain(*old)));
                    }
                }
                let clash = same.map(|(f, _)| Def::Function(*f)).or(first);
                functions.push((*f, shape));
                clash
            }
            _ => {
                let alias_of = tag.filter(|_| matches!(def, Def::Alias(_)));
                let clash = first.or(alias_of).or(functions.first().map(|(f, _)| Def::Function(*f)));
                first = first.or(Some(*def));
                clash
            }
        };
        if let Some(old) = clash
            && let (Some(place), Some(old)) = (def_place(db, *def), def_place(db, old))
        {
            let message = format!("duplicate definition of `{name}`");
            out.push(Diagnostic::new(Code::Redefinition, place, message).also(old, "first defined here"));
        }
    }
}

/// Returns whether a definition is a record or enum that a value may hide. Templates cannot be hidden in their own
/// scope.
fn is_tag<'db>(db: &'db dyn Db, def: Def<'db>) -> bool {
    match def {
        Def::Record(r) => {
            crate::types::signature::record_template_params(db, r).is_empty()
                && !crate::types::record::is_variable(db, r)
        }
        _ => matches!(def, Def::Enum(_)),
    }
}

/// Returns whether an alias repeats the previous one.
fn is_same_alias<'db>(db: &'db dyn Db, first: Option<Def<'db>>, again: AliasId<'db>) -> bool {
    let plain = |alias: AliasId<'db>| {
        let tree = item_tree(db, alias.item);
        let decl = tree.decls.aliases.get(alias.index as usize)?;
        let is_template = !tree.decls.templates(&decl.around).is_empty();
        (!is_template).then(|| alias_ty(db, alias.item, alias.index, None, Vec::new()).0)
    };
    let Some(Def::Alias(first)) = first else { return false };
    plain(first).is_some_and(|ty| plain(again) == Some(ty))
}

/// Reports a declaration of a function that differs from an earlier one only in the result.
pub fn other_result<'db>(db: &'db dyn Db, f: FnInst<'db>, earlier: FnInst<'db>) -> Option<Diagnostic<'db>> {
    let (new, old) = (fn_signature(db, f), fn_signature(db, earlier));
    let (ret, before) = (new.ret.unordered(db), old.ret.unordered(db));
    if ret == before || ret.is_error(db) || before.is_error(db) {
        return None;
    }
    let (name, ret, before) = (&new.name, ret.display(db), before.display(db));
    let message = format!("`{name}` returns `{ret}` here, but `{before}` in another declaration");
    let diagnostic = Diagnostic::new(Code::OtherResult, new.name_place, message);
    Some(diagnostic.also(old.name_place, format!("this one returns `{before}`")))
}

/// Reports a default template argument that an earlier declaration has already given.
fn template_default_again<'db>(
    db: &'db dyn Db,
    name: &str,
    own: (Item<'db>, &'db [TemplateParam]),
    earlier: (Item<'db>, &'db [TemplateParam]),
) -> Option<Diagnostic<'db>> {
    let (place, old) = crate::types::signature::default_given_again(db, own, earlier)?;
    let message = format!("another declaration of `{name}` already has this default template argument");
    Some(Diagnostic::new(Code::Redefinition, place, message).also(old, "given here"))
}

/// Reports a default argument that an earlier declaration has already given.
pub fn default_given_again<'db>(db: &'db dyn Db, f: FnId<'db>, earlier: &[FnId<'db>]) -> Option<Diagnostic<'db>> {
    use crate::types::default_arguments::own;
    let node = crate::db::items::fn_node(db, f)?;
    let twice = |n: &usize| earlier.iter().find(|e| own(db, **e, *n).is_some()).zip(own(db, f, *n));
    let (old, again) = (0..node.function.params.len()).find_map(|n| twice(&n))?;
    let span = node.tree.ast.exprs[again].span;
    let message = format!("another declaration of `{}` already has this default argument", node.function.name.text);
    let diagnostic = Diagnostic::new(Code::Redefinition, SourcePlace::head(f.item, span), message);
    Some(match def_place(db, Def::Function(*old)) {
        Some(place) => diagnostic.also(place, "declared here"),
        None => diagnostic,
    })
}
