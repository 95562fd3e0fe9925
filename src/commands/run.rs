//! `wgc run` and `wgc devices`.
//!
//! A run file supplies the shaders and options that the command line omits; the command line has priority. Compiled
//! modules are handled by `run_module`.

use super::messages::Messages;
use super::run_module::Files;
use super::{
    FAILED, NamedBy, OK, Stop, complain, host_named_by, inside, open_given, print, read_file, refused, report_emitter,
    report_for_module, run_module,
};
use crate::cli::options::{Command, OPTIONS, Opt, Spec};
use crate::cli::parse::{self, Invocation, Request};
use crate::described::{named_target, specialisation_of, target};
use crate::loader::PreloadedFiles;
use crate::option_effects::{check_other_device, check_package, check_run, check_without_nodes, inspects};
use crate::project::confined::{confine, include_roots, move_to};
use crate::{Session, Target, spec_bits};
use std::path::{Path, PathBuf};
use std::str::FromStr;
use wgc_abi::Package;
use wgc_abi::file::Content;
use wgc_abi::interface::Interface;
use wgc_backend_spirv::{EmitWarning, EntryPoint, SpirvModule};
use wgc_runtime::cpu::{CpuDevice, CpuSettings, GraphModule, NodeName, Specialisation};
use wgc_runtime::device::{Cause, DeviceError};
use wgc_runtime::emulated::{Allocator, ArenaLimits, EmulatedOptions as HostOptions, Memory};
use wgc_runtime::executors::{ComputeExecutor, ComputeShader, EmulatedExecutor, EnqueueExecutor, NativeExecutor};
use wgc_runtime::run_file::{
    self, Arena, Batching, EmulationSettings, Executor, Order, Outputs, RunError, RunFile, Sanitize, Schedule,
};
use wgc_runtime::vulkan::{StageNode, VulkanDevice};
use wgc_sema::db::Options;
use wgc_spirv_module::{LoadError, Module};

pub(super) fn devices(invocation: &Invocation) -> Result<u8, Stop> {
    if let Some(file) = invocation.files.first() {
        return Err(Stop::Usage(format!("`wgc devices` accepts no files, but `{file}` was given")));
    }
    print(&wgc_runtime::devices::list().to_string())?;
    Ok(OK)
}

pub(super) fn run(invocation: &Invocation, messages: &mut Messages) -> Result<u8, Stop> {
    if invocation.value(Opt::OutDir) == Some("-") {
        return Err(Stop::Usage("--out -: results are files in a folder; use --print for standard output".into()));
    }
    let path =
        invocation.value(Opt::Inputs).ok_or_else(|| Stop::Usage("no run file; add --inputs FILE.run.json".into()))?;
    let bytes = read_file(path, Content::RunFile, NamedBy::User)?;
    let mut file = RunFile::of_bytes(bytes, Path::new(path)).map_err(|e| Stop::Usage(e.to_string()))?;
    apply_settings(invocation, &mut file)?;
    for given in invocation.values(Opt::Specialise) {
        let (id, value) = specialisation_of(given)?;
        // The command line wins.
        if let Some(own) = file.spec_constants.get_mut(&id) {
            *own = value;
        }
    }
    file.roots = include_roots(invocation).map_err(Stop::Usage)?.into_iter().map(PathBuf::from).collect();
    let device = Selected::parse(invocation.value(Opt::Device).unwrap_or("cpu"))?;
    if device != Selected::Cpu {
        check_other_device(invocation)?;
    }
    let files = files(invocation, &file)?;
    let is_given = !invocation.files.is_empty() && invocation.program.is_none();
    let named_by = if is_given { NamedBy::User } else { NamedBy::File };
    let (interface, mut executor) = match run_module::read(&files, named_by)? {
        Files::Compiled(name, compiled) => {
            let (interface, executor) = run_module::loaded(invocation, &file, name, compiled, &device)?;
            file.declared = interface.bindings.iter().map(|binding| binding.name.clone()).collect();
            warn(&file, &interface)?;
            (interface, executor)
        }
        Files::Sources(read) => compiled(invocation, &mut file, (&files, read), &device, messages)?,
    };
    let outputs = Outputs {
        out_dir: invocation.value(Opt::OutDir).map(PathBuf::from),
        print: invocation.values(Opt::Print).map(String::from).collect(),
    };
    let result = run_file::execute(&file, &interface, executor.as_mut(), &outputs);
    if result.as_ref().is_err_and(|error| !matches!(error, RunError::Device(_))) {
        inside::discard();
    }
    let is_unwritten = matches!(&result, Err(RunError::Device(e)) if e.cause == Cause::Output);
    let trace = executor.trace().map(|trace| trace.borrow().clone());
    drop(executor);
    inside::written()?;
    if let Some(trace) = trace.filter(|_| !is_unwritten) {
        inside::show(invocation, &trace)?;
    }
    match result {
        Ok(report) => {
            print(&report.to_string())?;
            if file.dispatches_nothing() {
                complain(&format!("warning: {path} dispatches nothing: no node ran"));
            }
            let shown = outputs.out_dir.is_some() || !outputs.print.is_empty() || inside::shows(invocation);
            if report.outcomes.is_empty() && !shown {
                complain(&format!(
                    "{path} expects nothing, so any shader would pass: add `expect`, or request results with --print or --out"
                ));
                return Ok(FAILED);
            }
            Ok(report.exit_code())
        }
        Err(RunError::Device(e)) if e.cause == Cause::Output => Err(Stop::Usage(e.message)),
        Err(RunError::Device(e)) => {
            complain(&format!("the run failed: {e}"));
            Ok(FAILED)
        }
        Err(e) => Err(Stop::Usage(e.to_string())),
    }
}

