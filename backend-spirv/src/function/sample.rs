//! Samples and gathers: an image and a sampler combined at their use, and the operands of the access.

use super::image::{Image, Operands};
use super::{FunctionEmitter, Result, Slot};
use crate::EmitError;
use crate::builder::{id, ids};
use crate::types::sampled_scalar;
use rspirv::spirv::{Capability, ImageOperands, Op as Spv, Word};
use wgc_ir::{ImageSample, Lod, SampleResult, Scalar, TexelOffset, Type, ValueId};

/// The kind of access to a sampled image.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Access {
    Sample { explicit: bool, compare: bool },
    Gather { compare: bool },
}

fn instruction(access: Access, sparse: bool) -> Spv {
    use Access::*;
    match (access, sparse) {
        (Sample { explicit: false, compare: false }, false) => Spv::ImageSampleImplicitLod,
        (Sample { explicit: true, compare: false }, false) => Spv::ImageSampleExplicitLod,
        (Sample { explicit: false, compare: true }, false) => Spv::ImageSampleDrefImplicitLod,
        (Sample { explicit: true, compare: true }, false) => Spv::ImageSampleDrefExplicitLod,
        (Gather { compare: false }, false) => Spv::ImageGather,
        (Gather { compare: true }, false) => Spv::ImageDrefGather,
        (Sample { explicit: false, compare: false }, true) => Spv::ImageSparseSampleImplicitLod,
        (Sample { explicit: true, compare: false }, true) => Spv::ImageSparseSampleExplicitLod,
        (Sample { explicit: false, compare: true }, true) => Spv::ImageSparseSampleDrefImplicitLod,
        (Sample { explicit: true, compare: true }, true) => Spv::ImageSparseSampleDrefExplicitLod,
        (Gather { compare: false }, true) => Spv::ImageSparseGather,
        (Gather { compare: true }, true) => Spv::ImageSparseDrefGather,
    }
}

impl FunctionEmitter<'_, '_> {
    /// Combines image and sampler, which SPIR-V requires in the block of the use.
    pub(super) fn sampled_image(&mut self, image: Image, sampler: ValueId) -> Result<Word> {
        let Slot::Sampler(sampler) = *self.slot(sampler)? else {
            return Err(EmitError::new("a value is used as a sampler"));
        };
        let ty = self.e.image_type(image.ty, image.format)?;
        let ty = self.e.b.intern(Spv::TypeSampledImage, None, vec![id(ty)]);
        let sampled = self.e.b.op(Spv::SampledImage, ty, ids(&[image.value, sampler]));
        self.e.inherit_non_uniform(sampled, &[image.value, sampler]);
        Ok(sampled)
    }

    pub(super) fn image_sample(&mut self, sample: &ImageSample, ty: &Type) -> Result<Word> {
        let image = self.image(sample.image)?;
        let sampled = self.sampled_image(image, sample.sampler)?;
        let coord = self.word(sample.coord)?;
        if sample.needs_derivatives() {
            self.uses_derivatives();
        }
        let explicit = matches!(sample.lod, Lod::Level(_) | Lod::Gradient(..));
        let mut operands = ids(&[sampled, coord]);
        let access = match sample.result {
            SampleResult::Texel => Access::Sample { explicit, compare: false },
            SampleResult::Gathered(component) => {
                let component = self.e.u32_constant(u32::from(component));
                operands.push(id(component));
                Access::Gather { compare: false }
            }
            SampleResult::Compared(reference) => {
                operands.push(id(self.word(reference)?));
                Access::Sample { explicit, compare: true }
            }
            SampleResult::GatherCompared(reference) => {
                operands.push(id(self.word(reference)?));
                Access::Gather { compare: true }
            }
        };
        self.sample_operands(sample, matches!(access, Access::Gather { .. }))?.append_to(&mut operands);
        let texel = sampled_scalar(image.ty.texel)?;
        let (given, kept) = match access {
            Access::Sample { compare: true, .. } => ((Scalar::F32, 1), 1),
            Access::Gather { compare: true } => ((Scalar::F32, 4), 4),
            Access::Gather { compare: false } => ((texel, 4), 4),
            Access::Sample { compare: false, .. } => ((texel, 4), u32::from(image.ty.components)),
        };
        self.texel_result(instruction(access, sample.sparse), given, operands, sample.sparse, kept, ty)
    }

    fn sample_operands(&mut self, sample: &ImageSample, gathers: bool) -> Result<Operands> {
        let mut more = Operands::none();
        match sample.lod {
            Lod::Implicit => {}
            Lod::Bias(bias) => more.add(ImageOperands::BIAS, &[self.word(bias)?]),
            Lod::Level(level) => more.add(ImageOperands::LOD, &[self.word(level)?]),
            Lod::Gradient(x, y) => more.add(ImageOperands::GRAD, &self.words(&[x, y])?),
        }
        match sample.offset {
            TexelOffset::None => {}
            TexelOffset::One(offset) => {
                let offset = self.word(offset)?;
                if self.e.b.is_constant(offset) {
                    more.add(ImageOperands::CONST_OFFSET, &[offset]);
                } else if gathers {
                    self.e.b.capability(Capability::ImageGatherExtended);
                    more.add(ImageOperands::OFFSET, &[offset]);
                } else {
                    return Err(EmitError::new("the offset of a sample is not a constant"));
                }
            }
            TexelOffset::Four(offsets) => {
                let offsets = self.words(&offsets)?;
                if !offsets.iter().all(|&o| self.e.b.is_constant(o)) {
                    return Err(EmitError::new("an offset of a gather with four is not a constant"));
                }
                self.e.b.capability(Capability::ImageGatherExtended);
                let int2 = self.e.vector_type(Scalar::I32, 2);
                let four = self.e.u32_constant(4);
                let array = self.e.b.intern(Spv::TypeArray, None, vec![id(int2), id(four)]);
                let offsets = self.e.b.constant(Spv::ConstantComposite, array, ids(&offsets));
                more.add(ImageOperands::CONST_OFFSETS, &[offsets]);
            }
        }
        if let Some(least) = sample.min_lod {
            self.e.b.capability(Capability::MinLod);
            more.add(ImageOperands::MIN_LOD, &[self.word(least)?]);
        }
        Ok(more)
    }
}
