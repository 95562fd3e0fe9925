//! Difficult files and hosts: full disks, kills, several writers, pipes and devices instead of files, links that lead
//! outside, little memory.

use crate::support::{Ran, Scratch, wgc};
use crate::{GRAPH, RUN, graph};
use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Runs the command in a shell with limits.
fn limited(dir: &Path, limits: &str, args: &[&str]) -> Ran {
    let script = format!("{limits}; exec \"$0\" \"$@\"");
    let mut command = Command::new("sh");
    command.args(["-c", &script, env!("CARGO_BIN_EXE_wgc")]).args(args).current_dir(dir);
    let out = command.output().expect("the shell starts");
    let stderr = String::from_utf8_lossy(&out.stderr).into_owned();
    Ran { status: out.status.code().unwrap_or(-1), stdout: out.stdout, stderr }
}

fn spawn(dir: &Path, args: &[&str]) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_wgc"));
    command.args(args).current_dir(dir).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    command.spawn().expect("it starts")
}

/// Runs a command that could wait forever, and checks that it ends.
#[track_caller]
fn ends(dir: &Path, args: &[&str]) -> Ran {
    let mut child = spawn(dir, args);
    let start = Instant::now();
    while child.try_wait().expect("it is ours").is_none() {
        if start.elapsed() > Duration::from_secs(60) {
            let _ = child.kill();
            panic!("{args:?} has no end");
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    let out = child.wait_with_output().expect("it has ended");
    let stderr = String::from_utf8_lossy(&out.stderr).into_owned();
    Ran { status: out.status.code().unwrap_or(-1), stdout: out.stdout, stderr }
}

fn fifo(path: &Path) {
    assert!(Command::new("mkfifo").arg(path).status().expect("mkfifo starts").success());
}

/// Returns a text that needs much formatting.
fn unformatted(functions: usize) -> String {
    (0..functions).map(|k| format!("uint g{k}( uint x ){{ if(x<{k}) {{return x;}} return x+{k} ;}}\n")).collect()
}

#[test]
fn a_full_disk_leaves_the_old_text() {
    let text = unformatted(300);
    let dir = Scratch::new().with("a.hlsl", &text).with("graph.hlsl", GRAPH).with("graph.wgcpkg", "old");
    // Files may have 4 KiB. With `XFSZ` ignored, a larger one fails as on a full disk.
    let limits = "trap '' XFSZ; ulimit -f 8";
    let ran = limited(&dir.0, limits, &["fmt", "a.hlsl"]).expect(2);
    assert!(ran.stderr.contains("cannot write a.hlsl"), "{}", ran.stderr);
    assert_eq!(fs::read_to_string(dir.0.join("a.hlsl")).expect("it is there"), text);
    let files = ["a.hlsl", "graph.hlsl", "graph.wgcpkg"];
    assert_eq!(dir.entries(), files);
    // Compiled output behaves likewise: a package in one file, a directory, and text.
    for (args, out) in [
        (&["--pack", "-o", "graph.wgcpkg"][..], "graph.wgcpkg"),
        (&["-o", "new.wgcpkg"], "new.wgcpkg"),
        (&["--emit", "asm", "-o", "graph.wgcpkg"], "graph.wgcpkg"),
    ] {
        let ran = limited(&dir.0, limits, &[&["graph.hlsl"], args].concat()).expect(2);
        assert!(ran.stderr.contains(&format!("cannot write {out}")), "{}", ran.stderr);
        assert_eq!(fs::read_to_string(dir.0.join("graph.wgcpkg")).expect("it is there"), "old");
        assert_eq!(dir.entries(), files);
    }
}

#[test]
fn a_killed_formatter_leaves_the_old_text_or_the_new_one() {
    let old = unformatted(3000);
    let dir = Scratch::new().with("a.hlsl", &old);
    let path = dir.0.join("a.hlsl");
    let start = Instant::now();
    wgc(&dir.0, ["fmt", "a.hlsl"]).expect(0);
    let took = start.elapsed();
    let new = fs::read_to_string(&path).expect("it is there");
    for kill in 0..20 {
        fs::write(&path, &old).expect("written");
        let mut child = spawn(&dir.0, &["fmt", "a.hlsl"]);
        // Writing takes place in the last quarter.
        std::thread::sleep(took * (60 + 2 * kill) / 80);
        let _ = child.kill();
        let _ = child.wait();
        let now = fs::read_to_string(&path).expect("it is there");
        assert!(now == old || now == new, "kill {kill}: {} bytes", now.len());
    }
    fs::write(&path, &old).expect("written");
    wgc(&dir.0, ["fmt", "a.hlsl"]).expect(0);
    assert_eq!(dir.entries(), ["a.hlsl"], "the complete run removes what the killed ones left");
}

#[test]
fn formatting_keeps_permissions_and_links() {
    let dir = Scratch::new().with("a.hlsl", unformatted(1));
    let mode = |mode| fs::set_permissions(dir.0.join("a.hlsl"), fs::Permissions::from_mode(mode)).expect("set");
    mode(0o640);
    symlink("a.hlsl", dir.0.join("link.hlsl")).expect("linked");
    wgc(&dir.0, ["fmt", "link.hlsl"]).expect(0);
    assert!(fs::symlink_metadata(dir.0.join("link.hlsl")).expect("there").is_symlink());
    assert_eq!(fs::metadata(dir.0.join("a.hlsl")).expect("there").permissions().mode() & 0o777, 0o640);
    wgc(&dir.0, ["fmt", "--check", "a.hlsl"]).expect(0);
}

#[test]
fn a_complete_run_removes_leftovers_of_killed_runs() {
    let dir = graph().with("graph.spv.wgc-new-4194305-0", "half").with("graph.spv.wgc-mine", "mine");
    fs::create_dir_all(dir.0.join("graph.wgcpkg.wgc-new-4194305-3/nodes")).expect("made");
    fs::write(dir.0.join("graph.wgcpkg.wgc-new-4194305-3/tables.bin"), "half").expect("written");
    wgc(&dir.0, ["graph.hlsl", "-spirv"]).expect(0);
    wgc(&dir.0, ["graph.hlsl"]).expect(0);
    assert_eq!(dir.entries(), ["graph.hlsl", "graph.spv", "graph.spv.wgc-mine", "graph.wgcpkg"]);
}

#[test]
fn several_writers_of_one_package_all_succeed_and_the_last_one_wins() {
    let other = GRAPH.replace("InterlockedAdd", "InterlockedMax");
    let dir = graph().with("other.hlsl", other);
    let package = |name: &str| wgc_abi::Package::read(&dir.0.join(name)).expect("a package");
    let wanted: Vec<_> = ["graph", "other"]
        .iter()
        .map(|name| {
            wgc(&dir.0, [&format!("{name}.hlsl"), "-o", name]).expect(0);
            package(name)
        })
        .collect();
    for round in 0..5 {
        let running = ["graph.hlsl", "other.hlsl", "graph.hlsl", "other.hlsl"];
        let running = running.map(|file| spawn(&dir.0, &[file, "-o", "out"]));
        for child in running {
            let out = child.wait_with_output().expect("it ends");
            assert!(out.status.success(), "round {round}: {}", String::from_utf8_lossy(&out.stderr));
        }
        assert!(wanted.contains(&package("out")), "round {round}");
    }
    assert_eq!(dir.entries(), ["graph", "graph.hlsl", "other", "other.hlsl", "out"]);
}

#[test]
fn irregular_and_oversized_includes_are_refused() {
    let dir = Scratch::new();
    fifo(&dir.0.join("pipe.hlsli"));
    fs::create_dir(dir.0.join("folder.hlsli")).expect("made");
    fs::File::create(dir.0.join("huge.hlsli")).expect("made").set_len((64 << 20) + 1).expect("sparse");
    for (name, why) in [
        ("/dev/zero", "it is a pipe or a device, not a file"),
        ("pipe.hlsli", "it is a pipe or a device, not a file"),
        ("huge.hlsli", "it has 67108865 bytes; the limit is 67108864"),
        ("folder.hlsli", "is a directory"),
    ] {
        fs::write(dir.0.join("a.hlsl"), format!("#include \"{name}\"\n")).expect("written");
        let ran = ends(&dir.0, &["check", "a.hlsl"]).expect(1);
        assert!(ran.stderr.contains("WG0004") && ran.stderr.contains(why), "{name}: {}", ran.stderr);
        // `__has_include` has an answer too.
        fs::write(dir.0.join("a.hlsl"), format!("#if __has_include(\"{name}\")\n#error there\n#endif\n"))
            .expect("written");
        let ran = ends(&dir.0, &["check", "a.hlsl", "--library"]);
        assert!(!ran.stderr.contains("there"), "{name}: {}", ran.stderr);
    }
}

#[test]
fn settings_and_sources_that_are_too_large_are_refused() {
    let dir = graph();
    let sparse = |name: &str, bytes| fs::File::create(dir.0.join(name)).expect("made").set_len(bytes).expect("sparse");
    sparse("large.hlsl", (64 << 20) + 1);
    sparse("host.json", (16 << 20) + 1);
    sparse("args.rsp", (16 << 20) + 1);
    sparse("module.spv", (256 << 20) + 1);
    for args in [
        &["check", "large.hlsl"][..],
        &["fmt", "large.hlsl"],
        &["check", "graph.hlsl", "--host", "host.json"],
        &["check", "@args.rsp"],
        &["verify", "module.spv"],
    ] {
        let ran = ends(&dir.0, args).expect(2);
        assert!(ran.stderr.contains("the limit is"), "{args:?}: {}", ran.stderr);
    }
    // Devices on the command line are read up to the limit.
    for args in [&["verify", "/dev/zero"][..], &["check", "@/dev/zero"]] {
        let ran = ends(&dir.0, args).expect(2);
        assert!(ran.stderr.contains("the limit is"), "{args:?}: {}", ran.stderr);
    }
    sparse("wgc.json", (16 << 20) + 1);
    let ran = ends(&dir.0, &["check"]).expect(2);
    assert!(ran.stderr.contains("the limit is"), "{}", ran.stderr);
}

#[test]
fn run_files_refuse_irregular_and_oversized_files() {
    let dir = graph();
    fifo(&dir.0.join("pipe"));
    fs::File::create(dir.0.join("huge")).expect("made").set_len((256 << 20) + 1).expect("sparse");
    for (name, why) in [
        ("/dev/zero", "it is a pipe or a device"),
        ("pipe", "it is a pipe or a device"),
        ("huge", "it has 268435457 bytes; the limit is 268435456"),
    ] {
        let resource = RUN.replace(r#"{ "u32": [0] }"#, &format!(r#"{{ "file": "{name}" }}"#));
        let shader = RUN.replace("\"graph.hlsl\"", &format!("\"{name}\""));
        for run in [resource, shader] {
            fs::write(dir.0.join("a.run.json"), run).expect("written");
            let ran = ends(&dir.0, &["run", "--inputs", "a.run.json"]).expect(2);
            assert!(ran.stderr.contains(why), "{name}: {}", ran.stderr);
        }
    }
    let ran = ends(&dir.0, &["run", "--inputs", "/dev/zero"]).expect(2);
    assert!(ran.stderr.contains("the limit is"), "{}", ran.stderr);
}

/// The command line may name a pipe as a host file, `wgc.json` and run files may not.
#[test]
fn files_that_name_a_host_file_cannot_name_pipes() {
    let dir = graph().with("a.run.json", RUN);
    fifo(&dir.0.join("pipe"));
    for settings in [r#""host": "pipe""#, r#""options": ["--host", "pipe"]"#] {
        let programs = format!(r#"{{ "programs": {{ "a": {{ "files": ["graph.hlsl"], {settings} }} }} }}"#);
        fs::write(dir.0.join("wgc.json"), programs).expect("written");
        let ran = ends(&dir.0, &["check"]).expect(2);
        assert!(ran.stderr.contains("cannot read pipe: it is a pipe or a device"), "{}", ran.stderr);
    }
    let ran = ends(&dir.0, &["run", "--program", "a", "--inputs", "a.run.json"]).expect(2);
    assert!(ran.stderr.contains("cannot read pipe: it is a pipe or a device"), "{}", ran.stderr);
    // The user may name a pipe for the same program.
    let to = dir.0.join("pipe");
    let writer = std::thread::spawn(move || fs::write(to, "{}"));
    ends(&dir.0, &["check", "--program", "a", "--host", "pipe"]).expect(0);
    writer.join().expect("it ends").expect("written");
    fs::remove_file(dir.0.join("wgc.json")).expect("removed");
    let run = RUN.replacen('{', r#"{ "args": ["--host", "pipe"], "#, 1);
    fs::write(dir.0.join("a.run.json"), run).expect("written");
    let ran = ends(&dir.0, &["run", "--inputs", "a.run.json"]).expect(2);
    assert!(ran.stderr.contains("it is a pipe or a device"), "{}", ran.stderr);
}

#[test]
fn packages_reject_foreign_links_pipes_and_huge_files() {
    let dir = graph().with("a.run.json", RUN.replace("graph.hlsl", "graph.wgcpkg"));
    wgc(&dir.0, ["graph.hlsl"]).expect(0);
    ends(&dir.0, &["run", "--inputs", "a.run.json"]).expect(0);
    let tables = dir.0.join("graph.wgcpkg/tables.bin");
    let old = fs::read(&tables).expect("it is there");
    let huge = |path: &Path| fs::File::create(path).expect("made").set_len(3 << 30).expect("sparse");
    type Change<'c> = &'c dyn Fn(&Path);
    let changes: [(Change<'_>, &str); 4] = [
        (&|path| symlink("/dev/zero", path).expect("linked"), "it is a link that leads out of the package"),
        (&|path| symlink("../graph.hlsl", path).expect("linked"), "it is a link that leads out of the package"),
        (&|path| fifo(path), "it is a pipe or a device"),
        (&huge, "it has 3221225472 bytes instead of"),
    ];
    for (change, why) in changes {
        fs::remove_file(&tables).expect("removed");
        change(&tables);
        let ran = ends(&dir.0, &["run", "--inputs", "a.run.json"]).expect(2);
        assert!(ran.stderr.contains(why), "{}", ran.stderr);
    }
    fs::remove_file(&tables).expect("removed");
    fs::write(&tables, old).expect("written");
    ends(&dir.0, &["run", "--inputs", "a.run.json"]).expect(0);
}

/// Creates a project next to a secret file.
fn project() -> (Scratch, PathBuf) {
    let dir = Scratch::new().with("secret.txt", "password: hunter2\n");
    let project = dir.0.join("project");
    fs::create_dir_all(project.join("inc")).expect("made");
    fs::write(project.join("inc/good.hlsli"), "#define GOOD 1\n").expect("written");
    symlink("../../secret.txt", project.join("inc/link.hlsli")).expect("linked");
    symlink("good.hlsli", project.join("inc/alias.hlsli")).expect("linked");
    symlink("../..", project.join("inc/up")).expect("linked");
    (dir, project)
}

#[test]
fn includes_are_confined_to_the_folders_that_are_named() {
    let (dir, project) = project();
    let secret = dir.0.join("secret.txt").to_string_lossy().into_owned();
    let outside = [secret.as_str(), "../secret.txt", "link.hlsli", "up/secret.txt", "inc/../../secret.txt"];
    let write = |text: String| fs::write(project.join("a.hlsl"), text).expect("written");
    let formats: [&[&str]; 4] = [&[], &["--message-format", "json"], &["--message-format", "sarif"], &["-H"]];
    for name in outside {
        write(format!("#include \"{name}\"\n"));
        // Without the option, includes are not confined.
        let ran = wgc(&project, ["check", "a.hlsl", "-I", "inc"]).expect(1);
        assert!(ran.stderr.contains("hunter2"), "{name}: {}", ran.stderr);
        for format in formats {
            let args = [&["check", "a.hlsl", "-I", "inc", "-I", "..", "--include-root", "."], format].concat();
            let ran = wgc(&project, args).expect(1);
            let text = ran.out() + &ran.stderr;
            assert!(text.contains("cannot find the file") && !text.contains("hunter"), "{name}: {text}");
        }
        for command in [&["-P"][..], &["--emit", "tokens"], &["-M"], &["--emit", "asm", "-Zi"]] {
            let ran = wgc(&project, [&["a.hlsl", "-I", "inc", "--include-root", "."], command].concat());
            let text = ran.out() + &ran.stderr;
            assert!(!text.contains("hunter"), "{name}: {text}");
        }
        write(format!("#if __has_include(\"{name}\")\n#error there\n#endif\n"));
        let ran = wgc(&project, ["check", "a.hlsl", "-I", "inc", "--include-root", ".", "--library"]);
        assert!(!ran.stderr.contains("there"), "{name}: {}", ran.stderr);
    }
    // Files inside are found, through links too; so are files of a second root and built-in headers.
    let text = "#include \"inc/good.hlsli\"\n#include <alias.hlsli>\n#include \"vk/spirv.h\"\n_Static_assert(GOOD == 1, \"\");\n";
    write(text.to_owned());
    let ran = wgc(&project, ["check", "a.hlsl", "-I", "inc", "--include-root", "inc", "--library"]).expect(0);
    assert!(!ran.stderr.contains("cannot find"), "{}", ran.stderr);
    write("#include \"../secret.txt\"\n".to_owned());
    let ran = wgc(&project, ["check", "a.hlsl", "--include-root", "inc", "--include-root", ".."]).expect(1);
    assert!(ran.stderr.contains("hunter2"), "{}", ran.stderr);
    // A folder whose name only begins with the root's name is outside.
    fs::create_dir(dir.0.join("project-b")).expect("made");
    fs::write(dir.0.join("project-b/b.hlsli"), "hunter2").expect("written");
    write("#include \"../project-b/b.hlsli\"\n".to_owned());
    let ran = wgc(&project, ["check", "a.hlsl", "--include-root", "."]).expect(1);
    assert!(ran.stderr.contains("cannot find") && !ran.stderr.contains("hunter"), "{}", ran.stderr);
    let ran = wgc(&project, ["check", "a.hlsl", "--include-root", "none"]).expect(2);
    assert!(ran.stderr.contains("--include-root none: no such folder"), "{}", ran.stderr);
}

#[test]
fn line_directives_do_not_disclose_other_files() {
    let (dir, project) = project();
    let secret = dir.0.join("secret.txt");
    let text = format!("#line 1 \"{}\"\nuint f() {{ return nothing; }}\n", secret.display());
    fs::write(project.join("a.hlsl"), text).expect("written");
    let ran = wgc(&project, ["check", "a.hlsl", "--include-root", "."]).expect(1);
    assert!(ran.stderr.contains("nothing") && !ran.stderr.contains("hunter"), "{}", ran.stderr);
}

#[test]
fn include_roots_confine_programs_and_projects() {
    let (_dir, project) = project();
    fs::write(project.join("a.hlsl"), "#include \"../secret.txt\"\n").expect("written");
    let program = |keys: &str| {
        fs::write(
            project.join("wgc.json"),
            format!("{{ \"programs\": {{ \"a\": {{ \"files\": [\"a.hlsl\"]{keys} }} }} }}"),
        )
        .expect("written");
        wgc(&project, ["check"]).expect(1).stderr
    };
    assert!(program("").contains("hunter2"));
    for keys in [r#", "include_roots": ["."]"#, r#", "options": ["--include-root", "."]"#] {
        let stderr = program(keys);
        assert!(stderr.contains("cannot find") && !stderr.contains("hunter"), "{stderr}");
    }
    for keys in [r#", "include_roots": [".."]"#, r#", "options": ["--include-root", "/"]"#] {
        assert!(program(keys).contains("hunter2"));
        let stderr = wgc(&project, ["check", "--include-root", "."]).expect(1).stderr;
        assert!(stderr.contains("cannot find") && !stderr.contains("hunter"), "{stderr}");
    }
    let run = r#"{ "shader": "a.hlsl", "args": ["--include-root", "/"], "dispatch": [] }"#;
    fs::write(project.join("a.run.json"), run).expect("written");
    assert!(wgc(&project, ["run", "--inputs", "a.run.json"]).expect(1).stderr.contains("hunter2"));
    let stderr = wgc(&project, ["run", "--inputs", "a.run.json", "--include-root", "."]).expect(1).stderr;
    assert!(stderr.contains("cannot find") && !stderr.contains("hunter"), "{stderr}");
}

/// The options of a project are confined like its keys.
#[test]
fn project_options_respect_include_roots() {
    let (dir, project) = project();
    let outputs = |folder: &Path| fs::read_dir(folder).expect("it is there").count();
    fs::write(project.join("a.hlsl"), GRAPH).expect("written");
    let options = |list: &str| {
        let text = format!("{{ \"programs\": {{ \"p\": {{ \"files\": [\"a.hlsl\"], \"options\": [{list}] }} }} }}");
        fs::write(project.join("wgc.json"), text).expect("written");
    };
    for list in [r#""--host", "../secret.txt""#, r#""--host=../secret.txt""#] {
        options(list);
        assert!(wgc(&project, ["check"]).expect(1).stderr.contains("hunter2"), "{list}");
        for command in [&["check"][..], &["--program", "p", "-o", "out"]] {
            let ran = wgc(&project, [command, &["--include-root", "."]].concat()).expect(2);
            assert!(ran.stderr.contains("secret.txt is outside of the --include-root folders"), "{}", ran.stderr);
            assert!(!ran.stderr.contains("hunter"), "{}", ran.stderr);
        }
        let run = format!("{{ \"shader\": \"a.hlsl\", \"args\": [{list}], \"dispatch\": [] }}");
        fs::write(project.join("a.run.json"), run).expect("written");
        let ran = wgc(&project, ["run", "--inputs", "a.run.json", "--include-root", "."]).expect(2);
        assert!(ran.stderr.contains("a.run.json:1:"), "{}", ran.stderr);
        assert!(ran.stderr.contains("secret.txt is outside of the --include-root folders"), "{}", ran.stderr);
    }
    fs::write(project.join("host.json"), "{}").expect("written");
    options(r#""--host", "host.json""#);
    wgc(&project, ["check", "--include-root", "."]).expect(0);
    for (list, name) in [
        (r#""-o", "../w""#, "-o"),
        (r#""-Fc", "../w""#, "-Fc"),
        (r#""-MD", "-MF", "../w""#, "-MF"),
        (r#""-MD""#, "-MD"),
        (r#""-P", "-Fi", "../w""#, "-Fi"),
    ] {
        options(list);
        let before = (outputs(&dir.0), outputs(&project));
        let ran = wgc(&project, ["--program", "p", "--include-root", "."]).expect(2);
        assert!(
            ran.stderr.contains("with --include-root, only the command line may have `-"),
            "{name}: {}",
            ran.stderr
        );
        assert_eq!((outputs(&dir.0), outputs(&project)), before, "{name}");
        wgc(&project, ["--program", "p"]).expect(0);
        assert_ne!((outputs(&dir.0), outputs(&project)), before, "{name}");
        for folder in [&dir.0, &project] {
            let made = |entry: &fs::DirEntry| {
                let name = entry.file_name();
                name == "w" || name == "p.wgcpkg" || name == "p" || name.to_string_lossy().ends_with(".d")
            };
            for entry in fs::read_dir(folder).expect("it is there").map(|entry| entry.expect("readable")).filter(made) {
                let path = entry.path();
                if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) }.expect("removed");
            }
        }
    }
    // So may the default output.
    options("");
    symlink("../victim", project.join("p.wgcpkg")).expect("linked");
    let ran = wgc(&project, ["--program", "p", "--include-root", "."]).expect(2);
    assert!(ran.stderr.contains("p.wgcpkg is a link: with --include-root, name the output with -o"), "{}", ran.stderr);
    fs::remove_file(project.join("p.wgcpkg")).expect("removed");
    // The file itself may lead outside.
    fs::rename(project.join("wgc.json"), dir.0.join("other.json")).expect("moved");
    symlink("../other.json", project.join("wgc.json")).expect("linked");
    fs::write(dir.0.join("other.json"), "hunter2").expect("written");
    assert!(wgc(&project, ["check"]).expect(2).stderr.contains("wgc.json:1:1"));
    for command in [&["check"][..], &["--program", "p"]] {
        let ran = wgc(&project, [command, &["--include-root", "."]].concat()).expect(2);
        assert!(ran.stderr.contains("wgc.json is outside of the --include-root folders"), "{}", ran.stderr);
    }
}

#[test]
fn results_of_confined_runs_are_not_written_to_links() {
    let (dir, project) = project();
    fs::write(project.join("graph.hlsl"), GRAPH).expect("written");
    fs::write(project.join("a.run.json"), RUN).expect("written");
    fs::create_dir(project.join("out")).expect("made");
    symlink("../../secret.txt", project.join("out/Out.bin")).expect("linked");
    let before = fs::read(dir.0.join("secret.txt")).expect("there");
    let run = ["run", "--inputs", "a.run.json", "--out", "out"];
    let ran = wgc(&project, [&run[..], &["--include-root", "."]].concat()).expect(2);
    assert!(
        ran.stderr.contains("it is a link: with --include-root, results are not written to links"),
        "{}",
        ran.stderr
    );
    assert_eq!(fs::read(dir.0.join("secret.txt")).expect("there"), before);
    wgc(&project, run).expect(0);
    assert_eq!(fs::read(dir.0.join("secret.txt")).expect("there"), 42u32.to_le_bytes());
    assert!(project.join("out/Out.bin").is_symlink());
}

/// Messages about settings that are not JSON quote parts of them.
#[test]
fn settings_outside_include_roots_are_not_read() {
    let (dir, project) = project();
    fs::write(project.join("a.hlsl"), GRAPH).expect("written");
    fs::write(dir.0.join("secret.txt"), "{ \"root\": \"hunter2\" }").expect("written");
    symlink("../secret.txt", project.join("shadertoolsconfig.json")).expect("linked");
    assert!(wgc(&project, ["check", "a.hlsl"]).expect(2).stderr.contains("hunter2"));
    assert_eq!(wgc(&project, ["check", "a.hlsl", "--include-root", "."]).expect(0).stderr, "");
}

#[test]
fn include_roots_confine_files_of_projects_and_run_files() {
    let (dir, project) = project();
    let refused = |args: &[&str]| {
        let ran = wgc(&project, args.iter().copied()).expect(2);
        assert!(ran.stderr.contains("is outside of the --include-root folders"), "{}", ran.stderr);
        assert!(!ran.stderr.contains("hunter2"), "{}", ran.stderr);
    };
    let write = |name: &str, text: &str| fs::write(project.join(name), text).expect("written");
    write("a.hlsl", GRAPH);
    for programs in [r#""files": ["../secret.txt"]"#, r#""files": ["a.hlsl"], "host": "../secret.txt""#] {
        write("wgc.json", &format!("{{ \"programs\": {{ \"p\": {{ {programs} }} }} }}"));
        assert!(wgc(&project, ["check"]).stderr.contains("secret.txt"));
        refused(&["check", "--include-root", "."]);
    }
    fs::remove_file(project.join("wgc.json")).expect("removed");
    symlink("../secret.txt", project.join("link.bin")).expect("linked");
    write("shader.run.json", r#"{ "shader": "../secret.txt", "dispatch": [] }"#);
    refused(&["run", "--inputs", "shader.run.json", "--include-root", "."]);
    for name in ["../secret.txt", "link.bin"] {
        write(
            "data.run.json",
            &format!(
                "{{ \"shader\": \"a.hlsl\", \"resources\": {{ \"Out\": {{ \"file\": \"{name}\" }} }}, \"dispatch\": [] }}"
            ),
        );
        refused(&["run", "--inputs", "data.run.json", "--include-root", ".", "--print", "Out"]);
    }
    drop(dir);
}

#[test]
fn low_memory_limits_are_reported() {
    let dir = graph();
    // In KiB: the first limits have no room for the stack, the next ones have some room for later allocations.
    for limit in [300_000, 400_000, 530_000, 560_000, 600_000, 640_000, 700_000] {
        let ran = limited(&dir.0, &format!("ulimit -v {limit}"), &["graph.hlsl"]);
        assert!(matches!(ran.status, 0 | 2), "{limit}: {} {}", ran.status, ran.stderr);
        assert_eq!(ran.status == 2, ran.stderr.contains("not enough memory"), "{limit}: {}", ran.stderr);
        assert!(!ran.stderr.contains("bug in wgc"), "{limit}: {}", ran.stderr);
        assert!(limit > 500_000 || ran.status == 2, "{limit}");
    }
}
