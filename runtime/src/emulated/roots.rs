//! The table of local root arguments that a host passes with a dispatch, and its checks against the package.

use super::program::Program;
use super::report::RunError;
use std::fmt;
use wgc_abi::local_root::LocalRoots;

/// The table's location on the device. The table stays unchanged until the dispatch has ended, and so do the buffers
/// whose addresses it contains.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LocalRootTable {
    /// The address of record 0, a multiple of `align` in the manifest's `local_roots`: 8, or 4 if all records are
    /// words.
    pub address: u64,
    /// Bytes from record to record, a multiple of the same.
    pub stride: u32,
    /// The number of records.
    pub records: u32,
}

/// An error in a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RootTableProblem {
    /// There is none, and the graph needs this many records of this size.
    Missing { records: u32, stride: u32 },
    /// A node has the arguments of an index beyond its end.
    Index { index: u32, records: u32 },
    /// Its records are smaller than those of the signature.
    Record { needed: u32, stride: u32 },
    /// Address and stride are not both multiples of `align`.
    Alignment { address: u64, stride: u32, align: u32 },
}

impl fmt::Display for RootTableProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing { records, stride } => write!(
                f,
                "the graph has local root arguments, but no table of them was given: {records} records of {stride} bytes"
            ),
            Self::Index { index, records } => {
                write!(f, "a node has the local root arguments {index}, but the table has {records} records")
            }
            Self::Record { needed, stride } => {
                write!(f, "local root arguments need {needed} bytes, but the records of the table have {stride}")
            }
            Self::Alignment { address, stride, align } => write!(
                f,
                "a table of local root arguments at address {address:#x} with a stride of {stride} bytes: both must be multiples of {align}"
            ),
        }
    }
}

impl Program {
    /// Checks that a table, or its absence, fits the package.
    ///
    /// # Errors
    /// A node would read beyond it.
    pub fn check_roots(&self, table: Option<&LocalRootTable>) -> Result<(), RunError> {
        let Some(roots) = &self.manifest.local_roots else { return Ok(()) };
        let problem = match table {
            None => RootTableProblem::Missing { records: roots.records, stride: roots.stride },
            Some(&LocalRootTable { address, stride, records }) => {
                let align = roots.align;
                if !address.is_multiple_of(u64::from(align)) || !stride.is_multiple_of(align) {
                    RootTableProblem::Alignment { address, stride, align }
                } else if let Some(entry) = roots.entries.iter().find(|entry| entry.index >= records) {
                    RootTableProblem::Index { index: entry.index, records }
                } else if let Some(layout) = roots.layouts.iter().find(|layout| layout.size > stride) {
                    RootTableProblem::Record { needed: layout.size, stride }
                } else {
                    return Ok(());
                }
            }
        };
        Err(RunError::LocalRoots(problem))
    }

    /// Returns whether manifest and tables agree about the roots.
    pub(super) fn has_sound_roots(&self) -> bool {
        let known = |index: u32| {
            self.manifest.local_roots.as_ref().is_some_and(|roots| roots.entries.iter().any(|e| e.index == index))
        };
        let rows = self.manifest.instances.iter().zip(&self.tables.instances);
        let is_aligned = |roots: &LocalRoots| matches!(roots.align, LocalRoots::WORDS | LocalRoots::ADDRESSES);
        self.manifest.local_roots.as_ref().is_none_or(is_aligned)
            && rows.into_iter().all(|(instance, row)| match instance.local_root {
                Some(index) => row.local_root == index && known(index),
                None => row.local_root == wgc_abi::tables::ABSENT,
            })
    }
}
