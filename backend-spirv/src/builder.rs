//! A SPIR-V module under construction: ids, sections, and interned instructions.
//!
//! It uses rspirv's data representation, but not its `dr::Builder`, which
//! - merges structures and payload arrays of equal content by a linear scan, although decorations make them differ;
//! - expects OpConstantStringAMDX inside a block and writes the ids of OpExecutionModeId as literals.
//!
//! `dr::Instruction::new` finds its grammar entry by a linear scan, so the entries are cached by opcode here.
//!
//! This file does not depend on the IR.

mod debug;

use crate::EmitError;
use crate::environment::{self, Environment};
use rspirv::dr::{self, Operand};
use rspirv::grammar;
use rspirv::spirv::{
    AddressingModel, BuiltIn, Capability, Decoration, ExecutionMode, ExecutionModel, FunctionControl, MemoryModel, Op,
    SourceLanguage, StorageClass, Word,
};
use rustc_hash::{FxHashMap, FxHashSet};
use std::borrow::Cow;
use std::collections::BTreeSet;

/// Returns an id as an operand.
pub(crate) fn id(word: Word) -> Operand {
    Operand::IdRef(word)
}

/// Returns a literal number as an operand.
pub(crate) fn lit(word: u32) -> Operand {
    Operand::LiteralBit32(word)
}

/// Returns ids as operands.
pub(crate) fn ids(words: &[Word]) -> Vec<Operand> {
    words.iter().map(|&w| id(w)).collect()
}

type Class = &'static grammar::Instruction<'static>;

/// The identity of an interned type or constant: opcode, result type, operands.
type Key = (Op, Option<Word>, Vec<Operand>);

pub(crate) struct Builder {
    module: dr::Module,
    next_id: Word,
    classes: FxHashMap<Op, Class>,
    capabilities: BTreeSet<Capability>,
    /// Capabilities for the program's own instructions: one of each list is required.
    alternatives: Vec<&'static [Capability]>,
    extensions: BTreeSet<Cow<'static, str>>,
    interned: FxHashMap<Key, Word>,
    shared: FxHashSet<Word>,
    constants: FxHashSet<Word>,
    /// Imported sets of extended instructions, by name.
    sets: FxHashMap<String, Word>,
    /// Debug instructions that follow all types, constants and global variables.
    declarations: Vec<dr::Instruction>,
    names: bool,
    /// The source location of the next instructions.
    line: Option<Line>,
    function: Option<FunctionInProgress>,
}

struct FunctionInProgress {
    function: dr::Function,
    /// OpVariable instructions of the first block. Any part of the function may add one.
    variables: Vec<dr::Instruction>,
    block: Option<dr::Block>,
    /// The location of the last OpLine or DebugLine in the open block.
    line: Option<Line>,
    /// The instructions after the variables of the first block, and the scope and inlining at their end.
    start: Vec<dr::Instruction>,
    start_scope: Option<(Word, Option<Word>)>,
}

/// The place of an OpPhi in its function: the numbers of its block and in it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PhiPlace {
    block: usize,
    instruction: usize,
}

/// Shows whether a result has a type. Results of types and labels have none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct HasType(pub bool);

/// The source location of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Line {
    /// The operands of OpLine.
    Plain {
        file: Word,
        line: u32,
        column: u32,
    },
    Scoped(Scoped),
}

/// The operands of DebugScope and DebugLine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Scoped {
    /// The type of debug instructions.
    pub void: Word,
    pub scope: Word,
    pub inlined: Option<Word>,
    /// Source, line and column.
    pub at: Option<[Word; 3]>,
}

impl Builder {
    /// Creates an empty module; `names` keeps OpName and OpMemberName.
    pub fn new(names: bool) -> Self {
        Builder {
            module: dr::Module::new(),
            next_id: 1,
            classes: FxHashMap::default(),
            capabilities: BTreeSet::new(),
            alternatives: Vec::new(),
            extensions: BTreeSet::new(),
            interned: FxHashMap::default(),
            shared: FxHashSet::default(),
            constants: FxHashSet::default(),
            sets: FxHashMap::default(),
            declarations: Vec::new(),
            names,
            line: None,
            function: None,
        }
    }

