//! The outline of a file: its declarations, its includes, and its inactive ranges.

use super::{parts, text_range, whole_range};
use std::ops::Range;
use wgc_frontend::ast::{Body, Declarator, Ident, ItemId, ItemKind, Span, TypeId, TypeKind};
use wgc_sema::contracts::node::stage;
use wgc_sema::db::def::{Item, SourcePlace};
use wgc_sema::db::diagnostic::FileRange;
use wgc_sema::db::items::{ItemTree, item_tree, items, origins, unit};
use wgc_sema::db::{Db, Program};
use wgc_sema::report::diagnostics::token_range;

/// The kind of a symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutlineKind {
    /// A function with `[Shader("node")]`.
    Node,
    Function,
    Method,
    Struct,
    Interface,
    Enum,
    EnumValue,
    Field,
    Variable,
    ConstantBuffer,
    Alias,
    Namespace,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    pub name: String,
    pub kind: OutlineKind,
    /// Surrounding namespaces, joined by `::`.
    pub scope: String,
    /// The declaration, and its name.
    pub range: FileRange,
    pub name_range: FileRange,
    pub children: Vec<Symbol>,
}

impl Symbol {
    /// Returns the name with its scope.
    pub fn full_name(&self) -> String {
        if self.scope.is_empty() { self.name.clone() } else { format!("{}::{}", self.scope, self.name) }
    }
}

/// Returns a program's declarations in a file, in the order of the text.
pub fn outline(db: &dyn Db, program: Program, path: &str) -> Vec<Symbol> {
    let mut out: Vec<Symbol> = Vec::new();
    for part in parts(db, program) {
        for item in items(db, part) {
            let Some(range) = whole_range(db, *item).filter(|range| &*range.file == path) else { continue };
            let tree = item_tree(db, *item);
            let reader = Reader { db, item: *item, tree, whole: range };
            let found = reader.item(tree.root, false);
            // A header is read once for each unit that includes it.
            out.extend(
                found
                    .into_iter()
                    .filter(|symbol| &*symbol.name_range.file == path && !out.contains(symbol))
                    .collect::<Vec<_>>(),
            );
        }
    }
    out.sort_by_key(|symbol| (symbol.range.lo, symbol.name_range.lo));
    out
}

/// Returns the namespaces that a file opens, without their contents.
pub fn namespaces(db: &dyn Db, program: Program, path: &str) -> Vec<Symbol> {
    let all = parts(db, program).into_iter().flat_map(|part| super::symbols::opened(db, part, path));
    let symbol = |(full, name_range, range): (String, FileRange, FileRange)| {
        let (scope, name) = full.rsplit_once("::").unwrap_or(("", &full));
        let (scope, name) = (scope.to_owned(), name.to_owned());
        Symbol { name, kind: OutlineKind::Namespace, scope, range, name_range, children: Vec::new() }
    };
    all.map(symbol).collect()
}

/// Nests the declarations of a file in their namespaces.
pub fn nested(symbols: Vec<Symbol>, namespaces: Vec<Symbol>) -> Vec<Symbol> {
    let mut all = namespaces;
    all.extend(symbols);
    // A namespace is longer than its contents; in `a::b`, the first contains the second.
    all.sort_by_key(|symbol| (symbol.range.lo, std::cmp::Reverse(symbol.range.hi), symbol.name_range.lo));
    let mut out: Vec<Symbol> = Vec::new();
    let mut open: Vec<Symbol> = Vec::new();
    let close = |open: &mut Vec<Symbol>, out: &mut Vec<Symbol>| {
        if let Some(closed) = open.pop() {
            open.last_mut().map_or(out, |around| &mut around.children).push(closed);
        }
    };
    for symbol in all {
        while open.last().is_some_and(|around| around.range.hi < symbol.range.hi) {
            close(&mut open, &mut out);
        }
        match symbol.kind {
            OutlineKind::Namespace => open.push(symbol),
            _ => open.last_mut().map_or(&mut out, |around| &mut around.children).push(symbol),
        }
    }
    while !open.is_empty() {
        close(&mut open, &mut out);
    }
    out
}

