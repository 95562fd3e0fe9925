//! Options of the native target: a module for each node, modules for other tools, atomics on records.

use crate::support::{Scratch, root, vulkan_is_here, wgc};
use wgc_spirv_module::{Module, verify, words};

const TREE: &str = "\
RWStructuredBuffer<uint> Out : register(u0);
struct R { uint v; };
void leave(uint v) { InterlockedAdd(Out[0], v); }
[Shader(\"node\")] [NodeLaunch(\"thread\")]
void Root([MaxRecords(1)] [NodeID(\"Leaf\", 1)] NodeOutput<R> next, [MaxRecords(1)] NodeOutput<R> leaf)
{
    ThreadNodeOutputRecords<R> a = next.GetThreadNodeOutputRecords(1);
    a.Get().v = 1;
    a.OutputComplete();
    ThreadNodeOutputRecords<R> b = leaf.GetThreadNodeOutputRecords(leaf.IsValid() ? 1 : 0);
    if (leaf.IsValid()) b.Get().v = 2;
    b.OutputComplete();
}
[Shader(\"node\")] [NodeLaunch(\"thread\")] [NodeID(\"Leaf\", 1)]
void Leaf1(ThreadNodeInputRecord<R> input) { leave(input.Get().v); }
[Shader(\"node\")] [NodeLaunch(\"thread\")]
void leaf(ThreadNodeInputRecord<R> input) { Out[1] = input.Get().v; }
";

const COUNTED: &str = "\
struct [NodeTrackRWInputSharing] Work { uint3 grid : SV_DispatchGrid; uint done; };
RWStructuredBuffer<uint> Out : register(u0);
void count(globallycoherent RWDispatchNodeInputRecord<Work> input) { InterlockedAdd(input.Get().done, 1); }
[Shader(\"node\")] [NodeLaunch(\"broadcasting\")] [NodeMaxDispatchGrid(64, 1, 1)] [NumThreads(1, 1, 1)]
void Count(globallycoherent RWDispatchNodeInputRecord<Work> input)
{
    count(input);
    Barrier(NODE_INPUT_MEMORY, DEVICE_SCOPE | GROUP_SYNC);
    if (input.FinishedCrossGroupSharing()) Out[0] = input.Get().done;
}
[Shader(\"node\")] [NodeLaunch(\"thread\")]
void Root([MaxRecords(1)] NodeOutput<Work> Count)
{
    ThreadNodeOutputRecords<Work> work = Count.GetThreadNodeOutputRecords(1);
    work.Get().grid = uint3(8, 1, 1);
    work.Get().done = 0;
    work.OutputComplete();
}
";

fn module(dir: &Scratch, name: &str) -> Module {
    let bytes = std::fs::read(dir.0.join(name)).unwrap_or_else(|e| panic!("{name}: {e}"));
    Module::load(&words::from_bytes(&bytes).expect("it is words")).expect("it loads")
}

fn entry_points(module: &Module) -> Vec<String> {
    module.entry_points.iter().map(|e| e.name.clone()).collect()
}

#[test]
fn split_nodes_writes_one_module_per_node() {
    let dir = Scratch::new().with("tree.hlsl", TREE);
    // Without inlining, one node calls a function.
    let split = ["tree.hlsl", "--target", "spirv-amdx", "--split-nodes", "-O0"];
    assert_eq!(wgc(&dir.0, split).expect(0).stderr, "");
    let expected = ["tree.Leaf_1.spv", "tree.Root.spv", "tree.hlsl", "tree.leaf.spv"];
    assert_eq!(dir.entries(), expected);
    // An unambiguous node name is also the name of its entry point, at any index.
    wgc(&dir.0, ["tree.hlsl", "-spirv"]).expect(0);
    let whole = entry_points(&module(&dir, "tree.spv"));
    assert_eq!(whole, ["Root", "Leaf", "leaf"]);
    for (file, entry) in ["tree.Root.spv", "tree.Leaf_1.spv", "tree.leaf.spv"].iter().zip(&whole) {
        let module = module(&dir, file);
        assert_eq!(&entry_points(&module), std::slice::from_ref(entry), "{file}");
        assert!(verify(&module).is_empty(), "{file}");
    }
    assert_eq!(
        wgc(&dir.0, ["verify", "--graph", "tree.Root.spv", "tree.Leaf_1.spv", "tree.leaf.spv"]).expect(0).stderr,
        ""
    );
    // A function that one node calls is in that node's module only.
    assert_eq!(module(&dir, "tree.Leaf_1.spv").functions.len(), 2);
    assert_eq!(module(&dir, "tree.leaf.spv").functions.len(), 1);

    let text = wgc(&dir.0, split.iter().chain(&["--emit", "asm"])).expect(0).out();
    let titles: Vec<&str> = text.lines().filter(|l| l.starts_with("; ----")).collect();
    assert_eq!(titles, ["; ---- Root", "; ---- Leaf_1", "; ---- leaf"]);
}

#[test]
fn all_split_modules_are_written_or_none() {
    let dir = Scratch::new().with("tree.hlsl", TREE);
    std::fs::create_dir(dir.0.join("a.leaf.spv")).expect("made");
    let split = ["tree.hlsl", "--target", "spirv-amdx", "--split-nodes", "-o"];
    let ran = wgc(&dir.0, split.iter().chain(&["a.spv"])).expect(2);
    assert!(ran.stderr.contains("cannot write a.leaf.spv"), "{}", ran.stderr);
    assert_eq!(dir.entries(), ["a.leaf.spv", "tree.hlsl"]);
    let ran = wgc(&dir.0, split.iter().chain(&["-"])).expect(2);
    assert!(ran.stderr.contains("several files"), "{}", ran.stderr);
    wgc(&dir.0, split.iter().chain(&["b"])).expect(0);
    assert!(dir.entries().contains(&"b.Root.spv".to_string()), "{:?}", dir.entries());
}

#[test]
fn native_graph_options_require_native_graphs() {
    let dir = Scratch::new().with("tree.hlsl", TREE).with("cs.hlsl", "[numthreads(1, 1, 1)] void main() { }");
    for option in ["--split-nodes", "--amdx-compat"] {
        for args in [&["tree.hlsl", option][..], &["cs.hlsl", "-T", "cs_6_0", "-spirv", option]] {
            let ran = wgc(&dir.0, args).expect(2);
            assert!(ran.stderr.contains(option), "{}", ran.stderr);
        }
    }
}

/// SPIRV-Tools expects a value where the extension asks for a type; wgc's own verifier rejects that.
#[test]
fn amdx_compat_modules_query_validity_by_value() {
    let dir = Scratch::new().with("tree.hlsl", TREE);
    // The optimiser joins both queries.
    wgc(&dir.0, ["tree.hlsl", "-O0", "-spirv", "-o", "right.spv"]).expect(0);
    wgc(&dir.0, ["tree.hlsl", "-O0", "-spirv", "--amdx-compat", "-o", "compat.spv"]).expect(0);
    wgc(&dir.0, ["tree.hlsl", "-O0", "-spirv", "--amdx-compat", "--split-nodes", "-o", "compat.spv"]).expect(0);
    let rules = |file: &str| verify(&module(&dir, file)).iter().map(|v| v.rule).collect::<Vec<_>>();
    assert_eq!(rules("right.spv"), [""; 0]);
    assert_eq!(rules("compat.spv"), ["AMDX-44"; 2]);
    assert_eq!(rules("compat.Root.spv"), ["AMDX-44"; 2]);
    wgc(&dir.0, ["check", "tree.hlsl", "--target", "spirv-amdx", "--amdx-compat"]).expect(0);
}

#[test]
fn atomics_on_records_are_warnings_errors_or_nothing() {
    let dir = Scratch::new().with("count.hlsl", COUNTED);
    let native = ["count.hlsl", "--target", "spirv-amdx"];
    let ran = wgc(&dir.0, native).expect(0);
    assert!(ran.stderr.contains("warning[WG0384]"), "{}", ran.stderr);
    // The message names the original line, even though the function is inlined.
    assert!(ran.stderr.contains("count.hlsl:3:"), "{}", ran.stderr);
    std::fs::remove_file(dir.0.join("count.spv")).expect("it was written");
    for options in [&["--deny", "payload-atomic"][..], &["-WX"], &["--deny", "WG0384", "--split-nodes"]] {
        let ran = wgc(&dir.0, native.iter().chain(options)).expect(1);
        assert!(ran.stderr.contains("error[WG0384]"), "{}", ran.stderr);
        assert_eq!(dir.entries(), ["count.hlsl"]);
    }
    assert_eq!(wgc(&dir.0, native.iter().chain(&["--allow", "payload-atomic"])).expect(0).stderr, "");
    // Running such a module reports it too.
    let run = r#"{ "shader": "count.hlsl", "resources": { "Out": { "u32": [0] } }, "dispatch": [ { "inputs": [] } ] }"#;
    std::fs::write(dir.0.join("count.run.json"), run).expect("it can be written");
    let ran = wgc(&dir.0, ["run", "--inputs", "count.run.json", "--target", "spirv-amdx", "-WX"]).expect(1);
    assert!(ran.stderr.contains("error[WG0384]"), "{}", ran.stderr);
    // The emulated target supports them.
    assert_eq!(wgc(&dir.0, ["count.hlsl", "--deny", "payload-atomic"]).expect(0).stderr, "");
}

const MESH: &str = "\
struct Vertex { float4 position : SV_Position; };
[Shader(\"node\")] [NodeLaunch(\"mesh\")] [NodeDispatchGrid(1, 1, 1)] [NumThreads(3, 1, 1)] [OutputTopology(\"triangle\")]
void Draw(uint thread : SV_GroupIndex, out vertices Vertex verts[3], out indices uint3 triangles[1])
{
    SetMeshOutputCounts(3, 1);
    verts[thread].position = thread;
    if (thread == 0) triangles[0] = uint3(0, 1, 2);
}
";

/// Returns the execution models of a module's entry points.
fn models(dir: &Scratch, name: &str) -> Vec<u32> {
    module(dir, name).entry_points.iter().map(|e| e.model).collect()
}

#[test]
fn mesh_nodes_are_mesh_shaders_on_both_targets() {
    let dir = Scratch::new().with("mesh.hlsl", MESH);
    let mesh = [rspirv::spirv::ExecutionModel::MeshEXT as u32];
    wgc(&dir.0, ["mesh.hlsl", "--target", "spirv-amdx"]).expect(0);
    assert_eq!(models(&dir, "mesh.spv"), mesh);
    wgc(&dir.0, ["mesh.hlsl"]).expect(0);
    let node = dir.entries().into_iter().find(|entry| entry.ends_with("pkg")).expect("there is a package");
    assert_eq!(models(&dir, &format!("{node}/nodes/Draw.spv")), mesh);
    wgc(&dir.0, ["check", "mesh.hlsl", "--target", "spirv-emulated"]).expect(0);
}

/// A library does not know the other nodes of an array, but none of its modules may send to them. A run file names the
/// targets of its program. The output of mesh nodes is printed.
#[test]
fn run_files_restrict_targets_and_print_meshes() {
    let run = |more: &[&str]| wgc(root(), ["run", "--inputs", "tests/run/mesh_kept.run.json"].iter().chain(more));
    // Draws of an emulated graph carry no records.
    for (target, record) in [("spirv-amdx", " \"record\": 0,"), ("spirv-emulated", "")] {
        let ran = run(&["--print", "Kept3", "--target", target]).expect(0);
        let start = format!("Kept3 = [{{ \"group\": [0, 0, 0],{record} \"vertices\": [{{ ");
        assert!(ran.out().starts_with(&start), "{}", ran.out());
        assert!(ran.out().contains("\nnode Kept3: 3 meshes, 24 vertices, 8 primitives\n"), "{}", ran.out());
    }
    let other = "{ \"shader\": \"tree.hlsl\", \"targets\": [\"spirv-emulated\"],
        \"dispatch\": [ { \"inputs\": [ { \"node\": \"Root\", \"count\": 1 } ] } ],
        \"resources\": { \"Out\": { \"zero_bytes\": 8 } }, \"expect\": { \"Out\": { \"u32\": [1, 2] } } }";
    let dir = Scratch::new().with("tree.hlsl", TREE).with("tree.run.json", other);
    wgc(&dir.0, ["run", "--inputs", "tree.run.json"]).expect(0);
    let refused = wgc(&dir.0, ["run", "--inputs", "tree.run.json", "--target", "spirv-amdx"]).expect(2);
    let message = "targets: this program is for spirv-emulated, not for spirv-amdx";
    assert!(refused.stderr.contains(message), "{}", refused.stderr);
}

#[test]
fn records_for_other_nodes_of_the_same_name_are_rejected() {
    let node = |output: &str, at: &str| {
        format!(
            "struct R {{ uint v; }};\n[Shader(\"node\")] [NodeLaunch(\"thread\")] [NodeMaxRecursionDepth(2)]\n\
             void A(ThreadNodeInputRecord<R> input, [MaxRecords(1)] {output})\n{{\n    \
             ThreadNodeOutputRecords<R> r = next{at}.GetThreadNodeOutputRecords(1);\n    r.Get().v = 1;\n    \
             r.OutputComplete();\n}}\n"
        )
    };
    let dir = Scratch::new()
        .with("single.hlsl", node("[NodeID(\"A\", 1)] NodeOutput<R> next", ""))
        .with("array.hlsl", node("[NodeID(\"A\")] [NodeArraySize(3)] NodeOutputArray<R> next", "[2]"))
        .with("itself.hlsl", node("[NodeID(\"A\")] [NodeArraySize(3)] NodeOutputArray<R> next", "[0]"));
    let native = |file: &'static str| wgc(&dir.0, [file, "--library", "--target", "spirv-amdx"]);
    let ran = native("single.hlsl").expect(1);
    assert!(ran.stderr.contains("error[WG0412]: `A` targets `A[1]`"), "{}", ran.stderr);
    let ran = native("array.hlsl").expect(1);
    assert!(ran.stderr.contains("node `A` sends to `A`[2]"), "{}", ran.stderr);
    native("itself.hlsl").expect(0);
}

const SUM: &str = "\
RWStructuredBuffer<uint> Out : register(u0);
struct R { uint v; };
[Shader(\"node\")] [NodeLaunch(\"thread\")]
void Add(ThreadNodeInputRecord<R> input) { InterlockedAdd(Out[0], input.Get().v); }
";

/// Two dispatches, the second in the given mode.
fn sum_in_mode(mode: &str) -> String {
    format!(
        r#"{{ "shader": "sum.hlsl", "resources": {{ "Out": {{ "u32": [0] }} }}, "dispatch": [
  {{ "inputs": [ {{ "node": "Add", "u32": [1, 2, 4] }} ] }},
  {{ "mode": "{mode}", "inputs": [ {{ "node": "Add", "u32": [8], "stride": 0, "count": 3 }} ] }} ],
  "expect": {{ "Out": {{ "u32": [31] }} }} }}"#
    )
}

#[test]
fn records_are_passed_in_all_dispatch_modes() {
    let dir = Scratch::new().with("sum.hlsl", SUM);
    for mode in ["cpu", "gpu", "gpu_count"] {
        std::fs::write(dir.0.join("sum.run.json"), sum_in_mode(mode)).expect("it can be written");
        wgc(&dir.0, ["run", "--inputs", "sum.run.json", "--target", "spirv-amdx"]).expect(0);
        wgc(&dir.0, ["run", "--inputs", "sum.run.json"]).expect(0);
    }
}

#[test]
fn devices_without_native_graphs_report_missing_features() {
    let dir = Scratch::new().with("sum.hlsl", SUM).with("sum.run.json", sum_in_mode("cpu"));
    let listed = wgc(&dir.0, ["devices"]).expect(0).out();
    let native: Vec<&str> =
        listed.lines().filter_map(|l| l.trim().strip_prefix("native graphs (spirv-amdx): ")).collect();
    let devices: Vec<&str> = listed.lines().filter(|l| l.starts_with("cpu") || l.starts_with("vulkan:")).collect();
    assert_eq!(native.len(), devices.len(), "{listed}");
    assert_eq!(native[0], "yes", "the CPU device");
    if !vulkan_is_here("native graphs on Vulkan") {
        return;
    }
    for (device, native) in devices.into_iter().zip(native).skip(1) {
        let selector = device.split(" cannot run").next().unwrap_or(device);
        let ran = wgc(&dir.0, ["run", "--inputs", "sum.run.json", "--target", "spirv-amdx", "--device", selector]);
        match native.strip_prefix("no, ") {
            None => drop(ran.expect(0)),
            Some(lacks) => {
                let ran = ran.expect(2);
                let message = format!("cannot execute native graphs: {lacks}\n");
                assert!(ran.stderr.contains(&message) && ran.stderr.contains("without --device"), "{}", ran.stderr);
                assert_eq!(ran.out(), "", "nothing is run in its place");
            }
        }
    }
}
