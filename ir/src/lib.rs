//! The intermediate representation of wgc: typed, structured, plain data.
//!
//! # What it means
//!
//! A [`Module`] holds functions and globals by [`Symbol`], and the [`Graph`] of nodes that its functions implement.
//! Nothing in a function refers to an arena outside it: types are values, callees and globals are symbols. A function
//! is therefore lowered, cached and compared alone, and linking is the union of symbol tables.
//!
//! **Values.** A function owns an arena of [`Value`]s, each with a type and an [`Op`]. A value comes into being when
//! control reaches the one [`Stmt::Let`] that names it; it is visible in the rest of that block and in the blocks
//! nested there. A value never changes. Parameters of operations are values of the same function.
//!
//! **Places.** A value of type [`Type::Ref`] is a place: it names memory in a [`Space`] and has no other use than
//! `Load`, `Store`, `Field`, `Index`, atomics and inlined calls. Places other than resources are not stored,
//! returned, selected or merged.
//! `Field` and `Index` of a place are places; the same on a value is `Extract`. A texel is a place (`Op::Texel`) for
//! atomics alone: it is read by `ImageLoad` and written by `ImageStore`, whole.
//!
//! **Resources** are values: `Global` of a buffer is the place of its elements, of an image or sampler the value that
//! image operations take, and of an array of resources a value of type [`Type::Descriptors`], of which `Descriptor` gives
//! one. An index that goes through `NonUniform` may differ between threads that run together; what memory holds in
//! between is not followed. The globals of a *heap* are unbounded arrays of one type each, all at one binding: what lies
//! at an index is a resource of one of those types. `Counter` is the word that counts for a buffer; the buffer's global names the one that holds
//! it. A resource, and a structure with one inside, may be held by locals and private globals, passed and returned, until
//! inlining, `passes::localise`, `passes::split` and `passes::promote` have shown which one it is; `passes::counters` then replaces the counters.
//!
//! **Other views of memory.** `Bits` is a float as the word that it is in memory, `Wide` a buffer of words as one of
//! pairs: what atomics need that compare or exchange bits, or work on 64 of them at byte offsets. `passes::bits` and `passes::wide`
//! turn them into memory that has these types.
//!
//! **Specialisation constants** are globals whose `Global` is a scalar value, known when a pipeline is made. Numbers of
//! the graph that one gives are listed beside them, see [`specialise`].
//!
//! **Ray queries** are objects in places of type [`Type::RayQuery`], of locals and parameters alone. A query is never
//! loaded or stored: [`Stmt::RayQuery`] commands and [`Op::RayQuery`] asks through its place, and functions take it by
//! reference. Before its first `Trace` command all answers are undefined. [`Ray`](ray) lists what each operation takes.
//!
//! **Inline SPIR-V.** [`Stmt::Spirv`] and [`Op::Spirv`] are instructions that the program spells out, see [`spirv`]. They
//! are taken to read and write all memory. What a function's [`Function::needs`] lists is declared by every module that
//! has the function.
//!
//! **Meshes.** A mesh node puts out arrays ([`GlobalKind::MeshOutput`]) that it writes and does not read, after
//! [`Stmt::MeshCounts`] has said how much of them counts. Which parts of an element go where is listed with the global, see
//! [`mesh`]; `passes::mesh` makes an array of each.
//!
//! **Matrices.** A value of type [`Type::Matrix`] is its rows: `Compose` makes it from them, `Extract`,
//! `ExtractDynamic` and `Insert` take one, and beyond that it is only loaded, stored, selected by one bool, passed and
//! returned. Arithmetic is done row by row. In memory it lies in the order of its type's layout. `Index` of a place is
//! the place of a row, whose `Index` is that of a component; the row of a matrix in column-major order lies in pieces
//! and is loaded and stored like any other place.
//!
//! **Order.** Statements of a block run in order. `Let` of an operation that reads memory (`Load`, `ImageLoad`,
//! `ImageSample`, `InputCount` ..) reads it at that point. Within a workgroup, nothing is promised between threads except by
//! [`Stmt::Barrier`] and atomics.
//!
//! **Control flow** is structured: `If`, `Switch` (no fall-through: a case with several labels lists them), and
//! `Loop { body, continuing }`, which repeats `body` then `continuing` until a `Break`, or until `break_if` (a value of
//! `continuing`) is true. `Continue` goes to `continuing`, which holds neither `Break`, `Continue` nor `Return`.
//! `Break` leaves the innermost `Loop` or `Switch`. A statement after `Break`, `Continue` or `Return` in one block is
//! an error.
//!
//! **Undefined behaviour** is that of SPIR-V, except: integer division by zero gives an undefined value, shifts take
//! the low bits of the count, reads of a local before its first store give an undefined value; none of them may do
//! harm beyond the value.
//!
//! **Node functions** ([`Node::function`]) take no parameters and return nothing. System values are
//! [`Op::Builtin`], the input and the outputs are named by graph operations: `InputRecord`, `InputCount`, `Allocate`,
//! `OutputRecord`, `Complete`, `IncrementCount`, `OutputValid`, `RemainingLevels`, `FinishedSharing`. A value of type
//! [`Type::Records`] is a handle to allocated records. Both targets start from these operations; the native one maps
//! them to instructions, the emulated one replaces them by plain memory operations and clears the node's interface.
//!
//! **Positions.** [`Stmt::At`] says where the statements behind it, up to the next one or the end of their block, were
//! written; a nested block begins where the statement around it stands. It does nothing, needs no other statement and
//! is needed by none: passes may drop it. A [`Position`] counts tokens of one item and holds no offset in a file, so a
//! function stays equal when text around it moves; a [`SourceMap`] tells a back end what positions mean today. Inlined
//! statements keep the scope of the function that they were written in, and the scope says which call it was.
//!
//! **Variables** of the source are listed apart from what holds them: a local or a parameter taken by reference names the
//! [`Variable`] that lies there, and where there is no memory any more, [`Stmt::Holds`] says which value a variable has
//! from there on; without a value, it is lost. `Holds` does nothing and keeps nothing alive: to passes it is a marker like
//! `At`, and both go where nothing follows them in their block.
//!
//! # What follows from that
//!
//! [`typing`] is the table of operand and result types. Where the essay leaves room, it says: parts of a `Compose`, both
//! sides of a `Select`, arguments and returned values have exactly the type wanted, layout included, and only `Load`
//! and `Store` convert. A buffer's place may be coherent where the type of a variable, part or result says otherwise. `CountBits` and its like give the type of their operand. `Dot` and `Length` take vectors, not
//! scalars. An atomic store has the type of the memory, though nobody should read it. Locals may hold handles and
//! resources until `passes::promote`. Values that no `Let` makes are ignored; `passes::dead` removes them.
//! Graph operations stand in node functions and, before `passes::inline`, in functions that only nodes reach.
//!
//! # The contract of `verify`
//!
//! If [`verify`](crate::verify) returns Ok, every pass and every back end succeeds or returns an error, and never
//! panics.
//!
//! The IR knows no HLSL spelling, no place in a file, and nothing of salsa. Its text form prints and parses (`print`,
//! `parse`); positions are printed on request.

