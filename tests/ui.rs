//! Diagnostics as users read them: each `tests/ui/*.hlsl` says in comments which codes it must get on which lines, and
//! has its rendered messages beside it as a snapshot.
//!
//! `//~ WG0101` speaks of its own line, `//~^ WG0101` of the line above (`^^` of the one above that). A file without
//! such comments must compile without a word.

use std::path::Path;
use wgc_compiler::{Session, report};
use wgc_sema::db::Options;

/// (line, code) pairs that the comments ask for.
fn expected(source: &str) -> Vec<(usize, String)> {
    let mut all = Vec::new();
    for (line, text) in source.lines().enumerate() {
        for comment in text.split("//~").skip(1) {
            let up = comment.chars().take_while(|c| *c == '^').count();
            let codes = comment.trim_start_matches('^').split_whitespace().take_while(|w| w.starts_with("WG"));
            all.extend(codes.map(|code| (line + 1 - up, code.to_string())));
        }
    }
    all.sort();
    all
}

fn check(path: &Path) -> datatest_stable::Result<()> {
    let source = String::from_utf8_lossy(&std::fs::read(path)?).into_owned();
    // Messages name files as they were given: relative to the repository, whatever machine this is.
    let name = path.to_string_lossy().replace('\\', "/");
    let session = Session::new(&[&name], Options::default());
    let diagnostics = session.diagnostics();
    let mut found: Vec<(usize, String)> = diagnostics
        .iter()
        .filter(|d| *d.labels[0].range.file == *name)
        .map(|d| {
            let before = &source.as_bytes()[..d.labels[0].range.lo as usize];
            (before.iter().filter(|b| **b == b'\n').count() + 1, d.code.to_string())
        })
        .collect();
    found.sort();
    let rendered = report::to_string(&diagnostics, report::Format::Human, &|path| session.text(path));
    let expected = expected(&source);
    if found != expected {
        return Err(format!("expected (line, code) {expected:?}, got {found:?}\n{rendered}").into());
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