/// Reports all problems of the run file before anything runs.
fn warn(file: &RunFile, interface: &Interface) -> Result<(), Stop> {
    for warning in run_file::check(file, interface).map_err(|e| Stop::Usage(e.to_string()))? {
        complain(&format!("warning: {warning}"));
    }
    Ok(())
}

/// Compiles sources, and returns their interface and executor.
fn compiled(
    line: &Invocation,
    file: &mut RunFile,
    files: (&[String], PreloadedFiles),
    device: &Selected,
    messages: &mut Messages,
) -> Result<(Interface, Box<dyn Executor>), Stop> {
    let target = target_of(line, file)?;
    let (session, invocation) = &compile(line, file, files, target, device)?;
    if target == Target::Emulated || session.is_compute() {
        check_without_nodes(line)?;
    }
    if target == Target::Emulated && !session.is_compute() {
        check_package(invocation)?;
    }
    if *device == Selected::Cpu && invocation.value(Opt::Denormals) == Some("ftz") {
        return Err(Stop::Usage(
            "-denorm ftz: the CPU device keeps denormals; use --device vulkan, which may flush them".into(),
        ));
    }
    report_for_module(invocation, session, messages)?;
    let mut interface = session.interface_with(&specialisation(file, session)?)?;
    file.declared = session.declared_resources();
    if target == Target::Emulated && !session.is_compute() {
        let package = session.emulated(&session.emulated_options());
        let package = package.map_err(|e| refused(invocation, session, e, messages))?;
        // Resources from the table of local root arguments have no binding.
        interface.bindings.clone_from(&package.manifest.bindings);
        interface.local_roots.clone_from(&package.manifest.local_roots);
        warn(file, &interface)?;
        return Ok((interface, emulated_executor(invocation, package, file, device)?));
    }
    warn(file, &interface)?;
    check_run(line, invocation)?;
    let executor = match session.is_compute() {
        true => compute_executor(invocation, file, session, device, messages),
        false => native_executor(invocation, file, session, device, messages),
    }?;
    Ok((interface, executor))
}

/// Returns the command line's target, or else one that the run file supports.
fn target_of(invocation: &Invocation, file: &RunFile) -> Result<Target, Stop> {
    let asked = target(invocation);
    let Some(known) = &file.targets else { return Ok(asked) };
    let name = |target| match target {
        Target::Amdx => "spirv-amdx",
        Target::Emulated => "spirv-emulated",
    };
    if known.iter().any(|target| target == name(asked)) {
        return Ok(asked);
    }
    if named_target(invocation).is_none() {
        return Ok(if asked == Target::Emulated { Target::Amdx } else { Target::Emulated });
    }
    let message = format!("this program is for {}, not for {}", known.join(" and "), name(asked));
    Err(Stop::Usage(file.error_at(&["targets"], message).to_string()))
}

