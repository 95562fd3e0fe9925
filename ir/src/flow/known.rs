//! What is known of a scalar: among whom it is the same, and which number it may be.

use super::tree::StepId;
use crate::function::{BinaryOp, ScalarConst, UnaryOp};
use crate::passes::scalar;
use crate::types::{Scalar, Type};

/// Among whom something is the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// All threads of the grid.
    #[default]
    Grid,
    /// The threads of a group.
    Group,
    /// The threads of a wave, of which the group may have several.
    Wave,
    /// It differs between them.
    Varying,
}

impl Level {
    /// Threads of one group may differ in it.
    pub fn parts_groups(self) -> bool {
        self > Level::Group
    }
}

/// Who comes to a statement, and the statement that parts them from the others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Control {
    pub level: Level,
    pub cause: Option<StepId>,
    /// The statement that parts them once more, by what was stored where `cause` had.
    pub again: Option<StepId>,
}

impl Control {
    pub fn raise(&mut self, other: Control) -> bool {
        let grows = other.level > self.level;
        if grows {
            *self = other;
        }
        grows
    }
}

/// What is known of a scalar beside that.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Fact {
    #[default]
    Nothing,
    Is(ScalarConst),
    /// It is a number less than this.
    Below(u64),
    /// Number of the thread along an axis.
    Thread(Thread),
    /// What `FinishedSharing` gave, or the opposite.
    Finished {
        negated: bool,
    },
}

/// A thread's number along an axis, in its group or in the grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Thread {
    pub axis: u8,
    /// Threads of a group along the axis, where it counts those of the groups before, too.
    pub in_grid: Option<u64>,
    /// It is less than this.
    pub below: Option<u64>,
}

impl Fact {
    /// Without what it is the number of.
    fn plain(self) -> Fact {
        match self {
            Fact::Thread(Thread { below, .. }) => below.map_or(Fact::Nothing, Fact::Below),
            other => other,
        }
    }
}

/// What is the same for all threads of a group though it comes of their numbers: what of a number in the grid is the
/// group's. `None` where that is not so.
fn of_group(op: BinaryOp, a: Fact, b: Fact) -> Option<Part> {
    let Fact::Thread(Thread { axis, in_grid: Some(threads), below }) = a else { return None };
    let is_multiple = |of: u64| threads > 0 && of > 0 && of.is_multiple_of(threads);
    let least = match (op, b) {
        (BinaryOp::Sub, Fact::Thread(Thread { axis: other, in_grid: None, .. })) if axis == other => below,
        (BinaryOp::Div, Fact::Is(c)) if !c.ty.is_float() && c.as_i64() > 0 && is_multiple(c.bits) => {
            below.map(|below| below.div_ceil(c.bits))
        }
        (BinaryOp::Shr, Fact::Is(c)) if c.bits < 32 && is_multiple(1 << c.bits) => {
            below.map(|below| below.div_ceil(1 << c.bits))
        }
        // The bits above those that count the threads of a group.
        (BinaryOp::And, Fact::Is(c)) if threads.is_power_of_two() && c.bits % threads == 0 => below,
        _ => return None,
    };
    Some(Part::new(Level::Group, least.map_or(Fact::Nothing, Fact::Below)))
}

/// A part of a value or of memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Part {
    pub level: Level,
    pub fact: Fact,
    /// Of memory: those who came to where it was stored. For them it is as `level` says; who meets the others behind the
    /// statement that parted them finds it to differ as they do.
    pub stored_by: Control,
}

impl Part {
    pub fn new(level: Level, fact: Fact) -> Part {
        Part { level, fact, stored_by: Control::default() }
    }

    pub fn level(level: Level) -> Part {
        Part::new(level, Fact::Nothing)
    }

    pub fn constant(value: ScalarConst) -> Part {
        Part::new(Level::Grid, Fact::Is(value))
    }

    /// As it lies in memory when they have stored it.
    pub fn stored(self, by: Control) -> Part {
        let matters = by.level > self.level;
        Part { stored_by: if matters { by } else { Control::default() }, ..self }
    }

    /// As those see it who come to a statement.
    pub fn seen_by(self, control: Control) -> Part {
        let are_others = self.stored_by.cause != control.cause;
        let level = if are_others { self.level.max(self.stored_by.level) } else { self.level };
        Part::new(level, self.fact)
    }

    /// Adds what else it may be.
    pub fn join(&mut self, other: Part) -> bool {
        let fact = if self.fact == other.fact { self.fact } else { Fact::Nothing };
        let (a, b) = (self.stored_by, other.stored_by);
        let (mut level, mut by) = (self.level.max(other.level), Control::default());
        if a == b || b.cause.is_none() {
            by = a;
        } else if a.cause.is_none() {
            by = b;
        } else {
            level = level.max(a.level).max(b.level);
        }
        let joined = Part { level, fact, ..*self }.stored(by);
        let grew = *self != joined;
        *self = joined;
        grew
    }

    /// A constant is one however it was come by.
    pub fn seen(self) -> Level {
        if matches!(self.fact, Fact::Is(_)) { Level::Grid } else { self.level }
    }

