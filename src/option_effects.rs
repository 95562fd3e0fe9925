//! The effects of options: the programs, devices and outputs that each one changes. [`EFFECTS`] has a row for each
//! option. Commands refuse an option that would have no effect on the program or target, instead of ignoring it, and an
//! output that another option replaces. Build systems pass the same options to every command, so `-P`, `-M` and
//! `--emit` accept options about modules. `--emit`, except `asm`, refuses settings of packages.

use crate::Target;
use crate::cli::options::Opt;
use crate::cli::parse::{Invocation, UsageError, name_of};

/// The effect of an option.
struct Effect {
    opt: Opt,
    scope: Scope,
    output: Output,
}

/// The programs or devices that an option applies to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scope {
    All,
    NativeGraph,
    EmulatedGraph(Setting),
    /// Programs that become modules. The kernels of a package have no execution modes.
    NoPackage,
    /// Compute shaders. A graph accepts only the value that its target implies; empty: none.
    Compute {
        emulated: &'static str,
        native: &'static str,
    },
    CpuDevice,
    /// Runs of native graphs on the CPU device.
    CpuNativeGraph,
}

/// The kinds of settings of an emulated graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Setting {
    /// They control the creation of the package.
    Package,
    /// They control the execution of the package.
    Run,
    /// They show or check the inner workings of the graph.
    Inspection,
}

/// The output that an option applies to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Output {
    Any,
    /// The option replaces the module or package as the result.
    Replacing,
    /// The module or package.
    Module,
    /// The module or package, or the result of this option.
    ModuleOr(Opt),
    /// Only the result of this option.
    Only(Opt),
}

const fn everywhere(opt: Opt) -> Effect {
    limited(opt, Scope::All)
}

const fn limited(opt: Opt, scope: Scope) -> Effect {
    Effect { opt, scope, output: Output::Any }
}

