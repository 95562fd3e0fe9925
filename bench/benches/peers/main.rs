//! Modules of wgc beside those of DXC: size of the code, time to create a pipeline, time to run.
//!
//! `cargo bench -p wgc-bench --bench peers -- [--device NAME] [--only KERNELS] [--samples N]` compiles each kernel of this
//! folder with both compilers, compares the results on a Vulkan device, and prints a table in Markdown. DXC is found as
//! in the tests (`tools/install-dxc`). `--write DIR` only writes the modules, and `--read DIR` uses them: so a machine
//! without DXC can run them.
//!
//! The samples of both modules alternate. A time is the least of its samples, since other work only adds to it.
//! Pipelines are created on a fresh device each time, and this process turns off the caches of drivers.

#![allow(clippy::print_stdout, reason = "the table is what it is for")]

mod kernels;

use kernels::{ALL, Kernel, Numbers};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use wgc_peer::counts::Counts;
use wgc_peer::dxc::{Dxc, library};
use wgc_peer::ours::Ours;
use wgc_runtime::device::{BindingsId, BufferId, Command, Device, ResourceBinding, Resources};
use wgc_runtime::vulkan::VulkanDevice;
use wgc_sema::db::Options;

/// Times shorter than this are repeated within one sample.
const LEAST: Duration = Duration::from_millis(5);

struct Arguments {
    device: Option<String>,
    only: Option<String>,
    samples: usize,
    write: Option<PathBuf>,
    read: Option<PathBuf>,
}

impl Arguments {
    fn parse() -> Self {
        let mut parsed = Self { device: None, only: None, samples: 7, write: None, read: None };
        wgc_bench::for_each_argument(|name, value| {
            match name {
                "--device" => parsed.device = Some(value()),
                "--only" => parsed.only = Some(value()),
                "--samples" => parsed.samples = value().parse().expect("it is a number"),
                "--write" => parsed.write = Some(value().into()),
                "--read" => parsed.read = Some(value().into()),
                _ => return false,
            }
            true
        });
        parsed
    }
}

/// The modules of one kernel: wgc's, then DXC's.
type Modules = [Vec<u32>; 2];

const PEERS: [&str; 2] = ["wgc", "dxc"];

fn main() {
    wgc_bench::without_driver_caches();
    let arguments = Arguments::parse();
    let wanted = |kernel: &&Kernel| {
        let names = arguments.only.as_deref().map(|only| only.split(',').any(|name| name == kernel.name));
        names.unwrap_or(true)
    };
    let mut compared = Vec::new();
    for kernel in ALL.iter().filter(wanted) {
        let modules = match &arguments.read {
            Some(folder) => PEERS.map(|peer| read(&file(folder, kernel, peer))),
            None => compiled(kernel),
        };
        if let Some(folder) = &arguments.write {
            for (peer, words) in PEERS.iter().zip(&modules) {
                let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
                std::fs::write(file(folder, kernel, peer), bytes).expect("the module can be written");
            }
            continue;
        }
        let compared_kernel = compare(kernel, &modules, &arguments);
        eprintln!("{}", compared_kernel.row());
        compared.push(compared_kernel);
    }
    if arguments.write.is_none() {
        println!("{}", table(&compared, &arguments));
    }
}

fn file(folder: &Path, kernel: &Kernel, peer: &str) -> PathBuf {
    folder.join(format!("{}.{peer}.spv", kernel.name))
}

fn read(path: &Path) -> Vec<u32> {
    let bytes = std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    bytes.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word)).collect()
}

/// Compiles a kernel with both compilers.
fn compiled(kernel: &Kernel) -> Modules {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join(format!("{}.hlsl", kernel.name));
    std::fs::write(&path, kernel.text).expect("the kernel can be written");
    let options = Options {
        enable_16bit_types: true,
        compute_entry: Some("main".to_owned()),
        shader_model: Some((6, 6)),
        spirv_version: Some((1, 6)),
        ..Options::default()
    };
    let ours = Ours::default().compute(&path.to_string_lossy(), options);
    let (ours, _) = ours.unwrap_or_else(|refusal| panic!("{}: {refusal}", kernel.name));
    let dxc = library().expect("DXC is installed (tools/install-dxc), or --read names modules");
    let dxc = Dxc::load(&dxc).expect("it is DXC");
    let arguments =
        ["-spirv", "-T", "cs_6_6", "-E", "main", "-O3", "-enable-16bit-types", "-fspv-target-env=vulkan1.3"];
    let theirs = dxc.compile(kernel.name, kernel.text.as_bytes(), &arguments).expect("DXC takes the command line");
    [ours.words.clone(), theirs.words().unwrap_or_else(|| panic!("DXC refuses {}", kernel.name))]
}

/// The figures of one kernel, wgc's first.
struct Compared {
    name: &'static str,
    counts: [Counts; 2],
    creation: [Duration; 2],
    run: [Duration; 2],
}

impl Compared {
    fn row(&self) -> String {
        let pair = |of: fn(&Counts) -> u64| format!("{} / {}", of(&self.counts[0]), of(&self.counts[1]));
        let times = |times: [Duration; 2], unit: f64| {
            let [ours, theirs] = times.map(|time| time.as_secs_f64() * unit);
            format!("{ours:.1} / {theirs:.1} ({:.2})", ours / theirs)
        };
        format!(
            "| {} | {} | {} | {} | {} | {} |",
            self.name,
            pair(Counts::instructions),
            pair(|counts| counts.loads),
            pair(|counts| counts.words),
            times(self.creation, 1e3),
            times(self.run, 1e6)
        )
    }
}

