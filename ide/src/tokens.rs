//! Semantic tokens: the kind of each name in a file, for colours.
//!
//! Unresolved names get no token. Keywords, numbers and incomplete code are left to grammars.

use super::source_tokens::{SourceTokenKind, SourceTokens};
use super::symbols::type_def;
use super::texts::{TextId, notes, spelled, texts};
use super::{parts, whole_range};
use std::collections::BTreeMap;
use std::ops::Range;
use wgc_frontend::ast::RecordKeyword;
use wgc_frontend::token::{Sym, TokenKind};
use wgc_sema::contracts::node::stage;
use wgc_sema::db::def::{Def, FnId, SourcePlace};
use wgc_sema::db::items::{fn_node, record_node, unit};
use wgc_sema::db::{Db, Program};
use wgc_sema::types::name_uses::Symbol;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum HighlightKind {
    Namespace,
    Type,
    Struct,
    Interface,
    Enum,
    EnumMember,
    TypeParameter,
    Function,
    Method,
    Parameter,
    Variable,
    Property,
    Macro,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Modifiers {
    pub declares: bool,
    pub is_readonly: bool,
    pub is_static: bool,
    /// A name that comes with the compiler.
    pub is_built_in: bool,
    /// A node, or an output.
    pub is_node: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    pub range: Range<u32>,
    pub kind: HighlightKind,
    pub modifiers: Modifiers,
}

/// Returns the names in a range of a file, in the order of the text, without overlaps.
pub fn tokens(db: &dyn Db, program: Program, path: &str, text: &[u8], range: Range<u32>) -> Vec<Token> {
    let mut found: BTreeMap<u32, Token> = BTreeMap::new();
    for part in parts(db, program) {
        for of in texts(db, part) {
            // An item that starts and ends in different files has no range.
            let is_here = whole_range(db, of.item)
                .is_none_or(|whole| &*whole.file == path && range.start <= whole.hi && whole.lo <= range.end);
            if is_here {
                in_text(db, part, of, path, &mut found);
            }
        }
        for (place, name) in uses(db, part, path) {
            let kind = HighlightKind::Macro;
            let range = place..place + name;
            found.insert(place, Token { range, kind, modifiers: Modifiers::default() });
        }
    }
    in_directives(text, &mut found);
    let mut out: Vec<Token> = Vec::new();
    for token in found.into_values() {
        let is_free = out.last().is_none_or(|last| last.range.end <= token.range.start);
        if is_free && token.range.start < range.end && range.start < token.range.end {
            out.push(token);
        }
    }
    out
}

/// Adds names from the notes about a text; the last of several notes is the best.
fn in_text<'db>(db: &'db dyn Db, part: Program, text: TextId<'db>, path: &str, found: &mut BTreeMap<u32, Token>) {
    for notes in notes(db, part, text) {
        for note in &notes.names {
            let Some(at) = spelled(db, note.place).filter(|at| at.exact && &*at.range.file == path) else { continue };
            let Some((kind, modifiers)) = kind(db, &note.symbol) else { continue };
            let modifiers = Modifiers { declares: note.declares, ..modifiers };
            let range = at.range.lo..at.range.hi;
            found.insert(range.start, Token { range, kind, modifiers });
        }
    }
}

fn kind<'db>(db: &'db dyn Db, symbol: &Symbol<'db>) -> Option<(HighlightKind, Modifiers)> {
    let none = Modifiers::default();
    Some(match symbol {
        Symbol::Called(inst) => return kind(db, &Symbol::Def(Def::Function(inst.function(db)))),
        Symbol::Type(ty) => return kind(db, &Symbol::Def(type_def(db, *ty)?)),
        Symbol::TemplateParam(_) => (HighlightKind::TypeParameter, none),
        Symbol::Field { .. } => (HighlightKind::Property, none),
        Symbol::Buffer(_) => (HighlightKind::Namespace, none),
        // Grammars recognize attributes and semantics by their location.
        Symbol::Word(_) => return None,
        Symbol::Local { place, ty, is_param } => {
            let kind = if *is_param { HighlightKind::Parameter } else { HighlightKind::Variable };
            // An output and the nodes that it targets are one symbol.
            let is_output = matches!(
                wgc_sema::types::record::builtin(db, *ty),
                Some(wgc_sema::tables::builtin::Builtin::Output { .. })
            );
            (kind, Modifiers { is_node: *is_param && is_output, ..words(db, *place) })
        }
        Symbol::Def(def) => {
            let is_built_in = def.item().is_some_and(|item| item.program(db) == db.prelude());
            let own = Modifiers { is_built_in, ..none };
            match def {
                Def::Function(f) => (function(db, *f), Modifiers { is_node: stage(db, *f) == Some("node"), ..own }),
                Def::Record(record) => match record_node(db, *record).map(|node| node.record.keyword) {
                    Some(RecordKeyword::Interface) => (HighlightKind::Interface, own),
                    Some(RecordKeyword::Variable) => (HighlightKind::Variable, own),
                    _ => (HighlightKind::Struct, own),
                },
                Def::Enum(_) => (HighlightKind::Enum, own),
                Def::EnumValue(..) => (HighlightKind::EnumMember, Modifiers { is_readonly: true, ..own }),
                Def::Var(_) => {
                    let words =
                        wgc_sema::types::names::def_place(db, *def).map(|place| words(db, place)).unwrap_or_default();
                    (HighlightKind::Variable, Modifiers { is_built_in, ..words })
                }
                Def::Alias(_) => (HighlightKind::Type, own),
                Def::Namespace(_) => (HighlightKind::Namespace, none),
            }
        }
    })
}

