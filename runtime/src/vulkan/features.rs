//! The driver features in use: those that the emulated target requires, those that are enabled if available, and the
//! SPIR-V capabilities that each one permits.
//!
//! Features are named in these tables alone. The query, the logical device, the list of missing features and the check
//! of a module's capabilities all read them.

use spirv::Capability as C;
use vulkanalia::prelude::v1_2::*;

use crate::device::{DeviceError, Result};

/// Lavapipe before this version of Mesa miscompiles loops that the scheduler kernels contain.
pub const MINIMUM_LAVAPIPE: (u32, u32, u32) = (25, 0, 7);

/// The feature structures of every core version that the host reads.
#[derive(Clone, Copy, Default)]
pub(super) struct Features {
    pub core: vk::PhysicalDeviceFeatures,
    pub v11: vk::PhysicalDeviceVulkan11Features,
    pub v12: vk::PhysicalDeviceVulkan12Features,
    /// All false if the device is older than Vulkan 1.3.
    pub v13: vk::PhysicalDeviceVulkan13Features,
    /// All false if the device lacks the extensions of [`RAY_EXTENSIONS`].
    pub structures: vk::PhysicalDeviceAccelerationStructureFeaturesKHR,
    pub rays: vk::PhysicalDeviceRayQueryFeaturesKHR,
    /// All false if the device lacks [`DERIVATIVES_EXTENSION`].
    pub derivatives: vk::PhysicalDeviceComputeShaderDerivativesFeaturesKHR,
    /// All false if the device lacks [`MUTABLE_EXTENSION`].
    pub mutable: vk::PhysicalDeviceMutableDescriptorTypeFeaturesEXT,
    /// All false if the device lacks [`RECONVERGENCE_EXTENSION`].
    pub reconvergence: vk::PhysicalDeviceShaderMaximalReconvergenceFeaturesKHR,
    /// All false if the device lacks [`MESH_EXTENSION`].
    pub mesh: vk::PhysicalDeviceMeshShaderFeaturesEXT,
    /// All false if the device lacks [`CLOCK_EXTENSION`].
    pub clock: vk::PhysicalDeviceShaderClockFeaturesKHR,
    /// All false if the device lacks [`FLOATS_EXTENSION`].
    pub floats: vk::PhysicalDeviceShaderAtomicFloatFeaturesEXT,
}

/// The extension that derivatives in compute shaders need in addition to the core.
const DERIVATIVES_EXTENSION: &vk::Extension = &vk::KHR_COMPUTE_SHADER_DERIVATIVES_EXTENSION;

/// Descriptors of several types at one binding, required by heaps.
const MUTABLE_EXTENSION: &vk::Extension = &vk::EXT_MUTABLE_DESCRIPTOR_TYPE_EXTENSION;
pub(super) const MUTABLE_DESCRIPTORS: &str = "mutableDescriptorType";
pub(super) const PARTIALLY_BOUND: &str = "descriptorBindingPartiallyBound";

/// Diverged lanes reconverge as in HLSL.
const RECONVERGENCE_EXTENSION: &vk::Extension = &vk::KHR_SHADER_MAXIMAL_RECONVERGENCE_EXTENSION;
pub(super) use crate::emulated::MAXIMAL_RECONVERGENCE;
/// The extension for mesh nodes.
const MESH_EXTENSION: &vk::Extension = &vk::EXT_MESH_SHADER_EXTENSION;
pub(super) const MESH_SHADERS: &str = "meshShader";

/// The extension for `vk::ReadClock`.
const CLOCK_EXTENSION: &vk::Extension = &vk::KHR_SHADER_CLOCK_EXTENSION;

/// The extension for exchanges of floats in images; no capability stands for them.
const FLOATS_EXTENSION: &vk::Extension = &vk::EXT_SHADER_ATOMIC_FLOAT_EXTENSION;
pub(super) const IMAGE_FLOAT_ATOMICS: &str = "shaderImageFloat32Atomics";

/// The extensions for ray queries, in addition to the core.
const RAY_EXTENSIONS: [&vk::Extension; 3] = [
    &vk::KHR_ACCELERATION_STRUCTURE_EXTENSION,
    &vk::KHR_RAY_QUERY_EXTENSION,
    &vk::KHR_DEFERRED_HOST_OPERATIONS_EXTENSION,
];

