//! The table of system values that node parameters can have (WorkGraphs.md, Shader function parameters).

use crate::codes::Code;
use crate::cx::Cx;
use crate::db::Db;
use crate::def::Place;
use crate::diagnostic::Diagnostic;
use crate::ty::{Scalar, Ty, TyKind};
use wgc_ir::{Builtin, Launch};

#[derive(Debug)]
pub struct Row {
    /// Usual spelling; any case is accepted.
    pub name: &'static str,
    pub builtin: Builtin,
    /// Components of the value; a parameter takes the first ones.
    pub components: u8,
    pub launch: &'static [Launch],
}

const GROUP: &[Launch] = &[Launch::Broadcasting, Launch::Coalescing];
const GRID: &[Launch] = &[Launch::Broadcasting];

pub const TABLE: &[Row] = &[
    Row { name: "SV_GroupThreadID", builtin: Builtin::GroupThreadId, components: 3, launch: GROUP },
    Row { name: "SV_GroupIndex", builtin: Builtin::GroupIndex, components: 1, launch: GROUP },
    Row { name: "SV_GroupID", builtin: Builtin::GroupId, components: 3, launch: GRID },
    Row { name: "SV_DispatchThreadID", builtin: Builtin::DispatchThreadId, components: 3, launch: GRID },
];

pub fn find(semantic: &str) -> Option<&'static Row> {
    TABLE.iter().find(|row| row.name.eq_ignore_ascii_case(semantic))
}

/// `a broadcasting`, for messages.
pub fn launch_name(launch: Launch) -> &'static str {
    match launch {
        Launch::Broadcasting => "broadcasting",
        Launch::Coalescing => "coalescing",
        Launch::Thread => "thread",
    }
}

/// Checks one value with a semantic, in a parameter or in a structure of one. `launch` is `None` for compute shaders,
/// which have all of the table.
pub fn check<'db>(
    cx: &mut Cx<'_, 'db>,
    launch: Option<Launch>,
    ty: Ty<'db>,
    semantic: &(String, Place<'db>),
    place: Place<'db>,
) {
    let db = cx.db;
    let (name, at) = (&semantic.0, semantic.1);
    let Some(row) = find(name) else {
        let message = format!("nothing provides `{name}`");
        let names: Vec<_> =
            TABLE.iter().filter(|r| launch.is_none_or(|l| r.launch.contains(&l))).map(|r| r.name).collect();
        let known = if names.is_empty() { "none".to_string() } else { names.join(", ") };
        let code = if name.to_ascii_lowercase().starts_with("sv_") { Code::SystemValue } else { Code::NodeParameter };
        cx.errors.push(Diagnostic::new(code, at, message).note(format!("system values here: {known}")));
        return;
    };
    if let Some(launch) = launch
        && !row.launch.contains(&launch)
    {
        let mode = launch_name(launch);
        let message = format!("a {mode} node has no `{}`", row.name);
        let why = match launch {
            Launch::Thread => "threads of a thread-launch node are not in a group that they can see",
            Launch::Coalescing => "groups of a coalescing node form no grid",
            Launch::Broadcasting => "this mode has no such value",
        };
        cx.errors.push(Diagnostic::new(Code::SystemValue, at, message).note(why));
        return;
    }
    if !fits(db, ty, row) && !ty.is_error(db) {
        let wanted = if row.components == 1 { "`uint`" } else { "`uint`, `uint2` or `uint3`" };
        let message = format!("`{}` is {wanted}, not `{}`", row.name, ty.display(db));
        cx.errors.push(Diagnostic::new(Code::SystemValueType, place, message));
    }
}

fn fits<'db>(db: &'db dyn Db, ty: Ty<'db>, row: &Row) -> bool {
    let (scalar, components) = match ty.kind(db) {
        TyKind::Scalar(s) => (*s, 1),
        TyKind::Vector(s, n) => (*s, *n),
        _ => return false,
    };
    matches!(scalar, Scalar::U32 | Scalar::I32 | Scalar::U16 | Scalar::I16) && components <= row.components
}
