//! Mutators: damage to tokens, deterministic from a seed.
//!
//! Most keep the shape of a token (a name becomes another name of the same text), so that many mutants still compile.
//! The passes after the parser only see those.

mod gentle;
mod words;

use crate::Form;
use crate::dictionary;
use crate::random::Random;
use wgc_frontend::spelled::{SpellingShape, spelled};

/// Damages an input, up to `most_bytes`. May copy parts of `donor`, another input of the target.
pub fn mutate(form: Form, input: &[u8], donor: &[u8], most_bytes: usize, random: &mut Random) -> Vec<u8> {
    let times = [1, 1, 1, 1, 2, 2, 3, 6][random.below(8)];
    let mut out = input.to_vec();
    for _ in 0..times {
        let next = match form {
            Form::Spirv if words::is_module(&out) => words::mutate(&out, donor, random),
            Form::Package if wgc_abi::package::is_packed(&out) => bytes(&out, random),
            Form::Source if !random.one_in(3) => gently(&out, random),
            Form::Edits if random.one_in(2) => with_edit(&out, donor, random),
            _ if random.one_in(40) => bytes(&out, random),
            _ => once(&out, donor, random),
        };
        if next.len() <= most_bytes {
            out = next;
        }
    }
    out
}

/// A token with the white space before it.
#[derive(Clone, Copy, Debug)]
struct Piece<'t> {
    text: &'t [u8],
    /// Start of its token in `text`.
    start: usize,
    shape: SpellingShape,
}

impl<'t> Piece<'t> {
    fn token(&self) -> &'t [u8] {
        &self.text[self.start..]
    }

    fn is(&self, token: &str) -> bool {
        self.token() == token.as_bytes()
    }
}

/// Returns the pieces of a text, and the rest after its last token.
fn pieces(text: &[u8]) -> (Vec<Piece<'_>>, &[u8]) {
    let Some(tokens) = spelled(text) else { return (Vec::new(), text) };
    let mut out = Vec::with_capacity(tokens.len());
    let mut end = 0;
    for token in tokens {
        let (lo, hi) = (token.lo as usize, token.hi as usize);
        if lo < end || hi <= lo {
            continue;
        }
        out.push(Piece { text: &text[end..hi], start: lo - end, shape: token.shape });
        end = hi;
    }
    (out, &text[end..])
}

fn joined<'t>(parts: impl IntoIterator<Item = &'t [u8]>) -> Vec<u8> {
    parts.into_iter().flatten().copied().collect()
}

fn texts<'t, 'p>(pieces: &'p [Piece<'t>]) -> impl Iterator<Item = &'t [u8]> + use<'t, 'p> {
    pieces.iter().map(|piece| piece.text)
}

/// Returns a range of pieces, mostly short.
fn range(len: usize, random: &mut Random) -> (usize, usize) {
    let from = random.below(len);
    let most = [1, 1, 1, 2, 4, 8, 16, 64][random.below(8)];
    (from, (from + 1 + random.below(most)).min(len))
}

/// Returns the range of a statement, a block or a bracket around a piece, if brackets match.
fn unit_at(pieces: &[Piece<'_>], at: usize) -> (usize, usize) {
    let closes = |piece: &Piece<'_>| piece.is("}") || piece.is(")") || piece.is("]");
    let opens = |piece: &Piece<'_>| piece.is("{") || piece.is("(") || piece.is("[");
    let (mut from, mut depth) = (at, 0usize);
    while from > 0 {
        let before = &pieces[from - 1];
        if closes(before) {
            depth += 1;
        } else if opens(before) {
            if depth == 0 {
                break;
            }
            depth -= 1;
        } else if depth == 0 && (before.is(";") || before.is(",")) {
            break;
        }
        from -= 1;
        if depth == 0 && pieces[from].is("}") && from < at {
            from += 1;
            break;
        }
    }
    let (mut to, mut depth) = (at, 0usize);
    while to < pieces.len() {
        let piece = &pieces[to];
        if opens(piece) {
            depth += 1;
        } else if closes(piece) {
            if depth == 0 {
                break;
            }
            depth -= 1;
            if depth == 0 && piece.is("}") {
                to += 1;
                break;
            }
        } else if depth == 0 && (piece.is(";") || piece.is(",")) {
            to += 1;
            break;
        }
        to += 1;
    }
    (from.min(at), to.max(at + 1).min(pieces.len()))
}

/// Returns a token that replaces another, often of the same shape.
fn replacement<'t>(old: &Piece<'t>, own: &[Piece<'t>], donor: &[Piece<'t>], random: &mut Random) -> Vec<u8> {
    let alike = |from: &[Piece<'t>], random: &mut Random| {
        let start = random.below(from.len());
        let mut found = from[start.min(from.len())..].iter().chain(&from[..start.min(from.len())]);
        found
            .find(|piece| std::mem::discriminant(&piece.shape) == std::mem::discriminant(&old.shape))
            .map(|p| p.token().to_vec())
    };
    let word = |random: &mut Random| random.pick(dictionary::words()).as_bytes().to_vec();
    match (old.shape, random.below(8)) {
        (SpellingShape::Number, 0..4) => random.pick(dictionary::NUMBERS).as_bytes().to_vec(),
        (_, 0..4) => alike(own, random).unwrap_or_else(|| word(random)),
        (_, 4) => alike(donor, random).unwrap_or_else(|| word(random)),
        (SpellingShape::Word, 5..7) => word(random),
        (SpellingShape::Sym(_), 5..7) => {
            let all = wgc_frontend::token::Sym::ALL;
            all[random.below(all.len())].text().as_bytes().to_vec()
        }
        _ => word(random),
    }
}

