//! Device memory and buffers.
//!
//! One allocation per buffer or image: a run has few of them, and each has a name in a capture. Buffers are mapped for
//! their whole life, in device-local memory if the host can reach it.

use std::ptr::NonNull;
use std::rc::Rc;

use vulkanalia::prelude::v1_2::*;

use super::gpu::Gpu;
use super::instance::failed;
use crate::device::{DeviceError, Result};

/// Alignment of a buffer's device address, as the `Device` trait promises.
const ADDRESS_ALIGNMENT: u64 = 256;

type Flags = vk::MemoryPropertyFlags;

const SEEN: Flags = Flags::HOST_VISIBLE.union(Flags::HOST_COHERENT);
const SEEN_CACHED: Flags = SEEN.union(Flags::HOST_CACHED);

// Sets of properties in order of preference; every driver has the last of each.
const MAPPED: [Flags; 4] = [Flags::DEVICE_LOCAL.union(SEEN_CACHED), Flags::DEVICE_LOCAL.union(SEEN), SEEN_CACHED, SEEN];
const STAGING: [Flags; 2] = [SEEN_CACHED, SEEN];
const DEVICE: [Flags; 2] = [Flags::DEVICE_LOCAL, Flags::empty()];

/// The kind of memory for an allocation.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum MemoryUse {
    /// Read and written by shaders and by the host.
    Mapped,
    /// For copies between the host and images.
    Staging,
    /// For shaders alone.
    Device,
}

impl MemoryUse {
    fn wishes(self) -> &'static [Flags] {
        match self {
            MemoryUse::Mapped => &MAPPED,
            MemoryUse::Staging => &STAGING,
            MemoryUse::Device => &DEVICE,
        }
    }
}

/// An allocation; dropping it frees it.
pub(super) struct Memory {
    gpu: Rc<Gpu>,
    pub handle: vk::DeviceMemory,
    /// The host's address of the memory, unless its purpose is [`MemoryUse::Device`].
    mapped: Option<NonNull<u8>>,
    /// The host reads through its cache; otherwise every read crosses the bus.
    cached: bool,
}

impl Memory {
    pub fn new(gpu: &Rc<Gpu>, need: vk::MemoryRequirements, purpose: MemoryUse, addressed: bool) -> Result<Self> {
        if need.size > gpu.max_allocation {
            return Err(DeviceError::memory(format!(
                "an allocation of {} bytes; the limit of the device is {} bytes",
                need.size, gpu.max_allocation
            )));
        }
        let mut last = DeviceError::new("the device has no memory type for this use");
        for wish in purpose.wishes() {
            for (index, kind) in (0u32..).zip(&gpu.memory_types) {
                if need.memory_type_bits & (1 << index) == 0 || !kind.property_flags.contains(*wish) {
                    continue;
                }
                // A heap that the host reaches may be small or full: then the next type is tried.
                match Self::allocate(gpu, need.size, (index, *kind), purpose, addressed) {
                    Ok(memory) => return Ok(memory),
                    Err(error) => last = error,
                }
            }
        }
        Err(last)
    }

    fn allocate(
        gpu: &Rc<Gpu>,
        size: u64,
        (memory_type, kind): (u32, vk::MemoryType),
        purpose: MemoryUse,
        addressed: bool,
    ) -> Result<Self> {
        let mut flags = vk::MemoryAllocateFlagsInfo::builder().flags(vk::MemoryAllocateFlags::DEVICE_ADDRESS);
        let mut info = vk::MemoryAllocateInfo::builder().allocation_size(size).memory_type_index(memory_type);
        if addressed {
            info = info.push_next(&mut flags);
        }
        // SAFETY: the structures live until after the call; bufferDeviceAddress is a required feature.
        let handle = unsafe { gpu.device.allocate_memory(&info, None) }
            .map_err(failed(&format!("allocate {size} bytes of device memory")))?;
        let cached = kind.property_flags.contains(Flags::HOST_CACHED);
        let mut memory = Self { gpu: gpu.clone(), handle, mapped: None, cached };
        if purpose != MemoryUse::Device {
            // SAFETY: the memory is host-visible by its purpose, and is mapped once.
            let pointer = unsafe { gpu.device.map_memory(handle, 0, vk::WHOLE_SIZE, vk::MemoryMapFlags::empty()) }
                .map_err(failed("map device memory"))?;
            memory.mapped = NonNull::new(pointer.cast());
        }
        Ok(memory)
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        // SAFETY: submissions are waited for, so nothing uses the memory; freeing unmaps it.
        unsafe { self.gpu.device.free_memory(self.handle, None) };
    }
}

