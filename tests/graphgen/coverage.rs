//! Coverage of the generated graphs. Each row of the language's tables lists the launch modes that allow it, and how to
//! detect it in a node. The rows are data; the test asserts that all of them occur often.
//!
//! Mesh nodes are not among them, because the generator makes none.

use crate::hlsl::{BARRIERS, expressions};
use crate::model::{Emit, Expr, Extent, Graph, Grid, Increment, Input, LAUNCHES, Launch, Node, Output, Resource, Stmt};
use crate::shape::{Layout, Scalar, Struct, Type};

/// The minimum number of graphs with a row.
pub const LEAST: usize = 50;

struct Row {
    what: &'static str,
    /// B, C and T: the launch modes that allow it, each counted separately.
    launches: &'static str,
    is_in: fn(&Graph, &Node) -> bool,
}

const fn row(what: &'static str, launches: &'static str, is_in: fn(&Graph, &Node) -> bool) -> Row {
    Row { what, launches, is_in }
}

const ROWS: &[Row] = &[
    // Features by launch mode.
    row("groupshared variables", "BC", |_, n| has(n, |s| matches!(s, Stmt::Shared { .. } | Stmt::Exchange { .. }))),
    row("group barriers", "BC", |_, n| has(n, |s| matches!(s, Stmt::Barrier(b) if BARRIERS[*b].contains("Sync")))),
    row("wave operations", "BCT", |_, n| has(n, |s| matches!(s, Stmt::Wave { .. }))),
    row("quads", "BC", |_, n| has(n, |s| matches!(s, Stmt::Quad { .. }))),
    row("derivatives", "B", |_, n| has(n, |s| matches!(s, Stmt::Quad { kind: crate::model::Quad::Derivative, .. }))),
    row("SV_DispatchGrid in effect", "B", |_, n| matches!(n.grid, Some(Grid::Most(_)))),
    row("SV_DispatchGrid without effect", "BCT", |g, n| grid(g, n) && !matches!(n.grid, Some(Grid::Most(_)))),
    row("node outputs", "BCT", |_, n| n.body.iter().any(|s| matches!(s, Stmt::Emit(_) | Stmt::Increment(_)))),
    row("writable input", "BCT", |_, n| matches!(n.input, Input::Records { rw: true, .. })),
    row("written input", "BCT", |_, n| has(n, |s| matches!(s, Stmt::Modify { .. }))),
    row("FinishedCrossGroupSharing", "B", |_, n| has(n, |s| matches!(s, Stmt::Finish { .. }))),
    row("FinishedCrossGroupSharing, then records", "B", |_, n| {
        has(n, |s| matches!(s, Stmt::Finish { emit: Some(_), .. }))
    }),
    row("recursion", "BCT", |_, n| n.recursion > 0),
    row("remaining levels", "BCT", |_, n| says(n, |e| matches!(e, Expr::Remaining))),
    row("writable buffers and atomics", "BCT", |_, n| has(n, |s| matches!(s, Stmt::Atomic { .. }))),
    row("structured buffers", "BCT", |_, n| reads(n, Resource::Structured)),
    row("byte-address buffers", "BCT", |_, n| reads(n, Resource::Bytes)),
    row("constant buffers", "BCT", |_, n| reads(n, Resource::Constants)),
    row("textures and samplers", "BCT", |_, n| reads(n, Resource::Texture)),
    row("descriptor heaps", "BCT", |_, n| reads(n, Resource::Heap)),
    row("ray queries", "BCT", |_, n| reads(n, Resource::Scene)),
    row("Barrier, device scope", "BCT", |_, n| {
        has(n, |s| matches!(s, Stmt::Barrier(b) if BARRIERS[*b].contains("DEVICE_SCOPE")))
    }),
    row("entry", "BCT", |_, n| n.entry),
    row("NodeIsProgramEntry", "BCT", |_, n| n.marked),
    row("entry that nodes target too", "BCT", |g, n| n.marked && is_targeted(g, n)),
    // Inputs.
    row("no input parameter", "BCT", |_, n| n.input == Input::None),
    row("EmptyNodeInput", "C", |_, n| matches!(n.input, Input::Empty { .. })),
    row("read-only input", "BCT", |_, n| matches!(n.input, Input::Records { rw: false, .. })),
    row("globallycoherent input", "B", |_, n| matches!(n.input, Input::Records { coherent: true, .. })),
    row("MaxRecords of an input", "C", |_, n| {
        matches!(n.input, Input::Records { max: Some(2..), .. } | Input::Empty { max: Some(2..) })
    }),
    row("an input without MaxRecords", "C", |_, n| matches!(n.input, Input::Records { max: None, .. })),
    row("more records than threads", "C", |_, n| n.most_records() > n.group()),
    row("fewer records than threads", "C", |_, n| n.most_records() < n.group()),
    // Outputs, by form.
    row("NodeOutput", "BCT", |_, n| out(n, |o| o.shape.is_some() && !o.is_array())),
    row("EmptyNodeOutput", "BCT", |_, n| out(n, |o| o.shape.is_none() && !o.is_array())),
    row("NodeOutputArray", "BCT", |_, n| out(n, |o| o.shape.is_some() && o.is_array())),
    row("EmptyNodeOutputArray", "BCT", |_, n| out(n, |o| o.shape.is_none() && o.is_array())),
    // Attributes of outputs.
    row("MaxRecordsSharedWith", "BCT", |_, n| out(n, |o| o.shared_with.is_some())),
    row("MaxRecordsSharedWith, declared later", "BCT", |_, n| {
        n.outputs.iter().enumerate().any(|(at, o)| o.shared_with.is_some_and(|with| with > at))
    }),
    row("NodeID of an output", "BCT", |g, n| {
        out(n, |_| true) && n.outputs.iter().any(|o| o.family.is_some_and(|f| g.families[f].name != o.name))
    }),
    row("an output named as its target", "BCT", |g, n| {
        n.outputs.iter().any(|o| o.base == 0 && o.family.is_some_and(|f| g.families[f].name == o.name))
    }),
    row("base index of an output", "BCT", |_, n| out(n, |o| o.base > 0 && !o.is_array())),
    row("base index of an array", "BCT", |_, n| out(n, |o| o.base > 0 && o.is_array())),
    row("AllowSparseNodes", "BCT", |_, n| out(n, |o| o.sparse && !o.is_array())),
    row("AllowSparseNodes, nobody there", "BCT", |_, n| out(n, |o| o.family.is_none())),
    row("AllowSparseNodes of an array", "BCT", |_, n| out(n, |o| o.sparse && o.is_array())),
    row("NodeArraySize", "BCT", |_, n| out(n, |o| matches!(o.extent, Extent::Sized(2..)))),
    row("NodeArraySize(1)", "BCT", |_, n| out(n, |o| o.extent == Extent::Sized(1))),
    row("NodeArraySize(0xffffffff)", "BCT", |_, n| out(n, |o| o.extent == Extent::AllOnes)),
    row("UnboundedSparseNodes", "BCT", |_, n| out(n, |o| o.extent == Extent::Unbounded)),
    row("two nodes of an array behind one output", "BCT", |g, n| {
        n.outputs.iter().any(|o| o.is_array() && o.family.is_some_and(|f| g.families[f].nodes.len() > 1))
    }),
    // Methods of outputs.
    row("GetThreadNodeOutputRecords", "BCT", |_, n| n.emits().any(|e| !e.group)),
    row("GetGroupNodeOutputRecords", "BC", |_, n| n.emits().any(|e| e.group)),
    row("ThreadIncrementOutputCount", "BCT", |_, n| increments(n, |i| !i.group)),
    row("GroupIncrementOutputCount", "BC", |_, n| increments(n, |i| i.group)),
    row("IsValid", "BCT", |_, n| n.emits().any(|e| n.outputs[e.output].has_holes())),
    row("several records at once", "BCT", |_, n| n.emits().any(|e| e.most > 1)),
    row("a number of records that varies", "BCT", |_, n| n.emits().any(|e| e.count.is_some())),
    row("records under a condition", "BCT", |_, n| n.emits().any(|e| e.when.is_some())),
    row("an element of an array that varies", "BCT", |_, n| n.emits().any(varies)),
    row("records filled as a whole", "BCT", |_, n| n.emits().any(|e| e.spelling >= 2)),
    // The graph.
    row("shares an input", "BCT", |_, n| n.shares.is_some()),
    row("its input is shared", "BCT", |g, n| g.nodes.iter().any(|o| o.shares.is_some_and(|s| is(g, s, n)))),
    row("shares an input with another launch mode", "BCT", |g, n| {
        n.shares.is_some_and(|owner| g.nodes[owner].launch != n.launch)
    }),
    row("node of an array", "BCT", |g, n| g.families[n.family].nodes.len() > 1),
    row("node of an array with the code of another", "BCT", |_, n| n.copied.is_some()),
    row("node with the code of another, recursive", "CT", |_, n| n.copied.is_some() && n.recursion > 0),
    row("node alone with an index", "BCT", |g, n| g.families[n.family].nodes.len() == 1 && n.index > 0),
    // Grids.
    row("fixed grid of several groups", "B", |_, n| matches!(n.grid, Some(Grid::Fixed(g)) if g != [1; 3])),
    row("uint grid", "B", |g, n| grid_is(g, n, Scalar::U32, |ty| matches!(ty, Type::Scalar(_)))),
    row("uint2 grid", "B", |g, n| grid_is(g, n, Scalar::U32, |ty| matches!(ty, Type::Vector(_, 2)))),
    row("uint3 grid", "B", |g, n| grid_is(g, n, Scalar::U32, |ty| matches!(ty, Type::Vector(_, 3)))),
    row("uint[1] grid", "B", |g, n| grid_is(g, n, Scalar::U32, |ty| matches!(ty, Type::Array(_, 1)))),
    row("uint[2] grid", "B", |g, n| grid_is(g, n, Scalar::U32, |ty| matches!(ty, Type::Array(_, 2)))),
    row("uint[3] grid", "B", |g, n| grid_is(g, n, Scalar::U32, |ty| matches!(ty, Type::Array(_, 3)))),
    row("uint16_t grid", "B", |g, n| grid_is(g, n, Scalar::U16, |ty| matches!(ty, Type::Scalar(_)))),
    row("uint16_t2 grid", "B", |g, n| grid_is(g, n, Scalar::U16, |ty| matches!(ty, Type::Vector(_, 2)))),
    row("uint16_t3 grid", "B", |g, n| grid_is(g, n, Scalar::U16, |ty| matches!(ty, Type::Vector(_, 3)))),
    row("uint16_t[1] grid", "B", |g, n| grid_is(g, n, Scalar::U16, |ty| matches!(ty, Type::Array(_, 1)))),
    row("uint16_t[2] grid", "B", |g, n| grid_is(g, n, Scalar::U16, |ty| matches!(ty, Type::Array(_, 2)))),
    row("uint16_t[3] grid", "B", |g, n| grid_is(g, n, Scalar::U16, |ty| matches!(ty, Type::Array(_, 3)))),
    row("grid in a member", "B", |g, n| dynamic(n) && shape(g, n).is_some_and(|(_, _, all)| nested(g, all))),
    row("grid in a base", "B", |g, n| dynamic(n) && shape(g, n).is_some_and(|(made, _, _)| based(g, made))),
    // Records.
    row("bool fields", "BCT", |g, n| holds(g, n, Scalar::Bool)),
    row("int16_t fields", "BCT", |g, n| holds(g, n, Scalar::I16)),
    row("uint16_t fields", "BCT", |g, n| holds(g, n, Scalar::U16)),
    row("int fields", "BCT", |g, n| holds(g, n, Scalar::I32)),
    row("uint fields", "BCT", |g, n| holds(g, n, Scalar::U32)),
    row("int64_t fields", "BCT", |g, n| holds(g, n, Scalar::I64)),
    row("uint64_t fields", "BCT", |g, n| holds(g, n, Scalar::U64)),
    row("half fields", "BCT", |g, n| holds(g, n, Scalar::F16)),
    row("float fields", "BCT", |g, n| holds(g, n, Scalar::F32)),
    row("double fields", "BCT", |g, n| holds(g, n, Scalar::F64)),
    row("vectors", "BCT", |g, n| typed(g, n, |ty| matches!(ty, Type::Vector(..)))),
    row("row-major matrices", "BCT", |g, n| typed(g, n, |ty| matches!(ty, Type::Matrix { row_major: true, .. }))),
    row("column-major matrices", "BCT", |g, n| typed(g, n, |ty| matches!(ty, Type::Matrix { row_major: false, .. }))),
    row("arrays", "BCT", |g, n| typed(g, n, |ty| matches!(ty, Type::Array(..)))),
    row("arrays of arrays", "BCT", |g, n| {
        typed(g, n, |ty| matches!(ty, Type::Array(element, _) if matches!(**element, Type::Array(..))))
    }),
    row("structures in structures", "BCT", |g, n| typed(g, n, |ty| matches!(ty, Type::Struct(_)))),
    row("structures with a base", "BCT", |g, n| shape(g, n).is_some_and(|(made, _, _)| made.base.is_some())),
    row("an element chosen when it runs", "BCT", |_, n| {
        says(n, |e| matches!(e, Expr::Element(_, index) if !matches!(**index, Expr::Const(_))))
    }),
];

