//! Prints a graph as HLSL: declarations, signatures and the frame of a node's body; `body` has the statements.

use crate::body::Body;
use crate::model::{Expr, Extent, Graph, Grid, Input, Launch, Node, Output, RESOURCES, RESULTS, Resource, SLOTS, Stmt};
use crate::shape::{SPREAD, Type};
use std::fmt::Write;

/// Variables of a body, `v0` and so on.
pub const VARIABLES: usize = 3;

/// Barriers of any node, then those of groups, then those of broadcasting groups.
pub const BARRIERS: [&str; 16] = [
    "DeviceMemoryBarrier()",
    "Barrier(UAV_MEMORY, DEVICE_SCOPE)",
    "Barrier(Result, DEVICE_SCOPE)",
    "Barrier(Result, 0)",
    "GroupMemoryBarrier()",
    "GroupMemoryBarrierWithGroupSync()",
    "DeviceMemoryBarrierWithGroupSync()",
    "AllMemoryBarrier()",
    "AllMemoryBarrierWithGroupSync()",
    "Barrier(UAV_MEMORY | GROUP_SHARED_MEMORY, GROUP_SYNC | GROUP_SCOPE)",
    "Barrier(ALL_MEMORY, DEVICE_SCOPE | GROUP_SYNC)",
    "Barrier(GROUP_SHARED_MEMORY, GROUP_SCOPE)",
    "Barrier(NODE_INPUT_MEMORY, GROUP_SCOPE | GROUP_SYNC)",
    "Barrier(NODE_OUTPUT_MEMORY, GROUP_SCOPE)",
    "Barrier(NODE_INPUT_MEMORY | UAV_MEMORY, DEVICE_SCOPE)",
    "Barrier(0, 0)",
];
/// Number of barriers for thread nodes.
pub const THREAD_BARRIERS: usize = 4;

/// Helpers of the bodies, by the text that uses them.
const HELPERS: [(&str, &str); 6] = [
    ("Spread(", "uint64_t Spread(uint x) { return (uint64_t)x * {SPREAD}ull; }\n"),
    ("Folded(", "uint Folded(uint64_t x) { return (uint)(x >> 32) + (uint)x; }\n"),
    ("Mixed(", "uint Mixed(uint x) { x ^= x >> 15; x *= 0x2c1b3c6du; return x ^ (x >> 12); }\n"),
    (
        "FromHeap(",
        "uint FromHeap(uint x) { StructuredBuffer<uint> chosen = ResourceDescriptorHeap[x & 1u]; return chosen[(x >> 1) & 7u]; }\n",
    ),
    (
        "Traced(",
        "[[vk::binding(6, 0)]] RaytracingAccelerationStructure Scene;
uint Traced(uint x)
{
    RayDesc ray;
    ray.Origin = float3((float)(x & 3u) + 0.25, 0.25, -1);
    ray.Direction = float3(0, 0, 1);
    ray.TMin = 0;
    ray.TMax = 10;
    RayQuery<RAY_FLAG_FORCE_OPAQUE> query;
    query.TraceRayInline(Scene, RAY_FLAG_NONE, 0xff, ray);
    query.Proceed();
    return query.CommittedStatus() == COMMITTED_TRIANGLE_HIT ? query.CommittedInstanceID() : 7u;
}
",
    ),
    ("Texels.", "[[vk::binding(4, 0)]] Texture2D<float> Texels;\n[[vk::binding(5, 0)]] SamplerState Nearest;\n"),
];

/// Resources that need no function, by the text that uses them.
const DECLARED: [(&str, &str); 3] = [
    ("Given[", "[[vk::binding(2, 0)]] StructuredBuffer<uint> Given;\n"),
    ("GivenBytes.", "[[vk::binding(3, 0)]] ByteAddressBuffer GivenBytes;\n"),
    ("Settings.", "struct Values { uint4 rows[2]; };\n[[vk::binding(7, 0)]] ConstantBuffer<Values> Settings;\n"),
];

