//! Writes results so that nothing partial is ever left behind.
//!
//! A file is written beside its place and renamed. A package directory likewise; an existing directory is replaced
//! only when it is a package itself.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The file that makes a directory a package.
pub const MANIFEST: &str = "manifest.json";

/// Writes bytes to a file, or to standard output for `-`.
pub fn write_file(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if path == Path::new("-") {
        let mut out = io::stdout().lock();
        out.write_all(bytes)?;
        return out.flush();
    }
    let temporary = beside(path);
    let written = fs::write(&temporary, bytes).and_then(|()| fs::rename(&temporary, path));
    if written.is_err() {
        // Best effort: the error that matters is the first one.
        let _ = fs::remove_file(&temporary);
    }
    written
}

/// Writes a directory of files (relative path, bytes).
pub fn write_package<'a>(path: &Path, files: impl Iterator<Item = (&'a str, &'a [u8])>) -> io::Result<()> {
    if path.exists() && !is_package(path) {
        return Err(io::Error::new(
            io::ErrorKind::AlreadyExists,
            format!("it exists and is not a package (no {MANIFEST} in it); it is left alone"),
        ));
    }
    let temporary = beside(path);
    let result = fill(&temporary, files).and_then(|()| replace(&temporary, path));
    if result.is_err() {
        let _ = fs::remove_dir_all(&temporary);
    }
    result
}

fn is_package(path: &Path) -> bool {
    path.is_dir() && path.join(MANIFEST).is_file()
}

fn fill<'a>(root: &Path, files: impl Iterator<Item = (&'a str, &'a [u8])>) -> io::Result<()> {
    if root.exists() {
        fs::remove_dir_all(root)?;
    }
    fs::create_dir_all(root)?;
    for (name, bytes) in files {
        let file = root.join(name);
        if let Some(parent) = file.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::write(file, bytes)?;
    }
    Ok(())
}

/// Puts `new` in the place of `path`. The old package is moved away first and comes back if the move fails.
fn replace(new: &Path, path: &Path) -> io::Result<()> {
    if !path.exists() {
        return fs::rename(new, path);
    }
    let mut name = path.as_os_str().to_owned();
    name.push(".wgc-old");
    let old = PathBuf::from(name);
    if old.exists() {
        fs::remove_dir_all(&old)?;
    }
    fs::rename(path, &old)?;
    if let Err(e) = fs::rename(new, path) {
        fs::rename(&old, path)?;
        return Err(e);
    }
    fs::remove_dir_all(&old)
}

/// A name in the same directory, and so on the same file system.
fn beside(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(format!(".wgc-{}", std::process::id()));
    PathBuf::from(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scratch(name: &str) -> PathBuf {
        let dir = std::env::temp_dir().join(format!("wgc-output-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&dir);
        fs::create_dir_all(&dir).expect("a temporary directory can be made");
        dir
    }

    fn entries(dir: &Path) -> Vec<String> {
        let mut names: Vec<_> = fs::read_dir(dir)
            .expect("the directory exists")
            .map(|e| e.expect("it can be read").file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn a_package_is_replaced_whole() {
        let dir = scratch("replace");
        let package = dir.join("g.wgcpkg");
        write_package(&package, [(MANIFEST, &b"1"[..]), ("nodes/a.spv", b"a")].into_iter()).expect("first");
        write_package(&package, [(MANIFEST, &b"2"[..]), ("nodes/b.spv", b"b")].into_iter()).expect("second");
        assert_eq!(entries(&dir), ["g.wgcpkg"]);
        assert_eq!(entries(&package.join("nodes")), ["b.spv"]);
        assert_eq!(fs::read(package.join(MANIFEST)).expect("it is there"), b"2");
    }

    #[test]
    fn a_directory_that_is_no_package_stays() {
        let dir = scratch("foreign");
        let mine = dir.join("precious");
        fs::create_dir(&mine).expect("made");
        fs::write(mine.join("work.txt"), "x").expect("written");
        let error = write_package(&mine, [(MANIFEST, &b"1"[..])].into_iter()).expect_err("it must refuse");
        assert_eq!(error.kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(entries(&dir), ["precious"]);
        assert_eq!(entries(&mine), ["work.txt"]);
    }

    #[test]
    fn a_failed_write_leaves_nothing() {
        let dir = scratch("failed");
        // The target's parent is a file, so neither write nor rename can work.
        fs::write(dir.join("file"), "x").expect("written");
        assert!(write_file(&dir.join("file/out.spv"), b"words").is_err());
        assert!(write_package(&dir.join("file/out.wgcpkg"), [(MANIFEST, &b"1"[..])].into_iter()).is_err());
        assert_eq!(entries(&dir), ["file"]);
    }
}