    /// Returns an unused id.
    pub fn id(&mut self) -> Word {
        let fresh = self.next_id;
        self.next_id += 1;
        fresh
    }

    /// Returns the next unused id; all larger ids are unused too.
    pub fn bound(&self) -> Word {
        self.next_id
    }

    /// Checks that `more` ids fit.
    ///
    /// # Errors
    /// They do not fit.
    pub fn room(&self, more: usize) -> Result<(), EmitError> {
        if (self.next_id as usize).saturating_add(more) <= MAX_IDS {
            return Ok(());
        }
        Err(EmitError::new(format!("the module has more than {MAX_IDS} IDs")))
    }

    /// Returns the grammar's entry.
    fn class(&mut self, op: Op) -> Class {
        self.classes.entry(op).or_insert_with(|| dr::Instruction::new(op, None, None, Vec::new()).class)
    }

    fn instruction(
        &mut self,
        op: Op,
        ty: Option<Word>,
        result: Option<Word>,
        operands: Vec<Operand>,
    ) -> dr::Instruction {
        dr::Instruction { class: self.class(op), result_type: ty, result_id: result, operands }
    }

    // ---- preamble

    pub fn capability(&mut self, capability: Capability) {
        self.capabilities.insert(capability);
    }

    pub fn extension(&mut self, name: impl Into<Cow<'static, str>>) {
        self.extensions.insert(name.into());
    }

    /// Returns the import of a set of extended instructions, which is created at the first use.
    pub fn import(&mut self, name: &str) -> Word {
        if let Some(&set) = self.sets.get(name) {
            return set;
        }
        let set = self.id();
        let import = self.instruction(Op::ExtInstImport, None, Some(set), vec![string_operand(name)]);
        self.module.ext_inst_imports.push(import);
        self.sets.insert(name.to_owned(), set);
        set
    }

    /// Returns the result that the grammar gives an instruction.
    pub fn result(&mut self, op: Op) -> Option<HasType> {
        let operands = self.class(op).operands;
        let has = |kind| operands.iter().any(|operand| operand.kind == kind);
        has(grammar::OperandKind::IdResult).then(|| HasType(has(grammar::OperandKind::IdResultType)))
    }

    /// Returns the kinds of an instruction's mandatory operands after the result.
    pub fn operand_kinds(&mut self, op: Op) -> Vec<grammar::OperandKind> {
        use grammar::{OperandKind as Kind, OperandQuantifier as Quantifier};
        let operands = self.class(op).operands.iter();
        let operands = operands.skip_while(|o| matches!(o.kind, Kind::IdResultType | Kind::IdResult));
        operands.take_while(|o| o.quantifier == Quantifier::One).map(|o| o.kind).collect()
    }

    /// Declares the capability that the grammar requires for an instruction, unless another declared one enables it.
    pub fn capability_for(&mut self, op: Op) {
        let capabilities = self.class(op).capabilities;
        self.alternatives.push(capabilities);
    }

    pub fn memory_model(&mut self, addressing: AddressingModel, memory: MemoryModel) {
        let operands = vec![Operand::AddressingModel(addressing), Operand::MemoryModel(memory)];
        self.module.memory_model = Some(self.instruction(Op::MemoryModel, None, None, operands));
    }

    pub fn entry_point(&mut self, model: ExecutionModel, function: Word, name: &str, interface: &[Word]) {
        let mut operands = vec![Operand::ExecutionModel(model), id(function), string_operand(name)];
        operands.extend(ids(interface));
        let entry = self.instruction(Op::EntryPoint, None, None, operands);
        self.module.entry_points.push(entry);
    }

    pub fn execution_mode(&mut self, function: Word, mode: ExecutionMode, literals: &[u32]) {
        let mut operands = vec![id(function), Operand::ExecutionMode(mode)];
        operands.extend(literals.iter().map(|&n| lit(n)));
        let mode = self.instruction(Op::ExecutionMode, None, None, operands);
        self.module.execution_modes.push(mode);
    }

