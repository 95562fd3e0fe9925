//! The contract of one node: the declarations in its signature and attributes, and the errors in them.
//!
//! Checks that need other nodes are in [`crate::graph`]. Sections: WorkGraphs.md "Shader function attributes",
//! "Shader function parameters", "Record struct".

mod build;
mod mesh;
mod params;
mod sizes;

use crate::db::Db;
use crate::db::def::{At, Def, FnId, Item, Name, SourcePlace};
use crate::db::diagnostic::{Diagnostic, Label};
use crate::db::items::{FnNode, fn_node};
use crate::db::ty::Env;
use crate::db::ty::{FnInst, Ty};
use crate::tables::builtin::{Builtin, InputKind};
use crate::tables::codes::{Code, Severity};
use crate::tables::similar_names::closest;
use crate::types::attribute_table::{Attr, AttributeUse, Target, read};
use crate::types::attributes::{self, is_named};
use crate::types::cx::Cx;
use crate::types::node_record::RecordInfo;
use crate::types::signature::{fn_signature, template_params};
use crate::types::specialise::GivenBy;
use build::Builder;
pub use mesh::{ArrayDecl, MeshDecl};
pub(crate) use sizes::{bad_thread_group, grid_problem, thread_group, wave_size};
use wgc_frontend::ast;
use wgc_ir::{Grid, Launch, NodeId, OutputArray};

/// A node as declared, with the locations of its parts.
#[derive(Clone, Debug, PartialEq, Eq, salsa::SalsaValue)]
pub struct NodeDecl<'db> {
    pub function: FnId<'db>,
    /// The function's name.
    pub name: String,
    pub name_place: SourcePlace<'db>,
    pub id: NodeId,
    /// The location of the string in `NodeID`, of the function's name, or of the host's entry.
    pub id_place: At<'db>,
    pub launch: Launch,
    pub num_threads: [u32; 3],
    pub grid: Grid,
    pub is_entry: Option<At<'db>>,
    /// 0 without the attribute.
    pub max_recursion: u32,
    pub recursion_place: Option<SourcePlace<'db>>,
    /// `GroupSharedLimit`: the limit of its groupshared memory in bytes, instead of the default.
    pub groupshared_limit: Option<u32>,
    pub share_input_of: Option<ShareInput<'db>>,
    pub local_root_index: Option<(u32, At<'db>)>,
    pub wave_size: Option<[u32; 3]>,
    pub input: Option<InputDecl<'db>>,
    pub outputs: Vec<OutputDecl<'db>>,
    /// The outputs of a mesh node.
    pub mesh: Option<MeshDecl<'db>>,
    /// `NodeMaxInputRecordsPerGraphEntryRecord`: the number, and whether all nodes of the array share it.
    pub records_per_entry: Option<(u32, bool, SourcePlace<'db>)>,
    /// A rejected parameter may have been meant as an output.
    pub lacks_outputs: bool,
    /// Numbers from specialisation constants. The fields above hold their values at compilation.
    pub specialised: Vec<GivenBy<'db>>,
    pub diagnostics: Vec<Diagnostic<'db>>,
}

/// `NodeShareInputOf`
#[derive(Clone, Debug, PartialEq, Eq, salsa::SalsaValue)]
pub struct ShareInput<'db> {
    pub owner: NodeId,
    pub place: At<'db>,
    /// The location of the string in the shader.
    pub named: Option<SourcePlace<'db>>,
}

#[derive(Clone, Debug, PartialEq, Eq, salsa::SalsaValue)]
pub struct InputDecl<'db> {
    pub name: String,
    pub ty: Ty<'db>,
    pub kind: InputKind,
    pub read_write: bool,
    pub coherent: bool,
    /// `None` for `EmptyNodeInput` and for a wrong record type.
    pub record: Option<RecordInfo<'db>>,
    pub max_records: u32,
    /// The location of `MaxRecords`, if written.
    pub max_records_place: Option<SourcePlace<'db>>,
    /// The whole parameter.
    pub place: SourcePlace<'db>,
}

