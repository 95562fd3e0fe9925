//! Runs the compiler over DXC's tests, and compares the verdicts with `verdicts.tsv`. `WGC_DXC_TESTS` names the tests
//! (`tools/clang/test` of DXC's repository). A worse verdict fails, and so does a missed requirement of
//! [`wgc_conformance::bar`]. Without the tests, only the committed verdicts are checked against these requirements.
//!
//! ```text
//! WGC_DXC_TESTS=DIR cargo test -p wgc-conformance --test dxc                     compare
//! WGC_DXC_TESTS=DIR cargo test -p wgc-conformance --test dxc -- node. barrier    these paths only, with messages
//! WGC_DXC_TESTS=DIR WGC_BLESS=1 cargo test ..                                    write the current verdicts
//!     WGC_SPIRV_VAL=FILE       a program like tests/validate's spirv-val-file: `FILE MODULE..` prints `MODULE: ok`,
//!                              and reads `NAME.scalar.spv` as a module with scalar block layout
//!     WGC_DXC_REASONS=FILE     writes the reasons for refused cases, most frequent first
//! ```

#![allow(clippy::print_stdout, reason = "this is the test's report")]

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
use std::{env, fs, thread};
use wgc_conformance::bar::{self, Exceptions, lacking};
use wgc_conformance::compile::{Outcome, Reason, compile};
use wgc_conformance::corpus::{Case, cases};
use wgc_conformance::report::{histogram, totals};
use wgc_conformance::table::{self, Changes, Row};
use wgc_conformance::{Role, Verdict};

/// Deep definitions need deep stacks; the system only commits pages that are touched.
const STACK: usize = 512 << 20;

