//! Acceleration structures: one for each object, and one of all instances above them.

use std::rc::Rc;

use vulkanalia::prelude::v1_2::*;
use vulkanalia::vk::KhrAccelerationStructureExtensionDeviceCommands;

use super::gpu::Gpu;
use super::instance::failed;
use super::memory::Buffer;
use super::submit::Submitter;
use crate::device::{DeviceError, Result};
use crate::scene::{Boxes, Instance, Object, SceneDesc, Triangles};

/// A scene on the device. The structures of the objects live as long as the one above them.
pub(super) struct Scene {
    top: Structure,
    _objects: Vec<Structure>,
}

/// One level, with its memory.
struct Structure {
    gpu: Rc<Gpu>,
    handle: vk::AccelerationStructureKHR,
    _storage: Buffer,
    address: u64,
}

impl Drop for Structure {
    fn drop(&mut self) {
        // SAFETY: submissions are waited for; the buffer under it is freed after this, with the field.
        unsafe { self.gpu.device.destroy_acceleration_structure_khr(self.handle, None) };
    }
}

/// The inputs of a structure: geometries, their primitive counts, and the buffers that they point into.
#[derive(Default)]
struct Parts {
    geometries: Vec<vk::AccelerationStructureGeometryKHR>,
    counts: Vec<u32>,
    inputs: Vec<Buffer>,
}

impl Scene {
    /// # Errors
    /// The device traces no rays, the scene cannot be built, no memory is left.
    pub fn new(gpu: &Rc<Gpu>, submitter: &mut Submitter, desc: &SceneDesc) -> Result<Self> {
        if !gpu.support.traces_rays() {
            return Err(DeviceError::new(format!(
                "the device {} cannot trace rays: it lacks accelerationStructure or rayQuery",
                gpu.info.name
            )));
        }
        desc.check().map_err(DeviceError::new)?;
        let mut objects = Vec::with_capacity(desc.objects.len());
        for object in &desc.objects {
            let parts = match object {
                Object::Triangles(list) => Parts::triangles(gpu, list)?,
                Object::Boxes(list) => Parts::boxes(gpu, list)?,
            };
            let level = vk::AccelerationStructureTypeKHR::BOTTOM_LEVEL;
            objects.push(Structure::build(gpu, submitter, level, &parts)?);
        }
        let parts = Parts::instances(gpu, &desc.instances, &objects)?;
        let top = Structure::build(gpu, submitter, vk::AccelerationStructureTypeKHR::TOP_LEVEL, &parts)?;
        Ok(Self { top, _objects: objects })
    }

    pub fn handle(&self) -> vk::AccelerationStructureKHR {
        self.top.handle
    }
}

impl Parts {
    fn triangles(gpu: &Rc<Gpu>, list: &[Triangles]) -> Result<Self> {
        let mut parts = Self::default();
        for geometry in list {
            let vertices =
                parts.input(gpu, geometry.vertices.iter().flatten().flat_map(|x| x.to_le_bytes()).collect())?;
            let indices =
                parts.input(gpu, geometry.indices.iter().flatten().flat_map(|i| i.to_le_bytes()).collect())?;
            let data = vk::AccelerationStructureGeometryTrianglesDataKHR::builder()
                .vertex_format(vk::Format::R32G32B32_SFLOAT)
                .vertex_data(vertices)
                .vertex_stride(12)
                .max_vertex((geometry.vertices.len() as u32).saturating_sub(1))
                .index_type(vk::IndexType::UINT32)
                .index_data(indices)
                .build();
            let data = vk::AccelerationStructureGeometryDataKHR { triangles: data };
            parts.add(vk::GeometryTypeKHR::TRIANGLES, data, geometry.opaque, geometry.indices.len());
        }
        Ok(parts)
    }

    fn boxes(gpu: &Rc<Gpu>, list: &[Boxes]) -> Result<Self> {
        let mut parts = Self::default();
        for geometry in list {
            let boxes = parts.input(gpu, geometry.boxes.iter().flatten().flat_map(|x| x.to_le_bytes()).collect())?;
            let data = vk::AccelerationStructureGeometryAabbsDataKHR::builder().data(boxes).stride(24).build();
            let data = vk::AccelerationStructureGeometryDataKHR { aabbs: data };
            parts.add(vk::GeometryTypeKHR::AABBS, data, geometry.opaque, geometry.boxes.len());
        }
        Ok(parts)
    }

    fn instances(gpu: &Rc<Gpu>, list: &[Instance], objects: &[Structure]) -> Result<Self> {
        let mut parts = Self::default();
        // VkAccelerationStructureInstanceKHR, 64 bytes each.
        let mut bytes = Vec::with_capacity(64 * list.len());
        for instance in list {
            let address = objects.get(instance.object as usize).map_or(0, |o| o.address);
            bytes.extend(instance.transform.iter().flat_map(|x| x.to_le_bytes()));
            bytes.extend((instance.id | u32::from(instance.mask) << 24).to_le_bytes());
            bytes.extend((instance.hit_group | flags(instance).bits() << 24).to_le_bytes());
            bytes.extend(address.to_le_bytes());
        }
        let data = parts.input(gpu, bytes)?;
        let data = vk::AccelerationStructureGeometryInstancesDataKHR::builder().data(data).build();
        let data = vk::AccelerationStructureGeometryDataKHR { instances: data };
        parts.add(vk::GeometryTypeKHR::INSTANCES, data, false, list.len());
        Ok(parts)
    }

