//! The compile driver: turns files and options into diagnostics, modules and packages.
//!
//! A [`Session`] is one program in one database. It connects the crates and checks their results: everything emitted
//! passes the verifier of `wgc-spirv-module`. It does no output. The command is built on it. The language server uses
//! the database itself.

#![forbid(unsafe_code)]
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::unreachable))]

mod c_header;
pub mod cli;
pub mod commands;
mod described;
mod device_library;
pub mod internal_error;
pub mod loader;
pub mod lsp;
mod option_effects;
pub mod output;
mod picture;
pub mod preprocessed;
pub mod project;
mod reflection;
pub mod registry;
pub mod report;
mod root_signatures;
mod verified;

use crate::device_library::{DeviceLibrary, PackageModule, device_library};
use crate::internal_error::InternalError;
use crate::verified::{Purpose, WordOrigin, internal, verified_ir};
use std::sync::Arc;
use wgc_abi::reflection::Reflection;
use wgc_abi::{Interface, Package};
use wgc_backend_spirv::FileNames;
use wgc_backend_spirv::emulated::plan::Settings;
use wgc_backend_spirv::emulated::{self, EmuError, EmulatedOptions, GraphProblem};
use wgc_backend_spirv::features;
use wgc_backend_spirv::interface::of_module;
use wgc_backend_spirv::{
    EmitError, EmitOptions, EmitWarning, ReferentKind, SpirvModule, UntraceableLocal, ValidOperand, WarningKind,
};
use wgc_frontend::ast::{dump, visit::Node};
use wgc_frontend::parse::dump_body;
use wgc_ir as ir;
use wgc_ir::passes::fusion::{EdgeChoice, FusionMode};
use wgc_sema::Compiler;
use wgc_sema::db::diagnostic::Rendered;
use wgc_sema::db::items::{ProgramUnit, item_tree, items, unit};
use wgc_sema::db::units;
use wgc_sema::db::{Db, Options, Program};
use wgc_sema::report::target_limits::RefusedPart;
use wgc_sema::tables::codes::{Code, Severity};
use wgc_spirv_module::Specialisation;

/// The target of compilation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// Compute shaders, scheduler kernels and a manifest, for Vulkan 1.2.
    Emulated,
    /// One module for VK_AMDX_shader_enqueue revision 2.
    Amdx,
}

/// One program, compiled on demand.
pub struct Session {
    db: Compiler,
    program: Program,
    emit: EmitOptions,
    plan: Settings,
    edges: Vec<EdgeChoice>,
}

/// The reason why a program has no module.
#[derive(Debug)]
pub enum Failure {
    /// The program has errors, which its diagnostics report, or cannot become the requested kind of module.
    Target(String),
    /// The program is correct but this target cannot express it: a diagnostic of its source.
    Source(Box<Rendered>),
    /// A bug in wgc.
    Internal(InternalError),
}

impl From<InternalError> for Failure {
    fn from(e: InternalError) -> Self {
        Failure::Internal(e)
    }
}

type Result<T> = std::result::Result<T, Failure>;

/// Shaders of a package, and their modules by file name.
type EmulatedModules = (emulated::Rewritten, Vec<(String, PackageModule)>);

impl Session {
    /// Creates a program from files, which are read on demand. Each file is a translation unit.
    pub fn new(files: &[&str], options: Options) -> Session {
        Session::of_units(files.iter().map(|file| (*file, options.clone())).collect(), options)
    }

    /// Creates another program in the same database, which reuses the analyzed built-in declarations.
    pub fn another(mut self, files: &[&str], options: Options) -> Session {
        let program = self.db.add_program(files, options);
        Session { program, ..self }
    }

    /// Creates another program in the same database from texts in memory. Removes all texts of the previous program.
    pub fn of_texts(mut self, files: &[(&str, &[u8])], options: Options) -> Session {
        for path in self.files() {
            self.db.set_text(&path, None);
        }
        self.db.forget(self.program);
        for (path, text) in files {
            self.db.set_text(path, Some(text));
        }
        let root = files.first().map(|(path, _)| *path);
        let program = self.db.add_program(&root.into_iter().collect::<Vec<_>>(), options);
        Session { program, ..self }
    }

