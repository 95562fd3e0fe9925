//! Tests that emit every `tests/ir/*.ir` file and compare it with its snapshot.
//!
//! The first line is the target: `// compute` or `// amdx`, or `// error` for a file that must be rejected. The
//! snapshot is then the message. With `WGC_DUMP_SPV` set, the binaries are written to that directory, so that
//! SPIRV-Tools (`spirv-val-file`) can check them.

mod common;

use common::{Kind, emit_file, files};

#[test]
fn snapshots() {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("snapshots");
    settings.set_prepend_module_to_snapshot(false);
    let files = files();
    assert!(!files.is_empty(), "no test files");
    settings.bind(|| {
        for file in files {
            let name = file.file_stem().unwrap().to_string_lossy().into_owned();
            let text = match emit_file(&file) {
                (Kind::Error, Err(error)) => error.to_string(),
                (Kind::Error, Ok(_)) => panic!("{name} should be refused"),
                (_, Err(error)) => panic!("{name}: {error}"),
                (_, Ok(module)) => {
                    let warnings: String = module
                        .warnings
                        .iter()
                        .map(|w| format!("; warning in {}: {}\n", w.function.as_deref().unwrap_or("?"), w.message))
                        .collect();
                    format!("{warnings}{}", module.disassemble())
                }
            };
            insta::assert_snapshot!(name, text);
        }
    });
}
