//! The verdict about one program: compares both compilers on both devices.

use crate::case::Case;
use crate::compare::first_difference;
use crate::dxc::Dxc;
use crate::execute::{Bound, Launch, Ran, Resource, run};
use crate::fill::{filled, same};
use crate::generate::Layout;
use crate::isolate::Stages;
use crate::ours::{Ours, Refusal};
use std::fs;
use tempfile::TempDir;
use wgc_abi::LayoutType;
use wgc_abi::interface::{BindingKind, Interface};
use wgc_ir::passes::OptLevel;
use wgc_runtime::cpu::{CpuDevice, CpuSettings, GraphModule, Specialisation};
use wgc_runtime::device::{Device, DeviceError};
use wgc_runtime::emulated::EmulatedOptions;
use wgc_runtime::executors::{EmulatedExecutor, NativeExecutor};
use wgc_runtime::run_file::{DispatchMode, EntryInput, Executor};
use wgc_runtime::vulkan::VulkanDevice;
use wgc_runtime::vulkan::testing;
use wgc_sema::db::Options;
use wgc_sema::tables::binding_options::BlockLayout;

/// Number of programs that share a Vulkan device, because it keeps the pipelines of all of them.
const PROGRAMS_OF_A_DEVICE: u32 = 40;

/// The result of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    Agree,
    /// DXC refuses it.
    Invalid(String),
    /// DXC contradicts itself: without optimisation it agrees with wgc on every device, and the program has no
    /// undefined behaviour.
    Theirs(String),
    /// A kind of difference, which stays the same when a program is reduced; and the difference.
    Differs {
        kind: String,
        what: String,
    },
}

impl Verdict {
    fn differs(kind: impl Into<String>, what: impl Into<String>) -> Verdict {
        Verdict::Differs { kind: kind.into(), what: what.into() }
    }

    /// Returns the verdict as bytes, for [`Verdict::decode`].
    pub fn encode(&self) -> Vec<u8> {
        match self {
            Verdict::Agree => b"agree".to_vec(),
            Verdict::Invalid(why) => format!("invalid\n{why}").into_bytes(),
            Verdict::Theirs(what) => format!("theirs\n{what}").into_bytes(),
            Verdict::Differs { kind, what } => format!("differs\n{kind}\n{what}").into_bytes(),
        }
    }

    pub fn decode(bytes: &[u8]) -> Verdict {
        let text = String::from_utf8_lossy(bytes);
        let (first, rest) = text.split_once('\n').unwrap_or((&text, ""));
        match first {
            "agree" => Verdict::Agree,
            "invalid" => Verdict::Invalid(rest.to_owned()),
            "theirs" => Verdict::Theirs(rest.to_owned()),
            _ => {
                let (kind, what) = rest.split_once('\n').unwrap_or((rest, ""));
                Verdict::differs(kind, what)
            }
        }
    }
}

/// Judges programs, one after the other.
pub struct Judge {
    dxc: Dxc,
    ours: Ours,
    /// Compilers at [`LEVELS`].
    levels: [Ours; 3],
    vulkan: Option<VulkanDevice>,
    used: u32,
    programs: u64,
    dir: TempDir,
}

/// Contents by resource and element.
type AllContents = Vec<Vec<Vec<u8>>>;

/// The levels that are compared with the default.
const LEVELS: [OptLevel; 3] = [OptLevel::O0, OptLevel::O1, OptLevel::O3];

/// Names of the four runs.
const RUNS: [&str; 4] = ["wgc on Vulkan", "DXC on Vulkan", "wgc on the CPU device", "DXC on the CPU device"];

impl Judge {
    /// # Errors
    /// DXC cannot be loaded, or there is no temporary directory.
    pub fn new(library: &std::path::Path) -> Result<Judge, String> {
        let dir = tempfile::tempdir().map_err(|e| e.to_string())?;
        let (dxc, levels) = (Dxc::load(library)?, LEVELS.map(Ours::at));
        Ok(Judge { dxc, ours: Ours::default(), levels, vulkan: None, used: 0, programs: 0, dir })
    }

    fn device(&mut self) -> Option<VulkanDevice> {
        self.used += 1;
        if self.used.is_multiple_of(PROGRAMS_OF_A_DEVICE) {
            self.vulkan = None;
        }
        self.vulkan.take().or_else(testing::device)
    }

