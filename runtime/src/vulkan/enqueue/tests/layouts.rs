//! The structures of the bindings against the C headers (Vulkan-Headers 1.4.359, `vulkan_beta.h`, revision 2).
//!
//! The numbers come from a C compiler and the headers on a 64-bit machine. With `WGC_VULKAN_HEADERS` set to a folder
//! that has `vulkan/vulkan.h`, the compiler `cc` checks them.

use std::fmt::Write;
use std::mem::{align_of, offset_of, size_of};

use vulkanalia::prelude::v1_2::*;

/// A structure: its name in C, its size and alignment in Rust and in C, its members.
struct Layout {
    name: &'static str,
    sizes: [usize; 2],
    expected: [usize; 2],
    members: Vec<(&'static str, usize, usize)>,
}

macro_rules! layouts {
    ($($name:literal $type:ident $size:literal $align:literal { $($c:literal $field:ident $offset:literal;)* })*) => {
        vec![$(Layout {
            name: $name,
            sizes: [size_of::<vk::$type>(), align_of::<vk::$type>()],
            expected: [$size, $align],
            members: vec![$(($c, offset_of!(vk::$type, $field), $offset)),*],
        }),*]
    };
}

fn layouts() -> Vec<Layout> {
    layouts! {
        "VkPhysicalDeviceShaderEnqueueFeaturesAMDX" PhysicalDeviceShaderEnqueueFeaturesAMDX 24 8 {
            "sType" s_type 0;
            "pNext" next 8;
            "shaderEnqueue" shader_enqueue 16;
            "shaderMeshEnqueue" shader_mesh_enqueue 20;
        }
        "VkPhysicalDeviceShaderEnqueuePropertiesAMDX" PhysicalDeviceShaderEnqueuePropertiesAMDX 56 8 {
            "sType" s_type 0;
            "pNext" next 8;
            "maxExecutionGraphDepth" max_execution_graph_depth 16;
            "maxExecutionGraphShaderOutputNodes" max_execution_graph_shader_output_nodes 20;
            "maxExecutionGraphShaderPayloadSize" max_execution_graph_shader_payload_size 24;
            "maxExecutionGraphShaderPayloadCount" max_execution_graph_shader_payload_count 28;
            "executionGraphDispatchAddressAlignment" execution_graph_dispatch_address_alignment 32;
            "maxExecutionGraphWorkgroupCount" max_execution_graph_workgroup_count 36;
            "maxExecutionGraphWorkgroups" max_execution_graph_workgroups 48;
        }
        "VkExecutionGraphPipelineScratchSizeAMDX" ExecutionGraphPipelineScratchSizeAMDX 40 8 {
            "sType" s_type 0;
            "pNext" next 8;
            "minSize" min_size 16;
            "maxSize" max_size 24;
            "sizeGranularity" size_granularity 32;
        }
        "VkExecutionGraphPipelineCreateInfoAMDX" ExecutionGraphPipelineCreateInfoAMDX 64 8 {
            "sType" s_type 0;
            "pNext" next 8;
            "flags" flags 16;
            "stageCount" stage_count 20;
            "pStages" stages 24;
            "pLibraryInfo" library_info 32;
            "layout" layout 40;
            "basePipelineHandle" base_pipeline_handle 48;
            "basePipelineIndex" base_pipeline_index 56;
        }
        "VkPipelineShaderStageNodeCreateInfoAMDX" PipelineShaderStageNodeCreateInfoAMDX 32 8 {
            "sType" s_type 0;
            "pNext" next 8;
            "pName" name 16;
            "index" index 24;
        }
        "VkDispatchGraphInfoAMDX" DispatchGraphInfoAMDX 24 8 {
            "nodeIndex" node_index 0;
            "payloadCount" payload_count 4;
            "payloads" payloads 8;
            "payloadStride" payload_stride 16;
        }
        "VkDispatchGraphCountInfoAMDX" DispatchGraphCountInfoAMDX 24 8 {
            "count" count 0;
            "infos" infos 8;
            "stride" stride 16;
        }
        "VkDeviceOrHostAddressConstAMDX" DeviceOrHostAddressConstAMDX 8 8 {
            "deviceAddress" device_address 0;
            "hostAddress" host_address 0;
        }
    }
}

/// Returns values by their names in C.
fn values() -> [(&'static str, u64, u64); 9] {
    use vk::StructureType as Type;
    [
        (
            "VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ENQUEUE_FEATURES_AMDX",
            Type::PHYSICAL_DEVICE_SHADER_ENQUEUE_FEATURES_AMDX.as_raw() as u64,
            1_000_134_000,
        ),
        (
            "VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ENQUEUE_PROPERTIES_AMDX",
            Type::PHYSICAL_DEVICE_SHADER_ENQUEUE_PROPERTIES_AMDX.as_raw() as u64,
            1_000_134_001,
        ),
        (
            "VK_STRUCTURE_TYPE_EXECUTION_GRAPH_PIPELINE_SCRATCH_SIZE_AMDX",
            Type::EXECUTION_GRAPH_PIPELINE_SCRATCH_SIZE_AMDX.as_raw() as u64,
            1_000_134_002,
        ),
        (
            "VK_STRUCTURE_TYPE_EXECUTION_GRAPH_PIPELINE_CREATE_INFO_AMDX",
            Type::EXECUTION_GRAPH_PIPELINE_CREATE_INFO_AMDX.as_raw() as u64,
            1_000_134_003,
        ),
        (
            "VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_NODE_CREATE_INFO_AMDX",
            Type::PIPELINE_SHADER_STAGE_NODE_CREATE_INFO_AMDX.as_raw() as u64,
            1_000_134_004,
        ),
        (
            "VK_BUFFER_USAGE_EXECUTION_GRAPH_SCRATCH_BIT_AMDX",
            u64::from(vk::BufferUsageFlags::EXECUTION_GRAPH_SCRATCH_AMDX.bits()),
            0x0200_0000,
        ),
        (
            "VK_PIPELINE_BIND_POINT_EXECUTION_GRAPH_AMDX",
            vk::PipelineBindPoint::EXECUTION_GRAPH_AMDX.as_raw() as u64,
            1_000_134_000,
        ),
        ("VK_SHADER_INDEX_UNUSED_AMDX", u64::from(vk::SHADER_INDEX_UNUSED_AMDX), 0xffff_ffff),
        ("VK_AMDX_SHADER_ENQUEUE_SPEC_VERSION", u64::from(super::super::support::REVISION), 2),
    ]
}

#[test]
#[cfg(target_pointer_width = "64")]
fn structures_are_those_of_the_headers() {
    for layout in layouts() {
        assert_eq!(layout.sizes, layout.expected, "{}", layout.name);
        for (member, offset, expected) in layout.members {
            assert_eq!(offset, expected, "{}::{member}", layout.name);
        }
    }
    for (name, value, expected) in values() {
        assert_eq!(value, expected, "{name}");
    }
}

#[test]
fn enqueue_layouts_match_the_vulkan_headers() {
    let Some(headers) = std::env::var_os("WGC_VULKAN_HEADERS") else { return };
    let mut text = "#define VK_ENABLE_BETA_EXTENSIONS\n#include <vulkan/vulkan.h>\n#include <stddef.h>\n".to_owned();
    for Layout { name, expected: [size, align], members, .. } in layouts() {
        let _ = writeln!(text, "_Static_assert(sizeof({name}) == {size} && _Alignof({name}) == {align}, \"{name}\");");
        for (member, _, offset) in members {
            let _ = writeln!(text, "_Static_assert(offsetof({name}, {member}) == {offset}, \"{name}::{member}\");");
        }
    }
    for (name, _, value) in values() {
        let _ = writeln!(text, "_Static_assert({name} == {value}u, \"{name}\");");
    }
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("layouts.c");
    std::fs::write(&file, text).unwrap();
    let compiler = std::process::Command::new("cc").arg("-fsyntax-only").arg("-I").arg(headers).arg(&file).output();
    let output = compiler.unwrap_or_else(|e| panic!("cc: {e}"));
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}
