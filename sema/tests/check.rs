//! Diagnostics of bodies: `tests/check/*.hlsl` say with `//~ WGxxxx` which codes their lines get, and nothing else may
//! come. `//~^` means the line above. Files without a marker must be accepted, and lowered, whole.

mod support;

use std::collections::BTreeMap;
use std::fmt::Write;
use support::{functions, line, program};
use wgc_sema::check::check;

/// Code and line of every marker.
fn expected(text: &str) -> BTreeMap<(usize, String), usize> {
    let mut out = BTreeMap::new();
    for (i, text) in text.lines().enumerate() {
        let Some((_, marker)) = text.split_once("//~") else { continue };
        let up = marker.chars().take_while(|c| *c == '^').count();
        for code in marker[up..].split_whitespace().take_while(|w| w.starts_with("WG")) {
            *out.entry((i + 1 - up, code.to_string())).or_insert(0) += 1;
        }
    }
    out
}

fn check_file(name: &str, text: &str, failures: &mut String) {
    let (db, program) = program(text);
    let mut found: BTreeMap<(usize, String), usize> = BTreeMap::new();
    let mut messages = String::new();
    for function in functions(&db, program) {
        let checked = check(&db, function);
        for d in &checked.diagnostics {
            let at = line(&db, program, d.primary.place);
            *found.entry((at, d.code.to_string())).or_insert(0) += 1;
            let _ = writeln!(messages, "    {at}: {} {}", d.code, d.message);
            for note in &d.notes {
                let _ = writeln!(messages, "        {note}");
            }
        }
    }
    let wanted = expected(text);
    if found != wanted {
        let missing: Vec<_> = wanted.iter().filter(|(k, n)| found.get(k) != Some(n)).collect();
        let surplus: Vec<_> = found.iter().filter(|(k, n)| wanted.get(k) != Some(n)).collect();
        let _ = writeln!(failures, "{name}: missing {missing:?}, surplus {surplus:?}\n{messages}");
    }
}

#[test]
fn marked_lines_are_diagnosed_and_no_others() {
    let dir = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/check");
    let mut paths: Vec<_> = std::fs::read_dir(dir).unwrap().map(|e| e.unwrap().path()).collect();
    paths.sort();
    let mut failures = String::new();
    for path in paths {
        let text = std::fs::read_to_string(&path).unwrap();
        check_file(&path.file_name().unwrap().to_string_lossy(), &text, &mut failures);
    }
    assert!(failures.is_empty(), "\n{failures}");
}
