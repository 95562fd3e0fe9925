//! The symbol at a location of a program, its declarations and its uses.
//!
//! Two names denote the same symbol if their declarations are at the same location of a file. This holds for the
//! instances of a template, and for a header in several programs. It also holds for a declaration and its definition,
//! both represented by the first declaration. There is no index: only texts with the word are analyzed, and the results
//! are cached.

use super::texts::{self, Spelled, TextId, declarations, primary, spelled};
use rustc_hash::FxHashMap;
use std::sync::Arc;
use wgc_frontend::token::{Sym, Token, TokenKind};
use wgc_sema::db::def::{Def, Item, Name, RecordId, SourcePlace, VarId};
use wgc_sema::db::diagnostic::FileRange;
use wgc_sema::db::items::{item_tree, record_node, unit, var_node};
use wgc_sema::db::ty::{Ty, TyKind};
use wgc_sema::db::{Db, Program};
use wgc_sema::types::name_uses::Symbol;
use wgc_sema::types::names::{self, def_place};

/// The identity of a symbol, independent of the program.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SymbolId {
    /// The name as written.
    pub name: String,
    /// Its first declaration; empty for a namespace.
    pub declared: FileRange,
    /// The full name of a namespace, which has no single declaration.
    pub namespace: Option<String>,
    /// Only the declaring item can name it.
    pub is_local: bool,
}

/// A name at a location.
#[derive(Clone, Debug)]
pub struct Named<'db> {
    /// The range of the name in the file.
    pub range: FileRange,
    /// The location in the program.
    pub place: SourcePlace<'db>,
    pub symbol: Symbol<'db>,
    pub declares: bool,
}

/// A location that names a symbol.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Use {
    pub range: FileRange,
    pub declares: bool,
    /// It is assigned or declared here.
    pub writes: bool,
    /// The file contains the name itself; otherwise a macro creates it.
    pub exact: bool,
}

/// Returns the symbols that are named at a byte of a file, in one translation unit. There may be several if a macro or
/// an `#include` repeats the text.
pub fn named_at<'db>(db: &'db dyn Db, part: Program, path: &str, at: u32) -> Vec<Named<'db>> {
    let mut out: Vec<Named<'db>> = Vec::new();
    for (place, note) in texts::with_notes(db, part, &texts::names_at(db, part, path, at)) {
        let Some(Spelled { range, .. }) = spelled(db, place) else { continue };
        if !out.iter().any(|named| named.symbol == note.symbol && named.range == range) {
            out.push(Named { range, place, symbol: note.symbol.clone(), declares: note.declares });
        }
    }
    if out.is_empty() {
        out.extend(namespace_at(db, part, path, at));
    }
    out
}

/// Returns the identity of a symbol; `None` if no text declares it.
pub fn symbol_id<'db>(db: &'db dyn Db, symbol: &Symbol<'db>) -> Option<SymbolId> {
    if let Symbol::Def(Def::Namespace(full)) = symbol {
        let full = full.text(db);
        let name = full.rsplit("::").next().unwrap_or(full).to_owned();
        let declared = FileRange::new(Arc::from(""), 0, 0);
        return Some(SymbolId { name, declared, namespace: Some(full.to_owned()), is_local: false });
    }
    let place = declared_at(db, symbol)?;
    let name = name_at(db, place)?;
    let is_local = matches!(symbol, Symbol::Local { .. } | Symbol::TemplateParam(_) | Symbol::Buffer(_));
    Some(SymbolId { name, declared: spelled(db, place)?.range, namespace: None, is_local })
}

/// Returns the text of a token.
fn name_at<'db>(db: &'db dyn Db, place: SourcePlace<'db>) -> Option<String> {
    let text = TextId::of(place).tokens(db).get(place.span.lo as usize)?.spelling();
    Some(text.to_owned())
}

/// Returns the location of the name in a symbol's first declaration.
pub(super) fn declared_at<'db>(db: &'db dyn Db, symbol: &Symbol<'db>) -> Option<SourcePlace<'db>> {
    match symbol {
        Symbol::Called(inst) => declared_at(db, &Symbol::Def(Def::Function(inst.function(db)))),
        Symbol::Def(def) => def_place(db, first(db, *def)),
        Symbol::Field { place, .. } | Symbol::Local { place, .. } => Some(*place),
        Symbol::TemplateParam(place) | Symbol::Buffer(place) => Some(*place),
        Symbol::Word(_) => None,
        Symbol::Type(ty) => def_place(db, first(db, type_def(db, *ty)?)),
    }
}

