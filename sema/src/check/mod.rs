//! Typed bodies: one query for each function instance.
//!
//! [`check`] resolves names, chooses overloads, makes conversions explicit and reports each mistake once: expressions
//! with an erroneous operand are silent. Bodies of templates are checked for each instance.
//!
//! Signatures, globals and members come from the layers below, most of them through [`env`](mod@env). Of nodes, this
//! layer reads the contracts. It does not depend on the graph. It uses enums of the IR (`BinaryOp`, hints), but builds
//! no IR.
mod call;
pub(crate) mod constant;
mod convert;
mod deduce;
pub mod env;
pub(crate) mod exact_overloads;
pub mod excluded_code;
mod expr;
pub mod flow;
pub mod fold;
mod fold_call;
mod fold_math;
mod foreign;
mod format;
mod header;
mod hints;
pub mod hir;
pub(crate) mod image;
mod init;
pub mod initial;
pub mod item;
mod local_function;
mod local_type;
mod matrix;
mod operators;
pub mod ops;
mod overload;
mod own_init;
mod resolve;
mod score;
pub mod shown;
mod stmt;
mod suspicious;
mod switch;
pub mod symbol;
mod sync;
pub(crate) mod template_names;
pub(crate) mod text;
pub(crate) mod useless_precise;
mod using;

use crate::db::Db;
use crate::db::def::{Def, EnumId, FnId, Item, SourcePlace};
use crate::db::diagnostic::Diagnostic;
use crate::db::items::{body_tree, fn_node};
use crate::db::ty::Env;
use crate::db::ty::{FnInst, RecordInst, Scalar, Ty, TyKind};
use crate::tables::builtin::Builtin;
use crate::tables::codes::{Code, Severity};
use crate::types::cx::{Cx, Locals};
use crate::types::name_uses::{CallNote, Note, Notes, Sink, Symbol};
use compact_str::CompactString;
use hir::{Body, Category, Expr, ExprId, ExprKind, LocalId};
use rustc_hash::FxHashMap;
use wgc_frontend::ast::{self, Ast, Span};

/// A typed function body and its diagnostics.
#[derive(Clone, Debug, PartialEq, Eq, Hash, salsa::SalsaValue)]
pub struct Checked<'db> {
    pub body: Body<'db>,
    pub diagnostics: Vec<Diagnostic<'db>>,
    /// No diagnostic is an error, here or in the syntax.
    pub is_correct: bool,
}

/// Checks the body of a function instance. A function without a body has an empty, correct one.
#[salsa::tracked(returns(ref))]
pub fn check<'db>(db: &'db dyn Db, function: FnInst<'db>) -> Checked<'db> {
    check_noting(db, function, None)
}

/// Returns the meanings of the names in the body of a function instance. The body is checked again, so that compilation
/// stores none of this.
#[salsa::tracked(returns(ref), no_eq, lru = 512)]
pub fn body_notes<'db>(db: &'db dyn Db, function: FnInst<'db>) -> Notes<'db> {
    let sink = Sink::default();
    check_noting(db, function, Some(&sink));
    sink.into_inner()
}

/// Records the meanings of the names in an expression in the head of an item; `ty` is the type that it initialises.
pub fn note_head_expr<'db>(cx: &Cx<'_, 'db>, expr: ast::ExprId, ty: Option<Ty<'db>>) {
    let mut checker = Checker { sink: cx.sink, ..Checker::of_head(cx.db, cx.item, cx.ast, cx.env, cx.owner) };
    match ty {
        Some(ty) if !ty.is_error(cx.db) => _ = checker.initializer(expr, ty.unordered(cx.db), "the initialiser"),
        _ => _ = checker.expr_any(expr),
    }
}

