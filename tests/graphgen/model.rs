//! The generator's model of a work graph, without text or behaviour: `hlsl` prints it, `evaluate` computes its results.

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
    /// Layouts of the structures.
    pub layouts: Vec<Layout>,
    pub families: Vec<Family>,
    pub nodes: Vec<Node>,
    pub inputs: Vec<HostInput>,
}

/// Nodes of one name; a single node is a family too.
#[derive(Clone, Debug)]
pub struct Family {
    pub name: String,
    /// The structure of its records; `None` for empty records.
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
    /// The function that its text copies, if any. The copy then uses that function's groupshared variables.
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
    /// True if the host may send it records.
    pub entry: bool,
    pub input: Input,
    pub outputs: Vec<Output>,
    pub body: Vec<Stmt>,
    /// The order of its parameters, and its system values.
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
    /// Returns the function that groupshared variables are named after.
    pub fn origin(&self) -> &str {
        self.copied.as_ref().unwrap_or(&self.function)
    }

    pub fn group(&self) -> u32 {
        self.threads.iter().product()
    }

    /// Returns the most records of a coalescing group.
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

    /// Returns all statements, including nested ones.
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
    /// The nodes that it sends to; no node of this name need exist.
    pub family: Option<usize>,
    pub shape: Option<usize>,
    /// The index in `NodeID`.
    pub base: u32,
    pub extent: Extent,
    /// `AllowSparseNodes`
    pub sparse: bool,
    pub shared_with: Option<usize>,
    /// `MaxRecords`, for an output with its own budget.
    pub max: u32,
}

impl Output {
    pub fn is_array(&self) -> bool {
        self.extent != Extent::Single
    }

    /// Returns whether a target may be missing.
    pub fn has_holes(&self) -> bool {
        self.sparse || matches!(self.extent, Extent::AllOnes | Extent::Unbounded)
    }
}

/// An expression: numbers of 32 bits.
#[derive(Clone, Debug)]
pub enum Expr {
    Const(u32),
    Variable(usize),
    /// The counter of the loop with this number.
    Counter(usize),
    /// A leaf of the input record.
    Field(usize),
    /// A row of the input record, and the element's index.
    Element(usize, Box<Expr>),
    /// `SV_GroupIndex`
    Thread,
    GroupThread(usize),
    Group(usize),
    Dispatch(usize),
    /// `GetRemainingRecursionLevels()`
    Remaining,
    /// The index among the records that one statement creates.
    Made,
    /// The total of all groups of the grid.
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
    /// By a nonzero constant.
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
    /// Through a function of the program.
    Mixed,
}

/// A source of numbers.
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

/// The operation of each result word: operations of one kind commute.
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
    /// Returns the neutral element.
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
    /// Runs the first block if the expression is odd.
    If(Expr, Vec<Stmt>, Vec<Stmt>),
    For(usize, u32, Vec<Stmt>),
    /// An atomic on a word of the results; `near` moves it among the first four.
    Atomic {
        slot: usize,
        near: Option<Expr>,
        value: Expr,
    },
    /// A reduction over all lanes of a wave, then an atomic of the first one.
    Wave {
        slot: usize,
        value: Expr,
    },
    Quad {
        slot: usize,
        value: Expr,
        kind: Quad,
    },
    /// Accumulates in groupshared memory, then the first thread's atomic; of another number computed from it if `bent`.
    Shared {
        slot: usize,
        value: Expr,
        bent: bool,
    },
    /// Receives the value that another thread of the group computed.
    Exchange {
        variable: usize,
        value: Expr,
        from: u32,
    },
    /// One of the barriers that `hlsl` lists.
    Barrier(usize),
    /// Changes a field of the input record.
    Modify {
        leaf: usize,
        value: Expr,
    },
    Emit(Emit),
    Increment(Increment),
    /// All groups of the grid accumulate in a field of the record; the last one reports the total.
    Finish {
        leaf: usize,
        how: Atomic,
        value: Expr,
        slot: usize,
        emit: Option<Emit>,
    },
}

/// The element of an array.
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
    /// `count % (most + 1)`, or `most` records; for a coalescing group, for each of its records.
    pub count: Option<Expr>,
    pub most: u32,
    /// The number that determines each leaf.
    pub fields: Vec<Expr>,
    /// Sends only if this value, equal for the group, is odd.
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
