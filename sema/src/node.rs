//! The contract of one node: what its signature and attributes declare, and what is wrong with them by themselves.
//!
//! Everything that needs other nodes is in [`crate::graph`]. Sections: WorkGraphs.md "Shader function attributes",
//! "Shader function parameters", "Record struct".

use crate::attribute_table::{self, Attr, Target, Value, Written, read};
use crate::attributes;
use crate::builtin::{Builtin, InputKind};
use crate::codes::{Code, Severity};
use crate::cx::{Cx, Env};
use crate::db::Db;
use crate::def::{FnId, Item, Name, Place};
use crate::diagnostic::Diagnostic;
use crate::items::{FnNode, fn_node};
use crate::node_record::{self, RecordInfo};
use crate::record::{record, type_arg};
use crate::signature::{Direction, Param, fn_signature, template_params};
use crate::system_values::{self, launch_name};
use crate::ty::{FnInst, Ty, TyKind};
use wgc_frontend::ast;
use wgc_ir::{Grid, Launch, NodeId, OutputArray};

/// A node as declared, with the places of its parts.
#[derive(Clone, Debug, PartialEq, Eq, salsa::SalsaValue)]
pub struct NodeDecl<'db> {
    pub function: FnId<'db>,
    /// The function's name.
    pub name: String,
    pub name_place: Place<'db>,
    pub id: NodeId,
    /// Of `NodeID`'s string, or of the function's name.
    pub id_place: Place<'db>,
    pub launch: Launch,
    pub num_threads: [u32; 3],
    pub grid: Grid,
    pub is_entry: Option<Place<'db>>,
    /// 0 without the attribute.
    pub max_recursion: u32,
    pub recursion_place: Option<Place<'db>>,
    pub share_input_of: Option<ShareInput<'db>>,
    pub local_root_index: Option<(u32, Place<'db>)>,
    pub wave_size: Option<[u32; 3]>,
    pub input: Option<InputDecl<'db>>,
    pub outputs: Vec<OutputDecl<'db>>,
    pub diagnostics: Vec<Diagnostic<'db>>,
}

/// `NodeShareInputOf`
#[derive(Clone, Debug, PartialEq, Eq, salsa::SalsaValue)]
pub struct ShareInput<'db> {
    pub owner: NodeId,
    pub place: Place<'db>,
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
    /// Of `NodeID`'s string, or of the parameter's name.
    pub target_place: Place<'db>,
    /// The target is the parameter's name.
    pub target_is_default: bool,
    pub array: OutputArray,
    pub sparse: bool,
    pub max_records: u32,
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
    let text = function_attributes(&node).into_iter().find_map(|a| shader_text(&node, a))?;
    STAGES.iter().copied().find(|s| *s == text)
}

fn function_attributes<'a>(node: &FnNode<'a>) -> Vec<&'a ast::Attribute> {
    attributes::chain(node.tree, node.decl.item, &node.decl.around.templates)
}

fn is_named(attribute: &ast::Attribute, attr: Attr) -> bool {
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

/// What is wrong with the attributes of a function that is no node: stages that do not exist, wrong places.
#[salsa::tracked(returns(ref))]
pub fn plain_function_attributes<'db>(db: &'db dyn Db, item: Item<'db>, index: u32) -> Vec<Diagnostic<'db>> {
    let f = FnId { item, index };
    let Some(syntax) = fn_node(db, f) else { return Vec::new() };
    let env = Env::new();
    let mut cx = Cx::head(db, item, &syntax.tree.ast, &env);
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
        }
        cx.errors.push(wrong);
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
                        .also(Place::token(item, syntax.function.name.at), "this function"),
                );
            }
        }
        Some(_) => {}
    }
    cx.errors
}