fn check_noting<'db>(db: &'db dyn Db, function: FnInst<'db>, sink: Option<&Sink<'db>>) -> Checked<'db> {
    let nothing = Checked { body: Body::default(), diagnostics: Vec::new(), is_correct: true };
    let definition = crate::types::definition::function(db, function);
    let id = definition.function;
    let Some(node) = fn_node(db, id) else { return nothing };
    let ast::Body::Sliced(n) = node.function.body else { return nothing };
    let Some(tree) = body_tree(db, id.item, n) else { return nothing };
    let env = &definition.env;
    let signature = env::signature(db, function);
    let owner = function.owner(db);
    let mut checker = Checker {
        function: Some(function),
        body_index: Some(n),
        const_this: node.function.is_const,
        has_this: owner.is_some() && !signature.is_static,
        ret: signature.ret,
        sink,
        ..Checker::of_head(db, id.item, &tree.ast, env, owner)
    };
    for (i, param) in signature.params.iter().enumerate() {
        // A definition elsewhere may use other parameter names.
        let written = node.function.params.get(i).and_then(|p| p.declarator.as_ref());
        let name = written.map_or_else(|| ast::Ident { text: "".into(), at: param.at }, |d| d.name.clone());
        // The names of parameters are recorded with the head.
        let sink = checker.sink.take();
        let local = checker.new_local(&name, param.ty, param.is_const);
        checker.sink = sink;
        let local_of_param = &mut checker.body.locals[local.0 as usize];
        (local_of_param.is_shared, local_of_param.is_coherent) = (param.is_shared, param.is_coherent);
        local_of_param.is_precise = param.is_precise;
        checker.body.params.push(local);
    }
    let mut block = checker.statements(&tree.root);
    let is_void = matches!(signature.ret.kind(db), TyKind::Void | TyKind::Error);
    if !is_void && flow::falls_through(&checker.body, &block) && tree.errors.is_empty() {
        let message = "control can reach the end of the function without returning a value";
        let (place, end) = match tree.root.last() {
            Some(last) => (checker.place(tree.ast.stmts[*last].span), tree.ast.stmts[*last].span.hi),
            None => (SourcePlace::token(id.item, node.function.name.at), 0),
        };
        let missing = Diagnostic::new(Code::MissingReturn, place, message);
        if crate::types::layout::ir_type(db, signature.ret).is_ok() {
            // The returned value is undefined; zero makes it the same everywhere.
            let span = ast::Span { lo: end.saturating_sub(1), hi: end };
            let zero = checker.value(hir::ExprKind::Zero, signature.ret, span);
            block.push(hir::Stmt::Return(Some(zero)));
            checker.diagnostics.push(missing);
        } else {
            checker
                .diagnostics
                .push(missing.severity(Severity::Error).note("there is no value to return in its place"));
        }
    }
    std::mem::swap(&mut checker.body.block, &mut block);
    let is_correct = tree.errors.is_empty() && checker.diagnostics.iter().all(|d| d.severity != Severity::Error);
    Checked { body: checker.body, diagnostics: checker.diagnostics, is_correct }
}

