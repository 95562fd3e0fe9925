//! The table of system values for parameters of nodes and compute shaders, and their checks (WorkGraphs.md, Shader
//! function parameters).

use crate::db::Db;
use crate::db::def::SourcePlace;
use crate::db::diagnostic::{Diagnostic, Label};
use crate::db::ty::{RecordInst, Repr as Scalar, Ty, TyKind};
use crate::tables::codes::Code;
use crate::tables::similar_names::closest;
use crate::types::cx::Cx;
use crate::types::record::record;
use crate::types::signature::{Direction, Param};
use wgc_ir::{Builtin, Launch};

#[derive(Debug)]
pub struct SystemValueRow {
    /// The usual spelling; any case is accepted.
    pub name: &'static str,
    pub builtin: Builtin,
    /// Components of the value; a parameter takes the first ones.
    pub components: u8,
    pub launch: &'static [Launch],
}

const GROUP: &[Launch] = &[Launch::Broadcasting, Launch::Coalescing, Launch::Mesh];
const GRID: &[Launch] = &[Launch::Broadcasting, Launch::Mesh];

pub const TABLE: &[SystemValueRow] = &[
    SystemValueRow { name: "SV_GroupThreadID", builtin: Builtin::GroupThreadId, components: 3, launch: GROUP },
    SystemValueRow { name: "SV_GroupIndex", builtin: Builtin::GroupIndex, components: 1, launch: GROUP },
    SystemValueRow { name: "SV_GroupID", builtin: Builtin::GroupId, components: 3, launch: GRID },
    SystemValueRow { name: "SV_DispatchThreadID", builtin: Builtin::DispatchThreadId, components: 3, launch: GRID },
];

/// Finds a row by the semantic as written. An index after it, as in `SV_GroupID0`, has no effect, as in DXC.
pub fn find(semantic: &str) -> Option<&'static SystemValueRow> {
    let name = semantic.trim_end_matches(|c: char| c.is_ascii_digit());
    TABLE.iter().find(|row| row.name.eq_ignore_ascii_case(name))
}

/// Returns the name of a launch mode, for messages.
pub fn launch_name(launch: Launch) -> &'static str {
    match launch {
        Launch::Broadcasting => "broadcasting",
        Launch::Coalescing => "coalescing",
        Launch::Thread => "thread",
        Launch::Mesh => "mesh",
    }
}

/// Checks a parameter that is not a node object: a system value, or a structure of them. `launch` is `None` for
/// compute shaders, which have the whole table.
pub fn check_param<'db>(cx: &mut Cx<'_, 'db>, launch: Option<Launch>, param: &Param<'db>) {
    let what = if launch.is_some() { "node" } else { "compute shader" };
    if param.direction != Direction::In {
        let message = format!("`{}`: a {what} cannot have `out` parameters", param.name);
        cx.errors.push(Diagnostic::new(Code::NodeParameter, param.place, message));
        return;
    }
    if let Some(semantic) = &param.semantic {
        check(cx, launch, param.ty, semantic, param.place);
        return;
    }
    if let TyKind::Record(inst) = param.ty.kind(cx.db)
        && record(cx.db, *inst).builtin.is_none()
        && has_semantics(cx.db, *inst)
    {
        check_struct(cx, launch, *inst, param);
        return;
    }
    if param.ty.is_error(cx.db) {
        return;
    }
    let message = format!("no source for the parameter `{}`", param.name);
    let have = match launch {
        Some(_) => {
            "the parameters of a node can be its input, its outputs and system values such as `uint i : SV_GroupIndex`"
        }
        None => "compute shader parameters can be system values such as `uint3 id : SV_DispatchThreadID`",
    };
    let mut diagnostic = Diagnostic::new(Code::MissingSemantic, param.name_place, message).note(have);
    if let (Some(launch), TyKind::Record(inst)) = (launch, param.ty.kind(cx.db))
        && record(cx.db, *inst).builtin.is_none()
        && crate::types::layout::record_layout(cx.db, *inst).as_ref().is_ok_and(|layout| layout.size > 0)
    {
        let (object, ty) = (input_object(launch), param.ty.display(cx.db));
        diagnostic =
            diagnostic.note(format!("declare the input of a {} node as `{object}<{ty}>`", launch_name(launch)));
    }
    if crate::types::globals::is_resource(cx.db, param.ty) {
        let name = &param.name;
        diagnostic = diagnostic.note(format!("declare `{name}` outside the function, as a global variable"));
    }
    cx.errors.push(diagnostic);
}

