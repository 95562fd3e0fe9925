//! The program that an invocation describes: its translation units, the options of the language, the modules and the
//! schedule, and the levels of diagnostics. The commands and the language server read invocations here.

use crate::Target;
use crate::cli::options::{Command, Opt};
use crate::cli::parse::{Invocation, UsageError, name_of};
use crate::cli::profile::Profile;
use crate::cli::warnings::{Level, Warnings};
use crate::loader::STANDARD_INPUT;
use crate::project::confined::include_roots;
use crate::project::tools_config::ToolsConfig;
use wgc_backend_spirv::emulated::plan::{Schedule, Settings};
use wgc_backend_spirv::{DebugInfo, Denormals, EmitOptions, Environment, ValidOperand};
use wgc_ir::passes::OptLevel;
use wgc_ir::passes::fusion::{EdgeChoice, FusionMode};
use wgc_sema::db::Options;
use wgc_sema::db::diagnostic::Rendered;
use wgc_sema::tables::codes::{Code, Severity};

/// The shader model of programs without a profile.
const DEFAULT_SHADER_MODEL: u32 = 680;

/// An invocation's description of a program; its files need not be readable.
pub(crate) struct Described<'f> {
    /// The translation units, each with its options.
    pub units: Vec<(&'f str, Options)>,
    /// The options of the graph.
    pub options: Options,
    pub emit: EmitOptions,
    pub plan: Settings,
    pub edges: Vec<EdgeChoice>,
    /// IDs of the specialisation constants with values.
    pub given: Vec<u32>,
}

