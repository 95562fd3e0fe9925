//! Removed checks, by the table `faults.txt`: a shader that breaks its limits then does damage, and the CPU device
//! finds the location.

use crate::altered::{Plant, library, package};
use crate::packages::{Plain, Program, Ran, options, plan};
use std::fmt::Write;
use std::path::Path;
use wgc_abi::Package;
use wgc_runtime::run_file::RunFile;

#[derive(Debug, Default)]
struct Fault {
    name: String,
    plants: Vec<Plant>,
    order: String,
    way: String,
    errors: Vec<String>,
    found: String,
}

/// Returns the table.
fn faults() -> Vec<Fault> {
    let mut faults: Vec<Fault> = Vec::new();
    for (number, line) in include_str!("faults.txt").lines().enumerate() {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let (key, value) = line.split_once(':').unwrap_or_else(|| panic!("line {}: no key", number + 1));
        let text = value.strip_prefix(' ').unwrap_or(value).to_owned();
        if key == "fault" {
            faults.push(Fault { name: text, ..Fault::default() });
            continue;
        }
        let fault = faults.last_mut().unwrap_or_else(|| panic!("line {}: of no fault", number + 1));
        let place = match key {
            "file" => {
                fault.plants.push([text, String::new(), String::new()]);
                continue;
            }
            "find" | "plant" => {
                let at = if key == "find" { 1 } else { 2 };
                &mut fault.plants.last_mut().unwrap_or_else(|| panic!("line {}: of no file", number + 1))[at]
            }
            "order" => &mut fault.order,
            "way" => &mut fault.way,
            "found" => &mut fault.found,
            "errors" => {
                fault.errors = text.split_whitespace().map(str::to_owned).collect();
                continue;
            }
            _ => panic!("line {}: {key}", number + 1),
        };
        // Several lines form a text of several lines.
        if !place.is_empty() {
            place.push('\n');
        }
        place.push_str(&text);
    }
    faults
}

/// Returns a run file with three entry records, the first of which sets `order`.
fn run_file(order: &str) -> RunFile {
    let fields = [
        ("n", 5),
        ("count", 1),
        ("calls", 1),
        ("element", 0),
        ("grid", 2),
        ("at", 0),
        ("shared_at", 1),
        ("buffer", 0),
        ("image", 1),
        ("sampler_", 0),
        ("record", 0),
        ("spilled", 0),
        ("part", 1),
    ];
    let mut values = fields.map(|(_, value)| value);
    let plain = values;
    if let Some((field, value)) = order.split_once(' ') {
        let at = fields.iter().position(|(known, _)| *known == field).unwrap_or_else(|| panic!("no field {field}"));
        values[at] = value.parse().unwrap_or_else(|_| panic!("no number {value}"));
    }
    let words: Vec<String> = [values, plain, plain].concat().iter().map(u32::to_string).collect();
    let text = format!(
        r#"{{
        "resources": {{ "Out": {{ "zero_bytes": 16 }} }},
        "resource_heap": [
            {{ "zero_bytes": 4, "as": "RWStructuredBuffer<uint>" }},
            {{ "image": {{ "format": "r8_unorm", "size": [2, 2], "u8": [0, 0, 0, 0] }}, "as": "Texture2D<float>" }}
        ],
        "sampler_heap": [ {{ "sampler": {{ "filter": "linear", "address": "clamp" }} }} ],
        "dispatch": [ {{ "inputs": [ {{ "node": "Start", "u32": [{}] }} ] }} ]
    }}"#,
        words.join(", ")
    );
    RunFile::parse(text, Path::new("broken.run.json")).unwrap_or_else(|e| panic!("{e}"))
}

#[test]
fn omitted_limit_checks_are_detected() {
    let program = Program::new("broken");
    let sound = package(&program.session, &library(&[]), plan());
    let mut wrong = String::new();
    for way in ["one pass", "tight pass", "sweeps", "spilled sweeps"] {
        let ran = program.run_file(&sound, &run_file(""), options(way), Plain);
        assert!(ran.is_clean(), "{way}: {ran:?}");
    }
    let mut known: Vec<(Vec<Plant>, Package)> = Vec::new();
    for fault in faults() {
        let file = run_file(&fault.order);
        let run = |package: &Package| program.run_file(package, &file, options(&fault.way), Plain);
        if !fault.plants.is_empty() {
            let ran = run(&sound);
            let codes: Vec<&String> = ran.found.iter().map(|(code, _)| code).collect();
            if codes != fault.errors.iter().collect::<Vec<_>>() || ran.failed.is_some() {
                writeln!(wrong, "{}, with the check: {ran:?}", fault.name).unwrap();
            }
        }
        if !known.iter().any(|(plants, _)| *plants == fault.plants) {
            known.push((fault.plants.clone(), package(&program.session, &library(&fault.plants), plan())));
        }
        let planted = known.iter().find(|(plants, _)| *plants == fault.plants).map(|(_, package)| package);
        let ran = run(planted.expect("it was made"));
        if !is_found(&fault, &ran) {
            writeln!(wrong, "{}: {ran:?}", fault.name).unwrap();
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// Returns whether the run has the expected findings.
fn is_found(fault: &Fault, ran: &Ran) -> bool {
    let codes: Vec<&str> = fault.found.split_whitespace().filter(|word| word.starts_with("WG4")).collect();
    if codes.is_empty() {
        return ran.failed.as_ref().is_some_and(|text| text.contains(&fault.found));
    }
    codes.iter().any(|code| ran.has(code))
}

/// If the grids in records exceed one launch, the launch ends after those that fit. Its spare workgroups find the first
/// grid that does not fit, but belong to no record.
#[test]
fn spare_workgroups_after_an_oversized_grid_have_no_record() {
    let program = Program::new("spare");
    let text = r#"{
        "resources": { "Out": { "zero_bytes": 16 } },
        "dispatch": [ { "inputs": [ { "node": "Start", "u32": [65, 65, 65] } ] } ]
    }"#;
    let file = RunFile::parse(text.to_owned(), Path::new("spare.run.json")).unwrap_or_else(|e| panic!("{e}"));
    let few: Plant = ["abi.hlsl", "WG_MAX_GROUPS = 0x7fff8000u", "WG_MAX_GROUPS = 70u"].map(str::to_owned);
    let anybody: Plant = ["grids.hlsl", "        rank = WG_NO_RECORD;", "        return;"].map(str::to_owned);
    for (plants, has_entry) in [(vec![few.clone()], true), (vec![few, anybody], false)] {
        let package = package(&program.session, &library(&plants), plan());
        let ran = program.run_file(&package, &file, options("one pass"), Plain);
        let names_node = ran.failed.as_ref().is_some_and(|text| text.contains("node Work (level 0)"));
        assert!(names_node && ran.found.is_empty() == has_entry && (has_entry || ran.has("WG4011")), "{ran:?}");
    }
}
