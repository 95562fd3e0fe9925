//! Microsoft's work-graph samples, read from the directory that `WGC_DX_SAMPLES` names: a checkout of
//! DirectX-Graphics-Samples, or its `Samples` directory. What is committed is facts: paths, hashes, and results computed
//! here from what the samples say they do.

mod support;

use std::io::Write;
use std::path::PathBuf;
use support::{PLACES, Place, Scratch, vulkan_is_here, wgc};

const HELLO: (&str, &str) = ("HelloWorkGraphs/D3D12HelloWorkGraphs.hlsl", "09e5970688ced8a8");
const SANDBOX: (&str, &str) = ("WorkGraphsSandbox/D3D12WorkGraphsSandbox.hlsl", "dd40b04dc2cc92ee");

/// The file of a sample with the hash that the expectations were made for; `None` where there are no samples.
fn sample((path, hash): (&str, &str)) -> Option<PathBuf> {
    let Some(root) = std::env::var_os("WGC_DX_SAMPLES").map(PathBuf::from) else {
        let _ = writeln!(std::io::stderr(), "left out, because WGC_DX_SAMPLES names no directory: {path}");
        return None;
    };
    let within = PathBuf::from("Desktop/D3D12HelloWorld/src").join(path);
    let file = [root.join("Samples").join(&within), root.join(&within)].into_iter().find(|f| f.is_file());
    let file = file.unwrap_or_else(|| panic!("WGC_DX_SAMPLES is {}, where no {path} lies", root.display()));
    // Line ends differ between checkouts.
    let text = std::fs::read_to_string(&file).expect("it can be read").replace("\r\n", "\n");
    let fnv = |h: u64, b: u8| (h ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3);
    let found = format!("{:016x}", text.bytes().fold(0xcbf2_9ce4_8422_2325, fnv));
    assert_eq!(found, hash, "{} is another version of the sample", file.display());
    Some(file)
}

/// Runs a sample with a run file on a place and asserts that every expectation holds.
fn run(shader: &std::path::Path, run_file: &str, place: Place) {
    let scratch = Scratch::new().with("s.run.json", run_file);
    let file = scratch.0.join("s.run.json").to_string_lossy().into_owned();
    let shader = shader.to_string_lossy().into_owned();
    let args = ["run", &shader, "--inputs", &file, "--target", place.target, "--device", place.device];
    wgc(support::root(), args).expect(0);
}

fn list<T: std::fmt::Display>(items: impl IntoIterator<Item = T>) -> String {
    items.into_iter().map(|i| i.to_string()).collect::<Vec<_>>().join(", ")
}

/// Four entry records with grids of one to four groups of two threads. Each thread sends its increment to the word of
/// its record, and a task on, which is counted in another word.
#[test]
fn hello_work_graphs_runs_on_every_target_and_device() {
    let Some(shader) = sample(HELLO) else { return };
    let mut words = [0_u32; 8];
    for record in 0..4_usize {
        for group in 0..=record as u32 {
            for thread in 0..2 {
                words[record] += (2 * group + thread) * 2 + thread + 1;
                words[4 + record] += 1;
            }
        }
    }
    let records = list((0..4).map(|i| format!("{{ \"gridSize\": {}, \"recordIndex\": {i} }}", i + 1)));
    let run_file = format!(
        r#"{{ "resources": {{ "UAV": {{ "zero_bytes": 32 }} }},
             "dispatch": [ {{ "inputs": [ {{ "node": "firstNode", "records": [ {records} ] }} ] }} ],
             "expect": {{ "UAV": {{ "u32": [ {} ] }} }},
             "expect_records": {{ "firstNode": 4, "secondNode": 20, "thirdNode": 20 }} }}"#,
        list(words)
    );
    let vulkan = vulkan_is_here("HelloWorkGraphs on Vulkan");
    for place in PLACES.into_iter().filter(|p| vulkan || p.device != "vulkan") {
        run(&shader, &run_file, place);
    }
}

/// What all nodes of WorkGraphsSandbox add up to, in a graph where `NodeConstants.value` is `value` for all of them.
fn sandbox_sum(value: u32) -> u32 {
    // `fourthNode` calls itself three times, counting its index up; each of the four tasks sends four to `secondNode`.
    let fourth = |index: u32, first: u32| {
        let own: u32 = (0..4).map(|level| index + level + if level == 0 { first } else { value }).sum();
        own + 4 * 4
    };
    let mut sum = 0;
    for record in 0..5 {
        // The first word of an entry record is its number, and all others are 3.
        let total = record + 3 + 3 + 3;
        let groups = 10 * 10 * 10;
        sum += groups * 2 * total; // firstNode, two threads
        sum += groups * 5; // secondNode
        sum += groups * 2 * total; // both shaders of thirdNode
        sum += groups * fourth(record, value);
        sum += fourth(record, 3); // fourthNode as an entry
        sum += record * 3 * 3 * 3; // fifthNode: a grid of (record, 3, 3) adds 3
    }
    sum
}

/// All five nodes at once, as the sample's program feeds them: five records an entry. The program gives every node an
/// `NodeConstants.value` of its own by local root arguments; here all have one, so that everything meets in one word.
#[test]
fn work_graphs_sandbox_runs_natively_on_the_cpu_device() {
    let Some(shader) = sample(SANDBOX) else { return };
    for value in [1_usize, 6] {
        let of = |fields: &dyn Fn(u32) -> String| list((0..5).map(|i| format!("{{ {} }}", fields(i))));
        let first = of(&|i| format!("\"index\": {i}, \"data0\": 3, \"data1\": 3, \"data2\": 3"));
        let fourth = of(&|i| format!("\"index2\": {i}, \"value\": 3"));
        let fifth = of(&|i| format!("\"grid\": [{i}, 3, 3], \"index\": 3"));
        let mut words = [0_u32; 8];
        // The second shader of thirdNode marks the word.
        words[value] = sandbox_sum(value as u32) | 0x8000_0000;
        let run_file = format!(
            r#"{{ "resources": {{ "UAV": {{ "zero_bytes": 32 }}, "NodeConstants": {{ "fields": {{ "value": {value} }} }} }},
                 "dispatch": [ {{ "inputs": [
                     {{ "node": "firstNode", "records": [ {first} ] }},
                     {{ "node": "fourthNode", "records": [ {fourth} ] }},
                     {{ "node": "fifthNode", "records": [ {fifth} ] }} ] }} ],
                 "expect": {{ "UAV": {{ "u32": [ {} ] }} }},
                 "expect_records": {{ "firstNode": 5, "secondNode": {}, "thirdNode[0]": 5000, "thirdNode[1]": 5000,
                                     "fourthNode": {}, "fifthNode": 5 }} }}"#,
            list(words),
            5 * 1000 * 5 + 4 * 4 * (5000 + 5),
            4 * (5000 + 5),
        );
        run(&shader, &run_file, PLACES[0]);
    }
}
