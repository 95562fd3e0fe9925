//! Typed bodies to IR: one query for each function, as an entry point or as a callee.
//!
//! A function is lowered alone: callees and globals are named by symbol and listed for the linker. Node objects are not
//! values of the IR. A function that takes outputs or inputs is therefore lowered once for each set of objects that it
//! is called with ([`Bound`]). Handles to records, buffers and images are values or places and need no such treatment.
//!
//! - [`place`](mod@place): lvalues, loads and stores;
//! - [`expr`](mod@expr), [`stmt`](mod@stmt), [`switch`](mod@switch), [`call`](mod@call): evaluation and control flow;
//! - [`bit_field`](mod@bit_field), [`bits`](mod@bits): parts of words, reinterpretations;
//! - [`resource`](mod@resource): objects that expressions denote; [`returned_objects`](mod@returned_objects): inputs
//!   and outputs that functions return;
//! - [`position`](mod@position): source locations of statements and expressions;
//!   [`record_variables`](mod@record_variables): inputs, outputs and records for debuggers;
//! - [`op`](mod@op), [`number`](mod@number), [`memory`](mod@memory), [`image`](mod@image), [`ray`](mod@ray),
//!   [`debug`](mod@debug): built-in operations; [`spirv`](mod@spirv): those that the program declares;
//!   [`matrix`](mod@matrix): operations row by row;
//! - [`globals`](mod@globals), [`heaps`](mod@heaps): globals of the IR, views of descriptor heaps;
//! - [`parts`](mod@parts): structures of resources that the host sets;
//! - [`assigned`](mod@assigned), [`grid_writes`](mod@grid_writes): refused writes, to resources that the host binds and
//!   to grids that groups share;
//! - [`statics`](mod@statics): `static` variables of functions;
//! - [`unit`](mod@unit): units of lowering: functions, and computed initial values of globals;
//! - [`entry`](mod@entry): parameters of nodes and compute entry points;
//! - [`symbol`](mod@symbol): names of functions in the module; [`recursion`](mod@recursion): cycles of calls.
mod assigned;
mod bit_field;
mod bits;
mod call;
mod debug;
mod entry;
mod expr;
pub mod globals;
pub mod grid_writes;
pub mod heaps;
mod image;
mod matrix;
mod memory;
mod number;
mod op;
mod parts;
mod place;
pub(crate) mod position;
mod ray;
mod record_variables;
pub mod recursion;
mod resource;
mod returned_objects;
mod spirv;
pub mod start_effects;
mod statics;
mod stmt;
mod switch;
pub mod symbol;
pub mod unit;

use crate::check::hir::{Body, ExprId, LocalId};
use crate::check::initial::initial;
use crate::check::{Checked, check, env};
use crate::db::Db;
use crate::db::def::{Item, SourcePlace, VarId};
use crate::db::diagnostic::Diagnostic;
use crate::db::ty::{FnInst, RecordInst, Ty, TyKind};
use crate::tables::builtin::Builtin;
use crate::tables::codes::Code;
use crate::types::layout::NoLayout;
use indexmap::IndexSet;
use rustc_hash::FxHashMap;
use wgc_frontend::ast::Span;
use wgc_ir::{FunctionBuilder, Launch, MAX_VALUES, OutputId, ScopeId, SharedFunction, Space, Symbol, Type, ValueId};

/// The role of a function in its lowering.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Role {
    /// A callee: parameters are parameters.
    Callee,
    /// A node: parameters are system values, the input, and outputs in order.
    Node(LaunchMode),
    /// A compute shader: parameters are system values.
    Compute,
}

/// [`Launch`], hashable and ordered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum LaunchMode {
    Broadcasting,
    Coalescing,
    Thread,
    Mesh,
}

impl From<Launch> for LaunchMode {
    fn from(launch: Launch) -> LaunchMode {
        match launch {
            Launch::Broadcasting => LaunchMode::Broadcasting,
            Launch::Coalescing => LaunchMode::Coalescing,
            Launch::Thread => LaunchMode::Thread,
            Launch::Mesh => LaunchMode::Mesh,
        }
    }
}

/// Properties of a passed resource's type that the parameter does not declare.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, salsa::SalsaValue)]
pub enum Passed {
    Plain,
    /// `globallycoherent`
    Coherent,
    /// Push constants.
    Pushed,
}

