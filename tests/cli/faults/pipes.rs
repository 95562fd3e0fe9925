//! Closed ends of pipes, standard output on a full disk, and limits of address space.

use crate::support::{Ran, Scratch};
use crate::{GRAPH, RUN, graph};
use std::path::Path;
use std::process::Command;

/// Runs a command line of the shell; `$WGC` is the command.
fn shell(dir: &Path, line: &str) -> Ran {
    let mut shell = Command::new("bash");
    shell.args(["-c", line]).env("WGC", env!("CARGO_BIN_EXE_wgc")).env("NO_COLOR", "1").current_dir(dir);
    let out = shell.output().expect("bash starts");
    let stderr = String::from_utf8_lossy(&out.stderr).into_owned();
    Ran { status: out.status.code().unwrap_or(-1), stdout: out.stdout, stderr }
}

fn broken(errors: usize) -> String {
    (0..errors).map(|k| format!("void f{k}() {{ nothing{k}(); }}\n")).collect()
}

/// A reader that closes the pipe early is no error, and causes no message.
#[test]
fn closed_output_pipes_are_not_errors() {
    let dir = graph().with("wrong.hlsl", broken(300)).with("a.run.json", RUN);
    for (command, status) in [
        ("$WGC --help", 0),
        ("$WGC explain", 0),
        ("$WGC graph.hlsl --emit asm -o -", 0),
        ("$WGC graph.hlsl --pack -o -", 0),
        ("$WGC graph.hlsl -P", 0),
        ("$WGC fmt --stdin <graph.hlsl", 0),
        ("$WGC run --inputs a.run.json --print Out", 0),
        ("$WGC run --inputs a.run.json --records", 0),
        ("$WGC run --inputs a.run.json --records-json -", 0),
        ("$WGC check wrong.hlsl", 1),
        ("$WGC check wrong.hlsl --message-format json", 1),
        ("$WGC check wrong.hlsl --message-format sarif", 1),
        ("$WGC verify graph.hlsl", 2),
    ] {
        // The status of the first command. Both outputs go into one pipe, whose reader reads nothing or one line.
        for reader in ["true", "head -1 >/dev/null"] {
            // The reader has exited before anything is written.
            let wait = if reader == "true" { "sleep 0.2; " } else { "" };
            let line = format!("{{ {wait}{command} 2>&1; }} | {reader}; exit ${{PIPESTATUS[0]}}");
            let ran = shell(&dir.0, &line).expect(status);
            assert_eq!((ran.out().as_str(), ran.stderr.as_str()), ("", ""), "{line}");
        }
        // Neither output is open.
        for closed in [">&-", "2>&- >/dev/null", ">&- 2>&-"] {
            let ran = shell(&dir.0, &format!("{command} {closed}")).expect(status);
            assert_eq!(ran.out(), "", "{command} {closed}");
            assert!(!ran.stderr.contains("panicked") && !ran.stderr.contains("bug in wgc"), "{}", ran.stderr);
        }
    }
}

/// Names of open files are written to: a redirected file keeps its other contents, and pipes work.
#[cfg(target_os = "linux")]
#[test]
fn open_descriptor_outputs_are_written_in_place() {
    let dir = graph();
    let header = shell(&dir.0, "$WGC graph.hlsl --emit header -o -").expect(0).out();
    assert!(!header.is_empty());
    let around = format!("head\n{header}tail\n");
    for name in ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", "stdout.link"] {
        let link = "ln -sf /dev/stdout stdout.link; ";
        let command = format!("$WGC graph.hlsl --emit header -o {name}");
        let line = format!("{link}(echo head; {command}; echo tail) > log; cat log");
        assert_eq!(shell(&dir.0, &line).expect(0).out(), around, "{name}");
        let line = format!("{link}echo head > log; ({command}; echo tail) >> log; cat log");
        assert_eq!(shell(&dir.0, &line).expect(0).out(), around, "{name}, appended");
        assert_eq!(shell(&dir.0, &format!("{link}{command} | cat")).expect(0).out(), header, "{name}, a pipe");
    }
    let line = "$WGC graph.hlsl --emit header -o >(cat > copy); sleep 1; cat copy";
    assert_eq!(shell(&dir.0, line).expect(0).out(), header, "a process substitution");
    let line = "echo head > log; $WGC graph.hlsl --emit header -o /dev/fd/5 5>> log; cat log";
    assert_eq!(shell(&dir.0, line).expect(0).out(), format!("head\n{header}"), "another number");
    let line = "echo head > log; sleep 5 >> log & $WGC graph.hlsl --emit header -o /proc/$!/fd/1; cat log; kill $!";
    assert_eq!(shell(&dir.0, line).expect(0).out(), format!("head\n{header}"), "standard output of another process");

    let dir = dir.with("a.run.json", RUN);
    for option in ["--trace", "--records-json"] {
        let run = format!("$WGC run --inputs a.run.json {option}");
        let alone = shell(&dir.0, &format!("{run} alone; cat alone")).expect(0).out();
        for name in ["/dev/stdout", "/dev/fd/1"] {
            let ran =
                shell(&dir.0, &format!("(echo head; {run} {name}; echo tail) > log; cat log; {run} {name} | cat"));
            let lines: Vec<String> = ran.expect(0).out().lines().map(str::to_owned).collect();
            // Times differ between runs.
            let first: String = alone.chars().take(20).collect();
            assert_eq!((lines[0].as_str(), lines.iter().filter(|line| line.starts_with(&first)).count()), ("head", 2));
            assert!(lines.contains(&"tail".to_owned()), "{option} {name}: {lines:?}");
        }
    }
}