/// A buffer that the host sees.
pub(super) struct Buffer {
    gpu: Rc<Gpu>,
    pub handle: vk::Buffer,
    memory: Memory,
    /// The requested size.
    pub bytes: u64,
    /// The offset of the contents in the Vulkan buffer, chosen to align the address. Zero for most drivers.
    pub start: u64,
    address: u64,
}

/// A Vulkan buffer without its memory, destroyed when something fails before it has some.
struct Unbound<'g> {
    gpu: &'g Gpu,
    handle: vk::Buffer,
}

impl Drop for Unbound<'_> {
    fn drop(&mut self) {
        // SAFETY: the buffer was created by this device and nothing uses it.
        unsafe { self.gpu.device.destroy_buffer(self.handle, None) };
    }
}

impl Buffer {
    /// Creates a zeroed buffer for every use of the `Device` trait.
    pub fn new(gpu: &Rc<Gpu>, bytes: u64) -> Result<Self> {
        let mut usage = vk::BufferUsageFlags::STORAGE_BUFFER
            | vk::BufferUsageFlags::STORAGE_TEXEL_BUFFER
            | vk::BufferUsageFlags::UNIFORM_TEXEL_BUFFER
            | vk::BufferUsageFlags::UNIFORM_BUFFER
            | vk::BufferUsageFlags::INDIRECT_BUFFER
            | vk::BufferUsageFlags::TRANSFER_SRC
            | vk::BufferUsageFlags::SHADER_DEVICE_ADDRESS;
        if gpu.support.traces_rays() {
            usage |= vk::BufferUsageFlags::ACCELERATION_STRUCTURE_BUILD_INPUT_READ_ONLY_KHR;
        }
        let mut buffer = Self::make(gpu, bytes, usage, MemoryUse::Mapped, ADDRESS_ALIGNMENT)?;
        let base = buffer.find_address(ADDRESS_ALIGNMENT);
        let limits = &gpu.raw_limits;
        let offset_alignment =
            limits.min_storage_buffer_offset_alignment.max(limits.min_uniform_buffer_offset_alignment);
        if !buffer.start.is_multiple_of(offset_alignment.max(4)) {
            return Err(DeviceError::new(format!(
                "the driver aligns buffers to {} bytes, but addresses must be multiples of {ADDRESS_ALIGNMENT}",
                1u64 << base.trailing_zeros()
            )));
        }
        buffer.zero();
        Ok(buffer)
    }

    /// Creates memory for an acceleration structure.
    pub fn storage_of_structure(gpu: &Rc<Gpu>, bytes: u64) -> Result<Self> {
        let usage =
            vk::BufferUsageFlags::ACCELERATION_STRUCTURE_STORAGE_KHR | vk::BufferUsageFlags::SHADER_DEVICE_ADDRESS;
        Self::make(gpu, bytes, usage, MemoryUse::Device, 0)
    }

    /// Creates memory for shaders or the driver alone, at an address that is a multiple of `alignment`.
    pub fn of_device(gpu: &Rc<Gpu>, bytes: u64, usage: vk::BufferUsageFlags, alignment: u64) -> Result<Self> {
        let usage = usage | vk::BufferUsageFlags::SHADER_DEVICE_ADDRESS;
        let mut buffer = Self::make(gpu, bytes, usage, MemoryUse::Device, alignment)?;
        buffer.find_address(alignment);
        Ok(buffer)
    }

    /// Sets the start of the contents to the first address in the Vulkan buffer that is a multiple of `alignment`.
    /// Returns the address of the Vulkan buffer itself.
    fn find_address(&mut self, alignment: u64) -> u64 {
        // SAFETY: the buffer has an address by its usage, and memory is bound to it.
        let base = unsafe {
            self.gpu.device.get_buffer_device_address(&vk::BufferDeviceAddressInfo::builder().buffer(self.handle))
        };
        self.start = base.next_multiple_of(alignment) - base;
        self.address = base + self.start;
        base
    }

    /// Creates a buffer for copies from and to images.
    pub fn staging(gpu: &Rc<Gpu>, bytes: u64) -> Result<Self> {
        let usage = vk::BufferUsageFlags::TRANSFER_SRC | vk::BufferUsageFlags::TRANSFER_DST;
        Self::make(gpu, bytes, usage, MemoryUse::Staging, 0)
    }

