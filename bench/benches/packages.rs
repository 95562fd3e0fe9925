//! Time that a driver needs to create the pipelines of packages.
//!
//! `cargo bench -p wgc-bench --bench packages -- --folders A,B [--device NAME] [--samples N] [--modules]` creates the pipelines of all
//! packages in folder A, and of those with the same names in B and further folders, and prints a table in Markdown. So two
//! versions of wgc or two sets of options are compared. `--modules` also prints the times of single modules.
//!
//! The samples of the folders alternate. A time is the least of its samples, since other work only adds to it. Every
//! sample has a fresh device, and this process turns off the caches of drivers. Packages may bind buffers and storage
//! images of 32-bit floats.

#![allow(clippy::print_stdout, reason = "the table is what it is for")]

use indexmap::IndexMap;
use std::path::Path;
use std::time::{Duration, Instant};
use wgc_abi::{BindingInterface, BindingKind, Package};
use wgc_runtime::device::{BindingsId, Device, ImageDesc, ImageFormat, ResourceBinding, Resources};
use wgc_runtime::vulkan::VulkanDevice;

/// Bytes of each buffer; no dispatch reads them.
const BYTES: u64 = 256;

fn main() {
    wgc_bench::without_driver_caches();
    let (mut device, mut samples, mut folders, mut by_module) = (None, 7, Vec::new(), false);
    wgc_bench::for_each_argument(|name, value| {
        match name {
            "--modules" => by_module = true,
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
        let mut of_modules = vec![IndexMap::new(); packages.len()];
        let mut best = vec![Duration::MAX; packages.len()];
        for _ in 0..samples {
            for ((best, of_modules), package) in best.iter_mut().zip(&mut of_modules).zip(&packages) {
                *best = (*best).min(create(package, device, of_modules));
            }
        }
        if by_module {
            for (folder, times) in folders.iter().zip(&of_modules) {
                let time = |(file, time): (&String, &Duration)| format!("{file} {:.1}", time.as_secs_f64() * 1e3);
                eprintln!("{folder}/{name}: {}", times.iter().map(time).collect::<Vec<_>>().join(", "));
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

/// Creates small resources for a binding.
fn resources(binding: &BindingInterface, device: &mut VulkanDevice) -> Resources {
    let count = binding.count.max(1) as usize;
    let mut buffers = || vec![device.create_buffer(BYTES).expect("there is memory"); count];
    match &binding.kind {
        BindingKind::StorageBuffer { .. } => Resources::StorageBuffers(buffers()),
        BindingKind::UniformBuffer { .. } => Resources::UniformBuffers(buffers()),
        BindingKind::StorageImage { texture } => {
            let size = [1; 3];
            let image = ImageDesc::new(ImageFormat::Rgba32Float, &size[..texture.dimensions as usize]);
            Resources::StorageImages(vec![device.create_image(image).expect("there is memory"); count])
        }
        other => panic!("{}: this benchmark cannot bind {other:?}", binding.name),
    }
}

/// Creates all pipelines of a package on a fresh device, and returns the time. Updates the least times of the modules.
fn create(package: &Package, device: Option<&str>, of_modules: &mut IndexMap<String, Duration>) -> Duration {
    let mut device = VulkanDevice::open(device).expect("there is a Vulkan device");
    let (manifest, mut total) = (&package.manifest, Duration::ZERO);
    let bindings = bind(&manifest.bindings, &mut device);
    for module in &manifest.modules {
        let (words, entry) = (&package.modules[&module.file], &module.entry);
        let start = Instant::now();
        let created = device.create_pipeline(words, entry, bindings, manifest.push_bytes, module.subgroup_size);
        let time = start.elapsed();
        total += time;
        let least = of_modules.entry(module.file.clone()).or_insert(time);
        *least = time.min(*least);
        created.unwrap_or_else(|error| panic!("{entry}: {error}"));
    }
    total
}

fn bind(bindings: &[BindingInterface], device: &mut VulkanDevice) -> Option<BindingsId> {
    let bind = |binding: &BindingInterface| {
        let (set, number) = (binding.set, binding.binding);
        ResourceBinding { set, binding: number, resources: resources(binding, device) }
    };
    let bound: Vec<ResourceBinding> = bindings.iter().map(bind).collect();
    (!bound.is_empty()).then(|| device.create_bindings(&bound).expect("they can be bound"))
}
