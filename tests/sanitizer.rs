//! Planted mistakes: pairs of small graphs in `tests/sanitizer`, one with a mistake and one without it.
//!
//! `NAME.bug.hlsl` has `// BUG` on each line that the CPU device must report; no other findings are allowed.
//! `NAME.clean.hlsl` must have none. Messages are snapshots.

mod support;

use std::fmt::Write;
use std::path::PathBuf;
use support::{Scratch, wgc};

/// The finding of the CPU device on the emulated target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Emulated {
    /// Found in the same place.
    Here,
    /// Found at the launch of a record instead, in library code that nodes call.
    Kernel,
    Not,
}
use Emulated::{Here, Kernel, Not};

/// Name of the pair, code of the mistake, and the finding on the emulated target. Some codes have no pair:
///
/// - WG4016: no source passes WG0367, which demands the size of a mesh on every path to a write. The modules of
///   `runtime/tests/cpu_meshes.rs` trigger it.
/// - WG4020: a grid of no workgroups is an error of the source. Only specialisation creates one, as in
///   `runtime/tests/cpu_graphs.rs` and in the example of `wgc explain`.
/// - WG4021: the source has the error WG0420. `IsApiEntryAMDX` in another compiler's module allows it, as in that file.
const PAIRS: &[(&str, &str, Emulated)] = &[
    ("range_buffer", "WG4001", Here),
    ("range_shared", "WG4001", Here),
    ("range_local", "WG4001", Here),
    ("range_image", "WG4001", Here),
    ("range_input", "WG4001", Not),
    ("range_output", "WG4001", Not),
    ("barrier_divergent", "WG4002", Here),
    ("records_too_many", "WG4003", Not),
    ("records_shared_limit", "WG4003", Not),
    ("record_not_completed", "WG4004", Not),
    ("record_written_after_completion", "WG4005", Not),
    ("record_read_after_completion", "WG4005", Not),
    ("record_completed_twice", "WG4005", Not),
    ("grid_too_large", "WG4006", Not),
    ("recursion_too_deep", "WG4007", Not),
    ("element_missing", "WG4008", Not),
    ("element_beyond", "WG4008", Not),
    ("group_call_divergent", "WG4009", Not),
    ("group_call_varies", "WG4009", Not),
    ("thread_records_divergent", "WG4009", Not),
    ("thread_records_after_return", "WG4009", Not),
    ("thread_count_divergent", "WG4009", Not),
    ("thread_complete_divergent", "WG4009", Not),
    ("undefined_shared", "WG4011", Here),
    ("undefined_element", "WG4011", Here),
    ("undefined_local", "WG4011", Here),
    ("undefined_array", "WG4011", Here),
    ("undefined_record_field", "WG4011", Here),
    ("undefined_grid", "WG4011", Kernel),
    ("undefined_stored", "WG4011", Here),
    ("race_missing_barrier", "WG4012", Here),
    ("race_memory_barrier_alone", "WG4012", Here),
    ("race_second_round", "WG4012", Here),
    ("race_write_write", "WG4012", Here),
    ("race_plain_beside_atomic", "WG4012", Here),
    ("race_wrong_memory", "WG4012", Here),
    ("race_groups", "WG4012", Here),
    ("race_last_group", "WG4012", Here),
    ("race_last_group_threads", "WG4012", Here),
    ("race_finished", "WG4012", Not),
    ("race_image", "WG4012", Here),
    ("race_siblings", "WG4012", Here),
    ("race_after_completion", "WG4012", Not),
    ("race_after_group_completion", "WG4012", Not),
    ("race_after_count", "WG4012", Not),
    ("race_batch", "WG4012", Here),
    ("race_group_record", "WG4012", Here),
    ("race_shared_input", "WG4012", Here),
    ("race_record_unshown", "WG4012", Not),
    ("race_record_group_scope", "WG4012", Not),
    ("race_record_of_another_thread", "WG4012", Not),
    ("race_record_incoherent", "WG4012", Not),
    ("race_told_to_send", "WG4012", Not),
    ("race_last_group_incoherent", "WG4012", Not),
    ("race_image_incoherent", "WG4012", Not),
    ("finished_then_written", "WG4013", Not),
    ("finished_twice", "WG4014", Not),
    ("mesh_element", "WG4015", Here),
    ("mesh_too_large", "WG4017", Here),
    ("mesh_counts_twice", "WG4018", Here),
    ("mesh_index", "WG4019", Here),
    ("mesh_counts_vary", "WG4009", Here),
    ("mesh_undefined", "WG4011", Here),
    ("mesh_undefined_part", "WG4011", Here),
    ("mesh_race", "WG4012", Here),
];

fn folder() -> PathBuf {
    support::root().join("tests/sanitizer")
}

/// Returns the output for one file on a target, and the marked lines of the file.
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

/// Returns code, line, and text of each finding.
fn findings(ran: &support::Ran) -> Vec<(String, usize, String)> {
    let out = ran.out();
    let findings = out.lines().filter_map(|line| {
        let (code, text) = line.strip_prefix("warning[")?.split_once("]: ")?;
        // The last location is that of the finding: `(FILE:LINE:COLUMN; thread ..)`.
        let at = text.rsplit_once(".hlsl:").and_then(|(_, rest)| rest.split(':').next()?.parse().ok());
        Some((code.to_owned(), at.unwrap_or(0), text.to_owned()))
    });
    findings.collect()
}

#[test]
fn sanitizer_reports_planted_errors_and_no_near_misses() {
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
fn emulated_target_finds_graph_independent_errors() {
    let mut failures = String::new();
    for &(name, code, emulated) in PAIRS {
        // In one pass; findings that depend on the host and its kernels in a scheduled run too.
        let depends = ["WG4011", "WG4012"].contains(&code);
        for extra in [&[][..], &["--arena=min"]].into_iter().take(1 + usize::from(depends)) {
            let (ran, marked) = run(name, "bug", extra);
            let found = findings(&ran);
            let in_kernel = |text: &str| text.contains("(wgc:emulated/");
            let found = match found.iter().find(|f| f.0 == code && (marked.contains(&f.1) || in_kernel(&f.2))) {
                Some((.., text)) if in_kernel(text) => Kernel,
                Some(_) => Here,
                None => Not,
            };
            if found != emulated {
                writeln!(failures, "{name} {extra:?}: {code} on {marked:?}: {found:?}\n{}{}", ran.out(), ran.stderr)
                    .unwrap();
            }
            let (ran, _) = run(name, "clean", extra);
            if ran.status != 0 {
                writeln!(failures, "{name} {extra:?}, the clean one:\n{}{}", ran.out(), ran.stderr).unwrap();
            }
        }
    }
    assert!(failures.is_empty(), "{failures}");
}

/// Errors that the emulation itself detects, on any device, have a code but no location.
#[test]
fn emulation_reports_exceeded_graph_limits() {
    for (name, code) in [
        ("range_input", "WG4001"),
        ("range_output", "WG4001"),
        ("records_too_many", "WG4003"),
        ("records_shared_limit", "WG4003"),
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
fn sanitize_option_turns_findings_into_errors_or_off() {
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