/// Makes one change to the tokens of a text.
fn once(input: &[u8], donor: &[u8], random: &mut Random) -> Vec<u8> {
    let (own, rest) = pieces(input);
    let (theirs, _) = pieces(donor);
    if own.is_empty() {
        return if theirs.is_empty() { bytes(input, random) } else { donor.to_vec() };
    }
    let (from, to) = range(own.len(), random);
    let (before, cut, after) = (&own[..from], &own[from..to], &own[to..]);
    let one = cut[0];
    let with = |middle: &[&[u8]], after: &[Piece<'_>]| {
        let mut out = joined(texts(before));
        middle.iter().for_each(|part| out.extend_from_slice(part));
        out.extend(texts(after).flatten());
        out.extend_from_slice(rest);
        out
    };
    let in_place = |token: &[u8]| with(&[&one.text[..one.start], token], &own[from + 1..]);
    match random.below(21) {
        0 | 1 => with(&[], after),
        20 => joined(texts(before)),
        2 => {
            let cut = joined(texts(cut));
            with(&[&cut, &cut], after)
        }
        3 => {
            let other = random.below(own.len());
            let (a, b) = (from.min(other), from.max(other));
            let mut all: Vec<&[u8]> = texts(&own).collect();
            all.swap(a, b);
            joined(all.into_iter().chain([rest]))
        }
        4..9 => in_place(&replacement(&one, &own, &theirs, random)),
        9 => {
            // The next number of any kind.
            let at = (from..own.len()).chain(0..from).find(|at| own[*at].shape == SpellingShape::Number);
            let Some(at) = at else { return in_place(&replacement(&one, &own, &theirs, random)) };
            let mut out = joined(texts(&own[..at]));
            out.extend_from_slice(&own[at].text[..own[at].start]);
            out.extend_from_slice(random.pick(dictionary::NUMBERS).as_bytes());
            out.extend(texts(&own[at + 1..]).flatten());
            out.extend_from_slice(rest);
            out
        }
        10 | 11 => {
            if theirs.is_empty() {
                return with(&[], after);
            }
            let (lo, hi) = unit_at(&theirs, random.below(theirs.len()));
            let new = joined(texts(&theirs[lo..hi]));
            if random.one_in(2) { with(&[b" ", &new, b" "], after) } else { with(&[b" ", &new, b" "], &own[from..]) }
        }
        12 => {
            // The start of one and the end of another.
            let at = random.below(theirs.len().max(1));
            let mut out = joined(texts(before));
            out.push(b'\n');
            out.extend(texts(&theirs[at.min(theirs.len())..]).flatten());
            out
        }
        13 => {
            let times = [2, 8, 40, 140, 300][random.below(5)];
            let (open, close) =
                [("(", ")"), ("{", "}"), ("[", "]"), ("-", ""), ("(", ""), ("f(", ")"), ("if (1) ", "")]
                    [random.below(7)];
            let cut = joined(texts(cut));
            with(&[open.repeat(times).as_bytes(), &cut, close.repeat(times).as_bytes()], after)
        }
        14 => {
            let times = [2, 8, 40, 300][random.below(4)];
            with(&[&joined(texts(cut)).repeat(times)], after)
        }
        15..18 => {
            let (lo, hi) = unit_at(&own, from);
            let unit = joined(texts(&own[lo..hi]));
            let mut parts: Vec<&[u8]> = texts(&own).collect();
            let to = random.below(own.len() + 1);
            match random.below(3) {
                0 => parts.insert(hi, &unit),
                1 => parts.insert(to, &unit),
                _ => {
                    parts.drain(lo..hi);
                    parts.insert(to.min(parts.len()), &unit);
                }
            }
            joined(parts.into_iter().chain([rest]))
        }
        18 => {
            // Replaces all occurrences of a name.
            let new = replacement(&one, &own, &theirs, random);
            let mut out = Vec::with_capacity(input.len());
            for piece in &own {
                out.extend_from_slice(&piece.text[..piece.start]);
                out.extend_from_slice(if piece.token() == one.token() { &new } else { piece.token() });
            }
            out.extend_from_slice(rest);
            out
        }
        _ => {
            let lines = lines(input);
            let (a, b) = (random.below(lines.len()), random.below(lines.len()));
            let mut new = lines.clone();
            match random.below(3) {
                0 => drop(new.remove(a)),
                1 => new.insert(b, lines[a]),
                _ => new.swap(a, b),
            }
            joined(new)
        }
    }
}

