//! The loader, the instance, and its physical devices. No logical device is created here.

use std::ffi::{CStr, c_void};
use std::fmt;
use std::sync::Mutex;

use vulkanalia::loader::{LIBRARY, LibloadingLoader, Loader};
use vulkanalia::prelude::v1_2::*;
use vulkanalia::vk::ExtDebugUtilsExtensionInstanceCommands;
use vulkanalia::{Entry, Version};

use super::enqueue::{self, Missing};
use super::features::{MESH_SHADERS, Support, known_defect};
use super::subgroups::{self, FULL_SUBGROUPS, SUBGROUP_SIZE_CONTROL};
use crate::device::{Cause, DeviceError, Result, SubgroupSizes};

const VALIDATION_LAYER: vk::ExtensionName = vk::ExtensionName::from_bytes(b"VK_LAYER_KHRONOS_validation");

/// The environment variable that requests the validation layer.
const VALIDATION_VARIABLE: &str = "WGC_VULKAN_VALIDATION";

/// The kind of a device, from Vulkan's device types.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum DeviceKind {
    DiscreteGpu,
    IntegratedGpu,
    VirtualGpu,
    Other,
    /// A driver that computes on the host's processor.
    Cpu,
}

impl fmt::Display for DeviceKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            DeviceKind::DiscreteGpu => "discrete GPU",
            DeviceKind::IntegratedGpu => "integrated GPU",
            DeviceKind::VirtualGpu => "virtual GPU",
            DeviceKind::Other => "other",
            DeviceKind::Cpu => "CPU",
        })
    }
}

/// A physical device, and whether emulated and native graphs run on it.
#[derive(Clone, Debug)]
pub struct PhysicalDeviceInfo {
    pub name: String,
    pub kind: DeviceKind,
    /// Major, minor and patch version of the Vulkan that the device implements.
    pub api_version: (u32, u32, u32),
    /// The driver's own name and version; empty below Vulkan 1.2.
    pub driver: String,
    /// Features that the emulated target requires and this device lacks; empty if it is usable.
    pub missing: Vec<String>,
    /// Features that native graphs require and this device lacks; empty if it executes them.
    pub missing_for_graphs: Vec<Missing>,
}

/// Lists the physical devices of this machine, in the loader's order.
///
/// # Errors
/// No loader, or no instance can be created: the reason, with advice.
pub fn list_devices() -> Result<Vec<PhysicalDeviceInfo>> {
    listed(&VulkanInstance::new()?)
}

/// Lists them with the entry points for graphs looked up if the features are present.
pub(super) fn listed(instance: &VulkanInstance) -> Result<Vec<PhysicalDeviceInfo>> {
    let all = instance.physical_devices()?.into_iter().map(|mut device| {
        if device.info.missing_for_graphs.is_empty() {
            device.info.missing_for_graphs = super::gpu::missing_commands(instance, &device);
        }
        device.info
    });
    Ok(all.collect())
}

/// Returns a failed Vulkan call as an error for the user: `cannot WHAT: REASON`.
pub(super) fn failed(what: &str) -> impl Fn(vk::ErrorCode) -> DeviceError + '_ {
    move |code| {
        let cause = match code {
            vk::ErrorCode::OUT_OF_HOST_MEMORY | vk::ErrorCode::OUT_OF_DEVICE_MEMORY => Cause::Memory,
            vk::ErrorCode::DEVICE_LOST => Cause::Lost,
            _ => Cause::Other,
        };
        let reason = match code {
            vk::ErrorCode::OUT_OF_HOST_MEMORY => "not enough host memory".to_owned(),
            vk::ErrorCode::OUT_OF_DEVICE_MEMORY => "not enough device memory".to_owned(),
            vk::ErrorCode::DEVICE_LOST => {
                "the device was lost (does a shader not end, or write out of bounds?)".to_owned()
            }
            vk::ErrorCode::INCOMPATIBLE_DRIVER => {
                "no Vulkan driver was found (tools/install-vulkan installs lavapipe, which needs no GPU, on Debian)"
                    .to_owned()
            }
            other => format!("{other} ({other:?})"),
        };
        DeviceError { message: format!("cannot {what}: {reason}"), cause }
    }
}

