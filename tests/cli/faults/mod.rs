//! Faults of the system at every call that may fail: kills, full disks, unreadable folders, files that change while
//! they are read, and refused memory and threads. [`tracer`] watches the command.

mod pipes;
mod tracer;

use crate::support::{Scratch, wgc};
use crate::{GRAPH, RUN, graph};
use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use tracer::{Call, Ended, Fault, run};

/// The files under a folder, with their contents. An empty folder is listed by its name.
type Tree = BTreeMap<PathBuf, Vec<u8>>;

fn tree(folder: &Path) -> Tree {
    fn collect(root: &Path, folder: &Path, found: &mut Tree) {
        for entry in fs::read_dir(folder).expect("it can be read") {
            let path = entry.expect("it can be read").path();
            let name = path.strip_prefix(root).expect("it is below").to_owned();
            if path.is_dir() {
                found.insert(name, Vec::new());
                collect(root, &path, found);
            } else {
                found.insert(name, fs::read(&path).expect("it can be read"));
            }
        }
    }
    let mut found = Tree::new();
    collect(folder, folder, &mut found);
    found
}

/// Returns the part of a tree that belongs to one output.
fn output(tree: &Tree, name: &str) -> Tree {
    tree.iter().filter(|(path, _)| path.starts_with(name)).map(|(path, bytes)| (path.clone(), bytes.clone())).collect()
}

/// Restores a folder to a given state.
fn restore(folder: &Path, wanted: &Tree) {
    for entry in fs::read_dir(folder).expect("it can be read") {
        let path = entry.expect("it can be read").path();
        if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) }.expect("it can be removed");
    }
    let folders: Vec<_> = wanted.keys().filter_map(|path| path.parent()).collect();
    for (path, bytes) in wanted {
        let at = folder.join(path);
        if folders.contains(&path.as_path()) {
            fs::create_dir_all(at).expect("made");
        } else {
            fs::write(at, bytes).expect("written");
        }
    }
}

/// A command that writes: its name, its arguments and its outputs.
struct Writer {
    args: &'static [&'static str],
    outputs: &'static [&'static str],
}

const NEW: Writer = Writer { args: &["graph.hlsl", "-o", "new.wgcpkg"], outputs: &["new.wgcpkg"] };
const OVER: Writer = Writer { args: &["graph.hlsl", "-o", "old.wgcpkg"], outputs: &["old.wgcpkg"] };
const PACKED: Writer = Writer { args: &["graph.hlsl", "--pack", "-o", "old.wgcpkg"], outputs: &["old.wgcpkg"] };
const MODULE: Writer = Writer { args: &["graph.hlsl", "-spirv", "-o", "old.spv"], outputs: &["old.spv"] };
const SEVERAL: Writer = Writer {
    args: &["graph.hlsl", "-spirv", "-o", "old.spv", "-Fc", "old.txt", "-MF", "new.d"],
    outputs: &["old.spv", "old.txt", "new.d"],
};
const REPORT: Writer = Writer { args: &["graph.hlsl", "--emit", "header", "-o", "old.txt"], outputs: &["old.txt"] };
const FORMAT: Writer = Writer { args: &["fmt", "a.hlsl"], outputs: &["a.hlsl"] };
const RESULTS: Writer = Writer {
    args: &["run", "--inputs", "a.run.json", "--out", "results", "--trace", "old.txt", "--records-json", "new.d"],
    outputs: &["results", "old.txt", "new.d"],
};

/// Creates a folder with all inputs, and with old outputs to replace.
fn writable() -> (Scratch, Tree) {
    let unformatted: String = (0..40).map(|k| format!("uint g{k}( uint x ){{ return x+{k} ;}}\n")).collect();
    let dir = graph().with("a.hlsl", unformatted).with("a.run.json", RUN);
    fs::write(dir.0.join("other.hlsl"), GRAPH.replace("InterlockedAdd", "InterlockedMax")).expect("written");
    wgc(&dir.0, ["other.hlsl", "-o", "old.wgcpkg"]).expect(0);
    let dir = dir.with("old.spv", "an old module").with("old.txt", "an old text");
    let tree = tree(&dir.0);
    (dir, tree)
}

