//! IR to SPIR-V words: the one emitter of both targets.
//!
//! [`emit_amdx`] turns the graph of a module into one SPIR-V module for VK_AMDX_shader_enqueue revision 2.
//! [`emit_compute`] turns the other entry points of a module into plain Vulkan compute and mesh shaders. The emulated target is a
//! rewrite of the IR (graph operations become memory operations) followed by [`emit_compute`]: nothing here knows how
//! a graph is emulated.
//!
//! Callers hand over verified IR (`wgc_ir`'s contract). What a target cannot express is an [`EmitError`], never a
//! panic and never a wrong module; what it can express only outside the letter of a specification is a warning in
//! [`SpirvModule::warnings`].

#![forbid(unsafe_code)]

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
mod place;
mod prepare;
mod text;
mod types;

pub use debug::DebugInfo;
pub use environment::Environment;
pub use file_names::FileNames;

use ir::passes::Inline;
use rspirv::binary::Assemble;
use rspirv::dr;
use std::fmt;
use std::sync::Arc;
use wgc_ir as ir;
use wgc_spirv_module::NodeName;

/// What a caller may choose.
#[derive(Clone, Debug, PartialEq)]
pub struct EmitOptions {
    /// Compute: only the entry point of this name. AMDX: only the nodes of this name.
    pub entry_filter: Option<String>,
    /// What the module says about its source.
    pub debug: DebugInfo,
    /// What the positions of the module mean; without it there are no lines.
    pub sources: Option<Arc<ir::SourceMap>>,
    /// How the compiler was called, for debuggers.
    pub command_line: String,
    /// OpSource says that the module was HLSL of this version: 680 for shader model 6.8.
    pub hlsl_version: Option<u32>,
    /// The header's generator word (registered tool in the upper half, its version in the lower).
    pub generator: u32,
    /// Version and memory model of compute modules; those of graphs are always for Vulkan 1.3.
    pub environment: Environment,
    /// Compute: the name of the entry point instead of its function's (`-fspv-entrypoint-name`).
    pub entry_point_name: Option<String>,
    /// Entry points are `MaximallyReconvergesKHR`: lanes that part at a branch come together again where the source does.
    pub maximal_reconvergence: bool,
    /// Of floats of 32 bits, as a mode of every entry point (`-denorm`).
    pub denormals: Denormals,
    /// How `OutputValid` names its output, see [`ValidOperand`].
    pub valid_operand: ValidOperand,
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
        }
    }
}

/// What arithmetic does with denormal numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Denormals {
    /// What the device likes.
    #[default]
    Any,
    Preserved,
    /// They are zero.
    Flushed,
}

/// The operand of OpIsNodePayloadValidAMDX.
///
/// The specification asks for the payload array *type*; SPIRV-Tools (2025.3 and later) refuse any type there and
/// accept a value of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValidOperand {
    /// As the extension says.
    Type,
    /// An undefined value of that type: for tools that know no better.
    Value,
}

/// An emitted module.
#[derive(Clone, Debug)]
pub struct SpirvModule {
    /// The binary, header included.
    pub words: Vec<u32>,
    /// In the order of the module's nodes or entries.
    pub entry_points: Vec<EntryPoint>,
    /// Constructs that are emitted although no specification promises them.
    pub warnings: Vec<EmitWarning>,
    module: dr::Module,
}

/// An entry point and what it implements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntryPoint {
    /// The literal of OpEntryPoint.
    pub name: String,
    /// AMDX: the node, for `VkPipelineShaderStageNodeCreateInfoAMDX`, because its name need not be the entry point's.
    pub node: Option<ir::NodeId>,
    /// `WaveSize`, minimum, maximum and preferred, which whoever makes the pipeline asks for.
    pub wave_size: Option<[u32; 3]>,
}

/// Something a target cannot express.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EmitError {
    pub message: String,
    /// The function it was found in.
    pub function: Option<ir::Symbol>,
    /// The variable of which it is not known what it refers to, when that is the reason.
    pub unfollowed: Option<Box<Unfollowed>>,
    /// Where a sample was written whose offset is refused, when that is the reason: a text, and a token in it.
    pub offset: Option<Box<(ir::SourceText, u32)>>,
    /// The statement that is refused, when it is one: a text, and a token in it.
    pub at: Option<Box<(ir::SourceText, u32)>>,
}

/// A local that a target cannot follow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unfollowed {
    pub local: ir::Symbol,
    /// The text and token that declare it, if the source does.
    pub declared: Option<(ir::SourceText, u32)>,
    pub what: What,
}

/// What a local refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// Records, of which control flow decides: the native target's alone.
    Records,
    Resource(ir::passes::Unknown),
}

