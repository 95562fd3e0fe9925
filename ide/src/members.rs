//! The type before a dot, and the members after it.
//!
//! The type comes from the checked body, even if the code after the dot is missing. If the checked body does not
//! contain the location, names and calls are resolved from the tokens alone.

use super::heads::stand_in_record;
use super::scope::{Spot, owner};
use super::source_tokens::{SourceTokenKind, SourceTokens};
use super::spelled;
use rustc_hash::FxHashSet;
use wgc_frontend::ast::{ItemKind, Span};
use wgc_frontend::token::{Sym, Token, TokenKind};
use wgc_sema::check::check;
use wgc_sema::check::env::{argument_ty, builtin, is_indexed};
use wgc_sema::check::hir::{Body, Expr, ExprKind};
use wgc_sema::check::initial::{default_argument, initial};
use wgc_sema::db::Db;
use wgc_sema::db::def::{Def, FnId, Item, Name, RecordId, SourcePlace, VarId};
use wgc_sema::db::items::{fn_node, item_tree, record_node};
use wgc_sema::db::ty::{FnInst, RecordInst, Scalar, Ty, TyKind};
use wgc_sema::tables::builtin::Builtin;
use wgc_sema::types::instantiation::plain_function;
use wgc_sema::types::name_table::name_table;
use wgc_sema::types::record::{methods, record};
use wgc_sema::types::signature::{fn_signature, template_params};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemberKind {
    Field,
    Method,
    /// `mips`, which is neither a function nor a field.
    Property,
    /// A component of a vector, or an element of a matrix.
    Component,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member<'db> {
    pub name: String,
    pub kind: MemberKind,
    pub detail: String,
    pub place: Option<SourcePlace<'db>>,
    /// The documentation of a built-in member.
    pub docs: Option<&'static str>,
}

/// Returns the type of the expression before a dot, which is the n-th token of the file.
pub fn type_before<'db>(db: &'db dyn Db, spot: &Spot<'db>, source: &SourceTokens, dot: usize) -> Option<Ty<'db>> {
    checked(db, spot).or_else(|| followed(db, spot, source, dot)).filter(|ty| !ty.is_error(db))
}

/// Returns the type from the checked body. The location of `spot` is before the dot.
fn checked<'db>(db: &'db dyn Db, spot: &Spot<'db>) -> Option<Ty<'db>> {
    let item = spot.item?;
    match spot.body {
        Some((n, end)) => {
            let tokens = item.bodies(db).get(n as usize)?.tokens(db);
            bodies(db, spot).into_iter().find_map(|body| ending(db, tokens, end, body))
        }
        None => in_head(db, spot, item),
    }
}

/// Returns the type from an initial value or a default argument.
fn in_head<'db>(db: &'db dyn Db, spot: &Spot<'db>, item: Item<'db>) -> Option<Ty<'db>> {
    let decls = &item_tree(db, item).decls;
    let tokens = item.head(db);
    let owner = |index: Option<u32>| index.map(|index| stand_in_record(db, RecordId { item, index }));
    let ends_in = |body: &'db Body<'db>| ending(db, tokens, spot.head, body);
    let mut vars = decls.vars.iter().zip(0..);
    let value = vars.find_map(|(var, index)| ends_in(&initial(db, item, index, owner(var.around.owner)).body));
    value.or_else(|| {
        let mut functions = (0..decls.functions.len() as u32).map(|index| FnId { item, index });
        functions.find_map(|f| {
            let params = fn_node(db, f)?.function.params.len() as u32;
            let inst = plain_function(db, f)?;
            (0..params).find_map(|n| ends_in(&default_argument(db, inst, n).as_ref()?.body))
        })
    })
}

/// Returns the checked bodies around a location. For a template, an instance of the program comes first, then the
/// stand-in.
fn bodies<'db>(db: &'db dyn Db, spot: &Spot<'db>) -> Vec<&'db Body<'db>> {
    let (Some(item), Some((n, _))) = (spot.item, spot.body) else { return Vec::new() };
    let all = super::texts::instances(db, spot.part, item, n).into_iter().rev();
    all.map(|inst| &check(db, inst).body).collect()
}

