//! Local root arguments in a table of the engine.

use crate::engine::{take, write};
use crate::{Fan, bytes, compile, input};
use vulkanalia::prelude::v1_2::*;
use wgc_backend_spirv::emulated::plan::Settings;
use wgc_runtime::emulated::{Data, LocalRootTable, RootTableProblem, RunError};
use wgc_runtime::vulkan::embed::{Completion, Host};

/// Fan sends each order to two nodes with one signature. Their records are 1 and 2: factor, address of a list.
const ROOTS: &str = r#"
LocalRootSignature Own = { "RootConstants(num32BitConstants = 1, b1), UAV(u1)" };
SubobjectToExportsAssociation Owners = { "Own", "Left; Right" };
RWStructuredBuffer<uint> Result : register(u0);
cbuffer Factor : register(b1) { uint factor; };
RWStructuredBuffer<uint> List : register(u1);
struct Order { uint value; uint at; };
void keep(Order order) { List[order.at] = order.value * factor; InterlockedAdd(Result[0], factor); }
[Shader("node")] [NodeLaunch("thread")] [NodeIsProgramEntry]
void Fan(ThreadNodeInputRecord<Order> input, [MaxRecords(1)] NodeOutput<Order> Left, [MaxRecords(1)] NodeOutput<Order> Right)
{
    ThreadNodeOutputRecords<Order> left = Left.GetThreadNodeOutputRecords(1);
    left.Get() = input.Get();
    left.OutputComplete();
    ThreadNodeOutputRecords<Order> right = Right.GetThreadNodeOutputRecords(1);
    right.Get() = input.Get();
    right.OutputComplete();
}
[Shader("node")] [NodeLaunch("thread")] [NodeLocalRootArgumentsTableIndex(2)]
void Left(ThreadNodeInputRecord<Order> input) { keep(input.Get()); }
[Shader("node")] [NodeLaunch("thread")] [NodeLocalRootArgumentsTableIndex(1)]
void Right(ThreadNodeInputRecord<Order> input) { keep(input.Get()); }
"#;

fn open() -> Option<Fan> {
    let package = compile(ROOTS, Settings::default());
    Fan::with(&package, 16, 16, |engine| {
        let (instance, device) = (engine.instance.handle(), engine.device.handle());
        unsafe { Host::new(engine.get_instance_proc_addr, instance, engine.physical, device) }.unwrap()
    })
}

#[test]
fn each_node_reads_its_own_record() {
    let Some(mut fan) = open() else { return };
    let lists = [fan.engine.buffer(400), fan.engine.buffer(400)];
    let orders: Vec<u32> = (0..100).flat_map(|i| [i * i, 99 - i]).collect();
    let data = bytes(&orders);
    // A stride above the minimum, and two tables in one buffer.
    let table = fan.engine.buffer(1024);
    let record = |factor: u32, list: u64| [factor, 0xdead, list as u32, (list >> 32) as u32, 0xdead, 0xdead];
    let addresses = lists.each_ref().map(|list| list.block.address);
    let none = [0xdead; 6];
    write(&table, &[none, record(3, addresses[0]), record(5, addresses[1])].concat());
    fan.local_roots = Some(LocalRootTable { address: table.block.address, stride: 24, records: 3 });
    for completion in [Completion::Single, Completion::Sweeps(1)] {
        let (commands, recorded) = fan.record(&[input(Data::Bytes(&data), 100)], completion);
        recorded.unwrap();
        assert_eq!(fan.finish(commands).error, None);
        for (list, factor) in lists.iter().zip([3, 5]) {
            let expected: Vec<u32> = (0..100).map(|at: u32| (99 - at) * (99 - at) * factor).collect();
            assert_eq!(take(list, 100), expected, "{completion:?}");
        }
        assert_eq!(take(&fan.engine.result, 1), [100 * (3 + 5)]);
        // The commands read the contents when they run.
        write(&table, &[none, record(7, addresses[0]), record(1, addresses[1])].concat());
        assert_eq!(fan.finish(commands).error, None);
        assert_eq!(take(&fan.engine.result, 1), [100 * (7 + 1)]);
        lists.iter().for_each(|list| _ = take(list, 100));
        write(&table, &[none, record(3, addresses[0]), record(5, addresses[1])].concat());
    }
}

