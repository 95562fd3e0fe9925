//! Loads, samples, gathers and queries of images.

use super::place::Lvalue;
use super::{Lower, Lowerer};
use crate::check::hir::{Arg, ExprId};
use crate::check::image::{constant_offset, is_offset};
use crate::check::ops::{BuiltinOp, SampleLod, SizeExtra};
use std::sync::Arc;
use wgc_ir::{
    Field, ImageLoad, ImageQuery, ImageSample, ImageType, Lod, Op, SampleResult, Scalar, ScalarConst, StructType,
    TexelOffset, Type, ValueId, typing,
};

/// Positions of samples in a texel, in sixteenths from its centre: for 1, 2, 4, 8 and 16 samples, consecutively.
/// Vulkan, "Multisampling": the standard sample locations, which are Direct3D's.
const SAMPLE_POSITIONS: [[i8; 2]; 31] = [
    [0, 0],
    [4, 4],
    [-4, -4],
    [-2, -6],
    [6, -2],
    [-6, 2],
    [2, 6],
    [1, -3],
    [-1, 3],
    [5, 1],
    [-3, -5],
    [-5, 5],
    [-7, -1],
    [3, 7],
    [7, -7],
    [1, 1],
    [-1, -3],
    [-3, 2],
    [4, -1],
    [-5, -2],
    [2, 5],
    [5, 3],
    [3, -5],
    [-2, 6],
    [0, -7],
    [-4, -6],
    [-6, 4],
    [-8, 0],
    [7, -4],
    [6, 7],
    [-7, -8],
];

/// The optional arguments of a sampling method, after the fixed ones.
#[derive(Default)]
struct Extra {
    offsets: Vec<ExprId>,
    least: Option<ValueId>,
    /// The argument that receives the residency code.
    status: Option<usize>,
}

impl<'db> Lowerer<'db> {
    fn image(&mut self, object: ExprId) -> Lower<(ValueId, ImageType)> {
        let span = self.body.expr(object).span;
        let image = self.object_value(object, span)?;
        match self.b.ty(image) {
            Type::Image(ty) => Some((image, ty)),
            _ => self.unsupported(span, "this image"),
        }
    }

    /// Returns the place of `image[p]`, `image.mips[level][p]` or `image.sample[n][p]`.
    pub(super) fn texel_place(&mut self, op: BuiltinOp, object: ExprId, args: &[Arg], ty: Type) -> Lower<Lvalue> {
        let (image, image_ty) = self.image(object)?;
        let first = self.arg(args, 0)?;
        let (level, sample, coord) = match op {
            BuiltinOp::ImageMipTexel => (Some(first), None, self.arg(args, 1)?),
            BuiltinOp::ImageSampleTexel => (None, Some(first), self.arg(args, 1)?),
            _ if image_ty.multisampled => (None, Some(self.b.const_u32(0)), first),
            _ => (None, None, first),
        };
        Some(Lvalue::Texel { image, coord, level, sample, ty })
    }

    /// Lowers `Load`: the level is the position's last component, the sample a separate argument.
    pub(super) fn image_load(&mut self, object: ExprId, args: &[Arg]) -> Lower<ValueId> {
        let (image, ty) = self.image(object)?;
        let position = self.arg(args, 0)?;
        let fixed = 1 + usize::from(ty.multisampled);
        let sample = if ty.multisampled { Some(self.arg(args, 1)?) } else { None };
        let n = typing::coord_components(ty);
        let has_level = self.b.ty(position).components().unwrap_or(1) > n;
        let level = has_level.then(|| self.b.extract(position, n));
        let axes: Vec<u8> = (0..n as u8).collect();
        let mut coord = self.pick(position, &axes);
        let extra = self.extra(args, fixed)?;
        if let Some(&offset) = extra.offsets.first() {
            // A fetch accepts any offset as part of its coordinate; the layer has none.
            let mut offset = self.value(offset)?;
            if ty.arrayed {
                let zero = self.b.const_i32(0);
                offset = self.b.compose(Type::vector_of(Scalar::I32, n), vec![offset, zero]);
            }
            coord = self.b.add(coord, offset);
        }
        let sparse = extra.status.is_some();
        let load = Op::ImageLoad(Box::new(ImageLoad { image, coord, level, sample, sparse }));
        self.access(load, typing::texel_type(ty), args, extra.status)
    }

    /// Returns the value of an access. A sparse access also stores its status: 1 if everything was resident. Only the
    /// device can interpret its own codes, and loads from buffers have none.
    fn access(&mut self, op: Op, result: Type, args: &[Arg], status: Option<usize>) -> Lower<ValueId> {
        let Some(status) = status else { return Some(self.b.value_as(result, op)) };
        let both = self.b.value_as(sparse_type(result), op);
        let code = self.b.extract(both, 0);
        let resident = self.b.value(Op::Resident(code));
        let known = self.b.convert(resident, Type::U32);
        self.put(args, status, known)?;
        Some(self.b.extract(both, 1))
    }

