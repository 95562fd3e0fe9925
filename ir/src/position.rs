//! Source positions of statements, which edits elsewhere do not change, and the table that maps them to files.
//!
//! A [`Position`] counts tokens within one piece of source: the head or a body of an item. So a lowered function stays
//! the same when lines move. A [`SourceMap`] maps tokens to files. It is rebuilt for each emission and is not part of a
//! module.

use crate::Symbol;
use crate::declared::Declarations;
use la_arena::Idx;
use rustc_hash::FxHashMap;
use std::sync::Arc;

pub type ScopeId = Idx<SourceScope>;

/// A token of the source of a function, or of a function that was inlined into it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    pub scope: ScopeId,
    /// The index within [`SourceScope::text`].
    pub token: u32,
}

/// The function that contains statements in the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceScope {
    /// Its symbol, even if the module no longer has it.
    pub function: Symbol,
    /// The text of its body.
    pub text: SourceText,
    /// The token of its name, in the head of the same item.
    pub name: u32,
    /// The call that it was inlined for, in an earlier scope; `None` for the function itself.
    pub inlined_at: Option<Position>,
}

/// A sequence of tokens: the head of an item, or one of its bodies.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SourceText {
    /// The stable name of an item. It changes only if earlier items of the same name do.
    pub item: Symbol,
    /// The index of the body; `None` for the head.
    pub body: Option<u32>,
}

impl SourceScope {
    /// Returns the head of the item that declares the function.
    pub fn head(&self) -> SourceText {
        SourceText { item: self.text.item.clone(), body: None }
    }
}

/// A location in a file: line and column (in bytes), both from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Location {
    /// Index of [`SourceMap::files`].
    pub file: u32,
    pub line: u32,
    pub column: u32,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceFile {
    pub path: String,
    pub text: Arc<[u8]>,
}

/// The file locations of a module's positions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourceMap {
    /// The files. The one that the program is named after comes first.
    pub files: Vec<SourceFile>,
    /// The first file of each translation unit, in order. The unit read the files up to the next one.
    pub roots: Vec<u32>,
    /// Declarations for debuggers; otherwise empty.
    pub declarations: Declarations,
    pub(crate) texts: FxHashMap<SourceText, Vec<Location>>,
}

impl SourceMap {
    /// Adds the locations of all tokens of a text.
    pub fn insert(&mut self, text: SourceText, tokens: Vec<Location>) {
        self.texts.insert(text, tokens);
    }

    /// Returns the location of a token, or `None` for code without a source.
    pub fn locate(&self, text: &SourceText, token: u32) -> Option<Location> {
        self.texts.get(text)?.get(token as usize).copied()
    }

    /// Returns the first file of the translation unit that read a file.
    pub fn root_of(&self, file: u32) -> u32 {
        self.roots.iter().copied().take_while(|root| *root <= file).last().unwrap_or(0)
    }

    /// Appends the files and texts of another program.
    pub fn extend(&mut self, other: SourceMap) {
        let first = self.files.len() as u32;
        self.files.extend(other.files);
        self.roots.extend(other.roots.into_iter().map(|root| root + first));
        self.declarations.extend(other.declarations, first);
        for (text, mut tokens) in other.texts {
            tokens.iter_mut().for_each(|at| at.file += first);
            self.texts.insert(text, tokens);
        }
    }
}
