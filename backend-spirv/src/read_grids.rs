//! Search for the field of a payload that holds a dispatch grid, from the declarations of the nodes that read it.
//!
//! The extension requires equal decorations (AMDX-50, AMDX-55) in three cases: on all nodes of one name, on nodes that
//! share an input, and on both ends of an edge. So names that are linked by sharing form one family. The first node of
//! a family that reads its grid decides for all.

use rustc_hash::FxHashMap;
use wgc_ir::{Graph, Grid, GridField, Node, Symbol};

/// The dispatch grid's field for the nodes of each name.
#[derive(Debug, Default)]
pub(crate) struct ReadGrids {
    of_name: FxHashMap<Symbol, GridField>,
}

impl ReadGrids {
    pub fn new(graph: &Graph) -> ReadGrids {
        let mut families = Families::default();
        for node in &graph.nodes {
            let own = families.number(&node.id.name);
            if let Some(owner) = &node.share_input_of {
                let owner = families.number(&owner.name);
                families.join(own, owner);
            }
        }
        let mut of_family = FxHashMap::default();
        for node in graph.nodes.iter().filter(|node| matches!(node.grid, Grid::Max(_))) {
            let grid = node.input.as_ref().and_then(|input| input.record.as_ref()?.grid.as_ref());
            if let Some(grid) = grid {
                let family = families.number(&node.id.name);
                of_family.entry(families.root(family)).or_insert(grid);
            }
        }
        let grid = |at: usize| of_family.get(&families.root(at)).map(|grid| (*grid).clone());
        let of_name = families.numbers.iter().filter_map(|(name, at)| Some((name.clone(), grid(*at)?))).collect();
        ReadGrids { of_name }
    }

    /// Returns the field with the grid of a node, of another node of its name, or of one that shares its input.
    pub fn of(&self, node: &Node) -> Option<&GridField> {
        self.of_name.get(&node.id.name)
    }
}

/// Names of nodes that consume one payload, joined by union-find.
#[derive(Default)]
struct Families {
    numbers: FxHashMap<Symbol, usize>,
    parents: Vec<usize>,
}

impl Families {
    fn number(&mut self, name: &Symbol) -> usize {
        let next = self.parents.len();
        let number = *self.numbers.entry(name.clone()).or_insert(next);
        if number == next {
            self.parents.push(next);
        }
        number
    }

    fn root(&self, mut at: usize) -> usize {
        while self.parents[at] != at {
            at = self.parents[at];
        }
        at
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        self.parents[a.max(b)] = a.min(b);
    }
}
