//! Files about a project: `wgc.json`, programs by name, and `shadertoolsconfig.json`, which editors read too.

pub mod manifest;
pub mod tools_config;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Macros by name.
pub type Defines = BTreeMap<String, Scalar>;

/// What a macro may stand for, as JSON has it.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(untagged)]
pub enum Scalar {
    Bool(bool),
    Int(i64),
    Float(f64),
    Text(String),
}

impl Scalar {
    /// As it stands in a source: `true` is 1.
    pub fn text(&self) -> String {
        match self {
            Scalar::Bool(value) => u8::from(*value).to_string(),
            Scalar::Int(value) => value.to_string(),
            Scalar::Float(value) => value.to_string(),
            Scalar::Text(text) => text.clone(),
        }
    }
}

/// Files of this name in the folder, then in each folder around it. Below the current directory paths stay relative.
pub(crate) fn upward(folder: &Path, name: &str) -> Vec<PathBuf> {
    let above = match std::env::current_dir() {
        Ok(current) if folder.is_relative() => current.ancestors().skip(1).map(Path::to_path_buf).collect(),
        _ => Vec::new(),
    };
    let folders = folder.ancestors().map(Path::to_path_buf).chain(above);
    folders.map(|folder| folder.join(name)).filter(|file| file.is_file()).collect()
}

/// Reads a file of JSON.
///
/// # Errors
/// A message with the file's name and, where there is one, the line and column.
pub(crate) fn read<T: DeserializeOwned>(path: &Path) -> Result<T, String> {
    let shown = path.display();
    let text = std::fs::read_to_string(path).map_err(|e| format!("cannot read {shown}: {e}"))?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    serde_json::from_str(text).map_err(|e| {
        let (line, column) = (e.line(), e.column());
        let message = e.to_string();
        let message = message.split(" at line ").next().unwrap_or_default();
        format!("{shown}:{line}:{column}: {message}")
    })
}

/// A path that a file names, relative to the folder of that file.
pub(crate) fn beside(file: &Path, path: &str) -> String {
    let folder = file.parent().unwrap_or(Path::new(""));
    wgc_sema::db::normalize(&folder.join(path).to_string_lossy())
}
