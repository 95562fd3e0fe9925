//! Visible control characters: no source or name may control the terminal that shows its diagnostics.

use codespan_reporting::term::termcolor::{ColorSpec, WriteColor};
use std::borrow::Cow;
use std::io::{Result, Write};

/// Returns the replacement of a control character: its picture from Unicode's "Control Pictures", or U+FFFD if there is
/// none. Characters that change the direction of text are replaced, too.
fn picture(c: char) -> Option<char> {
    match c {
        '\n' | '\t' => None,
        '\0'..='\x1f' => char::from_u32(0x2400 + c as u32),
        '\x7f' => Some('\u{2421}'),
        '\u{80}'..='\u{9f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => Some('\u{fffd}'),
        _ => None,
    }
}

/// Replaces each control character except line feed and tab by one visible character.
pub fn visible(text: &str) -> Cow<'_, str> {
    match text.chars().any(|c| picture(c).is_some()) {
        true => text.chars().map(|c| picture(c).unwrap_or(c)).collect::<String>().into(),
        false => text.into(),
    }
}

/// A writer that passes on text with [`visible`] characters. Colours stay unchanged.
pub struct Visible<W>(pub W);

impl<W: Write> Write for Visible<W> {
    fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        // Formatted text never splits a character.
        match std::str::from_utf8(bytes) {
            Ok(text) => self.0.write_all(visible(text).as_bytes())?,
            Err(_) => self.0.write_all(bytes)?,
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> Result<()> {
        self.0.flush()
    }
}

impl<W: WriteColor> WriteColor for Visible<W> {
    fn supports_color(&self) -> bool {
        self.0.supports_color()
    }

    fn set_color(&mut self, spec: &ColorSpec) -> Result<()> {
        self.0.set_color(spec)
    }

    fn reset(&mut self) -> Result<()> {
        self.0.reset()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use codespan_reporting::term::termcolor::{Ansi, Color};

    #[test]
    fn control_characters_become_visible_but_colours_pass() {
        assert_eq!(visible("a\tb\n"), "a\tb\n");
        assert_eq!(
            visible("\u{1b}]0;x\u{7}\r\u{7f}\u{9b}\u{202e}"),
            "\u{241b}]0;x\u{2407}\u{240d}\u{2421}\u{fffd}\u{fffd}"
        );
        let mut out = Visible(Ansi::new(Vec::new()));
        out.set_color(ColorSpec::new().set_fg(Some(Color::Red))).unwrap();
        write!(out, "\u{1b}[2J").unwrap();
        let text = String::from_utf8(out.0.into_inner()).unwrap();
        assert!(text.starts_with("\u{1b}[") && text.ends_with("\u{241b}[2J"), "{text:?}");
    }
}
