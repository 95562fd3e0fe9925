//! Runs tables of intrinsics. Cases become compute shaders that read arguments from one buffer and write results to
//! another, on the CPU device and on Vulkan. Every component is compared with the expected one.

use crate::given::{self, Given, Made};
use crate::kind::Kind;
use crate::support::Scratch;
use std::collections::HashMap;
use std::fmt::Write as _;
use std::sync::{Mutex, PoisonError};
use wgc_compiler::{Failure, Session};
use wgc_runtime::cpu::{CpuDevice, CpuSettings};
use wgc_runtime::device::{Command, Device, DeviceError, ResourceBinding, Resources};
use wgc_runtime::vulkan::testing;
use wgc_sema::db::Options;

/// A scalar (`width` 1) or a vector.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    pub kind: Kind,
    pub width: usize,
}

/// The expectation for one component of a result.
#[derive(Clone, Debug)]
pub enum Want {
    Bits(u64),
    OneOf(Vec<u64>),
    /// Undefined.
    Anything,
    /// A float at most `error` from `value`; NaN expects NaN. An infinite error permits everything.
    Near {
        value: f64,
        error: f64,
    },
}

/// Maps arguments (component bits in order) to expected results.
pub type Reference = Box<dyn Fn(&[u64]) -> Vec<Want>>;

/// One use of an intrinsic with arguments of one shape.
pub struct Case {
    /// The name in `stdlib/intrinsics.tsv`.
    pub name: String,
    /// Statements that compute `r0`, `r1`.. from `a0`, `a1`..
    pub text: String,
    pub args: Vec<Shape>,
    pub results: Vec<Shape>,
    /// Component bits of all arguments.
    pub inputs: Vec<Vec<u64>>,
    pub want: Reference,
}

/// Threads of a workgroup.
pub const GROUP: usize = 64;
/// Their arrangement, if it does not matter.
pub const ROW: [usize; 3] = [GROUP, 1, 1];
/// Cases of one module: enough that a dispatch costs little, few enough that a driver compiles it quickly.
const BATCH: usize = 8;
/// Every component has eight bytes.
const CELL: usize = 8;
/// Wrong results that are shown for each case.
const SHOWN: usize = 6;

impl Case {
    fn cells(shapes: &[Shape]) -> usize {
        shapes.iter().map(|s| s.width).sum()
    }

    /// Returns the features that a module must declare: not every device has 16-bit types and doubles.
    fn features(&self) -> (bool, bool) {
        let has = |test: fn(Kind) -> bool| self.args.iter().chain(&self.results).any(|s| test(s.kind));
        (has(|k| k.bits() == 16), has(|k| k == Kind::F64))
    }
}

/// Serialises the devices of one process: the threads of several software drivers starve each other.
pub static DEVICES: Mutex<()> = Mutex::new(());

/// The device properties that cases may depend on.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// Lanes of a subgroup.
    pub lanes: usize,
    /// True for the CPU device. Software drivers expand an operation over lanes for each lane, and compile large
    /// modules for minutes. They test one scalar and one vector instead of all shapes.
    pub thorough: bool,
}

/// Creates the cases for a device.
pub type Make<'a> = &'a dyn Fn(Place) -> Vec<Case>;

/// Runs all cases in workgroups of this shape, on CPU devices with these subgroup sizes and on Vulkan. Panics with all
/// wrong cases.
pub fn run(group: [usize; 3], lanes: &[u32], make: Make<'_>) {
    run_with(group, lanes, &[], &[], make);
}

