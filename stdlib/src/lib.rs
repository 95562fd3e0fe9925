//! The built-in declarations and device helpers of wgc, as HLSL text. See `prelude/README.md` for what the texts may
//! say beyond HLSL. No code: `sema` reads them with the ordinary front end.

/// The built-in declarations: (path for diagnostics, text), in the order in which they are read.
pub const PRELUDE: &[(&str, &str)] = &[
    ("<wgc>/nodes.hlsl", include_str!("../prelude/nodes.hlsl")),
    ("<wgc>/resources.hlsl", include_str!("../prelude/resources.hlsl")),
    ("<wgc>/textures.hlsl", include_str!("../prelude/textures.hlsl")),
    ("<wgc>/rays.hlsl", include_str!("../prelude/rays.hlsl")),
    ("<wgc>/math.hlsl", include_str!("../prelude/math.hlsl")),
    ("<wgc>/bits.hlsl", include_str!("../prelude/bits.hlsl")),
    ("<wgc>/matrices.hlsl", include_str!("../prelude/matrices.hlsl")),
    ("<wgc>/sync.hlsl", include_str!("../prelude/sync.hlsl")),
    ("<wgc>/waves.hlsl", include_str!("../prelude/waves.hlsl")),
    ("<wgc>/debug.hlsl", include_str!("../prelude/debug.hlsl")),
    ("<wgc>/stages.hlsl", include_str!("../prelude/stages.hlsl")),
    ("<wgc>/vulkan.hlsl", include_str!("../prelude/vulkan.hlsl")),
];

/// Headers that programs include by these names, where no file of their own has it.
pub const HEADERS: &[(&str, &str)] = &[("vk/opcode_selector.h", include_str!("../include/vk/opcode_selector.h"))];

/// The device library and the kernels of the emulated target: (name, text). Together they are one program, see
/// [`EMULATED_ROOTS`].
pub const EMULATED: &[(&str, &str)] = &[
    ("wgc.hlsl", include_str!("../wgc.hlsl")),
    ("abi.hlsl", include_str!("../emulated/abi.hlsl")),
    ("device.hlsl", include_str!("../emulated/device.hlsl")),
    ("prep.hlsl", include_str!("../emulated/prep.hlsl")),
    ("inject.hlsl", include_str!("../emulated/inject.hlsl")),
];

/// The files of [`EMULATED`] that make the program, in the order in which they are read; it is compiled as an internal
/// one, whose `[[wgc::..]]` attributes count. Its compute entry points are `wgc_prep`, `wgc_inject` and
/// `wgc_inject_grids`.
pub const EMULATED_ROOTS: &[&str] = &["wgc.hlsl", "abi.hlsl", "device.hlsl", "prep.hlsl", "inject.hlsl"];
