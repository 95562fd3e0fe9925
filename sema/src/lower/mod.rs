//! Typed bodies to IR: one query for each function, as an entry point or as a callee.
//!
//! A function is lowered alone: callees and globals are named by symbol, and listed for the linker. Node objects are
//! no values of the IR, so a function that takes outputs or inputs is lowered once for each set of objects that it is
//! called with ([`Bound`]); handles to records, buffers and images are values or places and travel as they are.
//!
//! - [`place`](mod@place): what an lvalue is, loads and stores;
//! - [`expr`](mod@expr), [`stmt`](mod@stmt): evaluation and control flow;
//! - [`resource`](mod@resource): what an expression of object type stands for;
//! - [`op`](mod@op), [`memory`](mod@memory), [`image`](mod@image): built-in operations; [`matrix`](mod@matrix): row by
//!   row;
//! - [`entry`](mod@entry): parameters of nodes and compute entry points;
//! - [`symbol`](mod@symbol): names of functions in the module; [`recursion`](mod@recursion): circles of calls.

mod bits;
mod call;
mod entry;
mod expr;
mod image;
mod matrix;
mod memory;
mod number;
mod op;
mod place;
pub mod recursion;
mod resource;
mod stmt;
pub mod symbol;

use crate::builtin::Builtin;
use crate::check::hir::{Body, ExprId, LocalId};
use crate::check::{Checked, check, env};
use crate::codes::Code;
use crate::db::Db;
use crate::def::{Place as SourcePlace, VarId};
use crate::diagnostic::Diagnostic;
use crate::ty::{FnInst, RecordInst, Ty, TyKind};
use indexmap::IndexSet;
use rustc_hash::FxHashMap;
use wgc_frontend::ast::Span;
use wgc_ir::{Function, FunctionBuilder, Launch, OutputId, RecordsType, Space, Symbol, Type, ValueId};

/// In which role a function is lowered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Role {
    /// Called by others: parameters are parameters.
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
}

impl From<Launch> for LaunchMode {
    fn from(launch: Launch) -> LaunchMode {
        match launch {
            Launch::Broadcasting => LaunchMode::Broadcasting,
            Launch::Coalescing => LaunchMode::Coalescing,
            Launch::Thread => LaunchMode::Thread,
        }
    }
}

/// What a parameter of object type stands for in one lowering of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Bound {
    /// No object, or one that is a value.
    None,
    Input,
    /// An element of this output; its index is a parameter.
    Output(OutputId),
    OutputArray(OutputId),
    /// A buffer or image; `coherent` is part of its type.
    Resource {
        coherent: bool,
    },
    /// In front of the parameters: the object of a method lies in this space, not in a local.
    This(Space),
}

/// One lowering of a function: what a call or the linker asks for.
#[derive(Clone, Debug, PartialEq, Eq, Hash, salsa::SalsaValue)]
pub struct Callee<'db> {
    pub function: FnInst<'db>,
    /// One for each parameter, behind [`Bound::This`] if there is one; empty when all are [`Bound::None`].
    pub bound: Vec<Bound>,
}

/// A lowered function and what it needs.
#[derive(Clone, Debug, PartialEq, Eq, salsa::SalsaValue)]
pub struct Lowered<'db> {
    /// `None` when the body, or a declaration that it needs, is wrong.
    pub function: Option<Function>,
    /// Functions that it calls, in the order of the first call. Their symbols are [`symbol::callee`].
    pub callees: Vec<Callee<'db>>,
    /// Globals that it mentions, with the record of static members, in the order of the first mention.
    pub globals: Vec<(VarId<'db>, Option<RecordInst<'db>>)>,
    /// The first operation of its body that needs derivatives: its name and where it stands.
    pub derivatives: Option<(String, SourcePlace<'db>)>,
    /// What only lowering finds: constructs that are not compiled yet.
    pub diagnostics: Vec<Diagnostic<'db>>,
}

/// The IR of a function in a role; `bound` is as in [`Callee::bound`].
#[salsa::tracked(returns(ref))]
pub fn lowered<'db>(db: &'db dyn Db, function: FnInst<'db>, role: Role, bound: Vec<Bound>) -> Lowered<'db> {
    let checked = check(db, function);
    let nothing = Lowered {
        function: None,
        callees: Vec::new(),
        globals: Vec::new(),
        derivatives: None,
        diagnostics: Vec::new(),
    };
    let signature = env::signature(db, function);
    if !checked.is_correct || !signature.has_body {
        return nothing;
    }
    let name = match role {
        Role::Callee => symbol::callee(db, function, &bound),
        _ => symbol::entry(db, function),
    };
    let mut lowerer = Lowerer::new(db, function, checked, role, name);
    if lowerer.function(signature, &bound).is_none() {
        return Lowered { diagnostics: lowerer.diagnostics, ..nothing };
    }
    Lowered {
        function: Some(lowerer.b.finish()),
        callees: lowerer.callees.into_iter().collect(),
        globals: lowerer.globals.into_iter().collect(),
        derivatives: lowerer.derivatives,
        diagnostics: lowerer.diagnostics,
    }
}

