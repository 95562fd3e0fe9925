//! Random programs in IR before and after each pass.
//!
//! Each program runs on the CPU device, without any pass. Then each pass runs alone. The new module is verified,
//! emitted, verified as SPIR-V and executed. All its buffers must have the same bits, without findings of the device.
//! The passes get programs as generated, and with locals as values. The levels of the optimiser are rows of the same
//! table. A failing program is reduced and printed.
//!
//! `WGC_OPTIMISER_COUNT=20000` tries that many programs, and `WGC_OPTIMISER_SEED=7` is the first seed.

#[path = "../../backend-spirv/tests/device/mod.rs"]
mod device;
mod expressions;
mod passes;
mod program;
#[path = "../support/random.rs"]
mod random;
mod run;
mod shrink;
mod statements;

use passes::{Form, LEFT_OUT, PASSES};
use program::{inputs, program};
use run::{Checker, Effect, Reference};
use std::collections::BTreeMap;
use std::time::Instant;
use wgc_ir::{BinaryOp, Module, Op, parse, print, verify};

/// Programs of every run of this test.
const COUNT: u64 = 250;
/// Each pass changes at least this many of them.
const LEAST_CHANGED: usize = 5;
/// Failures that are shown.
const SHOWN: usize = 3;

fn number(variable: &str, default: u64) -> u64 {
    match std::env::var(variable) {
        Ok(text) => text.parse().unwrap_or_else(|_| panic!("{variable}={text} is no number")),
        Err(_) => default,
    }
}

/// The work so far.
struct Findings {
    /// By pass, the number of programs that it changes.
    changed: BTreeMap<&'static str, usize>,
    /// Passes that failed. One failure of each is enough.
    failed: Vec<&'static str>,
    reports: Vec<String>,
}

impl Findings {
    /// Checks all passes on the program of a seed.
    fn check(&mut self, seed: u64) {
        let module = program(seed);
        let reference = Reference::of(&module, inputs(seed))
            .unwrap_or_else(|why| panic!("seed {seed}: the program itself is wrong: {why}\n{}", print(&module)));
        let form = if seed.is_multiple_of(2) { Form::Values } else { Form::Mixed };
        let mut checker = match Checker::new(&reference, &module, form) {
            Ok(checker) => checker,
            Err(why) => return self.report(seed, &module, (Form::Mixed, "form", |m| Form::Values.apply(m)), &why),
        };
        for (name, pass) in PASSES {
            if self.failed.contains(name) {
                continue;
            }
            match checker.check(*pass) {
                Ok(effect) => {
                    let counts = effect == Effect::Change || effect == Effect::Demotion && *name == "demote";
                    *self.changed.entry(name).or_default() += usize::from(counts);
                }
                Err(why) => self.report(seed, &module, (form, name, *pass), &why),
            }
        }
    }

    fn report(&mut self, seed: u64, module: &Module, pass: (Form, &'static str, fn(&mut Module)), why: &str) {
        self.failed.push(pass.1);
        self.reports.push(shrink::report(seed, module, pass, why));
    }
}

#[test]
fn passes_keep_the_results_of_random_programs() {
    let (first, count) = (number("WGC_OPTIMISER_SEED", 1), number("WGC_OPTIMISER_COUNT", COUNT));
    let begun = Instant::now();
    let changed = PASSES.iter().map(|(name, _)| (*name, 0)).collect();
    let mut findings = Findings { changed, failed: Vec::new(), reports: Vec::new() };
    for seed in first..first + count {
        findings.check(seed);
        if findings.reports.len() >= SHOWN {
            break;
        }
    }
    eprintln!("{count} programs from {first} on, {:.1} s", begun.elapsed().as_secs_f64());
    assert!(findings.reports.is_empty(), "\n{}", findings.reports.join("\n"));
    let changed = findings.changed;
    let table: String = changed.iter().map(|(name, n)| format!("{n:6}  {name}\n")).collect();
    eprint!("{table}");
    // Few programs need not have something for each pass.
    assert!(
        count < COUNT || changed.values().all(|n| *n >= LEAST_CHANGED),
        "a pass changes too few programs:\n{table}"
    );
}

#[test]
fn every_pass_has_a_row() {
    let list = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/ir/src/passes.rs")).expect("the list");
    let exports = list.split(';').filter_map(|item| item.trim_start().strip_prefix("pub use ")?.split_once("::"));
    let names = exports.flat_map(|(_, names)| names.split(|c: char| !c.is_alphanumeric() && c != '_'));
    let mut all: Vec<&str> = names.filter(|name| name.starts_with(|c: char| c.is_ascii_lowercase())).collect();
    let function = |row: &'static str| row.split(',').next().expect("a name");
    let mut rows: Vec<&str> = PASSES.iter().map(|row| function(row.0)).chain(LEFT_OUT.iter().map(|r| r.0)).collect();
    all.sort_unstable();
    rows.sort_unstable();
    rows.dedup();
    assert_eq!(rows, all, "the tables of passes.rs in this folder, and the passes of wgc-ir");
    let steps = wgc_ir::passes::STEPS.iter().map(|step| step.name);
    let missing: Vec<&str> = steps.filter(|name| !PASSES.iter().any(|row| function(row.0) == *name)).collect();
    assert!(missing.is_empty(), "steps of the optimiser that do not run alone: {missing:?}");
}

/// A pass with a fault: it swaps the operands of subtractions.
fn swaps_operands(module: &mut Module) {
    for function in module.functions.values_mut() {
        for value in function.values.values_mut() {
            if let Op::Binary { op: BinaryOp::Sub, lhs, rhs } = &mut value.op {
                std::mem::swap(lhs, rhs);
            }
        }
    }
}

/// The most lines of a reduced program with one operation, its operands and one store.
const MAX_LINES: usize = 60;

#[test]
fn failures_are_reduced() {
    let mut seeds: Vec<u64> = (1..=20).collect();
    seeds.sort_by_key(|seed| print(&program(*seed)).len());
    let fails = |seed: &u64| {
        let module = program(*seed);
        let reference = Reference::of(&module, inputs(*seed)).expect("the program is right");
        let checked = Checker::new(&reference, &module, Form::Mixed).and_then(|mut c| c.check(swaps_operands));
        Some((*seed, module, checked.err()?))
    };
    let (seed, module, why) = seeds.iter().find_map(fails).expect("a program subtracts");
    let report = shrink::report(seed, &module, (Form::Mixed, "swaps_operands", swaps_operands), &why);
    let (head, text) = report.split_once('\n').expect("a line and a program");
    assert!(head.contains(&format!("seed {seed}, Mixed form, pass `swaps_operands`: result")), "{head}");
    let small = parse(text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    assert!(text.lines().count() < MAX_LINES, "{text}");
    assert!(print(&small).contains(" = sub "), "{text}");
}

/// A reported program can be read again.
#[test]
fn programs_are_texts() {
    for seed in 1..=20 {
        let module = program(seed);
        let text = print(&module);
        let read = parse(&text).unwrap_or_else(|e| panic!("seed {seed}: {e}\n{text}"));
        assert_eq!(verify(&read), Ok(()), "seed {seed}");
        assert_eq!(print(&read), text, "seed {seed}");
    }
}
