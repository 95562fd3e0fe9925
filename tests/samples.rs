//! Microsoft's work-graph samples, read from the directory that `WGC_DX_SAMPLES` names: a checkout of
//! DirectX-Graphics-Samples, or its `Samples` directory. The project stores facts: paths, hashes, and results computed
//! here from the samples' descriptions.

#[allow(dead_code, reason = "each test binary uses a part")]
#[path = "embed/canvas.rs"]
mod canvas;
#[allow(dead_code, reason = "each test binary uses a part")]
#[path = "embed/engine.rs"]
mod engine;
mod support;

use canvas::{Canvas, Source, pixel_shader};
use engine::Engine;
use std::io::Write;
use std::path::{Path, PathBuf};
use support::{PLACES, Place, Scratch, vulkan_is_here, wgc};
use vulkanalia::prelude::v1_2::*;
use wgc_abi::NodeName;
use wgc_backend_spirv::emulated::EmulatedOptions;
use wgc_compiler::Session;
use wgc_runtime::emulated::{Data, Input};
use wgc_runtime::vulkan::embed::{Completion, Dispatch, Draws, Graph, GraphMemory, Host, Inputs, Sizes};
use wgc_runtime::vulkan::testing;
use wgc_sema::db::Options;

const HELLO: (&str, &str) = ("HelloWorkGraphs/D3D12HelloWorkGraphs.hlsl", "09e5970688ced8a8");
const MESH_NODES: (&str, &str) = ("HelloMeshNodes/shaders.hlsl", "a411dec46f97626f");
const SANDBOX: (&str, &str) = ("WorkGraphsSandbox/D3D12WorkGraphsSandbox.hlsl", "dd40b04dc2cc92ee");

/// Returns the file of a sample whose hash matches the expectations; `None` without samples.
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
fn run(shader: &Path, run_file: &str, place: Place) {
    let scratch = Scratch::new().with("s.run.json", run_file);
    let file = scratch.0.join("s.run.json").to_string_lossy().into_owned();
    let shader = shader.to_string_lossy().into_owned();
    let args = ["run", &shader, "--inputs", &file, "--target", place.target, "--device", place.device];
    wgc(support::root(), args).expect(0);
}

fn list<T: std::fmt::Display>(items: impl IntoIterator<Item = T>) -> String {
    items.into_iter().map(|i| i.to_string()).collect::<Vec<_>>().join(", ")
}

/// Four entry records with grids of one to four groups of two threads. Each thread adds its increment to the word of
/// its record, and sends a task, which is counted in another word.
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

