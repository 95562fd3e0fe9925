//! Output of results that never leaves partial files.
//!
//! [`Outputs`] collects everything that one command writes. Each file or package is first written under a temporary
//! name next to its destination. When all are complete, they are renamed. An existing directory is only replaced if it
//! is empty or a package.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use wgc_abi::Package;
use wgc_abi::replace::{Staged, place};
use wgc_abi::stream::Stream;

/// The uncommitted outputs of a command. If dropped, they leave nothing.
#[derive(Default)]
pub struct Outputs {
    /// Outputs with their names as the user wrote them, for messages.
    staged: Vec<(PathBuf, Output)>,
}

enum Output {
    /// Standard output, a device or a pipe.
    Stream(Stream, Vec<u8>),
    /// A file or package under its temporary name.
    Staged(Staged),
}

/// The path that could not be written, and the reason.
pub type Failed = (PathBuf, io::Error);

impl Outputs {
    /// Adds a file, or standard output for `-`. Links are followed. Devices and pipes are written to and never
    /// replaced.
    pub fn file(&mut self, named: &Path, bytes: &[u8]) -> Result<(), Failed> {
        let failed = |error| (named.to_owned(), error);
        if let Some(stream) = Stream::named(named) {
            stream.claim().map_err(failed)?;
            self.staged.push((named.to_owned(), Output::Stream(stream, bytes.to_owned())));
            return Ok(());
        }
        let path = place(named).map_err(failed)?;
        if path.is_dir() || ends_in_separator(named) {
            return Err(failed(io::ErrorKind::IsADirectory.into()));
        }
        self.stage(named, Staged::over(&path), |staged| staged.write_all(bytes))
    }

    /// Adds a package as one file, or to standard output for `-`.
    pub fn packed(&mut self, named: &Path, bytes: &[u8]) -> Result<(), Failed> {
        let path = place(named).map_err(|e| (named.to_owned(), e))?;
        if !path.is_dir() || !is_package(&path) {
            return self.file(named, bytes);
        }
        self.stage(named, Staged::file(&path), |staged| staged.write_all(bytes))
    }

    /// Adds a directory of files (relative path, bytes).
    pub fn package<'a>(
        &mut self,
        named: &Path,
        files: impl Iterator<Item = (&'a str, &'a [u8])>,
    ) -> Result<(), Failed> {
        let path = place(named).map_err(|e| (named.to_owned(), e))?;
        if !may_replace(&path) && path.exists() {
            let message = "it exists and is not a package, or contains other files; it is unchanged";
            return Err((named.to_owned(), io::Error::new(io::ErrorKind::AlreadyExists, message)));
        }
        if let Some(parent) = path.parent().filter(|parent| !parent.as_os_str().is_empty()) {
            fs::create_dir_all(parent).map_err(|e| (named.to_owned(), e))?;
        }
        self.stage(named, Staged::directory(&path), |staged| fill(staged.temporary(), files))
    }

    /// Moves everything to its destination. Streams are written when all files are complete, and before these appear:
    /// a stream that fails leaves no file.
    pub fn commit(self) -> Result<(), Failed> {
        for (named, output) in &self.staged {
            if let Output::Staged(staged) = output {
                staged.sync().map_err(|e| (named.clone(), e))?;
            }
        }
        for (named, output) in &self.staged {
            if let Output::Stream(stream, bytes) = output {
                write_to(stream, bytes).map_err(|e| (named.clone(), e))?;
            }
        }
        for (named, output) in self.staged {
            if let Output::Staged(staged) = output {
                staged.commit_over(&may_replace).map_err(|e| (named, e))?;
            }
        }
        Ok(())
    }

    /// Keeps a temporary output if it was written completely.
    fn stage(
        &mut self,
        named: &Path,
        begun: io::Result<Staged>,
        fill: impl FnOnce(&mut Staged) -> io::Result<()>,
    ) -> Result<(), Failed> {
        let staged = begun.and_then(|mut staged| fill(&mut staged).map(|()| staged));
        let staged = staged.map_err(|e| (named.to_owned(), e))?;
        self.staged.push((named.to_owned(), Output::Staged(staged)));
        Ok(())
    }
}

