//! The verifier, which finds broken rules of SPIR-V in a loaded module.
//!
//! The core rules apply to every module. They cover the specification's validation rules (chapter 2.16) for the logical
//! and the physical-storage-buffer addressing model. They also cover structured control flow (2.11), layouts (2.16.2
//! and Vulkan's appendix "Vulkan Environment for SPIR-V"), the memory model, and capabilities. The rules of
//! SPV_AMDX_shader_enqueue have their own table, [`amdx`].
//!
//! A rule is a row of [`RULES`] or of [`amdx::RULES`]. A finding has its row, the word of the instruction and the id in
//! question. The verifier accepts any loaded module, never panics, and takes near-linear time.

pub mod amdx;
mod atomics;
mod builtins;
mod capabilities;
mod capability_table;
mod constants;
mod decorations;
mod extended;
mod flow;
mod functions;
mod ids;
mod images;
mod interface;
mod layout;
mod matrices;
mod memory;
mod mesh;
mod names;
mod operand_table;
mod operands;
mod order;
mod rays;
pub mod rules;
mod sampling;
mod stages;
mod types;

use crate::grammar::{self, Operand};
use crate::lines::Lines;
use crate::module::{Def, Id, Inst, Module};
use crate::structure::Structure;
use crate::types::Type;
pub use capabilities::{Extensions, extensions_of};
pub use rules::{RULES, Rule};
use rustc_hash::FxHashMap;
use spirv::Op;

/// The severity of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// The module is invalid.
    Error,
    /// The module is valid, but does something undefined or useless.
    Warning,
}

impl Level {
    /// Returns `error` or `warning`.
    pub fn name(self) -> &'static str {
        match self {
            Level::Error => "error",
            Level::Warning => "warning",
        }
    }
}

/// One broken rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The rule's id, `core-dominance` or `AMDX-07`.
    pub rule: &'static str,
    /// Section of the specification, or the Vulkan valid-usage id.
    pub spec_ref: &'static str,
    pub level: Level,
    pub message: String,
    /// A suggestion; empty if the message contains it.
    pub help: String,
    /// The word of the module at which the instruction starts.
    pub word: usize,
    /// The id in question, or 0.
    pub id: Id,
    /// File, line and column of the source, if the module has them.
    pub line: Option<(String, u32, u32)>,
    /// The instruction with that line.
    line_word: u32,
}

impl Violation {
    /// Returns whether it makes the module invalid.
    pub fn is_error(&self) -> bool {
        self.level == Level::Error
    }
}

/// Returns the requirement of a rule; empty if there is no such rule.
pub fn summary(rule: &str) -> &'static str {
    let core = RULES.iter().find(|r| r.id == rule).map(|r| r.summary);
    core.or_else(|| amdx::RULES.iter().find(|r| r.id == rule).map(|r| r.summary)).unwrap_or("")
}

impl std::fmt::Display for Violation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "word {}: ", self.word)?;
        if let Some((file, line, column)) = &self.line {
            write!(f, "{file}:{line}:{column}: ")?;
        }
        write!(f, "{}", self.message)?;
        if !self.help.is_empty() {
            write!(f, " ({})", self.help)?;
        }
        write!(f, " [{}, {}]", self.rule, self.spec_ref)
    }
}

/// The most findings; later ones are dropped.
const MAX_FINDINGS: usize = 256;

/// The host's name for a node, if it differs from the entry point's (`VkPipelineShaderStageNodeCreateInfoAMDX`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeName {
    pub entry_point: String,
    pub name: String,
    /// `None` for the module's index, which specialisation constants may give (`VK_SHADER_INDEX_UNUSED_AMDX`).
    pub index: Option<u32>,
}

/// A module of a graph, with the host's names for its nodes.
#[derive(Clone, Copy, Debug)]
pub struct Part<'m> {
    pub module: &'m Module,
    pub names: &'m [NodeName],
}

/// Shows whether the given modules are the whole graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// There may be other modules.
    Some,
    All,
}

/// Returns all findings in a fixed order, with the core rules first. The module is valid if there are no errors.
pub fn verify(module: &Module) -> Vec<Violation> {
    verify_set(&[Part { module, names: &[] }], Extent::Some).pop().unwrap_or_default()
}

/// Returns the findings for each module of a graph, including rules between nodes of different modules.
pub fn verify_set(parts: &[Part], extent: Extent) -> Vec<Vec<Violation>> {
    run(parts, extent, core)
}

