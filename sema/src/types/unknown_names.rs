//! Reports of unknown names: late declarations, members that a type lacks, and suggestions of similar names.

use crate::db::diagnostic::Diagnostic;
use crate::db::ty::TyKind;
use crate::tables::codes::Code;
use crate::types::cx::{Cx, PathTarget};
use crate::types::names;
use crate::types::suggestions::{self, NameKind};
use wgc_frontend::ast::Path;

impl<'db> Cx<'_, 'db> {
    /// Returns whether an unknown name may be a member of an unknown base of a record.
    pub(crate) fn may_be_inherited(&mut self, path: &Path, segment: usize) -> bool {
        let record = match self.around(path, segment) {
            Some(PathTarget::Type(ty)) => ty.as_record(self.db),
            Some(_) => None,
            None => self.owner.filter(|_| !path.global),
        };
        record.is_some_and(|record| crate::types::record::lacks_a_base(self.db, record))
    }

    /// Returns the error in `E::name` for a known `E`.
    fn unknown_member(&mut self, path: &Path, segment: usize) -> Option<Diagnostic<'db>> {
        let part = path.segments.get(segment)?;
        let name = part.name.text.as_str();
        let PathTarget::Type(ty) = self.around(path, segment)? else { return None };
        let message = format!("`{}` has no `{name}`", ty.display(self.db));
        let diagnostic = Diagnostic::new(Code::UnknownName, self.token(part.name.at), message);
        let TyKind::Enum(e) = ty.kind(self.db) else { return Some(diagnostic) };
        let values = crate::db::items::enum_node(self.db, *e).map(|n| n.def.values.as_slice()).unwrap_or_default();
        Some(match names::closest(name, values.iter().map(|(value, _)| value.text.as_str())) {
            Some(meant) => diagnostic.meant(self.token(part.name.at), meant),
            None => diagnostic,
        })
    }

    /// Reports an unknown path and suggests a similar name.
    pub fn unknown(&mut self, path: &Path, segment: usize, wanted: NameKind) {
        let Some(part) = path.segments.get(segment) else { return };
        let name = part.name.text.as_str();
        let place = self.token(part.name.at);
        if let Some(late) = self.late(path, segment) {
            let diagnostic =
                Diagnostic::new(Code::LateDeclaration, place, format!("`{name}` is used before it is declared"));
            return self.errors.push(match names::def_place(self.db, late) {
                Some(at) => diagnostic.also(at, "declared here, after its use"),
                None => diagnostic,
            });
        }
        // This applies to `S::name` only in bodies, because bases are looked up this way too.
        if segment == 0 && self.may_be_inherited(path, segment) {
            return;
        }
        if let Some(diagnostic) = self.unknown_member(path, segment) {
            return self.errors.push(diagnostic);
        }
        let mut diagnostic = Diagnostic::new(Code::UnknownName, place, format!("cannot find `{name}` in this scope"));
        let wanted = if segment + 1 < path.segments.len() { NameKind::Scope } else { wanted };
        let meant = match (segment, self.around(path, segment)) {
            (0, _) if wanted != NameKind::Value && suggestions::foreign_type(name).is_some() => {
                suggestions::foreign_type(name).map(|word| (word.to_string(), None))
            }
            (0, _) => match crate::types::foreign_names::instead(name) {
                Some(instead) => {
                    diagnostic = diagnostic.note(instead);
                    None
                }
                None => suggestions::nearest(self, name, wanted),
            },
            (_, Some(PathTarget::Namespace(scope))) => suggestions::nearest_in(self, scope.text(self.db), name),
            _ => None,
        };
        if let Some((meant, declared)) = meant {
            diagnostic = diagnostic.meant(place, &meant);
            if let Some(old) = declared {
                diagnostic = diagnostic.also(old, format!("`{meant}` is declared here"));
            }
        }
        self.errors.push(diagnostic);
    }
}
