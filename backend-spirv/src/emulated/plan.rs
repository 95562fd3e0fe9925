//! The static analysis of a graph: instances, stages, queues and their tables.
//!
//! An **instance** is a node at one recursion level. Instances of nodes that share an input read one queue in one
//! stage. The [`Schedule`] determines the queues and their stages. In every schedule, all producers of a queue are in
//! earlier stages, so in one pass every instance runs once, when its queue is complete.
//!
//! The sizes of workgroups are all that depends on code ([`super::node::packing`]).

mod admission;
pub mod closure;
mod drain;
mod schedule;
mod segments;
mod spill;

use super::error::{EmuError, GraphProblem};
use super::joint::same_code_leaders;
use super::layout::{RecordLayout, page_bytes};
use rustc_hash::FxHashMap;
pub use schedule::Schedule;
use schedule::{QueuePosition, QueueSchedule};
use wgc_abi::tables as abi;
use wgc_abi::tables::{ABSENT, THREAD_GROUP, Tables};
use wgc_ir::passes::fusion::FusionMode;
use wgc_ir::{Graph, Grid, Launch, Node, NodeId, Output, OutputArray, Symbol};

/// A node at one recursion level. With drains or a schedule by depth, also in one of several stages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Instance {
    /// Index in `Graph::nodes`.
    pub node: usize,
    pub level: u32,
    pub queue: u32,
    pub stage: u32,
}

#[derive(Clone, Debug)]
pub struct Plan {
    /// Sorted by stage, then by queue.
    pub instances: Vec<Instance>,
    /// Threads of the workgroups of thread nodes, by node.
    pub packing: Vec<u32>,
    pub tables: Tables,
    /// The first queue of each node, which receives the host's records.
    pub queue_of_node: Vec<u32>,
    /// Some target of the output reads its grid from the record, by node and output.
    pub dynamic_outputs: Vec<Vec<bool>>,
    /// Records of the output may go to a spill, by node and output.
    pub spilling_outputs: Vec<Vec<bool>>,
    /// Input records of the node may come from a spill, by node.
    pub spilled_inputs: Vec<bool>,
}

/// Settings that are not part of the graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Requested page size of the arena in bytes; it is rounded up to hold the largest record.
    pub page_bytes: u32,
    /// The most targets of one budget in one stage that each get space for the whole budget. If there are more, they
    /// share a spill.
    pub direct_targets: u32,
    /// Limit of the bytes of a segment. Stages join a segment while the records that follow from one workgroup of its
    /// first stage fit. 0: every stage is a segment of its own.
    pub segment_bytes: u32,
    /// Each record is followed by a guard word, and the package has the kernel that checks it.
    pub guarded: bool,
    /// The fewest instances of one stage with shared code that share a dispatch; 0: each has its own.
    pub joint_dispatch: u32,
    pub schedule: Schedule,
    /// Grids in records are placed with 64-bit atomics. Otherwise a kernel places them, on any device.
    pub atomics64: bool,
    /// The edges that are fused before the graph is planned.
    pub fusion: FusionMode,
    /// The package has a shader that runs all stages in one dispatch, if the graph is suitable.
    pub resident: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            page_bytes: 64 << 10,
            direct_targets: 4,
            segment_bytes: 64 << 10,
            guarded: false,
            joint_dispatch: 64,
            schedule: Schedule::Topological,
            atomics64: true,
            fusion: FusionMode::Off,
            resident: false,
        }
    }
}

/// A resolved output: a pair of producer and target.
struct Edge {
    node: usize,
    output: usize,
    /// Array index in the output, and the node there.
    index: u32,
    target: usize,
}

/// Plans a graph. The workgroups of thread nodes have [`THREAD_GROUP`] threads.
pub fn plan(graph: &Graph, settings: &Settings) -> Result<Plan, EmuError> {
    plan_packed(graph, &vec![THREAD_GROUP; graph.nodes.len()], settings)
}

