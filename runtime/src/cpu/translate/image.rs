//! Image instructions: their operands, and the rows of their results.

use super::{Result, Translator, Value};
use crate::cpu::program::{ImageIns, ImageLevel, ImageOp, Ins};
use spirv::{Dim, ImageOperands, Op};
use wgc_spirv_module::module::Inst;
use wgc_spirv_module::types::ImageType;
use wgc_spirv_module::{Id, Type};

/// Returns an instruction's operation, and the number of operands before the image operands.
fn image_op(op: Op) -> Option<(ImageOp, usize)> {
    use {ImageOp as I, Op as O};
    Some(match op {
        O::ImageRead | O::ImageFetch | O::ImageSparseRead | O::ImageSparseFetch => (I::Read, 2),
        O::ImageWrite => (I::Write, 3),
        O::ImageTexelPointer => (I::Pointer, 3),
        O::ImageQuerySize | O::ImageQuerySizeLod => (I::Size, 2),
        O::ImageQueryLevels => (I::Levels, 1),
        O::ImageQuerySamples => (I::Samples, 1),
        O::ImageQueryLod => (I::Lod, 2),
        O::ImageSampleImplicitLod
        | O::ImageSampleExplicitLod
        | O::ImageSparseSampleImplicitLod
        | O::ImageSparseSampleExplicitLod => (I::Sample, 2),
        O::ImageSampleDrefImplicitLod
        | O::ImageSampleDrefExplicitLod
        | O::ImageSparseSampleDrefImplicitLod
        | O::ImageSparseSampleDrefExplicitLod => (I::Sample, 3),
        O::ImageGather | O::ImageDrefGather | O::ImageSparseGather | O::ImageSparseDrefGather => (I::Gather, 3),
        _ => return None,
    })
}

fn compares(op: Op) -> bool {
    matches!(
        op,
        Op::ImageSampleDrefImplicitLod
            | Op::ImageSampleDrefExplicitLod
            | Op::ImageSparseSampleDrefImplicitLod
            | Op::ImageSparseSampleDrefExplicitLod
            | Op::ImageDrefGather
            | Op::ImageSparseDrefGather
    )
}

fn is_sparse(op: Op) -> bool {
    matches!(
        op,
        Op::ImageSparseRead
            | Op::ImageSparseFetch
            | Op::ImageSparseSampleImplicitLod
            | Op::ImageSparseSampleExplicitLod
            | Op::ImageSparseSampleDrefImplicitLod
            | Op::ImageSparseSampleDrefExplicitLod
            | Op::ImageSparseGather
            | Op::ImageSparseDrefGather
    )
}

