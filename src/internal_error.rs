//! Internal errors: a panic, or a module that wgc's own verifier rejects.
//!
//! The user gets one message with exit status 101, and the path of a reproduction file. That file contains the command
//! line, every source that was read, and after a panic the stack trace, which is not printed.

use std::backtrace::Backtrace;
use std::cell::RefCell;
use std::fmt::Write as _;
use std::io::Write as _;
use std::panic::{self, AssertUnwindSafe};
use std::path::PathBuf;
use std::sync::Mutex;
use wgc_abi::replace::Staged;

/// The exit status of an internal error.
pub const EXIT_CODE: u8 = 101;

/// The environment variable that simulates a bug, to test the handling of exit status 101. If its value is a method
/// name, the language server fails in requests of that method.
pub const SIMULATE: &str = "WGC_SIMULATE_INTERNAL_ERROR";

/// Panics if the environment requests it: in the command itself, or in a request of the language server by its method.
///
/// # Panics
/// On request, as described.
#[expect(clippy::panic, reason = "tests request it")]
pub fn simulate(method: Option<&str>) {
    let Ok(wanted) = std::env::var(SIMULATE) else { return };
    if method.map_or(!wanted.contains('/'), |method| wanted == method) {
        panic!("{SIMULATE} is set");
    }
}

/// The sources read so far, for the reproduction file: path and text.
static SOURCES: Mutex<Vec<(String, Vec<u8>)>> = Mutex::new(Vec::new());

thread_local! {
    static PANIC: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Remembers a source that was read.
pub fn remember_source(path: &str, text: &[u8]) {
    if let Ok(mut sources) = SOURCES.lock()
        && sources.iter().all(|s| s.0 != path)
    {
        sources.push((path.to_owned(), text.to_owned()));
    }
}

/// An error that only a bug in wgc can cause.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InternalError(pub String);

/// The size of the stack in bytes; the system only provides pages that are used. The compiler recursively follows
/// definitions to those that they name, in any order: chains have thousands.
pub(crate) const STACK: usize = 512 << 20;

/// The reason why [`guard`] has no result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stopped {
    Internal(InternalError),
    /// There is no memory for the stack.
    Memory,
}

/// Returns the message about missing memory.
pub fn short_of_memory() -> String {
    format!("not enough memory: wgc needs {} MB of address space for its stack", STACK >> 20)
}

/// Runs `f` with a large stack; a panic in it becomes an [`InternalError`].
///
/// # Errors
/// `f` panics, or the system has no memory for the stack.
pub fn guard<T: Send>(f: impl FnOnce() -> T + Send) -> Result<T, Stopped> {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, || caught(f));
        let thread = thread.map_err(|_| Stopped::Memory)?;
        let result = thread.join().unwrap_or_else(|_| Err(InternalError("a panic".into())));
        result.map_err(Stopped::Internal)
    })
}

fn caught<T>(f: impl FnOnce() -> T) -> Result<T, InternalError> {
    watch();
    let result = isolated(f);
    let _ = panic::take_hook();
    result
}

/// Installs a hook that keeps panics for [`isolated`] instead of printing them.
pub fn watch() {
    panic::set_hook(Box::new(|info| {
        let trace = Backtrace::force_capture();
        let text = text_of(info.payload());
        let place = info.location().map_or_else(String::new, |location| format!(" (at {location})"));
        PANIC.with(|p| *p.borrow_mut() = Some(format!("{text}{place}\n\n{trace}")));
    }));
}

/// Runs `f` on this thread. A panic in it becomes an [`InternalError`], with the details from [`watch`].
pub fn isolated<T>(f: impl FnOnce() -> T) -> Result<T, InternalError> {
    panic::catch_unwind(AssertUnwindSafe(f))
        .map_err(|_| InternalError(PANIC.with(|p| p.borrow_mut().take()).unwrap_or_else(|| "a panic".into())))
}

/// Returns the text of a panic. Our code and the standard library panic with text.
fn text_of(payload: &dyn std::any::Any) -> &str {
    let owned = || payload.downcast_ref::<String>().map(String::as_str);
    payload.downcast_ref::<&str>().copied().or_else(owned).unwrap_or("a panic without a message")
}

/// Writes the reproduction file. Returns its path, or the reason why it could not be written.
pub fn write_reproduction(error: &InternalError, args: &[String]) -> Result<PathBuf, std::io::Error> {
    let sources = SOURCES.lock().map(|sources| sources.clone()).unwrap_or_default();
    write_report(error, &format!("command line: {}", args.join(" ")), &sources)
}

/// Writes a report of the request, the error and the relevant texts. Returns the path of the file.
pub fn write_report(
    error: &InternalError,
    asked: &str,
    sources: &[(String, Vec<u8>)],
) -> Result<PathBuf, std::io::Error> {
    let mut text = format!("wgc {}\n{asked}\n\n{}\n", env!("CARGO_PKG_VERSION"), error.0);
    for (path, bytes) in sources {
        // The system's own files have what the user did not write, such as the environment.
        let real = std::fs::canonicalize(path).unwrap_or_default();
        if ["/proc", "/sys", "/dev"].iter().any(|folder| real.starts_with(folder)) {
            let _ = writeln!(text, "\n==== {path} ({} bytes): left out", bytes.len());
            continue;
        }
        let _ = write!(text, "\n==== {path} ({} bytes)\n{}\n", bytes.len(), String::from_utf8_lossy(bytes));
    }
    let path = std::env::temp_dir().join(format!("wgc-internal-error-{:016x}.txt", fnv1a(text.as_bytes())));
    // A link of this name that somebody else created is replaced, not followed.
    let mut staged = Staged::private_file(&path)?;
    staged.write_all(text.as_bytes())?;
    staged.commit()?;
    Ok(path)
}

/// Returns the message for the user.
pub fn message(error: &InternalError, reproduction: &Result<PathBuf, std::io::Error>) -> String {
    // An empty line precedes a trace or a list of details.
    let first = error.0.trim_start().split("\n\n").next().filter(|text| !text.is_empty()).unwrap_or("unknown");
    let place = match reproduction {
        Ok(path) => format!(
            "a reproduction with the text of all sources is in {}; please report it with that file",
            path.display()
        ),
        Err(e) => format!("cannot write a reproduction file: {e}"),
    };
    format!("internal error: {first}\nThis is a bug in wgc, not in your shader; {place}.")
}

/// Hashes the contents, as a reproducible name for the file.
fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, b| (hash ^ u64::from(*b)).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_a_message_and_a_file() {
        remember_source("some.hlsl", b"void f();");
        remember_source("/proc/self/environ", b"SECRET=1");
        let Err(Stopped::Internal(error)) = guard(|| panic!("the impossible happened")) else { panic!("it panicked") };
        let path = write_reproduction(&error, &["a.hlsl".into()]);
        let text = std::fs::read_to_string(path.as_ref().expect("written")).expect("readable");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            let metadata = std::fs::metadata(path.as_ref().expect("written")).expect("it is there");
            assert_eq!(metadata.permissions().mode() & 0o777, 0o600, "others cannot read the sources");
        }
        assert!(text.contains("command line: a.hlsl"));
        assert!(text.contains("==== some.hlsl (9 bytes)\nvoid f();"));
        assert!(cfg!(not(target_os = "linux")) || !text.contains("SECRET"), "{text}");
        let shown = message(&error, &path);
        assert!(shown.starts_with("internal error: the impossible happened (at src/internal_error.rs:"), "{shown}");
        assert!(!shown.contains("backtrace"), "{shown}");
        std::fs::remove_file(path.expect("written")).expect("removable");
    }
}
