//! The commands. Each turns an [`Invocation`] into an exit status. All text that they print is written here, or
//! formatted by `report` and `cli`.

mod budget;
mod compile;
mod explain;
mod fmt;
mod fusion;
mod inside;
mod messages;
mod run;
mod run_module;
mod verify;

use crate::cli::options::{Command, OLD_LANGUAGE_VERSIONS, Opt};
use crate::cli::parse::{Invocation, Request, UsageError, parse};
use crate::cli::profile::{NEWEST, Profile};
use crate::described::{Described, described, named};
use crate::internal_error::InternalError;
use crate::loader::{self, PreloadedFiles};
use crate::project::manifest::Manifest;
use crate::{Failure, Session};
use messages::Messages;
use std::io::Write;
use std::path::Path;
use wgc_abi::file::Content;
use wgc_abi::package::{is_package, is_packed};
use wgc_backend_spirv::EmitWarning;
use wgc_sema::db::Options;
use wgc_sema::db::diagnostic::Rendered;
use wgc_sema::tables::codes::{Code, Severity};

/// Success, possibly with warnings.
pub const OK: u8 = 0;
/// Errors in the source, or a failed expectation.
pub const FAILED: u8 = 1;
/// Wrong usage, or unreadable input.
pub const USAGE: u8 = 2;

/// The outcome of a command.
#[derive(Debug)]
pub enum Status {
    Code(u8),
    Internal(InternalError),
}

/// The reason why a command stops early. Its message has not been written yet, except for diagnostics.
enum Stop {
    Usage(String),
    Failed(String),
    /// Diagnostics were written.
    Reported,
    Internal(InternalError),
}

impl From<UsageError> for Stop {
    fn from(e: UsageError) -> Self {
        Stop::Usage(e.0)
    }
}

impl From<Failure> for Stop {
    fn from(e: Failure) -> Self {
        match e {
            Failure::Target(message) => Stop::Failed(message),
            // Callers with a session use `refused`, which also shows the location.
            Failure::Source(diagnostic) => Stop::Failed(diagnostic.message),
            Failure::Internal(e) => Stop::Internal(e),
        }
    }
}

pub fn run(invocation: &Invocation) -> Status {
    let mut messages = Messages::default();
    if matches!(invocation.command, Command::Fmt | Command::Lsp) {
        // Their outputs are their inputs.
        wgc_abi::touched::end();
    }
    let doubts = invocation.values(Opt::Warning).filter_map(crate::cli::warnings::doubt).collect();
    let result = messages.warn(invocation, doubts).and_then(|()| match invocation.command {
        Command::Compile => each(invocation, &mut messages, compile::compile),
        Command::Check => each(invocation, &mut messages, compile::check),
        Command::Run => each(invocation, &mut messages, run::run),
        Command::Devices => run::devices(invocation),
        Command::Explain => explain::explain(invocation),
        Command::Verify => verify::verify(invocation, &mut messages),
        Command::Fmt => fmt::fmt(invocation),
        Command::Lsp => lsp(invocation),
    });
    let status = finish_in(invocation, &mut messages, result);
    match (messages.end(), status) {
        (Err(stop), Status::Code(_)) => finish(Err(stop)),
        (_, status) => status,
    }
}

/// Works like [`finish`], in the format of the command's messages.
fn finish_in(invocation: &Invocation, messages: &mut Messages, result: Result<u8, Stop>) -> Status {
    let (message, code) = match result {
        Err(Stop::Usage(message)) => (message, USAGE),
        Err(Stop::Failed(message)) => (message, FAILED),
        other => return finish(other),
    };
    messages.fail(invocation, message);
    Status::Code(code)
}

/// Writes the reason why a command stopped, and returns its exit status.
fn finish(result: Result<u8, Stop>) -> Status {
    match result {
        Ok(code) => Status::Code(code),
        Err(Stop::Reported) => Status::Code(FAILED),
        Err(Stop::Failed(message)) => {
            complain(&message);
            Status::Code(FAILED)
        }
        Err(Stop::Usage(message)) => {
            complain(&message);
            Status::Code(USAGE)
        }
        Err(Stop::Internal(e)) => Status::Internal(e),
    }
}

/// Writes one message to standard error.
pub fn complain(message: &str) {
    let _ = writeln!(std::io::stderr(), "wgc: {}", crate::report::visible(message));
}

