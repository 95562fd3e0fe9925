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
    /// Bytes, descriptor tables included, which have eight that nobody reads.
    pub size: u32,
    /// Root constants and root descriptors, in their order.
    pub arguments: Vec<LocalRootArgument>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct LocalRootArgument {
    /// Bytes from the start of the record.
    pub offset: u32,
    pub kind: LocalRootKind,
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
