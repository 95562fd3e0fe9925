//! Finds the statements and their depths. The walk over the pieces knows blocks, statements under `if` and `for`, and
//! labels. Anything else is a sequence of tokens up to a `;`.
//!
//! It never fails: an incomplete construct ends with the enclosing block.

mod blocks;
mod line;

use crate::pieces::{Directive, Piece, PieceKind, Text};
use crate::roles::Role;
use crate::style::{Braces, Style};
use crate::wrap::{Before, Indent, Page};
use blocks::Block;
use line::Line;
use wgc_frontend::token::Sym;

/// The context of a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Around {
    /// Braces: the depth of the contents and of the closing brace.
    Block { inside: u32, labels: u32, close: u32, declares: bool },
    /// The body of an `if`, `else`, `for`, `while`, `switch` or `do` at this depth, and the continuation that may
    /// follow.
    Body { depth: u32, then: Then },
    /// An `else` or `while` follows that belongs to the statement at this depth.
    Tail { depth: u32 },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Then {
    Nothing,
    Else,
    While,
}

/// A link of the current context. Branches of a conditional share the links before their `#if`.
#[derive(Clone, Copy)]
struct Link {
    around: Around,
    under: usize,
}

/// The maximum number of pieces of a head that are searched for a word.
const MAX_OF_HEAD: usize = 64;

/// The maximum number of pieces of a label.
const MAX_OF_LABEL: usize = 1000;

const FILE: Link = Link { around: Around::Block { inside: 0, labels: 0, close: 0, declares: false }, under: 0 };

struct Walk<'t> {
    page: Page<'t>,
    before: Vec<Before>,
    links: Vec<Link>,
    top: usize,
    conditionals: Vec<usize>,
    /// The number of line breaks before each piece, including those inside earlier pieces. Equal numbers mean the same
    /// line.
    lines: Vec<u32>,
    /// The next token from each piece on, and the next piece that is not a comment.
    tokens: Vec<usize>,
    codes: Vec<usize>,
    at: usize,
    /// The column after the last piece that was laid out.
    column: u32,
    /// The next piece goes on the same line as the last one.
    joined: bool,
    /// The depth of a label before the next piece.
    labelled: Option<u32>,
}

/// Returns the white space before each piece.
pub fn lines(text: &Text, roles: &[Role], partner: &[Option<usize>], style: &Style) -> Vec<Before> {
    let mut lines = Vec::with_capacity(text.pieces.len());
    let mut line = 0;
    for piece in &text.pieces {
        line += piece.newlines;
        lines.push(line);
        // A piece with several lines never shares a line with others.
        line += u32::from(piece.last_width.is_some());
    }
    let end = text.pieces.len();
    let (mut tokens, mut codes) = (vec![end; end + 1], vec![end; end + 1]);
    for (index, piece) in text.pieces.iter().enumerate().rev() {
        tokens[index] = if piece.is_token() && !piece.raw { index } else { tokens[index + 1] };
        codes[index] = if piece.is_comment() { codes[index + 1] } else { index };
    }
    let mut walk = Walk {
        page: Page { text, roles, partner, style },
        before: vec![Before::Kept; text.pieces.len()],
        links: vec![FILE],
        top: 0,
        conditionals: Vec::new(),
        lines,
        tokens,
        codes,
        at: 0,
        column: 0,
        joined: false,
        labelled: None,
    };
    walk.all();
    walk.before
}