/// The effects of all options. If several options of an invocation have no effect, the first row is reported.
const EFFECTS: &[Effect] = &[
    everywhere(Opt::Target),
    everywhere(Opt::NativeTarget),
    everywhere(Opt::Output),
    Effect { opt: Opt::Emit, scope: Scope::All, output: Output::Replacing },
    everywhere(Opt::Define),
    everywhere(Opt::Include),
    everywhere(Opt::IncludeRoot),
    everywhere(Opt::Profile),
    everywhere(Opt::Entry),
    everywhere(Opt::LanguageVersion),
    everywhere(Opt::Enable16BitTypes),
    limited(Opt::TargetEnvironment, Scope::Compute { emulated: "vulkan1.2", native: "vulkan1.3" }),
    limited(Opt::EntryPointName, Scope::Compute { emulated: "", native: "" }),
    limited(Opt::MaximalReconvergence, Scope::NoPackage),
    limited(Opt::Denormals, Scope::NoPackage),
    everywhere(Opt::OptLevel),
    limited(Opt::SplitNodes, Scope::NativeGraph),
    limited(Opt::AmdxCompat, Scope::NativeGraph),
    Effect { opt: Opt::Pack, scope: Scope::EmulatedGraph(Setting::Package), output: Output::Module },
    everywhere(Opt::LegacyBufferMatrixOrder),
    everywhere(Opt::RowMajor),
    everywhere(Opt::Precise),
    everywhere(Opt::ColumnMajor),
    everywhere(Opt::Library),
    Effect { opt: Opt::Listing, scope: Scope::All, output: Output::Module },
    Effect { opt: Opt::Preprocess, scope: Scope::All, output: Output::Replacing },
    Effect { opt: Opt::PreprocessTo, scope: Scope::All, output: Output::Only(Opt::Preprocess) },
    Effect { opt: Opt::Dependencies, scope: Scope::All, output: Output::Replacing },
    Effect { opt: Opt::WriteDependencies, scope: Scope::All, output: Output::Module },
    Effect { opt: Opt::DependenciesTo, scope: Scope::All, output: Output::ModuleOr(Opt::Dependencies) },
    everywhere(Opt::IncludeTree),
    everywhere(Opt::StripDebug),
    everywhere(Opt::DebugInfo),
    everywhere(Opt::DebugLevel),
    everywhere(Opt::Program),
    everywhere(Opt::Host),
    everywhere(Opt::Budget),
    everywhere(Opt::WholeGraph),
    everywhere(Opt::NoWarnings),
    everywhere(Opt::Warning),
    everywhere(Opt::Allow),
    everywhere(Opt::Warn),
    everywhere(Opt::Deny),
    everywhere(Opt::ErrorLimit),
    everywhere(Opt::WarningsAsErrors),
    everywhere(Opt::MessageFormat),
    everywhere(Opt::Color),
    everywhere(Opt::Inputs),
    everywhere(Opt::Device),
    everywhere(Opt::OutDir),
    everywhere(Opt::Print),
    limited(Opt::PageKib, Scope::EmulatedGraph(Setting::Package)),
    limited(Opt::SegmentKib, Scope::EmulatedGraph(Setting::Package)),
    limited(Opt::JointDispatch, Scope::EmulatedGraph(Setting::Package)),
    limited(Opt::Fusion, Scope::EmulatedGraph(Setting::Package)),
    limited(Opt::Resident, Scope::EmulatedGraph(Setting::Package)),
    limited(Opt::Fuse, Scope::EmulatedGraph(Setting::Package)),
    limited(Opt::NoFuse, Scope::EmulatedGraph(Setting::Package)),
    limited(Opt::DirectTargets, Scope::EmulatedGraph(Setting::Package)),
    limited(Opt::NoInt64Atomics, Scope::EmulatedGraph(Setting::Package)),
    limited(Opt::Schedule, Scope::EmulatedGraph(Setting::Package)),
    limited(Opt::Drain, Scope::EmulatedGraph(Setting::Package)),
    limited(Opt::Arena, Scope::EmulatedGraph(Setting::Run)),
    limited(Opt::Allocator, Scope::EmulatedGraph(Setting::Run)),
    limited(Opt::Records, Scope::EmulatedGraph(Setting::Inspection)),
    limited(Opt::RecordsJson, Scope::EmulatedGraph(Setting::Inspection)),
    everywhere(Opt::Sorted),
    limited(Opt::Deterministic, Scope::EmulatedGraph(Setting::Inspection)),
    limited(Opt::Poison, Scope::EmulatedGraph(Setting::Inspection)),
    limited(Opt::Trace, Scope::EmulatedGraph(Setting::Inspection)),
    limited(Opt::Stats, Scope::EmulatedGraph(Setting::Inspection)),
    limited(Opt::SubgroupSize, Scope::CpuDevice),
    limited(Opt::Threads, Scope::CpuDevice),
    limited(Opt::MaxInstructions, Scope::CpuDevice),
    limited(Opt::Batching, Scope::CpuNativeGraph),
    limited(Opt::Order, Scope::CpuNativeGraph),
    everywhere(Opt::Sanitize),
    everywhere(Opt::Binding),
    everywhere(Opt::Specialise),
    everywhere(Opt::StandardStreams),
    everywhere(Opt::CheckFormat),
    everywhere(Opt::Stdin),
    everywhere(Opt::Indent),
    everywhere(Opt::Tabs),
    everywhere(Opt::Columns),
    everywhere(Opt::Braces),
    everywhere(Opt::Help),
    everywhere(Opt::HelpAll),
    everywhere(Opt::Version),
];

/// Returns the first option of the command line with such an effect. A program of `wgc.json` may have options for one of
/// its targets and outputs.
fn given_on_command_line(invocation: &Invocation, mut has: impl FnMut(&Effect) -> bool) -> Option<&'static Effect> {
    EFFECTS.iter().find(|effect| invocation.has_on_command_line(effect.opt) && has(effect))
}

/// Returns the first given option with such an effect.
fn given(invocation: &Invocation, mut has: impl FnMut(&Effect) -> bool) -> Option<&'static Effect> {
    EFFECTS.iter().find(|effect| invocation.has(effect.opt) && has(effect))
}

/// Refuses options that have no effect on the requested result.
pub(crate) fn check_outputs(invocation: &Invocation) -> Result<(), UsageError> {
    let Some(result) = given(invocation, |effect| effect.output == Output::Replacing).map(|effect| effect.opt) else {
        return match given(invocation, |effect| matches!(effect.output, Output::Only(_))) {
            Some(Effect { opt, output: Output::Only(result), .. }) => {
                Err(UsageError(format!("{} needs {}", name_of(*opt), name_of(*result))))
            }
            _ => Ok(()),
        };
    };
    if let Some(other) = given(invocation, |effect| effect.output == Output::Replacing && effect.opt != result) {
        return Err(UsageError(format!("{} and {} exclude each other", name_of(other.opt), name_of(result))));
    }
    let other = given(invocation, |effect| match effect.output {
        Output::Any | Output::Replacing => false,
        Output::Module => true,
        Output::ModuleOr(own) | Output::Only(own) => own != result,
    });
    if let Some(effect) = other {
        return Err(UsageError(format!("{} has no effect with {}", name_of(effect.opt), name_of(result))));
    }
    // Someone who wants to see the effect of a setting would believe the unchanged output.
    match invocation.value(Opt::Emit).filter(|kind| *kind != "asm") {
        Some(kind) => match given_on_command_line(invocation, |effect| matches!(effect.scope, Scope::EmulatedGraph(_)))
        {
            Some(effect) => Err(UsageError(format!("{} has no effect with --emit {kind}", name_of(effect.opt)))),
            None => Ok(()),
        },
        None => Ok(()),
    }
}

