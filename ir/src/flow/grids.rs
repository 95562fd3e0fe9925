//! What grids a node's records ask for, where constants say it: advice to the nodes that take them is made of it.

use super::Launched;
use super::places::{Root, root_of};
use super::tree::Tree;
use super::uniformity::Uniformity;
use crate::function::*;
use crate::types::Type;

/// Groups along an axis that records of one type ask for, wherever the grid is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Axis {
    Nothing,
    /// One of some numbers: the least and the most of them.
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

    fn of(number: Option<u64>) -> Axis {
        number.map_or(Axis::Unknown, |n| Axis::Between(n, n))
    }
}

/// For each type of record with a grid what the function writes there.
pub fn asked(tree: &Tree<'_>, launched: &Launched, uniformity: &Uniformity) -> Vec<(Type, [Axis; 3])> {
    let mut out: Vec<(&Type, &[u32], [Axis; 3])> = Vec::new();
    for (record, path) in &launched.grids {
        if out.iter().any(|known| known.0 == record) {
            continue;
        }
        // Axes that the grid has no component for are of one group.
        let components = components(record, path);
        let axis = |n: usize| if n < components { Axis::Nothing } else { Axis::Between(1, 1) };
        out.push((record, path, [0, 1, 2].map(axis)));
    }
    if out.is_empty() {
        return Vec::new();
    }
    for step in &tree.steps {
        let (place, value) = match step.stmt {
            Stmt::Store { place, value } => (*place, Some(*value)),
            Stmt::Let(id) => match tree.function.value(*id).map(|value| &value.op) {
                Some(Op::Atomic { place, .. }) => (*place, None),
                _ => continue,
            },
            _ => continue,
        };
        let Some((Root::Output(record), path)) = root_of(tree.function, place) else { continue };
        let Some((_, grid, axes)) = out.iter_mut().find(|known| *known.0 == record) else { continue };
        let numbers = value.map(|value| uniformity.constants(value)).unwrap_or_default();
        let number = |n: usize| Axis::of(numbers.get(n).copied().flatten().map(|c| c.bits));
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
            // What holds the grid, or an element of it that only the program knows.
            None if grid.starts_with(&path) => *axes = [Axis::Unknown; 3],
            None => {}
        }
    }
    out.into_iter().map(|(record, _, axes)| (record.clone(), axes)).collect()
}

/// Of the field that a path leads to.
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
