//! The contract of one node: what its signature and attributes declare, and what is wrong with them by themselves.
//!
//! Everything that needs other nodes is in [`crate::graph`]. Sections: WorkGraphs.md "Shader function attributes",
//! "Shader function parameters", "Record struct".

mod mesh;
mod params;
mod sizes;

use crate::attribute_table::{self, Attr, Target, Value, Written, read};
use crate::attributes;
use crate::builtin::{Builtin, InputKind};
use crate::codes::{Code, Severity};
use crate::cx::{Cx, Env};
use crate::db::Db;
use crate::def::{At, FnId, Item, Name, Place};
use crate::diagnostic::Diagnostic;
use crate::figures::grouped;
use crate::items::{FnNode, fn_node};
use crate::names::closest;
use crate::node_record::{RecordInfo, misspelled_grid};
use crate::signature::{Param, fn_signature, template_params};
use crate::specialise::GivenBy;
use crate::system_values::launch_name;
use crate::ty::{FnInst, Ty, TyKind};
pub use mesh::{ArrayDecl, MeshDecl};
use sizes::mesh_group;
pub(crate) use sizes::{bad_thread_group, grid_problem, thread_group, wave_size};
use wgc_frontend::ast;
use wgc_ir::{GraphConstant, Grid, Launch, NodeId, OutputArray};

/// A node as declared, with the places of its parts.
#[derive(Clone, Debug, PartialEq, Eq, salsa::SalsaValue)]
pub struct NodeDecl<'db> {
    pub function: FnId<'db>,
    /// The function's name.
    pub name: String,
    pub name_place: Place<'db>,
    pub id: NodeId,
    /// Of `NodeID`'s string, of the function's name, or of the host's.
    pub id_place: At<'db>,
    /// The index was read as another one, with a warning: what follows from it is no news.
    pub id_is_doubtful: bool,
    pub launch: Launch,
    pub num_threads: [u32; 3],
    pub grid: Grid,
    pub is_entry: Option<At<'db>>,
    /// 0 without the attribute.
    pub max_recursion: u32,
    pub recursion_place: Option<Place<'db>>,
    /// `GroupSharedLimit`: bytes of groupshared memory that it may use, instead of the default.
    pub groupshared_limit: Option<u32>,
    pub share_input_of: Option<ShareInput<'db>>,
    pub local_root_index: Option<(u32, At<'db>)>,
    pub wave_size: Option<[u32; 3]>,
    pub input: Option<InputDecl<'db>>,
    pub outputs: Vec<OutputDecl<'db>>,
    /// Of mesh nodes alone.
    pub mesh: Option<MeshDecl<'db>>,
    /// `NodeMaxInputRecordsPerGraphEntryRecord`: how many, and whether that is for all nodes of the array together.
    pub records_per_entry: Option<(u32, bool, Place<'db>)>,
    /// A parameter that may have been meant as an output was refused.
    pub lacks_outputs: bool,
    /// Numbers that specialisation constants give; those above are by their values of compilation.
    pub specialised: Vec<GivenBy<'db>>,
    pub diagnostics: Vec<Diagnostic<'db>>,
}

/// `NodeShareInputOf`
#[derive(Clone, Debug, PartialEq, Eq, salsa::SalsaValue)]
pub struct ShareInput<'db> {
    pub owner: NodeId,
    pub place: At<'db>,
    /// The string, in the text of a shader.
    pub named: Option<Place<'db>>,
}

#[derive(Clone, Debug, PartialEq, Eq, salsa::SalsaValue)]
pub struct InputDecl<'db> {
    pub name: String,
    pub ty: Ty<'db>,
    pub kind: InputKind,
    pub read_write: bool,
    pub coherent: bool,
    /// `None` for `EmptyNodeInput`, and for a wrong record type.
    pub record: Option<RecordInfo<'db>>,
    pub max_records: u32,
    /// `MaxRecords`, where it is written.
    pub max_records_place: Option<Place<'db>>,
    /// The whole parameter.
    pub place: Place<'db>,
}

