//! `wgc run`: messages for runs with errors, and rejoint dispatches.

use crate::support::{PLACES, Scratch, vulkan_is_here, wgc};

/// A node that requests the number of records in its own record from an output with one; its other output has a grid
/// that is too large.
const LIMITS: &str = "\
RWStructuredBuffer<uint> Out : register(u0);
struct Ask { uint n; };
struct Grid { uint3 grid : SV_DispatchGrid; };
[Shader(\"node\")] [NodeLaunch(\"thread\")] [NodeIsProgramEntry]
void Start(ThreadNodeInputRecord<Ask> input, [MaxRecords(1)] EmptyNodeOutput Sink, [MaxRecords(1)] NodeOutput<Grid> Wide)
{
    Sink.ThreadIncrementOutputCount(input.Get().n);
    ThreadNodeOutputRecords<Grid> wide = Wide.GetThreadNodeOutputRecords(1);
    wide.Get().grid = uint3(input.Get().n, 1, 1);
    wide.OutputComplete();
}
[Shader(\"node\")] [NodeLaunch(\"thread\")]
void Sink() { InterlockedAdd(Out[0], 1); }
[Shader(\"node\")] [NodeLaunch(\"broadcasting\")] [NodeMaxDispatchGrid(2, 1, 1)] [NumThreads(1, 1, 1)]
void Wide(DispatchNodeInputRecord<Grid> input) { InterlockedAdd(Out[1], 1); }
";

/// `n` is the requested number of records, and of workgroups.
fn limits(n: u32) -> Scratch {
    let text = format!(
        r#"{{ "shader": "limits.hlsl", "resources": {{ "Out": {{ "zero_bytes": 8 }} }},
        "dispatch": [ {{ "inputs": [ {{ "node": "Start", "records": [ {{ "n": {n} }} ] }} ] }} ],
        "expect": {{ "Out": {{ "u32_at": {{ "1": {} }} }} }} }}"#,
        n.min(2)
    );
    Scratch::new().with("limits.hlsl", LIMITS).with("limits.run.json", text)
}

/// A constant has the value of the command line, else that of the run file, on each target.
#[test]
fn specialisation_constants_of_the_command_line_win() {
    let text = "struct R { uint v; };
        [[vk::constant_id(1)]] const uint N = 1;
        RWStructuredBuffer<uint> Out;
        [Shader(\"node\")] [NodeLaunch(\"thread\")] void A(ThreadNodeInputRecord<R> r) { Out[0] = N; }
        [numthreads(1, 1, 1)] void main() { Out[0] = N; }";
    let run = |dispatch: &str| {
        format!(
            r#"{{ "shader": "a.hlsl", "spec_constants": {{ "1": 6 }}, "resources": {{ "Out": {{ "zero_bytes": 4 }} }},
                "dispatch": [{{ {dispatch} }}] }}"#
        )
    };
    let dir = Scratch::new().with("a.hlsl", text);
    let dir = dir.with("graph.run.json", run(r#""inputs": [{ "node": "A", "u32": [0] }]"#));
    let dir = dir.with("compute.run.json", run(r#""groups": [1]"#));
    let value = |more: &[&'static str]| {
        let all = ["run", "--print", "Out"].into_iter().chain(more.iter().copied());
        wgc(&dir.0, all).expect(0).out().lines().next().unwrap_or_default().to_owned()
    };
    for place in [
        &["--inputs", "graph.run.json", "--target", "spirv-emulated"][..],
        &["--inputs", "graph.run.json", "--target", "spirv-amdx"],
        &["--inputs", "compute.run.json", "-T", "cs_6_6", "-E", "main"],
    ] {
        assert_eq!(value(place), "Out = [6]", "{place:?}");
        assert_eq!(value(&[place, &["--spec", "1=4"]].concat()), "Out = [4]", "{place:?}");
    }
}

#[test]
fn sanitize_error_ends_runs_with_shader_reports() {
    let vulkan = vulkan_is_here("reports on Vulkan");
    let emulated = |place: &&crate::support::Place| place.target == "spirv-emulated";
    for place in PLACES.iter().filter(emulated).filter(|place| vulkan || place.device != "vulkan") {
        let run = |n: u32, mode: &str| {
            let line = ["run", "--inputs", "limits.run.json", "--device", place.device, "--sanitize", mode];
            wgc(&limits(n).0, line)
        };
        run(1, "error").expect(0);
        for (mode, status) in [("warn", 0), ("off", 0), ("error", 1)] {
            let ran = run(3, mode).expect(status);
            let warned = ran.out().contains("warning[WG4003]") && ran.out().contains("warning[WG4006]");
            assert_eq!(warned, status == 0, "{place:?} {mode}: {}", ran.out());
            let ended = ran.stderr.starts_with("wgc: the run failed: WG4003: node Start")
                && ran.stderr.contains("(output 0, to Sink)");
            assert_eq!(ended, status == 1, "{place:?} {mode}: {}", ran.stderr);
        }
    }
}

/// 16,384 texels fit on an axis, and one more does not.
#[test]
fn images_have_a_largest_size() {
    let run = |width: u32| {
        let image = format!("{{ \"image\": {{ \"format\": \"r8_unorm\", \"size\": [{width}] }} }}");
        let file = format!(
            "{{ \"shader\": \"a.hlsl\", \"resources\": {{ \"T\": {image} }}, \"dispatch\": [{{ \"groups\": [1, 1, 1] }}] }}"
        );
        let text =
            "RWTexture1D<unorm float> T;\n[shader(\"compute\")] [numthreads(1, 1, 1)] void main() { T[0] = 1; }\n";
        let dir = Scratch::new().with("a.hlsl", text).with("a.run.json", file);
        wgc(&dir.0, ["run", "--inputs", "a.run.json", "--print", "T"])
    };
    run(16_384).expect(0);
    let error = run(16_385).expect(1).stderr;
    assert!(error.contains("16385 x 1 x 1 texels in 1 layers: the limit of each is 16384"), "{error}");
}

#[test]
fn too_small_arenas_report_the_required_bytes() {
    let dir = limits(1);
    for (arena, least) in [("1", 196608), ("190000", 196608)] {
        let ran = wgc(&dir.0, ["run", "--inputs", "limits.run.json", "--arena", arena]).expect(1);
        let message = format!(
            "wgc: the run failed: this graph needs at least {least} bytes of graph memory in a scheduled run; the \
             limit is {arena}\n"
        );
        assert_eq!(ran.stderr, message);
    }
    wgc(&dir.0, ["run", "--inputs", "limits.run.json", "--arena", "196608"]).expect(0);
}

/// Each of two nodes runs with its own wave size, independent of the other's, on both targets.
#[test]
fn nodes_run_with_their_declared_wave_size() {
    let source = "\
RWStructuredBuffer<uint> Out;
struct R { uint x; };
[Shader(\"node\")] [NodeLaunch(\"broadcasting\")] [NodeIsProgramEntry] [NodeDispatchGrid(1, 1, 1)] [NumThreads(64, 1, 1)] [WaveSize(16)]
void Sixteen(uint t : SV_GroupIndex, [MaxRecords(1)] NodeOutput<R> Any)
{
    if (t == 0) Out[0] = WaveGetLaneCount();
    GroupNodeOutputRecords<R> record = Any.GetGroupNodeOutputRecords(1);
    record.Get().x = 1;
    record.OutputComplete();
}
[Shader(\"node\")] [NodeLaunch(\"coalescing\")] [NumThreads(64, 1, 1)]
void Any([MaxRecords(1)] GroupNodeInputRecords<R> input, uint t : SV_GroupIndex)
{
    if (t == 0) Out[1] = WaveGetLaneCount();
}
";
    for lanes in ["8", "16", "32"] {
        let run = format!(
            r#"{{ "shader": "waves.hlsl", "resources": {{ "Out": {{ "u32": [0, 0] }} }},
  "dispatch": [{{ "inputs": [{{ "node": "Sixteen", "count": 1 }}] }}], "expect": {{ "Out": {{ "u32": [16, {lanes}] }} }} }}"#
        );
        let dir = Scratch::new().with("waves.hlsl", source).with("waves.run.json", run);
        for target in ["spirv-amdx", "spirv-emulated"] {
            let line = ["run", "--inputs", "waves.run.json", "--subgroup-size", lanes, "--target", target];
            wgc(&dir.0, line).expect(0);
        }
    }
}

/// An option of runs has no effect among the options of a program, so it is refused.
#[test]
fn run_options_are_rejected_in_program_args() {
    let options = ["--arena=min", "--device=vulkan", "--target=spirv-amdx", "--stats", "--records=x"];
    for option in options {
        let dir = limits(1);
        let run = std::fs::read_to_string(dir.0.join("limits.run.json")).unwrap();
        let run = run.replacen('{', &format!("{{ \"args\": [\"{option}\"], "), 1);
        std::fs::write(dir.0.join("limits.run.json"), run).unwrap();
        let ran = wgc(&dir.0, ["run", "--inputs", "limits.run.json"]).expect(2);
        let name = option.split('=').next().unwrap();
        let message = format!("`{name}` is not an option of a program: use it on the command line");
        assert!(ran.stderr.contains(&message), "{}", ran.stderr);
    }
}

/// The target is given on the command line: a run file is for all targets.
#[test]
fn emulation_options_require_the_emulated_target() {
    let settings = [
        "--arena=min",
        "--allocator=lane",
        "--page-kib=16",
        "--segment-kib=0",
        "--joint-dispatch=2",
        "--direct-targets=1",
        "--no-int64-atomics",
        "--schedule=depth",
        "--drain=2",
        "--stats",
    ];
    let dir = limits(1);
    wgc(&dir.0, ["limits.hlsl", "-spirv", "-o", "limits.spv"]).expect(0);
    for setting in settings {
        let line = ["run", "--inputs", "limits.run.json", setting, "--target"];
        wgc(&dir.0, line.iter().chain(&["spirv-emulated"])).expect(0);
        let ran = wgc(&dir.0, line.iter().chain(&["spirv-amdx"])).expect(2);
        let option = setting.split_once('=').map_or(setting, |(option, _)| option);
        let message = format!("wgc: {option} is only for emulated graphs (--target spirv-emulated)\n");
        assert_eq!(ran.stderr, message);
        wgc(&dir.0, ["run", "limits.spv", "--inputs", "limits.run.json", setting]).expect(2);
    }
    let text = std::fs::read_to_string(dir.0.join("limits.run.json")).expect("it can be read");
    let own =
        text.replacen('{', "{ \"emulation\": { \"arena\": \"min\", \"page_kib\": 16, \"allocator\": \"lane\" },", 1);
    let dir = dir.with("limits.run.json", own);
    wgc(&dir.0, ["run", "--inputs", "limits.run.json", "--target", "spirv-amdx"]).expect(0);
}

/// Sorts by value and not as text: 2 before 10, -3 before -2.
#[test]
fn sorted_records_are_in_numeric_order() {
    let shader = "\
struct Item { int at; float weight; };
[Shader(\"node\")] [NodeLaunch(\"thread\")] [NodeIsProgramEntry]
void Start(ThreadNodeInputRecord<Item> input) {}
";
    let run = r#"{ "shader": "sorted.hlsl", "dispatch": [ { "inputs": [ { "node": "Start", "records": [
        { "at": 10, "weight": 1 }, { "at": 2, "weight": 10 }, { "at": -2, "weight": 0 }, { "at": 2, "weight": -1.5 },
        { "at": -3, "weight": 0 }, { "at": 2, "weight": 9 }, { "at": 2, "weight": -20 } ] } ] } ] }"#;
    let dir = Scratch::new().with("sorted.hlsl", shader).with("sorted.run.json", run);
    let ran = wgc(&dir.0, ["run", "--inputs", "sorted.run.json", "--records", "--sorted"]).expect(0);
    let out = ran.out();
    let found: Vec<&str> = out.lines().filter_map(|line| line.strip_prefix("  ")).collect();
    let expected = [(-3, "0.0"), (-2, "0.0"), (2, "-20.0"), (2, "-1.5"), (2, "9.0"), (2, "10.0"), (10, "1.0")];
    assert_eq!(found, expected.map(|(at, weight)| format!("{{ \"at\": {at}, \"weight\": {weight} }}")), "{out}");
}

/// The offending node is reported, and all records that passed through the nodes are still counted.
#[test]
fn record_counts_are_reported_despite_broken_rules() {
    let shader = "\
RWStructuredBuffer<uint> Out : register(u0);
struct Item { uint n; };
[Shader(\"node\")] [NodeLaunch(\"thread\")] [NodeIsProgramEntry]
void First(ThreadNodeInputRecord<Item> input, [MaxRecords(1)] NodeOutput<Item> Second)
{
    ThreadNodeOutputRecords<Item> made = Second.GetThreadNodeOutputRecords(input.Get().n);
    made.Get(0).n = 1;
    made.OutputComplete();
}
[Shader(\"node\")] [NodeLaunch(\"thread\")]
void Second(ThreadNodeInputRecord<Item> input) { InterlockedAdd(Out[0], input.Get().n); }
";
    let run = r#"{ "shader": "broken.hlsl", "resources": { "Out": { "u32": [0] } },
        "dispatch": [ { "inputs": [ { "node": "First", "records": [ { "n": 2 }, { "n": 1 } ] } ] } ],
        "expect_findings": ["WG4003"], "expect_records": { "First": 2, "Second": COUNT } }"#;
    let dir = Scratch::new().with("broken.hlsl", shader);
    let dir = dir.with("right.run.json", run.replace("COUNT", "2")).with("wrong.run.json", run.replace("COUNT", "3"));
    wgc(&dir.0, ["run", "--inputs", "right.run.json"]).expect(0);
    let wrong = wgc(&dir.0, ["run", "--inputs", "wrong.run.json"]).expect(1);
    assert!(wrong.out().contains("records of Second"), "{}", wrong.out());
}

/// `First` sends records to `Second`, which triples the value.
const FUSED: &str = "\
RWStructuredBuffer<uint> Out : register(u0);
struct R { uint i; uint v; };
[Shader(\"node\")] [NodeLaunch(\"thread\")]
void First(ThreadNodeInputRecord<R> input, [MaxRecords(2)] NodeOutput<R> Second)
{
    uint n = input.Get().v % 3;
    ThreadNodeOutputRecords<R> sent = Second.GetThreadNodeOutputRecords(n);
    for (uint k = 0; k < n; ++k)
    {
        sent.Get(k).i = input.Get().i * 2 + k;
        sent.Get(k).v = input.Get().v + k;
    }
    sent.OutputComplete();
}
[Shader(\"node\")] [NodeLaunch(\"thread\")]
void Second(ThreadNodeInputRecord<R> input) { Out[input.Get().i] = input.Get().v * 3; }
";

/// A choice has priority over the mode, and the last choice over earlier ones.
#[test]
fn authors_choose_edges_to_fuse_or_to_keep() {
    let node = |name: &str, attributes: &str, output: &str, body: &str| {
        format!(
            "[Shader(\"node\")] [NodeLaunch(\"{attributes}\")]\nvoid {name}(ThreadNodeInputRecord<R> r{output}) {{ {body} }}\n"
        )
    };
    let send = |to: &str| {
        format!("ThreadNodeOutputRecords<R> o = {to}.GetThreadNodeOutputRecords(1);\n    o.OutputComplete();")
    };
    let text = "struct R { uint i; };\nRWStructuredBuffer<uint> Out;\n".to_owned()
        + &node("A", "thread\")] [NodeIsProgramEntry", ", [MaxRecords(1)] NodeOutput<R> B", &send("B"))
            .replace("Entry\")]", "Entry]")
        + &node(
            "B",
            "thread",
            ", [MaxRecords(1)] NodeOutput<R> C",
            &(send("C") + " uint old; InterlockedAdd(Out[0], 1, old); Out[1] = old;"),
        )
        + &node("C", "thread", "", "Out[0] = 2;");
    let dir = Scratch::new().with("a.hlsl", text);
    let list = |options: &[&str]| {
        let table = wgc(&dir.0, [&["check", "--fusion", "a.hlsl"], options].concat()).expect(0).out();
        let rows = table.lines().skip(1).take(2);
        let is_decision = |word: &&str| *word != "-" && word.parse::<u32>().is_err();
        let decision = |row: &str| row.split_whitespace().skip(2).take_while(is_decision).collect::<Vec<_>>().join(" ");
        rows.map(decision).collect::<Vec<_>>()
    };
    assert_eq!(list(&[]), ["one-record", "kept: memory-order"], "B and C use one buffer");
    assert_eq!(list(&["--no-fuse", "A"])[0], "kept: chosen");
    assert_eq!(list(&["--no-fuse", "A", "--fuse", "A.B"])[0], "one-record");
    assert_eq!(list(&["--fusion=off", "--fuse", "A.B"]), ["one-record", "kept: off"]);
    // The rules hold for choices, too.
    let refused = wgc(&dir.0, ["a.hlsl", "--fuse", "B.C", "-o", "a.wgcpkg"]).expect(1).stderr;
    assert!(
        refused.contains("WG0504") && refused.contains("output `C` of node `") && refused.contains("cannot be fused"),
        "{refused}"
    );
    assert_eq!(wgc(&dir.0, ["check", "a.hlsl", "--fuse", "B.C"]).expect(1).stderr, refused);
    let unknown = wgc(&dir.0, ["check", "a.hlsl", "--no-fuse", "A.C"]).expect(1).stderr;
    assert!(unknown.contains("`A.C` is neither a node with outputs nor an output of a node"), "{unknown}");
    assert!(!dir.0.join("a.wgcpkg").exists());
}

/// The list of edges is in addition to the checks.
#[test]
fn a_list_of_edges_does_not_replace_the_check() {
    let text = "struct R { uint i; };\n[Shader(\"node\")] [NodeLaunch(\"thread\")] [NodeIsProgramEntry]\n\
                void A(ThreadNodeInputRecord<R> r, [MaxRecords(1)] NodeOutput<R> B) {\n\
                    ThreadNodeOutputRecords<R> o = B.GetThreadNodeOutputRecords(1);\n    o.OutputComplete();\n}\n\
                [Shader(\"node\")] [NodeLaunch(\"thread\")]\nvoid B(ThreadNodeInputRecord<R> r) { MISTAKE }\n";
    let dir = Scratch::new().with("good.hlsl", text.replace("MISTAKE", ""));
    let dir = dir.with("bad.hlsl", text.replace("MISTAKE", "uint missing = undeclared;"));
    let listed = wgc(&dir.0, ["check", "--fusion", "good.hlsl"]).expect(0).out();
    assert!(listed.contains("A.B") && listed.contains("one-record"), "{listed}");
    wgc(&dir.0, ["check", "--fusion", "bad.hlsl"]).expect(1);
    wgc(&dir.0, ["check", "--fusion", "good.hlsl", "--library"]).expect(0);
}

#[test]
fn fused_graphs_have_the_same_results() {
    let run = r#"{ "shader": "fused.hlsl", "resources": { "Out": { "zero_bytes": 24 } },
        "dispatch": [ { "inputs": [ { "node": "First", "records": [ { "i": 0, "v": 5 }, { "i": 1, "v": 6 }, { "i": 2, "v": 7 } ] } ] } ],
        "expect": { "Out": { "u32": [15, 18, 0, 0, 21, 0] } }, "expect_records": { "First": 3, "Second": 3 } }"#;
    let dir = Scratch::new().with("fused.hlsl", FUSED).with("fused.run.json", run);
    let nodes = |name: &str| {
        let all = std::fs::read_dir(dir.0.join(name).join("nodes")).expect("a package");
        all.map(|entry| entry.expect("it can be read").file_name().to_string_lossy().into_owned()).collect::<Vec<_>>()
    };
    for (mode, count, line) in [
        ("off", 2, "pass  records of Second: 3 consumed"),
        ("full", 1, "skip  records of Second: the node runs inside"),
    ] {
        let fusion = format!("--fusion={mode}");
        let text = wgc(&dir.0, ["run", "--inputs", "fused.run.json", &fusion]).expect(0).out();
        assert!(text.contains(line), "{text}");
        let package = format!("{mode}.wgcpkg");
        wgc(&dir.0, ["fused.hlsl", &fusion, "-o", &package]).expect(0);
        assert_eq!(nodes(&package).len(), count, "{:?}", nodes(&package));
    }
}
