//! Scheduled runs step by step. The admissions of the kernel sched on a device must equal those of a plain statement of
//! the rules (`support/scheduler.rs`), given the same appended records. Two devices must agree if the appended records
//! do not depend on the order of records.
//!
//! The complete state is compared after every launch of the kernel. It has records and room of queues and spills, pages
//! of each, free pages and their minimum, windows, arguments of all launches, the deepest stage, entry records, and the
//! end of the run. Random graphs are watched too (`graphgen`). The owner of each page is not compared; `inside` checks
//! it. Nor are runs in one pass, which do not use this kernel.

#[path = "support/scheduler.rs"]
mod scheduler;
#[path = "support/watch.rs"]
mod watch;
#[path = "support/wrapper.rs"]
mod wrapper;

use scheduler::State;
use std::path::Path;
use watch::{Log, Watch};
use wgc_abi::device as abi;
use wgc_backend_spirv::emulated::EmulatedOptions as CompilerOptions;
use wgc_backend_spirv::emulated::plan::{Schedule, Settings};
use wgc_compiler::Session;
use wgc_runtime::cpu::{CpuDevice, CpuSettings};
use wgc_runtime::device::{Device, Limits};
use wgc_runtime::emulated::{EmulatedOptions, Memory};
use wgc_runtime::executors::EmulatedExecutor;
use wgc_runtime::run_file::{self, Outputs, RunFile};
use wgc_runtime::vulkan::testing;
use wgc_sema::db::Options;
use wrapper::Wrapper;

/// Settings of compiler, host and device.
#[derive(Clone, Copy, Debug)]
struct Setup {
    plan: Settings,
    /// The memory, as a multiple of the fewest pages.
    times: u32,
    spill_all: bool,
    admit_one: bool,
    max_groups: [u32; 3],
}

/// Returns settings with pages of 1 KiB, without joint dispatches, which the rules do not cover.
fn setup(times: u32, segment_bytes: u32, direct_targets: u32) -> Setup {
    let plan =
        Settings { page_bytes: 1 << 10, segment_bytes, direct_targets, joint_dispatch: 0, ..Settings::default() };
    Setup { plan, times, spill_all: false, admit_one: false, max_groups: [65535, 65535, 1] }
}

fn setups() -> Vec<Setup> {
    let by_depth = |setup: Setup| Setup { plan: Settings { schedule: Schedule::Depth, ..setup.plan }, ..setup };
    vec![
        setup(1, 0, 4),
        setup(3, 64 << 10, 1),
        by_depth(setup(7, 0, 0)),
        setup(16, 1 << 20, 0),
        Setup { spill_all: true, ..setup(5, 64 << 10, 0) },
        setup(400, 64 << 10, 0),
        Setup { max_groups: [7, 5, 1], ..setup(4, 0, 1) },
    ]
}

/// Returns every other setting, for slow graphs.
fn some_setups() -> impl Iterator<Item = Setup> {
    setups().into_iter().step_by(2)
}

/// Runs the run file of a graph with every step compared; returns the log.
fn run(name: &str, setup: Setup, device: impl Device) -> Vec<(u32, State)> {
    let shader = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(name).with_extension("hlsl");
    let session =
        Session::new(&[&shader.to_string_lossy()], Options { enable_16bit_types: true, ..Options::default() });
    let options = CompilerOptions { plan: setup.plan, ..CompilerOptions::default() };
    let package = session.emulated(&options).unwrap_or_else(|e| panic!("{name}: {e:?}"));
    let interface = session.interface().expect("the program compiled");
    let log = Log::default();
    let limits = Limits { max_groups: setup.max_groups, ..device.limits().clone() };
    let watch = Watch::new(&package, limits, log.clone());
    let place = device.name();
    let (memory, spill_all, admit_one) = (Memory::Least(setup.times), setup.spill_all, setup.admit_one);
    let options = EmulatedOptions { memory, spill_all, admit_one, ..EmulatedOptions::default() };
    let file = RunFile::read(&shader.with_extension("run.json")).unwrap_or_else(|e| panic!("{e}"));
    let mut executor = EmulatedExecutor::new(Wrapper::new(device, watch), package, options);
    let report = run_file::execute(&file, &interface, &mut executor, &Outputs::default());
    let report = report.unwrap_or_else(|e| panic!("{name} on {place}, {setup:?}: {e}"));
    assert!(report.passed(), "{name} on {place}, {setup:?}: {report}");
    drop(executor);
    log.take()
}

fn cpu() -> CpuDevice {
    CpuDevice::new(CpuSettings::default())
}

/// Graphs in which all records of a queue have equally many successors, so that their order does not matter.
const ALIKE: [&str; 3] = ["emulated/amplify", "emulated/sharing", "emulated/bits"];
const OTHERS: [&str; 5] = ["emulated/arrays", "emulated/chain", "emulated/grids", "emulated/spill", "run/mesh_mixed"];

