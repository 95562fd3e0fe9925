//! Packages whose nodes do not check indexes of arrays in records, so that they access memory out of range.

use crate::altered;
use std::path::Path;
use wgc_abi::Package;
use wgc_backend_spirv::emulated::plan::Settings;
use wgc_compiler::Session;
use wgc_sema::db::Options;

const ELEMENTS: [&str; 3] = [
    "device.hlsl",
    "    if (index >= count)\n    {\n        wgc_report_output(node, WG_ERROR_ELEMENT, output);",
    "    if (false)\n    {\n        wgc_report_output(node, WG_ERROR_ELEMENT, output);",
];

pub fn package(shader: &Path, plan: Settings) -> Package {
    let session = Session::new(&[&shader.to_string_lossy()], Options::default());
    altered::package(&session, &altered::library(&[ELEMENTS.map(str::to_owned)]), plan)
}