    /// Creates one graph from files with their own options; `options` apply to the graph.
    pub fn of_units(files: Vec<(&str, Options)>, options: Options) -> Session {
        Session::of_given(files, options, loader::PreloadedFiles::default())
    }

    /// Creates a graph from files, some of which have been read already.
    pub fn of_given(mut files: Vec<(&str, Options)>, options: Options, mut given: loader::PreloadedFiles) -> Session {
        given.confine(&options.include_roots);
        let mut db = Compiler::new(Box::new(given));
        let program = match files.pop() {
            Some((file, own)) if files.is_empty() => db.add_program(&[file], own),
            last => {
                files.extend(last);
                db.add_whole(files, options)
            }
        };
        Session { db, program, emit: EmitOptions::default(), plan: Settings::default(), edges: Vec::new() }
    }

    /// Returns the preprocessed translation units.
    fn texts(&self) -> Vec<&ProgramUnit> {
        units(&self.db, self.program).into_iter().map(|part| unit(&self.db, part)).collect()
    }

    /// Returns the same program with other emit options.
    pub fn emitting(self, emit: EmitOptions) -> Session {
        Session { emit, ..self }
    }

    /// Returns the same program with other settings for its packages.
    pub fn planned(self, plan: Settings) -> Session {
        Session { plan, ..self }
    }

    /// Returns the same program with edges that the author chose to fuse or to keep.
    pub fn choosing(self, edges: Vec<EdgeChoice>) -> Session {
        Session { edges, ..self }
    }

    /// Returns whether a variable is marked `[[vk::constant_id(id)]]`.
    pub fn has_spec_constant(&self, id: u32) -> bool {
        units(&self.db, self.program).iter().any(|unit| wgc_sema::types::specialise::ids(&self.db, *unit).contains(&id))
    }

    /// Returns the names of all declared resources and push constants, even unused ones.
    pub fn declared_resources(&self) -> Vec<String> {
        wgc_sema::link::bindings::declared(&self.db, self.program)
    }

    /// Returns all diagnostics of the program, in source order.
    pub fn diagnostics(&self) -> Vec<Rendered> {
        wgc_sema::report::diagnostics::diagnostics(&self.db, self.program).clone()
    }

    /// Returns the preprocessor's diagnostics, in source order.
    pub fn preprocessor_diagnostics(&self) -> Vec<Rendered> {
        wgc_sema::report::diagnostics::preprocessing(&self.db, self.program)
    }

    /// Returns each node's usage of each limit; `None` if errors make the nodes uncertain.
    pub fn budgets(&self) -> Option<Vec<wgc_sema::flow::budgets::NodeBudget>> {
        wgc_sema::flow::budgets::node_budgets(&self.db, self.program)
    }

    /// Returns the indexes of all nodes in the table of local root arguments.
    pub(crate) fn local_root_indexes(&self) -> Vec<Option<u32>> {
        wgc_sema::graph::local_roots::indexes(&self.db, self.program)
    }

    /// Returns the attributes of every node as written.
    pub(crate) fn node_sources(&self) -> Vec<wgc_sema::report::node_source::NodeSource> {
        wgc_sema::report::node_source::of_nodes(&self.db, self.program)
    }

    /// Returns the text of a file that a diagnostic names.
    pub fn text(&self, path: &str) -> Arc<[u8]> {
        self.db.file(path).text(&self.db)
    }

    /// Returns the tokens after preprocessing, for `--emit tokens`.
    pub fn tokens(&self) -> String {
        self.texts().into_iter().map(|text| wgc_frontend::token::dump(&text.unit.tokens)).collect()
    }

    /// Returns the program after preprocessing (`-P`), with `#line` directives.
    pub fn preprocessed(&self) -> String {
        let text = |text: &ProgramUnit| {
            preprocessed::text(&text.unit, &|file| {
                let file = text.files.get(file.0 as usize)?;
                Some((file.path(&self.db).to_owned(), file.text(&self.db)))
            })
        };
        self.texts().into_iter().map(text).collect()
    }

