//! Each pass on IR text. Input and output are valid, and the output is that of a careful author.
//! [`every_pass_has_tests`] and [`every_file_is_built`] fail for a pass or a file that was forgotten.

mod call_constants;
mod case_labels;
mod chains;
mod const_eval;
mod contract;
mod dead;
mod demote;
mod early;
mod fold;
mod fold_floats;
mod fold_random;
mod fold_rules;
mod forward;
mod forward_blocks;
mod gvn;
mod hoist;
mod ifs;
mod inline;
mod keeps;
mod loops;
mod mesh;
mod narrow;
mod nest;
mod offsets;
mod optimise;
mod overwritten;
mod own_globals;
mod pack;
mod precise;
mod promote;
mod quads;
mod read_in_place;
mod resources;
mod scale;
mod sroa;
mod ssa;
mod thread_requests;
mod unroll;
mod views;

use std::fs::{read_dir, read_to_string};
use std::path::Path;
use wgc_ir::{Module, parse, print, verify};

fn read(text: &str) -> Module {
    let module = parse(text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    check(&module);
    module
}

fn check(module: &Module) {
    if let Err(errors) = verify(module) {
        let list: Vec<String> = errors.iter().map(ToString::to_string).collect();
        panic!("{}\n{}", list.join("\n"), print(module));
    }
}

/// Returns the text of the function `@f` after the pass, without indentation.
fn body_of_f(module: &Module) -> String {
    check(module);
    let text = print(module);
    let start = text.find("fn @f(").expect("@f is there");
    let text = &text[start..];
    let end = text.find("\n}\n").expect("it ends");
    text[..end].lines().skip(1).map(str::trim).collect::<Vec<_>>().join("\n")
}

fn lines(text: &str) -> String {
    text.lines().map(str::trim).filter(|l| !l.is_empty()).collect::<Vec<_>>().join("\n")
}

const ENTRY: &str = "entry \"f\" = @f threads 1 1 1\n";

/// Passes that `keeps.rs` does not run, with the reason.
const NOT_IN_KEEPS: &[(&str, &str)] =
    &[("inline_into", "only one function is complete afterwards"), ("offsets", "it only checks")];

/// Returns the files of a folder of this crate, and of the folders in it, with their names without extension.
fn files(folder: &Path) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for entry in read_dir(folder).expect("the folder is there") {
        let path = entry.expect("it can be listed").path();
        if path.is_dir() {
            found.extend(files(&path));
        } else if path.extension().is_some_and(|e| e == "rs") {
            let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
            found.push((name, read_to_string(&path).expect("it can be read")));
        }
    }
    found
}

/// Returns whether a test names a function of `wgc_ir::passes`.
fn names_pass(text: &str, pass: &str) -> bool {
    let path = format!("passes::{pass}");
    text.match_indices(&path).any(|(at, _)| text[at + path.len()..].starts_with(['(', ')', ',']))
}

#[test]
fn every_pass_has_tests() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let list = read_to_string(root.join("src/passes.rs")).expect("it can be read");
    let exports = list.split(';').filter_map(|item| item.trim_start().strip_prefix("pub use ")?.split_once("::"));
    let names = exports.flat_map(|(_, names)| names.split(|c: char| !c.is_alphanumeric() && c != '_'));
    let passes: Vec<&str> = names.filter(|name| name.starts_with(|c: char| c.is_ascii_lowercase())).collect();
    assert!(passes.len() > 20, "{passes:?}");
    let tests = files(&root.join("tests"));
    let is_tested = |pass: &&str, in_keeps: bool| {
        tests.iter().any(|(file, text)| (file == "keeps") == in_keeps && names_pass(text, pass))
    };
    let untested: Vec<&&str> = passes.iter().filter(|pass| !is_tested(pass, false)).collect();
    assert!(untested.is_empty(), "passes without a test on IR text: {untested:?}");
    let left_out: Vec<&str> = passes.into_iter().filter(|pass| !is_tested(pass, true)).collect();
    let excepted: Vec<&str> = NOT_IN_KEEPS.iter().map(|row| row.0).collect();
    assert_eq!(left_out, excepted, "`PASSES` of keeps.rs lacks the first ones");
}

#[test]
fn every_file_is_built() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/passes");
    let files = files(&folder);
    let (_, main) = files.iter().find(|(name, _)| name == "main").expect("this file");
    for (name, _) in files.iter().filter(|(name, _)| name != "main") {
        assert!(main.contains(&format!("mod {name};")), "main.rs has no `mod {name};`, so nothing builds the file");
    }
}
