//! `float f(float x);` inside a function: up to the end of the block the name means that function of the enclosing
//! namespace, and no other overload.

use super::Checker;
use super::env;
use super::using::Used;
use crate::db::def::{Def, FnId, Name};
use crate::db::ty::{FnInst, Ty};
use crate::tables::codes::Code;
use crate::types::definition::home;
use crate::types::names;
use wgc_frontend::ast::{self, Span};

impl<'db> Checker<'_, 'db> {
    pub(super) fn local_function(&mut self, function: &ast::Function, span: Span) {
        if function.body != ast::Body::None || function.owner.is_some() || function.specialises.is_some() {
            self.unsupported(span, "a function definition inside another function");
            return;
        }
        if let Some(param) = function.params.iter().find(|p| p.declarator.as_ref().is_some_and(|d| d.init.is_some())) {
            self.unsupported(param.span, "a default argument in a declaration inside a function");
            return;
        }
        let name = function.name.text.as_str();
        let params: Vec<Ty<'db>> = function.params.iter().map(|param| self.local_param(param)).collect();
        if params.iter().any(|ty| self.is_error(*ty)) {
            return;
        }
        match self.declared_as(name, &params) {
            Some(f) => self.bring_function(name, f),
            None => {
                let message =
                    format!("cannot find a function `{name}` with these parameters in the enclosing namespaces");
                self.error(Code::NoDeclaration, function.span, message);
            }
        }
    }

    fn local_param(&mut self, param: &ast::Param) -> Ty<'db> {
        let base = self.resolve_type(param.ty);
        param.declarator.as_ref().map_or(base, |d| self.with_dims(base, &d.dims))
    }

    /// Finds the function of an enclosing namespace with the name and the parameters.
    fn declared_as(&self, name: &str, params: &[Ty<'db>]) -> Option<FnId<'db>> {
        let db = self.db;
        let scope = Name::new(db, home(db, self.item).to_string());
        let found = names::overloads(db, self.item.program(db), scope, Name::new(db, name.to_string()));
        let is_it = |f: &FnId<'db>| {
            !env::is_prelude(db, *f)
                && env::template_params(db, *f).is_empty()
                && env::signature(db, FnInst::new(db, *f, None, Vec::new()))
                    .params
                    .iter()
                    .map(|p| p.ty)
                    .eq(params.iter().copied())
        };
        found.iter().copied().find(is_it)
    }

    /// Adds a function to those of the same name that the block has declared already.
    fn bring_function(&mut self, name: &str, f: FnId<'db>) {
        let depth = self.scopes.len();
        let known = self.using.iter_mut().rev().find_map(|using| match &mut using.what {
            Used::Name(of, defs) if of == name && using.depth == depth => Some(defs),
            _ => None,
        });
        match known {
            Some(defs) if defs.contains(&Def::Function(f)) => {}
            Some(defs) => defs.push(Def::Function(f)),
            None => self.bring(Used::Name(name.into(), vec![Def::Function(f)])),
        }
    }
}