/// Returns the type of the expression that ends before the `end`-th token, as written. `None` if the body does not know
/// it.
fn ending<'db>(db: &'db dyn Db, tokens: &[Token], end: u32, body: &Body<'db>) -> Option<Ty<'db>> {
    // The implicit object of a member has no token.
    let is_written = |expr: &&Expr<'db>| {
        expr.kind != ExprKind::This || tokens.get(expr.span.lo as usize).is_some_and(|token| token.text == "this")
    };
    let first = |from: u32, to: u32| {
        let ending = body.exprs.iter().filter(|expr| expr.span.hi == to && (from..to).contains(&expr.span.lo));
        ending.filter(is_written).map(|expr| expr.span.lo).min()
    };
    // Parentheses are not part of an expression.
    let (mut from, mut hi) = (0, end);
    let lo = loop {
        match first(from, hi) {
            Some(lo) => break lo,
            None => (from, hi) = (opening(tokens, hi)? + 1, hi - 1),
        }
    };
    let span = Span { lo, hi };
    // The outermost expression comes last. Implicit conversions are not written, unlike casts. Default arguments have
    // the location of their call.
    let is_cast = from > 0 && tokens.get(from as usize).is_some_and(|token| token.kind == TokenKind::CastOpen);
    let mut expr = body.exprs.iter().filter(is_written).rfind(|expr| expr.span == span)?;
    while let ExprKind::Convert(inner)
    | ExprKind::Shape(inner)
    | ExprKind::Splat(inner)
    | ExprKind::Reshape(inner)
    | ExprKind::Base(inner)
    | ExprKind::Contents(inner)
    | ExprKind::Once(inner) = expr.kind
    {
        match &body.exprs[inner.0 as usize] {
            inner if inner.span == span && !is_cast => expr = inner,
            _ => break,
        }
    }
    (!expr.ty.is_error(db)).then_some(expr.ty)
}

/// Returns the `(` for the `)` before `end`, if they enclose an expression and not the arguments of a call.
fn opening(tokens: &[Token], end: u32) -> Option<u32> {
    let tokens = tokens.get(..end as usize)?;
    tokens.last().filter(|token| token.is(Sym::RParen))?;
    let mut depth = 0_usize;
    for (n, token) in tokens.iter().enumerate().rev() {
        if token.is(Sym::RParen) {
            depth += 1;
        } else if token.is(Sym::LParen) || token.kind == TokenKind::CastOpen {
            depth -= 1;
        }
        if depth == 0 {
            let before = n.checked_sub(1).and_then(|n| tokens.get(n));
            let is_called =
                before.is_some_and(|token| matches!(token.kind, TokenKind::Ident | TokenKind::TemplateClose));
            return (token.is(Sym::LParen) && !is_called).then_some(n as u32);
        }
    }
    None
}

/// A name with its use: whether it is called, and the number of indexes.
struct Link {
    name: String,
    is_called: bool,
    indexes: usize,
}

fn followed<'db>(db: &'db dyn Db, spot: &Spot<'db>, source: &SourceTokens, dot: usize) -> Option<Ty<'db>> {
    let mut links: Vec<Link> = Vec::new();
    let mut at = dot;
    loop {
        let mut link = Link { name: String::new(), is_called: false, indexes: 0 };
        at = at.checked_sub(1)?;
        while source.is(at, b']') {
            link.indexes += 1;
            at = source.partner(at)?.checked_sub(1)?;
        }
        if source.is(at, b')') {
            link.is_called = true;
            at = source.partner(at)?.checked_sub(1)?;
        }
        link.name = source.name(at).to_owned();
        if link.name.is_empty() {
            return None;
        }
        links.push(link);
        let before = at.checked_sub(1).and_then(|n| source.get(n)).map(|token| token.kind);
        match before {
            Some(SourceTokenKind::Sign(b'.')) => at -= 1,
            Some(SourceTokenKind::Scope) => return None,
            _ => break,
        }
    }
    let mut links = links.into_iter().rev();
    let first = links.next()?;
    let start = first_type(db, spot, &first)?;
    let start = (0..first.indexes).try_fold(start, |ty, _| element(db, ty))?;
    links.try_fold(start, |ty, link| {
        let ty = step(db, ty, &link.name, link.is_called)?;
        (0..link.indexes).try_fold(ty, |ty, _| element(db, ty))
    })
}

