//! The interface between host loops and compute devices.
//!
//! Memory is device-local in effect: the host reads and writes it only between [`Device::submit`] calls. Each call
//! returns when its commands have finished. There is one queue. This is not a general graphics interface: it lacks
//! everything that emulated graphs and compute shaders do not need. Mesh shaders run as dispatches of their workgroups;
//! their output is not rasterised.

use crate::mesh::{MeshShape, Meshes};
use crate::scene::SceneDesc;
use std::fmt;
use std::sync::Arc;

/// A failure of the device or of its use, described for the user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeviceError {
    pub message: String,
    pub cause: Cause,
}

/// The cause of an error, by the possible reactions of a host.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Cause {
    #[default]
    Other,
    /// Memory is insufficient: the device is unchanged, and a smaller request may succeed.
    Memory,
    /// Output of a run cannot be written.
    Output,
    /// The device is lost, with all its objects: a new one has to be opened.
    Lost,
}

impl DeviceError {
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), cause: Cause::Other }
    }

    /// Creates an error about insufficient memory.
    pub fn memory(message: impl Into<String>) -> Self {
        Self { message: message.into(), cause: Cause::Memory }
    }
}

impl fmt::Display for DeviceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for DeviceError {}

pub type Result<T> = std::result::Result<T, DeviceError>;

/// A problem that a run revealed in a shader, such as an access outside a buffer.
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
pub struct AccelerationStructureId(pub u32);
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PipelineId(pub u32);
/// A set of resources that dispatches bind together, for all descriptor sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BindingsId(pub u32);

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Workgroups per dispatch, by axis.
    pub max_groups: [u32; 3],
    pub max_group_threads: u32,
    /// The largest workgroup of mesh shaders, in threads; 0 if the device has none.
    pub max_mesh_threads: u32,
    pub max_group_shared_bytes: u32,
    pub subgroups: SubgroupSizes,
    /// Support for 64-bit atomics on buffers.
    pub int64_atomics: bool,
}

/// Lanes of the subgroups of a device. All sizes are powers of two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SubgroupSizes {
    /// The size for pipelines that request none.
    pub default: u32,
    /// The sizes that compute shaders may request; `None` if they may not.
    pub compute: Option<RequestableSizes>,
    /// The sizes that mesh shaders may request; `None` if they may not.
    pub meshes: Option<RequestableSizes>,
}

/// The sizes that a pipeline may request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RequestableSizes {
    pub least: u32,
    pub most: u32,
    /// The most subgroups in a workgroup of such a pipeline.
    pub most_subgroups: u32,
}

/// Why a device does not run a shader with `WaveSize`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OtherSubgroups {
    /// "subgroups of 32 lanes".
    pub wanted: String,
    /// "32", "4 to 64".
    pub has: String,
}

impl OtherSubgroups {
    /// Adds the name of an entry point to the error.
    pub fn of(self, entry: &str) -> DeviceError {
        DeviceError::new(format!("`{entry}` needs {}, but those of the device have {}", self.wanted, self.has))
    }
}

impl SubgroupSizes {
    /// Returns sizes in which every pipeline has this number of lanes, regardless of its request.
    pub fn only(lanes: u32) -> Self {
        Self { default: lanes, compute: None, meshes: None }
    }

    /// Chooses the size that a shader's pipeline requests, for workgroups of `threads` threads and `WaveSize` of
    /// [least, largest, preferred]. `None` means that the pipeline's size is right without a request. A largest size of
    /// 0 means the least one; a preferred size of 0 means none. The preferred size comes first, then the default, then
    /// the size nearest to the default (hlsl-specs, 0013-wave-size-range).
    ///
    /// # Errors
    /// There is none in the range.
    pub fn choose(
        &self,
        [least, largest, preferred]: [u32; 3],
        threads: u32,
        is_mesh: bool,
    ) -> std::result::Result<Option<u32>, OtherSubgroups> {
        let wanted = least..=largest.max(least);
        let refused = |has: String| {
            let (least, largest) = (wanted.start(), wanted.end());
            let range = if least == largest { least.to_string() } else { format!("{least} to {largest}") };
            OtherSubgroups { wanted: format!("subgroups of {range} lanes"), has }
        };
        let Some(asked) = (if is_mesh { self.meshes } else { self.compute }) else {
            return if wanted.contains(&self.default) { Ok(None) } else { Err(refused(self.default.to_string())) };
        };
        let fits = |lanes: &u32| {
            wanted.contains(lanes)
                && (asked.least..=asked.most).contains(lanes)
                && threads.div_ceil((*lanes).max(1)) <= asked.most_subgroups
        };
        let sizes = (0..32).map(|bit| 1u32 << bit).filter(fits);
        let by_nearness = |lanes: &u32| (*lanes != preferred, lanes.ilog2().abs_diff(self.default.max(1).ilog2()));
        let RequestableSizes { least, most, .. } = asked;
        let has = || if least == most { least.to_string() } else { format!("{least} to {most}") };
        sizes.min_by_key(by_nearness).map(Some).ok_or_else(|| refused(has()))
    }
}

