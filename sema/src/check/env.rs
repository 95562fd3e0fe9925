//! The facts that checking needs from the rest of the crate, in a suitable form.
//!
//! Built-in declarations differ in two respects: `vector<T, 1>` is `T`, and the attributes of
//! `stdlib/prelude/README.md` apply.

use super::fold;
use super::hir::ReadOnly;
use crate::db::Db;
use crate::db::def::{EnumId, FnId, SourcePlace, VarId};
use crate::db::diagnostic::Diagnostic;
use crate::db::items::fn_node;
use crate::db::ty::Env;
use crate::db::ty::{FnInst, GenericArg, RecordInst, Repr, Scalar, Ty, TyKind};
use crate::tables::builtin::Builtin;
use crate::types::const_eval::{self, Const, ConstTree};
use crate::types::constant_variables;
use crate::types::default_arguments;
use crate::types::globals::GlobalKind;
use crate::types::record::Field;
pub use crate::types::signature::Direction;
use crate::types::signature::{self, TemplateParam};
use wgc_frontend::ast::{self, Attribute};
use wgc_ir::ScalarConst;

/// The signature of a function for its callers.
#[derive(Clone, Debug, PartialEq, Eq, salsa::SalsaValue)]
pub struct Signature<'db> {
    pub name: String,
    pub params: Vec<Param<'db>>,
    pub ret: Ty<'db>,
    pub is_static: bool,
    pub has_body: bool,
    /// Name of the built-in operation.
    pub op: Option<String>,
    /// A call is a SPIR-V instruction.
    pub is_instruction: bool,
    /// The result is a place; `Some(true)` if it is writable.
    pub is_ref: Option<bool>,
    /// `[[wgc::variadic]]`: numbers may follow the parameters.
    pub is_variadic: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, salsa::SalsaValue)]
pub struct Param<'db> {
    pub name: String,
    /// The token of the name.
    pub at: u32,
    pub ty: Ty<'db>,
    pub direction: Direction,
    pub has_default: bool,
    pub is_const: bool,
    /// `[[wgc::place]]`
    pub is_place: bool,
    /// `[[vk::ext_reference]]`
    pub is_reference: bool,
    /// `groupshared`: refers to the argument directly, in group memory.
    pub is_shared: bool,
    /// `globallycoherent`
    pub is_coherent: bool,
    /// `precise`
    pub is_precise: bool,
    /// `[[wgc::constant]]`, `[[vk::ext_literal]]`
    pub is_constant: bool,
    /// `[[wgc::optional]]`
    pub is_optional: bool,
}

/// Computes the signature, including the attributes of built-in declarations.
#[salsa::tracked(returns(ref))]
fn signature_of<'db>(db: &'db dyn Db, f: FnInst<'db>) -> Signature<'db> {
    let raw = signature::fn_signature(db, f);
    let id = f.function(db);
    let builtin = is_internal(db, id);
    let simplify = |ty: Ty<'db>| match ty.kind(db) {
        TyKind::Vector(s, 1) if builtin => Ty::new(db, TyKind::Scalar(*s)),
        _ => ty.unordered(db),
    };
    let node = fn_node(db, id);
    let attributes = |n: usize| node.and_then(|node| node.function.params.get(n)).map_or(&[][..], |p| &p.attributes);
    let params = raw.params.iter().enumerate().map(|(i, p)| Param {
        name: p.name.clone(),
        at: p.name_place.span.lo,
        ty: simplify(p.ty),
        direction: p.direction,
        has_default: p.has_default || !builtin && default_arguments::find(db, f, i).is_some(),
        is_const: p.has("const"),
        is_place: builtin && has_attribute(attributes(i), "place"),
        is_reference: raw.instruction.is_some() && has_vulkan(attributes(i), "ext_reference"),
        is_shared: p.has("groupshared"),
        is_coherent: p.has("globallycoherent"),
        is_precise: p.has("precise"),
        is_constant: builtin && has_attribute(attributes(i), "constant")
            || raw.instruction.is_some() && has_vulkan(attributes(i), "ext_literal"),
        is_optional: builtin && has_attribute(attributes(i), "optional"),
    });
    let own = own_attributes(db, id);
    let has = |name: &str| builtin && own.iter().any(|a| crate::types::attributes::is_internal(a, name));
    Signature {
        name: raw.name.clone(),
        params: params.collect(),
        ret: simplify(raw.ret),
        is_static: raw.is_static,
        has_body: crate::types::definition::has_body(db, f),
        op: raw.op.as_ref().map(|op| op.name.clone()).filter(|_| builtin),
        is_instruction: raw.instruction.is_some(),
        is_variadic: has("variadic"),
        is_ref: if has("ref") { Some(true) } else { has("const_ref").then_some(false) },
    }
}

