//! Runs programs on the CPU device, and compares them after a pass with before.
//!
//! The device accepts a division by zero. So before each division by an unknown divisor, the test adds a load that is
//! out of bounds if the divisor is zero. It does so after the pass, which does not see it.

use crate::device::{Input, bind, contents};
use crate::passes::Form;
use crate::program::{GROUPS, GUARD};
use std::panic::{AssertUnwindSafe, catch_unwind};
use wgc_backend_spirv::{EmitOptions, emit_unchanged};
use wgc_ir::passes;
use wgc_ir::{
    BinaryOp as B, Binding, Block, Count, Function, Global, GlobalKind, Module, Op, ScalarConst, Stmt, Type, Value,
    ValueId, print, verify,
};
use wgc_runtime::cpu::{CpuDevice, CpuSettings};
use wgc_runtime::device::{Command, Device};

/// The most instructions of a workgroup.
const FUEL: u64 = 1 << 20;
/// The lanes of a subgroup: two of them are a workgroup.
const LANES: u32 = 4;

/// The final contents of all buffers.
pub type Outcome = Vec<Vec<u8>>;

/// The reason that a program has no outcome, or a wrong one. The first word is the kind.
pub type Failure = String;

/// A program before the pass, with its outcome.
pub struct Reference {
    pub inputs: Vec<Input>,
    pub outcome: Outcome,
    words: Vec<u32>,
    /// Some threads returned before a barrier.
    partial: bool,
}

/// The finding of a barrier that some threads do not reach. The others go on, as HLSL defines it.
const PARTIAL_BARRIER: &str = "WG4002";

impl Reference {
    pub fn of(module: &Module, inputs: Vec<Input>) -> Result<Reference, Failure> {
        let words = emitted(module)?;
        let (outcome, partial) = executed(&words, &inputs)?;
        Ok(Reference { inputs, outcome, words, partial })
    }

    /// Checks that a module has the same outcome.
    pub fn compare(&self, module: &Module) -> Result<(), Failure> {
        let words = emitted(module)?;
        if words == self.words {
            return Ok(());
        }
        let (outcome, partial) = executed(&words, &self.inputs)?;
        if partial && !self.partial {
            return Err(format!("finding {PARTIAL_BARRIER}: threads miss a barrier"));
        }
        for (binding, (now, before)) in outcome.iter().zip(&self.outcome).enumerate() {
            let words = |bytes: &[u8]| -> Vec<u32> {
                bytes.chunks(4).map(|word| u32::from_le_bytes(word.try_into().expect("four bytes"))).collect()
            };
            let (now, before) = (words(now), words(before));
            if let Some(at) = (0..now.len()).find(|at| now[*at] != before[*at]) {
                return Err(format!(
                    "result: word {at} of binding {binding} is {:#x}, and was {:#x}",
                    now[at], before[at]
                ));
            }
        }
        Ok(())
    }
}

/// The effect of a pass on a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    None,
    /// It replaced merged values and nothing else. Many passes begin with that.
    Demotion,
    Change,
}

/// Checks passes on one form of a program.
pub struct Checker<'a> {
    reference: &'a Reference,
    /// The program in its form.
    before: Module,
    /// Without merged values.
    demoted: Module,
    /// Modules that had the same outcome.
    same: Vec<Module>,
}

