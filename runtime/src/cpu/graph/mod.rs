//! Execution graphs: the nodes of an AMDX revision-2 module, and the parts of the graph that a running node can reach.

mod crew;
mod limits;
mod queue;
mod queues;
mod schedule;
mod sharing;
mod worker;

use super::program::Program;
use super::sanitize::{Parent, instrument};
use super::translate::translate;
use crate::device::SubgroupSizes;
use crate::mesh::{MeshShape, Meshes};
use indexmap::IndexMap;
use rustc_hash::FxHashMap;
use spirv::{ExecutionMode, ExecutionModel};
use std::sync::Arc;
use wgc_spirv_module::module::EntryPoint;
use wgc_spirv_module::{Extent, Module, Part, Specialisation};

pub use schedule::{Context, dispatch};
pub use wgc_spirv_module::NodeName;

/// A module of a graph, with the host's names of its nodes if their entry points have other names.
#[derive(Clone, Copy, Debug)]
pub struct GraphModule<'m> {
    pub words: &'m [u32],
    pub names: &'m [NodeName],
    /// `WaveSize` by entry point, as for [`SubgroupSizes::choose`]: modules do not contain it.
    pub wave_sizes: &'m [(String, [u32; 3])],
}

/// Records for one node.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GraphInput {
    pub node: String,
    pub index: u32,
    pub records: Vec<u8>,
    /// Bytes from record to record; 0 repeats one record.
    pub stride: u32,
    pub count: u32,
}

/// The result of a dispatch, by node name and index, in the module's order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GraphRun {
    /// Records that each node consumed.
    pub records: IndexMap<(String, u32), u64>,
    pub workgroups: IndexMap<(String, u32), u64>,
    /// The output of mesh nodes.
    pub meshes: IndexMap<(String, u32), Meshes>,
}

/// The number of workgroups for a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Launch {
    /// One for up to NodeMaxPayloadsAMDX records.
    Coalescing,
    Static([u32; 3]),
    /// The record's grid, up to a maximum.
    Dynamic([u32; 3]),
}

#[derive(Debug)]
pub struct Node {
    pub name: String,
    pub index: u32,
    pub label: String,
    pub program: Program,
    pub launch: Launch,
    pub api_entry: bool,
    pub recursion: u32,
    /// Nodes that receive this node's records too.
    pub sharers: Vec<usize>,
    shares: Option<(String, u32)>,
    pub targets: Arc<Targets>,
    /// Its workgroups can tell that they share a record.
    pub writes_input: bool,
    /// The reason why its fixed grid has no workgroups, if so.
    pub empty_grid: Option<String>,
}

impl Node {
    /// Returns the bytes of a record in its queue.
    pub fn stride(&self) -> usize {
        self.program.input.as_ref().map_or(0, |i| i.stride as usize)
    }

    /// Returns the most records of one workgroup.
    pub fn max_records(&self) -> u32 {
        match (self.launch, &self.program.input) {
            (Launch::Coalescing, Some(input)) => input.max_payloads.max(1),
            _ => 1,
        }
    }

    /// Returns whether many of its workgroups may run as the lanes of one: one thread, one record, no state that lanes
    /// share.
    pub fn runs_in_batches(&self) -> bool {
        self.launch == Launch::Coalescing
            && self.program.threads() == 1
            && self.max_records() == 1
            && !self.program.cooperates
    }
}

#[derive(Debug, Default)]
pub struct Graph {
    pub nodes: Vec<Node>,
    by_name: FxHashMap<(String, u32), usize>,
    /// Recursion depth by node.
    levels: Arc<[u32]>,
}

/// The targets of a node's outputs.
#[derive(Debug, Default)]
pub struct Targets {
    outputs: Vec<(u32, Option<u32>, FxHashMap<u32, usize>)>,
}

