//! Why words are not a module. Findings about well-formed modules belong to the verifier.

use std::fmt;

/// A malformed module: what is wrong and at which word of the file (the header is words 0 to 4).
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
