//! The location of several tokens together, if macros produced some of them.
//!
//! The first and the last token share some of their expansions. The range is in the innermost shared one: in its
//! replacement list, or within one of its arguments. If each of these contains one end, the range is the whole call. If
//! they share none, it is the user's text from one to the other.

use super::Unit;
use crate::diagnostic::{Location, SpelledRange};

impl Unit {
    /// Returns the range from one token to a later one.
    pub(super) fn around(&self, first: Location, last: Location) -> Location {
        let level = self.shared(first, last);
        let (first, last) = (self.seen_from(first, level), self.seen_from(last, level));
        // Tokens of an argument that is used twice may be out of order.
        let ordered = first.place.file == last.place.file && first.place.hi <= last.place.lo;
        let all = Location { place: SpelledRange { hi: last.place.hi, ..first.place }, ..first };
        let Some(expansion) = level.and_then(|id| self.expansion(id)) else {
            return if ordered { all } else { first };
        };
        let both = |range: &SpelledRange| range.contains(&first.place) && range.contains(&last.place);
        if ordered && expansion.arguments.iter().chain(&expansion.text).any(both) {
            return all;
        }
        Location { place: expansion.text.unwrap_or(expansion.use_site.place), expansion: level }
    }
}
