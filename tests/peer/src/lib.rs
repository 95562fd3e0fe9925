//! The second judge: DXC compiles the same programs as wgc, and the results of both modules are compared.
//!
//! `dxc` wraps the library in a small interface. `isolate` serves requests in child processes, because a crash of a
//! compiler or a driver must not end the test. `ours` compiles with wgc. `execute` runs a module on a device and
//! returns the contents of its resources.
//!
//! `generate` generates programs from seeds, `judge` compares their results, and `reduce` reduces one that differs.
//! `variables` compares the values of source variables between levels of optimisation, without DXC.
//! `real` does the same with shaders of public repositories, and `counts` compares the code of both compilers.

#![deny(unsafe_code)]

pub mod case;
pub mod compare;
pub mod counts;
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
pub mod variables;
