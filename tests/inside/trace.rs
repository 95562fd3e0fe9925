//! Traces: the nodes that ran, their amounts of work, and plausible times.

use super::records::{Setup, one_pass, scheduled};
use super::{compile, cpu, folder};
use serde_json::Value;
use std::collections::BTreeMap;
use wgc_runtime::cpu::Order;
use wgc_runtime::device::Device;
use wgc_runtime::executors::EmulatedExecutor;
use wgc_runtime::run_file::{self, Executor, Outputs, RunFile};
use wgc_runtime::vulkan::testing;

/// Returns the trace of the run file `chain`, as JSON and as a table.
fn traced(setup: Setup, device: impl Device) -> (String, String) {
    let file = RunFile::read(&folder().join("chain.run.json")).unwrap();
    let (interface, package) = compile(&file.folder().join(&file.shaders[0]), setup.plan);
    let mut executor = EmulatedExecutor::new(device, package, setup.options).traced();
    let report = run_file::execute(&file, &interface, &mut executor, &Outputs::default()).unwrap();
    assert!(report.passed(), "{report}");
    let trace = executor.trace().unwrap().borrow();
    let mut json = Vec::new();
    trace.write(&mut json).unwrap();
    (String::from_utf8(json).unwrap(), trace.table())
}

/// Returns records, workgroups and pages of each node in the first of two dispatches of 12 records, by the loops of the
/// shader.
fn expected() -> BTreeMap<&'static str, [u64; 3]> {
    let values: Vec<u64> = (0..12).flat_map(|i| [3 * i + 1, 3 * i + 2]).collect();
    let groups: u64 = values.iter().map(|value| value % 4).sum();
    BTreeMap::from([
        ("Start", [12, 1, 1]),
        ("Twice", [12, 24, 1]),
        ("Pack", [24, 2, 1]),
        // And a page for the starts of its grids.
        ("Spread", [24, groups, 2]),
        ("Sum", [groups, 1, 1]),
    ])
}

fn number(value: &Value) -> u64 {
    value.as_u64().unwrap_or_else(|| panic!("{value}"))
}

/// Returns a time in thousandths of the unit.
fn time(event: &Value, what: &str) -> u64 {
    (event[what].as_f64().unwrap() * 1000.0).round() as u64
}

/// Checks a trace; returns the totals of the nodes in its first dispatch.
fn judge(json: &str) -> BTreeMap<String, [u64; 3]> {
    let trace: Value = serde_json::from_str(json).unwrap_or_else(|e| panic!("{e}: {json}"));
    let events = trace["traceEvents"].as_array().unwrap();
    let spans: Vec<&Value> = events.iter().filter(|event| event["ph"] == "X").collect();
    let (whole, single): (Vec<&Value>, Vec<&Value>) = spans.into_iter().partition(|span| span["tid"] == 0);
    // Each begins when the previous one has ended.
    for pair in single.windows(2) {
        let end = time(pair[0], "ts") + time(pair[0], "dur");
        assert!(end <= time(pair[1], "ts"), "{} {}", pair[0], pair[1]);
    }
    let inside = |outer: &Value, inner: &Value| {
        let end = |event: &Value| time(event, "ts") + time(event, "dur");
        time(outer, "ts") <= time(inner, "ts") && end(inner) <= end(outer)
    };
    let mut sums = BTreeMap::new();
    for node in single.iter().filter(|event| event["args"].get("records").is_some()) {
        let stages = whole.iter().filter(|stage| stage["pid"] == node["pid"] && inside(stage, node));
        assert!(stages.count() >= 1, "{node}");
        let args = ["records", "workgroups", "pages"].map(|what| number(&node["args"][what]));
        if node["pid"] == 1 {
            let sum: &mut [u64; 3] = sums.entry(node["name"].as_str().unwrap().to_owned()).or_default();
            *sum = [sum[0] + args[0], sum[1] + args[1], sum[2].max(args[2])];
        }
    }
    assert!(events.iter().any(|event| event["ph"] == "C" && number(&event["args"]["pages"]) > 0));
    sums
}

fn check(setup: Setup, device: impl Device) -> String {
    let (json, table) = traced(setup, device);
    let sums = judge(&json);
    let sums: BTreeMap<&str, [u64; 3]> = sums.iter().map(|(name, sum)| (name.as_str(), *sum)).collect();
    assert_eq!(sums, expected(), "{json}");
    // Both dispatches, which are equal.
    for (name, [records, groups, pages]) in expected() {
        let line = table.lines().find(|line| line.split_whitespace().next() == Some(name)).unwrap();
        let cells: Vec<&str> = line.split_whitespace().collect();
        assert_eq!(cells[1..5], [2, 2 * records, 2 * groups, pages].map(|n| n.to_string()), "{table}");
    }
    json
}

#[test]
fn cpu_traces_list_dispatches_and_are_reproducible() {
    for setup in [one_pass(), scheduled(400)] {
        let json = check(setup, cpu(Order::Fifo));
        assert_eq!(json, check(setup, cpu(Order::Fifo)));
        let trace: Value = serde_json::from_str(&json).unwrap();
        assert_eq!(trace["otherData"]["clock"], "instructions");
        let spans = trace["traceEvents"].as_array().unwrap().iter().filter(|event| event["name"] == "Sum");
        assert!(spans.filter(|span| span["args"]["workgroups"] != 0).all(|span| time(span, "dur") > 0));
    }
}

#[test]
fn vulkan_traces_list_dispatches_in_nanoseconds() {
    for setup in [one_pass(), scheduled(400)] {
        if let Some(device) = testing::device() {
            let json = check(setup, device);
            let trace: Value = serde_json::from_str(&json).unwrap();
            assert_eq!(trace["otherData"]["clock"], "nanoseconds");
            let last = trace["traceEvents"].as_array().unwrap().iter().rfind(|event| event["ph"] == "X").unwrap();
            assert!(time(last, "ts") > 0, "time goes on");
        }
    }
}
