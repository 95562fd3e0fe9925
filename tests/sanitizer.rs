//! Planted mistakes: pairs of small graphs in `tests/sanitizer`, one with a mistake and its clean near miss.
//!
//! `NAME.bug.hlsl` has `// BUG` on each line that the CPU device has to point at, and nothing else may be found there;
//! in `NAME.clean.hlsl` nothing may be found. Messages are snapshots.

mod support;

use std::fmt::Write;
use std::path::PathBuf;
use support::{Scratch, wgc};

/// Name of the pair, code of the mistake, and whether it is found on the emulated target too.
/// WG4016 has none: no source gets past WG0367, which asks for the size of a mesh on every way to a write. The modules of
/// `runtime/tests/cpu_meshes.rs` have it. WG4020 has none either: a grid of no workgroups is an error of the source, and
/// comes of specialisation alone, as in `runtime/tests/cpu_graphs.rs`. So is what WG4021 tells (WG0420), which `IsApiEntryAMDX` of
/// another compiler's module allows, as there.
const PAIRS: &[(&str, &str, bool)] = &[
    ("range_buffer", "WG4001", true),
    ("range_shared", "WG4001", true),
    ("range_local", "WG4001", true),
    ("range_image", "WG4001", true),
    ("range_input", "WG4001", false),
    ("range_output", "WG4001", false),
    ("barrier_divergent", "WG4002", true),
    ("records_too_many", "WG4003", false),
    ("records_shared_limit", "WG4003", false),
    ("record_not_completed", "WG4004", false),
    ("record_written_after_completion", "WG4005", false),
    ("record_read_after_completion", "WG4005", false),
    ("record_completed_twice", "WG4005", false),
    ("grid_too_large", "WG4006", false),
    ("recursion_too_deep", "WG4007", false),
    ("element_missing", "WG4008", false),
    ("element_beyond", "WG4008", false),
    ("group_call_divergent", "WG4009", false),
    ("group_call_varies", "WG4009", false),
    ("thread_records_divergent", "WG4009", false),
    ("thread_records_after_return", "WG4009", false),
    ("thread_count_divergent", "WG4009", false),
    ("thread_complete_divergent", "WG4009", false),
    ("undefined_shared", "WG4011", true),
    ("undefined_element", "WG4011", true),
    ("undefined_local", "WG4011", true),
    ("undefined_array", "WG4011", true),
    ("undefined_record_field", "WG4011", false),
    ("undefined_grid", "WG4011", false),
    ("undefined_stored", "WG4011", true),
    ("race_missing_barrier", "WG4012", true),
    ("race_memory_barrier_alone", "WG4012", true),
    ("race_second_round", "WG4012", true),
    ("race_write_write", "WG4012", true),
    ("race_plain_beside_atomic", "WG4012", true),
    ("race_wrong_memory", "WG4012", true),
    ("race_groups", "WG4012", true),
    ("race_last_group", "WG4012", true),
    ("race_last_group_threads", "WG4012", true),
    ("race_finished", "WG4012", false),
    ("race_image", "WG4012", true),
    ("race_siblings", "WG4012", false),
    ("race_after_completion", "WG4012", false),
    ("race_after_group_completion", "WG4012", false),
    ("race_after_count", "WG4012", false),
    ("race_batch", "WG4012", true),
    ("race_group_record", "WG4012", true),
    ("race_shared_input", "WG4012", true),
    ("race_record_unshown", "WG4012", false),
    ("race_record_group_scope", "WG4012", false),
    ("race_record_of_another_thread", "WG4012", false),
    ("race_record_incoherent", "WG4012", false),
    ("race_told_to_send", "WG4012", false),
    ("race_last_group_incoherent", "WG4012", false),
    ("race_image_incoherent", "WG4012", false),
    ("finished_then_written", "WG4013", false),
    ("finished_twice", "WG4014", false),
    ("mesh_element", "WG4015", false),
    ("mesh_too_large", "WG4017", false),
    ("mesh_counts_twice", "WG4018", false),
    ("mesh_index", "WG4019", false),
    ("mesh_counts_vary", "WG4009", false),
    ("mesh_undefined", "WG4011", false),
    ("mesh_undefined_part", "WG4011", false),
    ("mesh_race", "WG4012", false),
];

/// The emulated target has no mesh nodes.
fn has_meshes(name: &str) -> bool {
    name.starts_with("mesh_")
}

fn folder() -> PathBuf {
    support::root().join("tests/sanitizer")
}

/// What is printed for one file on a target, and the lines of the file that are marked.
fn run(name: &str, kind: &str, extra: &[&str]) -> (support::Ran, Vec<usize>) {
    let shader = format!("{name}.{kind}.hlsl");
    let source = std::fs::read_to_string(folder().join(&shader)).expect("the pair is there");
    let mut resources = Vec::new();
    if source.contains(" Out ") {
        resources.push("\"Out\": { \"zero_bytes\": 64 }");
    }
    if source.contains(" Image ") {
        resources.push("\"Image\": { \"image\": { \"format\": \"r32_uint\", \"size\": [4, 4] } }");
    }
    let input = match source.contains("void Main(ThreadNodeInputRecord<Item>") {
        true => "\"records\": [ { \"value\": 0 } ]",
        false => "\"count\": 1",
    };
    let resources = resources.join(", ");
    let file = Scratch::new().with(
        "run.json",
        format!(
            "{{ \"resources\": {{ {resources} }},
            \"dispatch\": [ {{ \"inputs\": [ {{ \"node\": \"Main\", {input} }} ] }} ], \"expect_findings\": [] }}"
        ),
    );
    let file = file.0.join("run.json").to_string_lossy().into_owned();
    let mut args = vec!["run", shader.as_str(), "--inputs", &file];
    args.extend(extra);
    let marked = source.lines().enumerate().filter(|(_, line)| line.contains("// BUG")).map(|(i, _)| i + 1).collect();
    (wgc(&folder(), args), marked)
}

