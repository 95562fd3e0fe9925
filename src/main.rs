//! The command `wgc`.

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::unreachable))]

use std::alloc::{GlobalAlloc, Layout, System};
use std::io::Write as _;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use wgc_abi::file::Content;
use wgc_compiler::cli::help;
use wgc_compiler::cli::parse::{self, Request};
use wgc_compiler::cli::response;
use wgc_compiler::{commands, internal_error};

/// The system's allocator. If it has no memory, the command ends with a message, because nothing can recover from that.
struct Allocator;

/// Returns the allocated pointer, or ends the process.
fn checked(allocated: *mut u8, bytes: usize) -> *mut u8 {
    static ENDING: AtomicBool = AtomicBool::new(false);
    if allocated.is_null() && !wgc_abi::memory::may_fail() && !ENDING.swap(true, Ordering::Relaxed) {
        // Standard error is unbuffered, so nothing is allocated here.
        let _ = writeln!(std::io::stderr(), "wgc: not enough memory: the system refused {bytes} bytes");
        std::process::exit(commands::USAGE.into());
    }
    allocated
}

// SAFETY: each method passes its arguments on to the system's allocator, which keeps the contract of `GlobalAlloc` if
// the caller does, and returns its result. `checked` reads no memory through the pointer, does not unwind, and
// allocates nothing.
unsafe impl GlobalAlloc for Allocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the contract of the same method.
        checked(unsafe { System.alloc(layout) }, layout.size())
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as above.
        checked(unsafe { System.alloc_zeroed(layout) }, layout.size())
    }

    unsafe fn realloc(&self, old: *mut u8, layout: Layout, bytes: usize) -> *mut u8 {
        // SAFETY: as above; `old` belongs to the system's allocator, like every pointer that this one returns.
        checked(unsafe { System.realloc(old, layout, bytes) }, bytes)
    }

    unsafe fn dealloc(&self, old: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(old, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Allocator = Allocator;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args_os().skip(1).map(|a| a.to_string_lossy().into_owned()).collect();
    if let Some(name) = args.iter().find(|a| a.contains('\u{fffd}')) {
        // Paths are text throughout: in messages, in JSON and in packages.
        commands::complain(&format!("`{name}` is not UTF-8, but wgc needs UTF-8 names"));
        return ExitCode::from(commands::USAGE);
    }
    wgc_abi::touched::begin();
    let read = |path: &str| {
        let bytes =
            wgc_abi::file::read_named(path.as_ref(), Content::Settings).map_err(|e| format!("cannot be read: {e}"))?;
        String::from_utf8(bytes).map_err(|_| "cannot be read: it is not UTF-8".to_owned())
    };
    let request = match response::expand(&args, &read).and_then(|args| parse::parse(&args)) {
        Ok(request) => request,
        Err(e) => {
            let end = if e.0.ends_with('?') { "" } else { ";" };
            commands::complain(&format!("{}{end} `wgc --help` lists commands and options", e.0));
            return ExitCode::from(commands::USAGE);
        }
    };
    let status = internal_error::guard(|| {
        internal_error::simulate(None);
        match request {
            Request::Help(command) => commands::say(&help::text(command)),
            Request::HelpOfGroup(group) => commands::say(&help::group_text(group)),
            Request::HelpAll => commands::say(&help::all_text()),
            Request::Version => commands::say(&format!("wgc {}\n", env!("CARGO_PKG_VERSION"))),
            Request::Run(invocation) => commands::run(&invocation),
        }
    })
    .unwrap_or_else(|stopped| match stopped {
        internal_error::Stopped::Internal(error) => commands::Status::Internal(error),
        internal_error::Stopped::Memory => {
            commands::complain(&internal_error::short_of_memory());
            commands::Status::Code(commands::USAGE)
        }
    });
    match status {
        commands::Status::Code(code) => ExitCode::from(code),
        commands::Status::Internal(error) => {
            let reproduction = internal_error::write_reproduction(&error, &args);
            commands::complain(&internal_error::message(&error, &reproduction));
            ExitCode::from(internal_error::EXIT_CODE)
        }
    }
}
