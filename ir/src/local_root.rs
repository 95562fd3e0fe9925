//! Local root arguments: what a node finds in its record of a table that the host gives for a dispatch, and not in
//! bindings, or through it in the heaps.
//!
//! A local root signature says which registers are such arguments, and with them the layout of the record: parameters in
//! their order, words for constants, 64-bit addresses and descriptor tables at multiples of eight, as in the shader records
//! of Direct3D. A table is the number of its first descriptor in a heap. The IR of a function does not show it: its resources
//! are globals, whichever node it belongs to. A back end that has no root arguments leaves them so.

use crate::Symbol;
use crate::module::{Binding, Global};
use std::collections::BTreeMap;
use std::sync::Arc;

/// What a node has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LocalRoot {
    /// Its record's number in the table.
    pub index: u32,
    pub layout: Arc<LocalRootLayout>,
}

/// How a record lies in memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LocalRootLayout {
    /// Name of the signature.
    pub signature: Symbol,
    /// Bytes, a multiple of 4.
    pub size: u32,
    /// Of a descriptor table each range.
    pub arguments: Vec<LocalRootArgument>,
    /// The heaps as arrays of what variables in descriptor tables of any signature are, by variable; and under their own
    /// name the counters of the buffers there.
    pub views: Arc<BTreeMap<Symbol, Global>>,
    /// Static samplers by space and register, with all their settings: two that have the same are one.
    pub samplers: BTreeMap<(u32, u32), BTreeMap<&'static str, String>>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LocalRootArgument {
    /// `b`, `t`, `u` or `s`, number and space; the first of a range.
    pub register: (char, u32, u32),
    /// Bytes from the start of the record.
    pub offset: u32,
    pub kind: LocalRootKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LocalRootKind {
    /// The contents of a constant buffer, so many words.
    Constants { words: u32 },
    /// The 64-bit address of a buffer.
    Address,
    /// So many registers, `None` without end, are descriptors of a heap: from the number in the record's word and `first` on.
    Descriptors { first: u32, count: Option<u32> },
}

impl LocalRootArgument {
    /// Whether a register is the argument's, and how many come before it in its range.
    pub fn place_of(&self, (class, number, space): (char, u32, u32)) -> Option<u32> {
        let (own, first, own_space) = self.register;
        let before = number.checked_sub(first).filter(|_| (own, own_space) == (class, space))?;
        let count = match self.kind {
            LocalRootKind::Descriptors { count, .. } => count,
            LocalRootKind::Constants { .. } | LocalRootKind::Address => Some(1),
        };
        count.is_none_or(|count| before < count).then_some(before)
    }
}

impl LocalRootLayout {
    /// The argument that a resource is, and its place in the range.
    pub fn find(&self, binding: &Binding) -> Option<(&LocalRootArgument, u32)> {
        let register = binding.register?;
        self.arguments.iter().find_map(|argument| Some((argument, argument.place_of(register)?)))
    }
}
