//! The loader: words to [`Module`]. It rejects unreadable input: truncation, ids out of bounds or defined twice,
//! instructions outside blocks, unterminated blocks. The verifier checks validity.

use crate::constant::{Constant, Value};
use crate::error::{LoadError, Result};
use crate::fold;
use crate::grammar::{self, string_text, string_words};
use crate::module::*;
use crate::types::{ImageType, Type};
use crate::words::normalise;
use indexmap::IndexMap;
use rustc_hash::{FxHashMap, FxHashSet};
use spirv::Op;

/// The largest bound that the universal limits allow; larger ones are rejected before any allocation.
const MAX_BOUND: u32 = 0x40_0000;

/// The decorations that groups may add to a module: a short list of targets multiplies those of its group.
const MAX_GROUP_DECORATIONS: usize = 65_536;

/// Values of specialisation constants by SpecId: the bits, zero-extended.
pub type Specialisation = FxHashMap<u32, u64>;

impl Module {
    /// Reads a module with the default values of its specialisation constants. Accepts either byte order.
    pub fn load(words: &[u32]) -> Result<Module> {
        Self::load_specialised(words, &Specialisation::default())
    }

    /// Reads a module like [`Module::load`], with values for specialisation constants. Ignores SpecIds that the module
    /// lacks.
    pub fn load_specialised(words: &[u32], values: &Specialisation) -> Result<Module> {
        let mut words = words.to_vec();
        normalise(&mut words);
        let mut loader =
            Loader { module: header(words)?, values, function: None, block: None, ahead: FxHashSet::default() };
        let mut at = 5;
        while at < loader.module.words.len() {
            at = loader.instruction(at)?;
        }
        if loader.function.is_some() {
            return Err(LoadError::new(at, "the module ends inside a function"));
        }
        loader.groups()?;
        Ok(loader.module)
    }
}

fn header(words: Vec<u32>) -> Result<Module> {
    let &[magic, version, generator, bound, schema, ..] = words.as_slice() else {
        return Err(LoadError::new(words.len(), "the file is shorter than the five words of a module's header"));
    };
    if magic != spirv::MAGIC_NUMBER {
        return Err(LoadError::new(0, format!("{magic:#010x} is not SPIR-V's magic number")));
    }
    let [first, major, minor, last] = version.to_be_bytes();
    if (first, last) != (0, 0) {
        return Err(LoadError::new(1, format!("{version:#010x} is not a version: its first and last byte must be 0")));
    }
    if major != 1 {
        return Err(LoadError::new(1, format!("unknown SPIR-V version {major}.{minor}")));
    }
    if bound == 0 || bound > MAX_BOUND {
        return Err(LoadError::new(3, format!("the bound {bound} is not between 1 and {MAX_BOUND}")));
    }
    if schema != 0 {
        return Err(LoadError::new(4, format!("the instruction schema {schema} is not 0")));
    }
    Ok(Module {
        words,
        version: (major, minor),
        generator,
        bound,
        capabilities: Vec::new(),
        extensions: Vec::new(),
        imports: IdMap::default(),
        memory_model: None,
        entry_points: Vec::new(),
        execution_modes: Vec::new(),
        strings: IdMap::default(),
        names: IdMap::default(),
        member_names: IndexMap::default(),
        decorations: IdMap::default(),
        types: IdMap::default(),
        declarations: Vec::new(),
        constants: IdMap::default(),
        globals: IdMap::default(),
        functions: Vec::new(),
        defs: vec![Def::None; bound as usize],
        value_types: vec![0; bound as usize],
        scalar_counts: FxHashMap::default(),
    })
}

struct Loader<'v> {
    module: Module,
    values: &'v Specialisation,
    function: Option<Function>,
    block: Option<OpenBlock>,
    /// Types that an `OpTypeForwardPointer` declares ahead.
    ahead: FxHashSet<Id>,
}

struct OpenBlock {
    label: Inst,
    insts: Vec<Inst>,
    merge: Option<(Merge, Inst)>,
}