/// The meaning of a name in the function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Named<'db> {
    Local(LocalId),
    Type(Ty<'db>),
    EnumValue(EnumId<'db>, u32),
}

type Scope<'db> = FxHashMap<CompactString, Named<'db>>;

/// Returns the key of a type that a variable of its scope hides; the space keeps it apart from all names.
fn hidden_key(name: &str) -> CompactString {
    compact_str::format_compact!("struct {name}")
}

struct Checker<'a, 'db> {
    db: &'db dyn Db,
    /// `None` for the initial value of a global.
    function: Option<FnInst<'db>>,
    item: Item<'db>,
    /// The body whose tree is `ast`; `None` for the item's head (default arguments).
    body_index: Option<u32>,
    ast: &'a Ast,
    /// Template arguments.
    env: &'a Env<'db>,
    owner: Option<RecordInst<'db>>,
    /// Names of the function that encloses a constant expression.
    outside: Option<&'a dyn Locals<'db>>,
    /// A constant expression is checked: it calls built-in functions only.
    is_constant: bool,
    has_this: bool,
    const_this: bool,
    ret: Ty<'db>,
    body: Body<'db>,
    /// Innermost last; the first holds the parameters.
    scopes: Vec<Scope<'db>>,
    /// Using-directives and declarations of blocks, outermost first; those of closed blocks remain until the next block
    /// opens.
    using: Vec<using::Using<'db>>,
    /// Nested default arguments under check.
    defaults: u32,
    /// Expressions that earlier default arguments added to the body.
    of_defaults: usize,
    /// Number of expressions of the body before the current outermost default argument.
    before_defaults: usize,
    /// Casts of places as written, which some parameters look through.
    casts: FxHashMap<ExprId, ExprId>,
    around: Vec<stmt::EnclosingStatement>,
    /// Attributes before the next statement.
    hints: hints::Hints,
    /// Declarations in the header of the current statement.
    header: header::Header<'db>,
    diagnostics: Vec<Diagnostic<'db>>,
    /// Receives the meanings of names, on request.
    sink: Option<&'a Sink<'db>>,
    /// The name of the callee, until the call records it.
    callee: Option<u32>,
    /// The variable whose initialiser is being checked.
    own: Option<own_init::Own>,
}

impl<'a, 'db> Checker<'a, 'db> {
    /// Creates a checker for an expression in the head of an item, outside of any function.
    fn of_head(
        db: &'db dyn Db,
        item: Item<'db>,
        ast: &'a Ast,
        env: &'a Env<'db>,
        owner: Option<RecordInst<'db>>,
    ) -> Checker<'a, 'db> {
        Checker {
            db,
            function: None,
            item,
            body_index: None,
            ast,
            env,
            owner,
            outside: None,
            is_constant: false,
            has_this: false,
            const_this: false,
            ret: Ty::error(db),
            body: Body::default(),
            scopes: vec![FxHashMap::default()],
            using: Vec::new(),
            defaults: 0,
            of_defaults: 0,
            before_defaults: 0,
            casts: FxHashMap::default(),
            around: Vec::new(),
            hints: hints::Hints::default(),
            header: header::Header::new(),
            diagnostics: Vec::new(),
            sink: None,
            callee: None,
            own: None,
        }
    }
}

impl<'db> Checker<'_, 'db> {
    // ---- notes

    /// Records the meaning of the name at a token.
    fn note(&self, at: u32, symbol: Symbol<'db>) {
        crate::types::name_uses::note(self.sink, self.place(Span { lo: at, hi: at + 1 }), symbol);
    }

    /// Records a declaration of a name.
    fn note_declaration(&self, at: u32, symbol: Symbol<'db>) {
        let place = self.place(Span { lo: at, hi: at + 1 });
        crate::types::name_uses::add(self.sink, Note { place, symbol, declares: true });
    }

    /// Records the candidates of the call whose name comes next; returns that name.
    fn note_call(&mut self, candidates: &[(Option<RecordInst<'db>>, FnId<'db>)]) -> Option<u32> {
        let at = self.callee.take()?;
        let sink = self.sink?;
        let name = self.place(Span { lo: at, hi: at + 1 });
        sink.borrow_mut().calls.push(CallNote { name, candidates: candidates.to_vec(), chosen: None });
        if let Some((_, first)) = candidates.first() {
            self.note(at, Symbol::Def(Def::Function(*first)));
        }
        Some(at)
    }

    /// Records the function that the call chose.
    fn note_chosen(&self, at: Option<u32>, chosen: FnInst<'db>) {
        let (Some(at), Some(sink)) = (at, self.sink) else { return };
        self.note(at, Symbol::Called(chosen));
        let mut notes = sink.borrow_mut();
        let of_call = |call: &&mut CallNote<'db>| call.name.span.lo == at && call.name.item == self.item;
        if let Some(call) = notes.calls.iter_mut().rev().find(of_call) {
            call.chosen = Some(chosen);
        }
    }

    // ---- diagnostics

    fn place(&self, span: Span) -> SourcePlace<'db> {
        SourcePlace { item: self.item, body: self.body_index, span }
    }

    fn diagnostic(&self, code: Code, span: Span, message: String) -> Diagnostic<'db> {
        Diagnostic::new(code, self.place(span), message)
    }

    fn report(&mut self, diagnostic: Diagnostic<'db>) {
        self.diagnostics.push(diagnostic);
    }

    /// Reports an error and returns an error expression.
    fn error(&mut self, code: Code, span: Span, message: String) -> ExprId {
        let diagnostic = self.diagnostic(code, span, message);
        self.report(diagnostic);
        self.error_expr(span)
    }

    fn unsupported(&mut self, span: Span, what: &str) -> ExprId {
        let message = format!("wgc does not compile {what} yet");
        // Once for each function, as its code uses such a construct repeatedly.
        if self.diagnostics.iter().any(|d| d.message == message) {
            return self.error_expr(span);
        }
        self.error(Code::NotSupported, span, message)
    }

    fn show(&self, ty: Ty<'db>) -> String {
        env::show(self.db, ty)
    }

    // ---- nodes

    fn value(&mut self, kind: ExprKind<'db>, ty: Ty<'db>, span: Span) -> ExprId {
        self.expr_in(kind, ty, Category::Value, span)
    }

    fn expr_in(&mut self, kind: ExprKind<'db>, ty: Ty<'db>, category: Category, span: Span) -> ExprId {
        let ty = ty.unordered(self.db);
        self.body.exprs.push(Expr { kind, ty, category, span });
        ExprId(self.body.exprs.len() as u32 - 1)
    }

    fn error_expr(&mut self, span: Span) -> ExprId {
        let ty = self.error_ty();
        self.value(ExprKind::Error, ty, span)
    }

    /// Converts an expression to a value.
    fn as_value(&mut self, id: ExprId) -> ExprId {
        match self.category(id) {
            Category::Value => id,
            _ => self.value(ExprKind::Convert(id), self.ty(id), self.span(id)),
        }
    }

    fn ty(&self, id: ExprId) -> Ty<'db> {
        self.body.expr(id).ty
    }

    fn span(&self, id: ExprId) -> Span {
        self.body.expr(id).span
    }

    fn category(&self, id: ExprId) -> Category {
        self.body.expr(id).category
    }

    // ---- types

    fn scalar_ty(&self, scalar: Scalar) -> Ty<'db> {
        Ty::new(self.db, TyKind::Scalar(scalar))
    }

    fn error_ty(&self) -> Ty<'db> {
        Ty::new(self.db, TyKind::Error)
    }

    fn is_error(&self, ty: Ty<'db>) -> bool {
        matches!(ty.kind(self.db), TyKind::Error)
    }

    /// Returns the tag of a built-in object type.
    fn builtin(&self, ty: Ty<'db>) -> Option<Builtin> {
        match ty.kind(self.db) {
            TyKind::Record(r) => env::builtin(self.db, *r),
            _ => None,
        }
    }

    /// Returns whether a type is a handle, node or resource, or an array of them.
    fn is_object(&self, ty: Ty<'db>) -> bool {
        match ty.kind(self.db) {
            TyKind::Array(element, _) => self.is_object(*element),
            _ => self.builtin(ty).is_some(),
        }
    }

    /// Returns whether a type is bound by the host, or an array of such.
    fn is_resource(&self, ty: Ty<'db>) -> bool {
        crate::types::globals::is_resource(self.db, ty)
    }
}