impl<'t> Walk<'t> {
    fn pieces(&self) -> &'t [Piece] {
        &self.page.text.pieces
    }

    fn piece(&self, index: usize) -> Option<&'t Piece> {
        self.pieces().get(index)
    }

    fn role(&self, index: usize) -> Role {
        self.page.roles.get(index).copied().unwrap_or_default()
    }

    fn word(&self, index: usize) -> &'t [u8] {
        match self.piece(index) {
            Some(piece) if piece.kind == PieceKind::Word => self.page.text.of(index),
            _ => b"",
        }
    }

    fn is(&self, index: usize, sym: Sym) -> bool {
        self.piece(index).is_some_and(|piece| piece.is(sym))
    }

    /// Returns the next token, skipping comments and directives.
    fn next_token(&self, from: usize) -> Option<usize> {
        self.tokens.get(from).copied().filter(|index| *index < self.pieces().len())
    }

    fn around(&self) -> Around {
        self.links[self.top].around
    }

    fn push(&mut self, around: Around) {
        self.links.push(Link { around, under: self.top });
        self.top = self.links.len() - 1;
    }

    fn pop(&mut self) {
        self.top = self.links[self.top].under;
    }

    /// Returns the depth of a statement that starts here.
    fn depth(&self) -> u32 {
        match self.around() {
            Around::Block { inside, .. } => inside,
            Around::Body { depth, .. } => depth + 1,
            Around::Tail { depth } => depth,
        }
    }

    fn all(&mut self) {
        while let Some(piece) = self.piece(self.at) {
            if piece.raw {
                self.at += 1;
                self.joined = false;
                continue;
            }
            match piece.kind {
                PieceKind::Directive(directive) => {
                    self.before[self.at] = Before::Line(Indent::default());
                    self.directive(directive);
                    self.joined = false;
                    self.at += 1;
                }
                PieceKind::LineComment | PieceKind::BlockComment if !self.begins_statement(self.at) => self.comment(),
                _ => self.statement(),
            }
        }
    }

    fn directive(&mut self, directive: Directive) {
        match directive {
            Directive::If => self.conditionals.push(self.top),
            Directive::Else => self.top = self.conditionals.last().copied().unwrap_or(self.top),
            Directive::EndIf => _ = self.conditionals.pop(),
            Directive::Other => {}
        }
    }

    /// Returns whether the line continues after a comment at its start.
    fn begins_statement(&self, index: usize) -> bool {
        let (Some(piece), Some(next)) = (self.piece(index), self.piece(index + 1)) else { return false };
        piece.kind == PieceKind::BlockComment
            && next.newlines == 0
            && !next.raw
            && next.kind != PieceKind::LineComment
            && !matches!(next.kind, PieceKind::Directive(_))
    }

    /// Lays out a comment between statements: after the code on its line, or on its own line at the depth of the next
    /// statement.
    fn comment(&mut self) {
        let behind = self.at > 0 && self.pieces()[self.at].newlines == 0 && !self.pieces()[self.at - 1].ends_line();
        self.before[self.at] = if behind {
            Before::Space
        } else {
            let next = self.next_unless_directive(self.at + 1);
            let depth = match (next, self.around()) {
                (Some(next), _) if self.is(next, Sym::RBrace) => self.depth(),
                (Some(next), Around::Body { depth, .. }) if self.is(next, Sym::LBrace) => depth,
                (Some(next), _) if matches!(self.word(next), b"case" | b"default") => self.label_depth(next),
                _ => self.depth(),
            };
            self.joined = false;
            Before::Line(Indent::steps(depth))
        };
        if self.pieces()[self.at].kind == PieceKind::LineComment || !behind {
            self.joined = false;
        }
        self.at += 1;
    }

    /// Returns the next token if no directive comes first.
    fn next_unless_directive(&self, from: usize) -> Option<usize> {
        let next = *self.codes.get(from)?;
        self.piece(next)?.is_token().then_some(next)
    }

    fn label_depth(&self, index: usize) -> u32 {
        let is_label = self.word(index) == b"case" || self.is(index + 1, Sym::Colon);
        match self.around() {
            Around::Block { labels, .. } if is_label => labels,
            _ => self.depth(),
        }
    }

    fn statement(&mut self) {
        let from = self.at;
        if self.is(from, Sym::RBrace) && self.role(from) != Role::ListClose {
            return self.close(from);
        }
        let first = self.next_token(from).unwrap_or(from);
        if matches!(self.word(first), b"case" | b"default") && self.label(from, first) {
            return;
        }
        let labelled = self.labelled.take().filter(|_| self.is(first, Sym::LBrace));
        // Comments and directives may separate a head from its block.
        let headed = match self.around() {
            Around::Body { depth, .. } if self.role(first) == Role::BlockOpen => Some(depth),
            _ => None,
        };
        let depth = labelled.or(headed).unwrap_or(self.depth());
        let mut line = Line::new(from, depth, std::mem::take(&mut self.joined));
        if let Around::Tail { .. } = self.around() {
            self.pop();
            match self.word(first) {
                b"else" => return self.other(line, first),
                b"while" => return self.scan(&mut line, first, true),
                // A branch of a conditional started in between.
                _ => line.depth = self.depth(),
            }
        }
        self.scan(&mut line, from, false);
    }

    /// Parses `else` and a following `if`.
    fn other(&mut self, mut line: Line, word: usize) {
        line.heads = Some(line.from);
        if self.word(word + 1) == b"if" {
            return self.scan(&mut line, word + 1, false);
        }
        self.body(line, word, Then::Nothing);
    }

    /// Scans the tokens up to the end of the statement; `from` is the first that matters. `tail` marks a `while` that
    /// ends a `do`.
    fn scan(&mut self, line: &mut Line, from: usize, tail: bool) {
        let mut at = from;
        // Only attributes and template parameters so far.
        let mut heads = true;
        let mut seen = StatementTokens::default();
        while let Some(piece) = self.piece(at) {
            if let PieceKind::Directive(directive) = piece.kind {
                self.directive(directive);
            }
            if piece.raw || !piece.is_token() {
                at += 1;
                continue;
            }
            if heads && self.role(at + 1) == Role::TemplateOpen && matches!(self.word(at), b"template" | b"__generic") {
                at = self.template_close(at + 1) + 1;
                continue;
            }
            heads &= self.role(at) == Role::AttributeOpen;
            if !heads && line.heads.is_none() {
                line.heads = Some(at);
            }
            match piece.kind {
                PieceKind::Sym(Sym::Semi) => return self.end(line, at, true),
                PieceKind::Sym(Sym::RBrace) if self.role(at) != Role::ListClose => {
                    // The enclosing block ends without a `;`.
                    return self.end(line, at - 1, true);
                }
                PieceKind::Sym(Sym::LBrace) if self.role(at) == Role::BlockOpen => match self.block(line, at) {
                    Block::Open => return self.enter(line, at, seen.declares),
                    Block::Flat(close) if self.goes_on(close, seen.declares) => at = close,
                    Block::Flat(close) => return self.end(line, close, true),
                },
                PieceKind::Sym(Sym::LParen | Sym::LBracket | Sym::LBrace) => {
                    let Some(close) = self.page.partner[at].filter(|close| *close > at) else {
                        at += 1;
                        continue;
                    };
                    if piece.is(Sym::LBrace) {
                        line.lists.push((at, close));
                        self.place_list(line, at, seen.assigned);
                    }
                    let calls = piece.is(Sym::LParen);
                    if calls && seen.calls == 0 && seen.names > 1 && !seen.assigned {
                        line.declared = Some((at, close));
                    }
                    seen.calls += u32::from(calls);
                    // A `[[..]]` attribute stays on the line of its function, which has no body.
                    if heads && !self.is(at + 1, Sym::LBracket) {
                        line.attributes = Some(close);
                    }
                    for inside in at..close {
                        if let PieceKind::Directive(directive) = self.pieces()[inside].kind {
                            self.directive(directive);
                        }
                    }
                    if self.role(close) == Role::ControlClose && !tail {
                        let then = if self.word(at - 1) == b"if" { Then::Else } else { Then::Nothing };
                        return self.body(std::mem::take(line), close, then);
                    }
                    let macros = calls && seen.names == seen.calls && !seen.assigned;
                    if macros && self.begins_another(close + 1) {
                        return self.end(line, close, true);
                    }
                    at = close;
                }
                PieceKind::Sym(Sym::ColonColon) => seen.names = seen.names.saturating_sub(1),
                PieceKind::Sym(Sym::Lt) if self.role(at) == Role::TemplateOpen => at = self.template_close(at),
                PieceKind::Sym(_) => seen.assigned = true,
                // The statement before this word is incomplete.
                PieceKind::Word
                    if at > line.from && line.heads != Some(at) && piece.newlines > 0 && self.begins(at) =>
                {
                    return self.end(line, at - 1, true);
                }
                PieceKind::Word => match self.word(at) {
                    word @ (b"do" | b"else") => {
                        let then = if word == b"do" { Then::While } else { Then::Nothing };
                        return self.body(std::mem::take(line), at, then);
                    }
                    b"struct" | b"class" | b"interface" | b"union" => seen.declares = true,
                    b"return" => seen.assigned = true,
                    _ if at == line.from && self.is_macro_line(at) => return self.end(line, at, true),
                    _ => seen.names += 1,
                },
                _ => {}
            }
            at += 1;
        }
        self.end(line, self.pieces().len() - 1, true);
    }

    /// Returns whether the word can only start a statement.
    fn begins(&self, at: usize) -> bool {
        matches!(
            self.word(at),
            b"if" | b"for" | b"while" | b"switch" | b"do" | b"return" | b"break" | b"continue" | b"discard" | b"case"
        )
    }

    /// Returns the end of a template list, or its start if the list is not closed.
    fn template_close(&self, open: usize) -> usize {
        let mut depth = 0_u32;
        for at in open..self.pieces().len() {
            match self.role(at) {
                Role::TemplateOpen => depth += 1,
                Role::TemplateClose if depth == 1 => return at,
                Role::TemplateClose => depth -= 1,
                _ => {}
            }
        }
        open
    }

    /// Returns whether a new statement follows `NAME(..)` without a `;`: a line that starts with a word. Such names are
    /// macros that expand to statements.
    fn begins_another(&self, next: usize) -> bool {
        let Some(token) = self.next_token(next) else { return false };
        let begins = self.lines[token] != self.lines[next - 1];
        begins && (self.pieces()[token].kind == PieceKind::Word || self.role(token) == Role::AttributeOpen)
    }

    /// Returns whether the piece is an upper-case `NAME` alone on its line.
    fn is_macro_line(&self, at: usize) -> bool {
        let name = self.word(at);
        let capital = |byte: &u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || *byte == b'_';
        name.len() > 2 && name.iter().all(capital) && self.begins_another(at + 1)
    }

    /// Lays out a statement up to its last piece. `done` means that the statement is complete.
    fn end(&mut self, line: &mut Line, last: usize, done: bool) {
        self.lay(line, last);
        self.at = last + 1;
        if done {
            self.complete();
        }
    }

    /// Completes a statement, and the enclosing statements that end with it.
    fn complete(&mut self) {
        let mut next = None;
        while let Around::Body { depth, then } = self.around() {
            self.pop();
            let at = *next.get_or_insert_with(|| self.next_token(self.at).unwrap_or(usize::MAX));
            let follows = match then {
                Then::Nothing => false,
                Then::Else => self.word(at) == b"else",
                Then::While => self.word(at) == b"while",
            };
            if follows {
                self.push(Around::Tail { depth });
                let behind = self.at > 0 && self.is(self.at - 1, Sym::RBrace) && at == self.at;
                self.joined = behind
                    && match self.page.style.braces {
                        Braces::Keep => self.pieces()[at].newlines == 0,
                        Braces::NextLine => then == Then::While,
                        Braces::SameLine => true,
                    };
                return;
            }
        }
    }

    /// Lays out the body after a head that ends with `last`.
    fn body(&mut self, mut line: Line, last: usize, then: Then) {
        self.push(Around::Body { depth: line.depth, then });
        let next = last + 1;
        let Some(piece) = self.piece(next).filter(|piece| !piece.raw && piece.is_token()) else {
            return self.end(&mut line, last, false);
        };
        if piece.is(Sym::Semi) {
            return self.end(&mut line, next, true);
        }
        if piece.is(Sym::LBrace) && self.role(next) == Role::BlockOpen {
            return match self.block(&mut line, next) {
                Block::Open => self.enter(&mut line, next, false),
                Block::Flat(close) => self.end(&mut line, close + usize::from(self.is(close + 1, Sym::Semi)), true),
            };
        }
        // A short, simple body stays on the line of its head.
        if piece.newlines == 0
            && let Some(end) = self.simple(next)
        {
            let laid = self.laid(&line, last);
            if laid.one_line && laid.column + 1 + self.page.flat_width(next..=end) <= self.page.style.columns {
                line.flat.push((next, end));
                return self.end(&mut line, end, true);
            }
        }
        self.end(&mut line, last, false);
    }

    /// Returns the end of a statement without blocks that is on one line of the text.
    fn simple(&self, from: usize) -> Option<usize> {
        let mut at = from;
        // A statement with more pieces than a line has columns is not simple.
        while self.lines.get(at) == self.lines.get(from) && at - from <= self.page.style.columns as usize {
            let piece = self.piece(at)?;
            if piece.raw {
                return None;
            }
            match piece.kind {
                PieceKind::Sym(Sym::Semi) => return Some(at),
                PieceKind::Sym(Sym::LParen | Sym::LBracket) => {
                    at = self.page.partner[at].filter(|close| *close > at)?
                }
                PieceKind::Sym(Sym::LBrace) if self.role(at) == Role::ListOpen => {
                    at = self.page.partner[at].filter(|close| *close > at)?;
                }
                PieceKind::Sym(Sym::LBrace | Sym::RBrace)
                | PieceKind::Directive(_)
                | PieceKind::LineComment
                | PieceKind::Open => {
                    return None;
                }
                PieceKind::Word if matches!(self.word(at), b"else" | b"do" | b"case" | b"default") => return None,
                _ => {}
            }
            at += 1;
        }
        None
    }
}

/// Properties of a statement that have been seen so far.
#[derive(Default)]
struct StatementTokens {
    /// An assignment or another token that cannot precede the parameters of a declaration.
    assigned: bool,
    declares: bool,
    names: u32,
    /// The number of parentheses.
    calls: u32,
}
