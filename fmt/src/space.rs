//! Spaces between two tokens of a line, possible line breaks there, and their costs.

use crate::pieces::{PieceKind, Text};
use crate::roles::{Role, is_keyword};
use wgc_frontend::token::Sym;

/// The gap between two neighbouring pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gap {
    pub space: bool,
    /// A line break of the text stays here.
    pub keep: bool,
    /// The cost of breaking a long line here, without the cost of enclosing brackets.
    pub cost: Option<u32>,
}

const TIGHT: Gap = Gap { space: false, keep: false, cost: None };
const SPACE: Gap = Gap { space: true, keep: false, cost: None };

fn breakable(space: bool, cost: u32) -> Gap {
    Gap { space, keep: true, cost: Some(cost) }
}

/// The cost of each pair of enclosing brackets.
pub const DEPTH: u32 = 20;

/// Returns the gap between a piece and the next one. `touching` means that the text has nothing between them.
pub fn gap(text: &Text, roles: &[Role], left: usize, right: usize) -> Gap {
    let (a, b) = (&text.pieces[left], &text.pieces[right]);
    if a.is_comment() || b.is_comment() {
        let inside = matches!(a.kind, PieceKind::Sym(Sym::LParen | Sym::LBracket));
        let before = matches!(b.kind, PieceKind::Sym(Sym::RParen | Sym::RBracket | Sym::Comma | Sym::Semi));
        return Gap { space: !inside && !before, keep: true, cost: None };
    }
    let wanted = between(text, roles, left, right);
    let touching = a.hi == b.lo;
    let odd = |kind: PieceKind| matches!(kind, PieceKind::Other | PieceKind::Open | PieceKind::Hash);
    if odd(a.kind) || odd(b.kind) {
        return Gap { space: !touching, keep: b.kind != PieceKind::Hash, cost: None };
    }
    // The formatter cannot decide whether these are one operator.
    if matches!((a.kind, b.kind), (PieceKind::Sym(Sym::Gt), PieceKind::Sym(Sym::Gt | Sym::Eq | Sym::GtEq | Sym::EqEq)))
        || a.is(Sym::Minus) && b.is(Sym::Gt)
    {
        return Gap { space: !touching, keep: false, cost: None };
    }
    Gap { space: wanted.space || !touching && would_join(text, left, right), ..wanted }
}

/// Returns whether two tokens might be read differently without a space between them.
fn would_join(text: &Text, left: usize, right: usize) -> bool {
    let (a, b) = (text.of(left), text.of(right));
    let (Some(&last), Some(&first)) = (a.last(), b.first()) else { return false };
    let word = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$');
    if word(last) && word(first) || last == b'.' && first.is_ascii_digit() || word(last) && first == b'.' && number(a) {
        return true;
    }
    if last == b'.' && number(a) {
        return true;
    }
    matches!(
        (last, first),
        (b'+', b'+' | b'=')
            | (b'-', b'-' | b'=' | b'>')
            | (b'&', b'&' | b'=')
            | (b'|', b'|' | b'=')
            | (b'<', b'<' | b'=')
            | (b'=' | b'!' | b'*' | b'/' | b'%' | b'^' | b'>', b'=')
            | (b'/', b'/' | b'*')
            | (b':', b':')
            | (b'.', b'.')
            | (b'#', b'#')
    )
}

fn number(text: &[u8]) -> bool {
    matches!(text, [first, ..] if first.is_ascii_digit())
        || matches!(text, [b'.', second, ..] if second.is_ascii_digit())
}