struct Feature {
    name: &'static str,
    required: bool,
    field: fn(&mut Features) -> &mut vk::Bool32,
    /// Capabilities that a module may declare when the feature is enabled.
    capabilities: &'static [C],
}

macro_rules! features {
    ($($need:ident $part:ident . $field:ident $name:literal [$($capability:ident),*];)*) => {
        &[$(Feature {
            name: $name,
            required: features!(@ $need),
            field: |f| &mut f.$part.$field,
            capabilities: &[$(C::$capability),*],
        }),*]
    };
    (@ required) => { true };
    (@ optional) => { false };
}

#[rustfmt::skip]
const FEATURES: &[Feature] = features![
    required core.shader_int64 "shaderInt64" [Int64];
    required v12.buffer_device_address "bufferDeviceAddress" [PhysicalStorageBufferAddresses];
    required v12.vulkan_memory_model "vulkanMemoryModel" [VulkanMemoryModel];
    required v12.vulkan_memory_model_device_scope "vulkanMemoryModelDeviceScope" [VulkanMemoryModelDeviceScope];
    required v12.scalar_block_layout "scalarBlockLayout" [];

    optional core.shader_float64 "shaderFloat64" [Float64];
    optional core.shader_int16 "shaderInt16" [Int16];
    optional core.shader_image_gather_extended "shaderImageGatherExtended" [ImageGatherExtended];
    optional core.shader_storage_image_extended_formats "shaderStorageImageExtendedFormats" [StorageImageExtendedFormats];
    optional core.shader_storage_image_read_without_format "shaderStorageImageReadWithoutFormat" [StorageImageReadWithoutFormat];
    optional core.shader_storage_image_write_without_format "shaderStorageImageWriteWithoutFormat" [StorageImageWriteWithoutFormat];
    optional core.shader_uniform_buffer_array_dynamic_indexing "shaderUniformBufferArrayDynamicIndexing" [UniformBufferArrayDynamicIndexing];
    optional core.shader_sampled_image_array_dynamic_indexing "shaderSampledImageArrayDynamicIndexing" [SampledImageArrayDynamicIndexing];
    optional core.shader_storage_buffer_array_dynamic_indexing "shaderStorageBufferArrayDynamicIndexing" [StorageBufferArrayDynamicIndexing];
    optional core.shader_storage_image_array_dynamic_indexing "shaderStorageImageArrayDynamicIndexing" [StorageImageArrayDynamicIndexing];
    optional core.shader_resource_min_lod "shaderResourceMinLod" [MinLod];
    optional core.shader_resource_residency "shaderResourceResidency" [SparseResidency];
    optional core.shader_storage_image_multisample "shaderStorageImageMultisample" [StorageImageMultisample, ImageMSArray];
    optional core.shader_clip_distance "shaderClipDistance" [ClipDistance];
    optional core.shader_cull_distance "shaderCullDistance" [CullDistance];
    optional core.sample_rate_shading "sampleRateShading" [SampleRateShading];
    optional core.multi_viewport "multiViewport" [MultiViewport];
    optional v11.storage_input_output16 "storageInputOutput16" [StorageInputOutput16];
    optional core.image_cube_array "imageCubeArray" [SampledCubeArray, ImageCubeArray];
    optional core.robust_buffer_access "robustBufferAccess" [];
    optional v11.storage_buffer_16bit_access "storageBuffer16BitAccess" [StorageBuffer16BitAccess];
    optional v11.uniform_and_storage_buffer_16bit_access "uniformAndStorageBuffer16BitAccess" [UniformAndStorageBuffer16BitAccess];
    optional v11.storage_push_constant16 "storagePushConstant16" [StoragePushConstant16];
    optional v11.variable_pointers_storage_buffer "variablePointersStorageBuffer" [VariablePointersStorageBuffer];
    optional v11.variable_pointers "variablePointers" [VariablePointers];
    optional v12.storage_buffer_8bit_access "storageBuffer8BitAccess" [StorageBuffer8BitAccess];
    optional v12.uniform_and_storage_buffer_8bit_access "uniformAndStorageBuffer8BitAccess" [UniformAndStorageBuffer8BitAccess];
    optional v12.storage_push_constant8 "storagePushConstant8" [StoragePushConstant8];
    optional v12.shader_buffer_int64_atomics "shaderBufferInt64Atomics" [Int64Atomics];
    optional v12.shader_shared_int64_atomics "shaderSharedInt64Atomics" [Int64Atomics];
    optional v12.shader_float16 "shaderFloat16" [Float16];
    optional v12.shader_int8 "shaderInt8" [Int8];
    optional v12.descriptor_indexing "descriptorIndexing" [ShaderNonUniform];
    optional v12.runtime_descriptor_array "runtimeDescriptorArray" [RuntimeDescriptorArray];
    optional v12.descriptor_binding_partially_bound "descriptorBindingPartiallyBound" [];
    optional v12.shader_uniform_texel_buffer_array_dynamic_indexing "shaderUniformTexelBufferArrayDynamicIndexing" [UniformTexelBufferArrayDynamicIndexing];
    optional v12.shader_storage_texel_buffer_array_dynamic_indexing "shaderStorageTexelBufferArrayDynamicIndexing" [StorageTexelBufferArrayDynamicIndexing];
    optional v12.shader_uniform_texel_buffer_array_non_uniform_indexing "shaderUniformTexelBufferArrayNonUniformIndexing" [UniformTexelBufferArrayNonUniformIndexing];
    optional v12.shader_storage_texel_buffer_array_non_uniform_indexing "shaderStorageTexelBufferArrayNonUniformIndexing" [StorageTexelBufferArrayNonUniformIndexing];
    optional v12.shader_uniform_buffer_array_non_uniform_indexing "shaderUniformBufferArrayNonUniformIndexing" [UniformBufferArrayNonUniformIndexing];
    optional v12.shader_sampled_image_array_non_uniform_indexing "shaderSampledImageArrayNonUniformIndexing" [SampledImageArrayNonUniformIndexing];
    optional v12.shader_storage_buffer_array_non_uniform_indexing "shaderStorageBufferArrayNonUniformIndexing" [StorageBufferArrayNonUniformIndexing];
    optional v12.shader_storage_image_array_non_uniform_indexing "shaderStorageImageArrayNonUniformIndexing" [StorageImageArrayNonUniformIndexing];
    optional v12.sampler_mirror_clamp_to_edge "samplerMirrorClampToEdge" [];
    optional v12.uniform_buffer_standard_layout "uniformBufferStandardLayout" [];
    optional v12.shader_subgroup_extended_types "shaderSubgroupExtendedTypes" [];
    optional v12.vulkan_memory_model_availability_visibility_chains "vulkanMemoryModelAvailabilityVisibilityChains" [];
    optional v12.subgroup_broadcast_dynamic_id "subgroupBroadcastDynamicId" [];
    optional v13.shader_integer_dot_product "shaderIntegerDotProduct" [DotProduct, DotProductInputAll, DotProductInput4x8Bit, DotProductInput4x8BitPacked];
    optional v13.shader_zero_initialize_workgroup_memory "shaderZeroInitializeWorkgroupMemory" [];
    optional v13.subgroup_size_control "subgroupSizeControl" [];
    optional v13.compute_full_subgroups "computeFullSubgroups" [];
    optional v13.maintenance4 "maintenance4" [];
    optional structures.acceleration_structure "accelerationStructure" [];
    optional mutable.mutable_descriptor_type "mutableDescriptorType" [];
    optional reconvergence.shader_maximal_reconvergence "shaderMaximalReconvergence" [];
    optional rays.ray_query "rayQuery" [RayQueryKHR, RayTraversalPrimitiveCullingKHR];
    optional derivatives.compute_derivative_group_quads "computeDerivativeGroupQuads" [ComputeDerivativeGroupQuadsKHR];
    optional mesh.mesh_shader "meshShader" [MeshShadingEXT];
    optional clock.shader_subgroup_clock "shaderSubgroupClock" [ShaderClockKHR];
    optional clock.shader_device_clock "shaderDeviceClock" [ShaderClockKHR];
    optional floats.shader_image_float32_atomics "shaderImageFloat32Atomics" [];
    optional derivatives.compute_derivative_group_linear "computeDerivativeGroupLinear" [ComputeDerivativeGroupLinearKHR];
];

