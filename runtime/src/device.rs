//! What a compute device can do: the interface between host loops and devices.
//!
//! Memory is device-local in effect: the host reads and writes it only between [`Device::submit`] calls, each of which
//! returns when its commands have finished. There is one queue. It is not a general graphics interface: what an
//! emulated graph or a compute shader does not need is absent. Mesh shaders run, as dispatches of their workgroups, and
//! what they put out is rasterised by nobody.

use crate::mesh::{MeshShape, Meshes};
use crate::scene::SceneDesc;
use std::fmt;
use std::sync::Arc;

/// A failure of the device or of its use, in words for the user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeviceError {
    pub message: String,
    pub cause: Cause,
}

/// What a host can do about an error.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Cause {
    #[default]
    Other,
    /// Memory is short: the device is as it was, and may do with less.
    Memory,
    /// What was to be shown of a run cannot be written.
    Output,
    /// The device is lost, with all that it has: another one has to be opened.
    Lost,
}

impl DeviceError {
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), cause: Cause::Other }
    }

    /// Memory is short.
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
pub struct AccelerationStructureId(pub u32);
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
    /// The same of mesh shaders; 0 where there are none.
    pub max_mesh_threads: u32,
    pub max_group_shared_bytes: u32,
    pub subgroups: SubgroupSizes,
    /// Whether 64-bit atomics on buffers work.
    pub int64_atomics: bool,
}

/// Lanes of the subgroups of a device. All sizes are powers of two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SubgroupSizes {
    /// Of pipelines that ask for none.
    pub default: u32,
    /// What compute shaders may ask for, if they may.
    pub compute: Option<Asked>,
    /// What mesh shaders may ask for, if they may.
    pub meshes: Option<Asked>,
}

/// Sizes that a pipeline may ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Asked {
    pub least: u32,
    pub most: u32,
    /// Subgroups of a workgroup of such a pipeline, at most.
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
    /// The same of an entry point.
    pub fn of(self, entry: &str) -> DeviceError {
        DeviceError::new(format!("`{entry}` is for {}, and those of the device have {}", self.wanted, self.has))
    }
}

impl SubgroupSizes {
    /// The same lanes whatever a pipeline asks for.
    pub fn only(lanes: u32) -> Self {
        Self { default: lanes, compute: None, meshes: None }
    }

    /// The size that the pipeline of a shader asks for (none: what it has by itself is right), with workgroups of so many
    /// threads and `WaveSize` of [least, largest, preferred] (a largest of 0 is the least, a preferred of 0 none): the
    /// preferred size if there is such a one, then the default, then what is nearest to that (hlsl-specs, 0013-wave-size-range).
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
        let Asked { least, most, .. } = asked;
        let has = || if least == most { least.to_string() } else { format!("{least} to {most}") };
        sizes.min_by_key(by_nearness).map(Some).ok_or_else(|| refused(has()))
    }
}

pub use crate::descriptor::{Descriptor, ResourceBinding, Resources};
pub use crate::format::ImageFormat;

