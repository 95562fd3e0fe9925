//! The table of faults for `tools/plant-faults`. This test plants none.

use crate::faults_table::checked;
use crate::support;

/// Minimum number of planted faults.
const LEAST: usize = 20;

#[test]
fn every_fault_pattern_occurs_once_in_its_file() {
    let keys = ["fault", "file", "find", "plant", "seed", "seen"];
    let faults = checked(support::root(), "tests/graphgen/faults.txt", &keys);
    assert!(faults.len() >= LEAST, "{} faults", faults.len());
    for fault in &faults {
        assert!(fault["seed"].parse::<u64>().is_ok(), "{}: seed {}", fault["fault"], fault["seed"]);
    }
}
