//! The checks that are added to a program when it is loaded for a checking device. They find uses of undefined values,
//! and races between memory accesses.
//!
//! `instrument` puts [`Check`] instructions into a program, `races` knows the order of accesses, and `exec::check` runs
//! the checks. A program without them costs nothing more. Checks that need no history (ranges, limits of records,
//! barriers) are made during execution.
//!
//! [`Check`]: super::program::Check

mod instrument;
mod publish;
mod races;

pub use instrument::instrument;
pub use races::{Access, Parent, Races};
