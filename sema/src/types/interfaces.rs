//! Interfaces: the implementations of their methods, and records that lack one.
//!
//! A method implements one of the same name if the parameters have the same types and directions. A record also has
//! the methods of its bases, even if its own methods hide them from calls. So a base may implement an interface for
//! it.

use crate::db::Db;
use crate::db::def::{Def, FnId, RecordId, SourcePlace};
use crate::db::diagnostic::Diagnostic;
use crate::db::items::{RecordNode, item_tree, record_node};
use crate::db::ty::{FnInst, RecordInst};
use crate::tables::codes::Code;
use crate::types::cx::Cx;
use crate::types::definition;
use crate::types::names::def_place;
use crate::types::record::{env_of, record};
use crate::types::signature::{Direction, fn_signature, template_params};
use wgc_frontend::ast::{ItemKind, RecordKeyword};

pub fn is_interface<'db>(db: &'db dyn Db, record: RecordId<'db>) -> bool {
    record_node(db, record).is_some_and(|node| node.record.keyword == RecordKeyword::Interface)
}

/// Returns a record and all its bases, each once, the record first.
pub fn lineage<'db>(db: &'db dyn Db, inst: RecordInst<'db>) -> Vec<RecordInst<'db>> {
    let mut out = vec![inst];
    let mut next = 0;
    // The list grows during the iteration.
    while let Some(inst) = out.get(next).copied() {
        next += 1;
        for base in &record(db, inst).bases {
            if !out.contains(base) {
                out.push(*base);
            }
        }
    }
    out
}

/// Returns the methods that a record's own text declares: all, or those of a name.
pub fn own_methods<'db>(db: &'db dyn Db, inst: RecordInst<'db>, name: Option<&str>) -> Vec<FnInst<'db>> {
    let id = definition::record(db, inst).record;
    let tree = item_tree(db, id.item);
    let is_it = |f: &crate::tables::decls::FnDecl| match &tree.ast.items[f.item].kind {
        ItemKind::Function(function) => name.is_none_or(|name| function.name.text == name),
        _ => false,
    };
    let own = tree.decls.functions.iter().zip(0..).filter(|(f, _)| f.around.owner == Some(id.index) && is_it(f));
    own.map(|(_, index)| FnInst::new(db, FnId { item: id.item, index }, Some(inst), Vec::new())).collect()
}

/// Returns whether two methods of one name implement the same method. Parameters with unknown types fit all others.
/// Templates are compared only by the numbers of their parameters.
pub fn is_same<'db>(db: &'db dyn Db, one: FnInst<'db>, other: FnInst<'db>) -> bool {
    let open = [one, other].map(|f| template_params(db, f.function(db)).len());
    let (one, other) = (&fn_signature(db, one).params, &fn_signature(db, other).params);
    if one.len() != other.len() || open[0] != open[1] {
        return false;
    }
    one.iter().zip(other).all(|(a, b)| {
        let (ty, wanted) = (a.ty.unordered(db), b.ty.unordered(db));
        let fits = ty == wanted || ty.is_error(db) || wanted.is_error(db);
        open[0] != 0 || a.direction == b.direction && fits
    })
}

/// Returns whether the results of two methods are the same, so that one can implement the other.
fn has_result<'db>(db: &'db dyn Db, one: FnInst<'db>, other: FnInst<'db>) -> bool {
    let (ty, wanted) = (fn_signature(db, one).ret.unordered(db), fn_signature(db, other).ret.unordered(db));
    let is_open = !template_params(db, one.function(db)).is_empty();
    is_open || ty == wanted || ty.is_error(db) || wanted.is_error(db)
}

/// Returns a diagnostic for each interface among a record's bases that lacks implementations.
pub(crate) fn missing<'db>(db: &'db dyn Db, inst: RecordInst<'db>) -> Vec<Diagnostic<'db>> {
    let id = definition::record(db, inst).record;
    let Some(node) = record_node(db, id).filter(|node| node.record.members.is_some()) else { return Vec::new() };
    if node.record.keyword == RecordKeyword::Interface || node.record.bases.is_empty() {
        return Vec::new();
    }
    // An unknown or wrong base may have the missing method.
    let all = lineage(db, inst);
    if all.iter().any(|inst| record(db, *inst).diagnostics.iter().any(Diagnostic::is_error)) {
        return Vec::new();
    }
    let mut reported = Vec::new();
    let clauses = interfaces_of(db, inst, &node).into_iter();
    clauses.filter_map(|(place, interface)| one_missing(db, &all, place, interface, &mut reported)).collect()
}