/// Returns whether this process may trace others; prints a note if not.
fn may_watch() -> bool {
    tracer::is_allowed()
}

fn watched(dir: &Path, args: &[&str], counts: &dyn Fn(&Call) -> bool) -> Ended {
    run(dir, args, counts, |_| None).expect("it can be watched")
}

/// Kills the command before each of its writing calls, one call a run.
fn is_killed(writer: &Writer) {
    if !may_watch() {
        return;
    }
    let (dir, old) = writable();
    let whole = watched(&dir.0, writer.args, &Call::writes);
    assert_eq!(whole.status, Some(0), "{}", whole.stderr);
    let new = tree(&dir.0);
    assert!(whole.calls >= 4, "{} calls were seen", whole.calls);
    for kill in 0..whole.calls {
        restore(&dir.0, &old);
        let ended = run(&dir.0, writer.args, &Call::writes, |call| (call == kill).then_some(Fault::Kill));
        let ended = ended.expect("it can be watched");
        assert_eq!(ended.signal, Some(libc::SIGKILL), "{:?} kill {kill}", writer.args);
        let now = tree(&dir.0);
        for name in writer.outputs {
            let found = output(&now, name);
            assert!(
                found == output(&old, name) || found == output(&new, name),
                "{:?} kill {kill}: {name} is neither old nor new: {:?}",
                writer.args,
                found.keys()
            );
        }
        // Files other than outputs are unchanged.
        for (path, bytes) in &old {
            let is_output = writer.outputs.iter().any(|name| path.starts_with(name));
            assert!(is_output || now.get(path) == Some(bytes), "{:?} kill {kill}: {path:?}", writer.args);
        }
        // Only a few of them are rerun to the end, because that takes time.
        if kill % 5 == 4 || kill + 2 >= whole.calls {
            wgc(&dir.0, writer.args).expect(0);
            assert_eq!(tree(&dir.0).keys().collect::<Vec<_>>(), new.keys().collect::<Vec<_>>(), "kill {kill}");
        }
    }
}

#[test]
fn a_killed_formatter_leaves_the_old_text_or_the_new_one_at_each_call() {
    is_killed(&FORMAT);
}

#[test]
fn a_killed_compiler_leaves_no_package_or_a_whole_one() {
    is_killed(&NEW);
}

#[test]
fn a_killed_compiler_leaves_the_old_package_or_the_new_one() {
    is_killed(&OVER);
    is_killed(&PACKED);
}

#[test]
fn a_killed_compiler_leaves_each_of_several_outputs_old_or_new() {
    is_killed(&SEVERAL);
}

#[test]
fn a_killed_run_leaves_each_result_old_or_new() {
    let results = Writer { outputs: &["results/Out.bin", "old.txt", "new.d"], ..RESULTS };
    is_killed(&results);
}

/// Returns whether a call needs disk space or a right to write.
fn needs_room(call: &Call) -> bool {
    call.writes() && !call.is(&[libc::SYS_unlink, libc::SYS_unlinkat, libc::SYS_rmdir])
}

