//! A host's decisions applied to the contracts of nodes: what D3D12 calls overrides.
//!
//! It happens before the graph is looked at, so that checks and code follow. What a decision cannot apply to is a
//! mistake in the host's file; what the graph finds wrong later points there too, since the changed parts of a contract
//! know who said them.

use super::{Host, NodeOverride, OutputOverride, Said, file, host};
use crate::contracts::node::reaches;
use crate::contracts::node::{NodeDecl, ShareInput, grid_problem, node};
use crate::db::def::{At, FnId, HostPlace, Place};
use crate::db::diagnostic::Diagnostic;
use crate::db::{Db, Program, SourceFile};
use crate::graph::rules::{Check, indexes};
use crate::graph::{node_functions, parse_id, show_id};
use crate::tables::codes::Code;
use crate::tables::similar_names::closest;
use crate::types::system_values::launch_name;
use rustc_hash::{FxHashMap, FxHashSet};
use wgc_ir::{GraphConstant, Grid, NodeId, OutputArray};

/// What became of a host's decisions.
#[derive(Clone, Debug, Default, PartialEq, Eq, salsa::SalsaValue)]
pub(crate) struct Applied<'db> {
    /// Contracts that changed.
    pub changed: FxHashMap<FnId<'db>, NodeDecl<'db>>,
    /// Nodes of which the host says that they are no entries.
    pub denied: FxHashMap<FnId<'db>, HostPlace>,
    pub diagnostics: Vec<Diagnostic<'db>>,
}

/// The contract of a node as the host of a program left it.
pub fn contract<'db>(db: &'db dyn Db, program: Program, f: FnId<'db>) -> Option<&'db NodeDecl<'db>> {
    applied(db, program).changed.get(&f).or_else(|| node(db, f))
}

/// Contracts as the host's file of a program says. An edit that changes none of them changes nothing here.
#[salsa::tracked(returns(ref))]
pub(crate) fn applied<'db>(db: &'db dyn Db, program: Program) -> Applied<'db> {
    let Some(file) = file(db, program) else { return Applied::default() };
    let said = &host(db, file).nodes;
    let mut change = Change { file, applied: Applied::default() };
    if said.is_empty() {
        return change.applied;
    }
    // Names are those that the shaders give, whatever the host calls them.
    let nodes: Vec<&NodeDecl> = node_functions(db, program).iter().filter_map(|f| node(db, *f)).collect();
    let mut by_function: FxHashMap<&str, Vec<usize>> = FxHashMap::default();
    for (n, decl) in nodes.iter().enumerate() {
        by_function.entry(&decl.name).or_default().push(n);
    }
    let mut given: FxHashMap<usize, &Said<String>> = FxHashMap::default();
    for said in said {
        if let Some(n) = change.meant(said, &by_function, &nodes) {
            // By its function and by its identity: nobody knows which decisions hold.
            if let Some(first) = given.insert(n, &said.node) {
                let message = format!("`{}` is the same node as `{}`, which is here already", said.node.is, first.is);
                let (at, first) = (change.at(said.node.at), change.at(first.at));
                let twice = Diagnostic::new(Code::HostOverride, at, message).also(first, "given here");
                change.applied.diagnostics.push(twice.also(nodes[n].id_place, "this node"));
                continue;
            }
            let function = nodes[n].function;
            let mut changed = change.applied.changed.remove(&function).unwrap_or_else(|| nodes[n].clone());
            change.node(said, &mut changed);
            change.applied.changed.insert(function, changed);
        }
    }
    change.applied
}

