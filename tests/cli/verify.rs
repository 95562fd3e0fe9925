//! `wgc verify`: modules of other compilers, damaged ones, and our own.

use crate::support::{Scratch, root, wgc};
use serde_json::Value;

/// A module of another compiler that breaks rules of the extension.
fn foreign() -> String {
    root().join("tests/amdx-graphs/dxc/d2.spv").display().to_string()
}

fn valid() -> String {
    root().join("tests/amdx-graphs/g1.spv").display().to_string()
}

#[test]
fn a_valid_module_is_silent_and_a_broken_one_is_explained() {
    let dir = Scratch::new();
    let ran = wgc(&dir.0, ["verify", &valid()]).expect(0);
    assert_eq!((ran.out().as_str(), ran.stderr.as_str()), ("", ""));
    // Each file is checked, and the worst result decides the status.
    let ran = wgc(&dir.0, ["verify", &valid(), &foreign()]).expect(1);
    for part in [
        "error[AMDX-38]: OpEnqueueNodePayloadsAMDX in node `Tree` sends the Function variable",
        "d2.spv, word 442",
        "  = help: send the pointer that OpAllocateNodePayloadsAMDX returned\n",
        "  = rule: enqueued payloads were allocated (SPV OpEnqueueNodePayloadsAMDX)\n",
        "warning[AMDX-39]: node `Tree`: the payloads",
        "d2.spv: 5 errors, 1 warning\n",
    ] {
        assert!(ran.stderr.contains(part), "{part:?} is missing from\n{}", ran.stderr);
    }
    assert!(!ran.stderr.contains("g1.spv"), "{}", ran.stderr);
}

#[test]
fn verify_supports_machine_readable_formats() {
    let dir = Scratch::new();
    let short = wgc(&dir.0, ["verify", &foreign(), "--message-format", "short"]).expect(1).stderr;
    assert_eq!(short.lines().count(), 6, "{short}");
    assert!(short.contains("d2.spv:word 442: error[AMDX-38]: "), "{short}");
    let ran = wgc(&dir.0, ["verify", &foreign(), "--message-format", "json"]).expect(1);
    assert_eq!(ran.stderr, "");
    let objects: Vec<Value> =
        ran.out().lines().map(|line| serde_json::from_str(line).expect("an object a line")).collect();
    let sent = objects.iter().find(|o| o["code"] == "AMDX-38").expect("it is among them");
    assert_eq!((&sent["severity"], &sent["word"], &sent["file"]), (&"error".into(), &442.into(), &Value::Null));
    let log = wgc(&dir.0, ["verify", &foreign(), &valid(), "--message-format", "sarif"]).expect(1).out();
    let log: Value = serde_json::from_str(&log).expect("one document");
    let runs = log["runs"].as_array().expect("runs");
    let results: Vec<usize> = runs.iter().filter_map(|r| Some(r["results"].as_array()?.len())).collect();
    assert_eq!(results, [6, 0], "a run for each module");
    let [first, ..] = runs.as_slice() else { panic!("no run") };
    let rule = first["results"][0]["ruleIndex"].as_u64().and_then(|n| usize::try_from(n).ok()).expect("an index");
    assert_eq!(first["tool"]["driver"]["rules"][rule]["id"], first["results"][0]["ruleId"]);
}

#[test]
fn verify_accepts_own_output_and_reports_source_lines() {
    let graph = "struct R { uint v; };\n[Shader(\"node\")] [NodeLaunch(\"thread\")]\nvoid Only([MaxRecords(1)] \
                 NodeOutput<R> Next) {\n    ThreadNodeOutputRecords<R> r = Next.GetThreadNodeOutputRecords(1);\n    \
                 r.OutputComplete();\n}\n[Shader(\"node\")] [NodeLaunch(\"thread\")]\nvoid Next(ThreadNodeInputRecord<R> input) {}\n";
    let dir = Scratch::new().with("graph.hlsl", graph);
    wgc(&dir.0, ["graph.hlsl", "--target", "spirv-amdx"]).expect(0);
    wgc(&dir.0, ["verify", "graph.spv"]).expect(0);
    // OpAllocateNodePayloadsAMDX is 5074: its visibility is replaced by its node index, a constant of another value.
    let mut bytes = std::fs::read(dir.0.join("graph.spv")).expect("it is there");
    let opcode = (6u32 << 16 | 5074).to_le_bytes();
    let at = bytes.chunks_exact(4).position(|word| word == opcode).expect("it allocates") * 4;
    bytes.copy_within(at + 20..at + 24, at + 12);
    std::fs::write(dir.0.join("graph.spv"), bytes).expect("written");
    let broken = wgc(&dir.0, ["verify", "graph.spv"]).expect(1).stderr;
    assert!(broken.contains("error[AMDX-33]") && broken.contains("from graph.hlsl:4:"), "{broken}");
}

