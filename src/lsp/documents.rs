//! The documents that are open in the editor, and a file system that prefers them to the disk.

use super::positions::{Encoding, Lines, Position};
use crate::loader::Forgetful;
use rustc_hash::FxHashMap;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};
use wgc_sema::db::{FileLoader, Standing};

/// The size limit of a document. Larger files are treated as empty: no shader is that large, and an editor may open
/// anything.
pub const MAX_BYTES: usize = 8 << 20;

/// A change of a text: all of it, or one range.
#[derive(Clone, Debug)]
pub struct Change {
    pub range: Option<Range<Position>>,
    pub text: String,
}

/// An open document.
#[derive(Clone, Debug)]
pub struct Document {
    /// The client's spelling of the URI.
    pub uri: String,
    pub version: i32,
    pub text: Arc<[u8]>,
}

impl Document {
    /// Applies changes in order.
    pub fn change(&mut self, version: i32, changes: Vec<Change>, encoding: Encoding) {
        self.version = version;
        for change in changes {
            let text = match change.range {
                None => change.text.into_bytes(),
                Some(range) => {
                    let lines = Lines::new(&self.text, encoding);
                    let (lo, hi) = (lines.offset(range.start) as usize, lines.offset(range.end) as usize);
                    let (lo, hi) = (lo.min(hi), lo.max(hi));
                    [&self.text[..lo], change.text.as_bytes(), &self.text[hi..]].concat()
                }
            };
            self.text = text.into();
        }
    }
}

/// The texts of open documents by path, shared with the loader of the database.
#[derive(Clone, Default)]
pub struct Overlay(Arc<Mutex<FxHashMap<String, Arc<[u8]>>>>);

impl Overlay {
    /// Sets the text of a path; `None` if it was closed.
    pub fn set(&self, path: &str, text: Option<Arc<[u8]>>) {
        let mut texts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match text {
            Some(text) => _ = texts.insert(path.to_owned(), text),
            None => _ = texts.remove(path),
        }
    }
}

impl FileLoader for Overlay {
    fn load(&self, path: &str) -> Option<Vec<u8>> {
        let open = self.0.lock().unwrap_or_else(PoisonError::into_inner).get(path).cloned();
        match open {
            Some(text) if text.len() > MAX_BYTES => Some(Vec::new()),
            Some(text) => Some(text.to_vec()),
            None if std::fs::metadata(path).is_ok_and(|m| m.len() <= MAX_BYTES as u64) => Forgetful.load(path),
            None => None,
        }
    }

    fn standing(&self, path: &str) -> Standing {
        let mut standing = Forgetful.standing(path);
        if standing.refusal.is_none()
            && let Some(bytes) = std::fs::metadata(path).ok().map(|m| m.len()).filter(|len| *len > MAX_BYTES as u64)
        {
            standing.refusal = Some(format!("it has {bytes} bytes; the limit is {MAX_BYTES}"));
        }
        standing
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn document_changes_apply_in_sequence() {
        let mut document = Document { uri: String::new(), version: 1, text: b"one\ntwo\n".as_slice().into() };
        let at = |line, column| Position { line, column };
        let part = |range, text: &str| Change { range: Some(range), text: text.into() };
        let changes = vec![
            part(at(0, 3)..at(1, 0), " "),
            // These positions count in the text that the first change produced.
            part(at(0, 4)..at(0, 7), "\u{1f600}"),
            part(at(0, 6)..at(9, 9), "!"),
        ];
        document.change(2, changes, Encoding::Utf16);
        assert_eq!((document.version, &*document.text), (2, "one \u{1f600}!".as_bytes()));
        document.change(3, vec![Change { range: None, text: "all".into() }], Encoding::Utf16);
        assert_eq!(&*document.text, b"all");
    }
}
