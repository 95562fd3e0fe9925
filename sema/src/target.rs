//! What a target refuses in a program that is right, as a diagnostic of its source.
//!
//! Back ends see the IR, which has names and no places: they name a function and a local, and here those are looked up
//! in the bodies that the module was made of.

use crate::builtin::Builtin;
use crate::check::check;
use crate::codes::{Code, Severity};
use crate::db::{Db, Program};
use crate::def::Place;
use crate::diagnostic::{Diagnostic, FileRange, Rendered, RenderedLabel};
use crate::diagnostics::rendered;
use crate::items::fn_node;
use crate::link::link;
use crate::lower::symbol;
use crate::record::record;
use crate::signature::fn_signature;
use crate::source_map::source_map;
use crate::ty::{FnInst, Ty, TyKind};
use wgc_frontend::ast::Body;
use wgc_ir::SourceText;

/// The local of the function named so in the module, of which a target cannot tell what it refers to: it may be one
/// of a function that was inlined into that one, or what such a function returns. `None` when no place is found.
pub fn merged_handle(db: &dyn Db, program: Program, function: &str, local: &str) -> Option<Rendered> {
    let reached = &link(db, program).reached;
    let mut functions: Vec<FnInst<'_>> = reached.iter().copied().collect();
    // The function itself before those inlined into it.
    functions.sort_by_key(|f| symbol::entry(db, *f) != function);
    let declared = functions.iter().find_map(|f| declaration(db, *f, local));
    let returned = || {
        // The inliner's name for what a call gives: the symbol of the callee, whose plain name ends at an `@`.
        let callee = local.strip_suffix(".result")?.split('@').next()?;
        let callee = functions.iter().find(|f| symbol::entry(db, **f) == callee)?;
        Some(fn_signature(db, *callee).name_place)
    };
    let (place, what) = match declared {
        Some(place) => (place, format!("which records `{local}` holds")),
        None => (returned()?, "which records this function returns".to_owned()),
    };
    let message = format!("{what} depends on control flow, which spirv-amdx cannot express");
    let diagnostic = Diagnostic::new(Code::MergedHandle, place, message)
        .note("use the records in the branch that gets them")
        .note("`--target spirv-emulated` takes this as it is");
    Some(rendered(db, &diagnostic))
}

/// A sample whose offset Vulkan does not take, at the token where it was written. `None` when that place is not known.
pub fn refused_offset(db: &dyn Db, program: Program, text: &SourceText, token: u32, why: &str) -> Option<Rendered> {
    let sources = source_map(db, program);
    let at = sources.locate(text, token)?;
    let file = sources.files.get(at.file as usize)?;
    let mut lines = file.text.split_inclusive(|&byte| byte == b'\n');
    let before: usize = lines.by_ref().take(at.line as usize - 1).map(<[u8]>::len).sum();
    let lo = before + at.column as usize - 1;
    // What is written there, up to the end of the line or of the statement.
    let rest = file.text.get(lo..)?;
    let len = rest.iter().position(|byte| matches!(byte, b'\n' | b'\r' | b';')).unwrap_or(rest.len());
    let range = FileRange { file: file.path.as_str().into(), lo: lo as u32, hi: (lo + len) as u32 };
    Some(Rendered {
        code: Code::TexelOffset,
        severity: Severity::Error,
        message: why.to_owned(),
        labels: vec![RenderedLabel { range, message: String::new(), trail: Vec::new() }],
        notes: vec!["`Load` takes variable offsets, and a coordinate can be moved by hand".to_owned()],
        fix: None,
    })
}

/// The last variable of a function with this name that holds records.
fn declaration<'db>(db: &'db dyn Db, f: FnInst<'db>, name: &str) -> Option<Place<'db>> {
    let id = crate::definition::function(db, f).function;
    let Body::Sliced(body) = fn_node(db, id)?.function.body else { return None };
    let holds_records = |ty: Ty<'db>| match ty.kind(db) {
        TyKind::Record(inst) => matches!(record(db, *inst).builtin, Some(Builtin::OutputRecords(_))),
        _ => false,
    };
    let locals = &check(db, f).body.locals;
    let local = locals.iter().rfind(|local| local.name == name && holds_records(local.ty))?;
    Some(Place { item: id.item, body: Some(body), span: local.span })
}
