//! Joint dispatches: instances of one stage that share their code and one dispatch.
//!
//! An array of a thousand elements with sixteen levels of recursion has 17,000 instances. Most of them have no work,
//! and an empty dispatch costs a tenth of a microsecond on a GPU. Neighbours of one module become a run. The kernel
//! joint (`stdlib/emulated/joint.hlsl`) sums up their workgroups, and each workgroup finds its instance
//! (`stdlib/emulated/runs.hlsl`). Three steps create runs:
//!
//! - [`join`] merges functions that are equal except for their names, if that enables a run;
//! - [`same_code_leaders`] makes queues of one code neighbours in a stage;
//! - [`runs`] makes runs of long enough sequences.
//!
//! Instances that share a queue and mesh nodes, which the host draws, are in no run. Packages with guards have no runs,
//! since the guard must know the instance of each launch.

use super::plan::{Instance, Settings};
use rustc_hash::FxHashMap;
use wgc_abi::device::MAX_RUN;
use wgc_abi::tables::{RunRow, Tables};
use wgc_ir::print::print_function;
use wgc_ir::{Block, Function, Graph, Module, Node, Stmt, Symbol};

/// Returns whether one shader serves both nodes: all values that `node::lower` turns into constants are equal.
pub fn share_shader(a: &Node, b: &Node) -> bool {
    a.function == b.function && of_one_form(a, b)
}

/// Returns whether two nodes are alike except for the code.
fn of_one_form(a: &Node, b: &Node) -> bool {
    let outputs = || a.outputs.iter().zip(&b.outputs);
    (a.launch, a.num_threads, a.grid, a.wave_size, a.mesh) == (b.launch, b.num_threads, b.grid, b.wave_size, b.mesh)
        && a.input == b.input
        && a.outputs.len() == b.outputs.len()
        && outputs()
            .all(|(a, b)| (a.max_records, a.shared_with) == (b.max_records, b.shared_with) && a.record == b.record)
}

/// Returns the smallest number of instances of a run; `None`: there are no runs.
fn least(settings: &Settings) -> Option<u32> {
    (settings.joint_dispatch != 0 && !settings.guarded).then(|| settings.joint_dispatch.max(2))
}

/// Returns whether a node's instances may be in runs, judged by the node alone.
fn may_be_joint(node: &Node) -> bool {
    node.mesh.is_none() && node.share_input_of.is_none()
}

/// Returns whether nodes of one code have at least `least` instances, including all recursion levels.
fn are_enough(graph: &Graph, nodes: &[usize], least: u32) -> bool {
    let levels = |node: &usize| u64::from(graph.nodes[*node].max_recursion) + 1;
    nodes.iter().map(levels).sum::<u64>() >= u64::from(least)
}

/// Merges functions of nodes of one form that are equal except for names and source positions. Their nodes get the
/// function of the first, if there are enough for a run. Other nodes keep their own function, which has more known
/// values.
pub fn join(module: &mut Module, settings: &Settings) {
    let Some(least) = least(settings) else { return };
    let Module { functions, graph, .. } = module;
    let is_enough = |nodes: &[usize]| nodes.len() > 1 && are_enough(graph, nodes, least);
    let mut forms: Vec<Vec<usize>> = Vec::new();
    for (number, node) in graph.nodes.iter().enumerate().filter(|(_, node)| may_be_joint(node)) {
        match forms.iter_mut().find(|form| of_one_form(&graph.nodes[form[0]], node)) {
            Some(form) => form.push(number),
            None => forms.push(vec![number]),
        }
    }
    forms.retain(|form| is_enough(form));
    let mut joined: Vec<(usize, Symbol)> = Vec::new();
    for form in forms {
        // Compare by text first, because there may be many.
        let mut known: FxHashMap<String, Vec<(Function, Vec<usize>)>> = FxHashMap::default();
        for node in form {
            let Some(function) = functions.get(&graph.nodes[node].function) else { continue };
            let function = bare(function.clone().into_function());
            let same = known.entry(print_function(&function)).or_default();
            match same.iter_mut().find(|(first, _)| *first == function) {
                Some((_, nodes)) => nodes.push(node),
                None => same.push((function, vec![node])),
            }
        }
        for (_, nodes) in known.into_values().flatten().filter(|(_, nodes)| is_enough(nodes)) {
            joined.extend(nodes.iter().map(|node| (*node, graph.nodes[nodes[0]].function.clone())));
        }
    }
    for (node, function) in joined {
        graph.nodes[node].function = function;
    }
}