/// Writes text to standard output. A closed pipe is not an error, but a full disk is.
fn print(text: &str) -> Result<(), Stop> {
    print_bytes(text.as_bytes())
}

/// Writes bytes, such as a source that need not be UTF-8, to standard output.
fn print_bytes(bytes: &[u8]) -> Result<(), Stop> {
    let mut out = std::io::stdout().lock();
    match out.write_all(bytes).and_then(|()| out.flush()) {
        Err(e) if e.kind() != std::io::ErrorKind::BrokenPipe => {
            Err(Stop::Usage(format!("cannot write to standard output: {}", plain(&e))))
        }
        _ => Ok(()),
    }
}

/// Writes text to standard output, as a whole command.
pub fn say(text: &str) -> Status {
    finish(print(text).map(|()| OK))
}

/// Returns the program that a command line describes, for callers that compile in their own process.
///
/// # Errors
/// The command's usage errors: an unknown option, contradicting options, or an unreadable file.
pub fn session(args: &[String]) -> Result<Session, String> {
    let Request::Run(invocation) = parse(args).map_err(|e| e.0)? else {
        return Err("this command line requests help, not a program".into());
    };
    open(&invocation, &invocation.files, Options::default()).map_err(|stop| match stop {
        Stop::Usage(message) | Stop::Failed(message) => message,
        Stop::Internal(error) => error.0,
        Stop::Reported => "the command stopped".into(),
    })
}

/// Opens the program that an invocation's files and options describe. All files must be readable.
fn open(invocation: &Invocation, files: &[String], options: Options) -> Result<Session, Stop> {
    let named_by = if invocation.program.is_none() { NamedBy::User } else { NamedBy::File };
    open_given(invocation, files, options, read_files(files, named_by)?, host_named_by(invocation))
}

/// Returns the origin of the host file's name.
fn host_named_by(invocation: &Invocation) -> NamedBy {
    let is_given = invocation.has(Opt::Host) && (invocation.program.is_none() || invocation.has_given_host);
    if is_given { NamedBy::User } else { NamedBy::File }
}

/// Opens a program whose files have been read. Constants with values in `options` need not exist: the caller checks
/// them.
fn open_given(
    invocation: &Invocation,
    files: &[String],
    options: Options,
    mut read: PreloadedFiles,
    host_named_by: NamedBy,
) -> Result<Session, Stop> {
    for file in files {
        is_text(file, read.text(named(file)))?;
    }
    if let Some(host) = invocation.value(Opt::Host) {
        read.add(host, read_file(host, Content::Settings, host_named_by)?);
    }
    let of_others: Vec<u32> = options.specialisation.iter().map(|(id, _)| *id).collect();
    let Described { units, options, emit, plan, edges, given } = described(invocation, files, options)?;
    let session = Session::of_given(units, options, read).emitting(emit).planned(plan).choosing(edges);
    if let Some(id) = given.into_iter().find(|id| !of_others.contains(id) && !session.has_spec_constant(*id)) {
        return Err(Stop::Usage(format!("the program has no specialisation constant {id}")));
    }
    if invocation.has(Opt::IncludeTree) {
        for (depth, file) in session.includes().iter().filter(|(depth, _)| *depth > 0) {
            let _ = writeln!(std::io::stderr(), "{} {file}", ".".repeat(*depth as usize));
        }
    }
    Ok(session)
}

/// Returns the invocations that one stands for: itself, or the programs of `wgc.json` that it names. `wgc check`
/// without files means all of them.
fn programs(invocation: &Invocation) -> Result<Vec<Invocation>, Stop> {
    let named: Vec<&str> = invocation.values(Opt::Program).collect();
    if !invocation.files.is_empty() {
        return match named.first() {
            Some(name) => Err(Stop::Usage(format!("--program {name} already names the files; remove the others"))),
            None => Ok(vec![invocation.clone()]),
        };
    }
    let all = invocation.command == Command::Check;
    if named.is_empty() && !all {
        return Ok(vec![invocation.clone()]);
    }
    let Some(manifest) = Manifest::find(invocation).map_err(Stop::Usage)? else {
        return match named.first() {
            Some(name) => Err(Stop::Usage(format!("--program {name}: no wgc.json in this folder or above"))),
            None => Ok(vec![invocation.clone()]),
        };
    };
    let names: Vec<&str> = if named.is_empty() { manifest.names().collect() } else { named };
    if names.len() > 1 && invocation.has(Opt::Output) {
        return Err(Stop::Usage("-o names one output, but several programs are compiled".into()));
    }
    names.into_iter().map(|name| manifest.invocation(name, invocation).map_err(Stop::Usage)).collect()
}