#[derive(Clone, Debug, PartialEq, Eq, salsa::SalsaValue)]
pub struct OutputDecl<'db> {
    pub name: String,
    pub ty: Ty<'db>,
    pub empty: bool,
    /// `None` for an empty output, and for a wrong record type.
    pub record: Option<RecordInfo<'db>>,
    pub target: NodeId,
    /// Of `NodeID`'s string, of the parameter's name, or of the host's.
    pub target_place: At<'db>,
    /// The target is the parameter's name.
    pub target_is_default: bool,
    /// What `NodeID` says of it was refused, or read as something else: nobody knows whom it reaches.
    pub target_is_unknown: bool,
    pub array: OutputArray,
    /// Of `NodeArraySize`.
    pub size_place: Option<Place<'db>>,
    pub sparse: bool,
    pub max_records: u32,
    /// Of `MaxRecords` or `MaxRecordsSharedWith`; `None` when neither is there.
    pub budget_place: Option<At<'db>>,
    /// What it says was refused.
    pub budget_is_unknown: bool,
    pub shared_with: Option<u32>,
    pub place: Place<'db>,
}

/// Stages that `Shader` may name. The list is DXC's.
const STAGES: &[&str] = &[
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

/// The stage that `Shader` gives a function, as spelled in lower case.
pub fn stage<'db>(db: &'db dyn Db, f: FnId<'db>) -> Option<&'static str> {
    let node = fn_node(db, f)?;
    // Of several, which are a mistake, the last one is as good as any.
    let text = function_attributes(&node).into_iter().rev().find_map(|a| shader_text(&node, a))?;
    STAGES.iter().copied().find(|s| *s == text)
}

/// Whether some `return` in a function has a value.
fn returns_values<'db>(db: &'db dyn Db, function: &ast::Function, item: Item<'db>) -> bool {
    let ast::Body::Sliced(n) = function.body else { return false };
    let Some(body) = crate::items::body_tree(db, item, n) else { return false };
    let mut nodes: Vec<ast::visit::Node> = body.root.iter().map(|stmt| ast::visit::Node::Stmt(*stmt)).collect();
    while let Some(node) = nodes.pop() {
        if let ast::visit::Node::Stmt(stmt) = node
            && matches!(body.ast.stmts[stmt].kind, ast::StmtKind::Return(Some(_)))
        {
            return true;
        }
        nodes.extend(body.ast.children(node));
    }
    false
}

pub(crate) fn function_attributes<'a>(node: &FnNode<'a>) -> Vec<&'a ast::Attribute> {
    attributes::chain(node.tree, node.decl.item, &node.decl.around.templates)
}

pub(crate) fn is_named(attribute: &ast::Attribute, attr: Attr) -> bool {
    matches!(attribute.path.segments.as_slice(), [s] if attribute_table::find(&s.name.text).is_some_and(|r| r.attr == attr))
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

/// The contract of a function that is a node; `None` for every other function.
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

/// A forward declaration: the definition is the node.
fn is_defined_elsewhere<'db>(db: &'db dyn Db, f: FnId<'db>, name: &str) -> bool {
    let scope = Name::new(db, f.item.scope(db).to_string());
    let name = Name::new(db, name.to_string());
    !crate::names::overloads(db, f.item.program(db), scope, name).contains(&f)
}

