//! The reading part of the preprocessor: files and directives. [`Preprocessor::pull`] returns tokens and processes
//! directives on the way, so a directive may be inside a macro's arguments.

mod directive;
mod groups;

use std::sync::Arc;

use compact_str::{CompactString, ToCompactString, format_compact};
use rustc_hash::{FxHashMap, FxHashSet};

use self::directive::{Directive, nearest};
use self::groups::Group;
use super::condition::header_name;
use super::expand::{FUEL, FUEL_BYTES};
use super::macros::{Macros, predefined};
use super::{Expansion, Includes, LineDirective, Options, Pragma, pragma};
use crate::diagnostic::{Error, ErrorCode, FileId, Fix, Location, SpelledRange};
use crate::hide_sets::{HideSet, HideSets};
use crate::lex::{Lexed, Lexeme, PpToken, Raw};

/// The maximum depth of nested includes.
const INCLUDE_DEPTH: usize = 200;

/// The maximum number of included files, with repetitions. A file that includes itself twice would never end.
const INCLUDES: u32 = 10_000;
/// The maximum number of tokens of included files.
const INCLUDED_TOKENS: usize = 1 << 22;
/// The maximum length of a name or number in bytes.
const LONGEST_WORD: u32 = 64 << 10;

/// The output before cooking.
#[derive(Default)]
pub(super) struct Output {
    pub tokens: Vec<PpToken>,
    pub expansions: Vec<Expansion>,
    pub inactive: Vec<(FileId, std::ops::Range<u32>)>,
    pub files: Vec<FileId>,
    pub opened: Vec<(FileId, u32)>,
    pub included: Vec<(FileId, SpelledRange)>,
    pub pragmas: Vec<(u32, Pragma)>,
    pub line_directives: Vec<LineDirective>,
    pub errors: Vec<Error>,
    pub macro_names: FxHashSet<CompactString>,
    pub counts_lines: bool,
}

/// A file being read.
struct Cursor {
    file: FileId,
    lexed: Arc<Lexed>,
    next: usize,
    groups: Vec<Group>,
    /// `#line`: the offset of physical line numbers, and the name to show.
    line_shift: i64,
    presumed: Option<CompactString>,
}

pub(super) struct Preprocessor<'a> {
    includes: &'a dyn Includes,
    cursors: Vec<Cursor>,
    lexed: FxHashMap<FileId, Arc<Lexed>>,
    once: FxHashSet<FileId>,
    pub macros: Macros,
    pub hide: HideSets,
    /// Tokens before those of the file, the next one last.
    pub pending: Vec<PpToken>,
    /// Above 0, only `pending` is read.
    pub isolated: u32,
    pub in_condition: bool,
    pub fuel: u32,
    pub fuel_bytes: usize,
    pub counter: u32,
    /// The number of files entered, and of their tokens.
    entered: (u32, usize),
    pub out: Output,
}

pub(super) fn run(includes: &dyn Includes, roots: &[FileId], options: &Options) -> Output {
    let mut this = Preprocessor {
        includes,
        cursors: Vec::new(),
        lexed: FxHashMap::default(),
        once: FxHashSet::default(),
        macros: Macros::new(),
        hide: HideSets::new(),
        pending: Vec::new(),
        isolated: 0,
        in_condition: false,
        fuel: FUEL,
        fuel_bytes: FUEL_BYTES,
        counter: 0,
        entered: (0, 0),
        out: Output::default(),
    };
    let command_line = Location::new(roots.first().copied().unwrap_or(FileId(0)), 0, 0);
    for text in predefined(options) {
        this.define_text(&text, command_line);
    }
    for (name, value) in &options.defines {
        this.macros.remove(name.split('(').next().unwrap_or_default());
        this.define_text(&format_compact!("{name} {value}"), command_line);
    }
    for &root in roots {
        this.enter(root);
        this.copy_plain();
        while let Some(token) = this.next_expanded() {
            this.emit(token);
            this.copy_plain();
        }
    }
    this.out.macro_names = this.macros.into_names();
    this.out
}

/// Returns the tokens of a text without directives and macros, which starts at offset `at` of a file.
pub(super) fn plain(file: FileId, at: u32, text: &[u8]) -> Output {
    let lexed = Lexed::new(text);
    let mut tokens: Vec<PpToken> = lexed.tokens.iter().map(|lexeme| token(file, &lexed, lexeme)).collect();
    for token in &mut tokens {
        token.at.place.lo += at;
        token.at.place.hi += at;
    }
    Output { tokens, files: vec![file], ..Output::default() }
}

