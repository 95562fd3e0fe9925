//! A host's decisions applied to the contracts of nodes, which D3D12 calls overrides.
//!
//! They are applied before the graph is built, so that checks and code follow. A decision that does not apply is an
//! error in the host's file. Later errors in the graph point to the file too, as the changed parts of a contract record
//! their origin.

use super::{Host, HostValue, NodeOverride, OutputOverride, file, host};
use crate::contracts::node::reaches;
use crate::contracts::node::{NodeDecl, ShareInput, grid_problem, node};
use crate::db::def::{At, FnId, HostPlace, SourcePlace};
use crate::db::diagnostic::Diagnostic;
use crate::db::{Db, Program, SourceFile};
use crate::graph::rules::{Check, indexes};
use crate::graph::{node_functions, parse_id, show_id};
use crate::tables::codes::Code;
use crate::tables::similar_names::closest;
use crate::types::system_values::launch_name;
use rustc_hash::{FxHashMap, FxHashSet};
use wgc_ir::{GraphConstant, Grid, NodeId, OutputArray};

/// The result of applying a host's decisions.
#[derive(Clone, Debug, Default, PartialEq, Eq, salsa::SalsaValue)]
pub(crate) struct Applied<'db> {
    /// Contracts that changed.
    pub changed: FxHashMap<FnId<'db>, NodeDecl<'db>>,
    /// Nodes that the host declares not to be entries.
    pub denied: FxHashMap<FnId<'db>, HostPlace>,
    pub diagnostics: Vec<Diagnostic<'db>>,
}

/// Returns the contract of a node after the host's decisions.
pub fn contract<'db>(db: &'db dyn Db, program: Program, f: FnId<'db>) -> Option<&'db NodeDecl<'db>> {
    applied(db, program).changed.get(&f).or_else(|| node(db, f))
}

/// Applies the host's file to the contracts. An edit that changes none of them leaves the result equal.
#[salsa::tracked(returns(ref))]
pub(crate) fn applied<'db>(db: &'db dyn Db, program: Program) -> Applied<'db> {
    let Some(file) = file(db, program) else { return Applied::default() };
    let overrides = &host(db, file).nodes;
    let mut change = Change { file, applied: Applied::default() };
    if overrides.is_empty() {
        return change.applied;
    }
    // Names are those in the shaders, regardless of the host's renames.
    let nodes: Vec<&NodeDecl> = node_functions(db, program).iter().filter_map(|f| node(db, *f)).collect();
    let mut by_function: FxHashMap<&str, Vec<usize>> = FxHashMap::default();
    for (n, decl) in nodes.iter().enumerate() {
        by_function.entry(&decl.name).or_default().push(n);
    }
    let mut given: FxHashMap<usize, &HostValue<String>> = FxHashMap::default();
    for node_override in overrides {
        if let Some(n) = change.meant(node_override, &by_function, &nodes) {
            // The node is given by its function and by its identity, so the intended decisions are unclear.
            if let Some(first) = given.insert(n, &node_override.node) {
                let message =
                    format!("duplicate entry: `{}` is the same node as `{}`", node_override.node.value, first.value);
                let (at, first) = (change.at(node_override.node.location), change.at(first.location));
                let twice = Diagnostic::new(Code::HostOverride, at, message).also(first, "first given here");
                change.applied.diagnostics.push(twice.also(nodes[n].id_place, "this node"));
                continue;
            }
            let function = nodes[n].function;
            let mut changed = change.applied.changed.remove(&function).unwrap_or_else(|| nodes[n].clone());
            change.node(node_override, &mut changed);
            change.applied.changed.insert(function, changed);
        }
    }
    change.applied
}

