//! WaveSize on a device whose default subgroup has 32 lanes, and which supports 8 to 64. Pipelines request the wave
//! size of their nodes, and nodes see it. For other sizes the package is refused.

use crate::driver;
use vulkanalia::prelude::v1_2::*;
use wgc_abi::NodeName;
use wgc_backend_spirv::emulated::EmulatedOptions;
use wgc_compiler::Session;
use wgc_runtime::emulated::{Data, Input, RunError};
use wgc_runtime::vulkan::embed::{Completion, Dispatch, Graph, GraphMemory, Inputs, Sizes};
use wgc_sema::db::Options;

/// Nodes that store their number of lanes. The sizes are a required one, a preferred one where workgroups are not whole
/// waves, the one nearest to the device's default, and any size.
const WAVES: &str = r#"
RWStructuredBuffer<uint> Lanes;
#define NODE(name, threads, at) [Shader("node")] [NodeLaunch("broadcasting")] [NodeIsProgramEntry] \
    [NodeDispatchGrid(1, 1, 1)] [NumThreads(threads, 1, 1)] \
    void name(uint t : SV_GroupIndex) { if (t == 0) Lanes[at] = WaveGetLaneCount(); }
[WaveSize(16)] NODE(Exact, 64, 0)
[WaveSize(4, 128, 8)] NODE(Preferred, 12, 1)
[WaveSize(64, 128)] NODE(Nearest, 64, 2)
NODE(Any, 64, 3)
"#;

#[test]
fn pipelines_use_the_required_subgroup_size() {
    let dir = tempfile::tempdir().unwrap();
    let shader = dir.path().join("waves.hlsl");
    std::fs::write(&shader, WAVES).unwrap();
    let session = Session::new(&[&shader.to_string_lossy()], Options::default());
    let package = session.emulated(&EmulatedOptions::default()).unwrap_or_else(|e| panic!("{e:?}"));
    // SAFETY: the handles are those of the mock driver, here and below.
    let load = |host| unsafe {
        Graph::load(host, &package, &[vk::DescriptorSetLayout::from_raw(1)], vk::PipelineCache::null())
    };
    let refused = load(driver::start(16).0).err();
    let what = "subgroups of 16 lanes, which node Exact needs (WaveSize), but those of the device have 32";
    assert_eq!(refused, Some(RunError::Unsupported { what: what.to_owned() }));

    let (host, lanes) = driver::start(16);
    let mut graph = load(host.with_subgroup_size_control()).unwrap();
    // In the order of the package's modules; a workgroup of 12 threads is not a multiple of waves of 8.
    let mut asked = driver::asked();
    asked.sort_unstable();
    assert_eq!(asked, [(8, false), (16, true), (64, true)]);
    let sizes = Sizes { arena_bytes: 4 << 20, inputs: 4, record_bytes: 1 << 10 };
    let needs = graph.requirements(&sizes);
    let memory = GraphMemory {
        state: driver::block(needs.state_bytes),
        exchange: driver::mapped(needs.exchange_bytes),
        arena: vec![driver::block(4 << 20)],
    };
    let inputs = ["Exact", "Preferred", "Nearest", "Any"].map(|name| {
        let node = NodeName { name: name.to_owned(), index: 0 };
        Input { node, data: Data::Bytes(&[]), stride: 0, count: 1 }
    });
    let sets = [vk::DescriptorSet::from_raw(1)];
    let dispatch = Dispatch {
        inputs: Inputs::Host(&inputs),
        push: &[],
        sets: &sets,
        completion: Completion::Single,
        local_roots: None,
        timestamps: None,
    };
    // SAFETY: as above.
    unsafe {
        graph.bind(sizes, memory).unwrap();
        graph.record_upload(vk::CommandBuffer::null()).unwrap();
        graph.record(vk::CommandBuffer::null(), &dispatch).unwrap();
    }
    assert_eq!(driver::submit(&driver::take()), []);
    assert_eq!(driver::words(lanes, 4), [16, 8, 64, 32]);
    // A pipeline is reused with the same lanes, and rebuilt with others.
    // SAFETY: as above.
    let again = unsafe { graph.reload(&package, &[vk::DescriptorSetLayout::from_raw(1)], vk::PipelineCache::null()) };
    assert_eq!(again.unwrap().pipelines_made(), 0);
}
