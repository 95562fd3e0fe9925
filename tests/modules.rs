//! The modules of every program that the tests run: the same from one compilation to the next, and handed to
//! SPIRV-Tools (`tests/validate`) through the directory that `WGC_DUMP_SPV` names.

mod support;

use std::path::{Path, PathBuf};
use wgc_backend_spirv::emulated::EmulatedOptions;
use wgc_compiler::Session;
use wgc_sema::db::Options;

fn programs() -> Vec<PathBuf> {
    let files = ["examples", "tests/run", "tests/emulated"].iter().flat_map(|d| support::run_files(d));
    files.map(|f| PathBuf::from(f.to_string_lossy().replace(".run.json", ".hlsl"))).filter(|f| f.exists()).collect()
}

/// File names and words of everything a program becomes.
fn modules(path: &Path) -> Vec<(String, Vec<u32>)> {
    let session = Session::new(&[&path.to_string_lossy()], Options::default());
    let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let native = session.native().unwrap_or_else(|e| panic!("{stem}: {e:?}"));
    let package = session.emulated(&EmulatedOptions::default()).unwrap_or_else(|e| panic!("{stem}: {e:?}"));
    let mut all = vec![(format!("{stem}.amdx.spv"), native.words)];
    all.extend(package.modules.into_iter().map(|(name, words)| (format!("{stem}.{}", name.replace('/', ".")), words)));
    all.push((format!("{stem}.tables"), package.tables.iter().map(|b| u32::from(*b)).collect()));
    all
}

#[test]
fn modules_are_deterministic_and_dumped() {
    let programs = programs();
    assert!(programs.len() >= 9, "{programs:?}");
    for program in &programs {
        let first = modules(program);
        assert_eq!(first, modules(program), "{}", program.display());
        if let Some(dir) = std::env::var_os("WGC_DUMP_SPV") {
            for (name, words) in first.iter().filter(|m| m.0.ends_with(".spv")) {
                let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
                std::fs::write(Path::new(&dir).join(name), bytes).expect("the directory for modules can be written");
            }
        }
    }
}
