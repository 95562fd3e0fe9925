//! Atomic replacement of files and directories: a path always has either the old or the new contents.
//!
//! The new file is created next to its destination under a temporary name, and then renamed. An existing directory is
//! exchanged with the new one in one step, if the system supports that. Temporary files are locked while they are
//! written. An unlocked one was left by a killed process, and the next writer to the same path removes it. Symbolic
//! links stay links.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// Retries if another process changes the files at our path.
const ATTEMPTS: u32 = 100;

/// The most symbolic links to follow to a file that does not exist yet.
const MAX_LINKS: u32 = 40;

/// A temporary file or directory next to its destination. If it is dropped before it is committed, it is removed.
#[derive(Debug)]
pub struct Staged {
    /// The open file; for a directory, only the lock.
    file: Option<File>,
    /// `None` once it is committed.
    temporary: Option<PathBuf>,
    path: PathBuf,
}

/// Overwrites a file and keeps its permissions, or creates a new one. The bytes reach the disk before the name does.
///
/// # Errors
/// The file is not writable, or writing fails. It stays unchanged then.
pub fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut staged = Staged::over(path)?;
    staged.write_all(bytes)?;
    staged.commit()
}

impl Staged {
    /// Begins a file that replaces another and takes its permissions, if there is one.
    ///
    /// # Errors
    /// The existing file or its folder is not writable.
    pub fn over(path: &Path) -> io::Result<Staged> {
        let path = place(path)?;
        let old = match fs::metadata(&path) {
            Ok(old) => old,
            Err(error) if error.kind() == ErrorKind::NotFound => return Staged::file(&path),
            Err(error) => return Err(error),
        };
        if old.is_dir() {
            return Err(ErrorKind::IsADirectory.into());
        }
        // Renaming needs no permission for the file itself.
        OpenOptions::new().write(true).open(&path)?;
        let staged = Staged::file(&path)?;
        if let Some(file) = &staged.file {
            // Set the permissions before the file has contents to read.
            keep_owner(file, &old);
            file.set_permissions(old.permissions())?;
        }
        Ok(staged)
    }

    /// Begins a file, regardless of the existing contents of the path.
    ///
    /// # Errors
    /// The folder is not writable.
    pub fn file(path: &Path) -> io::Result<Staged> {
        Staged::begin(path, |temporary| OpenOptions::new().write(true).create_new(true).open(temporary).map(Some))
    }

    /// Begins a file that only its owner may read, regardless of the existing contents of the path.
    ///
    /// # Errors
    /// The folder is not writable.
    pub fn private_file(path: &Path) -> io::Result<Staged> {
        Staged::begin(path, |temporary| {
            let mut options = OpenOptions::new();
            options.write(true).create_new(true);
            #[cfg(unix)]
            {
                use std::os::unix::fs::OpenOptionsExt as _;
                options.mode(0o600);
            }
            options.open(temporary).map(Some)
        })
    }

    /// Begins a directory, regardless of the existing contents of the path.
    ///
    /// # Errors
    /// The parent folder is not writable.
    pub fn directory(path: &Path) -> io::Result<Staged> {
        Staged::begin(path, |temporary| {
            fs::create_dir(temporary)?;
            // Already gone: another process removed it as a leftover.
            open_directory(temporary).map_err(|error| match error.kind() {
                ErrorKind::NotFound => ErrorKind::AlreadyExists.into(),
                _ => error,
            })
        })
    }

    fn begin(path: &Path, create: impl Fn(&Path) -> io::Result<Option<File>>) -> io::Result<Staged> {
        crate::touched::claim(path)?;
        for _ in 0..ATTEMPTS {
            let temporary = free_name(path, "new");
            let file = match create(&temporary) {
                Ok(file) => file,
                // Another process has used the name.
                Err(error) if error.kind() == ErrorKind::AlreadyExists => continue,
                Err(error) => return Err(error),
            };
            // Another process may have removed it as a leftover before it was locked.
            if file.as_ref().is_none_or(|file| lock(file) != Lock::Taken && is_at(file, &temporary)) {
                return Ok(Staged { file, temporary: Some(temporary), path: path.to_owned() });
            }
        }
        Err(ErrorKind::ResourceBusy.into())
    }