/// What an expression of object type stands for.
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

/// What a local of the body is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Binding {
    /// A place of the function.
    Place(ValueId),
    Object(Object),
}

/// Lowering ends at the first thing that it cannot express; the diagnostic is with the lowerer.
type Lower<T> = Option<T>;

struct Lowerer<'db> {
    db: &'db dyn Db,
    instance: FnInst<'db>,
    body: &'db Body<'db>,
    role: Role,
    b: FunctionBuilder,
    locals: FxHashMap<LocalId, Binding>,
    /// Blocks that are open, each inside the one before.
    nesting: u32,
    /// Cases that were copied because another falls through to them.
    copies: u32,
    /// The place of `this`.
    this: Option<ValueId>,
    /// Values of [`crate::check::hir::ExprKind::Once`].
    once: FxHashMap<ExprId, ValueId>,
    callees: IndexSet<Callee<'db>>,
    globals: IndexSet<(VarId<'db>, Option<RecordInst<'db>>)>,
    derivatives: Option<(String, SourcePlace<'db>)>,
    diagnostics: Vec<Diagnostic<'db>>,
}

impl<'db> Lowerer<'db> {
    fn new(
        db: &'db dyn Db,
        instance: FnInst<'db>,
        checked: &'db Checked<'db>,
        role: Role,
        name: Symbol,
    ) -> Lowerer<'db> {
        Lowerer {
            db,
            instance,
            body: &checked.body,
            role,
            b: FunctionBuilder::new(name, Type::Void),
            locals: FxHashMap::default(),
            nesting: 0,
            copies: 0,
            this: None,
            once: FxHashMap::default(),
            callees: IndexSet::new(),
            globals: IndexSet::new(),
            derivatives: None,
            diagnostics: Vec::new(),
        }
    }

    fn function(&mut self, signature: &env::Signature<'db>, bound: &[Bound]) -> Lower<()> {
        match self.role {
            Role::Callee => self.callee_params(signature, bound)?,
            _ => self.entry_params(signature)?,
        }
        self.block(&self.body.block)
    }

    /// Says what is not compiled, and gives up.
    fn unsupported<T>(&mut self, span: Span, what: &str) -> Lower<T> {
        let place = self.source(span);
        let message = format!("wgc does not compile {what} yet");
        self.diagnostics.push(Diagnostic::new(Code::NotSupported, place, message));
        None
    }

    /// Where a span of the body lies.
    fn source(&self, span: Span) -> SourcePlace<'db> {
        match crate::definition::body(self.db, self.instance) {
            Some((item, body)) => SourcePlace { item, body: Some(body), span },
            None => SourcePlace::head(self.instance.function(self.db).item, span),
        }
    }

    // ---- types

    fn builtin(&self, ty: Ty<'db>) -> Option<Builtin> {
        match ty.kind(self.db) {
            TyKind::Record(r) => env::builtin(self.db, *r),
            _ => None,
        }
    }

    /// The input or an output of a node: known while lowering, and no value.
    fn is_node_object(&self, ty: Ty<'db>) -> bool {
        self.builtin(ty).is_some_and(|b| b.is_node_object() && !matches!(b, Builtin::OutputRecords(_)))
    }

    /// What a host binds, or an array of it.
    fn is_resource(&self, ty: Ty<'db>) -> bool {
        self.builtin(crate::globals::element(self.db, ty)).is_some_and(Builtin::is_resource)
    }

    /// The type of a value: canonical layouts, so that equal HLSL types are equal here.
    fn ir_type(&mut self, ty: Ty<'db>, span: Span) -> Lower<Type> {
        let memory = self.memory_type(ty, span)?;
        Some(if crate::extent::extent(self.db, ty).has_matrix { memory.as_value() } else { memory })
    }

    /// The type of memory that holds such a value, matrices in the order that was declared; and of handles.
    fn memory_type(&mut self, ty: Ty<'db>, span: Span) -> Lower<Type> {
        if let (TyKind::Record(r), Some(Builtin::OutputRecords(scope))) = (ty.kind(self.db), self.builtin(ty)) {
            let record = env::argument_ty(self.db, *r)?;
            let record = self.memory_type(record, span)?;
            return Some(Type::Records(RecordsType { scope, record: record.into() }));
        }
        match crate::layout::value_type(self.db, ty, self.block_layout()) {
            Ok(ty) => Some(ty),
            // The declaration of the type is wrong, and says so.
            Err(no) if no.why.is_empty() => None,
            Err(_) => self.unsupported(span, &format!("a value of type `{}`", ty.display(self.db))),
        }
    }

    /// How constant buffers of the program are laid out.
    fn block_layout(&self) -> crate::binding_options::BlockLayout {
        self.instance.function(self.db).item.program(self.db).options(self.db).bindings.layout
    }

    fn expr_type(&mut self, id: ExprId) -> Lower<Type> {
        let expr = self.body.expr(id);
        self.ir_type(expr.ty, expr.span)
    }
}