/// Returns the input object for the records of a launch mode.
pub(crate) fn input_object(launch: Launch) -> &'static str {
    match launch {
        Launch::Broadcasting | Launch::Mesh => "DispatchNodeInputRecord",
        Launch::Coalescing => "GroupNodeInputRecords",
        Launch::Thread => "ThreadNodeInputRecord",
    }
}

/// Returns whether any field, also in a nested structure, has a semantic. A structure without fields passes.
fn has_semantics<'db>(db: &'db dyn crate::db::Db, inst: RecordInst<'db>) -> bool {
    let fields = &record(db, inst).fields;
    let inner = |ty: Ty<'db>| match ty.kind(db) {
        TyKind::Record(inner) => *inner != inst && record(db, *inner).builtin.is_none() && has_semantics(db, *inner),
        _ => false,
    };
    fields.is_empty() || fields.iter().any(|f| f.semantic.is_some() || inner(f.ty))
}

/// Checks that each field of a structure parameter is a system value or again a structure.
fn check_struct<'db>(cx: &mut Cx<'_, 'db>, launch: Option<Launch>, inst: RecordInst<'db>, param: &Param<'db>) {
    let db = cx.db;
    for field in &record(db, inst).fields {
        match (&field.semantic, field.ty.kind(db)) {
            (Some(semantic), _) => {
                let before = cx.errors.len();
                check(cx, launch, field.ty, semantic, field.place);
                for error in &mut cx.errors[before..] {
                    let message = "through this parameter".to_string();
                    error.secondary.push(Label { place: param.place.into(), message });
                }
            }
            (None, TyKind::Record(inner)) if record(db, *inner).builtin.is_none() && *inner != inst => {
                check_struct(cx, launch, *inner, param);
            }
            (None, TyKind::Error) => {}
            (None, _) => {
                let message = format!("no source for the field `{}` of parameter `{}`", field.name, param.name);
                cx.errors.push(
                    Diagnostic::new(Code::MissingSemantic, field.place, message).also(param.place, "this parameter"),
                );
            }
        }
    }
}

/// Checks one value with a semantic, in a parameter or in a structure of one.
fn check<'db>(
    cx: &mut Cx<'_, 'db>,
    launch: Option<Launch>,
    ty: Ty<'db>,
    semantic: &(String, SourcePlace<'db>),
    place: SourcePlace<'db>,
) {
    let db = cx.db;
    let (name, at) = (&semantic.0, semantic.1);
    let Some(row) = find(name) else {
        let message = format!("`{name}` is not a system value available here");
        let names: Vec<_> =
            TABLE.iter().filter(|r| launch.is_none_or(|l| r.launch.contains(&l))).map(|r| r.name).collect();
        let known = if names.is_empty() { "none".to_string() } else { names.join(", ") };
        let code = if name.to_ascii_lowercase().starts_with("sv_") { Code::SystemValue } else { Code::NodeParameter };
        let mut unknown = Diagnostic::new(code, at, message).note(format!("available system values: {known}"));
        if let Some(meant) = closest(name, names) {
            unknown = unknown.meant(at, meant);
        }
        cx.errors.push(unknown);
        return;
    };
    if let Some(launch) = launch
        && !row.launch.contains(&launch)
    {
        let mode = launch_name(launch);
        let message = format!("`{}` is not available in a {mode} node", row.name);
        let why = match launch {
            Launch::Thread => "threads of a thread-launch node have no group that they can use",
            Launch::Coalescing => "groups of a coalescing node form no grid",
            Launch::Broadcasting | Launch::Mesh => "this mode has no such value",
        };
        cx.errors.push(Diagnostic::new(Code::SystemValue, at, message).note(why));
        return;
    }
    if !fits(db, ty, row) && !ty.is_error(db) {
        let wanted = match row.components {
            1 => "a 16- or 32-bit integer",
            _ => "a 16- or 32-bit integer, or a vector of two or three",
        };
        let message = format!("`{}` must be {wanted}, not `{}`", row.name, ty.display(db));
        cx.errors.push(Diagnostic::new(Code::SystemValueType, place, message));
    }
}

fn fits<'db>(db: &'db dyn Db, ty: Ty<'db>, row: &SystemValueRow) -> bool {
    let (scalar, components) = match ty.kind(db) {
        TyKind::Scalar(s) => (s.repr(), 1),
        TyKind::Vector(s, n) => (s.repr(), *n),
        _ => return false,
    };
    matches!(scalar, Scalar::U32 | Scalar::I32 | Scalar::U16 | Scalar::I16) && components <= row.components
}
