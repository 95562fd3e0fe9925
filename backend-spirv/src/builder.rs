//! A SPIR-V module under construction: ids, sections, and instructions that exist once.
//!
//! The only place that knows rspirv's quirks. It uses rspirv's data representation, assembler and disassembler, not
//! its `dr::Builder`, because that one
//! - merges structures and payload arrays of equal content by a linear scan, although decorations make them differ;
//! - wants OpConstantStringAMDX inside a block and writes the ids of OpExecutionModeId as literals.
//!
//! And because `dr::Instruction::new` finds its grammar entry by a linear scan, the entries are cached by opcode here.
//!
//! Nothing here knows the IR.

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

/// An id as an operand.
pub(crate) fn id(word: Word) -> Operand {
    Operand::IdRef(word)
}

/// A literal number as an operand.
pub(crate) fn lit(word: u32) -> Operand {
    Operand::LiteralBit32(word)
}

/// Ids as operands.
pub(crate) fn ids(words: &[Word]) -> Vec<Operand> {
    words.iter().map(|&w| id(w)).collect()
}

type Class = &'static grammar::Instruction<'static>;

/// What makes a type or constant the same as another: opcode, result type, operands.
type Key = (Op, Option<Word>, Vec<Operand>);

pub(crate) struct Builder {
    module: dr::Module,
    next_id: Word,
    classes: FxHashMap<Op, Class>,
    capabilities: BTreeSet<Capability>,
    /// For instructions of the program's own, capabilities of which each list needs one.
    alternatives: Vec<&'static [Capability]>,
    extensions: BTreeSet<Cow<'static, str>>,
    interned: FxHashMap<Key, Word>,
    shared: FxHashSet<Word>,
    constants: FxHashSet<Word>,
    /// Imported sets of extended instructions, by name.
    sets: FxHashMap<String, Word>,
    /// Debug instructions that stand behind all types, constants and global variables.
    declarations: Vec<dr::Instruction>,
    names: bool,
    /// Where instructions to come were written.
    line: Option<Line>,
    function: Option<FunctionInProgress>,
}

struct FunctionInProgress {
    function: dr::Function,
    /// OpVariable of the first block, which may be found necessary anywhere in the function.
    variables: Vec<dr::Instruction>,
    block: Option<dr::Block>,
    /// What the last OpLine or DebugLine of the open block said.
    line: Option<Line>,
    /// What stands behind the variables of the first block, and the scope and inlining that it ends in.
    start: Vec<dr::Instruction>,
    start_scope: Option<(Word, Option<Word>)>,
}

/// Whether a result has a type: those of types and labels have not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct HasType(pub bool);

/// Where an instruction was written.
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
    /// The type that debug instructions have.
    pub void: Word,
    pub scope: Word,
    pub inlined: Option<Word>,
    /// Source, line and column.
    pub at: Option<[Word; 3]>,
}

impl Builder {
    /// `names`: whether OpName and OpMemberName are kept.
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

    /// A fresh id.
    pub fn id(&mut self) -> Word {
        let fresh = self.next_id;
        self.next_id += 1;
        fresh
    }

    /// Ids from here on are not given out yet.
    pub fn bound(&self) -> Word {
        self.next_id
    }

    /// Whether so many more ids fit.
    ///
    /// # Errors
    /// They do not.
    pub fn room(&self, more: usize) -> Result<(), EmitError> {
        if (self.next_id as usize).saturating_add(more) <= MAX_IDS {
            return Ok(());
        }
        Err(EmitError::new(format!("its module has more than {MAX_IDS} ids")))
    }

    /// The grammar's entry.
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

    /// The import of a set of extended instructions, made at the first use.
    pub fn import(&mut self, name: &str) -> Word {
        if let Some(&set) = self.sets.get(name) {
            return set;
        }
        let set = self.id();
        let import =
            self.instruction(Op::ExtInstImport, None, Some(set), vec![Operand::LiteralString(name.to_owned())]);
        self.module.ext_inst_imports.push(import);
        self.sets.insert(name.to_owned(), set);
        set
    }

