//! The operations of instruction families: atomics, subgroups, images, ray queries. Operands belong to the
//! instructions, unless an instruction has more of them than one line holds.

use super::Row;
use crate::cpu::exec::ops::Binary;

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

/// The values that a subgroup operation combines: those of all active lanes, of those before, or of those before and
/// this one.
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
    /// From the lane that the operand names; lanes may name different ones.
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
    /// The size of a level, with the number of layers.
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

/// The level selection of an image instruction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ImageLevel {
    /// Level 0, or from derivatives if the instruction samples.
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
    /// Coherence as for [`Space::Device`](super::Space::Device).
    pub coherent: bool,
    pub sampler: Row,
    /// One row for each axis, then the layer of an array.
    pub coordinates: Row,
    pub axes: u32,
    pub arrayed: bool,
    /// Sampling coordinates are floats; others are signed integers of this many bits.
    pub coordinate_bits: u32,
    /// Texel to write, of `components` rows.
    pub value: Row,
    /// Rows of the texel or result, without the preceding code of a sparse one.
    pub components: u32,
    /// Its rows hold 64 bits.
    pub wide: bool,
    pub sparse: bool,
    pub level: ImageLevel,
    /// The reference value that texels are compared with.
    pub reference: Option<Row>,
    /// The component of a gather.
    pub component: u32,
    /// One row for each axis.
    pub offset: Option<Row>,
    /// Four times two rows, of a gather.
    pub offsets: Option<Row>,
    pub sample: Option<Row>,
    /// Least level.
    pub least: Option<Row>,
}

/// The property that a ray query returns; of a hit, if that makes sense.
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
