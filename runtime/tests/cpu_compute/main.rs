//! Compute shaders on the CPU device: instruction by instruction against values computed here, and control flow that
//! diverges lane by lane. The shaders are assembly; no compiler had a hand in them.

mod bench;
mod control;
mod intervals;
mod memory;
mod numbers;
