//! `--emit reflection`: the description of a graph, and its agreement with the schema.

use crate::support::{Scratch, root, wgc};
use serde_json::{Map, Value, json};
use wgc_abi::reflection::Reflection;

const GRAPH: &str = r#"#define TILE 8
[[vk::constant_id(3)]] const uint Budget = 4;
[[vk::constant_id(4)]] const bool Deep = true;
struct Work { uint3 grid : SV_DispatchGrid; float weight; };
struct [NodeTrackRWInputSharing] Item { uint16_t2 size : SV_DispatchGrid; uint low : 5, high : 27; uint list[2]; };
groupshared uint Cache[16];
RWStructuredBuffer<uint> Out : register(u2, space1);

[Shader("node")] [NodeLaunch("coalescing")]
[NumThreads(TILE, 2, 1)] [NodeIsProgramEntry]
void Gather([MaxRecords(TILE * 2)] GroupNodeInputRecords<Work> input,
    [MaxRecords(Budget)] [NodeID("tiles", 1)] [NodeArraySize(3)] [AllowSparseNodes] NodeOutputArray<Item> next,
    [MaxRecordsSharedWith(next)] EmptyNodeOutput Done)
{
    Cache[input.Count()] = 1;
}

[Shader("node")] [NodeLaunch("broadcasting")] [NodeMaxDispatchGrid(4, 5, 6)] [NumThreads(TILE, TILE, 1)] [NodeID("tiles", 2)]
[NodeMaxRecursionDepth(Deep ? Budget / 2 : Budget)] [WaveSize(32)]
void Tiles(globallycoherent RWDispatchNodeInputRecord<Item> input,
    [MaxRecords(1)] [NodeID("tiles", 2)] NodeOutput<Item> again) { }

[Shader("node")] [NodeLaunch("broadcasting")] [NodeMaxDispatchGrid(4, 5, 6)] [NumThreads(1, 2, 3)] [NodeID("tiles", 3)]
[NodeLocalRootArgumentsTableIndex(7)]
void Other(RWDispatchNodeInputRecord<Item> input) { Out[0] = 1; }

[Shader("node")] [NodeLaunch("thread")]
void Done() { }
"#;

fn reflected(dir: &std::path::Path, args: &[&str]) -> Value {
    let ran = wgc(dir, args.iter().chain(&["--emit", "reflection"])).expect(0);
    serde_json::from_slice(&ran.stdout).expect("it is JSON")
}

fn schema() -> Value {
    let path = root().join("docs/reflection.schema.json");
    serde_json::from_slice(&std::fs::read(path).expect("it can be read")).expect("it is JSON")
}

/// Returns the first violation of a schema by a value. Supports the keywords that our schema uses.
fn complaint(schema: &Value, rule: &Value, value: &Value, at: &str) -> Option<String> {
    let wrong = |what: &str| Some(format!("{at}: {what}: {value}"));
    let empty = Map::new();
    let keys = rule.as_object().expect("a schema is an object");
    let object = value.as_object().unwrap_or(&empty);
    let properties = keys.get("properties").and_then(Value::as_object).unwrap_or(&empty);
    for (key, want) in keys {
        let found = match key.as_str() {
            "$ref" => {
                let pointer = want.as_str().and_then(|w| w.strip_prefix('#')).expect("within the file");
                let rule = schema.pointer(pointer).unwrap_or_else(|| panic!("no {pointer}"));
                complaint(schema, rule, value, at)
            }
            "type" => {
                let fits = match want.as_str().expect("one type") {
                    "object" => value.is_object(),
                    "array" => value.is_array(),
                    "string" => value.is_string(),
                    "boolean" => value.is_boolean(),
                    "integer" => value.is_u64() || value.is_i64(),
                    other => panic!("type {other}"),
                };
                if fits { None } else { wrong(&format!("no {want}")) }
            }
            "const" if value != want => wrong(&format!("not {want}")),
            "enum" if !want.as_array().expect("a list").contains(value) => wrong(&format!("none of {want}")),
            "minimum" if value.as_i64() < want.as_i64() => wrong("too small"),
            "maximum" if value.as_i64() > want.as_i64() => wrong("too large"),
            "minItems" if value.as_array().map(|a| a.len() as u64) < want.as_u64() => wrong("too few"),
            "maxItems" if value.as_array().map(|a| a.len() as u64) > want.as_u64() => wrong("too many"),
            "oneOf" => {
                let rules = want.as_array().expect("a list");
                match rules.iter().filter(|rule| complaint(schema, rule, value, at).is_none()).count() {
                    1 => None,
                    n => wrong(&format!("{n} of the alternatives")),
                }
            }
            "required" => {
                let names = want.as_array().expect("a list").iter().filter_map(Value::as_str);
                names.filter(|name| !object.contains_key(*name)).map(|name| format!("{at}: no {name}")).next()
            }
            "properties" => (object.iter())
                .filter_map(|(name, part)| complaint(schema, properties.get(name)?, part, &format!("{at}.{name}")))
                .next(),
            "additionalProperties" => {
                let mut others = object.iter().filter(|(name, _)| !properties.contains_key(*name));
                match want {
                    Value::Bool(false) => others.next().map(|(name, _)| format!("{at}: {name} is unknown")),
                    rule => {
                        others.filter_map(|(name, part)| complaint(schema, rule, part, &format!("{at}.{name}"))).next()
                    }
                }
            }
            "items" => {
                let items = value.as_array().into_iter().flatten().enumerate();
                items.filter_map(|(n, part)| complaint(schema, want, part, &format!("{at}[{n}]"))).next()
            }
            "const" | "enum" | "minimum" | "maximum" | "minItems" | "maxItems" => None,
            "$schema" | "title" | "description" | "$defs" => None,
            other => panic!("the keyword {other} is not known here"),
        };
        if found.is_some() {
            return found;
        }
    }
    None
}

