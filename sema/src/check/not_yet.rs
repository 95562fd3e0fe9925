//! Names of HLSL that wgc does not declare yet: whoever writes one gets told so, and not that it is unknown.
//!
//! A name leaves this list when `stdlib/prelude` declares it; a test holds the two apart.

/// Types and intrinsics of HLSL that the prelude lacks, in alphabetical order.
pub const NAMES: &[&str] = &["noise"];

/// Whether HLSL has this name and wgc has not.
pub fn is_hlsl(name: &str) -> bool {
    NAMES.binary_search(&name).is_ok()
}
