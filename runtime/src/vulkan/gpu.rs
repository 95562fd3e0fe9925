//! The logical device: choice of a physical one, its queue, its memory types. All its objects share it.

use std::cell::Cell;

use vulkanalia::prelude::v1_2::*;

use super::enqueue::{self, Commands, Missing};
use super::features::{IMAGE_FLOAT_ATOMICS, MAXIMAL_RECONVERGENCE, MESH_SHADERS, MUTABLE_DESCRIPTORS, Support};
use super::instance::{PhysicalDevice, PhysicalDeviceInfo, VulkanInstance, failed};
use crate::device::{Cause, DeviceError, Limits, Result};

pub(super) struct Gpu {
    pub device: vulkanalia::Device,
    pub physical: vk::PhysicalDevice,
    pub queue: vk::Queue,
    pub queue_family: u32,
    pub info: PhysicalDeviceInfo,
    pub limits: Limits,
    /// Vulkan's own limits; `limits` is a selection of them.
    pub raw_limits: vk::PhysicalDeviceLimits,
    pub max_allocation: u64,
    pub support: Support,
    pub memory_types: Vec<vk::MemoryType>,
    /// The cache of all pipelines, so that repeated pipelines are compiled once.
    pub pipelines: vk::PipelineCache,
    /// The bits of the queue's timestamps; 0 if it has none.
    pub timestamp_bits: u32,
    /// `samplerMirrorClampToEdge`
    pub mirrors_once: bool,
    /// Support for execution graphs, and the entry points if the device was opened for them.
    pub graphs: enqueue::Support,
    pub graph_commands: Option<Commands>,
    /// Set once the device is lost: memory contents are worthless, and nothing runs any more.
    pub lost: Cell<bool>,
    // Last, so that the instance outlives the device.
    pub instance: VulkanInstance,
}

/// The purpose of opening a logical device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// Compute shaders: those of emulated graphs too.
    Compute,
    /// Graphs that the driver executes.
    Graphs,
}

impl Gpu {
    /// Returns the instance, if labels may be recorded.
    pub fn labels(&self) -> Option<&vulkanalia::Instance> {
        self.instance.debug_utils.then_some(&self.instance.raw)
    }

    /// Refuses work after the device was lost.
    pub fn is_alive(&self) -> Result<()> {
        match self.lost.get() {
            false => Ok(()),
            true => Err(DeviceError {
                message: format!("the Vulkan device {} is lost: open it again", self.info.name),
                cause: Cause::Lost,
            }),
        }
    }

    /// Returns the shader stages of emulated graphs on this device.
    pub fn stages(&self) -> vk::ShaderStageFlags {
        let meshes = self.support.offers(MESH_SHADERS);
        vk::ShaderStageFlags::COMPUTE
            | if meshes { vk::ShaderStageFlags::MESH_EXT } else { vk::ShaderStageFlags::empty() }
    }

    /// Opens the device of `instance` with this `name`, or the best for the purpose.
    pub fn open(instance: VulkanInstance, name: Option<&str>, purpose: Purpose) -> Result<Self> {
        let physical = choose(instance.physical_devices()?, name, purpose)?;
        let (Some(support), Some(queue_family)) = (physical.support, instance.compute_queue_family(physical.handle))
        else {
            return Err(DeviceError::new(format!("{} cannot run compute shaders", physical.info.name)));
        };
        let (device, mirrors_once) = logical_device(&instance, &physical, &support, queue_family, purpose)?;
        let mut graph_commands = None;
        if purpose == Purpose::Graphs {
            match Commands::of(&instance.raw, &device) {
                Ok(commands) => graph_commands = Some(commands),
                Err(missing) => {
                    // SAFETY: the device has no objects yet.
                    unsafe { device.destroy_device(None) };
                    return Err(unfit(&physical.info, purpose, &missing));
                }
            }
        }
        // Without a cache, creating pipelines is only slower. SAFETY: the structure is empty.
        let pipelines = unsafe { device.create_pipeline_cache(&vk::PipelineCacheCreateInfo::default(), None) };
        // SAFETY: one queue of this family was asked for.
        let queue = unsafe { device.get_device_queue(queue_family, 0) };
        // SAFETY: the physical device is of this instance.
        let memory = unsafe { instance.raw.get_physical_device_memory_properties(physical.handle) };
        // SAFETY: as above.
        let families = unsafe { instance.raw.get_physical_device_queue_family_properties(physical.handle) };
        let raw_limits = physical.properties.limits;
        Ok(Self {
            device,
            physical: physical.handle,
            queue,
            queue_family,
            mirrors_once,
            graphs: physical.graphs,
            graph_commands,
            info: physical.info,
            limits: Limits {
                max_groups: raw_limits.max_compute_work_group_count,
                max_group_threads: raw_limits.max_compute_work_group_invocations,
                max_mesh_threads: physical.mesh_threads,
                max_group_shared_bytes: raw_limits.max_compute_shared_memory_size,
                subgroups: physical.subgroups,
                int64_atomics: support.int64_atomics(),
            },
            raw_limits,
            max_allocation: physical.max_allocation,
            support,
            pipelines: pipelines.unwrap_or_default(),
            timestamp_bits: families.get(queue_family as usize).map_or(0, |family| family.timestamp_valid_bits),
            lost: Cell::new(false),
            memory_types: memory.memory_types.iter().take(memory.memory_type_count as usize).copied().collect(),
            instance,
        })
    }
}