/// A physical device with its queried properties.
#[derive(Clone)]
pub(super) struct PhysicalDevice {
    pub handle: vk::PhysicalDevice,
    pub info: PhysicalDeviceInfo,
    pub version: Version,
    pub properties: vk::PhysicalDeviceProperties,
    pub subgroups: SubgroupSizes,
    /// The largest workgroup of mesh shaders, in threads; 0 if there are none.
    pub mesh_threads: u32,
    /// Largest allocation in bytes.
    pub max_allocation: u64,
    /// Absent below Vulkan 1.2.
    pub support: Option<Support>,
    pub graphs: enqueue::Support,
}

/// The instance with its loader. Dropping it destroys the instance.
pub(super) struct VulkanInstance {
    pub raw: vulkanalia::Instance,
    /// Labels may be recorded.
    pub debug_utils: bool,
    validation: Option<Validation>,
    // Keeps the library mapped while any of its functions can be called.
    _entry: Entry,
}

/// The messenger of the validation layer and its messages since the last check.
struct Validation {
    messenger: vk::DebugUtilsMessengerEXT,
    /// Boxed so that the address given to the driver stays valid when the instance moves.
    messages: Box<Mutex<Vec<String>>>,
}

impl VulkanInstance {
    pub fn new() -> Result<Self> {
        // SAFETY: loading the library runs its initialisers; it is the system's Vulkan loader by its standard name.
        let loader = unsafe { LibloadingLoader::new(LIBRARY) }.map_err(|error| {
            DeviceError::new(format!(
                "no Vulkan loader ({LIBRARY}) on this machine: install the system's Vulkan loader and a driver (tools/install-vulkan does so on Debian); the system reports: {error}"
            ))
        })?;
        let validation = std::env::var_os(VALIDATION_VARIABLE).is_some_and(|v| v == "1");
        Self::of(loader, validation)
    }

    /// Creates an instance with the validation layer if requested.
    pub fn of(loader: impl Loader + 'static, wants_validation: bool) -> Result<Self> {
        // SAFETY: the loader outlives the entry, which owns it.
        let entry = unsafe { Entry::new(loader) }
            .map_err(|error| DeviceError::new(format!("{LIBRARY} is not a usable Vulkan loader: {error}")))?;
        let version = entry.version().map_err(failed("query the version of the Vulkan loader"))?;
        if version < Version::V1_2_0 {
            return Err(DeviceError::new(format!("the Vulkan loader has version {version}; 1.2 or newer is needed")));
        }

        // SAFETY: the entry is loaded.
        let available = unsafe { entry.enumerate_instance_extension_properties(None) }
            .map_err(failed("list the extensions of Vulkan"))?;
        let debug_utils = available.iter().any(|e| e.extension_name == vk::EXT_DEBUG_UTILS_EXTENSION.name);
        let mut layers = Vec::new();
        let mut extensions = Vec::new();
        if debug_utils {
            extensions.push(vk::EXT_DEBUG_UTILS_EXTENSION.name.as_ptr());
        }
        if wants_validation {
            // SAFETY: the entry is loaded.
            let known =
                unsafe { entry.enumerate_instance_layer_properties() }.map_err(failed("list the layers of Vulkan"))?;
            if !debug_utils || !known.iter().any(|l| l.layer_name == VALIDATION_LAYER) {
                return Err(DeviceError::new(format!(
                    "{VALIDATION_VARIABLE}=1 needs the layer {VALIDATION_LAYER}, which is not installed (Debian: package vulkan-validationlayers)"
                )));
            }
            layers.push(VALIDATION_LAYER.as_ptr());
        }

        let application = vk::ApplicationInfo::builder().application_name(b"wgc\0").api_version(vk::make_version(
            1,
            if version >= Version::V1_3_0 { 3 } else { 2 },
            0,
        ));
        let info = vk::InstanceCreateInfo::builder()
            .application_info(&application)
            .enabled_layer_names(&layers)
            .enabled_extension_names(&extensions);
        // SAFETY: the structures and the names, which are static, live until after the call.
        let raw = unsafe { entry.create_instance(&info, None) }.map_err(failed("create a Vulkan instance"))?;
        let mut instance = Self { raw, debug_utils, validation: None, _entry: entry };
        if wants_validation {
            instance.validation = Some(Validation::new(&instance.raw)?);
        }
        Ok(instance)
    }