struct SubgroupOperation {
    name: &'static str,
    required: bool,
    flag: vk::SubgroupFeatureFlags,
    capability: C,
}

#[rustfmt::skip]
const SUBGROUP_OPERATIONS: &[SubgroupOperation] = &[
    SubgroupOperation { name: "basic", required: true, flag: vk::SubgroupFeatureFlags::BASIC, capability: C::GroupNonUniform },
    SubgroupOperation { name: "ballot", required: true, flag: vk::SubgroupFeatureFlags::BALLOT, capability: C::GroupNonUniformBallot },
    SubgroupOperation { name: "shuffle", required: true, flag: vk::SubgroupFeatureFlags::SHUFFLE, capability: C::GroupNonUniformShuffle },
    SubgroupOperation { name: "arithmetic", required: true, flag: vk::SubgroupFeatureFlags::ARITHMETIC, capability: C::GroupNonUniformArithmetic },
    SubgroupOperation { name: "vote", required: true, flag: vk::SubgroupFeatureFlags::VOTE, capability: C::GroupNonUniformVote },
    SubgroupOperation { name: "relative shuffle", required: false, flag: vk::SubgroupFeatureFlags::SHUFFLE_RELATIVE, capability: C::GroupNonUniformShuffleRelative },
    SubgroupOperation { name: "clustered", required: false, flag: vk::SubgroupFeatureFlags::CLUSTERED, capability: C::GroupNonUniformClustered },
    SubgroupOperation { name: "quad", required: false, flag: vk::SubgroupFeatureFlags::QUAD, capability: C::GroupNonUniformQuad },
];

