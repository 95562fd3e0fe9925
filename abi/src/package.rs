//! An emulated package as a value: manifest, tables and modules. Reading and writing directories is its only I/O, on
//! demand of the caller.

use crate::manifest::{Manifest, VERSION};
use indexmap::IndexMap;
use std::fmt;
use std::path::Path;

/// Name of the manifest in a package directory.
pub const MANIFEST: &str = "manifest.json";
/// Name of the tables in a package directory.
pub const TABLES: &str = "tables.bin";

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Package {
    pub manifest: Manifest,
    /// `tables.bin`: see [`crate::tables`].
    pub tables: Vec<u8>,
    /// SPIR-V words by file name relative to the package (`nodes/x.spv`, `sched/prep.spv`).
    pub modules: IndexMap<String, Vec<u32>>,
}

/// Why a directory is no package.
#[derive(Debug)]
pub enum PackageError {
    Io {
        file: String,
        error: std::io::Error,
    },
    Manifest {
        error: serde_json::Error,
    },
    Version {
        found: u32,
    },
    /// A module's size is not a multiple of four bytes, or its name leaves the package.
    Module {
        file: String,
    },
}

impl fmt::Display for PackageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io { file, error } => write!(f, "cannot read {file}: {error}"),
            Self::Manifest { error } => write!(f, "{MANIFEST} is not a valid manifest: {error}"),
            Self::Version { found } => write!(f, "{MANIFEST} has version {found}, this program reads {VERSION}"),
            Self::Module { file } => write!(f, "{file} is not a SPIR-V module of this package"),
        }
    }
}

impl std::error::Error for PackageError {}

impl Package {
    /// The files of the package in the order they should be written: name relative to the package and contents.
    pub fn files(&self) -> Result<Vec<(String, Vec<u8>)>, serde_json::Error> {
        let mut manifest = serde_json::to_vec_pretty(&self.manifest)?;
        manifest.push(b'\n');
        let mut files = vec![(MANIFEST.to_owned(), manifest), (TABLES.to_owned(), self.tables.clone())];
        for (name, words) in &self.modules {
            files.push((name.clone(), words.iter().flat_map(|w| w.to_le_bytes()).collect()));
        }
        Ok(files)
    }

    /// Reads a `.wgcpkg` directory.
    pub fn read(dir: &Path) -> Result<Package, PackageError> {
        let file = |name: &str| {
            std::fs::read(dir.join(name)).map_err(|error| PackageError::Io { file: name.to_owned(), error })
        };
        let manifest: serde_json::Value =
            serde_json::from_slice(&file(MANIFEST)?).map_err(|error| PackageError::Manifest { error })?;
        // The version first: another version's manifest should say so and not fail on some field.
        let found = manifest.get("version").and_then(|v| v.as_u64()).unwrap_or(0);
        if found != u64::from(VERSION) {
            return Err(PackageError::Version { found: found.try_into().unwrap_or(u32::MAX) });
        }
        let manifest: Manifest = serde_json::from_value(manifest).map_err(|error| PackageError::Manifest { error })?;
        let mut modules = IndexMap::new();
        for module in &manifest.modules {
            let inside = module.file.split('/').all(|part| !part.is_empty() && part != "." && part != "..");
            if !inside || module.file.contains('\\') || module.file.contains(':') {
                return Err(PackageError::Module { file: module.file.clone() });
            }
            let bytes = file(&module.file)?;
            let (words, rest) = bytes.as_chunks::<4>();
            if !rest.is_empty() {
                return Err(PackageError::Module { file: module.file.clone() });
            }
            modules.insert(module.file.clone(), words.iter().map(|w| u32::from_le_bytes(*w)).collect());
        }
        Ok(Package { tables: file(TABLES)?, manifest, modules })
    }
}
