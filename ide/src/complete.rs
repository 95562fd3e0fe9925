//! Completion: candidates at a location of a file.
//!
//! [`super::context`] finds the kind of completion from the words. This module adds names from the tables and the
//! program. Files of `#include` are unknown here: [`Completion::wanted`] requests them from the caller.

use super::attributes_at::{arguments, attributes, semantics};
use super::context::{CompletionContext, CompletionKind, Level, typing};
use super::keywords::{DIRECTIVES, ENUM_TYPES, MACROS, PRAGMAS, keywords};
use super::members::{Member, MemberKind, members, scoped, type_before};
use super::scope::{LocalKind, Spot, globals, locals, owner, spot};
use super::source_tokens::{SourceTokenKind, SourceTokens};
use super::{parts, spelled, vulkan_attributes};
use std::ops::Range;
use wgc_frontend::ast::RecordKeyword;
use wgc_sema::contracts::node::stage;
use wgc_sema::db::def::{Def, Name, SourcePlace};
use wgc_sema::db::items::{fn_node, item_tree, record_node, unit, var_node};
use wgc_sema::db::ty::{Ty, TyKind};
use wgc_sema::db::{Db, Program, is_built_in};
use wgc_sema::types::names::def_place;
use wgc_sema::types::written::spellings;
use wgc_stdlib::index;

/// The kind of a candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CandidateKind {
    Keyword,
    Struct,
    Interface,
    Alias,
    Enum,
    EnumValue,
    Function,
    Node,
    Method,
    Field,
    Property,
    Component,
    Variable,
    Constant,
    Param,
    TypeParam,
    Namespace,
    Macro,
    Attribute,
    /// A legal value of an argument.
    Value,
    Semantic,
    Directive,
    File,
    Folder,
}

/// A completion candidate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    pub label: String,
    pub kind: CandidateKind,
    /// Its type, signature or meaning, on one line.
    pub detail: String,
    /// Documentation as Markdown.
    pub docs: Option<String>,
    /// The text to insert, with `$0` and so on for the cursor; if absent, the label.
    pub snippet: Option<String>,
    /// The text to insert without snippet support, if different from the label.
    pub plain: Option<String>,
    /// Candidates with a lower rank come first.
    pub rank: u8,
    /// The source of more details.
    pub more: Option<More>,
}

/// Details that are only computed on request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum More {
    /// The argument of [`built_in`]: scope and name.
    BuiltIn { scope: String, name: String },
    /// The argument of [`written`]: a file and the offset of the name.
    Written { file: String, at: u32 },
}

