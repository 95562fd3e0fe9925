//! The image objects of HLSL, and an image for each, with texels from a formula.

use crate::given::{Content, Given};
use crate::inputs::Numbers;
use wgc_runtime::device::{AddressMode, CompareOp, Filter, ImageDesc, ImageFormat, SamplerDesc};

/// A kind of image, as HLSL names it.
#[derive(Debug)]
pub struct Object {
    pub name: &'static str,
    /// Axes of a coordinate on one layer; for a cube, those of a face.
    pub axes: usize,
    pub arrayed: bool,
    pub cube: bool,
    pub samples: u32,
    pub storage: bool,
    pub buffer: bool,
}

const fn object(name: &'static str, axes: usize) -> Object {
    Object { name, axes, arrayed: false, cube: false, samples: 1, storage: false, buffer: false }
}

const OBJECTS: &[Object] = &[
    object("Texture1D", 1),
    Object { arrayed: true, ..object("Texture1DArray", 1) },
    object("Texture2D", 2),
    Object { arrayed: true, ..object("Texture2DArray", 2) },
    Object { samples: 4, ..object("Texture2DMS", 2) },
    Object { samples: 4, arrayed: true, ..object("Texture2DMSArray", 2) },
    object("Texture3D", 3),
    Object { cube: true, ..object("TextureCube", 2) },
    Object { cube: true, arrayed: true, ..object("TextureCubeArray", 2) },
    Object { buffer: true, ..object("Buffer", 1) },
    Object { storage: true, ..object("RWTexture1D", 1) },
    Object { storage: true, arrayed: true, ..object("RWTexture1DArray", 1) },
    Object { storage: true, ..object("RWTexture2D", 2) },
    Object { storage: true, arrayed: true, ..object("RWTexture2DArray", 2) },
    Object { storage: true, samples: 4, ..object("RWTexture2DMS", 2) },
    Object { storage: true, samples: 4, arrayed: true, ..object("RWTexture2DMSArray", 2) },
    Object { storage: true, ..object("RWTexture3D", 3) },
    Object { storage: true, buffer: true, ..object("RWBuffer", 1) },
];

/// The format of texels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Texels {
    /// Four floats, whole numbers.
    Colours,
    /// A depth from 0 to 1.
    Depths,
    /// One unsigned number of 32 bits.
    Numbers,
}

/// An image that cases use.
#[derive(Clone, Copy, Debug)]
pub struct Image {
    pub object: &'static Object,
    pub texels: Texels,
}

/// A texel of an image. Layers count the faces of cubes.
#[derive(Clone, Copy, Debug, Default)]
pub struct At {
    pub texel: [i64; 3],
    pub layer: i64,
    pub level: i64,
    pub sample: i64,
}

impl Image {
    /// Creates the image of an object in the list's notation: `Texture2D<uint>` has numbers.
    pub fn new(name: &str, compared: bool) -> Image {
        let (name, argument) = name.split_once('<').unwrap_or((name, ""));
        let object = OBJECTS.iter().find(|o| o.name == name).unwrap_or_else(|| panic!("no object {name}"));
        let texels = match argument {
            "uint>" => Texels::Numbers,
            _ if compared => Texels::Depths,
            _ => Texels::Colours,
        };
        Image { object, texels }
    }

    /// Returns the name of the variable.
    pub fn name(&self) -> String {
        format!("{:?}_{}", self.texels, self.object.name)
    }

    /// Returns the texels on each axis of a level. Only extents of cubes are powers of two.
    pub fn size(&self, level: i64) -> [i64; 3] {
        let whole = match (self.object.cube, self.object.axes) {
            _ if self.object.buffer => [128, 1, 1],
            // One half is read, the other written, texel by texel of 64 threads.
            _ if self.object.storage => [128, [1, 1, 3, 2][self.object.axes], [1, 1, 1, 3][self.object.axes]],
            (true, _) => [4, 4, 1],
            (_, 1) => [12, 1, 1],
            (_, 2) => [12, 6, 1],
            _ => [6, 5, 3],
        };
        whole.map(|extent| (extent >> level).max(1))
    }

    pub fn levels(&self) -> i64 {
        let one = self.object.storage || self.object.buffer || self.object.samples > 1;
        if one { 1 } else { i64::from(self.size(0).into_iter().max().unwrap_or(1).ilog2()) + 1 }
    }

    /// Returns the elements of an array: cubes, or layers.
    pub fn elements(&self) -> i64 {
        match (self.object.arrayed, self.object.cube) {
            (false, _) => 1,
            (true, false) => 3,
            (true, true) => 2,
        }
    }

    /// Returns a component of a texel. Two are equal only by chance.
    pub fn component(&self, at: At, component: usize) -> f64 {
        let [x, y, z] = at.texel;
        let place = [x, y, z, at.layer, at.level, at.sample, component as i64, self.texels as i64];
        let mixed = place.iter().fold(self.object.name.len() as u64, |sum, &p| sum.wrapping_mul(137) + p as u64);
        let bits = Numbers::new(mixed).bits();
        match self.texels {
            Texels::Colours => (bits % 1000) as f64,
            Texels::Depths => (bits % 1021) as f64 / 1024.0,
            Texels::Numbers => (bits as u32).into(),
        }
    }

