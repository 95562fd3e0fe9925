//! Reading of external files: only regular files, with a size limit for each kind.
//!
//! A file is opened once, and its size is compared with the limit before anything is read. Pipes and devices are read
//! only if the user names them on the command line. The same limit applies.

use crate::stream::is_stream;
use std::fs::{File, OpenOptions};
use std::io::{Error, ErrorKind, Read, Result};
use std::path::Path;

const MIB: u64 = 1 << 20;

/// The purpose of a file, which limits its size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// A source file or an included file.
    Source,
    /// `wgc.json`, `shadertoolsconfig.json`, a host file, a response file.
    Settings,
    RunFile,
    /// A buffer or an image that a run file names.
    Data,
    /// A SPIR-V module.
    Module,
    /// The manifest of a package.
    Manifest,
    /// The tables of a package.
    Tables,
    /// A package in one file.
    Packed,
    /// A file that the user names, before its bytes show its kind.
    Input,
}

impl Content {
    /// Returns the size of the largest file of this kind, in bytes.
    pub const fn most_bytes(self) -> u64 {
        match self {
            Self::Settings => 16 * MIB,
            Self::Source | Self::RunFile | Self::Manifest => 64 * MIB,
            Self::Module | Self::Tables | Self::Packed | Self::Data | Self::Input => 256 * MIB,
        }
    }
}

/// Reads a regular file that a source, a package or a run file names.
///
/// # Errors
/// The file cannot be read, is a directory, a pipe or a device, or is larger than its kind allows.
pub fn read(path: &Path, content: Content) -> Result<Vec<u8>> {
    let (file, bytes) = open(path)?;
    limited(file, bytes, content.most_bytes())
}

/// Returns the reason that an existing file cannot be read, as [`read`] would report it. Reads nothing.
pub fn refusal(path: &Path, content: Content) -> Option<String> {
    let (file, bytes) = match open(path) {
        Ok(opened) => opened,
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => return None,
        Err(error) => return Some(error.to_string()),
    };
    drop(file);
    is_allowed(bytes, content.most_bytes()).err().map(|error| error.to_string())
}

/// Reads a file like [`read`], with a size that is known from elsewhere. A different size is an error before anything
/// is read.
///
/// # Errors
/// Fails like [`read`], or if the size differs.
pub fn read_sized(path: &Path, content: Content, wanted: u64) -> Result<Vec<u8>> {
    let (file, bytes) = open(path)?;
    has_size(bytes, wanted)?;
    limited(file, bytes, content.most_bytes())
}

/// Compares a size with the expected one.
pub(crate) fn has_size(bytes: u64, wanted: u64) -> Result<()> {
    match bytes == wanted {
        true => Ok(()),
        false => Err(Error::new(ErrorKind::InvalidData, format!("it has {bytes} bytes instead of {wanted}"))),
    }
}

/// Reads a file that the user names on the command line. It may be a pipe, and those can be read only once.
///
/// # Errors
/// The file cannot be read, is a directory, or is larger than its kind allows.
pub fn read_named(path: &Path, content: Content) -> Result<Vec<u8>> {
    if path.is_dir() {
        return Err(ErrorKind::IsADirectory.into());
    }
    match is_stream(path) {
        true => read_all(File::open(path)?, content),
        false => read(path, content),
    }
}

/// Reads a stream to its end.
///
/// # Errors
/// Reading fails, or the stream is longer than a file of the kind may be.
pub fn read_all(from: impl Read, content: Content) -> Result<Vec<u8>> {
    limited(from, 0, content.most_bytes())
}

/// Opens a regular file and returns its size. Does not block on a FIFO that replaces the file in the meantime.
fn open(path: &Path) -> Result<(File, u64)> {
    let refused = |metadata: &std::fs::Metadata| match (metadata.is_dir(), metadata.is_file()) {
        (true, _) => Err(ErrorKind::IsADirectory.into()),
        (_, true) => Ok(()),
        _ => Err(Error::new(ErrorKind::InvalidInput, "it is a pipe or a device, not a file")),
    };
    refused(&std::fs::metadata(path)?)?;
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        options.custom_flags(rustix::fs::OFlags::NONBLOCK.bits().cast_signed());
    }
    let file = options.open(path)?;
    let metadata = file.metadata()?;
    refused(&metadata)?;
    crate::touched::note_read(&metadata);
    Ok((file, metadata.len()))
}

