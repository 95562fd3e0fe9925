//! Positions of all pieces on the page. Trailing comments on consecutive lines are aligned in one column.

use crate::pieces::{PieceKind, Text};
use crate::roles::Role;
use crate::style::Style;
use crate::wrap::{Before, Indent};
use wgc_frontend::token::Sym;

/// The position of a piece relative to the piece before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PiecePosition {
    Kept,
    /// On the current line, after this many spaces.
    Spaces(u32),
    /// On a new line, possibly after a blank one.
    Line {
        blank: bool,
        indent: Indent,
    },
}

/// A position and the resulting column.
#[derive(Clone, Copy, Debug)]
pub struct Placed {
    pub place: PiecePosition,
    pub column: u32,
}

/// A trailing comment.
struct Behind {
    piece: usize,
    /// The column after a single space.
    natural: u32,
    /// The indentation of its line.
    indent: u32,
    /// It continues the comment on the line above.
    goes_on: bool,
}

pub fn places(text: &Text, before: &[Before], roles: &[Role], style: &Style) -> Vec<Placed> {
    let mut places: Vec<Placed> = Vec::with_capacity(before.len());
    let mut behind: Vec<Behind> = Vec::new();
    // The trailing comments of consecutive lines.
    let mut run: Vec<Behind> = Vec::new();
    let mut column = 0;
    let mut indent = 0;
    for (index, before) in before.iter().enumerate() {
        let piece = &text.pieces[index];
        let mut before = *before;
        // At the start of a line the `#` would become a directive.
        if piece.kind == PieceKind::Hash && matches!(before, Before::Line(_)) {
            before = if piece.newlines > 0 { Before::Kept } else { Before::Space };
        }
        let mut place = match before {
            _ if piece.continues => PiecePosition::Kept,
            Before::Kept => PiecePosition::Kept,
            Before::Nothing => PiecePosition::Spaces(0),
            Before::Space => PiecePosition::Spaces(u32::from(index > 0)),
            Before::Line(indent) => PiecePosition::Line { blank: blank(text, roles, index), indent },
        };
        match place {
            PiecePosition::Kept => column = piece.column,
            PiecePosition::Spaces(spaces) => column += spaces,
            PiecePosition::Line { blank, indent: new } => {
                let own = new.columns(style);
                // The previous line ends with a comment, and this one was directly below it.
                let last = index.checked_sub(1).map(|last| &text.pieces[last]);
                let goes_on = piece.kind == PieceKind::LineComment
                    && piece.newlines == 1
                    && last.is_some_and(|last| last.kind == PieceKind::LineComment && last.column == piece.column)
                    && behind.last().is_some_and(|last| last.piece + 1 == index && last.natural > own);
                if goes_on && let Some(last) = behind.last() {
                    let (natural, indent) = (last.natural, last.indent);
                    let spaces = natural - new.steps * style.indent;
                    place = PiecePosition::Line { blank, indent: Indent { steps: new.steps, spaces } };
                    behind.push(Behind { piece: index, natural, indent, goes_on });
                    column = natural;
                } else {
                    let ends = blank || behind.last().is_none_or(|last| last.piece + 1 != index);
                    if ends || own != indent {
                        run.append(&mut behind);
                        align(text, style, &mut places, &mut run);
                    }
                    (column, indent) = (own, own);
                }
            }
        }
        let is_behind = piece.kind == PieceKind::LineComment && matches!(place, PiecePosition::Spaces(_)) && index > 0;
        if is_behind {
            behind.push(Behind { piece: index, natural: column, indent, goes_on: false });
        }
        places.push(Placed { place, column });
        column = piece.last_width.unwrap_or(column + piece.width);
    }
    run.append(&mut behind);
    align(text, style, &mut places, &mut run);
    places
}

/// Aligns the comments of consecutive lines in one column, as far as they fit on the page.
fn align(text: &Text, style: &Style, places: &mut [Placed], run: &mut Vec<Behind>) {
    let mut rest = run.as_slice();
    while !rest.is_empty() {
        let (mut column, mut width, mut count) = (0, 0, 0);
        for comment in rest {
            let natural = column.max(comment.natural);
            let widest = width.max(text.pieces[comment.piece].width);
            if count > 0 && !comment.goes_on && natural + widest > style.columns {
                break;
            }
            (column, width, count) = (natural, widest, count + 1);
        }
        let (these, others) = rest.split_at(count);
        for comment in these {
            let placed = &mut places[comment.piece];
            let moved = column - placed.column;
            match &mut placed.place {
                PiecePosition::Spaces(spaces) => *spaces += moved,
                PiecePosition::Line { indent, .. } => indent.spaces += moved,
                PiecePosition::Kept => {}
            }
            placed.column = column;
        }
        rest = others;
    }
    run.clear();
}

/// Returns whether a blank line precedes a piece. Blank lines collapse into one, and the edges of blocks have none.
fn blank(text: &Text, roles: &[Role], index: usize) -> bool {
    let piece = &text.pieces[index];
    let Some(last) = index.checked_sub(1) else { return false };
    let opens = matches!(text.pieces[last].kind, PieceKind::Sym(Sym::LBrace | Sym::LParen | Sym::LBracket));
    let closes = matches!(piece.kind, PieceKind::Sym(Sym::RBrace | Sym::RParen | Sym::RBracket));
    let belongs = roles[index] == Role::BlockOpen && !ends_statement(text, roles, last) || text.of(index) == b"else";
    piece.newlines > 1 && !opens && !closes && !belongs
}

fn ends_statement(text: &Text, roles: &[Role], index: usize) -> bool {
    let piece = &text.pieces[index];
    piece.is(Sym::Semi) || matches!(roles[index], Role::BlockOpen | Role::BlockClose) || !piece.is_token()
}
