//! Diagnostics as users read them. Comments in each `tests/ui/*.hlsl` list the expected codes by line, and a snapshot
//! next to it has the rendered messages.
//!
//! `//~ ERROR WG0101` refers to its own line, `//~^ WARN WG0101` to the line above (`^^` to the one above that).
//! Several codes may follow one another. `//~ HOST 3 ERROR WG0424` refers to the third line of the host's file. A file
//! without such comments must compile without messages. A first line `//! library` or `//! entries a b` or `//! version
//! 2018` sets options. `//! host FILE` names a host's file in the same folder. `//! hints` shows hints, `//~ HINT
//! WG0601`, which are disabled elsewhere.
//!
//! `tests/ui/graph/` has two files for each rule of the graph, and `tests/ui/lints/` for each lint: one that breaks it,
//! and one that narrowly keeps it. Their `rows.tsv` list them, and a rule without its files fails here.

use std::path::Path;
use wgc_compiler::{Session, report};
use wgc_sema::db::Options;
use wgc_sema::tables::codes::Severity;

/// True for the host's file, line, severity, code.
type Marked = (bool, usize, String, String);

/// Returns the diagnostics that the comments expect.
fn expected(source: &str) -> Vec<Marked> {
    let mut all = Vec::new();
    for (line, text) in source.lines().enumerate() {
        let Some((_, marker)) = text.split_once("//~") else { continue };
        let up = marker.chars().take_while(|c| *c == '^').count();
        let (mut severity, mut host) = ("", None);
        let mut words = marker[up..].split_whitespace();
        while let Some(word) = words.next() {
            match word {
                "HOST" => host = words.next().and_then(|line| line.parse().ok()),
                "ERROR" => severity = "error",
                "WARN" => severity = "warning",
                "HINT" => severity = "hint",
                code => {
                    let at = host.unwrap_or(line + 1 - up);
                    all.push((host.is_some(), at, severity.to_string(), code.to_string()));
                }
            }
        }
    }
    all.sort();
    all
}

fn options(source: &str, folder: &Path) -> Options {
    let mut options = Options::default();
    let words: Vec<&str> =
        source.lines().next().and_then(|l| l.strip_prefix("//! ")).unwrap_or("").split(' ').collect();
    match words.as_slice() {
        ["version", year] => options.hlsl_version = year.parse().ok(),
        ["library"] => options.library = true,
        ["entries", names @ ..] => options.entries = Some(names.iter().map(|n| n.to_string()).collect()),
        ["host", file] => options.host = Some(folder.join(file).to_string_lossy().replace('\\', "/")),
        _ => {}
    }
    options
}

/// The size of a thread's stack, in bytes. wgc's own threads have a larger one than those of tests.
const STACK: usize = 256 << 20;

fn check(path: &Path) -> datatest_stable::Result<()> {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, || of_file(path))?;
        Ok(thread.join().map_err(|_| "a panic")??)
    })
}

fn of_file(path: &Path) -> Result<(), String> {
    let source = String::from_utf8_lossy(&std::fs::read(path).map_err(|e| e.to_string())?).into_owned();
    // Messages name files as given: relative to the repository, on any machine.
    let name = path.to_string_lossy().replace('\\', "/");
    let session = Session::new(&[&name], options(&source, path.parent().unwrap_or(Path::new(""))));
    let mut diagnostics = session.diagnostics();
    diagnostics.retain(|d| d.severity != Severity::Hint || source.starts_with("//! hints\n"));
    let mut found: Vec<Marked> = diagnostics
        .iter()
        .map(|d| {
            let range = &d.labels[0].range;
            let text = session.text(&range.file);
            let line = text[..range.lo as usize].iter().filter(|b| **b == b'\n').count() + 1;
            (*range.file != *name, line, d.severity.to_string(), d.code.to_string())
        })
        .collect();
    found.sort();
    let rendered = report::to_string(&diagnostics, report::Format::Human, &|path| session.text(path));
    let expected = expected(&source);
    if found != expected {
        return Err(format!("expected {expected:?}, got {found:?}\n{rendered}"));
    }
    let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let mut settings = insta::Settings::clone_current();
    let folder = path.parent().unwrap_or(Path::new("tests/ui"));
    settings.set_snapshot_path(Path::new(env!("CARGO_MANIFEST_DIR")).join(folder));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(stem, rendered));
    Ok(())
}

/// The reference's list of checks.
const GRAPH_ROWS: std::ops::RangeInclusive<u32> = 1..=40;

/// Rows of it without files: they concern runs.
const NOT_OF_COMPILER: &[u32] = &[31, 39];

/// Each rule of the graph, and each lint, has a file that breaks it with its code, and a similar one without a message.
fn rows(path: &Path) -> datatest_stable::Result<()> {
    let table = std::fs::read_to_string(path)?;
    let folder = path.parent().unwrap_or(Path::new("."));
    let lints = wgc_sema::Code::ALL.iter().filter_map(|c| c.row().code.strip_prefix("WG06")?.parse().ok());
    let mut missing: Vec<u32> = match folder.file_name() {
        Some(name) if name == "lints" => lints.map(|n: u32| 600 + n).collect(),
        _ => GRAPH_ROWS.filter(|row| !NOT_OF_COMPILER.contains(row)).collect(),
    };
    let mut listed = vec![];
    for line in table.lines().filter(|line| !line.starts_with('#')) {
        let [row, code, what, rejected, accepted] = line.split('\t').collect::<Vec<_>>()[..] else {
            return Err(format!("not five columns: {line}").into());
        };
        missing.retain(|other| other.to_string() != row.trim_start_matches('0'));
        let markers =
            expected(&std::fs::read_to_string(folder.join(rejected)).map_err(|e| format!("{rejected}: {e}"))?);
        let known = wgc_sema::Code::find(code).ok_or_else(|| format!("{code} is no code"))?;
        if !markers.iter().any(|(.., found)| found == known.row().code) {
            return Err(format!("row {row} ({what}): {rejected} gets no {code}").into());
        }
        let markers =
            expected(&std::fs::read_to_string(folder.join(accepted)).map_err(|e| format!("{accepted}: {e}"))?);
        if !markers.is_empty() {
            return Err(format!("row {row} ({what}): {accepted} gets {markers:?}").into());
        }
        listed.extend([rejected.to_string(), accepted.to_string()]);
    }
    if !missing.is_empty() {
        return Err(format!("no test for rows {missing:?}").into());
    }
    for file in std::fs::read_dir(folder)? {
        let name = file?.file_name().to_string_lossy().into_owned();
        if name.ends_with(".hlsl") && !listed.contains(&name) {
            return Err(format!("{name} belongs to no row").into());
        }
    }
    Ok(())
}

datatest_stable::harness! {
    { test = check, root = "tests/ui", pattern = r"\.hlsl$" },
    { test = rows, root = "tests/ui", pattern = r"rows\.tsv$" },
}
