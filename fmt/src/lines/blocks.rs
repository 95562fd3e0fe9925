//! Blocks and labels: the positions of braces, blocks that stay on one line, and statements after a label.

use super::line::Line;
use super::{Around, MAX_OF_HEAD, MAX_OF_LABEL, Walk};
use crate::pieces::PieceKind;
use crate::roles::Role;
use crate::style::Braces;
use wgc_frontend::token::Sym;

/// The layout of a block.
pub(super) enum Block {
    /// The block is part of the line, up to the closing brace.
    Flat(usize),
    Open,
}

impl Walk<'_> {
    /// Decides the position of an opening brace, and whether the block stays on one line with its surroundings.
    pub(super) fn block(&mut self, line: &mut Line, at: usize) -> Block {
        let begins = at > line.from;
        let style = self.page.style;
        let close = self.page.partner[at].filter(|close| self.lines[*close] == self.lines[at]);
        if let Some(close) = close.filter(|_| at - line.from < MAX_OF_LABEL) {
            let newline = begins && style.braces == Braces::Keep && self.pieces()[at].newlines > 0;
            let before = if newline || !begins && !line.joined {
                line.depth * style.indent
            } else if begins {
                self.laid(line, at - 1).column + 1
            } else {
                self.column + 1
            };
            let behind = u32::from(self.is(close + 1, Sym::Semi));
            let fits = before + self.page.flat_width(at..=close) + behind <= style.columns;
            if fits && !self.pieces()[at..=close].iter().any(|piece| piece.raw || piece.ends_line()) {
                if newline {
                    line.begins.push(at);
                }
                line.flat.push((at, close));
                return Block::Flat(close);
            }
        }
        let newline = match style.braces {
            Braces::Keep => self.pieces()[at].newlines > 0,
            Braces::NextLine => true,
            Braces::SameLine => false,
        };
        if begins && newline {
            line.begins.push(at);
        }
        line.flat.push((at, at));
        Block::Open
    }

    /// Lays out everything up to an opening brace, and enters the block.
    pub(super) fn enter(&mut self, line: &mut Line, brace: usize, declares: bool) {
        self.end(line, brace, false);
        let depth = line.depth;
        let head = |word: &[u8]| (line.from..brace).take(MAX_OF_HEAD).any(|at| self.word(at) == word);
        let deeper = self.piece(brace + 1).filter(|piece| piece.newlines > 0).map(|first| {
            let from = self.pieces()[line.from].column;
            first.column > from
        });
        let (inside, labels) = if head(b"switch") {
            // A statement other than a label is always deeper than labels are, so it does not show their depth.
            let deeper = deeper.filter(|_| self.next_token(brace + 1).is_some_and(|first| self.is_label(first)));
            let labels = depth + u32::from(self.page.style.indent_cases.or(deeper).unwrap_or(false));
            (labels + 1, labels)
        } else if head(b"namespace") && !head(b"using") {
            (depth + u32::from(deeper.unwrap_or(true)), depth)
        } else {
            (depth + 1, depth)
        };
        self.push(Around::Block { inside, labels, close: depth, declares });
    }

    /// Returns whether a statement continues after a block.
    pub(super) fn goes_on(&self, close: usize, declares: bool) -> bool {
        self.piece(close + 1).is_some_and(|next| {
            let names = declares && next.newlines == 0 && next.is_token() && !next.is(Sym::RBrace);
            !next.raw && (next.is(Sym::Semi) || names)
        })
    }

    /// Lays out a closing brace.
    pub(super) fn close(&mut self, at: usize) {
        while !matches!(self.around(), Around::Block { .. }) {
            self.pop();
        }
        let Around::Block { close, declares, .. } = self.around() else { return };
        self.joined = false;
        self.labelled = None;
        let mut line = Line::new(at, close, false);
        if self.top == 0 {
            return self.end(&mut line, at, true);
        }
        self.pop();
        if self.goes_on(at, declares) {
            line.heads = Some(at);
            return self.scan(&mut line, at + 1, false);
        }
        self.end(&mut line, at, true);
        self.leaves_label(close);
    }

    /// Handles `} break;` after the block of a label.
    pub(super) fn leaves_label(&mut self, close: u32) {
        let labelled =
            matches!(self.around(), Around::Block { labels, inside, .. } if labels == close && inside > close);
        let word = matches!(self.word(self.at), b"break" | b"return" | b"continue");
        if labelled && word && self.pieces()[self.at].newlines == 0 && self.simple(self.at).is_some() {
            self.joined = true;
        }
    }

    /// Places the brace of a list that belongs to a declaration, such as an `enum`.
    pub(super) fn place_list(&self, line: &mut Line, at: usize, assigned: bool) {
        if assigned || at == line.from {
            return;
        }
        let hangs = self.pieces().get(at + 1).is_some_and(|next| next.newlines > 0);
        match self.page.style.braces {
            Braces::Keep => {}
            Braces::NextLine if hangs => line.begins.push(at),
            Braces::NextLine | Braces::SameLine => line.flat.push((at, at)),
        }
    }

    /// Lays out `case ..:` or `default:` with the statements on its line. Returns `false` if there is no label.
    pub(super) fn label(&mut self, from: usize, first: usize) -> bool {
        let Some(colon) = self.colon(first) else { return false };
        let mut line = Line::new(from, self.label_depth(first), false);
        self.joined = false;
        let mut last = colon;
        let mut next = colon + 1;
        while self.lines.get(next) == self.lines.get(colon) && next - colon <= self.page.style.columns as usize {
            let end = match self.word(next) {
                b"case" | b"default" => self.colon(next),
                _ if self.role(next) == Role::BlockOpen => self.page.partner[next],
                _ => self.simple(next),
            };
            let Some(end) = end.filter(|end| self.lines[*end] == self.lines[colon]) else { break };
            (last, next) = (end, end + 1);
        }
        let alone = self.lines.get(next) != self.lines.get(colon)
            || self.piece(next).is_some_and(|piece| piece.is(Sym::RBrace) || piece.kind == PieceKind::LineComment);
        if last > colon && alone {
            let laid = self.laid(&line, colon);
            if laid.one_line && laid.column + 1 + self.page.flat_width(colon + 1..=last) <= self.page.style.columns {
                line.flat.push((colon + 1, last));
                self.lay(&mut line, last);
                self.at = last + 1;
                return true;
            }
        }
        self.lay(&mut line, colon);
        self.at = colon + 1;
        let block = self.next_unless_directive(self.at).filter(|next| self.is(*next, Sym::LBrace));
        self.labelled = block.map(|_| line.depth);
        if let Some(piece) = self.piece(self.at).filter(|_| block == Some(self.at)) {
            self.joined = match self.page.style.braces {
                Braces::Keep => piece.newlines == 0,
                Braces::NextLine => false,
                Braces::SameLine => true,
            };
        }
        true
    }

    fn is_label(&self, first: usize) -> bool {
        match self.word(first) {
            b"case" => self.colon(first).is_some(),
            b"default" => self.is(first + 1, Sym::Colon),
            _ => false,
        }
    }

    /// Returns the colon of the label that starts here.
    fn colon(&self, first: usize) -> Option<usize> {
        for at in first + 1..self.pieces().len().min(first + MAX_OF_LABEL) {
            match self.pieces()[at].kind {
                _ if self.role(at) == Role::Label => return Some(at),
                PieceKind::Sym(Sym::Semi | Sym::LBrace | Sym::RBrace) => return None,
                _ => {}
            }
        }
        None
    }
}
