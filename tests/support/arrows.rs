//! The modules of a crate and their uses of each other, read from the sources.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// A module, or several under one name.
pub struct Module {
    /// The name that the caller gives to the file.
    pub name: String,
    pub lines: usize,
    /// Paths after `crate::`, each with its line.
    pub uses: Vec<(usize, Vec<String>)>,
}

fn files(folder: &Path, out: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> =
        fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()).collect();
    entries.sort();
    for entry in entries {
        match entry.is_dir() {
            true => files(&entry, out),
            false => out.push(entry),
        }
    }
}

/// Returns the names at the start of a path: `types::record::Field` gives `types`, `record`, `Field`. A group gives one
/// path for each of its names.
fn paths(after: &str) -> Vec<Vec<String>> {
    let end = after.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == ':')).unwrap_or(after.len());
    let head: Vec<String> = after[..end].split("::").filter(|name| !name.is_empty()).map(str::to_owned).collect();
    match after[end..].strip_prefix('{').and_then(|rest| rest.split_once('}')) {
        Some((group, _)) => group
            .split(',')
            .map(|name| head.iter().cloned().chain([name.trim().split("::").next().unwrap_or("").to_owned()]).collect())
            .collect(),
        None => vec![head],
    }
}

/// Returns the modules below a folder of sources, without comments and unit tests. `name` gives the module of a path
/// without extension; files without one are left out.
pub fn modules(root: &Path, name: impl Fn(&[String]) -> Option<String>) -> Vec<Module> {
    let mut all = Vec::new();
    files(root, &mut all);
    let mut modules: BTreeMap<String, Module> = BTreeMap::new();
    for file in all.iter().filter(|file| file.extension().is_some_and(|e| e == "rs")) {
        let path = file.strip_prefix(root).expect("a path below").with_extension("");
        let names: Vec<String> = path.iter().map(|part| part.to_string_lossy().into_owned()).collect();
        let Some(name) = name(&names) else { continue };
        let text = fs::read_to_string(file).expect("a text");
        let code = text.split("#[cfg(test)]\nmod ").next().unwrap_or_default();
        let code: String =
            code.lines().map(|line| line.split("//").next().unwrap_or_default().to_owned() + "\n").collect();
        let module = modules.entry(name.clone()).or_insert_with(|| Module { name, lines: 0, uses: Vec::new() });
        module.lines += text.lines().count();
        for (at, _) in code.match_indices("crate::") {
            let line = code[..at].matches('\n').count() + 1;
            module.uses.extend(paths(&code[at + "crate::".len()..]).into_iter().map(|path| (line, path)));
        }
    }
    modules.into_values().collect()
}

/// Returns a message for each use of a higher layer or of a function of `lib.rs`, and for each module in no layer. `layers` are from bottom to top;
/// modules of one layer may use each other. A module is in the layer that has the first part of its name.
pub fn upward(modules: &[Module], layers: &[&[&str]]) -> Vec<String> {
    let rank = |name: &str| layers.iter().position(|layer| layer.contains(&name));
    let mut wrong = Vec::new();
    for module in modules {
        let Some(own) = rank(module.name.split('/').next().unwrap_or_default()) else {
            wrong.push(format!("{} is in no layer", module.name));
            continue;
        };
        for (line, path) in &module.uses {
            // Functions of `lib.rs` are in the highest layer. Its types are definitions, which all may use.
            let is_function =
                |name: &String| path.len() == 1 && name.starts_with(char::is_lowercase) && rank(name).is_none();
            if own + 1 < layers.len() && path.first().is_some_and(is_function) {
                wrong.push(format!("{} uses the function crate::{} near line {line}", module.name, path.join("::")));
            }
            if path.first().and_then(|name| rank(name)).is_some_and(|used| used > own) {
                wrong.push(format!("{} uses crate::{} near line {line}", module.name, path.join("::")));
            }
        }
    }
    wrong
}
