//! Invalid counts, lists and grids from the device: the kernels clamp or skip them, and valid ones still run.

use super::random::Random;
use super::{Loaded, counted, counted_in, cpu};
use wgc_abi::{NodeName, device as abi};
use wgc_runtime::cpu::Order;
use wgc_runtime::device::Device;
use wgc_runtime::emulated::{Data, Input, RunError};
use wgc_runtime::vulkan::testing;

/// The amounts that the two records of `counted` add to the sums.
const SUMS: [[u32; 2]; 2] = [[0, 10], [5, 0]];

fn lists(device: impl Device) {
    let mut graph = Loaded::limits(device);
    let good = |address| abi::NodeInput { entry: 0, count: 1, address, stride: 12 };
    let both = |records| vec![good(records), good(records + 12)];
    for (count, most, sums, left) in [
        (0, 2, [0, 0], None),
        (1, 2, SUMS[0], None),
        (2, 2, [5, 10], None),
        (2, 1, SUMS[0], Some(1)),
        (2, 0, [0, 0], Some(0)),
        (3, 2, [5, 10], Some(2)),
        (u32::MAX, 2, [5, 10], Some(2)),
        (1 << 31, 1, SUMS[0], Some(1)),
    ] {
        let change = |list: abi::InputList| abi::InputList { count, pad: 0xdead_beef, ..list };
        let error = left.map_or(Ok(()), |input| Err(RunError::CountedInput { input, count: 1 }));
        assert_eq!(counted_in(&mut graph, most, change, both), (sums, error), "{count} of {most}");
    }
    // A stride of 0: all are the first.
    let change = |list: abi::InputList| abi::InputList { stride: 0, ..list };
    assert_eq!(counted_in(&mut graph, 2, change, both), ([0, 20], Ok(())));
}

/// Sends inputs with random fields, some of them valid according to a model.
fn inputs(device: impl Device, rounds: u64) {
    let mut graph = Loaded::limits(device);
    for round in 0..rounds {
        let mut random = Random::new(round);
        let mut pick = |values: &[u64]| values[random.below(values.len() as u32) as usize];
        let (mut sums, mut bad) = ([0u32; 2], Vec::new());
        let make = |records: u64| {
            let input = |number: u32| {
                let entry = pick(&[0, 0, 0, 1, 0xffff_ffff, 0x8000_0000]) as u32;
                let count = pick(&[0, 1, 1, 2, 0xffff_ffff, 0xffff_0001]) as u32;
                let stride = pick(&[0, 12, 12, 1, 8, 13, 1 << 32, (1 << 63) | 12, u64::MAX]);
                let address = pick(&[records, records, records, records + 2, records + 1, 0]);
                let unusable =
                    stride != 0 && stride < 12 || (stride | address) & 3 != 0 || stride >> 32 != 0 || address == 0;
                if entry != 0 || count != 0 && unusable || u64::from(count) > abi::MAX_RECORDS {
                    bad.push(number);
                } else {
                    for record in 0..count as usize {
                        let which = if stride == 0 { 0 } else { record };
                        sums = [sums[0] + SUMS[which][0], sums[1] + SUMS[which][1]];
                    }
                }
                abi::NodeInput { entry, count, address, stride }
            };
            (0..40).map(input).collect()
        };
        let (found, ran) = counted(&mut graph, 40, make);
        let error =
            bad.first().map_or(Ok(()), |input| Err(RunError::CountedInput { input: *input, count: bad.len() as u32 }));
        assert_eq!((found, ran), (sums, error), "round {round}");
    }
}

const GRIDS: &str = r#"
RWStructuredBuffer<uint> Result;
struct R { uint3 grid : SV_DispatchGrid; uint value; };
[Shader("node")] [NodeLaunch("thread")] [NodeIsProgramEntry]
void Start(ThreadNodeInputRecord<R> input, [MaxRecords(1)] NodeOutput<R> Grid)
{
    ThreadNodeOutputRecords<R> record = Grid.GetThreadNodeOutputRecords(1);
    record.Get().grid = input.Get().grid;
    record.Get().value = input.Get().value;
    record.OutputComplete();
}
[Shader("node")] [NodeLaunch("broadcasting")] [NodeMaxDispatchGrid(4, 2, 3)] [NumThreads(1, 1, 1)] [NodeIsProgramEntry]
void Grid(DispatchNodeInputRecord<R> input) { InterlockedAdd(Result[0], input.Get().value); }
"#;

/// Sends grids in records of the host, of the device and of a node: each axis is cut to the node's maximum.
fn grids(device: impl Device) {
    let dir = tempfile::tempdir().unwrap();
    let shader = dir.path().join("grids.hlsl");
    std::fs::write(&shader, GRIDS).unwrap();
    let mut graph = Loaded::new(device, &shader);
    let garbage = [
        [u32::MAX; 3],
        [0, 7, 7],
        [1, 1, 1],
        [0xffff_0000, 1, 2],
        [5, 3, 4],
        [0x8000_0000, 0, 1],
        [4, 2, 3],
        [1, u32::MAX, 1],
    ];
    let records: Vec<[u32; 4]> = (1..).zip(garbage).map(|(n, [x, y, z])| [x, y, z, n]).collect();
    let groups = |[x, y, z, n]: [u32; 4]| x.min(4) * y.min(2) * z.min(3) * n;
    let wanted: u32 = records.iter().map(|record| groups(*record)).sum();
    let bytes: Vec<u8> = records.iter().flatten().flat_map(|word| word.to_le_bytes()).collect();
    for name in ["Start", "Grid"] {
        let on_device = graph.device.create_buffer(bytes.len() as u64).unwrap();
        graph.device.write_buffer(on_device, 0, &bytes).unwrap();
        let address = graph.device.buffer_address(on_device);
        for data in [Data::Bytes(&bytes), Data::Address(address)] {
            graph.device.write_buffer(graph.result, 0, &[0; 16]).unwrap();
            let node = NodeName { name: name.to_owned(), index: 0 };
            let input = Input { node, data, stride: 16, count: records.len() as u32 };
            let report = graph.graph.dispatch(&mut graph.device, &[input], &[]).unwrap();
            let mut sum = [0; 4];
            graph.device.read_buffer(graph.result, 0, &mut sum).unwrap();
            assert_eq!((u32::from_le_bytes(sum), report.grid_clamped), (wanted, true), "{name}");
        }
    }
}

#[test]
fn device_generated_garbage_is_clamped_or_skipped() {
    lists(cpu(32, Order::Fifo));
    inputs(cpu(32, Order::Fifo), 40);
    grids(cpu(32, Order::Fifo));
}

#[test]
fn device_generated_garbage_is_clamped_or_skipped_on_vulkan() {
    for test in [lists, |device| inputs(device, 100), grids] {
        match wgc_runtime::vulkan::VulkanDevice::open(None) {
            Ok(device) => test(device),
            Err(error) => testing::left_out(&error),
        }
    }
}
