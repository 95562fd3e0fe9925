//! Initial values of `static` globals whose computation changes other memory. Each entry point computes them, even if
//! nothing reads the global.

use super::unit::Unit;
use crate::check::initial::is_computed;
use crate::db::Db;
use crate::db::Program;
use crate::db::def::VarId;
use crate::db::items::{item_tree, items};
use crate::db::ty::RecordInst;
use crate::types::globals::{GlobalKind, global};
use crate::types::instantiation::plain_owner;
use indexmap::IndexSet;
use wgc_ir::{Function, Op, Stmt, Symbol, ValueId};

/// The limit of functions that one initial value calls; with more, it counts as one with effects.
const MAX_UNITS: usize = 1024;

/// Returns the `static` globals of a translation unit whose initial value has effects, in the order of declarations.
/// Members of templates have none.
#[salsa::tracked(returns(ref))]
pub fn effectful_starts<'db>(db: &'db dyn Db, program: Program) -> Vec<(VarId<'db>, Option<RecordInst<'db>>)> {
    let mut out = Vec::new();
    for item in items(db, program) {
        for (index, var) in item_tree(db, *item).decls.vars.iter().enumerate() {
            let owner = var.around.owner.and_then(|index| plain_owner(db, *item, index));
            if var.around.owner.is_some() && owner.is_none() {
                continue;
            }
            let var = VarId { item: *item, index: index as u32 };
            let is_static = global(db, var, owner).is_some_and(|global| global.kind == GlobalKind::Static);
            if is_static && is_computed(db, var, owner) && has_effect(db, var, owner) {
                out.push((var, owner));
            }
        }
    }
    out
}

fn has_effect<'db>(db: &'db dyn Db, var: VarId<'db>, owner: Option<RecordInst<'db>>) -> bool {
    let own = crate::check::symbol::start(db, var, owner);
    let holder = crate::types::globals::symbol(db, var, owner);
    let mut units = IndexSet::from([Unit::Start(var, owner)]);
    let mut next = 0;
    // The set grows during the walk.
    while let Some(unit) = units.get_index(next).cloned() {
        next += 1;
        if next > MAX_UNITS {
            return true;
        }
        if let Some(function) = &unit.lowered(db).function {
            let of_own = (function.name == own).then_some(&holder);
            if changes_memory(function, of_own) {
                return true;
            }
        }
        // Other initial values are candidates themselves.
        units.extend(unit.needs(db).filter(|needed| matches!(needed, Unit::Function(..))));
    }
    false
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