#[derive(Clone, Debug, PartialEq, Eq, salsa::SalsaValue)]
pub struct OutputDecl<'db> {
    pub name: String,
    pub ty: Ty<'db>,
    pub empty: bool,
    /// `None` for an empty output and for a wrong record type.
    pub record: Option<RecordInfo<'db>>,
    pub target: NodeId,
    /// The location of the string in `NodeID`, of the parameter's name, or of the host's entry.
    pub target_place: At<'db>,
    /// The target is the parameter's name.
    pub target_is_default: bool,
    /// Its `NodeID` was rejected, or read as something else, so its target is unknown.
    pub target_is_unknown: bool,
    pub array: OutputArray,
    /// The location of `NodeArraySize`.
    pub size_place: Option<SourcePlace<'db>>,
    pub sparse: bool,
    pub max_records: u32,
    /// The location of `MaxRecords` or `MaxRecordsSharedWith`; `None` without either.
    pub budget_place: Option<At<'db>>,
    /// The budget was rejected.
    pub budget_is_unknown: bool,
    pub shared_with: Option<u32>,
    pub place: SourcePlace<'db>,
    pub name_place: SourcePlace<'db>,
}

pub use mesh::TOPOLOGIES;

/// Stages that `Shader` may name. DXC has the same list.
pub const STAGES: &[&str] = &[
    "node",
    "compute",
    "vertex",
    "pixel",
    "geometry",
    "hull",
    "domain",
    "mesh",
    "amplification",
    "raygeneration",
    "intersection",
    "anyhit",
    "closesthit",
    "miss",
    "callable",
];

/// Returns the stage that `Shader` gives a function, as spelled in lower case.
pub fn stage<'db>(db: &'db dyn Db, f: FnId<'db>) -> Option<&'static str> {
    let node = fn_node(db, f)?;
    // Several stages are an error, so any of them will do.
    let text = function_attributes(&node).into_iter().rev().find_map(|a| shader_text(&node, a))?;
    STAGES.iter().copied().find(|s| *s == text)
}

pub fn function_attributes<'a>(node: &FnNode<'a>) -> Vec<&'a ast::Attribute> {
    attributes::chain(node.tree, node.decl.item, &node.decl.around.templates)
}

fn shader_text(node: &FnNode, attribute: &ast::Attribute) -> Option<String> {
    if !is_named(attribute, Attr::Shader) {
        return None;
    }
    match &node.tree.ast.exprs[*attribute.args.as_ref()?.first()?].kind {
        ast::ExprKind::Str(parts) => Some(attributes::unquote(parts)),
        _ => None,
    }
}

/// Returns the contract of a function that is a node; `None` for every other function.
pub fn node<'db>(db: &'db dyn Db, f: FnId<'db>) -> Option<&'db NodeDecl<'db>> {
    node_of(db, f.item, f.index).as_ref()
}

#[salsa::tracked(returns(ref))]
fn node_of<'db>(db: &'db dyn Db, item: Item<'db>, index: u32) -> Option<NodeDecl<'db>> {
    let f = FnId { item, index };
    if stage(db, f) != Some("node") || !template_params(db, f).is_empty() {
        return None;
    }
    let syntax = fn_node(db, f)?;
    if syntax.decl.around.owner.is_some() {
        return None;
    }
    if syntax.function.body == ast::Body::None && is_defined_elsewhere(db, f, &syntax.function.name.text) {
        return None;
    }
    let env = Env::new();
    let mut cx = Cx::head(db, item, &syntax.tree.ast, &env);
    let mut builder = Builder::new(&mut cx, f, &syntax);
    builder.function_attributes();
    builder.params();
    builder.finish();
    let mut out = builder.out;
    out.diagnostics = cx.errors;
    Some(out)
}

/// Returns whether this is a forward declaration: the definition is the node.
fn is_defined_elsewhere<'db>(db: &'db dyn Db, f: FnId<'db>, name: &str) -> bool {
    !definitions(db, f, name).contains(&f)
}

/// Returns the functions of this name, without forward declarations.
fn definitions<'db>(db: &'db dyn Db, f: FnId<'db>, name: &str) -> &'db [FnId<'db>] {
    let scope = Name::new(db, f.item.scope(db).to_string());
    crate::types::names::overloads(db, f.item.program(db), scope, Name::new(db, name.to_string()))
}

