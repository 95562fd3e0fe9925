//! Errors in words that are not a module. The verifier reports errors in well-formed modules.

use std::fmt;

/// An error in a malformed module, and its word in the file (the header is words 0 to 4).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoadError {
    pub word: usize,
    pub message: String,
}

impl LoadError {
    pub fn new(word: usize, message: impl Into<String>) -> Self {
        Self { word, message: message.into() }
    }
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "word {}: {}", self.word, self.message)
    }
}

impl std::error::Error for LoadError {}

pub type Result<T> = std::result::Result<T, LoadError>;
