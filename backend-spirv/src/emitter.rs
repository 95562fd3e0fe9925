//! The state shared by all functions of one module under emission: target, caches, the queue of functions, and the call
//! graph. Entry points get their interface from the call graph.
//!
//! This file emits no instructions of function bodies; see [`crate::function`].

use crate::builder::{Builder, id};
use crate::debug::Files;
use crate::debug_info::Declared;
use crate::environment::Environment;
use crate::function::FunctionEmitter;
use crate::globals::{EmittedGlobal, InputVariable};
use crate::node_context::NodeContext;
use crate::read_grids::ReadGrids;
use crate::types::TypeCache;
use crate::{Denormals, EmitError, EmitOptions, EmitWarning, EntryPoint, SpirvModule, WarningKind};
use indexmap::{IndexMap, IndexSet};
use rspirv::spirv::{
    AddressingModel, BuiltIn, Capability, Decoration, ExecutionMode, ExecutionModel, MemoryModel, Op, Word,
};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;
use wgc_ir as ir;

/// The properties of an output module.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Target {
    pub environment: Environment,
    /// The memory model is `Vulkan`; otherwise `GLSL450`, with implicitly non-private accesses and `Coherent` as a
    /// decoration.
    pub vulkan_memory_model: bool,
    /// ShaderEnqueueAMDX is declared.
    pub graph: bool,
}

impl Target {
    /// Returns the target for plain compute and mesh shaders.
    pub fn compute(environment: Environment) -> Target {
        Target { environment, vulkan_memory_model: environment.has_vulkan_memory_model(), graph: false }
    }

    /// The target for execution graphs. It does not use the Vulkan memory model, which orders only accesses with
    /// NonPrivatePointer. SPIR-V forbids that operand on node payloads, so no barrier could make the members of a
    /// shared record visible to the group. Under GLSL450, barriers order all accesses. The extension's hosts (Vulkan
    /// 1.3) accept SPIR-V 1.6.
    pub const AMDX: Target = Target { environment: Environment::AMDX, vulkan_memory_model: false, graph: true };
}

/// The globals and callees of a function, for the interfaces of the entry points that reach it.
#[derive(Default)]
pub(crate) struct FunctionUses {
    /// Global variables.
    pub globals: IndexSet<Word>,
    /// Called functions, by id.
    pub callees: IndexSet<Word>,
    /// The function compares values across a quad of threads.
    pub derivatives: bool,
}

pub(crate) struct Emitter<'m> {
    pub module: &'m ir::Module,
    pub options: &'m EmitOptions,
    pub target: Target,
    pub b: Builder,
    pub types: TypeCache,
    pub globals: FxHashMap<ir::Symbol, EmittedGlobal>,
    pub inputs: FxHashMap<InputVariable, Word>,
    /// Images with atomics on their texels.
    pub atomic_images: FxHashSet<ir::Symbol>,
    /// Descriptor slots that several globals share.
    pub shared_slots: FxHashSet<(u32, u32)>,
    /// Pointers, images and samplers that may differ between threads of a subgroup.
    non_uniform: FxHashSet<Word>,
    pub warnings: IndexSet<EmitWarning>,
    /// Fields from which nodes read their grids; only for graphs.
    pub read_grids: ReadGrids,
    /// Ids of called functions, in contrast to entry functions.
    functions: IndexMap<ir::Symbol, Word>,
    pending: VecDeque<ir::Symbol>,
    uses: FxHashMap<Word, FunctionUses>,
    entry_points: Vec<EntryPoint>,
    entry_names: FxHashSet<String>,
    physical: bool,
    pub files: Files,
    pub declared: Declared,
}

