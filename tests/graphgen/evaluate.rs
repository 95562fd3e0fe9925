//! The expected results of a graph. An interpreter of its model runs one record at a time, with all threads of a group
//! side by side. It uses no code of wgc.

use crate::model::{
    Atomic, Emit, Expr, Graph, Grid, Increment, Index, Launch, Node, Op, Quad, RESULTS, Record, Resource, SLOTS, Stmt,
    Unary,
};

/// The results of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    pub results: Vec<u32>,
    /// Records that each node consumed.
    pub consumed: Vec<u64>,
}

/// The graph runs for too long to be of use.
#[derive(Clone, Copy, Debug)]
pub struct TooLong;

type Result<T> = std::result::Result<T, TooLong>;

/// Returns the contents of memory before a run.
pub fn initial() -> Vec<u32> {
    (0..RESULTS).map(|slot| SLOTS[slot % SLOTS.len()].identity()).collect()
}

/// Returns the `n`th word of a resource.
pub fn given(resource: Resource, n: u32) -> u32 {
    match resource {
        Resource::Structured => n * n * 7 + 3,
        Resource::Bytes => 0x8000_0001u32.rotate_left(n) ^ n,
        Resource::Constants => n * 0x0101_0101 + 5,
        Resource::Texture => n * 1000 + 1,
        // Two buffers of eight.
        Resource::Heap => n * 31 + (n / 8) * 500,
        // A triangle before every second square; its instance's number.
        Resource::Scene => [21, 7, 22, 7][n as usize % 4],
    }
}

/// A thread.
#[derive(Clone, Default)]
struct Lane {
    variables: [u32; crate::hlsl::VARIABLES],
    counters: [u32; 8],
    thread: u32,
    local: [u32; 3],
    group: [u32; 3],
    dispatch: [u32; 3],
}

/// State that all threads of a group share.
struct Scene<'a> {
    node: &'a Node,
    number: usize,
    record: Record,
    remaining: u32,
    made: u32,
    gathered: u32,
}

struct Run<'a> {
    graph: &'a Graph,
    results: Vec<u32>,
    consumed: Vec<u64>,
    waiting: Vec<(usize, u32, Record)>,
    /// Thread steps left before the run is given up.
    fuel: u32,
}

/// Runs all records of the host to completion.
pub fn evaluate(graph: &Graph, fuel: u32) -> Result<Outcome> {
    let consumed = vec![0; graph.nodes.len()];
    let mut run = Run { graph, results: initial(), consumed, waiting: Vec::new(), fuel };
    for input in &graph.inputs {
        for record in &input.records {
            run.push(input.node, graph.nodes[input.node].recursion, record.clone());
        }
    }
    while let Some((node, remaining, record)) = run.waiting.pop() {
        run.launch(node, remaining, record)?;
    }
    Ok(Outcome { results: run.results, consumed: run.consumed })
}