    /// Returns the name that it has until it is committed.
    pub fn temporary(&self) -> &Path {
        self.temporary.as_deref().unwrap_or(&self.path)
    }

    /// Makes the contents of a file durable, before it is committed.
    ///
    /// # Errors
    /// Writing fails.
    pub fn sync(&self) -> io::Result<()> {
        // Files of a directory need no sync: the manifest has their hashes, so incomplete ones are detected.
        match self.file.as_ref().filter(|_| self.temporary().is_file()) {
            Some(file) => file.sync_all(),
            None => Ok(()),
        }
    }

    /// Moves it to its destination, which may be a file or not exist.
    ///
    /// # Errors
    /// Writing or renaming fails.
    pub fn commit(self) -> io::Result<()> {
        self.commit_over(&|_| false)
    }

    /// Moves it to its destination. A directory there is replaced if `may_replace` allows it.
    ///
    /// # Errors
    /// Writing or renaming fails, or the existing directory may not be replaced.
    pub fn commit_over(mut self, may_replace: &dyn Fn(&Path) -> bool) -> io::Result<()> {
        self.sync()?;
        replace(self.temporary(), &self.path, may_replace)?;
        self.temporary = None;
        remove_leftovers(&self.path);
        Ok(())
    }
}

impl Write for Staged {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.as_mut().map_or(Err(ErrorKind::IsADirectory.into()), |file| file.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.as_mut().map_or(Ok(()), File::flush)
    }
}

impl Drop for Staged {
    fn drop(&mut self) {
        // The error that matters was already reported.
        let _ = self.temporary.as_deref().map(remove);
    }
}

/// Returns the path that a name leads to: through links, including dangling ones, and without a trailing separator.
///
/// # Errors
/// Links lead to each other, or a folder cannot be searched.
pub fn place(named: &Path) -> io::Result<PathBuf> {
    let named: PathBuf = named.components().collect();
    let is_end = |path: &Path| match fs::symlink_metadata(path) {
        Ok(found) if found.is_symlink() => None,
        // The last folder may be a link, too.
        Ok(_) => Some(fs::canonicalize(path)),
        Err(error) if error.kind() == ErrorKind::NotFound => Some(Ok(path.to_owned())),
        Err(error) => Some(Err(error)),
    };
    // The system's own error for too many links.
    follow(&named, is_end).unwrap_or_else(|| fs::metadata(&named).map(|_| named))
}

/// Follows links from a path until `found` returns a result for one of them.
pub(crate) fn follow<T>(path: &Path, found: impl Fn(&Path) -> Option<T>) -> Option<T> {
    let mut path = path.to_owned();
    for _ in 0..MAX_LINKS {
        if let Some(result) = found(&path) {
            return Some(result);
        }
        path = path.parent()?.join(fs::read_link(&path).ok()?);
    }
    None
}

/// Removes a file or a directory.
fn remove(path: &Path) -> io::Result<()> {
    match fs::symlink_metadata(path)?.is_dir() {
        true => fs::remove_dir_all(path),
        false => fs::remove_file(path),
    }
}

/// Replaces `path` by `new`, in one step or not at all.
fn replace(new: &Path, path: &Path, may_replace: &dyn Fn(&Path) -> bool) -> io::Result<()> {
    use ErrorKind::*;
    let mut last = ResourceBusy.into();
    for _ in 0..ATTEMPTS {
        // This suffices if `path` is a file, an empty directory or does not exist.
        match fs::rename(new, path) {
            Ok(()) => return Ok(()),
            Err(error) if matches!(error.kind(), DirectoryNotEmpty | AlreadyExists | IsADirectory | NotADirectory) => {
                last = error;
            }
            Err(error) => return Err(error),
        }
        if !may_replace(path) {
            // Retry if another process has moved it.
            if fs::symlink_metadata(path).is_ok() {
                return Err(last);
            }
            continue;
        }
        match exchange(new, path) {
            Ok(()) => {
                // The old one has the temporary name now. The next writer removes any remains.
                let _ = remove(new);
                return Ok(());
            }
            Err(error) if error.kind() == NotFound && fs::symlink_metadata(new).is_ok() => {}
            Err(error) if matches!(error.kind(), Unsupported | InvalidInput) => {
                if replace_in_two_steps(new, path)? {
                    return Ok(());
                }
            }
            Err(error) => return Err(error),
        }
    }
    Err(last)
}

