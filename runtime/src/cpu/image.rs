//! Images: texels in memory, and their conversion to and from shader values.

use crate::device::{ImageDesc, ImageFormat};
use crate::format::{Component, NumberClass};

/// An image of the device. Its texels are a region, tightly packed: by level, layer, slice and row; the samples of a
/// texel are adjacent.
#[derive(Clone, Copy, Debug)]
pub struct Image {
    pub desc: ImageDesc,
    pub region: u32,
}

impl Image {
    /// Returns the texels on each axis of a level.
    pub fn level_size(&self, level: u32) -> [u32; 3] {
        self.desc.level_size(level)
    }

    /// Returns the byte offset of a texel, or None outside the image.
    pub fn offset(&self, [x, y, z]: [i64; 3], layer: u32, level: u32, sample: u32) -> Option<u64> {
        let desc = &self.desc;
        if level >= desc.levels || layer >= desc.layers || sample >= desc.samples {
            return None;
        }
        let [w, h, d] = self.level_size(level).map(i64::from);
        let inside = (0..w).contains(&x) && (0..h).contains(&y) && (0..d).contains(&z);
        let before: u64 = (0..level).map(|l| desc.level_texels(l) * u64::from(desc.layers)).sum();
        let within = u64::from(layer) * (w * h * d) as u64 + ((z * h + y) * w + x) as u64;
        let texel = (before + within) * u64::from(desc.samples) + u64::from(sample);
        inside.then(|| texel * u64::from(desc.format.texel_bytes()))
    }
}

/// Returns the four components of a texel as registers of numbers; missing components are 0, alpha 1.
pub fn decode(format: ImageFormat, texel: &[u8]) -> [u64; 4] {
    let component = format.component();
    let one = if component.class() == NumberClass::Float { u64::from(1f32.to_bits()) } else { 1 };
    let mut out = [0, 0, 0, one];
    for (slot, raw) in out.iter_mut().zip(texel.chunks_exact(component.size())) {
        *slot = component.decode(raw);
    }
    out
}

/// Writes a texel. Integers that do not fit are the format's nearest, as graphics devices clamp them.
pub fn encode(format: ImageFormat, values: [u64; 4], texel: &mut [u8]) {
    let component = format.component();
    for (value, raw) in values.into_iter().zip(texel.chunks_exact_mut(component.size())) {
        component.encode(clamped(component, value), raw);
    }
}

/// Clamps an integer to the range of the narrower component. Registers of 32 bits are not sign-extended.
fn clamped(component: Component, value: u64) -> u64 {
    match component {
        Component::Uint8 => value.min(0xff),
        Component::Uint16 => value.min(0xffff),
        Component::Sint8 => i64::from(value as u32 as i32).clamp(-0x80, 0x7f) as u64,
        Component::Sint16 => i64::from(value as u32 as i32).clamp(-0x8000, 0x7fff) as u64,
        _ => value,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bits(values: [f32; 4]) -> [u64; 4] {
        values.map(|v| u64::from(v.to_bits()))
    }

    #[test]
    fn unorm_rounds_to_the_nearest() {
        let mut texel = [9u8; 4];
        // 0.5 * 255 = 127.5 rounds to even; 0.25 * 255 = 63.75.
        encode(ImageFormat::Rgba8Unorm, bits([0.5, 0.25, 7.0, f32::NAN]), &mut texel);
        assert_eq!(texel, [128, 64, 255, 0]);
        assert_eq!(decode(ImageFormat::Rgba8Unorm, &texel), bits([128.0 / 255.0, 64.0 / 255.0, 1.0, 0.0]));
    }

    #[test]
    fn missing_components_are_zero_and_one() {
        let texel = (-7i32).to_le_bytes();
        assert_eq!(decode(ImageFormat::R32Sint, &texel), [(-7i64) as u64, 0, 0, 1]);
    }

    #[test]
    fn texels_are_stored_by_mip_level() {
        let desc = ImageDesc { levels: 3, layers: 2, arrayed: true, ..ImageDesc::new(ImageFormat::R8Unorm, &[4, 2]) };
        let image = Image { desc, region: 0 };
        assert_eq!(image.offset([3, 1, 0], 0, 0, 0), Some(7));
        assert_eq!(image.offset([0, 0, 0], 1, 0, 0), Some(8));
        // Level 1 is 2 x 1, after two layers of 8.
        assert_eq!(image.offset([1, 0, 0], 1, 1, 0), Some(16 + 2 + 1));
        assert_eq!(image.offset([0, 0, 0], 1, 2, 0), Some(16 + 4 + 1));
        assert_eq!([image.offset([2, 0, 0], 0, 1, 0), image.offset([0, 0, 0], 2, 0, 0)], [None, None]);
        let desc = ImageDesc { samples: 4, ..ImageDesc::new(ImageFormat::R32Uint, &[2, 2]) };
        assert_eq!(Image { desc, region: 0 }.offset([1, 0, 0], 0, 0, 2), Some((4 + 2) * 4));
    }
}