#[test]
fn reflection_lists_source_attributes_and_final_values() {
    let dir = Scratch::new().with("graph.hlsl", GRAPH);
    let all = reflected(&dir.0, &["graph.hlsl", "-enable-16bit-types"]);
    let name = |name: &str, index: u32| json!({ "name": name, "index": index });
    let ids: Vec<_> = all["nodes"].as_array().expect("nodes").iter().map(|n| n["id"].clone()).collect();
    assert_eq!(
        ids,
        [
            json!({ "value": name("Gather", 0) }),
            json!({ "value": name("tiles", 2), "source": "NodeID(\"tiles\", 2)" }),
            json!({ "value": name("tiles", 3), "source": "NodeID(\"tiles\", 3)" }),
            json!({ "value": name("Done", 0) }),
        ]
    );
    assert_eq!(all["node_indexes"], json!({ "Gather": 0, "tiles[2]": 1, "tiles[3]": 2, "Done": 3 }));
    let entry_points: Vec<_> =
        all["nodes"].as_array().expect("nodes").iter().map(|n| n["entry_point"].clone()).collect();
    assert_eq!(entry_points, ["Gather", "tiles.2", "tiles.3", "Done"]);
    // The array covers two of the elements 1, 2 and 3.
    let edge = |from: u32, output: u32, to: u32, decision: &str, word: &str| json!({ "from": from, "output": output, "to": to, "fusion": { decision: word } });
    let edges = [
        edge(0, 0, 1, "kept", "missing"),
        edge(0, 0, 2, "kept", "missing"),
        edge(0, 1, 3, "fused", "empty-records"),
        edge(1, 0, 1, "kept", "recursion"),
    ];
    assert_eq!(all["edges"], json!(edges));

    let [gather, tiles, other, done] = [0, 1, 2, 3].map(|n| &all["nodes"][n]);
    assert_eq!(gather["launch"], json!({ "value": "coalescing", "source": "NodeLaunch(\"coalescing\")" }));
    assert_eq!(gather["threads"], json!({ "value": [8, 2, 1], "source": "NumThreads(TILE, 2, 1)" }));
    assert_eq!(gather["entry"], json!({ "value": true, "source": "NodeIsProgramEntry" }));
    assert_eq!(gather["input"]["max_records"], json!({ "value": 16, "source": "MaxRecords(TILE * 2)" }));
    assert_eq!(gather["input"]["record"]["grid"], json!({ "offset": 0, "scalar": "u32", "components": 3 }));
    assert!(gather.get("grid").is_none(), "the records of a coalescing node launch no grid");
    let next = &gather["outputs"][0];
    assert_eq!(next["target"], json!({ "value": name("tiles", 1), "source": "NodeID(\"tiles\", 1)" }));
    assert_eq!(next["array"], json!({ "value": { "sized": 3 }, "source": "NodeArraySize(3)" }));
    assert_eq!(next["sparse"], json!({ "value": true, "source": "AllowSparseNodes" }));
    assert_eq!(next["max_records"], json!({ "value": 4, "source": "MaxRecords(Budget)", "spec_constants": [3] }));
    assert_eq!(gather["outputs"][1]["shares_budget_of"], 0);
    assert_eq!(gather["outputs"][1]["array"], json!({ "value": "single" }));
    assert!(gather["outputs"][1].get("record").is_none());
    // Four records of 16 bytes, and 4 bytes to count groups, because the empty output has no records; 64 bytes of
    // groupshared memory.
    assert_eq!(gather["limits"]["records"], json!({ "used": 4, "limit": 256 }));
    assert_eq!(gather["limits"]["bytes"], json!({ "used": 80, "limit": 32768 }));
    assert_eq!(gather["limits"]["groupshared"], json!({ "used": 64, "limit": 32768 }));
    assert_eq!(gather["limits"]["together"], json!({ "used": 64 + 64 + 4 * 8, "limit": 49152 }));

    assert_eq!(tiles["grid"], json!({ "value": { "max": [4, 5, 6] }, "source": "NodeMaxDispatchGrid(4, 5, 6)" }));
    assert_eq!(
        tiles["max_recursion"],
        json!({
            "value": 2, "source": "NodeMaxRecursionDepth(Deep ? Budget / 2 : Budget)", "spec_constants": [4, 3],
        })
    );
    assert_eq!(tiles["wave_size"]["source"], "WaveSize(32)");
    assert_eq!(tiles["entry"], json!({ "value": false }));
    assert_eq!([&tiles["input"]["read_write"], &tiles["input"]["globally_coherent"]], [true, true]);
    let record = &tiles["input"]["record"];
    assert_eq!(record["grid"], json!({ "offset": 0, "scalar": "u16", "components": 2 }));
    assert_eq!(record["tracks_sharing"], true);
    assert_eq!([&record["layout"]["size"], &record["layout"]["align"]], [16, 4]);
    let field = |name: &str, offset: u32, ty: Value| json!({ "name": name, "offset": offset, "ty": ty });
    let bits = |first: u32, width: u32| json!({ "bits": { "scalar": "u32", "first": first, "width": width } });
    assert_eq!(
        record["layout"]["fields"],
        json!([
            field("size", 0, json!({ "vector": { "scalar": "u16", "components": 2 } })),
            field("low", 4, bits(0, 5)),
            field("high", 4, bits(5, 27)),
            field("list", 8, json!({ "array": { "element": { "scalar": "u32" }, "count": 2, "stride": 4 } })),
        ])
    );
    // Gather, then three levels.
    assert_eq!(tiles["limits"]["depth"], json!({ "used": 4, "limit": 32 }));

    let index = json!({ "value": 7, "source": "NodeLocalRootArgumentsTableIndex(7)" });
    assert_eq!(other["local_root_arguments_index"], index);
    assert!(done.get("input").is_none());
    let constant =
        |id: u32, name: &str, ty: &str, bits: u32| json!({ "id": id, "name": name, "type": ty, "bits": bits });
    let constants = [constant(3, "Budget", "u32", 4), constant(4, "Deep", "bool", 1)];
    assert_eq!(all["spec_constants"], json!(constants));
    let binding = &all["bindings"][0];
    assert_eq!([&binding["set"], &binding["binding"]], [1, 2]);
    assert_eq!(binding["register"], json!({ "class": "u", "number": 2, "space": 1 }));
}