/// Refuses all writes from a call on: the disk is full, has become read-only, or fails.
fn is_refused(writer: &Writer) {
    if !may_watch() {
        return;
    }
    let (dir, old) = writable();
    let whole = watched(&dir.0, writer.args, &needs_room);
    assert_eq!(whole.status, Some(0), "{}", whole.stderr);
    let new = tree(&dir.0);
    let errors = [
        (libc::ENOSPC, "no space left on device"),
        (libc::EROFS, "read-only"),
        (libc::EIO, "error"),
        (libc::EACCES, "permission denied"),
    ];
    for first in 0..whole.calls {
        let (error, text) = errors[first % errors.len()];
        restore(&dir.0, &old);
        let ended = run(&dir.0, writer.args, &needs_room, |call| (call >= first).then_some(Fault::Refuse(error)));
        let ended = ended.expect("it can be watched");
        let stderr = ended.stderr.to_lowercase();
        let now = tree(&dir.0);
        // Owner and permissions are kept if possible, and leftovers are removed if possible.
        if ended.status == Some(0) {
            assert_eq!(now, new, "{:?} call {first}", writer.args);
            continue;
        }
        assert_eq!(ended.status, Some(2), "{:?} call {first}: {stderr}", writer.args);
        assert!(stderr.contains("cannot ") && stderr.contains(text), "{:?} call {first}: {stderr}", writer.args);
        // Some of several outputs may already be in place.
        for name in writer.outputs {
            let found = output(&now, name);
            let is_new = writer.outputs.len() > 1 && found == output(&new, name);
            assert!(found == output(&old, name) || is_new, "{:?} call {first}: {name}", writer.args);
        }
        let folder = |path: &&PathBuf| writer.outputs.iter().any(|output| Path::new(output).parent() == Some(path));
        let left: Vec<_> = now.keys().filter(|path| !old.contains_key(*path) && !new.contains_key(*path)).collect();
        assert!(left.iter().all(folder), "{:?} call {first} leaves {left:?}", writer.args);
    }
}

#[test]
fn a_disk_that_is_full_at_any_call_leaves_the_old_text() {
    is_refused(&FORMAT);
}

#[test]
fn a_disk_that_is_full_at_any_call_leaves_the_old_package_or_none() {
    is_refused(&NEW);
    is_refused(&PACKED);
}

#[test]
fn a_disk_that_is_full_at_any_call_leaves_the_old_module() {
    is_refused(&MODULE);
    is_refused(&REPORT);
}

#[test]
fn a_disk_that_is_full_at_any_call_is_reported_by_the_run() {
    is_refused(&Writer { outputs: &["results/Out.bin", "old.txt", "new.d"], ..RESULTS });
}

/// A folder that no user may read or search.
#[test]
fn unreadable_folders_are_reported() {
    if !may_watch() {
        return;
    }
    let dir = graph().with("a.run.json", RUN.replace("graph.hlsl", "locked/graph.wgcpkg"));
    let locked = dir.0.join("locked");
    fs::create_dir(&locked).expect("made");
    fs::write(locked.join("a.hlsli"), "#define A 1\n").expect("written");
    fs::write(locked.join("b.hlsl"), GRAPH).expect("written");
    wgc(&dir.0, ["graph.hlsl", "-o", "locked/graph.wgcpkg"]).expect(0);
    let named = "#include \"locked/a.hlsli\"\n";
    let searched = "#include <a.hlsli>\n";
    let dir = dir.with("named.hlsl", [named, GRAPH].concat()).with("searched.hlsl", [searched, GRAPH].concat());
    let before = tree(&dir.0);
    let inside = |call: &Call| call.path().is_some_and(|path| path.contains("locked"));
    for (args, status, text) in [
        (&["check", "named.hlsl"][..], 1, "WG0004"),
        (&["check", "searched.hlsl", "-I", "locked"], 1, "WG0004"),
        (&["check", "locked/b.hlsl"], 2, "locked/b.hlsl"),
        (&["fmt", "locked/b.hlsl"], 2, "locked/b.hlsl"),
        (&["graph.hlsl", "-o", "locked/c.wgcpkg"], 2, "cannot write locked/c.wgcpkg"),
        (&["graph.hlsl", "-o", "locked/graph.wgcpkg"], 2, "cannot write locked/graph.wgcpkg"),
        (&["graph.hlsl", "-spirv", "-o", "locked/c.spv"], 2, "cannot write locked/c.spv"),
        (&["run", "--inputs", "a.run.json"], 2, "locked/graph.wgcpkg"),
    ] {
        let ended = run(&dir.0, args, &inside, |_| Some(Fault::Refuse(libc::EACCES))).expect("it can be watched");
        assert_eq!(ended.status, Some(status), "{args:?}: {}", ended.stderr);
        assert!(ended.calls > 0 && ended.stderr.contains(text), "{args:?}: {}", ended.stderr);
        assert!(ended.stderr.to_lowercase().contains("permission denied"), "{args:?}: {}", ended.stderr);
        assert!(tree(&dir.0) == before, "{args:?}");
    }
}

