//! Directives and macros: from the files of a program to one stream of tokens.
//!
//! This module is its interface: the inputs ([`Includes`], [`Options`]) and the output ([`Unit`]). The implementation
//! is in `driver` (files, conditional groups, directives), `macros` (definitions), `expand` (the C11 algorithm with
//! hide sets carried by tokens) and `condition` (`#if`). `edited` updates a unit after an edit. It does no I/O and
//! never fails: it always returns a unit.
//!
//! The roots of a program are read one after the other, as if one file included them all. So macros and `#pragma once`
//! carry over. `#line` changes `__LINE__` and `__FILE__`. Positions stay physical; [`Unit::line_directive`] returns the
//! names of their lines.

use std::sync::Arc;

use compact_str::CompactString;
use rustc_hash::FxHashSet;

use crate::ast::Span;
use crate::brackets::Brackets;
use crate::cook;
use crate::diagnostic::{Error, ExpansionId, FileId, Fix, Location, SpelledRange, SyntaxError};
use crate::lex::PpToken;
use crate::lookup::Lookup;
use crate::names::Names;
use crate::token::Token;

mod condition;
mod driver;
mod edited;
mod expand;
mod gap;
mod macros;
mod pragma;
mod range;

pub use edited::{Edited, edited};

/// A source of files. `sema` implements it over its inputs. Equal arguments give equal answers.
pub trait Includes {
    /// Resolves `#include "name"` (or `<name>` if `angled`) to a file. `open` lists the including files, from the
    /// innermost outwards. The same file always has the same id: `#pragma once` compares ids.
    fn resolve(&self, open: &[FileId], name: &str, angled: bool) -> Option<FileId>;
    /// Returns the reason that an existing file of that name is not read.
    fn refusal(&self, open: &[FileId], name: &str, angled: bool) -> Option<CompactString> {
        let _ = (open, name, angled);
        None
    }

    /// Returns the bytes of a file, in any encoding.
    fn text(&self, file: FileId) -> Arc<[u8]>;
    /// Returns the path for `__FILE__`.
    fn path(&self, file: FileId) -> CompactString;
}

/// The kind of shader from `-T`, by its number in `__SHADER_TARGET_STAGE`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Stage {
    Pixel = 0,
    Vertex = 1,
    Geometry = 2,
    Hull = 3,
    Domain = 4,
    Compute = 5,
    Library = 6,
    Mesh = 13,
    Amplification = 14,
}

/// The command-line options of a program that macros depend on.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Options {
    /// `-D NAME=VALUE`, in order; a later one replaces an earlier one. `NAME(a,b)` defines a function-like macro.
    pub defines: Vec<(CompactString, CompactString)>,
    pub stage: Stage,
    /// Shader model, major and minor.
    pub shader_model: (u32, u32),
    /// 2018, 2021, ..
    pub hlsl_version: u32,
    /// `-enable-16bit-types`
    pub native_16bit: bool,
    /// SPIR-V version of the target, major and minor.
    pub spirv_version: (u32, u32),
}

impl Default for Options {
    /// Returns the options of a library of shader model 6.8, HLSL 2021.
    fn default() -> Self {
        Options {
            defines: Vec::new(),
            stage: Stage::Library,
            shader_model: (6, 8),
            hlsl_version: 2021,
            native_16bit: false,
            spirv_version: (1, 6),
        }
    }
}

/// One use of a macro.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Expansion {
    pub name: CompactString,
    /// The range from the name to the `)` of the call; its `expansion` is the parent.
    pub use_site: Location,
    /// The name in its `#define`; `None` for predefined macros and those of the command line.
    pub definition: Option<SpelledRange>,
    /// The range from that name to the end of the replacement list.
    pub text: Option<SpelledRange>,
    /// The non-empty arguments of the call, each from its first to its last token as spelled.
    pub arguments: Vec<SpelledRange>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Pragma {
    /// `#pragma pack_matrix(row_major)` or `(column_major)`
    PackMatrix { row_major: bool },
    /// Any other pragma, as written after the word `pragma`, except `#pragma once`.
    Other(CompactString),
}

/// The origin of a token.
pub type Origin = Location;

/// `#line`: the names and numbers of the lines after it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LineDirective {
    pub file: FileId,
    /// The position of the directive.
    pub from: u32,
    /// The offset to add to the physical line number.
    pub shift: i64,
    /// The name of the file; `None` if it only renumbers lines.
    pub name: Option<CompactString>,
}

