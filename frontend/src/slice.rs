//! Cuts a unit into items, and function bodies out of items, using only brackets.
//!
//! Each item's head and each body is parsed separately. So an error stays within its item, and an edit inside one body
//! affects nothing else. It builds no tree. It only knows enough of the language to distinguish a function's body from
//! the braces of a type or of an initialiser.

mod ends;
mod namespaces;

use compact_str::CompactString;

use crate::brackets::Brackets;
use crate::diagnostic::{Error, ErrorCode};
use crate::effects;
use crate::preprocess::Unit;
use crate::token::{Sym, Token, TokenKind};
use namespaces::Scope;

/// A declaration of the unit, with its function bodies cut out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ItemSlice {
    /// Names of the enclosing namespaces, outermost first; "" for an unnamed one.
    pub scope: Vec<CompactString>,
    /// The declared name, guessed from the tokens; "" if none was found.
    pub name: CompactString,
    /// Its tokens, with every function body as one `TokenKind::Body` token.
    pub head: Vec<Token>,
    /// Unit token index of each head token; for a body, that of its `{`.
    pub head_origins: Vec<u32>,
    /// In the order of the `TokenKind::Body` tokens: `ast::Body::Sliced(n)` is `bodies[n]`.
    pub bodies: Vec<BodySlice>,
}

/// The contents of a function body's braces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BodySlice {
    /// The function's or method's name.
    pub name: CompactString,
    pub tokens: Vec<Token>,
    pub origins: Vec<u32>,
    /// Unit token indexes of `{` and of `}` (of the last token if the `}` is missing).
    pub braces: (u32, u32),
}

/// Cuts a unit into items. Returns errors for unmatched braces.
pub fn slice(unit: &Unit) -> (Vec<ItemSlice>, Vec<Error>) {
    let brackets = Brackets::new(unit.tokens.iter().map(bracket));
    let unbalanced = (0..unit.tokens.len()).any(|index| {
        matches!(bracket(&unit.tokens[index]), Some(Sym::LBrace | Sym::RBrace)) && brackets.partner(index).is_none()
    });
    let mut slicer = Slicer {
        unit,
        tokens: &unit.tokens,
        brackets,
        resume: Vec::new(),
        scopes: Vec::new(),
        items: Vec::new(),
        errors: Vec::new(),
    };
    if unbalanced {
        slicer.resume =
            (0..unit.tokens.len()).filter(|&index| unit.margin[index] && slicer.starts_item(index)).collect();
    }
    slicer.run();
    (slicer.items, slicer.errors)
}

pub(crate) fn bracket(token: &Token) -> Option<Sym> {
    match token.kind {
        TokenKind::Sym(sym) => Some(sym),
        TokenKind::CastOpen => Some(Sym::LParen),
        _ => None,
    }
}

struct Slicer<'u> {
    unit: &'u Unit,
    tokens: &'u [Token],
    brackets: Brackets,
    /// Tokens in column 0 that certainly start an item. They are only collected if some brace is unmatched, since
    /// braces may then be paired wrongly.
    resume: Vec<usize>,
    scopes: Vec<Scope>,
    items: Vec<ItemSlice>,
    errors: Vec<Error>,
}

/// The state of the current declaration, at one level of records.
#[derive(Default)]
struct Declaration {
    /// The keyword `struct`, `class`, `interface`, `enum`, `cbuffer`, `tbuffer` or `namespace`, before its braces.
    tag: Option<Sym>,
    parameters: bool,
    initialiser: bool,
    last_name: CompactString,
    /// Set at the first token that ends the declared name.
    name: Option<CompactString>,
    /// Index of its first token.
    start: usize,
}

impl Declaration {
    fn at(start: usize) -> Self {
        Declaration { start, ..Declaration::default() }
    }

    fn settle_name(&mut self) {
        if self.name.is_none() && !self.last_name.is_empty() {
            self.name = Some(self.last_name.clone());
        }
    }