/// Runs cases with resources that they name. `lacking` lists features of Vulkan that the software driver lacks; each
/// case needs one of them. That driver must refuse the cases for this reason, or the list must be changed.
pub fn run_with(group: [usize; 3], lanes: &[u32], given: &[Given], lacking: &[&str], make: Make<'_>) {
    assert_eq!(group.iter().product::<usize>(), GROUP);
    let _one = DEVICES.lock().unwrap_or_else(PoisonError::into_inner);
    let cpu = |&subgroup_size| CpuDevice::new(CpuSettings { subgroup_size, ..CpuSettings::default() });
    let mut cpus: Vec<CpuDevice> = lanes.iter().map(cpu).collect();
    let mut devices: Vec<(&str, &mut dyn Device)> = Vec::new();
    devices.extend(cpus.iter_mut().map(|device| ("the CPU device", device as &mut dyn Device)));
    let mut vulkan = testing::device();
    devices.extend(vulkan.as_mut().map(|device| ("Vulkan", device as &mut dyn Device)));
    let mut failures = String::new();
    let mut compiled: HashMap<String, Vec<u32>> = HashMap::new();
    for (place, device) in &mut devices {
        let mut made = Made::default();
        let flushes = *place == "Vulkan";
        let lanes = device.limits().subgroups.default as usize;
        for cases in &batches(make(Place { lanes, thorough: !flushes })) {
            let used = given::mentioned(given, &cases.iter().map(|c| c.text.as_str()).collect::<String>());
            let text = source(cases, group, &given::declarations(&used));
            let words = compiled.entry(text.clone()).or_insert_with(|| compile(&text));
            let bindings = made.bindings(*device, &used, &compile);
            match bindings.and_then(|bindings| execute(*device, words, cases, bindings)) {
                Ok(results) => {
                    let has_it = flushes && !lacking.is_empty() && device.name().contains("llvmpipe");
                    assert!(!has_it, "the software driver has {lacking:?}: these are no cases of the CPU device alone");
                    compare(cases, &results, place, flushes, &mut failures);
                }
                Err(error) if flushes && lacking.iter().any(|l| error.message.contains(&format!("lacks {l}"))) => {}
                Err(error) if flushes && error.message.contains("the device lacks") => testing::left_out(&error),
                Err(error) => panic!("{place}: {error}\n{text}"),
            }
        }
    }
    assert!(failures.is_empty(), "\n{failures}");
}

/// Groups cases with equal requirements.
fn batches(cases: Vec<Case>) -> Vec<Vec<Case>> {
    let mut groups: Vec<((bool, bool), Vec<Case>)> = Vec::new();
    for case in cases {
        let features = case.features();
        match groups.iter_mut().find(|(f, cases)| *f == features && cases.len() < BATCH) {
            Some((_, cases)) => cases.push(case),
            None => groups.push((features, vec![case])),
        }
    }
    groups.into_iter().map(|g| g.1).collect()
}

// ---- shader

/// Arguments, results, and memory for cases that need it: `MEMORY` bytes for each thread, which is number `lane` of the
/// dispatch. `Shared_int[lane % 64]` and similar are a thread's words of groupshared memory.
const PREAMBLE: &str = "[[vk::binding(0, 0)]] ByteAddressBuffer Data;
[[vk::binding(1, 0)]] RWByteAddressBuffer Results;
[[vk::binding(2, 0)]] RWByteAddressBuffer Memory;
";
const MEMORY: usize = 64;

fn load(kind: Kind, at: usize) -> String {
    let (low, high) = (format!("Data.Load(p + {at})"), format!("Data.Load(p + {})", at + 4));
    match kind {
        Kind::Bool => format!("{low} != 0"),
        Kind::U32 => low,
        Kind::I32 => format!("asint({low})"),
        Kind::F32 => format!("asfloat({low})"),
        Kind::I16 | Kind::U16 => format!("({}){low}", kind.word()),
        Kind::F16 => format!("asfloat16((uint16_t){low})"),
        Kind::I64 | Kind::U64 => format!("({})((uint64_t){low} | (uint64_t){high} << 32)", kind.word()),
        Kind::F64 => format!("asdouble({low}, {high})"),
    }
}

/// Returns statements that write one component.
fn store(kind: Kind, value: &str, at: usize) -> String {
    let low = match kind {
        Kind::Bool => format!("{value} ? 1u : 0u"),
        Kind::U32 | Kind::I32 => format!("(uint){value}"),
        Kind::F32 => format!("asuint({value})"),
        Kind::I16 | Kind::U16 => format!("(uint)(uint16_t){value}"),
        Kind::F16 => format!("(uint)asuint16({value})"),
        Kind::I64 | Kind::U64 => {
            return format!(
                "Results.Store2(q + {at}, uint2((uint)(uint64_t){value}, (uint)((uint64_t){value} >> 32)));"
            );
        }
        Kind::F64 => {
            return format!("{{ uint lo, hi; asuint({value}, lo, hi); Results.Store2(q + {at}, uint2(lo, hi)); }}");
        }
    };
    format!("Results.Store(q + {at}, {low});")
}

