//! Options of `wgc run` that show the inner workings of an emulated graph.

use super::Stop;
use crate::cli::options::Opt;
use crate::cli::parse::{Invocation, name_of};
use std::cell::Cell;
use std::io::{self, BufWriter, Write, stdout};
use std::path::Path;
use wgc_abi::manifest::Manifest;
use wgc_abi::replace::Staged;
use wgc_abi::stream::Stream;
use wgc_runtime::device::Device;
use wgc_runtime::emulated::inside::{Form, Observer, Only, RecordPrinter, Trace};
use wgc_runtime::executors::EmulatedExecutor;
use wgc_runtime::run_file::Executor;

/// Returns whether an option shows details of the run, regardless of expectations.
pub(super) fn shows(invocation: &Invocation) -> bool {
    [Opt::Records, Opt::RecordsJson, Opt::Trace, Opt::Stats].iter().any(|opt| invocation.has(*opt))
}

/// Attaches the requested observers and measurements to an executor.
pub(super) fn watched(
    invocation: &Invocation,
    executor: EmulatedExecutor<impl Device + 'static>,
) -> Result<Box<dyn Executor>, Stop> {
    check_trace(invocation)?;
    let observer = observer(invocation, executor.manifest())?;
    let executor = match observer {
        Some(observer) => executor.observed(observer),
        None => executor,
    };
    let measures = invocation.has(Opt::Trace) || invocation.has(Opt::Stats);
    Ok(Box::new(if measures { executor.traced() } else { executor }))
}

/// Checks before the run that the trace can have its file: it is neither an input nor another output.
fn check_trace(invocation: &Invocation) -> Result<(), Stop> {
    let Some(path) = invocation.value(Opt::Trace) else { return Ok(()) };
    let checked = match Stream::named(Path::new(path)) {
        Some(stream) => stream.check(),
        None => wgc_abi::replace::place(Path::new(path)).and_then(|place| match place.is_dir() {
            true => Err(io::ErrorKind::IsADirectory.into()),
            false => wgc_abi::touched::check(&place),
        }),
    };
    checked.map_err(|e| Stop::Usage(format!("cannot write {path}: {}", super::plain(&e))))
}

/// Writes and prints the measurements.
pub(super) fn show(invocation: &Invocation, trace: &Trace) -> Result<(), Stop> {
    if let Some(path) = invocation.value(Opt::Trace) {
        let mut text = Vec::new();
        let written = trace.write(&mut text);
        written.map_err(|e| Stop::Usage(format!("cannot write {path}: {}", super::plain(&e))))?;
        let written = crate::output::write_file(Path::new(path), &text);
        written.map_err(|(_, e)| Stop::Usage(format!("cannot write {path}: {}", super::plain(&e))))?;
    }
    if invocation.has(Opt::Stats) {
        super::print(&trace.table())?;
    }
    Ok(())
}

thread_local! {
    /// The error that kept this thread's file of records from being written: a drop cannot return it.
    static UNWRITTEN: Cell<Option<io::Error>> = const { Cell::new(None) };
    /// Set if nothing ran: the file of records stays as it was.
    static DISCARDED: Cell<bool> = const { Cell::new(false) };
}

/// Keeps the file of records from being written, since the run was refused.
pub(super) fn discard() {
    DISCARDED.set(true);
}

/// Checks that the file of records was committed. The executor must be dropped before.
///
/// # Errors
/// The file could not be written.
pub(super) fn written() -> Result<(), Stop> {
    let problem = UNWRITTEN.take();
    problem.map_or(Ok(()), |error| Err(Stop::Usage(format!("cannot write the records: {}", super::plain(&error)))))
}

/// A file of records that is committed when the run ends, even if the run failed.
struct RecordFile {
    staged: Option<Staged>,
    /// Set if a write failed, so that a part is missing.
    failed: bool,
}

impl Write for RecordFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.staged.as_mut().map_or(Ok(bytes.len()), |staged| staged.write(bytes));
        self.failed |= written.as_ref().is_err_and(|e| e.kind() != io::ErrorKind::Interrupted);
        written
    }

    fn flush(&mut self) -> io::Result<()> {
        self.staged.as_mut().map_or(Ok(()), Write::flush)
    }
}

impl Drop for RecordFile {
    fn drop(&mut self) {
        let whole = !self.failed && !std::thread::panicking() && !DISCARDED.take();
        if let Some(Err(error)) = self.staged.take().filter(|_| whole).map(Staged::commit) {
            UNWRITTEN.set(Some(error));
        }
    }
}

/// Returns the observer that writes the graph's records, if requested.
fn observer(invocation: &Invocation, manifest: &Manifest) -> Result<Option<Box<dyn Observer>>, Stop> {
    let sorted = invocation.has(Opt::Sorted);
    if !invocation.has(Opt::Records) && !invocation.has(Opt::RecordsJson) {
        return match sorted {
            true => Err(Stop::Usage(format!("{} needs {}", name_of(Opt::Sorted), name_of(Opt::Records)))),
            false => Ok(None),
        };
    }
    let asked = invocation.values(Opt::Records).filter(|which| !which.is_empty());
    let only = asked.map(|which| Only::parse(which, manifest)).collect::<Result<Vec<_>, _>>();
    let only = only.map_err(|e| Stop::Usage(format!("{}: {e}", name_of(Opt::Records))))?;
    let (out, form): (Box<dyn Write>, Form) = match invocation.value(Opt::RecordsJson) {
        None => (Box::new(stdout()), Form::Text),
        Some(path) => {
            let failed = |e: &io::Error| Stop::Usage(format!("cannot write {path}: {}", super::plain(e)));
            let out: Box<dyn Write> = match Stream::named(Path::new(path)) {
                Some(stream) => {
                    stream.claim().map_err(|e| failed(&e))?;
                    check_trace(invocation)?;
                    stream.open().map_err(|e| failed(&e))?
                }
                None => {
                    let staged = Staged::over(Path::new(path)).map_err(|e| failed(&e))?;
                    // The trace may have the same place. Nothing is committed then.
                    check_trace(invocation)?;
                    Box::new(RecordFile { staged: Some(staged), failed: false })
                }
            };
            (Box::new(BufWriter::new(out)), Form::Lines)
        }
    };
    Ok(Some(Box::new(RecordPrinter::new(out, form, sorted, only))))
}
