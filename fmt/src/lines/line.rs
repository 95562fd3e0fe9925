//! One statement, or the head of a block, with the properties of its lines that the page does not know.

use super::Walk;
use crate::pieces::PieceKind;
use crate::roles::Role;
use crate::wrap::{Before, Indent, Item, Laid, Start};
use wgc_frontend::token::Sym;

/// A statement, or the head of a block, while it is read.
#[derive(Default)]
pub(super) struct Line {
    /// Its first piece.
    pub from: usize,
    pub depth: u32,
    /// It starts on the line of the last piece.
    pub joined: bool,
    /// The first piece after attributes.
    pub heads: Option<usize>,
    /// The end of the last attribute.
    pub attributes: Option<usize>,
    /// The brackets around parameters.
    pub declared: Option<(usize, usize)>,
    /// The braces of initialisers.
    pub lists: Vec<(usize, usize)>,
    /// Pieces that stay in one line, ascending.
    pub flat: Vec<(usize, usize)>,
    /// Pieces that begin lines, ascending.
    pub begins: Vec<usize>,
}

impl Line {
    pub fn new(from: usize, depth: u32, joined: bool) -> Line {
        Line { from, depth, joined, ..Line::default() }
    }

    fn begin(&mut self, pieces: Vec<usize>) {
        self.begins.extend(pieces);
        self.begins.sort_unstable();
        self.begins.dedup();
    }
}

impl Walk<'_> {
    fn start(&self, line: &Line) -> Start {
        if line.joined { Start::Behind(self.column) } else { Start::Line }
    }

    fn items(&self, line: &Line, last: usize) -> Vec<Item> {
        let mut flat = line.flat.iter().copied().peekable();
        let item = |piece: usize| {
            while flat.next_if(|range| range.1 < piece).is_some() {}
            let flat = flat.peek().is_some_and(|range| (range.0..=range.1).contains(&piece));
            Item { piece, begins: line.begins.binary_search(&piece).is_ok(), flat }
        };
        (line.from..=last).map(item).collect()
    }

    pub(super) fn laid(&self, line: &Line, last: usize) -> Laid {
        let heads = line.heads.map_or(0, |heads| heads - line.from);
        self.page.lay(&self.items(line, last), Indent::steps(line.depth), self.start(line), heads)
    }

    pub(super) fn lay(&mut self, line: &mut Line, last: usize) {
        self.separate(line, last);
        let mut laid = self.laid(line, last);
        if self.spread(line, last, &laid) {
            laid = self.laid(line, last);
        }
        for (piece, before) in (line.from..=last).zip(laid.before) {
            if !self.pieces()[piece].raw {
                self.before[piece] = before;
            }
        }
        self.column = laid.column;
    }

    /// Separates the lines of a statement. Attributes of functions have lines of their own. Other attributes and
    /// template parameters keep theirs. A list that starts on its own line also ends on one.
    fn separate(&self, line: &mut Line, last: usize) {
        let lists = line
            .lists
            .iter()
            .filter(|(open, close)| *close <= last && *close > open + 1 && self.pieces()[open + 1].newlines > 0);
        let mut begins: Vec<usize> = lists.map(|(_, close)| *close).collect();
        let behind = line.attributes.map(|close| close + 1).filter(|at| *at <= last && line.declared.is_some());
        begins.extend(behind.filter(|at| !self.pieces()[*at].is_comment()));
        let heads = line.heads.map_or(line.from..line.from, |heads| line.from + 1..(heads + 1).min(last + 1));
        begins.extend(heads.filter(|at| self.pieces()[*at].newlines > 0 && self.role(at - 1) == Role::TemplateClose));
        line.begin(begins);
    }

    /// Spreads broken brackets. Parameters get one line each if they did not fit on one. The braces of a list are on
    /// lines of their own.
    fn spread(&self, line: &mut Line, last: usize, laid: &Laid) -> bool {
        if laid.one_line && !laid.wide.contains(&true) {
            return false;
        }
        let items = self.items(line, last);
        let broken = |open: usize, close: usize| {
            (open + 1..=close.min(last)).any(|piece| {
                let k = piece - line.from;
                laid.wide[k] || matches!(laid.before[k], Before::Line(_)) && !self.page.kept(&items, k)
            })
        };
        let mut begins = Vec::new();
        if let Some((open, close)) = line.declared.filter(|(open, close)| *close <= last && broken(*open, *close)) {
            begins.push(open + 1);
            let mut at = open + 1;
            while at < close {
                match self.pieces()[at].kind {
                    PieceKind::Sym(Sym::LParen | Sym::LBracket | Sym::LBrace) => {
                        at = self.page.partner[at].filter(|close| *close > at).unwrap_or(at);
                    }
                    PieceKind::Sym(Sym::Lt) if self.role(at) == Role::TemplateOpen => at = self.template_close(at),
                    PieceKind::Sym(Sym::Comma) => {
                        // A comment after the comma stays there.
                        let behind = self.pieces()[at + 1].is_comment() && self.pieces()[at + 1].newlines == 0;
                        let behind = behind && self.pieces()[at + 2].newlines > 0;
                        begins.push(at + 1 + usize::from(behind));
                    }
                    _ => {}
                }
                at += 1;
            }
        }
        for (open, close) in line.lists.iter().filter(|(open, close)| *close <= last && broken(*open, *close)) {
            begins.extend([open + 1, *close]);
        }
        let some = !begins.is_empty();
        line.begin(begins);
        some
    }
}
