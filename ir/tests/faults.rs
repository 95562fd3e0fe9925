//! The table of faults for `tools/plant-faults --table ir`. This test plants none, and the tool does not run it.

#[path = "../../tests/support/faults.rs"]
mod faults_table;

use std::path::Path;

/// Minimum number of planted faults.
const LEAST: usize = 40;

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
    "passes/inline.rs",
    "passes/chains.rs",
    "passes/call_constants.rs",
    "verify/merges.rs",
    "known.rs",
];
const LEAST_OF_FILE: usize = 2;

#[test]
fn every_fault_pattern_occurs_once_in_its_file() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace");
    let faults = faults_table::checked(root, "ir/tests/faults.txt", &["fault", "file", "find", "plant", "seen"]);
    assert!(faults.len() >= LEAST, "{} faults", faults.len());
    for file in FILES {
        let count = faults.iter().filter(|fault| fault["file"] == format!("ir/src/{file}")).count();
        assert!(count >= LEAST_OF_FILE, "{file}: {count} faults");
    }
}
