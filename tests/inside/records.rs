//! Appended records match the model's, on every device and with any amount of memory.

use super::{Written, compile, cpu, folder};
use std::collections::BTreeMap;
use wgc_backend_spirv::emulated::plan::{Schedule, Settings};
use wgc_runtime::cpu::Order;
use wgc_runtime::device::Device;
use wgc_runtime::emulated::inside::{Form, Only, RecordPrinter};
use wgc_runtime::emulated::{EmulatedOptions, Memory};
use wgc_runtime::executors::EmulatedExecutor;
use wgc_runtime::run_file::{self, Outputs, RunFile};
use wgc_runtime::vulkan::testing;

pub const GRAPHS: [&str; 5] = ["arrays", "chain", "counts", "grids", "spill"];

/// The settings of a run.
#[derive(Clone, Copy)]
pub struct Setup {
    pub plan: Settings,
    pub options: EmulatedOptions,
}

/// Returns settings for one pass, and for sweeps.
pub fn one_pass() -> Setup {
    Setup { plan: Settings::default(), options: EmulatedOptions::default() }
}

pub fn scheduled(times: u32) -> Setup {
    let plan = Settings { page_bytes: 1 << 10, ..Settings::default() };
    Setup { plan, options: EmulatedOptions { memory: Memory::Least(times), ..EmulatedOptions::default() } }
}

/// Returns settings under which all but entry records spill.
pub fn spilling(memory: Memory) -> Setup {
    let plan = Settings { page_bytes: 1 << 10, direct_targets: 0, ..Settings::default() };
    Setup { plan, options: EmulatedOptions { memory, spill_all: true, ..EmulatedOptions::default() } }
}

/// Returns the records that are shown while a graph runs.
pub fn shown(name: &str, setup: Setup, device: impl Device, form: Form, sorted: bool, only: &[&str]) -> String {
    let file = folder().join(name).with_extension("run.json");
    let file = RunFile::read(&file).unwrap_or_else(|e| panic!("{e}"));
    let (interface, package) = compile(&file.folder().join(&file.shaders[0]), setup.plan);
    let written = Written::default();
    let only = only.iter().map(|which| Only::parse(which, &package.manifest).unwrap()).collect();
    let printer = RecordPrinter::new(Box::new(written.clone()), form, sorted, only);
    let mut executor = EmulatedExecutor::new(device, package, setup.options).observed(Box::new(printer));
    let report = run_file::execute(&file, &interface, &mut executor, &Outputs::default());
    let report = report.unwrap_or_else(|e| panic!("{name}: {e}"));
    assert!(report.passed() && report.findings.is_empty(), "{name}:\n{report}\n{:?}", report.findings);
    written.text()
}

/// Returns the multiset of the lines from the names of the nodes on; for empty records, the sum of their counts.
fn multiset(lines: &str) -> BTreeMap<String, u64> {
    let mut all = BTreeMap::new();
    for line in lines.lines() {
        let from = line.find("\"nodes\"").unwrap_or_else(|| panic!("{line}"));
        let line = &without_depths(line[from..].strip_suffix('}').unwrap_or_else(|| panic!("{line}")));
        let (key, times) = match line.rsplit_once("\"count\":") {
            Some((nodes, count)) if !line.contains("\"record\"") => {
                (format!("{nodes}\"count\""), count.parse().unwrap())
            }
            _ => (line.clone(), 1),
        };
        *all.entry(key).or_insert(0) += times;
    }
    all
}

/// Returns a line without ` depth N` in the labels of its nodes, because the model has no depths.
fn without_depths(line: &str) -> String {
    let mut parts = line.split(" depth ");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |line, part| line + part.trim_start_matches(|c: char| c.is_ascii_digit()))
}

fn expected(name: &str) -> BTreeMap<String, u64> {
    let text = std::fs::read_to_string(folder().join(name).with_extension("records")).unwrap();
    let line = |line: &str| line.split_once(' ').map(|(times, key)| (key.to_owned(), times.parse().unwrap())).unwrap();
    text.lines().map(line).collect()
}

pub fn check(name: &str, setup: Setup, device: impl Device) {
    let what = format!("{name} on {}, {:?}", device.name(), setup.options.memory);
    let (found, expected) = (multiset(&shown(name, setup, device, Form::Lines, true, &[])), expected(name));
    for (key, times) in &expected {
        assert_eq!(found.get(key).unwrap_or(&0), times, "{what}: {key}");
    }
    for (key, times) in &found {
        assert!(expected.contains_key(key), "{what}: {times} {key}");
    }
}

/// Returns the factor of the minimum memory for scheduled runs. The output of TickOdd in `arrays` depends on its
/// workgroups, so it gets enough memory for all its records. `spill` takes a thousand sweeps in the minimum.
fn times(name: &str) -> u32 {
    match name {
        "arrays" => 400,
        "spill" => 16,
        _ => 1,
    }
}

#[test]
fn records_match_the_model() {
    for name in GRAPHS {
        check(name, one_pass(), cpu(Order::Fifo));
        check(name, scheduled(times(name)), cpu(Order::Lifo));
    }
    for memory in [Memory::Tight, Memory::Least(40)] {
        check("spill", spilling(memory), cpu(Order::Random(5)));
    }
}

