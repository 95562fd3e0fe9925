//! Escape sequences of character and string literals: simple ones, up to three octal digits, hexadecimal ones.

use std::iter::Peekable;
use std::str::Chars;

const SIMPLE: [(char, char); 11] = [
    ('n', '\n'),
    ('t', '\t'),
    ('r', '\r'),
    ('a', '\x07'),
    ('b', '\x08'),
    ('f', '\x0c'),
    ('v', '\x0b'),
    ('\\', '\\'),
    ('\'', '\''),
    ('"', '"'),
    ('?', '?'),
];

/// Returns the character of an escape sequence; `rest` follows the backslash. Returns `None` for an invalid sequence or
/// a value above a byte, and then consumes at most one character.
pub fn escape(rest: &mut Peekable<Chars<'_>>) -> Option<char> {
    let first = rest.next()?;
    if let Some((_, character)) = SIMPLE.iter().find(|(name, _)| *name == first) {
        return Some(*character);
    }
    let code = match first {
        'x' => digits(rest, 16, 8, None)?,
        '0'..='7' => digits(rest, 8, 2, first.to_digit(8))?,
        _ => return None,
    };
    u8::try_from(code).ok().map(char::from)
}

/// Returns the characters of a character literal, given with its quotes. Returns `None` for an invalid escape sequence.
///
/// ```
/// assert_eq!(wgc_frontend::escape::characters(r"'\x41'"), Some(vec!['A']));
/// assert_eq!(wgc_frontend::escape::characters(r"'\q'"), None);
/// ```
pub fn characters(literal: &str) -> Option<Vec<char>> {
    let mut rest = literal.strip_prefix('\'')?.strip_suffix('\'')?.chars().peekable();
    let mut found = Vec::new();
    while let Some(character) = rest.next() {
        found.push(if character == '\\' { escape(&mut rest)? } else { character });
    }
    Some(found)
}

/// Returns the only character of a literal, or `None` if it has none or several.
pub fn character(literal: &str) -> Option<char> {
    match characters(literal)?.as_slice() {
        [one] => Some(*one),
        _ => None,
    }
}

/// Returns the number of up to `most` further digits. `value` has the digits read before.
fn digits(rest: &mut Peekable<Chars<'_>>, radix: u32, most: usize, mut value: Option<u32>) -> Option<u32> {
    for _ in 0..most {
        let Some(digit) = rest.peek().and_then(|c| c.to_digit(radix)) else { break };
        rest.next();
        value = Some(value.unwrap_or(0).wrapping_mul(radix).wrapping_add(digit));
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (Option<char>, String) {
        let mut rest = text.chars().peekable();
        let escaped = escape(&mut rest);
        (escaped, rest.collect())
    }

    #[test]
    fn numeric_escapes_end_after_their_digits() {
        assert_eq!(read("n1"), (Some('\n'), "1".to_owned()));
        assert_eq!(read("x2dg"), (Some('-'), "g".to_owned()));
        assert_eq!(read("0"), (Some('\0'), String::new()));
        assert_eq!(read("1012"), (Some('A'), "2".to_owned()));
        assert_eq!(read("0178"), (Some('\x0f'), "8".to_owned()));
    }

    #[test]
    fn character_literals_are_decoded() {
        assert_eq!(characters("'ab'"), Some(vec!['a', 'b']));
        assert_eq!(characters(r"'\'\101'"), Some(vec!['\'', 'A']));
        assert_eq!(characters("''"), Some(Vec::new()));
        assert_eq!((character("'a'"), character("'ab'"), character("''")), (Some('a'), None, None));
    }

    #[test]
    fn invalid_escapes_decode_to_none() {
        for wrong in ["", "q", "x", "xg", "x100", "777"] {
            assert_eq!(read(wrong).0, None, "{wrong}");
        }
    }
}
