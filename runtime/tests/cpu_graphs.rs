//! The hand-written execution graphs of `tests/amdx-graphs`, under every policy, and errors in graphs.

use wgc_runtime::cpu::{
    Batching, CpuDevice, CpuSettings, GraphInput, GraphModule, GraphRun, NodeName, Order, Sanitize, Specialisation,
};
use wgc_runtime::device::{BufferId, Device, ResourceBinding, Resources};
use wgc_spirv_module::asm;

fn module(name: &str) -> Vec<u32> {
    let path = format!("{}/../tests/amdx-graphs/{name}.spv", env!("CARGO_MANIFEST_DIR"));
    wgc_spirv_module::words::from_bytes(&std::fs::read(path).unwrap()).unwrap()
}

struct Ran {
    words: Vec<u32>,
    run: GraphRun,
    findings: Vec<&'static str>,
    /// All of each finding.
    messages: Vec<String>,
}

fn read(device: &mut CpuDevice, buffer: BufferId, words: usize) -> Vec<u32> {
    let mut bytes = vec![0; words * 4];
    device.read_buffer(buffer, 0, &mut bytes).unwrap();
    bytes.chunks_exact(4).map(|c| u32::from_le_bytes(c.try_into().unwrap())).collect()
}

fn try_run(words: &[u32], settings: CpuSettings, node: &str, records: &[u32], count: u32) -> Result<Ran, String> {
    let mut device = CpuDevice::new(settings);
    let buffer = device.create_buffer(400).unwrap();
    let bindings = [ResourceBinding { set: 0, binding: 0, resources: Resources::StorageBuffers(vec![buffer]) }];
    let bindings = device.create_bindings(&bindings).unwrap();
    let graph = device.create_graph(words).map_err(|e| e.to_string())?;
    let bytes: Vec<u8> = records.iter().flat_map(|w| w.to_le_bytes()).collect();
    let stride = (bytes.len() as u32) / count.max(1);
    let input = GraphInput { node: node.into(), index: 0, records: bytes, stride, count };
    let run = device.dispatch_graph(graph, Some(bindings), &[], &[input]).map_err(|e| e.to_string())?;
    let words = read(&mut device, buffer, 100);
    let findings = device.findings().iter().map(|f| f.code).collect();
    let messages = device.findings().iter().map(|f| f.to_string()).collect();
    Ok(Ran { words, run, findings, messages })
}

fn run(words: &[u32], settings: CpuSettings, node: &str, records: &[u32], count: u32) -> Ran {
    try_run(words, settings, node, records, count).unwrap()
}

fn policies() -> Vec<CpuSettings> {
    let mut out = Vec::new();
    for batching in [Batching::Full, Batching::Single, Batching::Random(3)] {
        for order in [Order::Fifo, Order::Lifo, Order::Random(5)] {
            for threads in [1, 3] {
                out.push(CpuSettings { threads, batching, order, sanitize: Sanitize::Error, ..CpuSettings::default() });
            }
        }
    }
    out
}

/// Checks that all words but these are zero.
fn only(words: &[u32], expected: &[(usize, u32)]) {
    for (i, &word) in words.iter().enumerate() {
        let value = expected.iter().find(|e| e.0 == i).map_or(0, |e| e.1);
        assert_eq!(word, value, "word {i}");
    }
}

#[test]
fn g1_launch_modes() {
    let module = module("g1");
    let ran = run(&module, CpuSettings::default(), "entry", &[5, 0], 1);
    only(&ran.words, &[(1, 8), (2, 4852), (3, 4), (4, 2)]);
    let counts: Vec<_> = ran.run.records.iter().map(|((n, i), c)| (n.as_str(), *i, *c)).collect();
    assert_eq!(counts, [("entry", 0, 1), ("bcast", 0, 1), ("coal", 0, 8)]);
    assert_eq!(ran.run.workgroups.values().copied().collect::<Vec<_>>(), [1, 2, 2]);
    for settings in policies() {
        let ran = run(&module, settings, "entry", &[5, 0], 1);
        assert_eq!(ran.words[1..3], [8, 4852], "{settings:?}");
        assert!((1..=4).contains(&ran.words[3]) && (2..=8).contains(&ran.words[4]), "{settings:?}");
        if settings.batching == Batching::Single {
            assert_eq!(ran.words[3..5], [1, 8]);
        }
    }
}

