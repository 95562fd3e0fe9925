//! Diagnostics as users read them: each `tests/ui/*.hlsl` says in comments which codes it must get on which lines, and
//! has its rendered messages beside it as a snapshot.
//!
//! `//~ ERROR WG0101` speaks of its own line, `//~^ WARN WG0101` of the line above (`^^` of the one above that); several
//! codes may follow one another. A file without such comments must compile without a word. A first line `//! library`
//! or `//! entries a b` sets options; `//! hints` shows hints, `//~ HINT WG0601`, which are off elsewhere.

use std::path::Path;
use wgc_compiler::{Session, report};
use wgc_sema::codes::Severity;
use wgc_sema::db::Options;

/// Line, severity, code.
type Marked = (usize, String, String);

/// What the comments ask for.
fn expected(source: &str) -> Vec<Marked> {
    let mut all = Vec::new();
    for (line, text) in source.lines().enumerate() {
        let Some((_, marker)) = text.split_once("//~") else { continue };
        let up = marker.chars().take_while(|c| *c == '^').count();
        let mut severity = "";
        for word in marker[up..].split_whitespace() {
            match word {
                "ERROR" => severity = "error",
                "WARN" => severity = "warning",
                "HINT" => severity = "hint",
                code => all.push((line + 1 - up, severity.to_string(), code.to_string())),
            }
        }
    }
    all.sort();
    all
}

fn options(source: &str) -> Options {
    let mut options = Options::default();
    let words: Vec<&str> =
        source.lines().next().and_then(|l| l.strip_prefix("//! ")).unwrap_or("").split(' ').collect();
    match words.as_slice() {
        ["library"] => options.library = true,
        ["entries", names @ ..] => options.entries = Some(names.iter().map(|n| n.to_string()).collect()),
        _ => {}
    }
    options
}

fn check(path: &Path) -> datatest_stable::Result<()> {
    let source = String::from_utf8_lossy(&std::fs::read(path)?).into_owned();
    // Messages name files as they were given: relative to the repository, whatever machine this is.
    let name = path.to_string_lossy().replace('\\', "/");
    let session = Session::new(&[&name], options(&source));
    let mut diagnostics = session.diagnostics();
    diagnostics.retain(|d| d.severity != Severity::Hint || source.starts_with("//! hints\n"));
    let mut found: Vec<Marked> = diagnostics
        .iter()
        .map(|d| {
            let before = &source.as_bytes()[..d.labels[0].range.lo as usize];
            let line = before.iter().filter(|b| **b == b'\n').count() + 1;
            (line, d.severity.to_string(), d.code.to_string())
        })
        .collect();
    found.sort();
    let rendered = report::to_string(&diagnostics, report::Format::Human, &|path| session.text(path));
    let expected = expected(&source);
    if found != expected {
        return Err(format!("expected {expected:?}, got {found:?}\n{rendered}").into());
    }
    let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ui"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.set_description(source);
    settings.bind(|| insta::assert_snapshot!(stem, rendered));
    Ok(())
}

datatest_stable::harness! {
    { test = check, root = "tests/ui", pattern = r"\.hlsl$" },
}