    /// Returns the arguments after the first `fixed` ones.
    fn extra(&mut self, args: &[Arg], fixed: usize) -> Lower<Extra> {
        let mut extra = Extra::default();
        for (i, arg) in args.iter().enumerate().skip(fixed) {
            match *arg {
                Arg::In(e) if is_offset(self.db, self.body.expr(e).ty) => extra.offsets.push(e),
                Arg::In(e) => extra.least = Some(self.value(e)?),
                _ => extra.status = Some(i),
            }
        }
        Some(extra)
    }

    pub(super) fn image_sample(
        &mut self,
        id: ExprId,
        object: ExprId,
        compare: bool,
        lod: SampleLod,
        args: &[Arg],
    ) -> Lower<ValueId> {
        let (image, ty) = self.image(object)?;
        let (sampler, coord) = (self.sampler(args)?, self.arg(args, 1)?);
        let mut fixed = 2..;
        let mut next = |this: &mut Self| this.arg(args, fixed.next()?);
        let result = if compare { SampleResult::Compared(next(self)?) } else { SampleResult::Texel };
        let lod = match lod {
            SampleLod::Implicit => Lod::Implicit,
            SampleLod::Bias => Lod::Bias(next(self)?),
            SampleLod::Level => Lod::Level(next(self)?),
            SampleLod::Gradient => Lod::Gradient(next(self)?, next(self)?),
            SampleLod::Zero => Lod::Level(self.b.const_f32(0.0)),
        };
        let fixed = fixed.start;
        let extra = self.extra(args, fixed)?;
        let offset = match extra.offsets.first() {
            Some(&offset) => TexelOffset::One(self.offset(offset, ty)?),
            None => TexelOffset::None,
        };
        let sparse = extra.status.is_some();
        let sample = ImageSample { image, sampler, coord, result, lod, offset, min_lod: extra.least, sparse };
        let texel = if compare { Type::F32 } else { typing::texel_type(ty) };
        let value = self.access(Op::ImageSample(Box::new(sample)), texel, args, extra.status)?;
        let ty = self.expr_type(id)?;
        Some(self.adapt(value, &ty))
    }

    fn sampler(&mut self, args: &[Arg]) -> Lower<ValueId> {
        let sampler = args.first()?.expr();
        let span = self.body.expr(sampler).span;
        self.object_value(sampler, span)
    }

    /// Returns an offset, as one IR constant if possible.
    fn offset(&mut self, offset: ExprId, ty: ImageType) -> Lower<ValueId> {
        match constant_offset(self.db, self.body, offset) {
            Some(_) => self.constant_offset(offset, ty),
            None => self.value(offset),
        }
    }

    /// Returns a constant offset as one IR constant.
    fn constant_offset(&mut self, offset: ExprId, ty: ImageType) -> Lower<ValueId> {
        let parts = constant_offset(self.db, self.body, offset)?;
        let parts: Vec<ValueId> = parts.into_iter().map(|part| self.b.constant(ScalarConst::i32(part))).collect();
        match (parts.as_slice(), typing::direction_components(ty)) {
            (&[only], 1) => Some(only),
            (_, n) => Some(self.b.compose(Type::vector_of(Scalar::I32, n), parts)),
        }
    }

    pub(super) fn image_gather(
        &mut self,
        id: ExprId,
        object: ExprId,
        component: u8,
        compare: bool,
        args: &[Arg],
    ) -> Lower<ValueId> {
        let (image, ty) = self.image(object)?;
        let (sampler, coord) = (self.sampler(args)?, self.arg(args, 1)?);
        let result = match compare {
            true => SampleResult::GatherCompared(self.arg(args, 2)?),
            false => SampleResult::Gathered(component),
        };
        let extra = self.extra(args, 2 + usize::from(compare))?;
        let four = Type::Vector(if compare { Scalar::F32 } else { ty.texel }, 4);
        let gather = |offset, sparse| {
            let lod = Lod::Implicit;
            let sample = ImageSample { image, sampler, coord, result, lod, offset, min_lod: None, sparse };
            Op::ImageSample(Box::new(sample))
        };
        let sparse = extra.status.is_some();
        let is_constant = |e: &ExprId| constant_offset(self.db, self.body, *e).is_some();
        let value = match extra.offsets.as_slice() {
            [] => self.access(gather(TexelOffset::None, sparse), four, args, extra.status)?,
            &[one] => {
                let offset = self.offset(one, ty)?;
                self.access(gather(TexelOffset::One(offset), sparse), four, args, extra.status)?
            }
            offsets if offsets.iter().all(is_constant) => {
                let offsets = offsets.iter().map(|e| self.constant_offset(*e, ty)).collect::<Lower<Vec<ValueId>>>()?;
                let offset = TexelOffset::Four(offsets.try_into().ok()?);
                self.access(gather(offset, sparse), four, args, extra.status)?
            }
            // Four gathers; each provides the texel that one gather with four offsets would take.
            offsets => {
                let mut texels = Vec::new();
                for offset in offsets {
                    let offset = self.value(*offset)?;
                    let texel =
                        self.access(gather(TexelOffset::One(offset), sparse), four.clone(), args, extra.status)?;
                    texels.push(self.b.extract(texel, 3));
                }
                self.b.compose(four, texels)
            }
        };
        let ty = self.expr_type(id)?;
        Some(self.adapt(value, &ty))
    }

