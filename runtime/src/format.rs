//! Formats of texels: one table, and the conversion of a component between memory and numbers.

use half::f16;

/// The in-memory representation of one channel of a texel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Component {
    Unorm8,
    Snorm8,
    Uint8,
    Sint8,
    Unorm16,
    Snorm16,
    Uint16,
    Sint16,
    Float16,
    Uint32,
    Sint32,
    Float32,
    Uint64,
    Sint64,
}

/// The numeric type that shaders see for a component.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NumberClass {
    Float,
    Signed,
    Unsigned,
}

macro_rules! formats {
    ($($format:ident $name:literal $component:ident x $channels:literal;)*) => {
        /// Texel formats, by Vulkan's names.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum ImageFormat {
            $($format,)*
        }

        impl ImageFormat {
            /// Every format, with its name in run files, its component and how many a texel has.
            pub const ALL: &'static [(ImageFormat, &'static str, Component, u32)] =
                &[$((ImageFormat::$format, $name, Component::$component, $channels),)*];
        }
    };
}

formats! {
    R8Unorm "r8_unorm" Unorm8 x 1;
    Rg8Unorm "rg8_unorm" Unorm8 x 2;
    Rgba8Unorm "rgba8_unorm" Unorm8 x 4;
    R8Snorm "r8_snorm" Snorm8 x 1;
    Rg8Snorm "rg8_snorm" Snorm8 x 2;
    Rgba8Snorm "rgba8_snorm" Snorm8 x 4;
    R8Uint "r8_uint" Uint8 x 1;
    Rg8Uint "rg8_uint" Uint8 x 2;
    Rgba8Uint "rgba8_uint" Uint8 x 4;
    R8Sint "r8_sint" Sint8 x 1;
    Rg8Sint "rg8_sint" Sint8 x 2;
    Rgba8Sint "rgba8_sint" Sint8 x 4;
    R16Unorm "r16_unorm" Unorm16 x 1;
    Rg16Unorm "rg16_unorm" Unorm16 x 2;
    Rgba16Unorm "rgba16_unorm" Unorm16 x 4;
    R16Snorm "r16_snorm" Snorm16 x 1;
    Rg16Snorm "rg16_snorm" Snorm16 x 2;
    Rgba16Snorm "rgba16_snorm" Snorm16 x 4;
    R16Uint "r16_uint" Uint16 x 1;
    Rg16Uint "rg16_uint" Uint16 x 2;
    Rgba16Uint "rgba16_uint" Uint16 x 4;
    R16Sint "r16_sint" Sint16 x 1;
    Rg16Sint "rg16_sint" Sint16 x 2;
    Rgba16Sint "rgba16_sint" Sint16 x 4;
    R16Float "r16_sfloat" Float16 x 1;
    Rg16Float "rg16_sfloat" Float16 x 2;
    Rgba16Float "rgba16_sfloat" Float16 x 4;
    R32Uint "r32_uint" Uint32 x 1;
    Rg32Uint "rg32_uint" Uint32 x 2;
    Rgba32Uint "rgba32_uint" Uint32 x 4;
    R32Sint "r32_sint" Sint32 x 1;
    Rg32Sint "rg32_sint" Sint32 x 2;
    Rgba32Sint "rgba32_sint" Sint32 x 4;
    R32Float "r32_sfloat" Float32 x 1;
    Rg32Float "rg32_sfloat" Float32 x 2;
    Rgba32Float "rgba32_sfloat" Float32 x 4;
    R64Uint "r64_uint" Uint64 x 1;
    R64Sint "r64_sint" Sint64 x 1;
    D32Float "d32_sfloat" Float32 x 1;
}

impl ImageFormat {
    fn row(self) -> (Component, u32) {
        // Every variant has a row: the table defines them.
        Self::ALL.iter().find(|row| row.0 == self).map_or((Component::Unorm8, 1), |row| (row.2, row.3))
    }

    /// Returns the name in run files.
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|row| row.0 == self).map_or("", |row| row.1)
    }

    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|row| row.1 == name).map(|row| row.0)
    }

    pub fn component(self) -> Component {
        self.row().0
    }

    /// Returns the components of a texel, 1 to 4.
    pub fn channels(self) -> u32 {
        self.row().1
    }

    /// Returns the bytes of a texel.
    pub fn texel_bytes(self) -> u32 {
        let (component, channels) = self.row();
        component.size() as u32 * channels
    }

    /// Returns whether it holds depths, and is sampled only.
    pub fn is_depth(self) -> bool {
        self == ImageFormat::D32Float
    }
}

impl Component {
    /// Returns the bytes in memory.
    pub fn size(self) -> usize {
        match self {
            Component::Unorm8 | Component::Snorm8 | Component::Uint8 | Component::Sint8 => 1,
            Component::Unorm16 | Component::Snorm16 | Component::Uint16 | Component::Sint16 | Component::Float16 => 2,
            Component::Uint32 | Component::Sint32 | Component::Float32 => 4,
            Component::Uint64 | Component::Sint64 => 8,
        }
    }