/// Returns the text of a graph.
pub fn spell(graph: &Graph) -> String {
    let nodes: String = graph.nodes.iter().map(|node| spell_node(graph, node)).collect();
    let mut structs = String::new();
    for number in 0..graph.structs.len() {
        structs += &spell_struct(graph, number);
    }
    let mut text = "[[vk::binding(0, 0)]] RWStructuredBuffer<uint> Result;\n".to_owned();
    text += "[[vk::binding(1, 0)]] RWByteAddressBuffer ResultBytes;\n";
    for (used, declared) in HELPERS.iter().chain(&DECLARED) {
        if nodes.contains(used) {
            text += &declared.replace("{SPREAD}", &SPREAD.to_string());
        }
    }
    text + &structs + &nodes
}

/// Returns type and name of a member.
fn declared(graph: &Graph, ty: &Type, name: &str) -> String {
    match ty {
        Type::Scalar(scalar) => format!("{} {name}", scalar.name()),
        Type::Vector(scalar, n) => format!("{}{n} {name}", scalar.name()),
        Type::Matrix { scalar, rows, columns, row_major } => {
            let order = if *row_major { "row_major" } else { "column_major" };
            format!("{order} {}{rows}x{columns} {name}", scalar.name())
        }
        // The first length is the outermost.
        Type::Array(element, n) => declared(graph, element, &format!("{name}[{n}]")),
        Type::Struct(number) => format!("{} {name}", graph.structs[*number].name),
    }
}

fn spell_struct(graph: &Graph, number: usize) -> String {
    let made = &graph.structs[number];
    let tracked = if made.tracked { "[NodeTrackRWInputSharing] " } else { "" };
    let base = made.base.map_or(String::new(), |base| format!(" : {}", graph.structs[base].name));
    let mut text = format!("struct {tracked}{}{base}\n{{\n", made.name);
    for member in &made.members {
        let grid = if member.grid { " : SV_DispatchGrid" } else { "" };
        let _ = writeln!(text, "    {}{grid};", declared(graph, &member.ty, &member.name));
    }
    text + "};\n"
}

fn three([x, y, z]: [u32; 3]) -> String {
    format!("{x}, {y}, {z}")
}

fn spell_node(graph: &Graph, node: &Node) -> String {
    let family = &graph.families[node.family];
    let mut text = String::new();
    // The first node with this text that uses a variable declares it.
    let declares = |kind: fn(&Stmt) -> bool| {
        let uses = |n: &&Node| n.origin() == node.origin() && n.body.iter().any(kind);
        graph.nodes.iter().find(uses).is_some_and(|first| first.function == node.function)
    };
    if declares(|s| matches!(s, Stmt::Shared { .. })) {
        let _ = writeln!(text, "groupshared uint Sum{};", node.origin());
    }
    if declares(|s| matches!(s, Stmt::Exchange { .. })) {
        let _ = writeln!(text, "groupshared uint All{}[{}];", node.origin(), node.group());
    }
    text += "[Shader(\"node\")]";
    let mode = match node.launch {
        Launch::Broadcasting => "broadcasting",
        Launch::Coalescing => "coalescing",
        Launch::Thread => "thread",
    };
    // Broadcasting is the default launch mode.
    if node.launch != Launch::Broadcasting || node.spelling & 1 == 0 {
        let _ = write!(text, " [NodeLaunch(\"{mode}\")]");
    }
    if node.launch != Launch::Thread || node.spelling & 2 == 0 {
        let _ = write!(text, " [NumThreads({})]", three(node.threads));
    }
    match node.grid {
        Some(Grid::Fixed(grid)) => drop(write!(text, " [NodeDispatchGrid({})]", three(grid))),
        Some(Grid::Most(grid)) => drop(write!(text, " [NodeMaxDispatchGrid({})]", three(grid))),
        None => {}
    }
    if family.name != node.function || node.index != 0 {
        let _ = write!(text, " [NodeID(\"{}\", {})]", family.name, node.index);
    }
    if node.recursion != 0 {
        let _ = write!(text, " [NodeMaxRecursionDepth({})]", node.recursion);
    }
    if node.marked {
        text += " [NodeIsProgramEntry]";
    }
    if let Some(owner) = node.shares {
        let owner = &graph.nodes[owner];
        let _ = write!(text, " [NodeShareInputOf(\"{}\", {})]", graph.families[owner.family].name, owner.index);
    }
    let _ = writeln!(text, "\nvoid {}({})\n{{", node.function, parameters(graph, node));
    text += &frame(graph, node);
    text + "}\n"
}