/// Returns the files of the command line, or else those of the run file.
fn files(invocation: &Invocation, file: &RunFile) -> Result<Vec<String>, Stop> {
    let files = if invocation.files.is_empty() {
        let shaders = file.shaders.iter().map(|shader| file.folder().join(shader));
        let allowed = |shader: PathBuf| match file.may_read(&shader) {
            true => Ok(shader.to_string_lossy().into_owned()),
            false => Err(Stop::Usage(crate::loader::outside(&shader.to_string_lossy()))),
        };
        shaders.map(allowed).collect::<Result<_, _>>()?
    } else {
        invocation.files.clone()
    };
    match files.is_empty() {
        true => Err(Stop::Usage(format!(
            "{}: the file names no shader; name one on the command line",
            invocation.value(Opt::Inputs).unwrap_or_default()
        ))),
        false => Ok(files),
    }
}

/// Compiles files to a program, and returns it with all options, including those of the run file.
fn compile(
    invocation: &Invocation,
    file: &RunFile,
    (files, read): (&[String], PreloadedFiles),
    target: Target,
    device: &Selected,
) -> Result<(Session, Invocation), Stop> {
    let mut all = arguments(file)?;
    confine(&mut all, invocation).map_err(|e| Stop::Usage(file.error_at(&["args"], e).to_string()))?;
    all.options.extend(invocation.options.iter().cloned());
    all.own = invocation.own.clone();
    let own = emulation(&file.emulation, &all);
    all.options.extend(own);
    // The CPU device checks all accesses, also those whose result is unused.
    if *device == Selected::Cpu && !all.has(Opt::OptLevel) {
        all.options.push((Opt::OptLevel, "1".to_owned()));
    }
    // These count or show the records of each edge, and findings name the node that runs.
    let shows_edges = *device == Selected::Cpu || file.expects_records() || inspects(&all);
    if shows_edges && !all.has(Opt::Fusion) {
        all.options.push((Opt::Fusion, "off".to_owned()));
    }
    let options = Options {
        defines: file.defines.iter().map(|(n, v)| (n.clone(), v.clone())).collect(),
        entries: file.entries.clone(),
        // A native module gets them when it is loaded, as from any host.
        specialisation: match target {
            Target::Emulated => file.spec_constants.iter().map(|(id, value)| (*id, value.clone())).collect(),
            Target::Amdx => Vec::new(),
        },
        ..Options::default()
    };
    let session = open_given(&all, files, options, read, host_named_by(invocation))?;
    unused_constants(file, |id| session.has_spec_constant(id));
    Ok((session, all))
}

/// Returns the run file's settings for the emulated target as options, unless the command line overrides them.
fn emulation(settings: &EmulationSettings, all: &Invocation) -> Vec<(Opt, String)> {
    // A new field needs an option here.
    let EmulationSettings {
        page_kib,
        segment_kib,
        joint_dispatch,
        direct_targets,
        schedule,
        drain,
        int64_atomics,
        // Of the runtime, not of the compiler.
        arena: _,
        allocator: _,
    } = *settings;
    let number = |value: Option<u32>| value.map(|value| value.to_string());
    let schedule = schedule.map(|schedule| match schedule {
        Schedule::Topological => "topological",
        Schedule::Depth => "depth",
    });
    // Some settings make no sense with other options of the command line.
    let drain = drain.filter(|_| all.value(Opt::Schedule) != Some("depth"));
    let joint_dispatch = joint_dispatch.filter(|_| !all.has(Opt::Poison));
    let listed = int64_atomics == Some(false);
    let options = [
        (Opt::PageKib, number(page_kib)),
        (Opt::SegmentKib, number(segment_kib)),
        (Opt::JointDispatch, number(joint_dispatch)),
        (Opt::DirectTargets, number(direct_targets)),
        (Opt::Schedule, schedule.map(str::to_owned).filter(|_| !all.has(Opt::Drain))),
        (Opt::Drain, number(drain)),
        (Opt::NoInt64Atomics, listed.then(String::new)),
    ];
    let own = options.into_iter().filter(|(option, _)| !all.has(*option));
    own.filter_map(|(option, value)| Some((option, value?))).collect()
}