/// Capabilities that every Vulkan 1.2 compute device has.
const ALWAYS: &[C] = &[
    C::Matrix,
    C::Shader,
    C::Sampled1D,
    C::Image1D,
    C::SampledBuffer,
    C::ImageBuffer,
    C::ImageQuery,
    C::DerivativeControl,
    C::DeviceGroup,
];

/// A physical device's support of the tables above.
#[derive(Clone, Copy)]
pub(super) struct Support {
    features: Features,
    subgroup_operations: vk::SubgroupFeatureFlags,
    /// Mesh shaders support the subgroup operations that compute shaders support.
    subgroups_in_meshes: bool,
}

impl Support {
    /// Queries the driver. `version` is the device's, at least 1.2.
    pub fn query(
        instance: &vulkanalia::Instance,
        physical: vk::PhysicalDevice,
        version: vulkanalia::Version,
        subgroup: &vk::PhysicalDeviceSubgroupProperties,
    ) -> Self {
        let mut features = Features::default();
        let mut chain =
            vk::PhysicalDeviceFeatures2::builder().push_next(&mut features.v11).push_next(&mut features.v12);
        if version >= vulkanalia::Version::V1_3_0 {
            chain = chain.push_next(&mut features.v13);
        }
        // SAFETY: `physical` belongs to `instance`.
        let extensions = unsafe { instance.enumerate_device_extension_properties(physical, None) }.unwrap_or_default();
        let has = |wanted: &vk::Extension| extensions.iter().any(|e| e.extension_name == wanted.name);
        if RAY_EXTENSIONS.iter().all(|wanted| has(wanted)) {
            chain = chain.push_next(&mut features.structures).push_next(&mut features.rays);
        }
        if has(DERIVATIVES_EXTENSION) {
            chain = chain.push_next(&mut features.derivatives);
        }
        if has(MUTABLE_EXTENSION) {
            chain = chain.push_next(&mut features.mutable);
        }
        if has(RECONVERGENCE_EXTENSION) {
            chain = chain.push_next(&mut features.reconvergence);
        }
        if has(CLOCK_EXTENSION) {
            chain = chain.push_next(&mut features.clock);
        }
        if has(FLOATS_EXTENSION) {
            chain = chain.push_next(&mut features.floats);
        }
        if has(MESH_EXTENSION) {
            chain = chain.push_next(&mut features.mesh);
        }
        // SAFETY: `physical` belongs to `instance`. Every structure of the chain lives until after the call, and
        // devices of this version with these extensions know it.
        unsafe { instance.get_physical_device_features2(physical, &mut chain) };
        features.core = chain.features;
        let in_compute = subgroup.supported_stages.contains(vk::ShaderStageFlags::COMPUTE);
        let subgroup_operations =
            if in_compute { subgroup.supported_operations } else { vk::SubgroupFeatureFlags::empty() };
        let subgroups_in_meshes = subgroup.supported_stages.contains(vk::ShaderStageFlags::MESH_EXT);
        Self { features: unlinked(features), subgroup_operations, subgroups_in_meshes }
    }

