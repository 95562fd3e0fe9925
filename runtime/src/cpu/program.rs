//! What a SPIR-V entry point becomes before it runs: functions of blocks of compact instructions over register rows.
//!
//! A *row* is one scalar of every lane: row `r` of a machine with `w` lanes is registers `r * w .. (r + 1) * w`, each 64
//! bits. Numbers lie zero-extended from their width, booleans as 0 or 1, pointers as addresses. A composite takes
//! consecutive rows. Every value has its own rows and functions do not recurse, so no frame is ever allocated.

use super::exec::ops::{Binary, Ternary, Unary};
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

/// How a type lies in memory: what loads and stores of it touch.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Footprint {
    pub cells: Vec<Cell>,
    /// Bytes from the first to behind the last.
    pub size: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AtomicOp {
    Load,
    Store,
    Exchange,
    CompareExchange,
    Add,
    Sub,
    SMin,
    UMin,
    SMax,
    UMax,
    And,
    Or,
    Xor,
    FAdd,
    FMin,
    FMax,
}

/// How a subgroup operation combines: every active lane's value, those before, or those before and this.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Combine {
    Reduce,
    Inclusive,
    Exclusive,
    Clustered(u32),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SubgroupOp {
    Elect,
    All,
    Any,
    AllEqual,
    /// From the lane that the operand names; each lane may name another.
    Shuffle,
    ShuffleXor,
    ShuffleUp,
    ShuffleDown,
    BroadcastFirst,
    QuadBroadcast,
    QuadSwap,
    /// Four words of bits.
    Ballot,
    InverseBallot,
    BallotBitExtract,
    BallotBitCount(Combine),
    BallotFindLsb,
    BallotFindMsb,
    Arithmetic {
        op: Binary,
        combine: Combine,
        identity: u64,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ImageOp {
    /// Texel at integer coordinates.
    Read,
    Write,
    /// Of a level, with the number of layers.
    Size,
    Levels,
    Samples,
    /// The levels that a sample would use.
    Lod,
    /// One component of four texels.
    Gather,
    /// Filtered at normalised coordinates, with a sampler.
    Sample,
    /// Address of a texel, for atomics.
    Pointer,
}

/// How an image instruction chooses the level.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ImageLevel {
    /// Level 0, or from derivatives where the instruction samples.
    None,
    Explicit(Row),
    Bias(Row),
    /// First rows of the derivatives.
    Gradient(Row, Row),
}

#[derive(Clone, Debug, PartialEq)]
pub struct ImageIns {
    pub op: ImageOp,
    pub dst: Row,
    pub image: Row,
    pub sampler: Row,
    /// One row for each axis, then the layer of an array.
    pub coordinates: Row,
    pub axes: u32,
    pub arrayed: bool,
    /// Coordinates that sample are floats; others are signed integers of this many bits.
    pub coordinate_bits: u32,
    /// Texel to write, of `components` rows.
    pub value: Row,
    /// Rows of the texel or result, without the code of a sparse one, which is in front.
    pub components: u32,
    /// Its rows hold 64 bits.
    pub wide: bool,
    pub sparse: bool,
    pub level: ImageLevel,
    /// What texels are compared with.
    pub reference: Option<Row>,
    /// Of a gather.
    pub component: u32,
    /// One row for each axis.
    pub offset: Option<Row>,
    /// Four times two rows, of a gather.
    pub offsets: Option<Row>,
    pub sample: Option<Row>,
    /// Least level.
    pub least: Option<Row>,
}

/// What a ray query is asked; of a hit, where that makes sense.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RayAsk {
    Proceed,
    Flags,
    TMin,
    WorldOrigin,
    WorldDirection,
    ProceduralOpaque,
    Kind,
    T,
    InstanceIndex,
    InstanceId,
    HitGroup,
    Geometry,
    Primitive,
    Barycentrics,
    FrontFace,
    ObjectOrigin,
    ObjectDirection,
    /// Four columns of three.
    ObjectToWorld,
    WorldToObject,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RayOp {
    Trace { scene: Row, flags: Row, mask: Row, origin: Row, least: Row, direction: Row, greatest: Row },
    Abort,
    CommitTriangle,
    CommitProcedural { t: Row },
    Ask { ask: RayAsk, committed: bool, dst: Row },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RayIns {
    /// Address of the query's variable.
    pub query: Row,
    pub op: RayOp,
}

/// What kind of memory a pointer points to: who can touch it, and whether it starts undefined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Space {
    /// One thread's variables.
    Own,
    /// The workgroup's.
    Group,
    /// A record.
    Record,
    /// Buffers and images.
    Device,
    /// Nobody writes it.
    Constant,
}

impl Space {
    /// Whether bytes of it are undefined until they are written.
    pub fn starts_undefined(self) -> bool {
        matches!(self, Space::Own | Space::Group | Space::Record)
    }

    /// Whether several threads can write it.
    pub fn is_common(self) -> bool {
        matches!(self, Space::Group | Space::Record | Space::Device)
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
    /// The buffer's address behind a descriptor.
    BufferOf {
        dst: Row,
        descriptor: Row,
    },
    /// `offset` bytes behind `address` an array starts: how many elements follow.
    ArrayLength {
        dst: Row,
        address: Row,
        offset: u32,
        stride: u32,
    },
    /// Row offset of an element of a variable that lives in registers: `base` (or none) plus index times `stride`;
    /// all ones when the index is not below `limit`.
    RowIndex {
        dst: Row,
        base: Option<Row>,
        index: Row,
        stride: u32,
        limit: u64,
    },
    /// Rows `row + offset ..`, where each lane has its own offset.
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
    /// What the sanitizer looks at before the next instruction, or at the end of a block.
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
}

/// A parallel copy of rows, done when a branch is taken.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Edge {
    /// Index of the target in [`Function::blocks`].
    pub target: u32,
    /// Destination, source, rows; in an order that reads nothing overwritten.
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

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SlotKind {
    StorageBuffer,
    UniformBuffer,
    StorageImage,
    SampledImage,
    StorageTexels,
    SampledTexels,
    Sampler,
    CombinedImage,
    AccelerationStructure,
}

/// A variable that the host binds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slot {
    pub set: u32,
    pub binding: u32,
    pub kind: SlotKind,
    /// For messages.
    pub name: String,
    /// Its pointer's row: a buffer's address, or a descriptor pointer for arrays, images and samplers.
    pub row: Row,
    pub direct: bool,
}

/// A payload array type that the entry point allocates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Output {
    pub node: String,
    pub base_index: u32,
    /// Base index included; None: unbounded.
    pub array_size: Option<u32>,
    pub sparse: bool,
    pub max_payloads: u32,
    /// The output whose limit it counts against, itself when it has its own.
    pub limit_of: u32,
    /// Bytes from record to record.
    pub stride: u32,
}

