//! Nodes that exceed their limits by several calls, in loops, by all threads of a group, or by outputs that share a
//! limit. They receive no more than the limit allows. The report names node and output, and no other node loses a
//! record, with any amount of memory. Expected values are hand-computed from the shaders.

#[path = "../support/mod.rs"]
mod support;

use std::collections::BTreeMap;
use std::fmt::Write;
use support::{Scratch, root, vulkan_is_here, wgc};

/// A dispatch, and its results.
struct Case {
    /// The form in limits.hlsl.
    form: u32,
    /// Nodes, and the keys of their records.
    inputs: &'static [(&'static str, &'static [u32])],
    /// The node that breaks a limit, by its name in messages, and the outputs that may be reported.
    breaks: (&'static str, &'static [u32]),
    /// Words of `Out` that count the records of bad nodes, on the emulated target. The native one may have more.
    bad: &'static [(usize, u32)],
    /// Likewise for all others, on every target.
    good: &'static [(usize, u32)],
}

const GARBAGE: usize = 63;

const CASES: &[Case] = &[
    // Two each of three threads.
    Case {
        form: 0,
        inputs: &[("Bad0", &[5, 2, 9]), ("Good0", &[2, 1, 2])],
        breaks: ("Bad0", &[0]),
        bad: &[(0, 6)],
        good: &[(1, 5)],
    },
    Case {
        form: 0,
        inputs: &[("Bad0[1]", &[3]), ("Bad0", &[1, 1]), ("Good0", &[2, 2])],
        breaks: ("Bad0[1]", &[0]),
        bad: &[(0, 4)],
        good: &[(1, 4)],
    },
    // 3 + 1, 2 + 2, 4 + 0: the limit applies to all calls together.
    Case {
        form: 1,
        inputs: &[("Bad1", &[3, 2, 4]), ("Good1", &[4, 3, 4])],
        breaks: ("Bad1", &[0]),
        bad: &[(2, 12)],
        good: &[(3, 11)],
    },
    // One call that is too large: four of nine records exist, and the others are discarded.
    Case {
        form: 1,
        inputs: &[("Bad1", &[9]), ("Good1", &[4, 4])],
        breaks: ("Bad1", &[0]),
        bad: &[(2, 4)],
        good: &[(3, 8)],
    },
    // 3 and 1 each: the second output exceeds the limit.
    Case {
        form: 2,
        inputs: &[("Bad2", &[3, 3, 3]), ("Good2", &[4, 4])],
        breaks: ("Bad2", &[1]),
        bad: &[(4, 9), (6, 3)],
        good: &[(5, 8), (7, 8)],
    },
    // 32 of each group, for any of its threads.
    Case {
        form: 4,
        inputs: &[("Bad4", &[3, 200]), ("Good4", &[1, 1, 1])],
        breaks: ("Bad4", &[0]),
        bad: &[(8, 64)],
        good: &[(9, 96)],
    },
    // 2 + 1 + 0 + .., and 2.
    Case {
        form: 5,
        inputs: &[("Bad5", &[4, 1]), ("Good5", &[3, 2, 3])],
        breaks: ("Bad5", &[0]),
        bad: &[(10, 5)],
        good: &[(11, 8)],
    },
    // 3 + 8 + 1 + 0, and 1 + 8 + 1 + 2.
    Case {
        form: 6,
        inputs: &[("Bad6", &[3, 1]), ("Good6", &[4, 5])],
        breaks: ("Bad6", &[0]),
        bad: &[(12, 24)],
        good: &[(13, 18)],
    },
    // At most five for each record: any grouping of the records exceeds the limit.
    Case {
        form: 7,
        inputs: &[("Bad7", &[9]), ("Good7", &[3])],
        breaks: ("Bad7", &[0]),
        bad: &[(14, 5)],
        good: &[(15, 3)],
    },
    // Elements 0, 2 and 3 get one each, and 4 to 7 none.
    Case {
        form: 8,
        inputs: &[("Bad8", &[8, 8]), ("Good8", &[5, 3, 7, 0])],
        breaks: ("Bad8", &[0]),
        bad: &[(16, 2), (20, 2), (22, 2), (24, 0), (26, 0), (28, 0), (30, 0)],
        good: &[(17, 4), (21, 0), (23, 4), (25, 0), (27, 4), (29, 0), (31, 4)],
    },
    // Five of each, and all of the good node's: empty records look alike.
    Case {
        form: 16,
        inputs: &[("Bad16", &[3, 4]), ("Good16", &[5, 2])],
        breaks: ("Bad16", &[0]),
        bad: &[(32, 17)],
        good: &[],
    },
    // 6 + 4 of eight.
    Case {
        form: 16,
        inputs: &[("Bad17", &[6]), ("Good16", &[5])],
        breaks: ("Bad17", &[0]),
        bad: &[(32, 15)],
        good: &[],
    },
    // 3 + 3 + 1, and 3.
    Case {
        form: 16,
        inputs: &[("Bad18", &[5, 1]), ("Good16", &[4])],
        breaks: ("Bad18", &[0]),
        bad: &[(32, 14)],
        good: &[],
    },
    // Each level sends one of three to itself, and two of three down; the last one sends none to itself.
    Case {
        form: 20,
        inputs: &[("Bad20", &[3]), ("Good20", &[2, 1])],
        breaks: ("Bad20", &[0, 1]),
        bad: &[(40, 8)],
        good: &[(41, 3)],
    },
    // Four records of three workgroups each.
    Case {
        form: 21,
        inputs: &[("Bad21", &[2, 3]), ("Good21", &[4, 3])],
        breaks: ("Bad21", &[0]),
        bad: &[(42, 24)],
        good: &[(43, 35)],
    },
];

