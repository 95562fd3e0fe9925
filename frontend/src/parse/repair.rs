//! Repair by insertion: where the parser stops, put in what is missing or take out what is too much, and parse the
//! piece again. One mistake gives one message, and everything around it is kept.
//!
//! Pieces are small, so parsing again costs microseconds; the number of repairs is limited, and behind that limit the
//! grammar's own recovery (`!`) still gives a tree.

use super::builder::{Builder, Root, Stop};
use super::feed::{Fed, Tok, feed, nesting_message, too_deep};
use super::grammar::RootParser;
use super::message::{Diagnosis, Repair, diagnose};
use crate::ast::{Ast, Span};
use crate::diagnostic::{ErrorCode, SyntaxError};
use crate::token::Token;

/// Errors that one piece reports.
const ERRORS: usize = 16;
/// Repairs that one piece gets; some mistakes take two.
const REPAIRS: usize = 48;
/// Tokens put in front of one token before it is taken out.
const INSERTIONS_AT_ONE: usize = 3;

pub(super) fn parse(start: Tok<'_>, tokens: &[Token]) -> (Ast, Option<Root>, Vec<SyntaxError>) {
    let mut fed = feed(start, tokens);
    if let Some(span) = too_deep(&fed) {
        return (Ast::default(), None, vec![deep(span, nesting_message())]);
    }
    let mut errors: Vec<SyntaxError> = Vec::new();
    // The token that the last repair was about, and how often in a row.
    let mut stuck: (Option<Span>, usize) = (None, 0);
    for round in 0.. {
        let (builder, root) = attempt(&fed);
        let stop = builder.stops.first().cloned();
        let Some(stop) = stop.filter(|_| round < REPAIRS && errors.len() < ERRORS) else {
            if let Some(span) = builder.too_deep {
                errors.push(deep(span, "this nests too deeply".to_owned()));
            }
            return (builder.ast, root, errors);
        };
        let Diagnosis { error, mut repair } = diagnose(&fed, &stop, tokens.len() as u32);
        let at = fed.get(stop.at).map(|token| token.span);
        stuck = if stuck.0 == Some(at.unwrap_or_default()) && round > 0 {
            (stuck.0, stuck.1 + 1)
        } else {
            (Some(at.unwrap_or_default()), 0)
        };
        // A second message about the same token says nothing new.
        if stuck.1 == 0 {
            errors.push(error);
        }
        if stuck.1 >= INSERTIONS_AT_ONE {
            repair = Repair::Drop;
        }
        match repair {
            Repair::Insert(tok) => {
                let at = fed.get(stop.at).map_or(tokens.len() as u32, |token| token.span.lo);
                let span = Span { lo: at, hi: at };
                fed.insert(stop.at.min(fed.len()), Fed { tok, span, line_start: false });
            }
            Repair::Replace(tok) => {
                if let Some(token) = fed.get_mut(stop.at) {
                    token.tok = tok;
                }
            }
            Repair::Drop if stop.at < fed.len() => {
                fed.remove(stop.at);
            }
            Repair::DropRest if stop.at < fed.len() => fed.truncate(stop.at),
            // Nothing is left to change.
            Repair::Drop | Repair::DropRest => return (builder.ast, root, errors),
        }
    }
    (Ast::default(), None, errors)
}

fn deep(span: Span, message: String) -> SyntaxError {
    SyntaxError { code: ErrorCode::NestingTooDeep, message, span, notes: Vec::new(), fix: None }
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
