//! The initial states of queues, spills and instances: leftovers of an abandoned or unfinished dispatch, or
//! uninitialised memory. They make no difference to a dispatch.

use crate::packages::{Program, Ran, options, plan, run_file};
use crate::wrapper::{Known, Overrides};
use wgc_abi::device as abi;
use wgc_backend_spirv::emulated::EmulatedOptions as CompilerOptions;
use wgc_backend_spirv::emulated::plan::Settings;
use wgc_runtime::device::{Command, Device, Result};
use wgc_runtime::emulated::EmulatedOptions;

/// Words that overwrite the states before the first launch.
struct Leftovers {
    words: fn(usize) -> u32,
    bytes: usize,
    planted: bool,
}

impl Overrides for Leftovers {
    fn submit(&mut self, device: &mut dyn Device, known: &Known, commands: &[Command]) -> Result<()> {
        let is_launch = |c: &Command| matches!(c, Command::Dispatch { .. } | Command::DispatchIndirect { .. });
        if !self.planted && commands.iter().any(is_launch) {
            let words: Vec<u8> = (0..self.bytes / 4).flat_map(|word| (self.words)(word).to_le_bytes()).collect();
            known.write(device, known.context.queues, &words)?;
            self.planted = true;
        }
        device.submit(commands)
    }
}

fn run(program: &Program, options: EmulatedOptions, words: fn(usize) -> u32) -> Ran {
    let manifest = &program.package.manifest;
    let queues = wgc_abi::tables::Tables::decode(&program.package.tables).expect("the tables are sound");
    let states = queues.queues.len() + queues.spills.len() + manifest.instances.len();
    let overrides = Leftovers { words, bytes: states * abi::QueueState::SIZE, planted: false };
    program.run_file(&program.package, &run_file("graph"), options, overrides)
}

#[test]
fn leftover_memory_does_not_affect_dispatches() {
    let plan = Settings { guarded: true, joint_dispatch: 0, ..plan() };
    let mut guarded = Program::new("graph");
    guarded.package =
        guarded.session.emulated(&CompilerOptions { plan, ..CompilerOptions::default() }).expect("it compiles");
    let plain = Program::new("graph");
    let words: [fn(usize) -> u32; 4] = [|_| u32::MAX, |_| 1, |_| 7, |word| (word as u32).wrapping_mul(2_654_435_761)];
    for (number, words) in words.into_iter().enumerate() {
        let ran = run(&plain, options("ample sweeps"), words);
        assert!(ran.is_clean(), "ample sweeps, {number}: {ran:?}");
        for setup in ["one pass", "tight pass", "sweeps", "spilled sweeps"] {
            let ran = run(&plain, options(setup), words);
            assert!(ran.is_clean(), "{setup}, {number}: {ran:?}");
            let ran = run(&guarded, EmulatedOptions { poison: true, ..options(setup) }, words);
            assert!(ran.is_clean(), "{setup} with guards, {number}: {ran:?}");
        }
    }
}