struct Reader<'a, 'db> {
    db: &'db dyn Db,
    item: Item<'db>,
    tree: &'a ItemTree,
    whole: FileRange,
}

impl Reader<'_, '_> {
    fn symbol(&self, name: &Ident, kind: OutlineKind, span: Option<Span>, children: Vec<Symbol>) -> Option<Symbol> {
        // The parser's repair inserts an empty name for a missing one.
        if name.text.is_empty() {
            return None;
        }
        let name_range = text_range(self.db, SourcePlace::token(self.item, name.at));
        let range =
            span.map_or_else(|| self.whole.clone(), |span| text_range(self.db, SourcePlace::head(self.item, span)));
        // Editors want the name inside the range, but macros may move it elsewhere.
        let inside = range.file == name_range.file && range.lo <= name_range.lo && name_range.hi <= range.hi;
        let range = if inside { range } else { name_range.clone() };
        let scope = self.item.scope(self.db).to_owned();
        Some(Symbol { name: name.text.to_string(), kind, scope, range, name_range, children })
    }

    fn item(&self, id: ItemId, is_member: bool) -> Vec<Symbol> {
        let item = &self.tree.ast.items[id];
        // The range of the item itself includes its bodies.
        let span = is_member.then_some(item.span);
        match &item.kind {
            ItemKind::Function(function) => {
                let index = self.tree.decls.functions.iter().position(|f| f.item == id);
                let id = index.map(|index| wgc_sema::db::def::FnId { item: self.item, index: index as u32 });
                let is_node = !is_member && id.is_some_and(|id| stage(self.db, id) == Some("node"));
                let kind = match (is_member || function.owner.is_some(), is_node) {
                    (true, _) => OutlineKind::Method,
                    (false, true) => OutlineKind::Node,
                    (false, false) => OutlineKind::Function,
                };
                let mut out = self.symbol(&function.name, kind, span, Vec::new());
                if let (Some(symbol), Some(owner)) = (&mut out, &function.owner) {
                    let around = (!symbol.scope.is_empty()).then_some(symbol.scope.as_str());
                    let owner = owner.segments.iter().map(|segment| segment.name.text.as_str());
                    symbol.scope = around.into_iter().chain(owner).collect::<Vec<_>>().join("::");
                }
                if let (Some(symbol), Body::Sliced(n)) = (&mut out, &function.body) {
                    self.reach(symbol, *n as usize);
                }
                out.into_iter().collect()
            }
            ItemKind::Var(var) => {
                let mut out = self.ty(var.ty, span);
                let kind = if is_member { OutlineKind::Field } else { OutlineKind::Variable };
                out.extend(self.declarators(&var.vars, kind, span));
                out
            }
            ItemKind::Type(ty) => self.ty(*ty, span),
            ItemKind::CBuffer(buffer) => {
                let members = buffer.members.iter().flat_map(|member| self.item(*member, true)).collect();
                self.symbol(&buffer.name, OutlineKind::ConstantBuffer, span, members).into_iter().collect()
            }
            ItemKind::Typedef { ty, declarators } => {
                let mut out = self.ty(*ty, span);
                out.extend(self.declarators(declarators, OutlineKind::Alias, span));
                out
            }
            ItemKind::Using { name, .. } => {
                self.symbol(name, OutlineKind::Alias, span, Vec::new()).into_iter().collect()
            }
            ItemKind::Template { item, .. } => self.item(*item, is_member),
            ItemKind::Namespace { items, .. } => items.iter().flat_map(|item| self.item(*item, true)).collect(),
            ItemKind::Empty
            | ItemKind::UsingNamespace(_)
            | ItemKind::NamespaceAlias { .. }
            | ItemKind::UsingName(_)
            | ItemKind::Instantiation(_)
            | ItemKind::StaticAssert(_)
            | ItemKind::Import(_)
            | ItemKind::Error => Vec::new(),
        }
    }

    /// Extends the range of a method to the end of its body, which the item stores separately.
    fn reach(&self, symbol: &mut Symbol, body: usize) {
        let Some((unit, origins)) = origins(self.db, self.item) else { return };
        let end = origins.ends.get(body).map(|end| token_range(self.db, unit, *end));
        if let Some(end) = end.filter(|end| end.file == symbol.range.file) {
            symbol.range.hi = symbol.range.hi.max(end.hi);
        }
    }

