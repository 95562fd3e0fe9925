//! The typing rules of image operations.

use super::{Operands, Result, same};
use crate::function::ValueId;
use crate::image::{ImageLoad, ImageQuery, ImageSample, Lod, SampleResult, TexelOffset};
use crate::types::{ImageDim, ImageType, Scalar, Space, Type};

/// Returns the number of components of a direction in an image, as in derivatives and offsets.
pub fn direction_components(image: ImageType) -> u32 {
    match image.dim {
        ImageDim::D1 | ImageDim::Buffer => 1,
        ImageDim::D2 => 2,
        ImageDim::D3 | ImageDim::Cube => 3,
    }
}

/// Returns the number of components of an image's coordinate, including the layer of an array.
pub fn coord_components(image: ImageType) -> u32 {
    direction_components(image) + u32::from(image.arrayed)
}

/// Returns the number of components of an image's size. A cube has the two of its faces.
pub fn size_components(image: ImageType) -> u32 {
    let dim = if image.dim == ImageDim::Cube { 2 } else { direction_components(image) };
    dim + u32::from(image.arrayed)
}

/// Returns the declared type of a texel.
pub fn texel_type(image: ImageType) -> Type {
    Type::vector_of(image.texel, u32::from(image.components))
}

impl Operands<'_> {
    pub(super) fn image(&self, id: ValueId) -> Result<ImageType> {
        match self.of(id)? {
            Type::Image(image) => Ok(*image),
            other => Err(format!("{other} is not an image")),
        }
    }

    /// Checks integer coordinates, and the sample index of a multisampled image.
    pub(super) fn texel(&self, image: ImageType, coord: ValueId, sample: Option<ValueId>) -> Result<()> {
        let ty = self.of(coord)?;
        let fits = ty.scalar().is_some_and(|s| s.is_integer() && s.size() == 4)
            && ty.components() == Some(coord_components(image));
        if !fits {
            return Err(format!("coordinate is {ty}, of {} components", coord_components(image)));
        }
        match sample {
            Some(sample) if image.multisampled => self.small_integer("sample", sample),
            None if !image.multisampled => Ok(()),
            Some(_) => Err("the image has no samples to choose from".into()),
            None => Err("the image has several samples, none is chosen".into()),
        }
    }

    fn small_integer(&self, what: &str, id: ValueId) -> Result<()> {
        match self.of(id)? {
            Type::Scalar(Scalar::I32 | Scalar::U32) => Ok(()),
            other => Err(format!("{what} is {other}")),
        }
    }

    /// Checks an integer mip level.
    fn level(&self, image: ImageType, level: Option<ValueId>) -> Result<()> {
        match level {
            None => Ok(()),
            Some(_) if !has_levels(image) => Err("the image has no levels".into()),
            Some(level) => self.small_integer("level", level),
        }
    }

    pub(super) fn image_load(&self, load: &ImageLoad, declared: &Type) -> Result {
        let image = self.image(load.image)?;
        if image.dim == ImageDim::Cube {
            return Err("texels of a cube have no integer coordinates".into());
        }
        self.texel(image, load.coord, load.sample)?;
        self.level(image, load.level)?;
        residency(texel_type(image), load.sparse, declared)
    }

    pub(super) fn texel_place(&self, image: ValueId, coord: ValueId, sample: Option<ValueId>) -> Result {
        let image = self.image(image)?;
        if !image.storage || image.components != 1 {
            return Err("the texels are no places: only scalar ones of a writable image are".into());
        }
        self.texel(image, coord, sample)?;
        Ok(Type::reference(Space::Image, texel_type(image)))
    }

    pub(super) fn image_query(&self, image: ImageType, query: &ImageQuery) -> Result {
        match *query {
            ImageQuery::Size(level) => {
                self.level(image, level)?;
                Ok(Type::vector_of(Scalar::U32, size_components(image)))
            }
            ImageQuery::Levels if has_levels(image) => Ok(Type::U32),
            ImageQuery::Levels => Err("the image has no levels".into()),
            ImageQuery::Samples if image.multisampled => Ok(Type::U32),
            ImageQuery::Samples => Err("the image has one sample".into()),
            ImageQuery::Lod { sampler, coord } => {
                sampled(image)?;
                same("sampler", self.of(sampler)?, &Type::Sampler)?;
                self.floats("coordinate", coord, direction_components(image))?;
                Ok(Type::Vector(Scalar::F32, 2))
            }
        }
    }

    fn floats(&self, what: &str, id: ValueId, components: u32) -> Result<()> {
        same(what, self.of(id)?, &Type::vector_of(Scalar::F32, components))
    }

    pub(super) fn image_sample(&self, sample: &ImageSample, declared: &Type) -> Result {
        let image = self.image(sample.image)?;
        sampled(image)?;
        same("sampler", self.of(sample.sampler)?, &Type::Sampler)?;
        self.floats("coordinate", sample.coord, coord_components(image))?;
        let gathers = matches!(sample.result, SampleResult::Gathered(_) | SampleResult::GatherCompared(_));
        let result = match sample.result {
            SampleResult::Texel => texel_type(image),
            SampleResult::Compared(reference) => {
                self.floats("reference", reference, 1)?;
                Type::F32
            }
            SampleResult::Gathered(component) if component < 4 => Type::Vector(image.texel, 4),
            SampleResult::Gathered(component) => return Err(format!("a texel has no component {component}")),
            SampleResult::GatherCompared(reference) => {
                self.floats("reference", reference, 1)?;
                Type::Vector(Scalar::F32, 4)
            }
        };
        let compares = matches!(sample.result, SampleResult::Compared(_) | SampleResult::GatherCompared(_));
        if compares && (!image.texel.is_float() || image.dim == ImageDim::D3) {
            return Err("the image's texels are not compared".into());
        }
        if gathers && !matches!(image.dim, ImageDim::D2 | ImageDim::Cube) {
            return Err("only two-dimensional images and cubes are gathered".into());
        }
        match sample.lod {
            Lod::Implicit => {}
            _ if gathers => return Err("a gather reads the first level".into()),
            Lod::Bias(value) | Lod::Level(value) => self.floats("level", value, 1)?,
            Lod::Gradient(x, y) => {
                self.floats("derivative", x, direction_components(image))?;
                self.floats("derivative", y, direction_components(image))?;
            }
        }
        self.offset(image, &sample.offset, gathers)?;
        if let Some(least) = sample.min_lod {
            self.floats("least level", least, 1)?;
            if gathers || matches!(sample.lod, Lod::Level(_)) {
                return Err("the level is given: no least level applies".into());
            }
        }
        residency(result, sample.sparse, declared)
    }

    fn offset(&self, image: ImageType, offset: &TexelOffset, gathers: bool) -> Result<()> {
        let wanted = Type::vector_of(Scalar::I32, direction_components(image));
        // A single offset of a sample may become constant only after inlining.
        let (values, constant) = match offset {
            TexelOffset::None => return Ok(()),
            TexelOffset::One(value) => (std::slice::from_ref(value), false),
            TexelOffset::Four(_) if !gathers => return Err("four offsets are for a gather".into()),
            TexelOffset::Four(values) => (values.as_slice(), true),
        };
        if image.dim == ImageDim::Cube {
            return Err("a cube takes no offset".into());
        }
        for &value in values {
            same("offset", self.of(value)?, &wanted)?;
            if constant && !self.function.is_constant(value) {
                return Err("the offset is not a constant".into());
            }
        }
        Ok(())
    }
}

/// Returns whether an image has levels: sampled images do, except buffers and multisampled ones.
fn has_levels(image: ImageType) -> bool {
    !image.storage && !image.multisampled && image.dim != ImageDim::Buffer
}

fn sampled(image: ImageType) -> Result<()> {
    if has_levels(image) { Ok(()) } else { Err("the image is not sampled".into()) }
}

/// Returns the result type of an access. A sparse one returns the declared structure of code and result.
fn residency(result: Type, sparse: bool, declared: &Type) -> Result {
    if !sparse {
        return Ok(result);
    }
    match declared {
        Type::Struct(s) if s.fields.len() == 2 && s.fields[0].ty == Type::U32 && s.fields[1].ty == result => {
            Ok(declared.clone())
        }
        _ => Err(format!("a sparse access gives a structure of u32 and {result}, not {declared}")),
    }
}