/// Reads up to `most` bytes; `bytes` is the size that the system reports, 0 if unknown.
fn limited(from: impl Read, bytes: u64, most: u64) -> Result<Vec<u8>> {
    is_allowed(bytes, most)?;
    let mut out = Vec::new();
    // A file may grow while it is read.
    from.take(most + 1).read_to_end(&mut out)?;
    match out.len() as u64 > most {
        true => Err(too_large(&format!("more than {most}"), most)),
        false => Ok(out),
    }
}

/// Compares a size with the limit.
fn is_allowed(bytes: u64, most: u64) -> Result<()> {
    if bytes > most { Err(too_large(&bytes.to_string(), most)) } else { Ok(()) }
}

fn too_large(has: &str, most: u64) -> Error {
    Error::new(ErrorKind::FileTooLarge, format!("it has {has} bytes; the limit is {most}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reading_over_the_size_limit_fails() {
        assert_eq!(limited(&b"abcd"[..], 0, 4).unwrap(), b"abcd");
        let error = limited(std::io::repeat(1), 0, 4).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::FileTooLarge);
        assert_eq!(error.to_string(), "it has more than 4 bytes; the limit is 4");
        // Nothing is read if the size is known.
        let error = limited(std::io::empty(), 5, 4).unwrap_err();
        assert_eq!(error.to_string(), "it has 5 bytes; the limit is 4");
    }

    #[test]
    fn file_size_limits_are_checked_before_reading() {
        use Content::*;
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a");
        for content in [Source, Settings, RunFile, Data, Module, Manifest, Tables, Packed, Input] {
            let file = File::create(&path).unwrap();
            file.set_len(content.most_bytes() + 1).unwrap();
            for read in [read(&path, content), read_named(&path, content)] {
                assert_eq!(read.unwrap_err().kind(), ErrorKind::FileTooLarge, "{content:?}");
            }
        }
        let file = File::create(&path).unwrap();
        file.set_len(Settings.most_bytes()).unwrap();
        assert_eq!(read(&path, Settings).unwrap().len() as u64, Settings.most_bytes());
    }

    #[test]
    fn reading_a_file_of_unexpected_size_is_an_error() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("a");
        std::fs::write(&path, "abc").unwrap();
        assert_eq!(read_sized(&path, Content::Tables, 3).unwrap(), b"abc");
        let error = read_sized(&path, Content::Tables, 2).unwrap_err();
        assert_eq!(error.to_string(), "it has 3 bytes instead of 2");
    }

    #[test]
    fn directories_are_refused_and_devices_are_streams() {
        let dir = tempfile::tempdir().unwrap();
        for read in [read, read_named] {
            assert_eq!(read(dir.path(), Content::Source).unwrap_err().kind(), ErrorKind::IsADirectory);
        }
        let file = dir.path().join("a");
        std::fs::write(&file, "x").unwrap();
        assert_eq!(read(&file, Content::Source).unwrap(), b"x");
        assert!(!is_stream(&file) && !is_stream(dir.path()) && !is_stream(&dir.path().join("b")));
        assert!(cfg!(not(unix)) || is_stream(Path::new("/dev/null")));
    }

    #[test]
    #[cfg(unix)]
    fn device_files_are_accepted_only_if_named_explicitly() {
        let error = read(Path::new("/dev/zero"), Content::Source).unwrap_err();
        assert_eq!(error.to_string(), "it is a pipe or a device, not a file");
        assert_eq!(read_named(Path::new("/dev/null"), Content::Source).unwrap(), b"");
        let error = read_named(Path::new("/dev/zero"), Content::Settings).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::FileTooLarge);
        // This pipe has no writer.
        let dir = tempfile::tempdir().unwrap();
        let fifo = dir.path().join("fifo");
        assert!(std::process::Command::new("mkfifo").arg(&fifo).status().unwrap().success());
        assert_eq!(read(&fifo, Content::Source).unwrap_err().kind(), ErrorKind::InvalidInput);
    }
}