pub fn signature<'db>(db: &'db dyn Db, f: FnInst<'db>) -> &'db Signature<'db> {
    signature_of(db, f)
}

/// Returns the attributes of a function, including those around its templates.
pub fn own_attributes<'db>(db: &'db dyn Db, id: FnId<'db>) -> Vec<&'db Attribute> {
    let Some(node) = fn_node(db, id) else { return Vec::new() };
    crate::types::attributes::chain(node.tree, node.decl.item, &node.decl.around.templates)
}

pub fn has_attribute(attributes: &[Attribute], name: &str) -> bool {
    attributes.iter().any(|a| crate::types::attributes::is_internal(a, name))
}

fn has_vulkan(attributes: &[Attribute], name: &str) -> bool {
    attributes.iter().any(|a| crate::types::attributes::is_vulkan(a, name))
}

/// Returns whether the compiler's own files declare the function, so that `[[wgc::..]]` applies.
fn is_internal<'db>(db: &'db dyn Db, f: FnId<'db>) -> bool {
    f.item.program(db).options(db).internal
}

/// Returns whether a function is `[[wgc::indexed]]`: written `object.name[a][b]`, and not called.
pub fn is_indexed<'db>(db: &'db dyn Db, f: FnId<'db>) -> bool {
    is_internal(db, f) && own_attributes(db, f).into_iter().any(|a| crate::types::attributes::is_internal(a, "indexed"))
}

/// Returns whether `stdlib/prelude` declares the function.
pub fn is_prelude<'db>(db: &'db dyn Db, f: FnId<'db>) -> bool {
    f.item.program(db) == db.prelude()
}

/// Returns `kind` of `[[wgc::on("kind")]]`.
pub fn on<'db>(db: &'db dyn Db, f: FnId<'db>) -> Option<&'db str> {
    let node = fn_node(db, f).filter(|_| is_internal(db, f))?;
    let own = own_attributes(db, f);
    let attribute = own.into_iter().find(|a| crate::types::attributes::is_internal(a, "on"))?;
    match &node.tree.ast.exprs[*attribute.args.as_ref()?.first()?].kind {
        ast::ExprKind::Str(parts) => parts.first().map(|p| p.trim_matches('"')),
        _ => None,
    }
}

/// Returns the direction of a parameter from its modifiers.
pub fn direction(ty: &ast::TypeExpr) -> Direction {
    let has = |word: &str| ty.modifiers.iter().any(|m| m.text == word);
    match (has("in"), has("out"), has("inout")) {
        (_, _, true) | (true, true, _) => Direction::InOut,
        (_, true, _) => Direction::Out,
        _ => Direction::In,
    }
}

/// Returns the minimum and maximum number of arguments.
pub fn arity<'db>(db: &'db dyn Db, f: FnId<'db>) -> (usize, usize) {
    let params = fn_node(db, f).map_or(&[][..], |n| &n.function.params);
    let internal = is_internal(db, f);
    let may_lack = |(n, p): &(usize, &ast::Param)| {
        default_arguments::declared_by(db, f, *n).is_some() || internal && has_attribute(&p.attributes, "optional")
    };
    (params.iter().enumerate().rposition(|p| !may_lack(&p)).map_or(0, |last| last + 1), params.len())
}

