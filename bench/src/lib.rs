//! Programs for benchmarks, generated so that their size is a number.

use std::fmt::Write;

/// A graph of about `nodes` nodes as HLSL text, a quarter of them in each shape that a graph can take:
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
