//! Memory as checks see it, and the checks that `sanitize` puts into programs.

use super::{AtomicOp, Row};

/// What kind of memory a pointer points to: who can touch it, and whether it starts undefined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Space {
    /// One thread's variables.
    Own,
    /// The workgroup's.
    Group,
    /// What the workgroup puts out for the rasteriser.
    Mesh,
    /// A record. `coherent`: accesses are seen by other workgroups behind a barrier, as they are of buffers.
    Record { coherent: bool },
    /// Buffers and images. Not `coherent`: other workgroups may never see a write, or read what was there before.
    Device { coherent: bool },
    /// What device addresses point to: buffers, of which some start undefined. As of [`Space::Device`].
    Address { coherent: bool },
    /// Nobody writes it.
    Constant,
}

impl Space {
    /// Whether bytes of it are undefined until they are written.
    pub fn starts_undefined(self) -> bool {
        matches!(self, Space::Own | Space::Group | Space::Mesh | Space::Record { .. } | Space::Address { .. })
    }

    /// Whether it is one workgroup's alone, and the next one's anew.
    pub fn is_workgroups(self) -> bool {
        matches!(self, Space::Group | Space::Mesh)
    }

    /// Whether several threads can write it.
    pub fn is_common(self) -> bool {
        matches!(self, Space::Group | Space::Mesh | Space::Record { .. } | Space::Device { .. } | Space::Address { .. })
    }

    /// Whether what other workgroups made available is what a plain access meets.
    pub fn is_coherent(self) -> bool {
        matches!(
            self,
            Space::Record { coherent: true } | Space::Device { coherent: true } | Space::Address { coherent: true }
        )
    }
}

/// What a barrier orders.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Fence {
    /// Accesses of workgroup memory.
    pub group: bool,
    /// Accesses of buffers, images and records.
    pub device: bool,
    /// Other workgroups see it.
    pub far: bool,
    /// What came before it is made available.
    pub release: bool,
    /// What others have made available is seen behind it.
    pub acquire: bool,
}

/// See [`Ins::Check`]; the `sanitize` module puts them into programs. Shadows are rows that are 1 in lanes whose value
/// is undefined.
#[derive(Clone, Debug, PartialEq)]
pub enum Check {
    /// The values behind these shadows are used.
    Defined {
        shadow: Row,
        n: u32,
    },
    /// Rows with these shadows are about to be stored where others read them.
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