impl Candidate {
    pub fn new(label: impl Into<String>, kind: CandidateKind, detail: impl Into<String>, rank: u8) -> Candidate {
        let (label, detail) = (label.into(), detail.into());
        Candidate { label, kind, detail, docs: None, snippet: None, plain: None, rank, more: None }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct Completion {
    /// The range that the candidates replace.
    pub replace: Range<u32>,
    pub prefix: String,
    pub candidates: Vec<Candidate>,
    /// The list is incomplete.
    pub is_cut: bool,
    pub wanted: CompletionKind,
}

/// The limit of candidates: the client asks again when more is typed.
const MOST: usize = 400;

/// Returns the completion at a byte of a file.
pub fn complete(db: &dyn Db, program: Program, path: &str, text: &[u8], at: u32) -> Completion {
    let words = SourceTokens::new(text);
    let CompletionContext { replace, prefix, wanted } = typing(&words, at);
    let finder = Finder { db, program, path, words: &words, at, prefix: &prefix };
    let mut candidates = finder.candidates(&wanted);
    let lower = prefix.to_lowercase();
    candidates.retain(|candidate| is_meant(&candidate.label, &lower));
    let mut seen = rustc_hash::FxHashSet::default();
    candidates.sort_by(|a, b| (a.rank, &a.label).cmp(&(b.rank, &b.label)));
    candidates.retain(|candidate| seen.insert(candidate.label.clone()));
    let has = |kind| candidates.first().is_some_and(|first: &Candidate| first.kind == kind);
    // More candidates appear with more letters.
    let is_partial = prefix.is_empty()
        && matches!(
            wanted,
            CompletionKind::Name(_) | CompletionKind::Declaration(_) | CompletionKind::TypeArgument { .. }
        )
        || has(CandidateKind::Component);
    let is_cut = is_partial || candidates.len() > MOST;
    candidates.truncate(MOST);
    Completion { replace, prefix, candidates, is_cut, wanted }
}

/// Returns whether a name contains the letters of a lower-case prefix in order, the first one at the start of a word.
fn is_meant(name: &str, prefix: &str) -> bool {
    let Some(first) = prefix.chars().next() else { return true };
    let mut before = '_';
    name.char_indices().any(|(at, letter)| {
        let begins = !before.is_alphanumeric() || letter.is_uppercase() && !before.is_uppercase();
        before = letter;
        begins && letter.to_lowercase().eq([first]) && {
            let mut letters = name[at..].chars().flat_map(char::to_lowercase);
            prefix.chars().all(|wanted| letters.any(|letter| letter == wanted))
        }
    })
}

struct Finder<'a> {
    db: &'a dyn Db,
    program: Program,
    path: &'a str,
    words: &'a SourceTokens<'a>,
    at: u32,
    prefix: &'a str,
}

/// Ranks: local names first, then names of the program, keywords, and built-in names.
mod rank {
    pub const LOCAL: u8 = 0;
    pub const MEMBER: u8 = 1;
    pub const GLOBAL: u8 = 2;
    pub const WORD: u8 = 3;
    pub const BUILT_IN: u8 = 4;
    pub const SPELLING: u8 = 5;
}

impl Finder<'_> {
    fn candidates(&self, wanted: &CompletionKind) -> Vec<Candidate> {
        let simple = |all: &[&str], kind| all.iter().map(|word| Candidate::new(*word, kind, "", rank::WORD)).collect();
        match wanted {
            CompletionKind::Nothing | CompletionKind::Include { .. } => Vec::new(),
            CompletionKind::Directive => simple(DIRECTIVES, CandidateKind::Directive),
            CompletionKind::Pragma => simple(PRAGMAS, CandidateKind::Directive),
            CompletionKind::Macro => self.macros(),
            CompletionKind::Attribute { on, head } => attributes(*on, head),
            CompletionKind::Vulkan { on, is_qualified } => vulkan_attributes::attributes(*on, *is_qualified),
            CompletionKind::Argument { attribute, nth, is_quoted, on, head } => {
                let mut out = arguments(self.db, self.program, attribute, *nth, *is_quoted, *on, head);
                out.extend(vulkan_attributes::arguments(attribute, *nth, *is_quoted));
                if !is_quoted && out.is_empty() {
                    out = only(self.names(Level::File), is_constant_value);
                }
                out
            }
            CompletionKind::Member { dot } => self.members(*dot),
            CompletionKind::Scoped { path, of } => self.fitting(self.scoped(path), of),
            CompletionKind::Semantic(of) => semantics(self.db, self.program, of),
            CompletionKind::Name(level) => {
                let mut all = self.names(*level);
                // Base types must be types of the program.
                all.retain(|one| *level != Level::Bases || one.rank < rank::BUILT_IN);
                self.fitting(all, wanted)
            }
            CompletionKind::Declaration(level) | CompletionKind::TypeArgument { level, .. } => {
                self.fitting(self.names(*level), wanted)
            }
        }
    }

    /// Returns the names that fit a request for types or namespaces.
    fn fitting(&self, all: Vec<Candidate>, wanted: &CompletionKind) -> Vec<Candidate> {
        use CandidateKind::{Enum, Keyword, Namespace};
        match wanted {
            CompletionKind::Name(Level::Namespaces) => only(all, |kind| kind == Namespace),
            CompletionKind::Name(Level::Bases) => only(all, |kind| is_type(kind) && kind != Enum),
            CompletionKind::Name(Level::EnumBase) => {
                let mut out = only(all, |kind| matches!(kind, CandidateKind::Alias | Namespace));
                out.extend(ENUM_TYPES.iter().map(|word| Candidate::new(*word, Keyword, "", rank::WORD)));
                out
            }
            CompletionKind::Name(Level::Types) | CompletionKind::Declaration(_) => {
                only(all, |kind| is_type(kind) || kind == Keyword)
            }
            // Otherwise this is a comparison.
            CompletionKind::TypeArgument { path, level } if self.is_type(path) => {
                let mut out = only(all, |kind| is_type(kind) || kind == Keyword);
                out.retain(|one| one.kind != Keyword || !keywords(*level).any(|word| word == one.label));
                out
            }
            _ => all,
        }
    }