/// Plans a graph. `packing` has the threads of the workgroups of thread nodes, by node; other nodes ignore it.
pub(crate) fn plan_packed(graph: &Graph, packing: &[u32], settings: &Settings) -> Result<Plan, EmuError> {
    let names = Names::new(graph)?;
    let leaders = leaders(graph, &names)?;
    let edges = edges(graph, &names, &leaders)?;
    let drawn = drawn(graph, &leaders, &edges)?;
    let levels = levels(graph, &leaders, &edges);
    let same_code_leaders = same_code_leaders(graph, &leaders, settings);
    let places = QueueSchedule::new(graph, &leaders, &levels, &edges, &drawn, &same_code_leaders, settings.schedule)?;
    let layouts = layouts(graph, &leaders, &edges, settings.guarded)?;
    let largest = layouts.iter().map(|l| l.stride).max().unwrap_or(0);
    let packed = Packed { graph, packing };
    let number =
        |page_bytes| number(packed, &leaders, &levels, &edges, &places, &layouts, Settings { page_bytes, ..*settings });
    let pages = page_bytes(settings.page_bytes, largest);
    let plan = number(pages);
    // A slot of a spill is larger than its record.
    let largest = plan.tables.spills.iter().map(|spill| spill.stride).max().unwrap_or(0);
    Ok(if largest > pages { number(page_bytes(settings.page_bytes, largest)) } else { plan })
}

/// A graph with the threads of the workgroups of its thread nodes.
#[derive(Clone, Copy)]
struct Packed<'g> {
    graph: &'g Graph,
    packing: &'g [u32],
}

/// Returns the threads of a dispatched workgroup. `packing` is that of a thread node.
pub fn group_size(node: &Node, packing: u32) -> [u32; 3] {
    match node.launch {
        Launch::Thread => [packing, 1, 1],
        Launch::Broadcasting | Launch::Coalescing | Launch::Mesh => node.num_threads,
    }
}

/// Nodes by name, sorted by array index.
struct Names<'g> {
    by_name: FxHashMap<&'g Symbol, Vec<(u32, usize)>>,
}

impl<'g> Names<'g> {
    fn new(graph: &'g Graph) -> Result<Self, EmuError> {
        let mut by_name: FxHashMap<&Symbol, Vec<(u32, usize)>> = FxHashMap::default();
        for (index, node) in graph.nodes.iter().enumerate() {
            by_name.entry(&node.id.name).or_default().push((node.id.index, index));
        }
        for elements in by_name.values_mut() {
            elements.sort_unstable();
            if let Some(pair) = elements.windows(2).find(|pair| pair[0].0 == pair[1].0) {
                return Err(problem(graph, pair[1].1, GraphProblem::Duplicate));
            }
        }
        Ok(Self { by_name })
    }

    fn elements(&self, name: &Symbol) -> &[(u32, usize)] {
        self.by_name.get(name).map_or(&[], Vec::as_slice)
    }

    fn find(&self, id: &NodeId) -> Option<usize> {
        let elements = self.elements(&id.name);
        elements.binary_search_by_key(&id.index, |e| e.0).ok().map(|at| elements[at].1)
    }

    /// Returns the existing nodes that an output can reach, with the array index of each.
    fn targets(&self, output: &Output) -> impl Iterator<Item = (u32, usize)> + '_ {
        let base = output.target.index;
        let len = match output.array {
            OutputArray::Single => 1,
            OutputArray::Sized(n) => n,
            OutputArray::Unbounded => u32::MAX,
        };
        let elements = self.elements(&output.target.name);
        let start = elements.partition_point(|e| e.0 < base);
        elements[start..].iter().map(move |&(index, node)| (index - base, node)).take_while(move |e| e.0 < len)
    }
}

fn problem(graph: &Graph, node: usize, problem: GraphProblem) -> EmuError {
    EmuError::Graph { node: graph.nodes[node].id.clone(), problem }
}

/// Returns for each node the node with the queue that it reads: itself, or the one with the shared input.
fn leaders(graph: &Graph, names: &Names) -> Result<Vec<usize>, EmuError> {
    graph
        .nodes
        .iter()
        .enumerate()
        .map(|(index, node)| {
            let Some(id) = &node.share_input_of else { return Ok(index) };
            let leader = names.find(id).filter(|&l| l != index && graph.nodes[l].share_input_of.is_none());
            leader.ok_or_else(|| problem(graph, index, GraphProblem::ShareTarget(id.clone())))
        })
        .collect()
}

