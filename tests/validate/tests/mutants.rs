//! Campaigns that need SPIRV-Tools: modules of mutated programs pass it, and it agrees with the verifier about mutated modules.
//!
//! `WGC_FUZZ_COUNT` and `WGC_FUZZ_SEED` try more mutants and others.

use wgc_fuzz::campaign::campaign;

#[test]
fn modules_of_mutated_programs_are_valid() {
    campaign("compile-native", 100, 20);
    campaign("compile-emulated", 60, 20);
    campaign("compile-compute", 100, 20);
}

#[test]
fn the_verifier_agrees_about_mutated_modules() {
    campaign("agree", 1_000, 50);
}