fn has(node: &Node, test: fn(&Stmt) -> bool) -> bool {
    node.statements().into_iter().any(test)
}

fn says(node: &Node, test: fn(&Expr) -> bool) -> bool {
    expressions(node).into_iter().any(test)
}

fn reads(node: &Node, resource: Resource) -> bool {
    expressions(node).into_iter().any(|e| matches!(e, Expr::Resource(r, _) if *r == resource))
}

/// Returns whether an output that a statement fills passes the test.
fn out(node: &Node, test: fn(&Output) -> bool) -> bool {
    let filled = node.emits().map(|e| e.output);
    let counted = node.body.iter().filter_map(|s| match s {
        Stmt::Increment(i) => Some(i.output),
        _ => None,
    });
    filled.chain(counted).any(|n| test(&node.outputs[n]))
}

fn increments(node: &Node, test: fn(&Increment) -> bool) -> bool {
    node.body.iter().any(|s| matches!(s, Stmt::Increment(i) if test(i)))
}

fn varies(emit: &Emit) -> bool {
    !emit.group && emit.index.as_ref().is_some_and(|i| i.reach > 1 && !matches!(i.value, Expr::Const(_)))
}

fn is(graph: &Graph, number: usize, node: &Node) -> bool {
    graph.nodes[number].function == node.function
}