fn edges(graph: &Graph, names: &Names, leaders: &[usize]) -> Result<Vec<Edge>, EmuError> {
    let mut edges = Vec::new();
    for (node, n) in graph.nodes.iter().enumerate() {
        for (output, o) in n.outputs.iter().enumerate() {
            for (index, target) in names.targets(o) {
                if leaders[target] != target {
                    let id = graph.nodes[target].id.clone();
                    return Err(problem(graph, node, GraphProblem::TargetShares(id)));
                }
                edges.push(Edge { node, output, index, target });
            }
        }
    }
    Ok(edges)
}

/// Returns whether mesh nodes read the queue of a node, by leader.
fn drawn(graph: &Graph, leaders: &[usize], edges: &[Edge]) -> Result<Vec<bool>, EmuError> {
    let mut drawn: Vec<Option<usize>> = vec![None; graph.nodes.len()];
    for (node, _) in graph.nodes.iter().enumerate().filter(|(_, node)| node.mesh.is_some()) {
        drawn[leaders[node]].get_or_insert(node);
    }
    // Records sent after the mesh nodes would come too late.
    if let Some((edge, mesh)) = edges.iter().find_map(|edge| Some((edge, drawn[leaders[edge.node]]?))) {
        return Err(problem(graph, edge.node, GraphProblem::SharedMesh(graph.nodes[mesh].id.clone())));
    }
    Ok(drawn.iter().map(Option::is_some).collect())
}

/// Returns the recursion levels of each node's queue: 1 unless the node targets itself.
fn levels(graph: &Graph, leaders: &[usize], edges: &[Edge]) -> Vec<u32> {
    let mut levels = vec![1; graph.nodes.len()];
    for edge in edges.iter().filter(|e| e.node == e.target) {
        levels[edge.node] = graph.nodes[edge.node].max_recursion.saturating_add(1);
    }
    (0..levels.len()).map(|node| levels[leaders[node]]).collect()
}

/// Returns the record layout of each node's queue, checked against producers and sharers.
fn layouts(graph: &Graph, leaders: &[usize], edges: &[Edge], guarded: bool) -> Result<Vec<RecordLayout>, EmuError> {
    let layouts: Vec<RecordLayout> = (graph.nodes.iter().enumerate())
        .map(|(index, node)| {
            let record = node.input.as_ref().and_then(|i| i.record.as_ref());
            RecordLayout::of(record, guarded).ok_or_else(|| problem(graph, index, GraphProblem::Layout))
        })
        .collect::<Result<_, _>>()?;
    for (node, &leader) in leaders.iter().enumerate() {
        // A sharer without records may share any input.
        if layouts[node].bytes != 0 && layouts[node] != layouts[leader] {
            let id = graph.nodes[leader].id.clone();
            return Err(problem(graph, node, GraphProblem::SharedRecord(id)));
        }
    }
    for edge in edges {
        let output = &graph.nodes[edge.node].outputs[edge.output];
        let layout = RecordLayout::of(output.record.as_ref(), guarded)
            .ok_or_else(|| problem(graph, edge.node, GraphProblem::Layout))?;
        if layout != layouts[edge.target] {
            let target = graph.nodes[edge.target].id.clone();
            return Err(problem(graph, edge.node, GraphProblem::Record { output: output.name.clone(), target }));
        }
    }
    (graph.nodes.iter().enumerate())
        .map(|(index, node)| {
            let dynamic = matches!(node.grid, Grid::Max(_));
            let grid = node.input.as_ref().and_then(|i| i.record.as_ref()).and_then(|r| r.grid.as_ref());
            let broken = node.launch.has_grid()
                && (node.grid == Grid::None || node.grid.max_groups() == 0 || dynamic && grid.is_none());
            if broken { Err(problem(graph, index, GraphProblem::Grid)) } else { Ok(layouts[index]) }
        })
        .collect()
}

