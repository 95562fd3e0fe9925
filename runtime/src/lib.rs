//! Runs compiled work graphs.
//!
//! `device` is the interface of a compute device, limited to the needs of emulated graphs and plain compute shaders.
//! `cpu` implements it by executing SPIR-V, `vulkan` by a driver. `emulated` is the host loop of an emulated package
//! over any device. `cpu::graph` and `vulkan::enqueue` execute native (AMDX) modules. `run_file` reads and checks run
//! files; `numbers` and `record_json` print values in its syntax. `mesh` describes the output of mesh nodes. `module_interface` lists a compiled module's requirements of its
//! host. `executors` runs programs for run files.
//!
//! This crate depends on `abi`, `json` and `spirv-module`, and never on the compiler. A host in another
//! language can follow the same contract.

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::unreachable))]

pub mod cpu;
pub mod descriptor;
pub mod device;
pub mod devices;
pub mod emulated;
pub mod executors;
pub mod format;
pub mod image_io;
pub mod mesh;
pub mod module_interface;
mod numbers;
mod record_json;
pub mod run_file;
pub mod scene;
pub mod vulkan;
