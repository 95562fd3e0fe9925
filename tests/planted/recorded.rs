//! Omitted barriers in the commands that `Graph`, and therefore the C interface, records into an engine's command
//! buffer. The mock driver ([`driver`](crate::driver)) runs the commands on the CPU device, which finds the omissions.

use crate::driver::{self, HOST, Recorded};
use crate::packages::{Program, plan};
use std::collections::BTreeSet;
use std::fmt::Write;
use vulkanalia::prelude::v1_2::*;
use wgc_abi::{NodeName, Package, device as abi};
use wgc_backend_spirv::emulated::EmulatedOptions as CompilerOptions;
use wgc_backend_spirv::emulated::plan::Settings;
use wgc_runtime::emulated::{Counted, Data, Input};
use wgc_runtime::vulkan::embed::{Completion, Dispatch, Draws, Graph, GraphMemory, Inputs, Resume, Sizes};

/// Records of the entry nodes of graph.hlsl, and their results, as in graph.run.json.
const ALSO: [u32; 5] = [1, 2, 3, 4, 5];
const START: u32 = 40;
const OUT: [u32; 3] = [5590, 802, 6392];

/// The owner of the records, and the mode of the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Setup {
    /// The host, which prepares one pass.
    Prepared,
    /// The device, whose kernels prepare it.
    OnDevice,
    /// In sweeps: two are recorded together, and two more after them.
    Sweeps,
    /// In sweeps, with inputs that the device counts.
    Counted,
    /// In sweeps, with guards.
    Guarded,
}

