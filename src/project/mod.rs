//! Project files: `wgc.json` with named programs, and `shadertoolsconfig.json`, which editors read too.

pub mod confined;
pub mod formatting;
pub mod manifest;
pub mod tools_config;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use wgc_abi::file::Content;

/// Macros by name.
pub type Defines = BTreeMap<String, Scalar>;

/// The value of a macro in JSON.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(untagged)]
pub enum Scalar {
    Bool(bool),
    Int(i64),
    Float(f64),
    Text(String),
}

impl Scalar {
    /// Returns the value as source text: `true` is 1.
    pub fn text(&self) -> String {
        match self {
            Scalar::Bool(value) => u8::from(*value).to_string(),
            Scalar::Int(value) => value.to_string(),
            Scalar::Float(value) => value.to_string(),
            Scalar::Text(text) => text.clone(),
        }
    }
}

/// Returns the files of this name in the folder and in each parent. Below the current directory, paths stay relative.
pub(crate) fn upward(folder: &Path, name: &str) -> Vec<PathBuf> {
    let above = match std::env::current_dir() {
        Ok(current) if folder.is_relative() => current.ancestors().skip(1).map(Path::to_path_buf).collect(),
        _ => Vec::new(),
    };
    let folders = folder.ancestors().map(Path::to_path_buf).chain(above);
    folders.map(|folder| folder.join(name)).filter(|file| file.is_file()).collect()
}

/// Replaces comments and trailing commas in JSON by blanks, as many editors accept them. Error positions in the rest
/// stay correct.
fn without_comments(text: &str) -> String {
    let mut out: Vec<char> = text.chars().collect();
    let (mut at, mut comma, mut before) = (0, None, '[');
    while let Some(&c) = out.get(at) {
        let end = match (c, out.get(at + 1)) {
            ('"', _) => {
                let mut end = at + 1;
                while out.get(end).is_some_and(|c| *c != '"') {
                    end += if out.get(end) == Some(&'\\') { 2 } else { 1 };
                }
                end + 1
            }
            ('/', Some('/')) => out[at..].iter().position(|c| *c == '\n').map_or(out.len(), |n| at + n),
            ('/', Some('*')) => {
                let close = out[at + 2..].windows(2).position(|pair| pair == ['*', '/']);
                // The parser reports unclosed comments.
                let Some(close) = close else { break };
                at + close + 4
            }
            _ => at + 1,
        };
        match c {
            '/' if end > at + 1 => {
                let blank = |c: &mut char| *c = if *c == '\n' { '\n' } else { ' ' };
                out[at..end].iter_mut().for_each(blank);
            }
            ',' => comma = (!matches!(before, '[' | '{' | ':' | ',')).then_some(at),
            ']' | '}' => {
                if let Some(comma) = comma.take() {
                    out[comma] = ' ';
                }
            }
            _ if c.is_whitespace() => {}
            _ => comma = None,
        }
        if !out[at].is_whitespace() {
            before = c;
        }
        at = end;
    }
    out.into_iter().collect()
}

/// Reads a JSON file, which may have comments and trailing commas.
///
/// # Errors
/// A message with the file's name and, if known, the line and column.
pub(crate) fn read<T: DeserializeOwned>(path: &Path) -> Result<T, String> {
    let bytes = wgc_abi::file::read(path, Content::Settings);
    parsed(path, bytes.map_err(|e| format!("cannot read {}: {e}", path.display()))?)
}

/// Parses a JSON file that was read.
fn parsed<T: DeserializeOwned>(path: &Path, bytes: Vec<u8>) -> Result<T, String> {
    let shown = path.display();
    let text = String::from_utf8(bytes).map_err(|_| format!("cannot read {shown}: it is not UTF-8"))?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    serde_json::from_str(&without_comments(text)).map_err(|e| {
        let (line, column) = (e.line(), e.column());
        let message = e.to_string();
        let message = message.split(" at line ").next().unwrap_or_default();
        format!("{shown}:{line}:{column}: {message}")
    })
}

/// Resolves a path in a file, relative to the folder of that file.
pub(crate) fn beside(file: &Path, path: &str) -> String {
    let folder = file.parent().unwrap_or(Path::new(""));
    wgc_sema::db::normalize(&folder.join(path).to_string_lossy())
}

#[cfg(test)]
mod tests {
    use super::without_comments;

    #[test]
    fn comments_and_last_commas_become_blanks() {
        let cases = [
            ("{ \"a\": 1, // one\n}", "{ \"a\": 1        \n}"),
            ("[1, /* two,\n */ 2, ]", "[1,        \n    2  ]"),
            ("{ \"b\": \"// \\\" , } \" }", "{ \"b\": \"// \\\" , } \" }"),
            ("[1,, 2]", "[1,, 2]"),
            ("[ , ]", "[ , ]"),
            ("[1,,]", "[1,,]"),
            ("[1 / 2] /* open", "[1 / 2] /* open"),
            ("\"open \\", "\"open \\"),
            ("[[1,], [2,\n],]", "[[1 ], [2 \n] ]"),
        ];
        for (text, expected) in cases {
            assert_eq!(without_comments(text), expected, "{text}");
            assert_eq!(without_comments(text).lines().count(), text.lines().count());
        }
    }
}
