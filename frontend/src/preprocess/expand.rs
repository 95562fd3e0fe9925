//! Macro expansion: C11 6.10.3 by Prosser's algorithm. Tokens carry their hide sets. The rest of the file is part of
//! the stream, so a call may start in an expansion and end after it.
//!
//! The work is bounded. There is fuel for the tokens and for the bytes that expansions produce in one unit. The depth
//! of nested expansions and of calls in arguments is limited, and so is the length of a token that `#` or `##`
//! produces.

use std::rc::Rc;

use compact_str::{CompactString, ToCompactString, format_compact};

use super::driver::Preprocessor;
use super::macros::{Definition, Macro, Piece};
use super::{Expansion, pragma};
use crate::diagnostic::{Error, ErrorCode, ExpansionId, Location, SpelledRange};
use crate::hide_sets::HideSet;
use crate::lex::{PpToken, Raw, single};
use crate::token::Sym;

/// The maximum number of tokens that the expansions of one unit produce.
pub(super) const FUEL: u32 = 1 << 19;
/// The maximum number of bytes in the tokens that the expansions of one unit produce.
pub(super) const FUEL_BYTES: usize = 64 << 20;
/// The maximum length of a token that `#` or `##` produces, in bytes.
const MADE_TOKEN: usize = 64 << 10;
/// The maximum number of nested macro expansions around a token.
const DEPTH: usize = 256;
/// The maximum nesting of calls within arguments of calls.
const NESTED_ARGUMENTS: u32 = 128;

/// An argument as written, and expanded for use outside of `#` and `##`.
struct Argument {
    tokens: Vec<PpToken>,
    expanded: Option<Vec<PpToken>>,
}

impl Argument {
    /// Returns the range from its first token to its last one as spelled, if both have the same origin.
    fn place(&self) -> Option<SpelledRange> {
        let (first, last) = (self.tokens.first()?.at, self.tokens.last()?.at);
        let joined = first.place.file == last.place.file && first.expansion == last.expansion;
        (joined && first.place.lo <= last.place.hi).then(|| join(first, last).place)
    }
}