/// Reports a forward declaration with the attributes of a node whose definition lacks them.
fn attributes_of_declaration<'db>(
    db: &'db dyn Db,
    f: FnId<'db>,
    syntax: &FnNode,
    stage: &AttributeUse<'db>,
) -> Option<Diagnostic<'db>> {
    let name = syntax.function.name.text.as_str();
    if syntax.function.body != ast::Body::None || !is_defined_elsewhere(db, f, name) {
        return None;
    }
    let alike = |other: &&FnId<'db>| {
        fn_node(db, **other).is_some_and(|node| node.function.params.len() == syntax.function.params.len())
    };
    let definition = definitions(db, f, name).iter().find(alike)?;
    if node(db, *definition).is_some() {
        return None;
    }
    let message = format!("`{name}` has the attributes of a node on its declaration, but not on its definition");
    let place = crate::types::names::def_place(db, Def::Function(*definition))?;
    Some(Diagnostic::new(Code::BodyMissing, stage.place, message).also(place, "the definition"))
}

/// Checks the attributes of a function that is not a node, and those of its parameters: unknown stages, wrong places.
#[salsa::tracked(returns(ref))]
pub fn plain_function_attributes<'db>(db: &'db dyn Db, item: Item<'db>, index: u32) -> Vec<Diagnostic<'db>> {
    let f = FnId { item, index };
    let Some(syntax) = fn_node(db, f) else { return Vec::new() };
    let env = Env::new();
    let mut cx = Cx::head(db, item, &syntax.tree.ast, &env);
    for param in &syntax.function.params {
        params::plain(&mut cx, param);
    }
    let written = read(&mut cx, &function_attributes(&syntax), Target::Function);
    if let Some(shader) = written.iter().find(|w| w.row.attr == Attr::Shader)
        && !STAGES.contains(&shader.text())
    {
        let place = shader.arg_places.first().copied().unwrap_or(shader.place);
        let mut wrong = Diagnostic::new(Code::ShaderStage, place, format!("`{}` is not a shader stage", shader.text()));
        let lower = shader.text().to_ascii_lowercase();
        if let Some(meant) = STAGES.iter().find(|s| **s == lower) {
            wrong =
                wrong.label("write stages in lower case").fix(place, format!("\"{meant}\""), "write it in lower case");
        } else if let Some(meant) = closest(&lower, STAGES.iter().copied()) {
            wrong = wrong.meant(place, &format!("\"{meant}\""));
        }
        cx.errors.push(wrong);
        return cx.errors;
    }
    kept_with_handles(&mut cx, f, &syntax);
    // With a wrong stage, the attributes that belong to the right one are unknown.
    if cx.errors.iter().any(|d| d.code == Code::ShaderStage) {
        return cx.errors;
    }
    let stage = written.iter().find(|w| w.row.attr == Attr::Shader);
    let is_template = !template_params(db, f).is_empty();
    // One diagnostic covers all misplaced attributes. Only in a library with another stage does each get its own.
    let misplaced = written.iter().filter(|w| w.row.is_node_only() && !is_template);
    match stage {
        Some(stage) if stage.text() != "node" && !f.item.program(db).options(db).library => {
            cx.errors.extend(attributes_of_node(stage, misplaced.collect()));
        }
        // DXC rejects each of them.
        Some(stage) if stage.text() != "node" => {
            for w in misplaced {
                let message = format!("`{}` belongs on nodes, but this is a {} shader", w.row.name, stage.text());
                cx.errors
                    .push(Diagnostic::new(Code::NodeAttribute, w.place, message).also(stage.place, "because of this"));
            }
        }
        // The stage is misspelt, not missing.
        None if function_attributes(&syntax).into_iter().any(|a| is_named(a, Attr::Shader)) => {}
        None => {
            if let Some(w) = misplaced.into_iter().next() {
                let name = &syntax.function.name.text;
                let message = format!("`{name}` has node attributes but lacks `[Shader(\"node\")]`");
                let lacks = Diagnostic::new(Code::NodeAttribute, w.place, message)
                    .severity(Severity::Warning)
                    .also(SourcePlace::token(item, syntax.function.name.at), "this function");
                let misspelt = build::misspelt(&cx, &syntax, Attr::Shader);
                let lacks = match misspelt {
                    Some(build::Misspelt { attribute, word, meant, .. }) => {
                        cx.errors.retain(|d| !params::is_unknown_attribute(d, attribute));
                        let primary = Label { place: word.into(), message: String::new() };
                        Diagnostic { primary, ..lacks }.meant(word, meant)
                    }
                    None => lacks.add_attribute(w.place, "[Shader(\"node\")]"),
                };
                cx.errors.push(lacks);
            }
        }
        Some(stage) => {
            let what = match (syntax.decl.around.owner, is_template) {
                (Some(_), _) => "a method",
                (None, true) => "a template",
                (None, false) => {
                    let lost = attributes_of_declaration(db, f, &syntax, stage);
                    cx.errors.extend(lost);
                    return cx.errors;
                }
            };
            let message = format!("`{}` is {what}, so it cannot be a node", syntax.function.name.text);
            cx.errors.push(
                Diagnostic::new(Code::NodeAttribute, stage.place, message)
                    .severity(Severity::Warning)
                    .note("declare the node as a function at namespace scope, which may call this one"),
            );
        }
    }
    cx.errors
}

