//! Families of methods: interfaces and their implementations, which must share names.
//!
//! A rename of only one of them would separate it from its interface. A record connects the methods of its interfaces
//! with its own and with those of its bases ([`wgc_sema::types::interfaces`]). So a method that belongs to two
//! interfaces connects them, too. Programs may see different records of one header: a family is closed over all of
//! them.

use super::heads::stand_in_record;
use super::shared::joined_by_units;
use super::symbols::{SymbolId, symbol_id, type_def};
use super::texts::{self, primary, spelled};
use rustc_hash::FxHashMap;
use wgc_frontend::token::{Sym, Token, TokenKind};
use wgc_sema::db::def::{Def, Item, RecordId, SourcePlace};
use wgc_sema::db::diagnostic::FileRange;
use wgc_sema::db::items::{fn_node, item_tree, items, record_node};
use wgc_sema::db::ty::{FnInst, RecordInst};
use wgc_sema::db::units;
use wgc_sema::db::{Db, Program};
use wgc_sema::types::interfaces::{is_interface, is_same, lineage, own_methods};
use wgc_sema::types::name_uses::Symbol;
use wgc_sema::types::names::def_place;

/// Returns the records that implement an interface, or the methods that implement one of its methods. Empty for all
/// other symbols.
pub fn implementations<'db>(db: &'db dyn Db, part: Program, symbol: &Symbol<'db>) -> Vec<FileRange> {
    let (interface, method) = match symbol {
        Symbol::Def(Def::Record(r)) => (*r, None),
        Symbol::Type(ty) => match type_def(db, *ty) {
            Some(Def::Record(r)) => (r, None),
            _ => return Vec::new(),
        },
        Symbol::Called(inst) => return implementations(db, part, &Symbol::Def(Def::Function(inst.function(db)))),
        Symbol::Def(Def::Function(f)) => {
            let f = primary(db, *f);
            let Some(node) = fn_node(db, f) else { return Vec::new() };
            let Some(index) = node.decl.around.owner else { return Vec::new() };
            (RecordId { item: f.item, index }, Some((f, node.function.name.text.as_str())))
        }
        _ => return Vec::new(),
    };
    if !is_interface(db, interface) {
        return Vec::new();
    }
    let mut places: Vec<SourcePlace<'db>> = Vec::new();
    for inst in items(db, part).iter().flat_map(|item| records(db, *item)) {
        let mut bases = lineage(db, inst).into_iter().skip(1);
        let Some(base) = bases.find(|base| base.record(db) == interface) else { continue };
        let Some((method, name)) = method else {
            places.extend(def_place(db, Def::Record(inst.record(db))));
            continue;
        };
        let asked = FnInst::new(db, method, Some(base), Vec::new());
        let own = own_methods(db, inst, Some(name)).into_iter().filter(|f| is_same(db, *f, asked));
        places.extend(own.filter_map(|f| def_place(db, Def::Function(f.function(db)))));
    }
    places.into_iter().filter_map(|place| spelled(db, place)).map(|found| found.range).collect()
}

/// Adds the families of symbols in these programs: related methods, and declarations that translation units share.
pub fn with_family(db: &dyn Db, programs: &[Program], ids: Vec<SymbolId>) -> Vec<SymbolId> {
    let mut out = ids;
    let mut joined: FxHashMap<String, Vec<Vec<SymbolId>>> = FxHashMap::default();
    let mut next = 0;
    // The list grows during the loop.
    while let Some(id) = out.get(next).cloned() {
        next += 1;
        if id.namespace.is_some() {
            continue;
        }
        let groups = joined.entry(id.name.clone()).or_insert_with_key(|name| {
            let by_records = |program: &Program| {
                units(db, *program).into_iter().flat_map(|part| joined_by_records(db, part, name)).collect::<Vec<_>>()
            };
            let all = programs.iter();
            all.flat_map(|program| [by_records(program), joined_by_units(db, *program, name)].concat()).collect()
        });
        for other in groups.iter().filter(|group| group.contains(&id)).flatten() {
            if !out.contains(other) {
                out.push(other.clone());
            }
        }
    }
    out
}

/// Returns groups of methods with a name that records of a translation unit connect: those of interfaces with their
/// implementations.
fn joined_by_records(db: &dyn Db, part: Program, name: &str) -> Vec<Vec<SymbolId>> {
    let asks =
        |inst: &RecordInst<'_>| is_interface(db, inst.record(db)) && !own_methods(db, *inst, Some(name)).is_empty();
    // Most names belong to no interface.
    if !items(db, part).iter().flat_map(|item| records(db, *item)).any(|inst| asks(&inst)) {
        return Vec::new();
    }
    let local = local_types(db, part, name);
    let mut out: Vec<Vec<SymbolId>> = Vec::new();
    for inst in items(db, part).iter().chain(&local).flat_map(|item| records(db, *item)) {
        if record_node(db, inst.record(db)).is_none_or(|node| node.record.bases.is_empty()) {
            continue;
        }
        let all = lineage(db, inst);
        let methods: Vec<FnInst<'_>> = all.iter().flat_map(|record| own_methods(db, *record, Some(name))).collect();
        for asked in all.iter().filter(|inst| asks(inst)).flat_map(|inst| own_methods(db, *inst, Some(name))) {
            let same = methods.iter().filter(|f| is_same(db, **f, asked));
            let group: Vec<SymbolId> = same.filter_map(|f| symbol_id(db, &Symbol::Called(*f))).collect();
            if group.len() > 1 && !out.contains(&group) {
                out.push(group);
            }
        }
    }
    out
}

/// Returns the records of an item; for a template, a stand-in for all its instances.
fn records<'db>(db: &'db dyn Db, item: Item<'db>) -> impl Iterator<Item = RecordInst<'db>> {
    let ids = (0..item_tree(db, item).decls.records.len() as u32).map(move |index| RecordId { item, index });
    ids.map(move |id| stand_in_record(db, id))
}

/// Returns types inside functions that may have a method of a name.
fn local_types<'db>(db: &'db dyn Db, part: Program, name: &str) -> Vec<Item<'db>> {
    let is_record = |token: &Token| matches!(token.kind, TokenKind::Sym(Sym::Struct | Sym::Class));
    let mut out: Vec<Item<'db>> = Vec::new();
    for text in texts::texts(db, part).filter(|text| text.body.is_some()) {
        let tokens = text.tokens(db);
        if tokens.iter().any(is_record)
            && tokens.iter().any(|token| token.kind == TokenKind::Ident && token.text == name)
        {
            out.extend(texts::notes(db, part, text).into_iter().flat_map(|notes| &notes.local_types).copied());
        }
    }
    out
}