/// Grows, shrinks, removes or replaces a file between any two calls that read it.
#[test]
fn files_that_change_while_read_cause_no_internal_errors() {
    if !may_watch() {
        return;
    }
    let dir = graph().with("a.hlsl", [GRAPH, "#include \"b.hlsli\"\n"].concat());
    let path = dir.0.join("b.hlsli");
    let old = "// ".to_owned() + &"an old text, ".repeat(2000) + "\n#define A 1\n";
    let new = old.replace("old", "new") + "#error new\n";
    let next = dir.0.join("next");
    let truncated = |bytes: usize| fs::OpenOptions::new().write(true).open(&path).and_then(|f| f.set_len(bytes as u64));
    let changes: [(&str, &dyn Fn()); 8] = [
        ("grows", &|| {
            if let Ok(mut file) = fs::OpenOptions::new().append(true).open(&path) {
                file.write_all(b"#error new\n").expect("written");
            }
        }),
        ("shrinks", &|| drop(truncated(100))),
        ("is empty", &|| drop(truncated(0))),
        ("is huge", &|| drop(truncated((64 << 20) + 1))),
        ("is replaced", &|| {
            fs::write(&next, &new).expect("written");
            fs::rename(&next, &path).expect("renamed");
        }),
        ("is removed", &|| drop(fs::remove_file(&path))),
        ("is a pipe", &|| {
            let _ = fs::remove_file(&path);
            assert!(std::process::Command::new("mkfifo").arg(&path).status().expect("it starts").success());
        }),
        ("is a folder", &|| {
            let _ = fs::remove_file(&path);
            fs::create_dir(&path).expect("made");
        }),
    ];
    // Every call after the first one that names the file.
    let reads = [libc::SYS_openat, libc::SYS_statx, libc::SYS_newfstatat, libc::SYS_fstat, libc::SYS_read];
    for (what, change) in changes {
        let mut at = 0;
        loop {
            let _ = fs::remove_dir(&path);
            let _ = fs::remove_file(&path);
            fs::write(&path, &old).expect("written");
            let begun = std::cell::Cell::new(false);
            let counts = |call: &Call| {
                begun.set(begun.get() || call.path().is_some_and(|path| path.contains("b.hlsli")));
                begun.get() && call.is(&reads)
            };
            let ended =
                run(&dir.0, &["check", "a.hlsl"], &counts, |call| (call == at).then_some(Fault::Change(change)));
            let ended = ended.expect("it can be watched");
            let text = format!("{what} at call {at}: {:?} {}", ended.status, ended.stderr);
            assert!(matches!(ended.status, Some(0 | 1)) && !ended.stderr.contains("bug in wgc"), "{text}");
            // Any error is attributed to that file.
            assert!(ended.status == Some(0) || ended.stderr.contains("b.hlsli"), "{text}");
            at += 1;
            if at >= ended.calls.min(8) {
                assert!(at >= 4, "{at} calls were seen");
                break;
            }
        }
        let _ = fs::remove_dir(&path);
    }
}

