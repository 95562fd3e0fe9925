//! The emulated target, which turns a graph into plain compute shaders and tables.
//!
//! `plan` analyses only the graph: instances, stages, queues, tables. `node` rewrites the function of one node. Graph
//! operations become memory operations and calls of the device library: `library` lists its functions, and `link`
//! merges it in. `demand` bounds the requests of a node's calls. `roots` reads local root arguments. `joint` chooses the
//! instances that share a dispatch. `package` has the order of these steps and builds the package. The result is
//! ordinary compute IR.

mod demand;
mod error;
mod joint;
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
