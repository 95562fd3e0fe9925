//! Errors of all stages as values, with their locations in files and macro expansions.
//!
//! This module renders and prints nothing. `sema` maps an [`ErrorCode`] to its row of the diagnostics table (number,
//! severity, explanation). The driver turns a [`Location`] into lines and columns.

use crate::ast::Span;

/// A file of the program. The implementation of `preprocess::Includes` assigns the numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FileId(pub u32);

/// Index into `Unit::expansions`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ExpansionId(pub u32);

/// A byte range of a file, as spelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SpelledRange {
    pub file: FileId,
    pub lo: u32,
    pub hi: u32,
}

impl SpelledRange {
    pub fn contains(&self, other: &SpelledRange) -> bool {
        self.file == other.file && self.lo <= other.lo && other.hi <= self.hi
    }
}

/// The spelling location of a token, and the macro expansion that produced it.
///
/// For a token of a macro's body, `place` is inside the `#define`. `Unit::place` and `Unit::trail` return the locations
/// to show.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Location {
    pub place: SpelledRange,
    pub expansion: Option<ExpansionId>,
}

impl Location {
    pub fn new(file: FileId, lo: u32, hi: u32) -> Self {
        Location { place: SpelledRange { file, lo, hi }, expansion: None }
    }

    /// Returns the empty range directly after this one, for a missing token.
    pub fn end(self) -> Self {
        Location { place: SpelledRange { lo: self.place.hi, ..self.place }, ..self }
    }
}

/// A kind of mistake that this crate reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ErrorCode {
    // ---- text
    NotUtf8,
    /// UTF-16 or UTF-32, detected by its byte-order mark.
    WrongEncoding,
    UnexpectedCharacter,
    UnterminatedComment,
    UnterminatedLiteral,
    /// A name or number that exceeds the maximum length.
    TokenTooLong,
    // ---- directives
    UnknownDirective,
    MalformedDirective,
    MalformedCondition,
    /// `#else`, `#elif` or `#endif` without its `#if`.
    UnmatchedConditional,
    UnterminatedConditional,
    /// `#include` without a file name.
    MalformedInclude,
    IncludeNotFound,
    IncludeTooDeep,
    /// `#error`
    UserError,
    /// `#warning`, reported as a warning.
    UserWarning,
    /// A macro definition that differs from the first one: a warning.
    MacroRedefined,
    // ---- macros
    MacroArguments,
    UnterminatedMacroCall,
    BadPaste,
    ExpansionLimit,
    // ---- syntax
    ExpectedToken,
    ExpectedExpression,
    ExpectedName,
    ExpectedType,
    ExpectedStatement,
    ExpectedDeclaration,
    /// A function head with neither body nor `;`.
    ExpectedBody,
    UnexpectedToken,
    /// A `}` without an open `{`.
    UnmatchedBrace,
    /// A `{` that is never closed.
    UnclosedBrace,
    NestingTooDeep,
    /// A state block or a technique, which is skipped: a warning.
    EffectSyntax,
}

impl ErrorCode {
    pub const ALL: &[ErrorCode] = &[
        ErrorCode::NotUtf8,
        ErrorCode::WrongEncoding,
        ErrorCode::UnexpectedCharacter,
        ErrorCode::UnterminatedComment,
        ErrorCode::UnterminatedLiteral,
        ErrorCode::TokenTooLong,
        ErrorCode::UnknownDirective,
        ErrorCode::MalformedDirective,
        ErrorCode::MalformedCondition,
        ErrorCode::UnmatchedConditional,
        ErrorCode::UnterminatedConditional,
        ErrorCode::MalformedInclude,
        ErrorCode::IncludeNotFound,
        ErrorCode::IncludeTooDeep,
        ErrorCode::UserError,
        ErrorCode::UserWarning,
        ErrorCode::MacroRedefined,
        ErrorCode::MacroArguments,
        ErrorCode::UnterminatedMacroCall,
        ErrorCode::BadPaste,
        ErrorCode::ExpansionLimit,
        ErrorCode::ExpectedToken,
        ErrorCode::ExpectedExpression,
        ErrorCode::ExpectedName,
        ErrorCode::ExpectedType,
        ErrorCode::ExpectedStatement,
        ErrorCode::ExpectedDeclaration,
        ErrorCode::ExpectedBody,
        ErrorCode::UnexpectedToken,
        ErrorCode::UnmatchedBrace,
        ErrorCode::UnclosedBrace,
        ErrorCode::NestingTooDeep,
        ErrorCode::EffectSyntax,
    ];

    /// Returns whether compilation may continue to code generation by default. The diagnostics table may override it.
    pub fn is_warning(self) -> bool {
        matches!(self, ErrorCode::UserWarning | ErrorCode::MacroRedefined | ErrorCode::EffectSyntax)
    }
}

/// Replaces the text at `at` by `text`; an empty range inserts.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Fix {
    pub at: Location,
    pub text: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Error {
    pub code: ErrorCode,
    /// One sentence without a full stop, in lower case: "expected `;` after expression".
    pub message: String,
    pub at: Location,
    pub notes: Vec<(String, Location)>,
    /// The suggested replacement, in words.
    pub help: Option<&'static str>,
    pub fix: Option<Fix>,
}

impl Error {
    pub fn new(code: ErrorCode, message: impl Into<String>, at: Location) -> Self {
        Error { code, message: message.into(), at, notes: Vec::new(), help: None, fix: None }
    }

    pub fn note(mut self, text: impl Into<String>, at: Location) -> Self {
        self.notes.push((text.into(), at));
        self
    }
}

/// A mistake that the parser found. Its positions are token indexes of the parsed piece, so that it stays equal when
/// the text around the piece moves. `Unit::locate` converts it to an [`Error`].
///
/// An empty span at `n` is after token `n - 1`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SyntaxError {
    pub code: ErrorCode,
    pub message: String,
    pub span: Span,
    pub notes: Vec<(String, Span)>,
    /// The suggested replacement, in words.
    pub help: Option<&'static str>,
    /// The span to replace, and its new text.
    pub fix: Option<(Span, String)>,
    /// The tree matches the intention, so the mistake affects nothing else.
    pub harmless: bool,
}

impl SyntaxError {
    pub(crate) fn new(code: ErrorCode, message: String, span: Span) -> Self {
        SyntaxError { code, message, span, notes: Vec::new(), help: None, fix: None, harmless: false }
    }

    /// Returns the error relative to a piece in which this piece starts at token `by`.
    pub(crate) fn moved(mut self, by: u32) -> SyntaxError {
        let spans = self.notes.iter_mut().map(|(_, span)| span).chain(self.fix.iter_mut().map(|(span, _)| span));
        for span in spans.chain([&mut self.span]) {
            *span = Span { lo: span.lo + by, hi: span.hi + by };
        }
        self
    }
}