    /// Returns `result`, or the validation layer's messages since the last call as an error.
    pub fn validated<T>(&self, result: Result<T>) -> Result<T> {
        self.check_validation().and(result)
    }

    fn check_validation(&self) -> Result<()> {
        let Some(validation) = &self.validation else { return Ok(()) };
        let messages = match validation.messages.lock() {
            Ok(mut messages) => std::mem::take(&mut *messages),
            Err(poisoned) => std::mem::take(&mut *poisoned.into_inner()),
        };
        if messages.is_empty() {
            return Ok(());
        }
        Err(DeviceError::new(format!("Vulkan validation: {}", messages.join("\n"))))
    }

    pub fn physical_devices(&self) -> Result<Vec<PhysicalDevice>> {
        // SAFETY: the instance is alive.
        let handles = unsafe { self.raw.enumerate_physical_devices() }.map_err(failed("list Vulkan devices"))?;
        Ok(handles.into_iter().map(|handle| self.describe(handle)).collect())
    }

    fn describe(&self, handle: vk::PhysicalDevice) -> PhysicalDevice {
        // SAFETY: the handle comes from this instance.
        let basic = unsafe { self.raw.get_physical_device_properties(handle) };
        let version = Version::from(basic.api_version);
        let mut device = PhysicalDevice {
            handle,
            info: PhysicalDeviceInfo {
                name: basic.device_name.to_string(),
                kind: kind(basic.device_type),
                api_version: version.into(),
                driver: String::new(),
                missing: Vec::new(),
                missing_for_graphs: Vec::new(),
            },
            version,
            properties: basic,
            subgroups: SubgroupSizes::only(0),
            mesh_threads: 0,
            max_allocation: 1 << 30,
            support: None,
            graphs: enqueue::Support::default(),
        };
        if version < Version::V1_2_0 {
            device.info.missing.push("Vulkan 1.2".to_owned());
            self.describe_graphs(&mut device);
            return device;
        }
        let mut driver = vk::PhysicalDeviceDriverProperties::default();
        let mut subgroup = vk::PhysicalDeviceSubgroupProperties::default();
        let mut maintenance = vk::PhysicalDeviceMaintenance3Properties::default();
        let mut chain = vk::PhysicalDeviceProperties2::builder()
            .push_next(&mut driver)
            .push_next(&mut subgroup)
            .push_next(&mut maintenance);
        // SAFETY: the chain lives until after the call, and its structures are known to Vulkan 1.2.
        unsafe { self.raw.get_physical_device_properties2(handle, &mut chain) };
        let driver_info = driver.driver_info.to_string();
        let draws = self.queue_family(handle).is_some_and(|(_, flags)| flags.contains(vk::QueueFlags::GRAPHICS));
        let support = Support::query(&self.raw, handle, version, &subgroup).withheld(driver.driver_id, draws);
        let support = if self.validation.is_some() { support.for_layers() } else { support };
        if support.offers(MESH_SHADERS) {
            let mut meshes = vk::PhysicalDeviceMeshShaderPropertiesEXT::default();
            let mut chain = vk::PhysicalDeviceProperties2::builder().push_next(&mut meshes);
            // SAFETY: as above, and the device has the extension.
            unsafe { self.raw.get_physical_device_properties2(handle, &mut chain) };
            device.mesh_threads = meshes.max_mesh_work_group_invocations;
        }
        device.info.driver = format!("{} {driver_info}", driver.driver_name).trim().to_owned();
        device.info.missing = support.missing();
        device.info.missing.extend(known_defect(driver.driver_id, &driver_info));
        if self.compute_queue_family(handle).is_none() {
            device.info.missing.push("a compute queue".to_owned());
        }
        let may_ask = support.offers(SUBGROUP_SIZE_CONTROL) && support.offers(FULL_SUBGROUPS);
        // SAFETY: as above; the features are those of Vulkan 1.3, which has the structure.
        device.subgroups = unsafe { subgroups::sizes(&self.raw, handle, may_ask) };
        device.max_allocation = maintenance.max_memory_allocation_size;
        device.support = Some(support);
        self.describe_graphs(&mut device);
        device
    }

    fn describe_graphs(&self, device: &mut PhysicalDevice) {
        device.graphs = enqueue::Support::query(&self.raw, device.handle, device.version, device.support.as_ref());
        device.info.missing_for_graphs = device.graphs.missing.clone();
    }

