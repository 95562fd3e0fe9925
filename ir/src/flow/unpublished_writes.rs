//! Finds memory that is written and not visible to the rest of the device before records go to other nodes.
//!
//! A consumer may run anywhere as soon as its records are complete. A barrier of device scope between a write and the
//! completion makes the write visible. The finding needs some path without one.

use super::buffers::{Buffer, Buffers};
use super::forward::{Forward, run};
use super::tree::{StepId, Tree};
use crate::function::*;
use crate::position::Position;
use crate::types::{Space, Type};
use indexmap::IndexMap;
use std::collections::BTreeMap;

/// For each buffer or image: the position of the write, and of the completion that sends records.
pub type UnpublishedWrites = IndexMap<Buffer, (Option<Position>, Option<Position>)>;

pub fn unpublished_writes<'f>(tree: &Tree<'f>, buffers: &Buffers<'f>) -> UnpublishedWrites {
    let sends = |step: &super::tree::Step<'_>| matches!(step.stmt, Stmt::Complete(_) | Stmt::IncrementCount { .. });
    if !tree.steps.iter().any(sends) {
        return UnpublishedWrites::default();
    }
    let analysis = Unpublished { tree, buffers, reporting: false, found: UnpublishedWrites::default() };
    run(tree, analysis, BTreeMap::new()).map(|done| done.found).unwrap_or_default()
}

/// Returns the buffer or image outside of the thread that a statement writes, unless by an atomic.
fn written(function: &Function, buffers: &Buffers<'_>, stmt: &Stmt) -> Option<Buffer> {
    let place = match stmt {
        Stmt::Store { place, .. } => *place,
        Stmt::ImageStore { image, .. } => *image,
        _ => return None,
    };
    let is_memory = matches!(function.type_of(place), Some(Type::Ref(Space::Storage { .. }, _) | Type::Image(_)));
    if is_memory { buffers.at(place) } else { None }
}

struct Unpublished<'t, 'f> {
    tree: &'t Tree<'f>,
    buffers: &'t Buffers<'f>,
    reporting: bool,
    found: UnpublishedWrites,
}

impl Forward for Unpublished<'_, '_> {
    /// The first write to each buffer that no barrier has made visible yet.
    type State = BTreeMap<Buffer, StepId>;

    fn join(&mut self, state: &mut Self::State, other: &Self::State) -> bool {
        let mut grew = false;
        for (name, write) in other {
            let known = state.entry(name.clone()).or_insert_with(|| {
                grew = true;
                *write
            });
            grew |= *write < *known;
            *known = *write.min(known);
        }
        grew
    }

    fn report(&mut self) {
        self.reporting = true;
    }

    fn arm(&mut self, _: StepId, _: usize, _: &mut Self::State) -> bool {
        true
    }

    fn simple(&mut self, step: StepId, state: &mut Self::State) {
        let at = self.tree.steps[step].at;
        match self.tree.steps[step].stmt {
            Stmt::Barrier(Barrier { memory, scope: Some(Scope::Device), .. }) if memory.uav => state.clear(),
            Stmt::Complete(_) | Stmt::IncrementCount { .. } if self.reporting => {
                for (name, write) in state.iter() {
                    let written = self.tree.steps[*write].at;
                    self.found.entry(name.clone()).or_insert((written, at));
                }
            }
            stmt => {
                if let Some(name) = written(self.tree.function, self.buffers, stmt) {
                    state.entry(name).or_insert(step);
                }
            }
        }
    }
}
