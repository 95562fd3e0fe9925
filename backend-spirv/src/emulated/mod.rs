//! The emulated target, which turns a graph into plain compute shaders and tables.
//!
//! `plan` analyses only the graph: instances, stages, queues, tables. `node` rewrites the function of one node. Graph
//! operations become memory operations and calls of the device library: `library` lists its functions, and `link`
//! merges it in. `roots` reads local root arguments. `joint` chooses the instances that share a dispatch. `shaders`
//! builds the shaders, in ordinary compute IR, and `package` the package. The order of these steps is in `pipeline`.

mod error;
pub(crate) mod joint;
mod layout;
pub(crate) mod library;
mod link;
pub(crate) mod node;
mod package;
pub mod plan;
pub(crate) mod resident;
pub(crate) mod roots;
pub(crate) mod shaders;

pub use error::{EmuError, GraphProblem, RootProblem};
pub use layout::RecordLayout;
pub use package::package;
pub use plan::{Plan, plan};
pub use shaders::{EmulatedOptions, Rewritten, Shader, library_kernels};
