//! The second judge: DXC compiles the same programs as wgc, and the two modules run beside each other.
//!
//! `dxc` is the library behind a small interface. `isolate` serves requests in child processes, since a compiler or a driver
//! that crashes must not end the test. `ours` compiles with wgc. `execute` runs a module on a device and returns what
//! its resources hold.
//!
//! `generate` makes programs from seeds, `judge` compares what becomes of them, and `reduce` cuts one down that differs.
//! `real` does so with shaders of public repositories.

#![deny(unsafe_code)]

pub mod case;
pub mod compare;
#[allow(unsafe_code, reason = "DXC is a library in C++")]
pub mod dxc;
pub mod execute;
pub mod fill;
pub mod generate;
pub mod isolate;
pub mod judge;
pub mod ours;
pub mod real;
pub mod reduce;