    pub(super) fn image_lod(&mut self, object: ExprId, unclamped: bool, args: &[Arg]) -> Lower<ValueId> {
        let (image, _) = self.image(object)?;
        let (sampler, coord) = (self.sampler(args)?, self.arg(args, 1)?);
        let query = ImageQuery::Lod { sampler, coord };
        let levels = self.b.value(Op::ImageQuery { image, query });
        Some(self.b.extract(levels, u32::from(unclamped)))
    }

    /// Lowers `GetDimensions`: extents, layers, then levels or samples.
    pub(super) fn image_size(&mut self, object: ExprId, extra: SizeExtra, args: &[Arg]) -> Lower<()> {
        let (image, ty) = self.image(object)?;
        let (level, first) = match extra {
            SizeExtra::Levels => (Some(self.arg(args, 0)?), 1),
            SizeExtra::Nothing | SizeExtra::Samples => (None, 0),
        };
        let size = self.b.value(Op::ImageQuery { image, query: ImageQuery::Size(level) });
        let n = typing::size_components(ty);
        let mut parts: Vec<ValueId> = (0..n).map(|i| if n == 1 { size } else { self.b.extract(size, i) }).collect();
        match extra {
            SizeExtra::Nothing => {}
            SizeExtra::Levels => parts.push(self.b.value(Op::ImageQuery { image, query: ImageQuery::Levels })),
            SizeExtra::Samples => parts.push(self.b.value(Op::ImageQuery { image, query: ImageQuery::Samples })),
        }
        for (i, part) in parts.into_iter().enumerate() {
            self.put(args, first + i, part)?;
        }
        Some(())
    }

    /// Lowers `GetSamplePosition`; zero for a sample that the texture does not have.
    pub(super) fn image_sample_position(&mut self, object: ExprId, args: &[Arg]) -> Lower<ValueId> {
        let (image, _) = self.image(object)?;
        let index = self.arg(args, 0)?;
        let index = self.b.convert(index, Type::U32);
        let samples = self.b.value(Op::ImageQuery { image, query: ImageQuery::Samples });
        // The positions for n samples, a power of two, follow those for all smaller numbers.
        let float2 = Type::Vector(Scalar::F32, 2);
        let mut positions = Vec::with_capacity(SAMPLE_POSITIONS.len() + 1);
        for position in SAMPLE_POSITIONS {
            let parts = position.map(|p| self.b.const_f32(f32::from(p) / 16.0)).to_vec();
            positions.push(self.b.compose(float2.clone(), parts));
        }
        positions.push(self.b.zero(float2.clone()));
        let len = positions.len() as u32;
        let table = self.b.compose(Type::Array { element: Arc::new(float2), len, stride: 8 }, positions);
        let (one, none) = (self.b.const_u32(1), self.b.const_u32(len - 1));
        let before = self.b.sub(samples, one);
        let at = self.b.add(before, index);
        let exists = self.b.lt(index, samples);
        let listed = self.b.lt(at, none);
        let exists = self.b.and(exists, listed);
        let at = self.b.select(exists, at, none);
        Some(self.b.value(Op::ExtractDynamic { base: table, index: at }))
    }
}

/// Returns the result type of a sparse access.
fn sparse_type(result: Type) -> Type {
    let align = result.align().max(4);
    let size = (align + result.size().unwrap_or(0)).next_multiple_of(align);
    let fields = vec![Field::new("residency", Type::U32, 0), Field::new("result", result, align)];
    Type::Struct(Arc::new(StructType { name: "sparse".into(), fields, size, align }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sample_positions_are_spread_over_the_texel() {
        let mut first = 0;
        for count in [1usize, 2, 4, 8, 16] {
            let positions = &SAMPLE_POSITIONS[first..first + count];
            assert!(positions.iter().flatten().all(|c| (-8..8).contains(c)));
            // No two samples share a row or a column.
            for axis in 0..2 {
                let mut seen: Vec<i8> = positions.iter().map(|p| p[axis]).collect();
                seen.sort_unstable();
                seen.dedup();
                assert_eq!(seen.len(), count, "{count} samples, axis {axis}");
            }
            first += count;
        }
        assert_eq!(first, SAMPLE_POSITIONS.len());
    }
}
