//! The position and the names of each built-in declaration. The build script writes these tables, so that a program
//! reads only the declarations that it names.

/// One declaration of the prelude.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Index in [`crate::PRELUDE`].
    pub file: u32,
    /// Its byte range in that file.
    pub lo: u32,
    pub hi: u32,
    /// The enclosing namespace, or "".
    pub scope: &'static str,
    /// Its index among the declarations of the same scope and (first) name.
    pub nth: u32,
}

// PIECES is in text order. NAMES is sorted: scope, name, the pieces that declare it. TYPES and TEMPLATES cover all
// scopes, including methods. NAMESPACES lists the namespaces.
include!(concat!(env!("OUT_DIR"), "/index.rs"));

impl Piece {
    pub fn text(&self) -> &'static str {
        &crate::PRELUDE[self.file as usize].1[self.lo as usize..self.hi as usize]
    }
}

/// Returns the indexes in [`PIECES`] of the declarations of a name in a scope, in text order.
pub fn declaring(scope: &str, name: &str) -> &'static [u32] {
    NAMES.binary_search_by_key(&(scope, name), |(scope, name, _)| (scope, name)).map_or(&[], |found| NAMES[found].2)
}

/// Returns all names that a scope declares, in alphabetical order.
pub fn names(scope: &str) -> impl Iterator<Item = &'static str> {
    let [from, to] = [NAMES.partition_point(|row| row.0 < scope), NAMES.partition_point(|row| row.0 <= scope)];
    NAMES[from..to].iter().map(|row| row.1)
}
