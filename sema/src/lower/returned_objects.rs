//! Inputs and outputs of a node that functions return, pass through `out` parameters or assign to variables.
//!
//! They are not values. A function that returns one hands over an object that it received, or an element of one. The
//! caller has to know the object, so [`returned_objects`] follows the variables of the callee. The index of an output
//! is a value, so a program may choose an element of an array at run time. It may not choose between outputs by control
//! flow.

use super::{Binding, Lower, Lowerer, Object, Role};
use crate::check::check;
use crate::check::env::{self, Direction};
use crate::check::hir::{Arg, Block, Body, Case, ExprId, ExprKind, LocalId, Stmt};
use crate::check::ops::BuiltinOp;
use crate::db::Db;
use crate::db::diagnostic::Diagnostic;
use crate::db::ty::{FnInst, Ty, TyKind};
use crate::tables::builtin::Builtin;
use crate::tables::codes::Code;
use rustc_hash::FxHashMap;
use wgc_frontend::ast::Span;
use wgc_ir::{Type, ValueId};

/// The message about a function.
pub(super) const RETURNED: &str = "the input or output that this function returns depends on control flow";

/// Advice for an output that is unknown at compile time.
const ONE_OUTPUT: &str = "an output must be known at compile time; only elements of one array can be chosen at run time: use each output in its own branch, or make them one `NodeOutputArray`";

/// The origin of an object that a function hands over, by parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    Param(usize),
    /// An element of an array of outputs.
    Element(usize),
}

impl Origin {
    fn param(self) -> usize {
        let (Origin::Param(n) | Origin::Element(n)) = self;
        n
    }

    /// Translates the origin to the caller's view, given the origins of the arguments.
    fn of_caller(self, args: &[Option<Origin>]) -> Option<Origin> {
        match (self, args.get(self.param()).copied()??) {
            (Origin::Param(_), origin) => Some(origin),
            (Origin::Element(_), Origin::Param(n)) => Some(Origin::Element(n)),
            (Origin::Element(_), Origin::Element(_)) => None,
        }
    }
}

/// The objects that a function hands over.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct ReturnedObjects {
    /// The origin of the result.
    pub result: Option<Origin>,
    /// The origins of all parameters, including `in` parameters.
    pub params: Vec<Option<Origin>>,
}

impl ReturnedObjects {
    /// Returns the argument that is the result or contains it.
    pub fn returned(&self, args: &[Option<Object>]) -> Option<Object> {
        args.get(self.result?.param()).copied()?
    }

    /// Returns the argument that a parameter hands over.
    pub fn given_out(&self, param: usize, args: &[Option<Object>]) -> Option<Object> {
        match self.params.get(param).copied()?? {
            Origin::Param(n) => args.get(n).copied()?,
            Origin::Element(_) => None,
        }
    }
}

/// Returns the objects that a function hands over, as far as they are the same on all paths.
pub(super) fn returned_objects<'db>(db: &'db dyn Db, f: FnInst<'db>) -> ReturnedObjects {
    let mut done = FxHashMap::default();
    follow(db, f, &mut done);
    done.remove(&f).unwrap_or_default()
}

/// Adds the objects that a function hands over to the known ones; a function that is already being followed adds
/// nothing.
fn follow<'db>(db: &'db dyn Db, f: FnInst<'db>, done: &mut FxHashMap<FnInst<'db>, ReturnedObjects>) {
    let (checked, signature) = (check(db, f), env::signature(db, f));
    if done.insert(f, ReturnedObjects::default()).is_some() || !checked.is_correct {
        return;
    }
    let mut flow = Flow { db, body: &checked.body, done, known: FxHashMap::default(), results: Vec::new() };
    for (i, param) in signature.params.iter().enumerate() {
        if param.direction != Direction::Out {
            flow.known.insert(LocalId(i as u32), Origin::Param(i));
        }
    }
    flow.block(&checked.body.block);
    let result = match flow.results.split_first() {
        Some((first, rest)) if rest.iter().all(|other| other == first) => *first,
        _ => None,
    };
    let params = (0..signature.params.len()).map(|i| flow.known.get(&LocalId(i as u32)).copied()).collect();
    done.insert(f, ReturnedObjects { result, params });
}

