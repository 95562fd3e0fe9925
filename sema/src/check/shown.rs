//! Functions as their callers know them, for notes: types and names of parameters, without the prelude's restrictions
//! on arguments.

use super::env::{self, Direction};
use crate::db::Db;
use crate::db::def::FnId;
use crate::db::items::{FnNode, fn_node};
use crate::db::ty::{FnInst, RecordInst};
use crate::types::names;
use wgc_frontend::ast::{self, TypeId};

/// Candidates that a message lists.
pub(super) const MOST: usize = 4;

/// Formats `void f(float3 a, inout int b, [uint c])`, with optional parameters in brackets. A template is shown with
/// the names of its parameters.
pub fn declaration<'db>(db: &'db dyn Db, owner: Option<RecordInst<'db>>, f: FnId<'db>) -> String {
    let Some(node) = fn_node(db, f) else { return String::new() };
    if env::template_params(db, f).is_empty() {
        return instance(db, FnInst::new(db, f, owner, Vec::new()));
    }
    let params = node.function.params.iter().map(|param| {
        let dims = param.declarator.iter().flat_map(|d| &d.dims).map(|dim| {
            let text = dim.map(|dim| names::spelling(db, f.item, node.tree.ast.exprs[dim].span));
            format!("[{}]", text.unwrap_or_default())
        });
        let name = param.declarator.as_ref().map_or("", |d| d.name.text.as_str());
        let name = std::iter::once(name.to_owned()).chain(dims).collect();
        let is_optional = env::has_attribute(&param.attributes, "optional")
            || param.declarator.as_ref().is_some_and(|d| d.init.is_some());
        Shown { ty: written(db, f, &node, param.ty), direction: "", name, is_optional }
    });
    let ret = written(db, f, &node, node.function.ret);
    let is_variadic = env::own_attributes(db, f).iter().any(|a| crate::types::attributes::is_internal(a, "variadic"));
    line(&ret, &node.function.name.text, params, is_variadic)
}

/// Formats a function like [`declaration`], with the template's arguments in place of its parameters.
pub fn instance<'db>(db: &'db dyn Db, f: FnInst<'db>) -> String {
    let signature = env::signature(db, f);
    let params = signature.params.iter().map(|p| Shown {
        ty: p.ty.display(db),
        direction: match p.direction {
            Direction::In => "",
            Direction::Out => "out ",
            Direction::InOut => "inout ",
        },
        name: p.name.to_string(),
        is_optional: p.has_default || p.is_optional,
    });
    line(&signature.ret.display(db), &signature.name, params, signature.is_variadic)
}

/// Formats the candidates of an ambiguous call as [`instance`]s. If they differ only in the names of their parameters,
/// shows the template and its arguments, or the namespaces if there are several.
pub fn candidates<'db>(db: &'db dyn Db, among: &[FnInst<'db>]) -> Vec<String> {
    let types =
        |f: &FnInst<'db>| -> Vec<_> { env::signature(db, *f).params.iter().map(|p| (p.ty, p.direction)).collect() };
    let shown = among.iter().map(|f| {
        if among.iter().filter(|other| types(other) == types(f)).count() == 1 {
            return instance(db, *f);
        }
        let scope = |f: &FnInst<'db>| f.function(db).item.scope(db);
        if among.iter().all(|other| other.owner(db).is_none()) && among.iter().any(|other| scope(other) != scope(f)) {
            let name = &env::signature(db, *f).name;
            let full = crate::types::ambiguity::full_name(db, f.function(db).item, name);
            return instance(db, *f).replacen(&format!(" {name}("), &format!(" {full}("), 1) + &arguments(db, *f);
        }
        format!("{}{}", declaration(db, f.owner(db), f.function(db)), arguments(db, *f))
    });
    shown.collect()
}

/// Formats ` with `T` = `int``. Empty if the function is not a template or is in the prelude, as users do not know the
/// prelude's template parameters.
pub fn arguments<'db>(db: &'db dyn Db, f: FnInst<'db>) -> String {
    if env::is_prelude(db, f.function(db)) {
        return String::new();
    }
    let params = env::template_params(db, f.function(db));
    let each = params
        .iter()
        .zip(f.args(db))
        .map(|(param, arg)| format!("`{}` = `{}`", param.name, crate::types::written::display_arg(db, arg)));
    let all: Vec<String> = each.collect();
    if all.is_empty() { String::new() } else { format!(" with {}", all.join(", ")) }
}

struct Shown {
    ty: String,
    direction: &'static str,
    /// With the dimensions of an array, if the type is shown as written.
    name: String,
    is_optional: bool,
}

fn line(ret: &str, name: &str, params: impl Iterator<Item = Shown>, is_variadic: bool) -> String {
    let mut all: Vec<String> = params
        .map(|p| {
            let text = format!("{}{} {}", p.direction, p.ty, p.name);
            let text = text.trim_end();
            if p.is_optional { format!("[{text}]") } else { text.to_owned() }
        })
        .collect();
    all.extend(is_variadic.then(|| "...".to_owned()));
    format!("`{ret} {name}({})`", all.join(", "))
}

/// Formats a type of a declaration in its own tokens, with usual spacing.
fn written<'db>(db: &'db dyn Db, f: FnId<'db>, node: &FnNode, ty: TypeId) -> String {
    let ty = &node.tree.ast.types[ty];
    // Modifiers may be inside the type, also after attributes; those of parameters define the passing mode.
    let modifiers = ty.modifiers.iter().map(|m| m.text.as_str()).filter(|m| matches!(*m, "out" | "inout"));
    let ast::Span { lo, hi } = ty.span;
    let head = f.item.head(db);
    let mut out: String = modifiers.map(|m| format!("{m} ")).collect();
    let (mut glued, mut depth) = (true, 0);
    for token in head.get(lo as usize..(hi as usize).min(head.len())).unwrap_or_default() {
        let text = token.spelling();
        // A parameter's type has no brackets of its own, so these are attributes.
        depth += i32::from(text == "[") - i32::from(text == "]");
        if depth > 0 || matches!(text, "]" | "in" | "out" | "inout" | "const") {
            continue;
        }
        if !glued && !matches!(text, "<" | ">" | "," | "(" | ")" | "::") {
            out.push(' ');
        }
        out.push_str(text);
        if text == "," {
            out.push(' ');
        }
        glued = matches!(text, "<" | "," | "(" | "::");
    }
    out
}
