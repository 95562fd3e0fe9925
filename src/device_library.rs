//! The device library: helpers and kernels of the emulated target (`stdlib/emulated`). It is the same for every
//! program, so a process compiles it once, on first use. The back end merges it into the nodes.

use crate::internal_error::InternalError;
use crate::loader::{BUILT_IN, Disk};
use crate::report::{Format, to_string};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use wgc_backend_spirv::{EmitOptions, SpirvModule};
use wgc_ir::{Module, SourceMap, Symbol};
use wgc_sema::Compiler;
use wgc_sema::db::{Db, Options};
use wgc_sema::link::link;
use wgc_sema::link::source_map::{debug_map, source_map};

/// The library as IR. A test passes it through the verifier.
#[derive(Debug)]
pub struct DeviceLibrary {
    pub module: Module,
    /// The source map of its positions.
    pub sources: SourceMap,
    /// Emitted and verified kernels, the newest last.
    kernels: Mutex<Vec<Kernel>>,
}

/// The limit of cached kernels. A package has four to seven, each emitted with the same options.
const KEPT: usize = 12;

#[derive(Debug)]
struct Kernel {
    name: &'static str,
    /// The emit options without sources, which are always the library's.
    options: EmitOptions,
    module: Arc<SpirvModule>,
}

impl DeviceLibrary {
    /// Returns the module of a kernel: the cached one, or the result of `emit` with only the library's source map.
    ///
    /// # Errors
    /// Those of `emit`.
    pub fn kernel<E>(
        &self,
        name: &'static str,
        options: &EmitOptions,
        emit: impl FnOnce(&EmitOptions) -> Result<SpirvModule, E>,
    ) -> Result<Arc<SpirvModule>, E> {
        let options = EmitOptions { sources: None, ..options.clone() };
        let kept = || self.kernels.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(kernel) = kept().iter().find(|kernel| kernel.name == name && kernel.options == options) {
            return Ok(kernel.module.clone());
        }
        let with_sources = EmitOptions { sources: Some(Arc::new(self.sources.clone())), ..options.clone() };
        let module = Arc::new(emit(&with_sources)?);
        let mut kept = kept();
        if kept.len() == KEPT {
            kept.remove(0);
        }
        kept.push(Kernel { name, options, module: module.clone() });
        Ok(module)
    }
}

/// Returns the library. With `debug`, it includes declarations for debuggers.
///
/// # Errors
/// The library does not compile, which is a bug in wgc.
pub fn device_library(debug: bool) -> Result<&'static DeviceLibrary, InternalError> {
    static COMPILED: [OnceLock<Result<DeviceLibrary, String>>; 2] = [const { OnceLock::new() }; 2];
    COMPILED[usize::from(debug)].get_or_init(|| compile(debug)).as_ref().map_err(|what| InternalError(what.clone()))
}

fn compile(debug: bool) -> Result<DeviceLibrary, String> {
    let mut db = Compiler::new(Box::new(Disk));
    let roots: Vec<String> = wgc_stdlib::EMULATED_ROOTS.iter().map(|name| format!("{BUILT_IN}{name}")).collect();
    let roots: Vec<&str> = roots.iter().map(String::as_str).collect();
    let program = db.add_program(&roots, Options { internal: true, library: true, ..Options::default() });
    // All its functions are in the module, so a module exists only if there are no errors.
    if let Some(module) = &link(&db, program).module {
        let sources = if debug { debug_map(&db, program) } else { source_map(&db, program) };
        return Ok(own_names(module.clone(), sources));
    }
    let diagnostics = wgc_sema::report::diagnostics::diagnostics(&db, program);
    let text = to_string(diagnostics, Format::Human, &|path| db.file(path).text(&db));
    Err(format!("the device library does not compile\n\n{text}"))
}

/// The prefix of the library's own functions.
const OWN: &str = "wgc_";

/// Renames intrinsics that are functions of the prelude. The library and a program may both contain one, or the program
/// may define another function of that name. So the library's get names that no source can use.
fn own_names(module: Module, mut sources: SourceMap) -> DeviceLibrary {
    let renamed = (module.functions.keys().filter(|name| !name.starts_with(OWN)))
        .map(|name| (name.clone(), Symbol::from(format!("wgc.{name}"))))
        .collect();
    let module = wgc_ir::merge::rename_functions(module, &renamed);
    for (name, new) in renamed {
        if let Some(declaration) = sources.declarations.functions.remove(&name) {
            sources.declarations.functions.insert(new, declaration);
        }
    }
    DeviceLibrary { module, sources, kernels: Mutex::default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Back ends rely on the verifier's guarantees, and no compilation verifies the library again.
    #[test]
    fn the_device_library_is_valid_and_deterministic() {
        for debug in [false, true] {
            let library = device_library(debug).expect("it compiles");
            wgc_ir::verify(&library.module).expect("it is valid");
            assert_eq!(library.sources.declarations.functions.is_empty(), !debug);
            let again = compile(debug).expect("it compiles");
            assert!(again.module == library.module && again.sources == library.sources, "another one each time");
        }
    }
    #[test]
    fn kernels_are_cached_by_their_emit_options() {
        let library = compile(false).expect("it compiles");
        let emitted = std::cell::Cell::new(0);
        let ask = |name, options: &EmitOptions| {
            library.kernel(name, options, |options| {
                emitted.set(emitted.get() + 1);
                assert!(options.sources.is_some(), "no positions");
                wgc_backend_spirv::emit_compute(&library.module, options)
            })
        };
        let plain = EmitOptions::default();
        let first = ask("prep", &plain).expect("it is emitted");
        // The sources in the options belong to the program, not to the kernel.
        let of_a_program = EmitOptions { sources: Some(Arc::default()), ..plain.clone() };
        assert!(Arc::ptr_eq(&first, &ask("prep", &of_a_program).expect("it is kept")));
        assert_eq!(emitted.get(), 1);
        let newer = EmitOptions { hlsl_version: Some(690), ..plain.clone() };
        assert_ne!(first.words, ask("prep", &newer).expect("it is emitted").words);
        ask("inject", &plain).expect("it is emitted");
        assert_eq!(emitted.get(), 3);
        for version in 0..KEPT as u32 {
            let other = EmitOptions { hlsl_version: Some(version), ..plain.clone() };
            ask("prep", &other).expect("it is emitted");
        }
        assert_eq!(library.kernels.lock().map(|kept| kept.len()).ok(), Some(KEPT));
    }
}
