//! The front end: text to syntax tree, for the whole HLSL work-graph dialect.
//!
//! The stages, each a module:
//!
//! - [`preprocess`]: directives and macros over the raw tokens of `lex`. It returns one [`preprocess::Unit`]: the
//!   tokens of a translation unit with their origins. Inside it, `cook` answers two questions that a grammar without
//!   type names cannot: is this `<` a template bracket, is this `(` a cast? `lookup` gives it the meanings of names in
//!   their scopes. Where it has no answer, `names` has the names that the unit declares anywhere;
//! - [`slice`]: cuts the unit into items, and function bodies out of items, using only brackets. `local` does the same
//!   for a type that a body defines;
//! - [`parse`]: the LALRPOP grammar, one item head or one body at a time, with repair of errors;
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
//! It never fails and never panics: every stage returns its result and a list of errors. It has no types, does no I/O
//! and is independent of salsa. Files come in through [`preprocess::Includes`]. Tokens and trees have no byte offsets:
//! a comment added on line 1 leaves the tokens of every [`slice::ItemSlice`] equal, only its `origins` move.
//!
//! Effect-framework annotations, state blocks and techniques are skipped with a warning, as in DXC. The grammar lacks
//! parameter packs and conversion operators, which DXC also rejects, and `__VA_OPT__`.

#![forbid(unsafe_code)]
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::unreachable))]

pub mod ast;
mod brackets;
mod cook;
pub mod diagnostic;
mod effects;
pub mod escape;
mod hide_sets;
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
pub use source::with_line_feeds;
