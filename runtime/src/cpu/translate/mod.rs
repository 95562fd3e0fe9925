//! An entry point of a module to a [`Program`].
//!
//! Each function is translated once, in structured order. Every value is thus known before its uses, except for phis,
//! whose copies become part of the branches. Function, Private and Input variables whose pointers are only loaded,
//! stored and indexed live in registers; all others in memory. Code that the device cannot execute is an error that
//! names the instruction and its location. Nothing is refused before an entry point that needs it is translated.

mod access;
mod arith;
mod atomics;
mod blocks;
mod coherence;
mod derivative;
mod glsl;
mod graph;
mod image;
pub(crate) mod layout;
mod mesh;
mod print;
mod products;
mod ray;
mod subgroup;
mod values;
mod variables;

use super::exec::ops::{Binary, Ternary, Unary};
use super::findings::At;
use super::program::{Footprint, Function, Ins, Program, Row};
use layout::{Layouts, Stride};
use rustc_hash::{FxHashMap, FxHashSet};
use spirv::{ExecutionMode, Op};
use wgc_spirv_module::module::{EntryPoint, Inst};
use wgc_spirv_module::{Id, Lines, Module};

/// Errors are sentences; [`translate`] adds the place.
pub(super) type Result<T> = std::result::Result<T, String>;

/// A value's rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Value {
    row: Row,
    n: u32,
}

/// A pointer to a variable that lives in registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Local {
    row: Row,
    /// Row of each lane's own offset from `row`, for indexes known only at run time.
    offset: Option<Row>,
    /// The type of its pointee.
    ty: Id,
}

/// The most rows of one program: 1024 lanes of them are half a gigabyte.
const MAX_ROWS: u32 = 1 << 16;
/// Most nested calls.
const MAX_CALLS: usize = 512;

struct Translator<'m> {
    m: &'m Module,
    program: Program,
    layouts: Layouts<'m>,
    values: FxHashMap<Id, Value>,
    locals: FxHashMap<Id, Local>,
    /// Matrices and columns in a pointer's memory whose layout differs from their type's.
    strides: FxHashMap<Id, Stride>,
    /// Pointers and handles whose plain accesses other workgroups need not see (`coherence`).
    incoherent: FxHashSet<Id>,
    constants: FxHashMap<u64, Row>,
    footprints: FxHashMap<Footprint, u32>,
    /// Index in the program, result rows.
    functions: FxHashMap<Id, (u32, Option<Value>)>,
    outputs: FxHashMap<Id, u32>,
    /// Variables that live in registers.
    promoted: FxHashSet<Id>,
    entry: Id,
    /// Runs before the entry function's first block.
    prologue: Vec<Ins>,
    code: Vec<Ins>,
    words: Vec<u32>,
    word: u32,
}

/// Translates an entry point. The error is a sentence for the user.
pub fn translate(m: &Module, entry: &EntryPoint) -> Result<Program> {
    let mut t = Translator {
        m,
        program: Program { name: entry.name.clone(), lines: Lines::of(m), ..Program::default() },
        layouts: Layouts::new(m),
        values: FxHashMap::default(),
        locals: FxHashMap::default(),
        strides: FxHashMap::default(),
        incoherent: FxHashSet::default(),
        constants: FxHashMap::default(),
        footprints: FxHashMap::default(),
        functions: FxHashMap::default(),
        outputs: FxHashMap::default(),
        promoted: FxHashSet::default(),
        entry: entry.function,
        prologue: Vec::new(),
        code: Vec::new(),
        words: Vec::new(),
        word: 0,
    };
    t.module(entry).map_err(|message| match t.word {
        0 => format!("entry point {}: {message}", entry.name),
        word => format!("entry point {}, {}: {message}", entry.name, At { word, lines: &t.program.lines }),
    })?;
    Ok(t.program)
}