/// Serves an editor on standard input and output.
fn lsp(invocation: &Invocation) -> Result<u8, Stop> {
    if let Some(file) = invocation.files.first() {
        return Err(Stop::Usage(format!("`wgc lsp` accepts no files, but `{file}` was given; the editor names files")));
    }
    crate::lsp::stdio().map(|()| OK).map_err(Stop::Failed)
}

/// Runs a command for each program, and returns the worst status.
fn each(
    invocation: &Invocation,
    messages: &mut Messages,
    command: fn(&Invocation, &mut Messages) -> Result<u8, Stop>,
) -> Result<u8, Stop> {
    let programs = match programs(invocation)? {
        mut one if one.len() == 1 => return command(&one.remove(0), messages),
        several => several,
    };
    let mut worst = OK;
    for program in programs {
        let result = command(&program, messages);
        match finish_in(&program, messages, result) {
            Status::Code(code) => worst = worst.max(code),
            Status::Internal(error) => return Err(Stop::Internal(error)),
        }
    }
    Ok(worst)
}

/// Reads a file that the command line names.
fn read_file(file: &str, content: Content, named_by: NamedBy) -> Result<Vec<u8>, Stop> {
    let read = match named_by {
        NamedBy::User => loader::read(named(file), content),
        NamedBy::File => wgc_abi::file::read(Path::new(file), content),
    };
    read.map_err(|e| {
        let command =
            Some(file).filter(|_| e.kind() == std::io::ErrorKind::NotFound).and_then(crate::cli::parse::near_command);
        let hint = command.map_or_else(String::new, |command| format!("; did you mean `wgc {command}`?"));
        Stop::Usage(format!("cannot read {file}: {}{hint}", plain(&e)))
    })
}

/// Reads the files of a program. In the database, a missing file may appear later; here it is a usage error.
fn read_files(files: &[String], named_by: NamedBy) -> Result<PreloadedFiles, Stop> {
    let mut read = PreloadedFiles::default();
    for file in files {
        if read.text(named(file)).is_none() && !is_package(Path::new(file)) {
            let bytes = read_file(file, Content::Input, named_by)?;
            if compiled_kind(Some(&bytes)).is_none() && bytes.len() as u64 > Content::Source.most_bytes() {
                let (has, most) = (bytes.len(), Content::Source.most_bytes());
                return Err(Stop::Usage(format!("cannot read {file}: it has {has} bytes; the limit is {most}")));
            }
            read.add(named(file), bytes);
        }
    }
    Ok(read)
}

/// The origin of a file's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum NamedBy {
    /// The command line, which may name pipes.
    User,
    /// A run file or `wgc.json`.
    File,
}

/// Returns whether bytes start with the SPIR-V magic number, in either byte order.
fn is_module(bytes: &[u8]) -> bool {
    let magic = bytes.first_chunk().map(|first| [u32::from_le_bytes(*first), u32::from_be_bytes(*first)]);
    magic.is_some_and(|magic| magic.contains(&wgc_spirv_module::MAGIC))
}

/// The kind of a compiled file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CompiledKind {
    Module,
    Package,
}

impl std::fmt::Display for CompiledKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Module => "a SPIR-V module",
            Self::Package => "a package",
        })
    }
}

impl CompiledKind {
    /// Returns the extension of files that wgc writes.
    fn extension(self) -> &'static str {
        match self {
            Self::Module => "spv",
            Self::Package => "wgcpkg",
        }
    }

    /// Returns the kind that the other target produces.
    fn other(self) -> Self {
        match self {
            Self::Module => Self::Package,
            Self::Package => Self::Module,
        }
    }
}

/// Returns the kind of a file with these contents; `None` is a directory.
fn compiled_kind(bytes: Option<&[u8]>) -> Option<CompiledKind> {
    let Some(bytes) = bytes else { return Some(CompiledKind::Package) };
    match is_packed(bytes) {
        true => Some(CompiledKind::Package),
        false => is_module(bytes).then_some(CompiledKind::Module),
    }
}

