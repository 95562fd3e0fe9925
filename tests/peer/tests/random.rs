//! Random programs, compiled by wgc and by DXC; both modules run, and their results are compared.
//!
//! ```text
//! cargo test -p wgc-peer --test random             the default seeds
//!     WGC_PEER_SEEDS=17,1000..2000                 these seeds
//!     WGC_PEER_WITHOUT=quads,precise               without these parts of the language (generate::Features)
//!     WGC_PEER_THREADS=4                           number of workers
//!     WGC_PEER_KEEP=DIR                            folder for reduced programs that differ (default: a temporary one)
//!     WGC_PEER_TRIES=400                           attempts to reduce one
//!     WGC_PEER_EXPLAIN=1                           also reduces programs that DXC refuses
//! cargo test -p wgc-peer --test random -- print 17 prints the program of a seed
//! ```

#![allow(clippy::print_stdout, reason = "this is the test's report")]

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};
use std::{env, fs, thread};
use wgc_peer::case::Case;
use wgc_peer::dxc;
use wgc_peer::generate::{Features, Program, program, seeds};
use wgc_peer::isolate::{Worker, in_parallel, serve_if_asked};
use wgc_peer::judge::{Judge, Verdict};
use wgc_peer::reduce::reduced;

/// The seeds of every run.
const SEEDS: Range<u64> = 0..300;
/// One of this many seeds also runs as nodes.
const TWINS: u64 = 8;
/// Time limit of a stage.
const LIMIT: Duration = Duration::from_secs(60);
/// Number of programs that one process serves.
const LIFETIME: usize = 150;
/// Percentage of programs that DXC may refuse: the generator should produce valid ones.
const MAX_INVALID: usize = 10;
/// Percentage of programs that DXC's optimiser may miscompile, rounded up for small numbers.
const MAX_THEIRS: usize = 1;
/// Differences that are reduced; the others are counted.
const MAX_REDUCED: usize = 8;

