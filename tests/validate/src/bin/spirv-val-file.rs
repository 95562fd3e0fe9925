//! `spirv-val-file FILE...`: validates SPIR-V files as the tests do, and prints the errors of each. Files for devices
//! with `scalarBlockLayout` are named `NAME.scalar.spv`.
#![allow(clippy::print_stdout, reason = "a command")]

use std::path::Path;
use std::process::ExitCode;
use wgc_validate::validate_file;

fn main() -> ExitCode {
    let mut failed = false;
    for path in std::env::args().skip(1) {
        match validate_file(Path::new(&path)) {
            Ok(()) => println!("{path}: ok"),
            Err(message) => {
                println!("{path}: {message}");
                failed = true;
            }
        }
    }
    if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}
