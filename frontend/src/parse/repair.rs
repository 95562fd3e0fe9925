//! Repair by insertion: where the parser stops, put in what is missing or take out what is too much, and parse the
//! piece again. One mistake gives one message, and everything around it is kept.
//!
//! Pieces are small, so parsing again costs microseconds; the number of repairs is limited, and behind that limit the
//! grammar's own recovery (`!`) still gives a tree.

use std::ops::Range;

use super::builder::{Builder, DEPTH, Root, Stop};
use super::feed::{Fed, Tok, feed, nesting_message, too_deep};
use super::foreign;
use super::grammar::RootParser;
use super::message::{Diagnosis, Repair, diagnose};
use crate::ast::{Ast, Span};
use crate::diagnostic::{ErrorCode, SyntaxError};
use crate::token::{Sym, Token};

/// Errors that one piece reports.
const ERRORS: usize = 16;
/// Repairs that one piece gets; some mistakes take two.
const REPAIRS: usize = 48;
/// Tokens that all runs over one piece may read: a huge piece of junk gets fewer repairs.
const READ: usize = 200_000;
/// Tokens put in front of one token before it is taken out: `for (int i = a.` lacks five of them.
const INSERTIONS_AT_ONE: usize = 6;

/// `closed` are ranges of tokens that are one body each.
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
    // The token that the last repair was about, and how often in a row.
    let mut stuck: Option<(u32, usize)> = None;
    // Where the last repair took tokens out.
    let mut dropped: Option<usize> = None;
    for round in 0.. {
        let (builder, root) = attempt(&fed);
        let stop = builder.stops.first().cloned();
        let Some(stop) = stop.filter(|_| round < repairs && errors.len() < ERRORS) else {
            if let Some((span, is_chain)) = builder.too_deep {
                errors.push(match is_chain {
                    true => SyntaxError { help: Some(SPLIT), ..deep(span, chain_message()) },
                    false => deep(span, "this nests too deeply".to_owned()),
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
        // All of the item was junk, which has been said.
        let nothing_left = stop.at == fed.len()
            && !errors.is_empty()
            && error.as_ref().is_some_and(|e| e.code == ErrorCode::ExpectedDeclaration);
        let around = [stop.at.checked_sub(1), Some(stop.at)];
        let reported = around.into_iter().flatten().any(|index| fed.get(index).is_some_and(is_wrong_call));
        let junk_goes_on = matches!(repair, Repair::Drop) && dropped == Some(stop.at);
        dropped = None;
        // A second message about the same token, or about the same junk, says nothing new.
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
            // Nothing is left to change.
            Repair::Drop | Repair::DropRest => return (builder.ast, root, errors),
        }
    }
    (Ast::default(), None, errors)
}

/// Takes out `cut`, ranges from first to last, and puts `put` where the first one was.
fn splice(fed: &mut Vec<Fed>, cut: &[Range<usize>], put: &[Tok<'static>]) {
    for range in cut.iter().skip(1).rev() {
        fed.drain(range.clone());
    }
    let Some(first) = cut.first() else { return };
    let lo = fed.get(first.start).map_or(0, |token| token.span.lo);
    let hi = first.clone().last().and_then(|last| fed.get(last)).map_or(lo, |token| token.span.hi);
    let line_start = !first.is_empty() && fed.get(first.start).is_some_and(|token| token.line_start);
    let put = put.iter().map(|&tok| {
        // What repair makes up stands nowhere.
        let hi = if tok == Tok::Ident("") { lo } else { hi };
        Fed { tok, span: Span { lo, hi }, line_start }
    });
    let put: Vec<Fed> = put.collect();
    fed.splice(first.clone(), put);
}

/// A name without text that no repair put in: the preprocessor has reported it.
fn is_wrong_call(token: &Fed) -> bool {
    token.tok == Tok::Ident("") && token.span.lo < token.span.hi
}

/// Behind a token that is taken out: where a line or a statement ends.
fn end_of_junk(fed: &[Fed], at: usize) -> usize {
    let ends = |token: &Fed| token.line_start || matches!(token.tok, Tok::Sym(Sym::Semi | Sym::LBrace | Sym::RBrace));
    let rest = fed.get(at + 1..).unwrap_or_default();
    at + 1 + rest.iter().position(ends).unwrap_or(rest.len())
}

/// What to do about a chain of operators that is too long.
const SPLIT: &str = "put parts of it into variables of their own";

fn chain_message() -> String {
    format!("this has more operators in a row than are read, some {}", DEPTH - DEPTH % 100)
}

fn deep(span: Span, message: String) -> SyntaxError {
    SyntaxError::new(ErrorCode::NestingTooDeep, message, span)
}

/// One run of the parser; a stop that recovery could not get over is among the builder's.
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
