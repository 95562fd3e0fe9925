//! Attributes of a node's function: launch mode, ID, threads, grid and recursion. Inputs and outputs are in
//! [`super::params`], the additions of mesh nodes in [`super::mesh`].

use super::params::is_unknown_attribute;
use super::sizes::{bad_thread_group, grid_problem, mesh_group, thread_group, wave_size};
use super::{MeshDecl, NodeDecl, ShareInput, function_attributes};
use crate::db::Db;
use crate::db::def::{FnId, Item, SourcePlace};
use crate::db::diagnostic::Diagnostic;
use crate::db::items::FnNode;
use crate::db::ty::{FnInst, Ty, TyKind};
use crate::tables::builtin::Builtin;
use crate::tables::codes::{Code, Severity};
use crate::tables::figures::signed;
use crate::tables::similar_names::closest;
use crate::types::attribute_table::{Attr, AttributeUse, Target, Value, nearly, read};
use crate::types::attributes::is_named;
use crate::types::cx::Cx;
use crate::types::mesh_outputs::array_of;
use crate::types::node_record::{RecordInfo, misspelled_grid};
use crate::types::signature::{Param, fn_signature};
use crate::types::system_values::launch_name;
use wgc_frontend::ast;
use wgc_ir::{GraphConstant, Grid, Launch, NodeId};

/// A contract under construction.
pub(super) struct Builder<'c, 'a, 'db> {
    pub cx: &'c mut Cx<'a, 'db>,
    pub params: &'db [Param<'db>],
    pub syntax: FnNode<'db>,
    ret: Ty<'db>,
    has_body: bool,
    pub out: NodeDecl<'db>,
    fixed: Option<AttributeUse<'db>>,
    maximum: Option<AttributeUse<'db>>,
    depth: Option<AttributeUse<'db>>,
    threads: Option<AttributeUse<'db>>,
    /// The location of `NodeLaunch`.
    pub launch_place: Option<SourcePlace<'db>>,
    /// The intended mode is unknown, so the rules about modes are silent.
    pub launch_unknown: bool,
    /// Any mode may be meant, because two are written or `NodeLaunch` is misspelt. Attributes of all modes are
    /// accepted.
    launch_is_open: bool,
    /// A rejected parameter may have been meant as the input.
    pub input_is_wrong: bool,
    /// The outputs of a mesh node.
    pub mesh: MeshDecl<'db>,
    /// The budget attributes of each output.
    pub budgets: Vec<Budget<'db>>,
}

