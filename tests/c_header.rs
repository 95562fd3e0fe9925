//! `--emit header`: checks the text, and that a C compiler places every member at the shader's offset.

mod support;

use std::process::{Command, Stdio};
use support::{Scratch, wgc};

const SHADER: &str = r#"
[[vk::constant_id(7)]] const uint Most = 3;
struct Frame { float4x4 view; float3 eye; uint register_count; };
[[vk::push_constant]] Frame frame;
RWStructuredBuffer<uint> Result;

struct Inner { half2 offset; bool lit; };
namespace scene {
    struct Draw
    {
        uint3 grid : SV_DispatchGrid;
        row_major float2x3 axes;
        Inner inner[2];
        double depth;
        uint kind : 4;
        uint layer : 12;
        int16_t signed_;
        uint16_t register_;
        uint8_t4_packed color;
    };
}
template<typename T> struct Pair { T a, b; };

[Shader("node")] [NodeLaunch("broadcasting")] [NodeMaxDispatchGrid(4, 4, 1)] [NumThreads(8, 1, 1)] [NodeIsProgramEntry]
void Start(DispatchNodeInputRecord<scene::Draw> input,
           [MaxRecords(2)] [NodeArraySize(2)] NodeOutputArray<Pair<int> > Shade,
           [MaxRecords(1)] EmptyNodeOutput Done)
{
    Result[0] = frame.register_count + input.Get().kind + Most;
}
[Shader("node")] [NodeLaunch("thread")] [NodeID("Shade", 0)] void First(ThreadNodeInputRecord<Pair<int> > input) {}
[Shader("node")] [NodeLaunch("thread")] [NodeID("Shade", 1)] void Second(ThreadNodeInputRecord<Pair<int> > input) {}
[Shader("node")] [NodeLaunch("coalescing")] [NumThreads(1, 1, 1)] void Done([MaxRecords(4)] EmptyNodeInput input) {}
"#;

fn header(target: &str, source: &str) -> String {
    let dir = Scratch::new().with("graph.hlsl", source);
    let args = ["graph.hlsl", "--target", target, "--emit", "header", "-enable-16bit-types"];
    wgc(&dir.0, args).expect(0).out()
}

/// Compiles the header alone as C and as C++, which evaluates its assertions.
fn compiles(text: &str) {
    let dir = Scratch::new().with("graph.h", text).with("host.c", "#include \"graph.h\"\n#include \"graph.h\"\n");
    for language in [["-xc", "-std=c11"], ["-xc++", "-std=c++11"]] {
        let mut cc = Command::new("cc");
        cc.current_dir(&dir.0).args(language);
        cc.args(["-Wall", "-Wextra", "-Wpedantic", "-Werror", "-fsyntax-only", "host.c"]);
        let output = cc.stdout(Stdio::null()).output().unwrap();
        assert!(output.status.success(), "{language:?}: {}\n{text}", String::from_utf8_lossy(&output.stderr));
    }
}

#[test]
fn hosts_fill_records_by_name() {
    let text = header("spirv-emulated", SHADER);
    compiles(&text);
    insta::assert_snapshot!(text);
    // On the native target the driver schedules the graph, so the header has no queues.
    let native = header("spirv-amdx", SHADER);
    compiles(&native);
    assert!(!native.contains("_QUEUE_") && native.contains("#define WGC_SPEC_ID_Most 7"), "{native}");
}

/// Renames names that are reserved or already declared in C.
#[test]
fn reserved_c_names_are_renamed_in_the_header() {
    let source = r#"
struct int32_t_ { uint q; uint q_; uint size_t; };
struct Words { uint not_eq, xor_eq, wchar_t, reinterpret_cast, linux, NULL, INT32_MAX, SIZE_MAX, char8_t; };
struct std { uint std; };
struct Empty { };
struct Inner { uint Outer; uint Inner; };
struct Outer { Inner Outer; Empty none; Inner Inner[2]; Empty nones[2]; std s; uint last; };
struct Rec { uint a; };
struct Rec_ { uint b; };
[Shader("node")] [NodeLaunch("thread")] [NodeIsProgramEntry] [NodeID("a\\b \"c\"")] void A(ThreadNodeInputRecord<int32_t_> i) {}
[Shader("node")] [NodeLaunch("thread")] [NodeIsProgramEntry] [NodeID("a", 2)] void B(ThreadNodeInputRecord<Rec> i) {}
[Shader("node")] [NodeLaunch("thread")] [NodeIsProgramEntry] [NodeID("a_2")] void C(ThreadNodeInputRecord<Rec_> i) {}
[Shader("node")] [NodeLaunch("thread")] [NodeIsProgramEntry] void D(ThreadNodeInputRecord<Words> i) {}
[Shader("node")] [NodeLaunch("thread")] [NodeIsProgramEntry] void E(ThreadNodeInputRecord<Outer> i) {}
"#;
    let text = header("spirv-emulated", source);
    compiles(&text);
    let lines = [
        r#"#define WGC_NAME_a_b__c "a\\b \"c\"""#,
        "#define WGC_NODE_a_2 1",
        "#define WGC_NODE_a_2_2 2",
        "#define WGC_ENTRY_a_2_2 2",
        "    uint32_t q_;",
        "    uint32_t size_t_;",
        "    uint32_t not_eq_;",
        "    uint32_t INT32_MAX_;",
        "    Inner Outer_2;",
        "    Inner Inner_2[2];",
        "    std_ s;",
        "} int32_t_;",
        "} Rec_;",
    ];
    for line in lines {
        assert!(text.lines().any(|found| found == line), "{line}\n{text}");
    }
}

/// Compiles the headers of the examples too.
#[test]
fn headers_of_the_examples_compile() {
    for shader in support::run_files("examples") {
        let source = std::fs::read_to_string(shader.with_extension("").with_extension("hlsl")).unwrap();
        let text = header("spirv-emulated", &source);
        compiles(&text);
        assert!(text.contains("#define WGC_NODE_"), "{text}");
    }
}