pub use crate::descriptor::{Descriptor, ResourceBinding, Resources};
pub use crate::format::ImageFormat;

/// The description of an image. Hosts write and read texels tightly packed: by level, layer, slice and row, with x
/// fastest. The samples of a texel are adjacent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ImageDesc {
    pub format: ImageFormat,
    /// Width, height, depth of level 0 in texels; unused axes are 1.
    pub size: [u32; 3],
    /// 1, 2 or 3; a cube's faces have 2.
    pub dimensions: u32,
    /// Layers of all elements: 6 for each cube.
    pub layers: u32,
    /// Shaders see an array.
    pub arrayed: bool,
    pub cube: bool,
    /// Mip levels, each half as large as the one before, rounded down.
    pub levels: u32,
    /// 1, or a power of two for images of two dimensions and one level.
    pub samples: u32,
}

impl ImageDesc {
    /// Describes a plain image with an extent for each dimension.
    pub fn new(format: ImageFormat, size: &[u32]) -> Self {
        let extent = |axis: usize| size.get(axis).copied().unwrap_or(1);
        Self {
            format,
            size: [extent(0), extent(1), extent(2)],
            dimensions: size.len() as u32,
            layers: 1,
            arrayed: false,
            cube: false,
            levels: 1,
            samples: 1,
        }
    }

    /// Returns the texels on each axis of a level.
    pub fn level_size(&self, level: u32) -> [u32; 3] {
        self.size.map(|extent| extent.checked_shr(level).unwrap_or(0).max(1))
    }

    /// Returns the texels of one layer of a level.
    pub fn level_texels(&self, level: u32) -> u64 {
        self.level_size(level).iter().map(|&extent| u64::from(extent)).product()
    }

    /// Returns the bytes of all texels; `None` if they do not fit 64 bits.
    pub fn bytes(&self) -> Option<u64> {
        let mut texels = 0u64;
        for level in 0..self.levels {
            let [width, height, depth] = self.level_size(level).map(u64::from);
            texels = texels.checked_add(width.checked_mul(height)?.checked_mul(depth)?)?;
        }
        let each = u64::from(self.layers) * u64::from(self.samples) * u64::from(self.format.texel_bytes());
        texels.checked_mul(each)
    }

    /// Returns the size of level 0 as a picture: slices and layers are stacked vertically.
    pub fn picture_size(&self) -> [u32; 3] {
        let [width, height, depth] = self.size;
        [width.saturating_mul(self.samples), height, depth.saturating_mul(self.layers)]
    }

    /// Returns the texels of that picture, out of all texels.
    pub fn picture_texels<'t>(&self, texels: &'t [u8]) -> &'t [u8] {
        let bytes = ImageDesc { levels: 1, ..*self }.bytes().and_then(|bytes| usize::try_from(bytes).ok());
        bytes.and_then(|bytes| texels.get(..bytes)).unwrap_or(texels)
    }

    /// # Errors
    /// Checks for properties that no device supports, and describes the first one.
    pub fn check(&self) -> std::result::Result<(), String> {
        let used = self.dimensions as usize;
        let unused = self.size.iter().skip(used).any(|&extent| extent != 1);
        let largest = self.size.iter().copied().max().unwrap_or(1);
        if !(1..=3).contains(&used) || unused || self.size.contains(&0) || self.layers == 0 {
            return Err(format!("no image of {:?} texels in {used} dimensions and {} layers", self.size, self.layers));
        }
        if self.levels == 0 || self.levels > largest.ilog2() + 1 {
            return Err(format!("an image of {:?} texels has no {} levels", self.size, self.levels));
        }
        if !self.samples.is_power_of_two() || self.samples > 64 {
            return Err(format!("an image must have 1, 2, 4 .. 64 samples, not {}", self.samples));
        }
        if self.samples > 1 && (used != 2 || self.levels > 1 || self.cube) {
            return Err("an image with several samples must have two dimensions and one level".to_owned());
        }
        if self.cube && (used != 2 || self.size[0] != self.size[1] || !self.layers.is_multiple_of(6)) {
            return Err("a cube needs six square layers".to_owned());
        }
        if used == 3 && self.layers > 1 {
            return Err("a volume has no layers".to_owned());
        }
        Ok(())
    }
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
    /// Mirrored at 0, clamped beyond.
    MirrorOnce,
    Clamp,
    Border,
}

