//! Root signatures: the strings of `[RootSignature("..")]`, `GlobalRootSignature` and `LocalRootSignature`.
//!
//! SPIR-V has none: bindings come from registers. A root signature is checked for itself (its syntax, its ranges, its
//! size) and against the program: resources that it leaves out, and exports that subobjects name.
//! The language of the strings is that of "Specifying Root Signatures in HLSL"; [`clauses`] is its table.

mod clauses;
mod parse;

pub use parse::{Error, Parameter, Range, RootSignature, parse};

use crate::contracts::node::function_attributes;
use crate::db::def::{FnId, Item, Place, VarId};
use crate::db::diagnostic::{Diagnostic, Inside};
use crate::db::items::{VarNode, fn_node, item_tree, items, var_node};
use crate::db::{Db, Program};
use crate::db::units;
use crate::link::{functions, link};
use crate::tables::builtin::Subobject;
use crate::tables::codes::{Code, Severity};
use crate::types::attribute_table;
use crate::types::attributes::unquote;
use crate::types::cx::{Cx, Env};
use crate::types::globals::{GlobalKind, global, symbol};
use wgc_frontend::ast::{Ast, ExprId, ExprKind, Span};

/// A string literal: its text, and where each of its adjacent parts ends in it.
struct Text {
    span: Span,
    text: String,
    ends: Vec<usize>,
}

impl Text {
    fn of(ast: &Ast, expr: ExprId) -> Option<Text> {
        let ExprKind::Str(parts) = &ast.exprs[expr].kind else { return None };
        let mut end = 0;
        let ends = parts.iter().map(|part| {
            end += unquote(std::slice::from_ref(part)).len();
            end
        });
        Some(Text { span: ast.exprs[expr].span, ends: ends.collect(), text: unquote(parts) })
    }

    /// The part that an offset falls into: one token.
    fn part(&self, at: usize) -> Span {
        let part = self.ends.iter().position(|end| at < *end).unwrap_or(self.ends.len().saturating_sub(1));
        let lo = (self.span.lo + part as u32).min(self.span.hi.saturating_sub(1));
        Span { lo, hi: lo + 1 }
    }

    /// The word at an offset, in the part that it falls into.
    fn inside(&self, at: usize) -> Inside {
        let start = self.ends.iter().copied().rfind(|end| *end <= at).unwrap_or(0);
        let end = self.ends.iter().copied().find(|end| at < *end).unwrap_or(self.text.len());
        let rest = self.text.get(at..end).unwrap_or_default();
        let word = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        let len = if word > 0 { word } else { rest.chars().next().map_or(0, char::len_utf8) };
        Inside { at: at.saturating_sub(start) as u32, len: len as u32, whole: end.saturating_sub(start) as u32 }
    }
}

/// The signature in a string; what is wrong with it is reported.
fn read(cx: &mut Cx<'_, '_>, text: &Text) -> Option<RootSignature> {
    match parse(&text.text) {
        Ok(signature) => Some(signature),
        Err(Error { at, message }) => {
            let diagnostic = Diagnostic::new(Code::BadSubobject, cx.place(text.part(at)), message);
            cx.errors.push(diagnostic.inside(text.inside(at)));
            None
        }
    }
}

/// The strings of a subobject: `{ "a", "b" }`.
fn strings(node: &VarNode) -> Option<Vec<Text>> {
    let ast = &node.tree.ast;
    let init = node.declarator.init?;
    match &ast.exprs[init].kind {
        ExprKind::List(elements) => elements.iter().map(|e| Text::of(ast, *e)).collect(),
        _ => Some(vec![Text::of(ast, init)?]),
    }
}

/// The strings of a subobject, which are as many as it takes.
pub(crate) fn check_subobject<'db>(cx: &mut Cx<'_, 'db>, subobject: Subobject, node: &VarNode<'db>) {
    let span = node.declarator.span;
    if subobject == Subobject::Effect {
        let name = &node.declarator.name;
        let message = format!("`{}` is ignored: wgc has no effect framework", name.text);
        return cx.error(Code::EffectSyntax, Span { lo: name.at, hi: name.at + 1 }, message);
    }
    if node.declarator.init.is_none() {
        cx.error(Code::BadSubobject, span, "a subobject needs its strings: `= { \"..\" }`");
        return;
    }
    let (wanted, plural) = match subobject {
        Subobject::GlobalRootSignature | Subobject::LocalRootSignature => (1, "one string"),
        Subobject::SubobjectToExportsAssociation => (2, "two strings"),
        Subobject::Other | Subobject::Effect => return,
    };
    match strings(node).filter(|s| s.len() == wanted).as_deref() {
        None => cx.error(Code::BadSubobject, span, format!("this subobject takes {plural}")),
        Some([only]) => drop(read(cx, only)),
        Some(_) => {}
    }
}

/// `[RootSignature(..)]` of a function: its string.
fn attribute<'db>(db: &'db dyn Db, f: FnId<'db>) -> Option<(Option<Text>, Span)> {
    let node = fn_node(db, f)?;
    let found = function_attributes(&node).into_iter().find(|a| {
        matches!(a.path.segments.as_slice(), [s] if attribute_table::find(&s.name.text).is_some_and(|r| r.name == "RootSignature"))
    })?;
    let text = found.args.as_deref().and_then(|args| args.first()).and_then(|e| Text::of(&node.tree.ast, *e));
    Some((text, found.span))
}

