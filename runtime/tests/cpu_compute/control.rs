//! Tests of divergent control flow.

use super::bench::*;
use wgc_runtime::cpu::{CpuSettings, Sanitize};

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

/// Lanes that left a loop keep the values computed in it while others iterate.
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