impl<'m> Emitter<'m> {
    pub fn new(module: &'m ir::Module, options: &'m EmitOptions, target: Target) -> Self {
        let mut b = Builder::new(options.debug.names);
        b.capability(Capability::Shader);
        Emitter {
            module,
            options,
            target,
            b,
            types: TypeCache::default(),
            globals: FxHashMap::default(),
            inputs: FxHashMap::default(),
            non_uniform: FxHashSet::default(),
            atomic_images: module.functions.values().flat_map(|function| atomic_images(function)).collect(),
            shared_slots: wgc_ir::shared_slots(&module.globals),
            warnings: IndexSet::new(),
            read_grids: if target.graph { ReadGrids::new(&module.graph) } else { ReadGrids::default() },
            functions: IndexMap::new(),
            pending: VecDeque::new(),
            uses: FxHashMap::default(),
            entry_points: Vec::new(),
            entry_names: FxHashSet::default(),
            physical: false,
            files: Files::default(),
            declared: Declared::default(),
        }
    }

    /// Returns whether to emit an entry point or node of this name.
    pub fn wants(&self, name: &str) -> bool {
        self.options.entry_filter.as_deref().is_none_or(|filter| filter == name)
    }

    /// Decorates a result that may differ between threads of a subgroup.
    pub fn non_uniform(&mut self, word: Word) {
        if self.non_uniform.insert(word) {
            self.b.decorate(word, Decoration::NonUniform, &[]);
        }
    }

    /// Decorates a result if one of its operands may differ between threads of a subgroup.
    pub fn inherit_non_uniform(&mut self, word: Word, operands: &[Word]) {
        if operands.iter().any(|operand| self.non_uniform.contains(operand)) {
            self.non_uniform(word);
        }
    }

    /// Declares the use of physical addresses.
    pub fn needs_physical_addresses(&mut self) {
        self.physical = true;
        self.b.capability(Capability::PhysicalStorageBufferAddresses);
    }

    pub fn warn(
        &mut self,
        kind: WarningKind,
        message: impl Into<String>,
        function: &ir::Symbol,
        at: Option<(ir::SourceText, u32)>,
    ) {
        self.warnings.insert(EmitWarning { message: message.into(), function: Some(function.clone()), kind, at });
    }

    /// Returns the id of a called function, which is emitted after the entry functions.
    pub fn callee(&mut self, name: &ir::Symbol) -> Result<Word, EmitError> {
        if let Some(&known) = self.functions.get(name) {
            return Ok(known);
        }
        if !self.module.functions.contains_key(name) {
            return Err(EmitError::new(format!("call of unknown function `{name}`")));
        }
        let fresh = self.b.id();
        self.functions.insert(name.clone(), fresh);
        self.pending.push_back(name.clone());
        Ok(fresh)
    }

    /// Emits the function that implements an entry point. Entry points may not be called and have their own modes, so
    /// each has a copy of its function.
    pub fn entry_function(&mut self, name: &ir::Symbol, node: Option<&NodeContext<'m>>) -> Result<Word, EmitError> {
        let module = self.module;
        let Some(function) = module.functions.get(name) else {
            return Err(EmitError::new(format!("entry point of unknown function `{name}`")));
        };
        if !function.params.is_empty() || function.ret != ir::Type::Void {
            return Err(EmitError::new("an entry function takes no parameters and returns nothing").within(name));
        }
        let word = self.b.id();
        self.function(function, word, node)?;
        self.debug_entry_point(function);
        Ok(word)
    }

    fn function(
        &mut self,
        function: &'m ir::Function,
        word: Word,
        node: Option<&NodeContext<'m>>,
    ) -> Result<(), EmitError> {
        let uses = FunctionEmitter::new(self, function, node).emit(word).map_err(|e| e.within(&function.name))?;
        self.uses.insert(word, uses);
        Ok(())
    }

    /// Emits all called functions that are not emitted yet.
    pub fn called_functions(&mut self) -> Result<(), EmitError> {
        let module = self.module;
        while let Some(name) = self.pending.pop_front() {
            if let (Some(function), Some(&word)) = (module.functions.get(&name), self.functions.get(&name)) {
                self.function(function, word, None)?;
            }
        }
        Ok(())
    }

