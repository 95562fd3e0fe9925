//! Simulations of random graphs: they are planned and then run by a plain work list that emits any records that the
//! declarations allow.
//!
//! The tests check four properties. Every queue has all its producers in earlier stages, so nothing is appended to a
//! queue that is being consumed. No behaviour within the budgets exceeds the closure. The workgroups that producers
//! launch piece by piece are those that the records need. If each output has one target, the closure is no larger than
//! the worst behaviour. `sweeps` does the same for scheduled runs.

#[path = "../../../tests/support/random.rs"]
mod random;
mod sweeps;

use random::Random;
use wgc_abi::device::Arguments;
use wgc_abi::tables::{LAUNCH_COALESCING, LAUNCH_DYNAMIC, LAUNCH_FIXED, LAUNCH_THREAD, Tables};
use wgc_backend_spirv::emulated::plan;
use wgc_backend_spirv::emulated::plan::Schedule;
use wgc_ir::{Graph, Grid, GridField, Input, Launch, Node, NodeId, Output, OutputArray, Record, Scalar, Symbol, Type};
use wgc_runtime::emulated::{Closure, closure};

/// The kind of input of a name's nodes.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Empty,
    Plain,
    Dynamic,
}

fn record(kind: Kind) -> Option<Record> {
    let grid = GridField { path: vec![0], offset: 0, scalar: Scalar::U32, components: 1 };
    let structure = wgc_ir::layout::scalar_struct("R", [("a".into(), Type::U32), ("b".into(), Type::U32)]).unwrap();
    let ty = Type::Struct(structure.into());
    (kind != Kind::Empty).then(|| Record { ty, grid: (kind == Kind::Dynamic).then_some(grid), track_sharing: false })
}

struct Name {
    symbol: Symbol,
    kind: Kind,
    /// Existing array indexes.
    indexes: Vec<u32>,
    launch: Launch,
    recursion: u32,
}

fn node(r: &mut Random, name: &Name, index: u32) -> Node {
    let grid = match (name.launch, name.kind) {
        (Launch::Broadcasting, Kind::Dynamic) => Grid::Max([1 + r.below(3), 1, 1]),
        (Launch::Broadcasting, _) => Grid::Fixed([1 + r.below(2), 1, 1 + r.below(2)]),
        _ => Grid::None,
    };
    let max_records = if name.launch == Launch::Coalescing { 1 + r.below(5) } else { 1 };
    Node {
        id: NodeId { name: name.symbol.clone(), index },
        function: name.symbol.clone(),
        launch: name.launch,
        num_threads: [1; 3],
        grid,
        entry: false,
        max_recursion: name.recursion,
        share_input_of: None,
        local_root_index: None,
        wave_size: None,
        ends: Vec::new(),
        specialised: Vec::new(),
        input: Some(Input {
            name: "input".into(),
            record: record(name.kind),
            read_write: false,
            coherent: false,
            max_records,
        }),
        outputs: Vec::new(),
        mesh: None,
    }
}

/// Draws a graph. Its names only target later names and, with recursion, themselves. `simple`: one target per output,
/// no shared budgets, no sharers.
fn draw(r: &mut Random, simple: bool) -> Graph {
    let count = 2 + r.below(7) as usize;
    let names: Vec<Name> = (0..count)
        .map(|i| {
            let kind = [Kind::Empty, Kind::Plain, Kind::Dynamic][r.below(3) as usize];
            let launch = match kind {
                Kind::Dynamic => Launch::Broadcasting,
                Kind::Empty => [Launch::Coalescing, Launch::Broadcasting][r.below(2) as usize],
                Kind::Plain => [Launch::Thread, Launch::Coalescing, Launch::Broadcasting][r.below(3) as usize],
            };
            let elements = if simple { 1 } else { 1 + r.below(3) };
            let indexes = (0..elements).map(|e| e * (1 + r.below(2) * 300)).collect::<std::collections::BTreeSet<_>>();
            let recursion = if r.below(100) < 25 { 1 + r.below(3) } else { 0 };
            Name { symbol: format!("n{i}").into(), kind, indexes: indexes.into_iter().collect(), launch, recursion }
        })
        .collect();
    let mut graph = Graph::default();
    for (i, name) in names.iter().enumerate() {
        for &index in &name.indexes {
            let mut n = node(r, name, index);
            n.entry = i == 0 || r.below(100) < 20;
            if name.recursion != 0 {
                n.outputs.push(output(name, index, OutputArray::Single, 1 + r.below(2)));
            }
            for target in names[i + 1..].iter() {
                if r.below(100) >= 45 {
                    continue;
                }
                let array = match r.below(3) {
                    _ if simple => OutputArray::Single,
                    0 => OutputArray::Single,
                    1 => OutputArray::Sized(1 + r.below(400)),
                    _ => OutputArray::Unbounded,
                };
                let mut output = output(target, target.indexes[0], array, 1 + r.below(3));
                if !simple && r.below(100) < 30 && !n.outputs.is_empty() && n.outputs[0].shared_with.is_none() {
                    output.shared_with = Some(0);
                    output.max_records = n.outputs[0].max_records;
                }
                n.outputs.push(output);
            }
            graph.nodes.push(n);
        }
        let leader = &names[i];
        if !simple && leader.recursion == 0 && r.below(100) < 20 {
            let name = Name { symbol: format!("s{i}").into(), indexes: vec![0], recursion: 0, ..*leader };
            let mut sharer = node(r, &name, 0);
            sharer.share_input_of = Some(NodeId { name: leader.symbol.clone(), index: leader.indexes[0] });
            if let Some(target) = names.get(i + 1) {
                sharer.outputs.push(output(target, target.indexes[0], OutputArray::Single, 1 + r.below(2)));
            }
            graph.nodes.push(sharer);
        }
    }
    graph
}

