//! A Vulkan device for tests, here and in other crates. They run if there is one; `WGC_REQUIRE_VULKAN=1` makes its
//! absence an error.

use super::VulkanDevice;
use super::features::MAXIMAL_RECONVERGENCE;
use super::gpu::{Gpu, Purpose};
use super::instance::VulkanInstance;
use crate::device::{Device, Result};
use std::fmt::Display;
use std::io::Write;
use std::sync::Once;
use vulkanalia::loader::Loader;

/// Opens the default device.
///
/// # Panics
/// Opens a device, or reports the reason with [`left_out`].
pub fn device() -> Option<VulkanDevice> {
    // A driver is unloaded with its last instance, and some cannot be loaded again after some hundred times.
    static LOADED: Once = Once::new();
    LOADED.call_once(|| std::mem::forget(VulkanInstance::new()));
    VulkanDevice::open(None).map_err(|error| left_out(&error)).ok()
}

/// Opens the default device of another loader, such as one whose functions fail.
///
/// # Errors
/// Opens a device like [`VulkanDevice::open`], with a loader.
pub fn device_of(loader: impl Loader + 'static) -> Result<VulkanDevice> {
    VulkanDevice::on(Gpu::open(VulkanInstance::of(loader, false)?, None, Purpose::Compute)?)
}

/// Returns whether lanes that diverge at a branch reconverge after it. The extension guarantees it; llvmpipe does it
/// too, because it runs the lanes of a subgroup together, under masks.
pub fn lanes_reconverge(device: &VulkanDevice) -> bool {
    device.offers(MAXIMAL_RECONVERGENCE) || device.name().contains("llvmpipe")
}

/// Reports on stderr why a test, or a part of one, does not run on Vulkan.
///
/// # Panics
/// When the environment requires Vulkan.
pub fn left_out(why: &dyn Display) {
    assert!(
        std::env::var_os("WGC_REQUIRE_VULKAN").is_none_or(|v| v != "1"),
        "WGC_REQUIRE_VULKAN=1 asks for Vulkan: {why}"
    );
    // Not `eprintln!`: the test runner hides that of a test that passes.
    let _ = writeln!(std::io::stderr(), "left out on Vulkan: {why}");
}