    /// Returns every file as it was opened, with its depth of inclusion; the program's own files have depth 0.
    pub fn includes(&self) -> Vec<(u32, String)> {
        let mut out = Vec::new();
        for text in self.texts() {
            let opened = text.unit.opened.iter();
            let named = opened.filter_map(|(id, depth)| Some((*depth, text.files.get(id.0 as usize)?)));
            out.extend(named.map(|(depth, file)| (depth, file.path(&self.db).to_owned())));
        }
        out
    }

    /// Returns every file that was read, the program's own first. Built-in headers are not files.
    pub fn files(&self) -> Vec<String> {
        let mut out: Vec<String> = Vec::new();
        for text in self.texts() {
            let read = text.unit.files.iter().filter_map(|id| text.files.get(id.0 as usize));
            for path in read.map(|file| file.path(&self.db)) {
                if !wgc_sema::db::is_built_in(path) && out.iter().all(|other| other != path) {
                    out.push(path.to_owned());
                }
            }
        }
        out.extend(self.program.options(&self.db).host.clone());
        out
    }

    /// Returns the graph as SVG, for `--emit svg`.
    pub fn picture(&self) -> String {
        let view = wgc_ide::graph_view(&self.db, self.program, &self.diagnostics());
        picture::draw(&view, self.fusion_by_default().as_ref(), true)
    }

    /// Returns the syntax tree, for `--emit ast`.
    pub fn syntax_tree(&self) -> String {
        let mut text = String::new();
        let parts = units(&self.db, self.program);
        for item in parts.into_iter().flat_map(|part| items(&self.db, part)) {
            let tree = item_tree(&self.db, *item);
            let body = |n: u32| {
                let body = item.bodies(&self.db).get(n as usize);
                body.map_or_else(String::new, |b| dump_body(b.tokens(&self.db)))
            };
            text += &dump(&tree.ast, &[Node::Item(tree.root)], &body);
        }
        text
    }

    /// Returns the linked IR. Fails if the program has errors.
    pub fn module(&self) -> Result<ir::Module> {
        let diagnostics = wgc_sema::report::diagnostics::diagnostics(&self.db, self.program);
        if let Some(error) = diagnostics.iter().find(|d| d.severity == Severity::Error) {
            return Err(Failure::Target(format!("the program has errors; the first one is: {}", error.message)));
        }
        if let Some(refused) = wgc_sema::report::diagnostics::contradiction(&self.db, self.program) {
            return Err(Failure::Source(Box::new(refused)));
        }
        link(&self.db, self.program)
    }

    /// Returns the nodes and resources for a host.
    pub fn interface(&self) -> Result<Interface> {
        self.reflected(&self.module()?)
    }

    /// Returns the interface for given values of specialisation constants, which node indexes may depend on.
    pub fn interface_with(&self, values: &Specialisation) -> Result<Interface> {
        let module = self.module()?;
        let mut interface = self.reflected(&module)?;
        for (known, node) in interface.nodes.iter_mut().zip(&module.graph.nodes) {
            let value = |id| values.get(&id).copied();
            if let Some(index) = module.specialised_number(node, ir::GraphConstant::Index, value) {
                known.id.index = index;
            }
        }
        Ok(interface)
    }

    /// Returns the reflection of the program for tools.
    pub fn reflection(&self) -> Result<Reflection> {
        let module = self.module()?;
        let declared = wgc_sema::contracts::root_signatures::declared(&self.db, self.program);
        let interface = self.reflected(&module)?;
        let reflected = reflection::reflection(self, &module, interface, root_signatures::reported(declared));
        reflected.ok_or_else(|| internal("a node of a checked program has no reflection"))
    }

    /// Returns a C header for hosts of the graph on this target.
    pub fn c_header(&self, target: Target) -> Result<String> {
        let package = match target {
            _ if self.is_compute() => None,
            Target::Emulated => Some(self.emulated(&self.emulated_options())?),
            Target::Amdx => None,
        };
        Ok(c_header::c_header(&self.reflection()?, package.as_ref().map(|package| &package.manifest)))
    }