fn number(
    Packed { graph, packing }: Packed<'_>,
    leaders: &[usize],
    levels: &[u32],
    edges: &[Edge],
    places: &QueueSchedule,
    layouts: &[RecordLayout],
    settings: Settings,
) -> Plan {
    let page_bytes = settings.page_bytes;
    // The queue that an instance sends to along an edge.
    let target_of = |instance: &Instance, edge: &Edge| {
        let level = if edge.target == instance.node { instance.level + 1 } else { 0 };
        places.queue(leaders[edge.target], level, Some(instance.stage))
    };
    let mut followers: Vec<Vec<usize>> = vec![Vec::new(); graph.nodes.len()];
    for (node, &leader) in leaders.iter().enumerate().filter(|(node, leader)| node != *leader) {
        followers[leader].push(node);
    }
    let mut instances = Vec::new();
    let mut tables = Tables { page_bytes, ..Tables::default() };
    for (queue, &QueuePosition { stage, leader, level }) in places.queues.iter().enumerate() {
        let first = instances.len();
        for &node in std::iter::once(&leader).chain(&followers[leader]) {
            if graph.nodes[node].mesh.is_some() {
                tables.mesh_stage = Some(stage);
            }
            instances.push(Instance { node, level, queue: queue as u32, stage });
        }
        let count = (instances.len() - first) as u32;
        if tables.stages.len() <= stage as usize {
            // The previous stage sends the records of a stage, so no stage is skipped.
            tables.stages.push(abi::StageRow {
                first_queue: queue as u32,
                first_instance: first as u32,
                ..abi::StageRow::default()
            });
        }
        if let Some(row) = tables.stages.last_mut() {
            row.queue_count += 1;
            row.instance_count += count;
        }
        let layout = layouts[leader];
        let dynamic = |i: &&Instance| matches!(graph.nodes[i.node].grid, Grid::Max(_));
        tables.queues.push(abi::QueueRow {
            stage,
            stride: layout.stride,
            slots: layout.slots(page_bytes),
            record_bytes: layout.bytes,
            trailer: layout.trailer.unwrap_or(ABSENT),
            first_instance: first as u32,
            instance_count: count,
            dynamic_count: instances[first..].iter().filter(dynamic).count() as u32,
            spill: ABSENT,
            ..abi::QueueRow::default()
        });
    }

    let mut edges_of_node: Vec<Vec<&Edge>> = vec![Vec::new(); graph.nodes.len()];
    for edge in edges {
        edges_of_node[edge.node].push(edge);
    }
    // Producers of each queue: by queue, then producer, then budget, each once.
    let mut producers = vec![admission::Producers::new(); places.queues.len()];
    let mut maps = Maps::default();
    for (number, instance) in instances.iter().enumerate() {
        let node = &graph.nodes[instance.node];
        let first_output = tables.outputs.len() as u32;
        let mut targets: Vec<Vec<(u32, u32)>> = vec![Vec::new(); node.outputs.len()];
        for edge in &edges_of_node[instance.node] {
            let target = target_of(instance, edge);
            if target != ABSENT {
                targets[edge.output].push((edge.index, target));
                let (owner, max_records) = node.budget(edge.output);
                producers[target as usize].insert((number as u32, owner), max_records);
            }
        }
        for (output, targets) in targets.iter().enumerate() {
            tables.outputs.push(maps.row(targets, node.budget(output).1));
        }
        let row = instance_row(node, packing[instance.node], instance, first_output, levels[instance.node]);
        tables.instances.push(row);
    }
    tables.maps = maps.words;
    for (queue, producers) in producers.iter().enumerate() {
        tables.queues[queue].first_edge = tables.edges.len() as u32;
        tables.queues[queue].edge_count = producers.len() as u32;
        tables
            .edges
            .extend(producers.iter().map(|(&(instance, _), &max_records)| abi::EdgeRow { instance, max_records }));
    }
    spill::fill(&mut tables, &producers, settings.direct_targets);
    let queue_of_node: Vec<u32> = leaders.iter().map(|&leader| places.queue(leader, 0, None)).collect();
    let entries = graph.nodes.iter().zip(&queue_of_node).filter(|(node, _)| node.entry);
    tables.entries = entries.map(|(_, queue)| *queue).collect();
    admission::fill(&mut tables, &producers, settings.segment_bytes);
    let none: Vec<Vec<bool>> = graph.nodes.iter().map(|n| vec![false; n.outputs.len()]).collect();
    let (mut dynamic_outputs, mut spilling_outputs) = (none.clone(), none);
    let mut spilled_inputs = vec![false; graph.nodes.len()];
    for instance in &instances {
        spilled_inputs[instance.node] |= tables.queues[instance.queue as usize].spills();
        for edge in &edges_of_node[instance.node] {
            // The last recursion level has no next one.
            if let Some(target) = tables.queues.get(target_of(instance, edge) as usize) {
                dynamic_outputs[edge.node][edge.output] |= target.dynamic_count != 0;
                spilling_outputs[edge.node][edge.output] |= target.spills();
            }
        }
    }
    let packing = packing.to_vec();
    Plan { instances, packing, tables, queue_of_node, dynamic_outputs, spilling_outputs, spilled_inputs }
}

