//! The file system, as the database sees it: sources by path, and the texts that are part of wgc itself.

use crate::internal_error::remember_source;
use wgc_sema::db::FileLoader;

/// Paths of texts that come with wgc (`stdlib/emulated`).
pub const BUILT_IN: &str = "wgc:emulated/";

/// Reads files; a path that begins with [`BUILT_IN`] is a text of the standard library.
pub struct Disk;

impl FileLoader for Disk {
    fn load(&self, path: &str) -> Option<Vec<u8>> {
        if let Some(name) = path.strip_prefix(BUILT_IN) {
            return wgc_stdlib::EMULATED.iter().find(|f| f.0 == name).map(|f| f.1.as_bytes().to_vec());
        }
        let bytes = std::fs::read(path).ok()?;
        remember_source(path, &bytes);
        Some(bytes)
    }
}
