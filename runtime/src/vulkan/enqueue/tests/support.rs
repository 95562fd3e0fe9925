//! Tests of the features reported as missing: nothing missing is ever called.

use super::super::super::VulkanDevice;
use super::super::super::gpu::{Gpu, Purpose};
use super::super::super::instance::listed;
use super::driver::{Setup, calls};

/// Checks the device list's missing features, and the error of opening the device for graphs.
#[track_caller]
fn lacks(setup: Setup, expected: &[&str]) {
    let found = listed(&setup.clone().start()).unwrap();
    let missing: Vec<String> = found[0].missing_for_graphs.iter().map(ToString::to_string).collect();
    assert_eq!(missing, expected);
    calls();
    let opened = Gpu::open(setup.start(), Some("graph"), Purpose::Graphs).map(|_| ());
    let message = opened.err().map(|e| e.message);
    let refused =
        || format!("the Vulkan device Graph Card cannot execute native graphs: it lacks {}", expected.join(", "));
    assert_eq!(message, (!expected.is_empty()).then(refused));
    calls();
}

#[test]
fn missing_requirements_are_reported() {
    lacks(Setup::new(), &[]);
    lacks(Setup { revision: None, ..Setup::new() }, &["VK_AMDX_shader_enqueue"]);
    lacks(
        Setup { revision: Some(1), ..Setup::new() },
        &["revision 2 of VK_AMDX_shader_enqueue (the driver has revision 1, which is incompatible)"],
    );
    lacks(
        Setup { revision: Some(3), ..Setup::new() },
        &["revision 2 of VK_AMDX_shader_enqueue (the driver has revision 3, which is incompatible)"],
    );
    // The extension is listed and switched off, as software drivers do it.
    lacks(
        Setup { shader_enqueue: false, ..Setup::new() },
        &["the feature shaderEnqueue (its driver lists VK_AMDX_shader_enqueue but disables it)"],
    );
    lacks(
        Setup { dependencies: false, buffer_device_address: false, ..Setup::new() },
        &["VK_KHR_maintenance5", "VK_KHR_pipeline_library", "the feature bufferDeviceAddress"],
    );
    lacks(Setup { version: (1, 2), ..Setup::new() }, &["Vulkan 1.3"]);
    lacks(Setup { version: (1, 1), ..Setup::new() }, &["Vulkan 1.3"]);
    lacks(
        Setup { without: &["vkCmdDispatchGraphAMDX", "vkGetExecutionGraphPipelineNodeIndexAMDX"], ..Setup::new() },
        &["the command vkGetExecutionGraphPipelineNodeIndexAMDX", "the command vkCmdDispatchGraphAMDX"],
    );
}

#[test]
fn each_missing_amdx_command_is_reported() {
    for name in [
        "vkCreateExecutionGraphPipelinesAMDX",
        "vkGetExecutionGraphPipelineScratchSizeAMDX",
        "vkGetExecutionGraphPipelineNodeIndexAMDX",
        "vkCmdInitializeGraphScratchMemoryAMDX",
        "vkCmdDispatchGraphAMDX",
        "vkCmdDispatchGraphIndirectAMDX",
        "vkCmdDispatchGraphIndirectCountAMDX",
    ] {
        let without: &'static [&'static str] = Vec::leak(vec![name]);
        lacks(Setup { without, ..Setup::new() }, &[&format!("the command {name}")]);
    }
}

#[test]
fn enqueue_extension_is_enabled_only_for_graphs() {
    let opened = |purpose| {
        let gpu = Gpu::open(Setup::new().start(), None, purpose).unwrap();
        drop(VulkanDevice::on(gpu).unwrap());
        calls()
    };
    assert_eq!(
        opened(Purpose::Graphs),
        [
            "vkCreateDevice VK_AMDX_shader_enqueue VK_KHR_maintenance5 VK_KHR_pipeline_library | maintenance5 1, \
             shaderEnqueue 1, shaderMeshEnqueue 0",
            "vkDestroyDevice"
        ]
    );
    assert_eq!(opened(Purpose::Compute), ["vkCreateDevice  | ", "vkDestroyDevice"]);
}
