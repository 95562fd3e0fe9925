//! The file system, as the database sees it: sources by path, and the texts that are part of wgc itself.

use crate::internal_error::remember_source;
use rustc_hash::FxHashMap;
use std::path::Path;
use wgc_abi::file;
use wgc_sema::db::{FileLoader, normalize};

/// Paths of texts that come with wgc (`stdlib/emulated`).
pub const BUILT_IN: &str = "wgc:emulated/";

/// What standard input is called in messages, when the command line says `-`.
pub const STANDARD_INPUT: &str = "<stdin>";

/// As [`Disk`], for a server that lives long: no source is kept for the report of an internal error.
pub struct Forgetful;

impl FileLoader for Forgetful {
    fn load(&self, path: &str) -> Option<Vec<u8>> {
        if path.starts_with(BUILT_IN) { Disk.load(path) } else { std::fs::read(path).ok() }
    }
}

/// Reads files, and standard input once; a path that begins with [`BUILT_IN`] is a text of the standard library.
pub struct Disk;

impl FileLoader for Disk {
    fn load(&self, path: &str) -> Option<Vec<u8>> {
        if let Some(name) = path.strip_prefix(BUILT_IN) {
            return wgc_stdlib::EMULATED.iter().find(|f| f.0 == name).map(|f| f.1.as_bytes().to_vec());
        }
        let bytes = read(path).ok()?;
        remember_source(path, &bytes);
        Some(bytes)
    }
}

/// Reads a file that a command line names, or standard input.
///
/// # Errors
/// It cannot be read, or is too large.
pub fn read(path: &str) -> std::io::Result<Vec<u8>> {
    match path {
        STANDARD_INPUT => file::read_all(std::io::stdin().lock()),
        path => file::read(Path::new(path)),
    }
}

/// Files that a command has read already, and [`Disk`] for all others. No file is opened again: a pipe gives its contents
/// once.
#[derive(Default)]
pub struct Given {
    texts: FxHashMap<String, Vec<u8>>,
}

impl Given {
    /// Adds the contents of a file.
    pub fn add(&mut self, path: &str, bytes: Vec<u8>) {
        self.texts.insert(normalize(path), bytes);
    }

    /// The contents of a file that was added.
    pub fn text(&self, path: &str) -> Option<&[u8]> {
        self.texts.get(&normalize(path)).map(Vec::as_slice)
    }
}

impl FileLoader for Given {
    fn load(&self, path: &str) -> Option<Vec<u8>> {
        let Some(bytes) = self.text(path) else { return Disk.load(path) };
        remember_source(path, bytes);
        Some(bytes.to_vec())
    }
}
