//! Inputs, outputs and records of nodes as variables for debuggers.
//!
//! A handle has no value that a debugger can show, but its record has. So the variable of an input or of output records
//! has the type of one record, and names the record that the program last accessed through it: [`Stmt::Holds`] with its
//! place follows every access. It holds nothing once the handle is assigned or complete.
//!
//! Only variables are covered, not handles in arrays and structures.

use super::Lowerer;
use crate::check::hir::{ExprId, ExprKind, LocalId};
use crate::db::ty::Ty;
use crate::tables::builtin::Builtin;
use crate::types::layout::value_type;
use crate::types::record::type_arg;
use rustc_hash::FxHashMap;
use wgc_ir::{Op, Position, Stmt, Type, ValueId, Variable, VariableId};

/// The variables of one function.
#[derive(Default)]
pub(super) struct RecordVariables {
    inputs: FxHashMap<LocalId, VariableId>,
    /// By the place of the handle.
    handles: FxHashMap<ValueId, VariableId>,
}

impl<'db> Lowerer<'db> {
    /// Declares an input or output of a node. An output has no value.
    pub(super) fn declare_object(&mut self, local: LocalId) {
        let ty = self.body.local(local).ty;
        match self.builtin(ty) {
            Some(Builtin::Input(_)) => {
                if let Some(variable) = self.record_variable(local, ty) {
                    self.records.inputs.insert(local, variable);
                }
            }
            Some(Builtin::Output { .. }) => {
                if let Some(variable) = self.variable(local, Type::Void) {
                    self.b.push(Stmt::Holds { variable, value: None });
                }
            }
            _ => {}
        }
    }

    /// Declares the record of a variable with a handle. `place` holds the handle.
    pub(super) fn declare_handle(&mut self, place: ValueId, local: LocalId) {
        let ty = self.body.local(local).ty;
        if let Some(Builtin::OutputRecords(_)) = self.builtin(ty)
            && let Some(variable) = self.record_variable(local, ty)
        {
            self.records.handles.insert(place, variable);
            self.forget_record(place);
        }
    }

    /// Names the record that the program accesses through an input.
    pub(super) fn hold_input(&mut self, object: Option<ExprId>, record: ValueId) {
        if let Some(ExprKind::Local(local)) = object.map(|object| &self.body.expr(object).kind)
            && let Some(&variable) = self.records.inputs.get(local)
        {
            self.b.push(Stmt::Holds { variable, value: Some(record) });
        }
    }

    /// Names the record that the program accesses through a handle.
    pub(super) fn hold_output(&mut self, handle: ValueId, record: ValueId) {
        if let Some(variable) = self.place_of_handle(handle).and_then(|place| self.records.handles.get(&place)) {
            self.b.push(Stmt::Holds { variable: *variable, value: Some(record) });
        }
    }

    /// Records that a handle is complete: its records are no longer accessible.
    pub(super) fn forget_records(&mut self, handle: ValueId) {
        if let Some(place) = self.place_of_handle(handle) {
            self.forget_record(place);
        }
    }

    /// Records that a place gets another handle.
    pub(super) fn forget_record(&mut self, place: ValueId) {
        if let Some(&variable) = self.records.handles.get(&place) {
            self.b.push(Stmt::Holds { variable, value: None });
        }
    }

    fn place_of_handle(&self, handle: ValueId) -> Option<ValueId> {
        match self.b.function().value(handle)?.op {
            Op::Load(place) => Some(place),
            _ => None,
        }
    }

    fn record_variable(&mut self, local: LocalId, ty: Ty<'db>) -> Option<VariableId> {
        let record = type_arg(self.db, ty.as_record(self.db)?)?;
        // A record without a layout is reported elsewhere.
        let record = value_type(self.db, record, self.block_layout()).ok()?;
        self.variable(local, record)
    }

    fn variable(&mut self, local: LocalId, ty: Type) -> Option<VariableId> {
        let scope = self.scope?;
        let decl = self.body.local(local);
        let declared = Position { scope, token: decl.span.lo };
        let (name, argument) = (decl.name.as_str().into(), self.argument(local));
        Some(self.b.function_mut().variables.alloc(Variable { name, ty, declared, argument }))
    }
}