/// Returns whether a type is an input or output of a node: known during lowering, and not a value.
pub(super) fn is_node_object<'db>(db: &'db dyn Db, ty: Ty<'db>) -> bool {
    let builtin = ty.as_record(db).and_then(|record| env::builtin(db, record));
    builtin.is_some_and(|b| b.is_node_object() && !matches!(b, Builtin::OutputRecords(_)))
}

/// Returns whether a structure or array contains an input or output of a node.
pub(super) fn holds_node_object<'db>(db: &'db dyn Db, ty: Ty<'db>) -> bool {
    let part = |ty: Ty<'db>| is_node_object(db, ty) || holds_node_object(db, ty);
    match ty.kind(db) {
        TyKind::Array(element, _) => part(*element),
        TyKind::Record(inst) => {
            let decl = crate::types::record::record(db, *inst);
            decl.builtin.is_none() && decl.fields.iter().any(|field| part(field.ty))
        }
        _ => false,
    }
}

/// Returns whether a type is a single output, whose index is a value.
pub(super) fn is_output<'db>(db: &'db dyn Db, ty: Ty<'db>) -> bool {
    let builtin = ty.as_record(db).and_then(|record| env::builtin(db, record));
    matches!(builtin, Some(Builtin::Output { array: false, .. }))
}

struct Flow<'a, 'db> {
    db: &'db dyn Db,
    body: &'db Body<'db>,
    /// Results for the functions followed so far.
    done: &'a mut FxHashMap<FnInst<'db>, ReturnedObjects>,
    /// The objects of variables.
    known: FxHashMap<LocalId, Origin>,
    /// The object of each return.
    results: Vec<Option<Origin>>,
}

