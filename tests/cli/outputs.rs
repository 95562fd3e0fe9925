//! Outputs of a command overwrite neither its inputs nor each other, and a failed command leaves all files unchanged.

use crate::support::{Scratch, wgc};
use crate::{GRAPH, RUN, graph};

#[test]
fn directories_other_than_packages_are_never_replaced() {
    let dir = graph();
    std::fs::create_dir(dir.0.join("graph.wgcpkg")).expect("made");
    std::fs::write(dir.0.join("graph.wgcpkg/thesis.txt"), "x").expect("written");
    let ran = wgc(&dir.0, ["graph.hlsl"]).expect(2);
    assert!(ran.stderr.contains("is not a package"), "{}", ran.stderr);
    assert!(dir.0.join("graph.wgcpkg/thesis.txt").exists());
}

/// Runs a command that must be refused, and checks that every file is unchanged.
fn refused(dir: &Scratch, args: &[&str], why: &str) {
    let before: Vec<(String, Vec<u8>)> = dir
        .entries()
        .into_iter()
        .filter_map(|name| Some((name.clone(), std::fs::read(dir.0.join(&name)).ok()?)))
        .collect();
    let ran = wgc(&dir.0, args.iter().copied()).expect(2);
    assert!(ran.stderr.contains(why), "{args:?}: {}", ran.stderr);
    for (name, bytes) in before {
        assert!(std::fs::read(dir.0.join(&name)).expect("still there") == bytes, "{args:?} overwrote {name}");
    }
}

#[test]
fn no_file_that_a_command_reads_is_overwritten_by_it() {
    let dir = graph()
        .with("inc.h", "static const uint steps = 4;\n")
        .with("main.hlsl", format!("#include \"inc.h\"\n{GRAPH}"))
        .with("host.json", "{}")
        .with("args.rsp", "main.hlsl")
        .with("shadertoolsconfig.json", "{}");
    let why = "it is an input of this command";
    for args in [
        &["main.hlsl", "--emit", "asm", "-o", "inc.h"][..],
        &["main.hlsl", "-Fc", "inc.h"],
        &["main.hlsl", "-MD", "-MF", "inc.h"],
        &["main.hlsl", "-P", "-Fi", "inc.h"],
        &["main.hlsl", "--host", "host.json", "--emit", "asm", "-o", "host.json"],
        &["@args.rsp", "--emit", "asm", "-o", "args.rsp"],
        &["main.hlsl", "--emit", "asm", "-o", "shadertoolsconfig.json"],
    ] {
        refused(&dir, args, why);
    }
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("inc.h", dir.0.join("link.h")).expect("linked");
        std::fs::hard_link(dir.0.join("inc.h"), dir.0.join("hard.h")).expect("linked");
        refused(&dir, &["main.hlsl", "--emit", "asm", "-o", "link.h"], why);
        refused(&dir, &["main.hlsl", "--emit", "asm", "-o", "hard.h"], why);
    }
}

#[test]
fn no_file_that_a_run_reads_is_overwritten_by_it() {
    let example = |name: &str| std::fs::read_to_string(format!("{}/examples/{name}", env!("CARGO_MANIFEST_DIR")));
    let (shader, run) = (example("hello.hlsl").expect("an example"), example("hello.run.json").expect("an example"));
    let from_file = run.replacen("\"u32\": [0, 0, 0, 0]", "\"file\": \"out/Result.bin\"", 1);
    assert_ne!(from_file, run);
    let dir = Scratch::new().with("hello.hlsl", &shader).with("hello.run.json", &run).with("file.run.json", &from_file);
    let why = "it is an input of this command";
    for option in ["--records-json", "--trace"] {
        refused(&dir, &["run", "--inputs", "hello.run.json", option, "hello.run.json"], why);
        refused(&dir, &["run", "--inputs", "hello.run.json", option, "hello.hlsl"], why);
    }
    let why_not = "this command already writes another output there";
    refused(&dir, &["run", "--inputs", "hello.run.json", "--records-json", "both", "--trace", "both"], why_not);
    let data = dir.0.join("out/Result.bin");
    std::fs::create_dir(dir.0.join("out")).expect("made");
    std::fs::write(&data, [0; 16]).expect("written");
    let ran = wgc(&dir.0, ["run", "--inputs", "file.run.json", "--out", "out"]).expect(2);
    assert!(ran.stderr.contains(why), "{}", ran.stderr);
    assert_eq!(std::fs::read(&data).expect("still there"), [0; 16]);
}

