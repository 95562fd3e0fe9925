//! Text to syntax tree, for the whole HLSL work-graph dialect.
//!
//! The stages, each a module: `preprocess` (directives and macros over the raw tokens of `lex`), `cook` (answers the
//! two questions a grammar without type names cannot: is this `<` a template bracket, is this `(` a cast), `slice`
//! (cuts the unit into items, and function bodies out of items), `parse` (the LALRPOP grammar, one item head or one
//! body at a time, with repair by insertion).
//!
//! It never fails and never panics: every stage returns its result and a list of errors. It knows no types, does no
//! I/O and knows nothing of salsa; files come in through [`preprocess::Includes`].

pub mod ast;