/// Nodes with a local root signature get the lowest free numbers, children before the rest of the text.
#[test]
fn local_root_arguments_get_the_lowest_free_numbers() {
    let node = |name: &str, number: &str, outputs: &str| {
        format!("[Shader(\"node\")] [NodeLaunch(\"thread\")] {number} void {name}({outputs}) {{}}\n")
    };
    let roots = "LocalRootSignature Local = { \"CBV(b1)\" };
                 SubobjectToExportsAssociation Named = { \"Local\", \"First;Second;Third;Fourth\" };\n";
    let graph = [
        roots.to_owned(),
        node("First", "", "[MaxRecords(1)] EmptyNodeOutput Fourth"),
        node("Second", "[NodeLocalRootArgumentsTableIndex(1)]", ""),
        node("Third", "[NodeLocalRootArgumentsTableIndex(-1)]", ""),
        node("Fourth", "", ""),
        node("Without", "", ""),
    ];
    let dir = Scratch::new().with("graph.hlsl", graph.concat());
    let all = reflected(&dir.0, &["graph.hlsl"]);
    let index = |n: usize| all["nodes"][n].get("local_root_arguments_index").map(|index| index["value"].clone());
    let expected = [Some(0), Some(1), Some(3), Some(2), None].map(|n: Option<u32>| n.map(Value::from));
    assert_eq!([0, 1, 2, 3, 4].map(index), expected);
    let third = &all["nodes"][2]["local_root_arguments_index"];
    assert_eq!(third["source"], "NodeLocalRootArgumentsTableIndex(-1)");
}

/// A node that shares an input has the records of the owner, and edges lead to it.
#[test]
fn reflection_edges_include_input_sharers() {
    let sharer = |name: &str, shares: &str| {
        format!(
            "[Shader(\"node\")] [NodeLaunch(\"broadcasting\")] [NumThreads(1, 1, 1)] [NodeDispatchGrid(1, 1, 1)] {shares}
             void {name}(DispatchNodeInputRecord<Item> item) {{}}\n"
        )
    };
    let graph = [
        "struct Item { uint value; };\n".to_owned(),
        sharer("Early", "[NodeShareInputOf(\"Own\")]"),
        "[Shader(\"node\")] [NodeLaunch(\"thread\")] void Main([MaxRecords(1)] NodeOutput<Item> Own) {
         ThreadNodeOutputRecords<Item> own = Own.GetThreadNodeOutputRecords(1); own.Get().value = 1; own.OutputComplete(); }\n"
            .to_owned(),
        sharer("Own", ""),
        sharer("Late", "[NodeShareInputOf(\"Own\")]"),
    ];
    let dir = Scratch::new().with("graph.hlsl", graph.concat());
    let all = reflected(&dir.0, &["graph.hlsl"]);
    let edge = |to: u32| json!({ "from": 1, "output": 0, "to": to, "fusion": { "kept": "needs-group" } });
    assert_eq!(all["edges"], json!([edge(2), edge(0), edge(3)]));
}