#[test]
fn too_small_local_root_tables_are_rejected() {
    let Some(mut fan) = open() else { return };
    let table = fan.engine.buffer(256);
    let good = LocalRootTable { address: table.block.address, stride: 16, records: 3 };
    let mut refused = |table: Option<LocalRootTable>| {
        fan.local_roots = table;
        let found = fan.record(&[input(Data::Bytes(&[0; 8]), 1)], Completion::Single).1;
        found.map(|_| ())
    };
    use RootTableProblem as P;
    let cases = [
        (None, P::Missing { records: 3, stride: 16 }),
        (Some(LocalRootTable { records: 2, ..good }), P::Index { index: 2, records: 2 }),
        (Some(LocalRootTable { stride: 8, ..good }), P::Record { needed: 16, stride: 8 }),
        (Some(LocalRootTable { stride: 20, ..good }), P::Alignment { address: good.address, stride: 20, align: 8 }),
        (
            Some(LocalRootTable { address: good.address + 4, ..good }),
            P::Alignment { address: good.address + 4, stride: 16, align: 8 },
        ),
    ];
    for (table, problem) in cases {
        assert_eq!(refused(table), Err(RunError::LocalRoots(problem)));
    }
    assert_eq!(refused(Some(good)), Ok(()));
    let missing = RunError::LocalRoots(P::Missing { records: 3, stride: 16 }).to_string();
    assert_eq!(missing, "the graph has local root arguments, but no table of them was given: 3 records of 16 bytes");
}

/// Records of one word, laid out as in Direct3D's sample of mesh nodes.
#[test]
fn word_sized_local_root_records_are_packed() {
    let signature = "RootConstants(num32BitConstants = 1, b1), UAV(u1)";
    let words = ROOTS.replace(signature, "RootConstants(num32BitConstants = 1, b1)");
    let words =
        words.replace("void keep(Order order) { List[order.at] = order.value * factor; ", "void keep(Order order) { ");
    let package = compile(&words.replace("RWStructuredBuffer<uint> List : register(u1);", ""), Settings::default());
    let fan = Fan::with(&package, 16, 16, |engine| {
        let (instance, device) = (engine.instance.handle(), engine.device.handle());
        unsafe { Host::new(engine.get_instance_proc_addr, instance, engine.physical, device) }.unwrap()
    });
    let Some(mut fan) = fan else { return };
    let table = fan.engine.buffer(64);
    let data = bytes(&[0; 20]);
    // No node uses record 0, which starts at the first or second word; then 3 for Right, and 5 for Left.
    for (first, stride) in [(4, 4), (0, 4), (4, 12)] {
        let mut contents = [0xdead_u32; 16];
        (contents[(first + stride) / 4], contents[(first + 2 * stride) / 4]) = (3, 5);
        write(&table, &contents);
        let address = table.block.address + first as u64;
        fan.local_roots = Some(LocalRootTable { address, stride: stride as u32, records: 3 });
        let (commands, recorded) = fan.record(&[input(Data::Bytes(&data), 10)], Completion::Single);
        recorded.unwrap();
        assert_eq!(fan.finish(commands).error, None);
        assert_eq!(take(&fan.engine.result, 1), [10 * (3 + 5)], "{first} {stride}");
    }
    for (first, stride) in [(0, 6), (2, 4)] {
        let address = table.block.address + first;
        fan.local_roots = Some(LocalRootTable { address, stride, records: 3 });
        let found = fan.record(&[input(Data::Bytes(&data), 10)], Completion::Single).1;
        let problem = RootTableProblem::Alignment { address, stride, align: 4 };
        assert_eq!(found.map(|_| ()), Err(RunError::LocalRoots(problem)));
    }
}