    /// Returns whether a qualified name is that of a type.
    fn is_type(&self, path: &[String]) -> bool {
        let Some((last, around)) = path.split_last() else { return false };
        let is_built_in =
            matches!(last.as_str(), "vector" | "matrix") || index::TYPES.binary_search(&last.as_str()).is_ok();
        if around.is_empty() && is_built_in {
            return true;
        }
        let Some(spot) = self.spot(self.at, false) else { return false };
        let names = if around.is_empty() { globals(self.db, &spot) } else { scoped(self.db, &spot, around).names };
        names.iter().any(|(name, def)| name == last && matches!(def, Def::Record(_) | Def::Alias(_)))
    }

    fn spot(&self, at: u32, in_body: bool) -> Option<Spot<'_>> {
        spot(self.db, self.program, self.path, at, in_body)
    }

    fn members(&self, dot: usize) -> Vec<Candidate> {
        let Some(word) = self.words.get(dot) else { return Vec::new() };
        let Some(spot) = self.spot(word.lo, true) else { return Vec::new() };
        let Some(ty) = type_before(self.db, &spot, self.words, dot) else { return Vec::new() };
        let found = members(self.db, ty, self.prefix);
        // Components keep their own order; all others are sorted by name.
        let rank = |n: usize, member: &Member| if member.kind == MemberKind::Component { n.min(255) as u8 } else { 0 };
        found
            .into_iter()
            .enumerate()
            .map(|(n, member)| (rank(n, &member), member))
            .map(|(rank, member)| self.member(member, rank))
            .collect()
    }

    fn member(&self, member: Member<'_>, rank: u8) -> Candidate {
        let kind = match member.kind {
            MemberKind::Field => CandidateKind::Field,
            MemberKind::Method => CandidateKind::Method,
            MemberKind::Property => CandidateKind::Property,
            MemberKind::Component => CandidateKind::Component,
        };
        let more = member.place.and_then(|place| declared_at(self.db, place));
        let docs = member.docs.map(str::to_owned);
        Candidate { docs, more, ..Candidate::new(member.name, kind, member.detail, rank) }
    }

    fn scoped(&self, path: &[String]) -> Vec<Candidate> {
        let Some(spot) = self.spot(self.at, false) else { return Vec::new() };
        let found = scoped(self.db, &spot, path);
        let mut out: Vec<Candidate> =
            found.names.iter().map(|(name, def)| self.defined(name, *def, rank::GLOBAL)).collect();
        out.extend(found.members.into_iter().map(|member| self.member(member, rank::MEMBER)));
        out.extend(found.built_in.iter().flat_map(|scope| self.built_in(scope)));
        out
    }

    /// Returns all names that are visible at the location.
    fn names(&self, level: Level) -> Vec<Candidate> {
        let Some(spot) = self.spot(self.at, level == Level::Body) else { return Vec::new() };
        let mut out: Vec<Candidate> = Vec::new();
        for local in locals(self.db, &spot) {
            let kind = match local.kind {
                LocalKind::Variable => CandidateKind::Variable,
                LocalKind::Param => CandidateKind::Param,
                LocalKind::TemplateParam => CandidateKind::TypeParam,
                LocalKind::Type => CandidateKind::Struct,
            };
            out.push(Candidate::new(local.name, kind, local.ty, rank::LOCAL));
        }
        if let Some(owner) = owner(self.db, &spot) {
            let own = members(self.db, Ty::new(self.db, TyKind::Record(owner)), "");
            out.extend(own.into_iter().map(|member| self.member(member, rank::MEMBER)));
        }
        let declared = globals(self.db, &spot).into_iter();
        out.extend(
            declared
                .filter(|(name, _)| self.may_be_meant(name))
                .map(|(name, def)| self.defined(&name, def, rank::GLOBAL)),
        );
        out.extend(keywords(level).map(|word| Candidate::new(word, CandidateKind::Keyword, "", rank::WORD)));
        out.extend(self.macros().into_iter().filter(|candidate| candidate.rank < rank::BUILT_IN));
        out.extend(self.built_in(""));
        let is_common =
            |word: &str| !word.contains(['x', '_']) && !word.starts_with("min") && !word.starts_with("dword");
        let (all, rank) = if self.prefix.is_empty() { (false, rank::WORD) } else { (true, rank::SPELLING) };
        let spelled = spellings().filter(|word| if all { self.may_be_meant(word) } else { is_common(word) });
        out.extend(spelled.map(|word| Candidate::new(word, CandidateKind::Keyword, "", rank)));
        out
    }

    fn may_be_meant(&self, name: &str) -> bool {
        is_meant(name, &self.prefix.to_lowercase())
    }

    /// Returns the built-in names of a namespace. Signatures are only read on request.
    fn built_in(&self, scope: &str) -> Vec<Candidate> {
        let names = index::names(scope).filter(|name| self.may_be_meant(name) && !name.starts_with("__"));
        let candidate = |name: &str| {
            let is_type = index::TYPES.binary_search(&name).is_ok();
            let is_namespace = scope.is_empty() && index::NAMESPACES.contains(&name);
            let kind = match (is_type, is_namespace) {
                (_, true) => CandidateKind::Namespace,
                (true, _) => CandidateKind::Struct,
                _ if is_constant(name) => CandidateKind::Constant,
                _ => CandidateKind::Function,
            };
            let more = Some(More::BuiltIn { scope: scope.to_owned(), name: name.to_owned() });
            Candidate { more, ..Candidate::new(name, kind, "", rank::BUILT_IN) }
        };
        names.map(candidate).collect()
    }

    /// Returns the candidate for a definition of the program.
    fn defined(&self, name: &str, def: Def<'_>, rank: u8) -> Candidate {
        let more = def_place(self.db, def).and_then(|place| declared_at(self.db, place));
        Candidate { more, ..defined(self.db, name, def, rank) }
    }

    /// Returns macros of the program's files, with their last definition.
    fn macros(&self) -> Vec<Candidate> {
        let mut out: Vec<Candidate> = Vec::new();
        let mut add = |name: &str, detail: String, rank: u8| {
            if self.may_be_meant(name) {
                out.push(Candidate::new(name, CandidateKind::Macro, detail, rank));
            }
        };
        for part in parts(self.db, self.program) {
            for (name, value) in &part.options(self.db).defines {
                add(name.split('(').next().unwrap_or(name), format!("{name} {value}"), rank::GLOBAL);
            }
            for file in &unit(self.db, part).files {
                if file.path(self.db) == self.path || is_built_in(file.path(self.db)) {
                    continue;
                }
                let text = file.text(self.db);
                for_macros(&SourceTokens::new(&text), |name, line| add(name, line, rank::GLOBAL));
            }
        }
        for_macros(self.words, |name, line| add(name, line, rank::GLOBAL));
        MACROS.iter().for_each(|name| add(name, String::new(), rank::BUILT_IN));
        out
    }
}

