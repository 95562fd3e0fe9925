//! The table of local root arguments of an emulated package, with a record for each index of its nodes. The host fills
//! it and passes its address with each dispatch.

use crate::interface::{BindingKind, Register};
use serde::{Deserialize, Serialize};

/// The local root arguments of a graph, if some of its nodes have local root signatures.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LocalRoots {
    /// Minimum number of records in the table: the largest index plus one.
    pub records: u32,
    /// Minimum number of bytes from record to record; a multiple of `align`.
    pub stride: u32,
    /// Alignment of the address and stride of every table: 8 if a record contains 64-bit values, otherwise 4.
    pub align: u32,
    /// Layouts of the records, each once.
    pub layouts: Vec<LocalRootLayout>,
    /// The records that nodes read, in the order of their indexes. No node reads the records at other indexes.
    pub entries: Vec<LocalRootEntry>,
}

/// The contents of the record at an index.
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
    /// Size in bytes, including eight for each descriptor table.
    pub size: u32,
    /// Root constants, root descriptors and the ranges of descriptor tables, in their order in the signature.
    pub arguments: Vec<LocalRootArgument>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct LocalRootArgument {
    /// Bytes from the start of the record.
    pub offset: u32,
    pub kind: LocalRootKind,
    /// The register; the first one of a range.
    pub register: Register,
    /// The variables at the register that nodes with this layout use. Several variables are names of one resource.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub variables: Vec<LocalRootVariable>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LocalRootKind {
    /// The contents of the constant buffer, as this many words.
    Constants { words: u32 },
    /// The 64-bit device address of the buffer: a multiple of 4, or of 8 if it has 64-bit elements.
    Address,
    /// A range of a descriptor table: a 32-bit index of the table's first descriptor in a heap. Registers of class `s`
    /// use the heap of samplers, others the heap of resources. All ranges of a table have one offset.
    Descriptors {
        /// Descriptors of the table before the range.
        first: u32,
        /// Number of registers; `None`: unbounded.
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
    /// `align` of records that consist of words only, as root constants usually do.
    pub const WORDS: u32 = 4;
    /// `align` of records with addresses.
    pub const ADDRESSES: u32 = 8;

    /// Returns the layout of an entry.
    pub fn layout(&self, entry: &LocalRootEntry) -> Option<&LocalRootLayout> {
        self.layouts.get(entry.layout as usize)
    }
}
