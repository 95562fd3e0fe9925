//! `wgc run` of a compiled module or package, which describes itself in place of the source.

use super::run::{Selected, cpu_settings, emulated_executor, values_of};
use super::{CompiledKind, NamedBy, Stop, named, read_files};
use crate::Target;
use crate::cli::options::{Command, OPTIONS, Opt};
use crate::cli::parse::{Invocation, name_of};
use crate::described::named_target;
use crate::loader::PreloadedFiles;
use crate::option_effects::{check_run, check_without_nodes};
use std::path::Path;
use wgc_abi::Package;
use wgc_abi::interface::{Interface, NodeInterface};
use wgc_runtime::cpu::{CpuDevice, GraphModule, NodeName, Specialisation};
use wgc_runtime::executors::{ComputeExecutor, ComputeShader, EnqueueExecutor, NativeExecutor};
use wgc_runtime::module_interface::{self, ModuleInterface};
use wgc_runtime::run_file::{Executor, RunFile};
use wgc_runtime::vulkan::{StageNode, VulkanDevice};
use wgc_spirv_module::words;

/// Options of compilation that a run of a compiled file accepts too.
const OTHERS: &[Opt] = &[Opt::Target, Opt::NativeTarget, Opt::NoWarnings, Opt::MessageFormat, Opt::Color, Opt::Poison];

/// An input that is already compiled.
pub(super) enum Compiled {
    /// The words of a SPIR-V module.
    Module(Vec<u32>),
    Package(Box<Package>),
}

/// The contents of the files of a run.
pub(super) enum Files<'f> {
    Sources(PreloadedFiles),
    /// The name and contents of the single file.
    Compiled(&'f str, Compiled),
}

/// Reads the files: sources, or one module or package.
pub(super) fn read(files: &[String], named_by: NamedBy) -> Result<Files<'_>, Stop> {
    let read = read_files(files, named_by)?;
    let mut kinds = files.iter().map(|file| (file, super::compiled_kind(read.text(named(file)))));
    let Some((file, kind)) = kinds.find_map(|(file, kind)| Some((file, kind?))) else {
        return Ok(Files::Sources(read));
    };
    if files.len() > 1 {
        return Err(Stop::Usage(format!("{file} is {kind}, which runs alone, but {} files were given", files.len())));
    }
    let compiled = match (kind, read.text(named(file))) {
        (CompiledKind::Module, bytes) => {
            let words = words::from_bytes(bytes.unwrap_or_default());
            Compiled::Module(words.map_err(|e| Stop::Usage(format!("{file}: {e}")))?)
        }
        (CompiledKind::Package, packed) => {
            let package = packed.map_or_else(|| Package::read(Path::new(file)), Package::unpacked);
            Compiled::Package(Box::new(package.map_err(|e| Stop::Usage(format!("{file}: {e}")))?))
        }
    };
    Ok(Files::Compiled(file, compiled))
}

/// Refuses options and settings that only apply to sources, instead of ignoring them.
fn nothing_to_compile(invocation: &Invocation, file: &RunFile, name: &str, kind: CompiledKind) -> Result<(), Stop> {
    let of_source = |opt: &Opt| {
        !OTHERS.contains(opt) && OPTIONS.iter().any(|spec| spec.opt == *opt && spec.commands != [Command::Run])
    };
    if let Some((opt, _)) = invocation.options.iter().find(|(opt, _)| of_source(opt)) {
        return Err(Stop::Usage(format!("{} is for sources, but {name} is already compiled", name_of(*opt))));
    }
    let keys =
        [("defines", !file.defines.is_empty()), ("args", !file.args.is_empty()), ("entries", file.entries.is_some())];
    if let Some((key, _)) = keys.iter().find(|key| key.1) {
        let message = format!("this is for sources, but {name} is already compiled");
        return Err(Stop::Usage(file.error_at(&[key], message).to_string()));
    }
    let (own, other, wrong) = match kind {
        CompiledKind::Module => ("spirv-amdx", "spirv-emulated", Target::Emulated),
        CompiledKind::Package => ("spirv-emulated", "spirv-amdx", Target::Amdx),
    };
    let known = file.targets.as_ref().is_none_or(|targets| targets.iter().any(|target| target == own));
    if known && named_target(invocation) != Some(wrong) {
        return Ok(());
    }
    Err(Stop::Usage(format!("{name} is {kind}; {other} runs {}, compiled from the source", kind.other())))
}

