//! `wgc fmt`; also checks that formatting keeps the meaning of programs.

use crate::support::{Scratch, wgc, wgc_with_input};
use std::path::{Path, PathBuf};
use wgc_compiler::Session;
use wgc_fmt::{Braces, Style};
use wgc_sema::db::Options;

const BAD: &str = "uint  a;\nuint b;\nvoid f() {\nreturn ;\n}\n";
const GOOD: &str = "uint a;\nuint b;\nvoid f() {\n    return;\n}\n";

#[test]
fn files_are_formatted_in_place() {
    let dir = Scratch::new().with("a.hlsl", BAD).with("b.hlsl", GOOD);
    let ran = wgc(&dir.0, ["fmt", "a.hlsl", "b.hlsl"]).expect(0);
    assert_eq!((ran.out(), ran.stderr.as_str()), ("".into(), ""));
    assert_eq!(std::fs::read_to_string(dir.0.join("a.hlsl")).expect("it is there"), GOOD);
    assert_eq!(std::fs::read_to_string(dir.0.join("b.hlsl")).expect("it is there"), GOOD);
}

#[test]
fn fmt_check_prints_a_diff_and_leaves_files_unchanged() {
    let dir = Scratch::new().with("a.hlsl", BAD).with("b.hlsl", GOOD);
    let wanted =
        "--- a.hlsl\n+++ a.hlsl\n@@ -1,1 +1,1 @@\n-uint  a;\n+uint a;\n@@ -4,1 +4,1 @@\n-return ;\n+    return;\n";
    assert_eq!(wgc(&dir.0, ["fmt", "--check", "b.hlsl", "a.hlsl"]).expect(1).out(), wanted);
    assert_eq!(std::fs::read_to_string(dir.0.join("a.hlsl")).expect("it is there"), BAD);
    assert_eq!(wgc(&dir.0, ["fmt", "--check", "b.hlsl"]).expect(0).out(), "");
}

#[test]
fn standard_input_goes_to_standard_output() {
    let dir = Scratch::new();
    assert_eq!(wgc_with_input(&dir.0, ["fmt", "--stdin"], BAD).expect(0).out(), GOOD);
    assert_eq!(wgc_with_input(&dir.0, ["fmt", "-"], GOOD).expect(0).out(), GOOD);
    let checked = wgc_with_input(&dir.0, ["fmt", "--stdin", "--check"], BAD).expect(1).out();
    assert!(checked.starts_with("--- <stdin>\n+++ <stdin>\n@@"), "{checked}");
}

