//! A bounded campaign: mutants of a target's seeds from fixed numbers, on stable Rust.

use crate::random::Random;
use crate::{Target, declarations, find, mutate, reduce, seeds, with_stack};
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, Once, PoisonError};
use std::time::{Duration, Instant};

/// Time limit of an input, on a loaded machine without optimisation.
const LONGEST: Duration = Duration::from_secs(60);

/// Limit of the process's peak memory, in bytes.
const MAX_MEMORY: u64 = 3 << 30;

/// Number of distinct findings after which a target stops.
const MAX_FINDINGS: usize = 20;

/// Number of attempts in a reduction.
const MAX_QUESTIONS: usize = 600;

thread_local! {
    /// The message of this thread's last panic.
    static PANIC: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Stores panic messages instead of printing them.
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

/// Returns whether an input is valid, or the finding.
fn tried(target: &Target, input: &[u8]) -> Result<bool, String> {
    catch_unwind(AssertUnwindSafe(|| (target.body)(input))).unwrap_or_else(|_| Err(PANIC.take()))
}

/// Returns a finding without its numbers and names, to recognise it again.
fn kind(message: &str) -> String {
    let mut quoted = false;
    let kept = |c: &char| {
        quoted ^= *c == '`';
        !quoted && !c.is_ascii_digit()
    };
    message.lines().take(2).flat_map(str::chars).take(200).filter(kept).collect()
}

fn written(target: &Target, n: u64, input: &[u8]) -> PathBuf {
    let path = std::env::temp_dir().join(format!("wgc-fuzz-{}-{n}", target.name));
    std::fs::write(&path, input).expect("a finding can be written");
    path
}

/// Ends the process when an input takes too long, because a hang cannot be stopped otherwise.
struct Watch {
    current: Arc<Mutex<Option<Current>>>,
}

/// The current input.
struct Current {
    input: Vec<u8>,
    start: Instant,
    /// The folder of its thread in `/proc`, and the processor time that it had used before.
    thread: PathBuf,
    taken: Duration,
}

impl Current {
    /// Returns processor time if known, because the clock says little on a loaded machine.
    fn took(&self) -> Duration {
        match time_of(&self.thread) {
            Some(taken) => taken.saturating_sub(self.taken).max(self.start.elapsed() / MAX_LOAD),
            None => self.start.elapsed(),
        }
    }
}

/// The ratio of elapsed to processor time that counts as a hang, because a waiting thread uses no processor time.
const MAX_LOAD: u32 = 10;

/// Returns the processor time that a thread has used.
fn time_of(thread: &Path) -> Option<Duration> {
    let stat = std::fs::read_to_string(thread.join("stat")).ok()?;
    // After the name, which may contain any character: user and system time are the 12th and 13th field, in hundredths
    // of a second.
    let mut fields = stat.rsplit(')').next()?.split_ascii_whitespace().skip(11);
    let ticks = fields.next()?.parse::<u64>().ok()? + fields.next()?.parse::<u64>().ok()?;
    Some(Duration::from_millis(ticks * 10))
}

impl Watch {
    fn new(target: &'static Target) -> Watch {
        let current: Arc<Mutex<Option<Current>>> = Arc::default();
        let watched = Arc::downgrade(&current);
        std::thread::spawn(move || {
            while let Some(current) = watched.upgrade() {
                if let Some(current) = &*current.lock().unwrap_or_else(PoisonError::into_inner)
                    && current.took() > LONGEST
                {
                    let path = written(target, u64::MAX, &current.input);
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
        let next = input.map(|input| {
            let thread = std::fs::canonicalize("/proc/thread-self").unwrap_or_default();
            let taken = time_of(&thread).unwrap_or_default();
            Current { input: input.to_vec(), start: Instant::now(), thread, taken }
        });
        *self.current.lock().unwrap_or_else(PoisonError::into_inner) = next;
    }
}

/// Returns the peak memory of the process in bytes; 0 if unknown.
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kib = line.and_then(|line| line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok());
    kib.unwrap_or(0) << 10
}

/// Tries `count` mutants of a target. At least `right` in a thousand must be valid, else the campaign tested little.
///
/// `WGC_FUZZ_COUNT` and `WGC_FUZZ_SEED` set another number, and other mutants.
///
/// # Panics
/// Panics on any finding. The message names files with reduced inputs.
pub fn campaign(name: &str, count: u64, right: u64) {
    let target = find(name).expect("there is such a target");
    let inputs = with_stack(|| seeds::seeds(target));
    assert!(inputs.len() > 1, "{name} has {} seeds", inputs.len());
    tries(target, count, right, &|random| {
        let [input, donor] = [(); 2].map(|()| &inputs[random.below(inputs.len())].1);
        mutate::mutate(target.form, input, donor, target.most_bytes, random)
    });
}

/// Tries programs of declarations that name each other. Few are valid.
///
/// # Panics
/// Panics on any finding. The message names files with reduced inputs.
pub fn declarations(name: &str, count: u64) {
    let target = find(name).expect("there is such a target");
    tries(target, count, 0, &|random| declarations::program(random).into_bytes());
}

#[allow(clippy::print_stdout, reason = "the figures are for docs/measurements.md")]
fn tries(target: &'static Target, count: u64, right: u64, next: &(dyn Fn(&mut Random) -> Vec<u8> + Sync)) {
    let name = target.name;
    let (count, seed) = (number("WGC_FUZZ_COUNT", count), number("WGC_FUZZ_SEED", 1));
    keep_panics();
    let (findings, accepted) = with_stack(|| {
        let watch = Watch::new(target);
        let (mut findings, mut accepted) = (Vec::<(String, String)>::new(), 0);
        for n in 0..count {
            let mut random = Random::new(seed << 40 | n);
            let mutant = next(&mut random);
            watch.set(Some(&mutant));
            let result = tried(target, &mutant);
            let result = result.and_then(|right| match peak() {
                most if most > MAX_MEMORY => Err(format!("the process takes {most} bytes of memory")),
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
            let reduced = reduce::reduce(&mutant, MAX_QUESTIONS, &mut { shows });
            let path = written(target, n, &reduced);
            let message: String = message.chars().take(2_000).collect();
            findings.push((kind, format!("mutant {n} of seed {seed}, reduced in {}: {message}", path.display())));
            if findings.len() == MAX_FINDINGS {
                break;
            }
        }
        (findings, accepted)
    });
    println!("{name}: {count} mutants, {accepted} of them right, {} kinds of findings", findings.len());
    let findings: Vec<String> = findings.into_iter().map(|(_, message)| message).collect();
    let promise = target.promise;
    assert!(findings.is_empty(), "{name}: it is not so that {promise}:\n{}", findings.join("\n"));
    assert!(accepted * 1_000 >= right * count, "{name}: {accepted} of {count} are right");
}