impl<'a> Checker<'a> {
    /// Brings the program into the form, which must have the same outcome.
    pub fn new(reference: &'a Reference, module: &Module, form: Form) -> Result<Checker<'a>, Failure> {
        let mut before = module.clone();
        form.apply(&mut before);
        reference.compare(&before)?;
        let mut demoted = before.clone();
        demoted.functions.values_mut().for_each(|function| passes::demote(function));
        Ok(Checker { reference, before, demoted, same: Vec::new() })
    }

    /// Runs a pass, and compares the module with the reference.
    pub fn check(&mut self, pass: fn(&mut Module)) -> Result<Effect, Failure> {
        let run = || {
            let mut after = self.before.clone();
            pass(&mut after);
            after
        };
        let after = catch_unwind(AssertUnwindSafe(run)).map_err(|payload| {
            let text = payload.downcast_ref::<String>().cloned();
            format!("panic: {}", text.unwrap_or_default())
        })?;
        if after == self.before {
            return Ok(Effect::None);
        }
        if !self.same.contains(&after) {
            self.reference.compare(&after)?;
            self.same.push(after.clone());
        }
        Ok(if after == self.demoted { Effect::Demotion } else { Effect::Change })
    }
}

/// Returns the words of a verified module.
fn emitted(module: &Module) -> Result<Vec<u32>, Failure> {
    if let Err(errors) = verify(module) {
        return Err(format!("ir: {}\n{}", errors[0], print(module)));
    }
    let options = EmitOptions::default();
    let emit = || emit_unchanged(&guarded(module), &options);
    let emitted = catch_unwind(AssertUnwindSafe(emit)).map_err(|_| "emission: a panic".to_owned())?;
    let words = emitted.map_err(|e| format!("emission: {e}"))?.words;
    let loaded = wgc_spirv_module::Module::load(&words).map_err(|e| format!("spirv: {e}"))?;
    match wgc_spirv_module::verify(&loaded).iter().find(|violation| violation.is_error()) {
        Some(violation) => Err(format!("spirv: {violation}")),
        None => Ok(words),
    }
}

/// Returns the outcome, and whether some threads missed a barrier.
fn executed(words: &[u32], inputs: &[Input]) -> Result<(Outcome, bool), Failure> {
    let mut device = CpuDevice::new(CpuSettings { subgroup_size: LANES, fuel: FUEL, ..CpuSettings::default() });
    let (buffers, bindings) = bind(&mut device, inputs);
    let failed = |e| format!("device: {e}");
    let pipeline = device.create_pipeline(words, "main", Some(bindings), 0, None).map_err(failed)?;
    let dispatch = Command::Dispatch {
        pipeline,
        bindings: Some(bindings),
        push: Vec::new(),
        groups: [GROUPS, 1, 1],
        label: String::new(),
    };
    device.submit(&[dispatch, Command::Barrier]).map_err(failed)?;
    if let Some(finding) = device.findings().iter().find(|finding| finding.code != PARTIAL_BARRIER) {
        return Err(format!("finding {finding}"));
    }
    let partial = !device.findings().is_empty();
    Ok(((0..inputs.len()).map(|n| contents(&mut device, buffers[n], inputs, n)).collect(), partial))
}

/// Returns the module with a load before each division, which a divisor of zero puts out of bounds.
fn guarded(module: &Module) -> Module {
    let mut module = module.clone();
    let binding = Binding { binding: GUARD, ..Binding::open(Count::One) };
    let kind =
        GlobalKind::Buffer { element: Type::U32, stride: 4, writable: false, coherent: false, counter: None, binding };
    let guard = Global { name: "guard".into(), kind };
    let ty = guard.value_type();
    module.add_global(guard);
    for function in module.functions.values_mut() {
        let is_division = |value: &Value| matches!(value.op, Op::Binary { op: B::Div | B::Rem, .. });
        if function.values.values().any(is_division) {
            let mut body = std::mem::take(&mut function.body);
            guard_block(function, &mut body, &ty);
            function.body = body;
        }
    }
    module
}

fn guard_block(function: &mut Function, block: &mut Block, buffer: &Type) {
    let old = std::mem::take(block);
    for mut stmt in old {
        stmt.blocks_mut().for_each(|inner| guard_block(function, inner, buffer));
        if let Stmt::Let(id) = stmt
            && let Op::Binary { op: B::Div | B::Rem, rhs, .. } = function.values[id].op
            && let Type::Scalar(scalar) = function.values[id].ty
            && scalar.is_integer()
            && function.constant(rhs).is_none()
        {
            let mut value = |ty: Type, op: Op| -> ValueId {
                let id = function.values.alloc(Value::new(ty, op));
                block.push(Stmt::Let(id));
                id
            };
            let zero = value(Type::Scalar(scalar), Op::Const(ScalarConst::new(scalar, 0)));
            let inside = value(Type::U32, Op::Const(ScalarConst::u32(0)));
            let outside = value(Type::U32, Op::Const(ScalarConst::u32(1 << 20)));
            let cond = value(Type::BOOL, Op::Binary { op: B::Eq, lhs: rhs, rhs: zero });
            let index = value(Type::U32, Op::Select { cond, then: outside, otherwise: inside });
            let place = value(buffer.clone(), Op::Global("guard".into()));
            let space = match buffer {
                Type::Ref(space, _) => *space,
                other => panic!("{other} is no buffer"),
            };
            let element = value(Type::reference(space, Type::U32), Op::Index { base: place, index });
            value(Type::U32, Op::Load(element));
        }
        block.push(stmt);
    }
}