impl<'db> Flow<'_, 'db> {
    fn block(&mut self, block: &'db Block) {
        for stmt in block {
            match stmt {
                Stmt::Expr(e) => drop(self.object(*e)),
                Stmt::Let { local, init } => {
                    let object = init.and_then(|init| self.object(init));
                    self.set(*local, object);
                }
                Stmt::Block(block) => self.block(block),
                Stmt::If { then, otherwise, .. } => self.branches(&[then, otherwise]),
                Stmt::Loop { body, .. } => self.branches(&[body]),
                Stmt::Switch { cases, .. } => {
                    self.switch(cases);
                }
                Stmt::Break | Stmt::Continue => {}
                Stmt::Return(value) => {
                    let result = value.and_then(|value| self.object(value));
                    self.results.push(result);
                }
            }
        }
    }

    /// Follows cases like [`branches`](Self::branches); control also falls from one case to the next.
    fn switch(&mut self, cases: &'db [Case]) {
        let before = self.known.clone();
        let mut after = before.clone();
        let mut falls = false;
        for case in cases {
            if falls {
                self.known.retain(|local, object| before.get(local) == Some(object));
            } else {
                self.known.clone_from(&before);
            }
            self.block(&case.body);
            after.retain(|local, object| self.known.get(local) == Some(object));
            falls = case.falls;
        }
        self.known = after;
    }

    /// Follows branches. After them, only objects that no branch assigns are known.
    fn branches(&mut self, blocks: &[&'db Block]) {
        let before = self.known.clone();
        let mut after = before.clone();
        for block in blocks {
            self.known.clone_from(&before);
            self.block(block);
            after.retain(|local, object| self.known.get(local) == Some(object));
        }
        self.known = after;
    }

    fn set(&mut self, local: LocalId, object: Option<Origin>) {
        match object {
            Some(object) => drop(self.known.insert(local, object)),
            None => drop(self.known.remove(&local)),
        }
    }

    /// Returns the parameter whose object an expression denotes, and records the expression's assignments.
    fn object(&mut self, id: ExprId) -> Option<Origin> {
        match &self.body.expr(id).kind {
            ExprKind::Local(local) => self.known.get(local).copied(),
            ExprKind::Convert(inner) | ExprKind::Discard(inner) => self.object(*inner),
            ExprKind::Comma { lhs, rhs } => {
                self.object(*lhs);
                self.object(*rhs)
            }
            ExprKind::Assign { place, value } => {
                let object = self.object(*value);
                if let ExprKind::Local(local) = self.body.expr(*place).kind {
                    self.set(local, object);
                }
                object
            }
            ExprKind::Op { op: BuiltinOp::OutputElement, object, .. } => {
                Origin::Element(0).of_caller(&[object.and_then(|array| self.object(array))])
            }
            ExprKind::Call { callee, args, .. } => {
                let objects: Vec<Option<Origin>> = args.iter().map(|arg| self.object(arg.expr())).collect();
                let signature = env::signature(self.db, *callee);
                let hands = |ty| is_node_object(self.db, ty);
                if !hands(signature.ret) && !signature.params.iter().any(|p| hands(p.ty)) {
                    return None;
                }
                follow(self.db, *callee, self.done);
                let returned_objects = self.done.get(callee).cloned().unwrap_or_default();
                for (arg, from) in args.iter().zip(&returned_objects.params) {
                    if let Arg::Out(place) | Arg::InOut(place) = arg
                        && let ExprKind::Local(local) = self.body.expr(*place).kind
                    {
                        self.set(local, from.and_then(|from| from.of_caller(&objects)));
                    }
                }
                returned_objects.result.and_then(|from| from.of_caller(&objects))
            }
            _ => None,
        }
    }
}

impl<'db> Lowerer<'db> {
    /// Assigns an object to a variable.
    pub(super) fn assign_object(&mut self, place: ExprId, object: Object) -> Lower<()> {
        let expr = self.body.expr(place);
        let ExprKind::Local(local) = expr.kind else { return self.kept_in_memory(expr.span) };
        let bound = self.locals.get(&local).copied();
        if let (Some(Binding::Output { id, place }), Object::Output { id: new, index }) = (bound, object)
            && (self.nesting == 0 || id.is_none_or(|id| id == new))
        {
            self.store_index(place, index);
            self.locals.insert(local, Binding::Output { id: Some(new), place });
            return Some(());
        }
        if self.nesting > 0 && bound != Some(Binding::Object(object)) {
            let message = format!("the choice of output `{}` depends on control flow", self.body.local(local).name);
            return self.unknown_output(expr.span, message);
        }
        self.locals.insert(local, Binding::Object(object));
        Some(())
    }

    /// Declares a variable for an input or output. A variable with further assignments stores the index of its output
    /// in a place.
    pub(super) fn object_local(&mut self, local: LocalId, init: Option<ExprId>) -> Lower<()> {
        let object = match init {
            Some(init) => Some(self.object(init)?),
            None => None,
        };
        let decl = self.body.local(local);
        let binding = match object {
            None | Some(Object::Output { .. }) if is_output(self.db, decl.ty) && self.is_assigned(local) => {
                let place = self.b.new_local(decl.name.as_str(), Type::U32);
                let id = match object {
                    Some(Object::Output { id, index }) => {
                        self.store_index(place, index);
                        Some(id)
                    }
                    _ => None,
                };
                Binding::Output { id, place }
            }
            // The variable has no object yet.
            None => return Some(()),
            Some(object) => Binding::Object(object),
        };
        self.declare_object(local);
        self.locals.insert(local, binding);
        Some(())
    }

    fn store_index(&mut self, place: ValueId, index: ValueId) {
        let index = self.b.convert(index, Type::U32);
        self.b.store(place, index);
    }

