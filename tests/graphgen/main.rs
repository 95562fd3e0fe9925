//! Work graphs that are made up from seeds, compiled and run in every way that a device may run them, and compared with a
//! model in plain Rust that knows nothing of wgc.
//!
//! `model` is what a graph is made of, `records`, `bodies` and `make` make one up, `hlsl` and `body` spell it,
//! `evaluate` says what it computes, `run` compares, `shrink` makes a failure small, and `coverage` counts what occurs.
//! `faults` holds the table of `tools/plant-faults`, which shows that mistakes of the compiler are noticed.
//!
//! `run` runs a graph on the native target, and on the emulated one in the ways that `tests/support/settings.rs` lists:
//! memory, pages, allocators, schedules, segments and so on; what is admitted in scheduled runs is compared with the rules, launch by
//! launch (`tests/support/watch.rs`). Each variable has COUNT[:FIRST], how many graphs from which
//! seed on:
//!
//! - `WGC_GRAPHGEN`: natively under all policies, and emulated in one way each;
//! - `WGC_GRAPHGEN_VULKAN`: emulated on Vulkan, in one way each;
//! - `WGC_GRAPHGEN_PRODUCT`: emulated in each way of the product;
//! - `WGC_GRAPHGEN_PRODUCT_VULKAN`: the same on Vulkan.

mod bodies;
mod body;
mod coverage;
mod evaluate;
mod faults;
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
/// The first of them are run on the emulated target too.
const EMULATED: u64 = 1000;
/// Graphs that are run in all ways of the product, and those of them on Vulkan.
const PRODUCT: u64 = 20;
const PRODUCT_ON_VULKAN: u64 = 3;
/// Threads that they are spread over.
const THREADS: usize = 2;
/// Failures that are made small and shown.
const SHOWN: usize = 3;

/// Runs the graphs of some seeds; what fails is made small, written out and told.
fn run_all(first: u64, count: u64, how: Thoroughness) {
    let next = AtomicU64::new(first);
    let failures: Mutex<Vec<String>> = Mutex::default();
    let seeds =
        || std::iter::from_fn(|| Some(next.fetch_add(1, Ordering::Relaxed)).filter(|seed| *seed < first + count));
    let work = || {
        for seed in seeds() {
            let (graph, outcome) = make::graph(seed);
            if let Err(what) = run::check(&graph, &outcome, seed, how) {
                let told = shrink::told(seed, graph, &what, how);
                let mut failures = failures.lock().unwrap_or_else(PoisonError::into_inner);
                failures.push(told);
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

/// What a variable says, COUNT or COUNT:FIRST, or else `count` from the first seed on.
fn range(variable: &str, count: u64) -> (u64, u64) {
    let Ok(text) = std::env::var(variable) else { return (1, count) };
    let (count, first) = text.split_once(':').unwrap_or((&text, "1"));
    let number = |text: &str| text.parse::<u64>().expect("it is COUNT or COUNT:FIRST");
    (number(first), number(count))
}

#[test]
fn graphs_compute_what_the_model_says() {
    let (first, count) = range("WGC_GRAPHGEN", GRAPHS);
    let how = match std::env::var_os("WGC_GRAPHGEN") {
        None => Thoroughness::OnePolicy { emulated: EMULATED },
        Some(_) => Thoroughness::AllPolicies,
    };
    run_all(first, count, how);
}

#[test]
fn graphs_compute_the_same_on_vulkan() {
    let (first, count) = range("WGC_GRAPHGEN_VULKAN", settings::cycle());
    run_all(first, count, Thoroughness::Vulkan);
}

#[test]
fn graphs_compute_the_same_in_all_ways() {
    let (first, count) = range("WGC_GRAPHGEN_PRODUCT", PRODUCT);
    run_all(first, count, Thoroughness::Product);
}

#[test]
fn graphs_compute_the_same_in_all_ways_on_vulkan() {
    let (first, count) = range("WGC_GRAPHGEN_PRODUCT_VULKAN", PRODUCT_ON_VULKAN);
    run_all(first, count, Thoroughness::ProductOnVulkan);
}

/// The ways of the graphs that every run of these tests has.
#[test]
fn all_pairs_of_settings_occur() {
    settings::check();
    eprintln!("{} choices cover all pairs of settings", settings::cycle());
    for last in [EMULATED, settings::cycle()] {
        let left = settings::left_out(1..=last);
        assert!(left.is_empty(), "of {last}: {left:?}");
    }
}

/// The graphs are what they are meant to be.
#[test]
fn every_row_occurs() {
    let counts = coverage::count((1..=GRAPHS).map(|seed| make::graph(seed).0));
    let table: String = counts.iter().map(|(row, n)| format!("{n:5}  {row}\n")).collect();
    let least = counts.iter().map(|(_, n)| *n).min().unwrap_or(0);
    let all: usize = counts.iter().map(|(_, n)| n).sum();
    eprintln!("{table}{} rows, {all} occurrences in {GRAPHS} graphs, each at least {least} times", counts.len());
    assert!(least >= coverage::LEAST, "{table}");
}
