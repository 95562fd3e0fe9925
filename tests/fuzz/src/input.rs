//! The form of inputs that are more than one text: sections, each after a line that begins with `//@`.
//!
//! ```text
//! //@ options library 16bit
//! #include "other.hlsl"
//! //@ file other.hlsl
//! struct S { uint x; };
//! ```
//!
//! The lines are comments of HLSL, so that a mutated input stays one, and any bytes are an input.

use wgc_sema::db::Options;

/// The name of the first file.
pub const MAIN: &str = "input.hlsl";

/// A part of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Section<'a> {
    /// The tokens of its line after `//@`; empty before the first such line.
    pub head: &'a [u8],
    pub body: &'a [u8],
}

/// Divides an input into sections. The first one has no line.
pub fn sections(input: &[u8]) -> Vec<Section<'_>> {
    let mut out = vec![Section { head: b"", body: b"" }];
    let (mut start, mut at) = (0, 0);
    while at < input.len() {
        let end = input[at..].iter().position(|byte| *byte == b'\n').map_or(input.len(), |n| at + n + 1);
        if let Some(head) = input[at..end].strip_prefix(b"//@") {
            if let Some(last) = out.last_mut() {
                last.body = &input[start..at];
            }
            out.push(Section { head: head.trim_ascii(), body: b"" });
            start = end;
        }
        at = end;
    }
    if let Some(last) = out.last_mut() {
        last.body = &input[start..];
    }
    out
}

/// A program: texts by name, and its options.
#[derive(Clone, Debug)]
pub struct ProgramInput {
    /// Starts with [`MAIN`]. Names are unique.
    pub files: Vec<(String, Vec<u8>)>,
    pub options: Options,
    /// True if debug information is requested.
    pub debug: bool,
}

/// Sets an option from a token of a line `//@ options`.
fn option(word: &str, input: &mut ProgramInput) {
    let options = &mut input.options;
    match word {
        "16bit" => options.enable_16bit_types = true,
        "debug" => input.debug = true,
        "library" => options.library = true,
        "precise" => options.precise = true,
        "row-major" => options.row_major = true,
        _ => match word.split_once('=') {
            Some(("entry", name)) => options.compute_entry = Some(name.to_owned()),
            Some(("hv", year)) => options.hlsl_version = year.parse().ok(),
            Some(("define", name)) => options.defines.push((name.to_owned(), "1".to_owned())),
            _ => {}
        },
    }
}

/// Returns the program that an input describes. Its files can include one another, but no files of the disk.
pub fn program(input: &[u8]) -> ProgramInput {
    let options = Options { include_roots: vec!["/no folder".to_owned()], ..Options::default() };
    let mut out = ProgramInput { files: vec![(MAIN.to_owned(), Vec::new())], options, debug: false };
    // The text after a line of options still belongs to the file.
    let mut current = 0;
    for section in sections(input) {
        let head = String::from_utf8_lossy(section.head);
        let mut words = head.split_ascii_whitespace();
        match (words.next(), words.next()) {
            (Some("file"), Some(name)) => {
                let name = wgc_sema::db::normalize(name);
                let known = out.files.iter().position(|(other, _)| *other == name);
                current = known.unwrap_or(out.files.len());
                if known.is_none() {
                    out.files.push((name, Vec::new()));
                }
            }
            (Some("options"), first) => first.into_iter().chain(words).for_each(|word| option(word, &mut out)),
            _ => {}
        }
        out.files[current].1.extend_from_slice(section.body);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_cover_the_whole_input() {
        let found = sections(b"a\n//@ x y \nb\n//@\n//@z\n");
        let found: Vec<(&[u8], &[u8])> = found.iter().map(|section| (section.head, section.body)).collect();
        assert_eq!(found, [(&b""[..], &b"a\n"[..]), (b"x y", b"b\n"), (b"", b""), (b"z", b"")]);
        assert_eq!(sections(b"").len(), 1);
    }

    #[test]
    fn a_program_has_files_and_options() {
        let found = program(b"//@ options library hv=2018\nA\n//@ file b.h\nB\n//@ file input.hlsl\nC");
        assert!(found.options.library && found.options.hlsl_version == Some(2018));
        let files: Vec<(&str, &[u8])> = found.files.iter().map(|(name, text)| (&**name, &**text)).collect();
        assert_eq!(files, [(MAIN, &b"A\nC"[..]), ("b.h", b"B\n")]);
    }
}