/// Creates a logical device with one queue; also returns whether it has `samplerMirrorClampToEdge`.
fn logical_device(
    instance: &VulkanInstance,
    physical: &PhysicalDevice,
    support: &Support,
    queue_family: u32,
    purpose: Purpose,
) -> Result<(vulkanalia::Device, bool)> {
    let mut enabled = support.enabled();
    let mut for_graphs = physical.graphs.enabled();
    let priorities = [1.0];
    let queues = [vk::DeviceQueueCreateInfo::builder().queue_family_index(queue_family).queue_priorities(&priorities)];
    let mut extensions: Vec<_> = support.extensions().iter().map(|e| e.name.as_ptr()).collect();
    if purpose == Purpose::Graphs {
        extensions.extend(enqueue::Support::extensions().map(|e| e.name.as_ptr()));
    }
    let mut create = vk::DeviceCreateInfo::builder()
        .queue_create_infos(&queues)
        .enabled_features(&enabled.core)
        .enabled_extension_names(&extensions)
        .push_next(&mut enabled.v11)
        .push_next(&mut enabled.v12);
    if physical.version >= vulkanalia::Version::V1_3_0 {
        create = create.push_next(&mut enabled.v13);
    }
    if support.traces_rays() {
        create = create.push_next(&mut enabled.structures).push_next(&mut enabled.rays);
    }
    if support.derives() {
        create = create.push_next(&mut enabled.derivatives);
    }
    if support.offers(MUTABLE_DESCRIPTORS) {
        create = create.push_next(&mut enabled.mutable);
    }
    if support.offers(MAXIMAL_RECONVERGENCE) {
        create = create.push_next(&mut enabled.reconvergence);
    }
    if support.offers(MESH_SHADERS) {
        create = create.push_next(&mut enabled.mesh);
    }
    if support.reads_clocks() {
        create = create.push_next(&mut enabled.clock);
    }
    if support.offers(IMAGE_FLOAT_ATOMICS) {
        create = create.push_next(&mut enabled.floats);
    }
    if purpose == Purpose::Graphs {
        create = create.push_next(&mut for_graphs.enqueue).push_next(&mut for_graphs.maintenance5);
    }
    // SAFETY: the physical device is of this instance, every structure lives until after the call, and only features that
    // the device reports are enabled.
    let device = unsafe { instance.raw.create_device(physical.handle, &create, None) }
        .map_err(failed(&format!("open the Vulkan device {}", physical.info.name)))?;
    Ok((device, enabled.v12.sampler_mirror_clamp_to_edge == vk::TRUE))
}

/// Returns failures that only a logical device reveals: entry points for graphs that the driver lacks although it has
/// the features.
pub(super) fn missing_commands(instance: &VulkanInstance, physical: &PhysicalDevice) -> Vec<Missing> {
    let queue_family = instance.compute_queue_family(physical.handle);
    let (Some(support), Some(queue_family)) = (&physical.support, queue_family) else {
        return vec![Missing::Device("there is no compute queue".to_owned())];
    };
    match logical_device(instance, physical, support, queue_family, Purpose::Graphs) {
        Ok((device, _)) => {
            let missing = Commands::of(&instance.raw, &device).err().unwrap_or_default();
            // SAFETY: the device has no objects yet.
            unsafe { device.destroy_device(None) };
            missing
        }
        Err(error) => vec![Missing::Device(error.message)],
    }
}

impl Drop for Gpu {
    fn drop(&mut self) {
        // SAFETY: every object of the device holds it, so none is left. Waiting fails only on a lost device, which has
        // no work to wait for.
        unsafe {
            let _ = self.device.device_wait_idle();
            self.device.destroy_pipeline_cache(self.pipelines, None);
            self.device.destroy_device(None);
        }
    }
}

/// Returns the device with this `name`, or the best one.
fn choose(devices: Vec<PhysicalDevice>, name: Option<&str>, purpose: Purpose) -> Result<PhysicalDevice> {
    let index = choice(&devices.iter().map(|d| &d.info).collect::<Vec<_>>(), name, purpose)?;
    devices.into_iter().nth(index).ok_or_else(|| DeviceError::new("there is no Vulkan device"))
}