/// The results of a run get their names when all are complete.
#[test]
fn a_run_with_one_refused_result_leaves_the_others_as_they_were() {
    let text = "RWStructuredBuffer<uint> A; RWStructuredBuffer<uint> B;
        [numthreads(1, 1, 1)] void main() { A[0] = 7; B[0] = 8; }";
    let run = |b: &str| {
        format!(
            "{{ \"resources\": {{ \"A\": {{ \"zero_bytes\": 4 }}, \"B\": {{ {b} }} }}, \"dispatch\": [{{ \"groups\": [1] }}] }}"
        )
    };
    let dir = Scratch::new().with("b.hlsl", text);
    std::fs::create_dir(dir.0.join("r")).expect("made");
    let dir = dir.with("r/A.bin", "oldA").with("r/B.bin", "inpB");
    let dir = dir.with("input.run.json", run("\"file\": \"r/B.bin\"")).with("own.run.json", run("\"zero_bytes\": 4"));
    let line = |inputs: &'static str| ["run", "b.hlsl", "-T", "cs_6_6", "-E", "main", "--inputs", inputs, "--out", "r"];
    let read = |name: &str| std::fs::read(dir.0.join(name)).expect("it is there");
    assert!(wgc(&dir.0, line("input.run.json")).expect(2).stderr.contains("it is an input of this command"));
    assert_eq!((read("r/A.bin"), read("r/B.bin")), (b"oldA".to_vec(), b"inpB".to_vec()));
    std::fs::remove_file(dir.0.join("r/B.bin")).expect("removed");
    std::fs::create_dir(dir.0.join("r/B.bin")).expect("made");
    wgc(&dir.0, line("own.run.json")).expect(2);
    assert_eq!(read("r/A.bin"), b"oldA");
    std::fs::remove_dir(dir.0.join("r/B.bin")).expect("removed");
    wgc(&dir.0, line("own.run.json")).expect(0);
    assert_eq!((read("r/A.bin"), read("r/B.bin")), (vec![7, 0, 0, 0], vec![8, 0, 0, 0]));
    // A folder in place of a trace is refused before the run.
    let dir = graph().with("graph.run.json", RUN);
    std::fs::create_dir(dir.0.join("t")).expect("made");
    wgc(&dir.0, ["run", "--inputs", "graph.run.json", "--trace", "t", "--out", "q"]).expect(2);
    assert!(!dir.0.join("q/Out.bin").exists() && !dir.0.join("q").exists());
}

#[test]
fn two_outputs_of_a_command_have_two_files() {
    let dir = graph().with("graph.run.json", RUN);
    let why = "this command already writes another output there";
    refused(&dir, &["graph.hlsl", "-spirv", "-o", "same", "-Fc", "./same"], why);
    refused(&dir, &["graph.hlsl", "-spirv", "-o", "same", "-MD", "-MF", "same"], why);
    let why = "is another output of this command, and one of the two contains the other";
    wgc(&dir.0, ["graph.hlsl", "-o", "one.wgcpkg"]).expect(0);
    refused(&dir, &["graph.hlsl", "-o", "one.wgcpkg", "-Fc", "one.wgcpkg/notes.txt"], why);
    let run = ["run", "--inputs", "graph.run.json", "--trace", "same", "--records-json", "./same"];
    refused(&dir, &run, "this command already writes another output there");
    assert_eq!(dir.entries(), ["graph.hlsl", "graph.run.json", "one.wgcpkg"]);
}

