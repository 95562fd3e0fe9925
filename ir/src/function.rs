//! Functions: their parts, values and statements. The operations are in [`op`]. The crate documentation has the rules.

mod op;

use crate::Symbol;
use crate::hint::{BranchHint, LoopHint};
use crate::position::{Position, SourceScope};
use crate::ray::RayCommand;
use crate::spirv;
use crate::types::{AllocScope, Scalar, Type};
use crate::variable::{Variable, VariableId, element};
use la_arena::{Arena, Idx};

pub use op::*;

pub type ValueId = Idx<Value>;
pub type LocalId = Idx<Local>;
/// The values that an edge of control flow carries to its target. An empty list takes no memory.
pub type Values = Box<[ValueId]>;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    pub name: Symbol,
    /// The parameters are values of the given types. An `out` parameter is a `Ref(Function, T)`.
    pub params: Vec<Param>,
    pub ret: Type,
    pub locals: Arena<Local>,
    pub values: Arena<Value>,
    pub body: Block,
    /// The scopes that positions in the body refer to. Outer scopes precede those inlined into them.
    pub scopes: Arena<SourceScope>,
    /// The requirements of inline SPIR-V.
    pub needs: spirv::Needs,
    /// It stays a function of its own, unless its calls have to be inlined.
    pub noinline: bool,
    /// The source variables, including those of inlined functions.
    pub variables: Arena<Variable>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Param {
    pub name: Symbol,
    pub ty: Type,
    /// For a place: the source variable that it holds.
    pub variable: Option<VariableId>,
}

/// A variable of one thread, which lives for the whole call. Its place is `Op::Local`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Local {
    pub name: Symbol,
    /// The type may be a handle (`Type::Records`): `passes::promote` turns such locals into values.
    pub ty: Type,
    /// The source variable that it holds; `None` if no source declares one.
    pub variable: Option<VariableId>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Value {
    pub ty: Type,
    pub op: Op,
    /// The debug name in the module; may be empty.
    pub name: Symbol,
    /// True if the value is computed exactly as written: not contracted, reordered or rounded otherwise. For a place,
    /// this also applies to the stored values. [`passes::precise`](crate::passes::precise()) marks everything that
    /// contributes.
    pub precise: bool,
}

/// Statements in their order.
pub type Block = Vec<Stmt>;

/// A statement. Control flow is structured: a block has no labels, and only `Yield`, `Break`, `Continue` and `Return`
/// leave it, as its last statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stmt {
    /// The source position of the following statements.
    At(Position),
    /// From here on a source variable has this value, or is in the memory of this place. `None` if nothing holds it any
    /// more.
    Holds { variable: VariableId, value: Option<ValueId> },
    /// Computes the value.
    Let(ValueId),
    /// Writes a value to a place.
    Store { place: ValueId, value: ValueId },
    /// One of two arms, by a bool.
    If {
        cond: ValueId,
        then: Block,
        otherwise: Block,
        /// The values that the arms yield ([`Op::Merge`]).
        results: Values,
        hint: BranchHint,
    },
    /// Repeats `body`, then `continuing`, until a `Break`, or until `break_if`, a value of `continuing`, is true.
    Loop { body: Block, continuing: Block, break_if: Option<ValueId>, details: Box<LoopDetails> },
    /// The case with the label `selector`, or the default. Cases do not fall through.
    Switch {
        selector: ValueId,
        cases: Vec<Case>,
        default: Block,
        /// The values that the arms yield, or break with.
        results: Values,
        hint: BranchHint,
    },
    /// Ends an arm, or the body of a loop, with values for `results` or `again`. Control goes on after the block.
    Yield(Values),
    /// Leaves the innermost loop or switch, with values for its `results`.
    Break(Values),
    /// Goes on with `continuing` of the innermost loop, with values for `again`.
    Continue(Values),
    /// Leaves the function, with its result.
    Return(Option<ValueId>),
    /// Orders memory accesses, and may wait for the threads of the group.
    Barrier(Barrier),
    /// Writes a texel. `value` has the image's texel type. The back end widens it to four components if the target requires them.
    ImageStore {
        image: ValueId,
        coord: ValueId,
        /// The sample, as in [`ImageLoad`].
        sample: Option<ValueId>,
        value: ValueId,
    },
    /// A command on a ray query. `query` is its place; `args` are those that [`RayCommand::operands`] lists.
    RayQuery { command: RayCommand, query: ValueId, args: Vec<ValueId> },
    /// `OutputComplete()`. The handle must not be used afterwards.
    Complete(ValueId),
    /// `{Thread,Group}IncrementOutputCount(count)` on element `index` of an output.
    IncrementCount { scope: AllocScope, output: OutputId, index: ValueId, count: ValueId },
    /// Reports a misuse of a record that is in the memory of a thread. `end` is a number of [`Node::ends`]. Only
    /// [`passes::fusion`](crate::passes::fusion) creates it; the operations on other records report by themselves.
    ///
    /// [`Node::ends`]: crate::graph::Node::ends
    Report { misuse: Misuse, end: u32 },
    /// `SetMeshOutputCounts`: the sizes of the arrays that the group of a mesh node outputs. Nothing may be written to
    /// them before.
    MeshCounts { vertices: ValueId, primitives: ValueId },
    /// A call for its effect; the callee returns nothing.
    Call { callee: Symbol, args: Vec<ValueId> },
    /// An instruction of inline SPIR-V, without a result.
    Spirv(Box<spirv::Instruction>),
}