    /// Checks that the program can be compiled for this target, and returns the emitter's warnings. Runs every step
    /// that can refuse the program, and skips those that cannot fail.
    pub fn check(&self, target: Target) -> Result<Vec<EmitWarning>> {
        let emitted = match target {
            _ if self.is_compute() => self.compute_for(Purpose::Check)?,
            Target::Amdx => self.native_for(Purpose::Check)?,
            Target::Emulated => {
                let module = self.graph_module()?;
                if self.is_plain(&module) {
                    return Ok(Vec::new());
                }
                self.emulated_modules(&module, &self.emulated_options(), Purpose::Check)?;
                self.reflected(&module)?;
                return Ok(Vec::new());
            }
        };
        Ok(emitted.warnings)
    }

    /// Returns whether a graph can certainly be emulated: its functions can be emitted, its nodes can be planned, and
    /// it uses nothing that needs the emulation's own checks. Most graphs are plain, so their check needs no device
    /// library.
    fn is_plain(&self, module: &ir::Module) -> bool {
        let roots = wgc_sema::link::local_roots::arguments(&self.db, self.program, module);
        let options = EmitOptions { sources: None, ..self.emit.clone() };
        !ir::spirv::is_used(module)
            && roots.iter().all(Option::is_none)
            && !wgc_backend_spirv::may_use_library_names(module)
            && self.edges.is_empty()
            && wgc_backend_spirv::can_be_planned(module, &self.plan)
            && of_module(module).is_ok()
            && wgc_backend_spirv::emit_amdx(module, &options).is_ok()
    }

    /// Returns the nodes and resources of a linked module.
    fn reflected(&self, module: &ir::Module) -> Result<Interface> {
        of_module(module).map_err(|error| self.refused(error))
    }

    /// Returns the module for VK_AMDX_shader_enqueue.
    pub fn native(&self) -> Result<SpirvModule> {
        self.native_for(Purpose::Product)
    }

    fn native_for(&self, purpose: Purpose) -> Result<SpirvModule> {
        let module = self.graph_module()?;
        let emit = self.emit_options(&self.emit, None);
        let words = self.words_of(&module);
        let module = wgc_backend_spirv::emit_amdx(&module, &emit).map_err(|e| self.refused(e))?;
        if words.may_be_refused(purpose) {
            words.verified_graph(&[("the module", &module)], self.broken_on_purpose())?;
        }
        Ok(module)
    }

    /// Returns a module for each node, with a name for its file.
    pub fn native_nodes(&self) -> Result<Vec<(String, SpirvModule)>> {
        let module = self.graph_module()?;
        let emit = self.emit_options(&self.emit, None);
        let words = self.words_of(&module);
        let modules = wgc_backend_spirv::emit_amdx_nodes(&module, &emit).map_err(|e| self.refused(e))?;
        let mut names = FileNames::default();
        let mut named = Vec::new();
        for module in modules {
            let node = module.entry_points.first().and_then(|entry| entry.node.as_ref());
            let name = node.map(|id| names.name(id)).unwrap_or_default();
            named.push((name, module));
        }
        let all: Vec<(&str, &SpirvModule)> = named.iter().map(|(name, module)| (name.as_str(), module)).collect();
        words.verified_graph(&all, self.broken_on_purpose())?;
        Ok(named)
    }

