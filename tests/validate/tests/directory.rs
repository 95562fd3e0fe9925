//! Validates every `.spv` file under the directory that `WGC_VALIDATE_DIR` names. Without the variable, or without a
//! file, the test fails: a run that checked nothing must not look like one that found nothing.

use std::path::{Path, PathBuf};
use wgc_validate::{validate_for_its_target, words_of};

#[test]
fn every_module_in_the_directory_is_valid() {
    let dir = std::env::var_os("WGC_VALIDATE_DIR").expect("WGC_VALIDATE_DIR names no directory of modules");
    let mut files = Vec::new();
    collect(Path::new(&dir), &mut files);
    files.sort();
    assert!(!files.is_empty(), "no .spv file under {}", Path::new(&dir).display());
    let failures: Vec<String> = files
        .iter()
        .filter_map(|file| {
            let bytes = std::fs::read(file).expect("a listed file can be read");
            let result = words_of(&bytes).and_then(|words| validate_for_its_target(&words));
            result.err().map(|message| format!("{}: {message}", file.display()))
        })
        .collect();
    assert!(failures.is_empty(), "{} of {} modules:\n{}", failures.len(), files.len(), failures.join("\n"));
}

fn collect(dir: &Path, files: &mut Vec<PathBuf>) {
    let entries = std::fs::read_dir(dir).expect("the directory can be listed");
    for entry in entries {
        let path = entry.expect("a directory entry").path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|e| e == "spv") {
            files.push(path);
        }
    }
}
