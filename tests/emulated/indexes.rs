//! Indexes of records and in records: checked indexes, and the results of those out of range.

use super::{Loaded, compile_at, cpu, graph, scheduled, spilling, tight};
use std::fmt::Write;
use wgc_abi::tables::ABSENT;
use wgc_abi::{NodeName, device as abi};
use wgc_backend_spirv::emulated::plan::Settings;
use wgc_ir::passes::OptLevel;
use wgc_runtime::cpu::Order;
use wgc_runtime::device::Device;
use wgc_runtime::emulated::{Data, EmulatedOptions, GraphError, Input, RunError};
use wgc_runtime::vulkan::testing;

/// Indexes for `tests/run/far_indexes`: past the end, to the memory after and before a record, and to no memory at all.
const FAR: [u32; 6] = [4, 14, -16i32 as u32, u32::MAX, 100_000, 1_000_000_000];

/// For each form: the node that breaks its limits, the code, and the output.
const FORMS: [(&str, u32, u32); 14] = [
    ("Start", abi::ERROR_RECORD, 0),
    ("Start", abi::ERROR_ELEMENT, 0),
    ("Start", abi::ERROR_ELEMENT, 0),
    ("Start", abi::ERROR_ELEMENT, 0),
    ("Start", abi::ERROR_ELEMENT, 0),
    ("Start", abi::ERROR_ELEMENT, 0),
    ("Start", abi::ERROR_ELEMENT, 0),
    ("Start", abi::ERROR_RECORD, 1),
    ("Start", abi::ERROR_ELEMENT, 1),
    ("Team", abi::ERROR_RECORD, ABSENT),
    ("Team", abi::ERROR_RECORD, ABSENT),
    ("Team", abi::ERROR_ELEMENT, ABSENT),
    ("Team", abi::ERROR_ELEMENT, ABSENT),
    ("Team", abi::ERROR_RECORD, 0),
];

/// One of nine orders is out of range: the records of all others have their usual results.
fn far_indexes(device: impl Device, plan: Settings, options: EmulatedOptions) {
    let mut graph = Loaded::with(device, &graph("../run/far_indexes"), plan, options);
    let mut ask = |form: u32, at: u32| {
        let orders = [[99, 0]; 4].into_iter().chain([[form, at]]).chain([[99, 0]; 4]);
        let data: Vec<u8> = orders.flatten().flat_map(u32::to_le_bytes).collect();
        graph.device.write_buffer(graph.result, 0, &[0; 16]).unwrap();
        let node = NodeName { name: "Start".to_owned(), index: 0 };
        let input = Input { node, data: Data::Bytes(&data), stride: 8, count: 9 };
        let ran = graph.graph.dispatch(&mut graph.device, &[input], &[]).map(drop);
        let mut sums = [0; 12];
        graph.device.read_buffer(graph.result, 0, &mut sums).unwrap();
        (sums.as_chunks::<4>().0.iter().map(|sum| u32::from_le_bytes(*sum)).collect::<Vec<u32>>(), ran)
    };
    for (form, (name, code, output)) in (0..).zip(FORMS) {
        for at in FAR {
            let node = NodeName { name: name.to_owned(), index: 0 };
            let error = GraphError { code, node, level: 0, output, past_recursion: false, count: 1 };
            assert_eq!(ask(form, at), (vec![9; 3], Err(RunError::Graph(error))), "form {form} at {at}");
        }
    }
    // An index in range causes no error, and the write takes effect.
    for (form, at, sums) in [(0, 0, [1008, 9, 9]), (10, 0, [9, 1008, 9]), (13, 0, [9, 9, 1008]), (1, 3, [9; 3])] {
        assert_eq!(ask(form, at), (sums.to_vec(), Ok(())), "form {form} at {at}");
    }
}

#[test]
fn out_of_range_indexes_are_reported_and_contained() {
    far_indexes(cpu(32, Order::Fifo), Settings::default(), EmulatedOptions::default());
    far_indexes(cpu(32, Order::Lifo), Settings { page_bytes: 1 << 10, ..Settings::default() }, scheduled(1, false));
    far_indexes(cpu(32, Order::Fifo), spilling(0), tight());
}

#[test]
fn out_of_range_indexes_are_reported_and_contained_on_vulkan() {
    for (plan, options) in [
        (Settings::default(), EmulatedOptions::default()),
        (Settings { page_bytes: 1 << 10, ..Settings::default() }, scheduled(1, false)),
        (spilling(0), tight()),
    ] {
        if let Some(device) = testing::device() {
            far_indexes(device, plan, options);
        }
    }
}

