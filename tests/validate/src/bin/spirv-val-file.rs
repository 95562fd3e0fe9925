//! `spirv-val-file FILE...`: validates SPIR-V files as the tests do and prints what is wrong with each.
#![allow(clippy::print_stdout)]

use std::process::ExitCode;
use wgc_validate::{validate_for_its_target, words_of};

fn main() -> ExitCode {
    let mut failed = false;
    for path in std::env::args().skip(1) {
        let result = std::fs::read(&path)
            .map_err(|e| e.to_string())
            .and_then(|bytes| words_of(&bytes))
            .and_then(|words| validate_for_its_target(&words));
        match result {
            Ok(()) => println!("{path}: ok"),
            Err(message) => {
                println!("{path}: {message}");
                failed = true;
            }
        }
    }
    if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}