/// Records of a group whose threads could count past 2^32: a separate case with many workgroups.
const LARGE: Case =
    Case { form: 19, inputs: &[("Bad19", &[0x40_0000])], breaks: ("Bad19", &[0]), bad: &[(38, 0x40_0000)], good: &[] };

/// The options of runs on the emulated target.
const SETUPS: &[&[&str]] = &[
    &[],
    &["--arena=min", "--page-kib=1"],
    &["--arena=min", "--schedule=depth", "--segment-kib=0", "--joint-dispatch=2", "--no-int64-atomics"],
    &["--arena=min", "--page-kib=1", "--drain=1", "--allocator=subgroup", "--subgroup-size=8", "--deterministic"],
];

const ON_VULKAN: &[&[&str]] = &[
    &["--device=vulkan"],
    &["--device=vulkan", "--arena=min", "--page-kib=1", "--joint-dispatch=2", "--no-int64-atomics"],
];

/// Returns the run file of a case. The native target provides all requested records, so only the records of other nodes
/// are checked.
fn run_file(case: &Case, is_native: bool) -> String {
    let mut nodes: BTreeMap<usize, String> = BTreeMap::new();
    for (number, (node, keys)) in case.inputs.iter().enumerate() {
        let records: Vec<String> = keys.iter().map(|key| format!("{{ \"key\": {key} }}")).collect();
        let (name, index) = node.strip_suffix(']').and_then(|node| node.split_once('[')).unwrap_or((node, "0"));
        let records = records.join(", ");
        nodes.insert(number, format!("{{ \"node\": \"{name}\", \"index\": {index}, \"records\": [{records}] }}"));
    }
    let bad = case.bad.iter().filter(|_| !is_native);
    let words: Vec<String> =
        bad.chain(case.good).chain(&[(GARBAGE, 0)]).map(|(word, value)| format!("\"{word}\": {value}")).collect();
    format!(
        "{{ \"resources\": {{ \"Out\": {{ \"zero_bytes\": 256 }} }},
            \"dispatch\": [ {{ \"inputs\": [ {} ] }} ],
            \"expect\": {{ \"Out\": {{ \"u32_at\": {{ {} }} }} }} }}",
        nodes.into_values().collect::<Vec<_>>().join(", "),
        words.join(", ")
    )
}

fn check(case: &Case, setups: &[&[&str]], failures: &mut String) {
    for setup in setups {
        let is_native = setup.contains(&"--target=spirv-amdx");
        let scratch = Scratch::new().with("run.json", run_file(case, is_native));
        let file = scratch.0.join("run.json").to_string_lossy().into_owned();
        let form = format!("ONLY={}", case.form);
        let args = ["run", "limits.hlsl", "-D", &form, "--inputs", &file].into_iter().chain(setup.iter().copied());
        let ran = wgc(&root().join("tests/limits"), args);
        let text = ran.out() + &ran.stderr;
        let (node, outputs) = case.breaks;
        // Discarded records share one location, where threads may race; no other finding is allowed.
        let mut findings = text.lines().filter(|line| line.starts_with("warning[WG4"));
        let others = findings.clone().any(|line| !line.contains("WG4003") && !line.contains("`trash`"));
        let is_reported = findings.any(|line| line.contains("WG4003"));
        // The native target reports the line; on the emulated one the node and the output are checked.
        let says = |output: &u32| {
            let what = "it requested more records than MaxRecords of its output";
            let node = text.lines().any(|line| line.contains(&format!("node {node} (level ")) && line.contains(what));
            node && (text.contains(&format!("(output {output})")) || text.contains(&format!("(output {output}, to ")))
        };
        if ran.status != 0 || others || !is_reported || !is_native && !outputs.iter().any(says) {
            writeln!(failures, "{:?} {setup:?}: exit {}\n{text}", case.inputs, ran.status).unwrap();
        }
    }
}

