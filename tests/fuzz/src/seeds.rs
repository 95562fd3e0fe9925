//! Initial inputs: the repository's shaders, run files and modules, and the additional files of `corpus/`.

use crate::random::Random;
use crate::sessions::with_session;
use crate::targets::files::base;
use crate::{Form, Target, mutate};
use std::path::{Path, PathBuf};

/// Folders with shaders.
const SHADERS: &[&str] =
    &["examples", "tests/emulated", "tests/run", "tests/native", "tests/textures", "tests/refused", "tests/ui"];

/// Returns the root of the repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Returns files below a folder of the repository with one of these extensions, in order.
fn files(folder: &str, extensions: &[&str]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![root().join(folder)];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = std::fs::read_dir(&folder) else { continue };
        for path in entries.filter_map(|entry| Some(entry.ok()?.path())) {
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().and_then(|e| e.to_str()).is_some_and(|e| extensions.contains(&e)) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

fn named(paths: Vec<PathBuf>) -> Vec<(String, Vec<u8>)> {
    let name = |path: &Path| path.strip_prefix(root()).unwrap_or(path).display().to_string();
    paths.into_iter().filter_map(|path| Some((name(&path), std::fs::read(&path).ok()?))).collect()
}

/// Returns shaders, with or without those that are invalid on purpose.
fn shaders(wrong: bool) -> Vec<(String, Vec<u8>)> {
    let folders = SHADERS.iter().filter(|folder| wrong || **folder != "tests/ui");
    folders.flat_map(|folder| named(files(folder, &["hlsl"]))).collect()
}

/// Returns the repository's inputs for a target, by name, in order. None exceeds the target's size limit.
pub fn seeds(target: &Target) -> Vec<(String, Vec<u8>)> {
    let mut all =
        named(files(&format!("tests/fuzz/corpus/{}", target.name), &["hlsl", "json", "spv", "spvasm", "bin"]));
    match (target.form, target.name) {
        (Form::Source, "compile-compute") => {
            all.extend(
                shaders(true).into_iter().filter(|(_, text)| with_session(text, |session, _| session.is_compute())),
            );
        }
        (Form::Source, name) => {
            // Invalid programs do not reach the passes after the checks.
            all.extend(shaders(!name.starts_with("compile-")));
            if matches!(name, "preprocess" | "parse" | "format") {
                all.extend(named(files("frontend/tests/data", &["hlsl"])));
                all.extend(named(files("stdlib/prelude", &["hlsl"])));
            }
        }
        (Form::Edits, _) => {
            for (n, (name, text)) in shaders(true).into_iter().enumerate() {
                // Ensures that the seeds contain edits.
                let mut random = Random::new(n as u64);
                let edit = |text: &[u8], random: &mut Random| mutate::with_edit(text, text, random);
                let once = edit(&text, &mut random);
                all.push((name, edit(&edit(&once, &mut random), &mut random)));
            }
        }
        (Form::Json, "settings") => {
            let sectioned = |kind: &str, files: Vec<(String, Vec<u8>)>| {
                let kind = kind.to_owned();
                files.into_iter().map(move |(name, text)| (name, [format!("//@ {kind}\n").as_bytes(), &text].concat()))
            };
            all.extend(
                ["tests/run", "tests/emulated", "examples"]
                    .iter()
                    .flat_map(|f| sectioned("run", named(files(f, &["json"])))),
            );
            all.extend(sectioned("host", named(files("tests/ui/host", &["json"]))));
        }
        (Form::Json, _) => {}
        (Form::Package, _) => {
            if let (Ok(files), Ok(packed)) = (base().files(), base().packed()) {
                all.extend(files.into_iter().filter(|(name, _)| name == wgc_abi::package::MANIFEST));
                // All of it is too large, and a part is also useful: an archive that ends early.
                all.push(("packed".to_owned(), packed[..packed.len().min(target.most_bytes)].to_vec()));
            }
        }
        (Form::Spirv, _) => {
            all.extend(
                ["tests/amdx-graphs", "spirv-module/tests"].iter().flat_map(|f| named(files(f, &["spv", "spvasm"]))),
            );
            all.extend(shaders(false).into_iter().filter_map(|(name, text)| {
                let words = with_session(&text, |session, _| match session.is_compute() {
                    true => session.compute(),
                    false => session.native(),
                });
                Some((name, words.ok()?.bytes()))
            }));
        }
    }
    all.retain(|(_, bytes)| bytes.len() <= target.most_bytes);
    all
}