fn output(target: &Name, index: u32, array: OutputArray, max_records: u32) -> Output {
    Output {
        name: "output".into(),
        record: record(target.kind),
        target: NodeId { name: target.symbol.clone(), index },
        array,
        sparse: true,
        max_records,
        shared_with: None,
    }
}

/// Returns the queues of the records that one emitter of an instance of `node` produces within its budgets. `greedy`:
/// it uses the budgets fully.
fn emitted(tables: &Tables, node: &Node, instance: usize, greedy: bool, r: &mut Random) -> Vec<u32> {
    let mut left: Vec<u32> = node.outputs.iter().map(|o| o.max_records).collect();
    let mut queues = Vec::new();
    for (number, output) in (0..).zip(&node.outputs) {
        let budget = output.shared_with.map_or(number, |o| o as usize);
        let most = left[budget];
        let count = if greedy { most } else { r.below(most + 1) };
        let table = tables.outputs[tables.instances[instance].first_output as usize + number];
        for _ in 0..count {
            let span = match output.array {
                OutputArray::Single => 1,
                _ => 700,
            };
            let index = if greedy { 0 } else { r.below(span) };
            if let Some(queue) = tables.target(&table, index) {
                left[budget] -= 1;
                queues.push(queue);
            }
        }
    }
    queues
}

/// Dispatch arguments of one instance as producers raise them, and the number of workgroups.
#[derive(Default, Clone)]
struct Launched {
    x: u32,
    y: u32,
    groups: u64,
}

/// A run of a graph by its tables. `greedy`: all budgets are used fully, and grids have their largest size.
struct Run<'a> {
    tables: &'a Tables,
    closure: &'a Closure,
    graph: &'a Graph,
    plan: &'a plan::Plan,
    tails: Vec<u64>,
    /// Records that nodes appended, by spill: an upper bound of its contents if no queue has a direct part.
    spilled: Vec<u64>,
    launched: Vec<Launched>,
    stage: u32,
    greedy: bool,
}