/// What is wrong with the attributes of a function that is no node, and with those of its parameters: stages that do not
/// exist, wrong places.
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
        let mut wrong = Diagnostic::new(Code::ShaderStage, place, format!("`{}` is no shader stage", shader.text()));
        let lower = shader.text().to_ascii_lowercase();
        if let Some(meant) = STAGES.iter().find(|s| **s == lower) {
            wrong = wrong.label("stages are written in lower case").fix(
                place,
                format!("\"{meant}\""),
                "write it in lower case",
            );
        } else if let Some(meant) = closest(&lower, STAGES.iter().copied()) {
            wrong = wrong.meant(place, &format!("\"{meant}\""));
        }
        cx.errors.push(wrong);
        return cx.errors;
    }
    kept_with_handles(&mut cx, f, &syntax);
    // Of two stages nobody knows which attributes are out of place.
    if cx.errors.iter().any(|d| d.code == Code::ShaderStage) {
        return cx.errors;
    }
    let stage = written.iter().find(|w| w.row.attr == Attr::Shader);
    let is_template = !template_params(db, f).is_empty();
    // Of a function with several the first is enough, unless another stage refuses each of them.
    let misplaced = written.iter().filter(|w| w.row.is_node_only() && !is_template);
    match stage {
        Some(stage) if stage.text() != "node" => {
            for w in misplaced {
                let message = format!("`{}` belongs on nodes, and this is a {} shader", w.row.name, stage.text());
                cx.errors
                    .push(Diagnostic::new(Code::NodeAttribute, w.place, message).also(stage.place, "because of this"));
            }
        }
        None => {
            if let Some(w) = misplaced.into_iter().next() {
                let name = &syntax.function.name.text;
                let message = format!("`{name}` has attributes of a node, but is none without `[Shader(\"node\")]`");
                cx.errors.push(
                    Diagnostic::new(Code::NodeAttribute, w.place, message)
                        .severity(Severity::Warning)
                        .also(Place::token(item, syntax.function.name.at), "this function")
                        .add_attribute(w.place, "[Shader(\"node\")]"),
                );
            }
        }
        Some(stage) => {
            let what = match (syntax.decl.around.owner, is_template) {
                (Some(_), _) => "a method",
                (None, true) => "a template",
                (None, false) => return cx.errors,
            };
            let message = format!("`{}` is {what}, and no node: nothing can start it", syntax.function.name.text);
            cx.errors.push(
                Diagnostic::new(Code::NodeAttribute, stage.place, message)
                    .severity(Severity::Warning)
                    .note("a node is a function by itself, which may call it"),
            );
        }
    }
    cx.errors
}

/// Warns of a function that other compilers keep as one, and that takes or returns what only the node has.
fn kept_with_handles<'db>(cx: &mut Cx<'_, 'db>, f: FnId<'db>, syntax: &FnNode<'db>) {
    let tree = &syntax.tree.ast;
    let noinline = function_attributes(syntax)
        .into_iter()
        .find(|a| matches!(a.path.segments.as_slice(), [s] if s.name.text.eq_ignore_ascii_case("noinline")));
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
    let is_handle = |ty: Ty<'db>| crate::record::builtin(cx.db, ty).is_some_and(Builtin::is_node_object);
    let name = &syntax.function.name.text;
    let message = match signature.params.iter().find(|param| is_handle(param.ty)) {
        Some(param) => format!("`{name}` is `{what}`, and takes `{}` of a node", param.name),
        None if is_handle(signature.ret) => format!("`{name}` is `{what}`, and returns a handle of a node"),
        None => return,
    };
    let kept = Diagnostic::new(Code::KeptWithHandles, at, message)
        .also(Place::token(f.item, syntax.function.name.at), "this function");
    cx.errors.push(match noinline {
        Some(_) => kept.remove_attribute(at, what),
        None => kept.fix(at, "", format!("remove `{what}`")),
    });
}

struct Builder<'c, 'a, 'db> {
    cx: &'c mut Cx<'a, 'db>,
    params: &'db [Param<'db>],
    syntax: FnNode<'db>,
    ret: Ty<'db>,
    has_body: bool,
    out: NodeDecl<'db>,
    fixed: Option<Written<'db>>,
    maximum: Option<Written<'db>>,
    depth: Option<Written<'db>>,
    threads: Option<Written<'db>>,
    /// Of `NodeLaunch`.
    launch_place: Option<Place<'db>>,
    /// Nobody knows which mode was meant, so the rules about modes are silent.
    launch_unknown: bool,
    /// A parameter that may have been meant as the input was refused.
    input_is_wrong: bool,
    /// What a mesh node puts out.
    mesh: MeshDecl<'db>,
    /// For each output, what its budget attributes say.
    budgets: Vec<Budget<'db>>,
}