impl<'a> Preprocessor<'a> {
    pub(super) fn error(&mut self, error: Error) {
        self.out.errors.push(error);
    }

    /// Returns the next token without macro expansion.
    pub(super) fn pull(&mut self) -> Option<PpToken> {
        match self.pending.pop() {
            Some(token) => Some(token),
            None if self.isolated > 0 => None,
            None => self.read(),
        }
    }

    /// Adds a token to the unit, unless it is invalid in the language.
    fn emit(&mut self, token: PpToken) {
        let (code, message) = match token.raw {
            Raw::NotUtf8 => (ErrorCode::NotUtf8, "invalid UTF-8 outside of a comment".to_owned()),
            Raw::OpenLiteral => {
                let quote = if token.text.starts_with('"') { "`\"`" } else { "`'`" };
                (ErrorCode::UnterminatedLiteral, format!("missing closing {quote} of this literal"))
            }
            Raw::Unknown => (ErrorCode::UnexpectedCharacter, format!("unexpected `{}`", printable(&token.text))),
            Raw::Hash | Raw::HashHash | Raw::Ellipsis => {
                (ErrorCode::UnexpectedCharacter, format!("unexpected `{}`", token.text))
            }
            _ => return self.out.tokens.push(token),
        };
        self.error(Error::new(code, message, token.at));
        if token.raw == Raw::OpenLiteral {
            // The parser gets a literal, so that it reports no second error.
            let quote = &token.text[..1];
            let text = format_compact!("{}{quote}", token.text);
            let raw = if quote == "\"" { Raw::Str } else { Raw::Char };
            self.out.tokens.push(PpToken { raw, text, ..token });
        }
    }

    // ---- files

    fn enter(&mut self, file: FileId) {
        let lexed = match self.lexed.get(&file) {
            Some(lexed) => lexed.clone(),
            None => {
                let lexed = Arc::new(Lexed::new(&self.includes.text(file)));
                self.lexed.insert(file, lexed.clone());
                self.out.files.push(file);
                if let Some(why) = &lexed.source.refused {
                    self.error(Error::new(ErrorCode::WrongEncoding, why.clone(), Location::new(file, 0, 0)));
                }
                if let Some(long) = lexed.tokens.iter().find(|lexeme| is_too_long(&lexed, lexeme)) {
                    let what = if long.raw == Raw::Ident { "name" } else { "number" };
                    let message =
                        format!("this {what} has {} bytes; the limit is {LONGEST_WORD}", lexed.text(long).len());
                    self.error(Error::new(ErrorCode::TokenTooLong, message, Location::new(file, long.lo, long.hi)));
                }
                lexed
            }
        };
        self.out.opened.push((file, self.cursors.len() as u32));
        self.entered = (self.entered.0.saturating_add(1), self.entered.1.saturating_add(lexed.tokens.len()));
        self.out.tokens.reserve(lexed.tokens.len());
        self.cursors.push(Cursor { file, lexed, next: 0, groups: Vec::new(), line_shift: 0, presumed: None });
    }

    fn leave(&mut self) {
        let Some(cursor) = self.cursors.pop() else { return };
        for group in cursor.groups {
            let message = "missing `#endif` for this conditional group";
            self.error(Error::new(ErrorCode::UnterminatedConditional, message, group.directive));
        }
    }

    /// Returns the next token of the files, and processes directives on the way.
    fn read(&mut self) -> Option<PpToken> {
        loop {
            let cursor = self.cursors.last_mut()?;
            let Some(lexeme) = cursor.lexed.tokens.get(cursor.next).copied() else {
                self.leave();
                continue;
            };
            if lexeme.raw == Raw::Hash && lexeme.starts_line {
                self.obey();
                continue;
            }
            cursor.next += 1;
            let token = token(cursor.file, &cursor.lexed, &lexeme);
            if lexeme.raw == Raw::OpenComment {
                self.open_comment(token.at);
                continue;
            }
            return Some(token);
        }
    }