fn main() -> ExitCode {
    serve_if_asked(|| {
        let library = dxc::library().expect("the parent has found DXC");
        let mut judge = Judge::new(&library).expect("DXC can be loaded");
        move |request, stages| {
            if let Some(source) = request.strip_prefix(FAULT) {
                stages.enter("DXC");
                return fault(&judge, &String::from_utf8_lossy(source)).into_bytes();
            }
            let case = Case::decode(request).expect("the parent sends cases");
            judge.judge(&case, stages).encode()
        }
    });
    let arguments: Vec<String> = env::args().skip(1).filter(|a| !a.starts_with('-')).collect();
    let features = Features::without(&env::var("WGC_PEER_WITHOUT").unwrap_or_default());
    if let [command, seed] = &arguments[..]
        && command == "print"
    {
        print!("{}", program(seed.parse().unwrap_or_default(), &features).text());
        return ExitCode::SUCCESS;
    }
    if dxc::required("random programs beside those of DXC").is_none() {
        return ExitCode::SUCCESS;
    }
    if let Err(message) = planted_differences_are_found().and_then(|()| faults_are_as_listed()) {
        println!("{message}");
        return ExitCode::FAILURE;
    }
    let seeds = match env::var("WGC_PEER_SEEDS") {
        Ok(text) => seeds(&text).unwrap_or_else(|| panic!("WGC_PEER_SEEDS={text} is no list of numbers and ranges")),
        Err(_) => SEEDS.collect(),
    };
    if run(seeds, &features) { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// The judge accepts a correct program, including its twins. It notices a replaced operation in wgc's module, and a
/// program that DXC refuses.
fn planted_differences_are_found() -> Result<(), String> {
    let text = "[[vk::binding(0)]] RWByteAddressBuffer Out;\n[[vk::binding(5)]] cbuffer Block { int4 CI; };\n#ifdef NODE\n\
                [Shader(\"node\")] [NodeLaunch(\"broadcasting\")] [NodeDispatchGrid(2, 1, 1)]\n#endif\n[numthreads(8, 1, 1)]\n\
                void main(uint3 tid : SV_DispatchThreadID) { Out.Store(tid.x * 8u, (uint)(CI.x ^ (CI.y + (int)tid.x))); }\n";
    let case = Case {
        text: text.to_owned(),
        threads: 16,
        groups: 2,
        sixteen: false,
        row_major: false,
        layout: wgc_peer::generate::Layout::Vulkan,
        own_bytes: 4,
        twins: true,
        planted: false,
        cpu_only: false,
        slots: vec![wgc_peer::generate::Slot::Bits],
    };
    let mut worker = None;
    let verdict = ask(&mut worker, &case);
    if verdict != Verdict::Agree {
        return Err(format!("a right program: {verdict:?}"));
    }
    match ask(&mut worker, &Case { planted: true, ..case.clone() }) {
        Verdict::Differs { kind, .. } if kind.contains("wgc on the CPU device and DXC on the CPU device") => {}
        other => return Err(format!("a planted difference: {other:?}")),
    }
    let refused = Case { text: text.replace("CI.x ^", "CJ.x ^"), ..case };
    match ask(&mut worker, &refused) {
        Verdict::Invalid(_) => Ok(()),
        other => Err(format!("an undeclared name: {other:?}")),
    }
}

/// Starts a request for a source of the table of faults.
const FAULT: &[u8] = b"fault\n";

/// Returns DXC's result for a source: `refuses`, or the value and the capabilities.
fn fault(judge: &Judge, source: &str) -> String {
    let Some((words, value)) = judge.alone(source) else { return "refuses".into() };
    let mut text = format!("value {value:?}");
    let mut rest = words.get(5..).unwrap_or_default();
    while let [first, after @ ..] = rest {
        if first & 0xffff == 17 {
            text += &format!("\ndeclares {}", after.first().copied().unwrap_or_default());
        }
        rest = rest.get((first >> 16).max(1) as usize..).unwrap_or_default();
    }
    text
}

/// Every row of the table describes DXC's behaviour.
fn faults_are_as_listed() -> Result<(), String> {
    let mut wrong = Vec::new();
    let rows = include_str!("../dxc_faults.tsv").lines().filter(|line| !line.starts_with('#')).skip(1);
    for row in rows {
        let [name, does, _, _, source] = row.split('\t').collect::<Vec<_>>()[..] else {
            return Err(format!("dxc_faults.tsv: not five columns: {row}"));
        };
        let mut worker = Worker::start().map_err(|e| e.to_string())?;
        let found = match worker.ask(&[FAULT, source.as_bytes()].concat(), LIMIT) {
            Ok(reply) => String::from_utf8_lossy(&reply).into_owned(),
            Err(_) => "crashes".to_owned(),
        };
        let holds = match does.strip_prefix("wrong ") {
            Some(right) => found.starts_with("value Ok") && !found.starts_with(&format!("value Ok({right})")),
            None => found.lines().any(|line| line == does),
        };
        if !holds {
            wrong.push(format!("dxc_faults.tsv: {name}: `{does}` is listed, and it is: {}", found.replace('\n', ", ")));
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}

/// Returns the answer about a case; a crash is one too.
fn ask(worker: &mut Option<Worker>, case: &Case) -> Verdict {
    let mut own = worker.take().unwrap_or_else(|| Worker::start().expect("a child process can be started"));
    match own.ask(&case.encode(), LIMIT) {
        Ok(reply) => {
            *worker = Some(own).filter(|own| own.served() < LIFETIME);
            Verdict::decode(&reply)
        }
        Err(death) => crashed(&death.stage, &death.how),
    }
}

fn crashed(stage: &str, how: &str) -> Verdict {
    match stage {
        "DXC" => Verdict::Invalid(format!("DXC ends: {how}")),
        _ => Verdict::Differs { kind: format!("{stage} ends the process"), what: how.to_owned() },
    }
}

struct Report {
    agreed: usize,
    invalid: BTreeMap<String, Vec<u64>>,
    theirs: Vec<u64>,
    differing: Vec<(u64, String, String)>,
}

fn run(seeds: Vec<u64>, features: &Features) -> bool {
    let started = Instant::now();
    let threads = env::var("WGC_PEER_THREADS").ok().and_then(|n| n.parse().ok());
    let threads = threads.or_else(|| thread::available_parallelism().ok().map(usize::from)).unwrap_or(1);
    let mut report = Report { agreed: 0, invalid: BTreeMap::new(), theirs: Vec::new(), differing: Vec::new() };
    let made = |seed: u64| program(seed, features);
    let count = seeds.len();
    let requests = seeds.into_iter().map(|seed| (seed, Case::of(&made(seed), seed % TWINS == 0)));
    in_parallel(
        threads,
        LIFETIME,
        LIMIT,
        requests,
        |(_, case)| case.encode(),
        |(seed, _), answer| {
            let verdict = match answer {
                Ok(reply) => Verdict::decode(&reply),
                Err(death) => crashed(&death.stage, &death.how),
            };
            match verdict {
                Verdict::Agree => report.agreed += 1,
                Verdict::Invalid(why) => report.invalid.entry(headline(&why)).or_default().push(seed),
                Verdict::Theirs(_) => report.theirs.push(seed),
                Verdict::Differs { kind, what } => {
                    println!("seed {seed}: {kind}\n    {}", what.replace('\n', "\n    "));
                    report.differing.push((seed, kind, what));
                }
            }
        },
    );
    let invalid: usize = report.invalid.values().map(Vec::len).sum();
    println!(
        "{count} programs in {} s: {} agree, DXC refuses {invalid}, DXC's optimiser errs in {}, {} differ",
        started.elapsed().as_secs(),
        report.agreed,
        report.theirs.len(),
        report.differing.len()
    );
    if !report.theirs.is_empty() {
        println!("  DXC agrees without optimisation: {:?}", report.theirs);
    }
    let mut refused: Vec<(&String, &Vec<u64>)> = report.invalid.iter().collect();
    refused.sort_by_key(|(_, seeds)| std::cmp::Reverse(seeds.len()));
    for (why, seeds) in refused.into_iter().take(if invalid * 100 > MAX_INVALID * count { 20 } else { 3 }) {
        println!("  {} times, first seed {}: {why}", seeds.len(), seeds[0]);
    }
    if env::var_os("WGC_PEER_EXPLAIN").is_some() {
        // DXC's refusals are errors of the generator.
        for (why, seeds) in &report.invalid {
            keep(seeds[0], why, &made(seeds[0]), false);
        }
    }
    report.differing.sort();
    let mut kinds: Vec<&str> = Vec::new();
    let mut shown = Vec::new();
    for (seed, kind, _) in &report.differing {
        // One of each kind first.
        if !kinds.contains(&kind.as_str()) {
            kinds.push(kind);
            shown.push((*seed, kind));
        }
    }
    for (seed, kind) in shown.into_iter().take(MAX_REDUCED) {
        keep(seed, kind, &made(seed), seed % TWINS == 0);
    }
    report.differing.is_empty()
        && report.theirs.len() * 100 <= MAX_THEIRS * count
        && invalid * 100 <= MAX_INVALID * count
}

/// Returns the first line with an error.
fn headline(messages: &str) -> String {
    let line = messages.lines().find(|line| line.contains("error")).or_else(|| messages.lines().next());
    let line = line.unwrap_or_default();
    let text = line.split_once("error: ").map_or(line, |(_, text)| text);
    // Names differ from program to program.
    text.chars().filter(|c| !c.is_ascii_digit()).take(120).collect()
}

/// Reduces a program and writes it to a file.
fn keep(seed: u64, kind: &str, made: &Program, twins: bool) {
    let tries = env::var("WGC_PEER_TRIES").ok().and_then(|n| n.parse().ok()).unwrap_or(250);
    let mut worker = None;
    let twins = twins && (kind.contains("node"));
    const ON_THE_CPU_DEVICE: &str = "wgc on the CPU device and DXC on the CPU device";
    let cpu_only = kind.contains(ON_THE_CPU_DEVICE);
    let case = Case { cpu_only, ..Case::of(made, twins) };
    let small = reduced(&made.tree, tries, |tree| {
        let case = Case { text: tree.text(), ..case.clone() };
        match ask(&mut worker, &case) {
            Verdict::Agree | Verdict::Theirs(_) => false,
            Verdict::Invalid(why) => headline(&why) == kind,
            Verdict::Differs { kind: other, .. } => other == kind || (cpu_only && other.contains(ON_THE_CPU_DEVICE)),
        }
    });
    let dir = env::var_os("WGC_PEER_KEEP").map_or_else(env::temp_dir, PathBuf::from);
    let path = dir.join(format!("peer-{seed}.hlsl"));
    let text = format!(
        "// seed {seed}: {kind}\n// sixteen {}, row major {}, layout {:?}\n{}",
        made.sixteen,
        made.row_major,
        made.layout,
        small.text()
    );
    match fs::write(&path, text) {
        Ok(()) => println!("seed {seed} ({kind}), cut down: {}", path.display()),
        Err(error) => println!("{}: {error}", path.display()),
    }
}
