//! Paths that cannot be replaced: pipes, devices, and names of open files such as `/dev/stdout`.
//!
//! Output is appended to an open file. A new file in its place would lose the earlier contents, and the later output of
//! other commands.

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
    /// The command writes another output there, or has read the file. The descriptor is only for reading.
    pub fn claim(&self) -> io::Result<()> {
        self.check()?;
        if !matches!(self, Stream::Device(_)) {
            touched::keep_stream(self, self.metadata().as_ref());
        }
        Ok(())
    }

    /// Checks that the running command can write there.
    ///
    /// # Errors
    /// Those of [`Stream::claim`].
    pub fn check(&self) -> io::Result<()> {
        match self {
            Stream::Device(_) => Ok(()),
            Stream::Open(path) if is_for_reading(path) => {
                Err(io::Error::new(io::ErrorKind::PermissionDenied, "this descriptor is open for reading only"))
            }
            _ => touched::check_stream(self, self.metadata().as_ref()),
        }
    }

    /// Returns the facts about the file that receives the output.
    fn metadata(&self) -> Option<fs::Metadata> {
        match self {
            Stream::StandardOutput => fs::metadata("/dev/stdout").ok(),
            Stream::StandardError => fs::metadata("/dev/stderr").ok(),
            Stream::Open(path) | Stream::Device(path) => fs::metadata(path).ok(),
        }
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

/// Returns whether a path names a descriptor that cannot be written. Opening its file again would allow that.
fn is_for_reading(path: &Path) -> bool {
    let facts = path.parent().and_then(Path::parent).zip(path.file_name());
    let facts = facts.and_then(|(process, number)| fs::read_to_string(process.join("fdinfo").join(number)).ok());
    let flags = facts.as_deref().and_then(|facts| facts.lines().find_map(|line| line.strip_prefix("flags:")));
    let flags = flags.and_then(|flags| u32::from_str_radix(flags.trim(), 8).ok());
    // The lowest two bits are the mode; 0 is reading.
    path.starts_with("/proc") && flags.is_some_and(|flags| flags & 3 == 0)
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