/// Refuses compiled files, whose bytes would only cause thousands of syntax errors, and files with such a name.
fn is_text(file: &str, bytes: Option<&[u8]>) -> Result<(), Stop> {
    if let Some(kind) = compiled_kind(bytes) {
        return Err(Stop::Usage(format!("{file} is {kind}, not HLSL: wgc cannot compile its own output")));
    }
    let path = Path::new(file);
    let mut kinds = [CompiledKind::Module, CompiledKind::Package].into_iter();
    match kinds.find(|kind| path.extension().is_some_and(|e| e == kind.extension())) {
        Some(kind) => Err(Stop::Usage(format!("{file} is not {kind}, despite its name"))),
        None => Ok(()),
    }
}

/// Returns a warning about a language version before 2021. Conversions and templates had other meanings in them. Build
/// scripts name such versions for programs that mean the same today, and most other programs fail with type errors.
fn language_version(invocation: &Invocation) -> Option<String> {
    let old = invocation.value(Opt::LanguageVersion).filter(|year| OLD_LANGUAGE_VERSIONS.contains(year));
    old.map(|year| {
        format!(
            "-HV {year}: wgc compiles HLSL 2021, except that `&&`, `||` and `?:` work on each component and evaluate all operands, and variables of a `for` stay in scope after the loop"
        )
    })
}

/// Returns a warning about a shader model before 6.
fn old_model(invocation: &Invocation) -> Option<String> {
    let profile = invocation.value(Opt::Profile)?;
    let is_old = Profile::parse(profile).is_ok_and(|(_, (major, _))| major < 6);
    is_old.then(|| {
        format!(
            "-T {profile}: wgc compiles the language of shader model 6; only the macros `__SHADER_TARGET_MAJOR` and `__SHADER_TARGET_MINOR` are those of {profile}"
        )
    })
}

/// Returns a warning about a preview of a shader model.
fn preview(invocation: &Invocation) -> Option<String> {
    let profile = invocation.value(Opt::Profile)?;
    let (major, minor) = NEWEST;
    let is_preview = !profile.ends_with('x') && Profile::parse(profile).is_ok_and(|(_, model)| model > NEWEST);
    is_preview.then(|| {
        format!(
            "-T {profile} is a preview of DXC: the newest shader model is {major}.{minor}, and wgc checks its rules"
        )
    })
}

/// Writes the diagnostics; an error among them stops the command.
fn report(invocation: &Invocation, session: &Session, to: &mut Messages) -> Result<(), Stop> {
    report_all(invocation, session, session.diagnostics(), to)
}

/// Writes the diagnostics of a program that must become a module, which a graph without nodes cannot.
fn report_for_module(invocation: &Invocation, session: &Session, to: &mut Messages) -> Result<(), Stop> {
    let mut diagnostics = session.diagnostics();
    for missing in diagnostics.iter_mut().filter(|d| d.code == Code::NoNodes) {
        missing.severity = Severity::Error;
    }
    report_all(invocation, session, diagnostics, to)
}

/// Writes warnings about the options first, since they may explain the diagnostics that follow.
fn report_all(
    invocation: &Invocation,
    session: &Session,
    diagnostics: Vec<Rendered>,
    to: &mut Messages,
) -> Result<(), Stop> {
    let options = [language_version(invocation), old_model(invocation), preview(invocation)];
    let options = to.warn(invocation, options.into_iter().flatten().collect());
    to.write(invocation, diagnostics, &|path| session.text(path))?;
    options
}

/// Writes the emitter's warnings; fails if they are errors.
fn report_emitter(
    invocation: &Invocation,
    session: &Session,
    found: &[EmitWarning],
    to: &mut Messages,
) -> Result<(), Stop> {
    let (diagnostics, texts) = session.warnings_of(found);
    let texts = to.warn(invocation, texts);
    to.write(invocation, diagnostics, &|path| session.text(path))?;
    texts
}

/// Writes a target's refusal at its location.
fn refused(invocation: &Invocation, session: &Session, failure: Failure, to: &mut Messages) -> Stop {
    match failure {
        Failure::Source(diagnostic) => {
            to.write(invocation, vec![*diagnostic], &|path| session.text(path)).err().unwrap_or(Stop::Reported)
        }
        other => other.into(),
    }
}

/// Formats an I/O error without Rust's "(os error 2)".
fn plain(e: &std::io::Error) -> String {
    let text = e.to_string();
    text.split(" (os error").next().unwrap_or(&text).to_lowercase()
}
