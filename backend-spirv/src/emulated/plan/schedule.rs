//! Schedules: the queues of a graph, and the stage that consumes each.
//!
//! Nodes that share an input read the queue of one of them, their **leader**. There are three schedules:
//!
//! - **topological**: a leader has a queue for each recursion level, in the stage after all its producers (the longest
//!   path). All level-0 elements of a node array have the same stage, the latest that any needs, as the specification
//!   counts depth. Every node runs once in a sweep, with all its records;
//! - **topological with drains**: a node that many recursion levels send to has several such queues (`drain`). There is
//!   one after every few levels, so that its records need not wait for the last level;
//! - **by depth**: a leader has a queue for each recursion level and each depth at which records reach it, and the
//!   stage is the depth. Records sent in a stage are consumed in the next, so they stay in memory for at most two
//!   stages. But a node runs once for each depth at which it is reached.
//!
//! A record goes to the first of a leader's queues after the stage that sends it. In all three schedules, mesh nodes,
//! which send no records and are drawn by the host, have one stage, the last, regardless of their arrays.

use super::drain;
use super::{Edge, EmuError, GraphProblem, problem};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use wgc_abi::tables::ABSENT;
use wgc_ir::{Graph, Symbol};

/// The order in which the nodes of a graph run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Schedule {
    #[default]
    Topological,
    /// Topological, but no queue that can be split receives records of more than this many recursion levels of one
    /// node. At least 1.
    Drained(u32),
    Depth,
}

/// The position of a queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct QueuePosition {
    pub stage: u32,
    pub leader: usize,
    pub level: u32,
}

/// All queues of a graph.
pub struct QueueSchedule {
    /// Sorted by stage, then in declaration order, except that queues of one code are neighbours. The index is the
    /// number of the queue.
    pub queues: Vec<QueuePosition>,
    /// The stages, in order, and the numbers of the queues of each leader and level.
    of: FxHashMap<(usize, u32), Vec<(u32, u32)>>,
}

impl QueueSchedule {
    /// Computes the queues. `levels` is by node, as is `same_code_leaders`, the first node that shares its code;
    /// `drawn` is by leader.
    pub fn new(
        graph: &Graph,
        leaders: &[usize],
        levels: &[u32],
        edges: &[Edge],
        drawn: &[bool],
        same_code_leaders: &[usize],
        schedule: Schedule,
    ) -> Result<Self, EmuError> {
        let vertices = Vertices::new(graph, leaders, levels, drawn);
        // This also finds cycles, which no schedule allows.
        let longest = longest_paths(graph, leaders, levels, edges, &vertices)?;
        let own = |node: &usize| leaders[*node] == *node;
        let of_levels = |leader: usize| (0..levels[leader]).map(move |level| (leader, level));
        let once = || {
            let leaders = (0..graph.nodes.len()).filter(|leader| own(leader) && !drawn[*leader]);
            let stage = |leader: usize, level: u32| longest[vertices.first[leader] + level as usize];
            let places = leaders.flat_map(of_levels);
            places
                .map(move |(leader, level)| QueuePosition { stage: stage(leader, level), leader, level })
                .collect::<Vec<_>>()
        };
        let mut queues = match schedule {
            Schedule::Topological => once(),
            Schedule::Drained(most) => {
                let class = |leader| vertices.class(leader, 0);
                drain::split(once(), leaders, levels, edges, class, most.max(1) as usize)
            }
            Schedule::Depth => depths(graph, leaders, levels, edges, drawn),
        };
        let last = queues.iter().map(|place| place.stage + 1).max().unwrap_or(0);
        let drawn_ones = (0..graph.nodes.len()).filter(|leader| own(leader) && drawn[*leader]).flat_map(of_levels);
        queues.extend(drawn_ones.map(|(leader, level)| QueuePosition { stage: last, leader, level }));
        queues.sort_unstable_by_key(|place| (place.stage, same_code_leaders[place.leader], place.leader, place.level));
        let mut of: FxHashMap<(usize, u32), Vec<(u32, u32)>> = FxHashMap::default();
        for (number, place) in (0..).zip(&queues) {
            of.entry((place.leader, place.level)).or_default().push((place.stage, number));
        }
        Ok(Self { queues, of })
    }

    /// Returns the queue of a leader's level that receives records sent in the stage `from`, or by the host without a
    /// stage.
    pub fn queue(&self, leader: usize, level: u32, from: Option<u32>) -> u32 {
        let queues = self.of.get(&(leader, level)).map_or(&[][..], Vec::as_slice);
        let next = queues.iter().find(|(stage, _)| from.is_none_or(|from| *stage > from));
        next.map_or(ABSENT, |(_, number)| *number)
    }
}