    fn declarators(&self, declarators: &[Declarator], kind: OutlineKind, span: Option<Span>) -> Vec<Symbol> {
        let several = declarators.len() > 1;
        let of = |d: &Declarator| self.symbol(&d.name, kind, if several { Some(d.span) } else { span }, Vec::new());
        declarators.iter().filter_map(of).collect()
    }

    /// Returns types that are defined at their use.
    fn ty(&self, ty: TypeId, span: Option<Span>) -> Vec<Symbol> {
        match &self.tree.ast.types[ty].kind {
            TypeKind::Record(record) => {
                use wgc_frontend::ast::RecordKeyword;
                let members = record.members.iter().flatten();
                let members: Vec<Symbol> = members.flat_map(|member| self.item(*member, true)).collect();
                let kind = match record.keyword {
                    RecordKeyword::Interface => OutlineKind::Interface,
                    // The source only declared its single member.
                    RecordKeyword::Variable => return members,
                    RecordKeyword::Struct | RecordKeyword::Class => OutlineKind::Struct,
                };
                match &record.name {
                    Some(name) => self.symbol(name, kind, span, members).into_iter().collect(),
                    None => members,
                }
            }
            TypeKind::Enum(def) => {
                let value = |(name, _): &(Ident, _)| {
                    let span = Span { lo: name.at, hi: name.at + 1 };
                    self.symbol(name, OutlineKind::EnumValue, Some(span), Vec::new())
                };
                let values: Vec<Symbol> = def.values.iter().filter_map(value).collect();
                match &def.name {
                    Some(name) => self.symbol(name, OutlineKind::Enum, span, values).into_iter().collect(),
                    None => values,
                }
            }
            TypeKind::Path(_) | TypeKind::Unsigned(_) | TypeKind::Inferred | TypeKind::Error => Vec::new(),
        }
    }
}

/// Returns the names in a file's `#include`s that were found, with the resulting paths.
pub fn includes(db: &dyn Db, program: Program, path: &str) -> Vec<(Range<u32>, String)> {
    let mut out: Vec<(Range<u32>, String)> = Vec::new();
    for part in parts(db, program) {
        let whole = unit(db, part);
        for (from, to) in whole.unit.first_inclusions() {
            let name = |id: wgc_frontend::diagnostic::FileId| whole.files.get(id.0 as usize).map(|file| file.path(db));
            if name(from.file) == Some(path)
                && let Some(to) = name(to)
            {
                out.push((from.lo..from.hi, to.to_owned()));
            }
        }
    }
    out.sort_by_key(|(range, _)| range.start);
    out.dedup();
    out
}

/// Returns the ranges of a file that are inactive in every inclusion.
pub fn inactive(db: &dyn Db, programs: &[Program], path: &str) -> Vec<Range<u32>> {
    let mut common: Option<Vec<Range<u32>>> = None;
    for part in programs.iter().flat_map(|program| parts(db, *program)) {
        let whole = unit(db, part);
        let Some(file) = whole.files.iter().position(|file| file.path(db) == path) else { continue };
        let own = whole.unit.inactive.iter().filter(|(id, _)| id.0 as usize == file).map(|(_, range)| range.clone());
        let mut own: Vec<Range<u32>> = own.collect();
        own.sort_by_key(|range| range.start);
        common = Some(match common {
            None => own,
            Some(others) => overlap(&others, &own),
        });
    }
    common.unwrap_or_default()
}

/// Returns the intersection of two ordered lists of ranges.
fn overlap(a: &[Range<u32>], b: &[Range<u32>]) -> Vec<Range<u32>> {
    let both = |x: &Range<u32>, y: &Range<u32>| x.start.max(y.start)..x.end.min(y.end);
    let mut out: Vec<Range<u32>> =
        a.iter().flat_map(|x| b.iter().map(move |y| both(x, y))).filter(|range| !range.is_empty()).collect();
    out.sort_by_key(|range| range.start);
    out
}