impl<'m> Translator<'m> {
    fn module(&mut self, entry: &EntryPoint) -> Result<()> {
        self.program.local_size = self.local_size(entry.function)?;
        let threads = self.program.local_size.iter().try_fold(1u32, |p, s| p.checked_mul(*s));
        if !threads.is_some_and(|t| (1..=super::mask::MAX_LANES as u32).contains(&t)) {
            let [x, y, z] = self.program.local_size;
            return Err(format!("a workgroup of {x} x {y} x {z} threads is not between 1 and 1024"));
        }
        let has = |mode| self.m.execution_mode(entry.function, mode).is_some();
        if has(ExecutionMode::DerivativeGroupQuadsKHR) {
            self.program.quads = crate::cpu::program::Quads::Square;
        } else if has(ExecutionMode::DerivativeGroupLinearKHR) {
            self.program.quads = crate::cpu::program::Quads::Linear;
        }
        if entry.model == spirv::ExecutionModel::MeshEXT as u32 {
            self.mesh_modes(entry.function)?;
        }
        let mut order = Vec::new();
        self.reach(entry.function, &mut Vec::new(), &mut FxHashSet::default(), &mut order)?;
        self.globals(entry, &order)?;
        for &id in &order {
            self.declare_function(id)?;
        }
        for &id in &order {
            let function = self.function(id)?;
            self.program.functions.push(function);
        }
        self.program.entry = self.functions.get(&entry.function).map_or(0, |f| f.0);
        Ok(())
    }

    fn local_size(&self, function: Id) -> Result<[u32; 3]> {
        // The deprecated constant wins over the execution mode.
        for (id, decorations) in &self.m.decorations {
            let is_size = |d: &wgc_spirv_module::module::Decoration| {
                d.kind == spirv::Decoration::BuiltIn as u32
                    && self.m.decoration_operands(d).first() == Some(&(spirv::BuiltIn::WorkgroupSize as u32))
            };
            if decorations.iter().any(is_size)
                && let Some([x, y, z]) = self.m.constant_scalars(*id).as_deref()
            {
                return Ok([*x as u32, *y as u32, *z as u32]);
            }
        }
        if let Some(mode) = self.m.execution_mode(function, ExecutionMode::LocalSize)
            && let [x, y, z] = mode.operands[..]
        {
            return Ok([x, y, z]);
        }
        if let Some(mode) = self.m.execution_mode(function, ExecutionMode::LocalSizeId) {
            let sizes: Vec<_> = mode.operands.iter().filter_map(|&id| self.m.constant_u32(id)).collect();
            if let [x, y, z] = sizes[..] {
                return Ok([x, y, z]);
            }
        }
        Err("it declares no workgroup size".into())
    }

    /// Functions that calls reach, each once, callees first. Recursion and absurd depth are errors.
    fn reach(&mut self, id: Id, open: &mut Vec<Id>, seen: &mut FxHashSet<Id>, order: &mut Vec<Id>) -> Result<()> {
        if open.contains(&id) {
            return Err(format!("function {} calls itself", self.m.describe(id)));
        }
        if open.len() >= MAX_CALLS {
            return Err(format!("calls nest more than {MAX_CALLS} levels deep"));
        }
        if !seen.insert(id) {
            return Ok(());
        }
        let m = self.m;
        let function = m.function(id).ok_or_else(|| format!("%{id} is not a function with a body"))?;
        if function.blocks.is_empty() {
            return Err(format!("function {} has no body", m.describe(id)));
        }
        open.push(id);
        for inst in function.blocks.iter().flat_map(|b| &b.insts) {
            if inst.op() == Some(Op::FunctionCall) {
                self.reach(m.operands(inst).first().copied().unwrap_or(0), open, seen, order)?;
            }
        }
        open.pop();
        order.push(id);
        Ok(())
    }

