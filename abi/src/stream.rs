//! Paths that cannot be replaced: pipes, devices, and names of open files such as `/dev/stdout`.
//!
//! An open file is written to where its earlier contents end. A new file in its place would lose them, and what other
//! commands write later.

use crate::replace::follow;
use crate::touched;
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// An output that is written to, instead of replaced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stream {
    StandardOutput,
    StandardError,
    /// A pipe, or an open file with another number or of another process.
    Open(PathBuf),
    /// A device, such as `/dev/null`.
    Device(PathBuf),
}

/// Returns whether a path names a pipe or a device. Such a file cannot be read twice and belongs to no folder of the
/// user.
pub fn is_stream(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir())
}

impl Stream {
    /// Returns the stream that the name of an output means: `-` is standard output.
    pub fn named(path: &Path) -> Option<Stream> {
        if path == Path::new("-") {
            return Some(Stream::StandardOutput);
        }
        let real = || fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        follow(path, open_file).or_else(|| match is_stream(path) {
            true if is_device(path) => Some(Stream::Device(real())),
            true => Some(Stream::Open(real())),
            false => None,
        })
    }

    /// Keeps the stream as an output of the running command. A device takes several outputs.
    ///
    /// # Errors
    /// The command writes another output there.
    pub fn claim(&self) -> io::Result<()> {
        match self {
            Stream::Device(_) => Ok(()),
            other => touched::claim_stream(other),
        }
    }

    /// Checks that the running command writes no other output there.
    ///
    /// # Errors
    /// As for [`Stream::claim`].
    pub fn check(&self) -> io::Result<()> {
        touched::check_stream(self)
    }

    /// Opens the stream. An open file keeps its other contents.
    ///
    /// # Errors
    /// It cannot be opened.
    pub fn open(&self) -> io::Result<Box<dyn Write + Send>> {
        Ok(match self {
            Stream::StandardOutput => Box::new(io::stdout()),
            Stream::StandardError => Box::new(io::stderr()),
            Stream::Open(path) | Stream::Device(path) => Box::new(OpenOptions::new().append(true).open(path)?),
        })
    }
}

#[cfg(unix)]
fn is_device(path: &Path) -> bool {
    use std::os::unix::fs::FileTypeExt as _;
    fs::metadata(path).is_ok_and(|found| found.file_type().is_char_device() || found.file_type().is_block_device())
}

#[cfg(not(unix))]
fn is_device(_: &Path) -> bool {
    true
}

/// Returns the open file that a path in the folder of a process names.
fn open_file(path: &Path) -> Option<Stream> {
    let name = path.file_name()?;
    let folder = fs::canonicalize(path.parent()?).ok()?;
    if !(folder.starts_with("/proc") && folder.ends_with("fd")) {
        return None;
    }
    let is_own = fs::canonicalize("/proc/self").is_ok_and(|own| folder.starts_with(own));
    Some(match name.to_str() {
        Some("1") if is_own => Stream::StandardOutput,
        Some("2") if is_own => Stream::StandardError,
        _ => Stream::Open(folder.join(name)),
    })
}
