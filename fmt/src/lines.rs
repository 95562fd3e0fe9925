//! Which statements there are, and how deep they stand: a walk over the pieces that knows blocks, statements under
//! `if` and `for`, and labels, and takes everything else for a row of tokens up to a `;`.
//!
//! It never fails: what a half-typed text lacks ends with the block around it.

use crate::pieces::{Directive, Kind, Piece, Text};
use crate::roles::Role;
use crate::style::{Braces, Style};
use crate::wrap::{Before, Indent, Item, Laid, Page, Start};
use wgc_frontend::token::Sym;

/// What statements stand in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Around {
    /// Braces: how deep what is inside stands, and the brace that closes.
    Block { inside: u32, labels: u32, close: u32, declares: bool },
    /// What an `if`, `else`, `for`, `while`, `switch` or `do` of this depth commands, and what may follow it.
    Body { depth: u32, then: Then },
    /// `else` or `while` follows, which belongs to what stood in this depth.
    Tail { depth: u32 },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Then {
    Nothing,
    Else,
    While,
}

/// A link of what is around the present place. Branches of conditionals share the links in front of their `#if`.
#[derive(Clone, Copy)]
struct Link {
    around: Around,
    under: usize,
}

/// Pieces of a head that are looked through for a word.
const MOST_OF_HEAD: usize = 64;

/// Pieces of a label.
const MOST_OF_LABEL: usize = 1000;

const FILE: Link = Link { around: Around::Block { inside: 0, labels: 0, close: 0, declares: false }, under: 0 };

struct Walk<'t> {
    page: Page<'t>,
    before: Vec<Before>,
    links: Vec<Link>,
    top: usize,
    conditionals: Vec<usize>,
    /// Line breaks in front of each piece and within all before it, summed up: equal numbers are one line.
    lines: Vec<u32>,
    /// From each piece on, the next token; and the next piece that is no comment.
    tokens: Vec<usize>,
    codes: Vec<usize>,
    at: usize,
    /// Behind what was laid out last.
    column: u32,
    /// What comes next stands behind the last piece.
    joined: bool,
    /// A label stands in front of what comes next, this deep.
    labelled: Option<u32>,
}

