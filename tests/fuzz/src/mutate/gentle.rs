//! Changes that many programs survive: other operators, numbers, names and types, moved or wrapped statements. They
//! reach the passes after the checks.

use super::{Piece, joined, texts, unit_at};
use crate::dictionary;
use crate::random::Random;
use std::sync::OnceLock;
use wgc_frontend::spelled::SpellingShape;

/// Operators that can replace each other.
const OPERATORS: &[&[&str]] = &[
    &["+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>"],
    &["<", ">", "<=", ">=", "==", "!="],
    &["=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="],
    &["&&", "||"],
    &["++", "--"],
    &["!", "~", "-"],
];

/// Wrappers of a name or a number.
const AROUND: &[(&str, &str)] = &[
    ("(", ")"),
    ("-", ""),
    ("~", ""),
    ("!", ""),
    ("(uint)", ""),
    ("(float)", ""),
    ("(int)(", ")"),
    ("(uint4)", ""),
    ("", ".x"),
    ("", ".xxxx"),
    ("", " + 1"),
    ("", "[0]"),
    ("", "++"),
    ("(1 ? ", " : 0)"),
    ("WaveActiveSum(", ")"),
    ("WaveReadLaneFirst(", ")"),
    ("abs(", ")"),
    ("asuint(", ")"),
    ("asfloat(", ")"),
    ("countbits(", ")"),
];

/// Wrappers of a statement.
const AROUND_STATEMENTS: &[(&str, &str)] = &[
    (" {", " }"),
    (" if (1) {", " }"),
    (" if (WaveIsFirstLane()) {", " }"),
    (" for (uint fz = 0; fz < 3; ++fz) {", " }"),
    (" [unroll] for (uint fz = 0; fz < 3; ++fz) {", " }"),
    (" [loop] while (true) {", " break; }"),
    (" do {", " } while (false);"),
    (" switch (1) { case 0: break; default:", " break; }"),
    (" switch (2) { case 1:", " case 2: break; }"),
];

/// Returns the numeric types, vectors and matrices among the tokens of the language.
fn types() -> &'static [&'static str] {
    static TYPES: OnceLock<Vec<&'static str>> = OnceLock::new();
    TYPES.get_or_init(|| {
        let scalars = [
            "bool",
            "int",
            "uint",
            "float",
            "half",
            "double",
            "int64_t",
            "uint64_t",
            "int16_t",
            "uint16_t",
            "float16_t",
        ];
        let rest = |word: &str| scalars.iter().find_map(|scalar| word.strip_prefix(scalar)).map(str::to_owned);
        let is_size = |rest: &String| rest.bytes().all(|byte| matches!(byte, b'1'..=b'4' | b'x'));
        let all = dictionary::words().iter().copied().filter(|word| rest(word).as_ref().is_some_and(is_size));
        all.chain(scalars).collect()
    })
}

/// Makes one change, if the chosen piece allows one.
pub fn once(own: &[Piece<'_>], rest: &[u8], random: &mut Random) -> Option<Vec<u8>> {
    let at = random.below(own.len());
    let one = own.get(at)?;
    let with = |new: &[u8]| {
        let mut out = joined(texts(&own[..at]));
        out.extend_from_slice(&one.text[..one.start]);
        out.extend_from_slice(new);
        out.extend(texts(&own[at + 1..]).flatten());
        out.extend_from_slice(rest);
        out
    };
    let token = std::str::from_utf8(one.token()).ok()?;
    if random.one_in(3) {
        return statement(own, at, rest, random);
    }
    match one.shape {
        SpellingShape::Sym(_) => {
            let class = OPERATORS.iter().find(|class| class.contains(&token))?;
            Some(with(random.pick(class).as_bytes()))
        }
        SpellingShape::Number => match random.below(3) {
            0 => Some(with(around(token, random).as_bytes())),
            1 => Some(with(dictionary::NUMBERS[random.below(24)].as_bytes())),
            _ => Some(with(
                token.parse::<u64>().ok()?.wrapping_add_signed([1, -1][random.below(2)]).to_string().as_bytes(),
            )),
        },
        SpellingShape::Word if types().contains(&token) => Some(with(random.pick(types()).as_bytes())),
        SpellingShape::Word => {
            let is_called = own.get(at + 1).is_some_and(|next| next.is("("));
            if is_called && !wgc_stdlib::index::declaring("", token).is_empty() {
                let all: Vec<&str> = wgc_stdlib::index::names("").collect();
                return Some(with(random.pick(&all).as_bytes()));
            }
            if random.one_in(3) && !is_called {
                return Some(with(around(token, random).as_bytes()));
            }
            // Names nearby are probably of the same scope.
            let near = &own[at.saturating_sub(40)..(at + 40).min(own.len())];
            let near: Vec<&Piece<'_>> = near.iter().filter(|piece| piece.shape == SpellingShape::Word).collect();
            Some(with(near.get(random.below(near.len()))?.token()))
        }
        _ => None,
    }
}

fn around(token: &str, random: &mut Random) -> String {
    let (before, after) = AROUND[random.below(AROUND.len())];
    format!("{before}{token}{after}")
}

/// Removes, doubles or wraps a statement, or swaps it with the next.
fn statement(own: &[Piece<'_>], at: usize, rest: &[u8], random: &mut Random) -> Option<Vec<u8>> {
    let (lo, hi) = unit_at(own, at);
    let last = own.get(hi - 1)?;
    if !(last.is(";") || last.is("}")) {
        return None;
    }
    let unit = joined(texts(&own[lo..hi]));
    let mut out = joined(texts(&own[..lo]));
    let mut next = hi;
    match random.below(5) {
        0 => {}
        1 => out.extend([unit.as_slice(), &unit].concat()),
        2 => {
            let (from, to) = unit_at(own, hi.min(own.len() - 1));
            if from == hi {
                out.extend(texts(&own[from..to]).flatten());
                next = to;
            }
            out.extend(unit);
        }
        _ => {
            let (before, after) = AROUND_STATEMENTS[random.below(AROUND_STATEMENTS.len())];
            out.extend([before.as_bytes(), &unit, after.as_bytes()].concat());
        }
    }
    out.extend(texts(&own[next..]).flatten());
    out.extend_from_slice(rest);
    Some(out)
}