/// Returns the sum over all nodes of WorkGraphsSandbox, in a graph where `NodeConstants.value` is `value` for all of
/// them.
fn sandbox_sum(value: u32) -> u32 {
    // `fourthNode` calls itself three times with an increasing index; each of the four tasks sends four to
    // `secondNode`.
    let fourth = |index: u32, first: u32| {
        let own: u32 = (0..4).map(|level| index + level + if level == 0 { first } else { value }).sum();
        own + 4 * 4
    };
    let mut sum = 0;
    for record in 0..5 {
        // The first word of an entry record is its number, and all other words are 3.
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

/// All five nodes together with five records an entry, as in the sample's program. That program gives every node its
/// own `NodeConstants.value` by local root arguments. Here all share one, so that every result goes to one word.
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

/// The sandbox with local root arguments: each node has its own `NodeConstants.value`, the number of its record in the
/// table, and so its own word.
#[test]
fn work_graphs_sandbox_runs_emulated_with_a_value_for_each_node() {
    let Some(shader) = sample(SANDBOX) else { return };
    let [first_node, second, third, other_third, fourth_node, fifth_node] = sandbox_values(&shader);
    let mut words = [0_u32; 16];
    // Like `sandbox_sum`, but a node's records have the value of the node that sent them.
    fn fourth(words: &mut [u32; 16], index: u32, sent: u32, levels: u32, [own, second]: [usize; 2]) {
        words[own] += index + sent;
        words[second] += 4;
        if levels != 0 {
            fourth(words, index + 1, own as u32, levels - 1, [own, second]);
        }
    }
    for record in 0..5 {
        let total = record + 3 + 3 + 3;
        for _ in 0..10 * 10 * 10 {
            words[first_node] += 2 * total;
            words[second] += 5;
            words[third] += total;
            words[other_third] += total;
            fourth(&mut words, record, first_node as u32, 3, [fourth_node, second]);
        }
        fourth(&mut words, record, 3, 3, [fourth_node, second]);
        words[fifth_node] += record * 3 * 3 * 3;
    }
    words[other_third] |= 0x8000_0000;
    let of = |fields: &dyn Fn(u32) -> String| list((0..5).map(|i| format!("{{ {} }}", fields(i))));
    let first = of(&|i| format!("\"index\": {i}, \"data0\": 3, \"data1\": 3, \"data2\": 3"));
    let fourth = of(&|i| format!("\"index2\": {i}, \"value\": 3"));
    let fifth = of(&|i| format!("\"grid\": [{i}, 3, 3], \"index\": 3"));
    let tables = list((0..6).map(|n| format!("{{ \"table_index\": {n}, \"fields\": {{ \"value\": {n} }} }}")));
    let run_file = format!(
        r#"{{ "resources": {{ "UAV": {{ "zero_bytes": 64 }} }}, "local_root_arguments": [ {tables} ],
             "dispatch": [ {{ "inputs": [
                 {{ "node": "firstNode", "records": [ {first} ] }},
                 {{ "node": "fourthNode", "records": [ {fourth} ] }},
                 {{ "node": "fifthNode", "records": [ {fifth} ] }} ] }} ],
             "expect": {{ "UAV": {{ "u32": [ {} ] }} }} }}"#,
        list(words)
    );
    let vulkan = vulkan_is_here("WorkGraphsSandbox on Vulkan");
    for place in PLACES.into_iter().filter(|p| p.target == "spirv-emulated" && (vulkan || p.device != "vulkan")) {
        run(&shader, &run_file, place);
    }
}

/// Returns the numbers of the local root argument records in the package, for firstNode, secondNode, both shaders of
/// thirdNode, fourthNode and fifthNode.
fn sandbox_values(shader: &Path) -> [usize; 6] {
    let dir = Scratch::new();
    let shader = shader.to_string_lossy();
    wgc(&dir.0, [&*shader, "-w", "-o", "sandbox.wgcpkg"]).expect(0);
    let package = wgc_abi::Package::read(&dir.0.join("sandbox.wgcpkg")).expect("a package");
    let of = |name: &str, index: u32| {
        let mut all = package.manifest.instances.iter();
        let found = all.find(|i| i.node.name == name && i.node.index == index).and_then(|i| i.local_root);
        found.expect("the node has local root arguments") as usize
    };
    [("firstNode", 0), ("secondNode", 0), ("thirdNode", 0), ("thirdNode", 1), ("fourthNode", 0), ("fifthNode", 0)]
        .map(|(name, index)| of(name, index))
}

/// The sample's program creates three nodes from one mesh shader: elements 1 and 2 of the array by overrides, whose
/// keys a host file does not have. Here they are written out.
const MESH_NODE_ELEMENTS: &str = r#"
#define LIB_TARGET
#include "shaders.hlsl"
#define ELEMENT(name, index) \
    [Shader("node")] [NodeLaunch("mesh")] [NumThreads(1, 1, 1)] [NodeDispatchGrid(1, 1, 1)] [NodeIsProgramEntry] \
    [NodeID("Materials", index)] [OutputTopology("triangle")] \
    void name(DispatchNodeInputRecord<MeshNodeRecord> input, out vertices MeshOutVert verts[3], \
              out primitives MeshOutPrim prim[1], out indices uint3 idx[1]) \
    { \
        Materials(input, verts, prim, idx); \
    }
ELEMENT(Materials1, 1)
ELEMENT(Materials2, 2)
"#;