/// Returns one error for a shader of another stage with attributes of a node. The stage itself may be the mistake.
fn attributes_of_node<'db>(stage: &AttributeUse<'db>, misplaced: Vec<&AttributeUse<'db>>) -> Option<Diagnostic<'db>> {
    let (first, others) = misplaced.split_first()?;
    let message = format!("`{}` belongs on nodes, but this is a {} shader", first.row.name, stage.text());
    let mut wrong = Diagnostic::new(Code::NodeAttribute, first.place, message).also(stage.place, "because of this");
    for other in others {
        wrong = wrong.also(other.place, "this attribute, too");
    }
    if first.row.attr == Attr::NodeLaunch
        && let Some(place) = stage.arg_places.first()
    {
        wrong = wrong.fix(*place, "\"node\"", "make it a node");
    }
    Some(wrong)
}

/// Reports exported functions and `[noinline]` functions that take or return handles of a node: errors and warnings.
/// Other compilers do not inline them.
fn kept_with_handles<'db>(cx: &mut Cx<'_, 'db>, f: FnId<'db>, syntax: &FnNode<'db>) {
    let tree = &syntax.tree.ast;
    let noinline = function_attributes(syntax).into_iter().find(|a| is_named(a, Attr::NoInline));
    let export = tree.types[syntax.function.ret].modifiers.iter().find(|m| m.text == "export");
    let (what, at) = match (noinline, export) {
        (Some(attribute), _) => ("[noinline]", cx.place(attribute.span)),
        (None, Some(word)) => ("export", cx.token(word.at)),
        (None, None) => return,
    };
    if !template_params(cx.db, f).is_empty() || syntax.decl.around.owner.is_some() {
        return;
    }
    let signature = fn_signature(cx.db, FnInst::new(cx.db, f, None, Vec::new()));
    let is_handle = |ty: Ty<'db>| crate::types::record::builtin(cx.db, ty).is_some_and(Builtin::is_node_object);
    let name = &syntax.function.name.text;
    let message = match signature.params.iter().find(|param| is_handle(param.ty)) {
        Some(param) => format!("`{name}` is `{what}` but has the node parameter `{}`", param.name),
        None if is_handle(signature.ret) => format!("`{name}` is `{what}` but returns a handle of a node"),
        None => return,
    };
    let kept = Diagnostic::new(Code::KeptWithHandles, at, message)
        .also(SourcePlace::token(f.item, syntax.function.name.at), "this function");
    cx.errors.push(match noinline {
        Some(_) => kept.remove_attribute(at, what),
        None => kept.severity(Severity::Error).fix(at, "", format!("remove `{what}`")),
    });
}

/// Returns whether an output of the node may target the node itself.
pub(crate) fn targets_itself(decl: &NodeDecl) -> bool {
    decl.outputs.iter().any(|o| reaches(o, &decl.id))
}

/// Returns whether an output's declared range contains this ID.
pub(crate) fn reaches(output: &OutputDecl, id: &NodeId) -> bool {
    !output.target_is_unknown
        && output.target.name == id.name
        && match id.index.checked_sub(output.target.index) {
            None => false,
            Some(at) => match output.array {
                OutputArray::Single => at == 0,
                OutputArray::Sized(n) => at < n,
                OutputArray::Unbounded => true,
            },
        }
}
