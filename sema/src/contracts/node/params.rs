//! Parameters of a node: its input, its outputs with their budgets, and system values. See WorkGraphs.md, "Node input
//! declaration", "Node output declaration", "Shader function parameters".

use super::build::{Budget, Builder, node_id};
use super::{InputDecl, OutputDecl};
use crate::db::def::SourcePlace;
use crate::db::diagnostic::Diagnostic;
use crate::db::ty::TyKind;
use crate::tables::builtin::{Builtin, InputKind};
use crate::tables::codes::{Code, Severity};
use crate::tables::figures::{article, signed};
use crate::tables::similar_names::closest;
use crate::types::attribute_table::{Attr, AttributeUse, Target, read};
use crate::types::attributes::is_named;
use crate::types::cx::Cx;
use crate::types::node_record::{self, RecordInfo};
use crate::types::record::type_arg;
use crate::types::signature::{Direction, Param};
use crate::types::system_values::{self, input_object, launch_name};
use wgc_frontend::ast;
use wgc_ir::{GraphConstant, Launch, NodeId, OutputArray};

/// Checks the attributes of one parameter of a function that is not a node. A node may pass its outputs to it. The
/// attributes add nothing to those of the node's own parameter, but they must be consistent.
pub(super) fn plain<'db>(cx: &mut Cx<'_, 'db>, param: &ast::Param) {
    if param.attributes.is_empty() {
        return;
    }
    let attributes: Vec<&ast::Attribute> = param.attributes.iter().collect();
    let written = read(cx, &attributes, Target::Param);
    let find = |attr: Attr| written.iter().find(|w| w.row.attr == attr);
    let Some(shared) = find(Attr::MaxRecordsSharedWith) else { return };
    let name = param.declarator.as_ref().map_or("", |d| d.name.text.as_str());
    if let Some(own) = find(Attr::MaxRecords) {
        cx.errors.push(two_budgets(name, shared.place, own.place));
    } else if shared.text() == name {
        cx.errors.push(own_budget(name, shared.place));
    }
}

fn two_budgets<'db>(name: &str, shared: SourcePlace<'db>, own: SourcePlace<'db>) -> Diagnostic<'db> {
    let message = format!("output `{name}` has its own budget and shares one");
    Diagnostic::new(Code::SharedBudget, shared, message).also(own, "its own `MaxRecords`")
}

fn own_budget<'db>(name: &str, shared: SourcePlace<'db>) -> Diagnostic<'db> {
    Diagnostic::new(Code::SharedBudget, shared, format!("output `{name}` shares a budget with itself"))
}

impl<'db> Builder<'_, '_, 'db> {
    pub(super) fn params(&mut self) {
        // `f(void)` has a syntactic parameter and none in the signature; otherwise they are parallel.
        let syntax: Vec<&'db ast::Param> = self.syntax.function.params.iter().collect();
        let mut inputs: Vec<SourcePlace<'db>> = Vec::new();
        let params = self.params;
        for (param, node) in params.iter().zip(syntax) {
            let attributes: Vec<&ast::Attribute> = node.attributes.iter().collect();
            let written = read(self.cx, &attributes, Target::Param);
            let object = crate::types::record::builtin(self.cx.db, param.ty);
            if param.direction != Direction::In && object.is_some_and(|o| o.is_node_object()) {
                let message = format!("`{}` is an input of the node, so it cannot be returned", param.name);
                self.push(
                    Diagnostic::new(Code::NodeParameter, param.place, message)
                        .note("declare inputs and outputs as `in` parameters"),
                );
                self.input_is_wrong = true;
                self.out.lacks_outputs = true;
                continue;
            }
            if self.mesh_param(param, &written) {
                continue;
            }
            match object {
                Some(Builtin::Input(input)) => {
                    if let Some(first) = inputs.first() {
                        let message = format!("node `{}` has two inputs", self.out.name);
                        self.push(
                            Diagnostic::new(Code::SecondInput, param.place, message).also(*first, "the first one"),
                        );
                    } else {
                        self.input(param, node, input, &written);
                    }
                    inputs.push(param.place);
                }
                Some(Builtin::Output { .. }) if self.out.launch == Launch::Mesh && !self.launch_unknown => {
                    self.leaf(param);
                }
                Some(Builtin::Output { array, empty }) => self.output(param, array, empty, &written, &attributes),
                _ => self.value(param, &written),
            }
        }
        self.budgets_of_outputs();
    }