fn only(mut all: Vec<Candidate>, kinds: impl Fn(CandidateKind) -> bool) -> Vec<Candidate> {
    all.retain(|one| kinds(one.kind));
    all
}

/// Returns whether a candidate is a type, or may expand or lead to one.
fn is_type(kind: CandidateKind) -> bool {
    use CandidateKind::{Alias, Enum, Interface, Macro, Namespace, Struct, TypeParam};
    matches!(kind, Struct | Interface | Alias | Enum | TypeParam | Namespace | Macro)
}

/// Returns whether a candidate may be a compile-time number, or may lead to one.
fn is_constant_value(kind: CandidateKind) -> bool {
    use CandidateKind::{Constant, Enum, EnumValue, Keyword, Macro, Namespace, Struct, TypeParam, Variable};
    matches!(kind, Constant | Enum | EnumValue | Keyword | Macro | Namespace | Struct | TypeParam | Variable)
}

/// Returns whether a name is a constant by convention: only capitals, digits and `_`.
fn is_constant(name: &str) -> bool {
    name.contains('_') && name.bytes().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == b'_')
}

/// Calls a function with the name and line of each `#define`.
fn for_macros(words: &SourceTokens, mut each: impl FnMut(&str, String)) {
    for word in words.all.iter().filter(|word| word.kind == SourceTokenKind::Directive) {
        let line = words.part(word.lo + 1..word.hi).trim_start();
        let Some(rest) = line.strip_prefix("define").filter(|rest| rest.starts_with([' ', '\t'])) else { continue };
        let rest = rest.trim();
        let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
        if end != 0 {
            let detail: String = rest.chars().take(MAX_DETAIL).map(|c| if c.is_control() { ' ' } else { c }).collect();
            each(&rest[..end], detail);
        }
    }
}