    /// The result that the grammar gives an instruction.
    pub fn result(&mut self, op: Op) -> Option<HasType> {
        let operands = self.class(op).operands;
        let has = |kind| operands.iter().any(|operand| operand.kind == kind);
        has(grammar::OperandKind::IdResult).then(|| HasType(has(grammar::OperandKind::IdResultType)))
    }

    /// The kinds of the operands that an instruction always has, behind the result.
    pub fn operand_kinds(&mut self, op: Op) -> Vec<grammar::OperandKind> {
        use grammar::{OperandKind as Kind, OperandQuantifier as Quantifier};
        let operands = self.class(op).operands.iter();
        let operands = operands.skip_while(|o| matches!(o.kind, Kind::IdResultType | Kind::IdResult));
        operands.take_while(|o| o.quantifier == Quantifier::One).map(|o| o.kind).collect()
    }

    /// Declares what the grammar asks for an instruction, unless something else that enables it is declared.
    pub fn capability_for(&mut self, op: Op) {
        let capabilities = self.class(op).capabilities;
        self.alternatives.push(capabilities);
    }

    pub fn memory_model(&mut self, addressing: AddressingModel, memory: MemoryModel) {
        let operands = vec![Operand::AddressingModel(addressing), Operand::MemoryModel(memory)];
        self.module.memory_model = Some(self.instruction(Op::MemoryModel, None, None, operands));
    }

