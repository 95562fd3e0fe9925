//! The contract of a compute entry point: the size of its thread groups, its wave size, its parameters.
//!
//! `-T cs_* -E NAME` makes one function of the global scope the only entry point, regardless of its attributes. A
//! library marks its compute shaders with `[Shader("compute")]`. In a library with nodes they are checked but not
//! compiled, as they are not part of the graph.

use crate::contracts::node::{bad_thread_group, function_attributes, stage, thread_group, wave_size};
use crate::db::def::{FnId, Item, SourcePlace};
use crate::db::diagnostic::Diagnostic;
use crate::db::items::fn_node;
use crate::db::items::functions;
use crate::db::ty::Env;
use crate::db::ty::{FnInst, TyKind};
use crate::db::units;
use crate::db::{Db, Program};
use crate::graph::node_functions;
use crate::tables::builtin::Builtin;
use crate::tables::codes::Code;
use crate::tables::similar_names::closest;
use crate::types::attribute_table::{Attr, AttributeUse, Target, read};
use crate::types::attributes::is_named;
use crate::types::cx::Cx;
use crate::types::signature::fn_signature;
use crate::types::specialise::GivenBy;
use crate::types::system_values;
use wgc_frontend::ast::Body;
use wgc_ir::GraphConstant;

/// A compute shader as declared.
#[derive(Clone, Debug, PartialEq, Eq, salsa::SalsaValue)]
pub struct ComputeDecl<'db> {
    pub name_place: SourcePlace<'db>,
    /// From the attributes, as far as they are valid.
    pub num_threads: [u32; 3],
    /// The components of `num_threads` that specialisation constants give.
    pub specialised: Vec<GivenBy<'db>>,
    /// `WaveSize`: minimum, maximum, preferred.
    pub wave_size: Option<[u32; 3]>,
    /// `GroupSharedLimit`: the permitted bytes of groupshared memory, instead of the default.
    pub groupshared_limit: Option<u32>,
    pub diagnostics: Vec<Diagnostic<'db>>,
}

/// Returns the functions that hosts start directly.
#[salsa::tracked(returns(ref))]
pub fn compute_entries<'db>(db: &'db dyn Db, program: Program) -> Vec<FnId<'db>> {
    let named = program.options(db).compute_entry.as_deref();
    if named.is_none() && !node_functions(db, program).is_empty() {
        return Vec::new();
    }
    let is_entry = |f: &FnId<'db>| match named {
        Some(name) => can_be_named(db, *f) == Some(name),
        None => has_own_body(db, *f) && stage(db, *f) == Some("compute"),
    };
    units(db, program).into_iter().flat_map(|unit| functions(db, unit)).filter(is_entry).collect()
}

/// Returns the compute shaders of a library that also has nodes.
pub(crate) fn beside_nodes<'db>(db: &'db dyn Db, program: Program) -> Vec<FnId<'db>> {
    if program.options(db).compute_entry.is_some() || node_functions(db, program).is_empty() {
        return Vec::new();
    }
    let is_shader = |f: &FnId<'db>| has_own_body(db, *f) && stage(db, *f) == Some("compute");
    units(db, program).into_iter().flat_map(|unit| functions(db, unit)).filter(is_shader).collect()
}

/// Returns whether a declaration is a function with a body, and not a method.
fn has_own_body(db: &dyn Db, f: FnId<'_>) -> bool {
    fn_node(db, f).is_some_and(|node| {
        node.function.body != Body::None && node.decl.around.owner.is_none() && node.function.owner.is_none()
    })
}

/// Returns the name of a function that `-E` can select.
fn can_be_named<'db>(db: &'db dyn Db, f: FnId<'db>) -> Option<&'db str> {
    let node = fn_node(db, f).filter(|_| has_own_body(db, f) && f.item.scope(db).is_empty())?;
    Some(node.function.name.text.as_str())
}

/// Functions that a message names.
const SHOWN: usize = 4;

/// Reports that `-E` names no suitable function. Suggests the one with the most similar name, or else the functions
/// with a number of threads. Returns only the message if there are none.
pub(crate) fn no_entry<'db>(db: &'db dyn Db, program: Program, name: &str) -> Result<Diagnostic<'db>, String> {
    let message = format!("no function `{name}` can be the entry point");
    // A node gets its input from a graph.
    let is_of_compute = |f: &FnId<'db>| matches!(stage(db, *f), None | Some("compute"));
    let all = units(db, program).into_iter().flat_map(|unit| functions(db, unit)).filter(is_of_compute);
    let mut known: Vec<(FnId<'db>, &str)> = all.filter_map(|f| Some((f, can_be_named(db, f)?))).collect();
    let near = closest(name, known.iter().map(|(_, name)| *name));
    let has_threads = |f: FnId<'db>| {
        let node = fn_node(db, f);
        node.is_some_and(|node| node.item.attributes.iter().any(|a| is_named(a, Attr::NumThreads)))
    };
    if let Some(near) = near {
        known.retain(|(_, name)| *name == near);
    } else if known.iter().any(|(f, _)| has_threads(*f)) {
        known.retain(|(f, _)| has_threads(*f));
    }
    let place = |f: FnId<'db>| fn_signature(db, FnInst::new(db, f, None, Vec::new())).name_place;
    let mut shown = known.iter().take(SHOWN);
    let Some((first, called)) = shown.next() else { return Err(message) };
    let label = match near {
        Some(near) => format!("did you mean `-E {near}`?"),
        None => format!("try `-E {called}`"),
    };
    let diagnostic = Diagnostic::new(Code::EntryNotFound, place(*first), message).label(label);
    let others = shown.fold(diagnostic, |d, (f, called)| d.also(place(*f), format!("try `-E {called}`")));
    Ok(match known.len().checked_sub(SHOWN) {
        Some(more @ 1..) => others.note(format!("and {more} more functions with a body that are not methods")),
        _ => others,
    })
}

