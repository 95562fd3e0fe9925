//! Work graphs that are generated from seeds. They are compiled, run under all policies and settings, and compared with
//! a model in plain Rust that uses no code of wgc.
//!
//! `model` defines graphs. `records`, `bodies` and `make` generate them, `hlsl` and `body` print them. `evaluate`
//! computes the expected results, `run` compares, `shrink` reduces failures, and `coverage` counts features. `faults`
//! checks the table of `tools/plant-faults`, which shows that the tests notice mistakes of the compiler.
//!
//! `run` runs a graph on the native target, and on the emulated one under the settings in `tests/support/settings.rs`:
//! memory, pages, allocators, schedules, segments and so on. The level of optimisation differs by seed. The admissions
//! of scheduled runs are compared with the rules, launch by launch (`tests/support/watch.rs`). Each variable has
//! COUNT[:FIRST], the number of graphs and the first seed:
//!
//! - `WGC_GRAPHGEN`: natively under all policies, and emulated under one setting each;
//! - `WGC_GRAPHGEN_VULKAN`: emulated on Vulkan, under one setting each;
//! - `WGC_GRAPHGEN_PRODUCT`: emulated under each setting of the product;
//! - `WGC_GRAPHGEN_PRODUCT_VULKAN`: likewise on Vulkan.

mod bodies;
mod body;
mod coverage;
mod evaluate;
mod faults;
#[path = "../support/faults.rs"]
mod faults_table;
mod fused;
mod hlsl;
mod limits;
mod make;
mod model;
#[path = "../support/random.rs"]
mod random;
mod records;
mod run;
#[path = "../support/scheduler.rs"]
mod scheduler;
#[path = "../support/settings.rs"]
mod settings;
mod shape;
mod shrink;
#[path = "../support/mod.rs"]
mod support;
#[path = "../support/watch.rs"]
mod watch;
#[path = "../support/wrapper.rs"]
mod wrapper;

use run::Thoroughness;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// Graphs of every run of this test.
const GRAPHS: u64 = 2000;
/// The first of them, which also run on the emulated target.
const EMULATED: u64 = 1000;
/// Graphs that run under all settings of the product, and those of them on Vulkan.
const PRODUCT: u64 = 20;
const PRODUCT_ON_VULKAN: u64 = 3;
/// Each rule fuses at least so many edges of [`EMULATED`] graphs.
const LEAST_FUSED: usize = 3;
/// Number of threads that run them.
const THREADS: usize = 2;
/// Failures that are reduced and shown.
const SHOWN: usize = 3;

/// Runs the graphs of some seeds. Failures are reduced, written out and reported.
fn run_all(first: u64, count: u64, how: Thoroughness) {
    let next = AtomicU64::new(first);
    let failures: Mutex<Vec<String>> = Mutex::default();
    let seeds =
        || std::iter::from_fn(|| Some(next.fetch_add(1, Ordering::Relaxed)).filter(|seed| *seed < first + count));
    let work = || {
        for seed in seeds() {
            let (graph, outcome) = make::graph(seed);
            if let Err(what) = run::check(&graph, &outcome, seed, how) {
                let report = shrink::report(seed, graph, &what, how);
                let mut failures = failures.lock().unwrap_or_else(PoisonError::into_inner);
                failures.push(report);
                if failures.len() >= SHOWN {
                    next.store(first + count, Ordering::Relaxed);
                }
            }
        }
    };
    std::thread::scope(|scope| (0..THREADS).for_each(|_| drop(scope.spawn(work))));
    let failures = failures.into_inner().unwrap_or_else(PoisonError::into_inner);
    assert!(failures.is_empty(), "\n{}", failures.join("\n"));
}

/// Parses a variable, COUNT or COUNT:FIRST; defaults to `count` from the first seed on.
fn range(variable: &str, count: u64) -> (u64, u64) {
    let Ok(text) = std::env::var(variable) else { return (1, count) };
    let (count, first) = text.split_once(':').unwrap_or((&text, "1"));
    let number = |text: &str| text.parse::<u64>().expect("it is COUNT or COUNT:FIRST");
    (number(first), number(count))
}

#[test]
fn graphs_match_the_reference_model() {
    let (first, count) = range("WGC_GRAPHGEN", GRAPHS);
    let how = match std::env::var_os("WGC_GRAPHGEN") {
        None => Thoroughness::OnePolicy { emulated: EMULATED },
        Some(_) => Thoroughness::AllPolicies,
    };
    run_all(first, count, how);
    let rare = fused::rare(LEAST_FUSED);
    assert!(count < GRAPHS || rare.is_empty(), "few edges were fused by {rare:?}");
}

#[test]
fn graphs_compute_the_same_on_vulkan() {
    let (first, count) = range("WGC_GRAPHGEN_VULKAN", settings::cycle());
    run_all(first, count, Thoroughness::Vulkan);
}

#[test]
fn graphs_compute_the_same_in_all_configurations() {
    let (first, count) = range("WGC_GRAPHGEN_PRODUCT", PRODUCT);
    run_all(first, count, Thoroughness::Product);
}

#[test]
fn graphs_compute_the_same_in_all_configurations_on_vulkan() {
    let (first, count) = range("WGC_GRAPHGEN_PRODUCT_VULKAN", PRODUCT_ON_VULKAN);
    run_all(first, count, Thoroughness::ProductOnVulkan);
}

/// Checks the settings that every run of these tests uses.
#[test]
fn all_pairs_of_settings_occur() {
    settings::check();
    eprintln!("{} choices cover all pairs of settings", settings::cycle());
    for last in [EMULATED, settings::cycle()] {
        let left = settings::left_out(1..=last);
        assert!(left.is_empty(), "of {last}: {left:?}");
    }
}

/// Checks that the graphs cover all features.
#[test]
fn generated_graphs_cover_every_feature() {
    let counts = coverage::count((1..=GRAPHS).map(|seed| make::graph(seed).0));
    let table: String = counts.iter().map(|(row, n)| format!("{n:5}  {row}\n")).collect();
    let least = counts.iter().map(|(_, n)| *n).min().unwrap_or(0);
    let all: usize = counts.iter().map(|(_, n)| n).sum();
    eprintln!("{table}{} rows, {all} occurrences in {GRAPHS} graphs, each at least {least} times", counts.len());
    assert!(least >= coverage::LEAST, "{table}");
}