    pub fn entry_point(&mut self, model: ExecutionModel, function: Word, name: &str, interface: &[Word]) {
        let mut operands = vec![Operand::ExecutionModel(model), id(function), Operand::LiteralString(name.to_owned())];
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

    /// A mode whose operands are ids.
    pub fn execution_mode_id(&mut self, function: Word, mode: ExecutionMode, operand_ids: &[Word]) {
        let mut operands = vec![id(function), Operand::ExecutionMode(mode)];
        operands.extend(ids(operand_ids));
        let mode = self.instruction(Op::ExecutionModeId, None, None, operands);
        self.module.execution_modes.push(mode);
    }

    // ---- source

    /// OpString, for file names and the like.
    pub fn debug_string(&mut self, text: &str) -> Word {
        let result = self.id();
        let operands = vec![Operand::LiteralString(text.to_owned())];
        let string = self.instruction(Op::String, None, Some(result), operands);
        self.module.debug_string_source.push(string);
        result
    }

    /// OpSource of HLSL, continued where the text is longer than an instruction may be.
    pub fn source(&mut self, version: u32, file: Option<Word>, text: Option<&str>) {
        let mut operands = vec![Operand::SourceLanguage(SourceLanguage::HLSL), lit(version)];
        operands.extend(file.map(id));
        let mut pieces = text.filter(|_| file.is_some()).map(pieces).unwrap_or_default().into_iter();
        operands.extend(pieces.next().map(|piece| Operand::LiteralString(piece.to_owned())));
        let source = self.instruction(Op::Source, None, None, operands);
        self.module.debug_string_source.push(source);
        for piece in pieces {
            let operands = vec![Operand::LiteralString(piece.to_owned())];
            let more = self.instruction(Op::SourceContinued, None, None, operands);
            self.module.debug_string_source.push(more);
        }
    }

    /// OpModuleProcessed.
    pub fn processed(&mut self, what: &str) {
        let note = self.instruction(Op::ModuleProcessed, None, None, vec![Operand::LiteralString(what.to_owned())]);
        self.module.debug_module_processed.push(note);
    }

    /// Where instructions from here on were written.
    pub fn set_line(&mut self, line: Option<Line>) {
        self.line = line;
    }

    // ---- names and decorations

    pub fn name(&mut self, target: Word, name: &str) {
        if self.names && !name.is_empty() {
            let operands = vec![id(target), Operand::LiteralString(name.to_owned())];
            let name = self.instruction(Op::Name, None, None, operands);
            self.module.debug_names.push(name);
        }
    }

    pub fn member_name(&mut self, target: Word, member: u32, name: &str) {
        if self.names && !name.is_empty() {
            let operands = vec![id(target), lit(member), Operand::LiteralString(name.to_owned())];
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

    /// A decoration whose operand is an id.
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

    /// The one instruction of this content among types and constants.
    pub fn intern(&mut self, op: Op, ty: Option<Word>, operands: Vec<Operand>) -> Word {
        let key = (op, ty, operands);
        if let Some(&known) = self.interned.get(&key) {
            return known;
        }
        let (_, _, operands) = &key;
        let result = self.unique(op, ty, operands.clone());
        self.interned.insert(key, result);
        self.shared.insert(result);
        result
    }

    /// A fresh instruction among types, constants and global variables: for whatever is decorated.
    pub fn unique(&mut self, op: Op, ty: Option<Word>, operands: Vec<Operand>) -> Word {
        let result = self.id();
        let instruction = self.instruction(op, ty, Some(result), operands);
        self.module.types_global_values.push(instruction);
        result
    }

    /// An interned constant, which may be part of a constant composite.
    pub fn constant(&mut self, op: Op, ty: Word, operands: Vec<Operand>) -> Word {
        let result = self.intern(op, Some(ty), operands);
        self.constants.insert(result);
        result
    }

    /// Whether the id is a type or value that all of the module shares.
    pub fn is_interned(&self, value: Word) -> bool {
        self.shared.contains(&value)
    }

    pub fn is_constant(&self, value: Word) -> bool {
        self.constants.contains(&value)
    }

    pub fn string(&mut self, text: &str) -> Word {
        self.intern(Op::ConstantStringAMDX, None, vec![Operand::LiteralString(text.to_owned())])
    }

    pub fn pointer_type(&mut self, class: StorageClass, pointee: Word) -> Word {
        self.intern(Op::TypePointer, None, vec![Operand::StorageClass(class), id(pointee)])
    }

    /// A global variable.
    pub fn variable(&mut self, class: StorageClass, pointee: Word, init: Option<Word>) -> Word {
        let ty = self.pointer_type(class, pointee);
        let mut operands = vec![Operand::StorageClass(class)];
        operands.extend(init.map(id));
        self.unique(Op::Variable, Some(ty), operands)
    }

    // ---- functions

    pub fn begin_function(&mut self, function: Word, ret: Word, ty: Word) {
        let operands = vec![Operand::FunctionControl(FunctionControl::NONE), id(ty)];
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

    /// A variable of the function, wherever in it the need shows.
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

    /// Opens the block of this label; the one before must have been terminated.
    pub fn begin_block(&mut self, label: Word) {
        let label = self.instruction(Op::Label, None, Some(label), Vec::new());
        if let Some(f) = &mut self.function {
            debug_assert!(f.block.is_none(), "a block is still open");
            f.block = Some(dr::Block { label: Some(label), instructions: Vec::new() });
            f.line = None;
        }
    }

    /// An instruction with a result in the open block.
    pub fn op(&mut self, op: Op, ty: Word, operands: Vec<Operand>) -> Word {
        let result = self.id();
        let instruction = self.instruction(op, Some(ty), Some(result), operands);
        self.push(instruction);
        result
    }

    /// An instruction without a result in the open block.
    pub fn effect(&mut self, op: Op, operands: Vec<Operand>) {
        let instruction = self.instruction(op, None, None, operands);
        self.push(instruction);
    }

    /// An instruction of GLSL.std.450.
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

    /// The finished module.
    ///
    /// # Errors
    /// When an instruction is longer than the 65535 words that SPIR-V can count, and when the environment lacks what
    /// was used.
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
            // Every shader has matrices.
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
            return Err(EmitError::new(format!("Op{} needs more words than SPIR-V allows", long.class.opname)));
        }
        Ok(self.module)
    }
}

/// Ids of a module. SPIR-V allows twice as many; values of other forms in memory than elsewhere, converted element by
/// element, multiply them.
const MAX_IDS: usize = 1 << 21;

/// A text in pieces that fit into one instruction each, cut between characters.
pub(crate) fn pieces(text: &str) -> Vec<&str> {
    /// Bytes that are left of 65535 words beside every other operand of the instructions that hold text.
    const MOST: usize = 4 * 65_000;
    let (mut pieces, mut rest) = (Vec::new(), text);
    while rest.len() > MOST {
        let cut = (0..=MOST).rev().find(|&at| rest.is_char_boundary(at)).unwrap_or(0);
        let (piece, behind) = rest.split_at(cut);
        pieces.push(piece);
        rest = behind;
    }
    pieces.push(rest);
    pieces
}

/// Words of an instruction.
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
