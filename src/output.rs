//! Writes results so that nothing partial is ever left behind.
//!
//! A file is written beside its place and renamed. A package directory likewise; an existing directory is replaced
//! only when it is a package itself.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use wgc_abi::Package;

/// Writes bytes to a file, or to standard output for `-`. A link is followed; what is no regular file (a device, a
/// pipe) is written to and never replaced.
pub fn write_file(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if path == Path::new("-") {
        let mut out = io::stdout().lock();
        out.write_all(bytes)?;
        return out.flush();
    }
    let path = &fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    if fs::metadata(path).is_ok_and(|m| !m.is_file() && !m.is_dir()) {
        return fs::write(path, bytes);
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
            "it exists and is not a package, or has more in it than a package; it is left alone",
        ));
    }
    let temporary = beside(path);
    let result = fill(&temporary, files).and_then(|()| replace(&temporary, path));
    if result.is_err() {
        let _ = fs::remove_dir_all(&temporary);
    }
    result
}

/// Whether a directory is a package of ours and nothing more: a manifest that this version reads, and the files it
/// names.
fn is_package(path: &Path) -> bool {
    let Ok(package) = Package::read(path) else { return false };
    let Ok(known) = package.files() else { return false };
    let Ok(found) = files_in(path) else { return false };
    found.iter().all(|file| known.iter().any(|k| path.join(&k.0) == *file))
}

/// All files below a directory.
fn files_in(dir: &Path) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(dir)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            files.extend(files_in(&entry.path())?);
        } else {
            files.push(entry.path());
        }
    }
    Ok(files)
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
    fn a_directory_that_is_no_package_stays() {
        let dir = scratch("foreign");
        let mine = dir.join("precious");
        fs::create_dir(&mine).expect("made");
        fs::write(mine.join("work.txt"), "x").expect("written");
        fs::write(mine.join("manifest.json"), "{ \"name\": \"somebody else's\" }").expect("written");
        let error = write_package(&mine, [("manifest.json", &b"1"[..])].into_iter()).expect_err("it must refuse");
        assert_eq!(error.kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(entries(&dir), ["precious"]);
        assert_eq!(entries(&mine), ["manifest.json", "work.txt"]);
    }

    #[test]
    #[cfg(unix)]
    fn links_are_followed_and_devices_written_to() {
        let dir = scratch("links");
        fs::write(dir.join("real.spv"), "old").expect("written");
        std::os::unix::fs::symlink(dir.join("real.spv"), dir.join("link.spv")).expect("linked");
        write_file(&dir.join("link.spv"), b"new").expect("written");
        assert!(fs::symlink_metadata(dir.join("link.spv")).expect("there").is_symlink());
        assert_eq!(fs::read(dir.join("real.spv")).expect("there"), b"new");
        write_file(Path::new("/dev/null"), b"words").expect("it takes anything");
        assert!(!fs::metadata("/dev/null").expect("there").is_file());
    }

    #[test]
    fn a_failed_write_leaves_nothing() {
        let dir = scratch("failed");
        // The target's parent is a file, so neither write nor rename can work.
        fs::write(dir.join("file"), "x").expect("written");
        assert!(write_file(&dir.join("file/out.spv"), b"words").is_err());
        assert!(write_package(&dir.join("file/out.wgcpkg"), [("manifest.json", &b"1"[..])].into_iter()).is_err());
        assert_eq!(entries(&dir), ["file"]);
    }
}