    /// Returns the global variables that a function and its callees use, with those of `always`, in the order of their
    /// ids.
    ///
    /// # Errors
    /// The call graph has a cycle, which SPIR-V shaders may not have.
    pub fn interface(&self, entry: Word, always: &[Word]) -> Result<Vec<Word>, EmitError> {
        enum Step {
            Enter(Word),
            Leave(Word),
        }
        let mut found: FxHashSet<Word> = always.iter().copied().collect();
        let (mut open, mut done) = (FxHashSet::default(), FxHashSet::default());
        let mut work = vec![Step::Enter(entry)];
        while let Some(step) = work.pop() {
            match step {
                Step::Leave(function) => {
                    open.remove(&function);
                    done.insert(function);
                }
                Step::Enter(function) if open.contains(&function) => {
                    let name = self.functions.iter().find(|&(_, &word)| word == function).map(|(name, _)| name.clone());
                    return Err(EmitError { function: name, ..EmitError::new("the function calls itself") });
                }
                Step::Enter(function) if done.contains(&function) => {}
                Step::Enter(function) => {
                    open.insert(function);
                    work.push(Step::Leave(function));
                    if let Some(uses) = self.uses.get(&function) {
                        found.extend(&uses.globals);
                        work.extend(uses.callees.iter().map(|&callee| Step::Enter(callee)));
                    }
                }
            }
        }
        if !self.target.environment.has_whole_interfaces() {
            // Before 1.4 the interface has only built-in variables.
            let inputs: FxHashSet<Word> = self.inputs.values().copied().collect();
            found.retain(|word| inputs.contains(word));
        }
        let mut found: Vec<Word> = found.into_iter().collect();
        found.sort_unstable();
        Ok(found)
    }

    /// Emits the size of an entry point's workgroups.
    ///
    /// # Errors
    /// The size is specialised and the module has several entry points, but the target's SPIR-V version allows that for
    /// one only.
    pub fn local_size(&mut self, entry: Word, size: [u32; 3], specialised: &ir::Specialised) -> Result<(), EmitError> {
        if !has_threads(specialised) {
            self.b.execution_mode(entry, ExecutionMode::LocalSize, &size);
            return Ok(());
        }
        let mut words = Vec::new();
        for (axis, n) in size.into_iter().enumerate() {
            words.push(self.number(specialised, ir::GraphConstant::Threads(axis as u32), n)?);
        }
        if self.target.environment.has_local_size_id() {
            self.b.execution_mode_id(entry, ExecutionMode::LocalSizeId, &words);
            return Ok(());
        }
        // Older versions use one constant for the whole module.
        if self.module.entries.len() > 1 {
            let message = "before Vulkan 1.3, a specialised workgroup size applies to the whole module, but this one has several entry points: use -fspv-target-env=vulkan1.3";
            return Err(EmitError::new(message));
        }
        self.b.execution_mode(entry, ExecutionMode::LocalSize, &size);
        let ty = self.vector_type(ir::Scalar::U32, 3);
        let size = self.b.unique(Op::SpecConstantComposite, Some(ty), words.iter().map(|&w| id(w)).collect());
        self.b.decorate_builtin(size, BuiltIn::WorkgroupSize);
        Ok(())
    }

    /// Declares that consecutive invocations form the quads of an entry point, if it or a callee compares values across
    /// quads. `passes::quads` has numbered the threads accordingly.
    ///
    /// # Errors
    /// The workgroup has no quads.
    pub fn derivative_group(
        &mut self,
        entry: Word,
        size: [u32; 3],
        specialised: &ir::Specialised,
    ) -> Result<(), EmitError> {
        let (mut seen, mut work) = (FxHashSet::default(), vec![entry]);
        let mut found = false;
        while let Some(function) = work.pop() {
            if let Some(uses) = self.uses.get(&function).filter(|_| seen.insert(function)) {
                found |= uses.derivatives;
                work.extend(&uses.callees);
            }
        }
        if !found {
            return Ok(());
        }
        if has_threads(specialised) {
            let message = "the quads for derivatives depend on the specialised size of the workgroup";
            return Err(EmitError::new(message));
        }
        if !ir::has_quads(size) {
            return Err(EmitError::new(format!("a workgroup of {size:?} threads has no quads for derivatives")));
        }
        self.b.capability(Capability::ComputeDerivativeGroupLinearKHR);
        self.b.extension("SPV_KHR_compute_shader_derivatives");
        self.b.execution_mode(entry, ExecutionMode::DerivativeGroupLinearKHR, &[]);
        Ok(())
    }