#[test]
fn projects_and_options_set_the_format_style() {
    let dir = Scratch::new()
        .with("wgc.json", r#"{ "programs": {}, "format": { "indent": 2, "braces": "next-line" } }"#)
        .with("a.hlsl", BAD);
    wgc(&dir.0, ["fmt", "a.hlsl"]).expect(0);
    let text = |name: &str| std::fs::read_to_string(dir.0.join(name)).expect("it is there");
    assert_eq!(text("a.hlsl"), "uint a;\nuint b;\nvoid f()\n{\n  return;\n}\n");
    wgc(&dir.0, ["fmt", "a.hlsl", "--indent", "3"]).expect(0);
    assert_eq!(text("a.hlsl"), "uint a;\nuint b;\nvoid f()\n{\n   return;\n}\n");
    assert!(
        wgc(&dir.0, ["fmt", "a.hlsl", "--columns", "39"])
            .expect(2)
            .stderr
            .contains("columns must be 40 to 1000, not 39")
    );
    wgc(&dir.0, ["fmt", "a.hlsl", "--tabs", "--braces", "same-line"]).expect(0);
    assert_eq!(text("a.hlsl"), "uint a;\nuint b;\nvoid f() {\n\treturn;\n}\n");
    std::fs::write(
        dir.0.join("wgc.json"),
        r#"{ "programs": {}, "format": { "tabs": true, "columns": 40, "indent_cases": true } }"#,
    )
    .expect("written");
    let wide = "void f(int long_parameter, int another_one) { switch (1) {\ncase 1: return;\n} }\n";
    let expected =
        "void f(\n\tint long_parameter,\n\tint another_one) {\n\tswitch (1) {\n\t\tcase 1: return;\n\t}\n}\n";
    assert_eq!(wgc_with_input(&dir.0, ["fmt", "-"], wide).expect(0).out(), expected);
    std::fs::write(dir.0.join("wgc.json"), r#"{ "programs": {}, "format": { "indent": 99 } }"#).expect("written");
    assert!(wgc(&dir.0, ["fmt", "a.hlsl"]).expect(2).stderr.contains("indent must be 1 to 16, not 99"));
}

#[test]
fn formatting_errors_are_reported() {
    let dir = Scratch::new().with("a.hlsl", BAD);
    assert!(wgc(&dir.0, ["fmt"]).expect(2).stderr.contains("`wgc fmt` needs files"));
    assert!(wgc(&dir.0, ["fmt", "a.hlsl", "--stdin"]).expect(2).stderr.contains("cannot be combined with files"));
    let ran = wgc(&dir.0, ["fmt", "none.hlsl", "a.hlsl"]).expect(2);
    assert!(ran.stderr.contains("cannot read none.hlsl"), "{}", ran.stderr);
    assert_eq!(std::fs::read_to_string(dir.0.join("a.hlsl")).expect("it is there"), GOOD, "the other one is");
}

// ---- meaning of programs

/// Copies the shaders of a folder, formatted.
fn formatted(from: &Path, to: &Path, style: &Style, out: &mut Vec<(PathBuf, PathBuf)>) {
    std::fs::create_dir_all(to).expect("a folder");
    for entry in std::fs::read_dir(from).expect("there are shaders").filter_map(Result::ok) {
        let (old, new) = (entry.path(), to.join(entry.file_name()));
        if old.is_dir() {
            formatted(&old, &new, style, out);
        } else if old.extension().is_some_and(|e| e == "hlsl" || e == "hlsli") {
            let bytes = std::fs::read(&old).expect("readable");
            std::fs::write(&new, wgc_fmt::format(&bytes, style)).expect("written");
            if old.extension().is_some_and(|e| e == "hlsl") {
                out.push((old, new));
            }
        }
    }
}

fn program(path: &Path) -> Session {
    Session::new(&[&path.to_string_lossy()], Options { enable_16bit_types: true, ..Options::default() })
}

#[test]
fn formatted_programs_are_the_same_programs() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let narrow = Style { columns: 60, braces: Braces::SameLine, ..Style::default() };
    let mut files = Vec::new();
    let dir = Scratch::new();
    for (n, (folder, style)) in [
        ("examples", Style::default()),
        ("examples", narrow.clone()),
        ("tests/programs", Style::default()),
        ("tests/emulated", narrow),
        ("tests/run", Style::default()),
    ]
    .iter()
    .enumerate()
    {
        let mut found = Vec::new();
        formatted(&root.join(folder), &dir.0.join(n.to_string()), style, &mut found);
        found.sort();
        // The other folders have many files, so only every third is used.
        let step = if folder.starts_with("tests") { 3 } else { 1 };
        files.extend(found.into_iter().step_by(step));
    }
    assert!(files.len() > 40, "{}", files.len());
    let mut modules = 0;
    for (old, new) in files {
        let (before, after) = (program(&old), program(&new));
        assert!(before.syntax_tree() == after.syntax_tree(), "{}", old.display());
        if old.starts_with(root.join("examples")) {
            let messages = |session: &Session| -> Vec<String> {
                session
                    .diagnostics()
                    .iter()
                    .map(|diagnostic| format!("{} {}", diagnostic.code, diagnostic.message))
                    .collect()
            };
            assert_eq!(messages(&before), messages(&after), "{}", old.display());
            let plain = |session: Session| {
                let emit = wgc_backend_spirv::EmitOptions {
                    debug: wgc_backend_spirv::DebugInfo::NONE,
                    ..wgc_backend_spirv::EmitOptions::default()
                };
                session.emitting(emit).native().map(|module| module.words).map_err(|_| ())
            };
            let (before, after) = (plain(before), plain(after));
            modules += usize::from(before.is_ok());
            assert!(before == after, "{}", old.display());
        }
    }
    assert!(modules > 6, "{modules}");
}
