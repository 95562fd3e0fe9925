//! Support for graphs on a device, and the missing features.
//!
//! The name of the extension proves nothing: a driver may list it with every feature off and no entry point. The
//! feature decides first, then the commands, which only a logical device reveals ([`super::commands`]).

use std::ffi::CStr;
use std::fmt;

use vulkanalia::Version;
use vulkanalia::prelude::v1_2::*;

use super::super::features;

/// The revision that this host supports. The calls of the first revision differ under the same names.
pub(super) const REVISION: u32 = 2;

const EXTENSION: &vk::Extension = &vk::AMDX_SHADER_ENQUEUE_EXTENSION;

/// The dependencies of the extension, beside Vulkan 1.3.
const DEPENDENCIES: [&vk::Extension; 2] = [&vk::KHR_MAINTENANCE5_EXTENSION, &vk::KHR_PIPELINE_LIBRARY_EXTENSION];

/// Features of the tables of [`features`] without which no graph runs: scratch memory is passed by address.
const FEATURES: [&str; 1] = ["bufferDeviceAddress"];

/// Something that native graphs need and a device lacks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Missing {
    Version,
    /// By its name; also one that the extension depends on.
    Extension(String),
    /// The extension is there in this revision.
    Revision(u32),
    Feature(&'static str),
    /// The extension is listed, and its feature is off.
    Off,
    /// An entry point that the driver does not have although the feature is there.
    Command(&'static CStr),
    /// The driver fails to create a logical device with the features that it offers.
    Device(String),
}

impl fmt::Display for Missing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Missing::Version => f.write_str("Vulkan 1.3"),
            Missing::Extension(name) => f.write_str(name),
            Missing::Revision(found) => {
                write!(
                    f,
                    "revision {REVISION} of {} (the driver has revision {found}, which is incompatible)",
                    EXTENSION.name
                )
            }
            Missing::Feature(name) => write!(f, "the feature {name}"),
            Missing::Off => {
                write!(f, "the feature shaderEnqueue (its driver lists {} but disables it)", EXTENSION.name)
            }
            Missing::Command(name) => write!(f, "the command {}", name.to_string_lossy()),
            Missing::Device(reason) => write!(f, "a logical device with it: {reason}"),
        }
    }
}

/// A physical device's support of the extension.
#[derive(Clone, Debug, Default)]
pub(in super::super) struct Support {
    /// Empty if it can be used, as far as the physical device reports.
    pub missing: Vec<Missing>,
    /// The most records that one node may receive in one dispatch; the specification guarantees 256.
    pub max_payloads: u32,
    /// The required alignment of record addresses in device memory; the specification allows 4 at most.
    pub address_alignment: u32,
    maintenance5: bool,
}

/// The structures that enable the extension, for the chain of a logical device.
pub(in super::super) struct Enabled {
    pub enqueue: vk::PhysicalDeviceShaderEnqueueFeaturesAMDX,
    pub maintenance5: vk::PhysicalDeviceMaintenance5Features,
}

impl Support {
    /// Queries the driver. `others` has the device's other features; `None` below Vulkan 1.2.
    pub fn query(
        instance: &vulkanalia::Instance,
        physical: vk::PhysicalDevice,
        version: Version,
        others: Option<&features::Support>,
    ) -> Self {
        // SAFETY: `physical` belongs to `instance`.
        let extensions = unsafe { instance.enumerate_device_extension_properties(physical, None) }.unwrap_or_default();
        let revision = |wanted: &vk::Extension| {
            extensions.iter().find(|e| e.extension_name == wanted.name).map(|e| e.spec_version)
        };
        let name = |extension: &vk::Extension| Missing::Extension(extension.name.to_string());
        let mut support = Self::default();
        match revision(EXTENSION) {
            None => support.missing.push(name(EXTENSION)),
            Some(REVISION) => {}
            Some(other) => support.missing.push(Missing::Revision(other)),
        }
        if !support.missing.is_empty() {
            return support;
        }
        let lacking = DEPENDENCIES.into_iter().filter(|wanted| revision(wanted).is_none());
        support.missing.extend(lacking.map(name));
        let Some(others) = others.filter(|_| version >= Version::V1_3_0) else {
            support.missing.push(Missing::Version);
            return support;
        };
        let lacking = FEATURES.into_iter().filter(|feature| !others.offers(feature));
        support.missing.extend(lacking.map(Missing::Feature));

        let mut enqueue = vk::PhysicalDeviceShaderEnqueueFeaturesAMDX::default();
        let mut maintenance5 = vk::PhysicalDeviceMaintenance5Features::default();
        let mut chain = vk::PhysicalDeviceFeatures2::builder().push_next(&mut enqueue);
        if revision(&vk::KHR_MAINTENANCE5_EXTENSION).is_some() {
            chain = chain.push_next(&mut maintenance5);
        }
        // SAFETY: the device is of this instance and knows the structures by the extensions that it lists; they live
        // until after the call.
        unsafe { instance.get_physical_device_features2(physical, &mut chain) };
        if enqueue.shader_enqueue != vk::TRUE {
            support.missing.push(Missing::Off);
        }
        support.maintenance5 = maintenance5.maintenance5 == vk::TRUE;

        let mut limits = vk::PhysicalDeviceShaderEnqueuePropertiesAMDX::default();
        let mut chain = vk::PhysicalDeviceProperties2::builder().push_next(&mut limits);
        // SAFETY: as above.
        unsafe { instance.get_physical_device_properties2(physical, &mut chain) };
        support.max_payloads = limits.max_execution_graph_shader_payload_count;
        support.address_alignment = limits.execution_graph_dispatch_address_alignment;
        support
    }

    /// Extensions to enable.
    pub fn extensions() -> impl Iterator<Item = &'static vk::Extension> {
        std::iter::once(EXTENSION).chain(DEPENDENCIES)
    }

    /// Returns the features to enable on a device that lacks nothing.
    pub fn enabled(&self) -> Enabled {
        let mut enabled = Enabled { enqueue: Default::default(), maintenance5: Default::default() };
        enabled.enqueue.shader_enqueue = vk::TRUE;
        enabled.maintenance5.maintenance5 = if self.maintenance5 { vk::TRUE } else { vk::FALSE };
        enabled
    }
}
