//! The built-in declarations and device helpers of wgc, as HLSL text. `prelude/README.md` describes their extensions of
//! HLSL. `sema` reads them with the ordinary front end. It reads only the built-in declarations that a program names;
//! [`index`] has their positions.

#![forbid(unsafe_code)]
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::unreachable))]

pub mod docs;
pub mod index;
mod prelude;

pub use prelude::PRELUDE;

/// Headers that programs may include by these names, unless they have a file of that name.
pub const HEADERS: &[(&str, &str)] = &[
    ("vk/opcode_selector.h", include_str!("../include/vk/opcode_selector.h")),
    ("vk/spirv.h", include_str!("../include/vk/spirv.h")),
    ("vk/khr/cooperative_matrix.h", include_str!("../include/vk/khr/cooperative_matrix.h")),
];

/// The device library and the kernels of the emulated target: (name, text). Together they form one program, see
/// [`EMULATED_ROOTS`].
pub const EMULATED: &[(&str, &str)] = &[
    ("wgc.hlsl", include_str!("../wgc.hlsl")),
    ("abi.hlsl", include_str!("../emulated/abi.hlsl")),
    ("device.hlsl", include_str!("../emulated/device.hlsl")),
    ("runs.hlsl", include_str!("../emulated/runs.hlsl")),
    ("outputs.hlsl", include_str!("../emulated/outputs.hlsl")),
    ("grids.hlsl", include_str!("../emulated/grids.hlsl")),
    ("inputs.hlsl", include_str!("../emulated/inputs.hlsl")),
    ("spill.hlsl", include_str!("../emulated/spill.hlsl")),
    ("prep.hlsl", include_str!("../emulated/prep.hlsl")),
    ("inject.hlsl", include_str!("../emulated/inject.hlsl")),
    ("pages.hlsl", include_str!("../emulated/pages.hlsl")),
    ("admit.hlsl", include_str!("../emulated/admit.hlsl")),
    ("sched.hlsl", include_str!("../emulated/sched.hlsl")),
    ("scatter.hlsl", include_str!("../emulated/scatter.hlsl")),
    ("sums.hlsl", include_str!("../emulated/sums.hlsl")),
    ("gather.hlsl", include_str!("../emulated/gather.hlsl")),
    ("guard.hlsl", include_str!("../emulated/guard.hlsl")),
    ("joint.hlsl", include_str!("../emulated/joint.hlsl")),
    ("scan.hlsl", include_str!("../emulated/scan.hlsl")),
];

/// The files of [`EMULATED`] that form the program, in order. It is compiled as an internal program, in which
/// `[[wgc::..]]` attributes are valid. Its compute entry points are `wgc_prep`, `wgc_inject`, `wgc_inject_grids`,
/// `wgc_inject_listed`, `wgc_sched`, `wgc_scatter`, `wgc_gather`, `wgc_guard`, `wgc_joint` and `wgc_scan`.
pub const EMULATED_ROOTS: &[&str] = &[
    "wgc.hlsl",
    "abi.hlsl",
    "device.hlsl",
    "runs.hlsl",
    "outputs.hlsl",
    "grids.hlsl",
    "inputs.hlsl",
    "spill.hlsl",
    "prep.hlsl",
    "inject.hlsl",
    "pages.hlsl",
    "admit.hlsl",
    "sched.hlsl",
    "scatter.hlsl",
    "sums.hlsl",
    "gather.hlsl",
    "guard.hlsl",
    "joint.hlsl",
    "scan.hlsl",
];
