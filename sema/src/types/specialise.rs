//! Specialisation constants: `[[vk::constant_id(n)]] const T x = default;`.
//!
//! In code they are values that a pipeline sets. In attributes they supply numbers of the graph, directly or in
//! expressions ([`crate::types::spec_value`]), see [`argument`]. `static const` variables that depend on one are
//! computed at their use, see [`crate::check::initial`]. Some uses need a constant at compile time, also through such
//! variables: sizes of arrays, and attributes that supply no number of the graph. They use the value at compilation,
//! with a warning. That is the default, or the value of `--spec`.

use crate::db::def::{Item, VarId};
use crate::db::diagnostic::Diagnostic;
use crate::db::items::{VarNode, item_tree, items, var_node};
use crate::db::ty::Env;
use crate::db::ty::{Repr as Scalar, Ty, TyKind};
use crate::db::{Db, Program};
use crate::tables::codes::Code;
use crate::types::attributes;
use crate::types::const_eval::Const;
use crate::types::cx::Cx;
use crate::types::spec_value::{Open, open};
use indexmap::IndexSet;
use std::collections::BTreeSet;
use wgc_frontend::ast::{ExprId, Span};
use wgc_ir::{GraphConstant, Specialised};

/// A number of the graph, and the expression that supplies it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, salsa::SalsaValue)]
pub struct GivenBy<'db> {
    pub what: GraphConstant,
    pub by: Open<'db>,
}

/// Converts to the IR.
pub(crate) fn to_ir<'a, 'db: 'a>(db: &'db dyn Db, all: impl IntoIterator<Item = &'a GivenBy<'db>>) -> Specialised {
    all.into_iter().map(|given| (given.what, given.by.to_ir(db))).collect()
}

/// Returns the number in `[[vk::constant_id(n)]]`; `None` for other variables and for invalid numbers.
pub(crate) fn id<'db>(db: &'db dyn Db, var: VarId<'db>) -> Option<u32> {
    let node = var_node(db, var)?;
    let attribute = node.item.attributes.iter().find(|a| attributes::is_vulkan(a, "constant_id"))?;
    let env = Env::new();
    let mut cx = Cx::head(db, var.item, &node.tree.ast, &env);
    let argument = attribute.args.as_ref()?.first()?;
    // No warning about constants in the number: it would need their numbers.
    cx.unfixed_constant(*argument)?.to_int().and_then(|n| u32::try_from(n).ok())
}

/// Returns whether a variable has the attribute.
pub(crate) fn is_specialised(node: &VarNode) -> bool {
    node.item.attributes.iter().any(|a| attributes::is_vulkan(a, "constant_id"))
}

/// Returns the value that `--spec` gives a constant instead of its default.
///
/// # Errors
/// Returns a message for the user about the text.
pub(crate) fn given<'db>(db: &'db dyn Db, var: VarId<'db>, scalar: Scalar) -> Option<Result<Const, String>> {
    let all = &var.item.program(db).options(db).specialisation;
    if all.is_empty() {
        return None;
    }
    let id = id(db, var)?;
    let (_, text) = all.iter().rev().find(|(n, _)| *n == id)?;
    let value = parse(text, scalar);
    let shown = crate::db::ty::Scalar::of(scalar).name();
    Some(value.ok_or_else(|| format!("the value `{text}` for constant {id} is not a `{shown}`")))
}

/// Reads a value from a command line or a run file: an integer, a float, `true` or `false`.
pub fn parse(text: &str, scalar: Scalar) -> Option<Const> {
    if scalar.is_float() {
        return text.parse().ok().map(|value| Const::float(value, Some(scalar)));
    }
    let value: i128 = match (text, text.strip_prefix("0x")) {
        ("true", _) if scalar == Scalar::Bool => 1,
        ("false", _) if scalar == Scalar::Bool => 0,
        (_, Some(digits)) => i128::from_str_radix(digits, 16).ok()?,
        (_, None) => text.parse().ok()?,
    };
    let parsed = Const::Int { value, scalar: None };
    let kept = parsed.cast(scalar);
    // The value must fit without truncation.
    (kept.to_int() == Some(value)).then_some(kept)
}

/// Returns the numbers of all constants of a program, used or not.
#[salsa::tracked(returns(ref))]
pub fn ids(db: &dyn Db, program: Program) -> BTreeSet<u32> {
    let of_item = |item: &Item<'_>| -> Vec<u32> {
        let vars = 0..item_tree(db, *item).decls.vars.len() as u32;
        let vars = vars.map(|index| VarId { item: *item, index });
        vars.filter(|v| var_node(db, *v).is_some_and(|n| is_specialised(&n))).filter_map(|v| id(db, v)).collect()
    };
    items(db, program).iter().flat_map(of_item).collect()
}

/// Checks the declaration of a constant.
pub(crate) fn check<'db>(cx: &mut Cx<'_, 'db>, node: &VarNode<'db>, ty: Ty<'db>, is_static: bool) {
    let span = node.declarator.span;
    if ty.is_error(cx.db) {
        return;
    }
    if !matches!(ty.kind(cx.db), TyKind::Scalar(_)) {
        let message = format!("a specialisation constant must be a scalar, not `{}`", ty.display(cx.db));
        cx.error(Code::SpecialisationConstant, span, message);
    }
    if is_static {
        let message = "a `static` variable cannot be a specialisation constant: it is not visible to the host";
        cx.error(Code::SpecialisationConstant, span, message);
    }
    if node.declarator.init.is_none() {
        let message = format!("the specialisation constant `{}` has no default", node.declarator.name.text);
        cx.error(Code::SpecialisationConstant, span, message);
    }
}

/// Reports a constant whose default needs another one.
pub(crate) fn depends<'db>(cx: &mut Cx<'_, 'db>, span: Span) {
    if !std::mem::take(&mut cx.specialised).is_empty() {
        let message = "the default of a specialisation constant cannot depend on another one";
        cx.error(Code::SpecialisationConstant, span, message);
    }
}

/// Warns about constants that an expression was evaluated with.
pub(crate) fn warn_fixed(cx: &mut Cx<'_, '_>, span: Span) {
    let fixed: IndexSet<VarId<'_>> = std::mem::take(&mut cx.specialised).into_iter().collect();
    for var in fixed {
        let name = var_node(cx.db, var).map(|n| n.declarator.name.text.to_string()).unwrap_or_default();
        let message = format!("specialisation cannot change `{name}` here: wgc needs the value at compile time");
        let mut warning = Diagnostic::new(Code::FixedSpecialisation, cx.place(span), message);
        if let Some(id) = id(cx.db, var) {
            warning = warning.note(format!("set it with `--spec {id}=VALUE`"));
        }
        cx.errors.push(warning);
    }
}

/// Evaluates an argument of an attribute. Also returns the expression if hosts may still change the value.
/// `stays_open` means that the attribute supplies a number of the graph.
pub(crate) fn argument<'db>(
    cx: &mut Cx<'_, 'db>,
    expr: ExprId,
    stays_open: bool,
) -> Option<(Const, Option<Open<'db>>)> {
    let before = std::mem::take(&mut cx.specialised);
    let value = cx.unfixed_constant(expr);
    let mut by = None;
    if let Some(value) = value.filter(|_| stays_open && !cx.specialised.is_empty()) {
        // A boolean is not a number of the graph.
        by = open(cx, expr, value).filter(|open| matches!(open.scalar, Scalar::U32 | Scalar::I32));
        if by.is_some() {
            cx.specialised.clear();
        }
    }
    warn_fixed(cx, cx.ast.exprs[expr].span);
    cx.specialised = before;
    Some((value?, by))
}