impl Targets {
    /// Returns the node for an index (relative to the base) of an output.
    pub fn target(&self, output: u32, index: u32) -> Option<usize> {
        let (base, size, nodes) = self.outputs.get(output as usize)?;
        let at = base.checked_add(index)?;
        if size.is_some_and(|size| at >= size) {
            return None;
        }
        nodes.get(&at).copied()
    }
}

/// Records that a running node has allocated.
#[derive(Clone, Debug)]
pub struct Allocation {
    pub region: u32,
    pub output: u32,
    /// Node and recursion levels it has left; None drops the records.
    pub target: Option<(usize, u32)>,
    pub count: u32,
    pub stride: u32,
    pub enqueued: bool,
    /// The senders; all 0 if races are not checked.
    pub sent: Parent,
    /// All lanes have it together.
    pub of_group: bool,
    pub word: u32,
    /// The lane that allocated it, the first of its group's.
    pub lane: u32,
}

/// The parts of a graph that a running node can reach.
#[derive(Debug)]
pub struct GraphSide {
    pub targets: Arc<Targets>,
    levels: Arc<[u32]>,
    pub this: usize,
    /// Recursion levels left.
    pub remaining: u32,
    /// Each lane is a separate workgroup.
    pub lanes_are_groups: bool,
    pub allocations: Vec<Allocation>,
    /// Enqueued allocations, in order.
    pub emitted: Vec<u32>,
    /// Records by output limit and workgroup.
    pub used: FxHashMap<(u32, u32), u32>,
    /// Workgroups of the running record that have not finished writing it.
    pub unfinished_groups: u64,
    /// Set once the running workgroup has finished writing it.
    pub finished: bool,
    /// The records are the host's.
    pub from_host: bool,
}

impl GraphSide {
    /// Returns the recursion levels that a target would have left; None if there is no target or it may not recurse
    /// again.
    pub fn remaining_of(&self, target: Option<usize>) -> Option<u32> {
        match target? {
            node if node == self.this => self.remaining.checked_sub(1),
            node => self.levels.get(node).copied(),
        }
    }
}

/// A form of OpIsNodePayloadValidAMDX that tools require against the text, and that can be run.
const HARMLESS: &[&str] = &["AMDX-44"];

/// The most broken rules of the extension in one error.
const TOLD: usize = 16;

/// Rejects modules that break rules of the extension: their behaviour is undefined. The error names the rules.
fn refuse_broken(parts: &[Part]) -> Result<(), String> {
    // Records for a missing node are reported when they are sent.
    let found = wgc_spirv_module::verify_graph(parts, Extent::Some);
    let mut broken: Vec<_> = (0..).zip(found).flat_map(|(n, found)| found.into_iter().map(move |v| (n, v))).collect();
    broken.retain(|(_, v): &(usize, _)| v.is_error() && !HARMLESS.contains(&v.rule));
    if broken.is_empty() {
        return Ok(());
    }
    let is_one = parts.len() == 1;
    let what = if is_one { "the module breaks" } else { "the modules break" };
    let mut text = format!("{what} rules of SPV_AMDX_shader_enqueue:");
    for (module, violation) in broken.iter().take(TOLD) {
        text += &match is_one {
            true => format!("\n  {violation}"),
            false => format!("\n  module {module}: {violation}"),
        };
    }
    match broken.len().saturating_sub(TOLD) {
        0 => {}
        more => text += &format!("\n  and {more} more (`wgc verify` lists all)"),
    }
    Err(text)
}

fn modes3(module: &Module, entry: &EntryPoint, mode: ExecutionMode) -> Result<Option<[u32; 3]>, String> {
    let Some(found) = module.execution_mode(entry.function, mode) else { return Ok(None) };
    let values: Vec<_> = found.operands.iter().filter_map(|id| module.constant_u32(*id)).collect();
    match values[..] {
        [x, y, z] => Ok(Some([x, y, z])),
        _ => Err(format!("node {}: {mode:?} does not have three constants", entry.name)),
    }
}