fn source(cases: &[Case], [x, y, z]: [usize; 3], declarations: &str) -> String {
    let mut text = PREAMBLE.to_owned() + declarations;
    for kind in [Kind::I32, Kind::U32, Kind::F32, Kind::I64, Kind::U64] {
        let shared = format!("Shared_{}", kind.word());
        if cases.iter().any(|c| c.text.contains(&shared)) {
            let _ = writeln!(text, "groupshared {} {shared}[{GROUP}];", kind.word());
        }
    }
    let (mut from, mut to) = (0, 0);
    for (n, case) in cases.iter().enumerate() {
        let (inputs, outputs) = (Case::cells(&case.args) * CELL, Case::cells(&case.results) * CELL);
        let _ = writeln!(text, "void case{n}(uint lane)\n{{\n    if (lane >= {}) return;", case.inputs.len());
        let _ = writeln!(text, "    uint p = {from} + lane * {inputs}, q = {to} + lane * {outputs};");
        let mut at = 0;
        for (i, shape) in case.args.iter().enumerate() {
            let parts: Vec<String> = (0..shape.width).map(|c| load(shape.kind, at + c * CELL)).collect();
            at += shape.width * CELL;
            let ty = shape.kind.vector(shape.width);
            let value = if shape.width == 1 { parts.concat() } else { format!("{ty}({})", parts.join(", ")) };
            let _ = writeln!(text, "    {ty} a{i} = {value};");
        }
        for (i, shape) in case.results.iter().enumerate() {
            let _ = writeln!(text, "    {} r{i};", shape.kind.vector(shape.width));
        }
        let _ = writeln!(text, "    {}", case.text);
        at = 0;
        for (i, shape) in case.results.iter().enumerate() {
            for c in 0..shape.width {
                let value = if shape.width == 1 { format!("r{i}") } else { format!("r{i}[{c}]") };
                let _ = writeln!(text, "    {}", store(shape.kind, &value, at));
                at += CELL;
            }
        }
        text += "}\n";
        from += inputs * case.inputs.len();
        to += outputs * case.inputs.len();
    }
    let _ =
        writeln!(text, "[numthreads({x}, {y}, {z})]\nvoid main(uint3 group : SV_GroupID, uint index : SV_GroupIndex)");
    let _ = writeln!(text, "{{\n    uint lane = group.x * {GROUP} + index;");
    for n in 0..cases.len() {
        let _ = writeln!(text, "    case{n}(lane);");
    }
    text + "}\n"
}

/// Compiles a text into a compute shader.
pub fn compile(text: &str) -> Vec<u32> {
    let scratch = Scratch::new().with("cases.hlsl", text);
    let file = scratch.0.join("cases.hlsl");
    let options = Options { enable_16bit_types: true, compute_entry: Some("main".to_owned()), ..Options::default() };
    let session = Session::new(&[&file.to_string_lossy()], options);
    if let Some(error) = session.diagnostics().first() {
        let lo = error.labels.first().map_or(0, |l| l.range.lo as usize);
        let line = text.get(..lo).map_or(0, |t| t.matches('\n').count());
        panic!("{}\nin: {}\n{}\n{text}", error.message, text.lines().nth(line).unwrap_or(""), error.notes.join("\n"));
    }
    match session.compute() {
        Ok(module) => module.words,
        Err(Failure::Target(message)) => panic!("{message}\n{text}"),
        Err(Failure::Source(diagnostic)) => panic!("{}\n{text}", diagnostic.message),
        Err(Failure::Internal(error)) => panic!("{}\n{text}", error.0),
    }
}

// ---- running

fn execute(
    device: &mut dyn Device,
    words: &[u32],
    cases: &[Case],
    mut bound: Vec<ResourceBinding>,
) -> Result<Vec<u8>, DeviceError> {
    let data: Vec<u8> = cases.iter().flat_map(|c| c.inputs.iter().flatten()).flat_map(|b| b.to_le_bytes()).collect();
    let bytes: usize = cases.iter().map(|c| c.inputs.len() * Case::cells(&c.results) * CELL).sum();
    let from = device.create_buffer(data.len() as u64)?;
    device.write_buffer(from, 0, &data)?;
    let to = device.create_buffer(bytes as u64)?;
    let binding =
        |binding, buffer| ResourceBinding { set: 0, binding, resources: Resources::StorageBuffers(vec![buffer]) };
    let most = cases.iter().map(|c| c.inputs.len()).max().unwrap_or(1);
    let memory = device.create_buffer((most * MEMORY) as u64)?;
    bound.extend([binding(0, from), binding(1, to), binding(2, memory)]);
    let bindings = device.create_bindings(&bound)?;
    let pipeline = device.create_pipeline(words, "main", Some(bindings), 0, None)?;
    let groups = [most.div_ceil(GROUP) as u32, 1, 1];
    let (push, label) = (Vec::new(), String::new());
    device.submit(&[Command::Dispatch { pipeline, bindings: Some(bindings), push, groups, label }])?;
    let mut results = vec![0; bytes];
    device.read_buffer(to, 0, &mut results)?;
    device.destroy_buffer(from);
    device.destroy_buffer(to);
    device.destroy_buffer(memory);
    Ok(results)
}