/// Writes a single file.
pub fn write_file(path: &Path, bytes: &[u8]) -> Result<(), Failed> {
    let mut outputs = Outputs::default();
    outputs.file(path, bytes)?;
    outputs.commit()
}

fn write_to(stream: &Stream, bytes: &[u8]) -> io::Result<()> {
    let mut out = stream.open()?;
    match out.write_all(bytes).and_then(|()| out.flush()) {
        // The reader has seen enough.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => written,
    }
}

fn ends_in_separator(path: &Path) -> bool {
    path.as_os_str().as_encoded_bytes().last().is_some_and(|last| std::path::is_separator(char::from(*last)))
}

fn is_empty(path: &Path) -> bool {
    fs::read_dir(path).is_ok_and(|mut entries| entries.next().is_none())
}

/// Returns whether a package may replace a path: nothing, an empty directory or a package. Another process may replace
/// the path between the reads, so a mixed result is retried.
fn may_replace(path: &Path) -> bool {
    for _ in 0..ATTEMPTS {
        let before = identity(path);
        if before.is_none() || is_empty(path) || is_package(path) {
            return true;
        }
        if identity(path) == before {
            return false;
        }
    }
    false
}

/// The limit of retries while other processes keep replacing the path.
const ATTEMPTS: u32 = 100;

/// Returns the identity of the directory at a path, to detect its replacement; `None` if there is none.
#[cfg(unix)]
fn identity(path: &Path) -> Option<impl PartialEq + use<>> {
    use std::os::unix::fs::MetadataExt as _;
    fs::metadata(path).ok().map(|found| (found.dev(), found.ino(), found.ctime(), found.ctime_nsec()))
}

#[cfg(not(unix))]
fn identity(path: &Path) -> Option<impl PartialEq + use<>> {
    fs::metadata(path).ok().map(|found| found.modified().ok())
}

/// Returns whether a path is a package and nothing else: a manifest that this version reads, and the files it names.
fn is_package(path: &Path) -> bool {
    let Ok(package) = wgc_abi::touched::peek(|| Package::read(path)) else { return false };
    if path.is_file() {
        return true;
    }
    let Ok(known) = package.files() else { return false };
    let Ok(found) = files_in(path) else { return false };
    found.iter().all(|file| known.iter().any(|k| path.join(&k.0) == *file))
}

/// Returns all files below a directory.
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

#[cfg(test)]
mod tests {
    use super::*;
    use tempfile::TempDir;