fn first_type<'db>(db: &'db dyn Db, spot: &Spot<'db>, link: &Link) -> Option<Ty<'db>> {
    let local = |body: &&Body<'db>| {
        let named = body.locals.iter().rev().find(|local| local.name == link.name)?;
        (!named.ty.is_error(db)).then_some(named.ty)
    };
    if !link.is_called
        && let Some(ty) = bodies(db, spot).iter().find_map(local)
    {
        return Some(ty);
    }
    if let Some(owner) = owner(db, spot) {
        let ty = Ty::new(db, TyKind::Record(owner));
        if link.name == "this" {
            return Some(ty);
        }
        if let Some(found) = step(db, ty, &link.name, link.is_called) {
            return Some(found);
        }
    }
    let home = spot.item.map_or("", |item| wgc_sema::types::definition::home(db, item));
    let [scope, name] = [home, link.name.as_str()].map(|text| Name::new(db, text.to_owned()));
    let found = wgc_sema::types::names::lookup(db, spot.part, scope, name);
    found.iter().find_map(|def| match def {
        Def::Var(var) if !link.is_called => Some(wgc_sema::types::globals::global_ty(db, *var, None)),
        Def::Function(f) if link.is_called => Some(fn_signature(db, plain_function(db, *f)?).ret),
        _ => None,
    })
}

/// Returns the type of a member.
fn step<'db>(db: &'db dyn Db, ty: Ty<'db>, name: &str, is_called: bool) -> Option<Ty<'db>> {
    match ty.kind(db) {
        TyKind::Record(inst) => {
            if let Some(inner) = contents(db, *inst) {
                return step(db, inner, name, is_called);
            }
            if is_called {
                return result(db, *inst, name);
            }
            record(db, *inst).fields.iter().rev().find(|field| field.name == name).map(|field| field.ty)
        }
        TyKind::Scalar(s) | TyKind::Vector(s, _) if !is_called => {
            let letters = name.len().min(4) as u8;
            let is_swizzle = ["xyzw", "rgba"].iter().any(|set| name.chars().all(|c| set.contains(c)));
            let kind = if letters == 1 { TyKind::Scalar(*s) } else { TyKind::Vector(*s, letters) };
            (is_swizzle && letters > 0).then(|| Ty::new(db, kind))
        }
        _ => None,
    }
}

/// Returns the return type of a method, unless the method is a template.
fn result<'db>(db: &'db dyn Db, inst: RecordInst<'db>, name: &str) -> Option<Ty<'db>> {
    let mut found = methods(db, inst, name).into_iter();
    let (owner, f) = found.find(|(_, f)| template_params(db, *f).is_empty())?;
    Some(fn_signature(db, FnInst::new(db, f, Some(owner), Vec::new())).ret)
}

fn element<'db>(db: &'db dyn Db, ty: Ty<'db>) -> Option<Ty<'db>> {
    match ty.kind(db) {
        TyKind::Array(element, _) => Some(*element),
        TyKind::Vector(s, _) => Some(Ty::scalar_ty(db, *s)),
        TyKind::Matrix { scalar, columns, .. } => Some(Ty::new(db, TyKind::Vector(*scalar, *columns))),
        TyKind::Record(inst) => match contents(db, *inst) {
            Some(inner) => element(db, inner),
            None => result(db, *inst, "operator[]"),
        },
        _ => None,
    }
}

/// Returns the contents of a constant buffer.
fn contents<'db>(db: &'db dyn Db, inst: RecordInst<'db>) -> Option<Ty<'db>> {
    match builtin(db, inst) {
        Some(Builtin::ConstantBuffer | Builtin::TextureBuffer) => argument_ty(db, inst),
        _ => None,
    }
}

/// Returns the members of a type. `prefix` is the text already typed after the dot, which determines the swizzles.
pub fn members<'db>(db: &'db dyn Db, ty: Ty<'db>, prefix: &str) -> Vec<Member<'db>> {
    match ty.kind(db) {
        TyKind::Record(inst) => match contents(db, *inst) {
            Some(inner) => members(db, inner, prefix),
            None => {
                let mut out = Vec::new();
                of_record(db, *inst, &mut out, &mut FxHashSet::default());
                out
            }
        },
        TyKind::Scalar(s) => swizzles(*s, 1, prefix),
        TyKind::Vector(s, n) => swizzles(*s, *n, prefix),
        TyKind::LiteralInt => swizzles(Scalar::I32, 1, prefix),
        TyKind::LiteralFloat => swizzles(Scalar::F32, 1, prefix),
        TyKind::Matrix { scalar, rows, columns, .. } => elements(*scalar, *rows, *columns, prefix),
        _ => Vec::new(),
    }
}

