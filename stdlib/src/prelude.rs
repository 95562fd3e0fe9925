//! The files of the built-in declarations. The build script reads them too.

/// The built-in declarations: (path for diagnostics, text), in reading order.
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