    /// Adds an execution mode with ids as operands.
    pub fn execution_mode_id(&mut self, function: Word, mode: ExecutionMode, operand_ids: &[Word]) {
        let mut operands = vec![id(function), Operand::ExecutionMode(mode)];
        operands.extend(ids(operand_ids));
        let mode = self.instruction(Op::ExecutionModeId, None, None, operands);
        self.module.execution_modes.push(mode);
    }

    // ---- source

    /// Adds OpString for a debugger.
    pub fn debug_name(&mut self, text: &str) -> Word {
        self.debug_string(short_name(text))
    }

    /// Adds OpString, for example for file names.
    pub fn debug_string(&mut self, text: &str) -> Word {
        let result = self.id();
        let operands = vec![string_operand(text)];
        let string = self.instruction(Op::String, None, Some(result), operands);
        self.module.debug_string_source.push(string);
        result
    }

    /// Adds OpSource of HLSL, continued if the text exceeds the size of an instruction.
    pub fn source(&mut self, version: u32, file: Option<Word>, text: Option<&str>) {
        let mut operands = vec![Operand::SourceLanguage(SourceLanguage::HLSL), lit(version)];
        operands.extend(file.map(id));
        let text = text.filter(|_| file.is_some()).map(source_text);
        let mut pieces = text.as_deref().map(pieces).unwrap_or_default().into_iter();
        operands.extend(pieces.next().map(string_operand));
        let source = self.instruction(Op::Source, None, None, operands);
        self.module.debug_string_source.push(source);
        for piece in pieces {
            let operands = vec![string_operand(piece)];
            let more = self.instruction(Op::SourceContinued, None, None, operands);
            self.module.debug_string_source.push(more);
        }
    }

    /// Adds OpModuleProcessed.
    pub fn processed(&mut self, what: &str) {
        let note = self.instruction(Op::ModuleProcessed, None, None, vec![string_operand(what)]);
        self.module.debug_module_processed.push(note);
    }

    /// Sets the source location of the next instructions.
    pub fn set_line(&mut self, line: Option<Line>) {
        self.line = line;
    }

    // ---- names and decorations

    pub fn name(&mut self, target: Word, name: &str) {
        if self.names && !name.is_empty() {
            let operands = vec![id(target), string_operand(short_name(name))];
            let name = self.instruction(Op::Name, None, None, operands);
            self.module.debug_names.push(name);
        }
    }

    pub fn member_name(&mut self, target: Word, member: u32, name: &str) {
        if self.names && !name.is_empty() {
            let operands = vec![id(target), lit(member), string_operand(short_name(name))];
            let name = self.instruction(Op::MemberName, None, None, operands);
            self.module.debug_names.push(name);
        }
    }

    pub fn decorate(&mut self, target: Word, decoration: Decoration, literals: &[u32]) {
        let mut operands = vec![id(target), Operand::Decoration(decoration)];
        operands.extend(literals.iter().map(|&n| lit(n)));
        self.annotate(Op::Decorate, operands);
    }

    pub fn decorate_builtin(&mut self, target: Word, builtin: BuiltIn) {
        let operands = vec![id(target), Operand::Decoration(Decoration::BuiltIn), Operand::BuiltIn(builtin)];
        self.annotate(Op::Decorate, operands);
    }

    /// Adds a decoration with an id as operand.
    pub fn decorate_id(&mut self, target: Word, decoration: Decoration, operand: Word) {
        self.annotate(Op::DecorateId, vec![id(target), Operand::Decoration(decoration), id(operand)]);
    }

    pub fn member_decorate(&mut self, target: Word, member: u32, decoration: Decoration, literals: &[u32]) {
        let mut operands = vec![id(target), lit(member), Operand::Decoration(decoration)];
        operands.extend(literals.iter().map(|&n| lit(n)));
        self.annotate(Op::MemberDecorate, operands);
    }

    fn annotate(&mut self, op: Op, operands: Vec<Operand>) {
        let annotation = self.instruction(op, None, None, operands);
        self.module.annotations.push(annotation);
    }

