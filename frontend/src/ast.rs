//! The syntax tree, which the grammar builds and `sema` reads.
//!
//! A tree owns its text and has no byte offsets. Every position is a [`Span`] of token indexes, counted from the first
//! token of the parsed piece (an item's head, or one function body). The file locations of tokens are stored separately
//! (`origin`). Nodes are in the arenas of one [`Ast`] per piece, so that dropping a deep tree needs no stack.
//!
//! It has no types and no name resolution: `Foo(1)`, `T::X` and `N<A, 4>` are paths of the same shape, regardless of
//! their meaning.

use compact_str::CompactString;
use la_arena::{Arena, Idx};

mod dump;
pub mod visit;

pub use dump::dump;

/// Half-open range of token indexes, relative to the piece that was parsed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    pub lo: u32,
    pub hi: u32,
}

pub type ExprId = Idx<Expr>;
pub type StmtId = Idx<Stmt>;
pub type TypeId = Idx<TypeExpr>;
pub type ItemId = Idx<Item>;

/// The arenas of one parsed piece.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ast {
    pub exprs: Arena<Expr>,
    pub stmts: Arena<Stmt>,
    pub types: Arena<TypeExpr>,
    pub items: Arena<Item>,
}

/// A name and its position. The text is empty if repair inserted a missing name.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Ident {
    pub text: CompactString,
    pub at: u32,
}

/// `a::b<T, 4>::c`; `global` for a leading `::`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Path {
    pub global: bool,
    pub segments: Vec<Segment>,
    pub span: Span,
}

/// One part of a path. `args` is `Some` when `< >` was written, even when empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segment {
    pub name: Ident,
    pub args: Option<Vec<TemplateArg>>,
}

/// A template argument. A bare path is an [`TemplateArg::Expr`] until `sema` resolves it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TemplateArg {
    Expr(ExprId),
    Type(TypeId),
}

/// Words such as `in`, `static`, `groupshared`, `row_major`, `unorm`, in the order written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Modifier {
    pub text: CompactString,
    pub at: u32,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypeExpr {
    pub modifiers: Vec<Modifier>,
    pub kind: TypeKind,
    /// Dimensions written on the type itself, as in a cast `(S[2])0`. A declarator has its own dimensions.
    pub dims: Vec<Option<ExprId>>,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TypeKind {
    Path(Path),
    /// `unsigned int`
    Unsigned(Path),
    /// `let` and `var`: the type comes from the initialiser (Slang).
    Inferred,
    /// A type defined where it is used: `struct { .. } x;`
    Record(Box<Record>),
    Enum(Box<EnumDef>),
    Error,
}

// ---- attributes and annotations

/// `[NumThreads(8, 1, 1)]` or `[[vk::binding(0, 1)]]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attribute {
    /// True for two brackets.
    pub double: bool,
    pub path: Path,
    /// `None` when no parentheses were written.
    pub args: Option<Vec<ExprId>>,
    pub span: Span,
}

/// An annotation: the part of a declarator after a colon.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Annotation {
    /// `: SV_GroupIndex`, `: TEXCOORD0`
    Semantic(Ident),
    /// `: register(u0, space1)`
    Register(Vec<ExprId>, Span),
    /// `: packoffset(c0.x)`
    PackOffset(Vec<ExprId>, Span),
    /// `: 4`
    Bits(ExprId),
}

/// `name[3] : SEMANTIC = init`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declarator {
    /// `S` in `static float S::x = 1;`
    pub owner: Option<Path>,
    pub name: Ident,
    /// Arguments of a specialisation, `v<T, T>`, until they move to the enclosing template.
    pub specialises: Option<Vec<TemplateArg>>,
    /// Outermost first; `None` for `[]`.
    pub dims: Vec<Option<ExprId>>,
    pub annotations: Vec<Annotation>,
    pub init: Option<ExprId>,
    pub span: Span,
}

