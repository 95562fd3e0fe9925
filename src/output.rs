//! Writes results so that nothing partial is ever left behind.
//!
//! All that one command writes is gathered in [`Outputs`]: each file or package lies beside its place, under another
//! name, until all are there, and is then renamed. An existing directory is replaced only when it is empty or a package.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use wgc_abi::Package;

/// What a command has made and not yet put in its place. Dropped, it leaves nothing behind.
#[derive(Default)]
pub struct Outputs {
    staged: Vec<Staged>,
}

struct Staged {
    /// As the user wrote it, for messages.
    named: PathBuf,
    how: How,
}

enum How {
    /// Standard output, a device or a pipe: it cannot be taken back, and comes last.
    Stream(Vec<u8>),
    /// A file or package under its temporary name, and where it belongs.
    Rename { temporary: PathBuf, path: PathBuf },
}

/// What could not be written, and why.
pub type Failed = (PathBuf, io::Error);

impl Outputs {
    /// Bytes for a file, or for standard output with `-`. A link is followed; what is no regular file (a device, a pipe)
    /// is written to and never replaced.
    pub fn file(&mut self, named: &Path, bytes: &[u8]) -> Result<(), Failed> {
        let path = place(named);
        if named == Path::new("-") || fs::metadata(&path).is_ok_and(|m| !m.is_file() && !m.is_dir()) {
            self.staged.push(Staged { named: named.to_owned(), how: How::Stream(bytes.to_owned()) });
            return Ok(());
        }
        if path.is_dir() || ends_in_separator(named) {
            return Err((named.to_owned(), io::ErrorKind::IsADirectory.into()));
        }
        let temporary = self.stage(named, path);
        fs::write(temporary, bytes).map_err(|e| (named.to_owned(), e))
    }

    /// A package as one file, or to standard output with `-`.
    pub fn packed(&mut self, named: &Path, bytes: &[u8]) -> Result<(), Failed> {
        let path = place(named);
        if !path.is_dir() || !is_package(&path) {
            return self.file(named, bytes);
        }
        let temporary = self.stage(named, path);
        fs::write(temporary, bytes).map_err(|e| (named.to_owned(), e))
    }

    /// A directory of files (relative path, bytes).
    pub fn package<'a>(
        &mut self,
        named: &Path,
        files: impl Iterator<Item = (&'a str, &'a [u8])>,
    ) -> Result<(), Failed> {
        let path = place(named);
        if path.exists() && !is_empty(&path) && !is_package(&path) {
            let message = "it exists and is not a package, or has more in it than a package; it is left alone";
            return Err((named.to_owned(), io::Error::new(io::ErrorKind::AlreadyExists, message)));
        }
        let temporary = self.stage(named, path).to_owned();
        fill(&temporary, files).map_err(|e| (named.to_owned(), e))
    }

    /// Puts everything in its place.
    pub fn commit(mut self) -> Result<(), Failed> {
        for staged in &self.staged {
            if let How::Rename { temporary, path } = &staged.how {
                replace(temporary, path).map_err(|e| (staged.named.clone(), e))?;
            }
        }
        for staged in &self.staged {
            if let How::Stream(bytes) = &staged.how {
                stream(&staged.named, bytes).map_err(|e| (staged.named.clone(), e))?;
            }
        }
        self.staged.clear();
        Ok(())
    }

    /// Takes a name beside `path`, and so on the same file system, that nothing has yet.
    fn stage(&mut self, named: &Path, path: PathBuf) -> &Path {
        let temporary = free_name(&path, "new");
        self.staged.push(Staged { named: named.to_owned(), how: How::Rename { temporary, path } });
        match self.staged.last().map(|staged| &staged.how) {
            Some(How::Rename { temporary, .. }) => temporary,
            _ => Path::new(""),
        }
    }
}

impl Drop for Outputs {
    fn drop(&mut self) {
        for staged in &self.staged {
            // Best effort: the error that matters has been told.
            if let How::Rename { temporary, .. } = &staged.how {
                let _ = remove(temporary);
            }
        }
    }
}