    /// Removes features that the driver implements wrongly, and drawing if `draws` is not set.
    pub fn withheld(mut self, driver: vk::DriverId, draws: bool) -> Self {
        if !draws {
            self.features.mesh.mesh_shader = vk::FALSE;
        }
        if driver == vk::DriverId::MESA_LLVMPIPE {
            // The driver searches for residency in a table that only images with sparse bindings have, and crashes on
            // others.
            self.features.core.shader_resource_residency = vk::FALSE;
        }
        self
    }

    /// Removes features that validation layers may be too old for: they report the mode of [`MAXIMAL_RECONVERGENCE`] as
    /// a damaged module.
    pub fn for_layers(mut self) -> Self {
        self.features.reconvergence.shader_maximal_reconvergence = vk::FALSE;
        self
    }

    /// Returns the names of features that the emulated target requires and the device lacks.
    pub fn missing(&self) -> Vec<String> {
        let mut features = self.features;
        let lacking = FEATURES.iter().filter(|f| f.required && *(f.field)(&mut features) == vk::FALSE);
        let mut missing: Vec<String> = lacking.map(|f| f.name.to_owned()).collect();
        let operations =
            SUBGROUP_OPERATIONS.iter().filter(|o| o.required && !self.subgroup_operations.contains(o.flag));
        missing.extend(operations.map(|o| format!("subgroup operations ({}) in compute shaders", o.name)));
        missing
    }

    /// Returns the features to enable: everything of the table that the device has.
    pub fn enabled(&self) -> Features {
        let mut available = self.features;
        let mut enabled = Features::default();
        for feature in FEATURES {
            *(feature.field)(&mut enabled) = *(feature.field)(&mut available);
        }
        enabled
    }

    /// Returns the extensions to enable for the features of [`Support::enabled`].
    pub fn extensions(&self) -> Vec<&'static vk::Extension> {
        let mut extensions = Vec::new();
        if self.traces_rays() {
            extensions.extend(RAY_EXTENSIONS);
        }
        if self.derives() {
            extensions.push(DERIVATIVES_EXTENSION);
        }
        if self.offers(MUTABLE_DESCRIPTORS) {
            extensions.push(MUTABLE_EXTENSION);
        }
        if self.offers(MAXIMAL_RECONVERGENCE) {
            extensions.push(RECONVERGENCE_EXTENSION);
        }
        if self.offers(MESH_SHADERS) {
            extensions.push(MESH_EXTENSION);
        }
        if self.reads_clocks() {
            extensions.push(CLOCK_EXTENSION);
        }
        if self.offers(IMAGE_FLOAT_ATOMICS) {
            extensions.push(FLOATS_EXTENSION);
        }
        extensions
    }

    /// Returns whether compute shaders support derivatives, in any arrangement of quads.
    pub fn derives(&self) -> bool {
        let derivatives = self.features.derivatives;
        derivatives.compute_derivative_group_quads == vk::TRUE
            || derivatives.compute_derivative_group_linear == vk::TRUE
    }

    /// Returns whether acceleration structures and ray queries work.
    pub fn traces_rays(&self) -> bool {
        self.features.structures.acceleration_structure == vk::TRUE && self.features.rays.ray_query == vk::TRUE
    }

    /// Returns whether shaders may read a clock, of a subgroup or of the device.
    pub fn reads_clocks(&self) -> bool {
        let clock = self.features.clock;
        clock.shader_subgroup_clock == vk::TRUE || clock.shader_device_clock == vk::TRUE
    }

    /// Returns whether the device has a feature of the table, by its name.
    pub fn offers(&self, name: &str) -> bool {
        let mut features = self.features;
        FEATURES.iter().any(|f| f.name == name && *(f.field)(&mut features) == vk::TRUE)
    }

    pub fn int64_atomics(&self) -> bool {
        self.features.v12.shader_buffer_int64_atomics == vk::TRUE
    }

    /// Checks that a mesh shader may declare `capability` on this device.
    ///
    /// # Errors
    /// The errors of [`Support::permits`].
    pub fn permits_in_meshes(&self, capability: u32) -> Result<()> {
        let operation = SUBGROUP_OPERATIONS.iter().find(|o| o.capability as u32 == capability);
        match operation.filter(|_| !self.subgroups_in_meshes) {
            Some(operation) => Err(DeviceError::new(format!(
                "the module declares the SPIR-V capability {:?}, but the device lacks subgroup operations in mesh shaders",
                operation.capability
            ))),
            None => self.permits(capability),
        }
    }

    /// Checks that a module may declare `capability` on this device.
    ///
    /// # Errors
    /// The error names the feature that the capability needs, or says that this host knows no feature that would permit
    /// it.
    pub fn permits(&self, capability: u32) -> Result<()> {
        let Some(known) = C::from_u32(capability) else {
            return Err(DeviceError::new(format!("the module declares the unknown SPIR-V capability {capability}")));
        };
        if ALWAYS.contains(&known) {
            return Ok(());
        }
        let mut features = self.features;
        let mut lacking = Vec::new();
        for feature in FEATURES.iter().filter(|f| f.capabilities.contains(&known)) {
            if *(feature.field)(&mut features) == vk::TRUE {
                return Ok(());
            }
            lacking.push(feature.name.to_owned());
        }
        if let Some(operation) = SUBGROUP_OPERATIONS.iter().find(|o| o.capability == known) {
            if self.subgroup_operations.contains(operation.flag) {
                return Ok(());
            }
            lacking.push(format!("subgroup operations ({})", operation.name));
        }
        Err(DeviceError::new(if lacking.is_empty() {
            format!("the module declares the SPIR-V capability {known:?}, which the Vulkan host does not support")
        } else {
            format!(
                "the module declares the SPIR-V capability {known:?}, but the device lacks {}",
                lacking.join(" and ")
            )
        }))
    }
}