pub fn template_params<'db>(db: &'db dyn Db, f: FnId<'db>) -> &'db [TemplateParam] {
    signature::template_params(db, f)
}

/// Maps a function's template parameters to the given arguments.
pub fn template_env<'db>(
    db: &'db dyn Db,
    owner: Option<RecordInst<'db>>,
    f: FnId<'db>,
    args: &[GenericArg<'db>],
) -> Env<'db> {
    let mut env = crate::types::record::env_of(db, owner);
    env.extend(template_params(db, f).iter().map(|p| p.name.clone()).zip(args.iter().cloned()));
    env
}

/// Returns the location of a function's name; `None` in the prelude.
pub fn fn_place<'db>(db: &'db dyn Db, f: FnId<'db>) -> Option<SourcePlace<'db>> {
    if is_prelude(db, f) {
        return None;
    }
    Some(SourcePlace::token(f.item, fn_node(db, f)?.function.name.at))
}

// ---- records, enums

pub fn builtin<'db>(db: &'db dyn Db, r: RecordInst<'db>) -> Option<Builtin> {
    crate::types::record::record(db, r).builtin
}

pub fn fields<'db>(db: &'db dyn Db, r: RecordInst<'db>) -> &'db [Field<'db>] {
    &crate::types::record::record(db, r).fields
}

pub fn path_to_field<'db>(db: &'db dyn Db, r: RecordInst<'db>, name: &str) -> Option<Vec<u32>> {
    crate::types::record::path_to_field(db, r, name)
}

pub fn methods<'db>(db: &'db dyn Db, r: RecordInst<'db>, name: &str) -> Vec<(RecordInst<'db>, FnId<'db>)> {
    crate::types::record::methods(db, r, name)
}

/// Returns `R` of `NodeOutput<R>`.
pub fn argument_ty<'db>(db: &'db dyn Db, r: RecordInst<'db>) -> Option<Ty<'db>> {
    crate::types::record::type_arg(db, r)
}

pub fn enum_scalar<'db>(db: &'db dyn Db, e: EnumId<'db>) -> Scalar {
    Scalar::of(const_eval::enum_values(db, e).scalar)
}

pub fn enum_value<'db>(db: &'db dyn Db, e: EnumId<'db>, n: u32) -> Option<ScalarConst> {
    let values = const_eval::enum_values(db, e);
    let value = *values.values.get(n as usize)?;
    value.map(|c| c.cast(values.scalar).to_ir())
}

pub fn size_of<'db>(db: &'db dyn Db, ty: Ty<'db>) -> Option<u32> {
    crate::types::layout::size_of(db, ty)
}

pub fn show<'db>(db: &'db dyn Db, ty: Ty<'db>) -> String {
    ty.display(db)
}

// ---- constants and globals

/// Parses a literal; the scalar is `None` without a suffix.
pub fn literal(text: &str) -> Option<(fold::Number, Option<Repr>)> {
    let is_float = match text.as_bytes() {
        [b'0', b'x' | b'X', ..] => text.contains(['p', 'P']),
        _ => text.contains(['.', 'e', 'E', 'f', 'F', 'h', 'H']),
    };
    let c = if is_float { const_eval::float_literal(text) } else { const_eval::int_literal(text) }?;
    Some(match c {
        Const::Int { value, scalar } => (fold::Number::Int(value), scalar),
        Const::Float { bits, scalar } => (fold::Number::Float(f64::from_bits(bits)), scalar),
        Const::Bool(b) => (fold::Number::Int(i128::from(b)), Some(Repr::Bool)),
    })
}

