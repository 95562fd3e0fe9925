//! The role of each token that white space depends on. For example, `<` may open a template list, `-` may be unary, `[`
//! may start an attribute and `{` a block. The role follows from the tokens around it, since declarations cannot be
//! looked up.

use crate::pieces::{Piece, PieceKind, Text};
use std::collections::HashSet;
use wgc_frontend::is_builtin_type;
use wgc_frontend::token::Sym;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Role {
    #[default]
    Plain,
    TemplateOpen,
    TemplateClose,
    /// An operator before its only operand, or after it, such as `++`.
    Prefix,
    Postfix,
    Binary,
    /// A continuation of an operator that consists of several tokens, such as the second `>` of `>>`.
    Joined,
    /// `?` and `:` of a conditional expression.
    Choice,
    /// `:` after `case ..` and `default`.
    Label,
    AttributeOpen,
    AttributeClose,
    CastClose,
    /// `)` of `if (..)`, `for (..)` and similar statements.
    ControlClose,
    /// A symbol after `operator`.
    OperatorName,
    BlockOpen,
    BlockClose,
    /// `{` of an initialiser or of an enumeration.
    ListOpen,
    ListClose,
}

/// The maximum number of tokens that are searched for the end of a template list.
const MAX_OF_TEMPLATE: usize = 256;

/// The sequence of relevant pieces, without comments and directives.
struct Roles<'t> {
    text: &'t Text<'t>,
    partner: &'t [Option<usize>],
    /// The indexes of the tokens.
    tokens: Vec<usize>,
    /// Names that the file declares as templates.
    templates: HashSet<&'t [u8]>,
    /// The end of the last template parameters, as an index of `tokens`.
    parameters: Option<usize>,
    roles: Vec<Role>,
}

/// Returns the role of each piece.
pub fn roles(text: &Text, partner: &[Option<usize>]) -> Vec<Role> {
    let pieces = &text.pieces;
    let tokens: Vec<usize> = (0..pieces.len()).filter(|i| pieces[*i].is_token() && !pieces[*i].raw).collect();
    let mut all = Roles {
        text,
        partner,
        tokens,
        templates: HashSet::new(),
        parameters: None,
        roles: vec![Role::Plain; pieces.len()],
    };
    all.find_templates();
    all.assign();
    all.roles
}

/// The state of one statement at its bracket level.
#[derive(Clone, Copy, Default)]
struct Statement {
    /// `struct` and similar keywords: the braces contain declarations. `enum`: names.
    declares: bool,
    names: bool,
    assigned: bool,
    /// A `case` or `default` before its colon.
    label: bool,
    choices: u32,
}