/// A descriptor leads to a file, which may be an input or another output.
#[test]
fn output_descriptors_must_not_alias_inputs_or_outputs() {
    let dir = graph().with("a.run.json", RUN).with("other", "mine");
    let other = "this command already writes another output there";
    let standard = "standard output goes to this file";
    for (command, why) in [
        ("$WGC graph.hlsl -spirv -o out -Fc /dev/stdin < graph.hlsl", "this descriptor is open for reading only"),
        ("$WGC - -spirv -o /dev/stdin < graph.hlsl", "this descriptor is open for reading only"),
        ("$WGC graph.hlsl -spirv -o out -Fc /dev/fd/5 5< other", "this descriptor is open for reading only"),
        ("$WGC graph.hlsl -spirv -o out -Fc /dev/fd/5 5<> graph.hlsl", "it is an input of this command"),
        ("$WGC run --inputs a.run.json --records-json /dev/fd/5 5<> a.run.json", "it is an input of this command"),
        ("$WGC graph.hlsl -spirv -o other -Fc - >> other", standard),
        ("$WGC graph.hlsl -spirv -o - -Fc other >> other", other),
        ("$WGC graph.hlsl -spirv -o /dev/fd/5 -Fc /dev/fd/6 5>> other 6>&5", other),
        ("$WGC run --inputs a.run.json --records-json other --print Out >> other", standard),
        ("$WGC run --inputs a.run.json --trace other >> other", standard),
    ] {
        let ran = shell(&dir.0, command).expect(2);
        assert!(ran.stderr.contains(why), "{command}: {}", ran.stderr);
        assert_eq!(dir.entries(), ["a.run.json", "graph.hlsl", "other"], "{command}");
        let text = |name: &str| std::fs::read_to_string(dir.0.join(name)).expect("still there");
        assert_eq!((text("graph.hlsl"), text("a.run.json"), text("other")), (GRAPH.into(), RUN.into(), "mine".into()));
    }
    // This message is in the file.
    shell(&dir.0, "$WGC graph.hlsl -spirv -o other 2>> other").expect(2);
    let text = std::fs::read_to_string(dir.0.join("other")).expect("still there");
    assert!(text.starts_with("mine") && text.contains("standard error goes to this file"), "{text}");
}

#[test]
fn an_output_that_fails_leaves_the_others_as_they_were() {
    let dir = graph().with("a.run.json", RUN).with("old", "mine");
    let mut commands = vec!["$WGC run --inputs a.run.json --records-json old --print Nope"];
    if Path::new("/dev/full").exists() {
        commands.extend([
            "$WGC graph.hlsl -spirv -o old -Fc - > /dev/full",
            "$WGC graph.hlsl -spirv -o old -Fc /dev/full",
            "$WGC graph.hlsl -spirv -o /dev/full -Fc old",
            "$WGC graph.hlsl -o new.wgcpkg -MF /dev/full",
            "$WGC run --inputs a.run.json --records-json /dev/full --trace old",
        ]);
    }
    for command in commands {
        shell(&dir.0, command).expect(2);
        assert_eq!(dir.entries(), ["a.run.json", "graph.hlsl", "old"], "{command}");
        assert_eq!(std::fs::read_to_string(dir.0.join("old")).expect("there"), "mine", "{command}");
    }
}

#[test]
fn outputs_that_need_a_file_reject_streams() {
    let dir = graph();
    for (command, why) in [
        ("$WGC graph.hlsl -spirv -o - -MD", "add -MF FILE"),
        ("$WGC graph.hlsl -spirv --split-nodes -o /dev/null", "give the common beginning of their names"),
        ("$WGC graph.hlsl -o /dev/stdout", "a package is a directory"),
    ] {
        let ran = shell(&dir.0, command).expect(2);
        assert!(ran.stderr.contains(why), "{command}: {}", ran.stderr);
        assert_eq!(dir.entries(), ["graph.hlsl"], "{command}");
    }
}