    /// Reserves result and parameter rows, so that calls may come before the body.
    fn declare_function(&mut self, id: Id) -> Result<()> {
        let m = self.m;
        let function = m.function(id).ok_or_else(|| format!("%{id} is not a function"))?;
        let result = match m.ty(function.result_type) {
            Some(wgc_spirv_module::Type::Void) => None,
            _ => Some(self.new_value(function.result_type)?),
        };
        for parameter in &function.parameters {
            let value = self.new_value(parameter.ty)?;
            self.values.insert(parameter.result, value);
        }
        self.functions.insert(id, (self.functions.len() as u32, result));
        Ok(())
    }

    fn function(&mut self, id: Id) -> Result<Function> {
        blocks::translate(self, id)
    }

    fn emit(&mut self, ins: Ins) {
        self.code.push(ins);
        self.words.push(self.word);
    }

    fn unary(&mut self, op: Unary, a: Row, n: u32) -> Result<Row> {
        let dst = self.rows(n)?;
        self.emit(Ins::Unary { op, dst, a, n });
        Ok(dst)
    }

    fn binary(&mut self, op: Binary, a: Row, b: Row, n: u32) -> Result<Row> {
        let dst = self.rows(n)?;
        self.emit(Ins::Binary { op, dst, a, b, n });
        Ok(dst)
    }

    fn ternary(&mut self, op: Ternary, [a, b, c]: [Row; 3], n: u32) -> Result<Row> {
        let dst = self.rows(n)?;
        self.emit(Ins::Ternary { op, dst, a, b, c, n });
        Ok(dst)
    }

    fn copy(&mut self, dst: Row, src: Row, n: u32) {
        if n > 0 && dst != src {
            self.emit(Ins::Move { dst, src, n });
        }
    }

    fn define(&mut self, inst: &Inst, row: Row, n: u32) {
        self.values.insert(inst.result, Value { row, n });
    }

    /// Translates one instruction of a block; phis and terminators are translated elsewhere.
    fn instruction(&mut self, inst: &Inst) -> Result<()> {
        self.word = inst.word;
        let Some(op) = inst.op() else { return Err(format!("{} is not supported by this device", inst.name())) };
        let w = self.m.operands(inst);
        let done = match op {
            Op::Nop | Op::Line | Op::NoLine | Op::Phi | Op::AssumeTrueKHR => true,
            Op::FunctionCall => {
                self.call(inst, w)?;
                true
            }
            _ => {
                self.access(op, inst, w)?
                    || self.atomic(op, inst, w)?
                    || self.arithmetic(op, inst, w)?
                    || self.subgroup(op, inst, w)?
                    || self.derivative(op, inst, w)?
                    || self.image(op, inst, w)?
                    || self.ray(op, inst, w)?
                    || self.payloads(op, inst, w)?
                    || self.mesh_counts(op, w)?
            }
        };
        if done { Ok(()) } else { Err(format!("{} is not supported by this device", inst.name())) }
    }

    fn call(&mut self, inst: &Inst, w: &[u32]) -> Result<()> {
        let (callee, arguments) = w.split_first().ok_or("OpFunctionCall has no function")?;
        let (function, result) = *self.functions.get(callee).ok_or("OpFunctionCall of no function")?;
        let m = self.m;
        let parameters = m.function(*callee).map(|f| f.parameters.as_slice()).unwrap_or(&[]);
        if parameters.len() != arguments.len() {
            return Err("OpFunctionCall has the wrong number of arguments".into());
        }
        for (parameter, argument) in parameters.iter().zip(arguments) {
            let from = self.value(*argument)?;
            let to = self.value(parameter.result)?;
            if from.n != to.n {
                return Err("OpFunctionCall has an argument of the wrong type".into());
            }
            self.copy(to.row, from.row, to.n);
        }
        self.emit(Ins::Call { function });
        if let Some(result) = result {
            // The next call overwrites the function's own rows.
            let row = self.rows(result.n)?;
            self.copy(row, result.row, result.n);
            self.define(inst, row, result.n);
        }
        Ok(())
    }
}