/// The length limit of a macro's text.
const MAX_DETAIL: usize = 120;

/// Returns the location of a name in a file of the program.
fn declared_at<'db>(db: &'db dyn Db, place: SourcePlace<'db>) -> Option<More> {
    let range = super::text_range(db, place);
    (!is_built_in(&range.file)).then(|| More::Written { file: range.file.to_string(), at: range.lo })
}

/// Returns the comment about the declaration with its name at a byte of a file.
pub fn written(db: &dyn Db, file: &str, at: u32) -> Option<String> {
    super::comments::about(&db.file(file).text(db), at as usize, false)
}

/// Returns the names of the headers that come with the compiler.
pub fn headers() -> impl Iterator<Item = &'static str> {
    wgc_stdlib::HEADERS.iter().map(|(name, _)| *name)
}

/// Returns the candidate for a definition, without its comment.
fn defined<'db>(db: &'db dyn Db, name: &str, def: Def<'db>, rank: u8) -> Candidate {
    let (kind, detail) = match def {
        Def::Function(f) => {
            let detail =
                fn_node(db, f).map(|node| spelled::in_head(db, f.item, node.function.span)).unwrap_or_default();
            let is_node = stage(db, f) == Some("node");
            (if is_node { CandidateKind::Node } else { CandidateKind::Function }, detail)
        }
        Def::Record(record) => match record_node(db, record).map(|node| node.record.keyword) {
            Some(RecordKeyword::Interface) => (CandidateKind::Interface, format!("interface {name}")),
            Some(RecordKeyword::Variable) => (CandidateKind::Variable, String::new()),
            Some(RecordKeyword::Class) => (CandidateKind::Struct, format!("class {name}")),
            _ => (CandidateKind::Struct, format!("struct {name}")),
        },
        Def::Enum(_) => (CandidateKind::Enum, format!("enum {name}")),
        Def::EnumValue(id, _) => (CandidateKind::EnumValue, Ty::new(db, TyKind::Enum(id)).display(db)),
        Def::Var(var) => {
            let node = var_node(db, var);
            let span = node.map(|node| node.tree.ast.types[node.ty].span).unwrap_or_default();
            let words = node.map(|node| &node.tree.ast.types[node.ty].modifiers);
            let is_const = words.is_some_and(|words| words.iter().any(|word| word.text == "const"));
            let dims: String = node.map_or(0, |node| node.declarator.dims.len()).clamp(0, 4).to_string();
            let arrays = "[]".repeat(dims.parse().unwrap_or(0));
            let kind = if is_const { CandidateKind::Constant } else { CandidateKind::Variable };
            (kind, spelled::in_head(db, var.item, span) + &arrays)
        }
        Def::Alias(alias) => {
            let tree = item_tree(db, alias.item);
            let parts = tree.decls.aliases.get(alias.index as usize).and_then(|alias| alias.parts(&tree.ast));
            let detail = parts.map(|(_, ty, _)| spelled::in_head(db, alias.item, tree.ast.types[ty].span));
            (CandidateKind::Alias, detail.unwrap_or_default())
        }
        Def::Namespace(full) => (CandidateKind::Namespace, format!("namespace {}", full.text(db))),
    };
    Candidate::new(name, kind, detail, rank)
}

/// Returns the declarations of a built-in name: the first one as a line, and all of them as Markdown with
/// documentation.
pub fn built_in(db: &dyn Db, scope: &str, name: &str) -> Option<(String, String)> {
    let scope = Name::new(db, scope.to_owned());
    let defs = wgc_sema::types::prelude::named(db, scope.text(db), name);
    let all: Vec<Candidate> = defs.iter().map(|def| defined(db, name, *def, 0)).collect();
    let first = all.first()?.detail.clone();
    let lines: Vec<&str> = all.iter().map(|candidate| candidate.detail.as_str()).collect();
    let about = wgc_stdlib::docs::about(None, name).unwrap_or_default();
    let text = format!("```hlsl\n{}\n```\n{about}", lines.join("\n"));
    let shown = if all.len() > 1 { format!("{first} (+{} more)", all.len() - 1) } else { first };
    Some((shown, text.trim_end().to_owned()))
}
