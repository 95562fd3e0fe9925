//! Images: texels in memory, and their conversion to and from shader values.

use super::program::TexelKind;
use crate::device::{ImageDesc, ImageFormat};
use half::f16;

/// An image of the device; its texels are a region, tightly packed, x fastest.
#[derive(Clone, Copy, Debug)]
pub struct Image {
    pub desc: ImageDesc,
    pub region: u32,
}

impl Image {
    /// Byte offset of a texel, or None outside the image.
    pub fn offset(&self, [x, y, z]: [i64; 3]) -> Option<u64> {
        let [w, h, d] = self.desc.size.map(i64::from);
        let inside = (0..w).contains(&x) && (0..h).contains(&y) && (0..d).contains(&z);
        inside.then(|| ((z * h + y) * w + x) as u64 * u64::from(self.desc.format.texel_bytes()))
    }
}

/// Components, and bytes of each.
fn shape(format: ImageFormat) -> (usize, usize) {
    match format {
        ImageFormat::R8Unorm => (1, 1),
        ImageFormat::Rgba8Unorm => (4, 1),
        ImageFormat::R32Uint | ImageFormat::R32Sint | ImageFormat::R32Float => (1, 4),
        ImageFormat::Rg32Float => (2, 4),
        ImageFormat::Rgba16Float => (4, 2),
        ImageFormat::Rgba32Float | ImageFormat::Rgba32Uint => (4, 4),
    }
}

/// The four components of a texel as 32-bit registers; those the format lacks are 0, alpha 1.
pub fn decode(format: ImageFormat, texel: &[u8], kind: TexelKind) -> [u32; 4] {
    let (components, bytes) = shape(format);
    let one = if kind == TexelKind::Float { 1f32.to_bits() } else { 1 };
    let mut out = [0, 0, 0, one];
    for (slot, raw) in out.iter_mut().zip(texel.chunks_exact(bytes)).take(components) {
        *slot = match *raw {
            [byte] => (f32::from(byte) / 255.0).to_bits(),
            [a, b] => f16::from_le_bytes([a, b]).to_f32().to_bits(),
            [a, b, c, d] => u32::from_le_bytes([a, b, c, d]),
            _ => 0,
        };
    }
    out
}

/// Writes a texel. Normalised formats clamp and round to nearest even; not-a-number is 0.
pub fn encode(format: ImageFormat, values: [u32; 4], texel: &mut [u8]) {
    let (components, bytes) = shape(format);
    for (value, raw) in values.into_iter().zip(texel.chunks_exact_mut(bytes)).take(components) {
        let float = f32::from_bits(value);
        match raw {
            [byte] => *byte = (float.clamp(0.0, 1.0) * 255.0).round_ties_even() as u8,
            [_, _] => raw.copy_from_slice(&f16::from_f32(float).to_le_bytes()),
            _ => raw.copy_from_slice(&value.to_le_bytes()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unorm_rounds_to_the_nearest() {
        let mut texel = [9u8; 4];
        // 0.5 * 255 = 127.5 rounds to even; 0.25 * 255 = 63.75.
        encode(ImageFormat::Rgba8Unorm, [0.5f32, 0.25, 7.0, f32::NAN].map(f32::to_bits), &mut texel);
        assert_eq!(texel, [128, 64, 255, 0]);
        let back = decode(ImageFormat::Rgba8Unorm, &texel, TexelKind::Float).map(f32::from_bits);
        assert_eq!(back, [128.0 / 255.0, 64.0 / 255.0, 1.0, 0.0]);
    }

    #[test]
    fn missing_components_are_zero_and_one() {
        let texel = 7i32.to_le_bytes();
        assert_eq!(decode(ImageFormat::R32Sint, &texel, TexelKind::Signed), [7, 0, 0, 1]);
    }
}