    pub fn judge(&mut self, case: &Case, stages: &mut Stages) -> Verdict {
        stages.enter("DXC");
        let theirs = match self.theirs(case, &[]) {
            Ok(words) => words,
            Err(why) => return Verdict::Invalid(why),
        };
        stages.enter("wgc");
        // The compiler caches files, so each program needs a new name.
        self.programs += 1;
        let path = self.dir.path().join(format!("{}.hlsl", self.programs));
        if let Err(error) = fs::write(&path, &case.text) {
            return Verdict::Invalid(error.to_string());
        }
        let file = path.to_string_lossy().into_owned();
        let (mut module, interface) = match self.ours.compute(&file, options(case, false)) {
            Ok(made) => made,
            Err(refusal) => return refused(&refusal, "compute"),
        };
        if case.planted {
            plant(&mut module.words);
        }
        let resources = resources(case, &interface);
        let vulkan = self.device();
        let lanes = vulkan.as_ref().map_or(8, |device| device.limits().subgroups.default);
        let settings = CpuSettings { subgroup_size: lanes, ..CpuSettings::default() };
        let launch = Launch::new("main", [case.groups, 1, 1]);
        let mut runs: [Option<Ran>; 4] = Default::default();
        let vulkan = if case.cpu_only {
            self.vulkan = vulkan;
            None
        } else {
            vulkan
        };
        if let Some(mut device) = vulkan {
            for (n, words) in [&module.words, &theirs].into_iter().enumerate() {
                stages.enter(RUNS[n]);
                match run(&mut device, words, &launch, &resources) {
                    Ok(ran) => runs[n] = Some(ran),
                    Err(error) => return Verdict::differs(format!("{} fails", RUNS[n]), error.to_string()),
                }
            }
            self.vulkan = Some(device);
        }
        for (n, words) in [&module.words, &theirs].into_iter().enumerate() {
            stages.enter(RUNS[n + 2]);
            let mut device = CpuDevice::new(settings);
            match run(&mut device, words, &launch, &resources) {
                Ok(ran) => runs[n + 2] = Some(ran),
                Err(error) => return Verdict::differs(format!("{} fails", RUNS[n + 2]), error.to_string()),
            }
        }
        if let Some(finding) = runs[2].as_ref().and_then(|ran| ran.findings.first()) {
            return Verdict::differs(format!("finding {}", finding.code), finding.message.clone());
        }
        let verdict = compared(case, &interface, &runs);
        if let Verdict::Differs { what, .. } = &verdict
            && let [ours_on_vulkan, _, Some(ours), Some(theirs)] = &runs
            && difference(case, &interface, ours, theirs).is_some()
            && ours_on_vulkan.as_ref().is_none_or(|ran| difference(case, &interface, ran, ours).is_none())
            && self.unoptimised_agrees(
                case,
                ours,
                |words| run(&mut CpuDevice::new(settings), words, &launch, &resources).ok(),
                &interface,
            )
        {
            return Verdict::Theirs(what.clone());
        }
        if verdict != Verdict::Agree {
            return verdict;
        }
        let at_level = |words: &[u32]| run(&mut CpuDevice::new(settings), words, &launch, &resources);
        if let Some(optimised) = &runs[2]
            && let Some(differs) = self.other_level(case, &file, &interface, optimised, at_level, stages)
        {
            return differs;
        }
        if !case.twins {
            return verdict;
        }
        let expected = [runs[0].take(), runs[2].take()];
        self.twins(case, &file, &resources, &interface, &expected, settings, stages)
    }