/// The binding of a parameter of object type in one lowering of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, salsa::SalsaValue)]
pub enum Bound<'db> {
    /// No object, or one that is a value.
    None,
    Input,
    /// An element of this output; its index is a parameter.
    Output(OutputId),
    OutputArray(OutputId),
    /// A variable of the caller that gets its object from the function.
    Unset,
    /// A buffer or image, or an array of them. The type is the argument's if the parameter has another length or none.
    Resource(Passed, Option<Ty<'db>>),
    /// An array of resources of this type that the function built; the parameter has another length or none.
    Array(Ty<'db>),
    /// Precedes the parameters. The object of a method is this record, in this space; the method's own record may be a
    /// base of it. Without this entry, the object is the method's record in a local.
    This {
        space: Space,
        record: RecordInst<'db>,
    },
}

/// One lowering of a function, as requested by a call or the linker.
#[derive(Clone, Debug, PartialEq, Eq, Hash, salsa::SalsaValue)]
pub struct Callee<'db> {
    pub function: FnInst<'db>,
    /// One for each parameter, after [`Bound::This`] if there is one; empty if all are [`Bound::None`].
    pub bound: Vec<Bound<'db>>,
}

/// A lowered function and its needs.
#[derive(Clone, Debug, Default, PartialEq, Eq, salsa::SalsaValue)]
pub struct Lowered<'db> {
    /// `None` if the body, or a declaration that it needs, is wrong.
    pub function: Option<SharedFunction>,
    /// Callees, in the order of the first call. Their symbols are [`symbol::callee`].
    pub callees: Vec<Callee<'db>>,
    /// Globals, with the record of static members, in the order of the first mention.
    pub globals: Vec<(VarId<'db>, Option<RecordInst<'db>>)>,
    /// Variables of the function that outlive its calls.
    pub statics: Vec<wgc_ir::Global>,
    /// Views of the heaps in use, without their bindings.
    pub heaps: Vec<wgc_ir::Global>,
    /// Resources in structures that the host sets, without their bindings.
    pub parts: Vec<wgc_ir::Global>,
    /// The first `FinishedCrossGroupSharing` of the body.
    pub finished: Option<SourcePlace<'db>>,
    /// Errors that only lowering finds: constructs that are not compiled yet.
    pub diagnostics: Vec<Diagnostic<'db>>,
}

/// Lowers a function in a role; `bound` is as in [`Callee::bound`].
#[salsa::tracked(returns(ref))]
pub fn lowered<'db>(db: &'db dyn Db, function: FnInst<'db>, role: Role, bound: Vec<Bound<'db>>) -> Lowered<'db> {
    let checked = check(db, function);
    let signature = env::signature(db, function);
    if !checked.is_correct || !signature.has_body {
        return Lowered::default();
    }
    let name = match role {
        Role::Callee => symbol::callee(db, function, &bound),
        _ => crate::check::symbol::entry(db, function),
    };
    let source = match crate::types::definition::body(db, function) {
        Some((item, body)) => SourcePlace { item, body: Some(body), span: Span::default() },
        None => SourcePlace::head(function.function(db).item, Span::default()),
    };
    let mut lowerer = Lowerer::new(db, Some(function), source, checked, role, name);
    let done = lowerer.function(signature, &bound);
    lowerer.finish(done)
}

/// Lowers the computation of a global's initial value to a function without parameters.
#[salsa::tracked(returns(ref))]
pub fn lowered_start<'db>(
    db: &'db dyn Db,
    item: Item<'db>,
    index: u32,
    owner: Option<RecordInst<'db>>,
) -> Lowered<'db> {
    let checked = initial(db, item, index, owner);
    if !checked.is_correct {
        return Lowered::default();
    }
    let var = VarId { item, index };
    let source = SourcePlace::head(crate::types::definition::variable(db, var, owner).var.item, Span::default());
    let mut lowerer =
        Lowerer::new(db, None, source, checked, Role::Callee, crate::check::symbol::start(db, var, owner));
    lowerer.returns_precise = crate::types::globals::global(db, var, owner).is_some_and(|g| g.is_precise);
    let done = lowerer.block(&checked.body.block);
    lowerer.finish(done)
}

/// The object that an expression of object type denotes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Object {
    Input,
    Output {
        id: OutputId,
        index: ValueId,
    },
    OutputArray(OutputId),
    /// A place of a buffer or constant buffer, an image or sampler, or an array of resources of the program.
    Value(ValueId),
}

/// The representation of a local variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Binding {
    /// A place of the function.
    Place(ValueId),
    Object(Object),
    /// An output, known from the first assignment on; the place holds its index.
    Output {
        id: Option<OutputId>,
        place: ValueId,
    },
}

/// Advice for an object that the program stores in memory.
const IN_MEMORY: &str = "declare objects as variables, parameters or fields of locals: memory holds only numbers";

/// An explanation for large amounts of generated code.
pub(crate) const MULTIPLIED: &str =
    "each array element that a cast, a `Load` or a `Store` copies is a value, in each instance of a template";

