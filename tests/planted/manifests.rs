//! Manifests that do not fit the tables of their package: a host refuses them before it creates anything.

use crate::packages::{Program, options};
use wgc_abi::NodeLaunch;
use wgc_abi::interface::PushConstants;
use wgc_abi::layout::StructLayout;
use wgc_abi::manifest::{Manifest, MeshSize, Topology};
use wgc_runtime::cpu::{CpuDevice, CpuSettings};
use wgc_runtime::emulated::EmulatedGraph;

type Change = fn(&mut Manifest);

/// A change, and the host's message.
const FAULTS: [(Change, &str); 25] = [
    (|m| m.kernels.sched = u32::MAX, "a kernel is missing"),
    (|m| m.kernels.scatter = Some(m.modules.len() as u32), "a kernel is missing"),
    (|m| m.instances[0].module = m.modules.len() as u32, "a module is missing"),
    (|m| m.instances[0].module = m.kernels.prep, "a node uses the module of a kernel"),
    (|m| m.instances[0].launch = NodeLaunch::Mesh, "a mesh node has no mesh shader, or another node has one"),
    (every_node_draws, "a mesh node is not in the stage that is drawn"),
    (|m| drop(m.instances.pop()), "the tables have different instances or entry nodes"),
    (|m| m.entrypoints[0].queue += 1, "the tables have different instances or entry nodes"),
    (|m| m.instances[0].local_root = Some(0), "the tables have different local root arguments"),
    (|m| m.stages[0].instances = u32::MAX, "a stage has instances that do not exist"),
    (|m| m.stages[0].first_spill = u32::MAX, "a stage has spills that do not exist"),
    (|m| m.instances[0].level += 1, "the tables have different instances or entry nodes"),
    (|m| m.instances[0].stage += 1, "the tables have different instances or entry nodes"),
    (|m| m.instances[0].launch = NodeLaunch::Coalescing, "the tables have different instances or entry nodes"),
    (|m| m.instances[0].record = Some(u32::MAX), "the tables have different instances or entry nodes"),
    (|m| m.entrypoints[0].record.as_mut().unwrap().size += 4, "the tables have records of a different size"),
    (|m| m.buffers.page_bytes *= 2, "the tables have pages of a different size"),
    (|m| m.stages[0].instances -= 1, "the tables have different stages"),
    (|m| m.stages[0].follows = true, "the tables have different stages"),
    (|m| m.stages[0].spills += 1, "the tables have different stages"),
    (|m| m.stages.truncate(1), "the tables have different stages"),
    (|m| m.stages.iter_mut().for_each(|stage| stage.runs = 0), "the tables have different joint dispatches"),
    (|m| m.push_bytes += 4, "the push constants have a different size"),
    (|m| m.min_pages += 1, "the tables have a different minimum of pages"),
    (|m| std::mem::swap(&mut m.kernels.prep, &mut m.kernels.sched), "a kernel has the wrong name"),
];

/// The tables of the program have no stage that is drawn.
fn every_node_draws(manifest: &mut Manifest) {
    for instance in &mut manifest.instances {
        instance.launch = NodeLaunch::Mesh;
        let size = MeshSize { topology: Topology::Triangle, vertices: 3, primitives: 1 };
        manifest.modules[instance.module as usize].mesh = Some(size);
    }
}

fn refused(program: &Program, change: impl FnOnce(&mut Manifest)) -> Option<String> {
    let mut package = program.package.clone();
    change(&mut package.manifest);
    let mut device = CpuDevice::new(CpuSettings::default());
    let loaded = EmulatedGraph::load(&mut device, &package, None, options("one pass"));
    loaded.err().map(|error| error.to_string())
}

#[test]
fn inconsistent_manifests_are_rejected() {
    let program = Program::new("graph");
    for (change, says) in FAULTS {
        assert_eq!(refused(&program, change), Some(format!("the manifest is wrong: {says}")));
    }
}

/// They begin at a multiple of 32 bytes: 32 and 40 of them.
#[test]
fn user_push_constant_size_is_checked() {
    let program = Program::new("graph");
    let with_bytes = |bytes: u32| {
        refused(&program, |manifest| {
            let block = StructLayout { name: "Push".to_owned(), fields: Vec::new(), size: 40, align: 32 };
            manifest.push_constants = Some(PushConstants { name: "push".to_owned(), block });
            manifest.push_bytes = bytes;
        })
    };
    let other = "the manifest is wrong: the push constants have a different size";
    for bytes in [71, 73, 1 << 31] {
        assert_eq!(with_bytes(bytes).as_deref(), Some(other));
    }
    assert_ne!(with_bytes(72).as_deref(), Some(other));
}
