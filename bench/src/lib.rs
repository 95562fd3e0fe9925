//! Generated programs for benchmarks, of any size, and the arguments of benchmarks.

#![forbid(unsafe_code)]

use std::fmt::Write;

/// Returns a graph of about `nodes` nodes as HLSL text, a quarter of them in each shape that a graph can have:
///
/// - chains of 32 nodes, the most that is allowed;
/// - trees in which every node targets eight others through as many outputs;
/// - one array, which sixteen nodes for each 256 of its nodes target as a whole;
/// - inputs that sixteen nodes share.
pub fn graph(nodes: usize) -> String {
    let mut out = String::from("struct R { uint x; uint y; };\n");
    let quarter = nodes / 4;
    chains(&mut out, quarter);
    trees(&mut out, quarter);
    array(&mut out, quarter);
    shared(&mut out, quarter);
    out
}

const THREAD: &str = "[Shader(\"node\")] [NodeLaunch(\"thread\")]";
const GROUP: &str =
    "[Shader(\"node\")] [NodeLaunch(\"broadcasting\")] [NodeDispatchGrid(1, 1, 1)] [NumThreads(32, 1, 1)]";

fn line(out: &mut String, text: std::fmt::Arguments<'_>) {
    // Writing to a string cannot fail.
    let _ = writeln!(out, "{text}");
}

fn chains(out: &mut String, count: usize) {
    const LENGTH: usize = 32;
    for n in 0..count {
        let next = format!(", [MaxRecords(1)] NodeOutput<R> chain{}", n + 1);
        let next = if n % LENGTH == LENGTH - 1 || n + 1 == count { "" } else { &next };
        line(out, format_args!("{THREAD} void chain{n}(ThreadNodeInputRecord<R> i{next}) {{ }}"));
    }
}

fn trees(out: &mut String, count: usize) {
    for n in 0..count {
        let children = (8 * n + 1..=8 * n + 8).filter(|child| *child < count);
        let outputs: String = children.map(|child| format!(", [MaxRecords(1)] NodeOutput<R> tree{child}")).collect();
        line(out, format_args!("{THREAD} void tree{n}(ThreadNodeInputRecord<R> i{outputs}) {{ }}"));
    }
}

fn array(out: &mut String, count: usize) {
    let members = count * 256 / 272;
    for n in 0..members {
        line(out, format_args!("{THREAD} [NodeID(\"array\", {n})] void member{n}(ThreadNodeInputRecord<R> i) {{ }}"));
    }
    for n in 0..count - members {
        let whole = format!("[MaxRecords(8)] [NodeID(\"array\")] [NodeArraySize({members})] NodeOutputArray<R> o");
        line(out, format_args!("{GROUP} void spread{n}({whole}) {{ }}"));
    }
}

fn shared(out: &mut String, count: usize) {
    for n in 0..count {
        let share = match n % 16 {
            0 => String::new(),
            _ => format!(" [NodeShareInputOf(\"shared{}\")]", n - n % 16),
        };
        line(out, format_args!("{THREAD}{share} void shared{n}(ThreadNodeInputRecord<R> i) {{ }}"));
        if n % 16 == 0 {
            line(out, format_args!("{GROUP} void feeds{n}([MaxRecords(8)] NodeOutput<R> shared{n}) {{ }}"));
        }
    }
}

/// Returns a realistic graph for benchmarks of editors: `nodes` nodes of 25 lines each, in chains of 32, every one with
/// a record of its own and some work. Node `n` is called `Node{n}`, and its body has the line [`edited_line`].
pub fn long_graph(nodes: usize) -> String {
    let mut out = String::from("RWStructuredBuffer<uint> Results : register(u0);\n\n");
    // Nodes name the records of their targets, so the structures come first.
    for n in 0..nodes {
        line(&mut out, format_args!("struct Record{n}\n{{\n    uint value;\n    float3 at;\n    uint2 part;\n}};\n\n"));
    }
    for n in 0..nodes {
        let is_last = n % 32 == 31 || n + 1 == nodes;
        let output = format!(",\n    [MaxRecords(1)] NodeOutput<Record{0}> Node{0})\n", n + 1);
        let (output, blank) = if is_last { (")\n", "\n") } else { (output.as_str(), "") };
        let entry = if n % 32 == 0 { " [NodeIsProgramEntry]" } else { "" };
        let sends = match is_last {
            true => "    InterlockedAdd(Results[n], sum);\n    InterlockedMax(Results[0], sum);\n    InterlockedAdd(Results[1], n);\n"
                .to_owned(),
            false => format!(
                "    ThreadNodeOutputRecords<Record{0}> next = Node{0}.GetThreadNodeOutputRecords(1);\n\
                 \x20   next.Get().value = sum;\n    next.OutputComplete();\n",
                n + 1
            ),
        };
        line(
            &mut out,
            format_args!(
                "[Shader(\"node\")] [NodeLaunch(\"thread\")]{entry}\n\
                 void Node{n}(\n    ThreadNodeInputRecord<Record{n}> input{output}{{\n\
                 \x20   uint n = input.Get().value;\n    float3 at = input.Get().at * 2.0;\n{}\
                 \x20   uint sum = n + input.Get().part.x;\n    for (uint i = 0; i < 4; ++i)\n    {{\n\
                 \x20       sum += uint(at[i % 3]) * i;\n    }}\n{sends}}}\n{blank}",
                edited_line(n, 1)
            ),
        );
    }
    out
}

/// Returns a line of a node's body, for one of several values.
pub fn edited_line(node: usize, value: usize) -> String {
    format!("    at.x += float({node}) + 1{value:06};\n")
}

/// The variables that turn off the caches of Mesa and NVIDIA.
const NO_CACHES: [(&str, &str); 2] = [("MESA_SHADER_CACHE_DISABLE", "true"), ("__GL_SHADER_DISK_CACHE", "0")];

/// Starts this process again without the caches of drivers, if they may be in use, and exits with its status. Panics if
/// the process does not start.
pub fn without_driver_caches() {
    if NO_CACHES.iter().any(|(name, _)| std::env::var_os(name).is_none()) {
        let program = std::env::current_exe().unwrap_or_default();
        let status = std::process::Command::new(&program).args(std::env::args_os().skip(1)).envs(NO_CACHES).status();
        let status = status.unwrap_or_else(|error| panic!("{}: {error}", program.display()));
        std::process::exit(status.code().unwrap_or(1));
    }
}

/// Calls `take` with each argument of a benchmark and a function that returns its value. Panics on arguments
/// for which `take` returns false, and on missing values.
pub fn for_each_argument(mut take: impl FnMut(&str, &mut dyn FnMut() -> String) -> bool) {
    let mut all = std::env::args().skip(1);
    while let Some(argument) = all.next() {
        let mut value = || all.next().unwrap_or_else(|| panic!("{argument} takes a value"));
        // Cargo adds `--bench`.
        assert!(argument == "--bench" || take(&argument, &mut value), "unknown argument {argument}");
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_long_graph_has_25_lines_for_each_node() {
        let text = super::long_graph(200);
        assert_eq!(text.matches("[Shader(\"node\")]").count(), 200);
        assert_eq!(text.lines().count(), 5_002);
    }
}
