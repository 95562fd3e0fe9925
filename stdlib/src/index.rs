//! Where each built-in declaration stands, and which names it declares: tables that the build script makes, so that a
//! program costs the reading of what it names and no more.

/// One declaration of the prelude.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Index in [`crate::PRELUDE`].
    pub file: u32,
    /// Range of its text there, in bytes.
    pub lo: u32,
    pub hi: u32,
    /// The namespace around it, or "".
    pub scope: &'static str,
    /// Among those of its scope and (first) name.
    pub nth: u32,
}

// PIECES, in the order of the text; NAMES, sorted: scope, name, the pieces that declare it; TYPES and TEMPLATES,
// whatever their scope and whether or not they are methods; NAMESPACES.
include!(concat!(env!("OUT_DIR"), "/index.rs"));

impl Piece {
    pub fn text(&self) -> &'static str {
        &crate::PRELUDE[self.file as usize].1[self.lo as usize..self.hi as usize]
    }
}

/// Indexes in [`PIECES`] of those that declare a name in a scope, in the order of the text.
pub fn declaring(scope: &str, name: &str) -> &'static [u32] {
    NAMES.binary_search_by_key(&(scope, name), |(scope, name, _)| (scope, name)).map_or(&[], |found| NAMES[found].2)
}

/// All names that are declared in a scope, in alphabetical order.
pub fn names(scope: &str) -> impl Iterator<Item = &'static str> {
    let [from, to] = [NAMES.partition_point(|row| row.0 < scope), NAMES.partition_point(|row| row.0 <= scope)];
    NAMES[from..to].iter().map(|row| row.1)
}