    pub fn known(self) -> Option<ScalarConst> {
        if let Fact::Is(c) = self.fact { Some(c) } else { None }
    }

    pub fn below(self) -> Option<u64> {
        match self.fact.plain() {
            Fact::Below(limit) => Some(limit),
            Fact::Is(c) if !c.ty.is_float() => c.bits.checked_add(1),
            _ => None,
        }
    }

    pub fn at_least(self, level: Level) -> Part {
        Part { level: self.level.max(level), ..self }
    }
}

pub(super) fn unary(op: UnaryOp, value: Part) -> Part {
    let fact = match (op, value.fact) {
        (op, Fact::Is(c)) => scalar::unary(op, c).map_or(Fact::Nothing, Fact::Is),
        (UnaryOp::Not, Fact::Finished { negated }) => Fact::Finished { negated: !negated },
        _ => Fact::Nothing,
    };
    Part::new(value.seen(), fact)
}

pub(super) fn convert(value: Part, ty: &Type) -> Part {
    let Some(to) = ty.scalar() else { return Part::level(value.seen()) };
    let fact = match value.fact {
        Fact::Is(c) => scalar::convert(c, to).map_or(Fact::Nothing, Fact::Is),
        Fact::Below(limit) | Fact::Thread(Thread { below: Some(limit), .. })
            if to.is_integer() && limit.checked_shr(to.bits() - 1) == Some(0) =>
        {
            value.fact
        }
        Fact::Finished { negated } if to == Scalar::Bool => Fact::Finished { negated },
        _ => Fact::Nothing,
    };
    Part::new(value.seen(), fact)
}

pub(super) fn binary(op: BinaryOp, a: Part, b: Part) -> Part {
    use BinaryOp as B;
    let level = a.seen().max(b.seen());
    if let (Some(x), Some(y)) = (a.known(), b.known()) {
        return match scalar::binary(op, x, y) {
            Some(constant) => Part::constant(constant),
            None => Part::level(level),
        };
    }
    if let Some(part) = of_group(op, a.fact, b.fact) {
        return part;
    }
    let is = |value: bool| Part::constant(ScalarConst::bool(value));
    // A number below a limit, compared with one that is the limit or more, or divided by it.
    let (limit, other) = match (a.fact.plain(), b.fact.plain()) {
        (Fact::Below(limit), Fact::Is(c)) if !c.ty.is_float() && c.as_i64() >= 0 => (limit, c),
        (Fact::Is(c), Fact::Below(limit)) if !c.ty.is_float() && c.as_i64() >= 0 => {
            return match op {
                B::Gt if c.bits >= limit => is(true),
                B::Ge if c.bits + 1 >= limit => is(true),
                B::Le if c.bits >= limit => is(false),
                B::Lt if c.bits + 1 >= limit => is(false),
                B::Eq if c.bits >= limit => is(false),
                B::Ne if c.bits >= limit => is(true),
                B::And if c.bits < u64::MAX => Part::new(level, Fact::Below(limit.min(c.bits + 1))),
                _ => Part::level(level),
            };
        }
        (Fact::Finished { negated }, Fact::Is(c)) | (Fact::Is(c), Fact::Finished { negated }) => {
            let flips = match op {
                B::Eq => c.bits == 0,
                B::Ne => c.bits != 0,
                _ => return Part::level(level),
            };
            return Part::new(level, Fact::Finished { negated: negated != flips });
        }
        // Of a number that nothing is known of.
        (Fact::Is(c), _) | (_, Fact::Is(c)) if op == B::And && c.ty.is_integer() && c.bits < i32::MAX as u64 => {
            return Part::new(level, Fact::Below(c.bits + 1));
        }
        (_, Fact::Is(c)) if op == B::Rem && c.ty.is_integer() && !c.ty.is_signed() && c.bits > 0 => {
            return Part::new(level, Fact::Below(c.bits));
        }
        _ => return Part::level(level),
    };
    match op {
        B::Lt if other.bits >= limit => is(true),
        B::Le if other.bits + 1 >= limit => is(true),
        B::Ge if other.bits >= limit => is(false),
        B::Gt if other.bits + 1 >= limit => is(false),
        B::Eq if other.bits >= limit => is(false),
        B::Ne if other.bits >= limit => is(true),
        B::Div if other.bits >= limit => Part::constant(ScalarConst { bits: 0, ..other }),
        B::Div if other.bits > 0 => Part::new(level, Fact::Below(limit.div_ceil(other.bits))),
        B::Shr if other.bits < 64 && limit <= 1 << other.bits => Part::constant(ScalarConst { bits: 0, ..other }),
        B::Rem if other.bits == 1 => Part::constant(ScalarConst { bits: 0, ..other }),
        B::Rem if other.bits > 0 => Part::new(level, Fact::Below(limit.min(other.bits))),
        B::And if other.bits < u64::MAX => Part::new(level, Fact::Below(limit.min(other.bits + 1))),
        _ => Part::level(level),
    }
}
