//! Target environments: the SPIR-V version and the memory model of output modules.
//!
//! Names and versions are those of DXC's `-fspv-target-env`. The Vulkan memory model is used if it is in the version's
//! core (1.5, Vulkan 1.2). In it only marked accesses are shared between threads, as in the IR. In older versions,
//! modules use `GLSL450`.

use rspirv::spirv::Capability;
use std::borrow::Cow;
use std::collections::BTreeSet;

/// The features that a module may rely on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Environment {
    pub name: &'static str,
    /// Version of SPIR-V.
    pub version: (u8, u8),
}

const fn environment(name: &'static str, minor: u8) -> Environment {
    Environment { name, version: (1, minor) }
}

/// All environments.
pub const ENVIRONMENTS: &[Environment] = &[
    environment("vulkan1.0", 0),
    environment("vulkan1.1", 3),
    environment("vulkan1.1spirv1.4", 4),
    environment("vulkan1.2", 5),
    environment("vulkan1.3", 6),
    environment("vulkan1.4", 6),
    environment("universal1.5", 5),
    environment("universal1.6", 6),
];

impl Environment {
    /// The minimum of the emulated target, and the default.
    pub const VULKAN_1_2: Environment = environment("vulkan1.2", 5);
    /// The environment that hosts of execution graphs accept.
    pub const AMDX: Environment = environment("vulkan1.3", 6);

    /// Finds an environment by name.
    pub fn find(name: &str) -> Option<Environment> {
        ENVIRONMENTS.iter().find(|e| e.name == name).copied()
    }

    /// Returns whether the Vulkan memory model is in the core.
    pub fn has_vulkan_memory_model(self) -> bool {
        self.version >= (1, 5)
    }

    /// Returns whether constants may give the size of workgroups, which is in the core of Vulkan 1.3.
    pub fn has_local_size_id(self) -> bool {
        self.version >= (1, 6)
    }

    /// Returns whether entry points list every global variable, and whether structures can be copied and selected as a
    /// whole.
    pub fn has_whole_interfaces(self) -> bool {
        self.version >= (1, 4)
    }
}

impl Default for Environment {
    fn default() -> Self {
        Environment::VULKAN_1_2
    }
}

/// Returns the extensions to declare for capabilities that are not in the version's core.
///
/// # Errors
/// The first capability that the version does not support at all.
pub(crate) fn extensions(
    version: (u8, u8),
    capabilities: &BTreeSet<Capability>,
    declared: &BTreeSet<Cow<'static, str>>,
) -> Result<Vec<&'static str>, Capability> {
    let mut out = Vec::new();
    for &capability in capabilities {
        if version.1 < 3 && format!("{capability:?}").starts_with("GroupNonUniform") {
            return Err(capability);
        }
        let Some(needed) = wgc_spirv_module::extensions_of(capability as u32) else { continue };
        let is_there = needed.names.iter().any(|name| declared.contains(*name) || out.contains(name));
        if version.1 < needed.core_since
            && !is_there
            && let Some(first) = needed.names.first()
        {
            out.push(*first);
        }
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn needed(minor: u8, capability: Capability) -> Result<Vec<&'static str>, Capability> {
        extensions((1, minor), &BTreeSet::from([capability]), &BTreeSet::new())
    }

    #[test]
    fn extensions_are_declared_until_the_core_has_them() {
        let name = "SPV_EXT_descriptor_indexing";
        assert_eq!(needed(3, Capability::ShaderNonUniform), Ok(vec![name]));
        assert_eq!(needed(5, Capability::ShaderNonUniform), Ok(vec![]));
        assert_eq!(needed(6, Capability::RayQueryKHR), Ok(vec!["SPV_KHR_ray_query"]), "never part of the core");
        assert_eq!(needed(3, Capability::Int64), Ok(vec![]));
    }

    #[test]
    fn wave_operations_need_1_3() {
        assert_eq!(needed(0, Capability::GroupNonUniformBallot), Err(Capability::GroupNonUniformBallot));
        assert_eq!(needed(3, Capability::GroupNonUniformBallot), Ok(vec![]));
    }

    #[test]
    fn the_defaults_are_rows_of_the_table() {
        for known in [Environment::VULKAN_1_2, Environment::AMDX] {
            assert_eq!(Environment::find(known.name), Some(known));
        }
    }
}