pub(crate) fn described<'f>(
    invocation: &Invocation,
    files: &'f [String],
    mut options: Options,
) -> Result<Described<'f>, UsageError> {
    options.defines.extend(invocation.values(Opt::Define).map(macro_of).collect::<Result<Vec<_>, _>>()?);
    options.include_dirs.extend(invocation.values(Opt::Include).map(String::from));
    options.include_roots.extend(include_roots(invocation).map_err(UsageError)?);
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
        return Err(UsageError("-Zpr and -Zpc exclude each other".into()));
    }
    options.library |= invocation.has(Opt::Library);
    for option in invocation.values(Opt::Binding) {
        let words: Vec<&str> = option.split(' ').collect();
        let (name, words) = words.split_first().unwrap_or((&"", &[]));
        options.bindings.set(name, words).map_err(UsageError)?;
    }
    for given in invocation.values(Opt::Specialise) {
        options.specialisation.push(specialisation_of(given)?);
    }
    apply_profile(invocation, &mut options)?;
    let emit = emit_options(invocation)?;
    let is_native = options.compute_entry.is_none() && target(invocation) == Target::Amdx;
    let (major, minor) = if is_native { Environment::AMDX } else { emit.environment }.version;
    options.spirv_version = Some((major.into(), minor.into()));
    if let (Some(entry), true) = (&options.compute_entry, files.len() > 1) {
        return Err(UsageError(format!(
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
            return Err(UsageError(format!("a page must have 1, 2, 4 .. 1024 KiB, not {kib}")));
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
    plan.fusion = fusion_mode(invocation)?;
    plan.resident = invocation.value(Opt::Resident) == Some("auto");
    plan.schedule = match (invocation.value(Opt::Schedule), invocation.number(Opt::Drain)?.unwrap_or(0)) {
        (Some("depth"), 0) => Schedule::Depth,
        (Some("depth"), _) => {
            return Err(UsageError("--drain needs the topological schedule: with depth, nothing waits".to_owned()));
        }
        (_, 0) => Schedule::Topological,
        (_, levels) => Schedule::Drained(levels),
    };
    plan.guarded = invocation.has(Opt::Poison);
    plan.atomics64 = !invocation.has(Opt::NoInt64Atomics);
    if plan.guarded && invocation.number(Opt::JointDispatch)?.is_some_and(|instances| instances != 0) {
        let why =
            "--poison and --joint-dispatch exclude each other: instances of a joint dispatch cannot be told apart";
        return Err(UsageError(why.to_owned()));
    }
    let edges = edge_choices(invocation);
    Ok(Described { units, options, emit, plan, edges, given })
}

/// Returns whether `--fusion` was given without a mode: `wgc check` lists the edges.
pub(crate) fn lists_edges(invocation: &Invocation) -> bool {
    invocation.values(Opt::Fusion).any(str::is_empty)
}

/// Returns the edges of `--fuse` and `--no-fuse`, in the order of the command line.
fn edge_choices(invocation: &Invocation) -> Vec<EdgeChoice> {
    let choice = |(option, edge): &(Opt, String)| match option {
        Opt::Fuse => Some(EdgeChoice { edge: edge.clone(), fuse: true }),
        Opt::NoFuse => Some(EdgeChoice { edge: edge.clone(), fuse: false }),
        _ => None,
    };
    invocation.options.iter().filter_map(choice).collect()
}

fn fusion_mode(invocation: &Invocation) -> Result<FusionMode, UsageError> {
    if lists_edges(invocation) && invocation.command != Command::Check {
        return Err(UsageError("--fusion needs a mode: --fusion=MODE (`wgc check --fusion` lists the edges)".into()));
    }
    Ok(match invocation.values(Opt::Fusion).filter(|mode| !mode.is_empty()).last() {
        Some("off") => FusionMode::Off,
        Some("full") => FusionMode::Full,
        _ => FusionMode::Safe,
    })
}

/// Returns a program's translation units with their options, and the options of the graph, for the language server.
/// Files need not exist.
///
/// # Errors
/// The command line's errors about the options.
pub(crate) fn program_of(invocation: &Invocation) -> Result<(Vec<(String, Options)>, Options), String> {
    let described = described(invocation, &invocation.files, Options::default()).map_err(|e| e.0)?;
    let Described { units, options, .. } = described;
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
        let warnings = warnings(invocation).map_err(|e| e.0)?;
        Ok(Levels { warnings, bindings: invocation.has(Opt::Binding) })
    }

    /// Applies the levels like `wgc check`, but keeps hints.
    pub fn apply(&self, diagnostics: &mut Vec<Rendered>) {
        if !self.bindings {
            quiet_bindings(diagnostics);
        }
        self.warnings.apply_with_hints(diagnostics);
    }
}

pub(crate) fn warnings(invocation: &Invocation) -> Result<Warnings, UsageError> {
    let mut warnings = Warnings::default();
    for (opt, value) in &invocation.options {
        match opt {
            Opt::WarningsAsErrors => warnings.make_errors(),
            Opt::NoWarnings => warnings.silence(),
            Opt::Warning => warnings.add(value),
            Opt::Allow => warnings.set(Level::Off, value).map_err(UsageError)?,
            Opt::Warn => warnings.set(Level::Warning, value).map_err(UsageError)?,
            Opt::Deny => warnings.set(Level::Error, value).map_err(UsageError)?,
            _ => {}
        }
    }
    Ok(warnings)
}

/// Downgrades diagnostics about moved bindings to hints: they only matter to a Vulkan host, and there may be none.
pub(crate) fn quiet_bindings(diagnostics: &mut [Rendered]) {
    for moved in diagnostics.iter_mut().filter(|d| d.code == Code::MovedBinding) {
        moved.severity = Severity::Hint;
    }
}

pub(crate) fn target(invocation: &Invocation) -> Target {
    named_target(invocation).unwrap_or(Target::Emulated)
}

/// Returns the target that the command line names, if any.
pub(crate) fn named_target(invocation: &Invocation) -> Option<Target> {
    match invocation.value(Opt::Target) {
        Some("spirv-amdx") => Some(Target::Amdx),
        Some("spirv-emulated") => Some(Target::Emulated),
        // `Invocation` refuses all other names.
        Some(_) => None,
        None => invocation.has(Opt::NativeTarget).then_some(Target::Amdx),
    }
}

/// Returns the database's name for a file of the command line.
pub(crate) fn named(file: &str) -> &str {
    if file == "-" { STANDARD_INPUT } else { file }
}

/// Parses `--spec ID=VALUE`.
pub(crate) fn specialisation_of(given: &str) -> Result<(u32, String), UsageError> {
    let parts = given.split_once('=').and_then(|(id, value)| Some((id.parse().ok()?, value.to_string())));
    parts.ok_or_else(|| UsageError(format!("--spec expects ID=VALUE with an integer ID, such as 3=16, not `{given}`")))
}

/// Parses `-D NAME=VALUE` or `-D NAME(a,b)=VALUE`. The preprocessor checks the parameters.
fn macro_of(define: &str) -> Result<(String, String), UsageError> {
    let (name, value) = define.split_once('=').unwrap_or((define, "1"));
    let called = match name.split_once('(') {
        Some((called, parameters)) if parameters.ends_with(')') => called,
        _ => name,
    };
    if is_identifier(called) {
        Ok((name.into(), value.into()))
    } else {
        Err(UsageError(format!("-D expects a macro name, not `{name}`")))
    }
}

/// Adds the contents of `shadertoolsconfig.json`. The command line has priority.
fn tools_config(file: &str, options: &mut Options) -> Result<(), UsageError> {
    let config = ToolsConfig::of(file, &options.include_roots).map_err(UsageError)?;
    for (name, value) in config.defines {
        if !is_identifier(&name) {
            return Err(UsageError(format!("shadertoolsconfig.json: `{name}` is not a macro name")));
        }
        if options.defines.iter().all(|other| other.0 != name) {
            options.defines.push((name, value));
        }
    }
    options.include_dirs.extend(config.include_dirs);
    options.virtual_dirs.extend(config.mappings);
    Ok(())
}

/// Applies the profile. `-T lib_6_8` is the default; `-T cs_6_0 -E main` makes one function the entry point.
fn apply_profile(invocation: &Invocation, options: &mut Options) -> Result<(), UsageError> {
    let entry = invocation.value(Opt::Entry);
    let Some(profile) = invocation.value(Opt::Profile) else {
        return match entry {
            Some(entry) => Err(UsageError(format!("-E {entry} needs -T cs_6_0 or later"))),
            None => Ok(()),
        };
    };
    let (profile, model) = Profile::parse(profile).map_err(UsageError)?;
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

/// Returns the options of the emitter.
pub(crate) fn emit_options(invocation: &Invocation) -> Result<EmitOptions, UsageError> {
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
        level: level(invocation),
        preserve_bindings: invocation.values(Opt::Binding).any(|option| option == "-fspv-preserve-bindings"),
        hlsl_version: (!invocation.has(Opt::StripDebug)).then(|| shader_model(invocation)),
        ..EmitOptions::default()
    };
    if let Some(environment) = invocation.value(Opt::TargetEnvironment).and_then(Environment::find) {
        emit.environment = environment;
    }
    Ok(emit)
}

fn level(invocation: &Invocation) -> OptLevel {
    match invocation.value(Opt::OptLevel) {
        Some("0" | "d") => OptLevel::O0,
        Some("1") => OptLevel::O1,
        Some("3") => OptLevel::O3,
        _ => OptLevel::default(),
    }
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

fn is_identifier(name: &str) -> bool {
    let mut chars = name.chars();
    chars.next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
        && chars.all(|c| c.is_ascii_alphanumeric() || c == '_')
}