/// Replaces `path` on systems that cannot exchange two names; nothing is at `path` for a moment. Returns false if
/// another process was faster.
fn replace_in_two_steps(new: &Path, path: &Path) -> io::Result<bool> {
    let old = free_name(path, "old");
    match fs::rename(path, &old) {
        Ok(()) => {}
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(false),
        Err(error) => return Err(error),
    }
    match fs::rename(new, path) {
        Ok(()) => {
            let _ = remove(&old);
            Ok(true)
        }
        // Another process has created `path`; the next attempt replaces that.
        Err(_) if path.exists() => {
            let _ = remove(&old);
            Ok(false)
        }
        Err(error) => {
            fs::rename(&old, path)?;
            Err(error)
        }
    }
}

#[cfg(any(target_os = "linux", target_os = "android"))]
fn exchange(a: &Path, b: &Path) -> io::Result<()> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    Ok(renameat_with(CWD, a, CWD, b, RenameFlags::EXCHANGE)?)
}

#[cfg(not(any(target_os = "linux", target_os = "android")))]
fn exchange(_: &Path, _: &Path) -> io::Result<()> {
    Err(ErrorKind::Unsupported.into())
}

/// The separator between the name of the destination and the rest of a temporary name.
const MARK: &str = ".wgc-";

/// Returns an unused name next to `path`, and so on the same file system.
fn free_name(path: &Path, what: &str) -> PathBuf {
    /// Threads of one process use different names.
    static NEXT: AtomicU32 = AtomicU32::new(0);
    loop {
        let mut name = path.as_os_str().to_owned();
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        name.push(format!("{MARK}{what}-{}-{number}", std::process::id()));
        let name = PathBuf::from(name);
        if fs::symlink_metadata(&name).is_err() {
            return name;
        }
    }
}

/// Returns whether a name in the folder of `place` was created by [`free_name`], in this process or another.
fn is_temporary(name: &str, place: &str) -> bool {
    let Some(rest) = name.strip_prefix(place).and_then(|rest| rest.strip_prefix(MARK)) else { return false };
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let mut parts = rest.split('-');
    let what = parts.next();
    matches!(what, Some("new" | "old"))
        && parts.next().is_some_and(is_number)
        && parts.next().is_some_and(is_number)
        && parts.next().is_none()
}

/// Returns whether a directory has only files that belong to a package. Others are the user's, regardless of the name.
fn is_part_of_package(dir: &Path) -> bool {
    let Ok(entries) = fs::read_dir(dir) else { return false };
    entries.into_iter().all(|entry| {
        let Ok(entry) = entry else { return false };
        let name = entry.file_name();
        let name = name.to_string_lossy();
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => is_part_of_package(&entry.path()),
            Ok(kind) if kind.is_file() => {
                name == crate::package::MANIFEST || name == crate::package::TABLES || name.ends_with(".spv")
            }
            _ => false,
        }
    })
}

/// Removes leftovers of killed processes at this path. Failures are ignored.
fn remove_leftovers(path: &Path) {
    let (Some(folder), Some(name)) = (path.parent(), path.file_name().and_then(|name| name.to_str())) else { return };
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let Ok(kind) = entry.file_type() else { continue };
        if !entry.file_name().to_str().is_some_and(|other| is_temporary(other, name)) {
            continue;
        }
        let left = entry.path();
        let file = match (kind.is_file(), kind.is_dir() && is_part_of_package(&left)) {
            (true, _) => File::open(&left).ok(),
            (_, true) => open_directory(&left).ok().flatten(),
            _ => None,
        };
        if file.is_some_and(|file| lock(&file) == Lock::Ours && is_at(&file, &left)) {
            let _ = remove(&left);
        }
    }
}

#[cfg(unix)]
fn open_directory(path: &Path) -> io::Result<Option<File>> {
    File::open(path).map(Some)
}