/// Returns the value of a global constant. It is unknown for specialisation constants and values that depend on one.
pub fn const_tree<'db>(db: &'db dyn Db, var: VarId<'db>, owner: Option<RecordInst<'db>>) -> Option<&'db ConstTree> {
    let is_outside = |n: crate::db::items::VarNode| {
        n.item.attributes.iter().any(|a| crate::types::attributes::is_vulkan(a, "ext_builtin_input"))
    };
    if crate::db::items::var_node(db, var).is_some_and(is_outside)
        || !constant_variables::specialised_by(db, var, owner).is_empty()
    {
        return None;
    }
    constant_variables::const_value(db, var.item, var.index, owner).ok()
}

/// Facts about a global for checking.
pub struct GlobalInfo<'db> {
    pub ty: Ty<'db>,
    /// An object: it is used through its methods and never assigned.
    pub is_object: bool,
    /// The reason why it cannot be assigned.
    pub read_only: Option<ReadOnly>,
    /// Its constant value depends on too many other constants.
    pub too_deep: bool,
    /// The property that is not compiled yet.
    pub unsupported: Option<&'static str>,
}

/// Describes a global variable or static member. Errors in its declaration are reported there.
pub fn global<'db>(db: &'db dyn Db, var: VarId<'db>, owner: Option<RecordInst<'db>>) -> GlobalInfo<'db> {
    let silent =
        GlobalInfo { ty: Ty::error(db), is_object: false, read_only: None, too_deep: false, unsupported: None };
    let Some(global) = crate::types::globals::global(db, var, owner) else { return silent };
    let (is_object, read_only) = match global.kind {
        GlobalKind::Unsupported | GlobalKind::Subobject(_) => return silent,
        GlobalKind::Text => (true, Some(ReadOnly::Const)),
        GlobalKind::Resource(_) | GlobalKind::Parts | GlobalKind::Heap => (true, None),
        GlobalKind::PushConstant if crate::types::record::builtin(db, global.ty).is_some() => (true, None),
        GlobalKind::CBufferMember(_) | GlobalKind::Loose | GlobalKind::PushConstant => {
            (false, Some(ReadOnly::Resource))
        }
        GlobalKind::Constant | GlobalKind::Specialised(_) | GlobalKind::SystemValue(_) => {
            (false, Some(ReadOnly::Const))
        }
        GlobalKind::Groupshared | GlobalKind::Static => (false, global.is_const.then_some(ReadOnly::Const)),
    };
    let needs_value = matches!(global.kind, GlobalKind::Constant | GlobalKind::Specialised(_) | GlobalKind::Static)
        && global.has_init;
    let is_specialised = matches!(global.kind, GlobalKind::Specialised(_));
    let unsupported = if let GlobalKind::SystemValue(number) = global.kind {
        let known = crate::types::inline_spirv::input(number).is_some();
        (!known).then_some("a built-in input with this number")
    } else if is_specialised
        && needs_value
        && global.diagnostics.is_empty()
        && crate::types::globals::initial_value(db, var, owner).is_none()
    {
        Some("a specialisation constant whose default is not a constant expression")
    } else {
        None
    };
    let too_deep = needs_value
        && constant_variables::const_value(db, var.item, var.index, owner)
            == Err(constant_variables::ConstError::TooDeep);
    GlobalInfo { ty: global.ty, is_object, read_only, too_deep, unsupported }
}

/// Returns the diagnostics of the declaration of a global or static member.
pub fn wrong<'db>(
    db: &'db dyn Db,
    var: VarId<'db>,
    owner: Option<RecordInst<'db>>,
) -> impl Iterator<Item = &'db Diagnostic<'db>> {
    crate::types::globals::global(db, var, owner).into_iter().flat_map(|g| &g.diagnostics)
}

/// Returns whether a global is in group memory.
pub fn is_shared<'db>(db: &'db dyn Db, var: VarId<'db>, owner: Option<RecordInst<'db>>) -> bool {
    crate::types::globals::global(db, var, owner).is_some_and(|g| g.kind == GlobalKind::Groupshared)
}
