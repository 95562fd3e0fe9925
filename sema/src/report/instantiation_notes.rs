//! Labels at the calls and declarations that created an erroneous template instance. The diagnostic alone shows neither
//! the arguments nor their origin.

use crate::check::check;
use crate::check::hir::ExprKind;
use crate::db::Db;
use crate::db::def::SourcePlace;
use crate::db::diagnostic::Diagnostic;
use crate::db::ty::{FnInst, RecordInst, Ty, TyKind};
use crate::tables::collections::{IndexMap, IndexSet};
use crate::types::signature::fn_signature;
use rustc_hash::FxHashMap;

/// Calls or mentions that one diagnostic shows, from the erroneous instance outwards.
const MAX_CALLS: usize = 4;

#[derive(Clone, Copy)]
enum Instance<'db> {
    Function(FnInst<'db>),
    Record(RecordInst<'db>),
}

/// The first mention of a type.
#[derive(Clone, Copy, Default)]
pub(super) struct Mention<'db> {
    pub place: Option<SourcePlace<'db>>,
    /// The type whose declaration mentions it, if not a variable or a function.
    pub by: Option<RecordInst<'db>>,
}

/// The types of a translation unit, each with its first mention.
#[derive(Default)]
pub(super) struct Mentions<'db>(IndexMap<Ty<'db>, Mention<'db>>);

impl<'db> Mentions<'db> {
    pub fn add(&mut self, ty: Ty<'db>, place: Option<SourcePlace<'db>>, by: Option<RecordInst<'db>>) {
        self.0.entry(ty).or_insert(Mention { place, by });
    }

    pub fn get(&self, index: usize) -> Option<(Ty<'db>, Mention<'db>)> {
        self.0.get_index(index).map(|(ty, mention)| (*ty, *mention))
    }

    fn of(&self, db: &'db dyn Db, inst: RecordInst<'db>) -> Mention<'db> {
        self.0.get(&Ty::new(db, TyKind::Record(inst))).copied().unwrap_or_default()
    }
}

/// Diagnostics of a translation unit, and the instance of each.
#[derive(Default)]
pub(crate) struct Gathered<'db> {
    all: IndexSet<Diagnostic<'db>>,
    made_by: FxHashMap<Diagnostic<'db>, Instance<'db>>,
}

impl<'db> Gathered<'db> {
    pub fn add(&mut self, found: impl IntoIterator<Item = Diagnostic<'db>>) {
        self.all.extend(found);
    }

    /// Adds the diagnostics of a function and records the first template instance with each.
    pub fn add_of(&mut self, db: &'db dyn Db, function: FnInst<'db>, found: impl IntoIterator<Item = Diagnostic<'db>>) {
        match is_instance(db, function) {
            true => self.add_instance(Instance::Function(function), found),
            false => self.add(found),
        }
    }

    /// Adds the diagnostics of a structure template's instance.
    pub fn add_of_record(&mut self, inst: RecordInst<'db>, found: impl IntoIterator<Item = Diagnostic<'db>>) {
        self.add_instance(Instance::Record(inst), found);
    }

    fn add_instance(&mut self, instance: Instance<'db>, found: impl IntoIterator<Item = Diagnostic<'db>>) {
        for diagnostic in found {
            if diagnostic.is_error() && !self.all.contains(&diagnostic) {
                self.made_by.insert(diagnostic.clone(), instance);
            }
            self.all.insert(diagnostic);
        }
    }

    /// Returns all diagnostics with the calls and declarations that created the instances. `functions` are all checked
    /// functions, callers before functions that only they call.
    pub(super) fn labelled(
        self,
        db: &'db dyn Db,
        functions: &IndexSet<FnInst<'db>>,
        types: &Mentions<'db>,
    ) -> Vec<Diagnostic<'db>> {
        let Gathered { all, made_by } = self;
        let calls = if made_by.is_empty() { FxHashMap::default() } else { first_calls(db, functions) };
        let label = |diagnostic: Diagnostic<'db>| match made_by.get(&diagnostic) {
            Some(Instance::Function(function)) => with_calls(db, diagnostic, *function, &calls),
            Some(Instance::Record(inst)) => with_mentions(db, diagnostic, *inst, types),
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

fn with_mentions<'db>(
    db: &'db dyn Db,
    mut diagnostic: Diagnostic<'db>,
    inst: RecordInst<'db>,
    types: &Mentions<'db>,
) -> Diagnostic<'db> {
    let mut next = Some(inst);
    // The instances of a template that mentions itself say the same.
    let mut templates = Vec::new();
    while let Some(inst) = next
        && templates.len() < MAX_CALLS
        && !inst.args(db).is_empty()
        && !templates.contains(&inst.record(db))
    {
        templates.push(inst.record(db));
        let mention = types.of(db, inst);
        let Some(place) = mention.place else { break };
        let shown = Ty::new(db, TyKind::Record(inst)).display(db);
        diagnostic = diagnostic.also(place, format!("in `{shown}`, used here"));
        next = mention.by;
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
