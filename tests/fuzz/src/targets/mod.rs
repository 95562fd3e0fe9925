//! The bodies of the targets, one module for each group.

#[cfg(feature = "spirv-tools")]
pub mod agreement;
pub mod compile;
pub mod edits;
pub mod files;
pub mod server;
pub mod spirv;
pub mod text;

/// Returns `message` as an error unless the condition holds.
fn holds(condition: bool, message: impl FnOnce() -> String) -> Result<(), String> {
    if condition { Ok(()) } else { Err(message()) }
}
