//! Validates every `.spv` file under the directory that `WGC_VALIDATE_DIR` names. Without the variable, or without a
//! file, the test fails: a run that checked nothing must not look like one that found nothing.

use std::path::{Path, PathBuf};
use wgc_validate::{assemble, outline, validate_file, words_at};

#[test]
fn every_module_in_the_directory_is_valid() {
    check(validate_file);
}

/// A `.spvasm` file next to a module has the same instructions, except for ids.
#[test]
fn assembly_next_to_a_module_matches_it() {
    check(|file| {
        let text = file.with_extension("spvasm");
        if !text.exists() {
            return Ok(());
        }
        let text = std::fs::read_to_string(text).map_err(|e| e.to_string())?;
        let (binary, assembled) = (words_at(file)?, assemble(&text)?);
        let differs = outline(&binary).iter().zip(outline(&assembled)).position(|(a, b)| *a != b);
        match differs {
            Some(n) => Err(format!("instruction {n} differs in the text")),
            None if outline(&binary).len() != outline(&assembled).len() => Err("the text has another length".into()),
            None => Ok(()),
        }
    });
}

fn check(rule: impl Fn(&Path) -> Result<(), String>) {
    let dir = std::env::var_os("WGC_VALIDATE_DIR").expect("WGC_VALIDATE_DIR names no directory of modules");
    let mut files = Vec::new();
    collect(Path::new(&dir), &mut files);
    files.sort();
    assert!(!files.is_empty(), "no .spv file under {}", Path::new(&dir).display());
    let failures: Vec<String> = files
        .iter()
        .filter_map(|file| rule(file).err().map(|message| format!("{}: {message}", file.display())))
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