/// Emitted, but outside what the specifications promise.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct EmitWarning {
    pub message: String,
    pub function: Option<ir::Symbol>,
    pub kind: WarningKind,
    /// Where it was written: a text, and a token in it.
    pub at: Option<(ir::SourceText, u32)>,
}

/// What a warning is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WarningKind {
    /// An atomic on a node's record.
    PayloadAtomic,
    /// A mode that whoever makes the pipeline has to ask for.
    Pipeline,
}

impl SpirvModule {
    /// What its host calls the nodes. Their indexes are the module's to say.
    pub fn node_names(&self) -> Vec<NodeName> {
        let name = |entry: &EntryPoint| {
            let node = entry.node.as_ref()?;
            Some(NodeName { entry_point: entry.name.clone(), name: node.name.to_string(), index: None })
        };
        self.entry_points.iter().filter_map(name).collect()
    }

    /// `WaveSize` by entry point, where there is one.
    pub fn wave_sizes(&self) -> Vec<(String, [u32; 3])> {
        self.entry_points.iter().filter_map(|entry| Some((entry.name.clone(), entry.wave_size?))).collect()
    }

    /// The module as text in the syntax of SPIRV-Tools, with names for ids where there are some.
    pub fn disassemble(&self) -> String {
        text::disassemble(&self.module)
    }

    /// The words as bytes, in the machine-independent order (little endian) that files use.
    pub fn bytes(&self) -> Vec<u8> {
        self.words.iter().flat_map(|w| w.to_le_bytes()).collect()
    }
}

impl EmitError {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        EmitError { message: message.into(), function: None, unfollowed: None, offset: None, at: None }
    }

    pub(crate) fn unfollowed(message: impl Into<String>, what: Unfollowed) -> Self {
        EmitError { unfollowed: Some(Box::new(what)), ..EmitError::new(message) }
    }

    /// Locates the refused statement, unless an inner one was located already.
    pub(crate) fn written_at(mut self, at: Option<(ir::SourceText, u32)>) -> Self {
        self.at = self.at.or(at.map(Box::new));
        self
    }

    /// Names the function, unless an inner one was named already.
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

/// Emits `module.entries` as compute and mesh shaders with scalar block layout, by default for Vulkan 1.2 (SPIR-V 1.5, Vulkan
/// memory model).
///
/// # Errors
/// When the module holds graph operations, or anything plain compute cannot express.
pub fn emit_compute(module: &ir::Module, options: &EmitOptions) -> Result<SpirvModule, EmitError> {
    compute::emit(&prepare::prepared(module, Inline::Required)?, options)
}

/// The same for shaders of a program: threads that return early still come to the barriers of their workgroup.
///
/// # Errors
/// As [`emit_compute`].
pub fn emit_shaders(module: &ir::Module, options: &EmitOptions) -> Result<SpirvModule, EmitError> {
    compute::emit(&prepare::prepared(module, Inline::Meeting)?, options)
}

/// Emits `module.graph` for VK_AMDX_shader_enqueue revision 2 (SPIR-V 1.6): one entry point per node.
///
/// # Errors
/// When a record handle is merged by control flow, and whatever else the extension cannot express.
pub fn emit_amdx(module: &ir::Module, options: &EmitOptions) -> Result<SpirvModule, EmitError> {
    amdx::emit(&prepared_graph(module)?, options, None)
}

/// The names of the entry points that [`emit_amdx`] makes of a graph's nodes, in their order.
pub fn entry_point_names(graph: &ir::Graph) -> Vec<String> {
    amdx::entry_point_names(graph)
}

/// The same as a module for each node, in their order. Each entry point has the name of its node.
///
/// # Errors
/// As [`emit_amdx`].
pub fn emit_amdx_nodes(module: &ir::Module, options: &EmitOptions) -> Result<Vec<SpirvModule>, EmitError> {
    let module = prepared_graph(module)?;
    let wanted = |id: &ir::NodeId| options.entry_filter.as_deref().is_none_or(|filter| *filter == *id.name);
    let nodes = module.graph.nodes.iter().map(|node| &node.id).filter(|id| wanted(id));
    nodes.map(|id| amdx::emit(&module, options, Some(id))).collect()
}

fn prepared_graph(module: &ir::Module) -> Result<ir::Module, EmitError> {
    let records = |error: &EmitError| error.unfollowed.as_deref().is_some_and(|u| u.what == What::Records);
    match prepare::prepared(module, Inline::Meeting) {
        // A condition in place of a return may be what hides where records come from.
        Err(error) if records(&error) => prepare::prepared(module, Inline::Required),
        other => other,
    }
}

pub(crate) fn finish(module: dr::Module, entry_points: Vec<EntryPoint>, warnings: Vec<EmitWarning>) -> SpirvModule {
    SpirvModule { words: module.assemble(), entry_points, warnings, module }
}
