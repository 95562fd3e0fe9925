//! Semantic tokens of a file, and the answers that clients have, for deltas against them.

use crate::lsp::world::Snapshot;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};
use wgc_ide::Token;

/// Returns the tokens in a range of a file. If its programs disagree, the first one wins.
pub fn tokens(world: &Snapshot, path: &str, range: Range<u32>) -> Vec<Token> {
    let text = world.text(path);
    let mut out: BTreeMap<u32, Token> = BTreeMap::new();
    for program in world.programs_of(path) {
        for token in wgc_ide::tokens(&world.db, program, path, &text, range.clone()) {
            out.entry(token.range.start).or_insert(token);
        }
    }
    out.into_values().collect()
}

/// The last answer for each open file, with its result ID.
#[derive(Clone, Default)]
pub struct Sent(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    count: u64,
    of: FxHashMap<String, (String, Arc<[u32]>)>,
}

impl Sent {
    /// Stores a new answer. Returns its result ID, and the previous answer if its ID is `before`.
    pub fn keep(&self, path: &str, data: &[u32], before: Option<&str>) -> (String, Option<Arc<[u32]>>) {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        state.count += 1;
        let name = state.count.to_string();
        let old = state.of.insert(path.to_owned(), (name.clone(), data.into()));
        (name, old.filter(|(name, _)| Some(name.as_str()) == before).map(|(_, data)| data))
    }

    pub fn forget(&self, path: &str) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).of.remove(path);
    }
}

/// Compares two sequences. Returns the start of the difference, the number of old values to remove and the number of
/// new ones to insert.
pub fn difference(old: &[u32], new: &[u32]) -> Option<(usize, usize, usize)> {
    let same = |(a, b): &(&u32, &u32)| a == b;
    let start = old.iter().zip(new).take_while(same).count();
    if start == old.len() && start == new.len() {
        return None;
    }
    let end = old[start..].iter().rev().zip(new[start..].iter().rev()).take_while(same).count();
    Some((start, old.len() - start - end, new.len() - start - end))
}

#[cfg(test)]
mod tests {
    use super::{Sent, difference};

    #[test]
    fn token_deltas_are_one_contiguous_edit() {
        assert_eq!(difference(&[1, 2, 3], &[1, 2, 3]), None);
        assert_eq!(difference(&[1, 2, 3, 4], &[1, 9, 4]), Some((1, 2, 1)));
        assert_eq!(difference(&[1, 1], &[1, 1, 1]), Some((2, 0, 1)));
        assert_eq!(difference(&[], &[5]), Some((0, 0, 1)));
        assert_eq!(difference(&[5], &[]), Some((0, 1, 0)));
    }

    #[test]
    fn token_deltas_require_the_latest_result_id() {
        let sent = Sent::default();
        let (first, none) = sent.keep("a", &[1], None);
        assert_eq!(none, None);
        let (second, old) = sent.keep("a", &[2], Some(&first));
        assert_eq!(old.as_deref(), Some(&[1][..]));
        assert_eq!(sent.keep("a", &[3], Some(&first)).1, None, "{second}");
        sent.forget("a");
        assert_eq!(sent.keep("a", &[4], Some("3")).1, None);
    }
}
