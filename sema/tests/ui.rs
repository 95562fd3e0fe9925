//! Diagnostics of whole programs: `tests/ui/*.hlsl`.
//!
//! A comment `//~ ERROR WG0401` says what its line gets (`//~^` the line above, `//~^^` two above; several codes may
//! follow one another), and nothing else may come. The whole rendering of each file is a snapshot besides. A first
//! line `//! library` or `//! entries a b` sets options.

use std::collections::BTreeMap;
use std::fmt::Write;
use wgc_sema::db::{Compiler, FileLoader, Options};
use wgc_sema::diagnostic::{FileRange, Rendered};
use wgc_sema::diagnostics::diagnostics;

struct One(String, Vec<u8>);

impl FileLoader for One {
    fn load(&self, path: &str) -> Option<Vec<u8>> {
        (path == self.0).then(|| self.1.clone())
    }
}

fn options(text: &str) -> Options {
    let mut options = Options::default();
    let words: Vec<&str> = text.lines().next().and_then(|l| l.strip_prefix("//! ")).unwrap_or("").split(' ').collect();
    match words.as_slice() {
        ["library"] => options.library = true,
        ["entries", names @ ..] => options.entries = Some(names.iter().map(|n| n.to_string()).collect()),
        _ => {}
    }
    options
}

fn position(text: &str, offset: u32) -> (usize, usize) {
    let before = &text[..(offset as usize).min(text.len())];
    let line = before.matches('\n').count() + 1;
    (line, before.len() - before.rfind('\n').map_or(0, |n| n + 1) + 1)
}

/// `(line, severity, code)` of each marker.
fn expected(text: &str) -> BTreeMap<(usize, String, String), usize> {
    let mut out = BTreeMap::new();
    for (i, line) in text.lines().enumerate() {
        let Some((_, marker)) = line.split_once("//~") else { continue };
        let up = marker.chars().take_while(|c| *c == '^').count();
        let mut severity = String::new();
        for word in marker[up..].split_whitespace() {
            if word.starts_with("WG") {
                *out.entry((i + 1 - up, severity.clone(), word.to_string())).or_insert(0) += 1;
            } else {
                severity = match word {
                    "ERROR" => "error".to_string(),
                    "WARN" => "warning".to_string(),
                    other => panic!("marker {other} on line {}", i + 1),
                };
            }
        }
    }
    out
}

fn show(text: &str, all: &[Rendered]) -> String {
    let at = |range: &FileRange| {
        let ((line, column), piece) = (position(text, range.lo), &text[range.lo as usize..range.hi as usize]);
        let piece = piece.lines().next().unwrap_or("");
        format!("{line}:{column} `{piece}`")
    };
    let mut out = String::new();
    for r in all {
        let _ = writeln!(out, "{}[{}]: {}", r.severity, r.code, r.message);
        for (i, label) in r.labels.iter().enumerate() {
            let mark = if i == 0 { "-->" } else { "  -" };
            let colon = if label.message.is_empty() { "" } else { ": " };
            let _ = writeln!(out, "  {mark} {}{colon}{}", at(&label.range), label.message);
            for (name, range) in &label.trail {
                let _ = writeln!(out, "      in {name} at {}", at(range));
            }
        }
        for note in &r.notes {
            let _ = writeln!(out, "  = {note}");
        }
        if let Some(fix) = &r.fix {
            let _ = writeln!(out, "  fix: {}: {} -> `{}`", fix.message, at(&fix.range), fix.replacement);
        }
    }
    out
}

#[test]
fn programs_get_the_diagnostics_that_they_ask_for() {
    let dir = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ui");
    let mut paths: Vec<_> = std::fs::read_dir(dir).unwrap().map(|e| e.unwrap().path()).collect();
    paths.retain(|p| p.extension().is_some_and(|e| e == "hlsl"));
    paths.sort();
    let mut failures = String::new();
    for path in paths {
        let text = std::fs::read_to_string(&path).unwrap();
        let name = path.file_stem().unwrap().to_string_lossy().to_string();
        let file = path.file_name().unwrap().to_string_lossy().to_string();
        let mut db = Compiler::new(Box::new(One(file.clone(), text.clone().into_bytes())));
        let program = db.add_program(&[&file], options(&text));
        let all = diagnostics(&db, program);
        let shown = show(&text, all);
        let mut found = BTreeMap::new();
        for r in all {
            let line = position(&text, r.labels[0].range.lo).0;
            *found.entry((line, r.severity.to_string(), r.code.to_string())).or_insert(0) += 1;
        }
        let wanted = expected(&text);
        if found != wanted {
            let missing: Vec<_> = wanted.iter().filter(|(k, n)| found.get(k) != Some(n)).collect();
            let surplus: Vec<_> = found.iter().filter(|(k, n)| wanted.get(k) != Some(n)).collect();
            let _ = writeln!(failures, "{name}: missing {missing:?}, surplus {surplus:?}\n{shown}");
            continue;
        }
        insta::assert_snapshot!(name, shown);
    }
    assert!(failures.is_empty(), "\n{failures}");
}
