//! The commands. Each turns an [`Invocation`] into an exit status. All text that they print is written here, or
//! formatted by `report` and `cli`.

mod budget;
mod compile;
mod explain;
mod fmt;
mod inside;
mod messages;
mod run;
mod run_module;
mod verify;

use crate::cli::options::{Command, OLD_LANGUAGE_VERSIONS, Opt};
use crate::cli::parse::{Invocation, Request, UsageError, name_of, parse};
use crate::cli::profile::{NEWEST, Profile};
use crate::cli::warnings::Warnings;
use crate::internal_error::InternalError;
use crate::loader::{self, PreloadedFiles, STANDARD_INPUT, real_path};
use crate::project::manifest::Manifest;
use crate::project::tools_config::ToolsConfig;
use crate::{Failure, Session, Target};
use messages::Messages;
use std::io::Write;
use std::path::Path;
use wgc_abi::file::Content;
use wgc_abi::package::{is_package, is_packed};
use wgc_backend_spirv::emulated::plan::{Schedule, Settings};
use wgc_backend_spirv::{DebugInfo, Denormals, EmitOptions, EmitWarning, Environment, ValidOperand};
use wgc_sema::db::Options;
use wgc_sema::db::diagnostic::Rendered;
use wgc_sema::tables::codes::{Code, Severity};

/// Success, possibly with warnings.
pub const OK: u8 = 0;
/// Errors in the source, or a failed expectation.
pub const FAILED: u8 = 1;
/// Wrong usage, or unreadable input.
pub const USAGE: u8 = 2;

/// The shader model of programs without a profile.
const DEFAULT_SHADER_MODEL: u32 = 680;

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
    let result = match invocation.command {
        Command::Compile => each(invocation, &mut messages, compile::compile),
        Command::Check => each(invocation, &mut messages, compile::check),
        Command::Run => each(invocation, &mut messages, run::run),
        Command::Devices => run::devices(invocation),
        Command::Explain => explain::explain(invocation),
        Command::Verify => verify::verify(invocation, &mut messages),
        Command::Fmt => fmt::fmt(invocation),
        Command::Lsp => lsp(invocation),
    };
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
    open_given(invocation, files, options, read_files(files, named_by)?)
}

/// Opens a program whose files have been read. Constants with values in `options` need not exist: the caller checks
/// them.
fn open_given(
    invocation: &Invocation,
    files: &[String],
    options: Options,
    mut read: PreloadedFiles,
) -> Result<Session, Stop> {
    for file in files {
        is_text(file, read.text(named(file)))?;
    }
    if let Some(host) = invocation.value(Opt::Host) {
        read.add(host, read_file(host, Content::Settings)?);
    }
    let of_others: Vec<u32> = options.specialisation.iter().map(|(id, _)| *id).collect();
    let Described { units, options, emit, plan, given } = described(invocation, files, options)?;
    let session = Session::of_given(units, options, read).emitting(emit).planned(plan);
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

/// An invocation's description of a program; its files need not be readable.
struct Described<'f> {
    /// The translation units, each with its options.
    units: Vec<(&'f str, Options)>,
    /// The options of the graph.
    options: Options,
    emit: EmitOptions,
    plan: Settings,
    /// IDs of the specialisation constants with values.
    given: Vec<u32>,
}

/// Returns a program's translation units with their options, and the options of the graph, for the language server.
/// Files need not exist.
///
/// # Errors
/// The command line's errors about the options.
pub(crate) fn program_of(invocation: &Invocation) -> Result<(Vec<(String, Options)>, Options), String> {
    let described = described(invocation, &invocation.files, Options::default());
    let Described { units, options, .. } = described.map_err(|stop| match stop {
        Stop::Usage(message) | Stop::Failed(message) => message,
        Stop::Internal(error) => error.0,
        Stop::Reported => "invalid options".into(),
    })?;
    Ok((units.into_iter().map(|(file, own)| (file.to_owned(), own)).collect(), options))
}

/// The warning levels of an invocation, for the language server.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Levels {
    warnings: Warnings,
    /// Show diagnostics about moved bindings.
    bindings: bool,
}

impl Levels {
    /// Reads the levels of an invocation.
    ///
    /// # Errors
    /// The command line's errors about the options.
    pub fn of(invocation: &Invocation) -> Result<Levels, String> {
        match messages::warnings(invocation) {
            Ok(warnings) => Ok(Levels { warnings, bindings: invocation.has(Opt::Binding) }),
            Err(Stop::Usage(message) | Stop::Failed(message)) => Err(message),
            Err(_) => Err("invalid options".into()),
        }
    }

