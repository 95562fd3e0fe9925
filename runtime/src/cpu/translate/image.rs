//! Image instructions: storage images, fetches, and samples of level 0.

use super::{Result, Translator, Value};
use crate::cpu::program::{ImageIns, ImageOp, Ins, TexelKind};
use spirv::{Dim, Op};
use wgc_spirv_module::module::Inst;
use wgc_spirv_module::types::ImageType;
use wgc_spirv_module::{Id, Type};

impl Translator<'_> {
    fn image_type(&self, id: Id) -> Result<ImageType> {
        let ty = match self.ty(self.m.type_of(id))? {
            Type::SampledImage { image } => self.ty(*image)?,
            Type::Pointer { pointee, .. } => self.ty(*pointee)?,
            ty => ty,
        };
        match ty {
            Type::Image(image) if !image.multisampled && !image.arrayed => Ok(*image),
            Type::Image(_) => Err("array and multisampled images are not executed".into()),
            _ => Err(format!("{} is no image", self.m.describe(id))),
        }
    }

    fn texel_kind(&self, image: ImageType) -> Result<TexelKind> {
        match self.ty(image.sampled_type)? {
            Type::Float { .. } => Ok(TexelKind::Float),
            Type::Int { signed: true, .. } => Ok(TexelKind::Signed),
            Type::Int { .. } => Ok(TexelKind::Unsigned),
            other => Err(format!("texels of {other:?} are not executed")),
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
                self.define(inst, value.row, 1);
                return Ok(true);
            }
            _ => {}
        }
        let kind = match op {
            Op::ImageRead | Op::ImageFetch => ImageOp::Read,
            Op::ImageWrite => ImageOp::Write,
            Op::ImageQuerySize | Op::ImageQuerySizeLod => ImageOp::Size,
            Op::ImageSampleExplicitLod | Op::ImageSampleImplicitLod => ImageOp::Sample,
            Op::ImageTexelPointer => ImageOp::Pointer,
            _ => return Ok(false),
        };
        let ty = self.image_type(operand(0))?;
        let dimensions = match ty.dim {
            Dim::Dim1D | Dim::DimBuffer => 1,
            Dim::Dim2D | Dim::DimRect => 2,
            Dim::Dim3D => 3,
            other => return Err(format!("images of {other:?} are not executed")),
        };
        let handle = self.value(operand(0))?;
        let mut ins = ImageIns {
            op: kind,
            dst: 0,
            image: handle.row,
            sampler: handle.row + handle.n.saturating_sub(1),
            coordinates: 0,
            dimensions,
            value: 0,
            components: 0,
            kind: self.texel_kind(ty)?,
            coordinate_bits: 32,
        };
        let mut result = None;
        if kind != ImageOp::Size {
            let coordinates = self.value(operand(1))?;
            if coordinates.n < dimensions {
                return Err("too few coordinates".into());
            }
            ins.coordinates = coordinates.row;
            ins.coordinate_bits = self.width_of(operand(1))?.0;
            if kind == ImageOp::Sample && ins.coordinate_bits != 32 {
                return Err("sampling needs 32-bit coordinates".into());
            }
        }
        match kind {
            ImageOp::Write => {
                let Value { row, n } = self.value(operand(2))?;
                if self.width_of(operand(2))?.0 != 32 {
                    return Err("texels of other than 32 bits are not executed".into());
                }
                (ins.value, ins.components) = (row, n);
            }
            ImageOp::Pointer => {
                ins.dst = self.rows(1)?;
                result = Some((ins.dst, 1));
            }
            _ => {
                let value = self.new_value(inst.ty)?;
                if kind != ImageOp::Size && self.width(inst.ty)?.0 != 32 {
                    return Err("texels of other than 32 bits are not executed".into());
                }
                (ins.dst, ins.components) = (value.row, value.n);
                result = Some((value.row, value.n));
            }
        }
        self.emit(Ins::Image(Box::new(ins)));
        if let Some((row, n)) = result {
            self.define(inst, row, n);
        }
        Ok(true)
    }
}