impl Run<'_> {
    fn push(&mut self, node: usize, remaining: u32, record: Record) {
        let sharers: Vec<usize> =
            (0..self.graph.nodes.len()).filter(|n| self.graph.nodes[*n].shares == Some(node)).collect();
        for sharer in sharers {
            self.consumed[sharer] += 1;
            self.waiting.push((sharer, 0, record.clone()));
        }
        self.consumed[node] += 1;
        self.waiting.push((node, remaining, record));
    }

    fn step(&mut self, steps: usize) -> Result<()> {
        self.fuel = self.fuel.checked_sub(1 + steps as u32).ok_or(TooLong)?;
        Ok(())
    }

    fn launch(&mut self, number: usize, remaining: u32, record: Record) -> Result<()> {
        let node = &self.graph.nodes[number];
        let mut scene = Scene { node, number, record, remaining, made: 0, gathered: 0 };
        if node.launch != Launch::Broadcasting {
            let mut lanes = [fresh(0, [0; 3], [0; 3], node)];
            return self.block(&node.body, &mut lanes, &mut scene);
        }
        let grid = match node.grid {
            Some(Grid::Fixed(grid)) => grid,
            _ => self.asked(&scene),
        };
        let mut groups = 0;
        let mut last: Vec<Lane> = Vec::new();
        for z in 0..grid[2] {
            for y in 0..grid[1] {
                for x in 0..grid[0] {
                    groups += 1;
                    let [tx, ty, _] = node.threads;
                    let threads = 0..node.group();
                    let local = |t: u32| [t % tx, t / tx % ty, t / (tx * ty)];
                    let mut lanes: Vec<Lane> = threads.map(|t| fresh(t, local(t), [x, y, z], node)).collect();
                    self.step(lanes.len())?;
                    self.block(&node.body, &mut lanes, &mut scene)?;
                    last = lanes;
                }
            }
        }
        // The last group to finish did this.
        if let (Some(Stmt::Finish { leaf, slot, emit, .. }), true) = (node.body.last(), groups > 0) {
            scene.gathered = self.load(&scene, *leaf);
            self.gather(*slot, 0, scene.gathered.wrapping_mul(3).wrapping_add(1));
            if let Some(emit) = emit {
                self.send(&scene_with(&scene, 0), &last[0], emit, 1);
            }
        }
        Ok(())
    }

    /// Returns the grid that a record asks for.
    fn asked(&self, scene: &Scene) -> [u32; 3] {
        let mut grid = [1; 3];
        let Some(shape) = scene.node.shape() else { return grid };
        for (leaf, bits) in self.graph.layouts[shape].leaves.iter().zip(&scene.record) {
            if let Some(axis) = leaf.grid {
                grid[axis] = leaf.scalar.load(*bits);
            }
        }
        grid
    }

    fn load(&self, scene: &Scene, leaf: usize) -> u32 {
        let shape = scene.node.shape().expect("a node that names a field has records");
        self.graph.layouts[shape].leaves[leaf].scalar.load(scene.record[leaf])
    }

    fn store(&self, scene: &mut Scene, leaf: usize, value: u32) {
        let shape = scene.node.shape().expect("a node that names a field has records");
        scene.record[leaf] = self.graph.layouts[shape].leaves[leaf].scalar.store(value);
    }

    fn gather(&mut self, slot: usize, near: u32, value: u32) {
        let word = &mut self.results[slot + near as usize];
        *word = SLOTS[slot % SLOTS.len()].apply(*word, value);
    }

    /// Runs statements that all threads reach together.
    fn block(&mut self, block: &[Stmt], lanes: &mut [Lane], scene: &mut Scene) -> Result<()> {
        for stmt in block {
            self.step(lanes.len())?;
            match stmt {
                Stmt::Set(..) | Stmt::If(..) | Stmt::For(..) | Stmt::Atomic { .. } => {
                    for lane in lanes.iter_mut() {
                        self.alone(stmt, lane, scene)?;
                    }
                }
                Stmt::Wave { slot, value } => {
                    for lane in lanes.iter() {
                        self.gather(*slot, 0, self.value(value, lane, scene));
                    }
                }
                Stmt::Quad { slot, value, kind } => self.quads(*slot, value, *kind, lanes, scene),
                Stmt::Shared { slot, value, bent } => {
                    let how = SLOTS[slot % SLOTS.len()];
                    let values = lanes.iter().map(|lane| self.value(value, lane, scene));
                    let all = values.fold(how.identity(), |a, b| how.apply(a, b));
                    self.gather(*slot, 0, if *bent { all ^ (all >> 3) } else { all });
                }
                Stmt::Exchange { variable, value, from } => {
                    let all: Vec<u32> = lanes.iter().map(|lane| self.value(value, lane, scene)).collect();
                    for (n, lane) in lanes.iter_mut().enumerate() {
                        lane.variables[*variable] = all[(n + *from as usize) % all.len()];
                    }
                }
                Stmt::Barrier(_) => {}
                Stmt::Modify { leaf, value } => {
                    let value = self.value(value, &lanes[0], scene);
                    self.store(scene, *leaf, value);
                }
                Stmt::Emit(emit) => self.emit(emit, lanes, scene),
                Stmt::Increment(increment) => self.increment(increment, lanes, scene),
                Stmt::Finish { leaf, how, value, .. } => {
                    for lane in lanes.iter() {
                        let all = how.apply(self.load(scene, *leaf), self.value(value, lane, scene));
                        self.store(scene, *leaf, all);
                    }
                }
            }
        }
        Ok(())
    }

    /// Runs a statement of one thread.
    fn alone(&mut self, stmt: &Stmt, lane: &mut Lane, scene: &Scene) -> Result<()> {
        self.step(0)?;
        match stmt {
            Stmt::Set(variable, value) => lane.variables[*variable] = self.value(value, lane, scene),
            Stmt::If(cond, then, otherwise) => {
                let block = if self.value(cond, lane, scene) & 1 == 1 { then } else { otherwise };
                for stmt in block {
                    self.alone(stmt, lane, scene)?;
                }
            }
            Stmt::For(counter, trips, block) => {
                for n in 0..*trips {
                    lane.counters[*counter] = n;
                    for stmt in block {
                        self.alone(stmt, lane, scene)?;
                    }
                }
            }
            Stmt::Atomic { slot, near, value } => {
                let near = near.as_ref().map_or(0, |near| self.value(near, lane, scene) & 3);
                self.gather(*slot, near, self.value(value, lane, scene));
            }
            other => panic!("{other:?} is for all threads"),
        }
        Ok(())
    }

    fn quads(&mut self, slot: usize, value: &Expr, kind: Quad, lanes: &[Lane], scene: &Scene) {
        if scene.node.launch == Launch::Coalescing {
            // Threads swap their values: the sum stays.
            return self.gather(slot, 0, self.value(value, &lanes[0], scene));
        }
        let all: Vec<u32> = lanes.iter().map(|lane| self.value(value, lane, scene)).collect();
        for (n, thread) in (0u32..).zip(lanes).map(|(t, _)| (t as usize, t)) {
            let other = match kind {
                Quad::AcrossX => all[n ^ 1],
                Quad::AcrossY => all[n ^ 2],
                Quad::Diagonal => all[n ^ 3],
                Quad::Derivative => (all[n | 1] & 255).wrapping_sub(all[n & !1] & 255),
            };
            self.gather(slot, 0, other.wrapping_mul(thread + 1));
        }
    }

    /// Returns the node at the end of an output, and the remaining levels.
    fn target(&self, scene: &Scene, lane: &Lane, output: usize, index: Option<&Index>) -> Option<(usize, u32)> {
        let output = &scene.node.outputs[output];
        let at = index.map_or(0, |i| self.value(&i.value, lane, scene) % i.reach * i.step);
        let found = output.family.and_then(|family| {
            let wanted = output.base + at;
            self.graph.families[family].nodes.iter().copied().find(|n| self.graph.nodes[*n].index == wanted)
        });
        match found {
            Some(node) if node == scene.number => Some((node, scene.remaining.checked_sub(1)?)),
            Some(node) => Some((node, self.graph.nodes[node].recursion)),
            None if output.has_holes() => None,
            None => panic!("{} of {} has no target", output.name, scene.node.function),
        }
    }

    fn counted(&self, count: Option<&Expr>, most: u32, lane: &Lane, scene: &Scene) -> u32 {
        count.map_or(most, |count| self.value(count, lane, scene) % (most + 1))
    }

    /// Returns whether all threads run a conditional statement.
    fn is_done(&self, when: Option<&Expr>, lanes: &[Lane], scene: &Scene) -> bool {
        when.is_none_or(|when| self.value(when, &lanes[0], scene) & 1 == 1)
    }

    fn emit(&mut self, emit: &Emit, lanes: &[Lane], scene: &Scene) {
        if !self.is_done(emit.when.as_ref(), lanes, scene) {
            return;
        }
        if emit.group {
            let count = self.counted(emit.count.as_ref(), emit.most, &lanes[0], scene);
            for made in 0..count {
                // Threads take records in turn; each record of a coalescing group belongs to one thread.
                let lane = &lanes[made as usize % lanes.len()];
                self.sent(&scene_with(scene, made), &lanes[0], lane, emit);
            }
            return;
        }
        for lane in lanes {
            let count = self.counted(emit.count.as_ref(), emit.most, lane, scene);
            self.send(scene, lane, emit, count);
        }
    }

    fn send(&mut self, scene: &Scene, lane: &Lane, emit: &Emit, count: u32) {
        for made in 0..count {
            self.sent(&scene_with(scene, made), lane, lane, emit);
        }
    }

    /// Sends a record of `writer` to the target that `chooser` chose.
    fn sent(&mut self, scene: &Scene, chooser: &Lane, writer: &Lane, emit: &Emit) {
        let Some((node, remaining)) = self.target(scene, chooser, emit.output, emit.index.as_ref()) else { return };
        let shape = scene.node.outputs[emit.output].shape.expect("records that are filled have a structure");
        let leaves = self.graph.layouts[shape].leaves.iter().zip(&emit.fields);
        let record = leaves.map(|(leaf, e)| leaf.scalar.store(self.value(e, writer, scene))).collect();
        self.push(node, remaining, record);
    }

    fn increment(&mut self, increment: &Increment, lanes: &[Lane], scene: &Scene) {
        let Increment { output, index, group, count, most, when } = increment;
        if !self.is_done(when.as_ref(), lanes, scene) {
            return;
        }
        for lane in &lanes[..if *group { 1 } else { lanes.len() }] {
            let count = self.counted(count.as_ref(), *most, lane, scene);
            if let Some((node, remaining)) = self.target(scene, lane, *output, index.as_ref()) {
                (0..count).for_each(|_| self.push(node, remaining, Vec::new()));
            }
        }
    }

    fn value(&self, e: &Expr, lane: &Lane, scene: &Scene) -> u32 {
        let of = |e: &Expr| self.value(e, lane, scene);
        match e {
            Expr::Const(value) => *value,
            Expr::Variable(n) => lane.variables[*n],
            Expr::Counter(n) => lane.counters[*n],
            Expr::Field(leaf) => self.load(scene, *leaf),
            Expr::Element(row, index) => {
                let shape = scene.node.shape().expect("a node that names a field has records");
                let row = &self.graph.layouts[shape].rows[*row];
                self.load(scene, row.first + (of(index) % row.count) as usize)
            }
            Expr::Thread => lane.thread,
            Expr::GroupThread(n) => lane.local[*n],
            Expr::Group(n) => lane.group[*n],
            Expr::Dispatch(n) => lane.dispatch[*n],
            Expr::Remaining => scene.remaining,
            Expr::Made => scene.made,
            Expr::Gathered => scene.gathered,
            Expr::Binary(op, a, b) => {
                let (a, b) = (of(a), of(b));
                match op {
                    Op::Add => a.wrapping_add(b),
                    Op::Sub => a.wrapping_sub(b),
                    Op::Mul => a.wrapping_mul(b),
                    Op::Xor => a ^ b,
                    Op::And => a & b,
                    Op::Or => a | b,
                    Op::Div => a / b,
                    Op::Rem => a % b,
                    Op::Shl => a << (b & 31),
                    Op::Shr => a >> (b & 31),
                    Op::Min => a.min(b),
                    Op::Max => a.max(b),
                }
            }
            Expr::Unary(Unary::Not, a) => !of(a),
            Expr::Unary(Unary::CountBits, a) => of(a).count_ones(),
            Expr::Unary(Unary::ReverseBits, a) => of(a).reverse_bits(),
            Expr::Unary(Unary::Mixed, a) => {
                let a = of(a);
                let a = (a ^ (a >> 15)).wrapping_mul(0x2c1b_3c6d);
                a ^ (a >> 12)
            }
            Expr::Choose(all) => {
                let [a, b, c, d] = &**all;
                of(if of(a) < of(b) { c } else { d })
            }
            Expr::Resource(resource, a) => {
                let a = of(a);
                given(
                    *resource,
                    match resource {
                        Resource::Structured | Resource::Bytes | Resource::Texture => a & 15,
                        Resource::Constants => (a & 1) * 4 + ((a >> 1) & 3),
                        Resource::Heap => (a & 1) * 8 + ((a >> 1) & 7),
                        Resource::Scene => a & 3,
                    },
                )
            }
        }
    }
}

fn fresh(thread: u32, local: [u32; 3], group: [u32; 3], node: &Node) -> Lane {
    let mut lane = Lane { thread, local, group, ..Lane::default() };
    (0u32..).zip(&mut lane.variables).for_each(|(n, variable)| *variable = n);
    for axis in 0..3 {
        lane.dispatch[axis] = group[axis] * node.threads[axis] + local[axis];
    }
    lane
}

fn scene_with<'a>(scene: &Scene<'a>, made: u32) -> Scene<'a> {
    Scene { record: scene.record.clone(), made, ..*scene }
}

/// So that a field of the record accumulates with the same functions as results do.
pub const GATHERING: [Atomic; 4] = [Atomic::Add, Atomic::Xor, Atomic::Max, Atomic::Or];
