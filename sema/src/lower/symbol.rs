//! Names of called functions: the plain name ([`crate::check::symbol`]) and the bindings of the parameters.

use super::{Bound, Passed};
use crate::check::env;
use crate::check::symbol::{base, full_name};
use crate::db::Db;
use crate::db::def::FnId;
use crate::db::items::fn_node;
use crate::db::ty::{FnInst, Ty, TyKind};
use wgc_ir::{Space, Symbol};

/// Returns the symbol of a called function.
pub fn callee<'db>(db: &'db dyn Db, f: FnInst<'db>, bound: &[Bound<'db>]) -> Symbol {
    let mut out = base(db, f);
    if may_be_entry(db, f.function(db)) {
        out.push_str("@call");
    }
    let first = usize::from(matches!(bound.first(), Some(Bound::This { .. })));
    let signature = env::signature(db, f);
    for (i, bound) in bound.iter().enumerate() {
        match bound {
            // Other callers may pass their own variable to the parameter.
            Bound::Resource(Passed::Plain, None)
                if signature.params.get(i - first.min(i)).is_some_and(|p| p.direction == env::Direction::InOut) =>
            {
                out.push_str(&format!("@value{i}"));
            }
            Bound::None | Bound::Unset | Bound::Resource(Passed::Plain, None) => {}
            Bound::Input => out.push_str("@input"),
            Bound::Output(id) => out.push_str(&format!("@output{id}")),
            Bound::OutputArray(id) => out.push_str(&format!("@outputs{id}")),
            Bound::This { space, record } => {
                out.push_str(&format!("@{}", space_word(*space)));
                if f.owner(db) != Some(*record) {
                    out.push_str(&format!(".{}", full_name(db, Ty::new(db, TyKind::Record(*record)))));
                }
            }
            Bound::Array(ty) => {
                if let TyKind::Array(_, Some(len)) = ty.kind(db) {
                    out.push_str(&format!("@array{i}[{len}]"));
                }
            }
            Bound::Resource(passed, array) => {
                out.push_str(&match passed {
                    Passed::Plain => String::new(),
                    Passed::Coherent => format!("@coherent{i}"),
                    Passed::Pushed => format!("@pushed{i}"),
                });
                // Omits the element type, which the parameter determines: `@bound0[4]`.
                if let Some(TyKind::Array(_, len)) = array.map(|ty| ty.kind(db)) {
                    let len = len.map(|n| n.to_string()).unwrap_or_default();
                    out.push_str(&format!("@bound{i}[{len}]"));
                }
            }
        }
    }
    out.into()
}

fn space_word(space: Space) -> &'static str {
    match space {
        Space::Function => "function",
        Space::Private => "private",
        Space::Workgroup => "groupshared",
        Space::Storage { coherent: false } => "buffer",
        Space::Storage { coherent: true } => "coherent_buffer",
        Space::Uniform => "uniform",
        Space::PushConstant => "push_constant",
        Space::NodeInput => "input_record",
        Space::NodeOutput => "output_record",
        Space::MeshOutput => "mesh_output",
        Space::Image => "texel",
        Space::Physical { coherent: false } => "memory",
        Space::Physical { coherent: true } => "coherent_memory",
    }
}

/// Returns whether a function of this declaration can also be lowered as an entry point.
fn may_be_entry<'db>(db: &'db dyn Db, f: FnId<'db>) -> bool {
    let Some(node) = fn_node(db, f) else { return false };
    let is_shader = |a: &wgc_frontend::ast::Attribute| matches!(a.path.segments.as_slice(), [s] if s.name.text.eq_ignore_ascii_case("shader"));
    let program = f.item.program(db);
    let compute = program.options(db).compute_entry.as_deref();
    node.item.attributes.iter().any(is_shader) || compute == Some(node.function.name.text.as_str())
}
