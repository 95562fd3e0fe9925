//! Compiles the device library: helpers and kernels of the emulated target (`stdlib/emulated`). It is the same for every
//! program, and the back end merges it into the nodes.
//!
//! The build script of `wgc-prebuilt` compiles it, and a process compiles it for debug information.

#![forbid(unsafe_code)]
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::unreachable))]

use std::fmt::Write;
use std::sync::Arc;
use wgc_backend_spirv::{EmitOptions, SpirvModule, emulated};
use wgc_ir::{Module, SourceMap, Symbol};
use wgc_sema::Compiler;
use wgc_sema::db::diagnostic::Rendered;
use wgc_sema::db::{Db, FileLoader, Options};
use wgc_sema::link::link;
use wgc_sema::link::source_map::{debug_map, source_map};

/// The path prefix of the library's texts.
pub const BUILT_IN: &str = "wgc:emulated/";

/// The prefix of the library's own functions.
const OWN: &str = "wgc_";

/// Loads the library's texts, and no other file.
#[derive(Clone, Copy, Debug)]
pub struct Texts;

impl FileLoader for Texts {
    fn load(&self, path: &str) -> Option<Vec<u8>> {
        let name = path.strip_prefix(BUILT_IN)?;
        wgc_stdlib::EMULATED.iter().find(|text| text.0 == name).map(|text| text.1.as_bytes().to_vec())
    }
}

/// Returns the library as IR, and the source map of its positions. With `debug`, the map has declarations for debuggers.
///
/// # Errors
/// The library does not compile, which is a bug in wgc. The text has the diagnostics.
pub fn compile(debug: bool) -> Result<(Module, SourceMap), String> {
    compile_with(Box::new(Texts), debug)
}

/// Compiles the library like [`compile`], from the texts of a loader.
///
/// # Errors
/// Fails like [`compile`].
pub fn compile_with(loader: Box<dyn FileLoader + Send + Sync>, debug: bool) -> Result<(Module, SourceMap), String> {
    let mut db = Compiler::new(loader);
    let roots: Vec<String> = wgc_stdlib::EMULATED_ROOTS.iter().map(|name| format!("{BUILT_IN}{name}")).collect();
    let roots: Vec<&str> = roots.iter().map(String::as_str).collect();
    let program = db.add_program(&roots, Options { internal: true, library: true, ..Options::default() });
    // All its functions are in the module, so a module exists only if there are no errors.
    if let Some(module) = &link(&db, program).module {
        let sources = if debug { debug_map(&db, program) } else { source_map(&db, program) };
        return Ok(own_names(module.clone(), sources));
    }
    let mut text = String::from("the device library does not compile\n");
    for diagnostic in wgc_sema::report::diagnostics::diagnostics(&db, program) {
        // Writing to a string does not fail.
        let _ = writeln!(text, "{}", one_line(&db, diagnostic));
    }
    Err(text)
}

/// Returns a diagnostic with the line that it is about.
fn one_line(db: &Compiler, diagnostic: &Rendered) -> String {
    let Rendered { code, message, labels, .. } = diagnostic;
    let Some(label) = labels.first() else { return format!("{code}: {message}") };
    let text = db.file(&label.range.file).text(db);
    let line = text.iter().take(label.range.lo as usize).filter(|byte| **byte == b'\n').count() + 1;
    format!("{}:{line}: {code}: {message}", label.range.file)
}

/// Renames intrinsics that are functions of the prelude. The library and a program may both contain one, or the program
/// may define another function of that name. So the library's get names that no source can use.
fn own_names(module: Module, mut sources: SourceMap) -> (Module, SourceMap) {
    let renamed = (module.functions.keys().filter(|name| !name.starts_with(OWN)))
        .map(|name| (name.clone(), Symbol::from(format!("wgc.{name}"))))
        .collect();
    let module = wgc_ir::merge::rename_functions(module, &renamed);
    for (name, new) in renamed {
        if let Some(declaration) = sources.declarations.functions.remove(&name) {
            sources.declarations.functions.insert(new, declaration);
        }
    }
    (module, sources)
}

/// Returns the modules of all kernels, by name, after they have passed the verifier. `options.sources` has no effect.
///
/// # Errors
/// The library lacks a kernel, or one cannot be emitted or is invalid, which is a bug in wgc.
pub fn kernels(
    library: &Module,
    sources: &Arc<SourceMap>,
    options: &EmitOptions,
) -> Result<Vec<(&'static str, SpirvModule)>, String> {
    let options = EmitOptions { sources: Some(sources.clone()), ..options.clone() };
    let shaders = emulated::library_kernels(library).map_err(|error| error.to_string())?;
    let mut modules = Vec::with_capacity(shaders.len());
    for (name, shader) in shaders.iter().filter_map(|shader| Some((shader.kernel?, shader))) {
        let module = shader.emit(&options).map_err(|error| error.to_string())?;
        verified(&module.words).map_err(|what| format!("wgc created an invalid module ({}): {what}", shader.file))?;
        modules.push((name, module));
    }
    Ok(modules)
}

/// Passes words through the verifier, like every module that wgc writes.
fn verified(words: &[u32]) -> Result<(), String> {
    let module = wgc_spirv_module::Module::load(words).map_err(|error| error.to_string())?;
    let violations = wgc_spirv_module::verify(&module);
    violations.iter().find(|violation| violation.is_error()).map_or(Ok(()), |violation| Err(violation.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Back ends rely on the verifier's guarantees, and no compilation verifies the library again.
    #[test]
    fn the_device_library_is_valid_and_deterministic() {
        for debug in [false, true] {
            let (module, sources) = compile(debug).expect("it compiles");
            wgc_ir::verify(&module).expect("it is valid");
            assert_eq!(sources.declarations.is_empty(), !debug);
            let again = compile(debug).expect("it compiles");
            assert!(again == (module, sources), "another one each time");
        }
    }

    #[test]
    fn every_entry_point_is_a_kernel() {
        let (module, sources) = compile(false).expect("it compiles");
        let kernels = kernels(&module, &Arc::new(sources), &EmitOptions::default()).expect("all are emitted");
        let mut names: Vec<&str> = kernels.iter().map(|(name, _)| *name).collect();
        let mut entries: Vec<&str> = module.entries.iter().map(|entry| entry.name.as_str()).collect();
        names.sort_unstable();
        entries.sort_unstable();
        assert_eq!(names, entries);
    }

    #[test]
    fn errors_have_a_file_and_a_line() {
        struct Broken;
        impl FileLoader for Broken {
            fn load(&self, path: &str) -> Option<Vec<u8>> {
                let mut text = Texts.load(path)?;
                if path.ends_with("/sums.hlsl") {
                    text.splice(0..0, *b"\nuint wgc_wrong() { return missing; }\n");
                }
                Some(text)
            }
        }
        let error = compile_with(Box::new(Broken), false).expect_err("it does not compile");
        assert!(error.contains("\nwgc:emulated/sums.hlsl:2: WG"), "{error}");
        assert!(error.contains("missing"), "{error}");
    }
}
