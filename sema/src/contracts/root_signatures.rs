//! Root signatures of a program, their subobjects, and the functions that they apply to.

use crate::contracts::node::function_attributes;
use crate::db::def::{FnId, Item, SourcePlace, VarId};
use crate::db::diagnostic::Diagnostic;
use crate::db::items::{fn_node, functions, item_tree, items, var_node};
use crate::db::ty::Env;
use crate::db::{Db, Program, units};
use crate::tables::builtin::Subobject;
use crate::tables::codes::{Code, Severity};
use crate::tables::root_signature::{RootSignature, parse};
use crate::types::attribute_table;
use crate::types::cx::Cx;
use crate::types::globals::{GlobalKind, global};
use crate::types::root_signature::{Text, read, strings};
use wgc_frontend::ast::Span;

/// Returns the string and span of a function's `[RootSignature(..)]`.
pub(crate) fn attribute<'db>(db: &'db dyn Db, f: FnId<'db>) -> Option<(Option<Text>, Span)> {
    let node = fn_node(db, f)?;
    let found = function_attributes(&node).into_iter().find(|a| {
        matches!(a.path.segments.as_slice(), [s] if attribute_table::find(&s.name.text).is_some_and(|r| r.name == "RootSignature"))
    })?;
    let text = found.args.as_deref().and_then(|args| args.first()).and_then(|e| Text::of(&node.tree.ast, *e));
    Some((text, found.span))
}

/// Returns the errors in the root signatures of an item's functions.
pub(crate) fn diagnostics<'db>(db: &'db dyn Db, item: Item<'db>) -> Vec<Diagnostic<'db>> {
    let tree = item_tree(db, item);
    let env = Env::new();
    let mut cx = Cx::head(db, item, &tree.ast, &env);
    for index in 0..tree.decls.functions.len() as u32 {
        match attribute(db, FnId { item, index }) {
            Some((Some(text), _)) => drop(read(&mut cx, &text)),
            Some((None, span)) => cx.error(Code::AttributeArguments, span, "`RootSignature` needs a string"),
            None => {}
        }
    }
    cx.errors
}

/// Returns all variables that are subobjects.
pub(crate) fn subobjects<'db>(db: &'db dyn Db, program: Program) -> Vec<(VarId<'db>, Subobject)> {
    let of_item = |item: &Item<'db>| -> Vec<_> {
        let vars = (0..item_tree(db, *item).decls.vars.len() as u32).map(|index| VarId { item: *item, index });
        let kind = |var: VarId<'db>| match global(db, var, None)?.kind {
            GlobalKind::Subobject(kind) => Some((var, kind)),
            _ => None,
        };
        vars.filter_map(kind).collect()
    };
    units(db, program).into_iter().flat_map(|unit| items(db, unit)).flat_map(of_item).collect()
}

pub(crate) fn all_functions<'db>(db: &'db dyn Db, program: Program) -> Vec<FnId<'db>> {
    units(db, program).into_iter().flat_map(|unit| functions(db, unit)).collect()
}

/// Checks that associations name a subobject and functions of the program.
pub(crate) fn associations<'db>(
    db: &'db dyn Db,
    program: Program,
    subobjects: &[(VarId<'db>, Subobject)],
) -> Vec<Diagnostic<'db>> {
    let mut out = Vec::new();
    // A library may be linked with the functions that it names.
    let severity = if program.options(db).library { Severity::Warning } else { Severity::Error };
    let functions = all_functions(db, program);
    let name = |var: VarId<'db>| var_node(db, var).map(|n| n.declarator.name.text.to_string()).unwrap_or_default();
    let known = |text: &str| functions.iter().any(|f| fn_node(db, *f).is_some_and(|n| n.function.name.text == text));
    for (var, _) in subobjects.iter().filter(|(_, kind)| *kind == Subobject::SubobjectToExportsAssociation) {
        let Some(texts) = var_node(db, *var).and_then(|n| strings(&n)) else { continue };
        let [subobject, exports] = texts.as_slice() else { continue };
        if !subobjects.iter().any(|(other, _)| name(*other) == subobject.text) {
            let message = format!("unknown subobject `{}`", subobject.text);
            out.push(
                Diagnostic::new(Code::BadSubobject, SourcePlace::head(var.item, subobject.span), message)
                    .severity(severity),
            );
        }
        let mut at = 0;
        for export in exports.text.split(';') {
            let trimmed = export.trim();
            if !trimmed.is_empty() && !known(trimmed) {
                let message = format!("`{trimmed}` is not a function of the program");
                out.push(
                    Diagnostic::new(Code::BadSubobject, SourcePlace::head(var.item, exports.part(at)), message)
                        .severity(severity),
                );
            }
            at += export.len() + 1;
        }
    }
    out
}

/// A root signature of the program, for reports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declared {
    /// The variable, or the function with the attribute.
    pub name: String,
    pub is_local: bool,
    /// Functions that associations or the attribute name.
    pub exports: Vec<String>,
    pub signature: RootSignature,
}

/// Returns the root signatures of a program: first those of subobjects, then those of functions, each in the order of
/// the text.
pub fn declared(db: &dyn Db, program: Program) -> Vec<Declared> {
    let subobjects = subobjects(db, program);
    let name = |var: VarId<'_>| var_node(db, var).map(|n| n.declarator.name.text.to_string()).unwrap_or_default();
    let mut out = Vec::new();
    for (var, kind) in &subobjects {
        let is_local = *kind == Subobject::LocalRootSignature;
        if (is_local || *kind == Subobject::GlobalRootSignature)
            && let Some([text]) = var_node(db, *var).and_then(|n| strings(&n)).as_deref()
            && let Ok(signature) = parse(&text.text)
        {
            out.push(Declared { name: name(*var), is_local, exports: Vec::new(), signature });
        }
    }
    for (var, _) in subobjects.iter().filter(|(_, kind)| *kind == Subobject::SubobjectToExportsAssociation) {
        let Some(texts) = var_node(db, *var).and_then(|n| strings(&n)) else { continue };
        let [subobject, exports] = texts.as_slice() else { continue };
        let exports = exports.text.split(';').map(str::trim).filter(|export| !export.is_empty()).map(str::to_owned);
        if let Some(found) = out.iter_mut().find(|declared| declared.name == subobject.text) {
            found.exports.extend(exports);
        }
    }
    for f in all_functions(db, program) {
        if let Some((Some(text), _)) = attribute(db, f)
            && let Ok(signature) = parse(&text.text)
            && let Some(node) = fn_node(db, f)
        {
            let name = node.function.name.text.to_string();
            out.push(Declared { exports: vec![name.clone()], name, is_local: false, signature });
        }
    }
    out
}
