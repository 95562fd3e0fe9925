//! The native target's SPIR-V text for each construct: `tests/native/*.hlsl`, each with its module next to it.
//!
//! The modules pass this project's verifier before they are written, and SPIRV-Tools checks them through
//! `WGC_DUMP_SPV`.

use std::path::Path;
use wgc_backend_spirv::{DebugInfo, EmitOptions};
use wgc_compiler::Session;
use wgc_ir::passes::OptLevel;
use wgc_sema::db::Options;

fn check(path: &Path) -> datatest_stable::Result<()> {
    let name = path.to_string_lossy().replace('\\', "/");
    let debug = DebugInfo { names: true, ..DebugInfo::NONE };
    let emit = EmitOptions { debug, level: OptLevel::O0, ..EmitOptions::default() };
    let session = Session::new(&[&name], Options::default()).emitting(emit);
    let module = session.native().map_err(|e| format!("{name}: {e:?}"))?;
    let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    if let Some(dir) = std::env::var_os("WGC_DUMP_SPV") {
        std::fs::write(Path::new(&dir).join(format!("native.{stem}.spv")), module.bytes())?;
    }
    let mut text: String = module.warnings.iter().map(|w| format!("; warning: {}\n", w.message)).collect();
    text.push_str(&module.disassemble());
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/native"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(stem, text));
    Ok(())
}

datatest_stable::harness! {
    { test = check, root = "tests/native", pattern = r"\.hlsl$" },
}
