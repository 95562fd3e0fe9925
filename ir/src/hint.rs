//! Source hints about loops and branches. They change no result: back ends write them as control operands. Passes that
//! copy or rewrite a statement keep its hint.

/// Attributes of a loop.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct LoopHint {
    pub control: LoopControl,
    /// `[allow_uav_condition]`
    pub uav_condition: bool,
}

/// The unrolling of a loop.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum LoopControl {
    /// Unspecified in the source.
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
    /// Unspecified in the source.
    #[default]
    Any,
    /// `[branch]`
    Branch,
    /// `[flatten]`
    Flatten,
    /// `[call]`, only on a `switch`.
    Call,
    /// `[forcecase]`, only on a `switch`.
    ForceCase,
}

impl BranchHint {
    /// Returns whether the hint is valid on a `switch` only.
    pub fn is_of_switch(self) -> bool {
        matches!(self, BranchHint::Call | BranchHint::ForceCase)
    }
}
