//! The table of diagnostics: code, name, default severity, summary, explanation, examples, specification.
//!
//! `wgc explain`, the documentation and editors read it; a new diagnostic is a new row. Numbers are never reused.
//! 0001-0099 text and syntax, 0100-0199 names, types and declarations, 0200-0299 expressions and statements,
//! 0300-0399 one node, 0400-0499 the graph, 0500-0599 limits of a target, 0600-0699 lints.
//!
//! # Examples
//!
//! Each example is a whole program. `tests/explained.rs` passes it to `wgc check`: the wrong example gets the row's
//! diagnostic and no other, the right one gets none. Conventions express anything that needs more than one file:
//!
//! - `// options: --target spirv-amdx` as the first line: options of `wgc check` that the example needs;
//! - `// file: NAME` before the text of a further file of the example, in the same directory (`common.hlsl`, and
//!   `host.json` for `--host host.json`);
//! - U+FFFD, the character that editors show, stands for a byte that is not UTF-8;
//! - an example that begins with `wgc ` is a command line instead; `shader.hlsl` in it has one compute shader,
//!   `main`.
//!
//! Examples of rows below WG0300 may be parts of programs: the diagnostic for a program without nodes is ignored.

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// Advice that is often not wanted. Editors show it; commands show it only with `--warn`.
    Hint,
    Warning,
    Error,
}

/// A row of the table.
#[derive(Clone, Copy, Debug)]
pub struct CodeRow {
    /// `WG0303`
    pub code: &'static str,
    /// `missing-dispatch-grid`
    pub name: &'static str,
    pub severity: Severity,
    /// One line, without a full stop.
    pub summary: &'static str,
    /// The mistake and its consequences, for a reader who does not know the specification.
    pub explanation: &'static str,
    /// A program that gets the diagnostic and no other.
    pub bad: &'static str,
    /// The corrected program: it gets no diagnostic.
    pub good: &'static str,
    /// Section of the work-graph specification or of the language's documents; may be empty.
    pub spec: &'static str,
}

macro_rules! codes {
    ($($number:literal $variant:ident $name:literal $severity:ident
       $summary:literal $explanation:literal bad $bad:literal good $good:literal spec $spec:literal;)*) => {
        /// A kind of diagnostic. The order is that of the numbers.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Code { $($variant,)* }

        /// Rows in the order of [`Code`].
        pub const TABLE: &[CodeRow] = &[$(CodeRow {
            code: concat!("WG", $number),
            name: $name,
            severity: Severity::$severity,
            summary: $summary,
            explanation: $explanation,
            bad: program($bad),
            good: program($good),
            spec: $spec,
        },)*];

        impl Code {
            pub const ALL: &[Code] = &[$(Code::$variant,)*];
        }
    };
}

include!("codes.in");

/// Returns an example without the line break at the start of its raw string.
const fn program(text: &'static str) -> &'static str {
    match text.as_bytes() {
        [b'\n', ..] => text.split_at(1).1,
        _ => text,
    }
}

impl Code {
    pub fn row(self) -> &'static CodeRow {
        &TABLE[self as usize]
    }

    /// Returns whether DXC looks for this error only in programs without other errors. It does so for errors in
    /// functions that a shader calls, and for a missing semantic.
    pub(crate) fn is_late(self) -> bool {
        matches!(self, Code::LaunchOperation | Code::Derivatives | Code::BarrierScope | Code::MissingSemantic)
    }

    /// Finds a row by its number or name. Numbers may have any case and need no prefix or leading zeros: `WG0303`,
    /// `wg303` and `303` are one.
    pub fn find(text: &str) -> Option<Code> {
        let digits = text.get(..2).filter(|prefix| prefix.eq_ignore_ascii_case("WG")).map_or(text, |_| &text[2..]);
        let is_number = (1..=4).contains(&digits.len()) && digits.bytes().all(|b| b.is_ascii_digit());
        let code = if is_number { format!("WG{digits:0>4}") } else { String::new() };
        Code::ALL.iter().copied().find(|c| c.row().code == code || c.row().name == text)
    }
}

impl std::fmt::Display for Code {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.row().code)
    }
}

impl std::fmt::Display for Severity {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Severity::Hint => "hint",
            Severity::Warning => "warning",
            Severity::Error => "error",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn diagnostic_codes_ascend_and_names_are_unique() {
        for pair in TABLE.windows(2) {
            assert!(pair[0].code < pair[1].code, "{} before {}", pair[0].code, pair[1].code);
        }
        let mut names: Vec<_> = TABLE.iter().map(|r| r.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), TABLE.len());
    }

    #[test]
    fn diagnostic_codes_are_found_by_number_or_name() {
        for text in ["WG0345", "wg0345", "Wg345", "345", "0345", "varying-flow"] {
            assert_eq!(Code::find(text).map(|c| c.row().code), Some("WG0345"), "{text}");
        }
        for text in ["", "WG", "WG00345", "00345", "+345", "345 ", "WG-345", "WG0000"] {
            assert_eq!(Code::find(text), None, "{text:?}");
        }
        assert_eq!(Code::find("7").map(|c| c.row().code), Some("WG0007"));
    }

    #[test]
    fn rows_are_complete() {
        for row in TABLE {
            assert_eq!(row.code.len(), 6, "{}", row.code);
            assert!(row.name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-'), "{}", row.name);
            assert!(!row.summary.is_empty() && !row.summary.ends_with('.'), "{}", row.code);
            assert!(row.explanation.ends_with('.'), "{}", row.code);
            assert!(!row.bad.is_empty() && !row.good.is_empty() && row.bad != row.good, "{}", row.code);
        }
    }
}
