//! Reloading packages: a host has to rebuild the modules whose `code` has changed, and no others.

use crate::support::{Scratch, wgc};
use std::collections::BTreeMap;

const GRAPH: &str = "\
RWStructuredBuffer<uint> Out : register(u0);
struct R { uint v; };
[Shader(\"node\")] [NodeLaunch(\"thread\")] [NodeIsProgramEntry]
void First(ThreadNodeInputRecord<R> input, [MaxRecords(1)] NodeOutput<R> Last)
{
    ThreadNodeOutputRecords<R> made = Last.GetThreadNodeOutputRecords(1);
    made.Get().v = input.Get().v + 1;
    made.OutputComplete();
}
[Shader(\"node\")] [NodeLaunch(\"thread\")]
void Last(ThreadNodeInputRecord<R> input)
{
    uint value = input.Get().v;
    InterlockedAdd(Out[0], value);
}
";

/// Returns a hash of each module, by file.
fn hashes(text: &str, which: &str) -> BTreeMap<String, String> {
    let dir = Scratch::new().with("graph.hlsl", text);
    wgc(&dir.0, ["graph.hlsl", "--fusion=off"]).expect(0);
    let manifest = std::fs::read(dir.0.join("graph.wgcpkg/manifest.json")).expect("a package has a manifest");
    let manifest: serde_json::Value = serde_json::from_slice(&manifest).expect("it is JSON");
    let field = |module: &serde_json::Value, name: &str| module[name].as_str().expect("it is a text").to_owned();
    let modules = manifest["modules"].as_array().expect("there are modules");
    modules.iter().map(|module| (field(module, "file"), field(module, which))).collect()
}

fn changed(text: &str, which: &str) -> Vec<String> {
    let (before, after) = (hashes(GRAPH, which), hashes(text, which));
    assert_eq!(before.keys().collect::<Vec<_>>(), after.keys().collect::<Vec<_>>());
    after.into_iter().filter(|(file, hash)| before[file] != *hash).map(|(file, _)| file).collect()
}

#[test]
fn renames_and_moved_lines_keep_code_hashes() {
    let moved = format!("// A line more.\n\n{GRAPH}");
    assert_eq!(changed(&moved, "code"), [""; 0]);
    assert_eq!(changed(&moved, "hash"), ["nodes/First.spv", "nodes/Last.spv"]);
    assert_eq!(changed(&GRAPH.replace("value", "amount"), "code"), [""; 0]);
}

/// The printed format is part of the code, though SPIR-V stores it in the same instruction as the names of files.
#[test]
fn printf_formats_are_part_of_the_code_hash() {
    let printing = |text: &str| GRAPH.replace("uint value", &format!("printf(\"{text} %u\", 1); uint value"));
    let (one, other) = (hashes(&printing("one"), "code"), hashes(&printing("other"), "code"));
    assert_eq!(one["nodes/First.spv"], other["nodes/First.spv"]);
    assert_ne!(one["nodes/Last.spv"], other["nodes/Last.spv"]);
}

#[test]
fn an_edit_in_a_body_changes_the_code_of_its_node() {
    assert_eq!(changed(&GRAPH.replace(".v + 1", ".v + 2"), "code"), ["nodes/First.spv"]);
    assert_eq!(changed(&GRAPH.replace("Out[0], value", "Out[0], value * 2"), "code"), ["nodes/Last.spv"]);
}