fn instance_row(node: &Node, packing: u32, instance: &Instance, first_output: u32, levels: u32) -> abi::InstanceRow {
    let record = node.input.as_ref().and_then(|i| i.record.as_ref());
    let (launch, unit) = match (node.launch, node.grid) {
        (Launch::Thread, _) => (abi::LAUNCH_THREAD, packing),
        (Launch::Coalescing, _) => (abi::LAUNCH_COALESCING, node.input.as_ref().map_or(1, |i| i.max_records).max(1)),
        (Launch::Broadcasting | Launch::Mesh, Grid::Max(_)) => (abi::LAUNCH_DYNAMIC, 1),
        (Launch::Broadcasting | Launch::Mesh, _) => (abi::LAUNCH_FIXED, 1),
    };
    let grid = match (node.launch, node.grid) {
        (Launch::Broadcasting | Launch::Mesh, Grid::Fixed(g) | Grid::Max(g)) => g,
        _ => [1; 3],
    };
    let field = record.and_then(|r| r.grid.as_ref()).filter(|_| launch == abi::LAUNCH_DYNAMIC);
    // Only the instance that owns the recursion has levels left.
    let recursive = levels > 1 && node.share_input_of.is_none();
    abi::InstanceRow {
        queue: instance.queue,
        launch,
        unit,
        grid_groups: grid.iter().fold(1u32, |product, &n| product.saturating_mul(n)),
        grid_offset: field.map_or(0, |f| f.offset),
        grid_scalar: field.map_or(0, |f| f.scalar.size()),
        grid_components: field.map_or(0, |f| f.components),
        grid_x: grid[0],
        grid_y: grid[1],
        grid_z: grid[2],
        first_output,
        output_count: node.outputs.len() as u32,
        remaining_levels: if recursive { levels - 1 - instance.level } else { 0 },
        level: instance.level,
        local_root: ABSENT,
        ..abi::InstanceRow::default()
    }
}

/// The maps from array index to queue; equal maps are stored once.
#[derive(Default)]
struct Maps {
    words: Vec<u32>,
    known: FxHashMap<(u32, Vec<u32>), u32>,
}

impl Maps {
    /// Returns the row of an output; `targets` are pairs {array index, queue}, sorted by index.
    fn row(&mut self, targets: &[(u32, u32)], max_records: u32) -> abi::OutputRow {
        let end = targets.last().map_or(0, |t| t.0 as usize + 1);
        // Use a dense map if it needs at most a few words more than the pairs.
        let (kind, words) = if end <= 2 * targets.len() + 64 {
            let mut words = vec![ABSENT; end];
            for &(index, queue) in targets {
                words[index as usize] = queue;
            }
            (abi::MAP_DENSE, words)
        } else {
            (abi::MAP_SORTED, targets.iter().flat_map(|&(index, queue)| [index, queue]).collect())
        };
        let count = if kind == abi::MAP_DENSE { words.len() } else { targets.len() } as u32;
        let all = &mut self.words;
        let map = *self.known.entry((kind, words)).or_insert_with_key(|(_, words)| {
            let start = all.len() as u32;
            all.extend(words);
            start
        });
        abi::OutputRow { map, count, kind, max_records }
    }
}
