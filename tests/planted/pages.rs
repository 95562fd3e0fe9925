//! Wrong entries of the page table: pages of other queues, free ones, and none at all.

use crate::barriers::{barriers, without};
use crate::packages::{Plain, Program, Ran, options, plan, run_file};
use crate::wrapper::{Known, Overrides};
use wgc_abi::device as abi;
use wgc_backend_spirv::emulated::EmulatedOptions as CompilerOptions;
use wgc_backend_spirv::emulated::plan::Settings;
use wgc_runtime::device::{Command, Device, Result};
use wgc_runtime::emulated::EmulatedOptions;

/// The replacement of a queue's first page.
#[derive(Clone, Copy, Debug)]
enum Page {
    /// The first page of another queue.
    Of(u64),
    /// A page without an owner.
    Free,
    /// The memory after the arena.
    Outside,
}

/// Corrupts the entry after the first launch of this name that leaves pages in the queue.
struct Wrong {
    after: &'static str,
    queue: u64,
    page: Page,
    planted: bool,
}

impl Wrong {
    fn plant(&mut self, device: &mut dyn Device, known: &Known) -> Result<()> {
        let state = |device: &mut dyn Device, queue: u64| -> Result<abi::QueueState> {
            let size = abi::QueueState::SIZE;
            let bytes = known.read(device, known.context.queues + queue * size as u64, size)?;
            Ok(abi::QueueState::decode(&bytes).unwrap_or_default())
        };
        let entry =
            |device: &mut dyn Device, table: u64, number: u32| known.read(device, table + u64::from(number) * 8, 8);
        let own = state(device, self.queue)?;
        let status = abi::Status::decode(&known.read(device, known.context.status, abi::Status::SIZE)?);
        let free = status.unwrap_or_default().pages_free;
        let (pages, list) = (known.context.pages, known.context.free);
        let page = match self.page {
            Page::Of(other) => {
                let other = state(device, other)?;
                if other.page_count == 0 {
                    return Ok(());
                }
                entry(device, pages, other.first_page)?
            }
            Page::Free if free == 0 => return Ok(()),
            Page::Free => entry(device, list, free - 1)?,
            Page::Outside => (known.context.chunks[0] + (1 << 30)).to_le_bytes().to_vec(),
        };
        if own.page_count != 0 && own.tail != 0 {
            known.write(device, pages + u64::from(own.first_page) * 8, &page)?;
            self.planted = true;
        }
        Ok(())
    }
}

impl Overrides for Wrong {
    fn submit(&mut self, device: &mut dyn Device, known: &Known, commands: &[Command]) -> Result<()> {
        for command in commands {
            device.submit(std::slice::from_ref(command))?;
            if let Command::Dispatch { label, .. } | Command::DispatchIndirect { label, .. } = command
                && label == self.after
                && !self.planted
            {
                self.plant(device, known)?;
            }
        }
        Ok(())
    }
}

/// Runs the graph in sweeps with a wrong page for the queue of `Last`, which has no spill.
fn run(program: &Program, options: EmulatedOptions, page: fn(queue: u64) -> Page) -> Ran {
    let queue = |name: &str| {
        let instance = program.package.manifest.instances.iter().find(|instance| instance.node.name == name);
        u64::from(instance.unwrap_or_else(|| panic!("there is no {name}")).queue)
    };
    let overrides = Wrong { after: "Spread", queue: queue("Last"), page: page(queue("Spread")), planted: false };
    program.run_file(&program.package, &run_file("graph"), options, overrides)
}

#[test]
fn wrong_pages_are_found() {
    let program = Program::new("graph");
    let ran = run(&program, options("sweeps"), |_| Page::Outside);
    assert!(ran.has("WG4001"), "{ran:?}");
    let ran = run(&program, options("sweeps"), |_| Page::Free);
    assert!(ran.has("WG4011"), "{ran:?}");
}

/// Returns the graph with guards, and its options.
fn guarded() -> (Program, EmulatedOptions) {
    let plan = Settings { guarded: true, joint_dispatch: 0, direct_targets: 0, ..plan() };
    let mut program = Program::new("graph");
    program.package =
        program.session.emulated(&CompilerOptions { plan, ..CompilerOptions::default() }).expect("it compiles");
    (program, EmulatedOptions { poison: true, ..options("sweeps") })
}

/// Memory there is defined, so only guards can detect it.
#[test]
fn guards_detect_pages_of_other_queues() {
    let (program, options) = guarded();
    let ran = program.run_file(&program.package, &run_file("graph"), options, Plain);
    assert!(ran.is_clean(), "{ran:?}");
    let ran = run(&program, options, Page::Of);
    let text = ran.failed.unwrap_or_default();
    assert!(text.contains("a record of its queue 7 is in a page that is free or belongs to another queue"), "{text}");
}

/// Two of them protect pages that are free and in a queue at the same time, which the kernel detects.
#[test]
fn barriers_that_the_kernel_guard_leaves_out_are_found() {
    const GUARD: &str = "sched/guard.spv";
    let (mut program, options) = guarded();
    let whole = program.package.clone();
    let runs = |program: &Program| {
        let clean = program.run_file(&program.package, &run_file("graph"), options, Plain);
        [clean, run(program, options, |_| Page::Free)]
    };
    assert!(runs(&program).iter().all(|ran| !ran.has("WG4012")));
    let places = barriers(&whole.modules[GUARD]);
    assert_eq!(places.len(), 3);
    for (number, place) in places.into_iter().enumerate() {
        program.package = without(&whole, GUARD, place);
        assert!(runs(&program).iter().any(|ran| ran.has("WG4012")), "number {number}");
    }
}
