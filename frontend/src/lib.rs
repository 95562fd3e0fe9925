//! Text to syntax tree, for the whole HLSL work-graph dialect.
//!
//! The stages, each a module:
//!
//! - [`preprocess`]: directives and macros over the raw tokens of `lex`; gives one [`preprocess::Unit`] of tokens with
//!   their origins for all files of a program. Inside it, `cook` answers the two questions a grammar without type
//!   names cannot: is this `<` a template bracket, is this `(` a cast. `lookup` tells it what names mean in their scopes;
//! - [`slice`]: cuts the unit into items, and function bodies out of items, by brackets alone; `local` does the same to
//!   a type that a body defines;
//! - [`parse`]: the LALRPOP grammar, one item head or one body at a time, with repair by insertion;
//! - [`ast`]: the tree, and [`ast::dump`] of it as text.
//!
//! ```text
//! unit(includes, roots, options, names of the prelude) -> Unit { tokens, origins, expansions, errors, .. }
//! slice(&unit)                                  -> (Vec<ItemSlice { head, bodies, .. }>, Vec<Error>)
//! parse_item(&item.head)                        -> Parsed { ast, root: ItemId, errors }
//! parse_body(&item.bodies[n].tokens)            -> Parsed { ast, root: Vec<StmtId>, errors }
//! unit.locate(&syntax_error, &item.head_origins) -> Error
//! ```
//!
//! It never fails and never panics: every stage returns its result and a list of errors. It knows no types, does no
//! I/O and knows nothing of salsa; files come in through [`preprocess::Includes`]. Tokens and trees hold no byte
//! offset: a comment added on line 1 leaves every [`slice::ItemSlice`]'s tokens equal, only its `origins` move.
//!
//! Effect-framework annotations, state blocks and techniques are left out with a warning, as DXC does. Not in the
//! grammar: parameter packs and conversion operators, which DXC refuses too; `__VA_OPT__`.

#![forbid(unsafe_code)]

pub mod ast;
mod brackets;
mod cook;
pub mod diagnostic;
mod effects;
pub mod escape;
mod lex;
mod local;
mod lookup;
mod names;
pub mod parse;
pub mod preprocess;
pub mod slice;
mod source;
pub mod spelled;
pub mod token;

pub use cook::is_builtin_type;
pub use local::slice_local;
pub use names::Names;
pub use preprocess::{part, unit};
pub use slice::slice;
