//! `shadertoolsconfig.json`: macros and include directories of the files below its folder, as HLSL Tools has them.
//!
//! Every such file from a source's folder upward counts, the nearest one first; one with `"root": true` is the last.
//! Keys that concern editors alone are left to them.

use super::{Defines, beside, parsed, read, upward};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

const NAME: &str = "shadertoolsconfig.json";

/// What all files together say about one source.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ToolsConfig {
    /// Name and value.
    pub defines: BTreeMap<String, String>,
    /// Nearest first.
    pub include_dirs: Vec<String>,
    /// A beginning of included names, and the folder that it stands for.
    pub mappings: Vec<(String, String)>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct File {
    root: bool,
    #[serde(rename = "hlsl.preprocessorDefinitions")]
    defines: Defines,
    #[serde(rename = "hlsl.additionalIncludeDirectories")]
    include_dirs: Vec<String>,
    #[serde(rename = "hlsl.virtualDirectoryMappings")]
    mappings: BTreeMap<String, String>,
}

impl ToolsConfig {
    /// What holds for a source file. With `roots`, files outside of these folders are as if they were not there.
    ///
    /// # Errors
    /// A message about a file that is no such JSON.
    pub fn of(source: &str, roots: &[String]) -> Result<ToolsConfig, String> {
        let folder = Path::new(source).parent().unwrap_or(Path::new(""));
        let mut out = ToolsConfig::default();
        let within = |path: &PathBuf| {
            path.canonicalize().is_ok_and(|real| roots.is_empty() || roots.iter().any(|root| real.starts_with(root)))
        };
        for path in upward(folder, NAME).into_iter().filter(within) {
            let file: File = read(&path)?;
            if out.take(&path, &file) {
                break;
            }
        }
        Ok(out)
    }

    /// Adds what a file says that was read; gives whether it is the last one.
    ///
    /// # Errors
    /// As [`ToolsConfig::of`].
    pub fn add(&mut self, path: &Path, bytes: Vec<u8>) -> Result<bool, String> {
        Ok(self.take(path, &parsed(path, bytes)?))
    }

    fn take(&mut self, path: &Path, file: &File) -> bool {
        for (name, value) in &file.defines {
            self.defines.entry(name.clone()).or_insert_with(|| value.text());
        }
        self.include_dirs.extend(file.include_dirs.iter().map(|dir| beside(path, dir)));
        for (from, to) in &file.mappings {
            if self.mappings.iter().all(|(other, _)| other != from) {
                self.mappings.push((from.clone(), beside(path, to)));
            }
        }
        file.root
    }
}