fn bytes(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// The result of a run: codes of findings, without duplicates.
#[derive(Debug, Default)]
struct Ran {
    found: BTreeSet<String>,
    messages: Vec<String>,
    out: Vec<u32>,
    /// Labels of commands with a barrier after them, in the first submission.
    behind: Vec<String>,
}

/// Removes the barriers after commands of a label.
fn without(recorded: &[Recorded], label: &str) -> Vec<Recorded> {
    let mut last = "";
    let mut kept = Vec::new();
    for recorded in recorded {
        match recorded {
            Recorded::Barrier { .. } if last == label => continue,
            Recorded::Barrier { .. } => {}
            Recorded::Run(_, label) | Recorded::Draw(_, label) => last = label,
        }
        kept.push(recorded.clone());
    }
    kept
}

/// Runs the graph to its end, without barriers after commands of this label.
fn run(package: &Package, setup: Setup, label: &str) -> Ran {
    let (host, result) = driver::start(12);
    // SAFETY: the driver accepts everything that the graph passes to it, here and below.
    let graph =
        unsafe { Graph::load(host, package, &[vk::DescriptorSetLayout::from_raw(1)], vk::PipelineCache::null()) };
    let mut graph = graph.expect("the package is sound");
    if setup == Setup::Guarded {
        graph.poison().expect("it has guards");
    }
    let page = u64::from(plan().page_bytes);
    let scheduled = !matches!(setup, Setup::Prepared | Setup::OnDevice);
    let pages = if scheduled { u64::from(package.manifest.min_pages) } else { 200 };
    let sizes = Sizes { arena_bytes: pages * page, inputs: 4, record_bytes: 1 << 12 };
    let needs = graph.requirements(&sizes);
    let memory = GraphMemory {
        state: driver::block(needs.state_bytes),
        exchange: driver::mapped(needs.exchange_bytes),
        arena: vec![driver::block(pages * page)],
    };
    // SAFETY: the blocks come from the driver, and have the requested sizes.
    unsafe { graph.bind(sizes, memory) }.expect("it is what was asked for");

    let (also, start) = (bytes(&ALSO), bytes(&(0..START).collect::<Vec<_>>()));
    let input = |name: &str, data, count| {
        let node = NodeName { name: name.to_owned(), index: 0 };
        Input { node, data, stride: 4, count }
    };
    let on_device = [driver::filled(&also), driver::filled(&start)];
    let entry = |name: &str| graph.manifest().entrypoints.iter().position(|e| e.node.name == name).expect(name) as u32;
    let mut list = Vec::new();
    for (name, count, address) in [("Also", ALSO.len() as u32, on_device[0]), ("Start", START, on_device[1])] {
        abi::NodeInput { entry: entry(name), count, address, stride: 4 }.encode(&mut list);
    }
    let address = driver::filled(&list);
    let list = abi::InputList { count: 2, pad: 0, address, stride: abi::NodeInput::SIZE as u64 };
    let counted = Counted { list: driver::filled(&list.to_bytes()), most: 2 };

    let host = [input("Also", Data::Bytes(&also), ALSO.len() as u32), input("Start", Data::Bytes(&start), START)];
    let device = [
        input("Also", Data::Address(on_device[0]), ALSO.len() as u32),
        input("Start", Data::Address(on_device[1]), START),
    ];
    let (inputs, completion) = match setup {
        Setup::Prepared => (Inputs::Host(&host), Completion::Single),
        Setup::OnDevice => (Inputs::Host(&device), Completion::Single),
        Setup::Sweeps | Setup::Guarded => (Inputs::Host(&host), Completion::Sweeps(2)),
        Setup::Counted => (Inputs::Device(counted), Completion::Sweeps(2)),
    };
    let sets = [vk::DescriptorSet::from_raw(1)];
    let dispatch = Dispatch { inputs, push: &[], sets: &sets, completion, local_roots: None, timestamps: None };
    let commands = vk::CommandBuffer::null();
    // All in one submission: a recording makes its own requirements visible.
    // SAFETY: the mock driver stores the recording, and runs it when the test asks for it.
    let recorded = unsafe {
        graph.record_upload(commands).expect("there is memory");
        graph.record(commands, &dispatch).expect("there is room")
    };
    assert_eq!(recorded.scheduled, scheduled, "{setup:?}");
    let more = |deepest| Resume { push: &[], sets: &sets, sweeps: 2, deepest, timestamps: None };
    if scheduled {
        // SAFETY: as above.
        unsafe { graph.resume(commands, &more(0)) }.expect("it may be recorded at once");
    }
    let mut ran = Ran::default();
    let mut recorded = driver::take();
    for pair in recorded.windows(2) {
        if let [Recorded::Run(_, label), Recorded::Barrier { .. }] = pair
            && !ran.behind.contains(label)
        {
            ran.behind.push(label.clone());
        }
    }
    for _ in 0..100 {
        for finding in driver::submit(&without(&recorded, label)) {
            ran.found.insert(finding.code);
            ran.messages.push(finding.message);
        }
        if !graph.is_pending() {
            let status = graph.status().expect("it ran");
            assert_eq!(status.error, None, "{setup:?}, behind {label}");
            ran.out = driver::words(result, 3);
            return ran;
        }
        let deepest = graph.status().expect("it ran").deepest;
        // SAFETY: as above.
        unsafe { graph.resume(commands, &more(deepest)) }.expect("records wait");
        recorded = driver::take();
    }
    panic!("{setup:?}, behind {label}: it comes to no end")
}

fn package(program: &Program, guarded: bool, joint_dispatch: u32) -> Package {
    let plan = Settings { guarded, joint_dispatch, ..plan() };
    program.session.emulated(&CompilerOptions { plan, ..CompilerOptions::default() }).expect("it compiles")
}

/// For each mode all commands with a barrier after them: copies, kernels, and the last of each stage. Then those whose
/// results no later command accesses here. (The last stage can only leave errors, and this run has none.)
const BEHIND: [(Setup, &[&str], &[&str]); 5] = [
    (Setup::Prepared, &["fill", "update", "Also", "joint", "Spread", "Last", "copy"], &["Last"]),
    (
        Setup::OnDevice,
        &["fill", "update", "prep", "inject", "Also", "joint", "Spread", "Last", "copy"],
        &["fill", "Last"],
    ),
    (
        Setup::Sweeps,
        &["fill", "update", "begin", "inject", "sched", "Also", "joint", "Spread", "Last", "end", "copy"],
        &["fill"],
    ),
    (
        Setup::Counted,
        &[
            "fill", "update", "open", "gather", "begin", "inject", "sched", "Also", "joint", "Spread", "Last", "end",
            "copy",
        ],
        &["fill"],
    ),
    // Each is followed by the kernel guard, and a barrier after the guard.
    (
        Setup::Guarded,
        &[
            "fill", "begin", "guard", "inject", "sched", "Start", "Also", "scatter", "Kind", "Kind[1]", "Kind[2]",
            "Kind[3]", "Spread", "Last", "end", "copy",
        ],
        &["Last"],
    ),
];

#[test]
fn barriers_that_are_not_recorded_are_found() {
    let program = Program::new("graph");
    let [plain, guarded] = [package(&program, false, 2), package(&program, true, 0)];
    let mut wrong = String::new();
    for (setup, behind, idle) in BEHIND {
        let package = if setup == Setup::Guarded { &guarded } else { &plain };
        let clean = run(package, setup, "nothing");
        assert!(clean.found.is_empty(), "{setup:?}: {clean:?}");
        assert_eq!(clean.out, OUT, "{setup:?}");
        if clean.behind != behind {
            writeln!(wrong, "{setup:?} has barriers behind {:?}", clean.behind).expect("a string takes it");
        }
        for label in &clean.behind {
            let ran = run(package, setup, label);
            let found: Vec<&str> = ran.found.iter().map(String::as_str).collect();
            let expected: &[&[&str]] = match label.as_str() {
                // The host reads the last copy.
                "copy" => &[&[HOST], &["WG4012", HOST]],
                label if idle.contains(&label) => &[&[]],
                _ => &[&["WG4012"]],
            };
            if !expected.contains(&&found[..]) {
                writeln!(wrong, "behind {label}, {setup:?}: {ran:?}").expect("a string takes it");
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// Draws after one pass, and after a sweep. Omits the barriers before them, and those of the next dispatch, which
/// overwrites their inputs.
#[test]
fn barriers_around_draws_that_are_not_recorded_are_found() {
    let program = Program::new("../run/mesh_tiles");
    let mut wrong = String::new();
    for (completion, behind) in [(Completion::Single, ["Rows", "Draw"]), (Completion::Sweeps(1), ["Rows", "Draw"])] {
        for label in ["nothing"].iter().chain(&behind) {
            let (host, _) = driver::start(4);
            // SAFETY: as above.
            let graph = unsafe { Graph::load(host, &program.package, &[], vk::PipelineCache::null()) };
            let mut graph = graph.expect("the package is sound");
            let pipelines: Vec<vk::Pipeline> =
                graph.mesh_nodes().iter().map(|node| driver::drawn(node.module, &node.entry)).collect();
            let page = u64::from(plan().page_bytes);
            let sizes = Sizes { arena_bytes: 200 * page, inputs: 1, record_bytes: 64 };
            let needs = graph.requirements(&sizes);
            let memory = GraphMemory {
                state: driver::block(needs.state_bytes),
                exchange: driver::mapped(needs.exchange_bytes),
                arena: vec![driver::block(200 * page)],
            };
            let node = NodeName { name: "Rows".to_owned(), index: 0 };
            let inputs = [Input { node, data: Data::Bytes(&[]), stride: 0, count: 1 }];
            let inputs = Inputs::Host(&inputs);
            let dispatch = Dispatch { inputs, push: &[], sets: &[], completion, local_roots: None, timestamps: None };
            let draws = Draws { pipelines: &pipelines, push: &[], sets: &[], timestamps: None };
            let commands = vk::CommandBuffer::null();
            // SAFETY: as above.
            let upload = unsafe {
                graph.bind(sizes, memory).expect("it is what was asked for");
                graph.record_upload(commands).expect("there is memory");
                let upload = driver::take();
                graph.record(commands, &dispatch).expect("there is room");
                graph.record_draws(commands, &draws).expect("there is a dispatch");
                upload
            };
            // Commands may be submitted again.
            let recorded = driver::take();
            let found = driver::submit(&without(&[&upload[..], &recorded, &recorded].concat(), label));
            let codes: BTreeSet<&str> = found.iter().map(|finding| finding.code.as_str()).collect();
            let expected = if *label == "nothing" { BTreeSet::new() } else { BTreeSet::from(["WG4012"]) };
            // As in mesh_tiles.run.json, twice.
            if codes != expected || driver::meshes() != (2 * 19, 2 * 9) {
                writeln!(wrong, "behind {label}, {completion:?}: {found:?}").expect("a string takes it");
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}
