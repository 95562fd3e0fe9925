//! Rules about functions and their types, calls, and recursion (SPIR-V 3.49.9, 2.16.1).

use super::{Checker, rules};
use crate::module::{Function, Inst};
use crate::types::Type;
use spirv::{Capability, Op, StorageClass};

pub(super) fn check(c: &mut Checker) {
    for function in &c.m.functions {
        if let Err(message) = signature(c, function) {
            c.at(rules::FUNCTION, &function.inst, message);
        }
    }
    recursion(c);
}

fn signature(c: &Checker, function: &Function) -> Result<(), String> {
    let Some(Type::Function { result, parameters }) = c.m.ty(function.function_type) else {
        return Err(format!("{} is not a function type", c.m.describe(function.function_type)));
    };
    if *result != function.result_type {
        return Err(format!(
            "it returns {}, but its type returns {}",
            c.type_name(function.result_type),
            c.type_name(*result)
        ));
    }
    if parameters.len() != function.parameters.len() {
        return Err(format!("it has {} parameters, but its type has {}", function.parameters.len(), parameters.len()));
    }
    for (parameter, &ty) in function.parameters.iter().zip(parameters) {
        if parameter.ty != ty {
            return Err(format!("parameter {} is not a {}", c.m.describe(parameter.result), c.type_name(ty)));
        }
    }
    if function.blocks.is_empty() && !c.m.has_capability(Capability::Linkage) {
        return Err("it has no body".into());
    }
    Ok(())
}

/// Checks the rules of calls and returns.
pub(super) fn check_instruction(c: &mut Checker, function: &Function, op: Op, inst: &Inst) {
    let result = match op {
        Op::FunctionCall => call(c, inst).map_err(|m| (rules::CALL, m)),
        Op::Return if !matches!(c.m.ty(function.result_type), Some(Type::Void)) => {
            Err((rules::FUNCTION, "OpReturn in a function that returns a value".to_string()))
        }
        Op::ReturnValue if c.m.type_of(c.operand(inst, 0)) != function.result_type => {
            let (given, wanted) = (c.m.type_of(c.operand(inst, 0)), function.result_type);
            Err((
                rules::FUNCTION,
                format!("it returns {} from a function of {}", c.type_name(given), c.type_name(wanted)),
            ))
        }
        _ => Ok(()),
    };
    if let Err((rule, message)) = result {
        c.at(rule, inst, message);
    }
}

fn call(c: &Checker, inst: &Inst) -> Result<(), String> {
    let Some((&callee, args)) = c.m.operands(inst).split_first() else { return Ok(()) };
    let Some(function) = c.m.function(callee) else {
        return Err(format!("{} is not a function", c.m.describe(callee)));
    };
    if inst.ty != function.result_type {
        return Err(format!(
            "its type is {}, but the function returns {}",
            c.type_name(inst.ty),
            c.type_name(function.result_type)
        ));
    }
    if args.len() != function.parameters.len() {
        return Err(format!("{} arguments for {} parameters", args.len(), function.parameters.len()));
    }
    for (&arg, parameter) in args.iter().zip(&function.parameters) {
        if c.m.type_of(arg) != parameter.ty {
            return Err(format!("{} is not a {}", c.m.describe(arg), c.type_name(parameter.ty)));
        }
        let Some((class, _)) = c.pointer(arg) else { continue };
        let logical = class != StorageClass::PhysicalStorageBuffer;
        let whole = c.m.globals.contains_key(&arg)
            || matches!(c.m.def(arg), crate::module::Def::Parameter(..))
            || c.m.inst(arg).is_some_and(|i| matches!(i.op(), Some(Op::Variable | Op::FunctionCall)));
        if logical && !super::memory::has_variable_pointers(c, class) && !whole && !c.is_kernel() {
            return Err(format!(
                "{} points into a variable, which logical addressing does not allow as an argument",
                c.m.describe(arg)
            ));
        }
    }
    Ok(())
}

/// Returns the functions that each function calls, by index.
pub(super) fn callees(c: &Checker) -> Vec<Vec<usize>> {
    let index = |id| match c.m.def(id) {
        crate::module::Def::Function(index) => Some(index as usize),
        _ => None,
    };
    c.m.functions
        .iter()
        .map(|f| {
            let calls = f.blocks.iter().flat_map(|b| &b.insts).filter(|i| i.op() == Some(Op::FunctionCall));
            calls.filter_map(|i| index(c.operand(i, 0))).collect()
        })
        .collect()
}

/// Reports recursive functions. Functions without callees are removed repeatedly; the rest are recursive or reach a
/// recursive function. Then functions without callers are removed in the same way, since they only reach one.
fn recursion(c: &mut Checker) {
    let callees = callees(c);
    let mut callers = vec![Vec::new(); callees.len()];
    for (f, targets) in callees.iter().enumerate() {
        targets.iter().for_each(|&t| callers[t].push(f));
    }
    let mut alive = vec![true; callees.len()];
    strip(&mut alive, &callees, &callers);
    strip(&mut alive, &callers, &callees);
    for (i, function) in c.m.functions.iter().enumerate() {
        if alive[i] {
            c.at(rules::FUNCTION, &function.inst, "it calls itself");
        }
    }
}

fn strip(alive: &mut [bool], edges: &[Vec<usize>], back: &[Vec<usize>]) {
    let mut degree: Vec<usize> = edges.iter().map(|e| e.iter().filter(|&&t| alive[t]).count()).collect();
    let mut work: Vec<usize> = (0..alive.len()).filter(|&i| alive[i] && degree[i] == 0).collect();
    while let Some(i) = work.pop() {
        alive[i] = false;
        for &j in &back[i] {
            if alive[j] {
                degree[j] -= 1;
                if degree[j] == 0 {
                    work.push(j);
                }
            }
        }
    }
}
