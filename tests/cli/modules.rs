//! `wgc run` of compiled modules and packages.

use crate::support::{Ran, Scratch, root, wgc};

const SOURCE: &str = "\
struct R { float2 at; uint16_t half_word; float3x2 rows; };
struct Element { uint a; float4 v; };
RWStructuredBuffer<Element> Buf : register(u0);
AppendStructuredBuffer<uint> List : register(u1);
RWByteAddressBuffer Raw : register(u2);
cbuffer C : register(b3) { float4 k; float3x3 square; float f[3]; };
Texture2D<float> Picture : register(t4);
SamplerState Nearest : register(s5);
Texture2D Pictures[2] : register(t6);
[[vk::constant_id(3)]] const uint K = 2;
[Shader(\"node\")] [NodeLaunch(\"thread\")] [NodeID(\"in\", 2)]
void Main(ThreadNodeInputRecord<R> input, [MaxRecords(2)] EmptyNodeOutput Leaf)
{
    R r = input.Get();
    Buf[0].a = r.half_word + K;
    Buf[1].v = k + Picture.SampleLevel(Nearest, r.at, 0) + Pictures[K & 1].Load(0) + square[1].x + f[2];
    List.Append((uint)r.rows[1][0]);
    Leaf.ThreadIncrementOutputCount(1);
}
[Shader(\"node\")] [NodeLaunch(\"broadcasting\")] [NodeDispatchGrid(3, 1, 1)] [NumThreads(1, 1, 1)]
void Leaf() { Raw.InterlockedAdd(4, 1); }
";

/// `Buf[0].a` is 3 + 11; each of `Buf[1].v` is one of `k` + 1 (the picture) + 0.5 (the second) + 4 + 3.
const RUN: &str = r#"{
  "shader": "SHADER",
  "spec_constants": { "3": 11 },
  "resources": {
    "NAME Buf": { "zero_bytes": 64 }, "NAME List": { "zero_bytes": 8 }, "0.2": { "zero_bytes": 8 },
    "NAME C": { "fields": { "k": [1, 2, 3, 4], "square": [[1, 2, 3], [4, 5, 6], [7, 8, 9]], "f": [1, 2, 3] } },
    "NAME Picture": { "image": { "format": "r32_sfloat", "size": [1, 1], "f32": [1] } },
    "NAME Nearest": { "sampler": { "filter": "nearest" } },
    "NAME Pictures": [ { "image": { "format": "r32_sfloat", "size": [1, 1], "f32": [100] } },
                       { "image": { "format": "rgba32_sfloat", "size": [1, 1], "f32": [0.5, 0.5, 0.5, 0.5] } } ]
  },
  "dispatch": [ { "inputs": [ { "node": "in", "index": 2, "records": [
    { "at": [0.5, 0.5], "half_word": 3, "rows": [[1, 2], [30, 4], [5, 6]] }, ] } ] } ],
  "expect": {
    "NAME Buf": { "structs": [ { "a": 14, "v": [0, 0, 0, 0] }, { "a": 0, "v": [9.5, 10.5, 11.5, 12.5] } ] },
    "NAME List": { "u32_at": { "0": 30 } },
    "0.2": { "u32": [0, 3] }
  },
  "expect_records": { "in[2]": 1, "Leaf": 1 },
  "expect_findings": []
}"#;

fn graph() -> Scratch {
    let source = ["graph.hlsl", "--target", "spirv-amdx", "-enable-16bit-types"];
    let dir = Scratch::new().with("graph.hlsl", SOURCE);
    wgc(&dir.0, [&source[..], &["-o", "graph.spv"]].concat()).expect(0);
    wgc(&dir.0, [&source[..], &["-Qstrip_debug", "-o", "bare.spv"]].concat()).expect(0);
    let named = RUN.replace("NAME ", "");
    dir.with("named.run.json", named.replace("SHADER", "graph.spv"))
        .with("given.run.json", named.replace("\"shader\": \"SHADER\",", ""))
        .with("source.run.json", named.replace("\"SHADER\"", "\"graph.hlsl\", \"args\": [\"-enable-16bit-types\"]"))
}

#[test]
fn a_module_runs_as_its_source_does() {
    let dir = graph();
    wgc(&dir.0, ["run", "--inputs", "source.run.json", "--target", "spirv-amdx"]).expect(0);
    let ran = wgc(&dir.0, ["run", "--inputs", "named.run.json"]).expect(0);
    assert_eq!(ran.stderr, "");
    wgc(&dir.0, ["run", "graph.spv", "--inputs", "given.run.json", "--target", "spirv-amdx", "--order", "lifo"])
        .expect(0);
    wgc(&dir.0, ["run", "graph.hlsl", "--inputs", "named.run.json", "-enable-16bit-types"]).expect(0);
}

/// Its interface, names and values of specialisation constants come from the manifest.
#[test]
fn a_package_runs_as_its_source_does() {
    let dir = graph();
    let run = RUN.replace("NAME ", "").replace("\"spec_constants\": { \"3\": 11 },", "");
    let dir = dir.with("package.run.json", run.replace("SHADER", "packed.wgcpkg"));
    let source = ["graph.hlsl", "-enable-16bit-types", "--spec", "3=11"];
    wgc(&dir.0, source).expect(0);
    wgc(&dir.0, [&source[..], &["--pack", "--page-kib", "16", "-o", "packed.wgcpkg"]].concat()).expect(0);
    let ran = wgc(&dir.0, ["run", "--inputs", "package.run.json"]).expect(0);
    assert_eq!(ran.stderr, "");
    wgc(&dir.0, ["run", "graph.wgcpkg", "--inputs", "package.run.json", "--target", "spirv-emulated"]).expect(0);
    let refused = |args: &[&str], text: &str| {
        let ran: Ran = wgc(&dir.0, [&["run", "packed.wgcpkg"], args].concat());
        assert!(ran.status == 2 && ran.stderr.contains(text), "{args:?}: {}", ran.stderr);
    };
    let package = ["--inputs", "package.run.json"];
    refused(&["--inputs", "given.run.json"], "compile packed.wgcpkg again with --spec");
    refused(
        &[&package[..], &["--target", "spirv-amdx"]].concat(),
        "spirv-amdx runs a SPIR-V module, compiled from the source",
    );
    refused(&[&package[..], &["--page-kib", "16"]].concat(), "--page-kib is for sources");
    std::fs::write(dir.0.join("graph.wgcpkg/nodes/Leaf.spv"), []).expect("written");
    let damaged = wgc(&dir.0, ["run", "graph.wgcpkg", "--inputs", "package.run.json"]).expect(2);
    assert!(damaged.stderr.contains("nodes/Leaf.spv does not match its hash"), "{}", damaged.stderr);
    // The name and the contents contradict each other.
    for (name, kind) in [("text.wgcpkg", "a package"), ("text.spv", "a SPIR-V module")] {
        std::fs::write(dir.0.join(name), "RWStructuredBuffer<uint> Out;").expect("written");
        for command in [&["run", name, "--inputs", "package.run.json"][..], &["check", name], &[name]] {
            let refused = wgc(&dir.0, command).expect(2);
            assert!(refused.stderr.contains(&format!("{name} is not {kind}")), "{command:?}: {}", refused.stderr);
        }
    }
}

/// Without names, bindings and fields have numbers.
#[test]
fn run_files_address_unnamed_modules_by_number() {
    let bindings = [("Buf", "0.0"), ("List", "0.1"), ("C", "0.3"), ("Nearest", "0.5"), ("Pictures", "0.6")];
    // The module does not show that 0.7 is the counter of the list.
    let counter = "\"resources\": { \"0.7\": { \"zero_bytes\": 4 },";
    let mut run = RUN.replace("SHADER", "bare.spv").replace("\"resources\": {", counter);
    run = run.replace("NAME Picture\"", "0.4\"");
    for (name, number) in bindings {
        run = run.replace(&format!("NAME {name}\""), &format!("{number}\""));
    }
    let fields = ["k", "square", "f", "at", "half_word", "rows", "a", "v"].into_iter().zip([0, 1, 2, 0, 1, 2, 0, 1]);
    for (name, number) in fields {
        run = run.replace(&format!("\"{name}\":"), &format!("\"_{number}\":"));
    }
    let dir = graph().with("bare.run.json", run);
    wgc(&dir.0, ["run", "--inputs", "bare.run.json"]).expect(0);
}

/// The entry point is called by the default of the index; the node uses the specialised index.
#[test]
fn a_node_with_a_specialised_index_keeps_its_name() {
    let source = "RWStructuredBuffer<uint> Out : register(u0);
[[vk::constant_id(3)]] const uint INDEX = 1;
[Shader(\"node\")] [NodeLaunch(\"thread\")] [NodeIsProgramEntry]
void Go([MaxRecords(1)] [NodeID(\"leaf\", INDEX)] EmptyNodeOutput leaf) { leaf.ThreadIncrementOutputCount(1); }
[Shader(\"node\")] [NodeLaunch(\"thread\")] [NodeID(\"leaf\", INDEX)]
void Specialised() { InterlockedAdd(Out[0], 1); }
[Shader(\"node\")] [NodeLaunch(\"thread\")] [NodeID(\"leaf\", 0)]
void Plain() { InterlockedAdd(Out[1], 1); }
";
    let run = |constants: &str, node: &str| {
        format!(
            "{{ {constants} \"resources\": {{ \"Out\": {{ \"zero_bytes\": 8 }} }},
                \"dispatch\": [ {{ \"inputs\": [ {{ \"node\": \"Go\", \"count\": 1 }}, {{ \"node\": \"leaf\", \"count\": 3 }} ] }} ],
                \"expect\": {{ \"Out\": {{ \"u32\": [1, 3] }} }},
                \"expect_records\": {{ \"Go\": 1, \"{node}\": 1, \"leaf\": 4 }} }}"
        )
    };
    let dir = Scratch::new()
        .with("graph.hlsl", source)
        .with("plain.run.json", run("", "leaf[1]"))
        .with("given.run.json", run("\"spec_constants\": { \"3\": 5 },", "leaf[5]"));
    wgc(&dir.0, ["graph.hlsl", "--target", "spirv-amdx", "-o", "graph.spv"]).expect(0);
    for run in ["plain.run.json", "given.run.json"] {
        wgc(&dir.0, ["run", "graph.hlsl", "--inputs", run, "--target", "spirv-amdx"]).expect(0);
        wgc(&dir.0, ["run", "graph.spv", "--inputs", run]).expect(0);
    }
}

/// The hand-written graph of `tests/amdx-graphs`: 15 nodes of a tree, 8, 4, 2 and 1 by level.
#[test]
fn a_hand_written_module_runs() {
    let run = r#"{ "resources": { "0.0": { "zero_bytes": 288 } },
        "dispatch": [ { "inputs": [ { "node": "rec", "u32": [0] } ] } ],
        "expect": { "0.0": { "u32_at": { "16": 15, "20": 8, "21": 4, "22": 2, "23": 1 } } } }"#;
    let dir = Scratch::new().with("run.json", run);
    let module = root().join("tests/amdx-graphs/g2.spv");
    wgc(&dir.0, ["run".as_ref(), module.as_os_str(), "--inputs".as_ref(), "run.json".as_ref()]).expect(0);
}

#[test]
fn a_module_of_compute_shaders_runs() {
    let source = "RWStructuredBuffer<uint> Out : register(u0);
        [numthreads(2, 1, 1)] void main(uint t : SV_DispatchThreadID) { Out[t] = t * 5; }";
    let run = r#"{ "shader": "c.spv", "resources": { "Out": { "zero_bytes": 16 } },
        "dispatch": [ { "entry": "main", "groups": [2] } ], "expect": { "Out": { "u32": [0, 5, 10, 15] } } }"#;
    let dir = Scratch::new().with("c.hlsl", source).with("run.json", run);
    wgc(&dir.0, ["c.hlsl", "-T", "cs_6_0", "-E", "main", "-o", "c.spv"]).expect(0);
    wgc(&dir.0, ["run", "--inputs", "run.json"]).expect(0);
}

/// Refuses the modules of DXC for three graphs, with the verifier's reasons.
#[test]
fn dxc_modules_are_rejected_with_verifier_messages() {
    const NODES: [&str; 3] = ["Entry", "Tree", "Start"];
    for (name, node) in ["d1", "d2", "d3"].iter().zip(NODES) {
        let run = format!("{{ \"dispatch\": [ {{ \"inputs\": [ {{ \"node\": \"{node}\", \"u32\": [0] }} ] }} ] }}");
        let dir = Scratch::new().with("run.json", run);
        let module = root().join(format!("tests/amdx-graphs/dxc/{name}.spv"));
        let verified =
            wgc(&dir.0, ["verify".as_ref(), module.as_os_str(), "--message-format=short".as_ref()]).expect(1);
        let ran = wgc(&dir.0, ["run".as_ref(), module.as_os_str(), "--inputs".as_ref(), "run.json".as_ref()]).expect(1);
        assert!(ran.stderr.contains("the module breaks rules of SPV_AMDX_shader_enqueue:\n"), "{}", ran.stderr);
        let mut named = 0;
        for line in verified.stderr.lines().filter(|line| line.contains("error[AMDX-")) {
            let message = line.split_once("]: ").expect("a rule stands before the message").1;
            assert!(ran.stderr.contains(message), "{name}: {message} is missing from\n{}", ran.stderr);
            named += 1;
        }
        assert!(named >= 5, "{name}: {}", verified.stderr);
    }
}

#[test]
fn source_options_are_rejected_for_compiled_inputs() {
    let dir = graph()
        .with("defines.run.json", r#"{ "shader": "graph.spv", "defines": { "N": "1" }, "dispatch": [] }"#)
        .with("short.spv", [3, 2, 35, 7, 0, 0, 0, 0]);
    let refused = |args: &[&str], text: &str| {
        let ran: Ran = wgc(&dir.0, [&["run"], args].concat());
        assert!(ran.status != 0 && ran.stderr.contains(text), "{args:?}: {}", ran.stderr);
    };
    let given = ["--inputs", "given.run.json"];
    let with = |args: &[&'static str]| [args, &given[..]].concat();
    refused(&with(&["graph.spv", "-D", "N"]), "-D is for sources, but graph.spv is already compiled");
    refused(&with(&["graph.spv", "--target", "spirv-emulated"]), "a package, compiled from the source");
    refused(&with(&["graph.spv", "graph.hlsl"]), "which runs alone, but 2 files were given");
    refused(&with(&["short.spv"]), "short.spv: ");
    refused(&["--inputs", "defines.run.json"], "this is for sources");
}

/// Few devices have atomics of floats, so other memory uses integers; only texels need the float type.
#[test]
fn floats_are_exchanged_as_their_bits() {
    let shader = root().join("tests/run/float_exchange.hlsl").to_string_lossy().into_owned();
    let dir = Scratch::new();
    for target in ["spirv-emulated", "spirv-amdx"] {
        let text = wgc(&dir.0, [&shader, "--target", target, "--emit", "asm"]).expect(0).out();
        let exchanges = || text.lines().filter(|line| line.contains("OpAtomicExchange "));
        let of_texels = exchanges().filter(|line| line.contains("OpAtomicExchange %float "));
        assert_eq!((exchanges().count(), of_texels.count()), (9, 2), "{target}");
    }
    let features = |shader: &str| {
        wgc(&dir.0, [shader, "-o", "out.wgcpkg"]).expect(0);
        let manifest = std::fs::read_to_string(dir.0.join("out.wgcpkg/manifest.json")).expect("it was written");
        let manifest: serde_json::Value = serde_json::from_str(&manifest).expect("it is JSON");
        manifest["features"].clone()
    };
    assert_eq!(features(&shader), serde_json::json!(["shaderImageFloat32Atomics"]));
    let text = std::fs::read_to_string(&shader).expect("it can be read");
    let elsewhere: Vec<&str> = text.lines().filter(|l| !l.contains("Plane[") && !l.contains("Line[")).collect();
    let without = Scratch::new().with("elsewhere.hlsl", elsewhere.join("\n"));
    assert_eq!(features(&without.0.join("elsewhere.hlsl").to_string_lossy()), serde_json::json!([]));
}

/// Strings of SPIR-V end at a NUL character: names cannot contain one, and source text has a space instead.
#[test]
fn nul_characters_do_not_reach_modules() {
    let compute = "// \0\nRWStructuredBuffer<uint> Out;\n[numthreads(1, 1, 1)] void main() { Out[0] = 1; }\n";
    let printing = "[numthreads(1, 1, 1)] void main() { printf(\"a\\0bcdefgh\"); }\n";
    let dir = Scratch::new().with("nul.hlsl", compute).with("print.hlsl", printing);
    let node = "[Shader(\"node\")] [NodeLaunch(\"thread\")] [NodeID(\"a\\0bcdef\")] void f() { }\n";
    let dir = dir.with("node.hlsl", node);
    for options in [["-Zi"], ["-fspv-debug=source"]] {
        let line = ["nul.hlsl", "-T", "cs_6_6", "-E", "main", "--emit", "asm"];
        let text = wgc(&dir.0, line.iter().chain(&options)).expect(0).out();
        assert!(text.contains("RWStructuredBuffer<uint> Out;") && !text.contains('\0'), "{text}");
    }
    let text = wgc(&dir.0, ["print.hlsl", "-T", "cs_6_6", "-E", "main", "--emit", "asm"]).expect(0).out();
    assert!(text.contains("OpString \"a\""), "{text}");
    for command in [["node.hlsl", "-spirv"], ["check", "node.hlsl"]] {
        let ran = wgc(&dir.0, command).expect(1);
        assert!(ran.stderr.contains("`NodeID` expects a string without a NUL character"), "{}", ran.stderr);
    }
}