#[test]
#[cfg(target_os = "linux")]
fn two_outputs_of_a_command_have_two_streams() {
    let dir = graph().with("graph.run.json", RUN);
    let why = "this command already writes another output there";
    for (one, other) in [("-", "-"), ("-", "/dev/stdout"), ("/dev/fd/1", "-"), ("/dev/stderr", "/dev/fd/2")] {
        refused(&dir, &["graph.hlsl", "-spirv", "-o", one, "-Fc", other], why);
        refused(&dir, &["graph.hlsl", "--pack", "-o", one, "-MD", "-MF", other], why);
        refused(&dir, &["run", "--inputs", "graph.run.json", "--trace", one, "--records-json", other], why);
    }
    // A pipe is one stream too, under all its names. It is in another folder, since `refused` reads all files of this one.
    let pipes = Scratch::new();
    let (pipe, link) = (pipes.0.join("pipe"), pipes.0.join("link"));
    let made = std::process::Command::new("mkfifo").arg(&pipe).status().expect("mkfifo starts");
    assert!(made.success());
    std::os::unix::fs::symlink("pipe", &link).expect("linked");
    let [pipe, link] = [pipe, link].map(|path| path.to_string_lossy().into_owned());
    refused(&dir, &["graph.hlsl", "-spirv", "-o", &pipe, "-Fc", &link], why);
    // A device takes both, and two streams are two outputs.
    wgc(&dir.0, ["graph.hlsl", "-spirv", "-o", "/dev/null", "-Fc", "/dev/null"]).expect(0);
    let ran = wgc(&dir.0, ["graph.hlsl", "-spirv", "-o", "-", "-Fc", "/dev/stderr"]).expect(0);
    assert!(ran.stderr.contains("OpEntryPoint"), "{}", ran.stderr);
    assert_eq!(dir.entries(), ["graph.hlsl", "graph.run.json"]);
}

#[test]
fn outputs_over_inputs_are_rejected() {
    let dir = graph();
    let ran = wgc(&dir.0, ["graph.hlsl", "-spirv", "-o", "./graph.hlsl"]).expect(2);
    assert!(ran.stderr.contains("it is an input of this command"), "{}", ran.stderr);
    assert_eq!(std::fs::read_to_string(dir.0.join("graph.hlsl")).expect("still there"), GRAPH);
}

#[test]
fn packages_with_other_files_are_not_replaced() {
    let dir = graph();
    wgc(&dir.0, ["graph.hlsl"]).expect(0);
    std::fs::write(dir.0.join("graph.wgcpkg/nodes/notes.txt"), "x").expect("written");
    let ran = wgc(&dir.0, ["graph.hlsl"]).expect(2);
    assert!(ran.stderr.contains("contains other files"), "{}", ran.stderr);
    assert!(dir.0.join("graph.wgcpkg/nodes/notes.txt").exists());
}

#[test]
#[cfg(target_os = "linux")]
fn full_standard_output_is_an_error_full_standard_error_is_not() {
    let dir = graph().with("wrong.hlsl", "void f() { x; }\n");
    let run = |args: &[&str], redirect: &str| {
        let line = format!("{} {} {redirect}", env!("CARGO_BIN_EXE_wgc"), args.join(" "));
        let status =
            std::process::Command::new("sh").args(["-c", &line]).current_dir(&dir.0).status().expect("sh starts");
        status.code()
    };
    assert_eq!(run(&["graph.hlsl", "--emit", "asm"], ">/dev/full 2>/dev/null"), Some(2));
    assert_eq!(run(&["devices"], ">/dev/full 2>/dev/null"), Some(2));
    assert_eq!(run(&["check", "wrong.hlsl"], "2>/dev/full"), Some(1));
    assert_eq!(run(&["check", "graph.hlsl"], "2>/dev/full"), Some(0));
}

#[test]
fn failing_stages_leave_files_unchanged() {
    let dir = Scratch::new().with("bad.hlsl", "#include \"none.hlsli\"\nuint a = ;\n").with("out", "old");
    for arguments in [
        &["bad.hlsl", "-P", "-Fi", "out"][..],
        &["bad.hlsl", "-M", "-MF", "out"],
        &["bad.hlsl", "--emit", "tokens", "-o", "out"],
        &["bad.hlsl", "--emit", "ast", "-o", "out"],
        &["bad.hlsl", "--emit", "svg", "-o", "out"],
    ] {
        wgc(&dir.0, arguments).expect(1);
        assert_eq!(std::fs::read_to_string(dir.0.join("out")).expect("still there"), "old", "{arguments:?}");
    }
    // Standard output shows the result as far as it goes.
    let ran = wgc(&dir.0, ["bad.hlsl", "-P"]).expect(1);
    assert!(ran.out().contains("uint a"), "{}", ran.stderr);
}