/// What is wrong with the root signatures of an item's functions.
pub(crate) fn diagnostics<'db>(db: &'db dyn Db, item: Item<'db>) -> Vec<Diagnostic<'db>> {
    let tree = item_tree(db, item);
    let env = Env::new();
    let mut cx = Cx::head(db, item, &tree.ast, &env);
    for index in 0..tree.decls.functions.len() as u32 {
        match attribute(db, FnId { item, index }) {
            Some((Some(text), _)) => drop(read(&mut cx, &text)),
            Some((None, span)) => cx.error(Code::AttributeArguments, span, "`RootSignature` takes a string"),
            None => {}
        }
    }
    cx.errors
}

/// All variables that are subobjects.
fn subobjects<'db>(db: &'db dyn Db, program: Program) -> Vec<(VarId<'db>, Subobject)> {
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

/// What is wrong between root signatures and the program.
#[salsa::tracked(returns(ref))]
pub fn program_diagnostics<'db>(db: &'db dyn Db, program: Program) -> Vec<Diagnostic<'db>> {
    let subobjects = subobjects(db, program);
    let mut out = associations(db, program, &subobjects);
    uncovered(db, program, &subobjects, &mut out);
    out
}

fn all_functions<'db>(db: &'db dyn Db, program: Program) -> Vec<FnId<'db>> {
    units(db, program).into_iter().flat_map(|unit| functions(db, unit)).collect()
}

/// Associations name a subobject and functions of the program.
fn associations<'db>(
    db: &'db dyn Db,
    program: Program,
    subobjects: &[(VarId<'db>, Subobject)],
) -> Vec<Diagnostic<'db>> {
    let mut out = Vec::new();
    // A library may be linked with what it names.
    let severity = if program.options(db).library { Severity::Warning } else { Severity::Error };
    let functions = all_functions(db, program);
    let name = |var: VarId<'db>| var_node(db, var).map(|n| n.declarator.name.text.to_string()).unwrap_or_default();
    let known = |text: &str| functions.iter().any(|f| fn_node(db, *f).is_some_and(|n| n.function.name.text == text));
    for (var, _) in subobjects.iter().filter(|(_, kind)| *kind == Subobject::SubobjectToExportsAssociation) {
        let Some(texts) = var_node(db, *var).and_then(|n| strings(&n)) else { continue };
        let [subobject, exports] = texts.as_slice() else { continue };
        if !subobjects.iter().any(|(other, _)| name(*other) == subobject.text) {
            let message = format!("no subobject is called `{}`", subobject.text);
            out.push(
                Diagnostic::new(Code::BadSubobject, Place::head(var.item, subobject.span), message).severity(severity),
            );
        }
        let mut at = 0;
        for export in exports.text.split(';') {
            let trimmed = export.trim();
            if !trimmed.is_empty() && !known(trimmed) {
                let message = format!("`{trimmed}` is no function of the program");
                out.push(
                    Diagnostic::new(Code::BadSubobject, Place::head(var.item, exports.part(at)), message)
                        .severity(severity),
                );
            }
            at += export.len() + 1;
        }
    }
    out
}

/// Resources with registers that are used, and that no signature of the program has.
fn uncovered<'db>(
    db: &'db dyn Db,
    program: Program,
    subobjects: &[(VarId<'db>, Subobject)],
    out: &mut Vec<Diagnostic<'db>>,
) {
    let mut signatures: Vec<RootSignature> = Vec::new();
    let mut of_text = |text: &Text| signatures.extend(parse(&text.text));
    let mut has_global = false;
    for (var, kind) in subobjects {
        let is_global = *kind == Subobject::GlobalRootSignature;
        if (is_global || *kind == Subobject::LocalRootSignature)
            && let Some([text]) = var_node(db, *var).and_then(|n| strings(&n)).as_deref()
        {
            has_global |= is_global;
            of_text(text);
        }
    }
    for f in all_functions(db, program) {
        if let Some((Some(text), _)) = attribute(db, f) {
            has_global = true;
            of_text(&text);
        }
    }
    // A local signature alone leaves the rest to the host's global one.
    if !has_global || signatures.is_empty() {
        return;
    }
    for unit in units(db, program) {
        uncovered_in(db, unit, &signatures, out);
    }
}

fn uncovered_in<'db>(db: &'db dyn Db, unit: Program, signatures: &[RootSignature], out: &mut Vec<Diagnostic<'db>>) {
    let Some(module) = &link(db, unit).module else { return };
    for item in items(db, unit) {
        for index in 0..item_tree(db, *item).decls.vars.len() as u32 {
            let var = VarId { item: *item, index };
            let Some(global) = global(db, var, None) else { continue };
            let (GlobalKind::Resource(_), Some((class, number, space))) = (global.kind, global.binding.register) else {
                continue;
            };
            let used = module.globals.contains_key(&symbol(db, var, None));
            if used && !signatures.iter().any(|s| s.covers(class, number, space)) {
                let message = format!(
                    "`{}` ({class}{number} of space {space}) is in no root signature of the program",
                    global.name
                );
                out.push(Diagnostic::new(Code::BadSubobject, global.place, message).severity(Severity::Warning));
            }
        }
    }
}

/// A root signature of the program, as it is reported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Declared {
    /// The variable, or the function with the attribute.
    pub name: String,
    pub is_local: bool,
    /// Functions that associations or the attribute name.
    pub exports: Vec<String>,
    pub signature: RootSignature,
}

/// The root signatures of a program, in the order of the text: subobjects, then those of functions.
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