fn parameters(graph: &Graph, node: &Node) -> String {
    let mut all: Vec<String> = Vec::new();
    let max = |max: Option<u32>| max.map_or(String::new(), |n| format!("[MaxRecords({n})] "));
    match node.input {
        Input::None => {}
        Input::Empty { max: n } => all.push(format!("{}EmptyNodeInput input", max(n))),
        Input::Records { shape, rw, coherent, max: n } => {
            let rw = if rw { "RW" } else { "" };
            let kind = match node.launch {
                Launch::Broadcasting => "DispatchNodeInputRecord",
                Launch::Coalescing => "GroupNodeInputRecords",
                Launch::Thread => "ThreadNodeInputRecord",
            };
            let coherent = if coherent { "globallycoherent " } else { "" };
            all.push(format!("{}{coherent}{rw}{kind}<{}> input", max(n), graph.structs[shape].name));
        }
    }
    if node.launch != Launch::Thread {
        match has_index(node) {
            true => all.push("uint thread : SV_GroupIndex".into()),
            false => all.push("uint3 local : SV_GroupThreadID".into()),
        }
    }
    let uses = |wanted: fn(&Expr) -> bool| expressions(node).into_iter().any(wanted);
    if node.launch == Launch::Broadcasting {
        if has_index(node) && uses(|e| matches!(e, Expr::GroupThread(_))) {
            all.push("uint3 local : SV_GroupThreadID".into());
        }
        if uses(|e| matches!(e, Expr::Group(_))) {
            all.push("uint3 group : SV_GroupID".into());
        }
        if uses(|e| matches!(e, Expr::Dispatch(_))) {
            all.push("uint3 global : SV_DispatchThreadID".into());
        }
    }
    all.extend(node.outputs.iter().map(|output| spell_output(graph, node, output)));
    if node.spelling & 4 != 0 {
        let by = 1.min(all.len());
        all.rotate_left(by);
    }
    all.join(",\n    ")
}

/// Returns whether the thread's index in its group is a parameter; otherwise it is computed.
fn has_index(node: &Node) -> bool {
    node.spelling & 8 == 0
}

fn spell_output(graph: &Graph, node: &Node, output: &Output) -> String {
    let mut text = match output.shared_with {
        Some(other) => format!("[MaxRecordsSharedWith({})]", node.outputs[other].name),
        None => format!("[MaxRecords({})]", output.max),
    };
    let target = output.family.map_or("Nowhere", |family| &graph.families[family].name);
    if output.name != target || output.base != 0 {
        match output.base {
            0 => drop(write!(text, " [NodeID(\"{target}\")]")),
            base => drop(write!(text, " [NodeID(\"{target}\", {base})]")),
        }
    }
    match output.extent {
        Extent::Single => {}
        Extent::Sized(n) => drop(write!(text, " [NodeArraySize({n})]")),
        Extent::AllOnes => text += " [NodeArraySize(0xffffffff)]",
        Extent::Unbounded => text += " [UnboundedSparseNodes]",
    }
    if output.sparse {
        text += " [AllowSparseNodes]";
    }
    let array = if output.is_array() { "Array" } else { "" };
    let ty = match output.shape {
        Some(shape) => format!("NodeOutput{array}<{}>", graph.structs[shape].name),
        None => format!("EmptyNodeOutput{array}"),
    };
    format!("{text} {ty} {}", output.name)
}

