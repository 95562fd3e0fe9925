//! Whole programs in the style of a renderer, `tests/programs/NAME`. Each runs on every target and device with results
//! of a model in its folder, and a changed constant makes each fail.

mod support;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use support::{PLACES, Place, Ran, Scratch, vulkan_is_here, wgc};

const DIRECTORY: &str = "tests/programs";

/// A program, and one constant of its files with another value that must change a result.
const PROGRAMS: &[(&str, &str, &str, &str)] = &[
    ("bloom", "bloom.hlsl", "{ 0.25, 0.5, 0.25 }", "{ 0.3, 0.4, 0.3 }"),
    ("bvh", "bvh.hlsl", "Spread(cell.x) << 2", "Spread(cell.y) << 2"),
    ("city", "grammar.hlsli", "{ 8, 4, 2, 3 }", "{ 8, 4, 3, 2 }"),
    ("clusters", "clusters.hlsl", "ErrorLimit = 3", "ErrorLimit = 4"),
    ("culling", "culling.hlsl", "pixels < LodPixels", "pixels < LodPixels * 1.1f"),
    ("materials", "scene.hlsli", "float3(2.3f, 0.9f, -0.2f)", "float3(2.3f, 0.9f, 0.2f)"),
    ("particles", "particles.hlsl", "c_gravity = -3277", "c_gravity = -3276"),
    ("pathtrace", "pathtrace.hlsl", "c_index = 1.5f", "c_index = 1.4f"),
    ("terrain", "terrain.hlsl", "away / 32.0f", "away / 31.0f"),
    ("textlog", "text.hlsli", "'d', 'e', 'f'", "'d', 'f', 'e'"),
];

fn places() -> Vec<Place> {
    let vulkan = vulkan_is_here("programs on Vulkan");
    PLACES.into_iter().filter(|p| vulkan || p.device != "vulkan").collect()
}

/// The benchmarks stop at the first diagnostic.
#[test]
fn generated_programs_of_benchmarks_have_no_diagnostics() {
    for text in [wgc_bench::graph(80), wgc_bench::graph(2000), wgc_bench::long_graph(3), wgc_bench::long_graph(200)] {
        let dir = Scratch::new().with("graph.hlsl", &text);
        let ran = wgc(&dir.0, ["check", "graph.hlsl", "-Werror"]).expect(0);
        assert_eq!(ran.stderr, "");
    }
}

fn run_file(programs: &Path, name: &str) -> PathBuf {
    programs.join(name).join(format!("{name}.run.json"))
}

fn run(file: &Path, place: Place) -> Ran {
    let file = file.to_string_lossy().into_owned();
    // Registers are those of Direct3D, where `t0` and `u0` differ; run files name resources by variable.
    let quiet = "-Wno-moved-binding";
    wgc(support::root(), ["run", "--inputs", &file, "--target", place.target, "--device", place.device, quiet])
}

/// Returns the sources of all programs, including shared ones.
fn sources() -> Vec<PathBuf> {
    let list = |dir: &Path| -> Vec<PathBuf> {
        std::fs::read_dir(dir).expect("it exists").map(|e| e.expect("it can be read").path()).collect()
    };
    let directories = list(&support::root().join(DIRECTORY));
    directories.iter().filter(|p| p.is_dir()).flat_map(|dir| list(dir)).filter(|p| p.is_file()).collect()
}

#[test]
fn every_program_is_listed() {
    let programs = support::root().join(DIRECTORY);
    let run_files: Vec<PathBuf> =
        sources().into_iter().filter(|p| p.to_string_lossy().ends_with(".run.json")).collect();
    assert_eq!(run_files.len(), PROGRAMS.len(), "{run_files:?}");
    assert!(PROGRAMS.len() >= 10);
    for (name, ..) in PROGRAMS {
        assert!(run_files.contains(&run_file(&programs, name)), "{name} has a run file of its name");
        assert!(programs.join(name).join("model.py").is_file(), "{name} has a model");
    }
}

#[test]
fn programs_match_their_model_results() {
    let places = places();
    let mut failures = String::new();
    for (name, ..) in PROGRAMS {
        for place in &places {
            let ran = run(&run_file(&support::root().join(DIRECTORY), name), *place);
            if ran.status != 0 || !ran.stderr.is_empty() {
                failures += &format!("{name} on {place:?}: exit {}\n{}{}\n", ran.status, ran.out(), ran.stderr);
            }
        }
    }
    assert!(failures.is_empty(), "{failures}");
}

#[test]
fn a_changed_constant_fails_every_program() {
    let places = places();
    for (name, changed, from, to) in PROGRAMS {
        let scratch = Scratch::new();
        for source in sources() {
            let within = source.strip_prefix(support::root().join(DIRECTORY)).expect("it lies there");
            let copy = scratch.0.join(within);
            std::fs::create_dir_all(copy.parent().expect("a file has a directory")).expect("it can be made");
            std::fs::copy(&source, &copy).expect("it can be copied");
        }
        let path = scratch.0.join(name).join(changed);
        let text = std::fs::read_to_string(&path).expect("the file exists");
        assert_eq!(text.matches(from).count(), 1, "{name}/{changed}: `{from}`");
        std::fs::write(&path, text.replace(from, to)).expect("it can be written");
        for place in &places {
            let ran = run(&run_file(&scratch.0, name), *place);
            assert_eq!(ran.status, 1, "{name} with `{to}` on {place:?}\n{}{}", ran.out(), ran.stderr);
            let failed = ran.out().lines().any(|line| line.starts_with("FAIL") && line.contains("expected"));
            assert!(failed && ran.stderr.is_empty(), "{}{}", ran.out(), ran.stderr);
        }
    }
}

/// The models compute the committed expectations.
#[test]
fn models_compute_the_committed_results() {
    if Command::new("python3").arg("--version").output().is_err() {
        let _ = writeln!(std::io::stderr(), "left out, because there is no python3: models of the programs");
        return;
    }
    for (name, ..) in PROGRAMS {
        let model = support::root().join(DIRECTORY).join(name).join("model.py");
        let checked = Command::new("python3").arg("-B").arg(&model).arg("--check").output().expect("python3 starts");
        let printed = String::from_utf8_lossy(&checked.stdout).into_owned() + &String::from_utf8_lossy(&checked.stderr);
        assert!(checked.status.success(), "{name}: {printed}");
    }
}