/// What an image is. Texels that hosts write and read are tightly packed: level by level, in each layer by layer, slice
/// by slice, row by row, x fastest; the samples of a texel lie together.
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
    /// A plain image with an extent for each dimension.
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

    /// Texels on each axis of a level.
    pub fn level_size(&self, level: u32) -> [u32; 3] {
        self.size.map(|extent| extent.checked_shr(level).unwrap_or(0).max(1))
    }

    /// Texels of one layer of a level.
    pub fn level_texels(&self, level: u32) -> u64 {
        self.level_size(level).iter().map(|&extent| u64::from(extent)).product()
    }

    /// Bytes of all texels; `None` when they do not fit 64 bits.
    pub fn bytes(&self) -> Option<u64> {
        let mut texels = 0u64;
        for level in 0..self.levels {
            let [width, height, depth] = self.level_size(level).map(u64::from);
            texels = texels.checked_add(width.checked_mul(height)?.checked_mul(depth)?)?;
        }
        let each = u64::from(self.layers) * u64::from(self.samples) * u64::from(self.format.texel_bytes());
        texels.checked_mul(each)
    }

    /// Level 0 as a picture: slices and layers below each other.
    pub fn picture_size(&self) -> [u32; 3] {
        let [width, height, depth] = self.size;
        [width.saturating_mul(self.samples), height, depth.saturating_mul(self.layers)]
    }

    /// The texels of that picture, of all.
    pub fn picture_texels<'t>(&self, texels: &'t [u8]) -> &'t [u8] {
        let bytes = ImageDesc { levels: 1, ..*self }.bytes().and_then(|bytes| usize::try_from(bytes).ok());
        bytes.and_then(|bytes| texels.get(..bytes)).unwrap_or(texels)
    }

    /// # Errors
    /// What no device has, in words.
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
            return Err(format!("an image has 1, 2, 4 .. 64 samples, not {}", self.samples));
        }
        if self.samples > 1 && (used != 2 || self.levels > 1 || self.cube) {
            return Err("an image of several samples has two dimensions and one level".to_owned());
        }
        if self.cube && (used != 2 || self.size[0] != self.size[1] || !self.layers.is_multiple_of(6)) {
            return Err("the faces of a cube are six layers, as wide as high".to_owned());
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

/// How an image is sampled.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SamplerDesc {
    pub magnify: Filter,
    pub minify: Filter,
    /// Between levels.
    pub mips: Filter,
    /// On each axis.
    pub address: [AddressMode; 3],
    /// Components of the border: 1 where true, else 0. Devices have `0000`, `0001` and `1111`.
    pub border: [bool; 4],
    /// Of comparison samplers.
    pub compare: Option<CompareOp>,
    /// Added to every level.
    pub bias: f32,
    pub min_lod: f32,
    pub max_lod: f32,
}

impl SamplerDesc {
    /// One filter and one address mode throughout.
    pub fn new(filter: Filter, address: AddressMode) -> Self {
        Self { magnify: filter, minify: filter, mips: filter, address: [address; 3], ..Self::default() }
    }
}

impl Default for SamplerDesc {
    /// Nearest texels, clamped.
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

/// What a device measures its work in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clock {
    Nanoseconds,
    /// Executed ones, each once for all lanes that execute it together: the same in every run.
    Instructions,
}

pub trait Device {
    /// As `wgc devices` lists it.
    fn name(&self) -> String;
    fn limits(&self) -> &Limits;
    /// Whether it has a feature beyond what every emulated graph needs, by Vulkan's name of it.
    fn offers(&self, feature: &str) -> bool;

    /// A zeroed buffer, for storage, uniform, indirect and address use alike.
    fn create_buffer(&mut self, bytes: u64) -> Result<BufferId>;
    /// Its 64-bit device address, a multiple of 256.
    fn buffer_address(&self, buffer: BufferId) -> u64;
    fn write_buffer(&mut self, buffer: BufferId, offset: u64, data: &[u8]) -> Result<()>;
    fn read_buffer(&mut self, buffer: BufferId, offset: u64, data: &mut [u8]) -> Result<()>;
    fn destroy_buffer(&mut self, buffer: BufferId);
    /// What messages and tools may call a buffer.
    fn name_buffer(&mut self, _buffer: BufferId, _name: &str) {}
    /// Nobody relies on what the buffer holds: that threads have nothing that orders their accesses to it is no mistake.
    fn disregard(&mut self, _buffer: BufferId) {}
    /// Whether [`Device::forget`] has an effect: hosts may leave out what they do for it alone.
    fn knows_the_undefined(&self) -> bool {
        false
    }
    /// Nobody may rely any more on what these bytes of a buffer hold: reads of them are mistakes until they are written.
    fn forget(&mut self, _buffer: BufferId, _offset: u64, _bytes: u64) -> Result<()> {
        Ok(())
    }

