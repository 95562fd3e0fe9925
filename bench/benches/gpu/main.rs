//! Emulated graphs against the same work in hand-written shaders, on a Vulkan device, by the device's own clock.
//!
//! `cargo bench -p wgc-bench --bench gpu -- [--device NAME] [--only WORKLOADS] [--large] [--samples N] [--launches]`
//! prints a table in Markdown. For each workload (several with commas) it has the graph, hand-written compute shaders,
//! and other versions; on a CPU also a plain loop in Rust. The versions run alternately. Before each, some arithmetic
//! brings the device to its clock under load, and each result is compared with one computed here. A second table has
//! each workload's least costs, and the time of these at the device's limits. `--launches` prints the time of each
//! launch of each graph instead. Figures are in docs/measurements.md.

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

/// A function that creates the cases of a workload.
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
        let mut parsed = Self { device: None, only: None, samples: 9, large: false, launches: false };
        wgc_bench::for_each_argument(|name, value| {
            match name {
                "--device" => parsed.device = Some(value()),
                "--only" => parsed.only = Some(value()),
                "--samples" => parsed.samples = value().parse().expect("it is a number"),
                "--large" => parsed.large = true,
                "--launches" => parsed.launches = true,
                _ => return false,
            }
            true
        });
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
