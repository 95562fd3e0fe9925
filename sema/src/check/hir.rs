//! Typed bodies, the result of checking and the input of lowering.
//!
//! Every name is resolved, every implicit conversion is a node, every overload is chosen. Only the load is implicit: a
//! node of category [`Category::Place`] that is used as a value is loaded there. Nodes are in vectors and refer to each
//! other by index; each knows its span of tokens.
//!
//! This is not a tree for editors: it has no names but those of locals, and an erroneous expression is one `Error`
//! node.

use crate::db::def::VarId;
use crate::db::ty::{FnInst, RecordInst, Ty};
use crate::types::bit_fields::BitRange;
use wgc_frontend::ast::Span;
pub use wgc_ir::ScalarConst;
use wgc_ir::{BranchHint, LoopHint};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ExprId(pub u32);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LocalId(pub u32);

/// A function body; empty by default, for a function without one.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, salsa::SalsaValue)]
pub struct Body<'db> {
    pub exprs: Vec<Expr<'db>>,
    pub locals: Vec<Local<'db>>,
    /// The locals that are the parameters, in order.
    pub params: Vec<LocalId>,
    pub block: Block,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, salsa::SalsaValue)]
pub struct Local<'db> {
    pub name: String,
    pub ty: Ty<'db>,
    /// Declared `const` (or `static const`).
    pub is_const: bool,
    /// Declared `static` and not a constant: it outlives the call.
    pub is_static: bool,
    /// A parameter that is a place in group memory.
    pub is_shared: bool,
    /// Declared `globallycoherent`.
    pub is_coherent: bool,
    /// Declared `precise`.
    pub is_precise: bool,
    /// The initialiser of a constant that constant expressions may use.
    pub value: Option<ExprId>,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, salsa::SalsaValue)]
pub struct Expr<'db> {
    pub kind: ExprKind<'db>,
    pub ty: Ty<'db>,
    pub category: Category,
    pub span: Span,
}

/// The permitted uses of an expression in addition to reading it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Category {
    Value,
    /// An assignable expression.
    Place,
    /// Memory that may not be assigned; the reason is for the message.
    ReadOnly(ReadOnly),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ReadOnly {
    Const,
    /// A record of a read-only input.
    Record,
    /// A read-only buffer or image, a constant buffer.
    Resource,
    /// A component named twice in a swizzle.
    Swizzle,
    /// `this` of a `const` method.
    This,
}

