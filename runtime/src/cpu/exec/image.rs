//! Image instructions: texels, samples, queries, lane by lane.

use super::ops::Active;
use super::{Bound, Result, Run};
use crate::cpu::findings::FindingCode;
use crate::cpu::image::{Image, decode, encode};
use crate::cpu::memory::{POISON, UNBOUND, address_of};
use crate::cpu::program::{ImageIns, ImageLevel, ImageOp, Row, Space};
use crate::cpu::sample::{Level, SamplePoint, View};
use crate::cpu::sanitize::Access;
use crate::device::{ImageDesc, SamplerDesc};

/// Most bytes of a texel.
const MAX_TEXEL: usize = 16;

impl Run<'_, '_> {
    pub(super) fn image(&mut self, active: &Active, word: u32, ins: &ImageIns) -> Result<()> {
        for lane in active.mask.lanes() {
            let Some(image) = self.bound_image(ins.image, lane) else {
                self.report(FindingCode::UnboundResource, word, Some(lane), || "an image that is not bound".into())?;
                self.image_result(ins, lane, [0; 4]);
                if ins.op == ImageOp::Pointer {
                    self.rows.set(ins.dst, lane, UNBOUND);
                }
                continue;
            };
            match ins.op {
                ImageOp::Size => {
                    let level = match ins.level {
                        ImageLevel::Explicit(row) => self.rows.get(row, lane) as u32,
                        _ => 0,
                    };
                    let size = if level < image.desc.levels { image.level_size(level) } else { [0; 3] };
                    let mut values = [0; 4];
                    let axes = if image.desc.cube { 2 } else { ins.axes as usize };
                    for (slot, extent) in values.iter_mut().zip(size).take(axes) {
                        *slot = u64::from(extent);
                    }
                    if let Some(slot) = values.get_mut(axes).filter(|_| ins.arrayed) {
                        *slot = u64::from(image.desc.layers / if image.desc.cube { 6 } else { 1 });
                    }
                    self.image_result(ins, lane, values);
                }
                ImageOp::Levels => self.image_result(ins, lane, [u64::from(image.desc.levels); 4]),
                ImageOp::Samples => self.image_result(ins, lane, [u64::from(image.desc.samples); 4]),
                ImageOp::Sample | ImageOp::Gather | ImageOp::Lod
                    if self.resource(ins.sampler, lane) == Bound::Nothing =>
                {
                    self.report(FindingCode::UnboundResource, word, Some(lane), || {
                        "a sampler that is not bound".into()
                    })?;
                    self.image_result(ins, lane, [0; 4]);
                }
                ImageOp::Sample | ImageOp::Gather | ImageOp::Lod => {
                    let texel = self.sampled(ins, active, lane, &image);
                    self.image_result(ins, lane, texel);
                }
                ImageOp::Read | ImageOp::Write | ImageOp::Pointer => self.texel(ins, word, lane, &image)?,
            }
        }
        Ok(())
    }

    fn bound_image(&self, row: Row, lane: usize) -> Option<Image> {
        match self.resource(row, lane) {
            Bound::Image(index) => self.world.images.get(index as usize).copied(),
            Bound::TexelBuffer { region, format, texels } => {
                Some(Image { desc: ImageDesc::new(format, &[texels]), region })
            }
            _ => None,
        }
    }

    /// Writes the instruction's result; a sparse one also reports that all texels were resident.
    fn image_result(&mut self, ins: &ImageIns, lane: usize, values: [u64; 4]) {
        if matches!(ins.op, ImageOp::Write | ImageOp::Pointer) {
            return;
        }
        let mut first = ins.dst;
        if ins.sparse {
            self.rows.set(first, lane, 1);
            first += 1;
        }
        for (row, value) in (first..).zip(values).take(ins.components as usize) {
            self.rows.set(row, lane, if ins.wide { value } else { value & 0xffff_ffff });
        }
    }

    /// Returns the texel that an instruction writes.
    fn texel_rows(&self, ins: &ImageIns, lane: usize) -> [u64; 4] {
        let mut values = [0u64; 4];
        for (slot, row) in values.iter_mut().zip(ins.value..).take(ins.components as usize) {
            *slot = self.rows.get(row, lane);
        }
        values
    }

    fn float(&self, row: Row, lane: usize) -> f32 {
        f32::from_bits(self.rows.get(row, lane) as u32)
    }

    fn floats(&self, first: Row, count: u32, lane: usize) -> [f32; 3] {
        let mut out = [0.0; 3];
        for (slot, row) in out.iter_mut().zip(first..first + count) {
            *slot = self.float(row, lane);
        }
        out
    }

    fn integer(&self, row: Row, lane: usize, wide: bool) -> i64 {
        let raw = self.rows.get(row, lane);
        if wide { raw as i64 } else { i64::from(raw as u32 as i32) }
    }