/// Returns the declaration of a type.
pub(super) fn type_def<'db>(db: &'db dyn Db, ty: Ty<'db>) -> Option<Def<'db>> {
    match ty.kind(db) {
        TyKind::Record(inst) => Some(Def::Record(inst.record(db))),
        TyKind::Enum(e) => Some(Def::Enum(*e)),
        TyKind::Array(element, _) => type_def(db, *element),
        _ => None,
    }
}

/// Returns the declaration that represents all of a symbol.
fn first<'db>(db: &'db dyn Db, def: Def<'db>) -> Def<'db> {
    match def {
        Def::Function(f) => Def::Function(primary(db, f)),
        Def::Record(r) => Def::Record(same_records(db, r).first().copied().unwrap_or(r)),
        Def::Var(v) => Def::Var(member_of(db, v).unwrap_or(v)),
        other => other,
    }
}

/// Returns the declarations of a record, its definition first, followed by specialisations of its template.
fn same_records<'db>(db: &'db dyn Db, record: RecordId<'db>) -> Vec<RecordId<'db>> {
    let Some(node) = record_node(db, record).filter(|node| node.decl.around.owner.is_none()) else {
        return vec![record];
    };
    let (Some(name), None) = (&node.record.name, record.item.around(db)) else { return vec![record] };
    let program = record.item.program(db);
    let scope = Name::new(db, record.item.scope(db).to_owned());
    let name = Name::new(db, name.text.to_string());
    let outside = wgc_sema::types::name_table::outside(db, program, name)
        .iter()
        .filter(|def| def.item().is_some_and(|item| item.scope(db) == record.item.scope(db)));
    let all = names::lookup_in(db, program, scope, name).iter().chain(outside);
    let mut all: Vec<RecordId<'db>> =
        all.filter_map(|def| if let Def::Record(r) = def { Some(*r) } else { None }).collect();
    all.retain(|r| r.item.program(db) == program);
    let is_defined = |r: &RecordId<'db>| {
        record_node(db, *r).is_some_and(|n| n.record.members.is_some() && n.record.specialises.is_none())
    };
    all.sort_by_key(|r| !is_defined(r));
    all.dedup();
    all
}

/// Returns the member that `float S::x = 1;` defines.
fn member_of<'db>(db: &'db dyn Db, var: VarId<'db>) -> Option<VarId<'db>> {
    let node = var_node(db, var)?;
    let Def::Record(record) = wgc_sema::types::definition::def_at(db, var.item, node.declarator.owner.as_ref()?)?
    else {
        return None;
    };
    let count = item_tree(db, record.item).decls.vars.len() as u32;
    let mut members = (0..count).map(|index| VarId { item: record.item, index });
    members.find(|member| {
        var_node(db, *member).is_some_and(|other| {
            other.decl.around.owner == Some(record.index) && other.declarator.name.text == node.declarator.name.text
        })
    })
}

/// Returns all declarations of a symbol, definitions first.
pub fn declared_everywhere<'db>(db: &'db dyn Db, part: Program, symbol: &Symbol<'db>) -> Vec<FileRange> {
    let mut places: Vec<SourcePlace<'db>> = Vec::new();
    match symbol {
        Symbol::Called(inst) => {
            return declared_everywhere(db, part, &Symbol::Def(Def::Function(inst.function(db))));
        }
        Symbol::Def(Def::Namespace(full)) => return namespaces(db, part, full.text(db)),
        Symbol::Def(Def::Function(f)) => {
            let mut all = declarations(db, primary(db, *f));
            let has_body = |f: &wgc_sema::db::def::FnId<'db>| {
                wgc_sema::db::items::fn_node(db, *f).is_some_and(|n| n.function.body != wgc_frontend::ast::Body::None)
            };
            all.sort_by_key(|f| !has_body(f));
            places.extend(all.into_iter().filter_map(|f| def_place(db, Def::Function(f))));
        }
        Symbol::Def(Def::Record(r)) => {
            places.extend(same_records(db, *r).into_iter().filter_map(|r| def_place(db, Def::Record(r))));
        }
        Symbol::Type(ty) => {
            if let Some(def) = type_def(db, *ty) {
                return declared_everywhere(db, part, &Symbol::Def(def));
            }
        }
        _ => places.extend(declared_at(db, symbol)),
    }
    let mut out: Vec<FileRange> = Vec::new();
    for range in places.into_iter().filter_map(|place| spelled(db, place)).map(|s| s.range) {
        if !out.contains(&range) {
            out.push(range);
        }
    }
    out
}