/// The size of the sample's picture, in pixels.
const PICTURE: [u32; 2] = [320, 180];

/// A triangle of the sample: its centre, and the colour that its pixel shader computes from record, root constants and
/// local root arguments.
struct Drawn {
    centre: [f32; 2],
    colour: [f32; 3],
}

/// Returns the triangles of nine records: three of each node, one above the other.
fn mesh_nodes_drawn() -> Vec<Drawn> {
    let node = |element: usize| {
        // PSMain halves the green channel of the root constant, PSMain2 does not; blue is specific to the node.
        let green = [0.25, 0.5, 0.5][element];
        let rows = [(0.2, 0.0), (0.0, 0.5), (-0.2, 1.0)];
        rows.map(|(y, red)| Drawn {
            centre: [[-0.5, 0.0, 0.5][element], y],
            colour: [red, green, [0.0, 0.5, 1.0][element]],
        })
    };
    (0..3).flat_map(node).collect()
}

/// Returns the distance of a point from a triangle's edges in pixels, negative outside.
fn inside(drawn: &Drawn, at: [f32; 2]) -> f32 {
    let [x, y] = drawn.centre;
    let [width, height] = PICTURE.map(|n| n as f32);
    let pixel = |x: f32, y: f32| [(x + 1.0) / 2.0 * width, (1.0 - y) / 2.0 * height];
    let corners = [pixel(x, y + 0.1), pixel(x + 0.1, y - 0.1), pixel(x - 0.1, y - 0.1)];
    let edge = |n: usize| {
        let (a, b) = (corners[n], corners[(n + 1) % 3]);
        let [dx, dy] = [b[0] - a[0], b[1] - a[1]];
        (dx * (at[1] - a[1]) - dy * (at[0] - a[0])) / dx.hypot(dy)
    };
    (0..3).map(edge).fold(f32::INFINITY, f32::min)
}

/// Returns the records that the sample's program sends: to the root, which forwards them, and to two of the mesh nodes.
fn mesh_nodes_records() -> Vec<(&'static str, u32, Vec<u8>)> {
    let drawn = mesh_nodes_drawn();
    let record = |drawn: &Drawn| {
        let [x, y] = drawn.centre;
        [x, y, 0.0, 1.0, drawn.colour[0]].iter().flat_map(|f: &f32| f.to_le_bytes()).collect::<Vec<u8>>()
    };
    let mut inputs = vec![("Root", 0, Vec::new()), ("Materials", 1, Vec::new()), ("Materials", 2, Vec::new())];
    for (n, drawn) in drawn.iter().enumerate() {
        let (name, _, bytes) = &mut inputs[n / 3];
        if *name == "Root" {
            // `materialID`, and the padding before the next field.
            bytes.extend([0; 4]);
        }
        bytes.extend(record(drawn));
    }
    inputs
}

