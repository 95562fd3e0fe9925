//! Time that a driver needs to create the pipelines of packages.
//!
//! `cargo bench -p wgc-bench --bench packages -- --folders A,B [--device NAME] [--samples N]` creates the pipelines of all
//! packages in folder A, and of those with the same names in B and further folders, and prints a table in Markdown. So two
//! versions of wgc or two sets of options are compared.
//!
//! The samples of the folders alternate. A time is the least of its samples, since other work only adds to it. Every
//! sample has a fresh device, and this process turns off the caches of drivers. Only packages are read whose bindings are
//! buffers.

#![allow(clippy::print_stdout, reason = "the table is what it is for")]

use std::path::Path;
use std::time::{Duration, Instant};
use wgc_abi::{BindingInterface, BindingKind, Package};
use wgc_runtime::device::{BindingsId, BufferId, Device, ResourceBinding, Resources};
use wgc_runtime::vulkan::VulkanDevice;

/// Bytes of each buffer; no dispatch reads them.
const BYTES: u64 = 256;

fn main() {
    wgc_bench::without_driver_caches();
    let (mut device, mut samples, mut folders) = (None, 7, Vec::new());
    wgc_bench::for_each_argument(|name, value| {
        match name {
            "--device" => device = Some(value()),
            "--samples" => samples = value().parse().expect("it is a number"),
            "--folders" => folders = value().split(',').map(str::to_owned).collect(),
            _ => return false,
        }
        true
    });
    let Some(first) = folders.first() else { panic!("--folders names at least one folder") };
    let mut names: Vec<String> = std::fs::read_dir(first)
        .expect("the folder can be read")
        .map(|entry| entry.expect("it can be read").file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    let device = device.as_deref();
    let title = VulkanDevice::open(device).expect("there is a Vulkan device").name();
    println!("{title}; ms, least of {samples} times; in brackets divided by the first\n");
    println!("| package | {} |\n|---|{}", folders.join(" | "), "---:|".repeat(folders.len()));
    let (mut logs, mut rows) = (vec![0.0; folders.len()], 0);
    for name in &names {
        let read = |folder: &String| Package::read(&Path::new(folder).join(name)).expect("it is a package");
        let packages: Vec<Package> = folders.iter().map(read).collect();
        if packages.iter().flat_map(|package| &package.manifest.bindings).any(|b| resources(&b.kind).is_none()) {
            println!("| {name} | has bindings other than buffers |");
            continue;
        }
        let mut best = vec![Duration::MAX; packages.len()];
        for _ in 0..samples {
            for (best, package) in best.iter_mut().zip(&packages) {
                *best = (*best).min(create(package, device));
            }
        }
        let ratios: Vec<f64> = best.iter().map(|time| time.as_secs_f64() / best[0].as_secs_f64()).collect();
        let cell = |(time, ratio): (&Duration, &f64)| format!("{:.1} ({ratio:.2})", time.as_secs_f64() * 1e3);
        println!("| {name} | {} |", best.iter().zip(&ratios).map(cell).collect::<Vec<_>>().join(" | "));
        logs.iter_mut().zip(ratios).for_each(|(log, ratio)| *log += ratio.ln());
        rows += 1;
    }
    let means: Vec<String> = logs.iter().map(|log| format!("{:.2}", (log / f64::from(rows.max(1))).exp())).collect();
    println!("| geometric mean | {} |", means.join(" | "));
}

/// Returns what a buffer of this kind is bound as; `None` for other resources.
fn resources(kind: &BindingKind) -> Option<fn(Vec<BufferId>) -> Resources> {
    match kind {
        BindingKind::StorageBuffer { .. } => Some(Resources::StorageBuffers),
        BindingKind::UniformBuffer { .. } => Some(Resources::UniformBuffers),
        _ => None,
    }
}

/// Creates all pipelines of a package on a fresh device, and returns the time.
fn create(package: &Package, device: Option<&str>) -> Duration {
    let mut device = VulkanDevice::open(device).expect("there is a Vulkan device");
    let (manifest, mut total) = (&package.manifest, Duration::ZERO);
    let bindings = bind(&manifest.bindings, &mut device);
    for module in &manifest.modules {
        let (words, entry) = (&package.modules[&module.file], &module.entry);
        let start = Instant::now();
        let created = device.create_pipeline(words, entry, bindings, manifest.push_bytes, module.subgroup_size);
        total += start.elapsed();
        created.unwrap_or_else(|error| panic!("{entry}: {error}"));
    }
    total
}

fn bind(bindings: &[BindingInterface], device: &mut VulkanDevice) -> Option<BindingsId> {
    let mut bound = Vec::new();
    for binding in bindings {
        let buffer = device.create_buffer(BYTES).expect("there is memory");
        let resources = resources(&binding.kind).expect("it is a buffer");
        bound.push(ResourceBinding {
            set: binding.set,
            binding: binding.binding,
            resources: resources(vec![buffer; binding.count.max(1) as usize]),
        });
    }
    (!bound.is_empty()).then(|| device.create_bindings(&bound).expect("they can be bound"))
}
