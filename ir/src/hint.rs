//! Hints of the source about loops and branches. They change no result: back ends write them as control operands, and passes
//! that copy or rewrite a statement keep its hint.

/// Attributes of a loop.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct LoopHint {
    pub control: LoopControl,
    /// `[allow_uav_condition]`
    pub uav_condition: bool,
}

/// Whether a loop is unrolled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum LoopControl {
    /// The source leaves it open.
    #[default]
    Any,
    /// `[unroll]`, or `[unroll(n)]` with the number of iterations.
    Unroll(Option<u32>),
    /// `[loop]`
    Loop,
    /// `[fastopt]`
    FastOpt,
}

/// The attribute of an `if` or a `switch`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum BranchHint {
    /// The source leaves it open.
    #[default]
    Any,
    /// `[branch]`
    Branch,
    /// `[flatten]`
    Flatten,
    /// `[call]`, of a `switch` alone.
    Call,
    /// `[forcecase]`, of a `switch` alone.
    ForceCase,
}

impl BranchHint {
    /// Whether only a `switch` takes the hint.
    pub fn is_of_switch(self) -> bool {
        matches!(self, BranchHint::Call | BranchHint::ForceCase)
    }
}
