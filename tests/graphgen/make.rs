//! Generates graphs from seeds: nodes, arrays of nodes, and edges. Retries until a graph is valid and ends soon enough.

use crate::bodies::{Maker, Scope};
use crate::evaluate::{Outcome, evaluate};
use crate::limits;
use crate::model::{
    Emit, Expr, Extent, Family, Graph, Grid, HostInput, Increment, Index, Input, Launch, Node, Output, RESOURCES,
    Resource, Stmt,
};
use crate::random::Random;
use crate::records::Structs;

/// Limit of thread steps in the evaluator.
const FUEL: u32 = 4_000;
/// Limit of records for the emulated target.
const WORST: f64 = 3_000.0;

/// Returns the graph of a seed, and its results.
pub fn graph(seed: u64) -> (Graph, Outcome) {
    let mut random = Random::new(seed);
    // A second generator keeps the graphs without copies unchanged.
    let mut copying = Random::new(!seed);
    let copies = copying.one_in(3);
    let only_sums = !seed.is_multiple_of(4);
    loop {
        if let Some(graph) = attempt(&mut random, only_sums, copies.then_some(&mut copying))
            && limits::worst(&graph) <= WORST
            && let Ok(outcome) = evaluate(&graph, FUEL)
        {
            return (graph, outcome);
        }
    }
}

struct Making<'a> {
    random: &'a mut Random,
    structs: Structs,
    families: Vec<Family>,
    nodes: Vec<Node>,
    resources: Vec<Resource>,
    only_sums: bool,
}

fn attempt(random: &mut Random, only_sums: bool, copying: Option<&mut Random>) -> Option<Graph> {
    let records = 2 + random.below(3);
    let structs = Structs::made(random, records);
    let resources = RESOURCES.into_iter().filter(|_| random.one_in(5)).collect();
    let mut making = Making { random, structs, families: Vec::new(), nodes: Vec::new(), resources, only_sums };
    for _ in 0..2 + making.random.below(3) {
        making.family(None);
    }
    making.sharers();
    for node in 0..making.nodes.len() {
        for _ in 0..1 + making.random.below(2) {
            let stmt = making.maker(node).statement();
            making.nodes[node].body.push(stmt);
        }
        let atomic = making.maker(node).atomic(Scope::Thread);
        making.nodes[node].body.push(atomic);
    }
    for family in 1..making.families.len() {
        making.feed(family);
    }
    for node in 0..making.nodes.len() {
        making.recurse(node);
        making.end(node);
    }
    making.shared_budgets();
    if let Some(copying) = copying {
        making.copies(copying);
    }
    making.done()
}

