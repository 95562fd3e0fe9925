//! Numbers of the graph that specialisation constants determine.
//!
//! A [`Node`] holds plain numbers, with which the compiler checks and plans. They come from the defaults of the
//! constants. The node also lists the numbers that a host may still change. A target whose host cannot change them
//! fixes them with [`passes::fix_constants`](crate::passes::fix_constants).

use crate::graph::{Grid, Node, OutputArray};
use crate::module::{GlobalKind, Module};
use crate::spec_value::SpecValue;

/// One number in the interface of a node or of a compute entry. Only the threads of an entry may be specialised.
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

/// Numbers with their formulas.
pub type Specialised = Vec<(GraphConstant, SpecValue)>;

/// Returns the formula of a number.
pub fn specialised_by(all: &Specialised, what: GraphConstant) -> Option<&SpecValue> {
    all.iter().find(|(w, _)| *w == what).map(|(_, by)| by)
}

impl GraphConstant {
    /// Returns the word of the text form, and the number after it.
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

    /// Returns the constant that a word of the text form stands for, possibly with a number to fill in.
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

/// A word of the text form, with or without a number after it.
pub enum Spelling {
    Plain(GraphConstant),
    Numbered(fn(u32) -> GraphConstant),
}

impl Module {
    /// Returns a number of a node if a host sets specialisation constants. `value` returns their values by id, or
    /// `None` for defaults. Returns `None` if the node has no such number, or it cannot be computed from these values.
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
    /// Returns the number itself, or `None` if the node has none of this kind.
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
