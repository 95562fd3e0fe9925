//! Control flow of every kind in programs that are generated from seeds. They run on both targets and are compared with
//! a model in plain Rust. Threads of functions diverge. Threads of nodes meet at barriers in branches and loops, after
//! some of them have returned.

mod model;
mod program;
#[path = "../support/random.rs"]
mod random;
#[path = "../support/mod.rs"]
mod support;

use model::Model;
use program::{Function, Spelling, THREADS};
use random::Random;
use std::fmt::Write;
use support::{Scratch, wgc};

/// Functions and nodes of one program.
const FUNCTIONS: usize = 16;
const NODES: usize = 10;
/// Steps of the model for all threads of one function.
const FUEL: u32 = 40_000;

/// A program, and the expected contents of `Out` for each function and node, thread by thread.
struct Made {
    hlsl: String,
    expected: Vec<u32>,
}

fn made(seed: u64) -> Made {
    let mut random = Random::new(seed);
    let mut functions: Vec<Function> = Vec::new();
    let mut expected = Vec::new();
    let mut hlsl = format!("RWStructuredBuffer<uint> Out;\ngroupshared uint Given[{THREADS}];\n");
    while functions.len() < FUNCTIONS {
        // Nested calls would take too long.
        let callable = if functions.len() < 2 { 0 } else { 2 };
        let function = Function::made(&mut random, callable);
        let mut model = Model::new(&functions, FUEL);
        let n = functions.len() as u32;
        let Ok(values) =
            (0..THREADS as u32).map(|t| model.call(&function, t, t * 7 + n)).collect::<Result<Vec<_>, _>>()
        else {
            continue;
        };
        if is_constant(&values) {
            continue;
        }
        expected.extend(values);
        hlsl += &Spelling::function(&format!("f{n}"), &function);
        functions.push(function);
    }
    let node = |hlsl: &mut String, name: &str, body: &str| {
        let threads = format!(
            "[Shader(\"node\")] [NodeLaunch(\"broadcasting\")] [NodeDispatchGrid(1, 1, 1)] [NumThreads({THREADS}, 1, 1)]"
        );
        let _ = write!(hlsl, "{threads}\nvoid {name}(uint thread : SV_GroupIndex)\n{{\n{body}}}\n");
    };
    let calls = (0..FUNCTIONS).fold(String::new(), |calls, n| {
        format!("{calls}    Out[{} + thread] = f{n}(thread, thread * 7 + {n});\n", n * THREADS)
    });
    node(&mut hlsl, "Apart", &calls);
    let mut nodes = 0;
    while nodes < NODES {
        let function = Function::met(&mut random, 2);
        let v1 = nodes as u32 * 3;
        let Ok(values) = Model::new(&functions, FUEL).group(&function, |t| t * 5, v1) else { continue };
        if is_constant(&values) {
            continue;
        }
        let at = expected.len();
        expected.extend(values);
        let body = format!(
            "    uint v0 = thread * 5, v1 = {v1}, at = {at} + thread;\n    Given[thread] = 0;\n    GroupMemoryBarrierWithGroupSync();\n{}",
            Spelling::node(&function)
        );
        node(&mut hlsl, &format!("Met{nodes}"), &body);
        nodes += 1;
    }
    Made { hlsl, expected }
}

/// Returns whether all threads have the same value, which makes a weak test.
fn is_constant(values: &[u32]) -> bool {
    values.iter().all(|value| *value == values[0])
}

fn run_file(made: &Made) -> String {
    let nodes = std::iter::once("Apart".to_owned()).chain((0..NODES).map(|n| format!("Met{n}")));
    let inputs: Vec<String> = nodes.map(|node| format!("{{ \"node\": \"{node}\", \"count\": 1 }}")).collect();
    format!(
        "{{ \"shader\": \"made.hlsl\", \"resources\": {{ \"Out\": {{ \"zero_bytes\": {} }} }},
        \"dispatch\": [{{ \"inputs\": [{}] }}], \"expect\": {{ \"Out\": {{ \"u32\": {:?} }} }} }}",
        made.expected.len() * 4,
        inputs.join(", "),
        made.expected
    )
}

fn compare(seed: u64) {
    let made = made(seed);
    let dir = Scratch::new();
    let dir = dir.with("made.hlsl", &made.hlsl).with("made.run.json", run_file(&made));
    let levels = [("spirv-amdx", "-O0"), ("spirv-amdx", "-O2"), ("spirv-emulated", "-O1"), ("spirv-emulated", "-O3")];
    for (target, level) in levels {
        let ran = wgc(&dir.0, ["run", "--inputs", "made.run.json", "--target", target, level, "--device", "cpu"]);
        // The device warns of errors that it finds, such as threads of a group that miss a barrier.
        let silent = !ran.out().contains("warning[");
        let how = format!("seed {seed}, {target} {level}");
        assert!(ran.status == 0 && silent, "{how}\n{}\n{}\n{}", ran.out(), ran.stderr, made.hlsl);
    }
}

#[test]
fn first_seed_programs_match_the_model() {
    compare(1);
}

#[test]
fn second_seed_programs_match_the_model() {
    compare(2);
}

#[test]
fn third_seed_programs_match_the_model() {
    compare(3);
}

/// Checks that the programs contain every kind of statement.
#[test]
fn the_programs_have_all_kinds_of_control_flow() {
    let all: String = (1..=3).map(|seed| made(seed).hlsl).collect();
    let kinds =
        ["if (", "else", "for (uint", "for (;;)", "while (i", "do {", "switch (", "default:", "break;", "continue;"];
    for kind in kinds.into_iter().chain(["return;", "Given[", "[unroll]", "[flatten]", "[forcecase]"]) {
        assert!(all.matches(kind).count() >= 5, "{kind}");
    }
    // A barrier within a loop, after some threads have returned.
    let nodes = all.split("[Shader(").skip(1);
    let meets_later = |node: &str| {
        let behind = node.split("return;").nth(1).unwrap_or("");
        behind.contains("Barrier") && node.contains("Barrier")
    };
    assert!(nodes.filter(|node| meets_later(node)).count() >= 5, "too few nodes meet after a return");
}
