//! Local root arguments: resources that a node finds in its record of a table, not in bindings. The host supplies the
//! table for a dispatch. A record may also refer to the heaps.
//!
//! A local root signature lists the registers that are such arguments, and so the layout of the record. Parameters are
//! in order: words for constants, and 64-bit addresses and descriptor tables at multiples of eight, as in the shader
//! records of Direct3D. A table is the index of its first descriptor in a heap. The IR of a function is independent of
//! it: its resources are globals, regardless of the node. A back end without root arguments leaves them so.

use crate::Symbol;
use crate::module::{Binding, Global};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The local root arguments of a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LocalRoot {
    /// The index of its record in the table.
    pub index: u32,
    pub layout: Arc<LocalRootLayout>,
}

/// The memory layout of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LocalRootLayout {
    /// Name of the signature.
    pub signature: Symbol,
    /// Size in bytes, a multiple of 4.
    pub size: u32,
    /// The arguments, with one for each range of a descriptor table.
    pub arguments: Vec<LocalRootArgument>,
    /// The heaps as arrays of the types in descriptor tables of any signature, by variable. The counters of their
    /// buffers are under their own name.
    pub views: Arc<BTreeMap<Symbol, Global>>,
    /// Static samplers by space and register, with all their settings. Samplers with equal settings are one.
    pub samplers: BTreeMap<(u32, u32), BTreeMap<&'static str, String>>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LocalRootArgument {
    /// `b`, `t`, `u` or `s`, number and space; for a range, the first register.
    pub register: (char, u32, u32),
    /// Byte offset in the record.
    pub offset: u32,
    pub kind: LocalRootKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LocalRootKind {
    /// The contents of a constant buffer, as a number of words.
    Constants { words: u32 },
    /// The 64-bit address of a buffer.
    Address,
    /// A range of `count` registers (`None`: unbounded), which are descriptors of a heap. They start at the index in
    /// the record's word plus `first`.
    Descriptors { first: u32, count: Option<u32> },
}

impl LocalRootArgument {
    /// Returns the index of a register in the argument's range, if it belongs to the argument.
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
    /// Returns the argument of a resource, and its index in the range.
    pub fn find(&self, binding: &Binding) -> Option<(&LocalRootArgument, u32)> {
        let register = binding.register?;
        self.arguments.iter().find_map(|argument| Some((argument, argument.place_of(register)?)))
    }
}
