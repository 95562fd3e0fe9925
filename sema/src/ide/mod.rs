//! What editors ask of a program beside its diagnostics. Answers have ranges of files; nothing here knows a protocol.
//!
//! None of it is a query: what is read is (the tree of an item, the contract of a node), and ranges move with every edit.

mod attributes_at;
mod complete;
mod context;
mod docs;
mod graph;
mod hints;
mod hover;
mod keywords;
mod members;
mod outline;
mod scope;
mod selection;
mod spelled;
mod view;
mod words;

pub use complete::{Candidate, CandidateKind, Completion, built_in, complete, headers};
pub use context::Wanted;
pub use graph::{Edge, GraphSites, NodeSite, OutputSite, graph_sites};
pub use hints::{Hint, HintKind, hints};
pub use hover::node_text;
pub use outline::{Kind, Symbol, inactive, includes, outline};
pub use selection::selection;
pub use view::{GraphView, InputView, NodeView, OutputView, RecordView, graph_view};

use crate::db::{Db, Program};
use crate::def::{At, Item, Place};
use crate::diagnostic::FileRange;
use crate::diagnostics::{range_of, token_range};
use crate::items::origins;

/// The range of an item as a whole, from its first token to its last.
fn whole_range<'db>(db: &'db dyn Db, item: Item<'db>) -> Option<FileRange> {
    let (unit, origins) = origins(db, item)?;
    let all = || origins.head.iter().chain(origins.bodies.iter().flatten()).chain(&origins.ends).copied();
    let (first, last) = (all().min()?, all().max()?);
    let (first, last) = (token_range(db, unit, first), token_range(db, unit, last));
    // One that begins in another file than it ends in has no range.
    (first.file == last.file && first.lo <= last.hi).then_some(FileRange { hi: last.hi, ..first })
}

fn text_range<'db>(db: &'db dyn Db, place: Place<'db>) -> FileRange {
    range_of(db, At::Text(place))
}

/// Translation units of a program.
fn parts(db: &dyn Db, program: Program) -> Vec<Program> {
    crate::whole::units(db, program)
}
