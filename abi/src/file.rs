//! Reads files that users name: regular files, pipes and devices, each opened once and read to a limit.

use std::fs::File;
use std::io::{Error, ErrorKind, Read, Result};
use std::path::Path;

/// The largest file that is read. A device without an end is refused here, and not when memory is full.
pub const MOST_BYTES: u64 = 1 << 30;

/// Reads a file, which is opened once: what was read of a pipe is gone.
///
/// # Errors
/// The file cannot be read, is a directory, or has more than [`MOST_BYTES`] bytes.
pub fn read(path: &Path) -> Result<Vec<u8>> {
    if path.is_dir() {
        return Err(ErrorKind::IsADirectory.into());
    }
    read_all(File::open(path)?)
}

/// Reads everything that comes.
///
/// # Errors
/// Reading fails, or there are more than [`MOST_BYTES`] bytes.
pub fn read_all(from: impl Read) -> Result<Vec<u8>> {
    limited(from, MOST_BYTES)
}

fn limited(from: impl Read, most: u64) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    from.take(most + 1).read_to_end(&mut bytes)?;
    match bytes.len() as u64 > most {
        true => Err(Error::new(ErrorKind::FileTooLarge, format!("it has more than {most} bytes"))),
        false => Ok(bytes),
    }
}

/// Whether a path names a pipe or a device, which cannot be read twice and lies in no folder of the user's.
pub fn is_stream(path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reading_ends_at_the_limit() {
        assert_eq!(limited(&b"abcd"[..], 4).unwrap(), b"abcd");
        let error = limited(std::io::repeat(1), 4).unwrap_err();
        assert_eq!((error.kind(), error.to_string().as_str()), (ErrorKind::FileTooLarge, "it has more than 4 bytes"));
    }

    #[test]
    fn directories_are_refused_and_devices_are_streams() {
        let dir = tempfile::tempdir().unwrap();
        assert_eq!(read(dir.path()).unwrap_err().kind(), ErrorKind::IsADirectory);
        let file = dir.path().join("a");
        std::fs::write(&file, "x").unwrap();
        assert_eq!(read(&file).unwrap(), b"x");
        assert!(!is_stream(&file) && !is_stream(dir.path()) && !is_stream(&dir.path().join("b")));
        assert!(cfg!(not(unix)) || is_stream(Path::new("/dev/null")));
    }
}
