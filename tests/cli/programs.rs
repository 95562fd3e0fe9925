//! Programs of several files, programs by name, and replacements for command lines: `wgc.json`,
//! `shadertoolsconfig.json`, standard input. Also checks the reports about the files that are read.

use crate::support::{Scratch, wgc, wgc_with_input};
use crate::{GRAPH, graph};

const FIRST: &str = "\
#include \"item.hlsli\"
#ifndef STEP
#define STEP 1
#endif
uint step(uint n) { return n * 10 + STEP; }
[Shader(\"node\")] [NodeLaunch(\"thread\")]
void First(ThreadNodeInputRecord<Item> input, [MaxRecords(1)] NodeOutput<Item> Second) {
    ThreadNodeOutputRecords<Item> o = Second.GetThreadNodeOutputRecords(1);
    o.Get().n = step(input.Get().n);
    o.OutputComplete();
}
";

const SECOND: &str = "\
#include \"item.hlsli\"
RWStructuredBuffer<uint> Out;
#ifdef STEP
#define ADD 1000
#else
#define ADD 7
#endif
uint step(uint n) { return n * 100 + ADD; }
[Shader(\"node\")] [NodeLaunch(\"thread\")]
void Second(ThreadNodeInputRecord<Item> input) { Out[0] = step(input.Get().n); }
";

/// The first maps 4 to 41, the second 41 to 4107.
const RUN: &str = r#"{
  "shader": ["first.hlsl", "second.hlsl"],
  "resources": { "Out": { "u32": [0] } },
  "dispatch": [{ "inputs": [{ "node": "First", "records": [{ "n": 4 }] }] }],
  "expect": { "Out": { "u32": [4107] } }
}"#;

fn two_files() -> Scratch {
    Scratch::new()
        .with("item.hlsli", "struct Item { uint n; };\n")
        .with("first.hlsl", FIRST)
        .with("second.hlsl", SECOND)
        .with("two.run.json", RUN)
}

#[test]
fn several_files_form_one_graph_with_separate_scopes() {
    let dir = two_files();
    for target in ["spirv-emulated", "spirv-amdx"] {
        wgc(&dir.0, ["run", "--inputs", "two.run.json", "--target", target]).expect(0);
    }
    let alone = wgc(&dir.0, ["check", "first.hlsl"]).expect(1);
    assert!(alone.stderr.contains("targets `Second`, which does not exist"), "{}", alone.stderr);
    wgc(&dir.0, ["check", "first.hlsl", "second.hlsl"]).expect(0);
    // A macro between the files applies to the second; one before or after both applies to both.
    let run = |args: &[&str]| {
        let all = [&["run", "--inputs", "two.run.json"], args].concat();
        wgc(&dir.0, all).expect(1).out()
    };
    assert!(run(&["first.hlsl", "-D", "STEP=2", "second.hlsl"]).contains("found 5100"), "41 * 100 + 1000");
    for args in [["-DSTEP=2", "first.hlsl", "second.hlsl"], ["first.hlsl", "second.hlsl", "-DSTEP=2"]] {
        assert!(run(&args).contains("found 5200"), "42 * 100 + 1000");
    }
    let refused = wgc(&dir.0, ["-T", "cs_6_6", "-E", "main", "first.hlsl", "second.hlsl"]).expect(2);
    assert!(refused.stderr.contains("from one file"), "{}", refused.stderr);
}

#[test]
fn wgc_json_names_programs() {
    let dir = two_files().with(
        "wgc.json",
        r#"{ "programs": {
            "both": { "files": [{ "file": "first.hlsl", "defines": { "STEP": 1 } }, "second.hlsl"] },
            "strict": { "files": ["first.hlsl"], "options": ["--library", "-WX"], "include": ["nowhere"] },
            "hosted": { "files": ["first.hlsl", "second.hlsl"], "host": "host.json", "defines": { "A": true, "B": "x" } }
        } }"#,
    );
    let dir = dir.with("host.json", r#"{ "entries": ["First", "Second"] }"#);
    std::fs::create_dir(dir.0.join("sub")).expect("made");
    wgc(&dir.0, ["--program", "both"]).expect(0);
    assert!(dir.entries().contains(&"both.wgcpkg".to_string()));
    wgc(&dir.0, ["run", "--program", "both", "--inputs", "two.run.json"]).expect(0);
    let ir = wgc(&dir.0, ["--program", "hosted", "--emit", "ir"]).expect(0).out();
    assert!(ir.contains("node \"Second\"[0] = @Second {\n  launch thread threads 1 1 1 entry"), "{ir}");
    // Checks all programs from a subfolder.
    wgc(&dir.0.join("sub"), ["check"]).expect(0);
    std::fs::write(dir.0.join("second.hlsl"), "void f() { x; }").expect("written");
    let all = wgc(&dir.0.join("sub"), ["check", "--message-format", "short"]).expect(1).stderr;
    assert_eq!(all.matches("cannot find `x`").count(), 2, "two of three programs have that file:\n{all}");

    let wrong = |json: &str, args: &[&str]| {
        std::fs::write(dir.0.join("wgc.json"), json).expect("written");
        wgc(&dir.0, args).expect(2).stderr
    };
    let check: &[&str] = &["check"];
    assert!(
        wrong("{ \"programs\": { \"a\": { \"fils\": [] } } }", check)
            .starts_with("wgc: wgc.json:1:29: unknown key `fils`")
    );
    let braces = wrong("{ \"programs\": {}, \"format\": { \"braces\": 5 } }", check);
    assert!(braces.starts_with("wgc: wgc.json:1:41: expected a string"), "{braces}");
    let twice = "{ \"programs\": {\n \"a\": { \"files\": [\"x\"] }, // é\n \"a\": { \"files\": [\"y\"] } } }";
    assert!(wrong(twice, check).starts_with("wgc: wgc.json:3:2: duplicate key `a`"));
    assert!(wrong("{ \"programs\": { \"a\": { \"files\": [] } } }", check).contains("program `a`: it has no files"));
    for folder in ["sub", "."] {
        let found = wrong(&format!("{{ \"programs\": {{ \"a\": {{ \"files\": [\"{folder}\"] }} }} }}"), check);
        assert!(
            found.contains(&format!("program `a`: `files` has the directory `{folder}`; name source files")),
            "{found}"
        );
    }
    let options = "{ \"programs\": { \"a\": { \"files\": [\"x\"], \"options\": [\"--nope\"] } } }";
    assert!(wrong(options, check).contains("program `a`: unknown option `--nope`"));
    let message = wrong(options, &["--program", "b"]);
    assert!(message.contains("no program `b`; it has a"), "{message}");
    assert!(wrong(options, &["--program", "a", "first.hlsl"]).contains("names the files"));
}

#[test]
fn shadertoolsconfig_json_gives_macros_and_folders() {
    let dir = Scratch::new().with(
        "shadertoolsconfig.json",
        r#"{ // As editors let people write it.
             "hlsl.preprocessorDefinitions": { "FAR": 1, "NEAR": 1, }, "hlsl.additionalIncludeDirectories": ["far"], /* , */
             "hlsl.virtualDirectoryMappings": { "/Engine": "engine" }, "hlsl.other": [] }"#,
    );
    for folder in ["far", "engine", "shaders", "shaders/near"] {
        std::fs::create_dir(dir.0.join(folder)).expect("made");
    }
    let text = format!(
        "#include <far.hlsli>\n#include \"near.hlsli\"\n#include \"/Engine/e.hlsli\"\n\
         #if FAR != 1 || NEAR != 2 || MINE != 3\n#error wrong\n#endif\n{GRAPH}"
    );
    let nearer = r#"{ "hlsl.preprocessorDefinitions": { "NEAR": 2, "MINE": 2 }, "hlsl.additionalIncludeDirectories": ["near"] }"#;
    let dir = dir
        .with("far/far.hlsli", "")
        .with("far/near.hlsli", "#error the nearer folder comes first\n")
        .with("engine/e.hlsli", "")
        .with("shaders/near/near.hlsli", "")
        .with("shaders/graph.hlsl", text)
        .with("shaders/shadertoolsconfig.json", nearer);
    wgc(&dir.0, ["check", "shaders/graph.hlsl", "-DMINE=3"]).expect(0);
    wgc(&dir.0.join("shaders"), ["check", "graph.hlsl", "-DMINE=3"]).expect(0);
    let dir = dir.with("shaders/shadertoolsconfig.json", nearer.replacen('{', "{ \"root\": true,", 1));
    let rooted = wgc(&dir.0, ["check", "shaders/graph.hlsl", "-DMINE=3"]).expect(1).stderr;
    assert!(rooted.contains("far.hlsli"), "nothing above the root counts:\n{rooted}");
    let dir = dir.with("shaders/shadertoolsconfig.json", "{\n  \"root\": maybe }");
    let broken = wgc(&dir.0, ["check", "shaders/graph.hlsl"]).expect(2).stderr;
    assert!(broken.contains("shaders/shadertoolsconfig.json:2:"), "{broken}");
}

#[test]
fn standard_input_compiles_like_a_file() {
    let dir = Scratch::new().with("h.hlsli", GRAPH);
    let ran = wgc_with_input(&dir.0, ["-", "-spirv"], "#include \"h.hlsli\"\n").expect(0);
    assert_eq!(ran.stderr, "");
    assert_eq!(dir.entries(), ["h.hlsli", "out.spv"]);
    let wrong = wgc_with_input(&dir.0, ["check", "-", "--message-format", "short"], "void f() { x; }\n").expect(1);
    assert_eq!(wrong.stderr, "<stdin>:1:12: error[WG0101]: cannot find `x` in this scope\n");
}

#[test]
fn show_includes_options_print_the_include_tree() {
    let dir = graph()
        .with("a.hlsli", "#include \"b.hlsli\"\n")
        .with("b.hlsli", "")
        .with("tree.hlsl", format!("#include \"a.hlsli\"\n#include \"b.hlsli\"\n{GRAPH}"));
    for option in ["-H", "-Vi"] {
        assert_eq!(wgc(&dir.0, ["check", "tree.hlsl", option]).expect(0).stderr, ". a.hlsli\n.. b.hlsli\n. b.hlsli\n");
    }
}

#[test]
fn modules_record_source_language_and_version() {
    let dir = graph();
    let asm = |args: &[&str]| wgc(&dir.0, [&["graph.hlsl", "--emit", "asm"], args].concat()).expect(0).out();
    assert!(asm(&["-spirv"]).contains("OpSource HLSL 680 %"));
    assert!(asm(&["-T", "lib_6_9"]).contains("OpSource HLSL 690 %"));
    assert!(!asm(&["-Qstrip_debug"]).contains("OpSource"));
}

/// If one output cannot be written, none is.
#[test]
fn several_outputs_are_written_together() {
    let dir = graph();
    for (module, rule, listing) in
        [("none/a.spv", "a.d", "a.txt"), ("a.spv", "none/a.d", "a.txt"), ("a.spv", "a.d", "none/a.txt")]
    {
        let ran = wgc(&dir.0, ["graph.hlsl", "-spirv", "-o", module, "-MF", rule, "-Fc", listing]).expect(2);
        assert!(ran.stderr.contains("cannot write none/a."), "{}", ran.stderr);
        assert_eq!(dir.entries(), ["graph.hlsl"]);
    }
    wgc(&dir.0, ["graph.hlsl", "-spirv", "-o", "a.spv", "-MF", "a.d", "-Fc", "a.txt"]).expect(0);
    assert_eq!(dir.entries(), ["a.d", "a.spv", "a.txt", "graph.hlsl"]);
}

/// Compiled or binary input is reported by its kind instead of being read as a shader.
#[test]
fn compiled_inputs_are_rejected_as_shader_sources() {
    let dir = graph();
    wgc(&dir.0, ["graph.hlsl"]).expect(0);
    wgc(&dir.0, ["graph.hlsl", "-spirv"]).expect(0);
    wgc(&dir.0, ["graph.hlsl", "--pack", "-o", "packed"]).expect(0);
    for (input, what) in [
        ("graph.spv", "graph.spv is a SPIR-V module"),
        ("graph.wgcpkg", "graph.wgcpkg is a package"),
        ("packed", "packed is a package"),
    ] {
        // `modules.rs` tests running them.
        let ran = wgc(&dir.0, ["check", input]).expect(2);
        assert!(ran.stderr.contains(what) && ran.stderr.lines().count() == 1, "{}", ran.stderr);
    }
}

/// A warning of the emitter can be disabled and denied like others.
#[test]
fn emitter_warnings_obey_warning_options() {
    let dir = Scratch::new().with("waves.hlsl", "[WaveSize(32)] [numthreads(32, 1, 1)] void main() { }\n");
    let args = |extra: &'static str| ["waves.hlsl", "-T", "cs_6_6", "-o", "waves.spv", extra];
    let warned = wgc(&dir.0, args("-spirv")).expect(0).stderr;
    assert!(warned.contains("warning: in `main`: a SPIR-V module cannot contain WaveSize"), "{warned}");
    assert_eq!(wgc(&dir.0, args("-no-warnings")).expect(0).stderr, "");
    std::fs::remove_file(dir.0.join("waves.spv")).expect("it was written");
    let refused = wgc(&dir.0, args("-WX")).expect(1).stderr;
    assert!(refused.contains("error: in `main`: a SPIR-V module cannot contain WaveSize"), "{refused}");
    assert!(!dir.entries().contains(&"waves.spv".to_string()));
}

/// One file provides two nodes of an array: each unit has its own values of the specialisation constants.
#[test]
fn wgc_json_gives_each_unit_its_specialisation_constants() {
    const ENTRY: &str = "\
struct Item { uint n; };
[Shader(\"node\")] [NodeLaunch(\"thread\")]
void Entry(ThreadNodeInputRecord<Item> input, [MaxRecords(2)] [NodeArraySize(2)] NodeOutputArray<Item> leaf) {
    for (uint i = 0; i < 2; ++i) {
        ThreadNodeOutputRecords<Item> o = leaf[i].GetThreadNodeOutputRecords(1);
        o.Get().n = input.Get().n;
        o.OutputComplete();
    }
}
";
    const LEAF: &str = "\
struct Item { uint n; };
RWStructuredBuffer<uint> Out;
[[vk::constant_id(1)]] const uint Scale = 1;
[[vk::constant_id(2)]] const uint Which = 7;
[[vk::constant_id(3)]] const bool Negated = false;
[Shader(\"node\")] [NodeLaunch(\"thread\")] [NodeID(\"leaf\", Which)]
void Leaf(ThreadNodeInputRecord<Item> input) { Out[Which] = input.Get().n * Scale + (Negated ? 1000 : 0); }
";
    const RUN: &str = r#"{
      "shader": "entry.hlsl",
      "resources": { "Out": { "u32": [0, 0] } },
      "dispatch": [{ "inputs": [{ "node": "Entry", "records": [{ "n": 4 }] }] }],
      "expect": { "Out": { "u32": [40, 1400] } }
    }"#;
    const JSON: &str = r#"{ "programs": { "leaves": { "files": ["entry.hlsl",
      { "file": "leaf.hlsl", "spec_constants": { "1": 10, "2": 0 } },
      { "file": "leaf.hlsl", "spec_constants": { "1": 100, "2": 1, "3": true } }] } } }"#;
    let dir = Scratch::new().with("entry.hlsl", ENTRY).with("leaf.hlsl", LEAF);
    let dir = dir.with("leaves.run.json", RUN).with("wgc.json", JSON);
    for target in ["spirv-emulated", "spirv-amdx"] {
        let run = ["run", "--program", "leaves", "--inputs", "leaves.run.json", "--device", "cpu", "--target", target];
        wgc(&dir.0, run).expect(0);
        let by_hand =
            ["entry.hlsl", "--spec", "1=10", "--spec", "2=0", "leaf.hlsl", "--spec", "1=100", "--spec", "2=1"];
        let by_hand = ["run"].into_iter().chain(by_hand).chain(["--spec", "3=true", "leaf.hlsl"]);
        wgc(&dir.0, by_hand.chain(["--inputs", "leaves.run.json", "--device", "cpu", "--target", target])).expect(0);
    }
    let dir = dir.with("wgc.json", JSON.replace("spec_constants", "spec"));
    let wrong = wgc(&dir.0, ["--program", "leaves"]).expect(2).stderr;
    assert!(wrong.contains("unknown key `spec`, expected one of `file`, `defines`, `spec_constants`"), "{wrong}");
    let dir = dir.with("wgc.json", JSON.replace("\"entry.hlsl\"", "7"));
    let wrong = wgc(&dir.0, ["--program", "leaves"]).expect(2).stderr;
    assert!(wrong.contains("expected a path, or an object with a `file`"), "{wrong}");
}