/// Returns the interface and executor of a compiled file.
pub(super) fn loaded(
    invocation: &Invocation,
    file: &RunFile,
    name: &str,
    compiled: Compiled,
    device: &Selected,
) -> Result<(Interface, Box<dyn Executor>), Stop> {
    match compiled {
        Compiled::Module(words) => {
            nothing_to_compile(invocation, file, name, CompiledKind::Module)?;
            check_run(invocation, invocation)?;
            module(invocation, file, name, &words, device)
        }
        Compiled::Package(package) => {
            nothing_to_compile(invocation, file, name, CompiledKind::Package)?;
            check_without_nodes(invocation)?;
            if let Some(id) = file.spec_constants.keys().next() {
                let message =
                    format!("a package contains the values of its compilation; compile {name} again with --spec");
                return Err(Stop::Usage(file.error_at(&["spec_constants", &id.to_string()], message).to_string()));
            }
            let interface = package.manifest.interface();
            Ok((interface, emulated_executor(invocation, *package, file, device)?))
        }
    }
}

/// Returns the interface and executor of a module. The verifier's errors about a graph take priority.
fn module(
    invocation: &Invocation,
    file: &RunFile,
    name: &str,
    words: &[u32],
    device: &Selected,
) -> Result<(Interface, Box<dyn Executor>), Stop> {
    let wrong = |e: String| Stop::Failed(format!("{name}: {e}"));
    let plain = module_interface::of_words(words, &Specialisation::default()).map_err(wrong)?;
    let values = values_of(file, &plain.interface)?;
    let ModuleInterface { interface, nodes } = module_interface::of_words(words, &values).map_err(wrong)?;
    if nodes.is_empty() {
        check_without_nodes(invocation)?;
    }
    let push_bytes = interface.push_constants.as_ref().map_or(0, |p| p.block.size.next_multiple_of(4));
    let opened = |e: wgc_runtime::device::DeviceError| Stop::Usage(e.to_string());
    let specialised = || wgc_spirv_module::specialise(words, &values).map_err(|e| wrong(e.to_string()));
    let executor: Box<dyn Executor> = match device {
        Selected::Cpu if nodes.is_empty() => {
            let device = CpuDevice::new(cpu_settings(file));
            Box::new(ComputeExecutor::new(device, specialised()?, shaders(&interface), push_bytes))
        }
        Selected::Cpu => {
            let device = CpuDevice::new(cpu_settings(file));
            let module = GraphModule { words, names: &nodes, wave_sizes: &[] };
            let executor = NativeExecutor::new(device, &[module], &values);
            Box::new(executor.map_err(|e| wrong(e.to_string()))?)
        }
        Selected::Vulkan(part) if nodes.is_empty() => {
            let device = VulkanDevice::open(part.as_deref()).map_err(opened)?;
            Box::new(ComputeExecutor::new(device, specialised()?, shaders(&interface), push_bytes))
        }
        Selected::Vulkan(part) => {
            let device = VulkanDevice::open_for_graphs(part.as_deref()).map_err(opened)?;
            // Both are in the order of the entry points.
            let stage = |(n, node): (NodeName, &NodeInterface)| StageNode {
                entry_point: n.entry_point,
                name: n.name,
                index: node.id.index,
            };
            let stages = nodes.into_iter().zip(&interface.nodes).map(stage).collect();
            Box::new(EnqueueExecutor::new(device, vec![(specialised()?, stages)], push_bytes))
        }
    };
    Ok((interface, executor))
}

/// Returns the compute shaders. A module does not record the subgroup sizes that its source requested.
fn shaders(interface: &Interface) -> Vec<ComputeShader> {
    let shader = |name: &String| ComputeShader { name: name.clone(), entry_point: name.clone(), wave_size: None };
    interface.compute.iter().map(shader).collect()
}
