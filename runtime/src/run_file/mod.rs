//! Run files: the program to execute, its resources and records, and the expected results.
//!
//! `parse` builds the `model` from JSON with positions. `plan` fits the model to a
//! compiled program's interface and lays everything out as bytes, so errors are found before anything runs. `execute`
//! runs a plan on an `executor` and judges the results by `compare`. `docs/run-files.md` describes the format.
//!
//! The module neither compiles shaders nor loads modules: its caller provides an interface and an executor.

mod compare;
mod error;
mod execute;
mod executor;

mod layout;
mod meshes;
mod model;
mod names;
mod output;
mod parse;
mod plan;
mod read_number;
mod report;
#[cfg(test)]
mod tests;

pub use error::{FileError, RunError};
pub use execute::{check, execute};
pub use executor::{DispatchMode, Dispatched, EntryInput, Executor, Finding};
pub use model::{Arena, Batching, CpuSettings, EmulationSettings, Order, RunFile, Sanitize, Schedule};
pub use output::Outputs;
pub use report::{Outcome, Report, Verdict};
