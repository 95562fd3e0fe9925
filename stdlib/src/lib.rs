//! The built-in declarations and device helpers of wgc, as HLSL text. See `prelude/README.md` for what the texts may
//! say beyond HLSL. No code: `sema` reads them with the ordinary front end.

/// The built-in declarations: (path for diagnostics, text), in the order in which they are read.
pub const PRELUDE: &[(&str, &str)] = &[
    ("<wgc>/nodes.hlsl", include_str!("../prelude/nodes.hlsl")),
    ("<wgc>/resources.hlsl", include_str!("../prelude/resources.hlsl")),
    ("<wgc>/math.hlsl", include_str!("../prelude/math.hlsl")),
    ("<wgc>/sync.hlsl", include_str!("../prelude/sync.hlsl")),
    ("<wgc>/waves.hlsl", include_str!("../prelude/waves.hlsl")),
];

/// The device library and the kernels of the emulated target: (path for diagnostics, text). They are one program, read
/// in this order behind [`PRELUDE`]; its compute entry points are `wgc_prep` and `wgc_inject`.
pub const EMULATED: &[(&str, &str)] = &[
    ("<wgc>/wgc.hlsl", include_str!("../wgc.hlsl")),
    ("<wgc>/emulated/abi.hlsl", include_str!("../emulated/abi.hlsl")),
    ("<wgc>/emulated/device.hlsl", include_str!("../emulated/device.hlsl")),
    ("<wgc>/emulated/prep.hlsl", include_str!("../emulated/prep.hlsl")),
    ("<wgc>/emulated/inject.hlsl", include_str!("../emulated/inject.hlsl")),
];
