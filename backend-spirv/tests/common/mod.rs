//! Helpers to read, verify and emit test files.

#![allow(dead_code, reason = "each test file uses a part")]

pub mod modules;
pub mod words;

use std::path::{Path, PathBuf};
use wgc_backend_spirv::{EmitError, EmitOptions, SpirvModule, emit_amdx, emit_compute};
use wgc_ir::passes::OptLevel;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Compute,
    Amdx,
    Error,
}

/// Returns the test files in order of their names.
pub fn files() -> Vec<PathBuf> {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ir");
    let mut files: Vec<PathBuf> = std::fs::read_dir(dir)
        .expect("tests/ir can be listed")
        .map(|entry| entry.expect("a directory entry").path())
        .filter(|path| path.extension().is_some_and(|e| e == "ir"))
        .collect();
    files.sort();
    files
}

/// Emits a test file for the target in its first line.
pub fn emit_file(path: &Path) -> (Kind, Result<SpirvModule, EmitError>) {
    let text = std::fs::read_to_string(path).expect("a test file can be read");
    let name = path.display();
    let kind = match text.lines().next() {
        Some("// compute") => Kind::Compute,
        Some("// amdx") => Kind::Amdx,
        Some("// error") => Kind::Error,
        other => panic!("{name} starts with {other:?}"),
    };
    let result = emit(&text, &name.to_string(), &EmitOptions { level: OptLevel::O0, ..EmitOptions::default() });
    if let Ok(module) = &result {
        dump(&path.file_stem().expect("a listed file has a name").to_string_lossy(), module);
    }
    (kind, result)
}

/// Parses, verifies and emits IR text: the graph if it has nodes, otherwise its entries.
pub fn emit(text: &str, name: &str, options: &EmitOptions) -> Result<SpirvModule, EmitError> {
    let module = wgc_ir::parse(text).unwrap_or_else(|e| panic!("{name}:{e}"));
    if let Err(errors) = wgc_ir::verify(&module) {
        let errors: Vec<String> = errors.iter().map(ToString::to_string).collect();
        panic!("{name}: {}", errors.join("\n"));
    }
    if module.graph.nodes.is_empty() { emit_compute(&module, options) } else { emit_amdx(&module, options) }
}

/// Panics if the project's own verifier finds a broken rule. Warnings about undefined behaviour at run time are
/// allowed.
pub fn verify(name: &str, module: &SpirvModule) {
    verify_but(name, module, "none");
}

/// Verifies a module with exactly one broken rule, which must be found.
pub fn verify_but(name: &str, module: &SpirvModule, broken: &str) {
    let loaded = wgc_spirv_module::Module::load(&module.words).unwrap_or_else(|e| panic!("{name}: {e}"));
    let mut violations = wgc_spirv_module::verify(&loaded);
    violations.retain(wgc_spirv_module::Violation::is_error);
    let is_found = violations.iter().any(|v| v.to_string().contains(broken));
    violations.retain(|v| !v.to_string().contains(broken));
    assert!(violations.is_empty(), "{name}: {}\n{}", violations[0], module.disassemble());
    assert!(is_found || broken == "none", "{name} keeps {broken}");
}

/// Verifies a module. Writes it and its text to the directory in `WGC_DUMP_SPV`, if that is set. The extension
/// `.scalar.spv` marks the natural layout of the tests' types.
pub fn dump(name: &str, module: &SpirvModule) {
    verify(name, module);
    write(name, module);
}

/// Writes a module like [`dump`], without verifying it.
pub fn write(name: &str, module: &SpirvModule) {
    if let Some(dir) = std::env::var_os("WGC_DUMP_SPV") {
        let path = Path::new(&dir).join(format!("{name}.scalar.spv"));
        std::fs::write(&path, module.bytes()).expect("the dump directory is writable");
        std::fs::write(path.with_extension("spvasm"), module.disassemble()).expect("the dump directory is writable");
    }
}

/// Returns the text of a test file.
pub fn read(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ir").join(name).with_extension("ir");
    std::fs::read_to_string(path).expect("a test file can be read")
}