/// The tokens of a whole program, with all their origins.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Unit {
    pub tokens: Vec<Token>,
    /// Parallel to `tokens`.
    pub origins: Vec<Origin>,
    pub expansions: Vec<Expansion>,
    /// Text that conditional directives excluded, for the editor. It is in order within each file.
    pub inactive: Vec<(FileId, std::ops::Range<u32>)>,
    /// All files that were read, in the order of their first byte.
    pub files: Vec<FileId>,
    /// Each opening of a file, with the number of files around it.
    pub opened: Vec<(FileId, u32)>,
    /// Files that others include, with the name in the first `#include` of each.
    pub(crate) included: Vec<(FileId, SpelledRange)>,
    /// Each pragma precedes the token with its index.
    pub pragmas: Vec<(u32, Pragma)>,
    /// Sorted by file and place.
    pub(crate) line_directives: Vec<LineDirective>,
    pub errors: Vec<Error>,
    /// Types and templates that this unit declares.
    pub names: Names,
    /// Parallel to `tokens`: true if the token is in column 0 of its file.
    pub(crate) margin: Vec<bool>,
    /// Names that are a macro anywhere, including predefined ones.
    pub(crate) macro_names: FxHashSet<CompactString>,
    /// True if some token is a line number.
    pub(crate) counts_lines: bool,
    /// True if a name counted as a template because it was used as one before.
    pub(crate) uses_templates: bool,
    /// Copied from `Lookup`.
    pub(crate) sensitive: FxHashSet<CompactString>,
    pub(crate) asks: u32,
}

/// Preprocesses and cooks a program. `template_names` are the names of the prelude.
pub fn unit(includes: &dyn Includes, roots: &[FileId], options: &Options, template_names: &Names) -> Unit {
    cooked(driver::run(includes, roots, options), template_names)
}

/// Cooks a part of a file without directives and macro uses, which starts at offset `at` of the file. The names are
/// those of the whole unit.
pub fn part(file: FileId, at: u32, text: &[u8], template_names: &Names) -> Unit {
    cooked(driver::plain(file, at, text), template_names)
}

fn cooked(mut out: driver::Output, template_names: &Names) -> Unit {
    let brackets = Brackets::new(out.tokens.iter().map(PpToken::sym));
    let names = Names::of_tokens(&out.tokens, &brackets);
    let lookup = Lookup::new(&out.tokens, &brackets, &names, template_names);
    let cooked = cook::cook(&out.tokens, &brackets, &names, template_names, &lookup);
    // Pragmas count raw tokens, some of which cooking joins.
    let pragmas = out
        .pragmas
        .into_iter()
        .map(|(raw, pragma)| (cooked.raw_index.partition_point(|&index| index < raw) as u32, pragma))
        .collect();
    // A file that is included twice has each of them twice.
    out.line_directives.sort_unstable();
    out.line_directives.dedup();
    Unit {
        tokens: cooked.tokens,
        origins: cooked.origins,
        expansions: out.expansions,
        inactive: out.inactive,
        files: out.files,
        opened: out.opened,
        included: out.included,
        pragmas,
        line_directives: out.line_directives,
        errors: out.errors,
        names,
        margin: cooked.margin,
        macro_names: out.macro_names,
        counts_lines: out.counts_lines,
        uses_templates: cooked.uses_templates,
        sensitive: lookup.sensitive,
        asks: lookup.asks,
    }
}

impl Unit {
    /// Returns a copy without the parts that exist for each token.
    fn without_tokens(&self) -> Unit {
        Unit {
            tokens: Vec::new(),
            origins: Vec::new(),
            margin: Vec::new(),
            expansions: self.expansions.clone(),
            inactive: self.inactive.clone(),
            files: self.files.clone(),
            opened: self.opened.clone(),
            included: self.included.clone(),
            pragmas: self.pragmas.clone(),
            line_directives: self.line_directives.clone(),
            errors: self.errors.clone(),
            names: self.names.clone(),
            macro_names: self.macro_names.clone(),
            counts_lines: self.counts_lines,
            uses_templates: self.uses_templates,
            sensitive: self.sensitive.clone(),
            asks: self.asks,
        }
    }

    fn expansion(&self, id: ExpansionId) -> Option<&Expansion> {
        self.expansions.get(id.0 as usize)
    }

    /// Returns the place to show for a token. It is the token's own text if the user wrote it there, also as a macro's
    /// argument. Otherwise it is the outermost macro use, or the call in the arguments of that use that the token comes
    /// from.
    pub fn place(&self, at: Location) -> SpelledRange {
        let trail = self.trail(at);
        let Some(outermost) = trail.last() else { return at.place };
        let spelled = std::iter::once(at.place).chain(trail.iter().map(|expansion| expansion.use_site.place));
        spelled.into_iter().find(|place| outermost.use_site.place.contains(place)).unwrap_or(at.place)
    }

