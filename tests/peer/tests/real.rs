//! Real shaders of public repositories: wgc accepts those that DXC accepts, and both modules have the same results.
//!
//! The table is always checked. `WGC_REAL_SHADERS` names the directory of sources (see `real/README.md`); without it
//! the rest is skipped. `WGC_REAL_ONLY=TEXT` selects the lines that contain it. `WGC_REAL_RUN=1` also executes.
//! `WGC_REAL_MODULES=DIR` receives wgc's modules, for SPIRV-Tools; `WGC_REAL_PEER_MODULES=DIR` receives DXC's.
//! `WGC_REAL_TABLE=FILE` receives the table with the verdicts of this run instead of the recorded ones.
//! `WGC_REAL_COUNTS=FILE` receives counts of the code of both compilers, and the report compares them.
//! `WGC_REAL_LEVEL=0` to `3` is wgc's level of optimisation.

#![allow(clippy::print_stdout, reason = "this is the test's report")]

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;
use wgc_ir::passes::OptLevel;
use wgc_peer::counts::{Counts, Pair, summary, table};
use wgc_peer::dxc::{library, required};
use wgc_peer::isolate::{Stages, in_parallel, serve_if_asked};
use wgc_peer::real::judge::{DEVICE, Depth, Judge, OPTIMISER, Settings, Verdict, WORDS};
use wgc_peer::real::{Peer, REPOSITORIES, SHADERS, Shader, shaders, sources};

const LEAST_SHADERS: usize = 1200;
const LEAST_REPOSITORIES: usize = 25;
const LEAST_ENTRIES: usize = 900;
/// Limit of shaders that wgc refuses, of a thousand that DXC accepts.
const REFUSED_OF_THOUSAND: usize = 5;
/// The table's verdict for a difference in computations with NaN, which DXC's modules leave undefined.
const NAN: &str = "nan";
const LIMIT: Duration = Duration::from_secs(40);
/// Requests of a child, limited because compilers keep their caches in memory.
const LIFETIME: usize = 60;

fn main() -> ExitCode {
    let text = std::env::var("WGC_REAL_INPUT").map_or_else(
        |_| SHADERS.to_owned(),
        |path| std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}")),
    );
    let served = text.clone();
    serve_if_asked(move || service(served));
    let all = shaders(&text).unwrap_or_else(|e| panic!("{e}"));
    // Here because a panic of a child has no message.
    level();
    if std::env::var_os("WGC_REAL_COUNTS").is_some() {
        required("counts of real shaders");
    }
    let mut complaints = if text == SHADERS { malformed(&all) } else { Vec::new() };
    match sources() {
        Some(_) => complaints.extend(measured(all)),
        None => eprintln!("LEFT OUT: real shaders: WGC_REAL_SHADERS names no directory of their sources"),
    }
    for complaint in &complaints {
        println!("{complaint}");
    }
    if complaints.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Returns the errors of the committed table.
fn malformed(all: &[Shader]) -> Vec<String> {
    let mut complaints = Vec::new();
    let mut complain = |wrong: bool, what: String| {
        if wrong {
            complaints.push(what);
        }
    };
    let commits: BTreeMap<&str, &str> =
        REPOSITORIES.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once('\t')).collect();
    for (repository, commit) in &commits {
        let hexadecimal = commit.len() == 40 && commit.bytes().all(|b| b.is_ascii_hexdigit());
        complain(!hexadecimal, format!("{repository}: {commit} is no commit"));
    }
    let used: BTreeSet<&str> = all.iter().map(Shader::repository).collect();
    for repository in &used {
        complain(!commits.contains_key(repository), format!("{repository} has no commit"));
    }
    let entries: BTreeSet<(&str, &str)> = all.iter().map(|shader| (&*shader.path, &*shader.entry)).collect();
    complain(all.len() < LEAST_SHADERS, format!("{} shaders are too few", all.len()));
    complain(used.len() < LEAST_REPOSITORIES, format!("{} repositories are too few", used.len()));
    complain(entries.len() < LEAST_ENTRIES, format!("{} entries are too few", entries.len()));
    let lines: Vec<String> = all.iter().map(Shader::line).collect();
    complain(!lines.is_sorted(), "the lines are not sorted".to_owned());
    let refused = all.iter().filter(|shader| shader.wgc != "ok").count();
    complain(refused * 1000 > REFUSED_OF_THOUSAND * all.len(), format!("wgc refuses {refused} of {}", all.len()));
    let differ = all.iter().filter(|shader| shader.run == "differs").count();
    complain(differ > 0, format!("{differ} differ without an explanation"));
    complaints
}

