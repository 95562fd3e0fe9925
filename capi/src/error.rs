//! The result codes of functions, and the last message.

use crate::WgcGraph;
use crate::handles::HandleKind;
use std::cell::RefCell;
use std::ffi::{CString, c_char};
use std::panic::{AssertUnwindSafe, catch_unwind};
use wgc_abi::package::PackageError;
use wgc_abi::{NodeName, device};
use wgc_runtime::emulated::{CutGrid, Reports, RunError};

/// The result of a call; wgc_last_error describes it.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WgcResult {
    Ok = 0,
    /// A pointer is NULL, a string is not UTF-8, or an argument does not fit. Examples are a block that is too small,
    /// too few queries, and push constants of another size.
    Argument = 1,
    /// The package cannot be read.
    Package = 2,
    /// The device lacks something, or Vulkan failed.
    Device = 3,
    /// An input does not fit the graph.
    Input = 4,
    /// The arena is too small.
    Arena = 5,
    /// A shader broke its own limits: records beyond the limits are lost, the rest was done.
    Graph = 6,
    /// A bug in this library.
    Internal = 7,
    /// Records of the previous dispatch are pending: resume it, or record the upload again to abandon it.
    Busy = 8,
    /// Another function has to be called before; wgc_last_error names it.
    Early = 9,
}

/// The source of an error, in C types.
pub struct Blame {
    pub code: u32,
    pub count: u32,
    pub node: *const c_char,
    pub index: u32,
    pub level: u32,
    pub output: u32,
}

impl Default for Blame {
    fn default() -> Self {
        Self { code: 0, count: 0, node: std::ptr::null(), index: 0, level: 0, output: 0 }
    }
}

impl WgcGraph {
    /// Returns the source of an error; no node for errors that no shader causes.
    pub(crate) fn blame(&self, error: &RunError) -> Blame {
        let (code, count, node, level, output) = match error {
            RunError::Graph(error) => (error.code, error.count, &error.node, error.level, error.output),
            RunError::Guard(error) => {
                let code = if error.overrun { device::ERROR_OVERRUN } else { device::ERROR_STALE };
                (code, error.count, &error.node, error.level, error.queue)
            }
            // The field holds the number of the input.
            RunError::CountedInput { input, count } => {
                return Blame { code: device::ERROR_INPUT, count: *count, output: *input, ..Blame::default() };
            }
            _ => return Blame::default(),
        };
        self.blamed(node, Blame { code, count, level, output, ..Blame::default() })
    }

    /// Returns all reports of a dispatch.
    pub(crate) fn blames(&self, reports: &Reports) -> Vec<Blame> {
        let errors = reports.errors.iter().map(|error| self.blame(error));
        let cut = |cut: &CutGrid| {
            let (code, output) = (device::NOTE_GRID_CLAMPED, u32::MAX);
            self.blamed(&cut.node, Blame { code, count: 1, level: cut.level, output, ..Blame::default() })
        };
        errors.chain(reports.cut_grids.iter().map(cut)).collect()
    }

    fn blamed(&self, node: &NodeName, blame: Blame) -> Blame {
        let found = self.nodes.binary_search_by(|name| name.as_bytes().cmp(node.name.as_bytes()));
        let name = found.map_or(std::ptr::null(), |at| self.nodes[at].as_ptr());
        Blame { node: name, index: node.index, ..blame }
    }
}

/// A result with its message.
pub struct Failure(WgcResult, String);

impl Failure {
    pub fn argument(what: &'static str) -> Self {
        Self(WgcResult::Argument, format!("the argument {what} is missing or wrong"))
    }

    /// Returns the error for a handle whose object was destroyed.
    pub fn destroyed(what: &'static str) -> Self {
        Self(WgcResult::Argument, format!("the argument {what} is already destroyed"))
    }

    /// Returns the error for an argument that is a handle of another kind, or no handle.
    pub fn kind(what: &'static str, is: Option<HandleKind>) -> Self {
        let is = is.map_or("not a handle of this library".to_owned(), |kind| format!("a {}", kind.name()));
        Self(WgcResult::Argument, format!("the argument {what} is {is}"))
    }

    pub fn internal(message: &'static str) -> Self {
        Self(WgcResult::Internal, message.to_owned())
    }

    pub fn package(error: &PackageError) -> Self {
        Self(WgcResult::Package, error.to_string())
    }

    /// Returns the first error, with a message about all.
    pub fn reported(first: RunError, all: &Reports) -> Self {
        Self(Self::from(first).0, all.to_string())
    }
}

impl From<RunError> for Failure {
    fn from(error: RunError) -> Self {
        let result = match error {
            RunError::Device(_) | RunError::Memory { .. } | RunError::Unsupported { .. } => WgcResult::Device,
            RunError::Tables(_) | RunError::Manifest(_) | RunError::NoGuards => WgcResult::Package,
            RunError::NoEntry(_) | RunError::Input { .. } | RunError::CountedInput { .. } | RunError::LocalRoots(_) => {
                WgcResult::Input
            }
            RunError::Arena { .. } | RunError::LeastArena { .. } => WgcResult::Arena,
            RunError::Early(_) => WgcResult::Early,
            RunError::SetLayouts { .. } | RunError::Sweeps { .. } | RunError::Given(_) => WgcResult::Argument,
            RunError::Busy => WgcResult::Busy,
            RunError::Graph(_) | RunError::Guard(_) => WgcResult::Graph,
            RunError::Stuck { .. } | RunError::Disagreement { .. } => WgcResult::Internal,
        };
        Self(result, error.to_string())
    }
}

thread_local! {
    static LAST: RefCell<CString> = RefCell::default();
}

/// Returns the message of this thread's last call that failed. Such a call did not return WGC_RESULT_OK, or it has
/// another return type and could not succeed, for example because its handle was destroyed. The message is valid until
/// the next call.
#[unsafe(no_mangle)]
pub extern "C" fn wgc_last_error() -> *const c_char {
    LAST.with_borrow(|message| message.as_ptr())
}

fn remember(message: String) {
    let bytes = message.into_bytes().into_iter().filter(|&byte| byte != 0).collect::<Vec<_>>();
    LAST.set(CString::new(bytes).unwrap_or_default());
}

/// Calls a function like [`guard`] does, for other return types: returns `otherwise` if it fails.
pub fn guard_value<T>(otherwise: T, call: impl FnOnce() -> Result<T, Failure>) -> T {
    let mut value = otherwise;
    guard(|| {
        value = call()?;
        Ok(())
    });
    value
}

/// Runs a function of the interface: a failure leaves its message, a panic becomes one.
pub fn guard(call: impl FnOnce() -> Result<(), Failure>) -> WgcResult {
    match catch_unwind(AssertUnwindSafe(call)) {
        Ok(Ok(())) => WgcResult::Ok,
        Ok(Err(Failure(result, message))) => {
            remember(message);
            result
        }
        Err(_) => {
            remember("internal error: the library panicked".to_owned());
            WgcResult::Internal
        }
    }
}