#[derive(Clone)]
struct Budget<'db> {
    own: Option<u32>,
    shared: Option<(String, Place<'db>)>,
    /// An attribute that nothing knows, and the one of these that it nearly is.
    misspelt: Option<(Place<'db>, Place<'db>, &'static str)>,
    /// Either attribute was written, even if wrongly.
    mentioned: bool,
}

impl<'c, 'a, 'db> Builder<'c, 'a, 'db> {
    fn new(cx: &'c mut Cx<'a, 'db>, f: FnId<'db>, syntax: &FnNode<'db>) -> Self {
        let signature = fn_signature(cx.db, FnInst::new(cx.db, f, None, Vec::new()));
        let id = NodeId { name: signature.name.as_str().into(), index: 0 };
        let out = NodeDecl {
            function: f,
            name: signature.name.clone(),
            name_place: signature.name_place,
            id,
            id_place: signature.name_place.into(),
            id_is_doubtful: false,
            launch: Launch::Broadcasting,
            num_threads: [1, 1, 1],
            grid: Grid::None,
            is_entry: None,
            max_recursion: 0,
            recursion_place: None,
            groupshared_limit: None,
            share_input_of: None,
            local_root_index: None,
            wave_size: None,
            input: None,
            outputs: Vec::new(),
            mesh: None,
            records_per_entry: None,
            lacks_outputs: false,
            specialised: Vec::new(),
            diagnostics: Vec::new(),
        };
        Builder {
            cx,
            params: &signature.params,
            syntax: *syntax,
            ret: signature.ret,
            has_body: syntax.function.body != ast::Body::None,
            out,
            fixed: None,
            maximum: None,
            depth: None,
            threads: None,
            launch_place: None,
            launch_unknown: false,
            input_is_wrong: false,
            mesh: MeshDecl::default(),
            budgets: Vec::new(),
        }
    }

    fn push(&mut self, diagnostic: Diagnostic<'db>) {
        self.cx.errors.push(diagnostic);
    }

    /// What is wrong with the numbers of an attribute. That one is read as another number is a part of it then.
    fn push_about(&mut self, w: &Written<'db>, mut diagnostic: Diagnostic<'db>) {
        let is_sign = |d: &mut Diagnostic<'db>| {
            d.code == Code::AttributeArgumentSign && d.primary.place.text().is_some_and(|at| w.arg_places.contains(&at))
        };
        for sign in self.cx.errors.extract_if(.., is_sign) {
            let (place, message) = (sign.primary.place, sign.message);
            let is_there = place == diagnostic.primary.place;
            diagnostic = if is_there { diagnostic.label(message) } else { diagnostic.also(place, message) };
        }
        self.push(diagnostic);
    }

    /// Shows what makes this the launch mode that a message is about.
    fn with_launch(&self, diagnostic: Diagnostic<'db>) -> Diagnostic<'db> {
        match self.launch_place {
            Some(place) => diagnostic.also(place, format!("a {} node", launch_name(self.out.launch))),
            None if self.out.launch == Launch::Broadcasting => {
                diagnostic.note("a node without `NodeLaunch` is a broadcasting node")
            }
            // Taken from the input, which has a message.
            None => diagnostic,
        }
    }

    /// Notes the specialisation constants among the arguments of an attribute.
    fn specialised(&mut self, w: &Written<'db>, of: impl Fn(u32) -> GraphConstant) {
        self.out.specialised.extend(w.specialised(of));
    }

    fn function_attributes(&mut self) {
        let written = read(self.cx, &function_attributes(&self.syntax), Target::Function);
        // The launch mode decides about the others.
        for w in written.iter().filter(|w| w.row.attr == Attr::NodeLaunch) {
            self.launch(w);
        }
        if written.iter().all(|w| w.row.attr != Attr::NodeLaunch) {
            self.launch_unsaid();
        }
        for w in written {
            if !w.row.launch.contains(&self.out.launch) {
                let mode = launch_name(self.out.launch);
                let message = format!("a {mode} node has no `{}`", w.row.name);
                let wrong =
                    Diagnostic::new(Code::LaunchAttribute, w.place, message).remove_attribute(w.place, w.row.name);
                self.push(self.with_launch(wrong));
                continue;
            }
            self.function_attribute(w);
        }
        // A depth that is wrong as written is still one: nobody says that it is missing.
        let depth = function_attributes(&self.syntax).into_iter().find(|a| is_named(a, Attr::NodeMaxRecursionDepth));
        if let (None, Some(attribute)) = (self.out.recursion_place, depth)
            && self.out.launch != Launch::Mesh
        {
            self.out.max_recursion = 1;
            self.out.recursion_place = Some(self.cx.place(attribute.span));
        }
    }

    fn launch(&mut self, w: &Written<'db>) {
        let modes = [Launch::Broadcasting, Launch::Coalescing, Launch::Thread, Launch::Mesh];
        let text = w.text();
        self.launch_place = Some(w.place);
        if let Some(mode) = modes.into_iter().find(|m| launch_name(*m) == text) {
            self.out.launch = mode;
            return;
        }
        let place = w.arg_places.first().copied().unwrap_or(w.place);
        let mut wrong = Diagnostic::new(Code::LaunchMode, place, format!("`{text}` is no launch mode"))
            .note("launch modes: broadcasting, coalescing, thread, mesh");
        // One slip gives one message: what the mode decides is checked once it is right.
        self.launch_unknown = true;
        if let Some(mode) = modes.into_iter().find(|m| launch_name(*m).eq_ignore_ascii_case(text)) {
            let name = launch_name(mode);
            wrong = wrong.label("launch modes are written in lower case").fix(
                place,
                format!("\"{name}\""),
                "write it in lower case",
            );
            self.out.launch = mode;
        } else {
            if let Some(meant) = closest(text, modes.map(launch_name)) {
                wrong = wrong.meant(place, &format!("\"{meant}\""));
            }
        }
        self.push(wrong);
    }

    /// Without `NodeLaunch` a node is broadcasting; one that cannot be is one mistake and no more.
    fn launch_unsaid(&mut self) {
        if self.mentions(Attr::NodeLaunch) {
            self.launch_unknown = true;
            return;
        }
        let db = self.cx.db;
        let meant = self.params.iter().find_map(|param| match crate::record::builtin(db, param.ty)? {
            Builtin::Input(input) => Some((input.launches()[0], param.place)),
            _ => None,
        });
        let has_grid = self.mentions(Attr::NodeDispatchGrid) || self.mentions(Attr::NodeMaxDispatchGrid);
        if let Some((mode, input)) = meant.filter(|(mode, _)| *mode != Launch::Broadcasting && !has_grid) {
            let name = launch_name(mode);
            let start =
                function_attributes(&self.syntax).first().map_or(self.out.name_place, |a| self.cx.place(a.span));
            let message = format!("this input belongs to {name} nodes, and `{}` is broadcasting", self.out.name);
            self.out.launch = mode;
            self.push(
                Diagnostic::new(Code::InputLaunchMode, input, message)
                    .also(self.out.name_place, "this node has no `NodeLaunch`")
                    .add_attribute(start, &format!("[NodeLaunch(\"{name}\")]")),
            );
        }
    }

    fn function_attribute(&mut self, w: Written<'db>) {
        match w.row.attr {
            Attr::NodeIsProgramEntry => self.out.is_entry = Some(w.place.into()),
            Attr::NodeId => {
                self.out.id = node_id(&w);
                self.out.id_is_doubtful = w.is_doubtful;
                self.specialised(&w, |_| GraphConstant::Index);
                self.out.id_place = w.arg_places.first().copied().unwrap_or(w.place).into();
            }
            Attr::NodeLocalRootArgumentsTableIndex => {
                if let Some(Value::Int(index)) = w.args.first() {
                    self.out.local_root_index = u32::try_from(*index).ok().map(|i| (i, w.place.into()));
                    if *index < -1 {
                        let place = w.arg_places.first().copied().unwrap_or(w.place);
                        let message =
                            format!("`{}` takes an index, or -1 for automatic, as which this is read", w.row.name);
                        self.push(Diagnostic::new(Code::AttributeArgumentSign, place, message));
                    }
                }
            }
            Attr::NumThreads => self.threads = Some(w),
            Attr::NodeShareInputOf => {
                let named = w.arg_places.first().copied();
                self.out.share_input_of = Some(ShareInput { owner: node_id(&w), place: w.place.into(), named });
            }
            Attr::NodeDispatchGrid => self.fixed = Some(w),
            Attr::NodeMaxDispatchGrid => self.maximum = Some(w),
            Attr::NodeMaxRecursionDepth => {
                let depth = w.uint(0).unwrap_or(0);
                // A wrong depth gets no second message from the rules about depth.
                self.out.max_recursion = if depth <= 32 { depth } else { 1 };
                self.out.recursion_place = Some(w.place);
                self.specialised(&w, |_| GraphConstant::Recursion);
                self.depth = Some(w);
            }
            Attr::OutputTopology => self.topology(&w),
            Attr::NodeMaxInputRecordsPerGraphEntryRecord => {
                let shared = matches!(w.args.get(1), Some(Value::Int(n)) if *n != 0);
                self.out.records_per_entry = Some((w.uint(0).unwrap_or(0), shared, w.place));
            }
            Attr::GroupSharedLimit => self.out.groupshared_limit = w.uint(0),
            Attr::WaveSize => match wave_size(&w) {
                Ok(sizes) => self.out.wave_size = Some(sizes),
                Err(wrong) => self.push(*wrong),
            },
            _ => {}
        }
    }

    /// What attributes and parameters must agree about.
    fn finish(&mut self) {
        let name = self.out.name.clone();
        if !matches!(self.ret.kind(self.cx.db), TyKind::Void | TyKind::Error) {
            let message = format!("node `{name}` returns `{}`, and must return `void`", self.ret.display(self.cx.db));
            let ty = self.syntax.function.ret;
            let ret = self.cx.place(self.syntax.tree.ast.types[ty].span);
            let wrong = Diagnostic::new(Code::NodeReturnsVoid, self.out.name_place, message);
            let gives_values = returns_values(self.cx.db, self.syntax.function, self.out.name_place.item);
            self.push(if gives_values { wrong } else { wrong.fix(ret, "void", "return `void`") });
        }
        if !self.has_body {
            self.push(Diagnostic::new(Code::BodyMissing, self.out.name_place, format!("node `{name}` has no body")));
        }
        self.recursion_depth();
        if !self.launch_unknown {
            self.threads();
            self.grid();
            if self.out.launch == Launch::Mesh {
                self.mesh();
            }
        }
    }

    /// 0 is what holds without the attribute, and wrong only where the node targets itself.
    fn recursion_depth(&mut self) {
        let Some(w) = self.depth.take() else { return };
        let depth = w.uint(0).unwrap_or(0);
        if depth > 32 || depth == 0 && crate::graph_model::targets_itself(&self.out) {
            let message = format!("a recursion depth is 1 to 32, not {}", grouped(depth.into()));
            // DXC lets 0 stand for none.
            let none = depth == 0 && self.cx.item.program(self.cx.db).options(self.cx.db).library;
            let severity = if none { Severity::Warning } else { Severity::Error };
            self.push_about(&w, Diagnostic::new(Code::RecursionDepth, w.place, message).severity(severity));
        }
    }

    /// The attribute was written, even if wrongly: then nobody says that it is missing.
    fn mentions(&self, attr: Attr) -> bool {
        function_attributes(&self.syntax).into_iter().any(|a| is_named(a, attr))
    }

    fn threads(&mut self) {
        let name = self.out.name.clone();
        let Some(w) = self.threads.take() else {
            if self.out.launch != Launch::Thread && !self.mentions(Attr::NumThreads) {
                let message = format!("node `{name}` does not say how many threads its groups have");
                let missing = Diagnostic::new(Code::MissingNumThreads, self.out.name_place, message)
                    .note("add `[NumThreads(x, y, z)]`");
                self.push(self.with_launch(missing));
            }
            return;
        };
        let threads = w.uint3();
        if self.out.launch == Launch::Thread {
            let [x, y, z] = threads;
            if threads != [1, 1, 1] {
                let message = format!("a thread node has groups of one thread, not of {x} x {y} x {z}");
                self.push(self.with_launch(Diagnostic::new(Code::NumThreadsLimits, w.place, message)));
            }
            return;
        }
        let fits = if self.out.launch == Launch::Mesh { mesh_group(threads) } else { thread_group(threads) };
        match fits {
            Ok(threads) => {
                self.out.num_threads = threads;
                self.specialised(&w, GraphConstant::Threads);
            }
            Err(message) => {
                self.push_about(&w, bad_thread_group("node", &name, self.out.name_place, w.place, &message));
            }
        }
    }

    fn grid(&mut self) {
        if !self.out.launch.has_grid() {
            return;
        }
        let mode = launch_name(self.out.launch);
        let record = self.out.input.as_ref().and_then(|i| i.record.clone());
        match (self.fixed.take(), self.maximum.take()) {
            (Some(fixed), Some(maximum)) => {
                let message = format!("node `{}` has a fixed and a maximum dispatch grid", self.out.name);
                self.push(Diagnostic::new(Code::TwoGrids, maximum.place, message).also(fixed.place, "the fixed one"));
                self.out.grid = Grid::Fixed(fixed.uint3());
                self.dynamic_grid(&maximum, record);
            }
            (Some(w), None) => {
                self.grid_limits(&w);
                self.specialised(&w, GraphConstant::Grid);
                self.out.grid = Grid::Fixed(w.uint3());
            }
            (None, Some(w)) => {
                self.grid_limits(&w);
                self.specialised(&w, GraphConstant::Grid);
                self.out.grid = Grid::Max(w.uint3());
                self.dynamic_grid(&w, record);
            }
            (None, None) if !self.mentions(Attr::NodeDispatchGrid) && !self.mentions(Attr::NodeMaxDispatchGrid) => {
                let message = format!("{mode} node `{}` has no dispatch grid", self.out.name);
                let mut missing = Diagnostic::new(Code::MissingGrid, self.out.name_place, message);
                if let Some((record, place)) = record.as_ref().and_then(|r| Some((r, r.grid_place?))) {
                    let shown = record.ty.display(self.cx.db);
                    missing = missing
                        .also(place, format!("`{shown}` carries the size of the grid"))
                        .note("add `[NodeMaxDispatchGrid(x, y, z)]` with the largest grid that a record may ask for");
                } else {
                    missing =
                        missing.note("add `[NodeDispatchGrid(x, y, z)]`: the thread groups that one record launches");
                }
                self.push(self.with_launch(missing));
            }
            (None, None) => {}
        }
    }

    fn dynamic_grid(&mut self, w: &Written<'db>, record: Option<RecordInfo<'db>>) {
        let name = &self.out.name;
        let message = match &record {
            Some(record) if record.grid_place.is_some() => return,
            Some(record) => {
                let shown = record.ty.display(self.cx.db);
                format!("the grid of node `{name}` comes from `{shown}`, which has no `SV_DispatchGrid`")
            }
            // The record, or what may have been meant as the input, is wrong and was reported.
            None if self.out.input.is_some() || self.input_is_wrong => return,
            None => format!("the grid of node `{name}` comes from its record, and it has none"),
        };
        let mut missing =
            Diagnostic::new(Code::MissingGridField, self.out.name_place, message).also(w.place, "because of this");
        if let Some(inst) = record.and_then(|r| r.ty.as_record(self.cx.db)) {
            missing = match misspelled_grid(self.cx.db, inst) {
                Some(place) => missing.also(place, "did you mean `SV_DispatchGrid`?").fix(
                    place,
                    "SV_DispatchGrid",
                    "write `SV_DispatchGrid`",
                ),
                None => {
                    let place = crate::record::record(self.cx.db, inst).place;
                    missing.also(place, "add a field such as `uint3 grid : SV_DispatchGrid` here")
                }
            };
        }
        self.push(missing);
    }

    fn grid_limits(&mut self, w: &Written<'db>) {
        if let Some((message, bad)) = grid_problem(self.out.launch, w.uint3()) {
            let place = bad.and_then(|bad| w.arg_places.get(bad)).copied().unwrap_or(w.place);
            self.push_about(w, Diagnostic::new(Code::GridLimits, place, message));
        }
    }
}

/// `("name"[, index])`
fn node_id(w: &Written<'_>) -> NodeId {
    NodeId { name: w.text().into(), index: w.uint(1).unwrap_or(0) }
}
