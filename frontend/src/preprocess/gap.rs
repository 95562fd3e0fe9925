//! Locates a missing token between tokens that macros produced.
//!
//! The two tokens around a gap share some of their expansions. The gap is in the innermost shared one: in its
//! replacement list, between two of its arguments, or within one argument, where the user wrote it. If they share none,
//! the gap follows the whole call that the first token comes from.

use super::Unit;
use crate::diagnostic::{ExpansionId, Location, SpelledRange};

impl Unit {
    /// Returns the location between the token with this index and the next one.
    pub(crate) fn gap_after(&self, index: u32) -> Option<Location> {
        let mut before = *self.origins.get(index as usize)?;
        let Some(mut after) = self.origins.get(index as usize + 1).copied() else {
            return Some(self.seen_from(before, None).end());
        };
        loop {
            let Some(id) = self.shared(before, after) else { return Some(self.seen_from(before, None).end()) };
            let expansion = self.expansion(id)?;
            before = self.seen_from(before, Some(id));
            after = self.seen_from(after, Some(id));
            let ordered = before.place.file == after.place.file && before.place.hi <= after.place.lo;
            let both = |range: &SpelledRange| range.contains(&before.place) && range.contains(&after.place);
            let in_text = |at: Location| expansion.text.is_some_and(|text| text.contains(&at.place));
            if ordered && expansion.arguments.iter().any(both) {
                return Some(before.end());
            }
            match (in_text(before), in_text(after)) {
                // Repeated tokens: an argument that the enclosing macro repeats.
                (true, true) if !ordered => (before, after) = (expansion.use_site, expansion.use_site),
                (true, _) => return Some(before.end()),
                (false, true) => {
                    let place = SpelledRange { hi: after.place.lo, ..after.place };
                    return Some(Location { place, ..after });
                }
                (false, false) => {
                    let place = expansion.definition.unwrap_or(expansion.use_site.place);
                    return Some(Location { place, expansion: Some(id) });
                }
            }
        }
    }

    /// Returns the innermost expansion that both tokens share.
    pub(super) fn shared(&self, a: Location, b: Location) -> Option<ExpansionId> {
        let others: Vec<ExpansionId> = self.chain(b).collect();
        self.chain(a).find(|id| others.contains(id))
    }

    /// Returns the expansions of a token, innermost first.
    fn chain(&self, at: Location) -> impl Iterator<Item = ExpansionId> {
        std::iter::successors(at.expansion, |id| self.expansion(*id)?.use_site.expansion)
    }

    /// Returns the token itself, or the call that it comes from, as written in `level`; `None` is the file.
    pub(super) fn seen_from(&self, mut at: Location, level: Option<ExpansionId>) -> Location {
        while at.expansion != level {
            match at.expansion.and_then(|id| self.expansion(id)) {
                Some(expansion) => at = expansion.use_site,
                None => break,
            }
        }
        at
    }
}