    /// Returns whether a variable gets its object anywhere but in its declaration.
    fn is_assigned(&self, local: LocalId) -> bool {
        let is_it = |place: &ExprId| self.body.expr(*place).kind == ExprKind::Local(local);
        self.body.exprs.iter().any(|expr| match &expr.kind {
            ExprKind::Assign { place, .. } => is_it(place),
            ExprKind::Call { args, .. } => {
                args.iter().any(|arg| matches!(arg, Arg::Out(place) | Arg::InOut(place) if is_it(place)))
            }
            _ => false,
        })
    }

    /// Reports that the output is not known.
    pub(super) fn unknown_output<T>(&mut self, span: Span, message: impl Into<String>) -> Lower<T> {
        let diagnostic = Diagnostic::new(Code::UnknownOutput, self.source(span), message);
        self.diagnostics.push(diagnostic.note(ONE_OUTPUT));
        None
    }

    /// Reports that structures and arrays cannot contain inputs and outputs.
    pub(super) fn kept_in_memory<T>(&mut self, span: Span) -> Lower<T> {
        let message = "structures and arrays cannot contain inputs and outputs of a node";
        let diagnostic = Diagnostic::new(Code::UnknownOutput, self.source(span), message);
        self.diagnostics.push(diagnostic.note(
            "pass them as separate parameters; if an index chooses among outputs, declare one `NodeOutputArray`",
        ));
        None
    }

    /// Reports that a variable has no usable output.
    pub(super) fn nothing<T>(&mut self, local: LocalId, span: Span) -> Lower<T> {
        let decl = self.body.local(local);
        let (place, declared) = (self.source(span), self.source(decl.span));
        let message = format!("`{}` is never assigned", decl.name);
        let diagnostic = Diagnostic::new(Code::NullRecords, place, message);
        self.diagnostics.push(diagnostic.also(declared, "without an initialiser it is an empty handle"));
        None
    }

    /// Checks that the returned object is the one that callers expect.
    pub(super) fn return_object(&mut self, value: ExprId) -> Lower<()> {
        let object = self.object(value)?;
        let expected = self.instance.and_then(|f| returned_objects(self.db, f).returned(&self.given));
        match (object, expected) {
            (
                Object::Output { id, index },
                Some(Object::Output { id: expected, .. } | Object::OutputArray(expected)),
            ) if id == expected => {
                let index = self.b.convert(index, Type::U32);
                self.b.ret(Some(index));
            }
            (Object::Input | Object::OutputArray(_), Some(expected)) if object == expected => self.b.ret(None),
            _ => return self.unknown_output(self.body.expr(value).span, RETURNED),
        }
        Some(())
    }

    /// Checks the objects in `out` parameters at the end of the function.
    pub(super) fn check_given(&mut self, signature: &env::Signature<'db>) -> Lower<()> {
        let gives = |p: &env::Param<'db>| p.direction != Direction::In && self.is_node_object(p.ty);
        // For a node, such a parameter was already rejected at its declaration.
        let gives_any = self.role == Role::Callee && signature.params.iter().any(gives);
        let Some(instance) = self.instance.filter(|_| gives_any) else { return Some(()) };
        let returned_objects = returned_objects(self.db, instance);
        for (i, param) in signature.params.iter().enumerate() {
            let bound = match self.locals.get(&LocalId(i as u32)) {
                Some(Binding::Object(object)) => Some(*object),
                _ => None,
            };
            if gives(param) && returned_objects.given_out(i, &self.given) != bound {
                let message = format!("the input or output that `{}` sets depends on control flow", param.name);
                let place = crate::types::signature::fn_signature(self.db, instance).name_place;
                self.diagnostics.push(Diagnostic::new(Code::UnknownOutput, place, message).note(ONE_OUTPUT));
                return None;
            }
        }
        Some(())
    }
}