    /// Applies the levels like `wgc check`, but keeps hints.
    pub fn apply(&self, diagnostics: &mut Vec<Rendered>) {
        if !self.bindings {
            compile::quiet_bindings(diagnostics);
        }
        self.warnings.apply_with_hints(diagnostics);
    }
}

/// Returns the folders of `--include-root` without links.
fn include_roots(invocation: &Invocation) -> Result<Vec<String>, Stop> {
    let real = |root| {
        let real = real_path(root).filter(|real| Path::new(real).is_dir());
        real.ok_or_else(|| Stop::Usage(format!("{} {root}: no such folder", name_of(Opt::IncludeRoot))))
    };
    invocation.values(Opt::IncludeRoot).map(real).collect()
}

fn described<'f>(invocation: &Invocation, files: &'f [String], mut options: Options) -> Result<Described<'f>, Stop> {
    options.defines.extend(invocation.values(Opt::Define).map(macro_of).collect::<Result<Vec<_>, _>>()?);
    options.include_dirs.extend(invocation.values(Opt::Include).map(String::from));
    options.include_roots.extend(include_roots(invocation)?);
    options.enable_16bit_types |= invocation.has(Opt::Enable16BitTypes);
    // The table of options only allows these values.
    options.hlsl_version = invocation.value(Opt::LanguageVersion).and_then(|year| match year {
        "202x" => Some(wgc_sema::types::literal_types::HLSL_202X),
        year => year.parse().ok(),
    });
    options.legacy_buffer_matrices |= invocation.has(Opt::LegacyBufferMatrixOrder);
    options.row_major |= invocation.has(Opt::RowMajor);
    options.precise |= invocation.has(Opt::Precise);
    if options.row_major && invocation.has(Opt::ColumnMajor) {
        return Err(Stop::Usage("-Zpr and -Zpc exclude each other".into()));
    }
    options.library |= invocation.has(Opt::Library);
    for option in invocation.values(Opt::Binding) {
        let words: Vec<&str> = option.split(' ').collect();
        let (name, words) = words.split_first().unwrap_or((&"", &[]));
        options.bindings.set(name, words).map_err(Stop::Usage)?;
    }
    for given in invocation.values(Opt::Specialise) {
        options.specialisation.push(specialisation_of(given)?);
    }
    apply_profile(invocation, &mut options)?;
    let emit = emit_options(invocation)?;
    let is_native = options.compute_entry.is_none() && compile::target(invocation) == Target::Amdx;
    let (major, minor) = if is_native { Environment::AMDX } else { emit.environment }.version;
    options.spirv_version = Some((major.into(), minor.into()));
    if let (Some(entry), true) = (&options.compute_entry, files.len() > 1) {
        return Err(Stop::Usage(format!(
            "-T cs_* compiles one shader, `{entry}`, from one file, not from {}",
            files.len()
        )));
    }
    if let Some(host) = invocation.value(Opt::Host) {
        options.host = Some(host.to_owned());
    }
    let mut units = Vec::new();
    let mut given: Vec<u32> = Vec::new();
    for (n, file) in files.iter().enumerate() {
        let mut own = options.clone();
        for (_, define) in invocation.own.get(n).into_iter().flatten().filter(|o| o.0 == Opt::Define) {
            let define = macro_of(define)?;
            own.defines.retain(|other| other.0 != define.0);
            own.defines.push(define);
        }
        for (_, given) in invocation.own.get(n).into_iter().flatten().filter(|o| o.0 == Opt::Specialise) {
            own.specialisation.push(specialisation_of(given)?);
        }
        given.extend(own.specialisation.iter().map(|(id, _)| *id));
        let file = named(file);
        tools_config(file, &mut own)?;
        units.push((file, own));
    }
    let mut plan = Settings::default();
    if let Some(kib) = invocation.number(Opt::PageKib)? {
        if !kib.is_power_of_two() || kib > 1024 {
            return Err(Stop::Usage(format!("a page must have 1, 2, 4 .. 1024 KiB, not {kib}")));
        }
        plan.page_bytes = kib * 1024;
    }
    if let Some(kib) = invocation.number(Opt::SegmentKib)? {
        plan.segment_bytes = kib.saturating_mul(1024);
    }
    if let Some(targets) = invocation.number(Opt::DirectTargets)? {
        plan.direct_targets = targets;
    }
    if let Some(instances) = invocation.number(Opt::JointDispatch)? {
        plan.joint_dispatch = instances;
    }
    plan.schedule = match (invocation.value(Opt::Schedule), invocation.number(Opt::Drain)?.unwrap_or(0)) {
        (Some("depth"), 0) => Schedule::Depth,
        (Some("depth"), _) => {
            return Err(Stop::Usage("--drain needs the topological schedule: with depth, nothing waits".to_owned()));
        }
        (_, 0) => Schedule::Topological,
        (_, levels) => Schedule::Drained(levels),
    };
    plan.guarded = invocation.has(Opt::Poison);
    plan.atomics64 = !invocation.has(Opt::NoInt64Atomics);
    if plan.guarded && invocation.number(Opt::JointDispatch)?.is_some_and(|instances| instances != 0) {
        let why =
            "--poison and --joint-dispatch exclude each other: instances of a joint dispatch cannot be told apart";
        return Err(Stop::Usage(why.to_owned()));
    }
    Ok(Described { units, options, emit, plan, given })
}