/// Returns the shader mistakes that the host's decisions fix: attributes that are missing in the source and given here.
pub(crate) fn answered<'db>(db: &'db dyn Db, program: Program) -> FxHashSet<(Code, SourcePlace<'db>)> {
    let mut out = FxHashSet::default();
    let Some(file) = file(db, program) else { return out };
    for node_override in &host(db, file).nodes {
        let is_meant =
            |decl: &&NodeDecl| decl.name == node_override.node.value || decl.id == parse_id(&node_override.node.value);
        for decl in node_functions(db, program).iter().filter_map(|f| node(db, *f)).filter(is_meant) {
            if node_override.dispatch_grid.is_some() || node_override.max_dispatch_grid.is_some() {
                out.insert((Code::MissingGrid, decl.name_place));
            }
            for output in &node_override.outputs {
                let is_given = output.max_records.is_some() || output.max_records_shared_with.is_some();
                if let Some(decl) = decl.outputs.iter().find(|o| is_given && o.name == output.output.value) {
                    out.insert((Code::MissingMaxRecords, decl.place));
                }
            }
        }
    }
    out
}

struct Change<'db> {
    file: SourceFile,
    applied: Applied<'db>,
}

impl<'db> Change<'db> {
    fn at(&self, value: u32) -> HostPlace {
        HostPlace { file: self.file, value }
    }

    fn wrong(&mut self, code: Code, at: u32, message: String) {
        self.applied.diagnostics.push(Diagnostic::new(code, self.at(at), message));
    }

    /// Reports a wrong decision about a node or output, with the location of that node or output.
    fn misapplied(&mut self, code: Code, at: u32, message: String, of: impl Into<At<'db>>, what: &str) {
        let diagnostic = Diagnostic::new(code, self.at(at), message).also(of, what);
        self.applied.diagnostics.push(diagnostic);
    }

    /// Finds the node of an override: by its function, or else by the identity that it declares.
    fn meant(
        &mut self,
        node_override: &NodeOverride,
        by_function: &FxHashMap<&str, Vec<usize>>,
        nodes: &[&'db NodeDecl<'db>],
    ) -> Option<usize> {
        let HostValue { value: name, location: at } = &node_override.node;
        match by_function.get(name.as_str()).map(Vec::as_slice) {
            Some([only]) => return Some(*only),
            Some([first, second, ..]) => {
                let message = format!("several functions are named `{name}`: write the node's ID");
                let (first, second) = (nodes[*first].name_place, nodes[*second].name_place);
                let both = Diagnostic::new(Code::HostOverride, self.at(*at), message);
                self.applied.diagnostics.push(both.also(first, "this one").also(second, "and this one"));
                return None;
            }
            _ => {}
        }
        let id = parse_id(name);
        if let Some(n) = nodes.iter().position(|node| node.id == id) {
            return Some(n);
        }
        let ids: Vec<String> = nodes.iter().map(|node| show_id(&node.id)).collect();
        let names = by_function.keys().copied().chain(ids.iter().map(String::as_str));
        let near = match bracketed(&id, |id| nodes.iter().any(|node| node.id == *id)) {
            Some(meant) => Some(meant),
            None => closest(name, names.collect::<std::collections::BTreeSet<_>>()).map(str::to_owned),
        };
        let message = format!("`{name}` is not a node of the program");
        let unknown = Diagnostic::new(Code::HostOverride, self.at(*at), message);
        self.applied.diagnostics.push(suggest(unknown, near, "the nodes are", &ids));
        None
    }

    fn node(&mut self, node_override: &NodeOverride, node: &mut NodeDecl<'db>) {
        if let Some(name) = &node_override.name {
            node.id = name.value.clone();
            node.id_place = self.at(name.location).into();
            node.specialised.retain(|given| given.what != GraphConstant::Index);
        }
        match &node_override.program_entry {
            Some(HostValue { value: true, location }) => node.is_entry = Some(self.at(*location).into()),
            Some(HostValue { value: false, location }) => {
                node.is_entry = None;
                self.applied.denied.insert(node.function, self.at(*location));
            }
            None => {}
        }
        if let Some(HostValue { value, location }) = node_override.local_root_index {
            node.local_root_index = u32::try_from(value).ok().map(|index| (index, self.at(location).into()));
        }
        if let Some(share) = &node_override.share_input_of {
            let place = self.at(share.location).into();
            node.specialised.retain(|given| given.what != GraphConstant::Owner);
            node.share_input_of = share.value.clone().map(|owner| ShareInput { owner, place, named: None });
        }
        self.grid(node_override, node);
        self.outputs(node_override, node);
    }

