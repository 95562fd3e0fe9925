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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::manifest::*;

    fn package() -> Package {
        let module = |file: &str| ModuleRef {
            file: file.to_owned(),
            entry: "main".to_owned(),
            group_size: [64, 1, 1],
            subgroup_size: None,
        };
        let manifest = Manifest {
            version: VERSION,
            min_pages: 1,
            features: vec![],
            limits: Limits { group_threads: 64 },
            modules: vec![module("sched/prep.spv"), module("nodes/a.spv")],
            kernels: Kernels { prep: 0, inject: 0, sched: 0, scatter: None },
            instances: vec![],
            stages: vec![],
            entrypoints: vec![EntryPoint {
                node: crate::NodeName { name: "a".to_owned(), index: 3 },
                queue: 0,
                record: None,
            }],
            bindings: vec![],
            push_constants: None,
            spec_constants: Vec::new(),
            root_signatures: Vec::new(),
            push_bytes: 16,
            buffers: Buffers {
                context_bytes: 256,
                tables_bytes: 3,
                queue_state_bytes: 128,
                instance_state_bytes: 128,
                arguments_bytes: 16,
                status_bytes: 64,
                span_bytes: 32,
                page_entry_bytes: 8,
                page_bytes: 65536,
            },
        };
        let modules = [("sched/prep.spv".to_owned(), vec![0x0723_0203, 5]), ("nodes/a.spv".to_owned(), vec![7])];
        Package { manifest, tables: vec![1, 2, 3], modules: modules.into() }
    }

    /// Writes the files, lets `change` spoil them, and reads them back.
    fn reread(change: impl FnOnce(&Path)) -> Result<Package, PackageError> {
        let dir = tempfile::tempdir().unwrap();
        let dir = dir.path();
        for (file, bytes) in package().files().unwrap() {
            let path = dir.join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, bytes).unwrap();
        }
        change(dir);
        Package::read(dir)
    }

    fn replace(dir: &Path, from: &str, to: &str) {
        let path = dir.join(MANIFEST);
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.contains(from), "{text}");
        std::fs::write(path, text.replace(from, to)).unwrap();
    }

    #[test]
    fn what_is_written_reads_back() {
        assert_eq!(reread(|_| {}).unwrap(), package());
    }

    #[test]
    fn directories_that_are_no_packages_say_why() {
        let says = |change: fn(&Path)| reread(change).unwrap_err().to_string();
        let version = says(|dir| replace(dir, "\"version\": 3", "\"version\": 7"));
        assert_eq!(version, "manifest.json has version 7, this program reads 3");
        let escape = says(|dir| replace(dir, "nodes/a.spv", "nodes/../../a.spv"));
        assert_eq!(escape, "nodes/../../a.spv is not a SPIR-V module of this package");
        let odd = says(|dir| std::fs::write(dir.join("nodes/a.spv"), [1, 2, 3]).unwrap());
        assert_eq!(odd, "nodes/a.spv is not a SPIR-V module of this package");
        let missing = says(|dir| std::fs::remove_file(dir.join(TABLES)).unwrap());
        assert!(missing.starts_with("cannot read tables.bin: "), "{missing}");
        let field = says(|dir| replace(dir, "\"push_bytes\"", "\"push_byte\""));
        assert!(field.contains("missing field `push_bytes`"), "{field}");
    }
}