#[test]
fn a_shared_input_is_read_only_for_the_sharing_node() {
    let source = "struct R { uint v; };\nRWStructuredBuffer<uint> Out : register(u0);\n\
        [Shader(\"node\")] [NodeLaunch(\"thread\")]\nvoid Owner(ThreadNodeInputRecord<R> i) { Out[0] = i.Get().v; }\n\
        [Shader(\"node\")] [NodeLaunch(\"thread\")] [NodeShareInputOf(\"Owner\")]\n\
        void Joins(ThreadNodeInputRecord<R> i) { Out[1] = i.Get().v; }\n";
    let dir = Scratch::new().with("share.hlsl", source);
    let text = wgc(&dir.0, ["share.hlsl", "--target", "spirv-amdx", "--emit", "asm"]).expect(0).out();
    assert_eq!(text.matches("NonWritable").count(), 1, "the one member of the one input\n{text}");
}

#[test]
fn verify_distinguishes_other_files_from_damaged_modules() {
    let bytes = std::fs::read(valid()).expect("it is there");
    let dir = Scratch::new().with("text.spv", "not words");
    std::fs::write(dir.0.join("cut.spv"), &bytes[..bytes.len() - 8]).expect("written");
    let text = wgc(&dir.0, ["verify", "text.spv"]).expect(2).stderr;
    assert_eq!(text, "wgc: text.spv is not a SPIR-V module\n");
    assert!(wgc(&dir.0, ["verify", "missing.spv"]).expect(2).stderr.contains("cannot read missing.spv"));
    assert!(wgc(&dir.0, ["verify"]).expect(2).stderr.contains("needs SPIR-V modules"));
    let cut = wgc(&dir.0, ["verify", "cut.spv"]).expect(1).stderr;
    assert!(cut.starts_with("error: ") && cut.contains("--> cut.spv, word"), "{cut}");
}

/// Compiles two graphs with arrays of nodes, whose entry points are `name.index`.
fn arrays(dir: Scratch) -> Scratch {
    let graph = |entry: &str, array: &str| {
        format!(
            "[Shader(\"node\")] [NodeLaunch(\"thread\")]\nvoid {entry}([MaxRecords(1)] [NodeArraySize(2)] \
             EmptyNodeOutputArray {array}) {{ {array}[1].ThreadIncrementOutputCount(1); }}\n\
             [Shader(\"node\")] [NodeLaunch(\"thread\")] [NodeID(\"{array}\", 0)] void First() {{ }}\n\
             [Shader(\"node\")] [NodeLaunch(\"thread\")] [NodeID(\"{array}\", 1)] void Second() {{ }}\n"
        )
    };
    let dir = dir.with("u.hlsl", graph("E", "A")).with("v.hlsl", graph("Start", "B"));
    for file in ["u.hlsl", "v.hlsl"] {
        wgc(&dir.0, [file, "--target", "spirv-amdx"]).expect(0);
        wgc(&dir.0, [file, "--target", "spirv-amdx", "--split-nodes"]).expect(0);
    }
    dir
}

#[test]
fn graph_option_verifies_modules_as_one_graph() {
    let dir = arrays(Scratch::new());
    for args in
        [&["u.spv", "v.spv"][..], &["u.spv", "u.spv"], &["u.E.spv", "v.Start.spv"], &["--graph", "u.spv", "v.spv"]]
    {
        assert_eq!(wgc(&dir.0, ["verify"].iter().chain(args)).expect(0).stderr, "", "{args:?}");
    }
    let whole = ["verify", "--graph", "u.E.spv", "u.A.spv", "u.A_1.spv"];
    assert_eq!(wgc(&dir.0, whole).expect(0).stderr, "");
    let missing = wgc(&dir.0, ["verify", "--graph", "u.E.spv", "u.A_1.spv"]).expect(1).stderr;
    assert!(missing.contains("error[AMDX-54]") && missing.contains("`A`[0]"), "{missing}");
    let alone = wgc(&dir.0, ["verify", "--graph", "u.E.spv"]).expect(1).stderr;
    assert!(alone.contains("error[AMDX-54]"), "{alone}");
    let twice = wgc(&dir.0, ["verify", "--graph", "u.spv", "u.A_1.spv"]).expect(1).stderr;
    assert!(twice.contains("duplicate node `A`[1] in the graph"), "{twice}");
}