    fn name(&self) -> CompactString {
        self.name.clone().unwrap_or_else(|| self.last_name.clone())
    }
}

/// An item being cut.
struct Cut {
    head: Vec<Token>,
    origins: Vec<u32>,
    bodies: Vec<BodySlice>,
}

impl<'u> Slicer<'u> {
    fn sym(&self, index: usize) -> Option<Sym> {
        match self.tokens.get(index)?.kind {
            TokenKind::Sym(sym) => Some(sym),
            _ => None,
        }
    }

    fn run(&mut self) {
        let mut index = 0;
        while index < self.tokens.len() {
            index = match self.sym(index) {
                Some(Sym::Semi) => index + 1,
                Some(Sym::RBrace) => {
                    if !self.close_namespace() {
                        let at = self.unit.origins[index];
                        self.errors.push(Error::new(ErrorCode::UnmatchedBrace, "unmatched `}`", at));
                    }
                    index + 1
                }
                _ => match (self.namespace(index), effects::technique(self.tokens, index)) {
                    (Some(inside), _) => inside,
                    (None, Some(open)) => {
                        let message = format!("`{}` is ignored: wgc has no effect framework", self.tokens[index].text);
                        self.skip_effect(open, message)
                    }
                    (None, None) => self.item(index),
                },
            };
        }
        for Scope { names, brace, .. } in std::mem::take(&mut self.scopes) {
            let name = names.last().filter(|name| !name.is_empty());
            let what = name.map_or("this namespace".to_owned(), |name| format!("the namespace `{name}`"));
            self.unclosed(brace, self.tokens.len(), &what);
        }
    }