    pub fn class(self) -> NumberClass {
        match self {
            Component::Unorm8
            | Component::Snorm8
            | Component::Unorm16
            | Component::Snorm16
            | Component::Float16
            | Component::Float32 => NumberClass::Float,
            Component::Sint8 | Component::Sint16 | Component::Sint32 | Component::Sint64 => NumberClass::Signed,
            Component::Uint8 | Component::Uint16 | Component::Uint32 | Component::Uint64 => NumberClass::Unsigned,
        }
    }

    /// Returns whether it is unsigned and normalised: references of comparisons are clamped to it.
    pub fn is_unorm(self) -> bool {
        matches!(self, Component::Unorm8 | Component::Unorm16)
    }

    /// Decodes the component to a register: bits of a 32-bit float, or an integer, sign-extended to 64 bits if it is
    /// signed.
    pub fn decode(self, raw: &[u8]) -> u64 {
        let bits = raw.iter().take(self.size()).rev().fold(0u64, |word, byte| word << 8 | u64::from(*byte));
        let float = |value: f32| u64::from(value.to_bits());
        match self {
            Component::Unorm8 => float(bits as f32 / 255.0),
            Component::Unorm16 => float(bits as f32 / 65535.0),
            Component::Snorm8 => float((f32::from(bits as u8 as i8) / 127.0).max(-1.0)),
            Component::Snorm16 => float((f32::from(bits as u16 as i16) / 32767.0).max(-1.0)),
            Component::Float16 => float(f16::from_bits(bits as u16).to_f32()),
            Component::Sint8 => i64::from(bits as u8 as i8) as u64,
            Component::Sint16 => i64::from(bits as u16 as i16) as u64,
            Component::Sint32 => i64::from(bits as u32 as i32) as u64,
            Component::Float32 | Component::Uint8 | Component::Uint16 | Component::Uint32 => bits,
            Component::Uint64 | Component::Sint64 => bits,
        }
    }

    /// Encodes a register's value. Normalised formats clamp and round to nearest even, and not-a-number becomes 0;
    /// integers keep their low bits.
    pub fn encode(self, register: u64, raw: &mut [u8]) {
        let float = f32::from_bits(register as u32);
        let unit = |low: f32, scale: f32| (float.clamp(low, 1.0) * scale).round_ties_even();
        let bits = match self {
            Component::Unorm8 => u64::from(unit(0.0, 255.0) as u8),
            Component::Unorm16 => u64::from(unit(0.0, 65535.0) as u16),
            Component::Snorm8 => u64::from(unit(-1.0, 127.0) as i8 as u8),
            Component::Snorm16 => u64::from(unit(-1.0, 32767.0) as i16 as u16),
            Component::Float16 => u64::from(f16::from_f32(float).to_bits()),
            _ => register,
        };
        let size = self.size();
        if let Some(raw) = raw.get_mut(..size) {
            raw.copy_from_slice(&bits.to_le_bytes()[..size]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn components_round_trip() {
        for &(format, name, component, channels) in ImageFormat::ALL {
            assert_eq!(ImageFormat::from_name(name), Some(format));
            assert_eq!(format.texel_bytes(), component.size() as u32 * channels, "{name}");
            // Every bit pattern of one byte, repeated; -128 of snorm reads as -127, and a NaN is any.
            for byte in 0..=255u8 {
                let raw = [byte; 8];
                let mut back = [0u8; 8];
                component.encode(component.decode(&raw), &mut back);
                let kept = &raw[..component.size()];
                let snorm = matches!(component, Component::Snorm8) && byte == 0x80;
                let nan =
                    component.class() == NumberClass::Float && f32::from_bits(component.decode(&raw) as u32).is_nan();
                assert!(snorm || nan || back[..component.size()] == *kept, "{name}: {byte:#x}");
            }
        }
    }

    #[test]
    fn known_values() {
        let float = |component: Component, raw: &[u8]| f32::from_bits(component.decode(raw) as u32);
        assert_eq!(float(Component::Unorm8, &[51]), 0.2);
        assert_eq!(float(Component::Snorm8, &[0x80]), -1.0);
        assert_eq!(float(Component::Snorm8, &[0x81]), -1.0);
        assert_eq!(float(Component::Snorm16, &[0xff, 0x7f]), 1.0);
        assert_eq!(float(Component::Float16, &[0x00, 0x3c]), 1.0);
        assert_eq!(Component::Sint16.decode(&[0xfe, 0xff]), (-2i64) as u64);
        assert_eq!(Component::Uint16.decode(&[0xfe, 0xff]), 0xfffe);
        let mut raw = [9u8; 2];
        // 0.5 * 127 = 63.5 rounds to even.
        Component::Snorm8.encode(u64::from(0.5f32.to_bits()), &mut raw);
        assert_eq!(raw, [64, 9]);
        Component::Unorm16.encode(u64::from(f32::NAN.to_bits()), &mut raw);
        assert_eq!(raw, [0, 0]);
    }
}
