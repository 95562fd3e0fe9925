//! Initial values of `static` globals whose computation changes other memory. Each entry point computes them, even if
//! nothing reads the global.

use super::unit::Unit;
use crate::check::initial::is_computed;
use crate::db::Db;
use crate::db::Program;
use crate::db::def::VarId;
use crate::db::items::{item_tree, items};
use crate::db::ty::RecordInst;
use crate::tables::collections::IndexSet;
use crate::types::globals::{GlobalKind, global};
use crate::types::instantiation::plain_owner;
use wgc_ir::{Function, Op, Stmt, Symbol, ValueId};

/// The limit of functions and globals to look at. More of them count as having effects.
const MAX_UNITS: usize = 1 << 16;

/// Returns the `static` globals of a translation unit whose initial value has effects, in the order of declarations.
/// Those of templates count where other initial values read them.
#[salsa::tracked(returns(ref))]
pub fn initialisers_with_effects<'db>(db: &'db dyn Db, program: Program) -> Vec<(VarId<'db>, Option<RecordInst<'db>>)> {
    let mut candidates = Vec::new();
    for item in items(db, program) {
        for (index, var) in item_tree(db, *item).decls.vars.iter().enumerate() {
            let owner = var.around.owner.and_then(|index| plain_owner(db, *item, index));
            if var.around.owner.is_some() && owner.is_none() {
                continue;
            }
            let var = VarId { item: *item, index: index as u32 };
            let is_static = global(db, var, owner).is_some_and(|global| global.kind == GlobalKind::Static);
            if is_static && is_computed(db, var, owner) {
                candidates.push((var, owner));
            }
        }
    }
    let has_effect = effects(db, candidates.iter().map(|(var, owner)| Unit::Start(*var, *owner)).collect());
    candidates.into_iter().zip(has_effect).filter(|(_, has_effect)| *has_effect).map(|(start, _)| start).collect()
}

/// Returns for each unit whether it, or something that it needs, changes memory. Looks at each unit once.
fn effects<'db>(db: &'db dyn Db, starts: IndexSet<Unit<'db>>) -> Vec<bool> {
    let count = starts.len();
    let mut units = starts;
    let mut users: Vec<Vec<usize>> = vec![Vec::new(); count];
    let mut effectful = Vec::new();
    let mut next = 0;
    // The set grows during the walk.
    while let Some(unit) = units.get_index(next).cloned() {
        let own = match &unit {
            Unit::Start(var, owner) => Some(crate::types::globals::symbol(db, *var, *owner)),
            Unit::Function(..) => None,
        };
        let function = &unit.lowered(db).function;
        if function.as_ref().is_some_and(|function| changes_memory(function, own.as_ref())) || next >= MAX_UNITS {
            effectful.push(next);
        } else {
            for needed in unit.needs(db) {
                let (at, _) = units.insert_full(needed);
                users.resize_with(units.len(), Vec::new);
                users[at].push(next);
            }
        }
        next += 1;
    }
    let mut out = vec![false; units.len()];
    while let Some(unit) = effectful.pop() {
        if !std::mem::replace(&mut out[unit], true) {
            effectful.append(&mut users[unit]);
        }
    }
    out.truncate(count);
    out
}

/// Returns whether a function changes more than its own variables and the global `own`. Calls do not count.
fn changes_memory(function: &Function, own: Option<&Symbol>) -> bool {
    let mut changes = false;
    wgc_ir::walk::statements(&function.body, &mut |stmt| {
        changes |= match stmt {
            Stmt::Store { place, .. } => !is_own(function, *place, own),
            Stmt::Let(value) => function.value(*value).is_some_and(|value| match &value.op {
                Op::Call { .. } => false,
                op => op.has_effect(),
            }),
            Stmt::ImageStore { .. }
            | Stmt::Barrier(_)
            | Stmt::Complete(_)
            | Stmt::IncrementCount { .. }
            | Stmt::Report { .. }
            | Stmt::MeshCounts { .. }
            | Stmt::Spirv(_) => true,
            _ => false,
        };
    });
    changes
}

fn is_own(function: &Function, place: ValueId, own: Option<&Symbol>) -> bool {
    match function.value(place).map(|value| &value.op) {
        Some(Op::Field { base, .. } | Op::Index { base, .. }) => is_own(function, *base, own),
        Some(Op::Global(name)) => Some(name) == own,
        Some(Op::Local(_)) => true,
        // A place that the caller gives.
        _ => false,
    }
}
