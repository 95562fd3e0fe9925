//! Paths that cannot be replaced: pipes, devices, and names of open files such as `/dev/stdout`.
//!
//! An open file is written to where its earlier contents end. A new file in its place would lose them, and what other
//! commands write later.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

/// An open file of a process.
enum OpenFile {
    StandardOutput,
    StandardError,
    /// With another number, or of another process.
    Other,
}

/// Returns whether a path names a pipe or a device. Such a file cannot be read twice and belongs to no folder of the
/// user.
pub fn is_stream(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir())
}

/// Returns whether an output of this name is written to, instead of replaced.
pub fn is_written_to(path: &Path) -> bool {
    open_file(path).is_some() || is_stream(path)
}

/// Opens a pipe, a device or the name of an open file for writing.
///
/// # Errors
/// It cannot be opened.
pub fn open(path: &Path) -> io::Result<Box<dyn Write + Send>> {
    Ok(match open_file(path) {
        Some(OpenFile::StandardOutput) => Box::new(io::stdout()),
        Some(OpenFile::StandardError) => Box::new(io::stderr()),
        // Its file may have other contents, which stay.
        Some(OpenFile::Other) => Box::new(OpenOptions::new().append(true).open(path)?),
        None => Box::new(OpenOptions::new().write(true).open(path)?),
    })
}

/// Returns the open file that a path such as `/dev/stdout` or `/dev/fd/3` names, directly or by links.
fn open_file(path: &Path) -> Option<OpenFile> {
    let mut path = path.to_owned();
    for _ in 0..crate::replace::MOST_LINKS {
        let name = path.file_name()?.to_owned();
        let folder = path.parent().and_then(|folder| fs::canonicalize(folder).ok());
        if let Some(folder) = folder.filter(|folder| folder.starts_with("/proc") && folder.ends_with("fd")) {
            let is_own = fs::canonicalize("/proc/self").is_ok_and(|own| folder.starts_with(own));
            return Some(match name.to_str() {
                Some("1") if is_own => OpenFile::StandardOutput,
                Some("2") if is_own => OpenFile::StandardError,
                _ => OpenFile::Other,
            });
        }
        path = path.parent()?.join(fs::read_link(&path).ok()?);
    }
    None
}