/// Returns wgc's level of optimisation.
fn level() -> OptLevel {
    match std::env::var("WGC_REAL_LEVEL").as_deref() {
        Err(_) => OptLevel::default(),
        Ok("0") => OptLevel::O0,
        Ok("1") => OptLevel::O1,
        Ok("2") => OptLevel::O2,
        Ok("3") => OptLevel::O3,
        Ok(other) => panic!("WGC_REAL_LEVEL={other}: there is no such level"),
    }
}

fn service(text: String) -> impl FnMut(&[u8], &mut Stages) -> Vec<u8> {
    let all = shaders(&text).expect("the parent has read it");
    let sources = sources().expect("the parent has it");
    let dir = |name| std::env::var_os(name).map(PathBuf::from);
    let (modules, peer_modules) = (dir("WGC_REAL_MODULES"), dir("WGC_REAL_PEER_MODULES"));
    let settings = Settings { modules, peer_modules, level: level() };
    let mut judge = Judge::new(&sources, library().as_deref(), settings).expect("DXC can be loaded");
    move |request, stages| {
        let [depth, number @ ..] = request else { return Vec::new() };
        let number = usize::from_le_bytes(number.try_into().unwrap_or_default());
        let depth = match depth {
            0 => Depth::Compile,
            1 => Depth::Run,
            _ => Depth::Findings,
        };
        all.get(number).map_or_else(Vec::new, |shader| judge.judge(number, shader, depth, stages).encode())
    }
}

