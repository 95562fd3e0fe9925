//! Helpers that tests of several instruction families share: shaders around a body, and their execution.

use std::fmt::Write;
use wgc_runtime::cpu::{CpuDevice, CpuSettings, Sanitize};
use wgc_runtime::device::*;
use wgc_spirv_module::asm;

/// Assembles a shader of `lanes` threads; `%i` is the thread, `%out` and `%in` are buffers of words at bindings 1 and
/// 0.
pub(super) fn shader(lanes: u32, declarations: &str, body: &str) -> String {
    let mut constants = String::new();
    for n in 0..=32 {
        writeln!(constants, "%u{n} = OpConstant %uint {n}").unwrap();
    }
    format!(
        "OpCapability Shader
OpCapability PhysicalStorageBufferAddresses
%glsl = OpExtInstImport \"GLSL.std.450\"
OpMemoryModel PhysicalStorageBuffer64 GLSL450
OpEntryPoint GLCompute %main \"main\" %li %gid
OpExecutionMode %main LocalSize {lanes} 1 1
OpDecorate %li BuiltIn LocalInvocationIndex
OpDecorate %gid BuiltIn GlobalInvocationId
OpDecorate %words ArrayStride 4
OpDecorate %block Block
OpMemberDecorate %block 0 Offset 0
OpDecorate %in DescriptorSet 0
OpDecorate %in Binding 0
OpDecorate %out DescriptorSet 0
OpDecorate %out Binding 1
{}
%void = OpTypeVoid
%bool = OpTypeBool
%uint = OpTypeInt 32 0
%int = OpTypeInt 32 1
%ulong = OpTypeInt 64 0
%long = OpTypeInt 64 1
%ushort = OpTypeInt 16 0
%short = OpTypeInt 16 1
%ubyte = OpTypeInt 8 0
%byte = OpTypeInt 8 1
%float = OpTypeFloat 32
%double = OpTypeFloat 64
%half = OpTypeFloat 16
%v2 = OpTypeVector %uint 2
%v3 = OpTypeVector %uint 3
%v4 = OpTypeVector %uint 4
%f2 = OpTypeVector %float 2
%f3 = OpTypeVector %float 3
%f4 = OpTypeVector %float 4
%b2 = OpTypeVector %bool 2
%true = OpConstantTrue %bool
%false = OpConstantFalse %bool
{constants}
%words = OpTypeRuntimeArray %uint
%block = OpTypeStruct %words
%pblock = OpTypePointer StorageBuffer %block
%pword = OpTypePointer StorageBuffer %uint
%pin = OpTypePointer Input %uint
%pin3 = OpTypePointer Input %v3
%pfun = OpTypePointer Function %uint
%in = OpVariable %pblock StorageBuffer
%out = OpVariable %pblock StorageBuffer
%li = OpVariable %pin Input
%gid = OpVariable %pin3 Input
%ft = OpTypeFunction %void
{}
%main = OpFunction %void None %ft
%entry = OpLabel
{}
%i = OpLoad %uint %li
%at = OpAccessChain %pword %out %u0 %i
{body}
OpReturn
OpFunctionEnd
",
        section(declarations, "decorate"),
        section(declarations, "types"),
        section(declarations, "variables"),
    )
}

/// Lines of `text` that start with `name:`.
pub(super) fn section(text: &str, name: &str) -> String {
    text.lines().filter_map(|l| l.trim().strip_prefix(name)?.strip_prefix(':')).collect::<Vec<_>>().join("\n")
}

pub(super) struct Bench {
    pub(super) device: CpuDevice,
    pub(super) input: BufferId,
    pub(super) output: BufferId,
    pub(super) bindings: BindingsId,
}