/// Returns the values without the pointers of the chain that they were queried in, which would dangle.
fn unlinked(mut features: Features) -> Features {
    features.v11.next = std::ptr::null_mut();
    features.v12.next = std::ptr::null_mut();
    features.v13.next = std::ptr::null_mut();
    features.structures.next = std::ptr::null_mut();
    features.rays.next = std::ptr::null_mut();
    features.derivatives.next = std::ptr::null_mut();
    features.mutable.next = std::ptr::null_mut();
    features.reconvergence.next = std::ptr::null_mut();
    features.mesh.next = std::ptr::null_mut();
    features.clock.next = std::ptr::null_mut();
    features.floats.next = std::ptr::null_mut();
    features
}

/// Returns the reason not to use a driver although it offers every feature.
pub(super) fn known_defect(driver: vk::DriverId, info: &str) -> Option<String> {
    if driver != vk::DriverId::MESA_LLVMPIPE {
        return None;
    }
    let version = mesa_version(info)?;
    let (major, minor, patch) = MINIMUM_LAVAPIPE;
    (version < MINIMUM_LAVAPIPE).then(|| {
        format!(
            "Mesa {major}.{minor}.{patch} or newer (this is {}.{}.{}, which miscomputes loops)",
            version.0, version.1, version.2
        )
    })
}

/// Reads the version in a driver information such as `Mesa 25.0.7-2~bpo12+1 (LLVM 15.0.6)`.
fn mesa_version(info: &str) -> Option<(u32, u32, u32)> {
    let text = info.strip_prefix("Mesa ")?;
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let mut numbers = text[..end].split('.').map(|n| n.parse::<u32>().unwrap_or(0));
    Some((numbers.next()?, numbers.next()?, numbers.next().unwrap_or(0)))
}

#[cfg(test)]
mod unit {
    use super::*;

    fn all() -> Support {
        let mut features = Features::default();
        for feature in FEATURES {
            *(feature.field)(&mut features) = vk::TRUE;
        }
        Support { features, subgroup_operations: vk::SubgroupFeatureFlags::all(), subgroups_in_meshes: true }
    }

    #[test]
    fn missing_features_are_named() {
        assert_eq!(all().missing(), Vec::<String>::new());
        let mut support = all();
        support.features.v12.buffer_device_address = vk::FALSE;
        support.features.v12.shader_int8 = vk::FALSE;
        support.subgroup_operations.remove(vk::SubgroupFeatureFlags::SHUFFLE);
        assert_eq!(support.missing(), ["bufferDeviceAddress", "subgroup operations (shuffle) in compute shaders"]);
    }

    #[test]
    fn each_row_names_its_own_field() {
        // Two rows with one field would enable one feature under the name of another.
        let mut seen = std::collections::HashSet::new();
        let mut features = Features::default();
        for feature in FEATURES {
            let address = std::ptr::from_mut((feature.field)(&mut features)) as usize;
            assert!(seen.insert(address), "{} repeats a field", feature.name);
        }
    }

