//! `#if`: the constant expression of C11 6.10.1 over expanded tokens, in 64-bit integers. `expand` handles macros. The
//! words `defined` and `__has_include` are evaluated here, during expansion.

use std::num::IntErrorKind;

use compact_str::CompactString;

use super::driver::Preprocessor;
use crate::diagnostic::{Error, ErrorCode, Location};
use crate::lex::{PpToken, Raw};
use crate::token::Sym;

/// The maximum nesting of parentheses and prefix operators.
const DEPTH: u32 = 128;

impl Preprocessor<'_> {
    /// Returns the value of a condition, or false after an error.
    pub(super) fn condition(&mut self, line: Vec<PpToken>, directive: Location) -> bool {
        if line.is_empty() {
            self.error(Error::new(ErrorCode::MalformedCondition, "expected a condition", directive.end()));
            return false;
        }
        self.in_condition = true;
        let errors = self.out.errors.len();
        let tokens = self.expand_all(line);
        self.in_condition = false;
        if self.out.errors.len() > errors {
            return false;
        }
        let end = tokens.last().map_or(directive, |token| token.at).end();
        let mut evaluator = Evaluator { tokens: &tokens, next: 0, end, depth: 0 };
        let value = evaluator.condition(true).and_then(|value| match tokens.get(evaluator.next) {
            Some(extra) => Err((format!("unexpected `{}` in the condition", extra.text), extra.at)),
            None => Ok(value),
        });
        match value {
            Ok(value) => value.bits != 0,
            Err((message, at)) => {
                self.error(Error::new(ErrorCode::MalformedCondition, message, at));
                false
            }
        }
    }

    /// Returns the value of `defined X`, `defined(X)` or `__has_include(..)` as an integer token.
    pub(super) fn condition_word(&mut self, word: &PpToken) -> Option<PpToken> {
        let yes = match word.text.as_str() {
            "defined" => {
                let mut token = self.pull();
                let bracketed = token.as_ref().is_some_and(|token| token.is(Sym::LParen));
                if bracketed {
                    token = self.pull();
                }
                let Some(name) = token.filter(|token| token.raw == Raw::Ident) else {
                    self.malformed("expected the name of a macro after `defined`", word.at);
                    return Some(number(word, false));
                };
                if bracketed && !self.pull().is_some_and(|token| token.is(Sym::RParen)) {
                    self.malformed("expected `)` after the name of the macro", name.at.end());
                }
                self.macros.get(&name.text).is_some()
            }
            "__has_include" => {
                let open = self.pull().is_some_and(|token| token.is(Sym::LParen));
                let mut inside = Vec::new();
                let mut closed = false;
                while let Some(token) = self.pull() {
                    if token.is(Sym::RParen) {
                        closed = true;
                        break;
                    }
                    inside.push(token);
                }
                match header_name(&inside).or_else(|| header_name(&self.expand_all(inside))) {
                    Some((name, angled)) if open && closed => self.resolve(&name, angled).is_some(),
                    _ => {
                        self.malformed("expected `(\"file\")` or `(<file>)` after `__has_include`", word.at);
                        false
                    }
                }
            }
            _ => return None,
        };
        Some(number(word, yes))
    }

    fn malformed(&mut self, message: &str, at: Location) {
        self.error(Error::new(ErrorCode::MalformedCondition, message, at));
    }
}

fn number(word: &PpToken, yes: bool) -> PpToken {
    PpToken { raw: Raw::Int, text: CompactString::const_new(if yes { "1" } else { "0" }), ..word.clone() }
}

/// Returns the file name in `"name"` or `<name>`, and whether the brackets were angled.
pub(super) fn header_name(tokens: &[PpToken]) -> Option<(CompactString, bool)> {
    match tokens {
        [one] if one.raw == Raw::Str => {
            one.text.strip_prefix('"').and_then(|text| text.strip_suffix('"')).map(|text| (text.into(), false))
        }
        [first, inner @ .., last] if first.is(Sym::Lt) && last.is(Sym::Gt) && !inner.is_empty() => {
            let mut name = CompactString::default();
            for (index, token) in inner.iter().enumerate() {
                if index > 0 && token.space {
                    name.push(' ');
                }
                name.push_str(&token.text);
            }
            Some((name, true))
        }
        _ => None,
    }
}

/// A value of `intmax_t` or `uintmax_t`, both with 64 bits.
#[derive(Clone, Copy)]
struct Value {
    bits: i64,
    unsigned: bool,
}

impl Value {
    const fn truth(yes: bool) -> Value {
        Value { bits: yes as i64, unsigned: false }
    }
}

