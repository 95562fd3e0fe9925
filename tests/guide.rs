//! Tests of `docs/guide.md`: its commands give the outputs in it, and the functions that it names exist.

use std::path::{Path, PathBuf};
use std::process::Command;

/// A line that the script prints after each command.
const SEPARATOR: &str = "@ end of a command @";

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn guide() -> String {
    std::fs::read_to_string(root().join("docs/guide.md")).expect("the guide is readable")
}

/// A command with its output.
struct Shown<'a> {
    command: Vec<&'a str>,
    output: Vec<&'a str>,
}

/// Returns the commands of each block that begins with ```` ```console ````.
fn blocks(guide: &str) -> Vec<Vec<Shown<'_>>> {
    let mut blocks = Vec::new();
    let mut lines = guide.lines();
    while let Some(line) = lines.next() {
        if line != "```console" {
            continue;
        }
        let mut block: Vec<Shown> = Vec::new();
        while let Some(line) = lines.next().filter(|line| *line != "```") {
            if let Some(command) = line.strip_prefix("$ ") {
                let mut command = vec![command];
                if command[0].contains("<<'END'") {
                    command.extend(lines.by_ref().take_while(|line| *line != "END"));
                    command.push("END");
                }
                block.push(Shown { command, output: Vec::new() });
            } else {
                block.last_mut().expect("a block begins with a command").output.push(line);
            }
        }
        blocks.push(block);
    }
    blocks
}

/// Commands of one block run in one shell. Files that the guide writes to `/tmp` are in a folder of the test.
#[test]
#[cfg(unix)]
fn commands_give_the_outputs_of_the_guide() {
    let guide = guide();
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("guide");
    std::fs::create_dir_all(&folder).expect("the folder can be created");
    let folder = folder.display();
    let wgc = Path::new(env!("CARGO_BIN_EXE_wgc")).parent().expect("it is in a folder");
    let path = format!("{}:{}", wgc.display(), std::env::var("PATH").unwrap_or_default());
    let blocks = blocks(&guide);
    assert!(blocks.len() >= 10, "only {} blocks were found", blocks.len());
    for block in blocks {
        let commands: Vec<String> =
            block.iter().map(|shown| format!("{}\necho '{SEPARATOR}'\n", shown.command.join("\n"))).collect();
        let script = format!("exec 2>&1\n{}", commands.concat()).replace("/tmp/", &format!("{folder}/"));
        let run = Command::new("bash").args(["-c", &script]).env("PATH", &path).current_dir(root()).output();
        let run = run.expect("bash runs");
        let output = String::from_utf8_lossy(&run.stdout).replace(&format!("{folder}/"), "/tmp/");
        let mut outputs = output.split(SEPARATOR);
        for shown in &block {
            let output = outputs.next().unwrap_or_default();
            // The line break after the previous separator.
            let output = output.strip_prefix('\n').unwrap_or(output).trim_end();
            let output: Vec<&str> = output.lines().map(str::trim_end).collect();
            let expected: Vec<&str> = shown.output.iter().map(|line| line.trim_end()).collect();
            assert_eq!(output, expected, "{}", shown.command.join("\n"));
        }
    }
}

/// Rows name functions and tables as `` `name` in `path` ``.
#[test]
fn functions_and_files_of_the_guide_exist() {
    let guide = guide();
    let mut names = 0;
    for row in guide.lines().filter(|line| line.starts_with("| read first |") || line.starts_with("| tests |")) {
        let mut pending: Vec<&str> = Vec::new();
        for quoted in row.split('`').skip(1).step_by(2) {
            if !quoted.contains('/') {
                pending.push(quoted);
                continue;
            }
            let path = root().join(quoted);
            assert!(path.exists(), "the guide names {quoted}, which does not exist");
            if pending.is_empty() || path.is_dir() {
                continue;
            }
            let text = std::fs::read_to_string(&path).expect("the file is readable");
            for name in pending.drain(..) {
                let declares = |kind: &str| {
                    let declared = format!("{kind} {name}");
                    text.match_indices(&declared).any(|(at, _)| {
                        let next = text[at + declared.len()..].chars().next();
                        next.is_none_or(|c| !c.is_alphanumeric() && c != '_')
                    })
                };
                let found = ["fn", "const", "static", "struct", "enum"].into_iter().any(declares);
                assert!(found, "{quoted} declares no {name}");
                names += 1;
            }
        }
    }
    assert!(names >= 25, "only {names} names were found");
}
