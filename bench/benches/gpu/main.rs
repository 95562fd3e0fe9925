//! Emulated graphs against the same work by hand, on a Vulkan device, by the device's own clock.
//!
//! `cargo bench -p wgc-bench --bench gpu -- [--device NAME] [--only WORKLOADS] [--large] [--samples N] [--launches]` prints a table in
//! Markdown: for each workload (several with commas) the graph, compute shaders written by hand, and what else is compared;
//! on a CPU also a plain loop in Rust. The ways are run in turns, each behind some arithmetic that brings the device to its
//! clock under load, and each must have the results that are computed here. A second table has what each workload cannot do
//! without, and how long that takes by what the device can do at most. `--launches` prints in place of both what each launch of each graph
//! takes. Figures are in docs/measurements.md.

#![allow(clippy::print_stdout, reason = "the table is what it is for")]

mod bounds;
mod chain;
mod classify;
mod fan;
mod hot;
mod outlier;
mod quadtree;
mod queens;
mod raster;
mod rig;
mod shaders;
mod spmv;
mod spread;
mod steps;
mod table;

use bounds::Rates;
use rig::{Rig, Workload};
use table::Table;

/// Makes the cases of a workload.
type Make = fn(&mut Rig, rig::Sizes) -> Vec<Workload>;

struct Arguments {
    device: Option<String>,
    only: Option<String>,
    samples: usize,
    large: bool,
    launches: bool,
}

impl Arguments {
    fn parse() -> Self {
        let mut all = std::env::args().skip(1);
        let mut parsed = Self { device: None, only: None, samples: 9, large: false, launches: false };
        while let Some(argument) = all.next() {
            let mut value = || all.next().unwrap_or_else(|| panic!("{argument} takes a value"));
            match argument.as_str() {
                "--device" => parsed.device = Some(value()),
                "--only" => parsed.only = Some(value()),
                "--samples" => parsed.samples = value().parse().expect("it is a number"),
                "--large" => parsed.large = true,
                "--launches" => parsed.launches = true,
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
    let mut rig = Rig::open(arguments.device.as_deref(), arguments.launches);
    let rates = Rates::measure(&mut rig);
    println!("{}\n", rig.describe());
    let wanted = |name: &str| arguments.only.as_deref().is_none_or(|only| only.split(',').any(|one| name == one));
    let sizes = rig::Sizes { large: arguments.large };
    let workloads: [(&str, Make); 11] = [
        ("steps", steps::workloads),
        ("chain", chain::workloads),
        ("outlier", outlier::workloads),
        ("classify", classify::workloads),
        ("raster", raster::workloads),
        ("spmv", spmv::workloads),
        ("quadtree", quadtree::workloads),
        ("queens", queens::workloads),
        ("spread", spread::workloads),
        ("hot", hot::workloads),
        ("fan", fan::workloads),
    ];
    let mut table = Table::new(rates, arguments.samples);
    if !arguments.launches {
        println!("| workload | way | median | least | ratio |\n|---|---|---:|---:|---:|");
    }
    for (_, make) in workloads.iter().filter(|(name, _)| wanted(name)) {
        for workload in make(&mut rig, sizes) {
            if arguments.launches {
                table::print_launches(&mut rig, workload);
            } else {
                table.measure(&mut rig, workload);
            }
        }
    }
    if !arguments.launches {
        table.print_bounds();
    }
}
