//! Image operations: loads, samples, queries. An access has many operands, most of them absent. They are in boxed
//! descriptions, which keeps [`Op`](crate::Op) small.
//!
//! A *sparse* access returns a structure of two fields. The first is a residency code (u32), which only `Op::Resident`
//! reads. The second is the ordinary result.

use crate::function::ValueId;

/// A read of a texel at integer coordinates. The result is the declared texel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImageLoad {
    pub image: ValueId,
    /// Coordinates: `typing::coord_components` 32-bit integers.
    pub coord: ValueId,
    /// Mip level, a 32-bit integer; 0 if absent. Only for sampled images with levels.
    pub level: Option<ValueId>,
    /// Sample index, a 32-bit integer; required for multisampled images and only there.
    pub sample: Option<ValueId>,
    pub sparse: bool,
}

/// A filtered read through a sampler. Coordinates, levels and references are 32-bit floats.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImageSample {
    pub image: ValueId,
    pub sampler: ValueId,
    /// Normalised coordinates; the unnormalised layer of an array comes last.
    pub coord: ValueId,
    pub result: SampleResult,
    pub lod: Lod,
    pub offset: TexelOffset,
    /// The lowest level that may be read.
    pub min_lod: Option<ValueId>,
    pub sparse: bool,
}

/// The result of a sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SampleResult {
    /// The filtered texel, as declared.
    Texel,
    /// The filtered comparisons of texels with a reference (f32).
    Compared(ValueId),
    /// This component of the four texels of a bilinear footprint, in the order of `OpImageGather`.
    Gathered(u8),
    /// The comparisons of those four texels (f32x4).
    GatherCompared(ValueId),
}

/// The choice of the mip level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lod {
    /// From the coordinate's derivatives in a quad, in functions where derivatives are available. A gather uses none.
    Implicit,
    /// The implicit level plus this bias.
    Bias(ValueId),
    Level(ValueId),
    /// From these derivatives of the coordinate (without layer) in x and y.
    Gradient(ValueId, ValueId),
}

/// The offsets that Vulkan guarantees for samples, on each axis (`minTexelOffset`, `maxTexelOffset`).
pub const SAMPLE_OFFSETS: std::ops::RangeInclusive<i32> = -8..=7;

/// Whole texels added to the coordinates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TexelOffset {
    None,
    /// One vector of i32. Targets accept variables for gathers only. For other samples it must be a constant after
    /// inlining and loop unrolling, or the module cannot be emitted.
    One(ValueId),
    /// A constant for each texel of a gather. Texel n is the last (`i0 j0`) of the footprint at offset n.
    Four([ValueId; 4]),
}

/// A query about an image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ImageQuery {
    /// Texels on each axis, then layers: u32 or a vector of them. The level is for sampled images with levels, 0 if
    /// absent.
    Size(Option<ValueId>),
    /// Number of mip levels, u32.
    Levels,
    /// Number of samples per texel, u32.
    Samples,
    /// Levels that an implicit sample at `coord` (without layer) would use: f32x2, first the level clamped by the
    /// sampler.
    Lod { sampler: ValueId, coord: ValueId },
}

impl ImageLoad {
    /// Creates a load of level 0.
    pub fn new(image: ValueId, coord: ValueId) -> ImageLoad {
        ImageLoad { image, coord, level: None, sample: None, sparse: false }
    }

    /// Calls `f` with every operand, in order.
    pub(crate) fn for_each_operand(&self, mut f: impl FnMut(&ValueId)) {
        // The list for changes is the only one. A copy of these few words keeps both in step.
        self.clone().for_each_operand_mut(|id| f(id));
    }

    pub(crate) fn for_each_operand_mut(&mut self, mut f: impl FnMut(&mut ValueId)) {
        f(&mut self.image);
        f(&mut self.coord);
        self.level.iter_mut().chain(&mut self.sample).for_each(f);
    }
}

impl ImageSample {
    /// Returns whether the level depends on derivatives across a quad.
    pub fn needs_derivatives(&self) -> bool {
        let filters = matches!(self.result, SampleResult::Texel | SampleResult::Compared(_));
        filters && matches!(self.lod, Lod::Implicit | Lod::Bias(_))
    }

    /// Calls `f` with every operand, in order.
    pub(crate) fn for_each_operand(&self, mut f: impl FnMut(&ValueId)) {
        // The list for changes is the only one. A copy of these few words keeps both in step.
        self.clone().for_each_operand_mut(|id| f(id));
    }

