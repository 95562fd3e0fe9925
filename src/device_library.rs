//! Helpers and kernels of the emulated target (`stdlib/emulated`): the same for every program, so a process compiles
//! them once, when the first program asks.

use crate::internal_error::InternalError;
use crate::loader::{BUILT_IN, Disk};
use crate::report::{Format, to_string};
use std::sync::OnceLock;
use wgc_ir::{Module, SourceMap};
use wgc_sema::db::{Compiler, Db, Options};
use wgc_sema::link::link;
use wgc_sema::source_map::{debug_map, source_map};

/// The library as IR, which is right: a test passes it through the verifier.
#[derive(Debug)]
pub struct DeviceLibrary {
    pub module: Module,
    /// What its positions mean.
    pub sources: SourceMap,
}

/// The library; `debug`: with its declarations, for debuggers.
///
/// # Errors
/// When it does not compile, which is a bug in wgc.
pub fn device_library(debug: bool) -> Result<&'static DeviceLibrary, InternalError> {
    static COMPILED: [OnceLock<Result<DeviceLibrary, String>>; 2] = [const { OnceLock::new() }; 2];
    COMPILED[usize::from(debug)].get_or_init(|| compile(debug)).as_ref().map_err(|what| InternalError(what.clone()))
}

fn compile(debug: bool) -> Result<DeviceLibrary, String> {
    let mut db = Compiler::new(Box::new(Disk));
    let roots: Vec<String> = wgc_stdlib::EMULATED_ROOTS.iter().map(|name| format!("{BUILT_IN}{name}")).collect();
    let roots: Vec<&str> = roots.iter().map(String::as_str).collect();
    let program = db.add_program(&roots, Options { internal: true, library: true, ..Options::default() });
    // All its functions are part of the module: where there is one, nothing is wrong.
    if let Some(module) = &link(&db, program).module {
        let sources = if debug { debug_map(&db, program) } else { source_map(&db, program) };
        return Ok(DeviceLibrary { module: module.clone(), sources });
    }
    let diagnostics = wgc_sema::diagnostics::diagnostics(&db, program);
    let text = to_string(diagnostics, Format::Human, &|path| db.file(path).text(&db));
    Err(format!("the device library does not compile\n\n{text}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Back ends rely on what the verifier promises, and no compile asks it about the library again.
    #[test]
    fn it_is_valid() {
        for debug in [false, true] {
            let library = device_library(debug).expect("it compiles");
            wgc_ir::verify(&library.module).expect("it is valid");
            assert_eq!(library.sources.declarations.functions.is_empty(), !debug);
            let again = compile(debug).expect("it compiles");
            assert!(again.module == library.module && again.sources == library.sources, "another one each time");
        }
    }
}
