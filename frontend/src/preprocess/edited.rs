//! Updates a unit after an edit. Editors mostly change a statement or two, so most of a unit stays or moves. The result
//! equals that of [`super::unit`], or there is none; then the caller rebuilds the unit.
//!
//! An edit is followed if the tokens that it removes and adds are between two boundary tokens. They must contain no
//! directive, no macro and no declaration of a type, and their brackets must be closed. Cooking looks past no `;`, `{`
//! and `}` outside of parentheses, so it can process a part between two of those alone.

use std::ops::Range;

use crate::brackets::Brackets;
use crate::cook::{self, Cooked};
use crate::diagnostic::{FileId, Location, SpelledRange};
use crate::lex::{PpToken, Raw};
use crate::lookup::{Lookup, asks_of_edit};
use crate::names::{Names, may_declare_a_type};
use crate::token::{Sym, Token, TokenKind};

use super::{Expansion, Unit, driver, pragma};

/// The result of an edit.
#[derive(Debug)]
pub struct Edited {
    pub unit: Unit,
    /// Tokens of the previous unit that were removed.
    pub old: Range<usize>,
    /// The number of tokens that replace them.
    pub new: usize,
}

/// Returns the unit that [`super::unit`] would build if the text of `file` changes from `old` to `new`. Returns `None`
/// if it does not follow from the previous unit.
pub fn edited(before: &Unit, file: FileId, old: &[u8], new: &[u8], template_names: &Names) -> Option<Edited> {
    // Line numbers may be tokens, and a file that is read twice changes in two positions.
    let is_simple = !before.counts_lines && !before.uses_templates && before.line_directives.is_empty();
    if !is_simple
        || new.len() >= u32::MAX as usize
        || before.opened.iter().filter(|(opened, _)| *opened == file).count() != 1
    {
        return None;
    }
    let change = Change::between(old, new);
    let (first, last) = ends(before, file, &change)?;
    let moved = Moved { file, from: before.origins[last].place.lo, by: change.grows };
    let (lo, hi) = (before.origins[first].place.lo, before.origins[last].place.hi);
    let (was, old_asks) = cooked(before, file, lo, old.get(lo as usize..hi as usize)?, template_names)?;
    let (is, new_asks) = cooked(before, file, lo, new.get(lo as usize..moved.offset(hi) as usize)?, template_names)?;
    // A unit without questions about names was not searched for them.
    let asks = before.asks.checked_sub(old_asks)? + new_asks;
    if (asks == 0) != (before.asks == 0) {
        return None;
    }
    let (count, end) = (was.tokens.len() - 1, is.tokens.len() - 1);
    // The old part is rebuilt in the same way. If the result differs from the old tokens, the part depends on its
    // context.
    let overlooked = count != last - first
        || was.tokens[1..count] != before.tokens[first + 1..last]
        || was.origins != before.origins[first..=last]
        || was.margin[1..] != before.margin[first + 1..=last]
        || was.tokens[count].line_start != before.tokens[last].line_start;
    // The token after the part is the same one, though possibly on another line.
    let ends_alike = is.tokens[end].kind == was.tokens[count].kind
        && is.tokens[end].text == was.tokens[count].text
        && is.origins[end] == moved.location(before.origins[last]);
    // The kind of the token after the part, as of a parenthesis, may depend on the token before it.
    let follows_end = is.tokens.get(end - 1).is_some_and(ends_statement);
    if overlooked || !ends_alike || !follows_end || before.tokens[last].is(Sym::Import) {
        return None;
    }
    let old = first + 1..last;
    let mut unit = Unit {
        tokens: spliced(&before.tokens, &old, &is.tokens[1..end]),
        origins: spliced(&before.origins, &old, &is.origins[1..end]),
        margin: spliced(&before.margin, &old, &is.margin[1..end]),
        asks,
        ..before.without_tokens()
    };
    unit.tokens[first + end].line_start = is.tokens[end].line_start;
    unit.margin[first + end] = is.margin[end];
    moved.all(&mut unit, first + 1..first + end);
    for (at, _) in unit.pragmas.iter_mut().filter(|(at, _)| *at as usize > first) {
        *at = *at + end as u32 - count as u32;
    }
    Some(Edited { unit, old, new: end - 1 })
}

/// The part after an edit, and its offset.
struct Moved {
    file: FileId,
    /// The start in the old text.
    from: u32,
    by: i64,
}

impl Moved {
    fn offset(&self, at: u32) -> u32 {
        // Both texts are shorter than 4 GiB, and the result is within the new one.
        (i64::from(at) + self.by) as u32
    }

    fn place(&self, place: SpelledRange) -> SpelledRange {
        if place.file != self.file || place.lo < self.from {
            return place;
        }
        SpelledRange { lo: self.offset(place.lo), hi: self.offset(place.hi), ..place }
    }

    fn location(&self, at: Location) -> Location {
        Location { place: self.place(at.place), ..at }
    }

