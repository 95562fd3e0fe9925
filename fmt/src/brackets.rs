//! Matches brackets with their partners. A closing bracket skips open brackets of weaker kinds: `}` skips `(` and `[`.
//! Each branch of a conditional starts with the brackets that were open before its `#if`.

use crate::pieces::{Directive, PieceKind, Text};
use wgc_frontend::token::Sym;

/// An open bracket: a link of a list that branches share.
#[derive(Clone, Copy)]
struct BracketLink {
    sym: Sym,
    index: usize,
    under: usize,
    /// The numbers of open `(` and `[` since the innermost `{`, this bracket included, and of all open `{`.
    counts: [u32; 3],
}

const BOTTOM: usize = 0;

/// Returns the partner of each piece.
pub fn partners(text: &Text) -> Vec<Option<usize>> {
    let mut partner = vec![None; text.pieces.len()];
    let mut links = vec![BracketLink { sym: Sym::Semi, index: 0, under: BOTTOM, counts: [0; 3] }];
    let mut top = BOTTOM;
    let mut conditionals: Vec<usize> = Vec::new();
    for (index, piece) in text.pieces.iter().enumerate().filter(|(_, piece)| !piece.raw) {
        match piece.kind {
            PieceKind::Directive(Directive::If) => conditionals.push(top),
            PieceKind::Directive(Directive::Else) => top = conditionals.last().copied().unwrap_or(top),
            PieceKind::Directive(Directive::EndIf) => _ = conditionals.pop(),
            PieceKind::Sym(sym @ (Sym::LParen | Sym::LBracket | Sym::LBrace)) => {
                let [parens, brackets, braces] = links[top].counts;
                let counts = match sym {
                    Sym::LParen => [parens + 1, brackets, braces],
                    Sym::LBracket => [parens, brackets + 1, braces],
                    _ => [0, 0, braces + 1],
                };
                links.push(BracketLink { sym, index, under: top, counts });
                top = links.len() - 1;
            }
            PieceKind::Sym(sym @ (Sym::RParen | Sym::RBracket | Sym::RBrace)) => {
                let (wanted, count) = match sym {
                    Sym::RParen => (Sym::LParen, 0),
                    Sym::RBracket => (Sym::LBracket, 1),
                    _ => (Sym::LBrace, 2),
                };
                while links[top].counts[count] > 0 {
                    let open = links[top];
                    top = open.under;
                    if open.sym == wanted {
                        partner[open.index] = Some(index);
                        partner[index] = Some(open.index);
                        break;
                    }
                }
            }
            _ => {}
        }
    }
    partner
}
