//! Visible names at a location: its position in the program, the locals of the surrounding function, its record, and
//! the scopes of namespaces.
//!
//! Locals come from the syntax tree, which the parser's repair keeps intact around incomplete code. No body is checked
//! for them.

use super::heads::stand_in_record;
use super::{parts, spelled};
use wgc_frontend::ast::{Ast, Declarator, ItemKind, StmtId, StmtKind, TemplateParam, TypeKind};
use wgc_frontend::token::{Sym, Token, TokenKind};
use wgc_sema::db::def::{Def, FnId, Item, RecordId};
use wgc_sema::db::items::{body_tree, fn_node, item_origins, items, number, unit};
use wgc_sema::db::ty::RecordInst;
use wgc_sema::db::{Db, Program};
use wgc_sema::types::name_table::name_table;

/// A location in a program.
#[derive(Clone, Copy, Debug)]
pub struct Spot<'db> {
    /// The translation unit.
    pub part: Program,
    /// The item that contains the location or precedes it.
    pub item: Option<Item<'db>>,
    /// The body that contains the location, and the number of its tokens before it.
    pub body: Option<(u32, u32)>,
    /// The number of tokens of the item's head before the location.
    pub head: u32,
}

/// Returns the position of a byte of a file. `in_body` asserts that it is in a function, even if the last brace is
/// missing.
pub fn spot<'db>(db: &'db dyn Db, program: Program, path: &str, at: u32, in_body: bool) -> Option<Spot<'db>> {
    parts(db, program).into_iter().find_map(|part| spot_in(db, part, path, at, in_body))
}

fn spot_in<'db>(db: &'db dyn Db, part: Program, path: &str, at: u32, in_body: bool) -> Option<Spot<'db>> {
    let whole = unit(db, part);
    let file = whole.files.iter().position(|file| file.path(db) == path)? as u32;
    // The last token before the location. If the file is read several times, the last reading counts.
    let mut last: Option<(u32, u32)> = None;
    for (n, origin) in whole.unit.origins.iter().enumerate() {
        let place = if origin.expansion.is_none() { origin.place } else { whole.unit.place(*origin) };
        if place.file.0 == file && place.hi <= at && last.is_none_or(|(_, hi)| hi <= place.hi) {
            last = Some((n as u32, place.hi));
        }
    }
    let nowhere = Some(Spot { part, item: None, body: None, head: 0 });
    let Some((last, _)) = last else { return nowhere };
    let origins = &item_origins(db, part).0;
    let begins = |origins: &wgc_sema::db::items::Origins| origins.head.first().copied().unwrap_or(0);
    let Some(number) = origins.partition_point(|origins| begins(origins) <= last).checked_sub(1) else {
        return nowhere;
    };
    let (Some(item), Some(origins)) = (items(db, part).get(number).copied(), origins.get(number)) else {
        return nowhere;
    };
    let braces = item.head(db).iter().zip(&origins.head).filter(|(token, _)| token.kind == TokenKind::Body);
    let mut body = None;
    for (n, (_, open)) in braces.enumerate() {
        let (Some(tokens), Some(end)) = (origins.bodies.get(n), origins.ends.get(n)) else { continue };
        let has_brace = whole.unit.tokens.get(*end as usize).is_some_and(|token| token.is(Sym::RBrace)) && end != open;
        // The last `}` may belong to an inner construct.
        let is_closed = has_brace && tokens.last().is_none_or(|last| last < end);
        // If a `}` is missing, the body continues as long as the words suggest it.
        let is_last = !is_closed && in_body;
        if *open <= last && (last < *end || is_last) {
            body = Some((n as u32, tokens.partition_point(|token| *token <= last) as u32));
        }
    }
    let head = origins.head.partition_point(|token| *token <= last) as u32;
    Some(Spot { part, item: Some(item), body, head })
}

/// A local or parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Local {
    pub name: String,
    /// Its type, as written.
    pub ty: String,
    pub kind: LocalKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LocalKind {
    Variable,
    Param,
    TemplateParam,
    Type,
}

/// Returns the function whose body contains a location.
pub fn function<'db>(db: &'db dyn Db, spot: &Spot<'db>) -> Option<FnId<'db>> {
    super::texts::function_with(db, spot.item?, spot.body?.0)
}

/// Returns the record whose members are visible in the function.
pub fn owner<'db>(db: &'db dyn Db, spot: &Spot<'db>) -> Option<RecordInst<'db>> {
    let f = function(db, spot)?;
    let node = fn_node(db, f)?;
    if let Some(path) = &node.function.owner {
        let Some(Def::Record(RecordId { item, index })) = wgc_sema::types::definition::def_at(db, f.item, path) else {
            return None;
        };
        return Some(stand_in_record(db, RecordId { item, index }));
    }
    Some(stand_in_record(db, RecordId { item: f.item, index: node.decl.around.owner? }))
}

