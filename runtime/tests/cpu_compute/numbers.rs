//! Arithmetic, conversions, extended instructions, layouts of structures.

use super::bench::*;
use std::fmt::Write;

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

/// Without `NoContraction`, a device may round the product. Ours does, as it does for the two operations.
#[test]
fn fused_products_round_once_if_they_are_exact() {
    // The square of 1 + 2^-12 is 1 + 2^-11 + 2^-24, whose last bit needs 25 bits.
    let x = 1.0 + 2f32.powi(-12);
    let body = "%x = OpBitcast %float %word\n%minus = OpFNegate %float %x\n%q = OpExtInst %float %glsl Fma %x %x %minus\n\
                %r = OpBitcast %uint %q\nOpStore %at %r";
    let body = format!("%px = OpAccessChain %pword %in %u0 %u0\n%word = OpLoad %uint %px\n{body}");
    let result = |declarations: &str| f32::from_bits(run(1, declarations, &body, &[x.to_bits()], 1)[0]);
    assert_eq!(result(""), x * x - x);
    assert_eq!(result("decorate:OpDecorate %q NoContraction"), x.mul_add(x, -x));
    assert_ne!(x * x - x, x.mul_add(x, -x));
}

#[test]
fn floats() {
    let f = f32::from_bits;
    // The resulting not-a-number is unspecified, so all read as 0.
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

/// Runs one lane and returns its floats: `%s0`, `%s1` and so on are stored in order.
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
