//! Work graphs that are made up from seeds, compiled and run in every way that a device may run them, and compared with a
//! model in plain Rust that knows nothing of wgc.
//!
//! `model` is what a graph is made of, `records`, `bodies` and `make` make one up, `hlsl` and `body` spell it,
//! `evaluate` says what it computes, `run` compares, `shrink` makes a failure small, and `coverage` counts what occurs.
//! `faults` holds the table of `tools/plant-faults`, which shows that mistakes of the compiler are noticed.
//!
//! `WGC_GRAPHGEN=COUNT[:FIRST]` runs so many from the seed FIRST on, under all policies and on both targets.

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
mod shape;
mod shrink;
#[path = "../support/mod.rs"]
mod support;

use run::Thoroughness;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// Graphs of every run of this test.
const GRAPHS: u64 = 2000;
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

/// COUNT or COUNT:FIRST.
fn range(text: &str) -> (u64, u64) {
    let (count, first) = text.split_once(':').unwrap_or((text, "1"));
    let number = |text: &str| text.parse::<u64>().expect("it is COUNT or COUNT:FIRST");
    (number(count), number(first))
}

#[test]
fn graphs_compute_what_the_model_says() {
    match std::env::var("WGC_GRAPHGEN") {
        Err(_) => run_all(1, GRAPHS, Thoroughness::OnePolicy),
        Ok(text) => {
            let (count, first) = range(&text);
            run_all(first, count, Thoroughness::AllPolicies);
        }
    }
}

/// `WGC_GRAPHGEN_VULKAN=COUNT[:FIRST]` runs others.
#[test]
fn graphs_compute_the_same_on_vulkan() {
    let text = std::env::var("WGC_GRAPHGEN_VULKAN").unwrap_or_else(|_| "8".to_owned());
    let (count, first) = range(&text);
    run_all(first, count, Thoroughness::Vulkan);
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