impl Category {
    /// Returns whether the expression has an address, writable or not.
    pub fn in_memory(self) -> bool {
        self != Category::Value
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, salsa::SalsaValue)]
pub enum ExprKind<'db> {
    /// Already reported.
    Error,
    /// A scalar constant.
    Const(ScalarConst),
    /// A string with resolved quotes and escapes.
    Str(String),
    /// All zero, of any type.
    Zero,
    Local(LocalId),
    /// A global, or a static member with its record.
    Global(VarId<'db>, Option<RecordInst<'db>>),
    /// The object of a method.
    This,
    /// `op` has one meaning for the operand's type, which is the result's.
    Unary {
        op: UnaryOp,
        operand: ExprId,
    },
    /// Both sides have the same type, apart from shift counts (same width). Comparisons return bool.
    Binary {
        op: wgc_ir::BinaryOp,
        lhs: ExprId,
        rhs: ExprId,
    },
    /// `&&` and `||`: the right side is evaluated only if it decides.
    Logical {
        and: bool,
        lhs: ExprId,
        rhs: ExprId,
    },
    /// Only the chosen side is evaluated.
    Cond {
        cond: ExprId,
        then: ExprId,
        otherwise: ExprId,
    },
    /// Component-wise choice between numbers of one shape; all operands are evaluated.
    Select {
        cond: ExprId,
        then: ExprId,
        otherwise: ExprId,
    },
    /// The place is the result.
    Assign {
        place: ExprId,
        value: ExprId,
    },
    /// `place op= value`: computed in the type of `value` and converted back.
    AssignOp {
        op: wgc_ir::BinaryOp,
        place: ExprId,
        value: ExprId,
    },
    /// `++x`, `x--`; `post` returns the old value.
    Step {
        increment: bool,
        post: bool,
        place: ExprId,
    },
    Comma {
        lhs: ExprId,
        rhs: ExprId,
    },
    /// Evaluated for its effect: `(void)f()`.
    Discard(ExprId),
    /// Component-wise conversion to the scalar of `ty`; same number of components.
    Convert(ExprId),
    /// The first rows and columns of a matrix, or the components of a vector or matrix in another shape.
    Shape(ExprId),
    /// Copies a scalar to all components of a vector or matrix, elements of an array, or fields of a structure,
    /// converted to each.
    Splat(ExprId),
    /// Composes a vector or matrix from the concatenated components of numbers, row by row; an array or a structure
    /// from its elements in order.
    Compose(Vec<ExprId>),
    /// Evaluated at its first occurrence; further occurrences have the same value.
    Once(ExprId),
    /// Converts a structure to its base, or to a structure with equal fields.
    Reshape(ExprId),
    /// An element of a heap as a resource of the expression's type.
    FromHeap {
        element: ExprId,
        coherent: bool,
    },
    /// A view of a place as a base of its record: the first fields.
    Base(ExprId),
    /// The contents of a constant buffer.
    Contents(ExprId),
    /// Field of a structure, counted with the fields of all bases first; element of an array value.
    Field {
        base: ExprId,
        index: u32,
    },
    /// A bit-field of a unit.
    Bits {
        base: ExprId,
        range: BitRange,
    },
    /// A unit of bit-fields, composed of their values.
    Pack(Vec<(ExprId, BitRange)>),
    /// Element of an array, component of a vector, row of a matrix.
    Index {
        base: ExprId,
        index: ExprId,
    },
    Swizzle {
        base: ExprId,
        components: Vec<u8>,
    },
    /// `._m00_m11`: rows and columns of elements of a matrix.
    Elements {
        base: ExprId,
        elements: Vec<(u8, u8)>,
    },
    /// `this` is the object of a method.
    Call {
        callee: FnInst<'db>,
        this: Option<ExprId>,
        args: Vec<Arg>,
    },
    /// A call of a built-in operation, or of a built-in object's method.
    Op {
        op: crate::check::ops::BuiltinOp,
        callee: FnInst<'db>,
        object: Option<ExprId>,
        args: Vec<Arg>,
    },
}

/// An argument and its passing mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Arg {
    In(ExprId),
    /// The place receives the parameter's final value, converted to the place's type.
    Out(ExprId),
    /// Like `Out`; also, the parameter starts with the place's value, converted to its type.
    InOut(ExprId),
    /// The place itself.
    Place(ExprId),
}

impl Arg {
    /// Returns the expression as written.
    pub fn expr(self) -> ExprId {
        match self {
            Arg::In(e) | Arg::Out(e) | Arg::Place(e) | Arg::InOut(e) => e,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    Neg,
    Not,
    BitNot,
}

pub type Block = Vec<Stmt>;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Stmt {
    Expr(ExprId),
    /// Declares the local, undefined without an initialiser (a handle: null).
    Let {
        local: LocalId,
        init: Option<ExprId>,
    },
    Block(Block),
    If {
        cond: ExprId,
        then: Block,
        otherwise: Block,
        hint: BranchHint,
    },
    /// `for`, `while`, `do`: `cond` is tested before or after the body; `step` runs after the body and after
    /// `continue`.
    Loop {
        test_first: bool,
        cond: Option<ExprId>,
        step: Option<ExprId>,
        body: Block,
        hint: LoopHint,
    },
    Switch {
        selector: ExprId,
        cases: Vec<Case>,
        hint: BranchHint,
    },
    Break,
    Continue,
    Return(Option<ExprId>),
}

/// Labels that share a body. The labels are values of the selector's type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Case {
    pub labels: Vec<i64>,
    /// `default` is among the labels.
    pub is_default: bool,
    pub body: Block,
    /// Control can continue to the next case.
    pub falls: bool,
}

impl<'db> Body<'db> {
    pub fn expr(&self, id: ExprId) -> &Expr<'db> {
        &self.exprs[id.0 as usize]
    }

    pub fn local(&self, id: LocalId) -> &Local<'db> {
        &self.locals[id.0 as usize]
    }
}