/// Returns the declarations of a symbol's type.
pub fn type_declarations<'db>(db: &'db dyn Db, part: Program, symbol: &Symbol<'db>) -> Vec<FileRange> {
    let ty = match super::describe::type_of(db, symbol) {
        Some(ty) => ty,
        None => return Vec::new(),
    };
    // A handle leads to the type of its contents.
    let inner = |ty: Ty<'db>| match ty.kind(db) {
        TyKind::Record(inst) if wgc_sema::types::record::builtin(db, ty).is_some() => {
            wgc_sema::types::record::type_arg(db, *inst)
        }
        _ => None,
    };
    let ty = match ty.kind(db) {
        TyKind::Array(element, _) => *element,
        _ => ty,
    };
    let ty = inner(ty).filter(|inner| type_def(db, *inner).is_some()).unwrap_or(ty);
    declared_everywhere(db, part, &Symbol::Type(ty))
}

/// Returns all uses of symbols in a translation unit.
pub fn uses(db: &dyn Db, part: Program, ids: &[SymbolId]) -> Vec<Use> {
    let mut out: Vec<Use> = Vec::new();
    // The items that declare locals: a macro may create hundreds of locals at one location.
    let mut places: FxHashMap<&FileRange, Vec<Item<'_>>> = FxHashMap::default();
    for id in ids {
        let only = id
            .is_local
            .then(|| &*places.entry(&id.declared).or_insert_with_key(|declared| texts::items_at(db, part, declared)));
        of_one(db, part, id, only.map(Vec::as_slice), &mut out);
    }
    out.sort();
    out.dedup();
    out
}

/// Adds the uses of a symbol, only in these items if given.
fn of_one(db: &dyn Db, part: Program, id: &SymbolId, only: Option<&[Item<'_>]>, out: &mut Vec<Use>) {
    // Caches the comparison of each declaration with the symbol.
    let mut known: FxHashMap<SourcePlace<'_>, bool> = FxHashMap::default();
    for text in texts::texts(db, part) {
        if only.is_some_and(|only| !only.contains(&text.item)) {
            continue;
        }
        let is_word = |token: &Token| token.kind == TokenKind::Ident && token.text == id.name.as_str();
        let words = text.tokens(db).iter().zip(0_u32..).filter(|(token, _)| is_word(token));
        let words: Vec<u32> = words.map(|(_, at)| at).collect();
        if words.is_empty() {
            continue;
        }
        for (at, note) in words.iter().zip(texts::notes_at(db, part, text, &words)) {
            let Some(note) = note else { continue };
            let is_it = match declared_at(db, &note.symbol) {
                Some(place) => *known.entry(place).or_insert_with(|| symbol_id(db, &note.symbol).as_ref() == Some(id)),
                None => symbol_id(db, &note.symbol).as_ref() == Some(id),
            };
            if is_it && let Some(Spelled { range, exact }) = spelled(db, text.token(*at)) {
                let writes = note.declares || is_written(text, db, *at as usize);
                out.push(Use { range, declares: note.declares, writes, exact });
            }
        }
    }
    if let Some(full) = &id.namespace {
        let openings = namespaces(db, part, full).into_iter();
        out.extend(openings.map(|range| Use { range, declares: true, writes: true, exact: true }));
    }
}

/// Returns whether a byte of a file may name a node: not in a body.
pub fn may_name_a_node(db: &dyn Db, part: Program, path: &str, at: u32) -> bool {
    texts::in_head(db, part, path, at)
}

/// Returns whether a name is assigned, incremented or decremented.
fn is_written<'db>(text: TextId<'db>, db: &'db dyn Db, at: usize) -> bool {
    let tokens = text.tokens(db);
    let sym = |at: Option<usize>| at.and_then(|at| tokens.get(at)).map(|token| token.kind);
    let steps = [TokenKind::Sym(Sym::PlusPlus), TokenKind::Sym(Sym::MinusMinus)];
    if sym(at.checked_sub(1)).is_some_and(|kind| steps.contains(&kind)) {
        return true;
    }
    // An assignment to a field or element after the name counts as well.
    let mut next = at + 1;
    let mut depth = 0;
    while let Some(token) = tokens.get(next) {
        match token.kind {
            TokenKind::Sym(Sym::LBracket) => depth += 1,
            TokenKind::Sym(Sym::RBracket) if depth > 0 => depth -= 1,
            _ if depth > 0 => {}
            TokenKind::Sym(Sym::Dot) => next += 1,
            TokenKind::Sym(sym) => {
                let assigns = sym == Sym::Eq || (sym.text().ends_with('=') && !is_comparison(sym));
                return assigns || steps.contains(&token.kind);
            }
            _ => return false,
        }
        next += 1;
    }
    false
}

