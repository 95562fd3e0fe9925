//! Files that the running command has read or written, so that it overwrites none of them.
//!
//! Nothing is kept until a command begins ([`begin`]): a formatter or a language server may overwrite its inputs.

use crate::stream::Stream;
use std::cell::Cell;
use std::collections::HashSet;
use std::fs::Metadata;
use std::io::{Error, ErrorKind, Result};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

#[derive(Default)]
struct Touched {
    read: HashSet<Identity>,
    written: HashSet<PathBuf>,
    streams: Vec<Stream>,
    /// The files of streams.
    streamed: HashSet<Identity>,
    /// The files of standard output and standard error, with the names of these.
    standard: Vec<(&'static str, Identity)>,
}

static TOUCHED: Mutex<Option<Touched>> = Mutex::new(None);

/// Forgets all files, and keeps those that are read and written from now on in this process.
pub fn begin() {
    let streams = [("standard output", "/dev/stdout"), ("standard error", "/dev/stderr")];
    let file = |path| std::fs::metadata(path).ok().filter(Metadata::is_file).as_ref().and_then(identity);
    let standard = streams.into_iter().filter_map(|(name, path)| Some((name, file(path)?))).collect();
    *TOUCHED.lock().unwrap_or_else(PoisonError::into_inner) = Some(Touched { standard, ..Touched::default() });
}

/// Forgets all files, and keeps no more: the command overwrites its inputs.
pub fn end() {
    *TOUCHED.lock().unwrap_or_else(PoisonError::into_inner) = None;
}

thread_local! {
    static PEEKING: Cell<bool> = const { Cell::new(false) };
}

/// Looks into files that are about to be replaced: they are no inputs.
pub fn peek<T>(look: impl FnOnce() -> T) -> T {
    let before = PEEKING.replace(true);
    let found = look();
    PEEKING.set(before);
    found
}

/// Keeps a file that was read.
pub(crate) fn note_read(metadata: &Metadata) {
    if PEEKING.get() {
        return;
    }
    if let (Some(touched), Some(identity)) =
        (TOUCHED.lock().unwrap_or_else(PoisonError::into_inner).as_mut(), identity(metadata))
    {
        touched.read.insert(identity);
    }
}

/// Keeps a place that is to be written, without links.
///
/// # Errors
/// The command has read this file, or writes another of its outputs there, inside it or around it.
pub(crate) fn claim(path: &Path) -> Result<()> {
    let mut touched = TOUCHED.lock().unwrap_or_else(PoisonError::into_inner);
    let Some(touched) = touched.as_mut() else { return Ok(()) };
    let place = checked(touched, path)?;
    touched.written.insert(place);
    Ok(())
}

/// Checks that a place can be written, without keeping it.
///
/// # Errors
/// Those of [`claim`].
pub fn check(path: &Path) -> Result<()> {
    let touched = TOUCHED.lock().unwrap_or_else(PoisonError::into_inner);
    touched.as_ref().map_or(Ok(()), |touched| checked(touched, path).map(drop))
}

/// Keeps a stream that is to be written.
pub(crate) fn keep_stream(stream: &Stream, metadata: Option<&Metadata>) {
    let mut touched = TOUCHED.lock().unwrap_or_else(PoisonError::into_inner);
    let Some(touched) = touched.as_mut() else { return };
    touched.streams.push(stream.clone());
    touched.streamed.extend(metadata.filter(|metadata| metadata.is_file()).and_then(identity));
}

/// Checks that a stream can be written. `metadata`: of its file.
///
/// # Errors
/// The command has read the file, or writes another of its outputs there.
pub(crate) fn check_stream(stream: &Stream, metadata: Option<&Metadata>) -> Result<()> {
    let touched = TOUCHED.lock().unwrap_or_else(PoisonError::into_inner);
    let Some(touched) = touched.as_ref() else { return Ok(()) };
    let found = metadata.filter(|metadata| metadata.is_file()).and_then(identity);
    check_file(touched, found)?;
    if touched.streams.contains(stream) || found.is_some_and(|identity| is_written(touched, identity)) {
        return Err(another_output());
    }
    Ok(())
}

/// Returns whether this file is at a place that the command writes.
fn is_written(touched: &Touched, found: Identity) -> bool {
    touched.written.iter().any(|place| std::fs::metadata(place).ok().as_ref().and_then(identity) == Some(found))
}

fn an_input() -> Error {
    Error::new(ErrorKind::InvalidInput, "it is an input of this command")
}

fn another_output() -> Error {
    Error::new(ErrorKind::InvalidInput, "this command already writes another output there")
}

/// Checks that an existing file is neither an input nor the file of an output stream.
fn check_file(touched: &Touched, found: Option<Identity>) -> Result<()> {
    match found {
        Some(identity) if touched.read.contains(&identity) => Err(an_input()),
        Some(identity) if touched.streamed.contains(&identity) => Err(another_output()),
        _ => Ok(()),
    }
}

/// Checks a place for a new file, and returns it without links in its folder.
fn checked(touched: &Touched, path: &Path) -> Result<PathBuf> {
    let found = std::fs::metadata(path).ok().as_ref().and_then(identity);
    check_file(touched, found)?;
    // A new file in this place would not have what the command prints.
    if let Some((name, _)) = touched.standard.iter().find(|(_, identity)| Some(*identity) == found) {
        return Err(Error::new(ErrorKind::InvalidInput, format!("{name} goes to this file")));
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let folder = std::fs::canonicalize(folder).unwrap_or_else(|_| folder.to_owned());
    let place = folder.join(path.file_name().unwrap_or_default());
    if touched.written.contains(&place) {
        return Err(another_output());
    }
    // The later of two nested outputs would replace or refuse the other.
    if let Some(other) = touched.written.iter().find(|other| other.starts_with(&place) || place.starts_with(other)) {
        let message =
            format!("{} is another output of this command, and one of the two contains the other", other.display());
        return Err(Error::new(ErrorKind::InvalidInput, message));
    }
    Ok(place)
}

/// The device and the number of a file there: one for all names and links.
#[cfg(unix)]
type Identity = (u64, u64);

#[cfg(unix)]
fn identity(metadata: &Metadata) -> Option<Identity> {
    use std::os::unix::fs::MetadataExt as _;
    Some((metadata.dev(), metadata.ino()))
}

/// Windows has no stable function for the number of a file.
#[cfg(not(unix))]
type Identity = ();

#[cfg(not(unix))]
fn identity(_: &Metadata) -> Option<Identity> {
    None
}