#[test]
fn g2_recursion() {
    for settings in policies() {
        let ran = run(&module("g2"), settings, "rec", &[0], 1);
        only(&ran.words, &[(16, 15), (20, 8), (21, 4), (22, 2), (23, 1)]);
        assert_eq!(ran.run.records[&("rec".to_string(), 0)], 15);
    }
}

#[test]
fn g4_grids_sharing_and_finish_writing() {
    for settings in policies() {
        let settings = CpuSettings { sanitize: Sanitize::Warn, ..settings };
        let ran = run(&module("g4"), settings, "e4", &[0], 1);
        // Its workgroups add to a shared record without atomics: one reads and writes data that another has written.
        let races: &[&str] = if settings.threads == 1 { &["WG4012"; 2] } else { &[] };
        assert_eq!(ran.findings, races);
        only(&ran.words, &[(56, 60), (60, 14), (61, 21), (64, 110), (72, 1)]);
    }
}

#[test]
fn single_thread_workgroups_in_batches_are_still_workgroups() {
    // 1,000 roots of 15 nodes each: the batches mix records.
    let records: Vec<u32> = (0..1000).collect();
    let ran = run(&module("g2"), CpuSettings::default(), "rec", &records, 1000);
    only(&ran.words, &[(16, 15000), (20, 8000), (21, 4000), (22, 2000), (23, 1000)]);
    assert_eq!(ran.run.workgroups[&("rec".to_string(), 0)], 15000);
}

#[test]
fn wrong_inputs_are_errors() {
    let g4 = module("g4");
    let settings = CpuSettings::default();
    let e = |node, records: &[u32], count| try_run(&g4, settings, node, records, count).err().unwrap();
    assert!(e("nobody", &[0], 1).contains("is not a node"));
    assert!(e("shareB", &[0], 1).contains("not an entry"));
    assert!(e("e4", &[], 1).contains("need more than 0 bytes"));
    assert!(try_run(&g4[..100], settings, "e4", &[0], 1).is_err());
}

/// Assembles a graph of one thread node `a` whose body is `body`, and a consumer `b`. The consumer adds record word 0
/// to word 0 of the buffer, and 1 to word 1.
fn two_nodes(decorations: &str, body: &str) -> Vec<u32> {
    nodes("%s_b", decorations, "", body)
}

fn nodes(target: &str, decorations: &str, modes: &str, body: &str) -> Vec<u32> {
    assemble_nodes(target, decorations, modes, "", body)
}