fn of_record<'db>(
    db: &'db dyn Db,
    inst: RecordInst<'db>,
    out: &mut Vec<Member<'db>>,
    seen: &mut FxHashSet<RecordInst<'db>>,
) {
    if !seen.insert(inst) {
        return;
    }
    let whole = record(db, inst);
    // Fields of a built-in object have no meaning for users.
    let fields = if whole.builtin.is_some() { &[][..] } else { &whole.fields };
    let mut add = |member: Member<'db>| {
        if !member.name.is_empty() && !out.iter().any(|other| other.name == member.name) {
            out.push(member);
        }
    };
    for field in fields.iter().filter(|field| field.inherited.is_none()) {
        let kind = MemberKind::Field;
        if field.bits.is_empty() {
            if field.name.is_empty() {
                // The fields of an anonymous member belong to the surrounding record.
                let mut inner = Vec::new();
                if let Some(record) = field.ty.as_record(db) {
                    of_record(db, record, &mut inner, seen);
                }
                inner.into_iter().for_each(&mut add);
                continue;
            }
            let detail = match &field.semantic {
                Some((semantic, _)) => format!("{} : {semantic}", field.ty.display(db)),
                None => field.ty.display(db),
            };
            add(Member { name: field.name.clone(), kind, detail, place: Some(field.place), docs: None });
        }
        for bits in field.named_bits() {
            let detail = bits.ty.display(db);
            add(Member { name: bits.name.clone(), kind, detail, place: Some(bits.place), docs: None });
        }
    }
    let id = wgc_sema::types::definition::record(db, inst).record;
    if let Some(node) = record_node(db, id) {
        for (n, _) in node.tree.decls.functions.iter().enumerate().filter(|(_, f)| f.around.owner == Some(id.index)) {
            let f = FnId { item: id.item, index: n as u32 };
            let Some(function) = fn_node(db, f) else { continue };
            let name = &function.function.name;
            if name.text.starts_with("operator") {
                continue;
            }
            let kind = if is_indexed(db, f) { MemberKind::Property } else { MemberKind::Method };
            let detail = signature(db, inst, f);
            add(Member {
                name: name.text.to_string(),
                kind,
                detail,
                place: Some(SourcePlace::token(id.item, name.at)),
                docs: whole.builtin.and_then(|_| wgc_stdlib::docs::about(Some(&whole.name), &name.text)),
            });
        }
        for (n, var) in node.tree.decls.vars.iter().enumerate().filter(|(_, v)| v.around.owner == Some(id.index)) {
            let ItemKind::Var(written) = &node.tree.ast.items[var.item].kind else { continue };
            let Some(declarator) = written.vars.get(var.declarator as usize) else { continue };
            let ty = wgc_sema::types::globals::global_ty(db, VarId { item: id.item, index: n as u32 }, Some(inst));
            let place = Some(SourcePlace::token(id.item, declarator.name.at));
            let (name, detail) = (declarator.name.text.to_string(), ty.display(db));
            add(Member { name, kind: MemberKind::Field, detail, place, docs: None });
        }
    }
    for base in &whole.bases {
        of_record(db, *base, out, seen);
    }
}

/// Returns the signature of a function as declared. For a method of a template instance, the record's arguments are
/// substituted if nothing else is generic.
pub fn signature<'db>(db: &'db dyn Db, owner: RecordInst<'db>, f: FnId<'db>) -> String {
    let Some(node) = fn_node(db, f) else { return String::new() };
    if owner.args(db).is_empty() || !template_params(db, f).is_empty() {
        return spelled::in_head(db, f.item, node.function.span);
    }
    let own = fn_signature(db, FnInst::new(db, f, Some(owner), Vec::new()));
    let params: Vec<String> = own
        .params
        .iter()
        .map(|param| {
            let direction = match param.direction {
                wgc_sema::types::signature::Direction::In => "",
                wgc_sema::types::signature::Direction::Out => "out ",
                wgc_sema::types::signature::Direction::InOut => "inout ",
            };
            format!("{direction}{} {}", param.ty.display(db), param.name).trim_end().to_owned()
        })
        .collect();
    format!("{} {}({})", own.ret.display(db), own.name, params.join(", "))
}