/// Messages have words of JSON and of the settings, not those of the implementation.
#[test]
fn wrong_settings_are_explained_in_their_words() {
    for (json, expected) in [
        ("5", "expected an object with `programs`"),
        (r#"{ "programs": 5 }"#, "invalid type: integer `5`, expected an object"),
        (
            r#"{ "programs": { "p": "s.hlsl" } }"#,
            "1:29: invalid type: string \"s.hlsl\", expected an object with `files`",
        ),
        (r#"{ "programs": { "p": { "files": "s.hlsl" } } }"#, "expected a list"),
        (r#"{ "format": 5, "programs": {} }"#, "expected an object with settings of the format"),
        (r#"{ "format": { "indent": -1 }, "programs": {} }"#, "expected a number from 0 to 4294967295"),
    ] {
        let dir = Scratch::new().with("wgc.json", json);
        let wrong = wgc(&dir.0, ["check"]).expect(2).stderr;
        assert!(wrong.contains(expected) && !wrong.contains("struct"), "{json}: {wrong}");
    }
}

/// Any text may name a program. The output stays in the current directory, and programs with different names have
/// different outputs.
#[test]
fn outputs_of_programs_are_in_the_current_directory() {
    let dir = two_files();
    let programs =
        ["../up", "a/b", "v1.1", "v1.2", ".."].map(|name| format!("{name:?}: {{ \"files\": [\"second.hlsl\"] }}"));
    std::fs::write(dir.0.join("wgc.json"), format!("{{ \"programs\": {{ {} }} }}", programs.join(", ")))
        .expect("written");
    for (name, output) in [
        ("../up", "up.wgcpkg"),
        ("a/b", "b.wgcpkg"),
        ("v1.1", "v1.1.wgcpkg"),
        ("v1.2", "v1.2.wgcpkg"),
        ("..", "out.wgcpkg"),
    ] {
        wgc(&dir.0, ["--program", name]).expect(0);
        assert!(dir.entries().contains(&output.to_owned()), "{name}: {:?}", dir.entries());
    }
}

/// The options of a program may be for one of its targets. Those of the command line must have an effect.
#[test]
fn options_of_programs_may_be_for_one_target() {
    let options = r#"["--no-fuse", "Only", "--page-kib", "4", "--amdx-compat"]"#;
    let text = "struct R { uint i; };\n[Shader(\"node\")] [NodeLaunch(\"thread\")] [NodeIsProgramEntry]\n\
                void Only(ThreadNodeInputRecord<R> r, [MaxRecords(1)] NodeOutput<R> Next) { }\n\
                [Shader(\"node\")] [NodeLaunch(\"thread\")]\nvoid Next(ThreadNodeInputRecord<R> r) { }\n";
    let dir = Scratch::new()
        .with("a.hlsl", text)
        .with("wgc.json", format!(r#"{{ "programs": {{ "p": {{ "files": ["a.hlsl"], "options": {options} }} }} }}"#));
    for emit in ["svg", "ir", "reflection", "header"] {
        wgc(&dir.0, ["--program", "p", "--emit", emit]).expect(0);
        let refused = wgc(&dir.0, ["--program", "p", "--emit", emit, "--page-kib", "8"]).expect(2).stderr;
        assert!(refused.contains("--page-kib has no effect with --emit"), "{refused}");
    }
    for target in ["spirv-amdx", "spirv-emulated"] {
        wgc(&dir.0, ["--program", "p", "--target", target, "-o", target]).expect(0);
        wgc(&dir.0, ["check", "--program", "p", "--target", target]).expect(0);
    }
    let refused = wgc(&dir.0, ["check", "--program", "p", "--target", "spirv-amdx", "--fuse", "Only"]).expect(2).stderr;
    assert!(refused.contains("--fuse needs --target spirv-emulated"), "{refused}");
}

/// Paths in `options` of a program and in `args` of a run file are relative to these files.
#[test]
fn paths_of_options_are_beside_their_file() {
    let dir = Scratch::new().with(
        "wgc.json",
        r#"{ "programs": { "p": {
            "files": ["inside/a.hlsl"], "options": ["-T", "cs_6_6", "-E", "main", "-I", "inside/headers"]
        } } }"#,
    );
    for folder in ["inside/headers", "other"] {
        std::fs::create_dir_all(dir.0.join(folder)).expect("the folder can be created");
    }
    let text = "#include <scale.hlsli>\nRWStructuredBuffer<uint> Out;\n[numthreads(1, 1, 1)] void main() { Out[0] = SCALE; }\n";
    let run = r#"{
        "shader": "a.hlsl", "args": ["-T", "cs_6_6", "-E", "main", "-I", "headers"],
        "resources": { "Out": { "zero_bytes": 4 } },
        "dispatch": [{ "groups": [1, 1, 1] }], "expect": { "Out": { "u32": [7] } }
    }"#;
    let dir = dir.with("inside/headers/scale.hlsli", "#define SCALE 7\n").with("inside/a.hlsl", text);
    let dir = dir.with("inside/a.run.json", run);
    for folder in [dir.0.clone(), dir.0.join("other")] {
        wgc(&folder, ["check", "--program", "p"]).expect(0);
        let run_file = dir.0.join("inside/a.run.json").to_string_lossy().into_owned();
        wgc(&folder, ["run", "--inputs", &run_file]).expect(0);
    }
}

/// A program that names another one would be ignored.
#[test]
fn options_of_a_project_cannot_name_a_program() {
    let dir = Scratch::new()
        .with("a.hlsl", "[numthreads(1, 1, 1)] void main() { }\n")
        .with(
            "a.run.json",
            r#"{ "shader": "a.hlsl", "args": ["--program", "p"], "dispatch": [{ "groups": [1, 1, 1] }] }"#,
        )
        .with("wgc.json", r#"{ "programs": { "p": { "files": ["a.hlsl"], "options": ["--program", "q"] } } }"#);
    let refused = wgc(&dir.0, ["check", "--program", "p"]).expect(2).stderr;
    assert!(refused.contains("`options` cannot name another program"), "{refused}");
    let refused = wgc(&dir.0, ["run", "--inputs", "a.run.json"]).expect(2).stderr;
    assert!(refused.contains("`--program` is not an option of a program"), "{refused}");
}