    /// Returns the rule that modules for older tools violate on purpose.
    fn broken_on_purpose(&self) -> Option<&'static str> {
        (self.emit.valid_operand == ValidOperand::Value).then_some("AMDX-44")
    }

    /// Returns one module of the program's compute shaders (`-T cs_*`, or a library without nodes), the same for both
    /// targets.
    pub fn compute(&self) -> Result<SpirvModule> {
        self.compute_for(Purpose::Product)
    }

    fn compute_for(&self, purpose: Purpose) -> Result<SpirvModule> {
        self.compute_from(&self.module()?, purpose)
    }

    /// Returns the module of compute shaders for the program's IR, as [`Session::module`] returns it, after changes.
    ///
    /// # Errors
    /// Fails like [`Session::compute`].
    pub fn compute_changed(&self, module: &ir::Module) -> Result<SpirvModule> {
        self.compute_from(module, Purpose::Product)
    }

    fn compute_from(&self, module: &ir::Module, purpose: Purpose) -> Result<SpirvModule> {
        let words = self.words_of(module);
        let emit = self.emit_options(&self.emit, None);
        let module = wgc_backend_spirv::emit_shaders(module, &emit).map_err(|e| self.refused(e))?;
        if words.may_be_refused(purpose) {
            words.verified("the module", &module.words)?;
        }
        Ok(module)
    }

    /// Returns this session's options for emulated modules. Graphs have an environment of their own.
    pub fn emulated_options(&self) -> EmulatedOptions {
        let own = EmulatedOptions::default();
        // Kernels and nodes of a package have no execution modes, and the package names its entry points and bindings.
        let EmitOptions {
            debug,
            hlsl_version,
            command_line,
            level,
            entry_filter: _,
            sources: _,
            generator: _,
            environment: _,
            entry_point_name: _,
            maximal_reconvergence: _,
            denormals: _,
            valid_operand: _,
            preserve_bindings: _,
        } = self.emit.clone();
        let emit = EmitOptions { debug, hlsl_version, command_line, level, ..own.emit.clone() };
        EmulatedOptions { emit, plan: self.plan, edges: self.edges.clone() }
    }

    /// Returns the package of compute and mesh shaders.
    pub fn emulated(&self, options: &EmulatedOptions) -> Result<Package> {
        let module = self.graph_module()?;
        let (rewritten, modules) = self.emulated_modules(&module, options, Purpose::Product)?;
        let modules = modules.into_iter().map(|(file, module)| (file, module.into_words())).collect();
        let mut package = emulated::package(&module, &rewritten, modules).map_err(|e| self.refused_by_emulation(e))?;
        let declared = wgc_sema::contracts::root_signatures::declared(&self.db, self.program);
        package.manifest.root_signatures = root_signatures::reported(declared);
        let features = &mut package.manifest.features;
        for feature in rewritten.shaders.iter().flat_map(|shader| features::without_capability(&shader.module)) {
            if !features.iter().any(|known| known == feature) {
                features.push(feature.to_owned());
            }
        }
        Ok(package)
    }

    /// Returns the SPIR-V text of every module of the package with its file name, for `--emit asm`.
    pub fn emulated_assembly(&self, options: &EmulatedOptions) -> Result<Vec<(String, String)>> {
        let (_, modules) = self.emulated_modules(&self.graph_module()?, options, Purpose::Product)?;
        modules.into_iter().map(|(file, module)| Ok((file, module.disassemble()?))).collect()
    }

    /// Returns the shaders of the package, and their verified modules by file. A check skips the kernels, which do not
    /// depend on the program.
    fn emulated_modules(
        &self,
        module: &ir::Module,
        options: &EmulatedOptions,
        purpose: Purpose,
    ) -> Result<EmulatedModules> {
        let library = device_library(self.emit.debug.instructions)?;
        let roots = wgc_sema::link::local_roots::arguments(&self.db, self.program, module);
        let rewritten = wgc_backend_spirv::emulated_graph(module, &library.module, roots, options);
        let rewritten = rewritten.map_err(|e| self.refused_by_emulation(e))?;
        let emit = self.emit_options(&options.emit, Some(library));
        let mut modules = Vec::with_capacity(rewritten.shaders.len());
        let wanted = |shader: &&emulated::Shader| purpose == Purpose::Product || shader.kernel.is_none();
        for shader in rewritten.shaders.iter().filter(wanted) {
            let checked = |emit: &EmitOptions, words: WordOrigin| -> Result<SpirvModule> {
                let module = shader.emit(emit).map_err(|e| self.refused_by_emulation(e))?;
                if words.may_be_refused(purpose) {
                    words.verified(&shader.file, &module.words)?;
                }
                Ok(module)
            };
            let module = match shader.kernel {
                Some(name) => library.kernel(name, &emit, |emit| checked(emit, WordOrigin::Own))?,
                None => PackageModule::Emitted(Arc::new(checked(&emit, self.words_of(module))?)),
            };
            modules.push((shader.file.clone(), module));
        }
        Ok((rewritten, modules))
    }

    /// Returns the edges of the graph, and whether each is fused for the emulated target.
    pub fn fusion(&self, options: &EmulatedOptions) -> Result<ir::passes::fusion::Report> {
        let report = wgc_backend_spirv::fusion_of(&self.graph_module()?, &options.plan, &options.edges);
        report.map_err(|e| self.refused_by_emulation(e))
    }

    /// Returns the edges of the graph in the default mode of packages, for descriptions of the graph. `None` if the
    /// passes before fusion fail.
    pub fn fusion_by_default(&self) -> Option<ir::passes::fusion::Report> {
        let mut options = self.emulated_options();
        options.plan.fusion = FusionMode::Safe;
        self.fusion(&options).ok()
    }

    /// Returns whether the program consists of compute shaders alone: with `-T cs_*`, or as a library without nodes.
    pub fn is_compute(&self) -> bool {
        !wgc_sema::link::compute::compute_entries(&self.db, self.program).is_empty()
    }

    /// Returns the options with the current source map of the program and of the library.
    fn emit_options(&self, options: &EmitOptions, library: Option<&DeviceLibrary>) -> EmitOptions {
        let mut sources = self.sources(options);
        library.into_iter().for_each(|library| sources.extend((*library.sources).clone()));
        EmitOptions { sources: Some(Arc::new(sources)), ..options.clone() }
    }

    /// Returns the source map of the program, with declarations for debuggers if requested.
    fn sources(&self, options: &EmitOptions) -> ir::SourceMap {
        match options.debug.instructions {
            true => wgc_sema::link::source_map::debug_map(&self.db, self.program),
            false => wgc_sema::link::source_map::source_map(&self.db, self.program),
        }
    }

    /// Returns the emitter's warnings: as diagnostics if they have a location, and as text otherwise.
    pub fn warnings_of(&self, found: &[EmitWarning]) -> (Vec<Rendered>, Vec<String>) {
        let (mut rendered, mut texts) = (Vec::new(), Vec::new());
        for warning in found {
            let at = warning.at.as_ref().filter(|_| warning.kind == WarningKind::PayloadAtomic);
            let placed = at.and_then(|(text, token)| {
                wgc_sema::report::target_limits::payload_atomic(&self.db, self.program, text, *token)
            });
            match placed {
                Some(diagnostic) => rendered.push(diagnostic),
                None => texts.push(as_text(warning)),
            }
        }
        (rendered, texts)
    }

    /// Converts an emitter's refusal to a diagnostic at its location, if known.
    fn refused(&self, error: EmitError) -> Failure {
        let untraceable = error.untraceable.as_deref().and_then(|UntraceableLocal { local, declared, what }| {
            let target = wgc_sema::report::target_limits::UntraceableLocal { local, declared: declared.as_ref() };
            match what {
                ReferentKind::Records => target.records(&self.db, self.program),
                ReferentKind::Resource(why) => target.resource(&self.db, self.program, *why),
            }
        });
        let offset = || {
            let (text, token) = error.offset.as_deref()?;
            wgc_sema::report::target_limits::refused_offset(&self.db, self.program, text, *token, &error.message)
        };
        match untraceable.or_else(offset) {
            Some(diagnostic) => Failure::Source(Box::new(diagnostic)),
            None => {
                let function = error.function.as_deref();
                self.refused_part(
                    RefusedPart { at: error.at.as_deref(), function, ..Default::default() },
                    &error.message,
                )
            }
        }
    }

    /// Converts a refusal by any target to a diagnostic at the part of the program that is known.
    fn refused_part(&self, part: RefusedPart, why: &str) -> Failure {
        match wgc_sema::report::target_limits::refused(&self.db, self.program, Code::TargetRefusal, part, why) {
            Some(diagnostic) => Failure::Source(Box::new(diagnostic)),
            None => internal(&format!("a program without an entry point is refused: {why}")),
        }
    }

    /// Returns the origin of a module's words, with the location of the program's own ones.
    fn words_of(&self, module: &ir::Module) -> WordOrigin {
        let Some(user) = ir::spirv::user(module) else { return WordOrigin::Own };
        let part = RefusedPart { function: Some(user), ..Default::default() };
        let at = wgc_sema::report::target_limits::refused(&self.db, self.program, Code::TargetRefusal, part, "");
        at.map_or(WordOrigin::Own, |at| WordOrigin::Programs(Box::new(at)))
    }

    fn refused_by_emulation(&self, error: EmuError) -> Failure {
        match error {
            EmuError::Emit { error, .. } => self.refused(error),
            EmuError::Reserved { ref name } => {
                let part = RefusedPart { function: Some(name), global: Some(name), ..Default::default() };
                self.refused_part(part, &format!("spirv-emulated reserves the name `{name}`"))
            }
            EmuError::Graph { ref node, problem: GraphProblem::SharedMesh(ref mesh) } => {
                match wgc_sema::report::target_limits::shared_mesh(&self.db, self.program, node, mesh) {
                    Some(refused) => Failure::Source(Box::new(refused)),
                    None => self.refused_node(node, &error),
                }
            }
            EmuError::LocalRoot { ref node, ref name, problem } => {
                match wgc_sema::report::target_limits::local_root(
                    &self.db,
                    self.program,
                    node,
                    name,
                    &problem.to_string(),
                ) {
                    Some(refused) => Failure::Source(Box::new(refused)),
                    None => self.refused_node(node, &error),
                }
            }
            EmuError::Edge { ref node, ref output, .. } => {
                let part = RefusedPart { node: Some(node), output: Some(output), ..Default::default() };
                self.refused_part(part, &error.to_string())
            }
            EmuError::Graph { ref node, .. } | EmuError::Operation { ref node, .. } => self.refused_node(node, &error),
            EmuError::NoEdge { .. } => Failure::Target(error.to_string()),
            EmuError::Library { .. } => internal(&error.to_string()),
        }
    }

    fn refused_node(&self, node: &ir::NodeId, error: &EmuError) -> Failure {
        self.refused_part(RefusedPart { node: Some(node), ..Default::default() }, &error.to_string())
    }

    fn graph_module(&self) -> Result<ir::Module> {
        let module = self.module()?;
        if module.graph.nodes.is_empty() {
            return Err(match wgc_sema::report::diagnostics::no_nodes(&self.db, self.program) {
                Some(missing) => Failure::Source(Box::new(missing)),
                None => internal("a program without a file"),
            });
        }
        Ok(module)
    }
}