/// Returns the interfaces in a record's text, each with its location.
fn interfaces_of<'db>(
    db: &'db dyn Db,
    inst: RecordInst<'db>,
    node: &RecordNode<'db>,
) -> Vec<(SourcePlace<'db>, RecordInst<'db>)> {
    let item = definition::record(db, inst).record.item;
    let env = env_of(db, Some(inst));
    let mut cx = Cx::head(db, item, &node.tree.ast, &env);
    let bases = node.record.bases.iter().filter_map(|path| {
        let base = cx.path_type(path).as_record(db)?;
        is_interface(db, base.record(db)).then(|| (SourcePlace::head(item, path.span), base))
    });
    bases.collect()
}

/// Returns the diagnostic about the methods of one interface that a record lacks. The record is the first of its
/// lineage; `reported` are the methods that were already reported.
fn one_missing<'db>(
    db: &'db dyn Db,
    all: &[RecordInst<'db>],
    place: SourcePlace<'db>,
    interface: RecordInst<'db>,
    reported: &mut Vec<FnInst<'db>>,
) -> Option<Diagnostic<'db>> {
    // Each method with its text for messages.
    let mut lacks: Vec<(FnInst<'db>, String)> = Vec::new();
    let mut nearly: Vec<(FnInst<'db>, String)> = Vec::new();
    for wanted in lineage(db, interface).into_iter().flat_map(|base| own_methods(db, base, None)) {
        let named = all.iter().flat_map(|record| own_methods(db, *record, Some(&fn_signature(db, wanted).name)));
        // A method that an interface defines counts as well.
        let (own, asked): (Vec<_>, Vec<_>) = named.partition(|f| is_real(db, *f));
        let is_it = |f: &FnInst<'db>| is_same(db, *f, wanted) && has_result(db, *f, wanted);
        if own.iter().any(is_it) || reported.contains(&wanted) {
            continue;
        }
        reported.push(wanted);
        // With equal parameters, the result is wrong.
        let same = own.iter().copied().find(|f| is_same(db, *f, wanted));
        lacks.push((wanted, shown(db, wanted, same.is_some())));
        let others = own.into_iter().filter(|f| asked.iter().all(|asked| !is_same(db, *f, *asked)));
        for other in same.into_iter().chain(others) {
            let shown = shown(db, other, same == Some(other));
            if nearly.iter().all(|(_, known)| *known != shown) {
                nearly.push((other, shown));
            }
        }
    }
    let (name, interface) = (&record(db, *all.first()?).name, &record(db, interface).name);
    let mut message = format!("`{name}` does not implement {} of its interface `{interface}`", list(&lacks)?);
    if let Some(others) = list(&nearly) {
        message += &format!(": it has {others}");
    }
    let mut out = Diagnostic::new(Code::MissingMethod, place, message);
    for (all, label) in [(&lacks, "this is not implemented"), (&nearly, "this has other parameters")] {
        let places = all.iter().filter_map(|(f, _)| def_place(db, Def::Function(f.function(db))));
        out = places.fold(out, |out, place| out.also(place, label));
    }
    Some(out)
}

/// Returns whether a method is more than a declaration in an interface.
fn is_real<'db>(db: &'db dyn Db, f: FnInst<'db>) -> bool {
    let is_asked = f.owner(db).is_some_and(|owner| is_interface(db, owner.record(db)));
    !is_asked || definition::has_body(db, f)
}

/// Returns `go(uint, inout float)`, optionally with the result before it.
fn shown<'db>(db: &'db dyn Db, f: FnInst<'db>, with_result: bool) -> String {
    let signature = fn_signature(db, f);
    let params = signature.params.iter().map(|param| {
        let direction = match param.direction {
            Direction::In => "",
            Direction::Out => "out ",
            Direction::InOut => "inout ",
        };
        format!("{direction}{}", param.ty.display(db))
    });
    let params = params.collect::<Vec<_>>().join(", ");
    let result = if with_result { format!("{} ", signature.ret.display(db)) } else { String::new() };
    format!("{result}{}({params})", signature.name)
}

/// Returns `` `a`, `b` and `c` ``; `None` for an empty list.
fn list(all: &[(FnInst, String)]) -> Option<String> {
    let (last, rest) = all.split_last()?;
    let rest: Vec<String> = rest.iter().map(|(_, shown)| format!("`{shown}`")).collect();
    let rest = if rest.is_empty() { String::new() } else { format!("{} and ", rest.join(", ")) };
    Some(format!("{rest}`{}`", last.1))
}