#[derive(Clone)]
pub(super) struct Budget<'db> {
    pub own: Option<u32>,
    pub shared: Option<(String, SourcePlace<'db>)>,
    /// The number and location of `MaxRecordsPerNode`, on an array.
    pub per_node: Option<(u32, SourcePlace<'db>)>,
    /// An unknown attribute, its name, and the similar budget attribute.
    pub misspelt: Option<(SourcePlace<'db>, SourcePlace<'db>, &'static str)>,
    /// Either attribute was written, even if wrongly.
    pub mentioned: bool,
}

impl<'c, 'a, 'db> Builder<'c, 'a, 'db> {
    pub fn new(cx: &'c mut Cx<'a, 'db>, f: FnId<'db>, syntax: &FnNode<'db>) -> Self {
        let signature = fn_signature(cx.db, FnInst::new(cx.db, f, None, Vec::new()));
        let id = NodeId { name: signature.name.as_str().into(), index: 0 };
        let out = NodeDecl {
            function: f,
            name: signature.name.clone(),
            name_place: signature.name_place,
            id,
            id_place: signature.name_place.into(),
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
            launch_is_open: false,
            input_is_wrong: false,
            mesh: MeshDecl::default(),
            budgets: Vec::new(),
        }
    }

    pub fn push(&mut self, diagnostic: Diagnostic<'db>) {
        self.cx.errors.push(diagnostic);
    }

    /// Reports a problem with the numbers of an attribute. Diagnostics about negative arguments become labels of it;
    /// those whose number its message already shows are dropped.
    pub fn push_about(&mut self, w: &AttributeUse<'db>, mut diagnostic: Diagnostic<'db>) {
        let is_sign = |d: &mut Diagnostic<'db>| {
            d.code == Code::AttributeArgumentSign && d.primary.place.text().is_some_and(|at| w.arg_places.contains(&at))
        };
        for sign in self.cx.errors.extract_if(.., is_sign) {
            let (place, message) = (sign.primary.place, sign.message);
            let argument = w.arg_places.iter().position(|at| place.text() == Some(*at));
            let negative = argument.and_then(|n| w.int(n)).filter(|n| *n < 0);
            if negative.is_some_and(|n| diagnostic.message.contains(&signed(n))) {
                continue;
            }
            let is_there = place == diagnostic.primary.place;
            diagnostic = if is_there { diagnostic.label(message) } else { diagnostic.also(place, message) };
        }
        self.push(diagnostic);
    }

    /// Shows the cause of the launch mode in a message.
    pub fn with_launch(&self, diagnostic: Diagnostic<'db>) -> Diagnostic<'db> {
        match self.launch_place {
            Some(place) => diagnostic.also(place, format!("a {} node", launch_name(self.out.launch))),
            None if self.out.launch == Launch::Broadcasting => {
                diagnostic.note("a node without `NodeLaunch` is a broadcasting node")
            }
            // The mode comes from the input, which has its own diagnostic.
            None => diagnostic,
        }
    }

    /// Records the specialisation constants among the arguments of an attribute.
    pub fn specialised(&mut self, w: &AttributeUse<'db>, of: impl Fn(u32) -> GraphConstant) {
        self.out.specialised.extend(w.specialised(of));
    }

    pub fn function_attributes(&mut self) {
        let written = read(self.cx, &function_attributes(&self.syntax), Target::Function);
        // The other attributes depend on the launch mode.
        for w in written.iter().filter(|w| w.row.attr == Attr::NodeLaunch) {
            self.launch(w);
        }
        if written.iter().all(|w| w.row.attr != Attr::NodeLaunch) {
            self.launch_unsaid();
        }
        for w in written {
            if !w.row.launch.contains(&self.out.launch) && !self.launch_is_open {
                let mode = launch_name(self.out.launch);
                let message = format!("`{}` does not apply to a {mode} node", w.row.name);
                let wrong =
                    Diagnostic::new(Code::LaunchAttribute, w.place, message).remove_attribute(w.place, w.row.name);
                self.push(self.with_launch(wrong));
                continue;
            }
            self.function_attribute(w);
        }
        // A wrong depth is not also missing.
        let depth = function_attributes(&self.syntax).into_iter().find(|a| is_named(a, Attr::NodeMaxRecursionDepth));
        if let (None, Some(attribute)) = (self.out.recursion_place, depth)
            && self.out.launch != Launch::Mesh
        {
            self.out.max_recursion = 1;
            self.out.recursion_place = Some(self.cx.place(attribute.span));
        }
    }

    fn launch(&mut self, w: &AttributeUse<'db>) {
        let modes = [Launch::Broadcasting, Launch::Coalescing, Launch::Thread, Launch::Mesh];
        let text = w.text();
        self.launch_place = Some(w.place);
        if w.is_contradicted {
            (self.launch_unknown, self.launch_is_open) = (true, true);
            // The mode that fits the parameters applies from here on.
            let has_mesh = self.params.iter().any(|param| array_of(param).is_some());
            let fitting = self.modes_of_input().map(|(fitting, _)| fitting[0]);
            if let Some(mode) = if has_mesh { Some(Launch::Mesh) } else { fitting } {
                self.out.launch = mode;
                return;
            }
        }
        if let Some(mode) = modes.into_iter().find(|m| launch_name(*m) == text) {
            self.out.launch = mode;
            return;
        }
        let place = w.arg_places.first().copied().unwrap_or(w.place);
        let mut wrong = Diagnostic::new(Code::LaunchMode, place, format!("`{text}` is not a launch mode"))
            .note("launch modes: broadcasting, coalescing, thread, mesh");
        // Avoids errors that follow from this one: the rules that depend on the mode wait until it is right.
        self.launch_unknown = true;
        if let Some(mode) = modes.into_iter().find(|m| launch_name(*m).eq_ignore_ascii_case(text)) {
            let name = launch_name(mode);
            wrong = wrong.meant(place, &format!("\"{name}\""));
            self.out.launch = mode;
        } else {
            if let Some(meant) = closest(text, modes.map(launch_name)) {
                wrong = wrong.meant(place, &format!("\"{meant}\""));
            }
        }
        self.push(wrong);
    }

    /// Returns the modes that allow the node's input, and the location of the input.
    fn modes_of_input(&self) -> Option<(&'static [Launch], SourcePlace<'db>)> {
        let db = self.cx.db;
        self.params.iter().find_map(|param| match crate::types::record::builtin(db, param.ty)? {
            Builtin::Input(input) => Some((input.launches(), param.place)),
            _ => None,
        })
    }

    /// Returns whether an attribute of this kind is misspelt, and turns that warning into an error. The caller then
    /// does not report the attribute as missing. Libraries keep DXC's messages.
    pub fn is_misspelt(&mut self, attrs: &[Attr]) -> bool {
        let is_library = self.cx.item.program(self.cx.db).options(self.cx.db).library;
        let found = attrs.iter().filter(|_| !is_library).find_map(|attr| misspelt(self.cx, &self.syntax, *attr));
        let Some(Misspelt { attribute, text, meant, .. }) = found else { return false };
        let message = format!("unknown attribute `{text}`; node `{}` has no `{meant}`", self.out.name);
        for unknown in self.cx.errors.iter_mut().filter(|d| is_unknown_attribute(d, attribute)) {
            (unknown.severity, unknown.message) = (Severity::Error, message.clone());
        }
        true
    }

    /// Sets the launch mode of a node without `NodeLaunch`: broadcasting. If the input does not fit that mode, this
    /// is reported once.
    fn launch_unsaid(&mut self) {
        if self.is_misspelt(&[Attr::NodeLaunch]) {
            (self.launch_unknown, self.launch_is_open) = (true, true);
            self.out.launch = self.modes_of_input().map_or(self.out.launch, |(modes, _)| modes[0]);
            return;
        }
        if self.mentions(Attr::NodeLaunch) {
            self.launch_unknown = true;
            return;
        }
        let meant = self.modes_of_input().map(|(modes, place)| (modes[0], place));
        let has_grid = self.mentions(Attr::NodeDispatchGrid) || self.mentions(Attr::NodeMaxDispatchGrid);
        if let Some((mode, input)) = meant.filter(|(mode, _)| *mode != Launch::Broadcasting && !has_grid) {
            let name = launch_name(mode);
            let start =
                function_attributes(&self.syntax).first().map_or(self.out.name_place, |a| self.cx.place(a.span));
            let message = format!("this input belongs to {name} nodes, but `{}` is broadcasting", self.out.name);
            self.out.launch = mode;
            self.push(
                Diagnostic::new(Code::InputLaunchMode, input, message)
                    .also(self.out.name_place, "this node has no `NodeLaunch`")
                    .add_attribute(start, &format!("[NodeLaunch(\"{name}\")]")),
            );
        }
    }

    fn function_attribute(&mut self, w: AttributeUse<'db>) {
        match w.row.attr {
            Attr::NodeIsProgramEntry => self.out.is_entry = Some(w.place.into()),
            Attr::NodeId => {
                self.out.id = node_id(&w);
                self.specialised(&w, |_| GraphConstant::Index);
                self.out.id_place = w.arg_places.first().copied().unwrap_or(w.place).into();
            }
            Attr::NodeLocalRootArgumentsTableIndex => {
                if let Some(Value::Int(index)) = w.args.first() {
                    self.out.local_root_index = u32::try_from(*index).ok().map(|i| (i, w.place.into()));
                    if *index < -1 {
                        let place = w.arg_places.first().copied().unwrap_or(w.place);
                        let message =
                            format!("`{}` expects an index, or -1 for automatic; this is read as -1", w.row.name);
                        self.push(Diagnostic::new(Code::AttributeArgumentSign, place, message));
                    }
                }
            }
            Attr::NumThreads => self.threads = Some(w),
            Attr::NodeShareInputOf => {
                let named = w.arg_places.first().copied();
                self.specialised(&w, |_| GraphConstant::Owner);
                self.out.share_input_of = Some(ShareInput { owner: node_id(&w), place: w.place.into(), named });
            }
            Attr::NodeDispatchGrid => self.fixed = Some(w),
            Attr::NodeMaxDispatchGrid => self.maximum = Some(w),
            Attr::NodeMaxRecursionDepth => {
                let depth = w.uint(0).unwrap_or(0);
                // A wrong depth gets no second diagnostic from the rules about depth.
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
                Err(wrong) => self.push_about(&w, *wrong),
            },
            _ => {}
        }
    }

    /// Checks attributes and parameters against each other.
    pub fn finish(&mut self) {
        let name = self.out.name.clone();
        if !matches!(self.ret.kind(self.cx.db), TyKind::Void | TyKind::Error) {
            let message = format!("node `{name}` must return `void`, not `{}`", self.ret.display(self.cx.db));
            let ty = self.syntax.function.ret;
            let ret = self.cx.place(self.syntax.tree.ast.types[ty].span);
            let wrong = Diagnostic::new(Code::NodeReturnsVoid, self.out.name_place, message);
            let gives_values = returns_values(self.cx.db, self.syntax.function, self.out.name_place.item);
            self.push(match gives_values {
                true => wrong.note("write results to output records or resources"),
                false => wrong.fix(ret, "void", "return `void`"),
            });
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

    /// Checks the recursion depth. A depth of 0 equals a missing attribute; it is wrong only if the node targets
    /// itself.
    fn recursion_depth(&mut self) {
        let Some(w) = self.depth.take() else {
            if self.out.recursion_place.is_none()
                && crate::contracts::node::targets_itself(&self.out)
                && self.is_misspelt(&[Attr::NodeMaxRecursionDepth])
            {
                self.out.max_recursion = 1;
                self.out.recursion_place = Some(self.out.name_place);
            }
            return;
        };
        let depth = w.int(0).unwrap_or(0);
        if !(0..=32).contains(&depth) || depth == 0 && crate::contracts::node::targets_itself(&self.out) {
            let message = format!("a recursion depth must be 1 to 32, not {}", signed(depth));
            // DXC accepts 0 as no recursion.
            let none = depth == 0 && self.cx.item.program(self.cx.db).options(self.cx.db).library;
            let severity = if none { Severity::Warning } else { Severity::Error };
            self.push_about(&w, Diagnostic::new(Code::RecursionDepth, w.place, message).severity(severity));
        }
    }

    /// Returns whether the attribute is written, even if wrongly. Then it is not missing.
    pub fn mentions(&self, attr: Attr) -> bool {
        function_attributes(&self.syntax).into_iter().any(|a| is_named(a, attr))
    }

    fn threads(&mut self) {
        let name = self.out.name.clone();
        let Some(w) = self.threads.take() else {
            let wanted = self.out.launch != Launch::Thread && !self.mentions(Attr::NumThreads);
            if wanted && !self.is_misspelt(&[Attr::NumThreads]) {
                let message = format!("node `{name}` lacks `NumThreads`");
                let missing = Diagnostic::new(Code::MissingNumThreads, self.out.name_place, message)
                    .note("add `[NumThreads(x, y, z)]`");
                self.push(self.with_launch(missing));
            }
            return;
        };
        let threads = w.int3();
        if self.out.launch == Launch::Thread {
            let [x, y, z] = threads;
            if threads != [1, 1, 1] {
                let message = format!("a thread node has one thread a group, not {x} x {y} x {z}");
                let wrong = self.with_launch(Diagnostic::new(Code::NumThreadsLimits, w.place, message));
                self.push_about(&w, wrong);
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
                let message = format!("node `{}` has both a fixed and a maximum dispatch grid", self.out.name);
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
            (None, None)
                if [Attr::NodeDispatchGrid, Attr::NodeMaxDispatchGrid].into_iter().any(|a| self.mentions(a)) => {}
            (None, None) if self.is_misspelt(&[Attr::NodeDispatchGrid, Attr::NodeMaxDispatchGrid]) => {}
            (None, None) => {
                let message = format!("{mode} node `{}` has no dispatch grid", self.out.name);
                let mut missing = Diagnostic::new(Code::MissingGrid, self.out.name_place, message);
                if let Some((record, place)) = record.as_ref().and_then(|r| Some((r, r.grid_place?))) {
                    let shown = record.ty.display(self.cx.db);
                    missing = missing
                        .also(place, format!("`{shown}` carries the size of the grid"))
                        .note("add `[NodeMaxDispatchGrid(x, y, z)]` with the largest grid that a record may request");
                } else {
                    missing = missing
                        .note("add `[NodeDispatchGrid(x, y, z)]` with the number of thread groups for each record");
                }
                self.push(self.with_launch(missing));
            }
        }
    }

    fn dynamic_grid(&mut self, w: &AttributeUse<'db>, record: Option<RecordInfo<'db>>) {
        let name = &self.out.name;
        let message = match &record {
            Some(record) if record.grid_place.is_some() => return,
            Some(record) => {
                let shown = record.ty.display(self.cx.db);
                format!("node `{name}` reads its grid from `{shown}`, which has no `SV_DispatchGrid`")
            }
            // The record, or a parameter meant as the input, is wrong and was reported.
            None if self.out.input.is_some() || self.input_is_wrong => return,
            None => format!("node `{name}` reads its grid from its record, but it has no record"),
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
                    let place = crate::types::record::record(self.cx.db, inst).place;
                    missing.also(place, "add a field such as `uint3 grid : SV_DispatchGrid` here")
                }
            };
        }
        self.push(missing);
    }

    fn grid_limits(&mut self, w: &AttributeUse<'db>) {
        if let Some((message, bad)) = grid_problem(self.out.launch, w.int3()) {
            let place = bad.and_then(|bad| w.arg_places.get(bad)).copied().unwrap_or(w.place);
            self.push_about(w, Diagnostic::new(Code::GridLimits, place, message));
        }
    }
}

/// An unknown attribute that resembles a known one.
pub(super) struct Misspelt<'a, 'db> {
    pub attribute: SourcePlace<'db>,
    /// The location of its name.
    pub word: SourcePlace<'db>,
    pub text: &'a str,
    /// The name of the known attribute.
    pub meant: &'static str,
}

/// Returns the misspelt attribute of this kind.
pub(super) fn misspelt<'a, 'db>(cx: &Cx<'_, 'db>, syntax: &FnNode<'a>, attr: Attr) -> Option<Misspelt<'a, 'db>> {
    function_attributes(syntax).into_iter().find_map(|attribute| {
        let row = nearly(attribute).filter(|row| row.attr == attr)?;
        let name = &attribute.path.segments.first()?.name;
        let (attribute, word) = (cx.place(attribute.span), cx.token(name.at));
        Some(Misspelt { attribute, word, text: &name.text, meant: row.name })
    })
}

/// Reads `("name"[, index])`.
pub(super) fn node_id(w: &AttributeUse<'_>) -> NodeId {
    NodeId { name: w.text().into(), index: w.uint(1).unwrap_or(0) }
}

/// Returns whether any `return` in a function has a value.
fn returns_values<'db>(db: &'db dyn Db, function: &ast::Function, item: Item<'db>) -> bool {
    let ast::Body::Sliced(n) = function.body else { return false };
    let Some(body) = crate::db::items::body_tree(db, item, n) else { return false };
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