/// Draws with pixel shaders that are built here, because wgc does not compile the sample's. Specialisation constants
/// replace their root constants and local root arguments.
#[test]
fn hello_mesh_nodes_is_drawn_into_a_picture() {
    let Some(shader) = sample(MESH_NODES) else { return };
    if !vulkan_is_here("HelloMeshNodes on Vulkan") {
        return;
    }
    let text = String::from_utf8_lossy(&std::fs::read(shader).expect("it can be read")).into_owned();
    let scratch = Scratch::new().with("shaders.hlsl", &text).with("elements.hlsl", MESH_NODE_ELEMENTS);
    let path = scratch.0.join("elements.hlsl").to_string_lossy().into_owned();
    let session = Session::new(&[&path], Options { enable_16bit_types: true, ..Options::default() });
    let package = session.emulated(&EmulatedOptions::default()).unwrap_or_else(|e| panic!("{e:?}"));

    let engine = Engine::open();
    if !engine.meshes {
        return testing::left_out(&"the device has no mesh shaders");
    }
    let (instance, device) = (engine.instance.handle(), engine.device.handle());
    // SAFETY: the handles are the engine's, which lives to the end of the process.
    let host = unsafe { Host::new(engine.get_instance_proc_addr, instance, engine.physical, device) }.unwrap();
    // SAFETY: the package was just compiled, and the engine's device supports it.
    let mut graph = unsafe { Graph::load(host, &package, &[], vk::PipelineCache::null()) }.unwrap();
    let sizes = Sizes { arena_bytes: 16 << 20, inputs: 3, record_bytes: 4096 };
    let needs = graph.requirements(&sizes);
    let memory = GraphMemory {
        state: engine.buffer(needs.state_bytes).block,
        exchange: engine.buffer(needs.exchange_bytes),
        arena: vec![engine.buffer(sizes.arena_bytes).block],
    };
    // SAFETY: the blocks have these sizes, and have no other use.
    unsafe { graph.bind(sizes, memory) }.unwrap();
    let canvas = Canvas::new(&engine, PICTURE);
    let pixel = pixel_shader([Source::Primitive(0), Source::Constant(0), Source::Constant(1), Source::Constant(2)]);
    let drawn = mesh_nodes_drawn();
    let nodes = graph.mesh_nodes();
    assert_eq!(
        nodes.iter().map(|n| (n.node.name.as_str(), n.node.index)).collect::<Vec<_>>(),
        [("Materials", 0), ("Materials", 1), ("Materials", 2)]
    );
    let pipelines: Vec<_> = (nodes.iter().zip(drawn.chunks(3)))
        .map(|(node, drawn)| {
            let [_, green, blue] = drawn[0].colour;
            canvas.pipeline(&engine, graph.layout(), node, &pixel, &[green, blue, 1.0])
        })
        .collect();

    let inputs = mesh_nodes_records();
    let inputs: Vec<Input> = inputs
        .iter()
        .map(|(name, index, data)| Input {
            node: NodeName { name: (*name).to_owned(), index: *index },
            data: Data::Bytes(data),
            stride: data.len() as u32 / 3,
            count: 3,
        })
        .collect();
    let commands = engine.begin();
    let inputs = Inputs::Host(&inputs);
    let dispatch =
        Dispatch { inputs, push: &[], sets: &[], completion: Completion::Single, local_roots: None, timestamps: None };
    // SAFETY: the command buffer is being recorded, and everything that it uses lives to the end of the process.
    unsafe {
        graph.record_upload(commands).unwrap();
        graph.record(commands, &dispatch).unwrap();
    }
    let draws = Draws { pipelines: &pipelines, push: &[], sets: &[], timestamps: None };
    // SAFETY: as above, inside the canvas's render pass.
    canvas.draw(&engine, commands, true, || unsafe { graph.record_draws(commands, &draws) }.unwrap());
    engine.end(commands);
    engine.submit(commands);
    let status = graph.status().unwrap();
    assert_eq!((status.pending, status.error), (false, None));

    let mut edges = 0;
    for (at, found) in canvas.read(&engine).into_iter().enumerate() {
        let (x, y) = (at as u32 % PICTURE[0], at as u32 / PICTURE[0]);
        let depths = drawn.iter().map(|drawn| (inside(drawn, [x as f32 + 0.5, y as f32 + 0.5]), drawn));
        let (depth, nearest) = depths.max_by(|a, b| a.0.total_cmp(&b.0)).unwrap();
        // Rasterisers only have subpixel precision.
        if depth.abs() < 1.0 / 64.0 {
            edges += 1;
            continue;
        }
        let expected = match depth > 0.0 {
            true => [nearest.colour[0], nearest.colour[1], nearest.colour[2], 1.0],
            false => [0.0; 4],
        };
        let differs = |(found, expected): (u8, f32)| (f32::from(found) - expected * 255.0).abs() > 0.6;
        assert!(!found.into_iter().zip(expected).any(differs), "pixel {x} {y} is {found:?} and not {expected:?}");
    }
    assert!(edges < 100, "{edges} pixels are not looked at");
}
