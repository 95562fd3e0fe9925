//! Numbers the cases of a switch, if lanes of several labels must meet in one of them or in its default.
//!
//! NVIDIA's driver 580.159.04 does not converge lanes that reach one target of `OpSwitch` by different literals, or its
//! default from below and from above a literal, even with maximal reconvergence. A subgroup operation there sees some of
//! the lanes only. With the number of the case as selector, one value leads to each case: 0, 1 and so on, and the number
//! of cases leads to the default.

use super::inline::for_each_call;
use crate::Symbol;
use crate::function::*;
use crate::image::ImageQuery;
use crate::module::Module;
use crate::types::{Scalar, Type};
use crate::walk;
use rustc_hash::FxHashSet;

/// Numbers the cases of each switch that needs it: lanes of several labels reach operations on several lanes, in the
/// body of a case, in the default, or in a function that they call.
pub fn case_labels(module: &mut Module) {
    let functions = functions_across_lanes(module);
    for function in module.functions.values_mut() {
        let mut any = false;
        walk::statements(&function.body, &mut |stmt| any |= lanes_meet(stmt, function, &functions));
        if any {
            let mut body = std::mem::take(&mut function.body);
            rewrite(&mut body, function, &functions);
            function.body = body;
        }
    }
}

/// Returns whether the statement is a switch whose lanes of several labels need to meet.
fn lanes_meet(stmt: &Stmt, function: &Function, functions: &FxHashSet<Symbol>) -> bool {
    let Stmt::Switch { cases, default, .. } = stmt else { return false };
    let across = |block| blocks_across_lanes(block, function, functions);
    cases.iter().any(|case| case.labels.len() > 1 && across(&case.body)) || !cases.is_empty() && across(default)
}

/// Returns whether the result of the operation depends on the lanes that execute it together.
fn is_across_lanes(op: &Op) -> bool {
    match op {
        Op::Subgroup { .. } | Op::Spirv(_) | Op::ImageQuery { query: ImageQuery::Lod { .. }, .. } => true,
        Op::ImageSample(sample) => sample.needs_derivatives(),
        _ => false,
    }
}

/// Returns the functions with operations on several lanes, in their body or in a function that they call.
fn functions_across_lanes(module: &Module) -> FxHashSet<Symbol> {
    let none = FxHashSet::default();
    let own = |function: &Function| blocks_across_lanes(&function.body, function, &none);
    let mut found: FxHashSet<Symbol> =
        module.functions.iter().filter(|(_, function)| own(function)).map(|(name, _)| name.clone()).collect();
    // Verified modules have no recursion, so this ends after as many rounds as calls nest.
    loop {
        let before = found.len();
        for (name, function) in &module.functions {
            let mut calls = false;
            for_each_call(function, &mut |callee| calls |= found.contains(callee));
            if calls {
                found.insert(name.clone());
            }
        }
        if found.len() == before {
            return found;
        }
    }
}

fn blocks_across_lanes(block: &Block, function: &Function, functions: &FxHashSet<Symbol>) -> bool {
    let mut found = false;
    walk::statements(block, &mut |stmt| {
        found |= match stmt {
            Stmt::Call { callee, .. } => functions.contains(callee),
            Stmt::Spirv(_) => true,
            Stmt::Let(id) => match function.value(*id).map(|value| &value.op) {
                Some(Op::Call { callee, .. }) => functions.contains(callee),
                Some(op) => is_across_lanes(op),
                None => false,
            },
            _ => false,
        };
    });
    found
}

/// Rewrites the switches of a block, and of the blocks in it.
fn rewrite(block: &mut Block, function: &mut Function, functions: &FxHashSet<Symbol>) {
    let mut out = Block::new();
    for mut stmt in std::mem::take(block) {
        if lanes_meet(&stmt, function, functions)
            && let Stmt::Switch { selector, cases, .. } = &mut stmt
        {
            *selector = number(*selector, cases, function, &mut out);
        }
        for inner in stmt.blocks_mut() {
            rewrite(inner, function, functions);
        }
        out.push(stmt);
    }
    *block = out;
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
