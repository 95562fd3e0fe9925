//! The back end of both targets: verified IR to SPIR-V words and packages.
//!
//! - [`emit_amdx`] turns the graph of a module into one SPIR-V module for VK_AMDX_shader_enqueue revision 2;
//!   [`emit_amdx_nodes`] writes a module for each node;
//! - [`emit_shaders`] turns the compute entry points of a program into one module;
//! - [`emit_compute`] does so for a shader of the emulated target, which may be a mesh shader;
//! - [`emulated_graph`] rewrites a graph to such shaders, so that graph operations become memory operations; the rest
//!   of that target is in [`emulated`].
//!
//! `pipeline` has the passes of each target. The emitter serves both targets and knows nothing of the emulation.
//!
//! Callers pass IR that `wgc_ir::verify` accepts. A construct that a target cannot express is an [`EmitError`], never a
//! panic and never a wrong module. A construct outside the letter of a specification is a warning in
//! [`SpirvModule::warnings`].

#![forbid(unsafe_code)]
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::unreachable))]

pub mod emulated;
pub mod environment;
pub mod features;
pub mod interface;

mod amdx;
mod builder;
mod compute;
mod constants;
mod debug;
mod debug_info;
mod emitter;
mod file_names;
mod function;
mod globals;
mod matrix;
mod mesh;
mod node_context;
mod pipeline;
mod place;
mod read_grids;
mod resolve;
mod text;
mod types;

pub use debug::DebugInfo;
pub use environment::Environment;
pub use file_names::FileNames;
pub use pipeline::{can_be_planned, emulated_graph, fusion_of, may_use_library_names};

use rspirv::binary::Assemble;
use rspirv::dr;
use std::fmt;
use std::sync::Arc;
use wgc_ir as ir;
use wgc_spirv_module::NodeName;

/// The options of emission.
#[derive(Clone, Debug, PartialEq)]
pub struct EmitOptions {
    /// Compute: emit only the entry point of this name. AMDX: emit only the nodes of this name.
    pub entry_filter: Option<String>,
    /// The debug information of the module.
    pub debug: DebugInfo,
    /// The source map for the module's positions; without it there are no lines.
    pub sources: Option<Arc<ir::SourceMap>>,
    /// The compiler's command line, for debuggers.
    pub command_line: String,
    /// OpSource declares HLSL of this version: 680 for shader model 6.8.
    pub hlsl_version: Option<u32>,
    /// The header's generator word (registered tool in the upper half, its version in the lower).
    pub generator: u32,
    /// Version and memory model of compute modules; modules for AMDX are always for Vulkan 1.3.
    pub environment: Environment,
    /// Compute: the name of the entry point instead of its function's (`-fspv-entrypoint-name`).
    pub entry_point_name: Option<String>,
    /// Entry points are `MaximallyReconvergesKHR`: diverged lanes reconverge as in the source.
    pub maximal_reconvergence: bool,
    /// The denormal mode of 32-bit floats for every entry point (`-denorm`).
    pub denormals: Denormals,
    /// The operand of `OutputValid` for its output, see [`ValidOperand`].
    pub valid_operand: ValidOperand,
    pub level: ir::passes::OptLevel,
    /// Resources that nothing uses stay, with their bindings (`-fspv-preserve-bindings`). Packages have them in the manifest
    /// only.
    pub preserve_bindings: bool,
}

impl EmitOptions {
    /// Returns the globals that stay without uses.
    fn kept(&self, module: &ir::Module) -> Vec<ir::Symbol> {
        let bound = module.globals.values().filter(|global| self.preserve_bindings && global.binding().is_some());
        bound.map(|global| global.name.clone()).collect()
    }

    /// Returns the requests to the optimiser.
    fn plan(&self) -> ir::passes::Plan<'static> {
        let flush = match self.denormals {
            Denormals::Any | Denormals::Preserved => ir::passes::DenormalFlush::Optional,
            Denormals::Flushed => ir::passes::DenormalFlush::Required,
        };
        ir::passes::Plan { flush, describes_variables: self.debug.instructions, ..ir::passes::Plan::new(self.level) }
    }
}

impl Default for EmitOptions {
    fn default() -> Self {
        EmitOptions {
            entry_filter: None,
            debug: DebugInfo::LINES,
            sources: None,
            command_line: String::new(),
            hlsl_version: None,
            generator: 0,
            environment: Environment::default(),
            entry_point_name: None,
            maximal_reconvergence: false,
            denormals: Denormals::Any,
            valid_operand: ValidOperand::Type,
            level: ir::passes::OptLevel::default(),
            preserve_bindings: false,
        }
    }
}