/// Numbers of the relevant cases in a log.
#[derive(Debug, Default)]
struct Cases {
    steps: usize,
    /// Windows that leave workgroups to later sweeps.
    partial: usize,
    /// Records pending in spills, and of these the ones after records in a direct part.
    spilled: usize,
    behind: usize,
    /// Pending entry records.
    waiting: usize,
    rows: usize,
}

impl Cases {
    fn add(&mut self, log: &[(u32, State)]) {
        self.steps += log.len();
        for (asked, state) in log {
            let waits = state.queues.iter().any(|queue| queue.records != 0);
            self.partial += usize::from(*asked == abi::SCHED_BEGIN && waits);
            self.spilled += usize::from(state.spills.iter().any(|spill| spill.records != 0));
            self.behind += usize::from(state.queues.iter().any(|queue| queue.own != 0 && queue.records > queue.own));
            self.waiting += usize::from(*asked == abi::SCHED_BEGIN && state.entries.0 != 0 && state.entries.1 != 0);
            self.rows += usize::from(state.arguments.iter().any(|[x, y]| *x != 0 && *y > 1));
        }
    }

    /// Records after a direct part are rare: the random graphs of `graphgen` have more of them.
    fn check(&self, devices: &str, least_behind: usize) {
        let Cases { steps, partial, spilled, behind, waiting, rows } = self;
        let enough = [(steps, 1000), (partial, 100), (spilled, 50), (behind, least_behind), (waiting, 10), (rows, 10)];
        assert!(enough.iter().all(|(found, least)| **found >= *least), "{devices}: {self:?}");
    }
}

#[test]
fn kernel_admission_matches_the_reference_rules() {
    let mut cases = Cases::default();
    for name in OTHERS {
        setups().into_iter().for_each(|setup| cases.add(&run(name, setup, cpu())));
    }
    // Some have thousands of workgroups.
    for name in ["emulated/bits", "emulated/sharing"] {
        let plan = Settings { page_bytes: 4 << 10, joint_dispatch: 0, ..Settings::default() };
        cases.add(&run(name, Setup { plan, admit_one: true, ..setup(1, 0, 4) }, cpu()));
    }
    cases.check("on the CPU device", 1);
}

#[test]
fn kernel_admission_matches_the_reference_rules_on_vulkan() {
    let mut cases = Cases::default();
    for (name, setup) in OTHERS.into_iter().flat_map(|name| some_setups().map(move |setup| (name, setup))) {
        let Some(device) = testing::device() else { return };
        cases.add(&run(name, setup, device));
    }
    cases.check("on Vulkan", 0);
}

#[test]
fn cpu_and_vulkan_admit_the_same_records() {
    for (name, setup) in ALIKE.into_iter().flat_map(|name| some_setups().map(move |setup| (name, setup))) {
        let Some(device) = testing::device() else { return };
        let (here, there) = (run(name, setup, cpu()), run(name, setup, device));
        assert_eq!(here.len(), there.len(), "{name}, {setup:?}");
        for (step, (here, there)) in here.iter().zip(&there).enumerate() {
            let difference = here.1.difference(&there.1);
            assert!(here.0 == there.0 && difference.is_none(), "{name}, {setup:?}, step {step}: {difference:?}");
        }
    }
}

/// A queue that is consumed in parts releases pages before it is empty.
#[test]
fn pages_of_consumed_records_are_released() {
    let log = run("emulated/relay", setup(8, 0, 4), cpu());
    let parts = log.iter().flat_map(|(_, state)| &state.queues).filter(|queue| queue.returned != 0);
    let (mut some, mut most) = (0, 0);
    for queue in parts {
        assert!(queue.pages != 0 && queue.records > queue.returned * 64, "{queue:?}");
        (some, most) = (some + 1, most.max(queue.returned));
    }
    assert!(some > 0 && most > 1, "{some} times, at most {most} pages");
}

/// 256 KiB of records at each of three heads, with memory for a part of them. The number of sweeps must match the
/// number of such parts. It must not grow to one sweep for each head's workgroup, as it would if pending records filled
/// the arena.
#[test]
fn sweep_count_matches_the_available_memory() {
    let sweeps = |times| {
        let log = run("emulated/relay", setup(times, 0, 4), cpu());
        log.last().map(|(_, state)| (state.sweeps, u64::from(state.sweeps) * u64::from(times))).unwrap()
    };
    let [(least, _), (some, one), (more, two), (many, three)] = [1, 8, 32, 128].map(sweeps);
    assert!(many < more && more < some && some < least, "{least}, {some}, {more}, {many} sweeps");
    // Twice the number that follows from the bytes: pages are whole, and all heads have their share.
    assert!([one, two, three].iter().all(|product| *product < 2 * u64::from(least)), "{one}, {two}, {three}, {least}");
}
