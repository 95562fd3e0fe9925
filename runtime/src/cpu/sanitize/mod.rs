//! The checks that a program is given when it is loaded for a device that looks for mistakes: which values are used
//! before anything defines them, and which accesses of memory race.
//!
//! `instrument` puts [`Check`] instructions into a program, `races` knows which accesses are ordered, and
//! `exec::check` runs the checks. A program without them costs nothing more. What needs no memory of the past (ranges,
//! limits of records, barriers) is checked where it is executed.
//!
//! [`Check`]: super::program::Check

mod instrument;
mod publish;
mod races;

pub use instrument::instrument;
pub use races::{Access, Parent, Races};