    // ---- types, constants, global variables

    /// Returns the only instruction with this content among types and constants.
    pub fn intern(&mut self, op: Op, ty: Option<Word>, operands: Vec<Operand>) -> Word {
        let count = operands.len();
        self.interned_as((op, ty, operands), count)
    }

    /// Returns a type like [`intern`](Self::intern), but another one for each name.
    pub fn intern_named(&mut self, op: Op, operands: Vec<Operand>, name: &str) -> Word {
        let count = operands.len();
        let named = operands.into_iter().chain([Operand::LiteralString(name.to_owned())]);
        self.interned_as((op, None, named.collect()), count)
    }

    /// `count`: the operands of the instruction, which may be fewer than those of the key.
    fn interned_as(&mut self, key: (Op, Option<Word>, Vec<Operand>), count: usize) -> Word {
        if let Some(&known) = self.interned.get(&key) {
            return known;
        }
        let result = self.unique(key.0, key.1, key.2[..count].to_vec());
        self.interned.insert(key, result);
        self.shared.insert(result);
        result
    }

    /// Adds a new instruction to types, constants and global variables. Anything that is decorated needs this.
    pub fn unique(&mut self, op: Op, ty: Option<Word>, operands: Vec<Operand>) -> Word {
        let result = self.id();
        let instruction = self.instruction(op, ty, Some(result), operands);
        self.module.types_global_values.push(instruction);
        result
    }

    /// Returns an interned constant, which may be part of a constant composite.
    pub fn constant(&mut self, op: Op, ty: Word, operands: Vec<Operand>) -> Word {
        let result = self.intern(op, Some(ty), operands);
        self.constants.insert(result);
        result
    }

    /// Returns whether the id is a type or value that is shared by the whole module.
    pub fn is_interned(&self, value: Word) -> bool {
        self.shared.contains(&value)
    }

    pub fn is_constant(&self, value: Word) -> bool {
        self.constants.contains(&value)
    }

    pub fn string(&mut self, text: &str) -> Word {
        self.intern(Op::ConstantStringAMDX, None, vec![string_operand(text)])
    }

    pub fn pointer_type(&mut self, class: StorageClass, pointee: Word) -> Word {
        self.intern(Op::TypePointer, None, vec![Operand::StorageClass(class), id(pointee)])
    }

    /// Adds a global variable.
    pub fn variable(&mut self, class: StorageClass, pointee: Word, init: Option<Word>) -> Word {
        let ty = self.pointer_type(class, pointee);
        let mut operands = vec![Operand::StorageClass(class)];
        operands.extend(init.map(id));
        self.unique(Op::Variable, Some(ty), operands)
    }

    // ---- functions

    /// Begins a function. `noinline`: drivers should not inline it.
    pub fn begin_function(&mut self, function: Word, ret: Word, ty: Word, noinline: bool) {
        let control = if noinline { FunctionControl::DONT_INLINE } else { FunctionControl::NONE };
        let operands = vec![Operand::FunctionControl(control), id(ty)];
        let def = self.instruction(Op::Function, Some(ret), Some(function), operands);
        let function = dr::Function { def: Some(def), ..dr::Function::new() };
        self.function = Some(FunctionInProgress {
            function,
            variables: Vec::new(),
            block: None,
            line: None,
            start: Vec::new(),
            start_scope: None,
        });
    }

    pub fn parameter(&mut self, ty: Word) -> Word {
        let result = self.id();
        let parameter = self.instruction(Op::FunctionParameter, Some(ty), Some(result), Vec::new());
        if let Some(f) = &mut self.function {
            f.function.parameters.push(parameter);
        }
        result
    }

    /// Adds a variable of the function, from anywhere in it.
    pub fn local(&mut self, pointee: Word) -> Word {
        let ty = self.pointer_type(StorageClass::Function, pointee);
        let result = self.id();
        let operands = vec![Operand::StorageClass(StorageClass::Function)];
        let variable = self.instruction(Op::Variable, Some(ty), Some(result), operands);
        if let Some(f) = &mut self.function {
            f.variables.push(variable);
        }
        result
    }