impl Making<'_> {
    /// Returns the generator for the statements of a node.
    fn maker(&mut self, node: usize) -> Maker<'_> {
        let Making { random, structs, nodes, resources, only_sums, .. } = self;
        Maker { random, structs, node: &nodes[node], resources, only_sums: *only_sums }
    }

    fn family(&mut self, owner: Option<usize>) {
        let number = self.families.len();
        let [b, c, t] = crate::model::LAUNCHES;
        let mut launch = self.random.pick(&[b, b, c, c, c, t, t]);
        let mut shape = match owner {
            Some(owner) => self.nodes[owner].shape(),
            None if self.random.one_in(5) => None,
            None => {
                let among = self.structs.records.len() as u32 - 1;
                Some(self.structs.records[self.random.below(among) as usize])
            }
        };
        // The tracked structure is for nodes whose groups accumulate; the host starts none of them.
        let gathers = owner.is_none() && number > 0 && self.random.one_in(3);
        if gathers {
            (launch, shape) = (Launch::Broadcasting, Some(self.structs.tracked()));
        }
        let rw = gathers || owner.is_none() && self.random.one_in(3);
        let count = if owner.is_some() || gathers || self.random.below(3) != 0 {
            1
        } else {
            2 + u32::from(self.random.one_in(4))
        };
        let mut index = if self.random.one_in(3) { self.random.below(5) } else { 0 };
        let all_dynamic = shape.is_some_and(|s| self.structs.has_grid(s)) && self.random.below(4) != 0;
        let coherent = rw && launch == Launch::Broadcasting && self.random.one_in(2);
        let first = self.nodes.len();
        for _ in 0..count {
            let function = format!("Node{}", self.nodes.len());
            let threads = self.threads(launch);
            let grid = (launch == Launch::Broadcasting).then(|| self.grid(shape.filter(|_| all_dynamic)));
            let max = self.max_records(launch);
            let input = match (shape, launch) {
                (Some(shape), _) => Input::Records { shape, rw, coherent, max },
                (None, Launch::Coalescing) if self.random.below(3) != 0 => Input::Empty { max },
                (None, _) => Input::None,
            };
            self.nodes.push(Node {
                function,
                copied: None,
                family: number,
                index,
                launch,
                threads,
                grid,
                recursion: if owner.is_none() && !gathers && self.random.one_in(4) {
                    1 + self.random.below(3)
                } else {
                    0
                },
                shares: owner,
                marked: false,
                entry: false,
                input,
                outputs: Vec::new(),
                body: Vec::new(),
                spelling: self.random.below(64),
            });
            index += 1 + if self.random.one_in(3) { self.random.below(3) } else { 0 };
        }
        let nodes: Vec<usize> = (first..self.nodes.len()).collect();
        // A single node may be named like its function.
        let own = count == 1 && self.random.one_in(2);
        let name = if own { self.nodes[first].function.clone() } else { format!("Kind{number}") };
        self.families.push(Family { name, shape, nodes });
    }

    fn threads(&mut self, launch: Launch) -> [u32; 3] {
        match launch {
            Launch::Thread => [1; 3],
            _ => self.random.pick(&[
                [1, 1, 1],
                [2, 1, 1],
                [3, 1, 1],
                [4, 1, 1],
                [8, 1, 1],
                [12, 1, 1],
                [2, 2, 1],
                [4, 2, 1],
                [2, 1, 3],
            ]),
        }
    }

    fn grid(&mut self, asked: Option<usize>) -> Grid {
        match asked {
            Some(shape) => {
                let slack = self.random.below(2);
                Grid::Most(self.structs.all[shape].most.map(|n| n + slack))
            }
            None => Grid::Fixed(self.random.pick(&[[1, 1, 1], [1, 1, 1], [2, 1, 1], [3, 1, 1], [1, 2, 2], [2, 2, 1]])),
        }
    }

    fn max_records(&mut self, launch: Launch) -> Option<u32> {
        (launch == Launch::Coalescing && self.random.below(4) != 0).then(|| self.random.pick(&[1, 2, 3, 4, 6, 9]))
    }

    /// Adds nodes that share an input.
    fn sharers(&mut self) {
        for owner in 0..self.nodes.len() {
            let sharable = !matches!(self.nodes[owner].input, Input::Records { rw: true, .. });
            if sharable && self.nodes[owner].recursion == 0 && self.random.one_in(8) {
                self.family(Some(owner));
            }
        }
    }

    /// Adds outputs of earlier nodes to the nodes of a family.
    fn feed(&mut self, family: usize) {
        if self.nodes[self.families[family].nodes[0]].shares.is_some() {
            return;
        }
        // Nodes that share an input have the stage of its owner.
        let stage = |node: &Node| node.shares.map_or(node.family, |owner| self.nodes[owner].family);
        let earlier: Vec<usize> = (0..self.nodes.len()).filter(|node| stage(&self.nodes[*node]) < family).collect();
        for _ in 0..1 + u32::from(self.random.one_in(4)) {
            let producer = self.random.pick(&earlier);
            self.edge(producer, Some(family));
        }
        if self.random.one_in(10) {
            let producer = self.random.pick(&earlier);
            self.edge(producer, None);
        }
    }

    /// Returns the nodes that an output reaches.
    fn extent(&mut self, family: Option<usize>) -> (u32, Extent, bool, Option<Index>) {
        let Some(family) = family else {
            // The target does not exist.
            return (0, Extent::Single, true, None);
        };
        let indexes: Vec<u32> = self.families[family].nodes.iter().map(|n| self.nodes[*n].index).collect();
        let (first, last) = (indexes[0], indexes[indexes.len() - 1]);
        let array = indexes.len() > 1 && self.random.below(6) != 0 || self.random.below(5) < 2;
        let index = |reach, step| Some(Index { value: Expr::Const(0), reach, step });
        if !array {
            let sparse = self.random.one_in(6);
            return (self.random.pick(&indexes), Extent::Single, sparse, None);
        }
        let base = self.random.below(first + 1);
        match self.random.below(4) {
            0 | 1 => {
                // Up to the first missing index.
                let start = self.random.below(indexes.len() as u32) as usize;
                let run = indexes[start..].iter().zip(indexes[start]..).take_while(|(a, b)| **a == *b).count() as u32;
                (indexes[start], Extent::Sized(run), false, index(run, 1))
            }
            2 => {
                let size = last - base + 1 + self.random.below(2);
                let extent = if self.random.one_in(2) { Extent::AllOnes } else { Extent::Sized(size) };
                (base, extent, extent != Extent::AllOnes || self.random.one_in(2), index(size, 1))
            }
            _ => (base, Extent::Unbounded, self.random.one_in(3), index(last - base + 2, 1 + self.random.below(2))),
        }
    }

    /// Adds an output to a node, with a statement that fills it. Discards it if it exceeds the node's limits.
    fn edge(&mut self, producer: usize, family: Option<usize>) {
        let (base, extent, sparse, index) = self.extent(family);
        let shape = match family {
            Some(family) => self.families[family].shape,
            None => self.nodes[producer].shape().filter(|shape| !self.structs.all[*shape].tracked),
        };
        let node = &self.nodes[producer];
        // The default name of an output is that of its target.
        let target = family.map(|family| self.families[family].name.clone());
        let named = target.filter(|name| node.outputs.iter().all(|o| o.name != *name) && self.random.one_in(2));
        let name = named.unwrap_or_else(|| format!("out{}", node.outputs.len()));
        let output = Output { name, family, shape, base, extent, sparse, shared_with: None, max: 0 };
        self.send(producer, output, index);
    }

    fn send(&mut self, producer: usize, output: Output, index: Option<Index>) {
        let launch = self.nodes[producer].launch;
        let (threads, most_records) = (self.nodes[producer].group(), self.nodes[producer].most_records());
        let number = self.nodes[producer].outputs.len();
        let group = launch != Launch::Thread && self.random.one_in(2);
        // A thread that sends to an array has few records to send.
        let most = 1 + self.random.below(if launch == Launch::Thread { 2 } else { 3 });
        let (when, counted) = (self.random.one_in(4), self.random.below(3) != 0);
        let spelling = self.random.below(4);
        let mut maker = self.maker(producer);
        let scope = if group { Scope::Group } else { Scope::Thread };
        let index = index.map(|index| Index { value: maker.expr(scope, 1), ..index });
        let count = counted.then(|| maker.expr(scope, 1));
        let when = when.then(|| maker.expr(Scope::Group, 1));
        let stmt = match output.shape {
            Some(shape) => {
                let fields = maker.fields(shape, Scope::Record);
                Stmt::Emit(Emit { output: number, index, group, count, most, fields, when, spelling })
            }
            None => Stmt::Increment(Increment { output: number, index, group, count, most, when }),
        };
        let asked = match launch {
            Launch::Broadcasting if group => most,
            Launch::Broadcasting => most * threads,
            Launch::Coalescing => most * most_records,
            Launch::Thread => most,
        };
        let slack = if launch == Launch::Thread { 0 } else { self.random.below(2) };
        let node = &mut self.nodes[producer];
        node.outputs.push(Output { max: asked + slack, ..output });
        if limits::fits(&self.nodes, &self.structs.layouts, &self.families, producer) {
            let at = self.random.below(self.nodes[producer].body.len() as u32 + 1) as usize;
            self.nodes[producer].body.insert(at, stmt);
        } else {
            self.nodes[producer].outputs.pop();
        }
    }

    /// Lets a node send to itself; if that is not allowed, it has no depth.
    fn recurse(&mut self, node: usize) {
        if self.nodes[node].recursion > 0 && !self.sends_again(node) {
            self.nodes[node].recursion = 0;
        }
    }

    fn sends_again(&mut self, node: usize) -> bool {
        let made = &self.nodes[node];
        let (family, base, shape) = (made.family, made.index, made.shape());
        let array = self.random.one_in(4);
        let extent = if array { Extent::Sized(1) } else { Extent::Single };
        let index = array.then_some(Index { value: Expr::Const(0), reach: 1, step: 1 });
        let output = Output {
            name: if self.random.one_in(2) { made.function.clone() } else { "again".into() },
            family: Some(family),
            shape,
            base,
            extent,
            sparse: false,
            shared_with: None,
            max: 0,
        };
        let outputs = self.nodes[node].outputs.len();
        if self.nodes[node].outputs.iter().all(|o| o.name != output.name) {
            self.send(node, output, index);
        }
        self.nodes[node].outputs.len() > outputs
    }

    /// Adds the work of a grid's last group.
    fn end(&mut self, node: usize) {
        let Some(mut finish) = self.maker(node).finish() else { return };
        let outputs = self.nodes[node].outputs.clone();
        let fits = |o: &Output| o.shape.is_some() && !o.is_array() && !o.has_holes();
        if let (Some(number), Stmt::Finish { emit, .. }) = (outputs.iter().position(fits), &mut finish) {
            let shape = outputs[number].shape.unwrap_or_default();
            let spelling = self.random.below(4);
            let fields = self.maker(node).fields(shape, Scope::Last);
            let (index, count, when) = (None, None, None);
            *emit = Some(Emit { output: number, index, group: true, count, most: 1, fields, when, spelling });
            self.nodes[node].outputs[number].max += 1;
        }
        self.nodes[node].body.push(finish);
    }

    fn shared_budgets(&mut self) {
        for number in 0..self.nodes.len() {
            let count = self.nodes[number].outputs.len() as u32;
            if count < 2 || self.random.one_in(6) {
                continue;
            }
            let (owner, other) = (self.random.below(count) as usize, self.random.below(count) as usize);
            if owner == other {
                continue;
            }
            let before = self.nodes[number].outputs.clone();
            self.nodes[number].outputs[owner].max += before[other].max;
            self.nodes[number].outputs[other].shared_with = Some(owner);
            if !limits::fits(&self.nodes, &self.structs.layouts, &self.families, number) {
                self.nodes[number].outputs = before;
            }
        }
    }

    /// Adds array elements with the code of others. Existing producers may reach them; the host starts the rest.
    fn copies(&mut self, random: &mut Random) {
        for number in 0..self.nodes.len() {
            let node = &self.nodes[number];
            let gathers = node.shape().is_some_and(|shape| self.structs.all[shape].tracked);
            // Recursive ones are rare.
            if node.shares.is_some() || gathers || !random.one_in(if node.recursion > 0 { 1 } else { 3 }) {
                continue;
            }
            let family = node.family;
            for _ in 0..1 + random.below(4) {
                let last = self.families[family].nodes.iter().map(|n| self.nodes[*n].index).max().unwrap_or(0);
                let mut copy = self.nodes[number].clone();
                copy.copied = Some(copy.origin().to_owned());
                copy.function = format!("Node{}", self.nodes.len());
                copy.index = last + 1 + u32::from(random.one_in(4));
                for output in copy.outputs.iter_mut().filter(|output| output.family == Some(family)) {
                    output.base = copy.index;
                }
                self.families[family].nodes.push(self.nodes.len());
                self.nodes.push(copy);
            }
        }
    }

    /// Chooses entries, and gives them records.
    fn done(mut self) -> Option<Graph> {
        let fits = |node| limits::fits(&self.nodes, &self.structs.layouts, &self.families, node);
        if !(0..self.nodes.len()).all(fits) {
            return None;
        }
        let targeted = limits::targeted(&self.nodes, &self.families);
        let mut inputs = Vec::new();
        for (number, targeted) in targeted.into_iter().enumerate() {
            let node = &self.nodes[number];
            let gathers = node.shape().is_some_and(|shape| self.structs.all[shape].tracked);
            if gathers && !targeted {
                return None;
            }
            if node.shares.is_some() {
                continue;
            }
            // The owner of a shared input has one source.
            let owner = self.nodes.iter().any(|other| other.shares == Some(number));
            let also = targeted && !gathers && !owner && self.random.one_in(4);
            let marked = also || !targeted && self.random.one_in(2);
            self.nodes[number].marked = marked;
            self.nodes[number].entry = marked || !targeted;
            if !self.nodes[number].entry {
                continue;
            }
            let count = 1 + self.random.below(4);
            let shape = self.nodes[number].shape();
            let records =
                (0..count).map(|_| shape.map_or(Vec::new(), |shape| self.maker(number).given(shape))).collect();
            inputs.push(HostInput { node: number, records });
        }
        let Structs { all: structs, layouts, .. } = self.structs;
        Some(Graph { structs, layouts, families: self.families, nodes: self.nodes, inputs })
    }
}
