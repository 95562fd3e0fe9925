//! Sets and maps that keep the order of insertion. What they hash are numbers that the database gave out, which nobody chooses:
//! the fastest hash does.

use rustc_hash::FxBuildHasher;

pub type IndexSet<T> = indexmap::IndexSet<T, FxBuildHasher>;
pub type IndexMap<K, V> = indexmap::IndexMap<K, V, FxBuildHasher>;