    pub(crate) fn for_each_operand_mut(&mut self, mut f: impl FnMut(&mut ValueId)) {
        f(&mut self.image);
        f(&mut self.sampler);
        f(&mut self.coord);
        match &mut self.result {
            SampleResult::Texel | SampleResult::Gathered(_) => {}
            SampleResult::Compared(reference) | SampleResult::GatherCompared(reference) => f(reference),
        }
        match &mut self.lod {
            Lod::Implicit => {}
            Lod::Bias(value) | Lod::Level(value) => f(value),
            Lod::Gradient(x, y) => {
                f(x);
                f(y);
            }
        }
        match &mut self.offset {
            TexelOffset::None => {}
            TexelOffset::One(value) => f(value),
            TexelOffset::Four(values) => values.iter_mut().for_each(&mut f),
        }
        self.min_lod.iter_mut().for_each(f);
    }
}

impl ImageQuery {
    /// Calls `f` with every operand, in order.
    pub(crate) fn for_each_operand(&self, mut f: impl FnMut(&ValueId)) {
        // The list for changes is the only one. A copy of these few words keeps both in step.
        self.clone().for_each_operand_mut(|id| f(id));
    }

    pub(crate) fn for_each_operand_mut(&mut self, mut f: impl FnMut(&mut ValueId)) {
        match self {
            ImageQuery::Size(level) => level.iter_mut().for_each(f),
            ImageQuery::Levels | ImageQuery::Samples => {}
            ImageQuery::Lod { sampler, coord } => {
                f(sampler);
                f(coord);
            }
        }
    }
}

/// Formats of storage images, with their words in the source and in the text form.
macro_rules! formats {
    ($($name:ident = $word:literal,)*) => {
        /// The declared format of a storage image's texels in memory.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum TexelFormat {
            $($name,)*
        }

        impl TexelFormat {
            /// All formats, with their names in `[[vk::image_format("..")]]`.
            pub const ALL: &'static [(TexelFormat, &'static str)] = &[$((TexelFormat::$name, $word),)*];
        }
    };
}

formats! {
    Unknown = "unknown",
    Rgba32f = "rgba32f", Rgba16f = "rgba16f", R32f = "r32f", Rgba8 = "rgba8", Rgba8Snorm = "rgba8snorm",
    Rg32f = "rg32f", Rg16f = "rg16f", R11fG11fB10f = "r11g11b10f", R16f = "r16f", Rgba16 = "rgba16",
    Rgb10A2 = "rgb10a2", Rg16 = "rg16", Rg8 = "rg8", R16 = "r16", R8 = "r8", Rgba16Snorm = "rgba16snorm",
    Rg16Snorm = "rg16snorm", Rg8Snorm = "rg8snorm", R16Snorm = "r16snorm", R8Snorm = "r8snorm",
    Rgba32i = "rgba32i", Rgba16i = "rgba16i", Rgba8i = "rgba8i", R32i = "r32i", Rg32i = "rg32i", Rg16i = "rg16i",
    Rg8i = "rg8i", R16i = "r16i", R8i = "r8i", Rgba32ui = "rgba32ui", Rgba16ui = "rgba16ui", Rgba8ui = "rgba8ui",
    R32ui = "r32ui", Rgb10A2ui = "rgb10a2ui", Rg32ui = "rg32ui", Rg16ui = "rg16ui", Rg8ui = "rg8ui", R16ui = "r16ui",
    R8ui = "r8ui", R64ui = "r64ui", R64i = "r64i",
}

impl TexelFormat {
    pub fn name(self) -> &'static str {
        TexelFormat::ALL.iter().find(|row| row.0 == self).map_or("", |row| row.1)
    }

    pub fn from_name(name: &str) -> Option<TexelFormat> {
        TexelFormat::ALL.iter().find(|row| row.1 == name).map(|row| row.0)
    }
}

/// Returns whether a workgroup of this size has quads of threads for derivatives: squares, or four in a row.
pub fn has_quads(size: [u32; 3]) -> bool {
    quad_shape(size).is_some()
}

/// The threads of a workgroup that form a quad.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QuadShape {
    /// Two by two in X and Y.
    Square,
    /// Four with consecutive indexes.
    Row,
}

/// Returns the shape of quads. HLSL Shader Model 6.6, "Derivatives": X and Y even, or one row of a multiple of 4.
pub fn quad_shape(size: [u32; 3]) -> Option<QuadShape> {
    match size {
        [x, y, _] if x % 2 == 0 && y % 2 == 0 => Some(QuadShape::Square),
        [x, 1, 1] if x % 4 == 0 => Some(QuadShape::Row),
        _ => None,
    }
}
