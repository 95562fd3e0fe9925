//! Work-graph programs of public repositories compile for both targets. Their edges are fused, or have a reason, as the
//! table says. They have the same results with and without fusion.
//!
//! The table is always checked. `WGC_GRAPHS` names the directory of sources (see `real/README.md`); without it the rest
//! is skipped. `WGC_GRAPHS_ONLY=TEXT` selects the lines that contain it, and `WGC_GRAPHS_TABLE=FILE` receives the table
//! with the findings of this run.

#![allow(clippy::print_stdout, reason = "this is the test's report")]

use std::collections::{BTreeMap, BTreeSet};
use std::process::ExitCode;
use wgc_ir::passes::fusion::{Reason, Rule};
use wgc_peer::real::graphs::{EQUAL, GRAPHS, IDLE, Judged, ORDER, Program, judge, programs, sources};

const LEAST_PROGRAMS: usize = 25;
const LEAST_EQUAL: usize = 10;

fn main() -> ExitCode {
    let all = programs(GRAPHS).unwrap_or_else(|e| panic!("{e}"));
    let mut complaints = malformed(&all);
    match sources() {
        Some(root) => {
            let only = std::env::var("WGC_GRAPHS_ONLY").unwrap_or_default();
            let chosen: Vec<Program> = all.into_iter().filter(|program| program.line().contains(&only)).collect();
            let judged: Vec<Judged> = chosen.iter().map(|program| judge(program, &root)).collect();
            complaints.extend(chosen.iter().zip(&judged).flat_map(|(program, judged)| differences(program, judged)));
            report(&chosen, &judged);
        }
        None => eprintln!("LEFT OUT: public graphs: WGC_GRAPHS names no directory of their sources"),
    }
    complaints.iter().for_each(|complaint| println!("{complaint}"));
    if complaints.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Returns the errors of the committed table.
fn malformed(all: &[Program]) -> Vec<String> {
    let mut wrong = Vec::new();
    let decisions: BTreeSet<&str> =
        Rule::ALL.iter().map(|rule| rule.code()).chain(Reason::ALL.iter().map(|reason| reason.code())).collect();
    let mut commits = BTreeMap::new();
    let mut seen = BTreeSet::new();
    for program in all {
        let name = format!("{}/{}", program.repository, program.files.join(" "));
        if !seen.insert((&program.repository, &program.files, &program.flags)) {
            wrong.push(format!("{name}: twice in the table"));
        }
        if program.commit.len() != 40
            || *commits.entry((&program.repository, &program.files)).or_insert(&program.commit) != &program.commit
        {
            wrong.push(format!("{name}: no commit of 40 digits, or two"));
        }
        let decision =
            |edge: &String| edge.rsplit_once('=').map(|(_, decision)| decision.to_owned()).unwrap_or_default();
        let unknown = program.edges.iter().filter(|edge| !decisions.contains(decision(edge).as_str()));
        wrong.extend(unknown.map(|edge| format!("{name}: no such decision: {edge}")));
        if ![EQUAL, IDLE, ORDER, "-"].contains(&program.run.as_str()) {
            wrong.push(format!("{name}: no such run: {}", program.run));
        }
    }
    let equal = all.iter().filter(|program| program.run == EQUAL).count();
    if all.len() < LEAST_PROGRAMS || equal < LEAST_EQUAL {
        wrong.push(format!("{} programs, {equal} with results: the table has lost lines", all.len()));
    }
    wrong
}

/// Returns the differences between the table and a run.
fn differences(program: &Program, judged: &Judged) -> Vec<String> {
    let name = format!("{}/{} {}", program.repository, program.files.join(" "), program.flags.join(" "));
    let mut wrong = Vec::new();
    if program.verdict != judged.verdict {
        wrong.push(format!("{name}: {} and not {}: {}", judged.verdict, program.verdict, judged.why));
    }
    if program.edges != judged.edges {
        wrong.push(format!("{name}: edges {} and not {}", judged.edges.join(","), program.edges.join(",")));
    }
    if program.run != judged.run {
        wrong.push(format!("{name}: runs are {} and not {}: {}", judged.run, program.run, judged.why));
    }
    wrong
}

fn report(chosen: &[Program], judged: &[Judged]) {
    let count = |run: &str| judged.iter().filter(|judged| judged.run == run).count();
    let fused = |mode: usize| judged.iter().map(|judged| judged.fused[mode]).sum::<usize>();
    println!(
        "{} programs: {} compile; {} edges, {} fused in safe and {} in full; runs: {} equal, {} idle, {} depend on order",
        judged.len(),
        judged.iter().filter(|judged| judged.verdict == "ok").count(),
        judged.iter().map(|judged| judged.edges.len()).sum::<usize>(),
        fused(0),
        fused(1),
        count(EQUAL),
        count(IDLE),
        count(ORDER),
    );
    for (program, judged) in chosen.iter().zip(judged).filter(|(_, judged)| judged.run == "-") {
        println!("not run: {}/{}: {}", program.repository, program.files.join(" "), judged.why);
    }
    if let Ok(file) = std::env::var("WGC_GRAPHS_TABLE") {
        let mut text = GRAPHS.lines().next().unwrap_or_default().to_owned() + "\n";
        for (program, judged) in chosen.iter().zip(judged) {
            let Judged { verdict, edges, run, .. } = judged.clone();
            text += &(Program { verdict, edges, run, ..program.clone() }.line() + "\n");
        }
        std::fs::write(&file, text).unwrap_or_else(|e| panic!("{file}: {e}"));
    }
}