/// The treatment of denormal numbers in arithmetic.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Denormals {
    /// The device decides.
    #[default]
    Any,
    Preserved,
    /// They become zero.
    Flushed,
}

/// The operand of OpIsNodePayloadValidAMDX.
///
/// The specification requires the payload array *type*. SPIRV-Tools (2025.3 and later) reject any type there and accept
/// a value of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValidOperand {
    /// The type, as the extension requires.
    Type,
    /// An undefined value of that type, for tools that reject the type.
    Value,
}

/// An emitted module.
#[derive(Clone, Debug)]
pub struct SpirvModule {
    /// The binary, header included.
    pub words: Vec<u32>,
    /// In the order of the module's nodes or entries.
    pub entry_points: Vec<EntryPoint>,
    /// Constructs that are emitted although no specification guarantees them.
    pub warnings: Vec<EmitWarning>,
    module: dr::Module,
}

/// An entry point, and the node that it implements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntryPoint {
    /// The literal of OpEntryPoint.
    pub name: String,
    /// AMDX: the node, for `VkPipelineShaderStageNodeCreateInfoAMDX`, since the entry point may have another name.
    pub node: Option<ir::NodeId>,
    /// `WaveSize`, minimum, maximum and preferred. The creator of the pipeline must request it.
    pub wave_size: Option<[u32; 3]>,
}

/// A construct that a target cannot express.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EmitError {
    pub message: String,
    /// The function that contains it.
    pub function: Option<ir::Symbol>,
    /// The variable with an unknown referent, if that is the reason.
    pub untraceable: Option<Box<UntraceableLocal>>,
    /// The sample with a rejected offset, if that is the reason: a text, and a token in it.
    pub offset: Option<Box<(ir::SourceText, u32)>>,
    /// The rejected statement, if it is one: a text, and a token in it.
    pub at: Option<Box<(ir::SourceText, u32)>>,
}

/// A local that a target cannot follow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UntraceableLocal {
    pub local: ir::Symbol,
    /// The text and token of its declaration, if it is in the source.
    pub declared: Option<(ir::SourceText, u32)>,
    pub what: ReferentKind,
}

/// The kind of a local's referent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReferentKind {
    /// Records that depend on control flow; only for the native target.
    Records,
    Resource(ir::passes::UntraceableReason),
}

/// A warning about a construct that is emitted, but that the specifications do not guarantee.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct EmitWarning {
    pub message: String,
    pub function: Option<ir::Symbol>,
    pub kind: WarningKind,
    /// The source position: a text, and a token in it.
    pub at: Option<(ir::SourceText, u32)>,
}

/// The subject of a warning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WarningKind {
    /// An atomic on a node's record.
    PayloadAtomic,
    /// A mode that the creator of the pipeline must request.
    Pipeline,
}

impl SpirvModule {
    pub(crate) fn new(module: dr::Module, entry_points: Vec<EntryPoint>, warnings: Vec<EmitWarning>) -> SpirvModule {
        SpirvModule { words: module.assemble(), entry_points, warnings, module }
    }

    /// Returns the nodes' names for a host. Their indexes are in the module.
    pub fn node_names(&self) -> Vec<NodeName> {
        let name = |entry: &EntryPoint| {
            let node = entry.node.as_ref()?;
            Some(NodeName { entry_point: entry.name.clone(), name: node.name.to_string(), index: None })
        };
        self.entry_points.iter().filter_map(name).collect()
    }

    /// Returns `WaveSize` by entry point, for those that have one.
    pub fn wave_sizes(&self) -> Vec<(String, [u32; 3])> {
        self.entry_points.iter().filter_map(|entry| Some((entry.name.clone(), entry.wave_size?))).collect()
    }

    /// Returns the module as text in the syntax of SPIRV-Tools, with names for ids where available.
    pub fn disassemble(&self) -> String {
        text::disassemble(&self.module)
    }

    /// Returns the words as little-endian bytes, the machine-independent order of files.
    pub fn bytes(&self) -> Vec<u8> {
        self.words.iter().flat_map(|w| w.to_le_bytes()).collect()
    }
}

/// Returns the words of an emitted module as text, like [`SpirvModule::disassemble`]; `None` if they are no module.
pub fn disassemble(words: &[u32]) -> Option<String> {
    dr::load_words(words).ok().map(|module| text::disassemble(&module))
}