fn frame(graph: &Graph, node: &Node) -> String {
    let mut body = Body::new(graph, node);
    let variables: Vec<String> = (0..VARIABLES).map(|n| format!("v{n} = {n}")).collect();
    if node.launch != Launch::Thread && !has_index(node) {
        let [x, y, _] = node.threads;
        body.line(&format!("uint thread = local.x + {x} * (local.y + {y} * local.z);"));
    }
    if node.launch != Launch::Coalescing {
        body.line(&format!("uint {};", variables.join(", ")));
        body.block(&node.body);
        return body.text;
    }
    let total = if node.input == Input::None { "1" } else { "input.Count()" };
    body.line(&format!("uint total = {total};"));
    // A group with fewer threads than records processes them in passes.
    let turns = node.group() < node.most_records();
    if turns {
        body.open(&format!("for (uint pass = 0; pass < total; pass += {})", node.group()));
        body.line(&format!("uint here = min(total - pass, {});", node.group()));
        body.line("bool mine = thread < here;");
        body.line("uint at = mine ? pass + thread : 0;");
    } else {
        body.line("uint here = total;");
        body.line("bool mine = thread < here;");
        body.line("uint at = mine ? thread : 0;");
    }
    body.line(&format!("uint {};", variables.join(", ")));
    body.block(&node.body);
    if turns {
        body.close();
    }
    body.text
}

/// Returns all expressions of a node, with nested ones.
pub fn expressions(node: &Node) -> Vec<&Expr> {
    let mut out = Vec::new();
    for stmt in node.statements() {
        match stmt {
            Stmt::Set(_, e)
            | Stmt::If(e, ..)
            | Stmt::Wave { value: e, .. }
            | Stmt::Quad { value: e, .. }
            | Stmt::Shared { value: e, .. }
            | Stmt::Exchange { value: e, .. }
            | Stmt::Modify { value: e, .. } => inner(e, &mut out),
            Stmt::Atomic { near, value, .. } => {
                inner(value, &mut out);
                near.iter().for_each(|e| inner(e, &mut out));
            }
            Stmt::Finish { value, .. } => inner(value, &mut out),
            Stmt::Increment(made) => {
                let index = made.index.iter().map(|i| &i.value);
                made.count.iter().chain(&made.when).chain(index).for_each(|e| inner(e, &mut out));
            }
            Stmt::For(..) | Stmt::Barrier(_) | Stmt::Emit(_) => {}
        }
    }
    for emit in node.emits() {
        let index = emit.index.iter().map(|i| &i.value);
        emit.count.iter().chain(&emit.when).chain(index).chain(&emit.fields).for_each(|e| inner(e, &mut out));
    }
    out
}

fn inner<'a>(e: &'a Expr, out: &mut Vec<&'a Expr>) {
    out.push(e);
    match e {
        Expr::Element(_, a) | Expr::Unary(_, a) | Expr::Resource(_, a) => inner(a, out),
        Expr::Binary(_, a, b) => {
            inner(a, out);
            inner(b, out);
        }
        Expr::Choose(all) => all.iter().for_each(|e| inner(e, out)),
        _ => {}
    }
}

/// Returns the resources that a graph reads.
pub fn resources(graph: &Graph) -> Vec<Resource> {
    let used = |resource: &Resource| {
        let is_it = |e: &Expr| matches!(e, Expr::Resource(r, _) if r == resource);
        graph.nodes.iter().any(|node| expressions(node).into_iter().any(is_it))
    };
    RESOURCES.into_iter().filter(|r| used(r)).collect()
}

/// Returns an atomic on a word of the results.
pub fn result(slot: usize, near: Option<String>, what: &str, value: &str) -> String {
    debug_assert!(slot < RESULTS);
    match slot.checked_sub(SLOTS.len()) {
        None => {
            let at = near.map_or(slot.to_string(), |near| format!("{slot} + {near}"));
            format!("Interlocked{what}(Result[{at}], {value});")
        }
        Some(slot) => {
            let at = near.map_or((slot * 4).to_string(), |near| format!("{} + 4 * {near}", slot * 4));
            format!("ResultBytes.Interlocked{what}({at}, {value});")
        }
    }
}
