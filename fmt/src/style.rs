//! Style options. The defaults match most shaders.

/// The positions of braces of blocks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Braces {
    /// Unchanged: on the line of the construct or on the next one.
    #[default]
    Keep,
    NextLine,
    SameLine,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Style {
    /// Columns per indentation level.
    pub indent: u32,
    /// Indents with tabs of that width. Alignment uses spaces after them.
    pub tabs: bool,
    /// The line length: longer lines are broken where possible.
    pub columns: u32,
    pub braces: Braces,
    /// Indents `case` relative to its `switch`; `None` follows the first one in the text.
    pub indent_cases: Option<bool>,
}

impl Default for Style {
    fn default() -> Style {
        Style { indent: 4, tabs: false, columns: 120, braces: Braces::Keep, indent_cases: None }
    }
}
