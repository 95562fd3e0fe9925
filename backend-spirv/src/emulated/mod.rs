//! The emulated target: a graph becomes plain compute shaders and tables.
//!
//! `plan` looks at the graph alone: instances, stages, queues, tables. `node` rewrites the function of one node so that
//! no graph operation remains: they become calls of the device library (`library` knows its functions, `link` merges
//! it in), `demand` what its calls ask for at most, `fuse` which instances have one dispatch. What is emitted is ordinary
//! compute IR; `package` puts everything together.

mod demand;
mod error;
mod fuse;
mod layout;
mod library;
mod link;
mod node;
mod package;
pub mod plan;
mod roots;

pub use error::{EmuError, GraphProblem, RootProblem};
pub use layout::RecordLayout;
pub use package::{EmulatedOptions, Rewritten, Shader, can_be_planned, package, rewrite};
pub use plan::{Plan, plan};
