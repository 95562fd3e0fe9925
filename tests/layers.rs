//! Vulkan's validation layers over the host and the shaders: the core rules with synchronisation, and those that are
//! checked on the device. They must report nothing.
//!
//! The core rules run over every run file of `examples`, `tests/emulated` and `tests/run`. The others take six times as
//! long, because they instrument each shader: they skip `tests/run` unless `WGC_LAYERS=all` asks for it. They hardly
//! check memory at device addresses: the CPU device checks that.

mod support;

use std::path::PathBuf;
use std::process::Command;
use support::{root, run_files, vulkan_is_here};

const FOLDERS: [&str; 3] = ["examples", "tests/emulated", "tests/run"];
/// Its 16 million workgroups show no more than one, and take long.
const LARGEST: &str = "largest_grid";
/// The prefix of the layers' messages: the run fails on it.
const REPORT: &str = "Vulkan validation:";

fn run(file: &PathBuf, checks: &str) -> (bool, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_wgc"))
        .args(["run", "--device", "vulkan", "--inputs"])
        .arg(file)
        .current_dir(root())
        .env("WGC_VULKAN_VALIDATION", "1")
        .env("VK_LAYER_ENABLES", format!("VK_VALIDATION_FEATURE_ENABLE_{checks}_EXT"))
        .output()
        .expect("wgc starts");
    let text = [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned()).concat();
    (output.status.success(), text)
}

fn report_nothing(checks: &str, folders: &[&str], least: usize) {
    if !vulkan_is_here("validation layers") {
        return;
    }
    let files: Vec<PathBuf> = folders.iter().flat_map(|folder| run_files(folder)).collect();
    let is_for_it = |file: &&PathBuf| {
        let text = std::fs::read_to_string(file).expect("it can be read");
        let targets = text.lines().find(|line| line.trim_start().starts_with("\"targets\""));
        targets.is_none_or(|line| line.contains("spirv-emulated")) && !file.to_string_lossy().contains(LARGEST)
    };
    let mut wrong = String::new();
    let mut ran = 0;
    for file in files.iter().filter(is_for_it) {
        let (passed, text) = run(file, checks);
        if text.contains("which is not installed") {
            return wgc_runtime::vulkan::testing::left_out(&text);
        }
        if !passed || text.contains(REPORT) {
            wrong += &format!("{}\n{text}\n", file.display());
        }
        ran += 1;
    }
    assert!(wrong.is_empty() && ran >= least, "{ran} files\n{wrong}");
}

#[test]
fn core_and_sync_validation_layers_report_nothing() {
    report_nothing("SYNCHRONIZATION_VALIDATION", &FOLDERS, 100);
}

#[test]
fn gpu_assisted_validation_reports_nothing() {
    let all = std::env::var("WGC_LAYERS").is_ok_and(|which| which == "all");
    let (folders, least) = if all { (&FOLDERS[..], 100) } else { (&FOLDERS[..2], 15) };
    report_nothing("GPU_ASSISTED", folders, least);
}