/// Warns about values for constants that the program does not have. Vulkan ignores them.
fn unused_constants(file: &RunFile, is_known: impl Fn(u32) -> bool) {
    /// Warnings with a location each. The others are counted.
    const SHOWN: usize = 8;
    let unknown: Vec<&u32> = file.spec_constants.keys().filter(|id| !is_known(**id)).collect();
    let warn = |setting: &[&str], message: String| complain(&format!("warning: {}", file.error_at(setting, message)));
    for id in unknown.iter().take(SHOWN) {
        let message = "the program has no specialisation constant with this number".to_owned();
        warn(&["spec_constants", &id.to_string()], message);
    }
    if unknown.len() > SHOWN {
        let more = unknown.len() - SHOWN;
        warn(&["spec_constants"], format!("the program does not have {more} more of these specialisation constants"));
    }
}

/// Returns the run file's own compiler options.
fn arguments(file: &RunFile) -> Result<Invocation, Stop> {
    match parse::parse(&[vec!["run".to_string()], file.args.clone()].concat()) {
        Ok(Request::Run(mut arguments)) if arguments.files.is_empty() => {
            move_to(file.folder(), &mut arguments);
            // Settings of a run have their own keys in the file or belong to the command line: nobody would look for
            // them here.
            let is_of_runs = |spec: &&Spec| {
                let is_of_command = matches!(spec.opt, Opt::Target | Opt::NativeTarget | Opt::Program);
                arguments.has(spec.opt) && (is_of_command || !spec.commands.contains(&Command::Compile))
            };
            match OPTIONS.iter().find(is_of_runs) {
                Some(spec) => {
                    let message =
                        format!("`{}` is not an option of a program: use it on the command line", spec.names[0]);
                    Err(Stop::Usage(file.error_at(&["args"], message).to_string()))
                }
                None => Ok(arguments),
            }
        }
        Ok(_) => Err(Stop::Usage(file.error_at(&["args"], "only compiler options are allowed here").to_string())),
        Err(e) => Err(Stop::Usage(file.error_at(&["args"], e.0).to_string())),
    }
}

/// The limit of threads: more must be a mistake.
const MAX_THREADS: u32 = 1024;

/// Applies settings of the command line over those of the file.
fn apply_settings(invocation: &Invocation, file: &mut RunFile) -> Result<(), Stop> {
    if let Some(lanes) = invocation.number(Opt::SubgroupSize)? {
        if !lanes.is_power_of_two() || lanes > 128 {
            return Err(Stop::Usage(format!("a subgroup must have 1, 2, 4 .. 128 lanes, not {lanes}")));
        }
        file.cpu.subgroup_size = Some(lanes);
    }
    if let Some(threads) = invocation.number(Opt::Threads)? {
        if threads == 0 || threads > MAX_THREADS {
            return Err(Stop::Usage(format!("the CPU device needs 1 to {MAX_THREADS} threads, not {threads}")));
        }
        file.cpu.threads = Some(threads);
    }
    file.cpu.max_instructions = invocation.number(Opt::MaxInstructions)?.or(file.cpu.max_instructions);
    if let Some(policy) = invocation.value(Opt::Batching) {
        file.cpu.batching = Some(match policy_of(policy, Opt::Batching, &["full", "single"])? {
            Policy::Named("single") => Batching::Single,
            Policy::Random(seed) => Batching::Random(seed),
            Policy::Named(_) => Batching::Full,
        });
    }
    if let Some(policy) = invocation.value(Opt::Order) {
        file.cpu.order = Some(match policy_of(policy, Opt::Order, &["fifo", "lifo"])? {
            Policy::Named("lifo") => Order::Lifo,
            Policy::Random(seed) => Order::Random(seed),
            Policy::Named(_) => Order::Fifo,
        });
    }
    if let Some(arena) = invocation.value(Opt::Arena) {
        file.emulation.arena = Some(match arena {
            "min" => Arena::Min,
            "default" => Arena::Default,
            bytes => Arena::Bytes(bytes.parse().map_err(|_| {
                Stop::Usage(format!("--arena expects min, default or a number of bytes, not `{bytes}`"))
            })?),
        });
    }
    if let Some(allocator) = invocation.value(Opt::Allocator) {
        file.emulation.allocator = Some(match allocator {
            "lane" => Allocator::Lane,
            "subgroup" => Allocator::Subgroup,
            "group" => Allocator::Group,
            _ => Allocator::Auto,
        });
    }
    if let Some(mode) = invocation.value(Opt::Sanitize) {
        file.cpu.sanitize = Some(match mode {
            "error" => Sanitize::Error,
            "off" => Sanitize::Off,
            _ => Sanitize::Warn,
        });
    }
    Ok(())
}