    #[test]
    fn capabilities_follow_features() {
        let mut support = all();
        assert!(support.permits(C::Int64Atomics as u32).is_ok());
        support.features.v12.shader_buffer_int64_atomics = vk::FALSE;
        assert!(support.permits(C::Int64Atomics as u32).is_ok(), "shared atomics still permit it");
        support.features.v12.shader_shared_int64_atomics = vk::FALSE;
        assert_eq!(
            support.permits(C::Int64Atomics as u32).unwrap_err().message,
            "the module declares the SPIR-V capability Int64Atomics, but the device lacks shaderBufferInt64Atomics \
             and shaderSharedInt64Atomics"
        );
        assert!(support.permits(C::Kernel as u32).unwrap_err().message.contains("does not support"));
        assert!(support.permits(0x7fff_fff0).unwrap_err().message.contains("unknown SPIR-V capability"));
    }

    #[test]
    fn extensions_follow_features() {
        let names = |support: &Support| support.extensions().iter().map(|e| e.name.to_string()).collect::<Vec<_>>();
        let mut support = all();
        assert_eq!(names(&support).len(), 9);
        support.features.floats.shader_image_float32_atomics = vk::FALSE;
        assert_eq!(names(&support).len(), 8);
        support.features.clock.shader_subgroup_clock = vk::FALSE;
        assert_eq!(names(&support).len(), 8, "the clock of the device is left");
        support.features.clock.shader_device_clock = vk::FALSE;
        support.features.mutable.mutable_descriptor_type = vk::FALSE;
        support.features.reconvergence.shader_maximal_reconvergence = vk::FALSE;
        assert_eq!(names(&support).len(), 5);
        support.features.mesh.mesh_shader = vk::FALSE;
        assert_eq!(names(&support).len(), 4);
        support.features.rays.ray_query = vk::FALSE;
        support.features.derivatives.compute_derivative_group_quads = vk::FALSE;
        assert_eq!(names(&support), ["VK_KHR_compute_shader_derivatives"], "rows of four still need it");
        support.features.derivatives.compute_derivative_group_linear = vk::FALSE;
        assert_eq!(names(&support), [""; 0]);
        let refused = support.permits(C::ComputeDerivativeGroupQuadsKHR as u32).unwrap_err().message;
        assert!(refused.contains("the device lacks computeDerivativeGroupQuads"), "{refused}");
    }

    #[test]
    fn features_that_crash_drivers_are_withheld() {
        let residency = C::SparseResidency as u32;
        assert!(all().withheld(vk::DriverId::MESA_RADV, true).permits(residency).is_ok());
        let refused = all().withheld(vk::DriverId::MESA_LLVMPIPE, true).permits(residency).unwrap_err().message;
        assert!(refused.contains("the device lacks shaderResourceResidency"), "{refused}");
    }

    #[test]
    fn old_lavapipe_is_refused() {
        let lavapipe = vk::DriverId::MESA_LLVMPIPE;
        assert_eq!(mesa_version("Mesa 25.0.7-2~bpo12+1 (LLVM 15.0.6)"), Some((25, 0, 7)));
        assert_eq!(known_defect(lavapipe, "Mesa 25.0.7-2~bpo12+1 (LLVM 15.0.6)"), None);
        assert_eq!(known_defect(lavapipe, "Mesa 26.1.0 (LLVM 21.1)"), None);
        assert!(known_defect(lavapipe, "Mesa 22.3.6 (LLVM 15.0.6)").is_some());
        assert_eq!(known_defect(vk::DriverId::MESA_RADV, "Mesa 22.3.6"), None);
    }

    #[test]
    fn mesh_shaders_require_graphics_queue_and_mesh_subgroups() {
        let (mesh, ballot) = (C::MeshShadingEXT as u32, C::GroupNonUniformBallot as u32);
        let compute_alone = all().withheld(vk::DriverId::MESA_RADV, false);
        assert!(compute_alone.permits(mesh).unwrap_err().message.ends_with("the device lacks meshShader"));
        assert!(!compute_alone.offers(MESH_SHADERS) && all().offers(MESH_SHADERS));
        let plain = Support { subgroups_in_meshes: false, ..all() };
        assert!(plain.permits(ballot).is_ok() && plain.permits_in_meshes(mesh).is_ok());
        let refused = plain.permits_in_meshes(ballot).unwrap_err().message;
        assert!(refused.ends_with("the device lacks subgroup operations in mesh shaders"), "{refused}");
        assert!(all().permits_in_meshes(ballot).is_ok());
    }
}