    fn make(gpu: &Rc<Gpu>, bytes: u64, usage: vk::BufferUsageFlags, purpose: MemoryUse, spare: u64) -> Result<Self> {
        let size = bytes
            .max(4)
            .checked_next_multiple_of(4)
            .and_then(|size| size.checked_add(spare))
            .ok_or_else(|| DeviceError::new(format!("a buffer of {bytes} bytes is too large")))?;
        let info = vk::BufferCreateInfo::builder().size(size).usage(usage).sharing_mode(vk::SharingMode::EXCLUSIVE);
        // SAFETY: the structure is complete; the features for its usage are required ones.
        let handle = unsafe { gpu.device.create_buffer(&info, None) }
            .map_err(failed(&format!("create a buffer of {bytes} bytes")))?;
        let unbound = Unbound { gpu, handle };
        // SAFETY: the buffer is alive.
        let need = unsafe { gpu.device.get_buffer_memory_requirements(handle) };
        let addressed = usage.contains(vk::BufferUsageFlags::SHADER_DEVICE_ADDRESS);
        let memory = Memory::new(gpu, need, purpose, addressed)?;
        // SAFETY: the memory is large enough and of a type that the buffer allows; no other memory is bound.
        unsafe { gpu.device.bind_buffer_memory(handle, memory.handle, 0) }
            .map_err(failed("bind the memory of a buffer"))?;
        std::mem::forget(unbound);
        Ok(Self { gpu: gpu.clone(), handle, memory, bytes, start: 0, address: 0 })
    }

    pub fn address(&self) -> u64 {
        self.address
    }

    /// Returns the bytes that a descriptor covers: the size rounded up to words, and never 0.
    pub fn range(&self) -> u64 {
        self.bytes.max(4).next_multiple_of(4)
    }

    /// Returns the host's pointer to byte `offset`, after checking that `length` bytes from there are inside.
    fn span(&self, offset: u64, length: usize) -> Result<*mut u8> {
        let end = offset.checked_add(length as u64).filter(|&end| end <= self.bytes);
        match (end, self.memory.mapped, usize::try_from(self.start + offset)) {
            (None, ..) => Err(DeviceError::new(format!(
                "{length} bytes at offset {offset} exceed a buffer of {} bytes",
                self.bytes
            ))),
            (Some(_), Some(base), Ok(at)) => Ok(base.as_ptr().wrapping_add(at)),
            _ => Err(DeviceError::new("the host cannot access this buffer")),
        }
    }

    pub fn write(&mut self, offset: u64, data: &[u8]) -> Result<()> {
        let target = self.span(offset, data.len())?;
        // SAFETY: the span is inside the mapping, which no reference aliases; no submission runs now.
        unsafe { std::ptr::copy_nonoverlapping(data.as_ptr(), target, data.len()) };
        Ok(())
    }

    pub fn read(&self, offset: u64, data: &mut [u8]) -> Result<()> {
        let source = self.span(offset, data.len())?;
        // SAFETY: as in `write`; the memory is coherent, and the last submission made its writes visible to the host.
        unsafe { std::ptr::copy_nonoverlapping(source, data.as_mut_ptr(), data.len()) };
        Ok(())
    }

    /// Returns whether large reads are faster through a copy into memory that the host caches.
    pub fn reads_slowly(&self) -> bool {
        !self.memory.cached
    }

    /// Checks that these bytes are inside the buffer.
    pub fn check_copy(&self, offset: u64, length: usize) -> Result<()> {
        self.span(offset, length).map(|_| ())
    }

    /// Records a copy that [`Buffer::check_copy`] has accepted, of `length` bytes to the start of `target`.
    pub fn record_copy(&self, commands: vk::CommandBuffer, offset: u64, target: &Buffer, length: usize) {
        let region = vk::BufferCopy::builder().src_offset(self.start + offset).size(length as u64);
        // SAFETY: the command buffer is being recorded, and both buffers live until the submission has been waited for.
        // The caller has checked that the bytes are inside both.
        unsafe { self.gpu.device.cmd_copy_buffer(commands, self.handle, target.handle, &[region]) };
    }

    fn zero(&mut self) {
        // The padding to whole words is visible through a descriptor, so it is zeroed too.
        let (Some(base), Ok(start), Ok(length)) =
            (self.memory.mapped, usize::try_from(self.start), usize::try_from(self.range()))
        else {
            return;
        };
        // SAFETY: `make` allocated `range` bytes and the alignment's spare after the start of the mapping.
        unsafe { std::ptr::write_bytes(base.as_ptr().add(start), 0, length) };
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        // SAFETY: submissions are waited for; the memory is freed after this, with the field.
        unsafe { self.gpu.device.destroy_buffer(self.handle, None) };
    }
}
