//! Root signatures and the resources of a program: used resources that no signature contains.

use crate::contracts::root_signatures::{all_functions, associations, attribute, subobjects};
use crate::db::def::VarId;
use crate::db::diagnostic::Diagnostic;
use crate::db::items::{item_tree, items, var_node};
use crate::db::{Db, Program, units};
use crate::link::link;
use crate::tables::builtin::Subobject;
use crate::tables::codes::{Code, Severity};
use crate::tables::root_signature::{RootSignature, parse};
use crate::types::globals::{GlobalKind, global, symbol};
use crate::types::root_signature::{Text, strings};

/// Returns the diagnostics about root signatures and the program.
#[salsa::tracked(returns(ref))]
pub fn program_diagnostics<'db>(db: &'db dyn Db, program: Program) -> Vec<Diagnostic<'db>> {
    let subobjects = subobjects(db, program);
    let mut out = associations(db, program, &subobjects);
    uncovered(db, program, &subobjects, &mut out);
    out
}

/// Finds used resources with registers that no signature of the program contains.
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
                    "`{}` ({class}{number} in space {space}) is in no root signature of the program",
                    global.name
                );
                out.push(Diagnostic::new(Code::BadSubobject, global.place, message).severity(Severity::Warning));
            }
        }
    }
}