impl Preprocessor<'_> {
    /// Returns the next token with all macros expanded, or `None` at the end of the input.
    pub(super) fn next_expanded(&mut self) -> Option<PpToken> {
        loop {
            let token = self.pull()?;
            if token.raw != Raw::Ident {
                return Some(token);
            }
            // In an argument or a directive it stays unchanged, because the result of an argument is read again.
            if token.text == pragma::OPERATOR && self.isolated == 0 {
                self.pragma_operator(&token);
                continue;
            }
            if let Some(token) = self.expand(token) {
                return Some(token);
            }
        }
    }

    /// Expands `tokens` alone, as if nothing followed.
    pub(super) fn expand_all(&mut self, mut tokens: Vec<PpToken>) -> Vec<PpToken> {
        tokens.reverse();
        let outer = std::mem::replace(&mut self.pending, tokens);
        self.isolated += 1;
        let mut out = Vec::new();
        while let Some(token) = self.next_expanded() {
            out.push(token);
        }
        self.isolated -= 1;
        self.pending = outer;
        out
    }

    /// Returns the name if it needs no expansion. Otherwise its expansion is now pending.
    fn expand(&mut self, name: PpToken) -> Option<PpToken> {
        if self.in_condition
            && let Some(answer) = self.condition_word(&name)
        {
            self.pending.push(answer);
            return None;
        }
        let definition = match self.macros.get(&name.text) {
            Some(Definition::Macro(definition)) => definition.clone(),
            Some(Definition::Line) => return Some(self.builtin(name, Raw::Int, |this, at| this.presumed_line(at))),
            Some(Definition::File) => return Some(self.builtin(name, Raw::Str, |this, at| this.presumed_file(at))),
            Some(Definition::Counter) => return Some(self.builtin(name, Raw::Int, |this, _| this.count())),
            Some(Definition::HasInclude) | None => return Some(name),
        };
        if self.fuel == 0 || self.hide.contains(name.hide, definition.symbol) {
            return Some(name);
        }
        if self.hide.len(name.hide) >= DEPTH {
            self.limit(&name, format!("macro expansions nest more than {DEPTH} levels deep"));
            return Some(name);
        }
        let Some(params) = &definition.params else {
            let hide = self.hide.with(name.hide, definition.symbol);
            self.replace(&definition, &name, name.at, &mut [], hide);
            return None;
        };
        match self.pull() {
            Some(open) if open.is(Sym::LParen) => {
                // A wrong call leaves a name without text. The parser treats it as a missing one and reports no second
                // error.
                let wrong = |at| PpToken { text: CompactString::default(), at, ..name.clone() };
                let Some((mut arguments, close)) = self.arguments(&name, params.len(), definition.variadic) else {
                    return Some(wrong(name.at));
                };
                let use_site = join(name.at, close.at);
                if !self.check_count(&definition, params.len(), &mut arguments, use_site) {
                    return Some(wrong(use_site));
                }
                let both = self.hide.intersection(name.hide, close.hide);
                let hide = self.hide.with(both, definition.symbol);
                self.replace(&definition, &name, use_site, &mut arguments, hide);
                None
            }
            Some(other) => {
                self.pending.push(other);
                Some(name)
            }
            None => Some(name),
        }
    }

    /// Reads the arguments of a call, after its `(`. Returns `None` if the `)` is missing; the error is reported and
    /// the tokens are consumed.
    fn arguments(&mut self, name: &PpToken, params: usize, variadic: bool) -> Option<(Vec<Argument>, PpToken)> {
        let mut arguments = vec![Argument { tokens: Vec::new(), expanded: None }];
        let mut depth = 0u32;
        loop {
            let Some(token) = self.pull() else {
                let message = format!("missing `)` in the call of the macro `{}`", name.text);
                self.error(Error::new(ErrorCode::UnterminatedMacroCall, message, name.at));
                return None;
            };
            match token.raw {
                Raw::Punct(Sym::LParen) => depth += 1,
                Raw::Punct(Sym::RParen) if depth == 0 => return Some((arguments, token)),
                Raw::Punct(Sym::RParen) => depth -= 1,
                Raw::Punct(Sym::Comma) if depth == 0 && !(variadic && arguments.len() >= params) => {
                    arguments.push(Argument { tokens: Vec::new(), expanded: None });
                    continue;
                }
                _ => {}
            }
            if let Some(argument) = arguments.last_mut() {
                argument.tokens.push(token);
            }
        }
    }

    fn check_count(
        &mut self,
        definition: &Macro,
        params: usize,
        arguments: &mut Vec<Argument>,
        use_site: Location,
    ) -> bool {
        if params == 0 && arguments.len() == 1 && arguments[0].tokens.is_empty() {
            arguments.clear();
        }
        if definition.variadic && arguments.len() + 1 == params {
            arguments.push(Argument { tokens: Vec::new(), expanded: None });
        }
        if arguments.len() == params {
            return true;
        }
        let least = if definition.variadic { params - 1 } else { params };
        let at_least = if definition.variadic { "at least " } else { "" };
        let plural = if least == 1 { "" } else { "s" };
        let message = format!(
            "the macro `{}` expects {at_least}{least} argument{plural}, {} given",
            definition.name,
            arguments.len()
        );
        let mut error = Error::new(ErrorCode::MacroArguments, message, use_site);
        if let Some(place) = definition.definition {
            error = error.note("defined here", Location { place, expansion: None });
        }
        self.error(error);
        false
    }

    /// Makes the replacement list pending, with its arguments inserted.
    fn replace(
        &mut self,
        definition: &Rc<Macro>,
        name: &PpToken,
        use_site: Location,
        arguments: &mut [Argument],
        hide: HideSet,
    ) {
        let id = ExpansionId(self.out.expansions.len() as u32);
        self.out.expansions.push(Expansion {
            name: definition.name.clone(),
            use_site,
            definition: definition.definition,
            text: definition.text,
            arguments: arguments.iter().filter_map(|argument| argument.place()).collect(),
        });
        let mut tokens = self.substitute(definition, name, arguments, use_site, id);
        if self.fuel == 0 {
            return;
        }
        if tokens.len() as u32 + 1 >= self.fuel {
            self.fuel = 0;
            self.limit(name, format!("macros of this program expand to more than {FUEL} tokens"));
            return;
        }
        let bytes = bytes_of(&tokens);
        if bytes > self.fuel_bytes {
            self.limit(name, format!("macros of this program expand to more than {FUEL_BYTES} bytes"));
            return;
        }
        self.fuel -= tokens.len() as u32 + 1;
        self.fuel_bytes -= bytes;
        for token in &mut tokens {
            token.hide = self.hide.union(token.hide, hide);
            token.line_start = false;
            token.margin = false;
        }
        if let Some(first) = tokens.first_mut() {
            first.line_start = name.line_start;
            first.space = name.space;
            first.margin = name.margin;
        }
        tokens.reverse();
        self.pending.append(&mut tokens);
    }

    fn substitute(
        &mut self,
        definition: &Rc<Macro>,
        name: &PpToken,
        arguments: &mut [Argument],
        use_site: Location,
        id: ExpansionId,
    ) -> Vec<PpToken> {
        // Tokens of predefined macros have no text, so their location is the use.
        let place_of = |token: &PpToken| match definition.definition {
            Some(_) => Location { place: token.at.place, expansion: Some(id) },
            None => Location { place: use_site.place, expansion: Some(id) },
        };
        // An argument's token belongs to this expansion if it was written in the call itself.
        let enter = |token: &PpToken| match token.at.expansion == use_site.expansion {
            true => PpToken { at: Location { expansion: Some(id), ..token.at }, ..token.clone() },
            false => token.clone(),
        };
        let mut out: Vec<PpToken> = Vec::new();
        // The right side of a `##`: the next piece is glued to the last token, if the left side was not empty.
        let mut paste = false;
        let mut left_empty = false;
        let mut bytes = 0;
        let body = &definition.body;
        for (index, piece) in body.iter().enumerate() {
            let pastes_next = matches!(body.get(index + 1), Some(Piece::Paste));
            let mut part: Vec<PpToken> = match piece {
                Piece::Paste => {
                    paste = true;
                    continue;
                }
                Piece::Token(token) => vec![PpToken { at: place_of(token), ..token.clone() }],
                Piece::Stringize(number, token) => {
                    let text = arguments.get(*number).map_or("\"\"".into(), |argument| stringize(&argument.tokens));
                    if text.len() > MADE_TOKEN {
                        self.limit(name, format!("`#` creates a token of more than {MADE_TOKEN} bytes"));
                        return Vec::new();
                    }
                    vec![PpToken { raw: Raw::Str, text, at: place_of(token), ..token.clone() }]
                }
                Piece::Param(number, token) => {
                    let raw = paste || pastes_next;
                    let mut part: Vec<PpToken> = match arguments.get_mut(*number) {
                        Some(argument) if raw => argument.tokens.iter().map(enter).collect(),
                        Some(argument) => {
                            let calls = self.out.expansions.len();
                            let part = self.expanded(argument).iter().map(enter).collect();
                            // Calls in an argument are part of this call.
                            for call in self.out.expansions.iter_mut().skip(calls) {
                                if call.use_site.expansion == use_site.expansion {
                                    call.use_site.expansion = Some(id);
                                }
                            }
                            part
                        }
                        None => Vec::new(),
                    };
                    if let Some(first) = part.first_mut() {
                        first.space = token.space;
                    }
                    // GNU: empty arguments remove the comma in `, ## __VA_ARGS__`, which is never pasted.
                    let variadic = definition.variadic && *number + 1 == arguments.len();
                    if paste && variadic && out.last().is_some_and(|last| last.is(Sym::Comma)) {
                        if part.is_empty() {
                            out.pop();
                        }
                        paste = false;
                    }
                    part
                }
            };
            let empty = part.is_empty();
            if paste && !left_empty && !empty {
                let right = part.remove(0);
                match out.pop() {
                    Some(left) if left.text.len() + right.text.len() > MADE_TOKEN => {
                        self.limit(name, format!("`##` creates a token of more than {MADE_TOKEN} bytes"));
                        return Vec::new();
                    }
                    Some(left) => self.paste(left, right, use_site, &mut out),
                    None => out.push(right),
                }
            }
            // If one side of `##` is empty, the other one stays alone.
            left_empty = if paste { left_empty && empty } else { empty };
            paste = false;
            bytes += bytes_of(&part);
            out.append(&mut part);
            // The caller adds them up and reports the excess.
            if out.len() as u32 > self.fuel || bytes > self.fuel_bytes {
                break;
            }
        }
        out
    }

    fn expanded<'a>(&mut self, argument: &'a mut Argument) -> &'a [PpToken] {
        if argument.expanded.is_none() {
            let worth = argument.tokens.iter().any(|token| token.raw == Raw::Ident);
            argument.expanded = Some(if !worth {
                argument.tokens.clone()
            } else if self.isolated < NESTED_ARGUMENTS {
                self.expand_all(argument.tokens.clone())
            } else {
                let first = argument.tokens[0].clone();
                self.limit(&first, format!("macro calls nest more than {NESTED_ARGUMENTS} levels deep in arguments"));
                argument.tokens.clone()
            });
        }
        argument.expanded.as_deref().unwrap_or_default()
    }

    fn paste(&mut self, left: PpToken, right: PpToken, use_site: Location, out: &mut Vec<PpToken>) {
        let text = format_compact!("{}{}", left.text, right.text);
        match single(&text) {
            Some(raw) => {
                let hide = self.hide.intersection(left.hide, right.hide);
                out.push(PpToken { raw, text, hide, ..left });
            }
            None => {
                let message = format!("pasting `{}` and `{}` does not give a token", left.text, right.text);
                self.error(Error::new(ErrorCode::BadPaste, message, use_site));
                out.push(left);
                out.push(right);
            }
        }
    }

    /// Reports a limit, once in a unit, and stops all expansion.
    fn limit(&mut self, name: &PpToken, message: String) {
        self.fuel = 0;
        if !self.out.errors.iter().any(|error| error.code == ErrorCode::ExpansionLimit) {
            self.error(Error::new(ErrorCode::ExpansionLimit, message, name.at));
        }
    }

    fn builtin(
        &mut self,
        name: PpToken,
        raw: Raw,
        text: impl FnOnce(&mut Self, SpelledRange) -> CompactString,
    ) -> PpToken {
        // `__LINE__` and `__FILE__` refer to the outermost use.
        let mut outer = name.at;
        while let Some(expansion) = outer.expansion.and_then(|id| self.out.expansions.get(id.0 as usize)) {
            outer = expansion.use_site;
        }
        let text = text(self, outer.place);
        PpToken { raw, text, ..name }
    }

    fn count(&mut self) -> CompactString {
        let count = self.counter;
        self.counter += 1;
        count.to_compact_string()
    }
}

fn bytes_of(tokens: &[PpToken]) -> usize {
    tokens.iter().map(|token| token.text.len()).sum()
}

fn join(first: Location, last: Location) -> Location {
    let (a, b) = (first.place, last.place);
    if a.file == b.file && first.expansion == last.expansion && a.lo <= b.hi {
        Location { place: SpelledRange { hi: b.hi, ..a }, ..first }
    } else {
        first
    }
}

/// Implements `#param` (C11 6.10.3.2): spellings with single spaces, with quotes and backslashes of literals escaped.
fn stringize(tokens: &[PpToken]) -> CompactString {
    let mut out = CompactString::const_new("\"");
    for (index, token) in tokens.iter().enumerate() {
        if index > 0 && (token.space || token.line_start) {
            out.push(' ');
        }
        for c in token.text.chars() {
            if matches!(c, '"' | '\\') && matches!(token.raw, Raw::Str | Raw::Char | Raw::OpenLiteral) {
                out.push('\\');
            }
            out.push(c);
        }
    }
    out.push('"');
    out
}
