//! Programs in a database that lives for several inputs, because it then has the built-in declarations already.

use crate::input::{ProgramInput, program};
use std::cell::RefCell;
use wgc_backend_spirv::{DebugInfo, EmitOptions};
use wgc_compiler::Session;
use wgc_compiler::loader::PreloadedFiles;

/// Inputs after which a database is dropped, to free the memory that it keeps for them.
const MAX_INPUTS: u32 = 100;

thread_local! {
    static KEPT: RefCell<Option<(Session, u32)>> = const { RefCell::new(None) };
}

/// Passes the program of an input to `work`. Drops the database after a panic.
pub fn with_session<T>(input: &[u8], work: impl FnOnce(&Session, &ProgramInput) -> T) -> T {
    let input = program(input);
    let (kept, used) = KEPT.with_borrow_mut(Option::take).unwrap_or_else(|| (empty(), 0));
    let files: Vec<(&str, &[u8])> = input.files.iter().map(|(name, text)| (&**name, &**text)).collect();
    let debug = DebugInfo { instructions: input.debug, ..DebugInfo::LINES };
    let session = kept.of_texts(&files, input.options.clone()).emitting(EmitOptions { debug, ..Default::default() });
    let result = work(&session, &input);
    if used + 1 < MAX_INPUTS {
        KEPT.set(Some((session, used + 1)));
    }
    result
}

fn empty() -> Session {
    let options = program(b"").options;
    Session::of_given(vec![(crate::input::MAIN, options.clone())], options, PreloadedFiles::default())
}
