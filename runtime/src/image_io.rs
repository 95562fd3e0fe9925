//! PNG files, and texels of the device's formats as 8-bit RGBA and back.
//!
//! Pictures are for viewing and for comparisons in tests, so everything is converted to four channels of eight bits.
//! Unsigned normalised and floating-point texels are clamped to 0..1 and rounded to the nearest of 256 steps; integer
//! texels are clamped to 0..255. No colour space is applied.

use crate::device::ImageFormat;
use crate::format::{Component, NumberClass};

/// A picture of four 8-bit channels, rows from the top, tightly packed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    pub width: u32,
    pub height: u32,
    /// `width * height * 4` bytes.
    pub rgba: Vec<u8>,
}

/// The limit of the texels of a file. They are compressed, so the size of the file limits them little.
const MAX_TEXELS: u64 = 8_192 * 8_192;

/// The memory limit for decoding one file.
const DECODE_LIMIT: usize = 4 * MAX_TEXELS as usize;

impl Picture {
    /// # Errors
    /// Reads a PNG file, or returns a description of the error in it.
    pub fn from_png(bytes: &[u8]) -> Result<Self, String> {
        let limits = png::Limits { bytes: DECODE_LIMIT };
        let mut decoder = png::Decoder::new_with_limits(std::io::Cursor::new(bytes), limits);
        // A colour profile is unpacked without a limit, and has no use here.
        decoder.set_ignore_iccp_chunk(true);
        decoder.set_ignore_text_chunk(true);
        decoder.set_transformations(png::Transformations::EXPAND | png::Transformations::STRIP_16);
        let broken = |error: png::DecodingError| format!("cannot read the PNG file: {error}");
        let mut reader = decoder.read_info().map_err(broken)?;
        let (width, height) = (reader.info().width, reader.info().height);
        if u64::from(width) * u64::from(height) > MAX_TEXELS {
            return Err(format!("the image has {width} x {height} texels, more than {MAX_TEXELS}"));
        }
        let size = reader.output_buffer_size().filter(|&n| n <= DECODE_LIMIT).ok_or("the image is too large")?;
        let mut raw = vec![0; size];
        let frame = reader.next_frame(&mut raw).map_err(broken)?;
        raw.truncate(frame.buffer_size());
        let rgba = match frame.color_type {
            png::ColorType::Grayscale => raw.iter().flat_map(|&g| [g, g, g, 255]).collect(),
            png::ColorType::GrayscaleAlpha => raw.chunks_exact(2).flat_map(|p| [p[0], p[0], p[0], p[1]]).collect(),
            png::ColorType::Rgb => raw.chunks_exact(3).flat_map(|p| [p[0], p[1], p[2], 255]).collect(),
            png::ColorType::Rgba => raw,
            png::ColorType::Indexed => return Err("a PNG file with a palette was not expanded".to_owned()),
        };
        Ok(Self { width: frame.width, height: frame.height, rgba })
    }

    /// # Errors
    /// A size that PNG does not have, or that does not fit the texels.
    pub fn to_png(&self) -> Result<Vec<u8>, String> {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, self.width, self.height);
        encoder.set_color(png::ColorType::Rgba);
        encoder.set_depth(png::BitDepth::Eight);
        let failed = |error: png::EncodingError| format!("cannot encode a PNG file: {error}");
        let mut writer = encoder.write_header().map_err(failed)?;
        writer.write_image_data(&self.rgba).map_err(failed)?;
        writer.finish().map_err(failed)?;
        Ok(bytes)
    }

    /// Converts an image's texels to a picture; the slices of a volume are stacked vertically.
    ///
    /// # Errors
    /// The texels do not fit the size.
    pub fn from_texels(format: ImageFormat, size: [u32; 3], texels: &[u8]) -> Result<Self, String> {
        let [width, rows, slices] = size;
        let height = rows.checked_mul(slices).ok_or("the image is too large for a PNG file")?;
        let count = u64::from(width) * u64::from(height);
        if texels.len() as u64 != count * u64::from(format.texel_bytes()) {
            return Err(format!("{} bytes of texels for {width} x {height} of {}", texels.len(), format.name()));
        }
        let rgba = texels.chunks_exact(format.texel_bytes() as usize).flat_map(|t| to_rgba8(format, t)).collect();
        Ok(Self { width, height, rgba })
    }

    /// Returns the picture as texels of `format`.
    pub fn to_texels(&self, format: ImageFormat) -> Vec<u8> {
        let component = format.component();
        let size = component.size();
        let mut texels = Vec::with_capacity(self.rgba.len() / 4 * format.texel_bytes() as usize);
        for pixel in self.rgba.chunks_exact(4) {
            for channel in pixel.iter().take(channels(format)) {
                let register = match component.class() {
                    NumberClass::Float => u64::from((f32::from(*channel) / 255.0).to_bits()),
                    _ if component == Component::Sint8 => u64::from((*channel).min(127)),
                    _ => u64::from(*channel),
                };
                let mut raw = [0; 8];
                component.encode(register, &mut raw);
                texels.extend(raw.iter().take(size));
            }
        }
        texels
    }
}

