//! Repairs syntax by insertion and removal. At the position where the parser stops, it inserts missing tokens or
//! removes superfluous ones, and parses the piece again. One mistake gives one message, and everything around it is
//! kept.
//!
//! Pieces are small, so parsing again costs microseconds. The number of repairs is limited. Beyond the limit the
//! grammar's own recovery (`!`) still returns a tree.

use std::ops::Range;

use super::builder::{Builder, DEPTH, Root, Stop};
use super::feed::{Fed, Tok, feed, nesting_message, too_deep};
use super::foreign;
use super::grammar::RootParser;
use super::message::{Diagnosis, Repair, diagnose};
use crate::ast::{Ast, Span};
use crate::diagnostic::{ErrorCode, SyntaxError};
use crate::token::{Sym, Token};

/// The maximum number of errors reported for one piece.
const ERRORS: usize = 16;
/// The maximum number of repairs of one piece; some mistakes need two.
const REPAIRS: usize = 48;
/// The maximum number of tokens that all runs over one piece read. A huge piece of junk gets fewer repairs.
const READ: usize = 200_000;
/// The maximum number of tokens inserted before one token until it is removed. `for (int i = a.` lacks five of them.
const INSERTIONS_AT_ONE: usize = 6;

/// Parses a piece with repairs. `closed` are ranges of tokens that are one body each.
pub(super) fn parse(
    start: Tok<'_>,
    tokens: &[Token],
    closed: &[Range<usize>],
) -> (Ast, Option<Root>, Vec<SyntaxError>) {
    let mut fed = feed(start, tokens, closed);
    if let Some(span) = too_deep(&fed) {
        return (Ast::default(), None, vec![deep(span, nesting_message())]);
    }
    let mut errors = foreign::casts(&mut fed);
    let repairs = (READ / fed.len()).clamp(2, REPAIRS);
    // The token of the last repair, and the number of repairs in a row.
    let mut stuck: Option<(u32, usize)> = None;
    // The position at which the last repair removed tokens.
    let mut dropped: Option<usize> = None;
    for round in 0.. {
        let (builder, root) = attempt(&fed);
        let stop = builder.stops.first().cloned();
        let Some(stop) = stop.filter(|_| round < repairs && errors.len() < ERRORS) else {
            if let Some((span, is_chain)) = builder.too_deep {
                errors.push(match is_chain {
                    true => SyntaxError { help: Some(SPLIT), ..deep(span, chain_message()) },
                    false => deep(span, "syntax nests too deeply".to_owned()),
                });
            }
            errors.extend(builder.mistakes);
            return (builder.ast, root, errors);
        };
        let Diagnosis { error, mut repair } = diagnose(&fed, &stop, tokens.len() as u32);
        let at = fed.get(stop.at).map_or(tokens.len() as u32, |token| token.span.lo);
        stuck = match stuck {
            Some((token, times)) if token == at => Some((at, times + 1)),
            _ => Some((at, 0)),
        };
        let times = stuck.map_or(0, |(_, times)| times);
        if times >= INSERTIONS_AT_ONE {
            repair = Repair::Drop;
        }
        // The whole item was junk, which is already reported.
        let nothing_left = stop.at == fed.len()
            && !errors.is_empty()
            && error.as_ref().is_some_and(|e| e.code == ErrorCode::ExpectedDeclaration);
        let around = [stop.at.checked_sub(1), Some(stop.at)];
        let reported = around.into_iter().flatten().any(|index| fed.get(index).is_some_and(is_wrong_call));
        let junk_goes_on = matches!(repair, Repair::Drop) && dropped == Some(stop.at);
        dropped = None;
        // A second message about the same token or the same junk is redundant.
        match error {
            Some(error) if times == 0 && !junk_goes_on && !nothing_left && !reported => errors.push(error),
            Some(_) => {}
            None => stuck = None,
        }
        match repair {
            Repair::Insert(tok) => {
                let span = Span { lo: at, hi: at };
                fed.insert(stop.at.min(fed.len()), Fed { tok, span, line_start: false });
            }
            Repair::Replace(tok) => {
                if let Some(token) = fed.get_mut(stop.at) {
                    token.tok = tok;
                }
            }
            Repair::Splice { cut, put } => splice(&mut fed, &cut, &put),
            Repair::Drop if stop.at < fed.len() => {
                let end = if junk_goes_on { end_of_junk(&fed, stop.at) } else { stop.at + 1 };
                fed.drain(stop.at..end);
                dropped = Some(stop.at);
            }
            Repair::DropRest if stop.at < fed.len() => fed.truncate(stop.at),
            // No change is possible.
            Repair::Drop | Repair::DropRest => return (builder.ast, root, errors),
        }
    }
    (Ast::default(), None, errors)
}

/// Removes `cut`, ranges from first to last, and inserts `put` at the first one.
fn splice(fed: &mut Vec<Fed>, cut: &[Range<usize>], put: &[Tok<'static>]) {
    for range in cut.iter().skip(1).rev() {
        fed.drain(range.clone());
    }
    let Some(first) = cut.first() else { return };
    let lo = fed.get(first.start).map_or(0, |token| token.span.lo);
    let hi = first.clone().last().and_then(|last| fed.get(last)).map_or(lo, |token| token.span.hi);
    let line_start = !first.is_empty() && fed.get(first.start).is_some_and(|token| token.line_start);
    let put = put.iter().map(|&tok| {
        // Tokens that repair invents have an empty span.
        let hi = if tok == Tok::Ident("") { lo } else { hi };
        Fed { tok, span: Span { lo, hi }, line_start }
    });
    let put: Vec<Fed> = put.collect();
    fed.splice(first.clone(), put);
}

/// Returns whether the token is a name without text that repair did not insert. The preprocessor has reported it.
fn is_wrong_call(token: &Fed) -> bool {
    token.tok == Tok::Ident("") && token.span.lo < token.span.hi
}

/// Returns the index at which a line or a statement ends after a removed token.
fn end_of_junk(fed: &[Fed], at: usize) -> usize {
    let ends = |token: &Fed| token.line_start || matches!(token.tok, Tok::Sym(Sym::Semi | Sym::LBrace | Sym::RBrace));
    let rest = fed.get(at + 1..).unwrap_or_default();
    at + 1 + rest.iter().position(ends).unwrap_or(rest.len())
}

/// The advice for a chain of operators that is too long.
const SPLIT: &str = "assign parts of it to variables";

fn chain_message() -> String {
    format!("more than {} operators in a row", DEPTH - 2)
}

fn deep(span: Span, message: String) -> SyntaxError {
    SyntaxError::new(ErrorCode::NestingTooDeep, message, span)
}

/// Runs the parser once. A stop that recovery could not handle is among the builder's stops.
fn attempt(fed: &[Fed<'_>]) -> (Builder, Option<Root>) {
    let mut builder = Builder::new(fed.iter().map(|token| token.span).collect());
    let tokens = fed.iter().enumerate().map(|(index, token)| Ok((index as u32, token.tok, index as u32 + 1)));
    match RootParser::new().parse(&mut builder, tokens) {
        Ok(root) => (builder, Some(root)),
        Err(error) => {
            let stop = Builder::stop(error, fed.len());
            if builder.stops.is_empty() {
                builder.stops.push(Stop { ..stop });
            }
            (builder, None)
        }
    }
}
