//! The sums of paths through a node at their ends, grouped by their decisions.
//!
//! One condition alone is assumed to be possible, two together are not. So for each decision, the path with the least
//! sum counts. The decision always leads to at least that sum.

use super::tree::StepId;
use rustc_hash::FxHashMap;

/// A statement together with the block that control enters there or the number that is chosen.
pub type Decision = (StepId, u64);

/// The decisions on a path, as indexes in [`PathSums`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Decisions {
    words: Vec<u64>,
}

impl Decisions {
    fn add(&mut self, n: usize) {
        if self.words.len() <= n / 64 {
            self.words.resize(n / 64 + 1, 0);
        }
        self.words[n / 64] |= 1 << (n % 64);
    }

    /// Adds the decisions of another path. Returns whether some are new.
    pub fn join(&mut self, other: &Decisions) -> bool {
        if self.words.len() < other.words.len() {
            self.words.resize(other.words.len(), 0);
        }
        let mut grew = false;
        for (own, other) in self.words.iter_mut().zip(&other.words) {
            grew |= *other & !*own != 0;
            *own |= other;
        }
        grew
    }

    fn each(&self) -> impl Iterator<Item = usize> + '_ {
        let bits = |word: u64| (0..64).filter(move |bit| word >> bit & 1 != 0);
        self.words.iter().enumerate().flat_map(move |(n, word)| bits(*word).map(move |bit| n * 64 + bit))
    }

    fn has(&self, n: usize) -> bool {
        self.words.get(n / 64).is_some_and(|word| word >> (n % 64) & 1 != 0)
    }
}

/// The records that one path requested from one budget.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PathSum {
    pub records: u64,
    /// The last request, as an index of all calls.
    pub last: Option<usize>,
    /// The sum is a lower bound: more iterations or a larger number would add to it.
    pub or_more: bool,
    pub passed: Decisions,
}

/// The path with the least sum of several.
#[derive(Clone, Debug)]
pub struct LeastSum {
    pub records: u64,
    pub last: Option<usize>,
    /// Another path has a larger sum.
    pub or_more: bool,
}

/// The least sums by budget and decision.
#[derive(Clone, Debug, Default)]
pub struct PathSums {
    numbers: FxHashMap<Decision, usize>,
    /// The least sum of all paths.
    all: FxHashMap<usize, LeastSum>,
    by: FxHashMap<(usize, usize), LeastSum>,
}

fn add(to: Option<&mut LeastSum>, spent: &PathSum) -> Option<LeastSum> {
    let Some(end) = to else {
        return Some(LeastSum { records: spent.records, last: spent.last, or_more: spent.or_more });
    };
    if spent.records < end.records {
        *end = LeastSum { records: spent.records, last: spent.last, or_more: true };
    } else {
        end.or_more |= spent.or_more || spent.records > end.records;
    }
    None
}

impl PathSums {
    /// Records that a path passes a decision.
    pub fn pass(&mut self, decision: Decision, passed: &mut Decisions) {
        let next = self.numbers.len();
        passed.add(*self.numbers.entry(decision).or_insert(next));
    }

    /// Records the end of a path.
    pub fn end(&mut self, budget: usize, spent: &PathSum) {
        if let Some(new) = add(self.all.get_mut(&budget), spent) {
            self.all.insert(budget, new);
        }
        self.leave(budget, spent, &Decisions::default());
    }

    /// Stops following the decisions of a path that another path lacks. Its sum is already a lower bound.
    pub fn leave(&mut self, budget: usize, spent: &PathSum, kept: &Decisions) {
        for n in spent.passed.each().filter(|n| !kept.has(*n)) {
            if let Some(new) = add(self.by.get_mut(&(budget, n)), spent) {
                self.by.insert((budget, n), new);
            }
        }
    }

    /// Returns the least sum of all paths.
    pub fn of_all(&self, budget: usize) -> Option<&LeastSum> {
        self.all.get(&budget)
    }

    /// Returns the least sums of decisions that exceed a limit, in descending order.
    pub fn above(&self, budget: usize, limit: u64) -> Vec<&LeastSum> {
        let of = |((of, n), end): (&(usize, usize), _)| (*of == budget).then_some((*n, end));
        let mut ends: Vec<(usize, &LeastSum)> =
            self.by.iter().filter_map(of).filter(|(_, end)| end.records > limit).collect();
        ends.sort_by_key(|(n, end)| (std::cmp::Reverse(end.records), *n));
        ends.into_iter().map(|(_, end)| end).collect()
    }
}