    /// Applies a grid; a grid that comes from records needs a field for it (`Code::MissingGridField`).
    fn grid(&mut self, node_override: &NodeOverride, node: &mut NodeDecl<'db>) {
        let (grid, at) = match (&node_override.dispatch_grid, &node_override.max_dispatch_grid) {
            (None, None) => return,
            (Some(fixed), None) => (Grid::Fixed(fixed.value), fixed.location),
            (None, Some(maximum)) => (Grid::Max(maximum.value), maximum.location),
            (Some(_), Some(maximum)) => {
                let message = format!("node `{}` has both a fixed and a maximum dispatch grid", node.name);
                self.wrong(Code::TwoGrids, maximum.location, message);
                return;
            }
        };
        let name = node.name.clone();
        if !node.launch.has_grid() {
            let message = format!("node `{name}` has no dispatch grid: it is a {} node", launch_name(node.launch));
            return self.misapplied(Code::LaunchAttribute, at, message, node.name_place, "this node");
        }
        let (Grid::Fixed(sizes) | Grid::Max(sizes)) = grid else { return };
        if let Some((message, _)) = grid_problem(node.launch, sizes.map(i64::from)) {
            self.wrong(Code::GridLimits, at, message);
            return;
        }
        if matches!(grid, Grid::Max(_)) {
            let input = node.input.as_ref();
            let record = input.and_then(|input| input.record.as_ref());
            // A wrong record was already reported.
            let unknown = input.is_some() && record.is_none();
            if !unknown && record.is_none_or(|record| record.grid_place.is_none()) {
                let lacks = if input.is_some() { "its record has no `SV_DispatchGrid`" } else { "it has no record" };
                let message = format!("the host gives `{name}` a maximum grid, but {lacks}");
                let (of, what) = match input {
                    Some(input) => (input.place, "the record of the node"),
                    None => (node.name_place, "this node has no record"),
                };
                return self.misapplied(Code::MissingGridField, at, message, of, what);
            }
        }
        match (node.grid, grid) {
            (Grid::Fixed(_), Grid::Max(_)) | (Grid::Max(_), Grid::Fixed(_)) => {
                let kind = if matches!(node.grid, Grid::Fixed(_)) { "fixed" } else { "maximum" };
                let message =
                    format!("node `{name}` declares a {kind} dispatch grid, but the host sets one of the other kind");
                self.misapplied(Code::TwoGrids, at, message, node.name_place, "this node");
            }
            _ => {
                node.grid = grid;
                node.specialised.retain(|given| !matches!(given.what, GraphConstant::Grid(_)));
            }
        }
    }

