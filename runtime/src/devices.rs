//! The list of `wgc devices`: everything that can be named as a device, and the features it lacks.

use std::fmt;

use crate::vulkan;

/// A device that `--device` can name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedDevice {
    /// The argument for `--device`.
    pub selector: String,
    /// A description of type, version and driver.
    pub description: String,
    /// Features that emulated graphs need and the device lacks; empty if they run.
    pub missing: Vec<String>,
    /// Features that native graphs need and the device lacks; empty if they run.
    pub missing_for_graphs: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listing {
    pub devices: Vec<ListedDevice>,
    /// Why there is no Vulkan device, when there is none.
    pub vulkan: Option<String>,
}

/// Lists the devices of this machine, the CPU device first.
pub fn list() -> Listing {
    let mut devices = vec![ListedDevice {
        selector: "cpu".to_owned(),
        description: "built in; executes SPIR-V on the CPU (default)".to_owned(),
        missing: Vec::new(),
        missing_for_graphs: Vec::new(),
    }];
    let vulkan = match vulkan::list_devices() {
        Ok(found) if found.is_empty() => Some("the Vulkan loader found no device".to_owned()),
        Ok(found) => {
            devices.extend(found.into_iter().map(|device| {
                let (major, minor, patch) = device.api_version;
                let mut description = format!("{}, Vulkan {major}.{minor}.{patch}", device.kind);
                if !device.driver.is_empty() {
                    description.push_str(", driver ");
                    description.push_str(&device.driver);
                }
                let missing_for_graphs = device.missing_for_graphs.iter().map(ToString::to_string).collect();
                let selector = format!("vulkan:{}", device.name);
                ListedDevice { selector, description, missing: device.missing, missing_for_graphs }
            }));
            None
        }
        Err(error) => Some(error.message),
    };
    Listing { devices, vulkan }
}

impl fmt::Display for Listing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for device in &self.devices {
            f.write_str(&device.selector)?;
            if !device.missing.is_empty() {
                write!(f, " cannot run emulated graphs: it lacks {}", device.missing.join(", "))?;
            }
            writeln!(f, "\n    {}", device.description)?;
            match device.missing_for_graphs.as_slice() {
                [] => writeln!(f, "    native graphs (spirv-amdx): yes")?,
                missing => writeln!(f, "    native graphs (spirv-amdx): no, it lacks {}", missing.join(", "))?,
            }
        }
        if let Some(reason) = &self.vulkan {
            writeln!(f, "no Vulkan device: {reason}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn device_list_always_contains_the_cpu() {
        let listing = list();
        assert_eq!(listing.devices[0].selector, "cpu");
        assert!(listing.devices.len() > 1 || listing.vulkan.is_some());
    }

    #[test]
    fn device_listing_text() {
        let owned = |names: &[&str]| names.iter().map(|m| (*m).to_owned()).collect();
        let device = |selector: &str, missing: &[&str], missing_for_graphs: &[&str]| ListedDevice {
            selector: selector.to_owned(),
            description: "discrete GPU, Vulkan 1.3.1".to_owned(),
            missing: owned(missing),
            missing_for_graphs: owned(missing_for_graphs),
        };
        let listing = Listing {
            devices: vec![
                device("vulkan:A", &[], &[]),
                device("vulkan:B", &["shaderInt64", "Mesa 25.0.7 or newer"], &["X", "the feature Y"]),
            ],
            vulkan: Some("reason".to_owned()),
        };
        assert_eq!(
            listing.to_string(),
            "vulkan:A\n    discrete GPU, Vulkan 1.3.1\n    native graphs (spirv-amdx): yes\nvulkan:B cannot run emulated \
             graphs: it lacks shaderInt64, Mesa 25.0.7 or newer\n    discrete GPU, Vulkan 1.3.1\n    native graphs \
             (spirv-amdx): no, it lacks X, the feature Y\nno Vulkan device: reason\n"
        );
    }
}