    fn scratch() -> TempDir {
        tempfile::tempdir().expect("a temporary directory can be made")
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
    fn writing_a_package_never_replaces_another_directory() {
        let dir = scratch();
        let dir = dir.path();
        let mine = dir.join("precious");
        fs::create_dir(&mine).expect("made");
        fs::write(mine.join("work.txt"), "x").expect("written");
        fs::write(mine.join("manifest.json"), "{ \"name\": \"somebody else's\" }").expect("written");
        let (path, error) = write_package(&mine).expect_err("it must refuse");
        assert_eq!((path, error.kind()), (mine.clone(), io::ErrorKind::AlreadyExists));
        assert_eq!(entries(dir), ["precious"]);
        assert_eq!(entries(&mine), ["manifest.json", "work.txt"]);
    }

    #[test]
    #[cfg(unix)]
    fn file_outputs_follow_links_and_write_devices() {
        let dir = scratch();
        let dir = dir.path();
        fs::write(dir.join("real.spv"), "old").expect("written");
        std::os::unix::fs::symlink(dir.join("real.spv"), dir.join("link.spv")).expect("linked");
        write_file(&dir.join("link.spv"), b"new").expect("written");
        assert!(fs::symlink_metadata(dir.join("link.spv")).expect("there").is_symlink());
        assert_eq!(fs::read(dir.join("real.spv")).expect("there"), b"new");
        write_file(Path::new("/dev/null"), b"words").expect("it takes anything");
        assert!(!fs::metadata("/dev/null").expect("there").is_file());
    }

    #[test]
    #[cfg(unix)]
    fn writing_to_cyclic_symlinks_fails() {
        let dir = scratch();
        let dir = dir.path();
        for (link, target) in [("a", "b"), ("b", "a"), ("self", "self")] {
            std::os::unix::fs::symlink(target, dir.join(link)).expect("linked");
        }
        for link in ["a", "self", "self/"] {
            assert!(write_file(&dir.join(link), b"words").is_err(), "{link}");
            assert!(write_package(&dir.join(link)).is_err(), "{link}");
            assert!(Outputs::default().packed(&dir.join(link), b"words").is_err(), "{link}");
        }
        assert_eq!(entries(dir), ["a", "b", "self"]);
        assert!(fs::symlink_metadata(dir.join("a")).expect("there").is_symlink());
    }

    #[test]
    fn a_failed_write_leaves_nothing() {
        let dir = scratch();
        let dir = dir.path();
        // The target's parent is a file, so neither write nor rename can work.
        fs::write(dir.join("file"), "x").expect("written");
        assert!(write_file(&dir.join("file/out.spv"), b"words").is_err());
        assert!(write_package(&dir.join("file/out.wgcpkg")).is_err());
        assert_eq!(entries(dir), ["file"]);
    }

    #[test]
    fn several_outputs_are_written_atomically() {
        let dir = scratch();
        let dir = dir.path();
        let mut outputs = Outputs::default();
        outputs.file(&dir.join("first.spv"), b"words").expect("it can be staged");
        outputs.package(&dir.join("second.wgcpkg"), FILES.into_iter()).expect("it can be staged");
        assert!(outputs.file(&dir.join("nowhere/third.d"), b"rule").is_err());
        drop(outputs);
        assert_eq!(entries(dir), Vec::<String>::new());
        let mut outputs = Outputs::default();
        outputs.file(&dir.join("first.spv"), b"words").expect("it can be staged");
        outputs.package(&dir.join("second.wgcpkg"), FILES.into_iter()).expect("it can be staged");
        outputs.commit().expect("both can be written");
        assert_eq!(entries(dir), ["first.spv", "second.wgcpkg"]);
    }

    #[test]
    fn package_paths_may_end_in_slash_or_be_empty_folders() {
        let dir = scratch();
        let dir = dir.path();
        write_package(&dir.join("new.wgcpkg/")).expect("written");
        fs::create_dir(dir.join("empty")).expect("made");
        write_package(&dir.join("empty")).expect("written");
        assert_eq!(entries(dir), ["empty", "new.wgcpkg"]);
        assert_eq!(entries(&dir.join("empty")), ["manifest.json"]);
        let (_, error) = write_file(&dir.join("a.spv/"), b"words").expect_err("a file is no directory");
        assert_eq!(error.kind(), io::ErrorKind::IsADirectory);
        assert_eq!(entries(dir), ["empty", "new.wgcpkg"]);
    }

    #[test]
    fn existing_files_with_temporary_names_are_kept() {
        let dir = scratch();
        let dir = dir.path();
        let kept = ["k.wgcpkg", "k.wgcpkg.wgc-new-1-0", "k.wgcpkg.wgc-old-1-0"];
        for name in &kept[1..] {
            fs::create_dir(dir.join(name)).expect("made");
            fs::write(dir.join(name).join("mine"), "x").expect("written");
        }
        write_package(&dir.join("k.wgcpkg")).expect("written");
        assert_eq!(entries(dir), kept);
        assert_eq!(entries(&dir.join(kept[1])), ["mine"]);
    }

    const FILES: [(&str, &[u8]); 1] = [("manifest.json", b"1")];

    fn write_package(path: &Path) -> Result<(), Failed> {
        let mut outputs = Outputs::default();
        outputs.package(path, FILES.into_iter())?;
        outputs.commit()
    }
}