/// Lowering ends at the first construct that it cannot express; the lowerer has the diagnostic.
type Lower<T> = Option<T>;

struct Lowerer<'db> {
    db: &'db dyn Db,
    /// `None` for the initial value of a global.
    instance: Option<FnInst<'db>>,
    /// The location of the body; its span is empty.
    source: SourcePlace<'db>,
    body: &'db Body<'db>,
    role: Role,
    b: FunctionBuilder,
    locals: FxHashMap<LocalId, Binding>,
    /// Argument types for parameters that are arrays of any length.
    arrays: FxHashMap<LocalId, Ty<'db>>,
    /// The objects that the parameters were bound to.
    given: Vec<Option<Object>>,
    /// Open nested blocks.
    nesting: u32,
    /// The scope of positions in the body.
    scope: Option<ScopeId>,
    records: record_variables::RecordVariables,
    /// Parts of values that list them.
    listed: usize,
    /// The function, or the global whose initial value it computes, is declared `precise`.
    returns_precise: bool,
    /// The place of `this` and its record: the method's own, or one that inherits from it.
    this: Option<(ValueId, RecordInst<'db>)>,
    /// Values of [`crate::check::hir::ExprKind::Once`].
    once: FxHashMap<ExprId, ValueId>,
    callees: IndexSet<Callee<'db>>,
    globals: IndexSet<(VarId<'db>, Option<RecordInst<'db>>)>,
    statics: Vec<wgc_ir::Global>,
    heaps: Vec<wgc_ir::Global>,
    parts: Vec<wgc_ir::Global>,
    finished: Option<SourcePlace<'db>>,
    diagnostics: Vec<Diagnostic<'db>>,
}

