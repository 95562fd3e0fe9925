//! Emulated graphs against the same work by hand, on a Vulkan device, by the device's own clock.
//!
//! `cargo bench -p wgc-bench --bench gpu -- [--device NAME] [--only WORKLOAD] [--large] [--samples N]` prints a table in
//! Markdown: for each workload the graph, compute shaders written by hand, and what else is compared. The ways are run in
//! turns, each behind some arithmetic that brings the device to its clock under load, and each must have the results that are
//! computed here. Figures are in docs/measurements.md.

#![allow(clippy::print_stdout, reason = "the table is what it is for")]

mod chain;
mod classify;
mod fan;
mod outlier;
mod raster;
mod rig;
mod spmv;
mod steps;

use rig::{Rig, Workload};
use std::time::Duration;

/// Makes the cases of a workload.
type Make = fn(&mut Rig, rig::Sizes) -> Vec<Workload>;

struct Arguments {
    device: Option<String>,
    only: Option<String>,
    samples: usize,
    large: bool,
}

impl Arguments {
    fn parse() -> Self {
        let mut all = std::env::args().skip(1);
        let mut parsed = Self { device: None, only: None, samples: 9, large: false };
        while let Some(argument) = all.next() {
            let mut value = || all.next().unwrap_or_else(|| panic!("{argument} takes a value"));
            match argument.as_str() {
                "--device" => parsed.device = Some(value()),
                "--only" => parsed.only = Some(value()),
                "--samples" => parsed.samples = value().parse().expect("it is a number"),
                "--large" => parsed.large = true,
                // What cargo says to benchmarks.
                "--bench" => {}
                other => panic!("unknown argument {other}"),
            }
        }
        parsed
    }
}

fn main() {
    let arguments = Arguments::parse();
    let mut rig = Rig::open(arguments.device.as_deref());
    println!("{}\n\n| workload | way | median | least | ratio |\n|---|---|---:|---:|---:|", rig.describe());
    let wanted = |name: &str| arguments.only.as_deref().is_none_or(|only| name.starts_with(only));
    let sizes = rig::Sizes { large: arguments.large };
    let workloads: [(&str, Make); 7] = [
        ("steps", steps::workloads),
        ("chain", chain::workloads),
        ("outlier", outlier::workloads),
        ("classify", classify::workloads),
        ("raster", raster::workloads),
        ("spmv", spmv::workloads),
        ("fan", fan::workloads),
    ];
    for (_, make) in workloads.iter().filter(|(name, _)| wanted(name)) {
        for workload in make(&mut rig, sizes) {
            measure(&mut rig, workload, arguments.samples);
        }
    }
}

/// Runs the ways in turns; ratios are to the way that comes second, by hand.
fn measure(rig: &mut Rig, mut workload: Workload, samples: usize) {
    let mut times: Vec<Vec<Duration>> = vec![Vec::new(); workload.ways.len()];
    rig.warm(Duration::from_millis(300));
    for way in &mut workload.ways {
        // Twice: a graph knows by then how many records its queues get.
        (way.run)(rig);
        (workload.clear)(rig);
        (way.run)(rig);
        (workload.check)(rig, way.name);
    }
    for _ in 0..samples {
        for (way, times) in workload.ways.iter_mut().zip(&mut times) {
            (workload.clear)(rig);
            rig.warm(Duration::from_millis(20));
            times.push((way.run)(rig));
        }
    }
    times.iter_mut().for_each(|times| times.sort());
    let median = |times: &[Duration]| times[times.len() / 2].as_secs_f64() * 1e6;
    let by_hand = times.get(1).map(|times| median(times));
    for (way, times) in workload.ways.iter().zip(&times) {
        let ratio = by_hand.map_or_else(String::new, |by_hand| format!("{:.2}", median(times) / by_hand));
        let least = times[0].as_secs_f64() * 1e6;
        println!("| {} | {} | {:.1} us | {least:.1} us | {ratio} |", workload.name, way.name, median(times));
    }
}
