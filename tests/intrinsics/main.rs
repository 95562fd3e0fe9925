//! Every intrinsic, executed on the CPU device and on Vulkan, against values computed here.
//!
//! `harness` turns tables of cases into compute shaders and compares what they give; the other modules are the tables,
//! by subject. `inputs` has the arguments: zeros, infinities, NaN, denormals, limits, and numbers between them.

#[path = "../support/mod.rs"]
mod support;

mod bits;
mod floats;
mod harness;
mod inputs;
mod integers;
mod kind;
mod vectors;
