//! What a compute device can do: the interface between host loops and devices.
//!
//! Memory is device-local in effect: the host reads and writes it only between [`Device::submit`] calls, each of which
//! returns when its commands have finished. There is one queue. It is not a general graphics interface: what an
//! emulated graph or a compute shader does not need is absent.

use std::fmt;

/// A failure of the device or of its use, in words for the user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeviceError {
    pub message: String,
}

impl DeviceError {
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into() }
    }
}

impl fmt::Display for DeviceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for DeviceError {}

pub type Result<T> = std::result::Result<T, DeviceError>;

/// Something that a run revealed about a shader, such as an access outside a buffer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// `WG` and four digits.
    pub code: String,
    pub message: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BufferId(pub u32);
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ImageId(pub u32);
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SamplerId(pub u32);
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PipelineId(pub u32);
/// A set of resources that dispatches bind together, all descriptor sets at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BindingsId(pub u32);

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Workgroups per dispatch, by axis.
    pub max_groups: [u32; 3],
    pub max_group_threads: u32,
    pub max_group_shared_bytes: u32,
    pub subgroup_size: u32,
    /// Whether 64-bit atomics on buffers work.
    pub int64_atomics: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ImageDesc {
    pub format: ImageFormat,
    /// Width, height, depth in texels; unused axes are 1.
    pub size: [u32; 3],
    /// 1, 2 or 3.
    pub dimensions: u32,
}

/// Texel formats, by Vulkan's names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ImageFormat {
    R8Unorm,
    Rgba8Unorm,
    R32Uint,
    R32Sint,
    R32Float,
    Rg32Float,
    Rgba16Float,
    Rgba32Float,
    Rgba32Uint,
}

/// One resource of a [`BindingsId`]. Arrays of resources have one element per array index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResourceBinding {
    pub set: u32,
    pub binding: u32,
    pub resources: Resources,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Resources {
    StorageBuffers(Vec<BufferId>),
    UniformBuffers(Vec<BufferId>),
    StorageImages(Vec<ImageId>),
    SampledImages(Vec<ImageId>),
    Samplers(Vec<SamplerId>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Filter {
    Nearest,
    Linear,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AddressMode {
    Wrap,
    Mirror,
    Clamp,
    Border,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    Dispatch {
        pipeline: PipelineId,
        bindings: Option<BindingsId>,
        push: Vec<u8>,
        groups: [u32; 3],
        label: String,
    },
    /// Three u32 group counts at `offset` (a multiple of 4) of `args`, read when the command runs.
    DispatchIndirect {
        pipeline: PipelineId,
        bindings: Option<BindingsId>,
        push: Vec<u8>,
        args: BufferId,
        offset: u64,
        label: String,
    },
    /// Everything before is finished and visible to everything after, indirect arguments and host reads included.
    Barrier,
}

pub trait Device {
    /// As `wgc devices` lists it.
    fn name(&self) -> String;
    fn limits(&self) -> &Limits;

    /// A zeroed buffer, for storage, uniform, indirect and address use alike.
    fn create_buffer(&mut self, bytes: u64) -> Result<BufferId>;
    /// Its 64-bit device address, a multiple of 256.
    fn buffer_address(&self, buffer: BufferId) -> u64;
    fn write_buffer(&mut self, buffer: BufferId, offset: u64, data: &[u8]) -> Result<()>;
    fn read_buffer(&mut self, buffer: BufferId, offset: u64, data: &mut [u8]) -> Result<()>;
    fn destroy_buffer(&mut self, buffer: BufferId);

    /// A zeroed image for storage and sampled use.
    fn create_image(&mut self, desc: ImageDesc) -> Result<ImageId>;
    /// Tightly packed texels in the image's format, x fastest.
    fn write_image(&mut self, image: ImageId, texels: &[u8]) -> Result<()>;
    fn read_image(&mut self, image: ImageId) -> Result<Vec<u8>>;
    fn create_sampler(&mut self, filter: Filter, address: AddressMode) -> Result<SamplerId>;

    /// What later dispatches bind.
    fn create_bindings(&mut self, bindings: &[ResourceBinding]) -> Result<BindingsId>;
    /// A compute pipeline of entry point `entry`, with the layout of `layout` and `push_bytes` bytes of push constants.
    fn create_pipeline(
        &mut self,
        words: &[u32],
        entry: &str,
        layout: Option<BindingsId>,
        push_bytes: u32,
    ) -> Result<PipelineId>;

    /// Runs the commands in order and waits for them. Nothing is ordered between two dispatches without a barrier.
    fn submit(&mut self, commands: &[Command]) -> Result<()>;

    /// What the shaders did that nothing defines, each finding once; `None` when the device does not look.
    fn take_findings(&mut self) -> Option<Vec<Finding>> {
        None
    }
}

impl ImageFormat {
    pub const ALL: [(ImageFormat, &'static str, u32); 9] = [
        (ImageFormat::R8Unorm, "r8_unorm", 1),
        (ImageFormat::Rgba8Unorm, "rgba8_unorm", 4),
        (ImageFormat::R32Uint, "r32_uint", 4),
        (ImageFormat::R32Sint, "r32_sint", 4),
        (ImageFormat::R32Float, "r32_sfloat", 4),
        (ImageFormat::Rg32Float, "rg32_sfloat", 8),
        (ImageFormat::Rgba16Float, "rgba16_sfloat", 8),
        (ImageFormat::Rgba32Float, "rgba32_sfloat", 16),
        (ImageFormat::Rgba32Uint, "rgba32_uint", 16),
    ];

    /// Name in run files.
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|r| r.0 == self).map_or("", |r| r.1)
    }

    /// Bytes of a texel.
    pub fn texel_bytes(self) -> u32 {
        Self::ALL.iter().find(|r| r.0 == self).map_or(0, |r| r.2)
    }

    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|r| r.1 == name).map(|r| r.0)
    }
}
