//! The command from a user's view: exit statuses, messages for wrong input, and the files on disk afterwards.

mod compute;
mod dxc;
#[cfg(all(target_os = "linux", target_arch = "x86_64", target_env = "gnu"))]
mod faults;
mod fmt;
mod host;
#[cfg(unix)]
mod hosts;
mod local_roots;
mod messages;
mod modules;
mod native;
mod outputs;
#[cfg(unix)]
mod pipes;
mod programs;
mod reflection;
mod reload;
mod runs;
#[path = "../support/mod.rs"]
mod support;
mod verify;

use support::{Scratch, wgc};

const GRAPH: &str = "\
RWStructuredBuffer<uint> Out : register(u0);
struct R { uint v; };
[Shader(\"node\")] [NodeLaunch(\"thread\")]
void Only(ThreadNodeInputRecord<R> input) { InterlockedAdd(Out[0], input.Get().v); }
";

const RUN: &str = r#"{
  "shader": "graph.hlsl",
  "resources": { "Out": { "u32": [0] } },
  "dispatch": [{ "inputs": [{ "node": "Only", "records": [{ "v": 40 }, { "v": 2 }] }] }],
  "expect": { "Out": { "u32": [42] } }
}"#;

fn graph() -> Scratch {
    Scratch::new().with("graph.hlsl", GRAPH)
}

#[test]
fn help_and_version() {
    let dir = Scratch::new();
    let help = wgc(&dir.0, ["--help"]).expect(0).out();
    for command in
        ["wgc SHADER...", "wgc check", "wgc run", "wgc devices", "wgc explain", "wgc verify", "Examples:", "--target"]
    {
        assert!(help.contains(command), "{command} is missing from\n{help}");
    }
    assert_eq!(wgc(&dir.0, [] as [&str; 0]).expect(0).out(), help);
    for command in ["check", "run", "devices", "explain", "verify", "fmt"] {
        assert!(wgc(&dir.0, [command, "--help"]).expect(0).out().contains("Example"));
        assert_eq!(wgc(&dir.0, ["help", command]).expect(0).out(), wgc(&dir.0, [command, "-h"]).out());
    }
    for command in ["compile", "help"] {
        assert_eq!(wgc(&dir.0, ["help", command]).expect(0).out(), help);
    }
    for group in ["input", "language", "bindings", "inspection", "emulation"] {
        assert!(wgc(&dir.0, ["help", group]).expect(0).out().contains("\n  -"), "{group}");
    }
    assert!(wgc(&dir.0, ["help", "nothing"]).expect(2).stderr.contains("unknown command or group of options"));
    let all = wgc(&dir.0, ["--help-all"]).expect(0).out();
    assert!(all.contains("--direct-targets N") && all.contains("-fvk-bind-globals"), "{all}");
    assert!(!help.contains("--direct-targets"), "the general help has the common options alone");
    assert_eq!(wgc(&dir.0, ["--version"]).expect(0).out(), concat!("wgc ", env!("CARGO_PKG_VERSION"), "\n"));
}

#[test]
fn the_default_output_is_a_package_in_the_current_directory() {
    let dir = graph();
    let ran = wgc(&dir.0, ["graph.hlsl"]).expect(0);
    assert_eq!(ran.stderr, "");
    assert_eq!(dir.entries(), ["graph.hlsl", "graph.wgcpkg"]);
    let manifest = std::fs::read_to_string(dir.0.join("graph.wgcpkg/manifest.json")).expect("it has a manifest");
    assert!(manifest.contains("\"Only\""), "{manifest}");
    // Overwrites the old package: the same files, and no leftovers.
    wgc(&dir.0, ["graph.hlsl"]).expect(0);
    assert_eq!(std::fs::read_to_string(dir.0.join("graph.wgcpkg/manifest.json")).expect("still there"), manifest);
    assert_eq!(dir.entries(), ["graph.hlsl", "graph.wgcpkg"]);
}

#[test]
fn a_package_may_be_one_file() {
    let dir = graph();
    wgc(&dir.0, ["graph.hlsl"]).expect(0);
    let loose = wgc_abi::Package::read(&dir.0.join("graph.wgcpkg")).expect("a directory");
    // A file replaces the directory, then goes to standard output; then a directory replaces the file.
    wgc(&dir.0, ["graph.hlsl", "--pack"]).expect(0);
    let path = dir.0.join("graph.wgcpkg");
    assert!(path.is_file());
    assert_eq!(wgc_abi::Package::read(&path).expect("a file"), loose);
    assert_eq!(
        wgc(&dir.0, ["graph.hlsl", "--pack", "-o", "-"]).expect(0).stdout,
        std::fs::read(&path).expect("it is there")
    );
    wgc(&dir.0, ["graph.hlsl"]).expect(0);
    assert_eq!(wgc_abi::Package::read(&path).expect("a directory"), loose);
    assert_eq!(dir.entries(), ["graph.hlsl", "graph.wgcpkg"]);
    let refused = wgc(&dir.0, ["graph.hlsl", "--pack", "-spirv"]).expect(2);
    assert!(refused.stderr.contains("--pack needs --target spirv-emulated"), "{}", refused.stderr);
    let refused = wgc(&dir.0, ["graph.hlsl", "--pack", "--emit", "header"]).expect(2);
    assert!(refused.stderr.contains("--pack has no effect with --emit"), "{}", refused.stderr);
}

#[test]
fn page_kib_sets_the_page_size() {
    let dir = graph();
    wgc(&dir.0, ["graph.hlsl", "--page-kib", "16"]).expect(0);
    let package = wgc_abi::Package::read(&dir.0.join("graph.wgcpkg")).expect("a package");
    assert_eq!(package.manifest.buffers.page_bytes, 16 << 10);
    assert!(wgc(&dir.0, ["graph.hlsl", "--page-kib", "3"]).expect(2).stderr.contains("not 3"));
}

#[test]
fn segment_kib_controls_joint_stage_scheduling() {
    let before = "[Shader(\"node\")] [NodeLaunch(\"thread\")] [NodeIsProgramEntry]
void First(ThreadNodeInputRecord<R> input, [MaxRecords(1)] NodeOutput<R> Only)
{ Only.GetThreadNodeOutputRecords(1).OutputComplete(); }\n";
    let dir = Scratch::new().with("graph.hlsl", [GRAPH, before].concat());
    let follow = |args: &[&str]| {
        wgc(&dir.0, [&["graph.hlsl", "--fusion=off"], args].concat()).expect(0);
        let package = wgc_abi::Package::read(&dir.0.join("graph.wgcpkg")).expect("a package");
        package.manifest.stages.iter().map(|stage| stage.follows).collect::<Vec<_>>()
    };
    assert_eq!(follow(&[]), [false, true]);
    assert_eq!(follow(&["--segment-kib", "0"]), [false, false]);
}

#[test]
fn drain_option_runs_consumers_every_n_levels() {
    let text = "struct R { uint n; };
[Shader(\"node\")] [NodeLaunch(\"thread\")] [NodeIsProgramEntry] [NodeMaxRecursionDepth(5)]
void Down(ThreadNodeInputRecord<R> input, [MaxRecords(1)] NodeOutput<R> Down, [MaxRecords(1)] NodeOutput<R> Leaf)
{ Down.GetThreadNodeOutputRecords(Down.IsValid() ? 1 : 0).OutputComplete();
  Leaf.GetThreadNodeOutputRecords(1).OutputComplete(); }
[Shader(\"node\")] [NodeLaunch(\"thread\")] void Leaf(ThreadNodeInputRecord<R> input) {}\n";
    let dir = Scratch::new().with("graph.hlsl", text);
    let leaves = |args: &[&str]| {
        wgc(&dir.0, [&["graph.hlsl", "--fusion=off"], args].concat()).expect(0);
        let package = wgc_abi::Package::read(&dir.0.join("graph.wgcpkg")).expect("a package");
        let all = package.manifest.instances.into_iter().filter(|instance| instance.node.name == "Leaf");
        all.map(|instance| (instance.stage, instance.label)).collect::<Vec<_>>()
    };
    let leaf = |stage: u32, label: &str| (stage, label.to_owned());
    assert_eq!(leaves(&[]), [leaf(6, "Leaf")]);
    assert_eq!(leaves(&["--drain", "3"]), [leaf(3, "Leaf depth 3"), leaf(6, "Leaf depth 6")]);
}

#[test]
fn the_native_target_writes_one_module() {
    let dir = graph();
    wgc(&dir.0, ["graph.hlsl", "--target", "spirv-amdx"]).expect(0);
    assert_eq!(dir.entries(), ["graph.hlsl", "graph.spv"]);
    let file = std::fs::read(dir.0.join("graph.spv")).expect("it is there");
    let piped = wgc(&dir.0, ["-spirv", "graph.hlsl", "-o", "-"]).expect(0).stdout;
    assert_eq!(file, piped);
    assert_eq!(file[..4], 0x0723_0203u32.to_le_bytes());
    let text = wgc(&dir.0, ["graph.hlsl", "-spirv", "--emit", "asm"]).expect(0).out();
    assert!(text.contains("OpCapability ShaderEnqueueAMDX"), "{text}");
}

#[test]
fn every_stage_can_be_printed() {
    let dir = graph();
    for (what, part) in
        [("tokens", "ThreadNodeInputRecord"), ("ast", "Only"), ("ir", "node \"Only\""), ("asm", "OpEntryPoint")]
    {
        let out = wgc(&dir.0, ["graph.hlsl", "--emit", what]).expect(0).out();
        assert!(out.contains(part), "--emit {what}:\n{out}");
    }
    assert_eq!(dir.entries(), ["graph.hlsl"], "--emit writes no file");
    for what in ["tokens", "ast", "ir", "asm"] {
        let printed = wgc(&dir.0, ["graph.hlsl", "--emit", what, "-o", "-"]).expect(0).out();
        let written = wgc(&dir.0, ["graph.hlsl", "--emit", what, "-o", "stage.txt"]).expect(0).out();
        assert_eq!(written, "", "--emit {what} -o FILE prints nothing");
        let file = std::fs::read_to_string(dir.0.join("stage.txt")).expect("-o is written");
        assert!(!file.is_empty() && file == printed, "--emit {what}");
        let source = wgc(&dir.0, ["graph.hlsl", "--emit", what, "-o", "graph.hlsl"]).expect(2);
        assert!(source.stderr.contains("it is an input of this command"), "{}", source.stderr);
    }
}

#[test]
fn byte_order_marks_do_not_count_as_columns() {
    let dir = Scratch::new()
        .with("bom.hlsl", "\u{feff}uint f() { return x; }\n")
        .with("none.hlsl", "uint f() { return x; }\n");
    for file in ["bom.hlsl", "none.hlsl"] {
        let short = wgc(&dir.0, ["check", file, "--library", "--message-format", "short"]).expect(1).stderr;
        assert_eq!(short, format!("{file}:1:19: error[WG0101]: cannot find `x` in this scope\n"));
    }
    let shown = |file: &str| wgc(&dir.0, ["check", file, "--library"]).expect(1).stderr.replace(file, "FILE");
    assert_eq!(shown("bom.hlsl"), shown("none.hlsl"), "no mark is shown");
}

#[test]
fn defines_and_include_directories_reach_the_source() {
    let dir = Scratch::new().with(
        "a.hlsl",
        "#include \"answer.hlsli\"\n#if defined(EMPTY) && EMPTY == 1 && N == 4\n#else\n#error wrong\n#endif\nANSWER\n",
    );
    std::fs::create_dir(dir.0.join("inc")).expect("made");
    std::fs::write(dir.0.join("inc/answer.hlsli"), format!("#define ANSWER {}\n", GRAPH.replace('\n', " ")))
        .expect("written");
    wgc(&dir.0, ["check", "a.hlsl", "-D", "N=4", "-DEMPTY", "-Iinc"]).expect(0);
    let missing = wgc(&dir.0, ["check", "a.hlsl", "-D", "N=4", "-DEMPTY"]).expect(1);
    assert!(missing.stderr.contains("answer.hlsli"), "{}", missing.stderr);
}

#[test]
fn wrong_usage_exits_with_2() {
    let dir = graph().with("broken.run.json", "{ \"shader\": \"graph.hlsl\", \"dispatch\": [ }");
    let dir = dir.with("unknown.run.json", RUN.replace("\"expect\"", "\"expct\""));
    let dir = dir.with("nothing.run.json", RUN.replace("graph.hlsl", "nothing.hlsl"));
    let dir = dir.with("node.run.json", RUN.replace("\"Only\"", "\"Onyl\""));
    let dir = dir.with("resource.run.json", RUN.replace("\"resources\": { \"Out\": { \"u32\": [0] } },", ""));
    let dir = dir.with("compute.hlsl", "[numthreads(1, 1, 1)] void main() {}");
    let cases: &[(&[&str], &[&str])] = &[
        (&["nothing.hlsl"], &["cannot read nothing.hlsl: no such file or directory"]),
        (&["."], &["cannot read .: is a directory"]),
        (&["check"], &["no input file"]),
        (&["graph.hlsl", "--traget", "spirv-amdx"], &["unknown option `--traget`", "`--target`"]),
        (&["graph.hlsl", "--target", "dxil"], &["unknown value `dxil` for --target", "spirv-emulated, spirv-amdx"]),
        (
            &["graph.hlsl", "--emit", "foo"],
            &["unknown value `foo` for --emit", "asm, ir, reflection, header, svg, tokens, ast"],
        ),
        (&["graph.hlsl", "-T", "ps_6_0"], &["-T ps_6_0", "not pixel shaders"]),
        (&["graph.hlsl", "-T", "lib_5_0"], &["-T lib_5_0", "before 6"]),
        (&["graph.hlsl", "-T", "lib_6_88"], &["lib_6_1 to lib_6_10"]),
        (&["graph.hlsl", "-fspv-target-env=vulkan1.1"], &["-fspv-target-env vulkan1.1", "for vulkan1.2"]),
        (&["graph.hlsl", "-spirv", "-fspv-target-env=vulkan1.2"], &["for vulkan1.3"]),
        (&["graph.hlsl", "-fspv-target-env=vulkan2"], &["vulkan1.0, vulkan1.1"]),
        (&["graph.hlsl", "-fspv-enable-maximal-reconvergence"], &["needs -T cs_* or --target spirv-amdx"]),
        (&["graph.hlsl", "-fspv-entrypoint-name=x"], &["needs -T cs_*"]),
        (&["check", "graph.hlsl", "-fspv-entrypoint-name=x"], &["needs -T cs_*"]),
        (&["check", "graph.hlsl", "--amdx-compat"], &["--amdx-compat needs --target spirv-amdx"]),
        (&["check", "compute.hlsl", "-T", "cs_6_6", "-E", "main", "--poison"], &["--poison needs", "a graph"]),
        (&["graph.hlsl", "--emit", "asm", "-MD"], &["-MD has no effect with --emit"]),
        (&["graph.hlsl", "--emit", "asm", "-Fc", "list"], &["-Fc has no effect with --emit"]),
        (&["graph.hlsl", "-P", "-MF", "rule"], &["-MF has no effect with -P"]),
        (&["graph.hlsl", "--emit", "ir", "--fusion=full"], &["--fusion has no effect with --emit ir"]),
        (&["graph.hlsl", "--emit", "svg", "--page-kib=1"], &["--page-kib has no effect with --emit svg"]),
        (
            &["check", "graph.hlsl", "--fusion", "--target", "spirv-amdx"],
            &["check --fusion needs --target spirv-emulated"],
        ),
        (&["chek", "graph.hlsl"], &["cannot read chek", "did you mean `wgc check`?"]),
        (&["graph.hlsl", "-M", "-P"], &["-M and -P exclude each other"]),
        (&["graph.hlsl", "-M", "-Fi", "text"], &["-Fi has no effect with -M"]),
        (&["graph.hlsl", "-Fi", "text"], &["-Fi needs -P"]),
        (&["graph.hlsl", "--error-limit", "99999999999"], &["--error-limit expects a number up to 4294967295"]),
        (
            &["run", "--inputs", "graph.run.json", "--device", "vulkan", "--order", "fifo"],
            &["--order is only for the CPU device"],
        ),
        (
            &["run", "--inputs", "graph.run.json", "--device", "vulkan", "--threads=2"],
            &["--threads is only for the CPU device"],
        ),
        (&["run", "--inputs", "graph.run.json", "--order", "lifo"], &["--order needs --target spirv-amdx and a graph"]),
        (
            &["run", "--inputs", "graph.run.json", "--batching", "single"],
            &["--batching needs --target spirv-amdx and a graph"],
        ),
        (&["graph.hlsl", "-D", "4=N"], &["-D expects a macro name"]),
        (&["graph.hlsl", "-Zpr", "-Zpc"], &["-Zpr and -Zpc exclude each other"]),
        (&["graph.hlsl", "-o", "-"], &["a package is a directory"]),
        (&["graph.hlsl", "-o", ""], &["-o expects a name, but its value is empty"]),
        (&["check", "graph.hlsl", "--include-root", ""], &["--include-root expects a name"]),
        (&["run", "--inputs", "graph.run.json", "--out="], &["--out expects a name"]),
        (&["run", "--inputs", "graph.run.json", "--out", "-"], &["--out -", "use --print"]),
        (&["graph.hlsl", "-spirv", "-o", "no/such/dir.spv"], &["cannot write no/such/dir.spv"]),
        (&["devices", "graph.hlsl"], &["accepts no files"]),
        (&["run", "--inputs", "graph.run.json", "--subgroup-size", "7"], &["not 7"]),
        (&["run", "--inputs", "graph.run.json", "--threads", "1025"], &["1 to 1024 threads, not 1025"]),
        (&["run", "--inputs", "graph.run.json", "--page-kib", "0"], &["not 0"]),
        (&["graph.hlsl", "--poison", "--joint-dispatch=2"], &["--poison and --joint-dispatch exclude"]),
        (&["graph.hlsl", "--schedule=depth", "--drain=2"], &["--drain needs the topological schedule"]),
        (&["run", "--inputs", "graph.run.json", "--order", "sorted"], &["fifo, lifo or random:SEED"]),
        (&["run", "graph.hlsl"], &["--inputs"]),
        (&["run", "--inputs", "none.run.json"], &["cannot read none.run.json"]),
        (&["run", "--inputs", "broken.run.json"], &["broken.run.json:1:"]),
        (&["run", "--inputs", "unknown.run.json"], &["unknown.run.json:5:", "unknown key \"expct\""]),
        (&["run", "--inputs", "nothing.run.json"], &["cannot read", "nothing.hlsl"]),
        (&["run", "--inputs", "node.run.json"], &["node.run.json:4:", "Onyl"]),
        (&["run", "--inputs", "resource.run.json"], &["Out"]),
        (&["run", "--inputs", "graph.run.json", "--device", "abacus"], &["abacus"]),
    ];
    let dir = dir.with("graph.run.json", RUN);
    for (args, parts) in cases {
        let ran = wgc(&dir.0, *args).expect(2);
        for part in *parts {
            assert!(ran.stderr.contains(part), "{args:?}: `{part}` is missing from\n{}", ran.stderr);
        }
    }
    assert!(!dir.entries().iter().any(|e| e.contains("wgcpkg") || e.contains(".spv")), "{:?}", dir.entries());
}

#[test]
fn errors_in_the_source_exit_with_1_and_write_nothing() {
    let dir = Scratch::new()
        .with("syntax.hlsl", GRAPH.replace("input.Get().v);", "input.Get().v)"))
        .with("bytes.hlsl", [GRAPH.as_bytes(), b"uint \xff = 1;\n"].concat())
        .with("utf16.hlsl", [&[0xff, 0xfe][..], &GRAPH.bytes().flat_map(|b| [b, 0]).collect::<Vec<_>>()].concat())
        .with("plain.hlsl", "uint Twice(uint x) { return x * 2; }\n")
        .with("name.hlsl", GRAPH.replace("Out[0]", "Otu[0]"));
    let cases: &[(&str, &[&str])] = &[
        ("syntax.hlsl", &["expected `;`", "syntax.hlsl:4:"]),
        ("bytes.hlsl", &["UTF-8", "bytes.hlsl:5:"]),
        ("utf16.hlsl", &["UTF-16"]),
        ("plain.hlsl", &["no node"]),
        ("name.hlsl", &["Otu", "Out"]),
    ];
    let before = dir.entries();
    for (file, parts) in cases {
        for target in ["spirv-emulated", "spirv-amdx"] {
            let ran = wgc(&dir.0, [file, "--target", target]).expect(1);
            for part in *parts {
                assert!(ran.stderr.contains(part), "{file}: `{part}` is missing from\n{}", ran.stderr);
            }
        }
    }
    assert_eq!(dir.entries(), before);
}

#[test]
fn byte_order_marks_and_non_utf8_comments_are_accepted() {
    let text = [&b"\xef\xbb\xbf"[..], GRAPH.as_bytes(), b"// caf\xe9\n"].concat();
    let dir = Scratch::new().with("graph.hlsl", text);
    assert_eq!(wgc(&dir.0, ["check", "graph.hlsl"]).expect(0).stderr, "");
}

#[test]
fn a_library_without_nodes_is_a_warning_when_only_checked() {
    let dir = Scratch::new().with("plain.hlsl", "uint Twice(uint x) { return x * 2; }\n");
    let ran = wgc(&dir.0, ["check", "plain.hlsl"]).expect(0);
    assert!(ran.stderr.contains("warning"), "{}", ran.stderr);
    wgc(&dir.0, ["check", "plain.hlsl", "-WX"]).expect(1);
    assert_eq!(wgc(&dir.0, ["check", "plain.hlsl", "--library"]).expect(0).stderr, "");
    // Both spellings of the native target ask for a whole program.
    for target in [&["--target", "spirv-amdx"][..], &["-spirv"]] {
        let all = ["check", "plain.hlsl", "--library"].into_iter().chain(target.iter().copied());
        assert!(wgc(&dir.0, all).expect(1).stderr.contains("WG0416"), "{target:?}");
    }
}

#[test]
fn control_characters_of_a_source_do_not_reach_the_terminal() {
    let dir = Scratch::new().with("e.hlsl", "#error \x1b]0;pwn\x07\x1b[2J\nuint a\u{202e}b = \x1b[31m;\n");
    for format in ["human", "short"] {
        let ran = wgc(&dir.0, ["check", "--library", "e.hlsl", "--message-format", format]).expect(1);
        assert!(ran.stderr.contains("\u{241b}]0;pwn\u{2407}"), "{}", ran.stderr);
        assert!(!ran.stderr.contains(['\u{1b}', '\u{7}', '\u{202e}']), "{:?}", ran.stderr);
    }
    let ran = wgc(&dir.0, ["check", "no\u{1b}[31mfile.hlsl"]).expect(2);
    assert!(ran.stderr.contains("no\u{241b}[31mfile.hlsl"), "{:?}", ran.stderr);
}

#[test]
fn an_internal_error_exits_with_101_and_names_its_reproduction() {
    let dir = graph();
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_wgc"))
        .args(["graph.hlsl", "-spirv"])
        .current_dir(&dir.0)
        .env("WGC_SIMULATE_INTERNAL_ERROR", "1")
        .env("TMPDIR", &dir.0)
        .output()
        .expect("wgc starts");
    assert_eq!(output.status.code(), Some(101));
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    let text = "wgc: internal error: WGC_SIMULATE_INTERNAL_ERROR is set (at src/internal_error.rs:";
    assert!(message.starts_with(text) && message.contains("bug in wgc"), "{message}");
    let files: Vec<String> = dir.entries().into_iter().filter(|e| e != "graph.hlsl").collect();
    assert_eq!(files.len(), 1, "one reproduction file and no output: {files:?}");
    assert!(message.contains(&files[0]), "{message}");
    let reproduction = std::fs::read_to_string(dir.0.join(&files[0])).expect("readable");
    assert!(reproduction.contains("command line: graph.hlsl -spirv"), "{reproduction}");
}

#[test]
fn target_errors_have_source_locations() {
    let merge = "struct R { uint v; };
RWStructuredBuffer<uint> U;
[Shader(\"node\")] [NodeLaunch(\"thread\")]
void A([MaxRecords(2)] NodeOutput<R> B, [MaxRecords(2)] NodeOutput<R> C) {
    ThreadNodeOutputRecords<R> r;
    if (U[0]) r = B.GetThreadNodeOutputRecords(1); else r = C.GetThreadNodeOutputRecords(1);
    r.Get().v = 1;
    r.OutputComplete();
}
[Shader(\"node\")] [NodeLaunch(\"thread\")] void B(ThreadNodeInputRecord<R> r) { U[0] = r.Get().v; }
[Shader(\"node\")] [NodeLaunch(\"thread\")] void C(ThreadNodeInputRecord<R> r) { U[0] = r.Get().v; }
";
    let local = "    ThreadNodeOutputRecords<R> r;
    if (U[0]) r = B.GetThreadNodeOutputRecords(1); else r = C.GetThreadNodeOutputRecords(1);
";
    let pick = "ThreadNodeOutputRecords<R> pick(NodeOutput<R> b, NodeOutput<R> c) {
    if (U[0]) return b.GetThreadNodeOutputRecords(1);
    return c.GetThreadNodeOutputRecords(1);
}
[Shader(\"node\")] [NodeLaunch(\"thread\")]
void A";
    let through = merge
        .replace(local, "    ThreadNodeOutputRecords<R> s = pick(B, C);\n")
        .replace("r.Get().v = 1;", "s.Get().v = 1;");
    let through = through.replace("    r.Output", "    s.Output").replacen(
        "[Shader(\"node\")] [NodeLaunch(\"thread\")]\nvoid A",
        pick,
        1,
    );
    // A variable of the same name in the function that this one is inlined into is not affected.
    let inlined = "struct R { uint v; };
RWStructuredBuffer<uint> U;
void send(NodeOutput<R> b, NodeOutput<R> c) {
    ThreadNodeOutputRecords<R> r;
    if (U[0]) r = b.GetThreadNodeOutputRecords(1); else r = c.GetThreadNodeOutputRecords(1);
    r.OutputComplete();
}
[Shader(\"node\")] [NodeLaunch(\"thread\")]
void A([MaxRecords(2)] NodeOutput<R> B, [MaxRecords(2)] NodeOutput<R> C) {
    ThreadNodeOutputRecords<R> r = B.GetThreadNodeOutputRecords(1);
    r.OutputComplete();
    send(B, C);
}
[Shader(\"node\")] [NodeLaunch(\"thread\")] void B(ThreadNodeInputRecord<R> r) { U[0] = r.Get().v; }
[Shader(\"node\")] [NodeLaunch(\"thread\")] void C(ThreadNodeInputRecord<R> r) { U[0] = r.Get().v; }
";
    let dir = Scratch::new().with("local.hlsl", merge).with("returned.hlsl", &through);
    let dir = dir.with("inlined.hlsl", inlined);
    let cases = [
        ("local.hlsl", "local.hlsl:5:32: error[WG0501]: the choice of records in `r` depends on control flow"),
        (
            "returned.hlsl",
            "returned.hlsl:3:28: error[WG0501]: the choice of records that this function returns depends on control flow",
        ),
        ("inlined.hlsl", "inlined.hlsl:4:32: error[WG0501]: the choice of records in `r` depends on control flow"),
    ];
    for (file, message) in cases {
        wgc(&dir.0, ["check", file]).expect(0);
        wgc(&dir.0, ["check", file, "--target", "spirv-emulated"]).expect(0);
        let check: &[&str] = &["check", file, "--target", "spirv-amdx"];
        for args in [check, &[file, "-spirv"], &[file, "-spirv", "--emit", "asm"]] {
            let short = wgc(&dir.0, args.iter().chain(&["--message-format", "short"])).expect(1).stderr;
            assert!(short.starts_with(message), "{short}");
        }
        let shown = wgc(&dir.0, check).expect(1).stderr;
        assert!(shown.contains("--target spirv-emulated"), "{shown}");
    }
    assert_eq!(dir.entries(), ["inlined.hlsl", "local.hlsl", "returned.hlsl"], "nothing is written");
}

#[test]
fn non_constant_offsets_are_diagnosed_at_their_location() {
    let text = "Texture2D<float> T; SamplerState S; RWStructuredBuffer<float> U; struct R { int a; };
float tap(int2 o)
{
    return T.SampleLevel(S, 0.5, 0, o * 2);
}
[Shader(\"node\")] [NodeLaunch(\"thread\")] void A(ThreadNodeInputRecord<R> r)
{
    U[0] = tap(int2(1, -2)) + tap(OTHER);
}
";
    let variable = text.replace("OTHER", "r.Get().a");
    let outside = text.replace("OTHER", "int2(2, 4)");
    let dir = Scratch::new().with("variable.hlsl", &variable).with("outside.hlsl", &outside);
    let cases = [
        ("variable.hlsl", "4:12: error[WG0227]: the texel offset is not a constant, even after inlining"),
        ("outside.hlsl", "4:12: error[WG0227]: the offset 8 is outside of the range -8 to 7"),
    ];
    for (file, message) in cases {
        for target in ["spirv-emulated", "spirv-amdx"] {
            let short = wgc(&dir.0, [file, "--target", target, "--message-format", "short"]).expect(1).stderr;
            assert!(short.starts_with(&format!("{file}:{message}")), "{target}: {short}");
        }
    }
    assert_eq!(dir.entries(), ["outside.hlsl", "variable.hlsl"], "nothing is written");
}

#[test]
fn unset_resources_are_diagnosed_at_their_declaration() {
    let text = "RWStructuredBuffer<uint> U; Texture2D<uint> T;
uint read(bool set) {
    Texture2D<uint> t;
    if (set) { t = T; }
    return t.Load(0);
}
[Shader(\"node\")] [NodeLaunch(\"thread\")] void A() { U[0] = read(U[1]); }
";
    let never = text.replace("t = T;", "");
    let dir = Scratch::new().with("some.hlsl", text).with("never.hlsl", &never);
    for target in ["spirv-emulated", "spirv-amdx"] {
        wgc(&dir.0, ["check", "some.hlsl", "--target", target]).expect(0);
        let short = wgc(&dir.0, ["never.hlsl", "--target", target, "--message-format", "short"]).expect(1).stderr;
        let message = "never.hlsl:3:21: error[WG0502]: `t` is used but never set to a resource";
        assert!(short.starts_with(message), "{target}: {short}");
    }
    assert_eq!(dir.entries(), ["never.hlsl", "some.hlsl"], "nothing is written");
}

#[test]
fn runs_without_expectations_fail_unless_they_print() {
    let expect = RUN.find("\"expect\"").expect("it expects something");
    let nothing = format!("{} \"expect\": {{}} }}", &RUN[..expect]);
    let idle = nothing.replace(&RUN[RUN.find("\"dispatch\"").expect("it dispatches")..expect], "\"dispatch\": [], ");
    let dir = graph().with("nothing.run.json", &nothing).with("idle.run.json", &idle);
    let ran = wgc(&dir.0, ["run", "--inputs", "nothing.run.json"]).expect(1);
    assert!(ran.out().contains("nothing was expected"), "{}", ran.out());
    assert!(ran.stderr.contains("nothing.run.json expects nothing"), "{}", ran.stderr);
    assert!(wgc(&dir.0, ["run", "--inputs", "nothing.run.json", "--print", "Out"]).expect(0).stderr.is_empty());
    let ran = wgc(&dir.0, ["run", "--inputs", "idle.run.json", "--print", "Out"]).expect(0);
    assert!(ran.stderr.contains("warning: idle.run.json dispatches nothing"), "{}", ran.stderr);
}

#[test]
fn unused_resources_may_be_given_with_a_warning() {
    let unused = "namespace lib { Texture2D Unused; } cbuffer Idle { float x; };\nRWStructuredBuffer<uint> Out";
    let shader = GRAPH.replace("RWStructuredBuffer<uint> Out", unused);
    let given = |name: &str| {
        RUN.replace("\"Out\": { \"u32\": [0] }", &format!("\"Out\": {{ \"u32\": [0] }}, {name}: {{ \"u32\": [1] }}"))
    };
    let dir = Scratch::new().with("graph.hlsl", &shader);
    for name in ["\"lib::Unused\"", "\"Unused\"", "\"Idle\""] {
        let dir = Scratch::new().with("graph.hlsl", &shader).with("a.run.json", given(name));
        let ran = wgc(&dir.0, ["run", "--inputs", "a.run.json"]).expect(0);
        assert!(ran.stderr.contains("warning: a.run.json:3:"), "{}", ran.stderr);
        assert!(ran.stderr.contains("but does not use it"), "{}", ran.stderr);
    }
    let dir = dir.with("b.run.json", given("\"outt\""));
    let ran = wgc(&dir.0, ["run", "--inputs", "b.run.json"]).expect(2);
    assert!(ran.stderr.contains("uses no resource \"outt\" (did you mean \"Out\"?)"), "{}", ran.stderr);
    let expected = RUN.replace("\"expect\": { \"Out\"", "\"expect\": { \"Idle\"");
    let dir = dir.with("c.run.json", expected);
    let ran = wgc(&dir.0, ["run", "--inputs", "c.run.json"]).expect(2);
    assert!(ran.stderr.contains("the program declares Idle but does not use it"), "{}", ran.stderr);
}

#[test]
fn a_failed_run_prints_expected_and_actual_values() {
    let dir = graph().with("good.run.json", RUN).with("bad.run.json", RUN.replace("[42]", "[43]"));
    wgc(&dir.0, ["run", "--inputs", "good.run.json"]).expect(0);
    let ran = wgc(&dir.0, ["run", "--inputs", "bad.run.json"]).expect(1);
    let text = ran.out() + &ran.stderr;
    for part in ["Out", "0", "42", "43"] {
        assert!(text.contains(part), "`{part}` is missing from\n{text}");
    }
}

#[test]
fn devices_lists_the_built_in_one_first() {
    let dir = Scratch::new();
    let out = wgc(&dir.0, ["devices"]).expect(0).out();
    assert!(out.starts_with("cpu"), "{out}");
}

/// Records from outside the graph have no size limit: packages with such records are written, read, run and
/// overwritten.
#[test]
fn packages_support_large_entry_records() {
    for words in [16_384, 16_385, 25_000, 300_000] {
        let shader = format!(
            "RWStructuredBuffer<uint> Out : register(u0);\nstruct Big {{ uint a[{words}]; }};\n\
             [Shader(\"node\")] [NodeLaunch(\"broadcasting\")] [NodeDispatchGrid(2, 1, 1)] [NumThreads(64, 1, 1)]\n\
             void Sum(DispatchNodeInputRecord<Big> i, uint t : SV_DispatchThreadID)\n{{\n    uint s = 0;\n\
             for (uint k = t; k < {words}; k += 128) s += i.Get().a[k];\n    InterlockedAdd(Out[0], s);\n}}\n"
        );
        let numbers: Vec<String> = (0..words).map(|n| (n % 7).to_string()).collect();
        let sum: u32 = (0..words).map(|n| n % 7).sum();
        let run = format!(
            "{{ \"resources\": {{ \"Out\": {{ \"zero_bytes\": 4 }} }}, \"dispatch\": [ {{ \"inputs\": [ {{ \"node\": \
             \"Sum\", \"records\": [ {{ \"a\": [{}] }} ] }} ] }} ], \"expect\": {{ \"Out\": {{ \"u32\": [{sum}] }} }} }}",
            numbers.join(", ")
        );
        let dir = Scratch::new().with("a.hlsl", shader).with("a.run.json", run);
        for out in [&["-o", "a.wgcpkg"][..], &["--pack", "-o", "b.wgcpkg"]] {
            for _ in 0..2 {
                wgc(&dir.0, ["a.hlsl"].iter().chain(out)).expect(0);
            }
        }
        for file in ["a.hlsl", "a.wgcpkg", "b.wgcpkg"] {
            wgc(&dir.0, ["run", file, "--inputs", "a.run.json"]).expect(0);
        }
        wgc(&dir.0, ["run", "a.hlsl", "--target", "spirv-amdx", "--inputs", "a.run.json"]).expect(0);
    }
}
