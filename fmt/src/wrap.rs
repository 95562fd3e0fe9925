//! A statement, or the head of a block, as lines of the page. Decides which line breaks stay, where long lines are
//! broken, and how far the others are indented.
//!
//! Each line is scanned only up to the page width, so the time is linear in the length of the text.

use crate::pieces::{PieceKind, Text};
use crate::roles::Role;
use crate::space::{DEPTH, gap};
use crate::style::Style;
use wgc_frontend::token::Sym;

/// The columns before a line: indentation levels, then spaces.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Indent {
    pub steps: u32,
    pub spaces: u32,
}

/// The maximum indentation. Without it, a text of brackets alone would grow quadratically.
const MAX_STEPS: u32 = 50;

impl Indent {
    pub fn steps(steps: u32) -> Indent {
        Indent { steps: steps.min(MAX_STEPS), spaces: 0 }
    }

    fn deeper(self) -> Indent {
        Indent { steps: (self.steps + 1).min(MAX_STEPS), spaces: self.spaces }
    }

    pub fn columns(self, style: &Style) -> u32 {
        self.steps * style.indent + self.spaces
    }
}

/// The white space before a piece.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Before {
    /// Unchanged white space.
    #[default]
    Kept,
    Nothing,
    Space,
    Line(Indent),
}

/// One piece of a statement.
#[derive(Clone, Copy, Debug)]
pub struct Item {
    pub piece: usize,
    /// It always starts a line.
    pub begins: bool,
    /// It never starts a line.
    pub flat: bool,
}

pub struct Page<'t> {
    pub text: &'t Text<'t>,
    pub roles: &'t [Role],
    pub partner: &'t [Option<usize>],
    pub style: &'t Style,
}

/// An open bracket.
struct OpenBracket {
    /// The indentation of lines inside.
    content: Indent,
    /// The indentation of its line.
    line: Indent,
    /// It ends its line.
    hangs: bool,
}

/// The start of a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// On a new line.
    Line,
    /// On the current line, in this column.
    Behind(u32),
}

/// The layout of a statement.
pub struct Laid {
    /// The white space before each item.
    pub before: Vec<Before>,
    /// For each item, whether it exceeds the last column.
    pub wide: Vec<bool>,
    /// The column after the last item.
    pub column: u32,
    /// The statement is one line.
    pub one_line: bool,
}

/// The minimum number of columns that a new line must save.
const LEAST_WON: u32 = 8;

