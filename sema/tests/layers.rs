//! The layers of the crate: each module uses its own layer and those below it (`docs/ARCHITECTURE.md`).

#[path = "../../tests/support/arrows.rs"]
mod arrows;

use arrows::{Module, upward};
use std::collections::BTreeMap;
use std::path::Path;

/// The layers from bottom to top, each a folder of `src`.
const LAYERS: &[&[&str]] = &[
    &["tables"],
    &["db"],
    &["types"],
    &["contracts"],
    &["check"],
    &["graph"],
    &["lower"],
    &["link"],
    &["flow"],
    &["report"],
    &["compiler"],
];

/// Lines of the largest cycle of modules that use each other.
const LARGEST_CIRCLE: usize = 10_000;

/// Returns the modules: `types/record`, or the layer alone for its `mod.rs`. `check` and `lower` are one module each.
fn modules() -> Vec<Module> {
    arrows::modules(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/src")), |names| match names {
        [root] if root == "lib" => None,
        [layer] => Some(layer.clone()),
        [layer, module] if module == "mod" => Some(layer.clone()),
        [layer, ..] if layer == "check" || layer == "lower" => Some(layer.clone()),
        [layer, module, ..] => Some(format!("{layer}/{module}")),
        [] => None,
    })
}

#[test]
fn no_module_uses_a_layer_above_its_own() {
    let wrong = upward(&modules(), LAYERS);
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
fn module_dependency_cycles_stay_small() {
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