/// Mistakes of shaders that the host's decisions mend: what is missing in the text and given here.
pub(crate) fn answered<'db>(db: &'db dyn Db, program: Program) -> FxHashSet<(Code, Place<'db>)> {
    let mut out = FxHashSet::default();
    let Some(file) = file(db, program) else { return out };
    for said in &host(db, file).nodes {
        let is_meant = |decl: &&NodeDecl| decl.name == said.node.is || decl.id == parse_id(&said.node.is);
        for decl in node_functions(db, program).iter().filter_map(|f| node(db, *f)).filter(is_meant) {
            if said.dispatch_grid.is_some() || said.max_dispatch_grid.is_some() {
                out.insert((Code::MissingGrid, decl.name_place));
            }
            for output in &said.outputs {
                let is_given = output.max_records.is_some() || output.max_records_shared_with.is_some();
                if let Some(decl) = decl.outputs.iter().find(|o| is_given && o.name == output.output.is) {
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

    /// A wrong decision about a node or output, with the place of that.
    fn misapplied(&mut self, code: Code, at: u32, message: String, of: impl Into<At<'db>>, what: &str) {
        let diagnostic = Diagnostic::new(code, self.at(at), message).also(of, what);
        self.applied.diagnostics.push(diagnostic);
    }

    /// The node of an override: by its function, or else by the identity that it declares.
    fn meant(
        &mut self,
        said: &NodeOverride,
        by_function: &FxHashMap<&str, Vec<usize>>,
        nodes: &[&'db NodeDecl<'db>],
    ) -> Option<usize> {
        let Said { is: name, at } = &said.node;
        match by_function.get(name.as_str()).map(Vec::as_slice) {
            Some([only]) => return Some(*only),
            Some([first, second, ..]) => {
                let message = format!("several functions are `{name}`; name the node by its identity");
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
        let message = format!("`{name}` is no node of the program");
        let unknown = Diagnostic::new(Code::HostOverride, self.at(*at), message);
        self.applied.diagnostics.push(suggest(unknown, near, "the nodes are", &ids));
        None
    }

    fn node(&mut self, said: &NodeOverride, node: &mut NodeDecl<'db>) {
        if let Some(name) = &said.name {
            node.id = name.is.clone();
            node.id_place = self.at(name.at).into();
            node.specialised.retain(|given| given.what != GraphConstant::Index);
        }
        match &said.program_entry {
            Some(Said { is: true, at }) => node.is_entry = Some(self.at(*at).into()),
            Some(Said { is: false, at }) => {
                node.is_entry = None;
                self.applied.denied.insert(node.function, self.at(*at));
            }
            None => {}
        }
        if let Some(Said { is, at }) = said.local_root_index {
            node.local_root_index = u32::try_from(is).ok().map(|index| (index, self.at(at).into()));
        }
        if let Some(share) = &said.share_input_of {
            let place = self.at(share.at).into();
            node.specialised.retain(|given| given.what != GraphConstant::Owner);
            node.share_input_of = share.is.clone().map(|owner| ShareInput { owner, place, named: None });
        }
        self.grid(said, node);
        self.outputs(said, node);
    }

    /// Row 32 among others: a grid that comes from records needs a field for it.
    fn grid(&mut self, said: &NodeOverride, node: &mut NodeDecl<'db>) {
        let (grid, at) = match (&said.dispatch_grid, &said.max_dispatch_grid) {
            (None, None) => return,
            (Some(fixed), None) => (Grid::Fixed(fixed.is), fixed.at),
            (None, Some(maximum)) => (Grid::Max(maximum.is), maximum.at),
            (Some(_), Some(maximum)) => {
                let message = format!("node `{}` gets a fixed and a maximum dispatch grid", node.name);
                self.wrong(Code::TwoGrids, maximum.at, message);
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
            // A wrong record was reported.
            let unknown = input.is_some() && record.is_none();
            if !unknown && record.is_none_or(|record| record.grid_place.is_none()) {
                let message =
                    format!("the grid of node `{name}` comes from its record, which has no `SV_DispatchGrid`");
                let (of, what) = match input {
                    Some(input) => (input.place, "what the node takes"),
                    None => (node.name_place, "this node takes nothing"),
                };
                return self.misapplied(Code::MissingGridField, at, message, of, what);
            }
        }
        match (node.grid, grid) {
            (Grid::Fixed(_), Grid::Max(_)) | (Grid::Max(_), Grid::Fixed(_)) => {
                let kind = if matches!(node.grid, Grid::Fixed(_)) { "fixed" } else { "maximum" };
                let message = format!("node `{name}` declares a {kind} dispatch grid and gets one of the other kind");
                self.misapplied(Code::TwoGrids, at, message, node.name_place, "this node");
            }
            _ => {
                node.grid = grid;
                node.specialised.retain(|given| !matches!(given.what, GraphConstant::Grid(_)));
            }
        }
    }

    fn outputs(&mut self, said: &NodeOverride, node: &mut NodeDecl<'db>) {
        let mut found: Vec<(usize, &OutputOverride)> = Vec::new();
        for output in &said.outputs {
            match node.outputs.iter().position(|o| o.name == output.output.is) {
                Some(o) => found.push((o, output)),
                None => self.no_output(&output.output, node),
            }
        }
        for (o, said) in &found {
            self.output(*o, said, node);
        }
        // Budgets of its own first: which of them are there to share depends on all.
        for (o, said) in &found {
            if let Some(Said { is: records, at }) = said.max_records {
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
        for (o, said) in &found {
            if let Some(other) = &said.max_records_shared_with {
                self.share_budget(*o, other, node);
            }
        }
        // Whoever shares a budget has that of its owner, and no chain is left.
        for o in 0..node.outputs.len() {
            let Some(owner) = node.outputs[o].shared_with.map(|owner| owner as usize) else { continue };
            let (owner, name) = (&node.outputs[owner], node.outputs[o].name.clone());
            if owner.shared_with.is_some() {
                let message = format!("output `{name}` shares the budget of `{}`, which shares another's", owner.name);
                let place = owner.budget_place.unwrap_or(owner.place.into());
                let of = node.outputs[o].budget_place.unwrap_or(node.outputs[o].place.into());
                self.applied
                    .diagnostics
                    .push(Diagnostic::new(Code::SharedBudget, of, message).also(place, "it shares here"));
                node.outputs[o].shared_with = None;
            } else {
                node.outputs[o].max_records = owner.max_records;
            }
        }
    }

    fn no_output(&mut self, said: &Said<String>, node: &NodeDecl<'db>) {
        let message = format!("node `{}` has no output `{}`", node.name, said.is);
        let wrong = Diagnostic::new(Code::HostOverride, self.at(said.at), message).also(node.name_place, "this node");
        let all: Vec<String> = node.outputs.iter().map(|o| o.name.clone()).collect();
        let near = closest(&said.is, all.iter().map(String::as_str)).map(str::to_owned);
        self.applied.diagnostics.push(suggest(wrong, near, "its outputs are", &all));
    }

    fn output(&mut self, o: usize, said: &OutputOverride, node: &mut NodeDecl<'db>) {
        if let Some(name) = &said.name {
            let output = &mut node.outputs[o];
            output.target = name.is.clone();
            output.target_place = self.at(name.at).into();
            (output.target_is_default, output.target_is_unknown) = (false, false);
            node.specialised.retain(|given| given.what != GraphConstant::Target(o as u32));
        }
        if let Some(Said { is, at }) = said.allow_sparse_nodes {
            let output = &mut node.outputs[o];
            if output.array == OutputArray::Unbounded && !is {
                let message = format!("output `{}` is unbounded, so it is sparse", output.name);
                let place = output.place;
                self.misapplied(Code::SparseArray, at, message, place, "declared here");
            } else {
                output.sparse = is;
            }
        }
    }

    fn share_budget(&mut self, o: usize, other: &Said<String>, node: &mut NodeDecl<'db>) {
        let name = node.outputs[o].name.clone();
        let Some(owner) = node.outputs.iter().position(|output| output.name == other.is) else {
            return self.no_output(other, node);
        };
        if owner == o {
            self.wrong(Code::SharedBudget, other.at, format!("output `{name}` shares a budget with itself"));
            return;
        }
        // Another owner than itself is a chain, which is found when all are known.
        if node.outputs[owner].budget_place.is_none() {
            let message = format!("`{}` has no `MaxRecords` of its own to share", other.is);
            let place = node.outputs[owner].place;
            return self.misapplied(Code::SharedBudget, other.at, message, place, "declared here");
        }
        let output = &mut node.outputs[o];
        output.shared_with = Some(owner as u32);
        output.budget_is_unknown = false;
        output.budget_place = Some(self.at(other.at).into());
        node.specialised.retain(|given| given.what != GraphConstant::Budget(o as u32));
    }
}

/// The node with one of these identities, as far as its shader goes, to which the host gave another one.
pub(crate) fn renamed<'db>(check: &Check<'_, 'db>, is_it: impl Fn(&NodeId) -> bool) -> Option<(At<'db>, String)> {
    check.model.nodes.iter().find_map(|now| {
        let was = node(check.db, now.function)?;
        let is_missing = matches!(now.id_place, At::Host(_)) && is_it(&was.id) && check.model.find(&was.id).is_none();
        let text = || format!("the host calls `{}` `{}`", show_id(&was.id), show_id(&now.id));
        is_missing.then(|| (now.id_place, text()))
    })
}

/// The output that reaches a node as far as its shader goes, and that the host made reach others.
pub(crate) fn redirected<'db>(db: &'db dyn Db, program: Program, to: &NodeId) -> Option<(At<'db>, String)> {
    let changed = &applied(db, program).changed;
    let nodes = node_functions(db, program).iter().filter_map(|f| Some((node(db, *f)?, changed.get(f)?)));
    let mut outputs = nodes.flat_map(|(was, now)| was.outputs.iter().zip(&now.outputs).map(move |both| (now, both)));
    outputs.find_map(|(node, (was, now))| {
        let is_it = matches!(now.target_place, At::Host(_)) && reaches(was, to) && !reaches(now, to);
        let text = || {
            format!("the host makes output `{}` of node `{}` target `{}`", now.name, node.name, show_id(&now.target))
        };
        is_it.then(|| (now.target_place, text()))
    })
}

/// An entry of the host's list that is no node.
pub(crate) fn unknown_entry<'db>(check: &Check<'_, 'db>, id: &NodeId, at: impl Into<At<'db>>) -> Diagnostic<'db> {
    let model = check.model;
    let message = format!("the host's entry list names `{}`, which is no node", show_id(id));
    let unknown = Diagnostic::new(Code::HostEntries, at, message);
    if let Some((said, text)) = renamed(check, |other| other == id) {
        return unknown.also(said, text);
    }
    if let Some(other) = model.array(&id.name).and_then(|array| model.members(array).first()) {
        return unknown.also(model.nodes[*other].id_place, indexes(model, &id.name));
    }
    let near = bracketed(id, |id| model.find(id).is_some());
    let near = near.or_else(|| check.near_name(&id.name, "").map(str::to_owned));
    let all: Vec<String> = model.nodes.iter().map(|node| show_id(&node.id)).collect();
    suggest(unknown, near, "the nodes are", &all)
}

/// The node whose name itself ends as an index does.
fn bracketed(id: &NodeId, exists: impl Fn(&NodeId) -> bool) -> Option<String> {
    let meant = NodeId { name: format!("{}[{}]", id.name, id.index).into(), index: 0 };
    exists(&meant).then(|| show_id(&meant))
}

/// Names that are listed where none is near.
const FEW: usize = 6;

/// The name that was meant, or the few that there are.
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

/// The host's list of nodes that it starts, if it has one; the places are those of its file.
pub(crate) fn entries<'db>(db: &'db dyn Db, program: Program) -> Option<Vec<(NodeId, Option<At<'db>>)>> {
    let said: Option<(SourceFile, &Host)> = file(db, program).map(|file| (file, host(db, file)));
    if let Some((file, list)) = said.and_then(|(file, host)| Some((file, host.entries.as_ref()?))) {
        let place = |value: u32| At::Host(HostPlace { file, value });
        return Some(list.iter().map(|said| (said.is.clone(), Some(place(said.at)))).collect());
    }
    let names = program.options(db).entries.as_ref()?;
    Some(names.iter().map(|name| (parse_id(name), None)).collect())
}

pub(crate) fn includes_all(db: &dyn Db, program: Program) -> bool {
    file(db, program).is_some_and(|file| host(db, file).include_all)
}