/// Returns the locals and parameters that are visible at a location, innermost first.
pub fn locals<'db>(db: &'db dyn Db, spot: &Spot<'db>) -> Vec<Local> {
    let mut out: Vec<Local> = Vec::new();
    let Some(f) = function(db, spot) else { return out };
    let Some(node) = fn_node(db, f) else { return out };
    let head = f.item.head(db);
    let text = |ty: wgc_frontend::ast::TypeId, d: &Declarator| typed(&node.tree.ast, head, ty, d);
    let templates = node.tree.decls.templates(&node.decl.around);
    for id in &templates {
        let ItemKind::Template { params, .. } = &node.tree.ast.items[*id].kind else { continue };
        for param in params {
            let (name, kind) = match param {
                TemplateParam::Type { name, .. } => (name, LocalKind::TemplateParam),
                TemplateParam::Value { name, .. } => (name, LocalKind::Variable),
            };
            out.push(Local { name: name.text.to_string(), ty: String::new(), kind });
        }
    }
    for param in &node.function.params {
        if let Some(d) = &param.declarator {
            out.push(Local { name: d.name.text.to_string(), ty: text(param.ty, d), kind: LocalKind::Param });
        }
    }
    if let Some((n, at)) = spot.body
        && let Some(body) = body_tree(db, f.item, n)
        && let Some(tokens) = f.item.bodies(db).get(n as usize)
    {
        let all = number(db, f.item).and_then(|number| item_origins(db, spot.part).0.get(number));
        let origins = all.and_then(|all| all.bodies.get(n as usize)).map(Vec::as_slice).unwrap_or_default();
        let mut reader = Reader { ast: &body.ast, tokens: tokens.tokens(db), origins, at, out: &mut out };
        reader.statements(&body.root);
    }
    out.reverse();
    let mut seen = rustc_hash::FxHashSet::default();
    out.retain(|local| !local.name.is_empty() && seen.insert(local.name.clone()));
    out
}

/// Returns the type of a declarator, as written.
fn typed(ast: &Ast, tokens: &[Token], ty: wgc_frontend::ast::TypeId, declarator: &Declarator) -> String {
    let span = ast.types[ty].span;
    let own = tokens.get(span.lo as usize..(span.hi as usize).min(tokens.len())).unwrap_or_default();
    let mut out = spelled::line(own);
    for dim in &declarator.dims {
        let span = dim.map(|dim| ast.exprs[dim].span).unwrap_or_default();
        let inside = tokens.get(span.lo as usize..(span.hi as usize).min(tokens.len())).unwrap_or_default();
        out += &format!("[{}]", spelled::line(inside));
    }
    out
}

/// Collects the declarations in statements before a location.
struct Reader<'a> {
    ast: &'a Ast,
    tokens: &'a [Token],
    /// The unit indexes of the tokens.
    origins: &'a [u32],
    at: u32,
    out: &'a mut Vec<Local>,
}

impl Reader<'_> {
    fn statements(&mut self, all: &[StmtId]) {
        all.iter().for_each(|id| self.statement(*id));
    }

    /// Returns whether the location is inside a statement. A statement without its end contains everything after it.
    fn is_inside(&self, id: StmtId) -> bool {
        let span = self.ast.stmts[id].span;
        span.lo < self.at && (self.at < span.hi || !self.is_closed(id))
    }

    /// Returns whether a statement has its own end token, and not only that of an inner one.
    fn is_closed(&self, id: StmtId) -> bool {
        let stmt = &self.ast.stmts[id];
        // The parser inserted this statement; it has no tokens.
        if stmt.span.lo >= stmt.span.hi {
            return false;
        }
        let last = stmt.span.hi.checked_sub(1).and_then(|n| self.tokens.get(n as usize));
        // A token inserted by the parser has the origin of the previous one.
        let origin = |back: u32| stmt.span.hi.checked_sub(back).and_then(|n| self.origins.get(n as usize));
        let last = last.filter(|_| origin(1) != origin(2));
        let has_brace = |inside: &[StmtId]| {
            let is_own = inside.last().is_none_or(|inner| self.ast.stmts[*inner].span.hi < stmt.span.hi);
            is_own && last.is_some_and(|token| token.is(Sym::RBrace))
        };
        match &stmt.kind {
            StmtKind::Block(all) => has_brace(all),
            StmtKind::Switch { body, .. } => has_brace(body),
            StmtKind::Attributed { stmt, .. } => self.is_closed(*stmt),
            StmtKind::If { then, otherwise, .. } => self.is_closed(otherwise.unwrap_or(*then)),
            StmtKind::While { body, .. } | StmtKind::For { body, .. } => self.is_closed(*body),
            _ => last.is_some_and(|token| token.is(Sym::Semi) || token.is(Sym::RBrace)),
        }
    }

    fn statement(&mut self, id: StmtId) {
        let stmt = &self.ast.stmts[id];
        if stmt.span.lo >= self.at {
            return;
        }
        match &stmt.kind {
            StmtKind::Var(var) => {
                for d in var.vars.iter().filter(|d| d.name.at < self.at) {
                    let ty = typed(self.ast, self.tokens, var.ty, d);
                    self.out.push(Local { name: d.name.text.to_string(), ty, kind: LocalKind::Variable });
                }
            }
            StmtKind::Item(item) => self.item(*item),
            _ if !self.is_inside(id) => {}
            StmtKind::Block(all) => self.statements(all),
            StmtKind::Attributed { stmt, .. } => self.statement(*stmt),
            StmtKind::If { decl, then, otherwise, .. } => {
                decl.iter().chain([then]).chain(otherwise).for_each(|id| self.statement(*id));
            }
            StmtKind::While { decl, body, .. } => decl.iter().chain([body]).for_each(|id| self.statement(*id)),
            StmtKind::DoWhile { body, .. } => self.statement(*body),
            StmtKind::For { init, decl, body, .. } => {
                [init].into_iter().chain(decl).chain([body]).for_each(|id| self.statement(*id));
            }
            StmtKind::Switch { decl, body, .. } => {
                decl.iter().for_each(|id| self.statement(*id));
                self.statements(body);
            }
            _ => {}
        }
    }

    fn item(&mut self, id: wgc_frontend::ast::ItemId) {
        let names: Vec<&str> = match &self.ast.items[id].kind {
            ItemKind::Type(ty) => match &self.ast.types[*ty].kind {
                TypeKind::Record(record) => record.name.iter().map(|name| name.text.as_str()).collect(),
                TypeKind::Enum(def) => def.name.iter().map(|name| name.text.as_str()).collect(),
                _ => Vec::new(),
            },
            ItemKind::Typedef { declarators, .. } => declarators.iter().map(|d| d.name.text.as_str()).collect(),
            ItemKind::Using { name, .. } => vec![name.text.as_str()],
            _ => Vec::new(),
        };
        let local = |name: &str| Local { name: name.to_owned(), ty: String::new(), kind: LocalKind::Type };
        self.out.extend(names.into_iter().map(local));
    }
}