/// Each node consumes the same records, however often it runs.
#[test]
fn records_by_depth_match_the_model() {
    let by_depth = |setup: Setup| Setup { plan: Settings { schedule: Schedule::Depth, ..setup.plan }, ..setup };
    for name in GRAPHS {
        check(name, by_depth(one_pass()), cpu(Order::Fifo));
        check(name, by_depth(scheduled(times(name))), cpu(Order::Lifo));
    }
    check("spill", by_depth(spilling(Memory::Least(40))), cpu(Order::Random(5)));
    if let Some(device) = testing::device() {
        check("arrays", by_depth(one_pass()), device);
    }
    let (_, package) = compile(&folder().join("../emulated/arrays.hlsl"), by_depth(one_pass()).plan);
    let labels: Vec<&str> = package.manifest.instances.iter().map(|i| i.label.as_str()).collect();
    let queues = |which: &str| match Only::parse(which, &package.manifest).unwrap() {
        Only::Queues(queues) => queues.len(),
        Only::After(_) => 0,
    };
    // Down is reached from Route and, a stage later, from an element of Kind; Last is reached by one path.
    let which = ["Last", "Down", "Down level 2", "Down level 2 depth 4"];
    assert_eq!(which.map(queues), [1, 8, 2, 1], "{labels:?}");
    let nodes = package.manifest.interface().nodes;
    assert_eq!(nodes.iter().filter(|node| node.id.name == "Down").count(), 1, "a node is one for hosts");
}

#[test]
fn records_match_the_model_on_vulkan() {
    let on_vulkan = |name, setup| {
        if let Some(device) = testing::device() {
            check(name, setup, device);
        }
    };
    for name in GRAPHS {
        on_vulkan(name, one_pass());
        on_vulkan(name, scheduled(times(name)));
    }
    for memory in [Memory::Tight, Memory::Least(40)] {
        on_vulkan("spill", spilling(memory));
    }
}

#[test]
fn only_spilled_records_are_flagged() {
    let lines = shown("spill", spilling(Memory::Tight), cpu(Order::Fifo), Form::Lines, false, &["Bin"]);
    // Entry records have their own memory; the host sends none to Bin.
    assert!(lines.lines().count() == 756 && lines.lines().all(|line| line.contains(",\"spilled\":true,")));
    let lines = shown("spill", one_pass(), cpu(Order::Fifo), Form::Lines, false, &["Bin"]);
    assert!(lines.lines().count() == 756 && !lines.contains("spilled"));
}

#[test]
fn record_text_shows_stages_counts_and_grids() {
    let text = |only: &[&str]| shown("grids", one_pass(), cpu(Order::Fifo), Form::Text, false, only);
    let all = text(&[]);
    let headings: Vec<&str> = all.lines().filter(|line| !line.starts_with(' ')).collect();
    assert_eq!(
        headings,
        [
            "dispatch 1, after inject: 30 records for Scatter",
            "dispatch 1, after stage 0 (Scatter): 30 records for Work, Watch",
            "dispatch 1, after stage 0 (Scatter): 30 records for Gather",
            "dispatch 1, after stage 1 (Gather): 30 records for Deep",
        ]
    );
    let of_deep = text(&["Deep"]);
    assert_eq!(of_deep, text(&["stage:1"]));
    let lines: Vec<&str> = of_deep.lines().skip(1).take(2).collect();
    assert_eq!(
        lines,
        [r#"  [0] grid 1 1 0 { "grid": [1, 1, 0], "id": 0 }"#, r#"  [1] grid 2 2 1 { "grid": [2, 2, 1], "id": 1 }"#]
    );
    assert_eq!(text(&["inject"]).lines().nth(29), Some(r#"  [28] { "id": 28 }"#));
    let counts = shown("counts", scheduled(1), cpu(Order::Fifo), Form::Text, false, &["Collect"]);
    assert_eq!(counts.lines().next(), Some("dispatch 1, sweep 1, after inject: 23 empty records for Collect"));
}

#[test]
fn unknown_stages_and_nodes_are_reported() {
    let (_, package) = compile(&folder().join("../emulated/arrays.hlsl"), Settings::default());
    let wrong = |which: &str| Only::parse(which, &package.manifest).unwrap_err();
    assert_eq!(wrong("stage:7"), "the graph has no stage `7`; its stages are 0 to 5");
    assert_eq!(wrong("stage:x"), "the graph has no stage `x`; its stages are 0 to 5");
    assert_eq!(wrong("Kin"), "the graph has no node `Kin`; it has: Route, Kind, Far, Tick, Down, Last");
    let queues = |which: &str| match Only::parse(which, &package.manifest).unwrap() {
        Only::Queues(queues) => queues.len(),
        Only::After(_) => 0,
    };
    // The levels of Down have separate queues.
    assert_eq!(["Kind", "Kind[5]", "Down", "Down level 2"].map(queues), [2, 1, 4, 1]);
}