/// Directories cannot be locked.
#[cfg(not(unix))]
fn open_directory(_: &Path) -> io::Result<Option<File>> {
    Ok(None)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Lock {
    Ours,
    /// Another process has the lock and is still writing.
    Taken,
    /// The system or this file system has no locks, so other processes are unknown.
    Missing,
}

/// Locks a file or directory until it is closed.
#[cfg(unix)]
fn lock(file: &File) -> Lock {
    use rustix::fs::{FlockOperation, flock};
    match flock(file, FlockOperation::NonBlockingLockExclusive) {
        Ok(()) => Lock::Ours,
        Err(error) if error == rustix::io::Errno::WOULDBLOCK => Lock::Taken,
        Err(_) => Lock::Missing,
    }
}

#[cfg(not(unix))]
fn lock(_: &File) -> Lock {
    Lock::Missing
}

/// Returns whether an open file is still the file with this name.
#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    let identity = |metadata: &fs::Metadata| (metadata.dev(), metadata.ino());
    match (file.metadata(), fs::symlink_metadata(path)) {
        (Ok(file), Ok(named)) => identity(&file) == identity(&named),
        _ => false,
    }
}

#[cfg(not(unix))]
fn is_at(_: &File, _: &Path) -> bool {
    true
}

/// Gives a new file the owner of the old one, as far as permissions allow.
#[cfg(unix)]
fn keep_owner(file: &File, old: &fs::Metadata) {
    use std::os::unix::fs::{MetadataExt as _, fchown};
    let Ok(new) = file.metadata() else { return };
    if (new.uid(), new.gid()) != (old.uid(), old.gid()) && fchown(file, Some(old.uid()), Some(old.gid())).is_err() {
        let _ = fchown(file, None, Some(old.gid()));
    }
}

#[cfg(not(unix))]
fn keep_owner(_: &File, _: &fs::Metadata) {}

#[cfg(test)]
mod tests {
    use super::*;
    use tempfile::TempDir;

    fn scratch() -> TempDir {
        tempfile::tempdir().unwrap()
    }

    fn entries(dir: &Path) -> Vec<String> {
        let names = fs::read_dir(dir).unwrap().map(|e| e.unwrap().file_name().to_string_lossy().into_owned());
        let mut names: Vec<String> = names.collect();
        names.sort();
        names
    }

