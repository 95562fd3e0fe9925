//! The layers of the crate: each module uses its own layer and those below it (`docs/ARCHITECTURE.md`).

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The layers from bottom to top, each a folder of `src`.
const LAYERS: &[&str] =
    &["tables", "db", "types", "contracts", "check", "graph", "lower", "link", "flow", "report", "compiler"];

/// Lines of the largest cycle of modules that use each other.
const LARGEST_CIRCLE: usize = 10_000;

struct Module {
    /// `types/record`, or the layer alone for its `mod.rs`.
    name: String,
    lines: usize,
    /// Paths after `crate::`, each with its line.
    uses: Vec<(usize, Vec<String>)>,
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

/// Returns the modules of `src`, without comments and unit tests.
fn modules() -> Vec<Module> {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/src"));
    let mut all = Vec::new();
    files(root, &mut all);
    let mut modules: BTreeMap<String, Module> = BTreeMap::new();
    for file in all.iter().filter(|file| file.extension().is_some_and(|e| e == "rs") && !file.ends_with("src/lib.rs")) {
        let path = file.strip_prefix(root).expect("a path below").with_extension("");
        let names: Vec<String> = path.iter().map(|part| part.to_string_lossy().into_owned()).collect();
        let name = match names.as_slice() {
            [layer] => layer.clone(),
            [layer, module] if module == "mod" => layer.clone(),
            [layer, ..] if layer == "check" || layer == "lower" => layer.clone(),
            [layer, module, ..] => format!("{layer}/{module}"),
            [] => continue,
        };
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

fn rank(layer: &str) -> Option<usize> {
    LAYERS.iter().position(|known| *known == layer)
}

#[test]
fn no_module_uses_a_layer_above_its_own() {
    let mut wrong = Vec::new();
    for module in modules() {
        let own = module.name.split('/').next().unwrap_or_default();
        let Some(own) = rank(own) else {
            wrong.push(format!("{} is in no layer", module.name));
            continue;
        };
        for (line, path) in &module.uses {
            if path.first().and_then(|layer| rank(layer)).is_some_and(|used| used > own) {
                wrong.push(format!("{} uses crate::{} near line {line}", module.name, path.join("::")));
            }
        }
    }
    assert!(wrong.is_empty(), "arrows that go up:\n{}", wrong.join("\n"));
}

/// Returns the modules that a module reaches, including itself if it is in a cycle.
fn reached<'a>(of: &'a str, arrows: &'a BTreeMap<String, Vec<String>>) -> Vec<&'a str> {
    let mut found: Vec<&str> = Vec::new();
    let mut open = vec![of];
    while let Some(next) = open.pop() {
        for used in arrows.get(next).into_iter().flatten() {
            if !found.contains(&used.as_str()) {
                found.push(used);
                open.push(used);
            }
        }
    }
    found
}

#[test]
fn circles_of_modules_stay_small() {
    let modules = modules();
    let lines: BTreeMap<&str, usize> = modules.iter().map(|module| (module.name.as_str(), module.lines)).collect();
    let arrows: BTreeMap<String, Vec<String>> = modules
        .iter()
        .map(|module| {
            let used = module.uses.iter().filter_map(|(_, path)| {
                let inner = path.get(1).map(|name| format!("{}/{name}", path[0]));
                let name = inner.filter(|name| lines.contains_key(name.as_str())).or_else(|| path.first().cloned())?;
                (lines.contains_key(name.as_str()) && name != module.name).then_some(name)
            });
            (module.name.clone(), used.collect())
        })
        .collect();
    let reach: BTreeMap<&str, Vec<&str>> =
        modules.iter().map(|module| (module.name.as_str(), reached(&module.name, &arrows))).collect();
    let circle = |name: &str| -> usize {
        let together = reach[name].iter().filter(|other| **other != name && reach[*other].contains(&name));
        lines[name] + together.map(|other| lines[other]).sum::<usize>()
    };
    let largest = modules.iter().map(|module| (circle(&module.name), module.name.as_str())).max();
    let (size, of) = largest.expect("modules");
    assert!(size > 1_000, "no circle is found: {of} with {size} lines");
    assert!(size <= LARGEST_CIRCLE, "the circle of {of} has {size} lines, more than {LARGEST_CIRCLE}");
}
