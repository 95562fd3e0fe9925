//! The table of local root arguments of an emulated package: a record for each index that its nodes have, which the host
//! fills and hands over by address with each dispatch.

use crate::interface::{BindingKind, Register};
use serde::{Deserialize, Serialize};

/// Of a graph some of whose nodes have local root signatures.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LocalRoots {
    /// Records of the table, at least: the largest index and one.
    pub records: u32,
    /// Bytes from record to record, at least; a multiple of `align`.
    pub stride: u32,
    /// What address and stride of every table are multiples of: 8 where a record has something of 64 bits, otherwise 4.
    pub align: u32,
    /// How records lie, each layout once.
    pub layouts: Vec<LocalRootLayout>,
    /// The records that nodes read, in the order of their indexes. What lies at others is nobody's.
    pub entries: Vec<LocalRootEntry>,
}

/// What is in the record of an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LocalRootEntry {
    /// `NodeLocalRootArgumentsTableIndex`
    pub index: u32,
    /// Index in `layouts`.
    pub layout: u32,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct LocalRootLayout {
    /// The local root signature.
    pub signature: String,
    /// Bytes, descriptor tables included, which have eight.
    pub size: u32,
    /// Root constants, root descriptors and the ranges of descriptor tables, in their order.
    pub arguments: Vec<LocalRootArgument>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct LocalRootArgument {
    /// Bytes from the start of the record.
    pub offset: u32,
    pub kind: LocalRootKind,
    /// The first of a range.
    pub register: Register,
    /// What reads it: the variables at the register that nodes with this layout use. Several are names of one resource.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub variables: Vec<LocalRootVariable>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LocalRootKind {
    /// So many words, the contents of the constant buffer.
    Constants { words: u32 },
    /// The 64-bit device address of the buffer, a multiple of 4, and of 8 where it has 64-bit elements.
    Address,
    /// A range of a descriptor table: 32 bits, the index of the table's first descriptor in the heap of samplers for
    /// registers of class `s` and in that of resources for others. The ranges of a table have one offset.
    Descriptors {
        /// Descriptors of the table before those of the range.
        first: u32,
        /// Registers; `None` has no end.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        count: Option<u32>,
    },
}

/// A uniform or storage buffer of the source.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct LocalRootVariable {
    pub name: String,
    #[serde(rename = "type")]
    pub kind: BindingKind,
}

impl LocalRoots {
    /// `align` of records that have words alone, as root constants mostly are.
    pub const WORDS: u32 = 4;
    /// `align` of records with addresses.
    pub const ADDRESSES: u32 = 8;

    /// The layout of an entry.
    pub fn layout(&self, entry: &LocalRootEntry) -> Option<&LocalRootLayout> {
        self.layouts.get(entry.layout as usize)
    }
}
