//! Types that a function defines, and the names of the function that are visible in them.

use super::fold;
use super::hir::ExprKind;
use super::resolve::Meaning;
use super::{Checker, Named, check};
use crate::db::def::LocalTypeContext;
use crate::db::def::{FnId, Item};
use crate::db::items::{enum_node, item_tree};
use crate::db::ty::Local;
use crate::db::ty::{Ty, TyKind};
use crate::tables::codes::Code;
use crate::types::cx::Locals;
use crate::types::local_types::{is_too_deep, local_item, ordinal, type_of};
use wgc_frontend::ast::{Span, TypeId, TypeKind};
use wgc_frontend::parse::LOCAL_DEPTH;
use wgc_frontend::token::TokenKind;

impl<'db> Checker<'_, 'db> {
    /// Names and checks the type that this type expression of the body defines; `None` if it defines none.
    pub(super) fn local_type(&mut self, id: TypeId) -> Option<Ty<'db>> {
        let (db, node) = (self.db, &self.ast.types[id]);
        let name = match &node.kind {
            TypeKind::Record(record) => record.name.as_ref(),
            TypeKind::Enum(def) => def.name.as_ref(),
            _ => return None,
        };
        let (Some(function), Some(body)) = (self.function, self.body_index) else { return None };
        if let TypeKind::Record(record) = &node.kind
            && record.members.is_none()
        {
            // A declaration of a type defined later, or outside.
            return Some(self.error_ty());
        }
        if is_too_deep(db, self.item) {
            let message = format!("local types nest in more than {LOCAL_DEPTH} functions");
            self.error(Code::NestingTooDeep, node.span, message);
            return Some(self.error_ty());
        }
        let names = self.mentioned(body, node.span);
        let function = crate::check::symbol::plain(db, function);
        let nth = ordinal(self.ast, id);
        let around = LocalTypeContext::new(db, self.item, body, nth, function, names, self.env.clone(), self.owner);
        let defined = local_item(db, around).and_then(|item| Some((item, type_of(db, item)?)));
        // A syntax error was already reported.
        let Some((item, ty)) = defined else { return Some(self.error_ty()) };
        if let Some(sink) = self.sink {
            sink.borrow_mut().local_types.push(item);
        }
        if let Some(name) = name {
            let span = Span { lo: name.at, hi: name.at + 1 };
            if self
                .scopes
                .last()
                .and_then(|scope| scope.get(&name.text))
                .is_some_and(|old| !matches!(old, Named::Local(_)))
            {
                self.error(Code::Redefinition, span, format!("duplicate definition of `{}`", name.text));
            }
            self.name_type(name, ty);
        }
        if let TyKind::Enum(e) = *ty.kind(db)
            && let Some(values) = enum_node(db, e).filter(|n| !n.def.scoped).map(|n| &n.def.values)
            && let Some(scope) = self.scopes.last_mut()
        {
            let named = values.iter().enumerate();
            scope.extend(named.map(|(n, (value, _))| (value.text.clone(), Named::EnumValue(e, n as u32))));
        }
        self.check_local_type(item);
        Some(ty)
    }

    /// Returns the function's names that the type's source mentions, with their meaning in a type.
    fn mentioned(&self, body: u32, text: Span) -> Vec<(String, Local<'db>)> {
        let Some(body) = self.item.bodies(self.db).get(body as usize) else { return Vec::new() };
        let tokens = body.tokens(self.db).get(text.lo as usize..text.hi as usize).unwrap_or_default();
        let mut names: Vec<&str> =
            tokens.iter().filter(|t| t.kind == TokenKind::Ident).map(|t| t.text.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        let view = self.view();
        // A hidden type is listed after the variable that hides it.
        let hidden = |name: &&str| Some((name.to_string(), view.find_type(name)?));
        let hidden: Vec<_> = names.iter().filter_map(hidden).collect();
        let found = names.iter().filter_map(|name| Some((name.to_string(), view.find(name)?)));
        let mut found: Vec<(String, Local<'db>)> = found.collect();
        found.extend(hidden.into_iter().filter(|one| !found.contains(one)).collect::<Vec<_>>());
        found
    }

    /// Adds the diagnostics of the type and its methods to those of the function.
    fn check_local_type(&mut self, item: Item<'db>) {
        self.diagnostics.extend(crate::check::item::item_diagnostics(self.db, item).iter().cloned());
        for index in 0..item_tree(self.db, item).decls.functions.len() as u32 {
            if let Some(method) = crate::types::instantiation::plain_function(self.db, FnId { item, index }) {
                self.diagnostics.extend(check(self.db, method).diagnostics.iter().cloned());
            }
        }
    }

    /// Resolves a variable of the function that defines the type of this method; only constants are accessible.
    pub(super) fn outer_local(&mut self, name: &str, found: Local<'db>, span: Span) -> Meaning<'db> {
        let Local::Constant(ty, value) = found else {
            let message = format!("`{name}` is a variable of another function");
            let diagnostic = self.diagnostic(Code::NotAValue, span, message);
            self.report(diagnostic.note("a local type sees only the types and constants of its function"));
            return Meaning::Error;
        };
        let c = value.to_ir();
        let c = fold::constant(fold::number(c), self.storage_scalar(ty));
        Meaning::Value(self.value(ExprKind::Const(c), ty, span))
    }
}
