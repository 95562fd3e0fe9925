//! Sets and maps that keep the order of insertion. Their keys are numbers from the database. No input controls these,
//! so the fastest hash is safe.

use rustc_hash::FxBuildHasher;

pub type IndexSet<T> = indexmap::IndexSet<T, FxBuildHasher>;
pub type IndexMap<K, V> = indexmap::IndexMap<K, V, FxBuildHasher>;
