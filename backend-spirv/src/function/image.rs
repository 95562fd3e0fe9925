//! Loads and stores of texels, places of texels, and queries of images. Samples are in [`super::sample`].
//!
//! SPIR-V reads and writes four components of 32 or 64 bits; HLSL declares one to four, also of 16 bits.

use super::{FunctionEmitter, Result, Slot};
use crate::EmitError;
use crate::builder::{id, ids, lit};
use crate::place::{Content, Place};
use crate::types::sampled_scalar;
use rspirv::dr::Operand;
use rspirv::spirv::{Capability, ImageFormat, ImageOperands, Op as Spv, StorageClass, Word};
use wgc_ir::{ImageDim, ImageLoad, ImageQuery, ImageType, Scalar, Space, Type, ValueId};

/// An image as a value of a function.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Image {
    pub value: Word,
    /// The pointer that it was loaded from.
    pub pointer: Word,
    pub ty: ImageType,
    pub format: ImageFormat,
}

/// Image operands under construction: a mask, and the operands of each bit in the order of the bits.
pub(super) struct Operands {
    mask: ImageOperands,
    ids: Vec<Word>,
}

impl Operands {
    pub fn none() -> Operands {
        Operands { mask: ImageOperands::NONE, ids: Vec::new() }
    }

    /// Adds an operand; bits must be added in ascending order.
    pub fn add(&mut self, bit: ImageOperands, values: &[Word]) {
        debug_assert!(self.mask.bits() < bit.bits());
        self.mask |= bit;
        self.ids.extend(values);
    }

    pub fn append_to(self, operands: &mut Vec<Operand>) {
        if !self.mask.is_empty() {
            operands.push(Operand::ImageOperands(self.mask));
            operands.extend(ids(&self.ids));
        }
    }
}

impl FunctionEmitter<'_, '_> {
    pub(super) fn image(&self, value: ValueId) -> Result<Image> {
        match self.slot(value)? {
            Slot::Image(image) => Ok(*image),
            _ => Err(EmitError::new("a value is used as an image")),
        }
    }

    /// Marks texels of storage images as non-private under the Vulkan memory model, so that barriers order them.
    fn texel_access(&self, operands: &mut Operands) {
        if self.e.target.vulkan_memory_model {
            operands.add(ImageOperands::NON_PRIVATE_TEXEL, &[]);
        }
    }

    pub(super) fn image_load(&mut self, load: &ImageLoad, ty: &Type) -> Result<Word> {
        let (image, coord) = (self.image(load.image)?, self.word(load.coord)?);
        let sampled = sampled_scalar(image.ty.texel)?;
        let mut operands = ids(&[image.value, coord]);
        let mut more = Operands::none();
        if !image.ty.storage && !image.ty.multisampled && image.ty.dim != ImageDim::Buffer {
            let level = match load.level {
                Some(level) => self.word(level)?,
                None => self.e.u32_constant(0),
            };
            more.add(ImageOperands::LOD, &[level]);
        }
        if let Some(sample) = load.sample {
            let sample = self.word(sample)?;
            more.add(ImageOperands::SAMPLE, &[sample]);
        }
        let spv = match (image.ty.storage, load.sparse) {
            (true, false) => Spv::ImageRead,
            (true, true) => Spv::ImageSparseRead,
            (false, false) => Spv::ImageFetch,
            (false, true) => Spv::ImageSparseFetch,
        };
        if image.ty.storage {
            if image.format == ImageFormat::Unknown {
                self.e.b.capability(Capability::StorageImageReadWithoutFormat);
            }
            self.texel_access(&mut more);
        }
        more.append_to(&mut operands);
        let components = u32::from(image.ty.components);
        self.texel_result(spv, (sampled, 4), operands, load.sparse, components, ty)
    }

    /// Emits an access that returns `given` components, for sparse ones after a code. Converts the first `kept` of them
    /// to the type `ty` of the IR value.
    pub(super) fn texel_result(
        &mut self,
        spv: Spv,
        (scalar, given): (Scalar, u32),
        operands: Vec<Operand>,
        sparse: bool,
        kept: u32,
        ty: &Type,
    ) -> Result<Word> {
        let texel = self.e.vector_type(scalar, given);
        if !sparse {
            let word = self.e.b.op(spv, texel, operands);
            return self.narrow(word, (scalar, given), kept, ty);
        }
        let Type::Struct(s) = ty else { return Err(EmitError::new(format!("a sparse access that gives {ty}"))) };
        let [_, result] = s.fields.as_slice() else {
            return Err(EmitError::new("a sparse access gives a code and a result"));
        };
        self.e.b.capability(Capability::SparseResidency);
        let code_type = self.e.scalar_type(Scalar::U32);
        let both = self.e.b.intern(Spv::TypeStruct, None, ids(&[code_type, texel]));
        let both = self.e.b.op(spv, both, operands);
        let code = self.e.b.op(Spv::CompositeExtract, code_type, vec![id(both), lit(0)]);
        let word = self.e.b.op(Spv::CompositeExtract, texel, vec![id(both), lit(1)]);
        let word = self.narrow(word, (scalar, given), kept, &result.ty)?;
        let ty = self.e.value_type(ty)?;
        Ok(self.e.b.op(Spv::CompositeConstruct, ty, ids(&[code, word])))
    }