fn is_targeted(graph: &Graph, node: &Node) -> bool {
    let targeted = crate::limits::targeted(&graph.nodes, &graph.families);
    targeted.iter().enumerate().any(|(n, targeted)| *targeted && is(graph, n, node))
}

/// Returns the structure of a node's records, its leaves, and its number.
fn shape<'a>(graph: &'a Graph, node: &Node) -> Option<(&'a Struct, &'a Layout, usize)> {
    node.shape().map(|shape| (&graph.structs[shape], &graph.layouts[shape], shape))
}

fn dynamic(node: &Node) -> bool {
    matches!(node.grid, Some(Grid::Most(_)))
}

fn grid(graph: &Graph, node: &Node) -> bool {
    shape(graph, node).is_some_and(|(_, layout, _)| layout.leaves.iter().any(|leaf| leaf.grid.is_some()))
}

/// Returns all members of a structure, including nested ones.
fn members(graph: &Graph, number: usize) -> Vec<&crate::shape::Member> {
    let made = &graph.structs[number];
    let mut out: Vec<_> = made.base.map_or(Vec::new(), |base| members(graph, base));
    for member in &made.members {
        out.push(member);
        let mut ty = &member.ty;
        while let Type::Array(element, _) = ty {
            ty = element;
        }
        if let Type::Struct(inner) = ty {
            out.extend(members(graph, *inner));
        }
    }
    out
}

