//! Where statements came from: positions that no edit elsewhere moves, and the table that makes places in files of them.
//!
//! A [`Position`] counts tokens within one piece of source, the head or a body of an item, so a function that is
//! lowered once stays what it is when lines move. What a token means in a file is in a [`SourceMap`], which is made
//! anew for each emission and is no part of a module.

use crate::Symbol;
use crate::declared::Declarations;
use la_arena::Idx;
use rustc_hash::FxHashMap;
use std::sync::Arc;

pub type ScopeId = Idx<SourceScope>;

/// A token of the source of a function, or of one that was inlined into it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    pub scope: ScopeId,
    /// Counted within [`SourceScope::text`].
    pub token: u32,
}

/// The function that statements were written in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceScope {
    /// Its symbol, whether or not the module still has it.
    pub function: Symbol,
    /// Its body.
    pub text: SourceText,
    /// The token that is its name, in the head of the same item.
    pub name: u32,
    /// The call that it was inlined for, in a scope before this one; `None` for the function itself.
    pub inlined_at: Option<Position>,
}

/// A run of tokens: the head of an item, or one of its bodies.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SourceText {
    /// Names an item for good, as long as items of its name in front of it stay the same.
    pub item: Symbol,
    /// `None` for the head.
    pub body: Option<u32>,
}

impl SourceScope {
    /// The head of the item that the function is declared in.
    pub fn head(&self) -> SourceText {
        SourceText { item: self.text.item.clone(), body: None }
    }
}

/// A place in a file, as people count: lines and columns (in bytes) from 1.
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

/// What the positions of a module mean.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourceMap {
    /// The file that the program is named after comes first.
    pub files: Vec<SourceFile>,
    /// The first file of each translation unit, in order: the files up to the next one are what it read.
    pub roots: Vec<u32>,
    /// Empty unless debuggers are to be served.
    pub declarations: Declarations,
    texts: FxHashMap<SourceText, Vec<Location>>,
}

impl SourceMap {
    /// Adds the places of all tokens of a text.
    pub fn insert(&mut self, text: SourceText, tokens: Vec<Location>) {
        self.texts.insert(text, tokens);
    }

    /// `None` for what is not in the map: a position of code that no source was given for.
    pub fn locate(&self, text: &SourceText, token: u32) -> Option<Location> {
        self.texts.get(text)?.get(token as usize).copied()
    }

    /// The first file of the translation unit that read a file.
    pub fn root_of(&self, file: u32) -> u32 {
        self.roots.iter().copied().take_while(|root| *root <= file).last().unwrap_or(0)
    }

    /// Adds another program's files and texts behind those of this one.
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
