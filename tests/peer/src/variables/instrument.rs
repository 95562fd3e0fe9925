//! Makes a module record its source variables, as a debugger would show them, at each sample point.
//!
//! A sample point is an atomic sum on the buffer `Marks`: no pass removes or reorders it. DebugValue becomes a store to
//! a copy of the variable, with a flag that the variable has a value. DebugDeclare names memory that is read directly.
//! At a sample point the module appends the variables in scope to a buffer of words, [`Site`] by site.

use super::pool::{Indexed, Pool, Shape, ids, instruction};
use super::reader::{self, Debug, Placed, Reader};
use rspirv::binary::Assemble;
use rspirv::dr::{Instruction, Operand};
use rspirv::spirv::{Op, StorageClass, Word};
use std::collections::{BTreeMap, HashMap};

/// The buffer of sample points.
pub const MARKS: &str = "Marks";
/// Set and binding of the buffer that gets the samples. Its first word is the number of words that it needs.
pub const TRACE: (u32, u32) = (0, 99);
/// Words of that buffer.
pub const CAPACITY: u32 = 1 << 18;
/// The last words of the buffer get the samples that have no room.
const RESERVE: u32 = 1 << 14;

/// A sample point of the module. Several may have one line.
#[derive(Clone, Debug)]
pub struct Site {
    pub line: u32,
    pub function: String,
    /// The recorded variables, in the order of the words.
    pub variables: Vec<Recorded>,
}

/// A variable at a site: a word that says whether it has a value, and the words of each scalar.
#[derive(Clone, Debug)]
pub struct Recorded {
    pub key: Key,
    /// Names of the scalars inside, with their counts of words.
    pub scalars: Vec<(String, u32)>,
}

/// A source variable, or a part of one: its name, and the location of its declaration.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key {
    pub line: u32,
    pub column: u32,
    pub name: String,
}

/// A module that records, and its sites.
pub struct Recording {
    pub words: Vec<u32>,
    pub sites: Vec<Site>,
    /// The number of DebugValue instructions.
    pub values: usize,
}

/// A variable of a function and the inlined call that it belongs to.
type Instance = (Word, Option<Word>);

/// The storage of an instance.
#[derive(Clone, Copy, Debug)]
struct Held {
    /// A pointer to the value.
    memory: Word,
    /// A pointer to the flag; `None` for a variable that is always in memory.
    flag: Option<Word>,
    ty: Word,
}

/// Instruments a module. Values that it leaves open get the pattern. The DebugValue of a number may be
/// planted: it gets the pattern too.
///
/// # Errors
/// The debug information contradicts itself.
pub fn instrument(words: &[u32], pattern: u64, planted: Option<usize>) -> Result<Recording, String> {
    let reader = Reader::new(words);
    let mut pool = Pool::new(words[3], pattern);
    let mut outside = Vec::new();
    let (mut names, mut types) = (HashMap::new(), HashMap::new());
    for i in reader.outside() {
        pool.see(&reader, i);
        match (i.class.opcode, i.operands.as_slice()) {
            (Op::Name, [Operand::IdRef(id), Operand::LiteralString(name)]) => _ = names.insert(*id, name.clone()),
            (Op::Undef, _) => {
                let filler = i.result_type.and_then(|ty| pool.filler_as(ty, i.result_id?));
                outside.append(&mut pool.added);
                outside.push(filler.unwrap_or_else(|| i.clone()));
                types.extend(i.result_id.zip(i.result_type));
                continue;
            }
            _ => {}
        }
        types.extend(i.result_id.zip(i.result_type));
        outside.push(i.clone());
    }
    let undefined = reader.results(Op::Undef);
    let trace = pool.buffer(TRACE.0, TRACE.1);
    let code = reader.code();
    let mut writer =
        Writer { reader: &reader, pool, trace, names, types, undefined, sites: Vec::new(), values: 0, planted };
    let mut inside = Vec::new();
    for function in code.chunk_by(|a, _| a.instruction.class.opcode != Op::FunctionEnd) {
        writer.function(function, &mut inside)?;
    }
    let Writer { mut pool, sites, values, .. } = writer;
    let mut out = words[..5].to_vec();
    out[3] = pool.bound();
    let wide = Operand::Capability(rspirv::spirv::Capability::Int16);
    outside.retain(|i| i.operands.first() != Some(&wide));
    instruction(Op::Capability, None, None, vec![wide]).assemble_into(&mut out);
    for mut i in outside {
        match i.class.opcode {
            Op::EntryPoint => i.operands.push(Operand::IdRef(trace)),
            Op::Decorate | Op::MemberDecorate => {
                pool.annotations.drain(..).for_each(|i| i.assemble_into(&mut out));
            }
            _ => {}
        }
        i.assemble_into(&mut out);
    }
    pool.added.into_iter().chain(inside).for_each(|i| i.assemble_into(&mut out));
    Ok(Recording { words: out, sites, values })
}