    /// Cuts the item at `start`. Returns the index after it.
    fn item(&mut self, start: usize) -> usize {
        let mut cut = Cut { head: Vec::new(), origins: Vec::new(), bodies: Vec::new() };
        // The enclosing declarations of the current one, with the `}` of their records.
        let mut outer: Vec<(Declaration, usize)> = Vec::new();
        let mut now = Declaration::at(start);
        // A token that cannot start another item.
        let mut glued = start;
        let mut index = start;
        while index < self.tokens.len() {
            if let Some((_, close)) = outer.last()
                && index >= *close
                && let Some((declaration, close)) = outer.pop()
            {
                now = declaration;
                let buffer = matches!(now.tag, Some(Sym::CBuffer | Sym::TBuffer | Sym::Namespace));
                now.tag = None;
                if self.sym(close) == Some(Sym::RBrace) && self.brackets.partner(close).is_some() {
                    self.copy(&mut cut, close..close + 1);
                    index = close + 1;
                } else {
                    // The missing `}` is already reported, so the parser gets one.
                    close_with(&mut cut, &[Sym::RBrace]);
                    if outer.is_empty() && !buffer {
                        close_with(&mut cut, &[Sym::Semi]);
                        break;
                    }
                    index = close;
                }
                if buffer {
                    if outer.is_empty() {
                        break;
                    }
                    now = Declaration::at(index);
                }
                continue;
            }
            let member = !outer.is_empty();
            if !member && index > now.start && index != glued && self.begins_next_item(start, index) {
                break;
            }
            let token = &self.tokens[index];
            match token.kind {
                TokenKind::Sym(Sym::Semi) => {
                    self.copy(&mut cut, index..index + 1);
                    index += 1;
                    if !member {
                        now.settle_name();
                        break;
                    }
                    now = Declaration::at(index);
                    continue;
                }
                // It closes a namespace, or nothing.
                TokenKind::Sym(Sym::RBrace) if !member => break,
                TokenKind::Sym(Sym::LBrace) => {
                    match now.tag {
                        None if self.opens_state(&now, index) => {
                            index = self.skip_state(&mut cut, index, &now);
                            if !matches!(self.sym(index), Some(Sym::Semi | Sym::Comma)) {
                                close_with(&mut cut, &[Sym::Semi]);
                                if !member {
                                    break;
                                }
                                now = Declaration::at(index);
                            }
                        }
                        Some(Sym::Enum) | None if now.initialiser || now.tag.is_some() => {
                            let what = if now.tag.is_some() { "this enum" } else { "this initialiser" };
                            let (end, closed) = self.end_of_braces(index, what);
                            self.copy(&mut cut, index..end);
                            if !closed {
                                let open = self.open_braces(index..end);
                                close_with(&mut cut, &vec![Sym::RBrace; open]);
                                close_with(&mut cut, &[Sym::Semi]);
                            }
                            now.tag = None;
                            index = end;
                            if !closed && !member {
                                break;
                            }
                        }
                        Some(_) => {
                            now.settle_name();
                            let what = format!("`{}`", now.name());
                            let (end, closed) = self.end_of_braces(index, &what);
                            let close = if closed { end - 1 } else { end };
                            self.copy(&mut cut, index..index + 1);
                            index += 1;
                            outer.push((now, close));
                            now = Declaration::at(index);
                        }
                        None => {
                            index = self.body(&mut cut, index, &now);
                            if !member {
                                break;
                            }
                            now = Declaration::at(index);
                        }
                    }
                    continue;
                }
                TokenKind::Sym(Sym::LBracket) => {
                    now.settle_name();
                    let end = match self.brackets.partner(index) {
                        Some(close) => close + 1,
                        // An attribute without its `]` ends with its line, and the next line still belongs to the item.
                        None => {
                            let end = self.end_of_line(index + 1);
                            glued = end;
                            end
                        }
                    };
                    self.copy(&mut cut, index..end);
                    index = end;
                    continue;
                }
                TokenKind::Sym(Sym::LParen) | TokenKind::CastOpen => {
                    if !now.initialiser {
                        now.settle_name();
                        now.parameters = true;
                    }
                    let end = self.end_of_parentheses(index);
                    self.copy(&mut cut, index..end);
                    index = end;
                    continue;
                }
                TokenKind::TemplateOpen => {
                    let end = self.end_of_angles(index);
                    self.copy(&mut cut, index..end);
                    index = end;
                    continue;
                }
                TokenKind::Sym(Sym::Operator) => {
                    let what = self.tokens.get(index + 1).map_or("", |next| next.spelling());
                    let what = match what {
                        "(" => "()",
                        "[" => "[]",
                        other => other,
                    };
                    now.name = Some(compact_str::format_compact!("operator{what}"));
                    let end = match self.sym(index + 1) {
                        Some(Sym::LParen | Sym::LBracket) => index + 3,
                        _ => index + 2,
                    };
                    let end = end.min(self.tokens.len());
                    self.copy(&mut cut, index..end);
                    index = end;
                    continue;
                }
                TokenKind::Sym(
                    sym @ (Sym::Struct
                    | Sym::Class
                    | Sym::Interface
                    | Sym::Enum
                    | Sym::CBuffer
                    | Sym::TBuffer
                    | Sym::Namespace),
                ) if !now.parameters && !now.initialiser && now.tag.is_none() => now.tag = Some(sym),
                TokenKind::Sym(Sym::Lt) if !now.initialiser && !now.parameters => {
                    if let Some(end) = effects::annotations_end(self.tokens, index) {
                        now.settle_name();
                        let message = format!("the annotations of `{}` are ignored", now.name());
                        self.errors.push(Error::new(ErrorCode::EffectSyntax, message, self.unit.origins[index]));
                        index = end;
                        continue;
                    }
                }
                TokenKind::Sym(Sym::Eq) => {
                    now.settle_name();
                    now.initialiser = true;
                }
                TokenKind::Sym(Sym::Colon | Sym::Comma) => now.settle_name(),
                TokenKind::Ident => now.last_name = token.text.clone(),
                _ => {}
            }
            self.copy(&mut cut, index..index + 1);
            index += 1;
        }
        if let Some((item, _)) = outer.into_iter().next() {
            // The text ended inside a record.
            close_with(&mut cut, &[Sym::RBrace, Sym::Semi]);
            now = item;
        }
        let name = now.name();
        // Always makes progress.
        if index == start {
            self.copy(&mut cut, start..start + 1);
            index += 1;
        }
        self.push_item(name, cut);
        index
    }