fn typed(graph: &Graph, node: &Node, test: fn(&Type) -> bool) -> bool {
    node.shape().is_some_and(|number| members(graph, number).iter().any(|m| test(&m.ty)))
}

fn holds(graph: &Graph, node: &Node, scalar: Scalar) -> bool {
    shape(graph, node)
        .is_some_and(|(_, layout, _)| layout.leaves.iter().any(|leaf| leaf.scalar == scalar && leaf.grid.is_none()))
}

fn grid_is(graph: &Graph, node: &Node, scalar: Scalar, test: fn(&Type) -> bool) -> bool {
    let Some((_, layout, number)) = shape(graph, node) else { return false };
    let of_scalar = layout.leaves.iter().any(|leaf| leaf.grid.is_some() && leaf.scalar == scalar);
    dynamic(node) && of_scalar && members(graph, number).iter().any(|m| m.grid && test(&m.ty))
}

fn nested(graph: &Graph, number: usize) -> bool {
    let inner = |m: &crate::shape::Member| match m.ty {
        Type::Struct(inner) => graph.structs[inner].members.iter().any(|m| m.grid),
        _ => false,
    };
    graph.structs[number].members.iter().any(inner)
}

fn based(graph: &Graph, made: &Struct) -> bool {
    made.base.is_some_and(|base| graph.structs[base].members.iter().any(|m| m.grid))
}

/// Counts the graphs with each row, by launch mode.
pub fn count(graphs: impl Iterator<Item = Graph>) -> Vec<(String, usize)> {
    let letter = |launch| match launch {
        Launch::Broadcasting => 'B',
        Launch::Coalescing => 'C',
        Launch::Thread => 'T',
    };
    let mut counts: Vec<(String, usize)> = Vec::new();
    let rows: Vec<(&Row, Launch)> = ROWS
        .iter()
        .flat_map(|row| LAUNCHES.map(|launch| (row, launch)))
        .filter(|(row, launch)| row.launches.contains(letter(*launch)))
        .collect();
    counts.extend(rows.iter().map(|(row, launch)| (format!("{} {}", letter(*launch), row.what), 0)));
    for graph in graphs {
        for ((row, launch), (_, count)) in rows.iter().zip(&mut counts) {
            *count += usize::from(graph.nodes.iter().any(|n| n.launch == *launch && (row.is_in)(&graph, n)));
        }
    }
    counts
}