fn assemble_nodes(target: &str, decorations: &str, modes: &str, constants: &str, body: &str) -> Vec<u32> {
    asm::assemble(&format!(
        "OpCapability Shader
OpCapability ShaderEnqueueAMDX
OpExtension \"SPV_AMDX_shader_enqueue\"
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %a \"a\" %buf %in_a %rem
OpEntryPoint GLCompute %b \"b\" %buf %in_b
OpExecutionMode %a LocalSize 1 1 1
OpExecutionMode %a CoalescingAMDX
OpExecutionMode %b LocalSize 1 1 1
OpExecutionModeId %b MaxNumWorkgroupsAMDX %u2 %u1 %u1
{modes}
OpDecorate %rem BuiltIn RemainingRecursionLevelsAMDX
OpDecorate %rta ArrayStride 4
OpDecorate %blk Block
OpMemberDecorate %blk 0 Offset 0
OpDecorate %buf DescriptorSet 0
OpDecorate %buf Binding 0
OpMemberDecorate %rec 0 Offset 0
OpMemberDecorate %rec 1 Offset 4
OpMemberDecorate %rec 1 PayloadDispatchIndirectAMDX
OpDecorateId %ta NodeMaxPayloadsAMDX %u1
OpDecorateId %tb NodeMaxPayloadsAMDX %u1
OpDecorateId %out NodeMaxPayloadsAMDX %u2
OpDecorateId %out PayloadNodeNameAMDX {target}
{decorations}
%void = OpTypeVoid
%bool = OpTypeBool
%uint = OpTypeInt 32 0
%u0 = OpConstant %uint 0
%u1 = OpConstant %uint 1
%u2 = OpConstant %uint 2
%u3 = OpConstant %uint 3
%u4 = OpConstant %uint 4
%u9 = OpConstant %uint 9
{constants}
%rta = OpTypeRuntimeArray %uint
%blk = OpTypeStruct %rta
%pblk = OpTypePointer StorageBuffer %blk
%pu = OpTypePointer StorageBuffer %uint
%pin = OpTypePointer Input %uint
%pnu = OpTypePointer NodePayloadAMDX %uint
%buf = OpVariable %pblk StorageBuffer
%rem = OpVariable %pin Input
%ft = OpTypeFunction %void
%s_b = OpConstantStringAMDX \"b\"
%s_a = OpConstantStringAMDX \"a\"
%s_no = OpConstantStringAMDX \"nobody\"
%rec = OpTypeStruct %uint %uint
%ta = OpTypeNodePayloadArrayAMDX %rec
%tb = OpTypeNodePayloadArrayAMDX %rec
%out = OpTypeNodePayloadArrayAMDX %rec
%pa = OpTypePointer NodePayloadAMDX %ta
%pb = OpTypePointer NodePayloadAMDX %tb
%po = OpTypePointer NodePayloadAMDX %out
%in_a = OpVariable %pa NodePayloadAMDX
%in_b = OpVariable %pb NodePayloadAMDX
%a = OpFunction %void None %ft
%al = OpLabel
{body}
OpReturn
OpFunctionEnd
%b = OpFunction %void None %ft
%bl = OpLabel
%b0 = OpAccessChain %pnu %in_b %u0 %u0
%b1 = OpLoad %uint %b0
%b2 = OpAccessChain %pu %buf %u0 %u0
%b3 = OpAtomicIAdd %uint %b2 %u1 %u0 %b1
%b4 = OpAccessChain %pu %buf %u0 %u1
%b5 = OpAtomicIAdd %uint %b4 %u1 %u0 %u1
OpReturn
OpFunctionEnd"
    ))
    .unwrap()
}

const ONE: &str = "OpDecorateId %out PayloadNodeArraySizeAMDX %u1";

/// Allocates `n` records and fills the first with {9, 1}.
fn allocate(n: &str) -> String {
    format!(
        "%p = OpAllocateNodePayloadsAMDX %po %u4 {n} %u0\n%p0 = OpAccessChain %pnu %p %u0 %u0\nOpStore %p0 %u9\n\
         %p1 = OpAccessChain %pnu %p %u0 %u1\nOpStore %p1 %u1\n"
    )
}

fn check(words: &[u32], expected: &[(usize, u32)], findings: &[&str]) {
    let ran = run(words, CpuSettings::default(), "a", &[0, 1], 1);
    only(&ran.words, expected);
    assert_eq!(ran.findings, findings);
    if let Some(code) = findings.first() {
        let strict = CpuSettings { sanitize: Sanitize::Error, ..CpuSettings::default() };
        assert!(try_run(words, strict, "a", &[0, 1], 1).err().unwrap().contains(code));
        let off = CpuSettings { sanitize: Sanitize::Off, ..CpuSettings::default() };
        let ran = run(words, off, "a", &[0, 1], 1);
        only(&ran.words, expected);
        assert!(ran.findings.is_empty());
    }
}

