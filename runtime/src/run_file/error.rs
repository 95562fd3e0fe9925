//! Why a run file was not executed, or did not run to its end.

use std::fmt;
use std::path::{Path, PathBuf};

use crate::device::DeviceError;
use wgc_json::{self as json, Position, SyntaxError, Value};

/// A fault of the run file, with its place in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileError {
    pub file: PathBuf,
    /// Line and column from 1; `None` when the file could not be read at all.
    pub place: Option<(usize, usize)>,
    /// The path in the JSON: `resources.Out.u32[3]`. Empty for the whole file.
    pub path: String,
    pub message: String,
    /// The file is right, but this version does not support its request.
    pub unsupported: bool,
}

impl FileError {
    /// Returns an error about a whole file.
    pub(super) fn unreadable(file: &Path, message: String) -> FileError {
        FileError { file: file.to_owned(), place: None, path: String::new(), message, unsupported: false }
    }
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.file.display())?;
        if let Some((line, column)) = self.place {
            write!(f, ":{line}:{column}")?;
        }
        if !self.path.is_empty() {
            write!(f, ": {}", self.path)?;
        }
        write!(f, ": {}", self.message)
    }
}

impl std::error::Error for FileError {}

/// Why a run has no report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RunError {
    /// The run file does not fit the format or the shader; nothing was run.
    File(FileError),
    /// The device failed.
    Device(DeviceError),
    /// A result could not be written.
    Output { file: PathBuf, message: String },
}

impl RunError {
    /// Returns the exit code for a command: 2 for a bad file and for output that cannot be written, 1 for a run that
    /// failed.
    pub fn exit_code(&self) -> u8 {
        match self {
            RunError::File(_) | RunError::Output { .. } => 2,
            RunError::Device(_) => 1,
        }
    }
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RunError::File(error) => error.fmt(f),
            RunError::Device(error) => write!(f, "the run failed: {error}"),
            RunError::Output { file, message } => write!(f, "cannot write {}: {message}", file.display()),
        }
    }
}

impl std::error::Error for RunError {}

impl From<FileError> for RunError {
    fn from(error: FileError) -> Self {
        RunError::File(error)
    }
}

impl From<DeviceError> for RunError {
    fn from(error: DeviceError) -> Self {
        RunError::Device(error)
    }
}

/// A fault and its position, before its file is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Fault {
    pub at: Position,
    pub message: String,
    pub unsupported: bool,
}

impl Fault {
    pub fn new(at: Position, message: impl Into<String>) -> Self {
        Self { at, message: message.into(), unsupported: false }
    }
}

impl From<SyntaxError> for Fault {
    fn from(error: SyntaxError) -> Self {
        Self::new(error.at, error.message)
    }
}

pub(super) type Checked<T> = Result<T, Fault>;

/// The text of a run file with its name; turns a [`Fault`] into an error for the user.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Source {
    pub file: PathBuf,
    /// It came through a pipe.
    pub is_stream: bool,
    pub text: String,
    pub root: Value,
}

impl Source {
    /// Returns the folder that names in the file are relative to.
    pub fn folder(&self) -> &Path {
        self.file.parent().filter(|_| !self.is_stream).unwrap_or(Path::new(""))
    }

    pub fn error(&self, fault: Fault) -> FileError {
        FileError {
            file: self.file.clone(),
            place: Some(json::line_column(&self.text, fault.at)),
            path: self.root.path_to(fault.at),
            message: fault.message,
            unsupported: fault.unsupported,
        }
    }
}
