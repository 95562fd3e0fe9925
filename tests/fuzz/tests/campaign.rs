//! The bodies of all fuzz targets over mutants of their seeds: fixed seeds, and a number of mutants that suits the
//! tests.
//!
//! `WGC_FUZZ_COUNT=100000` tries that many mutants of each target, and `WGC_FUZZ_SEED=7` other ones. A finding is
//! reduced and written to a file, which the message names.

use wgc_fuzz::campaign::{campaign, declarations};
use wgc_fuzz::{find, seeds, with_stack};

/// Mutants of invalid seeds are invalid.
#[test]
fn most_compiler_fuzz_seeds_are_valid() {
    for name in ["compile-native", "compile-emulated", "compile-compute"] {
        let target = find(name).expect("there is such a target");
        let inputs = seeds::seeds(target);
        let sample: Vec<_> = inputs.iter().step_by(10).collect();
        let right = with_stack(|| sample.iter().filter(|(_, input)| (target.body)(input) == Ok(true)).count());
        assert!(right * 2 > sample.len(), "{name}: {right} of {} seeds are right", sample.len());
    }
}

#[test]
fn preprocess() {
    campaign("preprocess", 1_000, 300);
}

#[test]
fn parse() {
    campaign("parse", 1_000, 100);
}

#[test]
fn format() {
    campaign("format", 300, 900);
}

#[test]
fn check_of_declarations() {
    declarations("check", 1_500);
}

#[test]
fn check() {
    campaign("check", 400, 20);
}

#[test]
fn compile_native() {
    campaign("compile-native", 300, 20);
}

#[test]
fn compile_emulated() {
    campaign("compile-emulated", 120, 20);
}

#[test]
fn compile_compute() {
    campaign("compile-compute", 150, 20);
}

#[test]
fn edits() {
    campaign("edits", 100, 50);
}

#[test]
fn lsp() {
    campaign("lsp", 60, 900);
}

#[test]
fn settings() {
    campaign("settings", 300, 50);
}

#[test]
fn package() {
    campaign("package", 200, 10);
}

#[test]
fn spirv() {
    campaign("spirv", 1_000, 50);
}