    /// Adds an item in the open namespaces.
    fn push_item(&mut self, name: CompactString, cut: Cut) {
        let scope = namespaces::names(&self.scopes);
        self.use_inline_namespaces();
        self.items.push(ItemSlice { scope, name, head: cut.head, head_origins: cut.origins, bodies: cut.bodies });
    }

    /// Returns whether the `{` at `open` starts the effect-framework state of a variable.
    fn opens_state(&self, declaration: &Declaration, open: usize) -> bool {
        let before = self.tokens.get(declaration.start..open).unwrap_or_default();
        if declaration.initialiser { effects::ends_in_state_word(before) } else { effects::has_state(before) }
    }

    /// Skips a state block, with the `= sampler_state` before it. Returns the index after it.
    fn skip_state(&mut self, cut: &mut Cut, open: usize, declaration: &Declaration) -> usize {
        if declaration.initialiser {
            cut.head.truncate(cut.head.len().saturating_sub(2));
            cut.origins.truncate(cut.origins.len().saturating_sub(2));
        }
        let message = format!("the state of `{}` is ignored: wgc has no effect framework", declaration.name());
        self.skip_effect(open, message)
    }

    /// Skips the contents of the braces at `open`. Returns the index after them.
    fn skip_effect(&mut self, open: usize, message: String) -> usize {
        self.errors.push(Error::new(ErrorCode::EffectSyntax, message, self.unit.origins[open]));
        self.end_of_braces(open, "this block").0
    }

    fn copy(&self, cut: &mut Cut, range: std::ops::Range<usize>) {
        cut.head.extend_from_slice(self.tokens.get(range.clone()).unwrap_or_default());
        cut.origins.extend(range.map(|index| index as u32));
    }

    /// Cuts out the function body whose `{` is at `open`. Returns the index after it.
    fn body(&mut self, cut: &mut Cut, open: usize, declaration: &Declaration) -> usize {
        let name = declaration.name();
        let what = if name.is_empty() { "this body".to_owned() } else { format!("the body of `{name}`") };
        let (end, closed) = self.end_of_braces(open, &what);
        let inner = open + 1..if closed { end - 1 } else { end };
        let mut tokens = self.tokens.get(inner.clone()).unwrap_or_default().to_vec();
        let mut origins: Vec<u32> = inner.clone().map(|index| index as u32).collect();
        if !closed {
            let missing = self.open_braces(inner);
            let mut rest = Cut { head: tokens, origins, bodies: Vec::new() };
            close_with(&mut rest, &vec![Sym::RBrace; missing]);
            (tokens, origins) = (rest.head, rest.origins);
        }
        cut.head.push(Token {
            kind: TokenKind::Body,
            line_start: self.tokens[open].line_start,
            text: CompactString::default(),
        });
        cut.origins.push(open as u32);
        cut.bodies.push(BodySlice { name, tokens, origins, braces: (open as u32, end as u32 - 1) });
        end
    }
}

fn symbol(sym: Sym) -> Token {
    Token { kind: TokenKind::Sym(sym), line_start: false, text: CompactString::default() }
}

/// Adds tokens that are missing in the text, with the origin of the last existing one.
fn close_with(cut: &mut Cut, syms: &[Sym]) {
    let origin = cut.origins.last().copied().unwrap_or(0);
    for &sym in syms {
        cut.head.push(symbol(sym));
        cut.origins.push(origin);
    }
}