    #[test]
    fn a_file_has_the_old_text_until_it_has_the_new_one() {
        let dir = scratch();
        let path = dir.path().join("a.hlsl");
        fs::write(&path, "old").unwrap();
        let mut staged = Staged::over(&path).unwrap();
        staged.write_all(b"new").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"old");
        drop(staged);
        assert_eq!((fs::read(&path).unwrap(), entries(dir.path())), (b"old".to_vec(), vec!["a.hlsl".to_owned()]));
        write(&path, b"new").unwrap();
        assert_eq!((fs::read(&path).unwrap(), entries(dir.path())), (b"new".to_vec(), vec!["a.hlsl".to_owned()]));
    }

    #[test]
    #[cfg(unix)]
    fn file_replacement_keeps_permissions_and_links() {
        use std::os::unix::fs::{PermissionsExt as _, symlink};
        let dir = scratch();
        let dir = dir.path();
        fs::write(dir.join("real"), "old").unwrap();
        fs::set_permissions(dir.join("real"), fs::Permissions::from_mode(0o750)).unwrap();
        symlink("real", dir.join("link")).unwrap();
        symlink("none", dir.join("dangling")).unwrap();
        for (link, real) in [("link", "real"), ("dangling", "none")] {
            write(&dir.join(link), b"new").unwrap();
            assert!(fs::symlink_metadata(dir.join(link)).unwrap().is_symlink());
            assert_eq!(fs::read(dir.join(real)).unwrap(), b"new");
        }
        assert_eq!(fs::metadata(dir.join("real")).unwrap().permissions().mode() & 0o777, 0o750);
        // Cyclic links lead nowhere, and stay.
        symlink("b", dir.join("a")).unwrap();
        symlink("a", dir.join("b")).unwrap();
        assert!(write(&dir.join("a"), b"new").is_err());
        assert!(fs::symlink_metadata(dir.join("a")).unwrap().is_symlink());
        assert!(place(&dir.join("a")).is_err());
    }

    #[test]
    fn directories_are_replaced_only_with_permission() {
        let dir = scratch();
        let path = dir.path().join("p");
        let staged = |name: &str| {
            let staged = Staged::directory(&path).unwrap();
            fs::write(staged.temporary().join(name), "x").unwrap();
            staged
        };
        staged("one").commit().unwrap();
        assert!(staged("two").commit().is_err());
        assert_eq!((entries(&path), entries(dir.path())), (vec!["one".to_owned()], vec!["p".to_owned()]));
        staged("two").commit_over(&|_| true).unwrap();
        assert_eq!((entries(&path), entries(dir.path())), (vec!["two".to_owned()], vec!["p".to_owned()]));
        // A file and a directory replace each other.
        let mut file = Staged::file(&path).unwrap();
        file.write_all(b"text").unwrap();
        file.commit_over(&|_| true).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"text");
        staged("three").commit_over(&|_| true).unwrap();
        assert_eq!((entries(&path), entries(dir.path())), (vec!["three".to_owned()], vec!["p".to_owned()]));
    }

    #[test]
    fn two_step_replacement_replaces_the_directory() {
        let dir = scratch();
        let (new, path) = (dir.path().join("new"), dir.path().join("p"));
        for (at, name) in [(&new, "new"), (&path, "old")] {
            fs::create_dir(at).unwrap();
            fs::write(at.join(name), "x").unwrap();
        }
        assert!(replace_in_two_steps(&new, &path).unwrap());
        assert_eq!((entries(&path), entries(dir.path())), (vec!["new".to_owned()], vec!["p".to_owned()]));
        assert!(!replace_in_two_steps(&new, &dir.path().join("gone")).unwrap());
    }

    #[test]
    fn concurrent_writers_leave_one_consistent_directory() {
        let dir = scratch();
        let path = dir.path().join("p");
        std::thread::scope(|scope| {
            for writer in 0..4 {
                let path = &path;
                scope.spawn(move || {
                    for _ in 0..50 {
                        let staged = Staged::directory(path).unwrap();
                        for name in ["a.spv", "b.spv"] {
                            fs::write(staged.temporary().join(name), writer.to_string()).unwrap();
                        }
                        staged.commit_over(&|_| true).unwrap();
                    }
                });
            }
        });
        let texts = ["a.spv", "b.spv"].map(|name| fs::read(path.join(name)).unwrap());
        assert_eq!(texts[0], texts[1]);
        assert_eq!(entries(dir.path()), ["p"]);
    }

    /// Leftovers of a killed process are removed; locked ones belong to a running process.
    #[test]
    #[cfg(unix)]
    fn unlocked_leftovers_of_the_same_path_are_removed() {
        let dir = scratch();
        let dir = dir.path();
        let left = ["a.spv.wgc-new-1-0", "a.spv.wgc-old-7-12"];
        let others = ["a.spv.wgc-new-1", "a.spv.wgc-new-x-0", "b.spv.wgc-new-1-0", "a.spv.wgc-new-1-0.txt"];
        for name in left.iter().chain(&others) {
            fs::write(dir.join(name), "x").unwrap();
        }
        fs::create_dir_all(dir.join("a.spv.wgc-new-2-0/nodes")).unwrap();
        fs::write(dir.join("a.spv.wgc-new-2-0/nodes/a.spv"), "x").unwrap();
        fs::create_dir(dir.join("a.spv.wgc-new-3-0")).unwrap();
        fs::write(dir.join("a.spv.wgc-new-3-0/mine.txt"), "x").unwrap();
        let running = Staged::file(&dir.join("a.spv")).unwrap();
        let running_name = running.temporary().file_name().unwrap().to_string_lossy().into_owned();
        write(&dir.join("a.spv"), b"new").unwrap();
        let mut kept: Vec<String> = others.map(str::to_owned).into();
        kept.extend(["a.spv".to_owned(), "a.spv.wgc-new-3-0".to_owned(), running_name]);
        kept.sort();
        assert_eq!(entries(dir), kept);
        running.commit().unwrap();
        assert_eq!(fs::read(dir.join("a.spv")).unwrap(), b"");
    }
}