    /// Compiles a source with DXC. Returns its module, if any, and `Out[0]` after a run on the CPU device.
    pub fn alone(&self, source: &str) -> Option<(Vec<u32>, Result<u32, String>)> {
        let mut arguments =
            vec!["-T", "cs_6_6", "-E", "main", "-spirv", "-fspv-target-env=vulkan1.3", "-enable-16bit-types"];
        if source.contains("cbuffer") {
            arguments.push("-fvk-use-dx-layout");
        }
        let words = self.dxc.compile("fault.hlsl", source.as_bytes(), &arguments).ok()?.words()?;
        let out = Resource::storage(OUT, vec![0; 256]);
        let ran = run(&mut CpuDevice::new(CpuSettings::default()), &words, &Launch::new("main", [1, 1, 1]), &[out]);
        let first = ran.map_err(|e| e.to_string()).map(|ran| {
            let bytes = &ran.contents[0][0];
            u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])
        });
        Some((words, first))
    }

    fn theirs(&self, case: &Case, more: &[&'static str]) -> Result<Vec<u32>, String> {
        let mut arguments =
            vec!["-T", "cs_6_6", "-E", "main", "-spirv", "-fspv-target-env=vulkan1.3", "-Wno-everything"];
        if case.sixteen {
            arguments.push("-enable-16bit-types");
        }
        if case.row_major {
            arguments.push("-Zpr");
        }
        match case.layout {
            Layout::Vulkan => {}
            Layout::Dx => arguments.push("-fvk-use-dx-layout"),
            Layout::Scalar => arguments.push("-fvk-use-scalar-layout"),
        }
        arguments.extend(more);
        let mut compiled = self.dxc.compile("program.hlsl", case.text.as_bytes(), &arguments)?;
        if compiled.messages.contains("failed to trim capabilities") {
            // A fault of this version: its last pass refuses some 8-bit values.
            arguments.push("-Od");
            compiled = self.dxc.compile("program.hlsl", case.text.as_bytes(), &arguments)?;
        }
        compiled.words().map(without_partitions).ok_or(compiled.messages)
    }

    /// Returns whether DXC's unoptimised module agrees with wgc's on the CPU device.
    fn unoptimised_agrees(
        &self,
        case: &Case,
        ours: &Ran,
        ran: impl Fn(&[u32]) -> Option<Ran>,
        interface: &Interface,
    ) -> bool {
        // `-Od` legalises the module, which also folds some constants; `-fcgl` does not. The validator refuses some
        // modules that it accepts after optimisation.
        ["-Od", "-fcgl"].iter().any(|option| {
            let theirs = self.theirs(case, &[option, "-Vd"]).ok().and_then(|words| ran(&words));
            theirs.is_some_and(|theirs| {
                theirs.findings.is_empty() && difference(case, interface, ours, &theirs).is_none()
            })
        })
    }

    /// Compiles a program at one of the other levels, and compares the results on the CPU device. They must be equal: no
    /// pass changes a rounding there. The text decides the level, so it is the same each time.
    fn other_level(
        &mut self,
        case: &Case,
        file: &str,
        interface: &Interface,
        optimised: &Ran,
        ran: impl Fn(&[u32]) -> Result<Ran, DeviceError>,
        stages: &mut Stages,
    ) -> Option<Verdict> {
        let at = case.text.len() % LEVELS.len();
        let level = LEVELS[at];
        stages.enter("wgc at another level");
        let module = match self.levels[at].compute(file, options(case, false)) {
            Ok((module, _)) => module,
            Err(refusal) => return Some(refused(&refusal, &format!("compute at {level:?}"))),
        };
        let slots = case.slots.iter().map(|slot| slot.exact()).collect();
        let exact = Case { slots, ..case.clone() };
        match ran(&module.words) {
            Ok(ran) => difference(&exact, interface, &ran, optimised)
                .map(|what| Verdict::differs(format!("{level:?} and O2 differ on the CPU device"), what)),
            Err(error) => Some(Verdict::differs(format!("{level:?} fails on the CPU device"), error.to_string())),
        }
    }

    /// Runs the body as a node: natively on the CPU device, and emulated on both devices.
    #[allow(clippy::too_many_arguments, reason = "all of it is known to the caller alone")]
    fn twins(
        &mut self,
        case: &Case,
        file: &str,
        resources: &[Resource],
        interface: &Interface,
        expected: &[Option<Ran>; 2],
        settings: CpuSettings,
        stages: &mut Stages,
    ) -> Verdict {
        stages.enter("wgc, as a node");
        let (native, package) = match self.ours.graph(file, options(case, true)) {
            Ok(made) => made,
            Err(refusal) => return refused(&refusal, "node"),
        };
        let [on_vulkan, on_cpu] = expected;
        let Some(on_cpu) = on_cpu else { return Verdict::Agree };
        stages.enter("the native node on the CPU device");
        let (names, wave_sizes) = (native.node_names(), native.wave_sizes());
        let module = GraphModule { words: &native.words, names: &names, wave_sizes: &wave_sizes };
        let executor = NativeExecutor::new(CpuDevice::new(settings), &[module], &Specialisation::default());
        let mut all: Vec<(&str, Result<AllContents, String>, &Ran)> = Vec::new();
        let ran = executor.map_err(|e| e.to_string()).and_then(|mut executor| dispatched(&mut executor, resources));
        all.push(("the native node on the CPU device", ran, on_cpu));
        stages.enter("the emulated node on the CPU device");
        let mut executor = EmulatedExecutor::new(CpuDevice::new(settings), package.clone(), EmulatedOptions::default());
        all.push(("the emulated node on the CPU device", dispatched(&mut executor, resources), on_cpu));
        if let (Some(device), Some(expected)) = (self.device(), on_vulkan) {
            stages.enter("the emulated node on Vulkan");
            let mut executor = EmulatedExecutor::new(device, package, EmulatedOptions::default());
            all.push(("the emulated node on Vulkan", dispatched(&mut executor, resources), expected));
            self.vulkan = Some(executor.into_device());
        }
        for (name, ran, expected) in all {
            let contents = match ran {
                Ok(contents) => contents,
                Err(error) => return Verdict::differs(format!("{name} fails"), error),
            };
            let ran = Ran { contents, findings: Vec::new() };
            if let Some(what) = difference(case, interface, &ran, expected) {
                return Verdict::differs(format!("{name} differs from the compute shader"), what);
            }
        }
        Verdict::Agree
    }
}