/// `reference OP texel`
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CompareOp {
    Never,
    Less,
    Equal,
    LessEqual,
    Greater,
    NotEqual,
    GreaterEqual,
    Always,
}

/// The description of a sampler.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SamplerDesc {
    pub magnify: Filter,
    pub minify: Filter,
    /// Between levels.
    pub mips: Filter,
    /// On each axis.
    pub address: [AddressMode; 3],
    /// Components of the border: 1 for true, else 0. Devices have `0000`, `0001` and `1111`.
    pub border: [bool; 4],
    /// The comparison of a comparison sampler.
    pub compare: Option<CompareOp>,
    /// Added to every level.
    pub bias: f32,
    pub min_lod: f32,
    pub max_lod: f32,
}

impl SamplerDesc {
    /// Describes a sampler with one filter and one address mode throughout.
    pub fn new(filter: Filter, address: AddressMode) -> Self {
        Self { magnify: filter, minify: filter, mips: filter, address: [address; 3], ..Self::default() }
    }
}

impl Default for SamplerDesc {
    /// Returns a sampler of nearest texels, clamped.
    fn default() -> Self {
        Self {
            magnify: Filter::Nearest,
            minify: Filter::Nearest,
            mips: Filter::Nearest,
            address: [AddressMode::Clamp; 3],
            border: [false; 4],
            compare: None,
            bias: 0.0,
            min_lod: 0.0,
            max_lod: 1000.0,
        }
    }
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

/// The unit in which a device measures its work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clock {
    Nanoseconds,
    /// Executed instructions, each once for all lanes that execute it together: the same in every run.
    Instructions,
}

pub trait Device {
    /// Returns the name that `wgc devices` lists.
    fn name(&self) -> String;
    fn limits(&self) -> &Limits;
    /// Returns whether the device has a feature, by its Vulkan name, beyond those that every emulated graph needs.
    fn offers(&self, feature: &str) -> bool;

    /// Creates a zeroed buffer, for storage, uniform, indirect and address use alike.
    fn create_buffer(&mut self, bytes: u64) -> Result<BufferId>;
    /// Its 64-bit device address, a multiple of 256.
    fn buffer_address(&self, buffer: BufferId) -> u64;
    fn write_buffer(&mut self, buffer: BufferId, offset: u64, data: &[u8]) -> Result<()>;
    fn read_buffer(&mut self, buffer: BufferId, offset: u64, data: &mut [u8]) -> Result<()>;
    fn destroy_buffer(&mut self, buffer: BufferId);
    /// Names a buffer for messages and tools.
    fn name_buffer(&mut self, _buffer: BufferId, _name: &str) {}
    /// Declares that nothing relies on the buffer's contents: unordered accesses to it are no errors.
    fn disregard(&mut self, _buffer: BufferId) {}
    /// Returns whether [`Device::forget`] has an effect; hosts may skip work that serves it alone.
    fn knows_the_undefined(&self) -> bool {
        false
    }
    /// Marks these bytes of a buffer as undefined: reads are errors until the bytes are written.
    fn forget(&mut self, _buffer: BufferId, _offset: u64, _bytes: u64) -> Result<()> {
        Ok(())
    }

    /// Returns whether the device is a GPU: barriers of a workgroup are fast.
    fn is_gpu(&self) -> bool {
        false
    }

    /// Creates a zeroed image for storage and sampled use; of a depth format for sampled use.
    fn create_image(&mut self, desc: ImageDesc) -> Result<ImageId>;
    /// Writes all texels, in the order of [`ImageDesc`].
    fn write_image(&mut self, image: ImageId, texels: &[u8]) -> Result<()>;
    fn read_image(&mut self, image: ImageId) -> Result<Vec<u8>>;
    fn create_sampler(&mut self, desc: SamplerDesc) -> Result<SamplerId>;

    /// Creates a scene for ray queries, ready for use.
    fn create_acceleration_structure(&mut self, desc: &SceneDesc) -> Result<AccelerationStructureId>;