    /// Declares an entry point; its function and all callees have been emitted.
    pub fn entry_point(
        &mut self,
        function: Word,
        entry: EntryPoint,
        model: ExecutionModel,
        always: &[Word],
    ) -> Result<(), EmitError> {
        let name = &entry.name;
        if !self.entry_names.insert(name.clone()) {
            return Err(EmitError::new(format!("duplicate entry point `{name}`")));
        }
        let interface = self.interface(function, always)?;
        self.b.entry_point(model, function, name, &interface);
        if self.options.maximal_reconvergence {
            self.b.extension("SPV_KHR_maximal_reconvergence");
            self.b.execution_mode(function, ExecutionMode::MaximallyReconvergesKHR, &[]);
        }
        let denormals = match self.options.denormals {
            Denormals::Any => None,
            Denormals::Preserved => Some((Capability::DenormPreserve, ExecutionMode::DenormPreserve)),
            Denormals::Flushed => Some((Capability::DenormFlushToZero, ExecutionMode::DenormFlushToZero)),
        };
        if let Some((capability, mode)) = denormals {
            self.b.capability(capability);
            // Part of SPIR-V since 1.4.
            if self.target.environment.version < (1, 4) {
                self.b.extension("SPV_KHR_float_controls");
            }
            self.b.execution_mode(function, mode, &[32]);
        }
        self.entry_points.push(entry);
        Ok(())
    }

    /// Returns a function type, such as `void()`.
    pub fn function_type(&mut self, ret: Word, params: &[Word]) -> Word {
        let mut operands = vec![id(ret)];
        operands.extend(params.iter().map(|&p| id(p)));
        self.b.intern(Op::TypeFunction, None, operands)
    }

    pub fn finish(mut self) -> Result<SpirvModule, EmitError> {
        for name in self.options.kept(self.module) {
            self.global(&name)?;
        }
        self.source();
        self.tool();
        self.debug_globals();
        if self.target.vulkan_memory_model {
            self.b.capability(Capability::VulkanMemoryModel);
        }
        let addressing =
            if self.physical { AddressingModel::PhysicalStorageBuffer64 } else { AddressingModel::Logical };
        let memory = if self.target.vulkan_memory_model { MemoryModel::Vulkan } else { MemoryModel::GLSL450 };
        self.b.memory_model(addressing, memory);
        let warnings = self.warnings.into_iter().collect();
        let module = self.b.finish(self.target.environment, self.options.generator)?;
        Ok(SpirvModule::new(module, self.entry_points, warnings))
    }
}

/// Returns whether the size of a workgroup is specialised.
fn has_threads(specialised: &ir::Specialised) -> bool {
    specialised.iter().any(|(what, _)| matches!(what, ir::GraphConstant::Threads(_)))
}

/// Returns the image globals with texels that a function uses as memory.
fn atomic_images(function: &ir::Function) -> Vec<ir::Symbol> {
    let mut work: Vec<ir::ValueId> = function
        .values
        .values()
        .filter_map(|value| match value.op {
            ir::Op::Texel { image, .. } => Some(image),
            _ => None,
        })
        .collect();
    let (mut found, mut seen) = (Vec::new(), FxHashSet::default());
    while let Some(id) = work.pop() {
        if !seen.insert(id) {
            continue;
        }
        match function.value(id).map(|value| &value.op) {
            Some(ir::Op::Global(name)) => found.push(name.clone()),
            Some(op) => op.for_each_operand(|operand| work.push(operand)),
            None => {}
        }
    }
    found
}