#[test]
fn record_errors_are_reported() {
    let good = allocate("%u1") + "OpEnqueueNodePayloadsAMDX %p";
    check(&two_nodes(ONE, &good), &[(0, 9), (1, 1)], &[]);
    check(&two_nodes(ONE, &allocate("%u1")), &[], &["WG4004"]);
    let twice = format!("{good}\nOpEnqueueNodePayloadsAMDX %p");
    check(&two_nodes(ONE, &twice), &[(0, 9), (1, 1)], &["WG4005"]);
    let after = format!("{good}\nOpStore %p0 %u4");
    check(&two_nodes(ONE, &after), &[(0, 9), (1, 1)], &["WG4005"]);
    // Three records of at most two; the grids of the others are never written.
    let many = allocate("%u3") + "OpEnqueueNodePayloadsAMDX %p";
    check(&two_nodes(ONE, &many), &[(0, 9), (1, 1)], &["WG4003", "WG4011"]);
    // A grid of 4 of at most 2.
    let grid = allocate("%u1") + "OpStore %p1 %u4\nOpEnqueueNodePayloadsAMDX %p";
    check(&two_nodes(ONE, &grid), &[(0, 18), (1, 2)], &["WG4006"]);
    // The second record of one.
    let beyond = format!("{good}\n%q = OpAccessChain %pnu %in_a %u1 %u0\n%q1 = OpLoad %uint %q");
    check(&two_nodes(ONE, &beyond), &[(0, 9), (1, 1)], &["WG4001"]);
}

#[test]
fn findings_do_not_depend_on_the_thread_count() {
    // Each of many workgroups breaks its limit, and completes its record a second time.
    let body = allocate("%u3") + "OpEnqueueNodePayloadsAMDX %p\nOpEnqueueNodePayloadsAMDX %p";
    let words = two_nodes(ONE, &body);
    let records: Vec<u32> = (0..1000).flat_map(|i| [i, 1]).collect();
    let with = |threads| run(&words, CpuSettings { threads, ..CpuSettings::default() }, "a", &records, 1000);
    let one = with(1);
    assert_eq!(one.findings, ["WG4003", "WG4005", "WG4011"], "two of three records have no grid");
    assert_eq!(one.words[..2], [9000, 1000]);
    for _ in 0..4 {
        let several = with(4);
        assert_eq!((&several.words, &several.messages), (&one.words, &one.messages));
        assert_eq!(several.run, one.run);
    }
    let strict = CpuSettings { threads: 4, sanitize: Sanitize::Error, ..CpuSettings::default() };
    let errors = [0; 3].map(|_| try_run(&words, strict, "a", &records, 1000).err().unwrap());
    assert!(errors.iter().all(|error| *error == errors[0]), "{errors:?}");
}

#[test]
fn missing_targets_and_recursion() {
    let send = allocate("%u1") + "OpEnqueueNodePayloadsAMDX %p";
    let base = "OpDecorateId %out PayloadNodeArraySizeAMDX %u4\nOpDecorateId %out PayloadNodeBaseIndexAMDX %u2";
    check(&two_nodes(base, &send), &[], &["WG4008"]);
    // Index 1 is within the array's size but is no node; IsValid reports that, in either operand form.
    for operand in ["%out", "%p"] {
        let ask = format!(
            "%p = OpAllocateNodePayloadsAMDX %po %u4 %u0 %u0\nOpEnqueueNodePayloadsAMDX %p\n\
             %v0 = OpIsNodePayloadValidAMDX %bool {operand} %u0\n%v1 = OpIsNodePayloadValidAMDX %bool {operand} %u1\n\
             %w0 = OpSelect %uint %v0 %u4 %u0\n%w1 = OpSelect %uint %v1 %u2 %u1\n%w = OpIAdd %uint %w0 %w1\n\
             %at = OpAccessChain %pu %buf %u0 %u3\nOpStore %at %w"
        );
        check(&two_nodes("OpDecorate %out PayloadNodeSparseArrayAMDX", &ask), &[(3, 5)], &[]);
    }
    // `a` sends to itself: with two levels left it does so twice, and the third time is one too many.
    let again =
        "%l = OpLoad %uint %rem\n%at = OpAccessChain %pu %buf %u0 %u2\n%old = OpAtomicIAdd %uint %at %u1 %u0 %u1\n";
    let recursive = nodes("%s_a", ONE, "OpExecutionModeId %a MaxNodeRecursionAMDX %u2", &(again.to_string() + &send));
    check(&recursive, &[(2, 3)], &["WG4007"]);
    let nobody = nodes("%s_no", ONE, "", &send);
    check(&nobody, &[], &["WG4008"]);
}

