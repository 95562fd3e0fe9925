//! The device library of the emulated target and its kernels. The build has compiled them for the options that the
//! command uses without flags. For others, a process emits a kernel on first use, and compiles the library for debug
//! information.

use crate::internal_error::InternalError;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use wgc_backend_spirv::{EmitOptions, SpirvModule, disassemble};
use wgc_ir::{Module, SourceMap};

/// The library as IR. A test of `wgc-device-library` passes it through the verifier.
#[derive(Debug)]
pub struct DeviceLibrary {
    pub module: Module,
    /// The source map of its positions.
    pub sources: Arc<SourceMap>,
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

/// A verified module of a package.
#[derive(Clone, Debug)]
pub enum PackageModule {
    Emitted(Arc<SpirvModule>),
    /// The words of a kernel from the build.
    Prebuilt(Vec<u32>),
}

impl PackageModule {
    pub fn into_words(self) -> Vec<u32> {
        match self {
            PackageModule::Emitted(module) => module.words.clone(),
            PackageModule::Prebuilt(words) => words,
        }
    }

    /// Returns the module as text.
    ///
    /// # Errors
    /// The words from the build are no module, which is a bug in wgc.
    pub fn disassemble(&self) -> Result<String, InternalError> {
        match self {
            PackageModule::Emitted(module) => Ok(module.disassemble()),
            PackageModule::Prebuilt(words) => {
                disassemble(words).ok_or_else(|| InternalError("a prebuilt kernel is no module".to_owned()))
            }
        }
    }
}

impl DeviceLibrary {
    fn new((module, sources): (Module, SourceMap)) -> DeviceLibrary {
        DeviceLibrary { module, sources: Arc::new(sources), kernels: Mutex::default() }
    }

    /// Returns the module of a kernel: of the build, the cached one, or the result of `emit` with only the library's
    /// source map.
    ///
    /// # Errors
    /// Those of `emit`.
    pub fn kernel<E>(
        &self,
        name: &'static str,
        options: &EmitOptions,
        emit: impl FnOnce(&EmitOptions) -> Result<SpirvModule, E>,
    ) -> Result<PackageModule, E> {
        if let Some(words) = wgc_prebuilt::kernel(name, options) {
            return Ok(PackageModule::Prebuilt(words));
        }
        let options = EmitOptions { sources: None, ..options.clone() };
        let kept = || self.kernels.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(kernel) = kept().iter().find(|kernel| kernel.name == name && kernel.options == options) {
            return Ok(PackageModule::Emitted(kernel.module.clone()));
        }
        let with_sources = EmitOptions { sources: Some(self.sources.clone()), ..options.clone() };
        let module = Arc::new(emit(&with_sources)?);
        let mut kept = kept();
        if kept.len() == KEPT {
            kept.remove(0);
        }
        kept.push(Kernel { name, options, module: module.clone() });
        Ok(PackageModule::Emitted(module))
    }
}

/// Returns the library. With `debug`, it includes declarations for debuggers.
///
/// # Errors
/// The library does not compile, which is a bug in wgc.
pub fn device_library(debug: bool) -> Result<&'static DeviceLibrary, InternalError> {
    static LIBRARIES: [OnceLock<Result<DeviceLibrary, String>>; 2] = [const { OnceLock::new() }; 2];
    let library = LIBRARIES[usize::from(debug)].get_or_init(|| {
        let prebuilt = if debug { None } else { wgc_prebuilt::library() };
        prebuilt.map_or_else(|| wgc_device_library::compile(debug), Ok).map(DeviceLibrary::new)
    });
    library.as_ref().map_err(|what| InternalError(what.clone()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::parse::{Request, parse};
    use crate::described::emit_options;

    /// Returns the options that the command uses for kernels.
    fn options_of(flags: &[&str]) -> EmitOptions {
        let args: Vec<String> = ["in.hlsl"].iter().chain(flags).map(|arg| (*arg).to_owned()).collect();
        let Ok(Request::Run(invocation)) = parse(&args) else { panic!("{flags:?}: no compilation") };
        let emit = emit_options(&invocation).expect("valid options");
        crate::Session::new(&["in.hlsl"], wgc_sema::db::Options::default()).emitting(emit).emulated_options().emit
    }

    #[test]
    fn prebuilt_library_and_kernels_equal_those_of_the_texts() {
        let (module, sources) = wgc_device_library::compile(false).expect("it compiles");
        assert!(wgc_prebuilt::library() == Some((module.clone(), sources.clone())), "another library");
        let sources = Arc::new(sources);
        for flags in [&["-O1"][..], &["-O2"], &[]] {
            let options = options_of(flags);
            let kernels = wgc_device_library::kernels(&module, &sources, &options).expect("all are emitted");
            assert!(kernels.len() > 8, "{}", kernels.len());
            for (name, kernel) in kernels {
                let prebuilt =
                    wgc_prebuilt::kernel(name, &options).unwrap_or_else(|| panic!("no {name} for {flags:?}"));
                assert!(kernel.warnings.is_empty(), "{name} has warnings");
                assert!(prebuilt == kernel.words, "{name} for {flags:?} is another module");
                assert!(disassemble(&prebuilt) == Some(kernel.disassemble()), "{name} for {flags:?} has another text");
            }
        }
    }

    #[test]
    fn kernels_for_flags_are_not_prebuilt() {
        for flags in [&["-O0"][..], &["-O3"], &["-Zi"], &["-Qstrip_debug"], &["-T", "lib_6_9"], &["-fspv-debug=tool"]] {
            assert_eq!(wgc_prebuilt::kernel("wgc_prep", &options_of(flags)), None, "{flags:?}");
        }
        let own = EmitOptions { sources: Some(Arc::default()), command_line: "other".into(), ..options_of(&[]) };
        assert!(wgc_prebuilt::kernel("wgc_prep", &own).is_some(), "sources and command line have no effect");
        assert_eq!(wgc_prebuilt::kernel("wgc_none", &own), None);
    }

    #[test]
    fn kernels_are_cached_by_their_emit_options() {
        let library = DeviceLibrary::new(wgc_prebuilt::library().expect("it is decoded"));
        let emitted = std::cell::Cell::new(0);
        let ask = |name, options: &EmitOptions| {
            let module = library.kernel(name, options, |options| {
                emitted.set(emitted.get() + 1);
                assert!(options.sources.is_some(), "no positions");
                wgc_backend_spirv::emit_compute(&library.module, options)
            });
            match module.expect("it is emitted") {
                PackageModule::Emitted(module) => module,
                PackageModule::Prebuilt(_) => panic!("{name} is of the build"),
            }
        };
        let plain = EmitOptions::default();
        let first = ask("prep", &plain);
        // The sources in the options belong to the program, not to the kernel.
        let of_a_program = EmitOptions { sources: Some(Arc::default()), ..plain.clone() };
        assert!(Arc::ptr_eq(&first, &ask("prep", &of_a_program)));
        assert_eq!(emitted.get(), 1);
        let newer = EmitOptions { hlsl_version: Some(690), ..plain.clone() };
        assert_ne!(first.words, ask("prep", &newer).words);
        ask("inject", &plain);
        assert_eq!(emitted.get(), 3);
        for version in 0..KEPT as u32 {
            ask("prep", &EmitOptions { hlsl_version: Some(version), ..plain.clone() });
        }
        assert_eq!(library.kernels.lock().map(|kept| kept.len()).ok(), Some(KEPT));
    }
}
