//! Shared traversals: statements of nested blocks, and the types that a module mentions.

use crate::function::{Block, Function, Stmt};
use crate::module::{GlobalKind, Module};
use crate::types::Type;

/// Calls `f` with every statement, outer ones before those inside them, in program order.
pub fn statements<'a>(block: &'a Block, f: &mut impl FnMut(&'a Stmt)) {
    let mut stack = vec![block.iter()];
    while let Some(iter) = stack.last_mut() {
        match iter.next() {
            Some(stmt) => {
                f(stmt);
                if stmt.is_nested() {
                    stack.extend(stmt.blocks().rev().map(|b| b.iter()));
                }
            }
            None => {
                stack.pop();
            }
        }
    }
}

/// Calls `f` with the type of every parameter, local and value, and the return type.
pub fn function_types<'a>(function: &'a Function, f: &mut impl FnMut(&'a Type)) {
    function.params.iter().for_each(|p| f(&p.ty));
    f(&function.ret);
    function.locals.values().for_each(|l| f(&l.ty));
    function.values.values().for_each(|v| f(&v.ty));
}

/// Calls `f` with every type that the module mentions, in the order of the module's parts.
pub fn module_types<'a>(module: &'a Module, f: &mut impl FnMut(&'a Type)) {
    for global in module.globals.values() {
        match &global.kind {
            GlobalKind::Private { ty, .. }
            | GlobalKind::Constant { ty, .. }
            | GlobalKind::Workgroup { ty }
            | GlobalKind::MeshOutput { ty, .. } => f(ty),
            GlobalKind::Buffer { element, .. } => f(element),
            GlobalKind::Uniform { block, .. } | GlobalKind::PushConstant { block } => f(block),
            GlobalKind::Image { .. }
            | GlobalKind::Sampler { .. }
            | GlobalKind::AccelerationStructure { .. }
            | GlobalKind::SpecConstant { .. } => {}
        }
    }
    for node in &module.graph.nodes {
        let records = node.outputs.iter().map(|o| &o.record);
        node.input.iter().map(|i| &i.record).chain(records).flatten().for_each(|r| f(&r.ty));
    }
    module.functions.values().for_each(|function| function_types(function, f));
}

/// Calls `f` with every statement before those inside it, in program order.
pub fn statements_mut(block: &mut Block, f: &mut impl FnMut(&mut Stmt)) {
    let mut stack = vec![block.iter_mut()];
    while let Some(iter) = stack.last_mut() {
        match iter.next() {
            Some(stmt) => {
                f(stmt);
                if stmt.is_nested() {
                    stack.extend(stmt.blocks_mut().rev().map(|b| b.iter_mut()));
                }
            }
            None => {
                stack.pop();
            }
        }
    }
}