fn choice(devices: &[&PhysicalDeviceInfo], name: Option<&str>, purpose: Purpose) -> Result<usize> {
    if devices.is_empty() {
        return Err(DeviceError::new(
            "there is no Vulkan device on this machine: install a driver (tools/install-vulkan installs lavapipe, which \
             needs no GPU, on Debian)",
        ));
    }
    let wanted = name.map(str::to_lowercase).unwrap_or_default();
    let mut named: Vec<usize> = (0..devices.len())
        .filter(|&i| devices.get(i).is_some_and(|d| d.name.to_lowercase().contains(&wanted)))
        .collect();
    if named.is_empty() {
        let names: Vec<&str> = devices.iter().map(|d| d.name.as_str()).collect();
        return Err(DeviceError::new(format!(
            "no Vulkan device has \"{}\" in its name; available: {}",
            name.unwrap_or_default(),
            names.join(", ")
        )));
    }
    let fits = |device: &PhysicalDeviceInfo| match purpose {
        Purpose::Compute => device.missing.is_empty(),
        Purpose::Graphs => device.missing_for_graphs.is_empty(),
    };
    // Stable: the loader's order decides among equals.
    named.sort_by_key(|&i| devices.get(i).map(|d| (!fits(d), d.kind)));
    let best = named[0];
    match devices.get(best) {
        Some(device) if !fits(device) => Err(unfit(device, purpose, &device.missing_for_graphs)),
        _ => Ok(best),
    }
}

/// Builds the error for a device that does not fit the purpose, with its missing features.
fn unfit(device: &PhysicalDeviceInfo, purpose: Purpose, for_graphs: &[Missing]) -> DeviceError {
    let (what, lacks) = match purpose {
        Purpose::Compute => ("run emulated graphs", device.missing.clone()),
        Purpose::Graphs => ("execute native graphs", for_graphs.iter().map(Missing::to_string).collect()),
    };
    DeviceError::new(format!("the Vulkan device {} cannot {what}: it lacks {}", device.name, lacks.join(", ")))
}

#[cfg(test)]
mod unit {
    use super::super::instance::DeviceKind;
    use super::*;

    fn device(name: &str, kind: DeviceKind, missing: &[&str]) -> PhysicalDeviceInfo {
        PhysicalDeviceInfo {
            name: name.to_owned(),
            kind,
            api_version: (1, 3, 0),
            driver: String::new(),
            missing: missing.iter().map(|m| (*m).to_owned()).collect(),
            missing_for_graphs: vec![Missing::Extension("VK_AMDX_shader_enqueue".to_owned())],
        }
    }

    #[test]
    fn device_choice_prefers_hardware_and_matches_names() {
        let llvmpipe = device("llvmpipe (LLVM 15)", DeviceKind::Cpu, &[]);
        let integrated = device("Some iGPU", DeviceKind::IntegratedGpu, &[]);
        let poor = device("Old Card", DeviceKind::DiscreteGpu, &["shaderInt64", "scalarBlockLayout"]);
        let devices = [&llvmpipe, &poor, &integrated];
        assert_eq!(choice(&devices, None, Purpose::Compute), Ok(2));
        assert_eq!(choice(&devices, Some("LLVM"), Purpose::Compute), Ok(0));
        assert_eq!(
            choice(&devices, Some("old"), Purpose::Compute).unwrap_err().message,
            "the Vulkan device Old Card cannot run emulated graphs: it lacks shaderInt64, scalarBlockLayout"
        );
        assert_eq!(
            choice(&devices, Some("h200"), Purpose::Compute).unwrap_err().message,
            "no Vulkan device has \"h200\" in its name; available: llvmpipe (LLVM 15), Old Card, Some iGPU"
        );
        assert!(
            choice(&[], None, Purpose::Compute)
                .unwrap_err()
                .message
                .starts_with("there is no Vulkan device on this machine")
        );
    }

    #[test]
    fn native_graphs_select_a_device_with_graph_support() {
        let plain = device("Plain", DeviceKind::DiscreteGpu, &[]);
        let first = PhysicalDeviceInfo {
            missing_for_graphs: vec![Missing::Feature("bufferDeviceAddress"), Missing::Version],
            ..device("First", DeviceKind::DiscreteGpu, &[])
        };
        // It lacks features of emulated graphs that native graphs may not need.
        let able = PhysicalDeviceInfo {
            missing_for_graphs: Vec::new(),
            ..device("Able", DeviceKind::IntegratedGpu, &["shaderInt64"])
        };
        let all = [&plain, &first, &able];
        assert_eq!(choice(&all, None, Purpose::Graphs), Ok(2));
        assert_eq!(choice(&all, None, Purpose::Compute), Ok(0));
        let refused = |name| choice(&all, Some(name), Purpose::Graphs).unwrap_err().message;
        assert_eq!(
            refused("plain"),
            "the Vulkan device Plain cannot execute native graphs: it lacks VK_AMDX_shader_enqueue"
        );
        assert_eq!(
            refused("first"),
            "the Vulkan device First cannot execute native graphs: it lacks the feature bufferDeviceAddress, Vulkan 1.3"
        );
    }
}