#[test]
fn endless_graphs_and_loops_end_with_an_error() {
    let endless =
        "OpBranch %h\n%h = OpLabel\nOpLoopMerge %m %c None\nOpBranch %c\n%c = OpLabel\nOpBranch %h\n%m = OpLabel";
    let settings = CpuSettings { fuel: 10_000, ..CpuSettings::default() };
    let e = try_run(&two_nodes(ONE, endless), settings, "a", &[0, 1], 1).err().unwrap();
    assert!(e.contains("reached the limit of executed instructions"), "{e}");
    let few = CpuSettings { max_workgroups: 10, ..CpuSettings::default() };
    let e = try_run(&module("g2"), few, "rec", &[0], 1).err().unwrap();
    assert!(e.contains("limit of workgroups"), "{e}");
}

/// Records of the host and of nodes take memory until their nodes run.
#[test]
fn pending_records_have_a_limit_of_bytes() {
    let besides = 40;
    for (threads, records) in [(1, 100u32), (3, 100)] {
        let at = u64::from(records) * (8 + besides);
        for (most, works) in [(at, true), (at - 1, false)] {
            let settings = CpuSettings { threads, max_pending_bytes: most, ..CpuSettings::default() };
            let ran = try_run(&two_nodes(ONE, ""), settings, "b", &vec![0; 2 * records as usize], records);
            assert_eq!(ran.is_ok(), works, "{most}: {:?}", ran.err());
            if let Err(e) = ran {
                assert!(e.contains(&format!("the pending records of the graph need more than {most} bytes")), "{e}");
            }
        }
    }
}

#[test]
fn copies_of_records_are_refused_with_the_reason() {
    // DXC's form: the payload array loaded by value.
    let copy = "%v = OpLoad %ta %in_a";
    let e = try_run(&two_nodes(ONE, copy), CpuSettings::default(), "a", &[0, 1], 1).err().unwrap();
    assert!(e.contains("by value"), "{e}");
}

/// The host names node b b[2]; `a` sends to the index of a specialisation constant.
#[test]
fn hosts_name_nodes_and_set_specialisation_constants() {
    let decorations = "OpDecorateId %out PayloadNodeArraySizeAMDX %u3\nOpDecorate %spec SpecId 7";
    let body = "%p = OpAllocateNodePayloadsAMDX %po %u4 %u1 %spec\n%p0 = OpAccessChain %pnu %p %u0 %u0\nOpStore %p0 %u9\n\
                %p1 = OpAccessChain %pnu %p %u0 %u1\nOpStore %p1 %u1\nOpEnqueueNodePayloadsAMDX %p";
    let names = [NodeName { entry_point: "b".into(), name: "b".into(), index: Some(2) }];
    let module = spec_nodes(decorations, body);
    for (value, records) in [(None, 0), (Some(2u64), 1)] {
        let mut device = CpuDevice::new(CpuSettings::default());
        let values: Specialisation = value.into_iter().map(|v| (7, v)).collect();
        let graph =
            device.create_graph_of(&[GraphModule { words: &module, names: &names, wave_sizes: &[] }], &values).unwrap();
        let buffer = device.create_buffer(16).unwrap();
        let binding = ResourceBinding { set: 0, binding: 0, resources: Resources::StorageBuffers(vec![buffer]) };
        let bindings = device.create_bindings(&[binding]).unwrap();
        let input = GraphInput { node: "a".into(), index: 0, records: vec![0; 8], stride: 8, count: 1 };
        let run = device.dispatch_graph(graph, Some(bindings), &[], &[input]).unwrap();
        assert_eq!(run.records[&("b".to_string(), 2)], records, "the default index 1 is no node");
        assert_eq!(
            device.findings().iter().map(|f| f.code).collect::<Vec<_>>(),
            if records == 0 { vec!["WG4008"] } else { vec![] }
        );
    }
}