    /// Opens the block with this label; the previous block must be terminated.
    pub fn begin_block(&mut self, label: Word) {
        let label = self.instruction(Op::Label, None, Some(label), Vec::new());
        if let Some(f) = &mut self.function {
            debug_assert!(f.block.is_none(), "a block is still open");
            f.block = Some(dr::Block { label: Some(label), instructions: Vec::new() });
            f.line = None;
        }
    }

    /// Adds an OpPhi to the start of the open block, with pairs of a value and the label that it comes from.
    pub fn phi(&mut self, ty: Word, pairs: &[(Word, Word)]) -> Word {
        let result = self.id();
        let operands = pairs.iter().flat_map(|&(value, label)| [id(value), id(label)]).collect();
        let phi = self.instruction(Op::Phi, Some(ty), Some(result), operands);
        // It precedes the block's first OpLine.
        self.append(phi);
        result
    }

    /// Adds a pair to the OpPhi at this place of an earlier block.
    pub fn complete_phi(&mut self, place: PhiPlace, (value, label): (Word, Word)) {
        let block = self.function.as_mut().and_then(|f| f.function.blocks.get_mut(place.block));
        if let Some(phi) = block.and_then(|block| block.instructions.get_mut(place.instruction)) {
            phi.operands.extend([id(value), id(label)]);
        }
    }

    /// Returns the place of the next instruction of the open block.
    pub fn next_place(&self) -> PhiPlace {
        let f = self.function.as_ref();
        PhiPlace {
            block: f.map_or(0, |f| f.function.blocks.len()),
            instruction: f.and_then(|f| f.block.as_ref()).map_or(0, |block| block.instructions.len()),
        }
    }

    /// Adds an instruction with a result to the open block.
    pub fn op(&mut self, op: Op, ty: Word, operands: Vec<Operand>) -> Word {
        let result = self.id();
        let instruction = self.instruction(op, Some(ty), Some(result), operands);
        self.push(instruction);
        result
    }

    /// Adds an instruction without a result to the open block.
    pub fn effect(&mut self, op: Op, operands: Vec<Operand>) {
        let instruction = self.instruction(op, None, None, operands);
        self.push(instruction);
    }

    /// Adds an instruction of GLSL.std.450.
    pub fn glsl_op(&mut self, op: rspirv::spirv::GlslStd450Op, ty: Word, args: &[Word]) -> Word {
        let mut operands = vec![id(self.import("GLSL.std.450")), Operand::LiteralExtInstInteger(op as u32)];
        operands.extend(ids(args));
        self.op(Op::ExtInst, ty, operands)
    }

    /// Ends the open block.
    pub fn terminate(&mut self, op: Op, operands: Vec<Operand>) {
        self.effect(op, operands);
        if let Some(f) = &mut self.function {
            f.function.blocks.extend(f.block.take());
        }
    }

    pub fn branch(&mut self, target: Word) {
        self.terminate(Op::Branch, vec![id(target)]);
    }

    fn push(&mut self, instruction: dr::Instruction) {
        self.push_line(instruction.class.opcode);
        self.append(instruction);
    }

    fn append(&mut self, instruction: dr::Instruction) {
        let block = self.function.as_mut().and_then(|f| f.block.as_mut());
        debug_assert!(block.is_some(), "no block is open for {}", instruction.class.opname);
        if let Some(block) = block {
            block.instructions.push(instruction);
        }
    }

    pub fn end_function(&mut self) {
        let end = self.instruction(Op::FunctionEnd, None, None, Vec::new());
        let start = self.start_of_function();
        if let Some(mut f) = self.function.take() {
            if let Some(first) = f.function.blocks.first_mut() {
                first.instructions.splice(0..0, f.variables.into_iter().chain(start));
            }
            f.function.end = Some(end);
            self.module.functions.push(f.function);
        }
    }

