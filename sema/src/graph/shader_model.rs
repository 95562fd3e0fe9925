//! The check that the shader model of `-T` supports nodes. Other features of a model are not checked.

use crate::db::diagnostic::Diagnostic;
use crate::graph::rules::Check;
use crate::tables::codes::{Code, Severity};

/// The first shader model with work graphs.
const OF_NODES: (u32, u32) = (6, 8);

/// Reports the first node only: all others are wrong for the same reason.
pub(crate) fn of_nodes(check: &mut Check) {
    let model = check.program.options(check.db).shader_model.filter(|model| *model < OF_NODES);
    let Some((major, minor)) = model else { return };
    let Some(node) = check.model.nodes.first() else { return };
    let (needed, lesser) = OF_NODES;
    let message =
        format!("node `{}` needs the target `lib_{needed}_{lesser}` or later, not `lib_{major}_{minor}`", node.name);
    let wrong = Diagnostic::new(Code::ShaderModel, node.name_place, message);
    // DXC's front end does not check this for a library; its validator does.
    let is_library = check.program.options(check.db).library;
    check.out.push(if is_library { wrong.severity(Severity::Warning) } else { wrong });
}
