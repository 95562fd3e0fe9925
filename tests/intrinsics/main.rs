//! Every intrinsic, executed on the CPU device and on Vulkan, against values computed here.
//!
//! `harness` turns tables of cases into compute shaders and compares their results. `inputs` has the arguments: zeros,
//! infinities, NaN, denormals, limits, and numbers between them. The other modules are the tables, by subject.
//! `list` and `declarations` compare `stdlib/intrinsics.tsv`, the complete list, with the declarations and these tests.

#[path = "../support/mod.rs"]
mod support;

mod addresses;
mod atomics;
mod bits;
mod debugging;
mod declarations;
mod derivatives;
mod dxc;
mod floats;
mod given;
mod harness;
mod images;
mod inputs;
mod integers;
mod kind;
mod list;
mod matrices;
mod page;
mod rays;
mod stages;
mod texels;
mod vectors;
mod waves;

use harness::{Case, Place};

type Cases = fn() -> Vec<Case>;
type CasesAt = fn(Place) -> Vec<Case>;

/// The tests by their names in the list: each function below creates its cases.
const TESTS: &[(&str, Cases)] = &[
    ("atomics::byte_address_buffers", atomics::byte_address_buffers),
    ("atomics::on_bytes", atomics::on_bytes),
    ("atomics::of_64_bits_on_bytes", atomics::of_64_bits_on_bytes),
    ("atomics::on_groupshared", atomics::on_groupshared),
    ("atomics::with_status", atomics::with_status),
    ("bits::half_precision_in_words", bits::half_precision_in_words),
    ("bits::packing", bits::packing),
    ("bits::reinterpretation", bits::reinterpretation),
    ("bits::sums_of_packed_numbers", bits::sums_of_packed_numbers),
    ("derivatives::beside_lanes", derivatives::beside_lanes),
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

/// Tests whose expectations depend on the device: the number of lanes of a subgroup, the precision of samplers.
const TESTS_BY_PLACE: &[(&str, CasesAt)] = &[
    ("images::clamps", images::clamps),
    ("images::derivatives", images::derivatives),
    ("images::dimensions", images::dimensions),
    ("images::gathers", images::gathers),
    ("images::levels", images::levels),
    ("images::samplers", images::samplers),
    ("images::statuses", images::statuses),
    ("images::texels", images::texels),
    ("waves::over_active_lanes", waves::over_active_lanes),
    ("waves::over_given_lanes", waves::over_given_lanes),
    ("waves::of_groups", waves::of_groups),
    ("waves::quads", waves::quads),
];

/// Tests that only the CPU device runs, with the features of Vulkan that the software driver lacks.
const CPU_DEVICE_ONLY: &[(&str, &[&str])] = &[
    ("images::clamps", &["shaderResourceMinLod"]),
    // Clamps have statuses too.
    ("images::statuses", &["shaderResourceResidency", "shaderResourceMinLod"]),
];

/// Runs the cases of all tests of one module.
fn run(module: &str) {
    // Only wave operations depend on the subgroup size.
    let sizes: &[u32] = if module == "waves::" { &[32, 4, 64] } else { &[32] };
    let of = || TESTS.iter().filter(|(name, _)| name.starts_with(module));
    let waves = || TESTS_BY_PLACE.iter().filter(|(name, _)| name.starts_with(module));
    harness::run(harness::ROW, sizes, &|place| {
        let cases = of().flat_map(|(_, cases)| cases());
        cases.chain(waves().flat_map(|(_, cases)| cases(place))).collect()
    });
}

#[test]
fn differences_in_quads() {
    harness::run(harness::ROW, &[32], &|_| derivatives::in_a_row());
    harness::run([8, 8, 1], &[32], &|_| {
        derivatives::in_squares().into_iter().chain(derivatives::beside_lanes()).collect()
    });
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

/// Runs one test of images.
fn run_images(test: &str) {
    let lacking = CPU_DEVICE_ONLY.iter().find(|(name, _)| *name == test).map_or(&[][..], |row| row.1);
    let (_, cases) = TESTS_BY_PLACE.iter().find(|(name, _)| *name == test).expect("it is listed");
    harness::run_with(harness::ROW, &[32], &images::given(), lacking, cases);
}

#[test]
fn clamps_of_images() {
    run_images("images::clamps");
}

#[test]
fn derivatives_of_images() {
    run_images("images::derivatives");
}

#[test]
fn dimensions_of_images() {
    run_images("images::dimensions");
}

#[test]
fn gathers_of_images() {
    run_images("images::gathers");
}

#[test]
fn levels_of_images() {
    run_images("images::levels");
}

#[test]
fn samplers_of_images() {
    run_images("images::samplers");
}

#[test]
fn statuses_of_images() {
    run_images("images::statuses");
}

#[test]
fn texels_of_images() {
    run_images("images::texels");
}
