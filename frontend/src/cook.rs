//! Names of types and templates.
use compact_str::CompactString;
use rustc_hash::FxHashSet;

/// Names that the two questions need: what is declared as a type, what as a template. Scopes do not matter to it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Names {
    types: FxHashSet<CompactString>,
    templates: FxHashSet<CompactString>,
}

impl Names {
    /// The names that a unit declares, to be handed to the units that use it as their prelude.
    pub fn scan(unit: &crate::preprocess::Unit) -> Names {
        unit.names.clone()
    }
}