/// Returns single components, the first ones together, and continuations of the letters already typed.
fn swizzles<'db>(scalar: Scalar, width: u8, prefix: &str) -> Vec<Member<'db>> {
    let width = usize::from(width);
    let component = |name: &str| {
        let letters = name.chars().count();
        let detail = if letters == 1 { scalar.name().to_owned() } else { format!("{}{letters}", scalar.name()) };
        Member { name: name.to_owned(), kind: MemberKind::Component, detail, place: None, docs: None }
    };
    let mut out: Vec<Member> = Vec::new();
    for set in ["xyzw", "rgba"].map(|set| &set[..width.min(4)]) {
        let goes_on = !prefix.is_empty() && prefix.len() < 4 && prefix.chars().all(|c| set.contains(c));
        if goes_on {
            out.push(component(prefix));
            out.extend(set.chars().map(|c| component(&format!("{prefix}{c}"))));
        }
        if prefix.is_empty() || goes_on {
            let singles = set.chars().map(|c| c.to_string());
            let together = (2..=width).map(|n| set[..n].to_owned());
            out.extend(singles.chain(together).map(|name| component(&name)));
        }
    }
    let mut seen: Vec<String> = Vec::new();
    out.retain(|member| {
        let is_new = !seen.contains(&member.name);
        seen.push(member.name.clone());
        is_new
    });
    out
}

/// Returns elements such as `_m00` and `_11`.
fn elements<'db>(scalar: Scalar, rows: u8, columns: u8, prefix: &str) -> Vec<Member<'db>> {
    // Several elements may follow each other.
    let (before, from_zero) = match prefix.rfind('_') {
        Some(at) if at > 0 => (&prefix[..at], Some(prefix.starts_with("_m"))),
        _ => ("", None),
    };
    let per_element = if before.starts_with("_m") { 4 } else { 3 };
    let count = before.len() / per_element + 1;
    let detail = if count == 1 { scalar.name().to_owned() } else { format!("{}{count}", scalar.name()) };
    let mut out = Vec::new();
    for zero in [true, false] {
        if from_zero.is_some_and(|from_zero| from_zero != zero) || count > 4 {
            continue;
        }
        for row in 0..rows {
            for column in 0..columns {
                let name = if zero { format!("_m{row}{column}") } else { format!("_{}{}", row + 1, column + 1) };
                let name = format!("{before}{name}");
                let kind = MemberKind::Component;
                out.push(Member { name, kind, detail: detail.clone(), place: None, docs: None });
            }
        }
    }
    out
}

/// Returns the names after `S::` in a record, enum or namespace of the program, by its written name. Also returns the
/// name of a built-in namespace.
pub fn scoped<'db>(db: &'db dyn Db, spot: &Spot<'db>, path: &[String]) -> Scoped<'db> {
    let written = path.join("::");
    let names = super::scope::in_namespace(db, spot, &written);
    let is_built_in = wgc_stdlib::index::NAMESPACES.contains(&written.as_str());
    if !names.is_empty() || is_built_in {
        return Scoped { names, members: Vec::new(), built_in: is_built_in.then_some(written) };
    }
    let mut out = Scoped::default();
    let Some((last, outer)) = path.split_last() else { return out };
    let found: Vec<Def> = match outer {
        [] => {
            let home = spot.item.map_or("", |item| wgc_sema::types::definition::home(db, item));
            let [scope, name] = [home, last.as_str()].map(|text| Name::new(db, text.to_owned()));
            wgc_sema::types::names::lookup(db, spot.part, scope, name).clone()
        }
        _ => {
            let table = name_table(db, spot.part);
            let home = spot.item.map_or("", |item| wgc_sema::types::definition::home(db, item));
            let full = wgc_sema::types::name_table::scope_as_written(table, home, &outer.join("::"));
            full.and_then(|full| table.scopes.get(&full)?.get(last).cloned()).unwrap_or_default()
        }
    };
    for def in found {
        match def {
            Def::Enum(id) => {
                let values = wgc_sema::db::items::enum_node(db, id).map_or(&[][..], |node| &node.def.values);
                let value = |(n, (name, _)): (usize, &(wgc_frontend::ast::Ident, _))| {
                    (name.text.to_string(), Def::EnumValue(id, n as u32))
                };
                out.names.extend(values.iter().enumerate().map(value).filter(|(name, _)| !name.is_empty()));
            }
            Def::Record(id) => {
                if let Some(inst) = wgc_sema::types::instantiation::plain_owner(db, id.item, id.index) {
                    of_record(db, inst, &mut out.members, &mut FxHashSet::default());
                }
            }
            _ => {}
        }
    }
    out
}

#[derive(Clone, Debug, Default)]
pub struct Scoped<'db> {
    pub names: Vec<(String, Def<'db>)>,
    pub members: Vec<Member<'db>>,
    /// A namespace of the prelude.
    pub built_in: Option<String>,
}
