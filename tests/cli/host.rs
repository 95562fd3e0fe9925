//! Host files and budgets: host settings affect the checks and both targets, and mistakes are located in the JSON.

use crate::support::{Scratch, root, wgc};

/// Without the host file it has no grid, no budget, and a target of another name.
const HOSTED: &str = "\
RWStructuredBuffer<uint> Out : register(u0);
struct R { uint x; };
[Shader(\"node\")] [NodeLaunch(\"thread\")]
void first(ThreadNodeInputRecord<R> input, NodeOutput<R> onward, [MaxRecords(1)] NodeOutput<R> nowhere)
{
    Out[3] = nowhere.IsValid();
    ThreadNodeOutputRecords<R> o = onward.GetThreadNodeOutputRecords(2);
    o.Get(0).x = input.Get().x;
    o.Get(1).x = input.Get().x + 1;
    o.OutputComplete();
}
[Shader(\"node\")] [NumThreads(4, 1, 1)]
void wide(DispatchNodeInputRecord<R> input, uint thread : SV_DispatchThreadID)
{
    InterlockedAdd(Out[0], input.Get().x);
    InterlockedMax(Out[1], thread);
}
[Shader(\"node\")] [NodeLaunch(\"thread\")]
void beside(ThreadNodeInputRecord<R> input) { InterlockedAdd(Out[2], input.Get().x); }
";

const HOST: &str = r#"{
  "entries": ["start"],
  "nodes": {
    "first": {
      "name": "start",
      "outputs": {
        "onward": { "name": "part[7]", "max_records": 2 },
        "nowhere": { "allow_sparse_nodes": true }
      }
    },
    "wide": { "name": "part[7]", "dispatch_grid": [3, 1, 1] },
    "beside": { "share_input_of": "part[7]" }
  }
}"#;

/// Records 5 and 6. Each is processed by 3 groups of 4 threads, and once by the node that shares the input.
const RUN: &str = r#"{
  "shader": "hosted.hlsl",
  "resources": { "Out": { "u32": [0, 0, 0, 9] } },
  "dispatch": [{ "inputs": [{ "node": "start", "records": [{ "x": 5 }] }] }],
  "expect": { "Out": { "u32": [132, 11, 11, 0] } }
}"#;

fn hosted() -> Scratch {
    Scratch::new().with("hosted.hlsl", HOSTED).with("host.json", HOST).with("hosted.run.json", RUN)
}

#[test]
fn both_targets_apply_the_host_file() {
    let dir = hosted();
    for target in ["spirv-emulated", "spirv-amdx"] {
        wgc(&dir.0, ["run", "--host", "host.json", "--inputs", "hosted.run.json", "--target", target]).expect(0);
    }
    let without = wgc(&dir.0, ["check", "hosted.hlsl"]).expect(1).stderr;
    for code in ["WG0303", "WG0317", "WG0401"] {
        assert!(without.contains(code), "{code} in\n{without}");
    }
    let rule = wgc(&dir.0, ["-M", "--host", "host.json", "hosted.hlsl"]).expect(0).out();
    assert!(rule.contains("host.json"), "what is made depends on it: {rule}");
}

#[test]
fn programs_in_wgc_json_use_their_host_file() {
    let dir =
        hosted().with("wgc.json", r#"{ "programs": { "p": { "files": ["hosted.hlsl"], "host": "host.json" } } }"#);
    wgc(&dir.0, ["check"]).expect(0);
    wgc(&dir.0, ["run", "--program", "p", "--inputs", "hosted.run.json"]).expect(0);
}

#[test]
fn host_file_errors_have_locations() {
    let dir = hosted();
    let wrong = |text: &str| {
        std::fs::write(dir.0.join("host.json"), text).expect("written");
        wgc(&dir.0, ["check", "--message-format", "short", "--host", "host.json", "hosted.hlsl"]).expect(1).stderr
    };
    // One mistake gives one message: settings after the mistake are not reported as missing in the program.
    let wrong = |text: &str| {
        let all = wrong(text);
        assert_eq!(all.lines().count(), 1, "{all}");
        all
    };
    let unknown = wrong(&HOST.replace("\"onward\"", "\"onwrd\""));
    assert!(unknown.contains("host.json:7:9: error[WG0424]: node `first` has no output `onwrd`"), "{unknown}");
    let key = wrong(&HOST.replace("\"max_records\"", "\"maxrecords\""));
    assert!(key.contains("host.json:7:40: error[WG0423]: unknown key `maxrecords`"), "{key}");
    let grid = wrong(&HOST.replace("[3, 1, 1]", "[3, 0, 1]"));
    assert!(grid.contains("host.json:11:51: error[WG0305]: a dispatch grid must be 1 to 65,535"), "{grid}");
    let no_json = wrong("{ \"entries\": [\"start\" }");
    assert!(no_json.contains("host.json:1:23: error[WG0423]: expected `,` or `]`"), "{no_json}");
    let missing = wgc(&dir.0, ["check", "--host", "nothing.json", "hosted.hlsl"]).expect(2).stderr;
    assert!(missing.contains("cannot read nothing.json"), "{missing}");
}

#[test]
fn node_ids_distinguish_functions_of_the_same_name() {
    let part = |index: u32| {
        format!("[Shader(\"node\")] [NodeLaunch(\"thread\")] [NodeID(\"part\", {index})] void f() {{ }}\n")
    };
    let dir = Scratch::new().with("a.hlsl", part(0)).with("b.hlsl", part(1));
    let check = |node: &str| {
        let text = format!("{{ \"nodes\": {{ \"{node}\": {{ \"name\": \"part[5]\" }} }} }}");
        std::fs::write(dir.0.join("host.json"), text).expect("written");
        wgc(&dir.0, ["--emit", "ir", "a.hlsl", "b.hlsl", "--host", "host.json"])
    };
    let both = check("f").expect(1).stderr;
    assert!(both.contains("several functions are named `f`: write the node's ID"), "{both}");
    let ir = check("part[1]").expect(0).out();
    assert!(ir.contains("node \"part\"[0]") && ir.contains("node \"part\"[5]"), "{ir}");
}

/// The requests of a body are compared with the budget of the host file.
#[test]
fn flow_checks_use_budgets_of_the_host_file() {
    let dir = hosted().with("other.hlsl", "[Shader(\"node\")] [NodeLaunch(\"thread\")] void other() { }\n");
    std::fs::write(
        dir.0.join("host.json"),
        HOST.replace("\"max_records\": 2", "\"max_records\": 1").replace("\"start\"]", "\"start\", \"other\"]"),
    )
    .expect("written");
    let files: [&[&str]; 2] = [&["hosted.hlsl"], &["hosted.hlsl", "other.hlsl"]];
    let few = wgc(&dir.0, [&["check", "--host", "host.json"], files[1]].concat()).expect(0).stderr;
    assert!(few.contains("hosted.hlsl:7:"), "two records of one: {few}");
    std::fs::write(dir.0.join("host.json"), HOST).expect("written");
    assert_eq!(wgc(&dir.0, [&["check", "--host", "host.json"], files[0]].concat()).expect(0).stderr, "");
}

const BUDGETED: &str = "\
struct R { uint data[48]; };
struct [NodeTrackRWInputSharing] T { uint x; };
groupshared float table[1024];
[Shader(\"node\")] [NodeDispatchGrid(4, 1, 1)] [NumThreads(32, 1, 1)]
void cull([MaxRecords(128)] NodeOutput<R> shade, [MaxRecords(16)] NodeOutput<T> merge, uint i : SV_GroupIndex)
{
    table[i] = 0;
}
[Shader(\"node\")] [NodeLaunch(\"thread\")] [NodeMaxRecursionDepth(5)]
void shade(ThreadNodeInputRecord<R> i, [MaxRecords(1)] NodeOutput<R> shade) { }
[Shader(\"node\")] [NodeLaunch(\"thread\")] [NodeShareInputOf(\"shade\")]
void shadow(ThreadNodeInputRecord<R> i) { }
[Shader(\"node\")] [NodeDispatchGrid(4, 1, 1)] [NumThreads(32, 1, 1)]
void merge(RWDispatchNodeInputRecord<T> i) { }
";

#[test]
fn check_budget_prints_a_table() {
    let dir = Scratch::new().with("b.hlsl", BUDGETED);
    let printed = wgc(&dir.0, ["check", "--budget", "b.hlsl"]).expect(1).out();
    insta::assert_snapshot!("budget", printed);
    let lines = wgc(&dir.0, ["check", "--budget", "--message-format", "json", "b.hlsl"]).expect(1).out();
    let nodes: Vec<&str> = lines.lines().filter(|line| line.contains("\"node\":")).collect();
    // 128 x 2 x 192 + 16 x (4 + 4) = 49,280; 4 x 1,024; without tracking 49,216 + 4,096 + 8 x (256 + 16) = 55,488
    assert_eq!(
        nodes[0],
        "{\"node\":\"cull\",\"index\":0,\"launch\":\"broadcasting\",\"records\":{\"used\":272,\"limit\":256},\
         \"bytes\":{\"used\":49280,\"limit\":32768},\"groupshared\":{\"used\":4096,\"limit\":32768},\
         \"together\":{\"used\":55488,\"limit\":49152},\"depth\":{\"used\":1,\"limit\":32}}"
    );
    assert_eq!(nodes.len(), 4);
    let example = root().join("examples/classify.hlsl");
    let example = example.to_str().expect("a path");
    insta::assert_snapshot!("budget_of_an_example", wgc(&dir.0, ["check", "--budget", example]).expect(0).out());
    let refused = wgc(&dir.0, ["check", "--budget", "--message-format", "sarif", "b.hlsl"]).expect(2).out();
    assert!(refused.contains("--budget"), "{refused}");
    assert!(wgc(&dir.0, ["--budget", "b.hlsl"]).expect(2).stderr.contains("is not an option of"));
}
