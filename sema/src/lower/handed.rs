//! Inputs and outputs of a node that functions hand around: returned, given out, assigned to variables.
//!
//! They are no values. A function that returns one, or gives one out, hands over an object that it was given, and the
//! caller has to know which: [`handed`] follows the variables of the callee. A variable means one object from an
//! assignment on; one that control flow decides is refused.

use super::{Binding, Lower, Lowerer, Object};
use crate::builtin::Builtin;
use crate::check::check;
use crate::check::env::{self, Direction};
use crate::check::hir::{Arg, Block, Body, ExprId, ExprKind, LocalId, Stmt};
use crate::codes::Code;
use crate::db::Db;
use crate::diagnostic::Diagnostic;
use crate::ty::{FnInst, Ty};
use rustc_hash::FxHashMap;
use wgc_frontend::ast::Span;

pub(super) const RETURNED: &str =
    "a function that returns an input or output that is not the same parameter on all ways";
pub(super) const GIVEN: &str =
    "a function that gives out an input or output that is not the same parameter on all ways";

/// The parameters whose objects a function hands over.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Handed {
    /// As its result.
    pub result: Option<usize>,
    /// As each of its parameters, those that only come in included.
    pub params: Vec<Option<usize>>,
}

/// What a function hands over, as far as that is the same on all ways through it.
pub(super) fn handed<'db>(db: &'db dyn Db, f: FnInst<'db>) -> Handed {
    let mut done = FxHashMap::default();
    follow(db, f, &mut done);
    done.remove(&f).unwrap_or_default()
}

/// Adds what a function hands over to what is known; of one that is being followed already, that is nothing.
fn follow<'db>(db: &'db dyn Db, f: FnInst<'db>, done: &mut FxHashMap<FnInst<'db>, Handed>) {
    let (checked, signature) = (check(db, f), env::signature(db, f));
    if done.insert(f, Handed::default()).is_some() || !checked.is_correct {
        return;
    }
    let mut flow = Flow { db, body: &checked.body, done, known: FxHashMap::default(), results: Vec::new() };
    for (i, param) in signature.params.iter().enumerate() {
        if param.direction != Direction::Out {
            flow.known.insert(LocalId(i as u32), i);
        }
    }
    flow.block(&checked.body.block);
    let result = match flow.results.split_first() {
        Some((first, rest)) if rest.iter().all(|other| other == first) => *first,
        _ => None,
    };
    let params = (0..signature.params.len()).map(|i| flow.known.get(&LocalId(i as u32)).copied()).collect();
    done.insert(f, Handed { result, params });
}

/// The input or an output of a node: known while lowering, and no value.
pub(super) fn is_node_object<'db>(db: &'db dyn Db, ty: Ty<'db>) -> bool {
    let builtin = ty.as_record(db).and_then(|record| env::builtin(db, record));
    builtin.is_some_and(|b| b.is_node_object() && !matches!(b, Builtin::OutputRecords(_)))
}

struct Flow<'a, 'db> {
    db: &'db dyn Db,
    body: &'db Body<'db>,
    /// What functions hand over that were followed.
    done: &'a mut FxHashMap<FnInst<'db>, Handed>,
    /// The parameters whose objects variables mean.
    known: FxHashMap<LocalId, usize>,
    /// Of each return.
    results: Vec<Option<usize>>,
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
                Stmt::Switch { cases, .. } => self.branches(&cases.iter().map(|c| &c.body).collect::<Vec<_>>()),
                Stmt::Break | Stmt::Continue => {}
                Stmt::Return(value) => {
                    let result = value.and_then(|value| self.object(value));
                    self.results.push(result);
                }
            }
        }
    }

    /// Of what branches assign, nothing is certain behind them.
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

    fn set(&mut self, local: LocalId, object: Option<usize>) {
        match object {
            Some(object) => drop(self.known.insert(local, object)),
            None => drop(self.known.remove(&local)),
        }
    }

    /// The parameter whose object an expression is; what it assigns is noted.
    fn object(&mut self, id: ExprId) -> Option<usize> {
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
            ExprKind::Call { callee, args, .. } => {
                let objects: Vec<Option<usize>> = args.iter().map(|arg| self.object(arg.expr())).collect();
                let signature = env::signature(self.db, *callee);
                let hands = |ty| is_node_object(self.db, ty);
                if !hands(signature.ret) && !signature.params.iter().any(|p| hands(p.ty)) {
                    return None;
                }
                follow(self.db, *callee, self.done);
                let handed = self.done.get(callee).cloned().unwrap_or_default();
                for (arg, from) in args.iter().zip(&handed.params) {
                    if let Arg::Out(place) | Arg::InOut(place) = arg
                        && let ExprKind::Local(local) = self.body.expr(*place).kind
                    {
                        self.set(local, from.and_then(|from| *objects.get(from)?));
                    }
                }
                handed.result.and_then(|from| *objects.get(from)?)
            }
            _ => None,
        }
    }
}

impl<'db> Lowerer<'db> {
    /// Makes a variable mean an object from here on.
    pub(super) fn assign_object(&mut self, place: ExprId, object: Object) -> Lower<()> {
        let expr = self.body.expr(place);
        let ExprKind::Local(local) = expr.kind else {
            return self.unsupported(expr.span, "an assignment to this object");
        };
        let object = Binding::Object(object);
        if self.nesting > 0 && self.locals.get(&local) != Some(&object) {
            return self.unsupported(expr.span, "an assignment of an input or output under a condition");
        }
        self.locals.insert(local, object);
        Some(())
    }

    /// Says that a variable means no output that could be used.
    pub(super) fn nothing<T>(&mut self, local: LocalId, span: Span) -> Lower<T> {
        let decl = self.body.local(local);
        let (place, declared) = (self.source(span), self.source(decl.span));
        let message = format!("nothing was assigned to `{}`", decl.name);
        let diagnostic = Diagnostic::new(Code::NullRecords, place, message);
        self.diagnostics.push(diagnostic.also(declared, "it begins as a handle to nothing"));
        None
    }

    /// Sees to it that the object returned is the one that callers take it for.
    pub(super) fn return_object(&mut self, value: ExprId) -> Lower<()> {
        let object = self.object(value)?;
        let expected =
            self.instance.and_then(|f| handed(self.db, f).result).and_then(|n| self.given.get(n).copied()?);
        if expected != Some(object) {
            let span = self.body.expr(value).span;
            return self.unsupported(span, RETURNED);
        }
        self.b.ret(None);
        Some(())
    }

    /// The same for what parameters give out, at the end of the function.
    pub(super) fn check_given(&mut self, signature: &env::Signature<'db>) -> Lower<()> {
        let gives = |p: &env::Param<'db>| p.direction != Direction::In && self.is_node_object(p.ty);
        let Some(instance) = self.instance.filter(|_| signature.params.iter().any(gives)) else { return Some(()) };
        let handed = handed(self.db, instance);
        for (i, param) in signature.params.iter().enumerate() {
            let bound = match self.locals.get(&LocalId(i as u32)) {
                Some(Binding::Object(object)) => Some(*object),
                _ => None,
            };
            let claimed = handed.params.get(i).copied().flatten().and_then(|n| self.given.get(n).copied()?);
            if gives(param) && claimed != bound {
                return self.unsupported_function(GIVEN);
            }
        }
        Some(())
    }
}