    fn texel(&mut self, ins: &ImageIns, word: u32, lane: usize, image: &Image) -> Result<()> {
        // Coordinates outside are out of range, regardless of their sign.
        let mut at = [0i64; 3];
        for (slot, row) in at.iter_mut().zip(ins.coordinates..ins.coordinates + ins.axes) {
            *slot = self.integer(row, lane, ins.coordinate_bits == 64);
        }
        let number = |row: Option<Row>| row.map_or(0, |row| self.integer(row, lane, false));
        let layer = number(ins.arrayed.then_some(ins.coordinates + ins.axes));
        let sample = number(ins.sample);
        let level = match ins.level {
            ImageLevel::Explicit(row) => number(Some(row)),
            _ => 0,
        };
        if let Some(offset) = ins.offset {
            for (slot, row) in at.iter_mut().zip(offset..offset + ins.axes) {
                *slot += self.integer(row, lane, false);
            }
        }
        let bytes = image.desc.format.texel_bytes() as usize;
        let parts = [layer, level, sample].map(|n| u32::try_from(n).unwrap_or(u32::MAX));
        let offset = image.offset(at, parts[0], parts[1], parts[2]);
        if ins.op == ImageOp::Pointer {
            let address = offset.map_or(POISON, |offset| address_of(image.region) + offset);
            self.rows.set(ins.dst, lane, address);
            return Ok(());
        }
        let Some(offset) = offset else {
            self.image_result(ins, lane, [0; 4]);
            let ImageDesc { size: [w, h, d], layers, levels, .. } = image.desc;
            return self.report(FindingCode::OutOfRange, word, Some(lane), || {
                let mut what = format!("texel {at:?}");
                for (name, number, count) in [("layer", layer, layers), ("level", level, levels)] {
                    if count > 1 || number != 0 {
                        what += &format!(", {name} {number} of {count}");
                    }
                }
                what + &format!(" of an image of {w} x {h} x {d}")
            });
        };
        let address = address_of(image.region) + offset;
        let access = if ins.op == ImageOp::Read { Access::Read } else { Access::Write };
        if self.world.races.is_some() {
            let mut texel = vec![0; bytes];
            if ins.op == ImageOp::Write {
                encode(image.desc.format, self.texel_rows(ins, lane), &mut texel);
            }
            let space = Space::Device { coherent: ins.coherent };
            self.touch(word, None, lane, [address, bytes as u64], access, space, |run, _| {
                run.world.memory.slice(address, bytes) == Some(texel.as_slice())
            })?;
        }
        if ins.op == ImageOp::Read {
            let mut texel = [0; MAX_TEXEL];
            let texel = texel.get_mut(..bytes).unwrap_or(&mut []);
            self.world.memory.copy_out(address, texel);
            let values = decode(image.desc.format, texel);
            self.image_result(ins, lane, values);
        } else {
            let values = self.texel_rows(ins, lane);
            let mut texel = [0; MAX_TEXEL];
            let texel = texel.get_mut(..bytes).unwrap_or(&mut []);
            encode(image.desc.format, values, texel);
            self.world.memory.copy_in(address, texel);
        }
        Ok(())
    }

    /// Returns the result of a sample, gather or query of the level.
    fn sampled(&self, ins: &ImageIns, active: &Active, lane: usize, image: &Image) -> [u64; 4] {
        // A combined image and sampler without a sampler from the host uses the plainest.
        let sampler = match self.resource(ins.sampler, lane) {
            Bound::Sampler(index) => self.world.samplers.get(index as usize).copied().unwrap_or_default(),
            _ => SamplerDesc::default(),
        };
        let memory = &*self.world.memory;
        let bytes = image.desc.format.texel_bytes() as usize;
        let read = |offset: u64| {
            let mut texel = [0; MAX_TEXEL];
            let texel = texel.get_mut(..bytes).unwrap_or(&mut []);
            memory.copy_out(address_of(image.region) + offset, texel);
            decode(image.desc.format, texel)
        };
        let view = View { image, sampler: &sampler, read: &read };
        let mut place = SamplePoint {
            coord: self.floats(ins.coordinates, ins.axes, lane),
            layer: if ins.arrayed { self.float(ins.coordinates + ins.axes, lane) } else { 0.0 },
            offset: [0; 3],
        };
        if let Some(offset) = ins.offset {
            for (slot, row) in place.offset.iter_mut().zip(offset..offset + ins.axes) {
                *slot = self.integer(row, lane, false);
            }
        }
        let reference = ins.reference.map(|row| self.float(row, lane));
        let derived = |bias: f32| {
            let [dx, dy] = self.derivatives(ins, active, lane);
            Level::Derived { dx, dy, bias }
        };
        let level = match ins.level {
            ImageLevel::Explicit(row) => Level::Explicit(self.float(row, lane)),
            ImageLevel::Gradient(x, y) => {
                Level::Derived { dx: self.floats(x, ins.axes, lane), dy: self.floats(y, ins.axes, lane), bias: 0.0 }
            }
            ImageLevel::Bias(row) => derived(self.float(row, lane)),
            ImageLevel::None if ins.op == ImageOp::Gather => Level::Explicit(0.0),
            ImageLevel::None => derived(0.0),
        };
        let least = ins.least.map_or(f32::NEG_INFINITY, |row| self.float(row, lane));
        match ins.op {
            ImageOp::Lod => {
                let [clamped, unclamped] = view.query_lod(&place, &level).map(|level| u64::from(level.to_bits()));
                [clamped, unclamped, 0, 0]
            }
            ImageOp::Gather => match ins.offsets {
                // Texel i0 j0 of each footprint.
                Some(offsets) => [0, 1, 2, 3].map(|n| {
                    let offset = [offsets + 2 * n, offsets + 2 * n + 1].map(|row| self.integer(row, lane, false));
                    place.offset = [offset[0], offset[1], 0];
                    view.gather(&place, ins.component as usize, reference)[3]
                }),
                None => view.gather(&place, ins.component as usize, reference),
            },
            _ => view.sample(&place, &level, least, reference),
        }
    }

    /// Differences of the coordinate to the neighbours in the quad. A neighbour that is elsewhere counts as equal.
    fn derivatives(&self, ins: &ImageIns, active: &Active, lane: usize) -> [[f32; 3]; 2] {
        let at = |lane: usize| self.floats(ins.coordinates, ins.axes, lane);
        self.program.quad_neighbours(lane).map(|[low, high]| {
            if !active.mask.contains(low) || !active.mask.contains(high) {
                return [0.0; 3];
            }
            let (low, high) = (at(low), at(high));
            [0, 1, 2].map(|i| high[i] - low[i])
        })
    }
}