/// The elements of `Last` have one code. `First` sends to a node that runs in groups, too.
#[test]
fn reflection_and_picture_show_fused_edges() {
    let text = r#"struct Item { uint value; };
RWStructuredBuffer<uint> Out;
[Shader("node")] [NodeLaunch("thread")] [NodeIsProgramEntry]
void First(ThreadNodeInputRecord<Item> item, [MaxRecords(1)] [NodeArraySize(2)] NodeOutputArray<Item> Last,
    [MaxRecords(1)] NodeOutput<Item> Group)
{
    ThreadNodeOutputRecords<Item> last = Last[item.Get().value & 1].GetThreadNodeOutputRecords(1);
    last.Get().value = 1;
    last.OutputComplete();
    ThreadNodeOutputRecords<Item> group = Group.GetThreadNodeOutputRecords(1);
    group.Get().value = 2;
    group.OutputComplete();
}
[Shader("node")] [NodeLaunch("thread")] [NodeID("Last", 0)] void Last0(ThreadNodeInputRecord<Item> item) { Out[0] = 1; }
[Shader("node")] [NodeLaunch("thread")] [NodeID("Last", 1)] void Last1(ThreadNodeInputRecord<Item> item) { Out[1] = 1; }
[Shader("node")] [NodeLaunch("coalescing")] [NumThreads(32, 1, 1)] void Group(GroupNodeInputRecords<Item> item) { }
"#;
    let dir = Scratch::new().with("graph.hlsl", text);
    let edges = reflected(&dir.0, &["graph.hlsl"])["edges"].clone();
    let edge = |output: u32, to: u32, fusion: Value| json!({ "from": 0, "output": output, "to": to, "fusion": fusion });
    let fused = json!({ "fused": "one-code" });
    assert_eq!(
        edges,
        json!([edge(0, 1, fused.clone()), edge(0, 2, fused), edge(1, 3, json!({ "kept": "needs-group" }))])
    );
    let lines =
        wgc(&dir.0, ["check", "--fusion", "graph.hlsl", "--message-format", "json", "-no-warnings"]).expect(0).out();
    let lines: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).expect("an object")).collect();
    let node = |name: &str, index: u32| json!({ "node": name, "index": index });
    assert_eq!(
        lines,
        [
            json!({ "producer": node("First", 0), "output": "Last", "targets": [node("Last", 0), node("Last", 1)],
                "fused": true, "rule": "one-code", "records": 1, "operations": lines[0]["operations"] }),
            json!({ "producer": node("First", 0), "output": "Group", "targets": [node("Group", 0)], "fused": false,
                "reason": "needs-group", "message": "the consumer runs in groups, and the producer in threads" }),
        ]
    );
    let picture = wgc(&dir.0, ["graph.hlsl", "--emit", "svg"]).expect(0).out();
    let lines: Vec<&str> = picture.lines().filter(|line| line.starts_with("<path class=\"line")).collect();
    let fused = |line: &&&str| line.contains("\"line fused\"") && line.contains("; fused (one-code)</title>");
    let kept = |line: &&&str| line.contains("\"line\"") && line.contains("; not fused: the consumer runs in groups");
    // Each element has a box, since the functions have different names.
    assert_eq!((lines.iter().filter(fused).count(), lines.iter().filter(kept).count(), lines.len()), (2, 1, 3));
}