impl EmitError {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        EmitError { message: message.into(), function: None, untraceable: None, offset: None, at: None }
    }

    /// Returns the error of a node that asks for the number of workgroups. The native target has no such input, and a
    /// dispatch of the emulated target runs the groups of several records.
    pub(crate) fn number_of_groups() -> Self {
        EmitError::new("a node has no number of workgroups: each record has a grid of its own")
    }

    pub(crate) fn untraceable(message: impl Into<String>, what: UntraceableLocal) -> Self {
        EmitError { untraceable: Some(Box::new(what)), ..EmitError::new(message) }
    }

    /// Sets the position of the rejected statement, unless it is already set.
    pub(crate) fn written_at(mut self, at: Option<(ir::SourceText, u32)>) -> Self {
        self.at = self.at.or(at.map(Box::new));
        self
    }

    /// Sets the function, unless it is already set.
    pub(crate) fn within(mut self, function: &ir::Symbol) -> Self {
        self.function.get_or_insert_with(|| function.clone());
        self
    }
}

impl fmt::Display for EmitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.function {
            Some(function) => write!(f, "in `{function}`: {}", self.message),
            None => f.write_str(&self.message),
        }
    }
}

impl std::error::Error for EmitError {}

/// Emits `module.entries` as compute and mesh shaders with scalar block layout. The default is Vulkan 1.2 (SPIR-V 1.5,
/// Vulkan memory model).
///
/// # Errors
/// The module contains graph operations, or another construct that plain compute cannot express.
pub fn emit_compute(module: &ir::Module, options: &EmitOptions) -> Result<SpirvModule, EmitError> {
    compute::emit(&pipeline::emulated_shader(module, options.plan())?, options)
}

impl emulated::Shader {
    /// Emits the words of the module.
    ///
    /// # Errors
    /// Fails like [`emit_compute`], and names the file of the module.
    pub fn emit(&self, options: &EmitOptions) -> Result<SpirvModule, emulated::EmuError> {
        let emitted = emit_compute(&self.module, options);
        emitted.map_err(|error| emulated::EmuError::Emit { module: self.file.clone(), error })
    }
}

/// Emits shaders like [`emit_compute`], without any pass before. Tests of passes compare modules with it.
///
/// # Errors
/// The module contains a construct that a required pass resolves, or another one that plain compute cannot express.
pub fn emit_unchanged(module: &ir::Module, options: &EmitOptions) -> Result<SpirvModule, EmitError> {
    compute::emit(module, options)
}

/// Emits shaders like [`emit_compute`], for a program. Threads that return early still reach the barriers of their
/// workgroup.
///
/// # Errors
/// Fails like [`emit_compute`].
pub fn emit_shaders(module: &ir::Module, options: &EmitOptions) -> Result<SpirvModule, EmitError> {
    let plan = ir::passes::Plan { more_roots: &options.kept(module), ..options.plan() };
    compute::emit(&pipeline::compute(module, plan)?, options)
}

/// Emits `module.graph` for VK_AMDX_shader_enqueue revision 2 (SPIR-V 1.6): one entry point per node.
///
/// # Errors
/// Control flow merges record handles, or the extension cannot express another construct.
pub fn emit_amdx(module: &ir::Module, options: &EmitOptions) -> Result<SpirvModule, EmitError> {
    let plan = ir::passes::Plan { more_roots: &options.kept(module), ..options.plan() };
    amdx::emit(&pipeline::native(module, plan)?, options, None)
}

/// Returns the names of the entry points that [`emit_amdx`] creates for a graph's nodes, in their order.
pub fn entry_point_names(graph: &ir::Graph) -> Vec<String> {
    amdx::entry_point_names(graph)
}

/// Emits a module for each node, in their order. Each entry point has the name of its node.
///
/// # Errors
/// Fails like [`emit_amdx`].
pub fn emit_amdx_nodes(module: &ir::Module, options: &EmitOptions) -> Result<Vec<SpirvModule>, EmitError> {
    let plan = ir::passes::Plan { more_roots: &options.kept(module), ..options.plan() };
    let module = pipeline::native(module, plan)?;
    let wanted = |id: &ir::NodeId| options.entry_filter.as_deref().is_none_or(|filter| *filter == *id.name);
    let nodes = module.graph.nodes.iter().map(|node| &node.id).filter(|id| wanted(id));
    nodes.map(|id| amdx::emit(&module, options, Some(id))).collect()
}