    /// Creates a buffer of these bytes; returns its address.
    fn input(&mut self, gpu: &Rc<Gpu>, bytes: Vec<u8>) -> Result<vk::DeviceOrHostAddressConstKHR> {
        let mut buffer = Buffer::new(gpu, bytes.len() as u64)?;
        buffer.write(0, &bytes)?;
        let device_address = buffer.address();
        self.inputs.push(buffer);
        Ok(vk::DeviceOrHostAddressConstKHR { device_address })
    }

    fn add(
        &mut self,
        kind: vk::GeometryTypeKHR,
        geometry: vk::AccelerationStructureGeometryDataKHR,
        opaque: bool,
        count: usize,
    ) {
        let flags = if opaque { vk::GeometryFlagsKHR::OPAQUE } else { vk::GeometryFlagsKHR::empty() };
        // A primitive is a candidate once, as on the CPU device.
        let flags = flags | vk::GeometryFlagsKHR::NO_DUPLICATE_ANY_HIT_INVOCATION;
        let geometry = vk::AccelerationStructureGeometryKHR::builder().geometry_type(kind).geometry(geometry);
        self.geometries.push(geometry.flags(flags).build());
        self.counts.push(count as u32);
    }
}

fn flags(instance: &Instance) -> vk::GeometryInstanceFlagsKHR {
    use vk::GeometryInstanceFlagsKHR as F;
    let mut flags = F::empty();
    flags.set(F::TRIANGLE_FACING_CULL_DISABLE, instance.cull_disable);
    flags.set(F::TRIANGLE_FLIP_FACING, instance.flip_facing);
    flags.set(F::FORCE_OPAQUE, instance.force_opaque == Some(true));
    flags.set(F::FORCE_NO_OPAQUE, instance.force_opaque == Some(false));
    flags
}

impl Structure {
    fn build(
        gpu: &Rc<Gpu>,
        submitter: &mut Submitter,
        level: vk::AccelerationStructureTypeKHR,
        parts: &Parts,
    ) -> Result<Self> {
        let mut info = vk::AccelerationStructureBuildGeometryInfoKHR::builder()
            .type_(level)
            .mode(vk::BuildAccelerationStructureModeKHR::BUILD)
            .geometries(&parts.geometries);
        let mut sizes = vk::AccelerationStructureBuildSizesInfoKHR::default();
        let device = &gpu.device;
        // SAFETY: the structures live until after the call, and there is a count for each geometry.
        unsafe {
            let build = vk::AccelerationStructureBuildTypeKHR::DEVICE;
            device.get_acceleration_structure_build_sizes_khr(build, &info, &parts.counts, &mut sizes);
        }
        let storage = Buffer::storage_of_structure(gpu, sizes.acceleration_structure_size)?;
        let create = vk::AccelerationStructureCreateInfoKHR::builder()
            .buffer(storage.handle)
            .size(sizes.acceleration_structure_size)
            .type_(level);
        // SAFETY: the buffer has the usage and the size.
        let handle = unsafe { device.create_acceleration_structure_khr(&create, None) }
            .map_err(failed("create an acceleration structure"))?;
        let mut made = Self { gpu: gpu.clone(), handle, _storage: storage, address: 0 };
        // Addresses of buffers are multiples of 256, which satisfies the scratch alignment of every device.
        let scratch = Buffer::new(gpu, sizes.build_scratch_size)?;
        info = info
            .dst_acceleration_structure(handle)
            .scratch_data(vk::DeviceOrHostAddressKHR { device_address: scratch.address() });
        let ranges: Vec<_> = parts
            .counts
            .iter()
            .map(|&count| vk::AccelerationStructureBuildRangeInfoKHR::builder().primitive_count(count))
            .collect();
        submitter.run(|commands| {
            // SAFETY: the command buffer is being recorded. The inputs, the scratch memory and the structure live until
            // the submission has been waited for. The one build has a range for each geometry.
            unsafe {
                device.cmd_build_acceleration_structures_khr(commands, &[info], &[&ranges[..]]);
                built(device, commands);
            }
        })?;
        let address = vk::AccelerationStructureDeviceAddressInfoKHR::builder().acceleration_structure(handle);
        // SAFETY: the structure is built.
        made.address = unsafe { device.get_acceleration_structure_device_address_khr(&address) };
        Ok(made)
    }
}

/// Makes a build visible to builds above it and to shaders.
///
/// # Safety
/// `commands` is being recorded, on a device with acceleration structures.
unsafe fn built(device: &vulkanalia::Device, commands: vk::CommandBuffer) {
    use vk::{AccessFlags as Access, PipelineStageFlags as Stage};
    let barrier = vk::MemoryBarrier::builder()
        .src_access_mask(Access::ACCELERATION_STRUCTURE_WRITE_KHR)
        .dst_access_mask(Access::ACCELERATION_STRUCTURE_READ_KHR);
    // SAFETY: guaranteed by the caller.
    unsafe {
        let build = Stage::ACCELERATION_STRUCTURE_BUILD_KHR;
        super::submit::memory_barrier(device, commands, build, build | Stage::COMPUTE_SHADER, barrier);
    }
}