impl<'db> Lowerer<'db> {
    fn new(
        db: &'db dyn Db,
        instance: Option<FnInst<'db>>,
        source: SourcePlace<'db>,
        checked: &'db Checked<'db>,
        role: Role,
        name: Symbol,
    ) -> Lowerer<'db> {
        Lowerer {
            db,
            instance,
            source,
            body: &checked.body,
            role,
            b: FunctionBuilder::new(name, Type::Void),
            locals: FxHashMap::default(),
            arrays: FxHashMap::default(),
            given: Vec::new(),
            nesting: 0,
            scope: None,
            records: record_variables::RecordVariables::default(),
            listed: 0,
            returns_precise: false,
            this: None,
            once: FxHashMap::default(),
            callees: IndexSet::new(),
            globals: IndexSet::new(),
            statics: Vec::new(),
            heaps: Vec::new(),
            parts: Vec::new(),
            finished: None,
            diagnostics: Vec::new(),
        }
    }

    fn function(&mut self, signature: &env::Signature<'db>, bound: &[Bound<'db>]) -> Lower<()> {
        if let Some(instance) = self.instance {
            let signature = crate::types::signature::fn_signature(self.db, instance);
            let function = self.b.function_mut();
            function.needs.merge(&signature.needs);
            function.noinline = signature.noinline && matches!(self.role, Role::Callee);
        }
        self.open_scope();
        self.returns_precise = self.instance.is_some_and(|f| self.is_declared_precise(f));
        match self.role {
            Role::Callee => self.callee_params(signature, bound)?,
            _ => self.entry_params(signature)?,
        }
        self.block(&self.body.block)?;
        self.check_given(signature)
    }

    /// Returns the function if lowering completed.
    fn finish(mut self, done: Lower<()>) -> Lowered<'db> {
        if done.is_none() {
            return Lowered { diagnostics: self.diagnostics, ..Lowered::default() };
        }
        if self.source.item.program(self.db).options(self.db).precise {
            wgc_ir::passes::mark_all(self.b.function_mut());
        }
        Lowered {
            function: Some(self.b.finish().into()),
            callees: self.callees.into_iter().collect(),
            globals: self.globals.into_iter().collect(),
            statics: self.statics,
            heaps: self.heaps,
            parts: self.parts,
            finished: self.finished,
            diagnostics: self.diagnostics,
        }
    }

    fn is_declared_precise(&self, f: FnInst<'db>) -> bool {
        let node = crate::db::items::fn_node(self.db, f.function(self.db));
        node.is_some_and(|n| n.tree.ast.types[n.function.ret].modifiers.iter().any(|m| m.text == "precise"))
    }

    /// Returns the name of the function or variable, for diagnostics about it as a whole.
    fn name_place(&self) -> SourcePlace<'db> {
        match self.instance {
            Some(f) => crate::types::signature::fn_signature(self.db, f).name_place,
            None => self.source,
        }
    }

    /// Reports a construct that is not compiled, and stops.
    fn unsupported<T>(&mut self, span: Span, what: &str) -> Lower<T> {
        let place = self.source(span);
        let message = format!("wgc does not compile {what} yet");
        // Once for each function: a declaration with such a construct is followed by uses.
        if self.diagnostics.iter().any(|d| d.message == message) {
            return None;
        }
        self.diagnostics.push(Diagnostic::new(Code::NotSupported, place, message));
        None
    }

    /// Stops if the function gets too large; `parts` counts the parts of a value that will list them.
    fn room(&mut self, span: Span, parts: usize) -> Lower<()> {
        self.listed = self.listed.saturating_add(parts);
        if self.b.function().values.len().saturating_add(self.listed) <= MAX_VALUES {
            return Some(());
        }
        let name = self.instance.map_or("this initial value".to_owned(), |f| {
            format!("`{}`", crate::types::signature::fn_signature(self.db, f).name)
        });
        let message = format!("{name} has more than {MAX_VALUES} values");
        self.diagnostics.push(Diagnostic::new(Code::TooMuchCode, self.source(span), message).note(MULTIPLIED));
        None
    }

    /// Reports a type without a memory layout, like [`Self::unsupported`].
    fn no_layout<T>(&mut self, span: Span, what: &str, ty: Ty<'db>, no: NoLayout) -> Lower<T> {
        // The declaration of the type is wrong and was reported.
        if no.is_too_large {
            let wrong = Diagnostic::new(Code::ArraySize, self.source(span), no.why);
            self.diagnostics.push(match crate::types::layout::too_large_field(self.db, ty) {
                Some(field) => wrong.also(field, "declared here"),
                None => wrong,
            });
        } else if no.is_object {
            let message = format!("{what} is not possible: {}", no.why);
            let wrong = Diagnostic::new(Code::UnsupportedType, self.source(span), message);
            self.diagnostics.push(wrong.note(IN_MEMORY));
        } else if !no.why.is_empty() {
            let is_unsupported = no.why == format!("wgc does not compile {what} yet");
            let message = if is_unsupported { no.why } else { format!("{what} has no memory layout: {}", no.why) };
            self.diagnostics.push(Diagnostic::new(Code::NotSupported, self.source(span), message));
        }
        None
    }

    /// Reports a value that contains objects, which no buffer can hold.
    fn object_in_memory<T>(&mut self, span: Span, what: &str) -> Lower<T> {
        let message = format!("{what} cannot have this type: it contains objects, which have no place in memory");
        self.diagnostics.push(Diagnostic::new(Code::UnsupportedType, self.source(span), message).note(IN_MEMORY));
        None
    }

    /// Returns the location of a span of the body.
    fn source(&self, span: Span) -> SourcePlace<'db> {
        SourcePlace { span, ..self.source }
    }

    // ---- types

    fn builtin(&self, ty: Ty<'db>) -> Option<Builtin> {
        match ty.kind(self.db) {
            TyKind::Record(r) => env::builtin(self.db, *r),
            _ => None,
        }
    }

    /// Returns whether a type is an input or output of a node: known during lowering, and not a value.
    fn is_node_object(&self, ty: Ty<'db>) -> bool {
        returned_objects::is_node_object(self.db, ty)
    }

    /// Returns whether a type is bound by the host, or is an array of such.
    fn is_resource(&self, ty: Ty<'db>) -> bool {
        crate::types::globals::is_resource(self.db, ty)
    }

    /// Returns the type of a value. Layouts are canonical, so that equal HLSL types are equal in the IR.
    fn ir_type(&mut self, ty: Ty<'db>, span: Span) -> Lower<Type> {
        let memory = self.memory_type(ty, span)?;
        Some(if crate::types::extent::extent(self.db, ty).has_matrix { memory.as_value() } else { memory })
    }

    /// Returns the memory type for a value, with matrices in the declared order; also for handles.
    fn memory_type(&mut self, ty: Ty<'db>, span: Span) -> Lower<Type> {
        match crate::types::layout::value_type(self.db, ty, self.block_layout()) {
            Ok(ty) => Some(ty),
            Err(no) if !no.at_definition && returned_objects::holds_node_object(self.db, ty) => {
                self.kept_in_memory(span)
            }
            Err(no) => self.no_layout(span, &format!("a value of type `{}`", ty.display(self.db)), ty, no),
        }
    }

    /// Returns the layout of the program's constant buffers.
    fn block_layout(&self) -> crate::tables::binding_options::BlockLayout {
        self.source.item.program(self.db).options(self.db).bindings.layout
    }

    fn expr_type(&mut self, id: ExprId) -> Lower<Type> {
        let (ty, span) = (self.array_type(id), self.body.expr(id).span);
        self.ir_type(ty, span)
    }
}
