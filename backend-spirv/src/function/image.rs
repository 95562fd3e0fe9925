//! Loads and stores of texels, and sizes of images.
//!
//! SPIR-V reads and writes four components of 32 or 64 bits; HLSL declares one to four, of 16 bits too.

use super::{FunctionEmitter, Result, Slot};
use crate::EmitError;
use crate::builder::{id, ids, lit};
use crate::types::sampled_scalar;
use rspirv::dr::Operand;
use rspirv::spirv::{Capability, ImageOperands, Op as Spv, Word};
use wgc_ir::{ImageDim, ImageType, Type, ValueId};

impl FunctionEmitter<'_, '_> {
    fn image(&self, value: ValueId) -> Result<(Word, ImageType)> {
        match self.slot(value)? {
            Slot::Image { value, ty } => Ok((*value, *ty)),
            _ => Err(EmitError::new("a value is used as an image")),
        }
    }

    /// Texels of storage images are non-private under the Vulkan memory model, so that barriers order them.
    fn texel_access(&self) -> Option<Operand> {
        self.e.target.vulkan_memory_model.then_some(Operand::ImageOperands(ImageOperands::NON_PRIVATE_TEXEL))
    }

    pub(super) fn image_load(&mut self, image: ValueId, coord: ValueId, ty: &Type) -> Result<Word> {
        let ((image, image_ty), coord) = (self.image(image)?, self.word(coord)?);
        let sampled = sampled_scalar(image_ty.texel)?;
        let texel = self.e.vector_type(sampled, 4);
        let mut operands = ids(&[image, coord]);
        let spv = if image_ty.storage {
            self.e.b.capability(Capability::StorageImageReadWithoutFormat);
            operands.extend(self.texel_access());
            Spv::ImageRead
        } else {
            if image_ty.dim != ImageDim::Buffer {
                let level = self.e.u32_constant(0);
                operands.extend([Operand::ImageOperands(ImageOperands::LOD), id(level)]);
            }
            Spv::ImageFetch
        };
        let texel = self.e.b.op(spv, texel, operands);
        let n = u32::from(image_ty.components);
        let narrowed = self.e.vector_type(sampled, n);
        let word = match n {
            1 => self.e.b.op(Spv::CompositeExtract, narrowed, vec![id(texel), lit(0)]),
            4 => texel,
            _ => {
                let mut operands = ids(&[texel, texel]);
                operands.extend((0..n).map(lit));
                self.e.b.op(Spv::VectorShuffle, narrowed, operands)
            }
        };
        self.convert_numeric(word, &Type::vector_of(sampled, n), ty)
    }

    pub(super) fn image_store(&mut self, image: ValueId, coord: ValueId, value: ValueId) -> Result {
        let (image, image_ty) = self.image(image)?;
        let (coord, word, ty) = (self.word(coord)?, self.word(value)?, self.ty(value)?);
        let sampled = sampled_scalar(image_ty.texel)?;
        let n = ty.components().unwrap_or(0);
        if !image_ty.storage || !(1..=4).contains(&n) {
            return Err(EmitError::new(format!("a store of {ty} to an image")));
        }
        let word = self.convert_numeric(word, ty, &Type::vector_of(sampled, n))?;
        let four = self.e.vector_type(sampled, 4);
        // What the image does not have is written as the given texel's first component: nobody reads it.
        let texel = match n {
            1 => self.splat(word, four, 4),
            4 => word,
            _ => {
                let mut operands = ids(&[word, word]);
                operands.extend((0..4).map(|c| lit(if c < n { c } else { 0 })));
                self.e.b.op(Spv::VectorShuffle, four, operands)
            }
        };
        self.e.b.capability(Capability::StorageImageWriteWithoutFormat);
        let mut operands = ids(&[image, coord, texel]);
        operands.extend(self.texel_access());
        self.e.b.effect(Spv::ImageWrite, operands);
        Ok(())
    }

    pub(super) fn image_size(&mut self, image: ValueId, ty: &Type) -> Result<Word> {
        let (image, image_ty) = self.image(image)?;
        self.e.b.capability(Capability::ImageQuery);
        let ty = self.e.value_type(ty)?;
        if image_ty.storage || image_ty.dim == ImageDim::Buffer {
            return Ok(self.e.b.op(Spv::ImageQuerySize, ty, vec![id(image)]));
        }
        let level = self.e.u32_constant(0);
        Ok(self.e.b.op(Spv::ImageQuerySizeLod, ty, ids(&[image, level])))
    }
}