    fn outputs(&mut self, node_override: &NodeOverride, node: &mut NodeDecl<'db>) {
        let mut found: Vec<(usize, &OutputOverride)> = Vec::new();
        for output in &node_override.outputs {
            match node.outputs.iter().position(|o| o.name == output.output.value) {
                Some(o) => found.push((o, output)),
                None => self.no_output(&output.output, node),
            }
        }
        for (o, output_override) in &found {
            self.output(*o, output_override, node);
        }
        // Own budgets come first, as they decide which budgets can be shared.
        for (o, output_override) in &found {
            if let Some(HostValue { value: records, location: at }) = output_override.max_records {
                if records == 0 {
                    let message = format!("output `{}` can never send a record", node.outputs[*o].name);
                    self.wrong(Code::ZeroRecords, at, message);
                }
                let output = &mut node.outputs[*o];
                (output.max_records, output.shared_with) = (records, None);
                output.budget_is_unknown = false;
                output.budget_place = Some(self.at(at).into());
                node.specialised.retain(|given| given.what != GraphConstant::Budget(*o as u32));
            }
        }
        for (o, output_override) in &found {
            if let Some(other) = &output_override.max_records_shared_with {
                self.share_budget(*o, other, node);
            }
        }
        // A sharing output takes its owner's budget, and no chain is left.
        for o in 0..node.outputs.len() {
            let Some(owner) = node.outputs[o].shared_with.map(|owner| owner as usize) else { continue };
            let (owner, name) = (&node.outputs[owner], node.outputs[o].name.clone());
            if owner.shared_with.is_some() {
                let message =
                    format!("output `{name}` shares the budget of `{}`, which itself shares a budget", owner.name);
                let place = owner.budget_place.unwrap_or(owner.place.into());
                let of = node.outputs[o].budget_place.unwrap_or(node.outputs[o].place.into());
                self.applied
                    .diagnostics
                    .push(Diagnostic::new(Code::SharedBudget, of, message).also(place, "shared here"));
                node.outputs[o].shared_with = None;
            } else {
                node.outputs[o].max_records = owner.max_records;
            }
        }
    }

    fn no_output(&mut self, output: &HostValue<String>, node: &NodeDecl<'db>) {
        let message = format!("node `{}` has no output `{}`", node.name, output.value);
        let wrong =
            Diagnostic::new(Code::HostOverride, self.at(output.location), message).also(node.name_place, "this node");
        let all: Vec<String> = node.outputs.iter().map(|o| o.name.clone()).collect();
        let near = closest(&output.value, all.iter().map(String::as_str)).map(str::to_owned);
        self.applied.diagnostics.push(suggest(wrong, near, "its outputs are", &all));
    }

    fn output(&mut self, o: usize, output_override: &OutputOverride, node: &mut NodeDecl<'db>) {
        if let Some(name) = &output_override.name {
            let output = &mut node.outputs[o];
            output.target = name.value.clone();
            output.target_place = self.at(name.location).into();
            (output.target_is_default, output.target_is_unknown) = (false, false);
            node.specialised.retain(|given| given.what != GraphConstant::Target(o as u32));
        }
        if let Some(HostValue { value: is_sparse, location: at }) = output_override.allow_sparse_nodes {
            let output = &mut node.outputs[o];
            if output.array == OutputArray::Unbounded && !is_sparse {
                let message = format!("output `{}` is unbounded, so it must be sparse", output.name);
                let place = output.place;
                self.misapplied(Code::SparseArray, at, message, place, "declared here");
            } else {
                output.sparse = is_sparse;
            }
        }
    }

    fn share_budget(&mut self, o: usize, other: &HostValue<String>, node: &mut NodeDecl<'db>) {
        let name = node.outputs[o].name.clone();
        let Some(owner) = node.outputs.iter().position(|output| output.name == other.value) else {
            return self.no_output(other, node);
        };
        if owner == o {
            self.wrong(Code::SharedBudget, other.location, format!("output `{name}` shares a budget with itself"));
            return;
        }
        // An owner that itself shares is a chain, which is found once all owners are known.
        if node.outputs[owner].budget_place.is_none() {
            let message = format!("`{}` has no `MaxRecords` of its own to share", other.value);
            let place = node.outputs[owner].place;
            return self.misapplied(Code::SharedBudget, other.location, message, place, "declared here");
        }
        let output = &mut node.outputs[o];
        output.shared_with = Some(owner as u32);
        output.budget_is_unknown = false;
        output.budget_place = Some(self.at(other.location).into());
        node.specialised.retain(|given| given.what != GraphConstant::Budget(o as u32));
    }
}

/// Finds the node that has one of these identities in its shader, if the host renamed it.
pub(crate) fn renamed<'db>(check: &Check<'_, 'db>, is_it: impl Fn(&NodeId) -> bool) -> Option<(At<'db>, String)> {
    check.model.nodes.iter().find_map(|now| {
        let was = node(check.db, now.function)?;
        let is_missing = matches!(now.id_place, At::Host(_)) && is_it(&was.id) && check.model.find(&was.id).is_none();
        let text = || format!("the host renames `{}` to `{}`", show_id(&was.id), show_id(&now.id));
        is_missing.then(|| (now.id_place, text()))
    })
}

