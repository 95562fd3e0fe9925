//! What every stage returns when the text is wrong: errors as values, with places in files and macro expansions.
//!
//! Nothing is rendered here and nothing is printed: `sema` maps an [`ErrorCode`] to its row of the diagnostics table
//! (number, severity, explanation), the driver turns a [`Location`] into lines and columns.

use crate::ast::Span;

/// A file of the program. Who implements `preprocess::Includes` hands the numbers out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FileId(pub u32);

/// Index into `Unit::expansions`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ExpansionId(pub u32);

/// A byte range of a file, as spelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Place {
    pub file: FileId,
    pub lo: u32,
    pub hi: u32,
}

impl Place {
    pub fn contains(&self, other: &Place) -> bool {
        self.file == other.file && self.lo <= other.lo && other.hi <= self.hi
    }
}

/// Where a token was spelled, and the macro expansion that put it into the unit.
///
/// For a token of a macro's body `place` is inside the `#define`; `Unit::place` and `Unit::trail` tell what to show.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Location {
    pub place: Place,
    pub expansion: Option<ExpansionId>,
}

impl Location {
    pub fn new(file: FileId, lo: u32, hi: u32) -> Self {
        Location { place: Place { file, lo, hi }, expansion: None }
    }

    /// The empty range just behind this one: where a missing token belongs.
    pub fn end(self) -> Self {
        Location { place: Place { lo: self.place.hi, ..self.place }, ..self }
    }
}

/// One variant for each kind of mistake that this crate reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ErrorCode {
    // ---- text
    NotUtf8,
    /// UTF-16 or UTF-32, told by its byte-order mark.
    WrongEncoding,
    UnexpectedCharacter,
    UnterminatedComment,
    UnterminatedLiteral,
    /// A name or number of the text that is longer than any may be.
    TokenTooLong,
    // ---- directives
    UnknownDirective,
    MalformedDirective,
    MalformedCondition,
    /// `#else`, `#elif` or `#endif` without its `#if`.
    UnmatchedConditional,
    UnterminatedConditional,
    /// `#include` without the name of a file.
    MalformedInclude,
    IncludeNotFound,
    IncludeTooDeep,
    /// `#error`
    UserError,
    /// `#warning`: a warning.
    UserWarning,
    /// Another definition of a macro that differs from the first: a warning.
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
    /// A function's head with neither body nor `;`.
    ExpectedBody,
    UnexpectedToken,
    /// A `}` that closes nothing.
    UnmatchedBrace,
    /// A `{` that nothing closes.
    UnclosedBrace,
    NestingTooDeep,
    /// A state block or a technique, which is left out: a warning.
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

    /// Whether compilation can go on to code. The default; the diagnostics table may say otherwise.
    pub fn is_warning(self) -> bool {
        matches!(self, ErrorCode::UserWarning | ErrorCode::MacroRedefined | ErrorCode::EffectSyntax)
    }
}

/// Put `text` in the place of what stands at `at`; an empty range inserts.
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
    /// What to write instead, in words.
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

/// A mistake found by the parser. Its places are token indexes of the piece that was parsed, so that it stays equal
/// when the text around the piece moves; `Unit::locate` turns it into an [`Error`].
///
/// An empty span at `n` stands behind token `n - 1`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SyntaxError {
    pub code: ErrorCode,
    pub message: String,
    pub span: Span,
    pub notes: Vec<(String, Span)>,
    /// What to write instead, in words.
    pub help: Option<&'static str>,
    /// The tokens of the span replaced by this text.
    pub fix: Option<(Span, String)>,
    /// The tree is the one that was meant: the mistake leaves nothing else in doubt.
    pub harmless: bool,
}

impl SyntaxError {
    pub(crate) fn new(code: ErrorCode, message: String, span: Span) -> Self {
        SyntaxError { code, message, span, notes: Vec::new(), help: None, fix: None, harmless: false }
    }

    /// The same in a piece in which this one begins at token `by`.
    pub(crate) fn moved(mut self, by: u32) -> SyntaxError {
        let spans = self.notes.iter_mut().map(|(_, span)| span).chain(self.fix.iter_mut().map(|(span, _)| span));
        for span in spans.chain([&mut self.span]) {
            *span = Span { lo: span.lo + by, hi: span.hi + by };
        }
        self
    }
}