impl Loader<'_> {
    /// Reads the instruction at word `at`; returns the position of the next one.
    fn instruction(&mut self, at: usize) -> Result<usize> {
        let first = self.module.words.get(at).copied().unwrap_or(0);
        let (count, opcode) = ((first >> 16) as usize, first as u16);
        if count == 0 {
            return Err(LoadError::new(at, format!("{} has a word count of 0", grammar::name(opcode))));
        }
        let end = at + count;
        if end > self.module.words.len() {
            let have = self.module.words.len() - at;
            let name = grammar::name(opcode);
            return Err(LoadError::new(at, format!("{name} has {count} words, but the module has only {have} left")));
        }
        let mut operands = at as u32 + 1..end as u32;
        let (mut ty, mut result) = (0, 0);
        if let Some(pattern) = grammar::pattern(opcode) {
            let take = |operands: &mut std::ops::Range<u32>| match operands.next() {
                Some(word) => match self.module.words.get(word as usize).copied().unwrap_or(0) {
                    0 => Err(LoadError::new(at, format!("{} has the ID 0", grammar::name(opcode)))),
                    id => Ok(id),
                },
                None => Err(LoadError::new(at, format!("{} lacks its result", grammar::name(opcode)))),
            };
            if pattern.starts_with('T') {
                ty = take(&mut operands)?;
            }
            if pattern.starts_with("TR") || pattern.starts_with('R') {
                result = take(&mut operands)?;
            }
        }
        let inst = Inst { opcode, word: at as u32, ty, result, operands };
        self.check_operands(&inst)?;
        match inst.op() {
            Some(op) => self.known(op, inst)?,
            None => self.body(inst)?,
        }
        Ok(end)
    }

    /// Checks that every operand is present and that every id is below the bound.
    fn check_operands(&self, inst: &Inst) -> Result<()> {
        let (m, at, bound) = (&self.module, inst.word as usize, self.module.bound);
        let mut bad = if inst.ty >= bound { Some(inst.ty) } else { None };
        grammar::walk(inst.opcode, m.operands(inst), m.number_words(inst), at, &mut |operand| {
            use grammar::Operand::{Id, ScopeId, SemanticsId};
            if let Id(id) | SemanticsId(id) | ScopeId(id) = operand
                && (id >= bound || id == 0)
            {
                bad = Some(id);
            }
        })?;
        match bad {
            Some(id) => Err(LoadError::new(at, format!("{} uses ID {id}, but the bound is {bound}", inst.name()))),
            None => Ok(()),
        }
    }

    fn words(&self, inst: &Inst) -> Vec<u32> {
        self.module.operands(inst).to_vec()
    }

    fn word(&self, inst: &Inst, index: usize) -> u32 {
        self.module.operands(inst).get(index).copied().unwrap_or(0)
    }

    fn text(&self, inst: &Inst, from: usize) -> String {
        string_text(self.module.operands(inst).get(from..).unwrap_or(&[]))
    }

    fn known(&mut self, op: Op, inst: Inst) -> Result<()> {
        match op {
            Op::Nop | Op::Source | Op::SourceContinued | Op::SourceExtension | Op::ModuleProcessed => {}
            Op::Capability => self.module.capabilities.push((self.word(&inst, 0), inst)),
            Op::Extension => self.module.extensions.push((self.text(&inst, 0), inst)),
            Op::ExtInstImport => {
                self.module.define(inst.result, Def::ExtImport, 0, inst.word)?;
                let name = self.text(&inst, 0);
                self.module.imports.insert(inst.result, name);
            }
            Op::MemoryModel => {
                if self.module.memory_model.is_some() {
                    return Err(LoadError::new(inst.word as usize, "duplicate OpMemoryModel"));
                }
                self.module.memory_model = Some((self.word(&inst, 0), self.word(&inst, 1), inst));
            }
            Op::EntryPoint => self.entry_point(inst),
            Op::ExecutionMode | Op::ExecutionModeId => {
                let words = self.words(&inst);
                self.module.execution_modes.push(ExecutionMode {
                    function: self.word(&inst, 0),
                    mode: self.word(&inst, 1),
                    operands: words.get(2..).unwrap_or(&[]).to_vec(),
                    inst,
                });
            }
            Op::String => {
                self.module.define(inst.result, Def::Other, 0, inst.word)?;
                let text = self.text(&inst, 0);
                self.module.strings.insert(inst.result, text);
            }
            Op::Name => {
                let text = self.text(&inst, 1);
                self.module.names.insert(self.word(&inst, 0), text);
            }
            Op::MemberName => {
                let text = self.text(&inst, 2);
                self.module.member_names.insert((self.word(&inst, 0), self.word(&inst, 1)), text);
            }
            Op::Decorate | Op::DecorateId | Op::DecorateString => self.decorate(inst, None, 1),
            Op::MemberDecorate | Op::MemberDecorateString => {
                let member = self.word(&inst, 1);
                self.decorate(inst, Some(member), 2);
            }
            Op::DecorationGroup => self.module.define(inst.result, Def::Other, 0, inst.word)?,
            // `groups` expands them once all are known.
            Op::GroupDecorate | Op::GroupMemberDecorate => self.module.declarations.push(inst),
            Op::TypeForwardPointer => {
                self.ahead.insert(self.word(&inst, 0));
                self.module.declarations.push(inst);
            }
            _ if op.is_type() => self.declare_type(op, inst)?,
            _ if is_constant(op) || (op == Op::Undef && self.function.is_none()) => self.declare_constant(op, inst)?,
            Op::Variable if self.function.is_none() => {
                let words = self.words(&inst);
                self.module.define(inst.result, Def::Global, inst.ty, inst.word)?;
                self.module.declarations.push(inst.clone());
                self.module.globals.insert(
                    inst.result,
                    Global {
                        id: inst.result,
                        ty: inst.ty,
                        class: words.first().copied().unwrap_or(0),
                        initializer: words.get(1).copied().unwrap_or(0),
                        inst,
                    },
                );
            }
            Op::Function => {
                if self.function.is_some() {
                    return Err(LoadError::new(inst.word as usize, "OpFunction inside a function"));
                }
                let index = self.module.functions.len() as u32;
                self.module.define(inst.result, Def::Function(index), 0, inst.word)?;
                self.function = Some(Function {
                    id: inst.result,
                    result_type: inst.ty,
                    function_type: self.word(&inst, 1),
                    control: self.word(&inst, 0),
                    parameters: Vec::new(),
                    blocks: Vec::new(),
                    inst,
                });
            }
            Op::FunctionParameter | Op::FunctionEnd | Op::Label => self.function_part(op, inst)?,
            Op::Line | Op::NoLine if self.block.is_none() => {}
            _ => self.body(inst)?,
        }
        Ok(())
    }

    fn entry_point(&mut self, inst: Inst) {
        let words = self.words(&inst);
        let name_words = words.get(2..).unwrap_or(&[]);
        let length = string_words(name_words).unwrap_or(name_words.len());
        self.module.entry_points.push(EntryPoint {
            model: words.first().copied().unwrap_or(0),
            function: words.get(1).copied().unwrap_or(0),
            name: string_text(name_words),
            interface: name_words.get(length..).unwrap_or(&[]).to_vec(),
            inst,
        });
    }

    fn decorate(&mut self, inst: Inst, member: Option<u32>, kind_at: u32) {
        let kind = self.word(&inst, kind_at as usize);
        let target = self.word(&inst, 0);
        let operands = inst.operands.start + kind_at + 1..inst.operands.end;
        self.module.decorations.entry(target).or_default().push(Decoration { member, kind, operands, inst });
    }

    /// Copies decorations of groups to their targets, once to each.
    fn groups(&mut self) -> Result<()> {
        let uses: Vec<Inst> = {
            let is_group = |i: &Inst| matches!(i.op(), Some(Op::GroupDecorate | Op::GroupMemberDecorate));
            let (groups, rest) = std::mem::take(&mut self.module.declarations).into_iter().partition(is_group);
            self.module.declarations = rest;
            groups
        };
        let mut applied = FxHashSet::default();
        let mut left = MAX_GROUP_DECORATIONS;
        for inst in uses {
            let words = self.words(&inst);
            let Some((group, targets)) = words.split_first() else { continue };
            let decorations = self.module.decorations.get(group).cloned().unwrap_or_default();
            let members = inst.op() == Some(Op::GroupMemberDecorate);
            for target in targets.chunks(if members { 2 } else { 1 }) {
                let Some(&id) = target.first() else { continue };
                let member = target.get(1).copied();
                if !applied.insert((*group, id, member)) {
                    continue;
                }
                left = left.checked_sub(decorations.len()).ok_or_else(|| {
                    let message = format!("decoration groups add more than {MAX_GROUP_DECORATIONS} decorations");
                    LoadError::new(inst.word as usize, message)
                })?;
                let copies = decorations.iter().map(|d| Decoration { member: member.or(d.member), ..d.clone() });
                self.module.decorations.entry(id).or_default().extend(copies);
            }
        }
        Ok(())
    }

    fn declare_type(&mut self, op: Op, inst: Inst) -> Result<()> {
        let at = inst.word as usize;
        let w = self.words(&inst);
        let word = |i: usize| w.get(i).copied().unwrap_or(0);
        let ty = match op {
            Op::TypeVoid => Type::Void,
            Op::TypeBool => Type::Bool,
            Op::TypeInt => Type::Int { width: self.width(word(0), &[8, 16, 32, 64], at)?, signed: word(1) != 0 },
            Op::TypeFloat => Type::Float { width: self.width(word(0), &[8, 16, 32, 64], at)? },
            Op::TypeVector => Type::Vector { component: word(0), count: word(1) },
            Op::TypeMatrix => Type::Matrix { column: word(0), columns: word(1) },
            Op::TypeArray => Type::Array { element: word(0), length: word(1) },
            Op::TypeRuntimeArray => Type::RuntimeArray { element: word(0) },
            Op::TypeStruct => Type::Struct { members: w },
            Op::TypePointer => match spirv::StorageClass::from_u32(word(0)) {
                Some(class) => Type::Pointer { class, pointee: word(1) },
                None => return Err(LoadError::new(at, format!("unknown storage class {}", word(0)))),
            },
            Op::TypeFunction => Type::Function { result: word(0), parameters: w.get(1..).unwrap_or(&[]).to_vec() },
            Op::TypeImage => self.image(&w, at)?,
            Op::TypeSampler => Type::Sampler,
            Op::TypeSampledImage => Type::SampledImage { image: word(0) },
            Op::TypeNodePayloadArrayAMDX => Type::NodePayloadArray { payload: word(0) },
            _ => Type::Other { opcode: inst.opcode },
        };
        if inst.result == 0 {
            // A vendor's type with a pattern that the table lacks.
            self.module.declarations.push(inst);
            return Ok(());
        }
        self.module.define(inst.result, Def::Type, 0, inst.word)?;
        let ty = if self.has_order(inst.result, &ty) { ty } else { Type::Other { opcode: inst.opcode } };
        if let Some(count) = self.module.count_scalars(&ty) {
            self.module.scalar_counts.insert(inst.result, count);
        }
        self.module.types.insert(inst.result, ty);
        self.module.declarations.push(inst);
        Ok(())
    }

    /// Returns whether a type consists of earlier types, or of pointer types that are declared ahead. A type that is
    /// declared ahead must be a pointer. Other types become opaque, so that no type contains itself and walks over
    /// types end. The verifier reports the id.
    fn has_order(&self, result: Id, ty: &Type) -> bool {
        let parts: &[Id] = match ty {
            Type::Vector { component: part, .. }
            | Type::Matrix { column: part, .. }
            | Type::Array { element: part, .. }
            | Type::RuntimeArray { element: part } => std::slice::from_ref(part),
            Type::Struct { members } => members,
            _ => &[],
        };
        let is_known = |part: &Id| self.module.types.contains_key(part) || self.ahead.contains(part);
        parts.iter().all(is_known) && (!self.ahead.contains(&result) || matches!(ty, Type::Pointer { .. }))
    }

    fn width(&self, width: u32, allowed: &[u32], at: usize) -> Result<u32> {
        if allowed.contains(&width) {
            Ok(width)
        } else {
            Err(LoadError::new(at, format!("unsupported number of {width} bits")))
        }
    }

    fn image(&self, w: &[u32], at: usize) -> Result<Type> {
        let &[sampled_type, dim, _, arrayed, multisampled, sampled, format, ..] = w else {
            return Err(LoadError::new(at, "OpTypeImage ends before its last operand"));
        };
        let (Some(dim), Some(format)) = (spirv::Dim::from_u32(dim), spirv::ImageFormat::from_u32(format)) else {
            return Err(LoadError::new(at, "OpTypeImage has an unknown dimension or format"));
        };
        Ok(Type::Image(ImageType {
            sampled_type,
            dim,
            arrayed: arrayed != 0,
            multisampled: multisampled != 0,
            sampled,
            format,
        }))
    }

    fn declare_constant(&mut self, op: Op, inst: Inst) -> Result<()> {
        let w = self.words(&inst);
        let spec_id = self.module.decoration_word(inst.result, None, spirv::Decoration::SpecId);
        let given = spec_id.and_then(|id| self.values.get(&id)).copied();
        let spec = matches!(
            op,
            Op::SpecConstant
                | Op::SpecConstantTrue
                | Op::SpecConstantFalse
                | Op::SpecConstantComposite
                | Op::SpecConstantOp
                | Op::SpecConstantStringAMDX
        );
        let value = match op {
            Op::ConstantTrue => Value::Scalar(1),
            Op::ConstantFalse => Value::Scalar(0),
            Op::SpecConstantTrue => Value::Scalar(given.map_or(1, |v| u64::from(v != 0))),
            Op::SpecConstantFalse => Value::Scalar(given.map_or(0, |v| u64::from(v != 0))),
            Op::Constant | Op::SpecConstant => {
                let literal = w.iter().rev().fold(0u64, |bits, &word| (bits << 32) | u64::from(word));
                Value::Scalar(fold::truncate(&self.module, inst.ty, given.filter(|_| spec).unwrap_or(literal)))
            }
            Op::ConstantComposite | Op::SpecConstantComposite => Value::Composite(w),
            Op::ConstantNull => Value::Null,
            Op::Undef => Value::Undef,
            Op::ConstantStringAMDX | Op::SpecConstantStringAMDX => Value::String(self.text(&inst, 0)),
            Op::SpecConstantOp => fold::evaluate(&self.module, &inst),
            _ => Value::Other(inst.opcode),
        };
        self.module.define(inst.result, Def::Constant, inst.ty, inst.word)?;
        self.module.constants.insert(inst.result, Constant { ty: inst.ty, value, spec, spec_id });
        self.module.declarations.push(inst);
        Ok(())
    }

    fn function_part(&mut self, op: Op, inst: Inst) -> Result<()> {
        let at = inst.word as usize;
        let index = self.module.functions.len() as u32;
        let Some(function) = &mut self.function else {
            return Err(LoadError::new(at, format!("{} outside of a function", inst.name())));
        };
        if let Some(open) = &self.block {
            let label = open.label.result;
            return Err(LoadError::new(at, format!("the block %{label} has no terminator before {}", inst.name())));
        }
        match op {
            Op::FunctionParameter => {
                if !function.blocks.is_empty() {
                    return Err(LoadError::new(at, "OpFunctionParameter after a block"));
                }
                let def = Def::Parameter(index, function.parameters.len() as u32);
                self.module.define(inst.result, def, inst.ty, inst.word)?;
                function.parameters.push(inst);
            }
            Op::Label => {
                let def = Def::Label(index, function.blocks.len() as u32);
                self.module.define(inst.result, def, 0, inst.word)?;
                self.block = Some(OpenBlock { label: inst, insts: Vec::new(), merge: None });
            }
            _ => {
                if let Some(function) = self.function.take() {
                    self.module.functions.push(function);
                }
            }
        }
        Ok(())
    }

    /// Returns whether an imported instruction set has no effect on the module's behaviour (SPV_KHR_non_semantic_info).
    fn is_non_semantic(&self, set: u32) -> bool {
        self.module.imports.get(&set).is_some_and(|name| name.starts_with("NonSemantic."))
    }

    /// Reads an instruction of a block, or one without a fixed place.
    fn body(&mut self, inst: Inst) -> Result<()> {
        let at = inst.word as usize;
        let op = inst.op();
        if self.block.is_none() && self.function.is_none() && grammar::pattern(inst.opcode).is_none() {
            // Instructions outside the grammar are kept raw.
            self.module.declarations.push(inst);
            return Ok(());
        }
        let w = self.words(&inst);
        let word = |i: usize| w.get(i).copied().unwrap_or(0);
        if self.block.is_none() && op == Some(Op::ExtInst) && self.is_non_semantic(word(0)) {
            // No rule depends on the debug information of a module.
            self.module.define(inst.result, Def::Other, inst.ty, inst.word)?;
            self.module.declarations.push(inst);
            return Ok(());
        }
        let terminator = match op {
            Some(Op::Branch) => Some(Terminator::Branch(word(0))),
            Some(Op::BranchConditional) => {
                Some(Terminator::BranchConditional { condition: word(0), then: word(1), otherwise: word(2) })
            }
            Some(Op::Switch) => Some(self.switch(&w, self.module.number_words(&inst))),
            Some(Op::Return) => Some(Terminator::Return),
            Some(Op::ReturnValue) => Some(Terminator::ReturnValue(word(0))),
            Some(Op::Unreachable) => Some(Terminator::Unreachable),
            Some(
                Op::Kill
                | Op::TerminateInvocation
                | Op::TerminateRayKHR
                | Op::IgnoreIntersectionKHR
                | Op::EmitMeshTasksEXT,
            ) => Some(Terminator::Other(inst.opcode)),
            _ => None,
        };
        let function_index = self.module.functions.len() as u32;
        let (Some(function), Some(block)) = (&mut self.function, &mut self.block) else {
            return Err(LoadError::new(at, format!("{} outside of a block", inst.name())));
        };
        if let Some(terminator) = terminator {
            let (merge, merge_inst) = block.merge.take().map_or((None, None), |(m, i)| (Some(m), Some(i)));
            function.blocks.push(Block {
                label: block.label.result,
                insts: std::mem::take(&mut block.insts),
                merge,
                terminator,
                merge_inst,
                terminator_inst: inst,
                inst: block.label.clone(),
            });
            self.block = None;
            return Ok(());
        }
        if block.merge.is_some() && !matches!(op, Some(Op::Line | Op::NoLine)) {
            return Err(LoadError::new(at, "only a branch may follow a merge instruction"));
        }
        match op {
            Some(Op::SelectionMerge) => {
                block.merge = Some((Merge::Selection { merge: word(0), control: word(1) }, inst));
            }
            Some(Op::LoopMerge) => {
                let merge = Merge::Loop { merge: word(0), continue_target: word(1), control: word(2) };
                block.merge = Some((merge, inst));
            }
            _ => {
                if inst.result != 0 {
                    let def = Def::Inst(function_index, function.blocks.len() as u32, block.insts.len() as u32);
                    self.module.define(inst.result, def, inst.ty, inst.word)?;
                }
                block.insts.push(inst);
            }
        }
        Ok(())
    }

    fn switch(&self, w: &[u32], number_words: usize) -> Terminator {
        let cases = w.get(2..).unwrap_or(&[]).chunks_exact(number_words + 1).filter_map(|case| {
            let (label, number) = case.split_last()?;
            Some((number.iter().rev().fold(0u64, |bits, &word| (bits << 32) | u64::from(word)), *label))
        });
        let selector = w.first().copied().unwrap_or(0);
        let selector_type = self.module.type_of(selector);
        Terminator::Switch {
            selector,
            default: w.get(1).copied().unwrap_or(0),
            cases: cases.map(|(v, l)| (fold::truncate(&self.module, selector_type, v), l)).collect(),
        }
    }
}

fn is_constant(op: Op) -> bool {
    op.is_constant() || matches!(op, Op::ConstantStringAMDX | Op::SpecConstantStringAMDX)
}