fn table(all: &[Compared], arguments: &Arguments) -> String {
    let device = VulkanDevice::open(arguments.device.as_deref()).expect("there is a Vulkan device").name();
    let mut text = format!("{device}; wgc / DXC (ratio), least of {} times\n\n", arguments.samples);
    text += "| kernel | instructions | loads of locals | words | pipeline creation, ms | run, us |\n|---|---|---|---|---|---|\n";
    all.iter().for_each(|compared| text += &(compared.row() + "\n"));
    let mean = |ratio: &dyn Fn(&Compared) -> f64| {
        let sum: f64 = all.iter().map(|compared| ratio(compared).ln()).sum();
        (sum / all.len().max(1) as f64).exp()
    };
    let ratio = |times: [Duration; 2]| times[0].as_secs_f64() / times[1].as_secs_f64();
    let count = |of: fn(&Counts) -> u64| mean(&|c| of(&c.counts[0]) as f64 / of(&c.counts[1]) as f64);
    let _ = writeln!(
        text,
        "| geometric mean | {:.2} | | {:.2} | {:.2} | {:.2} |",
        count(Counts::instructions),
        count(|counts| counts.words),
        mean(&|compared| ratio(compared.creation)),
        mean(&|compared| ratio(compared.run))
    );
    text
}

/// Runs both modules alternately, compares their results, and returns the figures.
fn compare(kernel: &Kernel, modules: &Modules, arguments: &Arguments) -> Compared {
    let counts = modules.each_ref().map(|words| Counts::of(words).expect("it is a module"));
    let mut creation = [Duration::MAX; 2];
    for _ in 0..arguments.samples {
        for (best, words) in creation.iter_mut().zip(modules) {
            *best = (*best).min(Rig::new(kernel, arguments).create(words).1);
        }
    }
    let mut rig = Rig::new(kernel, arguments);
    let commands = modules.each_ref().map(|words| rig.create(words).0);
    let results = commands.each_ref().map(|command| rig.result(command));
    same(kernel, &results);
    let mut run = [Duration::MAX; 2];
    for _ in 0..arguments.samples {
        for (best, command) in run.iter_mut().zip(&commands) {
            *best = (*best).min(rig.time(command));
        }
    }
    Compared { name: kernel.name, counts, creation, run }
}

/// A device with the resources of a kernel.
struct Rig<'k> {
    kernel: &'k Kernel,
    device: VulkanDevice,
    out: BufferId,
    bindings: BindingsId,
}

impl<'k> Rig<'k> {
    fn new(kernel: &'k Kernel, arguments: &Arguments) -> Self {
        let mut device = VulkanDevice::open(arguments.device.as_deref()).expect("there is a Vulkan device");
        device.time_submissions().expect("it has a clock");
        let out = device.create_buffer(kernel.words * 4).expect("there is memory");
        let data = kernels::input();
        let input = device.create_buffer(data.len() as u64).expect("there is memory");
        device.write_buffer(input, 0, &data).expect("it fits");
        let binding =
            |binding, buffer| ResourceBinding { set: 0, binding, resources: Resources::StorageBuffers(vec![buffer]) };
        let bindings = device.create_bindings(&[binding(0, out), binding(1, input)]).expect("they can be bound");
        Self { kernel, device, out, bindings }
    }

    /// Returns a dispatch of the module, and the time to create its pipeline.
    fn create(&mut self, words: &[u32]) -> (Command, Duration) {
        let start = Instant::now();
        let pipeline = self.device.create_pipeline(words, "main", Some(self.bindings), 0, None);
        let time = start.elapsed();
        let pipeline = pipeline.unwrap_or_else(|error| panic!("{}: {error}", self.kernel.name));
        let (bindings, groups) = (Some(self.bindings), self.kernel.groups);
        (Command::Dispatch { pipeline, bindings, push: Vec::new(), groups, label: self.kernel.name.to_owned() }, time)
    }

    fn result(&mut self, command: &Command) -> Vec<u32> {
        let mut bytes = vec![0; self.kernel.words as usize * 4];
        self.device.write_buffer(self.out, 0, &bytes).expect("it fits");
        self.device.submit(std::slice::from_ref(command)).expect("it runs");
        self.device.read_buffer(self.out, 0, &mut bytes).expect("it has so many");
        bytes.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word)).collect()
    }

    /// Returns the time of one dispatch, on the device's clock.
    fn time(&mut self, command: &Command) -> Duration {
        let (mut total, mut count) = (Duration::ZERO, 0);
        while total < LEAST {
            self.device.take_time();
            self.device.submit(std::slice::from_ref(command)).expect("it runs");
            total += self.device.take_time();
            count += 1;
        }
        total / count
    }
}

/// Panics if the results of both modules differ.
fn same(kernel: &Kernel, results: &[Vec<u32>; 2]) {
    let is_same = |a: u32, b: u32| match kernel.numbers {
        Numbers::Integers => a == b,
        Numbers::Floats => {
            let (a, b) = (f32::from_bits(a), f32::from_bits(b));
            (a - b).abs() <= 1e-3 * a.abs().max(b.abs()).max(1.0)
        }
    };
    let [ours, theirs] = results;
    let wrong = ours.iter().zip(theirs).filter(|(a, b)| !is_same(**a, **b)).count();
    // A few rays and edges may differ.
    let allowed = if kernel.numbers == Numbers::Floats { ours.len() / 500 } else { 0 };
    assert!(wrong <= allowed, "{}: {wrong} of {} words differ", kernel.name, ours.len());
    assert!(ours.iter().any(|word| *word != 0), "{} writes nothing", kernel.name);
}