/// Turns the first sum of integers into a difference.
fn plant(words: &mut [u32]) {
    const SUM: u32 = 128;
    const DIFFERENCE: u32 = 130;
    let mut at = 5;
    while let Some(&first) = words.get(at) {
        if first & 0xffff == SUM {
            words[at] = (first & !0xffff) | DIFFERENCE;
            return;
        }
        at += (first >> 16).max(1) as usize;
    }
}

/// Removes the capability for partitions of subgroups, with its extension, if no instruction needs it. DXC declares it
/// with every reduction (dxc_faults.tsv: partition-capability), and devices lack it.
pub(crate) fn without_partitions(words: Vec<u32>) -> Vec<u32> {
    const EXTENSION: u32 = 10;
    const CAPABILITY: u32 = 17;
    const PARTITION: u32 = 5296;
    const PARTITIONED: u32 = 5297;
    let mut out: Vec<u32> = words.iter().take(5).copied().collect();
    let mut rest = words.get(5..).unwrap_or_default();
    while let Some(&first) = rest.first() {
        let count = ((first >> 16).max(1) as usize).min(rest.len());
        let (instruction, after) = rest.split_at(count);
        rest = after;
        match first & 0xffff {
            PARTITION => return words,
            CAPABILITY if instruction.get(1) == Some(&PARTITIONED) => {}
            EXTENSION => {
                let bytes: Vec<u8> = instruction[1..].iter().flat_map(|word| word.to_le_bytes()).collect();
                if !bytes.starts_with(b"SPV_NV_shader_subgroup_partitioned") {
                    out.extend(instruction);
                }
            }
            _ => out.extend(instruction),
        }
    }
    out
}

fn dispatched(executor: &mut dyn Executor, resources: &[Resource]) -> Result<AllContents, String> {
    let bound = Bound::new(executor.device(), resources).map_err(|e| e.to_string())?;
    executor.bind(&bound.bindings, &[]).map_err(|e| e.to_string())?;
    let input = EntryInput { node: "main".into(), index: 0, data: Vec::new(), stride: 0, count: 1 };
    executor.dispatch(DispatchMode::Cpu, &[input]).map_err(|e| e.to_string())?;
    let contents = bound.read(executor.device()).map_err(|e| e.to_string());
    bound.destroy(executor.device());
    contents
}

fn refused(refusal: &Refusal, what: &str) -> Verdict {
    let kind = match refusal {
        Refusal::Source { code, .. } => format!("wgc refuses ({what}): {code}"),
        Refusal::Target(_) => format!("wgc refuses ({what}): target"),
        Refusal::Broken(_) => format!("wgc is broken ({what})"),
    };
    Verdict::differs(kind, refusal.to_string())
}

