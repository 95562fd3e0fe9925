//! The call around a location, even if unfinished: its possible callees and the current parameter.
//!
//! The call is found by its tokens, so that its end may be missing. Its callees come from the notes.

use super::context::{CompletionKind, typing};
use super::source_tokens::SourceTokens;
use super::symbols::{SymbolId, symbol_id};
use super::text_range;
use super::texts::{self, TextId, note_at, spelled};
use wgc_frontend::preprocess::Unit;
use wgc_frontend::token::{Sym, Token, TokenKind};
use wgc_sema::check::{env, shown};
use wgc_sema::db::def::{Def, FnId, Name, SourcePlace};
use wgc_sema::db::diagnostic::FileRange;
use wgc_sema::db::items::unit;
use wgc_sema::db::ty::{FnInst, RecordInst};
use wgc_sema::db::{Db, Program};
use wgc_sema::types::attribute_table;
use wgc_sema::types::name_uses::Symbol;
use wgc_sema::types::names::{self, def_place};

/// A possible callee.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature {
    pub label: String,
    /// The byte range of each parameter in the label.
    pub params: Vec<(u32, u32)>,
    pub doc: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signatures {
    pub all: Vec<Signature>,
    /// The chosen callee, or the best match for the arguments so far.
    pub active: u32,
    pub param: u32,
}

/// The limit of tokens to inspect before the location.
const MAX_TOKENS: usize = 4096;

/// Returns the call around a byte of a file.
pub fn signatures(db: &dyn Db, part: Program, path: &str, at: u32) -> Option<Signatures> {
    let whole = unit(db, part);
    let file = whole.files.iter().position(|file| file.path(db) == path)?;
    if let Some(attribute) = attribute(&whole.files[file].text(db), at) {
        return Some(attribute);
    }
    let is_before = |(_, origin): &(usize, &wgc_frontend::preprocess::Origin)| {
        origin.place.file.0 as usize == file && origin.place.hi <= at
    };
    // Use the last token in the order of the file: an argument may be read several times, and macros are defined
    // elsewhere.
    let last = whole.unit.origins.iter().enumerate().filter(is_before).max_by_key(|(_, origin)| origin.place.hi)?.0;
    // Conversions and constructors accept any arguments: use the call around them instead.
    let ((candidates, chosen), param) = calls_around(&whole.unit, last).find_map(|(name, param)| {
        let found = candidates(db, part, texts::place_of(db, part, name as u32)?);
        (!found.0.is_empty()).then_some((found, param))
    })?;
    let active = chosen
        .and_then(|chosen| candidates.iter().position(|(_, f)| *f == chosen.function(db)))
        .or_else(|| candidates.iter().position(|(_, f)| env::arity(db, *f).1 > param))
        .unwrap_or(0);
    let signature = |(n, (owner, f)): (usize, &(Option<RecordInst<'_>>, FnId<'_>))| {
        let inst = chosen.filter(|_| n == active);
        let label = match inst {
            Some(inst) => shown::instance(db, inst),
            None => shown::declaration(db, *owner, *f),
        };
        let label = label.trim_matches('`').to_owned();
        let symbol = Symbol::Def(Def::Function(*f));
        Signature { params: params(&label), label, doc: super::describe::doc(db, part, &symbol) }
    };
    let all = candidates.iter().enumerate().map(signature).collect();
    Some(Signatures { all, active: active as u32, param: param as u32 })
}

/// Returns the calls in a range of a file, with their locations and callees.
pub fn calls_in<'db>(db: &'db dyn Db, part: Program, range: &FileRange) -> Vec<(FileRange, Symbol<'db>)> {
    let is_here = |at: &FileRange| at.file == range.file && range.lo <= at.lo && at.hi <= range.hi;
    let mut out = Vec::new();
    for text in texts::texts(db, part) {
        if spelled(db, text.token(0)).is_none_or(|first| !is_here(&first.range)) {
            continue;
        }
        let chosen = texts::calls(db, part, text).into_iter();
        out.extend(chosen.filter_map(|(name, call)| Some((text_range(db, name), Symbol::Called(call.chosen?)))));
    }
    out
}

/// Returns the callers of some functions: the location of the caller's name, and that of the call.
pub fn callers(db: &dyn Db, part: Program, ids: &[SymbolId]) -> Vec<(FileRange, FileRange)> {
    let is_named =
        |token: &Token| token.kind == TokenKind::Ident && ids.iter().any(|id| token.text == id.name.as_str());
    let mut out = Vec::new();
    for text in texts::texts(db, part).filter(|text| text.tokens(db).iter().any(is_named)) {
        let Some(f) = text.body.and_then(|body| texts::function_with(db, text.item, body)) else { continue };
        let Some(caller) = def_place(db, Def::Function(f)).and_then(|place| spelled(db, place)) else { continue };
        for (name, call) in texts::calls(db, part, text) {
            let id = call.chosen.and_then(|chosen| symbol_id(db, &Symbol::Called(chosen)));
            if id.is_some_and(|id| ids.contains(&id)) {
                out.push((caller.range.clone(), text_range(db, name)));
            }
        }
    }
    out
}

/// Returns the attribute whose arguments contain a byte.
fn attribute(text: &[u8], at: u32) -> Option<Signatures> {
    let CompletionKind::Argument { attribute, nth, .. } = typing(&SourceTokens::new(text), at).wanted else {
        return None;
    };
    let row = attribute_table::find(&attribute).map(super::attributes_at::attribute);
    let found = row.or_else(|| super::vulkan_attributes::attribute(&attribute))?;
    let params = arguments(&found.detail);
    // If there are too many arguments, none is highlighted.
    let param = nth.min(params.len()) as u32;
    Some(Signatures { all: vec![Signature { params, label: found.detail, doc: found.docs }], active: 0, param })
}