/// Returns the bits of a specialisation constant's value in the syntax of `--spec` and run files; `None` if it does not
/// fit.
pub fn spec_bits(text: &str, ty: wgc_abi::LayoutScalar) -> Option<u64> {
    use wgc_abi::LayoutScalar as L;
    use wgc_sema::db::ty::Repr as S;
    let scalar = match ty {
        L::Bool => S::Bool,
        L::I16 => S::I16,
        L::U16 => S::U16,
        L::I32 => S::I32,
        L::U32 => S::U32,
        L::I64 => S::I64,
        L::U64 => S::U64,
        L::F16 => S::F16,
        L::F32 => S::F32,
        L::F64 => S::F64,
    };
    wgc_sema::types::specialise::parse(text, scalar).map(|value| value.to_ir().bits)
}

/// Returns a warning of the emitter as text.
fn as_text(warning: &EmitWarning) -> String {
    match &warning.function {
        Some(function) => format!("in `{function}`: {}", warning.message),
        None => warning.message.clone(),
    }
}

fn link(db: &Compiler, program: Program) -> Result<ir::Module> {
    let linked = wgc_sema::link::link(db, program);
    if let Some(module) = &linked.module {
        return verified_ir(module.clone());
    }
    // The check of a library accepts missing bodies.
    Err(match wgc_sema::report::target_limits::missing_body(db, program) {
        Some(missing) => Failure::Source(Box::new(missing)),
        None => internal("there is no module although there is no error"),
    })
}
