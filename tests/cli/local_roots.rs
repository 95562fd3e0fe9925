//! Local root arguments: errors in the arguments of a run file, and types that are not allowed.

use crate::support::{Scratch, wgc};
use std::collections::BTreeSet;

const GRAPH: &str = "\
LocalRootSignature Own = { \"RootConstants(num32BitConstants = 2, b1), UAV(u5), UAV(u2)\" };
struct Item { uint n; };
cbuffer Step : register(b1) { uint by; uint more; };
RWStructuredBuffer<uint> Out : register(u2);
[Shader(\"node\")] [NodeLaunch(\"thread\")] [NodeLocalRootArgumentsTableIndex(4)]
void Add(ThreadNodeInputRecord<Item> input) { Out[0] = input.Get().n * by + more; }
";

/// Returns the status, and the text of standard error after the name of the run file.
fn run(table: &str, resources: &str, expect: &str, options: &[&str]) -> (i32, String) {
    let file = format!(
        "{{ \"shader\": \"a.hlsl\", \"resources\": {{ {resources} }}, \"local_root_arguments\": {table},\n\
         \"dispatch\": [ {{ \"inputs\": [ {{ \"node\": \"Add\", \"records\": [ {{ \"n\": 3 }} ] }} ] }} ],\n\
         \"expect\": {{ {expect} }} }}"
    );
    let dir = Scratch::new().with("a.hlsl", GRAPH).with("a.run.json", file);
    let ran = wgc(&dir.0, ["run", "--inputs", "a.run.json"].iter().chain(options));
    (ran.status, ran.stderr.replace("wgc: ", "").replace("a.run.json:", ""))
}

const OUT: &str = "\"Out\": { \"zero_bytes\": 4 }";

#[test]
fn local_root_records_use_own_then_shared_resources() {
    // 3 * 5 + 7.
    let own =
        format!("[ {{ \"table_index\": 4, \"fields\": {{ \"by\": 5, \"more\": 7 }}, \"resources\": {{ {OUT} }} }} ]");
    assert_eq!(run(&own, "", "\"Out@4\": { \"u32\": [22] }", &[]), (0, String::new()));
    let step = "\"Step\": { \"u32\": [5, 7, 9, 9] }";
    assert_eq!(run("[]", &format!("{step}, {OUT}"), "\"Out\": { \"u32\": [22] }", &[]), (0, String::new()));
    let fields = "[ { \"table_index\": 4, \"fields\": { \"by\": 2, \"more\": 1 } } ]";
    assert_eq!(run(fields, &format!("{step}, {OUT}"), "\"Out\": { \"u32\": [7] }", &[]), (0, String::new()));
    // On the native target they are plain bindings.
    let native = ["--target", "spirv-amdx"];
    assert_eq!(run("[]", &format!("{step}, {OUT}"), "\"Out\": { \"u32\": [22] }", &native), (0, String::new()));
}

#[test]
fn local_root_argument_errors_have_locations() {
    let entry = |text: &str| format!("[ {{ \"table_index\": {text} }} ]");
    let given = "\"fields\": { \"by\": 1, \"more\": 1 }";
    let cases = [
        (
            format!("[ {{ \"table_index\": 4, {given} }}, {{ \"table_index\": 4 }} ]"),
            "local_root_arguments[1].table_index: duplicate local root arguments 4",
        ),
        (
            entry("4"),
            "resources: the shader uses local root arguments that are missing in this file: Step of record 4 \
             (constant buffer, 16 bytes), Out of record 4 (writable buffer of uint, 4 bytes each)",
        ),
        (
            entry("4, \"fields\": { \"by\": 1, \"less\": 1 }"),
            "local_root_arguments[0].fields.less: no constants of the local root arguments 4 contain \"less\"",
        ),
        (
            entry("4, \"fields\": { \"by\": 1 }"),
            "local_root_arguments[0].fields: fields of Step are missing: more (uint)",
        ),
        (
            entry(&format!("4, {given}, \"resources\": {{ \"Inn\": {{ \"zero_bytes\": 4 }} }}")),
            "the shader finds in this record no resource \"Inn\"; it finds in this record: Step, Out",
        ),
        (
            entry(&format!("4, {given}, \"resources\": {{ \"Out\": {{ \"zero_bytes\": 3 }} }}")),
            "3 bytes are not a whole number of elements: each is uint, 4 bytes",
        ),
        (
            entry(&format!("4, {given}, \"resources\": {{ \"Out\": [ {{ \"zero_bytes\": 4 }} ] }}")),
            "Out is one resource, not an array",
        ),
    ];
    for (table, expected) in cases {
        let (status, output) = run(&table, "", "", &["--print", "Out@4"]);
        assert!(status == 2 && output.contains(expected), "{table}: exit {status}\n{output}");
    }
}

/// A table, heaps and constants may be shared with other programs, so unused entries cause warnings.
#[test]
fn unused_run_file_entries_cause_warnings() {
    let step = "\"Step\": { \"u32\": [5, 7, 9, 9] }";
    let both = format!("{OUT}, {step}");
    let expect = "\"Out\": { \"u32\": [22] }";
    let entry = |text: &str| format!("[ {{ \"table_index\": {text} }} ]");
    let native = ["--target", "spirv-amdx"];
    let heap = r#"[], "resource_heap": [ { "zero_bytes": 4 } ], "spec_constants": { "3": 1 }"#;
    let cases: [(&str, &[&str], &[&str]); 4] = [
        (
            &entry("5, \"fields\": { \"by\": 1 }"),
            &[],
            &["local_root_arguments[0].table_index: no node has the local root arguments 5; nodes have: 4"],
        ),
        (&entry("5, \"resources\": { \"Out\": { \"zero_bytes\": 4 } }"), &[], &["local root arguments 5"]),
        (&entry("4"), &native, &["no node of this program reads local root arguments from a table"]),
        (
            heap,
            &[],
            &[
                "spec_constants.3: the program has no specialisation constant with this number",
                "resource_heap: the shader uses nothing of ResourceDescriptorHeap",
            ],
        ),
    ];
    for (table, options, expected) in cases {
        let (status, output) = run(table, &both, expect, options);
        assert_eq!(status, 0, "{table}\n{output}");
        assert_eq!(output.lines().count(), expected.len(), "{output}");
        for text in expected {
            assert!(output.contains(text) && output.starts_with("warning: "), "{table}\n{output}");
        }
    }
    // A duplicate entry is an error even if nothing reads it.
    let twice = "[ { \"table_index\": 5 }, { \"table_index\": 5 } ]";
    let (status, output) = run(twice, &both, expect, &[]);
    assert!(status == 2 && output.contains("duplicate local root arguments 5"), "{output}");
}

/// Compiles a graph of one node with this signature. Returns the manifest, and the alignments in its module, largest
/// last.
fn emulated(signature: &str, declarations: &str, body: &str) -> (serde_json::Value, Vec<u32>) {
    let source = format!(
        "LocalRootSignature Signature = {{ \"{signature}\" }};\n{declarations}\n\
         RWStructuredBuffer<float> Result : register(u0);\n\
         [Shader(\"node\")] [NodeLaunch(\"thread\")]\nvoid Main() {{ {body} }}\n"
    );
    let dir = Scratch::new().with("a.hlsl", &source);
    let made = wgc(&dir.0, ["a.hlsl", "--target", "spirv-emulated", "-o", "a.wgcpkg"]);
    assert_eq!(made.status, 0, "{source}{}", made.stderr);
    let text = wgc(&dir.0, ["a.hlsl", "--target", "spirv-emulated", "--emit", "asm"]).out();
    let text = text.split_once("; ---- nodes/Main.spv").expect("the node has a module").1;
    let aligned =
        text.lines().filter(|line| line.contains("Aligned")).filter_map(|line| line.rsplit(' ').next()?.parse().ok());
    let mut aligned: Vec<u32> = aligned.collect();
    aligned.sort_unstable();
    let manifest = std::fs::read_to_string(dir.0.join("a.wgcpkg/manifest.json")).expect("a package has a manifest");
    (serde_json::from_str(&manifest).expect("it is JSON"), aligned)
}

#[test]
fn local_root_tables_align_to_eight_only_for_64_bit_values() {
    const WORD: &str = "cbuffer C : register(b1) { float c; };";
    const WIDE: &str = "cbuffer C : register(b1) { uint64_t c; };";
    // Signature, declarations, use; stride, and alignment of the table.
    let cases = [
        ("RootConstants(num32BitConstants = 1, b1)", WORD, "Result[0] = c;", 4, 4),
        ("RootConstants(num32BitConstants = 3, b1)", WORD, "Result[0] = c;", 12, 4),
        ("RootConstants(num32BitConstants = 2, b1)", WIDE, "Result[0] = (float)c;", 8, 8),
        ("RootConstants(num32BitConstants = 1, b1), UAV(u9)", WORD, "Result[0] = c;", 16, 8),
        ("CBV(b1)", WORD, "Result[0] = c;", 8, 8),
    ];
    for (signature, declarations, body, stride, align) in cases {
        let (manifest, _) = emulated(signature, declarations, body);
        let roots = &manifest["local_roots"];
        assert_eq!((roots["stride"].as_u64(), roots["align"].as_u64()), (Some(stride), Some(align)), "{signature}");
    }
}

/// Members of a table have no binding. The heaps that hold them have the binding from the command line.
#[test]
fn descriptor_tables_map_to_heap_ranges() {
    let signature = "UAV(u9), DescriptorTable(CBV(b0), SRV(t2, numDescriptors = 2), UAV(u1, offset = 9)), \
                     DescriptorTable(Sampler(s0, numDescriptors = unbounded))";
    let source = format!(
        "LocalRootSignature Signature = {{ \"{signature}\" }};\n\
         Texture2D<float> Map : register(t3); RWStructuredBuffer<uint> List : register(u1); SamplerState S : register(s4);\n\
         RWStructuredBuffer<float> Result : register(u0);\n\
         [Shader(\"node\")] [NodeLaunch(\"thread\")] void Main()\n\
         {{ Result[0] = Map.SampleLevel(S, float2(0, 0), 0); List[List.IncrementCounter()] = 1; }}\n"
    );
    let dir = Scratch::new().with("a.hlsl", &source);
    let heaps = ["-fvk-bind-resource-heap", "7", "2", "-fvk-bind-sampler-heap", "8", "2"];
    let to = ["a.hlsl", "--target", "spirv-emulated", "-o", "a.wgcpkg"];
    let made = wgc(&dir.0, to.into_iter().chain(heaps));
    assert_eq!(made.status, 0, "{}", made.stderr);
    let manifest = std::fs::read_to_string(dir.0.join("a.wgcpkg/manifest.json")).expect("a package has a manifest");
    let manifest: serde_json::Value = serde_json::from_str(&manifest).expect("it is JSON");
    let places: Vec<String> = (manifest["bindings"].as_array().into_iter().flatten())
        .map(|b| format!("{} {} {}", b["name"].as_str().unwrap_or_default(), b["set"], b["binding"]))
        .collect();
    let expected = [
        "Result 0 0",
        "ResourceDescriptorHeap<Texture2D<float>> 2 7",
        "ResourceDescriptorHeap<RWStructuredBuffer<uint>> 2 7",
        "SamplerDescriptorHeap<SamplerState> 2 8",
        "counter.var.ResourceDescriptorHeap 0 5",
    ];
    assert_eq!(BTreeSet::from_iter(places.iter().map(String::as_str)), BTreeSet::from(expected));
    assert_eq!(places.len(), expected.len());
    let roots = &manifest["local_roots"];
    assert_eq!((roots["stride"].as_u64(), roots["layouts"][0]["size"].as_u64()), (Some(24), Some(24)));
    let arguments: Vec<(u64, String, Option<&str>)> =
        (roots["layouts"][0]["arguments"].as_array().into_iter().flatten())
            .map(|a| (a["offset"].as_u64().unwrap_or(99), a["kind"].to_string(), a["variables"][0]["name"].as_str()))
            .collect();
    let descriptors = |text: &str| format!("{{\"descriptors\":{{{text}}}}}");
    let expected = [
        (0, "\"address\"".to_owned(), None),
        (8, descriptors("\"first\":0,\"count\":1"), None),
        (8, descriptors("\"first\":1,\"count\":2"), Some("Map")),
        (8, descriptors("\"first\":9,\"count\":1"), Some("List")),
        (16, descriptors("\"first\":0"), Some("S")),
    ];
    assert_eq!(arguments, expected);
}

/// A static sampler is a binding whose settings are in the manifest by register. A variable with several is refused.
#[test]
fn a_static_sampler_must_be_the_same_in_all_nodes() {
    let graph = |of_b: &str, in_b: &str| {
        format!(
            "LocalRootSignature Own = {{ \"StaticSampler(s0, filter = FILTER_MIN_MAG_MIP_POINT, minLOD = 0.0f)\" }};\n\
             SubobjectToExportsAssociation Owner = {{ \"Own\", \"A\" }};\n{of_b}\n\
             SamplerState S : register(s0); SamplerState T : register(s0);\n\
             Texture2D<float> Map; RWStructuredBuffer<float> Result;\n\
             [Shader(\"node\")] [NodeLaunch(\"thread\")] void A() {{ Result[0] = Map.SampleLevel(S, float2(0, 0), 0); }}\n\
             [Shader(\"node\")] [NodeLaunch(\"thread\")] void B() {{ Result[1] = Map.SampleLevel({in_b}, float2(0, 0), 0); }}\n"
        )
    };
    let other = |settings: &str| {
        format!(
            "LocalRootSignature Other = {{ \"StaticSampler(s0{settings})\" }};\n\
             SubobjectToExportsAssociation Others = {{ \"Other\", \"B\" }};"
        )
    };
    let point = ", filter = FILTER_MIN_MAG_MIP_POINT";
    let cases = [
        (graph(&other(point), "S"), true),
        (graph(&other(""), "S"), false),
        (graph(&other(""), "T"), true),
        (graph("", "S"), false),
    ];
    for (source, is_fine) in cases {
        let dir = Scratch::new().with("a.hlsl", &source);
        let made = wgc(&dir.0, ["a.hlsl", "--target", "spirv-emulated", "-o", "a.wgcpkg", "-Wno-moved-binding"]);
        assert_eq!(made.status == 0, is_fine, "{source}{}", made.stderr);
        let refused = "error[WG0387]: `S` cannot be a local root argument of node `B`: it is not the same static sampler in all nodes";
        assert!(is_fine || made.stderr.contains(refused), "{}", made.stderr);
    }
}

#[test]
fn run_files_set_descriptor_table_offsets() {
    let source = "\
LocalRootSignature Own = { \"DescriptorTable(UAV(u1)), DescriptorTable(UAV(u2))\" };
RWStructuredBuffer<uint> Out : register(u2);
[Shader(\"node\")] [NodeLaunch(\"thread\")] void Add() { Out[0] = 7; }
";
    let run = |tables: &str| {
        let file = format!(
            "{{ \"shader\": \"a.hlsl\", \"resource_heap\": [ null, {{ \"u32\": [0] }} ],\n\
             \"local_root_arguments\": [ {{ \"table_index\": 0{tables} }} ],\n\
             \"dispatch\": [ {{ \"inputs\": [ {{ \"node\": \"Add\", \"count\": 1 }} ] }} ],\n\
             \"expect\": {{ \"ResourceDescriptorHeap[1]\": {{ \"u32\": [7] }} }} }}"
        );
        let dir = Scratch::new().with("a.hlsl", source).with("a.run.json", file);
        let ran = wgc(&dir.0, ["run", "--inputs", "a.run.json"]);
        (ran.status, ran.stderr)
    };
    assert_eq!(run(", \"tables\": [null, 1]"), (0, String::new()));
    let missing = "Out of record 0 (in a descriptor table, whose start in its heap is in \"tables\")";
    let cases = [
        ("", missing),
        (", \"tables\": [1, null]", missing),
        (", \"tables\": [null, 0]", "the descriptor table of record 0 has no writable buffer of uint"),
        (", \"tables\": [null, 2]", "at ResourceDescriptorHeap[2] for Out"),
        (", \"tables\": [null, 4294967295]", "at ResourceDescriptorHeap[4294967295] for Out"),
        (", \"tables\": [1]", "the local root arguments 0 have 2 descriptor tables, but the list has 1 numbers"),
        (", \"resources\": { \"Out\": { \"zero_bytes\": 4 } }", "the shader finds in this record no resource \"Out\""),
    ];
    for (tables, expected) in cases {
        let (status, output) = run(tables);
        assert!(status == 2 && output.contains(expected), "{tables}: exit {status}\n{output}");
    }
}

/// Addresses from a host are aligned to scalars only. The rounding of std140 does not guarantee their alignment.
#[test]
fn address_loads_use_scalar_alignment() {
    let block = "struct S { float4 v[2]; }; cbuffer C : register(b1) { float3 a; S s; float4x4 m; };";
    let body = "S copy = s; float4x4 n = m; Result[0] = copy.v[1].y + n[2][1] + a.z;";
    for signature in ["CBV(b1)", "RootConstants(num32BitConstants = 28, b1)"] {
        let (_, aligned) = emulated(signature, block, body);
        assert_eq!((aligned.first(), aligned.last()), (Some(&4), Some(&8)), "{signature}: {aligned:?}");
    }
}

/// A root argument, a declaration, a use of it, and the message.
const REFUSED: &[(&str, &str, &str, &str)] = &[
    (
        "RootConstants(num32BitConstants = 2, b1)",
        "cbuffer Own : register(b1) { uint2 a; uint b; };",
        "Result[0] = b;",
        "`Own` cannot be a local root argument of node `Main`: it has 12 bytes, but the root constants have 8",
    ),
    (
        "RootConstants(num32BitConstants = 1, b2), RootConstants(num32BitConstants = 4, b1)",
        "cbuffer Own : register(b1) { uint a; uint64_t b; };",
        "Result[0] = (uint)b;",
        "it has 64-bit values, but the root constants begin at byte 4 of the record, which is not a multiple of 8",
    ),
    (
        "SRV(t1)",
        "Texture2D<float> Own : register(t1);",
        "Result[0] = (uint)Own.Load(int3(0, 0, 0));",
        "root constants must be constant buffers, and root descriptors must be buffers other than textures",
    ),
    (
        "UAV(u1)",
        "RWStructuredBuffer<uint> Own : register(u1);",
        "uint count, stride; Own.GetDimensions(count, stride); Result[0] = count;",
        "a root descriptor is an address without a size",
    ),
    (
        "UAV(u1)",
        "RWStructuredBuffer<uint> Own : register(u1);",
        "Result[0] = Own.IncrementCounter();",
        "a root descriptor is an address without a counter",
    ),
    (
        "DescriptorTable(UAV(u9), SRV(t0, numDescriptors = 3))",
        "Texture2D<float> Own[3] : register(t1);",
        "Result[0] = (uint)Own[1].Load(int3(0, 0, 0));",
        "its array is longer than the remaining range in the descriptor table (2 registers)",
    ),
    (
        "CBV(b1)",
        "struct C { uint x; }; ConstantBuffer<C> Own[2] : register(b1);",
        "Result[0] = Own[1].x;",
        "an array of resources needs a descriptor table",
    ),
];

#[test]
fn unsupported_address_uses_are_rejected_at_declaration() {
    for (argument, declaration, use_of_it, expected) in REFUSED {
        let source = format!(
            "LocalRootSignature Signature = {{ \"{argument}\" }};\n{declaration}\n\
             RWStructuredBuffer<uint> Result : register(u0);\n\
             [Shader(\"node\")] [NodeLaunch(\"thread\")]\nvoid Main() {{ {use_of_it} }}\n"
        );
        let dir = Scratch::new().with("a.hlsl", &source);
        let refused = wgc(&dir.0, ["a.hlsl", "--target", "spirv-emulated", "-o", "a.wgcpkg", "-Wno-moved-binding"]);
        assert_eq!(refused.status, 1, "{source}{}", refused.stderr);
        assert!(refused.stderr.contains("error[WG0387]") && refused.stderr.contains(expected), "{}", refused.stderr);
        assert!(refused.stderr.contains("a.hlsl:2:"), "{}", refused.stderr);
        let taken = wgc(&dir.0, ["a.hlsl", "--target", "spirv-amdx", "-o", "a.spv", "-Wno-moved-binding"]);
        assert_eq!(taken.status, 0, "{source}{}", taken.stderr);
    }
}