impl Roles<'_> {
    fn piece(&self, at: usize) -> Option<&Piece> {
        self.tokens.get(at).map(|index| &self.text.pieces[*index])
    }

    fn word(&self, at: usize) -> &[u8] {
        match self.piece(at) {
            Some(piece) if piece.kind == PieceKind::Word => self.text.of(self.tokens[at]),
            _ => b"",
        }
    }

    fn is(&self, at: usize, sym: Sym) -> bool {
        self.piece(at).is_some_and(|piece| piece.is(sym))
    }

    fn role(&self, at: usize) -> Role {
        self.tokens.get(at).map_or(Role::Plain, |index| self.roles[*index])
    }

    /// Returns whether a token touches the previous one.
    fn touches(&self, at: usize) -> bool {
        let lo = self.piece(at).map(|piece| piece.lo);
        at.checked_sub(1).and_then(|before| self.piece(before)).map(|before| before.hi) == lo
    }

    fn find_templates(&mut self) {
        for at in 0..self.tokens.len() {
            if self.word(at) != b"template" || !self.is(at + 1, Sym::Lt) {
                continue;
            }
            // The name precedes the first `(`, `{`, `;` or `=` after the parameters.
            let Some(mut next) = self.template_end(at + 1, true, true) else { continue };
            let mut name = None;
            for _ in 0..MAX_OF_TEMPLATE {
                match self.piece(next).map(|piece| piece.kind) {
                    Some(PieceKind::Word) => name = Some(next),
                    Some(PieceKind::Sym(Sym::Lt)) => match self.template_end(next, true, true) {
                        Some(end) => {
                            next = end;
                            continue;
                        }
                        None => break,
                    },
                    Some(PieceKind::Sym(Sym::LParen | Sym::LBrace | Sym::Semi | Sym::Eq | Sym::Colon)) | None => break,
                    _ => {}
                }
                next += 1;
            }
            if let Some(name) = name {
                let index = self.tokens[name];
                self.templates.insert(self.text.of(index));
            }
        }
    }

    /// Returns the index after the `>` of a template list. The list must look like types and constants. A `known` one
    /// may contain expressions, a `declared` one parameters.
    fn template_end(&self, open: usize, known: bool, declared: bool) -> Option<usize> {
        let mut depth = 0_u32;
        let mut at = open;
        while at < open + MAX_OF_TEMPLATE {
            match self.piece(at)?.kind {
                PieceKind::Sym(Sym::Lt) => depth += 1,
                PieceKind::Sym(Sym::Gt) => {
                    depth -= 1;
                    if depth == 0 {
                        return Some(at + 1);
                    }
                }
                PieceKind::Word | PieceKind::Number => {}
                PieceKind::Sym(
                    Sym::Comma
                    | Sym::ColonColon
                    | Sym::Plus
                    | Sym::Minus
                    | Sym::Star
                    | Sym::Slash
                    | Sym::Percent
                    | Sym::Dot,
                ) => {}
                PieceKind::Sym(Sym::LParen | Sym::LBracket) => {
                    let close = self.partner[self.tokens[at]].filter(|close| *close > self.tokens[at])?;
                    at = self.tokens.binary_search(&close).ok()?;
                }
                PieceKind::Sym(Sym::Semi | Sym::LBrace | Sym::RBrace | Sym::RParen | Sym::RBracket) => return None,
                PieceKind::Sym(Sym::Colon) if declared => {}
                PieceKind::Sym(_) if known => {}
                _ => return None,
            }
            at += 1;
        }
        None
    }

    /// Returns the end of the template list if `<` opens one.
    fn opens_template(&self, open: usize, in_brackets: bool) -> Option<usize> {
        let before = open.checked_sub(1)?;
        let name = self.word(before);
        if matches!(name, b"template" | b"__generic") {
            return self.template_end(open, true, true);
        }
        if name.is_empty() || is_keyword(name) {
            return None;
        }
        let declared = self.templates.contains(name);
        // `func f<T : I>`
        let follows = before.checked_sub(1).map_or(&b""[..], |first| self.word(first));
        let end = self.template_end(open, declared, !follows.is_empty() && !is_keyword(follows))?;
        let mut inside = open + 1..end - 1;
        if inside.is_empty() {
            return declared.then_some(end);
        }
        let first = self.word(open + 1);
        let commas = inside.any(|at| self.is(at, Sym::Comma));
        let known =
            declared || is_builtin_type(&String::from_utf8_lossy(first)) || matches!(name, b"vector" | b"matrix");
        let mixed = name.first().is_some_and(u8::is_ascii_uppercase) && name.iter().any(u8::is_ascii_lowercase);
        match self.piece(end).map(|piece| piece.kind) {
            Some(PieceKind::Word) => (known || !commas || !in_brackets || mixed).then_some(end),
            Some(PieceKind::Sym(Sym::LParen)) => (known || !commas || !in_brackets || mixed).then_some(end),
            None => Some(end),
            Some(PieceKind::Sym(
                Sym::Comma
                | Sym::RParen
                | Sym::Semi
                | Sym::Gt
                | Sym::LBrace
                | Sym::LBracket
                | Sym::ColonColon
                | Sym::Dot
                | Sym::Colon
                | Sym::RBrace
                | Sym::Star
                | Sym::Amp,
            )) => Some(end),
            Some(PieceKind::Sym(Sym::Eq)) if !self.touches(end) => Some(end),
            Some(PieceKind::Text) => None,
            _ => known.then_some(end),
        }
    }

    fn assign(&mut self) {
        let mut statement = Statement::default();
        let mut around: Vec<(Sym, Statement)> = Vec::new();
        // The ends of open template lists.
        let mut closers: Vec<usize> = Vec::new();
        let mut at = 0;
        while at < self.tokens.len() {
            let index = self.tokens[at];
            let PieceKind::Sym(sym) = self.text.pieces[index].kind else {
                match self.word(at) {
                    b"struct" | b"class" | b"interface" | b"union" | b"namespace" | b"extension" => {
                        statement.declares = true
                    }
                    b"enum" => statement.names = true,
                    b"case" | b"default" => statement.label = true,
                    _ => {}
                }
                at += 1;
                continue;
            };
            let operand = self.after_operand(at);
            let in_brackets = matches!(around.last(), Some((Sym::LParen | Sym::LBracket, _)));
            let role = match sym {
                _ if self.names_operator(at) => Role::OperatorName,
                Sym::Gt if closers.last() == Some(&at) => {
                    closers.pop();
                    Role::TemplateClose
                }
                Sym::Lt => match self.opens_template(at, in_brackets) {
                    Some(end) => {
                        closers.push(end - 1);
                        if at > 0 && matches!(self.word(at - 1), b"template" | b"__generic") {
                            self.parameters = Some(end - 1);
                        }
                        Role::TemplateOpen
                    }
                    None => Role::Binary,
                },
                Sym::Gt | Sym::Eq if self.touches(at) && self.continues_operator(at) => Role::Joined,
                Sym::PlusPlus | Sym::MinusMinus => {
                    if operand {
                        Role::Postfix
                    } else {
                        Role::Prefix
                    }
                }
                Sym::Bang | Sym::Tilde => Role::Prefix,
                Sym::Plus | Sym::Minus | Sym::Star | Sym::Amp if !operand => Role::Prefix,
                // `uint* p`
                Sym::Star | Sym::Amp if self.follows_type(at) => Role::Postfix,
                Sym::Question => {
                    statement.choices += 1;
                    Role::Choice
                }
                Sym::Colon if statement.choices > 0 => {
                    statement.choices -= 1;
                    Role::Choice
                }
                Sym::Colon if statement.label => {
                    statement = Statement::default();
                    Role::Label
                }
                Sym::LBracket if self.opens_attribute(at, &around) => Role::AttributeOpen,
                Sym::LBrace => self.brace(at, statement, around.last().map(|open| open.0)),
                Sym::RBracket | Sym::RParen | Sym::RBrace => self.closing(index, sym),
                Sym::Eq => {
                    // In a template list it is a default.
                    statement.assigned |= closers.is_empty();
                    Role::Binary
                }
                Sym::LParen | Sym::LBracket | Sym::Semi | Sym::Comma | Sym::Dot | Sym::ColonColon | Sym::Colon => {
                    Role::Plain
                }
                _ => Role::Binary,
            };
            self.roles[index] = role;
            match sym {
                Sym::LParen | Sym::LBracket | Sym::LBrace if self.partner[index].is_some() || sym == Sym::LBrace => {
                    around.push((sym, statement));
                    statement = Statement::default();
                }
                Sym::RParen | Sym::RBracket | Sym::RBrace => {
                    let opener = self.partner[index].map(|open| self.text.pieces[open].kind);
                    while opener.is_some()
                        && let Some((open, before)) = around.pop()
                    {
                        if opener == Some(PieceKind::Sym(open)) {
                            statement = before;
                            break;
                        }
                    }
                    if self.roles[index] == Role::BlockClose && !statement.declares {
                        statement = Statement::default();
                    }
                }
                Sym::Semi => statement = Statement::default(),
                _ => {}
            }
            at += 1;
        }
    }

    /// Returns whether the symbol belongs to `operator+`, `operator()`, `operator[]` or `operator<<`.
    fn names_operator(&self, at: usize) -> bool {
        let Some(before) = at.checked_sub(1) else { return false };
        if self.word(before) == b"operator" {
            return true;
        }
        let closes = self.is(at, Sym::RParen) && self.is(before, Sym::LParen)
            || self.is(at, Sym::RBracket) && self.is(before, Sym::LBracket)
            || matches!(self.piece(at).map(|p| p.kind), Some(PieceKind::Sym(Sym::Gt | Sym::Eq))) && self.touches(at);
        closes && self.role(before) == Role::OperatorName
    }

    /// Returns whether `>` or `=` continues an operator: it touches a `>` or `-`.
    fn continues_operator(&self, at: usize) -> bool {
        let Some(before) = at.checked_sub(1) else { return false };
        let arrow = self.is(at, Sym::Gt) && self.is(before, Sym::Minus);
        arrow || self.is(before, Sym::Gt) && self.role(before) != Role::TemplateClose
    }

    /// Returns whether a value precedes a token, which makes an operator there binary.
    fn after_operand(&self, at: usize) -> bool {
        let Some(before) = at.checked_sub(1) else { return false };
        match self.piece(before).map(|piece| piece.kind) {
            Some(PieceKind::Word) => !matches!(
                self.word(before),
                b"return" | b"case" | b"else" | b"do" | b"in" | b"out" | b"inout" | b"const"
            ),
            Some(PieceKind::Number | PieceKind::Text | PieceKind::Open | PieceKind::Other) => true,
            Some(PieceKind::Sym(Sym::RParen)) => !matches!(self.role(before), Role::CastClose | Role::ControlClose),
            Some(PieceKind::Sym(Sym::RBracket)) => self.role(before) != Role::AttributeClose,
            Some(PieceKind::Sym(Sym::RBrace)) => self.role(before) == Role::ListClose,
            Some(PieceKind::Sym(Sym::Gt)) => self.role(before) == Role::TemplateClose,
            Some(PieceKind::Sym(Sym::PlusPlus | Sym::MinusMinus | Sym::Star | Sym::Amp)) => {
                self.role(before) == Role::Postfix
            }
            _ => false,
        }
    }

    /// Returns whether a type precedes: `uint*` and `const T&` in Slang.
    fn follows_type(&self, at: usize) -> bool {
        let name = at.checked_sub(1).map_or(&b""[..], |before| self.word(before));
        is_builtin_type(&String::from_utf8_lossy(name))
    }

    fn opens_attribute(&self, at: usize, around: &[(Sym, Statement)]) -> bool {
        let Some(before) = at.checked_sub(1) else { return true };
        let Some(piece) = self.piece(before) else { return true };
        match piece.kind {
            PieceKind::Sym(Sym::Semi | Sym::LBrace | Sym::RBrace | Sym::LParen | Sym::Comma) => true,
            // `[[vk::binding(0)]]`
            PieceKind::Sym(Sym::LBracket) => self.role(before) == Role::AttributeOpen,
            PieceKind::Sym(Sym::RBracket) => self.role(before) == Role::AttributeClose,
            PieceKind::Sym(Sym::Colon) => self.role(before) == Role::Label,
            PieceKind::Sym(Sym::Gt) => self.parameters == Some(before),
            PieceKind::Sym(Sym::RParen) => {
                let in_block = around.last().is_none_or(|open| open.0 == Sym::LBrace);
                self.role(before) == Role::ControlClose || in_block && self.begins_line(at)
            }
            PieceKind::Word => {
                let in_block = around.last().is_none_or(|open| open.0 == Sym::LBrace);
                matches!(self.word(before), b"else" | b"do" | b"struct" | b"class" | b"enum")
                    || in_block && self.begins_line(at)
            }
            _ => false,
        }
    }

    fn begins_line(&self, at: usize) -> bool {
        self.tokens.get(at).is_some_and(|index| {
            let behind_directive = index.checked_sub(1).is_some_and(|i| !self.text.pieces[i].is_token());
            self.text.pieces[*index].newlines > 0 || behind_directive
        })
    }

    fn brace(&self, at: usize, statement: Statement, around: Option<Sym>) -> Role {
        if matches!(around, Some(Sym::LParen | Sym::LBracket)) {
            return Role::ListOpen;
        }
        let before = at.checked_sub(1);
        let in_list = before.is_some_and(|before| match self.piece(before).map(|piece| piece.kind) {
            Some(PieceKind::Sym(Sym::Comma)) => true,
            Some(PieceKind::Sym(Sym::LBrace)) => self.role(before) == Role::ListOpen,
            Some(PieceKind::Sym(_)) => matches!(self.role(before), Role::Binary | Role::Choice | Role::Prefix),
            Some(PieceKind::Word) => self.word(before) == b"return",
            _ => false,
        });
        let names = statement.names && !statement.assigned;
        if in_list || names || statement.assigned && !statement.declares { Role::ListOpen } else { Role::BlockOpen }
    }

    fn closing(&self, index: usize, sym: Sym) -> Role {
        let Some(open) = self.partner[index] else {
            return if sym == Sym::RBrace { Role::BlockClose } else { Role::Plain };
        };
        match (sym, self.roles[open]) {
            (Sym::RBracket, Role::AttributeOpen) => Role::AttributeClose,
            (Sym::RBrace, Role::ListOpen) => Role::ListClose,
            (Sym::RBrace, _) => Role::BlockClose,
            (Sym::RParen, _) => self.parenthesis(open, index),
            _ => Role::Plain,
        }
    }

    fn parenthesis(&self, open: usize, close: usize) -> Role {
        let (Ok(open), Ok(close)) = (self.tokens.binary_search(&open), self.tokens.binary_search(&close)) else {
            return Role::Plain;
        };
        let before = open.checked_sub(1);
        let word = before.map_or(&b""[..], |before| self.word(before));
        if matches!(word, b"if" | b"for" | b"while" | b"switch") {
            return Role::ControlClose;
        }
        let operand_wanted = before.is_none_or(|_| !self.after_operand(open)) || word == b"return";
        let inside = open + 1..close;
        let type_like = |at: usize| match self.piece(at).map(|piece| piece.kind) {
            Some(PieceKind::Word | PieceKind::Number) => true,
            Some(PieceKind::Sym(Sym::ColonColon | Sym::LBracket | Sym::RBracket)) => true,
            Some(PieceKind::Sym(Sym::Lt)) => self.role(at) == Role::TemplateOpen,
            Some(PieceKind::Sym(Sym::Gt)) => self.role(at) == Role::TemplateClose,
            Some(PieceKind::Sym(Sym::Comma)) => true,
            _ => false,
        };
        if !operand_wanted || self.word(open + 1).is_empty() || inside.len() > MAX_OF_TEMPLATE {
            return Role::Plain;
        }
        if !inside.clone().all(type_like) {
            return Role::Plain;
        }
        let built_in = inside.clone().any(|at| is_builtin_type(&String::from_utf8_lossy(self.word(at))));
        let casts = match self.piece(close + 1).map(|piece| piece.kind) {
            Some(PieceKind::Word | PieceKind::Number | PieceKind::Sym(Sym::Bang | Sym::Tilde | Sym::LParen)) => true,
            Some(PieceKind::Sym(Sym::Plus | Sym::Minus)) => built_in,
            _ => false,
        };
        if casts { Role::CastClose } else { Role::Plain }
    }
}

pub fn is_keyword(word: &[u8]) -> bool {
    matches!(
        word,
        b"if"
            | b"else"
            | b"for"
            | b"while"
            | b"do"
            | b"switch"
            | b"case"
            | b"default"
            | b"break"
            | b"continue"
            | b"return"
            | b"discard"
            | b"struct"
            | b"class"
            | b"enum"
            | b"sizeof"
            | b"in"
            | b"out"
            | b"inout"
            | b"const"
            | b"static"
            | b"using"
    )
}
