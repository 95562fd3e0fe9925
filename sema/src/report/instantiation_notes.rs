//! Notes about the calls that created an erroneous template instance. The diagnostic alone shows neither the arguments
//! nor their origin.

use crate::check::check;
use crate::check::hir::ExprKind;
use crate::db::Db;
use crate::db::def::SourcePlace;
use crate::db::diagnostic::Diagnostic;
use crate::db::ty::{FnInst, Ty, TyKind};
use crate::tables::collections::IndexSet;
use crate::types::signature::fn_signature;
use rustc_hash::FxHashMap;

/// Calls that one diagnostic shows, from the erroneous instance outwards.
const MAX_CALLS: usize = 4;

/// Diagnostics of a translation unit, and the instance of each.
#[derive(Default)]
pub(crate) struct Gathered<'db> {
    all: IndexSet<Diagnostic<'db>>,
    made_by: FxHashMap<Diagnostic<'db>, FnInst<'db>>,
}

impl<'db> Gathered<'db> {
    pub fn add(&mut self, found: impl IntoIterator<Item = Diagnostic<'db>>) {
        self.all.extend(found);
    }

    /// Adds the diagnostics of a function and records the first template instance with each.
    pub fn add_of(&mut self, db: &'db dyn Db, function: FnInst<'db>, found: impl IntoIterator<Item = Diagnostic<'db>>) {
        for diagnostic in found {
            if diagnostic.is_error() && is_instance(db, function) && !self.all.contains(&diagnostic) {
                self.made_by.insert(diagnostic.clone(), function);
            }
            self.all.insert(diagnostic);
        }
    }

    /// Returns all diagnostics with the calls that created the instances. `functions` are all checked functions,
    /// callers before functions that only they call.
    pub fn labelled(self, db: &'db dyn Db, functions: &IndexSet<FnInst<'db>>) -> Vec<Diagnostic<'db>> {
        let Gathered { all, made_by } = self;
        let calls = if made_by.is_empty() { FxHashMap::default() } else { first_calls(db, functions) };
        let label = |diagnostic: Diagnostic<'db>| match made_by.get(&diagnostic) {
            Some(function) => with_calls(db, diagnostic, *function, &calls),
            None => diagnostic,
        };
        all.into_iter().map(label).collect()
    }
}

fn is_instance<'db>(db: &'db dyn Db, function: FnInst<'db>) -> bool {
    !function.args(db).is_empty() || function.owner(db).is_some_and(|owner| !owner.args(db).is_empty())
}

/// Returns for each function its first call by an earlier function, and that caller. The order keeps chains of callers
/// finite.
fn first_calls<'db>(
    db: &'db dyn Db,
    functions: &IndexSet<FnInst<'db>>,
) -> FxHashMap<FnInst<'db>, (FnInst<'db>, SourcePlace<'db>)> {
    let mut calls = FxHashMap::default();
    for (n, caller) in functions.iter().enumerate() {
        let Some((item, body)) = crate::types::definition::body(db, *caller) else { continue };
        for expr in &check(db, *caller).body.exprs {
            if let ExprKind::Call { callee, .. } = &expr.kind
                && functions.get_index_of(callee).is_some_and(|callee| callee > n)
            {
                let place = SourcePlace { item, body: Some(body), span: expr.span };
                calls.entry(*callee).or_insert((*caller, place));
            }
        }
    }
    calls
}

fn with_calls<'db>(
    db: &'db dyn Db,
    mut diagnostic: Diagnostic<'db>,
    mut function: FnInst<'db>,
    calls: &FxHashMap<FnInst<'db>, (FnInst<'db>, SourcePlace<'db>)>,
) -> Diagnostic<'db> {
    for _ in 0..MAX_CALLS {
        let Some((caller, place)) = calls.get(&function).filter(|_| is_instance(db, function)) else { break };
        diagnostic = diagnostic.also(*place, format!("in `{}`, called here", shown(db, function)));
        function = *caller;
    }
    diagnostic
}

/// Formats an instance: `outer<B>`, `Vec<float>::dot`.
fn shown<'db>(db: &'db dyn Db, function: FnInst<'db>) -> String {
    let owner = function.owner(db).map(|owner| format!("{}::", Ty::new(db, TyKind::Record(owner)).display(db)));
    let args: Vec<String> = function.args(db).iter().map(|arg| crate::types::written::display_arg(db, arg)).collect();
    let args = if args.is_empty() { String::new() } else { format!("<{}>", args.join(", ")) };
    format!("{}{}{args}", owner.unwrap_or_default(), fn_signature(db, function).name)
}