/// `[NumThreads]` of a compute entry point.
pub fn compute_num_threads<'db>(db: &'db dyn Db, f: FnId<'db>) -> Option<[u32; 3]> {
    let syntax = fn_node(db, f)?;
    let env = Env::new();
    let mut cx = Cx::head(db, f.item, &syntax.tree.ast, &env);
    let written = read(&mut cx, &function_attributes(&syntax), Target::Function);
    written.iter().find(|w| w.row.attr == Attr::NumThreads).map(Written::uint3)
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
    threads: Option<Written<'db>>,
    /// Nobody knows which mode was meant, so the rules about modes are silent.
    launch_unknown: bool,
    /// A parameter that may have been meant as the input was refused.
    input_is_wrong: bool,
    /// For each output, what its budget attributes say.
    budgets: Vec<Budget<'db>>,
}

#[derive(Clone)]
struct Budget<'db> {
    own: Option<u32>,
    shared: Option<(String, Place<'db>)>,
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
            id_place: signature.name_place,
            launch: Launch::Broadcasting,
            num_threads: [1, 1, 1],
            grid: Grid::None,
            is_entry: None,
            max_recursion: 0,
            recursion_place: None,
            share_input_of: None,
            local_root_index: None,
            wave_size: None,
            input: None,
            outputs: Vec::new(),
            diagnostics: Vec::new(),
        };
        Builder {
            cx,
            params: &signature.params,
            syntax: *syntax,
            ret: signature.ret,
            has_body: signature.body.is_some(),
            out,
            fixed: None,
            maximum: None,
            threads: None,
            launch_unknown: false,
            input_is_wrong: false,
            budgets: Vec::new(),
        }
    }

    fn push(&mut self, diagnostic: Diagnostic<'db>) {
        self.cx.errors.push(diagnostic);
    }

    fn function_attributes(&mut self) {
        let written = read(self.cx, &function_attributes(&self.syntax), Target::Function);
        // The launch mode decides about the others.
        for w in written.iter().filter(|w| w.row.attr == Attr::NodeLaunch) {
            self.launch(w);
        }
        for w in written {
            if !w.row.launch.contains(&self.out.launch) {
                let mode = launch_name(self.out.launch);
                let message = format!("a {mode} node has no `{}`", w.row.name);
                self.push(Diagnostic::new(Code::LaunchAttribute, w.place, message));
                continue;
            }
            self.function_attribute(w);
        }
    }

    fn launch(&mut self, w: &Written<'db>) {
        let modes = [Launch::Broadcasting, Launch::Coalescing, Launch::Thread];
        let text = w.text();
        if let Some(mode) = modes.into_iter().find(|m| launch_name(*m) == text) {
            self.out.launch = mode;
            return;
        }
        let place = w.arg_places.first().copied().unwrap_or(w.place);
        let mut wrong = Diagnostic::new(Code::LaunchMode, place, format!("`{text}` is no launch mode"))
            .note("launch modes: broadcasting, coalescing, thread");
        // What was meant decides the rest, so that one slip gives one message.
        if let Some(mode) = modes.into_iter().find(|m| launch_name(*m).eq_ignore_ascii_case(text)) {
            let name = launch_name(mode);
            wrong = wrong.label("launch modes are written in lower case").fix(
                place,
                format!("\"{name}\""),
                "write it in lower case",
            );
            self.out.launch = mode;
        } else {
            self.launch_unknown = true;
        }
        self.push(wrong);
    }

    fn function_attribute(&mut self, w: Written<'db>) {
        match w.row.attr {
            Attr::NodeIsProgramEntry => self.out.is_entry = Some(w.place),
            Attr::NodeId => {
                self.out.id = node_id(&w);
                self.out.id_place = w.arg_places.first().copied().unwrap_or(w.place);
            }
            Attr::NodeLocalRootArgumentsTableIndex => {
                if let Some(Value::Int(index)) = w.args.first() {
                    self.out.local_root_index = u32::try_from(*index).ok().map(|i| (i, w.place));
                }
            }
            Attr::NumThreads => self.threads = Some(w),
            Attr::NodeShareInputOf => self.out.share_input_of = Some(ShareInput { owner: node_id(&w), place: w.place }),
            Attr::NodeDispatchGrid => self.fixed = Some(w),
            Attr::NodeMaxDispatchGrid => self.maximum = Some(w),
            Attr::NodeMaxRecursionDepth => {
                let depth = w.uint(0).unwrap_or(0);
                if !(1..=32).contains(&depth) {
                    let message = format!("a recursion depth is 1 to 32, not {depth}");
                    self.push(Diagnostic::new(Code::RecursionDepth, w.place, message));
                }
                // A wrong depth gets no second message from the rules about depth.
                self.out.max_recursion = if depth <= 32 { depth } else { 1 };
                self.out.recursion_place = Some(w.place);
            }
            Attr::WaveSize => self.wave_size(&w),
            _ => {}
        }
    }

    fn wave_size(&mut self, w: &Written<'db>) {
        let sizes: Vec<u32> = (0..w.args.len()).filter_map(|i| w.uint(i)).collect();
        // A preferred size of 0 means none.
        let is_size = |n: &u32| n.is_power_of_two() && (4..=128).contains(n);
        let good = match sizes.as_slice() {
            [n] => is_size(n),
            [min, max] => is_size(min) && is_size(max) && min <= max,
            [min, max, preferred] => {
                is_size(min)
                    && is_size(max)
                    && min <= max
                    && (*preferred == 0 || is_size(preferred) && min <= preferred && preferred <= max)
            }
            _ => false,
        };
        if !good {
            self.push(
                Diagnostic::new(Code::WaveSize, w.place, "wave sizes are powers of two from 4 to 128, in rising order")
                    .label("`WaveSize(size)` or `WaveSize(min, max, preferred)`"),
            );
            return;
        }
        let first = sizes.first().copied().unwrap_or(0);
        let max = sizes.get(1).copied().unwrap_or(first);
        self.out.wave_size = Some([first, max, sizes.get(2).copied().unwrap_or(0)]);
    }

    fn params(&mut self) {
        // `f(void)` has a syntactic parameter and none in the signature; otherwise they are parallel.
        let syntax: Vec<&'db ast::Param> = self.syntax.function.params.iter().collect();
        let mut inputs: Vec<Place<'db>> = Vec::new();
        let params = self.params;
        for (param, node) in params.iter().zip(syntax) {
            let attributes: Vec<&ast::Attribute> = node.attributes.iter().collect();
            let written = read(self.cx, &attributes, Target::Param);
            match crate::record::builtin(self.cx.db, param.ty) {
                Some(Builtin::Input(input)) => {
                    if let Some(first) = inputs.first() {
                        let message = format!("node `{}` has two inputs", self.out.name);
                        self.push(
                            Diagnostic::new(Code::SecondInput, param.place, message).also(*first, "the first one"),
                        );
                    } else {
                        self.input(param, input, &written);
                    }
                    inputs.push(param.place);
                }
                Some(Builtin::Output { array, empty }) => self.output(param, array, empty, &written, &attributes),
                _ => self.value(param, &written),
            }
        }
        self.budgets_of_outputs();
    }

    fn record_of(&mut self, param: &Param<'db>) -> Option<RecordInfo<'db>> {
        let db = self.cx.db;
        let inst = param.ty.as_record(db)?;
        let ty = type_arg(db, inst)?;
        node_record::read(self.cx, ty, param.place.span)
    }

    fn input(&mut self, param: &Param<'db>, input: crate::builtin::Input, written: &[Written<'db>]) {
        let wanted = match input.kind {
            InputKind::Dispatch => Launch::Broadcasting,
            InputKind::Group | InputKind::Empty => Launch::Coalescing,
            InputKind::Thread => Launch::Thread,
        };
        let shown = param.ty.display(self.cx.db);
        if wanted != self.out.launch && !self.launch_unknown {
            let mode = launch_name(self.out.launch);
            let message = format!("a {mode} node cannot have a `{shown}` as its input");
            let takes = match self.out.launch {
                Launch::Broadcasting => "[RW]DispatchNodeInputRecord",
                Launch::Coalescing => "[RW]GroupNodeInputRecords or EmptyNodeInput",
                Launch::Thread => "[RW]ThreadNodeInputRecord",
            };
            self.push(
                Diagnostic::new(Code::InputLaunchMode, param.place, message)
                    .note(format!("a {mode} node takes {takes}"))
                    .note(format!("this input belongs to {} nodes", launch_name(wanted))),
            );
        }
        let record = if input.kind == InputKind::Empty { None } else { self.record_of(param) };
        if let Some(record) = &record
            && record.ir.track_sharing
            && !(input.kind == InputKind::Dispatch && input.read_write)
        {
            let message = format!("`{}` tracks sharing, which a `{shown}` does not", record.ty.display(self.cx.db));
            self.push(Diagnostic::new(Code::TrackedInput, param.place, message));
        }
        let coherent = param.has("globallycoherent");
        if coherent && !(input.kind == InputKind::Dispatch && input.read_write) {
            let message = "`globallycoherent` belongs on `RWDispatchNodeInputRecord` inputs";
            self.push(Diagnostic::new(Code::BadModifier, param.place, message));
        }
        let mut max_records = 1;
        for w in written {
            match w.row.attr {
                Attr::MaxRecords if matches!(input.kind, InputKind::Group | InputKind::Empty) => {
                    max_records = w.uint(0).unwrap_or(1);
                    if max_records == 0 {
                        let message = "a coalescing node takes at least one record";
                        self.push(Diagnostic::new(Code::ZeroRecords, w.place, message).severity(Severity::Error));
                        max_records = 1;
                    }
                }
                Attr::MaxRecords => {
                    let message = format!("a `{shown}` is one record, and takes no `MaxRecords`");
                    self.push(Diagnostic::new(Code::MaxRecordsPlace, w.place, message));
                }
                _ => {
                    let message = format!("`{}` belongs on outputs", w.row.name);
                    self.push(Diagnostic::new(Code::AttributePlace, w.place, message));
                }
            }
        }
        self.out.input = Some(InputDecl {
            name: param.name.clone(),
            ty: param.ty,
            kind: input.kind,
            read_write: input.read_write && !param.has("const"),
            coherent,
            record,
            max_records,
            place: param.place,
        });
    }

    fn output(
        &mut self,
        param: &Param<'db>,
        array: bool,
        empty: bool,
        written: &[Written<'db>],
        attributes: &[&ast::Attribute],
    ) {
        let mentions = |attr| attributes.iter().any(|a| is_named(a, attr));
        let record = if empty { None } else { self.record_of(param) };
        let mut out = OutputDecl {
            name: param.name.clone(),
            ty: param.ty,
            empty,
            record,
            target: NodeId { name: param.name.as_str().into(), index: 0 },
            target_place: param.name_place,
            target_is_default: true,
            array: OutputArray::Single,
            sparse: false,
            max_records: 0,
            shared_with: None,
            place: param.place,
        };
        let mentioned = mentions(Attr::MaxRecords) || mentions(Attr::MaxRecordsSharedWith);
        let mut budget = Budget { own: None, shared: None, mentioned };
        let mut size: Option<(u32, Place<'db>)> = None;
        let mut unbounded: Option<Place<'db>> = None;
        for w in written {
            match w.row.attr {
                Attr::NodeId => {
                    out.target = node_id(w);
                    out.target_place = w.arg_places.first().copied().unwrap_or(w.place);
                    out.target_is_default = false;
                }
                Attr::MaxRecords => {
                    budget.own = w.uint(0);
                    if budget.own == Some(0) {
                        let message = format!("output `{}` can never send a record", param.name);
                        self.push(Diagnostic::new(Code::ZeroRecords, w.place, message));
                    }
                }
                Attr::MaxRecordsSharedWith => budget.shared = Some((w.text().to_string(), w.place)),
                Attr::AllowSparseNodes => out.sparse = true,
                Attr::NodeArraySize => size = w.uint(0).map(|n| (n, w.place)),
                Attr::UnboundedSparseNodes => unbounded = Some(w.place),
                Attr::MaxRecordsPerNode => {}
                _ => {}
            }
        }
        let shown = param.ty.display(self.cx.db);
        if array {
            match (size, unbounded) {
                (Some((u32::MAX, _)), _) | (None, Some(_)) => {
                    out.array = OutputArray::Unbounded;
                    out.sparse = true;
                }
                (Some((n, place)), Some(_)) => {
                    let message = "`UnboundedSparseNodes` leaves the size open, so there is no `NodeArraySize`";
                    self.push(Diagnostic::new(Code::SparseArray, place, message));
                    out.array = OutputArray::Sized(n.max(1));
                    out.sparse = true;
                }
                (Some((0, place)), None) => {
                    self.push(Diagnostic::new(Code::NodeArraySize, place, "an output array has at least one node"));
                    out.array = OutputArray::Sized(1);
                }
                (Some((n, _)), None) => out.array = OutputArray::Sized(n),
                (None, None) if mentions(Attr::NodeArraySize) => out.array = OutputArray::Sized(1),
                (None, None) => {
                    let message = format!("output array `{}` has no size", param.name);
                    self.push(Diagnostic::new(Code::NodeArraySize, param.name_place, message).note(
                        "`[NodeArraySize(n)]` says how many nodes it reaches; `[UnboundedSparseNodes]` leaves it open",
                    ));
                    out.array = OutputArray::Sized(1);
                }
            }
        } else {
            if let Some((_, place)) = size {
                let message = format!("a `{shown}` is one node, and has no `NodeArraySize`");
                self.push(Diagnostic::new(Code::NodeArraySize, place, message));
            }
            if let Some(place) = unbounded {
                let message = format!("a `{shown}` is one node, and cannot be unbounded");
                self.push(Diagnostic::new(Code::SparseArray, place, message));
            }
        }
        out.max_records = budget.own.unwrap_or(0);
        self.budgets.push(budget);
        self.out.outputs.push(out);
    }

    /// `MaxRecords` or `MaxRecordsSharedWith`, one of them, for each output.
    fn budgets_of_outputs(&mut self) {
        let library = self.syntax_program_is_library();
        for i in 0..self.budgets.len() {
            let (budget, name, place) = {
                let out = &self.out.outputs[i];
                (self.budgets[i].clone(), out.name.clone(), out.place)
            };
            match (budget.own, budget.shared) {
                (Some(_), None) => {}
                (None, None) if budget.mentioned => {}
                (None, None) => {
                    let mut missing = Diagnostic::new(
                        Code::MissingMaxRecords,
                        self.out.outputs[i].place,
                        format!("output `{name}` has no budget of records"),
                    )
                    .note(
                        "`[MaxRecords(n)]` says how many a thread group, or a thread of a thread node, sends at most",
                    );
                    if library {
                        missing = missing.severity(Severity::Warning);
                    }
                    self.push(missing);
                }
                (Some(_), Some((_, at))) => {
                    let message = format!("output `{name}` has a budget of its own and shares one");
                    self.push(
                        Diagnostic::new(Code::SharedBudget, at, message).also(place, "`MaxRecords` is given here"),
                    );
                }
                (None, Some((other, at))) => self.shared_budget(i, &name, &other, at),
            }
        }
    }

    fn shared_budget(&mut self, i: usize, name: &str, other: &str, at: Place<'db>) {
        let target = self.out.outputs.iter().position(|o| o.name == *other);
        let Some(target) = target else {
            let is_param = self.params.iter().any(|p| p.name == *other);
            let what = if is_param { "is not an output" } else { "is no parameter of this node" };
            self.push(Diagnostic::new(Code::SharedBudget, at, format!("`{other}` {what}")));
            return;
        };
        let target_place = self.out.outputs[target].place;
        if target == i {
            self.push(Diagnostic::new(Code::SharedBudget, at, format!("output `{name}` shares a budget with itself")));
            return;
        }
        let Some(records) = self.budgets[target].own else {
            let message = format!("`{other}` has no `MaxRecords` of its own to share");
            self.push(Diagnostic::new(Code::SharedBudget, at, message).also(target_place, "declared here"));
            return;
        };
        if target > i {
            let message = format!("`{other}` is declared after `{name}`, which shares its budget");
            self.push(Diagnostic::new(Code::LateSharedBudget, at, message).also(target_place, "declared here"));
        }
        self.out.outputs[i].shared_with = Some(target as u32);
        self.out.outputs[i].max_records = records;
    }

    fn syntax_program_is_library(&self) -> bool {
        self.cx.item.program(self.cx.db).options(self.cx.db).library
    }

    /// A parameter that is no node object: a system value, or a structure of them.
    fn value(&mut self, param: &Param<'db>, written: &[Written<'db>]) {
        for w in written {
            let code = if w.row.attr == Attr::MaxRecords { Code::MaxRecordsPlace } else { Code::AttributePlace };
            let message = format!("`{}` belongs on node inputs and outputs", w.row.name);
            self.push(Diagnostic::new(code, w.place, message));
        }
        if param.ty.is_error(self.cx.db) {
            self.input_is_wrong = true;
            return;
        }
        if let TyKind::Array(element, _) = param.ty.kind(self.cx.db)
            && crate::record::builtin(self.cx.db, *element).is_some_and(Builtin::is_node_object)
        {
            self.input_is_wrong = true;
            let message = format!("`{}`: node inputs and outputs cannot be arrays", param.name);
            self.push(
                Diagnostic::new(Code::NodeParameter, param.place, message)
                    .note("several nodes behind one output are a `NodeOutputArray` or an `EmptyNodeOutputArray`"),
            );
            return;
        }
        if param.direction != Direction::In {
            let message = format!("`{}`: a node has no `out` parameters", param.name);
            self.push(Diagnostic::new(Code::NodeParameter, param.place, message));
            return;
        }
        if let Some(semantic) = &param.semantic {
            system_values::check(self.cx, Some(self.out.launch), param.ty, semantic, param.place);
            return;
        }
        let db = self.cx.db;
        if let TyKind::Record(inst) = param.ty.kind(db)
            && record(db, *inst).builtin.is_none()
        {
            self.struct_value(*inst, param);
            return;
        }
        let message = format!("nothing provides the parameter `{}`", param.name);
        self.push(
            Diagnostic::new(Code::NodeParameter, param.name_place, message).note(
                "a node's parameters are its input, its outputs and system values such as `uint i : SV_GroupIndex`",
            ),
        );
    }

    /// Each field of a structure parameter is a system value, or a structure again.
    fn struct_value(&mut self, inst: crate::ty::RecordInst<'db>, param: &Param<'db>) {
        let db = self.cx.db;
        for field in &record(db, inst).fields {
            match (&field.semantic, field.ty.kind(db)) {
                (Some(semantic), _) => {
                    let before = self.cx.errors.len();
                    system_values::check(self.cx, Some(self.out.launch), field.ty, semantic, field.place);
                    for error in &mut self.cx.errors[before..] {
                        error.secondary.push(crate::diagnostic::Label {
                            place: param.place,
                            message: "through this parameter".to_string(),
                        });
                    }
                }
                (None, TyKind::Record(inner)) if record(db, *inner).builtin.is_none() && *inner != inst => {
                    self.struct_value(*inner, param);
                }
                (None, TyKind::Error) => {}
                (None, _) => {
                    let message = format!("nothing provides the field `{}` of parameter `{}`", field.name, param.name);
                    self.push(
                        Diagnostic::new(Code::NodeParameter, field.place, message).also(param.place, "this parameter"),
                    );
                }
            }
        }
    }

    /// What attributes and parameters must agree about.
    fn finish(&mut self) {
        let name = self.out.name.clone();
        if !matches!(self.ret.kind(self.cx.db), TyKind::Void | TyKind::Error) {
            let message = format!("node `{name}` returns `{}`, and must return `void`", self.ret.display(self.cx.db));
            self.push(Diagnostic::new(Code::NodeReturnsVoid, self.out.name_place, message));
        }
        if !self.has_body {
            self.push(Diagnostic::new(Code::BodyMissing, self.out.name_place, format!("node `{name}` has no body")));
        }
        if !self.launch_unknown {
            self.threads();
            self.grid();
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
                self.push(
                    Diagnostic::new(Code::MissingNumThreads, self.out.name_place, message)
                        .note("add `[NumThreads(x, y, z)]`"),
                );
            }
            return;
        };
        let threads = w.uint3();
        let product: u64 = threads.iter().map(|n| u64::from(*n)).product();
        let [x, y, z] = threads;
        if self.out.launch == Launch::Thread {
            if threads != [1, 1, 1] {
                let message = format!("a thread node has groups of one thread, not of {x} x {y} x {z}");
                self.push(Diagnostic::new(Code::NumThreadsLimits, w.place, message));
            }
            return;
        }
        let bad = if threads.contains(&0) {
            Some("a thread group has at least one thread in each direction".to_string())
        } else if x > 1024 || y > 1024 || z > 64 {
            Some(format!("a thread group is at most 1024 x 1024 x 64, not {x} x {y} x {z}"))
        } else if product > 1024 {
            Some(format!("{x} x {y} x {z} = {product} threads, of at most 1024"))
        } else {
            None
        };
        match bad {
            Some(message) => self.push(Diagnostic::new(Code::NumThreadsLimits, w.place, message)),
            None => self.out.num_threads = threads,
        }
    }

    fn grid(&mut self) {
        if self.out.launch != Launch::Broadcasting {
            return;
        }
        let record = self.out.input.as_ref().and_then(|i| i.record.clone());
        match (self.fixed.take(), self.maximum.take()) {
            (Some(fixed), Some(maximum)) => {
                let message = format!("node `{}` has a fixed and a maximum dispatch grid", self.out.name);
                self.push(Diagnostic::new(Code::TwoGrids, maximum.place, message).also(fixed.place, "the fixed one"));
                self.out.grid = Grid::Fixed(fixed.uint3());
            }
            (Some(w), None) => {
                self.grid_limits(&w);
                self.out.grid = Grid::Fixed(w.uint3());
            }
            (None, Some(w)) => {
                self.grid_limits(&w);
                self.out.grid = Grid::Max(w.uint3());
                self.dynamic_grid(&w, record);
            }
            (None, None) if !self.mentions(Attr::NodeDispatchGrid) && !self.mentions(Attr::NodeMaxDispatchGrid) => {
                let message = format!("broadcasting node `{}` has no dispatch grid", self.out.name);
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
                self.push(missing);
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
            let place = crate::record::record(self.cx.db, inst).place;
            missing = missing.also(place, "add a field such as `uint3 grid : SV_DispatchGrid` here");
        }
        self.push(missing);
    }

    fn grid_limits(&mut self, w: &Written<'db>) {
        let grid = w.uint3();
        let [x, y, z] = grid;
        let product: u64 = grid.iter().map(|n| u64::from(*n)).product();
        if let Some(bad) = grid.iter().position(|n| !(1..=65_535).contains(n)) {
            let place = w.arg_places.get(bad).copied().unwrap_or(w.place);
            let message = format!("a dispatch grid is 1 to 65,535 in each direction, not {}", grid[bad]);
            self.push(Diagnostic::new(Code::GridLimits, place, message));
        } else if product > 16_777_215 {
            let message = format!("{x} x {y} x {z} = {product} thread groups, of at most 16,777,215");
            self.push(Diagnostic::new(Code::GridLimits, w.place, message));
        }
    }
}

/// `("name"[, index])`
fn node_id(w: &Written<'_>) -> NodeId {
    NodeId { name: w.text().into(), index: w.uint(1).unwrap_or(0) }
}