/// Returns the ranges of arguments in an attribute's label. Optional ones are in brackets.
fn arguments(label: &str) -> Vec<(u32, u32)> {
    let Some((lo, hi)) = label.find('(').zip(label.rfind(')')) else { return Vec::new() };
    let mut at = lo + 1;
    let range = |part: &str| {
        let inner = part.trim_start_matches(' ');
        let start = at + part.len() - inner.len();
        at += part.len() + 1;
        (start as u32, (start + inner.trim_end_matches(['[', ']']).len()) as u32)
    };
    label[lo + 1..hi].split(',').map(range).collect()
}

/// Returns the names of the calls around a token, innermost first, each with the number of commas before the token.
fn calls_around(unit: &Unit, last: usize) -> impl Iterator<Item = (usize, usize)> {
    let (mut depth, mut commas) = (0_usize, 0);
    let mut before = (0..=last).rev().take(MAX_TOKENS);
    std::iter::from_fn(move || {
        loop {
            let at = before.next()?;
            match unit.tokens.get(at)?.kind {
                TokenKind::Sym(Sym::RParen | Sym::RBracket | Sym::RBrace) | TokenKind::TemplateClose => depth += 1,
                TokenKind::Sym(Sym::LBracket) | TokenKind::TemplateOpen => depth = depth.saturating_sub(1),
                // The braces of an initializer list are skipped; no call surrounds a block.
                TokenKind::Sym(Sym::LBrace) if depth > 0 => depth -= 1,
                TokenKind::Sym(Sym::LBrace | Sym::Semi) if depth == 0 => return None,
                TokenKind::Sym(Sym::LParen) | TokenKind::CastOpen if depth > 0 => depth -= 1,
                TokenKind::Sym(Sym::LParen) => {
                    let inside = std::mem::take(&mut commas);
                    if let Some(name) = name_before(unit, at) {
                        return Some((name, inside));
                    }
                }
                TokenKind::Sym(Sym::Comma) if depth == 0 => commas += 1,
                _ => {}
            }
        }
    })
}

/// Returns the name before a parenthesis, or before the template arguments there.
fn name_before(unit: &Unit, paren: usize) -> Option<usize> {
    let mut at = paren.checked_sub(1)?;
    if unit.tokens.get(at)?.kind == TokenKind::TemplateClose {
        let mut depth = 1;
        while depth > 0 {
            at = at.checked_sub(1)?;
            match unit.tokens.get(at)?.kind {
                TokenKind::TemplateClose => depth += 1,
                TokenKind::TemplateOpen => depth -= 1,
                _ => {}
            }
        }
        at = at.checked_sub(1)?;
    }
    (unit.tokens.get(at)?.kind == TokenKind::Ident).then_some(at)
}

type Candidates<'db> = Vec<(Option<RecordInst<'db>>, FnId<'db>)>;

/// Returns the functions that a name may call, and the chosen one.
fn candidates<'db>(db: &'db dyn Db, part: Program, name: SourcePlace<'db>) -> (Candidates<'db>, Option<FnInst<'db>>) {
    let calls = texts::calls(db, part, TextId::of(name));
    if let Some((_, call)) = calls.iter().rev().find(|(at, _)| *at == name) {
        return (call.candidates.clone(), call.chosen);
    }
    // An incomplete call has no note, but its name may be known.
    let note = note_at(db, part, name);
    // This is a declaration, not a call.
    if note.is_some_and(|note| note.declares) {
        return (Vec::new(), None);
    }
    match note.map(|note| &note.symbol) {
        Some(Symbol::Called(inst)) => (vec![(inst.owner(db), inst.function(db))], Some(*inst)),
        Some(Symbol::Def(Def::Function(f))) => (vec![(None, *f)], None),
        Some(_) => (Vec::new(), None),
        None => {
            let text = TextId::of(name).tokens(db).get(name.span.lo as usize).map_or("", |t| t.spelling());
            let scope = Name::new(db, wgc_sema::types::definition::home(db, name.item).to_owned());
            let found = names::overloads(db, part, scope, Name::new(db, text.to_owned()));
            (found.iter().map(|f| (None, *f)).collect(), None)
        }
    }
}

/// Returns the ranges of parameters in a label.
fn params(label: &str) -> Vec<(u32, u32)> {
    let Some(open) = label.find('(') else { return Vec::new() };
    let end = label.rfind(')').unwrap_or(label.len());
    let mut out = Vec::new();
    let (mut depth, mut start) = (0_i32, open + 1);
    for (at, c) in label.char_indices().filter(|(at, _)| (open + 1..=end).contains(at)) {
        match c {
            '<' | '[' | '(' => depth += 1,
            '>' | ']' if at != end => depth -= 1,
            ',' if depth == 0 => {
                out.push((start as u32, at as u32));
                start = at + 1;
            }
            _ => {}
        }
    }
    out.push((start as u32, end as u32));
    for (lo, hi) in &mut out {
        let text = &label[*lo as usize..*hi as usize];
        *lo += (text.len() - text.trim_start().len()) as u32;
        *hi -= (text.len() - text.trim_end().len()) as u32;
        *lo = (*lo).min(*hi);
    }
    out.retain(|(lo, hi)| lo < hi);
    out
}

#[cfg(test)]
mod tests {
    use super::params;

    #[test]
    fn signature_parameters_are_label_ranges() {
        let label = "void f(RWBuffer<int, 2> a, [inout float3 b], uint c)";
        let parts: Vec<&str> = params(label).iter().map(|(lo, hi)| &label[*lo as usize..*hi as usize]).collect();
        assert_eq!(parts, ["RWBuffer<int, 2> a", "[inout float3 b]", "uint c"]);
        assert_eq!(params("void g()"), []);
    }
}
