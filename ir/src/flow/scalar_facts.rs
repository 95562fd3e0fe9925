//! Facts about a scalar: the threads that agree on it, and its possible values.

use super::tree::StepId;
use crate::function::{BinaryOp, ScalarConst, UnaryOp};
use crate::passes::scalar;
use crate::types::{Scalar, Type};

/// The set of threads that agree on a value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum UniformityLevel {
    /// All threads of the grid.
    #[default]
    Grid,
    /// The threads of a group.
    Group,
    /// The threads of a wave, if the group may have several.
    Wave,
    /// No set: it differs between the threads.
    Varying,
}

impl UniformityLevel {
    /// Returns whether threads of one group may differ.
    pub fn parts_groups(self) -> bool {
        self > UniformityLevel::Group
    }
}

/// The threads that reach a statement, and the statement at which they diverged from the others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Control {
    pub level: UniformityLevel,
    pub cause: Option<StepId>,
    /// The statement at which they diverge again, by a value stored after `cause` had diverged them.
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

/// Another fact about a scalar.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Fact {
    #[default]
    Nothing,
    Is(ScalarConst),
    /// It is a number less than this.
    Below(u64),
    /// The index of the thread along an axis.
    Thread(Thread),
    /// The result of `FinishedSharing`, or its opposite.
    Finished {
        negated: bool,
    },
}

/// The index of a thread along an axis, in its group or in the grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Thread {
    pub axis: u8,
    /// The number of threads of a group along the axis, if the index counts earlier groups too.
    pub in_grid: Option<u64>,
    /// It is less than this.
    pub below: Option<u64>,
}

impl Fact {
    /// Returns the fact as a limit, without the axis.
    fn plain(self) -> Fact {
        match self {
            Fact::Thread(Thread { below, .. }) => below.map_or(Fact::Nothing, Fact::Below),
            other => other,
        }
    }
}

/// Returns the part of an operation on thread indexes that is the same for all threads of a group: the group's share of
/// an index in the grid. Returns `None` otherwise.
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
        // The bits above the index in the group.
        (BinaryOp::And, Fact::Is(c)) if threads.is_power_of_two() && c.bits % threads == 0 => below,
        _ => return None,
    };
    Some(Part::new(UniformityLevel::Group, least.map_or(Fact::Nothing, Fact::Below)))
}

/// The facts about a part of a value or of memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Part {
    pub level: UniformityLevel,
    pub fact: Fact,
    /// For memory: the threads that stored it. For them `level` applies. When they reconverge with other threads, the
    /// value differs as they did.
    pub stored_by: Control,
}

impl Part {
    pub fn new(level: UniformityLevel, fact: Fact) -> Part {
        Part { level, fact, stored_by: Control::default() }
    }

    pub fn level(level: UniformityLevel) -> Part {
        Part::new(level, Fact::Nothing)
    }

    pub fn constant(value: ScalarConst) -> Part {
        Part::new(UniformityLevel::Grid, Fact::Is(value))
    }

    /// Returns the part as memory holds it after a store by these threads.
    pub fn stored(self, by: Control) -> Part {
        let matters = by.level > self.level;
        Part { stored_by: if matters { by } else { Control::default() }, ..self }
    }

    /// Returns the part as the threads at a statement see it.
    pub fn seen_by(self, control: Control) -> Part {
        let are_others = self.stored_by.cause != control.cause;
        let level = if are_others { self.level.max(self.stored_by.level) } else { self.level };
        Part::new(level, self.fact)
    }

    /// Adds another possible value. Returns whether anything changed.
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

    /// Returns the level. A constant is the same everywhere, regardless of its origin.
    pub fn seen(self) -> UniformityLevel {
        if matches!(self.fact, Fact::Is(_)) { UniformityLevel::Grid } else { self.level }
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

    pub fn at_least(self, level: UniformityLevel) -> Part {
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
    // A number below a limit, compared with the limit or more, or divided by it.
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
        // The result for an unknown number.
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
