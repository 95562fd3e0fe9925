//! `using namespace a;`, `using a::f;` and `namespace n = a::b;` inside a function, which apply up to the end of the
//! block.

use super::Checker;
use crate::db::def::{Def, Name};
use crate::tables::codes::Code;
use crate::types::cx::PathTarget;
use crate::types::names;
use crate::types::suggestions::NameKind;
use compact_str::CompactString;
use wgc_frontend::ast;

/// The names that a directive or declaration introduces, with the number of open scopes.
pub(super) struct Using<'db> {
    pub depth: usize,
    pub what: Used<'db>,
}

pub(super) enum Used<'db> {
    Namespace(Name<'db>),
    Name(CompactString, Vec<Def<'db>>),
}

impl<'db> Checker<'_, 'db> {
    /// Opens a scope. The using-directives of an earlier scope at this depth end.
    pub(super) fn open_scope(&mut self) {
        self.scopes.push(Default::default());
        let depth = self.scopes.len();
        self.using.retain(|using| using.depth < depth);
    }

    pub(super) fn use_namespace(&mut self, path: &ast::Path) {
        if let Some(scope) = self.namespace(path) {
            self.bring(Used::Namespace(scope));
        }
    }

    pub(super) fn name_namespace(&mut self, name: &ast::Ident, path: &ast::Path) {
        if let Some(scope) = self.namespace(path) {
            self.bring(Used::Name(name.text.clone(), vec![Def::Namespace(scope)]));
        }
    }

    fn namespace(&mut self, path: &ast::Path) -> Option<Name<'db>> {
        match self.with_cx(|cx| cx.resolve(path)) {
            PathTarget::Namespace(scope) => return Some(scope),
            PathTarget::Nothing(at) => self.with_cx(|cx| cx.unknown(path, at, NameKind::Value)),
            PathTarget::Error => {}
            _ => {
                self.error(Code::UnknownName, path.span, "this is not a namespace".to_string());
            }
        }
        None
    }

    pub(super) fn use_name(&mut self, path: &ast::Path) {
        let Some((last, around)) = path.segments.split_last() else { return };
        let scope = match around {
            [] => PathTarget::Namespace(Name::new(self.db, String::new())),
            around => {
                let around = ast::Path { segments: around.to_vec(), ..path.clone() };
                self.with_cx(|cx| cx.resolve(&around))
            }
        };
        match scope {
            PathTarget::Namespace(scope) => {
                let name = Name::new(self.db, last.name.text.to_string());
                let found = names::lookup_in(self.db, self.item.program(self.db), scope, name);
                if found.is_empty() {
                    return self.with_cx(|cx| cx.unknown(path, around.len(), NameKind::Value));
                }
                self.bring(Used::Name(last.name.text.clone(), found.clone()));
            }
            PathTarget::Nothing(at) => self.with_cx(|cx| cx.unknown(path, at, NameKind::Value)),
            PathTarget::Error => {}
            _ => {
                self.error(
                    Code::UnknownName,
                    path.span,
                    "a using-declaration must name a member of a namespace".to_string(),
                );
            }
        }
    }

    pub(super) fn bring(&mut self, what: Used<'db>) {
        let depth = self.scopes.len();
        self.using.push(Using { depth, what });
    }
}
