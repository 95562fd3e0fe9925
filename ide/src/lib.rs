//! Answers to an editor's questions about a program, except diagnostics. Answers refer to ranges of files; nothing here
//! knows a protocol.
//!
//! Ranges move with every edit, so answers with ranges are not queries. Their sources are queries of `sema` (the tree
//! of an item, the contract of a node, the symbols that names denote), and the words of the text.

#![forbid(unsafe_code)]
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::unreachable))]

mod attribute_docs;
mod attributes_at;
mod bytes;
mod calls;
mod comments;
mod complete;
mod context;
mod describe;
mod family;
mod folding;
mod graph;
mod heads;
mod hints;
mod hover;
mod keywords;
mod macros;
mod meanings;
mod members;
mod outline;
mod scope;
mod selection;
mod shared;
mod source_tokens;
mod spelled;
mod symbols;
mod texts;
mod tokens;
mod view;
pub(crate) mod vulkan_attributes;

pub use calls::{Signature, Signatures, callers, calls_in, signatures};
pub use complete::{Candidate, CandidateKind, Completion, More, built_in, complete, headers, written};
pub use context::CompletionKind;
pub use describe::{describe, doc};
pub use family::{implementations, with_family};
pub use folding::{Fold, FoldKind, folds};
pub use graph::{Edge, GraphSites, NodeSite, OutputSite, declared_for_nodes, graph_sites};
pub use hints::{Hint, HintKind, hints};
pub use hover::node_text;
pub use macros::{MacroAt, MacroUse, definitions, macro_at, macro_uses};
pub use meanings::ambiguous;
pub use outline::{OutlineKind, Symbol, inactive, includes, namespaces, nested, outline};
pub use selection::selection;
pub use shared::joint_resources;
pub use symbols::{
    Named, SymbolId, Use, declared_everywhere, may_name_a_node, named_at, symbol_id, type_declarations, uses,
};
pub use tokens::{HighlightKind, Modifiers, Token, tokens};
pub use view::{GraphView, InputView, NodeView, OutputView, RecordView, graph_view};

use wgc_sema::db::def::{At, Item, SourcePlace};
use wgc_sema::db::diagnostic::FileRange;
use wgc_sema::db::items::origins;
use wgc_sema::db::{Db, Program};
use wgc_sema::report::diagnostics::{range_of, token_range};

/// Returns the range of a whole item, from its first token to its last.
fn whole_range<'db>(db: &'db dyn Db, item: Item<'db>) -> Option<FileRange> {
    let (unit, origins) = origins(db, item)?;
    let all = || origins.head.iter().chain(origins.bodies.iter().flatten()).chain(&origins.ends).copied();
    let (first, last) = (all().min()?, all().max()?);
    let (first, last) = (token_range(db, unit, first), token_range(db, unit, last));
    // An item that starts and ends in different files has no range.
    (first.file == last.file && first.lo <= last.hi).then_some(FileRange { hi: last.hi, ..first })
}

fn text_range<'db>(db: &'db dyn Db, place: SourcePlace<'db>) -> FileRange {
    range_of(db, At::Text(place))
}

/// Returns the translation units of a program.
pub fn parts(db: &dyn Db, program: Program) -> Vec<Program> {
    wgc_sema::db::units(db, program)
}
