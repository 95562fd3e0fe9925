//! Omitted barriers: those of the host loop one kind after the other, and every one of each kernel and of nodes.

use crate::packages::{Plain, Program, Ran, plan};
use crate::wrapper::{Known, Overrides};
use std::fmt::Write;
use std::mem::offset_of;
use wgc_abi::{Package, device as abi};
use wgc_backend_spirv::emulated::plan::Settings;
use wgc_runtime::device::{Command, Device, DeviceError, Result};

/// Omits the barriers after launches of this name.
struct Behind(&'static str);

impl Overrides for Behind {
    /// Scheduled runs would be submitted in parts, each of which ends at a barrier that may be the omitted one.
    fn knows_the_undefined(&self, _: &dyn Device) -> bool {
        false
    }

    fn submit(&mut self, device: &mut dyn Device, _: &Known, commands: &[Command]) -> Result<()> {
        let mut last = "";
        let mut kept = Vec::with_capacity(commands.len());
        for command in commands {
            match command {
                Command::Barrier if last == self.0 => continue,
                Command::Barrier => {}
                Command::Dispatch { label, .. } | Command::DispatchIndirect { label, .. } => last = label,
            }
            kept.push(command.clone());
        }
        device.submit(&kept)
    }
}

/// The form of the compiled program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Joint,
    /// Without joint dispatches.
    Apart,
    /// Without joint dispatches and without 64-bit atomics.
    Listed,
}

/// Returns the package of [`graph.hlsl`](graph.hlsl).
fn compiled(program: &Program, form: Form) -> Package {
    let plan = match form {
        Form::Joint => plan(),
        Form::Apart => Settings { joint_dispatch: 0, ..plan() },
        Form::Listed => Settings { joint_dispatch: 0, atomics64: false, ..plan() },
    };
    program.session.emulated(&crate::packages::uncopied(plan)).expect("it compiles")
}

/// Run file, package, settings, and the launches that each need a barrier after them. `Also` is the last of the first
/// stage, `Spread` of the second. Before the second run scatter, scan and then joint.
const HOST: [(&str, Form, &str, &[&str]); 9] = [
    ("graph", Form::Joint, "one pass", &["prep", "inject", "Also", "Spread", "joint"]),
    ("graph", Form::Joint, "tight pass", &["prep", "inject", "Also", "Spread", "joint"]),
    ("graph", Form::Apart, "tight pass", &["Also", "scatter", "Spread"]),
    ("graph", Form::Joint, "sweeps", &["begin", "inject", "sched", "Also", "Spread", "joint"]),
    ("graph", Form::Joint, "spilled sweeps", &["begin", "inject", "sched", "Also", "Spread", "joint"]),
    ("graph", Form::Apart, "spilled sweeps", &["sched", "scatter"]),
    ("graph", Form::Listed, "one pass", &["Also", "scan"]),
    ("graph", Form::Listed, "sweeps", &["Also", "scan", "sched"]),
    ("counted", Form::Joint, "sweeps", &["open", "gather", "begin"]),
];

