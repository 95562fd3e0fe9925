//! Conversion from bytes to words in this machine's order. The magic number shows the byte order; both are accepted.

use crate::error::{LoadError, Result};

/// Returns the words of a `.spv` file.
pub fn from_bytes(bytes: &[u8]) -> Result<Vec<u32>> {
    if !bytes.len().is_multiple_of(4) {
        return Err(LoadError::new(bytes.len() / 4, format!("{} bytes are not a whole number of words", bytes.len())));
    }
    let mut words: Vec<u32> =
        bytes.chunks_exact(4).map(|c| c.iter().rev().fold(0u32, |word, &byte| (word << 8) | u32::from(byte))).collect();
    normalise(&mut words);
    Ok(words)
}

/// Swaps the bytes of every word if the magic number has the other byte order.
pub fn normalise(words: &mut [u32]) {
    if words.first() == Some(&spirv::MAGIC_NUMBER.swap_bytes()) {
        for word in words {
            *word = word.swap_bytes();
        }
    }
}
