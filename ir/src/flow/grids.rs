//! Collects constant dispatch grids that a node's records request, for advice to their consumers.

use super::LaunchParameters;
use super::paths::{Follow, Numbers, Path, follow};
use super::places::{Root, root_of};
use super::symbols::Symbols;
use super::tree::{StepId, Tree};
use super::uniformity::Uniformity;
use crate::function::*;
use crate::types::Type;
use rustc_hash::FxHashMap;

/// The numbers of groups along an axis that all records of one type request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Axis {
    Nothing,
    /// A range of numbers, by its least and largest.
    Between(u64, u64),
    Unknown,
}

impl Axis {
    pub fn and(self, other: Axis) -> Axis {
        match (self, other) {
            (Axis::Nothing, known) | (known, Axis::Nothing) => known,
            (Axis::Between(a, b), Axis::Between(c, d)) => Axis::Between(a.min(c), b.max(d)),
            _ => Axis::Unknown,
        }
    }

    fn of(numbers: Option<&Numbers>) -> Axis {
        let all = numbers.filter(|numbers| numbers.are_all);
        let ends = all.and_then(|all| Some((*all.known.first()?, *all.known.last()?)));
        ends.map_or(Axis::Unknown, |(least, most)| Axis::Between(least, most))
    }
}

/// For each store into a record with a grid: the possible numbers of each stored part.
pub type Written = FxHashMap<StepId, Vec<Numbers>>;

/// Returns the numbers that the paths through the node store there.
pub fn written(tree: &Tree<'_>, launched: &LaunchParameters, uniformity: &Uniformity) -> Written {
    let stores = |step: &StepId| match tree.steps[*step].stmt {
        Stmt::Store { place, value } => match root_of(tree.function, *place) {
            Some((Root::Output(record), _)) if launched.grids.iter().any(|(ty, _)| *ty == record) => {
                Some((*step, *value))
            }
            _ => None,
        },
        _ => None,
    };
    let stores: FxHashMap<StepId, ValueId> = (0..tree.steps.len()).filter_map(|step| stores(&step)).collect();
    if stores.is_empty() {
        return Written::default();
    }
    let make = || Stores { uniformity, stores: &stores, written: Written::default() };
    let mut written = follow(tree, uniformity, make, &()).map(|found| found.written).unwrap_or_default();
    for (step, value) in &stores {
        let number =
            |c: Option<ScalarConst>| Numbers { known: c.iter().map(|c| c.bits).collect(), are_all: c.is_some() };
        let constants = || uniformity.constants(*value).into_iter().map(number).collect();
        written.entry(*step).or_insert_with(constants);
    }
    written
}

struct Stores<'a> {
    uniformity: &'a Uniformity,
    stores: &'a FxHashMap<StepId, ValueId>,
    written: Written,
}

impl Follow for Stores<'_> {
    type Own = ();

    fn meet(&mut self, _: &mut (), _: &()) -> Option<bool> {
        Some(false)
    }

    fn at(&mut self, step: StepId, path: &mut Path<()>, symbols: &Symbols) {
        let Some(value) = self.stores.get(&step) else { return };
        let new = path.each_numbers(symbols, self.uniformity, *value);
        match self.written.get_mut(&step) {
            Some(known) => {
                for (known, new) in known.iter_mut().zip(new) {
                    known.known.extend(new.known);
                    known.are_all &= new.are_all;
                }
            }
            None => drop(self.written.insert(step, new)),
        }
    }

    fn end(&mut self, _: &Path<()>) {}
}

/// Returns the grids that the function writes for each record type with a grid.
pub fn asked(tree: &Tree<'_>, launched: &LaunchParameters, written: &Written) -> Vec<(Type, [Axis; 3])> {
    let mut out: Vec<(&Type, &[u32], [Axis; 3])> = Vec::new();
    for (record, path) in &launched.grids {
        if out.iter().any(|known| known.0 == record) {
            continue;
        }
        // An axis without a component has one group.
        let components = components(record, path);
        let axis = |n: usize| if n < components { Axis::Nothing } else { Axis::Between(1, 1) };
        out.push((record, path, [0, 1, 2].map(axis)));
    }
    if out.is_empty() {
        return Vec::new();
    }
    for (n, step) in tree.steps.iter().enumerate() {
        let place = match step.stmt {
            Stmt::Store { place, .. } => *place,
            Stmt::Let(id) => match tree.function.value(*id).map(|value| &value.op) {
                Some(Op::Atomic { place, .. }) => *place,
                _ => continue,
            },
            _ => continue,
        };
        let Some((Root::Output(record), path)) = root_of(tree.function, place) else { continue };
        let Some((_, grid, axes)) = out.iter_mut().find(|known| *known.0 == record) else { continue };
        let numbers = written.get(&n);
        let number = |n: usize| Axis::of(numbers.and_then(|numbers| numbers.get(n)));
        match path.strip_prefix(*grid) {
            Some([]) => {
                for (n, axis) in axes.iter_mut().enumerate().take(components(&record, grid)) {
                    *axis = axis.and(number(n));
                }
            }
            Some([component, ..]) => {
                if let Some(axis) = axes.get_mut(*component as usize) {
                    *axis = axis.and(number(0));
                }
            }
            // The store covers the whole grid, or an element with a variable index.
            None if grid.starts_with(&path) => *axes = [Axis::Unknown; 3],
            None => {}
        }
    }
    out.into_iter().map(|(record, _, axes)| (record.clone(), axes)).collect()
}

/// Returns the number of components of the field at a path.
fn components(record: &Type, path: &[u32]) -> usize {
    let field = path.iter().try_fold(record, |ty, index| match ty {
        Type::Struct(structure) => structure.fields.get(*index as usize).map(|field| &field.ty),
        _ => None,
    });
    match field {
        Some(Type::Vector(_, n)) => usize::from(*n),
        Some(Type::Array { len, .. }) => *len as usize,
        _ => 1,
    }
}
