//! Matches the brackets in a list of tokens once. Unmatched brackets have no partner. A closing bracket skips open
//! brackets of weaker kinds: `}` skips `(` and `[`.

use crate::token::Sym;

#[derive(Debug)]
pub(crate) struct Brackets {
    /// For each token the index of its partner, or `NONE` for unmatched brackets and other tokens.
    partner: Vec<u32>,
}

const NONE: u32 = u32::MAX;

fn closes(open: Sym) -> Option<Sym> {
    match open {
        Sym::LParen => Some(Sym::RParen),
        Sym::LBracket => Some(Sym::RBracket),
        Sym::LBrace => Some(Sym::RBrace),
        _ => None,
    }
}

impl Brackets {
    /// Matches brackets. `syms` has the symbol of each token, if it is one.
    pub fn new(syms: impl Iterator<Item = Option<Sym>>) -> Brackets {
        let mut partner = Vec::with_capacity(syms.size_hint().0);
        let mut open: Vec<(Sym, usize)> = Vec::new();
        // The numbers of open `(` and `[` since the innermost open `{`. Without any, no search is needed.
        let mut counts = vec![[0u32; 2]];
        for (index, sym) in syms.enumerate() {
            partner.push(NONE);
            let Some(sym) = sym else { continue };
            match sym {
                Sym::LBrace => {
                    open.push((sym, index));
                    counts.push([0; 2]);
                }
                Sym::LParen | Sym::LBracket => {
                    open.push((sym, index));
                    if let Some(count) = counts.last_mut() {
                        count[usize::from(sym == Sym::LBracket)] += 1;
                    }
                }
                Sym::RParen | Sym::RBracket | Sym::RBrace => {
                    let found = match (sym, counts.last()) {
                        (Sym::RBrace, _) => counts.len() > 1,
                        (Sym::RParen, Some(count)) => count[0] > 0,
                        (_, Some(count)) => count[1] > 0,
                        (_, None) => false,
                    };
                    while let Some((opener, at)) = open.pop_if(|_| found) {
                        match (opener, counts.last_mut()) {
                            (Sym::LBrace, _) => {
                                counts.pop();
                            }
                            (_, Some(count)) => count[usize::from(opener == Sym::LBracket)] -= 1,
                            (_, None) => {}
                        }
                        if closes(opener) == Some(sym) {
                            partner[at] = index as u32;
                            partner[index] = at as u32;
                            break;
                        }
                    }
                }
                _ => {}
            }
        }
        Brackets { partner }
    }

    pub fn partner(&self, index: usize) -> Option<usize> {
        self.partner.get(index).filter(|&&partner| partner != NONE).map(|&partner| partner as usize)
    }

    /// Returns the index after the bracket that closes the one at `index`, or after this one if it is never closed.
    pub fn after(&self, index: usize) -> usize {
        match self.partner(index) {
            Some(partner) if partner > index => partner + 1,
            _ => index + 1,
        }
    }
}
