//! Advice about record fields that only repeat a constant buffer, which the consuming node can read itself.
//!
//! The advice appears only where that is certain. All producers of all consumers of the record store the same constant.
//! No host feeds these nodes, and none of them has local root arguments, which give each node its own buffer.

use crate::contracts::node::targets_itself;
use crate::contracts::root_signatures::{Declared, declared};
use crate::db::def::SourcePlace;
use crate::db::diagnostic::Diagnostic;
use crate::db::{Db, Program};
use crate::flow::records::Touched;
use crate::graph::local_roots;
use crate::graph::model::Model;
use crate::tables::codes::Code;
use indexmap::IndexMap;
use wgc_ir::Type;
use wgc_ir::flow::Stored;

pub(super) fn check<'db>(
    db: &'db dyn Db,
    program: Program,
    model: &Model<'db>,
    touched: &[Option<&Touched<'db>>],
    out: &mut Vec<Diagnostic<'db>>,
) {
    if touched.iter().flatten().all(|node| node.stored.is_empty()) {
        return;
    }
    let local: Vec<Declared> = declared(db, program).into_iter().filter(|s| s.is_local).collect();
    let is_local =
        |n: usize| model.nodes[n].local_root_index.is_some() || local_roots::of_node(&local, model.nodes[n]).is_some();
    // A store that reaches several nodes must be useless to all of them.
    let mut candidates: IndexMap<SourcePlace<'db>, bool> = IndexMap::new();
    for (n, node) in model.nodes.iter().enumerate() {
        let Some(record) = node.input.as_ref().and_then(|input| input.record.as_ref()) else { continue };
        let record = &record.ir.ty;
        let own = targets_itself(node).then_some(n);
        let mut producers: Vec<usize> = model.feeders(n).map(|from| from.node).chain(own).collect();
        producers.dedup();
        let mut takers = model.sharers[n].iter().copied().chain([n]);
        let is_free = !takers.any(|taker| model.entries[taker] || is_local(taker))
            && !producers.iter().any(|from| is_local(*from))
            // A name identifies one buffer only within a translation unit.
            && producers.iter().all(|from| {
                model.nodes[*from].function.item.program(db) == node.function.item.program(db)
            });
        for (stored, place) in
            producers.iter().filter_map(|from| touched[*from]).flat_map(|node| node.stored.iter().zip(&node.stored_at))
        {
            if stored.from.is_some() && stored.record == *record {
                let agree =
                    || producers.iter().all(|from| touched[*from].is_some_and(|node| agrees(node, stored, record)));
                *candidates.entry(*place).or_insert(true) &= is_free && agree();
            }
        }
    }
    for (place, _) in candidates.into_iter().filter(|(_, is_certain)| *is_certain) {
        out.push(
            Diagnostic::new(Code::CopiedConstant, place, "each record copies values of a constant buffer")
                .note("read the constant buffer in the node that consumes the record"),
        );
    }
}

/// Returns whether a node stores the same constant to this field, and nothing else.
fn agrees(node: &Touched, wanted: &Stored, record: &Type) -> bool {
    let is_there = |one: &&Stored| {
        one.record == *record && (one.path.starts_with(&wanted.path) || wanted.path.starts_with(&one.path))
    };
    let mut there = node.stored.iter().filter(is_there).peekable();
    there.peek().is_some() && there.all(|one| one.path == wanted.path && one.from == wanted.from)
}