/// Statements of nodes, and the checks that their code has. A group has eight threads in rows of four; `x` and `y` are
/// arbitrary numbers.
const ACCESSES: [(&str, &[&str]); 47] = [
    ("input.Get(0).a[3] = 1;", &[]),
    ("input.Get(0).a[x & 3] = 1;", &[]),
    ("input.Get(0).a[y & 3] = 1;", &[]),
    ("input.Get(0).a[x & 7] = 1;", &[ELEMENT]),
    ("input.Get(0).a[x] = 1;", &[ELEMENT]),
    ("input.Get(0).a[x % 4] = 1;", &[]),
    ("input.Get(0).a[x % 5] = 1;", &[ELEMENT]),
    ("input.Get(0).a[y % 4] = 1;", &[ELEMENT]),
    ("input.Get(0).a[(y & 15) % 4] = 1;", &[]),
    ("input.Get(0).a[(x & 3) % (x & 2)] = 1;", &[ELEMENT]),
    ("input.Get(0).a[min(x, 3u)] = 1;", &[]),
    ("input.Get(0).a[min(y, 3)] = 1;", &[ELEMENT]),
    ("input.Get(0).a[max(min(x, 3u), 1u)] = 1;", &[]),
    ("input.Get(0).a[clamp(y, 1, 3)] = 1;", &[]),
    ("input.Get(0).a[clamp(y, -1, 3)] = 1;", &[ELEMENT]),
    ("input.Get(0).a[x >> 30] = 1;", &[]),
    ("input.Get(0).a[y >> 30] = 1;", &[ELEMENT]),
    ("input.Get(0).a[x >> 29] = 1;", &[ELEMENT]),
    ("input.Get(0).a[x / 0x40000000] = 1;", &[]),
    ("input.Get(0).a[(x & 1) * 3] = 1;", &[]),
    ("input.Get(0).a[(x & 1) + (x & 2)] = 1;", &[]),
    ("input.Get(0).a[(x & 3) + 1] = 1;", &[ELEMENT]),
    ("input.Get(0).a[(x & 3) - 1] = 1;", &[ELEMENT]),
    ("input.Get(0).a[t / 2] = 1;", &[]),
    ("input.Get(0).b[t] = 1;", &[]),
    ("input.Get(0).a[t] = 1;", &[ELEMENT]),
    ("input.Get(0).a[place.x] = 1;", &[]),
    ("place.y = x; input.Get(0).a[place.x] = 1;", &[ELEMENT]),
    ("uint3 q; input.Get(0).a[q.x] = 1; q = place;", &[ELEMENT]),
    ("input.Get(0).v[place.y] = 1;", &[]),
    ("input.Get(0).v[place.x] = 1;", &[ELEMENT]),
    ("input.Get(0).m[place.y][x & 3] = 1;", &[]),
    ("input.Get(0).m[place.x][x & 3] = 1;", &[ELEMENT]),
    ("input.Get(0).m[1][x & 7] = 1;", &[ELEMENT]),
    ("for (uint i = 0; i < 4; i++) input.Get(0).a[i] = x;", &[]),
    ("for (uint i = 0; i < 5; i++) input.Get(0).a[i] = x;", &[ELEMENT]),
    ("for (int i = 0; i <= 3; i += 2) for (uint j = 0; j < x; j++) input.Get(0).a[i] = x;", &[]),
    ("for (int i = -1; i < 4; i++) input.Get(0).a[i] = x;", &[ELEMENT]),
    ("int i = 0; if (x > 9) i = -7; for (; i < 4; i++) input.Get(0).a[i] = x;", &[ELEMENT]),
    ("for (uint i = 0; i < 4; i++) { i += x; input.Get(0).a[i] = x; }", &[ELEMENT]),
    ("for (int i = 3; i < 4; i -= 1) input.Get(0).a[i] = x;", &[ELEMENT]),
    ("input.Get(t).x = 1;", &[RANK]),
    ("send(1); o.Get(0).a[x & 3] = 1; o.OutputComplete();", &[]),
    ("send(4); o.Get(t & 3).x = 1; o.OutputComplete();", &[]),
    ("send(4); o.Get(t).x = 1; o.OutputComplete();", &[RECORD]),
    ("send(x & 1); if (x & 1) o.Get(0).x = 1; o.OutputComplete();", &[RECORD]),
    ("send(1); o.Get(0).a[x] = 1; o.OutputComplete();", &[ELEMENT]),
];
const ELEMENT: &str = "wgc_element";
const RANK: &str = "wgc_input_rank";
const RECORD: &str = "wgc_output_record";

#[test]
fn only_possibly_out_of_range_indexes_are_checked() {
    let mut source = String::from(
        r#"
        struct S { uint x; uint a[4]; uint b[8]; uint2 v; float2x4 m; };
        [Shader("node")] [NodeLaunch("thread")] void Sink(ThreadNodeInputRecord<S> input) {}
        #define send(n) ThreadNodeOutputRecords<S> o = Sink.GetThreadNodeOutputRecords(n)
        "#,
    );
    for (number, (body, _)) in ACCESSES.iter().enumerate() {
        write!(
            source,
            r#"
            [Shader("node")] [NodeLaunch("coalescing")] [NumThreads(4, 2, 1)] [NodeIsProgramEntry]
            void N{number}([MaxRecords(2)] RWGroupNodeInputRecords<S> input, [MaxRecords(32)] NodeOutput<S> Sink,
                uint t : SV_GroupIndex, uint3 place : SV_GroupThreadID)
            {{ uint x = input.Get(0).x; int y = (int)x; {body} }}
            "#
        )
        .unwrap();
    }
    let dir = tempfile::tempdir().expect("a temporary directory");
    let shader = dir.path().join("accesses.hlsl");
    std::fs::write(&shader, source).expect("the shader can be written");
    // At this level the checks are calls.
    let settings = Settings { joint_dispatch: 0, ..Settings::default() };
    let (_, package) = compile_at(&shader, settings, OptLevel::O0);
    let mut wrong = String::new();
    for (number, (body, checks)) in ACCESSES.iter().enumerate() {
        // Functions without callers are removed.
        let words = &package.modules[&format!("nodes/N{number}.spv")];
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let has = |name: &&str| bytes.windows(name.len() + 1).any(|part| part == format!("{name}\0").as_bytes());
        let found: Vec<&str> = [ELEMENT, RANK, RECORD].into_iter().filter(has).collect();
        if found != *checks {
            writeln!(wrong, "{body} {found:?}").unwrap();
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}