// ---- comparing

fn compare(cases: &[Case], results: &[u8], place: &str, flushes: bool, failures: &mut String) {
    let mut cells = results.chunks_exact(CELL).map(|c| u64::from_le_bytes(c.try_into().unwrap_or([0; CELL])));
    for case in cases {
        let kinds: Vec<Kind> = case.results.iter().flat_map(|s| std::iter::repeat_n(s.kind, s.width)).collect();
        let arguments: Vec<Kind> = case.args.iter().flat_map(|s| std::iter::repeat_n(s.kind, s.width)).collect();
        let mut wrong = 0;
        for input in &case.inputs {
            let got: Vec<u64> = cells.by_ref().take(kinds.len()).collect();
            let wants = (case.want)(input);
            assert_eq!(wants.len(), kinds.len(), "the reference of {} gives another number of components", case.name);
            // A device may flush denormals to zero.
            let flushed: Vec<u64> = arguments.iter().zip(input).map(|(k, b)| flush(*k, *b)).collect();
            let others = if flushes && flushed != *input { (case.want)(&flushed) } else { Vec::new() };
            for (c, ((&kind, &got), want)) in kinds.iter().zip(&got).zip(&wants).enumerate() {
                let fits = |want: &Want| fits(kind, got, want, flushes);
                if fits(want) || others.get(c).is_some_and(fits) {
                    continue;
                }
                wrong += 1;
                if wrong <= SHOWN {
                    let shown: Vec<String> = arguments.iter().zip(input).map(|(k, b)| k.show(*b)).collect();
                    let want = show(kind, want);
                    let _ = writeln!(
                        failures,
                        "{place}: `{}` of {}, component {c}: {}, expected {want}",
                        case.text,
                        shown.join(", "),
                        kind.show(got)
                    );
                }
            }
        }
        if wrong > SHOWN {
            let _ = writeln!(failures, "{place}: `{}`: {} more", case.text, wrong - SHOWN);
        }
    }
}

fn flush(kind: Kind, bits: u64) -> u64 {
    let denormal = kind.is_float() && kind.float(bits).abs() < kind.least_normal();
    if denormal { bits & 1 << (kind.bits() - 1) } else { bits }
}

fn fits(kind: Kind, got: u64, want: &Want, flushes: bool) -> bool {
    match want {
        Want::Bits(bits) => got == *bits,
        Want::OneOf(all) => all.contains(&got),
        Want::Anything => true,
        Want::Near { value, error } => {
            let x = kind.float(got);
            if *error == f64::INFINITY {
                return true;
            }
            if value.is_nan() || x.is_nan() {
                return value.is_nan() && x.is_nan();
            }
            // Infinity represents values that exceed the largest number by at least half a unit.
            let edge = kind.largest() + kind.ulp(kind.largest()) / 2.0;
            let (low, high) = (value - error, value + error);
            if x.is_infinite() {
                return if x > 0.0 { high >= edge } else { low <= -edge };
            }
            let rounding = kind.ulp(*value) / 2.0;
            let near = x >= low - rounding && x <= high + rounding;
            near || flushes && x == 0.0 && low < kind.least_normal() && high > -kind.least_normal()
        }
    }
}

fn show(kind: Kind, want: &Want) -> String {
    match want {
        Want::Bits(bits) => kind.show(*bits),
        Want::Anything => "anything".to_owned(),
        Want::OneOf(all) => all.iter().map(|b| kind.show(*b)).collect::<Vec<_>>().join(" or "),
        Want::Near { value, error } => format!("{value:?} +- {error:e} or the nearest number"),
    }
}