    /// Copies tokens from the file to the unit, up to a directive, the name of a macro or an invalid token. Most of a
    /// program needs none of the other steps.
    fn copy_plain(&mut self) {
        let Some(cursor) = self.cursors.last_mut().filter(|_| self.pending.is_empty()) else { return };
        let rest = cursor.lexed.tokens.get(cursor.next..).unwrap_or_default();
        for lexeme in rest {
            let is_plain = match lexeme.raw {
                Raw::Ident => {
                    let name = cursor.lexed.text(lexeme);
                    name != pragma::OPERATOR && self.macros.get(name).is_none()
                }
                Raw::Int | Raw::Float | Raw::Str | Raw::Char | Raw::Punct(_) => true,
                _ => false,
            };
            if !is_plain {
                break;
            }
            self.out.tokens.push(token(cursor.file, &cursor.lexed, lexeme));
            cursor.next += 1;
        }
    }

    fn open_comment(&mut self, at: Location) {
        let start = Location { place: SpelledRange { hi: at.place.lo + 2, ..at.place }, ..at };
        self.error(Error::new(ErrorCode::UnterminatedComment, "missing `*/` for this comment", start));
    }

    pub(super) fn presumed_line(&mut self, place: SpelledRange) -> CompactString {
        self.out.counts_lines = true;
        let shift = self.cursors.iter().rev().find(|cursor| cursor.file == place.file).map_or(0, |c| c.line_shift);
        let line = self.lexed.get(&place.file).map_or(0, |lexed| lexed.source.line(place.lo));
        // `#line` directives may count down, but numbers stay in the range of the language.
        (i64::from(line) + shift).clamp(0, i64::from(u32::MAX)).to_compact_string()
    }

    pub(super) fn presumed_file(&mut self, place: SpelledRange) -> CompactString {
        let presumed = self.cursors.iter().rev().find(|cursor| cursor.file == place.file);
        let path = match presumed.and_then(|cursor| cursor.presumed.clone()) {
            Some(name) => name,
            None => self.includes.path(place.file),
        };
        format_compact!("\"{}\"", path.replace('\\', "\\\\").replace('"', "\\\""))
    }

    // ---- directives

    /// Takes the line of the directive whose `#` is at the cursor, and processes it.
    fn obey(&mut self) {
        let Some((hash, line)) = self.take_line() else { return };
        let Some(name) = line.first() else { return };
        let at = Location { place: SpelledRange { hi: name.at.place.hi, ..hash.place }, ..hash };
        let rest = line.get(1..).unwrap_or_default();
        let kind = match name.raw {
            Raw::Ident => Directive::named(&name.text),
            // `# 12 "file"`, as other preprocessors write it.
            Raw::Int => return self.line_directive(&line, at),
            _ => None,
        };
        let Some(kind) = kind else {
            let mut error =
                Error::new(ErrorCode::UnknownDirective, format!("unknown directive `#{}`", name.text), name.at);
            error.fix = nearest(&name.text).map(|text| Fix { at: name.at, text: text.to_owned() });
            return self.error(error);
        };
        match kind {
            Directive::If => {
                let value = self.condition(rest.to_vec(), at);
                self.open_group(at, value);
            }
            Directive::Ifdef { negated } => {
                let value = self.macro_name(rest, at).is_some_and(|name| self.macros.get(&name).is_some() != negated);
                self.open_group(at, value);
            }
            Directive::Elif | Directive::Elifdef { .. } | Directive::Else => {
                // The end of a branch that was read: all other branches are skipped.
                match self.cursors.last_mut().and_then(|cursor| cursor.groups.last_mut()) {
                    Some(group) if kind == Directive::Else && !group.seen_else => {
                        group.seen_else = true;
                        self.skip(at);
                    }
                    Some(group) if kind != Directive::Else && !group.seen_else => self.skip(at),
                    _ => self.unmatched(&name.text, at),
                }
            }
            Directive::Endif => {
                if self.cursors.last_mut().and_then(|cursor| cursor.groups.pop()).is_none() {
                    self.unmatched(&name.text, at);
                }
            }
            Directive::Define => self.define(rest, at),
            Directive::Undef => {
                if let Some(name) = self.macro_name(rest, at) {
                    self.macros.remove(&name);
                }
            }
            Directive::Include => self.include(rest, at),
            Directive::Pragma => self.pragma(rest),
            Directive::Error => self.error(Error::new(ErrorCode::UserError, user_text("error", rest), at)),
            Directive::Warning => self.error(Error::new(ErrorCode::UserWarning, user_text("warning", rest), at)),
            // A remark for object files, which do not exist here.
            Directive::Ident => {}
            Directive::Line => {
                let rest = self.expand_all(rest.to_vec());
                self.line_directive(&rest, at);
            }
        }
    }