/// The host's settings are listed next to the source's.
#[test]
fn host_settings_override_source_attributes() {
    let host = r#"{ "nodes": { "Gather": { "outputs": { "next": { "max_records": 2 } } } } }"#;
    let dir =
        Scratch::new().with("graph.hlsl", GRAPH.replace("MaxRecords(Budget)", "MaxRecords(5)")).with("host.json", host);
    let all = reflected(&dir.0, &["graph.hlsl", "-enable-16bit-types", "--host", "host.json"]);
    let budget = &all["nodes"][0]["outputs"][0]["max_records"];
    assert_eq!(*budget, json!({ "value": 2, "source": "MaxRecords(5)" }));
}

#[test]
fn every_reflection_follows_the_schema_and_can_be_read_again() {
    let schema = schema();
    let dir = Scratch::new().with("graph.hlsl", GRAPH);
    let mut all = vec![reflected(&dir.0, &["graph.hlsl", "-enable-16bit-types"])];
    for folder in ["examples", "tests/run"] {
        let files = std::fs::read_dir(root().join(folder)).expect("the folder exists");
        let mut files: Vec<String> =
            files.map(|f| f.expect("it can be read").path().to_string_lossy().into_owned()).collect();
        files.sort();
        // A third of the many graphs, only those in the current language.
        let says = |f: &String, option: &str| {
            let run = std::fs::read_to_string(f.replace(".hlsl", ".run.json"));
            run.is_ok_and(|text| text.contains(&format!("\"{option}\"")))
        };
        let graph = |f: &&String| f.ends_with(".hlsl") && !says(f, "-HV") && !says(f, "-T");
        let files = files.iter().filter(graph).step_by(if folder == "examples" { 1 } else { 3 });
        let types = "-enable-16bit-types";
        all.extend(files.map(|file| match says(file, types) {
            true => reflected(root(), &[file, types, "-w"]),
            false => reflected(root(), &[file, "-w"]),
        }));
    }
    all.push(reflected(root(), &["tests/run/compute.hlsl", "-w"]));
    assert!(all.len() > 30, "{} programs", all.len());
    for reflection in &all {
        assert_eq!(complaint(&schema, &schema, reflection, "$"), None);
        let read: Reflection = serde_json::from_value(reflection.clone()).expect("it is a reflection");
        assert_eq!(serde_json::to_value(&read).expect("it can be written"), *reflection);
    }
    // The schema does reject damaged values.
    let damaged: [(&str, Value); 5] = [
        ("/version", json!(2)),
        ("/nodes/0/launch/value", json!("Thread")),
        ("/nodes/0/threads/value", json!([1, 2])),
        ("/nodes/1/grid/value", json!({ "fixed": [1, 1, 1], "max": [1, 1, 1] })),
        ("/nodes/1/input/record/layout/fields/3/ty", json!({ "list": 1 })),
    ];
    for (at, with) in damaged {
        let mut wrong = all[0].clone();
        *wrong.pointer_mut(at).unwrap_or_else(|| panic!("no {at}")) = with;
        assert!(complaint(&schema, &schema, &wrong, "$").is_some(), "{at}");
    }
    let mut wrong = all[0].clone();
    wrong["nodes"][0]["extra"] = json!(1);
    assert!(complaint(&schema, &schema, &wrong, "$").is_some());
}
