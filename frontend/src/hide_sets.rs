//! Hide sets: for each token the macros that it was expanded from, so that none expands within itself (C11 6.10.3.4 in
//! D. Prosser's formulation). Sets are interned, since the tokens of a body share them.

use std::rc::Rc;

use rustc_hash::FxHashMap;

/// An interned set of macro names; the default is the empty set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct HideSet(u32);

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Op {
    Union,
    Intersection,
}

pub(crate) struct HideSets {
    /// Sorted symbols.
    sets: Vec<Rc<[u32]>>,
    ids: FxHashMap<Rc<[u32]>, HideSet>,
    known: FxHashMap<(Op, HideSet, HideSet), HideSet>,
}

impl HideSets {
    pub fn new() -> Self {
        let empty: Rc<[u32]> = Rc::from([]);
        HideSets {
            sets: vec![empty.clone()],
            ids: FxHashMap::from_iter([(empty, HideSet(0))]),
            known: FxHashMap::default(),
        }
    }

    fn symbols(&self, set: HideSet) -> &[u32] {
        self.sets.get(set.0 as usize).map_or(&[], |symbols| symbols)
    }

    fn intern(&mut self, symbols: Vec<u32>) -> HideSet {
        if let Some(&id) = self.ids.get(symbols.as_slice()) {
            return id;
        }
        let symbols: Rc<[u32]> = symbols.into();
        let id = HideSet(self.sets.len() as u32);
        self.sets.push(symbols.clone());
        self.ids.insert(symbols, id);
        id
    }

    pub fn contains(&self, set: HideSet, symbol: u32) -> bool {
        self.symbols(set).binary_search(&symbol).is_ok()
    }

    pub fn len(&self, set: HideSet) -> usize {
        self.symbols(set).len()
    }

    pub fn with(&mut self, set: HideSet, symbol: u32) -> HideSet {
        let one = self.intern(vec![symbol]);
        self.union(set, one)
    }

    pub fn union(&mut self, a: HideSet, b: HideSet) -> HideSet {
        self.combine(Op::Union, a, b)
    }

    pub fn intersection(&mut self, a: HideSet, b: HideSet) -> HideSet {
        self.combine(Op::Intersection, a, b)
    }

    fn combine(&mut self, op: Op, a: HideSet, b: HideSet) -> HideSet {
        if a == b {
            return a;
        }
        let key = (op, a.min_max(b).0, a.min_max(b).1);
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let (left, right) = (self.symbols(a), self.symbols(b));
        let mut symbols: Vec<u32> = match op {
            Op::Union => left.iter().chain(right).copied().collect(),
            Op::Intersection => left.iter().filter(|symbol| right.binary_search(symbol).is_ok()).copied().collect(),
        };
        symbols.sort_unstable();
        symbols.dedup();
        let id = self.intern(symbols);
        self.known.insert(key, id);
        id
    }
}

impl HideSet {
    fn min_max(self, other: HideSet) -> (HideSet, HideSet) {
        if self.0 <= other.0 { (self, other) } else { (other, self) }
    }
}
