//! Speed of the CPU device without checks. The first benchmark measures SPIR-V instructions that compute, times the
//! lanes that execute them, on one core. The second measures records through a graph; their number must not increase
//! the cost of each.
//!
//! `cargo bench -p wgc-bench --bench cpu`; figures are in docs/measurements.md.

use divan::Bencher;
use divan::counter::ItemsCount;
use wgc_runtime::cpu::{CpuDevice, CpuSettings, GraphId, GraphInput, Sanitize};
use wgc_runtime::device::{BindingsId, Command, Device, PipelineId, ResourceBinding, Resources};
use wgc_spirv_module::asm;

fn main() {
    divan::main();
}

/// Rounds of the loop.
const ROUNDS: u32 = 1000;
/// Instructions of a round that compute: 16 in the body, the counter, the comparison. Branches and phis do not count.
const INSTRUCTIONS: u64 = 18;

/// Assembles a loop of arithmetic. Lanes of a divergent one leave it one after the other.
fn shader(lanes: u32, divergent: bool) -> String {
    let mut body = String::new();
    let mut last = "%acc".to_string();
    for i in 0..4 {
        body += &format!(
            "%a{i} = OpIMul %uint {last} %k1\n%b{i} = OpIAdd %uint %a{i} %n\n%c{i} = OpBitwiseXor %uint %b{i} %i\n\
             %d{i} = OpShiftRightLogical %uint %c{i} %one\n"
        );
        last = format!("%d{i}");
    }
    let limit = if divergent { "%lim = OpIAdd %uint %count %i" } else { "%lim = OpCopyObject %uint %count" };
    format!(
        "OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %main \"main\" %li\n\
         OpExecutionMode %main LocalSize {lanes} 1 1\nOpDecorate %li BuiltIn LocalInvocationIndex\n%void = OpTypeVoid\n\
         %bool = OpTypeBool\n%uint = OpTypeInt 32 0\n%zero = OpConstant %uint 0\n%one = OpConstant %uint 1\n\
         %k1 = OpConstant %uint 1664525\n%count = OpConstant %uint {ROUNDS}\n%pin = OpTypePointer Input %uint\n\
         %li = OpVariable %pin Input\n%ft = OpTypeFunction %void\n%main = OpFunction %void None %ft\n%e = OpLabel\n\
         %i = OpLoad %uint %li\n{limit}\nOpBranch %h\n%h = OpLabel\n%n = OpPhi %uint %zero %e %n2 %b\n\
         %acc = OpPhi %uint %i %e {last} %b\n%go = OpULessThan %bool %n %lim\nOpLoopMerge %m %b None\n\
         OpBranchConditional %go %b %m\n%b = OpLabel\n{body}%n2 = OpIAdd %uint %n %one\nOpBranch %h\n%m = OpLabel\n\
         OpReturn\nOpFunctionEnd"
    )
}

fn device(sanitize: Sanitize) -> CpuDevice {
    CpuDevice::new(CpuSettings { sanitize, ..CpuSettings::default() })
}

fn prepared(lanes: u32, divergent: bool) -> (CpuDevice, PipelineId) {
    let mut device = device(Sanitize::Off);
    let words = asm::assemble(&shader(lanes, divergent)).expect("the text is an assembly");
    let pipeline = device.create_pipeline(&words, "main", None, 0, None).expect("the module is valid");
    (device, pipeline)
}

fn arithmetic(bencher: Bencher, lanes: u32, divergent: bool) {
    let done = INSTRUCTIONS * u64::from(ROUNDS) * u64::from(lanes);
    bencher.counter(ItemsCount::new(done)).with_inputs(|| prepared(lanes, divergent)).bench_local_refs(
        |(device, pipeline)| {
            let command = Command::Dispatch {
                pipeline: *pipeline,
                bindings: None,
                push: Vec::new(),
                groups: [1; 3],
                label: String::new(),
            };
            device.submit(&[command]).expect("it runs");
        },
    );
}

#[divan::bench(args = [1, 8, 32, 64, 256, 1024])]
fn lanes(bencher: Bencher, lanes: u32) {
    arithmetic(bencher, lanes, false);
}

#[divan::bench(args = [32, 64, 256])]
fn divergent_lanes(bencher: Bencher, lanes: u32) {
    arithmetic(bencher, lanes, true);
}

/// Creates a recursive graph of single threads: 15 records for each input record.
fn graph(sanitize: Sanitize) -> (CpuDevice, GraphId, BindingsId) {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/amdx-graphs/g2.spvasm");
    let text = std::fs::read_to_string(path).expect("the graph is there");
    let mut device = device(sanitize);
    let buffer = device.create_buffer(400).expect("there is memory");
    let binding = ResourceBinding { set: 0, binding: 0, resources: Resources::StorageBuffers(vec![buffer]) };
    let bindings = device.create_bindings(&[binding]).expect("the buffer is there");
    let graph = device.create_graph(&asm::assemble(&text).expect("the text is an assembly")).expect("it is valid");
    (device, graph, bindings)
}

fn run(bencher: Bencher, count: u32, sanitize: Sanitize) {
    bencher.counter(ItemsCount::new(15 * count)).with_inputs(|| graph(sanitize)).bench_local_refs(
        |(device, graph, bindings)| {
            let input = GraphInput { node: "rec".into(), index: 0, records: vec![0; 4], stride: 0, count };
            let run = device.dispatch_graph(*graph, Some(*bindings), &[], &[input]).expect("it runs");
            assert_eq!(run.records.values().sum::<u64>(), u64::from(15 * count));
        },
    );
}

#[divan::bench(args = [1_000, 4_000, 16_000, 64_000], sample_count = 10, sample_size = 1)]
fn records(bencher: Bencher, count: u32) {
    run(bencher, count, Sanitize::Off);
}

#[divan::bench(args = [1_000, 4_000, 16_000, 64_000], sample_count = 10, sample_size = 1)]
fn records_with_checks(bencher: Bencher, count: u32) {
    run(bencher, count, Sanitize::Warn);
}