/// Assembles the graph of `two_nodes`, with a specialisation constant `%spec` of default 1.
fn spec_nodes(decorations: &str, body: &str) -> Vec<u32> {
    assemble_nodes("%s_b", decorations, "", "%spec = OpSpecConstant %uint 1", body)
}

/// DXC's modules of three small graphs: their records would never arrive, so they are refused with the reason.
#[test]
fn modules_of_dxc_are_refused_with_the_reason() {
    for name in ["dxc/d1", "dxc/d2", "dxc/d3"] {
        let mut device = CpuDevice::new(CpuSettings::default());
        let e = device.create_graph(&module(name)).unwrap_err().to_string();
        assert!(e.contains("breaks rules of SPV_AMDX_shader_enqueue:\n"), "{name}: {e}");
        for part in ["by value: no node receives the copy", "AMDX-28", "sends the Function variable"] {
            assert!(e.contains(part), "{name}: {part:?} is missing from {e}");
        }
        assert_eq!(e.contains("lists 3 payload variables"), name != "dxc/d2", "{name}: {e}");
    }
}

/// Assembles a graph of two nodes. `own` has no input. `sh` shares its input of two integers, and adds the second to
/// word 0 of the buffer and 1 to word 1. `modes` has the launch of `sh`.
fn sharing(modes: &str) -> Vec<u32> {
    asm::assemble(&format!(
        "OpCapability Shader
OpCapability ShaderEnqueueAMDX
OpExtension \"SPV_AMDX_shader_enqueue\"
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %own \"own\"
OpEntryPoint GLCompute %sh \"sh\" %buf %in
OpExecutionMode %own LocalSize 1 1 1
OpExecutionModeId %own StaticNumWorkgroupsAMDX %u1 %u1 %u1
OpExecutionMode %sh LocalSize 1 1 1
{modes}
OpExecutionModeId %sh SharesInputWithAMDX %s_own %u0
OpExecutionModeId %sh IsApiEntryAMDX %false
OpDecorate %n SpecId 5
OpDecorate %rta ArrayStride 4
OpDecorate %blk Block
OpMemberDecorate %blk 0 Offset 0
OpDecorate %buf DescriptorSet 0
OpDecorate %buf Binding 0
OpMemberDecorate %rec 0 Offset 0
OpMemberDecorate %rec 1 Offset 4
OpMemberDecorate %rec 0 NonWritable
OpMemberDecorate %rec 1 NonWritable
OpDecorateId %t NodeMaxPayloadsAMDX %u2
%void = OpTypeVoid
%bool = OpTypeBool
%false = OpConstantFalse %bool
%uint = OpTypeInt 32 0
%u0 = OpConstant %uint 0
%u1 = OpConstant %uint 1
%u2 = OpConstant %uint 2
%n = OpSpecConstant %uint 1
%twice = OpSpecConstantOp %uint IMul %n %u2
%rta = OpTypeRuntimeArray %uint
%blk = OpTypeStruct %rta
%pblk = OpTypePointer StorageBuffer %blk
%pu = OpTypePointer StorageBuffer %uint
%pnu = OpTypePointer NodePayloadAMDX %uint
%buf = OpVariable %pblk StorageBuffer
%s_own = OpConstantStringAMDX \"own\"
%rec = OpTypeStruct %uint %uint
%t = OpTypeNodePayloadArrayAMDX %rec
%p = OpTypePointer NodePayloadAMDX %t
%in = OpVariable %p NodePayloadAMDX
%ft = OpTypeFunction %void
%own = OpFunction %void None %ft
%own_l = OpLabel
OpReturn
OpFunctionEnd
%sh = OpFunction %void None %ft
%sh_l = OpLabel
%second = OpAccessChain %pnu %in %u0 %u1
%v = OpLoad %uint %second
%w0 = OpAccessChain %pu %buf %u0 %u0
%a0 = OpAtomicIAdd %uint %w0 %u1 %u0 %v
%w1 = OpAccessChain %pu %buf %u0 %u1
%a1 = OpAtomicIAdd %uint %w1 %u1 %u0 %u1
OpReturn
OpFunctionEnd"
    ))
    .unwrap()
}