#[test]
fn exceeded_limits_are_reported_without_affecting_others() {
    let mut failures = String::new();
    let vulkan = vulkan_is_here("broken limits on Vulkan");
    for case in CASES {
        check(case, &[&["--target=spirv-amdx"]], &mut failures);
        check(case, SETUPS, &mut failures);
        if vulkan {
            check(case, ON_VULKAN, &mut failures);
        }
    }
    check(&LARGE, &SETUPS[..2], &mut failures);
    assert!(failures.is_empty(), "{failures}");
}

/// Returns the modules of the nodes of a program that count records.
fn counting(file: &str, defines: &[&str]) -> Vec<String> {
    let scratch = Scratch::new();
    let out = scratch.0.join("text").to_string_lossy().into_owned();
    let defines = defines.iter().flat_map(|define| ["-D", *define]);
    // Inlining would hide the function.
    let args = [file, "--emit", "asm", "-O0", "--fusion=off", "-o", &out].into_iter().chain(defines);
    wgc(root(), args).expect(0);
    let text = std::fs::read_to_string(&out).expect("it was written");
    // Modules are listed one after the other, each preceded by its file.
    let mut found = Vec::new();
    let mut module = "";
    for line in text.lines() {
        if let Some(name) = line.strip_prefix("; ---- ").filter(|name| name.ends_with(".spv")) {
            module = name;
        }
        if line.contains("\"wgc_grant\"") && found.last().is_none_or(|last| last != module) {
            found.push(module.to_owned());
        }
    }
    found
}

/// Outputs that provably stay within their limits have no counter, because it would cost time.
#[test]
fn only_outputs_that_may_exceed_limits_are_counted() {
    for file in ["hello", "carpet", "classify", "hello_work_graphs", "slang_hello"] {
        assert_eq!(counting(&format!("examples/{file}.hlsl"), &[]), [""; 0], "{file}");
    }
    let graphs: [(&str, &[&str]); 11] = [
        ("chain", &["LENGTH=5"]),
        ("classify", &["PAYLOAD_WORDS=8", "COHERENT=0", "DISTINCT=100", "TILES_X=240", "TILES_Y=135"]),
        ("fan", &["COUNT=10"]),
        ("hot", &["TAKERS=1", "GROUPS_X=64", "GROUPS_Y=64", "EACH=1"]),
        ("hot", &["TAKERS=1", "GROUPS_X=64", "GROUPS_Y=64", "EACH=4"]),
        ("outlier", &[]),
        ("quadtree", &["WIDTH=1024", "LEVELS=6"]),
        ("queens", &["QUEENS=15"]),
        ("raster", &["GROUPS_X=64", "GROUPS_Y=64"]),
        ("spmv", &["GROUPS=64"]),
        ("spread", &["THREADS=64"]),
    ];
    for (graph, defines) in graphs {
        let file = format!("bench/benches/gpu/shaders/{graph}.hlsl");
        assert_eq!(counting(&file, defines), [""; 0], "{graph} {defines:?}");
    }
    // Nodes of this folder that need it: the bad ones, and good ones whose requests depend on the host's data.
    let bad: Vec<String> =
        counting("tests/limits/limits.hlsl", &[]).into_iter().filter(|module| module.contains("Good")).collect();
    assert_eq!(bad, ["nodes/Good4.spv", "nodes/Good6.spv", "nodes/Good7.spv"]);
}

/// Too many records for a missing node: both errors are reported, for the requesting output.
#[test]
fn excess_records_for_missing_nodes_name_the_output() {
    let run_file = r#"{
        "resources": { "Out": { "zero_bytes": 4 } },
        "dispatch": [ { "inputs": [ { "node": "Bad", "u32": [3] } ] } ]
    }"#;
    let scratch = Scratch::new().with("run.json", run_file);
    let file = scratch.0.join("run.json").to_string_lossy().into_owned();
    for setup in [&[][..], &["--arena", "min"], &["--allocator", "subgroup"]] {
        let args = ["run", "absent.hlsl", "--inputs", &file].into_iter().chain(setup.iter().copied());
        let ran = wgc(&root().join("tests/limits"), args);
        let text = ran.out() + &ran.stderr;
        let lines: Vec<&str> = text.lines().filter(|line| line.contains("node Bad (level 0)")).collect();
        let tells = |code: &str| lines.iter().any(|line| line.contains(code) && line.contains("(output 1, to Sink)"));
        assert!(tells("WG4003") && tells("WG4008") && !text.contains("(input)"), "{setup:?}:\n{text}");
    }
}