fn needs_graph(effect: &Effect, target: &str) -> UsageError {
    UsageError(format!("{} needs --target {target} and a graph", name_of(effect.opt)))
}

/// Refuses options that have no effect on the module or package of a program.
pub(crate) fn check_program(invocation: &Invocation, target: Target, is_compute: bool) -> Result<(), UsageError> {
    if (target == Target::Emulated || is_compute)
        && let Some(effect) = given_on_command_line(invocation, |effect| effect.scope == Scope::NativeGraph)
    {
        return Err(needs_graph(effect, "spirv-amdx"));
    }
    if (target == Target::Amdx || is_compute)
        && let Some(effect) =
            given_on_command_line(invocation, |effect| matches!(effect.scope, Scope::EmulatedGraph(_)))
    {
        return Err(needs_graph(effect, "spirv-emulated"));
    }
    if is_compute {
        return Ok(());
    }
    for effect in EFFECTS {
        let Scope::Compute { emulated, native } = effect.scope else { continue };
        let implied = if target == Target::Emulated { emulated } else { native };
        if let Some(value) = invocation.value(effect.opt).filter(|value| *value != implied) {
            let option = name_of(effect.opt);
            return Err(UsageError(match implied {
                "" => format!("{option} {value} needs -T cs_*: the entry points of a graph are named after its nodes"),
                implied => format!("{option} {value} needs -T cs_*: graphs of this target are for {implied}"),
            }));
        }
    }
    if target == Target::Emulated { check_package(invocation) } else { Ok(()) }
}

/// Refuses options about execution modes, because the kernels of a package have none.
pub(crate) fn check_package(invocation: &Invocation) -> Result<(), UsageError> {
    match given(invocation, |effect| effect.scope == Scope::NoPackage) {
        Some(effect) => {
            let option = name_of(effect.opt);
            Err(UsageError(format!("{option} needs -T cs_* or --target spirv-amdx; packages do not support it")))
        }
        None => Ok(()),
    }
}

/// Refuses options of emulated graphs for a run of another program. `all` adds the options of a run file, which may
/// have settings for only one of its targets: only its inspections are refused.
pub(crate) fn check_run(line: &Invocation, all: &Invocation) -> Result<(), UsageError> {
    let of = |setting| move |effect: &Effect| effect.scope == Scope::EmulatedGraph(setting);
    let found = given(all, of(Setting::Inspection))
        .or_else(|| given(line, of(Setting::Run)))
        .or_else(|| given(line, of(Setting::Package)));
    match found {
        Some(effect) => {
            let option = name_of(effect.opt);
            Err(UsageError(format!("{option} is only for emulated graphs (--target spirv-emulated)")))
        }
        None => Ok(()),
    }
}

/// Refuses choices of the CPU device about nodes for a run of a package or a compute shader. Run files may have settings
/// for several targets.
pub(crate) fn check_without_nodes(line: &Invocation) -> Result<(), UsageError> {
    match given_on_command_line(line, |effect| effect.scope == Scope::CpuNativeGraph) {
        Some(effect) => Err(needs_graph(effect, "spirv-amdx")),
        None => Ok(()),
    }
}

/// Returns whether an option shows or checks the inner workings of a graph.
pub(crate) fn inspects(invocation: &Invocation) -> bool {
    given(invocation, |effect| effect.scope == Scope::EmulatedGraph(Setting::Inspection)).is_some()
}

/// Refuses options of the CPU device for a run on another device.
pub(crate) fn check_other_device(invocation: &Invocation) -> Result<(), UsageError> {
    match given(invocation, |effect| matches!(effect.scope, Scope::CpuDevice | Scope::CpuNativeGraph)) {
        Some(effect) => Err(UsageError(format!("{} is only for the CPU device", name_of(effect.opt)))),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::options::OPTIONS;

    #[test]
    fn every_option_has_one_effect() {
        for spec in OPTIONS {
            let rows = EFFECTS.iter().filter(|effect| effect.opt == spec.opt).count();
            assert_eq!(rows, 1, "rows of {:?}", spec.opt);
        }
        assert!(EFFECTS.iter().all(|effect| OPTIONS.iter().any(|spec| spec.opt == effect.opt)));
    }
}