    /// Returns a whole texel; a single component is extended as in a shader.
    pub fn texel(&self, at: At) -> [f64; 4] {
        match self.texels {
            Texels::Colours => [0, 1, 2, 3].map(|c| self.component(at, c)),
            _ => [self.component(at, 0), 0.0, 0.0, 1.0],
        }
    }

    fn desc(&self) -> ImageDesc {
        let format = match self.texels {
            Texels::Colours => ImageFormat::Rgba32Float,
            Texels::Depths => ImageFormat::D32Float,
            Texels::Numbers => ImageFormat::R32Uint,
        };
        let faces = if self.object.cube { 6 } else { 1 };
        let size = self.size(0).map(|extent| extent as u32);
        ImageDesc {
            layers: self.elements() as u32 * faces,
            arrayed: self.object.arrayed,
            cube: self.object.cube,
            levels: self.levels() as u32,
            samples: self.object.samples,
            ..ImageDesc::new(format, &size[..self.object.axes])
        }
    }

    /// Level by level, layer by layer, slice by slice, row by row; the samples of a texel are adjacent.
    fn bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        let components = if self.texels == Texels::Colours { 4 } else { 1 };
        for level in 0..self.levels() {
            let [width, height, depth] = self.size(level);
            for layer in 0..i64::from(self.desc().layers) {
                for n in 0..width * height * depth {
                    let texel = [n % width, n / width % height, n / (width * height)];
                    for sample in 0..i64::from(self.object.samples) {
                        let at = At { texel, layer, level, sample };
                        for c in 0..components {
                            let value = self.component(at, c);
                            let number =
                                if self.texels == Texels::Numbers { value as u32 } else { (value as f32).to_bits() };
                            bytes.extend(number.to_le_bytes());
                        }
                    }
                }
            }
        }
        bytes
    }

    fn given(&self) -> Given {
        let Object { storage, buffer, samples, .. } = *self.object;
        let element = match self.texels {
            Texels::Colours => "float4",
            Texels::Depths => "float",
            Texels::Numbers => "uint",
        };
        let count = if samples > 1 { format!(", {samples}") } else { String::new() };
        let texels = self.bytes();
        let content = match buffer {
            true => Content::Buffer { format: ImageFormat::Rgba32Float, storage, texels },
            false => Content::Image { desc: self.desc(), storage, texels },
        };
        Given { name: self.name(), ty: format!("{}<{element}{count}>", self.object.name), content }
    }
}

/// Returns samplers `Sampler_0`, `Sampler_1`..: filters, address modes, borders and levels in many combinations.
pub fn samplers() -> Vec<SamplerDesc> {
    use AddressMode::*;
    use Filter::*;
    let linear = |address| SamplerDesc::new(Linear, address);
    let nearest = |address| SamplerDesc::new(Nearest, address);
    vec![
        linear(Wrap),
        nearest(Clamp),
        SamplerDesc { mips: Nearest, ..linear(Mirror) },
        SamplerDesc { mips: Linear, border: [true; 4], ..nearest(Border) },
        SamplerDesc { minify: Nearest, bias: 0.5, min_lod: 0.25, max_lod: 2.5, ..linear(MirrorOnce) },
        SamplerDesc {
            mips: Nearest,
            address: [Wrap, Mirror, Border],
            border: [false, false, false, true],
            ..linear(Wrap)
        },
        nearest(MirrorOnce),
        SamplerDesc { magnify: Nearest, ..linear(Clamp) },
    ]
}

/// Returns comparison samplers `Shadow_0`..: every comparison.
pub fn shadows() -> Vec<SamplerDesc> {
    use AddressMode::*;
    use Filter::*;
    let rows = [
        (CompareOp::LessEqual, SamplerDesc::new(Linear, Wrap)),
        (CompareOp::Greater, SamplerDesc::new(Nearest, Clamp)),
        (CompareOp::Less, SamplerDesc { mips: Nearest, ..SamplerDesc::new(Linear, Mirror) }),
        (CompareOp::GreaterEqual, SamplerDesc { border: [true; 4], ..SamplerDesc::new(Nearest, Border) }),
        (CompareOp::NotEqual, SamplerDesc::new(Linear, MirrorOnce)),
        (CompareOp::Equal, SamplerDesc::new(Linear, Clamp)),
        (CompareOp::Always, SamplerDesc::new(Linear, Border)),
        (CompareOp::Never, SamplerDesc::new(Linear, Clamp)),
    ];
    rows.map(|(compare, desc)| SamplerDesc { compare: Some(compare), ..desc }).into()
}

/// Returns all images and samplers.
pub fn given() -> Vec<Given> {
    let mut given = Vec::new();
    for object in OBJECTS {
        given.push(Image { object, texels: Texels::Colours }.given());
        if !object.storage && !object.buffer && object.samples == 1 {
            for texels in [Texels::Depths, Texels::Numbers] {
                given.push(Image { object, texels }.given());
            }
        }
    }
    for (n, desc) in samplers().into_iter().enumerate() {
        let name = format!("Sampler_{n}");
        given.push(Given { name, ty: "SamplerState".to_owned(), content: Content::Sampler(desc) });
    }
    for (n, desc) in shadows().into_iter().enumerate() {
        let name = format!("Shadow_{n}");
        given.push(Given { name, ty: "SamplerComparisonState".to_owned(), content: Content::Sampler(desc) });
    }
    given
}