/// The hint of a loop, and the values that its edges merge. Lists for one target have equal lengths and types.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LoopDetails {
    pub hint: LoopHint,
    /// The values that change between iterations, visible in `body` and `continuing`.
    pub params: Vec<ValueId>,
    /// `params` of the first iteration.
    pub first: Vec<ValueId>,
    /// Visible in `continuing`. The end of the body yields them, or a `Continue` carries them.
    pub again: Vec<ValueId>,
    /// `params` of the next iteration; values of `continuing`.
    pub next: Vec<ValueId>,
    /// `results` if `break_if` ends the loop; values of `continuing`.
    pub last: Vec<ValueId>,
    /// Visible after the loop. Each `Break` carries them.
    pub results: Vec<ValueId>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// The labels, as bits of the selector's type.
    pub labels: Vec<i64>,
    pub body: Block,
}

/// The n-th output of the node that the function belongs to.
pub type OutputId = u32;

/// A scalar constant: its bits in the low end, the rest zero (negative 32-bit integers are not sign-extended). Floats
/// are their IEEE bits; bool is 0 or 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ScalarConst {
    pub ty: Scalar,
    pub bits: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scope {
    Workgroup,
    Device,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MemoryOrder {
    Relaxed,
    AcquireRelease,
}

/// The misuse of a record that [`Stmt::Report`] names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Misuse {
    /// A record was requested of a node that does not exist.
    Absent,
    /// More records were requested than `MaxRecords` of the output.
    Budget,
    /// An index is out of range of an array, vector or matrix in a record.
    Element,
    /// An index is beyond the last record.
    Record,
}

/// `Barrier(memory, semantics)`, after the front end has dropped the flags that do not apply.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Barrier {
    pub memory: MemoryFlags,
    /// All threads of the group wait here.
    pub group_sync: bool,
    /// Visibility: `None` orders only the thread's own accesses.
    pub scope: Option<Scope>,
    /// The handle that it was called with, for checks only. It orders the accesses to all memory in `memory`.
    pub records: Option<ValueId>,
}

/// Kinds of memory that a barrier orders.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct MemoryFlags {
    pub uav: bool,
    pub group_shared: bool,
    pub node_input: bool,
    pub node_output: bool,
}

impl Function {
    /// Returns the number of its values, including the parts of composed ones. [`crate::MAX_VALUES`] limits it.
    pub fn size(&self) -> usize {
        let parts = |value: &Value| if let Op::Compose(parts) = &value.op { parts.len() } else { 0 };
        self.values.values().map(|value| 1 + parts(value)).sum()
    }

    /// Creates an empty function without parameters.
    pub fn new(name: impl Into<Symbol>, ret: Type) -> Function {
        Function {
            name: name.into(),
            params: Vec::new(),
            ret,
            locals: Arena::new(),
            values: Arena::new(),
            body: Block::new(),
            scopes: Arena::new(),
            needs: spirv::Needs::default(),
            noinline: false,
            variables: Arena::new(),
        }
    }

    /// Returns the value with this id, or `None` for an id of another function. `self.values[id]` panics instead.
    pub fn value(&self, id: ValueId) -> Option<&Value> {
        element(&self.values, id)
    }

    /// Returns the local with this id, or `None` for an id of another function.
    pub fn local(&self, id: LocalId) -> Option<&Local> {
        element(&self.locals, id)
    }

    /// Returns the type of a value of this function.
    pub fn type_of(&self, id: ValueId) -> Option<&Type> {
        self.value(id).map(|v| &v.ty)
    }

    /// Returns the constant that a value is, if any.
    pub fn constant(&self, id: ValueId) -> Option<ScalarConst> {
        match self.value(id)? {
            Value { op: Op::Const(c), .. } => Some(*c),
            Value { op: Op::Zero, ty: Type::Scalar(s), .. } => Some(ScalarConst { ty: *s, bits: 0 }),
            _ => None,
        }
    }

    /// Returns whether a value is a constant, or composed of constants.
    pub fn is_constant(&self, id: ValueId) -> bool {
        match self.value(id).map(|v| &v.op) {
            Some(Op::Compose(parts)) => parts.iter().all(|&part| self.constant(part).is_some()),
            Some(Op::Zero) => true,
            _ => self.constant(id).is_some(),
        }
    }
}

impl Stmt {
    /// Creates an `if` without hint and results.
    pub fn if_(cond: ValueId, then: Block, otherwise: Block) -> Stmt {
        Stmt::If { cond, then, otherwise, results: Values::default(), hint: BranchHint::Any }
    }

    /// Creates a `break` without values.
    pub fn break_() -> Stmt {
        Stmt::Break(Values::default())
    }
}

impl Value {
    pub fn new(ty: Type, op: Op) -> Value {
        Value { ty, op, name: Symbol::default(), precise: false }
    }
}

impl ScalarConst {
    /// Creates a constant from the low bits that the type has.
    pub fn new(ty: Scalar, bits: u64) -> ScalarConst {
        ScalarConst { ty, bits: bits & ty.mask() }
    }
    pub fn bool(value: bool) -> ScalarConst {
        ScalarConst { ty: Scalar::Bool, bits: u64::from(value) }
    }
    pub fn u32(value: u32) -> ScalarConst {
        ScalarConst { ty: Scalar::U32, bits: u64::from(value) }
    }
    pub fn i32(value: i32) -> ScalarConst {
        ScalarConst { ty: Scalar::I32, bits: u64::from(value as u32) }
    }
    pub fn u64(value: u64) -> ScalarConst {
        ScalarConst { ty: Scalar::U64, bits: value }
    }
    pub fn f32(value: f32) -> ScalarConst {
        ScalarConst { ty: Scalar::F32, bits: u64::from(value.to_bits()) }
    }

    /// Returns the integer, sign-extended if the type is signed.
    pub fn as_i64(self) -> i64 {
        let unused = 64 - self.ty.bits();
        let shifted = (self.bits << unused) as i64;
        if self.ty.is_signed() { shifted >> unused } else { self.bits as i64 }
    }
}