enum Policy {
    Named(&'static str),
    Random(u64),
}

fn policy_of(text: &str, opt: Opt, names: &[&'static str]) -> Result<Policy, Stop> {
    if let Some(name) = names.iter().find(|n| **n == text) {
        return Ok(Policy::Named(name));
    }
    text.strip_prefix("random:").and_then(|seed| u64::from_str(seed).ok()).map(Policy::Random).ok_or_else(|| {
        Stop::Usage(format!("{} expects {} or random:SEED, not `{text}`", parse::name_of(opt), names.join(", ")))
    })
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Selected {
    Cpu,
    /// A part of the device's name.
    Vulkan(Option<String>),
}

impl Selected {
    fn parse(text: &str) -> Result<Selected, Stop> {
        match text.split_once(':') {
            None if text == "cpu" => Ok(Selected::Cpu),
            None if text == "vulkan" => Ok(Selected::Vulkan(None)),
            Some(("vulkan", part)) => Ok(Selected::Vulkan(Some(part.into()))),
            _ => Err(Stop::Usage(format!(
                "unknown device `{text}`; use cpu, vulkan or vulkan:PART OF ITS NAME; `wgc devices` lists them"
            ))),
        }
    }
}

pub(super) fn emulated_executor(
    invocation: &Invocation,
    package: Package,
    file: &RunFile,
    device: &Selected,
) -> Result<Box<dyn Executor>, Stop> {
    let options = HostOptions {
        deterministic: invocation.has(Opt::Deterministic),
        poison: invocation.has(Opt::Poison),
        ..host_options(file)
    };
    let strict = file.cpu.sanitize == Some(Sanitize::Error);
    match device {
        Selected::Cpu => {
            let device = CpuDevice::new(cpu_settings(file));
            inside::watched(invocation, EmulatedExecutor::new(device, package, options).strict(strict))
        }
        Selected::Vulkan(part) => {
            let device = VulkanDevice::open(part.as_deref()).map_err(|e| Stop::Usage(e.to_string()))?;
            inside::watched(invocation, EmulatedExecutor::new(device, package, options).strict(strict))
        }
    }
}

/// Returns the executor of a native module, on a device that executes graphs itself.
fn native_executor(
    invocation: &Invocation,
    file: &RunFile,
    session: &Session,
    device: &Selected,
    messages: &mut Messages,
) -> Result<Box<dyn Executor>, Stop> {
    let failed = |e: DeviceError| Stop::Failed(e.to_string());
    // Open the device before compiling: few drivers execute graphs, so a missing feature is the most useful error.
    let vulkan = match device {
        Selected::Cpu => None,
        Selected::Vulkan(part) => Some(VulkanDevice::open_for_graphs(part.as_deref()).map_err(|e| {
            Stop::Usage(format!(
                "{e}\n(without --device the CPU device runs --target spirv-amdx; `wgc devices` shows what each device \
                 lacks)"
            ))
        })?),
    };
    let modules = if invocation.has(Opt::SplitNodes) {
        session.native_nodes().map(|all| all.into_iter().map(|(_, module)| module).collect())
    } else {
        session.native().map(|module| vec![module])
    };
    let modules: Vec<SpirvModule> = modules.map_err(|e| refused(invocation, session, e, messages))?;
    let warnings: Vec<EmitWarning> = modules.iter().flat_map(|module| module.warnings.iter().cloned()).collect();
    report_emitter(invocation, session, &warnings, messages)?;
    let values = specialisation(file, session)?;
    let Some(device) = vulkan else {
        let named: Vec<_> =
            modules.iter().map(|module| (&module.words, module.node_names(), module.wave_sizes())).collect();
        let modules: Vec<_> =
            named.iter().map(|(words, names, wave_sizes)| GraphModule { words, names, wave_sizes }).collect();
        let device = CpuDevice::new(cpu_settings(file));
        return Ok(Box::new(NativeExecutor::new(device, &modules, &values).map_err(failed)?));
    };
    let modules = modules.iter().map(|module| stages(module, &values)).collect::<Result<_, _>>()?;
    Ok(Box::new(EnqueueExecutor::new(device, modules, push_bytes(session)?)))
}

/// Returns a module for a Vulkan device, with specialised constants and the node indexes that result from them.
fn stages(module: &SpirvModule, values: &Specialisation) -> Result<(Vec<u32>, Vec<StageNode>), Stop> {
    let failed = |e: LoadError| Stop::Failed(e.to_string());
    let words = wgc_spirv_module::specialise(&module.words, values).map_err(failed)?;
    let loaded = Module::load(&words).map_err(failed)?;
    let index = |name: &str| loaded.node_index(loaded.entry_points.iter().find(|entry| entry.name == name)?);
    let nodes = module.node_names().into_iter().map(|NodeName { entry_point, name, .. }| {
        let index = index(&entry_point).unwrap_or(0);
        StageNode { entry_point, name, index }
    });
    let nodes = nodes.collect();
    Ok((words, nodes))
}

/// Returns the executor of a module of compute shaders, which is the same for both targets. Specialisation constants
/// get their values as from any host.
fn compute_executor(
    invocation: &Invocation,
    file: &RunFile,
    session: &Session,
    device: &Selected,
    messages: &mut Messages,
) -> Result<Box<dyn Executor>, Stop> {
    let module = session.compute().map_err(|e| refused(invocation, session, e, messages))?;
    report_emitter(invocation, session, &module.warnings, messages)?;
    let words = wgc_spirv_module::specialise(&module.words, &specialisation(file, session)?)
        .map_err(|e| Stop::Failed(e.to_string()))?;
    let interface = session.interface()?;
    let shader =
        |(name, e): (String, &EntryPoint)| ComputeShader { name, entry_point: e.name.clone(), wave_size: e.wave_size };
    let entries: Vec<ComputeShader> = interface.compute.into_iter().zip(&module.entry_points).map(shader).collect();
    let push_bytes = push_bytes(session)?;
    Ok(match device {
        Selected::Cpu => Box::new(ComputeExecutor::new(CpuDevice::new(cpu_settings(file)), words, entries, push_bytes)),
        Selected::Vulkan(part) => {
            let device = VulkanDevice::open(part.as_deref()).map_err(|e| Stop::Usage(e.to_string()))?;
            Box::new(ComputeExecutor::new(device, words, entries, push_bytes))
        }
    })
}

/// Returns the size of the push constant block.
fn push_bytes(session: &Session) -> Result<u32, Stop> {
    Ok(session.interface()?.push_constants.map_or(0, |p| p.block.size.next_multiple_of(4)))
}

/// Returns the run file's values of specialisation constants, by SpecId.
fn specialisation(file: &RunFile, session: &Session) -> Result<Specialisation, Stop> {
    values(file, &session.interface()?)
}

fn values(file: &RunFile, interface: &Interface) -> Result<Specialisation, Stop> {
    let mut values = Specialisation::default();
    for constant in &interface.spec_constants {
        let Some(text) = file.spec_constants.get(&constant.id) else { continue };
        let bits = spec_bits(text, constant.ty).ok_or_else(|| {
            let message = format!("`{text}` is not a value of `{}`", constant.name);
            Stop::Usage(file.error_at(&["spec_constants", &constant.id.to_string()], message).to_string())
        })?;
        values.insert(constant.id, bits);
    }
    Ok(values)
}

/// Returns the values for a program whose interface lists all its constants, and warns about unused ones.
pub(super) fn values_of(file: &RunFile, interface: &Interface) -> Result<Specialisation, Stop> {
    unused_constants(file, |id| interface.spec_constants.iter().any(|constant| constant.id == id));
    values(file, interface)
}

/// Returns the memory settings of a graph's host.
fn host_options(file: &RunFile) -> HostOptions {
    let default = HostOptions { allocator: file.emulation.allocator.unwrap_or_default(), ..HostOptions::default() };
    match file.emulation.arena {
        None | Some(Arena::Default) => default,
        Some(Arena::Bytes(bytes)) => HostOptions { arena: ArenaLimits { bytes, ..default.arena }, ..default },
        Some(Arena::Min) => HostOptions { memory: Memory::Least(1), ..default },
    }
}

pub(super) fn cpu_settings(file: &RunFile) -> CpuSettings {
    use wgc_runtime::cpu;
    let mut settings = CpuSettings::default();
    if let Some(threads) = file.cpu.threads {
        settings.threads = threads;
    }
    if let Some(instructions) = file.cpu.max_instructions {
        settings.fuel = u64::from(instructions);
    }
    if let Some(lanes) = file.cpu.subgroup_size {
        settings.subgroup_size = lanes;
    }
    if let Some(batching) = file.cpu.batching {
        settings.batching = match batching {
            Batching::Full => cpu::Batching::Full,
            Batching::Single => cpu::Batching::Single,
            Batching::Random(seed) => cpu::Batching::Random(seed),
        };
    }
    if let Some(order) = file.cpu.order {
        settings.order = match order {
            Order::Fifo => cpu::Order::Fifo,
            Order::Lifo => cpu::Order::Lifo,
            Order::Random(seed) => cpu::Order::Random(seed),
        };
    }
    if let Some(sanitize) = file.cpu.sanitize {
        settings.sanitize = match sanitize {
            Sanitize::Warn => cpu::Sanitize::Warn,
            Sanitize::Error => cpu::Sanitize::Error,
            Sanitize::Off => cpu::Sanitize::Off,
        };
    }
    settings
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the emulation options that result from a run file and a command line.
    fn merged_options(emulation: &str, line: &[&str]) -> Vec<String> {
        let text = format!("{{\"dispatch\": [], \"emulation\": {{{emulation}}}}}");
        let file = RunFile::parse(text, Path::new("a.run.json")).expect("the file is right");
        let line: Vec<String> = ["run"].iter().chain(line).map(|&arg| arg.to_owned()).collect();
        let Ok(Request::Run(line)) = parse::parse(&line) else { panic!("the line is right") };
        let own = super::emulation(&file.emulation, &line);
        own.iter().map(|(option, value)| format!("{option:?} {value}").trim_end().to_owned()).collect()
    }

    #[test]
    fn command_line_overrides_run_file_emulation_options() {
        let all = r#""page_kib": 16, "segment_kib": 0, "joint_dispatch": 2, "direct_targets": 0, "drain": 3, "int64_atomics": false"#;
        let expected =
            ["PageKib 16", "SegmentKib 0", "JointDispatch 2", "DirectTargets 0", "Drain 3", "NoInt64Atomics"];
        assert_eq!(merged_options(all, &[]), expected);
        assert_eq!(merged_options(all, &["--page-kib", "4", "--segment-kib=4", "--no-int64-atomics"]), expected[2..5]);
        // Options that make no sense with the command line.
        assert_eq!(
            merged_options(all, &["--schedule", "depth"]),
            ["PageKib 16", "SegmentKib 0", "JointDispatch 2", "DirectTargets 0", "NoInt64Atomics"]
        );
        assert_eq!(
            merged_options(all, &["--poison"]),
            ["PageKib 16", "SegmentKib 0", "DirectTargets 0", "Drain 3", "NoInt64Atomics"]
        );
        let by_depth = r#""schedule": "depth", "int64_atomics": true"#;
        assert_eq!(merged_options(by_depth, &[]), ["Schedule depth"]);
        assert_eq!(merged_options(by_depth, &["--drain", "2"]), [""; 0]);
        assert_eq!(merged_options("", &["--drain", "2"]), [""; 0]);
    }
}