fn is_comparison(sym: Sym) -> bool {
    matches!(sym, Sym::EqEq | Sym::NotEq | Sym::LtEq | Sym::GtEq)
}

// ---- namespaces, which belong to no item

/// A name of `namespace a::b { .. }`.
struct Opening {
    /// The name with all surrounding names.
    full: String,
    /// Tokens of the unit: `namespace`, the name, and `}` or the last one.
    first: u32,
    name: u32,
    close: u32,
}

fn openings(db: &dyn Db, part: Program) -> Vec<Opening> {
    let tokens = &unit(db, part).unit.tokens;
    let mut out: Vec<Opening> = Vec::new();
    // The openings of each open brace.
    let mut open: Vec<std::ops::Range<usize>> = Vec::new();
    let mut names: Vec<String> = Vec::new();
    let mut next = 0;
    while let Some(token) = tokens.get(next) {
        match token.kind {
            TokenKind::Sym(Sym::Namespace) => {
                let first = next as u32;
                let mut at = next + 1;
                let mut own: Vec<(String, u32)> = Vec::new();
                while let Some(name) = tokens.get(at).filter(|t| t.kind == TokenKind::Ident) {
                    own.push((name.text.to_string(), at as u32));
                    at += 1;
                    match tokens.get(at).map(|t| t.kind) {
                        Some(TokenKind::Sym(Sym::ColonColon)) => at += 1,
                        _ => break,
                    }
                }
                if tokens.get(at).is_some_and(|t| t.is(Sym::LBrace)) {
                    let from = out.len();
                    for (text, name) in own {
                        names.push(text);
                        let close = tokens.len().saturating_sub(1) as u32;
                        out.push(Opening { full: names.join("::"), first, name, close });
                    }
                    open.push(from..out.len());
                    next = at;
                }
            }
            TokenKind::Sym(Sym::LBrace) => open.push(0..0),
            TokenKind::Sym(Sym::RBrace) => {
                let made = open.pop().unwrap_or(0..0);
                names.truncate(names.len().saturating_sub(made.len()));
                out[made].iter_mut().for_each(|opening| opening.close = next as u32);
            }
            _ => {}
        }
        next += 1;
    }
    out
}

/// Returns the namespaces that a file opens: qualified name, range of the name, and range from `namespace` to the
/// brace.
pub(super) fn opened(db: &dyn Db, part: Program, path: &str) -> Vec<(String, FileRange, FileRange)> {
    let whole = unit(db, part);
    let range = |token: u32| FileRange { named: None, ..wgc_sema::report::diagnostics::token_range(db, whole, token) };
    let of = |opening: Opening| {
        let [first, name, close] = [opening.first, opening.name, opening.close].map(range);
        let is_here = [&first, &name, &close].iter().all(|range| &*range.file == path);
        (is_here && first.lo <= name.lo && name.hi <= close.hi).then_some((
            opening.full,
            name,
            FileRange { hi: close.hi, ..first },
        ))
    };
    openings(db, part).into_iter().filter_map(of).collect()
}

/// Returns the locations that open a namespace.
fn namespaces(db: &dyn Db, part: Program, full: &str) -> Vec<FileRange> {
    let whole = unit(db, part);
    let here = openings(db, part).into_iter().filter(|opening| opening.full == full);
    let mut out: Vec<FileRange> =
        here.map(|opening| wgc_sema::report::diagnostics::token_range(db, whole, opening.name)).collect();
    out.iter_mut().for_each(|range| range.named = None);
    out.dedup();
    out
}

fn namespace_at<'db>(db: &'db dyn Db, part: Program, path: &str, at: u32) -> Option<Named<'db>> {
    let whole = unit(db, part);
    openings(db, part).into_iter().find_map(|Opening { full, name, .. }| {
        let range = FileRange { named: None, ..wgc_sema::report::diagnostics::token_range(db, whole, name) };
        if &*range.file != path || !(range.lo..=range.hi).contains(&at) {
            return None;
        }
        let name = Name::new(db, full.clone());
        let item = wgc_sema::types::name_table::opening(db, part, name)?;
        let (place, symbol) = (SourcePlace::token(item, 0), Symbol::Def(Def::Namespace(name)));
        Some(Named { range, place, symbol, declares: true })
    })
}