type Evaluated = Result<Value, (String, Location)>;

struct Evaluator<'t> {
    tokens: &'t [PpToken],
    next: usize,
    end: Location,
    depth: u32,
}

impl Evaluator<'_> {
    fn at(&self) -> Location {
        self.tokens.get(self.next).map_or(self.end, |token| token.at)
    }

    fn eat(&mut self, sym: Sym) -> bool {
        let found = self.tokens.get(self.next).is_some_and(|token| token.is(sym));
        self.next += found as usize;
        found
    }

    /// Evaluates a condition. If not `live`, its value is unused, and division by zero is not an error.
    fn condition(&mut self, live: bool) -> Evaluated {
        self.depth += 1;
        if self.depth > DEPTH {
            return Err((format!("the condition nests more than {DEPTH} levels deep"), self.at()));
        }
        let test = self.binary(0, live)?;
        let value = if self.eat(Sym::Question) {
            let yes = self.condition(live && test.bits != 0)?;
            if !self.eat(Sym::Colon) {
                return Err(("expected `:` in the condition".into(), self.at()));
            }
            let no = self.condition(live && test.bits == 0)?;
            let chosen = if test.bits != 0 { yes } else { no };
            Value { bits: chosen.bits, unsigned: yes.unsigned || no.unsigned }
        } else {
            test
        };
        self.depth -= 1;
        Ok(value)
    }

    /// Returns the operator at the cursor and the number of its tokens, since `>` comes in single pieces.
    fn operator(&self) -> Option<(Sym, usize)> {
        let token = self.tokens.get(self.next)?;
        let Raw::Punct(sym) = token.raw else { return None };
        let joined = |index: usize| {
            self.tokens.get(self.next + index).filter(|next| !next.space && !next.line_start).map(|next| next.raw)
        };
        Some(match sym {
            Sym::Gt if joined(1) == Some(Raw::Punct(Sym::Gt)) => (Sym::Shr, 2),
            Sym::Gt if joined(1) == Some(Raw::Punct(Sym::Eq)) => (Sym::GtEq, 2),
            sym => (sym, 1),
        })
    }

    fn binary(&mut self, least: u8, live: bool) -> Evaluated {
        let mut left = self.unary(live)?;
        while let Some((sym, tokens)) = self.operator() {
            let Some(level) = precedence(sym).filter(|level| *level > least) else { break };
            let at = self.at();
            self.next += tokens;
            let right_live = match sym {
                Sym::AmpAmp => live && left.bits != 0,
                Sym::PipePipe => live && left.bits == 0,
                _ => live,
            };
            let right = self.binary(level, right_live)?;
            left = match apply(sym, left, right) {
                Some(value) => value,
                None if live => return Err(("division by zero in the condition".into(), at)),
                None => Value::truth(false),
            };
        }
        Ok(left)
    }

    fn unary(&mut self, live: bool) -> Evaluated {
        let Some(token) = self.tokens.get(self.next) else {
            return Err(("expected a value in the condition".into(), self.end));
        };
        let at = token.at;
        self.next += 1;
        let value = match token.raw {
            Raw::Punct(sym @ (Sym::Bang | Sym::Tilde | Sym::Minus | Sym::Plus)) => {
                self.depth += 1;
                if self.depth > DEPTH {
                    return Err((format!("the condition nests more than {DEPTH} levels deep"), at));
                }
                let operand = self.unary(live)?;
                self.depth -= 1;
                match sym {
                    Sym::Bang => Value::truth(operand.bits == 0),
                    Sym::Tilde => Value { bits: !operand.bits, ..operand },
                    Sym::Minus => Value { bits: operand.bits.wrapping_neg(), ..operand },
                    _ => operand,
                }
            }
            Raw::Punct(Sym::LParen) => {
                let mut value = self.condition(live)?;
                while self.eat(Sym::Comma) {
                    value = self.condition(live)?;
                }
                if !self.eat(Sym::RParen) {
                    return Err(("expected `)` in the condition".into(), self.at()));
                }
                value
            }
            Raw::Int => match integer(&token.text) {
                Ok(value) => value,
                Err(why) => return Err((format!("`{}` {why}", token.text), at)),
            },
            Raw::Char => match character(&token.text) {
                Some(bits) => Value { bits, unsigned: false },
                None => return Err((format!("{} is not a valid character literal", token.text), at)),
            },
            Raw::Ident => {
                // A name that is not a macro counts as 0, even if it looks like a call of one.
                let call = self.tokens.get(self.next).is_some_and(|next| next.is(Sym::LParen));
                if call {
                    return Err((format!("`{}` is not a function-like macro", token.text), at));
                }
                Value::truth(token.text == "true")
            }
            Raw::Float => return Err(("floating-point literal in a condition".into(), at)),
            _ => return Err((format!("expected a value in the condition, found `{}`", token.text), at)),
        };
        Ok(value)
    }
}

