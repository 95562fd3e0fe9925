//! What ways through a node come to when they end, by the decisions on them.
//!
//! That one condition holds is taken to be possible, that two hold together is not. So of all ways that one decision leads
//! to the one counts that comes to the least: this much it is whenever the decision is made so.

use super::tree::StepId;
use rustc_hash::FxHashMap;

/// A statement, and the block that control goes into there or the number that it is.
pub type Decision = (StepId, u64);

/// Decisions that led a way somewhere, by their places in [`Ends`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Passed {
    words: Vec<u64>,
}

impl Passed {
    fn add(&mut self, n: usize) {
        if self.words.len() <= n / 64 {
            self.words.resize(n / 64 + 1, 0);
        }
        self.words[n / 64] |= 1 << (n % 64);
    }

    /// Adds those of another way; whether some are new.
    pub fn join(&mut self, other: &Passed) -> bool {
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

/// What was asked for on one way, of one budget.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Spent {
    pub records: u64,
    /// The last call that did, by its place among all.
    pub last: Option<usize>,
    /// It asks for more where more turns are made, or where a number is more than the least that it can be.
    pub or_more: bool,
    pub passed: Passed,
}

/// The way that comes to the least, of some.
#[derive(Clone, Debug)]
pub struct End {
    pub records: u64,
    pub last: Option<usize>,
    /// Another one comes to more.
    pub or_more: bool,
}

/// By budget and decision.
#[derive(Clone, Debug, Default)]
pub struct Ends {
    numbers: FxHashMap<Decision, usize>,
    /// Of all ways.
    all: FxHashMap<usize, End>,
    by: FxHashMap<(usize, usize), End>,
}

fn add(to: Option<&mut End>, spent: &Spent) -> Option<End> {
    let Some(end) = to else {
        return Some(End { records: spent.records, last: spent.last, or_more: spent.or_more });
    };
    if spent.records < end.records {
        *end = End { records: spent.records, last: spent.last, or_more: true };
    } else {
        end.or_more |= spent.or_more || spent.records > end.records;
    }
    None
}

impl Ends {
    /// A decision leads a way on.
    pub fn pass(&mut self, decision: Decision, passed: &mut Passed) {
        let next = self.numbers.len();
        passed.add(*self.numbers.entry(decision).or_insert(next));
    }

    /// A way ends.
    pub fn end(&mut self, budget: usize, spent: &Spent) {
        if let Some(new) = add(self.all.get_mut(&budget), spent) {
            self.all.insert(budget, new);
        }
        self.leave(budget, spent, &Passed::default());
    }

    /// A way is followed no longer for its decisions beside those of another way: it comes to as much at least.
    pub fn leave(&mut self, budget: usize, spent: &Spent, kept: &Passed) {
        for n in spent.passed.each().filter(|n| !kept.has(*n)) {
            if let Some(new) = add(self.by.get_mut(&(budget, n)), spent) {
                self.by.insert((budget, n), new);
            }
        }
    }

    /// What all ways come to.
    pub fn of_all(&self, budget: usize) -> Option<&End> {
        self.all.get(&budget)
    }

    /// What the ways of each decision come to that is above a limit, from the most to the least.
    pub fn above(&self, budget: usize, limit: u64) -> Vec<&End> {
        let of = |((of, n), end): (&(usize, usize), _)| (*of == budget).then_some((*n, end));
        let mut ends: Vec<(usize, &End)> =
            self.by.iter().filter_map(of).filter(|(_, end)| end.records > limit).collect();
        ends.sort_by_key(|(n, end)| (std::cmp::Reverse(end.records), *n));
        ends.into_iter().map(|(_, end)| end).collect()
    }
}
