//! The order of the modules of crates without folders for layers: arrows go one way (`docs/ARCHITECTURE.md`). The layers
//! of `sema` are in `sema/tests/layers.rs`.

#[path = "support/arrows.rs"]
mod arrows;

use arrows::{modules, upward};
use std::path::Path;

/// Folders of sources, each with its layers from bottom to top. The modules of one layer may use each other.
const CRATES: &[(&str, &[&[&str]])] = &[
    (
        "runtime/src",
        &[
            &["format", "mesh", "numbers", "scene"],
            &["record_json"],
            &["descriptor", "device"],
            &["emulated", "image_io"],
            &["cpu"],
            &["vulkan"],
            &["run_file"],
            &["devices", "executors", "module_interface"],
        ],
    ),
    (
        "backend-spirv/src",
        &[
            &["environment", "features", "file_names", "interface", "read_grids", "resolve"],
            &["emulated"],
            &["pipeline"],
            // The emitter and its parts: instructions, types, places and functions need each other.
            &[
                "builder",
                "debug",
                "debug_info",
                "emitter",
                "function",
                "globals",
                "matrix",
                "node_context",
                "place",
                "types",
            ],
            &["constants", "mesh", "text"],
            &["amdx", "compute"],
        ],
    ),
    (
        "src",
        &[
            &[
                "c_header",
                "internal_error",
                "output",
                "preprocessed",
                "reflection",
                "registry",
                "report",
                "root_signatures",
                "verified",
            ],
            &["loader", "picture"],
            &["device_library"],
            &["cli", "project"],
            &["described", "option_effects"],
            &["lsp"],
            &["commands"],
        ],
    ),
];

#[test]
fn modules_use_only_their_own_layer_and_lower_ones() {
    for (folder, layers) in CRATES {
        let modules = modules(&Path::new(env!("CARGO_MANIFEST_DIR")).join(folder), |names| match names {
            [root] if root == "lib" || root == "main" => None,
            // Unit tests may use all of the crate.
            names if names.iter().any(|name| name == "tests") => None,
            [module, ..] => Some(module.clone()),
            [] => None,
        });
        assert!(modules.iter().map(|module| module.uses.len()).sum::<usize>() > 20, "{folder}: no uses are found");
        let wrong = upward(&modules, layers);
        assert!(wrong.is_empty(), "{folder}, arrows that go up:\n{}", wrong.join("\n"));
    }
}
