//! Compute shaders on the CPU device: instruction by instruction against values computed here, and control flow that
//! diverges lane by lane. The shaders are assembly; no compiler had a hand in them.

use std::fmt::Write;
use wgc_runtime::cpu::{CpuDevice, CpuSettings, Sanitize};
use wgc_runtime::device::*;
use wgc_spirv_module::asm;

/// A shader of `lanes` threads; `%i` is the thread, `%out` and `%in` are buffers of words at bindings 1 and 0.
fn shader(lanes: u32, declarations: &str, body: &str) -> String {
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
fn section(text: &str, name: &str) -> String {
    text.lines().filter_map(|l| l.trim().strip_prefix(name)?.strip_prefix(':')).collect::<Vec<_>>().join("\n")
}

struct Bench {
    device: CpuDevice,
    input: BufferId,
    output: BufferId,
    bindings: BindingsId,
}

fn bench(input: &[u32], out_words: usize, settings: CpuSettings) -> Bench {
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
    fn dispatch(&mut self, text: &str, groups: u32, push: &[u8]) -> std::result::Result<(), String> {
        let words = asm::assemble(text).map_err(|e| format!("{e}: {}", text.lines().nth(e.line - 1).unwrap_or("")))?;
        let pipeline = self.device.create_pipeline(&words, "main", Some(self.bindings), push.len() as u32);
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

    fn words(&mut self, count: usize) -> Vec<u32> {
        let mut bytes = vec![0; count * 4];
        self.device.read_buffer(self.output, 0, &mut bytes).unwrap();
        bytes.chunks_exact(4).map(|c| u32::from_le_bytes(c.try_into().unwrap())).collect()
    }

    fn codes(&self) -> Vec<&'static str> {
        self.device.findings().iter().map(|f| f.code).collect()
    }
}

/// Output words of one workgroup; any finding is an error.
fn run(lanes: u32, declarations: &str, body: &str, input: &[u32], out_words: usize) -> Vec<u32> {
    let settings = CpuSettings { sanitize: Sanitize::Error, ..CpuSettings::default() };
    let mut bench = bench(input, out_words, settings);
    bench.dispatch(&shader(lanes, declarations, body), 1, &[]).unwrap();
    bench.words(out_words)
}

const EDGES: [u32; 12] = [
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

/// Runs `body`, which makes `%r` (a uint) of `%x` and `%y`, on every pair of edge values.
fn pairs(body: &str, expected: impl Fn(u32, u32) -> u32) {
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

#[test]
fn integer_arithmetic() {
    pairs("%r = OpIAdd %uint %x %y", u32::wrapping_add);
    pairs("%r = OpISub %uint %x %y", u32::wrapping_sub);
    pairs("%r = OpIMul %uint %x %y", u32::wrapping_mul);
    pairs("%r = OpUDiv %uint %x %y", |x, y| x.checked_div(y).unwrap_or(u32::MAX));
    pairs("%r = OpUMod %uint %x %y", |x, y| x.checked_rem(y).unwrap_or(u32::MAX));
    pairs("%q = OpSDiv %int %sx %sy\n%r = OpBitcast %uint %q", |x, y| {
        if y == 0 { u32::MAX } else { (x as i32).wrapping_div(y as i32) as u32 }
    });
    pairs("%q = OpSMod %int %sx %sy\n%r = OpBitcast %uint %q", |x, y| {
        // The result has the sign of the divisor.
        let (x, y) = (i64::from(x as i32), i64::from(y as i32));
        let floor = |x: i64, y: i64| x.div_euclid(y) - i64::from(y < 0 && x.rem_euclid(y) != 0);
        if y == 0 { u32::MAX } else { (x - y * floor(x, y)) as u32 }
    });
    pairs("%q = OpSNegate %int %sx\n%r = OpBitcast %uint %q", |x, _| x.wrapping_neg());
    pairs("%m = OpBitwiseAnd %uint %y %u31\n%r = OpShiftRightLogical %uint %x %m", |x, y| x >> (y & 31));
    pairs(
        "%m = OpBitwiseAnd %uint %y %u31\n%q = OpShiftRightArithmetic %int %sx %m\n%r = OpBitcast %uint %q",
        |x, y| (x as i32 >> (y & 31)) as u32,
    );
    pairs("%c = OpSLessThan %bool %sx %sy\n%r = OpSelect %uint %c %u1 %u0", |x, y| u32::from((x as i32) < y as i32));
    pairs("%c = OpUGreaterThanEqual %bool %x %y\n%r = OpSelect %uint %c %u1 %u0", |x, y| u32::from(x >= y));
    pairs("%r = OpBitCount %uint %x", |x, _| x.count_ones());
    pairs("%r = OpBitReverse %uint %x", |x, _| x.reverse_bits());
    pairs("%r = OpBitFieldUExtract %uint %x %u4 %u9", |x, _| x >> 4 & 0x1ff);
    pairs("%r = OpBitFieldInsert %uint %x %y %u3 %u5", |x, y| x & !(0x1f << 3) | (y & 0x1f) << 3);
}

#[test]
fn wide_and_narrow_integers() {
    let join = "%lx = OpUConvert %ulong %x\n%ly = OpUConvert %ulong %y\n%s32 = OpUConvert %ulong %u32\n\
                %hi = OpShiftLeftLogical %ulong %lx %s32\n%l = OpBitwiseOr %ulong %hi %ly\n";
    let wide = |x: u32, y: u32| u64::from(x) << 32 | u64::from(y);
    let fold = "\n%h2 = OpShiftRightLogical %ulong %q %s32\n%lo = OpUConvert %uint %q\n%h3 = OpUConvert %uint %h2\n\
                %r = OpBitwiseXor %uint %lo %h3";
    let folded = |q: u64| q as u32 ^ (q >> 32) as u32;
    pairs(&format!("{join}%q = OpIMul %ulong %l %l{fold}"), |x, y| folded(wide(x, y).wrapping_mul(wide(x, y))));
    pairs(&format!("{join}%q = OpUDiv %ulong %l %lx{fold}"), |x, y| {
        folded(wide(x, y).checked_div(u64::from(x)).unwrap_or(u64::MAX))
    });
    pairs(&format!("{join}%q = OpBitReverse %ulong %l{fold}"), |x, y| folded(wide(x, y).reverse_bits()));
    pairs(
        "%a = OpUConvert %ubyte %x\n%b = OpUConvert %ubyte %y\n%c = OpIMul %ubyte %a %b\n%r = OpUConvert %uint %c",
        |x, y| u32::from((x as u8).wrapping_mul(y as u8)),
    );
    pairs(
        "%a = OpSConvert %short %sx\n%b = OpSConvert %short %sy\n%c = OpIAdd %short %a %b\n%s = OpSConvert %int %c\n\
           %r = OpBitcast %uint %s",
        |x, y| i32::from((x as i16).wrapping_add(y as i16)) as u32,
    );
    pairs(
        "%a = OpSConvert %byte %sx\n%b = OpSConvert %byte %sy\n%c = OpSLessThan %bool %a %b\n%r = OpSelect %uint %c %u1 %u0",
        |x, y| u32::from((x as i8) < y as i8),
    );
    pairs(
        "%v = OpCompositeConstruct %v2 %x %y\n%l = OpBitcast %ulong %v\n%w = OpBitcast %v2 %l\n\
           %c = OpCompositeExtract %uint %w 1\n%t = OpUConvert %uint %l\n%r = OpISub %uint %c %t",
        |x, y| y.wrapping_sub(x),
    );
}

#[test]
fn floats() {
    let f = f32::from_bits;
    // Which not-a-number comes out is nobody's promise: all read as 0.
    let float = |op: &str, expected: &dyn Fn(f32, f32) -> f32| {
        let body =
            format!("%q = {op}\n%nan = OpIsNan %bool %q\n%qb = OpBitcast %uint %q\n%r = OpSelect %uint %nan %u0 %qb");
        pairs(&body, |x, y| {
            let value = expected(f(x), f(y));
            if value.is_nan() { 0 } else { value.to_bits() }
        });
    };
    float("OpFAdd %float %fx %fy", &|x, y| x + y);
    float("OpFSub %float %fx %fy", &|x, y| x - y);
    float("OpFMul %float %fx %fy", &|x, y| x * y);
    float("OpFDiv %float %fx %fy", &|x, y| x / y);
    float("OpFNegate %float %fx", &|x, _| -x);
    float("OpExtInst %float %glsl Floor %fx", &|x, _| x.floor());
    float("OpExtInst %float %glsl Sqrt %fx", &|x, _| x.sqrt());
    float("OpExtInst %float %glsl FMax %fx %fy", &|x, y| x.max(y));
    float("OpExtInst %float %glsl Fma %fx %fy %fx", &|x, y| x.mul_add(y, x));
    float("OpExtInst %float %glsl FAbs %fx", &|x, _| x.abs());
    let compare = |op: &str, expected: &dyn Fn(f32, f32) -> bool| {
        pairs(&format!("%c = {op} %bool %fx %fy\n%r = OpSelect %uint %c %u1 %u0"), |x, y| {
            u32::from(expected(f(x), f(y)))
        });
    };
    compare("OpFOrdEqual", &|x, y| x == y);
    compare("OpFUnordNotEqual", &|x, y| x != y);
    compare("OpFOrdNotEqual", &|x, y| x.partial_cmp(&y).is_some_and(|order| order.is_ne()));
    compare("OpFUnordEqual", &|x, y| x == y || x.is_nan() || y.is_nan());
    compare("OpFOrdLessThan", &|x, y| x < y);
    compare("OpFOrdGreaterThanEqual", &|x, y| x >= y);
    compare("OpFUnordLessThan", &|x, y| x < y || x.is_nan() || y.is_nan());
    compare("OpFUnordGreaterThan", &|x, y| x > y || x.is_nan() || y.is_nan());
    compare("OpFUnordLessThanEqual", &|x, y| x <= y || x.is_nan() || y.is_nan());
    compare("OpFUnordGreaterThanEqual", &|x, y| x >= y || x.is_nan() || y.is_nan());
    compare("OpOrdered", &|x, y| !x.is_nan() && !y.is_nan());
    pairs("%r = OpConvertFToU %uint %fx", |x, _| f(x) as u32);
    pairs("%q = OpConvertFToS %int %fx\n%r = OpBitcast %uint %q", |x, _| f(x) as i32 as u32);
    pairs("%q = OpConvertSToF %float %sx\n%r = OpBitcast %uint %q", |x, _| (x as i32 as f32).to_bits());
    pairs("%q = OpConvertUToF %float %x\n%r = OpBitcast %uint %q", |x, _| (x as f32).to_bits());
    pairs(
        "%a = OpConvertUToF %double %x\n%b = OpConvertUToF %double %y\n%c = OpFDiv %double %a %b\n%q = OpFConvert %float %c\n\
           %n = OpINotEqual %bool %y %u0\n%z = OpBitcast %uint %q\n%r = OpSelect %uint %n %z %u0",
        |x, y| {
            if y == 0 { 0 } else { ((f64::from(x) / f64::from(y)) as f32).to_bits() }
        },
    );
    // Half floats: 2048 + 1 rounds to even.
    pairs(
        "%m = OpBitwiseAnd %uint %x %u31\n%k2 = OpIAdd %uint %m %u1\n%a = OpConvertUToF %half %k2\n%b = OpConvertUToF %half %u32\n\
           %c = OpFMul %half %b %b\n%d = OpFAdd %half %c %c\n%e = OpFAdd %half %d %a\n%r = OpConvertFToU %uint %e",
        |x, _| {
            let sum = 2048 + (x & 31) + 1;
            // Steps of 2 from 2048 on, ties to even.
            match sum % 4 {
                1 => sum - 1,
                3 => sum + 1,
                _ => sum,
            }
        },
    );
}

fn floats_of(words: &[u32]) -> Vec<f32> {
    words.iter().map(|w| f32::from_bits(*w)).collect()
}

/// One lane, floats out: `%s0`, `%s1` and so on are stored in order.
fn scalars(types: &str, body: &str, count: usize) -> Vec<f32> {
    let mut text = body.to_string();
    for i in 0..count {
        write!(
            text,
            "\n%a{i} = OpAccessChain %pword %out %u0 %u{i}\n%z{i} = OpBitcast %uint %s{i}\nOpStore %a{i} %z{i}"
        )
        .unwrap();
    }
    floats_of(&run(1, types, &text, &[0], count))
}

const NUMBERS: &str = "types:%f1 = OpConstant %float 1\ntypes:%f2c = OpConstant %float 2\ntypes:%f3c = OpConstant %float 3\n\
    types:%f4c = OpConstant %float 4\ntypes:%fh = OpConstant %float 0.5\ntypes:%m1 = OpConstant %float -1\n\
    types:%f0 = OpConstant %float 0\ntypes:%va = OpConstantComposite %f3 %f1 %f2c %f3c\n\
    types:%vb = OpConstantComposite %f3 %f4c %m1 %fh\ntypes:%vc = OpConstantComposite %f2 %f3c %f4c\n\
    types:%m22 = OpTypeMatrix %f2 2\ntypes:%c0 = OpConstantComposite %f2 %f1 %f3c\n\
    types:%c1 = OpConstantComposite %f2 %f2c %f4c\ntypes:%mat = OpConstantComposite %m22 %c0 %c1";

#[test]
fn vectors_matrices_and_extended_instructions() {
    let body = "%s0 = OpDot %float %va %vb\n%x = OpExtInst %f3 %glsl Cross %va %vb\n%s1 = OpCompositeExtract %float %x 0\n\
        %s2 = OpCompositeExtract %float %x 1\n%s3 = OpCompositeExtract %float %x 2\n%s4 = OpExtInst %float %glsl Length %vc\n\
        %n = OpExtInst %f2 %glsl Normalize %vc\n%s5 = OpCompositeExtract %float %n 1\n\
        %mv = OpMatrixTimesVector %f2 %mat %vc\n%s6 = OpCompositeExtract %float %mv 0\n%s7 = OpCompositeExtract %float %mv 1\n\
        %vm = OpVectorTimesMatrix %f2 %vc %mat\n%s8 = OpCompositeExtract %float %vm 0\n%s9 = OpCompositeExtract %float %vm 1\n\
        %mm = OpMatrixTimesMatrix %m22 %mat %mat\n%s10 = OpCompositeExtract %float %mm 0 1\n\
        %s11 = OpExtInst %float %glsl Determinant %mat\n%inv = OpExtInst %m22 %glsl MatrixInverse %mat\n\
        %s12 = OpCompositeExtract %float %inv 0 0\n%s13 = OpCompositeExtract %float %inv 1 0\n\
        %s14 = OpExtInst %float %glsl FMix %f2c %f4c %fh\n%s15 = OpExtInst %float %glsl SmoothStep %f0 %f4c %f1\n\
        %s16 = OpExtInst %float %glsl FClamp %f4c %f1 %f3c\n%t = OpTranspose %m22 %mat\n%s17 = OpCompositeExtract %float %t 0 1\n\
        %s18 = OpExtInst %float %glsl Pow %f2c %f3c\n%sh = OpVectorShuffle %f2 %va %vb 2 3\n%s19 = OpCompositeExtract %float %sh 1\n\
        %ins = OpCompositeInsert %f3 %fh %va 1\n%s20 = OpExtInst %float %glsl Distance %ins %va\n\
        %s21 = OpVectorExtractDynamic %float %va %u2\n%rf = OpExtInst %f2 %glsl Reflect %vc %c0\n%s22 = OpCompositeExtract %float %rf 0";
    let got = scalars(NUMBERS, body, 23);
    // mat = | 1 2 | by columns (1, 3) and (2, 4); va = (1, 2, 3), vb = (4, -1, 0.5), vc = (3, 4).
    //       | 3 4 |
    let expected = [
        3.5, // 4 - 2 + 1.5
        4.0, 11.5, -9.0, // (2 * 0.5 + 3, 3 * 4 - 0.5, -1 - 8)
        5.0, 0.8, 11.0, 25.0, // (3 + 8, 9 + 16)
        15.0, 22.0, // (3 + 12, 6 + 16)
        15.0, // line 1, column 0 of mat * mat: 3 + 12
        -2.0, -2.0, 1.0, // inverse by columns: (-2, 1.5), (1, -0.5)
        3.0, 0.15625, // t = 0.25: 0.0625 * 2.5
        3.0, 2.0, 8.0, 4.0, 1.5, 3.0,   // clamp, transpose, pow, shuffle, distance, dynamic
        -27.0, // 3 - 2 * dot((1,3), (3,4)) * 1 = 3 - 30
    ];
    assert_eq!(got, expected);
}

#[test]
fn packing_and_exponents() {
    let types = NUMBERS.to_string()
        + "\ntypes:%fs = OpTypeStruct %float %int\ntypes:%mfs = OpTypeStruct %float %float\n\
        types:%big = OpConstant %float 10.25";
    let body = "%h = OpExtInst %uint %glsl PackHalf2x16 %vc\n%hv = OpExtInst %f2 %glsl UnpackHalf2x16 %h\n\
        %s0 = OpCompositeExtract %float %hv 1\n%un = OpCompositeConstruct %f4 %fh %f1 %m1 %f4c\n\
        %p = OpExtInst %uint %glsl PackUnorm4x8 %un\n%s1 = OpConvertUToF %float %p\n\
        %fr = OpExtInst %fs %glsl FrexpStruct %big\n%s2 = OpCompositeExtract %float %fr 0\n%e = OpCompositeExtract %int %fr 1\n\
        %s3 = OpConvertSToF %float %e\n%s4 = OpExtInst %float %glsl Ldexp %s2 %e\n\
        %mo = OpExtInst %mfs %glsl ModfStruct %big\n%s5 = OpCompositeExtract %float %mo 0\n%s6 = OpCompositeExtract %float %mo 1";
    let got = scalars(&types, body, 7);
    // 0.5 -> 127.5 rounds to 128; 1 -> 255; -1 -> 0; 4 -> 255.
    assert_eq!(got, [4.0, (0xff00_ff80u32) as f32, 0.640625, 4.0, 10.25, 0.25, 10.0]);
}

#[test]
fn structures_follow_their_layout() {
    // { a: u8 at 1, m: row-major 2x2 at 16, stride 16, v: half2 at 4, l: u64 at 8, arr: u16[3] stride 4 at 64 }
    let types = "decorate:OpMemberDecorate %s 0 Offset 1\ndecorate:OpMemberDecorate %s 1 Offset 16\n\
        decorate:OpMemberDecorate %s 1 RowMajor\ndecorate:OpMemberDecorate %s 1 MatrixStride 16\n\
        decorate:OpMemberDecorate %s 2 Offset 4\ndecorate:OpMemberDecorate %s 3 Offset 8\n\
        decorate:OpMemberDecorate %s 4 Offset 64\ndecorate:OpDecorate %s Block\ndecorate:OpDecorate %arr ArrayStride 4\n\
        decorate:OpDecorate %sv DescriptorSet 0\ndecorate:OpDecorate %sv Binding 0\n\
        types:%m22 = OpTypeMatrix %f2 2\ntypes:%h2 = OpTypeVector %half 2\ntypes:%arr = OpTypeArray %ushort %u3\n\
        types:%s = OpTypeStruct %ubyte %m22 %h2 %ulong %arr\ntypes:%ps = OpTypePointer StorageBuffer %s\n\
        types:%pb = OpTypePointer StorageBuffer %ubyte\ntypes:%pm = OpTypePointer StorageBuffer %m22\n\
        types:%pf2 = OpTypePointer StorageBuffer %f2\ntypes:%pf = OpTypePointer StorageBuffer %float\n\
        types:%ph2 = OpTypePointer StorageBuffer %h2\ntypes:%pl = OpTypePointer StorageBuffer %ulong\n\
        types:%pus = OpTypePointer StorageBuffer %ushort\ntypes:%sv = OpVariable %ps StorageBuffer";
    let body = "%ca = OpAccessChain %pb %sv %u0\n%a = OpLoad %ubyte %ca\n%s0u = OpUConvert %uint %a\n%s0 = OpConvertUToF %float %s0u\n\
        %cm = OpAccessChain %pm %sv %u1\n%m = OpLoad %m22 %cm\n%s1 = OpCompositeExtract %float %m 0 1\n\
        %cc = OpAccessChain %pf2 %sv %u1 %u1\n%col = OpLoad %f2 %cc\n%s2 = OpCompositeExtract %float %col 0\n\
        %s3 = OpCompositeExtract %float %col 1\n%ce = OpAccessChain %pf %sv %u1 %i %u1\n%s4 = OpLoad %float %ce\n\
        %ch = OpAccessChain %ph2 %sv %u2\n%h = OpLoad %h2 %ch\n%h1 = OpCompositeExtract %half %h 1\n%s5 = OpFConvert %float %h1\n\
        %cl = OpAccessChain %pl %sv %u3\n%l = OpLoad %ulong %cl\n%s6 = OpConvertUToF %float %l\n\
        %cs = OpAccessChain %pus %sv %u4 %u2\n%us = OpLoad %ushort %cs\n%s7 = OpConvertUToF %float %us\n\
        OpStore %cs %us2\nOpStore %cc %new\n%again = OpLoad %m22 %cm\n%s8 = OpCompositeExtract %float %again 1 1\n\
        %us3 = OpLoad %ushort %cs\n%s9 = OpConvertUToF %float %us3";
    let types = types.to_string()
        + "\ntypes:%us2 = OpConstant %ushort 65535\ntypes:%nine = OpConstant %float 9\ntypes:%new = OpConstantComposite %f2 %nine %nine";
    let mut bytes = [0u8; 80];
    bytes[1] = 200;
    bytes[4..6].copy_from_slice(&0x3c00u16.to_le_bytes());
    bytes[6..8].copy_from_slice(&0xc100u16.to_le_bytes()); // -2.5
    bytes[8..16].copy_from_slice(&(1u64 << 40).to_le_bytes());
    // Rows (1, 2) and (3, 4).
    for (at, value) in [(16, 1f32), (20, 2.0), (32, 3.0), (36, 4.0)] {
        bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
    }
    bytes[72..74].copy_from_slice(&777u16.to_le_bytes());
    let input: Vec<u32> = bytes.chunks_exact(4).map(|c| u32::from_le_bytes(c.try_into().unwrap())).collect();
    let mut text = body.to_string();
    for i in 0..10 {
        write!(
            text,
            "\n%a{i} = OpAccessChain %pword %out %u0 %u{i}\n%z{i} = OpBitcast %uint %s{i}\nOpStore %a{i} %z{i}"
        )
        .unwrap();
    }
    let got = floats_of(&run(1, &types, &text, &input, 10));
    assert_eq!(got, [200.0, 3.0, 2.0, 4.0, 3.0, -2.5, (1u64 << 40) as f32, 777.0, 9.0, 65535.0]);
}

#[test]
fn loops_break_and_continue_lane_by_lane() {
    // sum of j in 0.., skipping multiples of 3, until j > lane (break) or the sum passes 40 (return).
    let body = "OpBranch %head
%head = OpLabel
%j = OpPhi %uint %u0 %entry %j2 %next
%sum = OpPhi %uint %u0 %entry %sum2 %next
OpLoopMerge %done %next None
OpBranch %test
%test = OpLabel
%over = OpUGreaterThan %bool %j %i
OpBranchConditional %over %done %inside
%inside = OpLabel
%r3 = OpUMod %uint %j %u3
%skip = OpIEqual %bool %r3 %u0
OpSelectionMerge %add None
OpBranchConditional %skip %skipping %add
%skipping = OpLabel
OpBranch %next
%add = OpLabel
%sum1 = OpIAdd %uint %sum %j
%much = OpUGreaterThan %bool %sum1 %limit
OpSelectionMerge %small None
OpBranchConditional %much %leave %small
%leave = OpLabel
%mark = OpIAdd %uint %sum1 %thousand
OpStore %at %mark
OpReturn
%small = OpLabel
OpBranch %next
%next = OpLabel
%sum2 = OpPhi %uint %sum %skipping %sum1 %small
%j2 = OpIAdd %uint %j %u1
OpBranch %head
%done = OpLabel
OpStore %at %sum";
    let types = "types:%limit = OpConstant %uint 40\ntypes:%thousand = OpConstant %uint 1000";
    let got = run(40, types, body, &[0], 40);
    let expected: Vec<u32> = (0..40)
        .map(|lane| {
            let mut sum = 0;
            for j in (0..=lane).filter(|j| j % 3 != 0) {
                sum += j;
                if sum > 40 {
                    return sum + 1000;
                }
            }
            sum
        })
        .collect();
    assert_eq!(got, expected);
}

#[test]
fn nested_loops_and_switches_diverge() {
    // for a in 0..lane { for b in 0..4 { if b == a % 4 break; switch (a + b + lane) % 4 { 0: t += 1; 1: t *= 2 falls to 2;
    // 2: t += 3; default: t ^= 5 } } if t > 200 { t -= 200; continue; } t += a }
    let body = "OpBranch %oh
%oh = OpLabel
%a = OpPhi %uint %u0 %entry %a2 %oc
%t = OpPhi %uint %u1 %entry %t9 %oc
OpLoopMerge %om %oc None
OpBranch %ob
%ob = OpLabel
%oin = OpULessThan %bool %a %i
OpBranchConditional %oin %pre %om
%pre = OpLabel
%a4 = OpUMod %uint %a %u4
OpBranch %ih
%ih = OpLabel
%b = OpPhi %uint %u0 %pre %b2n %ic
%t1 = OpPhi %uint %t %pre %t5 %ic
OpLoopMerge %im %ic None
OpBranch %ib
%ib = OpLabel
%iin = OpULessThan %bool %b %u4
OpBranchConditional %iin %i1 %im
%i1 = OpLabel
%hit = OpIEqual %bool %b %a4
OpSelectionMerge %i2 None
OpBranchConditional %hit %brk %i2
%brk = OpLabel
OpBranch %im
%i2 = OpLabel
%q1 = OpIAdd %uint %a %b
%q2 = OpIAdd %uint %q1 %i
%q3 = OpUMod %uint %q2 %u4
OpSelectionMerge %sm None
OpSwitch %q3 %sd 0 %s0 1 %s1 2 %s2
%s0 = OpLabel
%t2a = OpIAdd %uint %t1 %u1
OpBranch %sm
%s1 = OpLabel
%t2b = OpIMul %uint %t1 %u2
OpBranch %s2
%s2 = OpLabel
%t2p = OpPhi %uint %t1 %i2 %t2b %s1
%t2c = OpIAdd %uint %t2p %u3
OpBranch %sm
%sd = OpLabel
%t2d = OpBitwiseXor %uint %t1 %u5
OpBranch %sm
%sm = OpLabel
%t5 = OpPhi %uint %t2a %s0 %t2c %s2 %t2d %sd
OpBranch %ic
%ic = OpLabel
%b2n = OpIAdd %uint %b %u1
OpBranch %ih
%im = OpLabel
%t6 = OpPhi %uint %t1 %ib %t1 %brk
%big = OpUGreaterThan %bool %t6 %limit
OpSelectionMerge %fine None
OpBranchConditional %big %cut %fine
%cut = OpLabel
%t7 = OpISub %uint %t6 %limit
OpBranch %oc
%fine = OpLabel
%t8 = OpIAdd %uint %t6 %a
OpBranch %oc
%oc = OpLabel
%t9 = OpPhi %uint %t7 %cut %t8 %fine
%a2 = OpIAdd %uint %a %u1
OpBranch %oh
%om = OpLabel
OpStore %at %t";
    let got = run(70, "types:%limit = OpConstant %uint 200", body, &[0], 70);
    let expected: Vec<u32> = (0..70u32)
        .map(|lane| {
            let mut t = 1u32;
            for a in 0..lane {
                for b in 0..4 {
                    if b == a % 4 {
                        break;
                    }
                    t = match (a + b + lane) % 4 {
                        0 => t.wrapping_add(1),
                        1 => t.wrapping_mul(2).wrapping_add(3),
                        2 => t.wrapping_add(3),
                        _ => t ^ 5,
                    };
                }
                if t > 200 {
                    t -= 200;
                    continue;
                }
                t += a;
            }
            t
        })
        .collect();
    assert_eq!(got, expected);
}

#[test]
fn phis_that_swap_read_before_they_write() {
    // (a, b) = (1, lane + 2), swapped nine times.
    let body = "%i2 = OpIAdd %uint %i %u2\nOpBranch %h\n%h = OpLabel\n%a = OpPhi %uint %u1 %entry %b %c\n\
        %b = OpPhi %uint %i2 %entry %a %c\n%n = OpPhi %uint %u0 %entry %n2 %c\n%go = OpULessThan %bool %n %u9\n\
        OpLoopMerge %m %c None\nOpBranchConditional %go %c %m\n%c = OpLabel\n%n2 = OpIAdd %uint %n %u1\nOpBranch %h\n\
        %m = OpLabel\n%k = OpIMul %uint %a %u32\n%r = OpIAdd %uint %k %b\nOpStore %at %r";
    let expected: Vec<u32> = (0..8).map(|lane| (lane + 2) * 32 + 1).collect();
    assert_eq!(run(8, "", body, &[0], 8), expected);
}

#[test]
fn functions_with_early_returns_and_local_arrays() {
    // f(x, p): p[x % 4] += x; if x odd return 100 + x; return p[0] — an array in local memory, its pointer passed.
    let types = "types:%arr = OpTypeArray %uint %u4\ntypes:%parr = OpTypePointer Function %arr\n\
        types:%fty = OpTypeFunction %uint %uint %parr\ntypes:%hundred = OpConstant %uint 100\n\
        types:%init = OpConstantComposite %arr %u5 %u6 %u7 %u8\n\
        variables:%arrv = OpVariable %parr Function %init\nvariables:%loc = OpVariable %parr Function %init";
    let body = "%r1 = OpFunctionCall %uint %f %i %arrv\n%r2 = OpFunctionCall %uint %f %r1 %arrv\n%x = OpIMul %uint %r1 %r2\n\
        %k4 = OpUMod %uint %i %u4\n%pk = OpAccessChain %pfun %arrv %k4\n%e = OpLoad %uint %pk\n%y = OpIAdd %uint %x %e\n\
        %pl = OpAccessChain %pfun %loc %k4\n%el = OpLoad %uint %pl\nOpStore %pl %y\n%whole = OpLoad %arr %loc\n\
        %third = OpCompositeExtract %uint %whole 3\n%z = OpIAdd %uint %third %el\nOpStore %at %z";
    let function = "OpReturn\nOpFunctionEnd\n%f = OpFunction %uint None %fty\n%fx = OpFunctionParameter %uint\n\
        %fp = OpFunctionParameter %parr\n%fl = OpLabel\n%fq = OpUMod %uint %fx %u4\n%fpe = OpAccessChain %pfun %fp %fq\n\
        %fe = OpLoad %uint %fpe\n%fs = OpIAdd %uint %fe %fx\nOpStore %fpe %fs\n%odd = OpBitwiseAnd %uint %fx %u1\n\
        %is = OpIEqual %bool %odd %u1\nOpSelectionMerge %fm None\nOpBranchConditional %is %ft1 %fm\n%ft1 = OpLabel\n\
        %fh = OpIAdd %uint %fx %hundred\nOpReturnValue %fh\n%fm = OpLabel\n%f0 = OpAccessChain %pfun %fp %u0\n\
        %fr = OpLoad %uint %f0\nOpReturnValue %fr\nOpFunctionEnd";
    let text = shader(16, types, &format!("{body}\n{function}"));
    // The template closes the function once more.
    let text = text.trim_end().strip_suffix("OpReturn\nOpFunctionEnd").unwrap().to_string();
    let mut bench = bench(&[0], 16, CpuSettings { sanitize: Sanitize::Error, ..CpuSettings::default() });
    bench.dispatch(&text, 1, &[]).unwrap();
    let f = |x: u32, p: &mut [u32; 4]| {
        p[(x % 4) as usize] = p[(x % 4) as usize].wrapping_add(x);
        if x % 2 == 1 { x + 100 } else { p[0] }
    };
    let expected: Vec<u32> = (0..16u32)
        .map(|i| {
            let mut p = [5, 6, 7, 8];
            let r1 = f(i, &mut p);
            let r2 = f(r1, &mut p);
            let y = r1.wrapping_mul(r2).wrapping_add(p[(i % 4) as usize]);
            let mut local = [5, 6, 7, 8];
            let before = local[(i % 4) as usize];
            local[(i % 4) as usize] = y;
            local[3].wrapping_add(before)
        })
        .collect();
    assert_eq!(bench.words(16), expected);
}

#[test]
fn subgroups_have_the_size_that_is_set() {
    let types = "types:%pv4 = OpTypePointer Function %v4";
    let body = "%odd = OpBitwiseAnd %uint %i %u1\n%is = OpIEqual %bool %odd %u1\n%bal = OpGroupNonUniformBallot %v4 %u3 %is\n\
        %w0 = OpCompositeExtract %uint %bal 0\n%sum = OpGroupNonUniformIAdd %uint %u3 Reduce %i\n\
        %ex = OpGroupNonUniformIAdd %uint %u3 ExclusiveScan %i\n%max = OpGroupNonUniformUMax %uint %u3 InclusiveScan %i\n\
        %sh = OpGroupNonUniformShuffleXor %uint %u3 %i %u1\n%fi = OpGroupNonUniformBroadcastFirst %uint %u3 %i\n\
        %el = OpGroupNonUniformElect %bool %u3\n%eu = OpSelect %uint %el %u1 %u0\n\
        %bc = OpGroupNonUniformBallotBitCount %uint %u3 ExclusiveScan %bal\n\
        %eq = OpGroupNonUniformAllEqual %bool %u3 %fi\n%eqn = OpGroupNonUniformAllEqual %bool %u3 %i\n\
        %q = OpSelect %uint %eq %u1 %u0\n%qn = OpSelect %uint %eqn %u2 %u0\n\
        %k = OpIMul %uint %i %u9\n%p0 = OpAccessChain %pword %out %u0 %k\nOpStore %p0 %w0\n";
    let mut body = body.to_string();
    for (n, value) in ["%sum", "%ex", "%max", "%sh", "%fi", "%eu", "%bc"].into_iter().enumerate() {
        let n = n + 1;
        write!(
            body,
            "%k{n} = OpIAdd %uint %k %u{n}\n%p{n} = OpAccessChain %pword %out %u0 %k{n}\nOpStore %p{n} {value}\n"
        )
        .unwrap();
    }
    body += "%qq = OpIAdd %uint %q %qn\n%k8 = OpIAdd %uint %k %u8\n%p8 = OpAccessChain %pword %out %u0 %k8\nOpStore %p8 %qq";
    for (size, lanes) in [(4u32, 16u32), (32, 16), (8, 20)] {
        let settings = CpuSettings { subgroup_size: size, sanitize: Sanitize::Error, ..CpuSettings::default() };
        let mut bench = bench(&[0], 9 * lanes as usize, settings);
        bench.dispatch(&shader(lanes, types, &body), 1, &[]).unwrap();
        let got = bench.words(9 * lanes as usize);
        for lane in 0..lanes {
            let first = lane / size * size;
            let end = (first + size).min(lanes);
            let ballot: u32 = (first..end).filter(|l| l % 2 == 1).map(|l| 1 << (l - first)).sum();
            let expected = [
                ballot,
                (first..end).sum(),
                (first..lane).sum(),
                lane,
                if (lane ^ 1) < end { lane ^ 1 } else { 0 },
                first,
                u32::from(lane == first),
                (first..lane).filter(|l| l % 2 == 1).count() as u32,
                1 + if end - first == 1 { 2 } else { 0 },
            ];
            assert_eq!(got[lane as usize * 9..][..9], expected, "size {size}, lane {lane}");
        }
    }
}

#[test]
fn workgroup_memory_barriers_and_atomics() {
    // Reverses the workgroup's numbers through shared memory; counts in a 64-bit atomic; several workgroups.
    let types = "types:%arr = OpTypeArray %uint %u16\ntypes:%parr = OpTypePointer Workgroup %arr\n\
        types:%pws = OpTypePointer Workgroup %uint\ntypes:%shared = OpVariable %parr Workgroup\ntypes:%sem = OpConstant %uint 264";
    let body = "%g = OpLoad %v3 %gid\n%gx = OpCompositeExtract %uint %g 0\n%p = OpAccessChain %pws %shared %i\nOpStore %p %gx\n\
        OpControlBarrier %u2 %u2 %sem\n%back = OpISub %uint %u15 %i\n%q = OpAccessChain %pws %shared %back\n%v = OpLoad %uint %q\n\
        %to = OpAccessChain %pword %out %u0 %gx\nOpStore %to %v\n%cnt = OpAccessChain %pword %in %u0 %u0\n\
        %old = OpAtomicIAdd %uint %cnt %u1 %u0 %u2\n%c1 = OpAccessChain %pword %in %u0 %u1\n\
        %o1 = OpAtomicUMax %uint %c1 %u1 %u0 %gx\n%c2 = OpAccessChain %pword %in %u0 %u2\n\
        %o2 = OpAtomicCompareExchange %uint %c2 %u1 %u0 %u0 %gx %u7";
    let mut bench = bench(&[0, 0, 7], 48, CpuSettings { sanitize: Sanitize::Error, ..CpuSettings::default() });
    bench.dispatch(&shader(16, types, body), 3, &[]).unwrap();
    let expected: Vec<u32> = (0..48).map(|i| i / 16 * 16 + 15 - i % 16).collect();
    assert_eq!(bench.words(48), expected);
    let mut counts = [0; 12];
    let input = bench.input;
    bench.device.read_buffer(input, 0, &mut counts).unwrap();
    // The exchange happens for the first thread (number 0); then the word is 0 and no longer 7.
    assert_eq!(counts, [96, 0, 0, 0, 47, 0, 0, 0, 0, 0, 0, 0]);
}

#[test]
fn addresses_push_constants_and_array_lengths() {
    let types = "decorate:OpDecorate %pc Block\ndecorate:OpMemberDecorate %pc 0 Offset 0\ndecorate:OpMemberDecorate %pc 1 Offset 8\n\
        types:%pl = OpTypePointer PhysicalStorageBuffer %ulong\ntypes:%pc = OpTypeStruct %ulong %uint\n\
        types:%ppc = OpTypePointer PushConstant %pc\ntypes:%ppl = OpTypePointer PushConstant %ulong\n\
        types:%ppu = OpTypePointer PushConstant %uint\ntypes:%pcv = OpVariable %ppc PushConstant\n\
        types:%l8 = OpConstant %ulong 8\ntypes:%l3 = OpConstant %ulong 3";
    let body = "%c0 = OpAccessChain %ppl %pcv %u0\n%base = OpLoad %ulong %c0\n%c1 = OpAccessChain %ppu %pcv %u1\n%n = OpLoad %uint %c1\n\
        %li64 = OpUConvert %ulong %i\n%off = OpIMul %ulong %li64 %l8\n%addr = OpIAdd %ulong %base %off\n\
        %ptr = OpConvertUToPtr %pl %addr\n%v = OpLoad %ulong %ptr Aligned 8\n%t = OpIMul %ulong %v %l3\nOpStore %ptr %t Aligned 8\n\
        %old = OpAtomicIAdd %ulong %ptr %u1 %u0 %l8\n%len = OpArrayLength %uint %in 0\n%s = OpIAdd %uint %len %n\nOpStore %at %s";
    let mut bench =
        bench(&[1, 0, 2, 0, 0, 1, 9], 3, CpuSettings { sanitize: Sanitize::Error, ..CpuSettings::default() });
    let address = bench.device.buffer_address(bench.input);
    assert_eq!(address % 256, 0);
    let mut push = address.to_le_bytes().to_vec();
    push.extend(100u32.to_le_bytes());
    bench.dispatch(&shader(3, types, body), 1, &push).unwrap();
    assert_eq!(bench.words(3), [107; 3]);
    let mut bytes = [0; 28];
    let input = bench.input;
    bench.device.read_buffer(input, 0, &mut bytes).unwrap();
    let words: Vec<u32> = bytes.chunks_exact(4).map(|c| u32::from_le_bytes(c.try_into().unwrap())).collect();
    assert_eq!(words, [11, 0, 14, 0, 8, 3, 9]);
}

#[test]
fn storage_images_convert() {
    let types = "decorate:OpDecorate %img DescriptorSet 0\ndecorate:OpDecorate %img Binding 2\n\
        types:%it = OpTypeImage %float 2D 0 0 0 2 Rgba8\ntypes:%pit = OpTypePointer UniformConstant %it\n\
        types:%img = OpVariable %pit UniformConstant\ntypes:%quarter = OpConstant %float 0.25\ntypes:%one = OpConstant %float 1\n\
        types:%two = OpConstant %float 2";
    let body = "%im = OpLoad %it %img\n%x = OpUMod %uint %i %u3\n%y = OpUDiv %uint %i %u3\n%c = OpCompositeConstruct %v2 %x %y\n\
        %fi = OpConvertUToF %float %i\n%f = OpFMul %float %fi %quarter\n%t = OpCompositeConstruct %f4 %f %one %two %quarter\n\
        OpImageWrite %im %c %t\n%back = OpImageRead %f4 %im %c\n%r0 = OpCompositeExtract %float %back 0\n\
        %size = OpImageQuerySize %v2 %im\n%w = OpCompositeExtract %uint %size 0\n%fw = OpConvertUToF %float %w\n\
        %s = OpFAdd %float %r0 %fw\n%b = OpBitcast %uint %s\nOpStore %at %b";
    let mut b = bench(&[0], 6, CpuSettings { sanitize: Sanitize::Error, ..CpuSettings::default() });
    let desc = ImageDesc { format: ImageFormat::Rgba8Unorm, size: [3, 2, 1], dimensions: 2 };
    let image = b.device.create_image(desc).unwrap();
    b.bindings = b
        .device
        .create_bindings(&[
            ResourceBinding { set: 0, binding: 1, resources: Resources::StorageBuffers(vec![b.output]) },
            ResourceBinding { set: 0, binding: 2, resources: Resources::StorageImages(vec![image]) },
        ])
        .unwrap();
    b.dispatch(&shader(6, types, body), 1, &[]).unwrap();
    let red = [0u8, 64, 128, 191, 255, 255];
    let texels = b.device.read_image(image).unwrap();
    for (i, texel) in texels.chunks_exact(4).enumerate() {
        assert_eq!(texel, [red[i], 255, 255, 64], "texel {i}");
    }
    let expected: Vec<u32> = red.iter().map(|&r| (f32::from(r) / 255.0 + 3.0).to_bits()).collect();
    assert_eq!(b.words(6), expected);
}

#[test]
fn mistakes_are_found_and_survived() {
    let found = |types: &str, body: &str| {
        let mut bench = bench(&[5, 6], 4, CpuSettings::default());
        bench.dispatch(&shader(8, types, body), 1, &[]).unwrap();
        (bench.words(4), bench.codes(), bench.device.findings().to_vec())
    };
    // Eight threads write four words: four writes are dropped.
    let (words, codes, list) = found("", "OpStore %at %i");
    assert_eq!((words.as_slice(), codes.as_slice()), (&[0, 1, 2, 3][..], &["WG4001"][..]));
    assert_eq!(list[0].count, 4);
    assert!(list[0].message.contains("a buffer of 16 bytes"), "{}", list[0].message);
    // Reads outside give zero.
    let lower =
        "%lt = OpULessThan %bool %i %u4\nOpSelectionMerge %m None\nOpBranchConditional %lt %t %m\n%t = OpLabel\n";
    let (words, codes, _) = found(
        "",
        &format!(
            "{lower}%p = OpAccessChain %pword %in %u0 %i\n%v = OpLoad %uint %p\n%w = OpIAdd %uint %v %u1\nOpStore %at %w\nOpBranch %m\n%m = OpLabel"
        ),
    );
    assert_eq!((words.as_slice(), codes.as_slice()), (&[6, 7, 1, 1][..], &["WG4001"][..]));
    // A barrier that four of eight reach.
    let (_, codes, list) = found(
        "types:%sem = OpConstant %uint 264",
        &format!("{lower}OpControlBarrier %u2 %u2 %sem\nOpBranch %m\n%m = OpLabel"),
    );
    assert_eq!(codes, ["WG4002"]);
    assert!(list[0].message.contains("4 of 8"), "{}", list[0].message);
    // An index beyond a local array, in registers.
    let types = "types:%arr = OpTypeArray %uint %u2\ntypes:%parr = OpTypePointer Function %arr\nvariables:%v = OpVariable %parr Function";
    let (words, codes, _) = found(
        types,
        &format!(
            "{lower}%p = OpAccessChain %pfun %v %i\nOpStore %p %u9\n%b = OpLoad %uint %p\nOpStore %at %b\nOpBranch %m\n%m = OpLabel"
        ),
    );
    assert_eq!((words.as_slice(), codes.as_slice()), (&[9, 9, 0, 0][..], &["WG4001", "WG4001"][..]));
    // Nothing bound.
    let mut bench = bench(&[1], 4, CpuSettings::default());
    bench.bindings = bench.device.create_bindings(&[]).unwrap();
    bench.dispatch(&shader(1, "", "OpStore %at %i"), 1, &[]).unwrap();
    assert_eq!(bench.codes(), ["WG4010"]);
}

#[test]
fn what_the_device_cannot_do_is_named() {
    let refuse = |types: &str, body: &str| {
        bench(&[0], 1, CpuSettings::default()).dispatch(&shader(1, types, body), 1, &[]).unwrap_err()
    };
    let e = refuse("", "%q = OpDPdx %uint %i");
    assert!(e.contains("OpDPdx") && e.contains("module word"), "{e}");
    let e = refuse("", "%q = OpFunctionCall %void %main");
    assert!(e.contains("calls itself"), "{e}");
}

/// A 2 x 1 image of single floats {10, 20}, sampled with every filter and address mode. Texel centres are 0.25 and 0.75.
#[test]
fn samplers_filter_and_wrap() {
    let types = "decorate:OpDecorate %img DescriptorSet 0\ndecorate:OpDecorate %img Binding 2\n\
        decorate:OpDecorate %smp DescriptorSet 0\ndecorate:OpDecorate %smp Binding 3\n\
        types:%it = OpTypeImage %float 2D 0 0 0 1 Unknown\ntypes:%pit = OpTypePointer UniformConstant %it\n\
        types:%st = OpTypeSampler\ntypes:%pst = OpTypePointer UniformConstant %st\ntypes:%sit = OpTypeSampledImage %it\n\
        types:%img = OpVariable %pit UniformConstant\ntypes:%smp = OpVariable %pst UniformConstant\n\
        types:%f0 = OpConstant %float 0\ntypes:%fh = OpConstant %float 0.5";
    let body = "%im = OpLoad %it %img\n%sm = OpLoad %st %smp\n%si = OpSampledImage %sit %im %sm\n\
        %px = OpAccessChain %pword %in %u0 %i\n%xb = OpLoad %uint %px\n%x = OpBitcast %float %xb\n\
        %c = OpCompositeConstruct %f2 %x %fh\n%t = OpImageSampleExplicitLod %f4 %si %c Lod %f0\n\
        %r = OpCompositeExtract %float %t 0\n%b = OpBitcast %uint %r\nOpStore %at %b";
    let at = [0.25f32, 0.5, 1.1, -0.2].map(f32::to_bits);
    for (filter, mode, expected) in [
        (Filter::Nearest, AddressMode::Clamp, [10.0, 20.0, 20.0, 10.0]),
        (Filter::Nearest, AddressMode::Wrap, [10.0, 20.0, 10.0, 20.0]),
        (Filter::Nearest, AddressMode::Mirror, [10.0, 20.0, 20.0, 10.0]),
        (Filter::Nearest, AddressMode::Border, [10.0, 20.0, 0.0, 0.0]),
        (Filter::Linear, AddressMode::Clamp, [10.0, 15.0, 20.0, 10.0]),
        // 1.1 * 2 - 0.5 = 1.7: 0.3 of texel 1 and 0.7 of texel 0; -0.9: 0.9 of texel -1, which is 1, and 0.1 of 0.
        (Filter::Linear, AddressMode::Wrap, [10.0, 15.0, 13.0, 19.0]),
    ] {
        let mut b = bench(&at, 4, CpuSettings { sanitize: Sanitize::Error, ..CpuSettings::default() });
        let desc = ImageDesc { format: ImageFormat::R32Float, size: [2, 1, 1], dimensions: 2 };
        let image = b.device.create_image(desc).unwrap();
        let texels: Vec<u8> = [10f32, 20.0].iter().flat_map(|t| t.to_le_bytes()).collect();
        b.device.write_image(image, &texels).unwrap();
        let sampler = b.device.create_sampler(filter, mode).unwrap();
        let bind = |binding, resources| ResourceBinding { set: 0, binding, resources };
        b.bindings = b
            .device
            .create_bindings(&[
                bind(0, Resources::StorageBuffers(vec![b.input])),
                bind(1, Resources::StorageBuffers(vec![b.output])),
                bind(2, Resources::SampledImages(vec![image])),
                bind(3, Resources::Samplers(vec![sampler])),
            ])
            .unwrap();
        b.dispatch(&shader(4, types, body), 1, &[]).unwrap();
        for (got, want) in floats_of(&b.words(4)).into_iter().zip(expected) {
            assert!((got - want).abs() < 1e-4, "{filter:?} {mode:?}: {got} for {want}");
        }
    }
}

/// Lanes that left a loop keep what they computed in it while others go round.
#[test]
fn values_of_a_loop_survive_the_other_lanes() {
    let body = "OpBranch %h\n%h = OpLabel\n%j = OpPhi %uint %u0 %entry %j2 %c\n%sq = OpIMul %uint %j %j\n\
        %not = OpNot %uint %sq\n%fma = OpBitFieldInsert %uint %sq %not %u16 %u8\n%on = OpULessThan %bool %j %i\n\
        OpLoopMerge %m %c None\nOpBranchConditional %on %c %m\n%c = OpLabel\n%j2 = OpIAdd %uint %j %u1\nOpBranch %h\n\
        %m = OpLabel\nOpStore %at %fma";
    let expected: Vec<u32> =
        (0..70u32).map(|lane| (lane * lane) & !0xff_0000 | ((!(lane * lane) & 0xff) << 16)).collect();
    assert_eq!(run(70, "", body, &[0], 70), expected);
}
