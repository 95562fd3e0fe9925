//! Default arguments, and the declarations that have them.
//!
//! A function may be declared several times, and each parameter has its default at one of them. That may be the
//! definition, a prototype or, for a method, the definition outside its record.

use crate::db::Db;
use crate::db::def::{FnId, SourcePlace};
use crate::db::diagnostic::Diagnostic;
use crate::db::items::fn_node;
use crate::db::ty::FnInst;
use crate::tables::codes::Code;
use crate::types::definition::{self, Definition};
use crate::types::names;
use crate::types::signature::{env_of_fn, template_params};
use wgc_frontend::ast::ExprId;

/// Returns the default that this declaration has for parameter `n`.
pub fn own<'db>(db: &'db dyn Db, declaration: FnId<'db>, n: usize) -> Option<ExprId> {
    fn_node(db, declaration)?.function.params.get(n)?.declarator.as_ref()?.init
}

/// Returns the declaration in the same scope that has the default of parameter `n`.
pub fn declared_by<'db>(db: &'db dyn Db, f: FnId<'db>, n: usize) -> Option<FnId<'db>> {
    let has = |f: &FnId<'db>| own(db, *f, n).is_some();
    if has(&f) { Some(f) } else { names::declarations(db, f).iter().copied().find(has) }
}

/// Returns the declaration that has the default of parameter `n`, with the arguments for its template parameters.
pub fn find<'db>(db: &'db dyn Db, f: FnInst<'db>, n: usize) -> Option<Definition<'db>> {
    let id = f.function(db);
    if let Some(found) = declared_by(db, id, n) {
        let env = if found == id {
            env_of_fn(db, f)
        } else {
            // Each declaration has its own names for the parameters.
            let names = template_params(db, found).iter().map(|p| p.name.clone());
            names.zip(f.args(db).iter().cloned()).collect()
        };
        return Some(Definition { function: found, env });
    }
    f.owner(db)?;
    let outside = definition::function(db, f);
    own(db, outside.function, n).map(|_| outside.clone())
}

/// Reports a parameter without a default after one that has a default. No call could omit only the former.
pub fn missing<'db>(db: &'db dyn Db, f: FnId<'db>) -> Option<Diagnostic<'db>> {
    let params = &fn_node(db, f)?.function.params;
    let first = (0..params.len()).find(|n| own(db, f, *n).is_some())?;
    let mut open = (first + 1..params.len()).filter(|n| own(db, f, *n).is_none()).peekable();
    open.peek()?;
    let earlier = earlier(db, f);
    let n = open.find(|n| !earlier.iter().any(|e| own(db, *e, *n).is_some()))?;
    let (name, at) = match &params[n].declarator {
        Some(d) if !d.name.text.is_empty() => {
            (format!("parameter `{}`", d.name.text), SourcePlace::token(f.item, d.name.at))
        }
        _ => (format!("parameter {}", n + 1), SourcePlace::head(f.item, params[n].span)),
    };
    let diagnostic = Diagnostic::new(Code::MissingDefault, at, format!("missing default argument on {name}"));
    Some(diagnostic.also(SourcePlace::head(f.item, params[first].span), "this earlier parameter has a default"))
}

/// Returns earlier declarations of the function, which may have given defaults.
fn earlier<'db>(db: &'db dyn Db, f: FnId<'db>) -> Vec<FnId<'db>> {
    let in_scope = names::declarations(db, f).iter().copied().take_while(|other| *other != f);
    in_scope.chain(definition::methods_like(db, f)).collect()
}