fn mode1(module: &Module, entry: &EntryPoint, mode: ExecutionMode) -> Option<u32> {
    module.constant_u32(*module.execution_mode(entry.function, mode)?.operands.first()?)
}

impl Graph {
    /// Creates the graph of the modules' entry points. `checks` adds the sanitizer's checks to its programs. `sizes`
    /// are those that nodes may request. The error is a sentence for the user.
    pub fn new(
        modules: &[GraphModule],
        values: &Specialisation,
        checks: bool,
        sizes: &SubgroupSizes,
    ) -> Result<Graph, String> {
        let load = |module: &GraphModule| Module::load_specialised(module.words, values).map_err(|e| e.to_string());
        let loaded = modules.iter().map(load).collect::<Result<Vec<_>, _>>()?;
        let parts: Vec<Part> =
            loaded.iter().zip(modules).map(|(module, given)| Part { module, names: given.names }).collect();
        refuse_broken(&parts)?;
        let mut graph = Graph::default();
        let entries = parts
            .iter()
            .zip(modules)
            .flat_map(|(part, given)| part.module.entry_points.iter().map(move |entry| (part, given, entry)));
        for (&Part { module, names }, given, entry) in entries {
            if !matches!(
                ExecutionModel::from_u32(entry.model),
                Some(ExecutionModel::GLCompute | ExecutionModel::MeshEXT)
            ) {
                continue;
            }
            let mut node = node(module, entry, names)?;
            if let Some((_, wanted)) = given.wave_sizes.iter().find(|(name, _)| *name == entry.name) {
                let chosen = sizes.choose(*wanted, node.program.threads(), node.program.mesh.is_some());
                node.program.subgroup_size = chosen.map_err(|other| other.of(&node.label).message)?;
            }
            if checks {
                instrument(&mut node.program);
            }
            let key = (node.name.clone(), node.index);
            if graph.by_name.insert(key, graph.nodes.len()).is_some() {
                return Err(format!("duplicate node {}", node.label));
            }
            graph.nodes.push(node);
        }
        if graph.nodes.is_empty() {
            let what = if modules.len() == 1 { "the module has" } else { "the modules have" };
            return Err(format!("{what} no nodes"));
        }
        graph.levels = graph.nodes.iter().map(|n| n.recursion).collect();
        graph.link()?;
        Ok(graph)
    }

    /// Resolves outputs and input sharing to nodes.
    fn link(&mut self) -> Result<(), String> {
        let mut arrays: FxHashMap<&str, FxHashMap<u32, usize>> = FxHashMap::default();
        for (number, node) in self.nodes.iter().enumerate() {
            arrays.entry(&node.name).or_default().insert(node.index, number);
        }
        let mut targets = Vec::with_capacity(self.nodes.len());
        let mut sharing = Vec::new();
        for (number, node) in self.nodes.iter().enumerate() {
            let outputs = node.program.outputs.iter().map(|output| {
                let nodes = arrays.get(output.node.as_str()).cloned().unwrap_or_default();
                (output.base_index, output.array_size, nodes)
            });
            targets.push(Arc::new(Targets { outputs: outputs.collect() }));
            if let Some(key) = &node.shares {
                let Some(&with) = self.by_name.get(key) else {
                    return Err(format!(
                        "node {} shares the input of {}[{}], which is not a node",
                        node.label, key.0, key.1
                    ));
                };
                sharing.push((with, number));
            }
        }
        for (node, targets) in self.nodes.iter_mut().zip(targets) {
            node.targets = targets;
        }
        for (with, number) in sharing {
            if self.nodes.get(with).is_some_and(|n| n.shares.is_some()) {
                return Err("a node shares the input of a node that itself shares an input".into());
            }
            if let Some(node) = self.nodes.get_mut(with) {
                node.sharers.push(number);
            }
        }
        Ok(())
    }