    /// Moves all positions of a unit, except those of new tokens.
    fn all(&self, unit: &mut Unit, new: Range<usize>) {
        let locate = |at: &mut Location| *at = self.location(*at);
        let place = |at: &mut SpelledRange| *at = self.place(*at);
        let (before, behind) = unit.origins.split_at_mut(new.end);
        before[..new.start].iter_mut().chain(behind).for_each(locate);
        for expansion in &mut unit.expansions {
            let Expansion { use_site, definition, text, arguments, name: _ } = expansion;
            locate(use_site);
            definition.iter_mut().chain(text).chain(arguments).for_each(place);
        }
        let behind = |(file, range): &&mut (FileId, Range<u32>)| *file == self.file && range.start >= self.from;
        for (_, range) in unit.inactive.iter_mut().filter(behind) {
            *range = self.offset(range.start)..self.offset(range.end);
        }
        unit.included.iter_mut().for_each(|(_, at)| place(at));
        for error in &mut unit.errors {
            locate(&mut error.at);
            error.notes.iter_mut().for_each(|(_, at)| locate(at));
            error.fix.iter_mut().for_each(|fix| locate(&mut fix.at));
        }
    }
}

/// The difference between two texts.
struct Change {
    /// The length of the common prefix.
    prefix: usize,
    /// The start of the common suffix in the old text.
    suffix: usize,
    /// The growth of the text in bytes.
    grows: i64,
}

impl Change {
    fn between(old: &[u8], new: &[u8]) -> Change {
        let prefix = common(old.chunks(BLOCK), new.chunks(BLOCK), old.iter(), new.iter());
        let (old_rest, new_rest) = (&old[prefix..], &new[prefix..]);
        let end =
            common(old_rest.rchunks(BLOCK), new_rest.rchunks(BLOCK), old_rest.iter().rev(), new_rest.iter().rev());
        Change { prefix, suffix: old.len() - end, grows: new.len() as i64 - old.len() as i64 }
    }
}

/// The number of bytes compared at the same time.
const BLOCK: usize = 4096;

/// Returns the number of equal bytes from one end on, given both texts in blocks and in bytes.
fn common<'a>(
    old_blocks: impl Iterator<Item = &'a [u8]>,
    new_blocks: impl Iterator<Item = &'a [u8]>,
    old: impl Iterator<Item = &'a u8>,
    new: impl Iterator<Item = &'a u8>,
) -> usize {
    let blocks = old_blocks.zip(new_blocks).take_while(|(old, new)| old.len() == BLOCK && old == new).count() * BLOCK;
    blocks + old.zip(new).skip(blocks).take_while(|(old, new)| old == new).count()
}

/// Returns the boundary tokens of the change: the last one before it and the first one after it that end statements.
fn ends(unit: &Unit, file: FileId, change: &Change) -> Option<(usize, usize)> {
    let mut depth = 0i32;
    let mut first = None;
    for (index, (token, at)) in unit.tokens.iter().zip(&unit.origins).enumerate() {
        let is_here = at.place.file == file && at.expansion.is_none();
        let follows_end = index > 0 && ends_statement(&unit.tokens[index - 1]);
        if is_here && depth == 0 && follows_end && at.place.lo as usize >= change.suffix {
            return first.map(|first| (first, index));
        }
        match token.kind {
            TokenKind::Sym(Sym::LParen | Sym::LBracket) | TokenKind::CastOpen => depth += 1,
            TokenKind::Sym(Sym::RParen | Sym::RBracket) => depth -= 1,
            _ => {}
        }
        if is_here && depth == 0 && ends_statement(token) && at.place.hi as usize <= change.prefix {
            first = Some(index);
        }
    }
    None
}

fn ends_statement(token: &Token) -> bool {
    matches!(token.kind, TokenKind::Sym(Sym::Semi | Sym::LBrace | Sym::RBrace))
}

/// Returns at least two tokens of a part of a file that starts at `lo`, or `None` if they depend on more than the part.
/// The first token has the right kind and position, but otherwise appears to start the file. The last one lacks its
/// context after it.
fn cooked(unit: &Unit, file: FileId, lo: u32, text: &[u8], template_names: &Names) -> Option<(Cooked, u32)> {
    if text.contains(&b'\\') || std::str::from_utf8(text).is_err() {
        return None;
    }
    let is_plain = |token: &PpToken| match token.raw {
        Raw::Ident => {
            let name = token.text.as_str();
            name != pragma::OPERATOR && !unit.macro_names.contains(name) && !may_declare_a_type(name)
        }
        Raw::Int | Raw::Float | Raw::Str | Raw::Char | Raw::Punct(_) => true,
        _ => false,
    };
    let tokens = driver::plain(file, lo, text).tokens;
    if tokens.len() < 2 || !tokens.iter().all(is_plain) {
        return None;
    }
    let brackets = Brackets::new(tokens.iter().map(PpToken::sym));
    // The end tokens may be brackets of the context.
    let inner = 1..tokens.len() - 1;
    let is_closed = |index: usize| {
        use Sym::{LBrace, LBracket, LParen, RBrace, RBracket, RParen};
        let is_bracket = matches!(tokens[index].sym(), Some(LParen | RParen | LBracket | RBracket | LBrace | RBrace));
        !is_bracket || brackets.partner(index).is_some_and(|partner| inner.contains(&partner))
    };
    if !inner.clone().all(is_closed) {
        return None;
    }
    let asks = asks_of_edit(&tokens, &brackets, &unit.names, template_names, &unit.sensitive)?;
    let cooked = cook::cook(&tokens, &brackets, &unit.names, template_names, &Lookup::default());
    (!cooked.uses_templates && cooked.tokens.len() >= 2).then_some((cooked, asks))
}

fn spliced<T: Clone>(all: &[T], old: &Range<usize>, new: &[T]) -> Vec<T> {
    let mut out = Vec::with_capacity(all.len() - old.len() + new.len());
    out.extend_from_slice(&all[..old.start]);
    out.extend_from_slice(new);
    out.extend_from_slice(&all[old.end..]);
    out
}
