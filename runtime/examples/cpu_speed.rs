//! How many instructions times lanes per second the CPU device executes: `cargo run -p wgc-runtime --example cpu_speed`.

use std::io::Write;
use std::time::Instant;
use wgc_runtime::cpu::{CpuDevice, CpuSettings, GraphInput, Sanitize};
use wgc_runtime::device::{Command, Device, ResourceBinding, Resources};
use wgc_spirv_module::asm;

/// A loop of 16 arithmetic instructions in its body, besides its own four.
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
         %k1 = OpConstant %uint 1664525\n%count = OpConstant %uint 100000\n%pin = OpTypePointer Input %uint\n\
         %li = OpVariable %pin Input\n%ft = OpTypeFunction %void\n%main = OpFunction %void None %ft\n%e = OpLabel\n\
         %i = OpLoad %uint %li\n{limit}\nOpBranch %h\n%h = OpLabel\n%n = OpPhi %uint %zero %e %n2 %b\n\
         %acc = OpPhi %uint %i %e {last} %b\n%go = OpULessThan %bool %n %lim\nOpLoopMerge %m %b None\n\
         OpBranchConditional %go %b %m\n%b = OpLabel\n{body}%n2 = OpIAdd %uint %n %one\nOpBranch %h\n%m = OpLabel\n\
         OpReturn\nOpFunctionEnd"
    )
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut out = std::io::stdout();
    for (lanes, divergent) in
        [(1, false), (8, false), (32, false), (64, false), (256, false), (1024, false), (64, true)]
    {
        let settings = CpuSettings { sanitize: Sanitize::Off, ..CpuSettings::default() };
        let mut device = CpuDevice::new(settings);
        let pipeline = device.create_pipeline(&asm::assemble(&shader(lanes, divergent))?, "main", None, 0)?;
        let command = Command::Dispatch { pipeline, bindings: None, push: vec![], groups: [1; 3], label: "".into() };
        let start = Instant::now();
        device.submit(&[command])?;
        let seconds = start.elapsed().as_secs_f64();
        // 16 in the body, the counter, the comparison; branches and phis are not counted.
        let millions = 18.0 * 100_000.0 * f64::from(lanes) / 1e6;
        let kind = if divergent { "divergent" } else { "uniform" };
        writeln!(out, "{lanes:5} lanes, {kind:9}: {:8.1} million lane-instructions per second", millions / seconds)?;
    }
    records(&mut out)
}

/// Records per second through a recursive graph of single threads: 15 records for each of the input.
fn records(out: &mut dyn Write) -> Result<(), Box<dyn std::error::Error>> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/amdx-graphs/g2.spvasm");
    let words = asm::assemble(&std::fs::read_to_string(path)?)?;
    for count in [1000u32, 10_000, 50_000] {
        let mut device = CpuDevice::new(CpuSettings::default());
        let buffer = device.create_buffer(400)?;
        let binding = ResourceBinding { set: 0, binding: 0, resources: Resources::StorageBuffers(vec![buffer]) };
        let bindings = device.create_bindings(&[binding])?;
        let graph = device.create_graph(&words)?;
        let input = GraphInput { node: "rec".into(), index: 0, records: vec![0; 4], stride: 0, count };
        let start = Instant::now();
        let run = device.dispatch_graph(graph, Some(bindings), &[], &[input])?;
        let records: u64 = run.records.values().sum();
        let seconds = start.elapsed().as_secs_f64();
        writeln!(out, "{records:7} records: {:8.2} million per second", records as f64 / seconds / 1e6)?;
    }
    Ok(())
}
