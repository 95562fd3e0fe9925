//! What a work graph is made of, as far as the generator goes. No text and no behaviour: `hlsl` spells it, `evaluate`
//! says what it computes.

use crate::shape::{Layout, Struct};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Launch {
    Broadcasting,
    Coalescing,
    Thread,
}

pub const LAUNCHES: [Launch; 3] = [Launch::Broadcasting, Launch::Coalescing, Launch::Thread];

#[derive(Clone, Debug)]
pub struct Graph {
    pub structs: Vec<Struct>,
    /// Of each structure.
    pub layouts: Vec<Layout>,
    pub families: Vec<Family>,
    pub nodes: Vec<Node>,
    pub inputs: Vec<HostInput>,
}

/// Nodes of one name; one alone has one too.
#[derive(Clone, Debug)]
pub struct Family {
    pub name: String,
    /// The structure of its records; empty ones without.
    pub shape: Option<usize>,
    pub nodes: Vec<usize>,
}

/// Records from the host, as bits of their leaves.
#[derive(Clone, Debug)]
pub struct HostInput {
    pub node: usize,
    pub records: Vec<Record>,
}

pub type Record = Vec<u64>;

#[derive(Clone, Debug)]
pub struct Node {
    pub function: String,
    /// The function that its text is a copy of, if it is one: then it has the groupshared variables of that.
    pub copied: Option<String>,
    pub family: usize,
    pub index: u32,
    pub launch: Launch,
    pub threads: [u32; 3],
    pub grid: Option<Grid>,
    /// `NodeMaxRecursionDepth`
    pub recursion: u32,
    /// The node whose input it shares.
    pub shares: Option<usize>,
    /// `NodeIsProgramEntry`
    pub marked: bool,
    /// The host may send it records.
    pub entry: bool,
    pub input: Input,
    pub outputs: Vec<Output>,
    pub body: Vec<Stmt>,
    /// The order of its parameters, and which system values it asks for.
    pub spelling: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grid {
    Fixed([u32; 3]),
    /// `NodeMaxDispatchGrid`
    Most([u32; 3]),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Input {
    /// No parameter.
    None,
    /// `EmptyNodeInput`; `max` as written.
    Empty {
        max: Option<u32>,
    },
    Records {
        shape: usize,
        rw: bool,
        coherent: bool,
        max: Option<u32>,
    },
}

impl Node {
    /// The function that groupshared variables are named after.
    pub fn origin(&self) -> &str {
        self.copied.as_ref().unwrap_or(&self.function)
    }

    pub fn group(&self) -> u32 {
        self.threads.iter().product()
    }

    /// Records that a coalescing group may get.
    pub fn most_records(&self) -> u32 {
        match self.input {
            Input::Empty { max } | Input::Records { max, .. } => max.unwrap_or(1),
            Input::None => 1,
        }
    }

    pub fn shape(&self) -> Option<usize> {
        match self.input {
            Input::Records { shape, .. } => Some(shape),
            _ => None,
        }
    }

    /// All statements, those in others too.
    pub fn statements(&self) -> Vec<&Stmt> {
        fn walk<'a>(block: &'a [Stmt], out: &mut Vec<&'a Stmt>) {
            for stmt in block {
                out.push(stmt);
                match stmt {
                    Stmt::If(_, a, b) => {
                        walk(a, out);
                        walk(b, out);
                    }
                    Stmt::For(_, _, a) => walk(a, out),
                    _ => {}
                }
            }
        }
        let mut out = Vec::new();
        walk(&self.body, &mut out);
        out
    }

    pub fn emits(&self) -> impl Iterator<Item = &Emit> {
        self.body.iter().filter_map(|stmt| match stmt {
            Stmt::Emit(emit) | Stmt::Finish { emit: Some(emit), .. } => Some(emit),
            _ => None,
        })
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    Single,
    Sized(u32),
    /// `NodeArraySize(0xffffffff)`
    AllOnes,
    /// `UnboundedSparseNodes`
    Unbounded,
}

#[derive(Clone, Debug)]
pub struct Output {
    pub name: String,
    /// The nodes that it goes to; none of this name may exist.
    pub family: Option<usize>,
    pub shape: Option<usize>,
    /// `NodeID`'s index.
    pub base: u32,
    pub extent: Extent,
    /// `AllowSparseNodes`
    pub sparse: bool,
    pub shared_with: Option<usize>,
    /// `MaxRecords`, of an output that owns its budget.
    pub max: u32,
}

impl Output {
    pub fn is_array(&self) -> bool {
        self.extent != Extent::Single
    }

    /// Whether a target may be missing.
    pub fn has_holes(&self) -> bool {
        self.sparse || matches!(self.extent, Extent::AllOnes | Extent::Unbounded)
    }
}

/// What is computed: numbers of 32 bits.
#[derive(Clone, Debug)]
pub enum Expr {
    Const(u32),
    Variable(usize),
    /// Of the loop with this number.
    Counter(usize),
    /// A leaf of the input record.
    Field(usize),
    /// A row of the input record, and which element.
    Element(usize, Box<Expr>),
    /// `SV_GroupIndex`
    Thread,
    GroupThread(usize),
    Group(usize),
    Dispatch(usize),
    /// `GetRemainingRecursionLevels()`
    Remaining,
    /// Which of the records that one statement makes.
    Made,
    /// What all groups of the grid have come to.
    Gathered,
    Binary(Op, Box<Expr>, Box<Expr>),
    Unary(Unary, Box<Expr>),
    /// `a < b ? c : d`
    Choose(Box<[Expr; 4]>),
    Resource(Resource, Box<Expr>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    Add,
    Sub,
    Mul,
    Xor,
    And,
    Or,
    /// By a constant that is not zero.
    Div,
    Rem,
    /// By the five lowest bits.
    Shl,
    Shr,
    Min,
    Max,
}

pub const OPS: [Op; 10] = [Op::Add, Op::Sub, Op::Mul, Op::Xor, Op::And, Op::Or, Op::Shl, Op::Shr, Op::Min, Op::Max];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unary {
    Not,
    CountBits,
    ReverseBits,
    /// By way of a function of the program.
    Mixed,
}

/// Where a number is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resource {
    Structured,
    Bytes,
    Constants,
    Texture,
    Heap,
    Scene,
}

pub const RESOURCES: [Resource; 6] =
    [Resource::Structured, Resource::Bytes, Resource::Constants, Resource::Texture, Resource::Heap, Resource::Scene];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Atomic {
    Add,
    Xor,
    Min,
    Max,
    Or,
    And,
}

/// What each word of the results gathers: operations of one kind commute.
pub const SLOTS: [Atomic; 16] = [
    Atomic::Add,
    Atomic::Add,
    Atomic::Add,
    Atomic::Add,
    Atomic::Add,
    Atomic::Add,
    Atomic::Add,
    Atomic::Add,
    Atomic::Xor,
    Atomic::Xor,
    Atomic::Xor,
    Atomic::Xor,
    Atomic::Min,
    Atomic::Max,
    Atomic::Or,
    Atomic::And,
];

/// Words of all results: a structured buffer, then one of bytes.
pub const RESULTS: usize = SLOTS.len() * 2;

impl Atomic {
    /// What changes nothing.
    pub fn identity(self) -> u32 {
        match self {
            Atomic::Add | Atomic::Xor | Atomic::Max | Atomic::Or => 0,
            Atomic::Min | Atomic::And => u32::MAX,
        }
    }

    pub fn apply(self, a: u32, b: u32) -> u32 {
        match self {
            Atomic::Add => a.wrapping_add(b),
            Atomic::Xor => a ^ b,
            Atomic::Min => a.min(b),
            Atomic::Max => a.max(b),
            Atomic::Or => a | b,
            Atomic::And => a & b,
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Atomic::Add => "Add",
            Atomic::Xor => "Xor",
            Atomic::Min => "Min",
            Atomic::Max => "Max",
            Atomic::Or => "Or",
            Atomic::And => "And",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quad {
    AcrossX,
    AcrossY,
    Diagonal,
    /// `ddx_fine` of a small number.
    Derivative,
}

#[derive(Clone, Debug)]
pub enum Stmt {
    Set(usize, Expr),
    /// If the expression is odd.
    If(Expr, Vec<Stmt>, Vec<Stmt>),
    For(usize, u32, Vec<Stmt>),
    /// A word of the results; `near` moves it among the first four.
    Atomic {
        slot: usize,
        near: Option<Expr>,
        value: Expr,
    },
    /// All lanes of a wave together, then the first one's atomic.
    Wave {
        slot: usize,
        value: Expr,
    },
    Quad {
        slot: usize,
        value: Expr,
        kind: Quad,
    },
    /// In groupshared memory, then the first thread's atomic; of what has come together some other number if `bent`.
    Shared {
        slot: usize,
        value: Expr,
        bent: bool,
    },
    /// What another thread of the group computed.
    Exchange {
        variable: usize,
        value: Expr,
        from: u32,
    },
    /// One of the barriers that `hlsl` lists.
    Barrier(usize),
    /// A field of the input record.
    Modify {
        leaf: usize,
        value: Expr,
    },
    Emit(Emit),
    Increment(Increment),
    /// All groups of the grid gather in a field of the record; the last one says what it has come to.
    Finish {
        leaf: usize,
        how: Atomic,
        value: Expr,
        slot: usize,
        emit: Option<Emit>,
    },
}

/// Which element of an array.
#[derive(Clone, Debug)]
pub struct Index {
    pub value: Expr,
    /// `value % reach * step`
    pub reach: u32,
    pub step: u32,
}

/// Records for an output.
#[derive(Clone, Debug)]
pub struct Emit {
    pub output: usize,
    pub index: Option<Index>,
    /// `GetGroupNodeOutputRecords`
    pub group: bool,
    /// `count % (most + 1)`, or `most` records; of a coalescing group for each of its records.
    pub count: Option<Expr>,
    pub most: u32,
    /// The number that each leaf is made of.
    pub fields: Vec<Expr>,
    /// Only if this, equal for the group, is odd.
    pub when: Option<Expr>,
    pub spelling: u32,
}

/// Empty records for an output.
#[derive(Clone, Debug)]
pub struct Increment {
    pub output: usize,
    pub index: Option<Index>,
    pub group: bool,
    pub count: Option<Expr>,
    pub most: u32,
    pub when: Option<Expr>,
}