/// The output cannot be written: the status reports it.
#[test]
fn writing_standard_output_to_a_full_disk_is_an_error() {
    if !Path::new("/dev/full").exists() {
        return;
    }
    let dir = graph().with("a.run.json", RUN);
    for command in [
        "$WGC --help >/dev/full",
        "$WGC graph.hlsl --emit asm -o - >/dev/full",
        "$WGC graph.hlsl --emit asm -o /dev/full",
        "$WGC graph.hlsl --pack -o /dev/full",
        "$WGC graph.hlsl -P >/dev/full",
        "$WGC fmt --stdin <graph.hlsl >/dev/full",
        "$WGC run --inputs a.run.json --print Out >/dev/full",
        "$WGC run --inputs a.run.json --records >/dev/full",
        "$WGC run --inputs a.run.json --records-json - >/dev/full",
        "$WGC run --inputs a.run.json --records-json /dev/full",
        "$WGC run --inputs a.run.json --trace /dev/full",
        "$WGC check graph.hlsl --message-format sarif >/dev/full",
    ] {
        let ran = shell(&dir.0, command).expect(2);
        assert!(ran.stderr.contains("cannot write"), "{command}: {}", ran.stderr);
        assert!(ran.stderr.to_lowercase().contains("no space left on device"), "{command}: {}", ran.stderr);
        assert_eq!(dir.entries(), ["a.run.json", "graph.hlsl"], "{command}");
    }
    // Nobody reads the messages: only the status is left.
    let dir = dir.with("wrong.hlsl", broken(3));
    shell(&dir.0, "$WGC check wrong.hlsl 2>/dev/full").expect(1);
}

/// Uses a small file system of its own, if the user may mount one.
#[test]
fn a_full_file_system_gets_no_partial_outputs() {
    let dir = graph().with("wrong.txt", "");
    let script = "mkdir small && mount -t tmpfs -o size=64k none small && cp graph.hlsl small && cd small &&
        head -c 100000 /dev/zero >fill 2>/dev/null; ls >../before
        for args in '-o a.wgcpkg' '--pack -o b.wgcpkg' '-spirv -o c.spv' '--emit asm -o d.txt'; do
            $WGC graph.hlsl $args 2>>../said; echo $? >>../status
        done; ls >../after";
    let mut unshare = Command::new("unshare");
    unshare.args(["-rm", "sh", "-c", script]).env("WGC", env!("CARGO_BIN_EXE_wgc")).current_dir(&dir.0);
    let done = unshare.output().is_ok_and(|out| out.status.success());
    let read = |name: &str| std::fs::read_to_string(dir.0.join(name)).unwrap_or_default();
    if !done || read("before") != "fill\ngraph.hlsl\n" {
        let _ = std::io::Write::write_all(&mut std::io::stderr(), b"left out: no file system can be mounted here\n");
        return;
    }
    assert_eq!(read("status"), "2\n2\n2\n2\n", "{}", read("said"));
    assert_eq!(
        read("said").lines().filter(|line| line.contains("o space left on device")).count(),
        4,
        "{}",
        read("said")
    );
    assert_eq!(read("after"), read("before"));
}

/// Each limit of address space ends with a result or a message.
#[test]
fn any_limit_of_address_space_ends_with_a_result_or_a_message() {
    let dir = graph().with("a.run.json", RUN);
    let mut results = [0, 0];
    for megabytes in (20..200).step_by(30).chain((200..520).step_by(80)).chain((520..720).step_by(10)) {
        let limit = format!("ulimit -v {}", megabytes * 1024);
        // The system kills a program that does not fit.
        if shell(&dir.0, &format!("{limit}; exec $WGC --version >/dev/null")).status == -1 {
            assert!(megabytes < 200, "{megabytes}");
            continue;
        }
        let ran = shell(&dir.0, &format!("{limit}; exec $WGC graph.hlsl"));
        assert!(matches!(ran.status, 0 | 2 | 127), "{megabytes}: {} {}", ran.status, ran.stderr);
        match ran.status {
            0 => results[0] += 1,
            // The program has not started.
            127 => assert!(ran.stderr.contains("loading shared libraries"), "{megabytes}: {}", ran.stderr),
            _ => {
                results[1] += 1;
                assert!(ran.stderr.contains("not enough memory"), "{megabytes}: {}", ran.stderr);
                assert_eq!(dir.entries(), ["a.run.json", "graph.hlsl"], "{megabytes}");
            }
        }
        let _ = std::fs::remove_dir_all(dir.0.join("graph.wgcpkg"));
    }
    assert!(results.iter().all(|count| *count > 0), "{results:?}");
}

/// Formats under the same limits, with a text that needs much memory.
#[test]
fn fmt_leaves_the_text_unchanged_if_memory_runs_out() {
    let text = format!("{GRAPH}uint  f( ){{return 1 ;}}\n");
    for megabytes in [520, 530, 540, 560, 600] {
        let dir = Scratch::new().with("a.hlsl", &text);
        let ran = shell(&dir.0, &format!("ulimit -v {}; exec $WGC fmt a.hlsl", megabytes * 1024));
        let now = std::fs::read_to_string(dir.0.join("a.hlsl")).expect("it is there");
        assert!(matches!(ran.status, 0 | 2), "{megabytes}: {} {}", ran.status, ran.stderr);
        assert_eq!(ran.status == 2, now == text, "{megabytes}: {}", ran.stderr);
        assert_eq!(dir.entries(), ["a.hlsl"]);
    }
}
