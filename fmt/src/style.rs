//! What can be chosen. Each default is what most shaders look like.

/// Where the braces of blocks stand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Braces {
    /// Where the text has them: on the line of what they belong to, or on the next.
    #[default]
    Keep,
    NextLine,
    SameLine,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Style {
    /// Columns of one step.
    pub indent: u32,
    /// Steps are tabs of that width. What is aligned has spaces behind them.
    pub tabs: bool,
    /// Longer lines are broken where they can be.
    pub columns: u32,
    pub braces: Braces,
    /// Whether `case` stands a step deeper than its `switch`; `None`: as the text has the first.
    pub indent_cases: Option<bool>,
}

impl Default for Style {
    fn default() -> Style {
        Style { indent: 4, tabs: false, columns: 120, braces: Braces::Keep, indent_cases: None }
    }
}