/// Returns only the findings of SPV_AMDX_shader_enqueue.
pub fn verify_graph(parts: &[Part], extent: Extent) -> Vec<Vec<Violation>> {
    run(parts, extent, |_| {})
}

fn run(parts: &[Part], extent: Extent, mut check: impl FnMut(&mut Checker)) -> Vec<Vec<Violation>> {
    let insts: Vec<Vec<Inst>> = parts.iter().map(|part| instructions(part.module)).collect();
    let operands: Vec<Operands> =
        parts.iter().zip(&insts).map(|(part, insts)| Operands::of(part.module, insts)).collect();
    let mut checkers: Vec<Checker> = Vec::with_capacity(parts.len());
    for ((part, insts), operands) in parts.iter().zip(&insts).zip(&operands) {
        let outside = insts.iter().take_while(|i| i.op() != Some(Op::Function));
        let words_of = outside.filter(|i| i.result != 0).map(|i| (i.result, i.word)).collect();
        let mut c = Checker { m: part.module, insts, operands, words_of, found: Vec::new() };
        check(&mut c);
        checkers.push(c);
    }
    amdx::check(&mut checkers, parts, extent);
    let mut all: Vec<Vec<Violation>> = checkers.into_iter().map(|c| c.found).collect();
    for (part, found) in parts.iter().zip(&mut all).filter(|(_, found)| !found.is_empty()) {
        let lines = Lines::of(part.module);
        for violation in found {
            violation.line = lines.at(violation.line_word).map(|l| (l.file.to_string(), l.line, l.column));
        }
    }
    all
}

fn core(c: &mut Checker) {
    order::check(c);
    ids::check_declarations(c);
    ids::check_files(c);
    names::check(c);
    types::check(c);
    constants::check(c);
    memory::check_unsized(c);
    decorations::check(c);
    capabilities::check(c);
    functions::check(c);
    interface::check(c);
    builtins::check(c);
    mesh::check(c);
    extended::check_imports(c);
    layout::check(c);
    for function in &c.m.functions {
        if function.blocks.is_empty() {
            continue;
        }
        let structure = match Structure::of(function) {
            Ok(structure) => structure,
            Err(e) => {
                c.add(rules::BRANCH, e.word, function.id, e.message);
                continue;
            }
        };
        ids::check_function(c, function, &structure);
        flow::check(c, function, &structure);
        for block in &function.blocks {
            for inst in block.insts.iter().chain(&block.merge_inst).chain([&block.terminator_inst]) {
                instruction(c, function, inst);
            }
        }
    }
}

/// Checks the rules of one instruction of a block.
fn instruction(c: &mut Checker, function: &crate::module::Function, inst: &Inst) {
    let Some(op) = inst.op() else { return };
    let mut defined = true;
    c.for_each_used_id(inst, |id| defined &= c.m.def(id) != Def::None);
    // An undefined id has no type; one finding about it is enough.
    if !defined {
        return;
    }
    operands::check(c, op, inst);
    matrices::check(c, op, inst);
    memory::check(c, op, inst);
    atomics::check(c, op, inst);
    images::check(c, op, inst);
    rays::check(c, op, inst);
    mesh::check_instruction(c, op, inst);
    extended::check(c, op, inst);
    functions::check_instruction(c, function, op, inst);
}

/// Returns every instruction in the module's order, including lines and debug information.
fn instructions(module: &Module) -> Vec<Inst> {
    let mut insts = Vec::new();
    let mut at = 5usize;
    while let Some(&first) = module.words.get(at) {
        let (count, opcode) = ((first >> 16).max(1), first as u16);
        let end = at as u32 + count;
        let mut operands = at as u32 + 1..end;
        let word = |i: Option<u32>| i.and_then(|i| module.words.get(i as usize)).copied().unwrap_or(0);
        let pattern = grammar::pattern(opcode).unwrap_or("");
        let ty = if pattern.starts_with('T') { word(operands.next()) } else { 0 };
        let has_result = pattern.starts_with("TR") || pattern.starts_with('R');
        let result = if has_result { word(operands.next()) } else { 0 };
        insts.push(Inst { opcode, word: at as u32, ty, result, operands });
        at = end as usize;
    }
    insts
}

/// The operands of all instructions, decoded once because many rules need them.
struct Operands<'m> {
    all: Vec<Operand<'m>>,
    /// The index in `all` of an instruction's first operand, by the word at which the instruction starts. The operands
    /// end at the start of the next instruction's.
    starts: Vec<u32>,
}