/// Reports an entry point of `-E` whose name several functions have.
pub(crate) fn ambiguous_entry<'db>(db: &'db dyn Db, program: Program) -> Option<Diagnostic<'db>> {
    let name = program.options(db).compute_entry.as_deref()?;
    let [first, others @ ..] = compute_entries(db, program).as_slice() else { return None };
    let place = |f: &FnId<'db>| fn_signature(db, FnInst::new(db, *f, None, Vec::new())).name_place;
    let message = format!("several functions named `{name}` can be the entry point");
    let several = Diagnostic::new(Code::EntryNotFound, place(first), message);
    (!others.is_empty()).then(|| others.iter().fold(several, |d, f| d.also(place(f), "another one")))
}

/// Returns the contract of one of [`compute_entries`].
pub fn compute<'db>(db: &'db dyn Db, f: FnId<'db>) -> &'db ComputeDecl<'db> {
    compute_of(db, f.item, f.index)
}

#[salsa::tracked(returns(ref))]
fn compute_of<'db>(db: &'db dyn Db, item: Item<'db>, index: u32) -> ComputeDecl<'db> {
    let f = FnId { item, index };
    let signature = fn_signature(db, FnInst::new(db, f, None, Vec::new()));
    let (name, name_place) = (&signature.name, signature.name_place);
    let mut out = ComputeDecl {
        name_place,
        num_threads: [1, 1, 1],
        specialised: Vec::new(),
        wave_size: None,
        groupshared_limit: None,
        diagnostics: Vec::new(),
    };
    let Some(syntax) = fn_node(db, f) else { return out };
    let env = Env::new();
    let mut cx = Cx::head(db, item, &syntax.tree.ast, &env);
    let attributes = function_attributes(&syntax);
    let written = read(&mut cx, &attributes, Target::Function);
    // With two stages the intended one is unclear.
    if cx.errors.iter().any(|d| d.code == Code::ShaderStage) {
        return out;
    }
    // The functions' own checks report the errors that `read` finds.
    cx.errors.clear();
    let of = |attr: Attr| written.iter().find(|w: &&AttributeUse<'db>| w.row.attr == attr);
    match of(Attr::NumThreads).map(|w| (w, thread_group(w.int3()))) {
        Some((w, Ok(threads))) => {
            out.num_threads = threads;
            out.specialised.extend(w.specialised(GraphConstant::Threads));
        }
        Some((w, Err(message))) => {
            cx.errors.push(bad_thread_group("compute shader", name, name_place, w.place, &message));
        }
        // A malformed attribute is not a missing one.
        None if attributes.iter().any(|a| is_named(a, Attr::NumThreads)) => {}
        None => {
            let message = format!("compute shader `{name}` lacks `NumThreads`");
            cx.errors.push(
                Diagnostic::new(Code::MissingNumThreads, name_place, message).note("add `[NumThreads(x, y, z)]`"),
            );
        }
    }
    match of(Attr::WaveSize).map(wave_size) {
        Some(Ok(sizes)) => out.wave_size = Some(sizes),
        Some(Err(wrong)) => cx.errors.push(*wrong),
        None => {}
    }
    out.groupshared_limit = of(Attr::GroupSharedLimit).and_then(|w| w.uint(0));
    if !matches!(signature.ret.kind(db), TyKind::Void | TyKind::Error) {
        let message = format!("compute shader `{name}` must return `void`, not `{}`", signature.ret.display(db));
        cx.errors.push(Diagnostic::new(Code::NodeReturnsVoid, name_place, message));
    }
    // For a node with another stage, the attributes' diagnostics suffice.
    let is_node = !item.program(db).options(db).library && written.iter().any(|w| w.row.is_node_only());
    let is_object = |ty| crate::types::record::builtin(db, ty).is_some_and(Builtin::is_node_object);
    for param in signature.params.iter().filter(|param| !is_node || !is_object(param.ty)) {
        system_values::check_param(&mut cx, None, param);
    }
    out.diagnostics = cx.errors;
    out
}
