//! Sources, run files, modules and packages from pipes. Every command that reads a pipe reads it once.

use crate::support::{Ran, Scratch, wgc, wgc_with_input};
use crate::{GRAPH, RUN, graph};
use std::io::Write;
use std::process::{Command, Stdio};

const STDIN: &str = "/dev/stdin";

/// Runs the command with bytes on its standard input.
fn fed(dir: &Scratch, args: &[&str], input: &[u8]) -> (Option<i32>, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_wgc"));
    command.current_dir(&dir.0).args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("it starts");
    child.stdin.take().expect("it is piped").write_all(input).expect("it reads all");
    let out = child.wait_with_output().expect("it ends");
    (out.status.code(), String::from_utf8_lossy(&[out.stdout, out.stderr].concat()).into_owned())
}

#[test]
fn sources_are_read_from_pipes() {
    let dir = graph().with("given.run.json", RUN);
    let wrong = GRAPH.replace("input.Get().v", "input.Get().w");
    for args in [&["check", STDIN][..], &["check", "/proc/self/fd/0"], &["check", "-"]] {
        assert_eq!(wgc_with_input(&dir.0, args, GRAPH).expect(0).stderr, "", "{args:?}");
        let ran = wgc_with_input(&dir.0, args, &wrong).expect(1);
        assert!(ran.stderr.contains(":4:"), "the line is right: {}", ran.stderr);
    }
    wgc_with_input(&dir.0, [STDIN, "-o", "piped.wgcpkg", "-MD"], GRAPH).expect(0);
    let rule = std::fs::read_to_string(dir.0.join("piped.d")).expect("written");
    assert_eq!(rule, "piped.wgcpkg:\n", "nothing depends on a pipe");
    wgc_with_input(&dir.0, [STDIN, "--emit", "tokens"], GRAPH).expect(0);
    wgc_with_input(&dir.0, [STDIN, "-P"], GRAPH).expect(0);
    let ran: Ran = wgc_with_input(&dir.0, ["run", STDIN, "--inputs", "given.run.json"], GRAPH).expect(0);
    assert!(ran.out().contains("1 expectation held"), "{}", ran.out());
    // Two names of one pipe are the same file, which the graph then contains twice.
    let ran = wgc_with_input(&dir.0, ["check", STDIN, "/dev/../dev/stdin"], GRAPH).expect(1);
    assert!(ran.stderr.contains("WG0402"), "{}", ran.stderr);
}

#[test]
fn piped_run_files_resolve_paths_from_the_working_folder() {
    let dir = graph();
    let ran = wgc_with_input(&dir.0, ["run", "--inputs", STDIN], RUN).expect(0);
    assert!(ran.out().contains("1 expectation held"), "{}", ran.out());
    let ran = wgc_with_input(&dir.0, ["run", "--inputs", STDIN], &RUN.replace("42", "}")).expect(2);
    assert!(ran.stderr.contains("/dev/stdin:5:"), "{}", ran.stderr);
}

#[test]
fn modules_and_packages_are_read_from_pipes() {
    let dir = graph().with("given.run.json", RUN);
    wgc(&dir.0, ["graph.hlsl", "--target", "spirv-amdx", "-o", "a.spv"]).expect(0);
    wgc(&dir.0, ["graph.hlsl", "--pack", "-o", "a.wgcpkg"]).expect(0);
    let bytes = |name: &str| std::fs::read(dir.0.join(name)).expect("written");
    let run = ["run", STDIN, "--inputs", "given.run.json"];
    for name in ["a.spv", "a.wgcpkg"] {
        let (status, output) = fed(&dir, &run, &bytes(name));
        assert!(status == Some(0) && output.contains("1 expectation held"), "{name}: {output}");
        let (status, output) = fed(&dir, &["check", STDIN], &bytes(name));
        assert!(status == Some(2) && output.contains("wgc cannot compile its own output"), "{name}: {output}");
    }
    assert_eq!(fed(&dir, &["verify", STDIN], &bytes("a.spv")), (Some(0), String::new()));
}

#[test]
fn fifos_are_read_once() {
    let dir = graph();
    let fifo = dir.0.join("fifo");
    assert!(Command::new("mkfifo").arg(&fifo).status().expect("it starts").success());
    for args in [&["check", "fifo"][..], &["fifo", "-o", "out.wgcpkg"], &["fmt", "--check", "fifo"]] {
        let to = fifo.clone();
        // The writer waits for a reader, and would wait for a second one.
        let writer = std::thread::spawn(move || std::fs::write(to, GRAPH));
        let ran = wgc(&dir.0, args);
        assert_eq!(ran.status, 0, "{args:?}: {}", ran.stderr);
        writer.join().expect("it ends").expect("written");
    }
    let ran = wgc(&dir.0, ["fmt", "fifo"]).expect(2);
    assert!(ran.stderr.contains("use --stdin"), "{}", ran.stderr);
}