struct Writer<'a> {
    reader: &'a Reader,
    pool: Pool,
    trace: Word,
    names: HashMap<Word, String>,
    /// Types of all results.
    types: HashMap<Word, Word>,
    undefined: Vec<Word>,
    sites: Vec<Site>,
    /// The number of DebugValue instructions so far.
    values: usize,
    planted: Option<usize>,
}

impl Writer<'_> {
    /// Rewrites the instructions of a function.
    fn function(&mut self, code: &[Placed], out: &mut Vec<Instruction>) -> Result<(), String> {
        let mut pointers = HashMap::new();
        for placed in code {
            let i = &placed.instruction;
            self.types.extend(i.result_id.zip(i.result_type));
            if let (Op::AccessChain | Op::InBoundsAccessChain, Some(Operand::IdRef(base))) =
                (i.class.opcode, i.operands.first())
            {
                pointers.extend(i.result_id.map(|id| (id, *base)));
            }
        }
        let mut locals = Vec::new();
        let storage = self.storage(code, &mut locals)?;
        let mut is_start = true;
        for placed in code {
            let i = &placed.instruction;
            match self.reader.debug_of(i) {
                Some(Debug { number: reader::VALUE, operands }) => {
                    let instance = (operands[0], placed.scope.and_then(|scope| scope.1));
                    self.values += 1;
                    if let Some(of) = storage.get(&instance) {
                        let wrong = (Some(self.values - 1) == self.planted).then(|| self.pool.filler(of.ty)).flatten();
                        let value = wrong.or(self.is_whole_value(&operands).then_some(operands[1]));
                        self.value(*of, value, out);
                    }
                    continue;
                }
                Some(Debug { number: reader::DECLARE, .. }) => continue,
                _ => {}
            }
            match i.class.opcode {
                Op::Variable if i.operands.len() == 1 => {
                    let pointee = i.result_type.and_then(|ty| self.pointee(ty));
                    let filler = pointee.and_then(|ty| self.pool.filler(ty));
                    let mut variable = i.clone();
                    variable.operands.extend(filler.map(Operand::IdRef));
                    out.push(variable);
                }
                Op::Undef => {
                    let filler = i.result_type.and_then(|ty| self.pool.filler(ty));
                    out.push(match filler {
                        Some(filler) => instruction(Op::CopyObject, i.result_type, i.result_id, ids(&[filler])),
                        None => i.clone(),
                    });
                }
                _ => out.push(i.clone()),
            }
            if i.class.opcode == Op::Label && std::mem::take(&mut is_start) {
                out.append(&mut locals);
            }
            let is_mark = i.class.opcode == Op::AtomicIAdd
                && i.operands.first().is_some_and(|pointer| {
                    let base = pointers.get(&pointer.unwrap_id_ref());
                    base.and_then(|base| self.names.get(base)).is_some_and(|name| name == MARKS)
                });
            if is_mark {
                self.sample(placed, &storage, out)?;
            }
        }
        Ok(())
    }

    fn pointee(&self, pointer: Word) -> Option<Word> {
        let ty = self.reader.outside().chain(&self.pool.added).find(|i| i.result_id == Some(pointer))?;
        match ty.operands.as_slice() {
            [Operand::StorageClass(StorageClass::Function), Operand::IdRef(to)] => Some(*to),
            _ => None,
        }
    }

    /// Finds the variables of a function. `locals` gets copies of those that have DebugValue.
    fn storage(&mut self, code: &[Placed], locals: &mut Vec<Instruction>) -> Result<BTreeMap<Instance, Held>, String> {
        let mut storage: BTreeMap<Instance, Held> = BTreeMap::new();
        for placed in code {
            let Some(Debug { number, operands }) = self.reader.debug_of(&placed.instruction) else { continue };
            if !matches!(number, reader::VALUE | reader::DECLARE) {
                continue;
            }
            let scope = placed.scope.ok_or("a variable without a scope")?;
            let instance = (operands[0], scope.1);
            if !self.is_whole_value(&operands) {
                continue;
            }
            let Some(&ty) = self.types.get(&operands[1]) else { return Err("a variable without a type".into()) };
            let known = storage.get(&instance).copied();
            let name = || self.reader.text(self.reader.operand(operands[0], 0)).to_owned();
            match number {
                reader::DECLARE => {
                    if known.is_some() {
                        return Err(format!("`{}` has two places", name()));
                    }
                    if let Some(ty) = self.pointee(ty).filter(|ty| self.pool.shape(*ty).is_some()) {
                        storage.insert(instance, Held { memory: operands[1], flag: None, ty });
                    }
                }
                _ => match known {
                    Some(Held { flag: None, .. }) => return Err(format!("`{}` has a place and values", name())),
                    Some(Held { ty: other, .. }) if !self.pool.matches(other, ty) => {
                        return Err(format!("`{}` has values of two types", name()));
                    }
                    Some(_) => {}
                    None if self.pool.shape(ty).is_none() => {}
                    None => {
                        let (uint, no) = (self.pool.uint(), self.pool.number(0));
                        let memory = self.local(ty, None, locals);
                        let flag = Some(self.local(uint, Some(no), locals));
                        storage.insert(instance, Held { memory, flag, ty });
                    }
                },
            }
        }
        Ok(storage)
    }

    fn local(&mut self, ty: Word, value: Option<Word>, locals: &mut Vec<Instruction>) -> Word {
        let (pointer, id) = (self.pool.pointer(StorageClass::Function, ty), self.pool.fresh());
        let value = value.or_else(|| self.pool.filler(ty));
        let operands = [Operand::StorageClass(StorageClass::Function)].into_iter();
        let operands = operands.chain(value.map(Operand::IdRef)).collect();
        locals.push(instruction(Op::Variable, Some(pointer), Some(id), operands));
        id
    }

    /// Returns whether the operands of a DebugValue name the value of the variable, or those of a DebugDeclare its
    /// memory: not a part, and not a pointer to the value.
    fn is_whole_value(&self, operands: &[Word]) -> bool {
        operands.len() == 3 && self.reader.debug(operands[2]).operands.is_empty()
    }

    /// Implements a DebugValue.
    fn value(&mut self, of: Held, value: Option<Word>, out: &mut Vec<Instruction>) {
        let Some(flag) = of.flag else { return };
        let value = value.filter(|value| !self.undefined.contains(value));
        let set = self.pool.number(u32::from(value.is_some()));
        if let Some(mut value) = value {
            // A structure may have its memory type.
            if self.types.get(&value).is_some_and(|ty| *ty != of.ty) {
                value = self.emit(Op::CopyLogical, of.ty, ids(&[value]), out);
            }
            out.push(instruction(Op::Store, None, None, ids(&[of.memory, value])));
        }
        out.push(instruction(Op::Store, None, None, ids(&[flag, set])));
    }

    fn emit(&mut self, op: Op, ty: Word, operands: Vec<Operand>, out: &mut Vec<Instruction>) -> Word {
        let id = self.pool.fresh();
        out.push(instruction(op, Some(ty), Some(id), operands));
        id
    }

    /// Returns a scope and those around it, up to the function.
    fn chain(&self, mut scope: Word) -> Vec<Word> {
        let mut all = vec![scope];
        while self.reader.debug(scope).number == reader::LEXICAL_BLOCK {
            scope = self.reader.operand(scope, 3);
            all.push(scope);
        }
        all
    }

    /// Records the variables in scope.
    fn sample(
        &mut self,
        at: &Placed,
        storage: &BTreeMap<Instance, Held>,
        out: &mut Vec<Instruction>,
    ) -> Result<(), String> {
        let (Some((line, _)), Some((scope, inlined))) = (at.at, at.scope) else {
            return Err("a sample point without a line".into());
        };
        let chain = self.chain(scope);
        let function = chain[chain.len() - 1];
        let reader = self.reader;
        let text = |of: Word, n: usize| reader.text(reader.operand(of, n)).to_owned();
        let in_scope = |local: Word| chain.contains(&reader.operand(local, 5));
        let visible: Vec<(Word, Held)> = storage
            .iter()
            .filter(|((local, of), _)| *of == inlined && in_scope(*local))
            .map(|((local, _), place)| (*local, *place))
            .collect();
        let mut site = Site { line, function: text(function, 6), variables: Vec::new() };
        let (uint, bool) = (self.pool.uint(), self.pool.bool());
        let mut values = vec![self.pool.number(self.sites.len() as u32)];
        let one = self.pool.number(1);
        for (local, of) in visible {
            values.push(match of.flag {
                Some(flag) => self.emit(Op::Load, uint, ids(&[flag]), out),
                None => one,
            });
            let whole = self.emit(Op::Load, of.ty, ids(&[of.memory]), out);
            let mut scalars = Vec::new();
            self.scalars(whole, of.ty, String::new(), &mut (&mut scalars, &mut values), out);
            let [line, column] = [3, 4].map(|n| reader.number(reader.operand(local, n)));
            site.variables.push(Recorded { key: Key { line, column, name: text(local, 0) }, scalars });
        }
        self.sites.push(site);
        // The end of the words so far is in the first one.
        let zero = self.pool.number(0);
        let start = self.place(zero, out);
        let from = self.emit(Op::Load, uint, ids(&[start]), out);
        let count = self.pool.number(values.len() as u32);
        let end = self.emit(Op::IAdd, uint, ids(&[from, count]), out);
        out.push(instruction(Op::Store, None, None, ids(&[start, end])));
        let reserve = self.pool.number(CAPACITY - RESERVE);
        let fits = self.emit(Op::ULessThan, bool, ids(&[end, reserve]), out);
        let from = self.emit(Op::Select, uint, ids(&[fits, from, reserve]), out);
        if values.len() as u32 > RESERVE {
            return Err("a sample with too many variables".into());
        }
        for (n, value) in values.into_iter().enumerate() {
            let n = self.pool.number(n as u32);
            let index = self.emit(Op::IAdd, uint, ids(&[from, n]), out);
            let place = self.place(index, out);
            out.push(instruction(Op::Store, None, None, ids(&[place, value])));
        }
        Ok(())
    }

    /// Returns a pointer to a word of the trace.
    fn place(&mut self, index: Word, out: &mut Vec<Instruction>) -> Word {
        let (uint, zero) = (self.pool.uint(), self.pool.number(0));
        let pointer = self.pool.pointer(StorageClass::StorageBuffer, uint);
        self.emit(Op::AccessChain, pointer, ids(&[self.trace, zero, index]), out)
    }

    /// Computes the words of a value: adds their names and their ids.
    fn scalars(
        &mut self,
        value: Word,
        ty: Word,
        path: String,
        to: &mut (&mut Vec<(String, u32)>, &mut Vec<Word>),
        out: &mut Vec<Instruction>,
    ) {
        let Some(shape) = self.pool.shape(ty).cloned() else { return };
        let uint = self.pool.uint();
        match shape {
            Shape::Bool => {
                let (yes, no) = (self.pool.number(1), self.pool.number(0));
                to.1.push(self.emit(Op::Select, uint, ids(&[value, yes, no]), out));
                to.0.push((path, 1));
            }
            Shape::Number(64) => {
                let pair = self.pool.uint2();
                let pair = self.emit(Op::Bitcast, pair, ids(&[value]), out);
                for n in 0..2 {
                    let operands = vec![Operand::IdRef(pair), Operand::LiteralBit32(n)];
                    to.1.push(self.emit(Op::CompositeExtract, uint, operands, out));
                }
                to.0.push((path, 2));
            }
            Shape::Number(bits) => {
                let unsigned = self.pool.unsigned(bits);
                let cast = if ty == unsigned { value } else { self.emit(Op::Bitcast, unsigned, ids(&[value]), out) };
                let word = if bits == 32 { cast } else { self.emit(Op::UConvert, uint, ids(&[cast]), out) };
                to.1.push(word);
                to.0.push((path, 1));
            }
            Shape::Parts(of, n, how) => {
                for n in 0..n {
                    let path = match how {
                        Indexed::Component => format!("{path}.{n}"),
                        Indexed::Element => format!("{path}[{n}]"),
                    };
                    self.part(value, n, of, path, to, out);
                }
            }
            Shape::Members(members) => {
                for (n, (of, name)) in (0..).zip(members) {
                    self.part(value, n, of, format!("{path}.{name}"), to, out);
                }
            }
        }
    }

    fn part(
        &mut self,
        value: Word,
        n: u32,
        of: Word,
        path: String,
        to: &mut (&mut Vec<(String, u32)>, &mut Vec<Word>),
        out: &mut Vec<Instruction>,
    ) {
        let operands = vec![Operand::IdRef(value), Operand::LiteralBit32(n)];
        let part = self.emit(Op::CompositeExtract, of, operands, out);
        self.scalars(part, of, path, to, out);
    }
}