pub(crate) fn options(case: &Case, node: bool) -> Options {
    let mut options = Options {
        enable_16bit_types: case.sixteen,
        row_major: case.row_major,
        shader_model: Some((6, if node { 8 } else { 6 })),
        ..Options::default()
    };
    options.bindings.layout = match case.layout {
        Layout::Vulkan => BlockLayout::Vulkan,
        Layout::Dx => BlockLayout::Dx,
        Layout::Scalar => BlockLayout::Scalar,
    };
    if node {
        options.defines.push(("NODE".into(), "1".into()));
    } else {
        options.compute_entry = Some("main".into());
    }
    options
}

/// The bindings of every program.
const OUT: u32 = 0;
const IN: u32 = 1;
const WORK: u32 = 3;
const COUNTERS: u32 = 4;
const BLOCK: u32 = 5;
const OWN: u32 = 6;
const BYTES: u32 = 7;
const SIGNED: u32 = 8;

fn element(interface: &Interface, binding: u32) -> Option<(LayoutType, u32)> {
    let found = interface.bindings.iter().find(|b| b.binding == binding)?;
    Some(match &found.kind {
        BindingKind::StorageBuffer { element, stride, .. } => (element.clone(), *stride),
        BindingKind::UniformBuffer { block } => (LayoutType::Struct(block.clone()), block.size),
        _ => return None,
    })
}

pub(crate) fn resources(case: &Case, interface: &Interface) -> Vec<Resource> {
    let of = |binding, count: u32| match element(interface, binding) {
        Some((ty, stride)) => filled(&ty, stride, count, u64::from(binding)),
        None => vec![0; 4096],
    };
    let threads = case.threads as usize;
    let mut block = of(BLOCK, 1);
    block.resize(block.len().max(4096), 0);
    vec![
        Resource::storage(OUT, vec![0; threads * case.slots.len().max(1) * 8]),
        Resource::storage(IN, of(IN, 11)),
        Resource::storage(WORK, of(WORK, case.threads)),
        Resource::storage(COUNTERS, vec![0; 64]),
        Resource::uniform(BLOCK, block),
        Resource::storage(OWN, vec![0; threads * case.own_bytes.max(4) as usize]),
        Resource::storage(BYTES, vec![0; 64]),
        Resource::storage(SIGNED, vec![0; 64]),
    ]
}

/// Describes the difference between two runs that should agree.
fn difference(case: &Case, interface: &Interface, a: &Ran, b: &Ran) -> Option<String> {
    let contents = |ran: &Ran, n: usize| ran.contents.get(n).and_then(|all| all.first()).cloned().unwrap_or_default();
    if let Some(what) = first_difference(&case.slots, &contents(a, 0), &contents(b, 0)) {
        return Some(what);
    }
    for (n, name) in [(3, "Acc"), (6, "Bytes"), (7, "AccI")] {
        if contents(a, n) != contents(b, n) {
            return Some(format!("{name} differs"));
        }
    }
    let (ty, stride) = element(interface, WORK)?;
    let (x, y) = (contents(a, 2), contents(b, 2));
    let stride = stride.max(1) as usize;
    let all = x.chunks_exact(stride).zip(y.chunks_exact(stride)).enumerate();
    all.filter(|(_, (x, y))| !same(&ty, x, y)).map(|(n, _)| format!("Work[{n}] differs")).next()
}

fn compared(case: &Case, interface: &Interface, runs: &[Option<Ran>; 4]) -> Verdict {
    let mut apart = Vec::new();
    let mut what = String::new();
    for (a, b) in [(0, 1), (2, 3), (0, 2), (1, 3)] {
        let (Some(x), Some(y)) = (&runs[a], &runs[b]) else { continue };
        if let Some(difference) = difference(case, interface, x, y) {
            apart.push(format!("{} and {}", RUNS[a], RUNS[b]));
            if what.is_empty() {
                what = difference;
            }
        }
    }
    if apart.is_empty() { Verdict::Agree } else { Verdict::differs(format!("differ: {}", apart.join("; ")), what) }
}