#[test]
fn input_sharers_cannot_read_past_host_records() {
    for modes in ["OpExecutionModeId %sh StaticNumWorkgroupsAMDX %u1 %u1 %u1", "OpExecutionMode %sh CoalescingAMDX"] {
        let graph = sharing(modes);
        let codes = |records: &[u32], count| {
            let ran = run(&graph, CpuSettings::default(), "own", records, count);
            (ran.words[..2].to_vec(), ran.findings, ran.messages)
        };
        // All of it is present, though `own` has no input.
        assert_eq!(codes(&[3, 4], 1), (vec![4, 1], vec![], vec![]));
        let coalesces = modes.contains("Coalescing");
        let groups = if coalesces { 1 } else { 2 };
        assert_eq!(codes(&[3, 4, 5, 6], 2), (vec![if coalesces { 4 } else { 10 }, groups], vec![], vec![]));
        for (records, count, bytes) in [(&[][..], 1, 0), (&[7][..], 1, 4), (&[7, 8][..], 2, 4)] {
            let (words, findings, messages) = codes(records, count);
            assert_eq!((words, findings), (vec![0, count], vec!["WG4001"]), "{records:?}");
            let expected = format!("a load of 4 bytes at offset 4 of a record of {bytes} bytes");
            assert!(messages[0].contains(&expected), "{messages:?}");
        }
    }
}

#[test]
fn out_of_range_grids_are_reported_with_their_spec_ids() {
    let dispatch = |modes: &str, value: Option<u64>| -> Result<_, String> {
        let mut device = CpuDevice::new(CpuSettings::default());
        let values: Specialisation = value.into_iter().map(|v| (5, v)).collect();
        let words = sharing(modes);
        let graph = device.create_graph_of(&[GraphModule { words: &words, names: &[], wave_sizes: &[] }], &values);
        let graph = graph.map_err(|e| e.to_string())?;
        let buffer = device.create_buffer(16).unwrap();
        let binding = ResourceBinding { set: 0, binding: 0, resources: Resources::StorageBuffers(vec![buffer]) };
        let bindings = device.create_bindings(&[binding]).unwrap();
        let input = GraphInput { node: "own".into(), index: 0, records: vec![0; 8], stride: 8, count: 1 };
        let run = device.dispatch_graph(graph, Some(bindings), &[], &[input]).map_err(|e| e.to_string())?;
        let messages: Vec<String> = device.findings().iter().map(ToString::to_string).collect();
        Ok((run.workgroups[&("sh".to_string(), 0)], messages))
    };
    const FIXED: &str = "OpExecutionModeId %sh StaticNumWorkgroupsAMDX %twice %u1 %n";
    assert_eq!(dispatch(FIXED, None), Ok((2, vec![])));
    assert_eq!(dispatch(FIXED, Some(3)), Ok((18, vec![])));
    let (groups, messages) = dispatch(FIXED, Some(0)).unwrap();
    assert_eq!(groups, 0);
    let [messages] = messages.as_slice() else { panic!("{messages:?}") };
    let expected = "WG4020: sh: fixed dispatch grid without workgroups: StaticNumWorkgroupsAMDX is 0, 1, 0 \
                    (specialised: SpecId 5 is 0) (record 0); the records are dropped";
    assert_eq!(messages, expected);
    // 32,768 twice is one too many along x; 4,096 times 8,192 are too many in all.
    for (value, grid) in [(32768, "65536, 1, 32768"), (4096, "8192, 1, 4096")] {
        let e = dispatch(FIXED, Some(value)).unwrap_err();
        let expected = format!(
            "node sh: StaticNumWorkgroupsAMDX is {grid} (specialised: SpecId 5 is {value}), but a grid is limited to \
             65535 workgroups along an axis and 16777215 in total"
        );
        assert!(e.contains(&expected), "{e}");
    }
    // One that is as large as may be.
    assert_eq!(dispatch("OpExecutionModeId %sh StaticNumWorkgroupsAMDX %n %u1 %u1", Some(65535)), Ok((65535, vec![])));
}

