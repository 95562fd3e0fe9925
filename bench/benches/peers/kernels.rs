//! The kernels: their texts, grids and results.

/// The type of the numbers in a result.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Numbers {
    /// Equal bits.
    Integers,
    /// Compilers may contract and reorder operations, so results differ in the last bits.
    Floats,
}

pub struct Kernel {
    pub name: &'static str,
    pub text: &'static str,
    pub groups: [u32; 3],
    /// The size of `Out`.
    pub words: u64,
    pub numbers: Numbers,
}

macro_rules! kernels {
    ($($name:literal $groups:expr, $words:expr, $numbers:ident;)*) => {
        pub const ALL: &[Kernel] = &[$(Kernel {
            name: $name,
            text: include_str!(concat!($name, ".hlsl")),
            groups: $groups,
            words: $words,
            numbers: Numbers::$numbers,
        }),*];
    };
}

kernels! {
    "bytes" [1024, 1, 1], 1024 * 128, Integers;
    "fft" [512, 1, 1], 512 * 512, Floats;
    "hash" [512, 1, 1], 512 * 64, Integers;
    "histogram" [64, 1, 1], 256, Integers;
    "march" [16, 16, 1], 128 * 128 * 4, Floats;
    "material" [512, 1, 1], 512 * 64 * 4, Floats;
    "matrix" [8, 8, 1], 128 * 128, Floats;
    "nbody" [16, 1, 1], 1024 * 4, Floats;
    "scan" [256, 1, 1], 256 * 512, Integers;
    "sort" [128, 1, 1], 128 * 512, Integers;
    "stencil" [32, 32, 1], 256 * 256, Floats;
    "text" [256, 1, 1], 256 * 64, Integers;
}

/// The contents of `In`: 1,024 words.
pub fn input() -> Vec<u8> {
    let mut state = 0x9e37_79b9u32;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        state
    };
    (0..1024).flat_map(|_| next().to_le_bytes()).collect()
}
