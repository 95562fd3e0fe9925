//! Project files: `wgc.json` with named programs, and `shadertoolsconfig.json`, which editors read too.

pub mod confined;
pub mod formatting;
pub mod manifest;
pub mod tools_config;

use serde::de::{DeserializeOwned, Visitor};
use serde::{Deserialize, Deserializer};
use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use wgc_abi::file::Content;
use wgc_json::{SyntaxError, line_column};

/// Macros by name.
pub type Defines = BTreeMap<String, Scalar>;

/// The value of a macro in JSON.
#[derive(Clone, Debug, PartialEq)]
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

impl<'de> Deserialize<'de> for Scalar {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Scalar, D::Error> {
        struct OfScalar;

        impl Visitor<'_> for OfScalar {
            type Value = Scalar;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("a string, a number, true or false")
            }

            fn visit_bool<E>(self, value: bool) -> Result<Scalar, E> {
                Ok(Scalar::Bool(value))
            }

            fn visit_i64<E>(self, value: i64) -> Result<Scalar, E> {
                Ok(Scalar::Int(value))
            }

            fn visit_u64<E>(self, value: u64) -> Result<Scalar, E> {
                Ok(i64::try_from(value).map_or(Scalar::Float(value as f64), Scalar::Int))
            }

            fn visit_f64<E>(self, value: f64) -> Result<Scalar, E> {
                Ok(Scalar::Float(value))
            }

            fn visit_str<E>(self, value: &str) -> Result<Scalar, E> {
                Ok(Scalar::Text(value.to_owned()))
            }
        }

        deserializer.deserialize_any(OfScalar)
    }
}

/// Words of serde's messages, and those of JSON.
const WORDS: &[(&str, &str)] = &[
    ("invalid type: sequence", "invalid type: list"),
    ("invalid type: map", "invalid type: object"),
    ("expected a map", "expected an object"),
    ("expected a sequence", "expected a list"),
    ("expected u32", "expected a number from 0 to 4294967295"),
    ("unknown field", "unknown key"),
    ("missing field", "missing key"),
    ("unknown variant", "unknown value"),
    // The text is JSON, so a name is missing where there are few.
    ("expected value", "expected a string"),
];

/// Returns the files of this name in the folder and in each parent. Below the current directory, paths stay relative.
pub(crate) fn upward(folder: &Path, name: &str) -> Vec<PathBuf> {
    let above = match std::env::current_dir() {
        Ok(current) if folder.is_relative() => current.ancestors().skip(1).map(Path::to_path_buf).collect(),
        _ => Vec::new(),
    };
    let folders = folder.ancestors().map(Path::to_path_buf).chain(above);
    folders.map(|folder| folder.join(name)).filter(|file| file.is_file()).collect()
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
    let wrong = |line, column, message: &str| format!("{shown}:{line}:{column}: {message}");
    let at = |error: SyntaxError| {
        let (line, column) = line_column(text, error.at);
        wrong(line, column, &error.message)
    };
    let value = wgc_json::parse(text).map_err(at)?;
    value.duplicate().map_or(Ok(()), |error| Err(at(error)))?;
    serde_json::from_str(&value.without_comments(text)).map_err(|e| {
        let message = e.to_string();
        let message = message.split(" at line ").next().unwrap_or_default();
        let message = WORDS.iter().fold(message.to_owned(), |text, (word, ours)| text.replace(word, ours));
        wrong(e.line(), e.column(), &message)
    })
}

/// Resolves a path in a file, relative to the folder of that file.
pub(crate) fn in_folder_of(file: &Path, path: &str) -> String {
    let folder = file.parent().unwrap_or(Path::new(""));
    wgc_sema::db::normalize(&folder.join(path).to_string_lossy())
}