    /// Creates a set of resources for later dispatches to bind.
    fn create_bindings(&mut self, bindings: &[ResourceBinding]) -> Result<BindingsId>;
    /// Creates a pipeline of entry point `entry`, a compute or mesh shader. It has the layout of `layout` and
    /// `push_bytes` bytes of push constants; `WaveSize` has the form that [`SubgroupSizes::choose`] accepts.
    fn create_pipeline(
        &mut self,
        words: &[u32],
        entry: &str,
        layout: Option<BindingsId>,
        push_bytes: u32,
        wave_size: Option<[u32; 3]>,
    ) -> Result<PipelineId>;

    /// Runs the commands in order and waits for them. Dispatches without a barrier between them are unordered.
    fn submit(&mut self, commands: &[Command]) -> Result<()>;

    /// Returns the clock of [`Device::submit_measured`]; `None` if the device has none.
    fn clock(&self) -> Option<Clock> {
        None
    }

    /// Submits like [`Device::submit`] and returns times: when the first command could begin, then when each command
    /// and all before it had finished. Only the differences are meaningful.
    fn submit_measured(&mut self, _commands: &[Command]) -> Result<Vec<u64>> {
        Err(DeviceError::new(format!("{} has no clock", self.name())))
    }

    /// Takes the output of each mesh shader dispatch since the last call, in order; `None` if the device does not
    /// record it. The groups are all that ran.
    fn take_meshes(&mut self) -> Option<Vec<Meshes>> {
        None
    }

    /// Returns the layout of a mesh shader's meshes, if the device records mesh output.
    fn mesh_shape(&self, _words: &[u32], _entry: &str) -> Option<Arc<MeshShape>> {
        None
    }

    /// Takes the messages that shaders printed since the last call, in order; `None` if the device leaves them to
    /// tools.
    fn take_messages(&mut self) -> Option<Vec<String>> {
        None
    }

    /// Takes the findings about undefined behaviour in shaders, each once; `None` if the device does not check.
    fn take_findings(&mut self) -> Option<Vec<Finding>> {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(sizes: SubgroupSizes, wanted: [u32; 3], threads: u32) -> std::result::Result<Option<u32>, String> {
        sizes.choose(wanted, threads, false).map_err(|OtherSubgroups { wanted, has }| format!("{wanted}; {has}"))
    }

    #[test]
    fn wave_sizes_are_requested_only_if_the_device_allows_it() {
        let only = SubgroupSizes::only(64);
        assert_eq!(chosen(only, [64, 0, 0], 64), Ok(None));
        assert_eq!(chosen(only, [16, 128, 32], 64), Ok(None));
        assert_eq!(chosen(only, [32, 0, 0], 64), Err("subgroups of 32 lanes; 64".to_owned()));
        assert_eq!(chosen(only, [4, 32, 0], 64), Err("subgroups of 4 to 32 lanes; 64".to_owned()));
        // AMD's sizes: 32 or 64, with a default of 64.
        let both =
            SubgroupSizes { compute: Some(RequestableSizes { least: 32, most: 64, most_subgroups: 16 }), ..only };
        assert_eq!(chosen(both, [32, 0, 0], 64), Ok(Some(32)));
        assert_eq!(chosen(both, [64, 0, 0], 64), Ok(Some(64)));
        assert_eq!(chosen(both, [4, 128, 32], 64), Ok(Some(32)));
        assert_eq!(chosen(both, [4, 128, 0], 64), Ok(Some(64)));
        assert_eq!(chosen(both, [4, 128, 8], 64), Ok(Some(64)));
        assert_eq!(chosen(both, [4, 32, 16], 64), Ok(Some(32)));
        assert_eq!(chosen(both, [16, 0, 0], 64), Err("subgroups of 16 lanes; 32 to 64".to_owned()));
        // 1,024 threads are more than 16 subgroups of 32.
        assert_eq!(chosen(both, [32, 64, 32], 1024), Ok(Some(64)));
        assert_eq!(chosen(both, [32, 0, 0], 1024), Err("subgroups of 32 lanes; 32 to 64".to_owned()));
        // Mesh shaders have limits of their own.
        assert_eq!(both.choose([64, 0, 0], 64, true), Ok(None));
        assert!(both.choose([32, 0, 0], 64, true).is_err());
        // The default is 32 of 8 to 32: the nearest size to it.
        let nearest = SubgroupSizes {
            default: 32,
            compute: Some(RequestableSizes { least: 8, most: 32, most_subgroups: 64 }),
            meshes: None,
        };
        assert_eq!(chosen(nearest, [4, 16, 0], 64), Ok(Some(16)));
    }
}
