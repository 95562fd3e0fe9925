//! A project's format settings: the key `format` of `wgc.json`, merged with other sources.

use super::manifest::Manifest;
use serde::Deserialize;
use std::path::Path;
use wgc_fmt::{Braces, Style};

/// The key `format`. Missing values come from another source or the defaults.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object with settings of the format")]
pub struct Format {
    pub indent: Option<u32>,
    pub tabs: Option<bool>,
    pub columns: Option<u32>,
    pub braces: Option<BracePosition>,
    pub indent_cases: Option<bool>,
}

/// The names of [`Braces`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BracePosition {
    Keep,
    NextLine,
    SameLine,
}

pub const PLACES: &[&str] = &["keep", "next-line", "same-line"];

impl BracePosition {
    /// Finds a value by one of [`PLACES`].
    pub fn find(name: &str) -> Option<BracePosition> {
        match name {
            "keep" => Some(BracePosition::Keep),
            "next-line" => Some(BracePosition::NextLine),
            "same-line" => Some(BracePosition::SameLine),
            _ => None,
        }
    }
}

/// Sensible widths of indentation and pages.
const INDENTS: std::ops::RangeInclusive<u32> = 1..=16;
const COLUMNS: std::ops::RangeInclusive<u32> = 40..=1000;

impl Format {
    /// Completes `self` with the values of `other`.
    pub fn or(self, other: Format) -> Format {
        Format {
            indent: self.indent.or(other.indent),
            tabs: self.tabs.or(other.tabs),
            columns: self.columns.or(other.columns),
            braces: self.braces.or(other.braces),
            indent_cases: self.indent_cases.or(other.indent_cases),
        }
    }

    /// Returns the style.
    ///
    /// # Errors
    /// A message about a number out of range.
    pub fn style(&self) -> Result<Style, String> {
        let checked = |name: &str, given: Option<u32>, default: u32, legal: std::ops::RangeInclusive<u32>| {
            let value = given.unwrap_or(default);
            let (least, most) = (*legal.start(), *legal.end());
            if legal.contains(&value) {
                Ok(value)
            } else {
                Err(format!("{name} must be {least} to {most}, not {value}"))
            }
        };
        let default = Style::default();
        Ok(Style {
            indent: checked("indent", self.indent, default.indent, INDENTS)?,
            tabs: self.tabs.unwrap_or(default.tabs),
            columns: checked("columns", self.columns, default.columns, COLUMNS)?,
            braces: match self.braces {
                None => default.braces,
                Some(BracePosition::Keep) => Braces::Keep,
                Some(BracePosition::NextLine) => Braces::NextLine,
                Some(BracePosition::SameLine) => Braces::SameLine,
            },
            indent_cases: self.indent_cases,
        })
    }

    /// Returns the format from the nearest `wgc.json`.
    ///
    /// # Errors
    /// A message about an invalid `wgc.json`.
    pub fn of(path: &str) -> Result<Format, String> {
        let folder = Path::new(path).parent().unwrap_or(Path::new(""));
        Ok(Manifest::of(folder)?.map(|manifest| manifest.format()).unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brace_positions_match_command_line_names() {
        for name in PLACES {
            let read: BracePosition = serde_json::from_value(serde_json::json!(name)).expect("it is one");
            assert_eq!(BracePosition::find(name), Some(read));
        }
        assert_eq!(BracePosition::find("left"), None);
    }

    #[test]
    fn nearer_format_settings_win_and_values_are_checked() {
        let near = Format { indent: Some(2), ..Format::default() };
        let far = Format { indent: Some(8), tabs: Some(true), ..Format::default() };
        let style = near.or(far).style().expect("it is one");
        assert_eq!((style.indent, style.tabs, style.columns), (2, true, 120));
        let wrong = Format { columns: Some(3), ..Format::default() };
        assert_eq!(wrong.style(), Err("columns must be 40 to 1000, not 3".into()));
        let wrong = Format { indent: Some(0), ..Format::default() };
        assert_eq!(wrong.style(), Err("indent must be 1 to 16, not 0".into()));
    }
}
