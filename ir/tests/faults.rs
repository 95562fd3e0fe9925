//! The table of faults for `tools/plant-faults --table ir`. This test plants none, and the tool does not run it.

#[path = "../../tests/support/faults.rs"]
mod faults_table;

use std::path::{Path, PathBuf};

/// Minimum number of planted faults.
const LEAST: usize = 160;

/// Files of the optimiser, and the minimum number of faults in each.
const FILES: &[&str] = &[
    "passes/ssa.rs",
    "passes/ssa/locals.rs",
    "passes/sroa.rs",
    "passes/demote.rs",
    "passes/dead.rs",
    "passes/fold.rs",
    "passes/fold/algebra.rs",
    "passes/fold/composites.rs",
    "passes/fold/constants.rs",
    "passes/fold/conversions.rs",
    "passes/fold/floats.rs",
    "passes/gvn.rs",
    "passes/forward.rs",
    "passes/forward/memory.rs",
    "passes/loops.rs",
    "passes/loops/count.rs",
    "passes/copy.rs",
    "passes/nest.rs",
    "passes/ifs.rs",
    "passes/pack.rs",
    "passes/contract.rs",
    "passes/narrow.rs",
    "passes/read_in_place.rs",
    "passes/hoist.rs",
    "passes/scale.rs",
    "passes/localise.rs",
    "passes/promote.rs",
    "passes/const_eval.rs",
    "passes/inline.rs",
    "passes/overwritten.rs",
    "passes/chains.rs",
    "passes/call_constants.rs",
    "verify/merges.rs",
    "known.rs",
];
const LEAST_OF_FILE: usize = 2;

/// Steps of the optimiser in a file of another name.
const ELSEWHERE: &[(&str, &str)] =
    &[("own_globals", "localise"), ("fold_table_loads", "const_eval"), ("fold_conditions", "const_eval")];

const KEYS: &[&str] = &["fault", "file", "find", "plant", "seen"];

/// Returns the path of the crate's file that should have a test, by the test's path.
fn file_of(test: &str) -> Option<PathBuf> {
    let (modules, _) = test.rsplit_once("::")?;
    let (binary, modules) = modules.split_once("::").unwrap_or((modules, ""));
    let path = match binary {
        "wgc_ir" => format!("src/{}.rs", modules.trim_end_matches("::tests").replace("::", "/")),
        _ if modules.is_empty() => format!("tests/{binary}.rs"),
        _ => format!("tests/{binary}/{}.rs", modules.replace("::", "/")),
    };
    Some(Path::new(env!("CARGO_MANIFEST_DIR")).join(path))
}

/// A test that was renamed says nothing about its fault any more.
#[test]
fn every_test_that_sees_a_fault_exists() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace");
    for fault in faults_table::checked(root, "ir/tests/faults.txt", KEYS) {
        let seen = &fault["seen"];
        let text = file_of(seen).and_then(|file| std::fs::read_to_string(file).ok()).unwrap_or_default();
        let name = seen.rsplit("::").next().unwrap_or_default();
        assert!(text.contains(&format!("fn {name}(")), "{}: there is no test `{seen}`", fault["fault"]);
    }
}

#[test]
fn every_fault_pattern_occurs_once_in_its_file() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace");
    let faults = faults_table::checked(root, "ir/tests/faults.txt", KEYS);
    assert!(faults.len() >= LEAST, "{} faults", faults.len());
    for file in FILES {
        let count = faults.iter().filter(|fault| fault["file"] == format!("ir/src/{file}")).count();
        assert!(count >= LEAST_OF_FILE, "{file}: {count} faults");
    }
}

#[test]
fn every_step_of_the_optimiser_has_faults() {
    for step in &wgc_ir::passes::STEPS {
        let file = ELSEWHERE.iter().find(|(name, _)| *name == step.name).map_or(step.name, |(_, file)| file);
        let path = format!("passes/{file}.rs");
        assert!(FILES.contains(&path.as_str()), "{}: `FILES` lacks {path}", step.name);
    }
}
