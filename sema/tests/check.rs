//! Diagnostics of bodies: `//~ WGxxxx` in `tests/check/*.hlsl` marks the expected codes of a line, and there must be no
//! others. `//~^` means the line above. Files without a marker must be accepted and lowered completely.

mod support;

use std::collections::BTreeMap;
use std::fmt::Write;
use support::{functions, line, program};
use wgc_sema::check::check;
use wgc_sema::tables::codes::Severity;

/// Returns code and line of every marker.
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
            let at = line(&db, program, d.primary.place.text().expect("in the text"));
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
fn only_marked_lines_get_diagnostics() {
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

/// Splits a text into runs of letters and digits, and single other characters.
fn words(text: &str) -> Vec<&str> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut out = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let end = match is_word(first) {
            true => rest.find(|c| !is_word(c)).unwrap_or(rest.len()),
            false => first.len_utf8(),
        };
        out.push(&rest[..end]);
        rest = &rest[end..];
    }
    out
}

/// Programs with a word removed, or two exchanged, are checked and, if correct, linked to modules that verify. Any text
/// gives a diagnostic or correct code, and never a panic.
#[test]
fn damaged_programs_are_diagnosed_or_compiled() {
    let texts =
        [include_str!("check/accepted.hlsl"), include_str!("check/calls.hlsl"), include_str!("lower/nodes.hlsl")];
    let mut state = 0x2545_f491_4f6c_dd1du64;
    let mut random = |n: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % n as u64) as usize
    };
    for round in 0..120 {
        let mut damaged = words(texts[round % texts.len()]);
        for _ in 0..1 + round % 3 {
            let (a, b) = (random(damaged.len()), random(damaged.len()));
            match round % 2 {
                0 => damaged[a] = "",
                _ => damaged.swap(a, b),
            }
        }
        let text = damaged.concat();
        let (db, program) = program(&text);
        let mut is_correct = true;
        for function in functions(&db, program) {
            is_correct &= check(&db, function).is_correct;
        }
        let module = &wgc_sema::link::link(&db, program).module;
        if let (true, Some(module)) = (is_correct, module)
            && let Err(errors) = wgc_ir::verify(module)
            && wgc_sema::report::diagnostics::diagnostics(&db, program).iter().all(|d| d.severity != Severity::Error)
        {
            panic!("{errors:?}\n{text}");
        }
    }
}
