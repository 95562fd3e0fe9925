//! The intermediate representation of wgc: typed, structured, plain data.
//!
//! # What it means
//!
//! A [`Module`] holds functions and globals by [`Symbol`], and the [`Graph`] of nodes that its functions implement. A
//! function never refers to an arena outside of it: types are values, callees and globals are symbols. So each function
//! is lowered, cached and compared alone, and linking is the union of symbol tables.
//!
//! **Values.** A function owns an arena of [`Value`]s, each with a type and an [`Op`]. A value is computed when control
//! reaches the one [`Stmt::Let`] that names it. It is visible in the rest of that block and in the blocks nested there.
//! A value never changes. The operands of an operation are values of the same function.
//!
//! **Merged values** ([`Op::Merge`]) have no `Let`. A statement lists them: as results, visible after it, or as the
//! parameters of a loop. Each edge to that point carries their values ([`Values`], [`LoopDetails`]):
//!
//! | edge | sets |
//! |---|---|
//! | `Yield` at the end of an arm; `Break` of a switch | the results of the `If` or `Switch` |
//! | entry of a loop (`first`); end of `continuing` (`next`) | `params`, visible in `body` and `continuing` |
//! | `Yield` at the end of the body; `Continue` | `again`, visible in `continuing` |
//! | `Break` of a loop; `break_if` that ends it (`last`) | the results of the loop |
//!
//! Lowering and the passes that targets require produce none of them; `passes::ssa` does. `passes::demote` turns them
//! into locals, and passes that do not know them call it first.
//!
//! **Places.** A value of type [`Type::Ref`] is a place. It names memory in a [`Space`]. `Load`, `Store`, `Field`,
//! `Index`, `ArrayLength`, atomics and calls use it, and the operations below on buffers, ray queries and inline
//! SPIR-V. Places other than resources are not stored, returned, selected or merged. `Field` and `Index` of a place are
//! places; the same on a value is `Extract`. A texel is a place (`Op::Texel`) for atomics only: `ImageLoad` reads and
//! `ImageStore` writes whole texels.
//!
//! **Resources** are values. `Global` of a buffer is the place of its elements. For an image or sampler it is the value
//! that image operations take. For an array of resources it is a value of type [`Type::Descriptors`], and `Descriptor`
//! returns one element. An index with `NonUniform` may differ between threads that run together; the mark is lost in
//! memory. The globals of a *heap* are unbounded arrays of one type each, all at one binding. The resource at an index
//! has one of those types. `Counter` is the counter word of a buffer; the buffer's global names the global that holds
//! it. Locals and private globals may hold a resource, or a structure with one, and functions may pass and return it.
//! This ends when inlining, `passes::localise`, `passes::split`, `passes::promote` and `passes::resource_selection`
//! have resolved it. Then `passes::counters` replaces the counters.
//!
//! **Other views of memory.** `Bits` views a float as the word in memory, `Wide` views a buffer of words as one of word
//! pairs. Atomics need them to compare or exchange bits, or to work on 64 bits at byte offsets. `passes::float_atomics`
//! and `passes::wide_atomics` change the memory to these types.
//!
//! **Specialisation constants** are globals whose `Global` is a scalar value, known at pipeline creation. The graph
//! numbers that one determines are listed next to them, see [`specialise`].
//!
//! **Ray queries** are objects in places of type [`Type::RayQuery`], only in locals, private globals and
//! parameters. A query is never loaded or stored. [`Stmt::RayQuery`] commands and [`Op::RayQuery`] asks through its place, and functions take it by
//! reference. Before its first `Trace` command all answers are undefined. [`Ray`](ray) lists the operands of each
//! operation.
//!
//! **Inline SPIR-V.** [`Stmt::Spirv`] and [`Op::Spirv`] are instructions that the program spells out, see [`spirv`].
//! They are assumed to read and write all memory. An emitted module declares the [`Function::needs`] of its functions.
//!
//! **Meshes.** A mesh node outputs arrays ([`GlobalKind::MeshOutput`]). It writes them and never reads them, after
//! [`Stmt::MeshCounts`] has set their sizes. The global lists the destination of each part of an element, see [`mesh`];
//! `passes::mesh` turns each part into an array.
//!
//! **Matrices.** A value of type [`Type::Matrix`] consists of its rows. `Compose` builds it from them; `Extract`,
//! `ExtractDynamic` and `Insert` take one row. Otherwise it is only loaded, stored, selected by one bool, passed and
//! returned. Arithmetic is done row by row, except [`MathOp::Product`]. In memory it has the order of its type's
//! layout. `Index` of a place is the place of a row, whose `Index` is that of a component. A row of a column-major
//! matrix is not contiguous, but is loaded and stored like any other place.
//!
//! **Order.** Statements of a block run in order. `Let` of an operation that reads memory (`Load`, `ImageLoad`,
//! `ImageSample`, `InputCount` ..) reads it at that point. Within a workgroup, only [`Stmt::Barrier`] and atomics order
//! the accesses of different threads.
//!
//! **Control flow** is structured. `If` and `Switch` have no fall-through: a case with several labels lists them.
//! `Loop { body, continuing }` repeats `body`, then `continuing`, until a `Break`, or until `break_if` (a value of
//! `continuing`) is true. `Continue` goes to `continuing`, which contains no `Break`, `Continue` or `Return`. `Break`
//! leaves the innermost `Loop` or `Switch`. A statement after `Break`, `Continue`, `Return` or `Yield` in one block is an
//! error.
//!
//! **Undefined behaviour** is that of SPIR-V, with exceptions. Integer division by zero gives an undefined value.
//! Shifts use the low bits of the count. Reads of a local before its first store give an undefined value. None of them
//! may have any other effect.
//!
//! **Node functions** ([`Node::function`]) take no parameters and return nothing. System values are [`Op::Builtin`].
//! Graph operations name the input and the outputs: `InputRecord`, `InputCount`, `Allocate`, `OutputRecord`,
//! `Complete`, `IncrementCount`, `OutputValid`, `RemainingLevels`, `FinishedSharing`. A value of type [`Type::Records`]
//! is a handle to allocated records. Both targets start from these operations. The native one maps them to
//! instructions. The emulated one replaces them by memory operations and calls of its device library, in a module
//! without a graph.
//!
//! **Positions.** [`Stmt::At`] sets the source position of the following statements, up to the next one or the end of
//! their block. A nested block starts with the position of the statement around it. The marker has no effect and no
//! dependencies, so passes may drop it. A [`Position`] counts tokens of one item and has no file offset, so a function
//! stays equal when text around it moves. A [`SourceMap`] gives a back end the current locations of positions. Inlined
//! statements keep the scope of their original function, and the scope names the call.
//!
//! **Variables** of the source are listed separately from their storage. A local or a parameter taken by reference
//! names the [`Variable`] that it holds. Without memory, [`Stmt::Holds`] gives the value of a variable from there on;
//! without a value, the variable is lost. `Holds` has no effect and keeps nothing alive. Passes treat it as a marker
//! like `At`, and remove both at the end of a block. So a pass that creates markers in nested blocks also adds some
//! after them: a variable that a branch or a loop sets has the merged value there, or none. So it has at the start of
//! the blocks of a loop.
//!
//! # What follows from that
//!
//! [`typing`] is the table of operand and result types. It settles these cases. Parts of a `Compose`, both sides of a
//! `Select`, arguments and returned values have exactly the required type, including layout; only `Load` and `Store`
//! convert. A buffer's place may be coherent even if the type of a variable, part or result is not. `CountBits` and
//! similar operations return the type of their operand. `Dot` and `Length` take vectors, not scalars. An atomic store
//! has the type of the memory, although its result is never read. Locals may hold handles until `passes::promote`, and
//! resources until `passes::resource_selection`. Values without a `Let` are ignored; `passes::dead` removes them. Graph
//! operations are in node functions and, before `passes::inline`, in functions that only nodes reach.
//!
//! # The contract of `verify`
//!
//! If [`verify`](crate::verify) returns Ok, every pass and every back end succeeds or returns an error, and never
//! panics.
//!
//! The IR is independent of HLSL spelling, file locations and salsa. Its text form prints and parses (`print`,
//! `parse`); positions are printed on request. A module without nodes also has a binary form ([`encode`], [`decode`]).

#![forbid(unsafe_code)]
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::unreachable))]

pub mod builder;
pub mod declared;
mod encoded;
pub mod flow;
pub mod function;
pub mod graph;
pub mod hint;
pub mod image;
pub mod known;
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
mod value_map;
pub mod variable;
pub mod verify;
pub mod walk;

pub use builder::FunctionBuilder;
pub use declared::{Declarations, SourceType, Spelled};
pub use encoded::{EncodeError, decode, encode};
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

/// The maximum nesting of blocks, as SPIR-V's "Universal Limits" allow in a function. Passes and back ends recurse over
/// blocks, on a stack that the caller makes large enough.
pub const MAX_NESTING: usize = 1023;

/// The maximum number of values of a function, including the parts of composed ones, and of a program as written.
/// Inlining, loads of whole structures and templates multiply code; this limit stops them.
pub const MAX_VALUES: usize = 1 << 20;

/// The name of a function or global, unique in its module.
pub type Symbol = compact_str::CompactString;
