//! The place of several tokens together, when macros made some of them.
//!
//! The first and the last one share some of the expansions that they come through, and the range lies in the innermost
//! one that they share: in its replacement list, or within one of its arguments. Where an end is in each of these, it is
//! the whole call. When they share none, it is what the user wrote from the one to the other.

use super::Unit;
use crate::diagnostic::{Location, Place};

impl Unit {
    /// From one token to another one behind it.
    pub(super) fn around(&self, first: Location, last: Location) -> Location {
        let level = self.shared(first, last);
        let (first, last) = (self.seen_from(first, level), self.seen_from(last, level));
        // What an argument that is used twice gives is not.
        let ordered = first.place.file == last.place.file && first.place.hi <= last.place.lo;
        let all = Location { place: Place { hi: last.place.hi, ..first.place }, ..first };
        let Some(expansion) = level.and_then(|id| self.expansion(id)) else {
            return if ordered { all } else { first };
        };
        let both = |range: &Place| range.contains(&first.place) && range.contains(&last.place);
        if ordered && expansion.arguments.iter().chain(&expansion.text).any(both) {
            return all;
        }
        Location { place: expansion.text.unwrap_or(expansion.use_site.place), expansion: level }
    }
}