// ---- items

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    pub attributes: Vec<Attribute>,
    pub kind: ItemKind,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ItemKind {
    Empty,
    /// Variables, resources, and subobjects such as `GlobalRootSignature rs = { ".." };`
    Var(VarDecl),
    /// `struct S { .. };` `enum E { .. };`, and a forward declaration (a record with `body: None`).
    Type(TypeId),
    Function(Function),
    CBuffer(CBuffer),
    /// `typedef float2 P, L[3];`
    Typedef {
        ty: TypeId,
        declarators: Vec<Declarator>,
    },
    /// `using N = T;`, `using N [[a]] = T;`, `using N = T[2];`
    Using {
        name: Ident,
        attributes: Vec<Attribute>,
        ty: TypeId,
        /// Outermost first; `None` for `[]`.
        dims: Vec<Option<ExprId>>,
    },
    UsingNamespace(Path),
    /// `namespace N = A::B;`
    NamespaceAlias {
        name: Ident,
        path: Path,
    },
    /// `using N::f;`: the last part is a name here too.
    UsingName(Path),
    /// `template void f<int>();`: accepted without effect, since instances are created on use.
    Instantiation(ItemId),
    /// A namespace, only inside a piece that is not sliced. At unit level the slicer has already opened namespaces.
    Namespace {
        name: Ident,
        items: Vec<ItemId>,
    },
    Template {
        params: Vec<TemplateParam>,
        item: ItemId,
    },
    StaticAssert(Vec<ExprId>),
    /// `import experimental.workgraph;` (Slang): accepted, without effect.
    Import(Path),
    Error,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VarDecl {
    pub ty: TypeId,
    pub vars: Vec<Declarator>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RecordKeyword {
    Struct,
    Class,
    Interface,
    /// `template<..> static T v = x;`, as a template of records with the variable as the one static member.
    Variable,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    pub keyword: RecordKeyword,
    /// `struct [NodeTrackRWInputSharing] R`
    pub attributes: Vec<Attribute>,
    pub name: Option<Ident>,
    /// Arguments of an explicit specialisation, `template<> struct S<int>`.
    pub specialises: Option<Vec<TemplateArg>>,
    pub bases: Vec<Path>,
    /// `None` for a forward declaration.
    pub members: Option<Vec<ItemId>>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EnumDef {
    /// `enum class`
    pub scoped: bool,
    pub name: Option<Ident>,
    pub base: Option<TypeId>,
    pub values: Vec<(Ident, Option<ExprId>)>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CBuffer {
    /// `tbuffer`
    pub texture: bool,
    pub name: Ident,
    pub annotations: Vec<Annotation>,
    pub members: Vec<ItemId>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TemplateParam {
    /// `typename T = float`
    Type { name: Ident, default: Option<TypeId> },
    /// `int N = 4`
    Value { ty: TypeId, name: Ident, default: Option<ExprId> },
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    pub ret: TypeId,
    /// `S` in `void S::f()`.
    pub owner: Option<Path>,
    /// For an operator the text is `operator+`, `operator[]`, `operator()`.
    pub name: Ident,
    /// Arguments of an explicit specialisation, `template<> T f<int>()`.
    pub specialises: Option<Vec<TemplateArg>>,
    pub params: Vec<Param>,
    /// `T f() const`
    pub is_const: bool,
    pub annotations: Vec<Annotation>,
    pub body: Body,
    /// The declaration without its attributes and body.
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Body {
    /// `;`
    None,
    /// The n-th body that the slicer cut out of this item. `parse_body` parses it.
    Sliced(u32),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Param {
    pub attributes: Vec<Attribute>,
    pub ty: TypeId,
    /// `None` when the parameter has no name.
    pub declarator: Option<Declarator>,
    pub span: Span,
}

// ---- statements

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stmt {
    pub kind: StmtKind,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StmtKind {
    Empty,
    Expr(ExprId),
    Var(VarDecl),
    /// A type, alias or assertion declared inside a function.
    Item(ItemId),
    Block(Vec<StmtId>),
    /// `[unroll] for ..`; one attribute per wrapper, outermost first.
    Attributed {
        attribute: Attribute,
        stmt: StmtId,
    },
    /// `decl` is the variable of `if (int a = f())`, and `cond` then names it. The other statements work alike.
    If {
        decl: Option<StmtId>,
        cond: ExprId,
        then: StmtId,
        otherwise: Option<StmtId>,
    },
    While {
        decl: Option<StmtId>,
        cond: ExprId,
        body: StmtId,
    },
    DoWhile {
        body: StmtId,
        cond: ExprId,
    },
    For {
        init: StmtId,
        decl: Option<StmtId>,
        cond: Option<ExprId>,
        step: Option<ExprId>,
        body: StmtId,
    },
    /// A switch. Labels are statements among the others of the block, as in C.
    Switch {
        decl: Option<StmtId>,
        selector: ExprId,
        body: Vec<StmtId>,
    },
    Case(ExprId),
    Default,
    Break,
    Continue,
    Discard,
    Return(Option<ExprId>),
    Error,
}

// ---- expressions

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expr {
    pub kind: ExprKind,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ExprKind {
    /// Literals keep their spelling; `sema` gives them a value and a type.
    Int(CompactString),
    Float(CompactString),
    Char(CompactString),
    /// Adjacent literals, each with its quotes.
    Str(Vec<CompactString>),
    Bool(bool),
    /// A name; also a type in `T(x)` and `sizeof(T)`.
    Path(Path),
    Unary {
        op: UnaryOp,
        operand: ExprId,
    },
    /// `x++`, `x--`
    Postfix {
        increment: bool,
        operand: ExprId,
    },
    Binary {
        op: BinaryOp,
        lhs: ExprId,
        rhs: ExprId,
    },
    /// `op` is `None` for plain `=`.
    Assign {
        op: Option<BinaryOp>,
        lhs: ExprId,
        rhs: ExprId,
    },
    /// `a, b`
    Comma {
        lhs: ExprId,
        rhs: ExprId,
    },
    Cond {
        cond: ExprId,
        then: ExprId,
        otherwise: ExprId,
    },
    Cast {
        ty: TypeId,
        operand: ExprId,
    },
    Call {
        callee: ExprId,
        args: Vec<ExprId>,
    },
    Index {
        base: ExprId,
        index: ExprId,
    },
    Member {
        base: ExprId,
        name: Ident,
        args: Option<Vec<TemplateArg>>,
    },
    Sizeof(ExprId),
    /// A type in place of an expression, `sizeof(unsigned int)`.
    Type(TypeId),
    /// `{ a, b }`
    List(Vec<ExprId>),
    Paren(ExprId),
    /// Inserted by repair, which has reported a diagnostic.
    Error,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    Plus,
    Neg,
    Not,
    BitNot,
    PreInc,
    PreDec,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOp {
    Mul,
    Div,
    Rem,
    Add,
    Sub,
    Shl,
    Shr,
    Lt,
    Gt,
    Le,
    Ge,
    Eq,
    Ne,
    BitAnd,
    BitXor,
    BitOr,
    And,
    Or,
}

impl UnaryOp {
    pub fn text(self) -> &'static str {
        match self {
            UnaryOp::Plus => "+",
            UnaryOp::Neg => "-",
            UnaryOp::Not => "!",
            UnaryOp::BitNot => "~",
            UnaryOp::PreInc => "++",
            UnaryOp::PreDec => "--",
        }
    }
}

impl BinaryOp {
    pub fn text(self) -> &'static str {
        match self {
            BinaryOp::Mul => "*",
            BinaryOp::Div => "/",
            BinaryOp::Rem => "%",
            BinaryOp::Add => "+",
            BinaryOp::Sub => "-",
            BinaryOp::Shl => "<<",
            BinaryOp::Shr => ">>",
            BinaryOp::Lt => "<",
            BinaryOp::Gt => ">",
            BinaryOp::Le => "<=",
            BinaryOp::Ge => ">=",
            BinaryOp::Eq => "==",
            BinaryOp::Ne => "!=",
            BinaryOp::BitAnd => "&",
            BinaryOp::BitXor => "^",
            BinaryOp::BitOr => "|",
            BinaryOp::And => "&&",
            BinaryOp::Or => "||",
        }
    }
}