fn between(text: &Text, roles: &[Role], left: usize, right: usize) -> Gap {
    use Sym as S;
    let (a, b) = (text.pieces[left].kind, text.pieces[right].kind);
    let (ra, rb) = (roles[left], roles[right]);
    let word = |index: usize, kind: PieceKind| if kind == PieceKind::Word { text.of(index) } else { &b""[..] };
    let keyword = is_keyword(word(left, a));
    // An operator name and the tokens after it are one word.
    if rb == Role::OperatorName || ra == Role::OperatorName {
        return TIGHT;
    }
    match (a, b) {
        (PieceKind::Sym(S::Dot), _) => return Gap { keep: true, ..TIGHT },
        (PieceKind::Sym(S::ColonColon), _) => return TIGHT,
        (_, PieceKind::Sym(S::Semi)) => return TIGHT,
        (_, PieceKind::Sym(S::Comma)) => return TIGHT,
        (PieceKind::Sym(S::LBrace), PieceKind::Sym(S::RBrace)) => return TIGHT,
        (PieceKind::Sym(S::LParen), PieceKind::Sym(S::RParen)) => return TIGHT,
        (_, PieceKind::Sym(S::RParen)) => return Gap { keep: true, ..TIGHT },
        (_, PieceKind::Sym(S::RBracket)) => return Gap { keep: true, ..TIGHT },
        (_, PieceKind::Sym(S::RBrace)) => return Gap { keep: true, ..SPACE },
        (PieceKind::Sym(S::LParen), _) => return breakable(false, 29),
        (PieceKind::Sym(S::LBrace), _) => return breakable(true, 15),
        (PieceKind::Sym(S::LBracket), _) => return Gap { keep: ra != Role::AttributeOpen, ..TIGHT },
        (PieceKind::Sym(S::Comma), _) => return breakable(true, 0),
        (PieceKind::Sym(S::Semi), _) => return breakable(true, 0),
        _ => {}
    }
    match ra {
        Role::TemplateOpen | Role::Prefix | Role::CastClose => return TIGHT,
        Role::Binary | Role::Joined if rb == Role::Joined => return TIGHT,
        Role::Joined if arrow(text, left) => {
            return Gap { space: text.pieces[left].hi != text.pieces[right].lo, ..TIGHT };
        }
        Role::Joined => return breakable(true, 4),
        Role::Binary => return breakable(true, binary(a)),
        Role::Choice => return Gap { keep: true, ..SPACE },
        Role::Label => return SPACE,
        Role::ControlClose => return Gap { keep: true, ..SPACE },
        Role::AttributeClose if rb != Role::AttributeClose => return breakable(true, 8),
        _ => {}
    }
    match rb {
        Role::TemplateOpen => return TIGHT,
        Role::TemplateClose | Role::Postfix | Role::Label => return TIGHT,
        Role::Joined => return TIGHT,
        // `->`
        Role::Binary if b == PieceKind::Sym(S::Minus) && arrow(text, right + 1) => {
            return Gap { space: text.pieces[left].hi != text.pieces[right].lo, ..TIGHT };
        }
        Role::Binary => return Gap { keep: b != PieceKind::Sym(S::Eq), ..SPACE },
        // The parts after `?` and `:` stay together where possible.
        Role::Choice => return breakable(true, if b == PieceKind::Sym(S::Question) { 3 } else { 4 }),
        Role::AttributeOpen if ra != Role::AttributeOpen => return Gap { keep: true, ..SPACE },
        _ => {}
    }
    match (a, b) {
        (_, PieceKind::Sym(S::LBrace)) => Gap { keep: true, ..SPACE },
        (_, PieceKind::Sym(S::Dot)) => Gap { space: false, keep: true, cost: Some(28) },
        (_, PieceKind::Sym(S::ColonColon)) => Gap { space: keyword, ..TIGHT },
        (_, PieceKind::Sym(S::Colon)) => breakable(true, 12),
        (PieceKind::Sym(S::Colon), _) => SPACE,
        (PieceKind::Word, PieceKind::Sym(S::LParen)) => match word(left, a) {
            b"if" | b"for" | b"while" | b"switch" | b"return" | b"case" | b"else" | b"in" | b"do" => SPACE,
            _ => TIGHT,
        },
        (_, PieceKind::Sym(S::LParen)) => TIGHT,
        (_, PieceKind::Sym(S::LBracket)) => TIGHT,
        (PieceKind::Text, PieceKind::Text) => breakable(true, 1),
        (PieceKind::Sym(S::RBrace), _) => Gap { keep: true, ..SPACE },
        (PieceKind::Sym(S::RParen), _) => Gap { keep: true, ..SPACE },
        // Half-typed statements are never joined.
        _ => Gap { keep: true, ..SPACE },
    }
}

/// Returns whether the piece is the `>` of `->`.
fn arrow(text: &Text, index: usize) -> bool {
    let Some(before) = index.checked_sub(1) else { return false };
    let (Some(minus), Some(head)) = (text.pieces.get(before), text.pieces.get(index)) else { return false };
    minus.is(Sym::Minus) && head.is(Sym::Gt) && minus.hi == head.lo
}

/// Returns the cost of a break at a binary operator. The weakest operators are the cheapest.
fn binary(kind: PieceKind) -> u32 {
    use Sym as S;
    let PieceKind::Sym(sym) = kind else { return 6 };
    match sym {
        S::Eq
        | S::PlusEq
        | S::MinusEq
        | S::StarEq
        | S::SlashEq
        | S::PercentEq
        | S::AmpEq
        | S::PipeEq
        | S::CaretEq
        | S::ShlEq
        | S::ShrEq => 27,
        S::PipePipe => 1,
        S::AmpAmp => 2,
        S::EqEq | S::NotEq | S::Lt | S::Gt | S::LtEq | S::GtEq => 8,
        S::Plus | S::Minus => 5,
        S::Star | S::Slash | S::Percent => 7,
        _ => 6,
    }
}
