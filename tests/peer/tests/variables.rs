//! Source variables in debug information are true at every level of optimisation: see [`wgc_peer::variables`].
//!
//! ```text
//! cargo test -p wgc-peer --test variables      the programs in `variables/`, and random ones
//!     WGC_VARIABLE_SEEDS=17,1000..2000         random programs of these seeds
//!     WGC_PEER_THREADS=4                       number of threads for them
//! ```

#![allow(clippy::print_stdout, reason = "this is the test's report")]

use std::path::PathBuf;
use std::sync::Mutex;
use std::{env, fs, thread};
use wgc_abi::interface::Interface;
use wgc_ir::passes::OptLevel;
use wgc_peer::execute::Resource;
use wgc_peer::generate::{Features, program, seeds};
use wgc_peer::variables::{Compared, Failure, LEVELS, Observer, Sample, Share};
use wgc_sema::db::Options;

/// The random programs of every run.
const SEEDS: &str = "0..24";
/// Number of random programs that compilers serve: they keep all of them in memory.
const LIFETIME: usize = 60;
/// Percentage of random programs that the language may refuse.
const MAX_REFUSED: usize = 10;
/// Percentage of the scalars that have a value, by level. A compiler that loses all variables would be true as well.
const LEAST_SEEN: [(OptLevel, usize); LEVELS.len()] =
    [(OptLevel::O0, 90), (OptLevel::O1, 50), (OptLevel::O2, 45), (OptLevel::O3, 45)];

/// Returns the hand-written programs.
fn files() -> Vec<PathBuf> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("variables");
    let all = fs::read_dir(folder).expect("the folder is there");
    let mut all: Vec<PathBuf> = all.map(|entry| entry.expect("it can be listed").path()).collect();
    all.sort();
    all
}

fn options() -> Options {
    Options { compute_entry: Some("main".into()), shader_model: Some((6, 6)), ..Options::default() }
}

/// The resources of hand-written programs: `Marks`, `Out`, and `In` with `In[n] == n`.
fn resources(_: &Interface) -> Vec<Resource> {
    let numbers = (0..16u32).flat_map(u32::to_le_bytes).collect();
    vec![Resource::storage(0, vec![0; 16]), Resource::storage(1, vec![0; 64]), Resource::storage(2, numbers)]
}

fn report(what: &str, shares: &[Share; LEVELS.len()]) {
    for ((level, least), share) in LEAST_SEEN.into_iter().zip(shares) {
        let Share { samples, defined, seen } = share;
        let percent = share.percent();
        println!("{what}, {level:?}: {samples} samples, {seen} of {defined} scalars have a value ({percent} %)");
        assert!(*samples > 0 && percent >= least, "{what}, {level:?}: {percent} % is less than {least} %");
    }
}

/// Returns the word of an expected value: an integer, or a float with a point.
fn word(text: &str) -> u32 {
    match text.contains('.') {
        true => text.parse::<f32>().expect("a float").to_bits(),
        false => text.parse::<i64>().expect("an integer") as u32,
    }
}

/// Compares the true values with the comments of a program. `MARK; // x=1|2` expects that `x` is 1 when control reaches
/// the line first, then 2, and that there is no third time. A single value is expected each time. Returns the number of
/// values.
fn check_comments(text: &str, truth: &[Sample]) -> usize {
    let mut checked = 0;
    for (line, comment) in (1..).zip(text.lines()).filter_map(|(n, line)| Some((n, line.split_once("MARK; // ")?.1))) {
        let samples: Vec<&Sample> = truth.iter().filter(|sample| sample.line == line).collect();
        for (name, values) in comment.split(' ').map(|part| part.split_once('=').expect("name and values")) {
            let found = samples.iter().map(|sample| {
                let mut found = sample.values.iter().filter(|(key, _)| key.name == name);
                let first = found.next().and_then(|(_, value)| value.as_deref());
                assert!(found.next().is_none(), "line {line}: {name} is several variables");
                first
            });
            let found: Vec<Option<&[u32]>> = found.collect();
            let mut expected: Vec<u32> = values.split('|').map(word).collect();
            if let [always] = expected[..] {
                expected = vec![always; found.len().max(1)];
            }
            let expected: Vec<Option<&[u32]>> = expected.iter().map(|word| Some(std::slice::from_ref(word))).collect();
            assert_eq!(found, expected, "line {line}: {name}");
            checked += expected.len();
        }
    }
    checked
}

