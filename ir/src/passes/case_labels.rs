//! Numbers the cases of a switch, if lanes of several labels must meet in one of them or in its default.
//!
//! NVIDIA's driver 580.159.04 does not converge lanes that reach one target of `OpSwitch` by different literals, or its
//! default from below and from above a literal, even with maximal reconvergence. A subgroup operation there sees some of
//! the lanes only. With the number of the case as selector, one value leads to each case: 0, 1 and so on, and the number
//! of cases leads to the default.

use super::inline::for_each_call;
use crate::Symbol;
use crate::function::*;
use crate::module::Module;
use crate::types::{Scalar, Type};
use crate::walk;
use rustc_hash::{FxHashMap, FxHashSet};

/// Numbers the cases of each switch that needs it: lanes of several labels reach operations on several lanes, in the
/// body of a case, in the default, or in a function that they call.
pub fn case_labels(module: &mut Module) {
    let switches: Vec<Symbol> =
        module.functions.iter().filter(|(_, f)| has_switches(f)).map(|(name, _)| name.clone()).collect();
    if switches.is_empty() {
        return;
    }
    let across = functions_across_lanes(module);
    for name in switches {
        let Some(function) = module.functions.get_mut(&name) else { continue };
        let mut body = std::mem::take(&mut function.body);
        number_switches(&mut body, function, &across);
        function.body = body;
    }
}

fn has_switches(function: &Function) -> bool {
    let mut found = false;
    walk::statements(&function.body, &mut |stmt| found |= matches!(stmt, Stmt::Switch { .. }));
    found
}

/// Returns the functions with operations on several lanes, in their body or in a function that they call.
pub(super) fn functions_across_lanes(module: &Module) -> FxHashSet<Symbol> {
    let none = FxHashSet::default();
    let mut callers: FxHashMap<&Symbol, Vec<&Symbol>> = FxHashMap::default();
    let mut work = Vec::new();
    for (name, function) in &module.functions {
        let mut own = false;
        walk::statements(&function.body, &mut |stmt| own |= is_across_lanes(stmt, function, &none));
        if own {
            work.push(name);
        }
        for_each_call(function, &mut |callee| {
            if let Some((callee, _)) = module.functions.get_key_value(callee) {
                callers.entry(callee).or_default().push(name);
            }
        });
    }
    let mut found = FxHashSet::default();
    while let Some(name) = work.pop() {
        if found.insert(name.clone()) {
            work.extend(callers.get(name).into_iter().flatten());
        }
    }
    found
}

/// Returns whether the statement itself depends on the lanes that execute it together; `functions` are those that do.
pub(super) fn is_across_lanes(stmt: &Stmt, function: &Function, functions: &FxHashSet<Symbol>) -> bool {
    let op = match stmt {
        Stmt::Call { callee, .. } => return functions.contains(callee),
        Stmt::Spirv(_) => return true,
        Stmt::Let(id) => function.value(*id).map(|value| &value.op),
        _ => None,
    };
    match op {
        Some(Op::Call { callee, .. }) => functions.contains(callee),
        Some(op) => op.is_across_lanes(),
        None => false,
    }
}

/// Numbers the cases of the switches of a block, and of the blocks in it. Returns whether a statement in them depends
/// on the lanes that execute it together.
fn number_switches(block: &mut Block, function: &mut Function, functions: &FxHashSet<Symbol>) -> bool {
    let (mut out, mut found) = (Block::new(), false);
    for mut stmt in std::mem::take(block) {
        found |= is_across_lanes(&stmt, function, functions);
        // The bodies of the cases, then the default.
        let inner = stmt.blocks_mut().map(|inner| number_switches(inner, function, functions));
        let inner: Vec<bool> = inner.collect();
        found |= inner.contains(&true);
        if let Stmt::Switch { selector, cases, .. } = &mut stmt {
            let meet = |(n, is_across): (usize, &bool)| {
                *is_across && cases.get(n).map_or(!cases.is_empty(), |case| case.labels.len() > 1)
            };
            if inner.iter().enumerate().any(meet) {
                *selector = number(*selector, cases, function, &mut out);
            }
        }
        out.push(stmt);
    }
    *block = out;
    found
}

/// Replaces the labels of each case by its number, and returns the value that computes the number from the selector.
fn number(selector: ValueId, cases: &mut [Case], function: &mut Function, out: &mut Block) -> ValueId {
    let ty = function.type_of(selector).cloned().unwrap_or(Type::U32);
    let scalar = ty.scalar().unwrap_or(Scalar::U32);
    let bits = |label: i64| if scalar.size() == 8 { label as u64 } else { u64::from(label as u32) };
    let mut value = |ty: &Type, op: Op| {
        let id = function.values.alloc(Value::new(ty.clone(), op));
        out.push(Stmt::Let(id));
        id
    };
    let u32_const = |bits: usize| Op::Const(ScalarConst { ty: Scalar::U32, bits: bits as u64 });
    let boolean = Type::Scalar(Scalar::Bool);
    let mut number = value(&Type::U32, u32_const(cases.len()));
    for (n, case) in cases.iter_mut().enumerate() {
        let mut is_case: Option<ValueId> = None;
        for label in std::mem::replace(&mut case.labels, vec![n as i64]) {
            let rhs = value(&ty, Op::Const(ScalarConst { ty: scalar, bits: bits(label) }));
            let equal = value(&boolean, Op::Binary { op: BinaryOp::Eq, lhs: selector, rhs });
            is_case = Some(match is_case {
                None => equal,
                Some(lhs) => value(&boolean, Op::Binary { op: BinaryOp::Or, lhs, rhs: equal }),
            });
        }
        if let Some(cond) = is_case {
            let then = value(&Type::U32, u32_const(n));
            number = value(&Type::U32, Op::Select { cond, then, otherwise: number });
        }
    }
    number
}
