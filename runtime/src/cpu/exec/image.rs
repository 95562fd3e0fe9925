//! Image instructions.

use super::ops::Active;
use super::{Bound, Result, Run};
use crate::cpu::findings::Code;
use crate::cpu::image::{Image, decode, encode};
use crate::cpu::memory::{POISON, UNBOUND, address_of};
use crate::cpu::program::{ImageIns, ImageOp, TexelKind};
use crate::device::{AddressMode, Filter};

impl Run<'_, '_> {
    pub(super) fn image(&mut self, active: &Active, word: u32, ins: &ImageIns) -> Result<()> {
        for lane in active.mask.lanes() {
            let image = match self.resource(ins.image, lane) {
                Bound::Image(index) => self.world.images.get(index as usize).copied(),
                _ => None,
            };
            let Some(image) = image else {
                self.report(Code::UnboundResource, word, || "an image that is not bound".into())?;
                self.image_result(ins, lane, [0; 4]);
                if ins.op == ImageOp::Pointer {
                    self.rows.set(ins.dst, lane, UNBOUND);
                }
                continue;
            };
            match ins.op {
                ImageOp::Size => {
                    let [w, h, d] = image.desc.size;
                    self.image_result(ins, lane, [w, h, d, 1]);
                }
                ImageOp::Sample => {
                    let sampler = match self.resource(ins.sampler, lane) {
                        Bound::Sampler(filter, address) => (filter, address),
                        // A combined image and sampler whose sampler the host does not give.
                        _ => (Filter::Nearest, AddressMode::Clamp),
                    };
                    let texel = self.sample(&image, sampler, ins, lane);
                    self.image_result(ins, lane, texel);
                }
                ImageOp::Read | ImageOp::Write | ImageOp::Pointer => self.texel(ins, word, lane, &image)?,
            }
        }
        Ok(())
    }

    fn image_result(&mut self, ins: &ImageIns, lane: usize, values: [u32; 4]) {
        for (row, value) in (ins.dst..).zip(values).take(ins.components as usize) {
            if matches!(ins.op, ImageOp::Read | ImageOp::Size | ImageOp::Sample) {
                self.rows.set(row, lane, u64::from(value));
            }
        }
    }

    fn texel(&mut self, ins: &ImageIns, word: u32, lane: usize, image: &Image) -> Result<()> {
        let mut at = [0i64; 3];
        for (i, slot) in at.iter_mut().enumerate().take(ins.dimensions as usize) {
            let raw = self.rows.get(ins.coordinates + i as u32, lane);
            // Coordinates outside are out of range whatever their sign.
            *slot = if ins.coordinate_bits == 64 { raw as i64 } else { i64::from(raw as u32 as i32) };
        }
        let bytes = image.desc.format.texel_bytes() as usize;
        let offset = image.offset(at);
        if ins.op == ImageOp::Pointer {
            let address = offset.map_or(POISON, |offset| address_of(image.region) + offset);
            self.rows.set(ins.dst, lane, address);
            return Ok(());
        }
        let Some(offset) = offset else {
            self.image_result(ins, lane, [0; 4]);
            let [w, h, d] = image.desc.size;
            return self.report(Code::OutOfRange, word, || format!("texel {at:?} of an image of {w} x {h} x {d}"));
        };
        let address = address_of(image.region) + offset;
        if ins.op == ImageOp::Read {
            let texel = self.world.memory.slice(address, bytes).unwrap_or(&[]);
            let values = decode(image.desc.format, texel, ins.kind);
            self.image_result(ins, lane, values);
        } else {
            let mut values = [0u32; 4];
            for (slot, row) in values.iter_mut().zip(ins.value..).take(ins.components as usize) {
                *slot = self.rows.get(row, lane) as u32;
            }
            if let Some(texel) = self.world.memory.slice_mut(address, bytes) {
                encode(image.desc.format, values, texel);
            }
        }
        Ok(())
    }

    /// Level 0 at normalised coordinates (Vulkan, "Texel Filtering").
    fn sample(&self, image: &Image, (filter, mode): (Filter, AddressMode), ins: &ImageIns, lane: usize) -> [u32; 4] {
        let dimensions = ins.dimensions as usize;
        let mut low = [0i64; 3];
        let mut weight = [0f32; 3];
        for i in 0..dimensions {
            let size = image.desc.size[i] as f32;
            let u = f32::from_bits(self.rows.get(ins.coordinates + i as u32, lane) as u32) * size;
            if filter == Filter::Linear {
                let corner = (u - 0.5).floor();
                low[i] = corner as i64;
                weight[i] = u - 0.5 - corner;
            } else {
                low[i] = u.floor() as i64;
            }
        }
        let fetch = |at: [i64; 3]| -> [u32; 4] {
            let mut wrapped = [0i64; 3];
            for i in 0..dimensions {
                match wrap(at[i], i64::from(image.desc.size[i]), mode) {
                    Some(place) => wrapped[i] = place,
                    None => return [0; 4],
                }
            }
            let bytes = image.desc.format.texel_bytes() as usize;
            let address = address_of(image.region) + image.offset(wrapped).unwrap_or(0);
            decode(image.desc.format, self.world.memory.slice(address, bytes).unwrap_or(&[]), ins.kind)
        };
        if filter == Filter::Nearest || ins.kind != TexelKind::Float {
            return fetch(low);
        }
        let mut sum = [0f32; 4];
        for corner in 0..1usize << dimensions {
            let mut at = low;
            let mut share = 1f32;
            for i in 0..dimensions {
                let high = corner >> i & 1 != 0;
                at[i] = at[i].wrapping_add(i64::from(high));
                share *= if high { weight[i] } else { 1.0 - weight[i] };
            }
            for (total, value) in sum.iter_mut().zip(fetch(at)) {
                *total += share * f32::from_bits(value);
            }
        }
        sum.map(f32::to_bits)
    }
}

/// Where a texel coordinate lands; None is the border.
fn wrap(at: i64, size: i64, mode: AddressMode) -> Option<i64> {
    let size = size.max(1);
    match mode {
        AddressMode::Wrap => Some(at.rem_euclid(size)),
        AddressMode::Mirror => {
            let place = at.rem_euclid(2 * size);
            Some(if place < size { place } else { 2 * size - 1 - place })
        }
        AddressMode::Clamp => Some(at.clamp(0, size - 1)),
        AddressMode::Border => (0..size).contains(&at).then_some(at),
    }
}
