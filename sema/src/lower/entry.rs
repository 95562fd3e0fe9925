//! Parameters of entry points: system values, the node's input, its outputs.
//!
//! The node's check decides which of them a launch mode may have. This module maps each semantic of
//! [`crate::types::system_values`] to its builtin.

use super::{Binding, Lower, Lowerer, Object};
use crate::check::env::Signature;
use crate::check::hir::LocalId;
use crate::db::ty::{Ty, TyKind};
use crate::tables::builtin::Builtin;
use crate::types::mesh_outputs;
use crate::types::mesh_values;
use wgc_frontend::ast::Span;
use wgc_ir::{Global, GlobalKind, MeshValue, Type, ValueId};

impl<'db> Lowerer<'db> {
    pub(super) fn entry_params(&mut self, signature: &Signature<'db>) -> Lower<()> {
        let raw = crate::types::signature::fn_signature(self.db, self.instance?);
        let mut outputs = 0;
        let mut mesh = self.mesh_values(signature)?.into_iter();
        for (i, param) in signature.params.iter().enumerate() {
            let local = LocalId(i as u32);
            let binding = match self.builtin(param.ty) {
                Some(Builtin::Input(_)) => Binding::Object(Object::Input),
                Some(Builtin::Output { array, .. }) => {
                    let id = outputs;
                    outputs += 1;
                    let index = self.b.const_u32(0);
                    Binding::Object(if array { Object::OutputArray(id) } else { Object::Output { id, index } })
                }
                _ if let Some(array) = raw.params.get(i).and_then(mesh_outputs::array_of) => {
                    let ty = self.ir_type(param.ty, Span::default())?;
                    let name = crate::check::symbol::mesh_output(self.db, self.instance?, &param.name);
                    let values = mesh.next().unwrap_or_default();
                    let global = Global { name, kind: GlobalKind::MeshOutput { ty, array, values } };
                    let place = self.b.global_as(global.name.clone(), global.value_type());
                    self.statics.push(global);
                    Binding::Place(place)
                }
                _ => {
                    let semantic = raw.params.get(i).and_then(|p| p.semantic.as_ref()).map(|(s, _)| s.as_str());
                    // A parameter without a system value is wrong; the node's check reports it.
                    let value = self.system_value(param.ty, semantic)?;
                    let ty = self.b.ty(value);
                    let place = self.b.new_local(param.name.as_str(), ty);
                    self.declare(place, local);
                    self.b.store(place, value);
                    Binding::Place(place)
                }
            };
            if matches!(binding, Binding::Object(_)) {
                self.declare_object(local);
            }
            self.locals.insert(local, binding);
        }
        Some(())
    }

    /// Returns the element values of each array of a mesh node, in parameter order.
    fn mesh_values(&self, signature: &Signature<'db>) -> Lower<Vec<Vec<MeshValue>>> {
        let raw = crate::types::signature::fn_signature(self.db, self.instance?);
        let arrays = raw.params.iter().zip(&signature.params).filter_map(|(raw, param)| {
            let TyKind::Array(element, _) = param.ty.kind(self.db) else { return None };
            Some(mesh_values::Array::of(raw, mesh_outputs::array_of(raw)?, *element))
        });
        let arrays: Vec<_> = arrays.collect();
        Some(mesh_values::values(self.db, &arrays).0)
    }

    /// Returns the value of a parameter, or of the fields of a structure parameter.
    fn system_value(&mut self, ty: Ty<'db>, semantic: Option<&str>) -> Lower<ValueId> {
        // No resource can be provided here; the check of the entry point reports it.
        if self.builtin(ty).is_some() {
            return None;
        }
        if let (TyKind::Record(r), None) = (ty.kind(self.db), semantic) {
            let mut parts = Vec::new();
            for field in crate::check::env::fields(self.db, *r) {
                parts.push(self.system_value(field.ty, field.semantic.as_ref().map(|(s, _)| s.as_str()))?);
            }
            let ty = self.ir_type(ty, Span::default())?;
            return Some(self.b.compose(ty, parts));
        }
        let semantic = semantic?;
        let value = self.b.builtin(crate::types::system_values::find(semantic)?.builtin);
        let ty: Type = self.ir_type(ty, Span::default())?;
        Some(self.adapt(value, &ty))
    }
}
