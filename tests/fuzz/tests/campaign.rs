//! The bodies of all fuzz targets over mutants of their seeds: fixed seeds, and as many mutants as fit into the tests.
//!
//! `WGC_FUZZ_COUNT=100000` tries as many mutants of each target, and `WGC_FUZZ_SEED=7` others. A finding is reduced and written
//! to a file, which the message names.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, Once, PoisonError};
use std::time::{Duration, Instant};
use wgc_fuzz::random::Random;
use wgc_fuzz::{Target, find, mutate, reduce, seeds, with_stack};

/// No input may take longer, on a loaded machine without optimisation.
const LONGEST: Duration = Duration::from_secs(60);

/// Bytes that the process may ever have had in memory.
const MOST_MEMORY: u64 = 3 << 30;

/// Kinds of findings of a target before it is enough.
const MOST_FINDINGS: usize = 20;

/// Questions of a reduction.
const MOST_QUESTIONS: usize = 600;

thread_local! {
    /// What the last panic of this thread said.
    static PANIC: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Keeps what panics say, in place of printing it.
fn keep_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let print = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            if std::thread::current().name().is_none() {
                PANIC.set(panic.to_string());
            } else {
                print(panic);
            }
        }));
    });
}

fn number(variable: &str, otherwise: u64) -> u64 {
    match std::env::var(variable) {
        Ok(text) => text.parse().unwrap_or_else(|_| panic!("{variable} is `{text}`, not a number")),
        Err(_) => otherwise,
    }
}

/// Whether an input is right, or what is found with it.
fn tried(target: &Target, input: &[u8]) -> Result<bool, String> {
    catch_unwind(AssertUnwindSafe(|| (target.body)(input))).unwrap_or_else(|_| Err(PANIC.take()))
}

/// What a finding is without its numbers and names, so that it is found again.
fn kind(message: &str) -> String {
    let mut quoted = false;
    let kept = |c: &char| {
        quoted ^= *c == '`';
        !quoted && !c.is_ascii_digit()
    };
    message.lines().take(2).flat_map(str::chars).take(200).filter(kept).collect()
}

fn written(target: &Target, n: u64, input: &[u8]) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("fuzz-{}-{n}", target.name));
    std::fs::write(&path, input).expect("a finding can be written");
    path
}

/// Ends the process when an input takes too long: nothing else stops what hangs.
struct Watch {
    current: Arc<Mutex<Option<(Instant, Vec<u8>)>>>,
}

impl Watch {
    fn new(target: &'static Target) -> Watch {
        let current: Arc<Mutex<Option<(Instant, Vec<u8>)>>> = Arc::default();
        let watched = Arc::downgrade(&current);
        std::thread::spawn(move || {
            while let Some(current) = watched.upgrade() {
                if let Some((start, input)) = &*current.lock().unwrap_or_else(PoisonError::into_inner)
                    && start.elapsed() > LONGEST
                {
                    let path = written(target, u64::MAX, input);
                    eprintln!("{}: {} takes longer than {LONGEST:?}", target.name, path.display());
                    std::process::exit(101);
                }
                drop(current);
                std::thread::sleep(Duration::from_millis(500));
            }
        });
        Watch { current }
    }

    fn set(&self, input: Option<&[u8]>) {
        let next = input.map(|input| (Instant::now(), input.to_vec()));
        *self.current.lock().unwrap_or_else(PoisonError::into_inner) = next;
    }
}

/// Bytes that the process had in memory at most; 0 where nothing says so.
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kib = line.and_then(|line| line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok());
    kib.unwrap_or(0) << 10
}

/// Tries `count` mutants of a target; of these `right` in a thousand at least are right, else little was tried.
#[allow(clippy::print_stdout, reason = "the figures are for docs/measurements.md")]
fn campaign(name: &str, count: u64, right: u64) {
    let target = find(name).expect("there is such a target");
    let (count, seed) = (number("WGC_FUZZ_COUNT", count), number("WGC_FUZZ_SEED", 1));
    keep_panics();
    let inputs = with_stack(|| seeds::seeds(target));
    assert!(inputs.len() > 1, "{name} has {} seeds", inputs.len());
    let (findings, accepted) = with_stack(|| {
        let watch = Watch::new(target);
        let (mut findings, mut accepted) = (Vec::<(String, String)>::new(), 0);
        for n in 0..count {
            let mut random = Random::new(seed << 40 | n);
            let [input, donor] = [(); 2].map(|()| &inputs[random.below(inputs.len())].1);
            let mutant = mutate::mutate(target.form, input, donor, target.most_bytes, &mut random);
            watch.set(Some(&mutant));
            let result = tried(target, &mutant);
            let result = result.and_then(|right| match peak() {
                most if most > MOST_MEMORY => Err(format!("the process takes {most} bytes of memory")),
                _ => Ok(right),
            });
            watch.set(None);
            let message = match result {
                Ok(right) => {
                    accepted += u64::from(right);
                    continue;
                }
                Err(message) => message,
            };
            let kind = kind(&message);
            if findings.iter().any(|(known, _)| *known == kind) {
                continue;
            }
            let shows = |input: &[u8]| tried(target, input).is_err_and(|message| self::kind(&message) == kind);
            let reduced = reduce::reduce(&mutant, MOST_QUESTIONS, &mut { shows });
            let path = written(target, n, &reduced);
            let said: String = message.chars().take(2_000).collect();
            findings.push((kind, format!("mutant {n} of seed {seed}, reduced in {}: {said}", path.display())));
            if findings.len() == MOST_FINDINGS {
                break;
            }
        }
        (findings, accepted)
    });
    println!("{name}: {count} mutants, {accepted} of them right, {} kinds of findings", findings.len());
    let findings: Vec<String> = findings.into_iter().map(|(_, said)| said).collect();
    let promise = target.promise;
    assert!(findings.is_empty(), "{name}: it is not so that {promise}:\n{}", findings.join("\n"));
    assert!(accepted * 1_000 >= right * count, "{name}: {accepted} of {count} are right");
}

/// Mutants of what is wrong already are wrong.
#[test]
fn most_seeds_of_the_compiler_are_right() {
    for name in ["compile-native", "compile-emulated", "compile-compute"] {
        let target = find(name).expect("there is such a target");
        let inputs = seeds::seeds(target);
        let sample: Vec<_> = inputs.iter().step_by(5).collect();
        let right = with_stack(|| sample.iter().filter(|(_, input)| (target.body)(input) == Ok(true)).count());
        assert!(right * 2 > sample.len(), "{name}: {right} of {} seeds are right", sample.len());
    }
}

#[test]
fn preprocess() {
    campaign("preprocess", 1_000, 300);
}

#[test]
fn parse() {
    campaign("parse", 1_000, 100);
}

#[test]
fn format() {
    campaign("format", 300, 900);
}

#[test]
fn check() {
    campaign("check", 200, 20);
}

#[test]
fn compile_native() {
    campaign("compile-native", 150, 20);
}

#[test]
fn compile_emulated() {
    campaign("compile-emulated", 80, 20);
}

#[test]
fn compile_compute() {
    campaign("compile-compute", 150, 20);
}

#[test]
fn edits() {
    campaign("edits", 60, 50);
}

#[test]
fn lsp() {
    campaign("lsp", 60, 900);
}

#[test]
fn settings() {
    campaign("settings", 300, 50);
}

#[test]
fn package() {
    campaign("package", 200, 10);
}

#[test]
fn spirv() {
    campaign("spirv", 1_000, 50);
}
