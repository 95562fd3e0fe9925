//! Every intrinsic, executed on the CPU device and on Vulkan, against values computed here.
//!
//! `harness` turns tables of cases into compute shaders and compares what they give; `inputs` has the arguments: zeros,
//! infinities, NaN, denormals, limits, and numbers between them. The other modules are the tables, by subject. `list`
//! holds `stdlib/intrinsics.tsv`, the list of all there is, against the declarations and against these tests.

#[path = "../support/mod.rs"]
mod support;

mod atomics;
mod bits;
mod derivatives;
mod floats;
mod harness;
mod inputs;
mod integers;
mod kind;
mod list;
mod matrices;
mod page;
mod stages;
mod vectors;
mod waves;

use harness::{Case, Place};

type Cases = fn() -> Vec<Case>;
type CasesAt = fn(Place) -> Vec<Case>;

/// The tests by the names that the list calls them by: each function below makes its cases.
const TESTS: &[(&str, Cases)] = &[
    ("atomics::byte_address_buffers", atomics::byte_address_buffers),
    ("atomics::on_bytes", atomics::on_bytes),
    ("atomics::on_groupshared", atomics::on_groupshared),
    ("bits::half_precision_in_words", bits::half_precision_in_words),
    ("bits::packing", bits::packing),
    ("bits::reinterpretation", bits::reinterpretation),
    ("bits::sums_of_packed_numbers", bits::sums_of_packed_numbers),
    ("derivatives::in_a_row", derivatives::in_a_row),
    ("derivatives::in_squares", derivatives::in_squares),
    ("floats::functions_of_floats", floats::functions_of_floats),
    ("floats::tests_and_parts_of_floats", floats::tests_and_parts_of_floats),
    ("integers::functions_of_integers", integers::functions_of_integers),
    ("integers::selection", integers::selection),
    ("integers::truth_of_vectors", integers::truth_of_vectors),
    ("matrices::products", matrices::products),
    ("matrices::transposes_and_determinants", matrices::transposes_and_determinants),
    ("vectors::dot_of_integers", vectors::dot_of_integers),
    ("vectors::geometry", vectors::geometry),
    ("vectors::of_the_fixed_pipeline", vectors::of_the_fixed_pipeline),
];

/// Tests whose expectations depend on the number of lanes of a subgroup.
const WAVE_TESTS: &[(&str, CasesAt)] = &[
    ("waves::over_active_lanes", waves::over_active_lanes),
    ("waves::over_given_lanes", waves::over_given_lanes),
    ("waves::quads", waves::quads),
];

/// Runs the cases of all tests of one module.
fn run(module: &str) {
    // Only what works on waves can tell sizes apart.
    let sizes: &[u32] = if module == "waves::" { &[32, 4, 64] } else { &[32] };
    let of = || TESTS.iter().filter(|(name, _)| name.starts_with(module));
    let waves = || WAVE_TESTS.iter().filter(|(name, _)| name.starts_with(module));
    harness::run(harness::ROW, sizes, &|place| {
        let cases = of().flat_map(|(_, cases)| cases());
        cases.chain(waves().flat_map(|(_, cases)| cases(place))).collect()
    });
}

#[test]
fn differences_in_quads() {
    harness::run(harness::ROW, &[32], &|_| derivatives::in_a_row());
    harness::run([8, 8, 1], &[32], &|_| derivatives::in_squares());
}

#[test]
fn functions_of_waves() {
    run("waves::");
}

#[test]
fn functions_of_memory() {
    run("atomics::");
}

#[test]
fn functions_of_floats() {
    run("floats::");
}

#[test]
fn functions_of_matrices() {
    run("matrices::");
}

#[test]
fn functions_of_integers() {
    run("integers::");
}

#[test]
fn functions_of_bits() {
    run("bits::");
}

#[test]
fn functions_of_vectors() {
    run("vectors::");
}