    /// Returns the first `kept` of `given` components, converted to the type.
    fn narrow(&mut self, word: Word, (scalar, given): (Scalar, u32), kept: u32, ty: &Type) -> Result<Word> {
        let narrowed = self.e.vector_type(scalar, kept);
        let word = match kept {
            _ if kept == given => word,
            1 => self.e.b.op(Spv::CompositeExtract, narrowed, vec![id(word), lit(0)]),
            _ => {
                let mut operands = ids(&[word, word]);
                operands.extend((0..kept).map(lit));
                self.e.b.op(Spv::VectorShuffle, narrowed, operands)
            }
        };
        self.convert_numeric(word, &Type::vector_of(scalar, kept), ty)
    }

    pub(super) fn image_store(
        &mut self,
        image: ValueId,
        coord: ValueId,
        sample: Option<ValueId>,
        value: ValueId,
    ) -> Result {
        let image = self.image(image)?;
        let (coord, word, ty) = (self.word(coord)?, self.word(value)?, self.ty(value)?);
        let sampled = sampled_scalar(image.ty.texel)?;
        let n = ty.components().unwrap_or(0);
        if !image.ty.storage || !(1..=4).contains(&n) {
            return Err(EmitError::new(format!("a store of {ty} to an image")));
        }
        let word = self.convert_numeric(word, ty, &Type::vector_of(sampled, n))?;
        let four = self.e.vector_type(sampled, 4);
        // Components that the image lacks repeat the first one; they are never read.
        let texel = match n {
            1 => self.splat(word, four, 4),
            4 => word,
            _ => {
                let mut operands = ids(&[word, word]);
                operands.extend((0..4).map(|c| lit(if c < n { c } else { 0 })));
                self.e.b.op(Spv::VectorShuffle, four, operands)
            }
        };
        if image.format == ImageFormat::Unknown {
            self.e.b.capability(Capability::StorageImageWriteWithoutFormat);
        }
        let mut more = Operands::none();
        if let Some(sample) = sample {
            let sample = self.word(sample)?;
            more.add(ImageOperands::SAMPLE, &[sample]);
        }
        self.texel_access(&mut more);
        let mut operands = ids(&[image.value, coord, texel]);
        more.append_to(&mut operands);
        self.e.b.effect(Spv::ImageWrite, operands);
        Ok(())
    }

    /// Returns a texel as memory for atomics.
    pub(super) fn texel_place(&mut self, image: ValueId, coord: ValueId, sample: Option<ValueId>) -> Result<Place> {
        let (image, coord) = (self.image(image)?, self.word(coord)?);
        let sample = match sample {
            Some(sample) => self.word(sample)?,
            None => self.e.u32_constant(0),
        };
        let scalar = self.e.scalar_type(sampled_scalar(image.ty.texel)?);
        let pointer = self.e.b.pointer_type(StorageClass::Image, scalar);
        let base = self.e.b.op(Spv::ImageTexelPointer, pointer, ids(&[image.pointer, coord, sample]));
        self.e.inherit_non_uniform(base, &[image.pointer]);
        Ok(Place::new(base, Space::Image, Content::Value(Type::Scalar(image.ty.texel))))
    }

    pub(super) fn image_query(&mut self, image: ValueId, query: ImageQuery, ty: &Type) -> Result<Word> {
        let image = self.image(image)?;
        self.e.b.capability(Capability::ImageQuery);
        let ty = self.e.value_type(ty)?;
        let has_levels = !image.ty.storage && !image.ty.multisampled && image.ty.dim != ImageDim::Buffer;
        Ok(match query {
            ImageQuery::Size(None) if !has_levels => self.e.b.op(Spv::ImageQuerySize, ty, vec![id(image.value)]),
            ImageQuery::Size(level) => {
                let level = match level {
                    Some(level) => self.word(level)?,
                    None => self.e.u32_constant(0),
                };
                self.e.b.op(Spv::ImageQuerySizeLod, ty, ids(&[image.value, level]))
            }
            ImageQuery::Levels => self.e.b.op(Spv::ImageQueryLevels, ty, vec![id(image.value)]),
            ImageQuery::Samples => self.e.b.op(Spv::ImageQuerySamples, ty, vec![id(image.value)]),
            ImageQuery::Lod { sampler, coord } => {
                self.uses_derivatives();
                let (sampled, coord) = (self.sampled_image(image, sampler)?, self.word(coord)?);
                self.e.b.op(Spv::ImageQueryLod, ty, ids(&[sampled, coord]))
            }
        })
    }

    pub(super) fn resident(&mut self, code: ValueId) -> Result<Word> {
        self.e.b.capability(Capability::SparseResidency);
        let (code, ty) = (self.word(code)?, self.e.scalar_type(Scalar::Bool));
        Ok(self.e.b.op(Spv::ImageSparseTexelsResident, ty, vec![id(code)]))
    }
}