impl<'m> Operands<'m> {
    fn of(module: &'m Module, insts: &[Inst]) -> Operands<'m> {
        let mut out = Operands { all: Vec::new(), starts: vec![0; module.words.len() + 1] };
        for inst in insts {
            module.for_each_operand(inst, |operand| out.all.push(operand));
            if let Some(end) = out.starts.get_mut(inst.operands.end as usize) {
                *end = out.all.len() as u32;
            }
        }
        out
    }

    fn of_inst(&self, inst: &Inst) -> &[Operand<'m>] {
        let start = |word: u32| self.starts.get(word as usize).map_or(0, |start| *start as usize);
        self.all.get(start(inst.word)..start(inst.operands.end)).unwrap_or(&[])
    }
}

struct Checker<'m> {
    m: &'m Module,
    insts: &'m [Inst],
    operands: &'m Operands<'m>,
    /// Definitions of ids outside functions.
    words_of: FxHashMap<Id, u32>,
    found: Vec<Violation>,
}

impl<'m> Checker<'m> {
    fn add(&mut self, rule: &'static Rule, word: usize, id: Id, message: impl Into<String>) {
        if self.found.len() < MAX_FINDINGS {
            self.found.push(Violation {
                rule: rule.id,
                spec_ref: rule.spec,
                level: Level::Error,
                message: message.into(),
                help: String::new(),
                word,
                id,
                line: None,
                line_word: word as u32,
            });
        }
    }

    /// Adds a finding about an instruction, with its name before the message.
    fn at(&mut self, rule: &'static Rule, inst: &Inst, message: impl std::fmt::Display) {
        let id = inst.result;
        let text = match id {
            0 => format!("{}: {message}", inst.name()),
            _ => format!("{} {}: {message}", inst.name(), self.m.describe(id)),
        };
        self.add(rule, inst.word as usize, id, text);
    }

    /// Returns the operands of an instruction; none for instructions that the grammar lacks.
    fn decoded(&self, inst: &Inst) -> &'m [Operand<'m>] {
        self.operands.of_inst(inst)
    }

    /// Visits ids like [`Module::for_each_used_id`].
    fn for_each_used_id(&self, inst: &Inst, mut visit: impl FnMut(Id)) {
        if inst.ty != 0 {
            visit(inst.ty);
        }
        self.decoded(inst).iter().filter_map(Operand::id).for_each(visit);
    }

    fn operand(&self, inst: &Inst, index: usize) -> u32 {
        self.m.operands(inst).get(index).copied().unwrap_or(0)
    }

    /// Returns the type of a value operand; `None` if the operand is not a value.
    fn value_type(&self, inst: &Inst, index: usize) -> Option<&'m Type> {
        self.m.ty(self.m.type_of(self.operand(inst, index)))
    }

    /// Returns storage class and pointee of a pointer operand.
    fn pointer(&self, id: Id) -> Option<(spirv::StorageClass, Id)> {
        match self.m.ty(self.m.type_of(id)) {
            Some(Type::Pointer { class, pointee }) => Some((*class, *pointee)),
            _ => None,
        }
    }

    /// Returns component type and count of a scalar (1) or vector.
    fn shape(&self, ty: Id) -> Option<(&'m Type, u32)> {
        match self.m.ty(ty)? {
            Type::Vector { component, count } => Some((self.m.ty(*component)?, *count)),
            scalar if scalar.is_scalar() => Some((scalar, 1)),
            _ => None,
        }
    }

    fn vulkan_memory_model(&self) -> bool {
        self.m.memory_model.as_ref().is_some_and(|m| m.1 == spirv::MemoryModel::Vulkan as u32)
    }

    fn is_kernel(&self) -> bool {
        self.m.has_capability(spirv::Capability::Kernel)
    }

    /// Returns the name of a type for messages.
    fn type_name(&self, id: Id) -> String {
        match self.m.ty(id) {
            Some(Type::Void) => "void".into(),
            Some(Type::Bool) => "bool".into(),
            Some(Type::Int { width, signed }) => format!("{}{width}", if *signed { "int" } else { "uint" }),
            Some(Type::Float { width }) => format!("float{width}"),
            Some(Type::Vector { component, count }) => match self.m.ty(*component) {
                Some(Type::Vector { .. }) | None => self.m.describe(id),
                _ => format!("{}x{count}", self.type_name(*component)),
            },
            _ => self.m.describe(id),
        }
    }
}

/// Returns whether an instruction is a line. Lines may appear almost anywhere and have no meaning.
fn is_line(op: Option<Op>) -> bool {
    matches!(op, Some(Op::Line | Op::NoLine))
}
