//! The executable form of a SPIR-V entry point: functions of blocks of compact instructions over register rows.
//!
//! A *row* is one scalar of every lane: row `r` of a machine with `w` lanes is registers `r * w .. (r + 1) * w`, each
//! 64 bits. Numbers are zero-extended from their width, booleans are 0 or 1, pointers are addresses. A composite uses
//! consecutive rows. Every value has its own rows and functions do not recurse, so no frame is ever allocated.

mod check;
mod instruction;
mod interface;
mod operation;

pub use check::{Check, Fence, Space};
pub use instruction::{Ins, Print, PrintArg};
pub use interface::{Input, MeshMemory, Output, Slot, SlotKind};
pub use operation::{AtomicOp, Combine, ImageIns, ImageLevel, ImageOp, RayAsk, RayIns, RayOp, SubgroupOp};

use spirv::BuiltIn;
use wgc_spirv_module::Lines;

pub type Row = u32;

/// One number, boolean or pointer in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Cell {
    /// Bytes from the start of the whole.
    pub offset: u32,
    /// 1, 2, 4 or 8.
    pub bytes: u8,
    /// Any nonzero value reads as 1.
    pub boolean: bool,
}

/// The bytes of a type in memory that its loads and stores access.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Footprint {
    pub cells: Vec<Cell>,
    /// The bytes from the first to the end of the last.
    pub size: u32,
}

/// A parallel copy of rows, done when a branch is taken.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Edge {
    /// Index of the target in [`Function::blocks`].
    pub target: u32,
    /// Destination, source, rows; in an order that never reads an overwritten row.
    pub moves: Vec<(Row, Row, u32)>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    Jump(Edge),
    Branch {
        condition: Row,
        then: Edge,
        otherwise: Edge,
    },
    Switch {
        selector: Row,
        cases: Vec<(u64, u32)>,
        default: u32,
        edges: Vec<Edge>,
    },
    Return,
    /// OpKill and its kin: the lane ends.
    Kill,
    Unreachable,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    pub code: Vec<Ins>,
    /// The module's word of each instruction.
    pub words: Vec<u32>,
    pub end: End,
    pub end_word: u32,
}

/// Blocks in structured order; the entry is block 0.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Function {
    pub blocks: Vec<Block>,
}

/// An entry point, ready to run on any number of lanes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Program {
    pub name: String,
    pub local_size: [u32; 3],
    /// The lanes of its subgroups, if it requests a size.
    pub subgroup_size: Option<u32>,
    pub rows: u32,
    /// Rows with the same value in every lane.
    pub constants: Vec<(Row, u64)>,
    /// First row and number of rows to zero before each workgroup.
    pub zeroed: Vec<(Row, u32)>,
    /// First row and number of rows of undefined values.
    pub undefined: Vec<(Row, u32)>,
    /// First row and number of rows to fill with ones before each workgroup: the shadows of initially undefined rows.
    pub shadows: Vec<(Row, u32)>,
    pub builtins: Vec<(BuiltIn, Row, u32)>,
    /// Row of a pointer, its offset in each lane's local memory.
    pub private_pointers: Vec<(Row, u32)>,
    pub private_bytes: u32,
    pub shared_pointers: Vec<(Row, u32)>,
    pub shared_bytes: u32,
    pub push_pointers: Vec<Row>,
    pub push_bytes: u32,
    pub slots: Vec<Slot>,
    pub footprints: Vec<Footprint>,
    pub functions: Vec<Function>,
    pub entry: u32,
    pub outputs: Vec<Output>,
    pub input: Option<Input>,
    /// The mesh of a mesh shader.
    pub mesh: Option<MeshMemory>,
    /// Lanes of one workgroup can tell that they share it.
    pub cooperates: bool,
    /// The arrangement of lanes in quads.
    pub quads: Quads,
    /// The source locations of the module's instructions.
    pub lines: Lines,
}

/// SPV_KHR_compute_shader_derivatives: how the invocations of a workgroup form quads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Quads {
    #[default]
    None,
    /// Two by two in x and y.
    Square,
    /// Four with consecutive indexes.
    Linear,
}

impl Program {
    pub fn threads(&self) -> u32 {
        self.local_size.iter().product()
    }

    /// Returns the pairs of lanes whose difference is the derivative at a lane: in x, then in y. Without quads all are
    /// the lane itself.
    pub fn quad_neighbours(&self, lane: usize) -> [[usize; 2]; 2] {
        if self.quads == Quads::None {
            return [[lane; 2]; 2];
        }
        let ([x, y], step) = self.place_in_quad(lane);
        let (left, above) = (lane - x, lane - y * step);
        [[left, left + 1], [above, above + step]]
    }

    /// Returns the lane of a lane's quad that operations on subgroups number `n`, or `n ^ position of the lane`. The
    /// quad has the four lanes whose derivatives are computed together; without derivatives it has four of consecutive
    /// indexes.
    pub fn quad_lane(&self, lane: usize, n: usize, relative: bool) -> usize {
        let ([x, y], step) = self.place_in_quad(lane);
        let n = if relative { n ^ (y * 2 + x) } else { n };
        lane - x - y * step + (n & 1) + (n >> 1 & 1) * step
    }

    /// Returns column and row of a lane in its quad, and the lanes from row to row.
    fn place_in_quad(&self, lane: usize) -> ([usize; 2], usize) {
        let local = lane % self.threads().max(1) as usize;
        let width = self.local_size[0].max(1) as usize;
        match self.quads {
            Quads::Square => ([local % width % 2, local / width % 2], width),
            Quads::Linear | Quads::None => ([local % 2, local / 2 % 2], 2),
        }
    }
}
