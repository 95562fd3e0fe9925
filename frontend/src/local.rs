//! Types defined inside function bodies, cut by brackets like items. A record with its methods is a separate piece; the
//! body around it does not see into its methods.

use std::ops::Range;

use crate::brackets::Brackets;
use crate::diagnostic::{FileId, Location};
use crate::preprocess::Unit;
use crate::slice::{ItemSlice, bracket, slice};
use crate::token::{Sym, Token, TokenKind};

/// Cuts the definition of a record or enum at the tokens `range` of a body. Origins count the tokens of that body.
pub fn slice_local(body: &[Token], range: Range<usize>) -> Option<ItemSlice> {
    let start = range.start as u32;
    let mut tokens = body.get(range)?.to_vec();
    let last = tokens.len().checked_sub(1)? as u32;
    tokens.push(Token { kind: TokenKind::Sym(Sym::Semi), line_start: false, text: Default::default() });
    let nowhere = Location::new(FileId(0), 0, 0);
    let (origins, margin) = (vec![nowhere; tokens.len()], vec![false; tokens.len()]);
    let mut item = slice(&Unit { tokens, origins, margin, ..Unit::default() }).0.into_iter().next()?;
    // The added `;` is not in the text.
    let here = |origin: &mut u32| *origin = start + (*origin).min(last);
    item.head_origins.iter_mut().for_each(here);
    for body in &mut item.bodies {
        body.origins.iter_mut().for_each(here);
        here(&mut body.braces.0);
        here(&mut body.braces.1);
    }
    Some(item)
}

/// Returns the bodies of methods of the records that a body defines, from `{` to after `}`, in order. They include the
/// records inside the methods.
pub(crate) fn method_bodies(body: &[Token]) -> Vec<Range<usize>> {
    let is_record = |token: &Token| matches!(token.kind, TokenKind::Sym(Sym::Struct | Sym::Class | Sym::Interface));
    if !body.iter().any(is_record) {
        return Vec::new();
    }
    let brackets = Brackets::new(body.iter().map(bracket));
    let mut out = Vec::new();
    let mut index = 0;
    while index < body.len() {
        let end = if is_record(&body[index]) { end_of_record(body, &brackets, index) } else { None };
        let Some(end) = end else {
            index += 1;
            continue;
        };
        let methods = slice_local(body, index..end).map_or_else(Vec::new, |item| item.bodies);
        out.extend(methods.into_iter().map(|method| method.braces.0 as usize..method.braces.1 as usize + 1));
        index = end;
    }
    out
}

/// Returns the index after the `}` of the record whose keyword is at `start`, or `None` for a declaration.
fn end_of_record(body: &[Token], brackets: &Brackets, start: usize) -> Option<usize> {
    let ends = |token: &Token| matches!(token.kind, TokenKind::Sym(Sym::Semi | Sym::LBrace | Sym::RBrace | Sym::Eq));
    let open = start + body.get(start..)?.iter().position(ends)?;
    let close = brackets.partner(open).filter(|_| body[open].is(Sym::LBrace))?;
    Some(close + 1)
}