/// Channels of a texel, 1 to 4.
pub fn channels(format: ImageFormat) -> usize {
    format.channels() as usize
}

/// Converts one texel; a single channel is shown as grey, missing ones are 0, missing alpha is opaque.
fn to_rgba8(format: ImageFormat, texel: &[u8]) -> [u8; 4] {
    let component = format.component();
    let mut values = texel.chunks_exact(component.size()).map(|bytes| to_8_bits(component, bytes));
    match (values.next(), values.next(), values.next(), values.next()) {
        (Some(grey), None, ..) => [grey, grey, grey, 255],
        (r, g, b, a) => [r.unwrap_or(0), g.unwrap_or(0), b.unwrap_or(0), a.unwrap_or(255)],
    }
}

fn to_8_bits(component: Component, bytes: &[u8]) -> u8 {
    let register = component.decode(bytes);
    match component.class() {
        // `as` converts NaN to 0.
        NumberClass::Float => (f32::from_bits(register as u32).clamp(0.0, 1.0) * 255.0).round() as u8,
        NumberClass::Unsigned => register.min(255) as u8,
        NumberClass::Signed => (register as i64).clamp(0, 255) as u8,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn png_round_trip() {
        let rgba: Vec<u8> = (0..5 * 3 * 4).map(|i| (i * 37 % 256) as u8).collect();
        let picture = Picture { width: 5, height: 3, rgba };
        let png = picture.to_png().unwrap();
        assert_eq!(png[..8], [0x89, b'P', b'N', b'G', 13, 10, 26, 10]);
        assert_eq!(Picture::from_png(&png), Ok(picture.clone()));
        assert!(Picture::from_png(&png[..png.len() / 2]).is_err());
        assert!(Picture::from_png(b"no picture").is_err());
        assert!(Picture { width: 0, ..picture.clone() }.to_png().is_err());
        assert!(Picture { width: 6, ..picture }.to_png().is_err());
    }

    #[test]
    fn texels_of_files_are_limited_before_they_are_decoded() {
        // Only the header is there.
        let header = |width: u32, height: u32| {
            let mut bytes = Vec::new();
            let mut encoder = png::Encoder::new(&mut bytes, width, height);
            encoder.set_color(png::ColorType::Grayscale);
            encoder.write_header().unwrap().write_chunk(png::chunk::IDAT, &[]).unwrap();
            bytes
        };
        let error = |width, height| Picture::from_png(&header(width, height)).unwrap_err();
        assert_eq!(error(8_192, 8_193), "the image has 8192 x 8193 texels, more than 67108864");
        assert_eq!(error(65_536, 65_536), "the image has 65536 x 65536 texels, more than 67108864");
        assert!(error(256, 256).starts_with("cannot read the PNG file"), "{}", error(256, 256));
    }

    #[test]
    fn one_bit_and_16_bit_png_images_decode() {
        // A grey picture of one bit per texel and one of three 16-bit channels, by the encoder's own means.
        let encode = |color, depth, width, data: &[u8]| {
            let mut bytes = Vec::new();
            let mut encoder = png::Encoder::new(&mut bytes, width, 1);
            encoder.set_color(color);
            encoder.set_depth(depth);
            encoder.write_header().unwrap().write_image_data(data).unwrap();
            bytes
        };
        let grey = encode(png::ColorType::Grayscale, png::BitDepth::One, 3, &[0b1010_0000]);
        assert_eq!(Picture::from_png(&grey).unwrap().rgba, [255, 255, 255, 255, 0, 0, 0, 255, 255, 255, 255, 255]);
        let deep = encode(png::ColorType::Rgb, png::BitDepth::Sixteen, 1, &[0x12, 0x34, 0x56, 0x78, 0x9a, 0xbc]);
        assert_eq!(Picture::from_png(&deep).unwrap().rgba, [0x12, 0x56, 0x9a, 255]);
    }

    /// A profile may unpack to a thousand times its size.
    #[test]
    fn ancillary_png_chunks_are_skipped() {
        let png = Picture { width: 1, height: 1, rgba: vec![1, 2, 3, 4] }.to_png().unwrap();
        let header = 8 + 25;
        for kind in [*b"iCCP", *b"zTXt", *b"iTXt", *b"tEXt"] {
            let mut with = png[..header].to_vec();
            with.extend([0, 0, 0, 5]);
            with.extend(kind);
            with.extend([b'a', 0, 0, 0xff, 0xff]);
            with.extend(crc(&with[header + 4..]).to_be_bytes());
            with.extend(&png[header..]);
            assert_eq!(Picture::from_png(&with).map(|picture| picture.rgba), Ok(vec![1, 2, 3, 4]));
        }
    }

    /// The checksum of a chunk, by the specification of PNG, annex D.
    fn crc(bytes: &[u8]) -> u32 {
        let step = |crc: u32| if crc & 1 == 1 { 0xedb8_8320 ^ (crc >> 1) } else { crc >> 1 };
        let byte = |crc: u32, byte: &u8| (0..8).fold(crc ^ u32::from(*byte), |crc, _| step(crc));
        !bytes.iter().fold(!0, byte)
    }

    #[test]
    fn texels_as_pictures() {
        let rgba = |format, size, texels: &[u8]| Picture::from_texels(format, size, texels).map(|p| p.rgba);
        assert_eq!(rgba(ImageFormat::R8Unorm, [2, 1, 1], &[0, 200]), Ok(vec![0, 0, 0, 255, 200, 200, 200, 255]));
        assert_eq!(rgba(ImageFormat::Rgba8Unorm, [1, 1, 1], &[1, 2, 3, 4]), Ok(vec![1, 2, 3, 4]));
        let floats: Vec<u8> = [0.5f32, -1.0, 2.0, f32::NAN].iter().flat_map(|v| v.to_le_bytes()).collect();
        // 0.5 * 255 = 127.5 rounds away from zero.
        assert_eq!(rgba(ImageFormat::Rgba32Float, [1, 1, 1], &floats), Ok(vec![128, 0, 255, 0]));
        assert_eq!(rgba(ImageFormat::Rg32Float, [1, 1, 1], &floats[..8]), Ok(vec![128, 0, 0, 255]));
        let halves = [0x3c00u16, 0x3800, 0x0000, 0x3c00].map(u16::to_le_bytes).concat();
        assert_eq!(rgba(ImageFormat::Rgba16Float, [1, 1, 1], &halves), Ok(vec![255, 128, 0, 255]));
        assert_eq!(rgba(ImageFormat::R32Uint, [1, 1, 1], &300u32.to_le_bytes()), Ok(vec![255, 255, 255, 255]));
        assert_eq!(rgba(ImageFormat::R32Sint, [1, 1, 1], &(-3i32).to_le_bytes()), Ok(vec![0, 0, 0, 255]));
        assert_eq!(Picture::from_texels(ImageFormat::R8Unorm, [2, 3, 4], &[7; 24]).unwrap().height, 12);
        assert!(rgba(ImageFormat::R8Unorm, [2, 1, 1], &[0]).is_err());
    }

    #[test]
    fn pictures_as_texels() {
        let picture = Picture { width: 1, height: 1, rgba: vec![255, 0, 51, 102] };
        assert_eq!(picture.to_texels(ImageFormat::R8Unorm), [255]);
        assert_eq!(picture.to_texels(ImageFormat::Rgba8Unorm), [255, 0, 51, 102]);
        assert_eq!(picture.to_texels(ImageFormat::R32Uint), [255, 0, 0, 0]);
        assert_eq!(picture.to_texels(ImageFormat::Rg32Float), [0, 0, 0x80, 0x3f, 0, 0, 0, 0]);
        for &(format, name, _, _) in ImageFormat::ALL {
            let texels = picture.to_texels(format);
            assert_eq!(texels.len(), format.texel_bytes() as usize, "{name}");
            let again = Picture::from_texels(format, [1, 1, 1], &texels).unwrap().rgba;
            let kept = channels(format);
            // Signed formats of 8 bits have 127 steps, pictures have 255.
            let steps = match format.component() {
                Component::Snorm8 => 1,
                Component::Sint8 => 128,
                _ => 0,
            };
            for (got, given) in again.iter().zip(&picture.rgba).take(kept) {
                assert!(got.abs_diff(*given) <= steps, "{name}: {got} for {given}");
            }
        }
    }
}
