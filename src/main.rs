//! The command `wgc`.

use std::process::ExitCode;
use wgc_compiler::cli::help;
use wgc_compiler::cli::parse::{self, Request};
use wgc_compiler::cli::response;
use wgc_compiler::{commands, internal_error};

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args_os().skip(1).map(|a| a.to_string_lossy().into_owned()).collect();
    if let Some(name) = args.iter().find(|a| a.contains('\u{fffd}')) {
        // Paths are text throughout: they stand in messages, in JSON and in packages.
        commands::complain(&format!("`{name}` is not UTF-8; wgc needs names that are"));
        return ExitCode::from(commands::USAGE);
    }
    let read = |path: &str| {
        let bytes = wgc_abi::file::read(path.as_ref()).map_err(|e| format!("cannot be read: {e}"))?;
        String::from_utf8(bytes).map_err(|_| "cannot be read: it is not UTF-8".to_owned())
    };
    let request = match response::expand(&args, &read).and_then(|args| parse::parse(&args)) {
        Ok(request) => request,
        Err(e) => {
            commands::complain(&format!("{}; `wgc --help` lists what there is", e.0));
            return ExitCode::from(commands::USAGE);
        }
    };
    let status = internal_error::guard(|| {
        internal_error::simulate(None);
        match request {
            Request::Help(command) => commands::say(&help::text(command)),
            Request::Version => commands::say(&format!("wgc {}\n", env!("CARGO_PKG_VERSION"))),
            Request::Run(invocation) => commands::run(&invocation),
        }
    })
    .unwrap_or_else(commands::Status::Internal);
    match status {
        commands::Status::Code(code) => ExitCode::from(code),
        commands::Status::Internal(error) => {
            let reproduction = internal_error::write_reproduction(&error, &args);
            commands::complain(&internal_error::message(&error, &reproduction));
            ExitCode::from(internal_error::EXIT_CODE)
        }
    }
}