fn function<'db>(db: &'db dyn Db, f: FnId<'db>) -> HighlightKind {
    let is_method =
        fn_node(db, f).is_some_and(|node| node.decl.around.owner.is_some() || node.function.owner.is_some());
    if is_method { HighlightKind::Method } else { HighlightKind::Function }
}

/// Returns the modifiers before a declared name.
fn words<'db>(db: &'db dyn Db, declared: SourcePlace<'db>) -> Modifiers {
    let tokens = TextId::of(declared).tokens(db);
    let before = tokens.get(..declared.span.lo as usize).unwrap_or_default();
    let mut out = Modifiers::default();
    for token in before.iter().rev().take(MAX_WORDS) {
        match token.kind {
            TokenKind::Sym(Sym::Semi | Sym::LBrace | Sym::RBrace | Sym::LParen) => break,
            TokenKind::Modifier => match token.text.as_str() {
                "const" => out.is_readonly = true,
                "static" => out.is_static = true,
                _ => {}
            },
            _ => {}
        }
    }
    out
}

/// The limit of tokens to inspect before the name in a declaration.
const MAX_WORDS: usize = 64;

/// Returns the uses of macros in a file, with the lengths of their names.
fn uses(db: &dyn Db, part: Program, path: &str) -> Vec<(u32, u32)> {
    let whole = unit(db, part);
    let Some(file) = whole.files.iter().position(|file| file.path(db) == path) else { return Vec::new() };
    let text = whole.files[file].text(db);
    let here = whole.unit.expansions.iter().filter(|expansion| expansion.use_site.place.file.0 as usize == file);
    let named = here.filter(|expansion| {
        let at = expansion.use_site.place.lo as usize;
        text.get(at..at + expansion.name.len()) == Some(expansion.name.as_bytes())
    });
    named.map(|expansion| (expansion.use_site.place.lo, expansion.name.len() as u32)).collect()
}

/// Adds names of macros in directives.
fn in_directives(text: &[u8], found: &mut BTreeMap<u32, Token>) {
    let words = SourceTokens::new(text);
    for word in words.all.iter().filter(|word| word.kind == SourceTokenKind::Directive) {
        let line = words.part(word.lo + 1..word.hi);
        let names = names(line);
        let mut names = names.into_iter();
        let directive = names.next().map_or("", |range| &line[range]);
        let kept: Vec<Range<usize>> = match directive {
            "define" | "undef" | "ifdef" | "ifndef" => names.take(1).collect(),
            "if" | "elif" => {
                names.filter(|range| !matches!(&line[range.clone()], "defined" | "__has_include")).collect()
            }
            _ => continue,
        };
        for range in kept {
            let at = word.lo + 1 + range.start as u32;
            let modifiers = Modifiers { declares: directive == "define", ..Modifiers::default() };
            let range = at..at + range.len() as u32;
            found.insert(at, Token { range, kind: HighlightKind::Macro, modifiers });
        }
    }
}

/// Returns the identifiers of a line, up to a comment.
fn names(line: &str) -> Vec<Range<usize>> {
    let end = line.find("//").into_iter().chain(line.find("/*")).min().unwrap_or(line.len());
    let mut out: Vec<Range<usize>> = Vec::new();
    for (at, c) in line[..end].char_indices() {
        let goes_on = out.last().is_some_and(|last| last.end == at);
        if c.is_alphanumeric() || c == '_' {
            match out.last_mut().filter(|_| goes_on) {
                Some(last) => last.end = at + c.len_utf8(),
                None => out.push(at..at + c.len_utf8()),
            }
        }
    }
    out.retain(|range| !line[range.clone()].starts_with(|c: char| c.is_ascii_digit()));
    out
}
