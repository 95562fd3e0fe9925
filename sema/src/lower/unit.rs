//! Units of lowering and their needs: the edges that linking and reachability follow.

use super::start_effects::initialisers_with_effects;
use super::{Callee, Lowered, Role, lowered, lowered_start};
use crate::check::initial::is_computed;
use crate::db::Db;
use crate::db::def::VarId;
use crate::db::ty::{FnInst, RecordInst};

/// A piece of the program that becomes one function of the module.
#[derive(Clone, Debug, PartialEq, Eq, Hash, salsa::SalsaValue)]
pub enum Unit<'db> {
    Function(Callee<'db>, Role),
    /// The computation of a global's initial value, which entry points call first.
    Start(VarId<'db>, Option<RecordInst<'db>>),
}

impl<'db> Unit<'db> {
    /// Creates the unit of a function that hosts or other programs start.
    pub fn root(function: FnInst<'db>, role: Role) -> Unit<'db> {
        Unit::Function(Callee { function, bound: Vec::new() }, role)
    }

    pub fn lowered(&self, db: &'db dyn Db) -> &'db Lowered<'db> {
        match self {
            Unit::Function(callee, role) => lowered(db, callee.function, *role, callee.bound.clone()),
            Unit::Start(var, owner) => lowered_start(db, var.item, var.index, *owner),
        }
    }

    /// Returns the callees, then the initial values of the mentioned globals. An entry point also needs those with
    /// effects.
    pub fn needs(&self, db: &'db dyn Db) -> impl Iterator<Item = Unit<'db>> {
        let lowered = self.lowered(db);
        let effectful = match self {
            Unit::Function(callee, role) if *role != Role::Callee => {
                initialisers_with_effects(db, callee.function.function(db).item.program(db)).as_slice()
            }
            _ => &[],
        };
        let calls = lowered.callees.iter().map(|callee| Unit::Function(callee.clone(), Role::Callee));
        let computed = lowered.globals.iter().filter(|(var, owner)| is_computed(db, *var, *owner));
        calls.chain(computed.chain(effectful).map(|(var, owner)| Unit::Start(*var, *owner)))
    }
}
