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