    /// Returns the finished module.
    ///
    /// # Errors
    /// An instruction exceeds SPIR-V's limit of 65535 words, or the environment lacks a capability.
    pub fn finish(mut self, environment: Environment, generator: u32) -> Result<dr::Module, EmitError> {
        let version = environment.version;
        let declarations = std::mem::take(&mut self.declarations);
        self.module.types_global_values.extend(declarations);
        if version < (1, 3) {
            self.extension("SPV_KHR_storage_buffer_storage_class");
        }
        if version < (1, 6) && self.sets.keys().any(|set| set.starts_with("NonSemantic.")) {
            self.extension("SPV_KHR_non_semantic_info");
        }
        for alternatives in std::mem::take(&mut self.alternatives) {
            // Every shader has Matrix.
            let has = |c: &Capability| *c == Capability::Matrix || self.capabilities.contains(c);
            if !alternatives.iter().any(has) {
                self.capabilities.extend(alternatives.first());
            }
        }
        let extensions = environment::extensions(version, &self.capabilities, &self.extensions);
        let extensions = extensions.map_err(|capability| {
            EmitError::new(format!(
                "wave operations ({capability:?}) need -fspv-target-env=vulkan1.1 or later, not {}",
                environment.name
            ))
        })?;
        self.extensions.extend(extensions.into_iter().map(Cow::Borrowed));
        for capability in std::mem::take(&mut self.capabilities) {
            let capability = self.instruction(Op::Capability, None, None, vec![Operand::Capability(capability)]);
            self.module.capabilities.push(capability);
        }
        for name in std::mem::take(&mut self.extensions) {
            let extension =
                self.instruction(Op::Extension, None, None, vec![Operand::LiteralString(name.into_owned())]);
            self.module.extensions.push(extension);
        }
        self.room(0)?;
        let mut header = dr::ModuleHeader::new(self.next_id);
        header.set_version(version.0, version.1);
        header.generator = generator;
        self.module.header = Some(header);
        if let Some(long) = self.module.all_inst_iter().find(|i| word_count(i) > 0xffff) {
            return Err(EmitError::new(format!(
                "Op{} exceeds the size limit of a SPIR-V instruction",
                long.class.opname
            )));
        }
        Ok(self.module)
    }
}

/// The most ids of a module. SPIR-V allows twice as many. Values with a different layout in memory are converted
/// element by element, which multiplies ids.
const MAX_IDS: usize = 1 << 21;

/// Returns a string as an operand. A string of SPIR-V ends at its first NUL.
fn string_operand(text: &str) -> Operand {
    Operand::LiteralString(text.split('\0').next().unwrap_or_default().to_owned())
}

/// Returns the text of a file as debuggers get it. A space replaces each NUL, so columns stay.
pub(crate) fn source_text(text: &str) -> Cow<'_, str> {
    if text.contains('\0') { text.replace('\0', " ").into() } else { text.into() }
}

/// Splits a text into pieces that fit into one instruction each, cut between characters.
pub(crate) fn pieces(text: &str) -> Vec<&str> {
    /// Bytes of text that fit into 65535 words next to the other operands.
    const MOST: usize = 4 * 65_000;
    let (mut pieces, mut rest) = (Vec::new(), text);
    while rest.len() > MOST {
        let cut = (0..=MOST).rev().find(|&at| rest.is_char_boundary(at)).unwrap_or(0);
        let (piece, after) = rest.split_at(cut);
        pieces.push(piece);
        rest = after;
    }
    pieces.push(rest);
    pieces
}

/// Cuts a name to the size of an instruction. Names of template instances have those of all arguments.
fn short_name(name: &str) -> &str {
    pieces(name)[0]
}

/// Returns the number of words of an instruction.
fn word_count(instruction: &dr::Instruction) -> usize {
    let operands = instruction.operands.iter().map(|operand| match operand {
        Operand::LiteralString(text) => text.len() / 4 + 1,
        Operand::LiteralBit64(_) => 2,
        _ => 1,
    });
    1 + usize::from(instruction.result_type.is_some())
        + usize::from(instruction.result_id.is_some())
        + operands.sum::<usize>()
}