/// Returns a place for each depth at which records may reach a leader's level, except for mesh nodes. The graph has no
/// cycles.
fn depths(graph: &Graph, leaders: &[usize], levels: &[u32], edges: &[Edge], drawn: &[bool]) -> Vec<QueuePosition> {
    let mut edges_of: Vec<Vec<&Edge>> = vec![Vec::new(); graph.nodes.len()];
    // A node without producers has a place too, so that every node has an instance.
    let mut begins = vec![true; graph.nodes.len()];
    for edge in edges {
        edges_of[leaders[edge.node]].push(edge);
        begins[edge.target] &= edge.target == edge.node;
    }
    for (node, _) in graph.nodes.iter().enumerate().filter(|(_, node)| node.entry) {
        begins[leaders[node]] = true;
    }
    let own = |leader: &usize| leaders[*leader] == *leader && !drawn[*leader];
    let first = (0..graph.nodes.len()).filter(|leader| begins[*leader] && own(leader));
    let mut reached: BTreeSet<(usize, u32)> = first.map(|leader| (leader, 0)).collect();
    let mut places = Vec::new();
    for stage in 0.. {
        let mut next = BTreeSet::new();
        for &(leader, level) in &reached {
            places.push(QueuePosition { stage, leader, level });
            for edge in &edges_of[leader] {
                let recurs = edge.target == edge.node;
                let to = (edge.target, if recurs { level + 1 } else { 0 });
                if to.1 < levels[edge.target] && !drawn[edge.target] {
                    next.insert(to);
                }
            }
        }
        if next.is_empty() {
            break;
        }
        reached = next;
    }
    places
}

/// Vertices by leader and level, joined to classes that share a stage.
struct Vertices {
    /// First vertex of each leader.
    first: Vec<usize>,
    class: Vec<usize>,
}

impl Vertices {
    fn new(graph: &Graph, leaders: &[usize], levels: &[u32], drawn: &[bool]) -> Self {
        let mut first = vec![0; graph.nodes.len()];
        let mut count = 0;
        for node in (0..graph.nodes.len()).filter(|&n| leaders[n] == n) {
            first[node] = count;
            count += levels[node] as usize;
        }
        let mut class: Vec<usize> = (0..count).collect();
        let mut arrays: FxHashMap<&Symbol, usize> = FxHashMap::default();
        for (node, n) in graph.nodes.iter().enumerate().filter(|(node, _)| !drawn[leaders[*node]]) {
            let own = find(&mut class, first[leaders[node]]);
            let array = *arrays.entry(&n.id.name).or_insert(own);
            let array = find(&mut class, array);
            // The smaller number wins, so that classes do not depend on the order of joins.
            class[own.max(array)] = own.min(array);
        }
        for vertex in 0..count {
            let root = find(&mut class, vertex);
            class[vertex] = root;
        }
        Self { first, class }
    }

    fn class(&self, leader: usize, level: u32) -> usize {
        self.class[self.first[leader] + level as usize]
    }
}

pub(super) fn find(class: &mut [usize], mut vertex: usize) -> usize {
    while class[vertex] != vertex {
        class[vertex] = class[class[vertex]];
        vertex = class[vertex];
    }
    vertex
}

/// Returns the stage of every vertex: the longest path to its class.
fn longest_paths(
    graph: &Graph,
    leaders: &[usize],
    levels: &[u32],
    edges: &[Edge],
    vertices: &Vertices,
) -> Result<Vec<u32>, EmuError> {
    let count = vertices.class.len();
    let mut successors: Vec<Vec<(usize, usize)>> = vec![Vec::new(); count];
    let mut waiting = vec![0usize; count];
    let mut connect = |node: usize, from: usize, to: usize| {
        if from == to {
            return Err(problem(graph, node, GraphProblem::Cycle));
        }
        successors[from].push((to, node));
        waiting[to] += 1;
        Ok(())
    };
    for edge in edges {
        let leader = leaders[edge.node];
        for level in 0..levels[edge.node] {
            let from = vertices.class(leader, level);
            match edge.target == edge.node {
                false => connect(edge.node, from, vertices.class(edge.target, 0))?,
                true if level + 1 < levels[edge.node] => {
                    connect(edge.node, from, vertices.class(leader, level + 1))?;
                }
                true => {}
            }
        }
    }
    let mut stages = vec![0u32; count];
    let mut ready: Vec<usize> = (0..count).filter(|&v| vertices.class[v] == v && waiting[v] == 0).collect();
    while let Some(vertex) = ready.pop() {
        for &(next, _) in &successors[vertex] {
            stages[next] = stages[next].max(stages[vertex] + 1);
            waiting[next] -= 1;
            if waiting[next] == 0 {
                ready.push(next);
            }
        }
    }
    // A vertex that still waits is on a cycle or after one; report a node that closes the cycle.
    match (0..count).find(|&v| successors[v].iter().any(|&(next, _)| waiting[next] != 0) && waiting[v] != 0) {
        Some(vertex) => Err(problem(graph, successors[vertex][0].1, GraphProblem::Cycle)),
        None => Ok((0..count).map(|v| stages[vertices.class[v]]).collect()),
    }
}
