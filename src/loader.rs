//! The file system, as the database sees it: sources by path, and the texts that are part of wgc itself.

use crate::internal_error::remember_source;
use std::io::Read;
use wgc_sema::db::FileLoader;

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
        let bytes = match path {
            STANDARD_INPUT => {
                let mut bytes = Vec::new();
                std::io::stdin().lock().read_to_end(&mut bytes).ok()?;
                bytes
            }
            path => std::fs::read(path).ok()?,
        };
        remember_source(path, &bytes);
        Some(bytes)
    }
}