/// Returns the program's declarations in the scopes around a location, innermost first. Functions and variables after
/// the location are not visible.
pub fn globals<'db>(db: &'db dyn Db, spot: &Spot<'db>) -> Vec<(String, Def<'db>)> {
    let table = name_table(db, spot.part);
    let mut around = spot.item.map_or(String::new(), |item| wgc_sema::types::definition::home(db, item).to_owned());
    let mut scopes: Vec<String> = Vec::new();
    loop {
        scopes.push(around.clone());
        for used in table.using.get(&around).into_iter().flatten() {
            scopes.extend(wgc_sema::types::name_table::scope_as_written(table, &around, used));
        }
        if around.is_empty() {
            break;
        }
        around = around.rsplit_once("::").map_or(String::new(), |(outer, _)| outer.to_owned());
    }
    let mut out: Vec<(String, Def<'db>)> = Vec::new();
    let mut seen = rustc_hash::FxHashSet::default();
    let mut read = rustc_hash::FxHashSet::default();
    for scope in &scopes {
        if !read.insert(scope) {
            continue;
        }
        let mut names: Vec<(&String, Def<'db>)> = Vec::new();
        for (name, defs) in table.scopes.get(scope).into_iter().flatten() {
            names.extend(apart(db, defs, spot).map(|def| (name, def)));
        }
        for (name, def) in names {
            if seen.insert((name, is_tag(def))) {
                out.push((name.clone(), def));
            }
        }
    }
    out
}

/// Returns the declarations of a namespace, including built-in ones.
pub fn in_namespace<'db>(db: &'db dyn Db, spot: &Spot<'db>, written: &str) -> Vec<(String, Def<'db>)> {
    let table = name_table(db, spot.part);
    let home = spot.item.map_or("", |item| wgc_sema::types::definition::home(db, item));
    let Some(full) = wgc_sema::types::name_table::scope_as_written(table, home, written) else { return Vec::new() };
    let own = table.scopes.get(&full).into_iter().flatten();
    own.flat_map(|(name, defs)| apart(db, defs, spot).map(|def| (name.clone(), def))).collect()
}

/// Returns the meanings of a name in one scope: a value, and the record or enum that it hides.
fn apart<'db>(db: &'db dyn Db, defs: &[Def<'db>], spot: &Spot<'db>) -> impl Iterator<Item = Def<'db>> {
    let first = |tag: bool| defs.iter().copied().find(|def| is_tag(*def) == tag && is_known(db, *def, spot));
    [first(false), first(true)].into_iter().flatten()
}

fn is_tag(def: Def) -> bool {
    matches!(def, Def::Record(_) | Def::Enum(_))
}

fn is_known<'db>(db: &'db dyn Db, def: Def<'db>, spot: &Spot<'db>) -> bool {
    let (Def::Function(_) | Def::Var(_), Some(at)) = (def, spot.item) else { return true };
    def.item().is_none_or(|item| item.program(db) != at.program(db) || number(db, item) <= number(db, at))
}