    /// Takes the line at the cursor. Returns the location of its first token, which is the `#`, and the other tokens.
    fn take_line(&mut self) -> Option<(Location, Vec<PpToken>)> {
        let cursor = self.cursors.last_mut()?;
        let file = cursor.file;
        let lexed = cursor.lexed.clone();
        let mut tokens = lexed.tokens.iter().skip(cursor.next);
        let hash = tokens.next()?;
        let hash = Location::new(file, hash.lo, hash.hi);
        let mut line: Vec<PpToken> =
            tokens.take_while(|lexeme| !lexeme.starts_line).map(|lexeme| token(file, &lexed, lexeme)).collect();
        cursor.next += 1 + line.len();
        if line.last().is_some_and(|last| last.raw == Raw::OpenComment)
            && let Some(comment) = line.pop()
        {
            self.open_comment(comment.at);
        }
        Some((hash, line))
    }

    fn macro_name(&mut self, rest: &[PpToken], directive: Location) -> Option<CompactString> {
        match rest.first() {
            Some(name) if name.raw == Raw::Ident => Some(name.text.clone()),
            other => {
                let at = other.map_or(directive.end(), |token| token.at);
                self.error(Error::new(ErrorCode::MalformedDirective, "expected the name of a macro", at));
                None
            }
        }
    }

    fn define(&mut self, rest: &[PpToken], directive: Location) {
        let definition = rest.first().map(|name| name.at.place);
        match self.macros.parse(rest, definition) {
            Ok(new) => {
                let name = new.name.clone();
                if let Some(old) = self.macros.define(new) {
                    let at = rest.first().map_or(directive, |name| name.at);
                    let message = format!("the macro `{name}` is redefined with another body");
                    let mut error = Error::new(ErrorCode::MacroRedefined, message, at);
                    if let Some(place) = old {
                        error = error.note("first defined here", Location { place, expansion: None });
                    }
                    self.error(error);
                }
            }
            Err((message, index)) => {
                let at = match rest.get(index) {
                    Some(token) => token.at,
                    None => rest.last().map_or(directive, |last| last.at).end(),
                };
                self.error(Error::new(ErrorCode::MalformedDirective, message, at));
            }
        }
    }

    /// Adds a definition that is not in any file.
    fn define_text(&mut self, text: &str, at: Location) {
        let lexed = Lexed::new(text.as_bytes());
        let line: Vec<PpToken> =
            lexed.tokens.iter().map(|lexeme| PpToken { at, ..token(at.place.file, &lexed, lexeme) }).collect();
        match self.macros.parse(&line, None) {
            Ok(new) => {
                self.macros.define(new);
            }
            Err((message, _)) => {
                let message = format!("in the definition `{text}` on the command line: {message}");
                self.error(Error::new(ErrorCode::MalformedDirective, message, at));
            }
        }
    }

    pub(super) fn resolve(&self, name: &str, angled: bool) -> Option<FileId> {
        self.includes.resolve(&self.open_files(), name, angled)
    }

    /// Returns the files being read, the innermost first.
    fn open_files(&self) -> Vec<FileId> {
        self.cursors.iter().rev().map(|cursor| cursor.file).collect()
    }

