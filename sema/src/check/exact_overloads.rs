//! Overloads with exactly the types of the arguments, found by an index. Overload resolution need not compare a call
//! with each of hundreds of functions then.

use super::Checker;
use super::env::{self, Direction, Param};
use super::hir::{ExprId, ExprKind};
use crate::db::Db;
use crate::db::def::FnId;
use crate::db::ty::{FnInst, RecordInst, Ty};
use rustc_hash::FxHashMap;

/// Smaller sets are compared one by one.
const MANY: usize = 16;

type Function<'db> = (Option<RecordInst<'db>>, FnId<'db>);

/// The functions that a name means in a call.
#[salsa::interned(debug, revisions = usize::MAX)]
struct OverloadSet<'db> {
    #[returns(ref)]
    functions: Vec<Function<'db>>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq, salsa::SalsaValue)]
struct TypeIndex<'db> {
    /// The plain functions, by the types of their parameters.
    plain: FxHashMap<Vec<Ty<'db>>, Vec<Function<'db>>>,
    /// All others: for them, more than equal types decides.
    others: Vec<Function<'db>>,
}

#[salsa::tracked(returns(ref), cycle_result = not_indexed)]
fn type_index<'db>(db: &'db dyn Db, set: OverloadSet<'db>) -> TypeIndex<'db> {
    let mut out = TypeIndex::default();
    for function in set.functions(db) {
        match plain_types(db, *function) {
            Some(types) => out.plain.entry(types).or_default().push(*function),
            None => out.others.push(*function),
        }
    }
    out
}

/// Handles signatures that depend on a call of the set: nothing is found, so each function is compared.
fn not_indexed<'db>(_: &'db dyn Db, _: salsa::Id, _: OverloadSet<'db>) -> TypeIndex<'db> {
    TypeIndex::default()
}

/// Returns the types of a function's parameters if it takes as many values, without conversions for equal types.
fn plain_types<'db>(db: &'db dyn Db, (owner, function): Function<'db>) -> Option<Vec<Ty<'db>>> {
    if env::is_prelude(db, function) || !env::template_params(db, function).is_empty() {
        return None;
    }
    let signature = env::signature(db, FnInst::new(db, function, owner, Vec::new()));
    let is_plain = |p: &Param<'db>| {
        p.direction == Direction::In
            && !p.is_place
            && !p.is_shared
            && !p.has_default
            && !p.is_optional
            && !p.ty.is_error(db)
    };
    (!signature.is_variadic && signature.params.iter().all(is_plain))
        .then(|| signature.params.iter().map(|p| p.ty).collect())
}

impl<'db> Checker<'_, 'db> {
    /// Returns the functions of a large set among which a call chooses: those with exactly the arguments' types, and
    /// those that are not plain. Returns `None` if the whole set counts.
    ///
    /// Distance and cost are 0 for equal types only, so no other plain function can be as good.
    pub(super) fn exact_overloads(&self, functions: &[Function<'db>], args: &[ExprId]) -> Option<Vec<Function<'db>>> {
        let is_text = |arg: &ExprId| matches!(self.body.expr(*arg).kind, ExprKind::Str(_));
        if functions.len() < MANY || args.iter().any(is_text) {
            return None;
        }
        let index = type_index(self.db, OverloadSet::new(self.db, functions.to_vec()));
        let types: Vec<_> = args.iter().map(|arg| self.ty(*arg).unordered(self.db)).collect();
        let exact = index.plain.get(&types)?;
        Some(exact.iter().chain(&index.others).copied().collect())
    }
}