#[test]
fn barriers_that_the_host_leaves_out_are_found() {
    let program = Program::new("graph");
    let packages = [Form::Joint, Form::Apart, Form::Listed].map(|form| (form, compiled(&program, form)));
    let mut wrong = String::new();
    for (file, form, setup, launches) in HOST {
        let (_, package) = packages.iter().find(|(of, _)| *of == form).expect("all are there");
        // No launch has this name: the run keeps all barriers.
        for clean in [program.run(package, file, setup, Plain), program.run(package, file, setup, Behind("nothing"))] {
            assert!(clean.is_clean(), "{file}, {form:?}, {setup}: {clean:?}");
        }
        for behind in launches {
            let ran = program.run(package, file, setup, Behind(behind));
            // Launches run one after the other here, so no other error occurs.
            let is_between = |(code, text): &(String, String)| code == "WG4012" && text.contains("barrier in between");
            if ran.found.is_empty() || !ran.found.iter().all(is_between) || ran.failed.is_some() {
                writeln!(wrong, "behind {behind}, {file}, {form:?}, {setup}: {ran:?}").unwrap();
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

/// Barriers before draws: after the stage before them, and in sweeps after the end.
#[test]
fn barriers_before_draws_are_found() {
    const DRAWN: [(&str, &[(&str, &str)]); 2] = [
        ("../run/mesh_tiles", &[("one pass", "Rows"), ("sweeps", "Rows")]),
        ("../run/mesh_mixed", &[("sweeps", "end")]),
    ];
    for (name, rows) in DRAWN {
        let program = Program::new(name);
        for (setup, behind) in rows {
            let clean = program.run(&program.package, name, setup, Behind("nothing"));
            assert!(clean.is_clean(), "{name}, {setup}: {clean:?}");
            let ran = program.run(&program.package, name, setup, Behind(behind));
            assert!(ran.has("WG4012"), "behind {behind} of {name}, {setup}: {ran:?}");
        }
    }
}

/// Returns the positions of the control barriers of a module.
pub fn barriers(words: &[u32]) -> Vec<usize> {
    const CONTROL_BARRIER: u32 = 224;
    let (mut found, mut at) = (Vec::new(), 5);
    while let Some(word) = words.get(at) {
        if word & 0xffff == CONTROL_BARRIER {
            found.push(at);
        }
        at += (word >> 16).max(1) as usize;
    }
    found
}

/// Returns a package without the barrier at a position of a module.
pub fn without(package: &Package, file: &str, at: usize) -> Package {
    let mut package = package.clone();
    let words = package.modules.get_mut(file).expect("the module is there");
    let length = (words[at] >> 16) as usize;
    words.drain(at..at + length);
    package
}

/// An arena with fewer pages than prep accepts.
struct SmallArena;

impl Overrides for SmallArena {
    fn written(&mut self, data: &[u8]) -> Vec<u8> {
        match abi::Context::decode(data).filter(|_| data.len() == abi::Context::SIZE) {
            Some(context) => abi::Context { page_count: 1, ..context }.to_bytes().to_vec(),
            None => data.to_vec(),
        }
    }
}

/// More entry records than can be counted, and a device that stops after gather.
struct TooMany;

impl Overrides for TooMany {
    fn written(&mut self, data: &[u8]) -> Vec<u8> {
        // The two inputs of the run file.
        let inputs = data.chunks_exact(abi::NodeInput::SIZE).filter_map(abi::NodeInput::decode);
        let is_list = data.len() == 2 * abi::NodeInput::SIZE;
        let inputs: Vec<_> = inputs.filter(|input| is_list && input.stride == 4 && input.address != 0).collect();
        if inputs.len() != 2 {
            return data.to_vec();
        }
        let mut out = Vec::new();
        inputs.iter().for_each(|input| abi::NodeInput { count: 0xf000_0000, ..*input }.encode(&mut out));
        out
    }

    fn submit(&mut self, device: &mut dyn Device, _: &Known, commands: &[Command]) -> Result<()> {
        let is_gather = |command: &Command| matches!(command, Command::Dispatch { label, .. } if label == "gather");
        let until = commands.iter().position(is_gather).map_or(commands.len(), |at| at + 1);
        device.submit(&commands[..until])?;
        if until == commands.len() { Ok(()) } else { Err(DeviceError::new("it ends behind gather")) }
    }
}

/// Half of the pages arrive later, one before each submission that begins a sweep.
#[derive(Default)]
struct Growing {
    pages: u32,
}

impl Overrides for Growing {
    fn written(&mut self, data: &[u8]) -> Vec<u8> {
        match abi::Context::decode(data).filter(|_| data.len() == abi::Context::SIZE) {
            Some(context) => abi::Context { page_count: context.page_count / 2, ..context }.to_bytes().to_vec(),
            None => data.to_vec(),
        }
    }

    fn submit(&mut self, device: &mut dyn Device, known: &Known, commands: &[Command]) -> Result<()> {
        let begins = |command: &Command| match command {
            Command::Dispatch { label, push, .. } if label == "begin" => abi::Push::decode(push),
            _ => None,
        };
        if let Some(push) = commands.iter().find_map(begins) {
            let half = known.context.page_count;
            let pages = half + self.pages.min(half);
            let at = push.context + offset_of!(abi::Context, page_count) as u64;
            known.write(device, at, &pages.to_le_bytes())?;
            self.pages += 1;
        }
        device.submit(commands)
    }
}

/// The runs that need a kernel's barriers.
#[derive(Clone, Copy)]
enum Need {
    /// A run that completes.
    Run(&'static str, &'static str),
    /// Runs that do not complete.
    SmallArena(&'static str),
    TooMany,
    /// A run whose memory grows.
    Growing,
}

impl Need {
    fn run(self, program: &Program, package: &Package) -> Ran {
        match self {
            Need::Run(file, setup) => program.run(package, file, setup, Plain),
            Need::SmallArena(setup) => program.run(package, "graph", setup, SmallArena),
            Need::TooMany => program.run(package, "counted", "sweeps", TooMany),
            Need::Growing => program.run(package, "graph", "sweeps", Growing::default()),
        }
    }

    fn is_clean(self, program: &Program, package: &Package) -> bool {
        let ran = self.run(program, package);
        ran.found.is_empty() && ran.failed.is_none() == matches!(self, Need::Run(..) | Need::Growing)
    }
}

/// Kernel or node, its number of barriers, and the numbers of unneeded ones. Then the runs: each other barrier is
/// needed in at least one of them. A barrier after the word that distributes a group's rank to its threads protects the
/// next group's records. It is unneeded if there is no next group.
const MODULES: [(&str, usize, &[usize], &[Need]); 9] = [
    ("sched/prep.spv", 10, &[], &[Need::Run("graph", "tight pass"), Need::SmallArena("tight pass")]),
    ("sched/inject.spv", 0, &[], &[]),
    (
        "sched/sched.spv",
        12,
        &[],
        &[
            Need::Run("graph", "spilled sweeps"),
            Need::Run("graph", "sweeps"),
            // Queues of several pages.
            Need::Run("many", "ample sweeps"),
            Need::Growing,
        ],
    ),
    ("sched/gather.spv", 5, &[], &[Need::Run("counted", "sweeps"), Need::TooMany]),
    ("sched/joint.spv", 3, &[], &[Need::Run("graph", "one pass")]),
    ("sched/scatter.spv", 3, &[], &[Need::Run("graph", "tight pass")]),
    ("sched/scan.spv", 5, &[], &[Need::Run("grids", "one pass")]),
    ("nodes/Also.spv", 5, &[1, 3], &[Need::Run("graph", "one pass")]),
    // The barriers of the source.
    ("nodes/Last.spv", 2, &[], &[Need::Run("graph", "one pass")]),
];

#[test]
fn barriers_that_a_module_leaves_out_are_found() {
    let program = Program::new("graph");
    let mut wrong = String::new();
    let listed = compiled(&program, Form::Listed);
    for (file, count, spare, needs) in MODULES {
        let whole = if file == "sched/scan.spv" { &listed } else { &program.package };
        let words = whole.modules.get(file).unwrap_or_else(|| panic!("there is no {file}"));
        let places = barriers(words);
        assert_eq!(places.len(), count, "{file}");
        for (number, need) in needs.iter().enumerate() {
            assert!(need.is_clean(&program, whole), "{file}, run {number}: {:?}", need.run(&program, whole));
        }
        for (number, place) in places.iter().enumerate() {
            let package = without(whole, file, *place);
            let found = needs.iter().any(|need| need.run(&program, &package).has("WG4012"));
            if found == spare.contains(&number) {
                writeln!(wrong, "{file}: number {number} of {count}").unwrap();
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}
