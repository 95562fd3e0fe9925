//! The options of the kernels, for the build script and for the crate.

use wgc_backend_spirv::EmitOptions;
use wgc_ir::passes::OptLevel;

/// The default shader model of the command `wgc`.
const HLSL_VERSION: u32 = 680;

/// Returns the options of the command `wgc` without flags.
pub(crate) fn options(level: OptLevel) -> EmitOptions {
    EmitOptions { hlsl_version: Some(HLSL_VERSION), level, ..EmitOptions::default() }
}