    /// A zeroed image for storage and sampled use; of a depth format for sampled use.
    fn create_image(&mut self, desc: ImageDesc) -> Result<ImageId>;
    /// All texels, in the order that [`ImageDesc`] says.
    fn write_image(&mut self, image: ImageId, texels: &[u8]) -> Result<()>;
    fn read_image(&mut self, image: ImageId) -> Result<Vec<u8>>;
    fn create_sampler(&mut self, desc: SamplerDesc) -> Result<SamplerId>;

    /// A scene for ray queries, ready for use.
    fn create_acceleration_structure(&mut self, desc: &SceneDesc) -> Result<AccelerationStructureId>;

    /// What later dispatches bind.
    fn create_bindings(&mut self, bindings: &[ResourceBinding]) -> Result<BindingsId>;
    /// A pipeline of entry point `entry`, a compute or mesh shader, with the layout of `layout`, `push_bytes` bytes of push
    /// constants, and `WaveSize` as [`SubgroupSizes::choose`] takes it.
    fn create_pipeline(
        &mut self,
        words: &[u32],
        entry: &str,
        layout: Option<BindingsId>,
        push_bytes: u32,
        wave_size: Option<[u32; 3]>,
    ) -> Result<PipelineId>;

    /// Runs the commands in order and waits for them. Nothing is ordered between two dispatches without a barrier.
    fn submit(&mut self, commands: &[Command]) -> Result<()>;

    /// What [`Device::submit_measured`] tells; `None`: the device has no clock.
    fn clock(&self) -> Option<Clock> {
        None
    }

    /// As [`Device::submit`]: when the first command could begin, and for each when it and all before it had finished.
    /// Only the differences mean something.
    fn submit_measured(&mut self, _commands: &[Command]) -> Result<Vec<u64>> {
        Err(DeviceError::new(format!("{} has no clock", self.name())))
    }

    /// What each dispatch of a mesh shader has put out since it was asked last, in order; `None` where the device does not
    /// tell. The groups are all that ran.
    fn take_meshes(&mut self) -> Option<Vec<Meshes>> {
        None
    }

    /// What the meshes of a mesh shader are made of, where the device tells what they put out.
    fn mesh_shape(&self, _words: &[u32], _entry: &str) -> Option<Arc<MeshShape>> {
        None
    }

    /// What the shaders printed since it was asked last, in order; `None` where the device leaves it to tools.
    fn take_messages(&mut self) -> Option<Vec<String>> {
        None
    }

    /// What the shaders did that nothing defines, each finding once; `None` when the device does not look.
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
    fn a_wave_size_is_asked_for_where_a_device_takes_requests() {
        let only = SubgroupSizes::only(64);
        assert_eq!(chosen(only, [64, 0, 0], 64), Ok(None));
        assert_eq!(chosen(only, [16, 128, 32], 64), Ok(None));
        assert_eq!(chosen(only, [32, 0, 0], 64), Err("subgroups of 32 lanes; 64".to_owned()));
        assert_eq!(chosen(only, [4, 32, 0], 64), Err("subgroups of 4 to 32 lanes; 64".to_owned()));
        // As those of AMD are: 32 or 64, by itself 64.
        let both = SubgroupSizes { compute: Some(Asked { least: 32, most: 64, most_subgroups: 16 }), ..only };
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
        // What mesh shaders may ask for is another matter.
        assert_eq!(both.choose([64, 0, 0], 64, true), Ok(None));
        assert!(both.choose([32, 0, 0], 64, true).is_err());
        // By itself 32 of 8 to 32: what is nearest to it.
        let nearest = SubgroupSizes {
            default: 32,
            compute: Some(Asked { least: 8, most: 32, most_subgroups: 64 }),
            meshes: None,
        };
        assert_eq!(chosen(nearest, [4, 16, 0], 64), Ok(Some(16)));
    }
}