/// The entry point's input payload.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    pub row: Row,
    pub stride: u32,
    pub max_payloads: u32,
    /// TrackFinishWritingAMDX.
    pub tracks_finish: bool,
    /// Offset, components and bytes of each, of the dispatch grid inside a record.
    pub grid: Option<(u32, u32, u32)>,
}

/// An entry point, ready to run on any number of lanes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Program {
    pub name: String,
    pub local_size: [u32; 3],
    pub rows: u32,
    /// Rows with the same value in every lane.
    pub constants: Vec<(Row, u64)>,
    /// First row and number of rows to zero before each workgroup.
    pub zeroed: Vec<(Row, u32)>,
    /// First row and number of rows of values that nothing defines.
    pub undefined: Vec<(Row, u32)>,
    /// First row and number of rows to fill with ones before each workgroup: the shadows of what starts undefined.
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
    /// Whether lanes of one workgroup can tell that they share it.
    pub cooperates: bool,
    /// Which lanes form quads.
    pub quads: Quads,
    /// Where the module's instructions were written.
    pub lines: Lines,
}

/// A text with conversions, and what they show.
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

    /// The pairs of lanes whose difference is the derivative at a lane: in x, then in y. Without quads all are the lane.
    pub fn quad_neighbours(&self, lane: usize) -> [[usize; 2]; 2] {
        if self.quads == Quads::None {
            return [[lane; 2]; 2];
        }
        let ([x, y], step) = self.place_in_quad(lane);
        let (left, above) = (lane - x, lane - y * step);
        [[left, left + 1], [above, above + step]]
    }

    /// Of the four lanes of a lane's quad the one that operations on subgroups number `n`, or `n ^ place of the lane`.
    /// They are the lanes whose derivatives are taken together, and without those four of consecutive indexes.
    pub fn quad_lane(&self, lane: usize, n: usize, relative: bool) -> usize {
        let ([x, y], step) = self.place_in_quad(lane);
        let n = if relative { n ^ (y * 2 + x) } else { n };
        lane - x - y * step + (n & 1) + (n >> 1 & 1) * step
    }

    /// Column and row of a lane in its quad, and the lanes from row to row.
    fn place_in_quad(&self, lane: usize) -> ([usize; 2], usize) {
        let local = lane % self.threads().max(1) as usize;
        let width = self.local_size[0].max(1) as usize;
        match self.quads {
            Quads::Square => ([local % width % 2, local / width % 2], width),
            Quads::Linear | Quads::None => ([local % 2, local / 2 % 2], 2),
        }
    }
}
