//! The instructions of a program.

use super::{AtomicOp, Check, Fence, ImageIns, RayIns, Row, Space, SubgroupOp};
use crate::cpu::exec::ops::{Binary, Ternary, Unary};

/// One instruction. `n` is a number of rows.
#[derive(Clone, Debug, PartialEq)]
pub enum Ins {
    Unary {
        op: Unary,
        dst: Row,
        a: Row,
        n: u32,
    },
    Binary {
        op: Binary,
        dst: Row,
        a: Row,
        b: Row,
        n: u32,
    },
    Ternary {
        op: Ternary,
        dst: Row,
        a: Row,
        b: Row,
        c: Row,
        n: u32,
    },
    /// One condition for all rows.
    Select {
        dst: Row,
        condition: Row,
        a: Row,
        b: Row,
        n: u32,
    },
    Move {
        dst: Row,
        src: Row,
        n: u32,
    },
    Load {
        dst: Row,
        address: Row,
        footprint: u32,
        space: Space,
    },
    Store {
        src: Row,
        address: Row,
        footprint: u32,
        space: Space,
    },
    /// Address plus constant.
    Offset {
        dst: Row,
        base: Row,
        bytes: i64,
    },
    /// Address plus index times stride. An index not below `limit` (0: no limit) gives a poisoned pointer.
    Index {
        dst: Row,
        base: Row,
        index: Row,
        stride: u32,
        limit: u64,
    },
    /// Element of a payload array. `input`: the bound is the number of input records.
    Element {
        dst: Row,
        base: Row,
        index: Row,
        stride: u32,
        input: bool,
    },
    /// Element of an array of descriptors.
    DescriptorIndex {
        dst: Row,
        base: Row,
        index: Row,
    },
    /// The address of a descriptor's buffer.
    BufferOf {
        dst: Row,
        descriptor: Row,
    },
    /// An array starts `offset` bytes after `address`: the number of its elements.
    ArrayLength {
        dst: Row,
        address: Row,
        offset: u32,
        stride: u32,
    },
    /// Row offset of an element of a variable in registers: `base` (or none) plus index times `stride`; all ones if the
    /// index is not below `limit`.
    RowIndex {
        dst: Row,
        base: Option<Row>,
        index: Row,
        stride: u32,
        limit: u64,
    },
    /// Rows `row + offset ..`, with an offset for each lane.
    GatherRows {
        dst: Row,
        row: Row,
        offset: Row,
        n: u32,
    },
    ScatterRows {
        src: Row,
        row: Row,
        offset: Row,
        n: u32,
    },
    Atomic {
        op: AtomicOp,
        dst: Row,
        address: Row,
        value: Row,
        compare: Row,
        bytes: u8,
        space: Space,
        /// Its semantics order other accesses too.
        orders: bool,
    },
    /// Differences between the columns (0) or rows (1) of the quad, of `n` rows of f32; coarse ones are the same in the
    /// whole quad.
    Derivative {
        axis: usize,
        coarse: bool,
        dst: Row,
        a: Row,
        n: u32,
    },
    Subgroup {
        op: SubgroupOp,
        dst: Row,
        a: Row,
        b: Row,
        n: u32,
    },
    Image(Box<ImageIns>),
    Ray(Box<RayIns>),
    Print(Box<Print>),
    /// Arguments are already in the callee's parameter rows.
    Call {
        function: u32,
    },
    ControlBarrier {
        subgroup: bool,
        fence: Fence,
    },
    MemoryBarrier {
        fence: Fence,
    },
    /// A check of the sanitizer before the next instruction, or at the end of a block.
    Check(Box<Check>),
    AllocatePayloads {
        dst: Row,
        output: u32,
        group: bool,
        count: Row,
        index: Row,
    },
    EnqueuePayloads {
        payloads: Row,
    },
    PayloadLength {
        dst: Row,
        payloads: Row,
        input: bool,
    },
    PayloadValid {
        dst: Row,
        output: u32,
        index: Row,
    },
    FinishWriting {
        dst: Row,
    },
    /// Sets the numbers of vertices and primitives that the workgroup emits.
    SetMeshOutputs {
        vertices: Row,
        primitives: Row,
    },
}

/// A text with conversions, and their arguments.
#[derive(Clone, Debug, PartialEq)]
pub struct Print {
    pub format: String,
    pub numbers: Vec<PrintArg>,
}

/// A number in one row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PrintArg {
    pub row: Row,
    pub bits: u32,
    pub signed: bool,
    pub float: bool,
}