impl Translator<'_> {
    fn image_type(&self, id: Id) -> Result<ImageType> {
        let ty = match self.ty(self.m.type_of(id))? {
            Type::SampledImage { image } => self.ty(*image)?,
            Type::Pointer { pointee, .. } => self.ty(*pointee)?,
            ty => ty,
        };
        match ty {
            Type::Image(image) => Ok(*image),
            _ => Err(format!("{} is not an image", self.m.describe(id))),
        }
    }

    pub(super) fn image(&mut self, op: Op, inst: &Inst, w: &[u32]) -> Result<bool> {
        let operand = |i: usize| w.get(i).copied().unwrap_or(0);
        match op {
            Op::SampledImage => {
                let (image, sampler) = (self.scalar(operand(0))?, self.scalar(operand(1))?);
                let row = self.rows(2)?;
                self.copy(row, image, 1);
                self.copy(row + 1, sampler, 1);
                self.define(inst, row, 2);
                return Ok(true);
            }
            Op::Image => {
                let value = self.value(operand(0))?;
                self.same_coherence(inst.result, operand(0));
                self.define(inst, value.row, 1);
                return Ok(true);
            }
            // Everything is resident, so codes are 1.
            Op::ImageSparseTexelsResident => {
                let code = self.scalar(operand(0))?;
                self.define(inst, code, 1);
                return Ok(true);
            }
            _ => {}
        }
        let Some((kind, fixed)) = image_op(op) else { return Ok(false) };
        let ty = self.image_type(operand(0))?;
        let axes = match ty.dim {
            Dim::Dim1D | Dim::DimBuffer => 1,
            Dim::Dim2D | Dim::DimRect => 2,
            Dim::Dim3D | Dim::DimCube => 3,
            other => return Err(format!("images of {other:?} are not supported")),
        };
        let handle = self.value(operand(0))?;
        let mut ins = ImageIns {
            op: kind,
            dst: 0,
            image: handle.row,
            coherent: !self.incoherent.contains(&operand(0)),
            sampler: handle.row + handle.n.saturating_sub(1),
            coordinates: 0,
            axes,
            arrayed: ty.arrayed,
            coordinate_bits: 32,
            value: 0,
            components: 0,
            wide: false,
            sparse: is_sparse(op),
            level: ImageLevel::None,
            reference: None,
            component: 0,
            offset: None,
            offsets: None,
            sample: None,
            least: None,
        };
        let samples = matches!(kind, ImageOp::Sample | ImageOp::Gather | ImageOp::Lod);
        if !matches!(kind, ImageOp::Size | ImageOp::Levels | ImageOp::Samples) {
            let coordinates = self.value(operand(1))?;
            // The level that a query finds does not depend on the layer.
            ins.arrayed &= kind != ImageOp::Lod;
            if coordinates.n < axes + u32::from(ins.arrayed) {
                return Err("too few coordinates".into());
            }
            ins.coordinates = coordinates.row;
            ins.coordinate_bits = self.width_of(operand(1))?.0;
            if samples && ins.coordinate_bits != 32 {
                return Err("sampling needs 32-bit coordinates".into());
            }
        }
        match kind {
            ImageOp::Size if op == Op::ImageQuerySizeLod => ins.level = ImageLevel::Explicit(self.scalar(operand(1))?),
            ImageOp::Pointer if ty.multisampled => ins.sample = Some(self.scalar(operand(2))?),
            ImageOp::Sample | ImageOp::Gather if compares(op) => ins.reference = Some(self.scalar(operand(2))?),
            ImageOp::Gather => ins.component = self.constant_u32(operand(2))?,
            _ => {}
        }
        if !matches!(kind, ImageOp::Pointer | ImageOp::Size | ImageOp::Levels | ImageOp::Samples | ImageOp::Lod) {
            self.image_operands(&mut ins, w.get(fixed..).unwrap_or(&[]))?;
        }
        let mut result = None;
        match kind {
            ImageOp::Write => {
                let Value { row, n } = self.value(operand(2))?;
                (ins.value, ins.components) = (row, n);
            }
            ImageOp::Pointer => {
                ins.dst = self.rows(1)?;
                result = Some((ins.dst, 1));
            }
            _ => {
                let value = self.new_value(inst.ty)?;
                let texel = match self.ty(inst.ty)? {
                    Type::Struct { members, .. } if ins.sparse => members.get(1).copied().unwrap_or(0),
                    _ => inst.ty,
                };
                ins.wide = self.width(texel)?.0 == 64;
                (ins.dst, ins.components) = (value.row, value.n - u32::from(ins.sparse));
                result = Some((value.row, value.n));
            }
        }
        self.emit(Ins::Image(Box::new(ins)));
        if let Some((row, n)) = result {
            self.define(inst, row, n);
        }
        Ok(true)
    }

    /// Reads the mask and the operands of its bits, in the order of the bits.
    fn image_operands(&mut self, ins: &mut ImageIns, words: &[u32]) -> Result<()> {
        let Some((mask, ids)) = words.split_first() else { return Ok(()) };
        let mask = ImageOperands::from_bits_truncate(*mask);
        let mut ids = ids.iter().copied();
        let mut next = |bit: ImageOperands| if mask.contains(bit) { ids.next() } else { None };
        if let Some(bias) = next(ImageOperands::BIAS) {
            ins.level = ImageLevel::Bias(self.scalar(bias)?);
        }
        if let Some(level) = next(ImageOperands::LOD) {
            ins.level = ImageLevel::Explicit(self.scalar(level)?);
        }
        if let (Some(x), Some(y)) = (next(ImageOperands::GRAD), next(ImageOperands::GRAD)) {
            ins.level = ImageLevel::Gradient(self.value(x)?.row, self.value(y)?.row);
        }
        for bit in [ImageOperands::CONST_OFFSET, ImageOperands::OFFSET] {
            if let Some(offset) = next(bit) {
                ins.offset = Some(self.value(offset)?.row);
            }
        }
        if let Some(offsets) = next(ImageOperands::CONST_OFFSETS) {
            ins.offsets = Some(self.value(offsets)?.row);
        }
        if let Some(sample) = next(ImageOperands::SAMPLE) {
            ins.sample = Some(self.scalar(sample)?);
        }
        if let Some(least) = next(ImageOperands::MIN_LOD) {
            ins.least = Some(self.scalar(least)?);
        }
        Ok(())
    }
}
