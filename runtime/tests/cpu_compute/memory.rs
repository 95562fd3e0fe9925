//! Tests of subgroups, shared memory, atomics, addresses, images, samplers, and detected errors.

use super::bench::*;
use std::fmt::Write;
use wgc_runtime::cpu::{CpuSettings, Sanitize};
use wgc_runtime::device::*;

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
    let desc = ImageDesc::new(ImageFormat::Rgba8Unorm, &[3, 2]);
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
fn memory_errors_are_reported_and_execution_continues() {
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
    // Reads outside return zero.
    let lower =
        "%lt = OpULessThan %bool %i %u4\nOpSelectionMerge %m None\nOpBranchConditional %lt %t %m\n%t = OpLabel\n";
    let (words, codes, _) = found(
        "",
        &format!(
            "{lower}%p = OpAccessChain %pword %in %u0 %i\n%v = OpLoad %uint %p\n%w = OpIAdd %uint %v %u1\nOpStore %at %w\nOpBranch %m\n%m = OpLabel"
        ),
    );
    assert_eq!((words.as_slice(), codes.as_slice()), (&[6, 7, 1, 1][..], &["WG4001"][..]));
    let (_, codes, list) = found("", "%v = OpAtomicIAdd %uint %at %u1 %u0 %u1");
    assert_eq!(codes, ["WG4001"]);
    assert!(list[0].message.contains(": an atomic operation of 4 bytes at offset 16"), "{}", list[0].message);
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
    // There are no bindings.
    let mut bench = bench(&[1], 4, CpuSettings::default());
    bench.bindings = bench.device.create_bindings(&[]).unwrap();
    bench.dispatch(&shader(1, "", "OpStore %at %i"), 1, &[]).unwrap();
    assert_eq!(bench.codes(), ["WG4010"]);
}

#[test]
fn unsupported_instructions_are_reported() {
    let refuse = |types: &str, body: &str| {
        bench(&[0], 1, CpuSettings::default()).dispatch(&shader(1, types, body), 1, &[]).unwrap_err()
    };
    let e = refuse("", "%q = OpReadClockKHR %uint %i");
    assert!(e.contains("OpReadClockKHR") && e.contains("module word"), "{e}");
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
        let desc = ImageDesc::new(ImageFormat::R32Float, &[2, 1]);
        let image = b.device.create_image(desc).unwrap();
        let texels: Vec<u8> = [10f32, 20.0].iter().flat_map(|t| t.to_le_bytes()).collect();
        b.device.write_image(image, &texels).unwrap();
        let sampler = b.device.create_sampler(wgc_runtime::device::SamplerDesc::new(filter, mode)).unwrap();
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

/// Threads use samplers of an array whose last two are missing.
#[test]
fn missing_samplers_are_reported() {
    let types = "decorate:OpDecorate %img DescriptorSet 0\ndecorate:OpDecorate %img Binding 2\n\
        decorate:OpDecorate %smp DescriptorSet 0\ndecorate:OpDecorate %smp Binding 3\n\
        types:%it = OpTypeImage %float 2D 0 0 0 1 Unknown\ntypes:%pit = OpTypePointer UniformConstant %it\n\
        types:%st = OpTypeSampler\ntypes:%pst = OpTypePointer UniformConstant %st\ntypes:%sit = OpTypeSampledImage %it\n\
        types:%sta = OpTypeArray %st %u4\ntypes:%psta = OpTypePointer UniformConstant %sta\n\
        types:%img = OpVariable %pit UniformConstant\ntypes:%smp = OpVariable %psta UniformConstant\n\
        types:%f0 = OpConstant %float 0\ntypes:%f9 = OpConstant %float 9";
    let body = "%im = OpLoad %it %img\n%ps = OpAccessChain %pst %smp %i\n%sm = OpLoad %st %ps\n\
        %si = OpSampledImage %sit %im %sm\n%c = OpCompositeConstruct %f2 %f9 %f0\n\
        %t = OpImageSampleExplicitLod %f4 %si %c Lod %f0\n%r = OpCompositeExtract %float %t 0\n\
        %b = OpBitcast %uint %r\nOpStore %at %b";
    let mut b = bench(&[0], 4, CpuSettings::default());
    let image = b.device.create_image(ImageDesc::new(ImageFormat::R32Float, &[2, 1])).unwrap();
    let texels: Vec<u8> = [10f32, 20.0].iter().flat_map(|t| t.to_le_bytes()).collect();
    b.device.write_image(image, &texels).unwrap();
    let sampler = b.device.create_sampler(SamplerDesc::default()).unwrap();
    let bind = |binding, resources| ResourceBinding { set: 0, binding, resources };
    b.bindings = b
        .device
        .create_bindings(&[
            bind(1, Resources::StorageBuffers(vec![b.output])),
            bind(2, Resources::SampledImages(vec![image])),
            bind(3, Resources::Samplers(vec![sampler, sampler])),
        ])
        .unwrap();
    b.dispatch(&shader(4, types, body), 1, &[]).unwrap();
    assert_eq!(floats_of(&b.words(4)), [20.0, 20.0, 0.0, 0.0]);
    let found: Vec<_> = b.device.findings().iter().map(|f| (f.code, f.count)).collect();
    assert_eq!(found, [("WG4010", 2)]);
}

/// Sums that all workgroups compute together, in one word and in two, and values of every width that each workgroup
/// writes alone.
#[test]
fn threads_share_buffers() {
    let text = shader(
        32,
        "",
        "%g = OpLoad %v3 %gid\n%gx = OpCompositeExtract %uint %g 0\n%mine = OpIAdd %uint %gx %u4\n\
         %p = OpAccessChain %pword %out %u0 %mine\n%twice = OpIMul %uint %gx %u3\nOpStore %p %twice\n\
         %sum = OpAccessChain %pword %out %u0 %u0\n%old = OpAtomicIAdd %uint %sum %u1 %u0 %gx\n\
         %most = OpAccessChain %pword %out %u0 %u1\n%old2 = OpAtomicUMax %uint %most %u1 %u0 %gx",
    );
    for threads in [1, 2, 5] {
        let settings = CpuSettings { threads, sanitize: Sanitize::Error, ..CpuSettings::default() };
        let mut b = bench(&[0], 4 + 64 * 32, settings);
        b.dispatch(&text, 64, &[]).unwrap();
        let words = b.words(4 + 64 * 32);
        assert_eq!(words[..4], [(0..2048).sum(), 2047, 0, 0], "{threads}");
        assert!(words[4..].iter().enumerate().all(|(i, &w)| w == 3 * i as u32), "{threads}");
    }
}

/// One of the workgroups fails: the others end, and the error is reported.
#[test]
fn a_finding_in_one_thread_ends_the_run() {
    let text = shader(
        4,
        "",
        "%g = OpLoad %v3 %gid\n%gx = OpCompositeExtract %uint %g 0\n%p = OpAccessChain %pword %out %u0 %gx\n\
         OpStore %p %u1",
    );
    for (sanitize, failed) in [(Sanitize::Error, true), (Sanitize::Warn, false)] {
        let mut b = bench(&[0], 4 * 7, CpuSettings { threads: 3, sanitize, ..CpuSettings::default() });
        let result = b.dispatch(&text, 8, &[]);
        assert_eq!(result.as_ref().err().is_some_and(|e| e.contains("WG4001")), failed, "{result:?}");
        assert_eq!(b.codes(), ["WG4001"]);
        assert_eq!(b.device.findings()[0].count, if failed { 1 } else { 4 });
    }
}