    /// Returns the mesh layouts of its mesh nodes, by name and index.
    pub fn mesh_shapes(&self) -> impl Iterator<Item = ((&str, u32), &Arc<MeshShape>)> {
        self.nodes
            .iter()
            .filter_map(|node| node.program.mesh.as_ref().map(|mesh| ((node.name.as_str(), node.index), &mesh.shape)))
    }

    pub fn find(&self, name: &str, index: u32) -> Option<usize> {
        self.by_name.get(&(name.to_string(), index)).copied()
    }

    fn side(&self, this: usize, remaining: u32) -> GraphSide {
        GraphSide {
            targets: self.nodes.get(this).map(|n| n.targets.clone()).unwrap_or_default(),
            levels: self.levels.clone(),
            this,
            remaining,
            lanes_are_groups: false,
            allocations: Vec::new(),
            emitted: Vec::new(),
            used: FxHashMap::default(),
            unfinished_groups: 0,
            finished: false,
            from_host: false,
        }
    }
}

fn node(module: &Module, entry: &EntryPoint, names: &[NodeName]) -> Result<Node, String> {
    let given = names.iter().find(|n| n.entry_point == entry.name);
    let name = given.map_or(&entry.name, |g| &g.name).clone();
    let index = given.and_then(|g| g.index).or_else(|| module.node_index(entry)).unwrap_or(0);
    let label = if index == 0 { name.clone() } else { format!("{name}[{index}]") };
    let program = translate(module, entry)?;
    let writes_input = sharing::writes_input(&program);
    let coalescing = module.execution_mode(entry.function, ExecutionMode::CoalescingAMDX).is_some();
    let fixed = modes3(module, entry, ExecutionMode::StaticNumWorkgroupsAMDX)?;
    let most = modes3(module, entry, ExecutionMode::MaxNumWorkgroupsAMDX)?;
    for (mode, grid) in [(ExecutionMode::StaticNumWorkgroupsAMDX, fixed), (ExecutionMode::MaxNumWorkgroupsAMDX, most)] {
        let Some(grid) = grid else { continue };
        limits::check(module, entry, mode, grid).map_err(|e| format!("node {label}: {e}"))?;
    }
    let empty_grid = fixed
        .filter(|grid| grid.contains(&0))
        .map(|grid| limits::describe(module, entry, ExecutionMode::StaticNumWorkgroupsAMDX, grid));
    let in_record = program.input.as_ref().is_some_and(|i| i.grid.is_some());
    let launch = match (coalescing, fixed, most) {
        (true, None, None) => Launch::Coalescing,
        (false, Some(grid), None) => Launch::Static(grid),
        (false, None, most) if in_record => Launch::Dynamic(most.unwrap_or([65535; 3])),
        (false, None, _) => {
            return Err(format!(
                "node {label}: no dispatch grid: it is neither coalescing nor static, and its record has none"
            ));
        }
        _ => return Err(format!("node {label}: more than one of coalescing, static grid and maximum grid")),
    };
    let shares = module.execution_mode(entry.function, ExecutionMode::SharesInputWithAMDX).map(|mode| {
        let name = mode.operands.first().and_then(|id| module.string(*id)).unwrap_or("").to_string();
        (name, mode.operands.get(1).and_then(|id| module.constant_u32(*id)).unwrap_or(0))
    });
    let is_entry = mode1(module, entry, ExecutionMode::IsApiEntryAMDX).is_none_or(|v| v != 0);
    if is_entry && shares.is_some() {
        return Err(format!("node {label} shares an input but is an API entry: IsApiEntryAMDX must be false"));
    }
    Ok(Node {
        name,
        index,
        label,
        program,
        launch,
        api_entry: is_entry,
        recursion: mode1(module, entry, ExecutionMode::MaxNodeRecursionAMDX).unwrap_or(0),
        sharers: Vec::new(),
        shares,
        targets: Arc::default(),
        writes_input,
        empty_grid,
    })
}