    /// Returns the names in the `#include`s that lead to a file, innermost first. They are those of its first
    /// inclusion.
    pub fn inclusions(&self, file: FileId) -> Vec<SpelledRange> {
        let mut out: Vec<SpelledRange> = Vec::new();
        let mut next = file;
        while let Some((_, place)) = self.included.iter().find(|(included, _)| *included == next) {
            out.push(*place);
            next = place.file;
        }
        out
    }

    /// Returns the name in the first `#include` of each included file, and the file.
    pub fn first_inclusions(&self) -> impl Iterator<Item = (SpelledRange, FileId)> {
        self.included.iter().map(|(file, place)| (*place, *file))
    }

    /// Returns the `#line` directive that applies to a position, if any.
    pub fn line_directive(&self, file: FileId, at: u32) -> Option<&LineDirective> {
        let before = self.line_directives.partition_point(|d| (d.file, d.from) <= (file, at));
        self.line_directives.get(before.checked_sub(1)?).filter(|d| d.file == file)
    }

    /// Returns the names that `#line` gives to lines, in the order of files and lines.
    pub fn line_names(&self) -> impl Iterator<Item = &CompactString> {
        self.line_directives.iter().filter_map(|d| d.name.as_ref())
    }

    /// Returns the expansions that produced a token, innermost first.
    pub fn trail(&self, at: Location) -> Vec<&Expansion> {
        let mut trail = Vec::new();
        let mut next = at.expansion;
        while let Some(expansion) = next.and_then(|id| self.expansion(id)) {
            trail.push(expansion);
            next = expansion.use_site.expansion;
        }
        trail
    }

    /// Returns the location of tokens `span` of a piece, whose tokens have the unit indexes `origins`.
    pub fn span_location(&self, span: Span, origins: &[u32]) -> Location {
        let origin = |index: u32| origins.get(index as usize).and_then(|&i| self.origins.get(i as usize)).copied();
        if span.lo >= span.hi {
            // Between two tokens: after the first one.
            let before = span.lo.checked_sub(1).and_then(|index| origins.get(index as usize));
            return match before.and_then(|&index| self.gap_after(index)) {
                Some(gap) => gap,
                None => origin(span.lo).map_or(Location::new(FileId(0), 0, 0), |at| Location {
                    place: SpelledRange { hi: at.place.lo, ..at.place },
                    ..at
                }),
            };
        }
        let Some(first) = origin(span.lo) else { return Location::new(FileId(0), 0, 0) };
        match origin(span.hi - 1) {
            Some(last) if span.hi - span.lo > 1 => self.around(first, last),
            _ => first,
        }
    }

    /// Returns the location of an edit of these tokens, or `None` if a macro produced the first or the last.
    pub fn edit_location(&self, span: Span, origins: &[u32]) -> Option<Location> {
        let is_made = |index: &u32| self.origins.get(*index as usize).is_some_and(|at| at.expansion.is_some());
        let tokens = origins.get(span.lo as usize..span.hi as usize).unwrap_or_default();
        let at = self.span_location(span, origins);
        let made = [tokens.first(), tokens.last()].into_iter().flatten().any(is_made);
        (!made && at.expansion.is_none()).then_some(at)
    }

    /// Converts a parser's error to one with locations in files.
    pub fn locate(&self, error: &SyntaxError, origins: &[u32]) -> Error {
        let notes: Vec<(String, Location)> =
            error.notes.iter().map(|(text, span)| (text.clone(), self.span_location(*span, origins))).collect();
        // A bracket that a macro opens cannot be closed after its call.
        let macros = notes.iter().any(|(_, at)| at.expansion.is_some());
        let fix = error.fix.as_ref().filter(|_| !macros);
        Error {
            code: error.code,
            message: error.message.clone(),
            at: self.span_location(error.span, origins),
            notes,
            help: error.help,
            fix: fix.and_then(|(span, text)| self.fix(self.edit_location(*span, origins)?, text)),
        }
    }

    /// Returns a fix, or `None` inside a macro or its arguments: there the change would affect every use of the tokens.
    pub(crate) fn fix(&self, at: Location, text: &str) -> Option<Fix> {
        at.expansion.is_none().then(|| Fix { at, text: text.to_owned() })
    }
}
