//! `shadertoolsconfig.json`, the configuration of HLSL Tools: macros and include directories for all files below its
//! folder.
//!
//! Every such file from a source's folder upward applies, the nearest one first, up to one with `"root": true`. Keys
//! that only concern editors are ignored.

use super::{Defines, in_folder_of, parsed, read, upward};
use crate::loader::is_outside;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

const NAME: &str = "shadertoolsconfig.json";

/// The combined settings for one source.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ToolsConfig {
    /// Name and value.
    pub defines: BTreeMap<String, String>,
    /// The nearest directories come first.
    pub include_dirs: Vec<String>,
    /// A prefix of included names, and the folder that it stands for.
    pub mappings: Vec<(String, String)>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default, expecting = "an object")]
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
    /// Returns the settings for a source file. With `roots`, files outside these folders are ignored.
    ///
    /// # Errors
    /// A message about an invalid file.
    pub fn of(source: &str, roots: &[String]) -> Result<ToolsConfig, String> {
        let folder = Path::new(source).parent().unwrap_or(Path::new(""));
        let mut out = ToolsConfig::default();
        let may_read = |path: &PathBuf| !is_outside(&path.to_string_lossy(), roots);
        for path in upward(folder, NAME).into_iter().filter(may_read) {
            let file: File = read(&path)?;
            if out.take(&path, &file) {
                break;
            }
        }
        Ok(out)
    }

    /// Adds the settings of a file that was read. Returns whether it is the last one.
    ///
    /// # Errors
    /// Those of [`ToolsConfig::of`].
    pub fn add(&mut self, path: &Path, bytes: Vec<u8>) -> Result<bool, String> {
        Ok(self.take(path, &parsed(path, bytes)?))
    }

    fn take(&mut self, path: &Path, file: &File) -> bool {
        for (name, value) in &file.defines {
            self.defines.entry(name.clone()).or_insert_with(|| value.text());
        }
        self.include_dirs.extend(file.include_dirs.iter().map(|dir| in_folder_of(path, dir)));
        for (from, to) in &file.mappings {
            if self.mappings.iter().all(|(other, _)| other != from) {
                self.mappings.push((from.clone(), in_folder_of(path, to)));
            }
        }
        file.root
    }
}
