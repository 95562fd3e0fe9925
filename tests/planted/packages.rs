//! The programs of planted faults, and their settings: each runs with all checks of the CPU device.

use crate::wrapper::{Overrides, Wrapper};
use std::path::{Path, PathBuf};
use wgc_abi::{Interface, Package};
use wgc_backend_spirv::EmitOptions;
use wgc_backend_spirv::emulated::EmulatedOptions as CompilerOptions;
use wgc_backend_spirv::emulated::plan::Settings;
use wgc_compiler::Session;
use wgc_ir::passes::OptLevel;
use wgc_runtime::cpu::{CpuDevice, CpuSettings};
use wgc_runtime::emulated::{Allocator, ArenaLimits, EmulatedOptions, Memory, Preparation};
use wgc_runtime::executors::EmulatedExecutor;
use wgc_runtime::run_file::{self, Executor, Outputs, RunFile};
use wgc_sema::db::Options;

/// Settings of a package's run, by the names in tables.
const WAYS: [(&str, EmulatedOptions); 5] = [
    ("one pass", with(Memory::Enough, false)),
    ("tight pass", with(Memory::Tight, false)),
    ("sweeps", with(Memory::Least(2), false)),
    ("spilled sweeps", with(Memory::Least(4), true)),
    ("ample sweeps", with(Memory::Least(70), false)),
];

/// Returns options under which the kernels prepare the run.
const fn with(memory: Memory, spill_all: bool) -> EmulatedOptions {
    EmulatedOptions {
        arena: ArenaLimits { bytes: 1 << 30, chunk_bytes: 128 << 10 },
        memory,
        admit_one: false,
        spill_all,
        allocator: Allocator::Lane,
        preparation: Preparation::Device,
        deterministic: false,
        poison: false,
    }
}

pub fn options(way: &str) -> EmulatedOptions {
    WAYS.iter().find(|(name, _)| *name == way).unwrap_or_else(|| panic!("there is no way `{way}`")).1
}

/// Returns settings with small pages, spills of arrays only, and joint dispatches of two.
pub fn plan() -> Settings {
    Settings { page_bytes: 1 << 10, direct_targets: 1, joint_dispatch: 2, ..Settings::default() }
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/planted")
}

/// Returns a run file of this folder.
pub fn run_file(name: &str) -> RunFile {
    RunFile::read(&folder().join(name).with_extension("run.json")).unwrap_or_else(|e| panic!("{e}"))
}

pub struct Program {
    pub session: Session,
    pub interface: Interface,
    pub package: Package,
}

impl Program {
    /// Compiles a program of this folder, by the name of its file.
    pub fn new(name: &str) -> Self {
        let shader = folder().join(name).with_extension("hlsl");
        let session = Session::new(&[&shader.to_string_lossy()], Options::default());
        let options = uncopied(plan());
        let package = session.emulated(&options).unwrap_or_else(|e| panic!("{name}: {e:?}"));
        let interface = session.interface().expect("the program compiled");
        Self { session, interface, package }
    }

    /// Runs one of its packages with a run file of this folder. Returns the findings, and whether the run passes.
    pub fn run(&self, package: &Package, file: &str, way: &str, overrides: impl Overrides) -> Ran {
        self.run_file(package, &run_file(file), options(way), overrides)
    }

    pub fn run_file(
        &self,
        package: &Package,
        file: &RunFile,
        options: EmulatedOptions,
        overrides: impl Overrides,
    ) -> Ran {
        let device = Wrapper::new(CpuDevice::new(CpuSettings::default()), overrides);
        let mut executor = EmulatedExecutor::new(device, package.clone(), options);
        let result = run_file::execute(file, &self.interface, &mut executor, &Outputs::default());
        let (failed, mut found) = match result {
            Ok(report) => ((!report.passed()).then(|| report.to_string()), report.findings),
            Err(error) => (Some(error.to_string()), Vec::new()),
        };
        // Findings from before the run failed.
        let left = executor.device().take_findings().unwrap_or_default().into_iter();
        found.extend(left.map(|found| run_file::Finding { code: found.code, message: found.message }));
        Ran { failed, found: found.into_iter().map(|found| (found.code, found.message)).collect() }
    }
}

/// The result of a run.
#[derive(Debug)]
pub struct Ran {
    /// The reason for a failure.
    pub failed: Option<String>,
    /// Codes and messages.
    pub found: Vec<(String, String)>,
}

impl Ran {
    pub fn has(&self, code: &str) -> bool {
        self.found.iter().any(|(found, _)| found == code)
    }

    pub fn is_clean(&self) -> bool {
        self.failed.is_none() && self.found.is_empty()
    }
}

/// Overrides no behaviour of the device.
pub struct Plain;

impl Overrides for Plain {}

/// Returns options for packages in which a function is once: inlining would copy the barriers that are planted.
pub fn uncopied(plan: Settings) -> CompilerOptions {
    let emit = EmitOptions { level: OptLevel::O0, ..CompilerOptions::default().emit };
    CompilerOptions { emit, plan, edges: Vec::new() }
}
