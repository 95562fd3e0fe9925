//! The cost of an empty step: a barrier, and dispatches without work.

use crate::rig::{Contents, Cost, Rig, Sizes, Way, Workload};
use wgc_runtime::device::Command;

/// Steps of one run.
const COUNT: u32 = 256;

pub fn workloads(rig: &mut Rig, _: Sizes) -> Vec<Workload> {
    // Arguments for no workgroup, and for one.
    let args = Contents::Words(vec![0, 1, 1, 0, 1, 1, 1, 0]);
    let bound = rig.bind(&[Contents::Zeroes(256), args]);
    let shaders = rig.shaders("steps.hlsl", &[], &bound, 0);
    let step = |name: &'static str, index: u64, dispatches: usize| {
        let mut commands = Vec::new();
        for _ in 0..COUNT {
            commands.push(Command::Barrier);
            commands.extend(std::iter::repeat_n(shaders.indirect("Nothing", &[], bound.buffers[1], index), dispatches));
        }
        Way { name, run: Box::new(move |rig| rig.time(&commands) / COUNT) }
    };
    let ways = vec![
        step("barrier, an empty indirect dispatch", 0, 1),
        step("barrier, an indirect dispatch of one workgroup", 1, 1),
        step("barrier, eight empty indirect dispatches", 0, 8),
    ];
    vec![Workload { name: "a step".to_owned(), ways, cost: Cost::default(), results: None }]
}
