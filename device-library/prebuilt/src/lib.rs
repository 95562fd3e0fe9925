//! The device library of the emulated target, as the build script compiled it, and its kernels for the options that the
//! command `wgc` uses without flags. For all others, `wgc-device-library` compiles them.

#![forbid(unsafe_code)]

mod options;

use options::options;
use wgc_backend_spirv::EmitOptions;
use wgc_ir::passes::OptLevel;
use wgc_ir::{Module, SourceMap};

/// The encoded library.
const LIBRARY: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/library"));

/// A kernel's name, its optimisation level, and its words in little-endian order.
type Kernel = (&'static str, OptLevel, &'static [u8]);

/// The kernels, which have passed the verifier.
const KERNELS: &[Kernel] = include!(concat!(env!("OUT_DIR"), "/kernels.rs"));

/// Decodes the library and the source map of its positions, which has no declarations for debuggers. They equal the
/// result of `wgc_device_library::compile(false)`.
///
/// The result is never `None`, because the build script has decoded the same bytes.
pub fn library() -> Option<(Module, SourceMap)> {
    wgc_ir::decode(LIBRARY)
}

/// Returns the words of a kernel, if it was compiled with these options. The sources in them have no effect. The command
/// line has none either, unless it would be part of the module.
pub fn kernel(name: &str, options: &EmitOptions) -> Option<Vec<u32>> {
    let level = options.level;
    if !fits(options) {
        return None;
    }
    let (.., bytes) = KERNELS.iter().find(|(kernel, of, _)| *kernel == name && *of == level)?;
    Some(bytes.as_chunks().0.iter().map(|word| u32::from_le_bytes(*word)).collect())
}

fn fits(given: &EmitOptions) -> bool {
    let mut expected = options(given.level);
    if !given.debug.has_command_line() {
        expected.command_line.clone_from(&given.command_line);
    }
    expected.sources.clone_from(&given.sources);
    expected == *given
}