impl Run<'_> {
    fn launch(&mut self, instance: usize, groups: u64) {
        let l = &mut self.launched[instance];
        let (before, after) = (Arguments::of(l.groups), Arguments::of(l.groups + groups));
        l.x += after.x - before.x;
        l.y += after.y - before.y;
        l.groups += groups;
    }

    fn append(&mut self, r: &mut Random, queue: u32, count: u64) {
        let row = self.tables.queues[queue as usize];
        let (before, after) = (self.tails[queue as usize], self.tails[queue as usize] + count);
        self.tails[queue as usize] = after;
        assert!(after <= self.closure.records[queue as usize], "queue {queue} overflows");
        for instance in row.first_instance..row.first_instance + row.instance_count {
            let consumer = self.tables.instances[instance as usize];
            assert!(self.plan.instances[instance as usize].stage >= self.stage, "a consumer came before");
            let unit = u64::from(consumer.unit);
            match consumer.launch {
                LAUNCH_THREAD | LAUNCH_COALESCING => {
                    self.launch(instance as usize, after.div_ceil(unit) - before.div_ceil(unit));
                }
                LAUNCH_FIXED => self.launch(instance as usize, count * u64::from(consumer.grid_groups)),
                LAUNCH_DYNAMIC => {
                    for _ in 0..count {
                        let most = consumer.grid_groups;
                        let groups = if self.greedy { most } else { r.below(most + 1) };
                        self.launch(instance as usize, u64::from(groups));
                    }
                }
                other => panic!("launch {other}"),
            }
        }
    }

    /// Uses the budgets of one emitter of an instance.
    fn emit(&mut self, r: &mut Random, instance: usize) {
        let node = &self.graph.nodes[self.plan.instances[instance].node];
        for queue in emitted(self.tables, node, instance, self.greedy, r) {
            let row = self.tables.queues[queue as usize];
            let at = row.first_instance as usize;
            assert_eq!(self.tables.instances[at].queue, queue);
            assert!(self.plan.instances[at].stage > self.stage, "stage {} appends to its own", self.stage);
            if row.spills() {
                let spilled = &mut self.spilled[row.spill as usize];
                *spilled += 1;
                assert!(*spilled <= self.closure.spilled[row.spill as usize], "spill {} overflows", row.spill);
                let spill = self.tables.spills[row.spill as usize];
                assert_eq!(spill.stage, row.stage);
                let place = (spill.first_member + row.member) as usize;
                assert_eq!((self.tables.members[place], row.member < spill.member_count), (queue, true));
            }
            self.append(r, queue, 1);
        }
    }

    fn run(&mut self, r: &mut Random, entries: &[u64]) {
        for (queue, &count) in entries.iter().enumerate().filter(|e| *e.1 != 0) {
            self.append(r, queue as u32, count);
        }
        for instance in 0..self.plan.instances.len() {
            self.stage = self.plan.instances[instance].stage;
            let Launched { x, y, groups } = self.launched[instance].clone();
            // Without workgroups there is already one row, hence `y + 1`.
            assert!(u64::from(x) * u64::from(y + 1) >= groups, "pieces add up to the whole");
            assert!(groups <= self.closure.groups[instance]);
            let row = self.tables.instances[instance];
            let records = self.tails[row.queue as usize];
            let expected = match row.launch {
                LAUNCH_THREAD | LAUNCH_COALESCING => records.div_ceil(u64::from(row.unit)),
                LAUNCH_FIXED => records * u64::from(row.grid_groups),
                _ => groups,
            };
            assert_eq!(groups, expected);
            let emitters = if row.launch == LAUNCH_THREAD { records } else { groups };
            for _ in 0..emitters {
                self.emit(r, instance);
            }
        }
    }
}

/// Checks a graph. Returns whether it was small enough to run.
fn check(seed: u64, simple: bool, schedule: Schedule) -> bool {
    let r = &mut Random::new(seed);
    let graph = draw(r, simple);
    // In every fourth graph each queue has a spill.
    let direct_targets = [4, 1, 0, 2][seed as usize % 4];
    let settings = plan::Settings { page_bytes: 1 << 14, direct_targets, schedule, ..plan::Settings::default() };
    let plan = plan(&graph, &settings).unwrap_or_else(|e| panic!("seed {seed}: {e}"));
    let mut entries = vec![0u64; plan.tables.queues.len()];
    for (node, n) in graph.nodes.iter().enumerate().filter(|(_, n)| n.entry && n.share_input_of.is_none()) {
        entries[plan.queue_of_node[node] as usize] = u64::from(r.below(40_u32));
        assert!(n.entry);
    }
    let Ok(closure) = closure(&plan.tables, &entries) else { return false };
    if closure.records.iter().chain(&closure.groups).sum::<u64>() > 60_000 {
        return false;
    }
    for greedy in [true, false, false] {
        let queues = plan.tables.queues.len();
        let mut run = Run {
            tables: &plan.tables,
            closure: &closure,
            graph: &graph,
            plan: &plan,
            tails: vec![0; queues],
            spilled: vec![0; plan.tables.spills.len()],
            launched: vec![Launched::default(); plan.instances.len()],
            stage: 0,
            greedy,
        };
        run.run(r, &entries);
        if simple && greedy {
            assert_eq!(run.tails, closure.records, "seed {seed}: the closure is larger than the worst case");
            assert_eq!(run.spilled, closure.spilled, "seed {seed}: the spills are larger than the worst case");
        }
    }
    true
}

const SCHEDULES: [Schedule; 4] = [Schedule::Topological, Schedule::Drained(1), Schedule::Drained(2), Schedule::Depth];

#[test]
fn simulated_runs_stay_within_the_closure_bounds() {
    for schedule in SCHEDULES {
        let ran = (0..400).filter(|&seed| check(seed, false, schedule)).count();
        assert!(ran > 150, "only {ran} graphs were small enough");
    }
}

#[test]
fn the_closure_is_tight_where_outputs_have_one_target() {
    for schedule in SCHEDULES {
        let ran = (0..400).filter(|&seed| check(seed, true, schedule)).count();
        assert!(ran > 150, "only {ran} graphs were small enough");
    }
}
