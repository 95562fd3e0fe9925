//! Several graphs of one package, and reloaded packages: shared and separate state.

use super::engine::take;
use super::{FAN, Fan, bytes, compile, input, orders, records};
use vulkanalia::prelude::v1_2::*;
use wgc_backend_spirv::emulated::plan::Settings;
use wgc_runtime::emulated::{Data, RunError};
use wgc_runtime::vulkan::embed::{Completion, Dispatch, Graph, Inputs, Resume};

impl Fan {
    /// Gives a graph its own memory.
    fn bind(&self, graph: &mut Graph, pages: u64) {
        unsafe { graph.bind(self.sizes, self.memory(pages)) }.unwrap();
        let upload = self.engine.record(|commands| unsafe { graph.record_upload(commands) }.unwrap());
        self.engine.submit(upload);
    }

    fn reload(&self, source: &str) -> Graph {
        let package = compile(source, Settings::default());
        unsafe { self.graph.reload(&package, &[self.engine.set_layout], vk::PipelineCache::null()) }.unwrap()
    }
}

/// Recorded ahead, as for frames in flight: both before either runs, and in one submission.
#[test]
fn graphs_that_share_pipelines_are_independent() {
    let Some(mut fan) = Fan::open(2, 64) else { return };
    let mut second = fan.graph.share();
    assert_eq!(second.layout(), fan.graph.layout());
    let unbound = Err(RunError::Early("the graph has no memory yet"));
    let (one, two) = (orders(10_000), orders(700));
    let (data, more) = (bytes(&one.0), bytes(&two.0));
    let (inputs, others) = ([input(Data::Bytes(&data), 10_000)], [input(Data::Bytes(&more), 700)]);
    let sets = [fan.engine.set];
    let of = |inputs, completion| {
        let inputs = Inputs::Host(inputs);
        Dispatch { inputs, push: &[], sets: &sets, completion, local_roots: None, timestamps: None }
    };
    let resume = Resume { push: &[], sets: &sets, sweeps: 9, deepest: 0, timestamps: None };
    let commands = fan.engine.begin();
    assert_eq!(unsafe { second.record(commands, &of(&others, Completion::Single)) }, unbound);
    fan.engine.end(commands);
    fan.bind(&mut second, 64);

    let commands = fan.engine.begin();
    unsafe {
        fan.graph.record(commands, &of(&inputs, Completion::Sweeps(1))).unwrap();
        second.record(commands, &of(&others, Completion::Single)).unwrap();
        for _ in 0..9 {
            fan.graph.resume(commands, &resume).unwrap();
        }
    }
    fan.engine.end(commands);
    fan.engine.submit(commands);
    let (status, other) = (fan.graph.status().unwrap(), second.status().unwrap());
    assert!(!status.pending && status.sweeps > 3 && other.sweeps == 0, "{} sweeps", status.sweeps);
    assert_eq!(records(&status), [10_000, u64::from(one.1[1])]);
    assert_eq!(records(&other), [700, u64::from(two.1[1])]);
    assert_eq!(take(&fan.engine.result, 2), [one.1[0].wrapping_add(two.1[0]), one.1[1] + two.1[1]]);

    // The pipelines live until the last graph is dropped.
    fan.graph = second;
    let (commands, recorded) = fan.record(&others, Completion::Single);
    recorded.unwrap();
    fan.finish(commands);
    assert_eq!(take(&fan.engine.result, 2), two.1);
}

/// Memory without its tables, and shaders without their bindings.
#[test]
fn recording_without_setup_is_rejected() {
    let Some(mut fan) = Fan::open(64, 64) else { return };
    let (words, _) = orders(3);
    let data = bytes(&words);
    let inputs = [input(Data::Bytes(&data), 3)];
    let memory = fan.memory(64);
    let record = |fan: &mut Fan, push: &[u8], sets: &[vk::DescriptorSet]| {
        let inputs = Inputs::Host(&inputs);
        let completion = Completion::Single;
        let dispatch = Dispatch { inputs, push, sets, completion, local_roots: None, timestamps: None };
        let commands = fan.engine.begin();
        let recorded = unsafe { fan.graph.record(commands, &dispatch) };
        fan.engine.end(commands);
        recorded.map(|_| ()).map_err(|error| error.to_string())
    };
    let sets = [fan.engine.set];
    assert_eq!(record(&mut fan, &[], &sets), Ok(()));
    let message = "the shaders use 1 descriptor sets, but 0 were given";
    assert_eq!(record(&mut fan, &[], &[]), Err(message.to_owned()));
    let message = "the shaders have 0 bytes of push constants, but 4 were given";
    assert_eq!(record(&mut fan, &[0; 4], &sets), Err(message.to_owned()));
    unsafe { fan.graph.bind(fan.sizes, memory) }.unwrap();
    assert_eq!(record(&mut fan, &[], &sets), Err("the upload of the tables was not recorded".to_owned()));
}

/// A reload rebuilds only changed pipelines. Reused ones outlive the graph that created them.
#[test]
fn reload_reuses_still_valid_pipelines() {
    let Some(mut fan) = Fan::open(64, 64) else { return };
    assert_eq!(fan.graph.pipelines_made(), fan.graph.manifest().modules.len());
    assert_eq!(fan.reload(FAN).pipelines_made(), 0);
    assert_eq!(fan.reload(&format!("// A line more.\n{FAN}")).pipelines_made(), 0);
    // With other push constants no pipeline is valid.
    let pushed = format!("struct Pushed {{ uint by; }};\n[[vk::push_constant]] Pushed pushed;\n{FAN}")
        .replace("Result[1], 1", "Result[1], pushed.by");
    let pushed = fan.reload(&pushed);
    assert_eq!(pushed.pipelines_made(), pushed.manifest().modules.len());
    drop(pushed);
    // Nor with another resource, because that changes the layout of the set.
    let bound = format!("RWStructuredBuffer<uint> Other;\n{FAN}").replace("Result[1], 1", "Other[1], 1");
    let bound = fan.reload(&bound);
    assert_eq!(bound.pipelines_made(), bound.manifest().modules.len());
    drop(bound);
    // A failed reload leaves the graph unchanged.
    let package = compile(FAN, Settings::default());
    let refused = unsafe { fan.graph.reload(&package, &[], vk::PipelineCache::null()) };
    assert_eq!(refused.err(), Some(RunError::SetLayouts { needed: 1, given: 0 }));

    let mut next = fan.reload(&FAN.replace("Result[1], 1", "Result[1], 2"));
    assert_eq!(next.pipelines_made(), 1);
    fan.bind(&mut next, 64);
    fan.graph = next;
    let (words, sums) = orders(300);
    let data = bytes(&words);
    let (commands, recorded) = fan.record(&[input(Data::Bytes(&data), 300)], Completion::Single);
    recorded.unwrap();
    fan.finish(commands);
    assert_eq!(take(&fan.engine.result, 2), [sums[0], 2 * sums[1]]);
}

/// Each thread may own a graph.
#[test]
fn graphs_can_be_sent_between_threads() {
    fn is_sent<T: Send>() {}
    is_sent::<Graph>();
}
