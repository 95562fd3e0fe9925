//! Structures of resources that the host sets. A constant path into one is a global; other accesses use the value
//! composed of all parts.

use super::{Lower, Lowerer};
use crate::check::fold;
use crate::check::hir::{ExprId, ExprKind};
use crate::db::def::VarId;
use crate::db::ty::{RecordInst, Ty, TyKind};
use crate::lower::globals::part_global;
use crate::types::globals::{GlobalKind, global};
use crate::types::resource_parts::Part;
use wgc_frontend::ast::Span;
use wgc_ir::{Type, ValueId};

/// A variable, with the record of a static member.
type Variable<'db> = (VarId<'db>, Option<RecordInst<'db>>);

impl<'db> Lowerer<'db> {
    /// Returns the parts of a variable that is a structure of resources.
    fn resource_parts(&self, (var, owner): Variable<'db>) -> Option<&'db [Part<'db>]> {
        global(self.db, var, owner).filter(|g| g.kind == GlobalKind::Parts).map(|g| g.parts.as_slice())
    }

    /// Returns the variable at the root of fields and constant indexes, and the path from it.
    fn fixed_path(&self, id: ExprId) -> Option<(Variable<'db>, Vec<u32>)> {
        let (mut path, mut root) = (Vec::new(), id);
        let variable = loop {
            root = match &self.body.expr(root).kind {
                ExprKind::Field { base, index } => {
                    path.push(*index);
                    *base
                }
                ExprKind::Index { base, index } => {
                    let fold::Number::Int(n) = fold::number(fold::eval(self.db, self.body, *index)?) else {
                        return None;
                    };
                    path.push(n as u32);
                    *base
                }
                ExprKind::Global(var, owner) => break (*var, *owner),
                _ => return None,
            };
        };
        path.reverse();
        Some((variable, path))
    }

    /// Returns the separate global for an expression that denotes a resource or an array of resources.
    pub(super) fn resource_part(&mut self, id: ExprId) -> Lower<Option<ValueId>> {
        let Some((variable, path)) = self.fixed_path(id) else { return Some(None) };
        let part = self.resource_parts(variable).and_then(|parts| parts.iter().find(|part| part.path == path));
        match part {
            Some(part) => self.part_value(variable, part, self.body.expr(id).span).map(Some),
            None => Some(None),
        }
    }

    /// Returns a structure of resources, or an array of such, that is a variable or a part of one.
    pub(super) fn structure_of_parts(&mut self, id: ExprId) -> Lower<Option<ValueId>> {
        let Some((variable, path)) = self.fixed_path(id) else { return Some(None) };
        let Some(parts) = self.resource_parts(variable) else { return Some(None) };
        let expr = self.body.expr(id);
        let mut inside = parts.iter().filter(|part| part.path.starts_with(&path));
        self.assemble(variable, expr.ty, &mut inside, expr.span).map(Some)
    }

    /// Builds a value of a type from the next parts.
    fn assemble(
        &mut self,
        variable: Variable<'db>,
        ty: Ty<'db>,
        parts: &mut dyn Iterator<Item = &'db Part<'db>>,
        span: Span,
    ) -> Lower<ValueId> {
        if self.is_resource(ty) {
            let value = self.part_value(variable, parts.next()?, span)?;
            return match self.b.ty(value) {
                Type::Descriptors { .. } => self.elements((value, None), ty, 0, 1, span),
                _ => Some(value),
            };
        }
        let inside: Vec<Ty<'db>> = match ty.kind(self.db) {
            TyKind::Array(element, Some(n)) => vec![*element; *n as usize],
            TyKind::Record(inst) => crate::types::record::record(self.db, *inst).fields.iter().map(|f| f.ty).collect(),
            _ => return None,
        };
        let mut values = Vec::new();
        for ty in inside {
            values.push(self.assemble(variable, ty, parts, span)?);
        }
        let ty = self.ir_type(ty, span)?;
        Some(self.b.compose(ty, values))
    }

    fn part_value(&mut self, variable: Variable<'db>, part: &Part<'db>, span: Span) -> Lower<ValueId> {
        match part_global(self.db, variable.0, variable.1, part) {
            Ok(global) => {
                let value = self.b.global_as(global.name.clone(), global.value_type());
                if !self.parts.iter().any(|part| part.name == global.name) {
                    self.parts.push(global);
                }
                Some(value)
            }
            Err(no) => self.no_layout(span, &format!("`{}`", part.ty.display(self.db)), part.ty, no),
        }
    }
}