fn precedence(sym: Sym) -> Option<u8> {
    Some(match sym {
        Sym::PipePipe => 1,
        Sym::AmpAmp => 2,
        Sym::Pipe => 3,
        Sym::Caret => 4,
        Sym::Amp => 5,
        Sym::EqEq | Sym::NotEq => 6,
        Sym::Lt | Sym::Gt | Sym::LtEq | Sym::GtEq => 7,
        Sym::Shl | Sym::Shr => 8,
        Sym::Plus | Sym::Minus => 9,
        Sym::Star | Sym::Slash | Sym::Percent => 10,
        _ => return None,
    })
}

/// Shifts a value. As in DXC, a count of 64 or more, such as a negative one, shifts by 63; but signed values shifted to
/// the left are 0 then.
fn shifted(sym: Sym, value: Value, count: u64) -> Value {
    let by = count.min(63) as u32;
    let bits = match (sym, value.unsigned) {
        (Sym::Shl, false) if count > 63 => 0,
        (Sym::Shl, _) => value.bits << by,
        (_, true) => (value.bits as u64 >> by) as i64,
        (_, false) => value.bits >> by,
    };
    Value { bits, ..value }
}

/// Applies an operator. Returns `None` for a division by zero.
fn apply(sym: Sym, a: Value, b: Value) -> Option<Value> {
    let unsigned = a.unsigned || b.unsigned;
    let (x, y) = (a.bits, b.bits);
    let (ux, uy) = (x as u64, y as u64);
    let less = if unsigned { ux < uy } else { x < y };
    let bits = match sym {
        Sym::PipePipe => return Some(Value::truth(x != 0 || y != 0)),
        Sym::AmpAmp => return Some(Value::truth(x != 0 && y != 0)),
        Sym::EqEq => return Some(Value::truth(x == y)),
        Sym::NotEq => return Some(Value::truth(x != y)),
        Sym::Lt => return Some(Value::truth(less)),
        Sym::GtEq => return Some(Value::truth(!less)),
        Sym::Gt => return Some(Value::truth(!less && x != y)),
        Sym::LtEq => return Some(Value::truth(less || x == y)),
        Sym::Shl | Sym::Shr => return Some(shifted(sym, a, uy)),
        Sym::Pipe => x | y,
        Sym::Caret => x ^ y,
        Sym::Amp => x & y,
        Sym::Plus => x.wrapping_add(y),
        Sym::Minus => x.wrapping_sub(y),
        Sym::Star => x.wrapping_mul(y),
        Sym::Slash if unsigned => ux.checked_div(uy)? as i64,
        Sym::Percent if unsigned => ux.checked_rem(uy)? as i64,
        Sym::Slash if y != 0 => x.wrapping_div(y),
        Sym::Percent if y != 0 => x.wrapping_rem(y),
        _ => return None,
    };
    Some(Value { bits, unsigned })
}

/// Parses an integer. The error is a phrase about the text.
fn integer(text: &str) -> Result<Value, &'static str> {
    let digits = text.trim_end_matches(['u', 'U', 'l', 'L']);
    let suffix = &text[digits.len()..];
    let bits = match digits.as_bytes() {
        [b'0', b'x' | b'X', ..] => u64::from_str_radix(&digits[2..], 16),
        [b'0', b'b' | b'B', ..] => u64::from_str_radix(&digits[2..], 2),
        // A leading 0 makes it octal, but accepting `08` in a date is better than rejecting it.
        [b'0', rest @ ..] if !rest.is_empty() && rest.iter().all(|digit| (b'0'..b'8').contains(digit)) => {
            u64::from_str_radix(digits, 8)
        }
        _ => digits.parse(),
    }
    .map_err(|e| match e.kind() {
        IntErrorKind::PosOverflow => "does not fit into 64 bits",
        _ => "is not a number",
    })?;
    Ok(Value { bits: bits as i64, unsigned: suffix.contains(['u', 'U']) || bits > i64::MAX as u64 })
}

/// Packs several characters into bytes, as clang does: `'ab'` is 0x6162.
fn character(text: &str) -> Option<i64> {
    let found = crate::escape::characters(text).filter(|found| (1..=4).contains(&found.len()))?;
    Some(found.iter().fold(0, |value, character| value << 8 | i64::from(u32::from(*character))))
}
