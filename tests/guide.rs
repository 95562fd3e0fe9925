//! Tests of pages for contributors. The commands of `docs/guide.md` give the outputs in it, and the functions that it
//! names exist. So do the tests that CONTRIBUTING.md, `tests/README.md` and `docs/robustness.md` name.

use std::io::Write as _;
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
    for tool in ["python3", "perl"] {
        if Command::new(tool).arg("--version").output().is_err() {
            let _ = writeln!(std::io::stderr(), "left out, because there is no {tool}: the commands of docs/guide.md");
            return;
        }
    }
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

/// A `cargo test` command.
#[derive(Default)]
struct TestCommand<'a> {
    /// Environment variables of wgc that it sets.
    variables: Vec<&'a str>,
    packages: Vec<&'a str>,
    /// Names after `--test`.
    targets: Vec<&'a str>,
    is_lib: bool,
    filter: Option<&'a str>,
}

impl<'a> TestCommand<'a> {
    /// Reads a command, or its part from `--test` on, which refers to the root package.
    fn parse(command: &'a str) -> Option<Self> {
        let mut found = Self::default();
        let command = command.split('#').next().unwrap_or_default();
        let arguments = match command.split_once("cargo test") {
            Some((before, arguments)) => {
                let set = before.split_whitespace().filter_map(|word| word.split_once('='));
                found.variables.extend(set.map(|(name, _)| name).filter(|name| name.starts_with("WGC_")));
                arguments
            }
            None if command.starts_with("--test ") => command,
            None => return None,
        };
        let mut words = arguments.split_whitespace().take_while(|word| *word != "--");
        while let Some(word) = words.next() {
            match word {
                "-p" => found.packages.extend(words.next()),
                "--test" => found.targets.extend(words.next().filter(|name| *name != "NAME")),
                "--lib" => found.is_lib = true,
                "TEST" => {}
                _ if word.starts_with('-') => {}
                _ => found.filter = Some(word),
            }
        }
        if found.packages.is_empty() {
            found.packages.push("wgc-compiler");
        }
        Some(found)
    }
}

/// Returns the commands of a page: the lines of its blocks, and the texts in backquotes.
fn test_commands(page: &str) -> Vec<TestCommand<'_>> {
    let mut commands = Vec::new();
    let mut is_block = false;
    for line in page.lines() {
        if line.starts_with("```") {
            is_block = !is_block;
        } else if is_block {
            commands.extend(TestCommand::parse(line));
        } else {
            commands.extend(line.split('`').skip(1).step_by(2).filter_map(TestCommand::parse));
        }
    }
    commands
}

/// Returns the folder of a package.
fn package_folder(package: &str) -> PathBuf {
    let name = package.strip_prefix("wgc-").unwrap_or(package);
    let mut folders = [root().join(name), root().join("tests").join(name)].into_iter();
    let folder =
        if name == "compiler" { Some(root().to_owned()) } else { folders.find(|f| f.join("Cargo.toml").exists()) };
    folder.unwrap_or_else(|| panic!("no package {package}"))
}

fn files_of(path: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(path) else { return vec![path.to_owned()] };
    entries.flat_map(|entry| files_of(&entry.expect("the folder is readable").path())).collect()
}

/// Returns the names of the tests of a file. A file without Rust code is data, and its path is the name of a test.
fn names_of_tests(file: &Path, folder: &Path) -> Vec<String> {
    let path = file.strip_prefix(folder).unwrap_or(file).with_extension("");
    let path = path.to_string_lossy().replace('\\', "/");
    if file.extension().is_none_or(|extension| extension != "rs") {
        return vec![path];
    }
    let text = std::fs::read_to_string(file).expect("the file is readable");
    let tests = text.split("#[test]").skip(1).filter_map(|after| after.split_once("fn ")?.1.split_once('('));
    tests.map(|(name, _)| format!("{}::{name}", path.replace('/', "::"))).collect()
}

/// A filter selects a test, and a file with such a test reads the variables of the command.
#[test]
fn test_commands_of_pages_select_tests() {
    for (page, least) in [("CONTRIBUTING.md", 35), ("tests/README.md", 45)] {
        let text = std::fs::read_to_string(root().join(page)).expect("the page is readable");
        let commands = test_commands(&text);
        assert!(commands.len() >= least, "{page}: only {} commands were found", commands.len());
        for command in commands {
            let mut selected = Vec::new();
            for package in &command.packages {
                let folder = package_folder(package);
                let tests = folder.join("tests");
                let mut sources: Vec<(PathBuf, PathBuf)> = Vec::new();
                for target in &command.targets {
                    let file = tests.join(format!("{target}.rs"));
                    let is_there = file.exists() || tests.join(target).join("main.rs").exists();
                    assert!(is_there, "{page}: {package} has no test {target}");
                    let files = files_of(&tests.join(target)).into_iter().chain([file]).filter(|file| file.exists());
                    sources.extend(files.map(|file| (file, tests.clone())));
                }
                if command.is_lib {
                    let source = folder.join("src");
                    sources.extend(files_of(&source).into_iter().map(|file| (file, source.clone())));
                }
                let Some(filter) = command.filter else { continue };
                let is_selected =
                    |file: &Path, folder: &Path| names_of_tests(file, folder).iter().any(|name| name.contains(filter));
                selected.extend(sources.into_iter().filter(|(file, folder)| is_selected(file, folder)));
            }
            let Some(filter) = command.filter else { continue };
            assert!(!selected.is_empty(), "{page}: the filter {filter} selects no test");
            let reads = |variable: &str| {
                let texts = selected.iter().filter_map(|(file, _)| std::fs::read_to_string(file).ok());
                texts.into_iter().any(|text| text.contains(&format!("\"{variable}\"")))
            };
            for variable in command.variables {
                assert!(reads(variable), "{page}: no test with {filter} in its name reads {variable}");
            }
        }
    }
}

/// Rows name files and tests as `` `path`: `test`, `test` ``. "The same" is the last file of the row before.
#[test]
fn files_and_tests_of_the_robustness_page_exist() {
    let page = std::fs::read_to_string(root().join("docs/robustness.md")).expect("the page is readable");
    let (mut names, mut is_listed, mut path) = (0, false, "");
    for line in page.lines() {
        let Some(row) = line.strip_prefix("| ") else {
            is_listed &= line.starts_with('|');
            continue;
        };
        let cell = row.trim_end_matches(" |").rsplit(" | ").next().unwrap_or_default();
        is_listed |= ["test", "held by"].contains(&cell);
        for quoted in cell.split('`').skip(1).step_by(2).filter(|_| is_listed) {
            if quoted.contains('/') {
                path = quoted;
                assert!(root().join(path).exists(), "the page names {path}, which does not exist: {line}");
            } else if quoted.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'.')
                && path.ends_with(".rs")
            {
                let text = std::fs::read_to_string(root().join(path)).expect("the file is readable");
                let declared = match quoted.strip_suffix("..") {
                    Some(beginning) => format!("fn {beginning}"),
                    None => format!("fn {quoted}("),
                };
                assert!(text.contains(&declared), "{path} has no test {quoted}: {line}");
                names += 1;
            }
        }
    }
    assert!(names >= 60, "only {names} names were found");
}
