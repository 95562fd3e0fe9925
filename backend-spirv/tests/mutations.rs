//! Tests with random small changes to the test files. If the IR's verifier accepts the result, it is emitted or
//! rejected without a panic, and the output is valid. With `WGC_DUMP_SPV` set, the modules are written out for
//! SPIRV-Tools too.

mod common;
#[path = "../../tests/support/random.rs"]
mod random;

use common::{dump, files};
use random::Random;
use wgc_backend_spirv::{EmitOptions, emit_amdx, emit_compute};
use wgc_ir::passes::OptLevel;

/// Returns the text with one change: a line removed, two lines swapped, a line repeated, or one word replaced by
/// another of the text.
fn mutate(text: &str, random: &mut Random) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let at = random.below(lines.len());
    match random.below(5) {
        0 => {
            lines.remove(at);
        }
        1 => {
            let other = random.below(lines.len());
            lines.swap(at, other);
        }
        2 => lines.insert(at, "  return".into()),
        _ => {
            let words: Vec<&str> = text.split_whitespace().collect();
            let replacement = words[random.below(words.len())];
            let mut here: Vec<String> = lines[at].split(' ').map(str::to_owned).collect();
            let word = random.below(here.len());
            here[word] = replacement.to_owned();
            lines[at] = here.join(" ");
        }
    }
    lines.join("\n")
}

#[test]
fn changed_files_never_panic() {
    let rounds: usize = std::env::var("WGC_MUTATIONS").ok().and_then(|n| n.parse().ok()).unwrap_or(150);
    let mut random = Random::new(0);
    let (mut emitted, mut refused) = (0, 0);
    for file in files() {
        let text = std::fs::read_to_string(&file).expect("a test file can be read");
        let name = file.file_stem().expect("a listed file has a name").to_string_lossy().into_owned();
        for round in 0..rounds {
            let mut changed = mutate(&text, &mut random);
            if round % 3 == 0 {
                changed = mutate(&changed, &mut random);
            }
            let Ok(module) = wgc_ir::parse(&changed) else { continue };
            if wgc_ir::verify(&module).is_err() {
                continue;
            }
            let level = [OptLevel::O0, OptLevel::O2, OptLevel::O3][round / 3 % 3];
            let options = EmitOptions { level, ..EmitOptions::default() };
            let result = if module.graph.nodes.is_empty() {
                emit_compute(&module, &options)
            } else {
                emit_amdx(&module, &options)
            };
            match result {
                Ok(module) => {
                    emitted += 1;
                    dump(&format!("mutation_{name}_{round}"), &module);
                }
                Err(_) => refused += 1,
            }
        }
    }
    assert!(emitted > 100, "{emitted} emitted, {refused} refused: the changes are too coarse");
}
