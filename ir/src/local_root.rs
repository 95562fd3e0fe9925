//! Local root arguments: what a node finds in its record of a table that the host gives for a dispatch, and not in
//! bindings.
//!
//! A local root signature says which registers are such arguments, and with them the layout of the record: parameters in
//! their order, words for constants, 64-bit addresses at multiples of eight, as in the shader records of Direct3D. The IR
//! of a function does not show it: its resources are globals, whichever node it belongs to. A back end that has no root
//! arguments leaves them so.

use crate::Symbol;
use crate::module::Binding;
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
    /// Descriptor tables have a place in the record, and are not listed: what is in them is bound.
    pub arguments: Vec<LocalRootArgument>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LocalRootArgument {
    /// `b`, `t` or `u`, number and space.
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
}

impl LocalRootLayout {
    /// The argument that a resource is.
    pub fn find(&self, binding: &Binding) -> Option<&LocalRootArgument> {
        self.arguments.iter().find(|argument| Some(argument.register) == binding.register)
    }
}