/// Parses `--spec ID=VALUE`.
fn specialisation_of(given: &str) -> Result<(u32, String), Stop> {
    let parts = given.split_once('=').and_then(|(id, value)| Some((id.parse().ok()?, value.to_string())));
    parts.ok_or_else(|| Stop::Usage(format!("--spec expects ID=VALUE with the number of a constant, not `{given}`")))
}

/// Parses `-D NAME=VALUE` or `-D NAME(a,b)=VALUE`. The preprocessor checks the parameters.
fn macro_of(define: &str) -> Result<(String, String), Stop> {
    let (name, value) = define.split_once('=').unwrap_or((define, "1"));
    let called = match name.split_once('(') {
        Some((called, parameters)) if parameters.ends_with(')') => called,
        _ => name,
    };
    if is_identifier(called) {
        Ok((name.into(), value.into()))
    } else {
        Err(Stop::Usage(format!("-D expects a macro name, not `{name}`")))
    }
}

/// Adds the contents of `shadertoolsconfig.json`. The command line has priority.
fn tools_config(file: &str, options: &mut Options) -> Result<(), Stop> {
    let config = ToolsConfig::of(file, &options.include_roots).map_err(Stop::Usage)?;
    for (name, value) in config.defines {
        if !is_identifier(&name) {
            return Err(Stop::Usage(format!("shadertoolsconfig.json: `{name}` is not a macro name")));
        }
        if options.defines.iter().all(|other| other.0 != name) {
            options.defines.push((name, value));
        }
    }
    options.include_dirs.extend(config.include_dirs);
    options.virtual_dirs.extend(config.mappings);
    Ok(())
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
    let Some(manifest) = Manifest::find().map_err(Stop::Usage)? else {
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
        return Err(Stop::Usage(format!("`wgc lsp` accepts no files, but {file} is one: the editor names files")));
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

/// Returns the database's name for a file of the command line.
fn named(file: &str) -> &str {
    if file == "-" { STANDARD_INPUT } else { file }
}

/// Reads a file that the command line names.
fn read_file(file: &str, content: Content) -> Result<Vec<u8>, Stop> {
    loader::read(named(file), content).map_err(|e| Stop::Usage(format!("cannot read {file}: {}", plain(&e))))
}

/// Reads the files of a program. In the database, a missing file may appear later; here it is a usage error.
fn read_files(files: &[String], named_by: NamedBy) -> Result<PreloadedFiles, Stop> {
    let mut read = PreloadedFiles::default();
    for file in files {
        if read.text(named(file)).is_none() && !is_package(Path::new(file)) {
            let bytes = match named_by {
                NamedBy::User => read_file(file, Content::Input)?,
                NamedBy::File => {
                    let read = wgc_abi::file::read(Path::new(file), Content::Input);
                    read.map_err(|e| Stop::Usage(format!("cannot read {file}: {}", plain(&e))))?
                }
            };
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

/// Applies the profile. `-T lib_6_8` is the default; `-T cs_6_0 -E main` makes one function the entry point.
fn apply_profile(invocation: &Invocation, options: &mut Options) -> Result<(), Stop> {
    let entry = invocation.value(Opt::Entry);
    let Some(profile) = invocation.value(Opt::Profile) else {
        return match entry {
            Some(entry) => Err(Stop::Usage(format!("-E {entry} needs -T cs_6_0 or later"))),
            None => Ok(()),
        };
    };
    let (profile, model) = Profile::parse(profile).map_err(Stop::Usage)?;
    options.shader_model = Some(model);
    match profile {
        Profile::Library => {}
        Profile::Compute => {
            options.compute_entry = Some(entry.unwrap_or("main").into());
            options.library = true;
        }
    }
    Ok(())
}

/// Returns a warning about a language version before 2021. Conversions and templates had other meanings in them. Build
/// scripts name such versions for programs that mean the same today, and most other programs fail with type errors.
fn language_version(invocation: &Invocation) -> Option<String> {
    let old = invocation.value(Opt::LanguageVersion).filter(|year| OLD_LANGUAGE_VERSIONS.contains(year));
    old.map(|year| {
        format!(
            "-HV {year}: wgc compiles HLSL 2021, except for `&&`, `||` and `?:`, which work on each component and evaluate all operands"
        )
    })
}

/// Returns a warning about a shader model before 6.
fn old_model(invocation: &Invocation) -> Option<String> {
    let profile = invocation.value(Opt::Profile)?;
    let is_old = Profile::parse(profile).is_ok_and(|(_, (major, _))| major < 6);
    is_old.then(|| {
        format!(
            "-T {profile}: wgc compiles the language of shader model 6; only `__SHADER_TARGET_MAJOR` is that of {profile}"
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

/// Returns the shader model in DXC's notation: 680 for 6.8.
fn shader_model(invocation: &Invocation) -> u32 {
    let profile = invocation.value(Opt::Profile).and_then(|text| Profile::parse(text).ok());
    profile.map_or(DEFAULT_SHADER_MODEL, |(_, (major, minor))| major * 100 + minor * 10)
}

/// Returns the debug information to emit. `-fspv-debug` overrides `-Zi`, and each use of it adds to the previous ones.
fn debug_info(invocation: &Invocation) -> DebugInfo {
    if invocation.has(Opt::StripDebug) {
        return DebugInfo::NONE;
    }
    if !invocation.has(Opt::DebugLevel) {
        return if invocation.has(Opt::DebugInfo) { DebugInfo::FULL } else { DebugInfo::LINES };
    }
    let mut debug = DebugInfo { names: true, ..DebugInfo::NONE };
    for level in invocation.values(Opt::DebugLevel) {
        debug.tool |= level == "tool";
        debug.file |= level != "tool";
        debug.text |= matches!(level, "source" | "line" | "vulkan-with-source" | "rich-with-source");
        debug.lines |= level == "line";
        // DXC's `rich` is an older instruction set for the same purpose, which no Vulkan device accepts.
        debug.instructions |= level.starts_with("vulkan") || level.starts_with("rich");
    }
    debug
}

/// Returns the command line as wgc understood it.
fn command_line(invocation: &Invocation) -> String {
    let option = |(opt, value): &(Opt, String)| match opt {
        Opt::Binding => value.clone(),
        _ if value.is_empty() => name_of(*opt).to_owned(),
        _ => format!("{} {value}", name_of(*opt)),
    };
    let mut words: Vec<String> = Vec::new();
    for (n, file) in invocation.files.iter().enumerate() {
        words.extend(invocation.own.get(n).into_iter().flatten().map(option));
        words.push(file.clone());
    }
    words.extend(invocation.options.iter().map(option));
    words.join(" ")
}

/// Returns the options of the emitter.
fn emit_options(invocation: &Invocation) -> Result<EmitOptions, Stop> {
    let mut emit = EmitOptions {
        entry_point_name: invocation.value(Opt::EntryPointName).map(String::from),
        debug: debug_info(invocation),
        command_line: command_line(invocation),
        maximal_reconvergence: invocation.has(Opt::MaximalReconvergence),
        valid_operand: match invocation.has(Opt::AmdxCompat) {
            true => ValidOperand::Value,
            false => ValidOperand::Type,
        },
        denormals: match invocation.value(Opt::Denormals) {
            Some("preserve") => Denormals::Preserved,
            Some("ftz") => Denormals::Flushed,
            _ => Denormals::Any,
        },
        hlsl_version: (!invocation.has(Opt::StripDebug)).then(|| shader_model(invocation)),
        ..EmitOptions::default()
    };
    if let Some(environment) = invocation.value(Opt::TargetEnvironment).and_then(Environment::find) {
        emit.environment = environment;
    }
    Ok(emit)
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

fn is_identifier(name: &str) -> bool {
    let mut chars = name.chars();
    chars.next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
        && chars.all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// Formats an I/O error without Rust's "(os error 2)".
fn plain(e: &std::io::Error) -> String {
    let text = e.to_string();
    text.split(" (os error").next().unwrap_or(&text).to_lowercase()
}