/// One file, by itself.
pub fn write_file(path: &Path, bytes: &[u8]) -> Result<(), Failed> {
    let mut outputs = Outputs::default();
    outputs.file(path, bytes)?;
    outputs.commit()
}

fn stream(path: &Path, bytes: &[u8]) -> io::Result<()> {
    if path != Path::new("-") {
        return fs::write(path, bytes);
    }
    let mut out = io::stdout().lock();
    out.write_all(bytes)?;
    out.flush()
}

/// Where a name leads: through links, and without the separator that a shell's completion leaves at its end.
fn place(named: &Path) -> PathBuf {
    fs::canonicalize(named).unwrap_or_else(|_| named.components().collect())
}

fn ends_in_separator(path: &Path) -> bool {
    path.as_os_str().as_encoded_bytes().last().is_some_and(|last| std::path::is_separator(char::from(*last)))
}

fn is_empty(path: &Path) -> bool {
    fs::read_dir(path).is_ok_and(|mut entries| entries.next().is_none())
}

/// Whether this is a package of ours and nothing more: a manifest that this version reads, and the files it names.
fn is_package(path: &Path) -> bool {
    let Ok(package) = Package::read(path) else { return false };
    if path.is_file() {
        return true;
    }
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

fn remove(path: &Path) -> io::Result<()> {
    if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) }
}

/// How often another process may put a package in our place before we give up.
const ATTEMPTS: u32 = 100;

/// Puts `new` in the place of `path`. A package that is there is moved away first, and comes back if that fails.
fn replace(new: &Path, path: &Path) -> io::Result<()> {
    let mut attempt = 0;
    loop {
        // Over a file or an empty directory, or where nothing is, this is all.
        let error = match fs::rename(new, path) {
            Ok(()) => return Ok(()),
            Err(error) => error,
        };
        attempt += 1;
        if attempt == ATTEMPTS || !is_package(path) {
            return Err(error);
        }
        let old = free_name(path, "old");
        if fs::rename(path, &old).is_err() {
            // Another process has moved it.
            continue;
        }
        match fs::rename(new, path) {
            Ok(()) => return remove(&old),
            // Another process was faster with its own, which ours replaces in turn.
            Err(_) if path.exists() => remove(&old)?,
            Err(error) => {
                fs::rename(&old, path)?;
                return Err(error);
            }
        }
    }
}

/// A name beside `path` that nothing has.
fn free_name(path: &Path, what: &str) -> PathBuf {
    let named = |n: u32| {
        let mut name = path.as_os_str().to_owned();
        name.push(format!(".wgc-{what}-{}-{n}", std::process::id()));
        PathBuf::from(name)
    };
    let free = (0..u32::MAX).map(named).find(|name| fs::symlink_metadata(name).is_err());
    free.unwrap_or_else(|| named(u32::MAX))
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
    fn a_directory_that_is_no_package_stays() {
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
    fn links_are_followed_and_devices_written_to() {
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
    fn of_several_outputs_all_are_written_or_none() {
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
    fn packages_go_where_a_separator_ends_the_name_and_into_empty_directories() {
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
    fn what_has_the_name_of_something_temporary_stays() {
        let dir = scratch();
        let dir = dir.path();
        let pid = std::process::id();
        for what in ["new", "old"] {
            fs::create_dir(dir.join(format!("k.wgcpkg.wgc-{what}-{pid}-0"))).expect("made");
            fs::write(dir.join(format!("k.wgcpkg.wgc-{what}-{pid}-0/mine")), "x").expect("written");
        }
        write_package(&dir.join("k.wgcpkg")).expect("written");
        let kept = ["k.wgcpkg".to_owned(), format!("k.wgcpkg.wgc-new-{pid}-0"), format!("k.wgcpkg.wgc-old-{pid}-0")];
        assert_eq!(entries(dir), kept);
        assert_eq!(entries(&dir.join(&kept[1])), ["mine"]);
    }

    const FILES: [(&str, &[u8]); 1] = [("manifest.json", b"1")];

    fn write_package(path: &Path) -> Result<(), Failed> {
        let mut outputs = Outputs::default();
        outputs.package(path, FILES.into_iter())?;
        outputs.commit()
    }
}
