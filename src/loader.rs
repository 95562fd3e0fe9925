//! The file system for the database: sources by path, and the built-in texts.

use crate::internal_error::remember_source;
use rustc_hash::FxHashMap;
use std::path::Path;
use wgc_abi::file::{self, Content};
use wgc_device_library::{BUILT_IN, Texts};
use wgc_sema::db::{FileLoader, Standing, is_built_in, normalize};

/// The name of standard input (`-`) in messages.
pub const STANDARD_INPUT: &str = "<stdin>";

/// Works like [`Disk`] in a long-lived server: keeps no sources for the report of an internal error.
pub struct Forgetful;

impl FileLoader for Forgetful {
    fn load(&self, path: &str) -> Option<Vec<u8>> {
        match path.starts_with(BUILT_IN) {
            true => Texts.load(path),
            false => file::read(Path::new(path), Content::Source).ok(),
        }
    }

    fn standing(&self, path: &str) -> Standing {
        Disk.standing(path)
    }
}

/// Reads regular files. A path that begins with [`BUILT_IN`] is a text of the standard library.
pub struct Disk;

impl FileLoader for Disk {
    fn load(&self, path: &str) -> Option<Vec<u8>> {
        if path.starts_with(BUILT_IN) {
            return Texts.load(path);
        }
        let bytes = file::read(Path::new(path), Content::Source).ok()?;
        remember_source(path, &bytes);
        Some(bytes)
    }

    fn standing(&self, path: &str) -> Standing {
        if path.starts_with(BUILT_IN) {
            return Standing::default();
        }
        Standing { real: real_path(path), refusal: file::refusal(Path::new(path), Content::Source) }
    }
}

/// Returns the absolute path of an existing file or folder, with links resolved.
pub fn real_path(path: &str) -> Option<String> {
    let path = if path.is_empty() { "." } else { path };
    std::fs::canonicalize(path).ok().map(|real| real.to_string_lossy().into_owned())
}

/// Returns whether an existing file is outside of all these folders, after links are resolved. Without folders, no file is.
pub fn is_outside(path: &str, roots: &[String]) -> bool {
    let is_in_none = |real: String| !roots.iter().any(|root| Path::new(&real).starts_with(root));
    !roots.is_empty() && real_path(path).is_some_and(is_in_none)
}

/// The message for a file outside of the folders that a source may read.
pub fn outside(path: &str) -> String {
    format!("{path} is outside of the --include-root folders")
}

/// Reads a file that the command line names, or standard input.
///
/// # Errors
/// The file cannot be read, or is too large.
pub fn read(path: &str, content: Content) -> std::io::Result<Vec<u8>> {
    match path {
        STANDARD_INPUT => file::read_all(std::io::stdin().lock(), content),
        path => file::read_named(Path::new(path), content),
    }
}

/// Files that a command has already read, and [`Disk`] for all others. No file is opened twice: a pipe has contents
/// only once.
#[derive(Default)]
pub struct PreloadedFiles {
    texts: FxHashMap<String, Vec<u8>>,
    /// The roots of [`Options::include_roots`].
    ///
    /// [`Options::include_roots`]: wgc_sema::db::Options::include_roots
    roots: Vec<String>,
}

impl PreloadedFiles {
    /// Adds the contents of a file.
    pub fn add(&mut self, path: &str, bytes: Vec<u8>) {
        self.texts.insert(normalize(path), bytes);
    }

    /// Restricts access to files in these folders, if there are any.
    pub fn confine(&mut self, roots: &[String]) {
        self.roots = roots.to_vec();
    }

    fn may_open(&self, path: &str) -> bool {
        is_built_in(path) || path.starts_with(BUILT_IN) || !is_outside(path, &self.roots)
    }

    /// Returns the contents of a file that was added.
    pub fn text(&self, path: &str) -> Option<&[u8]> {
        self.texts.get(&normalize(path)).map(Vec::as_slice)
    }
}

impl FileLoader for PreloadedFiles {
    fn load(&self, path: &str) -> Option<Vec<u8>> {
        let Some(bytes) = self.text(path) else {
            return if self.may_open(path) { Disk.load(path) } else { None };
        };
        remember_source(path, bytes);
        Some(bytes.to_vec())
    }

    fn standing(&self, path: &str) -> Standing {
        match self.may_open(path) {
            true => Disk.standing(path),
            false => Standing { real: real_path(path), refusal: None },
        }
    }
}
