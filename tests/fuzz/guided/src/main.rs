//! One binary for all targets under libFuzzer, because each links the whole compiler: `WGC_FUZZ_TARGET` names the
//! target.
//!
//! `tools/fuzz` builds and runs it. With `WGC_FUZZ_WRITE=DIR` it writes the seeds of every target and the dictionary to
//! a folder and ends, for machines that have no checkout.

#![no_main]

use libfuzzer_sys::{fuzz_mutator, fuzz_target, fuzzer_mutate};
use std::cell::RefCell;
use std::path::Path;
use std::sync::OnceLock;
use wgc_fuzz::random::Random;
use wgc_fuzz::{TARGETS, Target, dictionary, find, mutate, seeds};

fn target() -> &'static Target {
    static TARGET: OnceLock<&'static Target> = OnceLock::new();
    TARGET.get_or_init(|| {
        if let Some(folder) = std::env::var_os("WGC_FUZZ_WRITE") {
            match write(Path::new(&folder)) {
                Ok(()) => std::process::exit(0),
                Err(e) => {
                    eprintln!("{}: {e}", Path::new(&folder).display());
                    std::process::exit(2);
                }
            }
        }
        let name = std::env::var("WGC_FUZZ_TARGET").unwrap_or_default();
        find(&name).unwrap_or_else(|| {
            let names: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
            eprintln!("WGC_FUZZ_TARGET is `{name}`; it names one of {}", names.join(", "));
            std::process::exit(2);
        })
    })
}

/// Writes `DIR/seeds/TARGET/*`, `DIR/dictionary` and `DIR/targets`: a name and the bytes of the largest input a line.
fn write(folder: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(folder)?;
    std::fs::write(folder.join("dictionary"), dictionary::file())?;
    let lines = TARGETS.iter().map(|target| format!("{} {}\n", target.name, target.most_bytes));
    std::fs::write(folder.join("targets"), lines.collect::<String>())?;
    for target in TARGETS {
        let own = folder.join("seeds").join(target.name);
        std::fs::create_dir_all(&own)?;
        for (name, bytes) in seeds::seeds(target) {
            std::fs::write(own.join(name.replace('/', "-")), bytes)?;
        }
    }
    Ok(())
}

fuzz_target!(init: {
    target();
}, |data: &[u8]| {
    if let Err(broken) = (target().body)(data) {
        panic!("{}: {broken}", target().name);
    }
});

thread_local! {
    /// The previous input, parts of which go into the next one.
    static DONOR: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    let mut random = Random::new(u64::from(seed));
    if random.one_in(8) {
        return fuzzer_mutate(data, size, max_size);
    }
    let input = data[..size].to_vec();
    let donor = DONOR.replace(input.clone());
    let made = mutate::mutate(target().form, &input, &donor, max_size, &mut random);
    data[..made.len()].copy_from_slice(&made);
    made.len()
});