#[test]
fn variables_of_handwritten_programs_are_true() {
    let mut observer = Observer::default();
    let mut shares = [Share::default(); LEVELS.len()];
    let mut checked = 0;
    for file in files() {
        let (name, text) = (file.display(), fs::read_to_string(&file).expect("it can be read"));
        match observer.compare(&file.to_string_lossy(), &options(), &resources) {
            Ok(Compared { shares: found, truth }) => {
                checked += check_comments(&text, &truth);
                shares.iter_mut().zip(found).for_each(|(all, one)| all.add(one));
            }
            Err(Failure::Refused(what) | Failure::Wrong(what)) => panic!("{name}: {what}"),
        }
    }
    println!("{checked} values are as the comments expect");
    assert!(checked > 0);
    report("hand-written programs", &shares);
}

#[test]
fn planted_values_are_found() {
    let mut observer = Observer::default();
    let (mut found, mut all) = (0, 0);
    for name in ["loops.hlsl", "assignments.hlsl"] {
        let file = files().into_iter().find(|file| file.ends_with(name)).expect("the program is there");
        let planted = observer.planted(&file.to_string_lossy(), &options(), &resources);
        let (one, of) = planted.unwrap_or_else(|failure| panic!("{name}: {failure:?}"));
        (found, all) = (found + one, all + of);
    }
    println!("{found} of {all} planted faults are found");
    // Another value follows the others before a sample.
    assert!(found * 3 >= all, "{found} of {all}");
}

/// The results of random programs.
#[derive(Default)]
struct Random {
    shares: [Share; LEVELS.len()],
    count: usize,
    refused: Vec<String>,
    wrong: Vec<String>,
}

#[test]
fn variables_of_random_programs_are_true() {
    let text = env::var("WGC_VARIABLE_SEEDS").unwrap_or_else(|_| SEEDS.into());
    let seeds = seeds(&text).unwrap_or_else(|| panic!("WGC_VARIABLE_SEEDS={text} is no list of numbers and ranges"));
    let threads = env::var("WGC_PEER_THREADS").ok().and_then(|n| n.parse().ok());
    let threads = threads.or_else(|| thread::available_parallelism().ok().map(usize::from)).unwrap_or(1);
    // One thread runs, which has no neighbours.
    let features = Features { marks: true, ..Features::without("quads,waves,approximate") };
    let dir = tempfile::tempdir().expect("a temporary directory");
    let (next, results) = (Mutex::new(seeds.into_iter()), Mutex::new(Random::default()));
    let work = || {
        let mut observer = Observer::default();
        for n in 1.. {
            if n % LIFETIME == 0 {
                observer = Observer::default();
            }
            let Some(seed) = next.lock().expect("no thread panics").next() else { return };
            let file = dir.path().join(format!("{seed}.hlsl"));
            let compared = observer.compare_random(&program(seed, &features), &file);
            let mut results = results.lock().expect("no thread panics");
            results.count += 1;
            match compared {
                Ok(Compared { shares, .. }) => {
                    results.shares.iter_mut().zip(shares).for_each(|(all, one)| all.add(one));
                }
                Err(Failure::Refused(what)) => results.refused.push(format!("seed {seed}: {what}")),
                Err(Failure::Wrong(what)) => {
                    println!("seed {seed}: {what}");
                    results.wrong.push(format!("seed {seed}: {what}"));
                }
            }
        }
    };
    thread::scope(|scope| (0..threads).for_each(|_| _ = scope.spawn(work)));
    let Random { shares, count, refused, wrong } = results.into_inner().expect("no thread panics");
    println!("{count} random programs, {} refused", refused.len());
    refused.iter().for_each(|what| println!("{what}"));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(refused.len() * 100 <= MAX_REFUSED * count, "too many programs are refused");
    report("random programs", &shares);
}
