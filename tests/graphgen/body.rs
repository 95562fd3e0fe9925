//! Statements and expressions of a node as HLSL.

use crate::hlsl::{BARRIERS, result};
use crate::model::{Atomic, Emit, Expr, Graph, Increment, Index, Launch, Node, Op, Quad, Resource, SLOTS, Stmt, Unary};
use std::fmt::Write;

pub struct Body<'a> {
    graph: &'a Graph,
    node: &'a Node,
    pub text: String,
    indent: usize,
    /// Number of statements that created records, for names.
    made: usize,
}

impl<'a> Body<'a> {
    pub fn new(graph: &'a Graph, node: &'a Node) -> Body<'a> {
        Body { graph, node, text: String::new(), indent: 1, made: 0 }
    }

    pub fn line(&mut self, line: &str) {
        let _ = writeln!(self.text, "{:1$}{line}", "", self.indent * 4);
    }

    pub fn open(&mut self, head: &str) {
        if !head.is_empty() {
            self.line(head);
        }
        self.line("{");
        self.indent += 1;
    }

    pub fn close(&mut self) {
        self.indent -= 1;
        self.line("}");
    }

    pub fn block(&mut self, block: &[Stmt]) {
        block.iter().for_each(|stmt| self.stmt(stmt));
    }

    fn coalesces(&self) -> bool {
        self.node.launch == Launch::Coalescing
    }

    /// Returns a value that has no effect in threads without a record.
    fn own(&self, value: &str, without: u32) -> String {
        if self.coalesces() { format!("(mine ? {value} : {without}u)") } else { value.to_owned() }
    }

    /// Returns a value that is read from a record. A thread without one must not read the first record, which its own
    /// thread may write.
    fn read(&self, value: String) -> String {
        let written = self.node.body.iter().any(|stmt| matches!(stmt, Stmt::Modify { .. }));
        if written { self.own(&value, 0) } else { value }
    }

    /// Returns the input record.
    fn record(&self) -> &'static str {
        match (self.node.launch, self.node.spelling & 16) {
            (Launch::Coalescing, 0) => "input.Get(at)",
            (Launch::Coalescing, _) => "input[at]",
            _ => "input.Get()",
        }
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Set(variable, value) => self.line(&format!("v{variable} = {};", self.expr(value))),
            Stmt::If(cond, then, otherwise) => {
                self.open(&format!("if (({} & 1u) != 0)", self.expr(cond)));
                self.block(then);
                self.close();
                if !otherwise.is_empty() {
                    self.open("else");
                    self.block(otherwise);
                    self.close();
                }
            }
            Stmt::For(counter, trips, block) => {
                self.open(&format!("for (uint i{counter} = 0; i{counter} < {trips}; ++i{counter})"));
                self.block(block);
                self.close();
            }
            Stmt::Atomic { slot, near, value } => {
                let near = near.as_ref().map(|near| format!("({} & 3u)", self.expr(near)));
                let guard = if self.coalesces() { "if (mine) " } else { "" };
                self.line(&format!("{guard}{}", result(*slot, near, kind(*slot).name(), &self.expr(value))));
            }
            Stmt::Wave { slot, value } => {
                let kind = kind(*slot);
                let how = match kind {
                    Atomic::Add => "Sum",
                    Atomic::Xor => "BitXor",
                    Atomic::Or => "BitOr",
                    Atomic::And => "BitAnd",
                    Atomic::Min => "Min",
                    Atomic::Max => "Max",
                };
                let value = self.own(&self.expr(value), kind.identity());
                self.open("");
                self.line(&format!("uint all = WaveActive{how}({value});"));
                self.line(&format!("if (WaveIsFirstLane()) {}", result(*slot, None, kind.name(), "all")));
                self.close();
            }
            Stmt::Quad { slot, value, kind } => {
                let value = self.own(&self.expr(value), 0);
                let other = match kind {
                    Quad::AcrossX => format!("QuadReadAcrossX({value})"),
                    Quad::AcrossY => format!("QuadReadAcrossY({value})"),
                    Quad::Diagonal => format!("QuadReadAcrossDiagonal({value})"),
                    Quad::Derivative => format!("(uint)(int)ddx_fine((float)({value} & 255u))"),
                };
                // The device chooses which records form a quad, and a thread's number does not show its position in it.
                let weight = if self.coalesces() { "" } else { " * (thread + 1)" };
                self.line(&result(*slot, None, "Add", &format!("{other}{weight}")));
            }
            Stmt::Shared { slot, value, bent } => {
                let (sum, kind) = (format!("Sum{}", self.node.origin()), kind(*slot));
                let value = self.own(&self.expr(value), kind.identity());
                self.line(&format!("if (thread == 0) {sum} = {}u;", kind.identity()));
                self.line("GroupMemoryBarrierWithGroupSync();");
                self.line(&format!("Interlocked{}({sum}, {value});", kind.name()));
                self.line("GroupMemoryBarrierWithGroupSync();");
                let all = if *bent { format!("{sum} ^ ({sum} >> 3)") } else { sum };
                self.line(&format!("if (thread == 0) {}", result(*slot, None, kind.name(), &all)));
            }
            Stmt::Exchange { variable, value, from } => {
                let (all, group) = (format!("All{}", self.node.origin()), self.node.group());
                self.line(&format!("{all}[thread] = {};", self.expr(value)));
                self.line("GroupMemoryBarrierWithGroupSync();");
                self.line(&format!("v{variable} = {all}[(thread + {from}) % {group}];"));
                self.line("GroupMemoryBarrierWithGroupSync();");
            }
            Stmt::Barrier(n) => self.line(&format!("{};", BARRIERS[*n])),
            Stmt::Modify { leaf, value } => self.modify(*leaf, value),
            Stmt::Emit(emit) => self.emit(emit),
            Stmt::Increment(increment) => self.increment(increment),
            Stmt::Finish { leaf, how, value, slot, emit } => self.finish(*leaf, *how, value, *slot, emit.as_ref()),
        }
    }

    fn leaf(&self, number: usize) -> (String, crate::shape::Scalar) {
        let layout = self.node.shape().map(|shape| &self.graph.layouts[shape]);
        let leaf = &layout.expect("a node that names a field has records").leaves[number];
        (format!("{}{}", self.record(), leaf.path), leaf.scalar)
    }

    fn modify(&mut self, leaf: usize, value: &Expr) {
        let (place, scalar) = self.leaf(leaf);
        let value = scalar.stored(&self.expr(value));
        match self.node.launch {
            Launch::Thread => self.line(&format!("{place} = {value};")),
            Launch::Coalescing => self.line(&format!("if (mine) {place} = {value};")),
            Launch::Broadcasting => {
                let barrier = "Barrier(NODE_INPUT_MEMORY, GROUP_SCOPE | GROUP_SYNC);";
                self.line(barrier);
                self.line(&format!("if (thread == 0) {place} = {value};"));
                self.line(barrier);
            }
        }
    }

    /// Returns an output, or the element that an index selects; the index is computed first.
    fn target(&mut self, output: usize, index: Option<&Index>) -> String {
        let name = self.node.outputs[output].name.clone();
        let Some(Index { value, reach, step }) = index else { return name };
        let at = format!("to{}", self.made);
        self.line(&format!("uint {at} = {} % {reach} * {step};", self.expr(value)));
        format!("{name}[{at}]")
    }

    /// Returns the number of requested records, 0 for a missing target.
    fn count(&self, (output, target): (usize, &str), count: Option<&Expr>, most: u32, group: bool) -> String {
        let mut text = match count {
            Some(count) => format!("{} % {}", self.expr(count), most + 1),
            None => format!("{most}u"),
        };
        if self.coalesces() {
            text = if group { format!("here * ({text})") } else { format!("(mine ? {text} : 0u)") };
        }
        let output = &self.node.outputs[output];
        let again = output.family == Some(self.node.family);
        match (output.has_holes() || again && self.node.spelling & 32 == 0, again) {
            (true, _) => format!("{target}.IsValid() ? {text} : 0u"),
            (false, true) => format!("GetRemainingRecursionLevels() != 0 ? {text} : 0u"),
            (false, false) => text,
        }
    }

    fn begin(&mut self, when: Option<&Expr>) {
        self.made += 1;
        let head = when.map_or(String::new(), |when| format!("if (({} & 1u) != 0)", self.expr(when)));
        self.open(&head);
    }

    fn emit(&mut self, emit: &Emit) {
        self.begin(emit.when.as_ref());
        let target = self.target(emit.output, emit.index.as_ref());
        let made = format!("made{}", self.made);
        let count = self.count((emit.output, &target), emit.count.as_ref(), emit.most, emit.group);
        self.line(&format!("uint n{} = {count};", self.made));
        let shape = self.shape(emit);
        let kind = if emit.group { "Group" } else { "Thread" };
        self.line(&format!(
            "{kind}NodeOutputRecords<{shape}> {made} = {target}.Get{kind}NodeOutputRecords(n{});",
            self.made
        ));
        let number = self.made;
        match (self.coalesces() && emit.group, emit.group) {
            (true, _) => {
                self.open(&format!("for (uint made = 0; mine && made < n{number} / here; ++made)"));
                self.fill(emit, &format!("thread * (n{number} / here) + made"));
            }
            (_, true) => {
                self.open(&format!("for (uint made = thread; made < n{number}; made += {})", self.node.group()));
                self.fill(emit, "made");
            }
            _ => {
                self.open(&format!("for (uint made = 0; made < n{number}; ++made)"));
                self.fill(emit, "made");
            }
        }
        self.close();
        self.line(&format!("{made}.OutputComplete();"));
        self.close();
    }

    fn shape(&self, emit: &Emit) -> String {
        let shape = self.node.outputs[emit.output].shape.expect("records that are filled have a structure");
        self.graph.structs[shape].name.clone()
    }

    /// Writes all fields of one record.
    fn fill(&mut self, emit: &Emit, at: &str) {
        let made = format!("made{}", self.made);
        let place = match emit.spelling % 4 {
            0 => format!("{made}.Get({at})"),
            1 => format!("{made}[{at}]"),
            _ => "whole".to_owned(),
        };
        let shape = self.node.outputs[emit.output].shape.expect("records that are filled have a structure");
        if place == "whole" {
            self.line(&format!("{} whole;", self.shape(emit)));
        }
        let graph = self.graph;
        for (leaf, value) in graph.layouts[shape].leaves.iter().zip(&emit.fields) {
            self.line(&format!("{place}{} = {};", leaf.path, leaf.scalar.stored(&self.expr(value))));
        }
        match emit.spelling % 4 {
            2 => self.line(&format!("{made}.Get({at}) = whole;")),
            3 => self.line(&format!("{made}[{at}] = whole;")),
            _ => {}
        }
    }

    fn increment(&mut self, increment: &Increment) {
        self.begin(increment.when.as_ref());
        let target = self.target(increment.output, increment.index.as_ref());
        let (count, most) = (increment.count.as_ref(), increment.most);
        let count = self.count((increment.output, &target), count, most, increment.group);
        let kind = if increment.group { "Group" } else { "Thread" };
        self.line(&format!("{target}.{kind}IncrementOutputCount({count});"));
        self.close();
    }

    fn finish(&mut self, leaf: usize, how: Atomic, value: &Expr, slot: usize, emit: Option<&Emit>) {
        let (place, _) = self.leaf(leaf);
        self.line(&format!("Interlocked{}({place}, {});", how.name(), self.expr(value)));
        self.line("Barrier(NODE_INPUT_MEMORY, DEVICE_SCOPE | GROUP_SYNC);");
        self.line("bool last = input.FinishedCrossGroupSharing();");
        let value = format!("{place} * 3 + 1");
        self.line(&format!("if (last && thread == 0) {}", result(slot, None, kind(slot).name(), &value)));
        let Some(emit) = emit else { return };
        self.begin(None);
        let target = self.target(emit.output, None);
        let (made, shape) = (format!("made{}", self.made), self.shape(emit));
        self.line(&format!(
            "GroupNodeOutputRecords<{shape}> {made} = {target}.GetGroupNodeOutputRecords(last ? 1 : 0);"
        ));
        self.open("if (last && thread == 0)");
        self.line(&format!("uint gathered = {place};"));
        self.fill(emit, "0");
        self.close();
        self.line(&format!("{made}.OutputComplete();"));
        self.close();
    }

    fn expr(&self, e: &Expr) -> String {
        let axis = |n: usize| ["x", "y", "z"][n];
        match e {
            Expr::Const(value) => format!("{value}u"),
            Expr::Variable(n) => format!("v{n}"),
            Expr::Counter(n) => format!("i{n}"),
            Expr::Field(number) => {
                let (place, scalar) = self.leaf(*number);
                self.read(scalar.loaded(&place))
            }
            Expr::Element(row, index) => {
                let layout = self.node.shape().map(|shape| &self.graph.layouts[shape]);
                let layout = layout.expect("a node that names a field has records");
                let row = &layout.rows[*row];
                let place = format!("{}{}[{} % {}]", self.record(), row.path, self.expr(index), row.count);
                self.read(layout.leaves[row.first].scalar.loaded(&place))
            }
            Expr::Thread => "thread".into(),
            Expr::GroupThread(n) => format!("local.{}", axis(*n)),
            Expr::Group(n) => format!("group.{}", axis(*n)),
            Expr::Dispatch(n) => format!("global.{}", axis(*n)),
            Expr::Remaining => "GetRemainingRecursionLevels()".into(),
            Expr::Made => "made".into(),
            Expr::Gathered => "gathered".into(),
            Expr::Binary(op, a, b) => {
                let (a, b) = (self.expr(a), self.expr(b));
                let sign = match op {
                    Op::Add => "+",
                    Op::Sub => "-",
                    Op::Mul => "*",
                    Op::Xor => "^",
                    Op::And => "&",
                    Op::Or => "|",
                    Op::Div => "/",
                    Op::Rem => "%",
                    Op::Shl => return format!("({a} << ({b} & 31u))"),
                    Op::Shr => return format!("({a} >> ({b} & 31u))"),
                    Op::Min => return format!("min({a}, {b})"),
                    Op::Max => return format!("max({a}, {b})"),
                };
                format!("({a} {sign} {b})")
            }
            Expr::Unary(Unary::Not, a) => format!("(~{})", self.expr(a)),
            Expr::Unary(Unary::CountBits, a) => format!("countbits({})", self.expr(a)),
            Expr::Unary(Unary::ReverseBits, a) => format!("reversebits({})", self.expr(a)),
            Expr::Unary(Unary::Mixed, a) => format!("Mixed({})", self.expr(a)),
            Expr::Choose(all) => {
                let [a, b, c, d] = &**all;
                format!("({} < {} ? {} : {})", self.expr(a), self.expr(b), self.expr(c), self.expr(d))
            }
            Expr::Resource(resource, a) => {
                let a = self.expr(a);
                match resource {
                    Resource::Structured => format!("Given[{a} & 15u]"),
                    Resource::Bytes => format!("GivenBytes.Load(({a} & 15u) * 4)"),
                    Resource::Constants => format!("Settings.rows[{a} & 1u][({a} >> 1) & 3u]"),
                    Resource::Texture => {
                        format!("(uint)Texels.SampleLevel(Nearest, (float2({a} & 3u, ({a} >> 2) & 3u) + 0.5) / 4.0, 0)")
                    }
                    Resource::Heap => format!("FromHeap({a})"),
                    Resource::Scene => format!("Traced({a})"),
                }
            }
        }
    }
}

fn kind(slot: usize) -> Atomic {
    SLOTS[slot % SLOTS.len()]
}