/// Judges all selected shaders.
fn measured(mut all: Vec<Shader>) -> Vec<String> {
    let only = std::env::var("WGC_REAL_ONLY").unwrap_or_default();
    let execute = std::env::var_os("WGC_REAL_RUN").is_some_and(|value| value == "1");
    let chosen: Vec<usize> = (0..all.len()).filter(|&n| all[n].line().contains(&only)).collect();
    let mut complaints = Vec::new();
    let mut seen: BTreeMap<usize, (Verdict, Option<Verdict>)> = BTreeMap::new();
    for (n, answer) in asked(Depth::Compile, &chosen) {
        let verdict = answer.unwrap_or_else(|death| Verdict {
            dxc: String::new(),
            wgc: "died".to_owned(),
            message: death,
            run: "-".to_owned(),
            why: String::new(),
            counts: None,
        });
        seen.insert(n, (verdict, None));
    }
    if execute {
        let runs = |n: &usize| all[*n].peer == Peer::Spirv && !all[*n].is_library() && seen[n].0.wgc == "ok";
        let runnable: Vec<usize> = chosen.iter().copied().filter(runs).collect();
        let mut dead = Vec::new();
        for (n, answer) in asked(Depth::Run, &runnable) {
            match answer {
                Ok(verdict) => seen.entry(n).and_modify(|both| both.1 = Some(verdict)),
                Err(death) => {
                    dead.push((n, death));
                    continue;
                }
            };
        }
        let again: Vec<usize> = dead.iter().map(|(n, _)| *n).collect();
        for (n, answer) in asked(Depth::Findings, &again) {
            let death = dead.iter().find(|(m, _)| *m == n).map_or("", |(_, death)| death);
            let mut verdict = answer.unwrap_or_else(|again| Verdict {
                run: "-".to_owned(),
                why: format!("the CPU device: {again}"),
                ..seen[&n].0.clone()
            });
            verdict.why = format!("{death}; {}", verdict.why);
            if verdict.run == "differs" {
                // Neither module gave a result to compare.
                verdict.run = "-".to_owned();
            }
            seen.entry(n).and_modify(|both| both.1 = Some(verdict));
        }
    }
    let mut report = String::new();
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for (&n, (compiled, ran)) in &seen {
        let shader = &mut all[n];
        let name = format!("{} {}", shader.path, shader.entry);
        *counts.entry(format!("wgc {}", compiled.wgc)).or_default() += 1;
        if compiled.dxc != "ok" {
            complaints.push(format!("{name}: DXC refuses it: {}", compiled.dxc));
        }
        if compiled.wgc != shader.wgc {
            complaints.push(format!("{name}: {} in place of {}: {}", compiled.wgc, shader.wgc, compiled.message));
        }
        shader.wgc.clone_from(&compiled.wgc);
        let Some(ran) = ran else { continue };
        let kind = ran.run.split(' ').next().unwrap_or_default().to_owned();
        *counts.entry(format!("run {kind}")).or_default() += 1;
        if ran.run != "agree" {
            let _ = writeln!(report, "{name}: {}: {}", ran.run, ran.why);
        }
        // Explained differences are in the table. Shaders that depend on the order of threads agree at times.
        let is_explained = shader.run == ran.run || (shader.run == NAN && ran.run == "differs");
        if is_explained || (shader.run == DEVICE && ran.run == "agree") {
            continue;
        }
        // A shader that was compared before but not now is also reported. One that both modules leave undefined agrees
        // at times.
        let is_lost = shader.run == "agree" && ran.run == "-";
        let asks = is_lost || ["differs", DEVICE, OPTIMISER, WORDS].contains(&&*ran.run);
        if asks {
            complaints.push(format!("{name}: {}: {}", ran.run, ran.why));
        }
        shader.run.clone_from(&ran.run);
    }
    print!("{report}");
    println!("{} shaders: {counts:?}", seen.len());
    if let Some(path) = std::env::var_os("WGC_REAL_COUNTS") {
        let pairs = pairs(&all, &seen);
        print!("{}", summary(&pairs));
        let unwritten = seen.iter().filter(|(_, (compiled, _))| compiled.wgc == "ok" && !compiled.message.is_empty());
        complaints.extend(unwritten.map(|(n, (compiled, _))| format!("{}: {}", all[*n].path, compiled.message)));
        if let Err(error) = std::fs::write(&path, table(&pairs)) {
            complaints.push(format!("{}: {error}", path.display()));
        }
    }
    if let Some(path) = std::env::var_os("WGC_REAL_TABLE") {
        let comments = SHADERS.lines().filter(|line| line.starts_with('#')).map(str::to_owned);
        let mut lines: Vec<String> = all.iter().map(Shader::line).collect();
        lines.sort();
        let text: String = comments.chain(lines).map(|line| line + "\n").collect();
        if let Err(error) = std::fs::write(&path, text) {
            complaints.push(format!("{}: {error}", path.display()));
        }
    }
    complaints
}

/// Returns the counts of all shaders that both compilers compiled.
fn pairs(all: &[Shader], seen: &BTreeMap<usize, (Verdict, Option<Verdict>)>) -> Vec<Pair> {
    let counted = seen.iter().filter_map(|(number, (compiled, _))| Some((*number, compiled.counts.as_ref()?)));
    let pair = |(number, [ours, theirs]): (usize, &[Counts; 2])| {
        let shader = &all[number];
        let words = [&*shader.path, &shader.entry, &shader.profile].into_iter();
        let words: Vec<&str> = words.chain(shader.defines.iter().map(String::as_str)).collect();
        Pair { number, name: words.join(" "), ours: ours.clone(), theirs: theirs.clone() }
    };
    counted.map(pair).collect()
}

/// Returns the verdicts of child processes.
fn asked(depth: Depth, shaders: &[usize]) -> Vec<(usize, Result<Verdict, String>)> {
    let workers = std::thread::available_parallelism().map_or(2, usize::from);
    let mut answers = Vec::new();
    let spell = |n: &usize| {
        let mut request = vec![depth as u8];
        request.extend(n.to_le_bytes());
        request
    };
    in_parallel(workers, LIFETIME, LIMIT, shaders.iter().copied(), spell, |n, answer| {
        let answer = answer.map(|bytes| Verdict::decode(&bytes));
        answers.push((n, answer.map_err(|death| format!("{} in {}", death.how, death.stage))));
    });
    answers
}