/// Checks that a command without memory or threads ends with a result or a message.
#[track_caller]
fn ends_with_a_message(ended: &Ended, what: &str) {
    let stderr = &ended.stderr;
    match ended.status {
        Some(0) => {}
        Some(2) => assert!(stderr.starts_with("wgc: "), "{what}: {stderr}"),
        // The program has not started.
        Some(127) => assert!(stderr.contains("error while loading shared libraries"), "{what}: {stderr}"),
        _ => panic!("{what}: status {:?}, signal {:?}: {stderr}", ended.status, ended.signal),
    }
    assert!(!stderr.contains("bug in wgc") && !stderr.contains("panicked"), "{what}: {stderr}");
}

#[test]
fn allocation_failures_are_reported_and_leave_no_output() {
    if !may_watch() {
        return;
    }
    let dir = graph().with("a.run.json", RUN);
    let maps = |call: &Call| call.is(&[libc::SYS_mmap, libc::SYS_brk, libc::SYS_mremap]);
    for args in [&["graph.hlsl"][..], &["run", "--inputs", "a.run.json"]] {
        let whole = watched(&dir.0, args, &maps);
        assert_eq!(whole.status, Some(0), "{}", whole.stderr);
        let _ = fs::remove_dir_all(dir.0.join("graph.wgcpkg"));
        // Refuses calls after the main thread's stack was set up, most of them during compilation.
        for first in (0..whole.calls).step_by((whole.calls / 16).max(1)) {
            for lasts in [false, true] {
                let refuse = |call| (call == first || lasts && call > first).then_some(Fault::Refuse(libc::ENOMEM));
                let ended = run(&dir.0, args, &maps, refuse).expect("it can be watched");
                // The system's loader allocates memory, and kills the process if that fails.
                let at_start = ended.signal == Some(libc::SIGSEGV) && first < 24;
                // The standard library needs a stack for signals in each thread.
                let stack = ended.stderr.contains("failed to allocate an alternative stack");
                if at_start || stack && ended.signal == Some(libc::SIGABRT) {
                    continue;
                }
                ends_with_a_message(&ended, &format!("{args:?} call {first} of {}, {lasts}", whole.calls));
                if ended.status != Some(0) {
                    assert_eq!(dir.entries(), ["a.run.json", "graph.hlsl"], "call {first}");
                }
                let _ = fs::remove_dir_all(dir.0.join("graph.wgcpkg"));
            }
        }
    }
}

/// The CPU device continues with the threads that it has. The command needs only the first one, which has the large
/// stack.
#[test]
fn runs_continue_without_threads_that_fail_to_start() {
    if !may_watch() {
        return;
    }
    let records = vec!["{ \"v\": 1 }"; 500].join(", ");
    let run_file = RUN.replace("{ \"v\": 40 }, { \"v\": 2 }", &records).replace("[42]", "[500]");
    let dir = graph().with("a.run.json", run_file);
    let starts = |call: &Call| call.is(&[libc::SYS_clone, libc::SYS_clone3]) && call.arguments[0] != 0;
    for target in ["spirv-emulated", "spirv-amdx"] {
        let args = ["run", "--inputs", "a.run.json", "--target", target, "--threads", "4"];
        let whole = watched(&dir.0, &args, &starts);
        assert_eq!(whole.status, Some(0), "{}", whole.stderr);
        assert!(whole.calls > 1, "{target}: only {} threads were started", whole.calls);
        for first in [1, 2, 3] {
            let refuse = |call| (call >= first).then_some(Fault::Refuse(libc::EAGAIN));
            let ended = run(&dir.0, &args, &starts, refuse).expect("it can be watched");
            assert_eq!(ended.status, Some(0), "{target} from {first} on: {}", ended.stderr);
            assert_eq!((ended.stdout.as_str(), ended.stderr.as_str()), (whole.stdout.as_str(), whole.stderr.as_str()));
        }
        let none = run(&dir.0, &args, &starts, |_| Some(Fault::Refuse(libc::EAGAIN))).expect("it can be watched");
        assert_eq!(none.status, Some(2), "{}", none.stderr);
        assert!(none.stderr.contains("not enough memory"), "{}", none.stderr);
    }
}