/// Code, place's line, and all of each finding.
fn findings(ran: &support::Ran) -> Vec<(String, usize, String)> {
    let out = ran.out();
    let findings = out.lines().filter_map(|line| {
        let (code, text) = line.strip_prefix("warning[")?.split_once("]: ")?;
        // The last place is that of the finding: `(FILE:LINE:COLUMN; thread ..)`.
        let at = text.rsplit_once(".hlsl:").and_then(|(_, rest)| rest.split(':').next()?.parse().ok());
        Some((code.to_owned(), at.unwrap_or(0), text.to_owned()))
    });
    findings.collect()
}

#[test]
fn planted_mistakes_are_found_where_they_are_and_near_misses_are_not() {
    let (mut failures, mut messages) = (String::new(), String::new());
    for &(name, code, _) in PAIRS {
        let (ran, marked) = run(name, "bug", &["--target", "spirv-amdx"]);
        let found = findings(&ran);
        let lines: Vec<usize> = found.iter().map(|f| f.1).collect();
        let all_there = marked.iter().all(|line| lines.contains(line)) && !marked.is_empty();
        let right = found.iter().all(|f| f.0 == code && marked.contains(&f.1));
        if !all_there || !right || ran.status != 1 {
            writeln!(failures, "{name}: {code} wanted on {marked:?}\n{}{}", ran.out(), ran.stderr).unwrap();
        }
        for (code, _, text) in found {
            writeln!(messages, "{name}\n    {code}: {text}").unwrap();
        }
        let (ran, marked) = run(name, "clean", &["--target", "spirv-amdx"]);
        if ran.status != 0 || !findings(&ran).is_empty() || !marked.is_empty() {
            writeln!(failures, "{name}, the clean one:\n{}{}", ran.out(), ran.stderr).unwrap();
        }
    }
    assert!(failures.is_empty(), "{failures}");
    insta::assert_snapshot!("sanitizer", messages);
}

#[test]
fn what_does_not_need_the_graph_is_found_on_the_emulated_target() {
    let mut failures = String::new();
    for &(name, code, emulated) in PAIRS.iter().filter(|pair| !has_meshes(pair.0)) {
        let (ran, marked) = run(name, "bug", &[]);
        let right = findings(&ran).iter().any(|f| f.0 == code && marked.contains(&f.1));
        if right != emulated {
            writeln!(failures, "{name}: {code} on {marked:?} found: {right}\n{}{}", ran.out(), ran.stderr).unwrap();
        }
        let (ran, _) = run(name, "clean", &[]);
        if ran.status != 0 {
            writeln!(failures, "{name}, the clean one:\n{}{}", ran.out(), ran.stderr).unwrap();
        }
    }
    assert!(failures.is_empty(), "{failures}");
}

/// What the emulation itself finds, on any device, has a code and no place.
#[test]
fn broken_limits_of_the_graph_are_told_on_the_emulated_target() {
    for (name, code) in [
        ("records_too_many", "WG4003"),
        ("grid_too_large", "WG4006"),
        ("recursion_too_deep", "WG4007"),
        ("element_missing", "WG4008"),
    ] {
        let ran = run(name, "bug", &[]).0;
        let codes: Vec<String> = findings(&ran).into_iter().map(|found| found.0).collect();
        assert_eq!((ran.status, codes), (1, vec![code.to_owned()]), "{name}\n{}{}", ran.out(), ran.stderr);
    }
}

#[test]
fn findings_are_errors_or_nothing_where_that_is_asked_for() {
    let (name, code, _) = PAIRS.iter().find(|p| p.0 == "race_groups").expect("it is listed");
    let (ran, _) = run(name, "bug", &["--target", "spirv-amdx", "--sanitize", "error"]);
    assert!(ran.status == 1 && ran.stderr.contains("the run failed") && ran.stderr.contains(code), "{}", ran.stderr);
    let (ran, _) = run(name, "bug", &["--target", "spirv-amdx", "--sanitize", "off"]);
    ran.expect(0);
}

#[test]
fn every_pair_is_listed() {
    let mut files: Vec<String> = std::fs::read_dir(folder())
        .expect("the folder is there")
        .filter_map(|e| e.expect("it can be read").file_name().into_string().ok())
        .filter_map(|name| Some(name.strip_suffix(".hlsl")?.to_owned()))
        .collect();
    files.sort();
    let mut listed: Vec<String> =
        PAIRS.iter().flat_map(|p| ["bug", "clean"].map(|kind| format!("{}.{kind}", p.0))).collect();
    listed.sort();
    assert_eq!(files, listed);
    assert!(PAIRS.len() >= 30);
}