fn main() -> ExitCode {
    match run() {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => {
            println!("conformance: {message}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<bool, String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("verdicts.tsv");
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/differences.md");
    let text = fs::read_to_string(&page).map_err(|e| format!("{}: {e}", page.display()))?;
    let exceptions = Exceptions::parse(&text);
    let table = table::parse(&fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?)?;
    let Some(root) = env::var_os("WGC_DXC_TESTS").map(PathBuf::from) else {
        println!("conformance: left out: WGC_DXC_TESTS names no directory with DXC's tests");
        println!("verdicts of {} runs as committed:\n{}", table.len(), totals(&table, true));
        if bar::quoted(&text) != totals(&table, true) {
            println!("docs/differences.md has other totals: WGC_BLESS=1 writes them");
            return Ok(false);
        }
        return Ok(reached(&table, &exceptions));
    };
    let filters: Vec<String> = env::args().skip(1).filter(|a| !a.starts_with('-')).collect();
    let mut all = cases(&root).map_err(|e| e.to_string())?;
    all.retain(|case| filters.is_empty() || filters.iter().any(|f| case.path.contains(f.as_str())));
    let mut outcomes = compile_all(&root, &all);
    let validator = env::var_os("WGC_SPIRV_VAL");
    if let Some(validator) = &validator {
        validate(Path::new(validator), &all, &mut outcomes)?;
    }
    let rows: Vec<(Row, Option<Reason>)> =
        all.into_iter().zip(outcomes).map(|(case, o)| (Row { case, verdict: o.verdict }, o.reason)).collect();
    if !filters.is_empty() {
        for (row, reason) in &rows {
            let reason = reason.as_ref().map_or_else(String::new, |r| format!(": {}:{} {}", r.line, r.code, r.message));
            println!("{} {} [{}] {}{reason}", row.case.role, row.case.path, row.case.flag_text(), row.verdict);
        }
        return Ok(true);
    }
    let now: Vec<Row> = rows.iter().map(|r| r.0.clone()).collect();
    println!("{}", totals(&now, validator.is_some()));
    if let Some(file) = env::var_os("WGC_DXC_REASONS") {
        fs::write(&file, reasons(&rows, validator.is_some())).map_err(|e| e.to_string())?;
    }
    if env::var_os("WGC_BLESS").is_some() {
        if validator.is_none() {
            return Err("verdicts are written with the validator only: set WGC_SPIRV_VAL".into());
        }
        fs::write(&path, table::print(&now)).map_err(|e| e.to_string())?;
        fs::write(&page, bar::with_totals(&text, &totals(&now, true))).map_err(|e| e.to_string())?;
        println!("wrote {} and {}", path.display(), page.display());
        return Ok(reached(&now, &exceptions));
    }
    let changes = table::compare(&table, &now, validator.is_some());
    tell(&changes);
    Ok(changes.worse.is_empty() && changes.gone.is_empty() && reached(&now, &exceptions))
}

/// Prints the requirements of the bar that the verdicts miss.
fn reached(rows: &[Row], exceptions: &Exceptions) -> bool {
    let lacking = lacking(rows, exceptions);
    lacking.iter().for_each(|what| println!("LACKS: {what}"));
    lacking.is_empty()
}

/// Returns outcomes in the order of the cases.
fn compile_all(root: &Path, cases: &[Case]) -> Vec<Outcome> {
    let next = AtomicUsize::new(0);
    let done: Mutex<Vec<(usize, Outcome, Duration)>> = Mutex::new(Vec::with_capacity(cases.len()));
    let worker = || {
        while let Some((index, case)) =
            Some(next.fetch_add(1, Ordering::Relaxed)).and_then(|i| Some((i, cases.get(i)?)))
        {
            let start = Instant::now();
            let outcome = compile(root, case);
            done.lock().unwrap_or_else(PoisonError::into_inner).push((index, outcome, start.elapsed()));
        }
    };
    let start = Instant::now();
    thread::scope(|scope| {
        let threads = thread::available_parallelism().map_or(1, usize::from).min(cases.len());
        for _ in 0..threads {
            let spawned = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, worker);
            spawned.expect("a thread can be started");
        }
    });
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    if let Some((index, _, time)) = done.iter().max_by_key(|d| d.2) {
        println!(
            "{} runs in {:.1} s, the longest {:.1} s: {}",
            cases.len(),
            start.elapsed().as_secs_f64(),
            time.as_secs_f64(),
            cases[*index].path
        );
    }
    done.sort_by_key(|d| d.0);
    done.into_iter().map(|d| d.1).collect()
}

/// Passes all modules through the validator of SPIRV-Tools in one call.
fn validate(program: &Path, cases: &[Case], outcomes: &mut [Outcome]) -> Result<(), String> {
    let dir = tempfile::tempdir().map_err(|e| e.to_string())?;
    let mut files = HashMap::new();
    for (index, outcome) in outcomes.iter().enumerate() {
        let Some(words) = &outcome.module else { continue };
        let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
        let layout = if wants_scalar_layout(&cases[index]) { ".scalar" } else { "" };
        let file = dir.path().join(format!("{index}{layout}.spv"));
        fs::write(&file, bytes).map_err(|e| e.to_string())?;
        files.insert(file.to_string_lossy().into_owned(), index);
    }
    let ran = Command::new(program).args(files.keys()).output().map_err(|e| format!("{}: {e}", program.display()))?;
    let text = String::from_utf8_lossy(&ran.stdout);
    let mut validated = 0;
    for line in text.lines() {
        let Some((file, message)) = line.split_once(": ") else { continue };
        let Some(index) = files.get(file) else { continue };
        validated += 1;
        if message != "ok" {
            let reason = Reason { code: String::new(), message: message.to_owned(), line: 0 };
            outcomes[*index] = Outcome::failed(Verdict::Validator, reason);
        }
    }
    if validated == files.len() {
        Ok(())
    } else {
        Err(format!("{} spoke of {validated} of {} modules ({})", program.display(), files.len(), cases.len()))
    }
}

/// Returns whether a case is for hosts that enable `scalarBlockLayout`. Direct3D's layout breaks the rules of std140
/// and std430.
fn wants_scalar_layout(case: &Case) -> bool {
    case.flags.iter().any(|flag| matches!(flag.as_str(), "-fvk-use-scalar-layout" | "-fvk-use-dx-layout"))
}

fn reasons(rows: &[(Row, Option<Reason>)], validated: bool) -> String {
    let all: Vec<Row> = rows.iter().map(|r| r.0.clone()).collect();
    let mut text = totals(&all, validated);
    for (role, name) in Role::ALL {
        let part = histogram(rows, *role, 4);
        if !part.is_empty() {
            text += &format!("\n== {name}\n{part}");
        }
    }
    text
}

fn tell(changes: &Changes) {
    let list = |what: &str, cases: &[(Case, Verdict, Verdict)]| {
        for (case, then, now) in cases {
            println!("{what}: {} [{}]: {then} -> {now}", case.path, case.flag_text());
        }
    };
    list("better", &changes.better);
    list("other", &changes.moved);
    list("WORSE", &changes.worse);
    for case in &changes.gone {
        println!("GONE: {} [{}]", case.path, case.flag_text());
    }
    for path in &changes.other_text {
        println!("another text, not compared: {path}");
    }
    for case in &changes.new {
        println!("not in the table: {} [{}]", case.path, case.flag_text());
    }
    if !changes.better.is_empty() || !changes.new.is_empty() {
        println!("WGC_BLESS=1 writes these verdicts to the table");
    }
}