/// For each piece what stands in front of it.
pub fn lines(text: &Text, roles: &[Role], partner: &[Option<usize>], style: &Style) -> Vec<Before> {
    let mut lines = Vec::with_capacity(text.pieces.len());
    let mut line = 0;
    for piece in &text.pieces {
        line += piece.newlines;
        lines.push(line);
        // What has lines of its own is never in one with others.
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
            Some(piece) if piece.kind == Kind::Word => self.page.text.of(index),
            _ => b"",
        }
    }

    fn is(&self, index: usize, sym: Sym) -> bool {
        self.piece(index).is_some_and(|piece| piece.is(sym))
    }

    /// The next token, comments and directives left out.
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

    /// Of a statement that begins here.
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
                Kind::Directive(directive) => {
                    self.before[self.at] = Before::Line(Indent::default());
                    self.directive(directive);
                    self.joined = false;
                    self.at += 1;
                }
                Kind::LineComment | Kind::BlockComment if !self.begins_statement(self.at) => self.comment(),
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

    /// Whether the line goes on behind a comment that begins it.
    fn begins_statement(&self, index: usize) -> bool {
        let (Some(piece), Some(next)) = (self.piece(index), self.piece(index + 1)) else { return false };
        piece.kind == Kind::BlockComment
            && next.newlines == 0
            && !next.raw
            && next.kind != Kind::LineComment
            && !matches!(next.kind, Kind::Directive(_))
    }

    /// A comment between statements: behind what its line has, or on a line of its own as deep as what follows.
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
        if self.pieces()[self.at].kind == Kind::LineComment || !behind {
            self.joined = false;
        }
        self.at += 1;
    }

    /// The next token in front of the next directive.
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

    // ---- statements

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
        let mut line = Line::new(from, labelled.unwrap_or(self.depth()), std::mem::take(&mut self.joined));
        if let Around::Tail { .. } = self.around() {
            self.pop();
            match self.word(first) {
                b"else" => return self.other(line, first),
                b"while" => return self.scan(&mut line, first, true),
                // A branch of a conditional began in between.
                _ => line.depth = self.depth(),
            }
        }
        self.scan(&mut line, from, false);
    }

    /// `else`, and `if` behind it.
    fn other(&mut self, mut line: Line, word: usize) {
        line.heads = Some(line.from);
        if self.word(word + 1) == b"if" {
            return self.scan(&mut line, word + 1, false);
        }
        self.body(line, word, Then::Nothing);
    }

    /// A row of tokens up to the end of the statement, `from` being the first that counts. `tail`: a `while` that ends a `do`.
    fn scan(&mut self, line: &mut Line, from: usize, tail: bool) {
        let mut at = from;
        // Nothing but attributes and parameters of templates so far.
        let mut heads = true;
        let mut seen = Seen::default();
        while let Some(piece) = self.piece(at) {
            if let Kind::Directive(directive) = piece.kind {
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
                Kind::Sym(Sym::Semi) => return self.end(line, at, true),
                Kind::Sym(Sym::RBrace) if self.role(at) != Role::ListClose => {
                    // The block around ends without a `;`.
                    return self.end(line, at - 1, true);
                }
                Kind::Sym(Sym::LBrace) if self.role(at) == Role::BlockOpen => match self.block(line, at) {
                    Block::Open => return self.enter(line, at, seen.declares),
                    Block::Flat(close) if self.goes_on(close, seen.declares) => at = close,
                    Block::Flat(close) => return self.end(line, close, true),
                },
                Kind::Sym(Sym::LParen | Sym::LBracket | Sym::LBrace) => {
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
                    // Those of functions that have no body are a part of their line.
                    if heads && !self.is(at + 1, Sym::LBracket) {
                        line.attributes = Some(close);
                    }
                    for inside in at..close {
                        if let Kind::Directive(directive) = self.pieces()[inside].kind {
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
                Kind::Sym(Sym::ColonColon) => seen.names = seen.names.saturating_sub(1),
                Kind::Sym(Sym::Lt) if self.role(at) == Role::TemplateOpen => at = self.template_close(at),
                Kind::Sym(_) => seen.assigned = true,
                // What is in front lacks its end.
                Kind::Word if at > line.from && line.heads != Some(at) && piece.newlines > 0 && self.begins(at) => {
                    return self.end(line, at - 1, true);
                }
                Kind::Word => match self.word(at) {
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

    /// A word that only statements begin with.
    fn begins(&self, at: usize) -> bool {
        matches!(
            self.word(at),
            b"if" | b"for" | b"while" | b"switch" | b"do" | b"return" | b"break" | b"continue" | b"discard" | b"case"
        )
    }

    /// The end of a template list, or its beginning if it has none.
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

    /// Behind `NAME(..)`, once or several times, without a `;`: a line that begins with a word. The names are macros that
    /// are statements.
    fn begins_another(&self, next: usize) -> bool {
        let Some(token) = self.next_token(next) else { return false };
        let begins = self.lines[token] != self.lines[next - 1];
        begins && (self.pieces()[token].kind == Kind::Word || self.role(token) == Role::AttributeOpen)
    }

    /// `NAME` alone on its line, in capitals.
    fn is_macro_line(&self, at: usize) -> bool {
        let name = self.word(at);
        let capital = |byte: &u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || *byte == b'_';
        name.len() > 2 && name.iter().all(capital) && self.begins_another(at + 1)
    }

    /// Lays a statement out, up to its last piece. `done`: it is complete.
    fn end(&mut self, line: &mut Line, last: usize, done: bool) {
        self.lay(line, last);
        self.at = last + 1;
        if done {
            self.complete();
        }
    }

    /// A statement is complete, and with it perhaps what commands it.
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

    /// What a head that ends with `last` commands.
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
        // On one line with its head, if it is short and simple.
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

    /// The end of a statement that has no blocks and stands on one line of the text.
    fn simple(&self, from: usize) -> Option<usize> {
        let mut at = from;
        // What has more pieces than a line has columns is none.
        while self.lines.get(at) == self.lines.get(from) && at - from <= self.page.style.columns as usize {
            let piece = self.piece(at)?;
            if piece.raw {
                return None;
            }
            match piece.kind {
                Kind::Sym(Sym::Semi) => return Some(at),
                Kind::Sym(Sym::LParen | Sym::LBracket) => at = self.page.partner[at].filter(|close| *close > at)?,
                Kind::Sym(Sym::LBrace) if self.role(at) == Role::ListOpen => {
                    at = self.page.partner[at].filter(|close| *close > at)?;
                }
                Kind::Sym(Sym::LBrace | Sym::RBrace) | Kind::Directive(_) | Kind::LineComment | Kind::Open => {
                    return None;
                }
                Kind::Word if matches!(self.word(at), b"else" | b"do" | b"case" | b"default") => return None,
                _ => {}
            }
            at += 1;
        }
        None
    }

    /// `case ..:` or `default:`, with the statements that its line has. `false`: it is none.
    fn label(&mut self, from: usize, first: usize) -> bool {
        let Some(colon) = self.colon(first) else { return false };
        let mut line = Line::new(from, self.label_depth(first), false);
        self.joined = false;
        let mut last = colon;
        let mut next = colon + 1;
        while self.lines.get(next) == self.lines.get(colon) && next - colon <= self.page.style.columns as usize {
            let end = match self.word(next) {
                b"case" | b"default" => self.colon(next),
                _ if self.role(next) == Role::BlockOpen => self.page.partner[next],
                _ => self.simple(next),
            };
            let Some(end) = end.filter(|end| self.lines[*end] == self.lines[colon]) else { break };
            (last, next) = (end, end + 1);
        }
        let alone = self.lines.get(next) != self.lines.get(colon)
            || self.piece(next).is_some_and(|piece| piece.is(Sym::RBrace) || piece.kind == Kind::LineComment);
        if last > colon && alone {
            let laid = self.laid(&line, colon);
            if laid.one_line && laid.column + 1 + self.page.flat_width(colon + 1..=last) <= self.page.style.columns {
                line.flat.push((colon + 1, last));
                self.lay(&mut line, last);
                self.at = last + 1;
                return true;
            }
        }
        self.lay(&mut line, colon);
        self.at = colon + 1;
        if let Some(piece) = self.piece(self.at).filter(|piece| piece.is(Sym::LBrace)) {
            self.labelled = Some(line.depth);
            self.joined = match self.page.style.braces {
                Braces::Keep => piece.newlines == 0,
                Braces::NextLine => false,
                Braces::SameLine => true,
            };
        }
        true
    }

    /// The colon of the label that begins here.
    fn colon(&self, first: usize) -> Option<usize> {
        for at in first + 1..self.pieces().len().min(first + MOST_OF_LABEL) {
            match self.pieces()[at].kind {
                _ if self.role(at) == Role::Label => return Some(at),
                Kind::Sym(Sym::Semi | Sym::LBrace | Sym::RBrace) => return None,
                _ => {}
            }
        }
        None
    }

    // ---- blocks

    /// Decides where a brace stands that opens a block, and whether the block is one line with what is around it.
    fn block(&mut self, line: &mut Line, at: usize) -> Block {
        let begins = at > line.from;
        let style = self.page.style;
        let close = self.page.partner[at].filter(|close| self.lines[*close] == self.lines[at]);
        if let Some(close) = close.filter(|_| at - line.from < MOST_OF_LABEL) {
            let newline = begins && style.braces == Braces::Keep && self.pieces()[at].newlines > 0;
            let before = if newline || !begins && !line.joined {
                line.depth * style.indent
            } else if begins {
                self.laid(line, at - 1).column + 1
            } else {
                self.column + 1
            };
            let behind = u32::from(self.is(close + 1, Sym::Semi));
            let fits = before + self.page.flat_width(at..=close) + behind <= style.columns;
            if fits && !self.pieces()[at..=close].iter().any(|piece| piece.raw || piece.ends_line()) {
                if newline {
                    line.begins.push(at);
                }
                line.flat.push((at, close));
                return Block::Flat(close);
            }
        }
        let newline = match style.braces {
            Braces::Keep => self.pieces()[at].newlines > 0,
            Braces::NextLine => true,
            Braces::SameLine => false,
        };
        if begins && newline {
            line.begins.push(at);
        }
        line.flat.push((at, at));
        Block::Open
    }

    /// Lays out what ends with a brace, and goes inside.
    fn enter(&mut self, line: &mut Line, brace: usize, declares: bool) {
        self.end(line, brace, false);
        let depth = line.depth;
        let head = |word: &[u8]| (line.from..brace).take(MOST_OF_HEAD).any(|at| self.word(at) == word);
        let deeper = self.piece(brace + 1).filter(|piece| piece.newlines > 0).map(|first| {
            let from = self.pieces()[line.from].column;
            first.column > from
        });
        let (inside, labels) = if head(b"switch") {
            let labels = depth + u32::from(self.page.style.indent_cases.or(deeper).unwrap_or(false));
            (labels + 1, labels)
        } else if head(b"namespace") && !head(b"using") {
            (depth + u32::from(deeper.unwrap_or(true)), depth)
        } else {
            (depth + 1, depth)
        };
        self.push(Around::Block { inside, labels, close: depth, declares });
    }

    /// Whether a statement goes on behind a block.
    fn goes_on(&self, close: usize, declares: bool) -> bool {
        self.piece(close + 1).is_some_and(|next| {
            let names = declares && next.newlines == 0 && next.is_token() && !next.is(Sym::RBrace);
            !next.raw && (next.is(Sym::Semi) || names)
        })
    }

    /// A brace that closes.
    fn close(&mut self, at: usize) {
        while !matches!(self.around(), Around::Block { .. }) {
            self.pop();
        }
        let Around::Block { close, declares, .. } = self.around() else { return };
        self.joined = false;
        self.labelled = None;
        let mut line = Line::new(at, close, false);
        if self.top == 0 {
            return self.end(&mut line, at, true);
        }
        self.pop();
        if self.goes_on(at, declares) {
            line.heads = Some(at);
            return self.scan(&mut line, at + 1, false);
        }
        self.end(&mut line, at, true);
        self.leaves_label(close);
    }

    /// `} break;` behind the block of a label.
    fn leaves_label(&mut self, close: u32) {
        let labelled =
            matches!(self.around(), Around::Block { labels, inside, .. } if labels == close && inside > close);
        let word = matches!(self.word(self.at), b"break" | b"return" | b"continue");
        if labelled && word && self.pieces()[self.at].newlines == 0 && self.simple(self.at).is_some() {
            self.joined = true;
        }
    }

    /// Where the brace of a list stands that belongs to a declaration, as that of an `enum`.
    fn place_list(&self, line: &mut Line, at: usize, assigned: bool) {
        if assigned || at == line.from {
            return;
        }
        let hangs = self.pieces().get(at + 1).is_some_and(|next| next.newlines > 0);
        match self.page.style.braces {
            Braces::Keep => {}
            Braces::NextLine if hangs => line.begins.push(at),
            Braces::NextLine | Braces::SameLine => line.flat.push((at, at)),
        }
    }

    // ---- laying out

    fn start(&self, line: &Line) -> Start {
        if line.joined { Start::Behind(self.column) } else { Start::Line }
    }

    fn items(&self, line: &Line, last: usize) -> Vec<Item> {
        let mut flat = line.flat.iter().copied().peekable();
        let item = |piece: usize| {
            while flat.next_if(|range| range.1 < piece).is_some() {}
            let flat = flat.peek().is_some_and(|range| (range.0..=range.1).contains(&piece));
            Item { piece, begins: line.begins.binary_search(&piece).is_ok(), flat }
        };
        (line.from..=last).map(item).collect()
    }

    fn laid(&self, line: &Line, last: usize) -> Laid {
        let heads = line.heads.map_or(0, |heads| heads - line.from);
        self.page.lay(&self.items(line, last), Indent::steps(line.depth), self.start(line), heads)
    }

    fn lay(&mut self, line: &mut Line, last: usize) {
        self.separate(line, last);
        let mut laid = self.laid(line, last);
        if self.spread(line, last, &laid) {
            laid = self.laid(line, last);
        }
        for (piece, before) in (line.from..=last).zip(laid.before) {
            if !self.pieces()[piece].raw {
                self.before[piece] = before;
            }
        }
        self.column = laid.column;
    }

    /// Attributes of functions have lines of their own, those of others and parameters of templates where the text has them
    /// so; and a list that begins on a line of its own ends so.
    fn separate(&self, line: &mut Line, last: usize) {
        let lists = line
            .lists
            .iter()
            .filter(|(open, close)| *close <= last && *close > open + 1 && self.pieces()[open + 1].newlines > 0);
        let mut begins: Vec<usize> = lists.map(|(_, close)| *close).collect();
        let behind = line.attributes.map(|close| close + 1).filter(|at| *at <= last && line.declared.is_some());
        begins.extend(behind.filter(|at| !self.pieces()[*at].is_comment()));
        let heads = line.heads.map_or(line.from..line.from, |heads| line.from + 1..(heads + 1).min(last + 1));
        begins.extend(heads.filter(|at| self.pieces()[*at].newlines > 0 && self.role(at - 1) == Role::TemplateClose));
        line.begin(begins);
    }

    /// Parameters that lines had to be broken for have a line each; a list has its braces on other lines than what it holds.
    fn spread(&self, line: &mut Line, last: usize, laid: &Laid) -> bool {
        if laid.one_line && !laid.wide.contains(&true) {
            return false;
        }
        let items = self.items(line, last);
        let broken = |open: usize, close: usize| {
            (open + 1..=close.min(last)).any(|piece| {
                let k = piece - line.from;
                laid.wide[k] || matches!(laid.before[k], Before::Line(_)) && !self.page.kept(&items, k)
            })
        };
        let mut begins = Vec::new();
        if let Some((open, close)) = line.declared.filter(|(open, close)| *close <= last && broken(*open, *close)) {
            begins.push(open + 1);
            let mut at = open + 1;
            while at < close {
                match self.pieces()[at].kind {
                    Kind::Sym(Sym::LParen | Sym::LBracket | Sym::LBrace) => {
                        at = self.page.partner[at].filter(|close| *close > at).unwrap_or(at);
                    }
                    Kind::Sym(Sym::Lt) if self.role(at) == Role::TemplateOpen => at = self.template_close(at),
                    Kind::Sym(Sym::Comma) => {
                        // A comment behind the comma stays there.
                        let behind = self.pieces()[at + 1].is_comment() && self.pieces()[at + 1].newlines == 0;
                        let behind = behind && self.pieces()[at + 2].newlines > 0;
                        begins.push(at + 1 + usize::from(behind));
                    }
                    _ => {}
                }
                at += 1;
            }
        }
        for (open, close) in line.lists.iter().filter(|(open, close)| *close <= last && broken(*open, *close)) {
            begins.extend([open + 1, *close]);
        }
        let some = !begins.is_empty();
        line.begin(begins);
        some
    }
}

/// What becomes of a block.
enum Block {
    /// It is a part of the line, up to the brace that closes.
    Flat(usize),
    Open,
}

/// What a statement has shown so far.
#[derive(Default)]
struct Seen {
    /// Something that no declaration has in front of its parameters.
    assigned: bool,
    declares: bool,
    names: u32,
    /// Parentheses.
    calls: u32,
}

/// A statement, or the head of a block, that is being read.
#[derive(Default)]
struct Line {
    /// Its first piece.
    from: usize,
    depth: u32,
    /// It stands behind the last piece.
    joined: bool,
    /// The first piece behind attributes.
    heads: Option<usize>,
    /// The end of the last attribute.
    attributes: Option<usize>,
    /// The brackets around parameters.
    declared: Option<(usize, usize)>,
    /// The braces of initialisers.
    lists: Vec<(usize, usize)>,
    /// Pieces that stay in one line, ascending.
    flat: Vec<(usize, usize)>,
    /// Pieces that begin lines, ascending.
    begins: Vec<usize>,
}

impl Line {
    fn new(from: usize, depth: u32, joined: bool) -> Line {
        Line { from, depth, joined, ..Line::default() }
    }

    fn begin(&mut self, pieces: Vec<usize>) {
        self.begins.extend(pieces);
        self.begins.sort_unstable();
        self.begins.dedup();
    }
}