    fn include(&mut self, rest: &[PpToken], directive: Location) {
        let header = header_name(rest).or_else(|| header_name(&self.expand_all(rest.to_vec())));
        let at = match (rest.first(), rest.last()) {
            (Some(first), Some(last)) => {
                Location { place: SpelledRange { hi: last.at.place.hi, ..first.at.place }, ..first.at }
            }
            _ => directive.end(),
        };
        let Some((name, angled)) = header else {
            let message = "expected `\"file\"` or `<file>` after `#include`";
            return self.error(Error::new(ErrorCode::MalformedInclude, message, at));
        };
        let Some(file) = self.resolve(&name, angled) else {
            let message = match self.includes.refusal(&self.open_files(), &name, angled) {
                Some(why) => format!("cannot read the file `{name}`: {why}"),
                None => format!("cannot find the file `{name}`"),
            };
            return self.error(Error::new(ErrorCode::IncludeNotFound, message, at));
        };
        if self.once.contains(&file) {
            return;
        }
        if self.cursors.len() >= INCLUDE_DEPTH {
            // Reported once for a file. One that includes itself twice would otherwise be read 2^200 times.
            self.once.insert(file);
            let message = format!("files include each other more than {INCLUDE_DEPTH} levels deep");
            return self.error(Error::new(ErrorCode::IncludeTooDeep, message, at));
        }
        if self.entered.0 > INCLUDES || self.entered.1 > INCLUDED_TOKENS {
            // Reported once. Otherwise each open file would report it for each of its lines.
            if self.entered.0 != u32::MAX {
                self.entered.0 = u32::MAX;
                let message = format!("includes exceed {INCLUDES} files or {INCLUDED_TOKENS} tokens");
                self.error(Error::new(ErrorCode::IncludeTooDeep, message, at));
            }
            return;
        }
        if !self.lexed.contains_key(&file) {
            self.out.included.push((file, at.place));
        }
        self.enter(file);
    }

    /// Marks the current file, so that it is not entered again.
    pub(super) fn read_once(&mut self) {
        self.once.extend(self.cursors.last().map(|cursor| cursor.file));
    }

    /// Processes `#line 12 "file"`; `tokens` follow the word.
    fn line_directive(&mut self, tokens: &[PpToken], at: Location) {
        let number = tokens.first().filter(|token| token.raw == Raw::Int).and_then(|token| token.text.parse().ok());
        let name = tokens.get(1).map(|token| token.text.trim_matches('"').into());
        let named = tokens.get(1).is_none_or(|token| token.raw == Raw::Str);
        let (Some(number), true) = (number, named) else {
            let message = "expected a line number, and optionally a file name in quotes";
            return self.error(Error::new(ErrorCode::MalformedDirective, message, at));
        };
        let number: u32 = number;
        if let Some(cursor) = self.cursors.last_mut() {
            // The number applies to the next line.
            let next = i64::from(cursor.lexed.source.line(at.place.lo)) + 1;
            cursor.line_shift = i64::from(number) - next;
            cursor.presumed = name.or(cursor.presumed.take());
            let Cursor { file, line_shift: shift, presumed: name, .. } = cursor;
            let (file, shift, name) = (*file, *shift, name.clone());
            self.out.line_directives.push(LineDirective { file, from: at.place.lo, shift, name });
        }
    }
}

/// Returns whether a name or number exceeds the language's limit. Comments and strings may have any length.
fn is_too_long(lexed: &Lexed, lexeme: &Lexeme) -> bool {
    lexeme.hi - lexeme.lo > LONGEST_WORD
        && matches!(lexeme.raw, Raw::Ident | Raw::Int | Raw::Float)
        && lexed.text(lexeme).len() > LONGEST_WORD as usize
}

pub(super) fn token(file: FileId, lexed: &Lexed, lexeme: &Lexeme) -> PpToken {
    // Such words are ASCII. A too long one is reported, so its rest is unused.
    let text = match is_too_long(lexed, lexeme) {
        true => lexed.text(lexeme).get(..LONGEST_WORD as usize).unwrap_or_default(),
        false => lexed.text(lexeme),
    };
    PpToken {
        raw: lexeme.raw,
        text: text.into(),
        at: Location::new(file, lexeme.lo, lexeme.hi),
        hide: HideSet::default(),
        line_start: lexeme.after_break,
        space: lexeme.after_space,
        margin: lexeme.margin,
    }
}

pub(super) fn text_of(tokens: &[PpToken]) -> String {
    let mut out = String::new();
    for (index, token) in tokens.iter().enumerate() {
        if index > 0 && token.space {
            out.push(' ');
        }
        out.push_str(&token.text);
    }
    out
}

/// Returns the user's text of `#error` or `#warning`.
fn user_text(directive: &str, rest: &[PpToken]) -> String {
    match text_of(rest) {
        text if text.is_empty() => format!("#{directive}"),
        text => text,
    }
}

fn printable(text: &str) -> String {
    text.chars().flat_map(|c| if c.is_control() { c.escape_default().collect() } else { vec![c] }).collect()
}