/// Finds the output that reaches a node in the shader and that the host redirected.
pub(crate) fn redirected<'db>(db: &'db dyn Db, program: Program, to: &NodeId) -> Option<(At<'db>, String)> {
    let changed = &applied(db, program).changed;
    let nodes = node_functions(db, program).iter().filter_map(|f| Some((node(db, *f)?, changed.get(f)?)));
    let mut outputs = nodes.flat_map(|(was, now)| was.outputs.iter().zip(&now.outputs).map(move |both| (now, both)));
    outputs.find_map(|(node, (was, now))| {
        let is_it = matches!(now.target_place, At::Host(_)) && reaches(was, to) && !reaches(now, to);
        let text = || {
            format!("the host redirects output `{}` of node `{}` to `{}`", now.name, node.name, show_id(&now.target))
        };
        is_it.then(|| (now.target_place, text()))
    })
}

/// Reports an entry of the host's list that is not a node.
pub(crate) fn unknown_entry<'db>(check: &Check<'_, 'db>, id: &NodeId, at: impl Into<At<'db>>) -> Diagnostic<'db> {
    let model = check.model;
    let message = format!("the host's entry list names `{}`, which is not a node", show_id(id));
    let unknown = Diagnostic::new(Code::HostEntries, at, message);
    if let Some((place, text)) = renamed(check, |other| other == id) {
        return unknown.also(place, text);
    }
    if let Some(other) = model.array(&id.name).and_then(|array| model.members(array).first()) {
        return unknown.also(model.nodes[*other].id_place, indexes(model, &id.name));
    }
    let near = bracketed(id, |id| model.find(id).is_some());
    let near = near.or_else(|| check.near_name(&id.name, "").map(str::to_owned));
    let all: Vec<String> = model.nodes.iter().map(|node| show_id(&node.id)).collect();
    suggest(unknown, near, "the nodes are", &all)
}

/// Finds the node whose name itself ends like an index.
fn bracketed(id: &NodeId, exists: impl Fn(&NodeId) -> bool) -> Option<String> {
    let meant = NodeId { name: format!("{}[{}]", id.name, id.index).into(), index: 0 };
    exists(&meant).then(|| show_id(&meant))
}

/// Maximum number of names to list if none is similar.
const FEW: usize = 6;

/// Suggests the similar name, or lists all names if there are few.
fn suggest<'db>(unknown: Diagnostic<'db>, near: Option<String>, what: &str, all: &[String]) -> Diagnostic<'db> {
    match near {
        Some(near) => unknown.note(format!("did you mean `{near}`?")),
        None if all.is_empty() || all.len() > FEW => unknown,
        None => {
            let all: Vec<String> = all.iter().map(|name| format!("`{name}`")).collect();
            unknown.note(format!("{what} {}", all.join(", ")))
        }
    }
}

/// Returns the host's list of nodes that it starts, if any, with the locations in its file.
pub(crate) fn entries<'db>(db: &'db dyn Db, program: Program) -> Option<Vec<(NodeId, Option<At<'db>>)>> {
    let host: Option<(SourceFile, &Host)> = file(db, program).map(|file| (file, host(db, file)));
    if let Some((file, list)) = host.and_then(|(file, host)| Some((file, host.entries.as_ref()?))) {
        let place = |value: u32| At::Host(HostPlace { file, value });
        return Some(list.iter().map(|entry| (entry.value.clone(), Some(place(entry.location)))).collect());
    }
    let names = program.options(db).entries.as_ref()?;
    Some(names.iter().map(|name| (parse_id(name), None)).collect())
}

pub(crate) fn includes_all(db: &dyn Db, program: Program) -> bool {
    file(db, program).is_some_and(|file| host(db, file).include_all)
}
