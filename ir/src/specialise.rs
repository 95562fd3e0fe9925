//! Numbers of the graph that specialisation constants give.
//!
//! A [`Node`] holds plain numbers: those of the constants' defaults, by which the compiler checks and plans. Beside them
//! it lists which of them a host may still change. A target that cannot leave that to its host makes them final with
//! [`passes::fix_constants`](crate::passes::fix_constants).

use crate::graph::{Grid, Node, OutputArray};
use crate::module::{GlobalKind, Module};
use crate::spec_value::SpecValue;

/// One number in the interface of a node, or of a compute entry (whose threads alone may be specialised).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GraphConstant {
    /// Threads of a workgroup along an axis.
    Threads(u32),
    /// The fixed or largest dispatch grid along an axis.
    Grid(u32),
    /// The index of the node in its array.
    Index,
    /// The index of the node whose input it shares.
    Owner,
    Recursion,
    /// `MaxRecords` of the input.
    InputRecords,
    /// `MaxRecords` of an output.
    Budget(u32),
    /// The index of the first node that an output reaches.
    Target(u32),
    /// The number of nodes that an output reaches.
    Size(u32),
}

/// Numbers and what gives them.
pub type Specialised = Vec<(GraphConstant, SpecValue)>;

/// What gives a number.
pub fn specialised_by(all: &Specialised, what: GraphConstant) -> Option<&SpecValue> {
    all.iter().find(|(w, _)| *w == what).map(|(_, by)| by)
}

impl GraphConstant {
    /// The word of the text form, and the number behind it.
    pub fn spelling(self) -> (&'static str, Option<u32>) {
        match self {
            GraphConstant::Threads(axis) => ("threads", Some(axis)),
            GraphConstant::Grid(axis) => ("grid", Some(axis)),
            GraphConstant::Index => ("index", None),
            GraphConstant::Owner => ("owner", None),
            GraphConstant::Recursion => ("recursion", None),
            GraphConstant::InputRecords => ("input", None),
            GraphConstant::Budget(output) => ("budget", Some(output)),
            GraphConstant::Target(output) => ("target", Some(output)),
            GraphConstant::Size(output) => ("size", Some(output)),
        }
    }

    /// What a word of the text form means, once its number is known.
    pub fn from_word(word: &str) -> Option<Spelling> {
        Some(match word {
            "threads" => Spelling::Numbered(GraphConstant::Threads),
            "grid" => Spelling::Numbered(GraphConstant::Grid),
            "index" => Spelling::Plain(GraphConstant::Index),
            "owner" => Spelling::Plain(GraphConstant::Owner),
            "recursion" => Spelling::Plain(GraphConstant::Recursion),
            "input" => Spelling::Plain(GraphConstant::InputRecords),
            "budget" => Spelling::Numbered(GraphConstant::Budget),
            "target" => Spelling::Numbered(GraphConstant::Target),
            "size" => Spelling::Numbered(GraphConstant::Size),
            _ => return None,
        })
    }
}

/// A word of the text form, with or without a number behind it.
pub enum Spelling {
    Plain(GraphConstant),
    Numbered(fn(u32) -> GraphConstant),
}

impl Module {
    /// A number of a node where a host gives specialisation constants values: `value` by their ids, `None` for those that
    /// keep their defaults. `None` when the node has no such number, or nothing can be computed with these values.
    pub fn specialised_number(
        &self,
        node: &Node,
        what: GraphConstant,
        value: impl Fn(u32) -> Option<u64>,
    ) -> Option<u32> {
        let Some(by) = specialised_by(&node.specialised, what) else { return node.number(what) };
        by.evaluate(|name| match self.globals.get(name)?.kind {
            GlobalKind::SpecConstant { id, default } => Some(value(id).unwrap_or(default.bits) as u32),
            _ => None,
        })
    }
}

impl Node {
    /// The number itself; `None` when the node has none of this kind.
    pub fn number(&self, what: GraphConstant) -> Option<u32> {
        let output = |n: u32| self.outputs.get(n as usize);
        match what {
            GraphConstant::Threads(axis) => self.num_threads.get(axis as usize).copied(),
            GraphConstant::Grid(axis) => match self.grid {
                Grid::None => None,
                Grid::Fixed(grid) | Grid::Max(grid) => grid.get(axis as usize).copied(),
            },
            GraphConstant::Index => Some(self.id.index),
            GraphConstant::Owner => self.share_input_of.as_ref().map(|owner| owner.index),
            GraphConstant::Recursion => Some(self.max_recursion),
            GraphConstant::InputRecords => self.input.as_ref().map(|i| i.max_records),
            GraphConstant::Budget(n) => output(n).map(|o| o.max_records),
            GraphConstant::Target(n) => output(n).map(|o| o.target.index),
            GraphConstant::Size(n) => match output(n)?.array {
                OutputArray::Sized(len) => Some(len),
                OutputArray::Single | OutputArray::Unbounded => None,
            },
        }
    }
}