/// Returns a function without names and source positions, on which no shader depends.
fn bare(mut function: Function) -> Function {
    fn strip(block: &mut Block) {
        block.retain(|stmt| !stmt.is_marker());
        block.iter_mut().flat_map(Stmt::blocks_mut).for_each(strip);
    }
    strip(&mut function.body);
    function.name = Symbol::default();
    function.values.values_mut().for_each(|value| value.name = Symbol::default());
    for local in function.locals.values_mut() {
        (local.name, local.variable) = (Symbol::default(), None);
    }
    function.params.iter_mut().for_each(|param| param.variable = None);
    function.scopes.clear();
    function.variables.clear();
    function
}

/// Returns for each node the first node with the same code, if there are enough for a run; otherwise the node itself.
/// `leaders` is as in the plan.
pub fn same_code_leaders(graph: &Graph, leaders: &[usize], settings: &Settings) -> Vec<usize> {
    let mut same_code_leaders: Vec<usize> = (0..graph.nodes.len()).collect();
    let Some(least) = least(settings) else { return same_code_leaders };
    let mut shares = vec![false; graph.nodes.len()];
    for (_, leader) in leaders.iter().enumerate().filter(|(node, leader)| node != *leader) {
        shares[*leader] = true;
    }
    let mut known: FxHashMap<&Symbol, Vec<Vec<usize>>> = FxHashMap::default();
    for (number, node) in graph.nodes.iter().enumerate().filter(|(number, node)| may_be_joint(node) && !shares[*number])
    {
        let same = known.entry(&node.function).or_default();
        match same.iter_mut().find(|nodes| share_shader(&graph.nodes[nodes[0]], node)) {
            Some(nodes) => nodes.push(number),
            None => same.push(vec![number]),
        }
    }
    for nodes in known.values().flatten().filter(|nodes| are_enough(graph, nodes, least)) {
        nodes.iter().for_each(|node| same_code_leaders[*node] = nodes[0]);
    }
    same_code_leaders
}

/// Finds the runs and adds them to the tables. All instances of a run have one shader, by `shader_of_node`.
pub fn runs(graph: &Graph, instances: &[Instance], shader_of_node: &[usize], settings: &Settings, tables: &mut Tables) {
    let Some(least) = least(settings) else { return };
    for stage in 0..tables.stages.len() {
        let row = tables.stages[stage];
        let first_run = tables.runs.len();
        let shader = |instance: u32| {
            let Instance { node, queue, .. } = instances[instance as usize];
            let alone = tables.queues[queue as usize].instance_count == 1;
            (alone && may_be_joint(&graph.nodes[node])).then(|| shader_of_node[node])
        };
        let mut found = Vec::new();
        let end = row.first_instance + row.instance_count;
        let mut first = row.first_instance;
        while first < end {
            let own = shader(first);
            let same = (first + 1..end).take_while(|next| own.is_some() && shader(*next) == own);
            let instance_count = (1 + same.count() as u32).min(MAX_RUN);
            if instance_count >= least {
                found.push(RunRow { first_instance: first, instance_count, stage: stage as u32 });
            }
            first += instance_count;
        }
        for run in &found {
            let instances = run.first_instance as usize..(run.first_instance + run.instance_count) as usize;
            tables.instances[instances].iter_mut().for_each(|instance| instance.joint = 1);
        }
        tables.stages[stage].run_count = found.len() as u32;
        tables.stages[stage].first_run = if found.is_empty() { 0 } else { first_run as u32 };
        tables.runs.extend(found);
    }
}
