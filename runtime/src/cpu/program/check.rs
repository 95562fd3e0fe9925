//! Kinds of memory for checks, and the checks that `sanitize` puts into programs.

use super::{AtomicOp, Row};

/// The kind of memory that a pointer points to: who can access it, and its initial state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Space {
    /// One thread's variables.
    Own,
    /// The workgroup's.
    Group,
    /// The mesh of a workgroup, for the rasteriser.
    Mesh,
    /// A record. `coherent`: other workgroups see accesses after a barrier, like those of buffers.
    Record { coherent: bool },
    /// Buffers and images. Not `coherent`: other workgroups may never see a write, or may read the earlier value.
    Device { coherent: bool },
    /// The target of device addresses: buffers, some of them initially undefined. `coherent` as for [`Space::Device`].
    Address { coherent: bool },
    /// Never written.
    Constant,
}

impl Space {
    /// Returns whether its bytes are undefined until they are written.
    pub fn starts_undefined(self) -> bool {
        matches!(self, Space::Own | Space::Group | Space::Mesh | Space::Record { .. } | Space::Address { .. })
    }

    /// Returns whether it belongs to one workgroup alone, and is reset for the next one.
    pub fn is_workgroups(self) -> bool {
        matches!(self, Space::Group | Space::Mesh)
    }

    /// Returns whether several threads can write it.
    pub fn is_common(self) -> bool {
        matches!(self, Space::Group | Space::Mesh | Space::Record { .. } | Space::Device { .. } | Space::Address { .. })
    }

    /// Returns whether plain accesses see writes that other workgroups made available.
    pub fn is_coherent(self) -> bool {
        matches!(
            self,
            Space::Record { coherent: true } | Space::Device { coherent: true } | Space::Address { coherent: true }
        )
    }
}

/// The accesses that a barrier orders.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Fence {
    /// Accesses of workgroup memory.
    pub group: bool,
    /// Accesses of buffers, images and records.
    pub device: bool,
    /// Other workgroups see it.
    pub far: bool,
    /// Accesses before it are made available.
    pub release: bool,
    /// Accesses that others have made available are visible after it.
    pub acquire: bool,
}

/// See [`Ins::Check`]; the `sanitize` module puts them into programs. Shadows are rows that are 1 in lanes whose value
/// is undefined.
#[derive(Clone, Debug, PartialEq)]
pub enum Check {
    /// The values of these shadows are used.
    Defined {
        shadow: Row,
        n: u32,
    },
    /// Rows with these shadows are about to be stored where other threads read them.
    Stored {
        shadow: Row,
        footprint: u32,
    },
    /// Memory is about to be read, into values with these shadows.
    Load {
        address: Row,
        footprint: u32,
        space: Space,
        shadow: Option<Row>,
    },
    /// Rows from `src` on, with these shadows, are about to be written.
    Store {
        src: Row,
        address: Row,
        footprint: u32,
        space: Space,
        shadow: Option<Row>,
    },
    Atomic {
        op: AtomicOp,
        address: Row,
        bytes: u8,
        space: Space,
        orders: bool,
    },
    /// The shadow of `a & b`, or of `a | b`, from rows and their shadows.
    Mix {
        and: bool,
        shadow: Row,
        a: [Row; 2],
        b: [Row; 2],
        n: u32,
    },
}
