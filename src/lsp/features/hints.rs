//! Inlay hints, without duplicates between the programs of a file.

use crate::lsp::world::Snapshot;
use std::ops::Range;
use wgc_ide::{Hint, HintKind};

pub fn hints(world: &Snapshot, path: &str, range: Range<u32>, is_wanted: &dyn Fn(HintKind) -> bool) -> Vec<Hint> {
    let text = world.text(path);
    let mut out: Vec<Hint> = Vec::new();
    for program in world.programs_of(path) {
        for hint in wgc_ide::hints(&world.db, program, path, &text, range.clone(), is_wanted) {
            // Programs may disagree about numbers: all different hints are shown.
            if !out.contains(&hint) {
                out.push(hint);
            }
        }
    }
    out.sort_by_key(|hint| hint.at);
    out
}