    /// Reports an output of a mesh node, which cannot have any.
    fn leaf(&mut self, param: &Param<'db>) {
        let message = format!("mesh node `{}` cannot send records to other nodes", self.out.name);
        let wrong = Diagnostic::new(Code::MeshNodeOutput, param.place, message)
            .note("a mesh node is a leaf of the graph: its output goes to the rasteriser");
        let wrong = self.with_launch(wrong);
        self.push(wrong);
    }

    /// Reads the record type of a parameter. `grids` is true if the grid in such a record launches groups.
    fn record_of(&mut self, param: &Param<'db>, grids: bool) -> Option<RecordInfo<'db>> {
        let db = self.cx.db;
        let inst = param.ty.as_record(db)?;
        let ty = type_arg(db, inst)?;
        node_record::read(self.cx, ty, param.place.span, grids)
    }

    fn input(
        &mut self,
        param: &Param<'db>,
        syntax: &ast::Param,
        input: crate::tables::builtin::Input,
        written: &[AttributeUse<'db>],
    ) {
        let modes = input.launches();
        let shown = param.ty.display(self.cx.db);
        if !modes.contains(&self.out.launch) && !self.launch_unknown {
            let mode = launch_name(self.out.launch);
            let message = format!("a {mode} node cannot have {} `{shown}` as its input", article(&shown.to_string()));
            let takes = match self.out.launch {
                Launch::Broadcasting | Launch::Mesh => "[RW]DispatchNodeInputRecord",
                Launch::Coalescing => "[RW]GroupNodeInputRecords or EmptyNodeInput",
                Launch::Thread => "[RW]ThreadNodeInputRecord",
            };
            let mut wrong = Diagnostic::new(Code::InputLaunchMode, param.place, message)
                .label(format!("the input of a {} node", launch_name(modes[0])))
                .note(format!("a {mode} node accepts {takes}"));
            if let Some((at, name)) = self.input_of_mode(syntax, input) {
                wrong = wrong.fix(at, &name, format!("write `{name}`"));
            }
            self.push(self.with_launch(wrong));
        }
        // In a launch mode without a grid, the grid field is an ordinary field.
        let has_grid = matches!(self.out.launch, Launch::Broadcasting | Launch::Mesh) && !self.launch_unknown;
        let record = if input.kind == InputKind::Empty { None } else { self.record_of(param, has_grid) };
        if let Some(record) = &record
            && record.ir.track_sharing
            && !(input.kind == InputKind::Dispatch && input.read_write)
        {
            let (record_shown, a) = (record.ty.display(self.cx.db), article(&shown.to_string()));
            let message = format!("`{record_shown}` tracks sharing, but {a} `{shown}` does not");
            let mut wrong = Diagnostic::new(Code::TrackedInput, param.place, message)
                .note("only groups of one grid share a record: declare the input as `RWDispatchNodeInputRecord`");
            if let Some(inst) = record.ty.as_record(self.cx.db) {
                let place = crate::types::record::record(self.cx.db, inst).place;
                wrong = wrong.also(place, "this structure has `NodeTrackRWInputSharing`");
            }
            self.push(wrong);
        }
        let coherent = param.has("globallycoherent");
        let (mut max_records, mut max_records_place) = (1, None);
        for w in written {
            match w.row.attr {
                Attr::MaxRecords if matches!(input.kind, InputKind::Group | InputKind::Empty) => {
                    max_records = w.uint(0).unwrap_or(1);
                    max_records_place = Some(w.place);
                    if max_records == 0 {
                        let message = "a coalescing node needs at least one record";
                        self.push(Diagnostic::new(Code::ZeroRecords, w.place, message).severity(Severity::Error));
                        max_records = 1;
                    }
                    // There is no upper limit: a runtime may pass fewer records (WorkGraphs.md, Node input limits).
                    self.specialised(w, |_| GraphConstant::InputRecords);
                }
                Attr::MaxRecords => {
                    let message = format!(
                        "`MaxRecords` does not apply to {} `{shown}`, which is one record",
                        article(&shown.to_string())
                    );
                    self.push(
                        Diagnostic::new(Code::MaxRecordsPlace, w.place, message).remove_attribute(w.place, w.row.name),
                    );
                }
                _ => {
                    let message = format!("`{}` belongs on outputs", w.row.name);
                    self.push(
                        Diagnostic::new(Code::AttributePlace, w.place, message).remove_attribute(w.place, w.row.name),
                    );
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
            max_records_place,
            place: param.place,
        });
    }

    fn output(
        &mut self,
        param: &Param<'db>,
        array: bool,
        empty: bool,
        written: &[AttributeUse<'db>],
        attributes: &[&ast::Attribute],
    ) {
        let mentions = |attr| attributes.iter().any(|a| is_named(a, attr));
        let index = self.out.outputs.len() as u32;
        let record = if empty { None } else { self.record_of(param, true) };
        let mut out = OutputDecl {
            name: param.name.clone(),
            ty: param.ty,
            empty,
            record,
            target: NodeId { name: param.name.as_str().into(), index: 0 },
            target_place: param.name_place.into(),
            target_is_default: true,
            target_is_unknown: mentions(Attr::NodeId),
            array: OutputArray::Single,
            size_place: None,
            sparse: false,
            max_records: 0,
            budget_place: None,
            budget_is_unknown: false,
            shared_with: None,
            place: param.place,
            name_place: param.name_place,
        };
        let mentioned = mentions(Attr::MaxRecords) || mentions(Attr::MaxRecordsSharedWith);
        let misspelt = attributes.iter().find_map(|attribute| {
            let row = crate::types::attribute_table::nearly(attribute);
            let row = row.filter(|row| matches!(row.attr, Attr::MaxRecords | Attr::MaxRecordsSharedWith))?;
            let word = attribute.path.segments.first()?.name.at;
            Some((self.cx.place(attribute.span), self.cx.token(word), row.name))
        });
        let mut budget = Budget { own: None, shared: None, per_node: None, misspelt, mentioned };
        let mut size: Option<(u32, SourcePlace<'db>)> = None;
        let mut unbounded: Option<SourcePlace<'db>> = None;
        for w in written {
            match w.row.attr {
                Attr::NodeId => {
                    out.target = node_id(w);
                    self.specialised(w, |_| GraphConstant::Target(index));
                    out.target_place = w.arg_places.first().copied().unwrap_or(w.place).into();
                    out.target_is_default = false;
                    out.target_is_unknown = false;
                }
                Attr::MaxRecords => {
                    budget.own = w.uint(0);
                    out.budget_place = Some(w.place.into());
                    self.specialised(w, |_| GraphConstant::Budget(index));
                    if budget.own == Some(0) {
                        let message = format!("output `{}` can never send a record", param.name);
                        self.push(Diagnostic::new(Code::ZeroRecords, w.place, message));
                    }
                }
                Attr::MaxRecordsSharedWith => {
                    out.budget_place = Some(w.place.into());
                    budget.shared = Some((w.text().to_string(), w.place));
                }
                Attr::AllowSparseNodes => out.sparse = true,
                Attr::NodeArraySize => {
                    size = w.uint(0).map(|n| (n, w.place));
                    out.size_place = Some(w.place);
                }
                Attr::UnboundedSparseNodes => unbounded = Some(w.place),
                Attr::MaxRecordsPerNode if array => {
                    budget.per_node = w.uint(0).map(|n| (n, w.place));
                    if budget.per_node.is_some_and(|(n, _)| n == 0) {
                        let message = format!("no node that output `{}` targets can ever receive a record", param.name);
                        self.push(Diagnostic::new(Code::ZeroRecords, w.place, message));
                    }
                }
                Attr::MaxRecordsPerNode => {
                    let message = format!("output `{}` targets one node, so `MaxRecords` is enough", param.name);
                    self.push(
                        Diagnostic::new(Code::MaxRecordsPerNode, w.place, message)
                            .note("`MaxRecordsPerNode` belongs on arrays of outputs")
                            .remove_attribute(w.place, w.row.name),
                    );
                }
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
                    let message = "`UnboundedSparseNodes` leaves the size open: remove `NodeArraySize`";
                    self.push(Diagnostic::new(Code::SparseArray, place, message));
                    out.array = OutputArray::Sized(n.max(1));
                    out.sparse = true;
                }
                (Some((0, place)), None) => {
                    self.push(Diagnostic::new(Code::NodeArraySize, place, "an output array needs at least one node"));
                    out.array = OutputArray::Sized(1);
                }
                (Some(_), None) if written.iter().any(|w| is_negative_size(w) && !self.syntax_program_is_library()) => {
                    for w in written.iter().filter(|w| is_negative_size(w)) {
                        let place = w.arg_places.first().copied().unwrap_or(w.place);
                        let n = signed(w.int(0).unwrap_or(0));
                        let message = format!("an output array needs at least one node, not {n}");
                        self.push_about(w, Diagnostic::new(Code::NodeArraySize, place, message));
                    }
                    out.array = OutputArray::Sized(1);
                    out.target_is_unknown = true;
                }
                (Some((n, _)), None) => {
                    out.array = OutputArray::Sized(n);
                    let sizes = written.iter().filter(|w| w.row.attr == Attr::NodeArraySize);
                    sizes.for_each(|w| self.specialised(w, |_| GraphConstant::Size(index)));
                }
                (None, None) if mentions(Attr::NodeArraySize) => out.array = OutputArray::Sized(1),
                (None, None) => {
                    let message = format!("output array `{}` has no size", param.name);
                    let mut missing = Diagnostic::new(Code::NodeArraySize, param.name_place, message).note(
                        "add `[NodeArraySize(n)]` with the number of nodes, or `[UnboundedSparseNodes]` to leave it open",
                    );
                    // DXC does not require the size in a library.
                    if self.syntax_program_is_library() {
                        missing = missing.severity(Severity::Warning);
                    }
                    self.push(missing);
                    out.array = OutputArray::Sized(1);
                }
            }
        } else {
            if let Some((_, place)) = size {
                let message = format!(
                    "`NodeArraySize` does not apply to {} `{shown}`, which targets one node",
                    article(&shown.to_string())
                );
                let array = shown.to_string().replacen("NodeOutput", "NodeOutputArray", 1);
                let note = format!("an output for several nodes is {} `{array}`", article(&array));
                self.push(Diagnostic::new(Code::NodeArraySize, place, message).note(note));
            }
            if let Some(place) = unbounded {
                let message =
                    format!("{} `{shown}` targets one node, so it cannot be unbounded", article(&shown.to_string()));
                self.push(Diagnostic::new(Code::SparseArray, place, message));
            }
        }
        out.max_records = budget.own.unwrap_or(0);
        self.budgets.push(budget);
        self.out.outputs.push(out);
    }

    /// Returns the location of an input's type name, and the name of such an input in the node's launch mode. `None`
    /// for empty records, which only one mode has, and for types named by an alias.
    fn input_of_mode(
        &self,
        param: &ast::Param,
        input: crate::tables::builtin::Input,
    ) -> Option<(SourcePlace<'db>, String)> {
        let ast::TypeKind::Path(path) = &self.syntax.tree.ast.types[param.ty].kind else { return None };
        let [segment] = path.segments.as_slice() else { return None };
        let name = input_object(self.out.launch);
        if input.kind == InputKind::Empty || !segment.name.text.ends_with(input_object(input.launches()[0])) {
            return None;
        }
        let name = if input.read_write { format!("RW{name}") } else { name.to_string() };
        Some((self.cx.token(segment.name.at), name))
    }

    /// Checks that each output has either `MaxRecords` or `MaxRecordsSharedWith`.
    fn budgets_of_outputs(&mut self) {
        let library = self.syntax_program_is_library();
        for i in 0..self.budgets.len() {
            let (budget, name, place) = {
                let out = &self.out.outputs[i];
                (self.budgets[i].clone(), out.name.clone(), out.place)
            };
            match (budget.own, budget.shared) {
                (Some(_), None) => {}
                (None, None) if budget.mentioned => self.out.outputs[i].budget_is_unknown = true,
                (None, None) => {
                    let message = format!("output `{name}` has no budget of records");
                    let mut missing = match budget.misspelt {
                        // One diagnostic, with the cause.
                        Some((attribute, word, meant)) => {
                            self.cx.errors.retain(|d| !is_unknown_attribute(d, attribute));
                            Diagnostic::new(Code::MissingMaxRecords, word, message).meant(word, meant)
                        }
                        None => Diagnostic::new(Code::MissingMaxRecords, place, message).note(
                            "add `[MaxRecords(n)]` with the most records that a thread group, or a thread of a thread node, sends",
                        ),
                    };
                    if library {
                        missing = missing.severity(Severity::Warning);
                    }
                    self.push(missing);
                }
                (Some(_), Some((_, at))) => {
                    self.out.outputs[i].budget_is_unknown = true;
                    self.push(two_budgets(&name, at, place));
                }
                (None, Some((other, at))) => self.shared_budget(i, &name, &other, at),
            }
            self.budget_of_each(i);
        }
    }

    /// Checks that the budget of one node in an array is at most the budget of the whole array.
    fn budget_of_each(&mut self, i: usize) {
        let Some((each, at)) = self.budgets[i].per_node else { return };
        let output = &self.out.outputs[i];
        let owner = output.shared_with.unwrap_or(i as u32);
        let is_open = self.out.specialised.iter().any(|given| given.what == GraphConstant::Budget(owner));
        // A budget of 0 was reported already.
        if is_open || output.budget_is_unknown || output.max_records == 0 || each <= output.max_records {
            return;
        }
        let (all, name) = (output.max_records, &output.name);
        let message =
            format!("`MaxRecordsPerNode` of output `{name}` is {each}, but its budget for all nodes is {all}");
        let mut wrong = Diagnostic::new(Code::MaxRecordsPerNode, at, message);
        if let Some(budget) = output.budget_place {
            wrong = wrong.also(budget, format!("at most {all} records for all nodes of the array"));
        }
        self.push(wrong);
    }

    fn shared_budget(&mut self, i: usize, name: &str, other: &str, at: SourcePlace<'db>) {
        self.out.outputs[i].budget_is_unknown = true;
        let target = self.out.outputs.iter().position(|o| o.name == *other);
        let Some(target) = target else {
            let is_param = self.params.iter().any(|p| p.name == *other);
            let what = if is_param { "is not an output" } else { "is not a parameter of this node" };
            let mut wrong = Diagnostic::new(Code::SharedBudget, at, format!("`{other}` {what}"));
            let outputs = self.out.outputs.iter().filter(|o| o.name != name);
            // The name of an existing parameter is hardly a misspelling of another one.
            if !is_param && let Some(meant) = closest(other, outputs.map(|o| o.name.as_str())) {
                wrong = wrong.label(format!("did you mean `{meant}`?"));
            }
            self.push(wrong);
            return;
        };
        let target_place = self.out.outputs[target].place;
        if target == i {
            self.push(own_budget(name, at));
            return;
        }
        let Some(records) = self.budgets[target].own else {
            let message = format!("`{other}` has no `MaxRecords` of its own to share");
            let mut chain = Diagnostic::new(Code::SharedBudget, at, message).also(target_place, "declared here");
            if let Some((owner, _)) = &self.budgets[target].shared
                && self.out.outputs.iter().zip(&self.budgets).any(|(o, b)| o.name == *owner && b.own.is_some())
            {
                chain = chain.note(format!("`{other}` shares the budget of `{owner}`; `{name}` can share it too"));
            }
            self.push(chain);
            return;
        };
        if target > i {
            let message = format!("`{other}` is declared after `{name}`, which shares its budget");
            self.push(Diagnostic::new(Code::LateSharedBudget, at, message).also(target_place, "declared here"));
        }
        self.out.outputs[i].budget_is_unknown = false;
        self.out.outputs[i].shared_with = Some(target as u32);
        self.out.outputs[i].max_records = records;
    }

    fn syntax_program_is_library(&self) -> bool {
        self.cx.item.program(self.cx.db).options(self.cx.db).library
    }

    /// Checks a parameter that is not a node object: a system value, or a structure of them.
    fn value(&mut self, param: &Param<'db>, written: &[AttributeUse<'db>]) {
        if param.ty.is_error(self.cx.db) {
            self.input_is_wrong = true;
            self.out.lacks_outputs = true;
            return;
        }
        if let TyKind::Array(element, _) = param.ty.kind(self.cx.db)
            && crate::types::record::builtin(self.cx.db, *element).is_some_and(Builtin::is_node_object)
        {
            self.input_is_wrong = true;
            self.out.lacks_outputs = true;
            let message = format!("`{}`: node inputs and outputs cannot be arrays", param.name);
            self.push(
                Diagnostic::new(Code::NodeParameter, param.place, message)
                    .note("use a `NodeOutputArray` or an `EmptyNodeOutputArray` for several nodes"),
            );
            return;
        }
        for w in written {
            let code = if w.row.attr == Attr::MaxRecords { Code::MaxRecordsPlace } else { Code::AttributePlace };
            let message = format!("`{}` belongs on node inputs and outputs", w.row.name);
            self.push(Diagnostic::new(code, w.place, message).remove_attribute(w.place, w.row.name));
        }
        let before = self.cx.errors.len();
        system_values::check_param(self.cx, Some(self.out.launch), param);
        for error in self.cx.errors.split_off(before) {
            let is_of_mode = error.code == Code::SystemValue;
            if is_of_mode && self.launch_unknown {
                continue;
            }
            let error = if is_of_mode { self.with_launch(error) } else { error };
            self.push(error);
        }
    }
}

/// Returns whether the array size is negative. A size of -1 is valid: in the specification it means unbounded.
fn is_negative_size(w: &AttributeUse<'_>) -> bool {
    w.row.attr == Attr::NodeArraySize && w.int(0).is_some_and(|n| n < -1)
}

pub(super) fn is_unknown_attribute(diagnostic: &Diagnostic<'_>, place: SourcePlace<'_>) -> bool {
    diagnostic.code == Code::UnknownAttribute && diagnostic.primary.place.text() == Some(place)
}