pub(super) fn bench(input: &[u32], out_words: usize, settings: CpuSettings) -> Bench {
    let mut device = CpuDevice::new(settings);
    let bytes: Vec<u8> = input.iter().flat_map(|w| w.to_le_bytes()).collect();
    let input = device.create_buffer(bytes.len() as u64).unwrap();
    device.write_buffer(input, 0, &bytes).unwrap();
    let output = device.create_buffer(out_words as u64 * 4).unwrap();
    let buffer = |binding, id| ResourceBinding { set: 0, binding, resources: Resources::StorageBuffers(vec![id]) };
    let bindings = device.create_bindings(&[buffer(0, input), buffer(1, output)]).unwrap();
    Bench { device, input, output, bindings }
}

impl Bench {
    pub(super) fn dispatch(&mut self, text: &str, groups: u32, push: &[u8]) -> std::result::Result<(), String> {
        let words = asm::assemble(text).map_err(|e| format!("{e}: {}", text.lines().nth(e.line - 1).unwrap_or("")))?;
        let pipeline = self.device.create_pipeline(&words, "main", Some(self.bindings), push.len() as u32, None);
        let pipeline = pipeline.map_err(|e| e.to_string())?;
        let command = Command::Dispatch {
            pipeline,
            bindings: Some(self.bindings),
            push: push.to_vec(),
            groups: [groups, 1, 1],
            label: String::new(),
        };
        self.device.submit(&[command]).map_err(|e| e.to_string())
    }

    pub(super) fn words(&mut self, count: usize) -> Vec<u32> {
        let mut bytes = vec![0; count * 4];
        self.device.read_buffer(self.output, 0, &mut bytes).unwrap();
        bytes.chunks_exact(4).map(|c| u32::from_le_bytes(c.try_into().unwrap())).collect()
    }

    pub(super) fn codes(&self) -> Vec<&'static str> {
        self.device.findings().iter().map(|f| f.code).collect()
    }
}

/// Runs one workgroup and returns its output words; any finding is an error.
pub(super) fn run(lanes: u32, declarations: &str, body: &str, input: &[u32], out_words: usize) -> Vec<u32> {
    let settings = CpuSettings { sanitize: Sanitize::Error, ..CpuSettings::default() };
    let mut bench = bench(input, out_words, settings);
    bench.dispatch(&shader(lanes, declarations, body), 1, &[]).unwrap();
    bench.words(out_words)
}

pub(super) const EDGES: [u32; 12] = [
    0,
    1,
    2,
    7,
    31,
    0x7fff_ffff,
    0x8000_0000,
    0xffff_ffff,
    0x3f80_0000, // 1.0
    0xbfc0_0000, // -1.5
    0x7fc0_0000, // not a number
    0xff80_0000, // minus infinity
];

/// Runs `body`, which computes `%r` (a uint) from `%x` and `%y`, on every pair of edge values.
pub(super) fn pairs(body: &str, expected: impl Fn(u32, u32) -> u32) {
    let input: Vec<u32> = EDGES.iter().flat_map(|&x| EDGES.iter().flat_map(move |&y| [x, y])).collect();
    let n = input.len() / 2;
    let text = format!(
        "%k = OpIMul %uint %i %u2\n%k1 = OpIAdd %uint %k %u1\n%px = OpAccessChain %pword %in %u0 %k\n\
         %py = OpAccessChain %pword %in %u0 %k1\n%x = OpLoad %uint %px\n%y = OpLoad %uint %py\n\
         %sx = OpBitcast %int %x\n%sy = OpBitcast %int %y\n%fx = OpBitcast %float %x\n%fy = OpBitcast %float %y\n\
         {body}\nOpStore %at %r"
    );
    let got = run(n as u32, "", &text, &input, n);
    for (pair, got) in input.chunks_exact(2).zip(got) {
        let want = expected(pair[0], pair[1]);
        assert_eq!(got, want, "{body}\nx = {:#x}, y = {:#x}: {got:#x} for {want:#x}", pair[0], pair[1]);
    }
}

pub(super) fn floats_of(words: &[u32]) -> Vec<f32> {
    words.iter().map(|w| f32::from_bits(*w)).collect()
}
