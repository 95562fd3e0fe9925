//! Search for similar names, for "did you mean".

use std::cell::Cell;

/// Returns the candidate with the least edit distance to `name`; the first one of equals. At most a third of the
/// letters may differ, so that it can be a typo. Names of one or two letters may differ only in case, because nearly
/// every short name is near them.
pub fn closest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let wanted = Letters::of(name);
    let mut best: Option<(usize, &str)> = None;
    for candidate in candidates.into_iter().filter(|c| *c != name) {
        let limit = best.map_or(wanted.limit(), |(distance, _)| distance.saturating_sub(1));
        if !wanted.may_be(candidate, limit) {
            continue;
        }
        if let Some(distance) = wanted.distance(&Letters::of(candidate), limit) {
            best = Some((distance, candidate));
            if distance == 0 {
                break;
            }
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// Returns a predicate that tests cheaply whether [`closest`] could choose a candidate. It rejects nearly all of
/// them.
pub fn possible(name: &str) -> impl Fn(&str) -> bool {
    let wanted = Letters::of(name);
    move |candidate| wanted.may_be(candidate, wanted.limit())
}

/// The limit of name comparisons in all searches of one [`NearNames`]: some tens of milliseconds. A program with so
/// many wrong names does not need a suggestion for each.
const MAX_COMPARISONS: u64 = 400_000;

/// A set of names for many searches. The total time is proportional to the number of names.
pub struct NearNames<'a> {
    /// Sorted by length; names of equal length stay in the given order, with their index in it.
    names: Vec<(Letters, usize, &'a str)>,
    left: Cell<u64>,
}

impl<'a> NearNames<'a> {
    pub fn new(names: impl IntoIterator<Item = &'a str>) -> NearNames<'a> {
        let mut names: Vec<_> = names.into_iter().enumerate().map(|(at, name)| (Letters::of(name), at, name)).collect();
        names.sort_by_key(|(letters, at, _)| (letters.all.len(), *at));
        NearNames { names, left: Cell::new(MAX_COMPARISONS) }
    }

    /// Finds the name that [`closest`] would choose, except one name. Returns `None` also when the limit of
    /// comparisons is reached.
    pub fn closest(&self, name: &str, without: &str) -> Option<&'a str> {
        let wanted = Letters::of(name);
        let (limit, length) = (wanted.limit(), wanted.all.len());
        let lo = self.names.partition_point(|(letters, ..)| letters.all.len() + limit < length);
        let hi = self.names.partition_point(|(letters, ..)| letters.all.len() <= length + limit);
        let mut best: Option<(usize, usize, &str)> = None;
        for (letters, at, candidate) in &self.names[lo..hi] {
            self.left.set(self.left.get().checked_sub(1)?);
            if *candidate == name || *candidate == without {
                continue;
            }
            // An equally near name may come before the best one.
            let limit = best.map_or(limit, |(distance, ..)| distance);
            if let Some(distance) = wanted.distance(letters, limit)
                && best.is_none_or(|(d, before, _)| (distance, *at) < (d, before))
            {
                best = Some((distance, *at, candidate));
            }
        }
        best.map(|(.., candidate)| candidate)
    }
}

/// The longest name that is compared: the time grows with the square of the length.
const LONGEST: usize = 256;

/// A name prepared for comparison without regard to case.
struct Letters {
    all: Vec<char>,
    /// One bit for each letter in the name.
    kinds: u64,
}

impl Letters {
    fn of(name: &str) -> Letters {
        let all: Vec<char> = name.chars().flat_map(char::to_lowercase).collect();
        let kinds = all.iter().fold(0, |kinds, c| kinds | 1 << (u32::from(*c) % 64));
        Letters { all, kinds }
    }

    /// Estimates whether a name may be within the limit, without preparing it.
    fn may_be(&self, name: &str, limit: usize) -> bool {
        let kinds = || name.bytes().fold(0, |kinds, c| kinds | 1 << (c.to_ascii_lowercase() % 64));
        !name.is_ascii() || name.len().abs_diff(self.all.len()) <= limit && lacks(self.kinds, kinds()) <= limit
    }

    fn limit(&self) -> usize {
        self.all.len() / 3
    }

    /// Counts insertions, deletions, replacements and swaps of neighbours; `None` for more than `limit`.
    fn distance(&self, other: &Letters, limit: usize) -> Option<usize> {
        let (a, b) = (&self.all, &other.all);
        if a.len().max(b.len()) > LONGEST || a.len().abs_diff(b.len()) > limit || lacks(self.kinds, other.kinds) > limit
        {
            return None;
        }
        let mut before: Vec<usize> = Vec::new();
        let mut row: Vec<usize> = (0..=b.len()).collect();
        for i in 1..=a.len() {
            let mut next = Vec::with_capacity(b.len() + 1);
            next.push(i);
            for j in 1..=b.len() {
                let change = usize::from(a[i - 1] != b[j - 1]);
                let mut best = (row[j] + 1).min(next[j - 1] + 1).min(row[j - 1] + change);
                if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                    best = best.min(before[j - 2] + 1);
                }
                next.push(best);
            }
            // A swap reaches back two rows, so only both rows together bound the result.
            let least = |row: &[usize]| row.iter().min().copied().unwrap_or(0);
            if least(&row).min(least(&next)) > limit {
                return None;
            }
            (before, row) = (row, next);
        }
        Some(row[b.len()]).filter(|distance| *distance <= limit)
    }
}

/// Counts the letters that one name has and the other lacks. Each edit step adds at most one and removes at most one.
fn lacks(a: u64, b: u64) -> usize {
    (a & !b).count_ones().max((b & !a).count_ones()) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    fn distance(a: &str, b: &str) -> Option<usize> {
        Letters::of(a).distance(&Letters::of(b), usize::MAX)
    }

    #[test]
    fn typos_get_suggestions_and_unrelated_names_do_not() {
        assert_eq!(closest("cuont", ["count", "amount"]), Some("count"));
        assert_eq!(closest("MyChildNdoe", ["MyChildNode", "MyGraphRoot"]), Some("MyChildNode"));
        assert_eq!(closest("nodes", ["MyChildNode", "MyGraphRoot"]), None);
        assert_eq!(closest("x", ["abc"]), None);
        assert_eq!(distance("abcd", "acbd"), Some(1));
        assert_eq!(distance("", "abc"), Some(3));
    }

    #[test]
    fn similar_name_index_matches_a_full_search() {
        let names = ["shade", "shape", "Shades", "shadow", "blur", "blur2", "nblur", "node_a", "node_b", "x", "y"];
        let near = NearNames::new(names);
        for name in ["shad", "SHADE", "sahde", "blr", "node_", "node_c", "z", "", "bulr22", "something"] {
            assert_eq!(near.closest(name, "no name"), closest(name, names), "{name}");
            let others = names.into_iter().filter(|n| *n != "shade");
            assert_eq!(near.closest(name, "shade"), closest(name, others), "{name}");
            let may_be = possible(name);
            let nearest = names.into_iter().filter(|n| n != &name && closest(name, [*n]).is_some());
            assert!(nearest.clone().all(may_be), "{name}: {:?}", nearest.collect::<Vec<_>>());
        }
    }

    #[test]
    fn suggestions_skip_names_over_the_length_limit() {
        let pair = |letters: usize| (format!("{}_", "a".repeat(letters - 1)), "a".repeat(letters));
        let found = |letters: usize| {
            let (name, candidate) = pair(letters);
            closest(&name, [candidate.as_str()]).is_some()
        };
        assert!(found(LONGEST));
        assert!(!found(LONGEST + 1));
    }

    #[test]
    fn suggestion_search_is_bounded() {
        let names: Vec<String> = (0..1000).map(|n| format!("name_{n:04}")).collect();
        let near = NearNames::new(names.iter().map(String::as_str));
        let found = (0..1000).filter(|n| near.closest(&format!("name_{n:04}x"), "").is_some()).count();
        assert_eq!(found as u64, MAX_COMPARISONS / 1000);
    }
}