#![forbid(unsafe_code)]

pub mod builder;
pub mod declared;
pub mod flow;
pub mod function;
pub mod graph;
pub mod hint;
pub mod image;
pub mod layout;
pub mod local_root;
pub mod matrix;
pub mod merge;
pub mod mesh;
pub mod module;
mod names;
mod operands;
pub mod parse;
pub mod passes;
pub mod position;
pub mod print;
pub mod ray;
pub mod spec_value;
pub mod specialise;
pub mod spirv;
pub mod types;
pub mod typing;
pub mod variable;
pub mod verify;
pub mod walk;

pub use builder::FunctionBuilder;
pub use declared::{Declarations, SourceType, Spelled};
pub use function::*;
pub use graph::*;
pub use hint::*;
pub use image::*;
pub use local_root::{LocalRoot, LocalRootArgument, LocalRootKind, LocalRootLayout};
pub use matrix::{MatrixLayout, MatrixType};
pub use mesh::{Interpolation, MeshSlot, MeshValue};
pub use module::*;
pub use parse::parse;
pub use position::{Location, Position, ScopeId, SourceFile, SourceMap, SourceScope, SourceText};
pub use print::{print, print_with_positions};
pub use ray::{HitPart, RayCommand, RayHit, RayQuestion};
pub use spec_value::{SpecOp, SpecStep, SpecValue};
pub use specialise::{GraphConstant, Specialised, specialised_by};
pub use types::*;
pub use variable::{Variable, VariableId};
pub use verify::{VerifyError, verify};

/// Blocks inside blocks: what SPIR-V allows in a function ("Universal Limits"). Passes and back ends recurse over them, on a
/// stack that the caller makes large enough.
pub const MAX_NESTING: usize = 1023;

/// Values of a function, the parts of composed ones included; and of a program as it is written. Inlining, loads of
/// whole structures and templates multiply code: this is where it stops.
pub const MAX_VALUES: usize = 1 << 20;

/// The name of a function or global, unique in its module.
pub type Symbol = compact_str::CompactString;