    /// Returns a queue family for compute. One with graphics is preferred: other families cannot clear or copy depth
    /// images (Vulkan, vkCmdClearDepthStencilImage and vkCmdCopyBufferToImage), and an attempt may lose the device.
    pub fn compute_queue_family(&self, physical: vk::PhysicalDevice) -> Option<u32> {
        self.queue_family(physical).map(|(index, _)| index)
    }

    /// Returns that family with its capabilities.
    fn queue_family(&self, physical: vk::PhysicalDevice) -> Option<(u32, vk::QueueFlags)> {
        // SAFETY: the handle comes from this instance.
        let families = unsafe { self.raw.get_physical_device_queue_family_properties(physical) };
        let compute = families
            .iter()
            .zip(0u32..)
            .filter(|(f, _)| f.queue_count > 0 && f.queue_flags.contains(vk::QueueFlags::COMPUTE));
        let best = compute.min_by_key(|(f, _)| !f.queue_flags.contains(vk::QueueFlags::GRAPHICS));
        best.map(|(f, index)| (index, f.queue_flags))
    }
}

impl Drop for VulkanInstance {
    fn drop(&mut self) {
        if let Some(validation) = &self.validation {
            // SAFETY: the messenger was created by this instance and is destroyed once.
            unsafe { self.raw.destroy_debug_utils_messenger_ext(validation.messenger, None) };
        }
        // SAFETY: every logical device holds this instance and is gone by now.
        unsafe { self.raw.destroy_instance(None) };
    }
}

impl Validation {
    fn new(instance: &vulkanalia::Instance) -> Result<Self> {
        let mut messages = Box::new(Mutex::new(Vec::new()));
        let info = vk::DebugUtilsMessengerCreateInfoEXT::builder()
            .message_severity(vk::DebugUtilsMessageSeverityFlagsEXT::ERROR)
            .message_type(vk::DebugUtilsMessageTypeFlagsEXT::VALIDATION)
            .user_callback(Some(collect_message))
            .user_data(&mut *messages);
        // SAFETY: VK_EXT_debug_utils is enabled; the box outlives the messenger, which the instance's drop destroys
        // before its fields.
        let messenger = unsafe { instance.create_debug_utils_messenger_ext(&info, None) }
            .map_err(failed("install the callback of the validation layer"))?;
        Ok(Self { messenger, messages })
    }
}

extern "system" fn collect_message(
    _: vk::DebugUtilsMessageSeverityFlagsEXT,
    _: vk::DebugUtilsMessageTypeFlagsEXT,
    data: *const vk::DebugUtilsMessengerCallbackDataEXT,
    messages: *mut c_void,
) -> vk::Bool32 {
    // SAFETY: Vulkan passes a valid structure with a NUL-terminated message, and the pointer that `Validation::new`
    // gave, whose box is alive as long as the messenger.
    unsafe {
        if let (Some(data), Some(messages)) = (data.as_ref(), messages.cast::<Mutex<Vec<String>>>().as_ref()) {
            let text = CStr::from_ptr(data.message).to_string_lossy().into_owned();
            if newer_than_layer(&text) {
                return vk::FALSE;
            }
            if let Ok(mut messages) = messages.lock() {
                messages.push(text);
            }
        }
    }
    // The layer then skips the call, which would be undefined and may well crash the driver.
    vk::TRUE
}

/// Returns whether a message is about a structure that is younger than the layer. Such structures are queried only if
/// the driver has their extension, which the layer does not know.
fn newer_than_layer(message: &str) -> bool {
    message.contains("-pNext-pNext") && message.contains("includes a structure with unknown VkStructureType")
}

fn kind(kind: vk::PhysicalDeviceType) -> DeviceKind {
    match kind {
        vk::PhysicalDeviceType::DISCRETE_GPU => DeviceKind::DiscreteGpu,
        vk::PhysicalDeviceType::INTEGRATED_GPU => DeviceKind::IntegratedGpu,
        vk::PhysicalDeviceType::VIRTUAL_GPU => DeviceKind::VirtualGpu,
        vk::PhysicalDeviceType::CPU => DeviceKind::Cpu,
        _ => DeviceKind::Other,
    }
}