impl Page<'_> {
    /// Lays out items. `indent` is the indentation of the statement. Lines that start with one of the first `heads`
    /// items are not continuations: they follow attributes.
    pub fn lay(&self, items: &[Item], indent: Indent, start: Start, heads: usize) -> Laid {
        let mut laid = Laid {
            before: Vec::with_capacity(items.len()),
            wide: Vec::with_capacity(items.len()),
            column: 0,
            one_line: true,
        };
        let mut open: Vec<OpenBracket> = Vec::new();
        let mut line = indent;
        let mut column = match start {
            Start::Line => indent.columns(self.style),
            Start::Behind(column) => column + 1,
        };
        let mut at = 0;
        while at < items.len() {
            let end = self.line_end(items, at, column, &open, indent, heads);
            for (k, item) in items.iter().enumerate().take(end).skip(at) {
                let piece = &self.text.pieces[item.piece];
                if k > at {
                    let space = self.space(items, k);
                    laid.before.push(if space { Before::Space } else { Before::Nothing });
                    column += u32::from(space);
                } else if k > 0 {
                    laid.before.push(Before::Line(line));
                } else {
                    laid.before.push(if start == Start::Line { Before::Line(line) } else { Before::Space });
                }
                self.close(item, &mut open);
                column = piece.last_width.unwrap_or(column + piece.width);
                laid.wide.push(column > self.style.columns && !piece.is_comment());
                if self.opens(item) {
                    let hangs = k + 1 == end && end < items.len();
                    let inner = if piece.is(Sym::LBrace) { column + 1 } else { column };
                    let aligned =
                        Indent { steps: indent.steps, spaces: inner.saturating_sub(indent.columns(self.style)) };
                    let too_far = inner > self.style.columns * 2 / 3 || inner < indent.columns(self.style);
                    let content = if hangs || too_far { line.deeper() } else { aligned };
                    open.push(OpenBracket { content, line, hangs });
                }
            }
            if end < items.len() {
                laid.one_line = false;
                line = self.indent(items, end, &open, indent, end <= heads);
                column = line.columns(self.style);
            }
            at = end;
        }
        laid.column = column;
        laid
    }

    fn space(&self, items: &[Item], k: usize) -> bool {
        gap(self.text, self.roles, items[k - 1].piece, items[k].piece).space
    }

    fn opens(&self, item: &Item) -> bool {
        let open =
            matches!(self.text.pieces[item.piece].kind, PieceKind::Sym(Sym::LParen | Sym::LBracket | Sym::LBrace))
                || self.roles[item.piece] == Role::TemplateOpen;
        let closed = self.partner[item.piece].is_some() || self.roles[item.piece] == Role::TemplateOpen;
        open && closed && self.roles[item.piece] != Role::BlockOpen
    }

    fn closes(&self, item: &Item) -> bool {
        let close =
            matches!(self.text.pieces[item.piece].kind, PieceKind::Sym(Sym::RParen | Sym::RBracket | Sym::RBrace))
                || self.roles[item.piece] == Role::TemplateClose;
        let opened = self.partner[item.piece].is_some() || self.roles[item.piece] == Role::TemplateClose;
        close && opened && self.roles[item.piece] != Role::BlockClose
    }

    /// Returns the cost of an enclosing bracket. Template lists stay together where possible.
    fn weight(&self, item: &Item) -> i64 {
        1 + i64::from(matches!(self.roles[item.piece], Role::TemplateOpen | Role::TemplateClose))
    }

    fn close(&self, item: &Item, open: &mut Vec<OpenBracket>) {
        if self.closes(item) {
            open.pop();
        }
    }

    /// Returns the indentation of a line that starts with an item.
    fn indent(&self, items: &[Item], k: usize, open: &[OpenBracket], indent: Indent, head: bool) -> Indent {
        let piece = &self.text.pieces[items[k].piece];
        if matches!(piece.kind, PieceKind::Directive(_)) {
            return Indent::default();
        }
        match open.last() {
            Some(last) if self.closes(&items[k]) && (last.hangs || piece.is(Sym::RBrace)) => last.line,
            Some(last) => last.content,
            None if head || piece.is(Sym::LBrace) => indent,
            // A declaration may start again after a directive, and may have its own line after a name.
            None => {
                let before = k.checked_sub(1).map(|before| self.text.pieces[items[before].piece].kind);
                let again =
                    matches!(before, Some(PieceKind::Directive(_) | PieceKind::Word)) && piece.kind == PieceKind::Word;
                if again { indent } else { indent.deeper() }
            }
        }
    }

    /// Returns whether the line break before an item stays.
    pub fn kept(&self, items: &[Item], k: usize) -> bool {
        let (left, right) = (&self.text.pieces[items[k - 1].piece], &self.text.pieces[items[k].piece]);
        if items[k].begins || right.continues || left.ends_line() || matches!(right.kind, PieceKind::Directive(_)) {
            return true;
        }
        if items[k].flat || right.newlines == 0 {
            return false;
        }
        gap(self.text, self.roles, items[k - 1].piece, items[k].piece).keep && !self.closes_tight(items, k)
    }

    /// Returns whether a closing bracket stays on its line. It gets its own line only if the opening bracket ends a
    /// line; braces may always do so.
    fn closes_tight(&self, items: &[Item], k: usize) -> bool {
        if !self.closes(&items[k]) || self.text.pieces[items[k].piece].is(Sym::RBrace) {
            return false;
        }
        let Some(open) = self.partner[items[k].piece] else { return true };
        // Items are consecutive pieces, except for those before the first item.
        let first = items[0].piece;
        let Some(next) = (open + 1).checked_sub(first).and_then(|at| items.get(at)) else { return true };
        debug_assert_eq!(next.piece, open + 1);
        !(self.text.pieces[next.piece].newlines > 0 || next.begins || self.text.pieces[open].ends_line())
    }

    /// Returns the index after the last item of the line that starts with `at`.
    fn line_end(
        &self,
        items: &[Item],
        at: usize,
        column: u32,
        open: &[OpenBracket],
        indent: Indent,
        heads: usize,
    ) -> usize {
        let mut column = column;
        let mut depth = 0_i64;
        // The cheapest break so far; the last one of equal cost.
        let mut best: Option<(i64, usize)> = None;
        let mut over = false;
        let mut k = at;
        while k < items.len() {
            let piece = &self.text.pieces[items[k].piece];
            if k > at {
                if self.kept(items, k) {
                    return if over { best.map_or(k, |best| best.1) } else { k };
                }
                let gap = gap(self.text, self.roles, items[k - 1].piece, items[k].piece);
                if self.closes(&items[k]) {
                    depth -= self.weight(&items[k]);
                }
                // After attributes and template parameters.
                let head = if k == heads && open.is_empty() { Some(0) } else { gap.cost };
                if let Some(cost) = head.filter(|_| !items[k].flat) {
                    let cost = (open.len() as i64 + depth) * i64::from(DEPTH) + i64::from(cost);
                    // After an opening bracket, the contents count as outside.
                    let opens = self.opens(&items[k - 1]);
                    let cost = if opens { cost - i64::from(DEPTH) } else { cost };
                    let worth = !opens || column > indent.columns(self.style) + self.style.indent + LEAST_WON;
                    if worth && best.is_none_or(|best| cost <= best.0) {
                        best = Some((cost, k));
                        if over {
                            return k;
                        }
                    }
                    if over && let Some(best) = best {
                        return best.1;
                    }
                }
                column += u32::from(gap.space);
            } else if self.closes(&items[k]) {
                depth -= self.weight(&items[k]);
            }
            if piece.kind != PieceKind::LineComment {
                column = piece.last_width.unwrap_or(column + piece.width);
            }
            if self.opens(&items[k]) {
                depth += self.weight(&items[k]);
            }
            if column > self.style.columns {
                over = true;
                if let Some(best) = best {
                    return best.1;
                }
            }
            k += 1;
        }
        k
    }

    /// Returns the width of pieces on one line, up to the page width.
    pub fn flat_width(&self, pieces: std::ops::RangeInclusive<usize>) -> u32 {
        let mut width = 0;
        let first = *pieces.start();
        for index in pieces {
            if index > first {
                width += u32::from(gap(self.text, self.roles, index - 1, index).space);
            }
            width += self.text.pieces[index].width;
            if width > self.style.columns {
                break;
            }
        }
        width
    }
}