/// The extension has OpFinishWritingNodePayloadAMDX for records that another node sent. The result is the same.
#[test]
fn finishing_records_of_the_host_is_reported() {
    let graph = asm::assemble(
        "OpCapability Shader
OpCapability ShaderEnqueueAMDX
OpExtension \"SPV_AMDX_shader_enqueue\"
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %send \"send\"
OpEntryPoint GLCompute %take \"take\" %buf %in
OpExecutionMode %send LocalSize 1 1 1
OpExecutionModeId %send StaticNumWorkgroupsAMDX %u1 %u1 %u1
OpExecutionMode %take LocalSize 1 1 1
OpExecutionModeId %take StaticNumWorkgroupsAMDX %u3 %u1 %u1
OpDecorate %rta ArrayStride 4
OpDecorate %blk Block
OpMemberDecorate %blk 0 Offset 0
OpDecorate %buf DescriptorSet 0
OpDecorate %buf Binding 0
OpMemberDecorate %rec 0 Offset 0
OpDecorate %rec TrackFinishWritingAMDX
OpDecorateId %t NodeMaxPayloadsAMDX %u1
OpDecorateId %o NodeMaxPayloadsAMDX %u1
OpDecorateId %o PayloadNodeNameAMDX %s_take
OpDecorateId %o PayloadNodeArraySizeAMDX %u1
%void = OpTypeVoid
%bool = OpTypeBool
%uint = OpTypeInt 32 0
%u0 = OpConstant %uint 0
%u1 = OpConstant %uint 1
%u3 = OpConstant %uint 3
%u4 = OpConstant %uint 4
%rta = OpTypeRuntimeArray %uint
%blk = OpTypeStruct %rta
%pblk = OpTypePointer StorageBuffer %blk
%pu = OpTypePointer StorageBuffer %uint
%pnu = OpTypePointer NodePayloadAMDX %uint
%buf = OpVariable %pblk StorageBuffer
%s_take = OpConstantStringAMDX \"take\"
%rec = OpTypeStruct %uint
%t = OpTypeNodePayloadArrayAMDX %rec
%o = OpTypeNodePayloadArrayAMDX %rec
%p = OpTypePointer NodePayloadAMDX %t
%po = OpTypePointer NodePayloadAMDX %o
%in = OpVariable %p NodePayloadAMDX
%ft = OpTypeFunction %void
%send = OpFunction %void None %ft
%send_l = OpLabel
%new = OpAllocateNodePayloadsAMDX %po %u4 %u1 %u0
%first = OpAccessChain %pnu %new %u0 %u0
OpStore %first %u3
OpEnqueueNodePayloadsAMDX %new
OpReturn
OpFunctionEnd
%take = OpFunction %void None %ft
%take_l = OpLabel
%last = OpFinishWritingNodePayloadAMDX %bool %in
%add = OpSelect %uint %last %u1 %u0
%w0 = OpAccessChain %pu %buf %u0 %u0
%a0 = OpAtomicIAdd %uint %w0 %u1 %u0 %add
OpReturn
OpFunctionEnd",
    )
    .unwrap();
    let from = |node: &str, records: &[u32]| {
        let ran = run(&graph, CpuSettings::default(), node, records, 1);
        (ran.words[0], ran.findings)
    };
    assert_eq!(from("send", &[]), (1, vec![]));
    assert_eq!(from("take", &[3]), (1, vec!["WG4021"]));
}