/// Makes one change that many programs survive.
fn gently(input: &[u8], random: &mut Random) -> Vec<u8> {
    let (own, rest) = pieces(input);
    if own.is_empty() {
        return input.to_vec();
    }
    (0..20).find_map(|_| gentle::once(&own, rest, random)).unwrap_or_else(|| input.to_vec())
}

/// Returns lines with their ends.
pub fn lines(text: &[u8]) -> Vec<&[u8]> {
    text.split_inclusive(|byte| *byte == b'\n').collect()
}

/// Returns tokens with the white space before them, and the rest after the last: the units of a reduction.
pub fn tokens(text: &[u8]) -> Vec<&[u8]> {
    let (pieces, rest) = pieces(text);
    texts(&pieces).chain((!rest.is_empty()).then_some(rest)).collect()
}

/// Makes one change to bytes.
fn bytes(input: &[u8], random: &mut Random) -> Vec<u8> {
    let mut out = input.to_vec();
    let at = random.below(out.len());
    match random.below(4) {
        _ if out.is_empty() => out.push(random.below(256) as u8),
        0 => out[at] ^= 1 << random.below(8),
        1 => out[at] = random.below(256) as u8,
        2 => drop(out.remove(at)),
        _ => out.insert(at, random.below(256) as u8),
    }
    out
}

/// Adds an edit in the form of [`crate::targets::edits`].
pub fn with_edit(input: &[u8], donor: &[u8], random: &mut Random) -> Vec<u8> {
    let (from, _) = pieces(if random.one_in(2) { input } else { donor });
    let (at, length) = (random.below(1001), [0, 0, 1, 4, 12, 60][random.below(6)]);
    let mut new = Vec::new();
    if !from.is_empty() {
        let at = random.below(from.len());
        let (lo, hi) = if random.one_in(2) { unit_at(&from, at) } else { range(from.len(), random) };
        new = joined(texts(&from[lo..hi]));
    }
    if random.one_in(3) {
        new = random.pick(dictionary::words()).as_bytes().to_vec();
    }
    let ended = if input.ends_with(b"\n") { "" } else { "\n" };
    [input, format!("{ended}//@ edit {at} {length}\n").as_bytes(), &new, b"\n"].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &[u8] = b"uint f(uint a) { if (a > 3) { return a + 1; } return g(a, 7); }\n// end\n";

    #[test]
    fn token_pieces_cover_the_whole_text() {
        let (pieces, rest) = pieces(TEXT);
        assert_eq!(joined(texts(&pieces).chain([rest])), TEXT);
        assert_eq!(joined(tokens(TEXT)), TEXT);
        let at = pieces.iter().position(|piece| piece.is("+")).expect("it is there");
        let (lo, hi) = unit_at(&pieces, at);
        assert_eq!(joined(texts(&pieces[lo..hi])), b" return a + 1;");
    }

    #[test]
    fn mutation_is_deterministic_and_bounded_in_size() {
        let mut different = 0;
        for seed in 0..400 {
            for form in [Form::Source, Form::Edits, Form::Json, Form::Spirv, Form::Package] {
                let made = |seed| mutate(form, TEXT, b"struct S { int x; };", 200, &mut Random::new(seed));
                assert_eq!(made(seed), made(seed));
                assert!(made(seed).len() <= 200);
                different += usize::from(made(seed) != TEXT);
            }
            for text in [&b""[..], b"\xff\xfe", b" ", b"x"] {
                mutate(Form::Source, text, b"", 50, &mut Random::new(seed));
            }
        }
        assert!(different > 1_500, "{different} of 2,000");
    }
}
